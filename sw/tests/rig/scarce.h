// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/status.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Memory that ends, so that every allocation of a test fails once:
///
///     struct scarce scarce = {.until = 0};
///     const struct sluice_alloc alloc = {scarce_resize, &scarce};
///     for (long n = 1; n <= all; n++) { scarce.until = n; ... }
///
/// What grows always moves, so that a sanitizer sees who keeps the old place.
struct scarce {
  long until;    // the call that fails, counted from now: 1 is the next one; 0: none does
  bool ends;     // those behind it fail, too
  long used;     // calls that asked for memory
  size_t bytes;  // that are lent
};

static inline void *scarce_resize(void *user, void *old, size_t old_size, size_t size) {
  struct scarce *s = user;
  if (size == 0) {
    if (old) s->bytes -= old_size;
    free(old);
    return NULL;
  }
  s->used++;
  if (s->until > 0 && --s->until == 0) {
    s->until = s->ends;
    return NULL;
  }
  void *new = malloc(size);
  if (!new) return NULL;
  if (old) memcpy(new, old, old_size < size ? old_size : size);
  s->bytes += size - (old ? old_size : 0);
  free(old);
  return new;
}
