// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "reactions.h"

/// What reactions have done, as a list of JSON objects, and as lines for people.
///
///     guard (VLAN 5): runs; 1203 dialogues of 65 words, 4 changes, 0 errors
///       cycles: cut 41, read 512, code 0, write 96, check 0, flip 4; mirror 300; from cut to flip
///       690, at most 720
///
/// With a bus each has its text, and what a dialogue takes of it: "bus": {"model", "reads",
/// "writes", "transfers", "answers"}. `vid` and `name` choose; negative, or NULL: all. NULL: out of
/// memory.
json_t *reaction_report(const struct reactions *rs, int vid, const char *name);
void reaction_print(FILE *out, const json_t *list);
/// Whether one of them has had an error.
bool reaction_failed(const struct reactions *rs);
