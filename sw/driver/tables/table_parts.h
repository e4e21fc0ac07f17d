// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tables.h"

/// Tables that are in several engines (image.h, struct sluice_image_part). An entry comes with the
/// bits of part 0, and goes to a part that takes it. A table in one engine is its own part 0.
///
/// Where the part is not a matter of the prefix's length, parts are filled one after the other. If
/// they are ordered, entries of earlier parts win, so an entry that belongs into a full one sends
/// the last of that part to the next: it is written there before it goes here. A few places are
/// left free for that, since on a chip with two banks both stay until the old bank is left.

/// The entry as a part has it; false: the part takes no such entries.
bool sluice_part_entry(const struct sluice_tables *tables, const struct sluice_placed_table *part,
                       const struct sluice_stored *entry, struct sluice_stored *made);
/// The entry with these keys and this priority, or SLUICE_NO_ID.
uint32_t sluice_parts_lookup(const struct sluice_tables *tables, const struct sluice_stored *entry);
/// As sluice_tables_insert.
enum sluice_status sluice_parts_insert(struct sluice_tables *tables,
                                       const struct sluice_stored *entry, bool outright,
                                       uint32_t *id, struct sluice_error *error);
