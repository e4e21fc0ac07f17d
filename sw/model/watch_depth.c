// SPDX-License-Identifier: Apache-2.0
// Monitor of the marks for deep output queues (docs/machine.md, Congestion). Load decides how many
// packets a queue holds, so the chip tells what a packet saw. That is compared with what has come
// and has not left, and the mark with the threshold; what the mark does is the reference model's.
//
// Example: 9 packets of class 1 have come from lane 0 to output lane 1, and have not left. The chip
// may say that the next one saw 4 to 11: the one before it is not counted yet, and a place is
// free before its last copy has left. If it says 8, and the threshold is 8, it must be marked.
#include "monitor.h"

enum { MORE = 2, LESS = 5 };

// In a chip with classes each wire is a lane.
static uint64_t lane_set(const struct sluice_checker *ck, unsigned to) {
  return sluice_wire_set(ck->config, to);
}

void sluice_checker_class_ecn(struct sluice_checker *ck, uint64_t cycle, unsigned class,
                              unsigned threshold) {
  MONITOR_EVENT(ck, CLASS_ECN, cycle, class, threshold);
  struct monitor_threshold *t = &ck->threshold[class % MONITOR_CLASSES];
  if (class >= ck->config->OutputClasses) return;
  t->before = t->now;
  t->now = threshold & 0x7ff;
  t->changed = cycle + SLUICE_CHECKER_SETTLE;
}

void sluice_checker_deep(struct sluice_checker *ck, unsigned lane, bool deep, unsigned held) {
  MONITOR_EVENT(ck, DEEP, lane, deep, held);
  ck->lane[lane].deep = deep;
  ck->lane[lane].held = held;
}

static bool legal(unsigned threshold, bool deep, unsigned held) {
  return deep == (threshold && held >= threshold);
}

// In a chip with a store before the pins, copies may have left their queues that were not seen to
// leave: as many as it has beats of 64 bytes, which leaves an upper bound alone.
static unsigned stored(const struct sluice_config *c) {
  return c->TransmitStore ? 2 * SLUICE_MODEL_MAX_LEN / 64 : 0;
}

// What the packet saw, in a chip without egress stages: their copies leave the queues unseen.
static void check_held(struct sluice_checker *ck, const struct monitor_packet *p, unsigned held) {
  const struct monitor_lane *lane = &ck->lane[p->lane];
  unsigned most = 0;
  if (ck->config->EgressStages) return;
  for (unsigned to = 0; to < ck->config->NumPipes; to++)
    if (p->result.ports & lane_set(ck, to) && lane->queued[to][p->queue_class] > most)
      most = lane->queued[to][p->queue_class];
  if (held > most + MORE + lane->unclassed || held + LESS + stored(ck->config) < most)
    monitor_differ(ck, p, monitor_text("packets in its output queue (class %d)", p->queue_class),
                   monitor_text("about %u", most), monitor_text("%u", held));
}

void monitor_depth(struct sluice_checker *ck, struct monitor_packet *p) {
  struct monitor_lane *lane = &ck->lane[p->lane];
  const bool deep = lane->deep;
  const unsigned held = lane->held;
  lane->deep = false;
  lane->held = 0;
  if (!ck->config->OutputClasses ||
      !(p->result.ports & (UINT64_MAX >> (64 - ck->config->NumPorts)))) {
    if (deep || held)
      monitor_differ(ck, p, monitor_text("mark for a deep queue"),
                     monitor_text("none: it asks for no queue of a class"),
                     monitor_text("%s, %u packets", deep ? "marked" : "none", held));
    return;
  }
  if (p->queue_class >= 0) {
    const struct monitor_threshold *t = &ck->threshold[p->queue_class];
    check_held(ck, p, held);
    if (!legal(t->now, deep, held) && !(t->changed > ck->now && legal(t->before, deep, held)))
      monitor_differ(ck, p, monitor_text("mark for a deep queue"),
                     monitor_text("%s: %u packets of class %d, threshold %u", deep ? "none" : "one",
                                  held, p->queue_class, t->now),
                     monitor_text(deep ? "one" : "none"));
  }
  if (!deep) return;
  const struct sluice_model_packet packet = {.bytes = p->bytes, .len = p->len};
  if (p->queue_class >= 0) ck->report.queue_marked[p->queue_class]++;
  else ck->report.queue_marked_unclassed++;
  ck->report.queue_marked_ce += reference_mark(ck, &packet, &p->result);
}

void monitor_depth_accepts(struct sluice_checker *ck, const struct monitor_packet *p) {
  struct monitor_lane *lane = &ck->lane[p->lane];
  if (!ck->config->OutputClasses) return;
  if (p->queue_class < 0) {
    lane->unclassed++;
    return;
  }
  for (unsigned to = 0; to < ck->config->NumPipes; to++)
    lane->queued[to][p->queue_class] += (p->to_send & lane_set(ck, to)) != 0;
}

void monitor_depth_leaves(struct sluice_checker *ck, const struct monitor_packet *p,
                          unsigned port) {
  const unsigned to = sluice_port_wire(ck->config, port);
  if (!ck->config->OutputClasses || p->queue_class < 0 || p->to_send & lane_set(ck, to)) return;
  ck->lane[p->lane].queued[to][p->queue_class]--;
}
