// SPDX-License-Identifier: Apache-2.0
// Guarded flips by the driver, on the reference model as a chip: a flip happens if and only if what
// is watched was not accessed since the cut; what is in front of the order point is not guarded;
// every operation fails once. And the registers themselves.
#include <sluice/transaction.h>

#include "tests/rig/test.h"
#include "tests/rig/chip_rig.h"
#include "tests/rig/line.h"
#include "transport/filter.h"

enum { VID = 3, OTHER = 5, ENTRIES = 40 };
static const unsigned vid = VID;

// Each packet counts in count[i] and, if it says so, in the scalar; it carries both malleables.
// `limit` is read behind the arrays, `key` by the parser.
static const char text[] = "struct Packet { int in @ meta.port_in; int out @ meta.port_out; int i "
                           "@ bytes(46, 2); int j @ bytes(48, 2); int limit @ bytes(50, 2); };\n"
                           "malleable int limit = 7 in 0..1000;\n"
                           "malleable field key = p.i among { p.i, p.j };\n"
                           "int count[40] = {0};\n"
                           "void f(struct Packet p) { count[key] += 1; p.limit = count[key] > "
                           "limit; p.out = p.in ^ 1; }\n";

struct rig {
  struct sluice_image *image;
  struct sluice_transport model, to;
  struct sluice_filter line;
  struct sluice_chip *chip;
  unsigned long ops, fault_at;
  bool late;             // the operation that fails was done
  unsigned asked, cuts;  // by `ask`
  int touch[2];          // what `ask` accesses behind its cut; -1: nothing
};

static bool enter(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct rig *r = user;
  (void)op, (void)cycles;
  return ++r->ops != r->fault_at || r->late;
}
static enum sluice_status leave(void *user, enum sluice_status status, struct sluice_error *e) {
  const struct rig *r = user;
  if (r->ops != r->fault_at) return status;
  return sluice_fail(e, SLUICE_ERR_IO, "operation %lu fails", r->ops);
}

static void begin(struct rig *r, const char *chip) {
  memset(r, 0, sizeof *r);
  r->touch[0] = r->touch[1] = -1;
  r->image = compiled_text(text, chip);
  assert_non_null(r->image);
  GOOD(sluice_transport_model(&r->model, chip, NULL, &error));
  sluice_filter_init(&r->line, &r->model, r);
  r->line.before = enter;
  r->line.after = leave;
  r->to = r->line.to;
  GOOD(sluice_chip_open(&r->chip, &r->to, NULL, &error));
  GOOD(sluice_chip_load(r->chip, r->image, VID, &error));
  GOOD(sluice_chip_load(r->chip, r->image, OTHER, &error));
}
static void end(struct rig *r) {
  r->fault_at = 0;
  GOOD(sluice_chip_audit(r->chip, &error));
  sluice_chip_close(r->chip);
  sluice_image_close(r->image);
  sluice_transport_close(&r->model);
}

// Whether the packet found more than the limit.
static bool send_of(struct rig *r, unsigned of, unsigned i) {
  static struct sluice_packet_out out;
  uint8_t bytes[100] = {0};
  udp_head(bytes, of);
  bytes[47] = (uint8_t)i;
  bytes[49] = ENTRIES - 1;
  through(&r->model, 0, bytes, sizeof bytes, &out);
  assert_true(out.len != 0);
  return out.bytes[51];
}
static bool send(struct rig *r, unsigned i) { return send_of(r, VID, i); }

// Entries 10 to 13 from now on.
static uint32_t watch_and_cut(struct rig *r) {
  const struct sluice_cut_part part = {.array = "count", .first = 10, .num = 4};
  uint32_t ticket;
  GOOD(sluice_chip_watch(r->chip, VID, &part, 1, &error));
  GOOD(sluice_chip_cut_begin(r->chip, &vid, 1, &ticket, &error));
  GOOD(sluice_chip_cut_end(r->chip, &error));
  return ticket;
}

static enum sluice_status ask(void *user, struct sluice_error *e) {
  struct rig *r = user;
  r->asked++;
  enum sluice_status status = sluice_chip_cut_begin(r->chip, &vid, 1, NULL, e);
  if (!status) status = sluice_chip_cut_end(r->chip, e);
  if (!status && r->touch[0] >= 0) (void)send(r, (unsigned)r->touch[0]);
  return status;
}

static enum sluice_status set(struct rig *r, const char *name, int value, const char *choice,
                              uint32_t since, bool asks, struct sluice_update_report *report) {
  const struct sluice_setting s = {.vid = VID, .name = name, .value = value, .choice = choice};
  const struct sluice_transaction t = {.settings = &s,
                                       .num_settings = 1,
                                       .check = asks ? ask : NULL,
                                       .user = r,
                                       .guard = true,
                                       .since = since};
  r->asked = 0;
  return sluice_chip_transact(r->chip, &t, NULL, report, &error);
}

// ---- the driver ---------------------------------------------------------------------------------

TEST(what_is_untouched_flips) {
  struct rig r CLOSED_BY(end);
  struct sluice_update_report report;
  begin(&r, "react");
  const uint32_t since = watch_and_cut(&r);
  // Entries beside it, and the same entry of another module.
  for (unsigned i = 0; i < ENTRIES; i++)
    if (i < 10 || i > 13) (void)send(&r, i);
  (void)send_of(&r, OTHER, 11);
  GOOD(set(&r, "limit", 0, NULL, since, true, &report));
  assert_true(report.flipped && report.guarded && !report.touched && !r.asked);
  assert_true(report.drain_cycles > 0);
  assert_true(send(&r, 30));
}

TEST(what_is_touched_does_not) {
  for (unsigned entry = 10; entry <= 13; entry++) {
    struct rig r CLOSED_BY(end);
    struct sluice_update_report report;
    begin(&r, "react");
    uint32_t since = watch_and_cut(&r);
    (void)send(&r, entry);
    SAYS(SLUICE_ERR_DIFFERS, "accessed between the cut and the flip",
         set(&r, "limit", 0, NULL, since, false, &report));
    assert_true(!report.flipped && report.guarded && report.touched);
    assert_false(send(&r, 30));
    GOOD(sluice_chip_audit(r.chip, &error));
    // Another cut is asked for, and the flip comes behind it.
    since = watch_and_cut(&r);
    (void)send(&r, entry);
    GOOD(set(&r, "limit", 0, NULL, since, true, &report));
    assert_true(report.flipped && report.guarded && !report.touched && r.asked == 1);
    assert_true(send(&r, 30));
    // Touched once more, behind that.
    since = watch_and_cut(&r);
    (void)send(&r, entry);
    r.touch[0] = (int)entry;
    SAYS(SLUICE_ERR_DIFFERS, "accessed", set(&r, "limit", 9, NULL, since, true, &report));
    assert_true(!report.flipped && report.touched && r.asked == 1);
    assert_true(send(&r, 30));
  }
}

// A word that is written from outside, and a cut of somebody else.
TEST(others_are_noticed) {
  struct rig r CLOSED_BY(end);
  struct sluice_update_report report;
  const uint32_t value = 5;
  begin(&r, "react");
  uint32_t since = watch_and_cut(&r);
  GOOD(sluice_chip_state_write(r.chip, VID, "count", 12, 1, &value, &error));
  SAYS(SLUICE_ERR_DIFFERS, "accessed", set(&r, "limit", 0, NULL, since, false, &report));
  since = watch_and_cut(&r);
  GOOD(sluice_chip_state_write(r.chip, VID, "count", 20, 1, &value, &error));
  GOOD(set(&r, "limit", 0, NULL, since, false, &report));
  since = watch_and_cut(&r);
  (void)send(&r, 1);
  GOOD(ask(&r, &error));
  SAYS(SLUICE_ERR_DIFFERS, "accessed", set(&r, "limit", 3, NULL, since, false, &report));
}

// What the parser reads is in front of the order point: the check, then a plain flip.
TEST(what_is_in_front_is_not_guarded) {
  struct rig r CLOSED_BY(end);
  struct sluice_update_report report;
  begin(&r, "react");
  const uint32_t since = watch_and_cut(&r);
  (void)send(&r, 11);
  GOOD(set(&r, "key", 0, "j", since, true, &report));
  assert_true(report.flipped && !report.guarded && r.asked == 1);
}

TEST(a_chip_without_says_so) {
  struct rig r CLOSED_BY(end);
  const struct sluice_cut_part part = {.array = "count", .first = 10, .num = 4};
  begin(&r, "banks");
  SAYS(SLUICE_ERR_UNSUPPORTED, "has no guarded flips",
       sluice_chip_watch(r.chip, VID, &part, 1, &error));
}

// Every operation of the call fails once, done or not. Then the old version runs or the new one,
// and the next call goes as ever.
TEST(every_operation_fails_once) {
  unsigned failed = 0, flipped = 0;
  for (unsigned late = 0; late < 2; late++) {
    bool over = false;
    for (unsigned long n = 1; !over; n++) {
      struct rig r CLOSED_BY(end);
      struct sluice_update_report report;
      begin(&r, "react");
      uint32_t since = watch_and_cut(&r);
      r.late = late;
      r.fault_at = r.ops + n;
      const unsigned long last = r.fault_at;
      const enum sluice_status status = set(&r, "limit", 0, NULL, since, true, &report);
      over = r.ops < last;
      r.fault_at = 0;
      failed += status != SLUICE_OK;
      since = watch_and_cut(&r);
      GOOD(set(&r, "limit", 1, NULL, since, true, &report));
      flipped += report.flipped;
      (void)send(&r, 30);
      assert_true(send(&r, 30));
    }
  }
  print_message("%u failed\n", failed);
  assert_true(failed > 20 && flipped > failed);
}

// ---- registers ----------------------------------------------------------------------------------

static enum sluice_status put(struct rig *r, unsigned offset, uint32_t value) {
  return r->model.ops->csr_write(r->model.self, SLUICE_FLIP_BASE + offset, value, &error);
}
static uint32_t get(struct rig *r, uint32_t addr) {
  uint32_t value = 0;
  GOOD(r->model.ops->csr_read(r->model.self, addr, &value, &error));
  return value;
}
#define REFUSED(BANK) SAYS(SLUICE_ERR_IO, "SLVERR", put(&r, SLUICE_FLIP_BANK, BANK))

TEST(registers_do_what_the_page_says) {
  struct rig r CLOSED_BY(end);
  begin(&r, "react");
  assert_int_equal(get(&r, SLUICE_FLIP_BASE + SLUICE_FLIP_WATCH), 1);
  REFUSED(8);  // no cut
  const uint32_t since = watch_and_cut(&r);
  assert_int_equal(get(&r, SLUICE_FLIP_BASE + SLUICE_FLIP_STATUS), 1);
  (void)send(&r, 0);
  GOOD(put(&r, SLUICE_FLIP_SINCE, since + 1));
  REFUSED(8);
  GOOD(put(&r, SLUICE_FLIP_SINCE, since));
  GOOD(put(&r, SLUICE_FLIP_BANK, 8));
  assert_int_equal(get(&r, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK), 8);
  assert_int_equal(get(&r, SLUICE_FLIP_BASE + SLUICE_FLIP_BANK), 8);
  assert_int_equal(get(&r, SLUICE_FLIP_BASE + SLUICE_FLIP_TICKET), since + 1);
  REFUSED(0);  // a flip ends it
  GOOD(put(&r, SLUICE_FLIP_WATCH + 4, 0x00050005));
  assert_int_equal(get(&r, SLUICE_FLIP_BASE + SLUICE_FLIP_WATCH + 4), 0x00050005);
  // A stage without state watches nothing.
  GOOD(put(&r, SLUICE_FLIP_WATCH + 8, 0x00050005));
  assert_int_equal(get(&r, SLUICE_FLIP_BASE + SLUICE_FLIP_WATCH + 8), 0);
  GOOD(r.model.ops->csr_write(r.model.self, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, 0, &error));
}
