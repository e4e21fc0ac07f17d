// SPDX-License-Identifier: Apache-2.0
// Calls in bodies, in order.
#include "inner.h"

static void visit_expr(struct p4i_visitor *v, const struct p4_expr *e);

static void visit_list(struct p4i_visitor *v, const struct p4_expr *list) {
  for (; list; list = list->next) visit_expr(v, list);
}

static void visit_expr(struct p4i_visitor *v, const struct p4_expr *e) {
  if (!e || e->value) return;
  if (e->kind == P4_EXPR_CALL && e->call) {
    visit_expr(v, e->call->object);
    for (unsigned i = 0; i < e->call->num_args; i++) visit_expr(v, e->call->args[i]);
    v->call(v, e);
    return;
  }
  visit_expr(v, e->a);
  visit_expr(v, e->b);
  visit_expr(v, e->c);
  visit_list(v, e->args);
}

static void visit_if(struct p4i_visitor *v, const struct p4_stmt *s) {
  const struct p4_value *known = s->value->value;
  visit_expr(v, s->value);
  if (!known || known->truth) p4i_visit(v, s->then);
  if (!known || !known->truth) p4i_visit(v, s->otherwise);
}

void p4i_visit(struct p4i_visitor *v, const struct p4_stmt *list) {
  for (const struct p4_stmt *s = list; s; s = s->next) {
    if (s->kind == P4_STMT_IF) {
      visit_if(v, s);
      continue;
    }
    if (s->kind == P4_STMT_DECL) visit_expr(v, s->decl->init);
    p4i_visit(v, s->inits);
    visit_expr(v, s->target);
    visit_expr(v, s->value);
    for (const struct p4_case *c = s->cases; c; c = c->next) p4i_visit(v, c->body);
    p4i_visit(v, s->body);
    p4i_visit(v, s->then);
    p4i_visit(v, s->updates);
  }
}
