// SPDX-License-Identifier: Apache-2.0
// Parts of the P4 programs under libFuzzer, each by itself: make fuzz-p4-parts. FUZZ_PART says
// which: "lex", "preprocess", "parse", "info" take programs; "stf" and "entries" take packet tests
// and files of entries, which are given to p4_control.p4.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "p4/inner.h"
#include "p4info/info.h"
#include "p4run/runtime.h"
#include "p4run/stf.h"

static const struct p4_options options = {.no_files = true, .most_memory = 100 << 20};

// ---- the front end -----------------------------------------------------------------------------

static void lex(struct p4_context *c, uint16_t file) {
  struct p4_lexer lexer;
  p4_lexer_open(&lexer, c, file);
  while (p4_lex(&lexer).kind != P4_TOKEN_END) {}
}
static void preprocess(struct p4_context *c, uint16_t file) { p4_preprocess(c, file); }
static void parse(struct p4_context *c, uint16_t file) {
  const struct p4_tokens tokens = p4_preprocess(c, file);
  p4_parse(c, &tokens, NEW(c->arena, struct p4_program));
}

static void front(const char *text, size_t len, void (*part)(struct p4_context *, uint16_t)) {
  struct arena arena = {.most = options.most_memory};
  struct p4_messages messages = {0};
  struct p4_context c = {.arena = &arena, .messages = &messages, .options = &options};
  const int file = p4_messages_keep(&messages, "fuzz.p4", text, len, false);
  if (!setjmp(arena.escape) && file >= 0) part(&c, (uint16_t)file);
  p4_messages_release(&messages);
  arena_release(&arena);
}

static void info(const char *text, size_t len) {
  struct p4_messages messages = {0};
  struct p4_program *program = p4_front("fuzz.p4", text, len, &options, &messages);
  if (program && !p4info_make(program, &messages) && !messages.num_errors &&
      !messages.out_of_memory)
    abort();
  p4_program_free(program);
  p4_messages_release(&messages);
}

// ---- what is said to a running program ---------------------------------------------------------

static struct p4_program *control_program(void) {
  static char text[1 << 14];
  static struct p4_messages messages;
  FILE *in = fopen("sw/tests/fuzz/p4_control.p4", "rb");
  const size_t len = in ? fread(text, 1, sizeof text, in) : 0;
  if (in) fclose(in);
  struct p4_program *program = p4_front("p4_control.p4", text, len, &options, &messages);
  if (!program || !program->main) {
    fprintf(stderr, "p4_control.p4 is not there, or wrong: run it in the root of the sources\n");
    exit(1);
  }
  return program;
}

static void told(const char *text, size_t len, bool is_stf) {
  static struct p4_program *program;
  if (!program) program = control_program();
  char why[500] = "";
  const struct p4r_options with = {.seed = 1};
  struct p4r_stf report = {.out = fopen("/dev/null", "w")};
  struct p4r_switch *sw = p4r_open(program, &with, why, sizeof why);
  if (!sw) abort();
  char *copy = strndup(text, len);
  if (copy && is_stf) p4r_stf_run(&report, sw, why, "fuzz.stf", copy);
  else if (copy && !p4r_runtime_load(sw, why, sizeof why, copy, len) && !why[0]) abort();
  free(copy);
  p4r_close(sw);
  if (report.out) fclose(report.out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
  const char *text = (const char *)bytes, *part = FUZZ_PART;
  if (strcmp(part, "lex") == 0) front(text, len, lex);
  if (strcmp(part, "preprocess") == 0) front(text, len, preprocess);
  if (strcmp(part, "parse") == 0) front(text, len, parse);
  if (strcmp(part, "info") == 0) info(text, len);
  if (strcmp(part, "stf") == 0) told(text, len, true);
  if (strcmp(part, "entries") == 0) told(text, len, false);
  return 0;
}
