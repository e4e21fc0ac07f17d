// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Checksums and hashes over bytes, bit by bit as their definitions say.

/// A CRC by its usual parameters; poly, init and final as for a register that shifts left.
struct p4r_crc {
  unsigned width;  // up to 64
  uint64_t poly, init, final;
  int reflect_in, reflect_out;
};
uint64_t p4r_crc(const struct p4r_crc *crc, const uint8_t *bytes, size_t len);
extern const struct p4r_crc p4r_crc16, p4r_crc32;
/// The ones' complement sum of 16-bit words, complemented; an odd byte is the high half.
uint64_t p4r_csum16(const uint8_t *bytes, size_t len);
uint64_t p4r_xor16(const uint8_t *bytes, size_t len);
/// The first 8 bytes as a number.
uint64_t p4r_identity(const uint8_t *bytes, size_t len);
