// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_EVENT_H
#define SLUICE_EVENT_H

#include <sluice/chip.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Events: packets that programs send to the control plane.
///
/// One data port is declared the CPU port. A shape with a port more than its lanes share evenly,
/// like s4 with 17 ports on four lanes, has one beside its ports: the last. It need not be
/// declared: it is the CPU port from the first call of sluice_chip_event or sluice_chip_cpu_send
/// on. What leaves the chip there is an event, and what the control plane sends comes in there. A
/// program sends a packet to it as to any port. Example: a switch that learns
/// (sw/programs/tables/l2.dom) sends what it does not know to port 3, with the port where it has
/// come in in the upper three bits of the VLAN tag.
///
///     struct sluice_packet_out packet;
///     status = sluice_chip_cpu_port(chip, 3, &error);
///     ...
///     status = sluice_chip_event(chip, &packet, &error);
///     if (!status && packet.len) learn(packet.bytes, packet.bytes[14] >> 5);
///     status = sluice_chip_cpu_send(chip, packet.bytes, packet.len, &error);
///
/// No call waits. A simulated chip stands still between calls: let cycles pass by the transport's
/// `wait`. Packets of the other ports come from sluice_chip_packet: who asks the transport for them
/// takes events away.

/// Declares `port` the CPU port; a later call declares another one. The chip itself knows nothing
/// of it. SLUICE_ERR_RANGE: it has no such port.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_cpu_port(struct sluice_chip *chip, unsigned port,
                                                          struct sluice_error *error);

/// The next event, oldest first: tag and all, with its ticket. packet->len 0: none has come. At
/// most 1,024 wait; those that come then are lost, and counted. SLUICE_ERR_UNSUPPORTED: no CPU
/// port.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_event(struct sluice_chip *chip,
                                                       struct sluice_packet_out *packet,
                                                       struct sluice_error *error);

/// The next packet that has left another port; packet->len 0: none has. Of these, too, at most
/// 1,024 wait while events are asked for.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_packet(struct sluice_chip *chip,
                                                        struct sluice_packet_out *packet,
                                                        struct sluice_error *error);

/// Sends a packet in at the CPU port; it has a VLAN tag, which says whose packet it is.
/// SLUICE_ERR_UNSUPPORTED: no CPU port; SLUICE_ERR_RANGE: a length that no packet has.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_cpu_send(struct sluice_chip *chip,
                                                          const uint8_t *bytes, size_t len,
                                                          struct sluice_error *error);

/// Since the chip was opened: events that came, and their bytes; packets that were lost because
/// nobody asked for them.
struct sluice_event_counts {
  uint64_t events, bytes, lost_events, lost_packets;
};
void sluice_chip_event_counts(const struct sluice_chip *chip, struct sluice_event_counts *counts);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
