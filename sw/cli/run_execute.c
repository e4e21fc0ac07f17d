// SPDX-License-Identifier: Apache-2.0
// Runs the simulator as a child: its standard error brings progress lines, all else goes to the
// log.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../base/process.h"
#include "../base/now.h"
#include "run.h"

static volatile sig_atomic_t interrupted;

static void on_signal(int number) { interrupted = number; }

static void show_progress(unsigned long long done, unsigned long long total) {
  enum { WIDTH = 40 };
  if (total == 0) return;
  if (done > total) done = total;
  unsigned filled = (unsigned)((double)done / (double)total * WIDTH);
  fprintf(stderr, "\r[");
  for (unsigned i = 0; i < WIDTH; i++) fputc(i < filled ? '#' : '.', stderr);
  fprintf(stderr, "] %llu of %llu packets", done, total);
  fflush(stderr);
}

// Lines of the child's standard error. Only complete lines are looked at; a longer one is cut.
struct lines {
  char text[1024];
  size_t len;
  bool show, shown;
  FILE *log;
};

static void take_line(struct lines *lines) {
  unsigned long long done, total;
  lines->text[lines->len] = 0;
  if (sscanf(lines->text, "progress %llu %llu", &done, &total) == 2) {
    if (lines->show) show_progress(done, total), lines->shown = true;
  } else {
    fprintf(lines->log, "%s\n", lines->text);
  }
  lines->len = 0;
}

static void take_bytes(struct lines *lines, const char *bytes, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (bytes[i] == '\n') take_line(lines);
    else if (lines->len + 1 < sizeof lines->text) lines->text[lines->len++] = bytes[i];
  }
}

// Registers and memories of the simulated chip hold random bits before the reset, which follow from
// the run's seed: a register that needs a reset and has none is seen. Verilator takes seeds from 1
// to 2^31 - 1.
static unsigned start_seed(const struct run *run) {
  return (unsigned)(run->traffic.seed % 0x7fffffff) + 1;
}

// *from_child: the end of a pipe from its standard error.
static enum sluice_status start(const struct run *run, struct sluice_process *child,
                                int *from_child, FILE *log, struct sluice_error *error) {
  int ends[2];
  char job[RUN_PATH + 8], seed[40];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return sluice_fail(error, SLUICE_ERR_IO, "no pipe: %s", strerror(errno));
  snprintf(job, sizeof job, "+job=%s", run->job_path);
  snprintf(seed, sizeof seed, "+verilator+seed+%u", start_seed(run));
  // A chip that is broken on purpose may break its own assertions; it goes on, so that the
  // checker has its say.
  const char *const argv[] = {run->sim_path,
                              job,
                              "+verilator+rand+reset+2",
                              seed,
                              run->faults.count ? "+verilator+error+limit+100000" : NULL,
                              NULL};
  const struct sluice_process_options options = {.argv = argv,
                                                 .in = SLUICE_PROCESS_SAME,
                                                 .out = SLUICE_PROCESS_FD + fileno(log),
                                                 .err = SLUICE_PROCESS_FD + ends[1],
                                                 .group = true,
                                                 .follows = SIGKILL};
  const enum sluice_status status = sluice_process_start(child, &options, error);
  close(ends[1]);
  if (status) close(ends[0]);
  *from_child = ends[0];
  return status;
}

// Reads until the child closes its end, an interrupt, or the time is up. Returns true for the
// first.
static bool follow(const struct run *run, int from_child, struct lines *lines, double until) {
  struct pollfd watch = {.fd = from_child, .events = POLLIN};
  while (!interrupted) {
    int ready = poll(&watch, 1, 200);
    if (run->timeout && sluice_now() > until) return false;
    if (ready <= 0) continue;
    char bytes[4096];
    ssize_t got = read(from_child, bytes, sizeof bytes);
    if (got > 0) take_bytes(lines, bytes, (size_t)got);
    if (got == 0 || (got < 0 && errno != EINTR)) return true;
  }
  return false;
}

// Waits for the end of a child that has closed its standard error, which does not mean that it
// ends. False: an interrupt, or the time is up.
static bool await(const struct run *run, struct sluice_process *child, int *code, double until) {
  enum { PIECE_MS = 200 };  // an interrupt may come just before it waits
  while (!interrupted && !(run->timeout && sluice_now() > until))
    if (sluice_process_wait(child, PIECE_MS * 1e-3, code)) return true;
  return sluice_process_wait(child, 0, code);
}

static void print_log_end(const struct run *run) {
  enum { LAST = 10 };
  char lines[LAST][400];
  unsigned n = 0;
  FILE *log = fopen(run->log_path, "r");
  if (!log) return;
  while (fgets(lines[n % LAST], sizeof lines[0], log)) n++;
  fclose(log);
  for (unsigned i = n > LAST ? n - LAST : 0; i < n; i++) fprintf(stderr, "  %s", lines[i % LAST]);
}

int run_execute(const struct run *run) {
  struct lines lines = {.show = !run->quiet && isatty(STDERR_FILENO)};
  remove(run->report_path);
  lines.log = fopen(run->log_path, "w");
  if (!lines.log) {
    cli_error("cannot open '%s': %s", run->log_path, strerror(errno));
    return CLI_WORLD;
  }
  struct sigaction action = {.sa_handler = on_signal}, old_int, old_term;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_int);
  sigaction(SIGTERM, &action, &old_term);
  interrupted = 0;
  int from_child, code_of_child = 0;
  struct sluice_process child;
  struct sluice_error error;
  const enum sluice_status started = start(run, &child, &from_child, lines.log, &error);
  bool ended = false;
  if (!started) {
    const double until = sluice_now() + (double)run->timeout;
    ended = follow(run, from_child, &lines, until);
    if (lines.len) take_line(&lines);
    close(from_child);
    ended = ended && await(run, &child, &code_of_child, until);
    sluice_process_end(&child, 2);
  }
  fclose(lines.log);
  sigaction(SIGINT, &old_int, NULL);
  sigaction(SIGTERM, &old_term, NULL);
  if (lines.shown) fputs("\r\033[K", stderr);

  if (started) {
    cli_error("cannot start the simulator: %s", error.text);
    return CLI_WORLD;
  }
  if (interrupted) {
    cli_error("interrupted");
    return 128 + (int)interrupted;
  }
  if (!ended) {
    cli_error("the simulator was stopped after %llu s", (unsigned long long)run->timeout);
    return CLI_NO;
  }
  // A report decides, whatever the child returned: a difference ends it with an error as well.
  if (access(run->report_path, R_OK) == 0) return CLI_DONE;
  const char *where = run->dir ? "" : " (--dir DIR keeps all of it)";
  if (code_of_child > 128)
    cli_error("the simulator died of signal %d; the end of its log%s:", code_of_child - 128, where);
  else
    cli_error("the simulator ended with code %d and no report; the end of its log%s:",
              code_of_child, where);
  print_log_end(run);
  return CLI_WORLD;
}
