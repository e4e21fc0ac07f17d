// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "internal.h"

// What set.c, sum.c, subject.c, cases.c, operand.c, fit.c and map.c share: how a codelet becomes a
// state instruction. docs/compiler.md explains it with an example; map.c has the outline.

// ---- set.c: sets of 32-bit numbers --------------------------------------------------------------

/// Ranges in ascending order that do not touch. A number stands for itself with its sign bit
/// turned, so that signed order is the order of the ranges: KEY(INT32_MIN) is 0.
enum { MAX_PARTS = 128 };
#define KEY(VALUE) ((uint32_t)(VALUE) ^ 0x80000000u)
struct set {
  unsigned num;
  struct part {
    uint32_t low, high;
  } part[MAX_PARTS];  // those of a set in the arena: `num`
};
/// All from `low` up to `high`, over the end of the numbers if low > high.
const struct set *set_range(struct arena *arena, uint32_t low, uint32_t high);
/// NULL: more than MAX_PARTS.
const struct set *set_and(struct arena *arena, const struct set *a, const struct set *b);
const struct set *set_not(struct arena *arena, const struct set *a);
bool set_meets(const struct set *a, const struct set *b);  // they share a number
bool set_within(const struct set *a, const struct set *b);
bool set_equal(const struct set *a, const struct set *b);

// ---- sum.c: sums of values ----------------------------------------------------------------------

/// konst + state words + atoms, all modulo 2^32. An atom is a value from outside the codelet that
/// is not itself a sum. Terms stand in the order of their atoms, so equal sums are alike.
enum { MAX_TERMS = 8 };
struct sum {
  uint32_t konst;
  uint32_t state[2];  // coefficients of the two state words
  unsigned num;
  struct {
    struct node *atom;
    uint32_t times;
  } term[MAX_TERMS];
};
bool sum_equal(const struct sum *a, const struct sum *b);
bool sum_is_const(const struct sum *a);
bool sum_is_packet(const struct sum *a);  // no state words
/// Which state word it is, and nothing beside it: 0, 1; -1: another sum.
int sum_is_state(const struct sum *a);
int sum_is_state(const struct sum *a);  // 0, 1: it is that state word alone; -1: it is not
/// a += times * b; false: too many terms, and `a` is as it was.
bool sum_add(struct sum *a, const struct sum *b, uint32_t times);
struct sum sum_times(const struct sum *a, uint32_t times);
struct sum sum_of_state(unsigned word);
struct sum sum_of_const(uint32_t konst);
struct sum sum_of_atom(struct node *atom);

// ---- subject.c: conditions in one form ----------------------------------------------------------

/// What conditions are about. A value: the sum x (no konst, its first coefficient positive), which
/// is asked whether it is in a set. An order: which of the sums x and y is less; the sets are of
/// LESS, SAME and MORE. `p.a == 1`, `p.a != 1` and `p.a > 7` are all about p.a; `a < b`, `b > a`
/// and
/// `!(a >= b)` about the order of a and b, for which a - b < 0 would be wrong at the edges.
enum { MAX_SUBJECTS = 40 };
enum { LESS, SAME, MORE };
struct subject {
  bool order;
  bool own;  // it depends on the state of the codelet
  struct sum x, y;
  const struct set *domain;
  unsigned twin;           // of an order: the value x - y, if there is one; else NONE
  const struct set *edge;  // the order is SAME where the twin is this
};
enum { NONE = MAX_SUBJECTS };
/// The condition that `subject` is in `set`. fixed: 0, 1: it always has this truth value; -1: it
/// has not; -2: there is no such subject, and there was no room, or no wish, for a new one.
struct cond {
  int fixed;
  unsigned subject;
  const struct set *set;
};
struct mapper;
struct cond cond_of(struct mapper *m, enum op op, const struct sum *left, const struct sum *right,
                    bool create);
/// 0 or 1 if what is known decides it; else -1.
int cond_decide(const struct mapper *m, const struct set *const *known, const struct cond *cond);
/// What is known of the subject, also from its twin.
const struct set *subject_known(const struct mapper *m, const struct set *const *known,
                                unsigned subject);

// ---- cases.c: what the update does in which case ------------------------------------------------

/// What the words become where the own subjects are in `on`.
enum { MAX_CASES = 64, MAX_LEAVES = 32, MAX_FLAGS = 16 };
struct leaf {
  const struct set *on[MAX_SUBJECTS];  // of own subjects; NULL: anything
  struct sum word[2];
  bool told[2];  // the old word is but one number, `old`
  uint32_t old[2];
};
/// What the codelet does to the packets whose other subjects are in `known`.
struct situation {
  const struct set *known[MAX_SUBJECTS];
  struct leaf *leaf;
  unsigned num_leaves;
  unsigned group;               // situations that do the same are of one group
  signed char flag[MAX_FLAGS];  // mapper.flag: 0, 1, or -1: not told
};
struct value;
struct mapper {
  struct ir_context *ir;
  struct codelet *k;
  uint32_t own;  // its states, as in node.states
  bool whole;    // choices that do not depend on the state are computed in earlier stages
  bool parted;   // x - 1 < y is x <= y and x != INT32_MIN; x < y + 1 likewise
  bool differs;  // of the last cases_find(): it would find others if `whole` were turned
  bool parts;    // the same of `parted`
  struct subject subject[MAX_SUBJECTS];
  unsigned num_subjects;
  const struct set *same;  // of an order
  struct node **cone;      // the values that make up the new words, operands before their readers
  unsigned num_cone, *place;     // place of a node in the cone + 1, by id
  struct value *value;           // by place in the cone
  struct sum *plain;             // the same where nothing is known,
  bool *is_plain;                // of those that are a sum then
  unsigned num_placed;           // nodes with higher ids were made by the mapper
  struct node *flag[MAX_FLAGS];  // truth values of the text that do not depend on the state
  unsigned num_flags;
  struct situation *list;
  unsigned num, num_groups;
  uint16_t *arrival;  // by node, of those that depend on other arrays
  bool split;         // a situation must be split by this
  struct cond by;
  char why[300];  // why it does not fit, and where
  const struct token *why_at;
};
/// Fills m->list; false and m->why.
bool cases_find(struct mapper *m);
/// The sum of a value where nothing is known; false: it has none.
bool plain_sum(const struct mapper *m, struct node *n, struct sum *sum);
/// The sum where this is known: atoms that are but one number are that number.
struct sum sum_known(const struct mapper *m, const struct set *const *known, const struct sum *sum);

// ---- operand.c: packet operands -----------------------------------------------------------------

/// A value that computes a sum without state words; NULL: it would need a product.
struct node *sum_node(struct mapper *m, const struct sum *sum);
/// A value that is value[i] in situation i; where `care` is false any does. NULL: there is none.
struct node *choice_node(struct mapper *m, const struct sum *value, const bool *care);
/// What it costs to have the value ready: levels of operations.
unsigned node_cost(struct mapper *m, const struct node *n);

// ---- fit.c: the search for the instruction ------------------------------------------------------

/// What an atom can do: the state unit's own, or one of Banzai's.
struct ability {
  const char *name;
  // comparisons it makes: 0, 1, 3 (two levels), 4 (the fourth leaves the word alone)
  unsigned compares;
  unsigned operands;  // packet operands
  bool otherwise;     // an arm where the condition does not hold
  bool two_terms;     // an arm adds or subtracts two terms, else one
  bool sums;          // a comparison adds packet operands to the state word
  bool old;           // an arm can add to the old value
  bool choices;       // operands are chosen in earlier stages, by conditions of the update
  unsigned words, constants;
};
enum { MAX_CONSTANTS = 16, NUM_KONST = 4, MAX_CANDIDATES = 48 };
/// A packet operand to try: in each situation a sum.
struct candidate {
  struct node *node;
  struct sum sum;                                   // where nothing is known
  struct sum value[MAX_CASES], reduced[MAX_CASES];  // reduced: sum_known
  unsigned cost;
};
/// One search: an instruction that does what the codelet does in all situations.
struct search;
struct search *search_new(struct mapper *m, const struct ability *ability);
/// With these operands (NULL: none); where `open`, what they are is for the search to find.
/// Operand i of a solution is value[i], where bound[i].
bool search_run(struct search *s, const struct candidate *const operand[2], const bool open[2]);
struct solution {
  struct mapping map;  // without operands
  struct sum value[2][MAX_CASES];
  bool bound[2][MAX_CASES];
  unsigned num_compares;
  bool out_of_steps;  // the last run was given up
};
/// Gives the runs from here on a share of steps of their own: all together, and each (patient: ten
/// times as many, for what was given up; brief: a quarter all together, where only a better one is
/// looked for).
enum effort { USUAL, PATIENT, BRIEF };
void search_more(struct search *s, enum effort effort);
/// From here on open operands may also be numbers that settle a comparison, or tell a packet.
void search_special(struct search *s);
const struct solution *search_solution(const struct search *s);

// ---- seed.c: which operands to try --------------------------------------------------------------

/// The cheapest instruction that does it; NULL: there is none, or *out_of_steps.
struct mapping *fit(struct mapper *m, const struct ability *ability, unsigned *cost,
                    bool *out_of_steps);

// ---- explain.c: messages ------------------------------------------------------------------------

/// Why the cases of m do not fit what a state unit can do, in m->why.
void explain(struct mapper *m, const struct ability *can, bool out_of_steps);
/// The same for one that would do but for an operand, which comes too late.
void explain_late(struct mapper *m, const struct node *operand);
/// Notes with the decision tree that the mapper saw.
void explain_cases(struct mapper *m);
