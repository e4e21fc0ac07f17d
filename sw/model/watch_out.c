// SPDX-License-Identifier: Apache-2.0
// Monitor of the deparsers and of the output lanes.
#include <string.h>

#include "monitor.h"

void monitor_release_if_done(struct sluice_checker *ck, struct monitor_packet *p) {
  if (!p->exited || p->to_send) return;
  if (p->story) ck->watch.ended(p->story, false);
  monitor_release(ck, p);
}

static unsigned num_ports(uint64_t set) { return (unsigned)__builtin_popcountll(set); }

// Why no port took a packet. `unpaid`: the recirculation port would have.
static unsigned why_none(unsigned reason, uint64_t refused, bool unpaid) {
  if (reason != SLUICE_DROP_NONE) return reason;
  return unpaid && num_ports(refused) == 1 ? SLUICE_DROP_BUDGET : SLUICE_DROP_OUTPUT_FULL;
}

// Class of its copies in the output queues. The deparser reads it some cycles before it is done.
static int class_of(const struct sluice_checker *ck, const struct monitor_packet *p) {
  const unsigned row = p->recirculated ? p->again.row : p->bytes[15] % ck->config->NumModules;
  return ck->class_changed[row] > ck->now ? -1 : (int)sluice_model_class(ck->model, row);
}

// Copies of one source lane, class and port leave in the order in which their packets left the
// deparser.
static void compare_order(struct sluice_checker *ck, const struct monitor_packet *p,
                          unsigned port) {
  if (p->queue_class < 0) return;
  uint64_t *last = &ck->lane[p->lane].last_left[p->queue_class][port];
  if (p->exit_number <= *last)
    monitor_differ(
        ck, p, monitor_text("order at port %u", port),
        monitor_text("packet %llu of lane %u behind packet %llu", (unsigned long long)*last,
                     p->lane, (unsigned long long)p->exit_number),
        monitor_text("before it (class %d)", p->queue_class));
  else *last = p->exit_number;
}

void sluice_checker_exit(struct sluice_checker *ck, uint64_t cycle, unsigned lane, unsigned reason,
                         uint32_t ticket, uint64_t accepted, uint64_t refused) {
  MONITOR_EVENT(ck, EXIT, cycle, lane, reason, ticket, accepted, refused);
  ck->now = cycle;
  const bool unpaid = ck->lane[lane].again.unpaid;
  ck->lane[lane].again.unpaid = false;
  const uint64_t place = monitor_ticket(ck, ticket, UINT32_MAX);
  struct monitor_packet *p = monitor_inside(ck, place);
  if (!p || p->exited) {
    monitor_differ(ck, p, monitor_text("ticket at the deparser of lane %u", lane),
                   monitor_text("a packet that has not left"),
                   monitor_text(place == UINT64_MAX ? "ticket %u, never given"
                                                    : "ticket %u, not inside or a second time",
                                (unsigned)ticket));
    return;
  }
  const struct sluice_model_result *r = &p->result;
  if (p->lane != lane)
    monitor_differ(ck, p, monitor_text("lane of the deparser"), monitor_text("%u", p->lane),
                   monitor_text("%u", lane));
  if (r->reason != reason)
    monitor_differ(ck, p, monitor_text("drop reason at the deparser"),
                   monitor_reasons(1u << r->reason),
                   monitor_reasons(1u << reason % SLUICE_MODEL_REASONS));
  if ((accepted | refused) != r->ports || (accepted & refused))
    monitor_differ(ck, p, monitor_text("port set"),
                   monitor_text("0x%llx", (unsigned long long)r->ports),
                   monitor_text("accepted 0x%llx, refused 0x%llx", (unsigned long long)accepted,
                                (unsigned long long)refused));
  monitor_forget_ops(ck, p);
  monitor_needs(ck, p, -1);
  ck->report.left++;
  ck->report.last_exit = cycle;
  monitor_record(&ck->to_exit, cycle - p->came);

  const unsigned row = p->bytes[15] % reference_filter(ck)->modules;
  ck->report.left_module[row]++;
  if (cycle - p->came > ck->report.latency_max_module[row])
    ck->report.latency_max_module[row] = cycle - p->came;
  if (cycle - p->admission > ck->report.inside_max_module[row])
    ck->report.inside_max_module[row] = cycle - p->admission;
  const unsigned full = num_ports(refused) - unpaid;
  ck->report.drops[SLUICE_DROP_OUTPUT_FULL] += full;
  ck->report.drops_module[row][SLUICE_DROP_OUTPUT_FULL] += full;
  ck->report.drops[SLUICE_DROP_BUDGET] += unpaid;
  ck->report.drops_module[row][SLUICE_DROP_BUDGET] += unpaid;
  if (p->result.some_forbidden) {
    ck->report.drops[SLUICE_DROP_SOME_FORBIDDEN]++;
    ck->report.drops_module[row][SLUICE_DROP_SOME_FORBIDDEN]++;
  }
  if (reason != SLUICE_DROP_NONE) {
    ck->report.drops[reason % SLUICE_MODEL_REASONS]++;
    ck->report.drops_module[row][reason % SLUICE_MODEL_REASONS]++;
  } else if (accepted & (UINT64_MAX >> (64 - ck->config->NumPorts))) {
    ck->report.delivered++;
    ck->report.delivered_module[row]++;
  } else if (!accepted) {
    ck->report.undelivered++;
    ck->report.undelivered_module[row]++;
  }
  if (p->story) ck->watch.left(p->story, cycle, reason, accepted, refused, unpaid);
  if (!accepted) {
    const struct sluice_checker_dropped d = {.cycle = cycle,
                                             .arrival = p->arrival,
                                             .number = p->number,
                                             .lane = p->lane,
                                             .reason = why_none(reason, refused, unpaid),
                                             .len = p->len,
                                             .row = (int)row};
    if (ck->hooks.dropped) ck->hooks.dropped(ck->hooks.user, &d);
    if (p->story) ck->watch.dropped(p->story, &d);
  }
  p->exited = true;
  p->exit_number = ++ck->lane[lane].exits;
  p->queue_class = class_of(ck, p);
  monitor_depth(ck, p);
  // Behind the mark for a deep queue, which the one that comes again has too.
  monitor_again_leaves(ck, p, accepted, refused, unpaid);
  p->to_send = accepted;
  if (ck->config->Recirculation) p->to_send &= ~(UINT64_C(1) << ck->config->NumPorts);
  monitor_depth_accepts(ck, p);
  monitor_egress_accepts(ck, p, accepted);
  if (!p->at_egress) monitor_bank_leaves(ck, p, reason);
  monitor_release_if_done(ck, p);
}

unsigned monitor_leaves(const struct monitor_packet *p, const uint8_t *header, uint8_t *bytes) {
  const struct sluice_model_packet packet = {.bytes = p->bytes, .len = p->len};
  sluice_model_queued(&packet, header ? header : p->result.header, bytes);
  return sluice_model_take_out(&p->result, p->len, bytes);
}

static void compare(struct sluice_checker *ck, const struct monitor_packet *p,
                    const uint8_t *header, const struct monitor_assembly *a) {
  if (a->len != p->result.len) {
    monitor_differ(ck, p, monitor_text("length"), monitor_text("%u", p->result.len),
                   monitor_text("%u", a->len));
    return;
  }
  uint8_t expected[SLUICE_MODEL_MAX_LEN];
  const unsigned len = monitor_leaves(p, header, expected);
  if (memcmp(expected, a->bytes, len) == 0) return;
  unsigned at = 0;
  while (expected[at] == a->bytes[at]) at++;
  monitor_differ_byte(ck, p, at, expected, a->bytes, len);
}

void sluice_checker_gap(struct sluice_checker *ck, uint64_t cycle, unsigned lane) {
  MONITOR_EVENT(ck, GAP, cycle, lane);
  const struct monitor_assembly *a = &ck->lane[lane / sluice_wire_lanes(ck->config)].tx;
  ck->now = cycle;
  monitor_differ(ck, a->open ? monitor_inside(ck, monitor_ticket(ck, a->ticket, UINT32_MAX)) : NULL,
                 monitor_text("beats of output lane %u", lane),
                 monitor_text("one in each cycle up to the last"),
                 monitor_text("none in cycle %llu", (unsigned long long)cycle));
}

void sluice_checker_tx(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                       const uint8_t *data, uint64_t keep, bool last, unsigned port,
                       uint32_t ticket) {
  MONITOR_EVENT_BYTES(ck, TX, data, ck->config->BeatBytes, cycle, lane, port, ticket, last, keep);
  struct monitor_assembly *a = &ck->lane[lane / sluice_wire_lanes(ck->config)].tx;
  ck->now = cycle;
  if (!a->open) {
    a->open = true;
    a->malformed = false;
    a->len = 0;
    a->port = port;
    a->ticket = ticket;
    a->first_cycle = cycle;
    a->stream = lane;
  }
  const bool dense = monitor_append(a, ck->config->BeatBytes, data, keep, last);
  struct monitor_packet *p = monitor_inside(ck, monitor_ticket(ck, a->ticket, UINT32_MAX));
  if (!dense && !a->malformed)
    monitor_differ(ck, p, monitor_text("beat of output lane %u", lane), monitor_text("no gap"),
                   monitor_text("keep 0x%016llx", (unsigned long long)keep));
  if ((a->port != port || a->ticket != ticket) && !a->malformed)
    monitor_differ(ck, p, monitor_text("beat of output lane %u", lane),
                   monitor_text("port %u ticket %u to the last beat", a->port, (unsigned)a->ticket),
                   monitor_text("port %u ticket %u", port, (unsigned)ticket));
  if (!dense || a->port != port || a->ticket != ticket) a->malformed = true;
  if (!last) return;
  a->open = false;
  ck->report.copies++;
  ck->report.copy_bytes += a->len;
  ck->report.last_beat_out = cycle;
  if (!p || !p->exited || port >= 64 || !(p->to_send >> port & 1)) {
    monitor_differ(
        ck, p, monitor_text("port %u", port),
        monitor_text("no packet with ticket %u", (unsigned)ticket),
        monitor_text(!p           ? "one (it was sent before, or never admitted)"
                     : !p->exited ? "one (it has not left the deparser)"
                                  : "one (it was sent before, or is not for this port)"));
    return;
  }
  if (ck->config->FastLanes) monitor_wire_leaves(ck, p, lane, port);
  else compare_order(ck, p, port);
  const bool egress = ck->config->EgressStages;
  const uint8_t *header = egress ? monitor_egress_sends(ck, lane, p, port) : NULL;
  if (egress && !header) return;  // said already
  compare(ck, p, header, a);
  monitor_record(&ck->to_first_beat, a->first_cycle - p->came);
  const struct sluice_checker_sent s = {.cycle = cycle,
                                        .number = p->number,
                                        .ticket = p->ticket,
                                        .arrival = p->came,
                                        .first_cycle = a->first_cycle,
                                        .port = port,
                                        .len = a->len,
                                        .row = p->bytes[15] % reference_filter(ck)->modules,
                                        .round = p->recirculated ? p->again.round : 0,
                                        .stream = a->stream,
                                        .bytes = a->bytes};
  if (ck->hooks.sent) ck->hooks.sent(ck->hooks.user, &s);
  if (p->story) ck->watch.sent(p->story, &s);
  if (egress) {
    monitor_egress_sent(ck, lane, p, port);
    return;
  }
  p->to_send &= ~(UINT64_C(1) << port);
  monitor_depth_leaves(ck, p, port);
  monitor_release_if_done(ck, p);
}
