// SPDX-License-Identifier: Apache-2.0
// The checker against a chip of paper that merges sorted lanes: packets of one beat, whose places
// this test works out by the rule, written down once more. As it is, the list of events passes; a
// chip that has one thing of the rule wrong is caught.

#include "tests/rig/test.h"
#include "tests/rig/checker_rig.h"
#include "model/checker.h"

enum { LANES = 4, EACH = 50, NUM = LANES * EACH, ROW = 5, LEN = 64, KEY = 2, END = 1500 };
enum { TO_LANE = 2, TO_ORDER = 12, TO_EXIT = 25 };  // cycles

enum wrong {
  NOTHING,
  IDLE_LATE,     // idle a cycle later
  IDLE_EARLY,    // and a cycle earlier
  TIES_HIGH,     // of equal keys that of the highest lane
  ARRIVAL,       // the place of a merged packet is its arrival
  SIGNED,        // keys are compared signed
  BEFORE_FRONT,  // the key is that before the front stage
  DROPPED_WAIT,  // a packet that is dropped goes with its key, and not next
  TWO_A_CYCLE,   // two packets get their places in a cycle
  NUM_WRONG
};

struct packet {
  uint64_t arrives, place;
  unsigned lane;
  uint32_t key, before;  // behind the front stage, and before it
  bool front;            // discarded there
  bool placed;
  uint8_t bytes[LEN];
};

struct chip {
  unsigned lanes, idle;  // registers
  enum wrong wrong;
  uint32_t base;               // of keys
  struct packet packets[NUM];  // of lane 0, then of lane 1, ...
  unsigned late;
  struct sluice_report report;
};

static void make_packets(struct chip *c) {
  uint64_t seed = 11;
  for (unsigned l = 0; l < LANES; l++) {
    uint64_t time = 20 + l;
    uint32_t key = c->base;
    for (unsigned i = 0; i < EACH; i++) {
      struct packet *p = &c->packets[EACH * l + i];
      // Bursts, and gaps that are longer than what makes a lane idle.
      time += test_random(&seed) % 6 ? 1 + test_random(&seed) % 3 : 10 + test_random(&seed) % 40;
      key += test_random(&seed) % 3;
      if (test_random(&seed) % 16 == 0) key -= 4;
      const uint32_t added = test_random(&seed) % 5;  // by the front stage
      *p = (struct packet){.arrives = time, .lane = l, .key = key, .before = key - added};
      p->front = test_random(&seed) % 10 == 0;
      data_frame(p->bytes, LEN, ROW, i);
      for (unsigned b = 0; b < 4; b++) {
        p->bytes[50 + b] = (uint8_t)((key - added) >> (24 - 8 * b));
        p->bytes[54 + b] = (uint8_t)(added >> (24 - 8 * b));
      }
      p->bytes[58] = 0;
      p->bytes[59] = p->front;
    }
  }
}

static uint32_t key_of(const struct chip *c, const struct packet *p) {
  if (p->front && c->wrong != DROPPED_WAIT) return 0;
  return c->wrong == BEFORE_FRONT ? p->before : p->key;
}

static bool smaller(const struct chip *c, uint32_t a, uint32_t b) {
  return c->wrong == SIGNED ? (int32_t)a < (int32_t)b : a < b;
}

// Whether a lane has had no packet without a place in the `cycles` cycles up to time t: a packet
// was there from its arrival to the time of its place.
static bool empty_for(const struct chip *c, unsigned lane, uint64_t t, unsigned cycles) {
  for (unsigned i = 0; i < EACH; i++) {
    const struct packet *p = &c->packets[EACH * lane + i];
    if (p->arrives > t) break;
    if (!p->placed || p->place + (cycles ? cycles : 1) > t) return false;
  }
  return true;
}

static struct packet *oldest(struct chip *c, unsigned lane, uint64_t t) {
  for (unsigned i = 0; i < EACH; i++) {
    struct packet *p = &c->packets[EACH * lane + i];
    if (p->placed) continue;
    return p->arrives <= t ? p : NULL;
  }
  return NULL;
}

static void give_places(struct chip *c) {
  bool any = false;
  uint32_t last = 0;
  c->late = 0;
  for (uint64_t t = 0; t < END; t++)
    for (unsigned n = 0; n < (c->wrong == TWO_A_CYCLE ? 2u : 1u); n++) {
      struct packet *least = NULL;
      bool waits = false;
      for (unsigned l = 0; l < LANES; l++) {
        struct packet *p = oldest(c, l, t);
        if (!(c->lanes >> l & 1)) {
          if (p) p->placed = true, p->place = p->arrives;
          continue;
        }
        const unsigned idle = c->idle + (c->wrong == IDLE_LATE) - (c->wrong == IDLE_EARLY);
        if (!p) waits |= !empty_for(c, l, t, idle);
        else if (!least || smaller(c, key_of(c, p), key_of(c, least)) ||
                 (c->wrong == TIES_HIGH && key_of(c, p) == key_of(c, least)))
          least = p;
      }
      if (!least || waits) break;
      least->placed = true;
      least->place = c->wrong == ARRIVAL ? least->arrives : t;
      if (least->front) continue;
      c->late += any && least->key < last;
      any = true;
      last = least->key;
    }
}

// Bytes 50-53 are the key before the front stage, which adds bytes 54-57; 58-59 not 0: discard.
static void configure(struct sluice_checker *ck) {
  const unsigned b2 = SLUICE_TYPE_B2, b4 = SLUICE_TYPE_B4;
  struct entry parser = {{0}}, front = {{0}}, mask, match = {{0}};
  entry_action(&parser, 0, parse_action(0, 50, b4, KEY));
  entry_action(&parser, 1, parse_action(0, 54, b4, 3));
  entry_action(&parser, 2, parse_action(0, 58, b2, 0));
  put_module(ck, ROW);
  put(ck, SLUICE_TABLE_PARSER, 0, ROW, &parser);
  memset(&mask, 0xff, sizeof mask);
  SET(&match, MATCH, VID, ROW);
  entry_slot(&front, 0, instr(SLUICE_OP_FUNCI, operand(b2, 0), 0));
  entry_slot(&front, 9 + KEY, instr(SLUICE_OP_ADD, operand(b4, KEY), operand(b4, 3)));
  put(ck, SLUICE_TABLE_KEY_MASK, 2, ROW, &mask);
  put(ck, SLUICE_TABLE_MATCH, 2, 0, &match);
  put(ck, SLUICE_TABLE_ACTION, 2, 0, &front);
}

static bool before(const struct packet *a, const struct packet *b) {
  return a->place != b->place ? a->place < b->place : a->lane < b->lane;
}

static void run(struct chip *c) {
  struct packet *order[NUM];
  static uint32_t ticket_of[NUM];
  make_packets(c);
  give_places(c);
  unsigned num = 0;
  for (unsigned n = 0; n < NUM; n++) {
    struct packet *p = &c->packets[n];
    assert_true(p->placed);
    unsigned at = num++;
    for (; at && before(p, order[at - 1]); at--) order[at] = order[at - 1];
    order[at] = p;
  }
  uint32_t ticket = 0;
  for (unsigned i = 0; i < NUM; i++) {
    ticket_of[order[i] - c->packets] = ticket;
    ticket += !order[i]->front;
  }
  struct sluice_checker *ck CLOSED_BY(close_checker) =
      sluice_checker_open(sluice_config_find("merge"), NULL);
  assert_non_null(ck);
  configure(ck);
  sluice_checker_ready(ck, 0);
  sluice_checker_merge(ck, c->lanes, operand(SLUICE_TYPE_B4, KEY), c->idle);
  for (uint64_t cycle = 0; cycle < END + TO_ORDER + TO_EXIT; cycle++) {
    for (unsigned n = 0; n < NUM; n++)
      if (c->packets[n].arrives == cycle)
        sluice_checker_rx(ck, cycle, c->packets[n].lane, c->packets[n].bytes, UINT64_MAX, true,
                          false, c->packets[n].lane, n);
    for (unsigned n = 0; n < NUM; n++)
      if (c->packets[n].arrives + TO_LANE == cycle)
        sluice_checker_lane(ck, cycle, c->packets[n].lane, SLUICE_DROP_NONE);
    for (unsigned i = 0; i < NUM; i++) {
      const struct packet *p = order[i];
      // One of a lane in a cycle, even where the mutant gives two of them their places.
      uint64_t when = p->place + TO_ORDER;
      if (c->wrong == ARRIVAL && when < p->arrives + TO_LANE) when = p->arrives + TO_LANE;
      if (when == cycle)
        sluice_checker_order(ck, cycle, p->lane,
                             p->front ? SLUICE_DROP_DISCARD_FRONT : SLUICE_DROP_NONE,
                             ticket_of[p - c->packets]);
    }
    for (unsigned n = 0; n < NUM; n++) {
      const struct packet *p = &c->packets[n];
      if (p->place + TO_ORDER + TO_EXIT == cycle && !p->front)
        sluice_checker_exit(ck, cycle, p->lane, SLUICE_DROP_NO_DEST, ticket_of[n], 0, 0);
    }
    sluice_checker_cycle(ck, cycle);
  }
  sluice_checker_finish(ck);
  sluice_checker_report(ck, &c->report);
}

TEST(faultless_chip_passes) {
  static const struct {
    unsigned lanes, idle;
  } all[] = {{0, 0}, {15, 0}, {15, 1}, {15, 2}, {15, 8}, {15, 30}, {5, 8}, {6, 30}, {8, 8}};
  static const uint32_t bases[] = {100, 0x7fffffe0u, 0xffffffe0u};
  for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
    for (unsigned b = 0; b < 3; b++) {
      static struct chip c;
      c = (struct chip){.lanes = all[i].lanes, .idle = all[i].idle, .base = bases[b]};
      run(&c);
      if (c.report.differences)
        fail_msg("lanes 0x%x idle %u: %s", c.lanes, c.idle, c.report.first.text);
      unsigned merged = 0;
      for (unsigned n = 0; n < NUM; n++)
        merged += !c.packets[n].front && (c.lanes >> c.packets[n].lane & 1);
      FIELDS_ARE(&c.report, (merged, merged), (merge_late, c.late));
      assert_true(!c.lanes || c.late > 0);
    }
}

TEST(wrong_rules_are_caught) {
  for (int wrong = IDLE_LATE; wrong < NUM_WRONG; wrong++) {
    static struct chip c;
    // Keys on both sides of the sign bit, for those that are compared signed.
    c = (struct chip){.lanes = 15, .idle = 8, .base = 0x7fffffe0u, .wrong = (enum wrong)wrong};
    run(&c);
    if (!c.report.differences) fail_msg("wrong rule %d is not caught", wrong);
    if (!strstr(c.report.first.field, "order of admission") &&
        !strstr(c.report.first.field, "order point"))
      fail_msg("wrong rule %d: %s", wrong, c.report.first.text);
  }
}

// The example of docs/machine.md: lane 0 brings 10, 40, 41, lane 1 brings 12, 13, 50.
TEST(the_example_holds) {
  static struct chip c;
  c = (struct chip){.lanes = 3, .idle = 100};
  static const uint32_t keys[2][3] = {{10, 40, 41}, {12, 13, 50}};
  static const unsigned expected[] = {10, 12, 13, 40, 41, 50};
  for (unsigned n = 0; n < NUM; n++) c.packets[n] = (struct packet){.arrives = UINT64_MAX};
  for (unsigned l = 0; l < 2; l++)
    for (unsigned i = 0; i < 3; i++)
      c.packets[EACH * l + i] =
          (struct packet){.arrives = 10 + 3 * i + l, .lane = l, .key = keys[l][i]};
  give_places(&c);
  const struct packet *last = NULL;
  for (unsigned i = 0; i < 6; i++)
    for (unsigned n = 0; n < NUM; n++)
      if (c.packets[n].placed && c.packets[n].key == expected[i]) {
        assert_true(!last || before(last, &c.packets[n]));
        last = &c.packets[n];
      }
  // 41 is the last of lane 0: 50 waits until that has brought nothing for 100 cycles.
  assert_int_equal(last->place, c.packets[2].place + 100);
}

// Lane 0 brings a small key in each cycle, lane 1 one large key: it lets 65,535 others pass, or
// `passed`, and is then next.
static uint64_t differences_if_passed_by(unsigned passed) {
  enum { FIRST = 20, LAST = FIRST + 65600 };
  const struct sluice_config *config = sluice_config_find("merge");
  const unsigned tags = 4 * config->Window;
  struct sluice_checker *ck = sluice_checker_open(config, NULL);
  uint8_t small[LEN], large[LEN];
  struct sluice_report report;
  assert_non_null(ck);
  configure(ck);
  sluice_checker_ready(ck, 0);
  sluice_checker_merge(ck, 3, operand(SLUICE_TYPE_B4, KEY), 0);
  data_frame(small, LEN, ROW, 0);
  memset(small + 50, 0, 10);
  memcpy(large, small, LEN);
  large[50] = 1;
  uint32_t ticket = 0, left = 0;
  unsigned lanes[64] = {0};  // of the last tickets
  for (uint64_t cycle = 0; cycle < LAST + TO_ORDER + TO_EXIT + 2; cycle++) {
    if (cycle >= FIRST && cycle < LAST)
      sluice_checker_rx(ck, cycle, 0, small, UINT64_MAX, true, false, 0, cycle);
    if (cycle == FIRST) sluice_checker_rx(ck, cycle, 1, large, UINT64_MAX, true, false, 1, 1);
    if (cycle >= FIRST + TO_LANE && cycle < LAST + TO_LANE)
      sluice_checker_lane(ck, cycle, 0, SLUICE_DROP_NONE);
    if (cycle == FIRST + TO_LANE) sluice_checker_lane(ck, cycle, 1, SLUICE_DROP_NONE);
    if (cycle >= FIRST + TO_ORDER && cycle <= LAST + TO_ORDER) {
      lanes[ticket % 64] = ticket == passed;
      sluice_checker_order(ck, cycle, ticket == passed, SLUICE_DROP_NONE, ticket % tags);
      ticket++;
    }
    if (cycle >= FIRST + TO_ORDER + TO_EXIT && cycle <= LAST + TO_ORDER + TO_EXIT) {
      sluice_checker_exit(ck, cycle, lanes[left % 64], SLUICE_DROP_NO_DEST, left, 0, 0);
      left++;
    }
    sluice_checker_cycle(ck, cycle);
  }
  sluice_checker_finish(ck);
  sluice_checker_report(ck, &report);
  sluice_checker_close(ck);
  if (report.differences && passed == 65535) print_message("%s\n", report.first.text);
  return report.differences;
}

TEST(nobody_is_passed_for_ever) {
  assert_int_equal(differences_if_passed_by(65535), 0);
  assert_true(differences_if_passed_by(65534) > 0);
  assert_true(differences_if_passed_by(65536) > 0);
  assert_true(differences_if_passed_by(65600) > 0);  // for ever
}
