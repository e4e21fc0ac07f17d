// SPDX-License-Identifier: Apache-2.0
// Values that are rows become operations on rows. A row array has one operation a packet:
//
//     sum[i] = SELECT(first, SELECT(count[i] == 0, words, sum[i] + words), sum[i])
//
//     first  count[i] == 0   the row becomes       entry of ARRAY_INSTR
//     1      1               words                 SELECT PRED, ON_TRUE SET, ON_FALSE ADD
//     1      0               sum[i] + words        (the same)
//     0      -               sum[i]                KEEP
//
// Conditions on the packet, and on state of other stages, choose among entries by a number that is
// the key of the stage. A condition on the words at the same index is a predicate of the state
// unit: one that it computes anyway, or one that is free. As in cases.c conditions are asked one by
// one, those on the packet first, until every row is known: so how the text nests its ifs is all
// the same.
//
// Several row arrays stand in several stages, and the packet's array passes them one after the
// other: what one leaves in it must be what the next one, or the packet in the end, wants. Every
// order of the row arrays is tried.
#include <stdarg.h>
#include <string.h>

#include "internal.h"

enum { ROW_ATOMS = 24, ROW_ARRAYS = 6, ROW_DEPTH = 12, NO_ATOM = -1, WHY_LEN = 200 };
enum {
  RESULT_ALL = 1u << SLUICE_ARRAY_RESULT_PACKET | 1u << SLUICE_ARRAY_RESULT_OLD |
               1u << SLUICE_ARRAY_RESULT_NEW
};

// A condition: a == b, a < b, or a truth value a (b NULL). `node` is it, or its opposite, as the
// program has it.
struct atom {
  enum op op;
  struct node *a, *b, *node;
  bool opposite;
  int value;  // as it is assumed; -1: not
};
// What is done in a case, before its condition has a predicate.
struct found {
  int atom;                             // a condition on the words beside the row, or NO_ATOM
  unsigned on_true, on_false, results;  // results: bits that would do
};
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
// What was found for one row array.
struct choice {
  int codelet;  // beside which, or -1: alone
  struct node *which;
  struct row_operation instr[MAX_ROW_OPERATIONS];
  unsigned num;
  bool uses, writes;
  struct mapping map;  // of the codelet, with its predicates
};

bool node_is_row(const struct compiler *c, const struct node *n) {
  // A row is made of rows, but for 0; of a choice the arms are.
  while (n->op >= OP_ADD) {
    if (n->op == OP_MAX || n->op == OP_MIN || n->op == OP_ADDS) return true;
    if (n->op == OP_SELECT) n = n->arg[n->arg[1]->op == OP_CONST ? 2 : 1];
    else if (n->op == OP_ADD || n->op == OP_OR)
      n = n->arg[0]->op == OP_CONST ? n->arg[1] : n->arg[0];
    else return false;
  }
  return n->op == OP_WORDS || (n->op == OP_OLD && c->program->state[n->index]->info.words);
}

bool row_stage(const struct compiler *c, int stage) {
  const int back = stage - c->code->front - 1;
  return back >= 0 && back < 32 && c->config->ArrayStages >> back & 1;
}

static bool fail(struct rows *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct rows *x, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!x->why[0]) vsnprintf(x->why, sizeof x->why, format, args);
  va_end(args);
  return false;
}

static const struct access *access_of(const struct rows *x, unsigned row) {
  return &x->c->graph->access[x->order[row]];
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
  return a && b ? node_make(x->c, n->op, a, b, NULL) : NULL;
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
      fail(x, "it takes more than %d conditions", ROW_ATOMS);
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
    n = node_make(x->c, n->op, a, b, NULL);
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
  fail(x, "%s", why);
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
    return refuse(x, "the packet's array must become what is neither the row before nor the row "
                     "afterwards");
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
    fail(x, "it has more than %d different operations", MAX_ROW_OPERATIONS);
    return NULL;
  }
  if (i == x->num_found) x->found[x->num_found++] = *f;
  x->found[i].results &= f->results;
  return node_const(x->c, (int32_t)i);
}

// The condition as the program has it, which an array of another stage may hand out.
static struct node *condition(struct rows *x, int atom) {
  struct node *n = x->atom[atom].node;
  return node_is_bool(n) ? n : node_make(x->c, OP_NE, n, node_const(x->c, 0), NULL);
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
        fail(x, "it depends on two conditions on the words at its index, and one can choose");
      if (is != DONE) return NULL;
    }
    f.on_true = op[1];
    f.on_false = op[0];
    f.results = results[0] & results[1];
    if (op[0] == op[1]) f.atom = NO_ATOM;
    if (!f.results) {
      fail(x, "what the packet's array becomes depends on the words at its index");
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
    fail(x, "it takes more than %d conditions on the packet", ROW_DEPTH);
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
  return node_make(x->c, OP_SELECT, condition(x, atom), arm[1], arm[0]);
}

// ---- predicates ---------------------------------------------------------------------------------

// A constant of the instruction; false: there is no place.
static bool constant(struct mapping *m, int32_t value, unsigned *y) {
  for (*y = 0; *y < m->num_konst; ++*y)
    if (!m->relocated[*y].param && m->konst[*y] == value) return true;
  if (m->num_konst == 4) return false;
  m->konst[m->num_konst++] = value;
  return true;
}

static bool operand(struct mapping *m, struct node *n, unsigned *which) {
  for (*which = 0; *which < 2; ++*which)
    if (m->operand[*which] == n) return true;
  for (*which = 0; *which < 2; ++*which)
    if (!m->operand[*which]) {
      m->operand[*which] = n;
      return true;
    }
  return false;
}

static bool old_word(const struct codelet *k, const struct node *n, unsigned *word) {
  for (*word = 0; *word < k->num_states; ++*word)
    if (n->op == OP_OLD && n->index == k->state[*word]) return true;
  return false;
}

static bool left_side(const struct codelet *k, uint32_t own, struct mapping *m,
                      const struct node *n, struct predicate *p) {
  unsigned word, which;
  if (old_word(k, n, &word)) {
    p->state = word + 1;
    return true;
  }
  if (n->op != OP_ADD && n->op != OP_SUB) return false;
  for (unsigned i = 0; i < (n->op == OP_ADD ? 2u : 1u); i++) {
    if (!old_word(k, n->arg[i], &word) || n->arg[!i]->states & own || n->arg[!i]->op == OP_CONST ||
        !operand(m, n->arg[!i], &which))
      continue;
    p->state = word + 1;
    p->packet = n->op == OP_ADD ? (which ? SLUICE_PRED_P_P2 : SLUICE_PRED_P_P1)
                                : (which ? SLUICE_PRED_P_NEG_P2 : SLUICE_PRED_P_NEG_P1);
    return true;
  }
  return false;
}

static bool right_side(const struct codelet *k, uint32_t own, struct mapping *m, struct node *n,
                       struct predicate *p) {
  unsigned word, which;
  if (n->op == OP_CONST) return constant(m, n->value, &p->y);
  if (old_word(k, n, &word)) {
    p->y = SLUICE_PRED_Y_S1 + word;
    return true;
  }
  if (n->states & own || !operand(m, n, &which)) return false;
  p->y = SLUICE_PRED_Y_P1 + which;
  return true;
}

static bool is_always(const struct mapping *m, unsigned i, unsigned rel) {
  return m->pred[i].rel == rel;
}

// A predicate of which nothing depends: its arms become the one that is taken now.
static bool free_predicate(struct mapping *m, unsigned *which) {
  static const struct update keep[2] = {{1, 0, SLUICE_ARM_ZERO, SLUICE_ARM_ZERO},
                                        {1, 0, SLUICE_ARM_ZERO, SLUICE_ARM_ZERO}};
  const bool first = is_always(m, 0, SLUICE_REL_TRUE), second = is_always(m, 0, SLUICE_REL_FALSE);
  if (is_always(m, 3, SLUICE_REL_FALSE)) {
    memcpy(m->arm[2], keep, sizeof keep);
    memcpy(m->arm[3], keep, sizeof keep);
  }
  const bool idle = first || is_always(m, 3, SLUICE_REL_FALSE);  // arms C, D do nothing
  for (*which = 3; *which > 0; --*which) {
    if (m->pred_node[*which]) continue;
    if (*which == 3 && idle) return true;
    if (*which == 2 && idle) return true;
    const unsigned a = *which == 1 ? 0 : 2;
    const bool yes = is_always(m, *which, SLUICE_REL_TRUE),
               no = is_always(m, *which, SLUICE_REL_FALSE);
    if (*which == 1 && second) return true;
    if (*which == 3 || (!yes && !no)) continue;
    memcpy(m->arm[a + yes], m->arm[a + no], sizeof keep);
    return true;
  }
  return false;
}

// The predicate of the state instruction that is the condition, or its opposite; 0: none is.
static unsigned predicate_of(struct rows *x, const struct codelet *k, struct mapping *m,
                             const struct atom *t, bool *inverted) {
  for (unsigned i = 0; i < 4; i++) {
    const struct node *n = m->pred_node[i];
    if (!n || !t->b || n->num_args != 2) continue;
    const bool turn = n->op == OP_LE;
    const enum op op = n->op == OP_NE ? OP_EQ : turn ? OP_LT : n->op;
    *inverted = n->op == OP_NE || turn;
    if (op == t->op && n->arg[turn ? 1 : 0] == t->a && n->arg[turn ? 0 : 1] == t->b) return i + 1;
  }
  struct predicate p = {.rel = t->op == OP_EQ ? SLUICE_REL_EQ : SLUICE_REL_LT};
  struct mapping was = *m;
  unsigned which;
  *inverted = false;
  bool good = t->b && x->c->config->StatePairs;
  if (good && !(left_side(k, x->own, m, t->a, &p) && right_side(k, x->own, m, t->b, &p))) {
    *m = was;
    p = (struct predicate){.rel = t->op == OP_EQ ? SLUICE_REL_EQ : SLUICE_REL_GT};
    good = left_side(k, x->own, m, t->b, &p) && right_side(k, x->own, m, t->a, &p);
  }
  if (!good) {
    fail(x, "a condition on the words at its index is no comparison that the state unit makes");
    return 0;
  }
  if (!free_predicate(m, &which)) {
    fail(x, "the update of '%s' leaves no comparison of the state unit free for its condition",
         codelet_name(x->c, k));
    return 0;
  }
  m->pred[which] = p;
  m->pred_node[which] = node_make(x->c, t->op, t->a, t->b, NULL);
  return which + 1;
}

// ---- one row array ------------------------------------------------------------------------------

static unsigned result_of(unsigned results) {
  if (results >> SLUICE_ARRAY_RESULT_PACKET & 1) return SLUICE_ARRAY_RESULT_PACKET;
  return results >> SLUICE_ARRAY_RESULT_NEW & 1 ? SLUICE_ARRAY_RESULT_NEW : SLUICE_ARRAY_RESULT_OLD;
}

static uint32_t states_of(const struct codelet *k) {
  uint32_t states = 0;
  for (unsigned w = 0; w < k->num_states; w++) states |= 1u << k->state[w];
  return states;
}

// Beside the codelet, or (-1) alone.
static bool choose_beside(struct rows *x, unsigned row, int codelet, struct choice *choice) {
  struct compiler *c = x->c;
  const struct codelet *k = codelet < 0 ? NULL : &c->codelet[codelet];
  bool selects = false;
  x->num_atoms = x->num_found = 0;
  x->own = 0;
  x->why[0] = 0;
  x->uses = false;
  if (k) x->own = states_of(k);
  *choice = (struct choice){.codelet = codelet};
  if (k) choice->map = *k->map;
  choice->which = build(x, row, 0);
  if (!choice->which) return fail(x, "its conditions do not end");
  choice->num = x->num_found;
  choice->uses = x->uses;
  for (unsigned i = 0; i < x->num_found; i++) {
    const struct found *f = &x->found[i];
    struct row_operation *o = &choice->instr[i];
    *o = (struct row_operation){
        .on_true = f->on_true, .on_false = f->on_false, .result = result_of(f->results)};
    choice->writes |= o->result != SLUICE_ARRAY_RESULT_PACKET;
    if (f->atom == NO_ATOM) continue;
    bool inverted;
    const unsigned p = predicate_of(x, k, &choice->map, &x->atom[f->atom], &inverted);
    if (!p) return false;
    selects = true;
    o->select = SLUICE_ARRAY_SELECT_PRED_1 + p - 1;
    if (!inverted) continue;
    o->on_true = f->on_false;
    o->on_false = f->on_true;
  }
  if (choice->which->op == OP_CONST) choice->which = NULL;
  return !k || selects || fail(x, "it needs no word beside it");
}

// What a choice makes its stage wait for.
static uint32_t states_before(const struct choice *choice) {
  uint32_t states = choice->which ? choice->which->states : 0;
  for (int i = 0; i < 2; i++)
    if (choice->map.operand[i]) states |= choice->map.operand[i]->states;
  return states;
}

// Whether a number that chooses would have to wait for the stage that it chooses in: it depends on
// the state there, over that of other stages, of which some wait for numbers that choose
// themselves.
static bool waits(const struct rows *x, unsigned row, const struct choice *choice, uint32_t own) {
  const struct compiler *c = x->c;
  uint32_t needs[MAX_STATES] = {0}, reach = states_before(&choice[row]), was;
  for (unsigned i = 0; i < c->num_codelets; i++) {
    const struct codelet *k = &c->codelet[i];
    uint32_t all = k->index ? k->index->states : 0;
    for (unsigned w = 0; w < k->num_states; w++)
      all |= c->graph->access[k->state[w]].new_value->states;
    for (unsigned r = 0; r < row; r++)
      if (choice[r].codelet == (int)i) all |= states_before(&choice[r]);
    for (unsigned w = 0; w < k->num_states; w++) needs[k->state[w]] = all & ~states_of(k);
  }
  do {
    was = reach;
    for (unsigned s = 0; s < MAX_STATES; s++)
      if (was >> s & 1) reach |= needs[s];
  } while (reach != was);
  return (reach & own) != 0;
}

// `choice`: of all rows, those before this one are made.
static bool choose(struct rows *x, unsigned row, struct choice *choice) {
  const struct compiler *c = x->c;
  const struct access *a = access_of(x, row);
  const struct state *state = c->program->state[x->order[row]];
  uint32_t needs = a->new_value->states | (c->graph->words ? c->graph->words->states : 0);
  for (unsigned i = 0; i < c->num_codelets; i++) {
    const struct codelet *k = &c->codelet[i];
    const uint32_t own = states_of(k);
    bool taken = false;
    for (unsigned r = 0; r < row; r++) taken |= choice[r].codelet == (int)i;
    if (taken || !(own & needs) || k->row || k->index != a->index || k->size != state->info.size ||
        (k->place != ANYWHERE && state->place != ANYWHERE && k->place != state->place))
      continue;
    if (choose_beside(x, row, (int)i, &choice[row]) && !waits(x, row, choice, own)) return true;
  }
  return choose_beside(x, row, -1, &choice[row]);
}

// ---- all of them --------------------------------------------------------------------------------

static bool next_order(unsigned *order, unsigned num) {
  unsigned i = num - 1;
  while (i > 0 && order[i - 1] > order[i]) i--;
  if (!i) return false;
  unsigned j = num - 1;
  while (order[j] < order[i - 1]) j--;
  for (unsigned t = order[j]; order[j] != order[i - 1];) {
    order[j] = order[i - 1];
    order[i - 1] = t;
  }
  for (j = num - 1; i < j; i++, j--) {
    const unsigned t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
  return true;
}

static void put(struct compiler *c, unsigned s, const struct choice *choice) {
  const struct access *a = &c->graph->access[s];
  struct state *state = c->program->state[s];
  struct node *guard = guard_known(c, a->guard);
  struct codelet *k;
  if (choice->codelet < 0) {
    k = &c->codelet[c->num_codelets++];
    *k = (struct codelet){.index = a->index,
                          .guard = guard,
                          .at = a->at,
                          .size = state->info.size,
                          .place = ANYWHERE,
                          .map = NEW(c->arena, struct mapping)};
    for (int i = 0; i < 4; i++) k->map->pred[i].rel = SLUICE_REL_FALSE;
  } else {
    k = &c->codelet[choice->codelet];
    k->map = NEW(c->arena, struct mapping);
    *k->map = choice->map;
    k->guard = k->guard && guard ? node_make(c, OP_LOR, k->guard, guard, NULL) : NULL;
  }
  k->row = s + 1;
  k->which = choice->which;
  k->num_instr = choice->num;
  memcpy(k->instr, choice->instr, sizeof k->instr);
  codelet_place(c, k, state);
}

// The chip must have what the text wants of it.
static void check_chip(struct compiler *c, unsigned s) {
  const struct state *state = c->program->state[s];
  const struct sluice_config *chip = c->config;
  char has[40];
  snprintf(has, sizeof has, chip->ArrayWords ? "rows of %u" : "none", chip->ArrayWords);
  if (state->info.words > chip->ArrayWords)
    diag_fatal(c, state->at, "row-words", "'%s' has rows of %u words, chip '%s' has %s%s",
               state->info.name, state->info.words, chip->name, has,
               SEE_CHIP(c, ArrayWords, state->info.words));
  if (state->place == ANYWHERE || state->place >= (int)chip->BackStages ||
      chip->ArrayStages >> state->place & 1)
    return;
  diag_fatal(c, state->stage_at, "row-stage", "back stage %d of chip '%s' has no rows",
             state->place, chip->name);
}

static unsigned bits_of(uint32_t x) { return (unsigned)__builtin_popcount(x); }

static void tell(struct rows *x, unsigned row, const char *why) {
  const unsigned s = x->order[row];
  diag_fatal(x->c, x->c->graph->access[s].at, "row-form",
             "what becomes of the row of '%s' is not one operation: %s",
             x->c->program->state[s]->info.name, why);
}

// Stages in the order in which the packet's array passes them, where it matters.
static void keep_order(struct compiler *c, const struct rows *x, const struct choice *choice,
                       const unsigned *codelet) {
  for (unsigned j = 0; j < x->num; j++)
    for (unsigned i = 0; i < j; i++)
      if ((choice[i].writes && (choice[j].uses || choice[j].writes)) ||
          (choice[i].uses && choice[j].writes))
        c->codelet[codelet[j]].before |= 1u << codelet[i];
}

void rows_map(struct compiler *c) {
  struct rows *x = NEW(c->arena, struct rows);
  struct choice choice[ROW_ARRAYS];
  unsigned place[ROW_ARRAYS], codelet[ROW_ARRAYS], state[ROW_ARRAYS];
  x->c = c;
  for (unsigned s = 0; s < c->program->num_states; s++) {
    if (!c->program->state[s]->info.words || !c->graph->access[s].used) continue;
    check_chip(c, s);
    if (x->num == bits_of(c->config->ArrayStages) || x->num == ROW_ARRAYS)
      diag_fatal(c, c->program->state[s]->at, "row-stages",
                 "'%s' is one row array too many: %u stage%s of chip '%s' have rows",
                 c->program->state[s]->info.name, bits_of(c->config->ArrayStages),
                 bits_of(c->config->ArrayStages) == 1 ? "" : "s", c->config->name);
    place[x->num] = x->num;
    state[x->num++] = s;
  }
  c->at = c->program->name_at;
  if (!x->num) {
    if (c->graph->words && c->graph->words->op != OP_WORDS)
      diag_fatal(c, c->graph->words_at, "row-form",
                 "the packet's array can become a row of state, and nothing else");
    return;
  }
  x->words = node_leaf(c, OP_WORDS, 0, 0, NULL, 0);
  char why[WHY_LEN] = "";
  unsigned why_row = 0;
  do {
    unsigned row = 0;
    for (unsigned i = 0; i < x->num; i++) x->order[i] = state[place[i]];
    while (row < x->num && choose(x, row, choice)) row++;
    if (row == x->num) break;
    if (!why[0]) {
      memcpy(why, x->why, sizeof why);
      why_row = place[row];
    }
  } while (next_order(place, x->num) || (x->order[0] = state[why_row], tell(x, 0, why), false));
  for (unsigned i = 0; i < x->num; i++) {
    codelet[i] = choice[i].codelet < 0 ? c->num_codelets : (unsigned)choice[i].codelet;
    put(c, x->order[i], &choice[i]);
  }
  keep_order(c, x, choice, codelet);
  check_places(c);
}
