// SPDX-License-Identifier: Apache-2.0
// Binds the names of tables, and checks what can be said of them without looking at the chip.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "table.h"

enum { MAX_WIDTH = 48, DEFAULT_WIDTH = 32 };

static uint64_t ones(unsigned width) { return (UINT64_C(1) << width) - 1; }

struct table *table_find(const struct sluice_program *p, const struct token *name,
                         unsigned *number) {
  *number = 0;
  for (struct table *t = p->table_list; t; t = t->next, ++*number)
    if (t->name && check_same(name, t->name)) return t;
  return NULL;
}

bool table_is_exact(const struct table *t) {
  bool exact = true;
  for (unsigned i = 0; i < t->num_keys; i++) exact &= t->key[i].kind == SLUICE_KEY_EXACT;
  return exact;
}

// ---- actions ------------------------------------------------------------------------------------

static void check_args(struct checker *c, struct function *f) {
  for (unsigned i = 0; i < f->num_args; i++) {
    struct table_arg *a = &f->arg[i];
    int32_t width = DEFAULT_WIDTH;
    a->name = check_text(c->ir->arena, a->at);
    a->width = DEFAULT_WIDTH;
    for (unsigned j = 0; j < i; j++)
      if (strcmp(f->arg[j].name, a->name) == 0)
        diag_error(c->ir, a->at, "twice", "a second parameter '%s'", a->name);
    if (strlen(a->name) >= SLUICE_NAME_LEN)
      diag_error(c->ir, a->at, "long-name", "a name has at most %d characters",
                 SLUICE_NAME_LEN - 1);
    if (a->width_expr && check_constant(c, a->width_expr, &width)) {
      if (width < 1 || width > MAX_WIDTH)
        diag_error(c->ir, a->width_expr->at, "parameter-width",
                   "a parameter has 1 to %d bits, not %d", MAX_WIDTH, width);
      else a->width = (unsigned)width;
    }
  }
  if (c->ir->num_errors == 0 && !table_place_args(f->arg, f->num_args)) {
    unsigned bits = 0;
    for (unsigned i = 0; i < f->num_args; i++) bits += f->arg[i].width;
    diag_error(
        c->ir, f->at, "action-data",
        "the parameters of '" TOKEN "' have %u bits, and an entry brings four words of 32%s",
        TOKEN_ARGS(f->at), bits,
        bits <= 32 * DATA_WORDS ? "; of one with more than 32 the lower 32 take a word" : "");
  }
}

static void check_functions(struct checker *c) {
  for (struct function *f = c->ir->program->functions; f; f = f->next) {
    if (!f->is_action) continue;
    for (const struct function *g = c->ir->program->functions; g != f; g = g->next)
      if (g->is_action && check_same(f->at, check_text(c->ir->arena, g->at))) {
        diag_error(c->ir, f->at, "twice", "a second action '" TOKEN "'", TOKEN_ARGS(f->at));
        diag_note(c->ir, g->at, "the first one is here");
      }
    if (check_same(f->at, TABLE_NOTHING))
      diag_error(c->ir, f->at, "twice", "'" TABLE_NOTHING "' is the action that does nothing");
    check_args(c, f);
    c->function = f;
    check_stmt(c, f->body);
    c->function = NULL;
  }
}

static void bind_action(struct checker *c, struct table_action *a) {
  a->name = check_text(c->ir->arena, a->at);
  if (strlen(a->name) >= SLUICE_NAME_LEN)
    diag_error(c->ir, a->at, "long-name", "a name has at most %d characters", SLUICE_NAME_LEN - 1);
  for (const struct function *f = c->ir->program->functions; f; f = f->next)
    if (f->is_action && check_same(f->at, a->name)) {
      a->function = f;
      a->num_args = f->num_args;
      memcpy(a->arg, f->arg, sizeof a->arg);
      return;
    }
  if (!check_same(a->at, TABLE_NOTHING))
    diag_error(c->ir, a->at, "unknown-action",
               "there is no action '%s': it would be a function 'void %s(struct Packet p)'",
               a->name, a->name);
}

unsigned table_action_named(const struct table *t, const struct token *at) {
  unsigned i = 0;
  while (i < t->num_actions && !check_same(at, t->action[i].name)) i++;
  return i;
}

static void check_call(struct checker *c, const struct table *t, struct table_call *call) {
  const struct table_action *a = &t->action[call->action];
  if (call->num_args != a->num_args) {
    diag_error(c->ir, call->at, "arguments", "'%s' takes %u argument%s, not %u", a->name,
               a->num_args, a->num_args == 1 ? "" : "s", call->num_args);
    return;
  }
  for (unsigned i = 0; i < a->num_args; i++)
    if (call->arg[i] > ones(a->arg[i].width))
      diag_error(c->ir, call->arg_at[i], "argument-range",
                 "'" TOKEN "' does not fit the %u bits of '%s'", TOKEN_ARGS(call->arg_at[i]),
                 a->arg[i].width, a->arg[i].name);
}

static void check_actions(struct checker *c, struct table *t) {
  static const struct token nothing = {
      .kind = TOKEN_NAME, .text = TABLE_NOTHING, .len = sizeof TABLE_NOTHING - 1};
  const struct token *otherwise = t->otherwise.at ? t->otherwise.at : &nothing;
  for (unsigned i = 0; i < t->num_actions; i++) bind_action(c, &t->action[i]);
  t->otherwise.action = table_action_named(t, otherwise);
  if (t->otherwise.action == t->num_actions) {
    if (t->num_actions == MAX_ACTIONS) {
      diag_error(c->ir, t->at, "too-many-actions",
                 "a table has at most %d actions, with its default action", MAX_ACTIONS);
      return;
    }
    struct table_action *a = &t->action[t->num_actions++];
    a->at = otherwise;
    a->only_default = true;
    bind_action(c, a);
  }
  if (t->otherwise.at) check_call(c, t, &t->otherwise);
  else if (t->action[t->otherwise.action].num_args) SLUICE_BUG("nothing has parameters");
}

// ---- keys ---------------------------------------------------------------------------------------

static void check_key(struct checker *c, struct table *t, struct table_key *k) {
  const struct sluice_program *p = c->ir->program;
  char name[2 * SLUICE_NAME_LEN + 2];
  if (k->packet->len != p->param->len ||
      memcmp(k->packet->text, p->param->text, p->param->len) != 0) {
    diag_error(c->ir, k->packet, "unknown-name",
               "'" TOKEN "' is not the packet; it is called '" TOKEN "'", TOKEN_ARGS(k->packet),
               TOKEN_ARGS(p->param));
    return;
  }
  if (!check_find_field(p, k->at, &k->field)) {
    diag_error(c->ir, k->at, "unknown-field", "struct Packet has no field '" TOKEN "'",
               TOKEN_ARGS(k->at));
    return;
  }
  const struct sluice_program_field *f = &p->field[k->field]->info;
  check_elsewhere(c, p->field[k->field], k->at);
  if (f->param)
    diag_error(c->ir, k->at, "malleable", "'%s' is a malleable field, and cannot be a key",
               f->name);
  if (f->words) diag_error(c->ir, k->at, "row-value", "'%s' is an array, and no key", f->name);
  for (const struct table_key *other = t->key; other < k; other++)
    if (other->field == k->field && other->name)
      diag_error(c->ir, k->at, "twice", "'%s' is a key already", f->name);
  k->width = f->home == SLUICE_HOME_BYTES || f->home == SLUICE_HOME_METADATA ? 8 * f->width : 32;
  // Of an operator's text by the name that it has there, not by that of the program.
  snprintf(name, sizeof name, TOKEN ".%s", TOKEN_ARGS(k->packet),
           of_system(p, k->at) ? check_text(c->ir->arena, k->at) : f->name);
  k->name = arena_text(c->ir->arena, name, strlen(name));
  if (strlen(name) >= SLUICE_NAME_LEN)
    diag_error(c->ir, k->at, "long-name", "'%s' has more than %d characters", name,
               SLUICE_NAME_LEN - 1);
}

static void check_lengths(struct checker *c, struct table_key *k) {
  for (unsigned i = 0; i < k->num_common; i++) {
    int32_t length = 0;
    if (!check_constant(c, k->common_expr[i], &length)) continue;
    if (k->width && (length < 1 || length > (int32_t)k->width)) {
      diag_error(c->ir, k->common_expr[i]->at, "prefix-length",
                 "a length is 1 to %u, the bits of '%s', not %d", k->width, k->name, length);
      continue;
    }
    for (unsigned other = 0; other < i; other++)
      if (k->common[other] == length)
        diag_error(c->ir, k->common_expr[i]->at, "twice", "the length %d a second time", length);
    k->common[i] = (unsigned char)length;
  }
}

static void check_keys(struct checker *c, struct table *t) {
  unsigned prefixes = 0;
  if (!t->num_keys) diag_error(c->ir, t->at, "no-key", "'%s' has no 'key:'", t->name);
  for (unsigned i = 0; i < t->num_keys; i++) {
    check_key(c, t, &t->key[i]);
    check_lengths(c, &t->key[i]);
    prefixes += t->key[i].kind == SLUICE_KEY_LPM;
    if (prefixes > 1 && t->key[i].kind == SLUICE_KEY_LPM)
      diag_error(c->ir, t->key[i].at, "two-prefixes",
                 "a second 'lpm' key: of two, no prefix is the longest");
  }
}

// ---- entries ------------------------------------------------------------------------------------

static const char *check_match(const struct table_key *k, struct table_entry *e, unsigned i) {
  const enum table_match match = e->match[i];
  const uint64_t all = ones(k->width);
  if (k->kind == SLUICE_KEY_EXACT && match != MATCH_VALUE)
    return "an 'exact' key takes a value alone";
  if (k->kind == SLUICE_KEY_LPM && match == MATCH_MASK) return "an 'lpm' key takes a prefix";
  if (e->key[i] > all || (match == MATCH_MASK && e->care[i] > all))
    return "it does not fit the key";
  if (match == MATCH_PREFIX && e->len[i] > k->width) return "the key has fewer bits";
  if (match == MATCH_VALUE) e->len[i] = k->width;
  if (match != MATCH_MASK) e->care[i] = all & ~ones(k->width - e->len[i]);
  if (match == MATCH_PREFIX && e->key[i] & ~e->care[i]) return "there are bits behind the prefix";
  e->key[i] &= e->care[i];
  return NULL;
}

static void check_entry(struct checker *c, struct table *t, struct table_entry *e) {
  e->call.action = table_action_named(t, e->call.at);
  if (e->call.action == t->num_actions || t->action[e->call.action].only_default) {
    diag_error(c->ir, e->call.at, "unknown-action", "'" TOKEN "' is no action of '%s'",
               TOKEN_ARGS(e->call.at), t->name);
    return;
  }
  check_call(c, t, &e->call);
  if (e->num_keys != t->num_keys) {
    diag_error(c->ir, e->at, "entry-keys", "an entry of '%s' has %u key%s, not %u", t->name,
               t->num_keys, t->num_keys == 1 ? "" : "s", e->num_keys);
    return;
  }
  bool prefix = false;
  for (unsigned i = 0; i < e->num_keys; i++) {
    const struct table_key *k = &t->key[i];
    const char *wrong = check_match(k, e, i);
    if (wrong)
      diag_error(c->ir, e->key_at[i], "entry-key", "%s: '%s' has %u bits", wrong, k->name,
                 k->width);
    prefix |= k->kind == SLUICE_KEY_LPM;
    if (k->kind == SLUICE_KEY_LPM && !e->has_priority) e->priority = k->width - e->len[i];
  }
  if (e->has_priority && (prefix || table_is_exact(t)))
    diag_error(c->ir, e->at, "priority", "'%s' has %s, which leaves nothing to a priority", t->name,
               prefix ? "an 'lpm' key" : "'exact' keys alone");
}

// Order of what makes two entries one: priority and keys. Equal ones stand as in the text.
static int by_match(const void *a, const void *b) {
  const struct table_entry *x = *(struct table_entry *const *)a,
                           *y = *(struct table_entry *const *)b;
  int order = (x->priority > y->priority) - (x->priority < y->priority);
  if (!order) order = memcmp(x->key, y->key, sizeof x->key);
  if (!order) order = memcmp(x->care, y->care, sizeof x->care);
  return order;
}

static int by_match_and_place(const void *a, const void *b) {
  const struct token *x = (*(struct table_entry *const *)a)->at;
  const struct token *y = (*(struct table_entry *const *)b)->at;
  const int order = by_match(a, b);
  return order ? order : (x > y) - (x < y);
}

// The driver refuses a second entry with the same keys; here it has a place in the text.
static void check_twins(struct checker *c, const struct table *t) {
  struct table_entry **list = NEW_ARRAY(c->ir->arena, struct table_entry *, t->num_entries + 1);
  unsigned num = 0;
  for (struct table_entry *e = t->entries; e; e = e->next) list[num++] = e;
  qsort(list, num, sizeof *list, by_match_and_place);
  for (unsigned i = 1; i < num; i++) {
    if (by_match(&list[i - 1], &list[i])) continue;
    diag_error(c->ir, list[i]->at, "twice", "a second entry of '%s' with these keys", t->name);
    diag_note(c->ir, list[i - 1]->at, "the first one is here");
  }
}

// ---- tables -------------------------------------------------------------------------------------

// The declaration with the same name; NULL: there is none.
static const struct token *twin(const struct checker *c, const struct table *t) {
  const struct sluice_program *p = c->ir->program;
  for (const struct table *other = p->table_list; other != t; other = other->next)
    if (strcmp(other->name, t->name) == 0) return other->at;
  for (size_t i = 0; i < p->num_states; i++)
    if (strcmp(p->state[i]->info.name, t->name) == 0) return p->state[i]->at;
  for (size_t i = 0; i < p->num_malleables; i++)
    if (strcmp(p->malleable[i]->name, t->name) == 0) return p->malleable[i]->at;
  for (const struct table *x = p->outer ? p->outer->table_list : NULL; x; x = x->next)
    if (check_same(x->at, t->name)) return x->at;
  return check_same(p->param, t->name) ? p->param : NULL;
}

static void check_table(struct checker *c, struct table *t) {
  const struct token *other = twin(c, t);
  int32_t size = 0;
  if (other) {
    diag_error(c->ir, t->at, "twice", "a second '%s'", t->name);
    diag_note(c->ir, other, "the first one is here");
  }
  if (strlen(t->name) >= SLUICE_NAME_LEN)
    diag_error(c->ir, t->at, "long-name", "a name has at most %d characters", SLUICE_NAME_LEN - 1);
  if (!t->size_expr) diag_error(c->ir, t->at, "no-size", "'%s' has no 'size:'", t->name);
  else if (check_constant(c, t->size_expr, &size)) {
    if (size < 1 || size > MAX_TABLE_ENTRIES)
      diag_error(c->ir, t->size_expr->at, "table-size", "a table has 1 to %d entries, not %d",
                 MAX_TABLE_ENTRIES, size);
    else t->size = (unsigned)size;
  }
  if (!t->num_actions) diag_error(c->ir, t->at, "no-actions", "'%s' has no 'actions:'", t->name);
  check_keys(c, t);
  const size_t errors = c->ir->num_errors;
  check_actions(c, t);
  if (c->ir->num_errors > errors) return;
  for (struct table_entry *e = t->entries; e; e = e->next) check_entry(c, t, e);
  if (c->ir->num_errors == errors) check_twins(c, t);
  if (t->size && t->num_entries > t->size)
    diag_error(c->ir, t->at, "table-size", "'%s' has %u entries in the text, and its size is %u",
               t->name, t->num_entries, t->size);
}

void check_tables(struct checker *c) {
  struct sluice_program *p = c->ir->program;
  size_t n = 0;
  if (!p->num_tables) return;
  p->table = NEW_ARRAY(c->ir->arena, struct table *, p->num_tables);
  for (struct table *t = p->table_list; t; t = t->next) {
    if (n == MAX_TABLES)
      diag_fatal(c->ir, t->at, "too-many-tables",
                 "the program has %zu tables, at most %d are possible", p->num_tables, MAX_TABLES);
    t->name = check_text(c->ir->arena, t->at);
    p->table[n++] = t;
  }
  check_functions(c);
  give_up_on_errors(c->ir);
  for (struct table *t = p->table_list; t; t = t->next) check_table(c, t);
}

void check_applied(struct checker *c) {
  for (const struct table *t = c->ir->program->table_list; t; t = t->next)
    if (!t->apply_at) diag_warning(c->ir, t->at, "not-applied", "'%s' is never applied", t->name);
}
