// SPDX-License-Identifier: Apache-2.0
#include "loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "now.h"

enum sluice_status sluice_loop_signals(struct sluice_loop *loop, const int *list,
                                       struct sluice_error *error) {
  sigset_t set;
  sigemptyset(&set);
  sigemptyset(&loop->came);
  for (; *list; list++) sigaddset(&set, *list);
  if (sigprocmask(SIG_BLOCK, &set, &loop->before))
    return sluice_fail(error, SLUICE_ERR_IO, "no signals: %s", strerror(errno));
  loop->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (loop->signals >= 0) return SLUICE_OK;
  const int why = errno;
  sigprocmask(SIG_SETMASK, &loop->before, NULL);
  return sluice_fail(error, SLUICE_ERR_IO, "no signals: %s", strerror(why));
}

int sluice_loop_signal(struct sluice_loop *loop) {
  struct signalfd_siginfo what;
  if (loop->signals < 0 || read(loop->signals, &what, sizeof what) != sizeof what) return 0;
  sigaddset(&loop->came, (int)what.ssi_signo);
  return (int)what.ssi_signo;
}

static bool grow(struct sluice_loop *loop) {
  const unsigned room = loop->room ? 2 * loop->room : 8 * SLUICE_LOOP_FEW;
  struct pollfd *fds = calloc(room, sizeof *fds);
  unsigned **ready = calloc(room, sizeof(unsigned *));
  if (!fds || !ready) {
    free(fds);
    free(ready);
    return false;
  }
  if (loop->num) {
    memcpy(fds, loop->fds ? loop->fds : loop->few, loop->num * sizeof *fds);
    memcpy(ready, loop->fds ? loop->ready : loop->few_ready, loop->num * sizeof(unsigned *));
  }
  free(loop->fds);
  free(loop->ready);
  loop->fds = fds;
  loop->ready = ready;
  loop->room = room;
  return true;
}

void sluice_loop_watch(struct sluice_loop *loop, int fd, unsigned events, unsigned *ready) {
  if (ready) *ready = 0;
  if (fd < 0) return;
  if (loop->num >= (loop->fds ? loop->room : SLUICE_LOOP_FEW) && !grow(loop)) {
    loop->lost = true;
    return;
  }
  (loop->fds ? loop->fds : loop->few)[loop->num] =
      (struct pollfd){.fd = fd,
                      .events = (short)((events & SLUICE_LOOP_IN ? POLLIN : 0) |
                                        (events & SLUICE_LOOP_OUT ? POLLOUT : 0))};
  (loop->fds ? loop->ready : loop->few_ready)[loop->num++] = ready;
}

void sluice_loop_until(struct sluice_loop *loop, double time) {
  if (!loop->timed || time < loop->until) loop->until = time;
  loop->timed = true;
}

static unsigned happened(short events) {
  return (events & POLLIN ? SLUICE_LOOP_IN : 0) | (events & POLLOUT ? SLUICE_LOOP_OUT : 0) |
         (events & (POLLHUP | POLLERR | POLLNVAL) ? SLUICE_LOOP_END : 0);
}

// A time of which a timespec knows nothing is far away.
static struct timespec from_now(double until) {
  const double left = until - sluice_now(), most = 1e9, wait = left < most ? left : most;
  if (wait <= 0) return (struct timespec){0};
  return (struct timespec){.tv_sec = (time_t)wait,
                           .tv_nsec = (long)((wait - (double)(time_t)wait) * 1e9)};
}

int sluice_loop_wait(struct sluice_loop *loop) {
  int ready = -1, why = ENOMEM;
  sluice_loop_watch(loop, loop->signals, SLUICE_LOOP_IN, NULL);
  struct pollfd *fds = loop->fds ? loop->fds : loop->few;
  unsigned **told = loop->fds ? loop->ready : loop->few_ready;
  if (!loop->lost) {
    const struct timespec time = from_now(loop->until);
    ready = ppoll(fds, loop->num, loop->timed ? &time : NULL, NULL);
    why = errno;
  }
  for (unsigned n = 0; ready > 0 && n < loop->num; n++)
    if (told[n]) *told[n] |= happened(fds[n].revents);
  loop->num = 0;
  loop->timed = loop->lost = false;
  errno = why;
  return ready;
}

void sluice_loop_close(struct sluice_loop *loop) {
  if (loop->signals >= 0) {
    close(loop->signals);
    while (sigtimedwait(&loop->came, NULL, &(struct timespec){0}) > 0) continue;
    sigprocmask(SIG_SETMASK, &loop->before, NULL);
  }
  free(loop->fds);
  free(loop->ready);
  *loop = SLUICE_LOOP;
}

unsigned sluice_await(int fd, unsigned events, double until) {
  struct sluice_loop loop = SLUICE_LOOP;
  unsigned what;
  int ready;
  do {
    sluice_loop_watch(&loop, fd, events, &what);
    sluice_loop_until(&loop, until);
    ready = sluice_loop_wait(&loop);
  } while (ready < 0 && errno == EINTR);
  return ready < 0 ? SLUICE_LOOP_END : what;
}
