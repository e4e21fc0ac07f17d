// SPDX-License-Identifier: Apache-2.0
// Formats from outside under libFuzzer: make fuzz-formats. FUZZ_FORMAT says which: "image",
// "capture", "frame" (for the control port) or "wire" (the serial line, and a server's socket).
#include "tests/rig/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
  const char *wrong = "there is no such format";
  for (size_t i = 0; i < sizeof fuzz_formats / sizeof *fuzz_formats; i++)
    if (strcmp(fuzz_formats[i].name, FUZZ_FORMAT) == 0) wrong = fuzz_formats[i].one(bytes, len);
  if (!wrong) return 0;
  fprintf(stderr, "%s\n", wrong);
  abort();
}
