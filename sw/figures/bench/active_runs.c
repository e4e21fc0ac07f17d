// SPDX-License-Identifier: Apache-2.0
#include "active_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/rng.h"
#include "tests/rig/allocator_programs.h"

enum { FIDS = 65536 };
static struct sluice_error error;

static void must(enum sluice_status status) {
  if (!status) return;
  fprintf(stderr, "%s\n", error.text);
  exit(3);
}

// Processor time: others on the machine do not count.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct sluice_allocator *open_case(const struct active_case *c) {
  struct sluice_memory_shape shape = sluice_memory_published_shape;
  const struct sluice_allocator_options options = {
      .rules = c->variant.rules, .fit = c->fit, .least_constrained = c->least};
  struct sluice_allocator *a = NULL;
  shape.pipelines = c->variant.pipelines;
  shape.block_words = shape.blocks * shape.block_words / c->blocks;
  shape.blocks = c->blocks;
  must(sluice_allocator_new(&a, &shape, &options, NULL, &error));
  return a;
}

static struct sluice_memory_request request_of(const struct active_case *c, unsigned program,
                                               unsigned fid) {
  struct sluice_memory_request r = evaluated_programs[program].request;
  r.fid = (uint16_t)fid;
  for (unsigned i = 0; i < r.num; i++)
    r.access[i].sharded = c->variant.sharded && program == EVALUATED_CACHE;
  for (unsigned i = 0; i < r.num; i++)
    if (r.access[i].demand > 1) r.access[i].demand = r.access[i].demand * c->blocks / 368;
  return r;
}

static void keep(struct sluice_allocator *a) {
  must(sluice_allocator_apply(a, &error));
  must(sluice_allocator_commit(a, &error));
}

static double used(const struct sluice_allocator *a) {
  return (double)sluice_allocator_used(a) / (double)sluice_allocator_size(a);
}

void active_arrivals(const struct active_case *c, unsigned program, uint64_t seed, unsigned num,
                     struct active_arrival *list) {
  struct sluice_allocator *a = open_case(c);
  struct sluice_rng rng;
  sluice_rng_init(&rng, seed, "arrivals");
  for (unsigned n = 0; n < num; n++) {
    const unsigned which = program == ACTIVE_MIXED ? (unsigned)sluice_rng_below(&rng, 3) : program;
    const struct sluice_memory_request r = request_of(c, which, n + 1);
    const struct sluice_memory_plan *plan;
    const double start = now();
    const enum sluice_status status = sluice_allocator_admit(a, &r, &plan, &error);
    if (!status) keep(a);
    else if (status != SLUICE_ERR_FULL) must(status);
    list[n] = (struct active_arrival){now() - start, !status, which != EVALUATED_CACHE, 0};
    list[n].used = used(a);
  }
  sluice_allocator_free(a);
}

// Poisson with mean 1, `times` of them: products of random numbers until they are below 1/e.
static unsigned poisson(struct sluice_rng *rng, unsigned times) {
  unsigned sum = 0;
  for (unsigned i = 0; i < times; i++)
    for (double product = sluice_rng_unit(rng); product > 0.36787944117144233;
         product *= sluice_rng_unit(rng))
      sum++;
  return sum;
}

struct people {
  uint8_t program[FIDS];
  uint32_t moved_in[FIDS];  // number of the last epoch in which it lost a block
};

// Caches among those who move, each once an epoch.
static unsigned count_moved(const struct sluice_memory_plan *plan, struct people *p,
                            uint32_t epoch) {
  unsigned num = 0;
  for (unsigned i = 0; i < plan->num_moved; i++) {
    num += p->moved_in[plan->moved[i]] != epoch;
    p->moved_in[plan->moved[i]] = epoch;
  }
  return num;
}

static double fairness(const struct sluice_allocator *a, const struct people *p, unsigned *caches) {
  unsigned num;
  const uint16_t *tenants = sluice_allocator_tenants(a, &num);
  double sum = 0, squares = 0;
  *caches = 0;
  for (unsigned i = 0; i < num; i++) {
    if (p->program[tenants[i]] != EVALUATED_CACHE) continue;
    const double blocks = (double)sluice_allocator_blocks(a, tenants[i]);
    sum += blocks;
    squares += blocks * blocks;
    ++*caches;
  }
  return *caches ? sum * sum / (*caches * squares) : 1;
}

void active_epochs(const struct active_case *c, uint64_t seed, unsigned num,
                   struct active_epoch *list) {
  struct sluice_allocator *a = open_case(c);
  struct people *p = calloc(1, sizeof *p);
  struct sluice_rng arrivals, departures;
  unsigned fid = 1, caches = 0;
  if (!p) must(sluice_no_memory(&error));
  sluice_rng_init(&arrivals, seed, "arrivals");
  sluice_rng_init(&departures, seed, "departures");
  for (unsigned n = 0; n < num; n++) {
    struct active_epoch *e = &list[n];
    const struct sluice_memory_plan *plan;
    unsigned moved = 0, residents;
    *e = (struct active_epoch){.arrivals = poisson(&arrivals, 2 * c->variant.load)};
    for (unsigned i = 0; i < e->arrivals; i++, fid++) {
      const unsigned program = (unsigned)sluice_rng_below(&arrivals, 3);
      const struct sluice_memory_request r = request_of(c, program, fid);
      const enum sluice_status status = sluice_allocator_admit(a, &r, &plan, &error);
      p->program[fid % FIDS] = (uint8_t)program;
      e->caches += program == EVALUATED_CACHE;
      if (status == SLUICE_ERR_FULL) continue;
      must(status);
      e->placed_caches += program == EVALUATED_CACHE;
      moved += count_moved(plan, p, n + 1);
      caches += program == EVALUATED_CACHE;
      keep(a);
      e->placed++;
    }
    for (unsigned i = poisson(&departures, c->variant.load); i; i--) {
      const uint16_t *tenants = sluice_allocator_tenants(a, &residents);
      if (!residents) break;
      must(sluice_allocator_release(a, tenants[sluice_rng_below(&departures, residents)], &plan,
                                    &error));
      moved += count_moved(plan, p, n + 1);
      keep(a);
    }
    e->moved = caches ? (double)moved / caches : 0;
    e->fairness = fairness(a, p, &caches);
    e->used = used(a);
    sluice_allocator_tenants(a, &e->residents);
  }
  free(p);
  sluice_allocator_free(a);
}
