// SPDX-License-Identifier: Apache-2.0
// docs/control.md: what can be asked of a running switch, from control.def.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "print.h"

static const struct row {
  const char *verb, *key, *answer;
  const char *name;
  const char *kind;
  int64_t low, high;
  bool needed;
  const char *what, *note;
} rows[] = {
#define CONTROL_FORM(VERB, KEY, RUN, BEGIN, ANSWER) {.verb = #VERB, .key = KEY, .answer = ANSWER},
#define CONTROL_MEMBER(NAME, KIND, LOW, HIGH, NEEDED, WHAT, NOTE) \
  {.name = #NAME,                                                 \
   .kind = #KIND,                                                 \
   .low = LOW,                                                    \
   .high = HIGH,                                                  \
   .needed = NEEDED,                                              \
   .what = WHAT,                                                  \
   .note = NOTE},
#include "../control.def"
};
enum { NUM_ROWS = sizeof rows / sizeof rows[0] };

static void print_kind(FILE *out, const struct row *m) {
  if (*m->what) fprintf(out, ": %s", m->what);
  else if (strcmp(m->kind, "WHOLE") == 0)
    fprintf(out, ": %lld to %lld", (long long)m->low, (long long)m->high);
  else if (strcmp(m->kind, "FLAG") == 0) fputs(": true or false", out);
}

static void print_member(FILE *out, const struct row *m, bool first) {
  fprintf(out, "%s`%s`%s", first ? "" : "; ", m->name, m->needed ? "" : "?");
  print_kind(out, m);
  if (*m->note) fprintf(out, " (%s)", m->note);
}

int layout_print_control(FILE *out) {
  fputs("# What can be asked of a running switch\n\n"
        "Printed from `sw/control.def` by `make layout`: do not edit.\n\n"
        "`sluice serve --control FILE` makes a socket ([live.md](live.md#the-control-socket)).\n"
        "Who connects gets a greeting, a line of JSON: "
        "`{\"sluice\":\"0.1.0\",\"protocol\":1,\"chip\":\"k4\"}`.\n"
        "Then each line of JSON is a request, and gets a line as its answer, in their order.\n"
        "A request has `do`, the verb; an `id` comes back in the answer.\n"
        "A member that the verb does not know, or of another kind, is refused, and nothing is "
        "done.\n"
        "Behind a member that may be left out stands `?`.\n"
        "In C: `sluice/switch.h`; from a shell: `sluice ctl`.\n\n"
        "| `do` | members | answer |\n|---|---|---|\n",
        out);
  for (unsigned r = 0; r < NUM_ROWS; r++) {
    const struct row *form = &rows[r];
    if (!form->verb) continue;
    fprintf(out, "| `%s` | ", form->verb);
    for (unsigned m = r + 1; m < NUM_ROWS && rows[m].name; m++)
      print_member(out, &rows[m], m == r + 1);
    fprintf(out, " | %s |\n", form->answer ? form->answer : "");
  }
  fputs("\nEvery answer has `ok`.\n"
        "When it is false, `error` is a sentence, and `status` a word:\n\n"
        "| `status` | |\n|---|---|\n"
#define CONTROL_STATUS(STATUS, WORD, NOTE) "| `" #WORD "` | " NOTE " |\n"
#include "../control.def"
        ,
        out);
  return ferror(out) ? -1 : 0;
}
