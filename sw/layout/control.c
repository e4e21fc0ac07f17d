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

// Lines of a list, one for each part of a text: parts end at "; " outside of brackets.
static void print_parts(FILE *out, const char *text) {
  int depth = 0;
  fputs("- ", out);
  for (const char *c = text; *c; c++) {
    if (*c == '(' || *c == '[') depth++;
    if (*c == ')' || *c == ']') depth--;
    if (depth == 0 && c[0] == ';' && c[1] == ' ') {
      fputs("\n- ", out);
      c++;
    } else {
      fputc(*c, out);
    }
  }
  fputc('\n', out);
}

static void print_members(FILE *out, const struct row *m) {
  if (m == rows + NUM_ROWS || !m->name) return;
  fputs("\n", out);
  for (; m < rows + NUM_ROWS && m->name; m++) {
    fprintf(out, "- `%s`%s", m->name, m->needed ? "" : "?");
    print_kind(out, m);
    if (*m->note) fprintf(out, " (%s)", m->note);
    fputs("\n", out);
  }
}

static const char *verb_of(unsigned r) {
  while (r > 0 && !rows[r].verb) r--;
  return rows[r].verb ? rows[r].verb : "";
}

// A verb's forms, each with the members of the request and of the answer.
static void print_form(FILE *out, unsigned r) {
  const struct row *form = &rows[r];
  bool first = r == 0 || strcmp(verb_of(r - 1), form->verb) != 0;
  if (first) fprintf(out, "\n## `%s`\n", form->verb);
  if (*form->key) fprintf(out, "\nWith `%s`:\n", form->key);
  else if (!first) fputs("\nElse:\n", out);
  print_members(out, form + 1);
  if (!form->answer || !*form->answer) return;
  bool several = strstr(form->answer, "; ");
  fputs(several ? "\nAnswer:\n\n" : "\nAnswer: ", out);
  if (several) print_parts(out, form->answer);
  else fprintf(out, "%s.\n", form->answer);
}

int layout_print_control(FILE *out) {
  fputs(
      "# What can be asked of a running switch\n\n"
      "Printed from `sw/control.def` by `make layout`: do not edit.\n\n"
      "`sluice serve --control FILE` makes a socket ([live.md](live.md#the-control-socket)).\n"
      "Who connects gets a greeting, a line of JSON: "
      "`{\"sluice\":\"0.1.0\",\"protocol\":1,\"chip\":\"k4\"}`.\n"
      "Then each line of JSON is a request, and gets a line as its answer, in their order.\n"
      "A request has `do`, the verb; an `id` comes back in the answer.\n"
      "A member that the verb does not know, or of another kind, is refused, and nothing is done.\n"
      "Behind a member that may be left out stands `?`.\n"
      "In C: `sluice/switch.h`; from a shell: `sluice ctl`.\n"
      "Some verbs have several forms: the first one whose member the request has counts.\n",
      out);
  for (unsigned r = 0; r < NUM_ROWS; r++)
    if (rows[r].verb) print_form(out, r);
  fputs("\n## Answers\n\n"
        "Every answer has `ok`.\n"
        "When it is false, `error` is a sentence, and `status` a word:\n\n"
        "| `status` | |\n|---|---|\n"
#define CONTROL_STATUS(STATUS, WORD, NOTE) "| `" #WORD "` | " NOTE " |\n"
#include "../control.def"
        ,
        out);
  return ferror(out) ? -1 : 0;
}
