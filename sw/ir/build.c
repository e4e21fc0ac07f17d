// SPDX-License-Identifier: Apache-2.0
// The lines of a text in the IR to a graph of values, as ssa.c makes it of a syntax tree: nothing
// is simplified yet, and each value has the number that stands in the text.
#include "ir.h"

const char *const ir_hash_names[] = {[SLUICE_HASH_IDENTITY] = "identity",
                                     [SLUICE_HASH_CRC16] = "crc16",
                                     [SLUICE_HASH_CRC32] = "crc32",
                                     [SLUICE_HASH_CRC32 + 1] = NULL};

static void make(struct ir_context *c, const struct ir_value *v) {
  struct node *arg[NODE_ARGS] = {NULL};
  for (unsigned i = 0; i < v->num_args; i++) arg[i] = c->graph->list[v->arg[i]];
  c->at = &v->at;
  if (v->op == OP_CONST) node_const(c, v->value);
  else if (v->op < OP_ADD) node_leaf(c, v->op, v->index, v->modulus, arg, v->num_args);
  else node_make(c, v->op, arg[0], arg[1], arg[2]);
}

static struct node *at(const struct graph *g, int value) {
  return value == IR_NONE ? NULL : g->list[value];
}

static void make_access(struct ir_context *c, const struct ir *ir, const struct ir_access *line) {
  struct graph *g = c->graph;
  struct access *a = &g->access[line->state];
  struct mention *m = NEW(c->arena, struct mention);
  *m = (struct mention){.state = line->state,
                        .index = at(g, line->index),
                        .path = at(g, line->guard),
                        .at = &line->at,
                        .next = g->mentions};
  g->mentions = m;
  if (a->old) return;
  a->old = at(g, ir->old[line->state]);
  a->new_value = ir->new_value[line->state] == IR_NONE ? a->old : at(g, ir->new_value[line->state]);
  a->index = m->index;
  a->at = a->first_at = &line->at;
}

void ir_graph(struct ir_context *c) {
  const struct ir *ir = c->program->ir;
  struct graph *g = c->graph = NEW(c->arena, struct graph);
  g->source = ir->source;
  g->num_sources = ir->num_sources;
  for (unsigned i = 0; i < ir->num_values; i++) make(c, &ir->value[i]);
  for (unsigned i = 0; i < ir->num_accesses; i++) make_access(c, ir, &ir->access[i]);
  g->output = NEW_ARRAY(c->arena, struct output, ir->num_outputs + 1);
  g->num_outputs = ir->num_outputs;
  for (unsigned i = 0; i < ir->num_outputs; i++)
    g->output[i] = (struct output){.offset = ir->output[i].offset,
                                   .width = ir->output[i].width,
                                   .param = ir->output[i].param,
                                   .value = at(g, ir->output[i].value)};
  g->port = at(g, ir->port);
  g->discard = at(g, ir->discard);
  g->flow = at(g, ir->flow);
  g->words = at(g, ir->words);
  g->ports = at(g, ir->ports);
  g->words_at = &ir->words_at;
  g->ports_at = &ir->ports_at;
  g->port_at = &ir->port_at;
  g->discard_at = &ir->discard_at;
}
