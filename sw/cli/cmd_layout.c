// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "../layout/print.h"
#include "cli.h"

static const struct cli_usage usage = {
    "layout", "sv|map|check|config NAME|docs|shapes|control|report|lua|hash",
    "Prints the formats of tables, packets and registers, and the shapes of chips",
    "  sv           the SystemVerilog package of the layouts\n"
    "  map          the SystemVerilog module that knows the addresses of registers\n"
    "  check        the SystemVerilog module that refuses illegal shapes\n"
    "  config NAME  the SystemVerilog package of a shape; PARAMETER=VALUE... behind it: with these "
    "values instead\n"
    "  docs         the tables for people, as Markdown\n"
    "  shapes       parameters and shapes for people, as Markdown\n"
    "  control      what can be asked of a running switch: docs/control.md\n"
    "  report       the members of the report of a run: docs/report.md\n"
    "  lua          the tables for the dissector of Wireshark, which sw/wireshark/dissector.lua "
    "goes on from\n"
    "  hash         the layout hash, as it stands in CHIP.ID\n"};

static int print_config(const char *const *words, unsigned count) {
  char why[300];
  if (!cli_chip(words[0])) return CLI_USAGE;
  if (!layout_print_config(stdout, words, count, why, sizeof why)) return CLI_DONE;
  cli_error("layout: %s", why);
  return ferror(stdout) ? CLI_WORLD : CLI_USAGE;
}

int cmd_layout(int argc, char **argv) {
  struct cli_list rest;
  const struct cli_option options[] = {{CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
                                       {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  static const struct {
    const char *word;
    int (*print)(FILE *);
  } printed[] = {{"sv", layout_print_sv},
                 {"map", layout_print_csr_map},
                 {"check", layout_print_config_check},
                 {"docs", layout_print_docs},
                 {"shapes", layout_print_shapes},
                 {"control", layout_print_control},
                 {"report", layout_print_report},
                 {"lua", layout_print_lua}};
  const char *what = rest.count ? rest.items[0] : "";
  const bool config = strcmp(what, "config") == 0;
  if (config ? rest.count < 2 : rest.count != 1) {
    cli_error("layout needs one of sv, map, check, config NAME, docs, shapes, control, report, "
              "lua, hash");
    return CLI_USAGE;
  }
  if (config) return print_config(rest.items + 1, rest.count - 1);
  for (unsigned i = 0; i < sizeof printed / sizeof *printed; i++)
    if (strcmp(what, printed[i].word) == 0) return printed[i].print(stdout) ? CLI_WORLD : CLI_DONE;
  if (strcmp(what, "hash") == 0) {
    printf("%08x\n", (unsigned)sluice_layout_hash());
    return CLI_DONE;
  }
  cli_error(
      "layout: '%s' is none of sv, map, check, config, docs, shapes, control, report, lua, hash",
      what);
  return CLI_USAGE;
}
