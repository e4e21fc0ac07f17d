// SPDX-License-Identifier: Apache-2.0
// Conditions in one form, however they are written: a subject and a set it is in. What is known on
// a way through a decision tree is a set for each subject, so `p.a == 1` decides `p.a == 2`,
// `p.a < 5` and `p.a != 1`.
#include "mapper.h"

static int compare_sums(const struct sum *a, const struct sum *b) {
  for (int i = 0; i < 2; i++)
    if (a->state[i] != b->state[i]) return a->state[i] > b->state[i] ? -1 : 1;  // state words first
  if (a->num != b->num) return a->num < b->num ? -1 : 1;
  for (unsigned i = 0; i < a->num; i++) {
    if (a->term[i].atom != b->term[i].atom)
      return a->term[i].atom->id < b->term[i].atom->id ? -1 : 1;
    if (a->term[i].times != b->term[i].times) return a->term[i].times < b->term[i].times ? -1 : 1;
  }
  return a->konst < b->konst ? -1 : a->konst > b->konst;
}

static bool negative(const struct sum *a) {
  uint32_t first = a->state[0]   ? a->state[0]
                   : a->state[1] ? a->state[1]
                   : a->num      ? a->term[0].times
                                 : 0;
  return first > 0x80000000u;
}

static const struct set *domain_of(struct mapper *m, const struct sum *x) {
  bool atom = sum_is_packet(x) && x->num == 1 && x->term[0].times == 1;
  uint32_t most = atom ? x->term[0].atom->umax : UINT32_MAX;
  return most <= INT32_MAX ? set_range(m->ir->arena, KEY(0), KEY(most))
                           : set_range(m->ir->arena, 0, UINT32_MAX);
}

// An order and the value x - y know of each other, whichever came first.
static void find_twin(struct mapper *m, struct subject *order) {
  struct sum x = order->x;
  if (order->twin != NONE || !sum_add(&x, &order->y, UINT32_MAX)) return;
  if (negative(&x)) x = sum_times(&x, UINT32_MAX);
  uint32_t edge = 0u - x.konst;
  x.konst = 0;
  for (unsigned i = 0; i < m->num_subjects; i++)
    if (!m->subject[i].order && sum_equal(&m->subject[i].x, &x)) {
      order->twin = i;
      order->edge = set_range(m->ir->arena, KEY(edge), KEY(edge));
    }
}

static unsigned find(struct mapper *m, bool order, const struct sum *x, const struct sum *y,
                     bool create) {
  for (unsigned i = 0; i < m->num_subjects; i++) {
    const struct subject *s = &m->subject[i];
    if (s->order == order && sum_equal(&s->x, x) && (!order || sum_equal(&s->y, y))) return i;
  }
  if (!create || m->num_subjects == MAX_SUBJECTS) return NONE;
  struct subject *s = &m->subject[m->num_subjects++];
  if (!m->same) m->same = set_range(m->ir->arena, SAME, SAME);
  *s = (struct subject){.order = order, .x = *x, .twin = NONE};
  if (order) s->y = *y;
  s->own = !sum_is_packet(x) || (order && !sum_is_packet(y));
  s->domain = order ? set_range(m->ir->arena, LESS, MORE) : domain_of(m, x);
  for (unsigned i = 0; i < m->num_subjects; i++)
    if (m->subject[i].order) find_twin(m, &m->subject[i]);
  return m->num_subjects - 1;
}

// x in low..high, as numbers, around the end if need be.
static struct cond value_in(struct mapper *m, const struct sum *x, uint32_t low, uint32_t high,
                            bool create) {
  struct sum u = *x;
  low -= u.konst;
  high -= u.konst;
  u.konst = 0;
  if (negative(&u)) {
    uint32_t was = low;
    u = sum_times(&u, UINT32_MAX);
    low = 0u - high;
    high = 0u - was;
  }
  struct cond made = {.fixed = -1, .subject = find(m, false, &u, NULL, create)};
  if (made.subject == NONE) made.fixed = -2;
  else made.set = set_range(m->ir->arena, KEY(low), KEY(high));
  return made;
}

static struct cond less(struct mapper *m, const struct sum *left, const struct sum *right,
                        bool create) {
  const uint32_t least = 0x80000000u, most = 0x7fffffffu;
  struct sum difference = *left;
  bool short_sum = sum_add(&difference, right, UINT32_MAX);
  if (sum_is_const(left) && sum_is_const(right))
    return (struct cond){.fixed = (int32_t)left->konst < (int32_t)right->konst};
  if (sum_is_const(left))
    return left->konst == most ? (struct cond){.fixed = 0}
                               : value_in(m, right, left->konst + 1, most, create);
  if (sum_is_const(right))
    return right->konst == least ? (struct cond){.fixed = 0}
                                 : value_in(m, left, least, right->konst - 1, create);
  if (short_sum && sum_is_const(&difference)) {
    // x + k < x: where the sum wraps if k is positive, where it does not if k is negative.
    uint32_t k = difference.konst;
    if (k == 0) return (struct cond){.fixed = 0};
    return value_in(m, right, least - k, most, create);
  }
  bool turn = compare_sums(left, right) > 0;
  struct cond made = {.fixed = -1,
                      .subject = find(m, true, turn ? right : left, turn ? left : right, create)};
  if (made.subject == NONE) made.fixed = -2;
  else made.set = set_range(m->ir->arena, turn ? MORE : LESS, turn ? MORE : LESS);
  return made;
}

static struct cond equal(struct mapper *m, const struct sum *left, const struct sum *right,
                         bool create) {
  struct sum difference = *left;
  if (!sum_add(&difference, right, UINT32_MAX)) return (struct cond){.fixed = -2};
  if (sum_is_const(&difference)) return (struct cond){.fixed = difference.konst == 0};
  return value_in(m, &difference, 0, 0, create);
}

struct cond cond_of(struct mapper *m, enum op op, const struct sum *left, const struct sum *right,
                    bool create) {
  struct cond made = op == OP_LT   ? less(m, left, right, create)
                     : op == OP_LE ? less(m, right, left, create)
                                   : equal(m, left, right, create);
  if (op != OP_LE && op != OP_NE) return made;
  if (made.fixed >= 0) made.fixed = !made.fixed;
  else if (made.fixed == -1) made.set = set_not(m->ir->arena, made.set);
  return made;
}

const struct set *subject_known(const struct mapper *m, const struct set *const *known,
                                unsigned subject) {
  const struct subject *s = &m->subject[subject];
  const struct set *found = known[subject] ? known[subject] : s->domain;
  for (unsigned i = 0; i < m->num_subjects; i++) {
    const struct subject *order = s->order ? s : &m->subject[i];
    if (!order->order || order->twin == NONE || (!s->order && order->twin != subject)) continue;
    unsigned other = s->order ? order->twin : i;
    const struct set *there = known[other] ? known[other] : m->subject[other].domain;
    const struct set *mine = s->order ? m->same : order->edge,
                     *its = s->order ? order->edge : m->same;
    const struct set *narrow = set_within(there, its)   ? mine
                               : !set_meets(there, its) ? set_not(m->ir->arena, mine)
                                                        : NULL;
    const struct set *both = narrow ? set_and(m->ir->arena, found, narrow) : NULL;
    if (both) found = both;
    if (s->order) break;
  }
  return found;
}

int cond_decide(const struct mapper *m, const struct set *const *known, const struct cond *cond) {
  if (cond->fixed != -1) return cond->fixed < 0 ? -1 : cond->fixed;
  const struct set *now = subject_known(m, known, cond->subject);
  return set_within(now, cond->set) ? 1 : !set_meets(now, cond->set) ? 0 : -1;
}
