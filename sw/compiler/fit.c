// SPDX-License-Identifier: Apache-2.0
// A decision tree to a state instruction: first its shape (which condition is which predicate,
// which leaf which arm), then the two packet operands. Every pair of values that could serve is
// tried; the one that is ready earliest wins.
#include <string.h>

#include "mapper.h"

enum { NUM_KONST = 4 };
struct shape {
  struct {
    int fixed;  // 0, 1: always; -1: the condition
    const struct cond *cond;
    bool negate;
  } pred[4];
  const struct tree *arm[4];  // A, B, C, D; NULL: unchanged
};
struct candidate {
  struct node *node;
  struct sum sum;
  unsigned cost;
};
struct fitter {
  struct mapper *m;
  struct shape shape;
  struct candidate candidate[MAX_CANDIDATES];
  unsigned num_candidates;
  const struct sum *p[2];  // the operands being tried; NULL: none
  struct node *p_node[2];
  struct mapping try;
};

// ---- shape --------------------------------------------------------------------------------------

static bool unchanged(const struct tree *t) {
  static const struct sum keep[2] = {{.state = {1, 0}}, {.state = {0, 1}}};
  return t->leaf && sum_equal(&t->word[0], &keep[0]) && sum_equal(&t->word[1], &keep[1]);
}

static void set(struct shape *s, unsigned i, const struct tree *t, bool negate) {
  s->pred[i].fixed = -1;
  s->pred[i].cond = &t->cond;
  s->pred[i].negate = negate;
}

// `if pred {yes} else {no}` on the side of `t`, arms from `first` on.
static bool side(struct shape *s, unsigned pred, unsigned first, const struct tree *t) {
  if (t->leaf) {
    s->pred[pred].fixed = 1;
    s->arm[first] = t;
    return true;
  }
  if (!t->yes->leaf || !t->no->leaf) return false;
  set(s, pred, t, false);
  s->arm[first] = t->yes;
  s->arm[first + 1] = t->no;
  return true;
}

// pred1 {pred2 A else B} else pred4 {pred3 C else D}; `turn` says the first condition the other
// way.
static bool full_shape(struct shape *s, const struct tree *t, bool turn) {
  *s = (struct shape){0};
  if (unchanged(t)) return true;
  if (t->leaf) {
    s->pred[0].fixed = 1;
    return side(s, 1, 0, t);
  }
  const struct tree *yes = turn ? t->no : t->yes, *no = turn ? t->yes : t->no;
  set(s, 0, t, turn);
  if (!side(s, 1, 0, yes)) return false;
  if (unchanged(no)) return true;
  s->pred[3].fixed = 1;
  if (side(s, 2, 2, no)) return true;
  for (int i = 0; i < 2; i++) {
    if (!unchanged(i ? no->yes : no->no)) continue;
    set(s, 3, no, i == 1);
    return side(s, 2, 2, i ? no->no : no->yes);
  }
  return false;
}

// Where a state entry is one word, predicates 2 to 4 hold always or never.
static bool shape_of(struct shape *s, const struct tree *t, bool turn, bool pairs) {
  return full_shape(s, t, turn) && (pairs || (s->pred[1].fixed >= 0 && s->pred[2].fixed >= 0 && s->pred[3].fixed >= 0));
}

// ---- candidates for the packet operands ---------------------------------------------------------

static void add_candidate(struct fitter *f, struct node *n) {
  if (!n || f->num_candidates == MAX_CANDIDATES) return;
  struct candidate *k = &f->candidate[f->num_candidates];
  for (unsigned i = 0; i < f->num_candidates; i++)
    if (f->candidate[i].node == n) return;
  if (!sum_of(f->m, n, &k->sum)) return;
  k->node = n;
  k->cost = n->op == OP_CONST ? (uint32_t)n->value > 7 : n->level;
  f->num_candidates++;
}

static void add_sum(struct fitter *f, const struct sum *sum) {
  struct sum rest = *sum;
  rest.state[0] = rest.state[1] = 0;
  for (unsigned i = 0; i < rest.num; i++) add_candidate(f, rest.term[i].atom);
  add_candidate(f, sum_node(f->m->c, &rest));
  if (rest.num && rest.konst) {
    add_candidate(f, node_const(f->m->c, (int32_t)rest.konst));
    rest.konst = 0;
    add_candidate(f, sum_node(f->m->c, &rest));
  }
}

static void add_candidates(struct fitter *f) {
  for (int i = 0; i < 4; i++) {
    const struct cond *cond = f->shape.pred[i].fixed < 0 ? f->shape.pred[i].cond : NULL;
    if (cond) {
      struct sum difference = cond->left;
      add_sum(f, &cond->left);
      add_sum(f, &cond->right);
      if (sum_add(&difference, &cond->right, UINT32_MAX)) {
        add_sum(f, &difference);
        struct sum minus = {0};
        sum_add(&minus, &difference, UINT32_MAX);
        add_sum(f, &minus);
      }
      // A comparison of packet fields may use the fields themselves.
      if (cond->node && !(cond->node->states & f->m->own))
        for (unsigned j = 0; j < cond->node->num_args; j++) add_candidate(f, cond->node->arg[j]);
    }
    for (int w = 0; f->shape.arm[i] && w < 2; w++) add_sum(f, &f->shape.arm[i]->word[w]);
  }
}

// ---- one pair of operands -----------------------------------------------------------------------

static bool konst(struct fitter *f, uint32_t value, unsigned *index) {
  struct mapping *t = &f->try;
  for (*index = 0; *index < t->num_konst; ++*index)
    if (t->konst[*index] == (int32_t)value) return true;
  if (t->num_konst == NUM_KONST) return false;
  t->konst[t->num_konst++] = (int32_t)value;
  return true;
}

// sum = 0, P1, P2, -P1, -P2, P1 - P2, P2 - P1 (the numbers of PRED_P); false: that operand is not
// used.
static bool packet_part(const struct fitter *f, unsigned form, struct sum *sum) {
  static const int times[7][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, -1}, {-1, 1}};
  *sum = (struct sum){0};
  for (int i = 0; i < 2; i++) {
    if (!times[form][i]) continue;
    if (!f->p[i] || !sum_add(sum, f->p[i], (uint32_t)times[form][i])) return false;
  }
  return true;
}

// Right side of a predicate, by the numbers of PRED_Y from P1 on.
static bool right_side(const struct fitter *f, unsigned y, struct sum *sum) {
  *sum = (struct sum){0};
  if (y == SLUICE_PRED_Y_S1 || y == SLUICE_PRED_Y_S2) {
    sum->state[y - SLUICE_PRED_Y_S1] = 1;
    return true;
  }
  if (!f->p[y - SLUICE_PRED_Y_P1]) return false;
  *sum = *f->p[y - SLUICE_PRED_Y_P1];
  return true;
}

// Finds X and Y with (left, right) = (X, Y), or for == and != with left - right = X - Y.
static bool relation(struct fitter *f, unsigned rel, const struct sum *left,
                     const struct sum *right, struct predicate *out) {
  bool loose = rel == SLUICE_REL_EQ || rel == SLUICE_REL_NE;
  struct sum x, y, rest;
  for (unsigned s = 0; s <= f->m->k->num_states; s++)
    for (unsigned form = 0; form < 7; form++) {
      if (!packet_part(f, form, &x)) continue;
      if (s) x.state[s - 1] = 1;
      // rest = what Y must be
      rest = loose ? x : *right;
      if (loose && (!sum_add(&rest, left, UINT32_MAX) || !sum_add(&rest, right, 1))) continue;
      if (!loose && !sum_equal(&x, left)) continue;
      *out = (struct predicate){.state = s, .packet = form, .rel = rel};
      if (sum_is_const(&rest)) {
        if (konst(f, rest.konst, &out->y)) return true;
        continue;
      }
      for (unsigned i = SLUICE_PRED_Y_P1; i <= SLUICE_PRED_Y_S2; i++)
        if (right_side(f, i, &y) && sum_equal(&y, &rest)) {
          out->y = i;
          return true;
        }
    }
  return false;
}

static bool compare(struct fitter *f, enum op op, const struct sum *left, const struct sum *right,
                    bool negate, struct predicate *out) {
  static const unsigned rels[4][2] = {{SLUICE_REL_EQ, SLUICE_REL_NE},
                                      {SLUICE_REL_NE, SLUICE_REL_EQ},
                                      {SLUICE_REL_LT, SLUICE_REL_GE},
                                      {SLUICE_REL_LE, SLUICE_REL_GT}};
  static const unsigned turned[8] = {SLUICE_REL_EQ, SLUICE_REL_NE, SLUICE_REL_GT,
                                     SLUICE_REL_GE, SLUICE_REL_LT, SLUICE_REL_LE};
  unsigned rel = rels[op - OP_EQ][negate];
  struct mapping before = f->try;
  if (relation(f, rel, left, right, out)) return true;
  f->try = before;
  if (relation(f, turned[rel], right, left, out)) return true;
  f->try = before;
  return false;
}

static bool predicate(struct fitter *f, unsigned i) {
  struct predicate *out = &f->try.pred[i];
  const struct cond *cond = f->shape.pred[i].cond;
  bool negate = f->shape.pred[i].negate;
  if (f->shape.pred[i].fixed >= 0) {
    out->rel = f->shape.pred[i].fixed ? SLUICE_REL_TRUE : SLUICE_REL_FALSE;
    return true;
  }
  bool own = cond->node && cond->node->states & f->m->own;
  if (compare(f, cond->op, &cond->left, &cond->right, negate, out)) {
    if (own && !negate) f->try.pred_node[i] = cond->node;
    return true;
  }
  struct node *n = cond->node;
  struct sum left, right;
  return n && !own && n->op >= OP_EQ && n->op <= OP_LE && sum_of(f->m, n->arg[0], &left) &&
         sum_of(f->m, n->arg[1], &right) && compare(f, n->op, &left, &right, negate, out);
}

// s' = (keep ? s : 0) + (A +/- B)
static bool update(struct fitter *f, const struct sum *wanted, unsigned w, struct update *out) {
  static const unsigned forms[][3] = {
      // A, B, subtract; P1 and P2 by their ARM numbers, ZERO where the constant may stand
      {SLUICE_ARM_ZERO, SLUICE_ARM_ZERO, 0}, {SLUICE_ARM_P1, SLUICE_ARM_ZERO, 0},
      {SLUICE_ARM_P2, SLUICE_ARM_ZERO, 0},   {SLUICE_ARM_ZERO, SLUICE_ARM_P1, 1},
      {SLUICE_ARM_ZERO, SLUICE_ARM_P2, 1},   {SLUICE_ARM_P1, SLUICE_ARM_P2, 0},
      {SLUICE_ARM_P1, SLUICE_ARM_P2, 1},     {SLUICE_ARM_P2, SLUICE_ARM_P1, 1},
      {SLUICE_ARM_P1, SLUICE_ARM_P1, 0},     {SLUICE_ARM_P2, SLUICE_ARM_P2, 0}};
  struct mapping before = f->try;
  if (wanted->state[w] > 1 || wanted->state[!w]) return false;
  for (unsigned i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    struct sum rest = *wanted;
    bool good = true;
    rest.state[w] = 0;
    *out = (struct update){wanted->state[w], forms[i][2], forms[i][0], forms[i][1]};
    for (int j = 0; j < 2; j++) {
      unsigned operand = forms[i][j] - SLUICE_ARM_P1;
      if (forms[i][j] == SLUICE_ARM_ZERO) continue;
      good =
          good && f->p[operand] && sum_add(&rest, f->p[operand], j && forms[i][2] ? 1 : UINT32_MAX);
    }
    if (!good || !sum_is_const(&rest)) continue;
    if (rest.konst == 0) return true;
    unsigned *place = out->a == SLUICE_ARM_ZERO ? &out->a : &out->b;
    if (*place == SLUICE_ARM_ZERO && konst(f, rest.konst, place)) return true;
    f->try = before;
  }
  return false;
}

static bool pair(struct fitter *f) {
  static const struct sum keep[2] = {{.state = {1, 0}}, {.state = {0, 1}}};
  memset(&f->try, 0, sizeof f->try);
  for (unsigned i = 0; i < 4; i++)
    if (!predicate(f, i)) return false;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned w = 0; w < 2; w++)
      if (!update(f, f->shape.arm[i] ? &f->shape.arm[i]->word[w] : &keep[w], w, &f->try.arm[i][w]))
        return false;
  f->try.operand[0] = f->p_node[0];
  f->try.operand[1] = f->p_node[1];
  return true;
}

static bool operands(struct fitter *f, struct mapping *best) {
  unsigned best_cost = UINT32_MAX, num = f->num_candidates;
  for (unsigned i = 0; i <= num; i++)
    for (unsigned j = i; j <= num; j++) {
      // num: no value. Two times the same value is never better than once.
      if (i == j && i < num) continue;
      const struct candidate *a = i < num ? &f->candidate[i] : NULL;
      const struct candidate *b = j < num ? &f->candidate[j] : NULL;
      unsigned x = a ? a->cost : 0, y = b ? b->cost : 0, count = (a ? 1u : 0u) + (b ? 1u : 0u);
      unsigned cost = (x > y ? x : y) * 100 + (x + y) * 4 + count;
      if (cost >= best_cost) continue;
      f->p[0] = a ? &a->sum : NULL;
      f->p[1] = b ? &b->sum : NULL;
      f->p_node[0] = a ? a->node : NULL;
      f->p_node[1] = b ? b->node : NULL;
      if (!pair(f)) continue;
      *best = f->try;
      best_cost = cost;
    }
  return best_cost != UINT32_MAX;
}

void one_comparison(struct mapper *m) {
  m->why_at = m->c->graph->access[m->k->state[0]].at;
  snprintf(m->why, sizeof m->why,
           "it takes more than one comparison, and the state units of chip '%s' make one (if (c) A else B); see --chip",
           m->c->config->name);
}

struct mapping *fit(struct mapper *m, const struct tree *tree) {
  struct mapping best;
  bool shaped = false;
  for (int turn = 0; turn < 2; turn++) {
    struct fitter *f = NEW(m->c->arena, struct fitter);
    f->m = m;
    if (!shape_of(&f->shape, tree, turn, m->c->config->StatePairs)) continue;
    shaped = true;
    add_candidates(f);
    if (operands(f, &best)) {
      struct mapping *made = NEW(m->c->arena, struct mapping);
      *made = best;
      return made;
    }
  }
  if (!shaped && !m->c->config->StatePairs) {
    one_comparison(m);
    return NULL;
  }
  m->why_at = m->c->graph->access[m->k->state[0]].at;
  snprintf(m->why, sizeof m->why, "%s",
           shaped ? "it takes more than the two packet operands and four constants of the state "
                    "instruction, or a "
                    "comparison or update of a form that it has not"
                  : "its conditions do not nest as if {if A else B} else if {if C else D}");
  return NULL;
}
