// SPDX-License-Identifier: Apache-2.0
// Bits of table entries. Entries are left-justified: bit width-1 is bit 7 of byte 0.
#include <stdio.h>
#include <stdlib.h>

#include "image.h"

bool sluice_entry_fits(unsigned msb, unsigned lsb, uint64_t value) {
  return msb - lsb >= 63 || value >> (msb - lsb + 1) == 0;
}

void sluice_entry_set(uint8_t *bytes, unsigned width, unsigned msb, unsigned lsb, uint64_t value) {
  if (!sluice_entry_fits(msb, lsb, value)) {
    fprintf(stderr, "sluice: bug: 0x%llx for bits %u..%u of an entry\n", (unsigned long long)value,
            msb, lsb);
    abort();
  }
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
