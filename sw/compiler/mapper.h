// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_COMPILER_MAPPER_H
#define SLUICE_COMPILER_MAPPER_H

#include "internal.h"

// What tree.c, fit.c and map.c share: one attempt to make a state instruction of a codelet.

/// A sum: konst + state words + atoms, all modulo 2^32. An atom is a value from outside the
/// codelet.
enum { MAX_TERMS = 8, MAX_DECISIONS = 5, MAX_CANDIDATES = 40 };
struct sum {
  uint32_t konst;
  uint32_t state[2];  // coefficients of the two state words
  unsigned num;
  struct {
    struct node *atom;
    uint32_t times;
  } term[MAX_TERMS];
};
/// A condition of the decision tree: left OP right, OP one of EQ, NE, LT, LE.
struct cond {
  enum op op;
  struct sum left, right;
  struct node *node;  // the value it computes, if it is one; NULL: a part of one
};
/// A decision tree: a leaf has the new values of both words.
struct tree {
  bool leaf;
  struct cond cond;
  struct tree *yes, *no;
  struct sum word[2];
};
struct decision {
  const struct cond *cond;
  bool yes;
};
struct mapper {  // one attempt to map a codelet
  struct compiler *c;
  struct codelet *k;
  uint32_t own;       // its states, as in node.states
  bool hoist;         // choices that do not depend on its state are computed in earlier stages
  bool second_first;  // ask what the second word, and the right operand, need first
  const struct cond *first;  // ask this before anything else; NULL: no matter
  struct decision decision[MAX_DECISIONS];
  unsigned num_decisions;
  bool decided;  // a decision was looked at
  bool asks;     // `ask` must be decided first
  struct cond ask;
  char why[300];  // why it does not fit, and where
  const struct token *why_at;
};
/// The decision tree of the codelet, or NULL and m->why.
struct tree *tree_build(struct mapper *m);
/// The sum of a value under the decisions made; false: m->asks, or m->why.
bool sum_of(struct mapper *m, struct node *n, struct sum *sum);
bool sum_equal(const struct sum *a, const struct sum *b);
bool sum_is_const(const struct sum *a);
/// a += times * b; false: too many terms.
bool sum_add(struct sum *a, const struct sum *b, uint32_t times);
/// A value that computes a sum without state words; NULL: it would need a product.
struct node *sum_node(struct compiler *c, const struct sum *sum);

/// Maps the tree to an instruction, whichever operands it takes; NULL and m->why. (fit.c)
struct mapping *fit(struct mapper *m, const struct tree *tree);
/// Says in m->why that a chip of one word an entry compares once. (fit.c)
void one_comparison(struct mapper *m);

#endif
