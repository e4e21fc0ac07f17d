// SPDX-License-Identifier: Apache-2.0
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t sluice_trace_lane(const struct sluice_trace *trace, uint32_t port) {
  uint32_t each = trace->ports / trace->lanes, lane = port / (each ? each : 1);
  return lane < trace->lanes ? lane : trace->lanes - 1;
}

int sluice_trace_path(const struct sluice_trace *t, const char *dir, const char *first, char *path,
                      size_t room) {
  int n = snprintf(path, room, "%s/%s_%u_%u_%u_%u_%u_%s.csv", dir, first, (unsigned)t->ports,
                   (unsigned)t->lanes, (unsigned)t->stages, (unsigned)t->stateful,
                   (unsigned)t->entries, t->size);
  return n >= 0 && (size_t)n < room;
}

// Room for one more in an array that doubles. False: out of memory, or more than is legal.
static int grow(void **array, uint32_t num, uint32_t *room, size_t each) {
  if (num < *room) return 1;
  if (num >= SLUICE_TRACE_PACKETS) return 0;
  uint32_t more = *room ? *room * 2 : 1024;
  void *p = realloc(*array, more * each);
  if (!p) return 0;
  *array = p;
  *room = more;
  return 1;
}

enum sluice_status sluice_trace_add_flow(struct sluice_trace *t,
                                         const struct sluice_trace_flow *flow,
                                         struct sluice_error *error) {
  void *array = t->flows;
  if (!grow(&array, t->num_flows, &t->flows_room, sizeof *t->flows))
    return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for %u flows", (unsigned)t->num_flows);
  t->flows = array;
  t->flows[t->num_flows++] = *flow;
  return SLUICE_OK;
}

static int by_id(const void *a, const void *b) {
  const struct sluice_trace_flow *x = a, *y = b;
  if (x->id != y->id) return x->id < y->id ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

enum sluice_status sluice_trace_sort_flows(struct sluice_trace *t, struct sluice_error *error) {
  if (t->num_flows) qsort(t->flows, t->num_flows, sizeof *t->flows, by_id);
  for (uint32_t i = 1; i < t->num_flows; i++) {
    const struct sluice_trace_flow *f = &t->flows[i];
    if (f->id == f[-1].id)
      return sluice_fail(error, SLUICE_ERR_FORMAT, "line %u: flow %u again, it is in line %u",
                         (unsigned)f->line, (unsigned)f->id, (unsigned)f[-1].line);
  }
  return SLUICE_OK;
}

static uint32_t find_flow(const struct sluice_trace *t, uint32_t id) {
  uint32_t low = 0, high = t->num_flows;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (t->flows[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low < t->num_flows && t->flows[low].id == id ? low : SLUICE_TRACE_NO_FLOW;
}

enum sluice_status sluice_trace_add_packet(struct sluice_trace *t, uint32_t port, uint32_t bytes,
                                           uint32_t id, uint32_t time, struct sluice_error *error) {
  if (port >= t->ports)
    return sluice_fail(error, SLUICE_ERR_RANGE, "port %u, the trace has %u", (unsigned)port,
                       (unsigned)t->ports);
  if (time > SLUICE_TRACE_TIME)
    return sluice_fail(error, SLUICE_ERR_RANGE, "cycle %u, legal is up to %d", (unsigned)time,
                       SLUICE_TRACE_TIME);
  uint32_t flow = find_flow(t, id);
  if (t->num_flows && flow == SLUICE_TRACE_NO_FLOW)
    return sluice_fail(error, SLUICE_ERR_RANGE, "flow %u is not in the flows file", (unsigned)id);
  void *array = t->packets;
  if (!grow(&array, t->num_packets, &t->packets_room, sizeof *t->packets))
    return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for %u packets",
                       (unsigned)t->num_packets);
  t->packets = array;
  t->packets[t->num_packets++] =
      (struct sluice_trace_packet){port, sluice_trace_lane(t, port), bytes, id, flow, time, time};
  return SLUICE_OK;
}

enum sluice_status sluice_trace_repeat(struct sluice_trace *t, uint32_t times,
                                       struct sluice_error *error) {
  uint32_t once = t->num_packets, span = 0;
  for (uint32_t i = 0; i < once; i++)
    if (t->packets[i].time >= span) span = t->packets[i].time + 1;
  if ((uint64_t)once * times > SLUICE_TRACE_PACKETS || (uint64_t)span * times > SLUICE_TRACE_TIME)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u times %u packets in %u cycles is too long",
                       (unsigned)times, (unsigned)once, (unsigned)span);
  for (uint32_t r = 1; r < times; r++) {
    for (uint32_t i = 0; i < once; i++) {
      const struct sluice_trace_packet p = t->packets[i];
      SLUICE_TRY(sluice_trace_add_packet(t, p.port, p.bytes, p.id, p.time + r * span, error));
    }
  }
  return SLUICE_OK;
}

// Stable sort by time, then (of arrivals) by lane: the number of a packet breaks ties.
struct ranked {
  uint64_t key;
  uint32_t number;
};

static int by_key(const void *a, const void *b) {
  const struct ranked *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

// Sorts by the keys in `order`, which has one for each packet, and frees it.
static enum sluice_status sort_packets(struct sluice_trace *t, struct ranked *order,
                                       struct sluice_error *error) {
  uint32_t n = t->num_packets;
  struct sluice_trace_packet *sorted = malloc(n * sizeof *sorted);
  if (!sorted) {
    free(order);
    return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory to sort %u packets", (unsigned)n);
  }
  qsort(order, n, sizeof *order, by_key);
  for (uint32_t i = 0; i < n; i++) sorted[i] = t->packets[order[i].number];
  free(order);
  free(t->packets);
  t->packets = sorted;
  t->packets_room = n;
  return SLUICE_OK;
}

enum sluice_status sluice_trace_arrive(struct sluice_trace *t, struct sluice_error *error) {
  uint32_t n = t->num_packets, free_at[SLUICE_TRACE_LANES] = {0};
  if (!n) return SLUICE_OK;
  struct ranked *order = malloc(n * sizeof *order);
  if (!order)
    return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory to sort %u packets", (unsigned)n);
  for (uint32_t i = 0; i < n; i++) order[i] = (struct ranked){t->packets[i].time, i};
  qsort(order, n, sizeof *order, by_key);
  for (uint32_t i = 0; i < n; i++) {
    struct sluice_trace_packet *p = &t->packets[order[i].number];
    uint32_t *lane_free = &free_at[p->lane];
    p->arrival = p->time > *lane_free ? p->time : *lane_free;
    *lane_free = p->arrival + 1;
    order[i].key = (uint64_t)p->arrival << 8 | p->lane;
  }
  return sort_packets(t, order, error);
}

enum sluice_status sluice_trace_beats(struct sluice_trace *t, uint32_t bytes,
                                      struct sluice_error *error) {
  uint32_t n = t->num_packets;
  int64_t last[SLUICE_TRACE_LANES];
  if (!n) return SLUICE_OK;
  struct ranked *order = malloc(n * sizeof *order);
  if (!order)
    return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory to sort %u packets", (unsigned)n);
  // Before cycle 0 there is time for the beats of any packet.
  for (uint32_t l = 0; l < SLUICE_TRACE_LANES; l++) last[l] = INT32_MIN;
  for (uint32_t i = 0; i < n; i++) {
    struct sluice_trace_packet *p = &t->packets[i];
    int64_t end = last[p->lane] + (p->bytes > bytes ? (p->bytes + bytes - 1) / bytes : 1);
    if (end > p->arrival) p->arrival = (uint32_t)end;
    last[p->lane] = p->arrival;
    order[i] = (struct ranked){(uint64_t)p->arrival << 8 | p->lane, i};
  }
  return sort_packets(t, order, error);
}

void sluice_trace_release(struct sluice_trace *t) {
  free(t->flows);
  free(t->packets);
  memset(t, 0, sizeof *t);
}
