// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.h"

/// Where entries of a ternary engine stand. Lowest place wins, so within a *group* (a module: VID
/// is always compared) entries of lower rank must stand below those of higher rank. Entries of the
/// same rank can stand in any order.
///
///     longest prefix   rank = width - length: longer prefixes lower. Two prefixes of one length
///                      never match one key
///     priorities       rank = sluice_ternary_rank(priority, order of insertion): no two entries
///                      have the same rank. Of two with one priority the older wins
///
/// Groups are not contiguous: VID keeps them apart, so their entries stand among each other, and
/// any free place can be used by any group. Example, a, b of one group with ranks 1 and 3, x of
/// another: x can stay where it is.
///
///     c of rank 2 is inserted with two writes:
///
///     place    0  1  2  3            0  1  2  3            0  1  2  3
///              a  x  b  -    ->      a  x  b  b    ->      a  x  c  b
///
/// **Order of writes.** From the free place towards the new entry: each entry is written at its new
/// place, where it stands twice for a moment, before its old place is written over. Both places are
/// on the same side of every entry of another rank of the group, so a packet finds the same. The
/// last write, of the new entry, is the one that changes anything.
///
/// A chain moves one entry for each rank between the new entry and the nearest free place: at most
/// 32 with IPv4 prefixes, whatever the number of entries.

static inline uint64_t sluice_ternary_rank(uint32_t priority, uint32_t order) {
  return (uint64_t)priority << 32 | order;
}

/// Appends the writes. SLUICE_ERR_FULL: no place is free; nothing has changed.
enum sluice_status sluice_ternary_insert(struct sluice_engine *engine, uint32_t id, uint32_t group,
                                         uint64_t rank, struct sluice_moves *moves,
                                         struct sluice_error *error) SLUICE_MUST_CHECK;
/// The place of an entry; `size` when it is not there.
unsigned sluice_ternary_find(const struct sluice_engine *engine, uint32_t id);
