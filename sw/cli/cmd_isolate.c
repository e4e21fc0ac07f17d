// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/bytes.h"
#include "../base/process.h"
#include "../base/rng.h"
#include "../isolate/isolate.h"
#include "run.h"

static const struct cli_usage usage = {
    "isolate", "[OPTION...]", "Tests that a module does not notice a hostile one beside it",
    "Every pair is two runs: module A alone, and with the same packets beside module B, which is "
    "made to hurt. A must leave the\n"
    "same packets with the same bytes in the same order and the same state, lose none, and be late "
    "by no more than a bound\n"
    "(docs/isolation.md). What fails is made smaller and kept in DIR/SEED (build/isolate). Output "
    "is TAP. Exit code: 0 if all\n"
    "pairs passed, 1 if not.\n"};

struct isolate {
  const struct sluice_config *config;
  const char *chip, *sim, *keep, *fault;
  uint64_t seed, runs, first, jobs, tries, timeout, cycles;
  bool exact, no_shrink;
  struct isolate_ask ask;
};

static uint64_t seed_of(const struct isolate *isolate, uint64_t n) {
  struct sluice_rng rng;
  if (isolate->exact) return isolate->seed + n;
  sluice_rng_init(&rng, isolate->seed, "isolate runs");
  uint64_t seed = 0;
  for (uint64_t i = 0; i <= n; i++) seed = sluice_rng_next(&rng) >> 32;
  return seed;
}

// One of the two runs. Exit code of the world, or CLI_DONE.
static int play(const struct isolate *isolate, const char *dir, const char *name, char *why,
                size_t room) {
  struct run *run = calloc(1, sizeof *run);
  int code = CLI_WORLD;
  if (!run) return CLI_WORLD;
  run->config = isolate->config;
  run->sim = isolate->sim;
  run->quiet = true;
  run->timeout = isolate->timeout;
  snprintf(run->job_path, sizeof run->job_path, "%s/%s.job", dir, name);
  snprintf(run->log_path, sizeof run->log_path, "%s/%s.log", dir, name);
  snprintf(run->report_path, sizeof run->report_path, "%s/%s.json", dir, name);
  if (run_find_sim(run)) code = run_execute(run);
  if (code != CLI_DONE)
    snprintf(why, room, "the simulator did not finish the run %s; see %s.log in %.150s", name, name,
             dir);
  free(run);
  return code;
}

// Both runs and the comparison.
static int attempt(const struct isolate *isolate, const struct isolate_pair *pair, const char *dir,
                   bool alone_too, struct isolate_outcome *outcome) {
  struct sluice_error error;
  for (unsigned beside = alone_too ? 0 : 1; beside < 2; beside++) {
    if (isolate_save(pair, beside, dir, &error)) {
      snprintf(outcome->what, sizeof outcome->what, "%.250s", error.text);
      return CLI_WORLD;
    }
    const int code =
        play(isolate, dir, beside ? "beside" : "alone", outcome->what, sizeof outcome->what);
    if (code != CLI_DONE) return code;
  }
  if (!isolate_compare(pair, dir, outcome, &error)) return CLI_DONE;
  snprintf(outcome->what, sizeof outcome->what, "%.250s", error.text);
  return CLI_WORLD;
}

// ---- shrinking ----------------------------------------------------------------------------------

struct search {
  const struct isolate *isolate;
  struct isolate_pair *pair;
  const char *dir;
  enum isolate_kind kind;
};

static bool still_fails(void *context, const struct fuzz_case *c, uint64_t *packet) {
  const struct search *search = context;
  struct isolate_outcome outcome;
  (void)c;  // the pair's own
  (void)packet;
  return attempt(search->isolate, search->pair, search->dir, true, &outcome) == CLI_DONE &&
         outcome.kind == search->kind;
}

static bool write_text(const struct isolate_pair *pair, const struct isolate_outcome *o,
                       const char *dir) {
  char path[RUN_PATH];
  snprintf(path, sizeof path, "%s/pair.txt", dir);
  FILE *out = fopen(path, "w");
  if (!out) {
    cli_error("cannot open '%s': %s", path, strerror(errno));
    return false;
  }
  fprintf(out,
          "%s\n\nA, VLAN %u:\n%s\nB, VLAN %u, %u bits of its image turned over, destination "
          "0x%x:\n%s\npackets (cycle, port, VLAN, bytes):\n",
          o->what, ISOLATE_A_VID, pair->a_text, ISOLATE_B_VID, pair->turned, pair->dest,
          pair->b_text);
  for (size_t i = 0; i < pair->packets.packets.num; i++) {
    const struct fuzz_frame *f = &pair->packets.packets.items[i];
    fprintf(out, "%8llu %2u %5u %5zu\n", (unsigned long long)f->time_ns, f->bytes[ISOLATE_PORT_AT],
            (sluice_get16(f->bytes + 14)) & 0xfff, f->len);
  }
  return fclose(out) == 0;
}

static void remove_pair(const char *dir) {
  static const char *const names[] = {
      "a.image",         "b.image",       "pair.txt",       "alone.job",
      "alone.log",       "alone.pcap",    "alone.schedule", "alone.pcapng",
      "alone.json",      "beside.job",    "beside.log",     "beside.pcap",
      "beside.schedule", "beside.pcapng", "beside.json",    "latencies.tsv"};
  char path[RUN_PATH];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", dir, names[i]);
    remove(path);
  }
  rmdir(dir);
}

// ---- one pair -----------------------------------------------------------------------------------

static void print_failure(const struct isolate *isolate, struct isolate_pair *pair,
                          struct isolate_outcome *o, const char *dir, FILE *out) {
  const size_t packets = pair->packets.packets.num;
  fprintf(out, "#   %s\n", o->what);
  if (!isolate->no_shrink) {
    struct search search = {isolate, pair, dir, o->kind};
    const struct fuzz_effort effort = {(unsigned)isolate->tries, 30.0 * (double)isolate->tries};
    const unsigned tries = fuzz_shrink(&pair->packets, &effort, still_fails, &search);
    const int code = attempt(isolate, pair, dir, true, o);
    fprintf(out, "#   smaller after %u tries: %zu of %zu packets\n#   %s%s\n", tries,
            pair->packets.packets.num, packets,
            code == CLI_DONE ? "" : "could not be played: ", o->what);
  }
  if (write_text(pair, o, dir)) fprintf(out, "#   kept in %s: beside.job, pair.txt\n", dir);
}

// Returns an exit code. The lines are printed in one piece: several pairs may be under way.
static int run_one(const struct isolate *isolate, uint64_t n) {
  const unsigned long long seed = seed_of(isolate, n), number = n + 1;
  char dir[RUN_PATH - 128], *lines = NULL;
  size_t len = 0;
  struct isolate_pair pair;
  struct isolate_outcome o = {.kind = ISOLATE_SAME};
  struct sluice_error error;
  snprintf(dir, sizeof dir, "%.3800s/%llu", isolate->keep ? isolate->keep : "build/isolate", seed);
  FILE *out = open_memstream(&lines, &len);
  if (!out || !cli_make_folder(dir)) return CLI_WORLD;
  int code = CLI_WORLD;
  if (isolate_make(&pair, isolate->config, seed, &isolate->ask, &error))
    snprintf(o.what, sizeof o.what, "%.250s", error.text);
  else {
    pair.packets.fault = isolate->fault;
    code = attempt(isolate, &pair, dir, true, &o);
  }
  if (code == CLI_DONE && o.kind != ISOLATE_SAME) code = CLI_NO;
  const struct isolate_side *a = &o.alone, *b = &o.beside;
  if (code == CLI_DONE || code == CLI_NO)
    fprintf(out,
            "%sok %llu seed %llu: A %llu copies, waits at most %llu alone, %llu beside B, later by "
            "at most %u of %u, %llu in other places; B leaves %llu, loses %llu%s\n",
            code == CLI_NO ? "not " : "", number, seed, (unsigned long long)a->packets,
            (unsigned long long)a->longest, (unsigned long long)b->longest, o.later,
            isolate_bound(&pair), (unsigned long long)o.moved, (unsigned long long)b->b_packets,
            (unsigned long long)b->b_lost, pair.turned ? " (random image)" : "");
  if (code == CLI_NO) {
    fprintf(out, "#   build/sluice isolate --chip %s --seed %llu --runs 1 --exact%s%s%s%s%s%s%s\n",
            isolate->config->name, seed, isolate->ask.no_shares ? " --no-shares" : "",
            isolate->ask.shared_lanes ? " --shared-lanes" : "",
            isolate->ask.one_class ? " --one-class" : "",
            isolate->ask.capsules ? " --capsules" : "",
            isolate->ask.wide_regions ? " --wide-regions" : "", isolate->fault ? " --fault " : "",
            isolate->fault ? isolate->fault : "");
    print_failure(isolate, &pair, &o, dir, out);
  } else if (code == CLI_DONE) {
    if (!isolate->keep) remove_pair(dir);
  } else {
    fprintf(out, "Bail out! seed %llu: %s\n", seed, o.what);
  }
  fclose(out);
  fwrite(lines, 1, len, stdout);
  fflush(stdout);
  free(lines);
  isolate_release(&pair);
  return code;
}

// What became of pairs, or of runs.
struct tally {
  const struct isolate *isolate;
  uint64_t passed, failed;
  int world;
};

static int run_pair(void *user, uint64_t number) {
  return run_one(((const struct tally *)user)->isolate, number);
}

static bool count_pair(void *user, uint64_t number, int code) {
  struct tally *t = user;
  (void)number;
  if (code == CLI_DONE) t->passed++;
  else if (code == CLI_NO) t->failed++;
  else t->world = code > 128 ? CLI_WORLD : code;
  return t->world == CLI_DONE;
}

// Pairs are processes, so that --jobs of them go at the same time.
static int run_all(const struct isolate *isolate) {
  struct tally t = {.isolate = isolate, .world = CLI_DONE};
  struct sluice_error error;
  if (isolate->first > isolate->runs) {
    cli_error("--first %llu: there are %llu pairs", (unsigned long long)isolate->first,
              (unsigned long long)isolate->runs);
    return CLI_USAGE;
  }
  if (isolate->first > 1) printf("# from pair %llu on\n", (unsigned long long)isolate->first);
  printf("1..%llu\n", (unsigned long long)isolate->runs);
  const struct sluice_process_pool pool = {
      isolate->first - 1, isolate->runs, (unsigned)isolate->jobs, run_pair, count_pair, &t};
  if (sluice_process_pool(&pool, &error)) {
    cli_error("%s", error.text);
    t.world = CLI_WORLD;
  }
  printf("# %llu passed, %llu failed\n", (unsigned long long)t.passed,
         (unsigned long long)t.failed);
  return t.world != CLI_DONE ? t.world : t.failed ? CLI_NO : CLI_DONE;
}

int cmd_isolate(int argc, char **argv) {
  struct isolate isolate = {
      .chip = "tiny", .seed = 1, .runs = 20, .first = 1, .jobs = 1, .tries = 120, .timeout = 120};
  struct cli_list rest;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_TEXT, 'c', "chip", "NAME", &isolate.chip, 0, 0, "shape of the chip (tiny)"},
      {CLI_WHOLE, 0, "seed", "N", &isolate.seed, 0, 9e15,
       "the seeds of the pairs follow from it (1)"},
      {CLI_WHOLE, 0, "runs", "R", &isolate.runs, 1, 1e9, "pairs to run (20)"},
      {CLI_WHOLE, 0, "first", "N", &isolate.first, 1, 1e9,
       "begin with the N-th of them: goes on where a run was stopped (1)"},
      {CLI_WHOLE, 0, "jobs", "J", &isolate.jobs, 1, 256, "of these at the same time (1)"},
      {CLI_FLAG, 0, "exact", NULL, &isolate.exact, 0, 0,
       "the pairs have the seeds N, N+1, ... themselves: replays a pair"},
      {CLI_WHOLE, 0, "cycles", "N", &isolate.cycles, 100, 1e6, "how long A sends (6000)"},
      {CLI_FLAG, 0, "no-shares", NULL, &isolate.ask.no_shares, 0, 0,
       "no shares of the order queues: must fail"},
      {CLI_FLAG, 0, "shared-lanes", NULL, &isolate.ask.shared_lanes, 0, 0,
       "B comes in at A's lane as well: passes on chips with classes, shares of the buffers and "
       "rates"},
      {CLI_FLAG, 0, "one-class", NULL, &isolate.ask.one_class, 0, 0,
       "with --shared-lanes: both in one class of the output queues: must fail"},
      {CLI_FLAG, 0, "capsules", NULL, &isolate.ask.capsules, 0, 0,
       "programs in packets of both modules, on a chip that executes them"},
      {CLI_FLAG, 0, "wide-regions", NULL, &isolate.ask.wide_regions, 0, 0,
       "with --capsules: programs of B reach A's words: must fail"},
      {CLI_TEXT, 0, "fault", "NAME", &isolate.fault, 0, 0, "break the chip on purpose"},
      {CLI_FOLDER, 0, "keep", "DIR", &isolate.keep, 0, 0, "keep all pairs, in DIR"},
      {CLI_FLAG, 0, "no-shrink", NULL, &isolate.no_shrink, 0, 0,
       "do not make failing pairs smaller"},
      {CLI_WHOLE, 0, "tries", "N", &isolate.tries, 1, 1e6, "pairs to spend on that (120)"},
      {CLI_PATH, 0, "sim", "FILE", &isolate.sim, 0, 0,
       "the simulator ($SLUICE_SIM, or build/CHIP/sim)"},
      {CLI_WHOLE, 0, "timeout", "S", &isolate.timeout, 1, 1e9,
       "seconds after which a run has failed (120)"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  const enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  if (rest.count) {
    cli_error("isolate takes options only; see 'sluice help isolate'");
    return CLI_USAGE;
  }
  isolate.config = cli_chip(isolate.chip);
  if (!isolate.config || (isolate.fault && !cli_fault(isolate.config, isolate.fault)))
    return CLI_USAGE;
  if (isolate.config->NumPipes < 2) {
    cli_error("--chip: '%s' has one lane; a pair needs two", isolate.config->name);
    return CLI_USAGE;
  }
  if (isolate.ask.one_class && !isolate.config->OutputClasses) {
    cli_error("--one-class: chip '%s' has no classes in its output queues", isolate.config->name);
    return CLI_USAGE;
  }
  isolate.ask.cycles = (unsigned)isolate.cycles;
  return run_all(&isolate);
}
