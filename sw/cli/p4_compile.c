// SPDX-License-Identifier: Apache-2.0
// P4 programs where verbs take Domino programs: their text in the IR, and messages of the compiler
// at the lines of P4 that they are about.
#include <stdlib.h>
#include <string.h>

#include "p4.h"

bool cli_is_p4(const char *path) {
  const size_t len = strlen(path);
  return len > 3 && strcmp(path + len - 3, ".p4") == 0;
}

static void print(struct cli_p4_source *s) { p4_messages_print(&s->p4.messages, 0, stderr); }

int cli_p4_lower(struct cli_p4_source *s, const char *path, const struct sluice_config *config) {
  s->p4.folders = s->folders ? s->folders : &s->none;
  s->p4.defines = s->defines ? s->defines : &s->none;
  int code = cli_p4_read(&s->p4, path);
  // Warnings of the front end are those of sluice p4 check.
  s->p4.messages.num = code == CLI_DONE ? 0 : s->p4.messages.num;
  if (code == CLI_DONE && !p4c_lower(s->p4.program, config, &s->p4.messages, &s->result))
    code = s->p4.messages.out_of_memory ? CLI_WORLD : CLI_NO;
  if (code == CLI_DONE || code == CLI_NO) print(s);
  if (s->result.fit) fprintf(stderr, "%s: note: %s\n", path, s->result.fit);
  return code;
}

// The place in the P4 program that a line of the text is made of.
static struct p4_place place_of(const struct cli_p4_source *s, unsigned line) {
  const struct p4_place none = {0};
  return line && line <= s->result.num_lines ? s->result.lines[line] : none;
}

void cli_p4_tell(struct cli_p4_source *s, const struct sluice_diags *diags) {
  static const enum p4_severity severities[] = {P4_ERROR, P4_WARNING, P4_NOTE};
  s->p4.messages.num = s->p4.messages.num_errors = s->p4.messages.num_warnings = 0;
  for (size_t i = 0; i < diags->num; i++) {
    const struct sluice_diag *d = &diags->list[i];
    if (d->severity == SLUICE_SEVERITY_NOTE) continue;  // they name lines of the IR
    p4_message_add(&s->p4.messages, severities[d->severity], place_of(s, d->line), d->id, "%s",
                   d->text);
  }
  p4_messages_sort(&s->p4.messages);
  print(s);
}

// Lines of included files have their names in front.
void cli_p4_line(const struct cli_p4_source *s, struct sluice_line *line) {
  const struct p4_place place = place_of(s, line->line);
  size_t len = 0, blanks = 0;
  const char *text = p4_messages_line(&s->p4.messages, place, &len), *file = "", *colon = "";
  while (blanks < len && (text[blanks] == ' ' || text[blanks] == '\t')) blanks++;
  if (place.file) file = p4_messages_file(&s->p4.messages, place), colon = ": ";
  line->line = place.line;
  snprintf(line->text, sizeof line->text, "%s%s%.*s", file, colon, (int)(len - blanks),
           text ? text + blanks : "");
}

void cli_p4_lines(const struct cli_p4_source *s, struct sluice_image *image) {
  for (size_t i = 0; i < image->num_lines; i++) cli_p4_line(s, &image->lines[i]);
}

void cli_p4_source_release(struct cli_p4_source *s) { cli_p4_release(&s->p4); }
