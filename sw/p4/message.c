// SPDX-License-Identifier: Apache-2.0
// Messages: kept in the order in which they are found, sorted by place at the end, printed with the
// line that they are about.
#include "message.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"

enum { MOST_PRINTED = 20, LINE_SHOWN = 120, MOST_FILES = 60000 };

static bool same(const struct p4_message *m, enum p4_severity severity, struct p4_place place,
                 const char *id) {
  return m->severity == severity && m->place.file == place.file && m->place.line == place.line &&
         m->place.column == place.column && strcmp(m->id, id) == 0;
}

// What ends the run, or is more than one wants to read, is not kept.
static bool wanted(const struct p4_messages *m, enum p4_severity severity, struct p4_place place,
                   const char *id) {
  if (severity == P4_NOTE) return m->num > 0;
  if (severity == P4_WARNING && m->num_warnings >= P4_MOST_WARNINGS) return false;
  for (size_t i = 0; i < m->num; i++)
    if (same(&m->list[i], severity, place, id)) return false;
  return true;
}

bool p4_message_add(struct p4_messages *m, enum p4_severity severity, struct p4_place place,
                    const char *id, const char *format, ...) {
  if (!wanted(m, severity, place, id)) return true;
  if ((m->num & (m->num - 1)) == 0) {
    struct p4_message *grown = realloc(m->list, (m->num ? m->num * 2 : 1) * sizeof *grown);
    if (!grown) {
      m->out_of_memory = true;
      return false;
    }
    m->list = grown;
  }
  struct p4_message *message = &m->list[m->num];
  *message = (struct p4_message){severity, place, (unsigned)m->num, id, ""};
  m->num++;
  char text[sizeof message->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sluice_text_clean(message->text, sizeof message->text, text, false);
  m->num_errors += severity == P4_ERROR;
  m->num_warnings += severity == P4_WARNING;
  return m->num_errors < P4_MOST_ERRORS;
}

int p4_messages_keep(struct p4_messages *m, const char *name, const char *text, size_t len,
                     bool built_in) {
  if (m->num_files >= MOST_FILES) return -1;
  struct p4_file *grown = realloc(m->files, (m->num_files + 1) * sizeof *grown);
  if (!grown) return -1;
  m->files = grown;
  struct p4_file file = {strdup(name), malloc(len + 1), len, built_in};
  if (!file.name || !file.text) {
    free(file.name);
    free(file.text);
    return -1;
  }
  memcpy(file.text, text, len);
  file.text[len] = 0;
  m->files[m->num_files] = file;
  return (int)m->num_files++;
}

// A note goes where the message before it goes.
static int by_place(const void *p, const void *q) {
  const struct p4_message *a = p, *b = q;
  if (a->place.file != b->place.file) return a->place.file < b->place.file ? -1 : 1;
  if (a->place.line != b->place.line) return a->place.line < b->place.line ? -1 : 1;
  if (a->place.column != b->place.column) return a->place.column < b->place.column ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

// A message with its notes, as one thing to sort.
struct group {
  struct p4_message head;  // first, so that by_place compares it
  size_t first, num;
};

void p4_messages_sort(struct p4_messages *m) {
  struct group *groups = malloc((m->num + 1) * sizeof *groups);
  struct p4_message *sorted = malloc((m->num + 1) * sizeof *sorted);
  if (groups && sorted) {
    size_t num = 0, to = 0;
    for (size_t i = 0; i < m->num; i++) {
      if (m->list[i].severity != P4_NOTE || !num) groups[num++] = (struct group){m->list[i], i, 0};
      groups[num - 1].num++;
    }
    qsort(groups, num, sizeof *groups, by_place);
    for (size_t g = 0; g < num; g++)
      for (size_t i = 0; i < groups[g].num; i++) sorted[to++] = m->list[groups[g].first + i];
    if (m->num) memcpy(m->list, sorted, m->num * sizeof *sorted);
  }
  free(groups);
  free(sorted);
}

static const char *severity_text(enum p4_severity severity) {
  return severity == P4_ERROR ? "error" : severity == P4_WARNING ? "warning" : "note";
}

const char *p4_messages_file(const struct p4_messages *m, struct p4_place place) {
  return place.file < m->num_files ? m->files[place.file].name : "?";
}

const char *p4_messages_line(const struct p4_messages *m, struct p4_place place, size_t *len) {
  if (place.file >= m->num_files || !place.line || !place.column) return NULL;
  const char *line = m->files[place.file].text;
  for (unsigned n = 1; n < place.line && line; n++) {
    line = strchr(line, '\n');
    if (line) line++;
  }
  if (line) *len = strcspn(line, "\r\n");
  return line;
}

// A part of a line, so that it cannot move the cursor of a terminal.
static void print_clean(const char *line, size_t len, FILE *out) {
  char part[LINE_SHOWN + 1], clean[4 * sizeof part];
  memcpy(part, line, len);
  part[len] = 0;
  for (size_t i = 0; i < len; i++)
    if (part[i] == '\t' || part[i] == 0) part[i] = ' ';
  sluice_text_clean(clean, sizeof clean, part, false);
  fputs(clean, out);
}

static void print_line(const struct p4_messages *m, struct p4_place place, FILE *out) {
  size_t len;
  const char *line = p4_messages_line(m, place, &len);
  if (!line) return;
  size_t caret = place.column - 1u;
  // Of a long line the part around the caret.
  const size_t cut = len > LINE_SHOWN && caret > LINE_SHOWN / 2 ? caret - LINE_SHOWN / 2 : 0;
  if (cut >= len) return;
  const bool more = len - cut > LINE_SHOWN;
  len = more ? LINE_SHOWN : len - cut;
  caret -= cut;
  fprintf(out, "%5u | %s", place.line, cut ? "..." : "");
  print_clean(line + cut, len, out);
  fprintf(out, "%s\n      | %s%*s^", more ? "..." : "", cut ? "   " : "", (int)caret, "");
  for (size_t i = caret + 1; i < caret + place.span && i < len; i++) fputc('~', out);
  fputc('\n', out);
}

static void print_message(const struct p4_messages *m, const struct p4_message *message,
                          FILE *out) {
  char name[400];
  sluice_text_clean(name, sizeof name, p4_messages_file(m, message->place), false);
  fprintf(out, "%s:", name);
  if (message->place.column) fprintf(out, "%u:%u:", message->place.line, message->place.column);
  fprintf(out, " %s: %s", severity_text(message->severity), message->text);
  if (message->id[0]) fprintf(out, " [%s]", message->id);
  fputc('\n', out);
  print_line(m, message->place, out);
}

void p4_messages_print(const struct p4_messages *m, size_t most, FILE *out) {
  size_t errors = 0;
  if (!most) most = MOST_PRINTED;
  for (size_t i = 0; i < m->num; i++) {
    if (m->list[i].severity == P4_ERROR && ++errors > most) {
      fprintf(out, "%zu more errors\n", m->num_errors - most);
      return;
    }
    print_message(m, &m->list[i], out);
  }
}

static void print_json_text(const char *text, FILE *out) {
  char clean[2000];
  sluice_text_clean(clean, sizeof clean, text, false);
  fputc('"', out);
  for (const char *c = clean; *c; c++) {
    if (*c == '"' || *c == '\\') fputc('\\', out);
    fputc(*c, out);
  }
  fputc('"', out);
}

void p4_messages_json(const struct p4_messages *m, FILE *out) {
  fputc('[', out);
  for (size_t i = 0; i < m->num; i++) {
    const struct p4_message *d = &m->list[i];
    fprintf(out, "%s\n  {\"severity\": \"%s\", \"file\": ", i ? "," : "",
            severity_text(d->severity));
    print_json_text(p4_messages_file(m, d->place), out);
    fprintf(out, ", \"line\": %u, \"column\": %u, \"span\": %u, \"id\": \"%s\", \"text\": ",
            d->place.line, d->place.column, d->place.span, d->id);
    print_json_text(d->text, out);
    fputc('}', out);
  }
  fputs("]\n", out);
}

void p4_messages_release(struct p4_messages *m) {
  for (size_t i = 0; i < m->num_files; i++) {
    free(m->files[i].name);
    free(m->files[i].text);
  }
  free(m->files);
  free(m->list);
  *m = (struct p4_messages){0};
}
