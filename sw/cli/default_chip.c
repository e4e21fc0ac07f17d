// SPDX-License-Identifier: Apache-2.0
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

// The shape for which an image was made. False: the file is no image; who loads it says so.
static bool made_for(const char *path, char *name, size_t size) {
  json_t *image = strcmp(path, "-") == 0 ? NULL : json_load_file(path, 0, NULL);
  const char *config = json_string_value(json_object_get(image, "config"));
  const bool known = config && (size_t)snprintf(name, size, "%s", config) < size;
  json_decref(image);
  return known;
}

const char *cli_default_chip(const struct cli_list *rest, const struct cli_list *with_vid,
                             char *name, size_t size) {
  char path[4096];
  for (unsigned i = 0; rest && i < rest->count; i++)
    if (made_for(rest->items[i], name, size)) return name;
  for (unsigned i = 0; with_vid && i < with_vid->count; i++) {
    const char *item = with_vid->items[i], *colon = strrchr(item, ':');
    if (colon && (size_t)(colon - item) < sizeof path) {
      snprintf(path, sizeof path, "%.*s", (int)(colon - item), item);
      if (made_for(path, name, size)) return name;
    }
  }
  return SLUICE_DEFAULT_SHAPE;
}
