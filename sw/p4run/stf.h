// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "switch.h"

/// Packet tests in STF, the language of the reference compiler's tests: a command a line.
///
/// Packets are given to the switch in the order of the file, 1 ms behind each other; `wait` lets a
/// second pass. What came out at a port is compared with its `expect` lines at the end. Beyond the
/// commands that others know there are: check_register NAME INDEX VALUE; remove TABLE KEYS;
/// pvs_add SET VALUE; act_prof_create_member, _create_group, _add_member_to_group, and the actions
/// member(N), group(N) of `add`; masks `v&&&m` and ranges `a->b` of keys. check_counter checks.

struct p4r_stf {
  FILE *out;                            // what is wrong, a sentence each; NULL: nowhere
  unsigned packets, expects, failures;  // counted
};
/// Runs all commands of a text. False: something is not as the text says.
bool p4r_stf_run(struct p4r_stf *report, struct p4r_switch *sw, const char *why, const char *file,
                 const char *text);
