// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "../../base/status.h"

/// What the planners of the match engines (cuckoo.h, ternary.h) share: which entry stands where,
/// and the writes that change it. A planner sends nothing and knows no contents: an entry is a
/// number that its owner chose
/// (`id`). Example: entry 7 is to be inserted at 12, where entry 3 stands:
///
///     write 20: entry 3      // it stands at 12 and at 20 now
///     write 12: entry 7      // settled: only when the write of 20 is known to have arrived
///
/// **Invariant.** After any number of the writes of a list, in their order, a packet finds what it
/// would find before the list or after it. An entry may stand at two places meanwhile; both hold
/// the same.
///
/// `settled` marks a write that replaces an entry: whoever sends the list waits there until all
/// writes before it are read back. A write without the mark clears a place or fills a free one, and
/// can be sent together with those before it.
#define SLUICE_NO_ENTRY UINT32_MAX

/// A place of an engine. `hash` is for the cuckoo engine and the array match, `group` and `rank`
/// are for the ternary engine.
struct sluice_slot {
  uint32_t id;  // SLUICE_NO_ENTRY: free
  uint32_t group;
  uint64_t rank, hash;
};

/// Place `at` gets `to`; it held `from`. to.id SLUICE_NO_ENTRY: the place is cleared.
struct sluice_move {
  unsigned at;
  bool settled;
  struct sluice_slot from, to;
};
/// Starts zeroed; `alloc` may be set.
struct sluice_moves {
  size_t num, room;
  struct sluice_move *list;
  struct sluice_alloc alloc;
};

struct sluice_engine {
  unsigned size, used;  // places; of these not free
  unsigned words;       // of the array match: words of an array; of a cuckoo engine 0
  struct sluice_slot *slots;
  uint32_t *seen;  // private: number of the last search that has seen a place
  uint32_t search;
  struct sluice_alloc alloc;
};

/// An empty engine of `size` places. False: no memory.
bool sluice_engine_init(struct sluice_engine *engine, unsigned size,
                        const struct sluice_alloc *alloc);
void sluice_engine_release(struct sluice_engine *engine);
/// Changes a place and appends the move. `to` NULL: the place is cleared, which removes its entry.
/// False: no memory, nothing has changed.
bool sluice_engine_put(struct sluice_engine *engine, struct sluice_moves *moves, unsigned at,
                       const struct sluice_slot *to, bool settled);
/// Takes back all moves from number `keep` on, last first. On the chip the same way back hides
/// nothing either.
void sluice_engine_undo(struct sluice_engine *engine, struct sluice_moves *moves, size_t keep);
/// Changes or clears a place without a record of it.
void sluice_engine_set(struct sluice_engine *engine, unsigned at, const struct sluice_slot *to);
void sluice_engine_clear(struct sluice_engine *engine, unsigned at);
void sluice_moves_release(struct sluice_moves *moves);
