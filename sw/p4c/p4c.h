// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../base/layouts.h"

#include "../p4/front.h"

/// From a checked P4 program of v1model to the compiler's IR (docs/compiler.md), as far as the
/// machine of today takes it: headers at fixed places that are rewritten in place.
///
///     struct p4c_result result;
///     if (p4c_lower(program, config, &messages, &result)) sluice_program_parse(.., result.ir, ..);
///
/// All blocks become one function: parser, ingress, egress are walked with symbolic values, and
/// where ways meet again a value is chosen by the condition. What the machine lacks is refused at
/// its line. docs/p4-16.md says what is taken.

struct p4c_result {
  const char *ir;  // in the program's arena
  size_t len;
  // What a line of the text is made of: [1 .. num_lines]; line 0 of a place: nothing in particular.
  const struct p4_place *lines;
  unsigned num_lines;
  const char *fit;  // of a program that is refused: a sentence, how far it came; or NULL
};
/// False: `messages` say why. Conditions on the packet are computed, or, where the program does not
/// fit so, they are entries of a table (decide.c).
bool p4c_lower(struct p4_program *program, const struct sluice_config *config,
               struct p4_messages *messages, struct p4c_result *result);
/// The same, always with the table. False: there is no such table, or `messages` say why.
bool p4c_lower_in_keys(struct p4_program *program, const struct sluice_config *config,
                       struct p4_messages *messages, struct p4c_result *result);
