// SPDX-License-Identifier: Apache-2.0
// Conditions that choose between two operations on a row, as predicates of the state instruction
// beside it.
#include <string.h>

#include "row.h"

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

// A predicate on which nothing depends: its arms become the one that is taken now.
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
    if (*which >= 2 && idle) return true;
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

unsigned row_predicate(struct rows *x, const struct codelet *k, struct mapping *m,
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
    row_fail(x, "a condition on the words at its index is no comparison that the state unit makes");
    return 0;
  }
  if (!free_predicate(m, &which)) {
    row_fail(x, "the update of '%s' leaves no comparison of the state unit free for its condition",
             codelet_name(x->c, k));
    return 0;
  }
  m->pred[which] = p;
  m->pred_node[which] = node_make(&x->c->ir, t->op, t->a, t->b, NULL);
  return which + 1;
}
