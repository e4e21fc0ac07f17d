// SPDX-License-Identifier: Apache-2.0
// What is printed from configs.def: the package of a shape, the check of its parameters, and
// docs/shapes.md.
#include <string.h>

#include "print.h"

// Where the next line of a text begins, so that this one has at most `room` characters: behind the
// last of the marks that fits, or the end.
static const char *next_line(const char *text, size_t room, const char *const *marks) {
  const char *best = NULL;
  if (strlen(text) <= room) return text + strlen(text);
  for (; *marks; marks++)
    for (const char *at = strstr(text, *marks); at; at = strstr(at + 1, *marks)) {
      const char *behind = at + strlen(*marks);
      if ((size_t)(behind - text) <= room && (!best || behind > best)) best = behind;
    }
  return best ? best : text + strlen(text);
}

// A test and its sentence, in lines that fit.
static void print_rule(FILE *out, const char *test, const char *sentence) {
  static const char *const terms[] = {" ||", " &&", NULL}, *const words[] = {" ", NULL};
  const char *next = next_line(test, LAYOUT_COLUMNS - 10, terms);
  fprintf(out, "  if (!(%.*s", (int)(next - test), test);
  for (test = next; *test; test = next) {
    next = next_line(test, LAYOUT_COLUMNS - 10, terms);
    fprintf(out, "\n       %.*s", (int)(next - test), test);
  }
  fprintf(out, "))\n    $fatal(1, \"sluice: ");
  next = next_line(sentence, LAYOUT_COLUMNS - 27, words);
  if (!*next) {
    fprintf(out, "%s\");\n", sentence);
    return;
  }
  // A text in two or three lines is the arguments of one.
  const char *parts[4] = {sentence};
  unsigned num = 0;
  while (*parts[num] && num < 3) {
    parts[num + 1] = next_line(parts[num], LAYOUT_COLUMNS - 16, words);
    num++;
  }
  for (unsigned i = 0; i < num; i++) fprintf(out, "%%s");
  for (unsigned i = 0; i < num; i++)
    fprintf(out, "%s\n           \"%.*s\"", i ? "," : "\",", (int)(parts[i + 1] - parts[i]),
            parts[i]);
  fprintf(out, ");\n");
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
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS)                                       \
  fprintf(out, "  if (%s + 1 < %u || %s > %u", #NAME, LOW + 1u, #NAME, HIGH + 0u);               \
  if (POWER) fprintf(out, " || (%s & (%s - 1)) != 0", #NAME, #NAME);                             \
  if (POWER > 1) fprintf(out, "\n      || (%s != 0 && %s < %u)", #NAME, #NAME, POWER + 0u);      \
  fprintf(out, ")\n    $fatal(1, \"sluice: %s is %%0d; it must be %s%u to %u\",%s%s);\n", #NAME, \
          SLUICE_POWER_TEXT(POWER), SLUICE_LEAST(LOW, POWER), HIGH + 0u,                         \
          POWER > 1 ? "\n           " : " ", #NAME);
#define SLUICE_RULE(TEST, SENTENCE, REASON) print_rule(out, #TEST, SENTENCE);
#include "../configs.def"
  fprintf(out, "`endif\nendmodule : sluice_cfg_check\n");
  return ferror(out) ? -1 : 0;
}

// The SystemVerilog package sluice_cfg_pkg of one configuration.
static int layout_print_config_sv(FILE *out, const struct sluice_config *c) {
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
  fprintf(out, "\n  // What follows from the parameters.\n");
#define SLUICE_FOLLOWS(NAME, VALUE, DOC)                                     \
  snprintf(code, sizeof code, "localparam int unsigned %-12s =%s%s;", #NAME, \
           strlen(#VALUE) > LAYOUT_COLUMNS - 44 ? "\n      " : " ", #VALUE); \
  snprintf(comment, sizeof comment, "%s", DOC);                              \
  layout_print_commented(out, 2, code, comment);
#include "../configs.def"
  fprintf(out, "endpackage : sluice_cfg_pkg\n/* verilator lint_on UNUSEDPARAM */\n");
  return ferror(out) ? -1 : 0;
}

int layout_print_config(FILE *out, const char *const *words, unsigned count, char *why,
                        size_t why_len) {
  const struct sluice_config *known = sluice_config_named(words[0], why, why_len);
  if (!known && !*why) snprintf(why, why_len, "no shape '%s'", words[0]);
  if (!known) return -1;
  struct sluice_config own = *known;
  char name[400];
  size_t len = (size_t)snprintf(name, sizeof name, "%s", known->name);
  for (unsigned i = 1; i < count; i++) {
    if (sluice_config_set(&own, words[i], why, why_len)) return -1;
    if (len < sizeof name)
      len += (size_t)snprintf(name + len, sizeof name - len, "%s%s", i == 1 ? " with " : ", ",
                              words[i]);
  }
  if (len >= sizeof name) return snprintf(why, why_len, "too many parameters"), -1;
  own.name = name;
  if (sluice_config_check(&own, why, why_len)) return -1;
  if (layout_print_config_sv(out, &own)) return snprintf(why, why_len, "cannot be written"), -1;
  return 0;
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

// The numbers of the rules in which a parameter stands.
static void print_rules_of(FILE *out, const char *parameter) {
  const char *before = "";
  unsigned number = 0;
#define SLUICE_RULE(TEST, SENTENCE, REASON) \
  number++;                                 \
  if (speaks_of(#TEST, parameter)) {        \
    fprintf(out, "%s%u", before, number);   \
    before = ", ";                          \
  }
#include "../configs.def"
}

// A row of a table, in which a bar would end a cell.
static void print_follows(FILE *out, const char *name, const char *doc, const char *value) {
  fprintf(out, "| `%s` | %s | `", name, doc);
  for (; *value; value++) fprintf(out, *value == '|' ? "\\|" : "%c", *value);
  fprintf(out, "` |\n");
}

static void print_names(FILE *out, unsigned from, unsigned to) {
  for (unsigned i = from; i < to; i++)
    fprintf(out, "| `%s` | %s |\n", sluice_configs[i].name, sluice_configs[i].doc);
}

// What each parameter is in the shapes to choose from.
static void print_values(FILE *out) {
  fprintf(out, "\n## Values\n\n| parameter |");
  for (unsigned i = 0; i < sluice_num_offered; i++) fprintf(out, " %s |", sluice_configs[i].name);
  fprintf(out, "\n|---|");
  for (unsigned i = 0; i < sluice_num_offered; i++) fprintf(out, "---|");
  fprintf(out, "\n");
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS)                                         \
  fprintf(out, "| `%s` |", #NAME);                                                                 \
  for (unsigned i = 0; i < sluice_num_offered; i++) fprintf(out, " %u |", sluice_configs[i].NAME); \
  fprintf(out, "\n");
#include "../configs.def"
}

int layout_print_shapes(FILE *out) {
  fprintf(out,
          "# Shapes\n\n"
          "Printed by `make layout` from `sw/configs.def`.\n\n"
          "A shape is a value for each parameter of the chip: how many pipelines, ports and stages "
          "it has, how deep its memories are, and which\n"
          "units it has at all. This page is for choosing one; [the life of a packet](packet.md) "
          "says what the parts are.\n\n"
          "A shape with a name is built by `make sim CONFIG=NAME` and told to the tools by `--chip "
          "NAME`.\n"
          "What is different from it stands behind the name: `s2.k4` is `s2` with four pipelines, "
          "as many ports at least, and a window for as many packets; `s2.StateEntries4096` is `s2` "
          "with another value of a parameter; `s2.k4.NumPorts8` both.\n"
          "Such a name is one everywhere: `make sim CONFIG=s2.StateEntries4096`, or `make sim "
          "CONFIG=s2 SET=\"StateEntries=4096\"`, then `--chip s2.StateEntries4096`.\n"
          "The model needs no simulator: `--chip model:s2.StateEntries4096`.\n\n"
          "A shape with a name of its own is a line `SLUICE_CONFIG` in `sw/configs.def`, most "
          "often a base and what differs from it.\n"
          "For a design of your own: [ip.md](ip.md#the-chip-in-your-design).\n"
          "In SystemVerilog the parameters are constants of the package `sluice_cfg_pkg`, which "
          "make prints for each shape (`build/NAME/cfg/`); four are in the tree, as examples "
          "(`rtl/configs/`).\n"
          "In C they are the fields of `struct sluice_config`.\n\n"
          "## Shapes to choose from\n\n| name | what it is |\n|---|---|\n");
  print_names(out, 0, sluice_num_offered);
  fprintf(
      out,
      "\n## Parameters\n\n"
      "Legal values; what the parameter is; what else it decides, or must be set with; the "
      "[rules](#rules) in which it stands.\n\n"
      "| parameter | legal | what it is | what depends on it | rules |\n|---|---|---|---|---|\n");
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS)                                     \
  fprintf(out, "| `%s` | %s%u to %u%s | %s | %s | ", #NAME, POWER > 1 ? "0 or " : "",          \
          SLUICE_LEAST(LOW, POWER), HIGH + 0u, POWER ? ", a power of two" : "", DOC, DEPENDS); \
  print_rules_of(out, #NAME);                                                                  \
  fprintf(out, " |\n");
#include "../configs.def"
  fprintf(out, "\n## What follows\n\n"
               "Code, registers and pages also speak of these constants, each of which has its "
               "value from parameters: nobody sets them, and whoever tries is told the value.\n"
               "`a ? b : c` is b if a holds, else c; `1 << n` is 2 to the power of n.\n\n"
               "| constant | what it is | value |\n|---|---|---|\n");
#define SLUICE_FOLLOWS(NAME, VALUE, DOC) print_follows(out, #NAME, DOC, #VALUE);
#include "../configs.def"
  fprintf(out, "\n## Rules\n\n"
               "A shape that breaks a range or one of these rules is refused with a sentence, by "
               "the tools and when the RTL is elaborated (`sluice_cfg_check`).\n\n"
               "| | rule | because |\n|---|---|---|\n");
  unsigned number = 0;
#define SLUICE_RULE(TEST, SENTENCE, REASON) \
  fprintf(out, "| %u | %s | %s |\n", ++number, SENTENCE, REASON);
#include "../configs.def"
  print_values(out);
  fprintf(out, "\n## Shapes of tests and measurements\n\n"
               "They stand in `sw/tests/shapes.def`, and every verb knows them, too.\n\n"
               "| name | what it is |\n|---|---|\n");
  print_names(out, sluice_num_offered, sluice_num_configs);
  return ferror(out) ? -1 : 0;
}
