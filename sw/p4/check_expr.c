// SPDX-License-Identifier: Apache-2.0
// Expressions: names, members, what may be assigned to.
#include <string.h>

#include "check.h"

void p4_poison(struct p4_checker *k, struct p4_expr *e) {
  e->type = k->poison;
  e->value = NULL;
}

// ---- names -------------------------------------------------------------------------------------

static void unknown_name(struct p4_checker *k, const struct p4_expr *e) {
  const char *similar = p4_similar(k, e->name, false);
  if (similar)
    p4_error(k->c, e->place, "unknown-name", "unknown name '%s'; is '%s' meant?", e->name, similar);
  else
    p4_error(k->c, e->place, "unknown-name",
             "unknown name '%s'; a name is declared before it is used", e->name);
}

static void match_kind_value(struct p4_checker *k, struct p4_expr *e, const struct p4_decl *d) {
  struct p4_value *v = NEW(k->arena, struct p4_value);
  v->kind = P4_VALUE_MEMBER;
  v->member = d;
  e->type = k->match_kind;
  e->value = v;
}

static void set_name_type(struct p4_checker *k, struct p4_expr *e, struct p4_decl *d) {
  switch (d->kind) {
    case P4_DECL_CONST:
    case P4_DECL_VARIABLE:
    case P4_DECL_PARAM:
    case P4_DECL_INSTANCE:
    case P4_DECL_VALUE_SET:
      e->type = d->type ? d->type : k->poison;
      if (d->kind == P4_DECL_CONST) e->value = d->value;
      break;
    case P4_DECL_TABLE: e->type = p4_type_of_decl(k, P4_TYPE_TABLE, d, NULL); break;
    case P4_DECL_ACTION:
    case P4_DECL_FUNCTION: e->type = p4_type_of_decl(k, P4_TYPE_CALLABLE, d, NULL); break;
    case P4_DECL_MATCH_KIND: match_kind_value(k, e, d); break;
    default:
      p4_error(k->c, e->place, "type-as-value", "'%s' is a type, and no value", e->name);
      p4_poison(k, e);
  }
}

static bool writable(const struct p4_decl *d) {
  return d->kind == P4_DECL_VARIABLE ||
         (d->kind == P4_DECL_PARAM && (d->direction == P4_OUT || d->direction == P4_INOUT));
}

static void check_name(struct p4_checker *k, struct p4_expr *e) {
  struct p4_decl *d = p4_find(k, e->name, e->absolute);
  if (!d) {
    unknown_name(k, e);
    p4_poison(k, e);
    return;
  }
  e->decl = d;
  e->lvalue = writable(d);
  set_name_type(k, e, d);
}

// ---- lists -------------------------------------------------------------------------------------

static void check_list(struct p4_checker *k, struct p4_expr *e) {
  const struct p4_type **types = NEW_ARRAY(k->arena, const struct p4_type *, e->count + 1);
  const struct p4_value **items = NEW_ARRAY(k->arena, const struct p4_value *, e->count + 1);
  unsigned num = 0, known = 0;
  bool bad = false, loose = e->kind == P4_EXPR_STRUCT;
  for (struct p4_expr **a = &e->args; *a; a = &(*a)->next) {
    if ((*a)->kind == P4_EXPR_FILL) {
      loose = true;
      (*a)->type = k->any;
      continue;
    }
    p4_check_expr(k, a);
    bad = bad || p4_is_poison((*a)->type);
    if ((*a)->type->kind == P4_TYPE_VOID) {
      p4_error(k->c, (*a)->place, "type", "this call gives nothing");
      bad = true;
    }
    known += (*a)->value != NULL;
    items[num] = (*a)->value;
    types[num++] = (*a)->type;
  }
  e->type = bad ? k->poison : loose ? k->any : p4_type_tuple(k, types, num);
  if (bad || loose || known < num) return;
  struct p4_value *v = NEW(k->arena, struct p4_value);
  *v = (struct p4_value){.kind = P4_VALUE_LIST, .num_items = num, .items = items};
  e->value = v;
}

// ---- all ---------------------------------------------------------------------------------------

static void check_this(struct p4_checker *k, struct p4_expr *e) {
  if (k->this_type) {
    e->type = k->this_type;
    e->decl = k->instance;
    return;
  }
  p4_error(k->c, e->place, "this", "'this' stands for an extern only in its abstract methods");
  p4_poison(k, e);
}

static void refuse(struct p4_checker *k, struct p4_expr *e) {
  const char *what = e->kind == P4_EXPR_ANY ? "'_' stands only in keysets and for out arguments"
                     : e->kind == P4_EXPR_DEFAULT ? "'default' stands only in keysets"
                     : e->kind == P4_EXPR_FILL    ? "'...' stands only where a type is known"
                                                  : "a set stands only in select cases and entries";
  p4_error(k->c, e->place, "misplaced", "%s", what);
  p4_poison(k, e);
}

static void type_as_value(struct p4_checker *k, struct p4_expr *e) {
  const struct p4_type *type = p4_check_type(k, e->written);
  if (!p4_is_poison(type))
    p4_error(k->c, e->place, "type-as-value", "'%s' is a type, and no value", p4_show(k, type));
  p4_poison(k, e);
}

void p4_check_expr(struct p4_checker *k, struct p4_expr **at) {
  struct p4_expr *e = *at;
  if (e->type) return;
  switch (e->kind) {
    case P4_EXPR_NUMBER:
    case P4_EXPR_BOOL:
    case P4_EXPR_STRING: p4_literal(k, e); break;
    case P4_EXPR_NAME: check_name(k, e); break;
    case P4_EXPR_TYPE: type_as_value(k, e); break;
    case P4_EXPR_THIS: check_this(k, e); break;
    case P4_EXPR_MEMBER: p4_check_member(k, e); break;
    case P4_EXPR_CALL: p4_check_call(k, e); break;
    case P4_EXPR_LIST:
    case P4_EXPR_STRUCT: check_list(k, e); break;
    case P4_EXPR_INVALID:
    case P4_EXPR_FILL: e->type = k->any; break;
    case P4_EXPR_MASK:
    case P4_EXPR_RANGE:
    case P4_EXPR_DEFAULT:
    case P4_EXPR_ANY: refuse(k, e); break;
    default: p4_check_operator(k, e);
  }
}

void p4_check_bool(struct p4_checker *k, struct p4_expr **at, const char *what) {
  p4_check_expr(k, at);
  const struct p4_type *type = (*at)->type;
  if (type->kind == P4_TYPE_BOOL || p4_is_poison(type)) return;
  const char *hint = p4_is_number(type) ? "; write '!= 0'" : "";
  p4_error(k->c, (*at)->place, "type", "%s is bool, and not %s%s", what, p4_show(k, type), hint);
  p4_poison(k, *at);
}

// ---- what may be assigned to -------------------------------------------------------------------

const struct p4_expr *p4_root(const struct p4_expr *e) {
  while (e->kind == P4_EXPR_MEMBER || e->kind == P4_EXPR_INDEX || e->kind == P4_EXPR_SLICE ||
         e->kind == P4_EXPR_PART)
    e = e->a;
  return e;
}

static void tell_not_writable(struct p4_checker *k, const struct p4_expr *e, const char *what,
                              const struct p4_expr *root) {
  const struct p4_decl *d = root->decl;
  if (d && d->kind == P4_DECL_CONST)
    p4_error(k->c, e->place, "not-lvalue", "%s changes, and '%s' is a constant", what, d->name);
  else if (d && d->kind == P4_DECL_PARAM && d->direction == P4_IN)
    p4_error(k->c, e->place, "not-lvalue", "%s changes, and '%s' is an 'in' parameter", what,
             d->name);
  else if (d && d->kind == P4_DECL_PARAM)
    p4_error(k->c, e->place, "not-lvalue",
             "%s changes, and '%s' is a parameter without a direction", what, d->name);
  else
    p4_error(k->c, e->place, "not-lvalue",
             "%s is a variable, a field or an element, which can be assigned to", what);
}

bool p4_check_lvalue(struct p4_checker *k, const struct p4_expr *e, const char *what) {
  if (e->lvalue || p4_is_poison(e->type)) return true;
  tell_not_writable(k, e, what, p4_root(e));
  return false;
}

static bool is_constructor_param(const struct p4_decl *d) {
  if (d->kind != P4_DECL_PARAM || !d->owner) return false;
  for (const struct p4_decl *p = d->owner->constructor_params; p; p = p->next)
    if (p == d) return true;
  return false;
}

bool p4_is_constant(const struct p4_expr *e) {
  if (e->value) return true;
  switch (e->kind) {
    case P4_EXPR_NAME:
      return e->decl && (e->decl->kind == P4_DECL_INSTANCE || is_constructor_param(e->decl));
    case P4_EXPR_UNARY:
    case P4_EXPR_CAST: return p4_is_constant(e->a);
    case P4_EXPR_BINARY: return p4_is_constant(e->a) && p4_is_constant(e->b);
    case P4_EXPR_COND: return p4_is_constant(e->a) && p4_is_constant(e->b) && p4_is_constant(e->c);
    case P4_EXPR_CALL: return e->call && e->call->kind == P4_CALL_CONSTRUCTOR;
    case P4_EXPR_LIST:
      for (const struct p4_expr *a = e->args; a; a = a->next)
        if (!p4_is_constant(a)) return false;
      return true;
    default: return false;
  }
}
