// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compiler/internal.h"

/// A text compiled: the image as a file would hold it.
struct compiled {
  struct sluice_diags diags;
  struct sluice_program *program;  // NULL: the text is wrong
  char *image;                     // NULL: refused
};

static inline void compiled_release(struct compiled *x) {
  sluice_program_free(x->program);
  sluice_diags_release(&x->diags);
  free(x->image);
}

/// The image as text; NULL: it does not fit the chip.
static inline char *ir_image(const struct sluice_program *program, const struct sluice_config *chip,
                             bool fewest, struct sluice_diags *diags) {
  const struct sluice_compile_options options = {.fewest = fewest};
  struct sluice_image image;
  if (sluice_compile(program, chip, &options, &image, diags) != SLUICE_OK) return NULL;
  struct sluice_error error;
  char path[64];
  const int file = memfd_create("image", 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const bool saved = file >= 0 && sluice_image_save(&image, path, &error) == SLUICE_OK;
  const off_t len = saved ? lseek(file, 0, SEEK_END) : -1;
  char *text = len > 0 ? calloc((size_t)len + 1, 1) : NULL;
  if (!text || pread(file, text, (size_t)len, 0) != len) abort();
  close(file);
  sluice_image_release(&image);
  return text;
}

static inline struct compiled ir_compile(const char *text, size_t len,
                                         const struct sluice_config *chip, bool fewest) {
  struct compiled x = {.program = NULL};
  x.program = sluice_program_parse("x.ir", text, len, &x.diags);
  if (x.program) x.image = ir_image(x.program, chip, fewest, &x.diags);
  return x;
}

/// The program as text in the IR; NULL: it cannot be printed for that chip.
static inline char *ir_text(const struct sluice_program *program, const struct sluice_config *chip,
                            bool fewest, struct sluice_diags *diags) {
  const struct sluice_compile_options options = {.fewest = fewest};
  char *text = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&text, &len);
  if (!out) return NULL;
  const enum sluice_status status = sluice_program_print_ir(program, chip, &options, out, diags);
  fclose(out);
  if (status == SLUICE_OK) return text;
  free(text);
  return NULL;
}

/// Print, read, compile is compile, and printing again gives the same text. False and `why` if not.
static inline bool ir_round(const struct sluice_program *program, const char *image,
                            const struct sluice_config *chip, bool fewest, char why[400]) {
  struct sluice_diags diags = {0};
  char *text = ir_text(program, chip, fewest, &diags), *again = NULL;
  struct compiled read = {.program = NULL};
  snprintf(why, 400, "it cannot be printed");
  bool good = text || diags.num_errors;
  if (text) {
    read = ir_compile(text, strlen(text), chip, fewest);
    snprintf(why, 400, "what is printed is refused: %.300s",
             read.diags.num ? read.diags.list[0].text : "");
    good = read.program;
  }
  if (good && text) {
    again = ir_text(read.program, chip, fewest, &diags);
    snprintf(why, 400, "printed again it is another text");
    good = again && strcmp(again, text) == 0;
  }
  if (good && text && (image || read.image)) {
    snprintf(why, 400, "read back it is %s",
             !image        ? "accepted"
             : !read.image ? "refused"
                           : "another image");
    good = image && read.image && strcmp(image, read.image) == 0;
  }
  sluice_diags_release(&diags);
  compiled_release(&read);
  free(text);
  free(again);
  return good;
}

/// Any text that is to be in the IR: refused with a message that has a place, or it makes the
/// round.
static inline bool ir_any(const char *bytes, size_t len, char why[400]) {
  static const char *const chips[] = {"k4", "tiny", "small", "k4.k8"};
  const struct sluice_config *chip = sluice_config_find(chips[len % 4]);
  struct compiled x = ir_compile(bytes, len, chip, false);
  bool good = x.image || x.diags.num_errors;
  snprintf(why, 400, "refused without a reason");
  for (size_t i = 0; good && i < x.diags.num; i++)
    if (!x.diags.list[i].line || !x.diags.list[i].column || !x.diags.list[i].text[0]) {
      good = false;
      snprintf(why, 400, "message [%s] has no place or no text", x.diags.list[i].id);
    }
  if (good && x.program) good = ir_round(x.program, x.image, chip, false, why);
  compiled_release(&x);
  return good;
}
