// SPDX-License-Identifier: Apache-2.0
#include "table_store.h"

#include <string.h>

#include "cuckoo.h"
#include "image_tables.h"
#include "ternary.h"

// ---- life
// ----------------------------------------------------------------------------------------

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
    for (unsigned e = 0; good && e < 2; e++) {
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
    for (unsigned e = 0; e < 2; e++) {
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

// Room for one more; the list stays valid if there is none.
static bool grow(const struct sluice_tables *t, void **list, size_t num, size_t *room,
                 size_t size) {
  if (num < *room) return true;
  const size_t more = *room ? 2 * *room : 8;
  void *grown = sluice_resize(&t->alloc, *list, *room * size, more * size);
  if (!grown) return false;
  *list = grown;
  *room = more;
  return true;
}
#define GROW(LIST, NUM, ROOM)                                                            \
  (grown_list = t->LIST, grew = grow(t, &grown_list, t->NUM, &t->ROOM, sizeof *t->LIST), \
   t->LIST = grown_list, grew)

// ---- tables
// --------------------------------------------------------------------------------------

struct sluice_placed_table *sluice_tables_find(const struct sluice_tables *t, unsigned vid,
                                               const char *name) {
  for (size_t i = 0; i < t->num; i++)
    if (t->list[i].vid == vid && vid && strcmp(t->list[i].table.name, name) == 0)
      return &t->list[i];
  return NULL;
}

struct sluice_placed_table *sluice_tables_in(const struct sluice_tables *t, unsigned owner,
                                             unsigned stage) {
  for (size_t i = 0; i < t->num; i++)
    if (t->list[i].vid && t->list[i].owner == owner && t->list[i].table.stage == stage)
      return &t->list[i];
  return NULL;
}

static bool have_engine(struct sluice_tables *t, unsigned stage, unsigned kind, unsigned size) {
  struct sluice_engine **engine = &t->engines[stage][kind];
  if (*engine) return true;
  *engine = sluice_zeroed(&t->alloc, sizeof **engine);
  uint64_t *steps = sluice_zeroed(&t->alloc, size * sizeof *steps);
  if (*engine && steps && sluice_engine_init(*engine, size, &t->alloc)) {
    t->steps[stage][kind] = steps;
    return true;
  }
  sluice_resize(&t->alloc, steps, size * sizeof *steps, 0);
  sluice_resize(&t->alloc, *engine, sizeof **engine, 0);
  *engine = NULL;
  return false;
}

struct sluice_placed_table *sluice_tables_add(struct sluice_tables *t, unsigned vid, unsigned owner,
                                              const struct sluice_image_table *image,
                                              const uint32_t rows[SLUICE_MAX_ACTIONS],
                                              unsigned size) {
  void *grown_list;
  bool grew;
  size_t n = 0;
  if (!t->epoch) t->epoch = 1;  // no place was written in it
  while (n < t->num && t->list[n].vid) n++;
  if (!have_engine(t, image->stage, image->engine, size) || !GROW(list, num, room)) return NULL;
  if (n == t->num) t->num++;
  t->list[n] = (struct sluice_placed_table){.vid = vid, .owner = owner, .table = *image};
  memcpy(t->list[n].rows, rows, sizeof t->list[n].rows);
  return &t->list[n];
}

void sluice_tables_drop(struct sluice_tables *t, struct sluice_placed_table *table) {
  (void)t;
  memset(table, 0, sizeof *table);
}

// ---- the index
// -----------------------------------------------------------------------------------

static uint32_t mix(uint32_t table, const uint8_t *key, const uint8_t *care, uint32_t priority) {
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15) * (table + 1) ^ priority;
  for (unsigned i = 0; i < SLUICE_KEY_BYTES; i++)
    h = (h ^ ((uint64_t)care[i] << 8 | key[i])) * UINT64_C(0x100000001b3);
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

// ---- moves
// ---------------------------------------------------------------------------------------

uint64_t sluice_stored_hash(const struct sluice_stored *e) {
  uint64_t words[SLUICE_CUCKOO_KEY_WORDS] = {0};
  for (unsigned bit = 0; bit < SLUICE_KEY_BITS; bit += 64) {
    const unsigned top = bit + 63 < SLUICE_KEY_BITS ? bit + 63 : SLUICE_KEY_BITS - 1;
    words[bit / 64] = sluice_entry_get(e->key, SLUICE_KEY_BITS, top, bit);
  }
  return sluice_cuckoo_hash(e->vid & 255u, words);
}

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
    if (!GROW(moves, num_moves, room_moves)) {
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

unsigned sluice_tables_place(const struct sluice_tables *t, uint32_t id) {
  const struct sluice_stored *e = &t->entries[id];
  const struct sluice_engine *engine = t->engines[e->stage][e->engine];
  return e->engine == SLUICE_ENGINE_CUCKOO ? sluice_cuckoo_find(engine, id, sluice_stored_hash(e))
                                           : sluice_ternary_find(engine, id);
}

bool sluice_tables_moved(const struct sluice_tables *t, uint32_t id) {
  const struct sluice_stored *e = &t->entries[id];
  return t->steps[e->stage][e->engine][sluice_tables_place(t, id)] >> 32 == t->epoch;
}

uint32_t sluice_tables_at(const struct sluice_tables *t, unsigned stage,
                          enum sluice_engine_kind kind, unsigned at) {
  const struct sluice_engine *engine = t->engines[stage][kind];
  return engine && at < engine->size ? engine->slots[at].id : SLUICE_NO_ID;
}

// ---- entries
// -------------------------------------------------------------------------------------

static uint32_t new_id(struct sluice_tables *t) {
  void *grown_list;
  bool grew;
  if (t->free) {
    const uint32_t id = t->free - 1;
    t->free = t->entries[id].next;
    return id;
  }
  if (!GROW(entries, num_entries, room_entries)) return SLUICE_NO_ID;
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
  e->row = table->rows[e->action];
  e->vid = (uint16_t)table->vid;
  e->owner = (uint8_t)table->owner;
  e->stage = (uint8_t)table->table.stage;
  e->engine = (uint8_t)table->table.engine;
  e->state = STORED_FRESH;
  enum sluice_status status =
      e->engine == SLUICE_ENGINE_CUCKOO
          ? sluice_cuckoo_insert(engine, *id, sluice_stored_hash(e), &moves, error)
          : sluice_ternary_insert(engine, *id, e->owner, rank_of(&table->table, e), &moves, error);
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
    const enum sluice_status status = sluice_tables_insert(t, &changed, &new, error);
    if (status) return status;
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
  e->row = t->list[e->table].rows[action];
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

uint32_t sluice_tables_next(const struct sluice_tables *t, const struct sluice_placed_table *table,
                            uint32_t from) {
  const uint32_t number = (uint32_t)(table - t->list);
  for (; from < t->num_entries; from++) {
    const struct sluice_stored *e = &t->entries[from];
    if (e->table == number && (e->state == STORED_KEPT || e->state == STORED_FRESH)) return from;
  }
  return SLUICE_NO_ID;
}

// ---- entries of the chip
// -------------------------------------------------------------------------

static void put_key(uint8_t *bytes, unsigned width, unsigned lsb, const uint8_t *key) {
  for (unsigned bit = 0; bit < SLUICE_KEY_BITS; bit += 64) {
    const unsigned top = bit + 63 < SLUICE_KEY_BITS ? bit + 63 : SLUICE_KEY_BITS - 1;
    const uint64_t value = sluice_entry_get(key, SLUICE_KEY_BITS, top, bit);
    if (value) sluice_entry_set(bytes, width, lsb + top, lsb + bit, value);
  }
}

void sluice_tables_encode(const struct sluice_tables *t, uint32_t id, unsigned not_bank,
                          uint8_t *bytes) {
  memset(bytes, 0, SLUICE_ENTRY_BYTES);
  if (id == SLUICE_NO_ID) return;
  const struct sluice_stored *e = &t->entries[id];
  if (e->state == STORED_GONE || e->state == STORED_FREE) return;
  if (e->engine == SLUICE_ENGINE_CUCKOO) {
    SLUICE_SET(bytes, CUCKOO, VALID, 1);
    SLUICE_SET(bytes, CUCKOO, NOT_BANK, not_bank);
    SLUICE_SET(bytes, CUCKOO, ACTION, e->row);
    SLUICE_SET(bytes, CUCKOO, VID, e->vid & 255u);
    put_key(bytes, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB, e->key);
    memcpy(bytes + SLUICE_CUCKOO_BITS / 8 - SLUICE_DATA_BYTES, e->data, SLUICE_DATA_BYTES);
  } else {
    SLUICE_SET(bytes, TERNARY, VALID, 1);
    SLUICE_SET(bytes, TERNARY, NOT_BANK, not_bank);
    SLUICE_SET(bytes, TERNARY, ACTION, e->row);
    SLUICE_SET(bytes, TERNARY, VID, e->vid & 255u);
    put_key(bytes, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB, e->key);
    put_key(bytes, SLUICE_TERNARY_BITS, SLUICE_TERNARY_CARE_LSB, e->care);
    memcpy(bytes + SLUICE_TERNARY_BITS / 8 - SLUICE_DATA_BYTES, e->data, SLUICE_DATA_BYTES);
  }
}

bool sluice_stored_same(const struct sluice_stored *a, const struct sluice_stored *b) {
  return a->vid == b->vid && a->stage == b->stage && a->engine == b->engine && a->row == b->row &&
         memcmp(a->key, b->key, sizeof a->key) == 0 &&
         memcmp(a->care, b->care, sizeof a->care) == 0 &&
         memcmp(a->data, b->data, sizeof a->data) == 0;
}
