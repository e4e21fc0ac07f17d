// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind: report, capture, timeline, accesses.
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "model/events.h"
#include "loop.h"
#include "cuts.h"
#include "marks.h"
#include "session/report.h"
#include "run.h"
#include "stories.h"
#include "updates.h"
#include "writes.h"

enum {
  INTERVAL_CYCLES = 64,
  NS_PER_CYCLE = 1,  // of the time stamps in the output capture
};

static enum sluice_status open_text(FILE **file, const char *path, const char *heading,
                                    struct sluice_error *error) {
  *file = fopen(path, "w");
  if (!*file)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  fputs(heading, *file);
  return SLUICE_OK;
}

// Names as the cycle-level study reads them: PORTS_PIPELINES_STAGES_STATEFUL_ENTRIES_SIZE.
static enum sluice_status open_accesses(FILE **file, const char *dir, const char *what,
                                        const struct sluice_config *c, const char *heading,
                                        struct sluice_error *error) {
  char *path;
  if (asprintf(&path, "%s/%s_%u_%u_%u_%u_%u_0.csv", dir, what, c->NumPorts, c->NumPipes,
               c->BackStages, c->StateStages, c->StateEntries) < 0)
    return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  enum sluice_status status = open_text(file, path, heading, error);
  free(path);
  return status;
}

enum sluice_status results_open(struct run *run) {
  const struct job *job = &run->job;
  const struct sluice_config *c = run->config;
  enum sluice_status status = SLUICE_OK;
  run->interval.start = UINT64_MAX;
  if (job->out)
    status =
        sluice_capture_is_pcapng(job->out)
            ? sluice_capture_create_ports(&run->capture_out, job->out, c->NumPorts, &run->error)
            : sluice_capture_create(&run->capture_out, job->out, &run->error);
  if (!status && job->timeline)
    status = open_text(&run->timeline, job->timeline,
                       "# cycle\tdeepest order queue\tmean of the deepest\tpackets out\tbytes "
                       "out\twaiting in lanes\n",
                       &run->error);
  if (!status && job->events) {
    status = open_text(&run->told, job->events, "", &run->error);
    if (!status) sluice_checker_record(run->checker, run->told);
  }
  if (!status && job->accesses) {
    status = open_accesses(&run->flows, job->accesses, "flows", c,
                           "flowid,stage_num_1,state_in_stage_1,...\n", &run->error);
    if (!status)
      status = open_accesses(&run->packets, job->accesses, "packets", c,
                             "port,pkt_size,flowid,time\n", &run->error);
  }
  if (!status && job->stories) status = stories_open(run);
  return status;
}

static void on_admitted(void *user, const struct sluice_checker_admitted *a) {
  struct run *run = user;
  if (a->ticket == 0) run->first_packet_arrival = a->arrival;
  run->last_arrival = a->arrival;
  loop_admitted(run, a);
  uint64_t flow = sluice_flow_key(a->packet->bytes, a->packet->len);
  sluice_flows_admitted(run->flows_all, a->ticket, flow);
  sluice_flows_admitted(run->flows_by_lane, a->ticket, (flow ^ a->lane) * SLUICE_HASH64_PRIME);
  if (!run->flows) return;
  fprintf(run->flows, "%llu", (unsigned long long)a->ticket);
  for (unsigned s = 0; s < run->config->BackStages; s++) {
    const struct sluice_model_access *access = &a->result->access[s];
    // A number that names the entry and has its pipeline as home: slot x K + pipeline.
    if (access->resolved)
      fprintf(run->flows, ",%u,%u", s,
              (access->pinned ? 0 : access->slot) * run->config->NumPipes + access->pipe);
  }
  fprintf(run->flows, "\n");
  fprintf(run->packets, "%u,%u,%llu,%llu\n",
          sluice_port_wire(run->config, a->packet->port) * sluice_wire_ports(run->config),
          a->packet->len, (unsigned long long)a->ticket,
          (unsigned long long)(a->arrival - run->first_packet_arrival));
}

static void on_sent(void *user, const struct sluice_checker_sent *sent) {
  struct run *run = user;
  run->interval.bytes += sent->len;
  loop_sent(run, sent);
  if (!run->capture_out) return;
  // A pcapng file says the port, and where the packet comes from.
  char comment[200];
  char round[30] = "";
  if (sent->round) snprintf(round, sizeof round, ", round %u", sent->round);
  int len = snprintf(comment, sizeof comment, "packet %llu%s, ticket %llu, latency %llu cycles",
                     (unsigned long long)sent->number, round, (unsigned long long)sent->ticket,
                     (unsigned long long)(sent->first_cycle - sent->arrival));
  for (size_t m = 0; m < run->plan.num_modules && len > 0 && (size_t)len < sizeof comment; m++)
    if (run->plan.modules[m].row == sent->row)
      snprintf(comment + len, sizeof comment - (size_t)len, ", module %s (VLAN %u)",
               run->plan.modules[m].program, run->plan.modules[m].vid);
  sluice_capture_write_at(run->capture_out, sent->bytes, sent->len,
                          (sent->cycle - run->play_start) * NS_PER_CYCLE, sent->port, comment);
}

static void on_dropped(void *user, const struct sluice_checker_dropped *dropped) {
  loop_dropped(user, dropped);
}

struct sluice_checker_hooks results_hooks(struct run *run) {
  return (struct sluice_checker_hooks){
      .user = run, .admitted = on_admitted, .dropped = on_dropped, .sent = on_sent};
}

void results_cycle(struct run *run) {
  struct interval *i = &run->interval;
  if (!run->playing) return;
  if (i->start == UINT64_MAX) *i = (struct interval){.start = run->cycle};
  i->depth_sum += run->out->deepest;
  if (run->out->deepest > i->deepest) i->deepest = run->out->deepest;
  if (run->cycle - i->start + 1 < INTERVAL_CYCLES) return;
  if (run->timeline)
    fprintf(run->timeline, "%llu\t%u\t%.2f\t%llu\t%llu\t%llu\n",
            (unsigned long long)(i->start - run->play_start), i->deepest,
            (double)i->depth_sum / INTERVAL_CYCLES, (unsigned long long)i->packets,
            (unsigned long long)i->bytes, (unsigned long long)(run->arrived - run->disposed));
  *i = (struct interval){.start = run->cycle + 1};
}

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

static json_t *boundaries_json(const struct run *run) {
  json_t *list = json_array();
  for (unsigned s = 0; s < run->config->BackStages; s++)
    for (unsigned p = 0; p < run->config->NumPipes; p++) {
      const struct boundary_counts *b = &run->boundary[s][p];
      sluice_json_add(
          list, json_pack("{s:i s:i s:I s:I s:I s:I s:I s:I s:I s:I s:I}", "stage", s, "pipe", p,
                          "issued", (json_int_t)b->issued, "idle", (json_int_t)b->idle, "wait_data",
                          (json_int_t)b->wait_data, "wait_credit", (json_int_t)b->wait_credit,
                          "stateful", (json_int_t)b->stateful, "escapes", (json_int_t)b->escapes,
                          "high_queue", (json_int_t)b->high_queue, "high_bank",
                          (json_int_t)b->high_bank, "high_waiting", (json_int_t)b->high_waiting));
    }
  return list;
}

// Beats of each output lane over the cycles from the first beat out to the last beat in.
static json_t *wire_json(const struct run *run) {
  const struct wire_counts *w = &run->wire;
  unsigned pipes = run->config->NumPipes;
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

static json_t *order_json(const struct run *run) {
  json_t *list = json_array();
  for (unsigned l = 0; l < run->config->NumPipes; l++) {
    const struct order_counts *o = &run->order[l];
    sluice_json_add(
        list, json_pack("{s:i s:I s:I s:I s:I s:I s:I}", "lane", l, "paced", (json_int_t)o->paced,
                        "braked", (json_int_t)o->braked, "full", (json_int_t)o->full, "credit",
                        (json_int_t)o->credit, "window", (json_int_t)o->window, "above_share",
                        (json_int_t)o->above_share));
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
static json_t *as_published_json(const struct run *run, const struct sluice_report *r,
                                 double kept) {
  uint64_t in = r->admitted ? run->last_arrival - run->first_packet_arrival : 0;
  uint64_t out = r->left ? r->last_exit - run->first_packet_arrival : 0;
  uint64_t offered = run->job.last_offered >= 0 ? (uint64_t)run->job.last_offered : in;
  double came = (double)(run->job.recirculate ? offered : in);
  double less = out > idle_latency(r) ? kept * came / (double)(out - idle_latency(r)) : 0.0;
  return json_pack("{s:I s:I s:I s:I s:f s:f}", "first_arrival",
                   (json_int_t)run->first_packet_arrival, "last_offered", (json_int_t)offered,
                   "last_arrival", (json_int_t)in, "last_departure", (json_int_t)out, "throughput",
                   out ? kept * came / (double)out : 0.0, "less_constant_latency", less);
}

// What the boundaries did with the cycles between the first arrival and the last departure, from
// stage `first` up to `end`. The counters also saw the idle time before and after, so "nothing
// there" is what is left over.
static json_t *slots_json(const struct run *run, const struct sluice_report *r, unsigned first,
                          unsigned end) {
  uint64_t cycles = r->left ? r->last_exit - run->first_packet_arrival : 0, issued = 0, order = 0,
           credit = 0;
  unsigned deepest = 0;
  for (unsigned s = first; s < end; s++)
    for (unsigned p = 0; p < run->config->NumPipes; p++) {
      const struct boundary_counts *b = &run->boundary[s][p];
      issued += b->issued, order += b->wait_data, credit += b->wait_credit;
      if (b->high_queue > deepest) deepest = b->high_queue;
    }
  uint64_t slots = cycles * run->config->NumPipes * (end - first), busy = issued + order + credit;
  return json_pack("{s:I s:I s:I s:I s:I}", "issued", (json_int_t)issued, "nothing_there",
                   (json_int_t)(slots > busy ? slots - busy : 0), "waiting_for_order",
                   (json_int_t)order, "waiting_for_credit", (json_int_t)credit, "deepest_queue",
                   (json_int_t)deepest);
}

static json_t *stages_json(const struct run *run, const struct sluice_report *r) {
  json_t *list = json_array();
  for (unsigned s = 0; s < run->config->BackStages; s++)
    sluice_json_add(list, slots_json(run, r, s, s + 1));
  return list;
}

// What became of each module's packets.
static json_t *modules_json(const struct run *run, const struct sluice_report *r) {
  json_t *object = json_object();
  for (size_t m = 0; m < run->plan.num_modules; m++) {
    char key[32];
    const unsigned row = run->plan.modules[m].row;
    const uint64_t *drops = r->drops_module[row];
    uint64_t dropped = drops[SLUICE_DROP_RATE];
    for (unsigned reason = 1; reason <= SLUICE_DROP_OVERLOAD; reason++) dropped += drops[reason];
    snprintf(key, sizeof key, "vid%u", run->plan.modules[m].vid);
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
static json_t *drops_by_module_json(const struct run *run, const struct sluice_report *r) {
  json_t *object = json_object();
  for (size_t m = 0; m < run->plan.num_modules; m++) {
    char key[32];
    snprintf(key, sizeof key, "vid%u", run->plan.modules[m].vid);
    sluice_json_set(object, key, report_drops(r->drops_module[run->plan.modules[m].row]));
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
static json_t *state_json(const struct run *run) {
  json_t *modules = json_object();
  for (size_t m = 0; m < run->plan.num_modules; m++) {
    json_t *arrays = json_object();
    char key[32];
    for (size_t i = 0; i < run->plan.num_segments; i++) {
      const struct sluice_segment *seg = &run->plan.segments[i];
      if (seg->row != run->plan.modules[m].row) continue;
      for (unsigned word = 0; word < 2; word++)
        if (seg->name[word][0] && run->state[i])
          add_array(arrays, seg, run->state[i], word,
                    seg->stage < run->config->BackStages ? 1 : run->config->NumPipes);
      if (run->rows[i])
        report_rows(arrays, seg->rows, seg->stage, run->rows[i], seg->range, seg->words);
    }
    snprintf(key, sizeof key, "vid%u", run->plan.modules[m].vid);
    sluice_json_set(modules, key, arrays);
  }
  return modules;
}

static json_t *registers_json(const struct run *run) {
  json_t *object = json_object();
  for (unsigned i = 0; i < run->job.num_registers; i++)
    sluice_json_set_int(object, run->job.registers[i].name, run->registers[i]);
  return object;
}

// Packets whose fate is known to be the reference's. For what is lost to load, the chip's word was
// taken.
static uint64_t compared_packets(const struct sluice_report *r, const struct report_fates *f) {
  return r->packets - f->lost;
}

static const char *verdict_of(const struct run *run, const struct sluice_report *r,
                              const struct report_fates *f) {
  if (run->error.text[0]) return "ERROR";
  if (run->stuck) return "STUCK";
  if (r->differences) return "DIFFERENT";
  return compared_packets(r, f) ? "EQUIVALENT" : "UNTESTED";
}

static json_t *difference_json(const struct sluice_difference *d) {
  json_t *json = json_object();
  sluice_json_set(json, "packet",
                  json_integer(d->packet == UINT64_MAX ? -1 : (json_int_t)d->packet));
  sluice_json_set_int(json, "cycle", d->cycle);
  sluice_json_set(json, "field", text_json(d->field));
  sluice_json_set(json, "expected", text_json(d->expected));
  sluice_json_set(json, "got", text_json(d->got));
  sluice_json_set(json, "text", text_json(d->text));
  return json;
}

static json_t *faults_json(const struct run *run) {
  json_t *list = json_array();
  for (unsigned f = 0; f < 64; f++)
    if (run->job.fault_mask >> f & 1)
      sluice_json_add(list, json_string(sluice_value_name("FAULT", f)));
  return list;
}

// The verdict, and what stands behind it.
static void add_verdict(json_t *root, const struct run *run, const struct sluice_report *r,
                        const struct report_fates *f) {
  sluice_json_set(root, "verdict", json_string(verdict_of(run, r, f)));
  sluice_json_set(root, "oracle", json_string(run->job.spec ? "spec" : "model"));
  sluice_json_set(root, "config", json_string(run->config->name));
  sluice_json_set_int(root, "seed", run->job.seed);
  if (run->error.text[0]) sluice_json_set(root, "error", text_json(run->error.text));
  if (run->stuck) sluice_json_set(root, "stuck", text_json(run->stuck_text));
  if (r->differences) {
    sluice_json_set_int(root, "differences", r->differences);
    sluice_json_set(root, "first_difference", difference_json(&r->first));
  }
  if (run->job.fault_mask) sluice_json_set(root, "faults", faults_json(run));
  sluice_json_set(
      root, "compared",
      json_pack("{s:I s:I s:I s:I s:I s:I s:I s:I}", "packets", (json_int_t)compared_packets(r, f),
                "bytes", (json_int_t)r->copy_bytes, "state_entries", (json_int_t)r->state_entries,
                "state_words", (json_int_t)r->state_words, "entry_counts",
                (json_int_t)r->entry_counts, "answers", (json_int_t)run->answers, "marks",
                (json_int_t)r->marks_compared, "cuts", (json_int_t)r->cuts_compared));
}

// What gave packets their actions, in the reference, and control packets for entries under traffic
// (marks_capture); NULL: the chip has exact rows alone.
static json_t *engines_json(const struct run *run) {
  const struct sluice_config *c = run->config;
  if (!run->checker || !(c->TernaryStages || c->CuckooStages || c->DefaultActions)) return NULL;
  const uint64_t *found = sluice_model_found(sluice_checker_model(run->checker));
  return json_pack(
      "{s:I s:I s:I s:I s:I}", "under_traffic", (json_int_t)(c->Marks ? 0 : run->marks_sent),
      "exact", (json_int_t)found[SLUICE_MODEL_EXACT], "ternary",
      (json_int_t)found[SLUICE_MODEL_TERNARY], "cuckoo", (json_int_t)found[SLUICE_MODEL_CUCKOO],
      "default", (json_int_t)found[SLUICE_MODEL_DEFAULT]);
}

// Words that were looked up in the array match; of these: that had an entry; whose entry was being
// written, so that the old one or the new one was right; that found the old one. NULL: there is
// none.
static json_t *keys_json(const struct run *run, const struct sluice_report *r) {
  if (!run->config->ArrayEntries) return NULL;
  return json_pack("{s:I s:I s:I s:I}", "asked", (json_int_t)r->keys, "found",
                   (json_int_t)r->keys_found, "either", (json_int_t)r->keys_either, "old",
                   (json_int_t)r->keys_old);
}

// Copies at the egress, and what the function of their module made of them; NULL: the chip has no
// egress stages.
static json_t *egress_json(const struct run *run, const struct sluice_report *r) {
  if (!run->config->EgressStages) return NULL;
  json_t *ports = json_array();
  for (unsigned p = 0; p < run->config->NumPorts; p++)
    sluice_json_add_int(ports, r->egress_port[p]);
  return json_pack("{s:I s:I s:I s:I s:o s:I s:I s:I s:I s:I s:I s:I}", "copies",
                   (json_int_t)r->egress_copies, "changed", (json_int_t)r->egress_changed,
                   "discarded", (json_int_t)r->drops[SLUICE_DROP_EGRESS], "discarded_packets",
                   (json_int_t)r->discarded_egress, "discarded_by_port", ports, "depth_in_max",
                   (json_int_t)r->egress_depth_in, "depth_out_max", (json_int_t)r->egress_depth_out,
                   "delay_max", (json_int_t)r->egress_delay, "ops", (json_int_t)r->egress_ops,
                   "refused_ops", (json_int_t)r->egress_refused, "entries_compared",
                   (json_int_t)r->egress_entries, "under_traffic",
                   (json_int_t)(run->config->Marks ? 0 : run->marks_sent));
}

static json_t *report_json(struct run *run, const struct sluice_report *r) {
  json_t *recirculation = loop_json(run);
  const struct report_fates fates =
      report_fates_of(r->drops, r->delivered, r->undelivered, r->discarded_egress, r->inside);
  uint64_t start = r->first_beat_in == UINT64_MAX ? 0 : r->first_beat_in;
  uint64_t cycles = r->left ? r->last_exit - start + 1 : 0;
  uint64_t in_cycles = r->admitted ? run->last_arrival - start + 1 : 0;
  uint64_t dropped_for_load = r->drops[SLUICE_DROP_LANE_FULL] + r->drops[SLUICE_DROP_BUFFER_FULL] +
                              r->drops[SLUICE_DROP_OVERLOAD] + r->drops[SLUICE_DROP_RATE];
  double kept = r->admitted ? (double)r->admitted / (double)(r->admitted + dropped_for_load) : 0.0;
  double share = cycles > idle_latency(r)
                     ? kept * (double)in_cycles / (double)(cycles - idle_latency(r))
                     : 0.0;

  json_t *root = json_object();
  add_verdict(root, run, r, &fates);
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
                {"deepest_order_queue", run->deepest},
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
                {"control_packets", run->control_good - run->state_reads},
                {"state_reads", run->state_reads},
                {"play_start", run->play_start},
                {"first_error", run->first_error}};
  for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
    sluice_json_set(root, counts[i].key, json_integer((json_int_t)counts[i].value));
  if (run->config->OutputClasses) {
    json_t *marked = json_array();
    for (unsigned c = 0; c < run->config->OutputClasses; c++)
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
  sluice_json_set(root, "wire_share", wire_json(run));
  sluice_json_set(root, "as_published", as_published_json(run, r, kept));
  sluice_json_set(root, "reordered_in_flows",
                  json_integer((json_int_t)sluice_flows_reordered(run->flows_all)));
  sluice_json_set(root, "reordered_in_flows_of_a_lane",
                  json_integer((json_int_t)sluice_flows_reordered(run->flows_by_lane)));
  if (recirculation) sluice_json_set(root, "recirculation", recirculation);
  sluice_json_set(
      root, "c1_violating_share",
      json_real(r->admitted ? (double)r->c1_violating_packets / (double)r->admitted : 0.0));
  sluice_json_set(root, "drops_by_module", drops_by_module_json(run, r));
  sluice_json_set(root, "modules", modules_json(run, r));
  json_t *latency = latency_json(&r->to_first_beat);
  sluice_json_set(latency, "idle", json_integer((json_int_t)idle_latency(r)));
  sluice_json_set(root, "latency", latency);
  sluice_json_set(root, "latency_to_deparser", latency_json(&r->to_exit));
  sluice_json_set(root, "wall_seconds", json_real(run->wall_seconds));
  sluice_json_set(
      root, "simulated_packets_per_second",
      json_real(run->wall_seconds > 0.0 ? (double)r->packets / run->wall_seconds : 0.0));
  sluice_json_set(
      root, "simulated_cycles_per_second",
      json_real(run->wall_seconds > 0.0 ? (double)(run->cycle - run->play_start) / run->wall_seconds
                                        : 0.0));
  sluice_json_set(root, "order", order_json(run));
  sluice_json_set(root, "slots", slots_json(run, r, 0, run->config->BackStages));
  sluice_json_set(root, "slots_by_stage", stages_json(run, r));
  sluice_json_set(root, "moves",
                  json_pack("{s:I s:I}", "decided", (json_int_t)run->moves.decided, "away",
                            (json_int_t)run->moves.away));
  sluice_json_set(root, "boundaries", boundaries_json(run));
  json_t *banks = updates_json(run, r);
  if (banks) sluice_json_set(root, "banks", banks);
  json_t *marks = marks_json(run, r);
  if (marks) sluice_json_set(root, "marks", marks);
  json_t *cuts = cuts_json(run, r);
  if (cuts) sluice_json_set(root, "cuts", cuts);
  json_t *writes = writes_json(run);
  if (writes) sluice_json_set(root, "writes", writes);
  json_t *resets = resets_json(run);
  if (resets) sluice_json_set(root, "resets", resets);
  json_t *egress = egress_json(run, r);
  if (egress) sluice_json_set(root, "egress", egress);
  if (run->config->OrderedMerge)
    sluice_json_set(root, "merge",
                    json_pack("{s:I s:I}", "packets", (json_int_t)r->merged, "late",
                              (json_int_t)r->merge_late));
  json_t *engines = engines_json(run);
  if (engines) sluice_json_set(root, "engines", engines);
  json_t *keys = keys_json(run, r);
  if (keys) sluice_json_set(root, "keys", keys);
  if (run->state) sluice_json_set(root, "state", state_json(run));
  if (run->job.num_registers) sluice_json_set(root, "registers", registers_json(run));
  return root;
}

// What could not be written is told at the end of the run that is not left.
void results_drop(struct run *run) {
  struct sluice_error error = {{0}};
  FILE *const files[] = {run->timeline, run->flows, run->packets, run->told};
  for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
    if (files[i] && fclose(files[i]) != 0)
      sluice_fail(&run->error, SLUICE_ERR_IO, "cannot write all results: disk full?");
  if (sluice_capture_finish(run->capture_out, &error) && !run->error.text[0]) run->error = error;
  if (stories_close(run, &error) && !run->error.text[0]) run->error = error;
}

int results_write(struct run *run) {
  struct sluice_report report;
  struct sluice_error error = {{0}};
  sluice_checker_report(run->checker, &report);
  if (sluice_flows_failed(run->flows_all) || sluice_flows_failed(run->flows_by_lane))
    sluice_fail(&run->error, SLUICE_ERR_NOMEM, "out of memory for counts of flows");
  results_drop(run);
  json_t *root = report_json(run, &report);
  const enum sluice_status status =
      sluice_json_save(root, JSON_INDENT(2) | JSON_REAL_PRECISION(6), run->job.report, &error);
  json_decref(root);
  if (status) fprintf(stderr, "sluice-sim: %s\n", error.text);
  return status != SLUICE_OK;
}
