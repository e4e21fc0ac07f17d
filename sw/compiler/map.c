// SPDX-License-Identifier: Apache-2.0
// Maps each codelet to a state instruction (Banzai's Pairs atom and below): builds its decision tree in
// several ways and takes the first that fits. Then everything that reads the old or new state reads a
// result of the state unit.
#include <string.h>

#include "internal.h"

static void map(struct compiler *c, struct codelet *k) {
  char why[300] = "";
  const struct token *at = NULL;
  for (unsigned attempt = 0; attempt < 4; attempt++) {
    struct mapper m = {.c = c, .k = k, .hoist = attempt & 1, .second_first = attempt >> 1 & 1};
    for (unsigned i = 0; i < k->num_states; i++) m.own |= 1u << k->state[i];
    struct tree *tree = tree_build(&m);
    if (tree) m.why[0] = 0;
    k->map = tree ? fit(&m, tree) : NULL;
    if (k->map) return;
    if (!why[0] || (tree && strstr(m.why, "operands"))) {
      memcpy(why, m.why, sizeof why);
      at = m.why_at;
    }
  }
  const char *first = c->program->state[k->state[0]]->info.name;
  if (!at) at = c->graph->access[k->state[0]].at;
  if (k->num_states == 2)
    diag_error(c, at, "codelet", "the update of '%s' and '%s' does not fit the state unit: %s", first,
               c->program->state[k->state[1]]->info.name, why);
  else
    diag_error(c, at, "codelet", "the update of '%s' does not fit the state unit: %s", first, why);
}

void map_codelets(struct compiler *c) {
  for (unsigned i = 0; i < c->num_codelets; i++) {
    c->at = c->graph->access[c->codelet[i].state[0]].at;
    map(c, &c->codelet[i]);
  }
  if (c->diags->num_errors) arena_give_up(c->arena, 2);
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
      if (old == c->old_graph->access[k->state[w]].new_value) return result(c, i, SLUICE_EXT_NEW_1 + w);
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
