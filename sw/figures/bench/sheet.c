// SPDX-License-Identifier: Apache-2.0
#include "sheet.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/status.h"

static void add(struct sheet *s, const char *text, size_t len) {
  if (s->count == s->room) {
    const size_t room = s->room ? 2 * s->room : 256;
    char **more = realloc(s->cells, room * sizeof *more);
    if (more) s->cells = more, s->room = room;
  }
  char *copy = s->count < s->room ? strndup(text, len) : NULL;
  if (copy) s->cells[s->count++] = copy;
  else s->nomem = true;
}

// The cells of one line.
static unsigned add_line(struct sheet *s, const char *line, char separator) {
  unsigned num = 0;
  for (;; line++) {
    const char *end = strchrnul(line, separator);
    add(s, line, (size_t)(end - line));
    num++;
    if (!*end) return num;
    line = end;
  }
}

void sheet_begin(struct sheet *s, const char *names) {
  *s = (struct sheet){0};
  s->columns = add_line(s, names, ',');
}

void sheet_put(struct sheet *s, const char *format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  const int len = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (len < 0 || (size_t)len >= sizeof text) s->nomem = true;
  else add(s, text, (size_t)len);
}

void sheet_put_number(struct sheet *s, double value) {
  char text[40] = "";
  for (int digits = 15; !isnan(value) && digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  if (!isnan(value) && value == floor(value) && fabs(value) < 1e15)
    snprintf(text, sizeof text, "%.0f", value);
  add(s, text, strlen(text));
}

enum sluice_status sheet_check(const struct sheet *s, struct sluice_error *error) {
  if (s->nomem) return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for a table");
  if (s->count % s->columns)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "a row of a table has %zu of %u cells",
                       s->count % s->columns, s->columns);
  return SLUICE_OK;
}

static enum sluice_status read_lines(struct sheet *s, FILE *in, const char *path, char separator,
                                     struct sluice_error *error) {
  char *line = NULL;
  size_t room = 0, number = 0;
  ssize_t len;
  enum sluice_status status = SLUICE_OK;
  while (!status && (len = getline(&line, &room, in)) >= 0) {
    number++;
    if (len && line[len - 1] == '\n') line[--len] = 0;
    if (strlen(line) != (size_t)len) {
      status = sluice_fail(error, SLUICE_ERR_FORMAT, "'%s', line %zu: no text", path, number);
      break;
    }
    const unsigned num = add_line(s, line, separator);
    if (number == 1) s->columns = num;
    else if (num != s->columns)
      status = sluice_fail(error, SLUICE_ERR_FORMAT,
                           "'%s', line %zu: %u cells, and the first line names %u columns", path,
                           number, num, s->columns);
  }
  free(line);
  if (!status && ferror(in))
    return sluice_fail(error, SLUICE_ERR_IO, "cannot read '%s': %s", path, strerror(errno));
  if (!status && !number)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s' is empty: its first line names columns",
                       path);
  return status ? status : sheet_check(s, error);
}

enum sluice_status sheet_read(struct sheet *s, const char *path, char separator,
                              struct sluice_error *error) {
  *s = (struct sheet){0};
  const bool standard = strcmp(path, "-") == 0;
  FILE *in = standard ? stdin : fopen(path, "r");
  if (!in) return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", path, strerror(errno));
  enum sluice_status status = read_lines(s, in, path, separator, error);
  if (!standard) fclose(in);
  if (status) sheet_release(s);
  return status;
}

enum sluice_status sheet_write(const struct sheet *s, const char *path, char separator,
                               struct sluice_error *error) {
  SLUICE_TRY(sheet_check(s, error));
  struct sluice_out out;
  SLUICE_TRY(sluice_out_open(&out, path, error));
  for (size_t i = 0; i < s->count; i++)
    fprintf(out.file, "%s%c", s->cells[i], (i + 1) % s->columns ? separator : '\n');
  return sluice_out_close(&out, true, error);
}

size_t sheet_rows(const struct sheet *s) { return s->count ? s->count / s->columns - 1 : 0; }

int sheet_column(const struct sheet *s, const char *name) {
  for (unsigned i = 0; i < s->columns && i < s->count; i++)
    if (strcmp(s->cells[i], name) == 0) return (int)i;
  return -1;
}

const char *sheet_at(const struct sheet *s, size_t row, const char *name) {
  const int column = sheet_column(s, name);
  return column < 0 || row >= sheet_rows(s) ? ""
                                            : s->cells[(row + 1) * s->columns + (unsigned)column];
}

double sheet_number(const struct sheet *s, size_t row, const char *name) {
  const char *text = sheet_at(s, row, name);
  char *end;
  const double value = strtod(text, &end);
  return end == text || *end ? (double)NAN : value;
}

bool sheet_is(const struct sheet *s, size_t row, const char *name, const char *text) {
  return strcmp(sheet_at(s, row, name), text) == 0;
}

void sheet_select(struct sheet *to, const struct sheet *from, const char *name, const char *text) {
  *to = (struct sheet){.columns = from->columns};
  for (size_t row = 0; row <= sheet_rows(from); row++)
    if (row == 0 || sheet_is(from, row - 1, name, text))
      for (unsigned i = 0; i < from->columns; i++) {
        const char *cell = from->cells[row * from->columns + i];
        add(to, cell, strlen(cell));
      }
}

void sheet_sort(struct sheet *s, int (*compare)(const void *a, const void *b)) {
  if (!s->nomem && s->count % s->columns == 0 && sheet_rows(s) > 1)
    qsort(s->cells + s->columns, sheet_rows(s), s->columns * sizeof *s->cells, compare);
}

void sheet_release(struct sheet *s) {
  for (size_t i = 0; i < s->count; i++) free(s->cells[i]);
  free(s->cells);
  *s = (struct sheet){0};
}
