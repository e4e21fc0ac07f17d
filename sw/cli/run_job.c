// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

static bool try_sim(struct run *run, const char *format, const char *dir) {
  int n = snprintf(run->sim_path, sizeof run->sim_path, format, dir, run->config->name);
  return n > 0 && (size_t)n < sizeof run->sim_path && access(run->sim_path, X_OK) == 0;
}

bool run_find_sim(struct run *run) {
  const char *named = run->sim ? run->sim : getenv("SLUICE_SIM");
  if (named && *named) {
    if (try_sim(run, "%s", named)) return true;
    cli_error("cannot run the simulator '%s'", named);
    return false;
  }
  char here[1024];
  ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
  here[n > 0 ? n : 0] = 0;
  char *slash = strrchr(here, '/');
  if (slash) *slash = 0;
  if (n > 0 && (try_sim(run, "%s/%s/sim", here) || try_sim(run, "%s/build/%s/sim", here) ||
                try_sim(run, "%s/../build/%s/sim", here)))
    return true;
  cli_error(
      "cannot find build/%s/sim near '%s': build it with 'make build/%s/sim', or name it with "
      "--sim",
      run->config->name, here, run->config->name);
  return false;
}

// A bound that no healthy run comes near: as if one beat took 64 cycles, and the time that gaps
// take.
static uint64_t default_bound(const struct run *run) {
  double cycles = 1e6 + 64.0 * (double)run->num_beats / run->load / (1.0 - run->stall);
  if (strcmp(run->pace_by, "time") == 0 || run->packets_csv) cycles += (double)run->span_ns / run->ns_per_cycle;
  if (run->recirculate) cycles += 64.0 * (double)run->num_beats * SLUICE_TRACE_ACCESSES;
  return cycles < 9e15 ? (uint64_t)cycles : UINT64_C(9000000000000000);
}

static void set_text(json_t *job, const char *key, const char *value) {
  if (value) json_object_set_new(job, key, json_string(value));
}

static void set_whole(json_t *job, const char *key, uint64_t value) {
  if (value != RUN_UNSET) json_object_set_new(job, key, json_integer((json_int_t)value));
}

int run_write_job(const struct run *run) {
  json_t *job = json_object(), *modules = json_array(), *faults = json_array(),
         *settings = json_object();
  set_text(job, "config", run->config->name);
  set_text(job, "capture", run->input_path);
  set_text(job, "report", run->report_path);
  set_text(job, "out", run->out);
  set_text(job, "control", run->control);
  set_text(job, "accesses", run->accesses);
  set_text(job, "trace", run->trace);
  set_text(job, "pace_by", run->pace_by);
  set_text(job, "lanes", run->lanes);
  if (run->packets_csv) set_text(job, "schedule", run->schedule_path);
  if (run->packets_csv) set_whole(job, "last_offered", run->last_offered);
  if (run->recirculate) set_whole(job, "recirculate", run->plan.num_items - 1);
  if (run->plot || run->timeline) set_text(job, "timeline", run->timeline_path);
  set_whole(job, "seed", run->traffic.seed);
  set_whole(job, "packets", run->num_packets);
  set_whole(job, "max_cycles", run->max_cycles ? run->max_cycles : default_bound(run));
  if (run->trace) set_whole(job, "trace_packets", run->trace_count);
  json_object_set_new(job, "load", json_real(run->load));
  json_object_set_new(job, "stall", json_real(run->stall));
  json_object_set_new(job, "malformed", json_real(run->malformed));
  json_object_set_new(job, "ns_per_cycle", json_real(run->ns_per_cycle));
  json_object_set_new(job, "progress", json_true());
  for (unsigned i = 0; i < run->modules.count; i++) {
    const struct cli_module *m = &run->modules.items[i];
    json_t *module = json_pack("{s:s,s:i}", "image", m->path, "vid", (int)m->vid);
    if (m->set) json_object_set_new(module, "set", json_integer((json_int_t)m->set));
    if (m->rate >= 0) {
      json_object_set_new(module, "rate", json_integer(m->rate));
      json_object_set_new(module, "burst", json_integer(m->burst));
    }
    json_array_append_new(modules, module);
  }
  for (unsigned i = 0; i < run->faults.count; i++)
    json_array_append_new(faults, json_string(run->faults.items[i]));
  set_whole(settings, "pace", run->pace);
  set_whole(settings, "brake", run->brake);
  set_whole(settings, "lane_limit", run->lane_limit);
  set_whole(settings, "output_limit", run->output_limit);
  set_whole(settings, "ecn_queue", run->ecn_queue);
  set_whole(settings, "ecn_lane", run->ecn_lane);
  set_whole(settings, "mode", run->mode ? run->mode : RUN_UNSET);
  set_whole(settings, "pin", run->pin);
  set_whole(settings, "sets", run->sets);
  set_whole(settings, "move_period", run->move_period);
  set_whole(settings, "move_least", run->move_least);
  json_object_set_new(job, "modules", modules);
  json_object_set_new(job, "faults", faults);
  json_object_set_new(job, "settings", settings);
  int bad = json_dump_file(job, run->job_path, JSON_INDENT(2));
  json_decref(job);
  if (!bad) return CLI_DONE;
  cli_error("cannot write '%s'", run->job_path);
  return CLI_WORLD;
}
