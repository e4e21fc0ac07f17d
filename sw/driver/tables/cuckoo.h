// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../../base/cuckoo.h"
#include "engine.h"

/// Where entries of a cuckoo engine, or of the array match, stand: each at one of the four places
/// sluice_cuckoo_place(&engine, hash, 0..3).
///
///     hash = sluice_cuckoo_hash(vid, key);
///     status = sluice_cuckoo_insert(&engine, 7, hash, &moves, &error);   // entry 7 of its owner
///     at = sluice_cuckoo_find(&engine, 7, hash);
///     sluice_engine_put(&engine, &moves, at, NULL, false);               // removed
///
/// When all four are taken, the shortest chain of moves to a free place is looked for, breadth
/// first, over at most SLUICE_CUCKOO_SEARCH places. A chain of n moves is n + 1 writes. Two entries
/// with the same key can stand in the engine: the old and the new version of one, each for packets
/// of one bank.
enum { SLUICE_CUCKOO_SEARCH = 4096 };

/// The place in which way 0..3 looks.
unsigned sluice_cuckoo_place(const struct sluice_engine *engine, uint64_t hash, unsigned way);
/// Appends the writes. SLUICE_ERR_FULL: no chain of moves makes room; nothing has changed.
enum sluice_status sluice_cuckoo_insert(struct sluice_engine *engine, uint32_t id, uint64_t hash,
                                        struct sluice_moves *moves,
                                        struct sluice_error *error) SLUICE_MUST_CHECK;
/// The place of an entry; `size` when it is not there.
unsigned sluice_cuckoo_find(const struct sluice_engine *engine, uint32_t id, uint64_t hash);
