// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mapper.h"

// The search for an instruction, from inside: what its files share. (From outside: mapper.h.)

enum { MAX_CUTS = 3, MAX_TESTS = 160, MAX_EDGES = 24 };

// What is left to do in one situation on the way to here.
struct duty {
  unsigned situation, num_cuts;
  const struct leaf *leaf;  // stands for all that can happen; NULL: what happens differs
  struct facts {
    bool told[2];  // an old word is but one number, `old`, whatever happens
    uint32_t old[2];
  } facts;
  bool idle;       // nothing can happen
  bool unchanged;  // the words stay as they are
  struct {
    unsigned subject;
    const struct set *set;
  } cut[MAX_CUTS];
};
struct duties {
  unsigned num;
  struct duty list[MAX_CASES];
};
// A comparison: what it tells in each situation, if all of its operands are known.
struct test {
  struct predicate form;  // y: K0 stands for the constant below
  uint32_t konst;
  bool open;    // not all are
  bool always;  // an open operand may also be a number with which it holds for none, or for all
  struct outcome {
    int fixed;  // 0, 1; -1: the condition; -2: nothing that matters
    unsigned subject;
    const struct set *set, *inverse;
  } on[MAX_CASES];
};
struct search {
  struct mapper *m;
  const struct ability *can;
  bool present[2], open[2];
  // Open operands may be numbers that settle a test: with INT32_MIN x < P holds for none. `code` is
  // such a number that no other value of an operand is: P == code asks the packet alone.
  bool special;
  uint32_t code;
  // By operand and group: it is not `code` (or is another number).
  bool barred[2][MAX_CASES];
  unsigned compares;       // as in ability, or less
  unsigned most_compares;  // how many of them
  struct solution found;
  struct sum reduced[2][MAX_CASES];  // the operands where what is known of the situation is put in
  uint32_t konst[MAX_CONSTANTS];     // of the predicates
  struct need {                      // of an arm
    uint32_t value;
    struct update *update;
    bool free_a, free_b;  // no packet operand stands there
  } need[8];
  unsigned num_need;
  uint32_t settled[MAX_CONSTANTS];  // all together
  unsigned num_settled;
  unsigned num_konst, steps, max_steps, all_steps, most_steps, num_tests;
  uint64_t most_work;  // of the compilation, at the end of the share of steps
  struct test test[MAX_TESTS];
  struct duties all, yes, no, arm[4], second, left;  // second: on to predicate 3; left: left alone
  unsigned trail[2 * MAX_CASES], num_trail;  // operands bound so far: 2 * situation + operand
};

// ---- duty.c: what is left to do -----------------------------------------------------------------

/// Whether the leaf can happen under the cuts of the duty.
bool duty_meets(const struct search *s, const struct leaf *leaf, const struct duty *d);
/// Fills in what can happen: leaf, facts, idle, unchanged.
void duty_look(const struct search *s, struct duty *d);
bool duties_settled(const struct duties *d);    // each knows what to do
bool duties_unchanged(const struct duties *d);  // none changes a word
/// The sum where old words are but one number each.
struct sum facts_apply(const struct facts *facts, const struct sum *sum);

bool operand_bound(const struct search *s, unsigned operand, unsigned situation);
/// Gives it a value, in all situations that do the same.
void operand_bind(struct search *s, unsigned operand, unsigned situation, const struct sum *value);
/// Where an operand must not be s->code, it is not.
bool operands_barred(const struct search *s);
/// Back to when num_trail was `mark`.
void operands_unbind(struct search *s, unsigned mark);

// ---- constant.c ---------------------------------------------------------------------------------

/// A constant of a predicate, and its number; false: there are too many.
bool constant_for_predicate(struct search *s, uint32_t value, unsigned *index);
/// A constant that an arm adds, where its a or b is ZERO.
bool constant_for_arm(struct search *s, uint32_t value, struct update *update);
/// All of them, into s->settled and the arms; false: there are too many.
bool constants_settle(struct search *s);

// ---- compare.c ----------------------------------------------------------------------------------

/// What a test tells in a situation; false: an operand of it has no value yet.
bool test_outcome(const struct search *s, const struct test *t, unsigned situation,
                  struct outcome *out);
/// Those that ask the packet by `code`, and those of a state word with an open operand; then all
/// comparisons of known operands that tell something; then those with open operands, as they are.
void tests_make_special(struct search *s);
void tests_make(struct search *s);
void tests_make_open(struct search *s);
/// Gives the open operand of the test the value with which it tells what the duty needs; false:
/// none does.
bool test_give_value(struct search *s, const struct test *t, const struct duty *d,
                     struct outcome *out);
/// Gives it the number with which the test holds for none, or, where it asks for s->code, for all.
bool test_settle(struct search *s, const struct test *t, unsigned situation, struct outcome *out);
/// The operand of P == code; -1: the test is another one.
int test_asks_code(const struct search *s, const struct test *t);
