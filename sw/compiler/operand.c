// SPDX-License-Identifier: Apache-2.0
// Values for the packet operands, computed in earlier stages: sums, and choices between sums by the
// conditions of the situations. What is made is the same however the text chose.
#include <string.h>

#include "mapper.h"

// The level at which a value is there. What depends on another array comes after a stage of its
// own, behind the front stages.
static unsigned arrival(struct mapper *m, const struct node *n) {
  enum { MOST_NODES = 32768 };
  if (!n->states) return n->level;
  if (n->op == OP_OLD) return m->ir->config->FrontStages + 1;
  if (!m->arrival) m->arrival = NEW_ARRAY(m->ir->arena, uint16_t, MOST_NODES);
  if (n->id >= MOST_NODES) return n->level;
  if (m->arrival[n->id]) return m->arrival[n->id];
  unsigned at = 0;
  for (unsigned i = 0; i < n->num_args; i++) {
    unsigned there = arrival(m, n->arg[i]) + 1;
    if (there > at) at = there;
  }
  m->arrival[n->id] = (uint16_t)at;
  return at;
}

unsigned node_cost(struct mapper *m, const struct node *n) {
  if (n->op == OP_PARAM) return 1;
  return n->op == OP_CONST ? (uint32_t)n->value > 7 : arrival(m, n);
}

// times * atom, of few shifted copies, in signed digits.
static struct node *product(struct mapper *m, struct node *atom, uint32_t times) {
  enum { MOST_DIGITS = 4, MOST_DOUBLINGS = 2 };
  struct node *sum = NULL;
  unsigned digits = 0;
  for (unsigned bit = 0; bit < 32 && times >> bit; bit++) {
    if (!(times >> bit & 1)) continue;
    bool minus = bit < 31 && (times >> bit & 3) == 3;
    if (++digits > MOST_DIGITS) return NULL;
    struct node *term = atom;
    // Where there are no shifters, a shift that is left is refused when tasks are known, as in
    // lower.c.
    bool shifts = bit && (m->ir->config->Shifters || bit > MOST_DOUBLINGS);
    if (shifts) term = node_make(m->ir, OP_SHL, atom, node_const(m->ir, (int32_t)bit), NULL);
    for (unsigned i = 0; i < bit && !shifts; i++) term = node_make(m->ir, OP_ADD, term, term, NULL);
    if (!sum && minus) sum = node_const(m->ir, 0);
    sum = sum ? node_make(m->ir, minus ? OP_SUB : OP_ADD, sum, term, NULL) : term;
    times = minus ? times + (1u << bit) : times - (1u << bit);
  }
  return sum;
}

// The value of the text that is this sum, if there is one.
static struct node *known_node(const struct mapper *m, const struct sum *sum) {
  struct node *best = NULL;
  for (unsigned i = 0; m->plain && i < m->num_cone; i++) {
    if (!m->is_plain[i]) continue;
    struct node *n = m->cone[i];
    if ((n->op != OP_ADD && n->op != OP_SUB && n->op != OP_SHL) || n->states & m->own) continue;
    if (sum_equal(&m->plain[i], sum) && (!best || n->level < best->level)) best = n;
  }
  return best;
}

// The sum as a value of the text and a rest of fewer terms; NULL: there is no such value.
static struct node *with_known(struct mapper *m, const struct sum *sum) {
  struct node *best = NULL;
  struct sum rest_of_best = *sum;
  bool minus = false;
  for (unsigned i = 0; m->plain && i < m->num_cone; i++) {
    struct node *n = m->cone[i];
    if (!m->is_plain[i] || m->plain[i].num < 2 || !sum_is_packet(&m->plain[i])) continue;
    // A choice that is always the same leaves no state in the sum, but the value still needs it.
    if (n->states & m->own) continue;
    if (n->op != OP_ADD && n->op != OP_SUB && n->op != OP_SHL) continue;
    for (int sign = 0; sign < 2; sign++) {
      struct sum rest = *sum;
      if (!sum_add(&rest, &m->plain[i], sign ? 1 : UINT32_MAX) || rest.num + 1 >= sum->num ||
          rest.num >= rest_of_best.num)
        continue;
      best = n;
      rest_of_best = rest;
      minus = sign;
    }
  }
  struct node *rest = best ? sum_node(m, &rest_of_best) : NULL;
  return rest ? node_make(m->ir, minus ? OP_SUB : OP_ADD, rest, best, NULL) : NULL;
}

static uint32_t magnitude(uint32_t x) { return x > 0x80000000u ? 0u - x : x; }

// 10 * a - 10 * b as 10 * (a - b); NULL: no factor is common.
static struct node *factored(struct mapper *m, const struct sum *sum) {
  uint32_t common = 0;
  for (unsigned i = 0; i < sum->num; i++)
    for (uint32_t a = magnitude(sum->term[i].times); a;) {
      uint32_t rest = common % a;
      common = a;
      a = rest;
    }
  if (sum->num < 2 || common < 2) return NULL;
  struct sum inside = *sum;
  inside.konst = 0;
  for (unsigned i = 0; i < sum->num; i++) {
    bool minus = sum->term[i].times > 0x80000000u;
    inside.term[i].times = magnitude(sum->term[i].times) / common;
    if (minus) inside.term[i].times = 0u - inside.term[i].times;
  }
  struct node *n = sum_node(m, &inside);
  n = n ? product(m, n, common) : NULL;
  return n ? node_make(m->ir, OP_ADD, n, node_const(m->ir, (int32_t)sum->konst), NULL) : NULL;
}

struct node *sum_node(struct mapper *m, const struct sum *sum) {
  struct node *n = NULL;
  if (sum_is_const(sum)) return node_const(m->ir, (int32_t)sum->konst);
  if (sum->num == 1 && sum->term[0].times == 1 && !sum->konst) return sum->term[0].atom;
  struct node *there = known_node(m, sum);
  if (!there && sum->num > 1) there = with_known(m, sum);
  if (!there) there = factored(m, sum);
  if (there) return there;
  bool started_with_constant = false;
  for (int sign = 0; sign < 2; sign++)  // what is added first, then what is taken away
    for (unsigned i = 0; i < sum->num; i++) {
      uint32_t times = sum->term[i].times;
      bool minus = times > 0x80000000u;
      if (minus != (sign == 1)) continue;
      struct node *term = product(m, sum->term[i].atom, minus ? 0u - times : times);
      if (!term) return NULL;
      if (!n && sign) {
        n = node_const(m->ir, (int32_t)sum->konst);
        started_with_constant = true;
      }
      n = !n ? term : node_make(m->ir, sign ? OP_SUB : OP_ADD, n, term, NULL);
    }
  return started_with_constant
             ? n
             : node_make(m->ir, OP_ADD, n, node_const(m->ir, (int32_t)sum->konst), NULL);
}

// ---- choices ------------------------------------------------------------------------------------

// A choice among a list of situations (bit i: situation i) is a value that is right wherever one of
// them holds. It is made once for each list.
enum { MAX_LISTS = 512, MAX_EDGES = 24, EASY = 4, MOST_TRIES = 200 };
struct list {
  uint64_t members;
  struct node *node;
};
struct choice {
  struct mapper *m;
  const struct sum *value;
  struct list list[MAX_LISTS];
  unsigned num_lists, tries;
};

// Splits a sum into what is added and what is taken away, so that a - b == 0 is a == b.
static void sides(const struct sum *sum, uint32_t konst, struct sum *left, struct sum *right) {
  *left = *right = (struct sum){0};
  right->konst = konst;
  for (unsigned i = 0; i < sum->num; i++) {
    struct sum term = sum_of_atom(sum->term[i].atom);
    bool minus = sum->term[i].times > 0x80000000u;
    sum_add(minus ? right : left, &term, minus ? 0u - sum->term[i].times : sum->term[i].times);
  }
}

// if the subject is in `set` then yes else no. The set is one range, or one order.
static struct node *select_by(struct mapper *m, unsigned subject, const struct set *set,
                              struct node *yes, struct node *no) {
  const struct subject *s = &m->subject[subject];
  struct sum left = s->x, right = s->y;
  uint32_t low = set->part[0].low, high = set->part[0].high;
  enum op op = OP_LT;
  if (s->order) {
    if (low == SAME) op = OP_EQ;
    if (low == MORE) left = s->y, right = s->x;
  } else if (low == 0) {
    right = sum_of_const(KEY(high) + 1);
  } else if (low == high) {
    op = OP_EQ;
    sides(&s->x, KEY(low), &left, &right);
  } else {  // moved so that it begins with the least number
    left.konst += 0u - low;
    right = sum_of_const(KEY(high - low) + 1);
  }
  struct node *x = sum_node(m, &left), *y = sum_node(m, &right);
  if (!x || !y || !yes || !no) return NULL;
  if (op == OP_EQ && node_is(y, 0)) return node_make(m->ir, OP_SELECT, x, no, yes);
  if (op == OP_EQ && node_is(y, 1) && node_is_bool(x))
    return node_make(m->ir, OP_SELECT, x, yes, no);
  return node_make(m->ir, OP_SELECT, node_make(m->ir, op, x, y, NULL), yes, no);
}

// The members that are possible inside a set, and those outside.
static void part(const struct choice *h, uint64_t members, unsigned subject, const struct set *set,
                 uint64_t *in, uint64_t *out) {
  const struct subject *s = &h->m->subject[subject];
  *in = *out = 0;
  for (unsigned i = 0; i < h->m->num; i++) {
    if (!(members >> i & 1)) continue;
    const struct set *known = h->m->list[i].known[subject] ? h->m->list[i].known[subject]
                                                           : s->domain;
    if (set_meets(known, set)) *in |= UINT64_C(1) << i;
    if (!set_within(known, set)) *out |= UINT64_C(1) << i;
  }
}

// Where situations differ in a value: its sets begin there.
static unsigned edges(const struct choice *h, uint64_t members, unsigned subject, uint32_t *edge) {
  unsigned num = 0;
  for (unsigned i = 0; i < h->m->num; i++) {
    const struct set *set = members >> i & 1 ? h->m->list[i].known[subject] : NULL;
    for (unsigned p = 0; set && p < set->num; p++)
      for (int end = 0; end < 2; end++) {
        uint32_t at = end ? set->part[p].high + 1 : set->part[p].low;
        unsigned j = 0;
        if (at == 0) continue;
        while (j < num && edge[j] < at) j++;
        if ((j < num && edge[j] == at) || num == MAX_EDGES) continue;
        for (unsigned k = num++; k > j; k--) edge[k] = edge[k - 1];
        edge[j] = at;
      }
  }
  return num;
}

struct cut {
  unsigned subject;
  const struct set *set;
  uint64_t in, out;
  unsigned size;  // of the larger part
};
enum { MAX_CUTS = 64 };

static unsigned members_of(uint64_t list) {
  unsigned num = 0;
  for (; list; list &= list - 1) num++;
  return num;
}

static void add_cut(const struct choice *h, uint64_t members, unsigned subject,
                    const struct set *set, struct cut *cut, unsigned *num) {
  struct cut made = {.subject = subject, .set = set};
  if (*num == MAX_CUTS) return;
  part(h, members, subject, set, &made.in, &made.out);
  if (made.in == members || made.out == members) return;
  unsigned in = members_of(made.in), out = members_of(made.out);
  made.size = in > out ? in : out;
  cut[(*num)++] = made;
}

// The ways to part a list: below a number, at a number, between two; and by an order.
static unsigned cuts(const struct choice *h, uint64_t members, struct cut *cut) {
  struct arena *arena = h->m->ir->arena;
  unsigned num = 0;
  for (int between = 0; between < 2 && !num; between++)
    for (unsigned s = 0; s < h->m->num_subjects; s++) {
      uint32_t edge[MAX_EDGES];
      if (h->m->subject[s].own) continue;
      if (h->m->subject[s].order) {
        for (unsigned which = LESS; which <= MORE; which++)
          add_cut(h, members, s, set_range(arena, which, which), cut, &num);
        continue;
      }
      unsigned ends = edges(h, members, s, edge);
      for (unsigned i = 0; i < ends; i++) {
        bool single = i + 1 < ends ? edge[i + 1] == edge[i] + 1 : edge[i] == UINT32_MAX;
        if (!between) add_cut(h, members, s, set_range(arena, 0, edge[i] - 1), cut, &num);
        if (!between && single)
          add_cut(h, members, s, set_range(arena, edge[i], edge[i]), cut, &num);
        for (unsigned j = i + 1; between && j < ends; j++)
          add_cut(h, members, s, set_range(arena, edge[i], edge[j] - 1), cut, &num);
      }
    }
  return num;
}

static struct node *choose(struct choice *h, uint64_t members);

static struct node *choose_by_cuts(struct choice *h, uint64_t members) {
  struct cut cut[MAX_CUTS];
  unsigned num = cuts(h, members, cut), least = UINT32_MAX;
  bool easy = members_of(members) <= EASY && h->tries < MOST_TRIES;
  struct node *best = NULL;
  for (unsigned i = 0; i < num; i++)
    if (cut[i].size < least) least = cut[i].size;
  for (unsigned i = 0; i < num; i++) {
    if (!easy && (cut[i].size > least || best)) continue;
    struct node *made =
        select_by(h->m, cut[i].subject, cut[i].set, choose(h, cut[i].in), choose(h, cut[i].out));
    if (made && (!best || node_cost(h->m, made) < node_cost(h->m, best))) best = made;
  }
  return best;
}

static struct node *choose(struct choice *h, uint64_t members) {
  struct mapper *m = h->m;
  for (unsigned i = 0; i < h->num_lists; i++)
    if (h->list[i].members == members) return h->list[i].node;
  if (h->num_lists == MAX_LISTS) return NULL;
  h->tries++;
  struct node *found = NULL;
  bool one = false;  // one value is right for all of them
  for (uint64_t rest = members; rest && !one; rest &= rest - 1) {
    const unsigned t = (unsigned)__builtin_ctzll(rest);
    one = true;
    for (unsigned i = 0; i < m->num && one; i++) {
      if (!(members >> i & 1)) continue;
      struct sum a = sum_known(m, m->list[i].known, &h->value[t]),
                 b = sum_known(m, m->list[i].known, &h->value[i]);
      one = sum_equal(&a, &b);
    }
    if (one) found = sum_node(m, &h->value[t]);
  }
  if (!one) found = choose_by_cuts(h, members);
  if (h->num_lists < MAX_LISTS) h->list[h->num_lists++] = (struct list){members, found};
  return found;
}

struct node *choice_node(struct mapper *m, const struct sum *value, const bool *care) {
  struct choice *h = NEW(m->ir->arena, struct choice);
  uint64_t members = 0;
  h->m = m;
  h->value = value;
  for (unsigned i = 0; i < m->num; i++)
    if (care[i]) members |= UINT64_C(1) << i;
  return members ? choose(h, members) : node_const(m->ir, 0);
}
