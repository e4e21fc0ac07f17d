// SPDX-License-Identifier: Apache-2.0
// The order of changes. In a pool the regions that stay keep their order by address, so nobody
// waits in a circle: first those that leave; then those whose first block does not become lower,
// from the top down; then the others, from the bottom up; last the newcomer.
//
// Why: region i of the second kind must wait for a region j above it whose old first block its new
// blocks cover. Then j ends up above i's new end, so its first block has become higher too, and it
// has been before. Downwards it is the same with both exchanged.
#include "allocator_plan.h"

#include <stdlib.h>
#include <string.h>

void sluice_memory_plan_release(struct sluice_memory_plan_store *p) {
  sluice_resize(&p->alloc, p->changes, p->room_changes * sizeof *p->changes, 0);
  sluice_resize(&p->alloc, p->moved, p->room_moved * sizeof *p->moved, 0);
}

static bool add_change(struct sluice_memory_plan_store *p, const struct sluice_memory_region *from,
                       const struct sluice_memory_region *to) {
  const struct sluice_memory_region *any = to ? to : from;
  struct sluice_memory_change c = {.fid = any->fid, .stage = any->stage, .pipeline = any->pipeline};
  if (from) c.from = (struct sluice_blocks){from->first, from->blocks};
  if (to) c.to = (struct sluice_blocks){to->first, to->blocks};
  if (from && to && from->first == to->first && from->blocks == to->blocks) return true;
  c.loses = from &&
            (!to || to->first > from->first || to->first + to->blocks < from->first + from->blocks);
  if (p->plan.num_changes == p->room_changes) {
    const size_t size = sizeof *p->changes, more = p->room_changes ? 2 * p->room_changes : 64;
    struct sluice_memory_change *grown =
        sluice_resize(&p->alloc, p->changes, p->room_changes * size, more * size);
    if (!grown) return false;
    p->changes = grown;
    p->room_changes = (unsigned)more;
  }
  p->changes[p->plan.num_changes++] = c;
  return true;
}

static unsigned kind_of(const struct sluice_memory_change *c) {
  if (!c->to.num) return 0;
  if (!c->from.num) return 3;
  return c->to.first >= c->from.first ? 1 : 2;
}
static int by_order(const void *a, const void *b) {
  const struct sluice_memory_change *x = a, *y = b;
  const unsigned kx = kind_of(x), ky = kind_of(y);
  if (kx != ky) return kx < ky ? -1 : 1;
  if (x->stage != y->stage) return x->stage < y->stage ? -1 : 1;
  const bool up = kx == 1;
  if (x->to.first != y->to.first) return (x->to.first < y->to.first) != up ? -1 : 1;
  if (x->pipeline != y->pipeline) return x->pipeline < y->pipeline ? -1 : 1;
  return x->fid < y->fid ? -1 : x->fid > y->fid;
}
static int by_fid(const void *a, const void *b) {
  const uint16_t x = *(const uint16_t *)a, y = *(const uint16_t *)b;
  return x < y ? -1 : x > y;
}

static bool list_moved(struct sluice_memory_plan_store *p) {
  unsigned num = 0;
  if (p->room_moved < p->plan.num_changes) {
    const size_t size = sizeof *p->moved, more = p->room_changes;
    uint16_t *grown = sluice_resize(&p->alloc, p->moved, p->room_moved * size, more * size);
    if (!grown) return false;
    p->moved = grown;
    p->room_moved = (unsigned)more;
  }
  for (unsigned i = 0; i < p->plan.num_changes; i++)
    if (p->changes[i].loses && p->changes[i].fid != p->plan.fid)
      p->moved[num++] = p->changes[i].fid;
  if (num) qsort(p->moved, num, sizeof *p->moved, by_fid);
  p->plan.num_moved = 0;
  for (unsigned i = 0; i < num; i++)
    if (!i || p->moved[i] != p->moved[i - 1]) p->moved[p->plan.num_moved++] = p->moved[i];
  return true;
}

bool sluice_memory_plan_compare(struct sluice_memory_plan_store *p,
                                const struct sluice_memory_layout *from,
                                const struct sluice_memory_layout *to) {
  p->plan.num_changes = 0;
  for (unsigned i = 0; i < from->num_stages; i++) {
    const struct sluice_memory_stage *f = &from->stages[i], *t = &to->stages[i];
    unsigned a = 0, b = 0;
    while (a < f->num || b < t->num) {
      const bool old = a < f->num && (b == t->num || f->regions[a].fid <= t->regions[b].fid),
                 new = b < t->num && (a == f->num || t->regions[b].fid <= f->regions[a].fid);
      if (!add_change(p, old ? &f->regions[a] : NULL, new ? &t->regions[b] : NULL)) return false;
      a += old;
      b += new;
    }
  }
  if (p->plan.num_changes) qsort(p->changes, p->plan.num_changes, sizeof *p->changes, by_order);
  if (!list_moved(p)) return false;
  p->plan.changes = p->changes;
  p->plan.moved = p->moved;
  return true;
}
