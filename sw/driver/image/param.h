// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

#include "image.h"

/// Malleables of an image and the entries that hold them. This is the one place where a relocation
/// is applied: the compiler binds initial values here, the loader those of the file, and a plan
/// those of a transaction (sluice/param.h).
///
///     malleable threshold, 0..4095, value 700, and a relocation
///     {action, stage 1, index 0, bits 11..0, signed, negated, add 3}
///     sluice_image_bind() puts 3 - 700 = -697 into these bits: 0xd47.

/// Names of kinds, as in files.
extern const char *const sluice_relocation_names[SLUICE_NUM_RELOCATIONS];

/// Whether a relocation names an entry that the image has, bits that are there, and a part that
/// holds every value of its malleable; else `why` says what is wrong.
bool sluice_relocation_check(const struct sluice_image *image, const struct sluice_relocation *r,
                             char *why, size_t len);
/// What x may be for a kind and a number of bits. All 32-bit numbers: what does not depend on it.
void sluice_relocation_limits(enum sluice_relocation_kind kind, unsigned bits, int64_t *low,
                              int64_t *high);

/// Puts the values of all malleables into the entries that hold them. The relocations must have
/// been checked.
void sluice_image_bind(struct sluice_image *image);

/// The malleable of a name, or NULL.
struct sluice_param *sluice_image_param(const struct sluice_image *image, const char *name);
/// Gives it a value (the number of a choice) or, if `choice` is not NULL, the choice of this name,
/// "src" or "p.src". SLUICE_ERR_RANGE with a sentence. Entries change with sluice_image_bind().
enum sluice_status sluice_param_set(struct sluice_param *param, const char *choice, int64_t value,
                                    struct sluice_error *error) SLUICE_MUST_CHECK;
