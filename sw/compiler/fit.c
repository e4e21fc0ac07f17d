// SPDX-License-Identifier: Apache-2.0
// The search for an instruction: predicates first, each from the list of all comparisons that could
// tell cases apart, then the arms. What has to be done in which case is a list of duties, which
// every predicate deals out to its two sides. An operand may be left open: then a comparison or an
// arm that needs a value there gives it that value, in the situation at hand. Pruned early: with
// the last test of a way, both of its sides must know what to do.
#include <string.h>

#include "search.h"

enum { MAX_STEPS = 6000, MOST_STEPS = 120000, PATIENCE = 10, NUM_FORMS = 10 };
// Of arena.work, for a share of steps; and for one when the compilation has had enough of them.
enum { MOST_WORK = 6000000, LITTLE_WORK = 50000, LITTLE = 16 };
enum {
  FEW_COMPARES = 2,
  CODE = 0x10007
};  // no field of 2 bytes is that, and few numbers of programs

// ---- dealing out --------------------------------------------------------------------------------

static void put(const struct search *s, struct duties *to, const struct duty *d, unsigned subject,
                const struct set *set) {
  struct duty *made = &to->list[to->num];
  *made = *d;
  if (!set) {
    to->num++;
    return;
  }
  made->cut[made->num_cuts].subject = subject;
  made->cut[made->num_cuts++].set = set;
  duty_look(s, made);
  if (!made->idle) to->num++;
}

// Deals the duties to those for which the test holds and those for which it does not; false: it
// tells nothing, or an open operand finds no value. With the last test on a way both sides must
// know what to do: then it is also false, as soon as one is seen that does not. In the groups of
// `settled` an open operand settles it.
static bool deal(struct search *s, const struct test *t, const struct duties *from,
                 struct duties *yes, struct duties *no, bool last, uint64_t settled) {
  bool told = false;
  yes->num = no->num = 0;
  for (unsigned i = 0; i < from->num; i++) {
    const struct duty *d = &from->list[i];
    struct outcome open;
    const struct outcome *o = t->open ? &open : &t->on[d->situation];
    if (t->open && !test_outcome(s, t, d->situation, &open)) {
      const unsigned group = s->m->list[d->situation].group;
      const int asked = test_asks_code(s, t);
      if (settled >> group & 1) {
        if (!test_settle(s, t, d->situation, &open)) return false;
      } else if (asked >= 0) {
        s->barred[asked][group] = true;
        open.fixed = 0;
      } else if (!d->leaf && !test_give_value(s, t, d, &open)) {
        return false;
      }
    }
    if (o->fixed >= 0) {
      put(s, o->fixed ? yes : no, d, 0, NULL);
    } else if (o->fixed == -2 || d->num_cuts == MAX_CUTS) {
      put(s, yes, d, 0, NULL);
      put(s, no, d, 0, NULL);
    } else {
      put(s, yes, d, o->subject, o->set);
      put(s, no, d, o->subject, o->inverse);
      told = true;
    }
    if (last &&
        ((yes->num && !yes->list[yes->num - 1].leaf) || (no->num && !no->list[no->num - 1].leaf)))
      return false;
  }
  return operands_barred(s) && (told || (yes->num < from->num && no->num < from->num));
}

// The groups in which an open operand may settle the test: a list of sets of them, the empty one
// first; where they are many, of the sets of one and of all but one.
enum { MOST_SETTLED = 4 };
static unsigned settled_sets(const struct search *s, const struct test *t,
                             const struct duties *from, uint64_t set[2 * MAX_CASES + 1]) {
  uint64_t all = 0;
  unsigned group[MAX_CASES], num = 0, sets = 1;
  set[0] = 0;
  for (unsigned i = 0; t->always && i < from->num; i++) {
    struct outcome unused;
    const unsigned g = s->m->list[from->list[i].situation].group;
    if (all >> g & 1 || test_outcome(s, t, from->list[i].situation, &unused)) continue;
    all |= UINT64_C(1) << g;
    group[num++] = g;
  }
  for (unsigned i = 1; num <= MOST_SETTLED && i < 1u << num; i++) {
    set[sets] = 0;
    for (unsigned j = 0; j < num; j++)
      if (i >> j & 1) set[sets] |= UINT64_C(1) << group[j];
    sets++;
  }
  for (unsigned i = 0; num > MOST_SETTLED && i < num; i++) {
    set[sets++] = UINT64_C(1) << group[i];
    set[sets++] = all & ~(UINT64_C(1) << group[i]);
  }
  return sets;
}

// ---- arms ---------------------------------------------------------------------------------------

// A, B, subtract; P1 and P2 by their ARM numbers, ZERO where the constant may stand.
static const unsigned forms[NUM_FORMS][3] = {
    {SLUICE_ARM_ZERO, SLUICE_ARM_ZERO, 0}, {SLUICE_ARM_P1, SLUICE_ARM_ZERO, 0},
    {SLUICE_ARM_P2, SLUICE_ARM_ZERO, 0},   {SLUICE_ARM_ZERO, SLUICE_ARM_P1, 1},
    {SLUICE_ARM_ZERO, SLUICE_ARM_P2, 1},   {SLUICE_ARM_P1, SLUICE_ARM_P2, 0},
    {SLUICE_ARM_P1, SLUICE_ARM_P2, 1},     {SLUICE_ARM_P2, SLUICE_ARM_P1, 1},
    {SLUICE_ARM_P1, SLUICE_ARM_P1, 0},     {SLUICE_ARM_P2, SLUICE_ARM_P2, 0}};

// wanted - (keep ? word : 0) - the operands of the form that are bound. *open: an operand that is
// not, and how often; -1: none, -2: two.
static bool rest_of(const struct search *s, const struct duty *d, const unsigned *form,
                    unsigned keep, unsigned w, struct sum *rest, int *open, uint32_t *times) {
  const struct leaf *leaf = d->leaf;
  *open = -1;
  *times = 0;
  *rest = leaf->word[w];
  rest->state[w] -= keep;
  if (!sum_is_packet(rest)) *rest = facts_apply(&d->facts, rest);
  if (!sum_is_packet(rest)) return false;
  for (int j = 0; j < 2; j++) {
    if (form[j] == SLUICE_ARM_ZERO) continue;
    unsigned operand = form[j] - SLUICE_ARM_P1;
    uint32_t sign = j && form[2] ? UINT32_MAX : 1;
    if (operand_bound(s, operand, d->situation)) {
      if (!sum_add(rest, &s->reduced[operand][d->situation], 0u - sign)) return false;
    } else if (*open >= 0) {
      *open = -2;
    } else if (*open == -1) {
      *open = (int)operand;
      *times = sign;
    }
  }
  return true;
}

// The arm's word with this form for all duties; false: it does not do.
static bool arm_with(struct search *s, const struct duties *duties, unsigned w,
                     const unsigned *form, unsigned keep, bool give, struct update *out) {
  bool fixed = false, given = false;
  uint32_t value = 0;
  *out = (struct update){keep, form[2], form[0], form[1]};
  for (int turn = 0; turn < 2; turn++)  // first what says which constant, then what is free
    for (unsigned i = 0; i < duties->num; i++) {
      const struct duty *d = &duties->list[i];
      struct sum rest;
      int open;
      uint32_t times;
      if (!rest_of(s, d, form, keep, w, &rest, &open, &times) || open == -2) return false;
      if (open >= 0 && turn == 0) continue;
      if (open >= 0) {
        rest.konst -= value;
        if (!give) return false;
        struct sum made = sum_times(&rest, times);
        operand_bind(s, (unsigned)open, d->situation, &made);
        given = true;
        continue;
      }
      // In the second turn also where another situation of the group has given the operand.
      if (!sum_is_const(&rest) || ((fixed || turn == 1) && rest.konst != value)) return false;
      fixed = true;
      value = rest.konst;
    }
  if (give && !given) return false;  // has been tried without
  if (!fixed || value == 0) return true;
  if (!s->can->two_terms && form[0] != SLUICE_ARM_ZERO) return false;
  if (out->a != SLUICE_ARM_ZERO && out->b != SLUICE_ARM_ZERO) return false;
  return constant_for_arm(s, value, out);
}

static bool predicates(struct search *s, unsigned step);
static bool arms(struct search *s, unsigned step);

// Steps 0 to 3 are the words of arms A and B, 5 to 8 those of C and D.
static bool arm(struct search *s, unsigned step) {
  unsigned which = (step - (step > 4)) / 2, w = (step - (step > 4)) & 1;
  struct duties *duties = &s->arm[which];
  struct update *out = &s->found.map.arm[which][w];
  *out = (struct update){1, 0, SLUICE_ARM_ZERO, SLUICE_ARM_ZERO};
  if (w >= s->m->k->num_states || duties_unchanged(duties)) return arms(s, step + 1);
  for (int give = 0; give < (s->open[0] || s->open[1] ? 2 : 1); give++)
    for (unsigned f = 0; f < NUM_FORMS; f++) {
      bool there = s->can->two_terms || f < 3;
      for (int j = 0; j < 2; j++)
        there &= forms[f][j] == SLUICE_ARM_ZERO || s->present[forms[f][j] - SLUICE_ARM_P1];
      for (unsigned keep = 0; there && keep < (s->can->old ? 2u : 1u); keep++) {
        unsigned mark = s->num_trail, konsts = s->num_konst, needs = s->num_need;
        if (++s->steps > s->max_steps) return false;
        const bool good = arm_with(s, duties, w, forms[f], keep, give, out) && operands_barred(s);
        if (good && arms(s, step + 1)) return true;
        // What took nothing is as good as any.
        const bool free = good && s->num_trail == mark && s->num_need == needs;
        operands_unbind(s, mark);
        s->num_konst = konsts;
        s->num_need = needs;
        if (free) return false;
      }
    }
  return false;
}

// What must not be `code`, and may be anything else.
static void bind_barred(struct search *s) {
  const struct sum zero = {0};
  for (unsigned operand = 0; s->special && operand < 2; operand++)
    for (unsigned i = 0; i < s->m->num; i++)
      if (s->barred[operand][s->m->list[i].group] && !s->found.bound[operand][i])
        operand_bind(s, operand, i, &zero);
}

static bool arms(struct search *s, unsigned step) {
  if (step == 4) return predicates(s, 2);
  if (step < 9) return arm(s, step);
  bind_barred(s);
  return true;
}

// ---- predicates ---------------------------------------------------------------------------------

static void fix(struct search *s, unsigned which, bool holds) {
  s->found.map.pred[which] = (struct predicate){.rel = holds ? SLUICE_REL_TRUE : SLUICE_REL_FALSE};
}

// Every test as predicate `which`, either way round if that makes a difference.
static bool try_tests(struct search *s, unsigned which, const struct duties *from,
                      struct duties *yes, struct duties *no, bool turns, unsigned next) {
  static const unsigned opposite[8] = {SLUICE_REL_NE,    SLUICE_REL_EQ,  SLUICE_REL_GE,
                                       SLUICE_REL_GT,    SLUICE_REL_LE,  SLUICE_REL_LT,
                                       SLUICE_REL_FALSE, SLUICE_REL_TRUE};
  for (unsigned i = 0; i < s->num_tests; i++) {
    uint64_t set[2 * MAX_CASES + 1];
    const struct test *t = &s->test[i];
    const unsigned sets = settled_sets(s, t, from, set);
    for (unsigned settled = 0; settled < sets; settled++)
      for (int turn = 0; turn < (turns ? 2 : 1); turn++) {
        struct predicate *p = &s->found.map.pred[which];
        unsigned mark = s->num_trail, konsts = s->num_konst;
        const struct arena_mark memory = arena_mark(s->m->ir->arena);
        bool barred[2][MAX_CASES];
        memcpy(barred, s->barred, sizeof barred);
        if (s->found.num_compares == s->most_compares) return false;
        if (++s->steps > s->max_steps) return false;
        *p = t->form;
        if (turn) p->rel = opposite[p->rel];
        s->found.num_compares++;
        bool good = p->y >= SLUICE_PRED_Y_P1 || constant_for_predicate(s, t->konst, &p->y);
        good = good && deal(s, t, from, turn ? no : yes, turn ? yes : no, next >= 4, set[settled]);
        if (good && predicates(s, next)) return true;
        s->found.num_compares--;
        operands_unbind(s, mark);
        memcpy(s->barred, barred, sizeof barred);
        arena_back(s->m->ir->arena, memory);
        s->num_konst = konsts;
      }
  }
  return false;
}

// Steps: 0 predicate 1, 1 predicate 2 and then arms A and B, 2 predicate 4, 3 predicate 3 and then
// arms C and D. Each tries first to do without.
static bool predicates(struct search *s, unsigned step) {
  unsigned compares = s->compares;
  if (step == 0) {
    fix(s, 0, false);
    s->yes.num = 0;
    s->no = s->all;
    if (duties_unchanged(&s->all) && predicates(s, 1)) return true;
    fix(s, 0, true);
    s->yes = s->all;
    s->no.num = 0;
    if (duties_settled(&s->all) && predicates(s, 1)) return true;
    return compares && try_tests(s, 0, &s->all, &s->yes, &s->no, true, 1);
  }
  if (step == 1) {
    s->arm[0] = s->yes;
    s->arm[1].num = 0;
    fix(s, 1, s->found.map.pred[0].rel != SLUICE_REL_FALSE);
    if (duties_settled(&s->yes) && arms(s, 0)) return true;
    return compares > 1 && try_tests(s, 1, &s->yes, &s->arm[0], &s->arm[1], false, 4);
  }
  if (step == 2) {
    s->arm[2].num = s->arm[3].num = 0;
    fix(s, 2, false);
    fix(s, 3, false);
    if (duties_unchanged(&s->no)) return arms(s, 5);
    if (!s->can->otherwise) return false;
    fix(s, 3, true);
    s->second = s->no;
    s->left.num = 0;
    if (predicates(s, 3)) return true;
    return compares > 3 && try_tests(s, 3, &s->no, &s->second, &s->left, true, 3);
  }
  if (step == 3) {
    if (!duties_unchanged(&s->left)) return false;
    s->arm[2] = s->second;
    s->arm[3].num = 0;
    fix(s, 2, true);
    if (duties_settled(&s->second) && arms(s, 5)) return true;
    return compares > 2 && try_tests(s, 2, &s->second, &s->arm[2], &s->arm[3], false, 5);
  }
  return duties_settled(&s->arm[2 * (step - 4)]) && duties_settled(&s->arm[2 * (step - 4) + 1]) &&
         arms(s, step == 4 ? 0 : 5);
}

// ---- all ----------------------------------------------------------------------------------------

struct search *search_new(struct mapper *m, const struct ability *ability) {
  struct search *s = NEW(m->ir->arena, struct search);
  s->m = m;
  s->can = ability;
  search_more(s, USUAL);
  return s;
}

// Whether these operands could make the words of every leaf, each for itself.
static bool arms_possible(struct search *s) {
  for (unsigned i = 0; i < s->m->num; i++)
    for (unsigned l = 0; l < s->m->list[i].num_leaves; l++)
      for (unsigned w = 0; w < s->m->k->num_states; w++) {
        const struct leaf *leaf = &s->m->list[i].leaf[l];
        bool good = false;
        for (unsigned f = 0; f < NUM_FORMS && !good; f++) {
          bool there = true;
          for (int j = 0; j < 2; j++)
            there &= forms[f][j] == SLUICE_ARM_ZERO || s->present[forms[f][j] - SLUICE_ARM_P1];
          if (!there) continue;
          struct sum rest = leaf->word[w];
          for (int j = 0; j < 2; j++)
            if (forms[f][j] != SLUICE_ARM_ZERO)
              there &= sum_add(&rest, &s->reduced[forms[f][j] - SLUICE_ARM_P1][i],
                               j && forms[f][2] ? 1 : UINT32_MAX);
          rest.state[w] = rest.state[w] == 1 ? 0 : rest.state[w];
          good = there && sum_is_const(&rest);
        }
        if (!good) return false;
      }
  return true;
}

bool search_run(struct search *s, const struct candidate *const operand[2], const bool open[2]) {
  s->found.out_of_steps = false;
  if (s->all_steps > s->most_steps || s->m->ir->arena->work > s->most_work) {
    s->found.out_of_steps = true;
    return false;
  }
  memset(&s->found.map, 0, sizeof s->found.map);
  memset(s->barred, 0, sizeof s->barred);
  s->num_konst = s->num_need = s->steps = s->num_trail = s->found.num_compares = 0;
  for (unsigned p = 0; p < 2; p++) {
    s->present[p] = operand[p] || open[p];
    s->open[p] = open[p];
    for (unsigned i = 0; i < s->m->num; i++) {
      s->found.bound[p][i] = operand[p] != NULL;
      if (!operand[p]) continue;
      s->found.value[p][i] = operand[p]->value[i];
      s->reduced[p][i] = operand[p]->reduced[i];
    }
  }
  if (!open[0] && !open[1] && !arms_possible(s)) return false;
  const struct arena_mark memory = arena_mark(s->m->ir->arena);  // a solution has no sets
  s->all.num = s->m->num;
  for (unsigned i = 0; i < s->m->num; i++) {
    s->all.list[i] = (struct duty){.situation = i};
    duty_look(s, &s->all.list[i]);
  }
  s->num_tests = 0;
  if (s->special) tests_make_special(s);
  tests_make(s);
  tests_make_open(s);
  bool found = false;
  // What one comparison can do is done so on every chip.
  for (unsigned turn = s->special; turn < 2 && !found; turn++) {
    s->compares = turn || !s->can->compares ? s->can->compares : 1;
    if (turn && s->can->compares <= 1) break;
    // Of those that take special numbers few are as many as can be tried.
    s->most_compares = s->special ? FEW_COMPARES : s->compares;
    found = predicates(s, 0);
  }
  arena_back(s->m->ir->arena, memory);
  s->all_steps += s->steps;
  s->m->ir->arena->work += s->steps;
  s->found.out_of_steps = !found && s->steps > s->max_steps;
  if (found && !constants_settle(s)) SLUICE_BUG("constants that were settled are not");
  for (unsigned i = 0; found && i < NUM_KONST && i < s->num_settled; i++)
    s->found.map.konst[i] = (int32_t)s->settled[i];
  s->found.map.num_konst = s->num_settled;
  return found;
}

void search_more(struct search *s, enum effort effort) {
  s->all_steps = 0;
  s->max_steps = MAX_STEPS * (effort == PATIENT ? PATIENCE : 1);
  s->most_steps = effort == BRIEF ? MOST_STEPS / 4 : MOST_STEPS;
  s->most_work = s->m->ir->arena->work + MOST_WORK;
  if (s->m->ir->arena->work > ENOUGH_WORK) {
    s->most_steps /= LITTLE;
    s->most_work = s->m->ir->arena->work + LITTLE_WORK;
  }
}

void search_special(struct search *s) {
  s->special = true;
  s->code = CODE;
}

const struct solution *search_solution(const struct search *s) { return &s->found; }
