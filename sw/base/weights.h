// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#include "rng.h"

/// Draws that are not even, the same on every machine.

/// Natural logarithm, written out: those of libraries differ in the last bit, and what is drawn
/// shall not. x > 0.
double sluice_natural_log(double x);

/// 1 / (rank + 1) ** exponent as a whole number, 2**32 and one for rank 0: sums of fractions would
/// depend on the machine. The exponent is 0..8.
uint64_t sluice_zipf_weight(uint32_t rank, double exponent);

/// Draws from `num` weights, given as running sums: the first whose sum is above a random number
/// below the last sum.
uint32_t sluice_draw(struct sluice_rng *rng, const uint64_t *sums, uint32_t num);
