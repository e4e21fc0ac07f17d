// SPDX-License-Identifier: Apache-2.0
// Values that cannot be meant: an index that leaves its array (a packet that comes with one reads 0
// and changes nothing that lasts, which no report shows), a port that the chip does not have. What
// a value can be is known by the bits of the fields that it is made of. Numbers that an operator
// chooses (malleables, what tables give) and old values of state are taken to be right.
#include "internal.h"

enum { MOST_DEEP = 8 };

// What a condition says of a value that is not negative where it holds, or (*opposite) where it
// does not; NULL: it is another one.
static const struct node *sign_of(const struct node *cond, bool *opposite) {
  if (cond->op != OP_LT && cond->op != OP_LE) return NULL;
  const struct node *x = cond->arg[0], *y = cond->arg[1];
  *opposite = y->op == OP_CONST;
  const struct node *number = *opposite ? y : x, *value = *opposite ? x : y;
  // x < 0, x <= -1; -1 < x, 0 <= x.
  const bool strict = cond->op == OP_LT;
  if (number->op != OP_CONST || number->value != (strict == *opposite ? 0 : -1)) return NULL;
  return value;
}

// The value, as an unsigned number, is never above; closer than node.umax where there are
// remainders, which only a later pass makes to something else. `whole` is not negative here.
static uint32_t most_of(const struct node *n, const struct node *whole, unsigned deep) {
  const bool by_const = n->num_args == 2 && n->arg[1]->op == OP_CONST && n->arg[1]->value > 0;
  if (n == whole) return n->umax < INT32_MAX ? n->umax : INT32_MAX;
  if (deep == MOST_DEEP || !n->num_args) return n->umax;
  if (n->op == OP_SELECT) {
    bool opposite = false;
    const struct node *sign = sign_of(n->arg[0], &opposite);
    const uint32_t x = most_of(n->arg[1], sign && !opposite ? sign : whole, deep + 1),
                   y = most_of(n->arg[2], sign && opposite ? sign : whole, deep + 1);
    return x > y ? x : y;
  }
  if (n->num_args != 2) return n->umax;
  const uint32_t x = most_of(n->arg[0], whole, deep + 1), y = most_of(n->arg[1], whole, deep + 1);
  uint64_t z;
  switch (n->op) {
    case OP_MOD: return !by_const || x > INT32_MAX ? UINT32_MAX : x < y - 1 ? x : y - 1;
    case OP_DIV: return !by_const || x > INT32_MAX ? UINT32_MAX : x / y;
    case OP_ADD:
    case OP_MUL:
      z = n->op == OP_ADD ? (uint64_t)x + y : (uint64_t)x * y;
      return z > UINT32_MAX ? UINT32_MAX : (uint32_t)z;
    case OP_AND: return x < y ? x : y;
    case OP_OR:
    case OP_XOR: {
      uint32_t all = x | y;
      for (unsigned s = 1; s < 32; s *= 2) all |= all >> s;
      return all;
    }
    default: return n->umax;
  }
}

// Whether packets come here only where a comparison says something of the index.
static bool compared(const struct node *guard, const struct node *index, unsigned deep) {
  if (!guard || deep == MOST_DEEP) return false;
  if (guard->op == OP_LAND || guard->op == OP_LOR) {
    const bool x = compared(guard->arg[0], index, deep + 1),
               y = compared(guard->arg[1], index, deep + 1);
    return guard->op == OP_LAND ? x || y : x && y;
  }
  return (guard->op == OP_LT || guard->op == OP_LE || guard->op == OP_EQ) &&
         (guard->arg[0] == index || guard->arg[1] == index);
}

// A port of the chip, which has few; and what an egress function knows of a copy.
static bool is_port(const struct ir_context *c, const struct source *from) {
  enum { PORT_IN = 22 };
  return from->metadata && (c->program->outer || from->offset == PORT_IN);
}

// By node: it is made of what is taken to be right.
static bool *trusted(struct ir_context *c) {
  const struct graph *g = c->graph;
  bool *list = NEW_ARRAY(c->arena, bool, g->num + 1);
  for (unsigned i = 0; i < g->num; i++) {
    const struct node *n = g->list[i];
    const struct source *from = n->op == OP_INPUT ? &g->source[n->index] : NULL;
    list[i] = (from && is_port(c, from)) || n->states || n->op == OP_PARAM || n->op == OP_TABLE ||
              n->op == OP_FOUND || n->op == OP_EXT || (from && from->param);
    for (unsigned j = 0; j < n->num_args; j++) list[i] |= list[n->arg[j]->id];
  }
  return list;
}

static void tell(struct ir_context *c, const struct token *at, const struct node *index,
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
    diag_warning(c, at, "index",
                 "this index can be as much as %u, and '%s' has the entries 0 to %u: others read "
                 "0, and keep nothing%s",
                 most, array->name, array->size - 1, way);
}

static void warn_indices(struct ir_context *c) {
  const struct graph *g = c->graph;
  const bool *right = trusted(c);
  for (unsigned s = 0; s < c->program->num_states; s++) {
    const struct access *a = &g->access[s];
    if (!a->used || !a->index || (a->index->op != OP_CONST && right[a->index->id])) continue;
    const struct sluice_program_state *array = &c->program->state[s]->info;
    const uint32_t most = most_of(a->index, NULL, 0);
    if (!array->scalar && most >= array->size && !compared(a->guard, a->index, 0))
      tell(c, a->first_at, a->index, array, most);
  }
}

// Of a chip of more ports a number beyond them is a group (docs/tm.md).
static void warn_ports(struct ir_context *c, const struct node *port, unsigned deep) {
  const unsigned num = sluice_config_destinations(c->config);
  if (!port || c->config->NumPorts > 8 || deep == MOST_DEEP) return;
  if (port->op == OP_SELECT)
    for (unsigned i = 1; i < 3; i++) warn_ports(c, port->arg[i], deep + 1);
  const uint32_t to = (uint32_t)port->value & 255;
  if (port->op == OP_CONST && to >= num)
    diag_warning(c, c->graph->port_at, "port",
                 "packets go to port %u, and chip '%s' has the ports 0 to %u%s: they are dropped",
                 to, c->config->name, num - 1,
                 c->config->Recirculation ? " (the last one sends a packet through it again)" : "");
}

void warn_values(struct ir_context *c) {
  warn_indices(c);
  if (!c->program->outer) warn_ports(c, c->graph->port, 0);
}
