// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DRIVER_LINK_H
#define SLUICE_DRIVER_LINK_H

#include "place.h"

/// Makes the entry of an image the entry of a chip: `at` is its row there; every field that only
/// the place of the module decides (VLAN id, base, pipeline) is put in. `segment` is that of the
/// entry's stage, or NULL.
void sluice_link(struct sluice_write *write, unsigned at, const struct sluice_placed *placed,
                 const struct sluice_segment *segment);

/// What a match row does: the tables whose index is a match row, MATCH itself excepted. The chip
/// must hold them before it holds the entry of MATCH.
enum { SLUICE_ROW_TABLES = 4 };
extern const enum sluice_table sluice_row_tables[SLUICE_ROW_TABLES];
/// MATCH, or one of these. The other tables of a program have one entry a module.
bool sluice_by_match_row(enum sluice_table table);

#endif
