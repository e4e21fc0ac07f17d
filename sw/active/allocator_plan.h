// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "allocator.h"

/// A plan and the lists that it points to (allocator.h).
struct sluice_memory_plan_store {
  struct sluice_memory_plan plan;
  struct sluice_memory_change *changes;
  uint16_t *moved;
  unsigned room_changes, room_moved;
  struct sluice_alloc alloc;
};

void sluice_memory_plan_release(struct sluice_memory_plan_store *store);
/// Fills the lists of the plan from two layouts; plan.fid is set. False: out of memory.
bool sluice_memory_plan_compare(struct sluice_memory_plan_store *store,
                                const struct sluice_memory_layout *from,
                                const struct sluice_memory_layout *to);
