// SPDX-License-Identifier: Apache-2.0
#include "stress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/rng.h"
#include "../base/weights.h"

const char *const sluice_stress_patterns[3] = {"stress", "hot-swap", "burst"};

struct sluice_stress_options sluice_stress_defaults(void) {
  return (struct sluice_stress_options){.ports = 64,
                                        .lanes = 4,
                                        .stages = 16,
                                        .entries = 512,
                                        .cycles = 40000,
                                        .bytes = 64,
                                        .num_stateful = 4,
                                        .stateful = {2, 5, 9, 13},
                                        .load = 1.0,
                                        .every = 2000,
                                        .seed = 1};
}

static enum sluice_status check(const struct sluice_stress_options *o, struct sluice_error *e) {
  const enum sluice_status range = SLUICE_ERR_RANGE;
  if (o->ports < 1 || o->ports > SLUICE_TRACE_PORTS)
    return sluice_fail(e, range, "%u ports, legal is 1..%d", (unsigned)o->ports,
                       SLUICE_TRACE_PORTS);
  if (o->lanes < 1 || o->lanes > SLUICE_TRACE_LANES || o->lanes > o->ports)
    return sluice_fail(e, range, "%u pipelines, legal is 1..%d and not more than the %u ports",
                       (unsigned)o->lanes, SLUICE_TRACE_LANES, (unsigned)o->ports);
  if (o->stages < 1 || o->stages > SLUICE_TRACE_STAGES)
    return sluice_fail(e, range, "%u stages, legal is 1..%d", (unsigned)o->stages,
                       SLUICE_TRACE_STAGES);
  if (o->entries < 1 || o->entries > SLUICE_TRACE_ENTRIES)
    return sluice_fail(e, range, "%u entries, legal is 1..%d", (unsigned)o->entries,
                       SLUICE_TRACE_ENTRIES);
  if (o->num_stateful > SLUICE_TRACE_ACCESSES)
    return sluice_fail(e, range, "%u stateful stages, legal is up to %d", (unsigned)o->num_stateful,
                       SLUICE_TRACE_ACCESSES);
  uint64_t seen = 0;
  for (uint32_t i = 0; i < o->num_stateful; i++) {
    if (o->stateful[i] >= o->stages)
      return sluice_fail(e, range, "stateful stage %u, there are %u stages",
                         (unsigned)o->stateful[i], (unsigned)o->stages);
    if (seen & UINT64_C(1) << o->stateful[i])
      return sluice_fail(e, range, "stateful stage %u is named twice", (unsigned)o->stateful[i]);
    seen |= UINT64_C(1) << o->stateful[i];
  }
  if (!(o->zipf >= 0.0 && o->zipf <= 8.0))
    return sluice_fail(e, range, "Zipf exponent %g, legal is 0..8", o->zipf);
  if (!(o->load >= 0.0 && o->load <= 1.0) || (o->load == 0.0 && o->pattern != SLUICE_STRESS_BURST))
    return sluice_fail(e, range, "load %g, legal is above 0 (0 for bursts only), at most 1",
                       o->load);
  if (o->pattern == SLUICE_STRESS_HOT_SWAP && o->zipf == 0.0)
    return sluice_fail(e, range, "hot spots need a Zipf exponent above 0");
  if (!o->every || !o->bytes || o->bytes > 65535)
    return sluice_fail(e, range, "turns of %u cycles, packets of %u bytes: out of range",
                       (unsigned)o->every, (unsigned)o->bytes);
  if (!o->cycles || (uint64_t)o->cycles * o->lanes > SLUICE_TRACE_PACKETS)
    return sluice_fail(e, range, "%u cycles of %u pipelines, legal are up to %d packets",
                       (unsigned)o->cycles, (unsigned)o->lanes, SLUICE_TRACE_PACKETS);
  return SLUICE_OK;
}

struct maker {
  const struct sluice_stress_options *o;
  struct sluice_rng rng_load, rng_rank;
  uint64_t *sums;     // of the weights of ranks
  uint32_t *indices;  // [access][rank]
};

// A random order of the indices, for each access.
static void shuffle(struct maker *m) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, m->o->seed, "stress indices");
  uint32_t n = m->o->entries;
  for (uint32_t a = 0; a < m->o->num_stateful; a++) {
    uint32_t *order = m->indices + (size_t)a * n;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t j = (uint32_t)sluice_rng_below(&rng, i + 1);
      order[i] = order[j];
      order[j] = i;
    }
  }
}

static bool offers(struct maker *m, uint32_t lane, uint32_t cycle) {
  const struct sluice_stress_options *o = m->o;
  bool random = sluice_rng_unit(&m->rng_load) < o->load;
  return random || (o->pattern == SLUICE_STRESS_BURST && cycle / o->every % o->lanes == lane);
}

static enum sluice_status make_all(struct maker *m, struct sluice_trace *t,
                                   struct sluice_error *error) {
  const struct sluice_stress_options *o = m->o;
  struct sluice_trace_flow f = {.num = o->num_stateful};
  enum sluice_status status = SLUICE_OK;
  for (uint32_t cycle = 0; cycle < o->cycles; cycle++) {
    bool turned = o->pattern == SLUICE_STRESS_HOT_SWAP && cycle / o->every % 2;
    for (uint32_t lane = 0; lane < o->lanes; lane++) {
      if (!offers(m, lane, cycle)) continue;
      f.id++;
      for (uint32_t a = 0; a < o->num_stateful; a++) {
        uint32_t rank = sluice_draw(&m->rng_rank, m->sums, o->entries);
        if (turned) rank = o->entries - 1 - rank;
        f.accesses[a].stage = o->stateful[a];
        f.accesses[a].index = m->indices[(size_t)a * o->entries + rank];
      }
      status = sluice_trace_add_flow(t, &f, error);
      uint32_t port = lane * (o->ports / o->lanes);
      if (!status) status = sluice_trace_add_packet(t, port, o->bytes, f.id, cycle, error);
      if (status) return status;
    }
  }
  if (!t->num_packets) return sluice_fail(error, SLUICE_ERR_RANGE, "the load makes no packet");
  return SLUICE_OK;
}

enum sluice_status sluice_stress_make(struct sluice_trace *t, const struct sluice_stress_options *o,
                                      struct sluice_error *error) {
  memset(t, 0, sizeof *t);
  enum sluice_status status = check(o, error);
  if (status) return status;
  t->ports = o->ports;
  t->lanes = o->lanes;
  t->stages = o->stages;
  t->stateful = o->num_stateful;
  t->entries = o->entries;
  snprintf(t->size, sizeof t->size, "%u", (unsigned)o->bytes);
  snprintf(t->pattern, sizeof t->pattern, "%s", sluice_stress_patterns[o->pattern]);

  size_t accesses = o->num_stateful ? o->num_stateful : 1;
  struct maker m = {.o = o,
                    .sums = malloc(o->entries * sizeof(uint64_t)),
                    .indices = malloc(accesses * o->entries * sizeof(uint32_t))};
  if (m.sums && m.indices) {
    sluice_rng_init(&m.rng_load, o->seed, "stress load");
    sluice_rng_init(&m.rng_rank, o->seed, "stress ranks");
    uint64_t sum = 0;
    for (uint32_t rank = 0; rank < o->entries; rank++)
      m.sums[rank] = sum += sluice_zipf_weight(rank, o->zipf);
    shuffle(&m);
    status = make_all(&m, t, error);
  } else {
    status = sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for %u entries", (unsigned)o->entries);
  }
  free(m.sums);
  free(m.indices);
  if (status) sluice_trace_release(t);
  return status;
}
