// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#include "base/layouts.h"

/// The shape for the n-th program of a random test: all shapes there are, one after the other.
static inline const struct sluice_config *shape_of_all(uint64_t n) {
  return &sluice_configs[n % sluice_num_configs];
}
