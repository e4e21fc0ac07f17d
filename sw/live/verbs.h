// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_LIVE_VERBS_H
#define SLUICE_LIVE_VERBS_H

#include <jansson.h>

#include "live.h"

/// What can be asked of a live switch, as JSON objects (docs/live.md has all of them):
///
///     {"do": "state", "vid": 5, "array": "count", "count": 2}
///         ->   {"ok": true, "values": [17, 3]}
///     {"do": "remove", "vid": 9}
///         ->   {"ok": false, "status": "range", "error": "no module ..."}
///
/// A member that a verb does not know, or of another type than it wants, is refused; nothing is
/// done then.
///
/// `line` is a request (without the newline). The answer is a line, 0 behind it, which the caller
/// frees; *len is without the 0. NULL: out of memory.
char *live_answer(struct live *live, const char *line, size_t line_len, size_t *len);

/// The same with trees. NULL: out of memory. The caller drops its reference.
json_t *live_do(struct live *live, const json_t *request);

#endif
