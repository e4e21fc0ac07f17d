// SPDX-License-Identifier: Apache-2.0
// What the control plane does to tables, action profiles and value sets.
#include <string.h>

#include "names.h"

static unsigned width_of(const struct p4_type *type) {
  const struct p4_type *t = p4v_under(type);
  return t->kind == P4_TYPE_BITS ? t->width : t->kind == P4_TYPE_BOOL ? 1 : 32;
}

// ---- keys ---------------------------------------------------------------------------------------

// "hs$3.f" stands for "hs[3].f", "x.valid" for "x.$valid$".
static bool key_named(const char *key, const char *said, unsigned how) {
  char other[400];
  size_t n = 0;
  if (!key) return false;
  if (how == 0) return strcmp(key, said) == 0;
  if (how == 1) {
    snprintf(other, sizeof other, "%s.$valid$", said);
    if (strcmp(key, other) == 0) return true;
    snprintf(other, sizeof other, "%s$", said);
    if (strcmp(key, other) == 0) return true;
    const size_t len = strlen(said);
    if (len < 6 || strcmp(said + len - 6, ".valid") != 0) return false;
    snprintf(other, sizeof other, "%.*s.$valid$", (int)(len - 6), said);
    return strcmp(key, other) == 0;
  }
  for (const char *c = said; *c && n + 3 < sizeof other; c++) {
    if (*c != '$' || c[1] < '0' || c[1] > '9') {
      other[n++] = *c;
      continue;
    }
    other[n++] = '[';
    while (c[1] >= '0' && c[1] <= '9' && n + 3 < sizeof other) other[n++] = *++c;
    other[n++] = ']';
  }
  other[n] = 0;
  return p4r_name_ends(key, other, true);
}

// The key that a given value is for: its place, or -1 after a message.
static int find_key(struct p4r_switch *sw, const struct p4r_object *table, const char *name) {
  for (unsigned how = 0; how < 3; how++) {
    int at = 0, found = -1;
    for (const struct p4_key *k = table->decl->table->keys; k; k = k->next, at++) {
      if (!key_named(k->control_name, name, how)) continue;
      if (found >= 0) return p4r_say(sw, "'%s' is more than one key of %s", name, table->name), -1;
      found = at;
    }
    if (found >= 0) return found;
  }
  p4r_say(sw, "table %s has no key '%s'", table->name, name);
  return -1;
}

static struct p4v ones(struct arena *a, unsigned width, unsigned len) {
  struct p4v v = p4v_resize(a, p4v_bits(1, 0), width, false);
  struct p4v all = p4v_unary(a, P4_OP_COMPLEMENT, v);
  return p4v_binary(a, P4_OP_SHL, all, p4v_bits(32, width - len));
}
static unsigned leading_ones(struct arena *a, struct p4v v) {
  unsigned len = 0;
  while (len < v.width && p4v_low(p4v_slice(a, v, v.width - 1 - len, v.width - 1 - len))) len++;
  return len;
}

static bool full_value(struct p4r_match *m, unsigned width) {
  m->kind = P4R_VALUE;
  m->prefix_len = width;
  return true;
}

// What digits with `*` mean for a key of this kind.
static struct p4r_given plain(struct p4r_given g, const char *kind) {
  if (g.kind != P4R_GIVEN_DIGITS) return g;
  g.kind = P4R_GIVEN_VALUE;
  if (strcmp(kind, "ternary") == 0 || g.has_stars) g.kind = P4R_GIVEN_MASK;
  if (strcmp(kind, "lpm") == 0 && g.has_stars) g.kind = P4R_GIVEN_PREFIX;
  return g;
}

// One key of an entry; `said` NULL: not given.
static bool make_match(struct p4r_switch *sw, const struct p4_key *key,
                       const struct p4r_given *said, struct p4r_match *m) {
  struct arena *a = &sw->own;
  const char *kind = key->kind->name;
  const struct p4r_given here = said ? plain(*said, kind) : (struct p4r_given){0};
  const struct p4r_given *g = said ? &here : NULL;
  const char *name = key->control_name ? key->control_name : "key";
  const unsigned width = width_of(key->expr->type);
  const bool exact = strcmp(kind, "exact") == 0, lpm = strcmp(kind, "lpm") == 0;
  const bool range = strcmp(kind, "range") == 0, optional = strcmp(kind, "optional") == 0;
  *m = (struct p4r_match){.kind = exact ? P4R_VALUE : P4R_ANY};
  static const struct p4r_number none;
  m->a = p4r_number_value(a, g ? &g->value : &none, key->expr->type);
  if (!g || strcmp(kind, "selector") == 0) return true;
  // a digit may have more bits than are left of the key; a mask that is written may not
  const bool by_digits = said->kind == P4R_GIVEN_DIGITS;
  if (!p4r_number_fits(&g->value, width) || (!by_digits && !p4r_number_fits(&g->mask, width)))
    return p4r_say(sw, "the value of key '%s' has more than %u bits", name, width);
  if (g->kind == P4R_GIVEN_VALUE) return full_value(m, width);
  if (g->kind == P4R_GIVEN_RANGE) {
    if (!range) return p4r_say(sw, "key '%s' is %s and takes no range", name, kind);
    m->kind = P4R_RANGE;
    m->b = p4r_number_value(a, &g->mask, key->expr->type);
    return true;
  }
  if (g->kind == P4R_GIVEN_PREFIX && g->prefix_len > width)
    return p4r_say(sw, "key '%s' has %u bits, a prefix cannot have %u", name, width, g->prefix_len);
  m->kind = P4R_MASK;
  m->b = g->kind == P4R_GIVEN_PREFIX ? ones(a, width, g->prefix_len)
                                     : p4v_from_bytes(a, width, g->mask.bytes, g->mask.len);
  m->prefix_len = leading_ones(a, m->b);
  if (m->a.kind != P4V_BITS) m->a = p4v_from_bytes(a, width, g->value.bytes, g->value.len);
  if (m->prefix_len == width) return full_value(m, width);
  const bool zero = p4v_equal(m->b, ones(a, width, 0));
  if (lpm && !p4v_equal(m->b, ones(a, width, m->prefix_len)))
    return p4r_say(sw, "the mask of key '%s' is no prefix", name);
  if (exact || ((range || optional) && !zero))
    return p4r_say(sw, "key '%s' is %s and takes no mask", name, kind);
  if (range || optional) m->kind = P4R_ANY;
  return true;
}

static struct p4r_match *make_matches(struct p4r_switch *sw, const struct p4r_object *table,
                                      const struct p4r_request *r) {
  const struct p4_table *t = table->decl->table;
  const struct p4r_given **given = NEW_ARRAY(&sw->own, const struct p4r_given *, t->num_keys + 1);
  struct p4r_match *matches = NEW_ARRAY(&sw->own, struct p4r_match, t->num_keys + 1);
  for (unsigned i = 0; i < r->num_keys; i++) {
    const int at = r->keys[i].name ? find_key(sw, table, r->keys[i].name) : (int)i;
    if (at < 0) return NULL;
    if ((unsigned)at >= t->num_keys)
      return p4r_say(sw, "table %s has %u keys", table->name, t->num_keys), NULL;
    given[at] = &r->keys[i];
  }
  unsigned i = 0;
  for (const struct p4_key *k = t->keys; k; k = k->next, i++)
    if (!make_match(sw, k, given[i], &matches[i])) return NULL;
  return matches;
}

// ---- actions ------------------------------------------------------------------------------------

static bool make_action(struct p4r_switch *sw, const struct p4r_object *table,
                        const struct p4r_request *r, struct p4r_action *action) {
  action->ref = p4r_find_action(sw, table, r->action);
  if (!action->ref) return false;
  const struct p4_decl *decl = action->ref->action;
  unsigned num = 0, given = 0, at = 0;
  for (const struct p4_decl *p = decl->params; p; p = p->next) num++;
  action->data = NEW_ARRAY(&sw->own, struct p4v, num + 1);
  num = 0;
  for (const struct p4_decl *p = decl->params; p; p = p->next, at++) {
    if (p->direction != P4_NO_DIRECTION) continue;
    const struct p4r_given *g = NULL;
    for (unsigned i = 0; i < r->num_args; i++)
      if (r->args[i].name ? strcmp(r->args[i].name, p->name) == 0 : i == num) g = &r->args[i];
    if (!g) return p4r_say(sw, "action %s needs its parameter '%s'", decl->name, p->name);
    if (!p4r_number_fits(&g->value, width_of(p->type)))
      return p4r_say(sw, "parameter '%s' of action %s has %u bits", p->name, decl->name,
                     width_of(p->type));
    action->data[at] = p4r_number_value(&sw->own, &g->value, p->type);
    given++;
    num++;
  }
  if (given != r->num_args)
    return p4r_say(sw, "action %s has %u parameters, not %u", decl->name, num, r->num_args);
  return true;
}

static struct p4r_member *member_of(const struct p4r_object *profile, uint64_t id) {
  struct p4r_member *m = profile->members;
  while (m && m->id != id) m = m->next;
  return m;
}
static struct p4r_group *group_of(const struct p4r_object *profile, uint64_t id) {
  struct p4r_group *g = profile->groups;
  while (g && g->id != id) g = g->next;
  return g;
}

static bool find_member(struct p4r_switch *sw, const struct p4r_object *table,
                        const struct p4r_request *r, struct p4r_entry *e) {
  if (!table->profile) return p4r_say(sw, "table %s has no action profile", table->name);
  if (r->has_group) e->group = group_of(table->profile, r->member);
  if (r->has_member) e->member = member_of(table->profile, r->member);
  if (e->group && e->group->num == 0)
    return p4r_say(sw, "group %u has no member", (unsigned)r->member);
  return e->group || e->member ||
         p4r_say(sw, "%s has no such member or group", table->profile->name);
}

static bool same_keys(const struct p4r_object *table, const struct p4r_entry *e,
                      const struct p4r_match *matches) {
  for (unsigned i = 0; i < table->decl->table->num_keys; i++) {
    const struct p4r_match *m = &e->matches[i], *n = &matches[i];
    if (m->kind != n->kind) return false;
    if (m->kind == P4R_ANY) continue;
    if (m->kind == P4R_MASK && !p4v_equal(m->b, n->b)) return false;
    if (m->kind == P4R_RANGE && !p4v_equal(m->b, n->b)) return false;
    if (!p4v_equal(m->a, n->a)) return false;
  }
  return true;
}

static struct p4r_entry *find_same(const struct p4r_object *table, const struct p4r_match *matches,
                                   const struct p4r_request *r) {
  for (struct p4r_entry *e = table->entries; e; e = e->next) {
    if (e->gone || !same_keys(table, e, matches)) continue;
    if (!table->by_priority || !r->has_priority || e->priority == r->priority) return e;
  }
  return NULL;
}

bool p4r_entry_add(struct p4r_switch *sw, const struct p4r_request *r) {
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory");
  struct p4r_object *table = p4r_find(sw, P4R_TABLE, "", r->table);
  if (!table) return false;
  if (table->decl->table->const_entries)
    return p4r_say(sw, "the entries of table %s are const", table->name);
  if (table->decl->table->num_keys == 0) return p4r_say(sw, "table %s has no key", table->name);
  struct p4r_entry e = {.priority = table->by_priority ? r->priority : 0};
  e.matches = make_matches(sw, table, r);
  if (!e.matches) return false;
  if (r->has_member || r->has_group) {
    if (!find_member(sw, table, r, &e)) return false;
  } else {
    if (!make_action(sw, table, r, &e.action)) return false;
    if (e.action.ref->default_only)
      return p4r_say(sw, "action %s is for the default of table %s only", r->action, table->name);
  }
  if (find_same(table, e.matches, r))
    return p4r_say(sw, "table %s has an entry with these keys", table->name);
  if (r->label) e.label = arena_text(&sw->own, r->label, strlen(r->label));
  p4r_add_entry(sw, table, &e);
  return true;
}

bool p4r_entry_remove(struct p4r_switch *sw, const struct p4r_request *r) {
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory");
  struct p4r_object *table = p4r_find(sw, P4R_TABLE, "", r->table);
  struct p4r_match *matches = table ? make_matches(sw, table, r) : NULL;
  if (!matches) return false;
  struct p4r_entry *e = find_same(table, matches, r);
  if (!e) return p4r_say(sw, "table %s has no entry with these keys", table->name);
  e->gone = true;
  return true;
}

bool p4r_default_set(struct p4r_switch *sw, const struct p4r_request *r) {
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory");
  struct p4r_object *table = p4r_find(sw, P4R_TABLE, "", r->table);
  if (!table) return false;
  if (table->decl->table->const_default)
    return p4r_say(sw, "the default action of table %s is const", table->name);
  struct p4r_action action;
  if (!make_action(sw, table, r, &action)) return false;
  if (action.ref->table_only)
    return p4r_say(sw, "action %s is for entries of table %s only", r->action, table->name);
  table->miss = action;
  return true;
}

// ---- action profiles, value sets ----------------------------------------------------------------

static struct p4r_object *find_profile(struct p4r_switch *sw, const char *name) {
  return p4r_find(sw, P4R_EXTERN, "action_profile\0action_selector\0", name);
}

bool p4r_member_set(struct p4r_switch *sw, const char *profile, uint64_t id,
                    const struct p4r_request *r) {
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory");
  struct p4r_object *o = find_profile(sw, profile);
  const struct p4r_object *table = sw->objects;
  while (o && table && table->profile != o) table = table->next;
  if (!o || !table) return o ? p4r_say(sw, "no table uses %s", profile) : false;
  struct p4r_action action;
  if (!make_action(sw, table, r, &action)) return false;
  struct p4r_member *m = member_of(o, id);
  if (!m) {
    m = NEW(&sw->own, struct p4r_member);
    *m = (struct p4r_member){.id = id, .next = o->members};
    o->members = m;
  }
  m->action = action;
  return true;
}

bool p4r_group_make(struct p4r_switch *sw, const char *profile, uint64_t id) {
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory");
  struct p4r_object *o = find_profile(sw, profile);
  if (!o) return false;
  if (group_of(o, id)) return p4r_say(sw, "%s has this group", o->name);
  struct p4r_group *g = NEW(&sw->own, struct p4r_group);
  *g = (struct p4r_group){.id = id, .next = o->groups};
  o->groups = g;
  return true;
}

// Members stand by rising id.
bool p4r_group_add(struct p4r_switch *sw, const char *profile, uint64_t group, uint64_t member) {
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory");
  struct p4r_object *o = find_profile(sw, profile);
  if (!o) return false;
  struct p4r_group *g = group_of(o, group);
  struct p4r_member *m = member_of(o, member);
  if (!g || !m) return p4r_say(sw, "%s has no such %s", o->name, g ? "member" : "group");
  struct p4r_member **members = NEW_ARRAY(&sw->own, struct p4r_member *, g->num + 1);
  unsigned at = 0;
  while (at < g->num && g->members[at]->id <= m->id) members[at] = g->members[at], at++;
  members[at] = m;
  for (unsigned i = at; i < g->num; i++) members[i + 1] = g->members[i];
  g->members = members;
  g->num++;
  return true;
}

// How many keys a type of a value set stands for; *found: the type of number i of them.
static unsigned components(const struct p4_type *of, unsigned i, const struct p4_type **found) {
  const struct p4_type *t = p4v_under(of->kind == P4_TYPE_VALUE_SET ? of->element : of);
  const bool tuple = t->kind == P4_TYPE_TUPLE;
  if (!tuple && t->kind != P4_TYPE_STRUCT) {
    if (i == 0) *found = t;
    return 1;
  }
  unsigned num = 0;
  for (unsigned n = 0; n < (tuple ? t->num_args : t->num_fields); n++)
    num += components(tuple ? t->args[n] : t->fields[n].type, i - num, found);
  return num;
}

bool p4r_value_set_add(struct p4r_switch *sw, const char *set, const struct p4r_given *members,
                       unsigned num) {
  if (setjmp(sw->own.escape)) return p4r_say(sw, "out of memory");
  struct p4r_object *o = p4r_find(sw, P4R_VALUE_SET, "", set);
  const struct p4_type *type;
  if (!o) return false;
  const unsigned need = components(o->decl->type, 0, &type);
  if (need != num) return p4r_say(sw, "a value of %s has %u parts", o->name, need);
  const unsigned have = o->num_members_of_set;
  struct p4r_match *all = NEW_ARRAY(&sw->own, struct p4r_match, have + num);
  if (have) memcpy(all, o->members_of_set, have * sizeof *all);
  for (unsigned i = 0; i < num; i++) {
    components(o->decl->type, i, &type);
    const struct p4r_given *g = &members[i];
    if (!p4r_number_fits(&g->value, width_of(type)))
      return p4r_say(sw, "a value of %s has %u bits", o->name, width_of(type));
    all[have + i] =
        (struct p4r_match){.kind = P4R_VALUE, .a = p4r_number_value(&sw->own, &g->value, type)};
    if (g->kind == P4R_GIVEN_VALUE) continue;
    all[have + i].kind = g->kind == P4R_GIVEN_RANGE ? P4R_RANGE : P4R_MASK;
    all[have + i].b = g->kind == P4R_GIVEN_PREFIX ? ones(&sw->own, width_of(type), g->prefix_len)
                                                  : p4r_number_value(&sw->own, &g->mask, type);
  }
  o->members_of_set = all;
  o->num_members_of_set = have + num;
  return true;
}

const char *p4r_key_kind(struct p4r_switch *sw, const char *name, const char *key) {
  const struct p4r_object *table = p4r_find(sw, P4R_TABLE, "", name);
  const int at = table ? find_key(sw, table, key) : -1;
  if (at < 0) return NULL;
  const struct p4_key *k = table->decl->table->keys;
  for (int i = 0; i < at; i++) k = k->next;
  return k->kind->name;
}
