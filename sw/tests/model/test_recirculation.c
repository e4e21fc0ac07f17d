// SPDX-License-Identifier: Apache-2.0
// Recirculation on the reference model, and what the monitors say of a chip that does it wrongly.
// cmocka.h needs those before it.
// clang-format off
#include "tests/rig/test.h"
#include "base/bytes.h"
#include "tests/rig/model_rig.h"
// clang-format on
#include "model/checker.h"

enum { AGAIN = 1 << 4, PORT = 3, LEN = 64 };  // of the chip `tight`, which has four ports

static void frame_of(uint8_t *bytes, unsigned vid) {
  memset(bytes, 0, LEN);
  bytes[12] = 0x81;
  bytes[15] = (uint8_t)vid;
  bytes[16] = 0x08;
}

// Destination of module ROW, its rounds, and a parser that takes the round into 2B[0].
static void make_module(struct sluice_model *m, unsigned dest, unsigned rounds) {
  struct entry e = ENTRY_OF(MODULE, (VALID, 1), (DEST, dest), (VID, ROW));
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &e);
  memset(&e, 0, sizeof e);
  SETS(&e, RECIRCULATE, (ROUNDS, rounds), (BURST, 3), (RATE, 256));
  put(m, SLUICE_TABLE_RECIRCULATE, 0, ROW, &e);
  // Byte 22 of the metadata word is the round.
  memset(&e, 0, sizeof e);
  const unsigned action = 1u << 13 | 21u << 6 | B2 << 4 | 1u;
  sluice_put16(e.bytes, action);
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &e);
}

struct pass {
  struct sluice_model_phv phv;
  struct sluice_model_result result;
};
static void run_pass(struct sluice_model *m, const struct sluice_model_again *again,
                     struct pass *p) {
  uint8_t bytes[LEN];
  frame_of(bytes, ROW);
  const struct sluice_model_packet packet = {
      .bytes = bytes, .len = LEN, .port = PORT, .again = again};
  assert_int_equal(sluice_model_front(m, &packet, &p->phv), SLUICE_DROP_NONE);
  sluice_model_admit(m, &packet, &p->phv, &p->result);
}

TEST(rounds_are_counted_until_they_are_used_up) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tight");
  struct pass p;
  make_module(m, AGAIN | 2, 2);
  run_pass(m, NULL, &p);
  for (unsigned round = 0; round < 2; round++) {
    FIELDS_ARE(&p, (phv.b2[0], round), (result.ports, AGAIN | 2), (result.again.round, round + 1),
               (result.again.row, ROW), (result.again.port, PORT));
    const struct sluice_model_again again = p.result.again;
    run_pass(m, &again, &p);
  }
  FIELDS_ARE(&p, (phv.b2[0], 2), (result.ports, 2), (result.reason, SLUICE_DROP_NONE));
}

TEST(without_a_round_or_a_port_there_is_no_way_back) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tight");
  struct pass p;
  struct entry e = {{0}};
  make_module(m, AGAIN, 0);
  run_pass(m, NULL, &p);
  assert_int_equal(p.result.reason, SLUICE_DROP_ROUNDS);
  SET(&e, MODULE_PORTS, PORTS, 15);
  put(m, SLUICE_TABLE_MODULE_PORTS, 0, ROW, &e);
  make_module(m, AGAIN, 9);
  run_pass(m, NULL, &p);
  assert_int_equal(p.result.reason, SLUICE_DROP_FORBIDDEN);
  sluice_model_close(m);
  // In a chip without it the bit is that of no port.
  m = open_model("banks");
  memset(&e, 0, sizeof e);
  SETS(&e, MODULE, (VALID, 1), (DEST, AGAIN), (VID, ROW));
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &e);
  run_pass(m, NULL, &p);
  assert_int_equal(p.result.reason, SLUICE_DROP_NO_DEST);
  assert_false(
      control(m, (struct control){.table = SLUICE_TABLE_RECIRCULATE, .index = ROW}, &e, 1, NULL));
}

TEST(a_packet_comes_back_to_its_own_module) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tight");
  uint8_t bytes[LEN];
  frame_of(bytes, ROW);
  struct sluice_model_again again = {.round = 1, .row = ROW};
  const struct sluice_model_filter *filter = sluice_model_filter(m);
  assert_int_equal(sluice_model_classify_again(filter, &again, bytes, LEN).reason,
                   SLUICE_DROP_NONE);
  again.row = ROW + 1;
  assert_int_equal(sluice_model_classify_again(filter, &again, bytes, LEN).reason,
                   SLUICE_DROP_UNKNOWN_MODULE);
}

// ---- monitors: a chip of lane 0 alone, a packet after the other ---------------------------------

struct chip {
  struct sluice_checker *ck;
  uint64_t cycle;
  uint32_t ticket;
};

static void open_chip_of(struct chip *c, const struct sluice_config *config, unsigned dest,
                         unsigned rounds) {
  uint8_t frame[64 + 8 * 128];
  struct entry e = {{0}};
  *c = (struct chip){.ck = sluice_checker_open(config, NULL), .cycle = 2000};
  assert_non_null(c->ck);
  SETS(&e, MODULE, (VALID, 1), (DEST, dest), (VID, ROW));
  size_t len =
      control_frame(frame, (struct control){.table = SLUICE_TABLE_MODULE, .index = ROW}, &e, 1);
  assert_true(sluice_checker_control(c->ck, 0, frame, len, NULL));
  memset(&e, 0, sizeof e);
  SETS(&e, RECIRCULATE, (ROUNDS, rounds), (BURST, 2), (RATE, 1));
  len = control_frame(frame, (struct control){.table = SLUICE_TABLE_RECIRCULATE, .index = ROW}, &e,
                      1);
  assert_true(sluice_checker_control(c->ck, 0, frame, len, NULL));
  sluice_checker_ready(c->ck, 0);
}
static void open_chip(struct chip *c, unsigned rounds) {
  open_chip_of(c, sluice_config_find("tight"), AGAIN, rounds);
}

// From the bus, or the packet that left with this ticket; accepted by the recirculation port.
static void pass(struct chip *c, bool again, uint32_t from, bool unpaid) {
  uint8_t bytes[LEN];
  frame_of(bytes, ROW);
  c->cycle += 20;
  if (again) sluice_checker_again(c->ck, c->cycle, 0, true, from);
  else sluice_checker_rx(c->ck, c->cycle, 0, bytes, UINT64_MAX, true, false, PORT, 1);
  sluice_checker_cycle(c->ck, c->cycle);
  sluice_checker_lane(c->ck, c->cycle + 2, 0, SLUICE_DROP_NONE);
  sluice_checker_order(c->ck, c->cycle + 5, 0, SLUICE_DROP_NONE, c->ticket & 31u);
  sluice_checker_cycle(c->ck, c->cycle + 5);
  if (unpaid) sluice_checker_unpaid(c->ck, 0);
  sluice_checker_exit(c->ck, c->cycle + 15, 0, SLUICE_DROP_NONE, c->ticket++, unpaid ? 0 : AGAIN,
                      unpaid ? AGAIN : 0);
}

TEST(the_monitors_know_which_packet_must_come) {
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    struct chip c;
    open_chip(&c, 9);
    pass(&c, false, 0, false);
    pass(&c, false, 0, false);
    assert_false(sluice_checker_failed(c.ck));
    assert_false(sluice_checker_idle(c.ck));
    pass(&c, true, wrong, true);  // the first one left with ticket 0
    assert_int_equal(sluice_checker_failed(c.ck), wrong);
    sluice_checker_close(c.ck);
  }
}

TEST(the_monitors_count_tokens_and_rounds) {
  struct chip c;
  open_chip(&c, 9);
  for (unsigned n = 0; n < 2; n++) pass(&c, false, 0, false);
  assert_false(sluice_checker_failed(c.ck));
  pass(&c, false, 0, false);  // the bucket holds two
  assert_true(sluice_checker_failed(c.ck));
  sluice_checker_close(c.ck);
  open_chip(&c, 1);
  pass(&c, false, 0, false);
  assert_false(sluice_checker_failed(c.ck));
  pass(&c, true, 0, false);  // it has no second round
  assert_true(sluice_checker_failed(c.ck));
  sluice_checker_close(c.ck);
}

// A token has 256 parts, and one comes in 64 cycles. The monitors do not know where the chip is
// within these, so two parts are in doubt: 253 and two are not enough.
TEST(a_part_of_a_token_is_none) {
  for (unsigned parts = 253; parts < 255; parts++) {
    struct chip c;
    open_chip(&c, 9);
    c.cycle = 64 * 40 - 35;  // a packet leaves 35 cycles from then
    for (unsigned n = 0; n < 2; n++) pass(&c, false, 0, false);
    c.cycle = ((c.cycle + 15) / 64 + parts) * 64 - 35;
    pass(&c, false, 0, false);
    assert_int_equal(sluice_checker_failed(c.ck), parts < 254);
    sluice_checker_close(c.ck);
  }
}

// An IPv4 packet that may be marked (ECN field 2, or 3 if it is), its checksum with it.
static void marked_frame(uint8_t *bytes, bool marked) {
  frame_of(bytes, ROW);
  bytes[17] = 0x00;
  bytes[18] = 0x45;
  bytes[19] = marked ? 3 : 2;
  // ones' complement: one more in the word, one less in its checksum 0, which is 0xffff
  bytes[28] = marked ? 0xff : 0;
  bytes[29] = marked ? 0xfe : 0;
}

// One that is marked for a deep queue, to port 1 and through the chip again: so is what comes.
TEST(who_comes_again_is_marked_as_it_left) {
  enum { PORT_1 = 2 };
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    uint8_t bytes[LEN];
    struct chip c;
    struct sluice_config config = *sluice_config_find("tight");
    config.OutputClasses = 4;
    open_chip_of(&c, &config, AGAIN | PORT_1, 1);
    for (unsigned i = 0; i < 4; i++) sluice_checker_class_ecn(c.ck, 0, i, 1);
    for (uint32_t round = 0; round < 2; round++) {
      c.cycle += 2000;  // a threshold holds some time after it was written
      marked_frame(bytes, round != 0);
      if (round) sluice_checker_again(c.ck, c.cycle, 0, true, 0);
      else sluice_checker_rx(c.ck, c.cycle, 0, bytes, UINT64_MAX, true, false, PORT, 1);
      sluice_checker_cycle(c.ck, c.cycle);
      sluice_checker_lane(c.ck, c.cycle + 2, 0, SLUICE_DROP_NONE);
      sluice_checker_order(c.ck, c.cycle + 5, 0, SLUICE_DROP_NONE, round);
      sluice_checker_cycle(c.ck, c.cycle + 5);
      sluice_checker_deep(c.ck, 0, !round, !round);
      sluice_checker_exit(c.ck, c.cycle + 15, 0, SLUICE_DROP_NONE, round,
                          round ? PORT_1 : AGAIN | PORT_1, 0);
      marked_frame(bytes, !(wrong && round));
      sluice_checker_tx(c.ck, c.cycle + 20, 0, bytes, UINT64_MAX, true, 1, round);
      sluice_checker_cycle(c.ck, c.cycle + 20);
    }
    struct sluice_report report;
    sluice_checker_report(c.ck, &report);
    if (!wrong && report.differences) fail_msg("%s", report.first.text);
    assert_int_equal(report.differences != 0, wrong);
    if (wrong) assert_string_equal(report.first.field, "byte 19");
    sluice_checker_close(c.ck);
  }
}

// ---- a bus that never rests: packets give way ---------------------------------------------------

// A cycle in which a packet of the bus comes, of one beat or the first of two; a beat of a
// recirculated one may enter.
struct busy {
  bool again, gives_way, first_of_two;
};
static void busy_cycle(struct chip *c, struct busy b) {
  uint8_t bytes[LEN];
  frame_of(bytes, ROW);
  c->cycle++;
  if (b.again) sluice_checker_again(c->ck, c->cycle, 0, false, 0);
  if (b.gives_way) sluice_checker_gives_way(c->ck, 0);
  sluice_checker_rx(c->ck, c->cycle, 0, bytes, UINT64_MAX, !b.first_of_two, false, PORT, 1);
  sluice_checker_cycle(c->ck, c->cycle);
}

// So many beats of the bus wait while a long recirculated packet enters. A longest packet of 144
// beats finds room among 256 places as long as fewer than 112 do.
static void open_busy(struct chip *c, unsigned waiting, bool somebody) {
  open_chip(c, 9);
  pass(c, false, 0, !somebody);
  for (unsigned n = 0; n < waiting; n++) busy_cycle(c, (struct busy){.again = true});
  assert_false(sluice_checker_failed(c->ck));
}

TEST(a_packet_gives_way_for_want_of_room) {
  struct sluice_report r;
  for (unsigned missing = 0; missing < 2; missing++) {
    struct chip c;
    open_busy(&c, 112 - missing, true);
    busy_cycle(&c, (struct busy){.gives_way = true});
    assert_int_equal(sluice_checker_failed(c.ck), missing);
    sluice_checker_report(c.ck, &r);
    FIELDS_ARE(&r, (drops[SLUICE_DROP_GAVE_WAY], 1), (drops_module[ROW][SLUICE_DROP_GAVE_WAY], 1));
    if (missing) assert_non_null(strstr(r.first.text, "for want of room"));
    sluice_checker_close(c.ck);
  }
}

TEST(a_packet_gives_way_for_somebody) {
  struct sluice_report r;
  struct chip c;
  open_busy(&c, 112, false);
  busy_cycle(&c, (struct busy){.gives_way = true});
  sluice_checker_report(c.ck, &r);
  assert_non_null(strstr(r.first.text, "for a recirculated one"));
  sluice_checker_close(c.ck);
}

TEST(one_beat_in_eight_gives_way) {
  struct sluice_report r;
  struct chip c;
  open_busy(&c, 125, true);  // and one of the pass: 126 beats went in, so 18 may give way
  for (unsigned n = 0; n < 18; n++) {
    busy_cycle(&c, (struct busy){.again = true, .gives_way = true});
    assert_false(sluice_checker_failed(c.ck));
  }
  busy_cycle(&c, (struct busy){.again = true, .gives_way = true});
  sluice_checker_report(c.ck, &r);
  assert_non_null(strstr(r.first.text, "at most one in eight, of 145"));
  sluice_checker_close(c.ck);
}

TEST(a_packet_gives_way_as_a_whole) {
  struct sluice_report r;
  for (unsigned first = 0; first < 2; first++)
    for (unsigned second = 0; second < 2; second++) {
      struct chip c;
      open_busy(&c, 120, true);
      busy_cycle(&c, (struct busy){.first_of_two = true, .gives_way = first});
      busy_cycle(&c, (struct busy){.gives_way = second});
      sluice_checker_report(c.ck, &r);
      assert_int_equal(sluice_checker_failed(c.ck), first != second);
      if (first != second) assert_non_null(strstr(r.first.text, "a part"));
      else assert_int_equal(r.drops[SLUICE_DROP_GAVE_WAY], first);
      sluice_checker_close(c.ck);
    }
}
