// SPDX-License-Identifier: Apache-2.0
// Stimulus and checks for sluice_ingress: this file plays the ports, the order point, the
// deparsers, the output lanes, the chain and the control bus. Called once a cycle (ingress_tick).
//
// Order of things in a call for cycle c: the model is advanced to cycle c - 2 of the bus, because
// the device tells then whether a packet had room; outputs of cycle c are checked; inputs of c + 1
// are drawn.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sw/base/layouts.h"
#include "model.h"

enum {
  MAX_PIPES = 16,
  MAX_SLOTS = 8192,
  QUEUE = 16384,
  RING = 64,
  DONE_DELAY = 2,   // cycles after the last beat on the bus
  FREE_DELAY = 16,  // cycles that a freed slot may take to be free again
  NUM_PHASES = 23
};

struct queue {
  unsigned head, tail;
  unsigned v[QUEUE];
};
static bool q_any(const struct queue *q) { return q->head != q->tail; }
static void q_push(struct queue *q, unsigned v) {
  q->v[q->tail] = v;
  q->tail = (q->tail + 1) % QUEUE;
}
static unsigned q_pop(struct queue *q) {
  unsigned v = q->v[q->head];
  q->head = (q->head + 1) % QUEUE;
  return v;
}

// A packet that ended on the bus and is on its way to the item.
struct ended {
  struct packet packet;
  unsigned reason;
  uint64_t last_cycle;
};

struct stored {
  bool used;
  unsigned copies, len, steps;
  uint8_t bytes[9216];
};

struct lane {
  // port
  struct packet send;
  unsigned sent, gap_at, err_at;  // beats with a gap, and marked bad
  bool sending;
  // model of the bus side, two cycles late
  struct packet *in;
  unsigned in_beats;
  bool in_lane_full, in_sure;
  unsigned in_cells;  // cells in use at its first beat, at most
  unsigned waiting;
  bool pop_ring[RING], beat_ring[RING], last_ring[RING], err_ring[RING], ready_ring[RING];
  uint64_t keep_ring[RING];
  uint32_t cycle_ring[RING];
  uint8_t data_ring[RING][64];
  unsigned port_ring[RING];
  struct ended ended[16];
  unsigned ended_head, ended_tail;
  // room: at most what the model counts is in use
  unsigned slots_max, cells_max, cells_pending, high_queue;
  uint64_t free_time;
  struct queue free_at;
  // behind the lane
  struct queue items, discards, deparse, copies, want[MAX_PIPES], asked[MAX_PIPES];
  unsigned beat[MAX_PIPES];
  bool reading;                               // a header read is drawn for the next cycle
  unsigned steps_left, first_step, deparsed;  // of packet `deparsed`
  int read_slot;                              // the header that comes in this cycle, or -1
  unsigned read_step;
  uint64_t next_copies;  // copies_* comes at the deparser's rate
  struct stored *slot;
  // counts
  unsigned packets, accepted, bytes, drops[16];
  // the drop that must come in the next cycle
  bool drop, drop_known, enter;
  unsigned entered;  // entry of the packet that the filter let pass
  unsigned drop_reason, drop_row;
};

static unsigned K, lane_depth, num_slots, num_cells, num2, num4, num6, out_lane, in_lane;
// Bytes of a header, of a beat, of what one header read gives; header reads of a packet; the
// longest packet that the packet buffer holds.
static unsigned header_bytes, beat_bytes, step_bytes, steps, longest;
static unsigned item_delay;  // cycles after the last beat on the bus
// First words of a lane's bundles: bytes of a beat on the bus, requests; header, bodies.
static unsigned in_data = 6, in_req, out_header = 29, out_body;
static struct lane *lanes;
static struct tables tables;
static uint64_t rng, now;
static bool failed;
static uint32_t base_cycle;

enum { SIZE_64, SIZE_SHORT, SIZE_ANY, SIZE_ONE_CELL, SIZE_JUMBO, SIZE_FRAME, SIZE_BODY, NUM_SIZES };

// What a phase of the test is like; chances in 256.
static struct knob {
  const char *name;
  unsigned cycles, start, gap, pop, discard_front, discard, deparse, ready, bad, size_mode, limit,
      ecn;
  bool lossless;  // nothing may be lost for want of room
  bool one_copy;  // to output lane 0
} knob;

static unsigned rnd(unsigned n) {
  rng ^= rng << 13;
  rng ^= rng >> 7;
  rng ^= rng << 17;
  return n ? (unsigned)((rng * 0x2545f4914f6cdd1dull) >> 33) % n : 0;
}
static bool chance(unsigned of_256) { return rnd(256) < of_256; }

static void fail(const char *format, ...) {
  if (failed) return;
  failed = true;
  va_list args;
  va_start(args, format);
  printf("FAIL cycle %llu, phase %s: ", (unsigned long long)now, knob.name);
  vprintf(format, args);
  printf("\n");
  va_end(args);
}

static unsigned min_u(unsigned a, unsigned b) { return a < b ? a : b; }
static unsigned beats_of(unsigned len) { return (len + beat_bytes - 1) / beat_bytes; }
static unsigned cells_of(unsigned len) {
  return len <= header_bytes ? 0 : beats_of(len - header_bytes);
}
static uint64_t full_keep(void) { return ~0ull >> (64 - beat_bytes); }

// ---- port ---------------------------------------------------------------------------------------

static void new_packet(struct lane *l) {
  struct packet *p = &l->send;
  const unsigned h = header_bytes, b = beat_bytes;
  const unsigned edges[] = {64,        65,          h - 1,     h,         h + 1,
                            h + b - 1, h + b,       h + b + 1, h + 2 * b, h + 3 * b,
                            longest,   longest + 1, 1518,      9215,      9216};
  memset(p->bytes, 0, sizeof p->bytes);
  switch (knob.size_mode) {
    case SIZE_64: p->len = 64; break;
    case SIZE_SHORT: p->len = 64 + rnd(min_u(200, num_cells / num_slots * b)); break;
    case SIZE_ANY:
      p->len = chance(100)   ? edges[rnd(15)]
               : chance(128) ? 64 + rnd(100)
                             : 64 + rnd(min_u(1455, longest));
      break;
    case SIZE_ONE_CELL: p->len = h + 1 + rnd(b); break;
    case SIZE_JUMBO: p->len = (chance(16) ? 9216 : longest) - rnd(2) * rnd(longest / 2); break;
    case SIZE_BODY: p->len = h + 1 + rnd(b * (1 + rnd(min_u(32, num_cells / 2)))); break;
    default: p->len = longest > 1518 ? 1400 + rnd(119) : 120 + rnd(70); break;
  }
  if (p->len < 64) p->len = 64;
  if (p->len > 9216) p->len = 9216;
  l->gap_at = l->err_at = ~0u;
  if (chance(knob.bad)) {
    const unsigned what = rnd(6);
    if (what <= 1) p->len = 1 + rnd(63);
    if (what == 2) p->len = 9217 + rnd(150);
    if (what == 3) p->len = 9217 + rnd(64);
    if (what == 1 || what == 4) l->gap_at = rnd(beats_of(p->len));
    if (what == 5) l->err_at = rnd(beats_of(p->len));
  }
  for (unsigned i = 0; i < p->len; i++) p->bytes[i] = rnd(256);
  const unsigned entry = rnd(tables.rows * tables.banks);
  const unsigned vid = chance(250) ? tables.module[entry].vid : rnd(4096);
  if (chance(250)) p->bytes[12] = 0x81, p->bytes[13] = 0x00;
  p->bytes[14] = (p->bytes[14] & 0xf0) | vid >> 8;
  p->bytes[15] = vid & 0xff;
  if (chance(240)) p->bytes[16] = 0x08, p->bytes[17] = 0x00;
  if (chance(200)) p->bytes[27] = 0x11;
  if (chance(8)) p->bytes[40] = 0xf1, p->bytes[41] = 0xf2;
  memset(p->bytes + p->len, 0, sizeof p->bytes - p->len);
  l->sent = 0;
  l->sending = true;
}

static void drive_bus(struct lane *l, unsigned lane, uint32_t *in, bool quiet) {
  const unsigned r = (now + 1) % RING;
  l->beat_ring[r] = false;
  if (!l->sending && !quiet && chance(knob.start)) new_packet(l);
  if (!l->sending || chance(knob.gap)) return;
  const unsigned beat = l->sent / beat_bytes, bytes = min_u(beat_bytes, l->send.len - l->sent);
  const bool last = l->sent + bytes == l->send.len, err = beat == l->err_at;
  uint64_t keep = full_keep() >> (beat_bytes - bytes);
  if (beat == l->gap_at) {
    const unsigned at = rnd(bytes), top = beat_bytes - 1;
    keep &= ~(1ull << at);
    if (bytes <= top && at == bytes - 1) keep |= 1ull << top;  // else it would only be shorter
    if (bytes > top && at == top) keep &= ~1ull;
    // No gap, but something is missing: wrong before the end. Or nothing at all.
    if (!last && rnd(3) == 0) keep = full_keep() >> (1 + rnd(top));
    if (rnd(8) == 0) keep = 0;
  }
  uint8_t data[64];
  for (unsigned i = 0; i < beat_bytes; i++)
    data[i] = i < bytes ? l->send.bytes[l->sent + i] : rnd(256);
  const unsigned port = lane + K * rnd(12);
  in[0] |= 1 | last << 1 | (unsigned)err << 2 | port << 8;
  in[4] = (uint32_t)keep;
  in[5] = keep >> 32;
  memcpy(&in[in_data], data, beat_bytes);
  l->beat_ring[r] = true;
  l->last_ring[r] = last;
  l->err_ring[r] = err;
  l->keep_ring[r] = keep;
  l->port_ring[r] = port;
  memcpy(l->data_ring[r], data, beat_bytes);
  l->sent += bytes;
  if (last) l->sending = false;
}

// ---- the model of port and filter, and the check of done and arrive -----------------------------

static void release(struct lane *l, unsigned slot) {
  struct stored *s = &l->slot[slot];
  if (!s->used) return fail("test: slot %u freed twice", slot);
  s->used = false;
  l->free_time = (l->free_time > now ? l->free_time : now) + (s->len > header_bytes ? 2 : 1);
  q_push(&l->free_at, (unsigned)(l->free_time + FREE_DELAY));
  l->cells_pending += cells_of(s->len);
}

static void advance_room(struct lane *l) {
  while (q_any(&l->free_at) && l->free_at.v[l->free_at.head] <= now) {
    q_pop(&l->free_at);
    l->slots_max--;
  }
  // The order in which slots are freed is the device's: cells count when nothing is left to free.
  if (!q_any(&l->free_at)) {
    l->cells_max -= l->cells_pending;
    l->cells_pending = 0;
  }
}

static void advance_bus(struct lane *l, const uint32_t *out) {
  const bool done = out[0] >> 2 & 1;
  const unsigned reason = out[0] >> 4 & 15;
  const bool arrive = out[0] & 1;
  advance_room(l);
  if (now < DONE_DELAY) return;
  const unsigned r = (now - DONE_DELAY) % RING;
  if (l->pop_ring[r]) l->waiting--;
  const bool last = l->beat_ring[r] && l->last_ring[r];
  if (done != last) fail("done %d, expected %d", done, last);
  if (arrive != (done && reason == 0))
    fail("arrive %d with done %d, reason %u", arrive, done, reason);
  if (!l->beat_ring[r]) return;

  struct packet *p = l->in;
  if (l->in_beats == 0) {
    memset(p, 0, sizeof *p);
    l->in_lane_full = l->waiting == lane_depth;
    l->in_sure = l->slots_max < num_slots;
    l->in_cells = l->cells_max;
  }
  const unsigned at = beat_bytes * min_u(l->in_beats, MAX_PACKET / beat_bytes - 1);
  for (unsigned i = 0; i < beat_bytes; i++)
    if (l->keep_ring[r] >> i & 1) p->bytes[at + i] = l->data_ring[r][i];
  const uint64_t keep = l->keep_ring[r];
  if (l->err_ring[r] || (last ? keep == 0 || (keep & (keep + 1)) : keep != full_keep()))
    p->malformed = true;
  p->len += __builtin_popcountll(keep);
  l->in_beats++;
  if (!last) return;

  l->in_beats = 0;
  p->port = l->port_ring[r];
  p->arrival = l->cycle_ring[r];
  p->ready = l->ready_ring[r];
  unsigned expected = model_port(p);
  if (!expected && l->in_lane_full) expected = SLUICE_DROP_LANE_FULL;
  const bool sure = l->in_sure && l->in_cells + cells_of(p->len) <= num_cells;
  if (!expected && reason == SLUICE_DROP_BUFFER_FULL) {
    if (sure)
      fail("BUFFER_FULL with at most %u slots and %u cells in use, packet of %u bytes",
           l->slots_max, l->in_cells, p->len);
    expected = reason;
  }
  if (reason != expected)
    fail("reason %u, expected %u, length %u, waiting %u", reason, expected, p->len, l->waiting);

  if (knob.lossless && (reason == SLUICE_DROP_BUFFER_FULL || reason == SLUICE_DROP_LANE_FULL))
    fail("reason %u at a rate that can be sustained", reason);

  bool known;
  p->entry = model_entry(&tables, p);
  const unsigned filter = model_filter(&tables, p, &known);
  l->packets++;
  struct ended *e = &l->ended[l->ended_tail++ % 16];
  e->packet = *p;
  e->reason = expected ? expected : filter;
  e->last_cycle = now - DONE_DELAY;
  if (e->reason <= SLUICE_DROP_OVERSIZED) known = false;  // the bytes of a bad packet name nobody
  if (e->reason) {
    l->drop = true;
    l->drop_known = known;
    l->drop_reason = e->reason;
    l->drop_row = model_vid(p) % tables.rows;
    l->drops[e->reason]++;
  } else {
    l->enter = true;
    l->entered = p->entry;
  }
  if (expected) {
    l->ended_tail--;
    return;
  }
  l->accepted++;
  l->bytes += p->len;
  l->waiting++;
  l->slots_max++;
  l->cells_max += cells_of(p->len);
}

// ---- items and drops ----------------------------------------------------------------------------

static uint64_t field(const uint32_t *words, unsigned bits, unsigned index) {
  uint64_t v = 0;
  for (unsigned b = 0; b < bits; b++) {
    const unsigned at = bits * index + b;
    v |= (uint64_t)(words[at / 32] >> at % 32 & 1) << b;
  }
  return v;
}

static void check_container(const uint32_t *words, unsigned bits, unsigned index, uint64_t value) {
  const uint64_t got = field(words, bits, index);
  if (got != value)
    fail("container %u of %u bits is %llx, not %llx", index, bits, (unsigned long long)got,
         (unsigned long long)value);
}

static void check_item(struct lane *l, unsigned lane, const uint32_t *out) {
  const bool valid = out[0] >> 8 & 1;
  const bool due = l->ended_head != l->ended_tail &&
                   l->ended[l->ended_head % 16].last_cycle + item_delay == now;
  if (valid != due) fail("lane %u: item %d, expected %d", lane, valid, due);
  if (!valid || !due) return;
  const struct ended *e = &l->ended[l->ended_head++ % 16];
  const struct packet *p = &e->packet;
  const unsigned slot = out[2] >> 16;
  const unsigned vid = model_vid(p) & 0xff;
  if ((out[0] >> 12 & 15) != e->reason)
    fail("item's reason %u, expected %u", out[0] >> 12 & 15, e->reason);
  if (slot >= num_slots || l->slot[slot].used) return fail("slot %u was not free", slot);
  l->slot[slot].used = true;
  l->slot[slot].len = p->len;
  l->slot[slot].steps = 0;
  memcpy(l->slot[slot].bytes, p->bytes, 9216);
  q_push(&l->items, slot | e->reason << 16);
  if ((out[1] & 0x3fff) != p->len || (out[1] >> 16 & 0xf) != lane || (out[2] & 0xff) != p->port ||
      (out[0] >> 29 & 1))
    fail("lane %u: metadata: length %u, lane %u, port %u", lane, out[1] & 0x3fff,
         out[1] >> 16 & 0xf, out[2] & 0xff);
  if (e->reason) return;
  if (out[1] >> 24 != vid || (out[2] >> 8 & 0xff) != tables.module[p->entry].dest)
    fail("vid %u dest %u, expected vid %u", out[1] >> 24, out[2] >> 8 & 0xff, vid);
  const unsigned set = tables.module[p->entry].pipe % K;
  if ((out[1] >> 20 & 0xf) != set)
    fail("vid %u: pipeline of its set %u, expected %u", vid, out[1] >> 20 & 0xf, set);
  if ((out[0] >> 30 & 1) != p->entry / tables.rows)
    fail("vid %u: bank %u, expected %u", vid, out[0] >> 30 & 1, p->entry / tables.rows);
  struct containers c;
  model_parse(&tables, p, &c);
  for (unsigned i = 0; i < 8; i++) {
    if (i < num2) check_container(out + 3, 16, i, c.b2[i]);
    if (i < num4) check_container(out + 7, 32, i, c.b4[i]);
    if (i < num6) check_container(out + 15, 48, i, c.b6[i]);
  }
}

// A drop leaves in the cycle after the verdict.
static void check_drop(struct lane *l, const uint32_t *out) {
  const bool valid = out[0] >> 16 & 1, known = out[0] >> 17 & 1;
  const unsigned reason = out[0] >> 20 & 15, row = out[0] >> 24 & 31;
  if (valid != l->drop) fail("drop %d, expected %d", valid, l->drop);
  // The row means nothing when no module is known.
  if (valid && l->drop &&
      (reason != l->drop_reason || known != l->drop_known || (known && row != l->drop_row)))
    fail("drop for reason %u, row %u (known: %d), expected reason %u, row %u (known: %d)", reason,
         row, known, l->drop_reason, l->drop_row, l->drop_known);
  l->drop = false;
  const bool enter = out[27] >> 31;
  const unsigned entered = out[27] >> 16 & 63;
  if (enter != l->enter || (enter && entered != l->entered))
    fail("entry %u: a packet enters: %d, expected %d in entry %u", entered, enter, l->enter,
         l->entered);
  l->enter = false;
}

// ---- order point, deparser, output lanes --------------------------------------------------------

static void drive_order(struct lane *l, uint32_t *in) {
  const unsigned r = (now + 1) % RING;
  l->pop_ring[r] = false;
  if (q_any(&l->items) && chance(knob.pop)) {
    const unsigned item = q_pop(&l->items);
    in[0] |= 1 << 3;
    l->pop_ring[r] = true;
    q_push(item >> 16 || chance(knob.discard_front) ? &l->discards : &l->deparse, item & 0xffff);
  }
  if (q_any(&l->discards) && chance(knob.discard)) {
    const unsigned slot = q_pop(&l->discards);
    in[0] |= 1 << 4;
    in[1] |= slot;
    release(l, slot);
  }
}

static void drive_deparser(struct lane *l, const uint32_t *out, uint32_t *in) {
  if (l->read_slot >= 0) {
    const uint8_t *got = (const uint8_t *)(out + out_header);
    struct stored *s = &l->slot[l->read_slot];
    if (memcmp(got, s->bytes + step_bytes * l->read_step, step_bytes))
      fail("header of slot %d is wrong in step %u (length %u)", l->read_slot, l->read_step, s->len);
    if (++s->steps == steps) q_push(&l->copies, l->read_slot);
    l->read_slot = -1;
  }
  if (in[0] & 1 << 5) l->read_slot = in[1] >> 16, l->read_step = in[3] >> 16, l->reading = false;
}

// The steps of a header one after the other; mostly, but not always, the first one first.
static void draw_deparser(struct lane *l, uint32_t *in) {
  if ((l->steps_left || q_any(&l->deparse)) && chance(knob.deparse)) {
    if (!l->steps_left) {
      l->deparsed = q_pop(&l->deparse);
      l->steps_left = steps;
      l->first_step = chance(64) ? rnd(steps) : 0;
    }
    in[0] |= 1 << 5;
    in[1] |= l->deparsed << 16;
    in[3] |= (l->first_step + steps - l->steps_left) % steps << 16;
    l->steps_left--;
    l->reading = true;
  }
  if (q_any(&l->copies) && now >= l->next_copies && chance(knob.deparse)) {
    const unsigned slot = q_pop(&l->copies);
    struct stored *s = &l->slot[slot];
    const unsigned some = chance(40) ? 0 : chance(180) ? 1 : 1 + rnd(5);
    const unsigned count = s->len <= header_bytes ? 0 : knob.one_copy ? 1 : some;
    in[0] |= 1 << 6 | count << 16;
    in[2] |= slot;
    s->copies = count;
    l->next_copies = now + steps;
    if (!count) release(l, slot);
    for (unsigned i = 0; i < count; i++) q_push(&l->want[knob.one_copy ? 0 : rnd(K)], slot);
  }
}

static void check_bodies(struct lane *l, const uint32_t *in, const uint32_t *out) {
  for (unsigned p = 0; p < K; p++) {
    if (in[3] >> p & 1 && out[27] >> p & 1) q_push(&l->asked[p], q_pop(&l->want[p]));
    if (!(out[28] >> p & 1) || !(in[2] >> (16 + p) & 1)) continue;
    if (!q_any(&l->asked[p])) {
      fail("a beat that nobody asked for");
      continue;
    }
    const unsigned slot = l->asked[p].v[l->asked[p].head];
    struct stored *s = &l->slot[slot];
    const unsigned at = header_bytes + beat_bytes * l->beat[p],
                   bytes = min_u(beat_bytes, s->len - at);
    if (memcmp(out + out_body + beat_bytes / 4 * p, s->bytes + at, bytes))
      fail("body of slot %u is wrong at byte %u of %u", slot, at, s->len);
    const bool last = at + beat_bytes >= s->len;
    if ((out[28] >> (16 + p) & 1) != last) fail("last is wrong at byte %u of %u", at, s->len);
    l->beat[p]++;
    if (!last) continue;
    l->beat[p] = 0;
    q_pop(&l->asked[p]);
    if (--s->copies == 0) release(l, slot);
  }
}

static void draw_bodies(struct lane *l, const uint32_t *old, const uint32_t *out, uint32_t *in) {
  for (unsigned p = 0; p < K; p++) {
    const bool held = old[3] >> p & 1 && !(out[27] >> p & 1);
    if (q_any(&l->want[p]) && (held || chance(200))) {
      in[3] |= 1u << p;
      in[in_req + p] = l->want[p].v[l->want[p].head];
    }
    if (chance(knob.ready)) in[2] |= 1u << (16 + p);
  }
}

static bool lane_empty(const struct lane *l) {
  bool any = l->sending || q_any(&l->items) || q_any(&l->discards) || q_any(&l->deparse) ||
             q_any(&l->copies) || q_any(&l->free_at) || l->read_slot >= 0 || l->reading ||
             l->steps_left || l->drop || l->ended_head != l->ended_tail;
  for (unsigned p = 0; p < K; p++) any |= q_any(&l->want[p]) || q_any(&l->asked[p]);
  for (unsigned i = 0; i < RING; i++)
    any |= l->beat_ring[i] && base_cycle + (uint32_t)now - l->cycle_ring[i] < 8;
  return !any;
}

// ---- chain and control bus ----------------------------------------------------------------------

struct word {
  uint64_t data;
  bool first, last;
};
static struct word send[8192], expect[8192];
static unsigned num_send, sent_words, num_expect, got_words;
static struct { uint32_t addr, low, high; } reads[1024];
static unsigned num_reads, done_reads, read_wait;
static bool read_out;

static uint64_t chain_header(unsigned op, unsigned resource, unsigned sub, unsigned index,
                             unsigned copy, unsigned count) {
  return (uint64_t)op << 60 | (uint64_t)resource << 52 | (uint64_t)sub << 48 |
         (uint64_t)index << 32 | (uint64_t)copy << 16 | count << 8;
}
static void put(bool is_expected, uint64_t data, bool first, bool last) {
  struct word *w = is_expected ? &expect[num_expect++] : &send[num_send++];
  *w = (struct word){data, first, last};
}
static uint32_t module_word(unsigned row) {
  const struct module *m = &tables.module[row];
  return (uint32_t)m->valid << 31 | (unsigned)m->pipe << 24 | m->dest << 16 |
         (unsigned)m->need_udp << 15 | (unsigned)m->need_ip << 14 | m->vid;
}
static uint64_t parser_word(unsigned row, unsigned word, unsigned actions) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8; i++)
    v = v << 8 | (8 * word + i < 2 * actions ? tables.parser[row][8 * word + i] : 0);
  return v;
}
static void write_row(unsigned row) {
  const uint64_t p = chain_header(SLUICE_CHAIN_WRITE, 0, rnd(16), row, rnd(256), 1);
  const uint64_t m = chain_header(SLUICE_CHAIN_WRITE, 6, 0, row, rnd(256), 1);
  put(false, p, true, false);
  for (unsigned w = 0; w < 3; w++) put(false, parser_word(row, w, MAX_ACTIONS), false, w == 2);
  put(true, p, true, true);
  put(false, m, true, false);
  put(false, (uint64_t)module_word(row) << 32, false, true);
  put(true, m, true, true);
}
static void read_rows(unsigned resource, unsigned copy, unsigned row, unsigned count) {
  put(false, chain_header(SLUICE_CHAIN_READ, resource, 0, row, copy, count), true, true);
  put(true, chain_header(SLUICE_CHAIN_ANSWER, resource, 0, row, copy, count), true, false);
  for (unsigned i = 0; i < count; i++)
    for (unsigned w = 0; w < (resource ? 1 : 3); w++)
      put(true,
          resource ? (uint64_t)module_word(row + i) << 32 : parser_word(row + i, w, tables.actions),
          false, i == count - 1 && w == (resource ? 0u : 2u));
}
static void put_offset(uint8_t *action, unsigned offset) {
  action[0] = (uint8_t)((action[0] & 0xe0) | offset >> 2);
  action[1] = (uint8_t)((action[1] & 0x3f) | (offset & 3) << 6);
}
static void random_row(unsigned row) {
  uint8_t *entry = tables.parser[row];
  for (unsigned i = 0; i < 2 * MAX_ACTIONS; i++) entry[i] = rnd(256);
  for (unsigned a = 0; a < MAX_ACTIONS; a++) {
    if (chance(220)) entry[2 * a + 1] |= 1;
    if (chance(180)) entry[2 * a] &= 0xc7 + 0x18 * rnd(2);  // most offsets are small
    // Some are at the end of the header, or where the metadata has something.
    const unsigned any = entry[2 * a + 1] >> 1 & 7, place = entry[2 * MAX_ACTIONS - 1 - a];
    if (any == 0) put_offset(entry + 2 * a, header_bytes - 1 - place % 6);
    if (any > 5) {
      entry[2 * a] |= 0x20;
      put_offset(entry + 2 * a, place % 2 ? 14 : 12 + place / 2 % 20);  // 14: the module
    }
    // Most containers are some that there are.
    const unsigned kind = entry[2 * a + 1] >> 4 & 3, number = kind == 1   ? num2
                                                              : kind == 2 ? num4
                                                                          : num6;
    if (chance(180)) entry[2 * a + 1] = (entry[2 * a + 1] & 0xf1) | rnd(number) << 1;
  }
  // The arrival, which few draw, into the first 4-byte container.
  if (chance(64)) {
    entry[2 * tables.actions - 2] = 0x26;
    entry[2 * tables.actions - 1] = 0x21;
  }
  tables.module[row] =
      (struct module){chance(240),
                      chance(30),
                      chance(40),
                      rnd(256),
                      row % tables.rows | (chance(128) ? tables.rows * rnd(4096 / tables.rows) : 0),
                      K > 1 ? rnd(16) : 0};
}
static void configure(unsigned rows) {
  num_send = sent_words = num_expect = got_words = 0;
  for (unsigned i = 0; i < rows; i++) {
    const unsigned row = rows == tables.rows * tables.banks ? i : rnd(tables.rows * tables.banks);
    random_row(row);
    write_row(row);
  }
  // What is not ours passes; what is out of range, or names no lane, is refused.
  for (unsigned i = 0; i < 4; i++) {
    const uint64_t h = i == 0   ? chain_header(SLUICE_CHAIN_WRITE, 2, 0, 1, 0, 1)
                       : i == 1 ? chain_header(SLUICE_CHAIN_READ, 0, 0, 1, K, 1)
                       : i == 2 ? chain_header(SLUICE_CHAIN_ANSWER, 6, 0, 1, 0, 1)
                                : chain_header(SLUICE_CHAIN_ERASE, 0, 0, 1, 0, 1);
    const uint64_t reply = i == 1 ? chain_header(SLUICE_CHAIN_REFUSED, 0, 0, 1, K, 1) : h;
    put(false, h, true, i == 1 || i == 3), put(true, reply, true, i == 1 || i == 3);
    if (i == 0 || i == 2) put(false, 42, false, true), put(true, 42, false, true);
  }
  const unsigned entries = tables.rows * tables.banks;
  put(false, chain_header(SLUICE_CHAIN_READ, 6, 0, entries - 2, 0, 3), true, true);
  put(true, chain_header(SLUICE_CHAIN_REFUSED, 6, 0, entries - 2, 0, 3), true, true);
  for (unsigned l = 0; l < K; l++) {
    read_rows(0, l, 0, entries);
    read_rows(6, l, 0, entries);
  }
}
static void run_chain(const uint32_t *old, const uint32_t *out, uint32_t *in) {
  if (old[4] & 1 && out[0] & 1) sent_words++;
  if (out[1] & 1 && old[4] & 8) {
    const uint64_t data = out[2] | (uint64_t)out[3] << 32;
    if (got_words >= num_expect) return fail("a word on the chain that nobody expects");
    if (data != expect[got_words].data || (out[1] >> 1 & 1) != expect[got_words].first ||
        (out[1] >> 2 & 1) != expect[got_words].last)
      fail("chain word %u is %016llx, expected %016llx", got_words, (unsigned long long)data,
           (unsigned long long)expect[got_words].data);
    got_words++;
  }
  const bool held = old[4] & 1 && !(out[0] & 1);
  if (sent_words < num_send && (held || chance(200))) {
    in[4] |= 1 | send[sent_words].first << 1 | send[sent_words].last << 2;
    in[5] = (uint32_t)send[sent_words].data;
    in[6] = send[sent_words].data >> 32;
  }
  if (chance(200)) in[4] |= 8;
}
static bool chain_done(void) { return sent_words == num_send && got_words == num_expect; }

static void expect_read(uint32_t addr, uint32_t low, uint32_t high) {
  reads[num_reads].addr = addr, reads[num_reads].low = low, reads[num_reads++].high = high;
}
static void expect_registers(bool cleared) {
  num_reads = done_reads = 0;
  for (unsigned i = 0; i < K; i++) {
    const struct lane *l = &lanes[i];
    const uint32_t at = SLUICE_LANE_BASE + i * SLUICE_LANE_STRIDE;
    expect_read(at + SLUICE_LANE_PACKETS, l->packets, l->packets);
    expect_read(at + SLUICE_LANE_BYTES, l->bytes, l->bytes);
    expect_read(at + SLUICE_LANE_ACCEPTED, l->accepted, l->accepted);
    expect_read(at + SLUICE_LANE_HIGH_SLOTS, cleared ? 0 : num_slots, cleared ? 0 : num_slots);
    expect_read(at + SLUICE_LANE_HIGH_CELLS, cleared ? 0 : num_cells, cleared ? 0 : num_cells);
    expect_read(at + SLUICE_LANE_HIGH_QUEUE, l->high_queue, l->high_queue);
    expect_read(at + 0x18, 0, 0);
    for (unsigned r = 0; r < 16; r++)
      expect_read(at + SLUICE_LANE_DROP + 4 * r, l->drops[r], l->drops[r]);
  }
}
static void run_reads(const uint32_t *out, uint32_t *in) {
  if (out[4] & 1) {
    if (!read_out) return fail("an answer on the control bus that nobody asked for");
    if (out[5] < reads[done_reads].low || out[5] > reads[done_reads].high)
      fail("register %05x reads %u, expected %u to %u", reads[done_reads].addr, out[5],
           reads[done_reads].low, reads[done_reads].high);
    done_reads++;
    read_out = false;
  } else if (out[5]) fail("control bus not zero");
  if (read_out && ++read_wait > 32) fail("no answer for register %05x", reads[done_reads].addr);
  if (!read_out && done_reads < num_reads) {
    in[7] = 1;
    in[8] = reads[done_reads].addr;
    read_out = true;
    read_wait = 0;
  }
}

// ---- phases -------------------------------------------------------------------------------------

static unsigned phase, step, full_slots, full_cells;
static uint64_t step_start;
static bool quiet = true, ready, clear;

// Whoever takes packets away does it at once, if a phase does not say otherwise.
#define AT_ONCE .start = 256, .pop = 256, .deparse = 256, .discard = 256, .ready = 256
enum { PHASE_SLOTS = 12, PHASE_CELLS = 14 };

static const struct knob phases[NUM_PHASES] = {
    {"before ready", 700, AT_ONCE, .size_mode = SIZE_ANY, .bad = 60, .gap = 40},
    {"no module yet", 700, AT_ONCE, .size_mode = SIZE_ANY},
    {"mix", 8000, .start = 100, .size_mode = SIZE_ANY, .bad = 30, .gap = 40, .pop = 128,
     .discard_front = 40, .discard = 100, .deparse = 128, .ready = 200},
    {"line rate, 64 bytes", 2500, AT_ONCE, .size_mode = SIZE_64, .lossless = true},
    {"line rate, half discarded", 2500, AT_ONCE, .size_mode = SIZE_64, .discard_front = 128,
     .lossless = true},
    {"lane full", 2500, .start = 256, .pop = 60, .deparse = 256, .discard = 256, .ready = 256,
     .size_mode = SIZE_SHORT, .discard_front = 30, .limit = 5},
    {"small bodies", 2500, .start = 256, .pop = 256, .deparse = 256, .discard = 100, .ready = 256,
     .size_mode = SIZE_ONE_CELL, .discard_front = 40},
    {"slow deparser", 2500, .start = 256, .pop = 256, .deparse = 40, .discard = 256, .ready = 256,
     .size_mode = SIZE_SHORT, .bad = 20},
    {"slow ports", 8000, .start = 256, .pop = 256, .deparse = 256, .discard = 256, .ready = 60,
     .size_mode = SIZE_ANY, .bad = 20, .discard_front = 20},
    {"jumbo", 8000, .start = 256, .pop = 256, .deparse = 256, .discard = 256, .ready = 220,
     .size_mode = SIZE_JUMBO, .bad = 30, .discard_front = 60},
    {"bad packets", 6000, AT_ONCE, .size_mode = SIZE_ANY, .bad = 160, .gap = 20},
    {"bursts of discards", 2500, AT_ONCE, .size_mode = SIZE_SHORT, .discard_front = 128},
    {"fill slots", 5000, .start = 256, .pop = 256, .ready = 256, .size_mode = SIZE_SHORT},
    {"drain", 500, .pop = 256, .deparse = 256, .discard = 256, .ready = 256},
    {"fill cells", 8000, .start = 256, .pop = 256, .ready = 256, .size_mode = SIZE_BODY},
    {"drain", 500, .pop = 256, .deparse = 256, .discard = 256, .ready = 256},
    {"one output lane, short", 2500, AT_ONCE, .size_mode = SIZE_ONE_CELL, .one_copy = true,
     .lossless = true},
    {"one output lane, long", 2500, AT_ONCE, .size_mode = SIZE_FRAME, .one_copy = true,
     .lossless = true},
    {"mix again", 5000, .size_mode = NUM_SIZES},
    {"mix again", 3000, .size_mode = NUM_SIZES},
    {"mix again", 3000, .size_mode = NUM_SIZES},
    {"mix again", 3000, .size_mode = NUM_SIZES},
    {"mix again", 3000, .size_mode = NUM_SIZES},
};

static void set_knobs(unsigned n) {
  knob = phases[n];
  if (n == PHASE_SLOTS) knob.cycles = 20 * num_slots;
  if (n == PHASE_CELLS) knob.cycles = 16 * num_cells;
  knob.cycles *= steps;  // a packet takes so much longer
  if (knob.size_mode < NUM_SIZES) return;
  knob.size_mode = rnd(NUM_SIZES);
  knob.start = 60 + rnd(190), knob.bad = rnd(60), knob.gap = rnd(80), knob.pop = 100 + rnd(156);
  knob.discard_front = rnd(120), knob.discard = 60 + rnd(190), knob.deparse = 60 + rnd(196);
  knob.ready = 60 + rnd(196), knob.limit = 1 + rnd(lane_depth);
  knob.ecn = rnd(4) ? 1 + rnd(lane_depth) : 0;
}

static bool all_empty(void) {
  bool yes = true;
  for (unsigned l = 0; l < K; l++) yes &= lane_empty(&lanes[l]);
  return yes;
}

// After a phase in which nothing was freed: exactly all slots, or all cells, were given away.
static void check_full(void) {
  for (unsigned l = 0; l < K; l++) {
    if (phase == PHASE_SLOTS && lanes[l].slots_max != num_slots)
      fail("%u of %u slots could be used", lanes[l].slots_max, num_slots);
    if (phase == PHASE_CELLS && lanes[l].cells_max != num_cells)
      fail("%u of %u cells could be used", lanes[l].cells_max, num_cells);
    if (phase == PHASE_SLOTS) full_slots++;
    if (phase == PHASE_CELLS) full_cells++;
  }
}

// Returns true at the end of the test.
static bool run_phases(void) {
  switch (step) {
    case 0:  // traffic
      quiet = false;
      if (now - step_start < knob.cycles) return false;
      check_full();
      if (phase == PHASE_SLOTS || phase == PHASE_CELLS)
        knob.deparse = knob.discard = knob.pop = 256;
      step = 1, step_start = now;
      return false;
    case 1:  // empty
      quiet = true;
      if (now - step_start > 200000) fail("does not run empty");
      if (!all_empty()) return false;
      for (unsigned l = 0; l < K; l++)
        if (lanes[l].slots_max || lanes[l].cells_max)
          fail("test: %u slots left", lanes[l].slots_max);
      if (phase == NUM_PHASES - 1) {
        expect_registers(false);
        step = 3;
        return false;
      }
      // Nothing is written before packets come: after reset the chip knows no module.
      if (phase == 0) {
        ready = true;
        set_knobs(++phase);
        step = 0, step_start = now;
        return false;
      }
      configure(phase == 1 ? tables.rows * tables.banks : min_u(6, tables.rows));
      tables.bitmap = chance(128) ? 1u << rnd(tables.rows) | 1u << rnd(tables.rows) : 0;
      if (tables.bitmap == 3 && tables.rows == 2) tables.bitmap = 0;
      step = 2, step_start = now;
      return false;
    case 2:  // configure
      if (now - step_start > 20000)
        fail("the chain does not end: %u of %u words", got_words, num_expect);
      if (!chain_done()) return false;
      set_knobs(++phase);
      step = 0, step_start = now;
      return false;
    case 3:  // registers, then clear, then registers
      if (done_reads < num_reads) return false;
      clear = true;
      step = 4, step_start = now;
      for (unsigned i = 0; i < K; i++) {
        struct lane *l = &lanes[i];
        l->packets = l->accepted = l->bytes = l->high_queue = 0;
        memset(l->drops, 0, sizeof l->drops);
      }
      return false;
    case 4:
      clear = false;
      if (now - step_start < 4) return false;
      expect_registers(true);
      step = 5;
      return false;
    default: return done_reads == num_reads;
  }
}

void ingress_open(int seed, int pipes, int depth, int slots, int cells, int n2, int n4, int n6,
                  int rows, int banks, int actions, int header, int beat, int num_steps);
void ingress_open(int seed, int pipes, int depth, int slots, int cells, int n2, int n4, int n6,
                  int rows, int banks, int actions, int header, int beat, int num_steps) {
  rng = 0x9e3779b97f4a7c15ull * (unsigned)(seed + 1);
  K = pipes, lane_depth = depth, num_slots = slots, num_cells = cells;
  num2 = n2, num4 = n4, num6 = n6;
  tables.rows = rows, tables.banks = banks, tables.actions = actions, tables.header = header;
  header_bytes = header, beat_bytes = beat, steps = num_steps;
  step_bytes = header_bytes / steps;
  longest = min_u(9216, header_bytes + num_cells * beat_bytes);
  item_delay = 5 + steps - 1;
  in_req = in_data + beat_bytes / 4;
  in_lane = in_req + K;
  out_body = out_header + step_bytes / 4;
  out_lane = out_body + beat_bytes / 4 * K;
  lanes = calloc(K, sizeof *lanes);
  for (unsigned l = 0; l < K; l++) {
    lanes[l].in = calloc(1, sizeof *lanes[l].in);
    lanes[l].slot = calloc(num_slots, sizeof *lanes[l].slot);
    lanes[l].read_slot = -1;
  }
  // After reset nobody is known; the row of a packet is that of its VLAN id all the same.
  for (unsigned r = 0; r < tables.rows * tables.banks; r++)
    tables.module[r] = (struct module){.valid = false, .vid = r % tables.rows};
  base_cycle = 0xffff8000u;  // the cycle counter wraps on the way
  set_knobs(0);
}

int ingress_tick(const uint32_t *outs, uint32_t *ins);
int ingress_tick(const uint32_t *outs, uint32_t *ins) {
  static uint32_t old[MAX_PIPES * (22 + MAX_PIPES) + 12];
  static unsigned total_packets;
  const unsigned in_all = in_lane * K + 12;
  memset(ins, 0, 4 * in_all);
  const bool end = run_phases();
  for (unsigned i = 0; i < K; i++) {
    struct lane *l = &lanes[i];
    const uint32_t *out = outs + out_lane * i, *was = old + in_lane * i;
    uint32_t *in = ins + in_lane * i;
    const unsigned before = l->packets;
    check_drop(l, out);
    advance_bus(l, out);
    total_packets += l->packets - before;
    const unsigned shown = l->waiting - (now > 0 && l->pop_ring[(now - 1) % RING]);
    if (shown > l->high_queue) l->high_queue = shown;
    const bool over = knob.limit && shown >= knob.limit;
    if (step < 3 && now - step_start > 3 && (out[0] >> 1 & 1) != over)
      fail("over_limit %d with %u waiting, limit %u", !over, shown, knob.limit);
    if (step < 3 && now - step_start > 3 && (out[0] >> 9 & 1) != (knob.ecn && shown >= knob.ecn))
      fail("ECN %u with %u waiting, limit %u", out[0] >> 9 & 1, shown, knob.ecn);
    check_item(l, i, out);
    check_bodies(l, was, out);
    memcpy(in, was, 4);
    in[0] &= 1 << 5;  // the header read of this cycle
    in[1] = was[1];
    in[3] = was[3];
    drive_deparser(l, out, in);
    in[0] = in[1] = in[3] = 0;
    drive_bus(l, i, in, quiet);
    drive_order(l, in);
    draw_deparser(l, in);
    draw_bodies(l, was, out, in);
    l->ready_ring[(now + 1) % RING] = ready;
    l->cycle_ring[(now + 1) % RING] = base_cycle + (uint32_t)now + 1;
  }
  uint32_t *in = ins + in_lane * K;
  const uint32_t *out = outs + out_lane * K;
  in[0] = ready | (now < 600) << 1 | (unsigned)clear << 2 | (uint32_t)(now & 0xffff) << 16;
  in[1] = tables.bitmap;
  // The next cycle's banks: a few rows change, in any cycle.
  if (tables.banks == 2 && chance(40))
    tables.bank ^= 1u << rnd(tables.rows) | 1u << rnd(tables.rows);
  in[10] = tables.bank;
  in[2] = knob.limit | knob.ecn << 16;
  in[3] = base_cycle + (uint32_t)now + 1;
  run_chain(old + in_lane * K, out, in);
  run_reads(out, in);
  memcpy(old, ins, 4 * in_all);
  now++;
  if (failed) return 2;
  if (!end) return 0;
  if (full_slots != K || full_cells != K) return printf("FAIL the buffer was never full\n"), 2;
  printf("PASS sluice_ingress: %u packets in %llu cycles, all slots and cells given back\n",
         total_packets, (unsigned long long)now);
  return 1;
}
