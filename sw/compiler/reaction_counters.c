// SPDX-License-Identifier: Apache-2.0
// Arguments `counters(table)` of reactions: what the entries of a table have counted. In a body
// they are a number, `table_count`, and an array of a struct, `table`, whose members have the names
// of the keys.
#include <string.h>

#include "check.h"
#include "table.h"

// Both names that it has in a body are nobody else's.
static void check_counters_names(struct ir_context *c, const struct reaction *r,
                                 const struct reaction_argument *a, const char *table) {
  const struct sluice_program *p = c->program;
  const size_t room = strlen(table) + sizeof "_count";
  char *count = arena_alloc(c->arena, room);
  const struct token *other = NULL;
  snprintf(count, room, "%s_count", table);
  if (reaction_word_of_c(table))
    diag_error(c, a->at, "word-of-c",
               "'%s' cannot be an argument: in C it is no name for a variable", table);
  for (unsigned i = 0; i < r->num_args; i++)
    if (!r->arg[i].of &&
        (check_same(r->arg[i].at, count) || (r->arg[i].field && check_same(r->arg[i].at, table))))
      other = r->arg[i].at;
  for (size_t i = 0; i < p->num_malleables; i++)
    if (strcmp(p->malleable[i]->name, count) == 0) other = p->malleable[i]->at;
  if (!other) return;
  diag_error(c, a->at, "twice",
             "'" TOKEN "' is there, and in the body the counters of '%s' are called '%s' and '%s'",
             TOKEN_ARGS(other), table, table, count);
  diag_note(c, other, "it is here");
}

// What a key is called in the body: its field, with this behind it.
static bool is_member(const char *member, const struct table_key *k, const char *behind) {
  const size_t len = k->at->len;
  return strncmp(member, k->at->text, len) == 0 && strcmp(member + len, behind) == 0;
}

static const char *behind_key(const struct table_key *k) {
  return k->kind == SLUICE_KEY_LPM ? "_length" : k->kind == SLUICE_KEY_TERNARY ? "_mask" : "";
}

// Members are called as the keys: none of them is another member, or a word of C.
static void check_members(struct ir_context *c, const struct reaction_argument *a,
                          const struct table *t) {
  static const char *const own[] = {"action", "priority",    "packets",
                                    "bytes",  "all_packets", "all_bytes"};
  for (unsigned k = 0; k < t->num_keys; k++) {
    const struct table_key *key = &t->key[k];
    const char *name = arena_text(c->arena, key->at->text, key->at->len);
    bool bad = reaction_word_of_c(name);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
      bad |= is_member(own[i], key, "") || is_member(own[i], key, behind_key(key));
    for (unsigned o = 0; o < t->num_keys; o++)
      bad |= o != k && is_member(name, &t->key[o], behind_key(&t->key[o]));
    if (!bad) continue;
    diag_error(c, a->at, "member",
               "the entries of '%s' have no member for key '%s': it would have the name of another "
               "one, or of none in C; give the field another name",
               t->name, name);
    diag_note(c, key->at, "the key is here");
  }
}

void check_counters(struct ir_context *c, struct reaction *r, unsigned n) {
  struct reaction_argument *a = &r->arg[n];
  const struct table *t = table_find(c->program, a->at, &a->table);
  if (!t) {
    diag_error(c, a->at, "unknown-table", "there is no table '" TOKEN "'", TOKEN_ARGS(a->at));
    return;
  }
  for (unsigned i = 0; i < n; i++)
    if (r->arg[i].counters && check_same(a->at, check_text(c->arena, r->arg[i].at)))
      diag_error(c, a->at, "twice", "'%s' is an argument already", t->name);
  check_counters_names(c, r, a, t->name);
  check_members(c, a, t);
  a->first = 0;
  a->last = (int32_t)t->size - 1;
}
