// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BASE_JSON_H
#define SLUICE_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>

/// A tree that is built member by member. Where memory runs out, or a text is not UTF-8, a member
/// is missing; this is remembered until somebody asks, so that no tree with a hole is taken for
/// whole.
///
///     sluice_json_set(root, "packets", json_integer(17));
///     sluice_json_add(list, json_string(name));
///     if (!sluice_json_whole() || json_dump_file(root, path, 0)) ...
///
/// Both use `value` up; NULL is a value that could not be made.
void sluice_json_set(json_t *to, const char *name, json_t *value);
void sluice_json_add(json_t *list, json_t *value);
/// Whether nothing was missing since the last call of this.
bool sluice_json_whole(void);

#endif
