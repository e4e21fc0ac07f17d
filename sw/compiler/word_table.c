// SPDX-License-Identifier: Apache-2.0
// Words of the packet's array that are looked up, all in one table:
//
//     lookup price[1024] = { 17: 100, 23: 7 };
//     p.found = lookup(price, p.v[0..3]) or stay;      17, 5, 23, 17 become 100, 5, 7, 100
//                                                      p.found is binary 1101
//
// A chip does it behind the front stages, for every packet. So it is a statement of its own, under
// no condition, and before all others that use the array.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "parser.h"
#include "table.h"

// ---- parsing ------------------------------------------------------------------------------------

// number32 := ["-"] number
static uint32_t number32(struct parser *p, const char *wanted) {
  const bool minus = accept(p, "-");
  const struct token *at = p->now;
  if (at->kind != TOKEN_NUMBER) unexpected(p, wanted);
  if (at->wide > (minus ? UINT64_C(1) << 31 : UINT32_MAX))
    syntax_error(p, at, "bad-number", "'" TOKEN "' does not fit 32 bits", TOKEN_ARGS(at));
  p->now++;
  return minus ? 0u - (uint32_t)at->wide : (uint32_t)at->wide;
}

// pair := number32 ":" number32
static void pair(struct parser *p, struct word_table *t) {
  struct word_pair *made = NEW(p->c->arena, struct word_pair);
  made->at = p->now;
  if (t->num_pairs == MAX_TABLE_ENTRIES)
    syntax_error(p, p->now, "too-many-entries", "a lookup has at most %d entries",
                 MAX_TABLE_ENTRIES);
  made->key = number32(p, "a word, as a number");
  expect(p, ":");
  made->data = number32(p, "what it becomes, as a number");
  struct word_pair **end = t->last ? &t->last->next : &t->pairs;
  *end = t->last = made;
  t->num_pairs++;
}

// word_table := "lookup" name "[" expr "]" ["=" "{" [pair ("," pair)* [","]] "}"] ";"
void parse_word_table(struct parser *p) {
  struct sluice_program *program = p->program;
  struct word_table *t = NEW(p->c->arena, struct word_table);
  expect(p, "lookup");
  t->at = parse_name(p, "the name of a lookup");
  if (program->word_table) {
    diag_error(p->c, t->at, "two-lookups",
               "'" TOKEN
               "' is a second lookup of words: a packet's are looked up once, in one table",
               TOKEN_ARGS(t->at));
    diag_note(p->c, program->word_table->at, "the first one is here");
  } else {
    program->word_table = t;
  }
  expect(p, "[");
  t->size_expr = parse_expr(p);
  expect(p, "]");
  if (accept(p, "=")) {
    expect(p, "{");
    while (!is(p, "}")) {
      pair(p, t);
      if (!accept(p, ",")) break;
    }
    expect(p, "}");
  }
  parse_semicolon(p);
}

bool parse_at_lookup(const struct parser *p) {
  return is(p, "lookup") && p->now[1].len == 1 && *p->now[1].text == '(';
}

// lookup := "lookup" "(" name "," name "." name ["[" expr "." "." expr "]"] ")" ["or" "stay"] ";"
struct stmt *parse_lookup(struct parser *p, struct expr *target) {
  struct stmt *s = NEW(p->c->arena, struct stmt);
  struct word_lookup *l = s->lookup = NEW(p->c->arena, struct word_lookup);
  s->kind = STMT_LOOKUP;
  s->target = target;
  s->at = expect(p, "lookup");
  expect(p, "(");
  s->name = parse_name(p, "the name of a lookup");
  expect(p, ",");
  l->packet = parse_name(p, "the array of the packet, as 'p.v'");
  expect(p, ".");
  l->field = parse_name(p, "the name of a packet field");
  if (accept(p, "[")) {
    l->first = parse_expr(p);
    expect(p, ".");
    expect(p, ".");
    l->last = parse_expr(p);
    expect(p, "]");
  }
  expect(p, ")");
  if (accept(p, "or")) {
    expect(p, "stay");
    l->stay = true;
  }
  parse_semicolon(p);
  if (!target) return s;
  s->value = NEW(p->c->arena, struct expr);
  s->value->kind = EXPR_FOUND;
  s->value->at = s->at;
  return s;
}

// ---- checking -----------------------------------------------------------------------------------

void check_word_table(struct checker *c) {
  const struct sluice_program *p = c->ir->program;
  struct word_table *t = p->word_table;
  const struct token *other = NULL;
  int32_t size = 0;
  if (!t) return;
  t->name = check_text(c->ir->arena, t->at);
  for (size_t i = 0; i < p->num_states; i++)
    if (strcmp(p->state[i]->info.name, t->name) == 0) other = p->state[i]->at;
  for (size_t i = 0; i < p->num_malleables; i++)
    if (strcmp(p->malleable[i]->name, t->name) == 0) other = p->malleable[i]->at;
  for (const struct table *x = p->table_list; x; x = x->next)
    if (check_same(x->at, t->name)) other = x->at;
  for (const struct table *x = p->egress ? p->egress->table_list : NULL; x; x = x->next)
    if (check_same(x->at, t->name)) other = x->at;
  if (other) {
    diag_error(c->ir, t->at, "twice", "a second '%s'", t->name);
    diag_note(c->ir, other, "the first one is here");
  }
  if (strlen(t->name) >= SLUICE_NAME_LEN)
    diag_error(c->ir, t->at, "long-name", "a name has at most %d characters", SLUICE_NAME_LEN - 1);
  if (!check_constant(c, t->size_expr, &size)) return;
  if (size < 1 || size > MAX_TABLE_ENTRIES) {
    diag_error(c->ir, t->size_expr->at, "table-size", "a lookup has 1 to %d entries, not %d",
               MAX_TABLE_ENTRIES, size);
    return;
  }
  t->size = (unsigned)size;
  word_table_twins(c->ir, t);
  if (t->num_pairs > t->size)
    diag_error(c->ir, t->at, "table-size", "'%s' has %u entries in the text, and its size is %u",
               t->name, t->num_pairs, t->size);
}

static bool good_place(struct checker *c, const struct stmt *s, const struct word_table *t) {
  if (c->ir->program->outer)
    diag_error(c->ir, s->at, "lookup-egress",
               "words are looked up before the queues: '%s' can do it, not its egress function",
               c->ir->program->outer->name);
  else if (c->function || c->ifs)
    diag_error(c->ir, s->at, "lookup-condition",
               "words are looked up for every packet, behind the front stages: 'lookup' stands in "
               "no %s; let its result decide what is done",
               c->function ? "action of a table" : "'if'");
  else if (!t || !check_same(s->name, t->name))
    diag_error(c->ir, s->name, "unknown-lookup",
               "there is no lookup '" TOKEN "'; it would be declared as 'lookup " TOKEN "[1024];'",
               TOKEN_ARGS(s->name), TOKEN_ARGS(s->name));
  else if (t->used_at) {
    diag_error(c->ir, s->at, "two-lookups", "a second lookup: a packet's words are looked up once");
    diag_note(c->ir, t->used_at, "the first one is here");
  } else return true;
  return false;
}

static bool good_array(struct checker *c, const struct word_lookup *l, unsigned *field) {
  const struct sluice_program *p = c->ir->program;
  if (l->packet->len != p->param->len ||
      memcmp(l->packet->text, p->param->text, p->param->len) != 0) {
    diag_error(c->ir, l->packet, "unknown-name",
               "'" TOKEN "' is not the packet; it is called '" TOKEN "'", TOKEN_ARGS(l->packet),
               TOKEN_ARGS(p->param));
    return false;
  }
  if (!check_find_field(p, l->field, field)) {
    diag_error(c->ir, l->field, "unknown-field", "struct Packet has no field '" TOKEN "'",
               TOKEN_ARGS(l->field));
    return false;
  }
  if (p->field[*field]->info.home == SLUICE_HOME_ARRAY) return true;
  diag_error(c->ir, l->field, "lookup-words",
             "'%s' is no array of words in the packet, as 'int v[8] @ array(62);' is one",
             p->field[*field]->info.name);
  return false;
}

// Bits of the words that are keys; 0: they are wrong.
static uint32_t words_of(struct checker *c, const struct word_lookup *l,
                         const struct sluice_program_field *f) {
  int32_t first = 0, last = (int32_t)f->words - 1;
  if (l->first && (!check_constant(c, l->first, &first) || !check_constant(c, l->last, &last)))
    return 0;
  if (first >= 0 && first <= last && last < (int32_t)f->words)
    return (UINT32_C(2) << last) - (UINT32_C(1) << first);
  diag_error(c->ir, l->first->at, "lookup-words", "'%s' has words 0 to %u, not %d to %d", f->name,
             f->words - 1, first, last);
  return 0;
}

bool check_lookup(struct checker *c, struct stmt *s) {
  struct word_table *t = c->ir->program->word_table;
  unsigned field;
  if (!good_place(c, s, t)) return false;
  t->used_at = s->at;
  if (!good_array(c, s->lookup, &field)) return false;
  struct field *f = c->ir->program->field[field];
  if (c->words_at) {
    diag_error(c->ir, s->at, "lookup-late",
               "'%s' is used before its words are looked up, which is done before all else",
               f->info.name);
    diag_note(c->ir, c->words_at, "it is used here");
    return false;
  }
  t->field = field;
  t->words = words_of(c, s->lookup, &f->info);
  t->stay = s->lookup->stay;
  f->info.assigned = true;
  if (!s->target) return t->words;
  check_expr(c, s->target);
  if (s->target->kind != EXPR_FIELD) {
    diag_error(
        c->ir, s->target->at, "assign-target",
        "which words have an entry is told to a field of the packet: 'p.found = lookup(..)'");
    return false;
  }
  if (!c->ir->num_errors && c->ir->program->field[s->target->id]->info.words)
    diag_error(c->ir, s->target->at, "row-value",
               "which words have an entry is one value, a bit a word, and '%s' is an array",
               c->ir->program->field[s->target->id]->info.name);
  return t->words;
}

void check_looked_up(struct checker *c) {
  const struct word_table *t = c->ir->program->word_table;
  if (t && !t->used_at)
    diag_warning(c->ir, t->at, "not-applied", "nothing is looked up in '%s'", t->name);
}

// ---- the chip -----------------------------------------------------------------------------------

// How many random keys find places in so many entries of the array match (docs/arrays.md). Each
// key has one of 2 x `words` banks to stand in. A bank can be filled up to 97 percent, and the
// fullest one gets four standard deviations more than the others: x keys, and 4 times the root of
// x.
static unsigned room_in(unsigned entries, unsigned words) {
  const unsigned banks = 2 * words, most = entries / banks * 97 / 100;
  unsigned x = 0;
  while (x < most && (most - x - 1) * (most - x - 1) >= 16 * (x + 1)) x++;
  return banks * x;
}

void word_table_fits(struct ir_context *c) {
  const struct word_table *t = c->program->word_table;
  const struct sluice_config *chip = c->config;
  if (!t || !t->used_at) return;
  const struct field *f = c->program->field[t->field];
  const unsigned words = chip->ArrayWords ? chip->ArrayWords : 8,
                 room = room_in(chip->ArrayEntries, words);
  unsigned needed = 32 * words;
  while (room_in(needed, words) < t->size) needed *= 2;
  if (!chip->ArrayEntries)
    diag_fatal(c, t->used_at, "no-array-match",
               "words are looked up by the array match, and chip '%s' has none%s", chip->name,
               SEE_CHIP(c, ArrayEntries, needed));
  if (f->info.words > chip->ArrayWords)
    diag_fatal(c, f->at, "row-words", "'%s' has %u words, an array of chip '%s' has %u%s",
               f->info.name, f->info.words, chip->name, chip->ArrayWords,
               SEE_CHIP(c, ArrayWords, f->info.words));
  if (t->size > room)
    diag_fatal(c, t->size_expr ? t->size_expr->at : t->at, "table-size",
               "'%s' has %u entries, the array match of chip '%s' holds %u whatever the keys are%s",
               t->name, t->size, chip->name, room, SEE_CHIP(c, ArrayEntries, needed));
}

static void *or_give_up(struct compiler *c, void *made) {
  if (!made) arena_give_up(c->arena, ARENA_NO_MEMORY);
  return made;
}

void emit_word_table(struct compiler *c, struct sluice_image *image, const struct task *found) {
  const struct word_table *t = c->program->word_table;
  struct sluice_write *w = or_give_up(c, sluice_image_add_write(image));
  w->table = SLUICE_TABLE_ARRAY_KEYS;
  SLUICE_SETS(w->bytes, ARRAY_KEYS, (VALID, 1), (STAY, t->stay), (WORDS, t->words));
  if (found) {
    if (found->type != SLUICE_TYPE_B2) SLUICE_BUG("what is found is not in two bytes");
    SLUICE_SETS(w->bytes, ARRAY_KEYS, (FOUND_VALID, 1), (FOUND, found->container));
  }
  struct sluice_image_table *made = or_give_up(c, sluice_image_add_table(image));
  snprintf(made->name, sizeof made->name, "%s", t->name);
  made->size = t->size;
  sluice_image_word_table(made);
  for (const struct word_pair *from = t->pairs; from; from = from->next) {
    struct sluice_image_entry *e = or_give_up(c, sluice_image_add_entry(image));
    e->table = (unsigned)image->num_tables - 1;
    sluice_entry_set(e->key, SLUICE_KEY_BITS, made->keys[0].msb, made->keys[0].lsb, from->key);
    sluice_entry_set(e->care, SLUICE_KEY_BITS, made->keys[0].msb, made->keys[0].lsb, UINT32_MAX);
    sluice_entry_set(e->data, 8 * SLUICE_DATA_BYTES, made->actions[0].args[0].msb,
                     made->actions[0].args[0].lsb, from->data);
  }
}
