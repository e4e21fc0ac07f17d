// SPDX-License-Identifier: Apache-2.0
// Tables: which entry wins, and its action.
#include <string.h>

#include "run.h"

// ---- making -------------------------------------------------------------------------------------

static const struct p4_action_ref *in_list(const struct p4_table *t, const struct p4_decl *action) {
  for (const struct p4_action_ref *r = t->actions; r; r = r->next)
    if (r->action == action) return r;
  return NULL;
}

// An action of the text with the arguments that stand there.
static struct p4r_action written_action(struct p4r_exec *x, const struct p4_table *t,
                                        const struct p4_action_ref *ref) {
  const struct p4_action_ref *listed = in_list(t, ref->action);
  struct p4r_action a = {.ref = listed ? listed : ref};
  unsigned num = 0;
  for (const struct p4_decl *p = ref->action->params; p; p = p->next) num++;
  a.data = NEW_ARRAY(&x->sw->own, struct p4v, num + 1);
  unsigned i = 0;
  for (const struct p4_decl *p = ref->action->params; p; p = p->next, i++) {
    if (p->direction != P4_NO_DIRECTION) continue;
    const bool given = ref->call && i < ref->call->num_args && ref->call->args[i];
    a.data[i] = given ? p4r_eval(x, ref->call->args[i]) : p4v_zero(x->arena, p->type);
    a.data[i] = p4v_copy(&x->sw->own, a.data[i]);
  }
  return a;
}

static unsigned count_ones(struct p4v v) {
  const uint64_t *words = v.width > 64 ? v.words : &v.word;
  unsigned ones = 0;
  for (unsigned i = 0; i < v.width; i++) ones += (unsigned)(words[i / 64] >> i % 64 & 1);
  return ones;
}

static void keep(struct p4r_switch *sw, struct p4r_match *m) {
  m->a = p4v_copy(&sw->own, m->a);
  m->b = p4v_copy(&sw->own, m->b);
}

struct p4r_entry *p4r_add_entry(struct p4r_switch *sw, struct p4r_object *table,
                                const struct p4r_entry *entry) {
  struct p4r_entry *e = NEW(&sw->own, struct p4r_entry);
  *e = *entry;
  e->next = NULL;
  e->id = ++table->num_entries;
  const unsigned num = table->decl->table->num_keys;
  e->matches = NEW_ARRAY(&sw->own, struct p4r_match, num + 1);
  memcpy(e->matches, entry->matches, num * sizeof *e->matches);
  for (unsigned i = 0; i < num; i++) keep(sw, &e->matches[i]);
  *table->last_entry = e;
  table->last_entry = &e->next;
  return e;
}

// The old annotation @priority(n), where the smaller number wins; entries without it have their
// place.
static void old_priority(const struct p4_table *t, const struct p4_entry *from,
                         struct p4r_entry *e) {
  bool used = false;
  uint64_t place = 0, number;
  for (const struct p4_entry *o = t->entries; o; o = o->next) {
    used = used || p4_annotation(o->annotations, "priority");
    if (o->place.line < from->place.line) place++;
  }
  if (!used) return;
  const struct p4_annotation *own = p4_annotation(from->annotations, "priority");
  if (!own || p4_annotation_numbers(own, &number, 1) != 1) number = place + 1;
  e->priority = t->largest_priority_wins ? UINT32_MAX - number : number;
}

static void add_written(struct p4r_exec *x, struct p4r_object *table, const struct p4_entry *from) {
  const struct p4_table *t = table->decl->table;
  struct p4r_entry e = {.action = written_action(x, t, from->action),
                        .priority = from->priority,
                        .place = from->place};
  old_priority(t, from, &e);
  e.matches = NEW_ARRAY(x->arena, struct p4r_match, t->num_keys + 1);
  for (unsigned i = 0; i < t->num_keys; i++) {
    struct p4r_match *m = &e.matches[i];
    *m = p4r_keyset(x, &from->sets[i]);
    if (m->kind == P4R_MASK) m->prefix_len = count_ones(m->b);
    if (m->kind == P4R_VALUE) m->prefix_len = m->a.width;
  }
  p4r_add_entry(x->sw, table, &e);
}

static struct p4r_object *property(struct p4r_exec *x, const struct p4r_object *table,
                                   const char *name) {
  const struct p4_property *p = p4_table_property(table->decl->table, name);
  return p && p->value ? p4r_object_of(x, p->value, table->name) : NULL;
}

void p4r_make_table(struct p4r_exec *x, struct p4r_object *table) {
  const struct p4_table *t = table->decl->table;
  unsigned prefixes = 0;
  for (const struct p4_key *k = t->keys; k; k = k->next) {
    const char *kind = k->kind->name;
    if (strcmp(kind, "ternary") == 0 || strcmp(kind, "range") == 0 || strcmp(kind, "optional") == 0)
      table->by_priority = true;
    if (strcmp(kind, "lpm") == 0) prefixes++;
  }
  table->by_prefix = prefixes > 0 && !table->by_priority;
  table->counter = property(x, table, "counters");
  table->meter = property(x, table, "meters");
  table->profile = property(x, table, "implementation");
  if (t->miss) table->miss = table->written_miss = written_action(x, t, t->miss);
  for (const struct p4_entry *e = t->entries; e; e = e->next) add_written(x, table, e);
}

// ---- looking up ---------------------------------------------------------------------------------

static bool entry_fits(const struct p4r_object *table, const struct p4r_entry *e,
                       const struct p4v *keys) {
  unsigned i = 0;
  for (const struct p4_key *k = table->decl->table->keys; k; k = k->next, i++)
    if (strcmp(k->kind->name, "selector") != 0 && !p4r_matches(&e->matches[i], keys[i]))
      return false;
  return true;
}

static unsigned prefix_len(const struct p4r_object *table, const struct p4r_entry *e) {
  unsigned i = 0, len = 0;
  for (const struct p4_key *k = table->decl->table->keys; k; k = k->next, i++)
    if (strcmp(k->kind->name, "lpm") == 0) len += e->matches[i].prefix_len;
  return len;
}

static bool beats(const struct p4r_object *table, const struct p4r_entry *e,
                  const struct p4r_entry *best) {
  if (table->by_prefix) return prefix_len(table, e) > prefix_len(table, best);
  if (!table->by_priority) return false;
  return table->decl->table->largest_priority_wins ? e->priority > best->priority
                                                   : e->priority < best->priority;
}

static struct p4r_entry *look_up(const struct p4r_object *table, const struct p4v *keys) {
  struct p4r_entry *best = NULL;
  for (struct p4r_entry *e = table->entries; e; e = e->next)
    if (!e->gone && entry_fits(table, e, keys) && (!best || beats(table, e, best))) best = e;
  return best;
}

// The member of a group by the selector keys' hash.
static const struct p4r_action *of_group(struct p4r_exec *x, const struct p4r_object *table,
                                         const struct p4r_group *group, const struct p4v *keys) {
  if (group->num == 0) return NULL;
  struct p4v_string s = {.arena = x->arena};
  unsigned i = 0;
  for (const struct p4_key *k = table->decl->table->keys; k; k = k->next, i++)
    if (strcmp(k->kind->name, "selector") == 0) p4v_append(&s, keys[i]);
  const uint64_t hash = p4r_hash(x, table->profile->algorithm, &s) & 0xFFFFFFFF;
  return &group->members[hash % group->num]->action;
}

static void count_hit(struct p4r_exec *x, struct p4r_object *table, struct p4r_entry *e) {
  const size_t len = x->packet ? x->packet->len : 0;
  if (table->counter) {
    e->cell.packets++;
    e->cell.bytes += len;
  }
  if (table->meter)
    x->colour = p4r_meter_run(&e->cell.meter, x->sw->time_us, table->meter->counts_bytes ? len : 1);
}

struct p4v p4r_apply(struct p4r_exec *x, struct p4r_object *table) {
  const struct p4_table *t = table->decl->table;
  struct p4v *keys = NEW_ARRAY(x->arena, struct p4v, t->num_keys + 1);
  unsigned num = 0;
  for (const struct p4_key *k = t->keys; k; k = k->next) keys[num++] = p4r_eval(x, k->expr);
  struct p4v result = {.kind = P4V_RESULT};
  if (x->exiting) return result;
  struct p4r_entry *e = num ? look_up(table, keys) : NULL;
  const struct p4r_action *action = &table->miss;
  if (e) {
    action = &e->action;
    if (e->member) action = &e->member->action;
    if (e->group) action = of_group(x, table, e->group, keys);
    count_hit(x, table, e);
  }
  result.truth = e != NULL;
  result.object = (void *)(uintptr_t)(action && action->ref ? action->ref->action : NULL);
  p4r_trace_table(x, table, keys, e, result.object);
  if (!action || !action->ref) return result;
  p4r_run_action(x, action);
  return result;
}
