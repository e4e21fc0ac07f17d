// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_RESETS_H
#define SLUICE_DPI_RESETS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

struct run;

/// Resets of the chip in the middle of a run, at random moments (`resets` of the job): while it
/// sweeps its memories, while it is configured, or with packets inside. What holds behind a reset
/// is what holds behind the first one (docs/machine.md): no table, no state and no counter has
/// anything of before, nothing comes out that did not come in since. So the run begins again from
/// its job, with monitors that know nothing; the last time it goes on to its end, and the verdict
/// is that of any run. A run with a difference is not reset: that ends it.
///
///     if (resets_due(run)) ...    // in each cycle; behind it the run begins again (sim.c)
struct resets {
  struct sluice_rng rng;
  uint64_t done, loaded;  // resets; those of a chip with packets inside
  uint64_t inside;        // packets that were there, of all
  // The next one: in this cycle of the run, or so many cycles behind this arrival (0: the cycle)
  uint64_t cycle, arrival, behind;
};

/// Chooses the moment of the next one.
void resets_draw(struct run *run);
/// Whether it is now; counts it.
bool resets_due(struct run *run);

/// For the report; NULL: the job has none.
json_t *resets_json(const struct run *run);

#endif
