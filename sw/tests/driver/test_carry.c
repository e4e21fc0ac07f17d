// SPDX-License-Identifier: Apache-2.0
// State that goes along when another version of its module comes in its place: each entry and each
// row, of modules in any overlay row; what is lost, and how it is told. And the places of state
// that have names of their own: rows of arrays, lanes of egress arrays.

#include "tests/rig/test.h"
#include "driver/chip/carry.h"
#include "tests/rig/chip_rig.h"
#include "tests/rig/says.h"
#include "tests/rig/table_rig.h"

enum { SIZE = 100, FIRST = 7, ROWS = 16, WORDS = 8 };

#define PROGRAM(SIZE)                                                                        \
  "struct Packet { int i @ bytes(46, 2); int out @ bytes(48, 4); int v[8] @ array(62); };\n" \
  "int s[" SIZE "] = {7};\nint r[16][8];\n"                                                  \
  "void f(struct Packet p) { s[p.i] += 1; p.out = s[p.i]; r[p.i] += p.v; }\n"

struct life {
  struct sluice_transport model;
  struct sluice_chip *chip;
};

static void begin(struct life *l, const char *chip) {
  GOOD(sluice_transport_model(&l->model, chip, NULL, &error));
  GOOD(sluice_chip_open(&l->chip, &l->model, NULL, &error));
}
static void end(struct life *l) {
  GOOD(sluice_chip_audit(l->chip, &error));
  sluice_chip_close(l->chip);
  sluice_transport_close(&l->model);
}

static struct sluice_image *program(const char *text) {
  struct sluice_image *image = compiled_text(text, "arrays");
  if (!image) fail_msg("not compiled: %s", text);
  return image;
}

// Entries and rows of a module: each its own value, or as they begin.
static bool is_set(unsigned i) { return i != 1 && i != 50; }
static void fill(struct life *l, unsigned vid) {
  uint32_t s[SIZE], r[ROWS][WORDS] = {{0}};
  for (unsigned i = 0; i < SIZE; i++) s[i] = is_set(i) ? vid << 16 | i : FIRST;
  for (unsigned i = 0; i < ROWS; i++)
    for (unsigned w = 0; is_set(i) && w < WORDS; w++) r[i][w] = vid << 16 | i << 8 | w;
  GOOD(sluice_chip_state_write(l->chip, vid, "s", 0, SIZE, s, &error));
  // Rows one after the other, then some with one call.
  GOOD(sluice_chip_rows_write(l->chip, vid, "r", 0, 1, r[0], &error));
  GOOD(sluice_chip_rows_write(l->chip, vid, "r", 2, ROWS - 2, r[2], &error));
}
static void holds(struct life *l, unsigned vid, bool filled) {
  uint32_t s[SIZE], r[ROWS][WORDS];
  GOOD(sluice_chip_state_read(l->chip, vid, "s", 0, SIZE, s, &error));
  GOOD(sluice_chip_rows_read(l->chip, vid, "r", 0, ROWS, r[0], &error));
  for (unsigned i = 0; i < SIZE; i++)
    if (s[i] != (filled && is_set(i) ? vid << 16 | i : FIRST))
      fail_msg("VLAN %u: s[%u] is %x", vid, i, s[i]);
  for (unsigned i = 0; i < ROWS; i++)
    for (unsigned w = 0; w < WORDS; w++)
      if (r[i][w] != (filled && is_set(i) ? vid << 16 | i << 8 | w : 0))
        fail_msg("VLAN %u: r[%u][%u] is %x", vid, i, w, r[i][w]);
}

TEST(state_moves_with_its_module) {
  struct sluice_image *image CLOSED_BY(close_image) = program(PROGRAM("100"));
  struct sluice_carry carry CLOSED_BY(sluice_carry_release);
  struct sluice_plan *next;
  struct life l;
  char text[100] = "?";
  begin(&l, "arrays");
  // VLAN 32 has overlay row 0. One module stays where it is.
  const unsigned vids[] = {sluice_config_find("arrays")->NumModules, 5, 6};
  for (unsigned n = 0; n < 3; n++) {
    GOOD(sluice_chip_load(l.chip, image, vids[n], &error));
    fill(&l, vids[n]);
    holds(&l, vids[n], true);
  }
  GOOD(sluice_plan_copy(&next, sluice_chip_plan(l.chip), &error));
  for (unsigned n = 0; n < 2; n++) GOOD(sluice_plan_replace(next, image, vids[n], &error));
  GOOD(sluice_carry_look(&carry, sluice_chip_plan(l.chip), next, NULL, NULL, &error));
  FIELDS_ARE(&carry, (num_moves, 4), (num_lost, 0));
  sluice_carry_say(&carry, text, sizeof text);
  assert_string_equal(text, "");
  GOOD(sluice_carry_take(&carry, l.chip, &error));
  GOOD(sluice_chip_apply(l.chip, next, &error));
  for (unsigned n = 0; n < 3; n++) holds(&l, vids[n], n == 2);
  GOOD(sluice_carry_give(&carry, l.chip, &error));
  for (unsigned n = 0; n < 3; n++) holds(&l, vids[n], true);
  sluice_plan_close(next);
  end(&l);
}

TEST(what_is_lost_is_told) {
  static const struct {
    const char *text, *says;
    unsigned lost;
  } next_versions[] = {
      {PROGRAM("100"), "", 0},
      {PROGRAM("99"), "'s' of VLAN 5 (it has another size)", 1},
      {"struct Packet { int i @ bytes(46, 2); int out @ bytes(48, 4); };\nint t[100] = {7};\n"
       "void f(struct Packet p) { t[p.i] += 1; p.out = t[p.i]; }\n",
       "'s' of VLAN 5 (the new version has no such array), 'r' of VLAN 5 (the new version has no "
       "such array)",
       2}};
  struct sluice_image *image CLOSED_BY(close_image) = program(PROGRAM("100"));
  struct life l CLOSED_BY(end);
  begin(&l, "arrays");
  GOOD(sluice_chip_load(l.chip, image, 5, &error));
  for (size_t i = 0; i < sizeof next_versions / sizeof *next_versions; i++) {
    struct sluice_image *other CLOSED_BY(close_image) = program(next_versions[i].text);
    struct sluice_carry carry CLOSED_BY(sluice_carry_release);
    struct sluice_plan *next CLOSED_BY(close_plan);
    char text[300] = "?";
    GOOD(sluice_plan_copy(&next, sluice_chip_plan(l.chip), &error));
    GOOD(sluice_plan_replace(next, other, 5, &error));
    GOOD(sluice_carry_look(&carry, sluice_chip_plan(l.chip), next, NULL, NULL, &error));
    assert_int_equal(carry.num_lost, next_versions[i].lost);
    sluice_carry_say(&carry, text, sizeof text);
    assert_string_equal(text, next_versions[i].says);
  }
}

// Entries that the new version has with the same keys and priority are not lost.
TEST(entries_of_tables_are_lost_with_their_table) {
  struct sluice_image image CLOSED_BY(sluice_image_release) = rig_image("tables"),
                            other CLOSED_BY(sluice_image_release) = rig_image("tables");
  const struct sluice_table_change list[] = {
      {.vid = 5, .table = "acl", .keys = {{0x0a000001, ~0u}}, .priority = 3, .action = "drop"},
      {.vid = 5, .table = "acl", .keys = {{0x0a000002, ~0u}}, .priority = 4, .action = "drop"}};
  struct life l CLOSED_BY(end);
  strcpy(other.tables[RIG_ACL].name, "rules");
  begin(&l, "tables");
  GOOD(sluice_chip_load(l.chip, &image, 5, &error));
  GOOD(sluice_chip_table_change(l.chip, list, 2, NULL, NULL, &error));
  for (unsigned lost = 0; lost < 2; lost++) {
    struct sluice_carry carry CLOSED_BY(sluice_carry_release);
    struct sluice_plan *next CLOSED_BY(close_plan);
    char text[200];
    GOOD(sluice_plan_copy(&next, sluice_chip_plan(l.chip), &error));
    GOOD(sluice_plan_update(next, lost ? &other : &image, 5, &error));
    GOOD(sluice_carry_look(&carry, sluice_chip_plan(l.chip), next, NULL, NULL, &error));
    assert_int_equal(carry.num_lost, lost);
    sluice_carry_say(&carry, text, sizeof text);
    if (lost && strncmp(text, "'acl' of VLAN 5 (", 17) != 0) fail_msg("%s", text);
  }
}

// An array of an egress function is there once a lane, under the lane's number or that of a port.
TEST(lanes_have_the_numbers_of_the_chip) {
  struct sluice_image *image CLOSED_BY(close_image) =
      compiled("sw/programs/egress/number.dom", "s2");
  struct sluice_chip_info info;
  struct life l CLOSED_BY(end);
  uint32_t word;
  assert_non_null(image);
  begin(&l, "s2");
  GOOD(sluice_chip_load(l.chip, image, 5, &error));
  sluice_chip_describe(l.chip, &info);
  for (unsigned at = 0; at < info.ports + 2; at++) {
    char port[40], lane[40];
    snprintf(port, sizeof port, "sent@port %u", at);
    snprintf(lane, sizeof lane, "sent@lane %u", at);
    if (at < info.ports) GOOD(sluice_chip_state_read(l.chip, 5, port, 0, 1, &word, &error));
    else
      SAYS(SLUICE_ERR_RANGE, "'sent@port 0' to '@port ",
           sluice_chip_state_read(l.chip, 5, port, 0, 1, &word, &error));
    if (at < info.pipes) GOOD(sluice_chip_state_read(l.chip, 5, lane, 0, 1, &word, &error));
    else
      SAYS(SLUICE_ERR_RANGE, "'sent@lane 0' to '@lane ",
           sluice_chip_state_read(l.chip, 5, lane, 0, 1, &word, &error));
  }
}
