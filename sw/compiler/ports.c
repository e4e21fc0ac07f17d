// SPDX-License-Identifier: Apache-2.0
// Sets of output ports. The chip sends a packet to a set only if the action names it: so the sets
// of a program are numbers, and a value chooses the action row of the one.
//
//     ports_out = done ? 0xff : 0     becomes   done ? 1 : 0, with set 1 = 0xff
//
// With at most 8 ports the action holds the set. With more it names a row of PORT_MASK, which the
// driver finds when it loads the module (driver/plan/port_rows.h).
#include "internal.h"

// The ports that a number stands for: as many as the chip can send to.
static uint64_t ports_of(const struct compiler *c, uint32_t number) {
  return c->config->NumPorts > 8 ? number : number & 255u;
}

// The number of the set, as a value; NULL: it is no number, nor a choice among a few.
static struct node *numbered(struct compiler *c, struct node *n) {
  if (n->op == OP_SELECT) {
    struct node *yes = numbered(c, n->arg[1]), *no = yes ? numbered(c, n->arg[2]) : NULL;
    return no ? node_make(&c->ir, OP_SELECT, n->arg[0], yes, no) : NULL;
  }
  // A truth value is a choice of 1 and 0.
  if (n->op != OP_CONST && !node_is_bool(n)) return NULL;
  const uint64_t set = n->op == OP_CONST ? ports_of(c, (uint32_t)n->value) : 1;
  unsigned i = 0;
  while (i < c->num_sets && c->set[i] != set) i++;
  if (!set) return node_const(&c->ir, 0);
  if (i == MAX_SETS) return NULL;
  if (i == c->num_sets) c->set[c->num_sets++] = set;
  struct node *made = node_const(&c->ir, (int32_t)i + 1);
  return n->op == OP_CONST ? made : node_make(&c->ir, OP_SELECT, n, made, node_const(&c->ir, 0));
}

void port_sets(struct compiler *c) {
  struct graph *g = c->graph;
  c->num_sets = 0;
  if (!g->ports) return;
  c->at = g->ports_at;
  g->ports = numbered(c, g->ports);
  if (!g->ports)
    diag_fatal(&c->ir, g->ports_at, "port-sets",
               "a set of ports is a number, or a choice among at most %d numbers", MAX_SETS);
  if (node_is(g->ports, 0)) g->ports = NULL;
}
