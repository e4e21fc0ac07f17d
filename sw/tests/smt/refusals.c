// SPDX-License-Identifier: Apache-2.0
// Refusals proven: random updates (update.h) go to the compiler, and those that it refuses because
// they do not fit the state unit to z3 (unit.h), which is asked whether any configuration does
// them. Of those that the compiler accepts it is asked too, briefly: "none" would then be wrong.
//
//   refusals [--programs N] [--seed N] [--steps N] [--without N] [--show]
//
// Exit code 1 if z3 finds a configuration for an update that was refused, or proves that there is
// none for one that was accepted, or if less than one refusal in LEAST_PROVEN is proven: then the
// steps are too few to say anything. `--without N` takes something away from the unit that z3 knows
// (enum unit_break), so that it must prove what is not so.
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "tests/rig/closed.h"
#include "tests/rig/interpret.h"
#include "unit.h"

enum { LEAST_PROVEN = 3, RUNS = 60 };

struct counts {
  unsigned accepted, refused, otherwise, verdict[4], by_order, by_operands, wrong;
  unsigned long queries;
};

static struct sluice_program *parse(const char *text) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_program *program = sluice_program_parse("update.dom", text, strlen(text), &diags);
  if (!program) {
    sluice_diags_print(&diags, stderr);
    fprintf(stderr, "%s", text);
    exit(1);
  }
  return program;
}

// The update, as drawn and as its text says, over packets in a row.
static bool means_the_same(const struct update *u, const struct sluice_program *program,
                           uint64_t seed) {
  struct sluice_rng rng;
  uint32_t old[2] = {0, 0};
  bool same = true;
  struct sluice_interpreter *run = sluice_interpreter_new(program);
  sluice_rng_init(&rng, seed, "smt text");
  for (unsigned i = 0; run && same && i < RUNS; i++) {
    struct packet p;
    uint32_t now[2];
    packet_draw(u, &p, 1, &rng);
    int32_t field[FIELDS + 2] = {(int32_t)p.field[0], (int32_t)p.field[1], (int32_t)p.field[2]};
    update_run(u, p.field, old, now);
    sluice_interpreter_run(run, field);
    for (unsigned w = 0; w < u->words; w++)
      same &= sluice_interpreter_state(run, w, 0) == (int32_t)now[w];
    memcpy(old, now, sizeof old);
  }
  sluice_interpreter_free(run);
  return same;
}

enum outcome { ACCEPTED, REFUSED, REFUSED_OTHERWISE };
static enum outcome compile(const struct sluice_program *program) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {0};
  enum outcome outcome = ACCEPTED;
  if (sluice_compile(program, sluice_config_find("k4"), NULL, &image, &diags) != SLUICE_OK) {
    outcome = REFUSED_OTHERWISE;
    for (size_t i = 0; i < diags.num; i++)
      if (strcmp(diags.list[i].id, "codelet") == 0) outcome = REFUSED;
  }
  return outcome;
}

// An update whose words need each other.
static void draw(struct update *u, struct sluice_rng *rng) {
  static struct packet list[12];
  do {
    update_draw(u, rng);
    for (unsigned i = 0; i < 12; i++) packet_draw(u, &list[i], i, rng);
  } while (!update_mutual(u, list, 12));
}

static const char *const verdicts[] = {"no configuration does it", "a configuration does it",
                                       "given up", "open"};

static void one(uint64_t seed, unsigned steps, enum unit_break without, bool show,
                struct counts *counts) {
  struct sluice_rng rng;
  struct update u;
  char text[6000];
  sluice_rng_init(&rng, seed, "smt update");
  draw(&u, &rng);
  update_print(&u, text, sizeof text);
  struct sluice_program *program = parse(text);
  if (!means_the_same(&u, program, seed)) {
    printf("%s\nseed %llu: the text means something else than the update drawn\n", text,
           (unsigned long long)seed);
    counts->wrong++;
  }
  const enum outcome outcome = compile(program);
  sluice_program_free(program);
  if (outcome == REFUSED_OTHERWISE) counts->otherwise++;
  if (outcome == ACCEPTED) counts->accepted++;
  if (outcome == REFUSED_OTHERWISE) return;
  const struct answer a = unit_ask(&u, seed, steps, outcome == ACCEPTED, without);
  counts->queries += a.queries;
  if (outcome == REFUSED)
    counts->refused++, counts->verdict[a.verdict]++, counts->by_order += a.by_order,
        counts->by_operands += a.by_operands;
  const bool wrong = outcome == REFUSED ? a.verdict == VERDICT_FOUND : a.verdict == VERDICT_PROVEN;
  counts->wrong += wrong;
  if (wrong || show)
    printf("%s\nseed %llu: %s; %s (%u packets, %u points, %u queries)\n",
           wrong || a.verdict == VERDICT_OPEN || a.verdict == VERDICT_GIVEN_UP ? text : "",
           (unsigned long long)seed, outcome == REFUSED ? "refused" : "accepted",
           verdicts[a.verdict], a.packets, a.points, a.queries);
  if ((wrong || show) && (a.verdict == VERDICT_FOUND || a.verdict == VERDICT_OPEN) &&
      outcome == REFUSED) {
    printf("%s", a.operands);
    configuration_print(&a.configuration, u.words, stdout);
  }
  fflush(stdout);
}

int main(int argc, char **argv) {
  unsigned long long seed = 1, programs = 40, steps = 2000000, without = 0;
  bool show = false;
  for (int i = 1; i < argc; i++) {
    const bool more = i + 1 < argc;
    if (more && strcmp(argv[i], "--programs") == 0) programs = strtoull(argv[++i], NULL, 0);
    else if (more && strcmp(argv[i], "--seed") == 0) seed = strtoull(argv[++i], NULL, 0);
    else if (more && strcmp(argv[i], "--steps") == 0) steps = strtoull(argv[++i], NULL, 0);
    else if (more && strcmp(argv[i], "--without") == 0) without = strtoull(argv[++i], NULL, 0);
    else if (strcmp(argv[i], "--show") == 0) show = true;
    else {
      fprintf(stderr,
              "usage: refusals [--programs N] [--seed N] [--steps N] [--without N] [--show]\n");
      return 2;
    }
  }
  struct counts counts = {0};
  for (unsigned long long i = 0; i < programs; i++)
    one(seed + i, (unsigned)steps, (enum unit_break)(without % NUM_BREAKS), show, &counts);
  printf("%llu random updates: %u accepted, %u refused, %u do not fit the chip otherwise\n",
         programs, counts.accepted, counts.refused, counts.otherwise);
  printf("of the refused: %u proven not to fit (%u by the order of numbers alone, %u by the values "
         "it takes), %u found by z3 (false refusals), %u given up, %u open; %lu queries\n",
         counts.verdict[VERDICT_PROVEN], counts.by_order, counts.by_operands,
         counts.verdict[VERDICT_FOUND], counts.verdict[VERDICT_GIVEN_UP],
         counts.verdict[VERDICT_OPEN], counts.queries);
  const bool few = counts.verdict[VERDICT_PROVEN] * LEAST_PROVEN < counts.refused;
  if (few) printf("less than one in %d is proven\n", LEAST_PROVEN);
  return counts.wrong || few;
}
