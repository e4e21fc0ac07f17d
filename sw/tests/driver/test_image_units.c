// SPDX-License-Identifier: Apache-2.0
// Images that ask for what a chip has not: checksums, hashes, shifts, state, pairs of words.

#include "tests/rig/test.h"
#include "driver/image/disassemble.h"
#include "tests/rig/image_rig.h"

static const struct sluice_config *tiny;

static int set_up(void **state) {
  (void)state;
  tiny = sluice_config_find("tiny");
  return tiny ? 0 : -1;
}

// `small` updates no checksums: what asks for one is refused, what does not is not.
TEST(checksums_need_a_chip_that_updates_them) {
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("small", 8, 0),
                        b CLOSED_BY(sluice_image_release) = sample("tiny", 8, 0);
  struct sluice_write *option = add(&a, SLUICE_TABLE_DEPARSE_OPT, 0, 0);
  struct sluice_error error;
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
  sluice_plan_init(&plan, sluice_config_find("small"));
  SLUICE_SET(option->bytes, DEPARSE_OPT, L4_CHECKSUM, 1);
  assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), SLUICE_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.text, "checksums"));
  memset(option->bytes, 0, sizeof option->bytes);
  assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), SLUICE_OK);
  sluice_plan_release(&plan);
  sluice_plan_init(&plan, tiny);
  SLUICE_SET(add(&b, SLUICE_TABLE_DEPARSE_OPT, 0, 0)->bytes, DEPARSE_OPT, IP_CHECKSUM, 1);
  assert_int_equal(sluice_plan_add(&plan, &b, 1, &error), SLUICE_OK);
}

// `small` has two actions in the parser and two in the deparser.
TEST(parse_actions_are_those_of_the_chip) {
  static const enum sluice_table tables[] = {SLUICE_TABLE_PARSER, SLUICE_TABLE_DEPARSER};
  for (unsigned t = 0; t < 2; t++)
    for (unsigned n = 1; n < 3; n++) {
      struct sluice_image a CLOSED_BY(sluice_image_release) = sample("small", 8, 0);
      struct sluice_error error;
      struct sluice_plan plan CLOSED_BY(sluice_plan_release);
      size_t at = 0;
      while (at < a.num_writes && a.writes[at].table != tables[t]) at++;
      uint8_t *entry = at < a.num_writes ? a.writes[at].bytes : add(&a, tables[t], 0, 0)->bytes;
      memset(entry, 0, SLUICE_ENTRY_BYTES);
      SLUICE_SETS(entry + 2 * n, PARSE_ACTION, (OFFSET, 38), (KIND, SLUICE_TYPE_B2), (VALID, 1));
      sluice_plan_init(&plan, sluice_config_find("small"));
      assert_int_equal(sluice_plan_add(&plan, &a, 1, &error),
                       n < 2 ? SLUICE_OK : SLUICE_ERR_UNSUPPORTED);
    }
}

// An access in words.
TEST(an_access_says_where_its_array_is) {
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  char text[100];
  SLUICE_SETS(entry, ACCESS, (ENABLE, 1), (PIPE, 1));
  for (unsigned pinned = 0; pinned < 2; pinned++) {
    struct say say = say_into(text, sizeof text);
    SLUICE_SET(entry, ACCESS, PINNED, pinned);
    sluice_say_access(&say, entry);
    if (strncmp(text, pinned ? "pinned to pipeline 1, index" : "sharded, index",
                pinned ? 27 : 14) != 0)
      fail_msg("%s", text);
  }
}

// `ulx3s` has no hash units: an entry that hashes is refused, one that is off is not.
TEST(hashes_need_a_chip_with_hash_units) {
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("ulx3s", 8, 0),
                        b CLOSED_BY(sluice_image_release) = sample("tiny", 8, 0);
  struct sluice_write *entry = add(&a, SLUICE_TABLE_HASH_INSTR, 1, 0);
  struct sluice_error error;
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
  sluice_plan_init(&plan, sluice_config_find("ulx3s"));
  SLUICE_SET(entry->bytes, HASH_INSTR, VALID, 1);
  assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), SLUICE_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.text, "hash units"));
  memset(entry->bytes, 0, sizeof entry->bytes);
  assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), SLUICE_OK);
  sluice_plan_release(&plan);
  sluice_plan_init(&plan, tiny);
  SLUICE_SET(add(&b, SLUICE_TABLE_HASH_INSTR, 2, 0)->bytes, HASH_INSTR, VALID, 1);
  assert_int_equal(sluice_plan_add(&plan, &b, 1, &error), SLUICE_OK);
}

static void set_slot(struct sluice_write *action, unsigned slot, uint32_t word) {
  sluice_entry_set(action->bytes, 625, 25 * slot + 24, 25 * slot, word);
}

// `small` has no shifters: an action word that shifts is refused, where the chip has the container.
TEST(shifts_need_a_chip_with_shifters) {
  static const struct {
    unsigned slot;
    uint32_t word;
    bool refused;
  } cases[] = {{1, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_SHL << 6, true},
               {9, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_SRA << 6, true},
               {17, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_SRL << 6, true},
               {1, SLUICE_OP_FUNCI << 21 | SLUICE_FUNCI_SHL << 12, true},
               {9, SLUICE_OP_FUNCI << 21 | SLUICE_FUNCI_SRA << 12, true},
               {17, SLUICE_OP_FUNCI << 21 | SLUICE_FUNCI_SRL << 12, true},
               {9, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_NOT << 6, false},
               {9, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_EQ << 6, false},
               {9, SLUICE_OP_FUNCI << 21 | SLUICE_FUNCI_XOR << 12, false},
               {9, SLUICE_OP_FUNCI << 21 | SLUICE_FUNCI_EQ << 12, false},
               {9, SLUICE_OP_SETHI << 21 | SLUICE_FUNC_SHL << 6, false},
               {9, SLUICE_OP_ADDI << 21 | SLUICE_FUNCI_SHL << 12, false},
               {0, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_SHL << 6, false},
               {10, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_SHL << 6, false}};
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (unsigned shifters = 0; shifters < 2; shifters++) {
      struct sluice_image a CLOSED_BY(sluice_image_release) = sample("small", 8, 0);
      struct sluice_config config = *sluice_config_find("small");
      struct sluice_error error = {""};
      struct sluice_plan plan CLOSED_BY(sluice_plan_release);
      set_slot(add(&a, SLUICE_TABLE_ACTION, 1, 0), cases[i].slot, cases[i].word);
      config.Num6B = 1;  // so that slot 17 is there
      if (shifters) config.Shifters = 1;
      sluice_plan_init(&plan, &config);
      const bool refused = cases[i].refused && !shifters;
      assert_int_equal(sluice_plan_add(&plan, &a, 1, &error),
                       refused ? SLUICE_ERR_UNSUPPORTED : SLUICE_OK);
      if (refused) assert_non_null(strstr(error.text, "shifts in slot"));
      if (refused) assert_non_null(strstr(error.text, "at stage 1, chip 'small' has no shifters"));
    }
}

// `small` has state in the first of its two back stages, and no front stage.
static void refused_by_small(const struct sluice_image *image, const char *text) {
  struct sluice_error error = {""};
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
  sluice_plan_init(&plan, sluice_config_find("small"));
  assert_int_equal(sluice_plan_add(&plan, image, 1, &error), SLUICE_ERR_UNSUPPORTED);
  if (!strstr(error.text, text)) fail_msg("\"%s\"; wanted \"%s\"", error.text, text);
  assert_int_equal(plan.num_modules, 0);
}

TEST(state_needs_a_stage_with_state) {
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("small", 8, 0);
  static const enum sluice_table tables[] = {SLUICE_TABLE_STATE_INSTR, SLUICE_TABLE_ACCESS,
                                             SLUICE_TABLE_SEGMENT};
  for (unsigned i = 0; i < 3; i++) {
    char text[100];
    snprintf(text, sizeof text,
             "writes %s at stage 1, chip 'small' has state in back stages 0 to 0",
             sluice_tables[tables[i]].name);
    add(&a, tables[i], 1, 0);
    refused_by_small(&a, text);
    a.num_writes--;
  }
  add(&a, SLUICE_TABLE_HASH_INSTR, 1, 0);
  refused_by_small(
      &a, "writes HASH_INSTR at stage 1, which is none of the 0 front stages of chip 'small'");
  a.num_writes--;
  a.arrays[0].stage = 1;
  refused_by_small(&a, "array 'count' is at back stage 1, chip 'small' has state in back stages 0 "
                       "to 0: compile it again");
  a.arrays[0].stage = 0;
  add(&a, SLUICE_TABLE_ACTION, 1, 0);  // that any stage has
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
  sluice_plan_init(&plan, sluice_config_find("small"));
  assert_int_equal(sluice_plan_add(&plan, &a, 1, NULL), SLUICE_OK);
}

static void set_predicate(uint8_t *instr, unsigned which, unsigned state, unsigned packet,
                          unsigned rel, unsigned y) {
  const unsigned lsb = SLUICE_STATE_INSTR_PRED_1_LSB - SLUICE_PREDICATE_BITS * (which - 1);
  sluice_entry_set(instr, SLUICE_STATE_INSTR_BITS, lsb + SLUICE_PREDICATE_BITS - 1, lsb,
                   state << 9 | packet << 6 | rel << 3 | y);
}

enum { KEPT = 0x80 | SLUICE_ARM_ZERO << 3 | SLUICE_ARM_ZERO };  // an update that changes nothing

// What the compiler makes of `if (s < p) s += 1`.
static void set_one_word(uint8_t *instr) {
  memset(instr, 0, SLUICE_ENTRY_BYTES);
  SLUICE_SET(instr, STATE_INSTR, VALID, 1);
  set_predicate(instr, 1, SLUICE_PRED_S_S1, 0, SLUICE_REL_LT, SLUICE_PRED_Y_P1);
  set_predicate(instr, 2, 0, 0, SLUICE_REL_TRUE, 0);
  set_predicate(instr, 3, 0, 0, SLUICE_REL_FALSE, 0);
  set_predicate(instr, 4, 0, 0, SLUICE_REL_FALSE, 0);
  for (unsigned i = 0; i < 8; i++)
    sluice_entry_set(instr, SLUICE_STATE_INSTR_BITS, SLUICE_STATE_INSTR_A1_MSB - 8 * i,
                     SLUICE_STATE_INSTR_A1_LSB - 8 * i, KEPT);
  SLUICE_SETS(instr, STATE_INSTR, (A1, 0x80 | SLUICE_ARM_K0 << 3 | SLUICE_ARM_ZERO), (K0, 1));
}

static void taken_by(const char *chip, const struct sluice_image *image) {
  struct sluice_error error = {""};
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
  sluice_plan_init(&plan, sluice_config_find(chip));
  if (sluice_plan_add(&plan, image, 1, &error)) fail_msg("%s", error.text);
}

// `small` has entries of one word, and compares with predicate 1.
TEST(state_of_one_word_is_no_pair) {
  static const char compares[] = "compares with predicate %u of a state instruction, chip 'small' "
                                 "compares with predicate 1 alone";
  static const char words[] = "module 'sample \"one\"' %s second words of state entries, chip "
                              "'small' has entries of one word";
  char text[160];
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("small", 8, 0),
                        b CLOSED_BY(sluice_image_release) = sample("tiny", 8, 0);
  const size_t num = a.num_writes;
  uint8_t *e = add(&a, SLUICE_TABLE_STATE_INSTR, 0, 0)->bytes,
          *other = add(&b, SLUICE_TABLE_STATE_INSTR, 0, 0)->bytes;
  set_one_word(e);
  taken_by("small", &a);
  for (unsigned which = 2; which <= 4; which++)
    for (unsigned rel = 0; rel < 8; rel++) {
      set_one_word(e);
      set_predicate(e, which, SLUICE_PRED_S_S2, 1, rel, SLUICE_PRED_Y_S2);
      snprintf(text, sizeof text, compares, which);
      if (rel < SLUICE_REL_TRUE) refused_by_small(&a, text);
      else taken_by("small", &a);
      SLUICE_SET(e, STATE_INSTR, VALID, 0);
      taken_by("small", &a);
    }
  snprintf(text, sizeof text, words, "compares");
  for (unsigned i = 0; i < 3; i++) {
    set_one_word(e);
    set_predicate(e, 1, i == 0 ? SLUICE_PRED_S_S2 : SLUICE_PRED_S_S1, 0,
                  i == 2 ? SLUICE_REL_FALSE : SLUICE_REL_EQ,
                  i == 0 ? SLUICE_PRED_Y_K0 : SLUICE_PRED_Y_S2);
    if (i == 2) taken_by("small", &a);
    else refused_by_small(&a, text);
  }

  // Second words by predicates 1 to 4 (0: never, 1: always, 2: it depends), the arm that changes,
  // and whether it runs.
  static const struct {
    unsigned preds[4], arm;
    bool runs;
  } arms[] = {{{2, 1, 0, 0}, 0, true},  {{2, 0, 0, 0}, 0, false}, {{0, 1, 0, 0}, 0, false},
              {{2, 0, 0, 0}, 1, true},  {{2, 1, 0, 0}, 1, false}, {{2, 1, 1, 1}, 2, true},
              {{1, 1, 1, 1}, 2, false}, {{2, 1, 1, 0}, 2, false}, {{0, 1, 1, 1}, 2, true},
              {{2, 1, 0, 1}, 2, false}, {{2, 1, 0, 1}, 3, true},  {{2, 1, 1, 1}, 3, false}};
  snprintf(text, sizeof text, words, "changes");
  for (unsigned i = 0; i < sizeof arms / sizeof arms[0]; i++) {
    set_one_word(e);
    for (unsigned p = 0; p < 4; p++) {
      const unsigned pred = arms[i].preds[p];
      set_predicate(e, p + 1, 0, 1,
                    pred == 0   ? SLUICE_REL_FALSE
                    : pred == 1 ? SLUICE_REL_TRUE
                                : SLUICE_REL_EQ,
                    0);
    }
    sluice_entry_set(e, SLUICE_STATE_INSTR_BITS, SLUICE_STATE_INSTR_A2_MSB - 16 * arms[i].arm,
                     SLUICE_STATE_INSTR_A2_LSB - 16 * arms[i].arm,
                     SLUICE_ARM_P1 << 3 | SLUICE_ARM_ZERO);
    if (arms[i].runs) refused_by_small(&a, text);
    else taken_by("small", &a);
  }
  // Updates that leave 0 at 0: K0 is 1, K1 is 0, K2 is -1.
  static const struct {
    unsigned sub, x, y;
    bool stays;
  } updates[] = {
      {0, SLUICE_ARM_ZERO, SLUICE_ARM_RESERVED, true}, {1, SLUICE_ARM_P2, SLUICE_ARM_P2, true},
      {0, SLUICE_ARM_P2, SLUICE_ARM_P2, false},        {0, SLUICE_ARM_K1, SLUICE_ARM_ZERO, true},
      {0, SLUICE_ARM_K2, SLUICE_ARM_ZERO, false},      {0, SLUICE_ARM_K0, SLUICE_ARM_K2, true},
      {1, SLUICE_ARM_K0, SLUICE_ARM_K2, false},        {1, SLUICE_ARM_ZERO, SLUICE_ARM_P1, false},
      {0, SLUICE_ARM_ZERO, SLUICE_ARM_K0, false}};
  for (unsigned i = 0; i < sizeof updates / sizeof updates[0]; i++)
    for (unsigned keep = 0; keep < 2; keep++) {
      set_one_word(e);
      SLUICE_SETS(e, STATE_INSTR, (K2, 0xffffffff),
                  (A2, keep << 7 | updates[i].sub << 6 | updates[i].x << 3 | updates[i].y));
      if (updates[i].stays) taken_by("small", &a);
      else refused_by_small(&a, text);
    }
  set_one_word(e);
  SLUICE_SET(e, STATE_INSTR, A2, 0);  // what the chip keeps, although it would be K0 + K0
  taken_by("small", &a);

  // Results: EXT 1 and 3 of a slot that the chip has, in a stage with state.
  set_one_word(e);
  uint8_t *action = add(&a, SLUICE_TABLE_ACTION, 0, 1)->bytes;
  snprintf(text, sizeof text, words, "reads");
  for (unsigned slot = 0; slot <= 24; slot++)
    for (unsigned which = 0; which < 8; which++) {
      // one container of 2 bytes, one of 4
      const bool there = slot == 1 || slot == 9 || slot == 16;
      memset(action, 0, SLUICE_ENTRY_BYTES);
      sluice_entry_set(action, SLUICE_INSTR_BITS * 25, SLUICE_INSTR_BITS * slot + 24,
                       SLUICE_INSTR_BITS * slot,
                       (uint64_t)SLUICE_OP_EXT << SLUICE_INSTR_OP_LSB | which);
      a.writes[a.num_writes - 1].stage = 0;
      if (there && (which == SLUICE_EXT_OLD_2 || which == SLUICE_EXT_NEW_2))
        refused_by_small(&a, text);
      else taken_by("small", &a);
      a.writes[a.num_writes - 1].stage = 1;
      taken_by("small", &a);
    }
  a.num_writes = num;
  strcpy(a.arrays[0].name[1], "bytes");
  refused_by_small(&a,
                   "array 'count' has entries of two words, chip 'small' has entries of one word");
  a.arrays[0].name[1][0] = 0;
  a.arrays[0].init[1] = 7;
  refused_by_small(&a,
                   "array 'count' has entries of two words, chip 'small' has entries of one word");
  a.arrays[0].init[1] = 0;
  taken_by("small", &a);

  // All of it is good where there are pairs.
  set_one_word(other);
  set_predicate(other, 1, SLUICE_PRED_S_S2, 0, SLUICE_REL_EQ, SLUICE_PRED_Y_S2);
  set_predicate(other, 3, SLUICE_PRED_S_S2, 0, SLUICE_REL_EQ, SLUICE_PRED_Y_S2);
  SLUICE_SET(other, STATE_INSTR, A2, SLUICE_ARM_P1 << 3 | SLUICE_ARM_ZERO);
  action = add(&b, SLUICE_TABLE_ACTION, 0, 1)->bytes;
  sluice_entry_set(action, SLUICE_INSTR_BITS * 25, 24 + 25, 25,
                   (uint64_t)SLUICE_OP_EXT << SLUICE_INSTR_OP_LSB | SLUICE_EXT_OLD_2);
  taken_by("tiny", &b);
}

TEST_GROUP(set_up, NULL)
