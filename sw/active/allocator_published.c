// SPDX-License-Identifier: Apache-2.0
// ActiveRMT's rules for a stage, as its controller applies them, one pipeline. What is odd about
// them is kept, since decisions shall be the same:
// - Holes are found anew at each arrival, for all stages that have tenants, so neighbouring ones
//   become one then. A hole that ends at `floor` is not found: its blocks are lost until a tenant
//   right below it leaves.
// - A departure lowers `floor` by the blocks of the tenant alone, or appends a hole. The first hole
//   of the list is taken for the largest, which it need not be after two departures.
// - Elastic tenants get their shares at arrivals only, then in all stages.
#include <stdlib.h>

#include "allocator_rules.h"

static unsigned count_elastic(const struct sluice_memory_stage *s) {
  unsigned num = 0;
  for (unsigned i = 0; i < s->num; i++) num += s->regions[i].elastic;
  return num;
}

static struct sluice_offer offer(const struct sluice_pools *pools,
                                 const struct sluice_memory_stage *s,
                                 const struct sluice_memory_access *access) {
  const unsigned elastic = count_elastic(s), top = pools->shape.blocks - s->floor;
  struct sluice_offer o = {.wanted = access->demand};
  unsigned taken = 0, inelastic = 0;
  for (unsigned i = 0; i < s->num; i++) {
    taken += s->regions[i].demand;
    if (!s->regions[i].elastic) inelastic += s->regions[i].demand;
  }
  if (access->demand == 1) {
    if (elastic + 1 > top) o.short_of = elastic + 1 - top;
  } else if (s->num_holes && s->holes[0].num > top) {
    if (s->holes[0].num < access->demand) o.short_of = access->demand - s->holes[0].num;
  } else if (top < access->demand + elastic) {
    o.short_of = access->demand + elastic - top;
  }
  if (!o.short_of && taken + access->demand > pools->shape.blocks)
    o.short_of = taken + access->demand - pools->shape.blocks;
  o.fits = !o.short_of;
  if (o.short_of > o.wanted) o.short_of = o.wanted;
  if (o.fits)
    o.cost =
        sluice_fit_cost(pools, access, access->demand, elastic, taken,
                        pools->fit == SLUICE_FIT_REALLOC ? pools->shape.blocks - inelastic : top);
  return o;
}

static int by_address(const void *a, const void *b) {
  const struct sluice_blocks *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}
// Largest first; of two of one size the lower one.
static int by_size(const void *a, const void *b) {
  const struct sluice_blocks *x = a, *y = b;
  return x->num != y->num ? (x->num > y->num ? -1 : 1) : by_address(a, b);
}

// The holes below the highest inelastic region; each region is first noted as if it were one.
static bool find_holes(struct sluice_memory_layout *l, struct sluice_memory_stage *s) {
  unsigned at = 0, num = 0;
  s->num_holes = 0;
  for (unsigned i = 0; i < s->num; i++)
    if (!s->regions[i].elastic &&
        !sluice_memory_stage_add_hole(l, s, s->regions[i].first, s->regions[i].blocks))
      return false;
  if (s->num_holes) qsort(s->holes, s->num_holes, sizeof *s->holes, by_address);
  for (unsigned i = 0; i < s->num_holes; i++) {
    const struct sluice_blocks region = s->holes[i];
    if (region.first > at) s->holes[num++] = (struct sluice_blocks){at, region.first - at};
    at = region.first + region.num;
  }
  s->num_holes = num;
  return true;
}

static bool place(const struct sluice_pools *pools, struct sluice_memory_stage *s,
                  struct sluice_memory_region *r) {
  struct sluice_blocks *hole = NULL;
  for (unsigned i = 0; i < s->num_holes; i++)
    if (s->holes[i].num >= r->demand && (!hole || s->holes[i].num > hole->num)) hole = &s->holes[i];
  r->blocks = r->demand;
  if (hole) {
    r->first = (uint16_t)hole->first;
    hole->first += r->demand;
    hole->num -= r->demand;
    if (!hole->num) *hole = s->holes[--s->num_holes];
    return true;
  }
  // The list had a hole when the offer was made that is not there: the published code stops here.
  if (s->floor + r->demand + count_elastic(s) > pools->shape.blocks) return false;
  r->first = (uint16_t)s->floor;
  s->floor += r->demand;
  return true;
}

static void share(const struct sluice_pools *pools, struct sluice_memory_stage *s) {
  const unsigned num = count_elastic(s), room = pools->shape.blocks - s->floor;
  unsigned at = s->floor, n = 0;
  for (unsigned i = 0; i < s->num; i++)
    if (s->regions[i].elastic) {
      const unsigned blocks = room / num + (n++ < room % num);
      s->regions[i].first = (uint16_t)at;
      s->regions[i].blocks = (uint16_t)blocks;
      at += blocks;
    }
}

static enum sluice_status settle(const struct sluice_pools *pools, struct sluice_memory_layout *l,
                                 struct sluice_memory_region *regions, unsigned num, unsigned *at) {
  for (unsigned i = 0; i < l->num_stages; i++) {
    struct sluice_memory_stage *s = &l->stages[i];
    struct sluice_memory_region *r = NULL;
    for (unsigned n = 0; n < num; n++)
      if (regions[n].stage == i) {
        r = &regions[n];
        *at = n;
      }
    if (!s->num && !r) continue;
    if (!find_holes(l, s)) return SLUICE_ERR_NOMEM;
    if (r && !r->elastic && !place(pools, s, r)) return SLUICE_ERR_FULL;
    if (r && !sluice_memory_stage_insert(l, r)) return SLUICE_ERR_NOMEM;
    if (s->num_holes) qsort(s->holes, s->num_holes, sizeof *s->holes, by_size);
    share(pools, s);
  }
  return SLUICE_OK;
}

static bool leave(const struct sluice_pools *pools, struct sluice_memory_layout *l, uint16_t fid) {
  (void)pools;
  for (unsigned i = 0; i < l->num_stages; i++) {
    struct sluice_memory_stage *s = &l->stages[i];
    const struct sluice_memory_region *r = sluice_memory_stage_find(s, fid);
    if (!r) continue;
    if (!r->elastic) {
      if (r->first + r->blocks == s->floor) s->floor -= r->blocks;
      else if (!sluice_memory_stage_add_hole(l, s, r->first, r->blocks)) return false;
    }
    sluice_memory_stage_remove(s, r);
  }
  return true;
}

const struct sluice_pool_rules sluice_rules_published = {offer, settle, leave};
