// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLI_P4_H
#define SLUICE_CLI_P4_H

#include "../p4/front.h"
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

/// sluice p4 info, sluice p4 run. argv[0] is the verb, argv[1] the action.
int cli_p4_info(int argc, char **argv);
int cli_p4_run(int argc, char **argv);

#endif
