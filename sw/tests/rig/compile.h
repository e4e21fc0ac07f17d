// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/test.h"
#include "compiler/compiler.h"

/// A program that must be one; `name`: of the file, as messages call it.
static inline struct sluice_program *parsed(const char *name, const char *text,
                                            struct sluice_diags *diags) {
  struct sluice_program *program = sluice_program_parse(name, text, strlen(text), diags);
  if (!program) {
    sluice_diags_print(diags, stderr);
    fail_msg("this is no program:\n%s", text);
  }
  return program;
}

/// Compiles the text of a program.
static inline enum sluice_status compile_text(const char *text, const struct sluice_config *chip,
                                              struct sluice_image *image,
                                              struct sluice_diags *diags) {
  struct sluice_program *program CLOSED_BY(free_program) = parsed("x", text, diags);
  return sluice_compile(program, chip, NULL, image, diags);
}
