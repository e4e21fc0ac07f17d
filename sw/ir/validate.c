// SPDX-License-Identifier: Apache-2.0
// What must hold of a graph behind every pass.
#include "ir.h"

struct check {
  const struct ir_context *c;
  const struct graph *g;
  char *why;
  size_t len;
};

static bool wrong(const struct check *x, const struct node *n, const char *what) {
  snprintf(x->why, x->len, "v%u (%s) %s", n->id, op_text(n->op), what);
  return false;
}

static bool within(const struct graph *g, const struct node *n) {
  return n->id < g->num && g->list[n->id] == n;
}

// Operands that an operator takes; of a hash and of a lookup any number.
static bool right_number(const struct node *n) {
  if (n->op == OP_HASH || n->op == OP_TABLE) return n->num_args >= 1 && n->num_args <= NODE_ARGS;
  if (n->op < OP_ADD) return n->num_args == 0;
  return n->num_args == (n->op == OP_SELECT ? 3u : n->op == OP_NOT ? 1u : 2u);
}

// Whether what a leaf is of is there.
static bool right_index(const struct check *x, const struct node *n) {
  const struct sluice_program *p = x->c->program;
  switch (n->op) {
    case OP_INPUT: return n->index < x->g->num_sources;
    case OP_PARAM: return n->index < p->num_malleables;
    case OP_OLD: return n->index < p->num_states;
    case OP_TABLE: return n->index < p->num_tables;
    case OP_HASH: return n->index <= SLUICE_HASH_CRC32;
    case OP_FOUND: return p->word_table != NULL;
    default: return true;
  }
}

static bool check_node(const struct check *x, const struct node *n, unsigned at) {
  if (n->id != at) return wrong(x, n, "stands at another number");
  if (n->op > OP_ADDS) return wrong(x, n, "is of the syntax tree");
  if (!right_number(n)) return wrong(x, n, "has not as many operands as it takes");
  if (!right_index(x, n)) return wrong(x, n, "is of something that the program has not");
  for (unsigned i = 0; i < n->num_args; i++) {
    if (!n->arg[i] || !within(x->g, n->arg[i])) return wrong(x, n, "has an operand of no graph");
    if (n->arg[i]->id >= at) return wrong(x, n, "stands before its operand");
  }
  if (n->op == OP_CONST && n->umax != (uint32_t)n->value)
    return wrong(x, n, "is above what it says it is at most");
  // A choice only asks for 0 or not 0; the texts that are read are stricter (check.c).
  if ((n->op == OP_LAND || n->op == OP_LOR) &&
      !(node_is_bool(n->arg[0]) && node_is_bool(n->arg[1])))
    return wrong(x, n, "is of what may be other than 0 and 1");
  return true;
}

// What refers to a value; NULL is none.
static bool refers(const struct check *x, const struct node *n, const char *what) {
  if (!n || within(x->g, n)) return true;
  snprintf(x->why, x->len, "%s refers to v%u, which is not of this graph", what, n->id);
  return false;
}

static bool check_states(const struct check *x) {
  for (size_t i = 0; i < x->c->program->num_states; i++) {
    const struct access *a = &x->g->access[i];
    const char *name = x->c->program->state[i]->info.name;
    if (!refers(x, a->index, name) || !refers(x, a->guard, name) || !refers(x, a->old, name) ||
        !refers(x, a->new_value, name))
      return false;
    if (!a->old || (a->old->op == OP_OLD && a->old->index == i)) continue;
    snprintf(x->why, x->len, "the old value of %s is v%u, which is another value", name,
             a->old->id);
    return false;
  }
  return true;
}

bool ir_validate(const struct ir_context *c, char *why, size_t len) {
  const struct graph *g = c->graph;
  const struct check x = {c, g, why, len};
  bool good = true;
  for (unsigned i = 0; good && i < g->num; i++) good = check_node(&x, g->list[i], i);
  for (unsigned i = 0; good && i < g->num_outputs; i++) {
    good = g->output[i].value && refers(&x, g->output[i].value, "an output");
    if (!g->output[i].value) snprintf(why, len, "an output has no value");
  }
  for (const struct mention *m = g->mentions; good && m; m = m->next)
    good = refers(&x, m->index, "a mention") && refers(&x, m->path, "a mention");
  for (unsigned i = 0; good && i < g->num_roots; i++) good = refers(&x, *g->root[i], "a root");
  return good && refers(&x, g->port, "the port") && refers(&x, g->discard, "discard") &&
         refers(&x, g->flow, "the order") && refers(&x, g->words, "words") &&
         refers(&x, g->ports, "the set of ports") && check_states(&x);
}
