// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/// What a program that travels in packets asks of the memory of the switch. Example: ActiveRMT's
/// cache has 13 instructions, of which number 0, 3 and 7 read memory; number 7 also sends the
/// packet back, which only an ingress stage can do:
///
///     {.fid = 5, .length = 13, .ingress_limit = 7, .num = 3,
///      .access = {{.position = 0, .demand = 1}, {3, 1}, {7, 1}}}
///
/// Instruction i runs in stage i. With NOPs before an access the access gets to a later stage: that
/// is what the allocator chooses (mutants.h).
enum { SLUICE_MEMORY_ACCESSES = 8, SLUICE_MEMORY_STAGES = 64, SLUICE_MEMORY_PIPELINES = 16 };
enum { SLUICE_NO_INGRESS_LIMIT = 255 };

/// The memory that is shared. `stages` are passed in one pass, the first `ingress` of them only in
/// the first pass: a further pass has the stages from `ingress` on. Each stage has a memory of
/// `blocks` blocks of `block_words` words in each pipeline.
struct sluice_memory_shape {
  unsigned stages, ingress, blocks, block_words, pipelines;
};
/// ActiveRMT's switch: 20 stages, 10 of them ingress, 368 blocks of 256 words, one pipeline.
extern const struct sluice_memory_shape sluice_memory_published_shape;

/// `demand` 1: *elastic*, one block at least and as many as there are. 2 or more: *inelastic*, as
/// many as that. `sharded`: the address is an argument of the packet, so the words can be spread
/// over all pipelines, word w in pipeline w mod K; the demand is the sum over the pipelines.
struct sluice_memory_access {
  unsigned position, demand;
  bool sharded;
};

struct sluice_memory_request {
  uint16_t fid;
  unsigned length;         // instructions
  unsigned ingress_limit;  // last instruction that an ingress stage must run, or NO_INGRESS_LIMIT
  unsigned num;            // accesses
  struct sluice_memory_access access[SLUICE_MEMORY_ACCESSES];  // positions ascend
};

/// SLUICE_ERR_RANGE: a shape or a request that nothing can be made of; the text says why.
enum sluice_status sluice_memory_check_shape(const struct sluice_memory_shape *shape,
                                             struct sluice_error *error);
enum sluice_status sluice_memory_check_request(const struct sluice_memory_shape *shape,
                                               const struct sluice_memory_request *request,
                                               struct sluice_error *error);
