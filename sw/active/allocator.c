// SPDX-License-Identifier: Apache-2.0
#include "allocator.h"

#include <stdio.h>
#include <string.h>

#include "allocator_plan.h"

enum phase { IDLE, PLANNED, APPLIED };
struct sluice_allocator {
  struct sluice_allocator_options options;
  const struct sluice_pool_rules *rules;
  struct sluice_pools pools;
  // The state, and what the plan makes of it (or the state before).
  struct sluice_memory_layout layout[2];
  unsigned now;
  enum phase phase;
  struct sluice_memory_plan_store store;
  struct sluice_alloc alloc;
};

enum sluice_status sluice_allocator_new(struct sluice_allocator **out,
                                        const struct sluice_memory_shape *shape,
                                        const struct sluice_allocator_options *options,
                                        const struct sluice_alloc *alloc,
                                        struct sluice_error *error) {
  const struct sluice_allocator_options defaults = {.rules = SLUICE_RULES_OURS};
  const enum sluice_status status = sluice_memory_check_shape(shape, error);
  if (!options) options = &defaults;
  if (status) return status;
  if (options->rules == SLUICE_RULES_PUBLISHED && shape->pipelines > 1)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "the published rules know one pipeline, the shape has %u", shape->pipelines);
  struct sluice_allocator *a = sluice_zeroed(alloc, sizeof *a);
  if (!a) return sluice_no_memory(error);
  if (alloc) a->alloc = a->store.alloc = *alloc;
  a->options = *options;
  if (!a->options.most_tried) a->options.most_tried = 1000000;
  a->rules = options->rules == SLUICE_RULES_PUBLISHED ? &sluice_rules_published
                                                      : &sluice_rules_ours;
  a->pools = (struct sluice_pools){*shape, options->fit, sluice_zeroed(alloc, shape->blocks)};
  if (!sluice_memory_layout_init(&a->layout[0], shape->stages, alloc) ||
      !sluice_memory_layout_init(&a->layout[1], shape->stages, alloc) || !a->pools.scratch) {
    sluice_allocator_free(a);
    return sluice_no_memory(error);
  }
  *out = a;
  return SLUICE_OK;
}

void sluice_allocator_free(struct sluice_allocator *a) {
  if (!a) return;
  const struct sluice_alloc alloc = a->alloc;
  sluice_memory_layout_release(&a->layout[0]);
  sluice_memory_layout_release(&a->layout[1]);
  sluice_memory_plan_release(&a->store);
  sluice_resize(&alloc, a->pools.scratch, a->pools.shape.blocks, 0);
  sluice_resize(&alloc, a, sizeof *a, 0);
}

// ---- choice -------------------------------------------------------------------------------------

// What every stage offers to every access: a mutant is rated by looking it up.
struct offers {
  struct sluice_offer of[SLUICE_MEMORY_STAGES][SLUICE_MEMORY_ACCESSES];
};

struct choice {
  bool found, all_tried;
  unsigned num_mutants;
  double cost;
  struct sluice_mutants mutant;
  // The mutant that lacks least, if none fits.
  unsigned lacks;
  struct sluice_mutants nearest;
};

// The access that decides on stage number n of a mutant. Published: access n, whatever stage that
// has (the request lists demands by stage). Ours: the one of the stage that asks for most; one that
// is not sharded wins over one that is.
static unsigned deciding(const struct sluice_allocator *a, const struct sluice_memory_request *r,
                         const struct sluice_mutants *m, unsigned n) {
  unsigned best = 0;
  bool found = false;
  if (a->options.rules == SLUICE_RULES_PUBLISHED) return n;
  for (unsigned i = 0; i < m->num; i++) {
    const struct sluice_memory_access *x = &r->access[i], *b = &r->access[best];
    if (m->stage[i] != m->stages[n]) continue;
    if (found && (b->sharded != x->sharded ? x->sharded : x->demand <= b->demand)) continue;
    best = i;
    found = true;
  }
  return best;
}

// What stage number n of a mutant offers to the access that decides on it.
static const struct sluice_offer *offer_at(const struct sluice_allocator *a,
                                           const struct sluice_memory_request *r,
                                           const struct offers *offers,
                                           const struct sluice_mutants *m, unsigned n) {
  return &offers->of[m->stages[n]][deciding(a, r, m, n)];
}

static void choose(struct sluice_allocator *a, const struct sluice_memory_request *r,
                   const struct offers *offers, struct choice *c) {
  struct sluice_mutants m;
  memset(c, 0, sizeof *c);
  c->all_tried = true;
  sluice_mutants_init(&m, &a->pools.shape, r, a->options.least_constrained);
  while (sluice_mutants_next(&m)) {
    bool fits = true;
    unsigned lacks = 0;
    double cost = 0;
    for (unsigned n = 0; n < m.num_stages; n++) {
      const struct sluice_offer *o = offer_at(a, r, offers, &m, n);
      fits &= o->fits;
      lacks += o->short_of;
      cost += o->cost;
    }
    c->num_mutants++;
    if (!fits && (c->num_mutants == 1 || lacks < c->lacks)) {
      c->lacks = lacks;
      c->nearest = m;
    }
    if (fits &&
        (!c->found || (a->options.fit == SLUICE_FIT_BEST ? cost > c->cost : cost < c->cost))) {
      c->found = true;
      c->cost = cost;
      c->mutant = m;
      if (a->options.fit == SLUICE_FIT_FIRST) break;
    }
    if (m.tried >= a->options.most_tried) {
      c->all_tried = false;
      break;
    }
  }
}

static enum sluice_status refuse(const struct sluice_allocator *a,
                                 const struct sluice_memory_request *r, const struct offers *offers,
                                 const struct choice *c, struct sluice_error *error) {
  unsigned worst = 0, lacking = 0;
  char where[40] = "", more[60] = "", count[40];
  const struct sluice_offer *o = offer_at(a, r, offers, &c->nearest, 0);
  for (unsigned n = 0; n < c->nearest.num_stages; n++) {
    const struct sluice_offer *other = offer_at(a, r, offers, &c->nearest, n);
    lacking += other->short_of > 0;
    if (other->short_of <= o->short_of) continue;
    worst = n;
    o = other;
  }
  if (a->pools.shape.pipelines > 1)
    snprintf(where, sizeof where,
             o->pipeline == SLUICE_ALL_PIPELINES ? " in all pipelines" : " in pipeline %u",
             o->pipeline);
  if (lacking > 1)
    snprintf(more, sizeof more, ", and %u other stage%s", lacking - 1,
             lacking > 2 ? "s lack blocks" : " lacks blocks");
  snprintf(count, sizeof count,
           c->num_mutants == 1 ? "its only mutant" : "the nearest of %u mutants", c->num_mutants);
  return sluice_fail(
      error, SLUICE_ERR_FULL,
      "program %u does not fit: %s lacks %u of the %u block%s that it needs in stage %u%s%s",
      r->fid, count, o->short_of, o->wanted, o->wanted == 1 ? "" : "s", c->nearest.stages[worst],
      where, more);
}

// ---- plans --------------------------------------------------------------------------------------

static enum sluice_status start(struct sluice_allocator *a, struct sluice_error *error) {
  if (a->phase != IDLE)
    return sluice_fail(
        error, SLUICE_ERR_RANGE, "the plan for program %u waits to be %s: no other one can be made",
        a->store.plan.fid, a->phase == PLANNED ? "applied or undone" : "committed or undone");
  return SLUICE_OK;
}

static enum sluice_status finish(struct sluice_allocator *a, const struct sluice_memory_plan **plan,
                                 struct sluice_error *error) {
  if (!sluice_memory_plan_compare(&a->store, &a->layout[a->now], &a->layout[!a->now]))
    return sluice_no_memory(error);
  a->phase = PLANNED;
  if (plan) *plan = &a->store.plan;
  return SLUICE_OK;
}

static unsigned make_regions(const struct sluice_allocator *a,
                             const struct sluice_memory_request *r, const struct choice *c,
                             const struct offers *offers,
                             struct sluice_memory_region regions[SLUICE_MEMORY_ACCESSES]) {
  for (unsigned n = 0; n < c->mutant.num_stages; n++) {
    const unsigned access = deciding(a, r, &c->mutant, n), stage = c->mutant.stages[n];
    const struct sluice_offer *o = &offers->of[stage][access];
    regions[n] = (struct sluice_memory_region){.fid = r->fid,
                                               .stage = (uint8_t)stage,
                                               .pipeline = o->pipeline,
                                               .elastic = r->access[access].demand == 1,
                                               .demand = (uint16_t)o->wanted};
  }
  return c->mutant.num_stages;
}

static void describe(struct sluice_memory_plan *plan, const struct sluice_memory_request *r,
                     const struct choice *c) {
  const unsigned last = r->num - 1;
  *plan = (struct sluice_memory_plan){.fid = r->fid,
                                      .admits = true,
                                      .num_accesses = r->num,
                                      .num_mutants = c->num_mutants,
                                      .all_tried = c->all_tried,
                                      .cost = c->cost};
  for (unsigned i = 0; i < r->num; i++) {
    plan->position[i] = c->mutant.position[i];
    plan->stage[i] = c->mutant.stage[i];
  }
  plan->length = r->length + c->mutant.position[last] - r->access[last].position;
  plan->passes = sluice_mutants_passes(&c->mutant.shape, plan->length);
}

enum sluice_status sluice_allocator_admit(struct sluice_allocator *a,
                                          const struct sluice_memory_request *r,
                                          const struct sluice_memory_plan **plan,
                                          struct sluice_error *error) {
  struct sluice_memory_layout *now = &a->layout[a->now], *next = &a->layout[!a->now];
  struct sluice_memory_region regions[SLUICE_MEMORY_ACCESSES];
  struct offers offers;
  struct choice c;
  bool here;
  unsigned at = 0;
  enum sluice_status status = start(a, error);
  if (!status) status = sluice_memory_check_request(&a->pools.shape, r, error);
  if (status) return status;
  sluice_memory_layout_tenant(now, r->fid, &here);
  if (here) return sluice_fail(error, SLUICE_ERR_RANGE, "program %u is here already", r->fid);
  for (unsigned s = 0; s < a->pools.shape.stages; s++)
    for (unsigned i = 0; i < r->num; i++)
      offers.of[s][i] = a->rules->offer(&a->pools, &now->stages[s], &r->access[i]);
  choose(a, r, &offers, &c);
  if (!c.found) return refuse(a, r, &offers, &c, error);
  if (!sluice_memory_layout_copy(next, now) || !sluice_memory_layout_add(next, r->fid))
    return sluice_no_memory(error);
  const unsigned num = make_regions(a, r, &c, &offers, regions);
  status = a->rules->settle(&a->pools, next, regions, num, &at);
  if (status == SLUICE_ERR_FULL)
    return sluice_fail(error, status,
                       "program %u does not fit: the hole for its %u blocks in stage %u is not one",
                       r->fid, regions[at].demand, regions[at].stage);
  if (status) return sluice_no_memory(error);
  describe(&a->store.plan, r, &c);
  return finish(a, plan, error);
}

enum sluice_status sluice_allocator_release(struct sluice_allocator *a, uint16_t fid,
                                            const struct sluice_memory_plan **plan,
                                            struct sluice_error *error) {
  struct sluice_memory_layout *now = &a->layout[a->now], *next = &a->layout[!a->now];
  bool here;
  SLUICE_TRY(start(a, error));
  sluice_memory_layout_tenant(now, fid, &here);
  if (!here) return sluice_fail(error, SLUICE_ERR_RANGE, "program %u is not here", fid);
  if (!sluice_memory_layout_copy(next, now) || !a->rules->leave(&a->pools, next, fid))
    return sluice_no_memory(error);
  sluice_memory_layout_remove(next, fid);
  a->store.plan = (struct sluice_memory_plan){.fid = fid, .all_tried = true};
  return finish(a, plan, error);
}

enum sluice_status sluice_allocator_apply(struct sluice_allocator *a, struct sluice_error *error) {
  if (a->phase != PLANNED)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       a->phase == IDLE ? "there is no plan" : "the plan is applied already");
  a->now = !a->now;
  a->phase = APPLIED;
  return SLUICE_OK;
}

enum sluice_status sluice_allocator_undo(struct sluice_allocator *a, struct sluice_error *error) {
  if (a->phase == IDLE) return sluice_fail(error, SLUICE_ERR_RANGE, "there is no plan");
  if (a->phase == APPLIED) a->now = !a->now;
  a->phase = IDLE;
  return SLUICE_OK;
}

enum sluice_status sluice_allocator_commit(struct sluice_allocator *a, struct sluice_error *error) {
  if (a->phase != APPLIED)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       a->phase == IDLE ? "there is no plan" : "the plan is not applied");
  a->phase = IDLE;
  return SLUICE_OK;
}

// ---- what there is ------------------------------------------------------------------------------

const struct sluice_memory_shape *sluice_allocator_shape(const struct sluice_allocator *a) {
  return &a->pools.shape;
}

const uint16_t *sluice_allocator_tenants(const struct sluice_allocator *a, unsigned *num) {
  *num = a->layout[a->now].num_tenants;
  return a->layout[a->now].tenants;
}

const struct sluice_memory_region *sluice_allocator_stage(const struct sluice_allocator *a,
                                                          unsigned stage, unsigned *num) {
  if (stage >= a->pools.shape.stages) {
    *num = 0;
    return NULL;
  }
  *num = a->layout[a->now].stages[stage].num;
  return a->layout[a->now].stages[stage].regions;
}

const struct sluice_memory_region *sluice_allocator_find(const struct sluice_allocator *a,
                                                         uint16_t fid, unsigned stage) {
  return stage < a->pools.shape.stages
             ? sluice_memory_stage_find(&a->layout[a->now].stages[stage], fid)
             : NULL;
}

void sluice_allocator_words(const struct sluice_allocator *a, const struct sluice_memory_region *r,
                            uint32_t *first, uint32_t *last) {
  *first = r->first * a->pools.shape.block_words;
  *last = (r->first + r->blocks) * a->pools.shape.block_words - 1;
}

static uint64_t blocks_of(const struct sluice_allocator *a, const struct sluice_memory_region *r) {
  return (uint64_t)r->blocks * (r->pipeline == SLUICE_ALL_PIPELINES ? a->pools.shape.pipelines : 1);
}

uint64_t sluice_allocator_used(const struct sluice_allocator *a) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < a->pools.shape.stages; i++) {
    const struct sluice_memory_stage *s = &a->layout[a->now].stages[i];
    for (unsigned n = 0; n < s->num; n++) sum += blocks_of(a, &s->regions[n]);
  }
  return sum;
}

uint64_t sluice_allocator_size(const struct sluice_allocator *a) {
  return (uint64_t)a->pools.shape.stages * a->pools.shape.blocks * a->pools.shape.pipelines;
}

uint64_t sluice_allocator_blocks(const struct sluice_allocator *a, uint16_t fid) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < a->pools.shape.stages; i++) {
    const struct sluice_memory_region *r = sluice_allocator_find(a, fid, i);
    if (r) sum += blocks_of(a, r);
  }
  return sum;
}
