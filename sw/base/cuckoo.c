// SPDX-License-Identifier: Apache-2.0
#include "cuckoo.h"

#include "layouts.h"

uint64_t sluice_crc64(const uint8_t *bytes, size_t len) {
  const uint64_t polynomial = UINT64_C(0x42f0e1eba9ea3693);
  uint64_t crc = 0;
  for (size_t i = 0; i < len; i++) {
    crc ^= (uint64_t)bytes[i] << 56;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 63 ? crc << 1 ^ polynomial : crc << 1;
  }
  return crc;
}

static uint64_t rotated(uint64_t v, unsigned left) { return v << left | v >> (64 - left); }

uint64_t sluice_cuckoo_hash(unsigned vid, const uint64_t key[SLUICE_CUCKOO_KEY_WORDS]) {
  enum { BYTES = (SLUICE_KEY_BITS + 8 + 7) / 8 };
  uint8_t bytes[BYTES] = {0};
  // VID and key as one number, whose last bit is the last of the last byte.
  for (unsigned b = 0; b < SLUICE_KEY_BITS + 8; b++) {
    const unsigned bit = b < SLUICE_KEY_BITS ? (unsigned)(key[b / 64] >> b % 64 & 1) : vid >> (b - SLUICE_KEY_BITS) & 1;
    bytes[BYTES - 1 - b / 8] |= (uint8_t)(bit << b % 8);
  }
  const uint64_t h = sluice_crc64(bytes, BYTES);
  return h ^ (~rotated(h, 21) & rotated(h, 42));
}

unsigned sluice_cuckoo_entry(uint64_t hash, unsigned way, unsigned entries) {
  const unsigned buckets = entries / SLUICE_CUCKOO_WAYS;
  return way * buckets + (unsigned)(hash >> 16 * way & 0xffff) % buckets;
}
