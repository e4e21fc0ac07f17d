// SPDX-License-Identifier: Apache-2.0
// What is printed from configs.def: the package of a shape, the check of its parameters, and
// docs/shapes.md.
#include <string.h>

#include "print.h"

// A test that is too long for a line is broken at its first ||.
static void print_rule(FILE *out, const char *test, const char *sentence) {
  const char *second = strlen("  if (!())") + strlen(test) > LAYOUT_COLUMNS ? strstr(test, " || ")
                                                                            : NULL;
  if (second) fprintf(out, "  if (!(%.*s\n       %s))\n", (int)(second - test), test, second);
  else fprintf(out, "  if (!(%s))\n", test);
  fprintf(out, "    $fatal(1, \"sluice: %s\");\n", sentence);
}

int layout_print_config_check(FILE *out) {
  fprintf(out, "// SPDX-License-Identifier: Apache-2.0\n"
               "// Printed by `make layout` from sw/configs.def: edit that file, not this one.\n\n"
               "/// Stops elaboration, with a sentence, when the shape is not legal. What the "
               "parameters mean:\n"
               "/// docs/shapes.md. SLUICE_ANY_SHAPE leaves the checks out, to measure shapes "
               "beyond the legal ones\n"
               "/// (make synth-isolation).\n"
               "module sluice_cfg_check\n  import sluice_cfg_pkg::*;\n();\n"
               "`ifndef SLUICE_ANY_SHAPE\n");
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS)                                      \
  fprintf(out, "  if (%s + 1 < %u || %s > %u", #NAME, LOW + 1u, #NAME, HIGH + 0u);              \
  if (POWER) fprintf(out, " || (%s & (%s - 1)) != 0", #NAME, #NAME);                            \
  fprintf(out, ")\n    $fatal(1, \"sluice: %s is %%0d; it must be %s%u to %u\", %s);\n", #NAME, \
          POWER ? "a power of two, " : "", LOW + 0u, HIGH + 0u, #NAME);
#define SLUICE_RULE(TEST, SENTENCE) print_rule(out, #TEST, SENTENCE);
#include "../configs.def"
  fprintf(out, "`endif\nendmodule : sluice_cfg_check\n");
  return ferror(out) ? -1 : 0;
}

int layout_print_config_sv(FILE *out, const struct sluice_config *c) {
  fprintf(out,
          "// SPDX-License-Identifier: Apache-2.0\n"
          "// Printed by `make layout` from sw/configs.def: edit that file, not this one.\n\n");
  char code[200], comment[1000];
  snprintf(comment, sizeof comment, "Configuration %s: %s.", c->name, c->doc);
  layout_print_comment(out, 0, "///", comment);
  fprintf(out, "// A package offers more constants than any one block reads.\n"
               "/* verilator lint_off UNUSEDPARAM */\n"
               "package sluice_cfg_pkg;\n");
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS)                             \
  snprintf(code, sizeof code, "localparam int unsigned %-12s = %5u;", #NAME, c->NAME); \
  snprintf(comment, sizeof comment, "%u..%u: %s", LOW + 0u, HIGH + 0u, DOC);           \
  layout_print_commented(out, 2, code, comment);
#include "../configs.def"
  fprintf(out, "endpackage : sluice_cfg_pkg\n/* verilator lint_on UNUSEDPARAM */\n");
  return ferror(out) ? -1 : 0;
}

// Whether a rule speaks of a parameter: its name as a word in the test.
static bool speaks_of(const char *test, const char *parameter) {
  const size_t len = strlen(parameter);
  for (const char *at = strstr(test, parameter); at; at = strstr(at + 1, parameter)) {
    const bool starts = at == test || strchr(" (!", at[-1]),
               ends = !at[len] || strchr(" )", at[len]);
    if (starts && ends) return true;
  }
  return false;
}

static void print_rules_of(FILE *out, const char *parameter) {
  const char *before = "";
#define SLUICE_RULE(TEST, SENTENCE)         \
  if (speaks_of(#TEST, parameter)) {        \
    fprintf(out, "%s%s", before, SENTENCE); \
    before = "; ";                          \
  }
#include "../configs.def"
}

int layout_print_shapes(FILE *out) {
  fprintf(out, "# Shapes\n\n"
               "Printed by `make layout` from `sw/configs.def`.\n\n"
               "A shape is a value for each parameter of the chip: how many pipelines, ports and "
               "stages it has, how deep its memories are, and which\n"
               "units it has at all. This page is for choosing one; [the life of a "
               "packet](packet.md) says what the parts are.\n\n"
               "A shape with a name is built by `make sim CONFIG=NAME` and told to the tools by "
               "`--chip NAME`. A shape of your own is a line\n"
               "`SLUICE_CONFIG` in `sw/configs.def`, most often a base and what differs from it, "
               "then `make layout`; one for a design of\n"
               "your own needs no line ([ip.md](ip.md#the-chip-in-your-design)). In SystemVerilog "
               "the parameters are "
               "constants of the package `sluice_cfg_pkg`, one file a shape\n"
               "(`rtl/configs/NAME/`); in C they are the fields of `struct sluice_config`.\n\n"
               "## Shapes with names\n\n| name | what it is |\n|---|---|\n");
  for (unsigned i = 0; i < sluice_num_configs; i++)
    fprintf(out, "| `%s` | %s |\n", sluice_configs[i].name, sluice_configs[i].doc);
  fprintf(
      out,
      "\n## Parameters\n\n"
      "Legal values; what the parameter is; what else it decides, or must be set with; the rules "
      "in which it stands.\n\n"
      "| parameter | legal | what it is | what depends on it | rules |\n|---|---|---|---|---|\n");
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS)                     \
  fprintf(out, "| `%s` | %u to %u%s | %s | %s | ", #NAME, LOW + 0u, HIGH + 0u, \
          POWER ? ", a power of two" : "", DOC, DEPENDS);                      \
  print_rules_of(out, #NAME);                                                  \
  fprintf(out, " |\n");
#include "../configs.def"
  fprintf(out, "\nA shape that breaks a range or one of these rules is refused with a sentence, by "
               "the tools and when the RTL is elaborated\n"
               "(`sluice_cfg_check`):\n\n");
#define SLUICE_RULE(TEST, SENTENCE) fprintf(out, "- %s.\n", SENTENCE);
#include "../configs.def"
  fprintf(out, "\n## Values\n\n| parameter |");
  for (unsigned i = 0; i < sluice_num_configs; i++) fprintf(out, " %s |", sluice_configs[i].name);
  fprintf(out, "\n|---|");
  for (unsigned i = 0; i < sluice_num_configs; i++) fprintf(out, "---|");
  fprintf(out, "\n");
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS)                                         \
  fprintf(out, "| `%s` |", #NAME);                                                                 \
  for (unsigned i = 0; i < sluice_num_configs; i++) fprintf(out, " %u |", sluice_configs[i].NAME); \
  fprintf(out, "\n");
#include "../configs.def"
  return ferror(out) ? -1 : 0;
}
