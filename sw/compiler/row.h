// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "internal.h"

/// Operations on rows from inside: what row.c, row_case.c and row_predicate.c share.

enum { ROW_ATOMS = 24, ROW_ARRAYS = 6, ROW_DEPTH = 12, NO_ATOM = -1, WHY_LEN = 200 };
enum {
  RESULT_ALL = 1u << SLUICE_ARRAY_RESULT_PACKET | 1u << SLUICE_ARRAY_RESULT_OLD |
               1u << SLUICE_ARRAY_RESULT_NEW
};

/// A condition: a == b, a < b, or a truth value a (b NULL). `node` is it, or its opposite, as the
/// program has it.
struct atom {
  enum op op;
  struct node *a, *b, *node;
  bool opposite;
  int value;  // as it is assumed; -1: not
};
/// What is done in a case, before its condition has a predicate.
struct found {
  int atom;                             // a condition on the words beside the row, or NO_ATOM
  unsigned on_true, on_false, results;  // results: bits that would do
};
/// What is known while operations are looked for.
struct rows {
  struct compiler *c;
  unsigned num, order[ROW_ARRAYS];  // states
  struct node *words;               // the packet's array as it arrives
  struct atom atom[ROW_ATOMS];
  unsigned num_atoms;
  int ask;       // the first condition that was not decided
  uint32_t own;  // states beside the row that is looked at
  struct found found[MAX_ROW_OPERATIONS];
  unsigned num_found;
  bool uses;  // some operation takes the packet's words
  char why[WHY_LEN];
};

/// What the program does with row array `row`, in the order of x.
static inline const struct access *access_of(const struct rows *x, unsigned row) {
  return &x->c->graph->access[x->order[row]];
}

/// Notes why it does not work, unless something did not before; false.
bool row_fail(struct rows *x, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// The number of the operation on row array `row` (in the order of x), as a value that depends on
/// the packet and on states other than x->own; what the numbers stand for is in x->found. NULL:
/// some case is none, and x->why says why. (row_case.c)
struct node *row_cases(struct rows *x, unsigned row);

/// The predicate of the state instruction, from 1, that is the condition, or its opposite
/// (*inverted): one that is there, or a free one. 0: none can be, and x->why says why.
/// (row_predicate.c)
unsigned row_predicate(struct rows *x, const struct codelet *k, struct mapping *m,
                       const struct atom *t, bool *inverted);
