// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/rng.h"
#include "../driver/wire/wire.h"

/// Damages a packet as a port may deliver it: with an error mark, cut, with a missing byte, without
/// a VLAN tag, of a module that nobody has, as if it were a reconfiguration packet, or too long for
/// the chip.
///
///     uint8_t bytes[SLUICE_DAMAGE_ROOM];
///     const struct sluice_damage d = sluice_damage(&rng, bytes, len, sizeof bytes);
///     ... the packet now has d.len bytes ...
struct sluice_damage {
  size_t len;     // bytes of the packet now
  size_t gap_at;  // byte whose keep bit is cleared; SIZE_MAX: none
  bool mark_bad;  // the port says that the packet is bad
};
/// A packet that is too long for the chip has this many bytes.
enum { SLUICE_DAMAGE_ROOM = SLUICE_FRAME_MAX + 65 };

/// `len`: bytes of the packet, 1 or more. `room`: bytes that `bytes` has, `len` or more and at
/// least SLUICE_DAMAGE_ROOM. A packet that is longer than the chip takes already stays so.
struct sluice_damage sluice_damage(struct sluice_rng *rng, uint8_t *bytes, size_t len, size_t room);
