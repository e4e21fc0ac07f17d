// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

/// What a process does first when it has been forked.
///
///     const pid_t parent = getpid();
///     if ((child = fork()) == 0) {
///       sluice_child_follow(parent, SIGKILL);
///       ... exec ...
///     }

/// From now on the kernel sends `signal` to this process when its parent ends, however that ends.
/// If it has ended already this process ends at once. An exec keeps it; a fork does not.
void sluice_child_follow(pid_t parent, int signal);

/// All signals as a new process has them: not blocked, and with their default actions.
void sluice_child_signals(void);

/// Closes all descriptors from `from` on but `kept` (-1: none).
void sluice_child_close(int from, int kept);
