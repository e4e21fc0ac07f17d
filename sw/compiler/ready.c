// SPDX-License-Identifier: Apache-2.0
// When a value is there at the earliest, for passes that choose between ways to make it.
#include "table.h"

// Levels until the value is there. An old state word is there last, behind all that is made of the
// packet; a constant that no operand spells takes operations of its own.
unsigned value_ready(const struct ir_context *ir, const struct node *n) {
  const struct compiler *c = (const struct compiler *)ir;
  unsigned ready = 0;
  if (n->op == OP_OLD) return OLD_READY;
  if (n->op == OP_EXT) return c->codelets.list[n->index].ready;
  if (n->op == OP_PARAM) return 1;
  if (n->op == OP_FOUND) return c->config ? c->config->FrontStages : 0;
  if (n->op == OP_CONST && n->value >= -2048 && n->value <= 2047) return 0;
  if (n->op == OP_CONST)
    return (uint32_t)n->value <= UINT16_MAX || ((uint32_t)n->value & UINT16_MAX) <= 7 ? 1 : 2;
  for (unsigned i = 0; i < n->num_args; i++)
    if (n->arg[i]->ready >= ready) ready = n->arg[i]->ready + 1;
  if (n->op == OP_TABLE) {
    const unsigned first = table_keys_ready(c, n) + 1;
    const int stage = table_stage_from(c, n->index, (int)first);
    return stage ? (unsigned)stage : first;
  }
  // A multiplier has no immediate.
  if (n->op == OP_MUL && n->arg[1]->op == OP_CONST && (uint32_t)n->arg[1]->value > 7 && ready < 2)
    ready = 2;
  return ready;
}

void codelets_root(struct graph *g, struct codelets *codelets) {
  for (unsigned i = 0; i < codelets->num; i++) {
    struct codelet *k = &codelets->list[i];
    g->root[g->num_roots++] = &k->index;
    g->root[g->num_roots++] = &k->guard;
    g->root[g->num_roots++] = &k->which;
    g->root[g->num_roots++] = &k->map->operand[0];
    g->root[g->num_roots++] = &k->map->operand[1];
  }
}
