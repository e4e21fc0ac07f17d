// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TB_RANDOM_H
#define SLUICE_TB_RANDOM_H

/// Random numbers for the C sides of block tests (xorshift). They follow from the seed alone.

#include <stdint.h>

static uint64_t random_state;

/// 0 .. below - 1; of below 0 any 32 bits.
static inline uint32_t rnd(uint32_t below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  const uint64_t v = random_state * 0x2545f4914f6cdd1dull;
  return below ? (v >> 32) % below : (uint32_t)(v >> 32);
}

/// Before the first number. The first numbers of neighbouring seeds are alike: eight are left out.
static inline void random_start(int seed) {
  random_state = 0x9e3779b97f4a7c15ull * (unsigned)(seed + 1);
  for (int i = 0; i < 8; i++) rnd(0);
}

#endif
