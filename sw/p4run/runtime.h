// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "switch.h"

/// Entries in the form of the P4 tutorials' runtime.json: table_entries, multicast_group_entries,
/// clone_session_entries. Values are numbers, "aa:bb:cc:dd:ee:ff", "10.0.1.1", an IPv6 address, or
/// text as "0x1f". `why` is that of p4r_open; what is wrong in the file is said there, too.
bool p4r_runtime_load(struct p4r_switch *sw, char *why, size_t why_size, const char *text,
                      size_t len);
