// SPDX-License-Identifier: Apache-2.0
#include "trace_loop.h"

#include <stdlib.h>
#include <string.h>

#include "flows.h"
#include "../base/bytes.h"
#include "../base/hash.h"
#include "trace_play.h"

struct packet {
  uint16_t items[SLUICE_TRACE_ITEMS];  // [1..]: what it must access, in the order of stages
  uint8_t first, end;                  // the items of the pass under way
  uint8_t closed;
  uint32_t passes;
};

struct access {
  uint32_t cell;    // item, index
  uint32_t number;  // of the packet
  uint64_t place;   // in the order of admission
};

struct sluice_trace_loop {
  unsigned items, pipes, ports;
  struct packet *packets;
  size_t num, room;
  struct access *log;
  size_t logged, log_room;
  struct sluice_flows *flows, *flows_by_lane;
  struct sluice_trace_loop_counts counts;
  bool failed;
};

struct sluice_trace_loop *sluice_trace_loop_new(unsigned items, unsigned pipes, unsigned ports) {
  struct sluice_trace_loop *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  l->items = items < SLUICE_TRACE_ACCESSES ? items : SLUICE_TRACE_ACCESSES;
  l->pipes = pipes;
  l->ports = ports;
  l->flows = sluice_flows_new();
  l->flows_by_lane = sluice_flows_new();
  if (l->flows && l->flows_by_lane) return l;
  sluice_trace_loop_free(l);
  return NULL;
}

void sluice_trace_loop_free(struct sluice_trace_loop *l) {
  if (!l) return;
  sluice_flows_free(l->flows);
  sluice_flows_free(l->flows_by_lane);
  free(l->packets);
  free(l->log);
  free(l);
}

// Room for one more.
static bool grow(struct sluice_trace_loop *l, void **array, size_t num, size_t *room, size_t each) {
  if (l->failed || num < *room) return !l->failed;
  size_t more = *room ? 2 * *room : 4096;
  void *bigger = realloc(*array, more * each);
  l->failed = !bigger;
  if (!bigger) return false;
  *array = bigger;
  *room = more;
  return true;
}

static unsigned home(const struct sluice_trace_loop *l, const struct packet *p, unsigned item) {
  return p->items[item] % l->pipes;
}

static void write_pass(const struct sluice_trace_loop *l, const struct packet *p, uint64_t number,
                       unsigned lane, uint8_t *frame) {
  const unsigned mine = (l->ports + l->pipes - 1 - lane) / l->pipes;  // ports of the lane
  frame[SLUICE_TRACE_FIRST_ITEM + 1] = (uint8_t)(lane + number % mine * l->pipes);
  for (unsigned i = 1; i <= l->items; i++)
    sluice_put16(frame + SLUICE_TRACE_FIRST_ITEM + 2 * i,
                 i >= p->first && i < p->end ? p->items[i] : 0);
}

// The next pass is in this lane: it takes items as long as they are there.
static void begin(const struct sluice_trace_loop *l, struct packet *p, unsigned lane) {
  p->first = p->end;
  while (p->end <= l->items && (!p->items[p->end] || home(l, p, p->end) == lane)) p->end++;
}

void sluice_trace_loop_take(struct sluice_trace_loop *l, uint64_t number, unsigned lane,
                            uint8_t *frame) {
  void *array = l->packets;
  if (number != l->num || !grow(l, &array, l->num, &l->room, sizeof *l->packets)) return;
  l->packets = array;
  struct packet *p = &l->packets[l->num++];
  *p = (struct packet){.first = 1, .end = 1};
  for (unsigned i = 1; i <= l->items; i++) {
    const uint8_t *at = frame + SLUICE_TRACE_FIRST_ITEM + 2 * i;
    p->items[i] = (uint16_t)sluice_get16(at);
  }
  const uint64_t key = sluice_flow_key(frame, SLUICE_TRACE_MIN_LEN);
  sluice_flows_admitted(l->flows, number, key);
  sluice_flows_admitted(l->flows_by_lane, number, (key ^ lane) * SLUICE_HASH64_PRIME);
  l->counts.packets++;
  begin(l, p, lane);
  write_pass(l, p, number, lane, frame);
}

void sluice_trace_loop_admitted(struct sluice_trace_loop *l, uint64_t number) {
  if (number >= l->num) return;
  struct packet *p = &l->packets[number];
  l->counts.passes++;
  if (++p->passes > l->counts.most_passes) l->counts.most_passes = p->passes;
  for (unsigned i = p->first; i < p->end; i++) {
    void *array = l->log;
    if (!p->items[i] || !grow(l, &array, l->logged, &l->log_room, sizeof *l->log)) continue;
    l->log = array;
    l->log[l->logged] = (struct access){i << 16 | p->items[i], (uint32_t)number, l->logged};
    l->logged++;
  }
}

int sluice_trace_loop_left(struct sluice_trace_loop *l, uint64_t number, uint64_t cycle,
                           uint8_t *frame) {
  if (number >= l->num || l->packets[number].closed) return -1;
  struct packet *p = &l->packets[number];
  if (p->end <= l->items) {
    const unsigned lane = home(l, p, p->end);
    begin(l, p, lane);
    write_pass(l, p, number, lane, frame);
    return (int)lane;
  }
  p->closed = 1;
  l->counts.done++;
  sluice_flows_left(l->flows, number, cycle);
  sluice_flows_left(l->flows_by_lane, number, cycle);
  return -1;
}

void sluice_trace_loop_lost(struct sluice_trace_loop *l, uint64_t number) {
  if (number >= l->num || l->packets[number].closed) return;
  l->packets[number].closed = 1;
  l->counts.lost++;
}

uint64_t sluice_trace_loop_open(const struct sluice_trace_loop *l) {
  return l->counts.packets - l->counts.done - l->counts.lost;
}

static int by_cell(const void *a, const void *b) {
  const struct access *x = a, *y = b;
  if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

// The accesses of one cell, in their order: which of them are late, and which packets early.
static void judge(struct sluice_trace_loop_counts *counts, const struct access *accesses, size_t n,
                  uint8_t *late, uint8_t *early) {
  uint32_t latest = 0, earliest = UINT32_MAX;
  for (size_t i = 0; i < n; i++) {
    const uint32_t number = accesses[i].number;
    if (number >= latest) {
      latest = number;
      continue;
    }
    counts->c1_accesses++;
    late[number] = 1;
  }
  for (size_t i = n; i-- > 0;) {
    const uint32_t number = accesses[i].number;
    if (number > earliest) early[number] = 1;
    if (number < earliest) earliest = number;
  }
}

bool sluice_trace_loop_count(struct sluice_trace_loop *l, struct sluice_trace_loop_counts *counts) {
  uint8_t *late = calloc(l->num + 1, 1), *early = calloc(l->num + 1, 1);
  const bool good = late && early && !l->failed && !sluice_flows_failed(l->flows) &&
                    !sluice_flows_failed(l->flows_by_lane);
  *counts = l->counts;
  counts->reordered = sluice_flows_reordered(l->flows);
  counts->reordered_of_a_lane = sluice_flows_reordered(l->flows_by_lane);
  counts->accesses = l->logged;
  if (good && l->logged) {
    qsort(l->log, l->logged, sizeof *l->log, by_cell);
    for (size_t i = 0, n; i < l->logged; i += n) {
      for (n = 1; i + n < l->logged && l->log[i + n].cell == l->log[i].cell;) n++;
      judge(counts, l->log + i, n, late, early);
    }
    for (size_t i = 0; i < l->num; i++) {
      counts->c1_late += late[i];
      counts->c1_early += early[i];
    }
  }
  free(late);
  free(early);
  return good;
}
