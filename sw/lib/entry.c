// SPDX-License-Identifier: Apache-2.0
// Bits of table entries. Entries are left-justified: bit width-1 is bit 7 of byte 0.
#include "image.h"

void sluice_entry_set(uint8_t *bytes, unsigned width, unsigned msb, unsigned lsb, uint64_t value) {
  for (unsigned bit = lsb; bit <= msb; bit++) {
    unsigned at = width - 1 - bit, from = bit - lsb;
    unsigned mask = 0x80u >> (at % 8);
    unsigned one = from < 64 && (value >> from & 1u);
    bytes[at / 8] = (uint8_t)(one ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
  }
}

uint64_t sluice_entry_get(const uint8_t *bytes, unsigned width, unsigned msb, unsigned lsb) {
  uint64_t value = 0;
  for (unsigned bit = msb + 1; bit-- > lsb;) {
    unsigned at = width - 1 - bit;
    value = value << 1 | ((unsigned)bytes[at / 8] >> (7 - at % 8) & 1u);
  }
  return value;
}
