// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>
#include <stdlib.h>

/// A number from the environment, as SLUICE_SEED or SLUICE_PROGRAMS; `otherwise`: the everyday one.
static inline uint64_t from_environment(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 0) : otherwise;
}
