// SPDX-License-Identifier: Apache-2.0
// Tables: keys, actions, default action, properties.
#include <string.h>

#include "check.h"

// ---- keys --------------------------------------------------------------------------------------

static bool fits_kind(const struct p4_type *type, const char *kind) {
  type = p4_type_base(type);
  if (type->kind == P4_TYPE_ENUM && type->element) type = type->element;
  if (type->kind == P4_TYPE_BITS || p4_is_poison(type)) return true;
  const bool plain = type->kind == P4_TYPE_BOOL || type->kind == P4_TYPE_ENUM ||
                     type->kind == P4_TYPE_ERROR || type->kind == P4_TYPE_VARBIT;
  if (strcmp(kind, "lpm") == 0 || strcmp(kind, "range") == 0) return false;
  if (strcmp(kind, "ternary") == 0) return type->kind == P4_TYPE_BOOL;
  return plain;
}

static void name_key(struct p4_checker *k, struct p4_key *key, bool hidden) {
  const struct p4_annotation *name = p4_annotation(key->annotations, "name");
  key->control_name = name ? p4_annotation_text(name) : p4_expr_control_name(k->arena, key->expr);
  if (key->control_name || hidden || p4_is_poison(key->expr->type)) return;
  p4_error(k->c, key->expr->place, "key-name",
           "this key has no name for the control plane; write '%s @name(\"..\")' behind it",
           key->kind_name);
}

static void check_key(struct p4_checker *k, struct p4_key *key, bool hidden) {
  p4_check_expr(k, &key->expr);
  struct p4_decl *kind = p4_find(k, key->kind_name, false);
  if (!kind || kind->kind != P4_DECL_MATCH_KIND) {
    p4_error(k->c, key->kind_place, "unknown-kind",
             "'%s' is no match kind; there are exact, lpm, ternary, and those of the architecture",
             key->kind_name);
    return;
  }
  key->kind = kind;
  const struct p4_type *type = key->expr->type;
  if (type->kind == P4_TYPE_INT)
    p4_error(k->c, key->expr->place, "type", "a key has a width; this is an int");
  else if (!fits_kind(type, kind->name))
    p4_error(k->c, key->expr->place, "type", "a key of kind %s is a number, and not %s%s",
             kind->name, p4_show(k, type),
             p4_has_fields(type) ? "; name a field, or isValid()" : "");
  name_key(k, key, hidden);
}

// ---- actions -----------------------------------------------------------------------------------

static struct p4_decl *find_action(struct p4_checker *k, const struct p4_action_ref *ref) {
  struct p4_decl *d = p4_find(k, ref->name, ref->absolute);
  if (d && d->kind == P4_DECL_ACTION) return d;
  const char *similar = d ? NULL : p4_similar(k, ref->name, false);
  if (d) p4_error(k->c, ref->place, "not-an-action", "'%s' is no action", ref->name);
  else if (similar)
    p4_error(k->c, ref->place, "unknown-name", "unknown action '%s'; is '%s' meant?", ref->name,
             similar);
  else
    p4_error(k->c, ref->place, "unknown-name",
             "unknown action '%s'; an action is declared before the table", ref->name);
  return NULL;
}

static unsigned count_args(const struct p4_expr *args) {
  unsigned num = 0;
  for (; args; args = args->next) num++;
  return num;
}

static unsigned count_bound(const struct p4_decl *action) {
  unsigned num = 0;
  for (const struct p4_decl *p = action->params; p; p = p->next)
    num += p->direction != P4_NO_DIRECTION;
  return num;
}

// The first `num` parameters, as a list of their own.
static struct p4_decl *first_params(struct p4_checker *k, const struct p4_decl *params,
                                    unsigned num) {
  struct p4_decl *first = NULL, **end = &first;
  for (unsigned i = 0; i < num; i++, params = params->next) {
    *end = NEW(k->arena, struct p4_decl);
    **end = *params;
    (*end)->next = NULL;
    end = &(*end)->next;
  }
  return first;
}

// Arguments for all parameters, or (`bound`) for those with a direction alone.
static void bind_args(struct p4_checker *k, struct p4_action_ref *ref, bool bound) {
  const unsigned num = bound ? count_bound(ref->action) : p4_count(ref->action->params);
  struct p4_call *call = NEW(k->arena, struct p4_call);
  call->kind = P4_CALL_ACTION;
  call->callee = ref->action;
  const struct p4_decl *params = first_params(k, ref->action->params, num);
  if (!p4_args_fit(params, ref->args)) {
    if (bound && count_args(ref->args) > num)
      p4_error(
          k->c, ref->place, "arguments",
          "in the list of actions '%s' takes %u argument%s, those with a direction; the others "
          "come from the control plane",
          ref->name, num, num == 1 ? "" : "s");
    else p4_tell_args(k, ref->place, ref->name, params, ref->args);
    return;
  }
  const struct p4_signature s = {.name = ref->name, .params = params};
  if (!p4_check_args(k, ref->place, call, &s, &ref->args)) return;
  const unsigned all = p4_count(ref->action->params);
  struct p4_expr **args = NEW_ARRAY(k->arena, struct p4_expr *, all + 1);
  for (unsigned i = 0; i < call->num_args; i++) args[i] = call->args[i];
  call->args = args;
  call->num_args = all;
  ref->call = call;
}

static void check_action_ref(struct p4_checker *k, struct p4_table *t, struct p4_action_ref *ref) {
  ref->table_only = p4_annotation(ref->annotations, "tableonly");
  ref->default_only = p4_annotation(ref->annotations, "defaultonly");
  if (ref->table_only && ref->default_only)
    p4_error(k->c, ref->place, "annotation", "'%s' is @tableonly and @defaultonly, so never used",
             ref->name);
  struct p4_decl *action = find_action(k, ref);
  if (!action) return;
  for (const struct p4_action_ref *a = t->actions; a != ref; a = a->next)
    if (a->action == action)
      p4_error(k->c, ref->place, "twice", "action '%s' is in the list twice", ref->name);
  ref->action = action;
  bind_args(k, ref, true);
}

// What a parameter with a direction is bound to stands in the list; it is said again, the same.
static void compare_bound(struct p4_checker *k, const struct p4_action_ref *listed,
                          const struct p4_action_ref *ref) {
  if (!listed->call || !ref->call) return;
  unsigned i = 0;
  for (const struct p4_decl *p = ref->action->params; p; p = p->next, i++)
    if (p->direction != P4_NO_DIRECTION && ref->call->args[i] && listed->call->args[i] &&
        !p4_same(ref->call->args[i], listed->call->args[i]))
      p4_error(k->c, ref->call->args[i]->place, "arguments",
               "argument '%s' of '%s' is not the one in the list of actions", p->name, ref->name);
}

const struct p4_action_ref *p4_check_chosen(struct p4_checker *k, struct p4_table *t,
                                            struct p4_action_ref *ref, const char *what) {
  struct p4_decl *action = find_action(k, ref);
  if (!action) return NULL;
  const struct p4_action_ref *listed = t->actions;
  while (listed && listed->action != action) listed = listed->next;
  if (!listed) {
    p4_error(k->c, ref->place, "not-in-list", "%s '%s' is not among the actions of this table",
             what, ref->name);
    return NULL;
  }
  ref->action = action;
  bind_args(k, ref, false);
  if (!ref->call) return NULL;
  compare_bound(k, listed, ref);
  unsigned i = 0;
  for (const struct p4_decl *p = action->params; p; p = p->next, i++)
    if (p->direction == P4_NO_DIRECTION && ref->call->args[i] &&
        !p4_is_constant(ref->call->args[i]))
      p4_error(k->c, ref->call->args[i]->place, "not-constant",
               "argument '%s' of '%s' is known at compile time", p->name, ref->name);
  return listed;
}

static void check_default(struct p4_checker *k, struct p4_table *t) {
  struct p4_action_ref *ref = t->default_action;
  const struct p4_action_ref *listed = p4_check_chosen(k, t, ref, "default action");
  if (listed && listed->table_only)
    p4_error(k->c, ref->place, "annotation", "'%s' is @tableonly, so it is no default", ref->name);
  t->miss = ref;
}

// Without a default a miss does nothing: NoAction, at the end of the list if it is not in it.
static void add_no_action(struct p4_checker *k, struct p4_decl *d, struct p4_table *t) {
  static const char name[] = "NoAction";
  struct p4_decl *action = p4_find(k, p4_name(k->c, name, strlen(name)), true);
  if (!action || action->kind != P4_DECL_ACTION) {
    p4_error(k->c, d->place, "no-default",
             "table '%s' has no default_action, and NoAction is not known; include <core.p4>",
             d->name);
    return;
  }
  struct p4_action_ref **end = &t->actions;
  while (*end && (*end)->action != action) end = &(*end)->next;
  if (!*end) {
    struct p4_action_ref *ref = *end = NEW(k->arena, struct p4_action_ref);
    ref->place = d->place;
    ref->name = action->name;
    ref->action = action;
    ref->default_only = true;
    bind_args(k, ref, false);
    t->num_actions++;
  }
  t->miss = *end;
}

// ---- properties --------------------------------------------------------------------------------

const struct p4_property *p4_table_property(const struct p4_table *table, const char *name) {
  const struct p4_property *q = table->properties;
  while (q && strcmp(q->name, name) != 0) q = q->next;
  return q;
}

// What an architecture knows; others are told, since a slip would pass for one.
static bool known_property(const char *name) {
  static const char *const known[] = {"size",
                                      "counters",
                                      "meters",
                                      "implementation",
                                      "support_timeout",
                                      "largest_priority_wins",
                                      "priority_delta",
                                      "psa_implementation",
                                      "psa_direct_counter",
                                      "psa_direct_meter",
                                      "psa_idle_timeout",
                                      "psa_empty_group_action"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i], name) == 0) return true;
  return false;
}

// psa_empty_group_action names an action, which is not called here.
static bool is_action_property(const struct p4_property *q) {
  return strcmp(q->name, "psa_empty_group_action") == 0;
}

static void check_size(struct p4_checker *k, struct p4_table *t, struct p4_property *q) {
  if (!q->value->value && p4_is_constant(q->value)) return;
  t->has_size = p4_constant_in(k, q->value, 0, INT32_MAX, "the size of a table", &t->size);
}

static void check_wins(struct p4_checker *k, struct p4_table *t, struct p4_property *q) {
  if (q->value->value && q->value->value->kind == P4_VALUE_BOOL)
    t->largest_priority_wins = q->value->value->truth;
  else p4_error(k->c, q->value->place, "type", "'largest_priority_wins' is true or false");
}

static void check_property(struct p4_checker *k, struct p4_table *t, struct p4_property *q) {
  for (const struct p4_property *o = t->properties; o != q; o = o->next)
    if (o->name == q->name) p4_error(k->c, q->place, "twice", "a table has '%s' once", q->name);
  if (!known_property(q->name))
    p4_warning(k->c, q->place, "unknown-property",
               "'%s' is no property that is known; it has no effect", q->name);
  if (is_action_property(q)) return;
  p4_check_expr(k, &q->value);
  if (p4_is_poison(q->value->type)) return;
  if (strcmp(q->name, "size") == 0) check_size(k, t, q);
  else if (strcmp(q->name, "largest_priority_wins") == 0) check_wins(k, t, q);
  else if (strcmp(q->name, "priority_delta") == 0)
    p4_constant_in(k, q->value, 1, UINT32_MAX, "'priority_delta'", &t->priority_delta);
  else if (strcmp(q->name, "support_timeout") == 0 && q->value->type->kind != P4_TYPE_BOOL)
    p4_error(k->c, q->value->place, "type", "'support_timeout' is true or false");
  else if (!p4_is_constant(q->value))
    p4_error(k->c, q->value->place, "not-constant", "'%s' is known at compile time", q->name);
}

void p4_check_table(struct p4_checker *k, struct p4_decl *d) {
  struct p4_table *t = d->table;
  const bool hidden = d->hidden;
  t->largest_priority_wins = true;
  t->priority_delta = 1;
  p4_take_slot(k, d);
  for (struct p4_key *key = t->keys; key; key = key->next) check_key(k, key, hidden);
  if (!t->has_actions)
    p4_error(k->c, d->place, "no-actions", "table '%s' has no 'actions'", d->name);
  for (struct p4_action_ref *a = t->actions; a; a = a->next) check_action_ref(k, t, a);
  for (struct p4_property *q = t->properties; q; q = q->next) check_property(k, t, q);
  if (t->default_action) check_default(k, t);
  else if (t->has_actions) add_no_action(k, d, t);
  if (t->has_entries) p4_check_entries(k, t);
  d->type = p4_type_of_decl(k, P4_TYPE_TABLE, d, NULL);
  p4_declare(k, d);
}
