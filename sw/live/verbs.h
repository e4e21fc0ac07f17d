// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>

#include "../base/loop.h"
#include "live.h"

/// What can be asked of a live switch, as JSON objects (docs/live.md has all of them):
///
///     {"do": "state", "vid": 5, "array": "count", "count": 2}
///         ->   {"ok": true, "values": [17, 3]}
///     {"do": "remove", "vid": 9}
///         ->   {"ok": false, "status": "range", "error": "no module ..."}
///
/// A member that this form of a verb does not know, or of another type than it wants, is refused;
/// nothing is done then.
///
/// Some requests take longer: the C compiler makes the reactions of a program first. So each is
/// served in steps, none of which waits, and others are served between them:
///
///     struct live_request *r = live_ask(live, line, line_len);  // NULL: out of memory
///     while (!live_answered(r, &answer, &len)) ...              // turns, other requests
///
/// `line` is a request (without the newline). The answer is a line, 0 behind it, which the caller
/// frees; *len is without the 0. NULL: out of memory.
struct live_request;
struct live_request *live_ask(struct live *live, const char *line, size_t line_len);
/// True: the answer is there, and `r` is freed.
bool live_answered(struct live_request *r, char **answer, size_t *len);
/// The next wait of `loop` ends when the answer may be there.
void live_request_watch(const struct live_request *r, struct sluice_loop *loop);
/// Whether it waits for something that may never happen. (The C compiler always ends.)
bool live_request_waits(const struct live_request *r);
/// Forgets a request that has not been answered; NULL is allowed.
void live_request_drop(struct live_request *r);

/// All of it, waiting.
char *live_answer(struct live *live, const char *line, size_t line_len, size_t *len);
