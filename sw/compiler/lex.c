// SPDX-License-Identifier: Apache-2.0
// Text to tokens. `#define NAME tokens` is handled here: a use of NAME becomes copies of its
// tokens, all placed where NAME was used.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/number.h"
#include "internal.h"

enum {
  MAX_MACROS = 256,
  MAX_TOKENS = 100000,
  MAX_STEPS = 1000000,  // tokens of macros that are looked at: a macro may also stand for nothing
  MACRO_BUCKETS = 256
};
struct macro {
  struct token name;
  size_t first, num;  // its tokens in `body`
  bool open;          // it is being expanded
  struct macro *chain;
};
// A backslash at the end of a line joins it and the next (C11 5.1.1.2): what is read is a copy
// without them.
struct splice {
  size_t at, from;  // where the next line starts in the copy, and the backslash in the text
  unsigned len;
};
struct lexer {
  struct ir_context *c;
  const char *text, *from;  // the copy, and what it is of
  const char *at, *end, *line_start;
  struct splice *splice;
  size_t num_splices, next_splice, len_from;
  unsigned line;
  struct macro *macros, *bucket[MACRO_BUCKETS];
  unsigned num_macros, num_steps;
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

// Counts the lines that were joined before `to`.
static void count_joined(struct lexer *x, const char *to) {
  for (; x->next_splice < x->num_splices; x->next_splice++) {
    const char *at = x->text + x->splice[x->next_splice].at;
    if (at > to) return;
    x->line++;
    x->line_start = at;
  }
}

static void newline(struct lexer *x) {
  count_joined(x, x->at);
  x->line++;
  x->line_start = x->at + 1;
}

static struct token here(struct lexer *x, const char *start) {
  count_joined(x, start);
  return (struct token){.text = start,
                        .len = (unsigned)(x->at - start),
                        .line = x->line,
                        .column = (unsigned)(start - x->line_start) + 1,
                        .span = x->at > start ? (unsigned)(x->at - start) : 1};  // 1: at the end
}

static void line_comment(struct lexer *x) {
  x->at += 2;
  const struct token at = here(x, x->at - 2);
  const size_t joined = x->next_splice;
  while (x->at < x->end && *x->at != '\n') x->at++;
  count_joined(x, x->at);
  if (x->next_splice > joined)
    diag_warning(x->c, &at, "comment",
                 "a backslash ends the line of this comment, so the next line belongs to it");
}

// Blanks and comments; with `stay` not beyond the end of the line.
static void skip(struct lexer *x, bool stay) {
  while (x->at < x->end) {
    if (*x->at == '\n') {
      if (stay) return;
      newline(x);
      x->at++;
    } else if (*x->at == ' ' || *x->at == '\t' || *x->at == '\r') {
      x->at++;
    } else if (x->end - x->at >= 2 && x->at[0] == '/' && x->at[1] == '/') {
      line_comment(x);
    } else if (x->end - x->at >= 2 && x->at[0] == '/' && x->at[1] == '*') {
      struct lexer start = *x;
      for (x->at += 2; x->end - x->at >= 2 && !(x->at[0] == '*' && x->at[1] == '/'); x->at++)
        if (*x->at == '\n') newline(x);
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

// Numbers up to 48 bits are read; where 32 are wanted the parser says so.
static void read_number(struct lexer *x, struct token *token) {
  const char *s = token->text;
  const uint64_t most = (UINT64_C(1) << 48) - 1;
  uint64_t value = 0;
  bool bad = false;
  unsigned base = 10;
  unsigned i = 0;
  if (token->len > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    base = 16;
    i = 2;
    bad = token->len == 2;
  } else if (token->len > 1 && s[0] == '0') {
    diag_error(x->c, token, "bad-number",
               "numbers do not start with 0: octal is not in the language");
    return;
  }
  for (; i < token->len; i++) {
    if (s[i] == '_' && base == 16 && i > 2) continue;
    unsigned digit = isdigit((unsigned char)s[i]) ? (unsigned)(s[i] - '0')
                     : isxdigit((unsigned char)s[i])
                         ? (unsigned)(tolower((unsigned char)s[i]) - 'a') + 10
                         : 99;
    bad |= digit >= base;
    value = value * base + digit;
    if (value > most) value = most + 1;
  }
  if (bad || value > most)
    diag_error(x->c, token, "bad-number", "'" TOKEN "' %s", TOKEN_ARGS(token),
               bad ? "is not a number" : "does not fit 48 bits");
  token->value = (int32_t)(uint32_t)value;
  token->wide = value;
}

// An address is a number: 10.0.0.1, of four bytes, or 02:00:00:00:00:01, of six. Its length; 0:
// none stands here.
static size_t address(const struct lexer *x, uint64_t *value) {
  const char *s = x->at;
  *value = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned byte = 0, digits = 0;
    if (i && (s == x->end || *s++ != '.')) break;
    for (; s < x->end && isdigit((unsigned char)*s) && digits < 4; s++, digits++)
      byte = 10 * byte + (unsigned)(*s - '0');
    if (!digits || byte > 255) break;
    *value = *value << 8 | byte;
    if (i == 3 && (s == x->end || (!isalnum((unsigned char)*s) && *s != '_')))
      return (size_t)(s - x->at);
  }
  s = x->at;
  *value = 0;
  for (unsigned i = 0; i < 6; i++, s += 3) {
    uint64_t byte;
    if (x->end - s < 2 || !sluice_hex_digits(s, 2, &byte)) return 0;
    if (i < 5 && (x->end - s < 3 || s[2] != ':')) return 0;
    *value = *value << 8 | byte;
  }
  s--;
  return s < x->end && (isalnum((unsigned char)*s) || *s == '_') ? 0 : (size_t)(s - x->at);
}

static bool digit_at(const struct lexer *x, const char *s) {
  return s < x->end && isdigit((unsigned char)*s);
}

// What only C has, for the reactions, which see the #define lines: a fraction, a character, a text.
// Its length; 0: none stands here.
static size_t of_c(const struct lexer *x) {
  const char *s = x->at;
  if (*s == '"' || *s == '\'') {
    const char quote = *s++;
    for (; s < x->end && *s != '\n' && *s != quote; s++)
      if (*s == '\\' && s + 1 < x->end && s[1] != '\n') s++;
    return s < x->end && *s == quote ? (size_t)(s + 1 - x->at) : 0;
  }
  if (!isdigit((unsigned char)*s)) return 0;
  while (digit_at(x, s)) s++;
  const bool exponent =
      s + 1 < x->end && (*s == 'e' || *s == 'E') &&
      (digit_at(x, s + 1) || ((s[1] == '-' || s[1] == '+') && digit_at(x, s + 2)));
  if (!exponent && (s == x->end || *s != '.' || (s + 1 < x->end && s[1] == '.'))) return 0;
  for (; s < x->end && (isalnum((unsigned char)*s) || *s == '_' || *s == '.'); s++)
    if ((*s == 'e' || *s == 'E') && s + 1 < x->end && (s[1] == '-' || s[1] == '+')) s++;
  return (size_t)(s - x->at);
}

static void refuse_c(struct lexer *x, const struct token *t, const struct token *at) {
  const bool letter = *t->text == '\'' && t->len == 3;
  if (letter)
    diag_error(x->c, at, "bad-character",
               "characters are not in the language: " TOKEN " is the number 0x%02x", TOKEN_ARGS(t),
               (unsigned char)t->text[1]);
  else if (*t->text == '\'' || *t->text == '"')
    diag_error(x->c, at, "bad-character", "characters and texts are not in the language");
  else diag_error(x->c, at, "bad-number", "'" TOKEN "' is not a whole number", TOKEN_ARGS(t));
}

// The next token; TOKEN_END at the end of the text, with `stay` also at the end of the line.
static struct token next(struct lexer *x, bool stay) {
  static const char *const marks[] = {
      "&&&", "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
      "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "++", "--"};
  skip(x, stay);
  const char *start = x->at;
  struct token token;
  if (x->at >= x->end || *x->at == '\n') {
    token = here(x, start);
    token.kind = TOKEN_END;
    return token;
  }
  uint64_t value;
  size_t len = address(x, &value);
  if (len) {
    x->at += len;
    token = here(x, start);
    token.kind = TOKEN_NUMBER;
    token.value = (int32_t)(uint32_t)value;
    token.wide = value;
    return token;
  }
  len = of_c(x);
  if (len) {
    x->at += len;
    token = here(x, start);
    token.kind = TOKEN_C;
    return token;
  }
  if (isalpha((unsigned char)*x->at) || *x->at == '_' || isdigit((unsigned char)*x->at)) {
    while (x->at < x->end && (isalnum((unsigned char)*x->at) || *x->at == '_')) x->at++;
    token = here(x, start);
    token.kind = isdigit((unsigned char)*start) ? TOKEN_NUMBER : TOKEN_NAME;
    if (token.kind == TOKEN_NUMBER) read_number(x, &token);
    return token;
  }
  len = 1;
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
    diag_error(
        x->c, &token, "bad-character",
        shown ? "'%c' is not in the language" : "this character is not in the language (%02x)",
        shown ? *start : (unsigned char)*start);
  }
  if (*start == 0) diag_fatal(x->c, &token, "bad-character", "the text contains a zero byte");
  return token;
}

static struct macro **bucket_of(struct lexer *x, const struct token *name) {
  const uint32_t h = sluice_hash32(SLUICE_HASH32, name->text, name->len);
  return &x->bucket[(h ^ h >> 16) % MACRO_BUCKETS];
}

static struct macro *find(struct lexer *x, const struct token *name) {
  struct macro *m = *bucket_of(x, name);
  while (m && (m->name.len != name->len || memcmp(m->name.text, name->text, name->len) != 0))
    m = m->chain;
  return m;
}

static bool is_word(const struct token *t, const char *text) {
  return t->kind == TOKEN_NAME && t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

bool word_of_p4(const struct token *t) {
  static const char *const words[] = {"header", "header_union", "parser",     "control", "action",
                                      "extern", "package",      "match_kind", "bit",     "error"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (is_word(t, words[i])) return true;
  return false;
}

void refuse_p4(struct ir_context *c, const struct token *at) {
  diag_fatal(c, at, "p4", "this is P4-16, and not a program of Sluice: see 'sluice p4 check'");
}

// #include "hashes.h": its functions are built in, so nothing is read.
static void include(struct lexer *x, const struct token *at) {
  static const char *const known[] = {"hashes.h", "indep_hashes.h"};
  while (x->at < x->end && (*x->at == ' ' || *x->at == '\t')) x->at++;
  const char *start = x->at;
  while (x->at < x->end && *x->at != '\n' && *x->at != '\r') x->at++;
  const char *end = x->at;
  while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
  if (end - start > 2 && ((*start == '"' && end[-1] == '"') || (*start == '<' && end[-1] == '>'))) {
    const char *name = start + 1;
    for (const char *c = name; c < end; c++)
      if (*c == '/') name = c + 1;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
      if ((size_t)(end - 1 - name) == strlen(known[i]) &&
          memcmp(name, known[i], strlen(known[i])) == 0)
        return;
    if (end - name > 4 && memcmp(end - 4, ".p4", 3) == 0) refuse_p4(x->c, at);
  }
  diag_error(x->c, at, "directive",
             "only \"hashes.h\" and \"indep_hashes.h\" can be included: their functions hash2, "
             "hash2a, hash2b, hash2c and hash3 are built in");
}

static void directive(struct lexer *x, const char *start) {
  x->at++;
  struct token word = next(x, true);
  struct token at = here(x, start);
  if (is_word(&word, "include")) {
    include(x, &at);
    return;
  }
  if (!is_word(&word, "define"))
    diag_fatal(x->c, &at, "directive",
               "the directives are #define NAME VALUE and #include \"hashes.h\"");
  struct token name = next(x, true);
  if (name.kind != TOKEN_NAME) diag_fatal(x->c, &at, "directive", "#define needs a name");
  if (x->at < x->end && *x->at == '(')
    diag_fatal(x->c, &name, "directive", "macros have no parameters");
  if (find(x, &name))
    diag_fatal(x->c, &name, "twice", "'" TOKEN "' is defined twice", TOKEN_ARGS(&name));
  if (x->num_macros == MAX_MACROS)
    diag_fatal(x->c, &name, "directive", "more than %d macros", MAX_MACROS);
  struct macro *m = &x->macros[x->num_macros];
  *m = (struct macro){.name = name, .first = x->num_body};
  for (struct token t = next(x, true); t.kind != TOKEN_END; t = next(x, true))
    push(x, &x->body, &x->num_body, &x->room_body, &t);
  m->num = x->num_body - m->first;
  struct macro **bucket = bucket_of(x, &name);
  m->chain = *bucket;
  *bucket = m;
  x->num_macros++;
}

// The token, or what it stands for. A macro is open while it is expanded, so each is at most once
// on the way down; what ends the other kind of explosion, macros of macros of nothing, is a count.
static void put(struct lexer *x, const struct token *token, const struct token *place) {
  struct macro *m = token->kind == TOKEN_NAME ? find(x, token) : NULL;
  if (!m) {
    if (token->kind == TOKEN_C) refuse_c(x, token, place);
    struct token copy = *token;
    copy.line = place->line;
    copy.column = place->column;
    copy.span = place->span;
    push(x, &x->out, &x->num_out, &x->room_out, &copy);
    return;
  }
  if (m->open)
    diag_fatal(x->c, place, "directive", "'" TOKEN "' is defined by itself", TOKEN_ARGS(token));
  m->open = true;
  for (size_t i = 0; i < m->num; i++) {
    if (++x->num_steps > MAX_STEPS)
      diag_fatal(x->c, place, "too-long",
                 "the macros of the program stand for more than %d tokens or macros", MAX_STEPS);
    put(x, &x->body[m->first + i], place);
  }
  m->open = false;
}

// The body of a reaction, behind its `{`: one token, and nothing in it is looked at. It is taken
// from the text itself, whose lines C counts.
static void body(struct lexer *x, struct token *open) {
  size_t joined = 0, i = 0;
  for (; i < x->num_splices && x->text + x->splice[i].at < x->at; i++) joined += x->splice[i].len;
  const char *start = x->from + (x->at - x->text) + joined,
             *end = reaction_body_end(x->c, open, start, x->from + x->len_from), *line = NULL;
  for (const char *s = start; s < end; s++)
    if (*s == '\n') {
      x->line++;
      line = s + 1;
    }
  for (; i < x->num_splices && x->splice[i].from < (size_t)(end - x->from); i++)
    joined += x->splice[i].len;
  x->next_splice = i;
  x->at = x->text + (end + 1 - x->from) - joined;
  if (line) x->line_start = x->at - (end + 1 - line);
  open->kind = TOKEN_TEXT;
  open->text = start;
  open->len = (unsigned)(end - start);
}

// #define lines of C that say the same as those of the program.
static const char *defines(const struct lexer *x) {
  size_t len = 1, at = 0;
  for (unsigned i = 0; i < x->num_macros; i++) {
    len += x->macros[i].name.len + 16;
    for (size_t n = 0; n < x->macros[i].num; n++) len += x->body[x->macros[i].first + n].len + 1;
  }
  char *text = arena_alloc(x->c->arena, len);
  for (unsigned i = 0; i < x->num_macros; i++) {
    const struct macro *m = &x->macros[i];
    at += (size_t)snprintf(text + at, len - at, "#define %.*s", (int)m->name.len, m->name.text);
    for (size_t n = 0; n < m->num; n++) {
      const struct token *t = &x->body[m->first + n];
      const bool apart = !n || t->text != t[-1].text + t[-1].len;
      at += (size_t)snprintf(text + at, len - at, "%s%.*s", apart ? " " : "", (int)t->len, t->text);
    }
    at += (size_t)snprintf(text + at, len - at, "\n");
  }
  return text;
}

static void join_lines(struct lexer *x, const char *text, size_t len) {
  size_t num = 0, to = 0;
  for (size_t i = 0; i < len; i++) num += text[i] == '\\';
  char *copy = arena_alloc(x->c->arena, len + 1);
  x->splice = NEW_ARRAY(x->c->arena, struct splice, num + 1);
  for (size_t i = 0; i < len;) {
    unsigned n = 0;
    if (text[i] == '\\' && i + 1 < len && text[i + 1] == '\n') n = 2;
    if (text[i] == '\\' && i + 2 < len && text[i + 1] == '\r' && text[i + 2] == '\n') n = 3;
    if (n) x->splice[x->num_splices++] = (struct splice){to, i, n};
    else copy[to++] = text[i++];
    i += n;
  }
  copy[to] = 0;
  x->from = text;
  x->len_from = len;
  x->text = x->at = x->line_start = copy;
  x->end = copy + to;
}

// The tokens of a text whose first line is `line`.
static struct lexer tokens(struct ir_context *c, const char *text, size_t len, unsigned line) {
  struct lexer x = {.c = c, .line = line};
  join_lines(&x, text, len);
  x.macros = NEW_ARRAY(c->arena, struct macro, MAX_MACROS);
  struct reaction_watch watch = {.inside = false};
  for (;;) {
    skip(&x, false);
    if (x.at < x.end && *x.at == '#') {
      directive(&x, x.at);
      continue;
    }
    struct token token = next(&x, false);
    if (!x.num_out && word_of_p4(&token)) refuse_p4(c, &token);
    if (reaction_watch(&watch, &token)) body(&x, &token);
    if (token.kind == TOKEN_END) {
      push(&x, &x.out, &x.num_out, &x.room_out, &token);
      break;
    }
    put(&x, &token, &token);
  }
  give_up_on_errors(c);
  return x;
}

void lex(struct ir_context *c, const char *text, size_t len) {
  const struct lexer x = tokens(c, text, len, 1);
  c->program->tokens = x.out;
  c->program->num_tokens = x.num_out;
  c->program->defines = defines(&x);
}

// It has macros of its own, and its comments end in it.
void lex_system(struct ir_context *c, const char *text, size_t len) {
  const struct lexer x = tokens(c, text, len, c->program->own_lines + 1);
  c->program->system = x.out;
  c->program->num_system = x.num_out;
}
