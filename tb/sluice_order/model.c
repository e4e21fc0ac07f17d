// SPDX-License-Identifier: Apache-2.0
// Model of what is around the order point, and of the order it must keep. One call a cycle: checks
// the outputs of the cycle, then makes its inputs. What must hold is written from docs/machine.md
// and docs/boundary.md. The rates at which things happen change from phase to phase; see the table
// of phases.
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sw/base/layouts.h"

// Where the tables are: resource and sub-table number.
enum {
#define SLUICE_TABLE(TABLE, MODULE, SUB, RULE, BITS, ROWS, SCOPE, OPS, COMMIT, KEPT, DOC) \
  TABLE##_RESOURCE = MODULE, TABLE##_SUB = SUB,
#include "../../sw/layouts.def"
};

enum {
  MAX_K = 16,
  MAX_S = 16,
  ROWS = 12,        // rows that packets use; 0 and 31 are never written
  HOT = 12,         // row whose packets all need pipeline 0 of every stage
  BUSY = 13,        // row whose packets all have a sharded access at every stage
  PLAIN = 14,       // as HOT, beside those of row BUSY
  PHV_WORDS = 39,   // as in tb_sluice_order.sv
  ITEMS = 8192,     // packets of a lane, around
  TICKETS = 16384,  // tickets, around
  ORDER = 1 << 17,  // packets in the true order, around
  ITEM_DELAY = 9,   // cycles from arrival to item
  HISTORY = 4,      // age that pacing and brake may have
  SHARES_FROM = 2,  // ages that the flags of the shares may have
  SHARES_TO = 5,
  RIVALS_SEEN = 8,  // cycles until what came is known, and more
  OUT_HEAD = 20,    // words before the depths
  IN_HEAD = 20,     // words before the landings, two a stage
};

struct item {
  uint32_t reason;
  uint32_t phv[PHV_WORDS];
};

enum phv_word { VID, LEN, PORT_IN, DEST, DISCARD, LANE, HDR, B2 = 7, B4 = 15, B6 = 23 };

struct access {  // resolved
  bool valid, out;
  unsigned pipe, slot;
  bool pinned;
};

struct table {  // of a stage and row
  uint32_t access, range, base;
};

struct rates {  // percent a cycle
  int arrive, report, done, leave, over, wait, state, drop;
};

enum items { ITEMS_FLOW, ITEMS_HELD, ITEMS_RELEASED };

static struct {
  int K, S, bank_depth, phantom_depth, window, lane_depth, slots, relocations, granule, num[4];
  unsigned tag_mask, hdr_mask;
} cfg;

static struct {
  struct table table[MAX_S][32];
  struct item item[MAX_K][ITEMS];
  int arrived[MAX_K], delivered[MAX_K], disposed[MAX_K];
  uint8_t order[ORDER];  // lanes
  unsigned order_head, order_tail;
  bool arrive_then[ITEM_DELAY][MAX_K];
  uint32_t next, oldest;  // tickets; oldest in flight
  bool flying[TICKETS];
  uint32_t in_flight[TICKETS];  // tickets, in any order
  int num_in_flight, in_flight_register;
  int bank[MAX_K][MAX_K];         // pipeline, source
  int fifo[MAX_K][MAX_S][MAX_K];  // lane, stage, pipeline: phantoms
  int leaky[MAX_S][MAX_K], leaky_then[HISTORY][MAX_S][MAX_K];
  int waiting[MAX_S][MAX_K], waiting_then[HISTORY][MAX_S][MAX_K];
  int depth[MAX_S][MAX_K], reported[MAX_S][MAX_K];
  uint32_t oldest_then[HISTORY];  // the DUT's
  uint32_t deep_then[2];          // lanes that were told to be deep, 1 and 2 cycles ago
  int depth_then[2][MAX_S][MAX_K];
  uint32_t share[32];  // entries
  int sets;            // of pipelines (docs/isolation.md); 0: one, as 1
  int used[MAX_S][32][MAX_K], used_then[SHARES_TO][MAX_S][32][MAX_K];  // what counts for the share
  int refused_for;              // cycles that a packet that must not wait has been the oldest
  int came[32];                 // when a packet of the row came last that was to be admitted
  int above_sure, above_maybe;  // packets dropped for their share
  int full;                     // packets dropped for a full phantom FIFO
  unsigned over_then;           // bit n: a lane was past its threshold n + 1 cycles ago
  int disposed_now;
  // counts
  int admitted[MAX_K], out[MAX_K], discarded[MAX_K], overload[MAX_K], disposition[16];
  int fifo_most, span_most, packets, marked;
} m;

// Inputs that do not follow from the model's state.
static struct {
  struct rates rate;
  bool one_lane;  // arrivals in one lane a cycle, in turn
  bool hot;       // most packets are of the hot row
  bool alone;     // all are
  enum items items;
  unsigned pace, brake;
  unsigned mode, ecn_queue;
  int deep;                // percent a cycle: a lane is long
  unsigned period, least;  // of moves
  int busy;                // percent of the packets that are of row BUSY
  unsigned busy_pipe;      // home of most of their indices
} stim;

static const uint32_t *outs;
static uint32_t *ins;
static int cycle, failed;

static uint64_t state;
static uint32_t rnd(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 14);
}
static int pick(int n) { return (int)(rnd() % (unsigned)n); }
static bool chance(int percent) { return pick(100) < percent; }

static void fail(const char *format, ...) {
  if (failed++) return;  // what follows from the first failure is noise
  va_list args;
  va_start(args, format);
  printf("FAIL cycle %d: ", cycle);
  vprintf(format, args);
  printf("\n");
  va_end(args);
}

static unsigned bits(uint32_t word, int msb, int lsb) {
  return word >> lsb & (0xffffffffu >> (31 - msb + lsb));
}
#define FIELD(word, layout, field) \
  bits(word, SLUICE_##layout##_##field##_MSB, SLUICE_##layout##_##field##_LSB)

// ---- resolution (docs/machine.md, State accesses) -----------------------------------------------

static uint64_t operand(const uint32_t *phv, unsigned op) {
  const unsigned kind = FIELD(op, OPERAND, KIND), idx = FIELD(op, OPERAND, IDX);
  if (kind == SLUICE_TYPE_CONST) return idx;
  if ((int)idx >= cfg.num[kind]) return 0;
  if (kind == SLUICE_TYPE_B2) return phv[B2 + idx];
  if (kind == SLUICE_TYPE_B4) return phv[B4 + idx];
  return (uint64_t)phv[B6 + 2 * idx + 1] << 32 | phv[B6 + 2 * idx];
}

static int set_size(void) { return cfg.K / (m.sets ? m.sets : 1); }
static int lane_of(const uint32_t *phv) { return (int)(phv[LANE] & 255); }
// First pipeline of the set of a packet; the lane's place in it.
static int first_of(const uint32_t *phv) {
  const int named = (int)(phv[LANE] >> 8);
  return named - named % set_size();
}
static int place_of(const uint32_t *phv) { return first_of(phv) + lane_of(phv) % set_size(); }

static struct access resolve(int stage, const uint32_t *phv) {
  const struct table *t = &m.table[stage][phv[VID] & 31];
  const unsigned predicate = FIELD(t->access, ACCESS, PREDICATE);
  struct access none = {0}, a = {.valid = true};
  if (!FIELD(t->access, ACCESS, ENABLE)) return none;
  if (FIELD(predicate, OPERAND, KIND) != SLUICE_TYPE_CONST &&
      (operand(phv, predicate) != 0) == FIELD(t->access, ACCESS, INVERT))
    return none;
  if (FIELD(t->access, ACCESS, PINNED)) {
    a.pinned = true;
    a.pipe = FIELD(t->access, ACCESS, PIPE) % (unsigned)cfg.K;
    return a;
  }
  const uint64_t index = operand(phv, FIELD(t->access, ACCESS, INDEX));
  const unsigned size = (unsigned)set_size();
  const unsigned named = FIELD(t->access, ACCESS, PIPE) % (unsigned)cfg.K;
  const uint64_t slot = t->base + index / size;
  if (index >= t->range || slot >= (unsigned)cfg.slots) {
    none.out = true;
    return none;
  }
  a.pipe = named - named % size + (unsigned)(index % size);
  a.slot = (unsigned)slot;
  return a;
}

#include "moves.h"

// Where the packet must go now.
static struct access resolve_now(int stage, const uint32_t *phv) {
  struct access a = resolve(stage, phv);
  if (!a.valid || a.pinned) return a;
  const struct place p = lives(stage, (struct place){(int)a.pipe, (int)a.slot});
  a.pipe = (unsigned)p.pipe;
  a.slot = (unsigned)p.slot;
  return a;
}

// ---- checks -------------------------------------------------------------------------------------

static int in_head(void) { return IN_HEAD + 2 * cfg.S; }

static int lane_out(int lane) {
  return OUT_HEAD + cfg.S * cfg.K + lane * (16 + PHV_WORDS + 2 * (cfg.S + 1) + 3 * cfg.S);
}

static bool stays(void) { return FIELD(stim.mode, MODE, STEER) == SLUICE_STEER_STAY; }
static bool phantoms(void) { return !FIELD(stim.mode, MODE, NO_PHANTOMS); }

static int span(void) { return (int)(m.next - m.oldest); }

// Whether pacing (what = 0) or the brake (1) holds an access, with half = 1 at half its threshold:
// never, by some view, or by every view.
static int held(int what, int s, unsigned d, int half) {
  int views = 0;
  for (int h = 0; h < HISTORY; h++)
    views += what == 0 ? stim.pace && m.leaky_then[h][s][d] >= (int)(stim.pace >> half)
                       : stim.brake && m.waiting_then[h][s][d] >= (int)(stim.brake >> half);
  return views;
}

static unsigned share_field(int row, int msb, int lsb) { return bits(m.share[row], msb, lsb); }
#define SHARE(row, field) share_field(row, SLUICE_SHARE_##field##_MSB, SLUICE_SHARE_##field##_LSB)

// Whether several modules have brought packets lately: 0 surely not, 2 surely, else 1. A row is
// remembered for one epoch at least, and for two at most.
static int rivals(void) {
  const int epoch = cfg.lane_depth < 64 ? 64 : cfg.lane_depth;
  int sure = 0, maybe = 0;
  for (int r = 0; r < 32; r++) {
    const int ago = cycle - m.came[r];
    sure += m.came[r] && ago > RIVALS_SEEN && ago <= epoch - RIVALS_SEEN;
    maybe += m.came[r] && ago <= 2 * epoch + RIVALS_SEEN;
  }
  return sure > 1 ? 2 : maybe > 1;
}

// Whether a module is above its share in an order queue: 0 by no view, 2 by every view, else 1.
static int above(int row, int s, unsigned d) {
  int views = 0;
  const int others = rivals();
  if (!SHARE(row, LIMIT) || !others) return 0;
  for (int h = SHARES_FROM; h < SHARES_TO; h++)
    views += m.used_then[h][s][row][d] >= (int)SHARE(row, BURST);
  return views == 0 ? 0 : views == SHARES_TO - SHARES_FROM && others == 2 ? 2 : 1;
}

// The same for any queue that a packet needs.
static int packet_above(const uint32_t *phv) {
  int most = 0;
  for (int s = 0; s < cfg.S; s++) {
    const struct access a = resolve_now(s, phv);
    const int now = a.valid ? above((int)(phv[VID] & 31), s, a.pipe) : 0;
    if (now > most) most = now;
  }
  return most;
}

// Mode DROP_FULL: whether a phantom FIFO that a packet needs is full, or has at most `room` places.
static bool needs_full(int lane, const uint32_t *phv, int room) {
  if (!FIELD(stim.mode, MODE, DROP_FULL)) return false;
  for (int s = 0; s < cfg.S; s++) {
    const struct access a = resolve_now(s, phv);
    if (a.valid && m.fifo[lane][s][a.pipe] >= cfg.phantom_depth - room) return true;
  }
  return false;
}

// The pace of the shares (docs/blocks/order.md); cycles count from reset, as here.
static bool tick(int row) {
  unsigned turn = 0;
  for (int b = 0; b < 8; b++) turn |= ((unsigned)(cycle - 1) >> b & 1) << (7 - b);
  return SHARE(row, LIMIT) && turn < SHARE(row, RATE);
}

// Whether a packet may have had to wait. Counts here can be a few cycles ahead of the DUT's.
static bool may_have_to_wait(int lane, const uint32_t *phv) {
  int room = 0;
  if ((int)((m.next - m.oldest_then[HISTORY - 1]) & cfg.tag_mask) + 3 * cfg.K > cfg.window)
    return true;
  const int first = first_of(phv);
  for (int d = first; d < first + set_size(); d++) room += cfg.bank_depth - m.bank[d][lane];
  if (room <= 3 * cfg.K) return true;
  if (stays() && m.bank[place_of(phv)][lane] >= cfg.bank_depth - 3) return true;
  for (int s = 0; s < cfg.S; s++) {
    const struct access a = resolve_now(s, phv);
    if (!a.valid) continue;
    if (s == 0 && m.bank[a.pipe][lane] >= cfg.bank_depth - 3) return true;
    if (m.fifo[lane][s][a.pipe] >= cfg.phantom_depth - 4) return true;
    const int half = above((int)(phv[VID] & 31), s, a.pipe) > 0;
    if (held(0, s, a.pipe, half) || held(1, s, a.pipe, half)) return true;
  }
  return false;
}

static void check_access(int lane, int s, const uint32_t *phv, const uint32_t *route,
                         const uint32_t *phantom) {
  const struct access a = resolve_now(s, phv);
  const unsigned d = a.pipe;
  m.out[lane] += a.out;
  if (phantom[0] != a.valid || route[0] != a.valid)
    fail("lane %d row %u stage %d: access %u, not %d", lane, phv[VID] & 31, s, phantom[0], a.valid);
  if (!a.valid) return;
  if (phantom[1] != d || route[1] != d)
    fail("lane %d stage %d: pipeline %u, not %u", lane, s, route[1], d);
  if (!a.pinned && phantom[2] != a.slot)
    fail("lane %d stage %d: slot %u, not %u", lane, s, phantom[2], a.slot);
  if (!phantoms()) return;
  const int depth = ++m.fifo[lane][s][d];
  m.depth[s][d]++;
  if (depth > m.fifo_most) m.fifo_most = depth;
  if (depth > cfg.phantom_depth)
    fail("phantom FIFO of lane %d, stage %d, pipeline %u overflows", lane, s, d);
  const int row = (int)(phv[VID] & 31), half = above(row, s, d) == 2;
  if (held(0, s, d, half) == HISTORY)
    fail("lane %d stage %d pipeline %u row %d: not paced%s", lane, s, d, row,
         half ? " at half" : "");
  if (held(1, s, d, half) == HISTORY)
    fail("lane %d stage %d pipeline %u row %d: not braked%s", lane, s, d, row,
         half ? " at half" : "");
}

// Exact: what is long counts two cycles later.
static void check_mark(int lane, const uint32_t *phv) {
  bool mark = m.deep_then[1] >> lane & 1;
  for (int s = 0; s < cfg.S; s++) {
    const struct access a = resolve_now(s, phv);
    mark |= a.valid && stim.ecn_queue && m.depth_then[1][s][a.pipe] >= (int)stim.ecn_queue;
  }
  if ((outs[7] >> lane & 1) != mark || (outs[8] >> lane & 1) != mark)
    fail("lane %d: marked %u, not %d", lane, outs[7] >> lane & 1, mark);
  m.marked += mark;
}

static void check_admitted(int lane, const uint32_t *phv, const uint32_t *o) {
  const uint32_t tag = m.next & cfg.tag_mask;
  const uint32_t *route = o + 16 + PHV_WORDS, *phantom = route + 2 * (cfg.S + 1);
  if (o[5] != tag) fail("lane %d: tag %u, ticket %u has %u", lane, o[5], m.next, tag);
  if (!o[10] || o[11] || o[13] != tag) fail("lane %d: admitted and not sent", lane);
  if (o[14] != phantoms() || o[15] != tag) fail("lane %d: phantom %u", lane, o[14]);
  check_mark(lane, phv);
  if (o[1] || o[6]) fail("lane %d: admitted and discarded", lane);
  if (memcmp(o + 16, phv, PHV_WORDS * 4)) fail("lane %d: PHV changed", lane);
  if (!route[2 * cfg.S] || route[2 * cfg.S + 1] != (unsigned)lane)
    fail("lane %d: wrong exit", lane);
  for (int s = 0; s < cfg.S; s++) check_access(lane, s, phv, route + 2 * s, phantom + 3 * s);
  if (route[0] && o[12] != route[1]) fail("lane %d: steered away from its state", lane);
  if (!route[0] && stays() && o[12] != (unsigned)place_of(phv))
    fail("lane %d: does not stay", lane);
  // Steered within its set at boundary 0, and, as the route says, at all others.
  for (int s = 0; s < cfg.S; s++)
    if (!route[2 * s] && (int)route[2 * s + 1] / set_size() != first_of(phv) / set_size())
      fail("lane %d stage %d: route names pipeline %u of another set", lane, s, route[2 * s + 1]);
  if (!route[0] && (int)o[12] / set_size() != first_of(phv) / set_size())
    fail("lane %d: steered to pipeline %u of another set", lane, o[12]);
  if (o[12] >= (unsigned)cfg.K) fail("lane %d: no such pipeline", lane);
  else if (++m.bank[o[12]][lane] > cfg.bank_depth) fail("payload bank overflows");
  m.flying[m.next % TICKETS] = true;
  m.in_flight[m.num_in_flight++] = m.next++;
  if (span() > m.span_most) m.span_most = span();
  if (span() > cfg.window) fail("window exceeded");
  m.admitted[lane]++;
}

static void check_packet(int lane) {
  const uint32_t *o = outs + lane_out(lane);
  const struct item *it = &m.item[lane][m.disposed[lane] % ITEMS];
  uint32_t reason = it->reason         ? it->reason
                    : it->phv[DISCARD] ? SLUICE_DROP_DISCARD_FRONT
                                       : SLUICE_DROP_NONE;
  if (m.disposed[lane] >= m.delivered[lane])
    fail("lane %d: disposed of a packet that has not come", lane);
  m.disposed[lane]++;
  m.packets++;
  m.disposition[o[4]]++;
  if (!o[0]) fail("lane %d: no pop", lane);
  if (o[4] == SLUICE_DROP_OVERLOAD && reason == SLUICE_DROP_NONE) {
    reason = SLUICE_DROP_OVERLOAD;
    const int share = packet_above(it->phv);
    const bool full = needs_full(lane, it->phv, 4);
    m.full += full && !(m.over_then & 15) && !share;
    if (!(m.over_then & 15) && !share && !full)
      fail("lane %d: overload drop without overload", lane);
    m.above_sure += share == 2;
    m.above_maybe += share != 0;
    if (!may_have_to_wait(lane, it->phv))
      fail("lane %d: overload drop of a packet that need not wait", lane);
    m.overload[lane]++;
  }
  if (o[4] != reason) fail("lane %d: reason %u, not %u", lane, o[4], reason);
  if (reason == SLUICE_DROP_NONE) {
    check_admitted(lane, it->phv, o);
    return;
  }
  const bool counted = reason == SLUICE_DROP_OVERLOAD || reason == SLUICE_DROP_DISCARD_FRONT;
  if (!o[1] || o[2] != it->phv[HDR]) fail("lane %d: slot not freed", lane);
  if (o[10] || o[14]) fail("lane %d: dropped and sent", lane);
  if (o[6] != counted) fail("lane %d: drop for reason %u reported: %u", lane, reason, o[6]);
  if (counted && (!o[7] || o[8] != (it->phv[VID] & 31) || o[9] != reason))
    fail("lane %d: wrong drop report", lane);
  if (reason == SLUICE_DROP_DISCARD_FRONT) m.discarded[lane]++;
}

static void check_registers(void) {
  if (outs[0] != m.next) fail("next ticket %u, not %u", outs[0], m.next);
  if ((int)outs[2] != m.in_flight_register)
    fail("in flight %u, not %d", outs[2], m.in_flight_register);
  if ((int)((m.next - outs[1]) & cfg.tag_mask) < span())
    fail("oldest tag %u: ticket %u is in flight", outs[1], m.oldest);
  for (int s = 0; s < cfg.S; s++)
    for (int d = 0; d < cfg.K; d++) {
      const int got = (int)outs[OUT_HEAD + s * cfg.K + d];
      if (got != m.depth[s][d])
        fail("depth of stage %d pipeline %d: %d, not %d", s, d, got, m.depth[s][d]);
      m.depth[s][d] -= m.reported[s][d];  // a report shows two cycles later, a phantom one
    }
}

// A packet of a module that is above its share never waits; in mode DROP_FULL, none for a phantom
// FIFO.
static void check_oldest(void) {
  const int lane = m.order[m.order_head % ORDER];
  const struct item *it = &m.item[lane][m.disposed[lane] % ITEMS];
  const bool there = m.order_head != m.order_tail && m.disposed[lane] < m.delivered[lane];
  const bool must_go = there && !it->reason && !it->phv[DISCARD] &&
                       (packet_above(it->phv) == 2 || needs_full(lane, it->phv, 0));
  m.refused_for = must_go && m.disposed_now == 0 ? m.refused_for + 1 : 0;
  if (m.refused_for > 12)
    fail("lane %d: a packet above its share, or for a full FIFO, holds others", lane);
}

static void check_outputs(void) {
  bool served[MAX_K] = {false};
  check_registers();
  m.disposed_now = 0;
  for (int l = 0; l < cfg.K; l++) m.disposed_now += (int)outs[lane_out(l) + 3];
  for (int i = 0; i < m.disposed_now && !failed; i++) {
    if (m.order_head == m.order_tail) {
      fail("more packets out than in");
      return;
    }
    const int lane = m.order[m.order_head++ % ORDER];
    if (!outs[lane_out(lane) + 3] || served[lane])
      fail("lane %d is next in the order, and was not served", lane);
    else check_packet(lane);
    served[lane] = true;
  }
  check_oldest();
  check_move(m.next);
  check_away();
  for (int l = 0; l < cfg.K; l++) {
    const uint32_t *o = outs + lane_out(l);
    if (!served[l] && (o[0] || o[1] || o[6] || o[10] || o[14]))
      fail("lane %d: output without a packet", l);
  }
}

// ---- inputs -------------------------------------------------------------------------------------

// What leaves boundary 0 in a cycle came in an earlier one, so this runs before the checks.
static void leave_boundary(void) {
  for (int d = 0; d < cfg.K; d++) {
    if (!chance(stim.rate.leave)) continue;
    const int first = pick(cfg.K);
    for (int i = 0; i < cfg.K; i++) {
      const int k = (first + i) % cfg.K;
      if (!m.bank[d][k]) continue;
      m.bank[d][k]--;
      ins[in_head() + d * cfg.K + k] = 1;
      ins[in_head() + cfg.K * cfg.K + d] = 1;
      break;
    }
  }
}

static void remember(void) {
  for (int h = HISTORY - 1; h > 0; h--) {
    m.oldest_then[h] = m.oldest_then[h - 1];
    memcpy(m.leaky_then[h], m.leaky_then[h - 1], sizeof m.leaky);
    memcpy(m.waiting_then[h], m.waiting_then[h - 1], sizeof m.waiting);
  }
  m.oldest_then[0] = outs[1];
  memcpy(m.depth_then[1], m.depth_then[0], sizeof m.depth_then[0]);
  for (int s = 0; s < cfg.S; s++)
    for (int d = 0; d < cfg.K; d++) m.depth_then[0][s][d] = (int)outs[OUT_HEAD + s * cfg.K + d];
  memcpy(m.leaky_then[0], m.leaky, sizeof m.leaky);
  memcpy(m.waiting_then[0], m.waiting, sizeof m.waiting);
  for (int s = 0; s < cfg.S; s++)
    for (int d = 0; d < cfg.K; d++) {
      if (m.leaky[s][d]) m.leaky[s][d]--;
      for (int l = 0; l < cfg.K; l++) {
        const uint32_t *o = outs + lane_out(l),
                       *phantom = o + 16 + PHV_WORDS + 2 * (cfg.S + 1) + 3 * s;
        if (o[14] && phantom[0] && (int)phantom[1] == d) m.leaky[s][d]++;
      }
    }
}

// Counts what was admitted for the shares. Counters stop at twice BURST.
static void count_shares(void) {
  for (int s = 0; s < cfg.S; s++)
    for (int l = 0; l < cfg.K; l++) {
      const uint32_t *o = outs + lane_out(l),
                     *phantom = o + 16 + PHV_WORDS + 2 * (cfg.S + 1) + 3 * s;
      if (o[14] && phantom[0]) m.used[s][o[16 + VID] & 31][phantom[1]]++;
    }
  for (int s = 0; s < cfg.S; s++)
    for (int r = 0; r < 32; r++)
      for (int d = 0; d < cfg.K; d++) {
        int *n = &m.used[s][r][d], most = 2 * (int)SHARE(r, BURST);
        const int before = m.used_then[0][s][r][d];
        if (before && tick(r)) --*n;
        if (*n > most) *n = most;
        if (!SHARE(r, LIMIT)) *n = 0;
      }
  for (int h = SHARES_TO - 1; h > 0; h--) memcpy(m.used_then[h], m.used_then[h - 1], sizeof m.used);
  memcpy(m.used_then[0], m.used, sizeof m.used);
}

// A few busy indices of one pipeline, index 0 among them, and many others.
static unsigned busy_index(void) {
  if (chance(20)) return (unsigned)pick(100);
  const unsigned index = (unsigned)pick(1 + pick(6)) * (unsigned)cfg.K + stim.busy_pipe;
  return chance(10) ? stim.busy_pipe : index;
}

static void new_packet(int lane, struct item *it) {
  memset(it, 0, sizeof *it);
  uint32_t *p = it->phv;
  if (chance(stim.rate.drop)) it->reason = SLUICE_DROP_BITMAP;
  p[VID] = (rnd() & 0xe0) | (stim.alone || (stim.hot && chance(95)) ? HOT
                             : chance(stim.rate.state)              ? (unsigned)pick(ROWS)
                                                                    : 31);
  p[LEN] = rnd() & 0x3fff;
  p[PORT_IN] = rnd() & 0xff;
  p[DEST] = rnd() & 0xff;
  p[DISCARD] = chance(stim.rate.drop);
  p[LANE] = (unsigned)lane | (unsigned)pick(cfg.K) << 8;
  p[HDR] = rnd() & cfg.hdr_mask;
  // Small numbers, so that many indices are within bounds, and zeros for the predicates.
  for (int i = 0; i < cfg.num[1]; i++)
    p[B2 + i] = chance(70) ? (unsigned)pick(300) : rnd() & 0xffff;
  for (int i = 0; i < cfg.num[2]; i++)
    p[B4 + i] = chance(30) ? 0 : chance(70) ? (unsigned)pick(600) : rnd();
  for (int i = 0; i < cfg.num[3]; i++) {
    p[B6 + 2 * i] = chance(70) ? (unsigned)pick(600) : rnd();
    p[B6 + 2 * i + 1] = chance(70) ? 0 : rnd() & 0xffff;
  }
  if (!chance(stim.busy)) return;
  p[VID] = (rnd() & 0xe0) | (chance(90) ? BUSY : PLAIN);
  for (int i = 0; i < cfg.num[2]; i++) p[B4 + i] = busy_index();
}

static void lane_inputs(int lane) {
  uint32_t *in = ins + in_head() + cfg.K * cfg.K + cfg.K + 3 * cfg.S * cfg.K +
                 lane * (6 + PHV_WORDS);
  const bool due = stim.items == ITEMS_FLOW ? m.arrive_then[ITEM_DELAY - 1][lane]
                                            : stim.items == ITEMS_RELEASED;
  if (due && m.delivered[lane] < m.arrived[lane]) {
    const struct item *it = &m.item[lane][m.delivered[lane]++ % ITEMS];
    in[4] = 1;
    in[5] = it->reason;
    memcpy(in + 6, it->phv, sizeof it->phv);
    if (!it->reason && !it->phv[DISCARD]) m.came[it->phv[VID] & 31] = cycle;
  }
  const bool come = (!stim.one_lane || cycle % cfg.K == lane) && chance(stim.rate.arrive) &&
                    m.arrived[lane] - m.disposed[lane] < cfg.lane_depth;
  for (int i = ITEM_DELAY - 1; i > 0; i--) m.arrive_then[i][lane] = m.arrive_then[i - 1][lane];
  m.arrive_then[0][lane] = come;
  in[0] = come;
  if (come) {
    new_packet(lane, &m.item[lane][m.arrived[lane]++ % ITEMS]);
    m.order[m.order_tail++ % ORDER] = (uint8_t)lane;
  }
  in[1] = chance(stim.rate.over);
  m.over_then |= in[1];
  if (outs[lane_out(lane) + 10]) m.in_flight_register++;
  if (m.num_in_flight && chance(stim.rate.done)) {
    const int at = chance(30) ? 0 : pick(m.num_in_flight);
    in[2] = 1;
    in[3] = m.in_flight[at] & cfg.tag_mask;
    m.flying[m.in_flight[at] % TICKETS] = false;
    m.in_flight[at] = m.in_flight[--m.num_in_flight];
    m.in_flight_register--;
  }
}

static void stage_inputs(int s, int d) {
  uint32_t *in = ins + in_head() + cfg.K * cfg.K + cfg.K + 3 * (s * cfg.K + d);
  m.waiting[s][d] = chance(stim.rate.wait) ? pick(40) : 0;
  m.reported[s][d] = 0;
  in[2] = (unsigned)m.waiting[s][d];
  if (!chance(stim.rate.report)) return;
  const int first = pick(cfg.K);
  for (int i = 0; i < cfg.K; i++) {
    const int l = (first + i) % cfg.K;
    if (!m.fifo[l][s][d]) continue;
    m.fifo[l][s][d]--;
    m.reported[s][d] = 1;
    in[0] = 1;
    in[1] = (unsigned)l;
    return;
  }
}

static void make_inputs(void) {
  ins[14] = stim.ecn_queue;
  m.deep_then[1] = m.deep_then[0];
  m.deep_then[0] = 0;
  for (int l = 0; l < cfg.K; l++) m.deep_then[0] |= (uint32_t)chance(stim.deep) << l;
  ins[15] = stim.mode | m.deep_then[0] << 16;
  ins[2] = stim.pace;
  ins[3] = stim.brake;
  ins[6] = chance(60);
  ins[16] = stim.period;
  ins[17] = stim.least;
  ins[18] = (unsigned)(cfg.K - set_size());
  land(ins + IN_HEAD);
  m.over_then <<= 1;
  for (int l = 0; l < cfg.K; l++) lane_inputs(l);
  for (int s = 0; s < cfg.S; s++)
    for (int d = 0; d < cfg.K; d++) stage_inputs(s, d);
  while (m.oldest != m.next && !m.flying[m.oldest % TICKETS]) m.oldest++;
}

// ---- tables -------------------------------------------------------------------------------------

struct message {
  unsigned resource, sub, stage, index;
  uint32_t entry[2];
};
static struct message messages[4096];
static int num_messages, sent_messages;

static void message(unsigned resource, unsigned sub, int stage, int row, uint32_t entry) {
  messages[num_messages++] =
      (struct message){resource, sub, (unsigned)stage, (unsigned)row, {entry, rnd()}};
}

static void configure_row(int s, int r) {
  struct table *t = &m.table[s][r];
  uint32_t a = rnd();
  a = chance(80) ? a | 1u << SLUICE_ACCESS_ENABLE_LSB : a & ~(1u << SLUICE_ACCESS_ENABLE_LSB);
  a = chance(25) ? a | 1u << SLUICE_ACCESS_PINNED_LSB : a & ~(1u << SLUICE_ACCESS_PINNED_LSB);
  if (chance(40)) a &= ~(3u << (SLUICE_ACCESS_PREDICATE_LSB + SLUICE_OPERAND_KIND_LSB));
  t->access = a;
  message(ACCESS_RESOURCE, ACCESS_SUB, s, r, a);
  if (chance(50)) {
    t->range = chance(30) ? rnd() & 0xffff : (unsigned)pick(700);
    t->base = chance(50) ? 0 : chance(50) ? rnd() & 0xffff : (unsigned)pick(cfg.slots);
    message(SEGMENT_RESOURCE, SEGMENT_SUB, s, r, t->range << 16 | t->base);
  } else {
    const unsigned range = rnd() & 0xff, base = chance(50) ? 0 : rnd() & 0xff;
    t->range = range * (unsigned)cfg.granule;
    t->base = base * (unsigned)cfg.granule;
    // Any sub-table number but the wide form's.
    message(SEGMENT16_RESOURCE, chance(50) ? 0 : 7, s, r,
            range << 24 | base << 16 | (rnd() & 0xffff));
  }
  // Messages that look alike, for others.
  if (chance(20)) message(STATE_INSTR_RESOURCE, STATE_INSTR_SUB, s, r, rnd());
  if (chance(20)) message(SEGMENT_RESOURCE, 1, cfg.S + s, r, rnd());
  if (chance(20)) message(SEGMENT_RESOURCE, 1, s, r + 32, rnd());
  if (chance(20)) message(MODULE_RESOURCE, 0, s, r, rnd());
}

// Shares that bite within a phase; first none, so that all counters are 0.
static void configure_shares(bool first) {
  for (int r = 0; r < 32; r++) {
    m.share[r] = 0;
    message(SHARE_RESOURCE, SHARE_SUB, 0, r, 0);
  }
  if (first) return;
  for (int r = 1; r <= HOT; r++) {
    if (r != HOT && chance(40)) continue;
    m.share[r] = (unsigned)(r == HOT || chance(90)) << SLUICE_SHARE_LIMIT_LSB |
                 (chance(10) ? rnd() & 63 : (unsigned)pick(16)) << SLUICE_SHARE_BURST_LSB |
                 (chance(10) ? rnd() & 511 : (unsigned)pick(100)) << SLUICE_SHARE_RATE_LSB;
    message(SHARE_RESOURCE, SHARE_SUB, 0, r, m.share[r] << 16 | (rnd() & 0xffff));
  }
}

static void configure(bool first) {
  num_messages = sent_messages = 0;
  m.sets = first ? 1 : 1 << pick(__builtin_ctz((unsigned)cfg.K) + 1);
  configure_shares(first);
  for (int s = 0; s < cfg.S; s++) {
    for (int r = 1; r < ROWS; r++) configure_row(s, r);
    m.table[s][HOT].access = 1u << SLUICE_ACCESS_ENABLE_LSB | 1u << SLUICE_ACCESS_PINNED_LSB;
    message(ACCESS_RESOURCE, ACCESS_SUB, s, HOT, m.table[s][HOT].access);
    m.table[s][PLAIN] = m.table[s][HOT];
    message(ACCESS_RESOURCE, ACCESS_SUB, s, PLAIN, m.table[s][HOT].access);
    const unsigned index = SLUICE_TYPE_B4 << SLUICE_OPERAND_KIND_LSB | (unsigned)(s % cfg.num[2]);
    m.table[s][BUSY] =
        (struct table){1u << SLUICE_ACCESS_ENABLE_LSB | index << SLUICE_ACCESS_INDEX_LSB, 200, 0};
    message(ACCESS_RESOURCE, ACCESS_SUB, s, BUSY, m.table[s][BUSY].access);
    message(SEGMENT_RESOURCE, SEGMENT_SUB, s, BUSY, 200 << 16);
  }
}

// Hands the next message to the test bench; false when all have passed.
static bool send_messages(void) {
  static bool started;
  if (sent_messages == num_messages) return false;
  const struct message *w = &messages[sent_messages];
  ins[8] = w->resource;
  ins[9] = w->sub;
  ins[10] = w->stage;
  ins[11] = w->index;
  ins[12] = w->entry[0];
  ins[13] = w->entry[1];
  if (!started) ins[7] = 1;
  if (started && !outs[5]) sent_messages++;
  started = outs[5];
  return true;
}

// ---- phases -------------------------------------------------------------------------------------

enum phase {
  INIT,
  CONFIGURE,
  LATENCY,
  DENSE,
  HOLD,
  SPARSE,
  BACKLOG,
  CATCH_UP,
  FILL_WINDOW,
  FILL_FIFOS,
  PACED,
  RANDOM,
  REGISTERS,
  END
};
static enum phase phase;
static int since, runs_left, waited;  // cycles in the phase
static bool draining, recall;
static int latency = -1, dense, paced, sparse, sparse_cycles, item_at;
static int backlog, backlog_cycles, catch_up_cycles;

static void calm(void) {
  memset(&stim, 0, sizeof stim);
  stim.rate = (struct rates){.report = 100, .done = 100, .leave = 100};
}

static void random_rates(void) {
  stim.one_lane = chance(30);
  stim.rate = (struct rates){.arrive = 20 + pick(81),
                             .report = 5 + pick(96),
                             .done = 5 + pick(96),
                             .leave = 10 + pick(91),
                             .over = chance(50) ? pick(30) : 0,
                             .wait = chance(50) ? pick(60) : 0,
                             .state = pick(101),
                             .drop = chance(50) ? pick(30) : 0};
  stim.pace = chance(50) ? 1 + (unsigned)pick(chance(50) ? 4 : 24) : 0;
  stim.brake = chance(50) ? 1 + (unsigned)pick(30) : 0;
  // Now and then one module offers far more than its share, beside others or alone.
  stim.hot = m.share[HOT] && chance(60);
  stim.alone = m.share[HOT] && chance(20);
  if (stim.alone) stim.hot = true;
  if (stim.hot) stim.pace = 8 + (unsigned)pick(8);
  if (chance(50))
    stim.mode = (unsigned)pick(3) << SLUICE_MODE_STEER_LSB |
                (unsigned)chance(20) << SLUICE_MODE_NO_PHANTOMS_LSB |
                (unsigned)chance(50) << SLUICE_MODE_DROP_FULL_LSB;
  stim.ecn_queue = chance(50) ? 1 + (unsigned)pick(16) : 0;
  stim.deep = chance(50) ? pick(101) : 0;
  stim.period = chance(75) ? 40 + (unsigned)pick(160) : 0;
  stim.least = (unsigned)pick(4);
  stim.busy = chance(75) && !stim.alone ? 50 + pick(51) : 0;
  stim.busy_pipe = (unsigned)pick(cfg.K);
}

static void start(enum phase p) {
  phase = p;
  since = -1;  // counted up at the end of this cycle
  draining = false;
  waited = 0;
  calm();
  switch (p) {
    case CONFIGURE: configure(latency < 0); break;
    case LATENCY: break;
    case DENSE: stim.rate.arrive = 100; break;
    case HOLD:
      stim.rate.arrive = 100;
      stim.one_lane = true;
      stim.items = ITEMS_HELD;
      break;
    case SPARSE: stim.items = ITEMS_RELEASED; break;
    case BACKLOG:
      stim.rate.arrive = 75;
      stim.items = ITEMS_HELD;
      break;
    case CATCH_UP: stim.items = ITEMS_RELEASED; break;
    case FILL_WINDOW:
      stim.rate.arrive = 100;
      stim.rate.done = 0;
      break;
    case FILL_FIFOS:
      stim.rate.arrive = stim.rate.state = 100;
      stim.rate.report = 0;
      break;
    case PACED:
      stim.rate.arrive = 100;
      stim.alone = true;
      stim.pace = 8;
      break;
    case RANDOM: random_rates(); break;
    default: break;
  }
}

// At rest everything is as after reset.
static void check_rest(void) {
  if (outs[1] != (m.next & cfg.tag_mask))
    fail("nothing in flight, oldest tag %u, next ticket %u", outs[1], m.next);
  if (outs[2]) fail("nothing in flight, register says %u", outs[2]);
}

static bool drained(void) {
  int inside = (int)(m.order_tail - m.order_head) + m.num_in_flight;
  for (int l = 0; l < cfg.K; l++)
    for (int s = 0; s < cfg.S; s++)
      for (int d = 0; d < cfg.K; d++) inside += m.fifo[l][s][d];
  if (recall) inside += !all_at_home();
  // Then long enough for the oldest tag to catch up.
  waited = inside ? 0 : waited + 1;
  if (since > 60000) fail("stands still: %d inside", inside);
  if (waited < 2 * cfg.window / cfg.K + 20) return false;
  check_rest();
  return true;
}

static bool drain(void) {
  if (!draining) {
    draining = true;
    since = 0;
    // Tables change only while everything is at home.
    recall = chance(40) || runs_left % 8 == 1;
    if (recall) stim.period = 0;
    stim.rate = (struct rates){.report = 100, .done = 100, .leave = 100};
    if (stim.items == ITEMS_HELD) stim.items = ITEMS_RELEASED;
  }
  return drained();
}

// Registers, one after the other: counts that the model knows, and waits, each of which some lane
// must have seen.
static bool read_registers(void) {
  static int at, asked;
  static uint32_t waits[8];  // and packets above their share
  static const int moves = 3;
  const int per_lane = 24, lane = at / per_lane, reg = at % per_lane;
  if (lane == cfg.K && reg == moves) {
    for (int r = 1; r < 6; r++)
      if (!waits[r]) fail("register %03x: no packet ever waited for this", 4u * (unsigned)r);
    if ((int)waits[7] < m.above_sure || (int)waits[7] > m.above_maybe || !m.above_sure)
      fail("%u packets dropped above their share, not %d to %d", waits[7], m.above_sure,
           m.above_maybe);
    if (!m.full) fail("no packet was dropped for a full phantom FIFO alone");
    return true;
  }
  int want = -1;
  unsigned offset = 4 * (unsigned)reg;
  unsigned base = SLUICE_ORDER_BASE + (unsigned)lane * SLUICE_ORDER_STRIDE;
  if (lane == cfg.K) {
    base = SLUICE_MOVE_BASE;
    want = offset == SLUICE_MOVE_RELOCATED ? 0
           : offset == SLUICE_MOVE_DECIDED ? mv.decided
                                           : mv.landed;
  } else if (reg == 0) want = m.admitted[lane];
  else if (reg == 6) want = m.out[lane];
  else if (reg > 7) {
    const int reason = reg - 8;
    offset = SLUICE_ORDER_DROP + 4 * (unsigned)reason;
    want = reason == SLUICE_DROP_OVERLOAD        ? m.overload[lane]
           : reason == SLUICE_DROP_DISCARD_FRONT ? m.discarded[lane]
                                                 : 0;
  }
  if (!asked) {
    ins[4] = 1;
    ins[5] = base + offset;
    asked = cycle;
  } else if (outs[3]) {
    if (want >= 0 && (int)outs[4] != want)
      fail("register %03x of lane %d: %u, not %d", offset, lane, outs[4], want);
    if (want < 0) waits[reg] += outs[4];
    asked = 0;
    at++;
  } else if (cycle - asked > 32) fail("register %03x of lane %d does not answer", offset, lane);
  return false;
}

// The packet is looked at while it is steered, a cycle before it comes out.
static void check_latency(void) {
  stim.rate.arrive = since == 0 ? 100 : 0;
  if (m.delivered[0] && !item_at) item_at = since - 1;  // the item is an input of the cycle before
  if (outs[lane_out(0) + 10] && latency < 0) latency = since + 1 - item_at;
  if (since == 60 && (latency < 0 || latency > 7)) fail("latency %d", latency);
}

static void check_sparse(void) {
  const int shown = cfg.K < 4 ? cfg.K : 4;
  if (m.disposed_now == 0 && !sparse) return;
  if (sparse_cycles == 20) return;
  sparse += m.disposed_now;
  if (++sparse_cycles == 20 && m.order_head != m.order_tail && sparse < 20 * shown)
    fail("sparse masks: %d packets in 20 cycles", sparse);
}

// Cycles that the waiting packets need, when a lane gives one a cycle and nothing passes its
// second.
static int cycles_of_backlog(void) {
  int cycles = 0;
  unsigned given = 0;
  for (unsigned i = m.order_head; i != m.order_tail; i++) {
    const unsigned lane = 1u << m.order[i % ORDER];
    if (cycles == 0 || given & lane) {
      cycles++;
      given = 0;
    }
    given |= lane;
  }
  return cycles;
}

static void check_catch_up(void) {
  if (since == 0) {
    backlog = (int)(m.order_tail - m.order_head);
    backlog_cycles = cycles_of_backlog();
  }
  const bool ended = m.order_head == m.order_tail;
  if (catch_up_cycles || m.disposed_now) catch_up_cycles += !ended || m.disposed_now;
  if (ended && catch_up_cycles > backlog_cycles && m.disposed_now)
    fail("backlog of %d packets took %d cycles, not %d", backlog, catch_up_cycles, backlog_cycles);
}

// One cycle of the phase; goes on to the next when it is done.
static void run_phase(void) {
  const int length = phase == DENSE         ? 540
                     : phase == HOLD        ? cfg.K * cfg.lane_depth + 20
                     : phase == BACKLOG     ? cfg.lane_depth
                     : phase == FILL_WINDOW ? 2 * cfg.window / cfg.K + 100
                     : phase == FILL_FIFOS  ? 600
                     : stim.busy            ? 2000
                     : stim.alone           ? 4 * (cfg.lane_depth < 64 ? 64 : cfg.lane_depth)
                                            : 400;
  switch (phase) {
    case INIT:
      ins[0] = since < 64;
      ins[1] = (unsigned)since;
      if (since == 70) start(CONFIGURE);
      break;
    case CONFIGURE:
      if (!send_messages() && since > 10 && outs[6])
        start(runs_left ? (latency < 0 ? LATENCY : RANDOM) : REGISTERS);
      if (since > 20000) fail("chain stands still");
      break;
    case LATENCY:
      if (!draining && since <= 60) check_latency();
      else if (drain()) start(DENSE);
      break;
    case DENSE:
      if (!draining && since >= 40 && since < length) dense += m.disposed_now;
      if (!draining && since == length && dense != 500 * cfg.K)
        fail("dense masks: %d packets in 500 cycles", dense);
      if (draining || since > length) {
        if (drain()) start(HOLD);
      }
      break;
    case HOLD:
      if (since > length) start(SPARSE);
      break;
    case SPARSE:
      check_sparse();
      if (draining || since > 200) {
        if (drain()) start(BACKLOG);
      }
      break;
    case BACKLOG:
      if (since > length) start(CATCH_UP);
      break;
    case CATCH_UP:
      if (!draining) check_catch_up();
      if (draining || since > 2 * cfg.lane_depth) {
        if (drain()) start(FILL_WINDOW);
      }
      break;
    case FILL_WINDOW:
      if (!draining && since == length && span() <= cfg.window - 2 * cfg.K)
        fail("window: only %d in flight", span());
      if (draining || since > length) {
        if (drain()) start(FILL_FIFOS);
      }
      break;
    case FILL_FIFOS:
      if (!draining && since == length && m.fifo_most != cfg.phantom_depth)
        fail("phantom FIFOs: at most %d", m.fifo_most);
      if (draining || since > length) {
        if (drain()) start(PACED);
      }
      break;
    case PACED:
      if (!draining && since >= 100 && since < 300) paced += m.disposed_now;
      if (since == 300 && !draining && abs(paced - 200) > 4 * cfg.K)
        fail("paced: %d packets in 200 cycles", paced);
      if (draining || since > 300) {
        if (drain()) start(RANDOM);
      }
      break;
    case RANDOM:
      if (since % 600 == 599) stim.busy_pipe = (unsigned)pick(cfg.K);
      if ((draining || since > length) && drain())
        start(--runs_left && runs_left % 8 ? RANDOM : CONFIGURE);
      break;
    case REGISTERS:
      if (read_registers()) phase = END;
      break;
    case END: break;
  }
  since++;
}

void order_open(int seed, int runs, int pipes, int stages, int bank_depth, int phantom_depth,
                int window, int lane_depth, int slots, int relocations, int granule, int num2,
                int num4, int num6, int tag_bits, int hdr_bits);
int order_cycle(const uint32_t *from, uint32_t *to);

void order_open(int seed, int runs, int pipes, int stages, int bank_depth, int phantom_depth,
                int window, int lane_depth, int slots, int relocations, int granule, int num2,
                int num4, int num6, int tag_bits, int hdr_bits) {
  state = (uint64_t)(unsigned)seed << 32 | 0x9e3779b9u;
  for (int i = 0; i < 8; i++) rnd();
  cfg.K = pipes;
  cfg.S = stages;
  cfg.bank_depth = bank_depth;
  cfg.phantom_depth = phantom_depth;
  cfg.window = window;
  cfg.lane_depth = lane_depth;
  cfg.slots = slots;
  cfg.relocations = relocations;
  cfg.granule = granule;
  cfg.num[1] = num2;
  cfg.num[2] = num4;
  cfg.num[3] = num6;
  cfg.tag_mask = (1u << tag_bits) - 1;
  cfg.hdr_mask = (1u << hdr_bits) - 1;
  runs_left = runs;
  start(INIT);
}

int order_cycle(const uint32_t *from, uint32_t *to) {
  outs = from;
  ins = to;
  memset(to, 0,
         4 * (size_t)(in_head() + cfg.K * cfg.K + cfg.K + 3 * cfg.S * cfg.K +
                      cfg.K * (6 + PHV_WORDS)));
  cycle++;
  leave_boundary();
  check_outputs();
  remember();
  count_shares();
  run_phase();
  make_inputs();
  if (failed) return 2;
  if (phase != END) return 0;
  printf("PASS sluice_order: %d packets (%d admitted, %d void, %d overload, of these %d to %d "
         "above a share, %d for a full FIFO), latency %d, dense %d in "
         "500 cycles, "
         "sparse %d in %d, backlog %d in %d of %d, FIFO at most %d, span %d, moves %d (home %d, "
         "again %d), %d cycles with all "
         "spare slots, %d with all ids, %d marked, %d cycles\n",
         m.packets, m.disposition[0],
         m.disposition[SLUICE_DROP_BITMAP] + m.disposition[SLUICE_DROP_DISCARD_FRONT],
         m.disposition[SLUICE_DROP_OVERLOAD], m.above_sure, m.above_maybe, m.full, latency, dense,
         sparse, sparse_cycles, backlog, catch_up_cycles, backlog_cycles, m.fifo_most, m.span_most,
         mv.decided, mv.returned, mv.again, mv.spares_full, mv.ids_full, m.marked, cycle);
  return 1;
}
