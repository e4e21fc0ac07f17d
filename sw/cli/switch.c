// SPDX-License-Identifier: Apache-2.0
#include "switch.h"

#include <stdio.h>
#include <stdlib.h>

#include "../base/status.h"

enum sluice_status cli_switch_open(struct sluice_switch **sw, const char *path, double patience,
                                   struct sluice_error *error) {
  char where[4200];
  snprintf(where, sizeof where, "control:%.4096s", path);
  SLUICE_TRY(sluice_switch_connect(sw, where, NULL, error));
  sluice_switch_patience(*sw, patience);
  return SLUICE_OK;
}

enum sluice_status cli_switch_ask(struct sluice_switch *sw, const json_t *request, json_t **answer,
                                  const char **said, struct sluice_error *error) {
  const char *text = NULL;
  char *line = request ? json_dumps(request, JSON_COMPACT) : NULL;
  *answer = NULL;
  const enum sluice_status status = line ? sluice_switch_ask(sw, line, &text, error)
                                         : sluice_no_memory(error);
  free(line);
  if (said) *said = text;
  if (status) return status;
  *answer = json_loads(text, 0, NULL);
  return *answer ? SLUICE_OK : sluice_no_memory(error);
}
