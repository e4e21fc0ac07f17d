// SPDX-License-Identifier: Apache-2.0
// Arrays in the reference model (docs/machine.md, Arrays): what packets carry, what rows become,
// what the control port reads and writes. The expected words are computed here, in another way.
#include "tests/rig/test.h"
#include "base/bytes.h"
#include "base/rng.h"
#include "tests/rig/model_rig.h"

enum { STAGE = 1, BASE = 3, RANGE = 10, WORDS = 8, LEN = 128, AT = 62 };

static struct entry array_entry(unsigned offset, unsigned count) {
  struct entry e = ENTRY_OF(ARRAY, (VALID, 1), (OFFSET, offset), (COUNT, count));
  return e;
}

static struct entry array_instr(unsigned select, unsigned on_true, unsigned on_false,
                                unsigned result) {
  struct entry e = ENTRY_OF(ARRAY_INSTR, (VALID, 1), (SELECT, select), (ON_TRUE, on_true),
                            (ON_FALSE, on_false), (RESULT, result));
  return e;
}

static unsigned predicate(unsigned x_state, unsigned x_packet, unsigned rel, unsigned y) {
  return x_state << SLUICE_PREDICATE_X_STATE_LSB | x_packet << SLUICE_PREDICATE_X_PACKET_LSB |
         rel << SLUICE_PREDICATE_REL_LSB | y << SLUICE_PREDICATE_Y_LSB;
}

// S1 counts packets. Predicates: S1 == 0; S1 < 2; P1 (the index, 4B[0]) != 1; S1 > 2.
static struct entry counting(void) {
  struct entry e = {{0}};
  const unsigned plus_one = 1u << SLUICE_UPDATE_KEEP_LSB | SLUICE_ARM_K1 << SLUICE_UPDATE_A_LSB |
                            SLUICE_ARM_ZERO << SLUICE_UPDATE_B_LSB,
                 keep = 1u << SLUICE_UPDATE_KEEP_LSB | SLUICE_ARM_ZERO << SLUICE_UPDATE_A_LSB |
                        SLUICE_ARM_ZERO << SLUICE_UPDATE_B_LSB;
  SETS(&e, STATE_INSTR, (VALID, 1), (P1, operand(B4, 0)),
       (PRED_1, predicate(SLUICE_PRED_S_S1, SLUICE_PRED_P_ZERO, SLUICE_REL_EQ, SLUICE_PRED_Y_K0)),
       (PRED_2, predicate(SLUICE_PRED_S_S1, SLUICE_PRED_P_ZERO, SLUICE_REL_LT, SLUICE_PRED_Y_K2)),
       (PRED_3, predicate(SLUICE_PRED_S_ZERO, SLUICE_PRED_P_P1, SLUICE_REL_NE, SLUICE_PRED_Y_K1)),
       (PRED_4, predicate(SLUICE_PRED_S_S1, SLUICE_PRED_P_ZERO, SLUICE_REL_GT, SLUICE_PRED_Y_K2)));
  // Whatever holds, S1 counts, but where nothing runs: S1 of 1 and 2.
  SETS(&e, STATE_INSTR, (A1, plus_one), (B1, plus_one), (C1, plus_one), (D1, plus_one), (A2, keep),
       (B2, keep), (C2, keep), (D2, keep), (K1, 1), (K2, 2));
  return e;
}

// Bytes 20..23 are the index, the array is where `array` says; action row 0 of STAGE has `instr`.
static void set_up(struct sluice_model *m, const struct entry *array, const struct entry *instr) {
  const struct entry state = counting();
  struct entry parser = {{0}}, action = {{0}};
  entry_action(&parser, 0, parse_action(0, 20, B4, 0));
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &parser);
  segment(m, STAGE, ROW, BASE, RANGE);
  access(m, STAGE, ROW, 0, 0, operand(B4, 0));
  match_all(m, STAGE, ROW, 0, &action);
  put(m, SLUICE_TABLE_STATE_INSTR, STAGE, 0, &state);
  if (array) put(m, SLUICE_TABLE_ARRAY, 0, ROW, array);
  if (instr) put(m, SLUICE_TABLE_ARRAY_INSTR, STAGE, 0, instr);
}

static struct sluice_model *open_words(unsigned words) {
  struct sluice_config c = *sluice_config_find("arrays");
  c.ArrayWords = words;
  struct sluice_model *m = with_modules(sluice_model_open(&c));
  assert_non_null(m);
  return m;
}

// Runs a packet; its first 128 bytes become those that leave.
static struct sluice_model_access send(struct sluice_model *m, uint8_t *frame, unsigned len,
                                       unsigned index) {
  static struct sluice_model_result result;
  struct sluice_model_phv phv;
  sluice_put32(frame + 20, index);
  const struct sluice_model_packet packet = {.bytes = frame, .len = len};
  assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
  sluice_model_admit(m, &packet, &phv, &result);
  memcpy(frame, result.header, len < LEN ? len : LEN);
  return result.access[STAGE];
}

static void row_is(struct sluice_model *m, unsigned index, const uint32_t *expected) {
  uint32_t words[SLUICE_MODEL_WORDS];
  assert_true(sluice_model_row(m, ROW, STAGE, index, words));
  assert_memory_equal(words, expected, m->config.ArrayWords * sizeof words[0]);
  for (unsigned i = m->config.ArrayWords; i < SLUICE_MODEL_WORDS; i++)
    assert_int_equal(words[i], 0);
}

// docs/machine.md: the first packet's numbers stay, the second one's are added.
TEST(the_example_of_the_page) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
  const struct entry where = array_entry(AT, WORDS),
                     what = array_instr(SLUICE_ARRAY_SELECT_PRED_1, SLUICE_ARRAY_OP_SET,
                                        SLUICE_ARRAY_OP_ADD, SLUICE_ARRAY_RESULT_NEW);
  uint8_t frame[LEN];
  uint32_t row[WORDS] = {0};
  set_up(m, &where, &what);
  for (unsigned n = 0; n < 2; n++) {
    uint32_t words[WORDS];
    data_frame(frame, LEN, ROW, n);
    for (unsigned i = 0; i < WORDS; i++) {
      words[i] = 1000 * (n + 1) + i;
      row[i] += words[i];
      sluice_put32(frame + AT + 4 * i, words[i]);
    }
    const struct sluice_model_access a = send(m, frame, LEN, 5);
    assert_true(a.array && !a.refused);
    for (unsigned i = 0; i < WORDS; i++) assert_int_equal(sluice_get32(frame + AT + 4 * i), row[i]);
    row_is(m, 5, row);
  }
  row_is(m, 4, (const uint32_t[WORDS]){0});
}

// The same by numbers that do not wrap.
static int64_t as_signed(uint32_t v) { return v < 0x80000000u ? v : (int64_t)v - 0x100000000; }
static uint32_t expected_word(unsigned op, uint32_t row, uint32_t word) {
  const int64_t r = as_signed(row), v = as_signed(word), sum = r + v;
  int64_t result = 0;
  switch (op) {
    case 0: result = r; break;
    case 1: result = sum; break;
    case 2:
      result = sum > 0x7fffffff ? 0x7fffffff : sum < -0x80000000LL ? -0x80000000LL : sum;
      break;
    case 3: result = v >= r ? v : r; break;
    case 4: result = v <= r ? v : r; break;
    case 5: result = v; break;
    case 6: break;
    default:
      for (unsigned b = 0; b < 32; b++) {
        const int64_t bit = (row >> b & 1) + (word >> b & 1);
        result += bit ? INT64_C(1) << b : 0;
      }
  }
  return (uint32_t)(uint64_t)result;
}

static uint32_t pick(struct sluice_rng *rng) {
  static const uint32_t corners[] = {0,          1,          2,          0xffffffff, 0x7fffffff,
                                     0x80000000, 0x80000001, 0x7ffffffe, 0x40000000, 0xc0000000};
  if (sluice_rng_below(rng, 3)) return corners[sluice_rng_below(rng, 10)];
  return (uint32_t)(sluice_rng_next(rng) >> 32);
}

TEST(operations_at_their_borders) {
  static const uint32_t values[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000,
                                    0x80000001, 0x7ffffffe, 5,          0xfffffffb, 0x12345678};
  for (unsigned op = 0; op < 8; op++)
    for (unsigned a = 0; a < 10; a++)
      for (unsigned b = 0; b < 10; b++)
        assert_int_equal(model_array_word(op, values[a], values[b]),
                         expected_word(op, values[a], values[b]));
}

// Any place, count and length: the bytes that an array covers, one by one.
TEST(places_are_whole_words_within_packet_and_header) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "places");
  unsigned cut = 0, whole = 0;
  for (unsigned n = 0; n < 4000; n++) {
    const unsigned words = n % 2 ? 8 : 16, offset = (unsigned)sluice_rng_below(&rng, 128),
                   count = (unsigned)sluice_rng_below(&rng, 32),
                   len = 64 + (unsigned)sluice_rng_below(&rng, 100);
    struct sluice_model *m = open_words(words);
    // Exchange: the row takes the packet's words, which become zeros.
    const struct entry where = array_entry(offset, count),
                       what = array_instr(SLUICE_ARRAY_SELECT_NONE, SLUICE_ARRAY_OP_SET, 0,
                                          SLUICE_ARRAY_RESULT_OLD);
    uint8_t frame[256], before[256];
    uint32_t row[SLUICE_MODEL_WORDS] = {0};
    set_up(m, &where, &what);
    data_frame(frame, len, ROW, n);
    sluice_put32(frame + 20, 7);
    memcpy(before, frame, sizeof before);
    send(m, frame, len, 7);
    for (unsigned i = 0; i < (count < words ? count : words); i++) {
      const unsigned at = offset / 2 * 2 + 4 * i, end = len < 128 ? len : 128;
      if (at + 3 >= end) {
        cut++;
        continue;
      }
      whole++;
      row[i] = sluice_get32(before + at);
      memset(before + at, 0, 4);
    }
    assert_memory_equal(frame, before, len < LEN ? len : LEN);
    row_is(m, 7, row);
    sluice_model_close(m);
  }
  assert_true(cut > 1000 && whole > 1000);
}

// A second computation of everything at once: state, rows and packets.
TEST(random_packets_as_computed_here) {
  struct sluice_rng rng;
  unsigned refused = 0, held[4] = {0}, not_held[4] = {0};
  sluice_rng_init(&rng, 2, "arrays");
  for (unsigned round = 0; round < 300; round++) {
    const unsigned select = round % 8, on_true = (unsigned)sluice_rng_below(&rng, 8),
                   on_false = (unsigned)sluice_rng_below(&rng, 8), result = round / 8 % 4;
    const struct entry where = array_entry(AT, WORDS),
                       what = array_instr(select, on_true, on_false, result);
    struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
    uint32_t s1[RANGE] = {0}, rows[RANGE][WORDS] = {{0}};
    set_up(m, &where, &what);
    for (unsigned n = 0; n < 60; n++) {
      const unsigned index = (unsigned)sluice_rng_below(&rng, RANGE + 2);
      const bool there = index < RANGE;
      uint8_t frame[LEN];
      uint32_t words[WORDS];
      data_frame(frame, LEN, ROW, n);
      for (unsigned i = 0; i < WORDS; i++) sluice_put32(frame + AT + 4 * i, words[i] = pick(&rng));
      const uint32_t count = there ? s1[index] : 0;
      const bool holds[4] = {count == 0, count<2, index != 1, count> 2};
      const unsigned op = select < 1 || select > 4 || holds[select - 1] ? on_true : on_false;
      for (unsigned p = 0; p < 4; p++) ++*(holds[p] ? &held[p] : &not_held[p]);
      const struct sluice_model_access a = send(m, frame, LEN, index);
      assert_int_equal(a.refused, !there);
      refused += !there;
      for (unsigned i = 0; i < WORDS; i++) {
        const uint32_t old = there ? rows[index][i] : 0, now = expected_word(op, old, words[i]);
        assert_int_equal(sluice_get32(frame + AT + 4 * i), result == 0   ? words[i]
                                                           : result == 1 ? old
                                                                         : now);
        if (there) rows[index][i] = now;
      }
      // counting(): without predicate 1 and 4 nothing runs.
      if (there && (holds[0] || holds[3])) s1[index]++;
      // Else they would never come so far.
      if (there && !holds[0] && !holds[3]) {
        struct entry e = {{0}};
        SET(&e, STATE_ENTRY, S1, ++s1[index]);
        assert_true(
            control(m,
                    (struct control){
                        .table = SLUICE_TABLE_STATE, .stage = STAGE, .row = ROW, .index = index},
                    &e, 1, NULL));
      }
    }
    for (unsigned i = 0; i < RANGE; i++) row_is(m, i, rows[i]);
  }
  for (unsigned p = 0; p < 4; p++) assert_true(held[p] > 500 && not_held[p] > 500);
  assert_true(refused > 500);
}

TEST(without_a_state_instruction_nothing_happens) {
  const struct entry where = array_entry(AT, WORDS), none = {{0}},
                     what = array_instr(SLUICE_ARRAY_SELECT_NONE, SLUICE_ARRAY_OP_SET, 0,
                                        SLUICE_ARRAY_RESULT_OLD);
  const uint32_t zeros[WORDS] = {0};
  uint8_t frame[LEN], before[LEN];
  for (unsigned kind = 0; kind < 3; kind++) {
    struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
    struct entry action = {{0}};
    set_up(m, &where, &what);
    // Neither; slot 16 loads and counts; the instruction of the row is not valid.
    if (kind < 2) put(m, SLUICE_TABLE_STATE_INSTR, STAGE, 0, &none);
    if (kind == 1) {
      entry_slot(&action, 16, instr(SLUICE_OP_LOADD, 0, operand(B4, 0)));
      put(m, SLUICE_TABLE_ACTION, STAGE, 0, &action);
    }
    if (kind == 2) put(m, SLUICE_TABLE_ARRAY_INSTR, STAGE, 0, &none);
    data_frame(frame, LEN, ROW, 1);
    sluice_put32(frame + 20, 2);
    memcpy(before, frame, LEN);
    const struct sluice_model_access a = send(m, frame, LEN, 2);
    assert_false(a.array);
    assert_int_equal(a.executed, kind > 0);
    assert_memory_equal(frame, before, LEN);
    row_is(m, 2, zeros);
  }
}

// A packet without an array has zeros, and its row takes them; words above COUNT as well.
TEST(words_that_are_not_there_are_zero) {
  const struct entry set =
      array_instr(SLUICE_ARRAY_SELECT_NONE, SLUICE_ARRAY_OP_SET, 0, SLUICE_ARRAY_RESULT_OLD);
  for (unsigned count = 0; count <= WORDS; count++) {
    struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
    struct entry where = array_entry(AT, count), words = {{0}};
    uint8_t frame[LEN];
    uint32_t row[WORDS] = {0};
    if (count == WORDS) SET(&where, ARRAY, VALID, 0);
    set_up(m, &where, &set);
    memset(words.bytes, 0xff, 64);
    assert_true(control(
        m,
        (struct control){.table = SLUICE_TABLE_STATE_ROW, .stage = STAGE, .row = ROW, .index = 3},
        &words, 1, NULL));
    data_frame(frame, LEN, ROW, 9);
    for (unsigned i = 0; i < count && count < WORDS; i++) row[i] = sluice_get32(frame + AT + 4 * i);
    send(m, frame, LEN, 3);
    row_is(m, 3, row);
    for (unsigned i = 0; i < WORDS; i++)
      assert_int_equal(sluice_get32(frame + AT + 4 * i) == 0xffffffff, i < count && count < WORDS);
  }
}

// A container is written over the same bytes: the array wins. The UDP checksum follows the bytes
// that leave: here it is right before and behind.
TEST(arrays_win_over_containers_and_count_in_checksums) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
  const struct entry where = array_entry(AT, WORDS),
                     what = array_instr(SLUICE_ARRAY_SELECT_NONE, SLUICE_ARRAY_OP_ADD, 0,
                                        SLUICE_ARRAY_RESULT_NEW);
  struct entry deparser = {{0}}, options = {{0}};
  uint8_t frame[LEN];
  const unsigned total = LEN - 18;
  set_up(m, &where, &what);
  entry_action(&deparser, 0, parse_action(0, AT + 8, B4, 0));
  put(m, SLUICE_TABLE_DEPARSER, 0, ROW, &deparser);
  SET(&options, DEPARSE_OPT, L4_CHECKSUM, 1);
  put(m, SLUICE_TABLE_DEPARSE_OPT, 0, ROW, &options);
  for (unsigned n = 0; n < 3; n++) {
    uint32_t sum = 0, words[WORDS];
    data_frame(frame, LEN, ROW, n);
    sluice_put32(frame + 20, 4);
    frame[18] = 0x45;
    sluice_put16(frame + 20, total);
    frame[24] = frame[25] = 0;  // no fragment
    frame[27] = 0x11;
    frame[44] = frame[45] = 0;
    sum = 0x11 + total - 20;
    for (unsigned at = 30; at < LEN; at += 2) sum += (uint32_t)frame[at] << 8 | frame[at + 1];
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    frame[44] = (uint8_t)(~sum >> 8), frame[45] = (uint8_t)~sum;
    for (unsigned i = 0; i < WORDS; i++) words[i] = sluice_get32(frame + AT + 4 * i);
    const struct sluice_model_packet packet = {.bytes = frame, .len = LEN};
    struct sluice_model_phv phv;
    static struct sluice_model_result result;
    assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
    phv.b4[0] = 4;
    uint32_t row[SLUICE_MODEL_WORDS];
    assert_true(sluice_model_row(m, ROW, STAGE, 4, row));
    sluice_model_admit(m, &packet, &phv, &result);
    for (unsigned i = 0; i < WORDS; i++)
      assert_int_equal(sluice_get32(result.header + AT + 4 * i), row[i] + words[i]);
    sum = 0x11 + total - 20;
    for (unsigned at = 30; at < LEN; at += 2)
      sum += (uint32_t)result.header[at] << 8 | result.header[at + 1];
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    assert_int_equal(sum, 0xffff);
  }
}

static bool ask(struct sluice_model *m, enum sluice_table table, unsigned stage, unsigned row,
                unsigned index, unsigned count, struct sluice_model_answer *answer) {
  return control(m,
                 (struct control){.table = table,
                                  .op = SLUICE_CHAIN_READ,
                                  .stage = stage,
                                  .row = row,
                                  .index = index,
                                  .count = count},
                 NULL, 0, answer);
}
static bool write_one(struct sluice_model *m, enum sluice_table table, unsigned stage, unsigned row,
                      unsigned index, const struct entry *e) {
  return control(m, (struct control){.table = table, .stage = stage, .row = row, .index = index}, e,
                 1, NULL);
}

TEST(rows_are_read_and_written_like_entries) {
  static struct sluice_model_answer answer;
  for (unsigned words = 8; words <= 16; words += 8) {
    struct sluice_model *m CLOSED_BY(close_model) = open_words(words);
    struct entry all = {{0}}, pair = {{0}};
    set_up(m, NULL, NULL);
    for (unsigned i = 0; i < 64; i++) all.bytes[i] = (uint8_t)(i + 1);
    memset(pair.bytes, 0xaa, 8);
    assert_true(write_one(m, SLUICE_TABLE_STATE_ROW, STAGE, ROW, 6, &all));
    assert_true(write_one(m, SLUICE_TABLE_STATE, STAGE, ROW, 7, &pair));
    assert_true(ask(m, SLUICE_TABLE_STATE_ROW, STAGE, ROW, 5, 3, &answer));
    assert_int_equal(answer.len, 64 + 3 * 64);
    for (unsigned i = 0; i < 64; i++) {
      assert_int_equal(answer.bytes[64 + i], 0);
      assert_int_equal(answer.bytes[128 + i], i < 4 * words ? i + 1 : 0);
      assert_int_equal(answer.bytes[192 + i], 0);  // an entry that was written leaves its row
    }
    // And the other way round.
    assert_true(ask(m, SLUICE_TABLE_STATE, STAGE, ROW, 6, 2, &answer));
    assert_int_equal(sluice_get32(answer.bytes + 64), 0);
    assert_int_equal(sluice_get32(answer.bytes + 128), 0xaaaaaaaa);
    // The range, rows that exist, stages that have them.
    assert_false(ask(m, SLUICE_TABLE_STATE_ROW, STAGE, ROW, RANGE - 1, 2, &answer));
    assert_int_equal(answer.bytes[53], SLUICE_CHAIN_REFUSED);
    assert_false(write_one(m, SLUICE_TABLE_STATE_ROW, STAGE, ROW, RANGE, &all));
    assert_false(ask(m, SLUICE_TABLE_STATE_ROW, STAGE, 32, 0, 1, &answer));
    for (unsigned stage = 0; stage < 5; stage++) {
      segment(m, stage < 4 ? stage : 0, ROW, 0, RANGE);
      assert_int_equal(ask(m, SLUICE_TABLE_STATE_ROW, stage, ROW, 0, 1, &answer),
                       stage < m->config.StateStages);
      assert_int_equal(ask(m, SLUICE_TABLE_ARRAY_INSTR, stage, 0, 0, 1, &answer),
                       stage < m->config.StateStages);
    }
    // In the range but not in the memory: 0, and not written.
    segment(m, STAGE, ROW, sluice_config_slots(&m->config) - 1, RANGE);
    assert_true(ask(m, SLUICE_TABLE_STATE_ROW, STAGE, ROW, 4, 1, &answer));
    assert_int_equal(sluice_get32(answer.bytes + 64), 0);
    assert_false(write_one(m, SLUICE_TABLE_STATE_ROW, STAGE, ROW, 4, &all));
  }
}

TEST(a_fill_clears_the_rows_of_the_segment) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
  struct entry ones, seven = {{0}};
  uint32_t s1, s2, full[WORDS], zeros[WORDS] = {0};
  memset(&ones, 0xff, sizeof ones);
  memset(full, 0xff, sizeof full);
  SET(&seven, STATE_ENTRY, S1, 7);
  set_up(m, NULL, NULL);
  for (unsigned i = 0; i < RANGE; i++)
    assert_true(write_one(m, SLUICE_TABLE_STATE_ROW, STAGE, ROW, i, &ones));
  segment(m, STAGE, ROW, BASE, RANGE - 2);
  assert_true(write_one(m, SLUICE_TABLE_FILL, STAGE, ROW, 0, &seven));
  segment(m, STAGE, ROW, BASE, RANGE);
  for (unsigned i = 0; i < RANGE; i++) {
    assert_true(sluice_model_state(m, ROW, STAGE, i, &s1, &s2));
    assert_int_equal(s1, i < RANGE - 2 ? 7 : 0);
    row_is(m, i, i < RANGE - 2 ? zeros : full);
  }
}

TEST(chips_without_have_no_tables_of_arrays) {
  static struct sluice_model_answer answer;
  struct sluice_model *m CLOSED_BY(close_model) = open_model("marks");
  segment(m, STAGE, ROW, BASE, RANGE);
  assert_true(ask(m, SLUICE_TABLE_STATE, STAGE, ROW, 0, 1, &answer));
  assert_false(ask(m, SLUICE_TABLE_STATE_ROW, STAGE, ROW, 0, 1, &answer));
  assert_false(ask(m, SLUICE_TABLE_ARRAY_INSTR, STAGE, 0, 0, 1, &answer));
  assert_false(ask(m, SLUICE_TABLE_ARRAY, 0, 0, 0, 1, &answer));
}

// A step shows the row, and what the packet carries from then on.
static struct {
  unsigned shown, with;
  uint32_t before, behind, word;
} seen;
static void step(void *user, const struct sluice_model_step *s) {
  (void)user;
  if (s->kind != SLUICE_STEP_BACK) return;
  seen.shown++;
  if (!s->row_before) return;
  seen.with++;
  seen.before = s->row_before[2];
  seen.behind = s->row_behind[2];
  seen.word = s->words[2];
}

TEST(a_step_shows_the_row) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
  const struct entry where = array_entry(AT, WORDS),
                     what = array_instr(SLUICE_ARRAY_SELECT_NONE, SLUICE_ARRAY_OP_ADD, 0,
                                        SLUICE_ARRAY_RESULT_OLD);
  uint8_t frame[LEN];
  set_up(m, &where, &what);
  sluice_model_watch(m, step, NULL);
  for (unsigned n = 0; n < 2; n++) {
    data_frame(frame, LEN, ROW, 0);
    sluice_put32(frame + AT + 8, 30 + n);
    send(m, frame, LEN, 1);
  }
  FIELDS_ARE(&seen, (with, 2), (before, 30), (behind, 61), (word, 30));
  // Refused: zeros, and they stay.
  data_frame(frame, LEN, ROW, 0);
  send(m, frame, LEN, RANGE);
  assert_int_equal(seen.before | seen.behind, 0);
}
