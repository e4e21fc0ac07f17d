// SPDX-License-Identifier: Apache-2.0
#include "tables.h"

#include <string.h>

#include "../../base/hash.h"
#include "cuckoo.h"
#include "ternary.h"

// ---- the index ----------------------------------------------------------------------------------

static uint32_t mix(uint32_t table, const uint8_t *key, const uint8_t *care, uint32_t priority) {
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15) * (table + 1) ^ priority;
  for (unsigned i = 0; i < SLUICE_KEY_BYTES; i++)
    h = (h ^ ((uint64_t)care[i] << 8 | key[i])) * SLUICE_HASH64_PRIME;
  return (uint32_t)(h >> 32 ^ h);
}

static uint32_t *head_of(const struct sluice_tables *t, const struct sluice_stored *e) {
  return &t->heads[mix(e->table, e->key, e->care, e->priority) & (t->num_heads - 1)];
}

static void put_in(struct sluice_tables *t, uint32_t id) {
  uint32_t *head = head_of(t, &t->entries[id]);
  t->entries[id].next = *head;
  *head = id;
  t->indexed++;
}

static void take_off(struct sluice_tables *t, uint32_t id) {
  uint32_t *at = head_of(t, &t->entries[id]);
  while (*at != id) at = &t->entries[*at].next;
  *at = t->entries[id].next;
  t->indexed--;
}

static bool index_grows(struct sluice_tables *t) {
  if (t->indexed < t->num_heads) return true;
  const uint32_t num = t->num_heads ? 4 * t->num_heads : 64;
  uint32_t *heads = sluice_resize(&t->alloc, NULL, 0, num * sizeof *heads);
  if (!heads) return false;
  for (uint32_t i = 0; i < num; i++) heads[i] = SLUICE_NO_ID;
  sluice_resize(&t->alloc, t->heads, t->num_heads * sizeof *heads, 0);
  t->heads = heads;
  t->num_heads = num;
  t->indexed = 0;
  for (uint32_t id = 0; id < t->num_entries; id++)
    if (t->entries[id].state == STORED_KEPT || t->entries[id].state == STORED_FRESH) put_in(t, id);
  return true;
}

uint32_t sluice_tables_lookup(const struct sluice_tables *t,
                              const struct sluice_placed_table *table, const uint8_t *key,
                              const uint8_t *care, uint32_t priority) {
  const uint32_t number = (uint32_t)(table - t->list);
  if (!t->num_heads) return SLUICE_NO_ID;
  uint32_t id = t->heads[mix(number, key, care, priority) & (t->num_heads - 1)];
  for (; id != SLUICE_NO_ID; id = t->entries[id].next) {
    const struct sluice_stored *e = &t->entries[id];
    if (e->table == number && e->priority == priority && memcmp(e->key, key, sizeof e->key) == 0 &&
        memcmp(e->care, care, sizeof e->care) == 0)
      return id;
  }
  return SLUICE_NO_ID;
}

// ---- moves --------------------------------------------------------------------------------------

// The step of a move, when the one before it in its chain has `before` (NULL: it is the first). In
// the ternary engine all moves have an order; in the cuckoo engine only those that depend on each
// other: an entry is found at any of its places.
static uint32_t step_of(struct sluice_tables *t, unsigned stage, unsigned kind,
                        const struct sluice_move *m, const uint32_t *before) {
  uint64_t *mark = &t->steps[stage][kind][m->at];
  uint32_t step = *mark >> 32 == t->epoch ? (uint32_t)*mark + 1 : 0;
  if (m->settled && before && *before + 1 > step) step = *before + 1;
  if (kind == SLUICE_ENGINE_TERNARY) {
    const uint32_t least = t->last_step[stage] + (m->settled ? 1 : 0);
    if (least > step) step = least;
    t->last_step[stage] = step;
  }
  *mark = (uint64_t)t->epoch << 32 | step;
  return step;
}

// Moves of one operation go into the list; without memory the engine is as before.
static bool record(struct sluice_tables *t, unsigned stage, unsigned kind,
                   struct sluice_moves *moves) {
  void *grown_list;
  bool grew;
  const size_t from = t->num_moves;
  for (size_t i = 0; i < moves->num; i++) {
    if (!TABLES_GROW(moves, num_moves, room_moves)) {
      sluice_engine_undo(t->engines[stage][kind], moves, 0);
      t->num_moves = from;
      return false;
    }
    const uint32_t *before = i ? &t->moves[t->num_moves - 1].step : NULL;
    t->moves[t->num_moves] =
        (struct sluice_moved){.stage = (uint8_t)stage,
                              .engine = (uint8_t)kind,
                              .step = step_of(t, stage, kind, &moves->list[i], before),
                              .move = moves->list[i]};
    t->num_moves++;
  }
  return true;
}

// ---- entries ------------------------------------------------------------------------------------

static uint32_t new_id(struct sluice_tables *t) {
  void *grown_list;
  bool grew;
  if (t->free) {
    const uint32_t id = t->free - 1;
    t->free = t->entries[id].next;
    return id;
  }
  if (!TABLES_GROW(entries, num_entries, room_entries)) return SLUICE_NO_ID;
  return (uint32_t)t->num_entries++;
}

static void free_id(struct sluice_tables *t, uint32_t id) {
  t->entries[id] = (struct sluice_stored){.next = t->free};
  t->free = id + 1;
}

// Where the order of entries of one priority does not matter, none is kept: two prefixes of one
// length never match one packet, unless keys with masks stand beside them.
static uint64_t rank_of(const struct sluice_image_table *table, const struct sluice_stored *e) {
  for (unsigned k = 0; k < table->num_keys; k++)
    if (table->keys[k].kind == SLUICE_KEY_TERNARY)
      return sluice_ternary_rank(e->priority, e->order);
  return sluice_ternary_rank(e->priority, 0);
}

static void touched(struct sluice_tables *t, uint32_t id) {
  if (!t->touched_high || id < t->touched_low) t->touched_low = id;
  if (id >= t->touched_high) t->touched_high = id + 1;
}

enum sluice_status sluice_tables_insert(struct sluice_tables *t, const struct sluice_stored *entry,
                                        uint32_t *id, struct sluice_error *error) {
  struct sluice_placed_table *table = &t->list[entry->table];
  struct sluice_engine *engine = t->engines[table->table.stage][table->table.engine];
  struct sluice_moves moves = {.alloc = t->alloc};
  if (!index_grows(t)) return sluice_no_memory(error);
  *id = new_id(t);
  if (*id == SLUICE_NO_ID) return sluice_no_memory(error);
  struct sluice_stored *e = &t->entries[*id];
  *e = *entry;
  e->order = entry->order ? entry->order : ++t->order;
  e->row = table->rows[e->variant][e->action];
  e->vid = (uint16_t)table->vid;
  e->owner = (uint8_t)table->owner;
  e->stage = (uint8_t)table->table.stage;
  e->engine = (uint8_t)table->table.engine;
  e->state = STORED_FRESH;
  enum sluice_status status =
      e->engine == SLUICE_ENGINE_TERNARY
          ? sluice_ternary_insert(engine, *id, e->owner, rank_of(&table->table, e), &moves, error)
          : sluice_cuckoo_insert(engine, *id, sluice_stored_hash(e), &moves, error);
  if (!status && !record(t, e->stage, e->engine, &moves)) status = sluice_no_memory(error);
  sluice_moves_release(&moves);
  if (status) {
    free_id(t, *id);
    return status;
  }
  touched(t, *id);
  put_in(t, *id);
  table->used++;
  return SLUICE_OK;
}

// Writes the place of an entry anew, or clears it.
static bool touch(struct sluice_tables *t, uint32_t id, bool clear) {
  const struct sluice_stored *e = &t->entries[id];
  struct sluice_engine *engine = t->engines[e->stage][e->engine];
  struct sluice_moves moves = {.alloc = t->alloc};
  const unsigned at = sluice_tables_place(t, id);
  const struct sluice_slot same = engine->slots[at];
  const bool good = sluice_engine_put(engine, &moves, at, clear ? NULL : &same, false) &&
                    record(t, e->stage, e->engine, &moves);
  sluice_moves_release(&moves);
  return good;
}

enum sluice_status sluice_tables_remove(struct sluice_tables *t, uint32_t id, bool outright,
                                        struct sluice_error *error) {
  struct sluice_stored *e = &t->entries[id];
  const bool stays = e->state == STORED_KEPT && !outright;
  if (!stays && !touch(t, id, true)) return sluice_no_memory(error);
  t->outright |= e->state == STORED_KEPT && outright;
  touched(t, id);
  take_off(t, id);
  t->list[e->table].used--;
  e->state = stays ? STORED_DOOMED : STORED_GONE;
  return SLUICE_OK;
}

enum sluice_status sluice_tables_modify(struct sluice_tables *t, uint32_t *id, unsigned action,
                                        const uint8_t *data, bool outright,
                                        struct sluice_error *error) {
  struct sluice_stored *e = &t->entries[*id], changed = *e;
  changed.action = action;
  memcpy(changed.data, data, sizeof changed.data);
  if (e->state == STORED_KEPT && !outright) {
    const uint32_t old = *id;
    uint32_t new;
    // The old one out of the index first: only one of them is found.
    SLUICE_TRY(sluice_tables_insert(t, &changed, &new, error));
    touched(t, old);
    take_off(t, old);
    t->entries[old].state = STORED_DOOMED;
    t->list[changed.table].used--;
    *id = new;
    return SLUICE_OK;
  }
  if (!touch(t, *id, false)) return sluice_no_memory(error);
  t->outright |= e->state == STORED_KEPT;
  e->action = action;
  e->row = t->list[e->table].rows[e->variant][action];
  memcpy(e->data, data, sizeof e->data);
  return SLUICE_OK;
}

void sluice_tables_hand_over(struct sluice_tables *t, uint32_t id, struct sluice_placed_table *to,
                             unsigned action) {
  struct sluice_stored *e = &t->entries[id];
  take_off(t, id);
  t->list[e->table].used--;
  e->table = (uint32_t)(to - t->list);
  e->action = action;
  to->used++;
  put_in(t, id);
}

static void begin(struct sluice_tables *t) {
  t->num_moves = 0;
  t->outright = false;
  memset(t->last_step, 0, sizeof t->last_step);
  t->epoch++;
  t->touched_low = t->touched_high = 0;
}

void sluice_tables_settle(struct sluice_tables *t) {
  for (uint32_t id = t->touched_low; id < t->touched_high; id++) {
    struct sluice_stored *e = &t->entries[id];
    if (e->state == STORED_FRESH) e->state = STORED_KEPT;
    if (e->state == STORED_DOOMED)
      sluice_engine_clear(t->engines[e->stage][e->engine], sluice_tables_place(t, id));
    if (e->state == STORED_DOOMED || e->state == STORED_GONE) free_id(t, id);
  }
  begin(t);
}

static void give_back(struct sluice_tables *t, const struct sluice_stored *saved,
                      uint32_t saved_id) {
  if (t->entries[saved_id].state == STORED_GONE) {
    t->entries[saved_id] = *saved;
    put_in(t, saved_id);
    t->list[saved->table].used++;
  } else {
    const uint32_t next = t->entries[saved_id].next;
    t->entries[saved_id] = *saved;
    t->entries[saved_id].next = next;
  }
}

void sluice_tables_undo(struct sluice_tables *t, size_t num_moves, uint32_t id,
                        const struct sluice_stored *saved, uint32_t saved_id) {
  for (size_t i = t->num_moves; i-- > num_moves;) {
    const struct sluice_moved *m = &t->moves[i];
    sluice_engine_set(t->engines[m->stage][m->engine], m->move.at, &m->move.from);
  }
  t->num_moves = num_moves;
  if (id != SLUICE_NO_ID) {
    take_off(t, id);
    t->list[t->entries[id].table].used--;
    free_id(t, id);
  }
  if (saved) give_back(t, saved, saved_id);
  if (!num_moves) begin(t);
}
