// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "machine.h"

static void play(struct study_machine *m) {
  while ((m->done < m->n || m->leaving_exit) && !m->nomem) {
    if (m->t == m->o.limit) {
      m->result->stuck = true;
      return;
    }
    m->t++;
    study_arrive(m);
    study_remap(m);
    study_steer(m);
    study_exit(m);
    study_issue(m);
    study_admit(m);
  }
}

enum sluice_status study_run(const struct study_options *o, struct sluice_trace *trace,
                             struct study_result *r, struct sluice_error *error) {
  memset(r, 0, sizeof *r);
  enum sluice_status status = study_check(o, error);
  if (!status) status = sluice_trace_repeat(trace, (uint32_t)o->repeat, error);
  if (!status) status = sluice_trace_arrive(trace, error);
  if (!status && o->beat) status = sluice_trace_beats(trace, (uint32_t)o->beat, error);
  if (status) return status;
  r->options = *o;
  r->lanes = trace->lanes;
  r->stages = (uint32_t)o->stages > trace->stages ? (uint32_t)o->stages : trace->stages;
  r->packets = trace->num_packets;
  r->constant = (uint64_t)(r->stages - 1) * (uint64_t)o->hop + (uint64_t)o->steered;
  struct study_machine m;
  if (study_machine_init(&m, o, trace, r)) {
    if (o->mode == STUDY_RECIRCULATION) study_recirculate(&m);
    else play(&m);
    r->cycles = (uint64_t)m.t + 1;
    r->mean_latency = r->left ? (double)m.latency / (double)r->left : 0.0;
    for (uint32_t s = 0; s < r->stages; s++)
      if (r->stage[s].deepest > r->deepest_queue) r->deepest_queue = r->stage[s].deepest;
  }
  bool nomem = m.nomem;
  study_machine_release(&m);
  if (nomem)
    return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for %u packets",
                       (unsigned)trace->num_packets);
  return SLUICE_OK;
}

// A packet that was dropped is throughput that is missing.
static double share(const struct study_result *r, uint64_t less) {
  if (r->stuck || !r->packets) return 0.0;
  double left = (double)r->left / (double)r->packets;
  if (r->last_out <= less || r->last_in == 0) return left;
  return left * (double)r->last_in / (double)(r->last_out - less);
}

double study_throughput(const struct study_result *r) { return share(r, 0); }
double study_throughput_net(const struct study_result *r) { return share(r, r->constant); }
