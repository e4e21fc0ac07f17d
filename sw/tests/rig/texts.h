// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "base/files.h"

/// A whole file for a test, with a 0 behind it; a file that cannot be read fails the test. To be
/// freed.
static inline char *bytes_of(const char *path, size_t *len) {
  struct sluice_file file;
  struct sluice_error why;
  if (sluice_file_read(&file, path, SIZE_MAX / 2, NULL, &why)) fail_msg("%s", why.text);
  *len = file.len;
  return file.bytes;
}

static inline char *text_of(const char *path) {
  size_t len;
  return bytes_of(path, &len);
}
