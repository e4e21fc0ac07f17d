// SPDX-License-Identifier: Apache-2.0
// The search for an instruction: predicates first, each from the list of all comparisons that could
// tell cases apart, then the arms. What has to be done in which case is a list of duties, which
// every predicate deals out to its two sides. An operand may be left open: then a comparison or an
// arm that needs a value there gives it that value, in the situation at hand.
#include <string.h>

#include "mapper.h"

enum { MAX_CUTS = 3, MAX_TESTS = 160, MAX_STEPS = 6000, MOST_STEPS = 120000, PATIENCE = 10, MAX_EDGES = 24, NUM_FORMS = 10 };

// What is left to do in one situation on the way to here.
struct duty {
  unsigned situation, num_cuts;
  const struct leaf *leaf;  // stands for all that can happen; NULL: what happens differs
  struct facts {
    bool told[2];  // an old word is but one number, `old`, whatever happens
    uint32_t old[2];
  } facts;
  bool idle;                // nothing can happen
  bool unchanged;           // the words stay as they are
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
  bool open;  // not all are
  struct outcome {
    int fixed;  // 0, 1; -1: the condition; -2: nothing that matters
    unsigned subject;
    const struct set *set, *not;
  } on[MAX_CASES];
};
struct search {
  struct mapper *m;
  const struct ability *can;
  bool present[2], open[2];
  unsigned compares;  // as in ability, or less
  struct solution found;
  struct sum reduced[2][MAX_CASES];  // the operands where what is known of the situation is put in
  uint32_t konst[MAX_CONSTANTS];  // of the predicates
  struct need {                   // of an arm
    uint32_t value;
    struct update *update;
    bool free_a, free_b;  // no packet operand stands there
  } need[8];
  unsigned num_need;
  uint32_t settled[MAX_CONSTANTS];  // all together
  unsigned num_settled;
  unsigned num_konst, steps, max_steps, all_steps, most_steps, num_tests;
  struct test test[MAX_TESTS];
  struct duties all, yes, no, arm[4], second, left;  // second: on to predicate 3; left: left alone
  unsigned trail[2 * MAX_CASES], num_trail;    // operands bound so far: 2 * situation + operand
};

// ---- duties -------------------------------------------------------------------------------------

static bool meets(const struct search *s, const struct leaf *leaf, const struct duty *d) {
  const struct set *left[MAX_CUTS];
  for (unsigned i = 0; i < d->num_cuts; i++) {
    const struct set *on = leaf->on[d->cut[i].subject];
    left[i] = on ? set_and(s->m->c, on, d->cut[i].set) : d->cut[i].set;
    for (unsigned j = 0; left[i] && j < i; j++)
      if (d->cut[j].subject == d->cut[i].subject) left[i] = set_and(s->m->c, left[i], left[j]);
    if (left[i] && !left[i]->num) return false;
  }
  return true;
}

// The sum where old words are but one number each.
static struct sum with_facts(const struct facts *facts, const struct sum *sum) {
  struct sum made = *sum;
  for (int w = 0; w < 2; w++) {
    if (!facts->told[w]) continue;
    made.konst += made.state[w] * facts->old[w];
    made.state[w] = 0;
  }
  return made;
}

static bool agrees(const struct facts *facts, const struct sum *a, const struct sum *b) {
  if (sum_equal(a, b)) return true;
  if (!facts->told[0] && !facts->told[1]) return false;
  struct sum x = with_facts(facts, a), y = with_facts(facts, b);
  return sum_equal(&x, &y);
}

// What the leaf and the cuts on the way tell of the old words.
static struct facts facts_of(const struct search *s, const struct leaf *leaf, const struct duty *d) {
  struct facts made = {{leaf->told[0], leaf->told[1]}, {leaf->old[0], leaf->old[1]}};
  for (unsigned i = 0; i < d->num_cuts; i++) {
    const struct subject *x = &s->m->subject[d->cut[i].subject];
    const struct set *on = d->cut[i].set, *here = leaf->on[d->cut[i].subject];
    if (x->order || x->x.num) continue;
    if (here) on = set_and(s->m->c, on, here);
    if (!on || on->num != 1 || on->part[0].low != on->part[0].high) continue;
    for (unsigned w = 0; w < 2; w++)
      if (x->x.state[w] == 1 && !x->x.state[!w]) made.told[w] = true, made.old[w] = KEY(on->part[0].low);
  }
  return made;
}

// Finds out what can happen.
static void look(const struct search *s, struct duty *d) {
  const struct situation *at = &s->m->list[d->situation];
  const struct leaf *list[MAX_LEAVES];
  unsigned num = 0;
  for (unsigned i = 0; i < at->num_leaves; i++)
    if (meets(s, &at->leaf[i], d)) list[num++] = &at->leaf[i];
  struct facts facts[MAX_LEAVES];
  d->facts = (struct facts){{true, true}, {0, 0}};
  for (unsigned i = 0; i < num; i++) {
    facts[i] = facts_of(s, list[i], d);
    for (unsigned w = 0; w < 2; w++) {
      d->facts.told[w] &= facts[i].told[w] && (i == 0 || facts[i].old[w] == d->facts.old[w]);
      d->facts.old[w] = facts[i].old[w];
    }
  }
  d->idle = num == 0;
  d->leaf = NULL;
  for (unsigned i = 0; i < num && !d->leaf; i++) {
    bool good = true;
    for (unsigned j = 0; j < num && good; j++)
      for (unsigned w = 0; w < 2 && good; w++) good = agrees(&facts[j], &list[i]->word[w], &list[j]->word[w]);
    if (good) d->leaf = list[i];
  }
  d->unchanged = d->leaf;
  for (unsigned i = 0; i < num; i++)
    for (unsigned w = 0; d->unchanged && w < s->m->k->num_states; w++) {
      static const struct sum keep[2] = {{.state = {1, 0}}, {.state = {0, 1}}};
      d->unchanged = agrees(&facts[i], &list[i]->word[w], &keep[w]);
    }
}

static bool all_settled(const struct duties *d) {
  for (unsigned i = 0; i < d->num; i++)
    if (!d->list[i].leaf) return false;
  return true;
}

static bool all_unchanged(const struct duties *d) {
  for (unsigned i = 0; i < d->num; i++)
    if (!d->list[i].unchanged) return false;
  return true;
}

// ---- operands -----------------------------------------------------------------------------------

static const int part_times[7][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, -1}, {-1, 1}};

static bool bound(const struct search *s, unsigned operand, unsigned situation) { return s->found.bound[operand][situation]; }

static void bind(struct search *s, unsigned operand, unsigned situation, const struct sum *value) {
  // All situations that do the same get the same operand.
  for (unsigned i = 0; i < s->m->num; i++) {
    if (s->m->list[i].group != s->m->list[situation].group || s->found.bound[operand][i]) continue;
    s->found.value[operand][i] = *value;
    s->reduced[operand][i] = sum_known(s->m, s->m->list[i].known, value);
    s->found.bound[operand][i] = true;
    s->trail[s->num_trail++] = 2 * i + operand;
  }
}

static void unbind(struct search *s, unsigned mark) {
  while (s->num_trail > mark) {
    unsigned at = s->trail[--s->num_trail];
    s->found.bound[at & 1][at >> 1] = false;
  }
}

// ---- constants ----------------------------------------------------------------------------------

static bool find_konst(const struct search *s, uint32_t value, unsigned *index) {
  for (*index = 0; *index < s->num_settled; ++*index)
    if (s->settled[*index] == value) return true;
  return false;
}

// A constant as part of an arm: one of them, taken away where it is added, or two of them.
static bool made_of_settled(const struct search *s, const struct need *n) {
  struct update *u = n->update;
  unsigned a, b;
  if (n->free_a && n->free_b) {
    u->sub = 0;
    u->a = u->b = SLUICE_ARM_ZERO;
    if (find_konst(s, n->value, &u->a)) return true;
    u->a = SLUICE_ARM_ZERO;
    if (!s->can->two_terms) return false;
    u->sub = 1;
    if (find_konst(s, 0u - n->value, &u->b)) return true;
    for (a = 0; a < s->num_settled; a++)
      for (int sub = 0; sub < 2; sub++)
        if (find_konst(s, sub ? s->settled[a] - n->value : n->value - s->settled[a], &b)) {
          *u = (struct update){u->keep, (unsigned)sub, a, b};
          return true;
        }
    return false;
  }
  if (n->free_a) return find_konst(s, n->value, &u->a);  // constant - operand
  u->sub = 0;
  if (find_konst(s, n->value, &u->b)) return true;
  u->sub = 1;
  return find_konst(s, 0u - n->value, &u->b);
}

// How many ways there are to have a constant.
static unsigned freedom(const struct need *n) { return n->free_b ? n->free_a ? 2 : 1 : 0; }

// Adds constants until every arm can be made; first what can be had in one way only.
static bool settle_from(struct search *s, unsigned done) {
  const struct need *next = NULL;
  for (unsigned i = 0; i < s->num_need; i++) {
    if (done >> i & 1) continue;
    if (made_of_settled(s, &s->need[i])) done |= 1u << i;
    else if (!next || freedom(&s->need[i]) < freedom(next)) next = &s->need[i];
  }
  if (!next) return true;
  if (s->num_settled == s->can->constants) return false;
  unsigned num = s->num_settled++;
  s->settled[num] = next->value;
  if (settle_from(s, done)) return true;
  s->settled[num] = 0u - next->value;
  if (freedom(next) && s->can->two_terms && settle_from(s, done)) return true;
  for (unsigned i = 0; i < num && freedom(next) == 2 && s->can->two_terms; i++) {
    const uint32_t other[3] = {next->value - s->settled[i], next->value + s->settled[i], s->settled[i] - next->value};
    for (int j = 0; j < 3; j++) {
      s->settled[num] = other[j];
      s->num_settled = num + 1;
      if (settle_from(s, done)) return true;
    }
  }
  s->num_settled = num;
  return false;
}

static bool settle(struct search *s) {
  memcpy(s->settled, s->konst, s->num_konst * sizeof *s->settled);
  s->num_settled = s->num_konst;
  return settle_from(s, 0);
}

static bool need(struct search *s, uint32_t value, struct update *update) {
  s->need[s->num_need++] = (struct need){value, update, update->a == SLUICE_ARM_ZERO, update->b == SLUICE_ARM_ZERO};
  if (settle(s)) return true;
  s->num_need--;
  return false;
}

// A constant of a predicate.
static bool konst(struct search *s, uint32_t value, unsigned *index) {
  for (*index = 0; *index < s->num_konst; ++*index)
    if (s->konst[*index] == value) return true;
  if (s->num_konst == s->can->constants) return false;
  s->konst[s->num_konst++] = value;
  if (!s->num_need || settle(s)) return true;
  s->num_konst--;
  return false;
}

// The sides of a comparison; false: an operand is not bound.
static bool left_side(const struct search *s, const struct predicate *p, unsigned situation, struct sum *left) {
  *left = p->state ? sum_of_state(p->state - 1) : (struct sum){0};
  for (unsigned i = 0; i < 2; i++) {
    if (!part_times[p->packet][i]) continue;
    if (!bound(s, i, situation)) return false;
    if (!sum_add(left, &s->found.value[i][situation], (uint32_t)part_times[p->packet][i])) return false;
  }
  return true;
}

static bool right_side(const struct search *s, const struct test *t, unsigned situation, struct sum *right) {
  unsigned y = t->form.y;
  if (y >= SLUICE_PRED_Y_S1) *right = sum_of_state(y - SLUICE_PRED_Y_S1);
  else if (y < SLUICE_PRED_Y_P1) *right = sum_of_const(t->konst);
  else if (bound(s, y - SLUICE_PRED_Y_P1, situation)) *right = s->found.value[y - SLUICE_PRED_Y_P1][situation];
  else return false;
  return true;
}

static bool outcome_of(const struct search *s, const struct test *t, unsigned situation, struct outcome *out) {
  const struct set *const *known = s->m->list[situation].known;
  struct sum left, right;
  *out = (struct outcome){.fixed = -2};
  if (!left_side(s, &t->form, situation, &left) || !right_side(s, t, situation, &right)) return false;
  bool turn = t->form.rel == SLUICE_REL_GT;
  struct cond cond = cond_of(s->m, t->form.rel == SLUICE_REL_EQ ? OP_EQ : OP_LT, turn ? &right : &left, turn ? &left : &right, false);
  if (cond.fixed == -2) return true;
  out->fixed = cond_decide(s->m, known, &cond);
  if (out->fixed >= 0) return true;
  if (!s->m->subject[cond.subject].own) {
    out->fixed = -2;  // finer than the situations are
    return true;
  }
  out->subject = cond.subject;
  out->set = cond.set;
  out->not = set_not(s->m->c, cond.set);
  if (!out->not) out->fixed = -2;
  return true;
}

// ---- tests --------------------------------------------------------------------------------------

static bool uses(const struct predicate *p, unsigned operand) {
  return part_times[p->packet][operand] || p->y == SLUICE_PRED_Y_P1 + operand;
}

static bool allowed(const struct search *s, const struct predicate *p) {
  for (unsigned i = 0; i < 2; i++)
    if (uses(p, i) && !s->present[i]) return false;
  unsigned words = s->m->k->num_states;
  if (p->state > words || (p->y >= SLUICE_PRED_Y_S1 && p->y - SLUICE_PRED_Y_S1 >= words)) return false;
  if (!p->state && !p->packet && p->y < SLUICE_PRED_Y_P1) return false;
  bool sum = p->packet > SLUICE_PRED_P_P2 || (p->state && p->packet);
  return s->can->sums || !sum;
}

static bool same_outcome(const struct outcome *a, const struct outcome *b) {
  if (a->fixed != b->fixed) return false;
  return a->fixed != -1 || (a->subject == b->subject && (set_equal(a->set, b->set) || set_equal(a->set, b->not)));
}

// Keeps the test if it tells something, and no other with the same constant tells the same.
static void add_test(struct search *s) {
  struct test *t = &s->test[s->num_tests];
  bool tells[2] = {false, false}, splits = false;
  if (s->num_tests + 1 >= MAX_TESTS) return;
  for (unsigned i = 0; i < s->m->num; i++) {
    outcome_of(s, t, i, &t->on[i]);
    if (t->on[i].fixed >= 0) tells[t->on[i].fixed] = true;
    splits |= t->on[i].fixed == -1;
  }
  if (!splits && !(tells[0] && tells[1])) return;
  for (unsigned j = 0; j < s->num_tests; j++) {
    const struct test *other = &s->test[j];
    if (t->form.y < SLUICE_PRED_Y_P1 && (other->form.y >= SLUICE_PRED_Y_P1 || other->konst != t->konst)) continue;
    unsigned i = 0;
    while (i < s->m->num && same_outcome(&t->on[i], &other->on[i])) i++;
    if (i == s->m->num) return;
  }
  s->num_tests++;
}

static void add_edge(uint32_t *edge, unsigned *num, uint32_t at) {
  for (unsigned i = 0; i < *num; i++)
    if (edge[i] == at) return;
  if (*num < MAX_EDGES) edge[(*num)++] = at;
}

static void set_edges(const struct set *set, uint32_t *edge, unsigned *num) {
  for (unsigned p = 0; set && p < set->num; p++) {
    if (set->part[p].low) add_edge(edge, num, KEY(set->part[p].low));
    if (set->part[p].high != UINT32_MAX) add_edge(edge, num, KEY(set->part[p].high + 1));
  }
}

// Constants that tell something about the left side in a situation.
static void constants(const struct search *s, const struct sum *left, uint32_t *edge, unsigned *num) {
  for (unsigned i = 0; i < s->m->num_subjects; i++) {
    const struct subject *subject = &s->m->subject[i];
    if (subject->order) continue;
    for (int sign = 0; sign < 2; sign++) {
      struct sum rest = *left;
      if (!sum_add(&rest, &subject->x, sign ? 1 : UINT32_MAX) || !sum_is_const(&rest)) continue;
      uint32_t here[MAX_EDGES];
      unsigned n = 0;
      for (unsigned j = 0; j < s->m->num; j++) {
        const struct situation *at = &s->m->list[j];
        if (!subject->own) set_edges(at->known[i], here, &n);
        for (unsigned l = 0; subject->own && l < at->num_leaves; l++) set_edges(at->leaf[l].on[i], here, &n);
      }
      for (unsigned j = 0; j < n; j++) {
        add_edge(edge, num, (sign ? 0u - here[j] : here[j]) + rest.konst);
        if (sign) add_edge(edge, num, rest.konst - here[j] + 1);
      }
    }
  }
}

static void tests_by_constant(struct search *s, struct predicate form) {
  uint32_t edge[MAX_EDGES];
  unsigned num = 0;
  for (unsigned i = 0; i < s->m->num; i++) {
    struct sum left;
    if (left_side(s, &form, i, &left) && !sum_is_const(&left)) constants(s, &left, edge, &num);
    else if (left_side(s, &form, i, &left)) add_edge(edge, &num, left.konst);
  }
  for (unsigned i = 0; i < num; i++)
    for (unsigned rel = 0; rel < 3; rel++) {
      static const unsigned rels[3] = {SLUICE_REL_EQ, SLUICE_REL_LT, SLUICE_REL_GT};
      struct test *t = &s->test[s->num_tests];
      *t = (struct test){.form = form, .konst = rel == 2 ? edge[i] - 1 : edge[i]};
      t->form.rel = rels[rel];
      add_test(s);
    }
}

// All comparisons of known operands that tell something; the ones with open operands are tried as they are.
static void make_tests(struct search *s) {
  static const unsigned rights[] = {SLUICE_PRED_Y_P1, SLUICE_PRED_Y_P2, SLUICE_PRED_Y_S1, SLUICE_PRED_Y_S2, SLUICE_PRED_Y_K0};
  s->num_tests = 0;
  for (unsigned turn = 0; turn < 4; turn++)  // of the packet alone, S1, S2, a packet value with a state word
    for (unsigned packet = 0; packet < 7; packet++)
      for (unsigned y = 0; y < 5; y++) {
        struct predicate form = {.state = turn % 3, .packet = packet, .y = rights[y]};
        if (!allowed(s, &form) || (turn % 3 == 0 && (turn == 3) != (form.y >= SLUICE_PRED_Y_S1))) continue;
        bool open = false;
        for (unsigned i = 0; i < 2; i++) open |= s->open[i] && uses(&form, i);
        if (open) continue;
        if (y == 4) {
          tests_by_constant(s, form);
          continue;
        }
        for (form.rel = SLUICE_REL_EQ; form.rel <= SLUICE_REL_GT; form.rel++) {
          if (form.rel == SLUICE_REL_NE || form.rel == SLUICE_REL_LE) continue;
          s->test[s->num_tests] = (struct test){.form = form};
          add_test(s);
        }
      }
}

// Comparisons with an open operand, which a duty gives its value.
static void make_open_tests(struct search *s) {
  uint32_t edge[MAX_EDGES];
  unsigned num = 0;
  edge[num++] = 0;
  for (unsigned j = 0; j < s->m->num; j++)
    for (unsigned l = 0; l < s->m->list[j].num_leaves; l++)
      for (unsigned i = 0; i < s->m->num_subjects; i++)
        if (!s->m->subject[i].order) set_edges(s->m->list[j].leaf[l].on[i], edge, &num);
  for (unsigned state = 0; state <= 2; state++)
    for (unsigned packet = 0; packet <= SLUICE_PRED_P_NEG_P2; packet++)
      for (unsigned y = SLUICE_PRED_Y_K3; y <= SLUICE_PRED_Y_S2; y++) {
        struct predicate form = {.state = state, .packet = packet, .y = y == SLUICE_PRED_Y_K3 ? SLUICE_PRED_Y_K0 : y};
        if (!allowed(s, &form) || (!state && y < SLUICE_PRED_Y_S1)) continue;
        if (!(s->open[0] && uses(&form, 0)) && !(s->open[1] && uses(&form, 1))) continue;
        for (unsigned k = 0; k < (form.y ? 1 : num); k++)
          for (form.rel = SLUICE_REL_EQ; form.rel <= SLUICE_REL_GT; form.rel++) {
            if (form.rel == SLUICE_REL_NE || form.rel == SLUICE_REL_LE || s->num_tests + 1 >= MAX_TESTS) continue;
            s->test[s->num_tests++] = (struct test){.form = form, .open = true, .konst = edge[k]};
          }
      }
}

// ---- giving open operands a value ---------------------------------------------------------------

// Gives the operand that value, if then the test is about `subject` in this situation.
static bool try_value(struct search *s, const struct test *t, unsigned operand, unsigned situation, unsigned subject,
                      const struct sum *value, uint32_t times, struct outcome *out) {
  unsigned mark = s->num_trail;
  struct sum made = sum_times(value, times);
  if (!sum_is_packet(&made)) return false;
  bind(s, operand, situation, &made);
  if (outcome_of(s, t, situation, out) && out->fixed == -1 && out->subject == subject) return true;
  unbind(s, mark);
  return false;
}

static bool give_value(struct search *s, const struct test *t, const struct duty *d, struct outcome *out) {
  const struct situation *at = &s->m->list[d->situation];
  const struct predicate *p = &t->form;
  unsigned operand = bound(s, 0, d->situation) || !uses(p, 0) ? 1 : 0;
  bool right = p->y == SLUICE_PRED_Y_P1 + operand;
  uint32_t times = right ? 1 : (uint32_t)part_times[p->packet][operand];
  if (right && part_times[p->packet][operand]) return false;
  // The side without the operand, and the state word of the other.
  struct sum other, mine = p->state && !right ? sum_of_state(p->state - 1) : (struct sum){0};
  if (right ? !left_side(s, p, d->situation, &other) : !right_side(s, t, d->situation, &other)) return false;
  for (unsigned i = 0; i < s->m->num_subjects; i++) {
    const struct subject *x = &s->m->subject[i];
    bool matters = false;
    for (unsigned l = 0; x->own && l < at->num_leaves; l++) matters |= at->leaf[l].on[i] && meets(s, &at->leaf[l], d);
    if (!matters) continue;
    if (x->order) {
      for (int side = 0; side < 2; side++) {
        struct sum wanted = side ? x->y : x->x;
        if (!sum_equal(side ? &x->x : &x->y, &other) || !sum_add(&wanted, &mine, UINT32_MAX)) continue;
        if (try_value(s, t, operand, d->situation, i, &wanted, times, out)) return true;
      }
      continue;
    }
    // mine + times * value - other = +/-x, less one of the numbers where it matters.
    uint32_t edge[MAX_EDGES] = {0};
    unsigned num = 1;
    for (unsigned l = 0; l < at->num_leaves; l++) set_edges(at->leaf[l].on[i], edge, &num);
    for (unsigned e = 0; e < num; e++)
      for (int sign = 0; sign < 2; sign++) {
        struct sum wanted = sum_times(&x->x, sign ? UINT32_MAX : 1);
        wanted.konst -= sign ? 0u - edge[e] : edge[e];
        if (p->rel != SLUICE_REL_EQ && !right && sum_is_const(&other)) wanted = sum_times(&x->x, 1);
        else if (!sum_add(&wanted, &other, 1)) continue;
        if (right) {
          wanted = other;
          struct sum less = sum_times(&x->x, sign ? UINT32_MAX : 1);
          less.konst -= sign ? 0u - edge[e] : edge[e];
          if (!sum_add(&wanted, &less, UINT32_MAX)) continue;
        }
        if (!right && !sum_add(&wanted, &mine, UINT32_MAX)) continue;
        if (try_value(s, t, operand, d->situation, i, &wanted, times, out)) return true;
      }
  }
  return false;
}

// ---- dealing out --------------------------------------------------------------------------------

static void put(const struct search *s, struct duties *to, const struct duty *d, unsigned subject, const struct set *set) {
  struct duty *made = &to->list[to->num];
  *made = *d;
  if (!set) {
    to->num++;
    return;
  }
  made->cut[made->num_cuts].subject = subject;
  made->cut[made->num_cuts++].set = set;
  look(s, made);
  if (!made->idle) to->num++;
}

// Deals the duties to those for which the test holds and those for which it does not; false: it
// tells nothing, or an open operand finds no value.
static bool deal(struct search *s, const struct test *t, const struct duties *from, struct duties *yes, struct duties *no) {
  bool told = false;
  yes->num = no->num = 0;
  for (unsigned i = 0; i < from->num; i++) {
    const struct duty *d = &from->list[i];
    struct outcome open;
    const struct outcome *o = t->open ? &open : &t->on[d->situation];
    if (t->open && !outcome_of(s, t, d->situation, &open)) {
      if (!d->leaf && !give_value(s, t, d, &open)) return false;
    }
    if (o->fixed >= 0) {
      put(s, o->fixed ? yes : no, d, 0, NULL);
    } else if (o->fixed == -2 || d->num_cuts == MAX_CUTS) {
      put(s, yes, d, 0, NULL);
      put(s, no, d, 0, NULL);
    } else {
      put(s, yes, d, o->subject, o->set);
      put(s, no, d, o->subject, o->not);
      told = true;
    }
  }
  return told || (yes->num < from->num && no->num < from->num);
}

// ---- arms ---------------------------------------------------------------------------------------

// A, B, subtract; P1 and P2 by their ARM numbers, ZERO where the constant may stand.
static const unsigned forms[NUM_FORMS][3] = {
    {SLUICE_ARM_ZERO, SLUICE_ARM_ZERO, 0}, {SLUICE_ARM_P1, SLUICE_ARM_ZERO, 0}, {SLUICE_ARM_P2, SLUICE_ARM_ZERO, 0},
    {SLUICE_ARM_ZERO, SLUICE_ARM_P1, 1},   {SLUICE_ARM_ZERO, SLUICE_ARM_P2, 1}, {SLUICE_ARM_P1, SLUICE_ARM_P2, 0},
    {SLUICE_ARM_P1, SLUICE_ARM_P2, 1},     {SLUICE_ARM_P2, SLUICE_ARM_P1, 1},   {SLUICE_ARM_P1, SLUICE_ARM_P1, 0},
    {SLUICE_ARM_P2, SLUICE_ARM_P2, 0}};

// wanted - (keep ? word : 0) - the operands of the form that are bound. *open: an operand that is
// not, and how often; -1: none, -2: two.
static bool rest_of(const struct search *s, const struct duty *d, const unsigned *form, unsigned keep, unsigned w,
                    struct sum *rest, int *open, uint32_t *times) {
  const struct leaf *leaf = d->leaf;
  *open = -1;
  *times = 0;
  *rest = leaf->word[w];
  rest->state[w] -= keep;
  if (!sum_is_packet(rest)) *rest = with_facts(&d->facts, rest);
  if (!sum_is_packet(rest)) return false;
  for (int j = 0; j < 2; j++) {
    if (form[j] == SLUICE_ARM_ZERO) continue;
    unsigned operand = form[j] - SLUICE_ARM_P1;
    uint32_t sign = j && form[2] ? UINT32_MAX : 1;
    if (bound(s, operand, d->situation)) {
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
static bool arm_with(struct search *s, const struct duties *duties, unsigned w, const unsigned *form, unsigned keep,
                     bool give, struct update *out) {
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
      if ((open >= 0) != (turn == 1)) continue;
      if (open >= 0) {
        rest.konst -= fixed ? value : 0;
        if (!give) return false;
        struct sum made = sum_times(&rest, times);
        bind(s, (unsigned)open, d->situation, &made);
        given = true;
        continue;
      }
      if (!sum_is_const(&rest) || (fixed && rest.konst != value)) return false;
      fixed = true;
      value = rest.konst;
    }
  if (give && !given) return false;  // has been tried without
  if (!fixed || value == 0) return true;
  if (!s->can->two_terms && form[0] != SLUICE_ARM_ZERO) return false;
  if (out->a != SLUICE_ARM_ZERO && out->b != SLUICE_ARM_ZERO) return false;
  return need(s, value, out);
}

static bool predicates(struct search *s, unsigned step);
static bool arms(struct search *s, unsigned step);

// Steps 0 to 3 are the words of arms A and B, 5 to 8 those of C and D.
static bool arm(struct search *s, unsigned step) {
  unsigned which = (step - (step > 4)) / 2, w = (step - (step > 4)) & 1;
  struct duties *duties = &s->arm[which];
  struct update *out = &s->found.map.arm[which][w];
  *out = (struct update){1, 0, SLUICE_ARM_ZERO, SLUICE_ARM_ZERO};
  if (w >= s->m->k->num_states || all_unchanged(duties)) return arms(s, step + 1);
  for (int give = 0; give < (s->open[0] || s->open[1] ? 2 : 1); give++)
    for (unsigned f = 0; f < NUM_FORMS; f++) {
      bool there = s->can->two_terms || f < 3;
      for (int j = 0; j < 2; j++) there &= forms[f][j] == SLUICE_ARM_ZERO || s->present[forms[f][j] - SLUICE_ARM_P1];
      for (unsigned keep = 0; there && keep < (s->can->old ? 2u : 1u); keep++) {
        unsigned mark = s->num_trail, konsts = s->num_konst, needs = s->num_need;
        if (++s->steps > s->max_steps) return false;
        if (arm_with(s, duties, w, forms[f], keep, give, out) && arms(s, step + 1)) return true;
        unbind(s, mark);
        s->num_konst = konsts;
        s->num_need = needs;
      }
    }
  return false;
}

static bool arms(struct search *s, unsigned step) { return step == 4 ? predicates(s, 2) : step == 9 || arm(s, step); }

// ---- predicates ---------------------------------------------------------------------------------

static void fix(struct search *s, unsigned which, bool holds) {
  s->found.map.pred[which] = (struct predicate){.rel = holds ? SLUICE_REL_TRUE : SLUICE_REL_FALSE};
}

// Every test as predicate `which`, either way round if that makes a difference.
static bool try_tests(struct search *s, unsigned which, const struct duties *from, struct duties *yes, struct duties *no,
                      bool turns, unsigned next) {
  static const unsigned opposite[8] = {SLUICE_REL_NE, SLUICE_REL_EQ, SLUICE_REL_GE, SLUICE_REL_GT,
                                       SLUICE_REL_LE, SLUICE_REL_LT, SLUICE_REL_FALSE, SLUICE_REL_TRUE};
  for (unsigned i = 0; i < s->num_tests; i++)
    for (int turn = 0; turn < (turns ? 2 : 1); turn++) {
      const struct test *t = &s->test[i];
      struct predicate *p = &s->found.map.pred[which];
      unsigned mark = s->num_trail, konsts = s->num_konst;
      if (++s->steps > s->max_steps) return false;
      *p = t->form;
      if (turn) p->rel = opposite[p->rel];
      s->found.num_compares++;
      bool good = p->y >= SLUICE_PRED_Y_P1 || konst(s, t->konst, &p->y);
      good = good && deal(s, t, from, turn ? no : yes, turn ? yes : no);
      if (good && predicates(s, next)) return true;
      s->found.num_compares--;
      unbind(s, mark);
      s->num_konst = konsts;
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
    if (all_unchanged(&s->all) && predicates(s, 1)) return true;
    fix(s, 0, true);
    s->yes = s->all;
    s->no.num = 0;
    if (all_settled(&s->all) && predicates(s, 1)) return true;
    return compares && try_tests(s, 0, &s->all, &s->yes, &s->no, true, 1);
  }
  if (step == 1) {
    s->arm[0] = s->yes;
    s->arm[1].num = 0;
    fix(s, 1, s->found.map.pred[0].rel != SLUICE_REL_FALSE);
    if (all_settled(&s->yes) && arms(s, 0)) return true;
    return compares > 1 && try_tests(s, 1, &s->yes, &s->arm[0], &s->arm[1], false, 4);
  }
  if (step == 2) {
    s->arm[2].num = s->arm[3].num = 0;
    fix(s, 2, false);
    fix(s, 3, false);
    if (all_unchanged(&s->no)) return arms(s, 5);
    if (!s->can->otherwise) return false;
    fix(s, 3, true);
    s->second = s->no;
    s->left.num = 0;
    if (predicates(s, 3)) return true;
    return compares > 3 && try_tests(s, 3, &s->no, &s->second, &s->left, true, 3);
  }
  if (step == 3) {
    if (!all_unchanged(&s->left)) return false;
    s->arm[2] = s->second;
    s->arm[3].num = 0;
    fix(s, 2, true);
    if (all_settled(&s->second) && arms(s, 5)) return true;
    return compares > 2 && try_tests(s, 2, &s->second, &s->arm[2], &s->arm[3], false, 5);
  }
  return all_settled(&s->arm[2 * (step - 4)]) && all_settled(&s->arm[2 * (step - 4) + 1]) && arms(s, step == 4 ? 0 : 5);
}

// ---- all ----------------------------------------------------------------------------------------

struct search *search_new(struct mapper *m, const struct ability *ability) {
  struct search *s = NEW(m->c->arena, struct search);
  s->m = m;
  s->can = ability;
  search_more(s, false);
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
          for (int j = 0; j < 2; j++) there &= forms[f][j] == SLUICE_ARM_ZERO || s->present[forms[f][j] - SLUICE_ARM_P1];
          if (!there) continue;
          struct sum rest = leaf->word[w];
          for (int j = 0; j < 2; j++)
            if (forms[f][j] != SLUICE_ARM_ZERO)
              there &= sum_add(&rest, &s->reduced[forms[f][j] - SLUICE_ARM_P1][i], j && forms[f][2] ? 1 : UINT32_MAX);
          rest.state[w] = rest.state[w] == 1 ? 0 : rest.state[w];
          good = there && sum_is_const(&rest);
        }
        if (!good) return false;
      }
  return true;
}

bool search_run(struct search *s, const struct candidate *const operand[2], const bool open[2]) {
  s->found.out_of_steps = false;
  if (s->all_steps > s->most_steps) {
    s->found.out_of_steps = true;
    return false;
  }
  memset(&s->found.map, 0, sizeof s->found.map);
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
  s->all.num = s->m->num;
  for (unsigned i = 0; i < s->m->num; i++) {
    s->all.list[i] = (struct duty){.situation = i};
    look(s, &s->all.list[i]);
  }
  make_tests(s);
  make_open_tests(s);
  bool found = false;
  // What one comparison can do is done so on every chip.
  for (unsigned turn = 0; turn < 2 && !found; turn++) {
    s->compares = turn || !s->can->compares ? s->can->compares : 1;
    if (turn && s->can->compares <= 1) break;
    found = predicates(s, 0);
  }
  s->all_steps += s->steps;
  s->found.out_of_steps = !found && s->steps > s->max_steps;
  if (found && !settle(s)) SLUICE_BUG("constants that were settled are not");
  for (unsigned i = 0; found && i < NUM_KONST && i < s->num_settled; i++) s->found.map.konst[i] = (int32_t)s->settled[i];
  s->found.map.num_konst = s->num_settled;
  return found;
}

void search_more(struct search *s, bool patient) {
  s->all_steps = 0;
  s->max_steps = MAX_STEPS * (patient ? PATIENCE : 1);
  s->most_steps = MOST_STEPS * (patient ? 3 : 1);
}

const struct solution *search_solution(const struct search *s) { return &s->found; }
