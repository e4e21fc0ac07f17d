// SPDX-License-Identifier: Apache-2.0
// Tables: keys, actions, entries, other properties.
#include <string.h>

#include "parse.h"

static struct p4_key *key(struct p4_parser *p) {
  struct p4_key *k = NEW(p->c->arena, struct p4_key);
  k->expr = p4_read_expr(p);
  p4_expect(p, ":");
  k->kind_place = p->now->place;
  k->kind_name = p4_read_name(p, "a match kind")->text;
  k->annotations = p4_read_annotations(p);
  p4_semicolon(p);
  return k;
}

static void keys(struct p4_parser *p, struct p4_table *t) {
  struct p4_key **end = &t->keys;
  t->has_keys = true;
  p4_expect(p, "{");
  for (; !is(p, "}"); end = &(*end)->next) {
    *end = key(p);
    t->num_keys++;
  }
  p->now++;
}

// name, name(args)
static struct p4_action_ref *action_ref(struct p4_parser *p) {
  struct p4_action_ref *a = NEW(p->c->arena, struct p4_action_ref);
  a->annotations = p4_read_annotations(p);
  a->absolute = p4_accept(p, ".");
  a->place = p->now->place;
  a->name = p4_read_name(p, "the name of an action")->text;
  if (is(p, "(")) {
    a->has_args = true;
    a->args = p4_read_arguments(p);
  }
  return a;
}

static void actions(struct p4_parser *p, struct p4_table *t) {
  struct p4_action_ref **end = &t->actions;
  t->has_actions = true;
  p4_expect(p, "{");
  for (; !is(p, "}"); end = &(*end)->next) {
    *end = action_ref(p);
    t->num_actions++;
    p4_semicolon(p);
  }
  p->now++;
}

static void entry(struct p4_parser *p, void *into) {
  struct p4_entry *e = NEW(p->c->arena, struct p4_entry);
  e->place = p->now->place;
  e->is_const = p4_accept(p, "const");
  if (is(p, "priority") && is_next(p, "=")) {
    p->now += 2;
    e->priority_written = true;
    e->priority_expr = is(p, "(") || p->now->kind == P4_TOKEN_NUMBER ? p4_read_postfix(p)
                                                                     : p4_read_expr(p);
    p4_expect(p, ":");
  }
  e->place = p->now->place;
  e->keyset = p4_read_keyset(p);
  p4_expect(p, ":");
  e->action = action_ref(p);
  e->annotations = p4_read_annotations(p);
  p4_semicolon(p);
  *(struct p4_entry **)into = e;
}

static void entries(struct p4_parser *p, struct p4_table *t, bool is_const) {
  struct p4_entry **end = &t->entries;
  t->has_entries = true;
  t->const_entries = is_const;
  p4_expect(p, "{");
  while (!is(p, "}") && p->now->kind != P4_TOKEN_END) {
    if (!p4_attempt(p, entry, end)) continue;
    end = &(*end)->next;
    t->num_entries++;
  }
  p4_expect(p, "}");
}

static void other(struct p4_parser *p, struct p4_table *t, struct p4_property *property) {
  struct p4_property **end = &t->properties;
  while (*end) end = &(*end)->next;
  property->value = p4_read_initial(p);
  p4_semicolon(p);
  *end = property;
}

static void once(struct p4_parser *p, bool there, const struct p4_property *property) {
  if (there) p4_syntax_error(p, property->place, "twice", "a table has '%s' once", property->name);
}

static void property(struct p4_parser *p, void *into) {
  struct p4_table *t = into;
  struct p4_property *q = NEW(p->c->arena, struct p4_property);
  q->annotations = p4_read_annotations(p);
  q->is_const = p4_accept(p, "const");
  q->place = p->now->place;
  q->name = p4_read_name(p, "a property of a table, as key, actions, default_action, size")->text;
  p4_expect(p, "=");
  if (strcmp(q->name, "key") == 0) {
    once(p, t->has_keys, q);
    t->keys_place = q->place;
    keys(p, t);
  } else if (strcmp(q->name, "actions") == 0) {
    once(p, t->has_actions, q);
    t->actions_place = q->place;
    actions(p, t);
  } else if (strcmp(q->name, "entries") == 0) {
    once(p, t->has_entries, q);
    t->entries_place = q->place;
    entries(p, t, q->is_const);
  } else if (strcmp(q->name, "default_action") == 0) {
    once(p, t->default_action, q);
    t->default_place = q->place;
    t->const_default = q->is_const;
    t->default_action = action_ref(p);
    p4_semicolon(p);
  } else {
    other(p, t, q);
  }
}

struct p4_table *p4_read_table(struct p4_parser *p) {
  struct p4_table *t = NEW(p->c->arena, struct p4_table);
  p4_expect(p, "{");
  while (!is(p, "}") && p->now->kind != P4_TOKEN_END) p4_attempt(p, property, t);
  p4_expect(p, "}");
  return t;
}
