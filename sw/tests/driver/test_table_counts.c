// SPDX-License-Identifier: Apache-2.0
// What entries of tables count, through the library, on the reference model: beside a list of
// numbers in plain C, while entries come, go, change and move to make room.

#include <sluice/sluice.h>

#include "tests/rig/test.h"
#include "base/rng.h"
#include "base/status.h"
#include "tests/rig/line.h"
#include "tests/rig/table_rig.h"

enum { VID = 5, KEYS = 250, BASE = 0x0a000000 };

struct rig {
  struct sluice_transport model;
  struct sluice_chip *chip;
  struct sluice_rng rng;
  bool there[KEYS];
  struct sluice_table_count of[KEYS];
};

static unsigned below(struct rig *r, unsigned n) { return (unsigned)sluice_rng_below(&r->rng, n); }

static void begin(struct rig *r, uint64_t seed) {
  *r = (struct rig){.chip = NULL};
  sluice_rng_init(&r->rng, seed, "counts");
  GOOD(sluice_transport_model(&r->model, "react", NULL, &error));
  GOOD(sluice_chip_open(&r->chip, &r->model, NULL, &error));
  struct sluice_image image CLOSED_BY(sluice_image_release) = rig_image("react");
  GOOD(sluice_chip_load(r->chip, &image, VID, &error));
}
static void end(struct rig *r) {
  GOOD(sluice_chip_audit(r->chip, &error));
  sluice_chip_close(r->chip);
  sluice_transport_close(&r->model);
}

static void send(struct rig *r, unsigned key, unsigned len) {
  uint8_t bytes[200] = {0};
  static struct sluice_packet_out out;
  rig_frame(bytes, VID, BASE + key, 80);
  through(&r->model, 1, bytes, len, &out);
  if (!r->there[key]) return;
  r->of[key].packets++;
  r->of[key].bytes += len;
}

static struct sluice_table_change entry(unsigned key, enum sluice_table_op op) {
  return TABLE_CHANGE(op, VID, "host", BASE + key, UINT32_MAX, "forward", 1, key);
}

// An entry that comes begins with 0, one that is modified goes on.
static unsigned change(struct rig *r, unsigned key, bool in_order) {
  const bool gone = r->there[key] && below(r, 2);
  const struct sluice_table_change c = entry(key, gone ? SLUICE_TABLE_DELETE : SLUICE_TABLE_SET);
  const struct sluice_table_options options = {.in_order = in_order};
  struct sluice_table_report report;
  GOOD(sluice_chip_table_change(r->chip, &c, 1, &options, &report, &error));
  if (!r->there[key]) r->of[key] = (struct sluice_table_count){0, 0};
  r->there[key] = !gone;
  return report.moves;
}

// Taken out and added again in one call: it begins with 0, whatever else the call does.
static void renew(struct rig *r, unsigned key, bool in_order) {
  const unsigned other = (key + 1) % KEYS;
  struct sluice_table_change c[4] = {entry(key, SLUICE_TABLE_DELETE),
                                     entry(other, SLUICE_TABLE_SET), entry(key, SLUICE_TABLE_ADD),
                                     entry(key, SLUICE_TABLE_MODIFY)};
  const struct sluice_table_options options = {.in_order = in_order};
  if (!r->there[key] || !r->there[other]) return;
  GOOD(sluice_chip_table_change(r->chip, c, 3 + below(r, 2), &options, NULL, &error));
  r->of[key] = (struct sluice_table_count){0, 0};
}

static void expect(struct rig *r, unsigned key, const struct sluice_table_count *got) {
  if (got->packets != r->of[key].packets || got->bytes != r->of[key].bytes)
    fail_msg("key %u: %llu packets, %llu bytes, not %llu, %llu", key,
             (unsigned long long)got->packets, (unsigned long long)got->bytes,
             (unsigned long long)r->of[key].packets, (unsigned long long)r->of[key].bytes);
}

static void expect_all(struct rig *r, bool clear) {
  struct sluice_table_count counts[KEYS];
  struct sluice_table_change e;
  unsigned num, n = 0;
  GOOD(sluice_chip_table_counts(r->chip, VID, "host", clear, counts, KEYS, &num, &error));
  for (uint32_t place = 0;
       sluice_plan_table_entry(sluice_chip_plan(r->chip), VID, "host", &place, &e); n++) {
    const unsigned key = (unsigned)(e.keys[0].value - BASE);
    assert_true(n < num);
    expect(r, key, &counts[n]);
    if (clear) r->of[key] = (struct sluice_table_count){0, 0};
  }
  assert_int_equal(n, num);
}

TEST(counts_follow_entries_that_come_go_and_move) {
  static struct rig r;
  for (unsigned in_order = 0; in_order < 2; in_order++) {
    unsigned moves = 0;
    begin(&r, 7 + in_order);
    // Enough entries that some must make room for others.
    for (unsigned key = 0; key < 220; key++) moves += change(&r, key, in_order);
    for (unsigned n = 0; n < 3000; n++) {
      send(&r, below(&r, KEYS), 100 + below(&r, 100));
      if (below(&r, 10) == 0) moves += change(&r, below(&r, KEYS), in_order);
      if (below(&r, 20) == 0) renew(&r, below(&r, KEYS), in_order);
      if (below(&r, 40) == 0) {
        const unsigned key = below(&r, KEYS);
        const struct sluice_table_change e = entry(key, SLUICE_TABLE_ADD);
        struct sluice_table_count one;
        if (r.there[key]) {
          GOOD(sluice_chip_table_count(r.chip, &e, false, &one, &error));
          expect(&r, key, &one);
        }
      }
      if (below(&r, 300) == 0) expect_all(&r, below(&r, 2));
    }
    expect_all(&r, true);
    expect_all(&r, false);
    printf("%u moves\n", moves);
    assert_true(moves > 5);
    end(&r);
  }
}

TEST(prefixes_count_for_themselves) {
  static struct rig r;
  struct sluice_table_count counts[3];
  unsigned num;
  begin(&r, 1);
  for (unsigned width = 8; width <= 24; width += 8) {
    const uint32_t mask = ~(UINT32_MAX >> width);
    const struct sluice_table_change c =
        TABLE_CHANGE(SLUICE_TABLE_ADD, VID, "route", BASE & mask, mask, "forward", 1, width);
    GOOD(sluice_chip_table_change(r.chip, &c, 1, NULL, NULL, &error));
    send(&r, 1, 100);
  }
  send(&r, 1, 150);
  GOOD(sluice_chip_table_counts(r.chip, VID, "route", false, counts, 3, &num, &error));
  assert_int_equal(num, 3);
  assert_int_equal(counts[0].packets, 1);
  assert_int_equal(counts[1].packets, 1);
  FIELDS_ARE(&counts[2], (packets, 2), (bytes, 250));
  end(&r);
}

// A table that is emptied and filled again in one call counts from 0, in the ternary engine as
// well; a call that fails leaves the counts.
TEST(what_is_cleared_and_added_again_begins_anew) {
  static struct rig r;
  struct sluice_table_total totals[2];
  struct sluice_table_count counts[2];
  unsigned num;
  for (unsigned in_order = 0; in_order < 2; in_order++) {
    begin(&r, 1);
    const struct sluice_table_options options = {.in_order = in_order};
    const struct sluice_table_change add = TABLE_CHANGE(
        SLUICE_TABLE_ADD, VID, "route", BASE & 0xff000000, 0xff000000, "forward", 1, 1);
    struct sluice_table_change clear = add, wrong = add;
    clear.op = SLUICE_TABLE_CLEAR;
    wrong.op = SLUICE_TABLE_MODIFY;
    wrong.keys[0].value ^= 1u << 24;
    GOOD(sluice_chip_table_change(r.chip, &add, 1, &options, NULL, &error));
    send(&r, 1, 100);
    const struct sluice_table_change fails[] = {clear, add, wrong}, again[] = {clear, add};
    assert_int_equal(sluice_chip_table_change(r.chip, fails, 3, &options, NULL, &error),
                     SLUICE_ERR_NOT_FOUND);
    GOOD(sluice_chip_table_totals(r.chip, VID, "route", totals, 2, &num, &error));
    const uint64_t serial = totals[0].serial;
    assert_int_equal(totals[0].packets, 1);
    GOOD(sluice_chip_table_change(r.chip, again, 2, &options, NULL, &error));
    send(&r, 1, 120);
    GOOD(sluice_chip_table_counts(r.chip, VID, "route", false, counts, 2, &num, &error));
    assert_int_equal(num, 1);
    FIELDS_ARE(&counts[0], (packets, 1), (bytes, 120));
    GOOD(sluice_chip_table_totals(r.chip, VID, "route", totals, 2, &num, &error));
    assert_int_equal(totals[0].packets, 1);
    assert_true(totals[0].serial != serial);
    end(&r);
  }
}

// A line that breaks once, behind a flip: the old entry is still there beside the new one.
static const struct sluice_transport_ops *whole;
static uint32_t bank_before;
static bool breaks;
static uint32_t bank_of(void *self) {
  uint32_t bank;
  GOOD(whole->csr_read(self, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, &bank, &error));
  return bank;
}
static enum sluice_status wait_or_break(void *self, uint64_t cycles, struct sluice_error *e) {
  if (!breaks || bank_of(self) == bank_before) return whole->wait(self, cycles, e);
  breaks = false;
  return sluice_fail(e, SLUICE_ERR_IO, "the line is broken");
}

// The entry goes from one place to the other and back, so each is the lower one once.
TEST(what_stands_twice_begins_anew_at_both_places) {
  static struct rig r;
  struct sluice_table_total total;
  unsigned num;
  begin(&r, 1);
  whole = r.model.ops;
  struct sluice_transport_ops breaking = *whole;
  breaking.wait = wait_or_break;
  r.model.ops = &breaking;
  const struct sluice_table_change add =
      TABLE_CHANGE(SLUICE_TABLE_ADD, VID, "route", BASE & 0xff000000, 0xff000000, "forward", 1, 1);
  struct sluice_table_change again[2] = {add, add};
  again[0].op = SLUICE_TABLE_CLEAR;
  GOOD(sluice_chip_table_change(r.chip, &add, 1, NULL, NULL, &error));
  GOOD(sluice_chip_table_totals(r.chip, VID, "route", &total, 1, &num, &error));
  for (unsigned n = 0; n < 2; n++) {
    const uint64_t serial = total.serial;
    send(&r, 1, 100);
    bank_before = bank_of(r.model.self);
    breaks = true;
    SAYS(SLUICE_ERR_IO, "the new version runs, but the old one could not be taken out",
         sluice_chip_table_change(r.chip, again, 2, NULL, NULL, &error));
    assert_false(breaks);
    GOOD(sluice_chip_table_totals(r.chip, VID, "route", &total, 1, &num, &error));
    FIELDS_ARE(&total, (packets, 0), (bytes, 0));
    assert_true(total.serial != serial);
  }
  r.model.ops = whole;
  end(&r);
}

// A change that was read from words names its table in the text of the plan, which ends with the
// plan.
TEST(what_is_read_from_words_begins_anew) {
  static struct rig r;
  struct sluice_table_count counts[2];
  const char *const words[] = {"10.0.0.0/8", "forward", "port=1", "mark=1"};
  unsigned num;
  for (unsigned in_order = 0; in_order < 2; in_order++) {
    begin(&r, 1);
    const struct sluice_table_options options = {.in_order = in_order};
    struct sluice_table_change c[2];
    GOOD(sluice_table_parse(sluice_chip_plan(r.chip), VID, "route", SLUICE_TABLE_ADD, words, 4,
                            &c[1], &error));
    GOOD(sluice_chip_table_change(r.chip, &c[1], 1, &options, NULL, &error));
    send(&r, 1, 100);
    const enum sluice_table_op out = in_order ? SLUICE_TABLE_DELETE : SLUICE_TABLE_CLEAR;
    GOOD(sluice_table_parse(sluice_chip_plan(r.chip), VID, "route", SLUICE_TABLE_ADD, words, 4,
                            &c[1], &error));
    c[0] = c[1];
    c[0].op = out;
    GOOD(sluice_chip_table_change(r.chip, c, 2, &options, NULL, &error));
    GOOD(sluice_chip_table_counts(r.chip, VID, "route", false, counts, 2, &num, &error));
    assert_int_equal(num, 1);
    assert_int_equal(counts[0].packets, 0);
    end(&r);
  }
}

TEST(the_next_client_counts_from_its_first_look_on) {
  static struct rig r;
  struct sluice_chip *second;
  struct sluice_table_count one;
  begin(&r, 1);
  for (unsigned key = 0; key < 20; key++) change(&r, key, false);
  send(&r, 3, 100);
  const struct sluice_chip_options keep = {.keep = true};
  const struct sluice_plan *plan = sluice_chip_plan(r.chip);
  const struct sluice_table_change e = entry(3, SLUICE_TABLE_ADD);
  GOOD(sluice_chip_open(&second, &r.model, &keep, &error));
  GOOD(sluice_chip_adopt(second, &plan, 1, NULL, &error));
  GOOD(sluice_chip_table_count(second, &e, false, &one, &error));
  assert_int_equal(one.packets, 0);
  send(&r, 3, 120);
  GOOD(sluice_chip_table_count(second, &e, false, &one, &error));
  FIELDS_ARE(&one, (packets, 1), (bytes, 120));
  sluice_chip_close(second);
  end(&r);
}

TEST(what_is_not_there_is_said) {
  static struct rig r;
  struct sluice_table_count one;
  unsigned num;
  begin(&r, 1);
  struct sluice_table_change e = entry(3, SLUICE_TABLE_ADD);
  SAYS(SLUICE_ERR_NOT_FOUND, "table 'host' of module 5 has no such entry",
       sluice_chip_table_count(r.chip, &e, false, &one, &error));
  e.table = "hosts";
  SAYS(SLUICE_ERR_RANGE, "no table", sluice_chip_table_count(r.chip, &e, false, &one, &error));
  SAYS(SLUICE_ERR_RANGE, "VLAN id 6",
       sluice_chip_table_counts(r.chip, 6, "host", false, &one, 1, &num, &error));
  end(&r);
}
