// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "status.h"

/// Whole files. "-" is standard input or output. Errors name the file and say why.
///
///     struct sluice_file file;
///     SLUICE_TRY(sluice_file_read(&file, path, MOST, NULL, error));
///     ... file.bytes, file.len ...
///     sluice_file_release(&file);
struct sluice_file {
  char *bytes;  // a 0 is behind them
  size_t len;
  size_t room;  // private, as the next
  const struct sluice_alloc *alloc;
};

/// All of a file, at most `most` bytes. `alloc` must live until the release; with NULL `bytes` may
/// be kept, and is given back with free. After an error nothing is held.
enum sluice_status sluice_file_read(struct sluice_file *file, const char *path, size_t most,
                                    const struct sluice_alloc *alloc, struct sluice_error *error);
/// A text: a byte order mark in front of it is left out; an empty one, or one with a byte of 0, is
/// refused with the line.
enum sluice_status sluice_text_read(struct sluice_file *file, const char *path, size_t most,
                                    const struct sluice_alloc *alloc, struct sluice_error *error);
void sluice_file_release(struct sluice_file *file);

/// A file that is written whole or not at all: until it is closed, and after a failure, the path
/// holds what it held. What is no regular file of its own (a pipe, a link) is written straight.
///
///     SLUICE_TRY(sluice_out_open(&out, path, error));
///     fprintf(out.file, ...);
///     return sluice_out_close(&out, true, error);
struct sluice_out {
  FILE *file;
  const char *path;  // must live until the close
  char *beside;      // private: where it is written, NULL: straight
  int why;           // errno of a write that failed, where the writer knows it
};

enum sluice_status sluice_out_open(struct sluice_out *out, const char *path,
                                   struct sluice_error *error);
/// An error if a write of it failed. `good` false: the caller failed; then nothing is written, and
/// `error` is left as it is.
enum sluice_status sluice_out_close(struct sluice_out *out, bool good, struct sluice_error *error);

/// All three for bytes in memory.
enum sluice_status sluice_file_write(const char *path, const void *bytes, size_t len,
                                     struct sluice_error *error);
/// Of any length.
enum sluice_status sluice_file_copy(const char *from, const char *to, struct sluice_error *error);
