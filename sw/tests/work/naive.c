// SPDX-License-Identifier: Apache-2.0
#include "count.h"

static volatile uint64_t ways;  // volatile: equal calls are not made one

static void walk(unsigned depth) {
  if (!depth) {
    ways++;
    return;
  }
  walk(depth - 1);
  walk(depth - 1);
}

// A value of `depth` operations whose operands are both the one before, walked as a tree.
uint64_t work_naive(unsigned depth) {
  ways = 0;
  walk(depth);
  return ways;
}
