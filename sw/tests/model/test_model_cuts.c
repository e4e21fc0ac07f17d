// SPDX-License-Identifier: Apache-2.0
// Cuts in the reference model, and in the model as a chip: what a READ of CUT gives and refuses,
// FILL meanwhile, registers.
#include <sluice/transport.h>

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "tests/rig/model_rig.h"
#include "tests/rig/says.h"

enum { STAGE = 1, BASE = 3, RANGE = 10, OTHER = 6, BITS = 1u << ROW };

static bool write_state(struct sluice_model *m, enum sluice_table table, unsigned row,
                        unsigned index, struct entry e) {
  return control(m, (struct control){.table = table, .stage = STAGE, .row = row, .index = index},
                 &e, 1, NULL);
}

static bool ask(struct sluice_model *m, struct control c, struct sluice_model_answer *answer) {
  c.table = SLUICE_TABLE_CUT;
  c.op = SLUICE_CHAIN_READ;
  c.copy = 200;
  return control(m, c, NULL, 0, answer);
}

// Entry i of the module is {100 + i, i}.
static struct sluice_model *open_cuts(const char *config) {
  struct sluice_model *m = open_model(config);
  segment(m, STAGE, ROW, BASE, RANGE);
  access(m, STAGE, ROW, 0, 0, operand(B4, 0));
  segment(m, STAGE, OTHER, BASE + RANGE, RANGE);
  access(m, STAGE, OTHER, 0, 0, operand(B4, 0));
  for (unsigned i = 0; i < RANGE; i++)
    assert_true(write_state(m, SLUICE_TABLE_STATE, ROW, i, pair(100 + i, i)));
  return m;
}

TEST(a_cut_keeps_what_was_there) {
  static struct sluice_model_answer answer;
  struct sluice_model *m = open_cuts("marks");
  sluice_model_cut_ask(m, BITS);
  // What comes between is in it.
  assert_true(write_state(m, SLUICE_TABLE_STATE, ROW, 4, pair(7, 8)));
  sluice_model_cut_take(m);
  assert_true(write_state(m, SLUICE_TABLE_STATE, ROW, 4, pair(9, 9)));
  assert_true(write_state(m, SLUICE_TABLE_STATE, ROW, 5, pair(9, 9)));
  for (int turn = 0; turn < 2; turn++) {
    assert_true(
        ask(m, (struct control){.stage = STAGE, .row = ROW, .index = 3, .count = 3}, &answer));
    assert_int_equal(answer.bytes[53], SLUICE_CHAIN_ANSWER);
    assert_int_equal(answer.num, 3);
    assert_int_equal(word(&answer, 0, 0), 103);
    assert_int_equal(word(&answer, 1, 0), 7);
    assert_int_equal(word(&answer, 1, 1), 8);
    assert_int_equal(word(&answer, 2, 0), 105);
    assert_int_equal(word(&answer, 2, 1), 5);
  }
  // Through the other bank's SEGMENT entry: the module counts, and the place.
  segment(m, STAGE, 32 + ROW, BASE, 2);
  access(m, STAGE, 32 + ROW, 0, 0, operand(B4, 0));
  assert_true(ask(m, (struct control){.stage = STAGE, .row = 32 + ROW, .index = 1}, &answer));
  assert_int_equal(word(&answer, 0, 0), 101);
  sluice_model_close(m);
}

TEST(what_is_not_in_it_is_refused) {
  static struct sluice_model_answer answer;
  struct sluice_model *m = open_cuts("marks");
  const struct control good = {.stage = STAGE, .row = ROW, .index = RANGE - 1};
  struct control c = good;
  assert_false(ask(m, c, &answer));  // there is none
  sluice_model_cut_ask(m, BITS);
  assert_false(ask(m, c, &answer));  // not taken yet
  sluice_model_cut_take(m);
  assert_true(ask(m, c, &answer));
  c.count = 2;  // one of them outside
  assert_false(ask(m, c, &answer));
  assert_int_equal(answer.bytes[53], SLUICE_CHAIN_REFUSED);
  assert_int_equal(answer.num, 0);
  c = good, c.row = OTHER, c.index = 0;
  assert_false(ask(m, c, &answer));
  c = good, c.row = 2 * 32;
  assert_false(ask(m, c, &answer));
  c = good, c.stage = 2;  // no state there
  assert_false(ask(m, c, &answer));
  const struct entry value = pair(1, 1);
  assert_false(write_state(m, SLUICE_TABLE_CUT, ROW, 0, value));
  // In the range but not in the memory: 0.
  segment(m, STAGE, ROW, 127, RANGE);  // 128 slots a pipeline
  c = good, c.index = 3;
  assert_true(ask(m, c, &answer));
  assert_int_equal(word(&answer, 0, 0), 0);
  segment(m, STAGE, ROW, BASE, RANGE);
  sluice_model_cut_ask(m, 0);
  assert_false(ask(m, good, &answer));
  sluice_model_close(m);
}

TEST(a_fill_of_its_modules_is_refused) {
  uint32_t s1, s2;
  struct sluice_model *m = open_cuts("marks");
  sluice_model_cut_ask(m, BITS);
  assert_false(write_state(m, SLUICE_TABLE_FILL, ROW, 0, pair(1, 1)));
  assert_false(write_state(m, SLUICE_TABLE_FILL, 32 + ROW, 0, pair(1, 1)));
  assert_true(write_state(m, SLUICE_TABLE_FILL, OTHER, 0, pair(2, 2)));
  sluice_model_cut_take(m);
  assert_false(write_state(m, SLUICE_TABLE_FILL, ROW, 0, pair(1, 1)));
  sluice_model_cut_ask(m, 0);
  assert_true(write_state(m, SLUICE_TABLE_FILL, ROW, 0, pair(1, 1)));
  assert_true(sluice_model_state(m, ROW, STAGE, 4, &s1, &s2));
  assert_int_equal(s1, 1);
  sluice_model_close(m);
}

TEST(other_chips_have_none) {
  static struct sluice_model_answer answer;
  struct sluice_model *m = open_cuts("banks");
  sluice_model_cut_ask(m, BITS);
  sluice_model_cut_take(m);
  assert_false(ask(m, (struct control){.stage = STAGE, .row = ROW}, &answer));
  assert_true(write_state(m, SLUICE_TABLE_FILL, ROW, 0, pair(1, 1)));
  sluice_model_close(m);
}

// ---- the model as a chip ------------------------------------------------------------------------

enum {
  AT_CUT = SLUICE_CHIP_BASE + SLUICE_CHIP_CUT,
  AT_STATUS = SLUICE_CHIP_BASE + SLUICE_CHIP_CUT_STATUS,
  AT_TICKET = SLUICE_CHIP_BASE + SLUICE_CHIP_CUT_TICKET
};

static uint32_t reg(const struct sluice_transport *to, uint32_t addr) {
  uint32_t value;
  GOOD(to->ops->csr_read(to->self, addr, &value, &error));
  return value;
}

TEST(registers_say_what_there_is) {
  struct sluice_transport to;
  GOOD(sluice_transport_model(&to, "marks", NULL, &error));
  assert_int_equal(reg(&to, AT_CUT) | reg(&to, AT_STATUS) | reg(&to, AT_TICKET), 0);
  GOOD(to.ops->csr_write(to.self, AT_CUT, 0, &error));
  GOOD(to.ops->csr_write(to.self, AT_CUT, BITS, &error));
  assert_int_equal(reg(&to, AT_CUT), BITS);
  assert_int_equal(reg(&to, AT_STATUS), 3);
  SAYS(SLUICE_ERR_IO, "SLVERR", to.ops->csr_write(to.self, AT_CUT, 1, &error));
  assert_int_equal(reg(&to, AT_CUT), BITS);
  GOOD(to.ops->csr_write(to.self, AT_CUT, 0, &error));
  assert_int_equal(reg(&to, AT_STATUS), 0);
  SAYS(SLUICE_ERR_IO, "SLVERR", to.ops->csr_write(to.self, AT_STATUS, 0, &error));
  to.ops->close(to.self);
  GOOD(sluice_transport_model(&to, "banks", NULL, &error));
  SAYS(SLUICE_ERR_IO, "SLVERR", to.ops->csr_write(to.self, AT_CUT, 0, &error));
  SAYS(SLUICE_ERR_IO, "SLVERR", to.ops->csr_write(to.self, AT_CUT, 1, &error));
  assert_int_equal(reg(&to, AT_CUT), 0);
  to.ops->close(to.self);
}
