// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <sluice/switch.h>

/// A running switch, for verbs that print what it answers: sluice/switch.h with JSON trees.
///
///     status = cli_switch_open(&sw, path, 60, &error);
///     status = cli_switch_ask(sw, request, &answer, &said, &error);
///     ... json_decref(answer); sluice_switch_close(sw);

/// `path`: of its control socket; `patience`: seconds until an answer must be there.
SLUICE_MUST_CHECK enum sluice_status cli_switch_open(struct sluice_switch **sw, const char *path,
                                                     double patience, struct sluice_error *error);
/// *said (NULL is allowed): the answer as it came, also of a refusal, until the next call; NULL:
/// none came.
SLUICE_MUST_CHECK enum sluice_status cli_switch_ask(struct sluice_switch *sw, const json_t *request,
                                                    json_t **answer, const char **said,
                                                    struct sluice_error *error);
