// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pairs.h"
#include "status.h"

/// A tree that is built member by member. Where memory runs out, or a text is not UTF-8, a member
/// is missing; this is remembered until somebody asks, so that no tree with a hole is taken for
/// whole.
///
///     sluice_json_set_int(root, "packets", 17);
///     sluice_json_add(list, json_string(name));
///     if (!sluice_json_complete() || json_dump_file(root, path, 0)) ...
///
/// `value` is used up; NULL is a value that could not be made.
void sluice_json_set(json_t *to, const char *name, json_t *value);
void sluice_json_add(json_t *list, json_t *value);
void sluice_json_set_int(json_t *to, const char *name, uint64_t value);
void sluice_json_add_int(json_t *list, uint64_t value);
/// Several whole numbers: SLUICE_JSON_INTS(root, ("packets", 17), ("bytes", 1700)).
#define SLUICE_JSON_INTS(TO, ...) (SLUICE_PAIRS(SLUICE_JSON_INT, TO, , __VA_ARGS__))
#define SLUICE_JSON_INT(TO, UNUSED, NAME, VALUE) sluice_json_set_int(TO, NAME, (uint64_t)(VALUE))
/// A text from outside: what is not UTF-8, and control characters, become `\xNN`.
void sluice_json_set_text(json_t *to, const char *name, const char *text);
/// A path, as sluice_path_encode writes it, of `name` in `folder` (NULL: `name` is all of it).
void sluice_json_set_path(json_t *to, const char *key, const char *folder, const char *name);
/// Whether nothing was missing since the last call of this.
bool sluice_json_complete(void);

/// Writes a tree to a file, whole or not at all; `flags` as those of json_dumps. A tree that is not
/// complete, or is NULL, is SLUICE_ERR_NOMEM.
enum sluice_status sluice_json_save(const json_t *tree, size_t flags, const char *path,
                                    struct sluice_error *error);

/// Members of a tree that was checked, or that this software made: what is not there, or is of
/// another kind, is 0 or "".
long long sluice_json_int(const json_t *from, const char *name);
double sluice_json_real(const json_t *from, const char *name);
const char *sluice_json_text(const json_t *from, const char *name);

/// Whether an object has only members that `known` names, with spaces between them. If not, `why`
/// says which one it is, and what was meant or what there is: "no key 'vids' is known: did you
/// mean 'vid'?".
bool sluice_json_only(const json_t *object, const char *known, char *why, size_t size);
