// SPDX-License-Identifier: Apache-2.0
#include "queue.h"

#include <string.h>

#include "../../base/status.h"

enum sluice_status transport_push(struct transport_queue *q, unsigned port, uint32_t ticket,
                                  const uint8_t *bytes, size_t len, struct sluice_error *error) {
  if (q->num == TRANSPORT_QUEUE_MAX)
    return sluice_fail(error, SLUICE_ERR_FULL,
                       "%u packets that have left the chip wait to be received", q->num);
  struct transport_item *item = sluice_resize(&q->alloc, NULL, 0, sizeof *item + len);
  if (!item) return sluice_no_memory(error);
  *item = (struct transport_item){.len = len, .port = port, .ticket = ticket};
  memcpy(item->bytes, bytes, len);
  if (q->head) q->last->next = item;
  else q->head = item;
  q->last = item;
  q->num++;
  return SLUICE_OK;
}

void transport_pop(struct transport_queue *q) {
  struct transport_item *item = q->head;
  q->head = item->next;
  q->num--;
  sluice_resize(&q->alloc, item, sizeof *item + item->len, 0);
}

void transport_drop_all(struct transport_queue *q) {
  while (q->head) transport_pop(q);
}

void transport_take(struct transport_queue *q, struct sluice_packet_out *packet) {
  const struct transport_item *item = q->head;
  packet->len = 0;
  if (!item) return;
  packet->port = item->port;
  packet->ticket = item->ticket;
  packet->times = item->times;
  packet->len = item->len < sizeof packet->bytes ? item->len : sizeof packet->bytes;
  memcpy(packet->bytes, item->bytes, packet->len);
  transport_pop(q);
}
