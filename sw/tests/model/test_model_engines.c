// SPDX-License-Identifier: Apache-2.0
// The reference model's match engines, default actions and data words: each sentence of
// docs/machine.md, Match engines. Shape `tables`: stages 0 and 1 are back stages, 2 is the front
// stage; ternary in 0 and 2, cuckoo in 1 and 2.
#include "tests/rig/test.h"
#include "base/cuckoo.h"
#include "driver/wire/wire.h"
#include "tests/rig/model_rig.h"

enum { BACK_TERNARY = 0, BACK_CUCKOO = 1, FRONT = 2, KEY_BIT = SLUICE_KEY_B2_FIRST_LSB };

// The key of the packets' row is 2B[0] alone, so 16 bits from KEY_BIT on.
static struct sluice_model *open_tables(unsigned stage) {
  struct sluice_model *m = open_model("tables");
  struct entry mask, extract = {{0}};
  memset(&mask, 0xff, sizeof mask);
  sluice_entry_set(mask.bytes, SLUICE_KEY_BITS, KEY_BIT + 15, KEY_BIT, 0);
  put(m, SLUICE_TABLE_KEY_MASK, stage, ROW, &mask);
  put(m, SLUICE_TABLE_KEY_EXTRACT, stage, ROW, &extract);
  put(m, SLUICE_TABLE_KEY_MASK, stage, 32 + ROW, &mask);
  put(m, SLUICE_TABLE_KEY_EXTRACT, stage, 32 + ROW, &extract);
  return m;
}

// ACTION row `row` sets 4B[0] to `value`.
static void action_sets(struct sluice_model *m, unsigned stage, unsigned row, unsigned value) {
  struct entry action = {{0}};
  entry_slot(&action, 9, instr_imm(SLUICE_OP_SET, 0, value));
  put(m, SLUICE_TABLE_ACTION, stage, row, &action);
}

struct ternary {
  unsigned key, care, action, not_bank, vid;
  bool off;
};
static void put_ternary(struct sluice_model *m, unsigned stage, unsigned index, struct ternary t) {
  struct entry e = ENTRY_OF(TERNARY, (VALID, !t.off), (NOT_BANK, t.not_bank), (ACTION, t.action),
                            (VID, t.vid ? t.vid : ROW));
  sluice_entry_set(e.bytes, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB + KEY_BIT + 15,
                   SLUICE_TERNARY_KEY_LSB + KEY_BIT, t.key);
  sluice_entry_set(e.bytes, SLUICE_TERNARY_BITS, SLUICE_TERNARY_CARE_LSB + KEY_BIT + 15,
                   SLUICE_TERNARY_CARE_LSB + KEY_BIT, t.care);
  for (unsigned w = 0; w < 4; w++)
    sluice_entry_set(e.bytes, SLUICE_TERNARY_BITS, 127 - 32 * w, 96 - 32 * w,
                     0x11110000u * w + t.key);
  put(m, SLUICE_TABLE_TERNARY, stage, index, &e);
}

static unsigned cuckoo_index(unsigned key, unsigned way) {
  uint64_t bits[4] = {(uint64_t)key << KEY_BIT};
  return sluice_cuckoo_entry(sluice_cuckoo_hash(ROW, bits), way, 256);
}
static void put_cuckoo(struct sluice_model *m, unsigned stage, unsigned index, struct ternary t) {
  struct entry e = ENTRY_OF(CUCKOO, (VALID, !t.off), (NOT_BANK, t.not_bank), (ACTION, t.action),
                            (VID, t.vid ? t.vid : ROW));
  sluice_entry_set(e.bytes, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB + KEY_BIT + 15,
                   SLUICE_CUCKOO_KEY_LSB + KEY_BIT, t.key);
  put(m, SLUICE_TABLE_CUCKOO, stage, index, &e);
}

// What a packet with this key has in 4B[0] behind the stage; 999: nothing was done.
static unsigned seen(struct sluice_model *m, unsigned stage, unsigned key, unsigned bank,
                     bool *hit) {
  struct sluice_model_phv phv = {.vid = ROW, .bank = (uint8_t)bank};
  struct sluice_model_access access = {0};
  phv.b2[0] = (uint16_t)key, phv.b4[0] = 999;
  if (stage == FRONT) model_stage_front(m, stage, &phv);
  else model_stage_back(m, stage, &phv, &access, NULL);
  if (hit) *hit = access.hit;
  return phv.b4[0];
}

TEST(the_hash_is_the_one_of_the_page) {
  assert_true(sluice_crc64((const uint8_t *)"123456789", 9) == UINT64_C(0x6c40df5f0b497347));
  // The same as the remainder of a division of polynomials, bit by bit over the 208 bits.
  uint64_t seed = 7;
  for (unsigned n = 0; n < 200; n++) {
    uint64_t key[4];
    for (unsigned w = 0; w < 4; w++)
      key[w] = (uint64_t)test_random(&seed) << 32 | test_random(&seed);
    const unsigned vid = test_random(&seed) & 255u;
    uint8_t rest[208 + 64] = {0};  // coefficients, highest first
    for (unsigned b = 0; b < 8; b++) rest[7 + b] = vid >> (7 - b) & 1;
    for (unsigned b = 0; b < 193; b++) rest[15 + b] = key[(192 - b) / 64] >> (192 - b) % 64 & 1;
    for (unsigned at = 0; at < 208; at++) {
      if (!rest[at]) continue;
      rest[at] = 0;
      for (unsigned b = 0; b < 64; b++)
        rest[at + 1 + b] ^= (uint8_t)(UINT64_C(0x42f0e1eba9ea3693) >> (63 - b) & 1);
    }
    uint64_t h = 0;
    for (unsigned b = 0; b < 64; b++) h = h << 1 | rest[208 + b];
    uint64_t mixed = 0;
    for (unsigned b = 0; b < 64; b++) {
      const uint64_t one = h >> (b + 64 - 21) % 64 & 1, other = h >> (b + 64 - 42) % 64 & 1;
      mixed |= ((h >> b & 1) ^ ((one ^ 1) & other)) << b;
    }
    assert_true(sluice_cuckoo_hash(vid, key) == mixed);
  }
  assert_int_equal(sluice_cuckoo_entry(UINT64_C(0x0041000000000000), 3, 256), 3 * 64 + 1);
}

TEST(ternary_entries_match_under_care_and_the_lowest_wins) {
  for (unsigned stage = 0; stage <= FRONT; stage += FRONT) {
    struct sluice_model *m CLOSED_BY(close_model) = open_tables(stage);
    for (unsigned row = 0; row < 12; row++) action_sets(m, stage, row, row);
    put_ternary(m, stage, 9, (struct ternary){.key = 0x1200, .care = 0xff00, .action = 9});
    put_ternary(m, stage, 3, (struct ternary){.key = 0x1234, .care = 0xffff, .action = 3});
    assert_int_equal(seen(m, stage, 0x1234, 0, NULL), 3);
    assert_int_equal(seen(m, stage, 0x1235, 0, NULL), 9);
    assert_int_equal(seen(m, stage, 0x1335, 0, NULL), 999);
    // Lower, and wider.
    put_ternary(m, stage, 2, (struct ternary){.key = 0x1000, .care = 0xf000, .action = 10});
    assert_int_equal(seen(m, stage, 0x1234, 0, NULL), 10);
    // Not in use; of another module; not for this bank.
    put_ternary(m, stage, 2,
                (struct ternary){.key = 0x1000, .care = 0xf000, .action = 10, .off = true});
    assert_int_equal(seen(m, stage, 0x1234, 0, NULL), 3);
    put_ternary(m, stage, 3,
                (struct ternary){.key = 0x1234, .care = 0xffff, .action = 3, .vid = ROW + 32});
    assert_int_equal(seen(m, stage, 0x1234, 0, NULL), 9);
    put_ternary(m, stage, 3,
                (struct ternary){.key = 0x1234, .care = 0xffff, .action = 3, .not_bank = 1});
    assert_int_equal(seen(m, stage, 0x1234, 0, NULL), 9);
    assert_int_equal(seen(m, stage, 0x1234, 1, NULL), 3);
  }
}

TEST(cuckoo_entries_are_found_in_their_buckets_alone) {
  for (unsigned stage = 1; stage <= FRONT; stage++) {
    struct sluice_model *m CLOSED_BY(close_model) = open_tables(stage);
    for (unsigned row = 0; row < 12; row++) action_sets(m, stage, row, row);
    for (unsigned way = 0; way < 4; way++) {
      const unsigned index = cuckoo_index(0x4711, way), next = way * 64 + (index + 1) % 64;
      assert_int_equal(index / 64, way);
      put_cuckoo(m, stage, index, (struct ternary){.key = 0x4711, .action = 4 + way});
      assert_int_equal(seen(m, stage, 0x4711, 0, NULL), 4 + way);
      assert_int_equal(seen(m, stage, 0x4710, 0, NULL), 999);
      put_cuckoo(m, stage, index, (struct ternary){.off = true});
      put_cuckoo(m, stage, next, (struct ternary){.key = 0x4711, .action = 4});
      assert_int_equal(seen(m, stage, 0x4711, 0, NULL), 999);
      put_cuckoo(m, stage, next, (struct ternary){.off = true});
    }
    // At two ways: the lower one. Of another module, and not for the bank: as if not there.
    put_cuckoo(m, stage, cuckoo_index(9, 3), (struct ternary){.key = 9, .action = 7});
    put_cuckoo(m, stage, cuckoo_index(9, 1), (struct ternary){.key = 9, .action = 5});
    assert_int_equal(seen(m, stage, 9, 0, NULL), 5);
    put_cuckoo(m, stage, cuckoo_index(9, 1),
               (struct ternary){.key = 9, .action = 5, .vid = ROW + 32});
    assert_int_equal(seen(m, stage, 9, 0, NULL), 7);
    put_cuckoo(m, stage, cuckoo_index(9, 1),
               (struct ternary){.key = 9, .action = 5, .not_bank = 2});
    assert_int_equal(seen(m, stage, 9, 0, NULL), 5);
    assert_int_equal(seen(m, stage, 9, 1, NULL), 7);
  }
}

TEST(exact_rows_come_first_and_the_default_action_last) {
  struct sluice_model *m CLOSED_BY(close_model) = open_tables(FRONT);
  bool hit;
  for (unsigned row = 0; row < 64; row++) action_sets(m, FRONT, row, row);
  struct entry e = ENTRY_OF(DEFAULT_ACTION, (VALID, 1), (ACTION, 63));
  put(m, SLUICE_TABLE_DEFAULT_ACTION, FRONT, ROW, &e);
  assert_int_equal(seen(m, FRONT, 5, 0, NULL), 63);
  assert_int_equal(seen(m, FRONT, 5, 1, NULL), 999);  // the other bank has none
  put_cuckoo(m, FRONT, cuckoo_index(5, 0), (struct ternary){.key = 5, .action = 20});
  assert_int_equal(seen(m, FRONT, 5, 0, NULL), 20);
  put_ternary(m, FRONT, 15, (struct ternary){.key = 0, .care = 0, .action = 30});
  assert_int_equal(seen(m, FRONT, 5, 0, NULL), 30);
  struct entry match = ENTRY_OF(MATCH, (VID, ROW));
  sluice_entry_set(match.bytes, SLUICE_MATCH_BITS, KEY_BIT + 15, KEY_BIT, 5);
  put(m, SLUICE_TABLE_MATCH, FRONT, 7, &match);
  assert_int_equal(seen(m, FRONT, 5, 0, NULL), 7);
  sluice_model_close(m);
  // A default action is no hit.
  m = open_tables(BACK_TERNARY);
  action_sets(m, BACK_TERNARY, 40, 40);
  SET(&e, DEFAULT_ACTION, ACTION, 40);
  put(m, SLUICE_TABLE_DEFAULT_ACTION, BACK_TERNARY, ROW, &e);
  assert_int_equal(seen(m, BACK_TERNARY, 5, 0, &hit), 40);
  assert_false(hit);
  put_ternary(m, BACK_TERNARY, 0, (struct ternary){.action = 40});
  assert_int_equal(seen(m, BACK_TERNARY, 5, 0, &hit), 40);
  assert_true(hit);
  SET(&e, DEFAULT_ACTION, VALID, 0);
  put(m, SLUICE_TABLE_DEFAULT_ACTION, BACK_TERNARY, ROW, &e);
  put_ternary(m, BACK_TERNARY, 0, (struct ternary){.off = true});
  assert_int_equal(seen(m, BACK_TERNARY, 5, 0, &hit), 999);
}

static uint32_t func_data(unsigned f, unsigned a, unsigned b) {
  return instr(SLUICE_OP_FUNC, a, b) | f << SLUICE_INSTR_FUNC_F_LSB | 1;
}

TEST(operands_name_data_words) {
  struct sluice_model *m CLOSED_BY(close_model) = open_tables(FRONT);
  struct entry action = {{0}}, data = {{0}};
  const uint32_t words[4] = {0xaaaa0001, 0xbbbb1234, 0xcccc0003, 0xdddd0004};
  entry_slot(&action, 9, func_data(SLUICE_FUNC_MOVE, operand(K, 1), 0));
  entry_slot(&action, 10, func_data(SLUICE_FUNC_ADD, operand(K, 2), operand(B4, 1)));
  entry_slot(&action, 11, func_data(SLUICE_FUNC_ADD, operand(K, 3), operand(K, 7)));  // + 3
  entry_slot(&action, 12,
             func_data(SLUICE_FUNC_SELECT, operand(K, 0), operand(K, 4)) | operand(K, 5)
                                                                               << 1);  // 1 ? : 0
  entry_slot(&action, 13, func_data(SLUICE_FUNC_MOVE, operand(K, 2), 0) & ~1u);  // without DATA: 2
  entry_slot(&action, 17, func_data(SLUICE_FUNC_MOVE, operand(K, 0), 0));        // 48 bits
  entry_slot(&action, 18, func_data(SLUICE_FUNC_MOVE, operand(K, 3), 0));        // above word 3: 0
  entry_slot(&action, 1, func_data(SLUICE_FUNC_MOVE, operand(K, 1), 0));
  entry_slot(&action, 0, func_data(0, operand(K, 3), 0));
  match_all(m, FRONT, ROW, 3, &action);
  for (unsigned w = 0; w < 4; w++)
    sluice_entry_set(data.bytes, SLUICE_MATCH_DATA_BITS, 127 - 32 * w, 96 - 32 * w, words[w]);
  put(m, SLUICE_TABLE_MATCH_DATA, FRONT, 3, &data);
  struct sluice_model_phv phv = {.vid = ROW};
  phv.b4[1] = 5;
  model_stage_front(m, FRONT, &phv);
  assert_true(phv.b4[0] == words[1] && phv.b4[1] == words[2] + 5 && phv.b4[2] == words[3] + 3 &&
              phv.b4[3] == words[0]);
  assert_true(phv.b4[4] == 2);
  assert_true(phv.b6[0] == UINT64_C(0x1234aaaa0001) && phv.b6[1] == words[3]);
  assert_true(phv.b2[0] == 0x1234);
  assert_int_equal(phv.dest, 1u << 4);
}

TEST(stages_own_the_tables_of_their_engines_and_keep_what_counts) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tables");
  struct entry ones;
  struct sluice_model_answer answer;
  memset(&ones, 0xff, sizeof ones);
  const struct {
    enum sluice_table table;
    unsigned stage, index;
    bool owned;
  } cases[] = {{SLUICE_TABLE_TERNARY, 0, 15, true},        {SLUICE_TABLE_TERNARY, 3, 0, false},
               {SLUICE_TABLE_TERNARY, 2, 0, true},         {SLUICE_TABLE_TERNARY, 0, 16, false},
               {SLUICE_TABLE_CUCKOO, 3, 0, false},         {SLUICE_TABLE_CUCKOO, 1, 255, true},
               {SLUICE_TABLE_CUCKOO, 2, 0, true},          {SLUICE_TABLE_CUCKOO, 1, 256, false},
               {SLUICE_TABLE_DEFAULT_ACTION, 1, 63, true}, {SLUICE_TABLE_MATCH_DATA, 2, 7, true},
               {SLUICE_TABLE_MATCH_DATA, 2, 8, false},     {SLUICE_TABLE_ACTION, 1, 63, true},
               {SLUICE_TABLE_ACTION, 1, 64, false}};
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct control c = {
        .table = cases[i].table, .stage = cases[i].stage, .index = cases[i].index};
    assert_int_equal(control(m, c, &ones, 1, NULL), cases[i].owned ? true : false);
  }
  assert_true(
      control(m,
              (struct control){
                  .op = SLUICE_CHAIN_READ, .table = SLUICE_TABLE_TERNARY, .index = 15, .count = 1},
              NULL, 0, &answer));
  // RESERVED and what is above the 64 rows of ACTION are not kept.
  assert_true(SLUICE_GET(answer.bytes + 64, TERNARY, RESERVED) == 0);
  assert_int_equal(SLUICE_GET(answer.bytes + 64, TERNARY, ACTION), 63);
  assert_int_equal(SLUICE_GET(answer.bytes + 64, TERNARY, VID), 255);
  sluice_model_close(m);
  // A chip without engines: nothing of it is kept, and TERNARY and CUCKOO are nobody's.
  m = open_model("tiny");
  assert_false(control(m, (struct control){.table = SLUICE_TABLE_TERNARY}, &ones, 1, NULL));
  assert_false(control(m, (struct control){.table = SLUICE_TABLE_CUCKOO}, &ones, 1, NULL));
  assert_true(control(m, (struct control){.table = SLUICE_TABLE_DEFAULT_ACTION}, &ones, 1, NULL));
  assert_true(control(
      m,
      (struct control){.op = SLUICE_CHAIN_READ, .table = SLUICE_TABLE_DEFAULT_ACTION, .count = 1},
      NULL, 0, &answer));
  for (unsigned i = 0; i < 24; i++) assert_int_equal(answer.bytes[64 + i], 0);
}

static struct sluice_model_step shown;
static void step(void *user, const struct sluice_model_step *s) {
  (void)user;
  shown = *s;
}

static void expect_step(struct sluice_model *m, unsigned stage, int row, int engine,
                        unsigned entry) {
  seen(m, stage, 5, 0, NULL);
  assert_int_equal(shown.stage, stage == FRONT ? 0 : stage);  // among those of its kind
  FIELDS_ARE(&shown, (row, row), (engine, engine), (entry, entry));
}

// What gave the action, and its entry: of default actions that is the overlay row.
TEST(a_step_shows_the_entry) {
  for (unsigned stage = 0; stage <= FRONT; stage++) {
    struct sluice_model *m CLOSED_BY(close_model) = open_tables(stage);
    struct entry match = {{0}}, by_default = {{0}};
    const unsigned bucket = cuckoo_index(5, 2);
    sluice_model_watch(m, step, NULL);
    expect_step(m, stage, -1, -1, 0);
    SETS(&by_default, DEFAULT_ACTION, (VALID, 1), (ACTION, 61));
    put(m, SLUICE_TABLE_DEFAULT_ACTION, stage, ROW, &by_default);
    expect_step(m, stage, 61, SLUICE_MODEL_DEFAULT, ROW);
    put_cuckoo(m, stage, bucket, (struct ternary){.key = 5, .action = 20});
    expect_step(m, stage, 20, SLUICE_MODEL_CUCKOO, bucket);
    put_ternary(m, stage, 15, (struct ternary){.action = 30});
    expect_step(m, stage, 30, SLUICE_MODEL_TERNARY, 15);
    SET(&match, MATCH, VID, ROW);
    sluice_entry_set(match.bytes, SLUICE_MATCH_BITS, KEY_BIT + 15, KEY_BIT, 5);
    put(m, SLUICE_TABLE_MATCH, stage, 7, &match);
    expect_step(m, stage, 7, SLUICE_MODEL_EXACT, 7);
  }
}

// Without data words: of a module that has nothing but exact rows at a stage no engine is shown,
// whatever module 0 has at the next one.
TEST(a_step_of_a_module_with_exact_rows_shows_no_engine) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tables.ExtraActions0");
  struct entry action = {{0}}, e = {{0}};
  SET(&e, CUCKOO, VALID, 1);
  put(m, SLUICE_TABLE_CUCKOO, BACK_CUCKOO, 0, &e);
  sluice_model_watch(m, step, NULL);
  for (unsigned vid = 0; vid <= ROW; vid += ROW)
    for (unsigned stage = 0; stage <= BACK_CUCKOO; stage++) {
      struct sluice_model_phv phv = {.vid = (uint8_t)vid};
      struct sluice_model_access access = {0};
      match_all(m, stage, vid, 6, &action);
      model_stage_back(m, stage, &phv, &access, NULL);
      const bool more = vid == 0 && stage == BACK_CUCKOO;
      FIELDS_ARE(&shown, (row, 6), (engine, more ? SLUICE_MODEL_EXACT : -1), (entry, more ? 6 : 0));
    }
}

// The key of a cuckoo entry is equal in its highest bit, too.
TEST(the_highest_bit_of_a_cuckoo_key_counts) {
  struct sluice_model *m CLOSED_BY(close_model) = open_tables(BACK_CUCKOO);
  struct entry mask, e = {{0}};
  memset(&mask, 0xff, sizeof mask);
  SET(&mask, KEY, B6_FIRST, 0);
  put(m, SLUICE_TABLE_KEY_MASK, BACK_CUCKOO, ROW, &mask);
  const uint64_t key[SLUICE_CUCKOO_KEY_WORDS] = {0};
  SETS(&e, CUCKOO, (VALID, 1), (VID, ROW));
  entry_set(&e, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB + SLUICE_KEY_B6_FIRST_MSB,
            SLUICE_CUCKOO_KEY_LSB + SLUICE_KEY_B6_FIRST_MSB, 1);
  // It stands where a key of zeros is looked for: not found, as it is another one.
  put(m, SLUICE_TABLE_CUCKOO, BACK_CUCKOO,
      sluice_cuckoo_entry(sluice_cuckoo_hash(ROW, key), 1, 256), &e);
  bool hit;
  seen(m, BACK_CUCKOO, 0, 0, &hit);
  assert_false(hit);
}
