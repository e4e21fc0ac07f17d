// SPDX-License-Identifier: Apache-2.0
// Monitor of the places of a lane: whether a packet may find it full. In a chip with BufferShares a
// module may have one more packet wait as long as it holds less than is free: its places and all
// that are taken are together less than LaneDepth. The lane decides with the first beat, and knows
// what was taken and given back a few cycles before; SLACK is what may happen meanwhile.
#include "monitor.h"

enum { SLACK = 12 };

static unsigned row_of(const struct sluice_checker *ck, const uint8_t *bytes) {
  return bytes[15] % ck->config->NumModules;
}

void monitor_places_begin(struct sluice_checker *ck, unsigned lane, const uint8_t *bytes) {
  struct monitor_lane *l = &ck->lane[lane];
  l->rx.places = l->num_waiting;
  if (ck->config->BufferShares) l->rx.places += l->waiting_row[row_of(ck, bytes)];
}

void monitor_places_judged(struct sluice_checker *ck, const struct monitor_packet *p,
                           unsigned reason) {
  const unsigned depth = ck->config->LaneDepth;
  const char *whose = ck->config->BufferShares ? "by all and its module" : "by all";
  if (!p->places_known) return;
  if (reason == SLUICE_DROP_LANE_FULL && p->places + SLACK < depth)
    monitor_differ(ck, p, monitor_text("places of lane %u", p->lane), monitor_text("room"),
                   monitor_text("LANE_FULL, with %u of %u taken %s", p->places, depth, whose));
  if ((reason == SLUICE_DROP_NONE || reason == SLUICE_DROP_BUFFER_FULL) &&
      p->places > depth + SLACK)
    monitor_differ(ck, p, monitor_text("places of lane %u", p->lane), monitor_text("LANE_FULL"),
                   monitor_text("a place, with %u of %u taken %s", p->places, depth, whose));
}

void monitor_places_waits(struct sluice_checker *ck, const struct monitor_packet *p, int change) {
  ck->lane[p->lane].waiting_row[row_of(ck, p->bytes)] += (unsigned)change;
}
