// SPDX-License-Identifier: Apache-2.0
// Wide compares: what the reference model makes of KEY_COMPARE against direct evaluations, in all
// three match engines; what chips without them refuse; how an entry is told to people.
#include <stdio.h>

#include "tests/rig/test.h"
#include "base/cuckoo.h"
#include "driver/image/capability.h"
#include "driver/image/image.h"
#include "driver/wire/wire.h"
#include "tests/rig/model_rig.h"

enum { RANDOM_COMPARES = 4000, FRONT = 2, MISSED = 999 };

static int64_t as_signed(uint32_t v) {
  return v < 0x80000000u ? (int64_t)v : (int64_t)v - 0x100000000;
}

// By the sentences in layouts.def, in 64-bit arithmetic.
static bool direct(unsigned op, uint32_t a, uint32_t b) {
  const int64_t sa = as_signed(a), sb = as_signed(b);
  const bool results[8] = {false, a == b, (int64_t)a > b, (int64_t)a >= b, sa > sb, sa >= sb};
  return results[op];
}

static uint32_t value_of(const struct sluice_config *c, const struct sluice_model_phv *phv,
                         unsigned o) {
  const unsigned i = o & 7;
  switch (o >> 3) {
    case B2: return i < c->Num2B ? phv->b2[i] : 0;
    case B4: return i < c->Num4B ? phv->b4[i] : 0;
    case B6: return i < c->Num6B ? (uint32_t)phv->b6[i] : 0;
    default: return i;
  }
}

// Few values, so that two often are equal, beside each other, or on both sides of the sign.
static uint32_t number(uint64_t *seed) {
  static const uint32_t corners[] = {0, 1, 7, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  return test_random(seed) % 3 ? corners[test_random(seed) % 7] : test_random(seed);
}

static void put_compare(struct sluice_model *m, unsigned stage, unsigned op, unsigned a, unsigned b,
                        bool immediate, uint32_t k) {
  struct entry e = ENTRY_OF(KEY_COMPARE, (OP, op), (A, a), (B, b), (IMMEDIATE, immediate), (K, k));
  put(m, SLUICE_TABLE_KEY_COMPARE, stage, ROW, &e);
}

// All of the key is masked away.
static struct sluice_model *open_masked(const char *config, unsigned stage) {
  struct sluice_model *m = open_model(config);
  struct entry mask;
  memset(&mask, 0xff, sizeof mask);
  put(m, SLUICE_TABLE_KEY_MASK, stage, ROW, &mask);
  return m;
}

static void put_match(struct sluice_model *m, unsigned stage, unsigned row, bool wide) {
  struct entry match = {{0}}, action = {{0}};
  SETS(&match, MATCH, (VID, ROW), (WIDE, wide));
  entry_slot(&action, 9, instr_imm(SLUICE_OP_SET, 0, row));
  put(m, SLUICE_TABLE_MATCH, stage, row, &match);
  put(m, SLUICE_TABLE_ACTION, stage, row, &action);
}

static unsigned ran(struct sluice_model *m, unsigned stage, struct sluice_model_phv phv) {
  struct sluice_model_access access = {0};
  phv.vid = ROW;
  if (stage == FRONT) model_stage_front(m, stage, &phv);
  else model_stage_back(m, stage, &phv, &access, NULL);
  return phv.b4[0];
}

TEST(compares_are_those_of_the_page) {
  const struct sluice_config *config = sluice_config_find("match3");
  for (unsigned stage = 0; stage <= FRONT; stage += FRONT) {
    struct sluice_model *m CLOSED_BY(close_model) = open_masked("match3", stage);
    uint64_t seed = 1 + stage;
    unsigned held = 0;
    put_match(m, stage, 2, false);
    put_match(m, stage, 3, true);
    // A row that was never written gives 0.
    assert_int_equal(ran(m, stage, (struct sluice_model_phv){.b4 = {1}}), 2);
    for (unsigned n = 0; n < RANDOM_COMPARES; n++) {
      struct sluice_model_phv phv = {0};
      for (unsigned i = 0; i < 8; i++) {
        phv.b2[i] = (uint16_t)number(&seed);
        phv.b4[i] = number(&seed);
        phv.b6[i] = (uint64_t)test_random(&seed) % 65536 << 32 | number(&seed);
      }
      const unsigned op = n % 8, a = test_random(&seed) % 32, b = test_random(&seed) % 32;
      const bool immediate = test_random(&seed) % 2;
      const uint32_t k = number(&seed);
      put_compare(m, stage, op, a, b, immediate, k);
      const bool holds =
          direct(op, value_of(config, &phv, a), immediate ? k : value_of(config, &phv, b));
      held += holds;
      if (ran(m, stage, phv) != 2u + holds)
        fail_msg("compare %u (seed %u): op %u, operands %02x %02x, %d %08x", n, 1 + stage, op, a, b,
                 immediate, k);
    }
    assert_true(held > RANDOM_COMPARES / 5 && held < RANDOM_COMPARES / 2);
  }
}

// A chip with all engines: 4B[1] > 1500 chooses between two entries of each.
static unsigned engine_of(struct sluice_model *m, unsigned stage, uint32_t len) {
  return ran(m, stage, (struct sluice_model_phv){.b4 = {MISSED, len}});
}

TEST(all_engines_look_at_it) {
  struct sluice_model *m CLOSED_BY(close_model) = open_masked("react", FRONT);
  put_compare(m, FRONT, SLUICE_WIDE_GTU, operand(B4, 1), 0, true, 1500);
  put_match(m, FRONT, 7, true);  // its action, too
  for (unsigned row = 8; row < 12; row++) {
    struct entry action = {{0}};
    entry_slot(&action, 9, instr_imm(SLUICE_OP_SET, 0, row));
    put(m, SLUICE_TABLE_ACTION, FRONT, row, &action);
  }
  assert_int_equal(engine_of(m, FRONT, 1500), MISSED);
  assert_int_equal(engine_of(m, FRONT, 1501), 7);
  assert_true(control(
      m,
      (struct control){
          .table = SLUICE_TABLE_MATCH, .op = SLUICE_CHAIN_ERASE, .stage = FRONT, .index = 7},
      NULL, 0, NULL));
  struct entry ternary = {{0}}, cuckoo = {{0}};
  SETS(&ternary, TERNARY, (VALID, 1), (VID, ROW), (ACTION, 8), (WIDE, 1));
  put(m, SLUICE_TABLE_TERNARY, FRONT, 3, &ternary);
  assert_int_equal(engine_of(m, FRONT, 1), 8);  // it does not count
  SET(&ternary, TERNARY, CARE_WIDE, 1);
  put(m, SLUICE_TABLE_TERNARY, FRONT, 3, &ternary);
  assert_int_equal(engine_of(m, FRONT, 1), MISSED);
  assert_int_equal(engine_of(m, FRONT, 1501), 8);
  SET(&ternary, TERNARY, VALID, 0);
  put(m, SLUICE_TABLE_TERNARY, FRONT, 3, &ternary);
  // Both cuckoo entries stand at places of one hash: the bit is no part of it.
  const uint64_t key[SLUICE_CUCKOO_KEY_WORDS] = {0};
  for (unsigned wide = 0; wide < 2; wide++) {
    const unsigned at = sluice_cuckoo_entry(sluice_cuckoo_hash(ROW, key), wide, 256);
    SETS(&cuckoo, CUCKOO, (VALID, 1), (VID, ROW), (ACTION, 10 + wide), (WIDE, wide));
    put(m, SLUICE_TABLE_CUCKOO, FRONT, at, &cuckoo);
  }
  assert_int_equal(engine_of(m, FRONT, 1500), 10);
  assert_int_equal(engine_of(m, FRONT, 1501), 11);
}

// Without wide compares there is no such table, ternary and cuckoo entries do not keep the bit, and
// a match entry that has it matches nothing.
TEST(chips_without_refuse_them) {
  struct sluice_model *m = open_masked("tables", FRONT);
  struct entry e = {{0}};
  const struct control c = {.table = SLUICE_TABLE_KEY_COMPARE, .stage = FRONT, .index = ROW};
  assert_false(control(m, c, &e, 1, NULL));
  SETS(&e, TERNARY, (WIDE, 1), (CARE_WIDE, 1));
  put(m, SLUICE_TABLE_TERNARY, FRONT, 0, &e);
  assert_int_equal(FIELD(model_entry(m, SLUICE_TABLE_TERNARY, FRONT, 0), TERNARY, WIDE), 0);
  assert_int_equal(FIELD(model_entry(m, SLUICE_TABLE_TERNARY, FRONT, 0), TERNARY, CARE_WIDE), 0);
  memset(&e, 0, sizeof e);
  SET(&e, CUCKOO, WIDE, 1);
  put(m, SLUICE_TABLE_CUCKOO, FRONT, 0, &e);
  assert_int_equal(FIELD(model_entry(m, SLUICE_TABLE_CUCKOO, FRONT, 0), CUCKOO, WIDE), 0);
  put_match(m, FRONT, 1, true);
  assert_int_equal(engine_of(m, FRONT, 1501), MISSED);
  put_match(m, FRONT, 1, false);
  assert_int_equal(engine_of(m, FRONT, 1501), 1);
  sluice_model_close(m);

  struct sluice_image image = {.program = "p"};
  struct sluice_write w = {.table = SLUICE_TABLE_KEY_COMPARE, .stage = 1};
  struct sluice_error error = {0};
  assert_int_equal(sluice_capable(sluice_config_find("match3"), &image, &w, &error), SLUICE_OK);
  assert_int_equal(sluice_capable(sluice_config_find("tiny"), &image, &w, &error),
                   SLUICE_ERR_UNSUPPORTED);
  assert_string_equal(error.text, "module 'p' compares whole values at stage 1, chip 'tiny' has no "
                                  "wide compares; 's2' and 's4' have some");
}

TEST(entries_are_told) {
  struct entry e = {{0}};
  char text[100];
  sluice_entry_describe(SLUICE_TABLE_KEY_COMPARE, e.bytes, text, sizeof text);
  assert_string_equal(text, "nothing");
  SETS(&e, KEY_COMPARE, (OP, SLUICE_WIDE_GTU), (A, operand(B4, 1)), (B, operand(B2, 3)),
       (K, 0xfffffffe));
  sluice_entry_describe(SLUICE_TABLE_KEY_COMPARE, e.bytes, text, sizeof text);
  assert_string_equal(text, "4B[1] > 2B[3], unsigned");
  SET(&e, KEY_COMPARE, IMMEDIATE, 1);
  sluice_entry_describe(SLUICE_TABLE_KEY_COMPARE, e.bytes, text, sizeof text);
  assert_string_equal(text, "4B[1] > 4294967294, unsigned");
  SET(&e, KEY_COMPARE, OP, SLUICE_WIDE_GE);
  sluice_entry_describe(SLUICE_TABLE_KEY_COMPARE, e.bytes, text, sizeof text);
  assert_string_equal(text, "4B[1] >= -2, signed");
}
