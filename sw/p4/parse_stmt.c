// SPDX-License-Identifier: Apache-2.0
// Statements, and the states of parsers.
#include <string.h>

#include "parse.h"

static struct p4_stmt *stmt_new(struct p4_parser *p, enum p4_stmt_kind kind) {
  struct p4_stmt *s = NEW(p->c->arena, struct p4_stmt);
  s->kind = kind;
  s->place = p->now->place;
  return s;
}

// ---- lists of statements -----------------------------------------------------------------------

static void read_into(struct p4_parser *p, void *into) {
  *(struct p4_stmt **)into = p4_read_statement(p);
}

// Up to a `}` or `transition`, which stays.
static struct p4_stmt *statements(struct p4_parser *p) {
  struct p4_stmt *first = NULL, **end = &first;
  while (!is(p, "}") && !is(p, "transition") && p->now->kind != P4_TOKEN_END) {
    if (p4_attempt(p, read_into, end) && *end) end = &(*end)->next;
    else *end = NULL;
  }
  return first;
}

struct p4_stmt *p4_read_block(struct p4_parser *p) {
  struct p4_stmt *s = stmt_new(p, P4_STMT_BLOCK);
  struct p4_binding *const names = p4_scope(p);
  p4_expect(p, "{");
  s->body = statements(p);
  p4_scope_back(p, names);
  p4_expect(p, "}");
  return s;
}

// ---- assignments and calls ---------------------------------------------------------------------

static const struct {
  const char *text;
  enum p4_op op;
} compound[] = {{"+=", P4_OP_ADD},       {"-=", P4_OP_SUB}, {"*=", P4_OP_MUL},
                {"/=", P4_OP_DIV},       {"%=", P4_OP_MOD}, {"&=", P4_OP_AND},
                {"|=", P4_OP_OR},        {"^=", P4_OP_XOR}, {"|+|=", P4_OP_ADD_SAT},
                {"|-|=", P4_OP_SUB_SAT}, {"<<=", P4_OP_SHL}};

// `op=`; true if one stands here.
static bool compound_operator(struct p4_parser *p, enum p4_op *op) {
  for (size_t i = 0; i < sizeof compound / sizeof compound[0]; i++)
    if (p4_accept(p, compound[i].text)) {
      *op = compound[i].op;
      return true;
    }
  if (!is(p, ">") || !is_next(p, ">=") || p->now[1].spaced) return false;
  p->now += 2;
  *op = P4_OP_SHR;
  return true;
}

// Without the `;`.
static struct p4_stmt *assignment_or_call(struct p4_parser *p) {
  struct p4_stmt *s = stmt_new(p, P4_STMT_CALL);
  struct p4_expr *e = p4_read_postfix(p);
  s->compound = compound_operator(p, &s->op);
  if (s->compound || p4_accept(p, "=")) {
    s->kind = P4_STMT_ASSIGN;
    s->target = e;
    s->value = p4_read_initial(p);
    return s;
  }
  if (e->kind != P4_EXPR_CALL) p4_unexpected(p, "'=' or a call");
  s->value = e;
  return s;
}

// ---- declarations ------------------------------------------------------------------------------

// Whether `T(args) x` stands here, rather than `T(args).apply()`.
static bool is_instance(const struct p4_token *t) {
  unsigned depth = 0;
  for (; t->kind != P4_TOKEN_END; t++) {
    if (p4_token_is(t, "(")) depth++;
    if (p4_token_is(t, ")") && --depth == 0) return p4_is_name(t + 1);
  }
  return false;
}

static bool is_declaration(const struct p4_parser *p) {
  if (p4_is_name(p->now) && is_next(p, "(") && is_instance(p->now + 1)) return true;
  if (!p4_starts_type(p)) return false;
  const struct p4_token *end = p4_type_end(p, p->now);
  if (!end) return true;  // what is wrong with it is told when it is read
  if (p4_token_is(end, "(")) return is_instance(end);
  return !p4_token_is(end, ".");
}

static struct p4_stmt *declaration(struct p4_parser *p, struct p4_annotation *notes) {
  struct p4_stmt *s = stmt_new(p, P4_STMT_DECL);
  s->decl = is(p, "const") ? p4_read_constant(p, notes, NULL) : p4_read_variable(p, notes, NULL);
  return s;
}

// ---- if, switch, for ---------------------------------------------------------------------------

static struct p4_stmt *nested_statement(struct p4_parser *p) {
  struct p4_binding *const names = p4_scope(p);
  struct p4_stmt *s = p4_read_statement(p);
  p4_scope_back(p, names);
  return s;
}

// `else if` chains by a loop, so that they may be long.
static struct p4_stmt *if_statement(struct p4_parser *p) {
  struct p4_stmt *first = NULL, **to = &first;
  for (;;) {
    struct p4_stmt *s = stmt_new(p, P4_STMT_IF);
    *to = s;
    p->now++;
    p4_expect(p, "(");
    s->value = p4_read_expr(p);
    p4_expect(p, ")");
    s->then = nested_statement(p);
    if (!p4_accept(p, "else")) return first;
    to = &s->otherwise;
    if (is(p, "if")) continue;
    *to = nested_statement(p);
    return first;
  }
}

static struct p4_case *switch_case(struct p4_parser *p) {
  struct p4_case *c = NEW(p->c->arena, struct p4_case);
  c->place = p->now->place;
  if (p4_accept(p, "default")) c->label = p4_expr_new(p, P4_EXPR_DEFAULT, c->place);
  else c->label = p4_read_expr(p);
  p4_expect(p, ":");
  if (is(p, "{")) c->body = p4_read_block(p);
  return c;
}

static struct p4_stmt *switch_statement(struct p4_parser *p) {
  struct p4_stmt *s = stmt_new(p, P4_STMT_SWITCH);
  p->now++;
  p4_expect(p, "(");
  s->value = p4_read_expr(p);
  p4_expect(p, ")");
  p4_expect(p, "{");
  struct p4_case **end = &s->cases;
  for (; !is(p, "}"); end = &(*end)->next) *end = switch_case(p);
  p->now++;
  return s;
}

// What stands before the `;` of a `for`, and behind its last one.
static struct p4_stmt *for_parts(struct p4_parser *p, const char *close) {
  struct p4_stmt *first = NULL, **end = &first;
  while (!is(p, close)) {
    struct p4_annotation *notes = p4_read_annotations(p);
    if (is_declaration(p)) {
      struct p4_stmt *s = stmt_new(p, P4_STMT_DECL);
      struct p4_written *w = p4_read_type(p);
      s->decl = p4_decl_new(p, P4_DECL_VARIABLE, p4_read_name(p, "a name"), notes, NULL);
      s->decl->written = w;
      if (p4_accept(p, "=")) s->decl->init = p4_read_initial(p);
      p4_bind(p, s->decl->name, false);
      *end = s;
    } else {
      *end = assignment_or_call(p);
    }
    end = &(*end)->next;
    if (!p4_accept(p, ",")) break;
  }
  p4_expect(p, close);
  return first;
}

// Whether `T x in` stands here.
static bool is_for_in(const struct p4_parser *p) {
  const struct p4_token *end = p4_type_end(p, p->now);
  if (!end && p4_is_name(p->now)) end = p->now + 1;
  return end && p4_is_name(end) && p4_token_is(end + 1, "in");
}

static void for_in(struct p4_parser *p, struct p4_stmt *s, struct p4_annotation *notes) {
  struct p4_written *w = p4_read_type(p);
  s->kind = P4_STMT_FOR_IN;
  s->decl = p4_decl_new(p, P4_DECL_VARIABLE, p4_read_name(p, "a name"), notes, NULL);
  s->decl->written = w;
  p4_expect(p, "in");
  const struct p4_place place = p->now->place;
  s->value = p4_read_expr(p);
  if (p4_accept(p, "..")) {
    struct p4_expr *range = p4_expr_new(p, P4_EXPR_RANGE, place);
    range->a = s->value;
    range->b = p4_read_expr(p);
    range->place = p4_place_up_to(p, place);
    s->value = range;
  }
  p4_expect(p, ")");
  p4_bind(p, s->decl->name, false);
}

static struct p4_stmt *for_statement(struct p4_parser *p) {
  struct p4_stmt *s = stmt_new(p, P4_STMT_FOR);
  struct p4_binding *const names = p4_scope(p);
  p->now++;
  p4_expect(p, "(");
  const struct p4_token *const start = p->now;
  struct p4_annotation *notes = p4_read_annotations(p);
  if (is_for_in(p)) {
    for_in(p, s, notes);
  } else {
    p->now = start;
    s->inits = for_parts(p, ";");
    s->value = p4_read_expr(p);
    p4_expect(p, ";");
    s->updates = for_parts(p, ")");
  }
  s->then = nested_statement(p);
  p4_scope_back(p, names);
  return s;
}

// ---- all statements ----------------------------------------------------------------------------

static struct p4_stmt *simple(struct p4_parser *p, enum p4_stmt_kind kind) {
  struct p4_stmt *s = stmt_new(p, kind);
  p->now++;
  if (kind == P4_STMT_RETURN && !is(p, ";")) s->value = p4_read_initial(p);
  p4_semicolon(p);
  return s;
}

static struct p4_stmt *unannotated(struct p4_parser *p, struct p4_annotation *notes) {
  if (is(p, ";")) return p->now++, stmt_new(p, P4_STMT_EMPTY);
  if (is(p, "{")) return p4_read_block(p);
  if (is(p, "if")) return if_statement(p);
  if (is(p, "switch")) return switch_statement(p);
  if (is(p, "for")) return for_statement(p);
  if (is(p, "return")) return simple(p, P4_STMT_RETURN);
  if (is(p, "exit")) return simple(p, P4_STMT_EXIT);
  if (is(p, "break")) return simple(p, P4_STMT_BREAK);
  if (is(p, "continue")) return simple(p, P4_STMT_CONTINUE);
  if (is(p, "const") || is_declaration(p)) return declaration(p, notes);
  struct p4_stmt *s = assignment_or_call(p);
  p4_semicolon(p);
  return s;
}

struct p4_stmt *p4_read_statement(struct p4_parser *p) {
  p4_deeper(p);
  struct p4_annotation *notes = p4_read_annotations(p);
  struct p4_stmt *s = unannotated(p, notes);
  s->annotations = notes;
  p->depth--;
  return s;
}

// ---- states ------------------------------------------------------------------------------------

static void select_case(struct p4_parser *p, void *into) {
  struct p4_select_case *c = NEW(p->c->arena, struct p4_select_case);
  c->place = p->now->place;
  c->keyset = p4_read_keyset(p);
  p4_expect(p, ":");
  const struct p4_token *target = p4_read_name(p, "the name of a state");
  c->target_name = target->text;
  c->target_place = target->place;
  p4_semicolon(p);
  *(struct p4_select_case **)into = c;
}

static void select_expression(struct p4_parser *p, struct p4_state *s) {
  struct p4_expr **end = &s->select;
  p4_expect(p, "(");
  for (;;) {
    *end = p4_read_expr(p);
    end = &(*end)->next;
    s->num_select++;
    if (!p4_accept(p, ",") || is(p, ")")) break;
  }
  p4_expect(p, ")");
  p4_expect(p, "{");
  struct p4_select_case **to = &s->cases;
  while (!is(p, "}") && p->now->kind != P4_TOKEN_END)
    if (p4_attempt(p, select_case, to)) to = &(*to)->next;
  p4_expect(p, "}");
}

struct p4_state *p4_read_state(struct p4_parser *p) {
  struct p4_state *s = NEW(p->c->arena, struct p4_state);
  struct p4_binding *const names = p4_scope(p);
  p4_expect(p, "{");
  s->body = statements(p);
  s->place = p->now->place;
  if (p4_accept(p, "transition")) {
    if (p4_accept(p, "select")) {
      select_expression(p, s);
      p4_accept(p, ";");
    } else {
      s->place = p->now->place;
      s->to_name = p4_read_name(p, "the name of a state")->text;
      p4_semicolon(p);
    }
  }
  p4_scope_back(p, names);
  if (!is(p, "}")) p4_unexpected(p, "'}', since 'transition' is the last of a state,");
  p->now++;
  return s;
}
