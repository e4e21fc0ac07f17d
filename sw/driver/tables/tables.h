// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.h"
#include "../image/image.h"

/// Tables of the modules of a plan, their entries, and where these stand in the match engines. It
/// sends nothing. Example: an entry is put into a cuckoo engine of which one place must be made
/// free first:
///
///     status = sluice_tables_insert(&tables, &entry, &id, &error);
///     tables.moves     // {at 20, entry 3, step 0}, {at 12, entry 7, step 1}
///     sluice_tables_settle(&tables);   // the chip holds it
///
/// Entries are found by a hash of their keys, so a table of 10,000 costs no more than one of ten.
/// Their numbers (`id`) are those of the engines' slots and stay until the next settle after they
/// are gone.
///
/// **States.** What the chip holds is KEPT; what was inserted since the last settle is FRESH. A
/// KEPT entry that is taken out is DOOMED as long as packets of the bank before may still need it:
/// it keeps its place. A changed one is then two entries, the old one DOOMED, the new one FRESH.
/// `outright`: nothing is doomed, places are written over.
///
/// This room needs images alone. engine.h is what cuckoo.h and ternary.h share: at which places of
/// an engine entries stand. table_parts.h: tables that are in several engines.
///
/// **Steps.** A move of a step waits until all moves of lower steps are known to have arrived;
/// those of one step can be sent in any order.
enum { SLUICE_TABLES_STAGES = 24, SLUICE_NO_ID = UINT32_MAX };

enum sluice_stored_state { STORED_FREE, STORED_KEPT, STORED_FRESH, STORED_DOOMED, STORED_GONE };
struct sluice_stored {
  uint32_t table;            // place in the list
  uint32_t next;             // private
  uint32_t priority, order;  // order: of two with one priority the lower wins
  uint32_t action, row;      // of the table's list; its row of ACTION on the chip
  uint16_t vid;
  uint8_t owner, stage;            // overlay row
  uint8_t engine, state, variant;  // of the rows of a part (image.h)
  uint8_t key[SLUICE_KEY_BYTES], care[SLUICE_KEY_BYTES], data[SLUICE_DATA_BYTES];
};

/// A table of a loaded module.
struct sluice_placed_table {
  unsigned vid, owner;  // vid 0: the place in the list is free
  unsigned used;        // entries, doomed ones not
  bool own_default;     // the default was set at run time: another version of the program keeps it
  uint32_t first;       // place in the list of part 0; its own, if the table is whole
  uint32_t rows[SLUICE_MAX_CLASSES][SLUICE_MAX_ACTIONS];  // by variant
  uint32_t default_rows[SLUICE_MAX_ACTIONS];              // SLUICE_NO_ROW: it cannot be the default
  struct sluice_image_table table;
};

struct sluice_moved {
  uint8_t stage, engine;
  uint32_t step;
  struct sluice_move move;
};

struct sluice_tables {
  size_t num, room, num_entries, room_entries, num_moves, room_moves;
  struct sluice_placed_table *list;
  struct sluice_stored *entries;
  struct sluice_moved *moves;  // since the last settle
  bool outright;               // an entry that the chip holds was written over since then
  // Private.
  struct sluice_engine *engines[SLUICE_TABLES_STAGES][SLUICE_NUM_ENGINES];
  uint64_t *steps[SLUICE_TABLES_STAGES][SLUICE_NUM_ENGINES];  // by place: epoch and last step
  uint32_t last_step[SLUICE_TABLES_STAGES];                   // of the ternary engine
  uint32_t free, num_heads, indexed, order, epoch;
  uint32_t touched_low, touched_high;  // entries of another state than KEPT are among these
  uint32_t *heads;
  struct sluice_alloc alloc;
};

bool sluice_tables_copy(struct sluice_tables *copy, const struct sluice_tables *tables,
                        const struct sluice_alloc *alloc);
void sluice_tables_release(struct sluice_tables *tables);

/// The table of a name (its part 0), or NULL.
struct sluice_placed_table *sluice_tables_find(const struct sluice_tables *tables, unsigned vid,
                                               const char *name);
/// Adds a table, or a part of one, without entries; `size`: places of its engine; `words` of an
/// array, if that is the array match. NULL: out of memory.
struct sluice_placed_table *sluice_tables_add(struct sluice_tables *tables, unsigned vid,
                                              unsigned owner, const struct sluice_image_table *t,
                                              unsigned size, unsigned words);
/// Part `number` of a table, of which `first` is part 0; NULL: it has not so many.
struct sluice_placed_table *sluice_tables_part(const struct sluice_tables *tables,
                                               const struct sluice_placed_table *first,
                                               unsigned number);
/// Entries of all parts.
unsigned sluice_tables_used(const struct sluice_tables *tables,
                            const struct sluice_placed_table *first);

/// The entry with this key and priority, or SLUICE_NO_ID.
uint32_t sluice_tables_lookup(const struct sluice_tables *tables,
                              const struct sluice_placed_table *table, const uint8_t *key,
                              const uint8_t *care, uint32_t priority);
/// Inserts a copy of `entry`, of which table, action, variant, key, care, data and priority count;
/// `order` 0: behind all that are there. SLUICE_ERR_FULL: no place; nothing has changed.
enum sluice_status sluice_tables_insert(struct sluice_tables *tables,
                                        const struct sluice_stored *entry, uint32_t *id,
                                        struct sluice_error *error);
/// Takes an entry out. SLUICE_ERR_NOMEM: nothing has changed.
enum sluice_status sluice_tables_remove(struct sluice_tables *tables, uint32_t id, bool outright,
                                        struct sluice_error *error);
/// Another action and other data for an entry; *id becomes that of the new one.
enum sluice_status sluice_tables_modify(struct sluice_tables *tables, uint32_t *id, unsigned action,
                                        const uint8_t *data, bool outright,
                                        struct sluice_error *error);
/// Gives an entry to another table of the same engine, with the action `action` of that one, whose
/// row must be the same: nothing is written for it.
void sluice_tables_hand_over(struct sluice_tables *tables, uint32_t id,
                             struct sluice_placed_table *to, unsigned action);
/// Removes a table whose entries are gone or doomed.
void sluice_tables_drop(struct sluice_tables *tables, struct sluice_placed_table *table);
/// The chip holds what the plan says: doomed entries are gone, fresh ones are kept.
void sluice_tables_settle(struct sluice_tables *tables);

/// Takes the last operation back: `num_moves` as it was before it; `id` an entry that it inserted
/// or SLUICE_NO_ID, `saved` one that it removed or changed, with its id, or NULL.
void sluice_tables_undo(struct sluice_tables *tables, size_t num_moves, uint32_t id,
                        const struct sluice_stored *saved, uint32_t saved_id);

/// The next entry of a table, all its parts, from `from` on, doomed ones left out; SLUICE_NO_ID: no
/// more.
uint32_t sluice_tables_next(const struct sluice_tables *tables,
                            const struct sluice_placed_table *table, uint32_t from);
/// What stands at a place; SLUICE_NO_ID: nothing.
uint32_t sluice_tables_at(const struct sluice_tables *tables, unsigned stage,
                          enum sluice_engine_kind engine, unsigned at);
/// Where an entry stands.
unsigned sluice_tables_place(const struct sluice_tables *tables, uint32_t id);
/// Whether it has come there since the last settle.
bool sluice_tables_moved(const struct sluice_tables *tables, uint32_t id);
/// The entry as TERNARY, CUCKOO or ARRAY_MATCH holds it; zeros for SLUICE_NO_ID and one that is
/// gone.
void sluice_tables_encode(const struct sluice_tables *tables, uint32_t id, unsigned not_bank,
                          uint8_t *bytes);
/// Whether two entries, maybe of two stores, are the same for a packet.
bool sluice_stored_same(const struct sluice_stored *a, const struct sluice_stored *b);
uint64_t sluice_stored_hash(const struct sluice_stored *entry);

/// For the pieces of the store alone: room for one more in a list, which stays valid if there is
/// none.
bool sluice_tables_grow(const struct sluice_tables *tables, void **list, size_t num, size_t *room,
                        size_t size);
#define TABLES_GROW(LIST, NUM, ROOM)                                             \
  (grown_list = t->LIST,                                                         \
   grew = sluice_tables_grow(t, &grown_list, t->NUM, &t->ROOM, sizeof *t->LIST), \
   t->LIST = grown_list, grew)
