// SPDX-License-Identifier: Apache-2.0
// Malleables that are set on a chip (the reference model) with packets between any two operations
// of the driver: every packet sees one set of values, also over two modules; whatever goes wrong,
// the values are the old or the new ones; state goes on. What a set costs depends on what changes,
// not on the program.

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "tests/rig/chip_rig.h"
#include "driver/plan/plan.h"
#include "base/status.h"
#include "tests/rig/line.h"
#include "transport/filter.h"
#include "tests/rig/scarce.h"

// The set's number is in an immediate, in a constant of a state instruction, and in what the parser
// chooses: bytes 60..61 of a packet hold 1, bytes 62..63 hold 2.
static struct sluice_image *program(const char *chip) {
  return compiled_text(
      "struct Packet { int in @ meta.port_in; int out @ meta.port_out; int low @ bytes(46, 2);\n"
      "  int seq @ bytes(48, 4); int mid @ bytes(52, 4); int f1 @ bytes(60, 2); int f2 @ bytes(62, "
      "2);\n"
      "  int high @ bytes(80, 2); };\n"
      "malleable int low = 1 in 1..2;\n"
      "malleable int mid = 1;\n"
      "malleable field key = p.f1 among { p.f1, p.f2 };\n"
      "int seen = 0; int last = 0;\n"
      "void f(struct Packet p) { seen = seen + 1; p.seq = seen; last = last == 77 ? 77 : mid; "
      "p.mid = last;\n"
      "  p.low = low; p.high = key; p.out = p.in ^ 1; }\n",
      chip);
}

// ---- a line with packets ------------------------------------------------------------------------

struct rig {
  struct sluice_filter line;
  unsigned long op, fault_at;
  bool traffic, broken, may_lose, tolerant, stumbles;
  unsigned set[2];        // of VLAN 3 and 4, as packets say
  unsigned mixed, order;  // packets with a mixture; with an older set behind a newer one
  unsigned flips;
  uint32_t seq[2], lost;
};

static void send_one(struct rig *r, unsigned vid) {
  uint8_t bytes[100] = {0};
  static struct sluice_packet_out out;
  udp_head(bytes, vid);
  bytes[40] = 0x12;
  bytes[61] = 1, bytes[63] = 2;
  through(r->line.inner, 0, bytes, sizeof bytes, &out);
  if (!out.len) {
    if (!r->may_lose) fail_msg("a packet of VLAN %u is lost", vid);
    r->lost++;
    return;
  }
  const unsigned low = out.bytes[47], mid = sluice_get32(out.bytes + 52), high = out.bytes[81];
  if (low != mid || low != high) {
    if (!r->tolerant) fail_msg("a packet with low %u, mid %u, high %u", low, mid, high);
    r->mixed++;
  }
  if (sluice_get32(out.bytes + 48) != ++r->seq[vid - 3])
    fail_msg("VLAN %u counts %u, not %u", vid, sluice_get32(out.bytes + 48), r->seq[vid - 3]);
  if (low != r->set[vid - 3]) r->flips++;
  r->set[vid - 3] = low;
}

// Both modules change at one moment: of two packets, one behind the other, the later one never has
// an older set.
static void send_pair(struct rig *r) {
  const unsigned from = r->set[0];
  send_one(r, 3);
  const bool changed = r->set[0] != from;
  send_one(r, 4);
  if (changed && r->set[1] != r->set[0]) r->order++;
}

static bool enter(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct rig *r = user;
  (void)op, (void)cycles;
  if (r->traffic && !r->broken) send_pair(r);
  if (++r->op == r->fault_at) r->broken = true;
  return !r->broken;
}
static enum sluice_status leave(void *user, enum sluice_status status, struct sluice_error *e) {
  struct rig *r = user;
  if (!r->broken) return status;
  if (r->stumbles) r->broken = false;
  return sluice_fail(e, SLUICE_ERR_IO, "the line is broken");
}
// A rig around a chip whose packets say 1.
static struct sluice_transport rig_transport(struct rig *r, struct sluice_transport *inner) {
  *r = (struct rig){.set = {1, 1}};
  sluice_filter_init(&r->line, inner, r);
  r->line.before = enter;
  r->line.after = leave;
  return r->line.to;
}

struct life {
  struct sluice_transport model, to;
  struct rig rig;
  struct sluice_chip *chip;
};

static void begin(struct life *l, const char *chip, const struct sluice_alloc *alloc) {
  const struct sluice_chip_options options = {.alloc = alloc};
  struct sluice_image *image = program(chip);
  memset(l, 0, sizeof *l);
  assert_non_null(image);
  GOOD(sluice_transport_model(&l->model, chip, NULL, &error));
  l->to = rig_transport(&l->rig, &l->model);
  GOOD(sluice_chip_open(&l->chip, &l->to, &options, &error));
  GOOD(sluice_chip_load(l->chip, image, 3, &error));
  GOOD(sluice_chip_load(l->chip, image, 4, &error));
  sluice_image_close(image);
  for (unsigned n = 0; n < 3; n++) send_pair(&l->rig);
}

static void end(struct life *l) {
  sluice_chip_close(l->chip);
  sluice_transport_close(&l->model);
}

// Both modules to a set, in one transaction.
static enum sluice_status set_both(struct life *l, unsigned number,
                                   struct sluice_update_report *report) {
  struct sluice_setting set[6];
  for (unsigned m = 0; m < 2; m++) {
    set[3 * m] = (struct sluice_setting){.vid = 3 + m, .name = "low", .value = number};
    set[3 * m + 1] = (struct sluice_setting){.vid = 3 + m, .name = "mid", .value = number};
    set[3 * m + 2] =
        (struct sluice_setting){.vid = 3 + m, .name = "key", .choice = number == 1 ? "f1" : "p.f2"};
  }
  return sluice_chip_set_params(l->chip, set, 6, report, &error);
}

// ---- what is promised ---------------------------------------------------------------------------

TEST(packets_see_one_set) {
  struct life l CLOSED_BY(end);
  struct sluice_update_report report;
  struct sluice_param_info p;
  begin(&l, "banks", NULL);
  l.rig.traffic = true;
  for (unsigned n = 0; n < 50; n++) {
    const unsigned flips = l.rig.flips;
    GOOD(set_both(&l, 1 + !(n % 2), &report));
    assert_true(report.flipped && report.filled == 0 && report.kept == 4);
    FIELDS_ARE(&l.rig, (flips, flips + 2), (order, 0));
  }
  l.rig.traffic = false;
  send_pair(&l.rig);
  GOOD(sluice_chip_audit(l.chip, &error));
  assert_true(sluice_plan_param(sluice_chip_plan(l.chip), 3, 0, &p));
  assert_string_equal(p.name, "low");
  assert_true(p.low == 1 && p.high == 2 && p.value == 1);
  assert_true(sluice_plan_param(sluice_chip_plan(l.chip), 4, 2, &p) && p.num_choices == 2);
  assert_string_equal(sluice_plan_param_choice(sluice_chip_plan(l.chip), 4, 2, 1), "f2");
  assert_false(sluice_plan_param(sluice_chip_plan(l.chip), 3, 3, &p));
}

// The check above finds a driver that sets them one after the other.
TEST(malleables_that_do_not_flip_together_are_found) {
  struct life l CLOSED_BY(end);
  begin(&l, "banks", NULL);
  l.rig.traffic = l.rig.tolerant = true;
  const struct sluice_setting set[2] = {{.vid = 3, .name = "low", .value = 2},
                                        {.vid = 3, .name = "mid", .value = 2}};
  for (unsigned i = 0; i < 2; i++) GOOD(sluice_chip_set_params(l.chip, &set[i], 1, NULL, &error));
  assert_true(l.rig.mixed > 0 && l.rig.order > 0);
}

TEST(one_bank_drops_packets_and_mixes_none) {
  struct life l CLOSED_BY(end);
  begin(&l, "tiny", NULL);
  l.rig.traffic = l.rig.may_lose = true;
  for (unsigned n = 0; n < 6; n++) GOOD(set_both(&l, 1 + !(n % 2), NULL));
  assert_true(l.rig.lost > 0);
  l.rig.may_lose = l.rig.traffic = false;
  send_pair(&l.rig);
  assert_int_equal(l.rig.set[0], 1);
  GOOD(sluice_chip_audit(l.chip, &error));
}

TEST(wrong_settings_change_nothing) {
  static const struct {
    struct sluice_setting set;
    const char *says;
  } wrong[] = {{{.vid = 9, .name = "low", .value = 1}, "has VLAN id 9"},
               {{.vid = 3, .name = "lower", .value = 1}, "no malleable 'lower'"},
               {{.vid = 3, .name = "low", .value = 3}, "legal is 1..2"},
               {{.vid = 3, .name = "low", .choice = "f1"}, "is a value"},
               {{.vid = 3, .name = "key", .choice = "f3"}, "these are: f1, f2"},
               {{.vid = 3, .name = "key", .value = 2}, "legal is 0..1"}};
  struct life l CLOSED_BY(end);
  begin(&l, "banks", NULL);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const struct sluice_setting set[2] = {{.vid = 4, .name = "mid", .value = 2}, wrong[i].set};
    const unsigned long ops = l.rig.op;
    SAYS(i < 2 ? SLUICE_ERR_NOT_FOUND : SLUICE_ERR_RANGE, wrong[i].says,
         sluice_chip_set_params(l.chip, set, 2, NULL, &error));
    assert_true(l.rig.op - ops < 10);
  }
  send_pair(&l.rig);
  assert_true(l.rig.set[0] == 1 && l.rig.set[1] == 1);
  GOOD(sluice_chip_audit(l.chip, &error));
}

// Mantis' published compiler mirrors the first text of two writes to one entry (defect 1): the
// banks differ afterwards.
TEST(the_last_of_two_values_counts_in_both_banks) {
  struct life l CLOSED_BY(end);
  begin(&l, "banks", NULL);
  l.rig.traffic = true;
  // The seventh is not given.
  const struct sluice_setting set[7] = {
      {.vid = 3, .name = "low", .value = 1},     {.vid = 3, .name = "low", .value = 2},
      {.vid = 3, .name = "mid", .value = 70000}, {.vid = 3, .name = "mid", .value = 2},
      {.vid = 3, .name = "key", .choice = "f1"}, {.vid = 3, .name = "key", .value = 1},
      {.vid = 3, .name = "low", .value = 7}};
  GOOD(sluice_chip_set_params(l.chip, set, 6, NULL, &error));
  l.rig.traffic = false;
  send_one(&l.rig, 3);
  assert_int_equal(l.rig.set[0], 2);
  GOOD(sluice_chip_audit(l.chip, &error));  // of both banks
  // The other bank by itself, with nothing written to it: a flip and back.
  uint32_t bank;
  GOOD(l.model.ops->csr_read(l.model.self, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, &bank, &error));
  for (unsigned flip = 0; flip < 2; flip++) {
    const uint32_t other = flip ? bank : bank ^ 1u << 3;
    GOOD(l.model.ops->csr_write(l.model.self, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, other, &error));
    send_one(&l.rig, 3);
    assert_int_equal(l.rig.set[0], 2);
  }
}

// An entry that somebody has set by hand stays what it is where no malleable is.
TEST(entries_set_by_hand_stay) {
  struct life l CLOSED_BY(end);
  uint8_t module[SLUICE_ENTRY_BYTES], after[SLUICE_ENTRY_BYTES];
  begin(&l, "banks", NULL);
  const unsigned len = (sluice_tables[SLUICE_TABLE_DEPARSER].bits + 7) / 8;
  GOOD(sluice_chip_entry_read(l.chip, 3, "DEPARSER", 0, 0, module, len, &error));
  module[len - 1] ^= 2;  // an action that is not in use
  GOOD(sluice_chip_entry_write(l.chip, 3, "DEPARSER", 0, 0, module, len, &error));
  GOOD(set_both(&l, 2, NULL));
  GOOD(sluice_chip_entry_read(l.chip, 3, "DEPARSER", 0, 0, after, len, &error));
  assert_memory_equal(module, after, len);
  send_pair(&l.rig);
  assert_int_equal(l.rig.set[0], 2);
}

// ---- cost ---------------------------------------------------------------------------------------

// Control packets and operations of a set of `set` malleables in a program of `num`, each in a
// stage of its own.
static void cost(unsigned num, unsigned set, uint64_t *frames, unsigned long *ops) {
  char text[4000];
  struct life l CLOSED_BY(end);
  struct sluice_chip_line before, after;
  size_t len = (size_t)snprintf(text, sizeof text,
                                "struct Packet { int a @ bytes(46, 4); int out @ meta.port_out;\n");
  memset(&l, 0, sizeof l);
  for (unsigned i = 0; i < num; i++)
    len +=
        (size_t)snprintf(text + len, sizeof text - len, "int f%u @ bytes(%u, 2); ", i, 50 + 2 * i);
  len += (size_t)snprintf(text + len, sizeof text - len, "};\n");
  for (unsigned i = 0; i < num; i++)
    len +=
        (size_t)snprintf(text + len, sizeof text - len, "int s%u; malleable int m%u = 1;\n", i, i);
  len += (size_t)snprintf(text + len, sizeof text - len, "void f(struct Packet p) { p.out = 1;\n");
  for (unsigned i = 0; i < num; i++)
    len += (size_t)snprintf(text + len, sizeof text - len, "s%u = s%u + m%u;\n", i, i, i);
  snprintf(text + len, sizeof text - len, "}\n");
  struct sluice_image *image = compiled_text(text, "banks");
  if (!image) fail_msg("%s", text);
  GOOD(sluice_transport_model(&l.model, "banks", NULL, &error));
  l.to = rig_transport(&l.rig, &l.model);
  GOOD(sluice_chip_open(&l.chip, &l.to, NULL, &error));
  GOOD(sluice_chip_load(l.chip, image, 3, &error));
  sluice_image_close(image);
  for (unsigned round = 0; round < 3; round++) {
    struct sluice_setting settings[8];
    static const char *const names[8] = {"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"};
    for (unsigned i = 0; i < set; i++)
      settings[i] = (struct sluice_setting){.vid = 3, .name = names[i], .value = 10 + round};
    sluice_chip_line_counts(l.chip, &before);
    const unsigned long from = l.rig.op;
    GOOD(sluice_chip_set_params(l.chip, settings, set, NULL, &error));
    sluice_chip_line_counts(l.chip, &after);
    *ops = l.rig.op - from;
    *frames = after.sent - before.sent;
  }
}

TEST(a_set_costs_what_changes) {
  uint64_t one_of_one, one_of_two, two_of_two;
  unsigned long ops[3];
  cost(1, 1, &one_of_one, &ops[0]);
  cost(2, 1, &one_of_two, &ops[1]);
  cost(2, 2, &two_of_two, &ops[2]);
  printf("a set on 'banks': 1 of 1 malleables %llu control packets (%lu operations), 1 of 2 %llu "
         "(%lu), 2 of 2 %llu\n",
         (unsigned long long)one_of_one, ops[0], (unsigned long long)one_of_two, ops[1],
         (unsigned long long)two_of_two);
  assert_int_equal(one_of_one, one_of_two);
  assert_int_equal(ops[0], ops[1]);
  // Two more: entries of two stages are read back by more questions.
  assert_true(two_of_two <= 2 * one_of_one + 2);
}

// ---- faults -------------------------------------------------------------------------------------

TEST(a_line_that_stumbles_leaves_old_or_new_values) {
  unsigned old = 0, new = 0;
  bool failed = true;
  for (unsigned long n = 1; failed; n++) {
    struct life l CLOSED_BY(end);
    struct sluice_update_report report;
    struct sluice_param_info p;
    begin(&l, "banks", NULL);
    l.rig.traffic = l.rig.stumbles = true;
    l.rig.fault_at = l.rig.op + n;
    failed = set_both(&l, 2, &report) != SLUICE_OK || l.rig.op >= l.rig.fault_at;
    l.rig.fault_at = 0;
    send_pair(&l.rig);
    const unsigned runs = l.rig.set[0];
    if (report.flipped) assert_int_equal(runs, 2);
    if (runs == 2) new ++;
    else old++;
    // The next call begins with what is left to do, and finds out what is there.
    GOOD(set_both(&l, runs, NULL));
    assert_true(sluice_plan_param(sluice_chip_plan(l.chip), 3, 0, &p));
    assert_int_equal(p.value, runs);
    GOOD(set_both(&l, 3 - runs, NULL));
    l.rig.traffic = false;
    send_pair(&l.rig);
    FIELDS_ARE(&l.rig, (set[1], 3 - runs), (order, 0));
    GOOD(sluice_chip_audit(l.chip, &error));
  }
  print_message("%u faults that left the old values, %u the new ones\n", old, new);
  assert_true(old > 5 && new > 5);
}

TEST(every_allocation_fails_once) {
  struct scarce scarce = {.until = 0};
  const struct sluice_alloc alloc = {scarce_resize, &scarce};
  bool failed = true;
  long n = 1;
  for (; failed; n++) {
    struct life l CLOSED_BY(end);
    struct sluice_update_report report = {.flipped = false};
    begin(&l, "banks", &alloc);
    l.rig.traffic = true;
    scarce.until = n;
    const enum sluice_status status = set_both(&l, 2, &report);
    failed = scarce.until == 0;
    scarce.until = 0;
    if (failed) assert_int_equal(status, SLUICE_ERR_NOMEM);
    send_pair(&l.rig);
    assert_int_equal(l.rig.set[0], report.flipped ? 2 : 1);
    GOOD(set_both(&l, 2, NULL));
    l.rig.traffic = false;
    send_pair(&l.rig);
    assert_int_equal(l.rig.set[1], 2);
    GOOD(sluice_chip_audit(l.chip, &error));
  }
  print_message("%ld allocations, each failed once\n", n - 2);
  assert_true(n > 10);
}
