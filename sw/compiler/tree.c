// SPDX-License-Identifier: Apache-2.0
// From the new values of a codelet to a decision tree: conditions inside, sums at the leaves. The
// values are walked with a list of decisions already made; a choice that is not decided is asked
// for, and the tree branches there. Since each branch walks again, a condition may look different
// in each.
#include <string.h>

#include "mapper.h"

// ---- sums ---------------------------------------------------------------------------------------

static bool add_term(struct sum *s, struct node *atom, uint32_t times) {
  for (unsigned i = 0; i < s->num; i++) {
    if (s->term[i].atom != atom) continue;
    s->term[i].times += times;
    if (s->term[i].times == 0) s->term[i] = s->term[--s->num];
    return true;
  }
  if (times == 0) return true;
  if (s->num == MAX_TERMS) return false;
  s->term[s->num].atom = atom;
  s->term[s->num++].times = times;
  return true;
}

bool sum_add(struct sum *a, const struct sum *b, uint32_t times) {
  bool good = true;
  struct sum copy = *b;
  a->konst += times * copy.konst;
  for (int i = 0; i < 2; i++) a->state[i] += times * copy.state[i];
  for (unsigned i = 0; i < copy.num; i++)
    good &= add_term(a, copy.term[i].atom, times * copy.term[i].times);
  return good;
}

bool sum_is_const(const struct sum *a) { return !a->num && !a->state[0] && !a->state[1]; }

bool sum_equal(const struct sum *a, const struct sum *b) {
  struct sum difference = *a;
  return sum_add(&difference, b, UINT32_MAX) && sum_is_const(&difference) && !difference.konst;
}

struct node *sum_node(struct compiler *c, const struct sum *sum) {
  struct node *n = NULL;
  for (int sign = 0; sign < 2; sign++)  // what is added first, then what is taken away
    for (unsigned i = 0; i < sum->num; i++) {
      uint32_t times = sign ? 0u - sum->term[i].times : sum->term[i].times;
      if (times > 4) continue;
      for (; times; times--) {
        if (!n && sign) n = node_const(c, (int32_t)sum->konst);
        n = !n ? sum->term[i].atom
               : node_make(c, sign ? OP_SUB : OP_ADD, n, sum->term[i].atom, NULL);
      }
    }
  for (unsigned i = 0; i < sum->num; i++)
    if (sum->term[i].times > 4 && 0u - sum->term[i].times > 4) return NULL;
  if (!n) return node_const(c, (int32_t)sum->konst);
  bool started_with_constant = true;
  for (unsigned i = 0; i < sum->num; i++) started_with_constant &= sum->term[i].times > 4;
  return started_with_constant ? n
                               : node_make(c, OP_ADD, n, node_const(c, (int32_t)sum->konst), NULL);
}

// ---- walking ------------------------------------------------------------------------------------

static bool inner(const struct mapper *m, const struct node *n) {
  return (n->states & m->own) != 0;
}

static bool fail(struct mapper *m, const struct node *n, const char *why) {
  if (!m->why[0]) {
    snprintf(m->why, sizeof m->why, "%s", why);
    m->why_at = n->at;
  }
  return false;
}

static bool cond_equal(const struct cond *a, const struct cond *b) {
  return a->op == b->op && sum_equal(&a->left, &b->left) && sum_equal(&a->right, &b->right);
}

static struct cond opposite(const struct cond *x) {
  if (x->op == OP_EQ || x->op == OP_NE)
    return (struct cond){.op = x->op == OP_EQ ? OP_NE : OP_EQ, .left = x->left, .right = x->right};
  return (struct cond){.op = x->op == OP_LT ? OP_LE : OP_LT, .left = x->right, .right = x->left};
}

// 0 or 1 if it was decided, or is constant; else -1, and m->ask is this condition.
static int decide(struct mapper *m, struct cond cond) {
  struct cond other = opposite(&cond);
  if (sum_is_const(&cond.left) && sum_is_const(&cond.right))
    return op_eval(cond.op, (int32_t)cond.left.konst, (int32_t)cond.right.konst);
  for (unsigned i = 0; i < m->num_decisions; i++) {
    const struct decision *d = &m->decision[i];
    bool same = cond_equal(d->cond, &cond);
    if (!same && !cond_equal(d->cond, &other)) continue;
    m->decided = true;
    return same ? d->yes : !d->yes;
  }
  if (!m->asks) {
    m->ask = cond;
    m->asks = true;
  }
  return -1;
}

static int truth(struct mapper *m, struct node *n);

// x && y, x || y of two answers of decide() or truth(); -1 and -2 (failed) stay if they matter.
static int both(int x, int y, bool and) {
  int stop = and? 0 : 1;
  if (x == stop || y == stop) return stop;
  return x < 0 ? x : y < 0 ? y : !stop;
}

// K REL -d is not -K REL' d at d = INT_MIN, whose negation is itself: both cases spelled out.
static int negated(struct mapper *m, enum op op, struct sum d, uint32_t konst, bool konst_left) {
  struct sum low = {.konst = 0x80000000u}, bound = {.konst = 0u - konst};
  struct cond edge = {.op = konst_left ? OP_NE : OP_EQ, .left = d, .right = low};
  struct cond rest = {.op = op, .left = konst_left ? d : bound, .right = konst_left ? bound : d};
  int x = decide(m, rest);
  return both(x, decide(m, edge), konst_left);
}

static int compare(struct mapper *m, struct node *n) {
  struct cond cond = {.op = n->op, .node = n};
  bool before = m->decided;
  m->decided = false;
  if (!sum_of(m, n->arg[0], &cond.left) || !sum_of(m, n->arg[1], &cond.right)) {
    m->decided |= before;
    return m->asks ? -1 : -2;
  }
  if (m->decided) cond.node = NULL;
  m->decided |= before;
  if (n->op == OP_LT || n->op == OP_LE)
    for (int s = 0; s < 2; s++) {
      struct sum *side = s ? &cond.right : &cond.left, *other = s ? &cond.left : &cond.right;
      bool minus =
          side->state[0] + side->state[1] == UINT32_MAX && (!side->state[0] || !side->state[1]);
      if (!minus || !sum_is_const(other) || other->konst == 0x80000000u) continue;
      struct sum d = {0};
      sum_add(&d, side, UINT32_MAX);
      return negated(m, n->op, d, other->konst, s == 1);
    }
  return decide(m, cond);
}

// What a truth value is under the decisions: 0, 1, -1 (asked), -2 (failed).
static int truth(struct mapper *m, struct node *n) {
  if (n->op == OP_CONST) return n->value != 0;
  if (!inner(m, n)) {
    struct cond cond = {.op = OP_NE, .node = n};
    add_term(&cond.left, n, 1);
    return decide(m, cond);
  }
  bool logic = n->num_args == 2 && node_is_bool(n->arg[0]) && node_is_bool(n->arg[1]);
  if (logic && (n->op == OP_LAND || n->op == OP_LOR || n->op == OP_AND || n->op == OP_OR)) {
    bool and = n->op == OP_LAND || n->op == OP_AND;
    int x = truth(m, n->arg[m->second_first]);
    if (x == (and? 0 : 1)) return x;
    return both(x, truth(m, n->arg[!m->second_first]), and);
  }
  if (logic && (n->op == OP_EQ || n->op == OP_NE || n->op == OP_XOR)) {
    int x = truth(m, n->arg[0]), y = truth(m, n->arg[1]);
    return x < 0 ? x : y < 0 ? y : (x == y) == (n->op == OP_EQ);
  }
  if (n->op == OP_SELECT) {
    int x = truth(m, n->arg[0]);
    return x < 0 ? x : truth(m, n->arg[x ? 1 : 2]);
  }
  if (n->op >= OP_EQ && n->op <= OP_LE) return compare(m, n);
  fail(m, n, "this condition is not a comparison of sums");
  return -2;
}

// A choice that does not depend on the codelet's state, both arms with the same state words: the
// rest of the sum is chosen in an earlier stage.
static bool hoisted(struct mapper *m, struct node *n, struct sum *sum) {
  struct sum yes = {0}, no = {0};
  if (!sum_of(m, n->arg[1], &yes) || !sum_of(m, n->arg[2], &no)) return false;
  if (yes.state[0] != no.state[0] || yes.state[1] != no.state[1]) {
    truth(m, n->arg[0]);
    return false;
  }
  *sum = (struct sum){.state = {yes.state[0], yes.state[1]}};
  yes.state[0] = yes.state[1] = no.state[0] = no.state[1] = 0;
  struct node *x = sum_node(m->c, &yes), *y = sum_node(m->c, &no);
  if (!x || !y) return fail(m, n, "a product stands in this choice");
  struct sum chosen = {0};
  return sum_of(m, node_make(m->c, OP_SELECT, n->arg[0], x, y), &chosen) &&
         sum_add(sum, &chosen, 1);
}

bool sum_of(struct mapper *m, struct node *n, struct sum *sum) {
  struct sum x = {0}, y = {0};
  *sum = (struct sum){0};
  if (n->op == OP_CONST) {
    sum->konst = (uint32_t)n->value;
    return true;
  }
  if (n->op == OP_OLD && inner(m, n)) {
    sum->state[n->index != m->k->state[0]] = 1;
    return true;
  }
  if (n->op == OP_ADD || n->op == OP_SUB) {
    bool good = sum_of(m, n->arg[0], &x) && sum_of(m, n->arg[1], &y);
    if (good && sum_add(&x, &y, n->op == OP_ADD ? 1 : UINT32_MAX)) {
      *sum = x;
      return true;
    }
    if (inner(m, n))
      return m->asks || m->why[0] ? false : fail(m, n, "this sum has too many terms");
  }
  if (!inner(m, n)) return add_term(sum, n, 1);
  if (n->op == OP_SHL && n->arg[1]->op == OP_CONST && sum_of(m, n->arg[0], &x))
    return sum_add(sum, &x, 1u << (n->arg[1]->value & 31));
  if (n->op == OP_SELECT) {
    unsigned asked = m->asks;
    int yes = truth(m, n->arg[0]);
    if (yes >= 0) return sum_of(m, n->arg[yes ? 1 : 2], sum);
    if (!m->hoist || inner(m, n->arg[0]) || asked) return false;
    m->asks = false;
    return hoisted(m, n, sum);
  }
  if (node_is_bool(n)) {
    int yes = truth(m, n);
    sum->konst = yes == 1;
    return yes >= 0;
  }
  char why[120];
  snprintf(why, sizeof why,
           "the new value holds '%s' of the old one; the state unit only adds and subtracts",
           op_text(n->op));
  return m->asks ? false : fail(m, n, why);
}

// ---- the tree -----------------------------------------------------------------------------------

static bool tree_equal(const struct tree *a, const struct tree *b) {
  if (a->leaf != b->leaf) return false;
  if (a->leaf) return sum_equal(&a->word[0], &b->word[0]) && sum_equal(&a->word[1], &b->word[1]);
  return cond_equal(&a->cond, &b->cond) && tree_equal(a->yes, b->yes) && tree_equal(a->no, b->no);
}

static bool word(struct mapper *m, unsigned i, struct sum *sum) {
  if (i < m->k->num_states) return sum_of(m, m->c->graph->access[m->k->state[i]].new_value, sum);
  *sum = (struct sum){.state = {0, 1}};
  return true;
}

static struct tree *grow(struct mapper *m) {
  struct tree *t = NEW(m->c->arena, struct tree);
  unsigned first = m->second_first;
  m->asks = false;
  if (m->first && m->num_decisions == 0) {
    m->ask = *m->first;
    m->asks = true;
  }
  t->leaf = !m->asks && word(m, first, &t->word[first]) && word(m, !first, &t->word[!first]);
  if (t->leaf) return t;
  if (!m->asks) return NULL;
  t->cond = m->ask;
  if (m->num_decisions == MAX_DECISIONS && !m->c->config->StatePairs) {
    if (!m->why[0]) one_comparison(m);
    return NULL;
  }
  if (m->num_decisions == MAX_DECISIONS) {
    fail(m, m->c->graph->access[m->k->state[0]].new_value,
         "its new value takes more conditions than the state instruction has (4, in two levels)");
    return NULL;
  }
  struct decision *d = &m->decision[m->num_decisions++];
  d->cond = &t->cond;
  d->yes = true;
  t->yes = grow(m);
  d->yes = false;
  t->no = t->yes ? grow(m) : NULL;
  m->num_decisions--;
  if (!t->yes || !t->no) return NULL;
  return tree_equal(t->yes, t->no) ? t->yes : t;
}

struct tree *tree_build(struct mapper *m) {
  m->num_decisions = 0;
  return grow(m);
}
