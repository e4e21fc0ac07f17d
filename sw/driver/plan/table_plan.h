// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/table.h>

#include "plan.h"

/// Tables of modules that come, go and are updated. All three may leave the tables of the plan half
/// changed when they fail: they work on a copy that is thrown away then.

/// Those of an image whose rows are in the plan, with their constant entries.
enum sluice_status sluice_plan_tables_add(struct sluice_plan *plan,
                                          const struct sluice_image *image,
                                          const struct sluice_placed *placed,
                                          struct sluice_error *error);
/// Takes the tables of an overlay row out.
enum sluice_status sluice_plan_tables_remove(struct sluice_plan *plan, unsigned row, bool outright,
                                             struct sluice_error *error);
/// Those of another version of a module. A table of the same name, keys (names, kinds, widths) and
/// actions (names, arguments) keeps its entries, wherever it is now, and a default that was set at
/// run time, unless that action cannot be the default any more; entries whose bits on the chip stay
/// the same stay where they are. Others start with their constant entries.
enum sluice_status sluice_plan_tables_update(struct sluice_plan *plan,
                                             const struct sluice_image *image,
                                             const struct sluice_placed *placed,
                                             struct sluice_error *error);

/// Table, keys, priority, action and arguments of a change as bits.
enum sluice_status sluice_plan_table_encode(const struct sluice_plan *plan,
                                            const struct sluice_table_change *change,
                                            struct sluice_stored *entry,
                                            struct sluice_error *error);

/// One change, in the plan as it is; `outright` as in tables.h. When it fails nothing has
/// changed. What it did, for sluice_plan_table_undo.
struct sluice_table_done {
  size_t num_moves;
  uint32_t inserted, saved_id;  // SLUICE_NO_ID: none
  bool has_saved;
  struct sluice_stored saved;
  struct sluice_write *default_of;  // NULL: no default was set
  struct sluice_write default_was;
  bool default_added, own_default_was;
  struct sluice_placed_table *table;
};
enum sluice_status sluice_plan_table_do(struct sluice_plan *plan,
                                        const struct sluice_table_change *change, bool outright,
                                        struct sluice_table_done *done, struct sluice_error *error);
/// Takes the last one back. Not for SLUICE_TABLE_CLEAR of more than one entry.
void sluice_plan_table_undo(struct sluice_plan *plan, const struct sluice_table_done *done);

/// The data words of a DEFAULT_ACTION entry.
static inline uint8_t *sluice_default_data(struct sluice_write *w) {
  return w->bytes + SLUICE_DEFAULT_ACTION_BITS / 8 - SLUICE_DATA_BYTES;
}
/// The change that would add an entry.
void sluice_plan_table_describe(const struct sluice_placed_table *table,
                                const struct sluice_stored *entry,
                                struct sluice_table_change *change);
/// The entry with the keys and the priority of `entry`; `find_in`: in the table of this number,
/// whatever name `entry` has.
bool sluice_plan_table_find_in(const struct sluice_plan *plan, uint32_t table,
                               const struct sluice_table_change *entry, uint32_t *id);
bool sluice_plan_table_find(const struct sluice_plan *plan, const struct sluice_table_change *entry,
                            uint32_t *id);
/// The table that a change names, or NULL with a sentence.
struct sluice_placed_table *sluice_plan_table_named(const struct sluice_plan *plan, unsigned vid,
                                                    const char *name, struct sluice_error *error);

/// Whether a value of an argument is a port of the chip, where it becomes the output port as it is.
enum sluice_status table_port_fits(const struct sluice_placed_table *t, unsigned action, unsigned n,
                                   uint64_t value, struct sluice_error *error);
