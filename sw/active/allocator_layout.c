// SPDX-License-Identifier: Apache-2.0
#include "allocator_layout.h"

#include <string.h>

bool sluice_memory_layout_init(struct sluice_memory_layout *l, unsigned num_stages,
                               const struct sluice_alloc *alloc) {
  memset(l, 0, sizeof *l);
  if (alloc) l->alloc = *alloc;
  l->stages = sluice_zeroed(&l->alloc, num_stages * sizeof *l->stages);
  if (!l->stages) return false;
  l->num_stages = num_stages;
  return true;
}

void sluice_memory_layout_release(struct sluice_memory_layout *l) {
  for (unsigned i = 0; i < l->num_stages; i++) {
    struct sluice_memory_stage *s = &l->stages[i];
    sluice_resize(&l->alloc, s->regions, s->room * sizeof *s->regions, 0);
    sluice_resize(&l->alloc, s->holes, s->room_holes * sizeof *s->holes, 0);
  }
  sluice_resize(&l->alloc, l->tenants, l->room_tenants * sizeof *l->tenants, 0);
  sluice_resize(&l->alloc, l->stages, l->num_stages * sizeof *l->stages, 0);
  memset(l, 0, sizeof *l);
}

// Room for `need` elements of `size` bytes. NULL: out of memory, *list stays as it was.
static void *with_room(const struct sluice_memory_layout *l, void *list, unsigned *room,
                       unsigned need, size_t size) {
  unsigned more = *room ? *room : 8;
  if (need <= *room) return list;
  while (more < need) more *= 2;
  void *grown = sluice_resize(&l->alloc, list, *room * size, more * size);
  if (grown) *room = more;
  return grown;
}

static bool grow_regions(const struct sluice_memory_layout *l, struct sluice_memory_stage *s,
                         unsigned need) {
  if (!need) return true;
  struct sluice_memory_region *grown = with_room(l, s->regions, &s->room, need, sizeof *s->regions);
  if (grown) s->regions = grown;
  return grown != NULL;
}
static bool grow_holes(const struct sluice_memory_layout *l, struct sluice_memory_stage *s,
                       unsigned need) {
  if (!need) return true;
  struct sluice_blocks *grown = with_room(l, s->holes, &s->room_holes, need, sizeof *s->holes);
  if (grown) s->holes = grown;
  return grown != NULL;
}
static bool grow_tenants(struct sluice_memory_layout *l, unsigned need) {
  if (!need) return true;
  uint16_t *grown = with_room(l, l->tenants, &l->room_tenants, need, sizeof *l->tenants);
  if (grown) l->tenants = grown;
  return grown != NULL;
}

bool sluice_memory_layout_copy(struct sluice_memory_layout *to,
                               const struct sluice_memory_layout *from) {
  if (!grow_tenants(to, from->num_tenants)) return false;
  if (from->num_tenants)
    memcpy(to->tenants, from->tenants, from->num_tenants * sizeof *to->tenants);
  to->num_tenants = from->num_tenants;
  for (unsigned i = 0; i < from->num_stages; i++) {
    struct sluice_memory_stage *t = &to->stages[i];
    const struct sluice_memory_stage *f = &from->stages[i];
    if (!grow_regions(to, t, f->num) || !grow_holes(to, t, f->num_holes)) return false;
    if (f->num) memcpy(t->regions, f->regions, f->num * sizeof *t->regions);
    if (f->num_holes) memcpy(t->holes, f->holes, f->num_holes * sizeof *t->holes);
    t->num = f->num;
    t->num_holes = f->num_holes;
    t->floor = f->floor;
  }
  return true;
}

unsigned sluice_memory_layout_tenant(const struct sluice_memory_layout *l, uint16_t fid,
                                     bool *found) {
  unsigned low = 0, high = l->num_tenants;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (l->tenants[middle] < fid) low = middle + 1;
    else high = middle;
  }
  *found = low < l->num_tenants && l->tenants[low] == fid;
  return low;
}

bool sluice_memory_layout_add(struct sluice_memory_layout *l, uint16_t fid) {
  bool found;
  const unsigned at = sluice_memory_layout_tenant(l, fid, &found);
  if (found) return true;
  if (!grow_tenants(l, l->num_tenants + 1)) return false;
  memmove(l->tenants + at + 1, l->tenants + at, (l->num_tenants - at) * sizeof *l->tenants);
  l->tenants[at] = fid;
  l->num_tenants++;
  return true;
}

void sluice_memory_layout_remove(struct sluice_memory_layout *l, uint16_t fid) {
  bool found;
  const unsigned at = sluice_memory_layout_tenant(l, fid, &found);
  if (!found) return;
  l->num_tenants--;
  memmove(l->tenants + at, l->tenants + at + 1, (l->num_tenants - at) * sizeof *l->tenants);
}

// The first region whose fid is not lower.
static unsigned place_of(const struct sluice_memory_stage *s, uint16_t fid) {
  unsigned low = 0, high = s->num;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (s->regions[middle].fid < fid) low = middle + 1;
    else high = middle;
  }
  return low;
}

struct sluice_memory_region *sluice_memory_stage_find(const struct sluice_memory_stage *s,
                                                      uint16_t fid) {
  const unsigned at = place_of(s, fid);
  return at < s->num && s->regions[at].fid == fid ? &s->regions[at] : NULL;
}

bool sluice_memory_stage_insert(struct sluice_memory_layout *l,
                                const struct sluice_memory_region *region) {
  struct sluice_memory_stage *s = &l->stages[region->stage];
  if (!grow_regions(l, s, s->num + 1)) return false;
  const unsigned at = place_of(s, region->fid);
  memmove(s->regions + at + 1, s->regions + at, (s->num - at) * sizeof *s->regions);
  s->regions[at] = *region;
  s->num++;
  return true;
}

void sluice_memory_stage_remove(struct sluice_memory_stage *s,
                                const struct sluice_memory_region *region) {
  const unsigned at = (unsigned)(region - s->regions);
  s->num--;
  memmove(s->regions + at, s->regions + at + 1, (s->num - at) * sizeof *s->regions);
}

bool sluice_memory_stage_add_hole(struct sluice_memory_layout *l, struct sluice_memory_stage *s,
                                  unsigned first, unsigned num) {
  if (!grow_holes(l, s, s->num_holes + 1)) return false;
  s->holes[s->num_holes++] = (struct sluice_blocks){first, num};
  return true;
}
