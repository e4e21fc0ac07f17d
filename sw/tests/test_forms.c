// SPDX-License-Identifier: Apache-2.0
// The same update in other words is the same code: random updates (smt/update.h), each written in
// several ways, get one verdict of the compiler and take as many stages. What is accepted runs as
// interpreted, and every text is interpreted as the first.
//
// SLUICE_SEED and SLUICE_PROGRAMS in the environment choose the updates, SLUICE_BRANCHES how large
// they may be. Run from the root of the tree.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "environment.h"
#include "domino_rig.h"
#include "smt/update.h"

enum { TEXTS = 4, SMALL = 7, ROOM = 16000, RUNS = 40, PACKETS = 12 };

// The text means what the update does, over packets in a row.
static void check_meaning(const struct update *u, const char *text, uint64_t seed) {
  struct sluice_diags diags = {0};
  struct sluice_rng rng;
  uint32_t old[2] = {0, 0};
  struct sluice_program *program = sluice_program_parse("form.dom", text, strlen(text), &diags);
  if (!program) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s", text);
  }
  struct sluice_interpreter *run = sluice_interpreter_new(program);
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
  sluice_interpreter_free(run);
  sluice_program_free(program);
  sluice_diags_release(&diags);
}

// Stages that the text takes; -1: it is refused.
static int stages_of(const char *text, const struct sluice_config *chip, uint64_t seed) {
  struct sluice_diags diags = {0};
  struct sluice_rng rng;
  struct rig rig;
  sluice_rng_init(&rng, seed, "form run");
  const enum rig_opened opened = rig_open(&rig, text, chip, &diags);
  bool good = opened != RIG_BROKEN;
  for (unsigned i = 0; opened == RIG_OPEN && good && i < PACKETS; i++)
    good = rig_packet(&rig, &rng);
  if (opened == RIG_OPEN && good) good = rig_state(&rig);
  if (!good) fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, rig.why, text);
  const unsigned stages = rig.usage.front_stages + rig.usage.back_stages;
  rig_close(&rig);
  sluice_diags_release(&diags);
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

static void one_update_in_all_words_is_one_code(void **unused) {
  (void)unused;
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_update_in_all_words_is_one_code)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
