// SPDX-License-Identifier: Apache-2.0
// Entries that a table has from the start: against its keys, and which of them wins.
#include <string.h>

#include "check.h"

static bool is_kind(const struct p4_key *key, const char *name) {
  return key->kind && strcmp(key->kind->name, name) == 0;
}

// Leading ones, then zeros.
static bool is_prefix(const struct p4_value *mask, unsigned width) {
  bool ones = true;
  for (unsigned i = width; mask && mask->kind == P4_VALUE_NUMBER && i-- > 0;) {
    const bool bit = p4_wide_bit(mask->number, i);
    if (bit && !ones) return false;
    ones = bit;
  }
  return true;
}

// What may be said of a key of this kind; NULL: it is right.
static const char *against_kind(const struct p4_key *key, const struct p4_keyset *set) {
  const bool any = set->kind == P4_KEYSET_ANY, mask = set->kind == P4_KEYSET_MASK;
  if (set->kind == P4_KEYSET_VALUE_SET) return "an entry holds no value set";
  if (is_kind(key, "exact") && set->kind != P4_KEYSET_VALUE)
    return "an exact key is one value in every entry";
  if (is_kind(key, "lpm") && set->kind == P4_KEYSET_RANGE) return "an lpm key is no range";
  if (is_kind(key, "lpm") && mask && !is_prefix(set->b->value, key->expr->type->width))
    return "the mask of an lpm key has its ones in front";
  if (is_kind(key, "ternary") && set->kind == P4_KEYSET_RANGE)
    return "a ternary key is a value with a mask, and no range";
  if (is_kind(key, "range") && mask) return "a range key has no mask";
  if (is_kind(key, "optional") && set->kind != P4_KEYSET_VALUE && !any)
    return "an optional key is one value, or '_'";
  return NULL;
}

static void check_sets(struct p4_checker *k, struct p4_table *t, struct p4_entry *e) {
  unsigned i = 0;
  for (const struct p4_key *key = t->keys; e->sets && key; key = key->next, i++) {
    const struct p4_keyset *set = &e->sets[i];
    const char *why = against_kind(key, set);
    if (why) p4_error(k->c, set->place, "keyset", "%s", why);
    if ((set->a && !p4_is_constant(set->a)) || (set->b && !p4_is_constant(set->b)))
      p4_error(k->c, set->place, "not-constant", "the key of an entry is known at compile time");
  }
}

// ---- which entry wins --------------------------------------------------------------------------

static void read_priority(struct p4_checker *k, struct p4_table *t, struct p4_entry *e) {
  if (!e->priority_expr) return;
  p4_check_expr(k, &e->priority_expr);
  p4_constant_in(k, e->priority_expr, 0, UINT32_MAX, "a priority", &e->priority);
  if (t->const_entries)
    p4_error(k->c, e->priority_expr->place, "priority",
             "'const entries' win in their order, and have no priorities");
}

// None is written: the first entry wins.
static void number_all(struct p4_table *t) {
  uint64_t i = 0;
  for (struct p4_entry *e = t->entries; e; e = e->next, i++)
    e->priority = t->largest_priority_wins ? 1 + (t->num_entries - 1 - i) * t->priority_delta
                                           : 1 + i * t->priority_delta;
}

static void follow(struct p4_checker *k, struct p4_table *t, const struct p4_entry *before,
                   struct p4_entry *e) {
  if (!t->largest_priority_wins) e->priority = before->priority + t->priority_delta;
  else if (before->priority < t->priority_delta)
    p4_error(k->c, e->place, "priority", "the priority of this entry would be below 0");
  else e->priority = before->priority - t->priority_delta;
}

static void warn_order(struct p4_checker *k, const struct p4_table *t,
                       const struct p4_entry *before, const struct p4_entry *e) {
  const bool rises = e->priority > before->priority;
  if (e->priority == before->priority)
    p4_warning(k->c, e->place, "duplicate_priorities",
               "this entry has the priority of the one before it; which wins is not defined");
  else if (rises == t->largest_priority_wins)
    p4_warning(k->c, e->place, "entries_out_of_priority_order",
               "this entry wins over the one before it");
}

static void number(struct p4_checker *k, struct p4_table *t) {
  bool some = false;
  for (struct p4_entry *e = t->entries; e; e = e->next) some = some || e->priority_written;
  if (!some || t->const_entries) {
    number_all(t);
    return;
  }
  if (!t->entries->priority_written)
    p4_error(k->c, t->entries->place, "priority",
             "other entries have a priority, so the first one needs one, too");
  const struct p4_entry *before = NULL;
  for (struct p4_entry *e = t->entries; e; before = e, e = e->next) {
    if (before && !e->priority_written) follow(k, t, before, e);
    if (before) warn_order(k, t, before, e);
  }
}

// ---- all ---------------------------------------------------------------------------------------

static bool same_value(const struct p4_expr *a, const struct p4_expr *b) {
  if (!a || !b) return a == b;
  return a->value && b->value && p4_value_equal(a->value, b->value);
}

static bool same_sets(const struct p4_entry *a, const struct p4_entry *b, unsigned num) {
  for (unsigned i = 0; i < num; i++)
    if (a->sets[i].kind != b->sets[i].kind || !same_value(a->sets[i].a, b->sets[i].a) ||
        !same_value(a->sets[i].b, b->sets[i].b))
      return false;
  return true;
}

// Of many entries only the neighbours are compared.
static void warn_doubles(struct p4_checker *k, const struct p4_table *t) {
  enum { FAR = 200 };
  for (const struct p4_entry *a = t->entries; a; a = a->next) {
    unsigned far = 0;
    for (const struct p4_entry *b = a->next; b && far < FAR; b = b->next, far++)
      if (a->sets && b->sets && same_sets(a, b, t->num_keys)) {
        p4_warning(k->c, b->place, "duplicate-entry", "an entry before this one has the same key");
        p4_note(k->c, a->place, "it is here");
        break;
      }
  }
}

void p4_check_entries(struct p4_checker *k, struct p4_table *t) {
  if (!t->num_keys) {
    p4_error(k->c, t->entries_place, "keyset", "a table without a key has no entries");
    return;
  }
  const struct p4_type **types = NEW_ARRAY(k->arena, const struct p4_type *, t->num_keys);
  unsigned i = 0;
  for (const struct p4_key *key = t->keys; key; key = key->next)
    types[i++] = key->kind ? key->expr->type : k->poison;
  for (struct p4_entry *e = t->entries; e; e = e->next) {
    bool whole;
    e->is_const = e->is_const || t->const_entries;
    read_priority(k, t, e);
    e->sets = p4_check_keyset(k, &e->keyset, types, t->num_keys, &whole);
    check_sets(k, t, e);
    const struct p4_action_ref *listed = p4_check_chosen(k, t, e->action, "action");
    if (listed && listed->default_only)
      p4_error(k->c, e->action->place, "annotation", "'%s' is @defaultonly, so no entry has it",
               e->action->name);
  }
  if (t->entries) number(k, t);
  warn_doubles(k, t);
}
