// SPDX-License-Identifier: Apache-2.0
// The same update in other words is the same code: random updates (smt/update.h), each written in
// several ways, get one verdict of the compiler and take as many stages. What is accepted runs as
// interpreted, and every text is interpreted as the first.
//
// SLUICE_SEED and SLUICE_PROGRAMS in the environment choose the updates, SLUICE_BRANCHES how large
// they may be. Run from the root of the tree.

#include "tests/rig/test.h"
#include "tests/rig/compile.h"
#include "tests/rig/environment.h"
#include "tests/rig/domino_rig.h"
#include "tests/smt/update.h"

enum { TEXTS = 5, SMALL = 7, ROOM = 16000, RUNS = 40, PACKETS = 12 };

// The text means what the update does, over packets in a row.
static void check_meaning(const struct update *u, const char *text, uint64_t seed) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_rng rng;
  uint32_t old[2] = {0, 0};
  struct sluice_program *program CLOSED_BY(free_program) = parsed("form.dom", text, &diags);
  struct sluice_interpreter *run CLOSED_BY(free_interpreter) = sluice_interpreter_new(program);
  sluice_rng_init(&rng, seed, "form packets");
  for (unsigned i = 0; i < RUNS; i++) {
    struct packet p;
    uint32_t now[2];
    packet_draw(u, &p, 1, &rng);
    int32_t field[FIELDS + 2] = {(int32_t)p.field[0], (int32_t)p.field[1], (int32_t)p.field[2]};
    update_run(u, p.field, old, now);
    sluice_interpreter_run(run, field);
    for (unsigned w = 0; w < u->words; w++)
      if (sluice_interpreter_state(run, w, 0) != (int32_t)now[w])
        fail_msg("seed %llu: the text means another update\n%s", (unsigned long long)seed, text);
    memcpy(old, now, sizeof old);
  }
}

// Stages that the text takes; -1: it is refused.
static int stages_of(const char *text, const struct sluice_config *chip, uint64_t seed) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_rng rng;
  struct rig rig CLOSED_BY(rig_close);
  sluice_rng_init(&rng, seed, "form run");
  const enum rig_opened opened = rig_open(&rig, text, chip, &diags);
  bool good = opened != RIG_BROKEN;
  for (unsigned i = 0; opened == RIG_OPEN && good && i < PACKETS; i++)
    good = rig_packet(&rig, &rng);
  if (opened == RIG_OPEN && good) good = rig_state(&rig);
  if (!good) fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, rig.why, text);
  const unsigned stages = rig.usage.front_stages + rig.usage.back_stages;
  return opened == RIG_OPEN ? (int)stages : -1;
}

// What never changes a word, or takes one word to know the other in one direction only, may be
// found out in one text and not in another.
static bool plain(const struct update *u, struct sluice_rng *rng) {
  static struct packet list[RUNS];
  bool changed = false;
  for (unsigned i = 0; i < RUNS; i++) {
    packet_draw(u, &list[i], i, rng);
    for (unsigned k = 0; k < list[i].num; k++)
      changed |= memcmp(list[i].old[k], list[i].now[k], u->words * sizeof **list[i].now) != 0;
  }
  return changed && update_mutual(u, list, RUNS);
}

TEST(one_update_in_all_words_is_one_code) {
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 programs = from_environment("SLUICE_PROGRAMS", 16),
                 small = from_environment("SLUICE_BRANCHES", SMALL);
  const bool show = getenv("SLUICE_SHOW");
  setvbuf(stdout, NULL, _IOLBF, 0);
  const struct sluice_config *chip = sluice_config_find("k4");
  unsigned accepted = 0, refused = 0, differ = 0;
  for (uint64_t i = seed; i < seed + programs; i++) {
    struct sluice_rng rng;
    struct update u;
    static char text[TEXTS][ROOM];
    int stages[TEXTS];
    sluice_rng_init(&rng, i, "form");
    do update_draw(&u, &rng);
    while (u.num > small || !plain(&u, &rng));
    for (unsigned t = 0; t < TEXTS; t++) {
      if (t) update_print_as(&u, &rng, text[t], ROOM);
      else update_print(&u, text[t], ROOM);
      check_meaning(&u, text[t], i);
      stages[t] = stages_of(text[t], chip, i);
      if (t && stages[t] != stages[0]) {
        printf("seed %llu: %d and %d stages (-1: refused)\n", (unsigned long long)i, stages[0],
               stages[t]);
        if (show) printf("%s%s", text[0], text[t]);
        differ++;
      }
    }
    stages[0] < 0 ? refused++ : accepted++;
  }
  printf("%u updates accepted, %u refused, each in %d forms; %u forms differ\n", accepted, refused,
         TEXTS, differ);
  assert_int_equal(differ, 0);
  assert_true(accepted > programs / 4 && refused > programs / 20);
}

// ---- choices among packet values ----------------------------------------------------------------

enum { DEEP = 2, CHOICES = (1 << DEEP) - 1, LEAVES = 1 << DEEP, WAYS = 5 };
/// A tree of conditions over values of a packet: choice n has the choices, or values, 2n + 1 and
/// 2n + 2 below it.
struct choices {
  char condition[CHOICES][40], opposite[CHOICES][40], value[LEAVES][40];
};

static void draw_choices(struct choices *t, struct sluice_rng *rng) {
  static const char *const is[] = {"<", "<=", "==", "!="}, *const isnt[] = {">=", ">", "!=", "=="};
  static const char *const plus[] = {"+", "-"};
  for (unsigned i = 0; i < CHOICES; i++) {
    const unsigned kind = (unsigned)sluice_rng_below(rng, 4);
    char right[16];
    // No two of them about the same two values: one would say what the other is.
    if (sluice_rng_below(rng, 2)) snprintf(right, sizeof right, "p.%c", 'a' + (int)(i + 1) % 4);
    else snprintf(right, sizeof right, "%u", 3 + 50 * i);
    snprintf(t->condition[i], sizeof t->condition[i], "p.%c %s %s", 'a' + (int)i, is[kind], right);
    snprintf(t->opposite[i], sizeof t->opposite[i], "p.%c %s %s", 'a' + (int)i, isnt[kind], right);
  }
  for (unsigned i = 0; i < LEAVES; i++) {
    const int first = 'a' + (int)sluice_rng_below(rng, 5),
              second = 'a' + (int)sluice_rng_below(rng, 5);
    if (sluice_rng_below(rng, 2)) snprintf(t->value[i], sizeof t->value[i], "%u", 7 + i);
    else
      snprintf(t->value[i], sizeof t->value[i], "p.%c %s p.%c", first,
               plus[sluice_rng_below(rng, 2)], second);
  }
}

// 0: `if` in `if`, 1: with opposite conditions, 2: with them and `!`.
static void print_nested(const struct choices *t, unsigned n, unsigned way, FILE *out) {
  if (n >= CHOICES) {
    fprintf(out, "p.r = %s;", t->value[n - CHOICES]);
    return;
  }
  fprintf(out,
          way == 0   ? "if (%s) { "
          : way == 1 ? "if (%s) { "
                     : "if (!(%s)) { ",
          way ? t->opposite[n] : t->condition[n]);
  print_nested(t, 2 * n + (way == 1 ? 2 : 1), way, out);
  fprintf(out, " } else { ");
  print_nested(t, 2 * n + (way == 1 ? 1 : 2), way, out);
  fprintf(out, " }");
}

static void print_chosen(const struct choices *t, unsigned n, FILE *out) {
  if (n >= CHOICES) {
    fprintf(out, "%s", t->value[n - CHOICES]);
    return;
  }
  fprintf(out, "(%s ? ", t->condition[n]);
  print_chosen(t, 2 * n + 1, out);
  fprintf(out, " : ");
  print_chosen(t, 2 * n + 2, out);
  fprintf(out, ")");
}

// `else if` of whole ways through the tree.
static void print_chain(const struct choices *t, FILE *out) {
  for (unsigned leaf = 0; leaf < LEAVES; leaf++) {
    if (leaf) fprintf(out, " else ");
    if (leaf + 1 < LEAVES) fprintf(out, "if (");
    for (unsigned deep = 0, n = 0; deep < DEEP && leaf + 1 < LEAVES; deep++) {
      const bool right = leaf >> (DEEP - 1 - deep) & 1;
      fprintf(out, "%s%s", deep ? " && " : "", right ? t->opposite[n] : t->condition[n]);
      n = 2 * n + 1 + right;
    }
    fprintf(out, leaf + 1 < LEAVES ? ") { p.r = %s; }" : "{ p.r = %s; }", t->value[leaf]);
  }
}

static void print_choices(const struct choices *t, unsigned way, char *text, size_t room) {
  FILE *out = fmemopen(text, room, "w");
  fprintf(out, "struct Packet { int a @ bytes(46, 4); int b @ bytes(50, 4); int c @ bytes(54, 4); "
               "int d @ bytes(58, 4); int e @ bytes(62, 4); int r @ bytes(66, 4); };\n"
               "void f(struct Packet p) { ");
  if (way < 3) {
    print_nested(t, 0, way, out);
  } else if (way == 3) {
    fprintf(out, "p.r = ");
    print_chosen(t, 0, out);
    fprintf(out, ";");
  } else {
    print_chain(t, out);
  }
  fprintf(out, " }\n");
  fclose(out);
}

TEST(one_choice_in_all_words_is_as_early) {
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 programs = from_environment("SLUICE_PROGRAMS", 16);
  const struct sluice_config *chip = sluice_config_find("k4");
  for (uint64_t i = seed; i < seed + programs; i++) {
    struct sluice_rng rng;
    struct choices t;
    static char text[WAYS][ROOM];
    int stages[WAYS];
    sluice_rng_init(&rng, i, "choices");
    draw_choices(&t, &rng);
    for (unsigned way = 0; way < WAYS; way++) {
      print_choices(&t, way, text[way], ROOM);
      stages[way] = stages_of(text[way], chip, i);
      if (stages[way] != stages[0])
        fail_msg("seed %llu: %d and %d stages\n%s%s", (unsigned long long)i, stages[0], stages[way],
                 text[0], text[way]);
    }
    assert_true(stages[0] > 0);
  }
}
