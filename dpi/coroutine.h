// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

/// A function that can be left in the middle and entered again: the script of a run waits for clock
/// cycles as ordinary code waits for time. One stack of 256 KiB each; no threads.
struct coroutine;

typedef void coroutine_fn(void *context);

/// Returns NULL when out of memory. `fn` starts at the first resume.
struct coroutine *coroutine_new(coroutine_fn *fn, void *context);
/// Runs until the next yield. Returns false when `fn` has returned.
bool coroutine_resume(struct coroutine *c);
/// Called inside `fn`: goes back to the caller of resume.
void coroutine_yield(struct coroutine *c);
/// Frees it wherever it stands; NULL is allowed.
void coroutine_free(struct coroutine *c);
