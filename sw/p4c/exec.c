// SPDX-License-Identifier: Apache-2.0
// Statements and calls. Two ways are walked one after the other from one state, and what differs
// behind them is chosen by the condition.
#include <string.h>

#include "inner.h"

// ---- ways --------------------------------------------------------------------------------------

// A guard is what the whole way up to here asks for, so nothing that is known on it is left out.
static p4c_node guard_and(struct p4c *p, p4c_node a, p4c_node b) {
  const unsigned assumed = p->num_assumed;
  p->num_assumed = 0;
  const p4c_node n = p4c_and(p, a, b);
  p->num_assumed = assumed;
  return n;
}

static p4c_node guard_not(struct p4c *p, p4c_node a) {
  const unsigned assumed = p->num_assumed;
  p->num_assumed = 0;
  const p4c_node n = p4c_not(p, a);
  p->num_assumed = assumed;
  return n;
}

static void one_way(struct p4c *p, p4c_node condition, bool is,
                    void (*way)(struct p4c *, const void *), const void *x) {
  const unsigned assumed = p4c_assumed(p);
  const p4c_node guard = p->guard;
  p->guard = guard_and(p, guard, is ? condition : guard_not(p, condition));
  p4c_assume(p, condition, is);
  if (way) way(p, x);
  p4c_forget(p, assumed);
  p->guard = guard;
}

void p4c_branch(struct p4c *p, p4c_node condition, void (*then)(struct p4c *p, const void *x),
                const void *x, void (*otherwise)(struct p4c *p, const void *y), const void *y) {
  uint32_t known;
  if (p4c_is_const(p, condition, &known)) {
    if (known && then) then(p, x);
    if (!known && otherwise) otherwise(p, y);
    return;
  }
  struct p4c_state before = p4c_state_copy(p, &p->now);
  const struct p4_place place = p->place;
  one_way(p, condition, true, then, x);
  struct p4c_state yes = p->now;
  p->now = before;
  p->place = place;
  one_way(p, condition, false, otherwise, y);
  struct p4c_state no = p->now;
  p->place = place;
  p4c_merge(p, condition, &yes, &no);
}

static void run_way(struct p4c *p, const void *list) { p4c_run(p, list); }

// ---- assignments -------------------------------------------------------------------------------

static bool is_scalar(const struct p4_type *type) {
  const struct p4_type *t = p4_type_base(type);
  return t->kind == P4_TYPE_BITS || t->kind == P4_TYPE_BOOL || t->kind == P4_TYPE_ENUM ||
         t->kind == P4_TYPE_ERROR;
}

static void assign_parts(struct p4c *p, const char *to, const struct p4_type *type,
                         const struct p4_expr *from, const char *from_path);

static void assign_part(struct p4c *p, const char *to, const struct p4_type *type,
                        const struct p4_expr *from, const char *from_path) {
  if (!is_scalar(type)) assign_parts(p, to, type, from, from_path);
  else if (from) p4c_write(p, to, type, p4c_eval(p, from));
  else p4c_write(p, to, type, p4c_read(p, from_path, type));
}

// A struct, field by field.
static void assign_parts(struct p4c *p, const char *to, const struct p4_type *type,
                         const struct p4_expr *from, const char *from_path) {
  if (type->kind != P4_TYPE_STRUCT) {
    p4c_refuse(
        p, p->place, "header-edit",
        "the machine copies no headers and no stacks; it rewrites the fields of those that came");
    return;
  }
  const bool list = from && (from->kind == P4_EXPR_LIST || from->kind == P4_EXPR_STRUCT);
  if (list && strncmp(to, "list#", 5) != 0) {
    // all of a list is there before anything of it is assigned
    const char *whole = arena_format(p->arena, "list#%u", p->num_locals++);
    assign_parts(p, whole, type, from, NULL);
    assign_parts(p, to, type, NULL, whole);
    return;
  }
  const struct p4_expr *item = list ? from->args : NULL;
  if (from && !list) from_path = p4c_path(p, from);
  if (!list && !from_path) return;
  for (unsigned i = 0; i < type->num_fields; i++) {
    const struct p4_field *f = &type->fields[i];
    const char *part = arena_format(p->arena, "%s.%s", to, f->name);
    if (list && item) assign_part(p, part, f->type, item, NULL);
    else assign_part(p, part, f->type, NULL, arena_format(p->arena, "%s.%s", from_path, f->name));
    if (item) item = item->next;
  }
}

static void assign(struct p4c *p, const struct p4_expr *target, struct p4c_val v) {
  if (target->kind == P4_EXPR_ANY) return;
  if (target->kind == P4_EXPR_SLICE) {
    const struct p4c_val old = p4c_eval(p, target->a);
    const unsigned width = old.width;
    v = p4c_resize(p, v, target->high - target->low + 1, false);
    if (target->low) v = p4c_concat(p, v, p4c_slice(p, old, target->low - 1, 0));
    if (target->high + 1 < width)
      v = p4c_concat(p, p4c_slice(p, old, width - 1, target->high + 1), v);
    assign(p, target->a, v);
    return;
  }
  const char *path = p4c_path(p, target);
  if (!path) return;
  if (!p->two_blocks && strncmp(path, "sm.", 3) == 0 && strcmp(path, "sm.egress_spec") != 0) {
    uint32_t zero;
    if (strcmp(path, "sm.mcast_grp") != 0 || !p4c_is_const(p, v.low, &zero) || zero)
      p4c_refuse(
          p, target->place, "standard-metadata",
          strcmp(path, "sm.mcast_grp") == 0
              ? "'%s': which ports a group has is known when the program is compiled, in the "
                "machine; a controller's groups are none yet. It takes egress_spec"
              : "the machine takes egress_spec from a program, and not '%s'",
          path + 3);
    return;
  }
  p4c_write(p, path, target->type, v);
}

static void run_assign(struct p4c *p, const struct p4_stmt *s) {
  if (is_scalar(s->target->type)) {
    struct p4_expr whole = {.kind = P4_EXPR_BINARY,
                            .op = s->op,
                            .place = s->place,
                            .type = s->target->type,
                            .a = s->target,
                            .b = s->value};
    assign(p, s->target, p4c_eval(p, s->compound ? &whole : s->value));
    return;
  }
  const char *path = p4c_path(p, s->target);
  if (path) assign_parts(p, path, s->target->type, s->value, NULL);
}

static void clear(struct p4c *p, const char *path, const struct p4_type *type) {
  if (is_scalar(type)) {
    const p4c_node zero = p4c_const(p, 0);
    *p4c_cell(p, path, p4c_type_width(type)) =
        (struct p4c_val){zero, zero, p4c_type_width(type), true, 0, {0}};
  }
  for (unsigned i = 0; i < type->num_fields; i++)
    clear(p, arena_format(p->arena, "%s.%s", path, type->fields[i].name), type->fields[i].type);
}

static void run_decl(struct p4c *p, const struct p4_decl *d) {
  if (d->kind != P4_DECL_VARIABLE) return;
  const char *path = arena_format(p->arena, "%s#%u", d->name, p->num_locals++);
  p4c_bind(p, d, path);
  clear(p, path, d->type);
  if (d->init) assign_part(p, path, d->type, d->init, NULL);
}

// ---- statements --------------------------------------------------------------------------------

// The cases of a switch, from one on.
struct cases {
  const struct p4_case *at;
  const struct p4c_table *table;  // over its actions
  struct p4c_val value;
};

static void run_cases(struct p4c *p, const void *x) {
  const struct cases *c = x;
  p4c_node any = p4c_const(p, 0);
  const struct p4_case *at = c->at;
  for (; at; at = at->next) {
    p4c_node is;
    if (at->label->kind == P4_EXPR_DEFAULT) is = p4c_const(p, 1);
    else if (c->table) is = p4c_is_action(p, c->table, at->label->decl);
    else is = p4c_equal(p, c->value, p4c_eval(p, at->label));
    any = p4c_or(p, any, is);
    if (at->body) break;
  }
  if (!at) return;
  const struct cases rest = {at->next, c->table, c->value};
  p4c_branch(p, any, run_way, at->body, run_cases, &rest);
}

static void run_switch(struct p4c *p, const struct p4_stmt *s) {
  struct cases c = {.at = s->cases};
  if (s->over_actions) {
    c.table = p4c_apply(p, s->value->a);
    if (!c.table) return;
  } else {
    c.value = p4c_eval(p, s->value);
  }
  run_cases(p, &c);
}

static void run_return(struct p4c *p, const struct p4_stmt *s) {
  if (s->value && is_scalar(s->value->type)) {
    const struct p4c_val v = p4c_eval(p, s->value);
    *p4c_cell(p, "#result", v.width) = v;
  } else if (s->value) {
    p4c_refuse(p, s->place, "result", "functions whose result is a struct are not taken yet");
  }
  p->now.returned = p4c_const(p, 1);
}

static void run_one(struct p4c *p, const struct p4_stmt *s) {
  p->place = s->place;
  switch (s->kind) {
    case P4_STMT_EMPTY: break;
    case P4_STMT_BLOCK: p4c_run(p, s->body); break;
    case P4_STMT_DECL: run_decl(p, s->decl); break;
    case P4_STMT_ASSIGN: run_assign(p, s); break;
    case P4_STMT_CALL: p4c_call(p, s->value); break;
    case P4_STMT_IF:
      p4c_branch(p, p4c_truth(p, s->value), run_way, s->then, run_way, s->otherwise);
      break;
    case P4_STMT_SWITCH: run_switch(p, s); break;
    case P4_STMT_RETURN: run_return(p, s); break;
    case P4_STMT_EXIT: p->now.exited = p4c_const(p, 1); break;
    default:
      p4c_refuse(p, s->place, "loop",
                 "loops are not taken yet: the machine has none, so they have to be written out");
      break;
  }
}

void p4c_run(struct p4c *p, const struct p4_stmt *list) {
  for (const struct p4_stmt *s = list; s; s = s->next) {
    uint32_t known;
    const p4c_node done = p4c_or(p, p->now.exited, p->now.returned);
    if (!p4c_is_const(p, done, &known)) {
      p4c_branch(p, done, NULL, NULL, run_way, s);
      return;
    }
    if (known) return;
    run_one(p, s);
  }
}

// ---- calls -------------------------------------------------------------------------------------

// Parameters that are copied have cells of their own; structs stand for what is given.
static void bind_param(struct p4c *p, const struct p4_decl *d, const struct p4_expr *arg) {
  if (!is_scalar(d->type)) {
    if (arg &&
        (arg->kind == P4_EXPR_NAME || arg->kind == P4_EXPR_MEMBER || arg->kind == P4_EXPR_INDEX)) {
      const char *path = p4c_path(p, arg);
      if (path) p4c_bind(p, d, path);
      return;
    }
    const char *path = arena_format(p->arena, "%s#%u", d->name, p->num_locals++);
    p4c_bind(p, d, path);
    clear(p, path, d->type);
    if (arg) assign_part(p, path, d->type, arg, NULL);
    return;
  }
  const char *path = arena_format(p->arena, "%s#%u", d->name, p->num_locals++);
  const struct p4c_val v = arg && d->direction != P4_OUT ? p4c_eval(p, arg) : (struct p4c_val){0};
  p4c_bind(p, d, path);
  clear(p, path, d->type);
  if (arg && d->direction != P4_OUT) *p4c_cell(p, path, v.width) = v;
}

static void call_body(struct p4c *p, const struct p4_decl *callee, const struct p4_call *call) {
  if (p->num_actions == sizeof p->actions / sizeof *p->actions) return;
  p->actions[p->num_actions++] = callee;
  const struct p4_place place = p->place;
  const p4c_node returned = p->now.returned;
  unsigned i = 0;
  for (const struct p4_decl *d = callee->params; d; d = d->next, i++)
    bind_param(p, d, i < call->num_args ? call->args[i] : NULL);
  // of a control within another: its own variables
  if (callee->kind == P4_DECL_CONTROL)
    for (const struct p4_decl *d = callee->members; d; d = d->next) run_decl(p, d);
  p->now.returned = p4c_const(p, 0);
  p4c_run(p, callee->body);
  p->place = place;
  p->now.returned = returned;
  i = 0;
  for (const struct p4_decl *d = callee->params; d; d = d->next, i++)
    if (is_scalar(d->type) && (d->direction == P4_OUT || d->direction == P4_INOUT) &&
        i < call->num_args) {
      struct p4_expr name = {
          .kind = P4_EXPR_NAME, .decl = d, .name = d->name, .type = d->type, .place = p->place};
      const struct p4c_val v = *p4c_cell(p, p4c_path(p, &name), p4c_type_width(d->type));
      assign(p, call->args[i], v);
    }
  p->num_actions--;
}

static void call_built_in(struct p4c *p, const struct p4_expr *e) {
  static const char *const names[] = {[P4_SET_VALID] = "setValid",
                                      [P4_SET_INVALID] = "setInvalid",
                                      [P4_PUSH_FRONT] = "push_front",
                                      [P4_POP_FRONT] = "pop_front"};
  if (e->call->built_in >= P4_SET_VALID && e->call->built_in <= P4_POP_FRONT)
    p4c_refuse(p, e->place, "header-edit",
               "%s: the machine inserts and removes no headers; it rewrites those that came",
               names[e->call->built_in]);
}

// Each instance of a control has registers of its own, and here they are known by their
// declaration.
static void note_instance(struct p4c *p, const struct p4_expr *e) {
  const struct p4_expr *object = e->call->object;
  const struct p4_decl *control = object->type->decl;
  const void *instance = object->kind == P4_EXPR_NAME ? (const void *)object->decl : object;
  bool has_externs = false;
  for (const struct p4_decl *d = control->members; d; d = d->next)
    has_externs |= d->kind == P4_DECL_INSTANCE;
  for (unsigned i = 0; i < p->num_instances; i++)
    if (p->instances[i].control == control && p->instances[i].instance != instance && has_externs)
      p4c_refuse(p, e->place, "instance",
                 "a second instance of '%s', which has registers or such of its own, is not taken "
                 "yet",
                 control->name);
  if (p->num_instances == sizeof p->instances / sizeof *p->instances) return;
  p->instances[p->num_instances].control = control;
  p->instances[p->num_instances++].instance = instance;
}

void p4c_call(struct p4c *p, const struct p4_expr *e) {
  const struct p4_call *call = e->call;
  switch (call->kind) {
    case P4_CALL_FUNCTION:
    case P4_CALL_ACTION: call_body(p, call->callee, call); break;
    case P4_CALL_CONTROL:
      note_instance(p, e);
      call_body(p, call->object->type->decl, call);
      break;
    case P4_CALL_EXTERN: p4c_extern_function(p, e); break;
    case P4_CALL_METHOD: p4c_extern_method(p, e); break;
    case P4_CALL_TABLE: p4c_apply(p, e); break;
    case P4_CALL_BUILT_IN: call_built_in(p, e); break;
    default:
      p4c_refuse(p, e->place, "parse-graph", "parsers within parsers are not taken yet");
      break;
  }
}

void p4c_block(struct p4c *p, const struct p4_decl *decl, const char *const *paths) {
  unsigned i = 0;
  for (const struct p4_decl *d = decl->params; d; d = d->next, i++)
    if (paths[i]) p4c_bind(p, d, paths[i]);
  // variables of the block
  for (const struct p4_decl *d = decl->members; d; d = d->next) run_decl(p, d);
  p->now.returned = p4c_const(p, 0);
  p4c_run(p, decl->body);
}
