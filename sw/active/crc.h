// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_ACTIVE_CRC_H
#define SLUICE_ACTIVE_CRC_H

#include <stdbool.h>
#include <stdint.h>

/// The ten CRC-16 of opcode HASH. Position p of a program hashes with number p mod 10; a HASH that
/// is NUMBERED with number LABEL[3:0], of which 10 and more are 9.
///
/// The input is 20 bytes: H0..H4, each big-endian. The parameters mean what they mean in tables of
/// CRCs: `poly` without its leading 1; with `reflected`, bytes go in with bit 0 first and the result
/// is reversed; `init` is what the register of the form in use begins with, so that of a reflected
/// one is mirrored in the other form (number 9 is CRC-16/RIELLO); `xor_out` is applied last. Number 0
/// is bb3d over the characters 123456789 and e173 over H0..H4 = 1, 2, 3, 4, 5; docs/active.md has
/// these two values of all ten.
enum { ACTIVE_NUM_CRCS = 10, ACTIVE_NUM_HASH = 5 };
struct active_crc {
  uint16_t poly;
  bool reflected;
  uint16_t init, xor_out;
};
extern const struct active_crc active_crcs[ACTIVE_NUM_CRCS];

/// CRC number `which` < ACTIVE_NUM_CRCS over bytes.
uint16_t active_crc(unsigned which, const uint8_t *bytes, unsigned len);
/// The same over H0..H4.
uint16_t active_hash(unsigned which, const uint32_t h[ACTIVE_NUM_HASH]);

#endif
