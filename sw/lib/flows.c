// SPDX-License-Identifier: Apache-2.0
#include "flows.h"

#include <stdlib.h>

#include "../base/bytes.h"
#include "../base/hash.h"
#include "trace_play.h"

struct flow {
  uint64_t key;
  bool used;
  uint64_t cycle;             // of the last departure
  uint64_t latest, together;  // ticket + 1: latest that left before that cycle, and in it
};

struct sluice_flows {
  struct flow *table;  // open addressing; at most half full
  size_t size, used;
  uint64_t *key_of;  // by ticket
  size_t room;
  uint64_t num, reordered;
  bool failed;
};

struct sluice_flows *sluice_flows_new(void) {
  return calloc(1, sizeof(struct sluice_flows));
}

static struct flow *slot(const struct sluice_flows *f, uint64_t key) {
  size_t i = (key * 0x9e3779b97f4a7c15u) >> 20 & (f->size - 1);
  while (f->table[i].used && f->table[i].key != key) i = (i + 1) & (f->size - 1);
  return &f->table[i];
}

static bool grow(struct sluice_flows *f) {
  struct sluice_flows bigger = *f;
  bigger.size = f->size ? 2 * f->size : 1024;
  bigger.table = calloc(bigger.size, sizeof *bigger.table);
  if (!bigger.table) return false;
  for (size_t i = 0; i < f->size; i++)
    if (f->table[i].used) *slot(&bigger, f->table[i].key) = f->table[i];
  free(f->table);
  *f = bigger;
  return true;
}

void sluice_flows_admitted(struct sluice_flows *f, uint64_t ticket, uint64_t key) {
  if (f->failed || ticket != f->num) return;
  if (f->num == f->room) {
    size_t room = f->room ? 2 * f->room : 4096;
    uint64_t *keys = realloc(f->key_of, room * sizeof *keys);
    if (!keys) {
      f->failed = true;
      return;
    }
    f->key_of = keys;
    f->room = room;
  }
  f->key_of[f->num++] = key;
}

void sluice_flows_left(struct sluice_flows *f, uint64_t ticket, uint64_t cycle) {
  if (f->failed || ticket >= f->num) return;
  if (2 * f->used >= f->size && !grow(f)) {
    f->failed = true;
    return;
  }
  struct flow *flow = slot(f, f->key_of[ticket]);
  if (!flow->used) {
    *flow = (struct flow){.key = f->key_of[ticket], .used = true};
    f->used++;
  }
  if (cycle != flow->cycle) {
    if (flow->together > flow->latest) flow->latest = flow->together;
    flow->together = 0;
    flow->cycle = cycle;
  }
  f->reordered += ticket + 1 < flow->latest;
  if (ticket + 1 > flow->together) flow->together = ticket + 1;
}

uint64_t sluice_flows_reordered(const struct sluice_flows *f) { return f->reordered; }
bool sluice_flows_failed(const struct sluice_flows *f) { return f->failed; }

void sluice_flows_free(struct sluice_flows *f) {
  if (!f) return;
  free(f->table);
  free(f->key_of);
  free(f);
}

static uint64_t add(uint64_t hash, const uint8_t *bytes, size_t first, size_t num, size_t len) {
  const size_t end = first + num < len ? first + num : len;
  return first < end ? sluice_hash64(hash, bytes + first, end - first) : hash;
}

uint64_t sluice_flow_key(const uint8_t *b, size_t len) {
  uint64_t hash = SLUICE_HASH64;
  unsigned type = len >= 18 ? sluice_get16(b + 16) : 0;
  if (type == 0x0800) hash = add(add(hash, b, 27, 1, len), b, 30, 12, len);
  else if (type == SLUICE_TRACE_ETHERTYPE) hash = add(hash, b, SLUICE_TRACE_FLOW, 4, len);
  else hash = add(hash, b, 0, 12, len);
  return hash ^ hash >> 29;
}
