// SPDX-License-Identifier: Apache-2.0
#include "now.h"

#include <time.h>

uint64_t sluice_now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

double sluice_now(void) { return (double)sluice_now_us() * 1e-6; }
