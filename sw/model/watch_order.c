// SPDX-License-Identifier: Apache-2.0
// Monitor of the order point and of the state units: one order, and C1 as it happens.
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "monitor.h"

struct monitor_packet *monitor_inside(const struct sluice_checker *ck, uint64_t ticket) {
  if (ticket < ck->oldest || ticket >= ck->next_ticket) return NULL;
  return ck->inside[ticket & (ck->capacity - 1)];
}

void monitor_release(struct sluice_checker *ck, struct monitor_packet *packet) {
  ck->inside[packet->ticket & (ck->capacity - 1)] = NULL;
  free(packet);
  while (ck->oldest < ck->next_ticket && !ck->inside[ck->oldest & (ck->capacity - 1)]) ck->oldest++;
}

uint64_t monitor_ticket(const struct sluice_checker *ck, uint64_t low, uint64_t mask) {
  const uint64_t back = ((ck->next_ticket - 1 - low) & mask) + 1;
  return back <= ck->next_ticket ? ck->next_ticket - back : UINT64_MAX;
}

// Gives the packet the next ticket. False when out of memory.
static bool enter(struct sluice_checker *ck, struct monitor_packet *packet) {
  if (ck->next_ticket - ck->oldest == ck->capacity) {
    const uint64_t larger = ck->capacity * 2;
    struct monitor_packet **inside = calloc(larger, sizeof(struct monitor_packet *));
    if (!inside) return false;
    for (uint64_t t = ck->oldest; t < ck->next_ticket; t++)
      inside[t & (larger - 1)] = ck->inside[t & (ck->capacity - 1)];
    free(ck->inside);
    ck->inside = inside;
    ck->capacity = larger;
  }
  if (ck->oldest == ck->next_ticket && !packet) ck->oldest++;
  ck->inside[ck->next_ticket & (ck->capacity - 1)] = packet;
  ck->next_ticket++;
  return true;
}

static bool older(const struct monitor_packet *a, const struct monitor_packet *b) {
  return a->place != b->place ? a->place < b->place : a->lane < b->lane;
}

static void check_order(struct sluice_checker *ck, const struct monitor_packet *p) {
  if (ck->merge.above_rate) {  // nothing is said of its place, nor of those that follow beside it
    ck->any_admitted = false;
    return;
  }
  if (!p->placed) {
    monitor_differ(ck, p, monitor_text("order of admission"),
                   monitor_text("not yet: it waits for others to arrive before it"),
                   monitor_text("lane %u", p->lane));
    return;
  }
  if (ck->any_admitted &&
      (p->place < ck->last_place || (p->place == ck->last_place && p->lane <= ck->last_lane)))
    monitor_differ(ck, p, monitor_text("order of admission"),
                   monitor_text("a packet behind arrival %llu lane %u",
                                (unsigned long long)ck->last_place, ck->last_lane),
                   monitor_text("arrival %llu lane %u", (unsigned long long)p->place, p->lane));
  for (unsigned l = 0; l < ck->config->NumPipes; l++) {
    const struct monitor_packet *head = ck->lane[l].waiting.head;
    if (head && head->placed && !head->unsure && older(head, p))
      monitor_differ(
          ck, p, monitor_text("order of admission"),
          monitor_text("packet %llu (arrival %llu lane %u) first", (unsigned long long)head->number,
                       (unsigned long long)head->place, head->lane),
          monitor_text("arrival %llu lane %u", (unsigned long long)p->place, p->lane));
  }
  ck->any_admitted = true;
  ck->last_place = p->place;
  ck->last_lane = p->lane;
}

struct sluice_model_packet monitor_model_packet(const struct monitor_packet *p) {
  return (struct sluice_model_packet){.bytes = p->bytes,
                                      .len = p->len,
                                      .port = p->port,
                                      .arrival = (uint32_t)p->arrival,
                                      .bank = p->bank,
                                      .again = p->recirculated ? &p->again : NULL,
                                      .lane = p->lane};
}

static bool legal_packet(const struct monitor_packet *p) { return p->fault == SLUICE_DROP_NONE; }

static int row_of(const struct sluice_checker *ck, const struct monitor_packet *p) {
  return (int)(p->bytes[15] % reference_filter(ck)->modules);
}

// The reasons with which the order point may dispose of a packet; DROP_NONE: admit it. Entries
// count here only if the packet passed the front stages and is not admitted behind them.
static uint32_t order_verdicts(const struct sluice_checker *ck, const struct monitor_packet *p,
                               unsigned reason) {
  if (!legal_packet(p)) return 0;
  uint32_t legal = p->verdicts;
  if (!(legal & 1u << SLUICE_DROP_NONE)) return legal;
  const struct sluice_model_packet packet = monitor_model_packet(p);
  struct sluice_model_phv phv;
  reference_mute(ck, reason != SLUICE_DROP_DISCARD_FRONT && reason != SLUICE_DROP_OVERLOAD);
  const unsigned front = reference_front(ck, &packet, &phv);
  reference_mute(ck, false);
  if (front == SLUICE_DROP_NONE) return legal | 1u << SLUICE_DROP_OVERLOAD;
  return (legal & ~(1u << SLUICE_DROP_NONE)) | 1u << SLUICE_DROP_DISCARD_FRONT;
}

static void check_verdict(struct sluice_checker *ck, const struct monitor_packet *p,
                          unsigned reason) {
  const uint32_t legal = order_verdicts(ck, p, reason);
  const bool passed = reason == SLUICE_DROP_NONE || reason == SLUICE_DROP_DISCARD_FRONT ||
                      reason == SLUICE_DROP_OVERLOAD;
  if (legal_packet(p) && (passed || reason == SLUICE_DROP_RATE)) monitor_rate(ck, p, !passed);
  if (!(legal >> reason % SLUICE_MODEL_REASONS & 1))
    monitor_differ(ck, p, monitor_text("drop reason"),
                   legal ? monitor_reasons(legal & ~(1u << SLUICE_DROP_OVERLOAD))
                         : monitor_text("dropped by the lane"),
                   monitor_reasons(1u << reason % SLUICE_MODEL_REASONS));
}

void sluice_checker_ecn(struct sluice_checker *ck, unsigned queue, unsigned lane) {
  MONITOR_EVENT(ck, ECN, queue, lane);
  ck->ecn_queue = queue;
  ck->ecn_lane = lane;
}

void sluice_checker_moves(struct sluice_checker *ck, bool on) {
  MONITOR_EVENT(ck, MOVES, on);
  ck->moves = on && ck->config->Relocations;
}

void sluice_checker_mark(struct sluice_checker *ck, unsigned lane) {
  MONITOR_EVENT(ck, MARK, lane);
  ck->lane[lane].order.mark = true;
}

void monitor_needs(struct sluice_checker *ck, const struct monitor_packet *packet, int change) {
  for (unsigned s = 0; s < ck->config->StateStages; s++) {
    const struct sluice_model_access *a = &packet->result.access[s];
    if (a->resolved) ck->needs[s][a->pipe] += (uint32_t)change;
  }
}

// Whether there was enough load for a mark. `behind`: packets of its lane that still wait.
static void check_mark(struct sluice_checker *ck, const struct monitor_packet *p, unsigned behind) {
  if (ck->ecn_lane && behind + 1 + SLUICE_CHECKER_MARK_SLACK >= ck->ecn_lane) return;
  uint32_t most = 0;
  for (unsigned s = 0; s < ck->config->StateStages; s++) {
    const struct sluice_model_access *a = &p->result.access[s];
    if (!a->resolved) continue;
    uint32_t needs = ck->needs[s][a->pipe];
    for (unsigned d = 0; ck->moves && d < ck->config->NumPipes; d++)
      if (d != a->pipe) needs += ck->needs[s][d];
    if (needs > most) most = needs;
  }
  if (ck->ecn_queue && most >= ck->ecn_queue) return;
  monitor_differ(ck, p, monitor_text("congestion mark"),
                 monitor_text("none: %u wait in the lane, %u need its order queue", behind + 1,
                              (unsigned)most),
                 monitor_text("one, at %u and %u", ck->ecn_lane, ck->ecn_queue));
}

// Counts the mark; `p` has its result.
static void note_mark(struct sluice_checker *ck, const struct monitor_packet *p, unsigned behind) {
  check_mark(ck, p, behind);
  ck->report.marked++;
  ck->report.marked_ce += p->result.congestion;
}

static void admit(struct sluice_checker *ck, struct monitor_packet *p, unsigned tag, bool mark,
                  const struct monitor_shown *shown) {
  check_order(ck, p);
  check_verdict(ck, p, SLUICE_DROP_NONE);
  const unsigned expected = (unsigned)(ck->next_ticket & ck->tag_mask);
  if (tag != expected)
    monitor_differ(ck, p, monitor_text("ticket"), monitor_text("tag %u", expected),
                   monitor_text("tag %u", tag));
  p->ticket = ck->next_ticket;
  p->admission = ck->now;
  ck->report.admitted++;
  // A packet that should never have arrived cannot be run; its ticket stays empty.
  const bool usable = legal_packet(p);
  if (!enter(ck, usable ? p : NULL) || !usable) {
    if (usable)
      monitor_differ(ck, p, monitor_text("memory"), monitor_text("enough"),
                     monitor_text("none left"));
    free(p);
    return;
  }
  ck->report.admitted_module[row_of(ck, p)]++;
  // Up to here it is of the bank with which it came.
  const struct sluice_model_packet packet = monitor_model_packet(p);
  struct sluice_model_phv phv;
  if (p->story) sluice_model_watch(ck->model, ck->watch.step, p->story);
  model_front(ck->model, &packet, &phv);
  if (ck->keys) monitor_keys(ck, p, &packet, shown, &phv);
  phv.mark = mark;
  if (ck->flips.turn) phv.bank = (uint8_t)monitor_flip_bank(ck, p);
  reference_admit(ck, &packet, &phv, &p->result);
  sluice_model_watch(ck->model, NULL, NULL);
  if (mark) note_mark(ck, p, ck->lane[p->lane].num_waiting);
  monitor_needs(ck, p, 1);
  monitor_expect_ops(ck, p);
  for (unsigned s = 0; s < ck->config->StateStages; s++) {
    ck->report.array_ops += p->result.access[s].array;
    ck->report.state_ops += p->result.access[s].executed;
    ck->report.refused_ops += p->result.access[s].refused;
    ck->report.out_of_bounds += p->result.access[s].out_of_bounds;
  }
  const struct sluice_checker_admitted a = {.cycle = ck->now,
                                            .arrival = p->arrival,
                                            .number = p->number,
                                            .ticket = p->ticket,
                                            .lane = p->lane,
                                            .row = (unsigned)row_of(ck, p),
                                            .packet = &packet,
                                            .phv = &phv,
                                            .result = &p->result};
  if (ck->hooks.admitted) ck->hooks.admitted(ck->hooks.user, &a);
  if (p->story) ck->watch.admitted(p->story, &a);
}

void sluice_checker_order(struct sluice_checker *ck, uint64_t cycle, unsigned lane, unsigned reason,
                          unsigned tag) {
  MONITOR_EVENT(ck, ORDER, cycle, lane, reason, tag);
  ck->now = cycle;
  if (ck->lane[lane].order.valid)
    monitor_differ(ck, NULL, monitor_text("order point, lane %u", lane),
                   monitor_text("one packet a cycle"), monitor_text("two"));
  ck->lane[lane].order.valid = true;
  ck->lane[lane].order.reason = reason;
  ck->lane[lane].order.tag = tag;
  ck->lane[lane].order.mark = false;
  ck->lane[lane].order.shown.valid = false;
}

// Parser and front stages of a watched packet that the filter lets pass, and that gets no ticket.
static void show_front(struct sluice_checker *ck, const struct monitor_packet *p) {
  const struct sluice_model_packet packet = monitor_model_packet(p);
  struct sluice_model_phv phv;
  if (!legal_packet(p) || !(p->verdicts & 1u << SLUICE_DROP_NONE)) return;
  sluice_model_watch(ck->model, ck->watch.step, p->story);
  reference_mute(ck, true);
  reference_front(ck, &packet, &phv);
  reference_mute(ck, false);
  sluice_model_watch(ck->model, NULL, NULL);
}

// The filter let it pass, so it counts if it is a capsule.
static void pass_over(struct sluice_checker *ck, const struct monitor_packet *p) {
  const struct sluice_model_packet packet = monitor_model_packet(p);
  struct sluice_model_phv phv;
  if (!legal_packet(p)) return;
  reference_mute(ck, true);
  reference_front(ck, &packet, &phv);
  reference_mute(ck, false);
  reference_pass_over(ck, &packet, &phv);
}

void sluice_checker_held(struct sluice_checker *ck, unsigned lane, unsigned held) {
  MONITOR_EVENT(ck, HELD, lane, held);
  struct monitor_packet *p = ck->lane[lane].waiting.head;
  for (unsigned i = 0; p && i < SLUICE_CHECKER_CAUSES; i++) p->wait.held[i] += held >> i & 1;
}

static void dispose(struct sluice_checker *ck, unsigned lane) {
  struct monitor_lane *l = &ck->lane[lane];
  struct monitor_packet *p = monitor_pop(&l->waiting);
  l->order.valid = false;
  if (p) {
    monitor_wire_disposed(ck, p);
    monitor_merge_disposed(ck, p);
    l->num_waiting--;
    monitor_places_waits(ck, p, -1);
    if (l->waiting.head) l->waiting.head->wait.first_of_lane = ck->now;
    if (p->story) ck->watch.order(p->story, ck->now, &p->wait);
  }
  if (!p) {
    monitor_differ(
        ck, NULL, monitor_text("order point, lane %u", lane), monitor_text("no packet"),
        monitor_text("%s", monitor_reasons(1u << l->order.reason % SLUICE_MODEL_REASONS).s));
    if (l->order.reason == SLUICE_DROP_NONE) enter(ck, NULL);
  } else if (l->order.reason == SLUICE_DROP_NONE) {
    admit(ck, p, l->order.tag, l->order.mark, &l->order.shown);
  } else {
    check_verdict(ck, p, l->order.reason);
    // The lane dropped it, though the filter let it pass.
    const bool above_rate = l->order.reason == SLUICE_DROP_RATE;
    if (p->story && !above_rate) show_front(ck, p);
    if (l->order.reason > SLUICE_DROP_PROTOCOL && !above_rate) pass_over(ck, p);
    monitor_bank_leaves(ck, p, l->order.reason);
    const bool unknown = l->order.reason == SLUICE_DROP_NO_VLAN ||
                         l->order.reason == SLUICE_DROP_UNKNOWN_MODULE;
    monitor_drop(ck, p, l->order.reason, unknown ? -1 : row_of(ck, p));
  }
}

void sluice_checker_cycle(struct sluice_checker *ck, uint64_t cycle) {
  MONITOR_EVENT(ck, CYCLE, cycle);
  ck->now = cycle;
  monitor_wires_arrive(ck);
  monitor_merge_cycle(ck);
  // What is dropped takes no place: first. Then what is admitted, by ticket.
  for (unsigned l = 0; l < ck->config->NumPipes; l++)
    if (ck->lane[l].order.valid && ck->lane[l].order.reason != SLUICE_DROP_NONE) dispose(ck, l);
  for (;;) {
    unsigned best = MONITOR_LANES, distance = 0;
    for (unsigned l = 0; l < ck->config->NumPipes; l++) {
      if (!ck->lane[l].order.valid) continue;
      const unsigned d = (ck->lane[l].order.tag - (unsigned)ck->next_ticket) & ck->tag_mask;
      if (best == MONITOR_LANES || d < distance) best = l, distance = d;
    }
    if (best == MONITOR_LANES) break;
    dispose(ck, best);
  }
  monitor_wires_cycle(ck);
  monitor_again_cycle(ck);
}

struct monitor_slot *monitor_slot_of(const struct sluice_checker *ck, unsigned stage, unsigned pipe,
                                     uint32_t slot) {
  return ck->slots +
         ((size_t)stage * ck->config->NumPipes + pipe) * sluice_config_slots(ck->config) + slot;
}

void monitor_expect_ops(struct sluice_checker *ck, struct monitor_packet *packet) {
  for (unsigned s = 0; s < ck->config->StateStages; s++) {
    const struct sluice_model_access *a = &packet->result.access[s];
    if (!a->executed) continue;
    packet->ops_due |= 1u << s;
    if (a->refused) continue;
    struct monitor_slot *slot = monitor_slot_of(ck, s, a->pipe, a->slot);
    if (slot->first) monitor_inside(ck, slot->last - 1)->next_op[s] = packet->ticket + 1;
    else slot->first = packet->ticket + 1;
    slot->last = packet->ticket + 1;
  }
}

// Takes the operation of a packet at a stage out of the order of its slot.
static void forget_op(struct sluice_checker *ck, struct monitor_packet *packet, unsigned stage) {
  const struct sluice_model_access *a = &packet->result.access[stage];
  packet->ops_due &= ~(1u << stage);
  if (a->refused) return;
  struct monitor_slot *slot = monitor_slot_of(ck, stage, a->pipe, a->slot);
  uint64_t *link = &slot->first, before = 0;
  while (*link && *link != packet->ticket + 1) {
    before = *link;
    link = &monitor_inside(ck, *link - 1)->next_op[stage];
  }
  if (!*link) return;
  *link = packet->next_op[stage];
  if (slot->last == packet->ticket + 1) slot->last = before;
}

static void violation(struct sluice_checker *ck, struct monitor_packet *packet,
                      struct monitor_text field, struct monitor_text expected,
                      struct monitor_text got) {
  ck->report.c1_violations++;
  if (packet && !packet->violates) ck->report.c1_violating_packets++;
  if (packet) packet->violates = true;
  monitor_differ(ck, packet, field, expected, got);
}

void monitor_forget_ops(struct sluice_checker *ck, struct monitor_packet *packet) {
  for (unsigned s = 0; s < ck->config->StateStages; s++) {
    if (!(packet->ops_due >> s & 1)) continue;
    const struct sluice_model_access *a = &packet->result.access[s];
    violation(ck, packet, monitor_text("state operation at stage %u", s),
              a->refused ? monitor_text("one, refused")
                         : monitor_text("one, pipeline %u slot %u", a->pipe, (unsigned)a->slot),
              monitor_text("none"));
    forget_op(ck, packet, s);
  }
}

void sluice_checker_sets(struct sluice_checker *ck, unsigned sets) {
  MONITOR_EVENT(ck, SETS, sets);
  reference_sets(ck, sets);
}

// Whether an operation may be there: at home, or, of an index that was moved, in a spare slot of a
// pipeline of the same set.
static bool place_of(const struct sluice_checker *ck, const struct sluice_model_access *a,
                     unsigned pipe, unsigned slot) {
  const unsigned homes = sluice_config_slots(ck->config);
  const bool spare = slot >= homes && slot - homes < ck->config->Relocations;
  return (a->pipe == pipe && a->slot == slot) ||
         (spare && sluice_model_same_set(ck->model, a->pipe, pipe));
}

void sluice_checker_state(struct sluice_checker *ck, uint64_t cycle, unsigned stage, unsigned pipe,
                          unsigned slot, unsigned tag, bool refused) {
  MONITOR_EVENT(ck, STATE, cycle, stage, pipe, slot, tag, refused);
  ck->now = cycle;
  struct monitor_packet *p = monitor_inside(ck, monitor_ticket(ck, tag, ck->tag_mask));
  const struct monitor_text field = monitor_text("state operation at stage %u", stage);
  const struct monitor_text got =
      refused ? monitor_text("one, refused (tag %u)", tag)
              : monitor_text("pipeline %u slot %u (tag %u)", pipe, slot, tag);
  if (!p || !(p->ops_due >> stage & 1)) {
    violation(ck, p, field,
              monitor_text(p && p->result.access[stage].executed ? "no second one" : "none"), got);
    return;
  }
  const struct sluice_model_access *a = &p->result.access[stage];
  if (p->story) ck->watch.state(p->story, cycle, stage, pipe, slot, refused);
  if (a->refused != refused || (!refused && !place_of(ck, a, pipe, slot)) ||
      (refused && a->resolved && a->pipe != pipe)) {
    violation(ck, p, field,
              a->refused ? monitor_text("one, refused")
                         : monitor_text("pipeline %u slot %u", a->pipe, (unsigned)a->slot),
              got);
  } else if (!refused) {
    // The order is kept by home, wherever the index lives.
    struct monitor_slot *home = monitor_slot_of(ck, stage, a->pipe, a->slot);
    const uint64_t first = home->first;
    home->away = a->pipe != pipe || a->slot != slot;
    if (home->away) monitor_cut_away(ck, p, stage);
    if (first != p->ticket + 1)
      violation(ck, p,
                monitor_text("order of accesses to stage %u pipeline %u slot %u", stage, a->pipe,
                             (unsigned)a->slot),
                monitor_text("ticket %llu", (unsigned long long)first - 1),
                monitor_text("ticket %llu", (unsigned long long)p->ticket));
  }
  forget_op(ck, p, stage);
}
