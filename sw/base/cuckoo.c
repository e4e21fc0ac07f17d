// SPDX-License-Identifier: Apache-2.0
#include "cuckoo.h"

#include "layouts.h"

// What four bits add: the remainder of n * x^64.
#define TIMES(N) \
  (((N)&1 ? POLYNOMIAL : 0) ^ ((N)&2 ? TWICE : 0) ^ ((N)&4 ? FOUR : 0) ^ ((N)&8 ? EIGHT : 0))
#define POLYNOMIAL UINT64_C(0x42f0e1eba9ea3693)
#define DOUBLED(R) ((R) << 1 ^ ((R) >> 63 ? POLYNOMIAL : 0))
#define TWICE DOUBLED(POLYNOMIAL)
#define FOUR DOUBLED(TWICE)
#define EIGHT DOUBLED(FOUR)
static const uint64_t remainders[16] = {
    TIMES(0), TIMES(1), TIMES(2),  TIMES(3),  TIMES(4),  TIMES(5),  TIMES(6),  TIMES(7),
    TIMES(8), TIMES(9), TIMES(10), TIMES(11), TIMES(12), TIMES(13), TIMES(14), TIMES(15)};

// The checksum behind the lowest `bits` bits of a word, a multiple of four, most significant first.
static uint64_t append(uint64_t crc, uint64_t word, unsigned bits) {
  while (bits) {
    bits -= 4;
    crc = crc << 4 ^ remainders[crc >> 60 ^ (word >> bits & 15)];
  }
  return crc;
}

uint64_t sluice_crc64(const uint8_t *bytes, size_t len) {
  uint64_t crc = 0;
  for (size_t i = 0; i < len; i++) crc = append(crc, bytes[i], 8);
  return crc;
}

static uint64_t rotated(uint64_t v, unsigned left) { return v << left | v >> (64 - left); }
static uint64_t mixed(uint64_t h) { return h ^ (~rotated(h, 21) & rotated(h, 42)); }

// 26 bytes: 7 bits 0, VID and the key's highest bit in 16 bits, then the rest of the key.
_Static_assert(SLUICE_KEY_BITS == 3 * 64 + 1, "a key is three words and a bit");
uint64_t sluice_cuckoo_hash(unsigned vid, const uint64_t key[SLUICE_CUCKOO_KEY_WORDS]) {
  uint64_t h = append(0, (uint64_t)(vid & 0xff) << 1 | (key[3] & 1), 16);
  for (unsigned w = 3; w-- > 0;) h = append(h, key[w], 64);
  return mixed(h);
}

static unsigned part_of(uint64_t hash, unsigned way) {
  return (unsigned)(hash >> 16 * way & 0xffff);
}

unsigned sluice_cuckoo_entry(uint64_t hash, unsigned way, unsigned entries) {
  const unsigned buckets = entries / SLUICE_CUCKOO_WAYS;
  return way * buckets + part_of(hash, way) % buckets;
}

uint64_t sluice_array_hash(unsigned vid, uint32_t key) {
  return mixed(append(0, (uint64_t)(vid & 0xff) << 32 | key, 40));
}

// Each way is divided into banks, two for each word of an array: the upper bits of the hash say
// which one.
unsigned sluice_array_entry(uint64_t hash, unsigned way, unsigned words, unsigned entries) {
  const unsigned banks = 2 * words, rows = entries / SLUICE_CUCKOO_WAYS / banks,
                 bank = (unsigned)(hash >> 32) / (UINT32_C(0x80000000) / words);
  return (way * banks + bank) * rows + part_of(hash, way) % rows;
}
