// SPDX-License-Identifier: Apache-2.0
// Choices by wide compares: random programs, compiled for a chip with them, do what their texts
// say; so do texts that are all comparisons; how many stages that saves.
//
// SLUICE_SEED and SLUICE_PROGRAMS in the environment choose the programs. Run from the root of the
// tree.

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "tests/rig/domino_gen.h"
#include "tests/rig/domino_rig.h"
#include "tests/rig/shapes_all.h"

enum { PACKETS = 60 };

static struct sluice_config chip(const struct sluice_config *shape, bool wide) {
  struct sluice_config c = *shape;
  c.WideCompare = wide;
  return c;
}

static unsigned compares(const struct sluice_image *image) {
  unsigned num = 0;
  for (size_t i = 0; i < image->num_writes; i++)
    num += image->writes[i].table == SLUICE_TABLE_KEY_COMPARE;
  return num;
}

// Stages that the text takes; 0: it does not fit. `compared` of them compare.
static unsigned stages(const char *text, const struct sluice_config *config, uint64_t seed,
                       unsigned *compared) {
  struct sluice_diags diags = {0};
  struct sluice_rng rng;
  struct rig rig;
  sluice_rng_init(&rng, seed, "packets");
  const enum rig_opened opened = rig_open(&rig, text, config, &diags);
  bool good = opened != RIG_BROKEN;
  for (unsigned i = 0; good && opened == RIG_OPEN && i < PACKETS; i++)
    good = rig_packet(&rig, &rng);
  if (good && opened == RIG_OPEN) good = rig_state(&rig);
  if (!good)
    fail_msg("%s\non %s: %s\nrepeat with SLUICE_SEED=%llu SLUICE_PROGRAMS=1", text, config->name,
             rig.why, (unsigned long long)seed);
  const unsigned taken = opened == RIG_OPEN ? rig.usage.front_stages + rig.usage.back_stages : 0;
  *compared = opened == RIG_OPEN ? compares(&rig.image) : 0;
  rig_close(&rig);
  sluice_diags_release(&diags);
  return taken;
}

static const char head[] =
    "struct Packet { int a @ bytes(42, 4); int b @ bytes(46, 4); int c @ bytes(50, 4); int s @ "
    "bytes(54, 2); int m @ bytes(56, 4); int n @ bytes(60, 4); int q @ bytes(64, 2); int in @ "
    "meta.port_in; int out @ meta.port_out; int drop @ meta.discard; };\n";

static const char *one_of(struct sluice_rng *rng, const char *const *list, unsigned num) {
  return list[sluice_rng_below(rng, num)];
}

// Choices by comparisons, one behind the other and in each other.
static void write_choices(char *text, size_t len, struct sluice_rng *rng) {
  static const char *const values[] = {"p.a", "p.b", "p.c", "p.s", "p.in", "p.m", "p.n", "p.q"},
                           *const relations[] = {"<", "<=", ">", ">=", "==", "!="},
                           *const numbers[] = {"0", "5", "-1", "1500", "70000", "-70000"},
                           *const operations[] = {"+", "-", "&", "^", "|"},
                           *const results[] = {"p.m", "p.n", "p.q", "p.out", "p.drop"};
  const unsigned num = 1 + (unsigned)sluice_rng_below(rng, 4);
  size_t at = (size_t)snprintf(text, len, "%sint sum = 3;\nvoid f(struct Packet p) {\n", head);
  bool some_sum = false;
#define SAY(...) (at += (size_t)snprintf(text + at, len - at, __VA_ARGS__))
#define VALUE one_of(rng, values, 8)
#define NUMBER one_of(rng, numbers, 6)
  for (unsigned i = 0; i < num; i++) {
    const char *to = one_of(rng, results, 5);
    if (sluice_rng_below(rng, 3) == 0)
      SAY("  if (%s %s %s) ", VALUE, one_of(rng, relations, 6), VALUE);
    SAY("%s = %s %s %s ? ", to, VALUE, one_of(rng, relations, 6),
        sluice_rng_below(rng, 2) ? VALUE : NUMBER);
    if (sluice_rng_below(rng, 2)) SAY("%s : ", VALUE);
    else
      SAY("%s %s %s : ", VALUE, one_of(rng, operations, 5),
          sluice_rng_below(rng, 2) ? VALUE : NUMBER);
    SAY("%s;\n", sluice_rng_below(rng, 2) ? VALUE : NUMBER);
  }
  if (sluice_rng_below(rng, 3) == 0) {
    SAY("  if (%s < %s) sum += %s;\n", VALUE, NUMBER, VALUE);
    some_sum = true;
  }
  SAY("%s}\n", some_sum ? "" : "  sum = p.a;\n");
}

TEST(random_programs_take_no_more_stages) {
  static struct gen gen = {.rich = true};
  char choices[4000];
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 num = from_environment("SLUICE_PROGRAMS", 60);
  unsigned compiled = 0, used = 0, before = 0, behind = 0, fewer = 0, units = 0;
  for (uint64_t i = 0; i < num; i++) {
    const struct sluice_config plain = chip(shape_of_all(seed + i), false),
                               wide = chip(shape_of_all(seed + i), true);
    struct sluice_rng rng;
    unsigned none, some;
    sluice_rng_init(&rng, seed + i, "wide compares");
    if ((seed + i) % 4) write_choices(choices, sizeof choices, &rng);
    else gen_program(&gen, &rng);
    const char *text = (seed + i) % 4 ? choices : gen.text;
    const unsigned without = stages(text, &plain, seed + i, &none),
                   with = stages(text, &wide, seed + i, &some);
    assert_int_equal(none, 0);
    if (without && (!with || with > without))
      fail_msg("%s\ntakes %u stages, %u without wide compares; SLUICE_SEED=%llu", text, with,
               without, (unsigned long long)(seed + i));
    fewer += with < without;
    if (with) before += without, behind += with;
    // As many choices as there are.
    rig_how.wide = true;
    compiled += stages(text, &wide, seed + i, &some) != 0;
    rig_how.wide = false;
    used += some != 0;
    units += some;
  }
  printf("%llu random programs: %u of them take fewer stages, %u and not %u in all; %u compiled "
         "with all choices, %u of them have some, %u wide compares; SLUICE_SEED=%llu\n",
         (unsigned long long)num, fewer, behind, before, compiled, used, units,
         (unsigned long long)seed);
  if (num >= 60) assert_true(compiled * 3 > num && used * 3 > num && fewer > 0);
}

// The stages that a text takes with and without wide compares, on k4.
static const struct {
  const char *body;
  unsigned before, behind;
} texts[] = {
    {"p.m = p.a < p.b ? p.c : 7;", 2, 1},
    {"p.m = p.a <= p.b ? p.c + 1 : p.c - p.a;", 2, 1},
    // A constant that no operand of an ALU has takes a stage before the comparison.
    {"if (p.a > 70000) p.m = p.b;", 4, 1},
    {"if (p.a >= -70000) p.m = 80000; else p.m = p.b;", 4, 2},
    {"if (70000 > p.a) p.m = p.b & 15;", 4, 1},
    {"if (70000 >= p.a) p.m = p.b;", 4, 1},
    {"if (p.a == p.b) p.m = 1; else p.m = p.c;", 2, 1},
    {"if (p.a != p.b) p.m = p.c;", 2, 1},
    {"if (p.s > 1500) p.drop = 1;", 2, 1},
    {"p.drop = p.a < p.b;", 2, 1},
    {"p.drop = !(p.a < 100000);", 4, 1},
    {"p.out = p.a < p.b ? 3 : 0;", 3, 1},
    {"if (p.a < p.b) { p.out = 1; p.m = p.c; p.n = p.b - 1; } else p.out = p.s & 3;", 3, 2},
    // Two comparisons stand in two stages.
    {"p.m = p.a < p.b ? p.c : 7; p.n = p.b < p.c ? 1 : 2;", 2, 2},
    // `else if` is a choice in a choice.
    {"if (p.a < p.b) p.m = 1; else if (p.b < p.c) p.m = 2; else p.m = 3;", 3, 2},
    // Nothing is saved: the value of the comparison itself; a test for 0.
    {"p.m = p.a < p.b;", 1, 1},
    {"p.m = p.a ? p.b : p.c;", 1, 1},
    // A port of more than three bits, by a comparison, beside a discard flag that needs none.
    {"p.out = p.a < p.b ? 12 : 9; p.drop = p.b;", 3, 2},
    {"p.out = p.a < p.b ? 12 : 9; p.drop = p.a < p.b;", 3, 1},
};

TEST(comparisons_take_one_stage) {
  const struct sluice_config *k4 = sluice_config_find("k4");
  const struct sluice_config plain = chip(k4, false), wide = chip(k4, true);
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    char text[600];
    unsigned none, some;
    snprintf(text, sizeof text, "%svoid f(struct Packet p) {\n%s\n}\n", head, texts[i].body);
    const unsigned before = stages(text, &plain, i, &none), behind = stages(text, &wide, i, &some);
    if (before != texts[i].before || behind != texts[i].behind)
      fail_msg("%s: %u stages without wide compares, %u with them; not %u and %u", texts[i].body,
               before, behind, texts[i].before, texts[i].behind);
    assert_true(none == 0 && (some > 0) == (behind < before));
  }
}
