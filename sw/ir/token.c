// SPDX-License-Identifier: Apache-2.0
// Tokens of the IR's text, a line at a time.
#include <ctype.h>
#include <string.h>

#include "reader.h"

static bool is_letter(char ch) { return isalnum((unsigned char)ch) || ch == '_'; }

// Blanks and comments of this line.
static void skip(struct reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) r->at++;
  if (r->end - r->at >= 2 && r->at[0] == '/' && r->at[1] == '/')
    while (r->at < r->end && *r->at != '\n') r->at++;
}

static void number(struct reader *r, struct token *t) {
  const bool hex = t->len > 2 && t->text[0] == '0' && t->text[1] == 'x';
  uint64_t value = 0;
  bool bad = false;
  for (unsigned i = hex ? 2 : 0; i < t->len; i++) {
    const unsigned char ch = (unsigned char)t->text[i];
    const unsigned digit = isdigit(ch)    ? (unsigned)ch - '0'
                           : isxdigit(ch) ? (unsigned)tolower(ch) - 'a' + 10
                                          : 99;
    bad |= digit >= (hex ? 16 : 10);
    value = value * (hex ? 16 : 10) + digit;
    if (value > UINT64_MAX >> 8) value = UINT64_MAX >> 8;
  }
  if (bad) diag_fatal(r->c, t, "bad-number", "'" TOKEN "' is not a number", TOKEN_ARGS(t));
  t->value = (int32_t)(uint32_t)value;
  t->wide = value;
}

static void check_word(struct reader *r, const struct token *t) {
  if (t->wide > UINT32_MAX)
    diag_fatal(r->c, t, "bad-number", "'" TOKEN "' does not fit 32 bits", TOKEN_ARGS(t));
}

void ir_next(struct reader *r) {
  static const char *const marks[] = {"&&&", ">>>", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  skip(r);
  struct token *t = &r->now;
  *t = (struct token){
      .text = r->at, .line = r->line, .column = (unsigned)(r->at - r->line_start) + 1, .span = 1};
  if (r->at == r->end || *r->at == '\n') return;  // TOKEN_END
  t->len = 1;
  t->kind = TOKEN_MARK;
  if (is_letter(*r->at)) {
    while (r->at + t->len < r->end && is_letter(r->at[t->len])) t->len++;
    t->kind = isdigit((unsigned char)*r->at) ? TOKEN_NUMBER : TOKEN_NAME;
  } else {
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
      const size_t len = strlen(marks[i]);
      if ((size_t)(r->end - r->at) < len || memcmp(r->at, marks[i], len) != 0) continue;
      t->len = (unsigned)len;
      break;
    }
    const char ch = *r->at;
    if (!ch || (t->len == 1 && !strchr("+-*/%&|^~<>=?:,.()[]@", ch)))
      diag_fatal(r->c, t, "bad-character",
                 ch > 32 && ch < 127 ? "'%c' is not in the language"
                                     : "this character is not in the language (%02x)",
                 ch > 32 && ch < 127 ? ch : (unsigned char)ch);
  }
  t->span = t->len;
  r->at += t->len;
  if (t->kind == TOKEN_NUMBER) number(r, t);
}

bool ir_at(const struct reader *r, const char *text) {
  return r->now.kind != TOKEN_END && r->now.len == strlen(text) &&
         memcmp(r->now.text, text, r->now.len) == 0;
}

_Noreturn void ir_unexpected(struct reader *r, const char *wanted) {
  if (r->now.kind == TOKEN_END)
    diag_fatal(r->c, &r->now, "syntax", "the %s ends where %s should be",
               r->at == r->end ? "text" : "line", wanted);
  diag_fatal(r->c, &r->now, "syntax", "'" TOKEN "' where %s should be", TOKEN_ARGS(&r->now),
             wanted);
}

bool ir_accept(struct reader *r, const char *text) {
  if (!ir_at(r, text)) return false;
  ir_next(r);
  return true;
}

void ir_expect(struct reader *r, const char *text) {
  char wanted[32];
  snprintf(wanted, sizeof wanted, "'%s'", text);
  if (!ir_accept(r, text)) ir_unexpected(r, wanted);
}

struct token ir_name(struct reader *r, const char *wanted) {
  const struct token t = r->now;
  if (t.kind != TOKEN_NAME) ir_unexpected(r, wanted);
  ir_next(r);
  return t;
}

struct token ir_number_within(struct reader *r, const char *what, uint32_t least, uint32_t most) {
  const struct token t = r->now;
  if (t.kind != TOKEN_NUMBER) ir_unexpected(r, what);
  check_word(r, &t);
  if ((uint32_t)t.value < least || (uint32_t)t.value > most)
    diag_fatal(r->c, &t, "range", "%s is %u to %u, not %u", what, least, most, (uint32_t)t.value);
  ir_next(r);
  return t;
}

int32_t ir_constant(struct reader *r) {
  const bool minus = ir_accept(r, "-");
  const struct token t = r->now;
  if (t.kind != TOKEN_NUMBER) ir_unexpected(r, "a number");
  check_word(r, &t);
  if (minus && (uint32_t)t.value > 0x80000000u)
    diag_fatal(r->c, &t, "bad-number", "'-" TOKEN "' does not fit 32 bits", TOKEN_ARGS(&t));
  ir_next(r);
  return minus ? op_eval(OP_NEG, t.value, 0) : t.value;
}
