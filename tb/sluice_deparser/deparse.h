// SPDX-License-Identifier: Apache-2.0
// What a deparser entry does to a packet's header, written from docs/machine.md, step 7.
#ifndef SLUICE_TB_DEPARSE_H
#define SLUICE_TB_DEPARSE_H
#include <stdint.h>

enum { DEPARSE_HEADER = 128, DEPARSE_ACTIONS = 10 };  // at most

// Containers; those that the chip does not have are 0.
struct deparse_phv {
  uint64_t b6[8];
  uint32_t b4[8];
  uint16_t b2[8];
};

// entry: actions 0..9, 16 bits each, of which the chip has the first so many; size: bytes of its
// header.
static inline void deparse(const uint16_t entry[DEPARSE_ACTIONS], unsigned actions,
                           const struct deparse_phv *phv, unsigned len,
                           uint8_t header[DEPARSE_HEADER], unsigned size) {
  for (unsigned a = 0; a < actions; a++) {
    const unsigned offset = entry[a] >> 6 & 127, kind = entry[a] >> 4 & 3, idx = entry[a] >> 1 & 7;
    const int valid = entry[a] & 1, metadata = entry[a] >> 13 & 1;
    if (!valid || metadata || kind == 0) continue;
    const uint64_t value = kind == 1 ? phv->b2[idx] : kind == 2 ? phv->b4[idx] : phv->b6[idx];
    const unsigned bytes = 2 * kind;
    for (unsigned b = 0; b < bytes; b++) {
      const unsigned at = offset + b;
      if (at < len && at < size) header[at] = (uint8_t)(value >> 8 * (bytes - 1 - b));
    }
  }
}
#endif
