// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "allocator_layout.h"

/// How the blocks of one stage are shared. Inelastic regions stand at the bottom and never move;
/// above the highest of them is the room of the elastic ones, who share all of it. Example, 368
/// blocks, two inelastic tenants of 16 and three elastic ones:
///
///     0..15 tenant 4 | 16..31 tenant 9 | 32..143 tenant 2 | 144..255 tenant 5 | 256..367 tenant 7
///
/// Two sets of rules do that: the published ones (allocator_published.c), and ours
/// (allocator_ours.c), which know several pipelines. Both are pure: they change nothing but the
/// layout.
enum sluice_fit { SLUICE_FIT_WORST, SLUICE_FIT_BEST, SLUICE_FIT_FIRST, SLUICE_FIT_REALLOC };

/// What a stage offers to a newcomer's access. If it does not fit, `short_of` says how many blocks
/// are missing (to `wanted`) in the pipeline where the fewest are.
struct sluice_offer {
  bool fits;
  uint8_t pipeline;
  double cost;
  unsigned wanted, short_of;
};

/// What the rules need besides the layout. `scratch` has a byte for each block.
struct sluice_pools {
  struct sluice_memory_shape shape;
  enum sluice_fit fit;
  uint8_t *scratch;
};

/// `offer` rates a stage; `settle` inserts the newcomer's regions, whose stage, pipeline, demand
/// and elasticity are set, and gives all elastic ones their shares; `leave` removes all regions of
/// a tenant.
struct sluice_pool_rules {
  struct sluice_offer (*offer)(const struct sluice_pools *pools,
                               const struct sluice_memory_stage *stage,
                               const struct sluice_memory_access *access);
  /// SLUICE_ERR_FULL: an offer did not hold, *at is the number of its region.
  enum sluice_status (*settle)(const struct sluice_pools *pools,
                               struct sluice_memory_layout *layout,
                               struct sluice_memory_region *regions, unsigned num, unsigned *at);
  /// False: out of memory.
  bool (*leave)(const struct sluice_pools *pools, struct sluice_memory_layout *layout,
                uint16_t fid);
};
extern const struct sluice_pool_rules sluice_rules_published, sluice_rules_ours;

/// The metrics of the paper. `elastic`: tenants of that kind; `taken`: the least blocks that the
/// residents need; `room`: blocks of the elastic room.
double sluice_fit_cost(const struct sluice_pools *pools, const struct sluice_memory_access *access,
                       unsigned demand, unsigned elastic, unsigned taken, unsigned room);
