// SPDX-License-Identifier: Apache-2.0
#include "damage.h"

#include <string.h>

enum { SHORTEST = 64, WAYS = 8 };

// Addresses and ports of a reconfiguration packet.
static void disguise(uint8_t *bytes) {
  bytes[16] = 0x08, bytes[17] = 0x00, bytes[27] = 0x11, bytes[40] = 0xf1, bytes[41] = 0xf2;
}

struct sluice_damage sluice_damage(struct sluice_rng *rng, uint8_t *bytes, size_t len,
                                   size_t room) {
  struct sluice_damage d = {.len = len, .gap_at = SIZE_MAX};
  switch (sluice_rng_below(rng, WAYS)) {
    case 0: d.mark_bad = true; break;
    case 1: d.len = 1 + sluice_rng_below(rng, SHORTEST - 1); break;
    case 2: d.gap_at = len > 1 ? sluice_rng_below(rng, len - 1) : 0; break;
    case 3: bytes[12] ^= 0x01; break;  // not a VLAN tag
    case 4: bytes[14] ^= 0x0f; break;  // a module that nobody has
    case 5: disguise(bytes); break;
    case 6:  // too long for the chip
      if (len >= SLUICE_DAMAGE_ROOM || room < SLUICE_DAMAGE_ROOM) break;
      memset(bytes + len, 0, SLUICE_DAMAGE_ROOM - len);
      d.len = SLUICE_DAMAGE_ROOM;
      break;
    default:  // cut, and still legal
      if (len > SHORTEST) d.len = SHORTEST + sluice_rng_below(rng, len - SHORTEST + 1);
      break;
  }
  return d;
}
