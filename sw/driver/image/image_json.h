// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "image.h"

/// What the readers and writers of the parts of an image file share.

/// Where in the file we are, for messages: "'x.json': writes[3]: ...".
struct image_place {
  const char *path, *list;  // list NULL: in none
  size_t at;
  struct sluice_error *error;
};

/// Fails with the place, then `what` and `why` side by side.
enum sluice_status image_refuse(const struct image_place *p, enum sluice_status status,
                                const char *what, const char *why);
/// `from` has no other members than those that `known` names, with a space between them: what this
/// software does not know may not be left out without a word. SLUICE_ERR_FORMAT.
enum sluice_status image_only(const struct image_place *p, const json_t *from, const char *known);
/// A whole number from low to high. SLUICE_ERR_FORMAT: none; SLUICE_ERR_RANGE: another one.
enum sluice_status image_int(const struct image_place *p, const json_t *from, const char *key,
                             json_int_t low, json_int_t high, json_int_t *out);
/// `value` as a name; `key` is what messages call it.
enum sluice_status image_name(const struct image_place *p, const json_t *value, const char *key,
                              char out[SLUICE_NAME_LEN]);
/// `bits` bits in hexadecimal digits, left-justified.
enum sluice_status image_hex(const struct image_place *p, const json_t *from, const char *key,
                             unsigned bits, uint8_t *out);
/// The other way; `hex` has room for 2 digits a byte and the 0. Padding bits become 0.
void image_to_hex(const uint8_t *bytes, unsigned bits, char *hex);

/// One element on a line of its own. Takes over `json`; NULL and what cannot be spelled return
/// false.
bool image_put(FILE *out, json_t *json, bool last);
