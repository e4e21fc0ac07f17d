// SPDX-License-Identifier: Apache-2.0
// Expressions, by the levels of their operators.
#include <string.h>

#include "parse.h"

struct p4_expr *p4_expr_new(struct p4_parser *p, enum p4_expr_kind kind, struct p4_place place) {
  struct p4_expr *e = NEW(p->c->arena, struct p4_expr);
  e->kind = kind;
  e->place = place;
  return e;
}

static void over(struct p4_parser *p, struct p4_expr *e, const struct p4_expr *part) {
  if (!part || part->depth < e->depth) return;
  e->depth = (uint16_t)(part->depth + 1);
  if (e->depth <= P4_MOST_DEPTH) return;
  p4_error(p->c, e->place, "too-deep", "an expression has more than %d operations in a row",
           P4_MOST_DEPTH);
  arena_give_up(p->c->arena, ARENA_TOLD);
}

static struct p4_expr *expr_of(struct p4_parser *p, enum p4_expr_kind kind, struct p4_place place,
                               struct p4_expr *a, struct p4_expr *b, struct p4_expr *c) {
  struct p4_expr *e = p4_expr_new(p, kind, place);
  e->a = a;
  e->b = b;
  e->c = c;
  over(p, e, a);
  over(p, e, b);
  over(p, e, c);
  return e;
}

static void take_args(struct p4_parser *p, struct p4_expr *e, struct p4_expr *args) {
  e->args = args;
  for (; args; args = args->next, e->count++) over(p, e, args);
}

// ---- lists -------------------------------------------------------------------------------------

static struct p4_expr *argument(struct p4_parser *p) {
  const char *label = NULL;
  const struct p4_place label_place = p->now->place;
  if (p4_is_name(p->now) && is_next(p, "=")) {
    label = p->now->text;
    p->now += 2;
  }
  const struct p4_place place = p->now->place;
  struct p4_expr *e = p4_accept(p, "_")     ? p4_expr_new(p, P4_EXPR_ANY, place)
                      : p4_accept(p, "...") ? p4_expr_new(p, P4_EXPR_FILL, place)
                                            : p4_read_expr(p);
  e->label = label;
  e->label_place = label_place;
  return e;
}

static struct p4_expr *list_up_to(struct p4_parser *p, const char *close) {
  struct p4_expr *first = NULL, **end = &first;
  while (!is(p, close)) {
    *end = argument(p);
    end = &(*end)->next;
    if (!p4_accept(p, ",")) break;
  }
  p4_expect(p, close);
  return first;
}

struct p4_expr *p4_read_arguments(struct p4_parser *p) {
  p4_expect(p, "(");
  return list_up_to(p, ")");
}

static struct p4_expr *list(struct p4_parser *p) {
  const struct p4_place place = p->now++->place;
  if (is(p, "#") && is_next(p, "}")) {
    p->now += 2;
    return p4_expr_new(p, P4_EXPR_INVALID, p4_place_up_to(p, place));
  }
  struct p4_expr *e = p4_expr_new(p, P4_EXPR_LIST, place);
  take_args(p, e, list_up_to(p, "}"));
  e->place = p4_place_up_to(p, place);
  if (e->args && e->args->label) e->kind = P4_EXPR_STRUCT;
  for (struct p4_expr *a = e->args; a; a = a->next)
    if (a->kind == P4_EXPR_FILL ? a->next != NULL : !a->label != (e->kind == P4_EXPR_LIST))
      p4_syntax_error(p, a->place, "syntax", "%s",
                      a->kind == P4_EXPR_FILL ? "'...' is the last of a list"
                                              : "either all members have names here, or none");
  return e;
}

// ---- primary expressions -----------------------------------------------------------------------

static struct p4_expr *type_expr(struct p4_parser *p) {
  struct p4_expr *e = p4_expr_new(p, P4_EXPR_TYPE, p->now->place);
  e->written = p4_read_type_unstacked(p);
  e->place = p4_place_up_to(p, e->place);
  return e;
}

static struct p4_expr *name_expr(struct p4_parser *p) {
  struct p4_expr *e = p4_expr_new(p, P4_EXPR_NAME, p->now->place);
  e->absolute = p4_accept(p, ".");
  e->name = p4_read_name(p, "an expression")->text;
  e->place = p4_place_up_to(p, e->place);
  return e;
}

// (e), or a cast (T) e.
static struct p4_expr *unary(struct p4_parser *p);
static struct p4_expr *brackets(struct p4_parser *p) {
  const struct p4_place place = p->now->place;
  const struct p4_token *end = p4_type_end(p, p->now + 1);
  p->now++;
  if (end && p4_token_is(end, ")")) {
    struct p4_written *to = p4_read_type(p);
    p4_expect(p, ")");
    struct p4_expr *cast = expr_of(p, P4_EXPR_CAST, place, unary(p), NULL, NULL);
    cast->written = to;
    cast->place = p4_place_up_to(p, place);
    return cast;
  }
  struct p4_expr *e = p4_read_expr(p);
  p4_expect(p, ")");
  e->parenthesized = true;
  return e;
}

static struct p4_expr *word(struct p4_parser *p) {
  const struct p4_place place = p->now->place;
  if (is(p, "true") || is(p, "false")) {
    struct p4_expr *e = p4_expr_new(p, P4_EXPR_BOOL, place);
    e->name = p->now++->text;
    return e;
  }
  if (p4_accept(p, "this")) return p4_expr_new(p, P4_EXPR_THIS, place);
  const struct p4_token *t = is(p, ".") ? p->now + 1 : p->now;
  const struct p4_token *end = p4_type_end(p, p->now);
  if (end && !is(p, "_") && (p4_token_is(end, ".") || p4_token_is(end, "("))) return type_expr(p);
  if (p4_is_type_name(p, t)) return type_expr(p);
  return name_expr(p);
}

static struct p4_expr *primary(struct p4_parser *p) {
  const struct p4_token *t = p->now;
  if (t->kind == P4_TOKEN_NUMBER || t->kind == P4_TOKEN_STRING) {
    struct p4_expr *e =
        p4_expr_new(p, t->kind == P4_TOKEN_NUMBER ? P4_EXPR_NUMBER : P4_EXPR_STRING, t->place);
    e->name = t->text;
    p->now++;
    return e;
  }
  if (is(p, "(")) return brackets(p);
  if (is(p, "{")) return list(p);
  if (t->kind == P4_TOKEN_NAME || is(p, ".")) return word(p);
  p4_unexpected(p, "an expression");
}

static struct p4_expr *index_or_slice(struct p4_parser *p, struct p4_expr *a) {
  p->now++;
  struct p4_expr *b = p4_read_expr(p), *c = NULL;
  const enum p4_expr_kind kind = p4_accept(p, ":")    ? P4_EXPR_SLICE
                                 : p4_accept(p, "+:") ? P4_EXPR_PART
                                                      : P4_EXPR_INDEX;
  if (kind != P4_EXPR_INDEX) c = p4_read_expr(p);
  p4_expect(p, "]");
  return expr_of(p, kind, p4_place_up_to(p, a->place), a, b, c);
}

static struct p4_expr *call(struct p4_parser *p, struct p4_expr *callee) {
  struct p4_written *types = is(p, "<") ? p4_read_type_args(p) : NULL;
  struct p4_expr *args = p4_read_arguments(p);
  struct p4_expr *e =
      expr_of(p, P4_EXPR_CALL, p4_place_up_to(p, callee->place), callee, NULL, NULL);
  e->type_args = types;
  take_args(p, e, args);
  return e;
}

static struct p4_expr *member(struct p4_parser *p, struct p4_expr *a) {
  p->now++;
  if (p->now->kind != P4_TOKEN_NAME) p4_unexpected(p, "the name of a member");
  const char *text = p->now++->text;
  struct p4_expr *e = expr_of(p, P4_EXPR_MEMBER, p4_place_up_to(p, a->place), a, NULL, NULL);
  e->name = text;
  return e;
}

static bool is_call(const struct p4_parser *p) {
  if (is(p, "(")) return true;
  const struct p4_token *end = is(p, "<") ? p4_type_args_end(p, p->now) : NULL;
  return end && p4_token_is(end, "(");
}

struct p4_expr *p4_read_postfix(struct p4_parser *p) {
  struct p4_expr *e = primary(p);
  for (;;) {
    if (is(p, ".")) e = member(p, e);
    else if (is(p, "[")) e = index_or_slice(p, e);
    else if (is_call(p)) e = call(p, e);
    else return e;
  }
}

// ---- operators ---------------------------------------------------------------------------------

static struct p4_expr *unary(struct p4_parser *p) {
  static const struct {
    const char *text;
    enum p4_op op;
  } signs[] = {{"!", P4_OP_NOT}, {"~", P4_OP_COMPLEMENT}, {"-", P4_OP_NEGATE}, {"+", P4_OP_PLUS}};
  p4_deeper(p);
  const struct p4_place place = p->now->place;
  struct p4_expr *e = NULL;
  for (size_t i = 0; !e && i < sizeof signs / sizeof signs[0]; i++) {
    if (!p4_accept(p, signs[i].text)) continue;
    e = expr_of(p, P4_EXPR_UNARY, place, unary(p), NULL, NULL);
    e->op = signs[i].op;
    e->place = p4_place_up_to(p, place);
  }
  if (!e) e = p4_read_postfix(p);
  p->depth--;
  return e;
}

static const struct {
  const char *text;
  enum p4_op op;
  int level;  // higher binds tighter
} binaries[] = {{"||", P4_OP_LOR, 1},      {"&&", P4_OP_LAND, 2},     {"==", P4_OP_EQ, 3},
                {"!=", P4_OP_NE, 3},       {"<", P4_OP_LT, 4},        {"<=", P4_OP_LE, 4},
                {">", P4_OP_GT, 4},        {">=", P4_OP_GE, 4},       {"|", P4_OP_OR, 5},
                {"^", P4_OP_XOR, 6},       {"&", P4_OP_AND, 7},       {"<<", P4_OP_SHL, 8},
                {"++", P4_OP_CONCAT, 9},   {"+", P4_OP_ADD, 9},       {"-", P4_OP_SUB, 9},
                {"|+|", P4_OP_ADD_SAT, 9}, {"|-|", P4_OP_SUB_SAT, 9}, {"*", P4_OP_MUL, 10},
                {"/", P4_OP_DIV, 10},      {"%", P4_OP_MOD, 10}};
enum { SHIFT_LEVEL = 8 };

// Two marks without a blank between them.
static bool is_pair(const struct p4_parser *p, const char *first, const char *second) {
  return is(p, first) && is_next(p, second) && !p->now[1].spaced;
}

// Reads the operator that stands here, if its level is not below `level`.
static bool binary_operator(struct p4_parser *p, int level, enum p4_op *op, int *found) {
  if (is_pair(p, ">", ">=")) return false;  // `>>=`
  if (is_pair(p, ">", ">")) {
    if (level > SHIFT_LEVEL) return false;
    *op = P4_OP_SHR;
    *found = SHIFT_LEVEL;
    p->now += 2;
    return true;
  }
  for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++) {
    if (!is(p, binaries[i].text)) continue;
    if (binaries[i].level < level) return false;
    *op = binaries[i].op;
    *found = binaries[i].level;
    p->now++;
    return true;
  }
  return false;
}

static struct p4_expr *binary(struct p4_parser *p, int level) {
  struct p4_expr *e = unary(p);
  enum p4_op op;
  int found;
  while (binary_operator(p, level, &op, &found)) {
    struct p4_expr *right = binary(p, found + 1);
    e = expr_of(p, P4_EXPR_BINARY, p4_place_up_to(p, e->place), e, right, NULL);
    e->op = op;
  }
  return e;
}

struct p4_expr *p4_read_expr(struct p4_parser *p) {
  p4_deeper(p);
  struct p4_expr *e = binary(p, 1);
  if (p4_accept(p, "?")) {
    struct p4_expr *yes = p4_read_expr(p);
    p4_expect(p, ":");
    struct p4_expr *no = p4_read_expr(p);
    e = expr_of(p, P4_EXPR_COND, p4_place_up_to(p, e->place), e, yes, no);
  }
  p->depth--;
  return e;
}

struct p4_expr *p4_read_initial(struct p4_parser *p) {
  const struct p4_place place = p->now->place;
  return p4_accept(p, "...") ? p4_expr_new(p, P4_EXPR_FILL, place) : p4_read_expr(p);
}

// ---- keysets -----------------------------------------------------------------------------------

static struct p4_expr *simple_keyset(struct p4_parser *p) {
  const struct p4_place place = p->now->place;
  if (p4_accept(p, "default")) return p4_expr_new(p, P4_EXPR_DEFAULT, place);
  if (p4_accept(p, "_")) return p4_expr_new(p, P4_EXPR_ANY, place);
  struct p4_expr *a = p4_read_expr(p);
  if (p4_accept(p, "&&&")) {
    struct p4_expr *b = p4_read_expr(p);
    return expr_of(p, P4_EXPR_MASK, p4_place_up_to(p, place), a, b, NULL);
  }
  if (p4_accept(p, "..")) {
    struct p4_expr *b = p4_read_expr(p);
    return expr_of(p, P4_EXPR_RANGE, p4_place_up_to(p, place), a, b, NULL);
  }
  return a;
}

// Behind the bracket that closes the one at p->now.
static const struct p4_token *bracket_end(const struct p4_parser *p) {
  unsigned depth = 0;
  for (const struct p4_token *t = p->now; t->kind != P4_TOKEN_END; t++) {
    if (p4_token_is(t, "(")) depth++;
    if (p4_token_is(t, ")") && --depth == 0) return t + 1;
  }
  return p->now;
}

struct p4_expr *p4_read_keyset(struct p4_parser *p) {
  if (!is(p, "(") || !p4_token_is(bracket_end(p), ":")) return simple_keyset(p);
  struct p4_expr *e = p4_expr_new(p, P4_EXPR_LIST, p->now->place);
  struct p4_expr *first = NULL, **end = &first;
  p->now++;
  do {
    *end = simple_keyset(p);
    end = &(*end)->next;
  } while (p4_accept(p, ",") && !is(p, ")"));
  p4_expect(p, ")");
  e->place = p4_place_up_to(p, e->place);
  take_args(p, e, first);
  return e;
}
