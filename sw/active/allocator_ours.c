// SPDX-License-Identifier: Apache-2.0
// Our rules for a stage of K pipelines, each with a pool of its own. From the bottom to the top of
// a pool: inelastic regions, pinned elastic ones, sharded elastic ones. A sharded region has the
// same blocks in all pools. Nothing is kept beside the regions: `floor` is where the highest
// inelastic region ends, and holes are what lies between the inelastic ones, so neighbouring holes
// are one and the topmost becomes room for elastic tenants at once.
#include <string.h>

#include "allocator_rules.h"

struct pool {
  unsigned floor, taken, pinned;  // pinned: elastic regions of this pipeline
  unsigned regions;               // of this pipeline alone, of both kinds
};
struct view {
  unsigned sharded;  // elastic
  struct pool pool[SLUICE_MEMORY_PIPELINES];
};

static bool is_in(const struct sluice_memory_region *r, unsigned pipeline) {
  return r->pipeline == SLUICE_ALL_PIPELINES || r->pipeline == pipeline;
}

static void look(const struct sluice_pools *pools, const struct sluice_memory_stage *s,
                 struct view *v) {
  memset(v, 0, sizeof *v);
  for (unsigned i = 0; i < s->num; i++) {
    const struct sluice_memory_region *r = &s->regions[i];
    const unsigned end = r->first + r->blocks;
    const bool all = r->pipeline == SLUICE_ALL_PIPELINES;
    v->sharded += r->elastic && all;
    for (unsigned p = all ? 0 : r->pipeline; p < (all ? pools->shape.pipelines : r->pipeline + 1u);
         p++) {
      struct pool *pool = &v->pool[p];
      pool->taken += r->demand;
      pool->pinned += r->elastic && !all;
      pool->regions += !all;
      if (!r->elastic && end > pool->floor) pool->floor = end;
    }
  }
}

// Where `need` blocks side by side are free in pipelines low .. high - 1: where that raises the
// floors least, then in the smallest hole, then lowest. Returns how many blocks are missing.
static unsigned find_place(const struct sluice_pools *pools, const struct sluice_memory_stage *s,
                           const struct view *v, unsigned low, unsigned high, unsigned need,
                           unsigned *first) {
  const unsigned blocks = pools->shape.blocks;
  unsigned least = need, best_raise = 0, best_size = 0;
  bool found = false;
  memset(pools->scratch, 0, blocks);
  for (unsigned i = 0; i < s->num; i++) {
    const struct sluice_memory_region *r = &s->regions[i];
    bool matters = false;
    for (unsigned p = low; p < high; p++) matters |= is_in(r, p);
    if (matters && !r->elastic) memset(pools->scratch + r->first, 1, r->blocks);
  }
  for (unsigned at = 0; at < blocks;) {
    unsigned end = at, raise = 0, short_of = 0;
    if (pools->scratch[at]) {
      at++;
      continue;
    }
    while (end < blocks && !pools->scratch[end]) end++;
    if (end - at < need) short_of = need - (end - at);
    for (unsigned p = low; p < high; p++) {
      const struct pool *pool = &v->pool[p];
      const unsigned floor = at + need > pool->floor ? at + need : pool->floor,
                     keep = pool->pinned + v->sharded;
      raise += floor - pool->floor;
      if (floor + keep > blocks && floor + keep - blocks > short_of)
        short_of = floor + keep - blocks;
    }
    if (short_of > need) short_of = need;
    if (short_of < least) least = short_of;
    if (!short_of &&
        (!found || raise < best_raise || (raise == best_raise && end - at < best_size))) {
      found = true;
      best_raise = raise;
      best_size = end - at;
      *first = at;
    }
    at = end;
  }
  return least;
}

// What one more elastic region in a pool lacks.
static unsigned lacks(const struct sluice_pools *pools, const struct view *v, unsigned pipeline) {
  const struct pool *p = &v->pool[pipeline];
  const unsigned all = p->floor + p->pinned + v->sharded + 1;
  return all > pools->shape.blocks ? all - pools->shape.blocks : 0;
}

static double cost_in(const struct sluice_pools *pools, const struct view *v, unsigned pipeline,
                      const struct sluice_memory_access *a, unsigned need, unsigned place) {
  const struct pool *p = &v->pool[pipeline];
  const unsigned elastic = p->pinned + v->sharded;
  // In a hole an inelastic region moves nobody.
  if (pools->fit == SLUICE_FIT_REALLOC && a->demand > 1 && place + need <= p->floor) return 0;
  return sluice_fit_cost(pools, a, need, elastic, p->taken, pools->shape.blocks - p->floor);
}

// Of two pipelines with room. A pipeline makes one access of a stage a cycle, so an inelastic
// region goes where the fewest are. An elastic one goes where its share will be largest, or caches
// beside large inelastic tenants would have less than the others.
static bool is_better(const struct sluice_pools *pools, const struct view *v,
                      const struct sluice_memory_access *a, const struct sluice_offer *offer,
                      const struct sluice_offer *best) {
  const struct pool *x = &v->pool[offer->pipeline], *y = &v->pool[best->pipeline];
  const unsigned blocks = pools->shape.blocks;
  if (!best->fits) return true;
  if (a->demand > 1 || pools->fit == SLUICE_FIT_REALLOC) {
    const bool by_cost = pools->fit == SLUICE_FIT_REALLOC && offer->cost != best->cost;
    if (!by_cost && x->regions != y->regions) return x->regions < y->regions;
    return offer->cost < best->cost;
  }
  const uint64_t share_x = (uint64_t)(blocks - x->floor) * (y->pinned + v->sharded + 1),
                 share_y = (uint64_t)(blocks - y->floor) * (x->pinned + v->sharded + 1);
  return share_x > share_y || (share_x == share_y && x->regions < y->regions);
}

static struct sluice_offer offer_pinned(const struct sluice_pools *pools,
                                        const struct sluice_memory_stage *s, const struct view *v,
                                        const struct sluice_memory_access *a) {
  struct sluice_offer best = {.wanted = a->demand, .short_of = a->demand};
  for (unsigned p = 0; p < pools->shape.pipelines; p++) {
    unsigned place = 0;
    const unsigned lack = a->demand == 1 ? lacks(pools, v, p)
                                         : find_place(pools, s, v, p, p + 1, a->demand, &place);
    if (lack) {
      if (!best.fits && (!p || lack < best.short_of)) {
        best.short_of = lack;
        best.pipeline = (uint8_t)p;
      }
      continue;
    }
    const struct sluice_offer o = {true, (uint8_t)p, cost_in(pools, v, p, a, a->demand, place),
                                   a->demand, 0};
    if (is_better(pools, v, a, &o, &best)) best = o;
  }
  return best;
}

static struct sluice_offer offer_sharded(const struct sluice_pools *pools,
                                         const struct sluice_memory_stage *s, const struct view *v,
                                         const struct sluice_memory_access *a) {
  const unsigned k = pools->shape.pipelines, need = (a->demand + k - 1) / k;  // in each pool
  struct sluice_offer o = {.pipeline = SLUICE_ALL_PIPELINES, .wanted = need};
  unsigned place = 0;
  if (a->demand > 1) o.short_of = find_place(pools, s, v, 0, k, need, &place);
  for (unsigned p = 0; p < k && a->demand == 1; p++)
    if (lacks(pools, v, p) > o.short_of) o.short_of = lacks(pools, v, p);
  o.fits = !o.short_of;
  // The fullest pool decides.
  for (unsigned p = 0; p < k && o.fits; p++) {
    const double cost = cost_in(pools, v, p, a, need, place);
    if (cost > o.cost) o.cost = cost;
  }
  return o;
}

static struct sluice_offer offer(const struct sluice_pools *pools,
                                 const struct sluice_memory_stage *s,
                                 const struct sluice_memory_access *access) {
  struct view v;
  look(pools, s, &v);
  if (access->sharded && pools->shape.pipelines > 1) return offer_sharded(pools, s, &v, access);
  return offer_pinned(pools, s, &v, access);
}

// Progressive filling: all elastic regions grow by a block in turn, a sharded one by a block in
// each pool, until one of its pools is full. Sharded ones end with the fullest pool; pinned ones of
// the other pools then share what is left there.
static void share(const struct sluice_pools *pools, struct sluice_memory_stage *s) {
  const unsigned k = pools->shape.pipelines, blocks = pools->shape.blocks;
  unsigned round = blocks, left[SLUICE_MEMORY_PIPELINES], at[SLUICE_MEMORY_PIPELINES], zone = 0,
           more[SLUICE_MEMORY_PIPELINES], extra[SLUICE_MEMORY_PIPELINES];
  struct view v;
  look(pools, s, &v);
  for (unsigned p = 0; p < k; p++) {
    const unsigned num = v.pool[p].pinned + v.sharded, room = blocks - v.pool[p].floor;
    left[p] = room;
    // Without a sharded region pools do not know each other, so any number of rounds is right.
    if (num && room / num < round) round = room / num;
  }
  for (unsigned p = 0; p < k; p++) left[p] -= round * (v.pool[p].pinned + v.sharded);
  for (unsigned i = 0; i < s->num; i++) {
    struct sluice_memory_region *r = &s->regions[i];
    if (!r->elastic) continue;
    bool grows = true;
    for (unsigned p = 0; p < k; p++)
      if (is_in(r, p) && !left[p]) grows = false;
    r->blocks = (uint16_t)(round + grows);
    for (unsigned p = 0; p < k; p++) left[p] -= is_in(r, p) && grows;
    if (r->pipeline == SLUICE_ALL_PIPELINES) zone += r->blocks;
  }
  for (unsigned p = 0; p < k; p++) {
    at[p] = v.pool[p].floor;
    more[p] = v.pool[p].pinned ? left[p] / v.pool[p].pinned : 0;
    extra[p] = v.pool[p].pinned ? left[p] % v.pool[p].pinned : 0;
  }
  zone = blocks - zone;
  for (unsigned i = 0; i < s->num; i++) {
    struct sluice_memory_region *r = &s->regions[i];
    if (!r->elastic) continue;
    if (r->pipeline == SLUICE_ALL_PIPELINES) {
      r->first = (uint16_t)zone;
      zone += r->blocks;
      continue;
    }
    const unsigned p = r->pipeline;
    r->blocks = (uint16_t)(r->blocks + more[p] + (extra[p] > 0));
    extra[p] -= extra[p] > 0;
    r->first = (uint16_t)at[p];
    at[p] += r->blocks;
  }
}

static enum sluice_status settle(const struct sluice_pools *pools, struct sluice_memory_layout *l,
                                 struct sluice_memory_region *regions, unsigned num, unsigned *at) {
  for (*at = 0; *at < num; ++*at) {
    struct sluice_memory_region *r = &regions[*at];
    struct sluice_memory_stage *s = &l->stages[r->stage];
    if (!r->elastic) {
      const bool all = r->pipeline == SLUICE_ALL_PIPELINES;
      struct view v;
      unsigned first = 0;
      look(pools, s, &v);
      if (find_place(pools, s, &v, all ? 0 : r->pipeline,
                     all ? pools->shape.pipelines : r->pipeline + 1u, r->demand, &first))
        return SLUICE_ERR_FULL;
      r->first = (uint16_t)first;
      r->blocks = r->demand;
    }
    if (!sluice_memory_stage_insert(l, r)) return SLUICE_ERR_NOMEM;
    share(pools, s);
  }
  return SLUICE_OK;
}

static bool leave(const struct sluice_pools *pools, struct sluice_memory_layout *l, uint16_t fid) {
  for (unsigned i = 0; i < l->num_stages; i++) {
    struct sluice_memory_stage *s = &l->stages[i];
    const struct sluice_memory_region *r = sluice_memory_stage_find(s, fid);
    if (!r) continue;
    sluice_memory_stage_remove(s, r);
    share(pools, s);
  }
  return true;
}

const struct sluice_pool_rules sluice_rules_ours = {offer, settle, leave};
