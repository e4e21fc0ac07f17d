// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Finds room in a row of cells (match rows, slots of a memory) of which some spans are taken.
/// Knows no chip and keeps nothing: whoever asks brings the spans, in any order; they may overlap.
struct sluice_span {
  unsigned base, len;
};

/// The lowest base at which `need` of `size` cells are free, side by side. Returns false when there
/// is none.
bool sluice_fit_low(const struct sluice_span *taken, size_t num, unsigned size, unsigned need,
                    unsigned *base);
/// The highest.
bool sluice_fit_high(const struct sluice_span *taken, size_t num, unsigned size, unsigned need,
                     unsigned *base);
/// The longest run of free cells.
unsigned sluice_fit_room(const struct sluice_span *taken, size_t num, unsigned size);
