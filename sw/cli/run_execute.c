// SPDX-License-Identifier: Apache-2.0
// Runs the simulator as a child: its standard error brings progress lines, all else goes to the
// log.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/loop.h"
#include "../base/now.h"
#include "../base/process.h"
#include "run.h"

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

// Waits for more of the child's standard error, or, when that is closed (-1), for its end. False:
// an interrupt (*signal), or the time is up.
static bool await(struct sluice_loop *loop, const struct sluice_process *child, int from_child,
                  double until, int *signal) {
  sluice_loop_watch(loop, from_child, SLUICE_LOOP_IN, NULL);
  if (from_child < 0) sluice_process_watch(child, loop);
  sluice_loop_until(loop, until);
  (void)sluice_loop_wait(loop);
  *signal = sluice_loop_signal(loop);
  return !*signal && sluice_now() < until;
}

// Reads until the child closes its end, and waits until the child has ended, which it need not do
// because of that. Returns whether it has; if not, there was an interrupt or the time is up.
static bool follow(struct sluice_loop *loop, struct sluice_process *child, int from_child,
                   struct lines *lines, double until, int *code, int *signal) {
  char bytes[4096];
  for (bool open = true; open;) {
    if (!await(loop, child, from_child, until, signal)) return false;
    const ssize_t got = read(from_child, bytes, sizeof bytes);
    if (got > 0) take_bytes(lines, bytes, (size_t)got);
    open = got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
  }
  while (!sluice_process_wait(child, 0, code))
    if (!await(loop, child, -1, until, signal)) return sluice_process_wait(child, 0, code);
  return true;
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
  struct sluice_loop loop = SLUICE_LOOP;
  int from_child = -1, code_of_child = 0, interrupted = 0;
  struct sluice_process child;
  struct sluice_error error;
  enum sluice_status started =
      sluice_loop_signals(&loop, (const int[]){SIGINT, SIGTERM, 0}, &error);
  if (!started) started = start(run, &child, &from_child, lines.log, &error);
  bool ended = false;
  if (!started) {
    const double until = run->timeout ? sluice_now() + (double)run->timeout : INFINITY;
    fcntl(from_child, F_SETFL, O_NONBLOCK);
    ended = follow(&loop, &child, from_child, &lines, until, &code_of_child, &interrupted);
    if (lines.len) take_line(&lines);
    close(from_child);
    sluice_process_end(&child, 2);
  }
  fclose(lines.log);
  sluice_loop_close(&loop);
  if (lines.shown) fputs("\r\033[K", stderr);

  if (started) {
    cli_error("cannot start the simulator: %s", error.text);
    return CLI_WORLD;
  }
  if (interrupted) {
    cli_error("interrupted");
    return 128 + interrupted;
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
