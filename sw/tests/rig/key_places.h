// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// Where keys of the array match stand, computed in another way than the driver and the model do:
/// by the sentences of docs/machine.md (Array match), the hash bit by bit.
///
///     key_place(key_hash(5, 17), 1, 8, 1024)     488: way 1 of key 17 of module 5, with 8 words

/// The mixed hash of a key: the remainder of the 40 bits {VID[7:0], key} with 64 zeros behind them.
static inline uint64_t key_hash(unsigned vid, uint32_t key) {
  const uint64_t message = (uint64_t)(vid & 255) << 32 | key;
  uint64_t rest = 0, a = 0, b = 0;
  for (unsigned n = 40 + 64; n-- > 0;) {
    const uint64_t in = n >= 64 ? message >> (n - 64) & 1 : 0, out = rest >> 63;
    rest = rest << 1 | in;
    if (out) rest ^= UINT64_C(0x42f0e1eba9ea3693);
  }
  for (unsigned bit = 0; bit < 64; bit++) {
    a |= (rest >> bit & 1) << (bit + 21) % 64;
    b |= (rest >> bit & 1) << (bit + 42) % 64;
  }
  return rest ^ (~a & b);
}

/// The entry that way `way` of a hash looks at.
static inline unsigned key_place(uint64_t hash, unsigned way, unsigned words, unsigned entries) {
  const unsigned banks = 2 * words, rows = entries / (4 * banks);
  unsigned bank = 0;
  for (unsigned bit = 0; 1u << bit < banks; bit++)
    bank = bank << 1 | (unsigned)(hash >> (63 - bit) & 1);
  return way * entries / 4 + bank * rows + (unsigned)(hash >> 16 * way & 0xffff) % rows;
}
