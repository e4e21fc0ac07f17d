// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/json.h"
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

static void set_path(json_t *job, const char *key, const char *path) {
  if (path) sluice_json_set_path(job, key, NULL, path);
}

static void set_whole(json_t *job, const char *key, uint64_t value) {
  if (value != RUN_UNSET) sluice_json_set_int(job, key, value);
}

static json_t *modules_json(const struct run *run) {
  json_t *modules = json_array();
  for (unsigned i = 0; i < run->modules.count; i++) {
    const struct cli_module *m = &run->modules.items[i];
    json_t *module = json_object();
    set_path(module, "image", m->path);
    set_whole(module, "vid", m->vid);
    if (m->set) set_whole(module, "set", m->set);
    if (m->trusted) sluice_json_set(module, "trusted", json_true());
    if (m->active) sluice_json_set(module, "active", json_true());
    if (m->passes) {
      set_whole(module, "passes", m->passes);
      set_whole(module, "pass_rate", m->pass_rate);
      set_whole(module, "pass_burst", m->pass_burst);
    }
    if (m->rate >= 0) {
      set_whole(module, "rate", (uint64_t)m->rate);
      set_whole(module, "burst", (uint64_t)m->burst);
    }
    if (m->number >= 0) set_whole(module, "class", (uint64_t)m->number);
    if (m->limited) {
      set_whole(module, "lane_packets", m->lane.packets);
      set_whole(module, "lane_packet_burst", m->lane.packet_burst);
      set_whole(module, "lane_beats", m->lane.beats);
      set_whole(module, "lane_beat_burst", m->lane.beat_burst);
    }
    if (m->some_ports) {
      char text[20];
      snprintf(text, sizeof text, "0x%llx", (unsigned long long)m->ports);
      sluice_json_set(module, "ports", json_string(text));
    }
    sluice_json_add(modules, module);
  }
  return modules;
}

static json_t *told_json(const struct run *run) {
  json_t *list = json_array();
  for (size_t i = 0; i < run->told.num_ranges; i++) {
    const struct story_range *r = &run->told.ranges[i];
    sluice_json_add(list, json_pack("[I, I]", (json_int_t)r->first, (json_int_t)r->last));
  }
  return list;
}

int run_write_job(const struct run *run) {
  json_t *job = json_object(), *faults = json_array(), *settings = json_object();
  set_whole(job, "sluice_job", 1);
  sluice_json_set(job, "config", json_string(run->config->name));
  set_path(job, "capture", run->input_path);
  set_path(job, "report", run->report_path);
  set_path(job, "out", run->out ? run->out_path : NULL);
  set_path(job, "events", run->events ? run->events_path : NULL);
  set_path(job, "control", run->control ? run->control_path : NULL);
  set_path(job, "accesses", run->accesses);
  set_path(job, "initial", run->modules.initial);
  if (run->told.num_ranges) {
    set_path(job, "stories", run->stories_path);
    sluice_json_set(job, "told", told_json(run));
    if (!run->stories && !run->tracing) sluice_json_set(job, "brief", json_true());
  }
  sluice_json_set(job, "pace_by", json_string(run->pace_by));
  sluice_json_set(job, "lanes", json_string(strcmp(run->lanes, "hash") == 0 ? "hash" : "spread"));
  if (run->replays) set_path(job, "schedule", run->schedule_path);
  if (run->replays) set_whole(job, "last_offered", run->last_offered);
  if (run->recirculates) set_whole(job, "recirculate", run->plan.num_items - 1);
  if (run->plot || run->timeline || run->view) set_path(job, "timeline", run->timeline_path);
  set_whole(job, "seed", run->traffic.seed);
  set_whole(job, "packets", run->num_packets);
  set_whole(job, "max_cycles", run->max_cycles ? run->max_cycles : default_bound(run));
  sluice_json_set(job, "load", json_real(run->load));
  sluice_json_set(job, "stall", json_real(run->stall));
  if (run->every.count) {
    json_t *every = json_array();
    for (unsigned l = 0; l < run->config->NumPipes; l++)
      sluice_json_add(every, json_integer((json_int_t)run->every_cycles[l]));
    sluice_json_set(job, "every", every);
  }
  sluice_json_set(job, "malformed", json_real(run->malformed));
  sluice_json_set(job, "idle", json_real(run->idle));
  sluice_json_set(job, "ns_per_cycle", json_real(run->ns_per_cycle));
  sluice_json_set(job, "progress", json_true());
  sluice_json_set(job, "modules", modules_json(run));
  for (unsigned i = 0; i < run->faults.count; i++)
    sluice_json_add(faults, json_string(run->faults.items[i]));
  sluice_json_set(job, "faults", faults);
  if (run->state) sluice_json_set(job, "state", json_true());
  if (run->oracle && strcmp(run->oracle, "spec") == 0) sluice_json_set(job, "spec", json_true());
  if (run->registers.count) {
    json_t *registers = json_array();
    for (unsigned i = 0; i < run->registers.count; i++)
      sluice_json_add(registers, json_string(run->registers.items[i]));
    sluice_json_set(job, "registers", registers);
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
    set_whole(settings, all[i].key, all[i].value);
  if (run->modules.num_class_ecn) {
    json_t *thresholds = json_array();
    for (unsigned c = 0; c < run->modules.num_class_ecn; c++)
      sluice_json_add(thresholds, json_integer(run->modules.class_ecn[c]));
    sluice_json_set(job, "class_ecn", thresholds);
  }
  sluice_json_set(job, "settings", settings);
  struct sluice_error error;
  const enum sluice_status status = sluice_json_save(job, JSON_INDENT(2), run->job_path, &error);
  if (status) cli_error("%s", error.text);
  json_decref(job);
  return status ? CLI_WORLD : CLI_DONE;
}
