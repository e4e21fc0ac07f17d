// SPDX-License-Identifier: Apache-2.0
#include "bringup.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(CALL)                           \
  do {                                      \
    enum sluice_status try_status = (CALL); \
    if (try_status) return try_status;      \
  } while (0)
#define REG(BLOCK, INSTANCE, NAME) (SLUICE_##BLOCK##_BASE + SLUICE_##BLOCK##_STRIDE * (INSTANCE) + SLUICE_##BLOCK##_##NAME)

enum { READY_POLLS = 200, STATE_BLOCK = 16, VERSION = 0x534c5501 };

// A packet that was admitted: what must leave, and through which ports it has not yet.
struct bringup_copy {
  uint64_t ports;
  size_t len;
  uint8_t *bytes;
};

static void say(struct bringup *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct bringup *b, const char *format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (b->said) b->said(b->user, text);
}

static void differ(struct bringup *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void differ(struct bringup *b, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (b->differences++ == 0) vsnprintf(b->difference, sizeof b->difference, format, arguments);
  va_end(arguments);
}

static void same(struct bringup *b, const char *what, uint64_t expected, uint64_t got) {
  if (expected != got)
    differ(b, "%s is %llu, not %llu", what, (unsigned long long)got, (unsigned long long)expected);
}

// Is it the chip that programs are compiled for?
static enum sluice_status check_shape(struct bringup *b, struct sluice_error *error) {
  const struct sluice_config *c = b->config;
  static const uint32_t regs[] = {REG(CHIP, 0, SHAPE_0), REG(CHIP, 0, SHAPE_1), REG(CHIP, 0, SHAPE_2), REG(CHIP, 0, SHAPE_3)};
  for (unsigned n = 0; n < sizeof regs / sizeof regs[0]; n++) {
    const uint32_t expected = sluice_config_shape(c, n);
    uint32_t shape;
    TRY(board_read(b->board, regs[n], &shape, error));
    if (shape != expected)
      return sluice_fail(error, SLUICE_ERR_FOREIGN, "the chip's SHAPE_%u, %08x, is not that of '%s', %08x", n, shape, c->name, expected);
  }
  return SLUICE_OK;
}

enum sluice_status bringup_identify(struct bringup *b, struct sluice_error *error) {
  const struct sluice_config *c = b->config;
  uint32_t id, version, status = 0;
  TRY(board_hello(b->board, error));
  say(b, "the board answers: %u lanes, payloads up to %u bytes", b->board->lanes, b->board->payload_max);
  TRY(board_reset(b->board, error));
  TRY(board_read(b->board, REG(CHIP, 0, ID), &id, error));
  TRY(board_read(b->board, REG(CHIP, 0, VERSION), &version, error));
  if (id != sluice_layout_hash() || version != VERSION)
    return sluice_fail(error, SLUICE_ERR_FOREIGN, "the chip says layout %08x, version %08x; expected %08x, %08x", id, version,
                       sluice_layout_hash(), VERSION);
  TRY(check_shape(b, error));
  for (unsigned n = 0; n < READY_POLLS && !(status & 1); n++) TRY(board_read(b->board, REG(CHIP, 0, STATUS), &status, error));
  if (!(status & 1)) return sluice_fail(error, SLUICE_ERR_IO, "the chip does not become ready");
  say(b, "chip '%s', layout %08x, ready", c->name, id);
  return SLUICE_OK;
}

struct loading {
  struct bringup *b;
  unsigned count;
  enum sluice_status status;
  struct sluice_error *error;
};

static bool send_control(void *context, const struct sluice_frame *frame) {
  struct loading *l = context;
  sluice_model_control(l->b->model, frame->bytes, frame->len, NULL);
  l->status = board_control(l->b->board, frame->bytes, frame->len, l->error);
  l->count++;
  return l->status == SLUICE_OK;
}

// Sends a READ, and compares what is answered with the model.
static enum sluice_status read_back(struct bringup *b, const struct sluice_frame *frame, const char *what,
                                    struct sluice_error *error) {
  const struct wire_frame *answer;
  struct sluice_model_answer *expected = malloc(sizeof *expected);
  if (!expected) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  sluice_model_control(b->model, frame->bytes, frame->len, expected);
  enum sluice_status status = board_control(b->board, frame->bytes, frame->len, error);
  if (!status) status = board_control_answer(b->board, &answer, error);
  if (!status) {
    long at = sluice_model_answer_compare(expected, answer->payload, answer->len);
    if (at >= 0) differ(b, "%s reads back another value, byte %ld of the answer", what, at);
  }
  free(expected);
  return status;
}

enum sluice_status bringup_load(struct bringup *b, struct sluice_error *error) {
  struct loading loading = {.b = b, .error = error};
  uint32_t good = 0, bad = 0;
  if (!sluice_reconfig_plan(b->plan, send_control, &loading)) return loading.status;
  for (unsigned n = 0; n < READY_POLLS && good + bad < loading.count; n++) {
    TRY(board_read(b->board, REG(CHIP, 0, RECONFIG_COUNT), &good, error));
    TRY(board_read(b->board, REG(CHIP, 0, RECONFIG_BAD), &bad, error));
  }
  same(b, "CHIP.RECONFIG_COUNT", loading.count, good);
  same(b, "CHIP.RECONFIG_BAD", 0, bad);
  for (size_t m = 0; m < b->plan->num_modules; m++) {
    struct sluice_frame frame;
    sluice_reconfig_read(&frame, SLUICE_TABLE_MODULE, 0, b->plan->modules[m].row, 1, 0, (unsigned)m);
    TRY(read_back(b, &frame, "table MODULE", error));
    sluice_reconfig_read(&frame, SLUICE_TABLE_PARSER, 0, b->plan->modules[m].row, 1, b->config->NumPipes - 1, (unsigned)m);
    TRY(read_back(b, &frame, "table PARSER", error));
  }
  say(b, "%u control packets loaded %zu module%s; tables read back", loading.count, b->plan->num_modules,
      b->plan->num_modules == 1 ? "" : "s");
  return SLUICE_OK;
}

static void leaves(void *user, unsigned port, uint32_t ticket, const uint8_t *bytes, size_t len) {
  struct bringup *b = user;
  b->received++;
  if (ticket >= b->num_copies) {
    differ(b, "a packet leaves port %u with ticket %u, and none was admitted with it", port, ticket);
    return;
  }
  struct bringup_copy *copy = &b->copies[ticket];
  if (port > 63 || !(copy->ports >> port & 1)) {
    differ(b, "packet %u leaves port %u, and should not, or not twice", ticket, port);
    return;
  }
  copy->ports &= ~(UINT64_C(1) << port);
  if (len != copy->len) {
    differ(b, "packet %u has %zu bytes at port %u, not %zu", ticket, len, port, copy->len);
    return;
  }
  for (size_t i = 0; i < len; i++)
    if (bytes[i] != copy->bytes[i]) {
      differ(b, "packet %u at port %u: byte %zu is %02x, not %02x", ticket, port, i, bytes[i], copy->bytes[i]);
      return;
    }
}

// What the model makes of the packet: a copy to wait for, or nothing.
static enum sluice_status predict(struct bringup *b, const struct sluice_model_packet *packet, struct sluice_error *error) {
  struct sluice_model_phv phv;
  struct sluice_model_result result;
  struct sluice_model_verdict verdict = sluice_model_classify(sluice_model_filter(b->model), packet->bytes, packet->len);
  if (verdict.reason != SLUICE_DROP_NONE || sluice_model_front(b->model, packet, &phv) != SLUICE_DROP_NONE) {
    b->dropped++;
    return SLUICE_OK;
  }
  phv.mark = false;
  sluice_model_admit(b->model, packet, &phv, &result);
  if (b->num_copies == b->room) {
    size_t room = b->room ? 2 * b->room : 64;
    struct bringup_copy *more = realloc(b->copies, room * sizeof *more);
    if (!more) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
    b->copies = more;
    b->room = room;
  }
  struct bringup_copy *copy = &b->copies[b->num_copies];
  *copy = (struct bringup_copy){.ports = result.reason == SLUICE_DROP_NONE ? result.ports : 0, .len = packet->len};
  copy->bytes = malloc(packet->len);
  if (!copy->bytes) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  memcpy(copy->bytes, packet->bytes, packet->len);
  memcpy(copy->bytes, result.header, packet->len < SLUICE_MODEL_HEADER ? packet->len : SLUICE_MODEL_HEADER);
  b->num_copies++;
  b->expected += (unsigned long)__builtin_popcountll(copy->ports);
  return SLUICE_OK;
}

enum sluice_status bringup_packet(struct bringup *b, unsigned port, const struct sluice_packet *packet,
                                  struct sluice_error *error) {
  const struct sluice_model_packet p = {.bytes = packet->bytes, .len = (unsigned)packet->len, .port = port};
  b->board->packet = leaves;
  b->board->user = b;
  TRY(predict(b, &p, error));
  b->sent++;
  return board_packet(b->board, port, packet->bytes, packet->len, error);
}

static enum sluice_status sum(struct bringup *b, uint32_t first, uint32_t stride, unsigned count, uint64_t *total,
                              struct sluice_error *error) {
  *total = 0;
  for (unsigned n = 0; n < count; n++) {
    uint32_t value;
    TRY(board_read(b->board, first + stride * n, &value, error));
    *total += value;
  }
  return SLUICE_OK;
}

enum sluice_status bringup_finish(struct bringup *b, struct sluice_error *error) {
  const struct sluice_config *c = b->config;
  uint64_t accepted, admitted, out;
  uint32_t inside = 1, first_error;
  for (unsigned n = 0; n < READY_POLLS && inside; n++) TRY(board_read(b->board, REG(CHIP, 0, INSIDE), &inside, error));
  while (b->received < b->expected) {
    unsigned long before = b->received;
    TRY(board_listen(b->board, b->board->patience, error));
    if (b->received == before) break;
  }
  same(b, "number of packets that left", b->expected, b->received);
  same(b, "number of the chip's frames that were lost on the line", 0, b->board->lost);
  TRY(sum(b, REG(LANE, 0, PACKETS), SLUICE_LANE_STRIDE, c->NumPipes, &accepted, error));
  TRY(sum(b, REG(ORDER, 0, ADMITTED), SLUICE_ORDER_STRIDE, c->NumPipes, &admitted, error));
  TRY(sum(b, REG(PORT, 0, PACKETS), SLUICE_PORT_STRIDE, c->NumPorts, &out, error));
  TRY(board_read(b->board, REG(CHIP, 0, FIRST_ERROR), &first_error, error));
  same(b, "LANE.PACKETS of all lanes", b->sent, accepted);
  same(b, "ORDER.ADMITTED of all lanes", b->num_copies, admitted);
  same(b, "PORT.PACKETS of all ports", b->received, out);
  same(b, "CHIP.FIRST_ERROR", 0, first_error);
  same(b, "CHIP.INSIDE", 0, inside);
  say(b, "%lu packets in, %llu admitted, %llu out", b->sent, (unsigned long long)admitted, (unsigned long long)out);
  unsigned entries = 0;
  for (size_t s = 0; s < b->plan->num_segments; s++) {
    const struct sluice_segment *seg = &b->plan->segments[s];
    for (unsigned at = 0; at < seg->range; at += STATE_BLOCK) {
      struct sluice_frame frame;
      unsigned count = seg->range - at < STATE_BLOCK ? seg->range - at : STATE_BLOCK;
      sluice_reconfig_state_read(&frame, seg->stage, seg->row, at, count, at);
      TRY(read_back(b, &frame, "state", error));
      entries += count;
    }
  }
  say(b, "state: %u entries compared", entries);
  return SLUICE_OK;
}

void bringup_release(struct bringup *b) {
  for (size_t i = 0; i < b->num_copies; i++) free(b->copies[i].bytes);
  free(b->copies);
  b->copies = NULL;
  b->num_copies = b->room = 0;
}
