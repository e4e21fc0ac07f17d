// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/text.h"
#include "run.h"

bool run_find_sim(struct run *run) {
  return cli_find_sim(run->sim_path, sizeof run->sim_path, run->sim, run->config->name);
}

// A bound that no healthy run comes near: as if one beat took 64 cycles, and the time that gaps
// take.
static uint64_t default_bound(const struct run *run) {
  double cycles = 1e6 + 64.0 * (double)run->num_beats / run->load / (1.0 - run->stall);
  unsigned slowest = 1;
  for (unsigned l = 0; l < run->config->NumPipes; l++)
    if (run->every_cycles[l] > slowest) slowest = run->every_cycles[l];
  cycles *= slowest;
  if (strcmp(run->pace_by, "time") == 0 || run->replays)
    cycles += (double)run->span_ns / run->ns_per_cycle;
  if (run->recirculates) cycles += 64.0 * (double)run->num_beats * SLUICE_TRACE_ACCESSES;
  return cycles < 9e15 ? (uint64_t)cycles : UINT64_C(9000000000000000);
}

// What cannot be put into the job must not be left out of it: *bad says so.
static void set(json_t *job, const char *key, json_t *value, bool *bad) {
  if (json_object_set_new(job, key, value) != 0) *bad = true;
}

static void set_path(json_t *job, const char *key, const char *path, bool *bad) {
  if (!path) return;
  char *text = sluice_path_encode(path);
  set(job, key, text ? json_string(text) : NULL, bad);
  free(text);
}

static void set_whole(json_t *job, const char *key, uint64_t value, bool *bad) {
  if (value != RUN_UNSET) set(job, key, json_integer((json_int_t)value), bad);
}

static json_t *modules_json(const struct run *run, bool *bad) {
  json_t *modules = json_array();
  for (unsigned i = 0; i < run->modules.count; i++) {
    const struct cli_module *m = &run->modules.items[i];
    json_t *module = json_object();
    set_path(module, "image", m->path, bad);
    set_whole(module, "vid", m->vid, bad);
    if (m->set) set_whole(module, "set", m->set, bad);
    if (m->trusted) set(module, "trusted", json_true(), bad);
    if (m->active) set(module, "active", json_true(), bad);
    if (m->passes) {
      set_whole(module, "passes", m->passes, bad);
      set_whole(module, "pass_rate", m->pass_rate, bad);
      set_whole(module, "pass_burst", m->pass_burst, bad);
    }
    if (m->rate >= 0) {
      set_whole(module, "rate", (uint64_t)m->rate, bad);
      set_whole(module, "burst", (uint64_t)m->burst, bad);
    }
    if (m->number >= 0) set_whole(module, "class", (uint64_t)m->number, bad);
    if (m->limited) {
      set_whole(module, "lane_packets", m->lane.packets, bad);
      set_whole(module, "lane_packet_burst", m->lane.packet_burst, bad);
      set_whole(module, "lane_beats", m->lane.beats, bad);
      set_whole(module, "lane_beat_burst", m->lane.beat_burst, bad);
    }
    if (m->some_ports) {
      char text[20];
      snprintf(text, sizeof text, "0x%llx", (unsigned long long)m->ports);
      set(module, "ports", json_string(text), bad);
    }
    if (json_array_append_new(modules, module) != 0) *bad = true;
  }
  return modules;
}

static json_t *told_json(const struct run *run, bool *bad) {
  json_t *list = json_array();
  for (size_t i = 0; i < run->told.num_ranges; i++) {
    const struct story_range *r = &run->told.ranges[i];
    if (json_array_append_new(list,
                              json_pack("[I, I]", (json_int_t)r->first, (json_int_t)r->last)) != 0)
      *bad = true;
  }
  return list;
}

int run_write_job(const struct run *run) {
  json_t *job = json_object(), *faults = json_array(), *settings = json_object();
  bool bad = false;
  set_whole(job, "sluice_job", 1, &bad);
  set(job, "config", json_string(run->config->name), &bad);
  set_path(job, "capture", run->input_path, &bad);
  set_path(job, "report", run->report_path, &bad);
  set_path(job, "out", run->out ? run->out_path : NULL, &bad);
  set_path(job, "control", run->control ? run->control_path : NULL, &bad);
  set_path(job, "accesses", run->accesses, &bad);
  if (run->told.num_ranges) {
    set_path(job, "stories", run->stories_path, &bad);
    set(job, "told", told_json(run, &bad), &bad);
    if (!run->stories && !run->tracing) set(job, "brief", json_true(), &bad);
  }
  set(job, "pace_by", json_string(run->pace_by), &bad);
  set(job, "lanes", json_string(strcmp(run->lanes, "hash") == 0 ? "hash" : "spread"), &bad);
  if (run->replays) set_path(job, "schedule", run->schedule_path, &bad);
  if (run->replays) set_whole(job, "last_offered", run->last_offered, &bad);
  if (run->recirculates) set_whole(job, "recirculate", run->plan.num_items - 1, &bad);
  if (run->plot || run->timeline || run->view) set_path(job, "timeline", run->timeline_path, &bad);
  set_whole(job, "seed", run->traffic.seed, &bad);
  set_whole(job, "packets", run->num_packets, &bad);
  set_whole(job, "max_cycles", run->max_cycles ? run->max_cycles : default_bound(run), &bad);
  set(job, "load", json_real(run->load), &bad);
  set(job, "stall", json_real(run->stall), &bad);
  if (run->every.count) {
    json_t *every = json_array();
    for (unsigned l = 0; l < run->config->NumPipes; l++)
      if (json_array_append_new(every, json_integer((json_int_t)run->every_cycles[l]))) bad = true;
    set(job, "every", every, &bad);
  }
  set(job, "malformed", json_real(run->malformed), &bad);
  set(job, "idle", json_real(run->idle), &bad);
  set(job, "ns_per_cycle", json_real(run->ns_per_cycle), &bad);
  set(job, "progress", json_true(), &bad);
  set(job, "modules", modules_json(run, &bad), &bad);
  for (unsigned i = 0; i < run->faults.count; i++)
    if (json_array_append_new(faults, json_string(run->faults.items[i])) != 0) bad = true;
  set(job, "faults", faults, &bad);
  if (run->state) set(job, "state", json_true(), &bad);
  if (run->oracle && strcmp(run->oracle, "spec") == 0) set(job, "spec", json_true(), &bad);
  if (run->registers.count) {
    json_t *registers = json_array();
    for (unsigned i = 0; i < run->registers.count; i++)
      if (json_array_append_new(registers, json_string(run->registers.items[i])) != 0) bad = true;
    set(job, "registers", registers, &bad);
  }
  const bool merged = run->modules.merge.lanes != 0;
  const struct {
    const char *key;
    uint64_t value;
  } all[] = {{"pace", run->pace},
             {"brake", run->brake},
             {"lane_limit", run->lane_limit},
             {"output_limit", run->output_limit},
             {"ecn_queue", run->ecn_queue},
             {"ecn_lane", run->ecn_lane},
             {"mode", run->mode ? run->mode : RUN_UNSET},
             {"pin", run->pin},
             {"sets", run->sets},
             {"move_period", run->move_period},
             {"move_least", run->move_least},
             {"move_quota", run->move_quota},
             {"class_costs", run->modules.classed ? run->modules.class_costs : RUN_UNSET},
             {"class_strict", run->modules.classed ? run->modules.class_set : RUN_UNSET},
             {"merge_lanes", merged ? run->modules.merge.lanes : RUN_UNSET},
             {"merge_key", merged ? run->modules.merge.key : RUN_UNSET},
             {"merge_idle", merged ? run->modules.merge.idle : RUN_UNSET}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    set_whole(settings, all[i].key, all[i].value, &bad);
  if (run->modules.num_class_ecn) {
    json_t *thresholds = json_array();
    for (unsigned c = 0; c < run->modules.num_class_ecn; c++)
      if (json_array_append_new(thresholds, json_integer(run->modules.class_ecn[c])) != 0)
        bad = true;
    set(job, "class_ecn", thresholds, &bad);
  }
  set(job, "settings", settings, &bad);
  if (!bad && json_dump_file(job, run->job_path, JSON_INDENT(2)) != 0) {
    cli_error("cannot write '%s': %s", run->job_path, strerror(errno));
    bad = true;
  } else if (bad) {
    cli_error("'%s': out of memory for the job", run->job_path);
  }
  json_decref(job);
  return bad ? CLI_WORLD : CLI_DONE;
}
