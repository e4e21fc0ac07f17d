// SPDX-License-Identifier: Apache-2.0
// What a codelet does, case by case. The values that make up the new words are computed from the
// operands up, once for each case (never once for each way through them), under what is known of
// the subjects. Where a choice is not decided, its condition is asked and the case splits: first by
// conditions on the packet alone, which make situations, then by those on the state, which make the
// leaves of a situation. How the text nests its ifs does not matter: only what is asked counts.
#include <string.h>

#include "mapper.h"

enum kind { SUM, ASK, FAIL };
struct value {
  enum kind kind;
  struct sum sum;
};

static bool inner(const struct mapper *m, const struct node *n) {
  return (n->states & m->own) != 0;
}

static bool fail(struct mapper *m, const struct token *at, const char *why) {
  if (!m->why[0]) {
    snprintf(m->why, sizeof m->why, "%s", why);
    m->why_at = at;
  }
  return false;
}

struct sum sum_known(const struct mapper *m, const struct set *const *known,
                     const struct sum *sum) {
  struct sum made = *sum;
  for (unsigned i = 0; i < sum->num; i++) {
    struct sum atom = sum_of_atom(sum->term[i].atom);
    for (unsigned s = 0; s < m->num_subjects; s++) {
      const struct set *set = known[s];
      if (!set || m->subject[s].order || !sum_equal(&m->subject[s].x, &atom)) continue;
      if (set->num != 1 || set->part[0].low != set->part[0].high) continue;
      sum_add(&made, &atom, 0u - sum->term[i].times);
      made.konst += sum->term[i].times * KEY(set->part[0].low);
    }
  }
  return made;
}

// ---- the cone -----------------------------------------------------------------------------------

static bool logic(const struct node *n) {
  return n->op == OP_LAND || n->op == OP_LOR ||
         ((n->op == OP_AND || n->op == OP_OR || n->op == OP_XOR) && node_is_bool(n->arg[0]) &&
          node_is_bool(n->arg[1]));
}

static bool comparison(const struct node *n) { return n->op >= OP_EQ && n->op <= OP_LE; }

// Whether a value is made of its operands here, or is an atom.
static bool opened(const struct mapper *m, const struct node *n) {
  if (inner(m, n)) return n->op != OP_OLD;
  if (n->op == OP_SHL) return n->arg[1]->op == OP_CONST;
  return n->op == OP_ADD || n->op == OP_SUB || comparison(n) || logic(n) ||
         (n->op == OP_SELECT && !m->whole);
}

static struct node *new_value(const struct mapper *m, unsigned word) {
  return m->ir->graph->access[m->k->state[word]].new_value;
}

static void make_cone(struct mapper *m) {
  const struct graph *g = m->ir->graph;
  bool *in = NEW_ARRAY(m->ir->arena, bool, g->num);
  unsigned num = g->num;
  for (unsigned w = 0; w < m->k->num_states; w++) in[new_value(m, w)->id] = true;
  m->cone = NEW_ARRAY(m->ir->arena, struct node *, num);
  m->place = NEW_ARRAY(m->ir->arena, unsigned, num);
  m->num_placed = num;
  for (unsigned i = num; i-- > 0;)
    for (unsigned j = 0; in[i] && j < g->list[i]->num_args; j++)
      if (opened(m, g->list[i])) in[g->list[i]->arg[j]->id] = true;
  m->num_cone = 0;
  for (unsigned i = 0; i < num; i++)
    if (in[i]) {
      m->cone[m->num_cone++] = g->list[i];
      m->place[i] = m->num_cone;
    }
  m->value = NEW_ARRAY(m->ir->arena, struct value, m->num_cone + 1);
  m->plain = NULL;
  m->num_flags = 0;
  for (unsigned i = 0; i < m->num_cone && m->num_flags < MAX_FLAGS; i++)
    if (!inner(m, m->cone[i]) && (comparison(m->cone[i]) || logic(m->cone[i])))
      m->flag[m->num_flags++] = m->cone[i];
}

static struct value *value_of(const struct mapper *m, const struct node *n) {
  return &m->value[m->place[n->id] - 1];
}

// ---- values -------------------------------------------------------------------------------------

// 0, 1; -1: not decided; -2: never will be. Of a sum that is not decided, `open` is the condition.
static int truth(struct mapper *m, const struct set *const *known, const struct node *n,
                 struct cond *open) {
  const struct value *v = value_of(m, n);
  const struct sum zero = {0};
  if (open) open->fixed = -2;
  if (v->kind != SUM) return v->kind == ASK ? -1 : -2;
  if (sum_is_const(&v->sum)) return v->sum.konst != 0;
  struct cond cond = cond_of(m, OP_NE, &v->sum, &zero, true);
  if (cond.fixed == -2) return -2;
  if (open) *open = cond;
  return cond_decide(m, known, &cond);
}

static struct cond comparison_of(struct mapper *m, const struct node *n) {
  return cond_of(m, n->op, &value_of(m, n->arg[0])->sum, &value_of(m, n->arg[1])->sum, true);
}

// Of `parted` a comparison is two conditions, of which the first must hold and the second must not;
// or, if *opposite, that is what must not be. False: it is one.
static bool two_of(struct mapper *m, const struct node *n, struct cond two[2], bool *opposite) {
  const uint32_t least = 0x80000000u, most = 0x7fffffffu;
  if (!inner(m, n) || (n->op != OP_LT && n->op != OP_LE)) return false;
  *opposite = n->op == OP_LE;
  struct sum low = value_of(m, n->arg[*opposite])->sum, high = value_of(m, n->arg[!*opposite])->sum;
  if (sum_is_const(&low) || sum_is_const(&high)) return false;
  const bool below = low.konst == UINT32_MAX;
  if (!below && high.konst != 1) return false;
  m->parts = true;
  if (!m->parted) return false;
  const struct sum edge = sum_of_const(below ? least : most);
  if (below) low.konst = 0;
  else high.konst = 0;
  two[0] = cond_of(m, OP_LE, &low, &high, true);
  two[1] = cond_of(m, OP_EQ, below ? &low : &high, &edge, true);
  return two[0].fixed != -2 && two[1].fixed != -2;
}

static int two_decide(const struct mapper *m, const struct set *const *known,
                      const struct cond two[2], bool opposite) {
  const int x = cond_decide(m, known, &two[0]), y = cond_decide(m, known, &two[1]);
  if (x == 0 || y == 1) return opposite;
  return x < 0 || y < 0 ? -1 : !opposite;
}

static struct value decided(int truth_value) {
  return (struct value){truth_value >= 0    ? SUM
                        : truth_value == -1 ? ASK
                                            : FAIL,
                        sum_of_const(truth_value == 1)};
}

static struct value logic_value(struct mapper *m, const struct set *const *known,
                                const struct node *n) {
  int x = truth(m, known, n->arg[0], NULL), y = truth(m, known, n->arg[1], NULL);
  if (n->op == OP_XOR) return decided(x < 0 || y < 0 ? (x < y ? x : y) : x != y);
  int stop = n->op == OP_LOR || n->op == OP_OR;
  if (x == stop || y == stop) return decided(stop);
  return decided(x < 0 || y < 0 ? (x < y ? x : y) : !stop);
}

// The stateless rest of a sum as one atom.
static bool squeeze(struct mapper *m, struct sum *sum) {
  struct sum rest = *sum;
  rest.state[0] = rest.state[1] = 0;
  struct node *n = sum_is_const(&rest) ? NULL : sum_node(m, &rest);
  if (!n) return sum_is_const(&rest);
  struct sum made = sum_of_atom(n);
  made.state[0] = sum->state[0];
  made.state[1] = sum->state[1];
  *sum = made;
  return true;
}

static struct value sum_value(struct mapper *m, const struct node *n) {
  const struct value *x = value_of(m, n->arg[0]), *y = value_of(m, n->arg[1]);
  if (x->kind != SUM || y->kind != SUM)
    return (struct value){x->kind == FAIL || y->kind == FAIL ? FAIL : ASK, {0}};
  struct value made = *x;
  uint32_t times = n->op == OP_ADD ? 1 : UINT32_MAX;
  if (n->op == OP_SHL)
    return (struct value){SUM, sum_times(&x->sum, 1u << ((uint32_t)n->arg[1]->value & 31))};
  if (sum_add(&made.sum, &y->sum, times)) return made;
  if (!inner(m, n)) return (struct value){SUM, sum_of_atom((struct node *)n)};
  struct sum rest = y->sum;
  made = *x;
  if (!squeeze(m, &made.sum) || !squeeze(m, &rest) || !sum_add(&made.sum, &rest, times))
    made.kind = FAIL;
  return made;
}

// A choice that does not depend on the state between sums with the same state words: what else is
// in them is chosen in an earlier stage.
static bool merged(struct mapper *m, const struct node *n, const struct sum *yes,
                   const struct sum *no, struct sum *out) {
  if (!m->whole || inner(m, n->arg[0]) || yes->state[0] != no->state[0] ||
      yes->state[1] != no->state[1])
    return false;
  struct sum x = *yes, y = *no;
  x.state[0] = x.state[1] = y.state[0] = y.state[1] = 0;
  struct node *a = sum_node(m, &x), *b = sum_node(m, &y);
  if (!a || !b) return false;
  struct node *chosen = node_make(m->ir, OP_SELECT, n->arg[0], a, b);
  *out = chosen->op == OP_CONST ? sum_of_const((uint32_t)chosen->value) : sum_of_atom(chosen);
  out->state[0] = yes->state[0];
  out->state[1] = yes->state[1];
  return true;
}

static struct value choice_value(struct mapper *m, const struct set *const *known,
                                 const struct node *n) {
  int which = truth(m, known, n->arg[0], NULL);
  const struct value *yes = value_of(m, n->arg[1]), *no = value_of(m, n->arg[2]);
  if (which >= 0) return which ? *yes : *no;
  if (yes->kind == SUM && no->kind == SUM) {
    struct value made = *yes;
    if (sum_equal(&yes->sum, &no->sum) || merged(m, n, &yes->sum, &no->sum, &made.sum)) return made;
  }
  return (struct value){which == -1 ? ASK : FAIL, {0}};
}

static struct value make_value(struct mapper *m, const struct set *const *known, struct node *n) {
  if (n->op == OP_CONST) return (struct value){SUM, sum_of_const((uint32_t)n->value)};
  if (n->op == OP_OLD && inner(m, n))
    return (struct value){SUM, sum_of_state(n->index != m->k->state[0])};
  if (!opened(m, n)) return (struct value){SUM, sum_of_atom(n)};
  if (n->op == OP_ADD || n->op == OP_SUB || (n->op == OP_SHL && n->arg[1]->op == OP_CONST))
    return sum_value(m, n);
  if (n->op == OP_SELECT) return choice_value(m, known, n);
  if (logic(n)) return logic_value(m, known, n);
  if (!comparison(n)) return (struct value){FAIL, {0}};
  const struct value *x = value_of(m, n->arg[0]), *y = value_of(m, n->arg[1]);
  if (x->kind != SUM || y->kind != SUM)
    return (struct value){x->kind == FAIL || y->kind == FAIL ? FAIL : ASK, {0}};
  struct cond two[2];
  bool opposite;
  if (two_of(m, n, two, &opposite)) return decided(two_decide(m, known, two, opposite));
  struct cond cond = comparison_of(m, n);
  return decided(cond.fixed == -2 ? -2 : cond_decide(m, known, &cond));
}

static void evaluate(struct mapper *m, const struct set *const *known) {
  for (unsigned i = 0; i < m->num_cone; i++) m->value[i] = make_value(m, known, m->cone[i]);
  if (m->plain) return;
  m->plain = NEW_ARRAY(m->ir->arena, struct sum, m->num_cone + 1);
  m->is_plain = NEW_ARRAY(m->ir->arena, bool, m->num_cone + 1);
  for (unsigned i = 0; i < m->num_cone; i++) {
    m->is_plain[i] = m->value[i].kind == SUM;
    m->plain[i] = m->value[i].sum;
  }
}

bool plain_sum(const struct mapper *m, struct node *n, struct sum *sum) {
  if (n->op == OP_CONST) *sum = sum_of_const((uint32_t)n->value);
  else if (n->op == OP_OLD && inner(m, n)) *sum = sum_of_state(n->index != m->k->state[0]);
  else if (n->id < m->num_placed && m->place[n->id]) *sum = m->plain[m->place[n->id] - 1];
  else *sum = sum_of_atom(n);
  return n->id < m->num_placed && m->place[n->id] ? m->is_plain[m->place[n->id] - 1]
                                                  : !inner(m, n) || n->op == OP_OLD;
}

// ---- questions ----------------------------------------------------------------------------------

static bool wanted(const struct mapper *m, const struct cond *cond, bool own) {
  return cond->fixed == -1 && m->subject[cond->subject].own == own;
}

// A condition on the packet alone (`own`: on the state) that the new words may depend on.
static bool ask(struct mapper *m, const struct set *const *known, bool own, struct cond *cond) {
  bool *open = NEW_ARRAY(m->ir->arena, bool, m->num_cone + 1);
  for (unsigned w = 0; w < m->k->num_states; w++) open[m->place[new_value(m, w)->id] - 1] = true;
  for (unsigned i = m->num_cone; i-- > 0;) {
    const struct node *n = m->cone[i];
    if (!open[i] || m->value[i].kind != ASK) continue;
    bool direct = comparison(n) && value_of(m, n->arg[0])->kind == SUM &&
                  value_of(m, n->arg[1])->kind == SUM;
    struct cond two[2];
    bool opposite;
    const bool parted = direct && two_of(m, n, two, &opposite);
    for (unsigned j = 0; direct && j < (parted ? 2 : 1); j++) {
      *cond = parted ? two[j] : comparison_of(m, n);
      if (wanted(m, cond, own) && cond_decide(m, known, cond) < 0) return true;
    }
    if (direct) continue;
    unsigned first = 0, last = n->num_args;
    if (n->op == OP_SELECT) {
      int which = truth(m, known, n->arg[0], NULL);
      if (which >= 0) first = which ? 1 : 2, last = first + 1;
    }
    for (unsigned j = first; j < last; j++) {
      bool tested = logic(n) || (n->op == OP_SELECT && j == 0);
      if (tested && value_of(m, n->arg[j])->kind == SUM && truth(m, known, n->arg[j], cond) == -1 &&
          wanted(m, cond, own))
        return true;
      open[m->place[n->arg[j]->id] - 1] = true;
    }
  }
  return false;
}

// Says which value the state unit cannot compute.
static bool fail_at_root(struct mapper *m) {
  const struct node *n = NULL;
  for (unsigned w = 0; w < m->k->num_states && !n; w++)
    if (value_of(m, new_value(m, w))->kind == FAIL) n = new_value(m, w);
  while (n) {
    const struct node *deeper = NULL;
    for (unsigned i = 0; i < n->num_args && opened(m, n) && !deeper; i++)
      if (value_of(m, n->arg[i])->kind == FAIL) deeper = n->arg[i];
    if (!deeper) break;
    n = deeper;
  }
  if (!n) return fail(m, NULL, "its conditions do not end");
  char why[160];
  if (m->num_subjects == MAX_SUBJECTS)
    snprintf(why, sizeof why, "it takes more than %d different conditions", MAX_SUBJECTS);
  else if (comparison(n) || logic(n) || n->op == OP_SELECT)
    snprintf(why, sizeof why, "this condition is not a comparison of sums");
  else if (n->op == OP_ADD || n->op == OP_SUB)
    snprintf(why, sizeof why, "this sum has too many terms");
  else
    snprintf(why, sizeof why,
             "the new value holds '%s' of the old one; the state unit only adds and subtracts",
             op_text(n->op));
  return fail(m, n->at, why);
}

// ---- cases --------------------------------------------------------------------------------------

static bool too_many(struct mapper *m) {
  return fail(m, new_value(m, 0)->at,
              "it takes more conditions than the state instruction has (4, in two levels)");
}

// What is known if the condition holds, or if it does not.
static bool learn(struct mapper *m, const struct set **known, const struct cond *cond, bool holds) {
  const struct set *set = holds ? cond->set : set_not(m->ir->arena, cond->set);
  set = set ? set_and(m->ir->arena, subject_known(m, known, cond->subject), set) : NULL;
  known[cond->subject] = set;
  return set || too_many(m);
}

static bool leaves(struct mapper *m, struct situation *s, const struct set *const *known) {
  struct cond cond;
  evaluate(m, known);
  bool done = true, fails = false;
  for (unsigned w = 0; w < m->k->num_states; w++) {
    done &= value_of(m, new_value(m, w))->kind == SUM;
    fails |= value_of(m, new_value(m, w))->kind == FAIL;
  }
  if (fails) return fail_at_root(m);
  if (!done) {
    // A condition on the packet that only shows once one on the state is decided.
    m->split = !ask(m, known, true, &cond);
    if (m->split && !ask(m, known, false, &m->by)) return fail_at_root(m);
    if (m->split) return false;
    for (int yes = 1; yes >= 0; yes--) {
      const struct set *more[MAX_SUBJECTS];
      memcpy(more, known, sizeof more);
      if (!learn(m, more, &cond, yes) || !leaves(m, s, more)) return false;
    }
    return true;
  }
  if (s->num_leaves == MAX_LEAVES) return too_many(m);
  struct leaf *leaf = &s->leaf[s->num_leaves++];
  for (unsigned i = 0; i < m->num_subjects; i++)
    if (m->subject[i].own) {
      const struct set *set = subject_known(m, known, i);
      leaf->on[i] = set_equal(set, m->subject[i].domain) ? NULL : set;
      const int w = m->subject[i].order ? -1 : sum_is_state(&m->subject[i].x);
      if (w < 0 || set->num != 1 || set->part[0].low != set->part[0].high) continue;
      leaf->told[w] = true;
      leaf->old[w] = KEY(set->part[0].low);
    }
  leaf->word[1] = sum_of_state(1);
  for (unsigned w = 0; w < m->k->num_states; w++)
    leaf->word[w] = sum_known(m, known, &value_of(m, new_value(m, w))->sum);
  return true;
}

static bool situations(struct mapper *m, const struct set *const *known);

static bool situations_by(struct mapper *m, const struct set *const *known,
                          const struct cond *cond) {
  m->split = false;
  for (int yes = 1; yes >= 0; yes--) {
    const struct set *more[MAX_SUBJECTS];
    memcpy(more, known, sizeof more);
    if (!learn(m, more, cond, yes) || !situations(m, more)) return false;
  }
  return true;
}

static bool situations(struct mapper *m, const struct set *const *known) {
  struct cond cond;
  evaluate(m, known);
  if (ask(m, known, false, &cond)) return situations_by(m, known, &cond);
  if (m->num == MAX_CASES) return too_many(m);
  struct situation *s = &m->list[m->num++];
  memcpy(s->known, known, sizeof s->known);
  for (unsigned i = 0; i < m->num_flags; i++) {
    const struct value *v = value_of(m, m->flag[i]);
    s->flag[i] = v->kind == SUM && sum_is_const(&v->sum) ? v->sum.konst != 0 : -1;
  }
  s->leaf = NEW_ARRAY(m->ir->arena, struct leaf, MAX_LEAVES);
  s->num_leaves = 0;
  if (leaves(m, s, known)) return true;
  if (!m->split) return false;
  m->num--;
  cond = m->by;
  return situations_by(m, known, &cond);
}

static bool apart(const struct mapper *m, const struct leaf *a, const struct leaf *b) {
  for (unsigned i = 0; i < m->num_subjects; i++)
    if (a->on[i] && b->on[i] && !set_meets(a->on[i], b->on[i])) return true;
  return false;
}

static bool same(const struct mapper *m, const struct situation *a, const struct situation *b) {
  for (unsigned i = 0; i < a->num_leaves; i++)
    for (unsigned j = 0; j < b->num_leaves; j++) {
      const struct leaf *x = &a->leaf[i], *y = &b->leaf[j];
      if (!apart(m, x, y) &&
          !(sum_equal(&x->word[0], &y->word[0]) && sum_equal(&x->word[1], &y->word[1])))
        return false;
    }
  return true;
}

bool cases_find(struct mapper *m) {
  const struct set *nothing[MAX_SUBJECTS] = {NULL};
  m->num = m->num_groups = m->num_subjects = 0;
  m->why[0] = 0;
  m->split = m->differs = m->parts = false;
  m->list = NEW_ARRAY(m->ir->arena, struct situation, MAX_CASES);
  make_cone(m);
  for (unsigned i = 0; i < m->num_cone; i++)
    m->differs |= m->cone[i]->op == OP_SELECT && !inner(m, m->cone[i]->arg[0]);
  if (!situations(m, nothing)) return false;
  for (unsigned i = 0; i < m->num; i++) {
    unsigned j = 0;
    while (j < i && !same(m, &m->list[i], &m->list[j])) j++;
    m->list[i].group = j < i ? m->list[j].group : m->num_groups++;
  }
  return true;
}
