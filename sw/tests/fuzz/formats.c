// SPDX-License-Identifier: Apache-2.0
// Formats from outside under libFuzzer: make fuzz-formats. FUZZ_FORMAT says which: 0 images, 1
// captures, 2 reconfiguration frames, 3 the serial line.
#include "../fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
  const char *wrong = fuzz_formats[FUZZ_FORMAT].one(bytes, len);
  if (!wrong) return 0;
  fprintf(stderr, "%s\n", wrong);
  abort();
}
