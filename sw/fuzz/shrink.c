// SPDX-License-Identifier: Apache-2.0
// Makes a failing case smaller, by delta debugging: what can be left out is left out, in large
// pieces first. Every step is kept only if the case still fails.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../lib/reconfig.h"
#include "fuzz.h"

struct shrink {
  struct fuzz_case *c;
  unsigned tries, most;
  double until;
  fuzz_fails *fails;
  void *context;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool over(const struct shrink *s) { return s->tries >= s->most || now() > s->until; }

static bool fails(struct shrink *s, uint64_t *packet) {
  s->tries++;
  return s->fails(s->context, s->c, packet);
}

// Tries without the frames first..first+num-1. Returns whether they stay away.
static bool without(struct shrink *s, struct fuzz_frames *list, size_t first, size_t num) {
  struct fuzz_frame *kept = malloc((num + 1) * sizeof *kept);
  if (!kept) return false;
  uint64_t packet;
  struct fuzz_frame *at = list->items + first;
  memcpy(kept, at, num * sizeof *kept);
  memmove(at, at + num, (list->num - first - num) * sizeof *kept);
  list->num -= num;
  bool gone = fails(s, &packet);
  if (!gone) {
    memmove(at + num, at, (list->num - first) * sizeof *kept);
    memcpy(at, kept, num * sizeof *kept);
    list->num += num;
  }
  free(kept);
  return gone;
}

// Halves, quarters, ... from the end, until single frames; `most` bounds the tries of this list.
static void shrink_list(struct shrink *s, struct fuzz_frames *list, unsigned most) {
  unsigned end = s->tries + most;
  for (size_t piece = (list->num + 1) / 2; piece > 0; piece /= 2) {
    size_t at = list->num;
    while (at > 0) {
      if (over(s) || s->tries >= end) return;
      size_t num = at < piece ? at : piece;
      at -= num;
      without(s, list, at, num);
    }
  }
}

// What comes long after the first wrong packet is not needed.
static void cut(struct shrink *s) {
  struct fuzz_frames *list = &s->c->packets;
  uint64_t packet = UINT64_MAX;
  if (!fails(s, &packet) || packet >= list->num) return;
  for (unsigned more = 1; more <= 256 && !over(s); more *= 16)
    if (packet + more < list->num &&
        without(s, list, (size_t)packet + more, list->num - (size_t)packet - more))
      return;
}

static void shrink_play(struct shrink *s) {
  struct fuzz_play plain = fuzz_play_plain(), kept = s->c->play;
  uint64_t packet;
  for (unsigned i = 0; i < 10 && !over(s); i++) {
    struct fuzz_play *p = &s->c->play, before = *p;
    switch (i) {
      case 0: *p = plain; break;
      case 1: p->malformed = 0; break;
      case 2: p->stall = 0; break;
      case 3: p->by_time = false; break;
      case 4: p->hash_lanes = false; break;
      case 5: p->load = 1.0; break;
      case 6: p->pace = -1; break;
      case 7: p->brake = -1; break;
      case 8: p->lane_limit = -1; break;
      default: p->output_limit = -1; break;
    }
    if (memcmp(p, &before, sizeof before) != 0 && !fails(s, &packet)) *p = before;
    if (i == 0 && memcmp(p, &kept, sizeof kept) != 0) return;
  }
}

// Packets with many entries become packets with one: so that entries can go one by one.
static void split(struct shrink *s) {
  struct fuzz_case *c = s->c;
  struct fuzz_frames old = c->control;
  c->control = (struct fuzz_frames){0};
  for (size_t i = 0; i < old.num; i++) {
    const struct fuzz_frame *f = &old.items[i];
    struct sluice_reconfig p;
    struct sluice_frame *one = &(struct sluice_frame){0};
    if (sluice_reconfig_decode(&p, f->bytes, f->len, NULL) || p.op != SLUICE_CHAIN_WRITE ||
        p.table == SLUICE_NUM_TABLES || p.num_entries < 2) {
      fuzz_append(c, &c->control, f->bytes, f->len, f->time_ns);
      continue;
    }
    for (unsigned n = 0; n < p.num_entries; n++) {
      sluice_reconfig_begin(one, p.op, p.table, p.stage, p.index + n);
      SLUICE_RECONFIG_SET(one, ROW, p.row);
      sluice_reconfig_append(one, p.table, sluice_reconfig_entry(&p, n));
      sluice_reconfig_finish(one);
      fuzz_append(c, &c->control, one->bytes, one->len, f->time_ns);
    }
  }
  uint64_t packet;
  if (fails(s, &packet)) {
    free(old.items);
  } else {
    free(c->control.items);
    c->control = old;
  }
}

// Slots of action words, moves of parser entries: tries each one empty.
static void shrink_entries(struct shrink *s) {
  struct fuzz_frames *list = &s->c->control;
  for (size_t i = 0; i < list->num; i++) {
    struct sluice_reconfig p;
    struct fuzz_frame *f = &list->items[i];
    if (sluice_reconfig_decode(&p, f->bytes, f->len, NULL) || p.op != SLUICE_CHAIN_WRITE ||
        p.num_entries != 1)
      continue;
    unsigned parts = p.table == SLUICE_TABLE_ACTION ? 25 : 10;
    if (p.table != SLUICE_TABLE_ACTION && p.table != SLUICE_TABLE_PARSER &&
        p.table != SLUICE_TABLE_DEPARSER)
      continue;
    unsigned bits = sluice_tables[p.table].bits, each = bits / parts;
    uint8_t *entry = f->bytes + (p.entries - f->bytes);
    for (unsigned n = 0; n < parts && !over(s); n++) {
      uint64_t packet, word = sluice_entry_get(entry, bits, each * n + each - 1, each * n);
      if (!word) continue;
      sluice_entry_set(entry, bits, each * n + each - 1, each * n, 0);
      if (!fails(s, &packet)) sluice_entry_set(entry, bits, each * n + each - 1, each * n, word);
    }
  }
}

unsigned fuzz_shrink(struct fuzz_case *c, const struct fuzz_effort *effort, fuzz_fails *fails_fn,
                     void *context) {
  struct shrink s = {.c = c,
                     .most = effort->tries,
                     .until = now() + effort->seconds,
                     .fails = fails_fn,
                     .context = context};
  unsigned third = effort->tries / 3;
  cut(&s);
  shrink_list(&s, &c->packets, third);
  shrink_play(&s);
  if (!over(&s)) split(&s);
  shrink_list(&s, &c->control, third);
  shrink_list(&s, &c->packets, third / 2);
  shrink_entries(&s);
  return s.tries;
}
