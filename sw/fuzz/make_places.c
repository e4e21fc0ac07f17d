// SPDX-License-Identifier: Apache-2.0
// Entries of the ternary and cuckoo engines that change places while packets come: no packet may
// see a difference.
#include <stdlib.h>
#include <string.h>

#include "../base/cuckoo.h"
#include "make.h"

// ---- what stands where --------------------------------------------------------------------------

static bool has_engine(const struct sluice_config *c, enum sluice_table table, unsigned stage) {
  return (table == SLUICE_TABLE_TERNARY ? c->TernaryStages : c->CuckooStages) >> stage & 1;
}

bool make_places_open(struct make *m) {
  const struct sluice_config *c = m->config;
  for (unsigned stage = 0; stage < make_all_stages(m); stage++)
    for (unsigned t = 0; t < 2; t++) {
      const enum sluice_table table = t ? SLUICE_TABLE_CUCKOO : SLUICE_TABLE_TERNARY;
      if (!has_engine(c, table, stage)) continue;
      m->places[t][stage] = calloc(sluice_table_rows(table, c), sluice_table_bytes(table));
      if (!m->places[t][stage]) return false;
    }
  return true;
}

void make_places_close(struct make *m) {
  for (unsigned stage = 0; stage < SLUICE_MAX_STAGES; stage++)
    for (unsigned t = 0; t < 2; t++) free(m->places[t][stage]);
}

uint8_t *make_place(const struct make *m, enum sluice_table table, unsigned stage, unsigned index) {
  uint8_t *all = m->places[table == SLUICE_TABLE_CUCKOO][stage];
  return all ? all + (size_t)index * sluice_table_bytes(table) : NULL;
}

void make_replay(struct make *m, const struct fuzz_frames *frames, size_t from) {
  for (size_t i = from; i < frames->num; i++) {
    const struct fuzz_frame *f = &frames->items[i];
    struct sluice_reconfig p;
    if (sluice_reconfig_decode(&p, f->bytes, f->len, NULL) || p.op != SLUICE_CHAIN_WRITE) continue;
    if ((p.table != SLUICE_TABLE_TERNARY && p.table != SLUICE_TABLE_CUCKOO) ||
        p.stage >= SLUICE_MAX_STAGES)
      continue;
    for (unsigned n = 0; n < p.num_entries && p.index + n < sluice_table_rows(p.table, m->config);
         n++) {
      uint8_t *place = make_place(m, p.table, p.stage, p.index + n);
      if (place) memcpy(place, sluice_reconfig_entry(&p, n), sluice_table_bytes(p.table));
    }
  }
}

struct make_entry make_entry(enum sluice_table table, const uint8_t *e) {
  if (table == SLUICE_TABLE_TERNARY)
    return (struct make_entry){SLUICE_GET(e, TERNARY, VALID), (unsigned)SLUICE_GET(e, TERNARY, VID),
                               (unsigned)SLUICE_GET(e, TERNARY, NOT_BANK)};
  return (struct make_entry){SLUICE_GET(e, CUCKOO, VALID), (unsigned)SLUICE_GET(e, CUCKOO, VID),
                             (unsigned)SLUICE_GET(e, CUCKOO, NOT_BANK)};
}

// ---- moves --------------------------------------------------------------------------------------

enum { AGAIN = 16 };  // entries in a row, at most

// An engine of a stage.
struct engine {
  enum sluice_table table;
  unsigned stage, size;
};

static bool is_used(const struct make *m, const struct engine *g, unsigned index) {
  return make_entry(g->table, make_place(m, g->table, g->stage, index)).valid;
}

static void send_entry(struct make *m, const struct engine *g, unsigned index, const uint8_t *entry,
                       uint64_t at) {
  struct sluice_frame *frame = &(struct sluice_frame){0};
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, g->table, g->stage, index);
  sluice_reconfig_append(frame, g->table, entry);
  sluice_reconfig_finish(frame);
  fuzz_append(m->c, &m->c->marking, frame->bytes, frame->len, at);
  memcpy(make_place(m, g->table, g->stage, index), entry, sluice_table_bytes(g->table));
}

static void send_read(struct make *m, const struct engine *g, unsigned index, uint64_t at) {
  struct sluice_frame *frame = &(struct sluice_frame){0};
  unsigned count = chance(m, 60) ? 1 : 1 + pick(m, 12);
  if (index + count > g->size && chance(m, 90)) count = g->size - index;
  sluice_reconfig_read(frame, g->table, g->stage, index, count, pick(m, m->config->NumPipes),
                       pick(m, 65536));
  fuzz_append(m->c, &m->c->marking, frame->bytes, frame->len, at);
}

// Entries from this one on are written again, as they are.
static void send_again(struct make *m, const struct engine *g, unsigned index, uint64_t at) {
  struct sluice_frame *frame = &(struct sluice_frame){0};
  unsigned num = 1 + pick(m, AGAIN);
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, g->table, g->stage, index);
  for (; num && index < g->size; num--, index++)
    if (!sluice_reconfig_append(frame, g->table, make_place(m, g->table, g->stage, index))) break;
  sluice_reconfig_finish(frame);
  fuzz_append(m->c, &m->c->marking, frame->bytes, frame->len, at);
}

// An entry that nobody sees: full of anything, not in use.
static void make_unused(struct make *m, enum sluice_table table, uint8_t *entry) {
  memset(entry, 0, SLUICE_ENTRY_BYTES);
  if (chance(m, 50)) return;
  for (unsigned i = 0; i < sluice_table_bytes(table); i++) entry[i] = (uint8_t)pick(m, 256);
  if (table == SLUICE_TABLE_TERNARY) SLUICE_SET(entry, TERNARY, VALID, 0);
  else SLUICE_SET(entry, CUCKOO, VALID, 0);
}

static uint64_t hash_of(const uint8_t *entry) {
  uint64_t key[SLUICE_CUCKOO_KEY_WORDS] = {0};
  for (unsigned b = 0; b < SLUICE_KEY_BITS; b++)
    key[b / 64] |= sluice_entry_get(entry, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB + b,
                                    SLUICE_CUCKOO_KEY_LSB + b)
                   << b % 64;
  return sluice_cuckoo_hash((unsigned)SLUICE_GET(entry, CUCKOO, VID), key);
}

// Whether an entry in use may go from one of its buckets to another: it is free, and none between
// them may hold its key as well, which would win, or lose, then.
static bool cuckoo_target(struct make *m, const struct engine *g, unsigned from, unsigned *to) {
  const uint64_t hash = hash_of(make_place(m, g->table, g->stage, from));
  const unsigned way = from / (g->size / SLUICE_CUCKOO_WAYS),
                 other = (way + 1 + pick(m, SLUICE_CUCKOO_WAYS - 1)) % SLUICE_CUCKOO_WAYS;
  if (sluice_cuckoo_entry(hash, way, g->size) != from) return false;  // it is in a wrong bucket
  *to = sluice_cuckoo_entry(hash, other, g->size);
  if (is_used(m, g, *to)) return false;
  for (unsigned w = (way < other ? way : other) + 1; w < (way < other ? other : way); w++)
    if (is_used(m, g, sluice_cuckoo_entry(hash, w, g->size))) return false;
  return true;
}

// The same of a ternary entry: none of its module is in between.
static bool ternary_target(struct make *m, const struct engine *g, unsigned from, unsigned *to) {
  const unsigned vid = make_entry(g->table, make_place(m, g->table, g->stage, from)).vid;
  *to = pick(m, g->size);
  if (*to == from || is_used(m, g, *to)) return false;
  for (unsigned n = (from < *to ? from : *to) + 1; n < (from < *to ? *to : from); n++)
    if (is_used(m, g, n) && make_entry(g->table, make_place(m, g->table, g->stage, n)).vid == vid)
      return false;
  return true;
}

static bool pick_engine(struct make *m, struct engine *g) {
  const unsigned stages = make_all_stages(m), first = pick(m, 2 * stages);
  for (unsigned n = 0; n < 2 * stages; n++) {
    const unsigned k = (first + n) % (2 * stages);
    *g = (struct engine){k % 2 ? SLUICE_TABLE_CUCKOO : SLUICE_TABLE_TERNARY, k / 2, 0};
    g->size = sluice_table_rows(g->table, m->config);
    if (has_engine(m->config, g->table, g->stage)) return true;
  }
  return false;
}

// The place of an entry in use, if there is one.
static bool pick_used(struct make *m, const struct engine *g, unsigned *index) {
  const unsigned first = pick(m, g->size);
  for (unsigned n = 0; n < g->size; n++) {
    *index = (first + n) % g->size;
    if (is_used(m, g, *index)) return true;
  }
  return false;
}

static void make_move(struct make *m, uint64_t *at) {
  struct engine g;
  unsigned from, to;
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  if (!pick_engine(m, &g)) return;
  if (chance(m, 10)) send_read(m, &g, pick(m, g.size), *at);
  if (!pick_used(m, &g, &from)) return;
  memcpy(entry, make_place(m, g.table, g.stage, from), sluice_table_bytes(g.table));
  if (chance(m, 25)) {
    send_again(m, &g, from, *at);
  } else if (g.table == SLUICE_TABLE_CUCKOO ? cuckoo_target(m, &g, from, &to)
                                            : ternary_target(m, &g, from, &to)) {
    send_entry(m, &g, to, entry, *at);
    if (chance(m, 30)) *at += pick(m, 100);
    if (chance(m, 10)) send_read(m, &g, chance(m, 50) ? from : to, *at);
    make_unused(m, g.table, entry);
    send_entry(m, &g, from, entry, *at);
  }
}

void make_entry_moves(struct make *m) {
  const unsigned num = PICK(m, 40, 100, 200, 400), burst = PICK(m, 1, 1, 4, 20);
  const uint64_t cycles = make_traffic_cycles(m->c);
  const unsigned every = (unsigned)((cycles < 1000000 ? cycles : 1000000) / num) + 1;
  uint64_t at = 0;
  for (unsigned n = 0; n < num; n++) {
    // Spread over the traffic, or several together and then none for a while.
    if (n % burst == 0) at += pick(m, 2 * every * burst);
    make_move(m, &at);
  }
}
