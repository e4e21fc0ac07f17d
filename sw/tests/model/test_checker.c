// SPDX-License-Identifier: Apache-2.0
// The checker against a chip made of paper: a list of the events that a faultless chip would show,
// with a program so simple that this test computes it itself. As it is, the list passes; each
// mutant of it must be caught, with the right words.

#include "tests/rig/test.h"
#include "tests/rig/checker_rig.h"
#include "model/checker.h"
#include "model/events.h"
#include "model/monitor.h"

enum { RX, LANE, ORDER, STATE, EXIT, TX };
enum { ROW = 5, NUM = 48, LEN = 100, MAX_EVENTS = 1200, END = 500, NOBODY = 4 };

// Packets that do not simply pass.
enum { FRONT = 7, BACK = 9, NO_VLAN = 11, BAD = 13, OVERLOAD = 15, FULL = 17, OUT_FULL = 20 };

struct event {
  int kind;
  uint64_t cycle, number;
  unsigned lane;  // or the pipeline of a state operation
  unsigned reason, tag, stage, slot, port, beat;
  uint32_t ticket;
  uint64_t accepted, refused, keep;
  bool last, err, is_refused, mark, deep;
  unsigned held;
  uint8_t data[64];
};

struct chip {
  unsigned beat;      // bytes
  unsigned classes;   // of the output queues
  bool class_given;   // the module gets class 2 at cycle 0
  bool class_lowest;  // it has class 0, and has had it for long
  struct event events[MAX_EVENTS];
  unsigned num;
  uint32_t count[6];  // final state
  unsigned admitted, dropped, sent;
  unsigned ecn_queue, ecn_lane;
  unsigned class_ecn[4];
  struct sluice_checker *ck;
  FILE *record;  // NULL: nobody records
  struct sluice_report report;
};

static void on_admitted(void *user, const struct sluice_checker_admitted *a) {
  (void)a;
  ((struct chip *)user)->admitted++;
}
static void on_dropped(void *user, const struct sluice_checker_dropped *d) {
  assert_true(d->reason != SLUICE_DROP_NONE);
  ((struct chip *)user)->dropped++;
}
static void on_sent(void *user, const struct sluice_checker_sent *s) {
  assert_true(s->port < 4);
  ((struct chip *)user)->sent++;
}

static void match_all(struct sluice_checker *ck, unsigned stage, const struct entry *action) {
  struct entry mask, match = {{0}};
  memset(&mask, 0xff, sizeof mask);
  SET(&match, MATCH, VID, ROW);
  put(ck, SLUICE_TABLE_KEY_MASK, stage, ROW, &mask);
  put(ck, SLUICE_TABLE_MATCH, stage, 0, &match);
  put(ck, SLUICE_TABLE_ACTION, stage, 0, action);
}

// Bytes 50-51 are an index into an array of six counters at back stage 0, 52-53 the destination
// port, 54-55 not 0: discard in front, 56-57: discard behind. The counter goes to bytes 60..63.
// Back stage 1 loads without an access.
static void configure(struct sluice_checker *ck) {
  const unsigned b2 = SLUICE_TYPE_B2, b4 = SLUICE_TYPE_B4;
  struct entry parser = {{0}}, deparser = {{0}}, front = {{0}}, back0 = {{0}}, back1 = {{0}};
  struct entry segment = {{0}}, access = {{0}}, state = {{0}};
  for (unsigned i = 0; i < 4; i++) entry_action(&parser, i, parse_action(0, 50 + 2 * i, b2, i));
  // As many as there can be; nobody looks at that container.
  for (unsigned i = 4; i < 10; i++) entry_action(&parser, i, parse_action(0, 50, b4, 1));
  entry_action(&deparser, 0, parse_action(0, 60, b4, 0));
  put_module(ck, ROW);
  put(ck, SLUICE_TABLE_PARSER, 0, ROW, &parser);
  put(ck, SLUICE_TABLE_DEPARSER, 0, ROW, &deparser);
  entry_slot(&front, 0, instr(SLUICE_OP_FUNCI, operand(b2, 2), 0));
  match_all(ck, 2, &front);
  entry_slot(&back0, 0, instr(SLUICE_OP_FUNC, operand(b2, 1), 0));
  entry_slot(&back0, 9, instr_imm(SLUICE_OP_EXT, 0, SLUICE_EXT_NEW_1));
  match_all(ck, 0, &back0);
  entry_slot(&back1, 0, instr(SLUICE_OP_FUNCI, operand(b2, 3), 0));
  entry_slot(&back1, 16, instr(SLUICE_OP_LOAD, 0, 0));
  match_all(ck, 1, &back1);
  SETS(&state, STATE_INSTR, (VALID, 1), (PRED_1, SLUICE_REL_TRUE << 3),
       (PRED_2, SLUICE_REL_TRUE << 3), (A1, 0x80 | SLUICE_ARM_K0 << 3 | SLUICE_ARM_ZERO),
       (A2, 0x80 | SLUICE_ARM_ZERO << 3 | SLUICE_ARM_ZERO), (K0, 1));
  put(ck, SLUICE_TABLE_STATE_INSTR, 0, 0, &state);
  SETS(&segment, SEGMENT, (BASE, 2), (RANGE, 6));
  put(ck, SLUICE_TABLE_SEGMENT, 0, ROW, &segment);
  SETS(&access, ACCESS, (ENABLE, 1), (INDEX, operand(b2, 0)));
  put(ck, SLUICE_TABLE_ACCESS, 0, ROW, &access);
}

static struct event *add(struct chip *c, int kind, uint64_t cycle, uint64_t number, unsigned lane) {
  assert_true(c->num < MAX_EVENTS);
  struct event *e = &c->events[c->num++];
  *e = (struct event){.kind = kind, .cycle = cycle, .number = number, .lane = lane};
  return e;
}

static void add_beats(struct chip *c, int kind, uint64_t cycle, uint64_t number, unsigned lane,
                      unsigned port, uint32_t ticket, const uint8_t *bytes) {
  const unsigned full = c->beat, beats = (LEN + full - 1) / full;
  for (unsigned b = 0; b < beats; b++) {
    const bool last = b == beats - 1;
    const unsigned here = last ? LEN - b * full : full;
    struct event *e = add(c, kind, cycle + b, number, lane);
    e->beat = b;
    e->port = port;
    e->ticket = ticket;
    e->last = last;
    e->keep = here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1;
    e->err = last && number == BAD && kind == RX;
    memcpy(e->data, bytes + full * b, here);
  }
}

static void build_of(struct chip *c, unsigned beat) {
  const unsigned beats = (LEN + beat - 1) / beat;
  uint32_t ticket = 0;
  uint64_t slot_free[6] = {0}, out_free[2] = {0};
  memset(c, 0, sizeof *c);
  c->beat = beat;
  for (unsigned i = 0; i < NUM; i++) {
    uint8_t bytes[LEN];
    const unsigned lane = i % 2, index = i * 3 % 8, port = i % 5;
    const uint64_t first = 10 + 2 * beats * (i / 2), ended = first + beats - 1,
                   ordered = ended + 20;
    data_frame(bytes, LEN, ROW, i);
    memset(bytes + 50, 0, 8);
    bytes[51] = (uint8_t)index;
    bytes[53] = (uint8_t)port;
    bytes[55] = i == FRONT;
    bytes[57] = i == BACK;
    if (i == NO_VLAN) bytes[12] = 0;
    add_beats(c, RX, first, i, lane, lane + 2, 0, bytes);
    struct event *e = add(c, LANE, ended + 3, i, lane);
    e->reason = i == BAD    ? SLUICE_DROP_MALFORMED
                : i == FULL ? SLUICE_DROP_BUFFER_FULL
                            : SLUICE_DROP_NONE;
    if (e->reason) continue;
    e = add(c, ORDER, ordered, i, lane);
    e->reason = i == FRONT      ? SLUICE_DROP_DISCARD_FRONT
                : i == NO_VLAN  ? SLUICE_DROP_NO_VLAN
                : i == OVERLOAD ? SLUICE_DROP_OVERLOAD
                                : SLUICE_DROP_NONE;
    e->tag = ticket & 255;
    if (e->reason) continue;

    uint32_t value = 1;  // out of bounds: reads 0
    uint64_t when = ordered + 10;
    if (index < 6) {
      value = ++c->count[index];
      if (when < slot_free[index]) when = slot_free[index];
      slot_free[index] = when + 1;
    }
    e = add(c, STATE, when, i, index < 6 ? index % 2 : lane);
    e->slot = index < 6 ? 2 + index / 2 : 77;
    e->is_refused = index >= 6;
    e->tag = ticket & 255;
    e = add(c, STATE, ordered + 30, i, lane);
    e->stage = 1;
    e->is_refused = true;
    e->tag = ticket & 255;
    bytes[60] = bytes[61] = bytes[62] = 0;
    bytes[63] = (uint8_t)value;

    e = add(c, EXIT, ordered + 40, i, lane);
    e->ticket = ticket;
    const bool goes = i != BACK && port != NOBODY;
    e->reason = i == BACK ? SLUICE_DROP_DISCARD_BACK
                : goes    ? SLUICE_DROP_NONE
                          : SLUICE_DROP_NO_DEST;
    if (goes && i == OUT_FULL) e->refused = 1u << port;
    else if (goes) e->accepted = 1u << port;
    if (e->accepted) {
      const unsigned out = port % 2;
      if (out_free[out] < ordered + 45) out_free[out] = ordered + 45;
      add_beats(c, TX, out_free[out], i, out, port, ticket, bytes);
      out_free[out] += beats;
    }
    ticket++;
  }
}

static void build(struct chip *c) { build_of(c, 64); }

static void play(struct sluice_checker *ck, const struct event *e) {
  switch (e->kind) {
    case RX:
      sluice_checker_rx(ck, e->cycle, e->lane, e->data, e->keep, e->last, e->err, e->port,
                        e->number);
      break;
    case LANE: sluice_checker_lane(ck, e->cycle, e->lane, e->reason); break;
    case ORDER:
      sluice_checker_order(ck, e->cycle, e->lane, e->reason, e->tag);
      if (e->mark) sluice_checker_mark(ck, e->lane);
      break;
    case STATE:
      sluice_checker_state(ck, e->cycle, e->stage, e->lane, e->slot, e->tag, e->is_refused);
      break;
    case EXIT:
      sluice_checker_deep(ck, e->lane, e->deep, e->held);
      sluice_checker_exit(ck, e->cycle, e->lane, e->reason, e->ticket, e->accepted, e->refused);
      break;
    default:
      sluice_checker_tx(ck, e->cycle, e->lane, e->data, e->keep, e->last, e->port, e->ticket);
  }
}

static struct sluice_config config_of(unsigned beat) {
  struct sluice_config config = *sluice_config_find("tiny");
  config.BeatBytes = beat;
  if (beat == 16) config.HeaderBytes = 64, config.Checksums = 0;
  return config;
}

// Plays the list, compares the state, and leaves the report in c->report.
static void run(struct chip *c) {
  const struct sluice_checker_hooks hooks = {c, on_admitted, on_dropped, on_sent};
  struct sluice_config config = config_of(c->beat);
  config.OutputClasses = c->classes;
  struct sluice_checker *ck CLOSED_BY(close_checker) = sluice_checker_open(&config, &hooks);
  assert_non_null(ck);
  if (c->record) sluice_checker_record(ck, c->record);
  configure(ck);
  if (c->class_given) {
    struct entry e = ENTRY_OF(OUTPUT_CLASS, (VALID, 1), (NUMBER, 2));
    put(ck, SLUICE_TABLE_OUTPUT_CLASS, 0, ROW, &e);
  }
  if (c->class_lowest) {
    struct entry e = {{0}};
    uint8_t frame[400];
    const struct control to = {.table = SLUICE_TABLE_OUTPUT_CLASS, .index = ROW};
    SET(&e, OUTPUT_CLASS, VALID, 1);
    assert_true(sluice_checker_control(ck, UINT64_C(0) - SLUICE_CHECKER_SETTLE, frame,
                                       control_frame(frame, to, &e, 1), NULL));
  }
  sluice_checker_ready(ck, 0);
  sluice_checker_ecn(ck, c->ecn_queue, c->ecn_lane);
  for (unsigned i = 0; i < 8; i++)  // twice, so that it holds at once
    sluice_checker_class_ecn(ck, 0, i % 4, c->class_ecn[i % 4]);
  for (uint64_t cycle = 0; cycle < END; cycle++) {
    for (int kind = RX; kind <= TX; kind++)
      for (unsigned i = 0; i < c->num; i++)
        if (c->events[i].cycle == cycle && c->events[i].kind == kind) play(ck, &c->events[i]);
    sluice_checker_cycle(ck, cycle);
  }
  for (unsigned i = 0; i < 6; i++) sluice_checker_state_entry(ck, ROW, 0, i, c->count[i], 0);
  sluice_checker_finish(ck);
  sluice_checker_report(ck, &c->report);
  assert_int_equal(sluice_checker_failed(ck), c->report.differences != 0);
  assert_true(c->report.differences || sluice_checker_idle(ck));
}

static struct event *find(struct chip *c, int kind, uint64_t number) {
  for (unsigned i = 0; i < c->num; i++)
    if (c->events[i].kind == kind && c->events[i].number == number) return &c->events[i];
  fail_msg("no such event");
  return NULL;
}

static void drop_events(struct chip *c, int kind, uint64_t number) {
  for (unsigned i = 0; i < c->num; i++)
    if (c->events[i].kind == kind && c->events[i].number == number) c->events[i].cycle = END + 1;
}

static void repeat(struct chip *c, int kind, uint64_t number, uint64_t later) {
  const unsigned num = c->num;
  for (unsigned i = 0; i < num; i++)
    if (c->events[i].kind == kind && c->events[i].number == number) {
      assert_true(c->num < MAX_EVENTS);
      c->events[c->num] = c->events[i];
      c->events[c->num++].cycle += later;
    }
}

TEST(faultless_chip_passes) {
  static struct chip c;
  build(&c);
  run(&c);
  if (c.report.differences) fail_msg("%s", c.report.first.text);
  const struct sluice_report *r = &c.report;
  FIELDS_ARE(r, (packets, NUM), (bytes, NUM * LEN), (arrived, NUM - 2), (admitted, NUM - 5),
             (left, NUM - 5), (inside, 0), (undelivered, r->drops[SLUICE_DROP_OUTPUT_FULL]),
             (drops[SLUICE_DROP_MALFORMED], 1), (drops_unknown[SLUICE_DROP_NO_VLAN], 1),
             (drops_module[ROW][SLUICE_DROP_BUFFER_FULL], 1));
  FIELDS_ARE(r, (drops_module[ROW][SLUICE_DROP_DISCARD_FRONT], 1),
             (drops_module[ROW][SLUICE_DROP_OVERLOAD], 1),
             (drops_module[ROW][SLUICE_DROP_DISCARD_BACK], 1), (copies, r->delivered));
  FIELDS_ARE(&c, (sent, r->copies), (admitted, r->admitted));
  assert_int_equal(c.sent + c.dropped, NUM);
  FIELDS_ARE(r, (c1_violations, 0), (state_entries, 6), (state_ops, 2 * r->admitted),
             (refused_ops, r->admitted + r->out_of_bounds), (first_beat_in, 10), (to_exit.min, 60),
             (to_exit.median, 60), (to_exit.max, 60));
  assert_true(r->to_first_beat.min == 65 && r->to_first_beat.p99 >= r->to_first_beat.median);
}

// One packet of all takes five cycles longer to its deparser, and is for no port.
TEST(the_longest_time_is_that_of_one_packet) {
  static struct chip c;
  build(&c);
  assert_int_equal(find(&c, EXIT, NOBODY)->reason, SLUICE_DROP_NO_DEST);
  find(&c, EXIT, NOBODY)->cycle += 5;
  run(&c);
  if (c.report.differences) fail_msg("%s", c.report.first.text);
  FIELDS_ARE(&c.report, (latency_max_module[ROW], 65), (inside_max_module[ROW], 45),
             (to_exit.max, 65));
}

// Runs a mutant; its first difference must have `field` in it, expected and got too.
static void caught(struct chip *c, const char *field, const char *expected, const char *got) {
  run(c);
  const struct sluice_difference *d = &c->report.first;
  if (c->report.differences == 0) fail_msg("not caught: %s", field);
  if (!strstr(d->field, field) || !strstr(d->expected, expected) || !strstr(d->got, got))
    fail_msg("wanted '%s' '%s' '%s', message is: %s", field, expected, got, d->text);
  assert_non_null(strstr(d->text, d->field));
  build(c);
}

TEST(mutants_of_the_output_are_caught) {
  static struct chip c;
  build(&c);
  find(&c, TX, 6)->data[38] ^= 0x10;
  caught(&c, "byte 38", "0x", "0x");
  find(&c, TX, 6)[1].data[35] ^= 0x10;
  run(&c);
  assert_string_equal(c.report.first.field, "byte 99");
  assert_int_equal(c.report.first.packet, 6);
  assert_non_null(strstr(c.report.first.text, "\nexpected bytes 0..99: "));
  assert_non_null(strstr(c.report.first.text, "\n     got bytes 0..99: "));
  build(&c);
  drop_events(&c, TX, 8);
  caught(&c, "port set 0x8", "copy", "lost");
  repeat(&c, TX, 8, 100);
  caught(&c, "port 3", "no packet with ticket", "sent before");
  find(&c, TX, 8)->port = find(&c, TX, 8)[1].port = 1;
  caught(&c, "port 1", "no packet", "not for this port");
  find(&c, TX, 5)->port = find(&c, TX, 5)[1].port = 64;  // no chip has it; bit 64 of a set is none
  caught(&c, "port 64", "no packet", "not for this port");
  find(&c, TX, 8)->ticket = find(&c, TX, 8)[1].ticket = 200;
  caught(&c, "port 3", "no packet with ticket 200", "never admitted");
  find(&c, TX, 8)[1].ticket++;
  caught(&c, "beat of output lane 1", "port 3 ticket", "port 3 ticket");
  find(&c, TX, 8)[1].keep >>= 1;
  caught(&c, "length", "100", "99");
  find(&c, TX, 8)[1].keep ^= 2;
  caught(&c, "beat of output lane 1", "no gap", "keep 0x0000000ffffffffd");
  find(&c, TX, 47)[1].cycle = END + 1;
  caught(&c, "output lane", "last beat", "none");
  find(&c, EXIT, 6)->reason = SLUICE_DROP_NO_DEST;
  caught(&c, "drop reason at the deparser", "not dropped", "NO_DEST");
  find(&c, EXIT, BACK)->reason = SLUICE_DROP_NONE;
  caught(&c, "drop reason at the deparser", "DISCARD_BACK", "not dropped");
  find(&c, EXIT, 6)->accepted |= 4;
  caught(&c, "port set", "0x2", "accepted 0x6");
  find(&c, EXIT, 6)->refused = 2;
  caught(&c, "port set", "0x2", "refused 0x2");
  find(&c, EXIT, 6)->lane = 1;
  caught(&c, "lane of the deparser", "0", "1");
  repeat(&c, EXIT, 4, 3);
  caught(&c, "ticket at the deparser", "not left", "second time");
  find(&c, EXIT, 4)->ticket = 4000;
  caught(&c, "ticket at the deparser", "not left", "never given");
  drop_events(&c, EXIT, 4);
  caught(&c, "ticket 4", "at a deparser",
         "lost");  // port 4 is nobody's: no copy that would tell earlier
}

// Packets 8 and 18 are of one lane and for one port; 8 leaves last.
TEST(copies_of_a_class_keep_their_order) {
  static struct chip c;
  for (unsigned classes = 0; classes <= 4; classes += 4) {
    build(&c);
    c.classes = classes;
    for (unsigned b = 0; b < 2; b++) find(&c, TX, 8)[b].cycle = END - 4 + b;
    caught(&c, "order at port 3", "of lane 0 behind packet", classes ? "class 1" : "class 0");
  }
  // While its class is being changed a packet may be in either queue.
  build(&c);
  c.classes = 4;
  c.class_given = true;
  for (unsigned b = 0; b < 2; b++) find(&c, TX, 8)[b].cycle = END - 4 + b;
  run(&c);
  assert_int_equal(c.report.differences, 0);
}

TEST(mutants_of_the_order_are_caught) {
  static struct chip c;
  build(&c);
  unsigned tag = find(&c, ORDER, 2)->tag;  // packets 2 and 3 arrive in one cycle
  find(&c, ORDER, 2)->tag = find(&c, ORDER, 3)->tag;
  find(&c, ORDER, 3)->tag = tag;
  caught(&c, "order of admission", "packet 2 (arrival 15 lane 0) first", "arrival 15 lane 1");
  find(&c, ORDER, 2)->cycle++;
  caught(&c, "order of admission", "packet 2", "lane 1");
  find(&c, ORDER, 8)->tag++;
  caught(&c, "ticket", "tag", "tag");
  drop_events(&c, ORDER, 46);
  caught(&c, "order of admission", "packet 46", "lane 1");
  drop_events(&c, ORDER, 47);
  caught(&c, "state operation at stage", "none", "tag");
  find(&c, ORDER, NO_VLAN)->reason = SLUICE_DROP_PROTOCOL;
  caught(&c, "drop reason", "NO_VLAN", "PROTOCOL");
  find(&c, ORDER, 4)->reason = SLUICE_DROP_BITMAP;
  run(&c);  // OVERLOAD is always possible, and not told
  assert_null(strstr(c.report.first.expected, "OVERLOAD"));
  caught(&c, "drop reason", "not dropped", "BITMAP");
  find(&c, ORDER, FRONT)->reason = SLUICE_DROP_NONE;
  caught(&c, "drop reason", "DISCARD_FRONT", "not dropped");
  find(&c, ORDER, FRONT)->reason = SLUICE_DROP_OVERLOAD;
  caught(&c, "drop reason", "DISCARD_FRONT", "OVERLOAD");
  find(&c, ORDER, OVERLOAD)->reason = SLUICE_DROP_DISCARD_FRONT;
  caught(&c, "drop reason", "not dropped", "DISCARD_FRONT");
  repeat(&c, ORDER, 47, 5);
  caught(&c, "order point, lane 1", "no packet", "not dropped");
  repeat(&c, ORDER, 47, 0);
  caught(&c, "order point, lane 1", "one packet a cycle", "two");
}

// Marks packet 8, which takes part in ECN, with thresholds of queue and lane; its CE leaves if
// `ce`.
static void mark(struct chip *c, unsigned queue, unsigned lane, bool ce) {
  uint8_t *in = find(c, RX, 8)->data, *out = find(c, TX, 8)->data;
  in[19] = 2, out[19] = ce ? 3 : 2;
  if (ce) out[29]--;  // one more in a word that is summed up
  assert_int_not_equal(in[29], 0);
  find(c, ORDER, 8)->mark = true;
  c->ecn_queue = queue, c->ecn_lane = lane;
}

TEST(marks_without_load_are_caught) {
  static struct chip c;
  build(&c);
  mark(&c, 0, 1, true);
  run(&c);
  if (c.report.differences) fail_msg("%s", c.report.first.text);
  FIELDS_ARE(&c.report, (marked, 1), (marked_ce, 1));
  build(&c);
  mark(&c, 2, 0, true);  // packets before it need the same order queue
  run(&c);
  if (c.report.differences) fail_msg("%s", c.report.first.text);
  build(&c);
  mark(&c, 0, 1, false);
  caught(&c, "byte 19", "0x", "0x");
  mark(&c, 0, 0, true);
  caught(&c, "congestion mark", "none", "one, at 0 and 0");
  mark(&c, 0, 2 + SLUICE_CHECKER_MARK_SLACK + 20, true);
  caught(&c, "congestion mark", "none", "one, at 30 and 0");
  mark(&c, 40, 0, true);
  caught(&c, "congestion mark", "none", "one, at 0 and 40");
  find(&c, ORDER, 3)->mark = true;  // and one that does not take part leaves as it came
  c.ecn_lane = 1;
  run(&c);
  if (c.report.differences) fail_msg("%s", c.report.first.text);
  assert_int_equal(c.report.marked, 1);
}

// Packet 8, of class 1, sees so many packets in its queue, and is marked or not; its CE leaves if
// `ce`. Threshold of class 1: 2. Packets come one by one, so there is one at most.
static void deepen(struct chip *c, bool deep, unsigned held, bool ce) {
  build(c);
  uint8_t *in = find(c, RX, 8)->data, *out = find(c, TX, 8)->data;
  in[19] = 2, out[19] = ce ? 3 : 2;
  if (ce) out[29]--;
  c->classes = 4;
  c->class_ecn[1] = 2;
  find(c, EXIT, 8)->deep = deep;
  find(c, EXIT, 8)->held = held;
}

TEST(wrong_marks_for_deep_queues_are_caught) {
  static struct chip c;
  deepen(&c, true, 2, true);
  run(&c);
  if (c.report.differences) fail_msg("%s", c.report.first.text);
  FIELDS_ARE(&c.report, (queue_marked[1], 1), (queue_marked_ce, 1));
  assert_int_equal(c.report.marked + c.report.queue_marked[2], 0);
  deepen(&c, false, 1, false);
  run(&c);
  if (c.report.differences) fail_msg("%s", c.report.first.text);
  // The lowest class is one, too.
  deepen(&c, true, 2, true);
  c.class_lowest = true;
  c.class_ecn[0] = 2;
  run(&c);
  if (c.report.differences) fail_msg("%s", c.report.first.text);
  FIELDS_ARE(&c.report, (queue_marked[0], 1), (queue_marked_unclassed, 0));
  deepen(&c, true, 2, false);
  caught(&c, "byte 19", "0x", "0x");
  deepen(&c, false, 2, false);
  caught(&c, "mark for a deep queue", "one: 2 packets of class 1, threshold 2", "none");
  deepen(&c, true, 1, true);
  caught(&c, "mark for a deep queue", "none: 1 packets of class 1, threshold 2", "one");
  deepen(&c, true, 30, true);
  caught(&c, "packets in its output queue (class 1)", "about", "30");
  deepen(&c, true, 2, true);
  c.class_ecn[1] = 0, c.class_ecn[2] = 2;
  caught(&c, "mark for a deep queue", "threshold 0", "one");
  deepen(&c, true, 2, true);
  c.classes = 0;
  caught(&c, "mark for a deep queue", "no queue of a class", "marked");
  deepen(&c, false, 0, false);
  find(&c, EXIT, BACK)->held = 1;
  caught(&c, "mark for a deep queue", "no queue of a class", "none, 1 packets");
}

TEST(mutants_of_the_lanes_are_caught) {
  static struct chip c;
  build(&c);
  find(&c, LANE, BAD)->reason = SLUICE_DROP_NONE;
  caught(&c, "verdict of lane 1", "MALFORMED", "not dropped");
  find(&c, LANE, BAD)->reason = SLUICE_DROP_OVERSIZED;
  caught(&c, "verdict of lane 1", "MALFORMED", "OVERSIZED");
  find(&c, LANE, 46)->reason = SLUICE_DROP_MALFORMED;
  caught(&c, "verdict of lane 0", "LANE_FULL or BUFFER_FULL", "MALFORMED");
  find(&c, LANE, 46)->cycle += 9;
  caught(&c, "delay of the verdict of lane 0", "8", "12");
  drop_events(&c, LANE, 46);
  drop_events(&c, ORDER, 46);
  caught(&c, "ticket", "tag", "tag");
  repeat(&c, LANE, 47, 4);
  caught(&c, "verdict of lane 1", "no packet", "not dropped");
  find(&c, LANE, FULL)->reason = SLUICE_DROP_LANE_FULL;
  caught(&c, "places of lane", "room", "LANE_FULL, with");
}

// Packets of two modules come to one lane of 32 places and stay there: `first` of one, then
// `second` of another, of which the last one finds the lane full, or does not.
static const char *places(bool shares, unsigned first, unsigned second, unsigned reason) {
  static struct sluice_report r;
  struct sluice_config config = *sluice_config_find("tiny");
  config.BufferShares = shares;
  struct sluice_checker *ck CLOSED_BY(close_checker) = sluice_checker_open(&config, NULL);
  uint8_t frame[64];
  uint64_t cycle = 1000;
  sluice_checker_ready(ck, 0);
  for (unsigned i = 0; i < first + second; i++, cycle += 8) {
    data_frame(frame, 64, i < first ? ROW : ROW + 1, i);
    sluice_checker_rx(ck, cycle, 0, frame, UINT64_MAX, true, false, 0, i);
    sluice_checker_lane(ck, cycle + 3, 0, i + 1 < first + second ? SLUICE_DROP_NONE : reason);
  }
  sluice_checker_report(ck, &r);
  return r.differences ? r.first.field : "none";
}

TEST(places_of_a_lane_are_shared) {
  const unsigned none = SLUICE_DROP_NONE, full = SLUICE_DROP_LANE_FULL;
  // without shares the lane may be full when it is, whoever comes
  assert_string_equal(places(false, 30, 1, none), "none");
  assert_string_equal(places(false, 30, 1, full), "none");
  assert_string_equal(places(false, 8, 1, full), "places of lane 0");
  // with shares a module has half of it, and another one half of the rest
  assert_string_equal(places(true, 16, 1, none), "none");
  assert_string_equal(places(true, 15, 3, full), "places of lane 0");
  assert_string_equal(places(true, 16, 8, full), "none");
  assert_string_equal(places(true, 23, 0, full), "none");
  assert_string_equal(places(true, 24, 0, none), "places of lane 0");
}

TEST(mutants_of_the_state_are_caught) {
  static struct chip c;
  build(&c);
  // Packets 0 and 8 meet at index 0: the younger goes first.
  find(&c, STATE, 0)->cycle = find(&c, STATE, 8)->cycle + 1;
  run(&c);
  FIELDS_ARE(&c.report, (c1_violations, 1), (c1_violating_packets, 1));
  caught(&c, "order of accesses to stage 0 pipeline 0 slot 2", "ticket 0", "ticket 7");
  unsigned tag = find(&c, STATE, 0)->tag;
  find(&c, STATE, 0)->tag = find(&c, STATE, 1)->tag;
  find(&c, STATE, 1)->tag = tag;
  caught(&c, "state operation at stage 0", "pipeline 1 slot 3", "pipeline 0 slot 2");
  find(&c, STATE, 4)->cycle = END + 1;  // the next one on the slot tells
  caught(&c, "order of accesses to stage 0 pipeline 0 slot 4", "ticket 4", "ticket 10");
  find(&c, STATE, 44)->cycle = END + 1;  // the last one on its slot: its packet tells
  caught(&c, "state operation at stage 0", "pipeline 0 slot 4", "none");
  repeat(&c, STATE, 4, 0);
  caught(&c, "state operation at stage 0", "no second one", "slot 4");
  find(&c, STATE, 4)->slot++;
  caught(&c, "state operation at stage 0", "slot 4", "slot 5");
  find(&c, STATE, 4)->is_refused = true;
  caught(&c, "state operation at stage 0", "slot 4", "refused");
  find(&c, STATE, 2)->is_refused = false;  // index 6 is out of bounds
  caught(&c, "state operation at stage 0", "refused", "slot 77");
  find(&c, STATE, 4)[1].stage = 0;
  caught(&c, "state operation at stage 0", "no second one", "refused");
  find(&c, STATE, 4)[1].cycle = END + 1;
  caught(&c, "state operation at stage 1", "refused", "none");
  c.count[3]++;
  caught(&c, "state stage 0 index 3 word 1", "0x", "0x");
  // A third one comes to that index before the first has gone: the order goes on.
  find(&c, STATE, 0)->cycle = find(&c, ORDER, 16)->cycle + 1;
  run(&c);
  assert_int_equal(c.report.c1_violations, 1);
  build(&c);

  find(&c, STATE, 0)->cycle = find(&c, STATE, 8)->cycle + 1;
  run(&c);
  assert_int_equal(c.report.c1_violations, 1);
}

// An index that lives elsewhere is in a spare slot, of which there are `Relocations`.
TEST(state_is_nowhere_behind_the_spare_slots) {
  static struct chip c;
  const struct sluice_config *tiny = sluice_config_find("tiny");
  build(&c);
  find(&c, STATE, 4)->slot = sluice_config_slots(tiny) + tiny->Relocations - 1;
  run(&c);
  assert_int_equal(c.report.differences, 0);
  find(&c, STATE, 4)->slot++;
  caught(&c, "state operation at stage 0", "slot 4", "slot 136");
  struct sluice_config still = *tiny;
  still.Relocations = 0;
  for (unsigned can = 0; can < 2; can++) {
    struct sluice_checker *ck CLOSED_BY(close_checker) =
        sluice_checker_open(can ? tiny : &still, NULL);
    assert_non_null(ck);
    sluice_checker_moves(ck, true);
    assert_int_equal(ck->moves, can);
  }
}

TEST(only_the_first_difference_is_kept) {
  static struct chip c;
  build(&c);
  find(&c, TX, 6)->data[38] ^= 1;
  find(&c, TX, 30)->data[39] ^= 1;
  find(&c, TX, 31)->data[40] ^= 1;
  run(&c);
  assert_int_equal(c.report.differences, 3);
  assert_string_equal(c.report.first.field, "byte 38");
}

static struct sluice_report one_packet(unsigned len, uint64_t cycle, unsigned lane_reason,
                                       unsigned order_reason, uint64_t bitmap_at) {
  struct sluice_checker *ck = sluice_checker_open(sluice_config_find("tiny"), NULL);
  struct sluice_report r;
  uint8_t frame[64];
  data_frame(frame, 64, ROW, 0);
  put_module(ck, ROW);
  sluice_checker_ready(ck, 0);
  if (bitmap_at <= cycle) sluice_checker_bitmap(ck, bitmap_at, 1u << ROW);
  for (unsigned sent = 0; sent < len; sent += 64)
    sluice_checker_rx(ck, cycle, 0, frame,
                      len - sent >= 64 ? UINT64_MAX : (UINT64_C(1) << (len - sent)) - 1,
                      sent + 64 >= len, false, 0, 0);
  sluice_checker_lane(ck, cycle + 3, 0, lane_reason);
  if (bitmap_at > cycle && bitmap_at != UINT64_MAX) sluice_checker_bitmap(ck, bitmap_at, 1u << ROW);
  if (lane_reason == SLUICE_DROP_NONE) {
    sluice_checker_order(ck, cycle + 20, 0, order_reason, 0);
    sluice_checker_cycle(ck, cycle + 20);
  }
  sluice_checker_report(ck, &r);
  sluice_checker_close(ck);
  return r;
}

TEST(lengths_and_readiness) {
  const unsigned none = SLUICE_DROP_NONE, malformed = SLUICE_DROP_MALFORMED,
                 oversized = SLUICE_DROP_OVERSIZED;
  const uint64_t never = UINT64_MAX;
  assert_int_equal(one_packet(63, 1000, malformed, 0, never).differences, 0);
  assert_int_equal(one_packet(63, 1000, none, 0, never).first.field[0], 'v');
  assert_int_equal(one_packet(64, 1000, none, none, never).differences, 0);
  assert_int_equal(one_packet(9216, 1000, none, none, never).differences, 0);
  assert_int_equal(one_packet(9217, 1000, oversized, 0, never).differences, 0);
  assert_int_equal(one_packet(9216, 1000, oversized, 0, never).differences, 1);
  assert_int_equal(one_packet(9217, 1000, SLUICE_DROP_LANE_FULL, 0, never).differences, 1);
  assert_int_equal(one_packet(64, 100, SLUICE_DROP_NOT_READY, 0, never).differences, 0);
  assert_int_equal(one_packet(64, 1000, SLUICE_DROP_NOT_READY, 0, never).differences, 1);
}

// The lane's verdict on a packet of these beats is `reason`.
static void judged(unsigned beat, const uint64_t *keep, unsigned num, unsigned reason) {
  const struct sluice_config config = config_of(beat);
  struct sluice_checker *ck CLOSED_BY(close_checker) = sluice_checker_open(&config, NULL);
  struct sluice_report r;
  uint8_t frame[256];
  assert_non_null(ck);
  data_frame(frame, sizeof frame, ROW, 0);
  sluice_checker_ready(ck, 0);
  for (unsigned b = 0; b < num; b++)
    sluice_checker_rx(ck, 1000 + b, 0, frame + b * beat, keep[b], b == num - 1, false, 0, 0);
  sluice_checker_lane(ck, 1000 + num + 2, 0, reason);
  sluice_checker_report(ck, &r);
  if (r.differences)
    fail_msg("beats of %u, the third is %llx: %s", beat, (unsigned long long)keep[2], r.first.text);
  assert_int_equal(r.packets, 1);
}

TEST(beats_are_as_long_as_the_ports_say) {
  const unsigned none = SLUICE_DROP_NONE, malformed = SLUICE_DROP_MALFORMED;
  const uint64_t all = 0xffff;
  judged(16, (const uint64_t[]){all, all, all, all}, 4, none);
  judged(16, (const uint64_t[]){all, all, all, all, 1}, 5, none);
  judged(16, (const uint64_t[]){all, all, all, all, 0x7fff}, 5, none);
  judged(16, (const uint64_t[]){all, all, all}, 3, malformed);  // short
  judged(16, (const uint64_t[]){all, all, all, 0x7fff}, 4, malformed);
  judged(16, (const uint64_t[]){all, all, 0xffdf, all, all}, 5, malformed);  // gaps
  judged(16, (const uint64_t[]){all, all, 0x7fff, all, all}, 5, malformed);
  judged(16, (const uint64_t[]){all, all, 0xfffe, all, all}, 5, malformed);
  judged(16, (const uint64_t[]){all, all, 0, all, all}, 5, malformed);
  judged(16, (const uint64_t[]){all, all, all, all, 5}, 5, malformed);
  judged(16, (const uint64_t[]){all, all, all, all, 0}, 5, malformed);
  judged(64, (const uint64_t[]){UINT64_MAX, all, 0}, 2, none);
  judged(64, (const uint64_t[]){all, all, all, all}, 4, malformed);
}

// What a chip with beats of 16 bytes shows: seven a packet.
TEST(mutants_of_narrow_beats_are_caught) {
  static struct chip c;
  build_of(&c, 16);
  run(&c);
  if (c.report.differences) fail_msg("%s", c.report.first.text);
  FIELDS_ARE(&c.report, (bytes, NUM * LEN), (admitted, NUM - 5),
             (copy_bytes, c.report.copies * LEN), (to_first_beat.min, 65));
  find(&c, RX, 8)[3].keep = 0xffdf;
  caught(&c, "verdict of lane 0", "MALFORMED", "not dropped");
  build_of(&c, 16);
  find(&c, TX, 8)[3].keep = 0x7fff;
  caught(&c, "beat of output lane 1", "no gap", "keep 0x0000000000007fff");
  // A copy whose beats name another packet: told once, however many they are.
  build_of(&c, 16);
  for (unsigned b = 2; b < 6; b++) find(&c, TX, 8)[b].ticket = 200;
  run(&c);
  assert_int_equal(c.report.differences, 1);
  build_of(&c, 16);
  find(&c, TX, 8)[6].keep = 0x7;
  caught(&c, "length", "100", "99");
  build_of(&c, 16);
  find(&c, TX, 8)[6].data[3] ^= 1;
  caught(&c, "byte 99", "0x", "0x");
}

TEST(the_filter_may_say_either_around_a_change) {
  const unsigned none = SLUICE_DROP_NONE, bitmap = SLUICE_DROP_BITMAP;
  const uint64_t at[] = {990, 1001, 1100, 500};
  for (unsigned i = 0; i < 4; i++) {
    // Well before the packet, the bitmap holds; close to it, either.
    const bool settled = at[i] == 500;
    assert_int_equal(one_packet(64, 1000, none, bitmap, at[i]).differences, 0);
    assert_int_equal(one_packet(64, 1000, none, none, at[i]).differences, settled);
  }
  assert_int_equal(one_packet(64, 1000, none, bitmap, UINT64_MAX).differences, 1);
}

// What was told in a run, told to another checker from its recording, gives the same report: of a
// faultless chip, and of one that is not.
static void record_and_replay(bool wrong) {
  static struct chip c;
  static struct sluice_report again;
  struct sluice_error error = {0};
  char *text CLOSED_BY(freed);
  size_t len;
  build(&c);
  if (wrong) find(&c, TX, 6)->data[38] ^= 0x10;
  c.record = open_memstream(&text, &len);
  assert_non_null(c.record);
  run(&c);
  fclose(c.record);
  struct sluice_replay *r CLOSED_BY(close_replay) = sluice_replay_open(NULL);
  assert_non_null(r);
  for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
    *end = 0;
    if (sluice_replay_line(r, line, &error)) fail_msg("%.60s: %s", line, error.text);
  }
  sluice_checker_report(sluice_replay_checker(r), &again);
  assert_int_equal(again.differences, wrong);
  assert_string_equal(again.first.text, c.report.first.text);
  assert_true(again.first.packet == c.report.first.packet);
  // Behind the ends of its texts anything may stand.
  again.first = c.report.first;
  assert_memory_equal(&again, &c.report, sizeof again);
}
TEST(a_recording_gives_the_same_report) {
  record_and_replay(false);
  record_and_replay(true);
}

// Packets are inside as soon as they have begun, whoever has them; a checker may be closed with
// some.
TEST(whether_a_chip_is_idle) {
  struct sluice_checker *ck CLOSED_BY(close_checker) =
      sluice_checker_open(sluice_config_find("tiny"), NULL);
  uint8_t frame[64];
  assert_non_null(ck);
  data_frame(frame, 64, ROW, 0);
  put_module(ck, ROW);
  sluice_checker_ready(ck, 0);
  assert_true(sluice_checker_idle(ck));
  for (unsigned i = 0; i < 3; i++) {
    const uint64_t cycle = 1000 + 20 * i;
    sluice_checker_rx(ck, cycle, 0, frame, UINT64_MAX, true, false, 0, i);
    assert_false(sluice_checker_idle(ck));
    sluice_checker_lane(ck, cycle + 3, 0, SLUICE_DROP_NONE);
    assert_false(sluice_checker_idle(ck));
    sluice_checker_order(ck, cycle + 9, 0, SLUICE_DROP_NONE, i);
    assert_false(sluice_checker_idle(ck));
    sluice_checker_cycle(ck, cycle + 9);
    assert_false(sluice_checker_idle(ck));
  }
}

// The most lanes that a chip can have: none is looked at behind them.
TEST(nobody_is_inside_of_sixteen_lanes) {
  struct sluice_checker *ck CLOSED_BY(close_checker) =
      sluice_checker_open(sluice_config_find("k16.Banks2"), NULL);
  struct sluice_report r;
  assert_non_null(ck);
  sluice_checker_inside(ck, 90, 100, 1, 0);
  assert_false(sluice_checker_failed(ck));
  sluice_checker_inside(ck, 110, 120, 1, 1);
  sluice_checker_report(ck, &r);
  assert_string_equal(r.first.field, "CHIP.INSIDE_BANK1 bit 0");
  assert_int_equal(r.differences, 1);
  sluice_checker_close(ck);
  ck = sluice_checker_open(sluice_config_find("merge.k16"), NULL);
  assert_non_null(ck);
  for (uint64_t cycle = 0; cycle < 9; cycle++) sluice_checker_cycle(ck, cycle);
  assert_true(sluice_checker_idle(ck));
}

// The module is written just before its first packet comes, which is the first change of all.
TEST(the_filter_may_say_either_around_the_first_change) {
  for (unsigned early = 0; early < 2; early++) {
    struct sluice_checker *ck CLOSED_BY(close_checker) =
        sluice_checker_open(sluice_config_find("tiny"), NULL);
    const uint64_t cycle = early ? SLUICE_CHECKER_SETTLE + 1 : SLUICE_CHECKER_SETTLE;
    uint8_t frame[64];
    assert_non_null(ck);
    sluice_checker_ready(ck, 0);
    put_module(ck, ROW);
    data_frame(frame, 64, ROW, 0);
    sluice_checker_rx(ck, cycle, 0, frame, UINT64_MAX, true, false, 0, 0);
    sluice_checker_lane(ck, cycle + 3, 0, SLUICE_DROP_NONE);
    sluice_checker_order(ck, cycle + 20, 0, SLUICE_DROP_UNKNOWN_MODULE, 0);
    sluice_checker_cycle(ck, cycle + 20);
    assert_int_equal(sluice_checker_failed(ck), early);
  }
}

TEST(every_reason_has_a_name) {
  assert_string_equal(sluice_checker_reason_name(SLUICE_DROP_NO_VLAN), "NO_VLAN");
  for (unsigned reason = 0; reason < 2 * SLUICE_MODEL_REASONS; reason++) {
    assert_non_null(sluice_checker_reason_name(reason));
    if (reason < SLUICE_MODEL_REASONS) continue;
    assert_string_equal(sluice_checker_reason_name(reason), "?");
  }
}
