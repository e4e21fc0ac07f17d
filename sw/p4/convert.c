// SPDX-License-Identifier: Apache-2.0
// What the language converts by itself: numbers without a width, enums to what they are numbered
// in, lists to what they are to make.
#include <string.h>

#include "check.h"

// Puts an implicit cast around *at, in its place in a list.
static void wrap(struct p4_checker *k, struct p4_expr **at, const struct p4_type *type) {
  struct p4_expr *e = *at, *cast = NEW(k->arena, struct p4_expr);
  cast->kind = P4_EXPR_CAST;
  cast->implicit = true;
  cast->place = e->place;
  cast->label = e->label;
  cast->label_place = e->label_place;
  cast->next = e->next;
  cast->depth = e->depth;
  cast->a = e;
  cast->type = type;
  e->next = NULL;
  e->label = NULL;
  *at = cast;
  p4_fold(k, cast);
}

// ---- lists -------------------------------------------------------------------------------------

// What member i of such a type has; NULL: there is none.
static const struct p4_type *member_type(const struct p4_type *type, unsigned i) {
  if (type->kind == P4_TYPE_TUPLE) return i < type->num_args ? type->args[i] : NULL;
  if (type->kind == P4_TYPE_STACK) return i < type->size ? type->element : NULL;
  if (type->kind == P4_TYPE_LIST) return type->element;
  return i < type->num_fields ? type->fields[i].type : NULL;
}

static unsigned num_members(const struct p4_type *type, const struct p4_expr *e) {
  if (type->kind == P4_TYPE_TUPLE) return type->num_args;
  if (type->kind == P4_TYPE_STACK) return type->size;
  return type->kind == P4_TYPE_LIST ? e->count : type->num_fields;
}

static struct p4_expr *fill(struct p4_checker *k, struct p4_place place,
                            const struct p4_type *type) {
  struct p4_expr *e = NEW(k->arena, struct p4_expr);
  e->kind = P4_EXPR_FILL;
  e->place = place;
  e->type = type;
  e->value = p4_default_value(k, type);
  return e;
}

// `...` at the end of a list becomes one of its own for each member that is left.
static bool spread(struct p4_checker *k, struct p4_expr *e, const struct p4_type *type) {
  struct p4_expr **end = &e->args;
  unsigned i = 0;
  while (*end && (*end)->kind != P4_EXPR_FILL) {
    end = &(*end)->next;
    i++;
  }
  const unsigned num = num_members(type, e);
  if (!*end && (i == num || type->kind == P4_TYPE_STACK) && i <= num) return true;
  if (!*end || i > num || type->kind == P4_TYPE_LIST) return false;
  const struct p4_place place = (*end)->place;
  *end = NULL;
  for (; i < num; i++, end = &(*end)->next) *end = fill(k, place, member_type(type, i));
  e->count = num;
  return true;
}

// Puts members with names in the order of the fields.
static bool in_order(struct p4_checker *k, struct p4_expr *e, const struct p4_type *type) {
  struct p4_expr **found = NEW_ARRAY(k->arena, struct p4_expr *, type->num_fields + 1);
  struct p4_expr *rest = NULL;
  for (struct p4_expr *a = e->args, *next; a; a = next) {
    next = a->next;
    a->next = NULL;
    if (a->kind == P4_EXPR_FILL && !a->label) {
      rest = a;
      continue;
    }
    const struct p4_field *f = p4_type_field(type, a->label);
    if (!f || found[f - type->fields]) {
      p4_error(k->c, a->label_place, f ? "twice" : "unknown-field",
               f ? "field '%s' is given twice" : "there is no field '%s' in %s", a->label,
               p4_show(k, type));
      return p4_poison(k, e), true;
    }
    found[f - type->fields] = a;
  }
  struct p4_expr **end = &e->args;
  for (unsigned i = 0; i < type->num_fields; i++, end = &(*end)->next) {
    if (!found[i] && !rest) {
      p4_error(k->c, e->place, "missing-field",
               "field '%s' of %s is missing; '...' stands for default values", type->fields[i].name,
               p4_show(k, type));
      e->args = NULL;
      return p4_poison(k, e), true;
    }
    *end = found[i] ? found[i] : fill(k, rest->place, type->fields[i].type);
  }
  *end = NULL;
  e->count = type->num_fields;
  e->kind = P4_EXPR_LIST;
  return true;
}

static void fold_list(struct p4_checker *k, struct p4_expr *e) {
  const struct p4_value **items = NEW_ARRAY(k->arena, const struct p4_value *, e->count + 1);
  unsigned i = 0;
  for (const struct p4_expr *a = e->args; a; a = a->next) {
    if (!a->value) return;
    items[i++] = a->value;
  }
  struct p4_value *v = NEW(k->arena, struct p4_value);
  v->kind = e->type->kind == P4_TYPE_HEADER ? P4_VALUE_HEADER : P4_VALUE_LIST;
  v->num_items = i;
  v->items = items;
  e->value = v;
}

static bool convert_list(struct p4_checker *k, struct p4_expr *e, const struct p4_type *type) {
  const bool labels = e->kind == P4_EXPR_STRUCT;
  const bool fields = type->kind == P4_TYPE_STRUCT || type->kind == P4_TYPE_HEADER;
  if (labels && !fields) return false;
  if (!fields && type->kind != P4_TYPE_TUPLE && type->kind != P4_TYPE_STACK &&
      type->kind != P4_TYPE_LIST)
    return false;
  if (labels && !in_order(k, e, type)) return false;
  if (p4_is_poison(e->type)) return true;
  if (!labels && !spread(k, e, type)) return false;
  unsigned i = 0;
  for (struct p4_expr **a = &e->args; *a; a = &(*a)->next, i++) {
    const struct p4_type *member = member_type(type, i);
    if (!p4_convert(k, a, member)) {
      p4_error(k->c, (*a)->place, "type", "%s where member %u of %s is %s", p4_show(k, (*a)->type),
               i + 1, p4_show(k, type), p4_show(k, member));
      p4_poison(k, e);
      return true;
    }
  }
  e->type = type;
  fold_list(k, e);
  return true;
}

// ---- conversions -------------------------------------------------------------------------------

// Without a cast: what fits as it is.
static bool fits(struct p4_checker *k, const struct p4_type *from, const struct p4_type *to) {
  if (from == to || p4_is_poison(from) || p4_is_poison(to)) return true;
  if (to->kind == P4_TYPE_ANY) return true;
  const bool blocks = from->kind == P4_TYPE_PARSER || from->kind == P4_TYPE_CONTROL ||
                      from->kind == P4_TYPE_PACKAGE || from->kind == P4_TYPE_EXTERN;
  return blocks && p4_stands_for(k, from, to);
}

static bool convert_special(struct p4_checker *k, struct p4_expr *e, const struct p4_type *type) {
  switch (e->kind) {
    case P4_EXPR_LIST:
    case P4_EXPR_STRUCT: return convert_list(k, e, type);
    case P4_EXPR_INVALID:
      if (type->kind != P4_TYPE_HEADER && type->kind != P4_TYPE_UNION) return false;
      e->type = type;
      e->value = p4_default_value(k, type);
      return true;
    case P4_EXPR_FILL:
      e->type = type;
      e->value = p4_default_value(k, type);
      return true;
    default: return false;
  }
}

bool p4_convert(struct p4_checker *k, struct p4_expr **at, const struct p4_type *type) {
  struct p4_expr *e = *at;
  const struct p4_type *from = e->type;
  const bool loose = e->kind == P4_EXPR_LIST || e->kind == P4_EXPR_STRUCT ||
                     e->kind == P4_EXPR_INVALID || e->kind == P4_EXPR_FILL;
  if (loose && from != type && !p4_is_poison(from) && type->kind != P4_TYPE_ANY &&
      convert_special(k, e, type))
    return true;
  if (fits(k, from, type)) return true;
  if (from->kind == P4_TYPE_INT && type->kind == P4_TYPE_BITS) {
    if (!e->value && !p4_is_constant(e)) return false;
    wrap(k, at, type);
    return true;
  }
  if (from->kind == P4_TYPE_ENUM && from->element && from->element == type) {
    wrap(k, at, type);
    return true;
  }
  return false;
}

bool p4_refuse_fill(struct p4_checker *k, const struct p4_expr *e, const char *where) {
  bool found = e->kind == P4_EXPR_FILL;
  if (found)
    p4_error(k->c, e->place, "misplaced", "'...' stands in what is assigned, and not in %s", where);
  else if (e->kind == P4_EXPR_LIST || e->kind == P4_EXPR_STRUCT)
    for (const struct p4_expr *a = e->args; a && !found; a = a->next)
      found = p4_refuse_fill(k, a, where);
  return found;
}

void p4_must_convert(struct p4_checker *k, struct p4_expr **at, const struct p4_type *type,
                     const char *what) {
  if (p4_convert(k, at, type)) return;
  const struct p4_expr *e = *at;
  const bool castable = p4_can_cast(e->type, type) && e->kind != P4_EXPR_LIST;
  const unsigned num = e->kind == P4_EXPR_LIST || e->kind == P4_EXPR_STRUCT ? e->count : 0;
  const bool made = p4_has_fields(type) || type->kind == P4_TYPE_TUPLE;
  if (num && made && num != num_members(type, e))
    p4_error(k->c, e->place, "members", "%s is %s, which has %u members, and this list has %u",
             what, p4_show(k, type), num_members(type, e), num);
  else if (e->type->kind == P4_TYPE_VOID)
    p4_error(k->c, e->place, "type", "%s is %s, and this call gives nothing", what,
             p4_show(k, type));
  else
    p4_error(k->c, e->place, "type",
             castable ? "%s is %s, and not %s; a cast is (%s)" : "%s is %s, and not %s", what,
             p4_show(k, type), p4_show(k, e->type), p4_show(k, type));
  p4_tell_block(k, e->type, type);
  p4_poison(k, *at);
}

void p4_check_as(struct p4_checker *k, struct p4_expr **at, const struct p4_type *type,
                 const char *what) {
  p4_check_expr(k, at);
  p4_must_convert(k, at, type, what);
}

// ---- casts -------------------------------------------------------------------------------------

static bool cast_number(const struct p4_type *from, const struct p4_type *to) {
  if (from->kind == P4_TYPE_INT) return true;
  if (to->kind == P4_TYPE_INT) return true;
  return from->is_signed == to->is_signed || from->width == to->width;
}

bool p4_can_cast(const struct p4_type *from, const struct p4_type *to) {
  if (from == to || p4_is_poison(from) || p4_is_poison(to)) return true;
  if (from->kind == P4_TYPE_NEW || to->kind == P4_TYPE_NEW) {
    if (to->kind == P4_TYPE_NEW && (to->element == from || from->kind == P4_TYPE_INT))
      return p4_can_cast(from, to->element);
    if (from->kind == P4_TYPE_NEW && from->element == to) return true;
    // The other way round, over what both are made of.
    const struct p4_type *a = p4_type_base(from), *b = p4_type_base(to);
    return (a != from || b != to) && from->kind != to->kind && p4_can_cast(a, b);
  }
  if (to->kind == P4_TYPE_ENUM)
    return to->element && from->kind != P4_TYPE_BOOL && p4_can_cast(from, to->element);
  if (from->kind == P4_TYPE_ENUM)
    return from->element && to->kind != P4_TYPE_BOOL && p4_can_cast(from->element, to);
  if (p4_is_number(from) && p4_is_number(to)) return cast_number(from, to);
  if (from->kind == P4_TYPE_BOOL)
    return to->kind == P4_TYPE_BITS && to->width == 1 && !to->is_signed;
  if (to->kind == P4_TYPE_BOOL)
    return from->kind == P4_TYPE_INT ||
           (from->kind == P4_TYPE_BITS && from->width == 1 && !from->is_signed);
  return false;
}
