// SPDX-License-Identifier: Apache-2.0
// Counters of match entries and rates of modules (docs/machine.md): the model, and what the
// monitors say of a chip that counts or limits otherwise. Shape `react`: stages 0 and 1 are back
// stages, 2 is the front stage; all have both engines.
#include "tests/rig/test.h"
#include "base/cuckoo.h"
#include "driver/wire/wire.h"
#include "model/checker.h"
#include "tests/rig/model_rig.h"

enum { BACK_TERNARY = 0, BACK_CUCKOO = 1, FRONT = 2, KEY_BIT = SLUICE_KEY_B2_FIRST_LSB, LEN = 100 };

// The key is 2B[0] alone.
static struct sluice_model *open_react(unsigned stage) {
  struct sluice_model *m = open_model("react");
  struct entry mask, extract = {{0}};
  memset(&mask, 0xff, sizeof mask);
  sluice_entry_set(mask.bytes, SLUICE_KEY_BITS, KEY_BIT + 15, KEY_BIT, 0);
  put(m, SLUICE_TABLE_KEY_MASK, stage, ROW, &mask);
  put(m, SLUICE_TABLE_KEY_EXTRACT, stage, ROW, &extract);
  return m;
}

static void send(struct sluice_model *m, unsigned stage, unsigned key, unsigned len) {
  struct sluice_model_phv phv = {.vid = ROW, .len = (uint16_t)len};
  struct sluice_model_access access = {0};
  phv.b2[0] = (uint16_t)key;
  if (stage == FRONT) model_stage_front(m, stage, &phv);
  else model_stage_back(m, stage, &phv, &access, NULL);
}

static void put_match(struct sluice_model *m, unsigned stage, unsigned index, unsigned key) {
  struct entry e = ENTRY_OF(MATCH, (VID, ROW));
  sluice_entry_set(e.bytes, SLUICE_MATCH_BITS, KEY_BIT + 15, KEY_BIT, key);
  put(m, SLUICE_TABLE_MATCH, stage, index, &e);
}
static void put_any(struct sluice_model *m, unsigned stage, unsigned index) {
  struct entry e = ENTRY_OF(TERNARY, (VALID, 1), (VID, ROW));
  put(m, SLUICE_TABLE_TERNARY, stage, index, &e);
}
static unsigned put_cuckoo(struct sluice_model *m, unsigned stage, unsigned key) {
  struct entry e = {{0}};
  const uint64_t bits[4] = {(uint64_t)key << KEY_BIT};
  const unsigned index = sluice_cuckoo_entry(sluice_cuckoo_hash(ROW, bits), 2, 256);
  SETS(&e, CUCKOO, (VALID, 1), (VID, ROW));
  sluice_entry_set(e.bytes, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB + KEY_BIT + 15,
                   SLUICE_CUCKOO_KEY_LSB + KEY_BIT, key);
  put(m, SLUICE_TABLE_CUCKOO, stage, index, &e);
  return index;
}

static struct entry count_entry(uint64_t packets, uint64_t bytes) {
  struct entry e = ENTRY_OF(ENTRY_COUNT, (PACKETS, packets), (BYTES, bytes));
  return e;
}

// What a READ of one pipeline gives.
static uint64_t copy_of(struct sluice_model *m, enum sluice_table table, unsigned stage,
                        unsigned index, unsigned copy) {
  struct sluice_model_answer answer;
  uint64_t value = 0;
  const struct control c = {
      .table = table, .op = SLUICE_CHAIN_READ, .stage = stage, .index = index, .copy = copy};
  assert_true(control(m, c, NULL, 0, &answer));
  for (unsigned b = 0; b < 8; b++) value = value << 8 | answer.bytes[64 + b];
  return value;
}

static void expect(struct sluice_model *m, enum sluice_table table, unsigned stage, unsigned index,
                   uint64_t packets, uint64_t bytes) {
  const uint64_t value = packets << 36 | bytes;
  assert_true(sluice_model_count(m, table, stage, index) == value);
  assert_true(sluice_model_count_sum(copy_of(m, table, stage, index, 0),
                                     copy_of(m, table, stage, index, 1)) == value);
}

TEST(entries_count_the_packets_that_they_win) {
  struct sluice_model *m CLOSED_BY(close_model) = open_react(FRONT);
  put_match(m, FRONT, 3, 5);
  const unsigned at = put_cuckoo(m, FRONT, 7);
  send(m, FRONT, 5, 64);
  send(m, FRONT, 5, 128);
  send(m, FRONT, 7, 9000);
  send(m, FRONT, 6, 64);  // nobody's
  put_any(m, FRONT, 9);   // wins before the cuckoo entry, not before the exact row
  send(m, FRONT, 7, 70);
  send(m, FRONT, 5, 1);
  expect(m, SLUICE_TABLE_MATCH_COUNT, FRONT, 3, 3, 193);
  expect(m, SLUICE_TABLE_MATCH_COUNT, FRONT, 2, 0, 0);
  expect(m, SLUICE_TABLE_TERNARY_COUNT, FRONT, 9, 1, 70);
  expect(m, SLUICE_TABLE_CUCKOO_COUNT, FRONT, at, 1, 9000);
  put_match(m, FRONT, 3, 6);  // another entry, the same counters
  send(m, FRONT, 6, 64);
  expect(m, SLUICE_TABLE_MATCH_COUNT, FRONT, 3, 4, 257);
  sluice_model_mute(m, true);
  send(m, FRONT, 6, 64);
  sluice_model_mute(m, false);
  expect(m, SLUICE_TABLE_MATCH_COUNT, FRONT, 3, 4, 257);
  sluice_model_close(m);
  m = open_react(BACK_TERNARY);
  put_any(m, BACK_TERNARY, 15);
  send(m, BACK_TERNARY, 1, 64);
  expect(m, SLUICE_TABLE_TERNARY_COUNT, BACK_TERNARY, 15, 1, 64);
  sluice_model_close(m);
  m = open_react(BACK_CUCKOO);
  const unsigned there = put_cuckoo(m, BACK_CUCKOO, 8);
  send(m, BACK_CUCKOO, 8, 64);
  expect(m, SLUICE_TABLE_CUCKOO_COUNT, BACK_CUCKOO, there, 1, 64);
}

TEST(a_default_action_counts_nothing) {
  struct sluice_model *m CLOSED_BY(close_model) = open_react(FRONT);
  struct entry e = ENTRY_OF(DEFAULT_ACTION, (VALID, 1));
  put(m, SLUICE_TABLE_DEFAULT_ACTION, FRONT, ROW, &e);
  send(m, FRONT, 5, 64);
  for (unsigned n = 0; n < 8; n++) expect(m, SLUICE_TABLE_MATCH_COUNT, FRONT, n, 0, 0);
  for (unsigned n = 0; n < 16; n++) expect(m, SLUICE_TABLE_TERNARY_COUNT, FRONT, n, 0, 0);
}

TEST(a_write_is_for_every_pipeline_and_counts_wrap) {
  struct sluice_model *m CLOSED_BY(close_model) = open_react(FRONT);
  const uint64_t packets = UINT64_C(1) << 28, bytes = UINT64_C(1) << 36;
  struct entry e = count_entry(packets / 2 - 1, bytes / 2 - 32);
  put_match(m, FRONT, 0, 5);
  send(m, FRONT, 5, 64);
  put(m, SLUICE_TABLE_MATCH_COUNT, FRONT, 0, &e);
  expect(m, SLUICE_TABLE_MATCH_COUNT, FRONT, 0, packets - 2, bytes - 64);
  send(m, FRONT, 5, 100);
  expect(m, SLUICE_TABLE_MATCH_COUNT, FRONT, 0, packets - 1, 36);
  send(m, FRONT, 5, 64);
  expect(m, SLUICE_TABLE_MATCH_COUNT, FRONT, 0, 0, 100);
  e = count_entry(0, 0);
  put(m, SLUICE_TABLE_MATCH_COUNT, FRONT, 0, &e);
  expect(m, SLUICE_TABLE_MATCH_COUNT, FRONT, 0, 0, 0);
  // Not behind the last entry, not behind the last stage.
  assert_false(
      control(m, (struct control){.table = SLUICE_TABLE_MATCH_COUNT, .stage = FRONT, .index = 8},
              &e, 1, NULL));
  assert_false(control(m, (struct control){.table = SLUICE_TABLE_CUCKOO_COUNT, .stage = FRONT + 1},
                       &e, 1, NULL));
  sluice_model_close(m);
  m = open_model("tiny");
  assert_false(control(m, (struct control){.table = SLUICE_TABLE_MATCH_COUNT}, &e, 1, NULL));
}

// ---- monitors -----------------------------------------------------------------------------------

struct chip {
  struct sluice_checker *ck;
  uint64_t cycle;
  uint32_t ticket;
  unsigned vid;  // of the packets that come
};

static void to_chip(struct chip *c, struct control what, const struct entry *e) {
  uint8_t frame[64 + 8 * 128];
  const size_t len = control_frame(frame, what, e, e != NULL);
  assert_true(sluice_checker_control(c->ck, c->cycle, frame, len, NULL));
}

static void make_module(struct chip *c, unsigned vid) {
  struct entry e = ENTRY_OF(MODULE, (VALID, 1), (VID, vid));
  to_chip(c, (struct control){.table = SLUICE_TABLE_MODULE, .index = vid % 32}, &e);
}

static struct chip open_chip(void) {
  struct chip c = {.ck = sluice_checker_open(sluice_config_find("react"), NULL), .vid = ROW};
  assert_non_null(c.ck);
  sluice_checker_ready(c.ck, 0);
  make_module(&c, ROW);
  return c;
}

// The counters that are read and written here: the first table has those of stage 0, the last one
// of the last stage.
static const struct control second = {.table = SLUICE_TABLE_MATCH_COUNT, .index = 2},
                            third = {.table = SLUICE_TABLE_MATCH_COUNT, .index = 3},
                            last = {
                                .table = SLUICE_TABLE_CUCKOO_COUNT, .stage = FRONT, .index = 255};

// A READ of a counter, and its answer.
static void answers(struct chip *c, struct control what, unsigned copy, uint64_t packets,
                    uint64_t bytes) {
  uint8_t frame[64 + 8 * 128], answer[128] = {0};
  what.op = SLUICE_CHAIN_READ, what.copy = copy;
  const size_t len = control_frame(frame, what, NULL, 0);
  assert_true(sluice_checker_is_count(c->ck, frame, len));
  assert_true(sluice_checker_control(c->ck, c->cycle, frame, len, NULL));
  const struct entry e = count_entry(packets, bytes);
  memcpy(answer + 64, e.bytes, 8);
  sluice_checker_count_answer(c->ck, frame, len, answer, sizeof answer);
}

// The same of both pipelines, of packets of 64 bytes.
static void both_answer(struct chip *c, struct control what, uint64_t packets) {
  for (unsigned copy = 0; copy < 2; copy++) answers(c, what, copy, packets, 64 * packets);
}

static uint64_t compared(const struct chip *c) {
  struct sluice_report report;
  sluice_checker_report(c->ck, &report);
  return report.entry_counts;
}

// A packet comes, and the order point disposes of it; it leaves; both.
static void comes(struct chip *c, unsigned len, unsigned reason) {
  uint8_t bytes[64] = {0};
  bytes[12] = 0x81, bytes[15] = (uint8_t)c->vid;
  for (unsigned at = 0; at < len; at += 64)
    sluice_checker_rx(c->ck, c->cycle, 0, bytes,
                      len - at >= 64 ? UINT64_MAX : (UINT64_C(1) << (len - at)) - 1, at + 64 >= len,
                      false, 0, 1);
  sluice_checker_cycle(c->ck, c->cycle);
  sluice_checker_lane(c->ck, c->cycle + 2, 0, SLUICE_DROP_NONE);
  sluice_checker_order(c->ck, c->cycle + 5, 0, reason,
                       c->ticket & (4u * sluice_config_find("react")->Window - 1));
  sluice_checker_cycle(c->ck, c->cycle + 5);
}
static void leaves(struct chip *c) {
  sluice_checker_exit(c->ck, c->cycle + 15, 0, SLUICE_DROP_NO_DEST, c->ticket++, 0, 0);
}
static void arrives(struct chip *c, unsigned len, unsigned reason) {
  comes(c, len, reason);
  if (reason == SLUICE_DROP_NONE) leaves(c);
}

TEST(the_monitors_add_up_the_pipelines) {
  struct chip c = open_chip();
  c.cycle = 1000;
  const struct entry e = count_entry(5, 320);
  to_chip(&c, second, &e);
  c.cycle = 2000;
  answers(&c, second, 0, 8, 512);
  answers(&c, second, 1, 2, 128);
  assert_int_equal(compared(&c), 1);
  assert_false(sluice_checker_failed(c.ck));
  // A packet between the answers: nothing can be said.
  answers(&c, second, 0, 7, 7);
  arrives(&c, 64, SLUICE_DROP_NONE);
  c.cycle = 3000;
  answers(&c, second, 1, 7, 7);
  assert_int_equal(compared(&c), 1);
  answers(&c, second, 0, 3, 513);
  assert_int_equal(compared(&c), 2);
  assert_true(sluice_checker_failed(c.ck));
  sluice_checker_close(c.ck);
  // A packet soon after a write: which of them was first? Of what was written long before it is
  // known.
  for (unsigned i = 0; i < 2; i++) {
    const struct control late = i ? last : third;
    c = open_chip();
    c.cycle = 1000;
    to_chip(&c, second, &e);
    c.cycle = 3000;
    to_chip(&c, late, &e);
    c.cycle = 3100;
    arrives(&c, 64, SLUICE_DROP_NONE);
    c.cycle = 4000;
    both_answer(&c, late, 1);
    assert_int_equal(compared(&c), 0);
    both_answer(&c, second, 5);
    assert_int_equal(compared(&c), 1);
    assert_false(sluice_checker_failed(c.ck));
    sluice_checker_close(c.ck);
  }
}

// Entries of any engine that change while a packet is inside: which of them it has found is not
// known. What is no entry changes nothing of that.
TEST(entries_that_change_under_a_packet_are_not_compared) {
  static const struct {
    enum sluice_table table;
    bool known;
  } cases[] = {{SLUICE_TABLE_MATCH, false},
               {SLUICE_TABLE_TERNARY, false},
               {SLUICE_TABLE_CUCKOO, false},
               {SLUICE_TABLE_KEY_MASK, true},
               {SLUICE_TABLE_MATCH_DATA, true}};
  const struct entry counts = count_entry(5, 320), zeros = {{0}};
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct chip c = open_chip();
    c.cycle = 1000;
    to_chip(&c, second, &counts);
    c.cycle = 2000;
    comes(&c, 64, SLUICE_DROP_NONE);
    to_chip(&c, (struct control){.table = cases[i].table, .index = 7}, &zeros);
    leaves(&c);
    c.cycle = 3000;
    both_answer(&c, second, 5);
    assert_int_equal(compared(&c), cases[i].known);
    assert_false(sluice_checker_failed(c.ck));
    sluice_checker_close(c.ck);
  }
}

// The module of a VLAN id, and its limit.
static void limit(struct chip *c, unsigned vid, unsigned packets, unsigned packet_rate,
                  unsigned units, unsigned unit_rate) {
  struct entry e = {{0}};
  make_module(c, vid);
  SETS(&e, RATE_LIMIT, (VALID, 1), (PACKET_BURST, packets), (PACKET_RATE, packet_rate),
       (BYTE_BURST, units), (BYTE_RATE, unit_rate));
  to_chip(c, (struct control){.table = SLUICE_TABLE_RATE_LIMIT, .index = vid % 32}, &e);
}

static struct chip open_limited(unsigned packets, unsigned packet_rate, unsigned units,
                                unsigned unit_rate) {
  struct chip c = open_chip();
  limit(&c, ROW, packets, packet_rate, units, unit_rate);
  c.cycle = 2000;
  return c;
}

// Packets of `len` bytes, 20 cycles apart, all admitted: the first that is a difference.
static unsigned first_wrong(struct chip *c, unsigned len, unsigned most) {
  for (unsigned n = 0; n < most; n++) {
    c->cycle += 20;
    arrives(c, len, SLUICE_DROP_NONE);
    if (sluice_checker_failed(c->ck)) return n;
  }
  return most;
}

TEST(the_monitors_know_who_is_above_the_rate) {
  struct chip c = open_limited(4, 1, 1000, 60000);
  assert_int_equal(first_wrong(&c, 64, 9), 4);
  sluice_checker_close(c.ck);
  c = open_limited(200, 60000, 9, 1);
  assert_int_equal(first_wrong(&c, LEN, 9), 4);  // two units each
  sluice_checker_close(c.ck);
  c = open_limited(200, 60000, 1000, 60000);
  assert_int_equal(first_wrong(&c, LEN, 300), 300);
  sluice_checker_close(c.ck);
  // It has waited long enough, and is dropped all the same.
  for (unsigned waits = 0; waits < 2; waits++) {
    c = open_limited(4, 256, 1000, 60000);
    c.cycle += 20;
    arrives(&c, 64, SLUICE_DROP_RATE);
    assert_false(sluice_checker_failed(c.ck));
    if (waits) c.cycle += 4000;
    arrives(&c, 64, SLUICE_DROP_RATE);
    assert_int_equal(sluice_checker_failed(c.ck), waits);
    sluice_checker_close(c.ck);
  }
  c = open_chip();
  c.cycle = 2000;
  arrives(&c, 64, SLUICE_DROP_RATE);
  assert_true(sluice_checker_failed(c.ck));
  sluice_checker_close(c.ck);
}

// Modules of neighbouring rows, the first one among them: each has its own tokens.
TEST(a_module_does_not_take_the_tokens_of_another_one) {
  struct chip c = open_limited(4, 1, 1000, 60000);
  const unsigned vids[] = {ROW - 1, ROW, ROW + 1};
  limit(&c, ROW - 1, 4, 1, 1000, 60000);
  limit(&c, ROW + 1, 4, 1, 1000, 60000);
  c.cycle += 2000;
  for (unsigned n = 0; n < 12; n++) {
    c.vid = vids[n % 3];
    c.cycle += 20;
    arrives(&c, 64, SLUICE_DROP_NONE);
    assert_false(sluice_checker_failed(c.ck));
  }
  c.vid = ROW + 1;
  assert_int_equal(first_wrong(&c, 64, 2), 0);
  sluice_checker_close(c.ck);
}

// A control packet that is not about it changes nothing of a limit, that of the first row neither.
TEST(a_limit_holds_while_something_else_is_written) {
  const unsigned vids[] = {32, ROW};
  const struct entry zeros = {{0}};
  for (unsigned i = 0; i < 2; i++) {
    struct chip c = open_chip();
    c.vid = vids[i];
    limit(&c, c.vid, 4, 1, 1000, 60000);
    c.cycle = 2000;
    assert_int_equal(first_wrong(&c, 64, 4), 4);
    to_chip(&c, (struct control){.table = SLUICE_TABLE_KEY_MASK, .index = 7}, &zeros);
    assert_int_equal(first_wrong(&c, 64, 1), 0);
    sluice_checker_close(c.ck);
  }
}
