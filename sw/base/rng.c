// SPDX-License-Identifier: Apache-2.0
#include "rng.h"

#include <string.h>

#include "hash.h"

static uint64_t rotate(uint64_t x, unsigned n) { return x << n | x >> (64 - n); }

// splitmix64: a counter, scrambled. Good for seeding, since near seeds give far states.
static uint64_t split(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

void sluice_rng_init(struct sluice_rng *rng, uint64_t seed, const char *name) {
  uint64_t state = split(&seed) ^ sluice_hash64(SLUICE_HASH64, name, strlen(name));
  for (unsigned i = 0; i < 4; i++) rng->s[i] = split(&state);
}

// xoshiro256**
uint64_t sluice_rng_next(struct sluice_rng *rng) {
  uint64_t *s = rng->s;
  uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

uint64_t sluice_rng_below(struct sluice_rng *rng, uint64_t n) {
  // The lowest 2**64 mod n values are refused, so that each remainder is as likely as any other.
  uint64_t refuse = (0 - n) % n, x;
  do x = sluice_rng_next(rng);
  while (x < refuse);
  return x % n;
}

double sluice_rng_unit(struct sluice_rng *rng) {
  return (double)(sluice_rng_next(rng) >> 11) * 0x1p-53;
}
