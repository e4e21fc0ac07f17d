// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "allocator_rules.h"
#include "mutants.h"

/// Gives the memory of the stages to programs that travel in packets. It computes and does no more:
/// no chip, no files. The same calls give the same answers on every machine.
///
///     sluice_allocator_new(&a, &shape, &options, NULL, &error);
///     if (!sluice_allocator_admit(a, &request, &plan, &error)) {  // nothing has changed yet
///       for (unsigned i = 0; i < plan->num_changes; i++)
///         write_to_chip(&plan->changes[i]);                       // old blocks, new blocks
///       sluice_allocator_apply(a, &error);                        // the state is the plan's
///       if (chip_failed) sluice_allocator_undo(a, &error);        // as before admit, exactly
///       else sluice_allocator_commit(a, &error);                  // the next plan can be made
///     }
///
/// Between admit or release and commit or undo the plan stands, and no other one can be made.
///
/// **Rules.** SLUICE_RULES_PUBLISHED decides as ActiveRMT's controller does (mutants.h,
/// allocator_published.c), on one pipeline. SLUICE_RULES_OURS also chooses a pipeline for each
/// region: an inelastic one goes where the stage has the fewest regions, an elastic one where its
/// share is largest. They spread what can be sharded; join holes; and give what a tenant leaves to
/// those who stay, at once.
///
/// **Elastic shares.** Ours: pinned elastic regions of one pool differ by one block at most, and a
/// sharded one has at most one more than the smallest of any pool. Published: regions of one stage
/// differ by one at most after an arrival; after a departure its blocks lie idle till the next.
enum sluice_allocator_rules { SLUICE_RULES_OURS, SLUICE_RULES_PUBLISHED };

struct sluice_allocator_options {
  enum sluice_allocator_rules rules;
  enum sluice_fit fit;     // which of the mutants that fit
  bool least_constrained;  // mutants.h
  uint64_t most_tried;     // sets of positions looked at for one request; 0: 1,000,000
};

/// Blocks of one program in one stage, before and after; `num` 0: none. Blocks of an elastic
/// program never change their stage or pipeline.
struct sluice_memory_change {
  uint16_t fid;
  uint8_t stage, pipeline;
  struct sluice_blocks from, to;
  bool loses;  // a block of `from` is not in `to`
};

/// `changes` are in an order in which they can be made one by one: no blocks come to a program
/// while another one still has them. The newcomer's are the last ones.
struct sluice_memory_plan {
  uint16_t fid;
  bool admits;  // false: releases
  unsigned num_changes;
  const struct sluice_memory_change *changes;
  // Residents who lose a block somewhere, ascending: they must save what they want to keep.
  unsigned num_moved;
  const uint16_t *moved;
  // Of a newcomer: where its accesses are in its mutant, the length of that, and its passes.
  unsigned num_accesses, position[SLUICE_MEMORY_ACCESSES], stage[SLUICE_MEMORY_ACCESSES];
  unsigned length, passes;
  unsigned num_mutants;  // that were compared
  bool all_tried;        // false: `most_tried` ended the search
  double cost;           // by the metric
};

struct sluice_allocator;

/// A new allocator, empty. SLUICE_ERR_RANGE: the shape is impossible, or has several pipelines and
/// the rules are the published ones.
enum sluice_status sluice_allocator_new(struct sluice_allocator **a,
                                        const struct sluice_memory_shape *shape,
                                        const struct sluice_allocator_options *options,
                                        const struct sluice_alloc *alloc,
                                        struct sluice_error *error) SLUICE_MUST_CHECK;
/// NULL is allowed.
void sluice_allocator_free(struct sluice_allocator *a);

/// Plans the arrival of a program. *plan is the allocator's and is valid until the next admit or
/// release. SLUICE_ERR_FULL: no mutant fits; the text says of the nearest one which stage lacks how
/// many blocks. SLUICE_ERR_RANGE: the request is impossible or its fid is here already. After any
/// error nothing has changed.
enum sluice_status sluice_allocator_admit(struct sluice_allocator *a,
                                          const struct sluice_memory_request *request,
                                          const struct sluice_memory_plan **plan,
                                          struct sluice_error *error) SLUICE_MUST_CHECK;
/// Plans the departure of a program; by our rules others grow. SLUICE_ERR_RANGE: it is not here.
enum sluice_status sluice_allocator_release(struct sluice_allocator *a, uint16_t fid,
                                            const struct sluice_memory_plan **plan,
                                            struct sluice_error *error) SLUICE_MUST_CHECK;

/// The plan becomes the state; can be undone.
enum sluice_status sluice_allocator_apply(struct sluice_allocator *a,
                                          struct sluice_error *error) SLUICE_MUST_CHECK;
/// The state is what it was before the plan, applied or not.
enum sluice_status sluice_allocator_undo(struct sluice_allocator *a,
                                         struct sluice_error *error) SLUICE_MUST_CHECK;
/// An applied plan is final.
enum sluice_status sluice_allocator_commit(struct sluice_allocator *a,
                                           struct sluice_error *error) SLUICE_MUST_CHECK;

/// The state, without a plan that is not applied. What is returned is valid until the next call
/// that changes something.
const struct sluice_memory_shape *sluice_allocator_shape(const struct sluice_allocator *a);
const uint16_t *sluice_allocator_tenants(const struct sluice_allocator *a, unsigned *num);
/// Regions of a stage, ascending by fid.
const struct sluice_memory_region *sluice_allocator_stage(const struct sluice_allocator *a,
                                                          unsigned stage, unsigned *num);
/// Region of a program in a stage, or NULL.
const struct sluice_memory_region *sluice_allocator_find(const struct sluice_allocator *a,
                                                         uint16_t fid, unsigned stage);
/// The words of a region in each of its pipelines, both ends inside, as the published response to a
/// request has them. 368 blocks from block 0 on: 0 and 94,207.
void sluice_allocator_words(const struct sluice_allocator *a,
                            const struct sluice_memory_region *region, uint32_t *first,
                            uint32_t *last);
/// Blocks that belong to somebody, and all there are, over stages and pipelines.
uint64_t sluice_allocator_used(const struct sluice_allocator *a);
uint64_t sluice_allocator_size(const struct sluice_allocator *a);
/// Blocks of a program, over stages and pipelines.
uint64_t sluice_allocator_blocks(const struct sluice_allocator *a, uint16_t fid);
