// SPDX-License-Identifier: Apache-2.0
// Tables that change on a chip (the reference model) with packets between any two operations of the
// driver, beside a list of entries in plain C: a packet finds the set before a call or the set
// after it, over all tables at once, and never the one before again. Two modules share the engines.

#include <sluice/sluice.h>

#include "tests/rig/test.h"
#include "base/rng.h"
#include "driver/chip/chip.h"
#include "driver/plan/table_diff.h"
#include "driver/plan/table_plan.h"
#include "tests/rig/line.h"
#include "tests/rig/table_rig.h"
#include "transport/filter.h"

enum { MODULES = 2, MOST = 300, FIRST_VID = 5 };

// ---- the list -----------------------------------------------------------------------------------

struct oracle_entry {
  unsigned table;
  uint32_t dst, dst_mask, priority;
  unsigned dport, dport_mask;
  bool drop;
  unsigned port;
  uint32_t mark;
};
struct oracle {
  unsigned num[MODULES];
  struct oracle_entry list[MODULES][MOST];  // older ones first
  bool has_default[MODULES][RIG_TABLES];
  uint32_t defaults[MODULES][RIG_TABLES];
};

static bool matches(const struct oracle_entry *e, uint32_t dst, unsigned dport) {
  return ((dst ^ e->dst) & e->dst_mask) == 0 && ((dport ^ e->dport) & e->dport_mask) == 0;
}
static uint32_t expect(const struct oracle *o, unsigned m, unsigned table, uint32_t dst,
                       unsigned dport) {
  const struct oracle_entry *best = NULL;
  for (unsigned i = 0; i < o->num[m]; i++) {
    const struct oracle_entry *e = &o->list[m][i];
    if (e->table != table || !matches(e, dst, dport)) continue;
    if (!best || (table == RIG_ROUTE ? e->dst_mask > best->dst_mask
                                     : table == RIG_ACL && e->priority < best->priority))
      best = e;
  }
  if (best) return best->drop ? RIG_DROP : best->mark;
  return o->has_default[m][table] ? o->defaults[m][table] : RIG_MISS;
}
static int find_in(const struct oracle *o, unsigned m, const struct oracle_entry *e) {
  for (unsigned i = 0; i < o->num[m]; i++) {
    const struct oracle_entry *x = &o->list[m][i];
    if (x->table == e->table && x->dst == e->dst && x->dst_mask == e->dst_mask &&
        x->dport == e->dport && x->dport_mask == e->dport_mask && x->priority == e->priority)
      return (int)i;
  }
  return -1;
}

// ---- a line with packets ------------------------------------------------------------------------

struct rig {
  struct sluice_filter line;
  struct sluice_transport model, to;
  struct sluice_chip *chip;
  struct sluice_rng rng;
  struct oracle before, after, wanted;  // wanted: of the last call, whatever became of it
  bool traffic, several, tolerant, clear_not_bank, wrong_default, dead, loose;
  bool seen[MODULES];  // the set after the call
  unsigned long packets, mixed, ops, fault_at;
};

static unsigned below(struct rig *r, unsigned n) { return (unsigned)sluice_rng_below(&r->rng, n); }
static uint32_t address(struct rig *r) {
  return 0x0a000000u | below(r, 3) << 16 | below(r, 2) << 8 | below(r, 20);
}

static void send_one(struct rig *r) {
  uint8_t bytes[RIG_FRAME];
  static struct sluice_packet_out out;
  static const unsigned ports[] = {22, 80, 443};
  const unsigned m = below(r, MODULES), dport = ports[below(r, 3)];
  const uint32_t dst = address(r);
  struct sluice_error e;
  bool old = true, new = true;
  rig_frame(bytes, FIRST_VID + m, dst, dport);
  if (r->model.ops->packet_send(r->model.self, 1, bytes, sizeof bytes, &e) ||
      r->model.ops->packet_receive(r->model.self, &out, &e) || !out.len)
    fail_msg("a packet of VLAN %u is lost", FIRST_VID + m);
  for (unsigned t = 0; t < RIG_TABLES; t++) {
    old &= rig_mark(out.bytes, t) == expect(&r->before, m, t, dst, dport);
    new &= rig_mark(out.bytes, t) == expect(&r->after, m, t, dst, dport);
  }
  r->packets++;
  if (new && !old) r->seen[m] = true;
  if ((old && !r->seen[m]) || new || r->loose) return;
  r->mixed++;
  if (r->tolerant) return;
  for (unsigned t = 0; t < RIG_TABLES; t++)
    printf("table %u: %x, before %x, after %x\n", t, rig_mark(out.bytes, t),
           expect(&r->before, m, t, dst, dport), expect(&r->after, m, t, dst, dport));
  fail_msg("VLAN %u, %08x, %u: of neither set, or of the one before again", FIRST_VID + m, dst,
           dport);
}

static bool enter(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct rig *r = user;
  (void)op, (void)cycles;
  if (r->traffic) send_one(r);
  if (++r->ops == r->fault_at) r->dead = true;
  return !r->dead;
}
static enum sluice_status leave(void *user, enum sluice_status status, struct sluice_error *e) {
  struct rig *r = user;
  return r->dead ? sluice_fail(e, SLUICE_ERR_IO, "the line is dead") : status;
}

// Faults of a driver: entries for all banks at once; a default action that names the row of the
// image.
static enum sluice_status send_wrong(void *self, const uint8_t *bytes, size_t len,
                                     struct sluice_error *e) {
  struct sluice_filter *w = self;
  struct rig *r = w->user;
  uint8_t frame[SLUICE_PACKET_MAX];
  struct sluice_reconfig packet;
  memcpy(frame, bytes, len);
  if (sluice_reconfig_decode(&packet, frame, len, NULL) == SLUICE_OK &&
      packet.op == SLUICE_CHAIN_WRITE)
    for (unsigned n = 0; n < packet.num_entries; n++) {
      uint8_t *entry = frame + (packet.entries - frame) + (size_t)n * packet.stride;
      if (r->clear_not_bank && packet.table == SLUICE_TABLE_TERNARY)
        SLUICE_SET(entry, TERNARY, NOT_BANK, 0);
      if (r->clear_not_bank && packet.table == SLUICE_TABLE_CUCKOO)
        SLUICE_SET(entry, CUCKOO, NOT_BANK, 0);
      if (r->wrong_default && packet.table == SLUICE_TABLE_DEFAULT_ACTION)
        SLUICE_SET(entry, DEFAULT_ACTION, ACTION, 2);
    }
  return sluice_filter_ops.control_send(self, frame, len, e);
}

static void begin(struct rig *r, const char *chip, uint64_t seed) {
  memset(r, 0, sizeof *r);
  sluice_rng_init(&r->rng, seed, "tables");
  GOOD(sluice_transport_model(&r->model, chip, NULL, &error));
  sluice_filter_init(&r->line, &r->model, r);
  r->line.ops.control_send = send_wrong;
  r->line.before = enter;
  r->line.after = leave;
  r->to = r->line.to;
  const struct sluice_chip_options options = {.tries = 8};
  GOOD(sluice_chip_open(&r->chip, &r->to, &options, &error));
  struct sluice_image image = rig_image(chip);
  for (unsigned m = 0; m < MODULES; m++)
    GOOD(sluice_chip_load(r->chip, &image, FIRST_VID + m, &error));
  sluice_image_release(&image);
  r->traffic = true;
}
static void end(struct rig *r) {
  r->traffic = false;
  GOOD(sluice_chip_audit(r->chip, &error));
  sluice_chip_close(r->chip);
  sluice_transport_close(&r->model);
}

// ---- random changes -----------------------------------------------------------------------------

static const char *const tables[] = {"acl", "host", "route"};

// A change, done in the list `after` as well; *good: it is legal.
static struct sluice_table_change pick(struct rig *r, bool *good) {
  struct oracle *o = &r->after;
  const unsigned m = below(r, MODULES);
  struct oracle_entry e = {.table = below(r, RIG_TABLES),
                           .dst = address(r),
                           .drop = below(r, 4) == 0,
                           .port = below(r, 4),
                           .mark = 1000 + below(r, 1000000)};
  static const unsigned widths[] = {0, 8, 16, 24, 30, 32};
  const unsigned width = e.table == RIG_HOST ? 32 : widths[below(r, 6)];
  e.dst_mask = width ? ~0u << (32 - width) : 0;
  if (e.table == RIG_ACL && below(r, 2)) e.dst_mask = 0xff0000ff;
  e.dst &= e.dst_mask;
  if (e.table == RIG_ACL) {
    e.priority = below(r, 4);
    if (below(r, 2)) e.dport = 80, e.dport_mask = 0xffff;
  }
  enum sluice_table_op op = SLUICE_TABLE_ADD;
  const unsigned dice = below(r, 20);
  if (dice >= 9 && o->num[m]) {  // of an entry that is there
    const struct oracle_entry *there = &o->list[m][below(r, o->num[m])];
    e = (struct oracle_entry){there->table,    there->dst,   there->dst_mask,
                              there->priority, there->dport, there->dport_mask,
                              e.drop,          e.port,       e.mark};
    op = dice < 14 ? SLUICE_TABLE_DELETE : dice < 18 ? SLUICE_TABLE_MODIFY : SLUICE_TABLE_SET;
  }
  if (dice == 19) op = SLUICE_TABLE_DEFAULT;
  struct sluice_table_change c = {.op = op,
                                  .vid = FIRST_VID + m,
                                  .table = tables[e.table],
                                  .keys = {{e.dst, e.dst_mask}, {e.dport, e.dport_mask}},
                                  .priority = e.priority,
                                  .action = e.drop ? "drop" : "forward",
                                  .args = {e.port, e.mark}};
  const int at = find_in(o, m, &e);
  *good = true;
  if (op == SLUICE_TABLE_DEFAULT) {
    o->has_default[m][e.table] = true;
    o->defaults[m][e.table] = e.drop ? RIG_DROP : e.mark;
  } else if (at < 0) {
    *good = op != SLUICE_TABLE_DELETE && op != SLUICE_TABLE_MODIFY && o->num[m] < MOST;
    if (*good) o->list[m][o->num[m]++] = e;
  } else if (op == SLUICE_TABLE_DELETE) {
    o->num[m]--;
    memmove(&o->list[m][at], &o->list[m][at + 1], (o->num[m] - (unsigned)at) * sizeof e);
  } else {
    *good = op != SLUICE_TABLE_ADD;
    if (*good) o->list[m][at] = e;
  }
  return c;
}

// Whether what the plan has is what a list says.
static bool holds(const struct rig *r, const struct oracle *o) {
  const struct sluice_plan *plan = sluice_chip_plan(r->chip);
  for (unsigned m = 0; m < MODULES; m++) {
    unsigned num = 0;
    for (unsigned t = 0; t < RIG_TABLES; t++) {
      struct sluice_table_change c;
      struct sluice_table_desc d;
      unsigned here = 0;
      for (uint32_t place = 0; sluice_plan_table_entry(plan, FIRST_VID + m, tables[t], &place, &c);
           here++) {
        const struct oracle_entry e = {.table = t,
                                       .dst = (uint32_t)c.keys[0].value,
                                       .dst_mask = (uint32_t)c.keys[0].mask,
                                       .priority = c.priority,
                                       .dport = (unsigned)c.keys[1].value,
                                       .dport_mask = (unsigned)c.keys[1].mask};
        const int at = find_in(o, m, &e);
        if (at < 0 || (o->list[m][at].drop ? strcmp(c.action, "drop") != 0
                                           : c.args[1] != o->list[m][at].mark))
          return false;
      }
      for (unsigned n = 0; sluice_plan_table(plan, FIRST_VID + m, n, &d); n++) {
        if (strcmp(d.name, tables[t]) != 0) continue;
        const bool drop = strcmp(d.default_action, "drop") == 0;
        const uint32_t mark = strcmp(d.default_action, "miss") == 0 ? RIG_MISS
                              : drop                                ? RIG_DROP
                                                                    : (uint32_t)d.default_args[1];
        if (d.used != here || mark != (o->has_default[m][t] ? o->defaults[m][t] : RIG_MISS))
          return false;
      }
      num += here;
    }
    if (num != o->num[m]) return false;
  }
  return true;
}
static void check_all(struct rig *r) { assert_true(holds(r, &r->after)); }

// One call with `num` changes. Returns its status; the lists are what they should be then.
static enum sluice_status call(struct rig *r, unsigned num, bool in_order,
                               struct sluice_table_report *report) {
  struct sluice_table_change changes[8];
  const struct sluice_table_options options = {.in_order = in_order};
  bool all = true, good;
  r->before = r->after;
  for (unsigned i = 0; i < num; i++) {
    changes[i] = pick(r, &good);
    all &= good;
  }
  r->seen[0] = r->seen[1] = false;
  const enum sluice_status status =
      sluice_chip_table_change(r->chip, changes, num, &options, report, &error);
  if (status && status != SLUICE_ERR_FULL && !r->tolerant && all)
    fail_msg("%d: %s", status, error.text);
  if (!all)
    assert_true(status == SLUICE_ERR_EXISTS || status == SLUICE_ERR_NOT_FOUND ||
                status == SLUICE_ERR_FULL || r->tolerant);
  r->wanted = r->after;
  if (status) r->after = r->before;
  r->before = r->after;
  return status;
}

TEST(every_packet_finds_one_of_two_sets) {
  static struct rig r;
  struct sluice_table_report report;
  unsigned done = 0, full = 0, moves = 0, flips = 0;
  const uint64_t seed = 20;
  begin(&r, "tables", seed);
  for (unsigned n = 0; n < 500; n++) {
    const unsigned num = n % 3 == 0 ? 1 + below(&r, 6) : 1;
    const enum sluice_status status = call(&r, num, false, &report);
    done += !status;
    full += status == SLUICE_ERR_FULL;
    if (!status) moves += report.moves, flips += report.flipped;
    if (n % 20 == 0) check_all(&r);
  }
  check_all(&r);
  printf("seed %llu: %u of 500 calls done, %u full, %u moves, %u flips, %lu packets\n",
         (unsigned long long)seed, done, full, moves, flips, r.packets);
  assert_true(done > 200 && full > 5 && moves > 10 && flips > 50 && r.packets > 5000);
  end(&r);
}

// In order: each packet finds some set on the way; all or none of it is there at the end.
TEST(changes_in_order_need_one_bank_alone) {
  static struct rig r;
  struct sluice_table_report report;
  unsigned done = 0;
  begin(&r, "tables", 21);
  r.loose = true;
  for (unsigned n = 0; n < 100; n++) {
    const enum sluice_status status = call(&r, 4, true, &report);
    done += !status;
    if (!status) assert_false(report.flipped || report.atomic);
    r.loose = false;
    for (unsigned i = 0; i < 20; i++) send_one(&r);
    r.loose = true;
  }
  check_all(&r);
  assert_true(done > 20);
  end(&r);
}

// The cuckoo engine at 0.9: single entries come and go, and others move.
TEST(a_full_cuckoo_engine_moves_entries_that_are_found) {
  static struct rig r;
  struct sluice_table_report report;
  unsigned moves = 0;
  begin(&r, "tables", 22);
  for (unsigned n = 0; n < 400; n++) {
    const unsigned m = n % 2;
    const uint32_t dst = n < 230 ? 0x0a000000u | n % 3 << 16 | n / 120 << 8 | n / 3 % 40
                                 : r.after.list[m][n % r.after.num[m]].dst;
    struct oracle_entry e = {
        .table = RIG_HOST, .dst = dst, .dst_mask = ~0u, .port = 1, .mark = 5000 + n};
    struct sluice_table_change c =
        TABLE_CHANGE(SLUICE_TABLE_SET, FIRST_VID + m, "host", dst, ~0u, "forward", 1, e.mark);
    r.before = r.after;
    const int at = find_in(&r.after, m, &e);
    if (at < 0) r.after.list[m][r.after.num[m]++] = e;
    else r.after.list[m][at] = e;
    if (n >= 230 && n % 3) {
      c.op = SLUICE_TABLE_DELETE;
      r.after.num[m]--;
      memmove(&r.after.list[m][at], &r.after.list[m][at + 1],
              (r.after.num[m] - (unsigned)at) * sizeof e);
    }
    r.seen[0] = r.seen[1] = false;
    GOOD(sluice_chip_table_change(r.chip, &c, 1, NULL, &report, &error));
    moves += report.moves;
  }
  printf("%u moves\n", moves);
  check_all(&r);
  assert_true(moves > 5);
  end(&r);
}

// A module comes with constant entries, and goes: entries of others move for it, and are found,
// also while Menshen's procedure holds the new module's packets.
TEST(a_module_that_comes_hides_no_entry_of_others) {
  static struct rig r;
  unsigned moved = 0;
  begin(&r, "tables", 27);
  for (unsigned n = 0; n < 215; n++) {
    const unsigned m = n % 2;
    const uint32_t dst = 0x0a000000u | n % 3 << 16 | n / 120 << 8 | n / 3 % 40;
    const struct sluice_table_change c = {
        .vid = FIRST_VID + m, .table = "host", .keys = {{dst, ~0u}}, .action = "drop"};
    r.before = r.after;
    r.after.list[m][r.after.num[m]++] =
        (struct oracle_entry){.table = RIG_HOST, .dst = dst, .dst_mask = ~0u, .drop = true};
    r.seen[0] = r.seen[1] = false;
    GOOD(sluice_chip_table_change(r.chip, &c, 1, NULL, NULL, &error));
  }
  r.before = r.after;
  for (unsigned n = 0; n < 12; n++) {
    struct sluice_image image CLOSED_BY(sluice_image_release) = rig_image("tables");
    for (unsigned i = 0; i < 25; i++)
      rig_entry(&image, RIG_HOST, 1, 0x0b000000 + 1000 * n + i, 32, 0, 0);
    struct sluice_plan *plan;
    GOOD(sluice_plan_copy(&plan, sluice_chip_plan(r.chip), &error));
    GOOD(sluice_plan_add(plan, &image, FIRST_VID + 2, &error));
    for (size_t i = 0; i < plan->tables.num_moves; i++) moved += plan->tables.moves[i].step > 0;
    sluice_plan_close(plan);
    GOOD(sluice_chip_load(r.chip, &image, FIRST_VID + 2, &error));
    GOOD(sluice_chip_remove(r.chip, FIRST_VID + 2, &error));
  }
  check_all(&r);
  printf("%u moves\n", moved);
  assert_true(moved > 5);
  end(&r);
}

// ---- whatever goes wrong ------------------------------------------------------------------------

// The next call finds out which set is there. It changes nothing itself.
static void find_out(struct rig *r, const struct oracle *start, unsigned *new) {
  const struct sluice_table_change none = {
      .op = SLUICE_TABLE_DELETE, .vid = FIRST_VID, .table = "host", .keys = {{0x01020304, ~0u}}};
  r->loose = true;
  if (sluice_chip_table_change(r->chip, &none, 1, NULL, NULL, &error) != SLUICE_ERR_NOT_FOUND)
    fail_msg("%s", error.text);
  r->loose = false;
  const bool old = holds(r, start);
  assert_true(old || holds(r, &r->wanted));
  *new += !old;
  r->after = old ? *start : r->wanted;
  r->before = r->after;
}

TEST(a_dead_line_leaves_one_of_two_sets) {
  static struct rig r;
  static struct oracle start;
  unsigned failed = 0, new = 0;
  begin(&r, "tables", 23);
  for (unsigned n = 0; n < 40; n++) (void)call(&r, 1, false, NULL);
  for (unsigned n = 0; n < 200; n++) {
    start = r.after;
    r.fault_at = r.ops + 4 + n % 50;
    r.tolerant = true;
    const unsigned long mixed = r.mixed;
    const enum sluice_status status = call(&r, n % 2 ? 1 : 4, n % 4 == 0, NULL);
    const bool dead = r.dead;
    r.dead = r.tolerant = false;
    r.fault_at = 0;
    failed += dead;
    // Changes in order stop anywhere on their way, and packets find that.
    if (n % 4) assert_int_equal(r.mixed, mixed);
    if (dead && status) find_out(&r, &start, &new);
    r.traffic = false;
    GOOD(sluice_chip_audit(r.chip, &error));
    r.traffic = true;
  }
  printf("%u calls met a dead line, of %u the new set runs\n", failed, new);
  assert_true(failed > 30 && new > 2);
  end(&r);
}

// ---- faults of a driver are found ---------------------------------------------------------------

TEST(entries_that_both_banks_see_are_found) {
  static struct rig r;
  begin(&r, "tables", 24);
  for (unsigned n = 0; n < 30; n++) (void)call(&r, 1, false, NULL);
  r.tolerant = r.clear_not_bank = true;
  for (unsigned n = 0; n < 20 && !r.mixed; n++) (void)call(&r, 5, false, NULL);
  assert_true(r.mixed > 0);
  r.clear_not_bank = r.traffic = false;
  sluice_chip_close(r.chip);
  sluice_transport_close(&r.model);
}

TEST(a_default_that_is_not_linked_is_found) {
  static struct rig r;
  begin(&r, "tables", 25);
  r.tolerant = r.wrong_default = true;
  const struct sluice_table_change c = {.op = SLUICE_TABLE_DEFAULT,
                                        .vid = FIRST_VID,
                                        .table = "host",
                                        .action = "forward",
                                        .args = {1, 77}};
  r.after.has_default[0][RIG_HOST] = true;
  r.after.defaults[0][RIG_HOST] = 77;
  const struct sluice_table_options straight = {.in_order = true};
  assert_int_equal(sluice_chip_table_change(r.chip, &c, 1, &straight, NULL, &error),
                   SLUICE_ERR_DIFFERS);
  assert_true(r.mixed > 0);
  r.traffic = false;
  sluice_chip_close(r.chip);
  sluice_transport_close(&r.model);
}

// A chain of moves sent from its other end hides an entry.
TEST(moves_in_the_wrong_order_are_found) {
  static struct rig r;
  struct sluice_table_done done;
  begin(&r, "tables", 26);
  r.tolerant = true;
  for (unsigned n = 0; n < 230 && !r.mixed; n++) {
    const uint32_t dst = 0x0a000000u | n % 3 << 16 | n / 120 << 8 | n / 3 % 40;
    struct sluice_table_change c = {.op = SLUICE_TABLE_ADD,
                                    .vid = FIRST_VID,
                                    .table = "host",
                                    .keys = {{dst, ~0u}},
                                    .action = "drop"};
    r.before = r.after;
    r.after.list[0][r.after.num[0]++] =
        (struct oracle_entry){.table = RIG_HOST, .dst = dst, .dst_mask = ~0u, .drop = true};
    r.seen[0] = false;
    GOOD(sluice_plan_table_do(r.chip->plan, &c, true, &done, &error));
    struct sluice_tables *t = &r.chip->plan->tables;
    for (size_t i = t->num_moves; i-- > 0;) {
      struct sluice_change w = {.kind = SLUICE_CHANGE_WRITE,
                                .table = SLUICE_TABLE_CUCKOO,
                                .stage = RIG_HOST,
                                .index = t->moves[i].move.at};
      sluice_tables_encode(t, t->moves[i].move.to.id, 0, w.bytes);
      const struct chip_expect as_is = {.plan = r.chip->plan, .list = &w, .num = 1};
      GOOD(chip_run(r.chip, &as_is, &w, 1, &error));
      for (unsigned k = 0; k < 100 && t->num_moves > 1; k++) send_one(&r);
    }
    sluice_tables_settle(t);
  }
  assert_true(r.mixed > 0);
  end(&r);
}
