// SPDX-License-Identifier: Apache-2.0
// Text to tokens. A backslash at the end of a line joins it with the next one, between tokens and
// in comments of one line.
#include <string.h>

#include "inner.h"

// Longer ones before those that they begin with. `>>` is not one: it may end two lists of types.
static const char *const marks[] = {
    "|+|=", "|-|=", "...", "&&&", "|+|", "|-|", "<<=", "++", "+:", "+=", "-=", "*=", "/=",
    "%=",   "&=",   "|=",  "^=",  "..",  "&&",  "||",  "==", "!=", "<=", ">=", "<<", "##",
    "{",    "}",    "(",   ")",   "[",   "]",   "<",   ">",  ";",  ":",  ",",  ".",  "=",
    "+",    "-",    "*",   "/",   "%",   "&",   "|",   "^",  "~",  "!",  "?",  "@",  "#"};

static bool is_name_start(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
}
static bool is_digit(char ch) { return ch >= '0' && ch <= '9'; }
static bool is_name_part(char ch) { return is_name_start(ch) || is_digit(ch); }

void p4_lexer_open(struct p4_lexer *lexer, struct p4_context *c, uint16_t file) {
  const struct p4_file *f = &c->messages->files[file];
  *lexer = (struct p4_lexer){.c = c, .file = file, .line = 1, .fresh = true};
  lexer->begin = lexer->at = lexer->line_begin = f->text;
  lexer->end = f->text + f->len;
  // A byte order mark.
  if (f->len >= 3 && memcmp(f->text, "\xef\xbb\xbf", 3) == 0) lexer->at += 3;
}

static struct p4_place place_of(const struct p4_lexer *l, const char *from) {
  const size_t column = (size_t)(from - l->line_begin) + 1;
  return (struct p4_place){l->file, (uint16_t)(column < UINT16_MAX ? column : UINT16_MAX), l->line,
                           (uint32_t)(l->at - from)};
}

static void new_line(struct p4_lexer *l) {
  l->line++;
  l->line_begin = l->at;
}

// The length of a backslash and the end of the line behind it; 0: there is none.
static size_t joint(const struct p4_lexer *l) {
  if (*l->at != '\\') return 0;
  if (l->at[1] == '\n') return 2;
  return l->at[1] == '\r' && l->at[2] == '\n' ? 3 : 0;
}

static void skip_line_comment(struct p4_lexer *l) {
  while (l->at < l->end && *l->at != '\n') {
    const size_t len = joint(l);
    l->at += len ? len : 1;
    if (len) new_line(l);
  }
}

static void skip_block_comment(struct p4_lexer *l) {
  const struct p4_lexer start = *l;
  l->at += 2;
  while (l->at < l->end && !(l->at[0] == '*' && l->at[1] == '/'))
    if (*l->at++ == '\n') new_line(l);
  if (l->at < l->end) {
    l->at += 2;
    return;
  }
  struct p4_place place = place_of(&start, start.at);
  place.span = 2;
  if (!l->quiet) p4_error(l->c, place, "open-comment", "this comment has no end; '*/' is missing");
}

// Blanks and comments; true if there were any.
static bool skip_blanks(struct p4_lexer *l) {
  const char *const from = l->at;
  while (l->at < l->end) {
    const size_t len = joint(l);
    if (len) {
      l->at += len;
      new_line(l);
    } else if (*l->at == '\n') {
      l->at++;
      new_line(l);
      l->fresh = true;
    } else if (strchr(" \t\r\f\v", *l->at) && *l->at) {
      l->at++;
    } else if (l->at[0] == '/' && l->at[1] == '/') {
      skip_line_comment(l);
    } else if (l->at[0] == '/' && l->at[1] == '*') {
      skip_block_comment(l);
    } else {
      break;
    }
  }
  return l->at > from;
}

static char escaped(char ch) { return ch == 'n' ? '\n' : ch == 't' ? '\t' : ch; }

// A string may go over lines.
static void lex_string(struct p4_lexer *l, struct p4_token *token) {
  const struct p4_lexer start = *l;
  struct p4_context *c = l->c;
  const char *close = l->at + 1;
  while (close < l->end && *close != '"') close += *close == '\\' && close + 1 < l->end ? 2 : 1;
  char *text = arena_alloc(c->arena, (size_t)(close - l->at) + 1);
  size_t len = 0;
  l->at++;
  while (l->at < l->end && *l->at != '"') {
    char ch = *l->at++;
    if (ch == '\\' && l->at < l->end) ch = escaped(*l->at++);
    if (l->at[-1] == '\n') new_line(l);
    text[len++] = ch;
  }
  token->kind = P4_TOKEN_STRING;
  token->text = text;
  token->len = (unsigned)len;
  token->place = place_of(&start, start.at);
  if (l->at < l->end) {
    l->at++;
    if (l->line == start.line) token->place.span = (uint32_t)(l->at - start.at);
  } else if (!l->quiet) {
    p4_error(c, token->place, "open-string", "this string has no end; '\"' is missing");
  }
}

static void lex_word(struct p4_lexer *l, struct p4_token *token) {
  const char *const from = l->at;
  token->kind = is_digit(*from) ? P4_TOKEN_NUMBER : P4_TOKEN_NAME;
  while (l->at < l->end && is_name_part(*l->at)) l->at++;
  token->len = (unsigned)(l->at - from);
  token->text = p4_name(l->c, from, token->len);
  token->place = place_of(l, from);
}

static bool lex_mark(struct p4_lexer *l, struct p4_token *token) {
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
    const size_t len = strlen(marks[i]);
    if (strncmp(l->at, marks[i], len) != 0) continue;
    const char *const from = l->at;
    l->at += len;
    token->kind = P4_TOKEN_MARK;
    token->text = marks[i];
    token->len = (unsigned)len;
    token->place = place_of(l, from);
    return true;
  }
  return false;
}

static void lex_bad(struct p4_lexer *l, struct p4_token *token) {
  const char *const from = l->at++;
  while (l->at < l->end && (*l->at & 0xc0) == 0x80) l->at++;  // the rest of a UTF-8 character
  token->kind = P4_TOKEN_BAD;
  token->text = "";
  token->place = place_of(l, from);
  if (l->quiet) return;
  if ((unsigned char)*from < 32)
    p4_error(l->c, token->place, "bad-character", "a byte %d is no part of a program",
             (unsigned char)*from);
  else
    p4_error(l->c, token->place, "bad-character",
             "'%.*s' stands for nothing here; it may be used in comments and strings",
             (int)(l->at - from), from);
}

struct p4_token p4_lex(struct p4_lexer *l) {
  struct p4_token token = {.kind = P4_TOKEN_END, .text = "", .spaced = skip_blanks(l)};
  token.line_start = l->fresh;
  token.place = place_of(l, l->at);
  token.place.span = 1;
  if (l->at >= l->end) return token;
  l->fresh = false;
  if (*l->at == '"') lex_string(l, &token);
  else if (is_name_part(*l->at)) lex_word(l, &token);
  else if (!lex_mark(l, &token)) lex_bad(l, &token);
  return token;
}
