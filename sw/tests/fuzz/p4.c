// SPDX-License-Identifier: Apache-2.0
// The P4 front end under libFuzzer: make fuzz-p4. A text is taken, or refused with a message that
// has a place and a text. What is printed of it is printed, too.
#include <stdio.h>
#include <stdlib.h>

#include "p4/front.h"

static void check(const struct p4_program *program, const struct p4_messages *m) {
  if (m->out_of_memory) return;
  if (!program == !m->num_errors) {
    fprintf(stderr, "%s\n", program ? "taken with errors" : "refused without a reason");
    abort();
  }
  for (size_t i = 0; i < m->num; i++)
    if (m->list[i].place.file >= m->num_files || !m->list[i].text[0]) {
      fprintf(stderr, "message %zu has no place or no text\n", i);
      abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
  static FILE *nowhere;
  const struct p4_options options = {.no_files = true, .most_memory = 100 << 20};
  struct p4_messages messages = {0};
  struct p4_program *program = p4_front("fuzz.p4", (const char *)bytes, len, &options, &messages);
  check(program, &messages);
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  if (nowhere) {
    p4_messages_print(&messages, 0, nowhere);
    p4_messages_json(&messages, nowhere);
  }
  p4_program_free(program);
  p4_messages_release(&messages);
  return 0;
}
