// SPDX-License-Identifier: Apache-2.0
// Monitor of the lane inputs: packets from beats, what the lane must say of them, what the filter
// may say.
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "monitor.h"

void monitor_push(struct monitor_queue *q, struct monitor_packet *packet) {
  packet->next = NULL;
  if (q->head) q->tail->next = packet;
  else q->head = packet;
  q->tail = packet;
}

struct monitor_packet *monitor_pop(struct monitor_queue *q) {
  struct monitor_packet *packet = q->head;
  if (packet) q->head = packet->next;
  return packet;
}

bool monitor_append(struct monitor_assembly *a, unsigned full, const uint8_t *data, uint64_t keep,
                    bool last) {
  // Bytes fill a beat from byte 0 on, and all beats but the last are full.
  const uint64_t all = full < 64 ? (UINT64_C(1) << full) - 1 : UINT64_MAX;
  const bool dense = keep != 0 && (keep & (keep + 1)) == 0 && (last ? keep <= all : keep == all);
  for (unsigned i = 0; i < full; i++) {
    if (!(keep >> i & 1)) continue;
    if (a->len < SLUICE_MODEL_MAX_LEN) a->bytes[a->len] = data[i];
    a->len++;
  }
  return dense;
}

static const struct sluice_model_again *again_of(const struct monitor_packet *p) {
  return p->recirculated ? &p->again : NULL;
}

// Reasons that the filter may give at this cycle: more than one only around a change.
static uint32_t filter_verdicts(const struct sluice_checker *ck, const struct monitor_packet *p) {
  const struct sluice_model_filter *now = reference_filter(ck);
  const uint32_t bank = p->bank ? UINT32_MAX : 0;  // of every row: it has one
  uint32_t set = 1u << reference_classify(ck, now, bank, again_of(p), p->bytes, p->len).reason;
  for (unsigned i = 0; i < MONITOR_FILTERS && i < ck->num_past; i++)
    if (p->arrival <= ck->past[i].until)
      set |= 1u << reference_classify(ck, &ck->past[i].filter, bank, again_of(p), p->bytes, p->len)
                       .reason;
  return set;
}

// Remembers the filter as it was before a change, and lets packets inside be judged by the new one
// as well. Those that their lane has not reported are judged later.
static void filter_changed(struct sluice_checker *ck, uint64_t cycle,
                           const struct sluice_model_filter *before) {
  if (memcmp(before, reference_filter(ck), sizeof *before) == 0) return;
  ck->past[ck->num_past++ % MONITOR_FILTERS] =
      (struct monitor_filter){cycle + SLUICE_CHECKER_SETTLE, *before};
  if (ck->num_past == 2 * MONITOR_FILTERS) ck->num_past = MONITOR_FILTERS;
  for (unsigned l = 0; l < ck->config->NumPipes; l++)
    for (struct monitor_packet *p = ck->lane[l].waiting.head; p; p = p->next)
      if (!p->fault) p->verdicts |= filter_verdicts(ck, p);
}

bool monitor_control(struct sluice_checker *ck, uint64_t cycle, const uint8_t *bytes, size_t len,
                     struct sluice_model_answer *answer) {
  ck->now = cycle;
  monitor_counts_control(ck, bytes, len);
  monitor_keys_control(ck, bytes, len);
  const struct sluice_model_filter before = *reference_filter(ck);
  uint64_t rates[SLUICE_MODEL_MODULES];
  unsigned classes[SLUICE_MODEL_MODULES];
  for (unsigned r = 0; r < ck->config->NumModules; r++) {
    rates[r] = sluice_model_rate(ck->model, r);
    classes[r] = sluice_model_class(ck->model, r);
  }
  const bool good = sluice_checker_is_marks(ck, bytes, len)
                        ? monitor_marks_control(ck, bytes, len, answer)
                        : monitor_bank_control(ck, bytes, len, answer);
  filter_changed(ck, cycle, &before);
  for (unsigned r = 0; r < ck->config->NumModules; r++) {
    monitor_rate_changed(ck, r, rates[r]);
    if (classes[r] != sluice_model_class(ck->model, r))
      ck->class_changed[r] = cycle + SLUICE_CHECKER_SETTLE;
  }
  return good;
}

bool sluice_checker_control(struct sluice_checker *ck, uint64_t cycle, const uint8_t *bytes,
                            size_t len, struct sluice_model_answer *answer) {
  MONITOR_EVENT_BYTES(ck, CONTROL, bytes, len, cycle);
  return monitor_control(ck, cycle, bytes, len, answer);
}

void sluice_checker_bitmap(struct sluice_checker *ck, uint64_t cycle, uint32_t bitmap) {
  MONITOR_EVENT(ck, BITMAP, cycle, bitmap);
  const struct sluice_model_filter before = *reference_filter(ck);
  reference_bitmap(ck, bitmap);
  filter_changed(ck, cycle, &before);
}

void sluice_checker_ready(struct sluice_checker *ck, uint64_t cycle) {
  MONITOR_EVENT(ck, READY, cycle);
  if (ck->ready) return;
  ck->ready = true;
  ck->ready_cycle = cycle;
}

void monitor_watch(struct sluice_checker *ck, struct monitor_packet *packet, uint64_t first_cycle) {
  if (!ck->watch.arrived) return;
  const struct sluice_checker_arrival arrival = {
      .number = packet->number,
      .first_cycle = first_cycle,
      .cycle = packet->came,
      .lane = packet->lane,
      .port = packet->port,
      .len = packet->len,
      .round = packet->recirculated ? packet->again.round : 0,
      .stream = packet->coming ? packet->coming->stream : packet->lane,
      .entered = packet->arrival,
      .bytes = packet->bytes};
  packet->story = ck->watch.arrived(ck->watch.user, &arrival);
}

void sluice_checker_rx(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                       const uint8_t *data, uint64_t keep, bool last, bool err, unsigned port,
                       uint64_t number) {
  MONITOR_EVENT_BYTES(ck, RX, data, ck->config->BeatBytes, cycle, lane, port, number, last, err,
                      keep);
  struct monitor_beat beat = {
      .keep = keep, .number = number, .last = last, .err = err, .port = port};
  ck->now = cycle;
  memcpy(beat.data, data, ck->config->BeatBytes);
  if (monitor_again_way(ck, cycle, lane, &beat)) return;
  if (!monitor_again_waits(ck, lane, &beat)) monitor_beat_in(ck, cycle, lane, &beat);
}

struct monitor_packet *monitor_join(struct sluice_checker *ck, struct monitor_assembly *a,
                                    uint64_t cycle, unsigned lane,
                                    const struct monitor_beat *beat) {
  a->beats++;
  if (!monitor_append(a, ck->config->BeatBytes, beat->data, beat->keep, beat->last) || beat->err)
    a->malformed = true;
  if (!beat->last) return NULL;
  a->open = false;
  const unsigned stored = a->len < SLUICE_MODEL_MAX_LEN ? a->len : SLUICE_MODEL_MAX_LEN;
  struct monitor_packet *p = calloc(1, sizeof *p + (stored < 64 ? 64 : stored));
  ck->report.packets++;
  ck->report.bytes += a->len;
  if (!p) {
    monitor_differ(ck, NULL, monitor_text("memory"), monitor_text("enough"),
                   monitor_text("none left"));
    return NULL;
  }
  memcpy(p->bytes, a->bytes, stored);
  p->number = beat->number;
  p->arrival = p->came = p->place = cycle;
  p->lane = lane;
  p->beats = a->beats;
  p->port = beat->port;
  ck->arrived_row[p->bytes[15] % reference_filter(ck)->modules]++;
  p->len = a->len;
  if (a->malformed || a->len < SLUICE_MODEL_MIN_LEN) p->fault = SLUICE_DROP_MALFORMED;
  else if (a->len > SLUICE_MODEL_MAX_LEN) p->fault = SLUICE_DROP_OVERSIZED;
  return p;
}

void monitor_beat_in(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                     const struct monitor_beat *beat) {
  const bool fast = ck->config->FastLanes;
  struct monitor_assembly *a = &ck->lane[lane / sluice_wire_lanes(ck->config)].rx;
  ck->now = cycle;
  if (ck->report.first_beat_in == UINT64_MAX) ck->report.first_beat_in = cycle;
  if (!a->open) {
    a->open = true, a->len = a->beats = 0, a->malformed = false, a->first_cycle = cycle;
    if (fast) monitor_wire_begins(ck, lane);
    else monitor_places_begin(ck, lane, beat->data);
  }
  struct monitor_packet *p = monitor_join(ck, a, cycle, lane, beat);
  if (!p) return;
  p->placed = p->places_known = !fast;
  p->places = a->places;
  if (fast) {
    monitor_wire_ends(ck, lane, p, a->first_cycle);
    return;
  }
  monitor_push(&ck->lane[lane].judged, p);
  monitor_watch(ck, p, a->first_cycle);
}

void monitor_drop(struct sluice_checker *ck, struct monitor_packet *packet, unsigned reason,
                  int row) {
  const unsigned r = reason % SLUICE_MODEL_REASONS;
  ck->report.drops[r]++;
  if (row < 0) ck->report.drops_unknown[r]++;
  else ck->report.drops_module[row][r]++;
  const struct sluice_checker_dropped d = {.cycle = ck->now,
                                           .arrival = packet->arrival,
                                           .number = packet->number,
                                           .lane = packet->lane,
                                           .reason = reason,
                                           .len = packet->len,
                                           .row = row};
  if (ck->hooks.dropped) ck->hooks.dropped(ck->hooks.user, &d);
  if (packet->story) {
    ck->watch.dropped(packet->story, &d);
    ck->watch.ended(packet->story, false);
  }
  free(packet);
}

// A packet that the lane has no room for still counts for its module.
static int module_of(const struct sluice_checker *ck, const struct monitor_packet *p) {
  if (p->fault) return -1;
  const struct sluice_model_verdict v = reference_classify(
      ck, reference_filter(ck), reference_filter(ck)->bank, again_of(p), p->bytes, p->len);
  return v.known ? (int)v.row : -1;
}

void sluice_checker_lane(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                         unsigned reason) {
  MONITOR_EVENT(ck, LANE, cycle, lane, reason);
  ck->now = cycle;
  struct monitor_packet *p = ck->config->FastLanes ? monitor_wire_judged(ck, lane, reason)
                                                   : monitor_pop(&ck->lane[lane].judged);
  if (!p) {
    monitor_differ(ck, NULL, monitor_text("verdict of lane %u", lane), monitor_text("no packet"),
                   monitor_text("%s", monitor_reasons(1u << reason % SLUICE_MODEL_REASONS).s));
    return;
  }
  uint32_t legal = p->fault ? 1u << p->fault
                            : 1u << SLUICE_DROP_NONE | 1u << SLUICE_DROP_LANE_FULL |
                                  1u << SLUICE_DROP_BUFFER_FULL;
  if (!ck->ready || p->arrival <= ck->ready_cycle + SLUICE_CHECKER_SETTLE)
    legal |= 1u << SLUICE_DROP_NOT_READY;
  if (!(legal >> reason % SLUICE_MODEL_REASONS & 1))
    monitor_differ(ck, p, monitor_text("verdict of lane %u", lane), monitor_reasons(legal),
                   monitor_reasons(1u << reason % SLUICE_MODEL_REASONS));
  if (cycle > p->arrival + MONITOR_LATE)
    monitor_differ(ck, p, monitor_text("delay of the verdict of lane %u", lane),
                   monitor_text("at most %d cycles", MONITOR_LATE),
                   monitor_text("%llu", (unsigned long long)(cycle - p->arrival)));
  if (!p->fault) {
    monitor_places_judged(ck, p, reason);
    monitor_bank_arrives(ck, p);
    p->verdicts = filter_verdicts(ck, p);
    if (p->verdicts & 1u << SLUICE_DROP_NONE && monitor_rate_may(ck, p))
      p->verdicts |= 1u << SLUICE_DROP_RATE;
  }
  if (p->story) {
    const struct sluice_model_verdict verdict =
        p->fault ? (struct sluice_model_verdict){.reason = p->fault}
                 : reference_classify(ck, reference_filter(ck), p->bank ? UINT32_MAX : 0,
                                      again_of(p), p->bytes, p->len);
    ck->watch.lane(p->story, cycle, reason, &verdict);
  }
  if (reason == SLUICE_DROP_NONE) {
    ck->report.arrived++;
    monitor_counts_arrives(ck);
    monitor_bank_counts(ck, p);
    p->wait.first_of_lane = cycle;
    if (ck->lane[lane].waiting.tail && ck->lane[lane].num_waiting)
      p->wait.behind = ck->lane[lane].waiting.tail->number;
    monitor_push(&ck->lane[lane].waiting, p);
    ck->lane[lane].num_waiting++;
    monitor_places_waits(ck, p, 1);
    monitor_merge_arrives(ck, p);
    return;
  }
  const bool full = reason == SLUICE_DROP_LANE_FULL || reason == SLUICE_DROP_BUFFER_FULL;
  monitor_drop(ck, p, reason, full ? module_of(ck, p) : -1);
}
