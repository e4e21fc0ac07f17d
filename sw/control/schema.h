// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <sluice/table.h>
#include <stdbool.h>
#include <stdint.h>

#include "../base/status.h"

/// What can be asked of a running switch: control.def as a table. One request is a JSON object with
/// "do", the verb; "id", if it is there, comes back in the answer.
///
///     SLUICE_TRY(control_check(request, &form, error));  // form: its number, from 0
///
/// The greeting is a line that the switch sends first to whoever connects:
/// {"sluice":"0.1.0","protocol":1,"chip":"k4"}. The protocol's number rises when a client that was
/// written for the one before would be wrong.
enum { CONTROL_PROTOCOL = 1 };

enum control_kind { CONTROL_WHOLE, CONTROL_TEXT, CONTROL_FLAG, CONTROL_OBJECT, CONTROL_LIST };

/// A row is a form of a verb (`verb` is set), or a member of the form above it (`name` is).
struct control_row {
  const char *verb, *key, *answer;
  const char *name;
  enum control_kind kind;
  int64_t low, high;
  bool needed;
  const char *what, *note;
};
extern const struct control_row control_rows[];
extern const unsigned control_num_rows;

/// Finds the form of a request, and checks all its members: that it has those that it needs, no
/// others, and each of its kind. SLUICE_ERR_FORMAT with a sentence.
enum sluice_status control_check(const json_t *request, unsigned *form, struct sluice_error *error);

/// The word for a status in an answer, "not_found"; and the way back, SLUICE_ERR_IO for a word that
/// is none.
const char *control_status_word(enum sluice_status status);
enum sluice_status control_status_of(const char *word);

/// The word for a change of a table, "add", and the way back. False: the word is none.
const char *control_change_word(enum sluice_table_op op);
bool control_change_of(const char *word, enum sluice_table_op *op);

/// The verbs, with spaces between them; those that only read.
extern const char control_verbs[], control_watched[];
bool control_is_watched(const char *verb);
