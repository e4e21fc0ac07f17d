// SPDX-License-Identifier: Apache-2.0
// Declarations.
#include <string.h>

#include "check.h"

// ---- where the checker is ----------------------------------------------------------------------

struct context {
  enum p4_where where;
  struct p4_decl *callable;
  unsigned loops;
};
static struct context enter(struct p4_checker *k, enum p4_where where, struct p4_decl *callable) {
  const struct context outer = {k->where, k->callable, k->loops};
  k->where = where;
  k->callable = callable;
  k->loops = 0;
  p4_scope_open(k);
  return outer;
}
static void leave(struct p4_checker *k, struct context outer) {
  p4_scope_close(k);
  k->where = outer.where;
  k->callable = outer.callable;
  k->loops = outer.loops;
}

void p4_take_slot(struct p4_checker *k, struct p4_decl *d) {
  if (k->holder) d->slot = k->holder->num_slots++;
}

// ---- constants, variables, instances -----------------------------------------------------------

static void check_const(struct p4_checker *k, struct p4_decl *d) {
  d->type = p4_check_value_type(k, d->written);
  p4_check_as(k, &d->init, d->type, arena_format(k->arena, "constant '%s'", d->name));
  d->value = d->init->value;
  if (!p4_is_constant(d->init) && !p4_is_poison(d->init->type) && !p4_is_poison(d->type))
    p4_error(k->c, d->init->place, "not-constant",
             "the value of constant '%s' is known at compile time", d->name);
  p4_take_slot(k, d);
  p4_declare(k, d);
}

static void check_variable(struct p4_checker *k, struct p4_decl *d) {
  d->type = p4_check_value_type(k, d->written);
  const bool fixed = d->type->kind == P4_TYPE_INT || d->type->kind == P4_TYPE_LIST ||
                     d->type->kind == P4_TYPE_MATCH_KIND || d->type->kind == P4_TYPE_STRING;
  if (fixed) {
    p4_error(k->c, d->written->place, "bad-type", "a variable is not of type %s%s",
             p4_show(k, d->type), d->type->kind == P4_TYPE_INT ? "; give it a width: bit<32>" : "");
    d->type = k->poison;
  }
  if (k->where == P4_AT_TOP)
    p4_error(k->c, d->place, "global-variable",
             "'%s' stands outside of all: only constants and instances may", d->name);
  if (d->init) p4_check_as(k, &d->init, d->type, arena_format(k->arena, "variable '%s'", d->name));
  p4_take_slot(k, d);
  p4_declare(k, d);
}

// The same name, and as many type parameters and parameters; but a body may lack @optional ones
// at the end.
static bool is_body_of(const struct p4_decl *b, const struct p4_decl *m) {
  if (b->kind != P4_DECL_FUNCTION || m->kind != P4_DECL_FUNCTION || b->name != m->name ||
      p4_count(b->type_params) != p4_count(m->type_params))
    return false;
  const struct p4_decl *p = m->params, *q = b->params;
  for (; p && q; p = p->next) q = q->next;
  while (p && p->optional) p = p->next;
  return !p && !q;
}

// Result and parameters are those that the extern says, with the instance's type arguments.
static void compare_body(struct p4_checker *k, const struct p4_decl *b, const struct p4_decl *m,
                         const struct p4_type *type) {
  const struct p4_decl *outer = type->decl->type_params;
  const struct p4_type *result = p4_substitute(k, m->type, outer, type->args);
  if (b->type != result && !p4_is_poison(b->type) && !p4_is_poison(result))
    p4_error(k->c, b->place, "abstract", "the abstract method '%s' gives %s, and not %s", m->name,
             p4_show(k, result), p4_show(k, b->type));
  const struct p4_decl *p = m->params, *q = b->params;
  for (; p && q; p = p->next, q = q->next) {
    const struct p4_type *formal = p4_substitute(k, p->type, outer, type->args);
    if (q->direction != p->direction)
      p4_error(k->c, q->place, "abstract",
               "parameter '%s' of the abstract method has another direction", p->name);
    else if (q->type != formal && !p4_is_poison(q->type) && !p4_is_poison(formal))
      p4_error(k->c, q->place, "abstract",
               "parameter '%s' of the abstract method is %s, and not %s", p->name,
               p4_show(k, formal), p4_show(k, q->type));
  }
}

static void check_body(struct p4_checker *k, struct p4_decl *d, struct p4_decl *b) {
  p4_check_decl(k, b);
  if (b->kind != P4_DECL_FUNCTION) return;
  const struct p4_decl *m = d->type->decl->members;
  while (m && !(m->is_abstract && is_body_of(b, m))) m = m->next;
  if (m) compare_body(k, b, m, d->type);
  else
    p4_error(k->c, b->place, "abstract", "'%s' has no abstract method '%s' with %u parameter%s",
             p4_show(k, d->type), b->name, b->num_params, b->num_params == 1 ? "" : "s");
}

// Methods that are abstract in the extern have bodies in the instance.
static void check_abstract(struct p4_checker *k, struct p4_decl *d) {
  if (d->type->kind != P4_TYPE_EXTERN) {
    if (!p4_is_poison(d->type))
      p4_error(k->c, d->place, "abstract", "%s is no extern, so no methods of it are written here",
               p4_show(k, d->type));
    return;
  }
  const struct p4_type *outer_type = k->this_type;
  const struct p4_decl *outer_instance = k->instance;
  k->this_type = d->type;
  k->instance = d;
  p4_scope_open(k);
  for (struct p4_decl *b = d->members; b; b = b->next) check_body(k, d, b);
  p4_scope_close(k);
  k->this_type = outer_type;
  k->instance = outer_instance;
  for (const struct p4_decl *m = d->type->decl->members; m; m = m->next) {
    if (!m->is_abstract || m->optional) continue;
    const struct p4_decl *b = d->members;
    while (b && !is_body_of(b, m)) b = b->next;
    if (!b)
      p4_error(k->c, d->place, "abstract", "'%s' lacks a body for the abstract method '%s'",
               d->name, m->name);
  }
}

static void check_instance_here(struct p4_checker *k, const struct p4_decl *d) {
  const bool block = d->type->kind == P4_TYPE_PARSER || d->type->kind == P4_TYPE_CONTROL;
  if (k->where == P4_AT_TOP && block)
    p4_error(k->c, d->place, "instance-here",
             "a parser or control is made within another, or as an argument of a package");
  if (k->where != P4_AT_TOP && d->type->kind == P4_TYPE_PACKAGE)
    p4_error(k->c, d->place, "instance-here", "a package is made at the top level");
  if (k->where != P4_AT_TOP && k->where != P4_IN_LOCALS)
    p4_error(k->c, d->place, "instance-here",
             "an instance is declared outside of apply, actions and states");
  if (k->container && k->container->kind == P4_DECL_PARSER && d->type->kind == P4_TYPE_CONTROL)
    p4_error(k->c, d->place, "instance-here", "a parser holds no control");
  if (k->container && k->container->kind == P4_DECL_CONTROL && d->type->kind == P4_TYPE_PARSER)
    p4_error(k->c, d->place, "instance-here", "a control holds no parser");
}

static void check_instance(struct p4_checker *k, struct p4_decl *d) {
  struct p4_call *call = NULL;
  d->type = p4_check_construct(k, d->written, &d->args, &call);
  d->call = call;
  if (!p4_is_poison(d->type)) check_instance_here(k, d);
  p4_take_slot(k, d);
  p4_declare(k, d);
  if (d->has_body || d->type->kind == P4_TYPE_EXTERN) check_abstract(k, d);
}

// ---- parameters --------------------------------------------------------------------------------

static bool may_have_direction(const struct p4_type *type) {
  switch (type->kind) {
    case P4_TYPE_INT:
    case P4_TYPE_STRING:
    case P4_TYPE_EXTERN:
    case P4_TYPE_PARSER:
    case P4_TYPE_CONTROL:
    case P4_TYPE_PACKAGE: return false;
    default: return true;
  }
}

// Those of a constructor are constants and instances, so they have no direction.
static void check_constructor_params(struct p4_checker *k, struct p4_decl *params) {
  p4_check_params(k, params);
  for (const struct p4_decl *p = params; p; p = p->next)
    if (p->direction != P4_NO_DIRECTION)
      p4_error(k->c, p->place, "direction",
               "'%s' is a parameter of a constructor or package, which has no direction", p->name);
}

// Parsers, controls and packages are given when something is made, not when it runs.
static void refuse_blocks(struct p4_checker *k, const struct p4_decl *params) {
  for (const struct p4_decl *p = params; p; p = p->next)
    if (p->type->kind == P4_TYPE_PARSER || p->type->kind == P4_TYPE_CONTROL ||
        p->type->kind == P4_TYPE_PACKAGE)
      p4_error(k->c, p->written->place, "bad-type",
               "'%s' of type %s is a parameter of a constructor, in brackets of its own", p->name,
               p4_show(k, p->type));
}

void p4_check_params(struct p4_checker *k, struct p4_decl *params) {
  for (struct p4_decl *p = params; p; p = p->next) {
    p4_check_annotations(k, p->annotations);
    p->type = p4_check_type(k, p->written);
    if (p->type->kind == P4_TYPE_VOID || p->type->kind == P4_TYPE_ANY) {
      p4_error(k->c, p->written->place, "bad-type", "a parameter has a type of values");
      p->type = k->poison;
    }
    if (p->direction != P4_NO_DIRECTION && !may_have_direction(p->type))
      p4_error(k->c, p->place, "direction", "parameter '%s' of type %s has no direction", p->name,
               p4_show(k, p->type));
    const bool out = p->direction == P4_OUT || p->direction == P4_INOUT;
    if (p->init && out)
      p4_error(k->c, p->place, "default", "parameter '%s' is %s, so it has no default", p->name,
               p->direction == P4_OUT ? "out" : "inout");
    if (p->init) {
      p4_check_as(k, &p->init, p->type, arena_format(k->arena, "the default of '%s'", p->name));
      if (!p4_is_constant(p->init) && !p4_is_poison(p->init->type))
        p4_error(k->c, p->init->place, "not-constant", "a default is known at compile time");
    }
    p4_take_slot(k, p);
    p4_declare(k, p);
  }
}

static void declare_type_params(struct p4_checker *k, struct p4_decl *list) {
  for (struct p4_decl *p = list; p; p = p->next) {
    p->type = p4_type_of_decl(k, P4_TYPE_VARIABLE, p, NULL);
    p4_declare(k, p);
  }
}

// ---- functions and actions ---------------------------------------------------------------------

static bool always_returns(const struct p4_stmt *s);

static bool list_returns(const struct p4_stmt *s) {
  for (; s; s = s->next)
    if (always_returns(s)) return true;
  return false;
}

static bool switch_returns(const struct p4_stmt *s) {
  bool all = false;
  for (const struct p4_case *c = s->cases; c; c = c->next) {
    if (c->body && !always_returns(c->body)) return false;
    all = all || c->label->kind == P4_EXPR_DEFAULT;
  }
  return all;
}

static bool always_returns(const struct p4_stmt *s) {
  for (; s; s = s->otherwise) {
    if (s->kind == P4_STMT_RETURN) return true;
    if (s->kind == P4_STMT_BLOCK) return list_returns(s->body);
    if (s->kind == P4_STMT_SWITCH) return switch_returns(s);
    if (s->kind != P4_STMT_IF || !always_returns(s->then)) return false;
  }
  return false;
}

static void check_function(struct p4_checker *k, struct p4_decl *d) {
  struct p4_decl *const holder = k->holder;
  if (d->owner == NULL || d->owner->kind == P4_DECL_PARSER) p4_declare(k, d);
  const struct context outer = enter(k, P4_IN_FUNCTION, d);
  k->holder = d;
  declare_type_params(k, d->type_params);
  d->type = p4_check_type(k, d->written);
  p4_check_params(k, d->params);
  refuse_blocks(k, d->params);
  d->num_params = p4_count(d->params);
  if (d->body) p4_check_body(k, d->body->body);
  if (d->body && d->type->kind != P4_TYPE_VOID && !p4_is_poison(d->type) &&
      !always_returns(d->body))
    p4_error(k->c, d->place, "no-return", "function '%s' does not return a value on every way",
             d->name);
  k->holder = holder;
  leave(k, outer);
}

static void check_action(struct p4_checker *k, struct p4_decl *d) {
  struct p4_decl *const holder = k->holder;
  d->type = k->none;
  d->num_params = p4_count(d->params);
  p4_declare(k, d);
  const struct context outer = enter(k, P4_IN_ACTION, d);
  k->holder = d;
  p4_check_params(k, d->params);
  for (const struct p4_decl *p = d->params; p; p = p->next)
    if (p->direction == P4_NO_DIRECTION && p->next && p->next->direction != P4_NO_DIRECTION)
      p4_error(k->c, p->next->place, "direction",
               "in an action, parameters with a direction stand before those without");
  for (const struct p4_decl *p = d->params; p; p = p->next)
    if (p->type->kind == P4_TYPE_EXTERN || p->type->kind == P4_TYPE_INT)
      p4_error(k->c, p->written->place, "bad-type", "an action has no parameter of type %s",
               p4_show(k, p->type));
  p4_check_body(k, d->body->body);
  k->holder = holder;
  leave(k, outer);
}

// ---- externs, packages -------------------------------------------------------------------------

static void check_extern(struct p4_checker *k, struct p4_decl *d) {
  p4_declare(k, d);
  const struct context outer = enter(k, P4_IN_LOCALS, NULL);
  declare_type_params(k, d->type_params);
  d->type = p4_type_of_decl(k, P4_TYPE_EXTERN, d, p4_own_args(k, d));
  for (struct p4_decl *m = d->members; m; m = m->next) {
    if (m->kind == P4_DECL_FUNCTION) {
      check_function(k, m);
      continue;
    }
    p4_scope_open(k);
    check_constructor_params(k, m->constructor_params);
    m->num_params = p4_count(m->constructor_params);
    m->type = d->type;
    p4_scope_close(k);
  }
  leave(k, outer);
}

static void check_package(struct p4_checker *k, struct p4_decl *d) {
  const struct context outer = enter(k, P4_IN_LOCALS, NULL);
  declare_type_params(k, d->type_params);
  check_constructor_params(k, d->constructor_params);
  d->num_params = p4_count(d->constructor_params);
  d->type = p4_type_of_decl(k, P4_TYPE_PACKAGE, d, p4_own_args(k, d));
  leave(k, outer);
  p4_declare(k, d);
}

// ---- parsers and controls ----------------------------------------------------------------------

static void check_locals(struct p4_checker *k, struct p4_decl *d) {
  for (struct p4_decl *m = d->members; m; m = m->next) {
    k->where = P4_IN_LOCALS;
    p4_check_decl(k, m);
  }
}

static void check_block_body(struct p4_checker *k, struct p4_decl *d) {
  struct p4_decl *const container = k->container;
  k->container = d;
  // Locals may hide parameters.
  p4_scope_open(k);
  check_locals(k, d);
  p4_check_control_names(k, d);
  if (d->kind == P4_DECL_PARSER) {
    k->where = P4_IN_STATE;
    p4_check_states(k, d);
  } else if (d->body) {
    k->where = P4_IN_CONTROL;
    p4_scope_open(k);
    p4_check_body(k, d->body->body);
    p4_scope_close(k);
  }
  p4_scope_close(k);
  k->container = container;
}

// What stands for the type has to take the same arguments.
static void refuse_defaults(struct p4_checker *k, const struct p4_decl *params) {
  for (const struct p4_decl *p = params; p; p = p->next)
    if (p->init)
      p4_error(k->c, p->place, "default",
               "parameter '%s' is one of the type of a parser or control, so it has no default",
               p->name);
}

static void check_block(struct p4_checker *k, struct p4_decl *d) {
  struct p4_decl *const holder = k->holder;
  p4_declare(k, d);
  const struct context outer = enter(k, P4_IN_LOCALS, NULL);
  k->holder = d;
  declare_type_params(k, d->type_params);
  d->type = p4_type_of_decl(k, d->kind == P4_DECL_PARSER ? P4_TYPE_PARSER : P4_TYPE_CONTROL, d,
                            p4_own_args(k, d));
  p4_check_params(k, d->params);
  refuse_blocks(k, d->params);
  if (!d->has_body) refuse_defaults(k, d->params);
  check_constructor_params(k, d->constructor_params);
  d->num_params = p4_count(d->params);
  if (d->has_body && d->type_params)
    p4_error(k->c, d->place, "type-parameters",
             "'%s' has a body, so it has no type parameters; name the types in it", d->name);
  else if (d->has_body) check_block_body(k, d);
  k->holder = holder;
  leave(k, outer);
}

static void check_value_set(struct p4_checker *k, struct p4_decl *d) {
  uint64_t size;
  const struct p4_type *element = p4_check_value_type(k, d->written);
  p4_check_expr(k, &d->init);
  if (!p4_is_constant(d->init))
    p4_constant_in(k, d->init, 1, UINT32_MAX, "the size of a value set", &size);
  d->type = p4_is_poison(element) ? k->poison : p4_type_over(k, P4_TYPE_VALUE_SET, element);
  p4_take_slot(k, d);
  p4_declare(k, d);
}

// ---- types -------------------------------------------------------------------------------------

static void check_new(struct p4_checker *k, struct p4_decl *d) {
  const struct p4_type *of = p4_check_type(k, d->written), *base = p4_type_base(of);
  if (base->kind != P4_TYPE_BITS && base->kind != P4_TYPE_BOOL && base->kind != P4_TYPE_ENUM &&
      !p4_is_poison(of)) {
    p4_error(k->c, d->written->place, "bad-type",
             "'type' makes a new type of bit<W>, int<W>, bool or an enum, and not of %s",
             p4_show(k, of));
    d->written->type = k->poison;
  }
  d->type = p4_type_of_decl(k, P4_TYPE_NEW, d, NULL);
}

static void keep_member(struct p4_checker *k, struct p4_decl ***list, unsigned *num, unsigned *room,
                        struct p4_decl *d) {
  for (unsigned i = 0; i < *num; i++)
    if ((*list)[i]->name == d->name) {
      p4_error(k->c, d->place, "twice", "%s '%s' is declared twice",
               d->kind == P4_DECL_ERROR ? "error" : "match kind", d->name);
      return;
    }
  if (*num == *room) {
    *room = *room ? *room * 2 : 16;
    struct p4_decl **grown = NEW_ARRAY(k->arena, struct p4_decl *, *room);
    if (*num) memcpy(grown, *list, *num * sizeof **list);
    *list = grown;
  }
  d->number = *num;
  (*list)[(*num)++] = d;
}

static void check_match_kind(struct p4_checker *k, struct p4_decl *d) {
  keep_member(k, &k->match_kinds, &k->num_match_kinds, &k->room_match_kinds, d);
  d->type = k->match_kind;
  p4_declare(k, d);
}

void p4_check_decl(struct p4_checker *k, struct p4_decl *d) {
  p4_name_decl(k, d);
  p4_check_annotations(k, d->annotations);
  switch (d->kind) {
    case P4_DECL_CONST: check_const(k, d); break;
    case P4_DECL_VARIABLE: check_variable(k, d); break;
    case P4_DECL_INSTANCE: check_instance(k, d); break;
    case P4_DECL_FUNCTION: check_function(k, d); break;
    case P4_DECL_ACTION: check_action(k, d); break;
    case P4_DECL_EXTERN: check_extern(k, d); break;
    case P4_DECL_PACKAGE: check_package(k, d); break;
    case P4_DECL_PARSER:
    case P4_DECL_CONTROL: check_block(k, d); break;
    case P4_DECL_TABLE: p4_check_table(k, d); break;
    case P4_DECL_VALUE_SET: check_value_set(k, d); break;
    case P4_DECL_MATCH_KIND: check_match_kind(k, d); break;
    case P4_DECL_ERROR:
      keep_member(k, &k->errors, &k->num_errors, &k->room_errors, d);
      d->type = k->error;
      break;
    case P4_DECL_TYPEDEF:
      d->type = p4_check_type(k, d->written);
      p4_declare(k, d);
      break;
    case P4_DECL_NEW:
      check_new(k, d);
      p4_declare(k, d);
      break;
    case P4_DECL_ENUM:
      p4_check_enum(k, d);
      p4_declare(k, d);
      break;
    default: p4_check_struct(k, d); p4_declare(k, d);
  }
}
