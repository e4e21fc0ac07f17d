// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// One message about the text. A line or column of 0 means the file as a whole.
enum sluice_severity { SLUICE_SEVERITY_ERROR, SLUICE_SEVERITY_WARNING, SLUICE_SEVERITY_NOTE };
struct sluice_diag {
  enum sluice_severity severity;
  bool in_bindings;             // the place is in the text of the bindings
  unsigned line, column, span;  // 1-based; span in characters
  const char *id;               // short stable name, e.g. "two-addresses"; "" for a note
  char text[400];
};

enum { SLUICE_MAX_CHAIN = 130 };
/// Messages in the order they were found, and a copy of the text for the caret lines. Zeroed is
/// empty.
struct sluice_diags {
  char *file, *source;
  char *bindings_file, *bindings_source;  // NULL: none
  struct sluice_diag *list;
  size_t num, num_errors;
  // Where too many operations wait for each other: the lines of the longest chain, the first
  // operation first; num_chain is 0 where something else is wrong.
  unsigned chain[SLUICE_MAX_CHAIN], num_chain;
};

/// Prints all messages (at most 20 errors) with the line they are about:
///
///     flowlet.dom:14:9: error: unknown packet field 'sprot' [unknown-field]
///        14 |   pkt.x = pkt.sprot;
///           |           ^~~~~~~~~
void sluice_diags_print(const struct sluice_diags *diags, FILE *out);
/// The same as a JSON array.
void sluice_diags_json(const struct sluice_diags *diags, FILE *out);
void sluice_diags_release(struct sluice_diags *diags);

/// The compiler itself is wrong: says where and aborts.
#define SLUICE_BUG(TEXT) sluice_bug(__FILE__, __LINE__, TEXT)
_Noreturn void sluice_bug(const char *file, int line, const char *text);
