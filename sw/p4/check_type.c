// SPDX-License-Identifier: Apache-2.0
// Types as they are written: names looked up, widths folded.
#include "check.h"

enum { MOST_STACK = 65536 };

static void poison(struct p4_checker *k, struct p4_written *w) { w->type = k->poison; }

static void base_type(struct p4_checker *k, struct p4_written *w) {
  switch (w->base) {
    case P4_TYPE_BOOL: w->type = k->boolean; break;
    case P4_TYPE_INT: w->type = k->integer; break;
    case P4_TYPE_STRING: w->type = k->string; break;
    case P4_TYPE_VOID: w->type = k->none; break;
    case P4_TYPE_ERROR: w->type = k->error; break;
    default: w->type = k->match_kind; break;
  }
}

static void bits_type(struct p4_checker *k, struct p4_written *w) {
  uint64_t width = 1;
  if (w->size) {
    p4_check_expr(k, &w->size);
    if (!p4_constant_in(k, w->size, w->is_signed, P4_WIDE_MOST_BITS - 1, "a width", &width)) {
      poison(k, w);
      return;
    }
  }
  w->type = w->base == P4_TYPE_VARBIT ? p4_type_varbit(k, (unsigned)width)
                                      : p4_type_bits_of(k, (unsigned)width, w->is_signed);
}

static void stack_type(struct p4_checker *k, struct p4_written *w) {
  const struct p4_type *element = p4_check_type(k, w->element);
  uint64_t size;
  p4_check_expr(k, &w->size);
  poison(k, w);
  if (p4_is_poison(element)) return;
  if (element->kind != P4_TYPE_HEADER && element->kind != P4_TYPE_UNION &&
      element->kind != P4_TYPE_VARIABLE) {
    p4_error(k->c, w->place, "bad-stack", "a stack is of headers or header unions, and not of %s",
             p4_show(k, element));
    return;
  }
  if (p4_constant_in(k, w->size, 1, MOST_STACK, "the size of a stack", &size))
    w->type = p4_type_stack(k, element, (unsigned)size);
}

// Arguments between < and >. NULL after a message.
static const struct p4_type **args_of(struct p4_checker *k, struct p4_written *w, unsigned *num) {
  *num = 0;
  for (const struct p4_written *a = w->args; a; a = a->next) ++*num;
  const struct p4_type **types = NEW_ARRAY(k->arena, const struct p4_type *, *num + 1);
  unsigned i = 0;
  bool good = true;
  for (struct p4_written *a = w->args; a; a = a->next) {
    types[i] = p4_check_type(k, a);
    good = good && !p4_is_poison(types[i]);
    const bool any = types[i]->kind == P4_TYPE_ANY &&
                     (w->kind == P4_WRITTEN_TUPLE || w->kind == P4_WRITTEN_SET);
    if (types[i]->kind == P4_TYPE_VOID || any) {
      p4_error(k->c, a->place, "bad-type", "%s is no type of a value", any ? "'_'" : "void");
      good = false;
    }
    i++;
  }
  return good ? types : NULL;
}

static void over_type(struct p4_checker *k, struct p4_written *w) {
  unsigned num;
  const struct p4_type **args = args_of(k, w, &num);
  if (!args) poison(k, w);
  else if (w->kind == P4_WRITTEN_TUPLE) w->type = p4_type_tuple(k, args, num);
  else
    w->type =
        p4_type_over(k, w->kind == P4_WRITTEN_LIST ? P4_TYPE_LIST : P4_TYPE_VALUE_SET, args[0]);
}

static enum p4_type_kind kind_of(const struct p4_decl *d) {
  switch (d->kind) {
    case P4_DECL_TYPE_PARAM: return P4_TYPE_VARIABLE;
    case P4_DECL_NEW: return P4_TYPE_NEW;
    case P4_DECL_STRUCT: return P4_TYPE_STRUCT;
    case P4_DECL_HEADER: return P4_TYPE_HEADER;
    case P4_DECL_UNION: return P4_TYPE_UNION;
    case P4_DECL_ENUM: return P4_TYPE_ENUM;
    case P4_DECL_EXTERN: return P4_TYPE_EXTERN;
    case P4_DECL_PARSER: return P4_TYPE_PARSER;
    case P4_DECL_CONTROL: return P4_TYPE_CONTROL;
    case P4_DECL_PACKAGE: return P4_TYPE_PACKAGE;
    default: return P4_TYPE_POISON;
  }
}

static void tell_unknown(struct p4_checker *k, const struct p4_written *w) {
  const char *similar = p4_similar(k, w->name, true);
  if (similar)
    p4_error(k->c, w->place, "unknown-type", "unknown type '%s'; is '%s' meant?", w->name, similar);
  else
    p4_error(k->c, w->place, "unknown-type",
             "unknown type '%s'; a type is declared before it is used", w->name);
}

static void with_args(struct p4_checker *k, struct p4_written *w, const struct p4_decl *d) {
  unsigned num;
  const struct p4_type **args = args_of(k, w, &num);
  if (!args) return;
  for (; d->overload && p4_count(d->type_params) != num;) d = d->overload;
  const unsigned wanted = p4_count(d->type_params);
  const bool values = d->kind == P4_DECL_STRUCT || d->kind == P4_DECL_HEADER ||
                      d->kind == P4_DECL_UNION;
  for (unsigned i = 0; values && i < num; i++)
    if (args[i]->kind == P4_TYPE_ANY) {
      p4_error(k->c, w->place, "bad-type", "'_' is no type of a value in '%s'", d->name);
      return;
    }
  if (num == wanted) {
    w->type = p4_type_of_decl(k, kind_of(d), d, num ? args : NULL);
    return;
  }
  p4_error(k->c, w->place, "type-arguments", "'%s' takes %u type argument%s, and gets %u", d->name,
           wanted, wanted == 1 ? "" : "s", num);
}

static void named_type(struct p4_checker *k, struct p4_written *w) {
  struct p4_decl *d = p4_find(k, w->name, w->absolute);
  poison(k, w);
  if (!d) {
    tell_unknown(k, w);
    return;
  }
  if (d->kind == P4_DECL_TYPEDEF && !w->args) {
    w->type = d->type;
    return;
  }
  if (kind_of(d) == P4_TYPE_POISON) {
    p4_error(k->c, w->place, "not-a-type", "'%s' is no type", w->name);
    return;
  }
  with_args(k, w, d);
}

const struct p4_type *p4_check_type(struct p4_checker *k, struct p4_written *w) {
  if (w->type) return w->type;
  switch (w->kind) {
    case P4_WRITTEN_BASE: base_type(k, w); break;
    case P4_WRITTEN_BITS: bits_type(k, w); break;
    case P4_WRITTEN_STACK: stack_type(k, w); break;
    case P4_WRITTEN_ANY: w->type = k->any; break;
    case P4_WRITTEN_NAME: named_type(k, w); break;
    default: over_type(k, w); break;
  }
  return w->type;
}

const struct p4_type *p4_check_value_type(struct p4_checker *k, struct p4_written *w) {
  const struct p4_type *type = p4_check_type(k, w);
  switch (type->kind) {
    case P4_TYPE_VOID:
    case P4_TYPE_ANY:
    case P4_TYPE_VALUE_SET:
    case P4_TYPE_EXTERN:
    case P4_TYPE_PARSER:
    case P4_TYPE_CONTROL:
    case P4_TYPE_PACKAGE:
      p4_error(k->c, w->place, "bad-type", "%s is no type of a value",
               w->kind == P4_WRITTEN_ANY ? "'_'" : p4_show(k, type));
      w->type = k->poison;
      return k->poison;
    default: return type;
  }
}
