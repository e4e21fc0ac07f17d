// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/status.h>

/// Fills `error` (NULL is allowed) and returns `status`, so that `return sluice_fail(...)` is one
/// line.
enum sluice_status sluice_fail(struct sluice_error *error, enum sluice_status status,
                               const char *format, ...) __attribute__((format(printf, 3, 4)));
/// "out of memory".
enum sluice_status sluice_no_memory(struct sluice_error *error);

/// Goes on if a call is good, and returns its status if not.
#define SLUICE_TRY(CALL)                           \
  do {                                             \
    const enum sluice_status sluice_try_ = (CALL); \
    if (sluice_try_) return sluice_try_;           \
  } while (0)

/// `alloc->resize`, or realloc and free when `alloc` is NULL or zeroed.
void *sluice_resize(const struct sluice_alloc *alloc, void *old, size_t old_size, size_t size);
/// `size` bytes of 0, or NULL.
void *sluice_zeroed(const struct sluice_alloc *alloc, size_t size);
