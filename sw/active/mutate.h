// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program.h"

/// Moves the memory accesses of a program to other stages, by NOPs before them. A program is
/// written without knowing which stages will have memory for it.
///
///     the cache reads at 0, 3, 7; stages 1, 4 and 9 are free for it
///     active_mutate(&cache, ACTIVE_SHAPE, (unsigned[]){1, 4, 9}, 3, &moved, &report, &error);
///     NOP MEM_READ MBR_EQUALS_DATA_1 CRET MEM_READ MBR_EQUALS_DATA_2 CRET RTS NOP MEM_READ ...
///
/// Accesses keep their order, and the distance between two of them can only grow. ADDR_MASK_k and
/// ADDR_OFFSET_k that named the stage of the next access name its new stage.

/// What the move did besides.
struct active_mutation {
  unsigned num;
  unsigned positions[ACTIVE_MAX_INSTRS];  // of the accesses
  unsigned nops;                          // that were put in
  // HASH that is not NUMBERED and has another polynomial now: the program may no longer find what
  // another one has stored.
  unsigned hashes;
};

/// Access i goes to position to[i]. SLUICE_ERR_RANGE: not as many as the program has, or one that
/// would have to go back. SLUICE_ERR_FULL: the program gets too long.
SLUICE_MUST_CHECK enum sluice_status active_mutate(const struct active_program *program,
                                                   struct active_shape shape, const unsigned *to,
                                                   unsigned num, struct active_program *out,
                                                   struct active_mutation *mutation,
                                                   struct sluice_error *error);
/// Access i goes to stage stages[i], each to the first position of that stage that it can reach.
SLUICE_MUST_CHECK enum sluice_status active_mutate_stages(const struct active_program *program,
                                                          struct active_shape shape,
                                                          const unsigned *stages, unsigned num,
                                                          struct active_program *out,
                                                          struct active_mutation *mutation,
                                                          struct sluice_error *error);
/// The same for a set of stages (bit s: stage s), as an allocation gives it: all stages of the set
/// are used, and accesses that share a stage in the program as it is written, for a chip of the
/// shape `written`, share one again. Of the ways to do it, the one whose last access comes first.
/// SLUICE_ERR_RANGE: there is none.
SLUICE_MUST_CHECK enum sluice_status active_mutate_set(const struct active_program *program,
                                                       struct active_shape written,
                                                       struct active_shape shape, uint32_t set,
                                                       struct active_program *out,
                                                       struct active_mutation *mutation,
                                                       struct sluice_error *error);
