// SPDX-License-Identifier: Apache-2.0

#include <math.h>

#include "tests/rig/test.h"
#include "lib/stress.h"
#include "figures/study/study.h"

// ---- traces made by hand ------------------------------------------------------------------------

static struct sluice_trace empty(uint32_t lanes, uint32_t stages, uint32_t entries) {
  return (struct sluice_trace){.ports = lanes,
                               .lanes = lanes,
                               .stages = stages,
                               .entries = entries,
                               .size = "64",
                               .pattern = "hand"};
}

// A flow without state has stage -1.
static void add_flow(struct sluice_trace *t, uint32_t id, int stage, uint32_t index) {
  struct sluice_trace_flow f = {.id = id, .num = stage >= 0};
  f.accesses[0] = (struct sluice_trace_access){(uint32_t)stage, index};
  assert_int_equal(sluice_trace_add_flow(t, &f, NULL), SLUICE_OK);
}

static void add_packet(struct sluice_trace *t, uint32_t lane, uint32_t id, uint32_t time) {
  assert_int_equal(sluice_trace_add_packet(t, lane, 64, id, time, NULL), SLUICE_OK);
}

static struct study_result result;  // large

static const struct study_result *run(enum study_mode mode, struct sluice_trace *t,
                                      const char *settings) {
  struct study_options o;
  struct sluice_error error;
  study_options_init(&o, mode);
  char text[300], *rest = text, *item;
  snprintf(text, sizeof text, "%s", settings);
  while ((item = strtok_r(rest, " ", &rest))) {
    char *value = strchr(item, '=');
    *value++ = 0;
    if (study_set(&o, item, value, &error)) fail_msg("%s", error.text);
  }
  if (study_run(&o, t, &result, &error)) fail_msg("%s", error.text);
  sluice_trace_release(t);
  // What holds of every run.
  uint64_t slots = result.cycles * result.lanes;
  for (uint32_t s = 0; s < result.stages; s++) {
    const struct study_stage *g = &result.stage[s];
    assert_int_equal(g->used + g->nothing + g->order + g->credit + g->move, slots);
    if (!result.stuck && mode != STUDY_RECIRCULATION && !result.dropped)
      assert_int_equal(g->used + g->beside, result.packets);
  }
  if (!result.stuck) assert_int_equal(result.left + result.dropped, result.packets);
  return &result;
}

static struct sluice_trace stress(uint32_t lanes, uint32_t entries, double zipf, double load,
                                  uint32_t cycles, uint64_t seed) {
  struct sluice_stress_options o = sluice_stress_defaults();
  struct sluice_trace t;
  o.lanes = lanes;
  o.entries = entries;
  o.zipf = zipf;
  o.load = load;
  o.cycles = cycles;
  o.seed = seed;
  assert_int_equal(sluice_stress_make(&t, &o, NULL), SLUICE_OK);
  return t;
}

// Packets that have state at some of the stages only, as in the published traces.
static struct sluice_trace mixed(void) {
  struct sluice_trace t = stress(4, 512, 0.0, 1.0, 1500, 1);
  for (uint32_t i = 0; i < t.num_flows; i++) {
    struct sluice_trace_flow *f = &t.flows[i];
    uint32_t kept = 0;
    for (uint32_t a = 0; a < f->num; a++)
      if (f->accesses[a].index >> 3 & 1) f->accesses[kept++] = f->accesses[a];
    f->num = kept;
  }
  return t;
}

static bool near(double x, double y, double most) { return fabs(x - y) <= most; }

// ---- cases that a hand can work out -------------------------------------------------------------

TEST(a_lone_packet_takes_a_hop_a_stage_and_a_cycle) {
  static const char *const hops[] = {"hop=8", "hop=5 steered=1"};
  static const uint64_t latency[] = {(6 - 1) * 8 + 2, (6 - 1) * 5 + 1};
  for (int stateful = -1; stateful < 6; stateful++) {
    for (int i = 0; i < 2; i++) {
      struct sluice_trace t = empty(4, 6, 8);
      add_flow(&t, 1, stateful, 3);
      add_packet(&t, 2, 1, 1000);
      const struct study_result *r = run(STUDY_OURS, &t, hops[i]);
      FIELDS_ARE(r, (last_out, 1000 + latency[i]), (constant, latency[i]));
      assert_true(near(r->mean_latency, (double)latency[i], 0.0));
      assert_true(near(study_throughput_net(r), 1.0, 0.0));
      assert_true(study_throughput(r) < 0.99);
    }
  }
}

// All lanes send in all cycles; packet p of lane k wants index (k + turn * p) % 4 in `stage`.
static struct sluice_trace full_rate(unsigned packets, uint32_t turn, bool one) {
  struct sluice_trace t = empty(4, 3, 4);
  for (uint32_t i = 0; i < 4; i++) add_flow(&t, i, 1, i);
  for (uint32_t p = 0; p < packets; p++)
    for (uint32_t k = 0; k < 4; k++) add_packet(&t, k, one ? 2 : (k + turn * p) % 4, p);
  return t;
}

TEST(one_index_runs_at_the_rate_of_one_pipeline) {
  static const enum study_mode modes[] = {STUDY_OURS, STUDY_MP5, STUDY_NO_REMAP,
                                          STUDY_ONE_PIPELINE};
  for (int i = 0; i < 4; i++) {
    struct sluice_trace t = full_rate(1000, 0, true);
    // 4,000 packets one after the other take 3,999 cycles from the first to the last.
    const struct study_result *r = run(modes[i], &t, "");
    FIELDS_ARE(r, (last_out, r->constant + 3999), (c1_accesses, 0));
    assert_true(near(study_throughput_net(r), 0.25, 0.001));
    FIELDS_ARE(r, (stage[1].accesses, 4000), (stage[0].accesses, 0));
  }
}

TEST(without_conflicts_the_rate_is_full) {
  for (uint32_t turn = 0; turn < 4; turn++) {
    struct sluice_trace t = full_rate(1000, turn, false);
    const struct study_result *r = run(STUDY_OURS, &t, "");
    assert_true(near(study_throughput_net(r), 1.0, 0.0));
    FIELDS_ARE(r, (deepest_lane, 0), (stage[1].order, 0), (stage[1].credit, 0));
    assert_true(near(r->mean_latency, 18.0, 0.0));
    for (int h = 0; h < STUDY_HOLDS; h++) assert_int_equal(r->held[h], 0);
    t = full_rate(1000, turn, false);
    assert_true(study_throughput_net(run(STUDY_ONE_PIPELINE, &t, "")) < 0.26);
  }
}

// Lane 0 brings four packets for one index, lane 1 a stateless one in cycle 3. An access holds the
// next one of its pipeline for a cycle (pace 1), so lane 0 gives in cycles 0, 2, 4 and 6, each a
// cycle before its departure: latencies 1, 2, 3, 4. Its fourth packet, of cycle 3, is older than
// lane 1's: strictly, that one is admitted in cycle 6 (latency 4); else in cycle 4 (latency 2).
static struct sluice_trace two_lanes(void) {
  struct sluice_trace t = empty(2, 1, 4);
  add_flow(&t, 1, 0, 0);
  add_flow(&t, 2, -1, 0);
  for (uint32_t i = 0; i < 4; i++) add_packet(&t, 0, 1, i);
  add_packet(&t, 1, 2, 3);
  return t;
}

TEST(nothing_passes_an_older_packet_at_the_order_point) {
  struct sluice_trace t = two_lanes();
  const struct study_result *r =
      run(STUDY_OURS, &t, "steered=1 pace=1 pace_age=0 brake=0 period=0");
  assert_true(near(r->mean_latency, 14.0 / 5, 1e-9));
  FIELDS_ARE(r, (held[STUDY_HOLD_PACE], 3), (held[STUDY_HOLD_LANE], 2), (stage[0].held, 3),
             (last_out, 7));
  t = two_lanes();
  r = run(STUDY_OURS, &t, "steered=1 pace=1 pace_age=0 brake=0 period=0 strict=0");
  assert_true(near(r->mean_latency, 12.0 / 5, 1e-9));
  assert_int_equal(r->held[STUDY_HOLD_LANE], 0);
}

TEST(a_full_fifo_of_phantoms_holds_packets) {
  // One access at a time: it is reported 3 cycles after its issue, which is 1 after its admission.
  struct sluice_trace t = two_lanes();
  const struct study_result *r = run(STUDY_OURS, &t, "steered=1 depth=1 pace=0 brake=0 period=0");
  FIELDS_ARE(r, (last_out, 3 * 4 + 1), (held[STUDY_HOLD_DEPTH], 3 * 3));
}

// Both lanes want the same index in each cycle, FIFOs have one entry. An entry is taken from a
// packet's admission to the cycle after its issue. Lane 0 goes first: its packets 0, 2, 4.. are
// issued in cycles 1, 3, 5.. and the others dropped. Lane 1's packet 0 is issued in cycle 2, so 1
// and 2 are dropped; then 3, 5, 7.. are issued in cycles 4, 6, 8..
TEST(a_full_fifo_of_mp5_drops_packets) {
  struct sluice_trace t = empty(2, 1, 4);
  add_flow(&t, 1, 0, 0);
  for (uint32_t i = 0; i < 12; i++) {
    add_packet(&t, 0, 1, i);
    add_packet(&t, 1, 1, i);
  }
  const struct study_result *r = run(STUDY_MP5, &t, "depth=1");
  FIELDS_ARE(r, (dropped, 6 + 6), (last_out, 12), (stage[0].accesses, 12));
  assert_true(near(study_throughput(r), 11.0 / 12 / 2, 1e-9));
}

TEST(a_packet_comes_in_again_for_another_pipeline) {
  struct sluice_trace t = empty(2, 6, 4);
  struct sluice_trace_flow f = {.id = 1, .num = 4, .accesses = {{4, 2}, {0, 0}, {1, 1}, {2, 3}}};
  assert_int_equal(sluice_trace_add_flow(&t, &f, NULL), SLUICE_OK);
  add_packet(&t, 0, 1, 100);
  // Pipelines 0, 1, 1, 0 in the order of stages: three passes from lane 0, four from lane 1.
  const struct study_result *r = run(STUDY_RECIRCULATION, &t, "place=0 hop=4 loop=7");
  FIELDS_ARE(r, (recirculations, 2), (last_out, 100 + 3 * 21 + 2 * 7), (stage[5].used, 3));
  t = empty(2, 6, 4);
  assert_int_equal(sluice_trace_add_flow(&t, &f, NULL), SLUICE_OK);
  add_packet(&t, 1, 1, 100);
  assert_int_equal(run(STUDY_RECIRCULATION, &t, "place=0")->recirculations, 3);
}

// ---- properties ---------------------------------------------------------------------------------

TEST(only_phantoms_keep_the_order) {
  static const enum study_mode keep[] = {STUDY_OURS, STUDY_MP5, STUDY_NO_REMAP, STUDY_ONE_PIPELINE};
  static const enum study_mode lose[] = {STUDY_NO_PHANTOMS, STUDY_RECIRCULATION};
  for (int i = 0; i < 4; i++) {
    struct sluice_trace t = stress(4, 16, 0.5, 0.9, 1000, 1);
    const struct study_result *r = run(keep[i], &t, "");
    FIELDS_ARE(r, (c1_accesses, 0), (c1_packets, 0));
  }
  for (int i = 0; i < 2; i++) {
    struct sluice_trace t = stress(4, 16, 0.5, 0.9, 1000, 1);
    const struct study_result *r = run(lose[i], &t, "");
    assert_true(r->c1_packets > 100);
    assert_true(r->c1_accesses >= r->c1_packets && r->c1_packets <= r->packets);
  }
}

TEST(moves_raise_the_rate_of_hot_indices) {
  struct sluice_trace t = stress(4, 512, 0.9, 0.9, 12000, 1);
  double without = study_throughput_net(run(STUDY_OURS, &t, "bank=32 pace=48 period=0"));
  assert_int_equal(result.moves, 0);
  t = stress(4, 512, 0.9, 0.9, 12000, 1);
  double with = study_throughput_net(run(STUDY_OURS, &t, "bank=32 pace=48"));
  assert_true(result.moves > 50);
  assert_int_equal(result.c1_accesses, 0);
  uint64_t sum = 0;
  for (uint32_t s = 0; s < result.stages; s++) sum += result.stage[s].moves;
  assert_int_equal(sum, result.moves);
  assert_true(with > without + 0.05);
}

TEST(moves_end_where_relocations_do) {
  struct sluice_trace t = stress(4, 512, 0.9, 0.9, 6000, 1);
  run(STUDY_OURS, &t, "relocated=1");
  uint64_t few = result.moves;
  t = stress(4, 512, 0.9, 0.9, 6000, 1);
  run(STUDY_OURS, &t, "");
  assert_true(few > 0 && few < result.moves);
}

TEST(a_pool_of_one_source_is_its_bank) {
  struct sluice_trace t = stress(1, 512, 0.0, 1.0, 2000, 1);
  uint64_t bank = run(STUDY_OURS, &t, "bank=8")->last_out;
  t = stress(1, 512, 0.0, 1.0, 2000, 1);
  uint64_t pool = run(STUDY_OURS, &t, "bank=8 pool=8")->last_out;
  t = stress(1, 512, 0.0, 1.0, 2000, 1);
  uint64_t less = run(STUDY_OURS, &t, "bank=8 pool=2")->last_out;
  assert_int_equal(bank, pool);
  assert_true(less > pool);
}

TEST(sources_share_a_pool) {
  double rate[2];
  for (int i = 0; i < 2; i++) {
    struct sluice_trace t = stress(4, 512, 0.0, 1.0, 6000, 1);
    const struct study_result *r = run(STUDY_OURS, &t, i ? "pool=64" : "pool=16");
    assert_true(!r->stuck);
    assert_int_equal(r->c1_accesses, 0);
    for (uint32_t s = 0; s < r->stages; s++) assert_true(r->stage[s].used == r->packets);
    rate[i] = study_throughput_net(r);
  }
  struct sluice_trace t = stress(4, 512, 0.0, 1.0, 6000, 1);
  double banks = study_throughput_net(run(STUDY_OURS, &t, "bank=16"));
  assert_true(rate[0] < rate[1] - 0.05);
  assert_true(near(rate[1], banks, 0.03));
}

TEST(at_the_limit_of_a_lane_packets_are_dropped) {
  struct sluice_trace t = stress(4, 1, 0.0, 1.0, 1000, 1);
  const struct study_result *r = run(STUDY_OURS, &t, "lane-limit=100");
  assert_true(r->overload > 2500 && r->overload == r->dropped);
  assert_true(r->deepest_lane <= 100);
  assert_int_equal(r->c1_accesses, 0);
  t = stress(4, 1, 0.0, 1.0, 1000, 1);
  assert_int_equal(run(STUDY_OURS, &t, "")->dropped, 0);
}

TEST(the_window_bounds_what_is_in_flight) {
  struct sluice_trace t = stress(4, 512, 0.0, 1.0, 1000, 1);
  const struct study_result *r = run(STUDY_OURS, &t, "in-flight=64");
  assert_true(r->held[STUDY_HOLD_WINDOW] > 500);
  assert_true(study_throughput_net(r) < 64.0 / 121 / 4 * 1.1);
}

TEST(long_packets_hold_up_a_lane) {
  struct sluice_trace t = empty(2, 1, 4);
  assert_int_equal(sluice_trace_add_packet(&t, 0, 65, 1, 0, NULL), SLUICE_OK);
  assert_int_equal(sluice_trace_add_packet(&t, 0, 640, 1, 2, NULL), SLUICE_OK);
  assert_int_equal(sluice_trace_add_packet(&t, 1, 64, 1, 3, NULL), SLUICE_OK);
  assert_int_equal(run(STUDY_OURS, &t, "")->last_out, 10 + 2);
  t = empty(2, 1, 4);
  assert_int_equal(sluice_trace_add_packet(&t, 0, 640, 1, 2, NULL), SLUICE_OK);
  assert_int_equal(run(STUDY_OURS, &t, "beat=0")->last_out, 2 + 2);
}

TEST(a_chip_has_its_numbers) {
  struct study_options o;
  study_options_init(&o, STUDY_OURS);
  study_set_chip(&o, sluice_config_find("tiny"));
  FIELDS_ARE(&o, (bank, 8), (depth, 16), (in_flight, 128), (lane_limit, 24), (table, 32),
             (relocated, 8), (stages, 2));
  assert_int_equal(study_check(&o, NULL), SLUICE_OK);
}

TEST(steering_by_rank_is_best) {
  struct sluice_trace t = mixed();
  double straight = study_throughput_net(run(STUDY_OURS, &t, "steer=0 period=0"));
  t = mixed();
  double selfish = study_throughput_net(run(STUDY_OURS, &t, "steer=1 period=0"));
  t = mixed();
  double ranked = study_throughput_net(run(STUDY_OURS, &t, "steer=2 period=0"));
  if (!(ranked > straight + 0.03 && straight > selfish + 0.03 && ranked > 0.95))
    fail_msg("straight on %.4f, each for itself %.4f, by rank %.4f", straight, selfish, ranked);
}

TEST(a_full_fifo_of_mp5_drops_inside) {
  struct sluice_trace t = stress(4, 4, 1.0, 1.0, 1000, 1);
  const struct study_result *r = run(STUDY_MP5, &t, "depth=8");
  assert_true(r->dropped > 500);
  assert_false(r->stuck);
  assert_int_equal(r->c1_accesses, 0);
  assert_true(study_throughput(r) < (double)r->left / (double)r->packets + 1e-9);
  t = stress(4, 4, 1.0, 1.0, 1000, 1);
  assert_int_equal(run(STUDY_MP5, &t, "")->dropped, 0);
  t = stress(4, 4, 1.0, 1.0, 1000, 1);
  assert_true(run(STUDY_NO_PHANTOMS, &t, "depth=8")->dropped > 500);
  assert_false(result.stuck);
}

// For 100 cycles lane 1 brings packets whose state is in pipeline 0 of stage 1 (and, if `on` says
// so, in pipeline 1 of stage 2). Lane 0's come through the same place: on to state in pipeline 1 of
// stage 2, or without any.
static struct sluice_trace crossing(bool turns, bool on) {
  struct sluice_trace t = empty(2, 3, 2);
  add_flow(&t, 1, turns ? 2 : -1, 1);
  struct sluice_trace_flow f = {.id = 2, .num = on ? 2 : 1, .accesses = {{1, 0}, {2, 1}}};
  assert_int_equal(sluice_trace_add_flow(&t, &f, NULL), SLUICE_OK);
  for (uint32_t i = 0; i < 100; i++)
    for (uint32_t lane = 0; lane < 2; lane++) add_packet(&t, lane, 1 + lane, i);
  return t;
}

TEST(beside_the_slot_goes_what_turns_off) {
  static const struct {
    bool turns, on;
    uint64_t one, beside;  // last packet out
  } cases[] = {{true, false, 202, 102}, {false, true, 202, 102}, {false, false, 202, 202}};
  for (int i = 0; i < 3; i++) {
    struct sluice_trace t = crossing(cases[i].turns, cases[i].on);
    assert_int_equal(run(STUDY_MP5, &t, "")->last_out, cases[i].one);
    assert_int_equal(result.stage[1].beside, 0);
    t = crossing(cases[i].turns, cases[i].on);
    assert_int_equal(run(STUDY_MP5, &t, "beside=1")->last_out, cases[i].beside);
    FIELDS_ARE(&result, (stage[1].beside, cases[i].turns || cases[i].on ? 100 : 0),
               (c1_accesses, 0));
  }
  for (int banks = 1; banks <= 3; banks++) {
    char settings[40];
    snprintf(settings, sizeof settings, "beside=1 bank=%d", banks);
    struct sluice_trace t = stress(4, 64, 0.9, 0.9, 1000, 1);
    assert_false(run(STUDY_OURS, &t, settings)->stuck);
    assert_int_equal(result.c1_accesses, 0);
  }
}

TEST(the_first_remap_comes_at_its_phase) {
  struct sluice_trace t = stress(4, 512, 0.9, 0.5, 60, 1);
  assert_int_equal(run(STUDY_MP5, &t, "")->moves, 0);
  t = stress(4, 512, 0.9, 0.5, 60, 1);
  assert_true(run(STUDY_MP5, &t, "phase=70")->moves > 0);
}

TEST(the_way_of_phantoms_costs_nothing) {
  struct sluice_trace t = stress(4, 64, 0.9, 0.9, 2000, 1);
  run(STUDY_OURS, &t, "depth=0 period=0");
  uint64_t last_out = result.last_out, deepest = result.deepest_queue;
  t = stress(4, 64, 0.9, 0.9, 2000, 1);
  run(STUDY_OURS, &t, "depth=0 period=0 phantom=8");
  assert_int_equal(result.last_out, last_out);
  assert_true(result.deepest_queue < deepest);
}

TEST(every_run_is_bounded) {
  for (int mode = 0; mode < STUDY_MODES; mode++) {
    struct sluice_trace t = stress(4, 1, 0.0, 1.0, 300, 1);
    const struct study_result *r = run((enum study_mode)mode, &t, "limit=250");
    assert_true(r->stuck);
    assert_int_equal(r->cycles, 251);
    assert_true(r->left < r->packets);
    assert_true(near(study_throughput(r), 0.0, 0.0));
  }
}

TEST(a_run_can_be_had_again) {
  struct study_result *first CLOSED_BY(freed) = malloc(sizeof *first);
  assert_non_null(first);
  for (int mode = 0; mode < STUDY_MODES; mode++) {
    struct sluice_trace t = stress(4, 64, 0.9, 0.9, 800, 1);
    *first = *run((enum study_mode)mode, &t, "repeat=2");
    t = stress(4, 64, 0.9, 0.9, 800, 1);
    run((enum study_mode)mode, &t, "repeat=2");
    assert_int_equal(memcmp(first, &result, sizeof result), 0);
  }
}

// Figures of the C++ program that tried these ideas first, on the same traces; it admits the first
// packets of the lanes (strict 0), and its brake is at half the room.
TEST(the_figures_are_those_of_the_first_study) {
  static const struct {
    enum { FOUR, EIGHT, MIXED } trace;
    const char *settings;
    double throughput, net, latency;
    unsigned queue, lane, held, moves, escapes;
  } cases[] = {
      {FOUR, "brake=32", 0.7936, 0.8198, 500.7, 168, 497, 801, 40, 0},
      {EIGHT, "brake=64", 0.8113, 0.8532, 286.4, 187, 226, 305, 3, 0},
      {FOUR, "bank=32 brake=64 pace=48 period=400", 0.8870, 0.9199, 308.0, 228, 177, 316, 70, 0},
      {EIGHT, "bank=32 brake=128 pace=48 period=400", 0.8119, 0.8539, 277.3, 261, 162, 212, 10, 0},
      {FOUR, "bank=4 pace=0 brake=0 hop=5", 0.3038, 0.3061, 3442.7, 173, 1672, 7233, 42, 66},
      {EIGHT, "bank=4 pace=0 brake=0 hop=5", 0.2407, 0.2430, 3151.8, 315, 1266, 6002, 23, 72},
      {FOUR, "brake=32 steer=0 reorder=1 window=8", 0.8643, 0.8955, 393.0, 154, 297, 497, 36, 0},
      {EIGHT, "brake=64 steer=1 first=1 repeat=2", 0.5808, 0.5912, 1706.9, 407, 1610, 2558, 4, 1},
      {MIXED, "brake=32 steer=0 period=0", 0.8561, 0.9196, 191.4, 124, 0, 0, 0, 0},
      {MIXED, "brake=32 steer=1 period=0", 0.7135, 0.7571, 433.0, 166, 241, 330, 0, 0},
      {MIXED, "brake=32 period=0", 0.9191, 0.9927, 129.4, 81, 0, 0, 0, 0},
      {MIXED, "brake=12 first=1 bank=6", 0.8296, 0.8891, 209.1, 89, 149, 159, 4, 1},
      {MIXED, "brake=12 first=2 bank=6", 0.6627, 0.7001, 547.0, 85, 572, 628, 4, 7},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct sluice_trace t = cases[i].trace == FOUR    ? stress(4, 512, 0.9, 0.95, 3000, 1)
                            : cases[i].trace == EIGHT ? stress(8, 64, 0.0, 1.0, 2000, 3)
                                                      : mixed();
    char settings[250];
    snprintf(settings, sizeof settings,
             "strict=0 start=5 exit=0 base=0 head=0 steered=1 wary=0 masks=0 in-flight=0 spray=1 "
             "lists=0 credit=3 stale=3 pace-age=3 brake-age=10 oldest-age=8 remap=1 period=800 "
             "phase=0 transfer=10 %s",
             cases[i].settings);
    const struct study_result *r = run(STUDY_OURS, &t, settings);
    uint64_t held = 0;
    for (int h = 0; h < STUDY_HOLDS; h++) held += r->held[h];
    if (!near(study_throughput(r), cases[i].throughput, 0.000051) ||
        !near(study_throughput_net(r), cases[i].net, 0.000051) ||
        !near(r->mean_latency, cases[i].latency, 0.051))
      fail_msg("case %zu: %.4f %.4f %.1f", i, study_throughput(r), study_throughput_net(r),
               r->mean_latency);
    FIELDS_ARE(r, (deepest_queue, cases[i].queue), (deepest_lane, cases[i].lane));
    assert_int_equal(held, cases[i].held);
    FIELDS_ARE(r, (moves, cases[i].moves), (escapes, cases[i].escapes));
  }
}

TEST(options_are_checked) {
  struct study_options o;
  struct sluice_error error;
  study_options_init(&o, STUDY_OURS);
  assert_int_equal(o.hop, 8);
  assert_int_equal(study_check(&o, &error), SLUICE_OK);
  assert_int_equal(study_set(&o, "pace_age", "5", &error), SLUICE_OK);
  assert_int_equal(o.pace_age, 5);
  assert_int_equal(study_set(&o, "pace-age", "16", &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "from 0 to 15"));
  assert_int_equal(study_set(&o, "hop", "", &error), SLUICE_ERR_RANGE);
  assert_int_equal(study_set(&o, "hop", "3x", &error), SLUICE_ERR_RANGE);
  assert_int_equal(study_set(&o, "hops", "3", &error), SLUICE_ERR_RANGE);
  assert_int_equal(study_set(&o, "ho", "3", &error), SLUICE_ERR_RANGE);
  assert_int_equal(study_set(&o, "brake", "-1", &error), SLUICE_OK);
  o.hop = 1;
  assert_int_equal(study_check(&o, &error), SLUICE_ERR_RANGE);
  study_options_init(&o, STUDY_MP5);
  assert_int_equal(o.hop, 1);
  assert_int_equal(study_check(&o, &error), SLUICE_OK);
  o.phantom = 2;
  assert_int_equal(study_check(&o, &error), SLUICE_ERR_RANGE);
  study_options_init(&o, STUDY_NO_PHANTOMS);
  o.guard = 0;
  assert_int_equal(study_check(&o, &error), SLUICE_ERR_RANGE);
  study_options_init(&o, STUDY_RECIRCULATION);
  o.period = 1;
  assert_int_equal(study_check(&o, &error), SLUICE_ERR_RANGE);
  for (int i = 0; i < STUDY_MODES; i++) {
    assert_int_equal(study_mode_find(study_mode_names[i]), i);
    study_options_init(&o, (enum study_mode)i);
    assert_int_equal(study_check(&o, &error), SLUICE_OK);
  }
  assert_int_equal(study_mode_find("mine"), -1);
}
