// SPDX-License-Identifier: Apache-2.0
#include "simulator.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/child.h"
#include "../base/number.h"

enum { PATIENCE = 60, PATIENCE_MAX = 3600, SECOND = 1000, STEP_MS = 10 };

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL); }

static void be_child(const struct live_simulator *sim, const char *path, const char *job,
                     pid_t parent) {
  sluice_child_signals();
  setpgid(0, 0);
  sluice_child_follow(parent, SIGTERM);
  dup2(sim->output, STDOUT_FILENO);
  dup2(sim->output, STDERR_FILENO);
  execl(path, path, job, "+verilator+rand+reset+2", "+verilator+seed+1", (char *)NULL);
  dprintf(STDERR_FILENO, "cannot execute '%s': %s\n", path, strerror(errno));
  _exit(127);
}

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
  int status = 0;
  if (!sim->pid) return false;
  if (waitpid(sim->pid, &status, WNOHANG) == 0) return true;
  sim->pid = 0;
  sim->failed = status != 0;
  snprintf(last, sizeof last, "%.800s", find_line(sim, "") ? sim->said : "nothing");
  if (WIFSIGNALED(status))
    snprintf(sim->said, sizeof sim->said, "signal %d ended it; the last that it said: %s",
             WTERMSIG(status), last);
  else
    snprintf(sim->said, sizeof sim->said, "exit code %d; the last that it said: %s",
             WEXITSTATUS(status), last);
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
  const pid_t parent = getpid();
  struct stat info;
  *sim = (struct live_simulator){.output = -1};
  SLUICE_TRY(read_patience(sim, error));
  if ((size_t)snprintf(job, sizeof job, "+job=serve:%s:%s", chip, socket) >= sizeof job)
    return sluice_fail(error, SLUICE_ERR_RANGE, "the path is too long: '%s'", socket);
  sim->output = memfd_create("simulator", MFD_CLOEXEC);
  if (sim->output < 0)
    return sluice_fail(error, SLUICE_ERR_IO, "no place for the simulator's messages: %s",
                       strerror(errno));
  fflush(NULL);
  sim->pid = fork();
  if (sim->pid == 0) be_child(sim, path, job, parent);
  if (sim->pid < 0) {
    const int why = errno;
    sim->pid = 0;
    close(sim->output);
    return sluice_fail(error, SLUICE_ERR_IO, "cannot start the simulator: %s", strerror(why));
  }
  // It says that it serves when the socket is there and the chip is ready.
  for (int ms = 0; ms < sim->patience * SECOND && live_simulator_runs(sim); ms += STEP_MS) {
    if (find_line(sim, "serving ") && stat(socket, &info) == 0) return SLUICE_OK;
    nap();
  }
  const bool runs = sim->pid != 0;
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
  if (sim->pid) kill(sim->pid, SIGTERM);
  for (int ms = 0; ms < sim->patience * SECOND && live_simulator_runs(sim); ms += STEP_MS) nap();
  if (sim->pid) {
    kill(sim->pid, SIGKILL);
    waitpid(sim->pid, NULL, 0);
    sim->pid = 0;
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
