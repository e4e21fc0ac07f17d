// SPDX-License-Identifier: Apache-2.0
// The loop: descriptors, times and signals.

#include <errno.h>
#include <math.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/rig/test.h"
#include "base/loop.h"
#include "base/now.h"

enum { MANY = 40 };
static struct sluice_error error;

TEST(what_is_ready_is_told) {
  struct sluice_loop loop CLOSED_BY(sluice_loop_close) = SLUICE_LOOP;
  int ends[MANY][2];
  unsigned ready[MANY], shared;
  for (unsigned n = 0; n < MANY; n++) assert_int_equal(pipe(ends[n]), 0);
  assert_int_equal(write(ends[1][1], "x", 1), 1);
  assert_int_equal(write(ends[MANY - 1][1], "x", 1), 1);
  close(ends[2][1]);
  for (unsigned most = 3; most <= MANY; most += MANY - 3) {
    for (unsigned n = 0; n < most; n++)
      sluice_loop_watch(&loop, ends[n][0], SLUICE_LOOP_IN, &ready[n]);
    assert_int_equal(sluice_loop_wait(&loop), most == MANY ? 3 : 2);
    for (unsigned n = 0; n < most; n++)
      assert_int_equal(ready[n], n == 1 || n == MANY - 1 ? SLUICE_LOOP_IN
                                 : n == 2                ? SLUICE_LOOP_END
                                                         : 0);
  }
  // What was said before a wait is over with it.
  sluice_loop_until(&loop, 0);
  assert_int_equal(sluice_loop_wait(&loop), 0);
  sluice_loop_watch(&loop, ends[0][0], SLUICE_LOOP_IN, &shared);
  sluice_loop_watch(&loop, ends[0][1], SLUICE_LOOP_OUT, &shared);
  sluice_loop_watch(&loop, -1, SLUICE_LOOP_IN, NULL);
  assert_int_equal(sluice_loop_wait(&loop), 1);
  assert_int_equal(shared, SLUICE_LOOP_OUT);
  for (unsigned n = 0; n < MANY; n++) {
    close(ends[n][0]);
    if (n != 2) close(ends[n][1]);
  }
}

TEST(the_first_time_counts) {
  struct sluice_loop loop CLOSED_BY(sluice_loop_close) = SLUICE_LOOP;
  const double start = sluice_now();
  sluice_loop_until(&loop, start + 1000);
  sluice_loop_until(&loop, start + 0.05);
  sluice_loop_until(&loop, INFINITY);
  assert_int_equal(sluice_loop_wait(&loop), 0);
  assert_true(sluice_now() >= start + 0.05);
  assert_true(sluice_now() < start + 10);
}

TEST(signals_wait_until_they_are_asked_for) {
  struct sluice_loop loop = SLUICE_LOOP;
  sigset_t now;
  assert_int_equal(sluice_loop_signals(&loop, (const int[]){SIGUSR1, SIGTERM, 0}, &error), 0);
  assert_int_equal(sluice_loop_signal(&loop), 0);
  assert_int_equal(raise(SIGTERM), 0);
  assert_int_equal(raise(SIGUSR1), 0);
  assert_int_equal(sluice_loop_wait(&loop), 1);
  const int one = sluice_loop_signal(&loop), other = sluice_loop_signal(&loop);
  assert_int_equal(one + other, SIGTERM + SIGUSR1);
  assert_int_equal(sluice_loop_signal(&loop), 0);
  // Sent once more, it does not end the process behind the loop.
  assert_int_equal(raise(SIGTERM), 0);
  sluice_loop_close(&loop);
  sigprocmask(SIG_BLOCK, NULL, &now);
  assert_int_equal(sigismember(&now, SIGTERM), 0);
}

static volatile sig_atomic_t handled;
static void handle(int number) { handled += number != 0; }

TEST(a_handler_ends_a_wait_but_not_that_for_one) {
  struct sluice_loop loop CLOSED_BY(sluice_loop_close) = SLUICE_LOOP;
  const struct sigaction action = {.sa_handler = handle};
  const struct itimerval soon = {.it_value.tv_usec = 20000};
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
  assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
  sluice_loop_until(&loop, sluice_now() + 20);
  assert_int_equal(sluice_loop_wait(&loop), -1);
  assert_int_equal(errno, EINTR);
  assert_int_equal(handled, 1);
  const double start = sluice_now();
  assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
  assert_int_equal(sluice_await(ends[0], SLUICE_LOOP_IN, start + 0.1), 0);
  assert_int_equal(handled, 2);
  assert_true(sluice_now() >= start + 0.1);
  close(ends[1]);
  assert_int_equal(sluice_await(ends[0], SLUICE_LOOP_IN, INFINITY), SLUICE_LOOP_END);
  close(ends[0]);
  assert_int_equal(sluice_await(ends[0], SLUICE_LOOP_IN, INFINITY), SLUICE_LOOP_END);
}
