// SPDX-License-Identifier: Apache-2.0
// Text to tokens. `#define NAME tokens` is handled here: a use of NAME becomes copies of its
// tokens, all placed where NAME was used.
#include <ctype.h>
#include <string.h>

#include "internal.h"

enum { MAX_MACROS = 256, MAX_TOKENS = 100000, MAX_EXPANSION = 16 };
struct macro {
  struct token name;
  size_t first, num;  // its tokens in `body`
};
struct lexer {
  struct compiler *c;
  const char *at, *end, *line_start;
  unsigned line;
  struct macro *macros;
  unsigned num_macros;
  struct token *out;
  size_t num_out, room_out;
  struct token *body;
  size_t num_body, room_body;
};

static void push(struct lexer *x, struct token **list, size_t *num, size_t *room,
                 const struct token *token) {
  if (*num >= MAX_TOKENS)
    diag_fatal(x->c, token, "too-long", "the program has more than %d tokens", MAX_TOKENS);
  if (*num == *room) {
    size_t larger = *room ? *room * 2 : 256;
    struct token *grown = NEW_ARRAY(x->c->arena, struct token, larger);
    if (*num) memcpy(grown, *list, *num * sizeof *grown);
    *list = grown;
    *room = larger;
  }
  (*list)[(*num)++] = *token;
}

static struct token here(const struct lexer *x, const char *start) {
  return (struct token){.text = start,
                        .len = (unsigned)(x->at - start),
                        .line = x->line,
                        .column = (unsigned)(start - x->line_start) + 1,
                        .span = x->at > start ? (unsigned)(x->at - start) : 1};
}

// Blanks and comments; with `stay` not beyond the end of the line.
static void skip(struct lexer *x, bool stay) {
  while (x->at < x->end) {
    if (*x->at == '\n') {
      if (stay) return;
      x->at++;
      x->line++;
      x->line_start = x->at;
    } else if (*x->at == ' ' || *x->at == '\t' || *x->at == '\r') {
      x->at++;
    } else if (x->end - x->at >= 2 && x->at[0] == '/' && x->at[1] == '/') {
      while (x->at < x->end && *x->at != '\n') x->at++;
    } else if (x->end - x->at >= 2 && x->at[0] == '/' && x->at[1] == '*') {
      struct lexer start = *x;
      for (x->at += 2; x->end - x->at >= 2 && !(x->at[0] == '*' && x->at[1] == '/'); x->at++)
        if (*x->at == '\n') {
          x->line++;
          x->line_start = x->at + 1;
        }
      if (x->end - x->at < 2) {
        start.at += 2;
        struct token at = here(&start, start.at - 2);
        diag_fatal(x->c, &at, "open-comment", "this comment is not closed");
      }
      x->at += 2;
    } else {
      return;
    }
  }
}

static void read_number(struct lexer *x, struct token *token) {
  const char *s = token->text;
  uint64_t value = 0;
  bool bad = false;
  unsigned base = 10;
  unsigned i = 0;
  if (token->len > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    base = 16;
    i = 2;
    bad = token->len == 2;
  } else if (token->len > 1 && s[0] == '0') {
    diag_fatal(x->c, token, "bad-number",
               "numbers do not start with 0: octal is not in the language");
  }
  for (; i < token->len; i++) {
    unsigned digit = isdigit((unsigned char)s[i]) ? (unsigned)(s[i] - '0')
                     : isxdigit((unsigned char)s[i])
                         ? (unsigned)(tolower((unsigned char)s[i]) - 'a') + 10
                         : 99;
    bad |= digit >= base;
    value = value * base + digit;
    if (value > UINT32_MAX) value = (uint64_t)UINT32_MAX + 1;
  }
  if (bad) diag_fatal(x->c, token, "bad-number", "'%.*s' is not a number", (int)token->len, s);
  if (value > UINT32_MAX)
    diag_fatal(x->c, token, "bad-number", "'%.*s' does not fit 32 bits", (int)token->len, s);
  token->value = (int32_t)(uint32_t)value;
}

// The next token; TOKEN_END at the end of the text, with `stay` also at the end of the line.
static struct token next(struct lexer *x, bool stay) {
  static const char *const marks[] = {"<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                      "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"};
  skip(x, stay);
  const char *start = x->at;
  struct token token;
  if (x->at >= x->end || *x->at == '\n') {
    token = here(x, start);
    token.kind = TOKEN_END;
    return token;
  }
  if (isalpha((unsigned char)*x->at) || *x->at == '_' || isdigit((unsigned char)*x->at)) {
    while (x->at < x->end && (isalnum((unsigned char)*x->at) || *x->at == '_')) x->at++;
    token = here(x, start);
    token.kind = isdigit((unsigned char)*start) ? TOKEN_NUMBER : TOKEN_NAME;
    if (token.kind == TOKEN_NUMBER) read_number(x, &token);
    return token;
  }
  size_t len = 1;
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
    size_t n = strlen(marks[i]);
    if ((size_t)(x->end - x->at) >= n && memcmp(x->at, marks[i], n) == 0) {
      len = n;
      break;
    }
  }
  x->at += len;
  token = here(x, start);
  token.kind = TOKEN_MARK;
  if (len == 1 && !strchr("+-*/%&|^~!<>=?:;,.()[]{}@", *start)) {
    bool shown = *start > 32 && *start < 127;
    diag_fatal(
        x->c, &token, "bad-character",
        shown ? "'%c' is not in the language" : "this character is not in the language (%02x)",
        shown ? *start : (unsigned char)*start);
  }
  if (*start == 0) diag_fatal(x->c, &token, "bad-character", "the text contains a zero byte");
  return token;
}

static struct macro *find(struct lexer *x, const struct token *name) {
  for (unsigned i = 0; i < x->num_macros; i++)
    if (x->macros[i].name.len == name->len &&
        memcmp(x->macros[i].name.text, name->text, name->len) == 0)
      return &x->macros[i];
  return NULL;
}

static void directive(struct lexer *x, const char *start) {
  x->at++;
  struct token word = next(x, true);
  struct token at = here(x, start);
  if (word.kind != TOKEN_NAME || word.len != 6 || memcmp(word.text, "define", 6) != 0)
    diag_fatal(x->c, &at, "directive", "the only directive is #define NAME VALUE");
  struct token name = next(x, true);
  if (name.kind != TOKEN_NAME) diag_fatal(x->c, &at, "directive", "#define needs a name");
  if (x->at < x->end && *x->at == '(')
    diag_fatal(x->c, &name, "directive", "macros have no parameters");
  if (find(x, &name))
    diag_fatal(x->c, &name, "twice", "'%.*s' is defined twice", (int)name.len, name.text);
  if (x->num_macros == MAX_MACROS)
    diag_fatal(x->c, &name, "directive", "more than %d macros", MAX_MACROS);
  struct macro *m = &x->macros[x->num_macros];
  *m = (struct macro){.name = name, .first = x->num_body};
  for (struct token t = next(x, true); t.kind != TOKEN_END; t = next(x, true))
    push(x, &x->body, &x->num_body, &x->room_body, &t);
  m->num = x->num_body - m->first;
  x->num_macros++;
}

static void put(struct lexer *x, const struct token *token, const struct token *place, int depth) {
  struct macro *m = token->kind == TOKEN_NAME ? find(x, token) : NULL;
  if (!m) {
    struct token copy = *token;
    copy.line = place->line;
    copy.column = place->column;
    copy.span = place->span;
    push(x, &x->out, &x->num_out, &x->room_out, &copy);
    return;
  }
  if (depth == MAX_EXPANSION)
    diag_fatal(x->c, place, "directive", "'%.*s' is defined by itself", (int)token->len,
               token->text);
  for (size_t i = 0; i < m->num; i++) put(x, &x->body[m->first + i], place, depth + 1);
}

void lex(struct compiler *c, const char *text, size_t len) {
  struct lexer x = {.c = c, .at = text, .end = text + len, .line_start = text, .line = 1};
  x.macros = NEW_ARRAY(c->arena, struct macro, MAX_MACROS);
  for (;;) {
    skip(&x, false);
    if (x.at < x.end && *x.at == '#') {
      directive(&x, x.at);
      continue;
    }
    struct token token = next(&x, false);
    if (token.kind == TOKEN_END) {
      push(&x, &x.out, &x.num_out, &x.room_out, &token);
      break;
    }
    put(&x, &token, &token, 0);
  }
  c->program->tokens = x.out;
  c->program->num_tokens = x.num_out;
}
