// SPDX-License-Identifier: Apache-2.0
// Fields of 6 bytes: random programs that copy, compare and test them, whole and with 32-bit values
// among them, do what their texts say on every shape. What cannot be done with 48 bits is refused
// or warned of where it stands.
//
// SLUICE_SEED and SLUICE_PROGRAMS in the environment choose the programs. Run from the root of the
// tree.

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "tests/rig/domino_gen.h"
#include "tests/rig/domino_rig.h"
#include "tests/rig/shapes_all.h"

enum { PACKETS = 60 };

// ---- programs -----------------------------------------------------------------------------------

static void pick(struct gen *g, const char *const *list, unsigned num) {
  gen_put(g, "%s", list[gen_below(g, num)]);
}

static void six(struct gen *g) {
  static const char *const fields[] = {"p.d", "p.s", "p.v", "p.t", "p.u"};
  pick(g, fields, 5);
}

static void value(struct gen *g, unsigned depth);

static void condition(struct gen *g, unsigned depth) {
  switch (gen_below(g, depth ? 6 : 2)) {
    case 0:
    case 1:
      gen_put(g, "(");
      value(g, 0);
      gen_put(g, gen_below(g, 2) ? " == " : " != ");
      value(g, depth ? 1 : 0);
      gen_put(g, ")");
      return;
    case 2: six(g); return;
    case 3:
      gen_put(g, "!");
      six(g);
      return;
    case 4:
      gen_put(g, "(");
      condition(g, depth - 1);
      gen_put(g, gen_below(g, 2) ? " && " : " || ");
      condition(g, depth - 1);
      gen_put(g, ")");
      return;
    default: gen_put(g, "(p.x < p.y)"); return;
  }
}

static void value(struct gen *g, unsigned depth) {
  static const char *const numbers[] = {
      "02:00:00:00:00:01", "ff:ff:ff:ff:ff:ff", "0x2000000ffff", "7", "-1", "0",
      "00:01:00:00:00:00"};
  const unsigned kind = gen_below(g, depth ? 8 : 6);
  if (kind < 4) six(g);
  else if (kind == 4) {
    if (depth) pick(g, numbers, 7);
    else six(g);
  } else if (kind == 5) gen_put(g, gen_below(g, 2) ? "p.x" : "p.n");
  else {
    gen_put(g, "(");
    condition(g, depth - 1);
    gen_put(g, " ? ");
    value(g, depth - 1);
    gen_put(g, " : ");
    value(g, depth - 1);
    gen_put(g, ")");
  }
}

static void statement(struct gen *g, unsigned depth) {
  if (depth && gen_below(g, 3) == 0) {
    gen_put(g, "if (");
    condition(g, 1);
    gen_put(g, ") { ");
    statement(g, depth - 1);
    if (gen_below(g, 2)) {
      gen_put(g, "} else { ");
      statement(g, depth - 1);
    }
    gen_put(g, "}\n");
    return;
  }
  switch (gen_below(g, 6)) {
    case 0:
      gen_put(g, "p.y = ");
      condition(g, 1);
      break;
    case 1: gen_put(g, "n[p.i] += 1; p.n = n[p.i]"); break;
    case 2:
      six(g);
      gen_put(g, " = p.x");
      break;
    default:
      six(g);
      gen_put(g, " = ");
      value(g, 2);
      break;
  }
  gen_put(g, ";\n");
}

static void program(struct gen *g, struct sluice_rng *rng) {
  g->rng = rng;
  g->len = 0;
  gen_put(g, "struct Packet { int d @ eth.dst; int s @ eth.src; int v @ bytes(46, 6); int x @ "
             "bytes(52, 4); int y @ bytes(56, 4); int o @ meta.port_out; int t; int u; int n; int "
             "i; };\nint n[8];\nvoid f(struct Packet p) {\np.i = p.x & 7;\n");
  for (unsigned n = 1 + gen_below(g, 4); n; n--) statement(g, 2);
  gen_put(g, "}\n");
}

static bool run_on(const char *text, uint64_t seed, const struct sluice_config *chip) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_rng rng;
  struct rig rig CLOSED_BY(rig_close);
  sluice_rng_init(&rng, seed, "packets");
  const enum rig_opened opened = rig_open(&rig, text, chip, &diags);
  bool good = opened == RIG_OPEN;
  if (opened == RIG_REJECTED) {
    good = diags.num_errors > 0;
    // A temporary that nothing of 48 bits is assigned to is compared with such a number.
    for (size_t i = 0; !rig.program && i < diags.num; i++)
      good &= diags.list[i].severity != SLUICE_SEVERITY_ERROR ||
              strcmp(diags.list[i].id, "bad-number") == 0;
    snprintf(rig.why, sizeof rig.why, "refused without a reason");
  }
  for (unsigned i = 0; good && opened == RIG_OPEN && i < PACKETS; i++)
    good = rig_packet(&rig, &rng);
  if (good && opened == RIG_OPEN) good = rig_state(&rig);
  if (!good) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s\non %s: %s\nrepeat with SLUICE_SEED=%llu SLUICE_PROGRAMS=1", text, chip->name,
             rig.why, (unsigned long long)seed);
  }
  return opened == RIG_OPEN;
}

TEST(random_programs_keep_all_48_bits) {
  static struct gen gen;
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 num = from_environment("SLUICE_PROGRAMS", 150);
  uint64_t compiled = 0;
  for (uint64_t i = 0; i < num; i++) {
    struct sluice_rng rng;
    sluice_rng_init(&rng, seed + i, "six bytes");
    program(&gen, &rng);
    compiled += run_on(gen.text, seed + i, sluice_config_find("k4"));
    compiled += run_on(gen.text, seed + i, shape_of_all(seed + i));
  }
  printf(
      "%llu of %llu compilations of random programs with fields of 6 bytes fit; SLUICE_SEED=%llu\n",
      (unsigned long long)compiled, (unsigned long long)(2 * num), (unsigned long long)seed);
  if (num >= 100) assert_true(compiled > num);
}

// ---- what cannot be done ------------------------------------------------------------------------

static const char head[] = "struct Packet { int d @ eth.dst; int s @ eth.src; int x @ bytes(52, "
                           "4); int y @ bytes(56, 2); int t; };\nint n; int a[8];\n";

TEST(what_takes_32_bits_says_so) {
  static const struct {
    const char *body, *id;
  } texts[] = {
      {"p.d = p.s;", NULL},
      {"p.d = 02:00:00:00:00:01;", NULL},
      {"if (p.d == 02:00:00:00:00:01) p.x = 1;", NULL},
      {"if (p.d != p.s) p.x = 1;", NULL},
      {"p.t = p.d; p.d = p.s; p.s = p.t;", NULL},
      {"p.x = p.d & 255;", NULL},
      {"p.x = p.d;", "low-bits"},
      {"p.x = p.d + 1;", "low-bits"},
      {"p.d = p.d + 1;", "low-bits"},
      {"if (p.d < p.x) p.x = 1;", "low-bits"},
      {"n = p.d;", "low-bits"},
      {"a[p.s & 7] = p.x ? p.s : 0;", "low-bits"},
      {"p.x = 02:00:00:00:00:01;", "bad-number"},
      {"n = 02:00:00:00:00:01;", "bad-number"},
      {"p.d = p.x + 02:00:00:00:00:01;", "bad-number"},
      {"if (p.x == 02:00:00:00:00:01) p.y = 1;", "bad-number"},
      {"if (p.x < 02:00:00:00:00:01) p.y = 1;", "bad-number"},
      {"p.d = -02:00:00:00:00:01;", "bad-number"},
  };
  for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    char text[600];
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    snprintf(text, sizeof text, "%svoid f(struct Packet p) { %s }\n", head, texts[i].body);
    sluice_program_free(sluice_program_parse("x", text, strlen(text), &diags));
    if (diags.num != (texts[i].id ? 1u : 0u) ||
        (texts[i].id && strcmp(diags.list[0].id, texts[i].id) != 0)) {
      sluice_diags_print(&diags, stderr);
      fail_msg("%s: not '%s'", texts[i].body, texts[i].id ? texts[i].id : "");
    }
  }
}
