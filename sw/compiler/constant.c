// SPDX-License-Identifier: Apache-2.0
// The constants of an instruction: those that predicates compare with stand as they are; what arms
// add may also be the negative of one, or made of two. Few have to serve many.
#include <string.h>

#include "search.h"

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
    const uint32_t other[3] = {next->value - s->settled[i], next->value + s->settled[i],
                               s->settled[i] - next->value};
    for (int j = 0; j < 3; j++) {
      s->settled[num] = other[j];
      s->num_settled = num + 1;
      if (settle_from(s, done)) return true;
    }
  }
  s->num_settled = num;
  return false;
}

bool constants_settle(struct search *s) {
  memcpy(s->settled, s->konst, s->num_konst * sizeof *s->settled);
  s->num_settled = s->num_konst;
  return settle_from(s, 0);
}

bool constant_for_arm(struct search *s, uint32_t value, struct update *update) {
  s->need[s->num_need++] =
      (struct need){value, update, update->a == SLUICE_ARM_ZERO, update->b == SLUICE_ARM_ZERO};
  if (constants_settle(s)) return true;
  s->num_need--;
  return false;
}

// A constant of a predicate.
bool constant_for_predicate(struct search *s, uint32_t value, unsigned *index) {
  for (*index = 0; *index < s->num_konst; ++*index)
    if (s->konst[*index] == value) return true;
  if (s->num_konst == s->can->constants) return false;
  s->konst[s->num_konst++] = value;
  if (!s->num_need || constants_settle(s)) return true;
  s->num_konst--;
  return false;
}
