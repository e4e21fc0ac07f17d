// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "image.h"

/// Which entries a chip has: where the tables of layouts.def stand, and how many rows they have.

/// Entries of a table on this chip; STATE: the largest logical index + 1.
unsigned sluice_table_rows(enum sluice_table table, const struct sluice_config *config);
/// Whether the table has a copy in this stage (tables without stages: stage 0).
bool sluice_table_in_stage(enum sluice_table table, unsigned stage,
                           const struct sluice_config *config);
static inline unsigned sluice_table_bytes(enum sluice_table table) {
  return (sluice_tables[table].bits + 7) / 8;
}

/// What a match row does: the tables whose index is a match row, MATCH itself excepted. The chip
/// must hold them before it holds the entry of MATCH.
enum { SLUICE_ROW_TABLES = 4 };
extern const enum sluice_table sluice_row_tables[SLUICE_ROW_TABLES];
/// MATCH, or one of these. The other tables of a program have one entry a module.
bool sluice_by_match_row(enum sluice_table table);
