// SPDX-License-Identifier: Apache-2.0
#include "table_parts.h"

#include <stdio.h>
#include <string.h>

#include "../image/image_tables.h"

static unsigned length_of(const struct sluice_image_table *t, const struct sluice_stored *e) {
  const struct sluice_image_key *lpm = sluice_table_lpm(t);
  if (!lpm) return 0;
  return (unsigned)__builtin_popcountll(
      sluice_entry_get(e->care, SLUICE_KEY_BITS, lpm->msb, lpm->lsb));
}

static void copy_bits(uint8_t *to, const struct sluice_image_key *at, const uint8_t *from,
                      const struct sluice_image_key *was) {
  sluice_entry_set(to, SLUICE_KEY_BITS, at->msb, at->lsb,
                   sluice_entry_get(from, SLUICE_KEY_BITS, was->msb, was->lsb));
}

bool sluice_part_entry(const struct sluice_tables *t, const struct sluice_placed_table *part,
                       const struct sluice_stored *e, struct sluice_stored *made) {
  const struct sluice_image_table *from = &t->list[e->table].table, *to = &part->table;
  const struct sluice_image_class *class = sluice_table_class(to, length_of(from, e));
  *made = *e;
  if (!to->part.num) return true;
  if (!class) return false;
  made->table = (uint32_t)(part - t->list);
  made->variant = (uint8_t) class->variant;
  memset(made->key, 0, sizeof made->key);
  memset(made->care, 0, sizeof made->care);
  for (unsigned k = 0; k < to->num_keys; k++) {
    copy_bits(made->key, &to->keys[k], e->key, &from->keys[k]);
    copy_bits(made->care, &to->keys[k], e->care, &from->keys[k]);
  }
  if (class->guard != SLUICE_NO_GUARD)
    sluice_entry_ones(made->care, SLUICE_KEY_BITS, class->guard, class->guard);
  return true;
}

uint32_t sluice_parts_lookup(const struct sluice_tables *t, const struct sluice_stored *e) {
  const struct sluice_placed_table *part;
  struct sluice_stored made;
  for (unsigned n = 0; (part = sluice_tables_part(t, &t->list[e->table], n)); n++) {
    if (!sluice_part_entry(t, part, e, &made)) continue;
    const uint32_t id = sluice_tables_lookup(t, part, made.key, made.care, made.priority);
    if (id != SLUICE_NO_ID) return id;
  }
  return SLUICE_NO_ID;
}

// ---- entries in an order ------------------------------------------------------------------------

static bool before(const struct sluice_stored *a, const struct sluice_stored *b) {
  return a->priority != b->priority ? a->priority < b->priority : a->order < b->order;
}

// The first or the last entry of a part; SLUICE_NO_ID: it has none.
static uint32_t end_of(const struct sluice_tables *t, const struct sluice_placed_table *part,
                       bool last) {
  const uint32_t number = (uint32_t)(part - t->list);
  uint32_t best = SLUICE_NO_ID;
  for (uint32_t id = 0; id < t->num_entries; id++) {
    const struct sluice_stored *e = &t->entries[id];
    if (e->table != number || (e->state != STORED_KEPT && e->state != STORED_FRESH)) continue;
    if (best == SLUICE_NO_ID || before(e, &t->entries[best]) != last) best = id;
  }
  return best;
}

static bool has_room(const struct sluice_tables *t, const struct sluice_placed_table *part) {
  const struct sluice_image_part *p = &part->table.part;
  const struct sluice_engine *engine = t->engines[part->table.stage][part->table.engine];
  const unsigned left = p->ordered ? sluice_part_reserve(engine->size) : 0;
  return part->used < part->table.size && engine->used + left < engine->size;
}

// The parts that it may be in: behind all entries that come first, before all others.
static void bounds(const struct sluice_tables *t, const struct sluice_stored *e, unsigned *low,
                   unsigned *high) {
  const struct sluice_placed_table *part;
  bool later = false;
  *low = *high = 0;
  for (unsigned n = 0; (part = sluice_tables_part(t, &t->list[e->table], n)); n++) {
    const uint32_t first = end_of(t, part, false), last = end_of(t, part, true);
    if (last != SLUICE_NO_ID && before(&t->entries[last], e)) *low = n;
    if (first != SLUICE_NO_ID && before(&t->entries[first], e)) *low = n;
    if (!later) *high = n;
    later |= last != SLUICE_NO_ID && before(e, &t->entries[last]);
  }
  if (*high < *low) *high = *low;
}

// An entry of one part goes to another one: it is there before it is gone here.
static enum sluice_status carry(struct sluice_tables *t, uint32_t id, unsigned number,
                                bool outright, struct sluice_error *error) {
  const struct sluice_stored old = t->entries[id];
  const struct sluice_placed_table *from = &t->list[old.table],
                                   *to = sluice_tables_part(t, from, number);
  struct sluice_stored made;
  uint32_t new;
  // Parts in an order have no guards, and each has a class for every entry of the table.
  if (!sluice_part_entry(t, to, &old, &made)) return SLUICE_ERR_FULL;
  SLUICE_TRY(sluice_tables_insert(t, &made, &new, error));
  if (t->last_step[to->table.stage] >= t->last_step[from->table.stage])
    t->last_step[from->table.stage] = t->last_step[to->table.stage] + 1;
  return sluice_tables_remove(t, id, outright, error);
}

static enum sluice_status no_room(const struct sluice_tables *t, const struct sluice_stored *e,
                                  struct sluice_error *error) {
  const struct sluice_placed_table *part = &t->list[e->table];
  char text[200] = "";
  for (unsigned n = 0; (part = sluice_tables_part(t, &t->list[e->table], n)); n++) {
    const size_t len = strlen(text);
    snprintf(text + len, sizeof text - len, "%s%u of %u in stage %u", n ? ", " : "", part->used,
             part->table.size, part->table.stage);
  }
  return sluice_fail(error, SLUICE_ERR_FULL, "its parts have no place for it: %s", text);
}

// Makes room in part `at`, by a place in part `free`.
static enum sluice_status shift(struct sluice_tables *t, uint32_t table, unsigned at, unsigned free,
                                bool outright, struct sluice_error *error) {
  for (unsigned n = free; n != at; n = free > at ? n - 1 : n + 1) {
    const unsigned from = free > at ? n - 1 : n + 1;
    const uint32_t id = end_of(t, sluice_tables_part(t, &t->list[table], from), free > at);
    SLUICE_TRY(carry(t, id, n, outright, error));
  }
  return SLUICE_OK;
}

static enum sluice_status insert_ordered(struct sluice_tables *t, struct sluice_stored e,
                                         bool outright, uint32_t *id, struct sluice_error *error) {
  const unsigned num = t->list[e.table].table.part.num;
  struct sluice_stored made;
  unsigned low, high, at, free;
  if (!e.order) e.order = ++t->order;
  bounds(t, &e, &low, &high);
  for (at = low; at <= high && !has_room(t, sluice_tables_part(t, &t->list[e.table], at)); at++)
    continue;
  if (at > high) {
    for (free = high + 1; free < num; free++)
      if (has_room(t, sluice_tables_part(t, &t->list[e.table], free))) break;
    at = high;
    if (free == num) {
      for (free = low; free-- > 0;)
        if (has_room(t, sluice_tables_part(t, &t->list[e.table], free))) break;
      if (free > num) return no_room(t, &e, error);
      at = low;
    }
    SLUICE_TRY(shift(t, e.table, at, free, outright, error));
  }
  (void)sluice_part_entry(t, sluice_tables_part(t, &t->list[e.table], at), &e, &made);
  return sluice_tables_insert(t, &made, id, error);
}

// ---- all ----------------------------------------------------------------------------------------

// What would help where one part alone takes such entries.
static enum sluice_status full(const struct sluice_placed_table *part,
                               const struct sluice_image_class *class, const char *why,
                               struct sluice_error *error) {
  const struct sluice_image_table *t = &part->table;
  if (t->engine == SLUICE_ENGINE_CUCKOO)
    return sluice_fail(error, SLUICE_ERR_FULL,
                       "prefixes of %u bits are in the cuckoo engine of stage %u: %.120s; longer "
                       "or shorter ones may fit, and more on a chip with more CuckooEntries",
                       class->least, t->stage, why);
  return sluice_fail(error, SLUICE_ERR_FULL,
                     "prefixes of %u to %u bits share the ternary engine of stage %u with all "
                     "other lengths that have no engine of their own: %.120s; the commonest of "
                     "them can have one, if the program names it in 'lpm(..)'",
                     class->least, class->most, t->stage, why);
}

enum sluice_status sluice_parts_insert(struct sluice_tables *t, const struct sluice_stored *e,
                                       bool outright, uint32_t *id, struct sluice_error *error) {
  const struct sluice_placed_table *first = &t->list[e->table], *part;
  struct sluice_error why = {""};
  struct sluice_stored made;
  enum sluice_status status = SLUICE_ERR_FULL;
  if (!first->table.part.num) return sluice_tables_insert(t, e, id, error);
  if (first->table.part.ordered) return insert_ordered(t, *e, outright, id, error);
  const bool by_length = sluice_table_lpm(&first->table);
  for (unsigned n = 0; (part = sluice_tables_part(t, &t->list[e->table], n)); n++) {
    if (!sluice_part_entry(t, part, e, &made)) continue;
    if (part->used < part->table.size) status = sluice_tables_insert(t, &made, id, &why);
    else (void)sluice_fail(&why, SLUICE_ERR_FULL, "all of its %u entries are used", part->used);
    if (!status || status == SLUICE_ERR_NOMEM) break;
    if (by_length)
      return full(part, sluice_table_class(&part->table, length_of(&first->table, e)), why.text,
                  error);
  }
  if (status == SLUICE_ERR_FULL) return no_room(t, e, error);
  if (status && error) *error = why;
  return status;
}
