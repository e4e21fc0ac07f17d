// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "../figures/study/outputs.h"
#include "cli.h"

static const struct cli_usage usage = {
    "bench-outputs", "[OPTION...]",
    "Plays random packets on a cycle-level model of the output queues",
    "What is left of the wires when queues hold handles and headers are fetched from the lane's\n"
    "packet buffer, or from a pool. The figures are in docs/tm.md.\n"};

enum { MOST = 32 };

int cmd_outputs(int argc, char **argv) {
  struct cli_list rest;
  const char *values[MOST] = {NULL};
  char help[MOST][128];
  struct cli_option options[MOST + 2] = {{CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"}};
  unsigned num = 1;
  for (unsigned i = 0; outputs_option_table[i].name; i++) {
    if (i == MOST) abort();  // more options of the model than these tables hold
    const struct study_option *row = &outputs_option_table[i];
    snprintf(help[i], sizeof help[i], "%s (%d)", row->help, (int)row->preset);
    options[num++] = (struct cli_option){CLI_TEXT, 0, row->name, "N", &values[i], 0, 0, help[i]};
  }
  options[num] = (struct cli_option){.kind = CLI_END};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  if (rest.count) {
    cli_error("bench outputs takes options only; see 'sluice help bench outputs'");
    return CLI_USAGE;
  }
  struct outputs_options o;
  struct outputs_result result;
  struct sluice_error error;
  outputs_options_init(&o);
  for (unsigned i = 0; outputs_option_table[i].name && i < MOST; i++)
    if (values[i] &&
        study_give(&o, outputs_option_table, outputs_option_table[i].name, values[i], &error)) {
      cli_error("%s", error.text);
      return CLI_USAGE;
    }
  enum sluice_status status = outputs_run(&o, &result, &error);
  if (status) {
    cli_error("%s", error.text);
    return status == SLUICE_ERR_RANGE ? CLI_USAGE : CLI_WORLD;
  }
  outputs_print(&result, stdout);
  return CLI_DONE;
}
