// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../base/rng.h"
#include "interpreter.h"

/// Random capsules, to compare what runs them. Every opcode comes, and bytes that no assembler
/// makes; but most programs reach their end, jumps mostly have targets, and most addresses are
/// small.
///
///     sluice_rng_init(&rng, seed, "capsules");
///     active_random(&rng, &(struct active_random){.fids = 4, .most = 40, .words = 256}, &capsule);
struct active_random {
  unsigned fids;   // FIDs are 1..fids; one capsule in 64 has another one
  unsigned most;   // instructions, at most ACTIVE_MAX_INSTRS
  uint32_t words;  // arguments are mostly below twice this number
};
void active_random(struct sluice_rng *rng, const struct active_random *options,
                   struct active_capsule *capsule);
