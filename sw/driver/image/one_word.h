// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "image.h"

/// Whether a write of an image means the same on a chip with `StatePairs` 0, whose state entries
/// are one word and whose state units compare with predicate 1 alone. What the compiler makes of a
/// program that needs no more passes, for whichever chip it was: there a second word stays as it
/// is, and predicates that are not needed are FALSE.
enum sluice_status sluice_one_word_check(const struct sluice_config *c,
                                         const struct sluice_image *image,
                                         const struct sluice_write *w, struct sluice_error *error);
