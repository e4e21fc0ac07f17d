// SPDX-License-Identifier: Apache-2.0
// The store as a whole: copies, and its tables.
#include <string.h>

#include "tables.h"

// ---- life ---------------------------------------------------------------------------------------

static bool copy_block(const struct sluice_tables *to, void **copy, const void *from, size_t size,
                       size_t room) {
  *copy = room ? sluice_resize(&to->alloc, NULL, 0, room) : NULL;
  if (*copy) memcpy(*copy, from, size);
  return *copy || !room;
}

static bool copy_engine(const struct sluice_tables *to, struct sluice_engine **copy,
                        const struct sluice_engine *from) {
  *copy = sluice_zeroed(&to->alloc, sizeof **copy);
  if (*copy && sluice_engine_init(*copy, from->size, &to->alloc)) {
    memcpy((*copy)->slots, from->slots, from->size * sizeof *from->slots);
    (*copy)->used = from->used;
    (*copy)->words = from->words;
    return true;
  }
  sluice_resize(&to->alloc, *copy, sizeof **copy, 0);
  *copy = NULL;
  return false;
}

#define COPY(LIST, NUM, ROOM)                                                                   \
  (good = copy_block(copy, &block, t->LIST, (NUM) * sizeof *t->LIST, (ROOM) * sizeof *t->LIST), \
   copy->LIST = block, good)

bool sluice_tables_copy(struct sluice_tables *copy, const struct sluice_tables *t,
                        const struct sluice_alloc *alloc) {
  void *block;
  bool good;
  *copy = *t;
  if (alloc) copy->alloc = *alloc;
  copy->list = NULL, copy->entries = NULL, copy->moves = NULL, copy->heads = NULL;
  memset(copy->engines, 0, sizeof copy->engines);
  memset(copy->steps, 0, sizeof copy->steps);
  // No move of the copy depends on places that were written before.
  good = COPY(list, t->num, t->room) && COPY(entries, t->num_entries, t->room_entries) &&
         COPY(moves, t->num_moves, t->room_moves) && COPY(heads, t->num_heads, t->num_heads);
  for (unsigned s = 0; s < SLUICE_TABLES_STAGES; s++)
    for (unsigned e = 0; good && e < SLUICE_NUM_ENGINES; e++) {
      if (t->engines[s][e]) good = copy_engine(copy, &copy->engines[s][e], t->engines[s][e]);
      if (good && t->steps[s][e]) {
        const size_t size = t->engines[s][e]->size * sizeof *t->steps[s][e];
        good = copy_block(copy, &block, t->steps[s][e], size, size);
        copy->steps[s][e] = block;
      }
    }
  if (!good) sluice_tables_release(copy);
  return good;
}

void sluice_tables_release(struct sluice_tables *t) {
  const struct sluice_alloc alloc = t->alloc;
  for (unsigned s = 0; s < SLUICE_TABLES_STAGES; s++)
    for (unsigned e = 0; e < SLUICE_NUM_ENGINES; e++) {
      struct sluice_engine *engine = t->engines[s][e];
      if (!engine) continue;
      sluice_resize(&alloc, t->steps[s][e], engine->size * sizeof *t->steps[s][e], 0);
      sluice_engine_release(engine);
      sluice_resize(&alloc, engine, sizeof *engine, 0);
    }
  if (t->list) sluice_resize(&alloc, t->list, t->room * sizeof *t->list, 0);
  if (t->entries) sluice_resize(&alloc, t->entries, t->room_entries * sizeof *t->entries, 0);
  if (t->moves) sluice_resize(&alloc, t->moves, t->room_moves * sizeof *t->moves, 0);
  if (t->heads) sluice_resize(&alloc, t->heads, t->num_heads * sizeof *t->heads, 0);
  memset(t, 0, sizeof *t);
  t->alloc = alloc;
}

bool sluice_tables_grow(const struct sluice_tables *t, void **list, size_t num, size_t *room,
                        size_t size) {
  if (num < *room) return true;
  const size_t more = *room ? 2 * *room : 8;
  void *grown = sluice_resize(&t->alloc, *list, *room * size, more * size);
  if (!grown) return false;
  *list = grown;
  *room = more;
  return true;
}

// ---- tables -------------------------------------------------------------------------------------

struct sluice_placed_table *sluice_tables_find(const struct sluice_tables *t, unsigned vid,
                                               const char *name) {
  for (size_t i = 0; i < t->num; i++)
    if (t->list[i].vid == vid && vid && !t->list[i].table.part.number &&
        strcmp(t->list[i].table.name, name) == 0)
      return &t->list[i];
  return NULL;
}

struct sluice_placed_table *sluice_tables_part(const struct sluice_tables *t,
                                               const struct sluice_placed_table *first,
                                               unsigned number) {
  for (size_t i = 0; i < t->num; i++)
    if (t->list[i].vid && t->list[i].first == first->first &&
        t->list[i].table.part.number == number)
      return &t->list[i];
  return NULL;
}

unsigned sluice_tables_used(const struct sluice_tables *t,
                            const struct sluice_placed_table *first) {
  const struct sluice_placed_table *part;
  unsigned used = 0;
  for (unsigned n = 0; (part = sluice_tables_part(t, first, n)); n++) used += part->used;
  return used;
}

static bool have_engine(struct sluice_tables *t, unsigned stage, unsigned kind, unsigned size,
                        unsigned words) {
  struct sluice_engine **engine = &t->engines[stage][kind];
  if (*engine) return true;
  *engine = sluice_zeroed(&t->alloc, sizeof **engine);
  uint64_t *steps = sluice_zeroed(&t->alloc, size * sizeof *steps);
  if (*engine && steps && sluice_engine_init(*engine, size, &t->alloc)) {
    (*engine)->words = kind == SLUICE_ENGINE_ARRAY ? words : 0;
    t->steps[stage][kind] = steps;
    return true;
  }
  sluice_resize(&t->alloc, steps, size * sizeof *steps, 0);
  sluice_resize(&t->alloc, *engine, sizeof **engine, 0);
  *engine = NULL;
  return false;
}

struct sluice_placed_table *sluice_tables_add(struct sluice_tables *t, unsigned vid, unsigned owner,
                                              const struct sluice_image_table *image, unsigned size,
                                              unsigned words) {
  void *grown_list;
  bool grew;
  size_t n = 0;
  if (!t->epoch) t->epoch = 1;  // no place was written in it
  while (n < t->num && t->list[n].vid) n++;
  if (!have_engine(t, image->stage, image->engine, size, words) || !TABLES_GROW(list, num, room))
    return NULL;
  if (n == t->num) t->num++;
  t->list[n] = (struct sluice_placed_table){
      .vid = vid, .owner = owner, .first = (uint32_t)n, .table = *image};
  return &t->list[n];
}

void sluice_tables_drop(struct sluice_tables *t, struct sluice_placed_table *table) {
  (void)t;
  memset(table, 0, sizeof *table);
}
