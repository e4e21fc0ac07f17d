// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/status.h"

/// Options of a study: whole numbers in a struct, by a table that ends with a row without a name.
struct study_option {
  const char *name;
  size_t offset;
  int32_t preset, least, most;
  const char *help;
};
void study_preset(void *options, const struct study_option *table);
/// `name` may have '_' for '-'. SLUICE_ERR_RANGE: no such option, or no such number.
enum sluice_status study_give(void *options, const struct study_option *table, const char *name,
                              const char *value, struct sluice_error *error) SLUICE_MUST_CHECK;
static inline int32_t study_value(const void *options, const struct study_option *row) {
  return *(const int32_t *)((const char *)options + row->offset);
}
