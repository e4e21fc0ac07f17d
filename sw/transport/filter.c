// SPDX-License-Identifier: Apache-2.0
#include "filter.h"

#include <stddef.h>

static enum sluice_status end(struct sluice_filter *f, enum sluice_status status,
                              struct sluice_error *error) {
  return f->after ? f->after(f->user, status, error) : status;
}

// Hands a call of the inner transport on, with the filter `f` as the variable.
#define HAND_ON(CALL, CYCLES, FUNCTION, ...)                          \
  struct sluice_filter *f = self;                                     \
  enum sluice_status status = SLUICE_OK;                              \
  if (!f->before || f->before(f->user, SLUICE_FILTER_##CALL, CYCLES)) \
    status = f->inner->ops->FUNCTION(f->inner->self, __VA_ARGS__);    \
  return end(f, status, error)

static enum sluice_status csr_read(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *error) {
  HAND_ON(READ, 0, csr_read, addr, value, error);
}

// An owner that has a csr_read of its own sees each register.
static enum sluice_status csr_read_many(void *self, uint32_t addr, unsigned num, uint32_t *values,
                                        struct sluice_error *error) {
  const struct sluice_filter *of = self;
  if (of->ops.csr_read == csr_read) {
    HAND_ON(READ, 0, csr_read_many, addr, num, values, error);
  }
  enum sluice_status each = SLUICE_OK;
  for (unsigned n = 0; !each && n < num; n++)
    each = of->ops.csr_read(self, addr + 4 * n, &values[n], error);
  return each;
}

static enum sluice_status csr_write(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  HAND_ON(WRITE, 0, csr_write, addr, value, error);
}

static enum sluice_status control_send(void *self, const uint8_t *bytes, size_t len,
                                       struct sluice_error *error) {
  HAND_ON(SEND, 0, control_send, bytes, len, error);
}

static enum sluice_status control_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                          struct sluice_error *error) {
  *len = 0;
  HAND_ON(RECEIVE, 0, control_receive, bytes, room, len, error);
}

static enum sluice_status packet_send(void *self, unsigned port, const uint8_t *bytes, size_t len,
                                      struct sluice_error *error) {
  HAND_ON(PACKET_IN, 0, packet_send, port, bytes, len, error);
}

static enum sluice_status packet_send_at(void *self, unsigned port, uint32_t cycle,
                                         const uint8_t *bytes, size_t len,
                                         struct sluice_error *error) {
  HAND_ON(PACKET_IN, 0, packet_send_at, port, cycle, bytes, len, error);
}

static enum sluice_status packet_receive(void *self, struct sluice_packet_out *packet,
                                         struct sluice_error *error) {
  HAND_ON(PACKET_OUT, 0, packet_receive, packet, error);
}

static enum sluice_status wait(void *self, uint64_t cycles, struct sluice_error *error) {
  HAND_ON(WAIT, cycles, wait, cycles, error);
}

static enum sluice_status reset(void *self, struct sluice_error *error) {
  HAND_ON(RESET, 0, reset, error);
}

static void close_nothing(void *self) { (void)self; }

static enum sluice_status tell(void *self, uint32_t packets, struct sluice_error *error) {
  HAND_ON(TELL, 0, tell, packets, error);
}

static char *story(void *self) {
  const struct sluice_filter *f = self;
  return f->inner->ops->story(f->inner->self);
}

static void story_free(void *self, char *text) {
  const struct sluice_filter *f = self;
  f->inner->ops->story_free(f->inner->self, text);
}

const struct sluice_transport_ops sluice_filter_ops = {
    .kind = "filter",
    .csr_read = csr_read,
    .csr_write = csr_write,
    .control_send = control_send,
    .control_receive = control_receive,
    .packet_send = packet_send,
    .packet_receive = packet_receive,
    .wait = wait,
    .reset = reset,
    .close = close_nothing,
    .csr_read_many = csr_read_many,
    .tell = tell,
    .story = story,
    .story_free = story_free,
    .packet_send_at = packet_send_at,
};

void sluice_filter_init(struct sluice_filter *filter, struct sluice_transport *inner, void *user) {
  const struct sluice_transport_ops *of = inner->ops;
  *filter = (struct sluice_filter){.inner = inner, .ops = sluice_filter_ops, .user = user};
  filter->ops.kind = of->kind;
  if (!of->reset) filter->ops.reset = NULL;
  if (!of->csr_read_many) filter->ops.csr_read_many = NULL;
  if (!of->tell) filter->ops.tell = NULL;
  if (!of->story) filter->ops.story = NULL;
  if (!of->story_free) filter->ops.story_free = NULL;
  if (!of->packet_send_at) filter->ops.packet_send_at = NULL;
  filter->to = (struct sluice_transport){&filter->ops, filter, inner->frame_max};
}
