// SPDX-License-Identifier: Apache-2.0
#include "hash.h"

const struct p4r_crc p4r_crc16 = {16, 0x8005, 0, 0, 1, 1};
const struct p4r_crc p4r_crc32 = {32, 0x04C11DB7, 0xFFFFFFFF, 0xFFFFFFFF, 1, 1};

uint64_t p4r_crc(const struct p4r_crc *crc, const uint8_t *bytes, size_t len) {
  const uint64_t top = (uint64_t)1 << (crc->width - 1), all = top | (top - 1);
  uint64_t rest = crc->init & all;
  for (size_t i = 0; i < 8 * len; i++) {
    const unsigned bit = (unsigned)(crc->reflect_in ? i % 8 : 7 - i % 8);
    const uint64_t in = (uint64_t)(bytes[i / 8] >> bit & 1);
    const uint64_t out = (rest & top) ? 1 : 0;
    rest = rest << 1 & all;
    if (in ^ out) rest ^= crc->poly & all;
  }
  if (crc->reflect_out) {
    uint64_t turned = 0;
    for (unsigned i = 0; i < crc->width; i++) turned |= (rest >> i & 1) << (crc->width - 1 - i);
    rest = turned;
  }
  return (rest ^ crc->final) & all;
}

static uint64_t word16(const uint8_t *bytes, size_t len, size_t i) {
  return (uint64_t)bytes[i] << 8 | (i + 1 < len ? bytes[i + 1] : 0);
}

uint64_t p4r_csum16(const uint8_t *bytes, size_t len) {
  uint64_t sum = 0;
  for (size_t i = 0; i < len; i += 2) sum += word16(bytes, len, i);
  while (sum >> 16) sum = (sum & 0xFFFF) + (sum >> 16);
  return ~sum & 0xFFFF;
}

uint64_t p4r_xor16(const uint8_t *bytes, size_t len) {
  uint64_t all = 0;
  for (size_t i = 0; i < len; i += 2) all ^= word16(bytes, len, i);
  return all;
}

uint64_t p4r_identity(const uint8_t *bytes, size_t len) {
  uint64_t number = 0;
  for (size_t i = 0; i < len && i < 8; i++) number = number << 8 | bytes[i];
  return number;
}
