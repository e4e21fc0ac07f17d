// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_LIB_STATUS_H
#define SLUICE_LIB_STATUS_H

#include <stddef.h>

/// What became of a call that can fail because of the world or of its input. 0 is good, errors are
/// negative. Functions that return it also fill a struct sluice_error with a sentence for people.
enum sluice_status {
  SLUICE_OK = 0,
  SLUICE_ERR_NOMEM = -1,    // out of memory
  SLUICE_ERR_IO = -2,       // a file cannot be opened, read or written
  SLUICE_ERR_FORMAT = -3,   // a file is not what it should be
  SLUICE_ERR_FOREIGN = -4,  // made for another chip, or by software with other layouts
  SLUICE_ERR_RANGE = -5,    // a value is outside its legal range
  SLUICE_ERR_FULL = -6,     // does not fit: the resource that ran out is in the text
};

/// Where and why, as one sentence without a capital or a full stop ("cannot open 'x': no such
/// file").
struct sluice_error {
  char text[400];
};

/// Fills `error` (NULL is allowed) and returns `status`, so that `return sluice_fail(...)` is one
/// line.
enum sluice_status sluice_fail(struct sluice_error *error, enum sluice_status status,
                               const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
