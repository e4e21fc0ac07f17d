// SPDX-License-Identifier: Apache-2.0
// Constructors: of externs, parsers, controls, packages.
#include "check.h"

static enum p4_type_kind type_kind_of(const struct p4_decl *d) {
  return d->kind == P4_DECL_EXTERN    ? P4_TYPE_EXTERN
         : d->kind == P4_DECL_PARSER  ? P4_TYPE_PARSER
         : d->kind == P4_DECL_CONTROL ? P4_TYPE_CONTROL
                                      : P4_TYPE_PACKAGE;
}

static unsigned count_written(const struct p4_written *w) {
  unsigned num = 0;
  for (; w; w = w->next) num++;
  return num;
}

// What a name stands for that is constructed. NULL after a message.
static struct p4_decl *made(struct p4_checker *k, const struct p4_written *w) {
  struct p4_decl *d = w->kind == P4_WRITTEN_NAME ? p4_find(k, w->name, w->absolute) : NULL;
  while (d && d->kind == P4_DECL_TYPEDEF && d->written->kind == P4_WRITTEN_NAME && d->type &&
         d->type->decl && !d->type->num_args)
    d = (struct p4_decl *)d->type->decl;
  if (w->kind == P4_WRITTEN_NAME && !d) {
    const char *similar = p4_similar(k, w->name, true);
    p4_error(k->c, w->place, "unknown-type",
             similar ? "unknown type '%s'; is '%s' meant?" : "unknown type '%s'", w->name, similar);
    return NULL;
  }
  const bool good = d && (d->kind == P4_DECL_EXTERN || d->kind == P4_DECL_PARSER ||
                          d->kind == P4_DECL_CONTROL || d->kind == P4_DECL_PACKAGE);
  if (!good) {
    p4_error(k->c, w->place, "not-made",
             "externs, parsers, controls and packages are instantiated, and nothing else is");
    return NULL;
  }
  while (d->kind == P4_DECL_EXTERN && w->args && d->overload &&
         p4_count(d->type_params) != count_written(w->args))
    d = d->overload;
  return d;
}

// The constructor of an extern, or a block itself. NULL after a message.
static const struct p4_decl *choose(struct p4_checker *k, const struct p4_written *w,
                                    const struct p4_decl *d, const struct p4_expr *args) {
  const struct p4_decl *only = NULL;
  const bool block = d->kind == P4_DECL_PARSER || d->kind == P4_DECL_CONTROL;
  if (d == k->container) {
    p4_error(k->c, w->place, "recursion", "'%s' is made within itself", d->name);
    return NULL;
  }
  if (block && !d->has_body) {
    p4_error(k->c, w->place, "not-made", "'%s' is a type of %ss; it has no body", d->name,
             d->kind == P4_DECL_PARSER ? "parser" : "control");
    return NULL;
  }
  for (const struct p4_decl *m = d->kind == P4_DECL_EXTERN ? d->members : d; m;
       m = d->kind == P4_DECL_EXTERN ? m->next : m->overload) {
    if (d->kind == P4_DECL_EXTERN && m->kind != P4_DECL_CONSTRUCTOR) continue;
    if (p4_args_fit(m->constructor_params, args)) return m;
    if (!only) only = m;
  }
  if (only) p4_tell_args(k, w->place, d->name, only->constructor_params, args);
  else
    p4_error(k->c, w->place, "not-made", "'%s' has no constructor: no instance of it can be made",
             d->name);
  return NULL;
}

const struct p4_type *p4_check_construct(struct p4_checker *k, struct p4_written *w,
                                         struct p4_expr **args, struct p4_call **call) {
  const struct p4_decl *d = made(k, w);
  const struct p4_decl *callee = d ? choose(k, w, d, *args) : NULL;
  if (!callee) return k->poison;
  if (d->kind != P4_DECL_EXTERN) d = callee;
  struct p4_call *c = *call = NEW(k->arena, struct p4_call);
  c->kind = P4_CALL_CONSTRUCTOR;
  c->callee = callee;
  const struct p4_signature s = {.name = d->name,
                                 .params = callee->constructor_params,
                                 .type_params = d->type_params,
                                 .type_args = w->args,
                                 .constant = true};
  if (!p4_check_args(k, w->place, c, &s, args)) return k->poison;
  p4_warn_deprecated(k, w->place, d);
  for (unsigned i = 0; i < c->num_type_args && d->kind == P4_DECL_EXTERN && !w->args; i++)
    if (c->type_args[i]->kind == P4_TYPE_ANY) {
      p4_error(k->c, w->place, "type-arguments",
               "'%s' needs type arguments, which its arguments do not give; write %s<..>", d->name,
               d->name);
      return k->poison;
    }
  w->type = p4_type_of_decl(k, type_kind_of(d), d, d->type_params ? c->type_args : NULL);
  return w->type;
}
