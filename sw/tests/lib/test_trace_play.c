// SPDX-License-Identifier: Apache-2.0
// A trace becomes a program and frames: the compiled program, on the reference model, must access
// what the trace says, and what a packet takes along must be the old values.

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "lib/flows.h"
#include "lib/trace_play.h"
#include "tests/rig/domino_rig.h"

enum { ENTRIES = 50, MOST_ENTRIES = 8192, FLOWS = 40, PACKETS = 600 };

// A trace with state in `num` stages; every third flow has none at all in some of them.
static struct sluice_trace made(const struct sluice_config *config, unsigned num, unsigned ports) {
  struct sluice_error error;
  struct sluice_rng rng;
  struct sluice_trace t = {.ports = ports,
                           .lanes = config->NumPipes,
                           .stages = config->BackStages,
                           .stateful = num,
                           .entries = ENTRIES};
  sluice_rng_init(&rng, num, "trace");
  for (uint32_t f = 0; f < FLOWS; f++) {
    struct sluice_trace_flow flow = {.id = 10 + 3 * f};
    for (unsigned i = 0; i < num; i++)
      if (sluice_rng_below(&rng, 3))
        flow.accesses[flow.num++] = (struct sluice_trace_access){
            config->BackStages - num + i, (uint32_t)sluice_rng_below(&rng, ENTRIES)};
    assert_int_equal(sluice_trace_add_flow(&t, &flow, &error), SLUICE_OK);
  }
  for (uint32_t n = 0; n < PACKETS; n++)
    assert_int_equal(
        sluice_trace_add_packet(&t, (uint32_t)sluice_rng_below(&rng, ports),
                                (uint32_t)(n % 9 ? 64 : 40 + sluice_rng_below(&rng, 1400)),
                                10 + 3 * (uint32_t)sluice_rng_below(&rng, FLOWS), n / 4, &error),
        SLUICE_OK);
  assert_int_equal(sluice_trace_arrive(&t, &error), SLUICE_OK);
  return t;
}

static char *program_text(const struct sluice_trace_plan *plan) {
  char *text = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&text, &len);
  sluice_trace_program(plan, out);
  fclose(out);
  return text;
}

static uint32_t get(const uint8_t *bytes, unsigned offset, unsigned width) {
  return (uint32_t)sluice_get(bytes + offset, width);
}

struct player {
  struct rig rig;
  struct sluice_trace trace;
  struct sluice_trace_plan plan;
  uint32_t sum[16][MOST_ENTRIES];  // what each entry must hold
  uint64_t beats[16];              // of each output lane
};

static void play(struct player *p, uint32_t n) {
  static uint8_t frame[SLUICE_TRACE_MAX_LEN];
  const struct sluice_config *config = p->rig.config;
  const struct sluice_trace_packet *packet = &p->trace.packets[n];
  const struct sluice_trace_flow *flow = &p->trace.flows[packet->flow];
  struct sluice_model_packet in = {.bytes = frame};
  struct sluice_model_phv phv;
  struct sluice_model_result result = {.reason = SLUICE_DROP_NONE};
  in.len = sluice_trace_frame(&p->plan, &p->trace, n, RIG_VID, frame);
  in.port = sluice_trace_port(&p->plan, &p->trace, packet);
  assert_int_equal(in.len, packet->bytes < 64 ? 64 : packet->bytes);
  assert_true(in.port < config->NumPorts);
  assert_int_equal(in.port % config->NumPipes, packet->lane);
  assert_int_equal(get(frame, SLUICE_TRACE_FLOW, 4), packet->id);
  assert_int_equal(get(frame, SLUICE_TRACE_NUMBER, 4), n);
  assert_int_equal(sluice_model_classify(sluice_model_filter(p->rig.model), frame, in.len).reason,
                   SLUICE_DROP_NONE);
  assert_int_equal(sluice_model_front(p->rig.model, &in, &phv), SLUICE_DROP_NONE);
  sluice_model_admit(p->rig.model, &in, &phv, &result);
  assert_int_equal(result.reason, SLUICE_DROP_NONE);
  assert_int_equal(__builtin_popcountll(result.ports), 1);
  p->beats[(unsigned)__builtin_ctzll(result.ports) % config->NumPipes] +=
      (in.len + config->BeatBytes - 1) / config->BeatBytes;

  bool room = p->plan.num_items <= config->Num2B + config->Num4B + config->Num6B;
  uint32_t value = !room ? 1 : get(frame, SLUICE_TRACE_FIRST_ITEM, p->plan.num_pairs ? 4 : 2);
  unsigned accesses = 0;
  for (unsigned s = 0; s < config->BackStages; s++) accesses += result.access[s].resolved;
  assert_int_equal(accesses, flow->num + (p->plan.flow_order ? 1 : 0));
  for (unsigned a = 0; a < flow->num; a++) {
    const unsigned stage = flow->accesses[a].stage, item = p->plan.item[stage];
    assert_true(flow->accesses[a].index < MOST_ENTRIES);
    uint32_t *sum = &p->sum[stage][flow->accesses[a].index];
    assert_true(result.access[stage].resolved && result.access[stage].executed);
    assert_int_equal(result.access[stage].index, flow->accesses[a].index + p->plan.base);
    if (item >= 2 * p->plan.num_pairs)
      assert_int_equal(get(result.header, SLUICE_TRACE_FIRST_ITEM + 2 * item, 2), *sum & 0xffff);
    else if (item == 1 && room) assert_int_equal(get(result.header, SLUICE_TRACE_FREE, 4), *sum);
    *sum += value;
  }
}

// All packets have all accesses, the first of them at the last entry: no entry is left for none.
static void use_last_entry(struct sluice_trace *t, const struct sluice_config *config,
                           unsigned stages) {
  struct sluice_trace_flow *full = &t->flows[0];
  for (unsigned i = 0; i < stages; i++)
    full->accesses[i] = (struct sluice_trace_access){config->BackStages - stages + i, i};
  full->num = stages;
  for (uint32_t n = 0; n < t->num_packets; n++)
    if (t->packets[n].flow == SLUICE_TRACE_NO_FLOW || t->flows[t->packets[n].flow].num != stages)
      t->packets[n].flow = 0;
  full->accesses[0].index = config->StateEntries - 1;
  t->entries = config->StateEntries;
}

static void check_on(const struct sluice_config *config, unsigned stages, unsigned ports,
                     unsigned flow_order, bool last) {
  static struct player p;
  struct sluice_diags diags = {0};
  struct sluice_error error;
  memset(&p, 0, sizeof p);
  p.trace = made(config, stages, ports);
  if (last) use_last_entry(&p.trace, config, stages);
  assert_int_equal(sluice_trace_plan(&p.plan, &p.trace, config, flow_order, &error), SLUICE_OK);
  assert_int_equal(p.plan.base, last ? 0 : 1);
  char *text = program_text(&p.plan);
  if (rig_open(&p.rig, text, config, &diags) != RIG_OPEN) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s, %u stages: %s\n%s", config->name, stages, p.rig.why, text);
  }
  FIELDS_ARE(&p.rig.usage, (state_stages, stages + (flow_order ? 1 : 0)), (pinned, 0));
  for (uint32_t n = 0; n < PACKETS; n++) play(&p, n);
  const unsigned most = (1440 + config->BeatBytes - 1) / config->BeatBytes;
  for (unsigned l = 1; l < config->NumPipes; l++)  // even, but for the last packet
    assert_true(p.beats[l] + most >= p.beats[0] && p.beats[0] + most >= p.beats[l]);
  rig_close(&p.rig);
  sluice_trace_release(&p.trace);
  sluice_diags_release(&diags);
  free(text);
}

static void check(const char *chip, unsigned stages, unsigned ports, unsigned flow_order) {
  check_on(sluice_config_find(chip), stages, ports, flow_order, false);
}

// A sum behind one condition: that takes no pairs.
TEST(traces_play_on_chips_of_one_word) {
  struct sluice_config config = *sluice_config_find("b4");
  config.SharedSums = 1;
  config.StatePairs = 0;
  static const unsigned stages[] = {1, 4, 9, 16};
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
    check_on(&config, stages[i], 64, 0, false);
}

// Output lanes are filled evenly in beats of the chip.
TEST(traces_play_on_chips_of_narrow_beats) {
  struct sluice_config config = *sluice_config_find("b4");
  config.BeatBytes = 16;
  config.HeaderBytes = 64;
  config.Checksums = 0;
  check_on(&config, 4, 64, 0, false);
}

TEST(the_last_entry_is_played_where_every_packet_has_all_accesses) {
  static const unsigned stages[] = {1, 4, 9};
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
    check_on(sluice_config_find("b4"), stages[i], 64, 0, true);
  check_on(sluice_config_find("tiny"), 2, 64, 0, true);
}

TEST(packets_access_what_the_trace_says) {
  static const unsigned stages[] = {0, 1, 4, 7, 8, 9, 10, 12, 16};
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) check("b4", stages[i], 64, 0);
  check("b16", 4, 64, 0);
  check("b4.k1", 10, 64, 0);
  check("tiny", 2, 64, 0);
  check("tiny", 1, 4, 0);
  check("k4", 8, 3, 0);  // fewer ports than lanes
}

TEST(flows_are_kept_in_order_if_asked) {
  static struct player p;
  for (unsigned n = 0; n <= 8; n += 4) {
    const struct sluice_config *config = sluice_config_find("b4.k8");
    struct sluice_error error;
    memset(&p, 0, sizeof p);
    p.trace = made(config, n, 64);
    // The last stage is taken by the flow order: move the trace's stages down by one.
    for (uint32_t f = 0; f < p.trace.num_flows; f++)
      for (uint32_t a = 0; a < p.trace.flows[f].num; a++) p.trace.flows[f].accesses[a].stage--;
    assert_int_equal(sluice_trace_plan(&p.plan, &p.trace, config, 64, &error), SLUICE_OK);
    char *text CLOSED_BY(freed) = program_text(&p.plan);
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    assert_int_equal(rig_open(&p.rig, text, config, &diags), RIG_OPEN);
    for (uint32_t i = 0; i < PACKETS; i++) play(&p, i);
    rig_close(&p.rig);
    sluice_trace_release(&p.trace);
  }
}

TEST(traces_for_another_machine_are_refused) {
  struct sluice_error error;
  struct sluice_trace_plan plan;
  struct sluice_trace t CLOSED_BY(sluice_trace_release) = made(sluice_config_find("b4"), 10, 64);
  assert_int_equal(sluice_trace_plan(&plan, &t, sluice_config_find("b4.k8"), 0, &error),
                   SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "for 4 pipelines, chip 'b4.k8' has 8"));
  assert_int_equal(sluice_trace_plan(&plan, &t, sluice_config_find("k4"), 0, &error),
                   SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "stage 8"));
  struct sluice_config less = *sluice_config_find("b4");
  less.StateStages = 13;  // the trace has state in stages 6 to 15
  assert_int_equal(sluice_trace_plan(&plan, &t, &less, 0, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "state in stage 13, chip 'b4' has 13 back stages with state"));
  // What counts is the largest index that is used, not what the name of the file says.
  t.entries = 8192;
  assert_int_equal(sluice_trace_plan(&plan, &t, sluice_config_find("b4"), 0, &error), SLUICE_OK);
  uint32_t f = 0;
  while (!t.flows[f].num) f++;
  const uint32_t kept = t.flows[f].accesses[0].index;
  t.flows[f].accesses[0].index = 8192;
  assert_int_equal(sluice_trace_plan(&plan, &t, sluice_config_find("b4"), 0, &error),
                   SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "uses index 8192; a stage of chip 'b4' has 8192 entries"));
  t.flows[f].accesses[0].index = 8191;
  assert_int_equal(sluice_trace_plan(&plan, &t, sluice_config_find("b4"), 0, &error),
                   SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "has packets without an access at some stage"));
  t.flows[f].accesses[0].index = kept;
  t.entries = 8191;
  assert_int_equal(sluice_trace_plan(&plan, &t, sluice_config_find("b4"), 0, &error), SLUICE_OK);
  t.packets[7].bytes = 9217;
  assert_int_equal(sluice_trace_plan(&plan, &t, sluice_config_find("b4"), 0, &error),
                   SLUICE_ERR_RANGE);
}

// ---- flows --------------------------------------------------------------------------------------

TEST(a_packet_behind_a_later_one_of_its_flow_is_counted) {
  struct sluice_flows *f = sluice_flows_new();
  // tickets of flow 1: 0 1 2 5 6; of flow 2: 3 4
  for (uint64_t t = 0; t < 7; t++) sluice_flows_admitted(f, t, t == 3 || t == 4 ? 2 : 1);
  sluice_flows_left(f, 0, 100);
  sluice_flows_left(f, 2, 101);
  sluice_flows_left(f, 1, 101);  // together with 2: in order
  sluice_flows_left(f, 4, 102);
  assert_int_equal(sluice_flows_reordered(f), 0);
  sluice_flows_left(f, 6, 103);
  sluice_flows_left(f, 3, 103);  // behind 4
  assert_int_equal(sluice_flows_reordered(f), 1);
  sluice_flows_left(f, 5, 104);  // behind 6
  assert_int_equal(sluice_flows_reordered(f), 2);
  assert_false(sluice_flows_failed(f));
  sluice_flows_free(f);
}

TEST(many_flows_are_told_apart) {
  struct sluice_flows *f = sluice_flows_new();
  enum { MANY = 20000 };
  for (uint64_t t = 0; t < 2 * MANY; t++) sluice_flows_admitted(f, t, t % MANY << 40);
  for (uint64_t t = MANY; t < 2 * MANY; t++) sluice_flows_left(f, t, t);
  for (uint64_t t = 0; t < MANY; t++) sluice_flows_left(f, t, 3 * MANY + t);
  assert_int_equal(sluice_flows_reordered(f), MANY);
  sluice_flows_free(f);
}

TEST(frames_of_a_flow_have_one_key) {
  uint8_t ip[64] = {[12] = 0x81, [16] = 8, [27] = 17, [30] = 10}, other[64];
  memcpy(other, ip, sizeof ip);
  other[28] = 1;  // a checksum is not of the flow
  other[45] = 1;
  assert_true(sluice_flow_key(ip, 64) == sluice_flow_key(other, 64));
  static const unsigned places[] = {27, 30, 37, 38, 41};
  for (int i = 0; i < 5; i++) {
    memcpy(other, ip, sizeof ip);
    other[places[i]] ^= 1;
    assert_true(sluice_flow_key(ip, 64) != sluice_flow_key(other, 64));
  }
  uint8_t trace[64] = {[12] = 0x81, [16] = 0x88, [17] = 0xb5, [SLUICE_TRACE_FLOW + 3] = 7};
  memcpy(other, trace, sizeof trace);
  other[30] = 9;
  assert_true(sluice_flow_key(trace, 64) == sluice_flow_key(other, 64));
  other[SLUICE_TRACE_FLOW + 3] = 8;
  assert_true(sluice_flow_key(trace, 64) != sluice_flow_key(other, 64));
}
