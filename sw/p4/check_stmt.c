// SPDX-License-Identifier: Apache-2.0
// Statements.
#include "check.h"

static void check_stmt(struct p4_checker *k, struct p4_stmt *s);

void p4_check_body(struct p4_checker *k, struct p4_stmt *list) {
  for (; list; list = list->next) check_stmt(k, list);
}

static void check_nested(struct p4_checker *k, struct p4_stmt *s) {
  p4_scope_open(k);
  check_stmt(k, s);
  p4_scope_close(k);
}

static bool refuse_if(struct p4_checker *k, const struct p4_stmt *s, bool bad, const char *what) {
  if (bad) p4_error(k->c, s->place, "not-here", "%s", what);
  return bad;
}

// ---- assignments and calls ---------------------------------------------------------------------

// target op= value: as the operator sees it.
static void check_compound(struct p4_checker *k, struct p4_stmt *s) {
  struct p4_expr operation = {
      .kind = P4_EXPR_BINARY, .op = s->op, .place = s->value->place, .a = s->target, .b = s->value};
  struct p4_expr *at = &operation;
  p4_check_expr(k, &at);
  s->value = operation.b;
  const struct p4_type *target = s->target->type;
  if (p4_is_poison(operation.type) || p4_is_poison(target) || operation.type == target) return;
  if (target->kind == P4_TYPE_ENUM && target->element == operation.type) return;
  p4_error(k->c, s->place, "type", "'%s=' gives %s, and the target is %s", p4_op_text(s->op),
           p4_show(k, operation.type), p4_show(k, target));
}

static void check_assign(struct p4_checker *k, struct p4_stmt *s) {
  p4_check_expr(k, &s->target);
  if (!p4_is_poison(s->target->type)) p4_check_lvalue(k, s->target, "the left side");
  if (s->compound) {
    check_compound(k, s);
    return;
  }
  p4_check_as(k, &s->value, s->target->type, "the right side");
}

static void check_call_stmt(struct p4_checker *k, struct p4_stmt *s) {
  p4_check_expr(k, &s->value);
  const struct p4_call *call = s->value->call;
  if (call && call->kind == P4_CALL_CONSTRUCTOR && !p4_is_poison(s->value->type))
    p4_error(k->c, s->place, "not-here", "an instance is declared with a name, or applied");
}

// ---- if, switch --------------------------------------------------------------------------------

static void check_if(struct p4_checker *k, struct p4_stmt *s) {
  for (;;) {
    p4_check_bool(k, &s->value, "the condition of 'if'");
    check_nested(k, s->then);
    if (!s->otherwise || s->otherwise->kind != P4_STMT_IF) break;
    s = s->otherwise;
  }
  if (s->otherwise) check_nested(k, s->otherwise);
}

static bool in_list(const struct p4_table *t, const struct p4_decl *action) {
  for (const struct p4_action_ref *a = t->actions; a; a = a->next)
    if (a->action == action) return true;
  return false;
}

// A label over the actions of a table.
static void check_action_label(struct p4_checker *k, struct p4_expr *e,
                               const struct p4_decl *table) {
  struct p4_decl *d = e->kind == P4_EXPR_NAME ? p4_find(k, e->name, e->absolute) : NULL;
  e->decl = d;
  e->type = p4_type_of_decl(k, P4_TYPE_ACTION_RUN, table, NULL);
  if (d && d->kind == P4_DECL_ACTION && in_list(table->table, d)) return;
  p4_error(k->c, e->place, "not-in-list", "'%s' is no action of table '%s'",
           e->kind == P4_EXPR_NAME ? e->name : "this", table->name);
}

static void check_value_label(struct p4_checker *k, struct p4_expr **label,
                              const struct p4_type *type) {
  p4_check_as(k, label, type, "this label");
  if ((*label)->value || p4_is_poison((*label)->type)) return;
  p4_error(k->c, (*label)->place, "not-constant", "a label of 'switch' is known at compile time");
}

static bool same_label(const struct p4_expr *a, const struct p4_expr *b) {
  if (a->kind == P4_EXPR_DEFAULT || b->kind == P4_EXPR_DEFAULT) return a->kind == b->kind;
  if (a->value && b->value) return p4_value_equal(a->value, b->value);
  return a->decl && a->decl == b->decl;
}

static void refuse_double_labels(struct p4_checker *k, const struct p4_stmt *s) {
  for (const struct p4_case *c = s->cases; c; c = c->next) {
    for (const struct p4_case *d = s->cases; d != c; d = d->next)
      if (same_label(c->label, d->label)) {
        p4_error(k->c, c->place, "twice", "this label is there twice");
        p4_note(k->c, d->place, "the first one is here");
        break;
      }
    if (c->label->kind == P4_EXPR_DEFAULT && c->next)
      p4_error(k->c, c->next->place, "after-default", "'default' is the last label of a 'switch'");
  }
}

static bool switchable(const struct p4_type *type) {
  type = p4_type_base(type);
  return type->kind == P4_TYPE_BITS || type->kind == P4_TYPE_ENUM || type->kind == P4_TYPE_ERROR ||
         type->kind == P4_TYPE_INT || type->kind == P4_TYPE_BOOL || p4_is_poison(type);
}

static void check_switch(struct p4_checker *k, struct p4_stmt *s) {
  p4_check_expr(k, &s->value);
  const struct p4_type *type = s->value->type;
  s->over_actions = type->kind == P4_TYPE_ACTION_RUN;
  if (!s->over_actions && !switchable(type)) {
    p4_error(k->c, s->value->place, "type",
             "'switch' is over the action_run of a table, a number, an enum or an error, and not "
             "%s",
             p4_show(k, type));
    type = k->poison;
  }
  for (struct p4_case *c = s->cases; c; c = c->next) {
    if (c->label->kind == P4_EXPR_DEFAULT) c->label->type = type;
    else if (s->over_actions) check_action_label(k, c->label, type->decl);
    else if (!p4_is_poison(type)) check_value_label(k, &c->label, type);
    if (c->body) check_nested(k, c->body);
  }
  refuse_double_labels(k, s);
}

// ---- loops -------------------------------------------------------------------------------------

static void check_loop_body(struct p4_checker *k, struct p4_stmt *s) {
  k->loops++;
  check_nested(k, s->then);
  k->loops--;
}

static void check_for(struct p4_checker *k, struct p4_stmt *s) {
  p4_scope_open(k);
  p4_check_body(k, s->inits);
  p4_check_bool(k, &s->value, "the condition of 'for'");
  p4_check_body(k, s->updates);
  check_loop_body(k, s);
  p4_scope_close(k);
}

static void check_range(struct p4_checker *k, struct p4_expr *range, const struct p4_type *type) {
  p4_check_as(k, &range->a, type, "the first value of the range");
  p4_check_as(k, &range->b, type, "the last value of the range");
  range->type = p4_is_poison(type) ? k->poison : p4_type_over(k, P4_TYPE_SET, type);
  if (type->kind != P4_TYPE_BITS && !p4_is_poison(type))
    p4_error(k->c, range->place, "type", "a range is of bit<W> or int<W>, and not of %s",
             p4_show(k, type));
}

static void check_for_in(struct p4_checker *k, struct p4_stmt *s) {
  const struct p4_type *type = s->decl->type = p4_check_value_type(k, s->decl->written);
  if (s->value->kind == P4_EXPR_RANGE) {
    check_range(k, s->value, type);
  } else {
    p4_check_expr(k, &s->value);
    struct p4_expr *e = s->value;
    if (e->kind == P4_EXPR_LIST) p4_convert(k, &s->value, p4_type_over(k, P4_TYPE_LIST, type));
    e = s->value;
    const bool holds = e->type->kind == P4_TYPE_STACK || e->type->kind == P4_TYPE_LIST;
    if (!p4_is_poison(e->type) && !p4_is_poison(type) && (!holds || e->type->element != type))
      p4_error(k->c, e->place, "type", "'for' goes over a range, a stack or a list of %s, not %s",
               p4_show(k, type), p4_show(k, e->type));
  }
  p4_scope_open(k);
  p4_take_slot(k, s->decl);
  p4_declare(k, s->decl);
  check_loop_body(k, s);
  p4_scope_close(k);
}

// ---- ways out ----------------------------------------------------------------------------------

static void check_return(struct p4_checker *k, struct p4_stmt *s) {
  if (s->value && s->value->kind != P4_EXPR_FILL) p4_check_expr(k, &s->value);
  if (refuse_if(k, s, k->where == P4_IN_STATE,
                "a parser state ends with 'transition', not 'return'"))
    return;
  const struct p4_type *wanted = k->where == P4_IN_FUNCTION ? k->callable->type : k->none;
  if (wanted->kind == P4_TYPE_VOID) {
    if (s->value)
      p4_error(k->c, s->value->place, "return", "nothing is returned %s",
               k->where == P4_IN_FUNCTION ? "here: the function is void" : "from here");
    return;
  }
  if (!s->value) {
    p4_error(k->c, s->place, "return", "a value of type %s is returned here", p4_show(k, wanted));
    return;
  }
  if (!s->value->type) p4_check_expr(k, &s->value);
  if (p4_refuse_fill(k, s->value, "what is returned")) return;
  p4_must_convert(k, &s->value, wanted, "what is returned");
}

static void check_stmt(struct p4_checker *k, struct p4_stmt *s) {
  switch (s->kind) {
    case P4_STMT_EMPTY: break;
    case P4_STMT_BLOCK:
      p4_scope_open(k);
      p4_check_body(k, s->body);
      p4_scope_close(k);
      break;
    case P4_STMT_DECL: p4_check_decl(k, s->decl); break;
    case P4_STMT_ASSIGN: check_assign(k, s); break;
    case P4_STMT_CALL: check_call_stmt(k, s); break;
    case P4_STMT_IF: check_if(k, s); break;
    case P4_STMT_SWITCH:
      refuse_if(k, s, k->where == P4_IN_STATE, "a parser has 'select', and no 'switch'");
      check_switch(k, s);
      break;
    case P4_STMT_RETURN: check_return(k, s); break;
    case P4_STMT_EXIT:
      refuse_if(k, s, k->where == P4_IN_STATE || k->where == P4_IN_FUNCTION,
                "'exit' stands in apply blocks and actions");
      break;
    case P4_STMT_BREAK:
    case P4_STMT_CONTINUE:
      refuse_if(
          k, s, !k->loops,
          s->kind == P4_STMT_BREAK ? "'break' stands in loops" : "'continue' stands in loops");
      break;
    case P4_STMT_FOR: check_for(k, s); break;
    case P4_STMT_FOR_IN: check_for_in(k, s); break;
  }
}
