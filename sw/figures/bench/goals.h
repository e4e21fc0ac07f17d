// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sheet.h"

/// What is to be reached, constant latency subtracted, and how runs must end.

/// Calls `say` with a sentence for each run that has a goal: "reached fig7a uniform 2 x1: 0.9932
/// (at least 0.99) EQUIVALENT", or "missed  ..."; at the end with the sums.
void goals_reach(const struct sheet *results, void (*say)(void *user, const char *sentence),
                 void *user);
/// The same for runs that did not end as their series must: EQUIVALENT on the chip; without
/// phantoms the order is broken, and without the escape a run may get stuck (docs/study.md). How
/// many.
unsigned goals_verdicts(const struct sheet *results, void (*say)(void *user, const char *sentence),
                        void *user);
