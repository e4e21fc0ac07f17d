// SPDX-License-Identifier: Apache-2.0
// The published table of algorithms in our language: stages on this machine beside those of the
// paper on Domino (SIGCOMM 2016, table 4; "examples": its collection of examples), and what is
// refused, and why. That they do what they say: test_compiler.c. Run from the root of the tree.

#include "tests/rig/test.h"
#include "tests/rig/compile.h"
#include "tests/work/count.h"
#include "compiler/compiler.h"
#include "tests/rig/texts.h"

static const struct row {
  const char *algorithm, *file;
  unsigned depth, width;         // of the paper: stages, and atoms of the widest
  const char *from, *atom;       // least atom of the paper
  unsigned front, back, states;  // ours, on k4, of the folder `multiply` on that chip
  unsigned least;                // stages with -O2; 0: the same
} rows[] = {
    {"Bloom filter", "bloom_filter", 4, 3, "paper", "Write", 2, 4, 3, 0},
    {"heavy hitters", "heavy_hitter", 10, 9, "paper", "RAW", 2, 5, 3, 0},
    {"flowlets", "flowlet", 6, 2, "paper", "PRAW", 2, 4, 2, 4},
    {"RCP", "rcp", 3, 3, "paper", "PRAW", 2, 3, 3, 4},
    {"sampled NetFlow", "sampling", 4, 2, "paper", "IfElseRAW", 2, 1, 1, 0},
    {"HULL", "hull", 7, 1, "paper", "Sub", 2, 7, 2, 0},
    {"AVQ (chip multiply)", "multiply/avq", 7, 3, "paper", "Nested", 1, 6, 3, 0},
    {"WFQ priorities (STFQ)", "wfq", 4, 2, "paper", "Nested", 2, 3, 1, 0},
    {"DNS TTL change", "dns_ttl", 6, 3, "paper", "Nested", 2, 3, 3, 4},
    {"CONGA", "conga", 4, 2, "paper", "Pairs", 2, 1, 1, 0},
    {"CoDel", "refused/codel", 15, 3, "paper", "none", 0, 0, 0, 0},
    {"CoDel, even intervals", "refused/codel_even", 0, 0, "-", "none", 0, 0, 0, 0},
    {"sequencer", "sequencer", 2, 1, "MP5", "RAW", 2, 1, 1, 0},
    {"stateful firewall", "firewall", 6, 3, "examples", "PRAW", 2, 4, 1, 0},
    {"HashPipe, first stage", "hash_pipe", 5, 3, "examples", "IfElseRAW", 2, 3, 2, 0},
    {"HULA, probes", "hula", 7, 5, "examples", "Pairs", 2, 5, 2, 0},
    {"new flows (Marple)", "new_flow", 2, 2, "examples", "PRAW", 2, 5, 2, 0},
    {"BLUE", "blue", 4, 2, "examples", "PRAW", 2, 4, 2, 4},
    {"trTCM", "trtcm", 7, 3, "examples", "none", 2, 7, 3, 0},
};

static char *program_text(const char *name, char path[200]) {
  snprintf(path, 200, "sw/programs/%s.dom", name);
  return text_of(path);
}

// Programs of the folder `multiply` take a chip with multipliers.
static const struct sluice_config *chip_of(const struct row *r) {
  return sluice_config_find(strncmp(r->file, "multiply/", 9) == 0 ? "multiply" : "k4");
}

// Stages with -O2, where arrays may share one.
static const char *fewest(const struct sluice_program *program, const struct sluice_config *chip,
                          unsigned quick, unsigned least) {
  static char text[40];
  struct sluice_diags diags = {0};
  struct sluice_image image = {0};
  struct sluice_usage u;
  const struct sluice_compile_options options = {.usage = &u, .fewest = true};
  assert_int_equal(sluice_compile(program, chip, &options, &image, &diags), SLUICE_OK);
  const unsigned stages = u.front_stages + u.back_stages;
  assert_int_equal(u.quick_stages, quick);
  assert_int_equal(stages, least ? least : quick);
  snprintf(text, sizeof text, "%u", stages);
  sluice_image_release(&image);
  sluice_diags_release(&diags);
  return text;
}

// A file of `refused` says where and why.
static void check_refused(const char *path, const char *text, const struct sluice_diags *diags) {
  unsigned line, column;
  char id[64];
  const char *wanted = strstr(text, "// error: ");
  assert_non_null(wanted);
  assert_int_equal(sscanf(wanted, "// error: %u:%u: %63s", &line, &column, id), 3);
  const struct sluice_diag *first = diags->list;
  if (!diags->num || first->line != line || first->column != column || strcmp(first->id, id) != 0) {
    sluice_diags_print(diags, stderr);
    fail_msg("%s: no error %u:%u: %s", path, line, column, id);
  }
}

TEST(the_published_table) {
  printf("%-22s %9s %-10s %-9s | %-36s %-12s %s\n", "", "stages of", "least", "",
         "ours on k4: stages", "with", "work,");
  printf("%-22s %9s %-10s %-9s | %-36s %-12s %s\n", "algorithm", "Domino", "atom", "from",
         "(front + back, with state)", "-O2", "millions");
  double most = 0, most_refused = 0;  // millions of work
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const struct row *r = &rows[i];
    const bool refused = strncmp(r->file, "refused/", 8) == 0;
    char path[200], ours[120];
    char *text CLOSED_BY(freed) = program_text(r->file, path);
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    struct sluice_image image CLOSED_BY(sluice_image_release) = {0};
    struct sluice_usage u;
    const struct sluice_compile_options options = {.usage = &u};
    work_taken();
    struct sluice_program *program CLOSED_BY(free_program) = parsed(path, text, &diags);
    const bool compiled = sluice_compile(program, chip_of(r), &options, &image, &diags) ==
                          SLUICE_OK;
    const double work = 1e-6 * (double)work_taken();
    double *worst = refused ? &most_refused : &most;
    if (work > *worst) *worst = work;
    if (refused) {
      assert_false(compiled);
      check_refused(path, text, &diags);
      snprintf(ours, sizeof ours, "refused: %s", diags.list[0].id);
    } else {
      if (!compiled) sluice_diags_print(&diags, stderr);
      assert_true(compiled);
      snprintf(ours, sizeof ours, "%u (%u + %u, %u)", u.front_stages + u.back_stages,
               u.front_stages, u.back_stages, u.state_stages);
      if (u.front_stages != r->front || u.back_stages != r->back || u.state_stages != r->states)
        fail_msg("%s takes %u front and %u back stages, %u with state, not %u, %u, %u", path,
                 u.front_stages, u.back_stages, u.state_stages, r->front, r->back, r->states);
    }
    printf("%-22s %6u,%2u %-10s %-9s | %-36s %-12s %.1f\n", r->algorithm, r->depth, r->width,
           r->atom, r->from, ours,
           refused ? "" : fewest(program, chip_of(r), u.front_stages + u.back_stages, r->least),
           work);
  }
  // Three times what they take (trTCM; CoDel with even intervals, where all searches end at their
  // bounds).
  if (most > 450) fail_msg("one took %.0f million of work", most);
  if (most_refused > 3800) fail_msg("one was refused after %.0f million of work", most_refused);
}
