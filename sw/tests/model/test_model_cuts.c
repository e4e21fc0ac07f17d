// SPDX-License-Identifier: Apache-2.0
// Cuts in the reference model, and in the model as a chip: what a READ of CUT gives and refuses,
// FILL meanwhile, registers.
#include <sluice/transport.h>

#include "tests/rig/test.h"
#include "model/checker.h"
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
  struct sluice_model *m CLOSED_BY(close_model) = open_cuts("marks");
  sluice_model_cut_ask(m, BITS);
  // What comes between is in it.
  assert_true(write_state(m, SLUICE_TABLE_STATE, ROW, 4, pair(7, 8)));
  sluice_model_cut_take(m);
  assert_true(write_state(m, SLUICE_TABLE_STATE, ROW, 4, pair(9, 9)));
  assert_true(write_state(m, SLUICE_TABLE_STATE, ROW, 5, pair(9, 9)));
  for (int turn = 0; turn < 2; turn++) {
    assert_true(
        ask(m, (struct control){.stage = STAGE, .row = ROW, .index = 3, .count = 3}, &answer));
    FIELDS_ARE(&answer, (bytes[53], SLUICE_CHAIN_ANSWER), (num, 3));
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
}

TEST(what_is_not_in_it_is_refused) {
  static struct sluice_model_answer answer;
  struct sluice_model *m CLOSED_BY(close_model) = open_cuts("marks");
  const struct control good = {.stage = STAGE, .row = ROW, .index = RANGE - 1};
  struct control c = good;
  assert_false(ask(m, c, &answer));  // there is none
  sluice_model_cut_ask(m, BITS);
  assert_false(ask(m, c, &answer));  // not taken yet
  sluice_model_cut_take(m);
  assert_true(ask(m, c, &answer));
  c.count = 2;  // one of them outside
  assert_false(ask(m, c, &answer));
  FIELDS_ARE(&answer, (bytes[53], SLUICE_CHAIN_REFUSED), (num, 0));
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
}

TEST(a_fill_of_its_modules_is_refused) {
  uint32_t s1, s2;
  struct sluice_model *m CLOSED_BY(close_model) = open_cuts("marks");
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
}

TEST(other_chips_have_none) {
  static struct sluice_model_answer answer;
  struct sluice_model *m CLOSED_BY(close_model) = open_cuts("banks");
  sluice_model_cut_ask(m, BITS);
  sluice_model_cut_take(m);
  assert_false(ask(m, (struct control){.stage = STAGE, .row = ROW}, &answer));
  assert_true(write_state(m, SLUICE_TABLE_FILL, ROW, 0, pair(1, 1)));
}

// ---- the model as a chip ------------------------------------------------------------------------

enum { AT_CUT = SLUICE_CHIP_BASE + SLUICE_CHIP_CUT };
enum { AT_STATUS = SLUICE_CHIP_BASE + SLUICE_CHIP_CUT_STATUS };
enum { AT_TICKET = SLUICE_CHIP_BASE + SLUICE_CHIP_CUT_TICKET };

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

// ---- the monitor --------------------------------------------------------------------------------

static void tell(struct sluice_checker *ck, enum sluice_table table, unsigned stage, unsigned index,
                 const struct entry *e) {
  uint8_t frame[400];
  const struct control c = {.table = table, .stage = stage, .index = index};
  assert_true(sluice_checker_control(ck, 0, frame, control_frame(frame, c, e, 1), NULL));
}

// Module ROW counts its packets in entry 0 of an array at stage STAGE.
static struct sluice_checker *open_counting(void) {
  struct sluice_checker *ck = sluice_checker_open(sluice_config_find("marks"), NULL);
  struct entry e[6] = {{{0}}};
  assert_non_null(ck);
  SETS(&e[0], MODULE, (VALID, 1), (VID, ROW));
  tell(ck, SLUICE_TABLE_MODULE, 0, ROW, &e[0]);
  memset(&e[1], 0xff, sizeof e[1]);
  tell(ck, SLUICE_TABLE_KEY_MASK, STAGE, ROW, &e[1]);
  SET(&e[2], MATCH, VID, ROW);
  tell(ck, SLUICE_TABLE_MATCH, STAGE, 0, &e[2]);
  entry_slot(&e[3], 16, instr(SLUICE_OP_LOADD, 0, 0));
  tell(ck, SLUICE_TABLE_ACTION, STAGE, 0, &e[3]);
  SETS(&e[4], SEGMENT, (BASE, BASE), (RANGE, RANGE));
  tell(ck, SLUICE_TABLE_SEGMENT, STAGE, ROW, &e[4]);
  SET(&e[5], ACCESS, ENABLE, 1);
  tell(ck, SLUICE_TABLE_ACCESS, STAGE, ROW, &e[5]);
  sluice_checker_ready(ck, 0);
  return ck;
}

static void cut_now(struct sluice_checker *ck, uint64_t cycle, uint32_t ticket) {
  sluice_checker_cut_write(ck, BITS);
  sluice_checker_cut_written(ck, cycle, true);
  sluice_checker_cut(ck, cycle + 2, BITS, ticket);
}

static size_t read_cut(uint8_t *frame, unsigned index) {
  const struct control c = {.table = SLUICE_TABLE_CUT,
                            .op = SLUICE_CHAIN_READ,
                            .stage = STAGE,
                            .row = ROW,
                            .index = index,
                            .count = 1};
  return control_frame(frame, c, NULL, 0);
}

// A packet finds the index in a spare slot. The cut is behind it, or it is the first one behind the
// cut: then the index is away while that lasts.
TEST(an_index_is_away_for_packets_from_the_cut_on) {
  for (unsigned before = 0; before < 2; before++) {
    struct sluice_checker *ck CLOSED_BY(close_checker) = open_counting();
    struct sluice_report r;
    uint8_t bytes[64], frame[64], answer[128] = {0};
    data_frame(bytes, sizeof bytes, ROW, 0);
    sluice_checker_rx(ck, 1000, 0, bytes, UINT64_MAX, true, false, 0, 0);
    sluice_checker_lane(ck, 1003, 0, SLUICE_DROP_NONE);
    if (!before) cut_now(ck, 1010, 0);
    sluice_checker_order(ck, 1020, 0, SLUICE_DROP_NONE, 0);
    sluice_checker_cycle(ck, 1020);
    if (before) cut_now(ck, 1021, 1);
    sluice_checker_state(ck, 1030, STAGE, 0, sluice_config_slots(sluice_config_find("marks")), 0,
                         false);
    const size_t len = read_cut(frame, 0);
    memcpy(answer, frame, len);
    answer[53] = SLUICE_CHAIN_ANSWER;
    answer[len + 3] = (uint8_t)before;  // what it has counted
    assert_true(
        sluice_checker_cut_answer(ck, 1050, 1060, frame, len, answer, sizeof answer, false));
    sluice_checker_report(ck, &r);
    if (r.differences) fail_msg("%s", r.first.text);
    FIELDS_ARE(&r, (cuts_compared, 1), (cuts_away, !before));
  }
}

// An entry of the segment for which the memory has no slot is 0, in the cut and now: nothing has
// changed. A cut may be read as often as one likes.
TEST(what_has_no_slot_has_not_changed) {
  struct sluice_checker *ck CLOSED_BY(close_checker) = open_counting();
  struct sluice_report r;
  struct entry segment_entry = {{0}};
  uint8_t frame[64], answer[128] = {0};
  SETS(&segment_entry, SEGMENT, (BASE, 127), (RANGE, RANGE));
  tell(ck, SLUICE_TABLE_SEGMENT, STAGE, ROW, &segment_entry);
  cut_now(ck, 1000, 0);
  const size_t len = read_cut(frame, 3);
  memcpy(answer, frame, len);
  answer[53] = SLUICE_CHAIN_ANSWER;
  for (unsigned turn = 0; turn < 2; turn++)
    assert_true(
        sluice_checker_cut_answer(ck, 1050, 1060, frame, len, answer, sizeof answer, false));
  sluice_checker_report(ck, &r);
  if (r.differences) fail_msg("%s", r.first.text);
  FIELDS_ARE(&r, (cuts_compared, 2), (cuts_changed, 0));
}

// A READ of a cut may be refused if it was sent before the chip said that it is ready.
TEST(a_cut_that_is_ready_is_answered) {
  for (unsigned late = 0; late < 2; late++) {
    struct sluice_checker *ck CLOSED_BY(close_checker) = open_counting();
    uint8_t frame[64], answer[64];
    const size_t len = read_cut(frame, 0);
    memcpy(answer, frame, len);
    answer[53] = SLUICE_CHAIN_REFUSED;
    cut_now(ck, 1000, 0);
    sluice_checker_cut_status(ck, 1060, 3);
    assert_false(sluice_checker_cut_answer(ck, late ? 1061 : 1059, 1070, frame, len, answer,
                                           sizeof answer, false));
    assert_int_equal(sluice_checker_failed(ck), late);
  }
}
