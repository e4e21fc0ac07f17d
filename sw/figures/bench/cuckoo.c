// SPDX-License-Identifier: Apache-2.0
// How full a cuckoo engine gets before an entry finds no place, with the hash of the chip and with
// its CRC alone: the table of docs/matching.md. Keys are IPv4 addresses in the first 4-byte
// container of the key.
//   cuckoo [SEEDS]     1,000; of 65,536 entries a fiftieth of them
//   cuckoo large FROM TO   of 65,536 entries and random keys: "seed load" for each of these seeds
#include "base/cuckoo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/number.h"
#include "base/layouts.h"
#include "base/rng.h"
#include "driver/tables/cuckoo.h"

enum { VID = 7, LARGE = 65536 };
static const char *const kinds[] = {"random", "one after the other",
                                    "64 hosts in each of many networks"};

static uint32_t address(unsigned kind, uint32_t base, unsigned n, struct sluice_rng *rng) {
  switch (kind) {
    case 0: return (uint32_t)(sluice_rng_next(rng) >> 32);
    case 1: return base + n;
    default: return (base & 0xffff0000u) + n % 64 + (n / 64 << 12);
  }
}

static uint64_t hash_of(uint32_t address, bool mixed) {
  const unsigned low = SLUICE_KEY_B4_FIRST_LSB;
  uint64_t key[SLUICE_CUCKOO_KEY_WORDS] = {0};
  uint8_t bytes[26] = {0};
  key[low / 64] |= (uint64_t)address << low % 64;
  if (low % 64 > 32) key[low / 64 + 1] |= (uint64_t)address >> (64 - low % 64);
  if (mixed) return sluice_cuckoo_hash(VID, key);
  for (unsigned b = 0; b < SLUICE_KEY_BITS; b++)
    bytes[25 - b / 8] |= (uint8_t)((key[b / 64] >> b % 64 & 1) << b % 8);
  for (unsigned b = 0; b < 8; b++)
    bytes[25 - (b + SLUICE_KEY_BITS) / 8] |= (uint8_t)((VID >> b & 1) << (b + SLUICE_KEY_BITS) % 8);
  return sluice_crc64(bytes, sizeof bytes);
}

// The load at the first key that finds no place.
static double fill(unsigned entries, unsigned kind, bool mixed, unsigned seed) {
  struct sluice_engine engine;
  struct sluice_moves moves = {0};
  struct sluice_error error;
  struct sluice_rng rng;
  if (!sluice_engine_init(&engine, entries, NULL)) exit(3);
  sluice_rng_init(&rng, seed, kinds[kind]);
  const uint32_t base = (uint32_t)(sluice_rng_next(&rng) >> 32);
  for (unsigned n = 0; n < entries; n++) {
    if (sluice_cuckoo_insert(&engine, n, hash_of(address(kind, base, n, &rng), mixed), &moves,
                             &error))
      break;
    moves.num = 0;
  }
  const double load = (double)engine.used / entries;
  sluice_moves_release(&moves);
  sluice_engine_release(&engine);
  return load;
}

static unsigned number(const char *text) {
  unsigned value = 0;
  if (sluice_unsigned_in(text, 0, UINT32_MAX, &value)) return value;
  fprintf(stderr, "'%s' is no number\n", text);
  exit(2);
}

static int large(unsigned from, unsigned to) {
  for (unsigned seed = from; seed <= to; seed++) {
    printf("%u %.6f\n", seed, fill(LARGE, 0, true, seed));
    fflush(stdout);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "large") == 0) return large(number(argv[2]), number(argv[3]));
  const unsigned sizes[] = {256, 1024, 4096, LARGE}, seeds = argc > 1 ? number(argv[1]) : 1000;
  if (!seeds) {
    fprintf(stderr, "usage: cuckoo [SEEDS]; cuckoo large FROM TO\n");
    return 2;
  }
  printf("| entries | keys | CRC alone: least, mean | with the step: least, mean "
         "|\n|---|---|---|---|\n");
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
      const unsigned num = sizes[s] < LARGE ? seeds : (seeds + 49) / 50;
      printf("| %u | %s |", sizes[s], kinds[kind]);
      for (unsigned mixed = 0; mixed < 2; mixed++) {
        double least = 1, sum = 0;
        for (unsigned seed = 1; seed <= num; seed++) {
          const double load = fill(sizes[s], kind, mixed, seed);
          if (load < least) least = load;
          sum += load;
        }
        printf(" %.3f, %.3f |", least, sum / num);
      }
      printf("\n");
      fflush(stdout);
    }
  return 0;
}
