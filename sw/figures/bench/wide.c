// SPDX-License-Identifier: Apache-2.0
// What wide compares save: stages of programs on a chip, and on the same one with WideCompare 1.
//   wide CHIP PROGRAM...     the programs that compile; one line each, a sum at the end
#include <stdio.h>
#include <stdlib.h>

#include "compiler/compiler.h"

// Stages in use, of front and back; -1: it does not fit. `compared` of them compare.
static int stages(const struct sluice_program *program, const struct sluice_config *config,
                  unsigned *compared) {
  struct sluice_usage usage = {0};
  const struct sluice_compile_options options = {.usage = &usage};
  struct sluice_diags diags = {0};
  struct sluice_image image;
  const enum sluice_status status = sluice_compile(program, config, &options, &image, &diags);
  *compared = 0;
  sluice_diags_release(&diags);
  if (status) return -1;
  for (size_t i = 0; i < image.num_writes; i++)
    *compared += image.writes[i].table == SLUICE_TABLE_KEY_COMPARE;
  sluice_image_release(&image);
  return (int)(usage.front_stages + usage.back_stages);
}

static struct sluice_program *read_program(const char *path) {
  enum { MOST = 1 << 18 };
  char *text = malloc(MOST);
  FILE *in = fopen(path, "r");
  struct sluice_diags diags = {0};
  struct sluice_program *program = NULL;
  if (in && text) {
    const size_t len = fread(text, 1, MOST, in);
    if (len < MOST) program = sluice_program_parse(path, text, len, &diags);
  }
  if (in) fclose(in);
  sluice_diags_release(&diags);
  free(text);
  return program;
}

int main(int argc, char **argv) {
  const struct sluice_config *chip = argc > 2 ? sluice_config_find(argv[1]) : NULL;
  unsigned fewer = 0, compiled = 0;
  int before = 0, behind = 0;
  if (!chip) {
    fprintf(stderr, "usage: wide CHIP PROGRAM...\n");
    return 2;
  }
  struct sluice_config without = *chip, with = *chip;
  without.WideCompare = 0;
  with.WideCompare = 1;
  printf(
      "| program on `%s` | stages | with wide compares | of these compare |\n|---|---|---|---|\n",
      chip->name);
  for (int i = 2; i < argc; i++) {
    struct sluice_program *program = read_program(argv[i]);
    unsigned none, compared;
    if (!program) {
      fprintf(stderr, "wide: cannot read '%s'\n", argv[i]);
      return 1;
    }
    const int now = stages(program, &without, &none), then = stages(program, &with, &compared);
    sluice_program_free(program);
    if (now < 0 && then < 0) continue;
    compiled++;
    fewer += then < now || now < 0;
    if (now >= 0) before += now, behind += then;
    if (now < 0) printf("| `%s` | does not fit | %d | %u |\n", argv[i], then, compared);
    else if (then < now) printf("| `%s` | %d | %d | %u |\n", argv[i], now, then, compared);
  }
  printf("%u programs compile, %u take fewer stages; %d stages, %d with wide compares\n", compiled,
         fewer, before, behind);
  return 0;
}
