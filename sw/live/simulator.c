// SPDX-License-Identifier: Apache-2.0
#include "simulator.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/now.h"
#include "../base/number.h"

enum { PATIENCE = 60, PATIENCE_MAX = 3600 };
#define STEP_SECONDS 0.01

// The last line that begins with `word`, or the last one that is not empty ("") into `said`.
static bool find_line(struct live_simulator *sim, const char *word) {
  char text[16384], *last = NULL;
  struct stat info;
  if (fstat(sim->output, &info) != 0) return false;
  const off_t from = info.st_size > (off_t)sizeof text - 1 ? info.st_size - (off_t)sizeof text + 1
                                                           : 0;
  const ssize_t got = pread(sim->output, text, sizeof text - 1, from);
  text[got > 0 ? got : 0] = 0;
  char *save = NULL;
  for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
    if (strncmp(line, word, strlen(word)) == 0) last = line;
  if (last) snprintf(sim->said, sizeof sim->said, "%.999s", last);
  return last != NULL;
}

bool live_simulator_runs(struct live_simulator *sim) {
  char last[sizeof sim->said - 100];
  int code;
  if (sim->output < 0 || sim->ended) return false;
  if (!sluice_process_wait(&sim->process, 0, &code)) return true;
  sim->ended = true;
  sim->failed = code != 0;
  snprintf(last, sizeof last, "%.800s", find_line(sim, "") ? sim->said : "nothing");
  if (code > 128)
    snprintf(sim->said, sizeof sim->said, "signal %d ended it; the last that it said: %s",
             code - 128, last);
  else snprintf(sim->said, sizeof sim->said, "exit code %d; the last that it said: %s", code, last);
  return false;
}

// The bounds are of the wall: a large shape on a machine that has much to do needs longer ones.
static enum sluice_status read_patience(struct live_simulator *sim, struct sluice_error *error) {
  const char *text = getenv("SLUICE_PATIENCE");
  unsigned n = PATIENCE;
  if (text && !sluice_unsigned_in(text, 1, PATIENCE_MAX, &n))
    return sluice_fail(error, SLUICE_ERR_RANGE, "SLUICE_PATIENCE is '%.40s', not 1 to %d seconds",
                       text, PATIENCE_MAX);
  sim->patience = (int)n;
  return SLUICE_OK;
}

enum sluice_status live_simulator_start(struct live_simulator *sim, const char *path,
                                        const char *chip, const char *socket,
                                        struct sluice_error *error) {
  char job[300];
  struct stat info;
  *sim = (struct live_simulator){.output = -1};
  SLUICE_TRY(read_patience(sim, error));
  if ((size_t)snprintf(job, sizeof job, "+job=serve:%s:%s", chip, socket) >= sizeof job)
    return sluice_fail(error, SLUICE_ERR_RANGE, "the path is too long: '%s'", socket);
  sim->output = memfd_create("simulator", MFD_CLOEXEC);
  if (sim->output < 0)
    return sluice_fail(error, SLUICE_ERR_IO, "no place for the simulator's messages: %s",
                       strerror(errno));
  const char *const argv[] = {path, job, "+verilator+rand+reset+2", "+verilator+seed+1", NULL};
  const struct sluice_process_options process = {.argv = argv,
                                                 .in = SLUICE_PROCESS_SAME,
                                                 .out = SLUICE_PROCESS_FD + sim->output,
                                                 .err = SLUICE_PROCESS_FD + sim->output,
                                                 .group = true};
  const enum sluice_status status = sluice_process_start(&sim->process, &process, error);
  if (status) {
    close(sim->output);
    sim->output = -1;
    return status;
  }
  // It says that it serves when the socket is there and the chip is ready.
  const double until = sluice_now() + sim->patience;
  while (sluice_now() < until && live_simulator_runs(sim)) {
    if (find_line(sim, "serving ") && stat(socket, &info) == 0) return SLUICE_OK;
    sluice_process_wait(&sim->process, STEP_SECONDS, NULL);
  }
  const bool runs = live_simulator_runs(sim);
  live_simulator_end(sim);
  if (runs) snprintf(sim->said, sizeof sim->said, "nothing came for %d s", sim->patience);
  return sluice_fail(error, SLUICE_ERR_IO, "the simulator '%.100s' does not serve: %.200s", path,
                     sim->said);
}

enum sluice_status live_simulator_open(struct live_simulator *sim, struct sluice_transport *to,
                                       const char *path, const char *chip, const char *socket,
                                       struct sluice_error *error) {
  enum sluice_status status = live_simulator_start(sim, path, chip, socket, error);
  if (!status) status = sluice_transport_unix(to, socket, sim->patience, NULL, error);
  unlink(socket);
  return status;
}

enum live_verdict live_simulator_end(struct live_simulator *sim) {
  static const char *const words[] = {"EQUIVALENT", "DIFFERENT", "UNTESTED"};
  enum live_verdict verdict = LIVE_DIED;
  if (sim->output < 0) return LIVE_DIED;
  if (sim->process.pid) kill(sim->process.pid, SIGTERM);
  const double until = sluice_now() + sim->patience;
  while (live_simulator_runs(sim) && sluice_now() < until)
    sluice_process_wait(&sim->process, until - sluice_now(), NULL);
  if (live_simulator_runs(sim)) {
    sluice_process_end(&sim->process, 0);
    snprintf(sim->said, sizeof sim->said, "it did not end for %d s, and was killed", sim->patience);
  } else {
    // Only a difference may, and must, end it with an error.
    for (unsigned w = 0; w < sizeof words / sizeof *words; w++)
      if (sim->failed == (w == LIVE_DIFFERENT) && find_line(sim, words[w]))
        verdict = (enum live_verdict)w;
  }
  close(sim->output);
  sim->output = -1;
  return verdict;
}
