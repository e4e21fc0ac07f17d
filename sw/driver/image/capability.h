// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "image.h"

/// What a chip of a shape cannot do. Each refusal is a row of one table in capability.c, with its
/// sentence.

/// Whether the chip does what an entry of a program asks for. SLUICE_ERR_UNSUPPORTED: "module 'x'
/// hashes, chip 'small' has no hash units". SLUICE_ERR_FORMAT: a stage that the chip does not have.
enum sluice_status sluice_capable(const struct sluice_config *config,
                                  const struct sluice_image *image,
                                  const struct sluice_write *write, struct sluice_error *error);
/// The same of an array; `taken`: its stage has one already.
enum sluice_status sluice_capable_array(const struct sluice_config *config,
                                        const struct sluice_image *image,
                                        const struct sluice_array *array, bool taken,
                                        struct sluice_error *error);

/// "'tight' and 'multiply' have some": the chips of configs.def with multipliers, for a sentence
/// about one without. Returns `text`.
const char *sluice_chips_that_multiply(char *text, size_t len);
/// The same of wide compares.
const char *sluice_chips_that_compare(char *text, size_t len);
/// The same of chips with arrays.
const char *sluice_chips_with_arrays(char *text, size_t len);
const char *sluice_chips_with_array_match(char *text, size_t len);

/// Clears the bits of an entry that the chip does not keep: what is left is what it reads back
/// (docs/machine.md, Configuration).
void sluice_entry_kept(const struct sluice_config *config, enum sluice_table table, uint8_t *bytes);
/// The entry as it is after reset.
void sluice_entry_reset(const struct sluice_config *config, enum sluice_table table, unsigned index,
                        uint8_t *bytes);
