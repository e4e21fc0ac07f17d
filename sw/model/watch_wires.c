// SPDX-License-Identifier: Apache-2.0
// Monitor of fast ports (docs/machine.md): packets of a wire that go through several lanes, the
// order in which they arrive, and that of the copies which leave.
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "monitor.h"

static struct monitor_wire *wire_of(struct sluice_checker *ck, unsigned lane) {
  return &ck->wire[lane / ck->config->FastLanes];
}

static unsigned number_of(const struct sluice_checker *ck, const struct monitor_wire *w) {
  return (unsigned)(w - ck->wire);
}

void monitor_wire_begins(struct sluice_checker *ck, unsigned stream) {
  struct monitor_wire *w = wire_of(ck, stream);
  struct monitor_coming *c = calloc(1, sizeof *c);
  if (!c) {
    monitor_differ(ck, NULL, monitor_text("memory"), monitor_text("enough"),
                   monitor_text("none left"));
    return;
  }
  c->stream = stream;
  if (w->head) w->tail->next = c;
  else w->head = c;
  w->tail = c;
  if (!w->arriving) w->arriving = c;
}

void monitor_wire_ends(struct sluice_checker *ck, unsigned stream, struct monitor_packet *packet,
                       uint64_t first_cycle) {
  struct monitor_coming *c = wire_of(ck, stream)->tail;
  if (!c || c->packet) {  // out of memory when it began
    free(packet);
    return;
  }
  c->packet = packet;
  c->who = packet->number;
  c->first_cycle = first_cycle;
  packet->coming = c;
}

void sluice_checker_dealt(struct sluice_checker *ck, uint64_t cycle, unsigned stream,
                          unsigned lane) {
  MONITOR_EVENT(ck, DEALT, cycle, stream, lane);
  struct monitor_wire *w = wire_of(ck, stream);
  struct monitor_coming *c = w->arriving;
  const unsigned first = number_of(ck, w) * ck->config->FastLanes,
                 last = first + ck->config->FastLanes - 1;
  ck->now = cycle;
  while (c && c->dealt) c = c->next;
  const struct monitor_packet *p = c ? c->packet : NULL;
  const struct monitor_text field = monitor_text("dealing of port %u", number_of(ck, w));
  if (!c || c->stream != stream)
    monitor_differ(ck, p, field,
                   c ? monitor_text("the packet that began on stream %u", c->stream)
                     : monitor_text("no packet: all are dealt"),
                   monitor_text("one that began on stream %u", stream));
  if (lane < first || lane > last)
    monitor_differ(ck, p, field, monitor_text("one of the lanes %u to %u", first, last),
                   monitor_text("lane %u", lane));
  if (!c) return;
  c->dealt = true;
  c->lane = lane;
}

// A lane takes a beat a cycle, and each beat not before it came. Of a packet that is too long it
// may get no more than shows that.
enum { MOST_BEATS = SLUICE_MODEL_MAX_LEN / 64 + 1 };
static void compare_entry(struct sluice_checker *ck, const struct monitor_packet *p) {
  const struct monitor_lane *l = &ck->lane[p->lane];
  const unsigned beats = p->beats < MOST_BEATS ? p->beats : MOST_BEATS;
  uint64_t least = p->came;
  if (l->any_entered && l->last_entered + beats > least) least = l->last_entered + beats;
  if (p->arrival < least)
    monitor_differ(ck, p, monitor_text("last beat into lane %u", p->lane),
                   monitor_text("in cycle %llu or later", (unsigned long long)least),
                   monitor_text("in cycle %llu", (unsigned long long)p->arrival));
  if (p->arrival > p->came + MONITOR_FRONT)
    monitor_differ(ck, p, monitor_text("wait in front of lane %u", p->lane),
                   monitor_text("at most %d cycles", MONITOR_FRONT),
                   monitor_text("%llu", (unsigned long long)(p->arrival - p->came)));
}

struct monitor_packet *monitor_wire_judged(struct sluice_checker *ck, unsigned lane,
                                           unsigned reason) {
  struct monitor_wire *w = wire_of(ck, lane);
  struct monitor_coming *c = w->arriving;
  while (c && (!c->dealt || c->judged || c->lane != lane)) c = c->next;
  if (!c || !c->packet) return NULL;
  struct monitor_packet *p = c->packet;
  p->lane = lane;
  p->arrival = ck->now > SLUICE_CHECKER_VERDICT ? ck->now - SLUICE_CHECKER_VERDICT : 0;
  compare_entry(ck, p);
  ck->lane[lane].any_entered = true;
  ck->lane[lane].last_entered = p->arrival;
  c->judged = true;
  monitor_watch(ck, p, c->first_cycle);
  if (reason != SLUICE_DROP_NONE) {
    c->gone = true;
    c->packet = NULL;
    p->coming = NULL;
  }
  return p;
}

void monitor_wire_disposed(struct sluice_checker *ck, struct monitor_packet *packet) {
  struct monitor_coming *c = packet->coming;
  if (!c) return;
  c->gone = true;
  c->packet = NULL;
  c->number = packet->number;
  packet->coming = NULL;
  wire_of(ck, packet->lane)->disposed = true;
}

// As many packets of a port arrive in a cycle as have ended, are the next of the wire, and are in
// the order of their lanes: a mask of lanes has no other. One that was dropped counts with them.
static void arrive(struct sluice_checker *ck, struct monitor_wire *w) {
  int last = -1;
  for (; w->arriving && w->arriving->judged; w->arriving = w->arriving->next) {
    struct monitor_packet *p = w->arriving->packet;
    if ((int)w->arriving->lane <= last) return;
    last = (int)w->arriving->lane;
    if (p) {
      p->placed = true;
      p->place = ck->now;
      p->wait.wire = ck->now - p->arrival - SLUICE_CHECKER_VERDICT;
      p->wait.wire_behind = w->before;
    }
    w->before = w->arriving->who;
  }
}

void monitor_wires_arrive(struct sluice_checker *ck) {
  for (unsigned w = 0; ck->config->FastLanes && w < ck->config->NumPorts; w++)
    arrive(ck, &ck->wire[w]);
}

// Takes out what is gone. What the order point disposed of is the oldest of the wire.
static void forget(struct sluice_checker *ck, struct monitor_wire *w) {
  while (w->head && w->head->gone && w->head != w->arriving) {
    struct monitor_coming *c = w->head;
    w->head = c->next;
    free(c);
  }
  if (!w->disposed) return;
  w->disposed = false;
  if (!w->head || !w->head->packet) return;
  for (const struct monitor_coming *c = w->head->next; c && c != w->arriving; c = c->next)
    if (c->gone && c->number) {
      monitor_differ(ck, w->head->packet,
                     monitor_text("order of port %u at the order point", number_of(ck, w)),
                     monitor_text("before packet %llu", (unsigned long long)c->number),
                     monitor_text("not yet, and that one is gone"));
      return;
    }
}

void monitor_wires_cycle(struct sluice_checker *ck) {
  for (unsigned w = 0; ck->config->FastLanes && w < ck->config->NumPorts; w++)
    forget(ck, &ck->wire[w]);
}

void monitor_wire_leaves(struct sluice_checker *ck, const struct monitor_packet *packet,
                         unsigned stream, unsigned port) {
  struct monitor_wire *w = wire_of(ck, stream);
  if (port != number_of(ck, w))
    monitor_differ(ck, packet, monitor_text("port of output stream %u", stream),
                   monitor_text("%u", number_of(ck, w)), monitor_text("%u", port));
  if (w->any_left && packet->ticket <= w->last_left)
    monitor_differ(ck, packet, monitor_text("order at port %u", port),
                   monitor_text("a ticket above %llu", (unsigned long long)w->last_left),
                   monitor_text("ticket %llu", (unsigned long long)packet->ticket));
  w->any_left = true;
  w->last_left = packet->ticket;
}

bool monitor_wires_row(const struct sluice_checker *ck, unsigned row) {
  for (unsigned w = 0; w < MONITOR_LANES; w++)
    for (const struct monitor_coming *c = ck->wire[w].arriving; c; c = c->next)
      if (c->packet && !c->judged && c->packet->bytes[15] % ck->config->NumModules == row)
        return true;
  return false;
}

bool monitor_wires_idle(const struct sluice_checker *ck) {
  for (unsigned w = 0; w < MONITOR_LANES; w++)
    for (const struct monitor_coming *c = ck->wire[w].head; c; c = c->next)
      if (!c->gone) return false;
  return true;
}

void monitor_wires_finish(struct sluice_checker *ck) {
  for (unsigned w = 0; w < MONITOR_LANES; w++)
    for (const struct monitor_coming *c = ck->wire[w].arriving; c; c = c->next)
      if (!c->judged)
        monitor_differ(ck, c->packet, monitor_text("verdict on a packet of port %u", w),
                       c->dealt ? monitor_text("one of lane %u", c->lane) : monitor_text("one"),
                       monitor_text(c->dealt ? "none, it is lost" : "none, it was never dealt"));
}

void monitor_wires_close(struct sluice_checker *ck) {
  for (unsigned w = 0; w < MONITOR_LANES; w++)
    while (ck->wire[w].head) {
      struct monitor_coming *c = ck->wire[w].head;
      ck->wire[w].head = c->next;
      if (!c->judged) free(c->packet);
      free(c);
    }
}
