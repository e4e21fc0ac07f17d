// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_WRAPPED_H
#define SLUICE_TESTS_WRAPPED_H

#include <sluice/transport.h>
#include <stdbool.h>

/// A transport around another one, which calls its owner before and behind each operation: to put
/// packets between the operations of the driver, to let some fail. Public headers alone.
///
///     struct wrapped w = {.inner = &model, .before = feed, .user = &feeder};
///     struct sluice_transport to = {&wrapped_ops, &w, SLUICE_PACKET_MAX};
///
/// A user that wants an operation of its own copies wrapped_ops and replaces it; `self` is the
/// struct wrapped.
enum wrapped_op {
  WRAPPED_READ,  // of a register
  WRAPPED_WRITE,
  WRAPPED_SEND,  // of a control frame
  WRAPPED_RECEIVE,
  WRAPPED_PACKET_IN,
  WRAPPED_PACKET_OUT,
  WRAPPED_WAIT,
  WRAPPED_RESET,
};
struct wrapped {
  struct sluice_transport *inner;
  /// False: the operation is not done, and is OK but for `after`. `cycles`: of a wait, else 0.
  bool (*before)(void *user, enum wrapped_op op, uint64_t cycles);
  /// What the operation returns; NULL: what it has returned.
  enum sluice_status (*after)(void *user, enum sluice_status status, struct sluice_error *e);
  void *user;
};

static inline bool wrapped_begin(struct wrapped *w, enum wrapped_op op, uint64_t cycles) {
  return w->before(w->user, op, cycles);
}
static inline enum sluice_status wrapped_end(struct wrapped *w, enum sluice_status status,
                                             struct sluice_error *e) {
  return w->after ? w->after(w->user, status, e) : status;
}
#define WRAPPED(OP, CYCLES, CALL)                                 \
  struct wrapped *w = self;                                       \
  enum sluice_status status = SLUICE_OK;                          \
  if (wrapped_begin(w, OP, CYCLES)) status = w->inner->ops->CALL; \
  return wrapped_end(w, status, e)

static inline enum sluice_status wrapped_read(void *self, uint32_t addr, uint32_t *value,
                                              struct sluice_error *e) {
  WRAPPED(WRAPPED_READ, 0, csr_read(w->inner->self, addr, value, e));
}
static inline enum sluice_status wrapped_write(void *self, uint32_t addr, uint32_t value,
                                               struct sluice_error *e) {
  WRAPPED(WRAPPED_WRITE, 0, csr_write(w->inner->self, addr, value, e));
}
static inline enum sluice_status wrapped_send(void *self, const uint8_t *bytes, size_t len,
                                              struct sluice_error *e) {
  WRAPPED(WRAPPED_SEND, 0, control_send(w->inner->self, bytes, len, e));
}
static inline enum sluice_status wrapped_receive(void *self, uint8_t *bytes, size_t room,
                                                 size_t *len, struct sluice_error *e) {
  *len = 0;
  WRAPPED(WRAPPED_RECEIVE, 0, control_receive(w->inner->self, bytes, room, len, e));
}
static inline enum sluice_status wrapped_packet(void *self, unsigned port, const uint8_t *bytes,
                                                size_t len, struct sluice_error *e) {
  WRAPPED(WRAPPED_PACKET_IN, 0, packet_send(w->inner->self, port, bytes, len, e));
}
static inline enum sluice_status wrapped_packet_out(void *self, struct sluice_packet_out *packet,
                                                    struct sluice_error *e) {
  WRAPPED(WRAPPED_PACKET_OUT, 0, packet_receive(w->inner->self, packet, e));
}
static inline enum sluice_status wrapped_wait(void *self, uint64_t cycles, struct sluice_error *e) {
  WRAPPED(WRAPPED_WAIT, cycles, wait(w->inner->self, cycles, e));
}
static inline enum sluice_status wrapped_reset(void *self, struct sluice_error *e) {
  WRAPPED(WRAPPED_RESET, 0, reset(w->inner->self, e));
}
static inline void wrapped_close(void *self) { (void)self; }

static const struct sluice_transport_ops wrapped_ops = {.kind = "wrapped",
                                                        .csr_read = wrapped_read,
                                                        .csr_write = wrapped_write,
                                                        .control_send = wrapped_send,
                                                        .control_receive = wrapped_receive,
                                                        .packet_send = wrapped_packet,
                                                        .packet_receive = wrapped_packet_out,
                                                        .wait = wrapped_wait,
                                                        .reset = wrapped_reset,
                                                        .close = wrapped_close};

#endif
