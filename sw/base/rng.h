// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// Random numbers, the same on every machine: xoshiro256** started by splitmix64.
/// One seed feeds many streams: each user names its own, so that a new user does not shift the
/// others.
struct sluice_rng {
  uint64_t s[4];
};

void sluice_rng_init(struct sluice_rng *rng, uint64_t seed, const char *name);
uint64_t sluice_rng_next(struct sluice_rng *rng);
/// Even over 0..n-1; n > 0.
uint64_t sluice_rng_below(struct sluice_rng *rng, uint64_t n);
/// Even over [0, 1), a multiple of 2**-53.
double sluice_rng_unit(struct sluice_rng *rng);
