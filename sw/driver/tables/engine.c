// SPDX-License-Identifier: Apache-2.0
#include "engine.h"

#include <string.h>

static const struct sluice_slot nothing = {.id = SLUICE_NO_ENTRY};

bool sluice_engine_init(struct sluice_engine *e, unsigned size, const struct sluice_alloc *alloc) {
  memset(e, 0, sizeof *e);
  if (alloc) e->alloc = *alloc;
  e->size = size;
  e->slots = sluice_zeroed(&e->alloc, (size_t)size * sizeof *e->slots);
  e->seen = sluice_zeroed(&e->alloc, (size_t)size * sizeof *e->seen);
  if (!e->slots || !e->seen) {
    sluice_engine_release(e);
    return false;
  }
  for (unsigned i = 0; i < size; i++) e->slots[i] = nothing;
  return true;
}

void sluice_engine_release(struct sluice_engine *e) {
  sluice_resize(&e->alloc, e->slots, (size_t)e->size * sizeof *e->slots, 0);
  sluice_resize(&e->alloc, e->seen, (size_t)e->size * sizeof *e->seen, 0);
  memset(e, 0, sizeof *e);
}

void sluice_engine_set(struct sluice_engine *e, unsigned at, const struct sluice_slot *to) {
  if (e->slots[at].id != SLUICE_NO_ENTRY) e->used--;
  if (to->id != SLUICE_NO_ENTRY) e->used++;
  e->slots[at] = *to;
}

bool sluice_engine_put(struct sluice_engine *e, struct sluice_moves *moves, unsigned at,
                       const struct sluice_slot *to, bool settled) {
  const struct sluice_slot what = to ? *to : nothing;
  if (moves->num == moves->room) {
    const size_t room = moves->room ? 2 * moves->room : 16, size = sizeof *moves->list;
    struct sluice_move *grown =
        sluice_resize(&moves->alloc, moves->list, moves->room * size, room * size);
    if (!grown) return false;
    moves->list = grown;
    moves->room = room;
  }
  moves->list[moves->num++] = (struct sluice_move){at, settled, e->slots[at], what};
  sluice_engine_set(e, at, &what);
  return true;
}

void sluice_engine_undo(struct sluice_engine *e, struct sluice_moves *moves, size_t keep) {
  while (moves->num > keep) {
    const struct sluice_move *m = &moves->list[--moves->num];
    sluice_engine_set(e, m->at, &m->from);
  }
}

void sluice_engine_clear(struct sluice_engine *e, unsigned at) {
  sluice_engine_set(e, at, &nothing);
}

void sluice_moves_release(struct sluice_moves *moves) {
  sluice_resize(&moves->alloc, moves->list, moves->room * sizeof *moves->list, 0);
  moves->list = NULL;
  moves->num = moves->room = 0;
}
