// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "now.h"

enum { CANNOT = 127, LATE = 124 };
#define STEP_SECONDS 0.002  // between two looks at a process that has no descriptor

// ---- in the child -------------------------------------------------------------------------------

// `to` becomes what an option says. All descriptors that are used were moved above 3 before.
static bool redirect(int option, int to) {
  if (option == SLUICE_PROCESS_SAME) return true;
  if (option >= SLUICE_PROCESS_FD) return dup2(option - SLUICE_PROCESS_FD, to) == to;
  const int nothing = open("/dev/null", to == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  const bool good = nothing >= 0 && (nothing == to || dup2(nothing, to) == to);
  if (nothing >= 0 && nothing != to) close(nothing);
  return good;
}

static bool move_up(int *option) {
  if (*option < SLUICE_PROCESS_FD) return true;
  const int fd = fcntl(*option - SLUICE_PROCESS_FD, F_DUPFD_CLOEXEC, 10);
  *option = SLUICE_PROCESS_FD + fd;
  return fd >= 0;
}

// `said` takes errno of what goes wrong; an exec closes it.
static _Noreturn void be_child(const struct sluice_process_options *options, pid_t parent,
                               int said) {
  struct sluice_process_options o = *options;
  const int pipe_end = said;
  said = fcntl(pipe_end, F_DUPFD_CLOEXEC, 10);
  close(pipe_end);
  if (o.group) setpgid(0, 0);
  sluice_child_follow(parent, o.follows ? o.follows : SIGTERM);
  sluice_child_signals();
  bool good = said >= 0 && move_up(&o.in) && move_up(&o.out) && move_up(&o.err) &&
              move_up(&o.keep) && redirect(o.in, STDIN_FILENO) && redirect(o.out, STDOUT_FILENO) &&
              redirect(o.err, STDERR_FILENO) && redirect(o.keep, 3);
  if (good) {
    if (o.argv) sluice_child_close(o.keep ? 4 : 3, said);
    if (o.variable) good = setenv(o.variable, o.value, 1) == 0;
  }
  errno = good ? 0 : errno;
  if (good && o.before) good = o.before(o.user);
  if (good && !o.argv) {
    close(said);
    const int code = o.body(o.user);
    fflush(NULL);
    _exit(code);
  }
  if (good) execvp(o.argv[0], (char *const *)(uintptr_t)o.argv);
  const int why = errno ? errno : EPERM;
  (void)!write(said, &why, sizeof why);
  _exit(CANNOT);
}

// ---- in the parent ------------------------------------------------------------------------------

static int pidfd_of(pid_t pid) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, pid, 0u);
#else
  (void)pid;
  return -1;
#endif
}

enum sluice_status sluice_process_start(struct sluice_process *process,
                                        const struct sluice_process_options *options,
                                        struct sluice_error *error) {
  const char *name = options->argv ? options->argv[0] : "a process";
  int said[2], why = 0;
  *process = (struct sluice_process){.fd = -1};
  if (pipe2(said, O_CLOEXEC) != 0)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot start '%s': %s", name, strerror(errno));
  fflush(NULL);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) be_child(options, parent, said[1]);
  why = child < 0 ? errno : 0;
  close(said[1]);
  if (child > 0 && options->group) setpgid(child, child);
  // Ends when the child has been executed, or has begun.
  while (child > 0 && read(said[0], &why, sizeof why) < 0 && errno == EINTR) continue;
  close(said[0]);
  if (!why) {
    *process =
        (struct sluice_process){.pid = child, .group = options->group, .fd = pidfd_of(child)};
    return SLUICE_OK;
  }
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot execute '%s': %s", name, strerror(why));
}

void sluice_process_watch(const struct sluice_process *process, struct sluice_loop *loop) {
  if (!process->pid) return;
  sluice_loop_watch(loop, process->fd, SLUICE_LOOP_IN, NULL);
  if (process->fd < 0) sluice_loop_until(loop, sluice_now() + STEP_SECONDS);
}

// Whether it is there to be asked for its code; false: a signal came, or the time is up.
static bool until_ended(const struct sluice_process *process, double until) {
  struct sluice_loop loop = SLUICE_LOOP;
  sluice_process_watch(process, &loop);
  if (until >= 0) sluice_loop_until(&loop, until);
  const int ready = sluice_loop_wait(&loop);
  return ready > 0 || (ready == 0 && process->fd < 0);
}

static int code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool sluice_process_wait(struct sluice_process *process, double seconds, int *code) {
  const double until = seconds < 0 ? -1 : sluice_now() + seconds;
  struct rusage usage = {.ru_maxrss = 0};
  int status;
  while (process->pid) {
    const pid_t got = wait4(process->pid, &status, WNOHANG, &usage);
    if (got == process->pid || (got < 0 && errno != EINTR)) {
      if (process->group) kill(-process->pid, SIGKILL);  // nothing that it started stays
      if (process->fd >= 0) close(process->fd);
      *process = (struct sluice_process){
          .fd = -1, .code = got < 0 ? CANNOT : code_of(status), .usage = usage};
    } else if ((until >= 0 && sluice_now() >= until) || !until_ended(process, until)) {
      return false;
    }
  }
  if (code) *code = process->code;
  return true;
}

int sluice_process_end(struct sluice_process *process, double seconds) {
  const double until = sluice_now() + seconds;
  if (process->pid) kill(process->group ? -process->pid : process->pid, SIGTERM);
  while (!sluice_process_wait(process, until - sluice_now() > 0 ? until - sluice_now() : 0, NULL))
    if (sluice_now() >= until) {
      kill(process->group ? -process->pid : process->pid, SIGKILL);
      while (!sluice_process_wait(process, -1, NULL)) continue;
    }
  return process->code;
}

enum sluice_status sluice_process_run(const struct sluice_process_options *options, double limit,
                                      int *code, struct sluice_error *error) {
  struct sluice_process process;
  SLUICE_TRY(sluice_process_start(&process, options, error));
  const double until = sluice_now() + limit;
  for (;;) {
    const double left = limit > 0 ? until - sluice_now() : -1;
    if (sluice_process_wait(&process, limit > 0 && left < 0 ? 0 : left, code)) return SLUICE_OK;
    if (limit > 0 && sluice_now() >= until) {
      sluice_process_end(&process, 2);
      *code = LATE;
      return SLUICE_OK;
    }
  }
}

// ---- many ---------------------------------------------------------------------------------------

struct run {
  struct sluice_process process;
  const struct sluice_process_pool *pool;
  uint64_t number;
};

static int body_of(void *user) {
  const struct run *run = user;
  return run->pool->body(run->pool->user, run->number);
}

// Waits until one of them has ended.
static void await_any(struct run *runs, struct sluice_loop *loop, unsigned jobs) {
  for (unsigned n = 0; n < jobs; n++) sluice_process_watch(&runs[n].process, loop);
  (void)sluice_loop_wait(loop);
}

static enum sluice_status run_pool(const struct sluice_process_pool *pool, struct run *runs,
                                   struct sluice_loop *loop, struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  uint64_t next = pool->first;
  bool more = next < pool->num;
  for (unsigned alive = 0; alive || more;) {
    for (unsigned n = 0; n < pool->jobs; n++) {
      int code;
      if (runs[n].process.pid && sluice_process_wait(&runs[n].process, 0, &code)) {
        alive--;
        if (!pool->done(pool->user, runs[n].number, code)) more = false;
      }
      if (runs[n].process.pid || !more) continue;
      const struct sluice_process_options options = {.body = body_of, .user = &runs[n]};
      runs[n].number = next++;
      runs[n].pool = pool;
      status = sluice_process_start(&runs[n].process, &options, error);
      if (!status) alive++;
      more = !status && next < pool->num;
    }
    if (alive) await_any(runs, loop, pool->jobs);
  }
  return status;
}

enum sluice_status sluice_process_pool(const struct sluice_process_pool *pool,
                                       struct sluice_error *error) {
  struct run *runs = calloc(pool->jobs, sizeof *runs);
  struct sluice_loop loop = SLUICE_LOOP;
  const enum sluice_status status = runs ? run_pool(pool, runs, &loop, error)
                                         : sluice_no_memory(error);
  free(runs);
  sluice_loop_close(&loop);
  return status;
}
