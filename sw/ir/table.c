// SPDX-License-Identifier: Apache-2.0
// Tables in the IR's text (docs/compiler.md), read and printed.
//
//     table route[1000]
//     key route p.dst lpm 32                    or  lpm 32 of 24, 16: the commonest lengths
//     action route forward(port 32, mac 48)
//     action route nothing() default            no entry has it
//     default route nothing()
//     entry route 167772160 &&& 4278190080: forward(1, 5) priority 24
//     v1 = lookup route(v0).forward.2           data word 2, where the action is forward, else 0
#include <string.h>

#include "reader.h"

static const char *const kinds[] = {
    [SLUICE_KEY_EXACT] = "exact", [SLUICE_KEY_LPM] = "lpm", [SLUICE_KEY_TERNARY] = "ternary"};
enum { NUM_KINDS = sizeof kinds / sizeof kinds[0], MAX_WIDTH = 48 };

// ---- reading ------------------------------------------------------------------------------------

static bool called(const struct token *t, const char *text) {
  return t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

static struct table *table_named(struct reader *r, unsigned *number) {
  const struct token t = ir_name(r, "the name of a table");
  for (*number = 0; *number < r->p->num_tables; ++*number)
    if (called(&t, r->p->table[*number]->name)) return r->p->table[*number];
  diag_fatal(r->c, &t, "unknown-name", "there is no table '" TOKEN "'", TOKEN_ARGS(&t));
}

static uint64_t wide(struct reader *r, const char *what, unsigned width) {
  const struct token t = r->now;
  if (t.kind != TOKEN_NUMBER) ir_unexpected(r, what);
  if (t.wide >> width)
    diag_fatal(r->c, &t, "range", "'" TOKEN "' does not fit %u bits", TOKEN_ARGS(&t), width);
  ir_next(r);
  return t.wide;
}

static void read_size(struct reader *r) {
  struct sluice_program *p = r->p;
  const struct token t = ir_name(r, "the name of a table");
  if (p->num_tables == MAX_TABLES)
    diag_fatal(r->c, &t, "too-many-tables", "more than %d tables", MAX_TABLES);
  for (size_t i = 0; i < p->num_tables; i++)
    if (called(&t, p->table[i]->name))
      diag_fatal(r->c, &t, "twice", "a second table '" TOKEN "'", TOKEN_ARGS(&t));
  for (size_t i = 0; p->outer && i < p->outer->num_tables; i++)
    if (called(&t, p->outer->table[i]->name))
      diag_fatal(r->c, &t, "twice", "a second table '" TOKEN "'", TOKEN_ARGS(&t));
  struct table *made = NEW(r->c->arena, struct table);
  made->at = ir_keep(r, &t);
  made->name = ir_declared_name(r, &t);
  made->otherwise.action = MAX_ACTIONS;
  ir_expect(r, "[");
  made->size = (unsigned)ir_number_within(r, "a number of entries", 1, MAX_TABLE_ENTRIES).value;
  ir_expect(r, "]");
  p->table[p->num_tables++] = made;
}

static void read_key(struct reader *r) {
  unsigned number, kind = 0;
  struct table *t = table_named(r, &number);
  char name[2 * SLUICE_NAME_LEN + 2];
  if (t->num_keys == SLUICE_MAX_KEYS)
    diag_fatal(r->c, &r->now, "too-many-keys", "more than %d keys", SLUICE_MAX_KEYS);
  struct table_key *k = &t->key[t->num_keys];
  const struct token packet = ir_name(r, "the name of the packet");
  ir_expect(r, ".");
  const struct token field = ir_name(r, "the name of a field");
  k->at = ir_keep(r, &field);
  snprintf(name, sizeof name, TOKEN ".%.*s", TOKEN_ARGS(&packet), SLUICE_NAME_LEN,
           ir_declared_name(r, &field));
  if (strlen(name) >= SLUICE_NAME_LEN)
    diag_fatal(r->c, &field, "long-name", "a name has at most %d characters", SLUICE_NAME_LEN - 1);
  k->name = arena_text(r->c->arena, name, strlen(name));
  while (kind < NUM_KINDS && !ir_accept(r, kinds[kind])) kind++;
  if (kind == NUM_KINDS) ir_unexpected(r, "'exact', 'lpm' or 'ternary'");
  k->kind = (enum sluice_key_kind)kind;
  k->width = (unsigned)ir_number_within(r, "a width", 1, MAX_WIDTH).value;
  if (k->kind == SLUICE_KEY_LPM && ir_accept(r, "of")) do {
      if (k->num_common == MAX_LENGTHS)
        diag_fatal(r->c, &r->now, "too-many-lengths", "more than %d lengths", MAX_LENGTHS);
      const unsigned length = (unsigned)ir_number_within(r, "a length", 1, k->width).value;
      for (unsigned i = 0; i < k->num_common; i++)
        if (k->common[i] == length)
          diag_fatal(r->c, &field, "twice", "the length %u a second time", length);
      k->common[k->num_common++] = (unsigned char)length;
    } while (ir_accept(r, ","));
  for (unsigned i = 0; i < t->num_keys; i++)
    if (t->key[i].kind == SLUICE_KEY_LPM && k->kind == SLUICE_KEY_LPM)
      diag_fatal(r->c, &field, "two-prefixes", "a second 'lpm' key");
  t->num_keys++;
}

static void read_action(struct reader *r) {
  unsigned number;
  struct table *t = table_named(r, &number);
  const struct token at = ir_name(r, "the name of an action");
  if (t->num_actions == MAX_ACTIONS)
    diag_fatal(r->c, &at, "too-many-actions", "more than %d actions", MAX_ACTIONS);
  struct table_action *a = &t->action[t->num_actions];
  a->at = ir_keep(r, &at);
  a->name = ir_declared_name(r, &at);
  for (unsigned i = 0; i < t->num_actions; i++)
    if (strcmp(t->action[i].name, a->name) == 0)
      diag_fatal(r->c, &at, "twice", "a second action '%s'", a->name);
  if (t->num_actions && t->action[t->num_actions - 1].only_default)
    diag_fatal(r->c, &at, "only-default", "an action that is only the default is the last one");
  ir_expect(r, "(");
  while (!ir_at(r, ")")) {
    if (a->num_args == SLUICE_MAX_ARGS)
      diag_fatal(r->c, &r->now, "arguments", "more than %d parameters", SLUICE_MAX_ARGS);
    const struct token name = ir_name(r, "the name of a parameter");
    struct table_arg *x = &a->arg[a->num_args++];
    x->at = ir_keep(r, &name);
    x->name = ir_declared_name(r, &name);
    x->width = (unsigned)ir_number_within(r, "a width", 1, MAX_WIDTH).value;
    if (!ir_accept(r, ",")) break;
  }
  ir_expect(r, ")");
  if (!table_place_args(a->arg, a->num_args))
    diag_fatal(r->c, &at, "action-data", "the parameters take more than four words");
  a->only_default = ir_accept(r, "default");
  t->num_actions++;
}

static void read_call(struct reader *r, const struct table *t, struct table_call *call) {
  const struct token at = ir_name(r, "the name of an action");
  call->at = ir_keep(r, &at);
  call->action = 0;
  while (call->action < t->num_actions && !called(&at, t->action[call->action].name))
    call->action++;
  if (call->action == t->num_actions)
    diag_fatal(r->c, &at, "unknown-action", "'" TOKEN "' is no action of '%s'", TOKEN_ARGS(&at),
               t->name);
  const struct table_action *a = &t->action[call->action];
  ir_expect(r, "(");
  for (call->num_args = 0; call->num_args < a->num_args; call->num_args++) {
    if (call->num_args) ir_expect(r, ",");
    call->arg[call->num_args] = wide(r, "an argument", a->arg[call->num_args].width);
  }
  ir_expect(r, ")");
}

static void read_default(struct reader *r) {
  unsigned number;
  struct table *t = table_named(r, &number);
  if (t->otherwise.at) diag_fatal(r->c, &r->now, "twice", "a second default action");
  read_call(r, t, &t->otherwise);
}

static bool is_prefix(uint64_t care, unsigned width) {
  const uint64_t rest = ~care & ((UINT64_C(1) << width) - 1);
  return !(rest & (rest + 1));
}

static void read_entry(struct reader *r) {
  unsigned number;
  const struct token at = r->now;
  struct table *t = table_named(r, &number);
  struct table_entry *e = NEW(r->c->arena, struct table_entry);
  if (t->num_entries == t->size)
    diag_fatal(r->c, &at, "table-size", "'%s' has room for %u entries", t->name, t->size);
  e->at = ir_keep(r, &at);
  e->num_keys = t->num_keys;
  for (unsigned i = 0; i < t->num_keys; i++) {
    const struct token key = r->now;
    const unsigned width = t->key[i].width;
    if (i) ir_expect(r, ",");
    e->key[i] = wide(r, "a key", width);
    ir_expect(r, "&&&");
    e->care[i] = wide(r, "a mask", width);
    const bool all = e->care[i] == (UINT64_C(1) << width) - 1;
    if (e->key[i] & ~e->care[i] || (t->key[i].kind == SLUICE_KEY_EXACT && !all) ||
        (t->key[i].kind == SLUICE_KEY_LPM && !is_prefix(e->care[i], width)))
      diag_fatal(r->c, &key, "entry-key", "an '%s' key cannot be this", kinds[t->key[i].kind]);
  }
  ir_expect(r, ":");
  read_call(r, t, &e->call);
  if (t->action[e->call.action].only_default)
    diag_fatal(r->c, e->call.at, "unknown-action", "no entry has this action");
  ir_expect(r, "priority");
  e->has_priority = true;
  e->priority = (uint32_t)ir_number_within(r, "a priority", 0, UINT32_MAX).value;
  struct table_entry **end = t->last ? &t->last->next : &t->entries;
  *end = t->last = e;
  t->num_entries++;
}

bool ir_read_table(struct reader *r) {
  if (ir_accept(r, "table")) read_size(r);
  else if (ir_accept(r, "key")) read_key(r);
  else if (ir_accept(r, "action")) read_action(r);
  else if (ir_accept(r, "default")) read_default(r);
  else if (ir_accept(r, "entry")) read_entry(r);
  else return false;
  return true;
}

// All lookups of a table have the keys of the first.
static void check_keys(struct reader *r, const struct ir_value *v, const struct token *at) {
  for (unsigned i = 0; i < r->ir->num_values; i++) {
    const struct ir_value *other = &r->ir->value[i];
    if (other->op != OP_TABLE || other->index != v->index) continue;
    if (memcmp(other->arg, v->arg, sizeof v->arg) != 0)
      diag_fatal(r->c, at, "two-lookups", "'%s' is applied once, and v%u has other keys",
                 r->p->table[v->index]->name, i);
    return;
  }
}

void ir_read_lookup(struct reader *r, struct ir_value *v) {
  const struct token at = r->now;
  struct table *t = table_named(r, &v->index);
  v->op = OP_TABLE;
  if (!t->otherwise.at || !t->num_keys)
    diag_fatal(r->c, &at, "no-key", "'%s' has no %s", t->name,
               t->num_keys ? "default action" : "key");
  ir_expect(r, "(");
  for (; v->num_args < t->num_keys; v->num_args++) {
    if (v->num_args) ir_expect(r, ",");
    v->arg[v->num_args] = ir_operand(r);
  }
  ir_expect(r, ")");
  ir_expect(r, ".");
  if (!t->apply_at) t->apply_at = ir_keep(r, &at);
  check_keys(r, v, &at);
  if (ir_accept(r, "hit")) {
    v->modulus = TABLE_HIT;
    return;
  }
  if (ir_accept(r, "action")) {
    v->modulus = TABLE_ACTION;
    return;
  }
  const struct token name = ir_name(r, "'hit', 'action' or the name of an action");
  unsigned action = 0;
  while (action < t->num_actions && !called(&name, t->action[action].name)) action++;
  if (action == t->num_actions)
    diag_fatal(r->c, &name, "unknown-action", "'" TOKEN "' is no action of '%s'", TOKEN_ARGS(&name),
               t->name);
  ir_expect(r, ".");
  v->modulus = TABLE_WORD + DATA_WORDS * action +
               (unsigned)ir_number_within(r, "a data word", 0, DATA_WORDS - 1).value;
}

// ---- words --------------------------------------------------------------------------------------

//     lookup price[1024] of 15 or stay          words 0 to 3 of the packet's array are looked up
//     pair 17: 100
//     v1 = found
static void read_lookup_of(struct reader *r) {
  const struct token t = ir_name(r, "the name of a lookup");
  struct word_table *made = NEW(r->c->arena, struct word_table);
  if (r->p->word_table) diag_fatal(r->c, &t, "two-lookups", "a second lookup of words");
  made->at = made->used_at = ir_keep(r, &t);
  made->name = ir_declared_name(r, &t);
  ir_expect(r, "[");
  made->size = (unsigned)ir_number_within(r, "a number of entries", 1, MAX_TABLE_ENTRIES).value;
  ir_expect(r, "]");
  ir_expect(r, "of");
  made->words = (uint32_t)ir_number_within(r, "a bit for each word", 1, UINT16_MAX).value;
  made->stay = ir_accept(r, "or");
  if (made->stay) ir_expect(r, "stay");
  r->p->word_table = made;
}

static void read_pair(struct reader *r) {
  struct word_table *t = r->p->word_table;
  const struct token at = r->now;
  if (!t)
    diag_fatal(r->c, &at, "unknown-lookup", "'pair' stands behind the 'lookup' that it is of");
  if (t->num_pairs == t->size)
    diag_fatal(r->c, &at, "table-size", "'%s' has room for %u entries", t->name, t->size);
  struct word_pair *made = NEW(r->c->arena, struct word_pair);
  made->at = ir_keep(r, &at);
  made->key = (uint32_t)wide(r, "a word", 32);
  ir_expect(r, ":");
  made->data = (uint32_t)wide(r, "what it becomes", 32);
  struct word_pair **end = t->last ? &t->last->next : &t->pairs;
  *end = t->last = made;
  t->num_pairs++;
}

bool ir_read_word_table(struct reader *r) {
  if (ir_accept(r, "lookup")) read_lookup_of(r);
  else if (ir_accept(r, "pair")) read_pair(r);
  else return false;
  return true;
}

void ir_print_word_table(const struct sluice_program *p, FILE *out) {
  const struct word_table *t = p->word_table;
  if (!t || !t->used_at) return;
  fprintf(out, "lookup %s[%u] of %u%s\n", t->name, t->size, t->words, t->stay ? " or stay" : "");
  for (const struct word_pair *e = t->pairs; e; e = e->next)
    fprintf(out, "pair %u: %u\n", e->key, e->data);
}

// ---- printing -----------------------------------------------------------------------------------

static void print_call(const struct table *t, const struct table_call *call, FILE *out) {
  const struct table_action *a = &t->action[call->action];
  fprintf(out, "%s(", a->name);
  for (unsigned i = 0; i < a->num_args; i++)
    fprintf(out, "%s%llu", i ? ", " : "", (unsigned long long)call->arg[i]);
  fputc(')', out);
}

static void print_table(const struct table *t, FILE *out) {
  fprintf(out, "table %s[%u]\n", t->name, t->size);
  for (unsigned i = 0; i < t->num_keys; i++) {
    const struct table_key *k = &t->key[i];
    fprintf(out, "key %s %s %s %u", t->name, k->name, kinds[k->kind], k->width);
    for (unsigned n = 0; n < k->num_common; n++)
      fprintf(out, "%s %u", n ? "," : " of", k->common[n]);
    fputc('\n', out);
  }
  for (unsigned i = 0; i < t->num_actions; i++) {
    const struct table_action *a = &t->action[i];
    fprintf(out, "action %s %s(", t->name, a->name);
    for (unsigned n = 0; n < a->num_args; n++)
      fprintf(out, "%s%s %u", n ? ", " : "", a->arg[n].name, a->arg[n].width);
    fprintf(out, ")%s\n", a->only_default ? " default" : "");
  }
  fprintf(out, "default %s ", t->name);
  print_call(t, &t->otherwise, out);
  fputc('\n', out);
  for (const struct table_entry *e = t->entries; e; e = e->next) {
    fprintf(out, "entry %s ", t->name);
    for (unsigned i = 0; i < t->num_keys; i++)
      fprintf(out, "%s%llu &&& %llu", i ? ", " : "", (unsigned long long)e->key[i],
              (unsigned long long)e->care[i]);
    fputs(": ", out);
    print_call(t, &e->call, out);
    fprintf(out, " priority %u\n", e->priority);
  }
}

void ir_print_tables(const struct sluice_program *p, FILE *out) {
  for (size_t i = 0; i < p->num_tables; i++) print_table(p->table[i], out);
}

void ir_print_lookup(const struct sluice_program *p, const struct node *n, FILE *out) {
  const struct table *t = p->table[n->index];
  fprintf(out, "lookup %s", t->name);
  // A reader of the text makes parts of its own.
  if (table_is_part(t)) fprintf(out, "/%u", t->part.image.number);
  fputc('(', out);
  for (unsigned i = 0; i < n->num_args; i++) fprintf(out, "%sv%u", i ? ", " : "", n->arg[i]->id);
  if (n->modulus == TABLE_HIT) fputs(").hit", out);
  else if (n->modulus == TABLE_ACTION) fputs(").action", out);
  else if (n->modulus == TABLE_FOUND) fputs(").found", out);
  else
    fprintf(out, ").%s.%u", t->action[(n->modulus - TABLE_WORD) / DATA_WORDS].name,
            (n->modulus - TABLE_WORD) % DATA_WORDS);
}
