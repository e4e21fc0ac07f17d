// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>
#include <signal.h>
#include <stdbool.h>

#include "status.h"

/// Waits for descriptors, for times and for signals. All that this software waits for, it waits
/// for here.
///
///     struct sluice_loop loop = SLUICE_LOOP;
///     SLUICE_TRY(sluice_loop_signals(&loop, (const int[]){SIGINT, SIGTERM, 0}, error));
///     while (!sluice_loop_signal(&loop)) {
///       sluice_loop_watch(&loop, socket, SLUICE_LOOP_IN, &ready);
///       if (work) sluice_loop_until(&loop, 0);  // looks, and does not wait
///       if (sluice_loop_wait(&loop) > 0 && ready) ...
///     }
///     sluice_loop_close(&loop);
///
/// What is waited for is said anew before each wait. So a descriptor that was closed in between is
/// never looked at, and nothing has to be taken back.
enum {
  SLUICE_LOOP_IN = 1,   // there is something to read
  SLUICE_LOOP_OUT = 2,  // there is room to write
  SLUICE_LOOP_END = 4,  // the other end is gone, or it is no descriptor; asked for or not
};
enum { SLUICE_LOOP_FEW = 4 };
struct sluice_loop {  // private
  int signals;        // signalfd; -1: none
  sigset_t before;    // the mask that close restores
  sigset_t came;      // signals that were taken
  unsigned num, room;
  struct pollfd *fds, few[SLUICE_LOOP_FEW];  // NULL: the few
  unsigned **ready, *few_ready[SLUICE_LOOP_FEW];
  double until;
  bool timed, lost;
};
#define SLUICE_LOOP ((struct sluice_loop){.signals = -1})

/// From now on these signals (0 ends the list) are taken by the loop, and do nothing else. Once.
enum sluice_status sluice_loop_signals(struct sluice_loop *loop, const int *list,
                                       struct sluice_error *error);
/// The signal that came first and was not yet told; 0: none.
int sluice_loop_signal(struct sluice_loop *loop);

/// The next wait also waits for a descriptor (-1: nothing). *ready (NULL is allowed) is 0 until
/// something has happened: the wait adds what it was. Several may share one, if all are watched
/// before it is looked at.
void sluice_loop_watch(struct sluice_loop *loop, int fd, unsigned events, unsigned *ready);
/// The next wait ends at a time of sluice_now(); the first of several counts.
void sluice_loop_until(struct sluice_loop *loop, double time);
/// The number of descriptors that are ready, 0: the time has come. -1: a signal handler ran (errno
/// is EINTR), or it cannot wait. Forgets what was watched.
int sluice_loop_wait(struct sluice_loop *loop);

/// Gives signals back: they do what they did before sluice_loop_signals. A signal that the loop has
/// taken may have been sent twice (`timeout` sends SIGTERM to the process, then to its group): the
/// second one is dropped, so that it does not kill a process that is ending.
/// A loop without signals must be closed only if it watched more than SLUICE_LOOP_FEW descriptors.
void sluice_loop_close(struct sluice_loop *loop);

/// Waits for one descriptor (-1: for the time alone) until a time of sluice_now(), or for good
/// (INFINITY). Returns what has happened, 0: nothing. Signal handlers do not end it.
unsigned sluice_await(int fd, unsigned events, double until);
