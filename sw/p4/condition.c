// SPDX-License-Identifier: Apache-2.0
// What stands behind #if: whole numbers of 64 bits, the operators of C, `defined`. A name that is
// no macro is 0.
#include <stdlib.h>
#include <string.h>

#include "inner.h"

enum { MOST_DEPTH = 100 };

struct condition {
  struct p4_context *c;
  const struct p4_token *at, *end;
  struct p4_place place;
  bool wrong;
  unsigned depth;
};

static const struct {
  const char *text;
  int level;  // higher binds tighter
} operators[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6},
                 {"!=", 6}, {"<", 7},  {"<=", 7}, {">", 7},  {">=", 7}, {"<<", 8},
                 {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static bool take(struct condition *x, const char *text) {
  if (x->at == x->end || !p4_token_is(x->at, text)) return false;
  x->at++;
  return true;
}

static int64_t wrong(struct condition *x) {
  if (!x->wrong)
    p4_error(x->c, x->at < x->end ? x->at->place : x->place, "bad-condition",
             "this is no condition that #if can decide");
  x->wrong = true;
  x->at = x->end;
  return 0;
}

static int64_t binary(struct condition *x, int level);

static int64_t choice(struct condition *x) {
  if (++x->depth > MOST_DEPTH) return wrong(x);
  const int64_t value = binary(x, 1);
  int64_t result = value;
  if (take(x, "?")) {
    const int64_t yes = choice(x);
    if (!take(x, ":")) return wrong(x);
    const int64_t no = choice(x);
    result = value ? yes : no;
  }
  x->depth--;
  return result;
}

static int64_t number(struct condition *x) {
  char digits[80];
  size_t len = 0;
  for (const char *t = x->at->text; *t && len + 1 < sizeof digits; t++)
    if (*t != '_') digits[len++] = *t;
  digits[len] = 0;
  char *end;
  const bool binary_digits = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
  const uint64_t value = strtoull(digits + (binary_digits ? 2 : 0), &end, binary_digits ? 2 : 0);
  while (*end && strchr("uUlL", *end)) end++;
  if (*end) return wrong(x);
  x->at++;
  return (int64_t)value;
}

static int64_t unary(struct condition *x) {
  if (++x->depth > MOST_DEPTH || x->at == x->end) return wrong(x);
  int64_t value = 0;
  if (take(x, "!")) value = !unary(x);
  else if (take(x, "-")) value = (int64_t)(0 - (uint64_t)unary(x));
  else if (take(x, "~")) value = ~unary(x);
  else if (take(x, "+")) value = unary(x);
  else if (take(x, "(")) {
    value = choice(x);
    if (!take(x, ")")) return wrong(x);
  } else if (x->at->kind == P4_TOKEN_NUMBER) {
    value = number(x);
  } else if (x->at->kind == P4_TOKEN_NAME) {
    value = strcmp(x->at->text, "true") == 0;
    x->at++;
  } else {
    return wrong(x);
  }
  x->depth--;
  return value;
}

static int64_t apply(struct condition *x, const char *op, int64_t a, int64_t b) {
  const uint64_t p = (uint64_t)a, q = (uint64_t)b;
  switch (op[0]) {
    case '|': return op[1] ? a || b : a | b;
    case '&': return op[1] ? a && b : a & b;
    case '^': return a ^ b;
    case '=': return a == b;
    case '!': return a != b;
    case '<': return op[1] == '<' ? (int64_t)(q < 64 ? p << q : 0) : op[1] ? a <= b : a < b;
    case '>': return op[1] ? a >= b : a > b;
    case '+': return (int64_t)(p + q);
    case '-': return (int64_t)(p - q);
    case '*': return (int64_t)(p * q);
    default:
      if (!b || (b == -1 && a == INT64_MIN)) return wrong(x);
      return op[0] == '/' ? a / b : a % b;
  }
}

// The operator at x->at, if its level is not below `level`.
static const char *operator_at(const struct condition *x, int level, int *found) {
  for (size_t i = 0; x->at < x->end && i < sizeof operators / sizeof operators[0]; i++)
    if (operators[i].level >= level && p4_token_is(x->at, operators[i].text)) {
      *found = operators[i].level;
      return operators[i].text;
    }
  return NULL;
}

static int64_t binary(struct condition *x, int level) {
  int64_t value = unary(x);
  int found;
  for (const char *op; (op = operator_at(x, level, &found));) {
    x->at++;
    const int64_t right = binary(x, found + 1);
    value = apply(x, op, value, right);
  }
  return value;
}

// `defined X` and `defined(X)` become 1 or 0 before macros are expanded.
static struct p4_tokens resolve_defined(struct p4_stream *s, const struct p4_tokens *line) {
  struct p4_tokens out = {0};
  for (size_t i = 0; i < line->num; i++) {
    struct p4_token t = line->list[i];
    const bool bracket = i + 3 < line->num && p4_token_is(&line->list[i + 1], "(");
    const size_t name = i + 1 + bracket;
    if (p4_token_is(&t, "defined") && name < line->num && line->list[name].kind == P4_TOKEN_NAME) {
      t.text = p4_macro_find(s, line->list[name].text) ? "1" : "0";
      t.kind = P4_TOKEN_NUMBER;
      i = name + bracket;
    }
    p4_tokens_add(s->c, &out, &t);
  }
  return out;
}

bool p4_condition(struct p4_stream *s, const struct p4_tokens *line, struct p4_place place) {
  const struct p4_tokens known = resolve_defined(s, line), tokens = p4_expand(s, &known);
  const struct p4_token none = {.kind = P4_TOKEN_END, .text = ""};
  const struct p4_token *list = tokens.num ? tokens.list : &none;
  struct condition x = {s->c, list, list + tokens.num, place, false, 0};
  const int64_t value = choice(&x);
  if (x.at != x.end) wrong(&x);
  return value != 0;
}
