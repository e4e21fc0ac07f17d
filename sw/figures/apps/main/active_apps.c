// SPDX-License-Identifier: Apache-2.0
// Applications of capsules on a chip in this process, each against its computation on the host:
//
//     build/active-apps --chip model:active
//     build/active-apps --chip capsules --sim build/capsules/sim memory cache
//
// A line of JSON for each application. Exit code 1: one differs; 3: something failed.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../../base/number.h"
#include "../../../live/simulator.h"
#include "../agree.h"
#include "../hostile.h"

struct job {
  const char *chip, *sim, *programs;
  unsigned block, words, scale, turn, rounds;
  uint64_t seed;
  struct live_simulator simulator;
  struct sluice_transport to;
  struct active_net *net;
  struct app_run run;
  bool small;  // eight stages: what is short
  struct sluice_error error;
};

static enum sluice_status open_chip(struct job *j) {
  struct active_net_options o = {
      .chip = j->chip,
      .shape = strncmp(j->chip, "model:", 6) == 0 ? j->chip + 6 : j->chip,
      .controller = {.block_words = j->block,
                     .words = j->words,
                     .from_zero = true,
                     .translate = true,
                     .rounds = j->rounds}};
  if (j->sim) {
    char socket[100];
    snprintf(socket, sizeof socket, "/tmp/sluice-apps-%ld", (long)getpid());
    SLUICE_TRY(live_simulator_open(&j->simulator, &j->to, j->sim, j->chip, socket, &j->error));
    o.to = &j->to;
  }
  SLUICE_TRY(active_net_open(&j->net, &o, &j->error));
  struct sluice_chip_info info;
  sluice_chip_describe(active_net_chip(j->net), &info);
  j->small = info.back_stages < 20;
  j->run = (struct app_run){.net = j->net,
                            .programs = j->programs,
                            .shape = {info.back_stages, 0, info.back_stages, ACTIVE_RULES_CHIP},
                            .fid = 3,
                            .seed = j->seed,
                            .passes = 1 + j->rounds,
                            .turn = j->sim ? j->turn : 0};
  return SLUICE_OK;
}

static const char *const names[] = {"memory", "cache",   "hot_keys", "balancer",
                                    "guard",  "hostile", "agree",    "opcodes"};
enum { NUM_NAMES = sizeof names / sizeof *names };

static enum sluice_status run(struct job *j, unsigned which, struct app_result *r) {
  struct sluice_error *e = &j->error;
  const unsigned s = j->scale;
  switch (which) {
    case 0: return app_run_memory(&j->run, r, e);
    case 1: return app_run_cache(&j->run, 100 * s, 2000, 1.2, !j->small, r, e);
    case 2: return app_run_hot_keys(&j->run, 200 * s, 1000, 1.2, r, e);
    case 3: return app_run_balancer(&j->run, 10 * s, 4, r, e);
    case 4: return app_run_guard(&j->run, 50 * s, r, e);
    case 5:
      return app_run_hostile(&j->run, &(struct hostile){.rounds = 3 * s, .programs = 40}, r, e);
    case 6: return app_run_agree(&j->run, &(struct agree){.programs = 100 * s}, r, e);
    default: return app_run_agree(&j->run, &(struct agree){.alone = true}, r, e);
  }
}

static int finish(struct job *j, int code) {
  active_net_close(j->net);
  sluice_transport_close(&j->to);
  if (!j->sim) return code;
  const enum live_verdict verdict = live_simulator_end(&j->simulator);
  fprintf(stderr, "%s\n", j->simulator.said);
  return code ? code : verdict == LIVE_EQUIVALENT ? 0 : verdict == LIVE_DIFFERENT ? 1 : 3;
}

static bool wanted(int argc, char **argv, const char *name) {
  for (int i = 0; i < argc; i++)
    if (strcmp(argv[i], name) == 0) return true;
  return argc == 0;
}

int main(int argc, char **argv) {
  struct job j = {.chip = "model:active",
                  .programs = "sw/programs/active",
                  .block = 64,
                  .scale = 20,
                  .turn = 300,
                  .seed = 1,
                  .simulator = {.output = -1}};
  int i = 1, code = 0;
  bool good = true;
  for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
    if (strcmp(argv[i], "--chip") == 0) j.chip = argv[i + 1];
    else if (strcmp(argv[i], "--sim") == 0) j.sim = argv[i + 1];
    else if (strcmp(argv[i], "--programs") == 0) j.programs = argv[i + 1];
    else if (strcmp(argv[i], "--block") == 0)
      good = sluice_unsigned_in(argv[i + 1], 0, UINT32_MAX, &j.block);
    else if (strcmp(argv[i], "--words") == 0)
      good = sluice_unsigned_in(argv[i + 1], 0, UINT32_MAX, &j.words);
    else if (strcmp(argv[i], "--scale") == 0)
      good = sluice_unsigned_in(argv[i + 1], 0, UINT32_MAX, &j.scale);
    else if (strcmp(argv[i], "--turn") == 0)
      good = sluice_unsigned_in(argv[i + 1], 0, UINT32_MAX, &j.turn);
    else if (strcmp(argv[i], "--rounds") == 0)
      good = sluice_unsigned_in(argv[i + 1], 0, UINT32_MAX, &j.rounds);
    else if (strcmp(argv[i], "--seed") == 0)
      good = sluice_number_in(argv[i + 1], 0, UINT64_MAX, &j.seed);
    else break;
    if (!good) {
      fprintf(stderr, "active-apps: %s %s: not a number that it takes\n", argv[i], argv[i + 1]);
      return 2;
    }
  }
  for (int k = i; k < argc; k++) {
    bool known = false;
    for (unsigned n = 0; n < NUM_NAMES; n++) known |= strcmp(argv[k], names[n]) == 0;
    if (known) continue;
    fprintf(stderr,
            "active-apps: '%s'? usage: active-apps [--chip NAME] [--sim FILE] [--programs FOLDER] "
            "[--block WORDS] [--words OF_A_STAGE_AND_PIPELINE] [--scale N] [--turn CYCLES] "
            "[--rounds N] [--seed N] [memory | cache | hot_keys | balancer | guard | hostile | "
            "agree | opcodes]...\n",
            argv[k]);
    return 2;
  }
  enum sluice_status status = open_chip(&j);
  for (unsigned n = 0; n < NUM_NAMES && !status; n++) {
    struct app_result r;
    // What takes twenty stages; one of them also takes three passes of eight.
    const bool large = n > 1 && n < 5 && !(n == 2 && j.rounds >= 2);
    if (!wanted(argc - i, argv + i, names[n]) || (j.small && large)) continue;
    const uint64_t before = active_net_now(j.net);
    status = run(&j, n, &r);
    if (status) break;
    printf("{\"application\": \"%s\", \"chip\": \"%s\", \"programs\": %llu, \"words\": %llu, "
           "\"differences\": %llu, \"figure\": %.4f, \"cycles\": %llu}\n",
           names[n], j.chip, (unsigned long long)r.packets, (unsigned long long)r.words,
           (unsigned long long)r.differences, r.figure,
           (unsigned long long)(active_net_now(j.net) - before));
    if (r.differences) code = 1;
  }
  if (status) fprintf(stderr, "active-apps: %s\n", j.error.text);
  return finish(&j, status ? 3 : code);
}
