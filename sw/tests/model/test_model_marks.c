// SPDX-License-Identifier: Apache-2.0
// Marks in the reference model: TAKE and LEAVE as docs/machine.md has them, at the place where the
// order stands.
#include "tests/rig/test.h"
#include "tests/rig/model_rig.h"

enum { STAGE = 1, BASE = 3, RANGE = 10 };

// Entry i of the module is {100 + i, i}; a take leaves {7, 8}.
static struct sluice_model *open_marks(void) {
  struct sluice_model *m = open_model("marks");
  struct entry values[RANGE];
  segment(m, STAGE, ROW, BASE, RANGE);
  access(m, STAGE, ROW, 0, 0, operand(B4, 0));
  for (unsigned i = 0; i < RANGE; i++) values[i] = pair(100 + i, i);
  assert_true(control(m, (struct control){.table = SLUICE_TABLE_STATE, .stage = STAGE, .row = ROW},
                      values, 8, NULL));
  for (unsigned i = 8; i < RANGE; i++)
    assert_true(control(
        m, (struct control){.table = SLUICE_TABLE_STATE, .stage = STAGE, .row = ROW, .index = i},
        &values[i], 1, NULL));
  const struct entry left = pair(7, 8);
  assert_true(control(m, (struct control){.table = SLUICE_TABLE_LEAVE, .stage = STAGE, .row = ROW},
                      &left, 1, NULL));
  return m;
}

static bool ask(struct sluice_model *m, enum sluice_table table, unsigned row, unsigned index,
                unsigned count, struct sluice_model_answer *answer) {
  return control(m,
                 (struct control){.table = table,
                                  .op = SLUICE_CHAIN_READ,
                                  .stage = STAGE,
                                  .row = row,
                                  .index = index,
                                  .count = count,
                                  .copy = 200},
                 NULL, 0, answer);
}

static void is(struct sluice_model *m, unsigned index, uint32_t s1, uint32_t s2) {
  uint32_t w1, w2;
  assert_true(sluice_model_state(m, ROW, STAGE, index, &w1, &w2));
  assert_int_equal(w1, s1);
  assert_int_equal(w2, s2);
}

TEST(a_take_answers_what_was_there) {
  static struct sluice_model_answer answer;
  struct sluice_model *m CLOSED_BY(close_model) = open_marks();
  assert_true(ask(m, SLUICE_TABLE_TAKE, ROW, 4, 3, &answer));
  FIELDS_ARE(&answer, (num, 3), (bytes[53], SLUICE_CHAIN_ANSWER));
  for (unsigned n = 0; n < 3; n++) {
    assert_int_equal(word(&answer, n, 0), 104 + n);
    assert_int_equal(word(&answer, n, 1), 4 + n);
    is(m, 4 + n, 7, 8);
  }
  is(m, 3, 103, 3);
  is(m, 7, 107, 7);
  // A READ of STATE leaves it there.
  assert_true(ask(m, SLUICE_TABLE_STATE, ROW, 4, 1, &answer));
  assert_int_equal(word(&answer, 0, 0), 7);
  is(m, 4, 7, 8);
}

TEST(what_a_take_leaves_is_that_of_its_stage) {
  static struct sluice_model_answer answer;
  struct sluice_model *m CLOSED_BY(close_model) = open_marks();
  struct control c = {.table = SLUICE_TABLE_LEAVE, .op = SLUICE_CHAIN_READ, .stage = STAGE};
  assert_true(control(m, c, NULL, 0, &answer));
  assert_int_equal(word(&answer, 0, 0), 7);
  assert_int_equal(word(&answer, 0, 1), 8);
  c.stage = 0;  // after reset
  assert_true(control(m, c, NULL, 0, &answer));
  assert_int_equal(word(&answer, 0, 0) | word(&answer, 0, 1), 0);
  c.index = 1;  // there is one
  assert_false(control(m, c, NULL, 0, &answer));
  // no such row
  c = (struct control){.table = SLUICE_TABLE_LEAVE, .op = SLUICE_CHAIN_READ, .row = 2 * 32};
  assert_false(control(m, c, NULL, 0, &answer));
  // no such pipeline
  c = (struct control){.table = SLUICE_TABLE_LEAVE, .op = SLUICE_CHAIN_READ, .copy = 2};
  assert_false(control(m, c, NULL, 0, &answer));
}

TEST(what_is_not_there_is_not_taken) {
  static struct sluice_model_answer answer;
  struct sluice_model *m CLOSED_BY(close_model) = open_marks();
  const struct entry value = pair(1, 1);
  assert_false(ask(m, SLUICE_TABLE_TAKE, ROW, RANGE, 1, &answer));
  FIELDS_ARE(&answer, (bytes[53], SLUICE_CHAIN_REFUSED), (num, 0));
  assert_false(ask(m, SLUICE_TABLE_TAKE, ROW, 0, 129, &answer));
  is(m, 0, 100, 0);
  // A message that ends outside is refused as a whole: what it took would be lost.
  assert_false(ask(m, SLUICE_TABLE_TAKE, ROW, RANGE - 1, 2, &answer));
  is(m, RANGE - 1, 100 + RANGE - 1, RANGE - 1);
  assert_false(ask(m, SLUICE_TABLE_TAKE, 2 * 32, 0, 1, &answer));
  assert_false(control(m, (struct control){.table = SLUICE_TABLE_TAKE, .stage = STAGE, .row = ROW},
                       &value, 1, NULL));
  is(m, 0, 100, 0);
  // In the range but not in the memory: 0 is read, and nothing left.
  segment(m, STAGE, ROW, 126, RANGE);  // 128 slots a pipeline
  assert_true(ask(m, SLUICE_TABLE_TAKE, ROW, 3, 2, &answer));
  assert_int_equal(word(&answer, 0, 0), 0);
  assert_int_equal(word(&answer, 1, 0), 0);
  is(m, 3, 7, 8);
  assert_true(ask(m, SLUICE_TABLE_STATE, ROW, 3, 2, &answer));
  assert_int_equal(word(&answer, 0, 0), 7);
  assert_int_equal(word(&answer, 1, 0), 0);
}

TEST(a_take_through_the_idle_bank_waits_for_its_packets) {
  static struct sluice_model_answer answer;
  struct sluice_model *m CLOSED_BY(close_model) = open_marks();
  segment(m, STAGE, 32 + ROW, BASE, RANGE);
  access(m, STAGE, 32 + ROW, 0, 0, operand(B4, 0));
  sluice_model_set_inside(m, 1, 1u << ROW);
  assert_false(ask(m, SLUICE_TABLE_TAKE, 32 + ROW, 2, 1, &answer));
  is(m, 2, 102, 2);
  assert_true(ask(m, SLUICE_TABLE_STATE, 32 + ROW, 2, 1, &answer));
  assert_int_equal(word(&answer, 0, 0), 102);
  assert_true(ask(m, SLUICE_TABLE_TAKE, ROW, 2, 1, &answer));
  sluice_model_set_inside(m, 1, 0);
  assert_true(ask(m, SLUICE_TABLE_TAKE, 32 + ROW, 2, 1, &answer));
  assert_int_equal(word(&answer, 0, 0), 7);
}

TEST(other_chips_have_neither) {
  static struct sluice_model_answer answer;
  struct sluice_model *m CLOSED_BY(close_model) = open_model("banks");
  segment(m, STAGE, ROW, BASE, RANGE);
  access(m, STAGE, ROW, 0, 0, operand(B4, 0));
  assert_true(ask(m, SLUICE_TABLE_STATE, ROW, 0, 1, &answer));
  assert_false(ask(m, SLUICE_TABLE_TAKE, ROW, 0, 1, &answer));
  assert_false(ask(m, SLUICE_TABLE_LEAVE, ROW, 0, 1, &answer));
}
