// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/process.h"
#include "../base/rng.h"
#include "../fuzz/fuzz.h"
#include "../fuzz/references.h"
#include "run.h"

static const struct cli_usage usage = {
    "fuzz", "[OPTION...]", "Tests the simulated chip with random configurations and packets",
    "Every run makes a case of its own seed: a configuration that uses all tables, and traffic.\n"
    "What fails is made smaller and kept in build/fuzz/CHIP/SEED (in $TMPDIR, if build/ cannot be "
    "written, or with --references): job.json, control.pcap, capture.pcap,\n"
    "report.json, and case.txt to read. Output is TAP. Exit code: 0 if all runs passed, 1 if "
    "not.\n"};

// What a run says besides its packets, a line each, of numbers of a group of the report ("": of the
// report itself): each '%' of the text is one of them. It is printed of a run in which number
// `look` is not 0; and of all runs together, if the chip has it.
enum { ALWAYS, ONLY_RUNS, ONLY_ALL, IF_ANY, MOST_COUNTS = 6 };
#define CHIP(PARAM) offsetof(struct sluice_config, PARAM)
static const struct line {
  size_t has[3];  // parameters, one of which is not 0; 0: no more
  int when;
  unsigned look;
  const char *group, *keys[MOST_COUNTS], *text;
} count_lines[] = {
    {{CHIP(Banks)},
     ALWAYS,
     0,
     "banks",
     {"updates", "flips", "flips_loaded", "flips_mixed", "refused_writes", "refused_flips"},
     "updates % flips %, with packets of the old bank inside %, of both %; refused: writes % flips "
     "%"},
    {{CHIP(Marks)},
     ALWAYS,
     1,
     "marks",
     {"marks", "played", "compared", "written", "away", "loaded"},
     "marks %, under traffic %, values compared %, written %; of entries away %, that changed a "
     "value which packets were on their way to %"},
    {{CHIP(CutStages)},
     ALWAYS,
     0,
     "cuts",
     {"cuts", "unwanted", "reads", "away", "compared", "changed"},
     "cuts %, writes that were refused %; reads %, of modules with an index away %; entries "
     "compared %, that hold something else by then %"},
    {{0}, ONLY_RUNS, 0, "", {"recirculated"}, "recirculated %"},
    {{CHIP(ArrayWords)},
     ALWAYS,
     0,
     "",
     {"array_ops", "state_words_compared"},
     "operations on rows of words %, their words compared at the end %"},
    {{CHIP(ArrayWords)},
     IF_ANY,
     0,
     "keys",
     {"asked", "found", "either", "old"},
     "keys %, with an entry %; whose entry was being written %, that found the old one %"},
    {{CHIP(EgressStages)},
     ALWAYS,
     0,
     "egress",
     {"copies", "changed", "discarded", "ops", "entries_compared", "under_traffic"},
     "copies at the egress %, changed %, discarded %; operations on the state of lanes %, entries "
     "compared %; control packets under traffic %"},
    {{CHIP(TernaryStages), CHIP(CuckooStages), CHIP(DefaultActions)},
     ONLY_ALL,
     0,
     "engines",
     {"exact", "ternary", "cuckoo", "default", "under_traffic"},
     "actions of exact rows %, ternary entries %, cuckoo entries %, default %; entries moved and "
     "read under traffic: control packets %"},
};
enum { RECIRCULATED = 3, NUM_LINES = sizeof count_lines / sizeof count_lines[0] };

struct fuzz {
  const struct sluice_config *config;
  const char *chip, *sim, *keep, *fault;
  uint64_t seed, runs, jobs, tries, timeout, packets, times;
  bool exact, no_shrink, first, stories, events, references;
  char above[RUN_PATH - 256];    // case directories lie here
  uint64_t (*all)[MOST_COUNTS];  // of all runs, in memory that their processes share
};

// How a try ended.
struct outcome {
  char verdict[16];  // of the report; DIED: there is none
  char text[1200];
  uint64_t packet;  // first wrong one, from 0; UINT64_MAX: none
  uint64_t packets, admitted, ops, entries, control;
  uint64_t counts[NUM_LINES][MOST_COUNTS];
  int code;  // not CLI_DONE: the try could not be made
};

static uint64_t seed_of(const struct fuzz *fuzz, uint64_t n) {
  struct sluice_rng rng;
  if (fuzz->exact) return fuzz->seed + n;
  sluice_rng_init(&rng, fuzz->seed, "fuzz runs");
  uint64_t seed = 0;
  for (uint64_t i = 0; i <= n; i++) seed = sluice_rng_next(&rng) >> 32;
  return seed;
}

// ---- one try ------------------------------------------------------------------------------------

// A text of a report; "": it has none of that name.
static const char *text_of(const json_t *from, const char *key) {
  const char *text = json_string_value(json_object_get(from, key));
  return text ? text : "";
}

static uint64_t count_of(const json_t *from, const char *key) {
  return (uint64_t)json_integer_value(json_object_get(from, key));
}

static void take_report(const json_t *report, struct outcome *o) {
  o->packets = count_of(report, "packets");
  o->admitted = count_of(report, "admitted");
  o->ops = count_of(report, "state_ops");
  o->entries = count_of(report, "state_entries_compared");
  o->control = count_of(report, "control_packets");
  for (unsigned i = 0; i < NUM_LINES; i++) {
    const struct line *l = &count_lines[i];
    const json_t *from = *l->group ? json_object_get(report, l->group) : report;
    for (unsigned k = 0; k < MOST_COUNTS && l->keys[k]; k++)
      o->counts[i][k] = count_of(from, l->keys[k]);
  }
  snprintf(o->verdict, sizeof o->verdict, "%s", text_of(report, "verdict"));
  const char *error = json_string_value(json_object_get(report, "error"));
  const json_t *d = json_object_get(report, "first_difference");
  if (error) snprintf(o->text, sizeof o->text, "%s", error);
  if (!json_is_object(d)) return;
  json_int_t packet = json_integer_value(json_object_get(d, "packet"));
  if (packet > 0) o->packet = (uint64_t)packet - 1;
  snprintf(o->text, sizeof o->text, "packet %lld, %s: expected %.300s, got %.300s",
           (long long)packet, text_of(d, "field"), text_of(d, "expected"), text_of(d, "got"));
}

// The simulator ended without a report, mostly because of an assertion: its log says which.
static void take_log(const char *path, struct outcome *o) {
  char line[400];
  snprintf(o->verdict, sizeof o->verdict, "DIED");
  snprintf(o->text, sizeof o->text, "no report");
  FILE *log = fopen(path, "r");
  while (log && fgets(line, sizeof line, log)) {
    line[strcspn(line, "\n")] = 0;
    // The assertion with its name, else the first error.
    bool named = strstr(line, "ssertion") != NULL;
    if (!named && !strstr(line, "rror")) continue;
    snprintf(o->text, sizeof o->text, "%s", line);
    if (named) break;
  }
  if (log) fclose(log);
}

// The case on the two references, without a simulator.
static struct outcome attempt_references(const struct fuzz_case *c) {
  enum { PACKETS = 100 };
  struct fuzz_difference d;
  const bool agree = fuzz_references(c, PACKETS, &d);
  struct outcome o = {.packet = d.packet,
                      .packets = d.packets,
                      .admitted = d.admitted,
                      .ops = d.accesses,
                      .entries = d.entries,
                      .control = d.control,
                      .code = d.no_memory ? CLI_WORLD : CLI_DONE};
  o.counts[RECIRCULATED][0] = d.passes;
  snprintf(o.verdict, sizeof o.verdict, "%s", agree ? "EQUIVALENT" : "DIFFERENT");
  snprintf(o.text, sizeof o.text, "%s", d.text);
  return o;
}

static struct outcome attempt(const struct fuzz *fuzz, const struct fuzz_case *c, const char *dir) {
  struct outcome o = {.packet = UINT64_MAX, .code = CLI_WORLD};
  struct sluice_error error;
  if (fuzz->references) return attempt_references(c);
  struct run *run = calloc(1, sizeof *run);
  if (!run || fuzz_save(c, dir, &error)) {
    snprintf(o.text, sizeof o.text, "%s", run ? error.text : "out of memory");
    free(run);
    return o;
  }
  run->config = fuzz->config;
  run->sim = fuzz->sim;
  run->quiet = true;
  run->timeout = fuzz->timeout;
  run->traffic.seed = c->seed;
  snprintf(run->job_path, sizeof run->job_path, "%s/job.json", dir);
  snprintf(run->log_path, sizeof run->log_path, "%s/sim.log", dir);
  snprintf(run->report_path, sizeof run->report_path, "%s/report.json", dir);
  if (run_find_sim(run)) {
    // A simulator that dies is a result, not a message.
    fflush(NULL);
    int kept = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    o.code = run_execute(run);
    if (kept >= 0) dup2(kept, STDERR_FILENO);
    close(nowhere);
    close(kept);
  }
  json_t *report = o.code == CLI_DONE ? run_read_report(run) : NULL;
  if (report) {
    take_report(report, &o);
  } else if (o.code < 128) {
    if (o.code == CLI_NO) snprintf(o.verdict, sizeof o.verdict, "SLOW");
    else take_log(run->log_path, &o);
    o.code = CLI_DONE;
  }
  json_decref(report);
  free(run);
  return o;
}

// ---- shrinking ----------------------------------------------------------------------------------

struct search {
  const struct fuzz *fuzz;
  const char *dir;
  struct outcome first;
};

static bool still_fails(void *context, const struct fuzz_case *c, uint64_t *packet) {
  const struct search *search = context;
  struct outcome o = attempt(search->fuzz, c, search->dir);
  if (o.code != CLI_DONE || strcmp(o.verdict, search->first.verdict) != 0) return false;
  *packet = o.packet;
  return true;
}

static void write_text(const struct fuzz_case *c, const struct outcome *o, const char *dir) {
  char path[RUN_PATH];
  snprintf(path, sizeof path, "%s/case.txt", dir);
  FILE *out = fopen(path, "w");
  if (!out) {
    cli_error("cannot open '%s': %s", path, strerror(errno));
    return;
  }
  fprintf(out, "%s: %s\n", o->verdict, o->text);
  fuzz_describe(c, out);
  if (fclose(out) != 0) cli_error("cannot write '%s': %s", path, strerror(errno));
}

static void remove_case(const char *dir) {
  static const char *const names[] = {"job.json",   "control.pcap", "capture.pcap", "updates.pcap",
                                      "marks.pcap", "report.json",  "sim.log",      "case.txt"};
  char path[RUN_PATH];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", dir, names[i]);
    remove(path);
  }
  rmdir(dir);
}

// ---- one run ------------------------------------------------------------------------------------

static void report_failure(const struct fuzz *fuzz, struct fuzz_case *c, struct outcome *o,
                           const char *dir, FILE *out) {
  size_t packets = c->packets.num, control = c->control.num;
  unsigned tries = 0;
  fprintf(out, "#   %s: %s\n", o->verdict, o->text);
  if (!fuzz->no_shrink) {
    struct search search = {fuzz, dir, *o};
    struct fuzz_effort effort = {(unsigned)fuzz->tries, (double)fuzz->tries};
    tries = fuzz_shrink(c, &effort, still_fails, &search);
  }
  // The smallest once more, with what the monitors are told.
  if (!fuzz->no_shrink) {
    c->events = !fuzz->references;
    *o = attempt(fuzz, c, dir);
  }
  struct sluice_error error;
  if (fuzz->references && fuzz_save(c, dir, &error)) cli_error("%s", error.text);
  write_text(c, o, dir);
  if (tries)
    fprintf(out,
            "#   smaller after %u tries: %zu of %zu packets, %zu of %zu control packets\n"
            "#   %s: %s\n",
            tries, c->packets.num, packets, c->control.num, control, o->verdict, o->text);
  fprintf(out, "#   kept in %s: job.json, case.txt%s\n", dir, c->events ? ", events.txt" : "");
}

static void print_line(FILE *out, const struct line *line, const uint64_t *counts) {
  fputs("#   ", out);
  for (const char *at = line->text; *at; at++)
    if (*at == '%') fprintf(out, "%llu", (unsigned long long)*counts++);
    else fputc(*at, out);
  fputc('\n', out);
}

// Runs are processes: each adds its own.
static void add_counts(uint64_t (*all)[MOST_COUNTS], const struct outcome *o) {
  for (unsigned i = 0; i < NUM_LINES; i++)
    for (unsigned k = 0; k < MOST_COUNTS; k++)
      __atomic_fetch_add(&all[i][k], o->counts[i][k], __ATOMIC_RELAXED);
}

// Returns an exit code. The lines are printed in one piece: several runs may be under way.
static int run_one(const struct fuzz *fuzz, uint64_t n) {
  uint64_t seed = seed_of(fuzz, n);
  char dir[RUN_PATH - 128], *lines = NULL;
  size_t len = 0;
  snprintf(dir, sizeof dir, "%s/%llu", fuzz->above, (unsigned long long)seed);
  FILE *out = open_memstream(&lines, &len);
  if (!out || !cli_make_folder(dir)) return CLI_WORLD;

  struct fuzz_case c;
  fuzz_make_long(&c, fuzz->config, seed, (unsigned)fuzz->times);
  c.fault = fuzz->fault;
  c.stories = fuzz->stories;
  c.events = fuzz->events;
  if (fuzz->packets && c.packets.num > fuzz->packets) c.packets.num = fuzz->packets;
  struct outcome o = {.code = CLI_WORLD};
  if (!c.nomem) o = attempt(fuzz, &c, dir);
  int code = o.code;
  if (code == CLI_DONE && strcmp(o.verdict, "EQUIVALENT") != 0 &&
      strcmp(o.verdict, "UNTESTED") != 0)
    code = CLI_NO;
  unsigned long long number = n + 1, s = seed;
  add_counts(fuzz->all, &o);
  if (code == CLI_DONE) {
    fprintf(
        out, "ok %llu seed %llu: packets %llu admitted %llu ops %llu entries %llu control %llu\n",
        number, s, (unsigned long long)o.packets, (unsigned long long)o.admitted,
        (unsigned long long)o.ops, (unsigned long long)o.entries, (unsigned long long)o.control);
    for (unsigned i = 0; i < NUM_LINES; i++)
      if (count_lines[i].when != ONLY_ALL && o.counts[i][count_lines[i].look])
        print_line(out, &count_lines[i], o.counts[i]);
    if (!fuzz->keep) remove_case(dir);
  } else if (code == CLI_NO) {
    fprintf(
        out,
        "not ok %llu seed %llu: build/sluice fuzz --chip %s --seed %llu --runs 1 --exact%s%s%s\n",
        number, s, fuzz->config->name, s, fuzz->references ? " --references" : "",
        fuzz->fault ? " --fault " : "", fuzz->fault ? fuzz->fault : "");
    report_failure(fuzz, &c, &o, dir, out);
  } else {
    fprintf(out, "Bail out! seed %llu: %s\n", s, o.text);
  }
  fclose(out);
  fwrite(lines, 1, len, stdout);
  fflush(stdout);
  free(lines);
  fuzz_release(&c);
  return code;
}

static bool has(const struct sluice_config *config, const struct line *line) {
  for (unsigned i = 0; i < 3 && line->has[i]; i++) {
    unsigned param;
    memcpy(&param, (const char *)config + line->has[i], sizeof param);
    if (param > (line->has[i] == CHIP(Banks))) return true;  // one bank is what each chip has
  }
  return false;
}

static void print_totals(const struct fuzz *fuzz) {
  for (unsigned i = 0; i < NUM_LINES; i++) {
    const struct line *l = &count_lines[i];
    if (l->when != ONLY_RUNS && has(fuzz->config, l) && (l->when != IF_ANY || fuzz->all[i][0]))
      print_line(stdout, l, fuzz->all[i]);
  }
}

struct tally {
  const struct fuzz *fuzz;
  uint64_t passed, failed;
  int world;
};

static int run_number(void *user, uint64_t number) {
  return run_one(((const struct tally *)user)->fuzz, number);
}

static bool count_run(void *user, uint64_t number, int code) {
  struct tally *t = user;
  (void)number;
  if (code == CLI_DONE) t->passed++;
  else if (code == CLI_NO) t->failed++;
  else t->world = code > 128 ? CLI_WORLD : code;
  return t->world == CLI_DONE && !(t->fuzz->first && t->failed);
}

// Runs are processes, so that --jobs of them go at the same time.
static int run_all(const struct fuzz *fuzz) {
  struct tally t = {.fuzz = fuzz, .world = CLI_DONE};
  struct sluice_error error;
  printf("1..%llu\n", (unsigned long long)fuzz->runs);
  const struct sluice_process_pool pool = {0,          fuzz->runs, (unsigned)fuzz->jobs,
                                           run_number, count_run,  &t};
  if (sluice_process_pool(&pool, &error)) {
    cli_error("%s", error.text);
    t.world = CLI_WORLD;
  }
  if (!fuzz->references) print_totals(fuzz);
  printf("# %llu passed, %llu failed\n", (unsigned long long)t.passed,
         (unsigned long long)t.failed);
  return t.world != CLI_DONE ? t.world : t.failed ? CLI_NO : CLI_DONE;
}

static bool choose_dir(struct fuzz *fuzz) {
  if (fuzz->keep) {
    if ((size_t)snprintf(fuzz->above, sizeof fuzz->above, "%s", fuzz->keep) >=
        sizeof fuzz->above - 64) {
      cli_error("--keep: the path is too long");
      return false;
    }
    return cli_make_folder(fuzz->above);
  }
  if (fuzz->references) {
    char all[RUN_PATH];
    snprintf(all, sizeof all, "%.3000s/sluice-fuzz-%ld", cli_temporary(), (long)geteuid());
    snprintf(fuzz->above, sizeof fuzz->above, "%.3100s/%s", all, fuzz->config->name);
    return cli_private_folder(all) && cli_make_folder(fuzz->above);
  }
  // build/fuzz/CHIP, beside the directories of the simulators; of a simulator that is in none of
  // them it is in the folder where the command runs. Seeds follow from --seed alone, so
  // runs of two chips at the same time have the same: each chip has a folder.
  struct run *run = calloc(1, sizeof *run);
  if (!run) return false;
  run->config = fuzz->config;
  run->sim = fuzz->sim;
  bool found = run_find_sim(run);
  if (found) {
    char all[RUN_PATH], place[100];
    snprintf(place, sizeof place, "/%s/sim", fuzz->config->name);
    const size_t len = strlen(run->sim_path), cut = strlen(place);
    const bool beside = len > cut && strcmp(run->sim_path + len - cut, place) == 0;
    if (beside) run->sim_path[len - cut] = 0;
    else (void)mkdir("build", 0777);
    snprintf(all, sizeof all, "%.3000s/fuzz", beside ? run->sim_path : "build");
    // Another user's tree: then a folder that everybody could have made.
    const bool ours = (mkdir(all, 0777) == 0 || errno == EEXIST) && access(all, W_OK) == 0;
    if (!ours)
      snprintf(all, sizeof all, "%.3000s/sluice-fuzz-%ld", cli_temporary(), (long)geteuid());
    if (!ours && !cli_private_folder(all)) found = false;
    snprintf(fuzz->above, sizeof fuzz->above, "%.3100s/%s", all, fuzz->config->name);
  }
  free(run);
  return found && cli_make_folder(fuzz->above);
}

int cmd_fuzz(int argc, char **argv) {
  struct fuzz fuzz = {
      .chip = "tiny", .seed = 1, .runs = 20, .jobs = 1, .tries = 150, .timeout = 120, .times = 1};
  struct cli_list rest;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_TEXT, 'c', "chip", "NAME", &fuzz.chip, 0, 0, "shape of the chip (tiny)"},
      {CLI_WHOLE, 0, "seed", "N", &fuzz.seed, 0, 9e15, "the seeds of the runs follow from it (1)"},
      {CLI_WHOLE, 0, "runs", "R", &fuzz.runs, 1, 1e9, "cases to run (20)"},
      {CLI_WHOLE, 0, "jobs", "J", &fuzz.jobs, 1, 256, "of these at the same time (1)"},
      {CLI_WHOLE, 0, "packets", "N", &fuzz.packets, 1, 1e9, "of each case the first N (all)"},
      {CLI_WHOLE, 0, "times", "T", &fuzz.times, 1, 10000,
       "T times as much traffic in each case (1)"},
      {CLI_FLAG, 0, "exact", NULL, &fuzz.exact, 0, 0,
       "the runs have the seeds N, N+1, ... themselves: replays a run"},
      {CLI_FLAG, 0, "first", NULL, &fuzz.first, 0, 0, "begin no run behind the first that fails"},
      {CLI_FOLDER, 0, "keep", "DIR", &fuzz.keep, 0, 0, "keep all cases, in DIR"},
      {CLI_FLAG, 0, "events", NULL, &fuzz.events, 0, 0,
       "with --keep: also what the monitors are told (events.txt, for 'sluice check')"},
      {CLI_FLAG, 0, "stories", NULL, &fuzz.stories, 0, 0,
       "with --keep: also the story of every packet (stories.json), and what leaves (out.pcap)"},
      {CLI_FLAG, 0, "references", NULL, &fuzz.references, 0, 0,
       "no simulator: the model against the machine of docs/machine.md, a hundred packets a case"},
      {CLI_TEXT, 0, "fault", "NAME", &fuzz.fault, 0, 0, "break the chip on purpose"},
      {CLI_FLAG, 0, "no-shrink", NULL, &fuzz.no_shrink, 0, 0, "do not make failing cases smaller"},
      {CLI_WHOLE, 0, "tries", "N", &fuzz.tries, 1, 1e6, "runs to spend on that (150)"},
      {CLI_PATH, 0, "sim", "FILE", &fuzz.sim, 0, 0,
       "the simulator ($SLUICE_SIM, or build/CHIP/sim)"},
      {CLI_WHOLE, 0, "timeout", "S", &fuzz.timeout, 1, 1e9,
       "seconds after which a run has failed (120)"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  if (rest.count || ((fuzz.stories || fuzz.events) && !fuzz.keep)) {
    cli_error(rest.count     ? "fuzz takes options only; see 'sluice help fuzz'"
              : fuzz.stories ? "--stories needs --keep"
                             : "--events needs --keep");
    return CLI_USAGE;
  }
  if (fuzz.references && (fuzz.fault || fuzz.stories || fuzz.events || fuzz.sim)) {
    cli_error(
        "--references has no simulator: --fault, --stories, --events and --sim have no meaning");
    return CLI_USAGE;
  }
  fuzz.config = cli_chip(fuzz.chip);
  if (!fuzz.config || (fuzz.fault && !cli_fault(fuzz.config, fuzz.fault))) return CLI_USAGE;
  fuzz.all = mmap(NULL, NUM_LINES * sizeof *fuzz.all, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fuzz.all == MAP_FAILED) {
    cli_error("out of memory");
    return CLI_WORLD;
  }
  return choose_dir(&fuzz) ? run_all(&fuzz) : CLI_WORLD;
}
