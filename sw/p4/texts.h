// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The files of sw/p4/include, which embed.awk prints as C when the compiler is built. A name of 0
/// ends the list.
struct p4_built_in_file {
  const char *name, *text;
};
extern const struct p4_built_in_file p4_built_in_files[];
