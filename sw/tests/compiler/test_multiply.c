// SPDX-License-Identifier: Apache-2.0
// Products: what becomes of them on chips with multipliers and without, programs with them against
// the interpreter, and what a chip says that has none. Run from the root of the tree.

#include <dirent.h>

#include "tests/rig/cases.h"
#include "tests/rig/domino_gen.h"
#include "tests/rig/domino_rig.h"
#include "tests/rig/texts.h"

static struct sluice_config with_multipliers(void) {
  struct sluice_config config = *sluice_config_find("k4");
  config.Multipliers = 1;
  return config;
}

// Packets through the program, if the chip takes it. How many stages multiply; -1: it is refused.
static int run(const char *name, const char *text, const struct sluice_config *config,
               unsigned packets) {
  struct sluice_diags diags = {0};
  struct sluice_rng rng;
  struct rig rig;
  const enum rig_opened opened = rig_open(&rig, text, config, &diags);
  if (opened == RIG_BROKEN) fail_msg("%s: %s\n%s", name, rig.why, text);
  const int stages = opened == RIG_OPEN ? __builtin_popcount(rig.usage.multiplier_stages) : -1;
  sluice_rng_init(&rng, 1, name);
  for (unsigned i = 0; i < packets && opened == RIG_OPEN; i++)
    if (!rig_packet(&rig, &rng)) fail_msg("%s, packet %u: %s\n%s", name, i, rig.why, text);
  if (opened == RIG_OPEN && !rig_state(&rig)) fail_msg("%s: %s", name, rig.why);
  rig_close(&rig);
  sluice_diags_release(&diags);
  return stages;
}

static void program(char *text, size_t len, const char *states, const char *body) {
  snprintf(text, len,
           "struct Packet { int x @ bytes(46, 4); int y @ bytes(50, 4); int z @ bytes(54, 4); int "
           "b @ bytes(58, 1); int t; int u; };\n"
           "%s void f(struct Packet p) { %s }\n",
           states, body);
}

static void try_product(void *user, const struct one_case *c) {
  const struct sluice_config with = with_multipliers(), *const chips[] = {&with, user};
  const char *bar = strstr(c->request, " :: "), *body = bar ? bar + 4 : c->request;
  char text[600], states[100] = "", is[40] = "";
  if (bar) snprintf(states, sizeof states, "%.*s", (int)(bar - c->request), c->request);
  program(text, sizeof text, states, body);
  for (unsigned k = 0; k < 2; k++) {
    const int stages = run(body, text, chips[k], k ? 500 : 2000);
    char *end = is + strlen(is);
    if (stages < 0) sprintf(end, "%snone", k ? " " : "");
    else sprintf(end, "%s%d", k ? " " : "", stages);
  }
  cases_answer(c, is);
}

TEST(products_go_where_they_are_quickest) {
  struct sluice_config without = *sluice_config_find("k4");
  cases_each("sw/tests/compiler/multiply.cases", "stages", try_product, &without);
}

// More products with constants than stages: those that can be sums are sums again, and it fits.
TEST(constants_are_sums_where_units_are_few) {
  struct sluice_config few = with_multipliers();
  few.BackStages = few.StateStages = 2;
  few.FrontStages = 1;
  static const char text[] = "struct Packet { int x @ bytes(46, 4); int y @ bytes(50, 4); int z @ "
                             "bytes(54, 4); int w @ bytes(58, 4); };\n"
                             "void f(struct Packet p) { p.x = p.x * 11; p.y = p.y * 13; p.z = p.z "
                             "* 19; p.w = p.w * 37; }\n";
  few.FrontStages = 0;
  few.BackStages = few.StateStages = 5;  // the constants take the first
  assert_int_equal(run("four in five stages", text, &few, 500), 4);
  few.BackStages = few.StateStages = 3;
  assert_int_equal(run("four in three stages", text, &few, 500), 0);
  few.BackStages = few.StateStages = 2;
  assert_int_equal(run("four in two stages", text, &few, 500), -1);
}

// What the units make changes nothing of what other programs do.
TEST(others_run_as_interpreted) {
  static const char *const folders[] = {"sw/programs", "sw/tests/accept"};
  const struct sluice_config with = with_multipliers();
  unsigned num = 0;
  for (unsigned f = 0; f < 2; f++) {
    DIR *dir = opendir(folders[f]);
    assert_non_null(dir);
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
      char path[600];
      const size_t len = strlen(e->d_name);
      if (len < 5 || strcmp(e->d_name + len - 4, ".dom") != 0) continue;
      snprintf(path, sizeof path, "%s/%s", folders[f], e->d_name);
      char *text = text_of(path);
      if (run(path, text, &with, 300) < 0)
        fail_msg("%s is refused on a chip with multipliers", path);
      free(text);
      num++;
    }
    closedir(dir);
  }
  assert_true(num > 40);
}

TEST(random_programs_with_products_run_as_interpreted) {
  static struct gen gen = {.products = true};
  const struct sluice_config with = with_multipliers(),
                             *chips[2] = {&with, sluice_config_find("multiply")};
  unsigned compiled = 0, multiply = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct sluice_rng rng;
    char name[40];
    snprintf(name, sizeof name, "program %u", (unsigned)seed);
    sluice_rng_init(&rng, seed, "products");
    gen_program(&gen, &rng);
    const int stages = run(name, gen.text, chips[seed % 2], 60);
    compiled += stages >= 0;
    multiply += stages > 0;
  }
  printf("%u of 300 random programs compiled, %u with multipliers\n", compiled, multiply);
  assert_true(compiled > 60);
  assert_true(multiply > 15);
}

TEST(avq_runs_as_interpreted) {
  char *text CLOSED_BY(freed) = text_of("sw/programs/multiply/avq.dom");
  struct sluice_config k1 = with_multipliers();
  k1.NumPipes = 1;
  assert_int_equal(run("avq on multiply", text, sluice_config_find("multiply"), 4000), 1);
  assert_int_equal(run("avq on one pipeline", text, &k1, 4000), 1);
}

TEST(a_chip_without_says_who_has) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {0};
  char text[600];
  program(text, sizeof text, "", "p.z = p.x * p.y;");
  struct sluice_program *p CLOSED_BY(free_program) =
      sluice_program_parse("x", text, strlen(text), &diags);
  assert_int_equal(sluice_compile(p, sluice_config_find("tiny"), NULL, &image, &diags),
                   SLUICE_ERR_FULL);
  assert_string_equal(diags.list[0].text,
                      "the product of two values that are not constant, and chip 'tiny' has no "
                      "multipliers; 's2' and 's4' have some");
  // An image of a chip that has them, on one that has not: the driver says it.
  assert_int_equal(sluice_compile(p, sluice_config_find("multiply"), NULL, &image, &diags),
                   SLUICE_OK);
  struct sluice_config without = *sluice_config_find("multiply");
  without.Multipliers = 0;
  for (unsigned i = 0; i < 2; i++) {
    struct sluice_plan plan;
    struct sluice_error error;
    sluice_plan_init(&plan, &without);
    assert_int_equal(sluice_plan_add(&plan, &image, 1, &error), SLUICE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "multiplies two values at stage"));
    assert_non_null(
        strstr(error.text, "chip 'multiply' has no multipliers; 's2' and 's4' have some"));
    sluice_plan_release(&plan);
    // Without the operands the action that asks for the product is left.
    for (size_t n = 0; n < image.num_writes; n++)
      if (image.writes[n].table == SLUICE_TABLE_MULTIPLY)
        image.writes[n] = image.writes[--image.num_writes];
  }
}
