// SPDX-License-Identifier: Apache-2.0
// The checker and the configuration banks, against a chip made of paper: module ROW sends to port 0
// in bank 0 and to port 1 in bank 1, so that every packet shows which bank it took. What a
// faultless chip shows passes; each mutant is caught.

#include "tests/rig/test.h"
#include "base/cuckoo.h"
#include "tests/rig/frames.h"
#include "model/checker.h"

enum { ROW = 5, ROWS = 32, LEN = 64, STAGE = 1, MATCH_ROW = 3, ORDERED = 20, GONE = 60 };

struct paper {
  struct sluice_checker *ck;
  uint64_t now;
  uint32_t word;
  unsigned next, ticket, next_exit;
  struct {
    unsigned lane, bank;
  } inside[64];  // by ticket: the bank with which the chip treats it
};

static bool control(struct paper *p, struct control c, const struct entry *e) {
  uint8_t frame[400];
  return sluice_checker_control(p->ck, p->now, frame, control_frame(frame, c, e, e ? 1 : 0), NULL);
}

static void put(struct paper *p, enum sluice_table table, unsigned stage, unsigned index,
                const struct entry *e) {
  assert_true(control(p, (struct control){.table = table, .stage = stage, .index = index}, e));
}

static struct entry match_row(unsigned not_bank) {
  struct entry match = ENTRY_OF(MATCH, (VID, ROW), (NOT_BANK, not_bank));
  return match;
}

static void open_chip(struct paper *p, const char *chip) {
  *p = (struct paper){.ck = sluice_checker_open(sluice_config_find(chip), NULL), .now = 100};
  assert_non_null(p->ck);
  sluice_checker_ready(p->ck, 0);
  for (unsigned bank = 0; bank < 2; bank++) {
    struct entry module = ENTRY_OF(MODULE, (VALID, 1), (VID, ROW), (DEST, 1u << bank));
    put(p, SLUICE_TABLE_MODULE, 0, bank * ROWS + ROW, &module);
  }
  const struct entry match =
      // of bank 0 alone; a key of zeros, which hits nobody or all: it changes nothing
      match_row(2);
  put(p, SLUICE_TABLE_MATCH, STAGE, MATCH_ROW, &match);
  p->now = 1000;  // long after the writes
}
static void open_paper(struct paper *p) { open_chip(p, "banks"); }

static void tick(struct paper *p, unsigned cycles) {
  for (; cycles; cycles--) {
    sluice_checker_bank(p->ck, p->now, p->word);
    sluice_checker_cycle(p->ck, p->now);
    p->now++;
  }
}

// A packet arrives and is reported at once, in every lane of `lanes`; the chip treats it with
// `bank`.
static void arrive(struct paper *p, unsigned lanes, unsigned bank) {
  uint8_t bytes[LEN];
  for (unsigned l = 0; l < 2; l++) {
    if (!(lanes >> l & 1)) continue;
    data_frame(bytes, LEN, ROW, p->next);
    sluice_checker_rx(p->ck, p->now, l, bytes, UINT64_MAX, true, false, 2 * l, p->next++);
  }
  sluice_checker_bank(p->ck, p->now, p->word);
  for (unsigned l = 0; l < 2; l++) {
    if (!(lanes >> l & 1)) continue;
    sluice_checker_lane(p->ck, p->now, l, SLUICE_DROP_NONE);
    p->inside[p->ticket].lane = l;
    p->inside[p->ticket++].bank = bank;
  }
  tick(p, 1);
}

// The order point takes all that have arrived.
static void admit_all(struct paper *p, unsigned first) {
  for (unsigned t = first; t < p->ticket; t++) {
    sluice_checker_order(p->ck, p->now, p->inside[t].lane, SLUICE_DROP_NONE, t & 255);
    tick(p, 1);
  }
}

// The oldest packet leaves.
static void leave(struct paper *p) {
  const unsigned t = p->next_exit++, port = p->inside[t].bank;
  uint8_t bytes[LEN];
  sluice_checker_exit(p->ck, p->now, p->inside[t].lane, SLUICE_DROP_NONE, t, 1u << port, 0);
  data_frame(bytes, LEN, ROW, t);
  sluice_checker_tx(p->ck, p->now, 0, bytes, UINT64_MAX, true, port, t);
  tick(p, 1);
}

static void write_bank(struct paper *p, uint32_t value, unsigned delay) {
  sluice_checker_bank_write(p->ck, value);
  tick(p, 2);
  if (!delay) p->word = value, tick(p, 1);
  sluice_checker_bank_written(p->ck, p->now, true);
  if (delay) tick(p, delay), p->word = value, tick(p, 1);
}

// Closes; `field` is that of the first difference, NULL: there is none.
static struct sluice_report done(struct paper *p, const char *field) {
  struct sluice_report r;
  tick(p, 100);
  while (p->next_exit < p->ticket) leave(p);
  sluice_checker_finish(p->ck);
  sluice_checker_report(p->ck, &r);
  sluice_checker_close(p->ck);
  if (!field) {
    if (r.differences) print_message("%s\n", r.first.text);
    assert_int_equal(r.differences, 0);
    return r;
  }
  assert_int_not_equal(r.differences, 0);
  if (!strstr(r.first.text, field)) print_message("'%s' is not in: %s\n", field, r.first.text);
  assert_non_null(strstr(r.first.text, field));
  return r;
}

// Two packets, a flip, two packets: all inside at the same time.
static void flip_under_load(struct paper *p, unsigned last_bank) {
  open_paper(p);
  arrive(p, 3, 0);
  write_bank(p, 1u << ROW, 0);
  arrive(p, 1, 1);
  arrive(p, 2, last_bank);
  tick(p, ORDERED);
  admit_all(p, 0);
}

TEST(a_flip_under_load_passes) {
  struct paper p;
  flip_under_load(&p, 1);
  assert_int_equal(sluice_checker_bank_of(p.ck, ROW), 1);
  assert_int_equal(sluice_checker_bank_of(p.ck, ROW + 1), 0);
  const struct sluice_report r = done(&p, NULL);
  FIELDS_ARE(&r, (flips, 1), (flips_loaded, 1), (flips_mixed, 1), (delivered, 4));
}

TEST(flips_of_an_empty_module_are_told_apart) {
  struct paper p;
  open_paper(&p);
  arrive(&p, 3, 0);
  tick(&p, ORDERED);
  admit_all(&p, 0);
  write_bank(&p, 6u << ROW, 4);  // two others
  write_bank(&p, 7u << ROW, 4);
  tick(&p, GONE);
  leave(&p), leave(&p);
  arrive(&p, 3, 1);
  tick(&p, ORDERED);
  admit_all(&p, 2);
  const struct sluice_report r = done(&p, NULL);
  FIELDS_ARE(&r, (flips, 3), (flips_loaded, 1), (flips_mixed, 0));
}

TEST(a_lane_that_flips_late_is_caught) {
  struct paper p;
  flip_under_load(&p, 0);
  done(&p, "port set");
}

TEST(the_word_follows_what_is_written) {
  struct paper p;
  // Nothing is written.
  open_paper(&p);
  p.word = 1;
  tick(&p, 1);
  done(&p, "nothing is written");
  // Something else is.
  open_paper(&p);
  sluice_checker_bank_write(p.ck, 1u << ROW);
  p.word = 2u << ROW;
  tick(&p, 1);
  done(&p, "bank of packets that arrive");
  // It was refused.
  open_paper(&p);
  sluice_checker_bank_write(p.ck, 1u << ROW);
  p.word = 1u << ROW;
  tick(&p, 1);
  sluice_checker_bank_written(p.ck, p.now, false);
  done(&p, "CHIP.BANK");
  // Refused, and nothing happens.
  open_paper(&p);
  sluice_checker_bank_write(p.ck, 1u << ROW);
  tick(&p, 2);
  sluice_checker_bank_written(p.ck, p.now, false);
  assert_true(sluice_checker_bank_settled(p.ck));
  assert_int_equal(done(&p, NULL).refused_flips, 1);
  // Too late, by a cycle.
  for (unsigned late = 0; late < 2; late++) {
    open_paper(&p);
    sluice_checker_bank_write(p.ck, 1u << ROW);
    sluice_checker_bank_written(p.ck, p.now, true);
    tick(&p, SLUICE_CHECKER_BANK_SETTLE + late);
    assert_false(sluice_checker_bank_settled(p.ck));
    p.word = 1u << ROW;
    tick(&p, 1);
    assert_true(sluice_checker_bank_settled(p.ck));
    done(&p, late ? "bank of packets that arrive" : NULL);
  }
}

// Two lanes report packets of one arrival time in different cycles, and the flip is between them.
TEST(a_flip_in_the_middle_of_an_arrival_time_is_caught) {
  struct paper p;
  uint8_t bytes[LEN];
  open_paper(&p);
  for (unsigned l = 0; l < 2; l++) {
    data_frame(bytes, LEN, ROW, l);
    sluice_checker_rx(p.ck, p.now, l, bytes, UINT64_MAX, true, false, 2 * l, p.next++);
  }
  sluice_checker_bank_write(p.ck, 1u << ROW);
  for (unsigned l = 0; l < 2; l++) {
    p.word = l << ROW;
    tick(&p, 1);
    sluice_checker_lane(p.ck, p.now, l, SLUICE_DROP_NONE);
    p.inside[p.ticket].lane = l;
    p.inside[p.ticket++].bank = l;
  }
  sluice_checker_bank_written(p.ck, p.now, true);
  tick(&p, ORDERED);
  admit_all(&p, 0);
  done(&p, "packets that arrived in cycle");
}

TEST(inside_registers) {
  static const struct {
    unsigned wait;  // after the arrival; then all leave; `after`: then it is read again
    unsigned bank0, bank1;
    const char *field;
  } cases[] = {
      {30, 1u << ROW, 0, NULL},
      {30, 0, 0, "CHIP.INSIDE_BANK0 bit 5"},
      {2, 0, 0, NULL},  // not counted yet
      {30, 1u << ROW, 1u << ROW, "CHIP.INSIDE_BANK1 bit 5"},
      {30, 3u << ROW, 0, "CHIP.INSIDE_BANK0 bit 6"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct paper p;
    open_paper(&p);
    arrive(&p, 3, 0);
    tick(&p, cases[i].wait);
    sluice_checker_inside(p.ck, p.now - 2, p.now, 0, cases[i].bank0);
    sluice_checker_inside(p.ck, p.now - 2, p.now, 1, cases[i].bank1);
    tick(&p, ORDERED);
    admit_all(&p, 0);
    tick(&p, GONE);
    done(&p, cases[i].field);
  }
  // One of two has left, and the count is one too small; then a bit that stays.
  for (unsigned i = 0; i < 4; i++) {
    struct paper p;
    open_paper(&p);
    arrive(&p, 3, 0);
    tick(&p, ORDERED);
    admit_all(&p, 0);
    tick(&p, GONE);
    leave(&p);
    sluice_checker_inside(p.ck, p.now - 2, p.now, 0, i == 1 ? 0 : 1u << ROW);
    tick(&p, GONE);
    leave(&p);
    tick(&p, i == 3 ? GONE : 1);
    sluice_checker_inside(p.ck, p.now - 2, p.now, 0, i == 2 || i == 3 ? 1u << ROW : 0);
    done(&p, i & 1 ? "CHIP.INSIDE_BANK0 bit 5" : NULL);
  }
}

// Packets that their lane has not reported may count already, of either bank, whichever lane it is.
TEST(inside_registers_while_packets_arrive) {
  for (unsigned l = 0; l < 3; l++) {
    struct paper p;
    uint8_t bytes[LEN];
    open_paper(&p);
    data_frame(bytes, LEN, ROW, 0);
    if (l < 2) sluice_checker_rx(p.ck, p.now, l, bytes, UINT64_MAX, true, false, 2 * l, p.next++);
    tick(&p, 1);
    sluice_checker_inside(p.ck, p.now - 1, p.now, 1, 1u << ROW);
    assert_int_equal(sluice_checker_failed(p.ck), l == 2);
    sluice_checker_close(p.ck);
  }
}

// Writes of the old bank after a flip.
TEST(refusals) {
  for (unsigned i = 0; i < 4; i++) {
    const bool refused = i & 1, drained = i & 2;
    struct paper p;
    uint8_t frame[400];
    struct entry e = {{0}};
    flip_under_load(&p, 1);
    if (drained) {
      tick(&p, GONE);
      leave(&p), leave(&p);
      tick(&p, GONE);
    }
    const size_t len =
        control_frame(frame, (struct control){.table = SLUICE_TABLE_PARSER, .index = ROW}, &e, 1);
    assert_int_equal(sluice_checker_may_refuse(p.ck, frame, len), !drained);
    if (drained) {
      assert_true(sluice_checker_control(p.ck, p.now, frame, len, NULL));
      done(&p, NULL);
      continue;
    }
    tick(&p, 5);
    assert_int_equal(sluice_checker_counted(p.ck, p.now - 5, p.now, frame, len, refused), !refused);
    tick(&p, GONE);
    const struct sluice_report r = done(&p, refused ? NULL : "control packet for bank 0 of row 5");
    assert_int_equal(r.refused_writes, refused);
  }
  // The bank that packets take, another row, a read: never refused.
  struct paper p;
  flip_under_load(&p, 1);
  const struct control free[] = {
      {.table = SLUICE_TABLE_PARSER, .index = ROWS + ROW},
      {.table = SLUICE_TABLE_PARSER, .index = ROW + 1},
      {.table = SLUICE_TABLE_SHARE, .index = ROW},
      {.table = SLUICE_TABLE_PARSER, .index = ROW, .op = SLUICE_CHAIN_READ, .count = 1}};
  const struct control bound[] = {{.table = SLUICE_TABLE_FILL, .row = ROW},
                                  {.table = SLUICE_TABLE_SEGMENT16, .index = ROW}};
  for (unsigned i = 0; i < 6; i++) {
    uint8_t frame[400];
    struct entry e = {{0}};
    const size_t len = control_frame(frame, i < 4 ? free[i] : bound[i - 4], &e, 1);
    assert_int_equal(sluice_checker_may_refuse(p.ck, frame, len), i >= 4);
  }
  done(&p, NULL);
}

// Rows that packets inside may hit: it is the driver's to wait.
TEST(faults_of_the_driver) {
  enum what {
    ERASE,
    OTHER_KEY,
    NOT_FOR_ME,
    SAME,
    BOTH_BANKS,
    ACTION,
    SAME_ACTION,
    INSTR,
    OTHER_ROW,
    NEW_ROW
  };
  static const struct {
    enum what what;
    unsigned bank;  // of the packets inside
    const char *field;
  } cases[] = {
      {ERASE, 0, "driver: row 3 of stage 1"},
      {ERASE, 1, NULL},
      {OTHER_KEY, 0, "driver: row 3 of stage 1"},
      {OTHER_KEY, 1, NULL},
      {SAME, 0, NULL},
      {NOT_FOR_ME, 0, "driver: row 3 of stage 1"},
      {BOTH_BANKS, 0, NULL},
      {ACTION, 1, NULL},
      {ACTION, 0, "driver: row 3 of stage 1"},
      {SAME_ACTION, 0, NULL},
      {OTHER_ROW, 0, NULL},
      {INSTR, 0, "driver: row 3 of stage 1"},
      {NEW_ROW, 0, NULL},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (unsigned late = 0; late < 3; late++) {  // in the lane; behind the order point; gone
      struct paper p;
      open_chip(&p, late == 1 ? "marks" : "banks");
      if (cases[i].bank) write_bank(&p, 1u << ROW, 0);
      arrive(&p, 3, cases[i].bank);
      tick(&p, ORDERED);
      if (late) {
        admit_all(&p, 0);
        tick(&p, 30);
      }
      if (late == 2) leave(&p), leave(&p);
      struct entry match = match_row(2), entry = {{0}};
      struct control c = {.table = SLUICE_TABLE_MATCH, .stage = STAGE, .index = MATCH_ROW};
      const struct entry *e = &match;
      switch (cases[i].what) {
        case ERASE: c.op = SLUICE_CHAIN_ERASE, e = NULL; break;
        case OTHER_KEY: entry_set(&match, SLUICE_MATCH_BITS, 0, 0, 1); break;
        case NOT_FOR_ME: match = match_row(3); break;
        case SAME: break;
        case BOTH_BANKS: match = match_row(0); break;
        case ACTION: entry_slot(&entry, 1, instr_imm(SLUICE_OP_SET, 0, 1)); /* fall through */
        case SAME_ACTION: c.table = SLUICE_TABLE_ACTION, e = &entry; break;
        case INSTR:
          SET(&entry, STATE_INSTR, P1, 1);
          c.table = SLUICE_TABLE_STATE_INSTR, e = &entry;
          break;
        case OTHER_ROW: c.index++, c.op = SLUICE_CHAIN_ERASE, e = NULL; break;
        case NEW_ROW: c.index++; break;
      }
      assert_true(control(&p, c, e));
      if (!late) admit_all(&p, 0);
      tick(&p, GONE);
      const struct sluice_report r = done(&p, late == 2 ? NULL : cases[i].field);
      assert_int_equal(r.driver_faults != 0, late != 2 && cases[i].field);
    }
}

// Packets of both banks are inside, the youngest of bank 1: those of bank 0 see the row. The second
// of these may have left before the first.
TEST(a_packet_that_sees_the_row_is_named) {
  for (unsigned gone = 0; gone < 2; gone++) {
    struct paper p;
    flip_under_load(&p, 1);
    if (gone) {
      const unsigned kept = p.next_exit;
      p.next_exit = 1;
      leave(&p);
      p.next_exit = kept;
    }
    control(&p,
            (struct control){.table = SLUICE_TABLE_MATCH,
                             .stage = STAGE,
                             .index = MATCH_ROW,
                             .op = SLUICE_CHAIN_ERASE},
            NULL);
    struct sluice_report r;
    sluice_checker_report(p.ck, &r);
    FIELDS_ARE(&r, (differences, 1), (first.packet, gone ? 0 : 1));
    assert_non_null(strstr(r.first.expected, "bank 0"));
    sluice_checker_close(p.ck);
  }
}

// ---- entries of match engines: chip `tables`, ternary entry 3 of stage 0, cuckoo entries of stage
// 1

enum { TERNARY_STAGE = 0, CUCKOO_STAGE = 1, ENTRY = 3, KEY = 9 };

static struct entry ternary_entry(unsigned not_bank, unsigned data) {
  struct entry e = ENTRY_OF(TERNARY, (VALID, 1), (NOT_BANK, not_bank), (VID, ROW), (ACTION, 40));
  entry_set(&e, SLUICE_TERNARY_BITS, 31, 0, data);
  return e;
}
// Key KEY, which the masked key of the packets is not: all the same they must not see it change.
static struct entry cuckoo_entry(unsigned not_bank) {
  struct entry e = ENTRY_OF(CUCKOO, (VALID, 1), (NOT_BANK, not_bank), (VID, ROW), (ACTION, 41));
  entry_set(&e, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB + 63, SLUICE_CUCKOO_KEY_LSB, KEY);
  return e;
}
static unsigned bucket(unsigned way) {
  const uint64_t key[SLUICE_CUCKOO_KEY_WORDS] = {KEY};
  return sluice_cuckoo_entry(sluice_cuckoo_hash(ROW, key), way, 256);
}

static void put_entry(struct paper *p, bool cuckoo, unsigned index, const struct entry *e) {
  put(p, cuckoo ? SLUICE_TABLE_CUCKOO : SLUICE_TABLE_TERNARY, cuckoo ? CUCKOO_STAGE : TERNARY_STAGE,
      index, e);
}

TEST(entries_are_left_alone_too) {
  enum what {
    CLEAR,
    DATA,
    NOT_FOR_ME,
    BOTH_BANKS,
    SAME,
    MOVE,
    MOVE_WRONG,
    ACTION,
    OTHER_ACTION,
    INSTR,
    BY_DEFAULT,
    BY_DEFAULT_OTHER
  };
  static const struct {
    bool cuckoo;
    enum what what;
    unsigned bank;  // of the packets inside
    const char *field;
  } cases[] = {
      {false, CLEAR, 0, "driver: ternary entry 3 of stage 0"},
      {false, CLEAR, 1, NULL},
      {false, DATA, 0, "driver: ternary entry 3 of stage 0"},
      {false, NOT_FOR_ME, 0, "driver: ternary entry 3 of stage 0"},
      {false, BOTH_BANKS, 0, NULL},
      {false, SAME, 0, NULL},
      {false, MOVE, 0, NULL},
      {false, MOVE_WRONG, 0, "driver: ternary entry 3 of stage 0"},
      {true, CLEAR, 0, "driver: cuckoo entry"},
      {true, CLEAR, 1, NULL},
      {true, BOTH_BANKS, 0, NULL},
      {true, MOVE, 0, NULL},
      {true, MOVE_WRONG, 0, "driver: cuckoo entry"},
      {false, ACTION, 0, "driver: row 40 of stage 0"},
      {false, ACTION, 1, NULL},
      {false, OTHER_ACTION, 0, NULL},
      {true, ACTION, 0, "driver: row 41 of stage 1"},
      {false, INSTR, 0, "driver: row 40 of stage 0"},
      {false, BY_DEFAULT, 0, "driver: row 50 of stage 0"},
      {false, BY_DEFAULT, 1, NULL},
      {false, BY_DEFAULT_OTHER, 0, NULL},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const bool cuckoo = cases[i].cuckoo;
    const unsigned home = cuckoo ? bucket(2) : ENTRY;
    struct paper p;
    open_chip(&p, "tables");
    const struct entry first = cuckoo ? cuckoo_entry(2) : ternary_entry(2, 7), gone = {{0}};
    struct entry by_default = {{0}}, changed = {{0}};
    put_entry(&p, cuckoo, home, &first);
    SETS(&by_default, DEFAULT_ACTION, (VALID, 1), (ACTION, 50));
    put(&p, SLUICE_TABLE_DEFAULT_ACTION, 0, ROW, &by_default);
    if (cases[i].bank) write_bank(&p, 1u << ROW, 0);
    arrive(&p, 3, cases[i].bank);
    tick(&p, ORDERED);
    admit_all(&p, 0);
    tick(&p, 30);
    struct entry other = cuckoo ? cuckoo_entry(0) : ternary_entry(0, 7);
    entry_slot(&changed, 1, instr_imm(SLUICE_OP_SET, 0, 1));
    switch (cases[i].what) {
      case CLEAR: put_entry(&p, cuckoo, home, &gone); break;
      case DATA: other = ternary_entry(2, 8), put_entry(&p, cuckoo, home, &other); break;
      case NOT_FOR_ME: other = ternary_entry(3, 7), put_entry(&p, cuckoo, home, &other); break;
      case BOTH_BANKS: put_entry(&p, cuckoo, home, &other); break;
      case SAME: put_entry(&p, cuckoo, home, &first); break;
      case MOVE:
        put_entry(&p, cuckoo, cuckoo ? bucket(0) : 8, &first);
        put_entry(&p, cuckoo, home, &gone);
        break;
      case MOVE_WRONG:  // the old place first; or to a bucket where nobody looks
        put_entry(&p, cuckoo, cuckoo ? (bucket(0) + 1) % 256 : 8, cuckoo ? &first : &gone);
        put_entry(&p, cuckoo, home, &gone);
        if (!cuckoo) put_entry(&p, cuckoo, 8, &first);
        break;
      case ACTION: put(&p, SLUICE_TABLE_ACTION, cuckoo, cuckoo ? 41 : 40, &changed); break;
      case OTHER_ACTION: put(&p, SLUICE_TABLE_ACTION, cuckoo, 42, &changed); break;
      case INSTR:
        changed = gone;
        SET(&changed, STATE_INSTR, P1, 1);
        put(&p, SLUICE_TABLE_STATE_INSTR, 0, 40, &changed);
        break;
      case BY_DEFAULT: put(&p, SLUICE_TABLE_ACTION, 0, 50, &changed); break;
      case BY_DEFAULT_OTHER: put(&p, SLUICE_TABLE_ACTION, 1, 50, &changed); break;
    }
    tick(&p, GONE);
    const struct sluice_report r = done(&p, cases[i].field);
    assert_int_equal(r.driver_faults != 0, cases[i].field != NULL);
  }
}

// A driver that believed the chip is not to blame.
TEST(a_chip_that_lied_is_to_blame) {
  for (unsigned late = 0; late < 2; late++) {
    struct paper p;
    open_paper(&p);
    arrive(&p, 3, 0);
    tick(&p, 30);
    if (late) {
      admit_all(&p, 0);
      tick(&p, 30);
    }
    sluice_checker_inside(p.ck, p.now - 2, p.now, 0, 0);
    tick(&p, 3);
    control(&p,
            (struct control){.table = SLUICE_TABLE_MATCH,
                             .stage = STAGE,
                             .index = MATCH_ROW,
                             .op = SLUICE_CHAIN_ERASE},
            NULL);
    if (!late) admit_all(&p, 0);
    tick(&p, GONE);
    done(&p, "CHIP.INSIDE_BANK0 bit 5");
  }
}

// ---- control packets that read and write state, each entry at a mark ----------------------------

enum { STATE_STAGE = 0, BASE = 3, RANGE = 10, INDEX = 2, MOST_ENTRIES = 2 };

// Module ROW has an array at stage 0, in both banks: the home of index i is slot BASE + i / 2 of
// pipeline i % 2.
static void open_marks(struct paper *p, const char *chip) {
  open_chip(p, chip);
  for (unsigned bank = 0; bank < 2; bank++) {
    struct entry segment = {{0}}, access = {{0}};
    SETS(&segment, SEGMENT, (BASE, BASE), (RANGE, RANGE));
    put(p, SLUICE_TABLE_SEGMENT, STATE_STAGE, bank * ROWS + ROW, &segment);
    SET(&access, ACCESS, ENABLE, 1);
    put(p, SLUICE_TABLE_ACCESS, STATE_STAGE, bank * ROWS + ROW, &access);
  }
}

static void show_marks(struct paper *p, unsigned num, bool write) {
  for (unsigned i = INDEX; i < INDEX + num; i++) {
    sluice_checker_state_mark(p->ck, p->now, STATE_STAGE, i % 2, BASE + i / 2, write, p->ticket);
    tick(p, 1);
  }
}

static size_t request(uint8_t *frame, enum sluice_table table, bool read, unsigned count,
                      const struct entry *e) {
  const struct control c = {.table = table,
                            .op = read ? SLUICE_CHAIN_READ : SLUICE_CHAIN_WRITE,
                            .stage = STATE_STAGE,
                            .row = ROW,
                            .index = INDEX,
                            .count = count};
  return control_frame(frame, c, e, read ? 0 : count);
}

// The last packet of bank 0 has just left, so that a TAKE through bank 0 may be refused: as a
// whole.
TEST(a_take_through_the_idle_bank_is_taken_or_refused) {
  enum what { TAKEN, REFUSED, HALF, FORGOTTEN };
  static const char *const fields[] = {NULL, NULL, "none: the packet is refused",
                                       "none, but the packet has taken effect"};
  for (enum what what = TAKEN; what <= FORGOTTEN; what++) {
    const bool refused = what == REFUSED || what == HALF;
    struct paper p;
    uint8_t frame[64], answer[64 * (1 + MOST_ENTRIES)] = {0};
    open_marks(&p, "marks");
    arrive(&p, 1, 0);
    tick(&p, ORDERED);
    admit_all(&p, 0);
    write_bank(&p, 1u << ROW, 0);
    tick(&p, GONE);
    leave(&p);
    const size_t len = request(frame, SLUICE_TABLE_TAKE, true, MOST_ENTRIES, NULL);
    assert_true(sluice_checker_may_refuse(p.ck, frame, len));
    if (what == HALF || what == FORGOTTEN) show_marks(&p, 1, true);
    if (what == TAKEN) show_marks(&p, MOST_ENTRIES, true);
    assert_int_equal(sluice_checker_counted(p.ck, p.now, p.now, frame, len, refused), !refused);
    memcpy(answer, frame, len);
    answer[53] = refused ? SLUICE_CHAIN_REFUSED : SLUICE_CHAIN_ANSWER;
    sluice_checker_answer(p.ck, p.now, answer, refused ? len : sizeof answer);
    const struct sluice_report r = done(&p, fields[what]);
    if (what == TAKEN) assert_int_equal(r.marks_compared, MOST_ENTRIES);
    if (what == REFUSED) assert_int_equal(r.marks, 0);
  }
}

// State of the bank that packets take is never refused for them: its marks come behind it.
TEST(a_write_through_the_bank_in_use_is_not_refused) {
  struct paper p;
  uint8_t frame[400];
  const struct entry e[MOST_ENTRIES] = {{{0}}};
  open_marks(&p, "marks");
  arrive(&p, 3, 0);
  tick(&p, ORDERED);
  const size_t len = request(frame, SLUICE_TABLE_STATE, false, MOST_ENTRIES, e);
  assert_false(sluice_checker_may_refuse(p.ck, frame, len));
  assert_true(sluice_checker_control(p.ck, p.now, frame, len, NULL));
  admit_all(&p, 0);
  assert_true(sluice_checker_marks_due(p.ck));
  show_marks(&p, MOST_ENTRIES, true);
  assert_false(sluice_checker_marks_due(p.ck));
  assert_int_equal(done(&p, NULL).marks_written, MOST_ENTRIES);
}

// An answer with a wrong word: of an entry both are told, of a row the two that differ.
TEST(a_wrong_word_of_an_answer_is_named) {
  static const struct {
    enum sluice_table table;
    unsigned word;
    const char *field;
  } cases[] = {
      {SLUICE_TABLE_STATE, 0, "answer of stage 0, row 5 index 2"},
      {SLUICE_TABLE_STATE, 1, "answer of stage 0, row 5 index 2"},
      {SLUICE_TABLE_STATE_ROW, 0, "answer of stage 0, row 5 index 2, words 0 and 1"},
      {SLUICE_TABLE_STATE_ROW, 5, "answer of stage 0, row 5 index 2, words 4 and 5"},
      {SLUICE_TABLE_STATE_ROW, 15, "answer of stage 0, row 5 index 2, words 14 and 15"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct paper p;
    struct entry e = {{0}};
    uint8_t frame[400], answer[128] = {0};
    const unsigned bytes = sluice_tables[cases[i].table].bits / 8;
    open_marks(&p, "keys16");
    for (unsigned b = 0; b < bytes; b++) e.bytes[b] = (uint8_t)(b + 1);
    size_t len = request(frame, cases[i].table, false, 1, &e);
    assert_true(sluice_checker_control(p.ck, p.now, frame, len, NULL));
    show_marks(&p, 1, true);
    len = request(frame, cases[i].table, true, 1, NULL);
    assert_true(sluice_checker_control(p.ck, p.now, frame, len, NULL));
    show_marks(&p, 1, false);
    memcpy(answer, frame, len);
    answer[53] = SLUICE_CHAIN_ANSWER;
    memcpy(answer + len, e.bytes, bytes);
    answer[len + 4 * cases[i].word] ^= 1;
    sluice_checker_answer(p.ck, p.now, answer, sizeof answer);
    assert_string_equal(done(&p, "").first.field, cases[i].field);
  }
}

// A mark that never comes; an answer that comes before it.
TEST(a_mark_that_is_missing_is_found) {
  for (unsigned answered = 0; answered < 2; answered++) {
    struct paper p;
    uint8_t frame[64], answer[128] = {0};
    open_marks(&p, "marks");
    const size_t len = request(frame, SLUICE_TABLE_STATE, true, 1, NULL);
    assert_true(sluice_checker_control(p.ck, p.now, frame, len, NULL));
    memcpy(answer, frame, len);
    answer[53] = SLUICE_CHAIN_ANSWER;
    if (answered) sluice_checker_answer(p.ck, p.now, answer, sizeof answer);
    done(&p, answered ? "its mark first" : "none, it is lost");
  }
}

// The last stage, which is the front stage here, has the engines as well.
TEST(actions_of_the_last_stage_are_left_alone) {
  enum { LAST = 2 };
  for (unsigned cuckoo = 0; cuckoo < 2; cuckoo++) {
    struct paper p;
    struct entry changed = {{0}};
    const struct entry e = cuckoo ? cuckoo_entry(2) : ternary_entry(2, 7);
    open_chip(&p, "tables");
    put(&p, cuckoo ? SLUICE_TABLE_CUCKOO : SLUICE_TABLE_TERNARY, LAST, cuckoo ? bucket(1) : ENTRY,
        &e);
    arrive(&p, 3, 0);
    tick(&p, ORDERED);
    admit_all(&p, 0);
    entry_slot(&changed, 1, instr_imm(SLUICE_OP_SET, 0, 1));
    put(&p, SLUICE_TABLE_ACTION, LAST, cuckoo ? 41 : 40, &changed);
    done(&p, cuckoo ? "driver: row 41 of stage 2" : "driver: row 40 of stage 2");
  }
}
