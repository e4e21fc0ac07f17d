// SPDX-License-Identifier: Apache-2.0
#include "allocator_rules.h"

// Residents whose share changes when one more comes to `room` blocks that are shared evenly.
static double moved(unsigned residents, unsigned room) {
  const unsigned x = residents + 1;
  if (!residents) return 0;
  return room / x < room / residents ? x - 1 : x - room % x - 1;
}

double sluice_fit_cost(const struct sluice_pools *pools, const struct sluice_memory_access *access,
                       unsigned demand, unsigned elastic, unsigned taken, unsigned room) {
  switch (pools->fit) {
    case SLUICE_FIT_REALLOC: return access->demand == 1 ? moved(elastic, room) : elastic;
    case SLUICE_FIT_FIRST: return 0;
    default:
      // In this form and order: sums of such numbers are compared, and their last bits decide.
      return access->demand == 1 ? elastic * (pools->shape.blocks * 1.0 / room) : taken + demand;
  }
}
