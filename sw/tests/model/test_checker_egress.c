// SPDX-License-Identifier: Apache-2.0
// The checker against an egress made of paper: the events that a faultless chip would show for
// multicast packets whose egress function writes all numbers of a copy into it, counts copies by
// port, and discards some. This test computes the numbers from the definitions of docs/machine.md.
// As it is, the list passes; each mutant of it must be caught, with the right words.

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "tests/rig/checker_rig.h"
#include "model/checker.h"

enum { RX, LANE, ORDER, EXIT, ENTER, LEFT, FATE, TX };
enum {
  NUM = 60,     // packets
  MODULES = 3,  // rows 5, 6, 7
  ROW = 5,
  PORTS = 8,
  MAX_EVENTS = 3000,
  MAX_COPIES = 4 * NUM,
  COUNT_STAGE = 4,  // the second egress stage
  B2 = SLUICE_TYPE_B2,
  B4 = SLUICE_TYPE_B4,
};

// Ports of a module's packets, and the port of the copies that its egress function discards: of row
// 5 those for port 3, of row 6 all, of row 7 none.
static const unsigned dests[MODULES] = {1 << 1 | 1 << 3 | 1 << 6, 1 << 3,
                                        1 << 2 | 1 << 3 | 1 << 4 | 1 << 5};
static const unsigned discards[MODULES] = {3, 3, 0x7ff};

struct event {
  uint64_t cycle;
  int kind;
  unsigned lane, number, port, copy;
  bool last, dropped;
  unsigned beat;
};

struct copy {
  unsigned number, port, copy, lane, source, beats;
  uint64_t a, e, l;
  bool done, dropped;
  uint8_t bytes[128];
};

struct paper {
  struct event events[MAX_EVENTS];
  unsigned num, num_copies;
  struct copy copies[MAX_COPIES];
  uint32_t count[2][MODULES][PORTS];  // final state
  unsigned classes;                   // of the output queues
  struct sluice_checker *ck;
  struct sluice_report report;
};

static unsigned len_of(unsigned number) { return number % 3 == 1 ? 100 : 64; }
static unsigned module_of(unsigned number) { return number % 7 % MODULES; }
static uint64_t arrival_of(unsigned number) { return 10 + 3 * (number / 2); }

static void frame_of(uint8_t *bytes, unsigned number) {
  data_frame(bytes, 128, ROW + module_of(number), number);
}

static void add(struct paper *c, struct event e) {
  assert_true(c->num < MAX_EVENTS);
  c->events[c->num++] = e;
}

static int by_cycle(const void *a, const void *b) {
  const struct event *x = a, *y = b;
  if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
  if (x->kind != y->kind) return x->kind - y->kind;
  return (int)x->lane - (int)y->lane;
}

static void put32(uint8_t *to, uint32_t value) {
  sluice_put16(to, value >> 16), sluice_put16(to + 2, value & 0xffff);
}

// Output lane `lane` takes a copy that waits, of the one or the other source lane first, and rests
// two cycles behind it: so that copies wait.
static void serve(struct paper *c, unsigned lane) {
  unsigned left = 0;
  for (unsigned i = 0; i < c->num_copies; i++) left += c->copies[i].lane == lane;
  for (uint64_t t = 0; left; t++) {
    struct copy *best = NULL;
    for (unsigned i = 0; i < c->num_copies; i++) {
      struct copy *k = &c->copies[i];
      if (k->lane != lane || k->done || k->a >= t) continue;
      if (!best || (best->source != t / 5 % 2 && k->source == t / 5 % 2)) best = k;
    }
    if (!best) continue;
    best->done = true;
    best->e = t;
    best->l = t + best->beats - 1;
    t = best->l + 2;
    left--;
  }
}

static unsigned depth_in(const struct paper *c, const struct copy *k) {
  unsigned depth = 0;
  for (unsigned i = 0; i < c->num_copies; i++) {
    const struct copy *other = &c->copies[i];
    if (other->port == k->port && other->a < k->a && other->l + 1 >= k->a) depth++;
  }
  return depth;
}
static unsigned depth_out(const struct paper *c, const struct copy *k) {
  unsigned depth = 0;
  for (unsigned i = 0; i < c->num_copies; i++) {
    const struct copy *other = &c->copies[i];
    if (other != k && other->port == k->port && other->a <= k->e && other->l >= k->e) depth++;
  }
  return depth;
}

// The egress function, in the order in which copies leave the queues of a lane.
static void compute(struct paper *c, unsigned lane) {
  for (uint64_t t = 0; t < 2000; t++)
    for (unsigned i = 0; i < c->num_copies; i++) {
      struct copy *k = &c->copies[i];
      if (k->lane != lane || k->e != t) continue;
      const unsigned module = module_of(k->number);
      k->dropped = k->port == discards[module];
      frame_of(k->bytes, k->number);
      sluice_put16(k->bytes + 44, depth_in(c, k));
      sluice_put16(k->bytes + 46, k->port);
      sluice_put16(k->bytes + 48, depth_out(c, k));
      put32(k->bytes + 50, (uint32_t)(k->e - k->a));
      put32(k->bytes + 54, (uint32_t)k->e);
      put32(k->bytes + 58, ++c->count[lane][module][k->port]);
      sluice_put16(k->bytes + 62, k->copy);
    }
}

static void build(struct paper *c) {
  memset(c, 0, sizeof *c);
  for (unsigned n = 0; n < NUM; n++) {
    const unsigned beats = (len_of(n) + 63) / 64, lane = n % 2;
    const uint64_t arrival = arrival_of(n);
    for (unsigned b = 0; b < beats; b++)
      add(c, (struct event){.cycle = arrival - (beats - 1 - b),
                            .kind = RX,
                            .lane = lane,
                            .number = n,
                            .last = b == beats - 1,
                            .beat = b});
    add(c, (struct event){.cycle = arrival + 2, .kind = LANE, .lane = lane, .number = n});
    add(c, (struct event){.cycle = arrival + 4, .kind = ORDER, .lane = lane, .number = n});
    add(c, (struct event){.cycle = arrival + 10, .kind = EXIT, .lane = lane, .number = n});
    for (unsigned port = 0, copy = 0; port < PORTS; port++)
      if (dests[module_of(n)] >> port & 1)
        c->copies[c->num_copies++] = (struct copy){.number = n,
                                                   .port = port,
                                                   .copy = copy++,
                                                   .lane = port % 2,
                                                   .source = lane,
                                                   .beats = beats,
                                                   .a = arrival + 10};
  }
  for (unsigned lane = 0; lane < 2; lane++) serve(c, lane);
  for (unsigned lane = 0; lane < 2; lane++) compute(c, lane);
  for (unsigned i = 0; i < c->num_copies; i++) {
    const struct copy *k = &c->copies[i];
    const struct event e = {
        .lane = k->lane, .number = k->number, .port = k->port, .copy = i, .dropped = k->dropped};
    struct event enter = e, left = e, fate = e;
    enter.kind = ENTER, enter.cycle = k->e;
    left.kind = LEFT, left.cycle = k->l;
    fate.kind = FATE, fate.cycle = k->e + 9;
    add(c, enter), add(c, left), add(c, fate);
    for (unsigned b = 0; b < k->beats && !k->dropped; b++) {
      struct event tx = e;
      tx.kind = TX, tx.cycle = k->e + 12 + b, tx.beat = b, tx.last = b == k->beats - 1;
      add(c, tx);
    }
  }
}

// ---- the program --------------------------------------------------------------------------------

static uint32_t funci(unsigned f, unsigned a, unsigned imm) {
  return (uint32_t)SLUICE_OP_FUNCI << 21 | a << 16 | f << SLUICE_INSTR_FUNCI_F_LSB | imm;
}

static void match(struct sluice_checker *ck, unsigned stage, unsigned i,
                  const struct entry *action) {
  struct entry mask, match = {{0}};
  memset(&mask, 0xff, sizeof mask);
  SET(&match, MATCH, VID, ROW + i);
  put(ck, SLUICE_TABLE_KEY_MASK, stage, ROW + i, &mask);
  put(ck, SLUICE_TABLE_MATCH, stage, i, &match);
  put(ck, SLUICE_TABLE_ACTION, stage, i, action);
}

static void configure(struct sluice_checker *ck) {
  for (unsigned i = 0; i < MODULES; i++) {
    struct entry module = {{0}}, parser = {{0}}, deparser = {{0}}, first = {{0}}, second = {{0}},
                 state = {{0}}, segment = {{0}}, access = {{0}};
    SETS(&module, MODULE, (VALID, 1), (VID, ROW + i), (DEST, dests[i]));
    put(ck, SLUICE_TABLE_MODULE, 0, ROW + i, &module);
    entry_action(&parser, 0, parse_action(1, 20, B4, 0));  // DEPTH_IN, PORT_OUT
    entry_action(&parser, 1, parse_action(1, 28, B2, 0));  // DEPTH_OUT
    entry_action(&parser, 2, parse_action(1, 16, B4, 1));  // DELAY
    entry_action(&parser, 3, parse_action(1, 24, B4, 2));  // CYCLE
    entry_action(&parser, 4, parse_action(1, 22, B2, 1));  // PORT_OUT
    entry_action(&parser, 5, parse_action(1, 12, B2, 3));  // COPY
    put(ck, SLUICE_TABLE_EGRESS_PARSER, 0, ROW + i, &parser);
    entry_action(&deparser, 0, parse_action(0, 44, B4, 0));
    entry_action(&deparser, 1, parse_action(0, 48, B2, 0));
    entry_action(&deparser, 2, parse_action(0, 50, B4, 1));
    entry_action(&deparser, 3, parse_action(0, 54, B4, 2));
    entry_action(&deparser, 4, parse_action(0, 58, B4, 3));
    entry_action(&deparser, 5, parse_action(0, 62, B2, 3));
    put(ck, SLUICE_TABLE_EGRESS_DEPARSER, 0, ROW + i, &deparser);
    // 2B[1] is the port; 2B[2] becomes whether to discard.
    entry_slot(&first, 3, funci(SLUICE_FUNCI_EQ, operand(B2, 1), discards[i]));
    match(ck, COUNT_STAGE - 1, i, &first);
    entry_slot(&second, 0, instr(SLUICE_OP_FUNCI, operand(B2, 2), 0));
    entry_slot(&second, 12, instr_imm(SLUICE_OP_EXT, 0, SLUICE_EXT_NEW_1));
    match(ck, COUNT_STAGE, i, &second);
    SETS(&state, STATE_INSTR, (VALID, 1), (PRED_1, SLUICE_REL_TRUE << 3),
         (PRED_2, SLUICE_REL_TRUE << 3), (A1, 0x80 | SLUICE_ARM_K0 << 3 | SLUICE_ARM_ZERO),
         (A2, 0x80 | SLUICE_ARM_ZERO << 3 | SLUICE_ARM_ZERO), (K0, 1));
    put(ck, SLUICE_TABLE_STATE_INSTR, COUNT_STAGE, i, &state);
    SETS(&segment, SEGMENT, (BASE, 20 * i), (RANGE, PORTS));
    put(ck, SLUICE_TABLE_SEGMENT, COUNT_STAGE, ROW + i, &segment);
    SETS(&access, ACCESS, (ENABLE, 1), (INDEX, operand(B2, 1)));
    put(ck, SLUICE_TABLE_ACCESS, COUNT_STAGE, ROW + i, &access);
  }
}

static void show(struct paper *c, const struct event *e) {
  struct sluice_checker *ck = c->ck;
  const unsigned len = len_of(e->number), here = e->last ? len - 64 * e->beat : 64;
  const uint64_t keep = here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1;
  uint8_t bytes[128];
  frame_of(bytes, e->number);
  switch (e->kind) {
    case RX:
      sluice_checker_rx(ck, e->cycle, e->lane, bytes + 64 * e->beat, keep, e->last, false, e->lane,
                        e->number + 1);
      break;
    case LANE: sluice_checker_lane(ck, e->cycle, e->lane, SLUICE_DROP_NONE); break;
    case ORDER: sluice_checker_order(ck, e->cycle, e->lane, SLUICE_DROP_NONE, e->number); break;
    case EXIT:
      sluice_checker_exit(ck, e->cycle, e->lane, SLUICE_DROP_NONE, e->number,
                          dests[module_of(e->number)], 0);
      break;
    case ENTER: sluice_checker_copy(ck, e->cycle, e->lane, e->number, e->port); break;
    case LEFT: sluice_checker_copy_last(ck, e->cycle, e->lane); break;
    case FATE:
      sluice_checker_copy_fate(ck, e->cycle, e->lane, e->number, e->port, e->dropped);
      break;
    default:
      sluice_checker_tx(ck, e->cycle, e->lane, c->copies[e->copy].bytes + 64 * e->beat, keep,
                        e->last, e->port, e->number);
  }
}

static void play(struct paper *c) {
  struct sluice_config config = *sluice_config_find("egress");
  config.OutputClasses = c->classes;
  c->ck = sluice_checker_open(&config, NULL);
  assert_non_null(c->ck);
  configure(c->ck);
  sluice_checker_ready(c->ck, 0);
  qsort(c->events, c->num, sizeof c->events[0], by_cycle);
  unsigned at = 0;
  for (uint64_t cycle = 0; at < c->num; cycle++) {
    for (; at < c->num && c->events[at].cycle == cycle; at++) show(c, &c->events[at]);
    sluice_checker_cycle(c->ck, cycle);
  }
  const bool idle = sluice_checker_idle(c->ck);
  sluice_checker_finish(c->ck);
  for (unsigned lane = 0; lane < 2; lane++)
    for (unsigned m = 0; m < MODULES; m++)
      for (unsigned port = 0; port < PORTS; port++)
        sluice_checker_lane_entry(c->ck, ROW + m, 1, lane, port, c->count[lane][m][port], 0);
  sluice_checker_report(c->ck, &c->report);
  assert_true(idle || c->report.differences);
  sluice_checker_close(c->ck);
}

static struct paper *papers(void) {
  static struct paper c;
  build(&c);
  return &c;
}

static void expect(struct paper *c, const char *field, const char *expected, const char *got) {
  play(c);
  assert_true(c->report.differences > 0);
  const struct sluice_difference *d = &c->report.first;
  if (!strstr(d->field, field) || !strstr(d->expected, expected) || !strstr(d->got, got))
    fail_msg("%s", d->text);
}

// The n-th event of a kind that is (not) of a discarded copy.
static struct event *nth(struct paper *c, int kind, unsigned n, bool dropped) {
  for (unsigned i = 0; i < c->num; i++)
    if (c->events[i].kind == kind && c->events[i].dropped == dropped && n-- == 0)
      return &c->events[i];
  fail();
  return NULL;
}

static void remove_event(struct paper *c, struct event *e) { *e = c->events[--c->num]; }

// ---- tests --------------------------------------------------------------------------------------

TEST(a_faultless_chip_passes) {
  struct paper *c = papers();
  unsigned dropped = 0, of_port[PORTS] = {0}, none = 0, deepest = 0;
  for (unsigned i = 0; i < c->num_copies; i++) {
    dropped += c->copies[i].dropped;
    of_port[c->copies[i].port] += c->copies[i].dropped;
    if (depth_in(c, &c->copies[i]) > deepest) deepest = depth_in(c, &c->copies[i]);
  }
  for (unsigned n = 0; n < NUM; n++) none += module_of(n) == 1;
  play(c);
  const struct sluice_report *r = &c->report;
  if (r->differences) fail_msg("%s", r->first.text);
  FIELDS_ARE(r, (egress_copies, c->num_copies), (egress_changed, c->num_copies - dropped),
             (copies, c->num_copies - dropped), (drops[SLUICE_DROP_EGRESS], dropped),
             (egress_port[3], of_port[3]));
  assert_int_equal(r->drops_module[ROW + 1][SLUICE_DROP_EGRESS], none);
  assert_int_equal(r->discarded_egress, none);
  assert_int_equal(r->discarded_egress_module[ROW + 1], none);
  FIELDS_ARE(r, (delivered, NUM - none), (egress_ops, c->num_copies), (egress_refused, 0),
             (egress_entries, 2 * MODULES * PORTS), (egress_depth_in, deepest));
  assert_true(deepest > 3);
  assert_int_equal(r->inside, 0);
}

TEST(a_wrong_depth_is_found) {
  struct paper *c = papers();
  // The chip counts one copy more when the 20th comes.
  c->copies[nth(c, TX, 20, false)->copy].bytes[45]++;
  expect(c, "byte 45", "0x", "0x");
  build(c);
  c->copies[nth(c, TX, 25, false)->copy].bytes[49]--;
  expect(c, "byte 49", "0x", "0x");
  // The cycle of the copy before.
  build(c);
  c->copies[nth(c, TX, 30, false)->copy].bytes[57]--;
  expect(c, "byte 57", "0x", "0x");
}

TEST(a_byte_that_nothing_writes_is_found) {
  struct paper *c = papers();
  c->copies[nth(c, TX, 10, false)->copy].bytes[43] ^= 1;
  expect(c, "byte 43", "0x", "0x");
}

// Two copies from one source lane to one port change places, of one module or of two.
static uint64_t exit_of(const struct paper *c, unsigned number) {
  for (unsigned i = 0; i < c->num; i++)
    if (c->events[i].kind == EXIT && c->events[i].number == number) return c->events[i].cycle;
  fail();
  return 0;
}
static void overtake(struct paper *c, bool of_one) {
  for (unsigned n = 0;; n++) {
    struct event *a = nth(c, ENTER, n, false);
    for (struct event *e = c->events; e < c->events + c->num; e++)
      if (e->kind == ENTER && e->port == a->port && e->number > a->number &&
          e->number % 2 == a->number % 2 &&
          (module_of(e->number) == module_of(a->number)) == of_one &&
          exit_of(c, e->number) < a->cycle) {
        const unsigned number = a->number;
        a->number = e->number;
        e->number = number;
        return;
      }
  }
}

TEST(an_overtaken_copy_is_found) {
  struct paper *c = papers();
  overtake(c, true);
  expect(c, "order of the copies from lane", "first", "ticket");
  build(c);
  overtake(c, false);
  expect(c, "order of the copies from lane", "first", "ticket");
  // With four classes modules of other rows have other queues: what differs is what the copy says.
  build(c);
  c->classes = 4;
  overtake(c, true);
  expect(c, "order of the copies from lane", "first", "ticket");
  build(c);
  c->classes = 4;
  overtake(c, false);
  play(c);
  assert_true(c->report.differences > 0);
  if (strstr(c->report.first.field, "order of the copies")) fail_msg("%s", c->report.first.text);
}

TEST(a_wrong_fate_is_found) {
  struct paper *c = papers();
  nth(c, FATE, 5, true)->dropped = false;
  expect(c, "egress function, copy for port 3", "discarded", "sent");
  build(c);
  nth(c, FATE, 5, false)->dropped = true;
  expect(c, "egress function, copy for port", "sent", "discarded");
}

// What the chip says is right, but the copy is on the wire all the same: in the place that it would
// have there, before or behind the moment at which its fate is known.
TEST(a_discarded_copy_that_leaves_is_found) {
  for (unsigned late = 0; late < 2; late++) {
    struct paper *c = papers();
    for (unsigned i = 0; i < c->num; i++)
      if (c->events[i].kind == FATE && late) c->events[i].cycle += 8;
    struct event tx = *nth(c, ENTER, 3, true);
    const unsigned beats = c->copies[tx.copy].beats;
    for (unsigned b = 0; b < beats; b++) {
      tx.kind = TX, tx.cycle = c->copies[tx.copy].e + 12 + b, tx.beat = b, tx.last = b + 1 == beats;
      add(c, tx);
    }
    if (late) expect(c, "next copy on output lane", "ticket", "ticket");
    else expect(c, "port 3", "no packet with ticket", "one");
  }
}

TEST(a_copy_that_is_lost_is_found) {
  struct paper *c = papers();
  const struct event *gone = nth(c, TX, 40, false);
  for (unsigned i = 0, copy = gone->copy; i < c->num; i++)
    if (c->events[i].copy == copy && c->events[i].kind == TX) remove_event(c, &c->events[i--]);
  expect(c, "next copy on output lane", "ticket", "ticket");
  build(c);
  gone = nth(c, ENTER, c->num_copies / 3, false);
  const struct event lost = *gone;
  for (unsigned i = 0; i < c->num; i++)
    if (c->events[i].copy == lost.copy && c->events[i].kind >= ENTER)
      remove_event(c, &c->events[i--]);
  play(c);
  assert_true(c->report.differences > 0);
}

TEST(beats_of_queues_are_checked) {
  struct paper *c = papers();
  remove_event(c, nth(c, LEFT, 7, false));
  expect(c, "copy that leaves the queues of output lane", "its last beat", "ticket");
  build(c);
  struct event twice = *nth(c, LEFT, 7, false);
  add(c, twice);
  expect(c, "last beat out of the queues", "none: no copy has begun", "one");
  build(c);
  nth(c, ENTER, 7, false)->lane ^= 1;
  expect(c, "copy that leaves the queues of output lane", "one that waits there", "ticket");
  build(c);
  nth(c, ENTER, 7, false)->port ^= 1;
  play(c);
  assert_true(c->report.differences > 0);
}

// Two copies change places between queue and wire.
TEST(the_order_on_the_wire_is_checked) {
  struct paper *c = papers();
  qsort(c->events, c->num, sizeof c->events[0], by_cycle);
  struct event *first = NULL;
  for (struct event *e = c->events; e < c->events + c->num; e++) {
    if (e->kind != TX || e->lane || c->copies[e->copy].beats != 1) continue;
    if (first && first->copy > 20) {
      const uint64_t cycle = first->cycle;
      first->cycle = e->cycle;
      e->cycle = cycle;
      break;
    }
    first = e;
  }
  expect(c, "next copy on output lane 0", "ticket", "ticket");
}

TEST(the_state_of_every_lane_is_compared) {
  for (unsigned lane = 0; lane < 2; lane++) {
    struct paper *c = papers();
    c->count[lane][0][lane ? 6 : 1]++;
    expect(c,
           lane ? "state of egress stage 1 lane 1 index 6 word 1"
                : "state of egress stage 1 lane 0 index 1 word 1",
           "row 5", "0x");
  }
}

TEST(whether_a_row_is_still) {
  struct paper *c = papers();
  uint64_t seen;
  c->ck = sluice_checker_open(sluice_config_find("egress"), NULL);
  configure(c->ck);
  sluice_checker_ready(c->ck, 0);
  qsort(c->events, c->num, sizeof c->events[0], by_cycle);
  unsigned at = 0, in = 0;
  for (uint64_t cycle = 0; cycle < 13; cycle++) {
    for (; c->events[at].cycle == cycle; at++) {
      show(c, &c->events[at]);
      in += c->events[at].kind == RX && c->events[at].last && module_of(c->events[at].number) == 0;
    }
    sluice_checker_cycle(c->ck, cycle);
    assert_int_equal(sluice_checker_row_still(c->ck, ROW, &seen), in == 0);
    assert_int_equal(seen, in);
    assert_true(sluice_checker_row_still(c->ck, 1, &seen));
  }
  assert_true(in > 0);
  sluice_checker_close(c->ck);
}

// Two copies of one: the second comes while it is not known yet that the first was meant.
TEST(a_copy_that_is_sent_twice_is_found) {
  struct paper *c = papers();
  for (unsigned i = 0; i < c->num; i++)
    if (c->events[i].kind == FATE) c->events[i].cycle += 8;
  unsigned n = 20;
  while (c->copies[nth(c, TX, n, false)->copy].beats > 1) n++;
  struct event again = *nth(c, TX, n, false);
  again.cycle++;
  add(c, again);
  expect(c, "order at port", "behind packet", "before it");
}

// A packet for port 3 and through the chip again: its egress function discards the copy for the
// port, and it is not discarded as a whole.
TEST(a_packet_that_comes_again_is_not_discarded) {
  enum { PORT = 3, AGAIN = 4 };
  struct sluice_checker *ck CLOSED_BY(close_checker) =
      sluice_checker_open(sluice_config_find("egress.NumPorts4.Recirculation1"), NULL);
  struct sluice_report r;
  struct entry module = {{0}}, rounds = {{0}};
  uint8_t bytes[64];
  assert_non_null(ck);
  configure(ck);
  SETS(&module, MODULE, (VALID, 1), (VID, ROW), (DEST, 1u << PORT | 1u << AGAIN));
  put(ck, SLUICE_TABLE_MODULE, 0, ROW, &module);
  SETS(&rounds, RECIRCULATE, (ROUNDS, 1), (BURST, 1));
  put(ck, SLUICE_TABLE_RECIRCULATE, 0, ROW, &rounds);
  sluice_checker_ready(ck, 0);
  data_frame(bytes, sizeof bytes, ROW, 0);
  sluice_checker_rx(ck, 1000, 0, bytes, UINT64_MAX, true, false, 0, 1);
  sluice_checker_lane(ck, 1002, 0, SLUICE_DROP_NONE);
  sluice_checker_order(ck, 1004, 0, SLUICE_DROP_NONE, 0);
  sluice_checker_cycle(ck, 1004);
  sluice_checker_exit(ck, 1010, 0, SLUICE_DROP_NONE, 0, 1u << PORT | 1u << AGAIN, 0);
  sluice_checker_copy(ck, 1012, 1, 0, PORT);
  sluice_checker_copy_last(ck, 1012, 1);
  sluice_checker_copy_fate(ck, 1021, 1, 0, PORT, true);
  sluice_checker_report(ck, &r);
  if (r.differences) fail_msg("%s", r.first.text);
  FIELDS_ARE(&r, (drops[SLUICE_DROP_EGRESS], 1), (discarded_egress, 0), (delivered, 1));
}
