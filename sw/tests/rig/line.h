// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/transport.h>

#include "base/bytes.h"
#include "tests/rig/says.h"

/// What tests of the driver on the reference model share: packets on their way through it, and
/// changes of tables.

/// The head of a UDP packet of a VLAN; the rest of `bytes` stays.
static inline void udp_head(uint8_t *bytes, unsigned vid) {
  bytes[12] = 0x81, bytes[15] = (uint8_t)vid, bytes[16] = 0x08, bytes[18] = 0x45, bytes[27] = 17;
}
/// The same with addresses of IPv4.
static inline void udp_from_to(uint8_t *bytes, unsigned vid, uint32_t src, uint32_t dst) {
  udp_head(bytes, vid);
  sluice_put32(bytes + 30, src);
  sluice_put32(bytes + 34, dst);
}

/// Sends a packet, and takes the first that leaves; none: its length is 0.
static inline void through(struct sluice_transport *to, unsigned port, const uint8_t *bytes,
                           size_t len, struct sluice_packet_out *out) {
  GOOD(to->ops->packet_send(to->self, port, bytes, len, &error));
  GOOD(to->ops->packet_receive(to->self, out, &error));
}

/// An entry with one key, as sluice_chip_table_change takes it (sluice/table.h); behind the action
/// its arguments.
#define TABLE_CHANGE(OP, VID, TABLE, KEY, MASK, ACTION, ...) \
  ((struct sluice_table_change){.op = OP,                    \
                                .vid = VID,                  \
                                .table = TABLE,              \
                                .keys = {{KEY, MASK}},       \
                                .action = ACTION,            \
                                .args = {__VA_ARGS__}})
