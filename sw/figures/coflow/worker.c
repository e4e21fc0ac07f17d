// SPDX-License-Identifier: Apache-2.0
#include "worker.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/bytes.h"

// Where things stand in a frame: aggregate.dom, and behind what it reads.
enum { AT_VLAN = 12, AT_IP = 18, AT_UDP = 38, AT_ROUND = 46, AT_MINE = 50, AT_ROW = 52 };
enum { AT_PART = 54, AT_SIGN = 58, AT_WORKER = 60, AT_WORDS = 62, SIGN = 0x5a17, PORT = 0xbeb0 };

struct slot {
  size_t part;     // on its way
  uint32_t round;  // of its last use
  bool waits;
  uint64_t since;
};
struct sluice_worker {
  struct sluice_worker_setup setup;
  struct sluice_worker_counts counts;
  int32_t *vector;
  size_t num, parts, left;  // words, parts; parts that have no sum yet
  struct slot slot[SLUICE_WORKER_SLOTS];
};

struct sluice_worker *sluice_worker_new(const struct sluice_worker_setup *setup) {
  if (setup->workers < 1 || setup->workers > SLUICE_WORKER_MAX || setup->worker >= setup->workers ||
      setup->slots < 1 || setup->slots > SLUICE_WORKER_SLOTS || !setup->send)
    return NULL;
  struct sluice_worker *w = calloc(1, sizeof *w);
  if (w) w->setup = *setup;
  return w;
}

void sluice_worker_free(struct sluice_worker *w) { free(w); }

static void send(struct sluice_worker *w, unsigned slot, uint64_t now) {
  struct slot *s = &w->slot[slot];
  uint8_t frame[SLUICE_WORKER_FRAME] = {0};
  memset(frame, 0xff, 6);  // to all: the chip chooses the ports
  memcpy(frame + 6, (const uint8_t[]){2, 0, 0, 0, 0, (uint8_t)w->setup.worker}, 6);
  sluice_put16(frame + AT_VLAN, 0x8100);
  sluice_put16(frame + AT_VLAN + 2, w->setup.vid);
  sluice_put16(frame + AT_VLAN + 4, 0x0800);
  frame[AT_IP] = 0x45;
  sluice_put16(frame + AT_IP + 2, SLUICE_WORKER_FRAME - AT_IP);
  frame[AT_IP + 8] = 64;
  frame[AT_IP + 9] = 17;
  memcpy(frame + AT_IP + 12, (const uint8_t[]){10, 0, 0, (uint8_t)(w->setup.worker + 1)}, 4);
  memset(frame + AT_IP + 16, 0xff, 4);
  sluice_put16(frame + AT_IP + 10, sluice_fold16(sluice_sum16(frame + AT_IP, 20)));
  sluice_put16(frame + AT_UDP, PORT);
  sluice_put16(frame + AT_UDP + 2, PORT);
  sluice_put16(frame + AT_UDP + 4, SLUICE_WORKER_FRAME - AT_UDP);
  sluice_put32(frame + AT_ROUND, s->round);
  sluice_put16(frame + AT_MINE, slot * SLUICE_WORKER_MAX + w->setup.worker);
  sluice_put16(frame + AT_ROW, slot * 2 + (s->round & 1));
  sluice_put32(frame + AT_PART, (uint32_t)s->part);
  sluice_put16(frame + AT_SIGN, SIGN);
  sluice_put16(frame + AT_WORKER, w->setup.worker);
  for (size_t i = 0; i < SLUICE_WORKER_WORDS; i++) {
    const size_t n = s->part * SLUICE_WORKER_WORDS + i;
    sluice_put32(frame + AT_WORDS + 4 * i, n < w->num ? (uint32_t)w->vector[n] : 0);
  }
  s->since = now;
  w->counts.sent++;
  w->setup.send(w->setup.user, frame, sizeof frame);
}

static void use(struct sluice_worker *w, unsigned slot, size_t part, uint64_t now) {
  struct slot *s = &w->slot[slot];
  if (part >= w->parts) return;
  s->part = part;
  s->round++;
  s->waits = true;
  send(w, slot, now);
}

void sluice_worker_start(struct sluice_worker *w, int32_t *vector, size_t num, uint64_t now) {
  w->vector = vector;
  w->num = num;
  w->parts = w->left = (num + SLUICE_WORKER_WORDS - 1) / SLUICE_WORKER_WORDS;
  for (unsigned s = 0; s < w->setup.slots; s++) use(w, s, s, now);
}

bool sluice_worker_done(const struct sluice_worker *w) { return !w->left; }

// The slot that waits for this frame, or NULL.
static struct slot *slot_of(struct sluice_worker *w, const uint8_t *frame, size_t len) {
  if (len < SLUICE_WORKER_FRAME || sluice_get16(frame + AT_VLAN) != 0x8100 ||
      (sluice_get16(frame + AT_VLAN + 2) & 0xfffu) != w->setup.vid ||
      sluice_get16(frame + AT_UDP + 2) != PORT || sluice_get16(frame + AT_SIGN) != SIGN)
    return NULL;
  const unsigned slot = sluice_get16(frame + AT_ROW) / 2;
  if (slot >= w->setup.slots) return NULL;
  struct slot *s = &w->slot[slot];
  const bool mine = s->waits && sluice_get32(frame + AT_ROUND) == s->round &&
                    sluice_get32(frame + AT_PART) == (uint32_t)s->part;
  return mine ? s : NULL;
}

bool sluice_worker_receive(struct sluice_worker *w, const uint8_t *frame, size_t len,
                           uint64_t now) {
  struct slot *s = slot_of(w, frame, len);
  if (!s) {
    w->counts.ignored++;
    return false;
  }
  for (size_t i = 0; i < SLUICE_WORKER_WORDS; i++) {
    const size_t n = s->part * SLUICE_WORKER_WORDS + i;
    if (n < w->num) w->vector[n] = (int32_t)sluice_get32(frame + AT_WORDS + 4 * i);
  }
  s->waits = false;
  w->left--;
  w->counts.answers++;
  use(w, (unsigned)(s - w->slot), s->part + w->setup.slots, now);
  return true;
}

uint64_t sluice_worker_tick(struct sluice_worker *w, uint64_t now) {
  uint64_t next = UINT64_MAX;
  for (unsigned i = 0; i < w->setup.slots; i++) {
    struct slot *s = &w->slot[i];
    if (!s->waits) continue;
    if (now - s->since >= w->setup.timeout) {
      w->counts.again++;
      send(w, i, now);
    }
    if (s->since + w->setup.timeout < next) next = s->since + w->setup.timeout;
  }
  return next;
}

struct sluice_worker_counts sluice_worker_counts(const struct sluice_worker *w) {
  return w->counts;
}
