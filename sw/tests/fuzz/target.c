// SPDX-License-Identifier: Apache-2.0
// The compiler under libFuzzer: make fuzz-compiler. Inputs that found something new are kept in
// corpus/ and replayed by test_language.c.
#include "tests/rig/fuzz_one.h"
#include "../work/count.h"

// Of one input, all its compilations together: three times the most that seeds 1 to 200 of
// test_random take.
static const uint64_t MOST_WORK = 5500000000;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
  char why[400];
  work_taken();
  const bool good = fuzz_one((const char *)bytes, len, why);
  const double work = 1e-6 * (double)work_taken();
  if (good && work <= 1e-6 * (double)MOST_WORK) return 0;
  fprintf(stderr, "%s (%.1f million of work)\n", good ? "it takes too much work" : why, work);
  abort();
}
