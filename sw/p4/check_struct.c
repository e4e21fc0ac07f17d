// SPDX-License-Identifier: Apache-2.0
// Structs, headers, unions, enums: what their members may be.
#include "check.h"

static const char *what_it_is(const struct p4_decl *d) {
  return d->kind == P4_DECL_STRUCT   ? "a struct"
         : d->kind == P4_DECL_HEADER ? "a header"
                                     : "a header union";
}

static bool fits_struct(const struct p4_type *type) {
  switch (p4_type_base(type)->kind) {
    case P4_TYPE_INT:
    case P4_TYPE_MATCH_KIND:
    case P4_TYPE_LIST: return false;
    default: return true;
  }
}

static void check_field(struct p4_checker *k, const struct p4_decl *d, struct p4_decl *field) {
  const struct p4_type *type = p4_check_value_type(k, field->written);
  p4_check_annotations(k, field->annotations);
  field->type = type;
  if (p4_is_poison(type)) return;
  const bool good = d->kind == P4_DECL_HEADER ? type->in_header
                    : d->kind == P4_DECL_UNION
                        ? type->kind == P4_TYPE_HEADER || type->kind == P4_TYPE_VARIABLE
                        : fits_struct(type);
  if (good) return;
  const char *hint = type->kind == P4_TYPE_ENUM  ? "; an enum in a header has a type: enum bit<8>"
                     : type->kind == P4_TYPE_INT ? "; 'int' is for constants"
                                                 : "";
  p4_error(k->c, field->written->place, "bad-field", "%s has no field of type %s%s", what_it_is(d),
           p4_show(k, type), hint);
  field->type = k->poison;
}

const struct p4_type *const *p4_own_args(struct p4_checker *k, const struct p4_decl *d) {
  if (!d->type_params) return NULL;
  const struct p4_type **args =
      NEW_ARRAY(k->arena, const struct p4_type *, p4_count(d->type_params));
  unsigned i = 0;
  for (const struct p4_decl *p = d->type_params; p; p = p->next)
    args[i++] = p4_type_of_decl(k, P4_TYPE_VARIABLE, p, NULL);
  return args;
}

void p4_check_struct(struct p4_checker *k, struct p4_decl *d) {
  const enum p4_type_kind kind = d->kind == P4_DECL_STRUCT   ? P4_TYPE_STRUCT
                                 : d->kind == P4_DECL_HEADER ? P4_TYPE_HEADER
                                                             : P4_TYPE_UNION;
  p4_scope_open(k);
  for (struct p4_decl *p = d->type_params; p; p = p->next) p4_declare(k, p);
  unsigned number = 0;
  for (struct p4_decl *m = d->members; m; m = m->next) {
    check_field(k, d, m);
    m->number = number++;
  }
  p4_scope_close(k);
  p4_refuse_doubles(k, d->members, "field");
  d->type = p4_type_of_decl(k, kind, d, p4_own_args(k, d));
}

// ---- enums -------------------------------------------------------------------------------------

static void check_value(struct p4_checker *k, struct p4_decl *m, const struct p4_type *type) {
  if (!type || p4_is_poison(type)) {
    if (!type && m->init)
      p4_error(k->c, m->place, "bad-enum", "'%s' has a value; write 'enum bit<W>' for such an enum",
               m->name);
    return;
  }
  if (!m->init) {
    p4_error(k->c, m->place, "bad-enum",
             "'%s' lacks a value; every member of an enum with a type "
             "has one",
             m->name);
    return;
  }
  p4_check_as(k, &m->init, type, arena_format(k->arena, "the value of '%s'", m->name));
  m->value = m->init->value;
  if (!m->value && !p4_is_poison(m->init->type))
    p4_error(k->c, m->init->place, "not-constant", "the value of '%s' is known at compile time",
             m->name);
}

void p4_check_enum(struct p4_checker *k, struct p4_decl *d) {
  const struct p4_type *type = d->written ? p4_type_base(p4_check_type(k, d->written)) : NULL;
  if (type && type->kind != P4_TYPE_BITS && !p4_is_poison(type))
    p4_error(k->c, d->written->place, "bad-enum",
             "an enum is numbered in bit<W> or int<W>, and not in %s", p4_show(k, type));
  d->type = p4_type_of_decl(k, P4_TYPE_ENUM, d, NULL);
  unsigned number = 0;
  for (struct p4_decl *m = d->members; m; m = m->next) {
    check_value(k, m, type);
    m->number = number++;
    m->type = d->type;
  }
  p4_refuse_doubles(k, d->members, "member");
  if (!d->members) p4_error(k->c, d->place, "bad-enum", "enum '%s' has no members", d->name);
}
