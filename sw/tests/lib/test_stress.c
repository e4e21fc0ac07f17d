// SPDX-License-Identifier: Apache-2.0

#include "tests/rig/test.h"
#include "lib/stress.h"

static struct sluice_trace make(const struct sluice_stress_options *o) {
  struct sluice_trace t;
  struct sluice_error error;
  if (sluice_stress_make(&t, o, &error)) fail_msg("%s", error.text);
  return t;
}

// How often the most wanted index of an access is wanted in cycles from..to-1, and which it is.
static uint32_t hottest(const struct sluice_trace *t, uint32_t access, uint32_t from, uint32_t to,
                        uint32_t *index) {
  uint32_t count[64] = {0}, best = 0;
  for (uint32_t i = 0; i < t->num_packets; i++)
    if (t->packets[i].time >= from && t->packets[i].time < to)
      count[t->flows[t->packets[i].flow].accesses[access].index]++;
  for (uint32_t i = 1; i < 64; i++)
    if (count[i] > count[best]) best = i;
  *index = best;
  return count[best];
}

TEST(every_packet_has_its_accesses) {
  struct sluice_stress_options o = sluice_stress_defaults();
  o.cycles = 1000;
  o.load = 0.5;
  struct sluice_trace t CLOSED_BY(sluice_trace_release) = make(&o);
  assert_in_range(t.num_packets, 1850, 2150);
  assert_int_equal(t.num_flows, t.num_packets);
  for (uint32_t i = 0; i < t.num_packets; i++) {
    const struct sluice_trace_flow *f = &t.flows[t.packets[i].flow];
    assert_int_equal(f->num, 4);
    for (uint32_t a = 0; a < 4; a++) {
      assert_int_equal(f->accesses[a].stage, o.stateful[a]);
      assert_true(f->accesses[a].index < 512);
    }
    assert_int_equal(t.packets[i].bytes, 64);
    assert_true(t.packets[i].lane < 4);
  }
}

TEST(a_seed_gives_the_same_trace_for_ever) {
  struct sluice_stress_options o = sluice_stress_defaults();
  o.cycles = 300;
  o.zipf = 0.9;
  o.load = 0.8;
  struct sluice_trace t CLOSED_BY(sluice_trace_release) = make(&o),
                        again CLOSED_BY(sluice_trace_release) = make(&o);
  assert_int_equal(t.num_packets, again.num_packets);
  assert_int_equal(memcmp(t.flows, again.flows, t.num_flows * sizeof *t.flows), 0);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < t.num_flows; i++)
    for (uint32_t a = 0; a < 4; a++) sum = sum * 31 + t.flows[i].accesses[a].index;
  assert_int_equal(t.num_packets, 955);
  assert_int_equal(sum, 3247453195u);
  sluice_trace_release(&again);
  o.seed = 2;
  again = make(&o);
  assert_true(again.num_packets != t.num_packets ||
              memcmp(t.flows, again.flows, t.num_flows * sizeof *t.flows) != 0);
}

TEST(the_zipf_exponent_makes_hot_indices) {
  struct sluice_stress_options o = sluice_stress_defaults();
  o.cycles = 2500;
  o.entries = 64;
  struct sluice_trace t CLOSED_BY(sluice_trace_release) = make(&o);
  uint32_t even, skewed, index, other;
  even = hottest(&t, 0, 0, 2500, &index);  // 10,000 packets: 156 each
  assert_in_range(even, 156, 220);
  sluice_trace_release(&t);
  o.zipf = 1.0;  // the first of 64 gets 1 / (1 + 1/2 + .. + 1/64) = 0.2108
  t = make(&o);
  skewed = hottest(&t, 0, 0, 2500, &index);
  assert_in_range(skewed, 1950, 2270);
  hottest(&t, 1, 0, 2500, &other);
  assert_int_not_equal(index, other);  // each stage has an order of its own
}

TEST(hot_spots_swap) {
  struct sluice_stress_options o = sluice_stress_defaults();
  o.cycles = 3000;
  o.entries = 64;
  o.zipf = 1.0;
  o.every = 1000;
  uint32_t first, second, third;
  struct sluice_trace t CLOSED_BY(sluice_trace_release) = make(&o);
  hottest(&t, 2, 0, 1000, &first);
  hottest(&t, 2, 1000, 2000, &second);
  assert_int_equal(first, second);  // steady
  sluice_trace_release(&t);
  o.pattern = SLUICE_STRESS_HOT_SWAP;
  t = make(&o);
  hottest(&t, 2, 0, 1000, &first);
  hottest(&t, 2, 1000, 2000, &second);
  hottest(&t, 2, 2000, 3000, &third);
  assert_int_not_equal(first, second);
  assert_int_equal(first, third);
  assert_string_equal(t.pattern, "hot-swap");
}

TEST(bursts_come_from_one_lane_after_the_other) {
  struct sluice_stress_options o = sluice_stress_defaults();
  o.cycles = 80;
  o.pattern = SLUICE_STRESS_BURST;
  o.every = 10;
  o.load = 0.0;
  struct sluice_trace t CLOSED_BY(sluice_trace_release) = make(&o);
  assert_int_equal(t.num_packets, 80);
  for (uint32_t i = 0; i < 80; i++) FIELDS_ARE(&t.packets[i], (time, i), (lane, i / 10 % 4));
}

TEST(one_entry_is_wanted_by_all) {
  struct sluice_stress_options o = sluice_stress_defaults();
  o.cycles = 10;
  o.entries = 1;
  o.num_stateful = 1;
  struct sluice_trace t CLOSED_BY(sluice_trace_release) = make(&o);
  assert_int_equal(t.num_packets, 40);
  for (uint32_t i = 0; i < 40; i++) assert_int_equal(t.flows[i].accesses[0].index, 0);
}

TEST(options_out_of_range_are_refused) {
  struct sluice_error error;
  struct sluice_trace t;
  for (int i = 0; i < 15; i++) {
    struct sluice_stress_options o = sluice_stress_defaults();
    o.cycles = 10;
    switch (i) {
      case 0: o.ports = 0; break;
      case 1: o.lanes = 65; break;
      case 2: o.ports = 3; break;
      case 3: o.stages = 0; break;
      case 4: o.entries = 0; break;
      case 5: o.num_stateful = 17; break;
      case 6: o.stages = 13; break;
      case 7: o.stateful[1] = 2; break;
      case 8: o.zipf = 9; break;
      case 9: o.load = 0; break;
      case 10: o.load = 1.5; break;
      case 11: o.pattern = SLUICE_STRESS_HOT_SWAP; break;
      case 12: o.every = 0; break;
      case 13: o.cycles = 1u << 31; break;
      case 14: o.bytes = 0; break;
      default: break;
    }
    if (sluice_stress_make(&t, &o, &error) != SLUICE_ERR_RANGE) fail_msg("case %d", i);
  }
}
