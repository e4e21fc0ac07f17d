// SPDX-License-Identifier: Apache-2.0
// Statements.
#include "run.h"

static enum p4r_flow run_one(struct p4r_exec *x, const struct p4_stmt *s);

enum p4r_flow p4r_run(struct p4r_exec *x, const struct p4_stmt *s) {
  for (; s; s = s->next) {
    if (++x->steps > P4R_MOST_STEPS)
      p4r_fail(x, "more than %d statements for one packet", P4R_MOST_STEPS);
    x->place = s->place;
    p4r_trace_stmt(x, s);
    const enum p4r_flow flow = run_one(x, s);
    if (flow != P4R_NEXT) return flow;
    if (x->exiting) return P4R_EXIT;
  }
  return P4R_NEXT;
}

static enum p4r_flow assign(struct p4r_exec *x, const struct p4_stmt *s) {
  struct p4r_place place = p4r_locate(x, s->target);
  struct p4v value;
  if (s->compound) {
    struct p4v left = p4r_load(x, place, s->target->type);
    value = p4v_binary(x->arena, s->op, left, p4r_eval(x, s->value));
  } else {
    value = p4r_eval(x, s->value);
  }
  if (!x->exiting) p4r_store(x, place, value);
  return P4R_NEXT;
}

static void declare(struct p4r_exec *x, const struct p4_decl *d) {
  if (d->kind != P4_DECL_VARIABLE && d->kind != P4_DECL_CONST) return;
  struct p4v v = d->init ? p4r_eval(x, d->init) : p4v_zero(x->arena, p4r_type(x, d->type));
  v.type = p4r_type(x, d->type);
  if (!x->exiting) *p4r_slot(x, d) = v;
}

static bool fits(struct p4r_exec *x, const struct p4_stmt *s, const struct p4_expr *label,
                 struct p4v v) {
  if (label->kind == P4_EXPR_DEFAULT || label->kind == P4_EXPR_ANY) return true;
  if (s->over_actions) return label->decl == (const struct p4_decl *)v.object;
  return p4v_equal(p4r_eval(x, label), v);
}

static enum p4r_flow run_switch(struct p4r_exec *x, const struct p4_stmt *s) {
  struct p4v v = p4r_eval(x, s->value);
  if (x->exiting) return P4R_EXIT;
  const struct p4_case *c = s->cases;
  while (c && !fits(x, s, c->label, v)) c = c->next;
  while (c && !c->body) c = c->next;
  return c ? p4r_run(x, c->body) : P4R_NEXT;
}

static enum p4r_flow run_for(struct p4r_exec *x, const struct p4_stmt *s) {
  enum p4r_flow flow = p4r_run(x, s->inits);
  if (flow != P4R_NEXT) return flow;
  while (!s->value || p4r_eval(x, s->value).truth) {
    flow = x->exiting ? P4R_EXIT : p4r_run(x, s->then);
    if (flow == P4R_BREAK) break;
    if (flow != P4R_NEXT && flow != P4R_CONTINUE) return flow;
    if (++x->steps > P4R_MOST_STEPS) p4r_fail(x, "this loop does not end");
    flow = p4r_run(x, s->updates);
    if (flow != P4R_NEXT) return flow;
  }
  return P4R_NEXT;
}

static enum p4r_flow one_round(struct p4r_exec *x, const struct p4_stmt *s, struct p4v v) {
  struct p4v *slot = p4r_slot(x, s->decl);
  *slot = v;
  slot->type = s->decl->type;
  if (++x->steps > P4R_MOST_STEPS) p4r_fail(x, "this loop does not end");
  return p4r_run(x, s->then);
}

static enum p4r_flow run_for_in(struct p4r_exec *x, const struct p4_stmt *s) {
  enum p4r_flow flow = P4R_NEXT;
  if (s->value->kind == P4_EXPR_RANGE) {
    struct p4v at = p4r_eval(x, s->value->a), end = p4r_eval(x, s->value->b);
    struct p4v one = p4v_resize(x->arena, p4v_bits(1, 1), at.width, at.is_signed);
    while (!p4v_less(end, at)) {
      flow = one_round(x, s, at);
      if ((flow != P4R_NEXT && flow != P4R_CONTINUE) || p4v_equal(at, end)) break;
      at = p4v_binary(x->arena, P4_OP_ADD, at, one);
    }
  } else {
    struct p4v all = p4r_eval(x, s->value);
    for (unsigned i = 0; i < all.num; i++) {
      flow = one_round(x, s, all.items[i]);
      if (flow != P4R_NEXT && flow != P4R_CONTINUE) break;
    }
  }
  return flow == P4R_BREAK || flow == P4R_CONTINUE ? P4R_NEXT : flow;
}

static enum p4r_flow run_one(struct p4r_exec *x, const struct p4_stmt *s) {
  switch (s->kind) {
    case P4_STMT_BLOCK: return p4r_run(x, s->body);
    case P4_STMT_DECL: return declare(x, s->decl), P4R_NEXT;
    case P4_STMT_ASSIGN: return assign(x, s);
    case P4_STMT_CALL: return p4r_eval(x, s->value), P4R_NEXT;
    case P4_STMT_IF: {
      const struct p4v v = p4r_eval(x, s->value);
      if (x->exiting) return P4R_EXIT;
      return p4r_run(x, v.truth ? s->then : s->otherwise);
    }
    case P4_STMT_SWITCH: return run_switch(x, s);
    case P4_STMT_RETURN:
      if (s->value) x->result = p4r_eval(x, s->value);
      return P4R_RETURN;
    case P4_STMT_EXIT: return x->exiting = true, P4R_EXIT;
    case P4_STMT_BREAK: return P4R_BREAK;
    case P4_STMT_CONTINUE: return P4R_CONTINUE;
    case P4_STMT_FOR: return run_for(x, s);
    case P4_STMT_FOR_IN: return run_for_in(x, s);
    default: return P4R_NEXT;
  }
}
