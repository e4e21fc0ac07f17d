// SPDX-License-Identifier: Apache-2.0
#include "net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../base/layouts.h"
#include "../../base/status.h"

enum { PACKETS = 1 << 20, QUIET = 8192 };

// The hosts' clocks go on to a cycle.
static void tick_until(struct five_net *n, uint64_t cycle) {
  for (; n->ticked + FIVE_TICK <= cycle; n->ticked += FIVE_TICK)
    for (unsigned f = 0; f < FIVE_FLOWS; f++)
      if (n->flow[f].tick) n->flow[f].tick(n, &n->flow[f], n->ticked + FIVE_TICK + FIVE_HOST);
}

static enum sluice_status now(void *user, uint32_t *cycle, struct sluice_error *error) {
  return reaction_meter_now(&((struct five_net *)user)->meter, cycle, error);
}

static enum sluice_status feed(void *user, uint64_t cycles, struct sluice_error *error) {
  struct five_net *n = user;
  (void)error;
  for (unsigned f = 0; f < FIVE_FLOWS; f++)
    while (n->flow[f].feed && n->flow[f].next < n->end &&
           n->flow[f].next < n->now + cycles + FIVE_AHEAD)
      n->flow[f].feed(n, &n->flow[f]);
  return SLUICE_OK;
}

static enum sluice_status left(void *user, struct sluice_packet_out *p,
                               struct sluice_error *error) {
  struct five_net *n = user;
  if (!p->times.number || p->times.number > n->num)
    return sluice_fail(error, SLUICE_ERR_IO, "packet %u has left, and %u were sent",
                       p->times.number, n->num);
  struct five_packet *of = &n->packets[p->times.number];
  if (!of->copies++) {
    of->arrival = p->times.arrival;
    of->first = p->times.first;
    of->last = p->times.last;
  }
  struct five_flow *f = &n->flow[of->vid];
  tick_until(n, p->times.last);
  if (f->receive) f->receive(n, f, p, p->times.last + (uint64_t)FIVE_HOST);
  return SLUICE_OK;
}

static enum sluice_status let(void *user, uint64_t cycles, struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  for (uint64_t here; cycles && !status; cycles -= here) {
    here = cycles < FIVE_TURN ? cycles : FIVE_TURN;
    status = five_net_turn(user, here, error);
  }
  return status;
}

enum sluice_status five_net_open(struct five_net **out, const char *sim, const char *chip,
                                 const char *bus, struct sluice_error *error) {
  char socket[100];
  struct five_net *n = calloc(1, sizeof *n);
  if (!n) return sluice_no_memory(error);
  n->simulator.output = -1;
  n->room = PACKETS;
  n->packets = calloc(n->room, sizeof *n->packets);
  snprintf(socket, sizeof socket, "/tmp/sluice-five-%ld", (long)getpid());
  enum sluice_status status =
      n->packets ? live_simulator_open(&n->simulator, &n->to, sim, chip, socket, error)
                 : sluice_no_memory(error);
  if (!status) {
    reaction_meter_init(&n->meter, &n->to);
    n->meter.let = let;
    n->meter.user = n;
    status = reaction_bus_parse(&n->meter.bus, bus, error);
  }
  if (!status) status = sluice_chip_open(&n->chip, &n->meter.to, NULL, error);
  if (status) {
    five_net_close(n, NULL, 0);
    return status;
  }
  n->session = (struct session){.to = &n->to,
                                .config = sluice_config_find(chip),
                                .timed = true,
                                .hooks = {.now = now, .feed = feed, .left = left},
                                .user = n};
  sluice_chip_together(n->chip, true);
  *out = n;
  return SLUICE_OK;
}

static void fail(struct five_net *n, enum sluice_status status) {
  if (!n->status) n->status = status;
}

void five_net_send(struct five_net *n, unsigned vid, unsigned port, uint64_t at,
                   const uint8_t *bytes, size_t len, uint16_t note) {
  if (at >= n->end || n->status) return;
  if (n->num + 1 >= n->room) {
    struct five_packet *more = realloc(n->packets, 2 * n->room * sizeof *more);
    if (!more) {
      fail(n, sluice_no_memory(&n->failed));
      return;
    }
    memset(more + n->room, 0, n->room * sizeof *more);
    n->packets = more;
    n->room *= 2;
  }
  n->late += at < n->now;
  n->packets[++n->num] =
      (struct five_packet){.due = (uint32_t)at, .vid = (uint8_t)vid, .note = note};
  fail(n, session_put_at(&n->session, port, (uint32_t)at, bytes, len, &n->failed));
}

enum sluice_status five_net_begin(struct five_net *n, struct sluice_error *error) {
  const enum sluice_status status = session_open(&n->session, error);
  n->now = n->ticked = n->session.cycle;
  n->end = UINT64_MAX;
  return status;
}

enum sluice_status five_net_turn(struct five_net *n, uint64_t cycles, struct sluice_error *error) {
  SLUICE_TRY(session_pass(&n->session, cycles, error));
  n->now = n->session.cycle;
  tick_until(n, n->now);
  return n->status ? sluice_fail(error, n->status, "%s", n->failed.text) : SLUICE_OK;
}

enum sluice_status five_net_drain(struct five_net *n, struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  for (unsigned passed = 0; passed < QUIET && !status; passed += FIVE_TURN)
    status = five_net_turn(n, FIVE_TURN, error);
  return status;
}

enum sluice_status five_net_register(struct five_net *n, const char *name, uint32_t value,
                                     struct sluice_error *error) {
  uint32_t addr;
  const enum sluice_status status = sluice_chip_register(n->chip, "CHIP", 0, name, 0, &addr, error);
  return status ? status : sluice_chip_write(n->chip, addr, value, error);
}

enum live_verdict five_net_close(struct five_net *n, char *said, size_t room) {
  if (!n) return LIVE_DIED;
  sluice_chip_close(n->chip);
  sluice_transport_close(&n->to);
  const enum live_verdict verdict = live_simulator_end(&n->simulator);
  if (said) snprintf(said, room, "%s", n->simulator.said);
  free(n->packets);
  free(n);
  return verdict;
}
