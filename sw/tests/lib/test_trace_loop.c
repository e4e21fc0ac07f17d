// SPDX-License-Identifier: Apache-2.0
// Recirculation outside of the chip, and what is done to a trace before it is played.

#include "tests/rig/test.h"
#include "base/rng.h"
#include "base/bytes.h"
#include "lib/trace_loop.h"
#include "lib/trace_play.h"
#include "lib/trace_shape.h"

enum { PIPES = 4, PORTS = 9, ITEMS = 5 };

static void set(uint8_t *frame, const unsigned *items) {
  memset(frame, 0, SLUICE_TRACE_MIN_LEN);
  frame[16] = 0x88;
  frame[17] = 0xb5;
  for (unsigned i = 0; i < ITEMS; i++)
    sluice_put16(frame + SLUICE_TRACE_FIRST_ITEM + 2 + 2 * i, items[i]);
}

static void expect(const uint8_t *frame, unsigned lane, const unsigned *items) {
  assert_true(frame[SLUICE_TRACE_FIRST_ITEM + 1] < PORTS);
  assert_int_equal(frame[SLUICE_TRACE_FIRST_ITEM + 1] % PIPES, lane);
  for (unsigned i = 0; i < ITEMS; i++) {
    const uint8_t *at = frame + SLUICE_TRACE_FIRST_ITEM + 2 + 2 * i;
    assert_int_equal(sluice_get16(at), items[i]);
  }
}

#define ITEM_LIST(...) \
  (const unsigned[ITEMS]) { __VA_ARGS__ }

TEST(a_pass_carries_what_lives_in_its_pipeline) {
  struct sluice_trace_loop *l CLOSED_BY(free_trace_loop) =
      sluice_trace_loop_new(ITEMS, PIPES, PORTS);
  struct sluice_trace_loop_counts c;
  uint8_t f[SLUICE_TRACE_MIN_LEN];
  // Homes 1, 1, none, 2, 1: from lane 0 no access, then lanes 1, 2 and 1 again.
  set(f, ITEM_LIST(5, 9, 0, 6, 13));
  sluice_trace_loop_take(l, 0, 0, f);
  expect(f, 0, ITEM_LIST(0));
  assert_int_equal(sluice_trace_loop_open(l), 1);
  sluice_trace_loop_admitted(l, 0);
  sluice_put16(f + SLUICE_TRACE_FIRST_ITEM + 4, 4711);  // what it has read
  assert_int_equal(sluice_trace_loop_left(l, 0, 100, f), 1);
  expect(f, 1, ITEM_LIST(5, 9));
  sluice_trace_loop_admitted(l, 0);
  assert_int_equal(sluice_trace_loop_left(l, 0, 200, f), 2);
  expect(f, 2, ITEM_LIST(0, 0, 0, 6));
  sluice_trace_loop_admitted(l, 0);
  assert_int_equal(sluice_trace_loop_left(l, 0, 300, f), 1);
  expect(f, 1, ITEM_LIST(0, 0, 0, 0, 13));
  sluice_trace_loop_admitted(l, 0);
  assert_int_equal(sluice_trace_loop_left(l, 0, 400, f), -1);
  assert_int_equal(sluice_trace_loop_open(l), 0);
  // No access at all, and all in the lane where it comes in.
  set(f, ITEM_LIST(0));
  sluice_trace_loop_take(l, 1, 3, f);
  sluice_trace_loop_admitted(l, 1);
  assert_int_equal(sluice_trace_loop_left(l, 1, 401, f), -1);
  set(f, ITEM_LIST(0, 3, 0, 7));
  sluice_trace_loop_take(l, 2, 3, f);
  expect(f, 3, ITEM_LIST(0, 3, 0, 7));
  sluice_trace_loop_admitted(l, 2);
  assert_int_equal(sluice_trace_loop_left(l, 2, 402, f), -1);
  assert_true(sluice_trace_loop_count(l, &c));
  FIELDS_ARE(&c, (packets, 3), (done, 3), (passes, 6), (most_passes, 4), (accesses, 6));
  assert_int_equal(c.c1_late + c.c1_early + c.lost + c.reordered, 0);
}

TEST(late_and_early_packets_are_told_apart) {
  struct sluice_trace_loop *l CLOSED_BY(free_trace_loop) =
      sluice_trace_loop_new(ITEMS, PIPES, PORTS);
  struct sluice_trace_loop_counts c;
  uint8_t f[6][SLUICE_TRACE_MIN_LEN];
  // Packet 0 comes to lane 1 late; 1, 2 and 3 are before it at the same index. 4 has another one, 5
  // is lost.
  for (unsigned n = 0; n < 6; n++) {
    set(f[n], ITEM_LIST(n == 4 ? 9 : 5));
    sluice_put32(f[n] + SLUICE_TRACE_FLOW, n == 2 ? 7 : 8);
    sluice_trace_loop_take(l, n, n == 0 ? 0 : 1, f[n]);
    sluice_trace_loop_admitted(l, n == 5 ? 99 : n);
  }
  sluice_trace_loop_lost(l, 5);
  sluice_trace_loop_lost(l, 5);
  assert_int_equal(sluice_trace_loop_left(l, 0, 10, f[0]), 1);
  for (unsigned n = 1; n < 6; n++) assert_int_equal(sluice_trace_loop_left(l, n, 10 + n, f[n]), -1);
  sluice_trace_loop_admitted(l, 0);
  assert_int_equal(sluice_trace_loop_left(l, 0, 20, f[0]), -1);
  assert_true(sluice_trace_loop_count(l, &c));
  FIELDS_ARE(&c, (done, 5), (lost, 1), (c1_accesses, 1), (c1_late, 1), (c1_early, 3),
             (reordered, 1), (reordered_of_a_lane, 0));
}

// ---- the shape of a trace -----------------------------------------------------------------------

static struct sluice_trace made(unsigned flows, unsigned packets) {
  struct sluice_error error;
  struct sluice_trace t = {.ports = 8, .lanes = PIPES, .stages = 3, .stateful = 2, .entries = 100};
  for (uint32_t f = 0; f < flows; f++) {
    struct sluice_trace_flow flow = {
        .id = f, .num = 2, .accesses = {{0, f % 100}, {2, (f * 7 + 3) % 100}}};
    assert_int_equal(sluice_trace_add_flow(&t, &flow, &error), SLUICE_OK);
  }
  for (uint32_t n = 0; n < packets; n++)  // a flow's share falls with its number
    assert_int_equal(
        sluice_trace_add_packet(&t, n % 8, 64 + n % 2 * 64, n % (1 + n % flows), n / 4, &error),
        SLUICE_OK);
  return t;
}

TEST(random_places_are_the_studys) {
  struct sluice_error error;
  struct sluice_rng rng;
  struct sluice_trace t CLOSED_BY(sluice_trace_release) = made(100, 10);
  uint32_t of_pipe[PIPES] = {0}, names[100];
  assert_int_equal(sluice_trace_place_at_random(&t, 5, &error), SLUICE_OK);
  sluice_rng_init(&rng, 5, "study places");
  for (uint32_t i = 0; i < 100; i++) {  // stage 0: flow i has index i
    names[i] = t.flows[i].accesses[0].index;
    const uint32_t pipe = (names[i] + 1) % PIPES;
    assert_int_equal(pipe, sluice_rng_below(&rng, PIPES));
    of_pipe[pipe]++;
    assert_true(names[i] < t.entries);
    for (uint32_t j = 0; j < i; j++) assert_int_not_equal(names[i], names[j]);
  }
  for (uint32_t i = 0; i < 100; i++)  // stage 2, which is drawn next: stage 1 has no state
    for (uint32_t f = 0; f < 100; f++)
      if ((f * 7 + 3) % 100 == i) {
        assert_int_equal((t.flows[f].accesses[1].index + 1) % PIPES, sluice_rng_below(&rng, PIPES));
      }
  for (unsigned k = 0; k < PIPES; k++) assert_true(of_pipe[k] > 10);
  assert_true(t.entries >= 100 && t.entries < 200);
}

TEST(a_flow_gets_one_lane_and_lanes_the_same_load) {
  struct sluice_error error;
  struct sluice_trace t CLOSED_BY(sluice_trace_release) = made(40, 4000);
  uint32_t lane_of[40];
  uint64_t beats[PIPES] = {0};
  memset(lane_of, 0xff, sizeof lane_of);
  assert_int_equal(sluice_trace_lane_per_flow(&t, 64, &error), SLUICE_OK);
  for (uint32_t n = 0; n < t.num_packets; n++) {
    const struct sluice_trace_packet *p = &t.packets[n];
    assert_int_equal(p->time, n / 4);
    assert_int_equal(sluice_trace_lane(&t, p->port), p->lane);
    if (lane_of[p->id] == UINT32_MAX) lane_of[p->id] = p->lane;
    assert_int_equal(p->lane, lane_of[p->id]);
    beats[p->lane] += p->bytes / 64;
  }
  for (unsigned k = 1; k < PIPES; k++)
    assert_true(beats[k] < 1.05 * (double)beats[0] && beats[0] < 1.05 * (double)beats[k]);
}
