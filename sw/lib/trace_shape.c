// SPDX-License-Identifier: Apache-2.0
#include "trace_shape.h"

#include <stdbool.h>
#include <stdlib.h>

#include "../base/rng.h"

static enum sluice_status no_memory(struct sluice_error *error) {
  return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory to change the trace");
}

enum sluice_status sluice_trace_place_at_random(struct sluice_trace *t, uint64_t seed,
                                                struct sluice_error *error) {
  bool used[SLUICE_TRACE_STAGES] = {false};
  struct sluice_rng rng;
  uint32_t entries = t->entries;
  uint32_t *renamed = malloc((size_t)SLUICE_TRACE_STAGES * t->entries * sizeof *renamed);
  if (!renamed && t->entries) return no_memory(error);
  for (uint32_t f = 0; f < t->num_flows; f++)
    for (uint32_t a = 0; a < t->flows[f].num; a++) used[t->flows[f].accesses[a].stage] = true;
  sluice_rng_init(&rng, seed, "study places");
  for (uint32_t s = 0; s < SLUICE_TRACE_STAGES; s++) {
    uint32_t next[SLUICE_TRACE_LANES];  // in each pipeline; number 0 is none
    for (uint32_t k = 0; k < t->lanes; k++) next[k] = k ? k : t->lanes;
    for (uint32_t i = 0; used[s] && i < t->entries; i++) {
      const uint64_t pipe = sluice_rng_below(&rng, t->lanes);
      renamed[(size_t)s * t->entries + i] = next[pipe] - 1;
      if (next[pipe] > entries) entries = next[pipe];
      next[pipe] += t->lanes;
    }
  }
  for (uint32_t f = 0; f < t->num_flows; f++)
    for (uint32_t a = 0; a < t->flows[f].num; a++) {
      struct sluice_trace_access *access = &t->flows[f].accesses[a];
      access->index = renamed[(size_t)access->stage * t->entries + access->index];
    }
  t->entries = entries;
  free(renamed);
  return SLUICE_OK;
}

struct share {
  uint32_t id, lane;
  uint64_t beats;
};

static int by_id(const void *a, const void *b) {
  const struct share *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

static int by_beats(const void *a, const void *b) {
  const struct share *x = a, *y = b;
  return x->beats != y->beats ? (x->beats < y->beats) - (x->beats > y->beats) : by_id(a, b);
}

enum sluice_status sluice_trace_lane_per_flow(struct sluice_trace *t, uint32_t beat_bytes,
                                              struct sluice_error *error) {
  uint64_t load[SLUICE_TRACE_LANES] = {0};
  const uint32_t block = t->ports > t->lanes ? t->ports / t->lanes : 1;
  const uint32_t lanes = t->ports < t->lanes ? t->ports : t->lanes;
  struct share *flows = malloc((t->num_packets + 1) * sizeof *flows);
  size_t num = 0;
  if (!flows) return no_memory(error);
  for (uint32_t i = 0; i < t->num_packets; i++)
    flows[i] =
        (struct share){t->packets[i].id, 0, (t->packets[i].bytes + beat_bytes - 1) / beat_bytes};
  qsort(flows, t->num_packets, sizeof *flows, by_id);
  for (uint32_t i = 0; i < t->num_packets; i++)
    if (num && flows[num - 1].id == flows[i].id) flows[num - 1].beats += flows[i].beats;
    else flows[num++] = flows[i];
  qsort(flows, num, sizeof *flows, by_beats);
  for (size_t f = 0; f < num; f++) {
    uint32_t lane = 0;
    for (uint32_t k = 1; k < lanes; k++)
      if (load[k] < load[lane]) lane = k;
    load[lane] += flows[f].beats;
    flows[f].lane = lane;
  }
  qsort(flows, num, sizeof *flows, by_id);
  for (uint32_t i = 0; i < t->num_packets; i++) {
    struct sluice_trace_packet *p = &t->packets[i];
    const struct share key = {.id = p->id};
    const struct share *found = bsearch(&key, flows, num, sizeof *flows, by_id);
    p->port = found->lane * block + p->port % block;
    p->lane = found->lane;
  }
  free(flows);
  return SLUICE_OK;
}
