// SPDX-License-Identifier: Apache-2.0
// Arguments: which belongs to which parameter, and whether it may.
#include "check.h"

static unsigned place_among(const struct p4_decl *params, const char *name) {
  unsigned i = 0;
  while (params && params->name != name) {
    params = params->next;
    i++;
  }
  return i;
}

static bool may_lack(const struct p4_decl *param) { return param->init || param->optional; }

bool p4_args_fit(const struct p4_decl *params, const struct p4_expr *args) {
  const unsigned num = p4_count(params);
  unsigned given = 0;
  const struct p4_decl *p = params;
  for (const struct p4_expr *a = args; a; a = a->next, given++) {
    if (!a->label != !args->label || given >= num) return false;
    if (a->label && place_among(params, a->label) >= num) return false;
    if (!a->label) p = p->next;
  }
  if (args && args->label) {
    for (p = params; p; p = p->next) {
      const struct p4_expr *a = args;
      while (a && a->label != p->name) a = a->next;
      if (!a && !may_lack(p)) return false;
    }
    return true;
  }
  while (p && may_lack(p)) p = p->next;
  return !p;
}

void p4_tell_args(struct p4_checker *k, struct p4_place place, const char *name,
                  const struct p4_decl *params, const struct p4_expr *args) {
  const unsigned num = p4_count(params);
  unsigned given = 0, least = 0;
  for (const struct p4_decl *p = params; p; p = p->next) least += !may_lack(p);
  for (const struct p4_expr *a = args; a; a = a->next, given++) {
    if (!a->label != !args->label) {
      p4_error(k->c, a->label_place, "arguments", "either all arguments have names, or none");
      return;
    }
    if (a->label && place_among(params, a->label) >= num) {
      p4_error(k->c, a->label_place, "arguments", "'%s' has no parameter '%s'", name, a->label);
      return;
    }
  }
  if (given < least || given > num)
    p4_error(k->c, place, "arguments", "'%s' takes %s%u argument%s, and gets %u", name,
             least == num    ? ""
             : given < least ? "at least "
                             : "at most ",
             given < least ? least : num, (given < least ? least : num) == 1 ? "" : "s", given);
  else p4_error(k->c, place, "arguments", "an argument of '%s' is missing", name);
}

// ---- order -------------------------------------------------------------------------------------

// The slot of each argument, by parameter: NULL where there is none.
static bool order(struct p4_checker *k, struct p4_call *call, const struct p4_signature *s,
                  struct p4_expr **args) {
  call->num_args = p4_count(s->params);
  call->args = NEW_ARRAY(k->arena, struct p4_expr *, call->num_args + 1);
  unsigned at = 0;
  struct p4_expr *a = *args, *next;
  *args = NULL;
  for (; a; a = next) {
    next = a->next;
    a->next = NULL;
    const unsigned i = a->label ? place_among(s->params, a->label) : at++;
    if (call->args[i]) {
      p4_error(k->c, a->label_place, "twice", "parameter '%s' gets two arguments", a->label);
      return false;
    }
    call->args[i] = a;
  }
  return true;
}

static void check_each(struct p4_checker *k, struct p4_call *call) {
  for (unsigned i = 0; i < call->num_args; i++) {
    struct p4_expr *a = call->args[i];
    if (!a) continue;
    if (a->kind == P4_EXPR_ANY) a->type = k->any;
    else p4_check_expr(k, &call->args[i]);
  }
}

// ---- types -------------------------------------------------------------------------------------

static bool written_types(struct p4_checker *k, struct p4_place place, const struct p4_signature *s,
                          struct p4_inference *inference) {
  unsigned i = 0;
  for (struct p4_written *w = s->type_args; w; w = w->next, i++) {
    if (i >= inference->num) break;
    const struct p4_type *type = p4_check_type(k, w);
    if (p4_is_poison(type)) return false;
    inference->args[i] = type->kind == P4_TYPE_ANY ? NULL : type;
  }
  unsigned given = 0;
  for (const struct p4_written *w = s->type_args; w; w = w->next) given++;
  if (!given || given == inference->num) return true;
  p4_error(k->c, place, "type-arguments", "'%s' takes %u type argument%s, and gets %u", s->name,
           inference->num, inference->num == 1 ? "" : "s", given);
  return false;
}

// What has the type that it is converted to.
static bool is_loose(const struct p4_expr *e) {
  return e->kind == P4_EXPR_LIST || e->kind == P4_EXPR_STRUCT || e->kind == P4_EXPR_INVALID ||
         e->kind == P4_EXPR_FILL;
}

// From arguments that have types of their own, or (`loose`) from lists, for what is not known yet.
static bool infer_some(struct p4_checker *k, struct p4_call *call, const struct p4_signature *s,
                       struct p4_inference *inference, bool loose) {
  unsigned i = 0;
  for (const struct p4_decl *p = s->params; p; p = p->next, i++) {
    if (!call->args[i] || !p->type || is_loose(call->args[i]) != loose) continue;
    const struct p4_type *formal = p4_substitute(k, p->type, s->outer_params, s->outer_args);
    if (p4_infer(k, inference, formal, call->args[i]->type) || loose) continue;
    p4_error(k->c, call->args[i]->place, "type",
             "argument '%s' of '%s' is %s, which does not go with the other arguments", p->name,
             s->name, p4_show(k, call->args[i]->type));
    return false;
  }
  return true;
}

static bool infer_types(struct p4_checker *k, struct p4_call *call, const struct p4_signature *s,
                        struct p4_inference *inference) {
  unsigned known = 0;
  for (unsigned i = 0; i < inference->num; i++) known += inference->args[i] != NULL;
  if (known == inference->num) return true;
  return infer_some(k, call, s, inference, false) && infer_some(k, call, s, inference, true);
}

const struct p4_type *p4_call_type(struct p4_checker *k, const struct p4_call *call,
                                   const struct p4_signature *s, const struct p4_type *type) {
  type = p4_substitute(k, type, s->outer_params, s->outer_args);
  return p4_substitute(k, type, s->type_params, call->type_args);
}

// ---- each argument -----------------------------------------------------------------------------

static bool check_out(struct p4_checker *k, const struct p4_decl *p, const char *what,
                      struct p4_expr **at, const struct p4_type *type) {
  struct p4_expr *a = *at;
  if (a->kind == P4_EXPR_ANY) {
    a->type = type;
    return true;
  }
  if (p4_is_poison(a->type)) return false;
  if (!p4_check_lvalue(k, a, what)) return false;
  if (a->type == type || type->kind == P4_TYPE_ANY || p4_is_poison(type)) return true;
  p4_error(k->c, a->place, "type", "%s is %s, and not %s; %s", what, p4_show(k, type),
           p4_show(k, a->type),
           p->direction == P4_OUT ? "nothing is converted on the way out"
                                  : "an inout argument is not converted");
  return false;
}

// The first number without a width in an argument, or NULL.
static const struct p4_expr *widthless(const struct p4_expr *e) {
  if (e->type->kind == P4_TYPE_INT) return e;
  const struct p4_expr *found = NULL;
  if (e->kind == P4_EXPR_LIST || e->kind == P4_EXPR_STRUCT)
    for (const struct p4_expr *a = e->args; a && !found; a = a->next) found = widthless(a);
  return found;
}

// The type of a parameter with a direction is one of values that are there when the program runs.
static bool has_width(struct p4_checker *k, const struct p4_decl *p, const struct p4_expr *e,
                      const char *what) {
  const struct p4_expr *number = p->direction == P4_IN ? widthless(e) : NULL;
  if (!number) return true;
  p4_error(k->c, number->place, "no-width", "a number without a width in %s; write one, as 32w0",
           what);
  return false;
}

static bool check_one(struct p4_checker *k, const struct p4_signature *s, const struct p4_decl *p,
                      struct p4_expr **at, const struct p4_type *type) {
  const char *what = arena_format(k->arena, "argument '%s' of '%s'", p->name, s->name);
  if (p->direction == P4_OUT || p->direction == P4_INOUT) return check_out(k, p, what, at, type);
  if ((*at)->kind == P4_EXPR_ANY) {
    p4_error(k->c, (*at)->place, "misplaced", "'_' is for out arguments; %s is not one", what);
    return false;
  }
  if (!s->constant && p4_refuse_fill(k, *at, "an argument")) return false;
  p4_must_convert(k, at, type, what);
  if (p4_is_poison((*at)->type)) return false;
  if ((*at)->type->kind == P4_TYPE_ANY) {
    p4_error(k->c, (*at)->place, "no-type", "%s has no type; write one before it: (T) { .. }",
             what);
    return false;
  }
  if (!has_width(k, p, *at, what)) return false;
  if (!s->constant || p4_is_constant(*at)) return true;
  p4_error(k->c, (*at)->place, "not-constant", "%s is known at compile time", what);
  return false;
}

// What stands for a parameter without an argument.
static struct p4_expr *default_of(struct p4_checker *k, const struct p4_decl *p) {
  if (!p->init) return NULL;
  struct p4_expr *copy = NEW(k->arena, struct p4_expr);
  *copy = *p->init;
  return copy;
}

bool p4_check_args(struct p4_checker *k, struct p4_place place, struct p4_call *call,
                   const struct p4_signature *s, struct p4_expr **args) {
  if (!order(k, call, s, args)) return false;
  check_each(k, call);
  call->num_type_args = p4_count(s->type_params);
  call->type_args = NEW_ARRAY(k->arena, const struct p4_type *, call->num_type_args + 1);
  call->param_types = NEW_ARRAY(k->arena, const struct p4_type *, call->num_args + 1);
  struct p4_inference inference = {s->type_params, call->num_type_args, call->type_args};
  if (!written_types(k, place, s, &inference) || !infer_types(k, call, s, &inference)) return false;
  for (unsigned i = 0; i < call->num_type_args; i++)
    if (!call->type_args[i]) call->type_args[i] = k->any;
  bool good = true;
  unsigned i = 0;
  for (const struct p4_decl *p = s->params; p; p = p->next, i++) {
    call->param_types[i] = p4_call_type(k, call, s, p->type ? p->type : k->poison);
    if (!call->args[i]) call->args[i] = default_of(k, p);
    else good = check_one(k, s, p, &call->args[i], call->param_types[i]) && good;
  }
  return good;
}
