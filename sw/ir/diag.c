// SPDX-License-Identifier: Apache-2.0
// Messages about the text: collected here, printed by whoever wants to.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ir.h"

enum { MAX_PRINTED = 20, MAX_ERRORS = 100, LINE_SHOWN = 120 };

void diag_at(struct ir_context *c, enum sluice_severity severity, const struct token *at,
             const char *id, const char *format, ...) {
  struct sluice_diags *d = c->diags;
  // The target of `a op= b` stands twice in the tree; one message is enough.
  const unsigned first_line = at && at->line > c->program->own_lines ? c->program->own_lines : 0;
  for (size_t i = c->first_diag; at && i < d->num; i++)
    if (severity == SLUICE_SEVERITY_ERROR && d->list[i].line + first_line == at->line &&
        d->list[i].in_bindings == !!first_line && d->list[i].column == at->column &&
        strcmp(d->list[i].id, id) == 0)
      return;
  if ((d->num & (d->num - 1)) == 0) {
    struct sluice_diag *grown = realloc(d->list, (d->num ? d->num * 2 : 1) * sizeof *grown);
    if (!grown) arena_give_up(c->arena, ARENA_NO_MEMORY);
    d->list = grown;
  }
  struct sluice_diag *diag = &d->list[d->num++];
  *diag = (struct sluice_diag){.severity = severity, .id = id};
  if (at) {
    diag->in_bindings = at->line > c->program->own_lines;
    diag->line = diag->in_bindings ? at->line - c->program->own_lines : at->line;
    diag->column = at->column;
    diag->span = at->span;
  }
  va_list args;
  va_start(args, format);
  vsnprintf(diag->text, sizeof diag->text, format, args);
  va_end(args);
  if (severity != SLUICE_SEVERITY_ERROR) return;
  d->num_errors++;
  if (++c->num_errors == MAX_ERRORS) arena_give_up(c->arena, ARENA_TOLD);
}

void give_up_on_errors(struct ir_context *c) {
  if (c->num_errors) arena_give_up(c->arena, ARENA_TOLD);
}

static const char *severity_text(enum sluice_severity severity) {
  return severity == SLUICE_SEVERITY_ERROR     ? "error"
         : severity == SLUICE_SEVERITY_WARNING ? "warning"
                                               : "note";
}

static void print_line(const struct sluice_diags *d, const struct sluice_diag *diag, FILE *out) {
  const char *line = diag->in_bindings ? d->bindings_source : d->source;
  if (!line || !diag->line) return;
  for (unsigned n = 1; n < diag->line && line; n++) {
    line = strchr(line, '\n');
    if (line) line++;
  }
  if (!line) return;
  size_t len = strcspn(line, "\r\n"), caret = diag->column - 1, span = diag->span;
  // Of a long line the part around the caret.
  const size_t cut = caret > LINE_SHOWN / 2 && len > LINE_SHOWN ? caret - LINE_SHOWN / 2 : 0;
  const bool more = len - cut > LINE_SHOWN;
  line += cut;
  len = more ? LINE_SHOWN : len - cut;
  caret -= cut;
  fprintf(out, "%5u | %s%.*s%s\n      | %s", diag->line, cut ? "..." : "", (int)len, line,
          more ? "..." : "", cut ? "   " : "");
  // Tabs are repeated, so that the caret stands below its character.
  for (size_t i = 0; i < caret && i < len; i++) fputc(line[i] == '\t' ? '\t' : ' ', out);
  fputc('^', out);
  for (size_t i = caret + 1; i < caret + span && i < len; i++) fputc('~', out);
  fputc('\n', out);
}

void sluice_diags_print(const struct sluice_diags *d, FILE *out) {
  size_t errors = 0;
  for (size_t i = 0; i < d->num; i++) {
    const struct sluice_diag *diag = &d->list[i];
    if (diag->severity == SLUICE_SEVERITY_ERROR && ++errors > MAX_PRINTED) {
      fprintf(out, "%s: %zu more errors\n", d->file, d->num_errors - MAX_PRINTED);
      return;
    }
    const char *file = diag->in_bindings ? d->bindings_file : d->file;
    fprintf(out, "%s:", file ? file : "?");
    if (diag->line) fprintf(out, "%u:%u:", diag->line, diag->column);
    fprintf(out, " %s: %s", severity_text(diag->severity), diag->text);
    if (diag->id[0]) fprintf(out, " [%s]", diag->id);
    fputc('\n', out);
    print_line(d, diag, out);
  }
}

static void print_json_text(const char *text, FILE *out) {
  fputc('"', out);
  for (; *text; text++) {
    unsigned char ch = (unsigned char)*text;
    if (ch == '"' || ch == '\\') fprintf(out, "\\%c", ch);
    else if (ch < 32) fprintf(out, "\\u%04x", ch);
    else fputc(ch, out);
  }
  fputc('"', out);
}

void sluice_diags_json(const struct sluice_diags *d, FILE *out) {
  fputc('[', out);
  for (size_t i = 0; i < d->num; i++) {
    const struct sluice_diag *diag = &d->list[i];
    fprintf(
        out,
        "%s\n  {\"severity\": \"%s\", %s\"line\": %u, \"column\": %u, \"id\": \"%s\", \"text\": ",
        i ? "," : "", severity_text(diag->severity),
        diag->in_bindings ? "\"in\": \"bindings\", " : "", diag->line, diag->column, diag->id);
    print_json_text(diag->text, out);
    fputc('}', out);
  }
  fputs("]", out);
}

void sluice_diags_release(struct sluice_diags *d) {
  free(d->file);
  free(d->source);
  free(d->bindings_file);
  free(d->bindings_source);
  free(d->list);
  *d = (struct sluice_diags){0};
}

void sluice_bug(const char *file, int line, const char *text) {
  fprintf(stderr, "%s:%d: internal error of the compiler: %s\n", file, line, text);
  abort();
}
