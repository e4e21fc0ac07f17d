// SPDX-License-Identifier: Apache-2.0
// With a few dozens of spans, trying every place where a span ends is quick enough, and needs no
// order among them.
#include "allocate.h"

static bool is_free(const struct sluice_span *taken, size_t num, unsigned base, unsigned need) {
  for (size_t i = 0; i < num; i++)
    if (taken[i].len && base < taken[i].base + taken[i].len && taken[i].base < base + need)
      return false;
  return true;
}

bool sluice_fit_low(const struct sluice_span *taken, size_t num, unsigned size, unsigned need,
                    unsigned *base) {
  bool found = false;
  if (need > size) return false;
  for (size_t i = 0; i <= num; i++) {
    // Place 0, or right behind span i - 1.
    const unsigned at = i ? taken[i - 1].base + taken[i - 1].len : 0;
    if (at > size - need || (found && at >= *base) || !is_free(taken, num, at, need)) continue;
    *base = at;
    found = true;
  }
  return found;
}

bool sluice_fit_high(const struct sluice_span *taken, size_t num, unsigned size, unsigned need,
                     unsigned *base) {
  bool found = false;
  if (need > size) return false;
  for (size_t i = 0; i <= num; i++) {
    // The end of all, or right before span i - 1.
    const unsigned end = i ? taken[i - 1].base : size;
    if (end < need || (found && end - need <= *base) || !is_free(taken, num, end - need, need))
      continue;
    *base = end - need;
    found = true;
  }
  return found;
}

unsigned sluice_fit_room(const struct sluice_span *taken, size_t num, unsigned size) {
  unsigned most = 0;
  for (size_t i = 0; i <= num; i++) {
    const unsigned from = i ? taken[i - 1].base + taken[i - 1].len : 0;
    unsigned to = size;
    if (from >= size || !is_free(taken, num, from, 1)) continue;
    for (size_t j = 0; j < num; j++)
      if (taken[j].len && taken[j].base >= from && taken[j].base < to) to = taken[j].base;
    if (to - from > most) most = to - from;
  }
  return most;
}
