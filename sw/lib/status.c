// SPDX-License-Identifier: Apache-2.0
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

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
