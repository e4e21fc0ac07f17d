// SPDX-License-Identifier: Apache-2.0
// Cuts by the driver, on the reference model as a chip, with packets between any two operations:
// what is read is of one moment over arrays, stages and modules, where plain reads are not; every
// operation and allocation fails once; clients that die, a chip that is reset, a bad line.

#include "tests/rig/test.h"
#include "tests/rig/chip_rig.h"
#include "driver/chip/chip.h"
#include "tests/rig/line.h"
#include "transport/filter.h"
#include "tests/rig/scarce.h"

enum { ENTRIES = 40, VIDS = 2 };
static const unsigned vids[VIDS] = {3, 5};

// Every packet counts in both arrays, at places of its own in each, one stage after the other.
static struct sluice_image *twice(const char *chip) {
  return compiled_text("struct Packet { int in @ meta.port_in; int out @ meta.port_out; int i @ "
                       "bytes(46, 2); int j @ bytes(48, 2); };\n"
                       "int first[40] = 0;\nint second[40] = 0;\n"
                       "void f(struct Packet p) { first[p.i] = first[p.i] + 1; second[p.j] = "
                       "second[p.j] + 1; p.out = p.in ^ 1; }\n",
                       chip);
}

enum fault { NONE, DIES, DIES_LATE, STUMBLES, STUMBLES_LATE, RESETS };
struct rig {
  struct sluice_filter line;
  unsigned long op, fault_at;
  enum fault fault;
  bool traffic, broken;
  unsigned packets;  // of each VLAN
  uint32_t recalled, recall;
  unsigned late;  // reads of CUT_STATUS that say not ready yet; then so many behind an end that say
                  // not over yet
};

static void send_one(struct rig *r, unsigned vid) {
  static struct sluice_packet_out out;
  uint8_t bytes[100] = {0};
  udp_head(bytes, vid);
  bytes[40] = 0x12;
  bytes[47] = (uint8_t)(r->packets * 7 % ENTRIES);
  bytes[49] = (uint8_t)(r->packets * 11 % ENTRIES);
  through(r->line.inner, 0, bytes, sizeof bytes, &out);
  if (out.len == 0) fail_msg("a packet of VLAN %u is lost", vid);
}
// One packet of each VLAN.
static void send_all(struct rig *r) {
  for (unsigned n = 0; n < VIDS; n++) send_one(r, vids[n]);
  r->packets++;
}

static bool enter(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct rig *r = user;
  (void)op, (void)cycles;
  if (r->traffic && !r->broken) send_all(r);
  if (++r->op == r->fault_at) {
    if (r->fault == RESETS) GOOD(r->line.inner->ops->reset(r->line.inner->self, &error));
    if (r->fault == RESETS) r->traffic = false;  // no module is there
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
  if (status || addr != SLUICE_CHIP_BASE + SLUICE_CHIP_CUT_STATUS || !r->late) return status;
  // The model's cuts take no time; a chip's do.
  r->late--;
  *value = 2;
  return SLUICE_OK;
}
static enum sluice_status rig_write(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *e) {
  struct rig *r = rig_of(self);
  const enum sluice_status status = sluice_filter_ops.csr_write(self, addr, value, e);
  if (addr == SLUICE_CHIP_BASE + SLUICE_CHIP_RECALL && !status)
    r->recall = value, r->recalled |= value;
  return status;
}

struct life {
  struct sluice_image *image;
  struct sluice_transport model, to;
  struct rig rig;
  struct sluice_chip *chip;
};

static void begin_on(struct life *l, const char *chip, const struct sluice_chip_options *options) {
  memset(l, 0, sizeof *l);
  l->image = twice(chip);
  assert_non_null(l->image);
  GOOD(sluice_transport_model(&l->model, chip, NULL, &error));
  sluice_filter_init(&l->rig.line, &l->model, &l->rig);
  l->rig.line.ops.csr_read = rig_read;
  l->rig.line.ops.csr_write = rig_write;
  l->rig.line.before = enter;
  l->rig.line.after = leave;
  l->to = l->rig.line.to;
  GOOD(sluice_chip_open(&l->chip, &l->to, options, &error));
  for (unsigned n = 0; n < VIDS; n++) GOOD(sluice_chip_load(l->chip, l->image, vids[n], &error));
}
static void begin(struct life *l) {
  begin_on(l, "marks", NULL);
  l->rig.traffic = true;
}

static void end(struct life *l) {
  sluice_chip_close(l->chip);
  sluice_image_close(l->image);
  sluice_transport_close(&l->model);
}

typedef enum sluice_status read_fn(struct sluice_chip *chip, unsigned vid, const char *array,
                                   unsigned first, unsigned num, uint32_t *values,
                                   struct sluice_error *error);

// Sums of the arrays: of each module the first, and the second. In how many reads each is made.
static enum sluice_status sums(struct life *l, read_fn *read, unsigned pieces,
                               uint32_t sum[VIDS][2]) {
  for (unsigned n = 0; n < VIDS; n++)
    for (unsigned k = 0; k < 2; k++) {
      uint32_t values[ENTRIES];
      sum[n][k] = 0;
      for (unsigned at = 0; at < ENTRIES; at += ENTRIES / pieces)
        CHIP_TRY(read(l->chip, vids[n], k ? "second" : "first", at, ENTRIES / pieces, values + at,
                      &error));
      for (unsigned i = 0; i < ENTRIES; i++) sum[n][k] += values[i];
    }
  return SLUICE_OK;
}

static unsigned odd_ones(uint32_t sum[VIDS][2], uint32_t expected) {
  unsigned odd = 0;
  for (unsigned n = 0; n < VIDS; n++)
    for (unsigned k = 0; k < 2; k++) odd += sum[n][k] != expected;
  return odd;
}

TEST(what_is_read_is_of_one_moment) {
  struct life l CLOSED_BY(end);
  uint32_t sum[VIDS][2], ticket, before = 0;
  struct sluice_image_array first, second;
  begin(&l);
  assert_true(sluice_chip_get_array(l.chip, 3, 0, &first) &&
              sluice_chip_get_array(l.chip, 3, 1, &second));
  assert_int_not_equal(first.stage, second.stage);
  // The mutant: plain reads.
  GOOD(sums(&l, sluice_chip_state_read, 1, sum));
  assert_true(odd_ones(sum, sum[0][0]) >= 3);
  for (unsigned turn = 0; turn < 4; turn++) {
    GOOD(sluice_chip_cut_begin(l.chip, vids, turn % 2 ? VIDS : 0, &ticket, &error));
    assert_int_equal(ticket % VIDS, 0);
    assert_true(ticket > before);
    before = ticket;
    for (unsigned pieces = 1; pieces <= 8; pieces *= 2) {
      GOOD(sums(&l, sluice_chip_cut_read, pieces, sum));
      assert_int_equal(odd_ones(sum, ticket / VIDS), 0);
    }
    // Plain reads go on beside it, and what they write is not in it.
    uint32_t value;
    GOOD(sluice_chip_state_read(l.chip, 3, "first", 0, 1, &value, &error));
    GOOD(sluice_chip_state_write(l.chip, 3, "first", 0, 1, &value, &error));
    GOOD(sums(&l, sluice_chip_cut_read, 1, sum));
    assert_int_equal(odd_ones(sum, ticket / VIDS), 0);
    // The next begin ends it.
    if (turn != 2) GOOD(sluice_chip_cut_end(l.chip, &error));
    // A packet may have counted between the read and the write: counts start anew.
    end(&l);
    begin(&l);
    before = 0;
  }
  GOOD(sluice_chip_cut_end(l.chip, &error));
}

TEST(indices_stay_where_they_are) {
  struct life l CLOSED_BY(end);
  begin(&l);
  l.rig.recalled = 0;
  GOOD(sluice_chip_cut_begin(l.chip, &vids[1], 1, NULL, &error));
  assert_int_equal(l.rig.recalled, 0);
  // That of another module is not in it.
  uint32_t value;
  GOOD(sluice_chip_cut_read(l.chip, 5, "first", 0, 1, &value, &error));
  SAYS(SLUICE_ERR_RANGE, "VLAN 3 is not in the cut",
       sluice_chip_cut_read(l.chip, 3, "first", 0, 1, &value, &error));
}

TEST(a_chip_takes_its_time) {
  struct life l CLOSED_BY(end);
  uint32_t value, ticket;
  begin(&l);
  l.rig.late = 20;  // the last one ends slowly, and this one is ready late
  GOOD(sluice_chip_cut_begin(l.chip, NULL, 0, &ticket, &error));
  l.rig.late = 0;
  GOOD(sluice_chip_cut_read(l.chip, 3, "first", 0, 1, &value, &error));
  l.rig.traffic = false;
  l.rig.late = 1000000;
  SAYS(SLUICE_ERR_IO, "does not end", sluice_chip_cut_begin(l.chip, NULL, 0, NULL, &error));
  l.rig.late = 0;
  GOOD(sluice_chip_cut_begin(l.chip, NULL, 0, NULL, &error));
}

TEST(what_cannot_be_is_told) {
  struct life l CLOSED_BY(end);
  uint32_t value;
  const unsigned nobody[] = {3, 9};
  begin(&l);
  SAYS(SLUICE_ERR_NOT_FOUND, "no cut is there",
       sluice_chip_cut_read(l.chip, 3, "first", 0, 1, &value, &error));
  GOOD(sluice_chip_cut_end(l.chip, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "VLAN id 9", sluice_chip_cut_begin(l.chip, nobody, 2, NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "belongs to sluice_chip_cut_begin",
       sluice_chip_write(l.chip, SLUICE_CHIP_BASE + SLUICE_CHIP_CUT, 1, &error));
  GOOD(sluice_chip_cut_begin(l.chip, vids, VIDS, NULL, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "no array 'third'",
       sluice_chip_cut_read(l.chip, 3, "third", 0, 1, &value, &error));
  SAYS(SLUICE_ERR_RANGE, "40 entries",
       sluice_chip_cut_read(l.chip, 3, "first", 39, 2, &value, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "VLAN id 9",
       sluice_chip_cut_read(l.chip, 9, "first", 0, 1, &value, &error));
  // Modules stay as they are while it is there.
  SAYS(SLUICE_ERR_BUSY, "a cut is there", sluice_chip_update(l.chip, l.image, 3, NULL, &error));
  SAYS(SLUICE_ERR_BUSY, "a cut is there", sluice_chip_replace(l.chip, l.image, 3, &error));
  SAYS(SLUICE_ERR_BUSY, "a cut is there", sluice_chip_remove(l.chip, 3, &error));
  GOOD(sluice_chip_cut_read(l.chip, 3, "first", 0, 1, &value, &error));
  GOOD(sluice_chip_cut_end(l.chip, &error));
  GOOD(sluice_chip_update(l.chip, l.image, 3, NULL, &error));
  l.rig.traffic = false;
  for (unsigned n = 0; n < VIDS; n++) GOOD(sluice_chip_remove(l.chip, vids[n], &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "no module is on the chip",
       sluice_chip_cut_begin(l.chip, NULL, 0, NULL, &error));
  end(&l);
  begin_on(&l, "banks", NULL);
  SAYS(SLUICE_ERR_UNSUPPORTED, "'banks' has no stage with a shadow memory",
       sluice_chip_cut_begin(l.chip, NULL, 0, NULL, &error));
}

TEST(a_stage_without_is_told) {
  struct life l CLOSED_BY(end);
  uint32_t value;
  static struct sluice_config half;
  begin(&l);
  half = *l.chip->config;
  half.CutStages = 1;
  l.chip->config = &half;
  GOOD(sluice_chip_cut_begin(l.chip, vids, VIDS, NULL, &error));
  struct sluice_image_array array;
  for (unsigned k = 0; sluice_chip_get_array(l.chip, 3, k, &array); k++) {
    char name[40];
    snprintf(name, sizeof name, "%s", array.name);
    if (array.stage == 0) GOOD(sluice_chip_cut_read(l.chip, 3, name, 0, 1, &value, &error));
    else
      SAYS(SLUICE_ERR_UNSUPPORTED, "no shadow memory",
           sluice_chip_cut_read(l.chip, 3, name, 0, 1, &value, &error));
  }
}

// A client that is gone has left one open: the next one's changes and cuts do not mind.
TEST(a_client_that_dies_leaves_nothing) {
  for (int what = 0; what < 2; what++) {
    struct life l CLOSED_BY(end);
    struct sluice_plan *plan CLOSED_BY(close_plan);
    uint32_t sum[VIDS][2], ticket;
    begin(&l);
    GOOD(sluice_plan_copy(&plan, sluice_chip_plan(l.chip), &error));
    GOOD(sluice_chip_cut_begin(l.chip, vids, VIDS, NULL, &error));
    sluice_chip_close(l.chip);
    const struct sluice_chip_options options = {.keep = true};
    const struct sluice_plan *const plans[] = {plan};
    GOOD(sluice_chip_open(&l.chip, &l.to, &options, &error));
    GOOD(sluice_chip_adopt(l.chip, plans, 1, NULL, &error));
    if (what) GOOD(sluice_chip_update(l.chip, l.image, 3, NULL, &error));
    GOOD(sluice_chip_cut_begin(l.chip, vids, VIDS, &ticket, &error));
    GOOD(sums(&l, sluice_chip_cut_read, 2, sum));
    assert_int_equal(odd_ones(sum, ticket / VIDS), 0);
    GOOD(sluice_chip_cut_end(l.chip, &error));
  }
}

TEST(another_client_ends_it) {
  struct life l CLOSED_BY(end);
  uint32_t value;
  begin(&l);
  for (int again = 0; again < 2; again++) {
    GOOD(sluice_chip_cut_begin(l.chip, vids, VIDS, NULL, &error));
    GOOD(l.model.ops->csr_write(l.model.self, SLUICE_CHIP_BASE + SLUICE_CHIP_CUT, 0, &error));
    send_all(&l.rig);
    if (again)
      GOOD(l.model.ops->csr_write(l.model.self, SLUICE_CHIP_BASE + SLUICE_CHIP_CUT, 1 << 3 | 1 << 5,
                                  &error));
    SAYS(SLUICE_ERR_DIFFERS, "is gone",
         sluice_chip_cut_read(l.chip, 3, "first", 0, 1, &value, &error));
    SAYS(SLUICE_ERR_NOT_FOUND, "no cut is there",
         sluice_chip_cut_read(l.chip, 3, "first", 0, 1, &value, &error));
  }
  GOOD(sluice_chip_update(l.chip, l.image, 3, NULL, &error));
}

// A cut of two modules, from begin to end.
static enum sluice_status whole(struct life *l, uint32_t sum[VIDS][2], uint32_t *ticket) {
  CHIP_TRY(sluice_chip_cut_begin(l->chip, vids, VIDS, ticket, &error));
  CHIP_TRY(sums(l, sluice_chip_cut_read, 2, sum));
  return sluice_chip_cut_end(l->chip, &error);
}

TEST(every_operation_fails_once) {
  unsigned failed = 0;
  for (int fault = DIES; fault <= STUMBLES_LATE; fault++) {
    bool there = true;
    for (unsigned long n = 1; there; n++) {
      struct life l CLOSED_BY(end);
      uint32_t sum[VIDS][2], ticket;
      begin(&l);
      l.rig.fault = (enum fault)fault;
      l.rig.fault_at = l.rig.op + n;
      const enum sluice_status status = whole(&l, sum, &ticket);
      there = l.rig.op >= l.rig.fault_at;
      l.rig.fault_at = 0;
      l.rig.broken = false;
      if (!status) assert_int_equal(odd_ones(sum, ticket / VIDS), 0);
      if (status) assert_int_equal(status, SLUICE_ERR_IO);
      failed += status != SLUICE_OK;
      // Whatever it was: the next one is good, nothing is held any more, and modules can be
      // changed.
      GOOD(whole(&l, sum, &ticket));
      assert_int_equal(odd_ones(sum, ticket / VIDS), 0);
      assert_int_equal(l.rig.recall, 0);
      GOOD(sluice_chip_update(l.chip, l.image, 3, NULL, &error));
    }
  }
  print_message("%u cuts failed\n", failed);
  assert_true(failed > 40);
}

TEST(a_reset_is_noticed) {
  unsigned noticed = 0;
  bool there = true;
  for (unsigned long n = 1; there; n++) {
    struct life l CLOSED_BY(end);
    uint32_t sum[VIDS][2], ticket;
    begin(&l);
    l.rig.fault = RESETS;
    l.rig.fault_at = l.rig.op + n;
    const enum sluice_status status = whole(&l, sum, &ticket);
    there = l.rig.op >= l.rig.fault_at;
    l.rig.fault_at = 0;
    // What it has read without an error is of the cut, which was before.
    if (!status && ticket) assert_int_equal(odd_ones(sum, ticket / VIDS), 0);
    noticed += status != SLUICE_OK;
    l.rig.traffic = false;
    GOOD(sluice_chip_cut_end(l.chip, &error));
    if (sluice_chip_replace(l.chip, l.image, 3, &error))
      GOOD(sluice_chip_replace(l.chip, l.image, 3, &error));
    GOOD(sluice_chip_cut_begin(l.chip, vids, VIDS, &ticket, &error));
    GOOD(sluice_chip_cut_end(l.chip, &error));
    GOOD(sluice_chip_audit(l.chip, &error));
  }
  print_message("%u resets noticed\n", noticed);
  assert_true(noticed > 8);
}

TEST(a_bad_line_is_overcome) {
  for (uint64_t seed = 1; seed <= 12; seed++) {
    struct life l CLOSED_BY(end);
    struct bad_line *line CLOSED_BY(freed) = calloc(1, sizeof *line);
    struct sluice_plan *plan CLOSED_BY(close_plan);
    uint32_t sum[VIDS][2], ticket;
    begin(&l);
    GOOD(sluice_plan_copy(&plan, sluice_chip_plan(l.chip), &error));
    sluice_chip_close(l.chip);
    line->inner = &l.to;
    sluice_rng_init(&line->rng, seed, "bad line");
    struct sluice_transport bad = bad_transport(line);
    const struct sluice_chip_options options = {.keep = true};
    const struct sluice_plan *const plans[] = {plan};
    GOOD(sluice_chip_open(&l.chip, &bad, &options, &error));
    sluice_chip_together(l.chip, seed % 2 == 0);
    GOOD(sluice_chip_adopt(l.chip, plans, 1, NULL, &error));
    line->lose = line->twice = line->swap = 0.2;
    GOOD(whole(&l, sum, &ticket));
    assert_int_equal(odd_ones(sum, ticket / VIDS), 0);
    line->lose = line->twice = line->swap = 0;
    line->late_len = line->held_len = 0;
  }
}

// ---- memory -------------------------------------------------------------------------------------

TEST(no_memory_is_needed) {
  struct scarce scarce = {.until = 0};
  const struct sluice_alloc alloc = {scarce_resize, &scarce};
  const struct sluice_chip_options options = {.alloc = &alloc};
  struct life l CLOSED_BY(end);
  uint32_t sum[VIDS][2], ticket;
  begin_on(&l, "marks", &options);
  l.rig.traffic = true;
  scarce.until = 1;  // the first one that comes
  GOOD(whole(&l, sum, &ticket));
  assert_int_equal(scarce.until, 1);
  scarce.until = 0;
}
