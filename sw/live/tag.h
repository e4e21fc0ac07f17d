// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The edge of a live switch: hosts send frames without a VLAN tag, the chip knows a packet's
/// module by its tag.
///
/// An access port belongs to one VLAN, that of its module. A frame that comes in gets the tag, and
/// loses it when it leaves:
///
///     access port of VLAN 5, in     64 bytes without a tag -> 68 with it
///                                   a frame with a tag     -> refused, TAGGED
///                            out    tag of VLAN 5          -> without it
///                                   tag of VLAN 6          -> refused, FOREIGN
///     trunk                  in     a frame with a tag     -> as it is
///                                   without one            -> refused, UNTAGGED
///
/// So nobody at an access port can send to another's module, or see its packets. A tag is 0x8100
/// with a VLAN id that is not 0; a priority tag (VLAN id 0) keeps its priority and gets the port's
/// VLAN id.
enum live_refusal {
  LIVE_FITS,      // not refused
  LIVE_TAGGED,    // at an access port
  LIVE_UNTAGGED,  // at a trunk
  LIVE_FOREIGN,   // of another VLAN than the access port at which it leaves
  LIVE_SHORT,     // no whole Ethernet header, 14 bytes
  LIVE_LONG,      // more bytes, tag included, than the way to the chip takes
  LIVE_SEGMENTS,  // several segments in one frame, as a sender with TSO or a receiver with GRO has
  LIVE_NUM_REFUSALS,
};
struct live_vlan {
  bool trunk;
  unsigned vid;  // of an access port
};

/// What goes into the chip for a frame that came: at least 64 bytes (zeros behind the end of a
/// shorter one), at most `room`. *out_len is its length, if it fits.
enum live_refusal live_enter(const struct live_vlan *vlan, const uint8_t *frame, size_t len,
                             uint8_t *out, size_t room, size_t *out_len);
/// What goes onto the wire for a packet that left the chip. The bytes are changed in place; *start
/// is the first that is sent, and *len is their number.
enum live_refusal live_leave(const struct live_vlan *vlan, uint8_t *frame, size_t *len,
                             const uint8_t **start);

/// "tagged", "too long": for counters.
const char *live_refusal_name(enum live_refusal refusal);
