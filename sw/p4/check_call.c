// SPDX-License-Identifier: Apache-2.0
// Calls: what is called, which of several of one name, and whether it may be called here.
#include <string.h>

#include "check.h"

static struct p4_call *call_new(struct p4_checker *k, struct p4_expr *e, enum p4_call_kind kind,
                                const struct p4_decl *callee, struct p4_expr *object) {
  struct p4_call *call = NEW(k->arena, struct p4_call);
  call->kind = kind;
  call->callee = callee;
  call->object = object;
  e->call = call;
  return call;
}

// Arguments of what is wrong are checked as well: they may have mistakes of their own.
static void give_up(struct p4_checker *k, struct p4_expr *e) {
  for (struct p4_expr **a = &e->args; *a; a = &(*a)->next)
    if ((*a)->kind != P4_EXPR_ANY && (*a)->kind != P4_EXPR_FILL) p4_check_expr(k, a);
  p4_poison(k, e);
}

// ---- where -------------------------------------------------------------------------------------

static const char *here(const struct p4_checker *k) {
  switch (k->where) {
    case P4_IN_STATE: return "a parser";
    case P4_IN_CONTROL: return "an apply block";
    case P4_IN_ACTION: return "an action";
    case P4_IN_FUNCTION: return "a function";
    case P4_IN_LOCALS: return "a declaration";
    default: return "the top level";
  }
}

static bool allowed(struct p4_checker *k, const struct p4_expr *e, bool good, const char *what,
                    const char *where) {
  if (!good)
    p4_error(k->c, e->place, "not-here", "%s is called in %s, and not in %s", what, where, here(k));
  return good;
}

static bool may_call(struct p4_checker *k, const struct p4_expr *e, const struct p4_decl *d) {
  if (d == k->callable) {
    p4_error(k->c, e->place, "recursion", "'%s' calls itself; there is no recursion in P4",
             d->name);
    return false;
  }
  if (d->kind == P4_DECL_ACTION)
    return allowed(k, e, k->where == P4_IN_CONTROL || k->where == P4_IN_ACTION, "an action",
                   "apply blocks and actions");
  if (d->built_in && !d->owner && strcmp(d->name, "verify") == 0)
    return allowed(k, e, k->where == P4_IN_STATE, "'verify'", "parser states");
  return true;
}

// ---- functions and actions ---------------------------------------------------------------------

static unsigned count_written(const struct p4_written *w) {
  unsigned num = 0;
  for (; w; w = w->next) num++;
  return num;
}

static bool candidate(const struct p4_decl *d, const struct p4_expr *e) {
  if (e->type_args && count_written(e->type_args) != p4_count(d->type_params)) return false;
  return p4_args_fit(d->params, e->args);
}

// The first of a chain that takes these arguments; NULL after a message.
static const struct p4_decl *choose(struct p4_checker *k, const struct p4_expr *e,
                                    const struct p4_decl *first) {
  unsigned num = 0;
  for (const struct p4_decl *d = first; d; d = d->overload, num++)
    if (candidate(d, e)) return d;
  if (num > 1) {
    p4_error(k->c, e->place, "arguments", "none of the %u functions '%s' takes these arguments",
             num, first->name);
    return NULL;
  }
  if (p4_args_fit(first->params, e->args))
    p4_error(k->c, e->place, "type-arguments", "'%s' takes %u type arguments, and gets %u",
             first->name, p4_count(first->type_params), count_written(e->type_args));
  else p4_tell_args(k, e->place, first->name, first->params, e->args);
  return NULL;
}

// Of an architecture's functions: what has no direction is known when the program is compiled.
static void check_directionless(struct p4_checker *k, const struct p4_call *call) {
  const struct p4_decl *p = call->callee->params;
  for (unsigned i = 0; p && i < call->num_args; i++, p = p->next) {
    const struct p4_expr *a = call->args[i];
    if (p->direction == P4_NO_DIRECTION && a && !p4_is_poison(a->type) && !p4_is_constant(a))
      p4_error(k->c, a->place, "not-constant", "argument '%s' of '%s' is known at compile time",
               p->name, call->callee->name);
  }
}

static void finish(struct p4_checker *k, struct p4_expr *e, const struct p4_decl *d,
                   const struct p4_signature *s) {
  if (!p4_check_args(k, e->place, e->call, s, &e->args)) {
    p4_poison(k, e);
    return;
  }
  p4_warn_deprecated(k, e->place, d);
  e->type = p4_call_type(k, e->call, s, d->type ? d->type : k->poison);
  if (e->type->loose) {
    p4_error(k->c, e->place, "type-arguments", "the type that '%s' gives is not known; write %s<T>",
             d->name, d->name);
    p4_poison(k, e);
  }
}

// It is decided here, and gives true.
static void assert_now(struct p4_checker *k, struct p4_expr *e) {
  const struct p4_expr *check = e->call->args[0];
  const struct p4_expr *text = e->call->num_args > 1 ? e->call->args[1] : NULL;
  if (!check->value || check->value->kind != P4_VALUE_BOOL)
    p4_error(k->c, check->place, "not-constant", "what is asserted is known at compile time");
  else if (!check->value->truth)
    p4_error(k->c, e->place, "static-assert", "this is not so%s%s", text && text->value ? ": " : "",
             text && text->value ? text->value->text : "");
  e->value = p4_value_bool(k, true);
}

static void call_function(struct p4_checker *k, struct p4_expr *e, const struct p4_decl *first) {
  const struct p4_decl *d = choose(k, e, first);
  if (!d || !may_call(k, e, d)) {
    give_up(k, e);
    return;
  }
  e->a->decl = d;
  call_new(k, e,
           d->kind == P4_DECL_ACTION ? P4_CALL_ACTION
           : d->has_body             ? P4_CALL_FUNCTION
                                     : P4_CALL_EXTERN,
           d, NULL);
  const struct p4_signature s = {.name = d->name,
                                 .params = d->params,
                                 .type_params = d->type_params,
                                 .type_args = e->type_args};
  finish(k, e, d, &s);
  const bool asserts = d->built_in && strcmp(d->name, "static_assert") == 0;
  if (d->built_in && !d->has_body && d->kind == P4_DECL_FUNCTION && !asserts &&
      !p4_is_poison(e->type))
    check_directionless(k, e->call);
  if (asserts && !p4_is_poison(e->type)) assert_now(k, e);
}

static void call_name(struct p4_checker *k, struct p4_expr *e) {
  p4_check_expr(k, &e->a);
  if (p4_is_poison(e->a->type)) {
    give_up(k, e);
    return;
  }
  if (e->a->type->kind == P4_TYPE_CALLABLE) {
    call_function(k, e, e->a->decl);
    return;
  }
  const char *hint = e->a->type->kind == P4_TYPE_TABLE || e->a->type->kind == P4_TYPE_CONTROL ||
                             e->a->type->kind == P4_TYPE_PARSER
                         ? arena_format(k->arena, "; write %s.apply()", e->a->name)
                         : "";
  p4_error(k->c, e->place, "not-callable", "'%s' is no function or action%s", e->a->name, hint);
  give_up(k, e);
}

static void call_type(struct p4_checker *k, struct p4_expr *e) {
  e->type = p4_check_construct(k, e->a->written, &e->args, &e->call);
  if (k->where != P4_AT_TOP && k->where != P4_IN_LOCALS && !p4_is_poison(e->type)) {
    p4_error(k->c, e->place, "instance-here",
             "an instance is declared outside of apply, actions "
             "and states");
    p4_poison(k, e);
  }
}

// ---- methods -----------------------------------------------------------------------------------

static void call_method(struct p4_checker *k, struct p4_expr *e) {
  struct p4_expr *object = e->a->a;
  const struct p4_type *type = object->type;
  const struct p4_decl *found = NULL, *only = NULL;
  unsigned num = 0;
  for (const struct p4_decl *m = type->decl->members; m; m = m->next) {
    if (m->name != e->a->name || m->kind != P4_DECL_FUNCTION) continue;
    if (!only) only = m;
    num++;
    if (!found && candidate(m, e)) found = m;
  }
  if (!only) {
    const char *similar = p4_similar_member(type->decl->members, e->a->name);
    p4_error(k->c, e->a->place, "unknown-method",
             similar ? "'%s' has no method '%s'; is '%s' meant?" : "'%s' has no method '%s'",
             p4_show(k, type), e->a->name, similar);
  } else if (!found && num > 1) {
    p4_error(k->c, e->place, "arguments", "none of the methods '%s' takes these arguments",
             e->a->name);
  } else if (!found) {
    p4_tell_args(k, e->place, e->a->name, only->params, e->args);
  }
  if (!found) {
    give_up(k, e);
    return;
  }
  e->a->member = P4_MEMBER_METHOD;
  e->a->decl = found;
  call_new(k, e, P4_CALL_METHOD, found, object);
  const struct p4_signature s = {.name = found->name,
                                 .params = found->params,
                                 .type_params = found->type_params,
                                 .type_args = e->type_args,
                                 .outer_params = type->decl->type_params,
                                 .outer_args = type->args};
  finish(k, e, found, &s);
  p4_check_packet(k, e);
}

static void call_table(struct p4_checker *k, struct p4_expr *e) {
  struct p4_expr *object = e->a->a;
  if (e->args) {
    p4_error(k->c, e->place, "arguments", "apply() of a table takes no arguments");
    give_up(k, e);
    return;
  }
  if (!allowed(k, e, k->where == P4_IN_CONTROL, "a table", "apply blocks")) {
    p4_poison(k, e);
    return;
  }
  call_new(k, e, P4_CALL_TABLE, object->type->decl, object);
  e->type = p4_type_of_decl(k, P4_TYPE_RESULT, object->type->decl, NULL);
}

static void call_block(struct p4_checker *k, struct p4_expr *e, struct p4_expr *object) {
  const struct p4_type *type = object->type;
  const bool parser = type->kind == P4_TYPE_PARSER;
  const struct p4_decl *d = type->decl;
  if (!allowed(k, e, k->where == (parser ? P4_IN_STATE : P4_IN_CONTROL),
               parser ? "a parser" : "a control", parser ? "parser states" : "apply blocks")) {
    give_up(k, e);
    return;
  }
  if (!p4_args_fit(d->params, e->args)) {
    p4_tell_args(k, e->place, d->name, d->params, e->args);
    give_up(k, e);
    return;
  }
  call_new(k, e, parser ? P4_CALL_PARSER : P4_CALL_CONTROL, d, object);
  const struct p4_signature s = {.name = d->name,
                                 .params = d->params,
                                 .outer_params = d->type_params,
                                 .outer_args = type->args};
  if (p4_check_args(k, e->place, e->call, &s, &e->args)) e->type = k->none;
  else p4_poison(k, e);
}

// `T.apply(..)`: an instance without a name, made where it is applied.
static void apply_type(struct p4_checker *k, struct p4_expr *e) {
  struct p4_expr *object = e->a->a, *made = NEW(k->arena, struct p4_expr);
  made->kind = P4_EXPR_CALL;
  made->place = object->place;
  made->a = object;
  made->type = p4_check_construct(k, object->written, &made->args, &made->call);
  e->a->a = made;
  if (made->type->kind == P4_TYPE_PARSER || made->type->kind == P4_TYPE_CONTROL) {
    call_block(k, e, made);
    return;
  }
  if (!p4_is_poison(made->type))
    p4_error(k->c, e->place, "not-callable", "'%s' has no apply()", p4_show(k, made->type));
  give_up(k, e);
}

// ---- what headers, stacks and sizes have -------------------------------------------------------

static const struct {
  const char *name;
  enum p4_built_in built_in;
} sizes[] = {{"minSizeInBits", P4_MIN_SIZE_IN_BITS},
             {"minSizeInBytes", P4_MIN_SIZE_IN_BYTES},
             {"maxSizeInBits", P4_MAX_SIZE_IN_BITS},
             {"maxSizeInBytes", P4_MAX_SIZE_IN_BYTES}};

// True if it is one of them.
static bool call_size(struct p4_checker *k, struct p4_expr *e, const struct p4_type *type) {
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    if (strcmp(sizes[i].name, e->a->name) != 0) continue;
    const enum p4_built_in b = sizes[i].built_in;
    uint64_t bits;
    call_new(k, e, P4_CALL_BUILT_IN, NULL, e->a->a)->built_in = b;
    e->type = k->integer;
    if (!p4_type_bits(type, b == P4_MAX_SIZE_IN_BITS || b == P4_MAX_SIZE_IN_BYTES, &bits)) {
      p4_error(k->c, e->place, "no-size", "%s has no size in bits", p4_show(k, type));
      p4_poison(k, e);
      return true;
    }
    if (b == P4_MIN_SIZE_IN_BYTES || b == P4_MAX_SIZE_IN_BYTES) bits = (bits + 7) / 8;
    e->value = p4_value_number(k, p4_wide_from_unsigned(k->arena, bits));
    return true;
  }
  return false;
}

static void call_validity(struct p4_checker *k, struct p4_expr *e, enum p4_built_in b) {
  struct p4_expr *object = e->a->a;
  call_new(k, e, P4_CALL_BUILT_IN, NULL, object)->built_in = b;
  e->type = b == P4_IS_VALID ? k->boolean : k->none;
  if (e->args) p4_error(k->c, e->place, "arguments", "'%s' takes no arguments", e->a->name);
  if (b == P4_IS_VALID) return;
  if (object->type->kind == P4_TYPE_UNION)
    p4_error(k->c, e->place, "unknown-method",
             "'%s' is for a header, and not for a whole union; name its member", e->a->name);
  else p4_check_lvalue(k, object, arena_format(k->arena, "the header of '%s'", e->a->name));
}

static void call_push(struct p4_checker *k, struct p4_expr *e, enum p4_built_in b) {
  uint64_t count;
  struct p4_call *call = call_new(k, e, P4_CALL_BUILT_IN, NULL, e->a->a);
  call->built_in = b;
  e->type = k->none;
  if (!e->args || e->args->next) {
    p4_error(k->c, e->place, "arguments", "'%s' takes one argument, a constant", e->a->name);
    give_up(k, e);
    return;
  }
  p4_check_expr(k, &e->args);
  p4_constant_in(k, e->args, 1, UINT32_MAX, "the count of elements", &count);
  call->num_args = 1;
  call->args = NEW_ARRAY(k->arena, struct p4_expr *, 1);
  call->args[0] = e->args;
  e->args = NULL;
  p4_check_lvalue(k, e->a->a, "the stack");
}

static void call_built_in(struct p4_checker *k, struct p4_expr *e, const struct p4_type *type) {
  const char *name = e->a->name;
  const bool header = type->kind == P4_TYPE_HEADER || type->kind == P4_TYPE_UNION;
  const bool stack = type->kind == P4_TYPE_STACK;
  if (header && strcmp(name, "isValid") == 0) call_validity(k, e, P4_IS_VALID);
  else if (header && strcmp(name, "setValid") == 0) call_validity(k, e, P4_SET_VALID);
  else if (header && strcmp(name, "setInvalid") == 0) call_validity(k, e, P4_SET_INVALID);
  else if (stack && strcmp(name, "push_front") == 0) call_push(k, e, P4_PUSH_FRONT);
  else if (stack && strcmp(name, "pop_front") == 0) call_push(k, e, P4_POP_FRONT);
  else {
    if (!p4_is_poison(type))
      p4_error(k->c, e->a->place, "unknown-method", "%s has no method '%s'", p4_show(k, type),
               name);
    give_up(k, e);
  }
}

static void call_on_type(struct p4_checker *k, struct p4_expr *e) {
  if (strcmp(e->a->name, "apply") == 0) {
    apply_type(k, e);
    return;
  }
  struct p4_expr *object = e->a->a;
  const struct p4_type *type = object->type = p4_check_type(k, object->written);
  if (p4_is_poison(type)) give_up(k, e);
  else if (!call_size(k, e, type)) {
    p4_error(k->c, e->a->place, "unknown-method", "type '%s' has no method '%s'", p4_show(k, type),
             e->a->name);
    give_up(k, e);
  }
}

static void call_member(struct p4_checker *k, struct p4_expr *e) {
  if (e->a->a->kind == P4_EXPR_TYPE) {
    call_on_type(k, e);
    return;
  }
  p4_check_expr(k, &e->a->a);
  const struct p4_type *type = e->a->a->type;
  const bool apply = strcmp(e->a->name, "apply") == 0;
  e->a->member = P4_MEMBER_METHOD;
  if (type->kind == P4_TYPE_EXTERN) call_method(k, e);
  else if (apply && type->kind == P4_TYPE_TABLE) call_table(k, e);
  else if (apply && (type->kind == P4_TYPE_PARSER || type->kind == P4_TYPE_CONTROL))
    call_block(k, e, e->a->a);
  else if (p4_is_poison(type) || !call_size(k, e, type)) call_built_in(k, e, type);
}

void p4_check_call(struct p4_checker *k, struct p4_expr *e) {
  if (e->a->kind == P4_EXPR_TYPE) call_type(k, e);
  else if (e->a->kind == P4_EXPR_NAME) call_name(k, e);
  else if (e->a->kind == P4_EXPR_MEMBER) call_member(k, e);
  else {
    p4_error(k->c, e->place, "not-callable", "this cannot be called");
    give_up(k, e);
  }
}
