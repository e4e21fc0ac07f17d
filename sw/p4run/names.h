// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdarg.h>

#include "run.h"

/// Inside the interpreter: what the control plane calls things.

/// Says what is wrong, and is false.
bool p4r_say(struct p4r_switch *sw, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool p4r_name_ends(const char *name, const char *end, bool at_dot);
/// The object with this name or this end of a name; of externs those of one of the types `of`, a
/// list with a 0 behind each and behind all. NULL after a message.
struct p4r_object *p4r_find(struct p4r_switch *sw, enum p4r_kind kind, const char *of,
                            const char *name);
const struct p4_action_ref *p4r_find_action(struct p4r_switch *sw, const struct p4r_object *table,
                                            const char *name);
bool p4r_number_fits(const struct p4r_number *n, unsigned width);
struct p4v p4r_number_value(struct arena *a, const struct p4r_number *n,
                            const struct p4_type *type);
