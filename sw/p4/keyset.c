// SPDX-License-Identifier: Apache-2.0
// Keysets, of select cases and table entries.
#include "check.h"

// A mask or a range is of numbers; an enum with a type is numbered in one.
static const struct p4_type *number_type(const struct p4_type *type) {
  if (type->kind == P4_TYPE_ENUM && type->element) type = type->element;
  return type;
}

static bool check_pair(struct p4_checker *k, struct p4_keyset *set, struct p4_expr *e,
                       const struct p4_type *type) {
  const bool mask = e->kind == P4_EXPR_MASK;
  type = number_type(type);
  const struct p4_type *base = p4_type_base(type);
  if (base->kind != P4_TYPE_BITS && base->kind != P4_TYPE_INT && !p4_is_poison(base)) {
    p4_error(k->c, e->place, "type", "'%s' is for numbers, and the key is %s", mask ? "&&&" : "..",
             p4_show(k, type));
    return false;
  }
  p4_check_as(k, &e->a, type, "the key");
  p4_check_as(k, &e->b, type, mask ? "the mask" : "the end of the range");
  e->type = p4_is_poison(type) ? k->poison : p4_type_over(k, P4_TYPE_SET, type);
  set->kind = mask ? P4_KEYSET_MASK : P4_KEYSET_RANGE;
  set->a = e->a;
  set->b = e->b;
  return !p4_is_poison(e->a->type) && !p4_is_poison(e->b->type);
}

static void warn_empty(struct p4_checker *k, const struct p4_keyset *set) {
  if (set->kind != P4_KEYSET_RANGE || !set->a->value || !set->b->value) return;
  if (set->a->value->kind != P4_VALUE_NUMBER || set->b->value->kind != P4_VALUE_NUMBER) return;
  if (p4_wide_compare(set->a->value->number, set->b->value->number) > 0)
    p4_warning(k->c, set->place, "empty-range", "the range ends before it begins; nothing fits it");
}

static bool check_value(struct p4_checker *k, struct p4_keyset *set, struct p4_expr **at,
                        const struct p4_type *type) {
  p4_check_expr(k, at);
  const struct p4_type *found = (*at)->type;
  if (found->kind == P4_TYPE_VALUE_SET) {
    set->kind = P4_KEYSET_VALUE_SET;
    set->set = (*at)->decl;
    const struct p4_type *element = found->element;
    const bool single = element->kind == P4_TYPE_STRUCT && element->num_fields == 1 &&
                        element->fields[0].type == type;
    if (element == type || single) return true;
    p4_error(k->c, set->place, "type", "the value set is of %s, and the key is %s",
             p4_show(k, element), p4_show(k, type));
    return false;
  }
  p4_must_convert(k, at, type, "the key");
  set->kind = P4_KEYSET_VALUE;
  set->a = *at;
  return !p4_is_poison((*at)->type);
}

static bool check_one(struct p4_checker *k, struct p4_keyset *set, struct p4_expr **at,
                      const struct p4_type *type) {
  struct p4_expr *e = *at;
  set->place = e->place;
  if (e->kind == P4_EXPR_ANY || e->kind == P4_EXPR_DEFAULT) {
    set->kind = P4_KEYSET_ANY;
    e->type = type;
    return true;
  }
  const bool pair = e->kind == P4_EXPR_MASK || e->kind == P4_EXPR_RANGE;
  const bool good = pair ? check_pair(k, set, e, type) : check_value(k, set, at, type);
  if (good) warn_empty(k, set);
  return good;
}

static struct p4_keyset *all_any(struct p4_checker *k, struct p4_expr *e, unsigned num) {
  struct p4_keyset *sets = NEW_ARRAY(k->arena, struct p4_keyset, num + 1);
  for (unsigned i = 0; i < num; i++)
    sets[i] = (struct p4_keyset){.kind = P4_KEYSET_ANY, .place = e->place};
  e->type = k->any;
  return sets;
}

// Part i of a type, those of structs and tuples within it written out; NULL: *i is less by as many
// as there are.
static const struct p4_type *part_of(const struct p4_type *type, unsigned *i) {
  const bool tuple = type->kind == P4_TYPE_TUPLE;
  if (!tuple && type->kind != P4_TYPE_STRUCT) return (*i)-- == 0 ? type : NULL;
  const struct p4_type *found = NULL;
  for (unsigned n = 0; n < (tuple ? type->num_args : type->num_fields) && !found; n++)
    found = part_of(tuple ? type->args[n] : type->fields[n].type, i);
  return found;
}

// A value set over several keys at a time.
static struct p4_keyset *whole_set(struct p4_checker *k, struct p4_expr *e,
                                   const struct p4_type *const *types, unsigned num) {
  const struct p4_type *element = e->type->element;
  bool good = true;
  for (unsigned i = 0; good && i <= num; i++) {
    unsigned n = i;
    good = part_of(element, &n) == (i < num ? types[i] : NULL);
  }
  if (!good) {
    p4_error(k->c, e->place, "type", "the value set is of %s, which are not the types of the keys",
             p4_show(k, element));
    return NULL;
  }
  struct p4_keyset *sets = all_any(k, e, num);
  e->type = p4_type_over(k, P4_TYPE_VALUE_SET, element);
  sets[0].kind = P4_KEYSET_VALUE_SET;
  sets[0].set = e->decl;
  return sets;
}

struct p4_keyset *p4_check_keyset(struct p4_checker *k, struct p4_expr **at,
                                  const struct p4_type *const *types, unsigned num, bool *whole) {
  struct p4_expr *e = *at;
  *whole = false;
  if (e->kind == P4_EXPR_ANY || e->kind == P4_EXPR_DEFAULT) return all_any(k, e, num);
  if (num != 1 && e->kind == P4_EXPR_NAME) {
    p4_check_expr(k, at);
    if (e->type->kind == P4_TYPE_VALUE_SET) {
      *whole = true;
      return whole_set(k, e, types, num);
    }
  }
  const bool list = e->kind == P4_EXPR_LIST && !(num == 1 && types[0]->kind == P4_TYPE_TUPLE);
  const unsigned given = list ? e->count : 1;
  if (given != num) {
    p4_error(k->c, e->place, "keyset", "there %s %u key%s, and this is for %u",
             num == 1 ? "is" : "are", num, num == 1 ? "" : "s", given);
    return NULL;
  }
  struct p4_keyset *sets = NEW_ARRAY(k->arena, struct p4_keyset, num);
  bool good = true;
  struct p4_expr **one = list ? &e->args : at;
  for (unsigned i = 0; i < num; i++, one = &(*one)->next)
    good = check_one(k, &sets[i], one, types[i]) && good;
  if (list) e->type = k->any;
  return good ? sets : NULL;
}
