// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/transport.h>
#include <stdint.h>

/// Packets and answers that have come and that nobody has received yet, first in, first out.
struct transport_item {
  struct transport_item *next;
  size_t len;
  unsigned port;
  uint32_t ticket;
  struct sluice_packet_times times;
  uint8_t bytes[];
};

/// `head` NULL: empty. Zeroed but for `alloc` to begin with.
struct transport_queue {
  struct transport_item *head, *last;
  unsigned num;
  struct sluice_alloc alloc;
};

enum { TRANSPORT_QUEUE_MAX = 65536 };

/// SLUICE_ERR_FULL: as many wait already as may.
enum sluice_status transport_push(struct transport_queue *queue, unsigned port, uint32_t ticket,
                                  const uint8_t *bytes, size_t len, struct sluice_error *error);
/// Frees the first one.
void transport_pop(struct transport_queue *queue);
void transport_drop_all(struct transport_queue *queue);
/// Takes the first one out; packet->len 0: there is none.
void transport_take(struct transport_queue *queue, struct sluice_packet_out *packet);
