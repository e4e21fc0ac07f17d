// SPDX-License-Identifier: Apache-2.0
// The walk along all ways of a block, a parser, an action.
#include <string.h>

#include "flow.h"

enum { MOST_LOOPS = 4, MOST_ROUNDS = 100 };

static void run_list(struct p4_flow *f, const struct p4_stmt *s);

static void meet(struct p4_flow *f, const struct p4_flow_state *other) {
  if (other->dead) return;
  if (f->now.dead) {
    f->now = *other;
    return;
  }
  for (unsigned i = 0; i < f->num; i++) f->now.may[i] = f->now.may[i] || other->may[i];
}

// ---- expressions -------------------------------------------------------------------------------

static void run_expr(struct p4_flow *f, const struct p4_expr *e);

static void run_built_in(struct p4_flow *f, const struct p4_call *call) {
  if (call->built_in == P4_SET_VALID) p4_flow_put(f, call->object, true);
  if (call->built_in == P4_SET_INVALID) p4_flow_put(f, call->object, false);
  if (call->built_in == P4_PUSH_FRONT || call->built_in == P4_POP_FRONT)
    p4_flow_put(f, call->object, true);
}

static const struct p4_decl *params_of(const struct p4_call *call) {
  if (!call->callee) return NULL;
  return call->kind == P4_CALL_CONSTRUCTOR ? call->callee->constructor_params
                                           : call->callee->params;
}

static void run_call(struct p4_flow *f, const struct p4_expr *e) {
  const struct p4_call *call = e->call;
  if (!call) return;
  if (call->kind == P4_CALL_BUILT_IN) {
    run_built_in(f, call);
    return;
  }
  const struct p4_decl *p = params_of(call);
  for (unsigned i = 0; p && i < call->num_args; i++, p = p->next)
    if (call->args[i] && p->direction != P4_OUT && call->args[i]->kind != P4_EXPR_ANY)
      run_expr(f, call->args[i]);
  p = params_of(call);
  for (unsigned i = 0; p && i < call->num_args; i++, p = p->next)
    if (call->args[i] && (p->direction == P4_OUT || p->direction == P4_INOUT))
      p4_flow_put(f, call->args[i], true);
  // What these do to variables around them is not looked at.
  if (call->kind == P4_CALL_ACTION || call->kind == P4_CALL_TABLE) p4_flow_forget(f);
}

static void run_expr(struct p4_flow *f, const struct p4_expr *e) {
  if (!e || e->value) return;
  if (e->kind == P4_EXPR_CALL) {
    run_call(f, e);
    return;
  }
  if (e->kind == P4_EXPR_NAME || (e->kind == P4_EXPR_MEMBER && e->member == P4_MEMBER_FIELD)) {
    p4_flow_read(f, e);
    return;
  }
  run_expr(f, e->a);
  if (e->kind == P4_EXPR_BINARY && (e->op == P4_OP_LAND || e->op == P4_OP_LOR)) {
    // The second side may not be reached.
    const struct p4_flow_state before = f->now;
    run_expr(f, e->b);
    meet(f, &before);
    return;
  }
  run_expr(f, e->b);
  run_expr(f, e->c);
  for (const struct p4_expr *x = e->args; x; x = x->next) run_expr(f, x);
}

// ---- statements --------------------------------------------------------------------------------

static void run_assign(struct p4_flow *f, const struct p4_stmt *s) {
  run_expr(f, s->value);
  if (s->compound || s->target->kind == P4_EXPR_SLICE) {
    // The other bits are kept; a first write bit by bit is not a read.
    p4_flow_put(f, s->target, true);
    return;
  }
  const struct p4_value *v = s->value->value;
  const bool invalid = v && v->kind == P4_VALUE_INVALID;
  if (s->target->type->kind == P4_TYPE_HEADER || p4_has_fields(s->target->type))
    p4_flow_put(f, s->target, !invalid);
  else if (s->target->kind == P4_EXPR_NAME || s->target->kind == P4_EXPR_MEMBER) {
    // A field of a header that is not valid stays without a value.
    const bool of_header = s->target->kind == P4_EXPR_MEMBER &&
                           s->target->a->type->kind == P4_TYPE_HEADER;
    if (of_header) p4_flow_read(f, s->target);
    else p4_flow_put(f, s->target, true);
  }
}

static void run_if(struct p4_flow *f, const struct p4_stmt *s) {
  run_expr(f, s->value);
  const struct p4_flow_state before = f->now;
  run_list(f, s->then);
  const struct p4_flow_state after = f->now;
  f->now = before;
  if (s->otherwise) run_list(f, s->otherwise);
  meet(f, &after);
}

static void run_switch(struct p4_flow *f, const struct p4_stmt *s) {
  run_expr(f, s->value);
  const struct p4_flow_state before = f->now;
  struct p4_flow_state after = before;
  after.dead = true;
  bool all = before.dead;
  for (const struct p4_case *c = s->cases; c; c = c->next) {
    all = all || c->label->kind == P4_EXPR_DEFAULT;
    if (!c->body) continue;
    f->now = before;
    run_list(f, c->body);
    meet(f, &after);
    after = f->now;
  }
  f->now = after;
  if (!all || !s->cases) meet(f, &before);
}

// Twice, so that what a turn leaves is seen by the next one. Loops that are deep in others are
// walked once, and without messages, since each level doubles the work.
static void run_loop(struct p4_flow *f, const struct p4_stmt *s) {
  run_list(f, s->inits);
  const bool tells = f->tells;
  f->loops++;
  for (unsigned turn = f->loops > MOST_LOOPS; turn < 2; turn++) {
    const struct p4_flow_state before = f->now;
    f->tells = tells && turn == 1 && f->loops <= MOST_LOOPS;
    run_expr(f, s->value);
    run_list(f, s->then);
    f->now.dead = false;
    run_list(f, s->updates);
    meet(f, &before);
  }
  f->loops--;
  f->tells = tells;
}

static void run_decl(struct p4_flow *f, const struct p4_decl *d) {
  run_expr(f, d->init);
  for (unsigned i = 0; i < f->num; i++)
    if (f->places[i].root == d) f->now.may[i] = d->init != NULL;
}

static void run_stmt(struct p4_flow *f, const struct p4_stmt *s) {
  switch (s->kind) {
    case P4_STMT_BLOCK: run_list(f, s->body); break;
    case P4_STMT_DECL: run_decl(f, s->decl); break;
    case P4_STMT_ASSIGN: run_assign(f, s); break;
    case P4_STMT_CALL: run_expr(f, s->value); break;
    case P4_STMT_IF: run_if(f, s); break;
    case P4_STMT_SWITCH: run_switch(f, s); break;
    case P4_STMT_RETURN:
      run_expr(f, s->value);
      f->now.dead = true;
      break;
    case P4_STMT_EXIT:
    case P4_STMT_BREAK:
    case P4_STMT_CONTINUE: f->now.dead = true; break;
    case P4_STMT_FOR:
    case P4_STMT_FOR_IN:
      for (unsigned i = 0; s->decl && i < f->num; i++)
        if (f->places[i].root == s->decl) f->places[i].at_start = f->now.may[i] = true;
      run_loop(f, s);
      break;
    default: break;
  }
}

static void run_list(struct p4_flow *f, const struct p4_stmt *s) {
  for (; s; s = s->next) run_stmt(f, s);
}

// ---- blocks ------------------------------------------------------------------------------------

static struct p4_flow *begin(struct p4_checker *k, bool in_parser) {
  struct p4_flow *f = NEW(k->arena, struct p4_flow);
  f->k = k;
  f->in_parser = in_parser;
  f->tells = true;
  return f;
}

static void set_start(struct p4_flow *f) {
  for (unsigned i = 0; i < f->num; i++) f->now.may[i] = f->places[i].at_start;
}

void p4_flow_control(struct p4_checker *k, const struct p4_decl *control) {
  struct p4_flow *f = begin(k, false);
  p4_flow_collect(f, control->body);
  set_start(f);
  run_list(f, control->body);
}

void p4_flow_callable(struct p4_checker *k, const struct p4_decl *callable) {
  struct p4_flow *f = begin(k, false);
  p4_flow_collect(f, callable->body);
  // Variables of the control around an action may hold something.
  for (unsigned i = 0; i < f->num; i++) {
    const struct p4_decl *root = f->places[i].root;
    if (root->owner && root->owner != callable) f->places[i].at_start = true;
  }
  set_start(f);
  run_list(f, callable->body);
}

// ---- parsers -----------------------------------------------------------------------------------

struct entry {
  const struct p4_decl *state;
  struct p4_flow_state in;
};

// True if more is known to come in.
static bool flow_to(struct p4_flow *f, struct entry *entries, const struct p4_decl *state) {
  if (!state || !state->owner || f->now.dead) return false;
  struct entry *to = &entries[state->number];
  bool more = to->in.dead;
  to->in.dead = false;
  for (unsigned i = 0; i < f->num; i++) {
    more = more || (f->now.may[i] && !to->in.may[i]);
    to->in.may[i] = to->in.may[i] || f->now.may[i];
  }
  return more;
}

static bool run_state(struct p4_flow *f, struct entry *entries, struct entry *e) {
  const struct p4_state *s = e->state->state;
  f->now = e->in;
  if (f->now.dead) return false;
  run_list(f, s->body);
  for (const struct p4_expr *x = s->select; x; x = x->next) run_expr(f, x);
  bool more = flow_to(f, entries, s->to);
  for (const struct p4_select_case *c = s->cases; c; c = c->next)
    more = flow_to(f, entries, c->target) || more;
  return more;
}

static void collect_states(struct p4_flow *f, const struct p4_decl *parser) {
  for (const struct p4_decl *d = parser->states; d; d = d->next) {
    p4_flow_collect(f, d->state->body);
    for (struct p4_expr *x = d->state->select; x; x = x->next) {
      const struct p4_stmt select = {.kind = P4_STMT_CALL, .value = x};
      p4_flow_collect(f, &select);
    }
  }
}

void p4_flow_parser(struct p4_checker *k, const struct p4_decl *parser) {
  struct p4_flow *f = begin(k, true);
  struct entry *entries = NEW_ARRAY(k->arena, struct entry, p4_count(parser->states) + 1);
  unsigned num = 0;
  collect_states(f, parser);
  set_start(f);
  for (const struct p4_decl *d = parser->states; d; d = d->next, num++) {
    entries[num].state = d;
    if (strcmp(d->name, "start") == 0) entries[num].in = f->now;
    else entries[num].in.dead = true;
  }
  f->tells = false;
  bool more = true;
  for (unsigned round = 0; more && round < MOST_ROUNDS; round++) {
    more = false;
    for (unsigned i = 0; i < num; i++) more = run_state(f, entries, &entries[i]) || more;
  }
  if (more) return;  // more ways than it is worth
  f->tells = true;
  for (unsigned i = 0; i < num; i++) run_state(f, entries, &entries[i]);
}
