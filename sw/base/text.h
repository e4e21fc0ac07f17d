// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Text that comes from outside (names, paths, messages with paths in them) in places that take
/// only certain characters.

/// Copies `from` so that it can be printed and put into JSON: what is not UTF-8 and control
/// characters become `\xNN`. A newline stays if `lines`. Cut at a whole character if `size` is too
/// small.
void sluice_text_clean(char *to, size_t size, const char *from, bool lines);

/// A path as text of ASCII characters: `%` and every byte outside 0x20..0x7e become `%NN`. A path
/// may hold any byte but 0, a JSON text only UTF-8: so "\xff.pcap" stands in a job file as
/// "%ff.pcap". Returned memory is the caller's; NULL: out of memory.
char *sluice_path_encode(const char *path);
/// The way back. NULL: out of memory, or a `%` without two hexadecimal digits, or `%00`.
char *sluice_path_decode(const char *text);
