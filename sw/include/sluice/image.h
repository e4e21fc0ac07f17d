// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_IMAGE_H
#define SLUICE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <sluice/status.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// A program for one kind of chip, as `sluice compile` writes it: the entries of its tables, and
/// the names, places and sizes of its arrays. It says nothing of VLAN ids or of where on the chip
/// it will be: the plan decides that.
///
///     struct sluice_image *image;
///     status = sluice_image_open(&image, "flowlet.json", NULL, &error);
///     if (status) fprintf(stderr, "%s\n", error.text);
///     else printf("%s for %s\n", sluice_image_program(image), sluice_image_chip(image));
///     sluice_image_close(image);
struct sluice_image;

/// Reads and checks a file ("-": standard input). On failure *image is NULL.
/// SLUICE_ERR_FOREIGN: made by software with other layouts, or for a chip that this software does
/// not know.
SLUICE_MUST_CHECK enum sluice_status sluice_image_open(struct sluice_image **image,
                                                       const char *path,
                                                       const struct sluice_alloc *alloc,
                                                       struct sluice_error *error);
/// The same from memory; `name` is what messages call it.
SLUICE_MUST_CHECK enum sluice_status sluice_image_parse(struct sluice_image **image,
                                                        const char *text, size_t len,
                                                        const char *name,
                                                        const struct sluice_alloc *alloc,
                                                        struct sluice_error *error);
/// Frees it; NULL is allowed. A plan or chip that it was given to has a copy of what it needs.
void sluice_image_close(struct sluice_image *image);

/// Name of the program, and of the chip (configuration) that it was compiled for. They live as long
/// as the image.
const char *sluice_image_program(const struct sluice_image *image);
const char *sluice_image_chip(const struct sluice_image *image);

/// An array of the source program. Two arrays of one stage can share its entries: then one is word
/// 0 of the pairs of words, the other word 1.
struct sluice_image_array {
  const char *name;  // lives as long as the image
  unsigned stage;    // back stage, or egress stage
  unsigned word;     // 0 or 1
  unsigned size;     // entries
  int32_t initial;   // value of every entry before the first packet
  bool pinned;       // all of it in one pipeline
  bool egress;       // of the egress function: each output lane has it for itself
};

/// Array `n` of the image, in the order of stages and words. Returns false when there are not so
/// many.
bool sluice_image_get_array(const struct sluice_image *image, unsigned n,
                            struct sluice_image_array *array);

/// The operand (layout OPERAND) that has a field of the program's packets at the order point, for
/// sluice_chip_merge. SLUICE_ERR_NOT_FOUND: there is no such field; SLUICE_ERR_RANGE: it is not
/// parsed, or a front stage writes its container.
SLUICE_MUST_CHECK enum sluice_status sluice_image_merge_key(const struct sluice_image *image,
                                                            const char *field, unsigned *operand,
                                                            struct sluice_error *error);

/// An array of rows of the source program: `int sum[64][8]`. It lives beside the entries of its
/// stage, which may hold arrays of their own.
struct sluice_image_rows {
  const char *name;  // lives as long as the image
  unsigned stage;    // back stage
  unsigned size;     // rows
  unsigned words;    // of a row
  bool pinned;       // all of it in one pipeline
};

/// Array of rows `n` of the image, in the order of stages. Returns false when there are not so
/// many.
bool sluice_image_get_rows(const struct sluice_image *image, unsigned n,
                           struct sluice_image_rows *rows);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
