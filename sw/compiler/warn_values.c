// SPDX-License-Identifier: Apache-2.0
// Values that cannot be meant: an index that leaves its array (a packet that comes with one reads 0
// and changes nothing that lasts, which no report shows), a port that the chip does not have. What
// a value can be is known by the bits of the fields that it is made of. Numbers that an operator
// chooses (malleables, what tables give) and old values of state are taken to be right.
#include "internal.h"

enum { MOST_DEEP = 8 };

// The value, as an unsigned number, is never above; closer than node.umax where there are
// remainders, which only a later pass makes to something else.
static uint32_t most_of(const struct node *n, unsigned deep) {
  const bool by_const = n->num_args == 2 && n->arg[1]->op == OP_CONST && n->arg[1]->value > 0;
  if (deep == MOST_DEEP) return n->umax;
  if (n->op == OP_MOD && by_const) {
    const uint32_t x = most_of(n->arg[0], deep + 1), y = (uint32_t)n->arg[1]->value - 1;
    return x > INT32_MAX ? UINT32_MAX : x < y ? x : y;
  }
  if (n->op == OP_DIV && by_const) {
    const uint32_t x = most_of(n->arg[0], deep + 1);
    return x > INT32_MAX ? UINT32_MAX : x / (uint32_t)n->arg[1]->value;
  }
  if (n->op == OP_SELECT) {
    const uint32_t x = most_of(n->arg[1], deep + 1), y = most_of(n->arg[2], deep + 1);
    return x > y ? x : y;
  }
  if (n->op == OP_ADD || n->op == OP_MUL) {
    const uint64_t x = most_of(n->arg[0], deep + 1), y = most_of(n->arg[1], deep + 1),
                   z = n->op == OP_ADD ? x + y : x * y;
    return z > UINT32_MAX ? UINT32_MAX : (uint32_t)z;
  }
  if (n->op == OP_AND || n->op == OP_OR || n->op == OP_XOR) {
    const uint32_t x = most_of(n->arg[0], deep + 1), y = most_of(n->arg[1], deep + 1);
    uint32_t all = x | y;
    for (unsigned s = 1; s < 32; s *= 2) all |= all >> s;
    return n->op == OP_AND ? x < y ? x : y : all;
  }
  return n->umax;
}

// By node: it is made of what is taken to be right.
static bool *trusted(struct compiler *c) {
  const struct graph *g = c->graph;
  bool *list = NEW_ARRAY(c->arena, bool, g->num + 1);
  for (unsigned i = 0; i < g->num; i++) {
    const struct node *n = g->list[i];
    list[i] = n->states || n->op == OP_PARAM || n->op == OP_TABLE || n->op == OP_FOUND ||
              n->op == OP_EXT || (n->op == OP_INPUT && g->source[n->index].param);
    for (unsigned j = 0; j < n->num_args; j++) list[i] |= list[n->arg[j]->id];
  }
  return list;
}

static void tell(struct compiler *c, const struct token *at, const struct node *index,
                 const struct sluice_program_state *array, uint32_t most) {
  const bool power = !(array->size & (array->size - 1));
  char way[60] = "";
  if (power) snprintf(way, sizeof way, "; write '& %u'", array->size - 1);
  else if (most <= INT32_MAX) snprintf(way, sizeof way, "; write '%% %u'", array->size);
  if (index->op == OP_CONST)
    diag_warning(c, at, "index", "'%s' has the entries 0 to %u: no packet reads or changes %d",
                 array->name, array->size - 1, index->value);
  else if (index->op == OP_MOD && most > INT32_MAX)
    diag_warning(c, at, "index",
                 "this index can be negative, as '%%' of a negative number is: '%s' then reads 0, "
                 "and keeps nothing%s",
                 array->name, way);
  else if (most > INT32_MAX)
    diag_warning(c, at, "index",
                 "this index can be any number, and '%s' has the entries 0 to %u: others read 0, "
                 "and keep nothing%s",
                 array->name, array->size - 1, way);
  else
    diag_warning(
        c, at, "index",
        "this index can be as much as %u, and '%s' has the entries 0 to %u: others read 0, "
        "and keep nothing%s",
        most, array->name, array->size - 1, way);
}

static void warn_indices(struct compiler *c) {
  const struct graph *g = c->graph;
  const bool *right = trusted(c);
  for (unsigned s = 0; s < c->program->num_states; s++) {
    const struct access *a = &g->access[s];
    if (!a->used || !a->index || (a->index->op != OP_CONST && right[a->index->id])) continue;
    const struct sluice_program_state *array = &c->program->state[s]->info;
    const uint32_t most = most_of(a->index, 0);
    if (!array->scalar && most >= array->size) tell(c, a->first_at, a->index, array, most);
  }
}

// Of a chip of more ports a number beyond them is a group (docs/tm.md).
static void warn_ports(struct compiler *c, const struct node *port, unsigned deep) {
  const unsigned num = c->config->NumPorts;
  if (!port || num > 8 || deep == MOST_DEEP) return;
  if (port->op == OP_SELECT)
    for (unsigned i = 1; i < 3; i++) warn_ports(c, port->arg[i], deep + 1);
  const uint32_t to = (uint32_t)port->value & 255;
  if (port->op == OP_CONST && to >= num)
    diag_warning(c, c->graph->port_at, "port",
                 "packets go to port %u, and chip '%s' has the ports 0 to %u: they are dropped", to,
                 c->config->name, num - 1);
}

void warn_values(struct compiler *c) {
  warn_indices(c);
  if (!c->program->outer) warn_ports(c, c->graph->port, 0);
}
