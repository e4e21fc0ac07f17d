// SPDX-License-Identifier: Apache-2.0
// The evaluation: runs of a plan, then tables, plots and a page of what they said.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../figures/bench/evaluation.h"
#include "../figures/bench/figures.h"
#include "../figures/bench/goals.h"
#include "../figures/bench/page.h"
#include "../figures/bench/plots.h"
#include "../figures/bench/process.h"
#include "../figures/bench/slurm.h"
#include "../figures/bench/speed.h"
#include "cli.h"

static const struct cli_usage usage = {
    "bench", "[OPTION...]", "Makes the runs of an evaluation, and tables, plots and a page of them",
    "Without --plan: all figures of the papers. A plan is a table whose first line names its\n"
    "columns (--print-plan shows one). Results are JSON lines in OUT/results.jsonl: a run that "
    "has\n"
    "one is not made again, so after an interrupt the same command goes on. Exit code 1: a run\n"
    "failed, or did not end as it must. See docs/study.md.\n"};

enum { PATH_LEN = PATH_MAX - 400, SIMULATORS = 32, STRESS_CYCLES = 40000 };

struct simulator {
  const char *chip;  // of the plan
  char path[PATH_MAX];
  bool there;
};

struct bench {
  const char *out, *plan_path, *traces, *sbatch;
  bool quick, build, slurm, print_plan, no_runs;
  uint64_t jobs, task, seed;
  double limit, every;
  char command[PATH_LEN], path[PATH_MAX], results_path[PATH_MAX];
  struct plan plan;
  struct results results;
  unsigned num_simulators;
  struct simulator simulators[SIMULATORS];
  char *summary;  // of goals and verdicts, lines
  size_t summary_len;
  bool failed;
};

static int world(const struct sluice_error *error) {
  cli_error("%s", error->text);
  return CLI_WORLD;
}

static const char *in_out(struct bench *b, const char *name) {
  snprintf(b->path, sizeof b->path, "%s/%s", b->out, name);
  return b->path;
}

// ---- the plan -----------------------------------------------------------------------------------

// A trace that is not whole has another name.
static int make_stress(struct bench *b) {
  for (int i = 0; i < EVALUATION_STRESS; i++) {
    const struct evaluation_stress *s = &evaluation_stress[i];
    char name[60], folder[PATH_MAX], half[PATH_MAX + 8];
    evaluation_stress_name(s, name, sizeof name);
    snprintf(folder, sizeof folder, "%s/stress/%s", b->out, name);
    snprintf(half, sizeof half, "%s.new", folder);
    if (access(folder, X_OK) == 0) continue;
    struct process_words *words = calloc(1, sizeof *words);
    if (!words) return CLI_WORLD;
    process_word(words, "%s", b->command);
    process_split(words, "gen --stress");
    process_word(words, "%s", half);
    process_word(words, "--pipelines=%u", s->pipelines);
    process_word(words, "--entries=%u", s->entries);
    process_word(words, "--zipf=%s", s->zipf ? "0.9" : "0");
    process_word(words, "--load=%.2f", s->load / 100.0);
    process_word(words, "--cycles=%d", STRESS_CYCLES);
    process_word(words, "--seed=%llu", (unsigned long long)b->seed);
    const int code = process_run(words, "/dev/null", NULL, 0, NULL, NULL);
    free(words);
    if (code || rename(half, folder) != 0) {
      cli_error("cannot make the stress trace '%s'", folder);
      return CLI_WORLD;
    }
  }
  return CLI_DONE;
}

// A figure that nobody draws would leave an empty page.
static bool figures_known(const struct bench *b) {
  char list[600] = "";
  for (size_t i = 0; page_titles[i].name; i++) {
    const size_t len = strlen(list);
    snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "", page_titles[i].name);
  }
  for (size_t r = 0; r < b->plan.count; r++) {
    const char *figure = b->plan.runs[r].field[PLAN_FIGURE];
    size_t i = 0;
    while (page_titles[i].name && strcmp(page_titles[i].name, figure) != 0) i++;
    if (page_titles[i].name) continue;
    cli_error("'%s', line %zu: no figure is called '%s'; there are %s. Runs of your own go into "
              "one of these, or are made by 'sluice run --report FILE'",
              b->plan_path, r + 2, figure, list);
    return false;
  }
  return true;
}

static int make_plan(struct bench *b) {
  char stress[PATH_MAX];
  struct sheet sheet;
  struct sluice_error error;
  snprintf(stress, sizeof stress, "%s/stress", b->out);
  if (b->plan_path) {
    if (sheet_read(&sheet, b->plan_path, '\t', &error)) return world(&error);
  } else {
    char pipelines[PATH_MAX];
    snprintf(pipelines, sizeof pipelines, "%s/pipelines", b->traces);
    if (access(pipelines, R_OK) != 0)
      cli_warn("no published traces in '%s': name their folder with --traces (they are not part of "
               "Sluice); stress traces, which are made here, run without them",
               b->traces);
    if (!cli_make_folder(stress)) return CLI_WORLD;
    const int code = make_stress(b);
    if (code) return code;
    evaluation_plan(&sheet, &(struct evaluation){b->quick, b->traces, stress});
  }
  if (plan_take(&b->plan, &sheet, b->plan_path ? b->plan_path : "the plan", &error))
    return world(&error);
  if (b->plan_path && !figures_known(b)) return CLI_WORLD;
  if (b->plan.count) return CLI_DONE;
  cli_error("there is nothing to run");
  return CLI_WORLD;
}

static int write_plan(const struct bench *b, const char *path) {
  struct sheet sheet;
  struct sluice_error error;
  sheet_begin(&sheet, plan_header());
  for (size_t i = 0; i < b->plan.count; i++) plan_put(&sheet, &b->plan.runs[i]);
  const enum sluice_status status = sheet_write(&sheet, path, '\t', &error);
  sheet_release(&sheet);
  return status ? world(&error) : CLI_DONE;
}

// ---- simulators ---------------------------------------------------------------------------------

static struct simulator *find_simulator(struct bench *b, const char *chip) {
  for (unsigned i = 0; i < b->num_simulators; i++)
    if (strcmp(b->simulators[i].chip, chip) == 0) return &b->simulators[i];
  return NULL;
}

static bool open_run(const struct bench *b, size_t i) {
  return (!b->task || b->task == i + 1) && !b->results.of[i] &&
         strcmp(b->plan.runs[i].field[PLAN_VERB], "study") != 0;
}

static int make(const struct bench *b, bool all, const char *chip) {
  struct process_words *words = calloc(1, sizeof *words);
  if (!words) return 127;
  process_split(words, all ? "make --no-print-directory -k -j 2" : "make --no-print-directory");
  process_word(words, "JOBS=%llu", (unsigned long long)b->jobs);
  for (unsigned i = 0; all && i < b->num_simulators; i++)
    process_word(words, "build/%s/sim", b->simulators[i].chip);
  if (!all) process_word(words, "build/%s/sim", chip);
  const int code = process_run(words, NULL, NULL, 0, NULL, NULL);
  free(words);
  return code;
}

// Those of the runs that are to be made. Two are built at once: Verilator keeps one processor busy,
// the compiler of another simulator the rest. What fails beside another one has a second chance
// alone; a simulator that this machine cannot build (b16 takes 16 GB) costs its own runs only.
static int find_simulators(struct bench *b) {
  for (size_t i = 0; i < b->plan.count; i++) {
    const char *chip = b->plan.runs[i].field[PLAN_CHIP];
    if (!open_run(b, i) || find_simulator(b, chip)) continue;
    if (b->num_simulators == SIMULATORS) {
      cli_error("the plan has more than %d chips", SIMULATORS);
      return CLI_USAGE;
    }
    b->simulators[b->num_simulators++].chip = chip;
  }
  if (b->build && b->num_simulators && b->jobs > 1) (void)make(b, true, NULL);
  for (unsigned i = 0; i < b->num_simulators; i++) {
    struct simulator *s = &b->simulators[i];
    s->there = (!b->build || make(b, false, s->chip) == 0) && sluice_config_find(s->chip) &&
               cli_find_sim(s->path, sizeof s->path, NULL, s->chip);
    if (s->there) continue;
    printf("bench: no simulator of %s: its runs are left out\n", s->chip);
    b->failed = true;
  }
  return CLI_DONE;
}

// ---- runs ---------------------------------------------------------------------------------------

static const char *simulator_of(void *user, const char *chip) {
  const struct simulator *s = find_simulator(user, chip);
  return s && s->there ? s->path : NULL;
}

static void run_failed(void *user, const char *sentence) {
  (void)user;
  fprintf(stderr, "%s\n", sentence);
}

static void show_progress(void *user, size_t done, size_t all, double seconds) {
  (void)user;
  // Time left: as if the rest took as long a run as those that are done.
  if (done)
    printf("bench: %zu of %zu runs, %.0f s, about %.0f s left\n", done, all, seconds,
           seconds * (double)(all - done) / (double)done);
  fflush(stdout);
}

static int make_runs(struct bench *b) {
  struct pool pool = {.results = &b->results,
                      .command = b->command,
                      .folder = b->out,
                      .simulator = simulator_of,
                      .failed = run_failed,
                      .progress = show_progress,
                      .user = b,
                      .jobs = (unsigned)b->jobs,
                      .limit = b->limit,
                      .every = b->every,
                      .only = b->task ? b->task - 1 : SIZE_MAX};
  size_t left = 0;
  struct sluice_error error;
  for (size_t i = 0; i < b->plan.count; i++) left += pool_wants(&pool, i);
  printf("bench: %zu runs, %zu have results, %zu to do, %zu at once\n", b->plan.count,
         b->results.count, left, (size_t)b->jobs);
  fflush(stdout);
  if (!left) return CLI_DONE;
  if (b->slurm) {
    if (slurm_run(&pool, b->sbatch ? b->sbatch : "", &error)) {
      cli_error("%s", error.text);
      b->failed = true;
    }
    return slurm_collect(&b->results, b->out, &error) ? world(&error) : CLI_DONE;
  }
  const enum pool_end end = pool_run(&pool);
  if (end == POOL_SOME_FAILED) b->failed = true;
  if (end != POOL_STOPPED) return CLI_DONE;
  puts("bench: stopped; the same command goes on from here");
  return 128 + pool.stopped_by;
}

static void say_line(void *user, const char *sentence) {
  (void)user;
  puts(sentence);
  fflush(stdout);
}

static void measure_speed(struct bench *b) {
  static const char shape[] = "64_4_16_4_512_64";
  char flows[PATH_MAX], packets[PATH_MAX];
  struct sluice_error error;
  snprintf(flows, sizeof flows, "%s/pipelines/flows_%s.csv", b->traces, shape);
  snprintf(packets, sizeof packets, "%s/pipelines/uniform_%s.csv", b->traces, shape);
  if (access(flows, R_OK) != 0 || access(packets, R_OK) != 0) return;
  if (!speed_measure(&(struct speed){b->command, b->out, flows, packets, say_line, NULL}, &error))
    return;
  cli_error("speed: %s", error.text);
  b->failed = true;
}

// ---- tables and page ----------------------------------------------------------------------------

static void add_summary(void *user, const char *sentence) {
  struct bench *b = user;
  const size_t len = strlen(sentence);
  char *more = realloc(b->summary, b->summary_len + len + 2);
  if (!more) return;
  b->summary = more;
  memcpy(more + b->summary_len, sentence, len);
  memcpy(more + b->summary_len + len, "\n", 2);
  b->summary_len += len + 1;
}

struct tables {
  struct sheet all, published, steps, banks, speed;
  struct sheet of[40];  // as page_titles has them
  struct page_figure figures[40];
};

static enum sluice_status write_table(struct bench *b, const char *name, const struct sheet *sheet,
                                      struct sluice_error *error) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s.csv", b->out, name);
  return sheet_write(sheet, path, ',', error);
}

static enum sluice_status make_tables(struct bench *b, struct tables *t,
                                      struct sluice_error *error) {
  char path[PATH_MAX], log[PATH_MAX];
  snprintf(path, sizeof path, "%s/published-results.csv", b->traces);
  snprintf(log, sizeof log, "%s/logs/verilator.log", b->out);
  figures_results(&t->all, &b->results);
  enum sluice_status status = write_table(b, "results", &t->all, error);
  if (status) return status;
  if (access(path, R_OK) == 0) status = sheet_read(&t->published, path, ',', error);
  else sheet_begin(&t->published, "experiment,trace_set,pattern,parameter,mp5,ideal");
  if (status) return status;
  speed_table(&t->speed, b->out);
  figures_steps(&t->steps, &t->all, &b->results, &t->published);
  for (size_t i = 0; page_titles[i].name; i++) {
    const char *name = page_titles[i].name;
    struct sheet *sheet = strcmp(name, "speed") == 0         ? &t->speed
                          : strcmp(name, "steps-table") == 0 ? &t->steps
                          : strcmp(name, "banks") == 0       ? &t->banks
                                                             : &t->of[i];
    if (sheet == &t->of[i]) sheet_select(sheet, &t->all, "figure", name);
    if (sheet == &t->of[i] && strcmp(name, "stress") == 0) {
      double bits[2][3] = {{0}};
      if (sheet_rows(sheet)) figures_bank_bits(bits, log);
      figures_banks(&t->banks, &t->all, bits);
    }
    t->figures[i] = (struct page_figure){name, sheet};
    if (sheet_rows(sheet)) status = write_table(b, name, sheet, error);
    if (status) return status;
  }
  return plots_make(b->out, &t->all, &t->published, error);
}

static void print_verdicts(const struct sheet *all) {
  static const char *const verdicts[] = {"DIFFERENT", "EQUIVALENT", "ERROR",
                                         "STUCK",     "STUDY",      "UNTESTED"};
  for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
    size_t num = 0;
    for (size_t row = 0; row < sheet_rows(all); row++)
      num += sheet_is(all, row, "verdict", verdicts[i]);
    if (num) printf("bench: runs %s %zu\n", verdicts[i], num);
  }
}

static int show(struct bench *b) {
  struct tables *t = calloc(1, sizeof *t);
  struct sluice_error error;
  if (!t) return CLI_WORLD;
  enum sluice_status status = make_tables(b, t, &error);
  if (!status) {
    goals_reach(&t->all, add_summary, b);
    b->failed |= goals_verdicts(&t->all, add_summary, b) != 0;
    status = page_write(b->out, b->summary ? b->summary : "", t->figures, &error);
  }
  if (!status) {
    printf("bench: %s/report.html, %s/*.csv, %s/*.svg\n", b->out, b->out, b->out);
    print_verdicts(&t->all);
    fputs(b->summary ? b->summary : "", stdout);
  }
  struct sheet *const own[] = {&t->all, &t->published, &t->steps, &t->banks, &t->speed};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) sheet_release(own[i]);
  for (size_t i = 0; i < sizeof t->of / sizeof *t->of; i++) sheet_release(&t->of[i]);
  free(t);
  return status ? world(&error) : CLI_DONE;
}

// ---- the verb -----------------------------------------------------------------------------------

static int go(struct bench *b) {
  static const char *const folders[] = {"logs", "work", "plot", "tasks"};
  struct sluice_error error;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (!cli_make_folder(in_out(b, folders[i]))) return CLI_WORLD;
  int code = make_plan(b);
  if (code == CLI_DONE && b->print_plan) return write_plan(b, "-");
  if (code == CLI_DONE && !b->task) code = write_plan(b, in_out(b, "plan.tsv"));
  if (code) return code;
  if (b->task > b->plan.count) {
    cli_error("--task: the plan has %zu runs", b->plan.count);
    return CLI_USAGE;
  }
  if (b->task) slurm_path(b->results_path, sizeof b->results_path, b->out, (unsigned)b->task);
  else snprintf(b->results_path, sizeof b->results_path, "%s/results.jsonl", b->out);
  if (results_open(&b->results, b->results_path, &b->plan, &error)) return world(&error);
  if (b->results.damaged)
    cli_warn("'%s': %zu lines are no results and are left out; the first is line %zu",
             b->results_path, b->results.damaged, b->results.first_line);
  if (!b->task && slurm_collect(&b->results, b->out, &error)) return world(&error);
  if (!b->no_runs) {
    code = find_simulators(b);
    if (code == CLI_DONE) code = make_runs(b);
    if (code == CLI_DONE && b->build && !b->quick && !b->plan_path && !b->task) measure_speed(b);
  }
  if (code == CLI_DONE && !b->task) code = show(b);
  return code == CLI_DONE && b->failed ? CLI_NO : code;
}

int cmd_bench(int argc, char **argv) {
  struct bench *b = calloc(1, sizeof *b);
  if (!b) return CLI_WORLD;
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  b->out = "build/bench";
  b->traces = "../shared/traces/mp5";
  b->jobs = processors > 0 ? (uint64_t)processors : 1;
  b->seed = 1;
  b->limit = 1800;
  b->every = 20;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "The plan"},
      {CLI_FLAG, 0, "quick", NULL, &b->quick, 0, 0,
       "K = 2 and 4, the runs that have goals and what they are compared with"},
      {CLI_READ, 0, "plan", "FILE", &b->plan_path, 0, 0,
       "these runs instead: a table, tab-separated, whose first line names columns"},
      {CLI_FLAG, 0, "print-plan", NULL, &b->print_plan, 0, 0, "print the plan; nothing runs"},
      {CLI_PATH, 0, "traces", "DIR", &b->traces, 0, 0,
       "MP5's published traces (../shared/traces/mp5)"},
      {CLI_WHOLE, 0, "seed", "N", &b->seed, 0, 9e15, "seed of the stress traces (1)"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Runs"},
      {CLI_WHOLE, 0, "jobs", "N", &b->jobs, 1, 1024, "runs at once (all processors)"},
      {CLI_NUMBER, 0, "limit", "S", &b->limit, 1, 1e7, "seconds that a run may take (1800)"},
      {CLI_FLAG, 0, "build", NULL, &b->build, 0, 0,
       "build the simulators first, by make in this folder, and measure their speed"},
      {CLI_FLAG, 0, "slurm", NULL, &b->slurm, 0, 0, "as a Slurm job array"},
      {CLI_TEXT, 0, "sbatch-options", "TEXT", &b->sbatch, 0, 0, "more words for sbatch"},
      {CLI_WHOLE, 0, "task", "N", &b->task, 1, 1e6,
       "run N of the plan alone, its result in OUT/tasks: what the array calls"},
      {CLI_NUMBER, 0, "progress", "S", &b->every, 0.1, 1e6,
       "seconds between two lines of progress (20)"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Results"},
      {CLI_FOLDER, 'o', "out", "DIR", &b->out, 0, 0, "folder of everything (build/bench)"},
      {CLI_FLAG, 0, "no-runs", NULL, &b->no_runs, 0, 0,
       "only tables, plots and page of the results that there are"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  struct cli_list rest;
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  int code = cli_parsed_exit(parsed);
  const ssize_t len = readlink("/proc/self/exe", b->command, sizeof b->command - 1);
  if (parsed == CLI_GO && rest.count) {
    cli_error("bench takes no argument '%s'; see 'sluice help bench'", rest.items[0]);
    code = CLI_USAGE;
  } else if (parsed == CLI_GO && (strlen(b->out) > 1000 || strlen(b->traces) > 1000 || len <= 0)) {
    cli_error("a path is too long");
    code = CLI_USAGE;
  } else if (parsed == CLI_GO) {
    code = go(b);
  }
  results_close(&b->results);
  plan_release(&b->plan);
  free(b->summary);
  free(b);
  return code;
}
