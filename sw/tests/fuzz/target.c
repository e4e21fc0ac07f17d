// SPDX-License-Identifier: Apache-2.0
// The compiler under libFuzzer: make fuzz-compiler. Inputs that found something new are kept in corpus/
// and replayed by test_language.c.
#include <time.h>

#include "../fuzz_one.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
  char why[400];
  const clock_t start = clock();
  const bool good = fuzz_one((const char *)bytes, len, why);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (good && seconds < 2) return 0;
  fprintf(stderr, "%s (%.2f s)\n", good ? "it takes too long" : why, seconds);
  abort();
}
