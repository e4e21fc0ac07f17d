// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "loop.h"
#include "status.h"

/// Other programs, and parts of this one, as processes of their own. None outlives its parent, and
/// every wait has a bound.
///
///     const char *const argv[] = {"gnuplot", file, NULL};
///     const struct sluice_process_options options = {.argv = argv};
///     SLUICE_TRY(sluice_process_start(&process, &options, error));
///     if (!sluice_process_wait(&process, 60, &code)) sluice_process_end(&process, 2);
///
/// In the child all signals are as in a new process. A program that is executed has no descriptors
/// above 2 but `keep`; a body has those of its parent.
enum {
  SLUICE_PROCESS_SAME = 0,  // a descriptor of this process, as it is
  SLUICE_PROCESS_NOTHING,   // /dev/null
  SLUICE_PROCESS_FD,        // plus a descriptor
};
struct sluice_process_options {
  const char *const *argv;  // searched for in PATH; NULL: `body` is called instead
  int (*body)(void *user);  // what it returns ends the child
  void *user;
  int in, out, err;  // one of the above, SLUICE_PROCESS_FD + fd
  int keep;          // SLUICE_PROCESS_FD + fd: becomes descriptor 3; 0: none
  bool group;        // a process group: it hears no interrupt of the terminal, and ends as a whole
  int follows;       // signal that it gets when the parent ends; 0: SIGTERM
  const char *variable, *value;  // in its environment; NULL: nothing
  /// In the child, just before it is executed, to confine it; false: it is not executed.
  bool (*before)(void *user);
};
struct sluice_process {
  pid_t pid;  // 0: none, or it has ended
  bool group;
  int fd;  // private
  int code;
  struct rusage usage;  // of one that has ended, and of what it waited for
};

/// SLUICE_ERR_IO: it cannot be executed, with the reason.
enum sluice_status sluice_process_start(struct sluice_process *process,
                                        const struct sluice_process_options *options,
                                        struct sluice_error *error);
/// Waits at most `seconds` (0: looks; below 0: without a bound), or until a signal handler ran.
/// True: it has ended, and *code (NULL is allowed) is its exit code, or 128 and the number of a
/// signal.
bool sluice_process_wait(struct sluice_process *process, double seconds, int *code);
/// The next wait of `loop` also ends when the process has ended. One that has ended already is
/// nothing.
void sluice_process_watch(const struct sluice_process *process, struct sluice_loop *loop);
/// Asks it to end (SIGTERM), waits at most `seconds`, and then kills it; nothing of its group
/// stays. Its code. One that has ended, or was zeroed, is allowed.
int sluice_process_end(struct sluice_process *process, double seconds);
/// Starts one and waits: *code is its code, 124 if it was ended after `limit` seconds (0: none).
enum sluice_status sluice_process_run(const struct sluice_process_options *options, double limit,
                                      int *code, struct sluice_error *error);

/// `num` runs of `body` in processes, `jobs` at the same time. `done` is told of the end of each,
/// in the parent, and returns whether more are to be begun.
struct sluice_process_pool {
  uint64_t first, num;
  unsigned jobs;
  int (*body)(void *user, uint64_t number);
  bool (*done)(void *user, uint64_t number, int code);
  void *user;
};
enum sluice_status sluice_process_pool(const struct sluice_process_pool *pool,
                                       struct sluice_error *error);
