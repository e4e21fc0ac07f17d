// SPDX-License-Identifier: Apache-2.0
#include "knobs.h"

#include "../../base/number.h"

static int32_t *place(void *options, const struct study_option *row) {
  return (int32_t *)((char *)options + row->offset);
}

void study_preset(void *options, const struct study_option *table) {
  for (const struct study_option *row = table; row->name; row++) *place(options, row) = row->preset;
}

enum sluice_status study_give(void *options, const struct study_option *table, const char *name,
                              const char *value, struct sluice_error *error) {
  for (const struct study_option *row = table; row->name; row++) {
    size_t i = 0;
    while (name[i] && (name[i] == '_' ? '-' : name[i]) == row->name[i]) i++;
    if (name[i] || row->name[i]) continue;
    int64_t v;
    if (!sluice_signed_in(value, row->least, row->most, &v))
      return sluice_fail(error, SLUICE_ERR_RANGE, "%s: '%.80s' is not a whole number from %d to %d",
                         row->name, value, (int)row->least, (int)row->most);
    *place(options, row) = (int32_t)v;
    return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_RANGE, "no option '%.80s'", name);
}
