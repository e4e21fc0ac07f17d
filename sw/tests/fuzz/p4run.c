// SPDX-License-Identifier: Apache-2.0
// The interpreter of P4 and its reader of packet tests under libFuzzer: make fuzz-p4run. An input
// is a program, a line `----`, and an STF text; what is refused or given up has a sentence.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "p4run/stf.h"

static void run(const struct p4_program *program, const struct p4_messages *messages,
                const char *stf) {
  char why[500] = "";
  struct p4r_options options = {.seed = 1, .messages = messages};
  options.trace.out = fopen("/dev/null", "w");
  struct p4r_stf report = {.out = options.trace.out};
  struct p4r_switch *sw = p4r_open(program, &options, why, sizeof why);
  if (sw) p4r_stf_run(&report, sw, why, "fuzz.stf", stf);
  else if (!why[0]) abort();
  p4r_close(sw);
  if (options.trace.out) fclose(options.trace.out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
  static const char mark[] = "\n----\n";
  char *text = strndup((const char *)bytes, len);
  if (!text) return 0;
  char *stf = strstr(text, mark);
  if (stf) {
    *stf = 0;
    stf += strlen(mark);
  }
  const struct p4_options options = {.no_files = true, .most_memory = 100 << 20};
  struct p4_messages messages = {0};
  struct p4_program *program = p4_front("fuzz.p4", text, strlen(text), &options, &messages);
  if (program) run(program, &messages, stf ? stf : "packet 0 0102030405060708");
  p4_program_free(program);
  p4_messages_release(&messages);
  free(text);
  return 0;
}
