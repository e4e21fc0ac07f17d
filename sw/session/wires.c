// SPDX-License-Identifier: Apache-2.0
#include "wires.h"

#include <stdlib.h>
#include <string.h>

#include "../lib/deal.h"

static void begin(struct wires *w) {
  for (unsigned n = 0; n < WIRES_MAX; n++) {
    struct wire *wire = &w->wire[n];
    *wire = (struct wire){.now = NULL};
    wire->fresh.tail = &wire->fresh.head;
    wire->again.tail = &wire->again.head;
  }
}

void wires_init(struct wires *w, const struct sluice_config *config, uint64_t seed) {
  *w = (struct wires){.load = 1,
                      .config = config,
                      .num = sluice_num_wires(config),
                      .streams = sluice_wire_lanes(config),
                      .beat_bytes = config->BeatBytes};
  sluice_rng_init(&w->gaps, seed, "gaps");
  sluice_rng_init(&w->idles, seed, "idles");
  begin(w);
}

struct frame *wires_frame(size_t room) {
  struct frame *f = calloc(1, sizeof *f + room);
  if (f) f->gap_at = SIZE_MAX;
  return f;
}

static struct wire *wire_of(struct wires *w, const struct frame *f) {
  struct wire *wire = &w->wire[sluice_port_wire(w->config, f->port)];
  w->packets++;
  w->queued++;
  wire->num++;
  return wire;
}

void wires_append(struct wires *w, struct frame *f, bool again) {
  struct wire *wire = wire_of(w, f);
  struct queue *queue = again ? &wire->again : &wire->fresh;
  *queue->tail = f;
  queue->tail = &f->next;
}

void wires_insert(struct wires *w, struct frame *f) {
  struct queue *queue = &wire_of(w, f)->fresh;
  struct frame **at = &queue->head;
  while (*at && (*at)->due <= f->due) at = &(*at)->next;
  f->next = *at;
  *at = f;
  if (!f->next) queue->tail = &f->next;
}

unsigned wires_waiting(const struct wires *w, unsigned port) {
  return w->wire[sluice_port_wire(w->config, port)].num;
}

size_t wires_beats(const struct wires *w, size_t len) {
  return (len + w->beat_bytes - 1) / w->beat_bytes;
}

static struct frame *remove_first(struct queue *queue) {
  struct frame *f = queue->head;
  queue->head = f->next;
  if (!queue->head) queue->tail = &queue->head;
  f->next = NULL;
  return f;
}

static void drive(struct wires *w, struct wire *wire, uint64_t cycle, unsigned stream,
                  struct beat *beat) {
  const uint64_t place = cycle * w->streams + stream;
  beat->valid = false;
  if (place < wire->start) return;
  if (w->idle > 0.0 && sluice_rng_unit(&w->idles) < w->idle) return;
  if (!wire->now && wire->again.head) wire->now = remove_first(&wire->again);
  if (!wire->now && wire->fresh.head && wire->fresh.head->due <= cycle)
    wire->now = remove_first(&wire->fresh);
  struct frame *f = wire->now;
  if (!f) return;
  const size_t left = f->len - wire->sent, here = left < w->beat_bytes ? left : w->beat_bytes;
  beat->valid = true;
  beat->last = left == here;
  beat->err = beat->last && f->mark_bad;
  beat->port = f->port;
  beat->number = f->number;
  beat->keep = beat_keep(here);
  if (f->gap_at >= wire->sent && f->gap_at < wire->sent + here)
    beat->keep &= ~(UINT64_C(1) << (f->gap_at - wire->sent));
  memcpy(beat->data, f->bytes + wire->sent, here);
  memset(beat->data + here, 0xa5, w->beat_bytes - here);  // what is behind the end must not matter
  wire->sent += here;
  if (!beat->last) return;
  wire->start = place + 1 + sluice_deal_gap(&w->gaps, w->load, wires_beats(w, f->len));
  wire->now = NULL;
  wire->sent = 0;
  wire->num--;
  w->queued--;
  w->sent++;
  free(f);
}

void wires_drive(struct wires *w, uint64_t cycle, struct beat *rx) {
  cycle -= w->start;
  for (unsigned n = 0; n < w->num; n++)
    for (unsigned s = 0; s < w->streams; s++) {
      while (!w->wire[n].fresh.head && w->next && w->next(w->user, cycle)) {}
      drive(w, &w->wire[n], cycle, s, &rx[n * w->streams + s]);
    }
}

void wires_clear(struct wires *w) {
  for (unsigned n = 0; n < w->num; n++) {
    free(w->wire[n].now);
    while (w->wire[n].again.head) free(remove_first(&w->wire[n].again));
    while (w->wire[n].fresh.head) free(remove_first(&w->wire[n].fresh));
  }
  w->queued = 0;
  begin(w);
}
