// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The ten CRC-16 of opcode HASH. Stage s hashes with number s mod 10; a HASH that is
/// NUMBERED with number LABEL[3:0], of which 10 and more are 9.
///
/// The input is 20 bytes: H0..H4, each big-endian. `poly` is written without its leading 1. With
/// `reflected`, bytes go in with bit 0 first, the result is reversed, and `init` is what a register
/// that shifts to the right begins with: number 9 is the CRC-16/RIELLO of catalogues, which write
/// its init the other way round, as b2aa. `xor_out` is applied last. Number 0 is bb3d over the
/// characters 123456789 and e173 over H0..H4 = 1, 2, 3, 4, 5; docs/active.md has these two values
/// of all ten.
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
