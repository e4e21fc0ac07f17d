// SPDX-License-Identifier: Apache-2.0
// make bench-compiler: how long the compiler takes, without sanitizers, for the programs of
// sw/programs and sw/tests/accept, for texts of 100 KB, and for random programs. The best of three
// runs of processor time. Run from the root of the tree.
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/files.h"
#include "compiler/compiler.h"
#include "base/rng.h"
#include "tests/rig/domino_gen.h"

// Compiles once; the milliseconds, and the outcome in `said`.
static double once(const char *text, size_t len, const char *chip, bool fewest, char said[60]) {
  struct sluice_diags diags = {0};
  struct sluice_image image = {0};
  struct sluice_usage u = {0};
  const struct sluice_compile_options options = {.usage = &u, .fewest = fewest};
  const clock_t start = clock();
  struct sluice_program *program = sluice_program_parse("x", text, len, &diags);
  const bool good = program && sluice_compile(program, sluice_config_find(chip), &options, &image,
                                              &diags) == SLUICE_OK;
  const double ms = 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC;
  if (good) snprintf(said, 60, "%u + %u stages", u.front_stages, u.back_stages);
  const char *id = "no memory";
  for (size_t i = diags.num; i-- > 0;)
    if (diags.list[i].severity == SLUICE_SEVERITY_ERROR) id = diags.list[i].id;
  if (!good) snprintf(said, 60, "refused: %s", id);
  if (good) sluice_image_release(&image);
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return ms;
}

// The slowest of a list, with the quick answer.
struct list {
  const char *name;
  double bound, slowest;
  char slowest_name[80];
};
static struct list published = {"the programs of sw/programs", 100, 0, ""},
                   large = {"the texts of 100 KB", 1000, 0, ""}, others = {"the others", 0, 0, ""};

static double best_of_three(const char *text, size_t len, const char *chip, bool fewest,
                            char said[60]) {
  double best = 1e9;
  for (int i = 0; i < 3; i++) {
    const double ms = once(text, len, chip, fewest, said);
    if (ms < best) best = ms;
  }
  return best;
}

static void row(struct list *list, const char *name, const char *text, size_t len,
                const char *chip) {
  char said[60], least[60];
  const double quick = best_of_three(text, len, chip, false, said),
               fewest = best_of_three(text, len, chip, true, least);
  if (quick > list->slowest) {
    list->slowest = quick;
    snprintf(list->slowest_name, sizeof list->slowest_name, "%s", name);
  }
  printf("%-34s %7zu %10.1f  %-24s %10.1f  %s\n", name, len, quick, said, fewest, least);
}

static char *read_text(const char *path, size_t *len) {
  struct sluice_file file;
  struct sluice_error error;
  if (sluice_file_read(&file, path, 1 << 20, NULL, &error)) {
    fprintf(stderr, "%s\n", error.text);
    exit(1);
  }
  *len = file.len;
  return file.bytes;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void folder(struct list *list, const char *dir, const char *chip) {
  char *name[200];
  int num = 0;
  DIR *d = opendir(dir);
  if (!d) {
    fprintf(stderr, "cannot open %s: run from the root of the tree\n", dir);
    exit(1);
  }
  for (struct dirent *e; num < 200 && (e = readdir(d));)
    if (strlen(e->d_name) > 4 && !strcmp(e->d_name + strlen(e->d_name) - 4, ".dom"))
      name[num++] = strdup(e->d_name);
  closedir(d);
  qsort(name, (size_t)num, sizeof *name, by_name);
  for (int i = 0; i < num; i++) {
    char path[400];
    size_t len;
    snprintf(path, sizeof path, "%s/%s", dir, name[i]);
    char *text = read_text(path, &len);
    row(list, path, text, len, chip);
    free(text);
    free(name[i]);
  }
}

// 100 KB of one statement, or of one expression.
static void repeated(const char *name, const char *start, const char *each, const char *end) {
  enum { SIZE = 100000 };
  static char text[SIZE + 1000];
  int len = snprintf(text, sizeof text,
                     "struct Packet { int a @ bytes(46, 4); int b @ bytes(50, 4); int c @ "
                     "bytes(54, 4); int t; };\n"
                     "int s = 0;\nvoid f(struct Packet p) {\n%s",
                     start);
  for (int i = 0; len < SIZE; i++)
    for (const char *t = each; *t; t++)
      len += *t == '#' ? snprintf(text + len, 12, "%d", i) : snprintf(text + len, 2, "%c", *t);
  len += snprintf(text + len, 900, "%s }\n", end);
  row(&large, name, text, (size_t)len, "k4");
}

// More states than there are stages, so that all ways to place them are tried.
static void many_states(const char *name, unsigned num, const char *each) {
  enum { SIZE = 100000 };
  static char text[SIZE + 1000];
  int len = snprintf(
      text, sizeof text,
      "struct Packet { int a @ bytes(46, 4); int b @ bytes(50, 4); int c @ bytes(54, 4); };\n");
  for (unsigned i = 0; i < num; i++) len += snprintf(text + len, 20, "int s%u;\n", i);
  len += snprintf(text + len, 40, "void f(struct Packet p) {\n");
  for (unsigned i = 0; len < SIZE; i++)
    for (const char *t = each; *t; t++)
      len += *t == '#' ? snprintf(text + len, 12, "%u", i % num)
                       : snprintf(text + len, 2, "%c", *t);
  len += snprintf(text + len, 10, "}\n");
  row(&large, name, text, (size_t)len, "k4");
}

static int by_number(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void random_programs(void) {
  enum { NUM = 200 };
  static struct gen gen = {.rich = true};
  static double ms[NUM];
  char said[60];
  for (uint64_t seed = 1; seed <= NUM; seed++) {
    struct sluice_rng rng;
    sluice_rng_init(&rng, seed, "three ways");
    gen_program(&gen, &rng);
    ms[seed - 1] = once(gen.text, strlen(gen.text), "k4", true, said);
  }
  qsort(ms, NUM, sizeof *ms, by_number);
  printf("\n%d random programs with -O2: half within %.1f ms, 9 of 10 within %.1f, 99 of 100 "
         "within %.1f, all within %.1f\n",
         NUM, ms[NUM / 2], ms[NUM * 9 / 10], ms[NUM * 99 / 100], ms[NUM - 1]);
}

// Random programs whose statements are repeated until the text has 100 KB: also what is refused
// late.
static void random_large(void) {
  enum { NUM = 200, SIZE = 100000 };
  static struct gen gen = {.rich = true};
  static char text[SIZE + 70000];
  double most = 0;
  uint64_t which = 0;
  unsigned compiled = 0;
  char said[60];
  for (uint64_t seed = 1; seed <= NUM; seed++) {
    struct sluice_rng rng;
    sluice_rng_init(&rng, seed, "large");
    gen_program(&gen, &rng);
    // The index of an array is assigned once, in front.
    const char *body = strstr(gen.text, "void random(struct Packet p) {\n") + 31;
    while (strncmp(body, "p.x", 3) == 0) body = strchr(body, '\n') + 1;
    const size_t each = strlen(body) - 2;  // without the last brace
    size_t len = (size_t)(body - gen.text);
    memcpy(text, gen.text, len);
    for (; len < SIZE && each; len += each) memcpy(text + len, body, each);
    len += (size_t)snprintf(text + len, 3, "}\n");
    const double ms = once(text, len, "k4", false, said);
    compiled += strncmp(said, "refused", 7) != 0;
    if (ms > most) most = ms, which = seed;
  }
  printf("%d random programs of 100 KB, %u of them compiled: all within %.1f ms (seed %llu)\n", NUM,
         compiled, most, (unsigned long long)which);
}

static void said(const struct list *l) {
  printf("slowest of %s: %.1f ms (%s)", l->name, l->slowest, l->slowest_name);
  if (l->bound > 0) printf("; wanted: below %.0f ms", l->bound);
  printf("\n");
}

int main(void) {
  printf("%-34s %7s %10s  %-24s %10s  %s\n", "for chip k4 (multiply: multiply)", "bytes", "ms", "",
         "ms, -O2", "");
  folder(&published, "sw/programs", "k4");
  folder(&published, "sw/programs/multiply", "multiply");
  folder(&others, "sw/programs/refused", "k4");
  folder(&others, "sw/tests/accept", "k4");
  repeated("100 KB of terms", "p.c = p.b", " + p.b", ";");
  repeated("100 KB of shifts", "p.c = p.b", " << p.a", ";");
  repeated("100 KB of sums of the state", "", "s = s + p.b;", "");
  repeated("100 KB of conditions on the state", "", "if (p.a == #) s += p.b; else s -= p.c;", "");
  repeated("100 KB of conditions", "", "if (p.a == #) p.c = #;", "");
  repeated("100 KB of chained operations", "p.t = p.b;", "p.t = (p.t + p.c) ^ p.a;", "p.c = p.t;");
  repeated("100 KB of unknown fields", "", "p.q# = 1;", "");
  many_states("100 KB of sums of 12 states", 12, "s# += p.b;\n");
  many_states("100 KB of sums of 32 states", 32, "s# += p.b;\n");
  many_states("100 KB of choices of 32 states", 32, "if (s# < p.a) s# = p.b;\n");
  printf("\n");
  said(&published);
  said(&large);
  said(&others);
  random_programs();
  random_large();
  return 0;
}
