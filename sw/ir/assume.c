// SPDX-License-Identifier: Apache-2.0
// What a value is where a condition is known to hold, or not to: `c ? (c && d ? x : y) : z` is
// `c ? (d ? x : y) : z`, and `!(a && b) && !a` is `!a`. So `if` in `if`, `else if` and `? :` that
// say the same become the same values.
#include "ir.h"

enum { MAX_FACTS = 6, MAX_DEEP = 3 };
struct facts {
  struct ir_context *c;
  unsigned num, first;  // the least number of a node that they decide
  struct fact {
    const struct node *node, *opposite;
    bool holds;
  } list[MAX_FACTS];
};

static bool is_not(const struct node *n) {
  return n->op == OP_EQ && node_is(n->arg[1], 0) && node_is_bool(n->arg[0]);
}

static void add(struct facts *f, struct node *n, bool holds) {
  if (f->num == MAX_FACTS || n->op == OP_CONST || !node_is_bool(n)) return;
  struct node *const opposite = node_opposite(f->c, n);
  f->list[f->num++] = (struct fact){n, opposite, holds};
  if (n->id < f->first) f->first = n->id;
  if (opposite && opposite->id < f->first) f->first = opposite->id;
  if (is_not(n)) add(f, n->arg[0], !holds);
  if ((n->op == OP_LAND && holds) || (n->op == OP_LOR && !holds)) {
    add(f, n->arg[0], holds);
    add(f, n->arg[1], holds);
  }
}

// 0, 1; -1: they do not say.
static int decided(const struct facts *f, const struct node *n) {
  for (unsigned i = 0; i < f->num; i++) {
    const struct fact *x = &f->list[i];
    if (n == x->node) return x->holds;
    if (n == x->opposite) return !x->holds;
    // x == 3 says what x == 4 is.
    const struct node *same = x->holds && x->node->op == OP_EQ                   ? x->node
                              : !x->holds && x->opposite && x->node->op == OP_NE ? x->opposite
                                                                                 : NULL;
    if (same && (n->op == OP_EQ || n->op == OP_NE) && n->arg[0] == same->arg[0] &&
        n->arg[1]->op == OP_CONST && same->arg[1]->op == OP_CONST)
      return (n->arg[1]->value == same->arg[1]->value) == (n->op == OP_EQ);
  }
  return -1;
}

static struct node *under(struct facts *f, struct node *n, unsigned deep) {
  if (n->id < f->first && n->op != OP_EQ && n->op != OP_NE) return n;
  const int known = decided(f, n);
  if (known >= 0) return node_const(f->c, known);
  const bool looks = n->op == OP_SELECT || n->op == OP_LAND || n->op == OP_LOR || is_not(n);
  if (!looks || deep == MAX_DEEP || n->id < f->first) return n;
  struct node *arg[3] = {NULL, NULL, NULL};
  bool changed = false;
  for (unsigned i = 0; i < n->num_args; i++) {
    arg[i] = under(f, n->arg[i], deep + 1);
    changed |= arg[i] != n->arg[i];
  }
  return changed ? node_make(f->c, n->op, arg[0], arg[1], arg[2]) : n;
}

// Of tables each row is made for itself (table_fold.c), and of updates each case (cases.c): both
// want the conditions as they are, and only a choice by the condition itself is decided.
static struct node *shallow(struct ir_context *c, struct node *n, struct node *cond, bool holds) {
  if (n->op != OP_SELECT) return n;
  if (n->arg[0] == cond) return n->arg[holds ? 1 : 2];
  return node_opposite(c, n->arg[0]) == cond ? n->arg[holds ? 2 : 1] : n;
}

struct node *assume(struct ir_context *c, struct node *n, struct node *cond, bool holds) {
  if (c->program->num_tables || cond->states || n->states) return shallow(c, n, cond, holds);
  struct facts f = {.c = c, .first = UINT32_MAX};
  if (n->op == OP_CONST || n == cond)
    return n == cond && node_is_bool(n) ? node_const(c, holds) : n;
  add(&f, cond, holds);
  return f.num ? under(&f, n, 0) : n;
}
