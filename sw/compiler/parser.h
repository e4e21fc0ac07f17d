// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string.h>

#include "internal.h"

/// The parser from inside: what its files share (parse.c, table_parse.c).
struct parser {
  struct ir_context *c;
  struct sluice_program *program;
  const struct token *now;
  int depth;
  jmp_buf *recover;  // of the innermost attempt()
  struct field **bind_end;
  bool system;  // the text of the system-level module
  const struct token *system_struct;
};

/// Reports an error, and leaves the statement, field or declaration.
#define syntax_error(P, AT, ID, ...)         \
  do {                                       \
    diag_error((P)->c, AT, ID, __VA_ARGS__); \
    longjmp(*(P)->recover, 1);               \
  } while (0)

static inline bool is(const struct parser *p, const char *text) {
  return p->now->kind != TOKEN_END && p->now->kind != TOKEN_NUMBER && p->now->kind != TOKEN_TEXT &&
         p->now->len == strlen(text) && memcmp(p->now->text, text, p->now->len) == 0;
}

static inline bool accept(struct parser *p, const char *text) {
  if (!is(p, text)) return false;
  p->now++;
  return true;
}

static inline _Noreturn void unexpected(struct parser *p, const char *wanted) {
  if (p->now->kind == TOKEN_END)
    diag_fatal(p->c, p->now, "syntax", "the text ends where %s should be", wanted);
  if (is(p, "++") || is(p, "--"))
    syntax_error(p, p->now, "syntax", "'" TOKEN "' is not in the language: write '%c= 1'",
                 TOKEN_ARGS(p->now), *p->now->text);
  syntax_error(p, p->now, "syntax", "'" TOKEN "' where %s should be", TOKEN_ARGS(p->now), wanted);
}

static inline const struct token *expect(struct parser *p, const char *text) {
  char wanted[32];
  snprintf(wanted, sizeof wanted, "'%s'", text);
  if (!is(p, text)) unexpected(p, wanted);
  return p->now++;
}

/// A `;` that is missing before a `}`, or at the end of a line, is told and taken as if it were
/// there. (parse.c)
void parse_semicolon(struct parser *p);
const struct token *parse_name(struct parser *p, const char *wanted);
struct expr *parse_expr(struct parser *p);
/// `lookup name[size] ..`; a statement with it, behind its target, if it has one. (word_table.c)
void parse_word_table(struct parser *p);
bool parse_at_lookup(const struct parser *p);
struct stmt *parse_lookup(struct parser *p, struct expr *target);
/// Runs a rule; false after an error in it, behind what it could not read.
bool parse_attempt(struct parser *p, void (*rule)(struct parser *p, void *into), void *into);
