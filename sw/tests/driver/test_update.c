// SPDX-License-Identifier: Apache-2.0
// Updates on a chip with two banks (the reference model), with packets between any two operations,
// bad control lines, a client that dies at each operation, a chip that is reset. A packet must be
// treated by one version, whole, and after any end the chip must run the old version or the new
// one.

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "tests/rig/chip_rig.h"
#include "driver/plan/plan.h"
#include "base/status.h"
#include "tests/rig/line.h"
#include "transport/filter.h"
#include "tests/rig/scarce.h"

// A version writes its number into the packet at both ends of what it may write, counts in `seen`,
// and version 2 counts in an array of its own as well, from 500 on.
static struct sluice_image *version(unsigned number) {
  char text[800];
  snprintf(text, sizeof text,
           "struct Packet { int in @ meta.port_in; int out @ meta.port_out; int low @ bytes(46, "
           "2); int seq @ bytes(48, 4);\n"
           "                int own @ bytes(52, 4); int high @ bytes(80, 2); };\n"
           "int seen = 0;\n%svoid f(struct Packet p) { seen = seen + 1; p.seq = seen; %s p.low = "
           "%u; p.high = %u; p.out = p.in ^ 1; }\n",
           number == 2 ? "int own = 500;\n" : "", number == 2 ? "own = own + 1; p.own = own;" : "",
           number, number);
  return compiled_text(text, "banks");
}

// ---- a chip with traffic ------------------------------------------------------------------------

enum fault { NONE, DIES, DIES_LATE, STUMBLES, STUMBLES_LATE, RESETS };
struct rig {
  struct sluice_filter line;
  unsigned long op, fault_at;
  enum fault fault;
  bool traffic, broken;
  unsigned version, flips;  // of VLAN 3, as its packets say
  uint32_t seq[2], own;     // that the last packets had: of VLAN 3 and 4; of version 2
  // What the model, which holds no packet, never does.
  uint32_t inside[2];  // bits of CHIP.INSIDE_BANK0 and 1 for so many reads
  unsigned inside_reads;
  unsigned bank_refusals;  // writes of CHIP.BANK that are refused
  uint32_t recalled;       // bits of CHIP.RECALL that were ever set
};

// One packet of VLAN 3 or 4: what it says must be one version, and each count the one after the
// last.
static void send_one(struct rig *r, unsigned vid) {
  uint8_t bytes[100] = {0};
  static struct sluice_packet_out out;
  udp_head(bytes, vid);
  bytes[40] = 0x12;
  through(r->line.inner, 0, bytes, sizeof bytes, &out);
  if (out.len == 0) fail_msg("a packet of VLAN %u is lost", vid);
  const unsigned low = out.bytes[47], high = out.bytes[81];
  const uint32_t own = sluice_get32(out.bytes + 52);
  assert_int_equal(out.port, 1);
  if (low != high || (low == 2) != (own != 0))
    fail_msg("a packet of versions %u and %u, with %u in bytes 52 to 55", low, high, own);
  if (sluice_get32(out.bytes + 48) != ++r->seq[vid - 3])
    fail_msg("VLAN %u counts %u, not %u", vid, sluice_get32(out.bytes + 48), r->seq[vid - 3]);
  if (vid == 4) return;
  if (low != r->version) r->flips++;
  if (low == 2 && own != (r->version == 2 ? r->own + 1 : 501))
    fail_msg("the new array is at %u", own);
  r->version = low;
  if (low == 2) r->own = own;
}

// Before and after each operation. False: the operation is not done.
static bool enter(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct rig *r = user;
  (void)op, (void)cycles;
  if (r->traffic && !r->broken) send_one(r, 3), send_one(r, 4);
  if (++r->op == r->fault_at) {
    if (r->fault == RESETS) GOOD(r->line.inner->ops->reset(r->line.inner->self, &error));
    if (r->fault != RESETS) r->broken = true;
    return r->fault != DIES && r->fault != STUMBLES;
  }
  return !r->broken;
}
static enum sluice_status leave(void *user, enum sluice_status status, struct sluice_error *e) {
  struct rig *r = user;
  if (!r->broken) return status;
  if (r->fault == STUMBLES || r->fault == STUMBLES_LATE) r->broken = false;
  return sluice_fail(e, SLUICE_ERR_IO, "the line is broken");
}

static struct rig *rig_of(void *self) { return ((struct sluice_filter *)self)->user; }
static enum sluice_status rig_read(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *e) {
  struct rig *r = rig_of(self);
  const enum sluice_status status = sluice_filter_ops.csr_read(self, addr, value, e);
  const unsigned bank = (addr - (SLUICE_CHIP_BASE + SLUICE_CHIP_INSIDE_BANK0)) / 4;
  if (bank > 1 || status || !r->inside_reads) return status;
  *value |= r->inside[bank];
  r->inside_reads -= bank;
  return status;
}
static enum sluice_status rig_write(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *e) {
  struct rig *r = rig_of(self);
  if (addr == SLUICE_CHIP_BASE + SLUICE_CHIP_RECALL) r->recalled |= value;
  if (addr != SLUICE_CHIP_BASE + SLUICE_CHIP_BANK || !r->bank_refusals)
    return sluice_filter_ops.csr_write(self, addr, value, e);
  r->bank_refusals--;
  return sluice_fail(e, SLUICE_ERR_IO, "SLVERR");
}

// A rig around a chip whose packets are of version 1.
static struct sluice_transport rig_transport(struct rig *r, struct sluice_transport *inner) {
  *r = (struct rig){.version = 1};
  sluice_filter_init(&r->line, inner, r);
  r->line.before = enter;
  r->line.after = leave;
  r->line.ops.csr_read = rig_read;
  r->line.ops.csr_write = rig_write;
  return r->line.to;
}

// ---- a life -------------------------------------------------------------------------------------

struct life {
  struct sluice_image *one, *two;
  struct sluice_transport model, to;
  struct rig rig;
  struct sluice_chip *chip;
  struct sluice_plan *before, *after;
};

// Version 1 runs for VLAN 3 and 4, and has seen packets.
static void begin(struct life *l) {
  memset(l, 0, sizeof *l);
  l->one = version(1);
  l->two = version(2);
  assert_true(l->one && l->two);
  GOOD(sluice_transport_model(&l->model, "banks", NULL, &error));
  l->to = rig_transport(&l->rig, &l->model);
  GOOD(sluice_chip_open(&l->chip, &l->to, NULL, &error));
  GOOD(sluice_chip_load(l->chip, l->one, 3, &error));
  GOOD(sluice_chip_load(l->chip, l->one, 4, &error));
  GOOD(sluice_plan_copy(&l->before, sluice_chip_plan(l->chip), &error));
  GOOD(sluice_plan_copy(&l->after, l->before, &error));
  GOOD(sluice_plan_update(l->after, l->two, 3, &error));
  for (unsigned n = 0; n < 5; n++) send_one(&l->rig, 3), send_one(&l->rig, 4);
}

static void end(struct life *l) {
  sluice_chip_close(l->chip);
  sluice_plan_close(l->before);
  sluice_plan_close(l->after);
  sluice_image_close(l->one);
  sluice_image_close(l->two);
  sluice_transport_close(&l->model);
}

TEST(packets_see_one_version_and_arrays_go_on) {
  struct life l CLOSED_BY(end);
  struct sluice_update_report report;
  struct sluice_counters counters;
  uint32_t value;
  unsigned bank = 9;
  begin(&l);
  l.rig.traffic = true;
  assert_true(sluice_chip_bank(l.chip, 3, &bank) && bank == 0);
  GOOD(sluice_chip_update(l.chip, l.two, 3, &report, &error));
  assert_true(report.flipped && report.kept == 1 && report.filled == 1 && report.entries > 0);
  FIELDS_ARE(&l.rig, (flips, 1), (version, 2));
  assert_true(sluice_chip_bank(l.chip, 3, &bank) && bank == 1);
  assert_true(sluice_chip_bank(l.chip, 4, &bank) && bank == 0);
  assert_false(sluice_chip_bank(l.chip, 5, &bank));
  l.rig.traffic = false;
  GOOD(sluice_chip_audit(l.chip, &error));
  GOOD(sluice_chip_state_read(l.chip, 3, "seen", 0, 1, &value, &error));
  assert_int_equal(value, l.rig.seq[0]);
  value = 1000;
  GOOD(sluice_chip_state_write(l.chip, 3, "seen", 0, 1, &value, &error));
  l.rig.seq[0] = 1000;
  l.rig.traffic = true;
  // Back again, and the same version: nothing is left to do.
  GOOD(sluice_chip_update(l.chip, l.one, 3, &report, &error));
  assert_true(report.flipped && report.kept == 1 && report.filled == 0);
  assert_int_equal(l.rig.version, 1);
  const unsigned long ops = l.rig.op;
  GOOD(sluice_chip_update(l.chip, l.one, 3, &report, &error));
  assert_int_equal(report.written + report.freed + report.entries, 0);
  assert_true(l.rig.op - ops < 10);
  SAYS(SLUICE_ERR_NOT_FOUND, "VLAN id 9", sluice_chip_update(l.chip, l.one, 9, &report, &error));
  SAYS(SLUICE_ERR_RANGE, "belongs to sluice_chip_update",
       sluice_chip_write(l.chip, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, 1, &error));
  // Menshen's procedure works in either bank.
  GOOD(sluice_chip_update(l.chip, l.two, 3, NULL, &error));
  l.rig.traffic = false;
  GOOD(sluice_chip_replace(l.chip, l.two, 4, &error));
  GOOD(sluice_chip_replace(l.chip, l.one, 3, &error));
  l.rig.seq[0] = 0;
  send_one(&l.rig, 3);
  GOOD(sluice_chip_audit(l.chip, &error));
  GOOD(sluice_chip_counters(l.chip, &counters, &error));
  assert_int_equal(counters.packets, counters.copies);
}

TEST(several_modules_flip_together) {
  struct life l CLOSED_BY(end);
  struct sluice_update_report report;
  struct sluice_plan *plan CLOSED_BY(close_plan);
  begin(&l);
  GOOD(sluice_plan_update(l.after, l.two, 4, &error));
  GOOD(sluice_plan_add(l.after, l.one, 7, &error));
  GOOD(sluice_chip_update_plan(l.chip, l.after, &report, &error));
  uint32_t bank;
  GOOD(l.model.ops->csr_read(l.model.self, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, &bank, &error));
  assert_int_equal(bank, 1u << 3 | 1u << 4 | 1u << 7);
  GOOD(sluice_chip_audit(l.chip, &error));
  send_one(&l.rig, 3);
  assert_int_equal(l.rig.version, 2);
  // What an old version had is free now.
  GOOD(sluice_plan_copy(&plan, sluice_chip_plan(l.chip), &error));
  assert_null(plan->before);
  GOOD(sluice_plan_remove(plan, 7, &error));
  GOOD(sluice_chip_update_plan(l.chip, plan, &report, &error));
  GOOD(sluice_chip_audit(l.chip, &error));
}

TEST(one_bank_is_told) {
  struct sluice_transport to CLOSED_BY(sluice_transport_close);
  struct sluice_chip *chip CLOSED_BY(close_chip);
  struct sluice_image *a CLOSED_BY(close_image) = counter("alpha", 0, "tiny");
  unsigned bank;
  GOOD(sluice_transport_model(&to, "tiny", NULL, &error));
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  GOOD(sluice_chip_load(chip, a, 3, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "chip 'tiny' has one configuration bank",
       sluice_chip_update(chip, a, 3, NULL, &error));
  assert_false(sluice_chip_bank(chip, 3, &bank));
  GOOD(sluice_chip_audit(chip, &error));
}

// Packets of the old bank are inside for a while, or for ever; the register refuses the flip, for a
// while or for ever.
TEST(the_old_version_goes_when_its_packets_have_left) {
  struct life l CLOSED_BY(end);
  struct sluice_update_report report;
  uint32_t value;
  begin(&l);
  l.rig.traffic = true;
  l.rig.inside[0] = 1u << 3 | 1u << 4;
  l.rig.inside_reads = 10;
  l.rig.bank_refusals = 5;
  GOOD(sluice_chip_update(l.chip, l.two, 3, &report, &error));
  assert_true(report.drain_cycles > 10 * 64);
  assert_int_equal(l.rig.inside_reads, 0);
  // Packets of the new version, and of others, are inside all the time.
  l.rig.inside_reads = 1000000;
  l.rig.inside[0] = UINT32_MAX, l.rig.inside[1] = 1u << 4;
  GOOD(sluice_chip_update(l.chip, l.one, 3, &report, &error));
  assert_true(report.drain_cycles < 10 * 64);
  GOOD(sluice_chip_audit(l.chip, &error));
  l.rig.inside_reads = 0;
  GOOD(sluice_chip_update(l.chip, l.two, 3, &report, &error));

  l.rig.inside_reads = 1000000;
  l.rig.inside[0] = l.rig.inside[1] = UINT32_MAX;
  SAYS(SLUICE_ERR_IO, "the new version runs, but",
       sluice_chip_update(l.chip, l.one, 3, &report, &error));
  assert_true(report.flipped);
  assert_int_equal(l.rig.version, 1);
  SAYS(SLUICE_ERR_IO, "rows 00000008", sluice_chip_update(l.chip, l.two, 3, &report, &error));
  assert_false(report.flipped);
  // Nothing that packets of version 2 need was touched: the register says which bank they have.
  l.rig.traffic = false;
  assert_int_equal(sluice_chip_audit(l.chip, &error), SLUICE_ERR_DIFFERS);
  GOOD(l.model.ops->csr_read(l.model.self, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, &value, &error));
  GOOD(l.model.ops->csr_write(l.model.self, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, value ^ 1u << 3,
                              &error));
  l.rig.version = 2;
  send_one(&l.rig, 3);
  assert_int_equal(l.rig.version, 2);
  GOOD(l.model.ops->csr_write(l.model.self, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, value, &error));
  send_one(&l.rig, 3);
  l.rig.inside_reads = 0;
  GOOD(sluice_chip_update(l.chip, l.two, 3, &report, &error));
  GOOD(sluice_chip_audit(l.chip, &error));

  l.rig.traffic = true;
  l.rig.bank_refusals = 1000000;
  SAYS(SLUICE_ERR_IO, "SLVERR; the version before runs on",
       sluice_chip_update(l.chip, l.one, 3, &report, &error));
  assert_false(report.flipped);
  l.rig.bank_refusals = 0;
  l.rig.traffic = false;
  GOOD(sluice_chip_audit(l.chip, &error));
  send_one(&l.rig, 3);
  assert_int_equal(l.rig.version, 2);
}

// Indices are called home for what the chip refuses while they are away, and for nothing else.
TEST(indices_are_called_home_only_for_new_arrays) {
  struct life l CLOSED_BY(end);
  begin(&l);
  struct sluice_image *other CLOSED_BY(close_image) = version(3);
  l.rig.recalled = 0;
  GOOD(sluice_chip_update(l.chip, other, 3, NULL, &error));
  assert_int_equal(l.rig.recalled, 0);
  GOOD(sluice_chip_update(l.chip, l.two, 3, NULL, &error));
  assert_int_equal(l.rig.recalled, 1u << 3);
  send_one(&l.rig, 3);
}

// ---- faults -------------------------------------------------------------------------------------

// Another client takes the chip over. It must be one of the two versions, whole, at once and
// afterwards.
static unsigned take_over(struct life *l) {
  const struct sluice_plan *const plans[] = {l->before, l->after};
  const struct sluice_chip_options options = {.chip = "banks", .keep = true};
  const uint32_t old_seq = l->rig.seq[0];
  unsigned which = 9;
  l->rig.broken = false;
  l->rig.fault_at = 0;
  send_one(&l->rig, 3), send_one(&l->rig, 4);
  const unsigned runs = l->rig.version;
  sluice_chip_close(l->chip);
  l->chip = NULL;
  GOOD(sluice_chip_open(&l->chip, &l->to, &options, &error));
  l->rig.traffic = true;
  GOOD(sluice_chip_adopt(l->chip, plans, 2, &which, &error));
  l->rig.traffic = false;
  assert_int_equal(which + 1, runs);
  assert_int_equal(l->rig.version, runs);
  assert_true(l->rig.seq[0] > old_seq);
  GOOD(sluice_chip_audit(l->chip, &error));
  return runs;
}

TEST(a_client_that_dies_leaves_the_old_version_or_the_new_one) {
  unsigned old = 0, new = 0;
  for (enum fault fault = DIES; fault <= DIES_LATE; fault++) {
    bool died = true;
    for (unsigned long n = 1; died; n++) {
      struct life l CLOSED_BY(end);
      begin(&l);
      l.rig.fault = fault;
      l.rig.fault_at = l.rig.op + n;
      l.rig.traffic = true;
      const enum sluice_status status = sluice_chip_update(l.chip, l.two, 3, NULL, &error);
      l.rig.traffic = false;
      died = l.rig.broken;
      l.rig.fault_at = 0;
      assert_true(died == (status != SLUICE_OK));
      if (died && take_over(&l) == 1) {
        old++;
        GOOD(sluice_chip_update(l.chip, l.two, 3, NULL, &error));
      } else if (died) {
        new ++;
      }
      send_one(&l.rig, 3);
      assert_int_equal(l.rig.version, 2);
      GOOD(sluice_chip_audit(l.chip, &error));
    }
  }
  print_message("%u deaths before the flip, %u after it\n", old, new);
  assert_true(old > 40 && new > 10);
}

// One operation fails, and the line works again: the call says what is true, and the next one puts
// the rest right.
TEST(a_line_that_stumbles_is_overcome) {
  unsigned failed = 0, unknown = 0, late = 0;
  for (enum fault fault = STUMBLES; fault <= STUMBLES_LATE; fault++) {
    bool there = true;
    for (unsigned long n = 1; there; n++) {
      struct life l CLOSED_BY(end);
      struct sluice_update_report report;
      begin(&l);
      l.rig.fault = fault;
      l.rig.fault_at = l.rig.op + n;
      l.rig.traffic = true;
      const enum sluice_status status = sluice_chip_update(l.chip, l.two, 3, &report, &error);
      there = l.rig.op >= l.rig.fault_at;
      l.rig.fault_at = 0;
      const bool guess = status && strstr(error.text, "the next call finds out") != NULL;
      send_one(&l.rig, 3);
      if (!guess) assert_int_equal(l.rig.version, report.flipped ? 2 : 1);
      if (!status) assert_true(report.flipped);
      failed += status != SLUICE_OK;
      unknown += guess;
      late += status && report.flipped;
      // What was taken back is gone at once.
      if (status && !report.flipped && !guess) {
        l.rig.traffic = false;
        GOOD(sluice_chip_audit(l.chip, &error));
        l.rig.traffic = true;
      }
      uint32_t value;
      if (n % 2) GOOD(sluice_chip_state_read(l.chip, 4, "seen", 0, 1, &value, &error));
      // Another change begins with what is left, and leaves the version as it is.
      const unsigned runs = l.rig.version;
      GOOD(sluice_chip_load(l.chip, l.one, 7, &error));
      send_one(&l.rig, 3);
      assert_int_equal(l.rig.version, runs);
      GOOD(sluice_chip_update(l.chip, l.two, 3, &report, &error));
      send_one(&l.rig, 3);
      assert_int_equal(l.rig.version, 2);
      l.rig.traffic = false;
      GOOD(sluice_chip_audit(l.chip, &error));
    }
  }
  print_message("%u updates failed: %u after the flip, %u did not know\n", failed, late, unknown);
  assert_true(failed > 40 && late > 5 && unknown > 0);
}

TEST(a_reset_is_noticed) {
  unsigned loaded = 0, whole = 0, flipped = 0;
  bool there = true;
  for (unsigned long n = 1; there; n++) {
    struct life l CLOSED_BY(end);
    struct sluice_update_report report;
    uint32_t value;
    begin(&l);
    l.rig.fault = RESETS;
    l.rig.fault_at = l.rig.op + n;
    const enum sluice_status status = sluice_chip_update(l.chip, l.two, 3, &report, &error);
    there = l.rig.op >= l.rig.fault_at;
    l.rig.fault_at = 0;
    if (there && !status) whole++;
    if (status) {
      assert_non_null(strstr(error.text, "were loaded anew"));
      loaded++;
      flipped += report.flipped;
      l.rig.seq[0] = l.rig.seq[1] = 0;
      send_one(&l.rig, 3), send_one(&l.rig, 4);
      assert_int_equal(l.rig.version, report.flipped ? 2 : 1);
    }
    // Whenever it was noticed, it is told, and the chip is as the handle says afterwards.
    if (sluice_chip_replace(l.chip, l.two, 3, &error)) {
      assert_non_null(strstr(error.text, "the chip was reset"));
      GOOD(sluice_chip_replace(l.chip, l.two, 3, &error));
    }
    GOOD(sluice_chip_state_read(l.chip, 3, "own", 0, 1, &value, &error));
    assert_int_equal(value, 500);
    GOOD(sluice_chip_audit(l.chip, &error));
  }
  print_message("%u resets noticed, %u of them after the flip; %u not within the update\n", loaded,
                flipped, whole);
  assert_true(loaded - flipped > 20 && flipped > 20);
}

// ---- a bad control line -------------------------------------------------------------------------

struct verdicts {
  unsigned good, told;
};

static void update_over(double lose, double twice, double swap, double damaged, uint64_t seed,
                        struct verdicts *v) {
  struct life l;
  struct bad_line *line = calloc(1, sizeof *line);
  struct sluice_transport bad;
  struct sluice_update_report report;
  begin(&l);
  line->inner = &l.to;
  sluice_rng_init(&line->rng, seed, "bad line");
  bad = bad_transport(line);
  // The same chip over the bad line, taken over while it is sound.
  const struct sluice_plan *const plans[] = {l.before};
  const struct sluice_chip_options options = {.keep = true};
  sluice_chip_close(l.chip);
  GOOD(sluice_chip_open(&l.chip, &bad, &options, &error));
  sluice_chip_together(l.chip, seed % 2 == 0);
  GOOD(sluice_chip_adopt(l.chip, plans, 1, NULL, &error));
  for (unsigned step = 0; step < 4; step++) {
    line->lose = lose, line->twice = twice, line->swap = swap, line->damage = damaged;
    // A damaged packet may change state that the chip cannot be asked for: it is compared where
    // nothing is damaged.
    l.rig.traffic = damaged == 0;
    const enum sluice_status status =
        sluice_chip_update(l.chip, step % 2 ? l.one : l.two, 3, &report, &error);
    l.rig.traffic = false;
    line->lose = line->twice = line->swap = line->damage = 0;
    line->late_len = line->held_len = 0;
    if (status) v->told++;
    else v->good++;
    if (status && damaged > 0) break;
    if (status) fail_msg("seed %llu, step %u: %s", (unsigned long long)seed, step, error.text);
    assert_true(report.flipped);
    if (sluice_chip_audit(l.chip, &error))
      fail_msg("seed %llu, step %u: said to be done, but %s", (unsigned long long)seed, step,
               error.text);
    if (damaged == 0) send_one(&l.rig, 3);
    if (damaged == 0) assert_int_equal(l.rig.version, step % 2 ? 1 : 2);
  }
  end(&l);
  free(line);
}

TEST(a_bad_line_is_overcome_or_told) {
  static const double shares[] = {0.01, 0.1, 0.5};
  static const char *const names[] = {"lost", "doubled", "swapped", "damaged", "all of it"};
  for (unsigned s = 0; s < 3; s++) {
    struct verdicts v[5] = {{0, 0}};
    const double p = shares[s];
    for (uint64_t seed = 1; seed <= 5; seed++) {
      update_over(p, 0, 0, 0, seed, &v[0]);
      update_over(0, p, 0, 0, seed, &v[1]);
      update_over(0, 0, p, 0, seed, &v[2]);
      update_over(0, 0, 0, p, seed, &v[3]);
      update_over(p / 4, p / 4, p / 4, p / 4, seed, &v[4]);
    }
    for (unsigned k = 0; k < 5; k++) {
      print_message("%2.0f %% %s: %u updates as wanted, %u lives ended with an error\n", p * 100,
                    names[k], v[k].good, v[k].told);
      assert_true(k == 3 || k == 4 || v[k].good == 20);
    }
  }
}

// ---- memory -------------------------------------------------------------------------------------

TEST(every_allocation_fails_once) {
  struct scarce scarce = {.until = 0};
  const struct sluice_alloc alloc = {scarce_resize, &scarce};
  const struct sluice_chip_options options = {.alloc = &alloc};
  bool failed = true;
  long n = 1;
  for (; failed; n++) {
    struct life l CLOSED_BY(end);
    begin(&l);
    sluice_chip_close(l.chip);
    scarce.until = 0;
    GOOD(sluice_chip_open(&l.chip, &l.to, &options, &error));
    GOOD(sluice_chip_load(l.chip, l.one, 3, &error));
    GOOD(sluice_chip_load(l.chip, l.one, 4, &error));
    l.rig.seq[0] = l.rig.seq[1] = 0;
    l.rig.traffic = true;
    struct sluice_update_report report;
    scarce.until = n;
    const enum sluice_status status = sluice_chip_update(l.chip, l.two, 3, &report, &error);
    failed = scarce.until == 0;
    scarce.until = 0;
    if (failed) assert_int_equal(status, SLUICE_ERR_NOMEM);
    send_one(&l.rig, 3);
    assert_int_equal(l.rig.version, report.flipped ? 2 : 1);
    GOOD(sluice_chip_update(l.chip, l.two, 3, NULL, &error));
    l.rig.traffic = false;
    send_one(&l.rig, 3);
    assert_int_equal(l.rig.version, 2);
    GOOD(sluice_chip_audit(l.chip, &error));
  }
  print_message("%ld allocations, each failed once\n", n - 2);
  assert_true(n > 10);
}
