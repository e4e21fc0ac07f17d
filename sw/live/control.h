// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>

#include "../base/loop.h"
#include "../control/client.h"
#include "live.h"

/// The control socket of a live switch: a line of JSON in, a line of JSON out (verbs.h), in the
/// order of the lines. A client is greeted with a line first (control/schema.h).
///
///     struct control *control;
///     status = control_open(&control, "/run/user/1000/switch", &error);
///     control_watch(control, &loop);                     // what to wait for, with everything else
///     control_serve(control, live);                      // never waits for a client
///     control_close(control);
///
/// The socket is for its owner alone. A client cannot harm: what is no request gets an answer that
/// says so, one with more than CONTROL_LINE_MAX bytes without a newline is told so and
/// disconnected, and one that does not read its answers is not read from until it does. Each client
/// has one request served in a call of control_serve; one that takes longer (the C compiler makes
/// reactions) holds up only its own client.
struct control;
enum { CONTROL_CLIENTS = 16, CONTROL_LINE_MAX = 16 << 20 };

/// SLUICE_ERR_IO; takes over the place of a dead socket, but never of a living one or of another
/// file.
SLUICE_MUST_CHECK enum sluice_status control_open(struct control **control, const char *path,
                                                  struct sluice_error *error);
/// The next wait of `loop` ends when there is something for control_serve to do.
void control_watch(const struct control *control, struct sluice_loop *loop);
void control_serve(struct control *control, struct live *live);
/// Sends what can be sent at once, and removes the socket; NULL is allowed.
void control_close(struct control *control);
