// SPDX-License-Identifier: Apache-2.0
#include "crc.h"

const struct active_crc active_crcs[ACTIVE_NUM_CRCS] = {
    {0x8005, true, 0x0000, 0x0000},  {0x8005, false, 0x0000, 0x0000},
    {0x8005, false, 0x800d, 0x0000}, {0x0589, false, 0x0001, 0x0001},
    {0x3d65, true, 0xffff, 0xffff},  {0x3d65, false, 0xffff, 0xffff},
    {0x1021, false, 0x0000, 0xffff}, {0x8005, true, 0xffff, 0xffff},
    {0x1021, true, 0xffff, 0x0000},  {0x1021, true, 0x554d, 0x0000},
};

// The low `bits` bits in the other order.
static unsigned reflect(unsigned value, unsigned bits) {
  unsigned out = 0;
  for (unsigned i = 0; i < bits; i++)
    if (value >> i & 1) out |= 1u << (bits - 1 - i);
  return out;
}

uint16_t active_crc(unsigned which, const uint8_t *bytes, unsigned len) {
  const struct active_crc *c = &active_crcs[which];
  unsigned crc = c->reflected ? reflect(c->init, 16) : c->init;
  for (unsigned i = 0; i < len; i++) {
    crc ^= (c->reflected ? reflect(bytes[i], 8) : bytes[i]) << 8;
    for (unsigned bit = 0; bit < 8; bit++) crc = (crc << 1 ^ (crc & 0x8000 ? c->poly : 0)) & 0xffff;
  }
  if (c->reflected) crc = reflect(crc, 16);
  return (uint16_t)(crc ^ c->xor_out);
}

uint16_t active_hash(unsigned which, const uint32_t h[ACTIVE_NUM_HASH]) {
  uint8_t bytes[4 * ACTIVE_NUM_HASH];
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
  return active_crc(which, bytes, sizeof bytes);
}
