// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "active/allocator.h"

/// The allocation experiments of the ActiveRMT paper (its sections 6.1 and 6.4): programs arrive
/// and leave, and what became of them is counted. Nothing here knows files or a command line. A
/// failure that is not a refusal ends the program with its sentence.

/// Who allocates. `load`: arrivals and departures of an epoch are so many times those of the paper,
/// so that a memory of K pipelines is as loaded as that of one. `sharded`: caches are spread over
/// all pipelines, which they can be, since their clients compute the addresses.
struct active_variant {
  const char *name;
  enum sluice_allocator_rules rules;
  unsigned pipelines, load;
  bool sharded;
};
struct active_case {
  struct active_variant variant;
  enum sluice_fit fit;
  bool least;
  unsigned blocks;  // of a stage; demands of the paper are for 368
};

/// Programs 0 to 2 of tests/allocator_programs.h, or any of them.
enum { ACTIVE_MIXED = 3 };

struct active_arrival {
  double seconds;  // of the processor, to decide and to make the result the state
  bool placed, inelastic;
  double used;  // share of the memory afterwards
};
void active_arrivals(const struct active_case *c, unsigned program, uint64_t seed, unsigned num,
                     struct active_arrival *list);

/// One epoch: arrivals, Poisson with mean 2, each of a program at random; then departures, Poisson
/// with mean 1, each of a resident at random.
struct active_epoch {
  unsigned arrivals, placed, residents;
  unsigned caches, placed_caches;  // of these arrivals
  double used;                     // share of the memory at its end
  double fairness;                 // Jain's index of the blocks of the caches; 1 if there is none
  double moved;                    // share of the caches that were there which lost a block
};
void active_epochs(const struct active_case *c, uint64_t seed, unsigned num,
                   struct active_epoch *list);
