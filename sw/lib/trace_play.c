// SPDX-License-Identifier: Apache-2.0
#include "trace_play.h"

#include <stdbool.h>
#include <string.h>

#include "../base/bytes.h"

static unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }

// Whether every packet has an access at every stage that has one.
static bool all_access(const struct sluice_trace *trace, const bool used[SLUICE_TRACE_STAGES]) {
  unsigned stages = 0;
  for (unsigned s = 0; s < SLUICE_TRACE_STAGES; s++) stages += used[s];
  for (uint32_t n = 0; n < trace->num_packets; n++)
    if (trace->packets[n].flow == SLUICE_TRACE_NO_FLOW ||
        trace->flows[trace->packets[n].flow].num != stages)
      return false;
  return true;
}

// The entries that hold all indices, and one for none.
static enum sluice_status plan_entries(struct sluice_trace_plan *plan,
                                       const struct sluice_trace *trace, uint32_t largest,
                                       const bool used[SLUICE_TRACE_STAGES],
                                       struct sluice_error *error) {
  const struct sluice_config *config = plan->config;
  plan->base = 1;
  plan->entries = trace->entries + 1;
  // What a run has written (--accesses) says as many entries as a stage has, and rarely uses the
  // last one.
  if (plan->entries > config->StateEntries) plan->entries = largest + 2;
  if (plan->entries <= config->StateEntries) return SLUICE_OK;
  if (plan->entries > config->StateEntries + 1)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "the trace uses index %u; a stage of chip '%s' has %u entries",
                       (unsigned)largest, config->name, config->StateEntries);
  plan->base = 0;
  plan->entries = config->StateEntries;
  if (!all_access(trace, used))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "the trace uses index %u, and has packets without an access at some stage: "
                       "then it takes an entry more, for none, than the %u of a stage of chip "
                       "'%s'; 'sluice bench study --base 0' plays it",
                       (unsigned)largest, config->StateEntries, config->name);
  return SLUICE_OK;
}

enum sluice_status sluice_trace_plan(struct sluice_trace_plan *plan,
                                     const struct sluice_trace *trace,
                                     const struct sluice_config *config, unsigned flow_order,
                                     struct sluice_error *error) {
  bool used[SLUICE_TRACE_STAGES] = {false};
  const unsigned actions = flow_order ? config->ParseActions - 1 : config->ParseActions;
  *plan = (struct sluice_trace_plan){.config = config, .num_items = 1, .flow_order = flow_order};
  if (trace->lanes != config->NumPipes)
    return sluice_fail(error, SLUICE_ERR_RANGE, "the trace is for %u pipelines, chip '%s' has %u",
                       (unsigned)trace->lanes, config->name, config->NumPipes);
  uint32_t largest = 0;
  for (uint32_t f = 0; f < trace->num_flows; f++)
    for (uint32_t a = 0; a < trace->flows[f].num; a++) {
      const struct sluice_trace_access *access = &trace->flows[f].accesses[a];
      used[access->stage] = true;
      if (access->index > largest) largest = access->index;
    }
  for (unsigned s = 0; s < SLUICE_TRACE_STAGES; s++) {
    if (!used[s]) continue;
    if (s >= config->StateStages)
      return sluice_fail(
          error, SLUICE_ERR_RANGE,
          "the trace has state in stage %u, chip '%s' has %u back stage%s with state", s,
          config->name, config->StateStages, config->StateStages == 1 ? "" : "s");
    plan->stage[plan->num_items] = s;
    plan->item[s] = plan->num_items++;
  }
  SLUICE_TRY(plan_entries(plan, trace, largest, used, error));
  // What the parser can bring in as 2-byte fields, and what must share 4-byte ones.
  while (plan->num_items > min(config->Num2B, actions - plan->num_pairs) + 2 * plan->num_pairs)
    plan->num_pairs++;
  for (uint32_t i = 0; i < trace->num_packets; i++)
    if (trace->packets[i].bytes > SLUICE_TRACE_MAX_LEN)
      return sluice_fail(error, SLUICE_ERR_RANGE, "a packet of %u bytes; %d are possible",
                         (unsigned)trace->packets[i].bytes, SLUICE_TRACE_MAX_LEN);
  return SLUICE_OK;
}

// Whether there are containers for more than the indices.
static bool has_room(const struct sluice_trace_plan *p) {
  return p->num_items <= p->config->Num2B + p->config->Num4B + p->config->Num6B;
}

static bool has_result(const struct sluice_trace_plan *p) {
  return has_room(p) && p->num_pairs && p->num_items > 1;
}

static void print_fields(const struct sluice_trace_plan *p, FILE *out) {
  fprintf(out, "struct Packet {\n");
  for (unsigned n = 0; n < p->num_pairs; n++)
    fprintf(out, "  int word%u @ bytes(%u, 4);\n", n, SLUICE_TRACE_FIRST_ITEM + 4 * n);
  if (!p->num_pairs) fprintf(out, "  int port @ bytes(%u, 2);\n", SLUICE_TRACE_FIRST_ITEM);
  for (unsigned i = 1; i < p->num_items; i++)
    if (i < 2 * p->num_pairs) fprintf(out, "  int i%u;\n", p->stage[i]);
    else fprintf(out, "  int i%u @ bytes(%u, 2);\n", p->stage[i], SLUICE_TRACE_FIRST_ITEM + 2 * i);
  if (has_result(p)) fprintf(out, "  int result @ bytes(%u, 4);\n", SLUICE_TRACE_FREE);
  if (p->flow_order) fprintf(out, "  int flow @ bytes(%d, 4);\n", SLUICE_TRACE_FLOW);
  fprintf(out, "  int old;\n  int port_out @ meta.port_out;\n};\n\n");
}

void sluice_trace_program(const struct sluice_trace_plan *p, FILE *out) {
  const char *value = !has_room(p) ? "1" : p->num_pairs ? "p.word0" : "p.port";
  fprintf(out, "// Made from a trace for chip %s: each packet brings the entries it accesses%s.\n",
          p->config->name, p->base ? ", 0 is none" : "");
  print_fields(p, out);
  for (unsigned i = 1; i < p->num_items; i++)
    fprintf(out, "int state%u[%u] @ stage(%u) = {0};\n", p->stage[i], p->entries, p->stage[i]);
  if (p->flow_order) fprintf(out, "option flow_order(%u, flow);\n", p->flow_order);
  fprintf(out, "\nvoid trace(struct Packet p) {\n  p.port_out = p.%s;\n",
          p->num_pairs ? "word0 >> 16" : "port");
  for (unsigned i = 1; i < 2 * p->num_pairs; i++)
    fprintf(out, i % 2 ? "  p.i%u = p.word%u & 0xffff;\n" : "  p.i%u = p.word%u >> 16 & 0xffff;\n",
            p->stage[i], i / 2);
  if (has_result(p)) fprintf(out, "  p.result = 0;\n");
  for (unsigned i = 1; i < p->num_items; i++) {
    unsigned s = p->stage[i];
    if (p->base) fprintf(out, "  if (p.i%u != 0) {\n", s);
    const char *in = p->base ? "    " : "  ";
    fprintf(out, "%sp.old = state%u[p.i%u];\n%sstate%u[p.i%u] += %s;\n", in, s, s, in, s, s, value);
    if (i >= 2 * p->num_pairs) fprintf(out, "%sp.i%u = p.old;\n", in, s);
    else if (i == 1 && has_result(p)) fprintf(out, "%sp.result = p.old;\n", in);
    if (p->base) fprintf(out, "  }\n");
  }
  fprintf(out, "}\n");
}

unsigned sluice_trace_port(const struct sluice_trace_plan *plan, const struct sluice_trace *trace,
                           const struct sluice_trace_packet *packet) {
  const unsigned wire = packet->lane / sluice_wire_lanes(plan->config);
  const unsigned block = trace->ports > trace->lanes ? trace->ports / trace->lanes : 1;
  return sluice_wire_port(
      plan->config, wire,
      (packet->port - packet->lane * block) % sluice_wire_ports(plan->config, wire));
}

// The port of the lane, or the fast port, that has got least so far; within a lane, ports take
// turns.
static unsigned output_port(struct sluice_trace_plan *p, unsigned len) {
  unsigned wire = 0;
  for (unsigned w = 1; w < sluice_num_wires(p->config); w++)
    if (p->beats[w] < p->beats[wire]) wire = w;
  p->beats[wire] += sluice_config_beats(p->config, len);
  return sluice_wire_port(p->config, wire, p->turn[wire]++ % sluice_wire_ports(p->config, wire));
}

unsigned sluice_trace_frame(struct sluice_trace_plan *plan, const struct sluice_trace *trace,
                            uint32_t number, unsigned vid, uint8_t out[SLUICE_TRACE_MAX_LEN]) {
  static const uint8_t start[16] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x81, 0};
  const struct sluice_trace_packet *packet = &trace->packets[number];
  const unsigned len = packet->bytes < SLUICE_TRACE_MIN_LEN ? SLUICE_TRACE_MIN_LEN : packet->bytes;
  memset(out, 0, SLUICE_TRACE_MIN_LEN);
  memcpy(out, start, sizeof start);
  sluice_put16(out + 14, vid);
  sluice_put16(out + 16, SLUICE_TRACE_ETHERTYPE);
  out[SLUICE_TRACE_FIRST_ITEM] = (uint8_t)(number * 2654435761u >> 24);
  out[SLUICE_TRACE_FIRST_ITEM + 1] = (uint8_t)output_port(plan, len);
  if (packet->flow != SLUICE_TRACE_NO_FLOW) {
    const struct sluice_trace_flow *flow = &trace->flows[packet->flow];
    for (uint32_t a = 0; a < flow->num; a++)
      sluice_put16(out + SLUICE_TRACE_FIRST_ITEM + 2 * plan->item[flow->accesses[a].stage],
                   flow->accesses[a].index + plan->base);
  }
  sluice_put32(out + SLUICE_TRACE_FLOW, packet->id);
  sluice_put32(out + SLUICE_TRACE_NUMBER, number);
  for (unsigned i = SLUICE_TRACE_MIN_LEN; i < len; i++) out[i] = (uint8_t)(number + i * 7u);
  return len;
}
