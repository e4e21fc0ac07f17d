// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan.h"

/// Entries of match engines in the difference of two plans. `rows` gets the overlay rows of modules
/// whose entries change; an entry of another module may be moved, in steps that hide it at no time.
/// False: out of memory.

/// Places that become free. `from` may be NULL.
bool sluice_tables_diff_clear(const struct sluice_plan *from, const struct sluice_plan *to,
                              struct sluice_changes *changes, uint32_t *rows);
/// Places that get another entry.
bool sluice_tables_diff_write(const struct sluice_plan *from, const struct sluice_plan *to,
                              struct sluice_changes *changes, uint32_t *rows);

/// The same through the idle bank (transition.h), from what was recorded since the plans were
/// equal. New entries are for packets of the new bank, old ones for those of the old one; `bank` is
/// CHIP.BANK.
bool sluice_tables_before(const struct sluice_plan *to, uint32_t bank,
                          struct sluice_changes *changes, uint32_t *rows);
/// What packets of the old bank alone needed goes; then the new ones are for both.
bool sluice_tables_after_clear(const struct sluice_plan *to, uint32_t bank,
                               struct sluice_changes *changes);
bool sluice_tables_after_show(const struct sluice_plan *to, uint32_t bank,
                              struct sluice_changes *changes);
/// Whether `to` is `from` with what was recorded.
bool sluice_tables_follow(const struct sluice_plan *from, const struct sluice_plan *to);

/// Changes from number `from` on by steps, within a step by place: neighbours share packets.
void sluice_tables_sort(struct sluice_changes *changes, size_t from);

/// Whether a change is one of an entry of a match engine.
static inline bool sluice_change_of_engine(const struct sluice_change *c) {
  return c->kind == SLUICE_CHANGE_WRITE &&
         (c->table == SLUICE_TABLE_TERNARY || c->table == SLUICE_TABLE_CUCKOO ||
          c->table == SLUICE_TABLE_ARRAY_MATCH);
}
