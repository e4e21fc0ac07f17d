// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "../layout/print.h"
#include "cli.h"

static const struct cli_usage usage = {
    "layout", "sv|map|check|config NAME|docs|hash", "Prints the formats of tables, packets and registers",
    "  sv           the SystemVerilog package of the layouts\n"
    "  map          the SystemVerilog module that knows the addresses of registers\n"
    "  check        the SystemVerilog module that refuses illegal configurations\n"
    "  config NAME  the SystemVerilog package of a configuration\n"
    "  docs         the tables for people, as Markdown\n"
    "  hash         the layout hash, as it stands in CHIP.ID\n"};

int cmd_layout(int argc, char **argv) {
  struct cli_list rest;
  const struct cli_option options[] = {{CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
                                       {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  const char *what = rest.count ? rest.items[0] : "";
  bool config = strcmp(what, "config") == 0;
  if (rest.count != (config ? 2u : 1u)) {
    cli_error("layout needs one of sv, map, check, config NAME, docs, hash");
    return CLI_USAGE;
  }
  if (strcmp(what, "sv") == 0) return layout_print_sv(stdout) ? CLI_WORLD : CLI_DONE;
  if (strcmp(what, "map") == 0) return layout_print_csr_map(stdout) ? CLI_WORLD : CLI_DONE;
  if (strcmp(what, "check") == 0) return layout_print_config_check(stdout) ? CLI_WORLD : CLI_DONE;
  if (strcmp(what, "docs") == 0) return layout_print_docs(stdout) ? CLI_WORLD : CLI_DONE;
  if (strcmp(what, "hash") == 0) {
    printf("%08x\n", (unsigned)sluice_layout_hash());
    return CLI_DONE;
  }
  if (config) {
    const struct sluice_config *chip = cli_chip(rest.items[1]);
    if (!chip) return CLI_USAGE;
    return layout_print_config_sv(stdout, chip) ? CLI_WORLD : CLI_DONE;
  }
  cli_error("layout: '%s' is none of sv, map, check, config, docs, hash", what);
  return CLI_USAGE;
}
