// SPDX-License-Identifier: Apache-2.0
// The report of a run (sw/report.def).
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/text.h"
#include "../lib/trace_loop.h"
#include "batch.h"
#include "report.h"

static json_t *latency_json(const struct sluice_latency *l) {
  return json_pack("{s:I s:I s:I s:I s:f s:I}", "min", (json_int_t)l->min, "median",
                   (json_int_t)l->median, "p99", (json_int_t)l->p99, "max", (json_int_t)l->max,
                   "mean", l->mean, "count", (json_int_t)l->count);
}

// Messages may hold a path, which may hold any byte.
static json_t *text_json(const char *text) {
  char clean[2 * SLUICE_CHECKER_DUMP];
  sluice_text_clean(clean, sizeof clean, text, true);
  return json_string(clean);
}

static json_t *boundaries_json(const struct batch *b) {
  json_t *list = json_array();
  for (unsigned s = 0; s < b->config->BackStages; s++)
    for (unsigned p = 0; p < b->config->NumPipes; p++) {
      json_t *one = json_object();
      SLUICE_JSON_INTS(one, ("stage", s), ("pipe", p));
#define BOUNDARY(NAME, REGISTER) sluice_json_set_int(one, #NAME, b->boundary[s][p].NAME);
#include "counters.def"
      sluice_json_add(list, one);
    }
  return list;
}

// Beats of each output lane over the cycles from the first beat out to the last beat in.
static json_t *wire_json(const struct batch *b) {
  const struct monitored_wires *w = &b->m->seen.wire;
  unsigned pipes = b->config->NumPipes;
  double cycles = w->start && w->end >= w->start ? (double)(w->end - w->start + 1) : 0.0;
  double min = 0.0, max = 0.0, sum = 0.0;
  json_t *lanes = json_array();
  for (unsigned l = 0; l < pipes; l++) {
    double share = cycles > 0.0 ? (double)w->in_window[l] / cycles : 0.0;
    if (l == 0 || share < min) min = share;
    if (share > max) max = share;
    sum += share;
    sluice_json_add(lanes, json_real(share));
  }
  return json_pack("{s:f s:f s:f s:o}", "min", min, "mean", sum / pipes, "max", max, "lanes",
                   lanes);
}

// Cycles without a beat inside packets that leave.
static json_t *gaps_json(const struct batch *b) {
  const struct monitored_gaps *g = &b->m->seen.gaps;
  return json_pack("{s:I s:I s:I}", "cycles", (json_int_t)g->cycles, "packets",
                   (json_int_t)g->packets, "longest", (json_int_t)g->longest);
}

static json_t *order_json(const struct batch *b) {
  json_t *list = json_array();
  for (unsigned l = 0; l < b->config->NumPipes; l++) {
    json_t *one = json_object();
    sluice_json_set_int(one, "lane", l);
#define ORDER(NAME, REGISTER) sluice_json_set_int(one, #NAME, b->order[l].NAME);
#include "counters.def"
    sluice_json_add(list, one);
  }
  return list;
}

// The latency of a packet alone: nothing is faster, and in every run some packet meets no other.
// (The first one does, where younger ones may pass it.)
static uint64_t idle_latency(const struct sluice_report *r) {
  return r->to_exit.count ? r->to_exit.min : 0;
}

// Throughput as MP5's authors define it, both times counted from the first arrival; a packet
// departs with its last beat from the deparser. What load dropped before admission is lost
// throughput. A trace that offers a lane more than it takes ends before its last arrival:
// job.last_offered. With recirculation new packets wait outside for the passes of others: what
// counts is when they were offered.
static json_t *as_published_json(const struct batch *b, const struct sluice_report *r,
                                 double kept) {
  uint64_t in = r->admitted ? b->last_arrival - b->first_packet_arrival : 0;
  uint64_t out = r->left ? r->last_exit - b->first_packet_arrival : 0;
  uint64_t offered = b->job.last_offered >= 0 ? (uint64_t)b->job.last_offered : in;
  double came = (double)(b->job.recirculate ? offered : in);
  double less = out > idle_latency(r) ? kept * came / (double)(out - idle_latency(r)) : 0.0;
  return json_pack("{s:I s:I s:I s:I s:f s:f}", "first_arrival",
                   (json_int_t)b->first_packet_arrival, "last_offered", (json_int_t)offered,
                   "last_arrival", (json_int_t)in, "last_departure", (json_int_t)out, "throughput",
                   out ? kept * came / (double)out : 0.0, "less_constant_latency", less);
}

// What the boundaries did with the cycles between the first arrival and the last departure, from
// stage `first` up to `end`. The counters also saw the idle time before and after, so "nothing
// there" is what is left over.
static json_t *slots_json(const struct batch *b, const struct sluice_report *r, unsigned first,
                          unsigned end) {
  uint64_t cycles = r->left ? r->last_exit - b->first_packet_arrival : 0, issued = 0, order = 0,
           credit = 0;
  unsigned deepest = 0;
  for (unsigned s = first; s < end; s++)
    for (unsigned p = 0; p < b->config->NumPipes; p++) {
      const struct boundary_counts *c = &b->boundary[s][p];
      issued += c->issued, order += c->wait_data, credit += c->wait_credit;
      if (c->high_queue > deepest) deepest = c->high_queue;
    }
  uint64_t slots = cycles * b->config->NumPipes * (end - first), busy = issued + order + credit;
  return json_pack("{s:I s:I s:I s:I s:I}", "issued", (json_int_t)issued, "nothing_there",
                   (json_int_t)(slots > busy ? slots - busy : 0), "waiting_for_order",
                   (json_int_t)order, "waiting_for_credit", (json_int_t)credit, "deepest_queue",
                   (json_int_t)deepest);
}

static json_t *stages_json(const struct batch *b, const struct sluice_report *r) {
  json_t *list = json_array();
  for (unsigned s = 0; s < b->config->BackStages; s++)
    sluice_json_add(list, slots_json(b, r, s, s + 1));
  return list;
}

// What became of each module's packets.
static json_t *modules_json(const struct batch *b, const struct sluice_report *r) {
  json_t *object = json_object();
  for (size_t m = 0; m < b->plan.num_modules; m++) {
    char key[32];
    const unsigned row = b->plan.modules[m].row;
    const uint64_t *drops = r->drops_module[row];
    uint64_t dropped = drops[SLUICE_DROP_RATE];
    for (unsigned reason = 1; reason <= SLUICE_DROP_OVERLOAD; reason++) dropped += drops[reason];
    snprintf(key, sizeof key, "vid%u", b->plan.modules[m].vid);
    json_t *module = json_pack("{s:I s:I s:I s:I s:I s:I}", "admitted",
                               (json_int_t)r->admitted_module[row], "left",
                               (json_int_t)r->left_module[row], "dropped", (json_int_t)dropped,
                               "overload", (json_int_t)drops[SLUICE_DROP_OVERLOAD], "latency_max",
                               (json_int_t)r->latency_max_module[row], "inside_max",
                               (json_int_t)r->inside_max_module[row]);
    const uint64_t inside = r->admitted_module[row] - r->left_module[row];
    const struct report_fates fates = report_fates_of(drops, r->delivered_module[row],
                                                      r->undelivered_module[row],
                                                      r->discarded_egress_module[row], inside);
    report_add_fates(module, &fates, drops);
    sluice_json_set(object, key, module);
  }
  return object;
}

// The same drops once more, all modules in one place.
static json_t *drops_by_module_json(const struct batch *b, const struct sluice_report *r) {
  json_t *object = json_object();
  for (size_t m = 0; m < b->plan.num_modules; m++) {
    char key[32];
    snprintf(key, sizeof key, "vid%u", b->plan.modules[m].vid);
    sluice_json_set(object, key, report_drops(r->drops_module[b->plan.modules[m].row]));
  }
  return object;
}

// One word of all entries of a segment, by the name that it has in the source.
static void add_array(json_t *to, const struct sluice_segment *seg, uint32_t (*const words)[2],
                      unsigned word, unsigned lanes) {
  const size_t num = (size_t)seg->range * lanes;
  uint32_t *list = calloc(num, sizeof *list);
  for (size_t n = 0; list && n < num; n++) list[n] = words[n][word];
  if (list)
    report_words(to, seg->name[word], seg->stage, (int32_t)(word ? seg->s2 : seg->s1), list,
                 seg->range, lanes);
  else sluice_json_set(to, seg->name[word], NULL);
  free(list);
}

// By module and array: {"vid5": {"count": {"stage": 2, "initial": 0, "values": [7, 0, ...]}}}
static json_t *state_json(const struct batch *b) {
  json_t *modules = json_object();
  for (size_t m = 0; m < b->plan.num_modules; m++) {
    json_t *arrays = json_object();
    char key[32];
    for (size_t i = 0; i < b->plan.num_segments; i++) {
      const struct sluice_segment *seg = &b->plan.segments[i];
      if (seg->row != b->plan.modules[m].row) continue;
      for (unsigned word = 0; word < 2; word++)
        if (seg->name[word][0] && b->state[i])
          add_array(arrays, seg, b->state[i], word,
                    seg->stage < b->config->BackStages ? 1 : b->config->NumPipes);
      if (b->rows[i])
        report_rows(arrays, seg->rows, seg->stage, b->rows[i], seg->range, seg->words);
    }
    snprintf(key, sizeof key, "vid%u", b->plan.modules[m].vid);
    sluice_json_set(modules, key, arrays);
  }
  return modules;
}

static json_t *registers_json(const struct batch *b) {
  json_t *object = json_object();
  for (unsigned i = 0; i < b->job.num_registers; i++)
    sluice_json_set_int(object, b->job.registers[i].name, b->registers[i]);
  return object;
}

// Packets whose fate is known to be the reference's. For what is lost to load, the chip's word was
// taken.
static uint64_t compared_packets(const struct sluice_report *r, const struct report_fates *f) {
  return r->packets - f->lost;
}

static const char *verdict_of(const struct batch *b, const struct sluice_report *r,
                              const struct report_fates *f) {
  if (b->error.text[0]) return "ERROR";
  if (b->stuck) return "STUCK";
  if (r->differences) return "DIFFERENT";
  return compared_packets(r, f) ? "EQUIVALENT" : "UNTESTED";
}

static json_t *difference_json(const struct sluice_difference *d) {
  json_t *json = json_object();
  SLUICE_JSON_INTS(json, ("packet", d->packet == UINT64_MAX ? -1 : (json_int_t)d->packet),
                   ("cycle", d->cycle));
  sluice_json_set(json, "field", text_json(d->field));
  sluice_json_set(json, "expected", text_json(d->expected));
  sluice_json_set(json, "got", text_json(d->got));
  sluice_json_set(json, "text", text_json(d->text));
  return json;
}

static json_t *faults_json(const struct batch *b) {
  json_t *list = json_array();
  for (unsigned f = 0; f < 64; f++)
    if (b->job.fault_mask >> f & 1)
      sluice_json_add(list, json_string(sluice_value_name("FAULT", f)));
  return list;
}

// The verdict, and what stands behind it.
static void add_verdict(json_t *root, const struct batch *b, const struct sluice_report *r,
                        const struct report_fates *f) {
  sluice_json_set(root, "verdict", json_string(verdict_of(b, r, f)));
  sluice_json_set(root, "oracle", json_string(b->job.spec ? "spec" : "model"));
  sluice_json_set(root, "config", json_string(b->config->name));
  sluice_json_set_int(root, "seed", b->job.seed);
  if (b->error.text[0]) sluice_json_set(root, "error", text_json(b->error.text));
  if (b->stuck) sluice_json_set(root, "stuck", text_json(b->stuck_text));
  if (r->differences) {
    sluice_json_set_int(root, "differences", r->differences);
    sluice_json_set(root, "first_difference", difference_json(&r->first));
  }
  if (b->job.fault_mask) sluice_json_set(root, "faults", faults_json(b));
  sluice_json_set(
      root, "compared",
      json_pack("{s:I s:I s:I s:I s:I s:I s:I s:I}", "packets", (json_int_t)compared_packets(r, f),
                "bytes", (json_int_t)r->copy_bytes, "state_entries", (json_int_t)r->state_entries,
                "state_words", (json_int_t)r->state_words, "entry_counts",
                (json_int_t)r->entry_counts, "answers", (json_int_t)b->m->answers, "marks",
                (json_int_t)r->marks_compared, "cuts", (json_int_t)r->cuts_compared));
}

// What gave packets their actions, in the reference, and control packets for entries under traffic
// (marks_capture); NULL: the chip has exact rows alone.
static json_t *engines_json(const struct batch *b) {
  const struct sluice_config *c = b->config;
  if (!b->checker || !(c->TernaryStages || c->CuckooStages || c->DefaultActions)) return NULL;
  const uint64_t *found = sluice_model_found(sluice_checker_model(b->checker));
  return json_pack(
      "{s:I s:I s:I s:I s:I}", "under_traffic", (json_int_t)(c->Marks ? 0 : b->marks_sent), "exact",
      (json_int_t)found[SLUICE_MODEL_EXACT], "ternary", (json_int_t)found[SLUICE_MODEL_TERNARY],
      "cuckoo", (json_int_t)found[SLUICE_MODEL_CUCKOO], "default",
      (json_int_t)found[SLUICE_MODEL_DEFAULT]);
}

// Words that were looked up in the array match; of these: that had an entry; whose entry was being
// written, so that the old one or the new one was right; that found the old one. NULL: there is
// none.
static json_t *keys_json(const struct batch *b, const struct sluice_report *r) {
  if (!b->config->ArrayEntries) return NULL;
  return json_pack("{s:I s:I s:I s:I}", "asked", (json_int_t)r->keys, "found",
                   (json_int_t)r->keys_found, "either", (json_int_t)r->keys_either, "old",
                   (json_int_t)r->keys_old);
}

// Copies at the egress, and what the function of their module made of them; NULL: the chip has no
// egress stages.
static json_t *egress_json(const struct batch *b, const struct sluice_report *r) {
  if (!b->config->EgressStages) return NULL;
  json_t *ports = json_array();
  for (unsigned p = 0; p < b->config->NumPorts; p++) sluice_json_add_int(ports, r->egress_port[p]);
  return json_pack("{s:I s:I s:I s:I s:o s:I s:I s:I s:I s:I s:I s:I}", "copies",
                   (json_int_t)r->egress_copies, "changed", (json_int_t)r->egress_changed,
                   "discarded", (json_int_t)r->drops[SLUICE_DROP_EGRESS], "discarded_packets",
                   (json_int_t)r->discarded_egress, "discarded_by_port", ports, "depth_in_max",
                   (json_int_t)r->egress_depth_in, "depth_out_max", (json_int_t)r->egress_depth_out,
                   "delay_max", (json_int_t)r->egress_delay, "ops", (json_int_t)r->egress_ops,
                   "refused_ops", (json_int_t)r->egress_refused, "entries_compared",
                   (json_int_t)r->egress_entries, "under_traffic",
                   (json_int_t)(b->config->Marks ? 0 : b->marks_sent));
}

// What became of passes; NULL in runs without recirculation.
static json_t *loop_json(struct batch *b) {
  struct sluice_trace_loop *loop = player_loop(b->player);
  struct sluice_trace_loop_counts c;
  if (!loop) return NULL;
  if (!sluice_trace_loop_count(loop, &c))
    sluice_fail(&b->error, SLUICE_ERR_NOMEM, "out of memory for counts of passes");
  const double packets = c.packets ? (double)c.packets : 1.0;
  return json_pack(
      "{s:I s:I s:I s:I s:f s:I s:I s:I s:I s:f s:I s:I s:I}", "packets", (json_int_t)c.packets,
      "done", (json_int_t)c.done, "lost", (json_int_t)c.lost, "passes", (json_int_t)c.passes,
      "passes_per_packet", (double)c.passes / packets, "most_passes", (json_int_t)c.most_passes,
      "accesses", (json_int_t)c.accesses, "c1_accesses", (json_int_t)c.c1_accesses,
      "c1_late_packets", (json_int_t)c.c1_late, "c1_late_share", (double)c.c1_late / packets,
      "c1_early_packets", (json_int_t)c.c1_early, "reordered_in_flows", (json_int_t)c.reordered,
      "reordered_in_flows_of_a_lane", (json_int_t)c.reordered_of_a_lane);
}

static json_t *report_json(struct batch *b, const struct sluice_report *r) {
  json_t *recirculation = loop_json(b);
  const struct report_fates fates =
      report_fates_of(r->drops, r->delivered, r->undelivered, r->discarded_egress, r->inside);
  uint64_t start = r->first_beat_in == UINT64_MAX ? 0 : r->first_beat_in;
  uint64_t cycles = r->left ? r->last_exit - start + 1 : 0;
  uint64_t in_cycles = r->admitted ? b->last_arrival - start + 1 : 0;
  uint64_t dropped_for_load = r->drops[SLUICE_DROP_LANE_FULL] + r->drops[SLUICE_DROP_BUFFER_FULL] +
                              r->drops[SLUICE_DROP_OVERLOAD] + r->drops[SLUICE_DROP_RATE];
  double kept = r->admitted ? (double)r->admitted / (double)(r->admitted + dropped_for_load) : 0.0;
  double share = cycles > idle_latency(r)
                     ? kept * (double)in_cycles / (double)(cycles - idle_latency(r))
                     : 0.0;

  json_t *root = json_object();
  add_verdict(root, b, r, &fates);
  const struct {
    const char *key;
    uint64_t value;
  } counts[] = {{"packets", r->packets},
                {"bytes", r->bytes},
                {"arrived", r->arrived},
                {"admitted", r->admitted},
                {"left", r->left},
                {"copies", r->copies},
                {"copy_bytes", r->copy_bytes},
                {"lost_inside", r->inside},
                {"undelivered", r->undelivered},
                {"cycles", cycles},
                {"arrival_cycles", in_cycles},
                {"recirculated", r->recirculated},
                {"deepest_order_queue", b->m->seen.deepest},
                {"c1_violations", r->c1_violations},
                {"c1_violating_packets", r->c1_violating_packets},
                {"marked", r->marked},
                {"marked_ce", r->marked_ce},
                {"state_ops", r->state_ops},
                {"refused_ops", r->refused_ops},
                {"array_ops", r->array_ops},
                {"out_of_bounds", r->out_of_bounds},
                {"state_entries_compared", r->state_entries},
                {"state_words_compared", r->state_words},
                {"control_packets", b->m->control_good - b->state_reads},
                {"state_reads", b->state_reads},
                {"play_start", b->play_start},
                {"first_error", b->first_error}};
  for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
    sluice_json_set(root, counts[i].key, json_integer((json_int_t)counts[i].value));
  if (b->config->OutputClasses) {
    json_t *marked = json_array();
    for (unsigned c = 0; c < b->config->OutputClasses; c++)
      sluice_json_add(marked, json_integer((json_int_t)r->queue_marked[c]));
    sluice_json_set(root, "queue_marked", marked);
    sluice_json_set(root, "queue_marked_ce", json_integer((json_int_t)r->queue_marked_ce));
  }
  report_add_fates(root, &fates, r->drops);
  sluice_json_set(root, "packets_per_cycle",
                  json_real(cycles ? (double)r->left / (double)cycles : 0.0));
  sluice_json_set(root, "gigabits_per_second",
                  json_real(cycles ? 8.0 * (double)r->copy_bytes / (double)cycles : 0.0));
  sluice_json_set(root, "share_of_line_rate", json_real(share));
  sluice_json_set(root, "wire_share", wire_json(b));
  sluice_json_set(root, "gaps", gaps_json(b));
  sluice_json_set(root, "as_published", as_published_json(b, r, kept));
  SLUICE_JSON_INTS(root, ("reordered_in_flows", sluice_flows_reordered(b->flows_all)),
                   ("reordered_in_flows_of_a_lane", sluice_flows_reordered(b->flows_by_lane)));
  if (recirculation) sluice_json_set(root, "recirculation", recirculation);
  sluice_json_set(
      root, "c1_violating_share",
      json_real(r->admitted ? (double)r->c1_violating_packets / (double)r->admitted : 0.0));
  sluice_json_set(root, "drops_by_module", drops_by_module_json(b, r));
  sluice_json_set(root, "modules", modules_json(b, r));
  json_t *latency = latency_json(&r->to_first_beat);
  sluice_json_set(latency, "idle", json_integer((json_int_t)idle_latency(r)));
  sluice_json_set(root, "latency", latency);
  sluice_json_set(root, "latency_to_deparser", latency_json(&r->to_exit));
  sluice_json_set(root, "wall_seconds", json_real(b->wall_seconds));
  sluice_json_set(root, "simulated_packets_per_second",
                  json_real(b->wall_seconds > 0.0 ? (double)r->packets / b->wall_seconds : 0.0));
  sluice_json_set(
      root, "simulated_cycles_per_second",
      json_real(b->wall_seconds > 0.0 ? (double)(b->m->cycle - b->play_start) / b->wall_seconds
                                      : 0.0));
  sluice_json_set(root, "order", order_json(b));
  sluice_json_set(root, "slots", slots_json(b, r, 0, b->config->BackStages));
  sluice_json_set(root, "slots_by_stage", stages_json(b, r));
  sluice_json_set(root, "moves",
                  json_pack("{s:I s:I}", "decided", (json_int_t)b->moves.decided, "away",
                            (json_int_t)b->moves.away));
  sluice_json_set(root, "boundaries", boundaries_json(b));
  beside_add(root, b, r);
  json_t *writes = writes_json(b);
  if (writes) sluice_json_set(root, "writes", writes);
  json_t *resets = resets_json(b);
  if (resets) sluice_json_set(root, "resets", resets);
  json_t *egress = egress_json(b, r);
  if (egress) sluice_json_set(root, "egress", egress);
  if (b->config->OrderedMerge)
    sluice_json_set(root, "merge",
                    json_pack("{s:I s:I}", "packets", (json_int_t)r->merged, "late",
                              (json_int_t)r->merge_late));
  json_t *engines = engines_json(b);
  if (engines) sluice_json_set(root, "engines", engines);
  json_t *keys = keys_json(b, r);
  if (keys) sluice_json_set(root, "keys", keys);
  if (b->state) sluice_json_set(root, "state", state_json(b));
  if (b->job.num_registers) sluice_json_set(root, "registers", registers_json(b));
  return root;
}

int batch_write(struct batch *b) {
  struct sluice_report report;
  struct sluice_error why = {""};
  sluice_checker_report(b->checker, &report);
  if (sluice_flows_failed(b->flows_all) || sluice_flows_failed(b->flows_by_lane))
    sluice_fail(&b->error, SLUICE_ERR_NOMEM, "out of memory for counts of flows");
  batch_files_close(b);
  json_t *root = report_json(b, &report);
  const enum sluice_status status =
      sluice_json_save(root, JSON_INDENT(2) | JSON_REAL_PRECISION(6), b->job.report, &why);
  json_decref(root);
  if (status) fprintf(stderr, "sluice-sim: %s\n", why.text);
  return status || b->error.text[0] ? -1 : 0;
}
