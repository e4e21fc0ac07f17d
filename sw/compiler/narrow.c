// SPDX-License-Identifier: Apache-2.0
// What two bytes of a packet need of their value. The deparser writes the low 16 bits, so masks
// over them go, and a byte that only counts up or down is counted where it stands: `p.ttl = p.ttl -
// 1` is word - 256, one level instead of five (shift down, count, mask, shift up, put together).
#include "table.h"

enum { MAX_WALK = 64 };

struct narrow {
  struct ir_context *c;
  const unsigned *uses;
  unsigned num, depth;  // nodes that have a number of uses
};

static struct node *make(struct narrow *x, enum op op, struct node *a, struct node *b) {
  return node_make(x->c, op, a, b, NULL);
}

static bool is_byte_mask(const struct node *n) {
  return n->op == OP_AND && node_is(n->arg[1], 255);
}

static bool is_shift(const struct node *n, enum op op) {
  return n->op == op && node_is(n->arg[1], 8);
}

// Whether the two bytes of v end with the upper one of w: so chips without shifters read a byte.
static bool one_before(const struct graph *g, const struct node *v, const struct node *w) {
  if (v->op != OP_INPUT || w->op != OP_INPUT) return false;
  const struct source *x = &g->source[v->index], *y = &g->source[w->index];
  return !x->metadata && !y->metadata && !x->param && !y->param && x->width == 2 && y->width == 2 &&
         x->offset + 1 == y->offset;
}

// A value that is (v & 255) << 8 | w & 255 in its low 16 bits, where v is the upper byte of w
// changed by a constant; or NULL.
static struct node *upper_byte(struct narrow *x, struct node *v, struct node *w) {
  if (is_byte_mask(v) && one_before(x->c->graph, v->arg[0], w)) return w;
  if (is_byte_mask(v)) v = v->arg[0];
  if (is_shift(v, OP_SRL) && v->arg[0] == w && w->umax <= UINT16_MAX) return w;
  if (v->op == OP_ADD && v->arg[1]->op == OP_CONST) {
    struct node *same = upper_byte(x, v->arg[0], w);
    return same == w ? make(x, OP_ADD, w, node_const(x->c, op_eval(OP_SHL, v->arg[1]->value, 8)))
                     : NULL;
  }
  if (v->op != OP_SELECT) return NULL;
  struct node *yes = upper_byte(x, v->arg[1], w), *no = yes ? upper_byte(x, v->arg[2], w) : NULL;
  return no ? node_make(x->c, OP_SELECT, v->arg[0], yes, no) : NULL;
}

// The two halves of a word put together, if it is simpler than it was written.
static struct node *halves(struct narrow *x, const struct node *n) {
  for (int i = 0; i < 2; i++) {
    struct node *high = n->arg[i], *low = n->arg[!i];
    if (is_shift(high, OP_SHL) && is_byte_mask(low))
      return upper_byte(x, high->arg[0], low->arg[0]);
  }
  return NULL;
}

// A value that is n in the bits of `mask`, and perhaps simpler. What others read as well stays.
static struct node *keep(struct narrow *x, struct node *n, uint32_t mask) {
  struct node *a = n->arg[0], *b = n->arg[1], *made = NULL;
  const bool shift = (n->op == OP_SHL || n->op == OP_SRL) && b->op == OP_CONST;
  if (n->op == OP_CONST) return n;
  if (!mask) return node_const(x->c, 0);
  if (n->id >= x->num || x->uses[n->id] != 1 || x->depth == MAX_WALK) return n;
  x->depth++;
  switch (n->op) {
    case OP_AND:
      if (b->op == OP_CONST && !(mask & ~(uint32_t)b->value)) made = keep(x, a, mask);
      else if (b->op == OP_CONST) made = make(x, OP_AND, keep(x, a, mask & (uint32_t)b->value), b);
      break;
    case OP_OR:
      made = mask == UINT16_MAX ? halves(x, n) : NULL;
      if (!made) made = make(x, OP_OR, keep(x, a, mask), keep(x, b, mask));
      break;
    case OP_XOR: made = make(x, OP_XOR, keep(x, a, mask), keep(x, b, mask)); break;
    case OP_ADD:
    case OP_SUB:
      if (!(mask & (mask + 1))) made = make(x, n->op, keep(x, a, mask), keep(x, b, mask));
      break;
    case OP_SHL:
      if (shift) made = make(x, OP_SHL, keep(x, a, mask >> (b->value & 31)), b);
      break;
    case OP_SELECT:
      made = node_make(x->c, OP_SELECT, a, keep(x, b, mask), keep(x, n->arg[2], mask));
      break;
    default: break;
  }
  x->depth--;
  return made ? made : n;
}

// Comparisons of an upper byte with a number: of the word with a larger one, a level less. (Only in
// programs with tables, where the stage of a table is early: others stay as they were.)
static struct node *compare_word(struct ir_context *c, struct node *old, struct node **args,
                                 void *user) {
  (void)user;
  if (old->op != OP_LT && old->op != OP_LE) return NULL;
  for (int i = 0; i < 2; i++) {
    const struct node *byte = args[i], *number = args[!i];
    if (!is_shift(byte, OP_SRL) || byte->arg[0]->umax > UINT16_MAX || number->op != OP_CONST ||
        number->value < 0 || number->value > 255)
      continue;
    // byte < n and n <= byte are told by the least word with that byte, the others by the greatest.
    const bool least = (old->op == OP_LT) == (i == 0);
    struct node *border = node_const(c, number->value << 8 | (least ? 0 : 255));
    return i ? node_make(c, old->op, border, byte->arg[0], NULL)
             : node_make(c, old->op, byte->arg[0], border, NULL);
  }
  return NULL;
}

void narrow(struct ir_context *c) {
  struct graph *g = c->graph;
  struct narrow x = {.c = c, .uses = graph_uses(c), .num = g->num};
  for (unsigned i = 0; i < g->num_outputs; i++) {
    c->at = g->output[i].value->at;
    if (g->output[i].width == 2) g->output[i].value = keep(&x, g->output[i].value, UINT16_MAX);
  }
  graph_rebuild(c, c->program->num_tables ? compare_word : NULL, NULL);
}
