// SPDX-License-Identifier: Apache-2.0
// What a program makes of a lookup, when the table is in several parts. A later part wins, so what
// a value is goes from part to part:
//
//     port = action == 1 ? word : 3                      of one table
//     port.0 = action.0 == 1 ? word.0 : 3                the first part, with the default action
//     port.1 = hit.1 ? (action.1 == 1 ? word.1 : 3) : port.0
//     port = port.1                                      two parts
//
// In an action row of part 1 hit.1 is known, so there port.1 is word.1 or 3, and in the row of its
// default it is port.0, which is in its container already. That is done for values that are one
// operation at most in each action. All others are computed once, of what the last part gives.
#include <string.h>

#include "table.h"

// What becomes of a value where the action is known.
enum depth { FREE, WORD, OPERATION, DEEP };
struct trial {
  struct node *value;
  enum depth depth;
};
struct table_spreading {
  unsigned number, num, num_actions;  // part 0; parts
  const struct table *part[SLUICE_MAX_PARTS];
  unsigned of[SLUICE_MAX_PARTS];  // their numbers
  // By node of the old graph.
  bool *by;                                // spread over the parts
  bool *late;                              // computed behind them
  struct node **alone[SLUICE_MAX_PARTS];   // where this part has found something
  struct node **so_far[SLUICE_MAX_PARTS];  // as parts up to this one have it
  struct trial *in[MAX_ACTIONS];
  struct node *key[SLUICE_MAX_PARTS][NODE_ARGS];  // of the new graph
  struct node *hit[SLUICE_MAX_PARTS];
};

static struct node *lookup(struct ir_context *c, struct table_spreading *s, unsigned part,
                           unsigned which) {
  return node_leaf(c, OP_TABLE, s->of[part], which, s->key[part], s->part[part]->num_keys);
}

static struct node *choice(struct ir_context *c, struct node *condition, struct node *yes,
                           struct node *no) {
  return node_make(c, OP_SELECT, condition, yes, no);
}

// The keys of all parts: those of the table, and what the parts before have found.
static void make_keys(struct ir_context *c, struct table_spreading *s, const struct node *old,
                      struct node **args) {
  struct node *found = NULL;
  for (unsigned p = 0; p < s->num; p++) {
    const struct table *t = s->part[p];
    for (unsigned i = 0; i < old->num_args; i++) s->key[p][i] = args[i];
    if (t->part.guarded) s->key[p][old->num_args] = found;
    s->hit[p] = lookup(c, s, p, TABLE_HIT);
    struct node *here = lookup(c, s, p, TABLE_FOUND);
    found = found ? choice(c, s->hit[p], here, found) : here;
  }
}

static void result(struct ir_context *c, struct table_spreading *s, const struct node *old,
                   struct node **args) {
  const unsigned which = old->modulus;
  if (!s->hit[0]) make_keys(c, s, old, args);
  for (unsigned p = 0; p < s->num; p++) {
    struct node *here = p && which == TABLE_HIT ? node_const(c, 1) : lookup(c, s, p, which);
    s->alone[p][old->id] = here;
    s->so_far[p][old->id] = p ? choice(c, s->hit[p], here, s->so_far[p - 1][old->id]) : here;
  }
  for (unsigned a = 0; a < s->num_actions; a++) {
    struct trial *t = &s->in[a][old->id];
    const bool word = which >= TABLE_WORD && (which - TABLE_WORD) / DATA_WORDS == a;
    t->value = word ? s->alone[0][old->id]
                    : node_const(c, which == TABLE_HIT      ? 1
                                    : which == TABLE_ACTION ? (int32_t)a + 1
                                                            : 0);
    t->depth = word ? WORD : FREE;
  }
}

static void try_action(struct ir_context *c, struct table_spreading *s, const struct node *old,
                       unsigned action) {
  struct trial *made = &s->in[action][old->id];
  struct node *arg[3] = {NULL};
  enum depth most = FREE;
  for (unsigned i = 0; i < old->num_args; i++) {
    const struct node *x = old->arg[i];
    arg[i] = s->by[x->id] ? s->in[action][x->id].value : x->now;
    if (s->by[x->id] && s->in[action][x->id].depth > most) most = s->in[action][x->id].depth;
  }
  made->value = node_make(c, old->op, arg[0], arg[1], arg[2]);
  made->depth = most == FREE ? FREE : most == WORD ? OPERATION : DEEP;
  if (made->value->op == OP_CONST) made->depth = FREE;
  for (unsigned i = 0; i < old->num_args; i++)
    if (made->value == arg[i])
      made->depth = s->by[old->arg[i]->id] ? s->in[action][old->arg[i]->id].depth : FREE;
}

// Whether it is one operation at most in each action.
static bool spreads(struct ir_context *c, struct table_spreading *s, const struct node *old) {
  if (old->op < OP_ADD || old->op == OP_MUL || old->states) return false;
  for (unsigned i = 0; i < old->num_args; i++)
    if (s->late[old->arg[i]->id]) return false;
  bool one = true;
  for (unsigned a = 0; a < s->num_actions; a++) {
    try_action(c, s, old, a);
    one &= s->in[a][old->id].depth < DEEP;
  }
  return one;
}

static struct node *of_part(struct ir_context *c, const struct table_spreading *s,
                            const struct node *old, struct node *const *const values) {
  struct node *arg[3] = {NULL};
  for (unsigned i = 0; i < old->num_args; i++)
    arg[i] = s->by[old->arg[i]->id] ? values[old->arg[i]->id] : old->arg[i]->now;
  return node_make(c, old->op, arg[0], arg[1], arg[2]);
}

static struct node *rewrite(struct ir_context *c, struct node *old, struct node **args,
                            void *user) {
  struct table_spreading *s = user;
  bool depends = false;
  if (old->op == OP_TABLE && old->index == s->number) {
    s->by[old->id] = true;
    result(c, s, old, args);
    return s->so_far[s->num - 1][old->id];
  }
  for (unsigned i = 0; i < old->num_args; i++)
    depends |= s->by[old->arg[i]->id] || s->late[old->arg[i]->id];
  if (!depends) return NULL;
  if (!spreads(c, s, old)) {
    s->late[old->id] = true;
    return NULL;
  }
  s->by[old->id] = true;
  for (unsigned p = 0; p < s->num; p++) {
    struct node *here = s->alone[p][old->id] = of_part(c, s, old, s->alone[p]);
    s->so_far[p][old->id] = p ? choice(c, s->hit[p], here, s->so_far[p - 1][old->id])
                              : of_part(c, s, old, s->so_far[0]);
  }
  return s->so_far[s->num - 1][old->id];
}

void table_spread(struct ir_context *c, unsigned number) {
  const unsigned nodes = c->graph->num + 1;
  const struct table *t = c->program->table[number];
  struct table_spreading s = {
      .number = number, .num = t->part.image.num, .num_actions = t->num_actions};
  for (unsigned i = 0; i < c->program->num_tables; i++) {
    const struct table *x = c->program->table[i];
    if (!table_is_part(x) || x->part.first != number) continue;
    s.part[x->part.image.number] = x;
    s.of[x->part.image.number] = i;
  }
  s.by = NEW_ARRAY(c->arena, bool, nodes);
  s.late = NEW_ARRAY(c->arena, bool, nodes);
  for (unsigned p = 0; p < s.num; p++) {
    s.alone[p] = NEW_ARRAY(c->arena, struct node *, nodes);
    s.so_far[p] = NEW_ARRAY(c->arena, struct node *, nodes);
  }
  for (unsigned a = 0; a < s.num_actions; a++) s.in[a] = NEW_ARRAY(c->arena, struct trial, nodes);
  graph_rebuild(c, rewrite, &s);
  graph_rebuild(c, NULL, NULL);
}
