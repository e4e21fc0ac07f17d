// SPDX-License-Identifier: Apache-2.0
// Chains of one operator as trees that are ready earliest. `a + b + c + d` is written as three
// operations one after the other; as (a + b) + (c + d) it takes two levels, and where d comes out
// of a state unit, ((a + b) + c) + d lets the packet's part go ahead. Sums count how often a term
// stands in them, so x - x is 0 and x + x + x is (x << 1) + x; the others drop what stands there
// twice.
//
// A chain ends where its value is wanted by somebody else as well. The terms of a chain are
// combined two by two, always those that are ready first (Huffman's tree with maxima): no other
// tree of the same terms is ready earlier. n log n for n terms.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// Which operators make one chain: ADD stands for sums and differences. CONST: none.
static enum op chain_of(const struct node *n) {
  switch (n->op) {
    case OP_ADD:
    case OP_SUB: return OP_ADD;
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_LAND:
    case OP_LOR: return n->op;
    default: return OP_CONST;
  }
}

struct term {
  struct node *node;
  uint32_t times;  // of a sum: how often
  bool minus;
  unsigned ready, order;   // order: among terms that are ready together the first comes first
  const struct token *at;  // the operator before it
};
// By node of the graph before.
struct chains {
  const unsigned *uses;
  const bool *inner;  // inside a chain: nobody else reads it
};
struct chain {
  struct ir_context *c;
  const struct chains *all;
  enum op op;
  struct term *term;
  unsigned num, room, order;
  uint32_t konst;
  bool decided;  // the constant alone is the value
  const struct token *at;
};

static void add(struct chain *x, struct node *node, uint32_t times, bool minus) {
  if (x->num == x->room) {
    unsigned room = x->room ? 2 * x->room : 16;
    struct term *grown = NEW_ARRAY(x->c->arena, struct term, room);
    if (x->num) memcpy(grown, x->term, x->num * sizeof *grown);
    x->term = grown;
    x->room = room;
  }
  x->term[x->num++] = (struct term){.node = node,
                                    .times = times,
                                    .minus = minus,
                                    .ready = node->ready,
                                    .order = x->order++,
                                    .at = x->at};
}

static void constant(struct chain *x, uint32_t value, uint32_t times) {
  switch (x->op) {
    case OP_ADD: x->konst += value * times; break;
    case OP_AND: x->konst &= value; break;
    case OP_OR: x->konst |= value; break;
    case OP_XOR: x->konst ^= value; break;
    case OP_LAND: x->konst &= value != 0; break;
    default: x->konst |= value != 0; break;
  }
}

static void leaf(struct chain *x, struct node *n, uint32_t times) {
  if (n->op == OP_CONST) {
    constant(x, (uint32_t)n->value, times);
  } else if (x->op == OP_ADD && n->op == OP_SHL && n->arg[1]->op == OP_CONST &&
             x->c->config->Shifters) {
    add(x, n->arg[0], times << (n->arg[1]->value & 31), false);
  } else {
    add(x, n, times, false);
  }
}

struct walk {
  struct node *node;
  uint32_t times;
  const struct token *at;
};

// The terms of the chain that ends in `root`, first to last.
static void gather(struct chain *x, const struct node *root) {
  unsigned num = 0, room = 64;
  struct walk *todo = NEW_ARRAY(x->c->arena, struct walk, room);
  todo[num++] = (struct walk){(struct node *)root, 1, root->at};
  while (num) {
    struct walk w = todo[--num];
    if (w.node != root && !(x->all->uses[w.node->id] == 1 && chain_of(w.node) == x->op)) {
      x->at = w.at;
      leaf(x, w.node->now, w.times);
      continue;
    }
    if (num + 2 > room) {
      struct walk *grown = NEW_ARRAY(x->c->arena, struct walk, 2 * room);
      memcpy(grown, todo, num * sizeof *grown);
      todo = grown;
      room *= 2;
    }
    todo[num++] =
        (struct walk){w.node->arg[1], w.node->op == OP_SUB ? 0u - w.times : w.times, w.node->at};
    todo[num++] = (struct walk){w.node->arg[0], w.times, w.at};
  }
}

static int by_node(const void *a, const void *b) {
  const struct term *x = a, *y = b;
  return x->node->id != y->node->id ? (x->node->id < y->node->id ? -1 : 1)
         : x->order < y->order      ? -1
                                    : 1;
}

static bool holds(const struct chain *x, unsigned num, const struct node *n) {
  unsigned low = 0, high = num;
  while (low < high) {
    unsigned mid = (low + high) / 2;
    if (x->term[mid].node->id < n->id) low = mid + 1;
    else high = mid;
  }
  return low < num && x->term[low].node == n;
}

// Equal terms become one, or none.
static void merge(struct chain *x) {
  unsigned num = 0;
  if (x->num) qsort(x->term, x->num, sizeof *x->term, by_node);
  for (unsigned i = 0; i < x->num;) {
    struct term t = x->term[i++];
    for (; i < x->num && x->term[i].node == t.node; i++)
      if (x->op == OP_ADD || x->op == OP_XOR) t.times += x->term[i].times;
    if (x->op == OP_XOR) t.times &= 1;
    if (t.times) x->term[num++] = t;
  }
  x->num = num;
  if (x->op != OP_LAND && x->op != OP_LOR) return;
  // a && !a
  for (unsigned i = 0; i < num && !x->decided; i++) {
    const struct node *n = node_opposite(x->c, x->term[i].node);
    if (!n || !holds(x, num, n)) continue;
    x->decided = true;
    x->konst = x->op == OP_LOR;
  }
}

static struct node *shifted(struct ir_context *c, struct node *n, unsigned count) {
  if (!count) return n;
  if (c->config->Shifters) return node_make(c, OP_SHL, n, node_const(c, (int32_t)count), NULL);
  while (count--) n = node_make(c, OP_ADD, n, n, NULL);
  return n;
}

// times * node as shifted copies, in the signed digits of `times` with fewest digits that are not
// 0.
static void multiply(struct chain *x) {
  const unsigned num = x->num;
  struct term *from = x->term;
  x->term = NULL;
  x->num = x->room = 0;
  for (unsigned i = 0; i < num; i++) {
    uint32_t left = from[i].times;
    for (unsigned bit = 0; bit < 32 && left >> bit; bit++) {
      if (!(left >> bit & 1)) continue;
      bool minus = bit < 31 && (left >> bit & 3) == 3;
      left = minus ? left + (1u << bit) : left - (1u << bit);
      x->order = from[i].order;
      x->at = from[i].at;
      add(x, shifted(x->c, from[i].node, bit), 1, minus);
    }
  }
}

static bool before(const struct term *a, const struct term *b) {
  return a->ready != b->ready ? a->ready < b->ready : a->order < b->order;
}

static void sink(struct term *heap, unsigned num, unsigned i) {
  for (;;) {
    unsigned first = i;
    for (unsigned child = 2 * i + 1; child <= 2 * i + 2 && child < num; child++)
      if (before(&heap[child], &heap[first])) first = child;
    if (first == i) return;
    struct term t = heap[i];
    heap[i] = heap[first];
    heap[first] = t;
    i = first;
  }
}

static struct term join(struct chain *x, const struct term *a, const struct term *b) {
  const struct term *first = a->order < b->order ? a : b, *second = first == a ? b : a;
  struct term t = {.minus = a->minus && b->minus, .order = first->order, .at = first->at};
  x->c->at = x->num > 1 ? second->at : x->at;
  if (x->op == OP_ADD && a->minus != b->minus)
    t.node =
        node_make(x->c, OP_SUB, a->minus ? b->node : a->node, a->minus ? a->node : b->node, NULL);
  else t.node = node_make(x->c, x->op, a->node, b->node, NULL);
  t.ready = t.node->ready;
  return t;
}

static struct node *tree(struct chain *x) {
  struct term *heap = x->term;
  for (unsigned i = x->num / 2; i-- > 0;) sink(heap, x->num, i);
  while (x->num > 1) {
    struct term first = heap[0];
    heap[0] = heap[--x->num];
    sink(heap, x->num, 0);
    heap[0] = join(x, &first, &heap[0]);
    sink(heap, x->num, 0);
  }
  if (!heap[0].minus) return heap[0].node;
  return node_make(x->c, OP_SUB, node_const(x->c, 0), heap[0].node, NULL);
}

static struct node *rewrite(struct ir_context *c, struct node *old, struct node **args,
                            void *user) {
  const struct chains *all = user;
  struct chain x = {.c = c, .all = all, .op = chain_of(old)};
  if (x.op == OP_CONST) return NULL;
  if (all->inner[old->id])
    return args[0];  // nobody reads it: its terms are those of the chain's end
  const uint32_t neutral = x.op == OP_AND ? UINT32_MAX : x.op == OP_LAND;
  x.konst = neutral;
  gather(&x, old);
  const uint32_t absorbs = x.op == OP_OR ? UINT32_MAX : x.op == OP_LOR;
  if ((x.op != OP_ADD && x.op != OP_XOR) && x.konst == absorbs)
    return node_const(c, (int32_t)x.konst);
  merge(&x);
  if (x.op == OP_ADD) multiply(&x);
  x.at = old->at;
  if (x.decided || !x.num) return node_const(c, (int32_t)x.konst);
  if (x.konst == neutral && x.num == 1 && (x.op == OP_LAND || x.op == OP_LOR) &&
      !node_is_bool(x.term[0].node))
    return node_make(c, OP_NE, x.term[0].node, node_const(c, 0), NULL);
  if (x.konst != neutral) add(&x, node_const(c, (int32_t)x.konst), 1, false);
  return tree(&x);
}

static void balance_chains(struct ir_context *c, struct codelets *codelets) {
  const struct graph *g = c->graph;
  codelets_root(c->graph, codelets);
  const unsigned *uses = graph_uses(c);
  bool *inner = NEW_ARRAY(c->arena, bool, g->num + 1);
  const bool *live = graph_live(c);
  // What nobody needs any more would make an end of a chain that others read an inside.
  for (unsigned i = 0; i < g->num; i++) {
    const struct node *n = g->list[i];
    for (unsigned j = 0; live[i] && j < n->num_args && chain_of(n) != OP_CONST; j++)
      if (uses[n->arg[j]->id] == 1 && chain_of(n->arg[j]) == chain_of(n))
        inner[n->arg[j]->id] = true;
  }
  struct chains all = {uses, inner};
  graph_rebuild(c, rewrite, &all);
}

void balance(struct ir_context *c, struct codelets *codelets) {
  balance_chains(c, codelets);
  decide(c, codelets);
  balance_chains(c, codelets);
  codelets_root(c->graph, codelets);
  graph_rebuild(c, NULL, NULL);
}

static unsigned later(unsigned ready, const unsigned *of, const struct node *n) {
  return n && of[n->id] > ready ? of[n->id] : ready;
}

void codelets_ready(struct ir_context *c, struct codelets *codelets) {
  const struct graph *g = c->graph;
  unsigned *ready = NEW_ARRAY(c->arena, unsigned, g->num + 1);
  bool changed = true;
  for (unsigned round = 0; changed && round <= codelets->num; round++) {
    changed = false;
    for (unsigned i = 0; i < g->num; i++) {
      const struct node *n = g->list[i];
      ready[i] = n->op == OP_EXT ? codelets->list[n->index].ready : n->num_args ? 0 : n->ready;
      for (unsigned j = 0; j < n->num_args; j++)
        if (ready[n->arg[j]->id] >= ready[i]) ready[i] = ready[n->arg[j]->id] + 1;
    }
    for (unsigned i = 0; i < codelets->num; i++) {
      struct codelet *k = &codelets->list[i];
      unsigned at = c->config->FrontStages;
      for (int p = 0; p < 2; p++) at = later(at, ready, k->map->operand[p]);
      at = later(at, ready, k->which);
      at = later(at, ready, k->index) + 1;
      changed |= at != k->ready;
      k->ready = at;
    }
  }
}
