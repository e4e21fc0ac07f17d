// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// Messages about a P4 text: collected while it is read and checked, printed by whoever wants to.
///
///     struct p4_messages messages = {0};
///     struct p4_program *program = p4_front(...);
///     p4_messages_print(&messages, stderr);
///     p4_messages_release(&messages);
///
///     router.p4:14:9: error: unknown name 'ttl' [unknown-name]
///        14 |     hdr.ttl = hdr.ttl - 1;
///           |         ^~~
///
/// The text of a message says what is wrong, in words of the program; where there is one, what to
/// do instead stands behind a semicolon or in a note. It starts small and has no full stop.

/// A place in a text. Of what a macro made: where the macro is used.
struct p4_place {
  uint16_t file;    // index into p4_messages.files
  uint16_t column;  // 1-based, in bytes; 0: the file as a whole
  uint32_t line;    // 1-based
  uint32_t span;    // bytes from there, within the line
};

enum p4_severity { P4_ERROR, P4_WARNING, P4_NOTE };

struct p4_message {
  enum p4_severity severity;
  struct p4_place place;
  unsigned order;  // in which they were found; a note belongs to the message before it
  const char *id;  // short stable name, as "unknown-name"; "" of a note
  char text[360];
};

/// A file that was read, kept for the lines that are printed.
struct p4_file {
  char *name;  // as the program names it: "router.p4", "<core.p4>"
  char *text;  // with a 0 behind it
  size_t len;
  bool built_in;  // a text of our own: core.p4, v1model.p4, ...
};

/// A run stops at so many errors, and keeps so many warnings.
enum { P4_MOST_ERRORS = 100, P4_MOST_WARNINGS = 200 };

/// Zeroed is empty.
struct p4_messages {
  struct p4_file *files;
  size_t num_files;
  struct p4_message *list;  // sorted by file and place once p4_front is done; notes behind theirs
  size_t num, num_errors, num_warnings;
  bool out_of_memory;  // a message was lost
};

/// The name of a file in messages, or "?".
const char *p4_messages_file(const struct p4_messages *m, struct p4_place place);
/// The line of a place, not ended by a 0; NULL: there is none.
const char *p4_messages_line(const struct p4_messages *m, struct p4_place place, size_t *len);
/// Prints all messages, but at most `most` errors (0: 20), each with its line and a caret.
void p4_messages_print(const struct p4_messages *m, size_t most, FILE *out);
/// The same as a JSON array of objects: severity, file, line, column, span, id, text.
void p4_messages_json(const struct p4_messages *m, FILE *out);
void p4_messages_release(struct p4_messages *m);

// ---- for the front end -------------------------------------------------------------------------

/// Adds a message. The same id at the same place is told once. False: enough errors, give up.
bool p4_message_add(struct p4_messages *m, enum p4_severity severity, struct p4_place place,
                    const char *id, const char *format, ...) __attribute__((format(printf, 5, 6)));
/// Keeps a copy of a file's text; its index, or -1 if memory ran out or there are too many files.
int p4_messages_keep(struct p4_messages *m, const char *name, const char *text, size_t len,
                     bool built_in);
void p4_messages_sort(struct p4_messages *m);
