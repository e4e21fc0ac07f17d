// SPDX-License-Identifier: Apache-2.0
// The graph of values. With `fold` set, equal nodes are made once (value numbering: this is common
// subexpression elimination and copy propagation) and each is simplified when it is made.
#include <string.h>

#include "ir.h"

enum { WORK_OF_NODE = 4 };

bool node_is(const struct node *n, int32_t value) { return n->op == OP_CONST && n->value == value; }

bool node_is_bool(const struct node *n) { return n->umax <= 1; }

static uint32_t mask_of(uint32_t x) {
  for (unsigned s = 1; s < 32; s *= 2) x |= x >> s;
  return x;
}

// The most that a malleable, or a result of a table, can be, as an unsigned number.
static uint32_t malleable_most(const struct ir_context *c, unsigned param) {
  const struct malleable *m = c->program->malleable[param];
  return m->ranged && m->low >= 0 ? (uint32_t)m->high : UINT32_MAX;
}

static uint32_t table_most(const struct ir_context *c, unsigned table, unsigned which) {
  const struct table *t = c->program->table[table];
  if (which == TABLE_HIT) return 1;
  if (which == TABLE_ACTION) return t->num_actions;
  if (which == TABLE_FOUND) return UINT16_MAX;
  const struct table_action *a = &t->action[(which - TABLE_WORD) / DATA_WORDS];
  const uint64_t all[SLUICE_MAX_ARGS] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
  uint64_t most[SLUICE_MAX_ARGS];
  for (unsigned i = 0; i < a->num_args; i++) most[i] = all[i] >> (64 - a->arg[i].width);
  return table_word(a, most, (which - TABLE_WORD) % DATA_WORDS);
}

// An upper bound of the value as an unsigned number.
static uint32_t bound(const struct ir_context *c, const struct node *n) {
  uint64_t x = n->num_args > 0 ? n->arg[0]->umax : 0, y = n->num_args > 1 ? n->arg[1]->umax : 0;
  uint64_t z = 0;
  bool by_const = n->num_args == 2 && n->arg[1]->op == OP_CONST;
  unsigned shift = by_const ? (unsigned)n->arg[1]->value & 31 : 0;
  switch (n->op) {
    case OP_CONST: return (uint32_t)n->value;
    case OP_INPUT: return c->graph->source[n->index].width == 2 ? UINT16_MAX : UINT32_MAX;
    case OP_PARAM: return malleable_most(c, n->index);
    case OP_EXT: return n->modulus >= SLUICE_EXT_PRED_1 ? 1 : UINT32_MAX;
    case OP_TABLE: return table_most(c, n->index, n->modulus);
    case OP_FOUND: return c->program->word_table->words;
    case OP_HASH:
      if (n->index == SLUICE_HASH_IDENTITY && x > INT32_MAX) return UINT32_MAX;
      if (n->modulus) return n->modulus - 1;
      return n->index == SLUICE_HASH_CRC16 ? UINT16_MAX : UINT32_MAX;
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_LAND:
    case OP_LOR: return 1;
    case OP_AND: return (uint32_t)(x < y ? x : y);
    case OP_OR:
    case OP_XOR: return mask_of((uint32_t)(x | y));
    case OP_ADD: z = x + y; break;
    case OP_MUL: z = x * y; break;
    case OP_SHL: z = by_const ? x << shift : UINT64_MAX; break;
    case OP_SRL: return by_const ? (uint32_t)x >> shift : (uint32_t)x;
    case OP_SRA: return x > INT32_MAX ? UINT32_MAX : (uint32_t)x >> shift;
    case OP_SELECT:
      z = n->arg[2]->umax;
      z = y > z ? y : z;
      break;
    default: return UINT32_MAX;
  }
  return z > UINT32_MAX ? UINT32_MAX : (uint32_t)z;
}

static unsigned hash_of(const struct node *n) {
  uint32_t h = (uint32_t)n->op * 31u + (uint32_t)n->value * 2654435761u + n->index * 97u +
               n->modulus * 13u;
  for (unsigned i = 0; i < n->num_args; i++) h = h * 33u + n->arg[i]->id;
  return (h ^ h >> 15) % GRAPH_BUCKETS;
}

static bool equal(const struct node *a, const struct node *b) {
  return a->op == b->op && a->value == b->value && a->index == b->index &&
         a->modulus == b->modulus && a->num_args == b->num_args &&
         memcmp(a->arg, b->arg, sizeof a->arg) == 0;
}

static struct node *enter(struct ir_context *c, struct node wanted) {
  struct graph *g = c->graph;
  c->arena->work += WORK_OF_NODE;
  unsigned h = hash_of(&wanted);
  if (g->fold)
    for (struct node *n = g->bucket[h]; n; n = n->chain)
      if (equal(n, &wanted)) return n;
  if (g->num == MAX_NODES)
    diag_fatal(c, c->at ? c->at : c->program->name_at, "too-long",
               "up to here the program has %d operations, and no more are read", MAX_NODES);
  if (g->num == g->room) {
    unsigned room = g->room ? g->room * 2 : 256;
    struct node **grown = NEW_ARRAY(c->arena, struct node *, room);
    if (g->num) memcpy(grown, g->list, g->num * sizeof *grown);
    g->list = grown;
    g->room = room;
  }
  struct node *n = NEW(c->arena, struct node);
  *n = wanted;
  n->id = g->num;
  if (n->op == OP_OLD) n->states = 1u << n->index;
  for (unsigned i = 0; i < n->num_args; i++) {
    n->states |= n->arg[i]->states;
    if (n->level <= n->arg[i]->level) n->level = n->arg[i]->level + 1;
  }
  n->umax = bound(c, n);
  n->ready = c->ready ? c->ready(c, n) : 0;
  n->at = c->at;
  n->chain = g->bucket[h];
  g->bucket[h] = n;
  g->list[g->num++] = n;
  return n;
}

struct node *node_const(struct ir_context *c, int32_t value) {
  return enter(c, (struct node){.op = OP_CONST, .value = value});
}

struct node *node_leaf(struct ir_context *c, enum op op, unsigned index, uint32_t which,
                       struct node **args, unsigned num_args) {
  struct node n = {.op = op, .index = index, .modulus = which, .num_args = num_args};
  bool constant = op == OP_HASH;
  int32_t words[NODE_ARGS];
  for (unsigned i = 0; i < num_args; i++) {
    n.arg[i] = args[i];
    words[i] = args[i]->value;
    constant &= args[i]->op == OP_CONST;
  }
  if (constant && c->graph->fold) return node_const(c, hash_eval(index, words, num_args, which));
  return enter(c, n);
}

struct node *node_make(struct ir_context *c, enum op op, struct node *x, struct node *y,
                       struct node *z) {
  bool commutes = op == OP_ADD || op == OP_MUL || (op >= OP_AND && op <= OP_XOR) || op == OP_EQ ||
                  op == OP_NE || op == OP_LAND || op == OP_LOR || op == OP_MAX || op == OP_MIN ||
                  op == OP_ADDS;
  if (c->graph->fold) {
    // Constants to the right, else the older node to the left.
    if (commutes && (x->op == OP_CONST) >= (y->op == OP_CONST) &&
        (x->op == OP_CONST || x->id > y->id)) {
      struct node *other = x;
      x = y;
      y = other;
    }
    struct node *simple = fold(c, op, x, y, z);
    if (simple) return simple;
  }
  return enter(c, (struct node){.op = op, .arg = {x, y, z}, .num_args = z ? 3 : y ? 2 : 1});
}

// Nodes to look at. Values nest as deep as a program is long, so this is a loop.
struct marker {
  bool *live;
  struct node **todo;
  unsigned num;
};

static void mark(struct marker *m, struct node *n) {
  if (!n || m->live[n->id]) return;
  m->live[n->id] = true;
  m->todo[m->num++] = n;
}

// Marks what the outputs and the states need. A state that is only passed on is not needed.
static void mark_all(struct ir_context *c, struct graph *g, bool *live) {
  struct marker m = {.live = live, .todo = NEW_ARRAY(c->arena, struct node *, g->num + 1)};
  for (unsigned i = 0; i < g->num_outputs; i++) mark(&m, g->output[i].value);
  for (struct mention *x = g->mentions; x; x = x->next) {
    mark(&m, x->index);
    mark(&m, x->path);
  }
  for (unsigned i = 0; i < g->num_roots; i++) mark(&m, *g->root[i]);
  mark(&m, g->port);
  mark(&m, g->discard);
  mark(&m, g->flow);
  mark(&m, g->words);
  mark(&m, g->ports);
  for (unsigned i = 0; i < c->program->num_states; i++) {
    struct access *a = &g->access[i];
    if (!a->new_value || a->new_value == a->old) continue;
    mark(&m, a->new_value);
    mark(&m, a->old);
  }
  while (m.num) {
    struct node *n = m.todo[--m.num];
    for (unsigned i = 0; i < n->num_args; i++) mark(&m, n->arg[i]);
    if (n->op != OP_OLD) continue;
    mark(&m, g->access[n->index].index);
    mark(&m, g->access[n->index].guard);
  }
}

bool *graph_live(struct ir_context *c) {
  bool *live = NEW_ARRAY(c->arena, bool, c->graph->num + 1);
  mark_all(c, c->graph, live);
  return live;
}

static struct node *now(struct node *n) { return n ? n->now : NULL; }

void graph_rebuild(struct ir_context *c, rewrite_fn *rewrite, void *user) {
  struct graph *from = c->graph, *to = NEW(c->arena, struct graph);
  bool *live = NEW_ARRAY(c->arena, bool, from->num + 1);
  mark_all(c, from, live);
  to->fold = true;
  to->source = from->source;
  to->num_sources = from->num_sources;
  to->output = from->output;
  to->num_outputs = from->num_outputs;
  to->mentions = from->mentions;
  c->graph = to;
  for (unsigned i = 0; i < from->num; i++) {
    struct node *old = from->list[i], *args[NODE_ARGS] = {NULL};
    if (!live[i]) continue;
    c->at = old->at;
    for (unsigned j = 0; j < old->num_args; j++) args[j] = old->arg[j]->now;
    old->now = rewrite ? rewrite(c, old, args, user) : NULL;
    if (old->now) continue;
    if (old->op == OP_CONST) old->now = node_const(c, old->value);
    else if (old->op < OP_ADD)
      old->now = node_leaf(c, old->op, old->index, old->modulus, args, old->num_args);
    else old->now = node_make(c, old->op, args[0], args[1], args[2]);
  }
  for (unsigned i = 0; i < to->num_outputs; i++) to->output[i].value = to->output[i].value->now;
  for (struct mention *m = to->mentions; m; m = m->next) {
    m->index = now(m->index);
    m->path = now(m->path);
  }
  for (unsigned i = 0; i < from->num_roots; i++) *from->root[i] = now(*from->root[i]);
  to->port = now(from->port);
  to->discard = now(from->discard);
  to->flow = now(from->flow);
  to->words = now(from->words);
  to->ports = now(from->ports);
  to->port_at = from->port_at;
  to->discard_at = from->discard_at;
  to->words_at = from->words_at;
  to->ports_at = from->ports_at;
  for (unsigned i = 0; i < c->program->num_states; i++) {
    struct access *a = &to->access[i];
    *a = from->access[i];
    a->used = a->old && live[a->old->id];
    if (!a->used) {
      a->index = a->guard = a->old = a->new_value = NULL;
      continue;
    }
    a->index = now(a->index);
    a->guard = now(a->guard);
    a->old = now(a->old);
    a->new_value = now(a->new_value);
    a->written = a->new_value != a->old;
  }
}

unsigned *graph_uses(struct ir_context *c) {
  const struct graph *g = c->graph;
  unsigned *uses = NEW_ARRAY(c->arena, unsigned, g->num + 1);
  const bool *live = graph_live(c);
  for (unsigned i = 0; i < g->num; i++)
    for (unsigned j = 0; live[i] && j < g->list[i]->num_args; j++) uses[g->list[i]->arg[j]->id]++;
  for (unsigned i = 0; i < g->num_outputs; i++) uses[g->output[i].value->id]++;
  for (unsigned i = 0; i < g->num_roots; i++)
    if (*g->root[i]) uses[(*g->root[i])->id]++;
  for (unsigned i = 0; i < MAX_STATES; i++) {
    const struct access *a = &g->access[i];
    if (a->index) uses[a->index->id]++;
    if (a->guard) uses[a->guard->id]++;
    if (a->new_value) uses[a->new_value->id]++;
  }
  if (g->port) uses[g->port->id]++;
  if (g->discard) uses[g->discard->id]++;
  if (g->flow) uses[g->flow->id]++;
  if (g->words) uses[g->words->id]++;
  if (g->ports) uses[g->ports->id]++;
  return uses;
}
