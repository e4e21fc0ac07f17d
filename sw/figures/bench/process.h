// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

#include "../../base/process.h"

/// Other programs that the evaluation runs.

enum { PROCESS_WORDS = 64, PROCESS_TEXT = 16384 };

/// A command line: words from a format, and words that stand in a text with blanks between them.
struct process_words {
  unsigned count;
  char *words[PROCESS_WORDS + 1];  // ends with NULL
  char text[PROCESS_TEXT];
  unsigned used;
  bool full;  // there was no room: process_start refuses it
};
void process_word(struct process_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void process_split(struct process_words *words, const char *text);

/// Starts it in a process group of its own, with standard output and error in files (NULL: ours;
/// both may be the same) and `variable` set in its environment (NULL: nothing). It ends when we do.
enum sluice_status process_start(struct sluice_process *process, struct process_words *words,
                                 const char *out, const char *err, const char *variable,
                                 const char *value, struct sluice_error *error);
/// Runs it to its end. Its exit code; 128 and the number of a signal; 127 if it cannot be run.
/// `seconds` and `usage` may be NULL; `limit` seconds (0: none) end it, with 124.
int process_run(struct process_words *words, const char *out, const char *err, double limit,
                double *seconds, struct rusage *usage);
