// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ast.h"

/// The front end: from the text of a P4-16 program to a checked syntax tree.
///
///     struct p4_messages messages = {0};
///     struct p4_options options = {.num_folders = 1, .folders = (const char *[]){"include"}};
///     struct p4_program *program = p4_front("router.p4", text, len, &options, &messages);
///     p4_messages_print(&messages, 0, stderr);
///     if (program) ...
///     p4_program_free(program);
///     p4_messages_release(&messages);
///
/// It takes P4-16 1.2.5. The texts of core.p4, v1model.p4, psa.p4 and fpga.p4 are built in; a file
/// of that name in a folder of -I does not replace them. What the language leaves open, and what is
/// not taken, stands in docs/p4-16.md.
///
/// The functions here keep nothing in global memory, so several programs can be read at a time.

/// A name given on the command line: -D name=text.
struct p4_define {
  const char *name, *text;
};
struct p4_options {
  size_t num_folders;
  const char *const *folders;  // for #include, after the folder of the file itself
  size_t num_defines;
  const struct p4_define *defines;
  bool no_files;       // #include takes built-in texts alone: nothing outside is read
  size_t most_memory;  // bytes; 0: 1 GiB
};

enum p4_architecture {
  P4_ARCH_NONE,     // no architecture's text is included: a library
  P4_ARCH_V1MODEL,  // V1Switch of v1model.p4
  P4_ARCH_PSA,      // PSA_Switch of psa.p4
  P4_ARCH_MENSHEN,  // Parser and Ingress of Menshen's fpga.p4
  P4_ARCH_OTHER,    // a package that is declared elsewhere
};

struct p4_program {
  struct arena *arena;
  const char *file;
  struct p4_decl *decls;  // all of the top level, in order, those of built-in texts among them
  struct p4_annotation *package_annotations;  // of main: @pkginfo ..
  enum p4_architecture architecture;
  // The instance named main. NULL: the text has none, which is a warning.
  const struct p4_decl *main;
  // All members of `error` and `match_kind`, by number.
  unsigned num_errors, num_match_kinds;
  const struct p4_decl *const *errors, *const *match_kinds;
  const struct p4_type *const *types;  // all, by p4_type.number
  unsigned num_types;
};

/// Reads and checks `len` bytes of text. NULL: the text is wrong (`messages` has an error), or
/// memory ran out (messages->out_of_memory, and no error). Warnings may be there in any case.
struct p4_program *p4_front(const char *file, const char *text, size_t len,
                            const struct p4_options *options, struct p4_messages *messages);
void p4_program_free(struct p4_program *program);

/// A text that is built in: "core.p4", "v1model.p4", "psa.p4", "fpga.p4". NULL: there is none.
const char *p4_built_in_text(const char *name);

/// The words of an expression as the control plane names a key: "hdr.ipv4.dstAddr",
/// "hdr.vlan.$valid$", "hs[0].f"; NULL: it has no name of its own.
const char *p4_expr_control_name(struct arena *a, const struct p4_expr *e);
