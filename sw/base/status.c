// SPDX-License-Identifier: Apache-2.0
#include "status.h"

#include <sluice/version.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum sluice_status sluice_fail(struct sluice_error *error, enum sluice_status status,
                               const char *format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return status;
}

enum sluice_status sluice_no_memory(struct sluice_error *error) {
  return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
}

const char *sluice_status_text(enum sluice_status status) {
  switch (status) {
    case SLUICE_OK: return "done";
    case SLUICE_ERR_NOMEM: return "out of memory";
    case SLUICE_ERR_IO: return "no answer, or cannot be read or written";
    case SLUICE_ERR_FORMAT: return "not what it should be";
    case SLUICE_ERR_FOREIGN: return "made for another chip or other layouts";
    case SLUICE_ERR_RANGE: return "outside the legal range";
    case SLUICE_ERR_FULL: return "does not fit";
    case SLUICE_ERR_DIFFERS: return "the chip does not hold what was written";
    case SLUICE_ERR_NOT_FOUND: return "not there";
    case SLUICE_ERR_EXISTS: return "there already";
    case SLUICE_ERR_UNSUPPORTED: return "more than this chip or switch can do";
    case SLUICE_ERR_BUSY: return "not now";
  }
  return "unknown status";
}

const char *sluice_version(void) { return SLUICE_VERSION; }

void *sluice_resize(const struct sluice_alloc *alloc, void *old, size_t old_size, size_t size) {
  if (alloc && alloc->resize) return alloc->resize(alloc->user, old, old_size, size);
  if (size) return realloc(old, size);
  free(old);
  return NULL;
}

void *sluice_zeroed(const struct sluice_alloc *alloc, size_t size) {
  void *block = sluice_resize(alloc, NULL, 0, size);
  return block ? memset(block, 0, size) : NULL;
}
