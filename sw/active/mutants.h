// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "allocator_request.h"

/// The mutants of a program: what NOPs before its accesses make of it. Example: the cache of
/// allocator_request.h may read memory at 0 3 7, and that gives 34 mutants that need no further
/// pass:
///
///     struct sluice_mutants m;
///     sluice_mutants_init(&m, &shape, &request, false);
///     while (sluice_mutants_next(&m))    // 0 3 7, 0 3 8, .. 0 3 13, 0 4 8, ..
///       use(m.position, m.stages);
///
/// The rules and the order are those of ActiveRMT's code:
/// - *Most constrained*: no more passes than the program needs anyhow, and what must be in ingress
///   stays there. *Least constrained*: one pass more, and nothing must be in ingress.
/// - An access moves by at most the room behind the program, and never nearer to the one before it.
/// - The last access that can still move is moved by one; those behind it start again at their
///   least distances, even where that is one further than the room.
/// - Accesses that share a stage in the program (a later pass comes to the same stage) share one in
///   the mutant, and no others do.
struct sluice_mutants {
  unsigned num;                               // accesses
  unsigned position[SLUICE_MEMORY_ACCESSES];  // of the current mutant
  uint8_t stage[SLUICE_MEMORY_ACCESSES];      // of each access
  unsigned num_stages;
  uint8_t stages[SLUICE_MEMORY_ACCESSES];  // all of these, ascending, each once
  uint64_t tried;                          // sets of positions so far, mutants or not
  // Private.
  struct sluice_memory_shape shape;
  unsigned least[SLUICE_MEMORY_ACCESSES], distance[SLUICE_MEMORY_ACCESSES];
  int most[SLUICE_MEMORY_ACCESSES];
  uint8_t first_with[SLUICE_MEMORY_ACCESSES];  // the access whose stage it shares in the program
  unsigned wanted;                             // stages of the program
};

/// The request has been checked (allocator_request.h).
void sluice_mutants_init(struct sluice_mutants *m, const struct sluice_memory_shape *shape,
                         const struct sluice_memory_request *request, bool least_constrained);
/// False: there are no more.
bool sluice_mutants_next(struct sluice_mutants *m);

/// Passes that `length` instructions need, at least 1.
unsigned sluice_mutants_passes(const struct sluice_memory_shape *shape, unsigned length);
