// SPDX-License-Identifier: Apache-2.0
// Members: fields, elements of stacks, enums, errors, results of tables.
#include <string.h>

#include "check.h"

static void set_member_value(struct p4_checker *k, struct p4_expr *e, const struct p4_decl *d) {
  struct p4_value *v = NEW(k->arena, struct p4_value);
  v->kind = P4_VALUE_MEMBER;
  v->member = d;
  if (d->value) *v = *d->value;
  v->member = d;
  e->member = P4_MEMBER_ENUM;
  e->decl = d;
  e->value = v;
}

static void unknown_member(struct p4_checker *k, struct p4_expr *e, const char *of,
                           const struct p4_decl *list) {
  const char *similar = p4_similar_member(list, e->name);
  if (similar)
    p4_error(k->c, e->place, "unknown-field", "%s has no '%s'; is '%s' meant?", of, e->name,
             similar);
  else p4_error(k->c, e->place, "unknown-field", "%s has no '%s'", of, e->name);
  p4_poison(k, e);
}

static void error_member(struct p4_checker *k, struct p4_expr *e) {
  e->type = k->error;
  for (unsigned i = 0; i < k->num_errors; i++)
    if (k->errors[i]->name == e->name) {
      set_member_value(k, e, k->errors[i]);
      return;
    }
  unknown_member(k, e, "error", NULL);
}

// `T.name`
static void type_member(struct p4_checker *k, struct p4_expr *e) {
  const struct p4_type *type = p4_check_type(k, e->a->written);
  e->a->type = type;
  if (type->kind == P4_TYPE_ERROR) {
    error_member(k, e);
    return;
  }
  if (type->kind != P4_TYPE_ENUM) {
    if (!p4_is_poison(type))
      p4_error(k->c, e->place, "type-as-value", "'%s' is a type without members such as '%s'",
               p4_show(k, type), e->name);
    p4_poison(k, e);
    return;
  }
  e->type = type;
  for (const struct p4_decl *m = type->decl->members; m; m = m->next)
    if (m->name == e->name) {
      set_member_value(k, e, m);
      return;
    }
  unknown_member(k, e, arena_format(k->arena, "enum %s", type->decl->name), type->decl->members);
}

static void field_member(struct p4_checker *k, struct p4_expr *e, const struct p4_type *type) {
  const struct p4_field *f = p4_type_field(type, e->name);
  if (!f) {
    unknown_member(k, e, p4_show(k, type), type->decl->members);
    return;
  }
  e->member = P4_MEMBER_FIELD;
  e->field = (unsigned)(f - type->fields);
  e->decl = f->decl;
  e->type = f->type;
  e->lvalue = e->a->lvalue;
  const struct p4_value *v = e->a->value;
  if (v && e->field < v->num_items) e->value = v->items[e->field];
}

static bool in_parser(const struct p4_checker *k) {
  return k->container && k->container->kind == P4_DECL_PARSER;
}

static void stack_member(struct p4_checker *k, struct p4_expr *e, const struct p4_type *type) {
  static const struct {
    const char *name;
    enum p4_member_kind kind;
    bool parser_only;
  } members[] = {{"next", P4_MEMBER_NEXT, true},
                 {"last", P4_MEMBER_LAST, true},
                 {"lastIndex", P4_MEMBER_LAST_INDEX, true},
                 {"size", P4_MEMBER_SIZE, false}};
  for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
    if (strcmp(members[i].name, e->name) != 0) continue;
    e->member = members[i].kind;
    e->type = e->member == P4_MEMBER_NEXT || e->member == P4_MEMBER_LAST ? type->element : k->bit32;
    e->lvalue = e->member == P4_MEMBER_NEXT && e->a->lvalue;
    if (e->member == P4_MEMBER_SIZE)
      e->value = p4_value_number(k, p4_wide_from_unsigned(k->arena, type->size));
    if (members[i].parser_only && !in_parser(k))
      p4_error(k->c, e->place, "parser-only", "'%s' of a stack is known in parsers alone", e->name);
    return;
  }
  unknown_member(k, e, "a header stack", NULL);
}

static void result_member(struct p4_checker *k, struct p4_expr *e, const struct p4_type *type) {
  e->type = k->boolean;
  if (strcmp(e->name, "hit") == 0) {
    e->member = P4_MEMBER_HIT;
  } else if (strcmp(e->name, "miss") == 0) {
    e->member = P4_MEMBER_MISS;
  } else if (strcmp(e->name, "action_run") == 0) {
    e->member = P4_MEMBER_ACTION_RUN;
    e->type = p4_type_of_decl(k, P4_TYPE_ACTION_RUN, type->decl, NULL);
  } else {
    p4_error(k->c, e->place, "unknown-field",
             "the result of a table has 'hit', 'miss' and 'action_run', and no '%s'", e->name);
    p4_poison(k, e);
  }
}

static bool is_method(const struct p4_type *type, const char *name) {
  if (type->kind == P4_TYPE_EXTERN)
    for (const struct p4_decl *m = type->decl->members; m; m = m->next)
      if (strcmp(m->name, name) == 0) return true;
  static const char *const built_in[] = {"apply",      "isValid",   "setValid",      "setInvalid",
                                         "push_front", "pop_front", "minSizeInBits", NULL};
  for (unsigned i = 0; built_in[i]; i++)
    if (strcmp(built_in[i], name) == 0) return true;
  return false;
}

void p4_check_member(struct p4_checker *k, struct p4_expr *e) {
  if (e->a->kind == P4_EXPR_TYPE) {
    type_member(k, e);
    return;
  }
  p4_check_expr(k, &e->a);
  const struct p4_type *type = e->a->type;
  if (p4_is_poison(type)) p4_poison(k, e);
  else if (p4_has_fields(type) && p4_type_field(type, e->name)) field_member(k, e, type);
  else if (is_method(type, e->name)) {
    p4_error(k->c, e->place, "not-called", "'%s' is to be called: %s()", e->name, e->name);
    p4_poison(k, e);
  } else if (p4_has_fields(type)) field_member(k, e, type);
  else if (type->kind == P4_TYPE_STACK) stack_member(k, e, type);
  else if (type->kind == P4_TYPE_RESULT) result_member(k, e, type);
  else {
    p4_error(k->c, e->place, "no-members", "%s has no members, so no '%s'", p4_show(k, type),
             e->name);
    p4_poison(k, e);
  }
}
