// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string.h>

#include "../../base/bytes.h"

/// A UDP packet of `len` bytes, at least 46, with a VLAN tag; what follows the UDP header is 0.
static inline void five_udp(uint8_t *bytes, size_t len, unsigned vid, uint32_t src, uint32_t dst,
                            unsigned sport, unsigned dport) {
  memset(bytes, 0, len);
  bytes[0] = bytes[6] = 2;
  sluice_put16(bytes + 12, 0x8100);
  sluice_put16(bytes + 14, vid);
  sluice_put16(bytes + 16, 0x0800);
  bytes[18] = 0x45;
  bytes[26] = 64;
  bytes[27] = 17;
  sluice_put32(bytes + 30, src);
  sluice_put32(bytes + 34, dst);
  sluice_put16(bytes + 38, sport);
  sluice_put16(bytes + 40, dport);
  sluice_finish_udp(bytes + 18, len - 18);
}
