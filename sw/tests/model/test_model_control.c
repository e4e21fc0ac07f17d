// SPDX-License-Identifier: Apache-2.0
// Control packets of the reference model: writes, reads, refusals.
#include "tests/rig/test.h"
#include "tests/rig/model_rig.h"

TEST(state_survives_a_new_segment) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
  struct entry value = ENTRY_OF(STATE_ENTRY, (S1, 11), (S2, 22));
  segment(m, 0, ROW, 10, 7);
  struct control c = {.table = SLUICE_TABLE_STATE, .row = ROW, .index = 6};
  assert_true(control(m, c, &value, 1, NULL));
  assert_int_equal(model_slot(m, 0, 0, 13)->s1, 11);  // index 6: pipeline 0, slot 10 + 3
  c.index = 7;
  assert_false(control(m, c, &value, 1, NULL));
  uint32_t s1, s2;
  segment(m, 0, ROW, 13, 1);
  assert_true(sluice_model_state(m, ROW, 0, 0, &s1, &s2));
  assert_int_equal(s2, 22);
  c.table = SLUICE_TABLE_FILL, c.index = 0;
  segment(m, 0, ROW, 20, 3);
  assert_true(control(m, c, &value, 1, NULL));
  assert_int_equal(model_slot(m, 0, 0, 20)->s1, 11);
  assert_int_equal(model_slot(m, 0, 1, 20)->s1, 11);
  assert_int_equal(model_slot(m, 0, 0, 21)->s1, 11);
  assert_int_equal(model_slot(m, 0, 1, 21)->s1, 0);  // index 3 is outside
  access(m, 0, ROW, 1, 1, 0);
  c.table = SLUICE_TABLE_STATE, c.index = 2;
  assert_true(control(m, c, &value, 1, NULL));
  assert_int_equal(model_slot(m, 0, 1, 22)->s2, 22);
}

// CHIP.SETS: an index has its home in the set that its ACCESS entry names.
TEST(homes_are_in_the_set) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("k4");
  segment(m, 0, 1, 10, 8);
  const unsigned index = SLUICE_TYPE_B4 << SLUICE_OPERAND_KIND_LSB;
  access(m, 0, 1, 0, 3, index);
  static const struct {
    unsigned sets, pipe, slot;
  } at[] = {{0, 1, 11}, {1, 3, 12}, {2, 3, 15}, {7, 3, 15}};
  for (unsigned i = 0; i < 4; i++) {
    sluice_model_set_sets(m, at[i].sets);
    struct sluice_model_phv phv = {.vid = 1, .b4 = {5}};
    struct sluice_model_access a = {0};
    model_resolve(m, 0, &phv, &a);
    assert_true(a.resolved);
    FIELDS_ARE(&a, (pipe, at[i].pipe), (slot, at[i].slot));
    phv.b4[0] = 8;
    a = (struct sluice_model_access){0};
    model_resolve(m, 0, &phv, &a);
    assert_true(a.out_of_bounds && !a.resolved);
  }
  sluice_model_set_sets(m, 1);
  assert_true(sluice_model_same_set(m, 0, 1) && sluice_model_same_set(m, 3, 2));
  assert_false(sluice_model_same_set(m, 1, 2));
  access(m, 0, 1, 1, 1, index);  // a pinned one is where it is
  struct sluice_model_phv phv = {.vid = 1};
  struct sluice_model_access a = {0};
  model_resolve(m, 0, &phv, &a);
  assert_int_equal(a.pipe, 1);
}

// ACCESS is written while a packet is between the order point and the stage: what was resolved is
// of another kind than the entry, so there is no access, and nothing is written anywhere.
TEST(an_access_keeps_its_kind) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
  struct entry store = {{0}};
  entry_slot(&store, 16, SLUICE_OP_STORE << SLUICE_INSTR_OP_LSB | 1u << 16 | 2u << 11);
  match_all(m, 0, 1, 0, &store);
  segment(m, 0, 1, 0, 8);
  const unsigned index = SLUICE_TYPE_B4 << SLUICE_OPERAND_KIND_LSB | 2;
  for (int was = 0; was < 2; was++)
    for (int is = 0; is < 2; is++) {
      struct sluice_model_phv phv = {.vid = 1, .b4 = {0, 77, 5}};
      struct sluice_model_access a = {0};
      access(m, 0, 1, was, 0, index);
      model_resolve(m, 0, &phv, &a);
      assert_true(a.resolved && a.pinned == was);
      access(m, 0, 1, is, 0, index);
      model_stage_back(m, 0, &phv, &a, NULL);
      assert_true(a.executed && a.refused == (was != is));
      // Index 5: slot 5 of pipeline 0, or slot 2 of pipeline 1.
      struct model_pair *pinned = model_slot(m, 0, 0, 5), *sharded = model_slot(m, 0, 1, 2);
      assert_int_equal(pinned->s1, was && is ? 77 : 0);
      assert_int_equal(sharded->s1, !was && !is ? 77 : 0);
      pinned->s1 = sharded->s1 = 0;
      for (uint32_t slot = 0; slot < 128; slot++)
        for (unsigned pipe = 0; pipe < 2; pipe++)
          assert_int_equal(model_slot(m, 0, pipe, slot)->s1, 0);
    }
}

TEST(reads_are_answered) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("k4");
  static struct sluice_model_answer answer;
  struct entry e[3] = {{{0}}};
  for (unsigned i = 0; i < 3; i++) entry_slot(&e[i], 24, 0x1000000 + i);
  struct control c = {.table = SLUICE_TABLE_ACTION, .stage = 9, .index = 4};
  assert_true(control(m, c, e, 3, NULL));
  c.op = SLUICE_CHAIN_READ, c.count = 2, c.index = 5, c.copy = 3, c.serial = 0xbeef;
  assert_true(control(m, c, NULL, 0, &answer));
  FIELDS_ARE(&answer, (len, 64 + 2 * 128), (bytes[53], SLUICE_CHAIN_ANSWER), (bytes[58], 0xbe));
  assert_memory_equal(answer.bytes + 64, e[1].bytes, 79);
  assert_memory_equal(answer.bytes + 192, e[2].bytes, 79);
  assert_int_equal(sluice_model_answer_compare(&answer, answer.bytes, answer.len), -1);
  uint8_t other[320];
  memcpy(other, answer.bytes, 320);
  other[193] ^= 1, other[0] ^= 1;
  assert_int_equal(sluice_model_answer_compare(&answer, other, 320), 193);
  assert_int_equal(sluice_model_answer_compare(&answer, answer.bytes, 200), 200);
  c.copy = 4;
  assert_false(control(m, c, NULL, 0, &answer));
  FIELDS_ARE(&answer, (len, 64), (bytes[53], SLUICE_CHAIN_REFUSED));
  // Granules: 8192 entries, 32 each.
  struct entry s = ENTRY_OF(SEGMENT16, (RANGE, 3), (BASE, 12));
  put(m, SLUICE_TABLE_SEGMENT16, 2, ROW, &s);
  assert_int_equal(sluice_model_state_range(m, ROW, 2), 96);
  c = (struct control){
      .table = SLUICE_TABLE_SEGMENT16, .op = SLUICE_CHAIN_READ, .stage = 2, .index = ROW};
  assert_true(control(m, c, NULL, 0, &answer));
  FIELDS_ARE(&answer, (bytes[64], 3), (bytes[65], 12));
  c.table = SLUICE_TABLE_FILL;
  assert_false(control(m, c, NULL, 0, &answer));
  c = (struct control){.table = SLUICE_TABLE_KEY_MASK, .op = SLUICE_CHAIN_READ, .index = 30};
  c.count = 2;
  assert_true(control(m, c, NULL, 0, &answer));
  c.count = 3;  // leaves the table
  assert_false(control(m, c, NULL, 0, &answer));
  assert_int_equal(answer.len, 64);
  c = (struct control){.table = SLUICE_TABLE_PORT_MASK, .op = SLUICE_CHAIN_READ, .count = 128};
  assert_true(control(m, c, NULL, 0, &answer));
  assert_int_equal(answer.bytes[64 + 15 * 64 + 6], 0x80);  // row 15 is port 15, the last one
  assert_int_equal(answer.bytes[64 + 16 * 64 + 5], 0);
  c.count = 129;
  assert_false(control(m, c, NULL, 0, &answer));
  c = (struct control){.table = SLUICE_TABLE_MODULE_PORTS, .op = SLUICE_CHAIN_READ, .index = 31};
  assert_true(control(m, c, NULL, 0, &answer));
  assert_int_equal(answer.bytes[64 + 6], 0xff);  // ports 15 to 8: all that there are
  assert_int_equal(answer.bytes[64 + 5], 0);
}

// Of the first 64 bytes of an answer those that mark a reconfiguration packet, and its fields, are
// defined (docs/machine.md, Configuration): 802.1Q tag without its TCI, IPv4 and UDP with port
// 0xf1f2, bytes 46 to 48 and 53 to 59.
TEST(every_byte_of_an_answer_that_is_defined_counts) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("k4");
  static struct sluice_model_answer answer;
  const struct control c = {.table = SLUICE_TABLE_KEY_MASK, .op = SLUICE_CHAIN_READ, .index = 3};
  assert_true(control(m, c, NULL, 0, &answer));
  for (unsigned at = 0; at < 64; at++) {
    const bool defined = at == 12 || at == 13 || at == 16 || at == 17 || at == 27 || at == 40 ||
                         at == 41 || (at >= 46 && at <= 48) || (at >= 53 && at <= 59);
    uint8_t other[128];
    memcpy(other, answer.bytes, sizeof other);
    other[at] ^= 1;
    assert_int_equal(sluice_model_answer_compare(&answer, other, answer.len),
                     defined ? (long)at : -1);
  }
  // Too short, within them and behind; too long.
  assert_int_equal(sluice_model_answer_compare(&answer, answer.bytes, 57), 57);
  assert_int_equal(sluice_model_answer_compare(&answer, answer.bytes, 64), 64);
  assert_int_equal(sluice_model_answer_compare(&answer, answer.bytes, answer.len + 1),
                   (long)answer.len);
}

// A chip without hash units and checksums takes a hash instruction and options for checksums, and
// keeps nothing of them.
TEST(hashes_and_checksums_are_kept_where_there_are_units) {
  static struct sluice_model_answer answer;
  static const char *const chips[] = {"tiny", "ulx3s"};
  static const enum sluice_table tables[] = {SLUICE_TABLE_HASH_INSTR, SLUICE_TABLE_DEPARSE_OPT};
  struct entry ones;
  memset(&ones, 0xff, sizeof ones);
  for (unsigned i = 0; i < 4; i++) {
    struct sluice_model *m CLOSED_BY(close_model) = open_model(chips[i % 2]);
    struct control c = {.table = tables[i / 2], .stage = sluice_model_config(m)->BackStages};
    assert_true(control(m, c, &ones, 1, NULL));
    c.op = SLUICE_CHAIN_READ;
    assert_true(control(m, c, NULL, 0, &answer));
    for (unsigned b = 0; b < sluice_tables[c.table].bits / 8; b++)
      assert_int_equal(answer.bytes[64 + b], i % 2 == 0 ? 0xff : 0);
  }
}

TEST(bad_control_packets_are_refused) {
  struct sluice_model *m CLOSED_BY(close_model) =
      open_model("tiny");  // two back stages, one front stage, 8 match rows
  struct entry e[3] = {{{0}}};
  const struct control bad[] = {
      {.table = SLUICE_TABLE_MATCH, .stage = 3},
      {.table = SLUICE_TABLE_SEGMENT, .stage = 2},
      {.table = SLUICE_TABLE_HASH_INSTR, .stage = 1},
      {.table = SLUICE_TABLE_MATCH, .stage = 0, .index = 8},
      {.table = SLUICE_TABLE_PARSER, .index = 32},
      {.table = SLUICE_TABLE_PARSER, .index = 256},
      {.table = SLUICE_TABLE_SEGMENT16, .index = 32},
      {.table = SLUICE_TABLE_ACTION, .op = SLUICE_CHAIN_ERASE},
      {.table = SLUICE_TABLE_FILL, .row = 32},
      {.table = SLUICE_TABLE_PARSER, .op = SLUICE_CHAIN_ANSWER},
  };
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_false(control(m, bad[i], e, 1, NULL));
  uint8_t frame[400];
  const struct control good = {.table = SLUICE_TABLE_PARSER};
  size_t len = control_frame(frame, good, e, 1);
  assert_true(sluice_model_control(m, frame, len, NULL));
  assert_false(sluice_model_control(m, frame, len - 1, NULL));  // no whole entry
  assert_false(sluice_model_control(m, frame, 63, NULL));
  static const unsigned marks[] = {12, 16, 27, 40, 41};
  for (unsigned i = 0; i < 5; i++) {
    control_frame(frame, good, e, 1);
    frame[marks[i]] ^= 0x40;
    assert_false(sluice_model_control(m, frame, len, NULL));
  }
  // Sub-table numbers: any for the parser, any but 0 for the key mask, none for resource 7.
  control_frame(frame, good, e, 1);
  frame[47] = 9;
  assert_true(sluice_model_control(m, frame, len, NULL));
  frame[46] = 7;
  assert_false(sluice_model_control(m, frame, len, NULL));
  frame[46] = 4, frame[47] = 5;
  assert_false(sluice_model_control(m, frame, len, NULL));
  // A last entry that is too short is not written.
  e[1].bytes[0] = 0xff;
  len = control_frame(frame, good, e, 2);
  assert_true(sluice_model_control(m, frame, len - 1, NULL));
  assert_int_equal(model_bits(model_entry(m, SLUICE_TABLE_PARSER, 0, 1), 159, 152), 0);
  assert_true(sluice_model_control(m, frame, len, NULL));
  assert_int_equal(model_bits(model_entry(m, SLUICE_TABLE_PARSER, 0, 1), 159, 152), 0xff);
}

// `small`: two back stages, of which the first holds state, and no front stage.
TEST(stages_without_state_have_no_tables_of_state) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("small");
  static struct sluice_model_answer answer;
  struct entry e = {{[20] = 0xff, [21] = 0xff}};  // a segment, if it were read in the place of one
  static const enum sluice_table tables[] = {SLUICE_TABLE_SEGMENT, SLUICE_TABLE_SEGMENT16,
                                             SLUICE_TABLE_ACCESS,  SLUICE_TABLE_STATE_INSTR,
                                             SLUICE_TABLE_STATE,   SLUICE_TABLE_FILL};
  segment(m, 0, 1, 0, 4);
  for (unsigned i = 0; i < sizeof tables / sizeof tables[0]; i++)
    for (unsigned stage = 0; stage < 4; stage++) {
      struct control c = {.table = tables[i], .stage = stage, .row = 1};
      const bool there = stage == 0;
      assert_int_equal(control(m, c, &e, 1, NULL), there);
      segment(m, 0, 1, 0, 4);  // whatever was written
      c.op = SLUICE_CHAIN_READ;
      assert_int_equal(control(m, c, NULL, 0, &answer), there && tables[i] != SLUICE_TABLE_FILL);
      if (there) continue;
      FIELDS_ARE(&answer, (len, 64), (bytes[53], SLUICE_CHAIN_REFUSED));
    }
  for (unsigned stage = 0; stage < 4; stage++) {
    assert_false(control(m, (struct control){.table = SLUICE_TABLE_HASH_INSTR, .stage = stage}, &e,
                         1, NULL));
    assert_int_equal(
        control(m, (struct control){.table = SLUICE_TABLE_MATCH, .stage = stage}, &e, 1, NULL),
        stage < 2);
  }
  uint32_t s1, s2;
  put(m, SLUICE_TABLE_STATE_INSTR, 0, 0, &e);  // stands behind SEGMENT
  assert_true(sluice_model_state(m, 1, 0, 3, &s1, &s2));
  assert_false(sluice_model_state(m, 1, 1, 3, &s1, &s2));
  assert_int_equal(sluice_model_state_range(m, 1, 0), 4);
  assert_int_equal(sluice_model_state_range(m, 1, 1), 0);
}

// What a READ of one entry gives, as a number of 64 bits from bit `lsb` on.
static uint64_t read_back(struct sluice_model *m, struct control c, unsigned width, unsigned lsb) {
  static struct sluice_model_answer answer;
  c.op = SLUICE_CHAIN_READ;
  assert_true(control(m, c, NULL, 0, &answer));
  uint64_t value = 0;
  for (unsigned b = lsb + 64; b-- > lsb;) {
    const unsigned at = width - 1 - b;
    value = value << 1 | (b < width ? answer.bytes[64 + at / 8] >> (7 - at % 8) & 1 : 0);
  }
  return value;
}

// Key masks and match entries keep a part for the first container of a size if the chip has one,
// for the second one if it has two.
TEST(keys_keep_containers_that_can_be) {
  static const struct {
    unsigned msb, lsb;
    // second ones of 6, 4 and 2 bytes, both of 6
  } gone[4] = {{144, 97}, {64, 33}, {16, 1}, {192, 97}};
  // bits 0 to 2: one container of that size, not two; bit 3: none of 6 bytes
  for (unsigned few = 0; few < 16; few++) {
    struct sluice_config config = *sluice_config_find("tiny");
    config.Num6B = few & 8 ? 0 : few & 1 ? 1 : 2;
    config.Num4B = few & 2 ? 1 : 2;
    config.Num2B = few & 4 ? 1 : 2;
    struct sluice_model *m CLOSED_BY(close_model) = with_modules(sluice_model_open(&config));
    assert_non_null(m);
    static const enum sluice_table tables[] = {SLUICE_TABLE_KEY_EXTRACT, SLUICE_TABLE_KEY_MASK,
                                               SLUICE_TABLE_MATCH};
    for (unsigned t = 0; t < 3; t++) {
      const unsigned width = sluice_tables[tables[t]].bits;
      struct entry e;
      memset(&e, 0xff, sizeof e);
      put(m, tables[t], 2, 1, &e);
      for (unsigned bit = 0; bit < width; bit++) {
        bool kept = true;
        for (unsigned i = 0; i < 4 && t; i++)
          kept &= !(few >> i & 1 && bit >= gone[i].lsb && bit <= gone[i].msb);
        assert_int_equal(
            read_back(m, (struct control){.table = tables[t], .stage = 2, .index = 1}, width, bit) &
                1,
            kept);
      }
    }
  }
}

// One word an entry: of a state instruction the first predicate, the first words, the constants,
// and whether predicates 2 to 4 hold always.
TEST(state_of_one_word_keeps_one_word) {
  struct sluice_config config = *sluice_config_find("k4");
  config.SharedSums = 1;
  config.StatePairs = 0;
  for (unsigned pairs = 0; pairs < 2; pairs++) {
    struct sluice_model *m CLOSED_BY(close_model) =
        pairs ? open_model("k4") : with_modules(sluice_model_open(&config));
    assert_non_null(m);
    struct control c = {.table = SLUICE_TABLE_STATE_INSTR, .index = 2};
    for (unsigned rel = 0; rel < 8; rel++) {
      struct entry e;
      memset(&e, 0xff, sizeof e);
      for (unsigned i = 0; i < 4; i++) entry_set(&e, 256, 230 - 11 * i, 228 - 11 * i, rel);
      put(m, SLUICE_TABLE_STATE_INSTR, 0, 2, &e);
      const uint64_t pred = 0x7c7u | rel << 3;
      const uint64_t kept =
          pairs ? pred
                : (uint64_t)(rel == SLUICE_REL_TRUE ? SLUICE_REL_TRUE : SLUICE_REL_FALSE) << 3;
      // VALID, RESERVED, P1, P2 and predicate 1; predicates 2, 3 and 4.
      assert_true(read_back(m, c, 256, 192) ==
                  (UINT64_C(0xfffff) << 44 | pred << 33 | kept << 22 | kept << 11 | kept));
      assert_true(read_back(m, c, 256, 128) == (pairs ? UINT64_MAX : UINT64_C(0xff00ff00ff00ff00)));
      assert_true(read_back(m, c, 256, 64) == UINT64_MAX && read_back(m, c, 256, 0) == UINT64_MAX);
    }
    c.index = 3;  // never written
    for (unsigned lsb = 0; lsb < 256; lsb += 64) assert_true(read_back(m, c, 256, lsb) == 0);

    struct entry value = ENTRY_OF(STATE_ENTRY, (S1, 11), (S2, 22));
    segment(m, 0, ROW, 10, 7);
    struct control s = {.table = SLUICE_TABLE_STATE, .row = ROW, .index = 6};
    const uint64_t one = UINT64_C(11) << 32, both = one | (pairs ? 22 : 0);
    assert_true(control(m, s, &value, 1, NULL));
    assert_true(read_back(m, s, 64, 0) == both);
    s.index = 0;
    assert_true(read_back(m, s, 64, 0) == 0);
    s.table = SLUICE_TABLE_FILL;
    assert_true(control(m, s, &value, 1, NULL));
    s.table = SLUICE_TABLE_STATE;
    assert_true(read_back(m, s, 64, 0) == both);
  }
}

// A configuration that is legal (`why` NULL), or is refused, by the model as well, with these
// words.
static void check_config(const struct sluice_config *config, const char *why) {
  char said[200] = "";
  assert_int_equal(sluice_config_check(config, said, sizeof said), why ? -1 : 0);
  if (why) assert_non_null(strstr(said, why));
  struct sluice_model *m CLOSED_BY(close_model) = sluice_model_open(config);
  assert_int_equal(m != NULL, !why);
}

TEST(state_units_and_moves_that_cannot_be_are_refused) {
  static const struct {
    unsigned relocations, pairs, sums;
    const char *why;
  } shapes[] = {{0, 1, 0, NULL},
                {4, 1, 1, NULL},
                {0, 0, 1, NULL},
                {128, 0, 1, NULL},
                {2, 1, 0, "Relocations is 2; it must be 0 or a power of two, 4 to 128"},
                {1, 0, 1, "Relocations is 1; it must be 0 or a power of two, 4 to 128"},
                {6, 1, 0, "Relocations is 6; it must be 0 or a power of two"},
                {8, 0, 0, NULL}};
  for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    struct sluice_config config = *sluice_config_find("tiny");
    config.Relocations = shapes[i].relocations;
    config.StatePairs = shapes[i].pairs;
    config.SharedSums = shapes[i].sums;
    check_config(&config, shapes[i].why);
  }
}

TEST(beats_that_cannot_be_are_refused) {
  static const struct {
    unsigned beat, header, ids;
    const char *why;
  } shapes[] = {{64, 128, 0, NULL},
                {64, 128, 16, NULL},
                {16, 64, 0, NULL},
                {16, 64, 16, "BeatBytes must be 64, or 16 with a port a lane and with ActiveIds"},
                {32, 128, 0, "BeatBytes must be 64, or 16 with"},
                {48, 128, 0, "BeatBytes is 48; it must be a power of two"},
                {8, 128, 0, "BeatBytes is 8; it must be a power of two, 16 to 64"},
                {128, 128, 0, "BeatBytes is 128; it must be a power of two, 16 to 64"}};
  for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    struct sluice_config config = *sluice_config_find("tiny");
    config.BeatBytes = shapes[i].beat;
    config.ActiveIds = shapes[i].ids;
    sluice_config_follow(&config);
    if (!shapes[i].why) assert_int_equal(config.HeaderBytes, shapes[i].header);
    check_config(&config, shapes[i].why);
  }
}

TEST(shapes_that_cannot_be_are_refused) {
  static const struct {
    unsigned front, back, state;
    bool good;
  } shapes[] = {{0, 2, 2, true},  {0, 1, 1, true},  {1, 2, 1, true},
                {1, 2, 3, false}, {1, 2, 0, false}, {1, 0, 0, false}};
  for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    struct sluice_config config = *sluice_config_find("tiny");
    config.FrontStages = shapes[i].front;
    config.BackStages = shapes[i].back;
    config.StateStages = shapes[i].state;
    struct sluice_model *m CLOSED_BY(close_model) = sluice_model_open(&config);
    assert_int_equal(m != NULL, shapes[i].good);
  }
}

// A packet of VLAN ROW through the model.
static struct sluice_model_result pass(struct sluice_model *m, const uint8_t *frame) {
  const struct sluice_model_packet packet = {.bytes = frame, .len = 64};
  struct sluice_model_phv phv;
  struct sluice_model_result result;
  assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
  sluice_model_admit(m, &packet, &phv, &result);
  return result;
}

// The model decodes tables once and keeps that: whatever a packet finds decoded must be what the
// tables say now.
TEST(a_write_between_two_packets_counts_for_the_second) {
  // TO and SUM are in the IPv4 header
  enum { FROM = 50, OTHER = 54, TO = 34, ELSEWHERE = 30, SUM = 28 };
  struct sluice_model *m CLOSED_BY(close_model) = open_model("k4");
  uint8_t frame[64];
  data_frame(frame, sizeof frame, ROW, 1);
  struct entry parser = {{0}}, deparser = {{0}}, options = {{0}}, module = {{0}}, enabled = {{0}};
  assert_int_equal(model_get16(pass(m, frame).header + TO), model_get16(frame + TO));

  entry_action(&parser, 0, parse_action(0, FROM, B2, 0));
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &parser);
  pass(m, frame);
  entry_action(&deparser, 0, parse_action(0, ELSEWHERE, B2, 0));
  put(m, SLUICE_TABLE_DEPARSER, 0, ROW, &deparser);
  assert_int_equal(model_get16(pass(m, frame).header + ELSEWHERE), model_get16(frame + FROM));
  entry_action(&deparser, 0, parse_action(0, TO, B2, 0));
  put(m, SLUICE_TABLE_DEPARSER, 0, ROW, &deparser);
  assert_int_equal(model_get16(pass(m, frame).header + TO), model_get16(frame + FROM));
  assert_int_equal(model_get16(pass(m, frame).header + ELSEWHERE), model_get16(frame + ELSEWHERE));
  entry_action(&parser, 0, parse_action(0, OTHER, B2, 0));
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &parser);
  assert_int_equal(model_get16(pass(m, frame).header + TO), model_get16(frame + OTHER));

  assert_int_equal(model_get16(pass(m, frame).header + SUM), model_get16(frame + SUM));
  SET(&options, DEPARSE_OPT, IP_CHECKSUM, 1);
  put(m, SLUICE_TABLE_DEPARSE_OPT, 0, ROW, &options);
  assert_int_not_equal(model_get16(pass(m, frame).header + SUM), model_get16(frame + SUM));

  SETS(&module, MODULE, (VALID, 1), (VID, ROW));
  for (unsigned port = 0; port < 2; port++) {
    SET(&module, MODULE, DEST, port);
    if (m->config.NumPorts <= 8) SET(&module, MODULE, DEST, 1u << port);
    put(m, SLUICE_TABLE_MODULE, 0, ROW, &module);
    assert_int_equal(pass(m, frame).ports, UINT64_C(1) << port);
  }

  // Front and back stages: match rows come, change and go.
  const unsigned stages[2] = {0, m->config.BackStages};
  for (unsigned i = 0; i < 2; i++) {
    const unsigned stage = stages[i];
    struct entry action = {{0}}, mask, match = {{0}}, extract = {{0}};
    entry_slot(&action, 1, instr_imm(SLUICE_OP_SET, 0, 0x1234));
    match_all(m, stage, ROW, 3, &action);
    assert_int_equal(model_get16(pass(m, frame).header + TO), 0x1234);
    entry_slot(&action, 1, instr_imm(SLUICE_OP_SET, 0, 0x4321));
    put(m, SLUICE_TABLE_ACTION, stage, 3, &action);
    assert_int_equal(model_get16(pass(m, frame).header + TO), 0x4321);
    // The comparator's bit joins the key: row 3 wants 0, and the constant 1 is not; then it
    // wants 1.
    SET(&extract, KEY_EXTRACT, CMP_OP, SLUICE_CMP_ONE);
    put(m, SLUICE_TABLE_KEY_EXTRACT, stage, ROW, &extract);
    assert_int_equal(model_get16(pass(m, frame).header + TO), 0x4321);
    memset(&mask, 0xff, sizeof mask);
    SET(&mask, KEY, PREDICATE, 0);
    put(m, SLUICE_TABLE_KEY_MASK, stage, ROW, &mask);
    assert_int_equal(model_get16(pass(m, frame).header + TO), model_get16(frame + OTHER));
    SET(&match, MATCH, VID, ROW);
    entry_set(&match, SLUICE_MATCH_BITS, SLUICE_KEY_PREDICATE_LSB, SLUICE_KEY_PREDICATE_LSB, 1);
    put(m, SLUICE_TABLE_MATCH, stage, 3, &match);
    assert_int_equal(model_get16(pass(m, frame).header + TO), 0x4321);
    SET(&extract, KEY_EXTRACT, CMP_OP, SLUICE_CMP_GT);  // container 0 is not greater than itself
    put(m, SLUICE_TABLE_KEY_EXTRACT, stage, ROW, &extract);
    assert_int_equal(model_get16(pass(m, frame).header + TO), model_get16(frame + OTHER));
    SET(&extract, KEY_EXTRACT, CMP_OP, SLUICE_CMP_GE);
    put(m, SLUICE_TABLE_KEY_EXTRACT, stage, ROW, &extract);
    assert_int_equal(model_get16(pass(m, frame).header + TO), 0x4321);
    assert_true(control(
        m,
        (struct control){
            .table = SLUICE_TABLE_MATCH, .op = SLUICE_CHAIN_ERASE, .stage = stage, .index = 3},
        NULL, 0, NULL));
    assert_int_equal(model_get16(pass(m, frame).header + TO), model_get16(frame + OTHER));
  }

  segment(m, 0, ROW, 0, 8);
  assert_false(pass(m, frame).access[0].resolved);
  access(m, 0, ROW, 0, 0, operand(K, 3));
  assert_true(pass(m, frame).access[0].resolved);
  put(m, SLUICE_TABLE_ACCESS, 0, ROW, &enabled);
  assert_false(pass(m, frame).access[0].resolved);
}
