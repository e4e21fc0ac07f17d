// SPDX-License-Identifier: Apache-2.0
#include "json.h"

static bool missing;

void sluice_json_set(json_t *to, const char *name, json_t *value) {
  if (json_object_set_new(to, name, value)) missing = true;
}

void sluice_json_add(json_t *list, json_t *value) {
  if (json_array_append_new(list, value)) missing = true;
}

bool sluice_json_whole(void) {
  const bool whole = !missing;
  missing = false;
  return whole;
}
