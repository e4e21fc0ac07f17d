// SPDX-License-Identifier: Apache-2.0
// docs/report.md: the members of the report of a run, from report.def.
#include <ctype.h>
#include <string.h>

#include "print.h"

static const struct {
  const char *name, *kind, *runs, *note;
} members[] = {
#define REPORT(NAME, KIND, RUNS, NOTE) {#NAME, #KIND, RUNS, NOTE},
#include "../report.def"
};

static void print_runs(FILE *out, const char *runs) {
  static const struct {
    char letter;
    const char *name;
  } kinds[] = {{'S', "simulator"}, {'V', "served"}, {'M', "model"}};
  if (strlen(runs) == sizeof kinds / sizeof *kinds) fputs("all", out);
  else
    for (size_t n = 0, some = 0; n < sizeof kinds / sizeof *kinds; n++)
      if (strchr(runs, kinds[n].letter)) fprintf(out, "%s%s", some++ ? ", " : "", kinds[n].name);
}

int layout_print_report(FILE *out) {
  fputs("# The report of a run\n\n"
        "Printed from `sw/report.def` by `make layout`: do not edit.\n\n"
        "`--json` of `sluice run`, `trace`, `bench replay` and `bench recirculate` prints it, "
        "`--report FILE` keeps it ([cli.md](cli.md#run)).\n"
        "It is a JSON object with these members, and no others.\n"
        "\"Served\" is a simulator that serves: with `--socket`, and for programs with reactions.\n"
        "A member that has nothing to say is left out.\n"
        "Packets are numbered from 1.\n"
        "With `sha256sum` anybody can see whether a file is the one of the report.\n\n"
        "| member | is | of | what |\n|---|---|---|---|\n",
        out);
  for (size_t n = 0; n < sizeof members / sizeof *members; n++) {
    fprintf(out, "| `%s` | ", members[n].name);
    for (const char *at = members[n].kind; *at; at++) fputc(tolower((unsigned char)*at), out);
    fputs(" | ", out);
    print_runs(out, members[n].runs);
    fprintf(out, " | %s |\n", members[n].note);
  }
  return ferror(out) ? -1 : 0;
}
