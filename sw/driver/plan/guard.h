// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../image/image.h"

/// What an untrusted module must not do to its packets (docs/isolation.md, *What a module may
/// write*):
///
/// - change its VLAN id (bytes 14..15 without PCP and DEI) or the type of its tag (bytes 12..13):
/// its packets would be another
///   module's at the next switch;
/// - make a reconfiguration packet out of one that is none: Ethernet type 0x0800, IPv4 protocol
/// 0x11, UDP port 0xf1f2.
///
/// Found by following every bit of the header through parser, actions and deparser: it is 0, 1, a
/// bit of the packet as it came, or unknown. So `p.ttl = p.ttl - 1` is fine, although protocol and
/// TTL share a container: the bits of the protocol come back as they were. `p.dport = 80` is fine,
/// since port 80 is not 0xf1f2; `p.dport = p.x` is not. State, hashes and comparisons are unknown,
/// and so are words of an array that a row or a lookup may have changed:
/// what is refused might never happen, what is accepted cannot.
///
/// On a chip with match engines or default actions any ACTION entry of the module may be done,
/// those beyond the exact rows too: which entries name them changes at run time. So do data words:
/// nothing is known of them.
///
/// SLUICE_ERR_RANGE with a sentence that names the field.
enum sluice_status sluice_guard(const struct sluice_config *config,
                                const struct sluice_image *image, struct sluice_error *error);

/// What the check knows of the header as it leaves: for each bit, whether it may be 0, or 1, or bit
/// `same` of the packet as it came (-1: no). Bit 8 * byte + place, place 0 is the least
/// significant. Both and no `same`: unknown.
enum { SLUICE_GUARD_BITS = 8 * 128 };
struct sluice_guard_bit {
  bool zero, one;
  int same;
};
void sluice_guard_header(const struct sluice_config *config, const struct sluice_image *image,
                         struct sluice_guard_bit out[SLUICE_GUARD_BITS]);
