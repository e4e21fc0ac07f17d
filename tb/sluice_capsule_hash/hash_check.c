// SPDX-License-Identifier: Apache-2.0
// Reference of the hash of capsules: bit by bit, and known values of it.
#include <stdio.h>

#include "sluice_capsule_unit/capsule_model.h"

int hash_reference(int number, int h0, int h1, int h2, int h3, int h4);
int hash_reference(int number, int h0, int h1, int h2, int h3, int h4) {
  const uint32_t hash[5] = {(uint32_t)h0, (uint32_t)h1, (uint32_t)h2, (uint32_t)h3, (uint32_t)h4};
  return (int)capsule_hash((unsigned)number, hash);
}

/// The reference against the published check values, of the nine bytes "123456789", of those of the
/// ten that have a name: ARC, UMTS, DDS-110, GSM, USB, MCRF4XX,
/// RIELLO. 1: as they must be.
int hash_known(void);
int hash_known(void) {
  static const struct {
    unsigned number, check;
  } known[] = {{0, 0xbb3d}, {1, 0xfee8}, {2, 0x9ecf}, {6, 0xce3c},
               {7, 0xb4c8}, {8, 0x6f91}, {9, 0x63d0}};
  for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
    const unsigned is = crc_bitwise(known[i].number, (const uint8_t *)"123456789", 9);
    if (is == known[i].check) continue;
    printf("check value of number %u is %04x, not %04x\n", known[i].number, is, known[i].check);
    return 0;
  }
  return 1;
}
