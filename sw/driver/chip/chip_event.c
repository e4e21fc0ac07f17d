// SPDX-License-Identifier: Apache-2.0
// Packets that leave: those of the CPU port are events, and wait apart from the others.
#include <sluice/event.h>

#include "chip.h"

enum { WAIT_MOST = 1024 };

static enum sluice_status no_cpu_port(struct sluice_error *error) {
  return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                     "the chip has no CPU port: see sluice_chip_cpu_port");
}

enum sluice_status sluice_chip_cpu_port(struct sluice_chip *chip, unsigned port,
                                        struct sluice_error *error) {
  if (port >= chip->config->NumPorts)
    return sluice_fail(error, SLUICE_ERR_RANGE, "port %u: chip '%s' has ports 0 to %u", port,
                       chip->config->name, chip->config->NumPorts - 1);
  chip->has_cpu = true;
  chip->cpu_port = port;
  return SLUICE_OK;
}

// Who asks for events and has declared no port gets those of the shape's CPU port.
static bool has_cpu(struct sluice_chip *chip) {
  const unsigned port = sluice_config_cpu_port(chip->config);
  if (chip->has_cpu || port == chip->config->NumPorts) return chip->has_cpu;
  chip->has_cpu = true;
  chip->cpu_port = port;
  return true;
}

static void keep(struct transport_queue *queue, const struct sluice_packet_out *p, uint64_t *lost) {
  if (queue->num == WAIT_MOST ||
      transport_push(queue, p->port, p->ticket, p->bytes, p->len, NULL) != SLUICE_OK)
    ++*lost;
}

// The next packet of one kind; those of the other kind that come before it are kept.
static enum sluice_status next(struct sluice_chip *chip, bool event,
                               struct sluice_packet_out *packet, struct sluice_error *error) {
  struct transport_queue *queue = event ? &chip->events : &chip->packets;
  packet->len = 0;
  while (!queue->head) {
    CHIP_TRY(chip->to->ops->packet_receive(chip->to->self, packet, error));
    if (!packet->len) return SLUICE_OK;
    const bool is_event = chip->has_cpu && packet->port == chip->cpu_port;
    chip->event_counts.events += is_event;
    chip->event_counts.bytes += is_event ? packet->len : 0;
    if (is_event == event) return SLUICE_OK;
    if (is_event) keep(&chip->events, packet, &chip->event_counts.lost_events);
    else keep(&chip->packets, packet, &chip->event_counts.lost_packets);
  }
  transport_take(queue, packet);
  return SLUICE_OK;
}

enum sluice_status sluice_chip_event(struct sluice_chip *chip, struct sluice_packet_out *packet,
                                     struct sluice_error *error) {
  packet->len = 0;
  return has_cpu(chip) ? next(chip, true, packet, error) : no_cpu_port(error);
}

enum sluice_status sluice_chip_packet(struct sluice_chip *chip, struct sluice_packet_out *packet,
                                      struct sluice_error *error) {
  return next(chip, false, packet, error);
}

enum sluice_status sluice_chip_cpu_send(struct sluice_chip *chip, const uint8_t *bytes, size_t len,
                                        struct sluice_error *error) {
  if (!has_cpu(chip)) return no_cpu_port(error);
  if (len < SLUICE_PACKET_MIN || len > chip->to->frame_max)
    return sluice_fail(error, SLUICE_ERR_RANGE, "a packet of %zu bytes: legal is %d to %zu", len,
                       SLUICE_PACKET_MIN, chip->to->frame_max);
  return chip->to->ops->packet_send(chip->to->self, chip->cpu_port, bytes, len, error);
}

void sluice_chip_event_counts(const struct sluice_chip *chip, struct sluice_event_counts *counts) {
  *counts = chip->event_counts;
}
