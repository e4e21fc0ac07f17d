// SPDX-License-Identifier: Apache-2.0
#include "bringup.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/now.h"
#include "../driver/chip/chip.h"
#include "../driver/chip/packets.h"
#include "../transport/serial.h"

enum { INSIDE_POLLS = 200, WAIT_CYCLES = 10000 };

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

static void differ(struct bringup *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
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

static void leaves(struct bringup *b, unsigned port, uint32_t ticket, const uint8_t *bytes,
                   size_t len) {
  b->received++;
  if (ticket >= b->num_copies) {
    differ(b, "a packet leaves port %u with ticket %u, and none was admitted with it", port,
           ticket);
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
      differ(b, "packet %u at port %u: byte %zu is %02x, not %02x", ticket, port, i, bytes[i],
             copy->bytes[i]);
      return;
    }
}

static enum sluice_status left(void *user, struct sluice_packet_out *p,
                               struct sluice_error *error) {
  (void)error;
  leaves(user, p->port, p->ticket, p->bytes, p->len);
  return SLUICE_OK;
}

enum sluice_status bringup_identify(struct bringup *b, struct sluice_error *error) {
  // A board's line loses nothing without an error, so packets that are counted have arrived;
  // bringup_load reads some back.
  const struct sluice_chip_options options = {.chip = b->config->name,
                                              .verify = SLUICE_VERIFY_COUNT};
  struct sluice_chip_info info;
  say(b, "the board answers: %u lanes, payloads up to %zu bytes", sluice_transport_lanes(b->to),
      b->to->frame_max);
  SLUICE_TRY(sluice_chip_open(&b->chip, b->to, &options, error));
  sluice_chip_describe(b->chip, &info);
  b->session = (struct session){.to = b->to, .config = b->config, .hooks.left = left, .user = b};
  say(b, "chip '%s', layout %08x, ready", info.name, info.layouts);
  return SLUICE_OK;
}

static bool tell_model(void *context, const struct sluice_frame *frame) {
  struct bringup *b = context;
  sluice_model_control(b->model, frame->bytes, frame->len, NULL);
  return true;
}

// An entry of a module, as pipeline `copy` has it.
static enum sluice_status read_back(struct bringup *b, enum sluice_table table, unsigned row,
                                    unsigned copy, struct sluice_error *error) {
  const struct chip_query q = {table, 0, row, 1, copy, 0};
  struct sluice_reconfig answer;
  uint8_t expected[SLUICE_ENTRY_BYTES];
  SLUICE_TRY(chip_query(b->chip, &q, &answer, error));
  chip_expected(b->config, b->plan, table, 0, row, expected);
  if (!chip_holds(b->config, table, sluice_reconfig_entry(&answer, 0), expected))
    differ(b, "table %s reads back another value, row %u", sluice_tables[table].name, row);
  return SLUICE_OK;
}

enum sluice_status bringup_load(struct bringup *b, struct sluice_error *error) {
  struct sluice_chip_line line;
  if (!sluice_reconfig_plan(b->plan, tell_model, b))
    return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  SLUICE_TRY(sluice_chip_apply(b->chip, b->plan, error));
  for (size_t m = 0; m < b->plan->num_modules; m++) {
    SLUICE_TRY(read_back(b, SLUICE_TABLE_MODULE, b->plan->modules[m].row, 0, error));
    SLUICE_TRY(
        read_back(b, SLUICE_TABLE_PARSER, b->plan->modules[m].row, b->config->NumPipes - 1, error));
  }
  sluice_chip_line_counts(b->chip, &line);
  same(b, "control packets sent again", 0, line.resent);
  same(b, "CHIP.RECONFIG_BAD", 0, line.rejected);
  say(b, "loaded %zu module%s with %llu control packets; tables read back", b->plan->num_modules,
      b->plan->num_modules == 1 ? "" : "s", (unsigned long long)line.sent);
  return SLUICE_OK;
}

// What the model makes of the packet: a copy to wait for, or nothing.
static enum sluice_status predict(struct bringup *b, const struct sluice_model_packet *packet,
                                  struct sluice_error *error) {
  struct sluice_model_phv phv;
  struct sluice_model_result result;
  struct sluice_model_verdict verdict =
      sluice_model_classify(sluice_model_filter(b->model), packet->bytes, packet->len);
  if (verdict.reason != SLUICE_DROP_NONE ||
      sluice_model_front(b->model, packet, &phv) != SLUICE_DROP_NONE) {
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
  *copy = (struct bringup_copy){.ports = result.reason == SLUICE_DROP_NONE ? result.ports : 0,
                                .len = result.len};
  copy->bytes = malloc(packet->len);
  if (!copy->bytes) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  sluice_model_leave(packet, &result, copy->bytes);
  b->num_copies++;
  b->expected += (unsigned long)__builtin_popcountll(copy->ports);
  return SLUICE_OK;
}

enum sluice_status bringup_packet(struct bringup *b, unsigned port,
                                  const struct sluice_packet *packet, struct sluice_error *error) {
  const struct sluice_model_packet p = {
      .bytes = packet->bytes, .len = (unsigned)packet->len, .port = port};
  SLUICE_TRY(predict(b, &p, error));
  SLUICE_TRY(session_put(&b->session, port, packet->bytes, packet->len, error));
  return session_collect(&b->session, error);
}

// Both words of every entry, as the model has them.
static enum sluice_status compare_state(struct bringup *b, const struct sluice_segment *seg,
                                        unsigned *entries, struct sluice_error *error) {
  const unsigned block = chip_query_max(b->chip, SLUICE_TABLE_STATE);
  struct sluice_reconfig answer;
  for (unsigned at = 0; at < seg->range; at += block) {
    const struct chip_query q = {SLUICE_TABLE_STATE,
                                 seg->stage,
                                 at,
                                 seg->range - at < block ? seg->range - at : block,
                                 0,
                                 seg->row};
    SLUICE_TRY(chip_query(b->chip, &q, &answer, error));
    for (unsigned n = 0; n < q.count; n++) {
      const uint8_t *entry = sluice_reconfig_entry(&answer, n);
      uint32_t s1 = 0, s2 = 0;
      char name[200];
      sluice_model_state(b->model, seg->row, seg->stage, at + n, &s1, &s2);
      snprintf(name, sizeof name, "state of '%s', entry %u", seg->name[0], at + n);
      same(b, name, (uint64_t)s1 << 32 | s2,
           SLUICE_GET(entry, STATE_ENTRY, S1) << 32 | SLUICE_GET(entry, STATE_ENTRY, S2));
      ++*entries;
    }
  }
  return SLUICE_OK;
}

enum sluice_status bringup_finish(struct bringup *b, struct sluice_error *error) {
  struct sluice_counters counters;
  uint32_t inside = 1, first_error;
  for (unsigned n = 0; n < INSIDE_POLLS && inside; n++)
    SLUICE_TRY(sluice_chip_read(b->chip, CHIP_REG(CHIP, 0, INSIDE), &inside, error));
  for (double last = sluice_now();
       b->received < b->expected && sluice_now() - last < b->patience;) {
    const unsigned long before = b->received;
    SLUICE_TRY(session_pass(&b->session, WAIT_CYCLES, error));
    if (b->received != before) last = sluice_now();
  }
  same(b, "number of packets that left", b->expected, b->received);
  same(b, "number of the chip's frames that were lost on the line", 0,
       sluice_transport_lost(b->to));
  SLUICE_TRY(sluice_chip_counters(b->chip, &counters, error));
  SLUICE_TRY(sluice_chip_read(b->chip, CHIP_REG(CHIP, 0, FIRST_ERROR), &first_error, error));
  same(b, "LANE.PACKETS of all lanes", b->session.packets, counters.packets);
  same(b, "ORDER.ADMITTED of all lanes", b->num_copies, counters.admitted);
  same(b, "PORT.PACKETS of all ports", b->received, counters.copies);
  same(b, "CHIP.FIRST_ERROR", 0, first_error);
  same(b, "CHIP.INSIDE", 0, inside);
  say(b, "%llu packets in, %llu admitted, %llu out", (unsigned long long)b->session.packets,
      (unsigned long long)counters.admitted, (unsigned long long)counters.copies);
  unsigned entries = 0;
  for (size_t s = 0; s < b->plan->num_segments; s++)
    SLUICE_TRY(compare_state(b, &b->plan->segments[s], &entries, error));
  say(b, "state: %u entries compared", entries);
  return SLUICE_OK;
}

void bringup_release(struct bringup *b) {
  sluice_chip_close(b->chip);
  b->chip = NULL;
  for (size_t i = 0; i < b->num_copies; i++) free(b->copies[i].bytes);
  free(b->copies);
  b->copies = NULL;
  b->num_copies = b->room = 0;
}
