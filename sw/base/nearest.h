// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

/// What somebody may have meant who wrote `text`: the word with the fewest letters to change, add
/// or leave out; two neighbours that have changed places count as one change.
///
///     const char *near = NULL;
///     unsigned best = SLUICE_NEAR;
///     for (...) sluice_nearer(text, word, &near, &best);
///     if (near) ... "did you mean '%s'?"
enum { SLUICE_NEAR = 3 };

/// True, and *near and *best are set, if `word` is fewer than *best letters away, and not so short
/// that little of it would be left.
bool sluice_nearer(const char *text, const char *word, const char **near, unsigned *best);
