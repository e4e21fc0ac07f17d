// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// Work of the compiler, as tests bound it: the basic blocks of sw/compiler that ran. gcc and clang
/// call the counter at each (-fsanitize-coverage=trace-pc), so no loop and no recursion is
/// forgotten, and the same text takes the same work on every machine, however busy. What other
/// builds of a C compiler make of the same source differs by tens of percent; bounds leave a factor
/// of three. Without sanitizers one million of work takes about 0.3 ms (`make bench-compiler`).
extern uint64_t work_count;

/// Work since the last call. 0 when the compiler was built without the counter.
static inline uint64_t work_taken(void) {
  const uint64_t taken = work_count;
  work_count = 0;
  return taken;
}

/// A walk as the compiler must not do it, counted like the compiler: the ways through `depth` times
/// `p.a = p.a + p.a;`. Tests show with it that their bounds catch it.
uint64_t work_naive(unsigned depth);
