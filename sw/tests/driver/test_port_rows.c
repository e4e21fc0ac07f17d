// SPDX-License-Identifier: Apache-2.0
// Sets of ports on a chip with more than 8 ports: each gets a row of PORT_MASK when its module is
// loaded, of those that are neither a group of the operator's nor another module's, and the row is
// free when no packet needs it any more.

#include "tests/rig/cases.h"
#include "base/bytes.h"
#include "driver/chip/chip.h"
#include "driver/plan/port_rows.h"
#include "tests/rig/chip_rig.h"
#include "tests/rig/says.h"
#include "transport/filter.h"

enum { FRAME = 64, FIRST_FREE = 18 };
static const char chip_name[] = "s4";  // 17 ports, row 17 is that of recirculation

// A program whose packets say in bytes 46 and 47 which of its sets they go to; else back.
static struct sluice_image *sends(const char *chip, const char *const sets[], unsigned num) {
  char text[1500];
  size_t len = (size_t)snprintf(
      text, sizeof text, "%s",
      "struct Packet { int to @ bytes(46, 2); int in @ meta.port_in; int out @ meta.port_out;\n"
      "  int ports @ meta.ports_out; };\nvoid sends(struct Packet p) {\n  p.out = p.in;\n");
  for (unsigned n = 0; n < num; n++)
    len += (size_t)snprintf(text + len, sizeof text - len, "  %sif (p.to == %u) p.ports = %s;\n",
                            n ? "else " : "", n + 1, sets[n]);
  snprintf(text + len, sizeof text - len, "}\n");
  struct sluice_image *image = compiled_text(text, chip);
  if (!image) fail_msg("not compiled: %s", text);
  return image;
}
#define SENDS_ON(CHIP, ...)                       \
  sends(CHIP, (const char *const[]){__VA_ARGS__}, \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
#define SENDS(...) SENDS_ON(chip_name, __VA_ARGS__)

// ---- packets ------------------------------------------------------------------------------------

struct rig {
  struct sluice_filter line;
  struct sluice_transport model;
  struct sluice_chip *chip;
  // With traffic: a packet of VLAN 5 to set 1 between any two operations leaves by `before`, and
  // from one of them on by `after`
  bool traffic, seen;
  uint64_t before, after;
  unsigned long packets, ops, reset_at;
};

// The ports that a packet leaves by.
static uint64_t leaves(struct sluice_transport *to, unsigned vid, unsigned set) {
  uint8_t bytes[FRAME] = {[12] = 0x81, [15] = (uint8_t)vid, [16] = 0x08, [18] = 0x45, [27] = 17};
  static struct sluice_packet_out out;
  uint64_t ports = 0;
  sluice_put16(bytes + 46, set);
  GOOD(to->ops->packet_send(to->self, 3, bytes, FRAME, &error));
  for (;;) {
    GOOD(to->ops->packet_receive(to->self, &out, &error));
    if (!out.len) return ports;
    assert_false(ports >> out.port & 1);
    ports |= UINT64_C(1) << out.port;
  }
}

static bool between(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct rig *r = user;
  (void)op, (void)cycles;
  if (++r->ops == r->reset_at) GOOD(r->model.ops->reset(r->model.self, &error));
  if (!r->traffic) return true;
  const uint64_t ports = leaves(&r->model, 5, 1);
  const bool is_new = ports == r->after;
  if (!is_new && (ports != r->before || r->seen))
    fail_msg("a packet leaves by 0x%llx", (unsigned long long)ports);
  r->seen |= is_new;
  r->packets++;
  return true;
}

static void open_rig(struct rig *r) {
  memset(r, 0, sizeof *r);
  GOOD(sluice_transport_model(&r->model, chip_name, NULL, &error));
  sluice_filter_init(&r->line, &r->model, r);
  r->line.before = between;
  GOOD(sluice_chip_open(&r->chip, &r->line.to, NULL, &error));
}

static void close_rig(struct rig *r) {
  sluice_chip_close(r->chip);
  sluice_transport_close(&r->model);
}

// What a row of the chip holds.
static uint64_t holds(struct rig *r, unsigned row) {
  uint64_t ports;
  GOOD(sluice_chip_group(r->chip, row, &ports, &error));
  return ports;
}
#define HOLDS(R, ROW, PORTS) assert_int_equal(holds(R, ROW), PORTS)
// Two rows side by side, in the order in which the compiler has found the sets.
static void hold(struct rig *r, unsigned row, uint64_t a, uint64_t b) {
  const uint64_t first = holds(r, row), second = holds(r, row - 1);
  if (!(first == a && second == b) && !(first == b && second == a))
    fail_msg("row %u: 0x%llx, row %u: 0x%llx", row, (unsigned long long)first, row - 1,
             (unsigned long long)second);
}
#define LEAVES(R, VID, SET, PORTS) assert_int_equal(leaves(&(R)->model, VID, SET), PORTS)

// ---- rows ---------------------------------------------------------------------------------------

TEST(sets_get_the_highest_free_rows) {
  struct rig r CLOSED_BY(close_rig);
  struct sluice_image *image CLOSED_BY(close_image) = SENDS("0xc0ff", "0x10", "0x9002", "0xc0ff");
  // One port has its row, and equal sets of a program are one.
  assert_int_equal(image->num_port_sets, 2);
  open_rig(&r);
  GOOD(sluice_chip_load(r.chip, image, 5, &error));
  GOOD(sluice_chip_load(r.chip, image, 6, &error));
  for (unsigned vid = 5; vid <= 6; vid++) {
    LEAVES(&r, vid, 1, 0xc0ff);
    LEAVES(&r, vid, 2, 0x10);
    LEAVES(&r, vid, 3, 0x9002);
    LEAVES(&r, vid, 4, 0xc0ff);
    LEAVES(&r, vid, 5, 1u << 3);
  }
  hold(&r, 255, 0xc0ff, 0x9002);
  hold(&r, 253, 0xc0ff, 0x9002);
  HOLDS(&r, 251, 0);
  GOOD(sluice_chip_audit(r.chip, &error));
  // As entries of the module.
  uint8_t entry[8];
  GOOD(sluice_chip_entry_read(r.chip, 6, "PORT_MASK", 0, 1, entry, 8, &error));
  assert_int_equal(SLUICE_GET(entry, PORT_MASK, PORTS), image->port_sets[1].ports);
  SAYS(SLUICE_ERR_RANGE, "has no entry 2",
       sluice_chip_entry_read(r.chip, 6, "PORT_MASK", 0, 2, entry, 8, &error));
  // Other ports are taken away behind the row.
  struct sluice_plan *plan;
  GOOD(sluice_plan_copy(&plan, sluice_chip_plan(r.chip), &error));
  GOOD(sluice_plan_ports(plan, 6, 0x400f, &error));
  GOOD(sluice_chip_apply(r.chip, plan, &error));
  sluice_plan_close(plan);
  LEAVES(&r, 6, 1, 0x400f);
  LEAVES(&r, 5, 1, 0xc0ff);
}

TEST(rows_are_free_when_their_module_leaves) {
  struct rig r CLOSED_BY(close_rig);
  struct sluice_image *two CLOSED_BY(close_image) = SENDS("6", "0x3000"),
                           *one CLOSED_BY(close_image) = SENDS("0x900");
  open_rig(&r);
  GOOD(sluice_chip_load(r.chip, two, 5, &error));
  GOOD(sluice_chip_load(r.chip, one, 6, &error));
  HOLDS(&r, 253, 0x900);
  GOOD(sluice_chip_remove(r.chip, 5, &error));
  HOLDS(&r, 255, 0);
  HOLDS(&r, 254, 0);
  LEAVES(&r, 6, 1, 0x900);
  GOOD(sluice_chip_load(r.chip, one, 7, &error));
  HOLDS(&r, 255, 0x900);
  // Another program in its place.
  GOOD(sluice_chip_replace(r.chip, two, 6, &error));
  hold(&r, 254, 6, 0x3000);
  LEAVES(&r, 6, 1, 6);
  LEAVES(&r, 6, 2, 0x3000);
  LEAVES(&r, 7, 1, 0x900);
  GOOD(sluice_chip_audit(r.chip, &error));
}

// ---- groups beside them -------------------------------------------------------------------------

TEST(groups_and_sets_do_not_meet) {
  struct rig r CLOSED_BY(close_rig);
  struct sluice_image *two CLOSED_BY(close_image) = SENDS("6", "0x3000");
  struct sluice_plan *mine;
  open_rig(&r);
  GOOD(sluice_chip_group_set(r.chip, 254, 0x70, &error));
  GOOD(sluice_chip_load(r.chip, two, 5, &error));
  assert_int_equal(holds(&r, 255) ^ holds(&r, 253), 6 ^ 0x3000);
  HOLDS(&r, 254, 0x70);
  SAYS(SLUICE_ERR_EXISTS, "group 253: the row holds a set of ports of program 'sends' (VLAN 5)",
       sluice_chip_group_set(r.chip, 253, 1, &error));
  SAYS(SLUICE_ERR_EXISTS, "(VLAN 5)", sluice_chip_group_set(r.chip, 255, 0, &error));
  SAYS(SLUICE_ERR_RANGE, "group 17: those of chip 's4' are 18 to 255",
       sluice_chip_group_set(r.chip, 17, 1, &error));
  LEAVES(&r, 5, 2, 0x3000);
  // A plan that was made without the chip does not know of its groups.
  GOOD(sluice_plan_open(&mine, chip_name, NULL, &error));
  GOOD(sluice_plan_add(mine, two, 5, &error));
  SAYS(SLUICE_ERR_EXISTS, "program 'sends' (VLAN 5) has row 254 of PORT_MASK",
       sluice_chip_apply(r.chip, mine, &error));
  SAYS(SLUICE_ERR_EXISTS, "is a group of the operator's",
       sluice_chip_update_plan(r.chip, mine, NULL, &error));
  sluice_plan_close(mine);
  GOOD(sluice_plan_open(&mine, chip_name, NULL, &error));
  sluice_plan_group(mine, 254, true);
  GOOD(sluice_plan_add(mine, two, 5, &error));
  GOOD(sluice_chip_apply(r.chip, mine, &error));
  sluice_plan_close(mine);
  GOOD(sluice_chip_audit(r.chip, &error));
  // All other rows are groups: there is room for the set of one module more, then for none.
  for (unsigned row = FIRST_FREE; row < 252; row++)
    GOOD(sluice_chip_group_set(r.chip, row, 3, &error));
  SAYS(SLUICE_ERR_FULL,
       "module 'sends' (VLAN 6) needs 2 rows of PORT_MASK for its sets of ports, 1 of 238 are free",
       sluice_chip_load(r.chip, two, 6, &error));
  // A group without ports is none.
  GOOD(sluice_chip_group_set(r.chip, 77, 0, &error));
  GOOD(sluice_chip_load(r.chip, two, 6, &error));
  assert_int_equal(holds(&r, 252) ^ holds(&r, 77), 6 ^ 0x3000);
  LEAVES(&r, 6, 1, 6);
  LEAVES(&r, 6, 2, 0x3000);
  SAYS(SLUICE_ERR_FULL, "0 of 238 are free", sluice_chip_load(r.chip, two, 7, &error));
  // Both versions of an update do not fit, unless they have the same sets.
  GOOD(sluice_chip_update(r.chip, two, 6, NULL, &error));
  struct sluice_image *other CLOSED_BY(close_image) = SENDS("6", "0x3001");
  SAYS(SLUICE_ERR_FULL, "needs 1 rows of PORT_MASK",
       sluice_chip_update(r.chip, other, 6, NULL, &error));
  SAYS(SLUICE_ERR_FULL, "'replace', which drops its packets meanwhile, would do",
       sluice_chip_update(r.chip, other, 6, NULL, &error));
  GOOD(sluice_chip_replace(r.chip, other, 6, &error));
  LEAVES(&r, 6, 2, 0x3001);
  GOOD(sluice_chip_remove(r.chip, 6, &error));
  GOOD(sluice_chip_group_set(r.chip, 77, 5, &error));
  HOLDS(&r, 77, 5);
  HOLDS(&r, 252, 0);
  GOOD(sluice_chip_audit(r.chip, &error));
}

// On a sound line a row is written and read back, whatever else is on the chip.
TEST(a_group_costs_the_same_beside_modules) {
  struct rig r CLOSED_BY(close_rig);
  struct sluice_image *two CLOSED_BY(close_image) = SENDS("6", "0x3000");
  unsigned long before, cost[2];
  open_rig(&r);
  for (unsigned n = 0; n < 2; n++) {
    before = r.ops;
    GOOD(sluice_chip_group_set(r.chip, 100 + n, 0x70, &error));
    cost[n] = r.ops - before;
    if (n == 0) GOOD(sluice_chip_load(r.chip, two, 5, &error));
  }
  assert_int_equal(cost[0], cost[1]);
  assert_true(cost[0] < 20);
}

// ---- updates ------------------------------------------------------------------------------------

// A packet between any two operations finds the old set or the new one, whole. The set that both
// versions have keeps its row, the old one's row is free behind the flip.
TEST(updates_keep_rows_until_no_packet_needs_them) {
  struct rig r CLOSED_BY(close_rig);
  struct sluice_image *old CLOSED_BY(close_image) = SENDS("0x00ff", "0x3000"),
                           *new CLOSED_BY(close_image) = SENDS("0x0ff00", "0x3000");
  struct sluice_update_report report;
  open_rig(&r);
  GOOD(sluice_chip_load(r.chip, old, 5, &error));
  const unsigned common = holds(&r, 255) == 0x3000 ? 255 : 254, other = common == 255 ? 254 : 255;
  HOLDS(&r, other, 0x00ff);
  for (unsigned n = 0; n < 2; n++) {
    r.before = n ? 0xff00 : 0x00ff;
    r.after = n ? 0x00ff : 0xff00;
    r.seen = false;
    r.packets = 0;
    r.traffic = true;
    GOOD(sluice_chip_update(r.chip, n ? old : new, 5, &report, &error));
    r.traffic = false;
    assert_true(report.flipped && r.seen && r.packets > 20);
    LEAVES(&r, 5, 1, r.after);
    LEAVES(&r, 5, 2, 0x3000);
    HOLDS(&r, common, 0x3000);
    HOLDS(&r, n ? 253 : other, 0);
    HOLDS(&r, n ? other : 253, r.after);
    GOOD(sluice_chip_audit(r.chip, &error));
  }
  // In one step a row cannot go from one module to another: packets of the first may need it.
  struct sluice_plan *plan;
  GOOD(sluice_plan_copy(&plan, sluice_chip_plan(r.chip), &error));
  GOOD(sluice_plan_remove(plan, 5, &error));
  GOOD(sluice_plan_add(plan, new, 6, &error));
  SAYS(SLUICE_ERR_BUSY, "", sluice_chip_update_plan(r.chip, plan, NULL, &error));
  GOOD(sluice_chip_apply(r.chip, plan, &error));
  sluice_plan_close(plan);
  LEAVES(&r, 6, 1, 0xff00);
  GOOD(sluice_chip_audit(r.chip, &error));
}

// New values of malleables are an update; what was written by hand stays.
TEST(malleables_and_entries_by_hand) {
  struct rig r CLOSED_BY(close_rig);
  static const char text[] =
      "struct Packet { int to @ bytes(46, 2); int in @ meta.port_in; int out @ meta.port_out;\n"
      "  int ports @ meta.ports_out; };\nmalleable int most = 1 in 0..7;\n"
      "void f(struct Packet p) { p.out = p.in; if (p.to <= most) p.ports = 0xff00; }\n";
  struct sluice_image *image CLOSED_BY(close_image) = compiled_text(text, chip_name);
  assert_non_null(image);
  open_rig(&r);
  GOOD(sluice_chip_load(r.chip, image, 5, &error));
  LEAVES(&r, 5, 1, 0xff00);
  LEAVES(&r, 5, 2, 1u << 3);
  const struct sluice_setting set = {.vid = 5, .name = "most", .value = 2};
  GOOD(sluice_chip_set_params(r.chip, &set, 1, NULL, &error));
  LEAVES(&r, 5, 2, 0xff00);
  HOLDS(&r, 255, 0xff00);
  HOLDS(&r, 254, 0);
  GOOD(sluice_chip_audit(r.chip, &error));
  // The row that sends to the set sends to port 7 now, also behind the next value.
  const struct sluice_set_word word = image->set_words[0];
  const size_t len = (sluice_tables[SLUICE_TABLE_ACTION].bits + 7) / 8;
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  GOOD(sluice_chip_entry_read(r.chip, 5, "ACTION", word.stage, word.index, entry, len, &error));
  sluice_entry_set(entry, sluice_tables[SLUICE_TABLE_ACTION].bits, SLUICE_INSTR_MD_DEST_MSB,
                   SLUICE_INSTR_MD_DEST_LSB, 7);
  GOOD(sluice_chip_entry_write(r.chip, 5, "ACTION", word.stage, word.index, entry, len, &error));
  LEAVES(&r, 5, 2, 1u << 7);
  const struct sluice_setting again = {.vid = 5, .name = "most", .value = 3};
  GOOD(sluice_chip_set_params(r.chip, &again, 1, NULL, &error));
  LEAVES(&r, 5, 3, 1u << 7);
  GOOD(sluice_chip_audit(r.chip, &error));
}

// ---- what goes wrong ----------------------------------------------------------------------------

// A reset at each operation of a load, and of an update: in the end all is as the plan says.
TEST(sets_come_back_after_a_reset) {
  struct sluice_image *first CLOSED_BY(close_image) = SENDS("6", "0x3000"),
                             *second CLOSED_BY(close_image) = SENDS("9", "0x3000");
  for (unsigned update = 0; update < 2; update++) {
    unsigned noticed = 0;
    bool done = false;
    for (unsigned long at = 1; !done; at += 3) {
      struct rig r CLOSED_BY(close_rig);
      open_rig(&r);
      GOOD(sluice_chip_group_set(r.chip, 255, 0x70, &error));
      if (update) GOOD(sluice_chip_load(r.chip, first, 5, &error));
      r.reset_at = r.ops + at;
      const enum sluice_status status = update ? sluice_chip_update(r.chip, second, 5, NULL, &error)
                                               : sluice_chip_load(r.chip, first, 5, &error);
      done = r.ops < r.reset_at;
      noticed += status != SLUICE_OK;
      // Finds a reset behind the last look.
      noticed += sluice_chip_load(r.chip, first, 6, &error) != SLUICE_OK;
      GOOD(chip_settle(r.chip, &error));
      GOOD(sluice_chip_audit(r.chip, &error));
      HOLDS(&r, 255, 0x70);
      if (sluice_plan_find(sluice_chip_plan(r.chip), 5)) {
        const uint64_t ports = leaves(&r.model, 5, 1);
        assert_true(ports == 6 || (update && ports == 9));
        LEAVES(&r, 5, 2, 0x3000);
      } else {
        assert_true(status && !update);
      }
    }
    assert_true(noticed > 3);
  }
}

// A chip that was reset gets its groups again, though no module needs them.
TEST(groups_come_back_without_modules) {
  struct rig r CLOSED_BY(close_rig);
  struct sluice_image *two CLOSED_BY(close_image) = SENDS("6", "0x3000");
  open_rig(&r);
  for (unsigned row = 100; row < 120; row++) GOOD(sluice_chip_group_set(r.chip, row, 0x70, &error));
  GOOD(r.model.ops->reset(r.model.self, &error));
  HOLDS(&r, 100, 0);
  SAYS(SLUICE_ERR_IO, "the chip was reset", sluice_chip_load(r.chip, two, 5, &error));
  for (unsigned row = 100; row < 120; row++) HOLDS(&r, row, 0x70);
}

// Over a line that loses, doubles, swaps and damages frames; then another client takes the chip
// over, with its groups: rows of sets are none of them.
TEST(sets_stay_over_bad_lines_and_with_the_next_client) {
  static const char chip[] = "k4.Banks2";
  struct sluice_image *first CLOSED_BY(close_image) = SENDS_ON(chip, "6", "0x3000"),
                             *second CLOSED_BY(close_image) = SENDS_ON(chip, "9", "0x3000");
  unsigned seen[3] = {0};  // the version before, the new one; updates that failed
  for (unsigned seed = 1; seed <= 4; seed++) {
    struct rig r CLOSED_BY(close_rig) = {.traffic = false};
    static struct bad_line bad;
    const struct sluice_chip_options options = {.chip = chip}, keep = {.chip = chip, .keep = true};
    struct sluice_plan *before CLOSED_BY(close_plan), *after CLOSED_BY(close_plan);
    unsigned which;
    memset(&bad, 0, sizeof bad);
    GOOD(sluice_transport_model(&r.model, chip, NULL, &error));
    bad.inner = &r.model;
    sluice_rng_init(&bad.rng, seed, "sets over bad lines");
    bad.lose = bad.twice = bad.swap = bad.damage = 0.02;
    struct sluice_transport to = bad_transport(&bad);
    GOOD(sluice_chip_open(&r.chip, &to, &options, &error));
    GOOD(sluice_chip_group_set(r.chip, 255, 0x70, &error));
    GOOD(sluice_chip_load(r.chip, first, 5, &error));
    GOOD(sluice_chip_load(r.chip, first, 6, &error));
    LEAVES(&r, 6, 2, 0x3000);
    GOOD(sluice_plan_copy(&before, sluice_chip_plan(r.chip), &error));
    GOOD(sluice_plan_copy(&after, before, &error));
    GOOD(sluice_plan_update(after, second, 5, &error));
    assert_true(bad.touched > 2);
    // The client dies somewhere on the way.
    bad.lose = bad.twice = bad.swap = bad.damage = 0;
    bad.held_len = 0;
    bad.dies_after = bad.frames + 4 * seed;
    seen[2] += sluice_chip_update_plan(r.chip, after, NULL, &error) != SLUICE_OK;
    sluice_chip_close(r.chip);
    const struct sluice_plan *const plans[] = {before, after};
    GOOD(sluice_chip_open(&r.chip, &r.model, &keep, &error));
    GOOD(sluice_chip_adopt(r.chip, plans, 2, &which, &error));
    seen[which]++;
    GOOD(sluice_chip_audit(r.chip, &error));
    LEAVES(&r, 5, 1, which ? 9 : 6);
    LEAVES(&r, 6, 1, 6);
    HOLDS(&r, 255, 0x70);
    // 250 has the set that only the new version has; else it is nobody's.
    HOLDS(&r, 250, which ? 9 : 0);
    if (which) SAYS(SLUICE_ERR_EXISTS, "(VLAN 5)", sluice_chip_group_set(r.chip, 250, 3, &error));
    else GOOD(sluice_chip_group_set(r.chip, 250, 3, &error));
    SAYS(SLUICE_ERR_EXISTS, "(VLAN 6)", sluice_chip_group_set(r.chip, 251, 3, &error));
    GOOD(sluice_chip_load(r.chip, first, 7, &error));
    HOLDS(&r, 255, 0x70);
    LEAVES(&r, 7, 1, 6);
    GOOD(r.model.ops->reset(r.model.self, &error));
    SAYS(SLUICE_ERR_IO, "the chip was reset", sluice_chip_load(r.chip, first, 8, &error));
    GOOD(chip_settle(r.chip, &error));
    GOOD(sluice_chip_audit(r.chip, &error));
    LEAVES(&r, 7, 2, 0x3000);
  }
  printf("%u of 4 in the version before, %u in the new one; %u updates failed\n", seen[0], seen[1],
         seen[2]);
  assert_true(seen[0] && seen[1] && seen[2] > seen[0]);
}
