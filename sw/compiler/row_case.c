// SPDX-License-Identifier: Apache-2.0
// What is done with a row, case by case. Conditions are assumed to hold or not, one after the
// other, until the new row is known: an operation on the old one. Those on the packet first; one on
// the words at the row's index may be left, which chooses between two operations.
#include <stdarg.h>

#include "row.h"

bool row_fail(struct rows *x, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!x->why[0]) vsnprintf(x->why, sizeof x->why, format, args);
  va_end(args);
  return false;
}

// ---- conditions ---------------------------------------------------------------------------------

static int truth(struct rows *x, struct node *n);

// A sum of old words, with its choices decided; NULL: one is not.
static struct node *decided(struct rows *x, struct node *n, unsigned depth) {
  if (!(n->states & x->own) || depth == ROW_DEPTH) return n;
  if (n->op == OP_SELECT) {
    const int which = truth(x, n->arg[0]);
    return which < 0 ? NULL : decided(x, n->arg[which ? 1 : 2], depth + 1);
  }
  if (n->op != OP_ADD && n->op != OP_SUB) return n;
  struct node *a = decided(x, n->arg[0], depth + 1), *b = decided(x, n->arg[1], depth + 1);
  return a && b ? node_make(&x->c->ir, n->op, a, b, NULL) : NULL;
}

static int opposite(int value) { return value < 0 ? value : !value; }

// What is known of a == b, a < b, a: that is the node, or its opposite.
static int atom_value(struct rows *x, enum op op, struct node *a, struct node *b, struct node *node,
                      bool is_opposite) {
  unsigned i = 0;
  for (; i < x->num_atoms; i++) {
    const struct atom *t = &x->atom[i];
    if (t->op == op && t->a == a && t->b == b) break;
    // Equal to one number, so to no other.
    if (op == OP_EQ && t->op == OP_EQ && t->value == 1 && t->a == a && b->op == OP_CONST &&
        t->b->op == OP_CONST)
      return 0;
  }
  if (i == x->num_atoms) {
    if (i == ROW_ATOMS) {
      row_fail(x, "it takes more than %d conditions", ROW_ATOMS);
      return 0;
    }
    x->atom[x->num_atoms++] = (struct atom){op, a, b, node, is_opposite, -1};
  }
  if (x->atom[i].value < 0 && x->ask == NO_ATOM) x->ask = (int)i;
  return x->atom[i].value;
}

static int comparison(struct rows *x, struct node *n) {
  struct node *a = decided(x, n->arg[0], 0), *b = decided(x, n->arg[1], 0);
  if (!a || !b) return -1;
  if (a != n->arg[0] || b != n->arg[1]) {
    n = node_make(&x->c->ir, n->op, a, b, NULL);
    return truth(x, n);
  }
  switch (n->op) {
    case OP_EQ: return atom_value(x, OP_EQ, a, b, n, false);
    case OP_NE: return opposite(atom_value(x, OP_EQ, a, b, n, true));
    case OP_LT: return atom_value(x, OP_LT, a, b, n, false);
    default: return opposite(atom_value(x, OP_LT, b, a, n, true));
  }
}

// 0, 1; -1: not decided, and x->ask is a condition that would help.
static int truth(struct rows *x, struct node *n) {
  if (n->op == OP_CONST) return n->value != 0;
  const bool bools = n->num_args == 2 && node_is_bool(n->arg[0]) && node_is_bool(n->arg[1]);
  const bool both = n->op == OP_LAND || (n->op == OP_AND && bools),
             either = n->op == OP_LOR || (n->op == OP_OR && bools);
  if (both || either) {
    const int a = truth(x, n->arg[0]);
    if (a == (both ? 0 : 1)) return a;
    // A condition that was asked need not be, if the other operand decides.
    const int was = x->ask, b = truth(x, n->arg[1]);
    if (b == (both ? 0 : 1)) return b;
    if (a < 0) x->ask = was;
    return a < 0 ? a : b;
  }
  if ((n->op == OP_EQ || n->op == OP_NE) && node_is_bool(n->arg[0]) && node_is(n->arg[1], 0)) {
    const int a = truth(x, n->arg[0]);
    return n->op == OP_EQ ? opposite(a) : a;
  }
  if (n->op == OP_SELECT && node_is_bool(n->arg[1]) && node_is_bool(n->arg[2])) {
    const int which = truth(x, n->arg[0]);
    return which < 0 ? which : truth(x, n->arg[which ? 1 : 2]);
  }
  if (n->op >= OP_EQ && n->op <= OP_LE) return comparison(x, n);
  return atom_value(x, OP_SELECT, n, NULL, n, false);
}

// ---- rows where conditions are known ------------------------------------------------------------

// The row that is chosen; NULL: not decided.
static struct node *resolve(struct rows *x, struct node *n) {
  while (n->op == OP_SELECT) {
    const int which = truth(x, n->arg[0]);
    if (which < 0) return NULL;
    n = n->arg[which ? 1 : 2];
  }
  return n;
}

// 1 if both are one row, 0 if they may differ; -1: not decided.
static int same(struct rows *x, struct node *a, struct node *b) {
  a = resolve(x, a);
  b = a ? resolve(x, b) : NULL;
  if (!a || !b) return -1;
  if (a == b) return 1;
  if (a->op != b->op || a->op < OP_ADD) return 0;
  for (unsigned turn = 0; turn < 2; turn++) {
    const int first = same(x, a->arg[0], b->arg[turn]);
    const int second = first == 1 ? same(x, a->arg[1], b->arg[!turn]) : first;
    if (second) return second;
  }
  return 0;
}

struct form {
  unsigned op;           // enumeration ARRAY_OP
  struct node *operand;  // what must be the packet's words then; NULL: anything
};

static unsigned operation_of(enum op op) {
  switch (op) {
    case OP_ADD: return SLUICE_ARRAY_OP_ADD;
    case OP_OR: return SLUICE_ARRAY_OP_OR;
    case OP_MAX: return SLUICE_ARRAY_OP_MAX;
    case OP_MIN: return SLUICE_ARRAY_OP_MIN;
    case OP_ADDS: return SLUICE_ARRAY_OP_ADDS;
    default: return SLUICE_ARRAY_OP_SET;
  }
}

static bool form_of(struct rows *x, unsigned row, struct form *f) {
  struct node *old = access_of(x, row)->old, *n = resolve(x, access_of(x, row)->new_value);
  *f = (struct form){SLUICE_ARRAY_OP_KEEP, NULL};
  if (!n) return false;
  if (n == old) return true;
  if (node_is(n, 0)) {
    f->op = SLUICE_ARRAY_OP_CLEAR;
    return true;
  }
  *f = (struct form){SLUICE_ARRAY_OP_SET, n};
  const unsigned op = n->op < OP_ADD ? SLUICE_ARRAY_OP_SET : operation_of(n->op);
  if (op == SLUICE_ARRAY_OP_SET) return true;
  struct node *a = resolve(x, n->arg[0]), *b = a ? resolve(x, n->arg[1]) : NULL;
  if (!b) return false;
  if (a == old || b == old) *f = (struct form){op, a == old ? b : a};
  // r + 0, r | 0
  if (f->op != SLUICE_ARRAY_OP_MAX && f->op != SLUICE_ARRAY_OP_MIN && node_is(f->operand, 0))
    *f = (struct form){SLUICE_ARRAY_OP_KEEP, NULL};
  return true;
}

// What the packet's words must be behind a row: *wanted; NULL: anything. False: not decided.
static bool wanted_behind(struct rows *x, unsigned row, struct node **wanted) {
  *wanted = NULL;
  for (unsigned j = row + 1; j < x->num; j++) {
    struct form f;
    if (!form_of(x, j, &f)) return false;
    if (!f.operand) continue;
    *wanted = f.operand;
    return true;
  }
  struct node *end = x->c->graph->words ? x->c->graph->words : x->words;
  for (unsigned j = row + 1; j < x->num; j++) {
    const int old = same(x, end, access_of(x, j)->old);
    const int now = old ? old : same(x, end, access_of(x, j)->new_value);
    if (now < 0) return false;
    if (now) return true;
  }
  *wanted = end;
  return true;
}

// The words before a row.
static struct node *words_before(struct rows *x, unsigned row) {
  struct node *now = x->words, *wanted;
  for (unsigned j = 0; j < row; j++) {
    if (!wanted_behind(x, j, &wanted)) return NULL;
    if (wanted) now = wanted;
  }
  return now;
}

enum outcome { DONE, ASKS, FAILS };

static enum outcome asks(const struct rows *x) { return x->why[0] ? FAILS : ASKS; }

static enum outcome refuse(struct rows *x, const char *why) {
  row_fail(x, "%s", why);
  return FAILS;
}

// What is done with a row where the conditions are as assumed: its operation, and which results
// leave the packet's words as they must be.
static enum outcome situation(struct rows *x, unsigned row, unsigned *op, unsigned *results) {
  struct form f;
  struct node *wanted, *before;
  x->ask = NO_ATOM;
  if (!form_of(x, row, &f)) return asks(x);
  before = words_before(x, row);
  if (!before || !wanted_behind(x, row, &wanted)) return asks(x);
  const int fits = f.operand ? same(x, f.operand, before) : 1;
  if (fits < 0) return asks(x);
  if (!fits)
    return refuse(x,
                  f.op == SLUICE_ARRAY_OP_SET
                      ? "it becomes what is neither the packet's array, nor one operation on the "
                        "row and the packet's array, nor 0"
                      : "it is changed by more than the packet's array as it comes to its stage");
  *op = f.op;
  x->uses |= f.operand != NULL;
  *results = RESULT_ALL;
  if (!wanted) return DONE;
  struct node *const is[3] = {before, access_of(x, row)->old, access_of(x, row)->new_value};
  static const unsigned bit[3] = {SLUICE_ARRAY_RESULT_PACKET, SLUICE_ARRAY_RESULT_OLD,
                                  SLUICE_ARRAY_RESULT_NEW};
  *results = 0;
  for (unsigned i = 0; i < 3; i++) {
    const int yes = same(x, wanted, is[i]);
    if (yes < 0) return asks(x);
    *results |= (unsigned)yes << bit[i];
  }
  if (!*results)
    return refuse(
        x, "the packet's array must become what is neither the row before nor the row afterwards");
  return x->why[0] ? FAILS : DONE;
}

static bool is_own(const struct rows *x, int atom) {
  const struct atom *t = &x->atom[atom];
  return ((t->a->states | (t->b ? t->b->states : 0)) & x->own) != 0;
}

// A condition on the packet that is still open, also behind one on the words beside the row.
static int packet_condition(struct rows *x, unsigned row, unsigned depth) {
  unsigned op, results;
  if (situation(x, row, &op, &results) != ASKS || x->ask == NO_ATOM) return NO_ATOM;
  const int atom = x->ask;
  if (!is_own(x, atom)) return atom;
  int found = NO_ATOM;
  for (int value = 1; value >= 0 && found == NO_ATOM && depth < ROW_DEPTH; value--) {
    x->atom[atom].value = value;
    found = packet_condition(x, row, depth + 1);
    x->atom[atom].value = -1;
  }
  return found;
}

static bool same_found(const struct found *a, const struct found *b) {
  return a->atom == b->atom && a->on_true == b->on_true && a->on_false == b->on_false &&
         a->results & b->results;
}

// The number of an operation that does it.
static struct node *number(struct rows *x, const struct found *f) {
  unsigned i = 0;
  while (i < x->num_found && !same_found(&x->found[i], f)) i++;
  if (i == MAX_ROW_OPERATIONS) {
    row_fail(x, "it has more than %d different operations", MAX_ROW_OPERATIONS);
    return NULL;
  }
  if (i == x->num_found) x->found[x->num_found++] = *f;
  x->found[i].results &= f->results;
  return node_const(&x->c->ir, (int32_t)i);
}

// The condition as the program has it, which an array of another stage may hand out.
static struct node *condition(struct rows *x, int atom) {
  struct node *n = x->atom[atom].node;
  return node_is_bool(n) ? n : node_make(&x->c->ir, OP_NE, n, node_const(&x->c->ir, 0), NULL);
}

// What is done where all conditions on the packet are assumed.
static struct node *leaf(struct rows *x, unsigned row) {
  struct found f = {.atom = NO_ATOM};
  enum outcome is = situation(x, row, &f.on_true, &f.results);
  f.on_false = f.on_true;
  if (is == ASKS && x->ask != NO_ATOM) {
    unsigned op[2] = {0, 0}, results[2] = {0, 0};
    f.atom = x->ask;
    for (int value = 0; value < 2; value++) {
      x->atom[f.atom].value = value;
      is = situation(x, row, &op[value], &results[value]);
      x->atom[f.atom].value = -1;
      if (is == ASKS)
        row_fail(x, "it depends on two conditions on the words at its index, and one can choose");
      if (is != DONE) return NULL;
    }
    f.on_true = op[1];
    f.on_false = op[0];
    f.results = results[0] & results[1];
    if (op[0] == op[1]) f.atom = NO_ATOM;
    if (!f.results) {
      row_fail(x, "what the packet's array becomes depends on the words at its index");
      return NULL;
    }
  }
  return is == DONE ? number(x, &f) : NULL;
}

// The number of the operation, as a value; NULL: there is none for some case.
static struct node *build(struct rows *x, unsigned row, unsigned depth) {
  const int atom = packet_condition(x, row, 0);
  if (x->why[0]) return NULL;
  if (atom == NO_ATOM) return leaf(x, row);
  if (depth == ROW_DEPTH) {
    row_fail(x, "it takes more than %d conditions on the packet", ROW_DEPTH);
    return NULL;
  }
  // The arm where it does not hold first: of two operations the number is the condition itself.
  struct node *arm[2];
  for (int holds = 0; holds < 2; holds++) {
    x->atom[atom].value = holds != x->atom[atom].opposite;
    arm[holds] = build(x, row, depth + 1);
    x->atom[atom].value = -1;
    if (!arm[holds]) return NULL;
  }
  return node_make(&x->c->ir, OP_SELECT, condition(x, atom), arm[1], arm[0]);
}

struct node *row_cases(struct rows *x, unsigned row) {
  x->num_atoms = x->num_found = 0;
  x->why[0] = 0;
  x->uses = false;
  return build(x, row, 0);
}
