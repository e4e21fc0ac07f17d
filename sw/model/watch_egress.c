// SPDX-License-Identifier: Apache-2.0
// Monitor of the egress (docs/egress.md): the numbers of each copy from the events of its queue,
// the egress function in the order in which copies leave the queues of an output lane, what became
// of them. The hardware's word is taken for that order as far as it is free, and for the cycles.
#include <stdlib.h>
#include <string.h>

#include "monitor.h"

// ---- how much went in and out of a port's queues ------------------------------------------------

static void step(struct monitor_steps *s, uint64_t cycle) {
  if (!s->num || s->cycle[0] != cycle) {
    memmove(&s->cycle[1], &s->cycle[0], sizeof s->cycle - sizeof s->cycle[0]);
    memmove(&s->total[1], &s->total[0], sizeof s->total - sizeof s->total[0]);
    s->cycle[0] = cycle;
    if (s->num < MONITOR_STEPS) s->num++;
  }
  s->total[0]++;
}

// Those before cycle `cycle`, which is at most two cycles ago: a step is one cycle.
static uint64_t steps_before(const struct monitor_steps *s, uint64_t cycle) {
  for (unsigned i = 0; i < s->num; i++)
    if (s->cycle[i] < cycle) return s->total[i];
  return 0;
}

// ---- lists --------------------------------------------------------------------------------------

static void append(struct monitor_copies *list, struct monitor_copy *copy) {
  copy->next = NULL;
  if (list->head) list->tail->next = copy;
  else list->head = copy;
  list->tail = copy;
}

static void take_out(struct monitor_copies *list, struct monitor_copy *copy) {
  struct monitor_copy *before = NULL;
  for (struct monitor_copy *c = list->head; c != copy; c = c->next) before = c;
  if (before) before->next = copy->next;
  else list->head = copy->next;
  if (list->tail == copy) list->tail = before;
}

static struct monitor_copy *find(const struct monitor_copies *list, const struct monitor_packet *p,
                                 unsigned port) {
  for (struct monitor_copy *c = list->head; c; c = c->next)
    if (c->packet == p && c->port == port) return c;
  return NULL;
}

static struct monitor_text name_of(const struct monitor_copy *copy) {
  return copy ? monitor_text("ticket %llu, port %u", (unsigned long long)copy->packet->ticket,
                             copy->port)
              : monitor_text("none");
}

// ---- into the queue -----------------------------------------------------------------------------

void monitor_egress_accepts(struct sluice_checker *ck, struct monitor_packet *packet,
                            uint64_t accepted) {
  if (!ck->ports) return;
  unsigned number = 0;
  for (unsigned port = 0; port < ck->config->NumPorts; port++) {
    if (!(accepted >> port & 1)) continue;
    struct monitor_port *at = &ck->ports[port];
    struct monitor_copy *copy = calloc(1, sizeof *copy);
    if (!copy) {
      monitor_differ(ck, packet, monitor_text("memory"), monitor_text("enough"),
                     monitor_text("none left"));
      return;
    }
    *copy = (struct monitor_copy){
        .packet = packet,
        .port = port,
        .number = number++,
        .accepted = ck->now,
        .depth_in = (unsigned)(steps_before(&at->in, ck->now) -
                               (ck->now ? steps_before(&at->out, ck->now - 1) : 0))};
    step(&at->in, ck->now);
    append(&at->waiting, copy);
    packet->at_egress++;
  }
  packet->again_too = accepted >> ck->config->NumPorts & 1;
}

// ---- out of the queue ---------------------------------------------------------------------------

// The copy that leaves, which must be the oldest of those of its source lane and class for the
// port.
static struct monitor_copy *leaving(struct sluice_checker *ck, unsigned lane, uint32_t ticket,
                                    unsigned port) {
  struct monitor_packet *p = monitor_inside(ck, monitor_ticket(ck, ticket, UINT32_MAX));
  const bool legal = port < ck->config->NumPorts && sluice_port_lane(ck->config, port) == lane;
  struct monitor_copy *copy = p && legal ? find(&ck->ports[port].waiting, p, port) : NULL;
  if (!copy) {
    monitor_differ(ck, p, monitor_text("copy that leaves the queues of output lane %u", lane),
                   monitor_text("one that waits there"),
                   monitor_text("ticket %u, port %u", (unsigned)ticket, port));
    return NULL;
  }
  for (const struct monitor_copy *c = ck->ports[port].waiting.head; c != copy; c = c->next)
    if (c->packet->lane == p->lane && c->packet->queue_class == p->queue_class &&
        p->queue_class >= 0) {
      monitor_differ(ck, p,
                     monitor_text("order of the copies from lane %u to port %u", p->lane, port),
                     monitor_text("ticket %llu first", (unsigned long long)c->packet->ticket),
                     monitor_text("ticket %llu", (unsigned long long)p->ticket));
      break;
    }
  return copy;
}

static void count_ops(struct sluice_checker *ck, const struct sluice_model_egressed *result) {
  for (unsigned s = 0; s < ck->config->EgressStages; s++) {
    ck->report.egress_ops += result->access[s].executed;
    ck->report.egress_refused += result->access[s].refused;
  }
}

static void run(struct sluice_checker *ck, struct monitor_copy *copy, unsigned lane,
                unsigned depth_out) {
  const struct monitor_packet *p = copy->packet;
  uint8_t bytes[SLUICE_MODEL_MAX_LEN];
  const struct sluice_model_packet left = {.bytes = p->bytes, .len = p->len};
  const unsigned len = p->len, head = len < SLUICE_MODEL_HEADER ? len : SLUICE_MODEL_HEADER;
  sluice_model_queued(&left, p->result.header, bytes);
  const struct sluice_model_copy c = {.bytes = bytes,
                                      .len = len,
                                      .vid = (p->bytes[14] & 15u) << 8 | p->bytes[15],
                                      .bank = p->bank,
                                      .lane = lane,
                                      .port = copy->port,
                                      .number = copy->number,
                                      .depth_in = copy->depth_in,
                                      .depth_out = depth_out,
                                      .cycle = (uint32_t)ck->now,
                                      .delay = (uint32_t)(ck->now - copy->accepted)};
  if (p->story) {
    ck->watch.copy(p->story, &c);
    sluice_model_watch(ck->model, ck->watch.step, p->story);
  }
  reference_egress(ck, &c, &copy->result);
  sluice_model_watch(ck->model, NULL, NULL);
  struct sluice_report *r = &ck->report;
  r->egress_copies++;
  r->egress_changed += !copy->result.dropped && memcmp(copy->result.header, bytes, head) != 0;
  if (copy->depth_in > r->egress_depth_in) r->egress_depth_in = copy->depth_in;
  if (depth_out > r->egress_depth_out) r->egress_depth_out = depth_out;
  if (c.delay > r->egress_delay) r->egress_delay = c.delay;
  count_ops(ck, &copy->result);
}

void sluice_checker_copy(struct sluice_checker *ck, uint64_t cycle, unsigned lane, uint32_t ticket,
                         unsigned port) {
  MONITOR_EVENT(ck, COPY, cycle, lane, ticket, port);
  struct monitor_egress *e = &ck->lane[lane].egress;
  ck->now = cycle;
  struct monitor_copy *copy = leaving(ck, lane, ticket, port);
  if (e->open)
    monitor_differ(ck, e->open->packet,
                   monitor_text("copy that leaves the queues of output lane %u", lane),
                   monitor_text("its last beat"), monitor_text("ticket %u", (unsigned)ticket));
  e->open = copy;
  if (!copy) return;
  struct monitor_port *at = &ck->ports[port];
  // All copies of the port up to now, this one included.
  const uint64_t depth = steps_before(&at->in, cycle + 1) - steps_before(&at->out, cycle);
  take_out(&at->waiting, copy);
  append(&e->copies, copy);
  run(ck, copy, lane, (unsigned)(depth - 1));
}

// ---- what becomes of it -------------------------------------------------------------------------

static void count_dropped(struct sluice_checker *ck, const struct monitor_copy *copy) {
  const unsigned row = copy->packet->bytes[15] % reference_filter(ck)->modules;
  ck->report.drops[SLUICE_DROP_EGRESS]++;
  ck->report.drops_module[row][SLUICE_DROP_EGRESS]++;
  ck->report.egress_port[copy->port]++;
}

// No copy of the packet is left, and none was sent: it counted as delivered, and was not.
static void discarded(struct sluice_checker *ck, const struct monitor_packet *p) {
  const unsigned row = p->bytes[15] % reference_filter(ck)->modules;
  ck->report.delivered--;
  ck->report.delivered_module[row]--;
  ck->report.discarded_egress++;
  ck->report.discarded_egress_module[row]++;
  const struct sluice_checker_dropped d = {.cycle = ck->now,
                                           .arrival = p->arrival,
                                           .number = p->number,
                                           .lane = p->lane,
                                           .reason = SLUICE_DROP_EGRESS,
                                           .len = p->len,
                                           .row = (int)row};
  if (ck->hooks.dropped) ck->hooks.dropped(ck->hooks.user, &d);
  if (p->story) ck->watch.dropped(p->story, &d);
}

// A copy of which the last beat out of its queue was seen, and what became of it, is gone when it
// is dropped, or was sent.
static void settle(struct sluice_checker *ck, unsigned lane, struct monitor_copy *copy) {
  struct monitor_egress *e = &ck->lane[lane].egress;
  struct monitor_packet *p = copy->packet;
  if (e->open == copy || !copy->known || !(copy->dropped || copy->sent)) return;
  p->to_send &= ~(UINT64_C(1) << copy->port);
  p->sent |= copy->sent;
  if (!p->to_send && !p->sent && !p->again_too) discarded(ck, p);
  take_out(&e->copies, copy);
  free(copy);
  monitor_release_if_done(ck, p);
}

void sluice_checker_copy_last(struct sluice_checker *ck, uint64_t cycle, unsigned lane) {
  MONITOR_EVENT(ck, COPY_LAST, cycle, lane);
  struct monitor_egress *e = &ck->lane[lane].egress;
  struct monitor_copy *copy = e->open;
  ck->now = cycle;
  if (!copy) {
    monitor_differ(ck, NULL, monitor_text("last beat out of the queues of output lane %u", lane),
                   monitor_text("none: no copy has begun"), monitor_text("one"));
    return;
  }
  step(&ck->ports[copy->port].out, cycle);
  e->open = NULL;
  settle(ck, lane, copy);
}

static struct monitor_text fate_name(bool dropped) {
  return monitor_text(dropped ? "discarded" : "sent");
}

void sluice_checker_copy_fate(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                              uint32_t ticket, unsigned port, bool dropped) {
  MONITOR_EVENT(ck, COPY_FATE, cycle, lane, ticket, port, dropped);
  struct monitor_copy *copy = ck->lane[lane].egress.copies.head;
  ck->now = cycle;
  while (copy && copy->known) copy = copy->next;
  if (!copy || copy->port != port || (uint32_t)copy->packet->ticket != ticket) {
    monitor_differ(ck, copy ? copy->packet : NULL,
                   monitor_text("next copy at the end of the egress stages of lane %u", lane),
                   name_of(copy), monitor_text("ticket %u, port %u", (unsigned)ticket, port));
    return;
  }
  copy->known = true;
  copy->dropped = dropped;
  // Packets with copies here are inside for the configuration of their bank.
  if (!--copy->packet->at_egress) monitor_bank_leaves(ck, copy->packet, SLUICE_DROP_NONE);
  if (copy->result.dropped != dropped)
    monitor_differ(ck, copy->packet, monitor_text("egress function, copy for port %u", port),
                   fate_name(copy->result.dropped), fate_name(dropped));
  if (dropped) count_dropped(ck, copy);
  if (copy->packet->story) {
    uint8_t bytes[SLUICE_MODEL_MAX_LEN];
    const unsigned len = monitor_leaves(copy->packet, copy->result.header, bytes);
    ck->watch.copy_fate(copy->packet->story, cycle, port, dropped, bytes,
                        len < SLUICE_MODEL_HEADER ? len : SLUICE_MODEL_HEADER);
  }
  settle(ck, lane, copy);
}

const uint8_t *monitor_egress_sends(struct sluice_checker *ck, unsigned lane,
                                    struct monitor_packet *p, unsigned port) {
  struct monitor_copy *copy = ck->lane[lane].egress.copies.head;
  while (copy && (copy->sent || copy->result.dropped || copy->dropped)) copy = copy->next;
  if (!copy || copy->packet != p || copy->port != port) {
    monitor_differ(ck, p, monitor_text("next copy on output lane %u", lane), name_of(copy),
                   monitor_text("ticket %llu, port %u", (unsigned long long)p->ticket, port));
    copy = find(&ck->lane[lane].egress.copies, p, port);
  }
  return copy && !copy->sent ? copy->result.header : NULL;
}

void monitor_egress_sent(struct sluice_checker *ck, unsigned lane, struct monitor_packet *p,
                         unsigned port) {
  struct monitor_copy *copy = find(&ck->lane[lane].egress.copies, p, port);
  if (!copy) return;
  copy->sent = true;
  settle(ck, lane, copy);
}

// ---- state at the end, life ---------------------------------------------------------------------

void sluice_checker_lane_entry(struct sluice_checker *ck, unsigned row, unsigned stage,
                               unsigned lane, unsigned index, uint32_t s1, uint32_t s2) {
  MONITOR_EVENT(ck, LANE_ENTRY, row, stage, lane, index, s1, s2);
  uint32_t expected[2] = {0, 0};
  const uint32_t got[2] = {s1, s2};
  if (!reference_lane_state(ck, row, stage, lane, index, &expected[0], &expected[1])) {
    monitor_differ(ck, NULL, monitor_text("state of egress stage %u index %u", stage, index),
                   monitor_text("none in the segment of row %u", row), monitor_text("an entry"));
    return;
  }
  ck->report.state_entries++;
  ck->report.egress_entries++;
  for (unsigned w = 0; w < 2; w++)
    if (expected[w] != got[w])
      monitor_differ(ck, NULL,
                     monitor_text("state of egress stage %u lane %u index %u word %u", stage, lane,
                                  index, w + 1),
                     monitor_text("0x%08x (row %u)", (unsigned)expected[w], row),
                     monitor_text("0x%08x", (unsigned)got[w]));
}

bool monitor_egress_open(struct sluice_checker *ck) {
  if (!ck->config->EgressStages) return true;
  ck->ports = calloc(ck->config->NumPorts, sizeof *ck->ports);
  return ck->ports != NULL;
}

static void drop_all(struct monitor_copies *list) {
  while (list->head) {
    struct monitor_copy *copy = list->head;
    list->head = copy->next;
    free(copy);
  }
}

void monitor_egress_close(struct sluice_checker *ck) {
  for (unsigned l = 0; l < MONITOR_LANES; l++) drop_all(&ck->lane[l].egress.copies);
  for (unsigned p = 0; ck->ports && p < ck->config->NumPorts; p++) drop_all(&ck->ports[p].waiting);
  free(ck->ports);
}

bool sluice_checker_row_still(const struct sluice_checker *ck, unsigned row, uint64_t *seen) {
  const unsigned modules = reference_filter(ck)->modules;
  *seen = ck->arrived_row[row % modules];
  if (monitor_wires_row(ck, row)) return false;
  for (unsigned l = 0; l < ck->config->NumPipes; l++) {
    const struct monitor_lane *lane = &ck->lane[l];
    const struct monitor_packet *first[] = {lane->judged.head, lane->waiting.head,
                                            lane->again.packets.head};
    for (unsigned i = 0; i < 3; i++)
      for (const struct monitor_packet *p = first[i]; p; p = p->next)
        if (p->bytes[15] % modules == row) return false;
  }
  for (uint64_t t = ck->oldest; t < ck->next_ticket; t++) {
    const struct monitor_packet *p = monitor_inside(ck, t);
    if (p && p->bytes[15] % modules == row) return false;
  }
  return true;
}
