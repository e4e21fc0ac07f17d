// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CASES_H
#define SLUICE_TESTS_CASES_H

#include <stdlib.h>

/// How many random cases a test tries: SLUICE_CASES in the environment, or the everyday number.
static inline unsigned cases_or(unsigned everyday) {
  const char *text = getenv("SLUICE_CASES");
  return text ? (unsigned)strtoul(text, NULL, 0) : everyday;
}

#endif
