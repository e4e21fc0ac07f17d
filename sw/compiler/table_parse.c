// SPDX-License-Identifier: Apache-2.0
// Tables in the text. Each function is named after the grammar rule above it, as in parse.c.
#include "parser.h"
#include "table.h"

static bool same(const struct token *a, const struct token *b) {
  return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

// lengths := "(" expr ("," expr)* ")"
static void lengths(struct parser *p, struct table_key *k) {
  do {
    if (k->num_common == MAX_LENGTHS)
      syntax_error(p, p->now, "too-many-lengths", "at most %d lengths are named", MAX_LENGTHS);
    k->common_expr[k->num_common++] = parse_expr(p);
  } while (accept(p, ","));
  expect(p, ")");
}

// key := name "." name ":" ("exact" | "lpm" [lengths] | "ternary")
static void key(struct parser *p, struct table *t) {
  static const char *const kinds[] = {
      [SLUICE_KEY_EXACT] = "exact", [SLUICE_KEY_LPM] = "lpm", [SLUICE_KEY_TERNARY] = "ternary"};
  if (t->num_keys == SLUICE_MAX_KEYS)
    syntax_error(p, p->now, "too-many-keys", "a table has at most %d keys", SLUICE_MAX_KEYS);
  struct table_key *k = &t->key[t->num_keys++];
  k->packet = parse_name(p, "a packet field, as 'p.dst'");
  if (is(p, ":"))
    syntax_error(p, k->packet, "syntax",
                 "a key is a field of the packet: 'p." TOKEN "', if the packet is called p",
                 TOKEN_ARGS(k->packet));
  expect(p, ".");
  k->at = parse_name(p, "the name of a packet field");
  expect(p, ":");
  for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (accept(p, kinds[i])) {
      k->kind = (enum sluice_key_kind)i;
      if (i == SLUICE_KEY_LPM && accept(p, "(")) lengths(p, k);
      return;
    }
  unexpected(p, "'exact', 'lpm' or 'ternary'");
}

// action := name
static void action(struct parser *p, struct table *t) {
  const struct token *at = parse_name(p, "the name of an action");
  for (unsigned i = 0; i < t->num_actions; i++)
    if (same(t->action[i].at, at))
      syntax_error(p, at, "twice", "'" TOKEN "' is an action of the table already", TOKEN_ARGS(at));
  if (t->num_actions == MAX_ACTIONS)
    syntax_error(p, at, "too-many-actions", "a table has at most %d actions", MAX_ACTIONS);
  t->action[t->num_actions++].at = at;
}

static uint64_t number(struct parser *p, const char *wanted) {
  if (p->now->kind != TOKEN_NUMBER) unexpected(p, wanted);
  return p->now++->wide;
}

// call := name ["(" [number ("," number)*] ")"]
static void call(struct parser *p, struct table_call *made) {
  made->at = parse_name(p, "the name of an action");
  if (!accept(p, "(")) return;
  while (!is(p, ")")) {
    if (made->num_args == SLUICE_MAX_ARGS)
      syntax_error(p, p->now, "arguments", "an action has at most %d parameters", SLUICE_MAX_ARGS);
    made->arg_at[made->num_args] = p->now;
    made->arg[made->num_args++] = number(p, "a number");
    if (!accept(p, ",")) break;
  }
  expect(p, ")");
}

// match := "_" | number ["/" number | "&&&" number]
static void match(struct parser *p, struct table_entry *e) {
  if (e->num_keys == SLUICE_MAX_KEYS)
    syntax_error(p, p->now, "too-many-keys", "a table has at most %d keys", SLUICE_MAX_KEYS);
  const unsigned i = e->num_keys++;
  e->key_at[i] = p->now;
  if (accept(p, "_")) {
    e->match[i] = MATCH_ANY;
    return;
  }
  e->key[i] = number(p, "a number, an address or '_'");
  if (accept(p, "/")) {
    e->match[i] = MATCH_PREFIX;
    const uint64_t len = number(p, "the length of a prefix");
    e->len[i] = len > 255 ? 255 : (unsigned)len;
  } else if (accept(p, "&&&")) {
    e->match[i] = MATCH_MASK;
    e->care[i] = number(p, "a mask");
  }
}

// entry := match ("," match)* ":" call ["priority" number] ";"
static void entry(struct parser *p, void *into) {
  struct table *t = into;
  struct table_entry *e = NEW(p->c->arena, struct table_entry);
  e->at = p->now;
  if (t->num_entries == MAX_TABLE_ENTRIES)
    syntax_error(p, p->now, "too-many-entries", "a table has at most %d entries",
                 MAX_TABLE_ENTRIES);
  do match(p, e);
  while (accept(p, ","));
  expect(p, ":");
  call(p, &e->call);
  if (accept(p, "priority")) {
    const struct token *at = p->now;
    const uint64_t value = number(p, "a priority");
    if (value > UINT32_MAX)
      syntax_error(p, at, "bad-number", "'" TOKEN "' does not fit 32 bits", TOKEN_ARGS(at));
    e->has_priority = true;
    e->priority = (uint32_t)value;
  }
  parse_semicolon(p);
  t->num_entries++;
  struct table_entry **end = t->last ? &t->last->next : &t->entries;
  *end = t->last = e;
}

static void once(struct parser *p, bool there, const char *what) {
  if (there) syntax_error(p, p->now, "twice", "a second '%s'", what);
}

// property := "key" ":" key ("," key)* ";" | "actions" ":" action ("," action)* ";"
//             | "size" ":" expr ";" | "default" ":" call ";" | "entries" ":" "{" entry* "}" [";"]
static void property(struct parser *p, void *into) {
  struct table *t = into;
  if (is(p, "key")) {
    once(p, t->num_keys, "key");
    p->now++;
    expect(p, ":");
    do key(p, t);
    while (accept(p, ","));
  } else if (is(p, "actions")) {
    once(p, t->num_actions, "actions");
    p->now++;
    expect(p, ":");
    do action(p, t);
    while (accept(p, ","));
  } else if (is(p, "size")) {
    once(p, t->size_expr, "size");
    p->now++;
    expect(p, ":");
    t->size_expr = parse_expr(p);
  } else if (is(p, "default")) {
    once(p, t->otherwise.at, "default");
    p->now++;
    expect(p, ":");
    call(p, &t->otherwise);
  } else if (is(p, "entries")) {
    once(p, t->entries, "entries");
    p->now++;
    expect(p, ":");
    expect(p, "{");
    while (!is(p, "}") && p->now->kind != TOKEN_END) parse_attempt(p, entry, t);
    expect(p, "}");
    accept(p, ";");
    return;
  } else {
    unexpected(p, "'key', 'actions', 'size', 'default' or 'entries'");
  }
  parse_semicolon(p);
}

// table := "table" name "{" property* "}" [";"]
void parse_table(struct parser *p) {
  struct table *t = NEW(p->c->arena, struct table), **end = &p->program->table_list;
  expect(p, "table");
  t->at = parse_name(p, "the name of a table");
  expect(p, "{");
  // Also a table with an error in it is known by its name, and its actions are no programs.
  while (*end) end = &(*end)->next;
  *end = t;
  p->program->num_tables++;
  while (!is(p, "}") && p->now->kind != TOKEN_END) parse_attempt(p, property, t);
  expect(p, "}");
  accept(p, ";");
}

static bool is_named(const struct sluice_program *p, const struct function *f) {
  for (const struct table *t = p->table_list; t; t = t->next) {
    for (unsigned i = 0; i < t->num_actions; i++)
      if (same(t->action[i].at, f->at)) return true;
    if (t->otherwise.at && same(t->otherwise.at, f->at)) return true;
  }
  return false;
}

static bool same_text(const struct token *t, const char *text) {
  return t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

void parse_program(struct parser *p) {
  struct sluice_program *program = p->program;
  for (struct function *f = program->functions; f; f = f->next) {
    f->is_action = is_named(program, f);
    if (f->is_action && f->egress)
      diag_error(p->c, f->at, "egress-action",
                 "'" TOKEN "' is an action of a table: it is written without 'egress', and belongs "
                 "to the function that applies the table",
                 TOKEN_ARGS(f->at));
    if (f->is_action) continue;
    if (f->egress && of_system(program, f->at)) {
      system_egress(p->c, f);
      continue;
    }
    if (f->egress) {
      egress_function(p->c, f);
      continue;
    }
    if (of_system(program, f->at) && same_text(f->at, "system.before")) {
      program->before = f;
      continue;
    }
    if (of_system(program, f->at) && same_text(f->at, "system.after")) {
      program->after = f;
      continue;
    }
    if (of_system(program, f->at)) {
      diag_error(p->c, f->at, "system",
                 "'" TOKEN "' is neither before, after nor an action of a table",
                 TOKEN_ARGS(f->at));
      continue;
    }
    if (program->body) {
      diag_error(p->c, f->at, "twice", "a second program%s",
                 program->num_tables ? ": no table has this action" : "");
      diag_note(p->c, program->name_at, "the first one is here");
      continue;
    }
    if (f->num_args)
      diag_error(p->c, f->arg[0].at, "arguments",
                 "a program has no parameters but the packet, and '" TOKEN
                 "' is no action of a table",
                 TOKEN_ARGS(f->at));
    program->name_at = f->at;
    program->name = arena_text(p->c->arena, f->at->text, f->at->len);
    program->param = f->packet;
    program->body = f->body;
  }
  give_up_on_errors(p->c);
  if (!program->body)
    diag_fatal(p->c, p->now, "syntax", "the program has no function 'void name(struct Packet p)'%s",
               program->functions ? " beside the actions of its tables" : "");
}
