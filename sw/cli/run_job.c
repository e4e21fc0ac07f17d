// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/status.h"
#include "run.h"

bool run_find_sim(struct run *run) {
  return cli_find_sim(run->sim_path, sizeof run->sim_path, run->sim, run->config->name);
}

// A bound that no healthy run comes near: as if one beat took 64 cycles, and the time that gaps
// take.
static uint64_t default_bound(const struct run *run) {
  double cycles = 1e6 + 64.0 * (double)run->num_beats / run->job.load / (1.0 - run->job.stall);
  unsigned slowest = 1;
  for (unsigned l = 0; l < run->config->NumPipes; l++)
    if (run->every_cycles[l] > slowest) slowest = run->every_cycles[l];
  cycles *= slowest;
  if (strcmp(run->pace_by, "time") == 0 || run->replays)
    cycles += (double)run->span_ns / run->job.ns_per_cycle;
  if (run->recirculates) cycles += 64.0 * (double)run->num_beats * SLUICE_TRACE_ACCESSES;
  return cycles < 9e15 ? (uint64_t)cycles : UINT64_C(9000000000000000);
}

static void set_faults(const struct run *run, struct job *job) {
  for (unsigned i = 0; i < run->faults.count; i++)
    job->fault_mask |= UINT64_C(1) << sluice_value_find("FAULT", run->faults.items[i]);
}

static bool set_told(const struct run *run, struct job *job) {
  job->told = calloc(run->told.num_ranges, sizeof *job->told);
  if (!job->told) return false;
  for (; job->num_told < run->told.num_ranges; job->num_told++)
    job->told[job->num_told] = (struct job_told){run->told.ranges[job->num_told].first,
                                                 run->told.ranges[job->num_told].last};
  job->stories = run->stories_path;
  job->brief = !run->stories && !run->tracing;
  return true;
}

// What modules say of the chip's registers.
static void set_modules(const struct run *run, struct job *job) {
  const struct cli_modules *m = &run->modules;
  for (unsigned i = 0; i < m->count; i++)
    job->modules[job->num_modules++] = cli_module_job(&m->items[i]);
  if (m->classed) {
    job->set.class_costs = m->class_costs;
    job->set.class_strict = m->class_set;
  }
  job->num_class_ecn = m->num_class_ecn;
  memcpy(job->class_ecn, m->class_ecn, sizeof job->class_ecn);
  if (!m->merge.lanes) return;
  job->set.merge_lanes = m->merge.lanes;
  job->set.merge_key = m->merge.key;
  job->set.merge_idle = m->merge.idle;
}

int run_write_job(const struct run *run) {
  struct sluice_error error;
  struct job *job = malloc(sizeof *job);
  enum sluice_status status = job ? SLUICE_OK : sluice_no_memory(&error);
  if (status) return cli_error("%s", error.text), CLI_WORLD;
  *job = run->job;
  job->config = run->config->name;
  job->capture = run->input_path;
  job->report = run->report_path;
  if (run->out) job->out = run->out_path;
  if (run->control) job->control = run->control_path;
  if (run->events) job->events = run->events_path;
  job->accesses = run->accesses;
  job->initial = run->modules.initial;
  job->by_time = strcmp(run->pace_by, "time") == 0;
  job->hash_lanes = strcmp(run->lanes, "hash") == 0;
  if (run->replays) job->schedule = run->schedule_path;
  if (run->recirculates) job->recirculate = run->plan.num_items - 1;
  if (run->plot || run->timeline || run->view) job->timeline = run->timeline_path;
  job->seed = run->traffic.seed;
  job->packets = run->num_packets;
  job->max_cycles = run->max_cycles ? run->max_cycles : default_bound(run);
  memcpy(job->every, run->every_cycles, sizeof job->every);
  job->progress = true;
  job->spec = run->oracle && strcmp(run->oracle, "spec") == 0;
  if (run->registers.count > JOB_MAX_REGISTERS)
    status = sluice_fail(&error, SLUICE_ERR_FULL, "--register: %u of them, and a run reads %d",
                         run->registers.count, JOB_MAX_REGISTERS);
  for (unsigned i = 0; !status && i < run->registers.count; i++)
    job->registers[job->num_registers++].name = run->registers.items[i];
  set_faults(run, job);
  set_modules(run, job);
  if (!status && run->told.num_ranges && !set_told(run, job)) status = sluice_no_memory(&error);
  if (!status) status = job_save(job, run->job_path, &error);
  if (status) cli_error("%s", error.text);
  free(job->told);
  free(job);
  return status ? CLI_WORLD : CLI_DONE;
}
