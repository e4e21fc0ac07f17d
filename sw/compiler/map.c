// SPDX-License-Identifier: Apache-2.0
// Maps each codelet to a state instruction (Banzai's Pairs atom and below): builds its decision
// tree in several ways and takes the first that fits. Then everything that reads the old or new
// state reads a result of the state unit.
#include <string.h>

#include "mapper.h"

enum { MAX_FIRST = 16 };
struct search {
  struct compiler *c;
  struct codelet *k;
  const struct cond *first[MAX_FIRST];  // conditions of the trees so far
  unsigned num_first;
  char why[300];
  const struct token *at;
};

static void collect(struct search *s, const struct tree *t) {
  if (t->leaf || s->num_first == MAX_FIRST) return;
  s->first[s->num_first++] = &t->cond;
  collect(s, t->yes);
  collect(s, t->no);
}

static bool attempt(struct search *s, bool hoist, bool second_first, const struct cond *first) {
  struct mapper m = {
      .c = s->c, .k = s->k, .hoist = hoist, .second_first = second_first, .first = first};
  for (unsigned i = 0; i < s->k->num_states; i++) m.own |= 1u << s->k->state[i];
  struct tree *tree = tree_build(&m);
  if (tree) {
    m.why[0] = 0;
    s->k->map = fit(&m, tree);
    if (s->k->map) return true;
    if (!first) collect(s, tree);
  }
  // What the first attempt says is said of the program as it is written; a later one that came
  // further says more.
  if (!s->why[0] || (tree && !first && strstr(m.why, "operands"))) {
    memcpy(s->why, m.why, sizeof s->why);
    s->at = m.why_at;
  }
  return false;
}

static void map(struct compiler *c, struct codelet *k) {
  struct search *s = NEW(c->arena, struct search);
  s->c = c;
  s->k = k;
  for (int way = 0; way < 4; way++)
    if (attempt(s, way & 1, way >> 1, NULL)) return;
  for (unsigned i = 0; i < s->num_first; i++)
    for (int way = 0; way < 2; way++)
      if (attempt(s, way, false, s->first[i])) return;
  const char *first = c->program->state[k->state[0]]->info.name;
  if (!s->at) s->at = c->graph->access[k->state[0]].at;
  if (k->num_states == 2)
    diag_error(c, s->at, "codelet", "the update of '%s' and '%s' does not fit the state unit: %s",
               first, c->program->state[k->state[1]]->info.name, s->why);
  else
    diag_error(c, s->at, "codelet", "the update of '%s' does not fit the state unit: %s", first,
               s->why);
}

void map_codelets(struct compiler *c) {
  for (unsigned i = 0; i < c->num_codelets; i++) {
    if (!c->codelet[i].num_states) continue;
    c->at = c->graph->access[c->codelet[i].state[0]].at;
    map(c, &c->codelet[i]);
  }
  give_up_on_errors(c);
}

static struct node *result(struct compiler *c, unsigned codelet, unsigned which) {
  return node_leaf(c, OP_EXT, codelet, which, NULL, 0);
}

static struct node *rewrite(struct compiler *c, struct node *old, struct node **args) {
  (void)args;
  for (unsigned i = 0; old->states && i < c->num_codelets; i++) {
    const struct codelet *k = &c->codelet[i];
    uint32_t own = 0;
    for (unsigned w = 0; w < k->num_states; w++) own |= 1u << k->state[w];
    if (!(old->states & own)) continue;
    for (unsigned w = 0; w < k->num_states; w++)
      if (old->op == OP_OLD && old->index == k->state[w]) return result(c, i, SLUICE_EXT_OLD_1 + w);
    for (unsigned w = 0; w < k->num_states; w++)
      if (old == c->old_graph->access[k->state[w]].new_value)
        return result(c, i, SLUICE_EXT_NEW_1 + w);
    for (unsigned p = 0; p < 4; p++)
      if (old == k->map->pred_node[p]) return result(c, i, SLUICE_EXT_PRED_1 + p);
  }
  return NULL;
}

void map_replace(struct compiler *c) {
  struct graph *g = NEW(c->arena, struct graph);
  // The graph as it is, except that the states no longer keep anything alive.
  c->old_graph = c->graph;
  *g = *c->graph;
  memset(g->access, 0, sizeof g->access);
  for (unsigned i = 0; i < c->num_codelets; i++) {
    struct codelet *k = &c->codelet[i];
    g->root[g->num_roots++] = &k->index;
    g->root[g->num_roots++] = &k->guard;
    g->root[g->num_roots++] = &k->map->operand[0];
    g->root[g->num_roots++] = &k->map->operand[1];
  }
  c->graph = g;
  graph_rebuild(c, rewrite);
  // What the results made equal or dead.
  g = c->graph;
  for (unsigned i = 0; i < c->num_codelets; i++) {
    struct codelet *k = &c->codelet[i];
    g->root[g->num_roots++] = &k->index;
    g->root[g->num_roots++] = &k->guard;
    g->root[g->num_roots++] = &k->map->operand[0];
    g->root[g->num_roots++] = &k->map->operand[1];
  }
  graph_rebuild(c, NULL);
}
