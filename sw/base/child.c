// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void sluice_child_follow(pid_t parent, int signal) {
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent) _exit(127);  // it ended before it was watched
}

void sluice_child_signals(void) {
  sigset_t none;
  for (int n = 1; n < NSIG; n++) signal(n, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_range_of(unsigned first, unsigned last) {
  if (first > last) return;
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, last, 0u) == 0) return;
#endif
  for (unsigned fd = first; fd <= last && fd < 65536; fd++) close((int)fd);
}

void sluice_child_close(int from, int kept) {
  if (kept < from) {
    close_range_of((unsigned)from, ~0u);
    return;
  }
  if (kept > from) close_range_of((unsigned)from, (unsigned)kept - 1);
  close_range_of((unsigned)kept + 1, ~0u);
}
