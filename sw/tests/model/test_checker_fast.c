// SPDX-License-Identifier: Apache-2.0
// The checker against a chip of paper with fast ports: two wires of two streams, packets of one
// beat to six that begin on any stream, dealt to the lane that has less before it. As it is, the
// list of events passes; each mutant of it must be caught, with the right words.

#include "tests/rig/test.h"
#include "tests/rig/checker_rig.h"
#include "lib/deal.h"
#include "model/checker.h"

enum { RX, DEALT, LANE, ORDER, EXIT, TX };
enum { WIDE = 2, PORTS = 2, LANES = 4, EACH = 60, NUM = PORTS * EACH, ROW = 5, END = 2000 };
enum { MAX_BEATS = 6, MAX_EVENTS = NUM * (5 + 3 * MAX_BEATS), LONGEST = 64 * MAX_BEATS };
enum { TO_DEAL = 1, TO_LANE = 2, TO_ORDER = 3, TO_EXIT = 30, TO_LINE = 3 };  // cycles

struct event {
  int kind;
  uint64_t cycle, number;
  unsigned at;  // stream or lane
  unsigned reason, lane, port;
  uint32_t ticket;
  uint64_t accepted, keep;
  bool last, err;
  uint8_t data[64];
};

struct packet {
  unsigned port, len, beats, lane, reason;
  unsigned stream[MAX_BEATS];
  uint64_t came[MAX_BEATS];  // cycle of each beat
  uint64_t entered, judged, arrives;
  bool front;  // discarded in front
  uint32_t ticket;
  uint8_t bytes[LONGEST];
};

struct chip {
  struct packet packets[NUM];  // of port 0, then of port 1; each in the order of its wire
  struct event events[MAX_EVENTS];
  unsigned num;
  unsigned sent, admitted;
  struct sluice_report report;
};

static struct event *add(struct chip *c, int kind, uint64_t cycle, uint64_t number, unsigned at) {
  assert_true(c->num < MAX_EVENTS && cycle < END);
  struct event *e = &c->events[c->num++];
  *e = (struct event){.kind = kind, .cycle = cycle, .number = number, .at = at};
  return e;
}

static void add_beat(struct chip *c, int kind, uint64_t cycle, unsigned number, unsigned beat,
                     unsigned stream, const uint8_t *bytes) {
  const struct packet *p = &c->packets[number];
  const unsigned here = p->len - 64 * beat < 64 ? p->len - 64 * beat : 64;
  struct event *e = add(c, kind, cycle, number, stream);
  e->last = beat + 1 == p->beats;
  e->port = p->port;
  e->ticket = p->ticket;
  e->keep = here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1;
  e->err = kind == RX && e->last && p->reason == SLUICE_DROP_MALFORMED;
  memcpy(e->data, bytes + 64 * beat, here);
}

// The wires: beats at full rate, but for one stream in eight that stays empty.
static void make_packets(struct chip *c, uint64_t *seed) {
  for (unsigned port = 0; port < PORTS; port++) {
    unsigned place = 20;
    for (unsigned i = 0; i < EACH; i++) {
      struct packet *p = &c->packets[EACH * port + i];
      const unsigned what = test_random(seed) % 16;
      *p = (struct packet){.port = port, .beats = 1 + test_random(seed) % 3};
      if (test_random(seed) % 4 == 0) p->beats = MAX_BEATS;
      p->len = 64 * p->beats - test_random(seed) % (p->beats == 1 ? 1 : 64);
      if (p->len < 64) p->len = 64;
      if (what == 0) p->reason = SLUICE_DROP_MALFORMED;
      if (what == 1) p->reason = SLUICE_DROP_BUFFER_FULL;
      if (what == 2) p->front = true;
      data_frame(p->bytes, p->len, ROW, EACH * port + i);
      p->bytes[54] = 0;
      p->bytes[55] = p->front;
      for (unsigned b = 0; b < p->beats; b++) {
        while (test_random(seed) % 8 == 0) place++;
        p->came[b] = place / WIDE;
        p->stream[b] = WIDE * port + place % WIDE;
        place++;
      }
    }
  }
}

// Lanes take a beat a cycle. A packet is dealt, with the cycle of its first beat known, to the lane
// that will be free first; with equal ones lanes take turns.
static void deal(struct chip *c, uint64_t *seed) {
  uint64_t free_at[LANES] = {0};
  for (unsigned n = 0; n < NUM; n++) {
    struct packet *p = &c->packets[n];
    const unsigned first = WIDE * p->port, other = first + 1;
    p->lane = free_at[other] < free_at[first] ||
                      (free_at[other] == free_at[first] && test_random(seed) % 2)
                  ? other
                  : first;
    for (unsigned b = 0; b < p->beats; b++) {
      uint64_t *at = &free_at[p->lane];
      const uint64_t earliest = p->came[b] + TO_LANE;
      if (*at < earliest) *at = earliest;
      p->entered = (*at)++;
    }
    p->judged = p->entered + SLUICE_CHECKER_VERDICT;
  }
}

// In a cycle those of a port arrive that have ended, are the next of their wire, and are in the
// order of lanes; those that were dropped count with them.
static void arrive(struct chip *c) {
  for (unsigned port = 0; port < PORTS; port++) {
    unsigned next = 0;
    for (uint64_t cycle = 0; next < EACH; cycle++)
      for (int last = -1; next < EACH; next++) {
        struct packet *p = &c->packets[EACH * port + next];
        if (p->judged > cycle || (int)p->lane <= last) break;
        last = (int)p->lane;
        p->arrives = cycle;
      }
  }
}

static bool before(const struct packet *a, const struct packet *b) {
  return a->arrives != b->arrives ? a->arrives < b->arrives : a->lane < b->lane;
}

static void build(struct chip *c) {
  uint64_t seed = 7;
  memset(c, 0, sizeof *c);
  make_packets(c, &seed);
  deal(c, &seed);
  arrive(c);
  struct packet *order[NUM];
  unsigned num = 0;
  for (unsigned n = 0; n < NUM; n++) {
    struct packet *p = &c->packets[n];
    for (unsigned b = 0; b < p->beats; b++)
      add_beat(c, RX, p->came[b], n, b, p->stream[b], p->bytes);
    add(c, DEALT, p->came[0] + TO_DEAL, n, p->stream[0])->lane = p->lane;
    add(c, LANE, p->judged, n, p->lane)->reason = p->reason;
    if (p->reason) continue;
    unsigned at = num++;
    for (; at && before(p, order[at - 1]); at--) order[at] = order[at - 1];
    order[at] = p;
  }
  uint64_t place[PORTS] = {0};
  uint32_t ticket = 0;
  for (unsigned i = 0; i < num; i++) {
    struct packet *p = order[i];
    const unsigned n = (unsigned)(p - c->packets);
    struct event *e = add(c, ORDER, p->arrives + TO_ORDER, n, p->lane);
    e->ticket = p->ticket = ticket;
    e->reason = p->front ? SLUICE_DROP_DISCARD_FRONT : SLUICE_DROP_NONE;
    if (p->front) continue;
    ticket++;
    e = add(c, EXIT, p->arrives + TO_ORDER + TO_EXIT, n, p->lane);
    e->ticket = p->ticket;
    e->accepted = 3;
    uint8_t bytes[LONGEST];
    memcpy(bytes, p->bytes, p->len);
    for (unsigned b = 0; b < 4; b++) bytes[60 + b] = (uint8_t)(p->entered >> (24 - 8 * b));
    for (unsigned port = 0; port < PORTS; port++) {
      const uint64_t first = (e->cycle + TO_LINE) * WIDE;
      if (place[port] < first) place[port] = first;
      for (unsigned b = 0; b < p->beats; b++, place[port]++) {
        add_beat(c, TX, place[port] / WIDE, n, b, WIDE * port + (unsigned)(place[port] % WIDE),
                 bytes);
        c->events[c->num - 1].port = port;
      }
    }
  }
}

// All go to both ports. Bytes 54-55 not 0: discard in front. The arrival time goes to bytes 60..63.
static void configure(struct sluice_checker *ck) {
  const unsigned b2 = SLUICE_TYPE_B2, b4 = SLUICE_TYPE_B4;
  struct entry module = {{0}}, parser = {{0}}, deparser = {{0}}, front = {{0}}, mask, match = {{0}};
  SETS(&module, MODULE, (VALID, 1), (VID, ROW), (DEST, 3));
  put(ck, SLUICE_TABLE_MODULE, 0, ROW, &module);
  entry_action(&parser, 0, parse_action(0, 54, b2, 2));
  entry_action(&parser, 1, parse_action(1, 24, b4, 0));
  put(ck, SLUICE_TABLE_PARSER, 0, ROW, &parser);
  entry_action(&deparser, 0, parse_action(0, 60, b4, 0));
  put(ck, SLUICE_TABLE_DEPARSER, 0, ROW, &deparser);
  memset(&mask, 0xff, sizeof mask);
  SET(&match, MATCH, VID, ROW);
  entry_slot(&front, 0, instr(SLUICE_OP_FUNCI, operand(b2, 2), 0));
  put(ck, SLUICE_TABLE_KEY_MASK, 2, ROW, &mask);
  put(ck, SLUICE_TABLE_MATCH, 2, 0, &match);
  put(ck, SLUICE_TABLE_ACTION, 2, 0, &front);
}

static void on_admitted(void *user, const struct sluice_checker_admitted *a) {
  (void)a;
  ((struct chip *)user)->admitted++;
}
static void on_sent(void *user, const struct sluice_checker_sent *s) {
  (void)s;
  ((struct chip *)user)->sent++;
}

static void play(struct sluice_checker *ck, const struct event *e) {
  switch (e->kind) {
    case RX:
      sluice_checker_rx(ck, e->cycle, e->at, e->data, e->keep, e->last, e->err, e->port, e->number);
      break;
    case DEALT: sluice_checker_dealt(ck, e->cycle, e->at, e->lane); break;
    case LANE: sluice_checker_lane(ck, e->cycle, e->at, e->reason); break;
    case ORDER: sluice_checker_order(ck, e->cycle, e->at, e->reason, e->ticket); break;
    case EXIT:
      sluice_checker_exit(ck, e->cycle, e->at, e->reason, e->ticket, e->accepted, 0);
      break;
    default: sluice_checker_tx(ck, e->cycle, e->at, e->data, e->keep, e->last, e->port, e->ticket);
  }
}

// Plays the list and leaves the report in c->report. Events of a kind and cycle go by stream.
static void run(struct chip *c) {
  const struct sluice_checker_hooks hooks = {c, on_admitted, NULL, on_sent};
  struct sluice_checker *ck CLOSED_BY(close_checker) =
      sluice_checker_open(sluice_config_find("fast2"), &hooks);
  assert_non_null(ck);
  configure(ck);
  sluice_checker_ready(ck, 0);
  for (uint64_t cycle = 0; cycle < END; cycle++) {
    for (int kind = RX; kind <= TX; kind++)
      for (unsigned at = 0; at < LANES; at++)
        for (unsigned i = 0; i < c->num; i++) {
          const struct event *e = &c->events[i];
          if (e->cycle == cycle && e->kind == kind && e->at == at) play(ck, e);
        }
    sluice_checker_cycle(ck, cycle);
  }
  sluice_checker_finish(ck);
  sluice_checker_report(ck, &c->report);
  assert_true(c->report.differences || sluice_checker_idle(ck));
}

static struct event *find(struct chip *c, int kind, uint64_t number) {
  for (unsigned i = 0; i < c->num; i++)
    if (c->events[i].kind == kind && c->events[i].number == number) return &c->events[i];
  fail_msg("no event of kind %d of packet %u", kind, (unsigned)number);
  return NULL;
}

static void drop_events(struct chip *c, int kind, uint64_t number) {
  for (unsigned i = 0; i < c->num; i++)
    if (c->events[i].kind == kind && c->events[i].number == number) c->events[i].cycle = END + 1;
}

// Runs a mutant; its first difference must have `field` in it, expected and got too.
static void caught(struct chip *c, const char *field, const char *expected, const char *got) {
  run(c);
  const struct sluice_difference *d = &c->report.first;
  if (c->report.differences == 0) fail_msg("not caught: %s", field);
  if (!strstr(d->field, field) || !strstr(d->expected, expected) || !strstr(d->got, got))
    fail_msg("wanted '%s' '%s' '%s', message is: %s", field, expected, got, d->text);
  build(c);
}

TEST(faultless_chip_passes) {
  static struct chip c;
  build(&c);
  run(&c);
  if (c.report.differences) fail_msg("%s", c.report.first.text);
  unsigned bad = 0, full = 0, front = 0, waited = 0, lanes[LANES] = {0};
  for (unsigned n = 0; n < NUM; n++) {
    const struct packet *p = &c.packets[n];
    bad += p->reason == SLUICE_DROP_MALFORMED;
    full += p->reason == SLUICE_DROP_BUFFER_FULL;
    front += !p->reason && p->front;
    waited += !p->reason && p->arrives > p->judged;
    lanes[p->lane]++;
  }
  // What the mutants need is there: packets that wait for others of their wire, in all lanes.
  assert_true(bad > 2 && full > 2 && front > 2 && waited > 10);
  for (unsigned l = 0; l < LANES; l++) assert_true(lanes[l] > EACH / 4);
  FIELDS_ARE(
      &c, (report.packets, NUM), (report.arrived, NUM - bad - full),
      (report.admitted, NUM - bad - full - front), (report.drops[SLUICE_DROP_MALFORMED], bad),
      (report.drops[SLUICE_DROP_BUFFER_FULL], full), (report.copies, PORTS * c.report.admitted),
      (sent, c.report.copies), (admitted, c.report.admitted));
}

// Number of a packet that is admitted, and whose next one of the wire is too, in the other lane and
// in a later cycle.
static unsigned pair_of(const struct chip *c, unsigned port) {
  for (unsigned n = EACH * port + 3; n + 1 < EACH * (port + 1); n++) {
    const struct packet *p = &c->packets[n], *q = p + 1;
    if (!p->reason && !q->reason && !p->front && !q->front && p->lane != q->lane &&
        p->arrives != q->arrives)
      return n;
  }
  fail_msg("no such pair");
  return 0;
}

// A packet that ends in its lane before the one before it on the wire, which must not arrive yet.
static unsigned early_of(const struct chip *c) {
  for (unsigned n = 1; n < NUM; n++) {
    const struct packet *p = &c->packets[n];
    bool first = n != EACH;  // of its lane
    for (unsigned i = 0; i < n; i++)
      first = first && (c->packets[i].lane != p->lane || c->packets[i].reason ||
                        c->packets[i].arrives + TO_ORDER < p->judged);
    if (first && !p->reason && !p[-1].reason && p->arrives > p->judged + 1 &&
        p[-1].judged > p->judged + 1)
      return n;
  }
  fail_msg("no such packet");
  return 0;
}

TEST(mutants_of_the_order_are_caught) {
  static struct chip c;
  build(&c);
  // Two packets of a port change places, tickets and all.
  const unsigned n = pair_of(&c, 1);
  struct event *a = find(&c, ORDER, n), *b = find(&c, ORDER, n + 1), swap = *a;
  a->cycle = b->cycle, a->ticket = b->ticket;
  b->cycle = swap.cycle, b->ticket = swap.ticket;
  caught(&c, "order of admission", "first", "lane");
  // The order point takes a packet while the one before it is in its lane.
  const unsigned early = early_of(&c);
  find(&c, ORDER, early)->cycle = c.packets[early].judged;
  caught(&c, "order of admission", "not yet", "lane");
  // One that is dropped in front takes no ticket, but its turn.
  unsigned turns = 0;
  for (unsigned i = 1; i < NUM; i++) {
    const struct packet *p = &c.packets[i];
    if (i == EACH || !p->front || p->reason || p[-1].reason || p[-1].front ||
        p->lane == p[-1].lane || p->judged > p[-1].arrives + TO_ORDER - 1)
      continue;
    find(&c, ORDER, i)->cycle = find(&c, ORDER, i - 1)->cycle - 1;
    run(&c);
    assert_true(c.report.differences > 0);
    turns += strstr(c.report.first.field, "at the order point") &&
             strstr(c.report.first.got, "that one is gone");
    build(&c);
  }
  assert_true(turns > 0);
  // Between ports: the lane of the higher port first, in one cycle.
  for (unsigned i = 0; i < EACH; i++)
    for (unsigned j = EACH; j < NUM; j++) {
      const struct packet *p = &c.packets[i], *q = &c.packets[j];
      if (p->reason || q->reason || p->front || q->front || p->arrives != q->arrives ||
          q->ticket != p->ticket + 1)
        continue;
      find(&c, ORDER, i)->ticket++;
      find(&c, ORDER, j)->ticket--;
      caught(&c, "order of admission", "first", "lane");
      return;
    }
  fail_msg("no two packets of two ports in one cycle");
}

TEST(mutants_of_the_dealer_are_caught) {
  static struct chip c;
  build(&c);
  find(&c, DEALT, 4)->lane = 2;
  caught(&c, "dealing of port 0", "lanes 0 to 1", "lane 2");
  find(&c, DEALT, 4)->at ^= 1;
  caught(&c, "dealing of port 0", "began on stream", "began on stream");
  // It says one lane, the packet is in the other.
  find(&c, DEALT, NUM - 1)->lane ^= 1;
  caught(&c, "verdict of lane", "no packet", "not dropped");
  // A packet too many.
  c.events[c.num] = *find(&c, DEALT, NUM - 1);
  c.events[c.num++].cycle += 9;
  caught(&c, "dealing of port 1", "all are dealt", "began on stream");
  // The last packet of a wire is dealt, and lost on its way into its lane; never dealt.
  for (int kind = LANE; kind >= DEALT; kind--) {
    for (int k = kind; k <= TX; k++) drop_events(&c, k, NUM - 1);
    caught(&c, "verdict on a packet of port 1", "one",
           kind == LANE ? "none, it is lost" : "never dealt");
  }
  // One in the middle is lost: the lane's next verdict is taken for it.
  for (int k = LANE; k <= TX; k++) drop_events(&c, k, 20);
  run(&c);
  assert_true(c.report.differences > 0);
  build(&c);
  // Two beats a cycle into a lane.
  for (unsigned n = 1; n < EACH; n++) {
    const struct packet *p = &c.packets[n];
    if (p->beats < MAX_BEATS || p->entered == p->came[p->beats - 1] + TO_LANE) continue;
    find(&c, LANE, n)->cycle = p->came[p->beats - 1] + 1;
    caught(&c, "last beat into lane", "or later", "in cycle");
    break;
  }
  // Arrival time is that of the bus.
  find(&c, LANE, 2)->cycle++;
  run(&c);
  assert_true(c.report.differences > 0);
}

TEST(mutants_of_the_output_are_caught) {
  static struct chip c;
  build(&c);
  // Two copies of one beat change places on the wire.
  for (unsigned i = 0; i + 1 < c.num; i++) {
    struct event *a = &c.events[i], swap = *a;
    if (a->kind != TX || !a->last || find(&c, TX, a->number)->cycle != a->cycle ||
        c.packets[a->number].beats != 1)
      continue;
    for (struct event *b = a + 1; b < c.events + c.num; b++) {
      if (b->kind != TX || b->port != a->port || c.packets[b->number].beats != 1) continue;
      a->cycle = b->cycle, a->at = b->at;
      b->cycle = swap.cycle, b->at = swap.at;
      char port[32];
      snprintf(port, sizeof port, "order at port %u", a->port);
      caught(&c, port, "a ticket above", "ticket");
      i = c.num;
      break;
    }
  }
  // A copy on the wire of another port.
  for (unsigned i = 0; i < c.num; i++)
    if (c.events[i].kind == TX && c.events[i].number == 50) c.events[i].port ^= 1;
  caught(&c, "port of output stream", "0", "1");
  // Beats of two packets mixed.
  struct event *two[2] = {NULL, NULL};
  for (unsigned n = 5, num = 0; num < 2; n++)
    if (c.packets[n].beats == MAX_BEATS && !c.packets[n].reason && !c.packets[n].front)
      two[num++] = find(&c, TX, n) + 1;
  uint8_t data[64];
  memcpy(data, two[0]->data, 64);
  memcpy(two[0]->data, two[1]->data, 64);
  memcpy(two[1]->data, data, 64);
  caught(&c, "byte 64", "0x", "0x");
  // A beat less, a copy less.
  find(&c, TX, 50)->keep >>= 1;
  run(&c);
  assert_true(c.report.differences > 0);
  build(&c);
  for (unsigned i = 0; i < c.num; i++)
    if (c.events[i].kind == TX && c.events[i].number == 50 && c.events[i].port == 1)
      c.events[i].cycle = END + 1;
  caught(&c, "port set 0x2", "a copy for each", "lost");
}

TEST(wires_are_ports_or_lanes) {
  const struct sluice_config *tiny = sluice_config_find("tiny"),
                             *fast = sluice_config_find("fast2");
  assert_int_equal(sluice_num_wires(tiny), 2);
  assert_int_equal(sluice_wire_lanes(tiny), 1);
  assert_int_equal(sluice_wire_ports(tiny, 1), 2);
  assert_int_equal(sluice_wire_port(tiny, 1, 1), 3);
  assert_int_equal(sluice_wire_set(tiny, 1), 10);
  assert_int_equal(sluice_port_wire(tiny, 2), 0);
  assert_int_equal(sluice_port_wire(tiny, 3), 1);
  assert_int_equal(sluice_port_lane(tiny, 3), 1);
  assert_int_equal(sluice_num_wires(fast), 2);
  assert_int_equal(sluice_wire_lanes(fast), 2);
  assert_int_equal(sluice_wire_ports(fast, 1), 1);
  assert_int_equal(sluice_wire_set(fast, 1), 2);
  assert_int_equal(sluice_port_wire(fast, 1), 1);
  assert_int_equal(sluice_port_lane(fast, 1), 2);
  // Lanes whose numbers of ports differ: 17 on four.
  const struct sluice_config *s4 = sluice_config_find("s4");
  assert_int_equal(sluice_wire_ports(s4, 0), 5);
  assert_int_equal(sluice_wire_ports(s4, 1), 4);
  assert_int_equal(sluice_wire_ports(s4, 3), 4);
  assert_int_equal(sluice_wire_port(s4, 0, 4), 16);
  assert_int_equal(sluice_wire_set(s4, 0), 0x11111);
  assert_int_equal(sluice_wire_set(s4, 3), 0x8888);
  assert_int_equal(sluice_port_lane(s4, 16), 0);
  // A capture without ports: two beats, one and one.
  struct sluice_deal deal = {.config = fast};
  const uint8_t bytes[128] = {0};
  assert_int_equal(sluice_deal_port(&deal, -1, bytes, 128), 0);
  assert_int_equal(sluice_deal_port(&deal, -1, bytes, 64), 1);
  assert_int_equal(sluice_deal_port(&deal, -1, bytes, 64), 1);
  assert_int_equal(sluice_deal_port(&deal, 1, bytes, 64), 1);
  assert_int_equal(sluice_deal_port(&deal, 2, bytes, 64), 0);  // there is no port 2
  // The lanes in turn, and in each its ports in turn, also where they are fewer.
  deal = (struct sluice_deal){.config = s4};
  for (unsigned n = 0; n < 400; n++)
    assert_int_equal(sluice_deal_port(&deal, -1, bytes, 64), n % 4 + n / 4 % (n % 4 ? 4 : 5) * 4);
}

// One port more than the lanes share evenly; fast ports and a single lane have no such port.
TEST(the_cpu_port_is_the_one_more) {
  assert_int_equal(sluice_config_cpu_port(sluice_config_find("s4")), 16);
  assert_int_equal(sluice_config_cpu_port(sluice_config_find("s2")), 6);
  static const char *const none[] = {"tiny", "k4", "fast2", "fast4", "s4.k1", "tiny.k4.NumPorts6"};
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
    const struct sluice_config *c = sluice_config_find(none[i]);
    assert_int_equal(sluice_config_cpu_port(c), c->NumPorts);
  }
}

// A packet of a wire is inside from its last beat until its lane has dropped it, whether it is
// dealt by then or not.
TEST(whether_a_row_is_still) {
  struct sluice_checker *ck CLOSED_BY(close_checker) =
      sluice_checker_open(sluice_config_find("fast2"), NULL);
  uint8_t bytes[64];
  uint64_t seen;
  assert_non_null(ck);
  configure(ck);
  sluice_checker_ready(ck, 0);
  data_frame(bytes, sizeof bytes, ROW, 0);
  assert_true(sluice_checker_row_still(ck, ROW, &seen));
  assert_int_equal(seen, 0);
  sluice_checker_rx(ck, 1000, 1, bytes, UINT64_MAX, true, false, 0, 0);
  for (unsigned dealt = 0; dealt < 2; dealt++) {
    if (dealt) sluice_checker_dealt(ck, 1001, 1, 0);
    assert_false(sluice_checker_row_still(ck, ROW, &seen));
    assert_int_equal(seen, 1);
    assert_true(sluice_checker_row_still(ck, ROW + 1, &seen));
    assert_int_equal(seen, 0);
  }
  sluice_checker_lane(ck, 1005, 0, SLUICE_DROP_BUFFER_FULL);
  assert_true(sluice_checker_row_still(ck, ROW, &seen));
  assert_int_equal(seen, 1);
}
