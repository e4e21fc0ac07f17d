// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

/// FNV-1a, for tables in memory and for numbers that name a text. What the chip computes is not
/// here: cuckoo.h, sw/model/hash.c.
///
///     uint32_t hash = sluice_hash32(SLUICE_HASH32, name, strlen(name));
///     hash = sluice_hash32(hash, more, len);
enum { SLUICE_HASH32_PRIME = 0x01000193 };
#define SLUICE_HASH32 UINT32_C(0x811c9dc5)
#define SLUICE_HASH64 UINT64_C(0xcbf29ce484222325)
#define SLUICE_HASH64_PRIME UINT64_C(0x100000001b3)

static inline uint32_t sluice_hash32(uint32_t hash, const void *bytes, size_t len) {
  const uint8_t *at = bytes;
  for (size_t i = 0; i < len; i++) hash = (hash ^ at[i]) * SLUICE_HASH32_PRIME;
  return hash;
}

static inline uint64_t sluice_hash64(uint64_t hash, const void *bytes, size_t len) {
  const uint8_t *at = bytes;
  for (size_t i = 0; i < len; i++) hash = (hash ^ at[i]) * SLUICE_HASH64_PRIME;
  return hash;
}
