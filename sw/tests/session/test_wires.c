// SPDX-License-Identifier: Apache-2.0
// Frames on the wires of a simulated chip, and the chip with its monitors, without a simulator.
#include "tests/rig/test.h"

#include "driver/wire/wire.h"
#include "monitor/monitored.h"
#include "session/wires.h"

enum { CYCLES = 64 };

static struct wires w;
static int begin(void **state) {
  (void)state;
  wires_init(&w, sluice_config_find("tiny"), 1);
  return 0;
}
static int end(void **state) {
  (void)state;
  wires_clear(&w);
  return 0;
}

static struct frame *frame(uint64_t number, unsigned port, size_t len, uint64_t due) {
  struct frame *f = wires_frame(len);
  assert_non_null(f);
  f->number = number;
  f->port = port;
  f->len = len;
  f->due = due;
  for (size_t i = 0; i < len; i++) f->bytes[i] = (uint8_t)(number + i);
  return f;
}

// The numbers of the frames whose last beats are on lane 0, cycle by cycle; 0: none.
static void play(uint64_t ends[CYCLES]) {
  static struct beat rx[WIRES_MAX];
  for (uint64_t c = 0; c < CYCLES; c++) {
    wires_drive(&w, c, rx);
    ends[c] = rx[0].valid && rx[0].last ? rx[0].number : 0;
  }
}

TEST_WITH(a_frame_goes_in_beat_by_beat, begin, end) {
  struct beat rx[WIRES_MAX] = {{.valid = false}};
  wires_append(&w, frame(7, 0, 130, 0), false);
  assert_int_equal(wires_waiting(&w, 0), 1);
  for (unsigned beat = 0; beat < 3; beat++) {
    wires_drive(&w, beat, rx);
    assert_true(rx[0].valid);
    FIELDS_ARE(&rx[0], (number, 7), (last, beat == 2), (keep, beat < 2 ? UINT64_MAX : 3));
    for (size_t i = 0; i < (beat < 2 ? 64 : 2); i++)
      assert_int_equal(rx[0].data[i], (uint8_t)(7 + 64 * beat + i));
    assert_int_equal(rx[0].data[63], beat < 2 ? (uint8_t)(7 + 64 * beat + 63) : 0xa5);
    assert_false(rx[1].valid);
  }
  wires_drive(&w, 3, rx);
  assert_false(rx[0].valid);
  assert_int_equal(w.sent, 1);
  assert_int_equal(w.queued + wires_waiting(&w, 0), 0);
}

TEST_WITH(a_damaged_frame_is_damaged_in_its_place, begin, end) {
  struct beat rx[WIRES_MAX];
  struct frame *f = frame(1, 0, 128, 0);
  f->mark_bad = true;
  f->gap_at = 70;
  wires_append(&w, f, false);
  wires_drive(&w, 0, rx);
  assert_int_equal(rx[0].keep, UINT64_MAX);
  assert_false(rx[0].err);
  wires_drive(&w, 1, rx);
  assert_int_equal(rx[0].keep, UINT64_MAX & ~(UINT64_C(1) << 6));
  assert_true(rx[0].err);
}

TEST_WITH(what_is_due_earlier_goes_first, begin, end) {
  uint64_t ends[CYCLES];
  wires_insert(&w, frame(1, 0, 64, 20));
  wires_insert(&w, frame(2, 0, 64, 5));
  wires_insert(&w, frame(3, 0, 64, 20));
  wires_insert(&w, frame(4, 0, 64, 0));
  play(ends);
  assert_int_equal(ends[0], 4);
  assert_int_equal(ends[4], 0);
  assert_int_equal(ends[5], 2);
  assert_int_equal(ends[19], 0);
  assert_int_equal(ends[20], 1);
  assert_int_equal(ends[21], 3);
}

TEST_WITH(what_comes_again_goes_in_front, begin, end) {
  uint64_t ends[CYCLES];
  wires_append(&w, frame(1, 0, 64, 3), false);
  wires_append(&w, frame(2, 0, 64, 0), false);
  wires_append(&w, frame(3, 0, 64, 0), true);
  play(ends);
  assert_int_equal(ends[0], 3);
  // The first of a wire keeps those behind it.
  assert_int_equal(ends[1] + ends[2], 0);
  assert_int_equal(ends[3], 1);
  assert_int_equal(ends[4], 2);
}

static unsigned asked;
static bool next(void *user, uint64_t cycle) {
  (void)user, (void)cycle;
  if (asked == 8) return false;
  wires_append(&w, frame(++asked, 0, 64, 0), false);
  return true;
}

TEST_WITH(a_wire_asks_when_it_has_nothing, begin, end) {
  uint64_t ends[CYCLES];
  w.next = next;
  w.load = 0.5;
  play(ends);
  unsigned gaps = 0, seen = 0;
  for (unsigned c = 0; c < CYCLES && seen < 8; c++) {
    gaps += !ends[c];
    if (ends[c]) assert_int_equal(ends[c], ++seen);
  }
  // At half of the load a wire rests about as long as it sends.
  assert_int_equal(seen, 8);
  assert_in_range(gaps, 2, 40);
  wires_append(&w, frame(9, 0, 640, 0), false);
  wires_clear(&w);
  assert_int_equal(w.queued + wires_waiting(&w, 0), 0);
}

// ---- monitors -----------------------------------------------------------------------------------

// The model as a chip, one byte of whose answers is another.
static struct sluice_transport model;
static bool lies;
static enum sluice_status lying_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                        struct sluice_error *error) {
  const enum sluice_status status = model.ops->control_receive(self, bytes, room, len, error);
  if (!status && *len > 66 && lies) bytes[66] ^= 1;
  return status;
}

static uint64_t differences_of(bool wrong, struct sluice_report *r) {
  const struct sluice_config *config = sluice_config_find("tiny");
  static struct monitored m;
  static struct sluice_transport_ops ops;
  struct sluice_frame ask;
  assert_int_equal(sluice_transport_model(&model, "tiny", NULL, NULL), SLUICE_OK);
  lies = wrong;
  ops = *model.ops;
  ops.control_receive = lying_receive;
  m = (struct monitored){.chip = {&ops, model.self, model.frame_max}};
  assert_true(monitored_open(&m, config, &(struct sluice_checker_hooks){.user = NULL}));
  sluice_reconfig_begin(&ask, SLUICE_CHAIN_READ, SLUICE_TABLE_SEGMENT, 0, 0);
  SLUICE_RECONFIG_SET(&ask, COUNT, 2);
  sluice_reconfig_finish(&ask);
  assert_int_equal(monitored_control(&m, ask.bytes, ask.len, NULL), SLUICE_OK);
  assert_int_equal(monitored_wait_control(&m, NULL), SLUICE_OK);
  FIELDS_ARE(&m, (answers, 1), (control_good, 1));
  sluice_checker_report(m.checker, r);
  // What they had to say outlives a reset; counts begin anew.
  assert_true(monitored_again(&m));
  assert_int_equal(m.control_good + m.control_bad, 0);
  assert_int_equal(m.differences, r->differences);
  monitored_close(&m);
  sluice_transport_close(&model);
  return r->differences;
}

TEST(monitors_compare_answers) {
  struct sluice_report r;
  assert_int_equal(differences_of(false, &r), 0);
  assert_int_equal(differences_of(true, &r), 1);
  assert_non_null(strstr(r.first.text, "answer to control packet 0, byte 66"));
}
