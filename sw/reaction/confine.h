// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// What a process of a reaction may take and do (docs/reactions.md, "What it may do"). Both calls
/// are for a child that has just been forked; what they take away never comes back. False: this
/// system cannot do it (no seccomp filters, or a processor that is not known); the child must end
/// then.

/// The C compiler: so much processor time, memory and length of a file; no network, and no look
/// into other processes.
struct confine_limits {
  unsigned cpu_seconds;
  uint64_t memory, file;  // bytes
};
bool confine_compiler(const struct confine_limits *limits);

/// The body of a reaction: `memory` more bytes than the process has now. It may compute, print,
/// ask for the time and read files. All else is refused with EPERM: to write files, to reach a
/// network, to start processes or threads, to send signals to others.
bool confine_body(uint64_t memory);
