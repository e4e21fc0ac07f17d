// SPDX-License-Identifier: Apache-2.0
// Tables: their declarations in the IR, and what their actions do behind the lookup.
#include <string.h>

#include "../ir/program.h"
#include "entries.h"
#include "inner.h"

// ---- names -------------------------------------------------------------------------------------

static const char *table_name(struct p4c *p, const struct p4_decl *d) {
  const char *name = p4c_plain(p, d->local_name);
  for (const struct p4c_table *t = p->tables; t; t = t->next)
    if (strcmp(t->name, name) == 0) return p4c_plain(p, d->control_name);
  for (const struct p4c_table *t = p->ingress ? p->ingress->tables : NULL; t; t = t->next)
    if (strcmp(t->name, name) == 0) return p4c_plain(p, d->control_name);
  return name;
}

// ---- keys --------------------------------------------------------------------------------------

// The container that is looked up. Of 48 bits it is the field as it arrived.
static p4c_node key_node(struct p4c *p, const struct p4_key *k, unsigned *width) {
  const struct p4c_val v = p4c_clean(p, p4c_eval(p, k->expr));
  *width = v.width;
  if (v.width <= 32) return v.low;
  if (v.whole) return p4c_text(p, arena_format(p->arena, "bytes(%u, 6)", v.whole - 1));
  p4c_refuse(p, k->expr->place, "key",
             "a key of more than 32 bits is a field of 48 bits that the program has not changed, "
             "of a header that is there");
  *width = 32;
  return p4c_const(p, 0);
}

static const char *key_kind(struct p4c *p, const struct p4_key *k) {
  const char *kind = k->kind->name;
  if (strcmp(kind, "optional") == 0) return "ternary";
  if (strcmp(kind, "exact") != 0 && strcmp(kind, "lpm") != 0 && strcmp(kind, "ternary") != 0)
    p4c_refuse(p, k->kind_place, "match-kind",
               "the machine has no match engine for '%s'; it has exact, lpm and ternary keys",
               kind);
  return kind;
}

// A name, and where in the packet it stands if it is a field of a header.
static void declare_key(struct p4c *p, const char *name, const struct p4_expr *e) {
  const struct p4_field *field;
  unsigned bit;
  const bool has_path = !e->value && (e->kind == P4_EXPR_NAME || e->kind == P4_EXPR_MEMBER) &&
                        e->member == P4_MEMBER_FIELD;
  const char *path = has_path ? p4c_path(p, e) : NULL;
  const struct p4c_header *h = path ? p4c_header_with(p, path, &field, &bit) : NULL;
  if (h && h->num_places > 1) h = NULL;
  p4c_field(p, name, h ? p4c_chip_bit(h->places[0] + bit) : 0, h ? p4c_type_width(e->type) : 0);
}

static bool declare_keys(struct p4c *p, struct p4c_table *t, const struct p4_table *table) {
  const char *args = "";
  bool lpm = false, ternary = false;
  unsigned n = 0;
  for (const struct p4_key *k = table->keys; k; k = k->next, n++) {
    unsigned width;
    const p4c_node node = key_node(p, k, &width);
    p4c_want(p, node);
    const char *kind = key_kind(p, k), *name = p4c_plain(p, k->control_name);
    lpm |= strcmp(kind, "lpm") == 0;
    ternary |= strcmp(kind, "ternary") == 0;
    declare_key(p, name, k->expr);
    p4c_head(p, "key %s p.%s %s %u", t->name, name, kind, width);
    args = arena_format(p->arena, "%s%sv%u", args, n ? ", " : "", node);
  }
  if (n > SLUICE_MAX_KEYS)
    p4c_refuse(p, t->decl->place, "keys", "table '%s' has %u keys; the machine takes %d",
               t->decl->name, n, SLUICE_MAX_KEYS);
  if (lpm && ternary)
    p4c_refuse(p, t->decl->place, "keys",
               "lpm and ternary keys in one table: the machine takes the longest prefix, and here "
               "the priority decides");
  t->lookup = arena_format(p->arena, "%s(%s)", t->name, args);
  return n <= SLUICE_MAX_KEYS;
}

// ---- actions -----------------------------------------------------------------------------------

// The order of actions: those that entries can have, then one that is only the default.
static const struct p4_action_ref *nth_action(const struct p4_table *t, unsigned n) {
  for (const struct p4_action_ref *r = t->actions; r; r = r->next)
    if (!r->default_only && n-- == 0) return r;
  for (const struct p4_action_ref *r = t->actions; r; r = r->next)
    if (r->default_only && r->action == t->miss->action && n-- == 0) return r;
  return NULL;
}

// Whether the statements, or what they call, make the parameter a port.
static bool becomes_port(const struct p4_stmt *list, const struct p4_decl *param, unsigned depth);

static const struct p4_expr *without_casts(const struct p4_expr *e) {
  while (e && e->kind == P4_EXPR_CAST) e = e->a;
  return e;
}

static bool names(const struct p4_expr *e, const struct p4_decl *param) {
  e = without_casts(e);
  return e && e->kind == P4_EXPR_NAME && e->decl == param;
}

static bool is_port(const struct p4_expr *e) {
  return e->kind == P4_EXPR_MEMBER && e->a && e->a->type->decl &&
         strcmp(e->a->type->decl->name, "standard_metadata_t") == 0 &&
         strcmp(e->name, "egress_spec") == 0;
}

static bool passes_port(const struct p4_call *call, const struct p4_decl *param, unsigned depth) {
  if (call->kind != P4_CALL_ACTION && call->kind != P4_CALL_FUNCTION) return false;
  unsigned i = 0;
  for (const struct p4_decl *d = call->callee->params; d && i < call->num_args; d = d->next, i++)
    if (call->args[i] && names(call->args[i], param) &&
        becomes_port(call->callee->body, d, depth + 1))
      return true;
  return false;
}

static bool becomes_port(const struct p4_stmt *list, const struct p4_decl *param, unsigned depth) {
  if (depth > 20) return false;
  for (const struct p4_stmt *s = list; s; s = s->next)
    if ((s->kind == P4_STMT_ASSIGN && !s->compound && is_port(s->target) &&
         names(s->value, param)) ||
        (s->kind == P4_STMT_CALL && s->value->kind == P4_EXPR_CALL &&
         passes_port(s->value->call, param, depth)) ||
        becomes_port(s->body, param, depth + 1) || becomes_port(s->then, param, depth + 1) ||
        becomes_port(s->otherwise, param, depth + 1))
      return true;
  return false;
}

// Bits of a parameter that an entry gives. Of a port the machine takes 8, so a controller that
// gives more is told so.
static unsigned param_width(const struct p4_decl *action, const struct p4_decl *d) {
  const unsigned width = p4c_type_width(d->type);
  return width > 8 && becomes_port(action->body, d, 0) ? 8 : width;
}

// Parameters that entries give, with their places in the data words.
static unsigned action_args(struct p4c *p, const struct p4_decl *action, struct table_arg *args) {
  unsigned n = 0;
  for (const struct p4_decl *d = action->params; d; d = d->next) {
    if (d->direction != P4_NO_DIRECTION) continue;
    const unsigned width = param_width(action, d);
    if (n == SLUICE_MAX_ARGS || width > 48 || !width) {
      p4c_refuse(p, d->place, "action-data",
                 "an entry of the machine holds up to %d parameters of up to 48 bits",
                 SLUICE_MAX_ARGS);
      return 0;
    }
    args[n++] = (struct table_arg){.name = p4c_plain(p, arena_format(p->arena, "%s", d->name)),
                                   .width = width};
  }
  if (table_place_args(args, n)) return n;
  p4c_refuse(p, action->place, "action-data",
             "the parameters of '%s' do not fit into the four words of 32 bits that an entry has",
             action->name);
  return 0;
}

static uint64_t value_of(struct p4c *p, const struct p4_expr *e) {
  const struct p4c_val v = p4c_clean(p, p4c_eval(p, e));
  uint32_t low = 0, high = 0;
  if (!p4c_is_const(p, v.low, &low) || (v.width > 32 && !p4c_is_const(p, v.high, &high)))
    p4c_refuse(p, e->place, "not-constant",
               "what an entry gives is known when the program is compiled");
  return (uint64_t)high << 32 | low;
}

static const char *call_text(struct p4c *p, const struct p4_action_ref *r) {
  const char *text = "";
  unsigned i = 0, n = 0;
  for (const struct p4_decl *d = r->action->params; d; d = d->next, i++)
    if (d->direction == P4_NO_DIRECTION && r->call && i < r->call->num_args && r->call->args[i]) {
      const uint64_t value = value_of(p, r->call->args[i]);
      if (param_width(r->action, d) < p4c_type_width(d->type) && value > 255)
        p4c_refuse(p, r->call->args[i]->place, "port",
                   "port %llu: the machine has ports up to 255; mark_to_drop() drops",
                   (unsigned long long)value);
      text = arena_format(p->arena, "%s%s%llu", text, n++ ? ", " : "", (unsigned long long)value);
    }
  return arena_format(p->arena, "%s(%s)", p4c_plain(p, r->action->name), text);
}

static void declare_actions(struct p4c *p, const struct p4c_table *t,
                            const struct p4_table *table) {
  const struct p4_action_ref *r;
  for (unsigned n = 0; (r = nth_action(table, n)); n++) {
    struct table_arg args[SLUICE_MAX_ARGS];
    const unsigned num = action_args(p, r->action, args);
    const char *text = "";
    for (unsigned i = 0; i < num; i++)
      text = arena_format(p->arena, "%s%s%s %u", text, i ? ", " : "", args[i].name, args[i].width);
    p4c_head(p, "action %s %s(%s)%s", t->name, p4c_plain(p, r->action->name), text,
             r->default_only ? " default" : "");
    if (n == SLUICE_MAX_ACTIONS)
      p4c_refuse(p, t->decl->place, "actions",
                 "table '%s' has more than the %d actions that the machine takes", t->decl->name,
                 SLUICE_MAX_ACTIONS);
  }
  p4c_head(p, "default %s %s", t->name, call_text(p, table->miss));
}

// ---- entries -----------------------------------------------------------------------------------

static uint64_t ones(unsigned width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static const char *key_text(struct p4c *p, const struct p4_keyset *set, unsigned width,
                            unsigned *prefix) {
  uint64_t value = 0, mask = 0;
  if (set->kind == P4_KEYSET_VALUE) {
    value = value_of(p, set->a);
    mask = ones(width);
  } else if (set->kind == P4_KEYSET_MASK) {
    mask = value_of(p, set->b) & ones(width);
    value = value_of(p, set->a) & mask;
  } else if (set->kind != P4_KEYSET_ANY) {
    p4c_refuse(p, set->place, "match-kind",
               "the machine has no ranges; several values under masks do for one");
  }
  *prefix = 0;
  while (*prefix < width && mask >> (width - 1 - *prefix) & 1) ++*prefix;
  return arena_format(p->arena, "%llu &&& %llu", (unsigned long long)value,
                      (unsigned long long)mask);
}

static bool is_exact(const struct p4_table *t) {
  for (const struct p4_key *k = t->keys; k; k = k->next)
    if (strcmp(k->kind->name, "exact") != 0) return false;
  return true;
}

// How many entries win over this one; of exact keys none does. Entries that a controller can add to
// take part with their priority.
static unsigned rank_of(const struct p4_table *t, const struct p4_entry *e) {
  unsigned rank = 0;
  bool before = true;
  if (is_exact(t)) return 0;
  if (!t->const_entries && t->largest_priority_wins && e->priority <= P4C_PRIORITY)
    return P4C_PRIORITY - (unsigned)e->priority;
  for (const struct p4_entry *o = t->entries; o; o = o->next) {
    if (o == e) before = false;
    else if (o->priority == e->priority) rank += before;
    else rank += (o->priority > e->priority) == t->largest_priority_wins;
  }
  return rank;
}

static unsigned count_entries(const struct p4_table *t) {
  unsigned num = 0;
  for (const struct p4_entry *e = t->entries; e; e = e->next) num++;
  return num;
}

static bool is_told(const char *const *told, unsigned num, const char *entry) {
  for (unsigned i = 0; i < num; i++)
    if (strcmp(told[i], entry) == 0) return true;
  return false;
}

static void declare_entries(struct p4c *p, const struct p4c_table *t,
                            const struct p4_table *table) {
  unsigned num = 0;
  const char **told = NEW_ARRAY(p->arena, const char *, count_entries(table) + 1);
  for (const struct p4_entry *e = table->entries; e; e = e->next) {
    const char *keys = "";
    unsigned i = 0, rank = rank_of(table, e);
    p->place = e->place;
    for (const struct p4_key *k = table->keys; k; k = k->next, i++) {
      const unsigned width = p4c_type_width(k->expr->type);
      unsigned prefix;
      keys = arena_format(p->arena, "%s%s%s", keys, i ? ", " : "",
                          key_text(p, &e->sets[i], width, &prefix));
      if (strcmp(k->kind->name, "lpm") == 0) rank = width - prefix;
    }
    // of two with one key and rank the first wins, and a chip takes no second one
    told[num] = arena_format(p->arena, "%s priority %u", keys, rank);
    if (is_told(told, num, told[num])) continue;
    num++;
    p4c_head(p, "entry %s %s: %s priority %u", t->name, keys, call_text(p, e->action), rank);
  }
}

// ---- size --------------------------------------------------------------------------------------

static unsigned size_of(struct p4c *p, const struct p4_decl *d) {
  const struct p4_table *t = d->table;
  const uint64_t want = t->size ? t->size : 1024;
  unsigned room = is_exact(t) && p->config->CuckooEntries ? p->config->CuckooEntries / 10 * 9
                                                          : p->config->TernaryEntries;
  if (!room) room = MAX_TABLE_ENTRIES;  // the compiler says that there is no engine
  if (want <= room) return (unsigned)want;
  if (t->has_size)
    p4c_warn(p, d->place, "table-size",
             "table '%s' asks for %llu entries; it gets %u, which a stage of '%s' holds", d->name,
             (unsigned long long)want, room, p->config->name);
  return room;
}

// ---- lookups -----------------------------------------------------------------------------------

p4c_node p4c_hit(struct p4c *p, const struct p4c_table *t) {
  return t->lookup ? p4c_text(p, arena_format(p->arena, "lookup %s.hit", t->lookup))
                   : p4c_const(p, 0);
}

static p4c_node is_nth(struct p4c *p, const struct p4c_table *t, unsigned n) {
  return p4c_binary(p, "==", p4c_text(p, arena_format(p->arena, "lookup %s.action", t->lookup)),
                    p4c_const(p, n + 1));
}

p4c_node p4c_is_action(struct p4c *p, const struct p4c_table *t, const struct p4_decl *action) {
  const struct p4_table *table = t->decl->table;
  const struct p4_action_ref *r;
  if (!t->lookup) return p4c_const(p, table->miss->action == action);
  for (unsigned n = 0; (r = nth_action(table, n)); n++)
    if (r->action == action) return is_nth(p, t, n);
  return p4c_const(p, 0);
}

// A word, of an entry whose action has these parameters.
static bool is_shared(const struct table_arg *args, unsigned num, const struct table_arg *a) {
  for (unsigned i = 0; i < num; i++)
    if (&args[i] != a && args[i].word == a->word) return true;
  return false;
}

static struct p4c_val data_word(struct p4c *p, const struct p4c_table *t, const char *action,
                                const struct table_arg *args, unsigned num, unsigned n) {
  const struct table_arg *a = &args[n];
  const bool shared = is_shared(args, num, a);
  const char *from = arena_format(p->arena, "lookup %s.%s", t->lookup, action);
  struct p4c_val v = {0, 0, a->width, true, 0, {0}};
  const p4c_node word = p4c_text(p, arena_format(p->arena, "%s.%u", from, a->word));
  if (!shared) p->nodes[word].bits = a->width <= 32 ? a->width : a->width - 32;
  if (a->width > 32) {
    v.high = p4c_low(p, p4c_binary(p, ">>>", word, p4c_const(p, a->lsb)), a->width - 32);
    v.low = p4c_text(p, arena_format(p->arena, "%s.%u", from, a->word + 1));
  } else {
    v.low = p4c_binary(p, ">>>", word, p4c_const(p, a->lsb));
    if (shared) v.low = p4c_low(p, v.low, a->width);
  }
  return v;
}

struct act {
  const struct p4c_table *table;
  unsigned number;
};

// What an action does, with what the entry gives it.
static void act(struct p4c *p, const void *x) {
  const struct act *a = x;
  const struct p4_action_ref *r = nth_action(a->table->decl->table, a->number);
  struct table_arg args[SLUICE_MAX_ARGS];
  struct p4_call call = {.num_args = r->action->num_params,
                         .args = NEW_ARRAY(p->arena, struct p4_expr *, r->action->num_params + 1)};
  const unsigned num = action_args(p, r->action, args);
  unsigned i = 0, n = 0;
  for (const struct p4_decl *d = r->action->params; d; d = d->next, i++) {
    if (d->direction != P4_NO_DIRECTION) {
      call.args[i] = r->call ? r->call->args[i] : NULL;
      continue;
    }
    // a name for the word of the entry
    struct p4_decl *word = NEW(p->arena, struct p4_decl);
    struct p4_expr *name = NEW(p->arena, struct p4_expr);
    *word = (struct p4_decl){.kind = P4_DECL_VARIABLE, .name = d->name, .type = d->type};
    *name = (struct p4_expr){
        .kind = P4_EXPR_NAME, .decl = word, .name = d->name, .type = d->type, .place = r->place};
    if (a->table->lookup && n < num) {
      struct p4c_val v = data_word(p, a->table, p4c_plain(p, r->action->name), args, num, n);
      v.width = p4c_type_width(d->type);
      *p4c_cell(p, p4c_path(p, name), v.width) = v;
    }
    n++;
    call.args[i] = a->table->lookup ? name : a->table->decl->table->miss->call->args[i];
  }
  struct p4_expr e = {.kind = P4_EXPR_CALL, .place = r->place, .call = &call};
  call.kind = P4_CALL_ACTION;
  call.callee = r->action;
  p4c_call(p, &e);
}

static void act_from(struct p4c *p, const void *x) {
  const struct act *a = x;
  // one of the actions is done, so it is the last one if none before it is
  if (!nth_action(a->table->decl->table, a->number + 1)) {
    act(p, a);
    return;
  }
  const struct act rest = {a->table, a->number + 1};
  p4c_branch(p, is_nth(p, a->table, a->number), act, a, act_from, &rest);
}

static void refuse_properties(struct p4c *p, const struct p4_decl *d) {
  const struct p4_property *q = p4_table_property(d->table, "implementation");
  if (q)
    p4c_refuse(p, q->place, "action-profile", "the machine has no action profiles and selectors");
  q = p4_table_property(d->table, "meters");
  if (q) p4c_refuse(p, q->place, "meter", "the machine has no meters of entries");
  q = p4_table_property(d->table, "counters");
  if (q && p->is_egress)
    p4c_refuse(p, q->place, "counter",
               "entries of an egress that asks for its queue count nothing");
  else if (q && !p->config->EntryCounters)
    p4c_refuse(p, q->place, "counter", "entries of chip '%s' count no packets; those of 'react' do",
               p->config->name);
}

struct p4c_table *p4c_apply(struct p4c *p, const struct p4_expr *call) {
  const struct p4_decl *d = call->call->object->decl;
  for (struct p4c_table *t = p->tables; t; t = t->next)
    if (t->decl == d) {
      p4c_refuse(p, call->place, "applied-twice",
                 "table '%s' is applied at a second place; the machine looks a packet up once in "
                 "each table",
                 d->name);
      return NULL;
    }
  struct p4c_table *t = NEW(p->arena, struct p4c_table);
  *t = (struct p4c_table){.decl = d, .name = table_name(p, d), .next = p->tables};
  p->tables = t;
  refuse_properties(p, d);
  const struct p4_place place = p->place;
  if (d->table->num_keys) {
    p4c_head(p, "table %s[%u]", t->name, size_of(p, d));
    if (!declare_keys(p, t, d->table)) return NULL;
    declare_actions(p, t, d->table);
    declare_entries(p, t, d->table);
    p->place = place;
    const struct act first = {t, 0};
    act_from(p, &first);
  } else {
    // without keys there is only the default action
    const struct p4_action_ref *r;
    for (unsigned n = 0; (r = nth_action(d->table, n)); n++) {
      const struct act only = {t, n};
      if (r->action == d->table->miss->action) act(p, &only);
    }
    if (!d->table->const_default)
      p4c_warn(
          p, d->place, "default-action",
          "table '%s' has no keys, so its default action is part of the program and stays as it is",
          d->name);
  }
  return t;
}
