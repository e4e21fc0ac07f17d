// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../compiler/compiler.h"
#include "../p4/front.h"
#include "../p4c/p4c.h"
#include "cli.h"

/// A P4 program that a verb reads.
///
///     struct cli_p4 p = {.folders = &folders, .defines = &defines};
///     int code = cli_p4_read(&p, path);
///     if (p.program) ...
///     cli_p4_release(&p);
struct cli_p4 {
  const struct cli_list *folders, *defines;  // of -I, -D
  struct p4_define given[CLI_MAX_ARGUMENTS];
  struct p4_messages messages;
  struct p4_program *program;
  char *text;
};
/// CLI_DONE; CLI_NO: the program is wrong, as the messages tell, which are not printed; CLI_USAGE,
/// CLI_WORLD: it could not be read, and a message was printed.
int cli_p4_read(struct cli_p4 *p, const char *path);
void cli_p4_release(struct cli_p4 *p);

/// A P4 program where a verb takes a Domino program.
///
///     struct cli_p4_source s = {0};
///     int code = cli_p4_lower(&s, path, config);           // s.result.ir is the text to compile
///     cli_p4_tell(&s, &diags);                              // messages of the compiler about it
///     cli_p4_source_release(&s);
struct cli_p4_source {
  const struct cli_list *folders, *defines;  // of -I, -D; NULL: none
  struct cli_list none;
  struct cli_p4 p4;
  struct p4c_result result;
};
/// By its name: it ends in .p4.
bool cli_is_p4(const char *path);
/// Messages have been printed.
int cli_p4_lower(struct cli_p4_source *s, const char *path, const struct sluice_config *config);
void cli_p4_tell(struct cli_p4_source *s, const struct sluice_diags *diags);
/// Stories tell lines of the P4 program.
void cli_p4_line(const struct cli_p4_source *s, struct sluice_line *line);
void cli_p4_lines(const struct cli_p4_source *s, struct sluice_image *image);
void cli_p4_source_release(struct cli_p4_source *s);

/// sluice p4 info, sluice p4 run. argv[0] is the verb, argv[1] the action.
int cli_p4_info(int argc, char **argv);
int cli_p4_run(int argc, char **argv);
