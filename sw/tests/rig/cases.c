// SPDX-License-Identifier: Apache-2.0
// Cases as data: sections, requests and answers of a text.
#include "cases.h"

#include "texts.h"

enum { INDENT = 4, MOST_TEXT = 100000 };

static const char indent[] = "    ";

struct reader {
  const char *path;
  char *text, *at;
  unsigned line;
};

// The next line, without its end; NULL: there is none.
static char *next_line(struct reader *r) {
  char *line = r->at;
  if (!*line) return NULL;
  char *end = strchr(line, '\n');
  if (!end) fail_msg("%s: no end of line at its end", r->path);
  *end = 0;
  r->at = end + 1;
  r->line++;
  return line;
}

static bool is_section(const char *line, const char *section) {
  const size_t len = strlen(section);
  return line[0] == '[' && strncmp(line + 1, section, len) == 0 && strcmp(line + 1 + len, "]") == 0;
}
static bool is_indented(const char *line) { return strncmp(line, indent, INDENT) == 0; }
static bool is_part(const char *line) { return strncmp(line, "| ", 2) == 0 || !strcmp(line, "|"); }

// Returns the request that begins with `line`: the line itself or, if it begins with "|", the text
// of it and of all such lines that follow, without their marks.
static const char *read_request(struct reader *r, const char *line) {
  static char parts[MOST_TEXT];
  size_t len = 0;
  if (!is_part(line)) return line;
  for (;;) {
    len += (size_t)snprintf(parts + len, sizeof parts - len, "%s\n", line[1] ? line + 2 : "");
    assert_true(len < sizeof parts);
    if (!is_part(r->at) && strncmp(r->at, "|\n", 2) != 0) return parts;
    line = next_line(r);
  }
}

void cases_each(const char *path, const char *section, cases_try *try, void *user) {
  struct reader r = {.path = path, .text = text_of(path)};
  unsigned tried = 0;
  bool here = false;
  r.at = r.text;
  for (char *line; (line = next_line(&r));) {
    struct one_case c = {.num = 0};
    if (line[0] == '[' && line[strlen(line) - 1] == ']' && !is_indented(r.at)) {
      here = is_section(line, section);
      continue;
    }
    if (!*line || *line == '#') continue;
    snprintf(c.where, sizeof c.where, "%s:%u", path, r.line);
    c.request = read_request(&r, line);
    while (is_indented(r.at)) {
      if (c.num == sizeof c.answers / sizeof *c.answers) fail_msg("%s: too many answers", c.where);
      c.answers[c.num++] = next_line(&r) + INDENT;
    }
    if (!c.num) fail_msg("%s: nothing is said of the answer", c.where);
    if (!here) continue;
    try(user, &c);
    tried++;
  }
  free(r.text);
  if (!tried) fail_msg("%s has no case in [%s]", path, section);
}

void cases_answer(const struct one_case *c, const char *answer) {
  for (unsigned i = 0; i < c->num; i++) {
    const char *wanted = c->answers[i];
    const bool whole = strncmp(wanted, "= ", 2) == 0, none = strncmp(wanted, "! ", 2) == 0;
    const bool good = whole  ? strcmp(answer, wanted + 2) == 0
                      : none ? !strstr(answer, wanted + 2)
                             : strstr(answer, wanted) != NULL;
    if (!good) fail_msg("%s: '%.300s' gives\n%s\nnot\n%s", c->where, c->request, answer, wanted);
  }
}

char *cases_with(const char *request, const char *name, const char *value) {
  char *text = NULL;
  size_t len;
  FILE *out = open_memstream(&text, &len);
  assert_non_null(out);
  for (const char *at; (at = strstr(request, name)); request = at + strlen(name))
    fprintf(out, "%.*s%s", (int)(at - request), request, value);
  fputs(request, out);
  assert_int_equal(fclose(out), 0);
  return text;
}
