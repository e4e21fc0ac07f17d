// SPDX-License-Identifier: Apache-2.0
#include "crc64.h"

uint64_t sluice_crc64(const uint8_t *bytes, size_t len) {
  const uint64_t polynomial = UINT64_C(0x42f0e1eba9ea3693);
  uint64_t crc = 0;
  for (size_t i = 0; i < len; i++) {
    crc ^= (uint64_t)bytes[i] << 56;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 63 ? crc << 1 ^ polynomial : crc << 1;
  }
  return crc;
}
