// SPDX-License-Identifier: Apache-2.0
// Comparisons: what each tells in which situation, the list of all that tell something, and the
// value that an open operand must have for one of them to tell what is wanted.
#include "search.h"

static const int part_times[7][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, -1}, {-1, 1}};

// The sides of a comparison; false: an operand is not bound.
static bool left_side(const struct search *s, const struct predicate *p, unsigned situation,
                      struct sum *left) {
  *left = p->state ? sum_of_state(p->state - 1) : (struct sum){0};
  for (unsigned i = 0; i < 2; i++) {
    if (!part_times[p->packet][i]) continue;
    if (!operand_bound(s, i, situation)) return false;
    if (!sum_add(left, &s->found.value[i][situation], (uint32_t)part_times[p->packet][i]))
      return false;
  }
  return true;
}

static bool right_side(const struct search *s, const struct test *t, unsigned situation,
                       struct sum *right) {
  unsigned y = t->form.y;
  if (y >= SLUICE_PRED_Y_S1) *right = sum_of_state(y - SLUICE_PRED_Y_S1);
  else if (y < SLUICE_PRED_Y_P1) *right = sum_of_const(t->konst);
  else if (operand_bound(s, y - SLUICE_PRED_Y_P1, situation))
    *right = s->found.value[y - SLUICE_PRED_Y_P1][situation];
  else return false;
  return true;
}

bool test_outcome(const struct search *s, const struct test *t, unsigned situation,
                  struct outcome *out) {
  const struct set *const *known = s->m->list[situation].known;
  struct sum left, right;
  *out = (struct outcome){.fixed = -2};
  if (!left_side(s, &t->form, situation, &left) || !right_side(s, t, situation, &right))
    return false;
  bool turn = t->form.rel == SLUICE_REL_GT;
  struct cond cond = cond_of(s->m, t->form.rel == SLUICE_REL_EQ ? OP_EQ : OP_LT,
                             turn ? &right : &left, turn ? &left : &right, false);
  if (cond.fixed == -2) return true;
  out->fixed = cond_decide(s->m, known, &cond);
  if (out->fixed >= 0) return true;
  if (!s->m->subject[cond.subject].own) {
    out->fixed = -2;  // finer than the situations are
    return true;
  }
  out->subject = cond.subject;
  out->set = cond.set;
  out->inverse = set_not(s->m->ir->arena, cond.set);
  if (!out->inverse) out->fixed = -2;
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
  if (p->state > words || (p->y >= SLUICE_PRED_Y_S1 && p->y - SLUICE_PRED_Y_S1 >= words))
    return false;
  if (!p->state && !p->packet && p->y < SLUICE_PRED_Y_P1) return false;
  bool sum = p->packet > SLUICE_PRED_P_P2 || (p->state && p->packet);
  return s->can->sums || !sum;
}

static bool same_outcome(const struct outcome *a, const struct outcome *b) {
  if (a->fixed != b->fixed) return false;
  return a->fixed != -1 ||
         (a->subject == b->subject && (set_equal(a->set, b->set) || set_equal(a->set, b->inverse)));
}

static bool takes_constant(const struct test *t) { return t->form.y < SLUICE_PRED_Y_P1; }

// Keeps the test if it tells something that no other tells. Of two that tell the same, one without
// a constant is better than one with: there are four for all predicates and arms. Two with other
// constants both stay.
static void add_test(struct search *s) {
  struct test *t = &s->test[s->num_tests];
  bool tells[2] = {false, false}, splits = false;
  if (s->num_tests + 1 >= MAX_TESTS) return;
  for (unsigned i = 0; i < s->m->num; i++) {
    test_outcome(s, t, i, &t->on[i]);
    if (t->on[i].fixed >= 0) tells[t->on[i].fixed] = true;
    splits |= t->on[i].fixed == -1;
  }
  if (!splits && !(tells[0] && tells[1])) return;
  for (unsigned j = 0; j < s->num_tests; j++) {
    struct test *other = &s->test[j];
    if (other->open || (takes_constant(t) && takes_constant(other) && other->konst != t->konst))
      continue;
    unsigned i = 0;
    while (i < s->m->num && same_outcome(&t->on[i], &other->on[i])) i++;
    if (i < s->m->num) continue;
    if (takes_constant(other) && !takes_constant(t)) *other = *t;
    return;
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
static void constants(const struct search *s, const struct sum *left, uint32_t *edge,
                      unsigned *num) {
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
        for (unsigned l = 0; subject->own && l < at->num_leaves; l++)
          set_edges(at->leaf[l].on[i], here, &n);
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

// All comparisons of known operands that tell something; the ones with open operands are tried as
// they are.
void tests_make(struct search *s) {
  static const unsigned rights[] = {SLUICE_PRED_Y_P1, SLUICE_PRED_Y_P2, SLUICE_PRED_Y_S1,
                                    SLUICE_PRED_Y_S2, SLUICE_PRED_Y_K0};
  for (unsigned turn = 0; turn < 4;
       turn++)  // of the packet alone, S1, S2, a packet value with a state word
    for (unsigned packet = 0; packet < 7; packet++)
      for (unsigned y = 0; y < 5; y++) {
        struct predicate form = {.state = turn % 3, .packet = packet, .y = rights[y]};
        if (!allowed(s, &form) || (turn % 3 == 0 && (turn == 3) != (form.y >= SLUICE_PRED_Y_S1)))
          continue;
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

int test_asks_code(const struct search *s, const struct test *t) {
  const struct predicate *p = &t->form;
  if (!t->open || p->state || p->y >= SLUICE_PRED_Y_P1 || t->konst != s->code) return -1;
  return p->packet == SLUICE_PRED_P_P1 ? 0 : p->packet == SLUICE_PRED_P_P2 ? 1 : -1;
}

// The packet may be told to be one of some, by an open operand that is `code` for those.
// And a state word be on one side of it by being the least number, or the greatest.
void tests_make_special(struct search *s) {
  for (unsigned i = 0; i < 2; i++)
    if (s->open[i])
      s->test[s->num_tests++] =
          (struct test){.form = {.packet = i ? SLUICE_PRED_P_P2 : SLUICE_PRED_P_P1,
                                 .rel = SLUICE_REL_EQ,
                                 .y = SLUICE_PRED_Y_K0},
                        .open = true,
                        .always = true,
                        .konst = s->code};
  for (unsigned state = 1; state <= s->m->k->num_states; state++)
    for (unsigned i = 0; i < 2; i++)
      for (int great = 0; s->open[i] && great < 2; great++)
        s->test[s->num_tests++] =
            (struct test){.form = {.state = state,
                                   .rel = great ? SLUICE_REL_GT : SLUICE_REL_LT,
                                   .y = i ? SLUICE_PRED_Y_P2 : SLUICE_PRED_Y_P1},
                          .open = true,
                          .always = true};
}

// Comparisons with an open operand, which a duty gives its value.
void tests_make_open(struct search *s) {
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
        struct predicate form = {
            .state = state, .packet = packet, .y = y == SLUICE_PRED_Y_K3 ? SLUICE_PRED_Y_K0 : y};
        if (!allowed(s, &form) || (!state && y < SLUICE_PRED_Y_S1)) continue;
        if (!(s->open[0] && uses(&form, 0)) && !(s->open[1] && uses(&form, 1))) continue;
        for (unsigned k = 0; k < (form.y ? 1 : num); k++)
          for (form.rel = SLUICE_REL_EQ; form.rel <= SLUICE_REL_GT; form.rel++) {
            if (form.rel == SLUICE_REL_NE || form.rel == SLUICE_REL_LE ||
                s->num_tests + 1 >= MAX_TESTS)
              continue;
            if (s->special && state && !packet && form.y && form.y <= SLUICE_PRED_Y_P2 &&
                form.rel != SLUICE_REL_EQ)
              continue;  // it is there
            s->test[s->num_tests++] = (struct test){.form = form, .open = true, .konst = edge[k]};
          }
      }
}

// ---- giving open operands a value ---------------------------------------------------------------

// Whether the test leaves each case whole that the duty can still meet.
static bool parts_cleanly(const struct search *s, const struct duty *d, const struct outcome *o) {
  const struct situation *at = &s->m->list[d->situation];
  for (unsigned l = 0; l < at->num_leaves; l++) {
    const struct set *on = at->leaf[l].on[o->subject];
    if (!on || !duty_meets(s, &at->leaf[l], d)) continue;
    if (set_meets(on, o->set) && !set_within(on, o->set)) return false;
  }
  return true;
}

// Gives the operand that value, if then the test is about `subject` in this situation.
static bool try_value(struct search *s, const struct test *t, unsigned operand,
                      const struct duty *d, unsigned subject, const struct sum *value,
                      uint32_t times, struct outcome *out) {
  const unsigned situation = d->situation;
  unsigned mark = s->num_trail;
  struct sum made = sum_times(value, times);
  if (!sum_is_packet(&made)) return false;
  operand_bind(s, operand, situation, &made);
  if (test_outcome(s, t, situation, out) && out->fixed == -1 && out->subject == subject &&
      (!s->special || parts_cleanly(s, d, out)))
    return true;
  operands_unbind(s, mark);
  return false;
}

bool test_give_value(struct search *s, const struct test *t, const struct duty *d,
                     struct outcome *out) {
  const struct situation *at = &s->m->list[d->situation];
  const struct predicate *p = &t->form;
  unsigned operand = operand_bound(s, 0, d->situation) || !uses(p, 0) ? 1 : 0;
  bool right = p->y == SLUICE_PRED_Y_P1 + operand;
  uint32_t times = right ? 1 : (uint32_t)part_times[p->packet][operand];
  if (right && part_times[p->packet][operand]) return false;
  // The side without the operand, and the state word of the other.
  struct sum other, mine = p->state && !right ? sum_of_state(p->state - 1) : (struct sum){0};
  if (right ? !left_side(s, p, d->situation, &other) : !right_side(s, t, d->situation, &other))
    return false;
  for (unsigned i = 0; i < s->m->num_subjects; i++) {
    const struct subject *x = &s->m->subject[i];
    bool matters = false;
    for (unsigned l = 0; x->own && l < at->num_leaves; l++)
      matters |= at->leaf[l].on[i] && duty_meets(s, &at->leaf[l], d);
    if (!matters) continue;
    if (x->order) {
      for (int side = 0; side < 2; side++) {
        struct sum wanted = side ? x->y : x->x;
        if (!sum_equal(side ? &x->x : &x->y, &other) || !sum_add(&wanted, &mine, UINT32_MAX))
          continue;
        if (try_value(s, t, operand, d, i, &wanted, times, out)) return true;
      }
      continue;
    }
    // mine + times * value - other = +/-x, less one of the numbers where it matters.
    uint32_t edge[MAX_EDGES] = {0};
    unsigned num = 1;
    for (unsigned l = 0; l < at->num_leaves; l++) set_edges(at->leaf[l].on[i], edge, &num);
    for (unsigned e = 0, whole = num; s->special && p->rel == SLUICE_REL_GT && e < whole; e++)
      add_edge(edge, &num, edge[e] - 1);
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
        if (try_value(s, t, operand, d, i, &wanted, times, out)) return true;
      }
  }
  return false;
}

bool test_settle(struct search *s, const struct test *t, unsigned situation, struct outcome *out) {
  const int asked = test_asks_code(s, t);
  const struct sum value = sum_of_const(asked >= 0                     ? s->code
                                        : t->form.rel == SLUICE_REL_LT ? 0x80000000u
                                                                       : 0x7fffffffu);
  const unsigned operand = asked >= 0 ? (unsigned)asked : t->form.y - SLUICE_PRED_Y_P1;
  if (asked >= 0 && s->barred[operand][s->m->list[situation].group]) return false;
  operand_bind(s, operand, situation, &value);
  return test_outcome(s, t, situation, out) && out->fixed == (asked >= 0);
}
