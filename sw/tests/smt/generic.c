// SPDX-License-Identifier: Apache-2.0
// Packets that stand for many (terms.h).
#include <string.h>

#include "terms.h"

enum { TRIES = 4000 };
static const int64_t BOX = 1 << 24;

static struct form plus(struct form x, const struct form *y, int sign) {
  for (unsigned f = 0; f < FIELDS; f++) x.times[f] += sign * y->times[f];
  x.konst += (uint32_t)sign * y->konst;
  return x;
}
static struct form constant(uint32_t value) { return (struct form){{0}, value}; }

static struct form term_form(struct term t, const struct form old[2]) {
  struct form x = {{0}, 0};
  if (t.kind == TERM_CONST) return constant(t.value);
  if (t.kind == TERM_STATE) return old[t.value];
  x.times[t.value] = 1;
  return x;
}

static struct form part_form(const struct condition *c) {
  struct form x = {{0}, 0};
  memcpy(x.times, c->times, sizeof x.times);
  x.konst = c->plus;
  return x;
}

static uint32_t value(const struct form *x, const uint32_t field[FIELDS]) {
  uint32_t sum = x->konst;
  for (unsigned f = 0; f < FIELDS; f++) sum += (uint32_t)x->times[f] * field[f];
  return sum;
}

static bool same_times(const struct form *x, const struct form *y) {
  return memcmp(x->times, y->times, sizeof x->times) == 0;
}

// What the form adds at most, and takes away, when each field grows by up to BOX.
static void span(const struct form *x, int64_t *least, int64_t *most) {
  *least = *most = 0;
  for (unsigned f = 0; f < FIELDS; f++) *(x->times[f] < 0 ? least : most) += x->times[f] * BOX;
}

// Whether x stays on its side of y, or at its distance, all over the box, both as numbers that do
// not go over the end.
static bool apart(int64_t at_x, const struct form *x, int64_t at_y, const struct form *y) {
  int64_t least, most;
  const struct form d = plus(*x, y, -1);
  span(&d, &least, &most);
  return same_times(x, y) || at_x - at_y + least > 1 || at_x - at_y + most < -1;
}
static bool within(int64_t at, const struct form *x, int64_t low, int64_t high) {
  int64_t least, most;
  span(x, &least, &most);
  return at + least >= low && at + most <= high;
}

// All numbers of a list have one order, unsigned, all over the box, and stay on their side of the
// least signed one.
static bool ordered(const struct generic *g, const struct form *list, unsigned num) {
  for (unsigned i = 0; i < num; i++) {
    const int64_t x = value(&list[i], g->p.field);
    const bool high = x >= INT64_C(1) << 31;
    if (!within(x, &list[i], high ? INT64_C(1) << 31 : 0, high ? UINT32_MAX : INT32_MAX))
      return false;
    for (unsigned j = 0; j < i; j++)
      if (!apart(x, &list[i], value(&list[j], g->p.field), &list[j])) return false;
  }
  return true;
}

// What is equal is so all over the box: only the same forms are.
static bool equal_by_form(const struct generic *g, const struct form *list, unsigned num) {
  for (unsigned i = 0; i < num; i++)
    for (unsigned j = 0; j < i; j++)
      if (value(&list[i], g->p.field) == value(&list[j], g->p.field) &&
          !same_times(&list[i], &list[j]))
        return false;
  return true;
}

// The condition has its answer all over the box.
static bool decided(const struct generic *g, const struct condition *c, const struct form old[2]) {
  struct form x = part_form(c), y = term_form(c->right, old);
  if (c->state) x = plus(x, &old[c->state - 1], 1);
  const int64_t at_x = (int32_t)value(&x, g->p.field), at_y = (int32_t)value(&y, g->p.field);
  return within(at_x, &x, INT32_MIN, INT32_MAX) && within(at_y, &y, INT32_MIN, INT32_MAX) &&
         apart(at_x, &x, at_y, &y);
}

static void add_point(const struct update *u, struct generic *g, const struct form old[2]) {
  struct packet *p = &g->p;
  const unsigned n = p->num;
  for (unsigned w = 0; w < 2; w++) {
    g->old[n][w] = w < u->words ? old[w] : constant(0);
    p->old[n][w] = value(&g->old[n][w], p->field);
  }
  for (unsigned i = 0; i < n; i++)
    if (p->old[i][0] == p->old[n][0] && p->old[i][1] == p->old[n][1]) return;
  if (n == MAX_POINTS) return;
  p->num++;
}

// Old words at the borders of the conditions, as forms. The other word is somewhere, or at a
// border.
static void points(const struct update *u, struct generic *g, struct sluice_rng *rng) {
  struct form border[2][12];
  unsigned num[2] = {0, 0};
  g->p.num = 0;
  for (unsigned w = 0; w < 2; w++) border[w][num[w]++] = constant((uint32_t)sluice_rng_next(rng));
  for (unsigned i = 0; i < u->num; i++) {
    const struct condition *c = &u->branch[i].condition;
    if (u->branch[i].leaf || !c->state || c->right.kind == TERM_STATE || num[c->state - 1] > 10)
      continue;
    const struct form part = part_form(c), right = term_form(c->right, NULL);
    border[c->state - 1][num[c->state - 1]++] = plus(right, &part, -1);
  }
  for (unsigned i = 0; i < u->num; i++) {
    const struct condition *c = &u->branch[i].condition;
    if (u->branch[i].leaf || condition_of_packet(c)) continue;
    const struct form part = part_form(c);
    for (uint32_t d = 0; d < 4; d++) {
      struct form old[2];
      for (unsigned w = 0; w < 2; w++) old[w] = border[w][sluice_rng_below(rng, num[w])];
      const bool state = c->right.kind == TERM_STATE;
      const unsigned mine = c->state ? c->state - 1 : c->right.value;
      const struct form left = constant(d == 3 ? 0x80000000u : d - 1);
      if (state && c->state) {
        old[mine] = plus(old[c->right.value], &part, -1);
      } else if (state) {
        old[mine] = part;
      } else {
        const struct form right = d == 3 ? constant(0) : term_form(c->right, NULL);
        old[mine] = plus(right, &part, -1);
      }
      old[mine] = plus(old[mine], &left, 1);
      add_point(u, g, old);
    }
  }
  for (unsigned i = 0; i < 4; i++)
    add_point(u, g,
              (struct form[2]){border[0][sluice_rng_below(rng, num[0])],
                               border[1][sluice_rng_below(rng, num[1])]});
}

// New words as forms; false: a condition is not decided.
static bool run(const struct update *u, struct generic *g, unsigned n) {
  const struct branch *b = &u->branch[0];
  while (!b->leaf) {
    if (!decided(g, &b->condition, g->old[n])) return false;
    b = &u->branch[condition_holds(&b->condition, g->p.field, g->p.old[n]) ? b->yes : b->no];
  }
  for (unsigned w = 0; w < 2; w++) {
    g->now[n][w] = g->old[n][w];
    if (w < u->words) {
      const struct assignment *a = &b->word[w];
      const struct form x = term_form(a->a, g->old[n]), y = term_form(a->b, g->old[n]);
      const struct form sum = plus(x, &y, a->sub ? -1 : 1);
      g->now[n][w] = a->keep ? plus(sum, &g->old[n][w], 1) : sum;
    }
    g->p.now[n][w] = value(&g->now[n][w], g->p.field);
  }
  return true;
}

bool generic_draw(const struct update *u, struct generic *g, struct sluice_rng *rng) {
  for (unsigned t = 0; t < TRIES; t++) {
    for (unsigned f = 0; f < FIELDS; f++) {
      g->p.field[f] = (uint32_t)sluice_rng_next(rng);
      if (sluice_rng_below(rng, 2)) g->p.field[f] = (uint32_t)((int32_t)g->p.field[f] >> 6);
    }
    points(u, g, rng);
    bool good = g->p.num > 1;
    for (unsigned i = 0; good && i < g->p.num; i++) good = run(u, g, i);
    for (unsigned w = 0; good && w < u->words; w++) {
      struct form list[3 * MAX_POINTS];
      unsigned num = 0;
      for (unsigned i = 0; i < g->p.num; i++) list[num++] = g->old[i][w];
      good = ordered(g, list, num);
      num = 0;
      for (unsigned i = 0; i < g->p.num; i++) list[num++] = g->now[i][w];
      good = good && equal_by_form(g, list, num);
      for (unsigned i = 0; i < g->p.num; i++) list[i] = plus(g->now[i][w], &g->old[i][w], -1);
      good = good && equal_by_form(g, list, num);
      num = 0;
      const struct form one = constant(1), least = constant(0x80000000u);
      for (unsigned i = 0; u->words == 2 && i < g->p.num; i++) {
        list[num++] = plus(g->old[i][1 - w], &g->old[i][w], -1);
        list[num] = plus(list[num - 1], &one, 1);
        num++;
        list[num++] = plus(least, &g->old[i][w], -1);
      }
      good = good && ordered(g, list, num);
    }
    if (good) return true;
  }
  return false;
}
