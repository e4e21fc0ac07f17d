// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>

#include "image.h"

/// Reactions in an image file (docs/reactions.md). The driver keeps them and runs none: that is
/// sw/reaction.

/// As JSON. NULL: out of memory, or a text is not UTF-8.
json_t *sluice_reaction_json(const struct sluice_image *image, const struct sluice_reaction *r);
/// Reads and checks one, which is the last in the image. Arrays of the image are known.
/// SLUICE_ERR_FORMAT, with `why`: it is no reaction of this program; SLUICE_ERR_NOMEM.
enum sluice_status sluice_reaction_read(struct sluice_image *image, struct sluice_reaction *r,
                                        const json_t *from, char *why, size_t len);
/// The name of an argument that is a register, "PORT.PACKETS": `block` becomes "PORT", "PACKETS" is
/// returned. NULL: it has no dot, or is too long.
const char *sluice_reaction_register(const char *name, char block[SLUICE_NAME_LEN]);
