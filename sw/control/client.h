// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>

#include "../base/status.h"

/// The client's end of the control socket of a live switch: a line of JSON out, a line of JSON in.
///
///     status = control_connect(&fd, path, &greeting, &error);  // greeting NULL: not wanted
///     status = control_ask(fd, request, 60, &answer, &error);  // answer: an object with "ok"
///     ... json_decref(answer); close(fd);
///
/// SLUICE_ERR_IO: nobody is there, or what is there says nothing; SLUICE_ERR_FOREIGN: it is no live
/// switch, or one of another protocol.
SLUICE_MUST_CHECK enum sluice_status control_connect(int *fd, const char *path, json_t **greeting,
                                                     struct sluice_error *error);
/// A request alone, for who reads the answer without waiting.
SLUICE_MUST_CHECK enum sluice_status control_send(int fd, const json_t *request, double seconds,
                                                  struct sluice_error *error);
/// Waits at most `seconds`. What the switch refuses is an answer, with "ok" false.
SLUICE_MUST_CHECK enum sluice_status control_ask(int fd, const json_t *request, double seconds,
                                                 json_t **answer, struct sluice_error *error);
