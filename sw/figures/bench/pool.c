// SPDX-License-Identifier: Apache-2.0
#include "pool.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../base/loop.h"
#include "../../base/now.h"
#include "process.h"

enum { PATH_LEN = PATH_MAX, GRACE_SECONDS = 10 };

struct job {
  struct sluice_process child;
  size_t run;
  double start;
  bool late;
};

static int stopped;  // the signal; 0: none came

static void path_of(const struct pool *p, char *path, const char *folder, size_t run,
                    const char *end) {
  snprintf(path, PATH_LEN, "%s/%s/%s%s", p->folder, folder,
           p->results->plan->runs[run].field[PLAN_ID], end);
}

static const char *simulator(const struct pool *p, const struct plan_run *run) {
  const bool study = strcmp(run->field[PLAN_VERB], "study") == 0;
  return study ? "" : p->simulator(p->user, run->field[PLAN_CHIP]);
}

bool pool_wants(const struct pool *p, size_t run) {
  return (p->only == SIZE_MAX || p->only == run) && !p->results->of[run] &&
         simulator(p, &p->results->plan->runs[run]);
}

__attribute__((format(printf, 3, 4))) static void fail(const struct pool *p, size_t run,
                                                       const char *format, ...) {
  char text[PATH_LEN + 800];
  va_list arguments;
  va_start(arguments, format);
  int len = snprintf(text, sizeof text, "%s: ", p->results->plan->runs[run].field[PLAN_ID]);
  vsnprintf(text + len, sizeof text - (size_t)len, format, arguments);
  va_end(arguments);
  p->failed(p->user, text);
}

// `sluice bench study` prints its report, the others write it to a file.
static bool start(const struct pool *p, struct job *job, size_t run, struct sluice_error *error) {
  const char *const *field = p->results->plan->runs[run].field, *verb = field[PLAN_VERB];
  char log[PATH_LEN], report[PATH_LEN], work[PATH_LEN];
  path_of(p, log, "logs", run, ".log");
  path_of(p, report, "work", run, ".json");
  snprintf(work, sizeof work, "%s/work", p->folder);
  unlink(report);
  const bool study = strcmp(verb, "study") == 0, program = strcmp(verb, "run") == 0;
  struct process_words *words = calloc(1, sizeof *words);
  if (!words) return !sluice_no_memory(error);
  process_word(words, "%s", p->command);
  if (!program) process_word(words, "bench");
  process_word(words, "%s", verb);
  process_word(words, "%s", field[program ? PLAN_PROGRAM : PLAN_FLOWS]);
  if (!program) process_word(words, "%s", field[PLAN_PACKETS]);
  if (program) process_split(words, "--packets"), process_word(words, "%s", field[PLAN_PACKETS]);
  else process_split(words, "--repeat"), process_word(words, "%s", field[PLAN_PASSES]);
  if (study) {
    process_split(words, "--json");
  } else {
    process_split(words, "--quiet --chip");
    process_word(words, "%s", field[PLAN_CHIP]);
    process_split(words, "--sim");
    process_word(words, "%s", simulator(p, &p->results->plan->runs[run]));
    process_split(words, "--report");
    process_word(words, "%s", report);
  }
  process_split(words, field[PLAN_OPTIONS]);
  // Working files are made where TMPDIR says, as the simulator is named.
  *job = (struct job){.run = run, .start = sluice_now()};
  const enum sluice_status status =
      process_start(&job->child, words, study ? report : log, log, "TMPDIR", work, error);
  free(words);
  return !status;
}

// A verdict other than EQUIVALENT is a result as well (exit code 1); anything else is not.
static bool finish(const struct pool *p, const struct job *job, int code) {
  char report[PATH_LEN], log[PATH_LEN];
  struct sluice_error error;
  path_of(p, report, "work", job->run, ".json");
  path_of(p, log, "logs", job->run, ".log");
  bool good = false;
  if (stopped) good = true;  // nobody asks
  else if (job->late) fail(p, job->run, "stopped after %.0f s, see %s", p->limit, log);
  else if (code > 1) fail(p, job->run, "exit code %d, see %s", code, log);
  else if (results_add(p->results, job->run, report, &error))
    fail(p, job->run, "%s; exit code %d, see %s", error.text, code, log);
  else good = true;
  unlink(report);
  return good;
}

// A run has a process group of its own; `sluice run` ends the simulator's.
static void end(const struct pool *p, struct job *job, double now) {
  if (!job->late && (stopped || now - job->start > p->limit)) {
    job->late = true;
    job->start = now;
    kill(-job->child.pid, SIGTERM);
  } else if (job->late && now - job->start > GRACE_SECONDS) {
    kill(-job->child.pid, SIGKILL);
  }
}

struct state {
  struct job *jobs;
  size_t next, all, done, running;
  bool some_failed;
};

static void look(struct pool *p, struct state *s) {
  for (unsigned i = 0; i < p->jobs; i++) {
    struct job *job = &s->jobs[i];
    struct sluice_error error = {""};
    int code;
    if (job->child.pid && sluice_process_wait(&job->child, 0, &code)) {
      s->some_failed |= !finish(p, job, code);
      s->running--;
      s->done++;
    }
    if (job->child.pid) end(p, job, sluice_now());
    while (!job->child.pid && !stopped && s->next < p->results->plan->count) {
      const size_t run = s->next++;
      if (!pool_wants(p, run)) continue;
      if (start(p, job, run, &error)) {
        s->running++;
        break;
      }
      fail(p, run, "cannot be started: %s", error.text);
      s->some_failed = true;
      s->done++;
    }
  }
}

// Until one has ended, one has had its time, there is progress to be told, or a signal came.
static void await(const struct pool *p, const struct state *s, struct sluice_loop *loop,
                  double tell) {
  for (unsigned i = 0; i < p->jobs; i++) {
    const struct job *job = &s->jobs[i];
    if (!job->child.pid) continue;
    sluice_process_watch(&job->child, loop);
    sluice_loop_until(loop, job->start + (job->late ? GRACE_SECONDS : p->limit));
  }
  if (!stopped) sluice_loop_until(loop, tell);
  (void)sluice_loop_wait(loop);
  const int signal = sluice_loop_signal(loop);
  if (signal) stopped = signal;
}

enum pool_end pool_run(struct pool *p) {
  struct state s = {.jobs = calloc(p->jobs, sizeof *s.jobs)};
  if (!s.jobs) {
    p->failed(p->user, "no memory for runs");
    return POOL_SOME_FAILED;
  }
  for (size_t i = 0; i < p->results->plan->count; i++) s.all += pool_wants(p, i);
  struct sluice_loop loop = SLUICE_LOOP;
  struct sluice_error error;
  stopped = 0;
  if (sluice_loop_signals(&loop, (const int[]){SIGINT, SIGTERM, 0}, &error)) {
    p->failed(p->user, error.text);
    free(s.jobs);
    return POOL_SOME_FAILED;
  }
  const double begin = sluice_now();
  double told = begin;
  for (;;) {
    look(p, &s);
    if (!s.running && (stopped || s.next >= p->results->plan->count)) break;
    await(p, &s, &loop, told + p->every);
    if (stopped || sluice_now() - told < p->every) continue;
    told = sluice_now();
    p->progress(p->user, s.done, s.all, told - begin);
  }
  sluice_loop_close(&loop);
  free(s.jobs);
  p->stopped_by = stopped;
  return stopped ? POOL_STOPPED : s.some_failed ? POOL_SOME_FAILED : POOL_DONE;
}
