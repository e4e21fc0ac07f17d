// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <math.h>
#include <sluice/event.h>
#include <stdlib.h>
#include <string.h>

#include "../base/now.h"
#include "../base/status.h"

enum {
  QUIET = 4,  // turns without a packet inside, until all have left
  MOST_TURNS = 200000 / SESSION_TURN,
};

// A packet that has not been handed to the chip yet.
struct session_kept {
  struct session_kept *next;
  size_t len;
  uint64_t time_ns;
  unsigned port;
  uint8_t bytes[];
};

// Whether each packet has a cycle of its own.
static bool is_paced(const struct session *s) {
  return s->timed && (s->load < 1 || s->ns_per_cycle > 0);
}

enum sluice_status session_open(struct session *s, struct sluice_error *error) {
  s->deal = (struct sluice_deal){.config = s->config, .hash = s->by_flow};
  return s->timed ? s->hooks.now(s->user, &s->cycle, error) : SLUICE_OK;
}

enum sluice_status session_begin(struct session *s, struct sluice_error *error) {
  s->start = sluice_now();
  if (is_paced(s)) {
    sluice_rng_init(&s->gaps, s->seed, "gaps");
    SLUICE_TRY(s->hooks.now(s->user, &s->cycle, error));
  }
  if (!s->out) return SLUICE_OK;
  s->comments = s->hooks.comment && sluice_capture_is_pcapng(s->out);
  return sluice_capture_is_pcapng(s->out)
             ? sluice_capture_create_ports(&s->writer, s->out, s->config->NumPorts, error)
             : sluice_capture_create(&s->writer, s->out, error);
}

static enum sluice_status receive(struct session *s, struct sluice_error *error) {
  return s->chip ? sluice_chip_packet(s->chip, &s->packet, error)
                 : s->to->ops->packet_receive(s->to->self, &s->packet, error);
}

// The copy at hand leaves, and those behind it.
static enum sluice_status leave(struct session *s, uint64_t time, struct sluice_error *error) {
  for (struct sluice_packet_out *p = &s->packet; p->len;) {
    s->copies++;
    s->copy_bytes += p->len;
    if (s->writer) {
      char comment[SESSION_COMMENT] = "";
      if (s->comments) s->hooks.comment(s->user, comment, sizeof comment);
      sluice_capture_write_at(s->writer, p->bytes, p->len, time, p->port, comment);
    }
    if (s->hooks.left) SLUICE_TRY(s->hooks.left(s->user, p, error));
    SLUICE_TRY(receive(s, error));
  }
  return SLUICE_OK;
}

enum sluice_status session_collect(struct session *s, struct sluice_error *error) {
  SLUICE_TRY(receive(s, error));
  return leave(s, s->cycles, error);
}

// Cycles from the first packet on, as time stamps say; those that fall are as the one before.
static double due_of(struct session *s, uint64_t time_ns) {
  if (!(s->ns_per_cycle > 0)) return 0;
  if (s->packets == 0) s->first_ns = s->last_ns = time_ns;
  if (time_ns > s->last_ns) s->last_ns = time_ns;
  return ceil((double)(s->last_ns - s->first_ns) / s->ns_per_cycle);
}

enum sluice_status session_put_at(struct session *s, unsigned port, uint32_t cycle,
                                  const uint8_t *bytes, size_t len, struct sluice_error *error) {
  s->packets++;
  s->bytes += len;
  return s->to->ops->packet_send_at(s->to->self, port, cycle, bytes, len, error);
}

void session_note(struct session *s, unsigned port, size_t len) {
  s->packets++;
  s->bytes += len;
  s->backlog[sluice_port_wire(s->config, port)] += sluice_config_beats(s->config, len);
}

enum sluice_status session_put(struct session *s, unsigned port, const uint8_t *bytes, size_t len,
                               struct sluice_error *error) {
  session_note(s, port, len);
  return s->to->ops->packet_send(s->to->self, port, bytes, len, error);
}

static enum sluice_status hand_over_at(struct session *s, unsigned port, const uint8_t *bytes,
                                       size_t len, uint64_t time_ns, struct sluice_error *error) {
  const size_t beats = sluice_config_beats(s->config, len);
  const double stamp = due_of(s, time_ns);
  double *due = &s->due[sluice_port_wire(s->config, port)];
  if (stamp > *due) *due = stamp;
  if (*due < (double)s->cycles) *due = (double)s->cycles;  // it is late, and none makes up for it
  const uint32_t at = s->cycle - (uint32_t)s->cycles + (uint32_t)(uint64_t)*due;
  *due += (double)(beats + sluice_deal_gap(&s->gaps, s->load, beats)) /
          sluice_wire_lanes(s->config);
  return session_put_at(s, port, at, bytes, len, error);
}

static enum sluice_status hand_over(struct session *s, unsigned port, const uint8_t *bytes,
                                    size_t len, uint64_t time_ns, struct sluice_error *error) {
  return is_paced(s) ? hand_over_at(s, port, bytes, len, time_ns, error)
                     : session_put(s, port, bytes, len, error);
}

// ---- a chip with time ---------------------------------------------------------------------------

// Cycles until a wire has begun all that was handed to the chip for it.
static double waits(const struct session *s, unsigned wire) {
  const double left = s->due[wire] - (double)s->cycles;
  return !is_paced(s) ? (double)s->backlog[wire] : left > 0 ? left : 0;
}

uint64_t session_waits(const struct session *s, unsigned port) {
  return s->backlog[sluice_port_wire(s->config, port)];
}

uint64_t session_waits_all(const struct session *s) {
  uint64_t beats = 0;
  for (unsigned w = 0; w < sluice_num_wires(s->config); w++) beats += s->backlog[w];
  return beats;
}

static bool has_room(const struct session *s, unsigned port) {
  return waits(s, sluice_port_wire(s->config, port)) < s->ahead;
}

// Kept packets, in their order, as far as there is room.
static enum sluice_status feed(struct session *s, struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  while (!status && s->first && has_room(s, s->first->port)) {
    struct session_kept *k = s->first;
    status = hand_over(s, k->port, k->bytes, k->len, k->time_ns, error);
    s->first = k->next;
    free(k);
  }
  return status;
}

static enum sluice_status keep(struct session *s, unsigned port, const uint8_t *bytes, size_t len,
                               uint64_t time_ns, struct sluice_error *error) {
  struct session_kept *k = malloc(sizeof *k + len);
  if (!k) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory for packets");
  *k = (struct session_kept){.len = len, .time_ns = time_ns, .port = port};
  memcpy(k->bytes, bytes, len);
  if (s->first) s->last->next = k;
  else s->first = k;
  s->last = k;
  return SLUICE_OK;
}

// Cycles that have passed: of the turn, and, if the chip counts them, of what the driver did. Then
// what has left.
static enum sluice_status catch_up(struct session *s, uint64_t cycles, struct sluice_error *error) {
  uint32_t now = s->cycle + (uint32_t)cycles;
  if (s->hooks.now) SLUICE_TRY(s->hooks.now(s->user, &now, error));
  const uint32_t passed = now - s->cycle;
  s->cycle = now;
  s->cycles += passed;
  const uint64_t beats = (uint64_t)passed * sluice_wire_lanes(s->config);
  for (unsigned w = 0; w < sluice_num_wires(s->config); w++)
    s->backlog[w] -= s->backlog[w] < beats ? s->backlog[w] : beats;
  return session_collect(s, error);
}

enum sluice_status session_pass(struct session *s, uint64_t cycles, struct sluice_error *error) {
  if (s->hooks.feed) SLUICE_TRY(s->hooks.feed(s->user, cycles, error));
  SLUICE_TRY(feed(s, error));
  SLUICE_TRY(s->to->ops->wait(s->to->self, cycles, error));
  return catch_up(s, cycles, error);
}

enum sluice_status session_let(struct session *s, uint64_t cycles, struct sluice_error *error) {
  for (uint64_t left = cycles, here; left; left -= here) {
    here = left < SESSION_TURN ? left : SESSION_TURN;
    SLUICE_TRY(session_pass(s, here, error));
  }
  return SLUICE_OK;
}

static enum sluice_status turn(struct session *s, unsigned cycles, struct sluice_error *error) {
  SLUICE_TRY(feed(s, error));
  if (s->limit > 0 && sluice_now() - s->start > s->limit)
    return sluice_fail(error, SLUICE_ERR_IO, "the simulator was stopped after %.0f s", s->limit);
  SLUICE_TRY(s->to->ops->wait(s->to->self, cycles, error));
  if (s->hooks.step) SLUICE_TRY(s->hooks.step(s->user, error));
  return catch_up(s, cycles, error);
}

static enum sluice_status empty(struct session *s, struct sluice_error *error) {
  unsigned quiet = 0;
  while (s->first) SLUICE_TRY(turn(s, SESSION_TURN, error));
  for (unsigned n = 0; quiet < QUIET && n < MOST_TURNS;) {
    double backlog = 0;
    bool inside;
    SLUICE_TRY(turn(s, SESSION_TURN, error));
    SLUICE_TRY(s->hooks.inside(s->user, &inside, error));
    for (unsigned w = 0; w < sluice_num_wires(s->config); w++) backlog += waits(s, w);
    quiet = inside || backlog > 0 ? 0 : quiet + 1;
    n += !(backlog > 0);
  }
  return SLUICE_OK;
}

// ---- both ---------------------------------------------------------------------------------------

enum sluice_status session_take(struct session *s, const uint8_t *bytes, size_t len,
                                uint64_t time_ns, int port, struct sluice_error *error) {
  const unsigned to = sluice_deal_port(&s->deal, port, bytes, len);
  if (s->timed) {
    if (s->keeps) return keep(s, to, bytes, len, time_ns, error);
    while (!has_room(s, to)) SLUICE_TRY(turn(s, s->turn, error));
    return hand_over(s, to, bytes, len, time_ns, error);
  }
  SLUICE_TRY(hand_over(s, to, bytes, len, time_ns, error));
  SLUICE_TRY(receive(s, error));
  if (s->hooks.fate) SLUICE_TRY(s->hooks.fate(s->user, bytes, len, &s->packet, error));
  SLUICE_TRY(leave(s, time_ns, error));
  return s->hooks.step ? s->hooks.step(s->user, error) : SLUICE_OK;
}

enum sluice_status session_end(struct session *s, struct sluice_error *error) {
  if (s->timed && s->start > 0) SLUICE_TRY(empty(s, error));
  const enum sluice_status status = sluice_capture_finish(s->writer, error);
  s->writer = NULL;
  s->seconds = sluice_now() - s->start;
  return status;
}

void session_release(struct session *s) {
  for (struct session_kept *k = s->first, *next; k; k = next) {
    next = k->next;
    free(k);
  }
  s->first = NULL;
}
