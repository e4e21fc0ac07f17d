// SPDX-License-Identifier: Apache-2.0
// Sums of values, which are what the state unit can add and compare.
#include "mapper.h"

static bool add_term(struct sum *s, struct node *atom, uint32_t times) {
  unsigned i = 0;
  while (i < s->num && s->term[i].atom->id < atom->id) i++;
  if (i < s->num && s->term[i].atom == atom) {
    s->term[i].times += times;
    if (s->term[i].times) return true;
    for (s->num--; i < s->num; i++) s->term[i] = s->term[i + 1];
    return true;
  }
  if (times == 0) return true;
  if (s->num == MAX_TERMS) return false;
  for (unsigned j = s->num++; j > i; j--) s->term[j] = s->term[j - 1];
  s->term[i].atom = atom;
  s->term[i].times = times;
  return true;
}

bool sum_add(struct sum *a, const struct sum *b, uint32_t times) {
  struct sum made = *a;
  made.konst += times * b->konst;
  for (int i = 0; i < 2; i++) made.state[i] += times * b->state[i];
  for (unsigned i = 0; i < b->num; i++)
    if (!add_term(&made, b->term[i].atom, times * b->term[i].times)) return false;
  *a = made;
  return true;
}

struct sum sum_times(const struct sum *a, uint32_t times) {
  struct sum made = {0};
  sum_add(&made, a, times);
  return made;
}

bool sum_is_packet(const struct sum *a) { return !a->state[0] && !a->state[1]; }
bool sum_is_const(const struct sum *a) { return !a->num && sum_is_packet(a); }

int sum_is_state(const struct sum *a) {
  if (a->konst || a->num) return -1;
  if (a->state[0] == 1 && a->state[1] == 0) return 0;
  return a->state[0] == 0 && a->state[1] == 1 ? 1 : -1;
}

bool sum_equal(const struct sum *a, const struct sum *b) {
  if (a->konst != b->konst || a->num != b->num || a->state[0] != b->state[0] ||
      a->state[1] != b->state[1])
    return false;
  for (unsigned i = 0; i < a->num; i++)
    if (a->term[i].atom != b->term[i].atom || a->term[i].times != b->term[i].times) return false;
  return true;
}

struct sum sum_of_const(uint32_t konst) {
  return (struct sum){.konst = konst};
}

struct sum sum_of_state(unsigned word) {
  struct sum made = {0};
  made.state[word] = 1;
  return made;
}

struct sum sum_of_atom(struct node *atom) {
  struct sum made = {0};
  add_term(&made, atom, 1);
  return made;
}
