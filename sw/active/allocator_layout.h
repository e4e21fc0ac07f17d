// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "allocator_request.h"

/// Who has which blocks: the state of an allocator (allocator.h), of which it keeps two, so that a
/// plan can be taken back. A layout decides nothing; allocator_rules.h does.
enum { SLUICE_ALL_PIPELINES = 255 };

/// The blocks of a program in a stage: `first` .. `first` + `blocks` - 1 in its pipeline, or the
/// same ones in every pipeline (SLUICE_ALL_PIPELINES) if the region is sharded.
struct sluice_memory_region {
  uint16_t fid;
  uint8_t stage, pipeline;
  bool elastic;
  uint16_t demand;  // blocks it must have in a pipeline; an elastic region: 1
  uint16_t first, blocks;
};

/// A run of blocks.
struct sluice_blocks {
  unsigned first, num;
};

/// `regions` ascend by fid; a program has at most one in a stage.
struct sluice_memory_stage {
  struct sluice_memory_region *regions;
  unsigned num, room;
  // For the published rules alone, which do not derive these from the regions: the first block of
  // the elastic ones, and the holes below it in the order in which they are looked at.
  unsigned floor;
  struct sluice_blocks *holes;
  unsigned num_holes, room_holes;
};

struct sluice_memory_layout {
  unsigned num_stages;
  struct sluice_memory_stage *stages;
  uint16_t *tenants;  // ascending
  unsigned num_tenants, room_tenants;
  struct sluice_alloc alloc;
};

bool sluice_memory_layout_init(struct sluice_memory_layout *layout, unsigned num_stages,
                               const struct sluice_alloc *alloc);
void sluice_memory_layout_release(struct sluice_memory_layout *layout);
/// Makes `to` equal to `from`. False: out of memory; then only a further copy makes `to` whole.
bool sluice_memory_layout_copy(struct sluice_memory_layout *to,
                               const struct sluice_memory_layout *from);

/// The place of a fid among the tenants, or where it belongs.
unsigned sluice_memory_layout_tenant(const struct sluice_memory_layout *layout, uint16_t fid,
                                     bool *found);
/// Inserts and removes a tenant. Its regions are the caller's business. False: out of memory.
bool sluice_memory_layout_add(struct sluice_memory_layout *layout, uint16_t fid);
void sluice_memory_layout_remove(struct sluice_memory_layout *layout, uint16_t fid);

/// The region of a program in a stage, or NULL.
struct sluice_memory_region *sluice_memory_stage_find(const struct sluice_memory_stage *stage,
                                                      uint16_t fid);
bool sluice_memory_stage_insert(struct sluice_memory_layout *layout,
                                const struct sluice_memory_region *region);
void sluice_memory_stage_remove(struct sluice_memory_stage *stage,
                                const struct sluice_memory_region *region);
/// For the published rules: a hole at the end of the list.
bool sluice_memory_stage_add_hole(struct sluice_memory_layout *layout,
                                  struct sluice_memory_stage *stage, unsigned first, unsigned num);
