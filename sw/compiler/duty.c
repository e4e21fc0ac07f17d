// SPDX-License-Identifier: Apache-2.0
// What is left to do on the way to an arm: for each situation the leaves that can still happen, and
// whether they all want the same. Open operands get their values here, and lose them when the
// search goes back.
#include "search.h"

// ---- what can happen ----------------------------------------------------------------------------

// Whether the leaf can happen where all cuts hold; what several cuts leave of one subject counts
// together.
bool duty_meets(const struct search *s, const struct leaf *leaf, const struct duty *d) {
  const struct set *left[MAX_CUTS];
  for (unsigned i = 0; i < d->num_cuts; i++) {
    const struct set *on = leaf->on[d->cut[i].subject];
    if (on && !set_meets(on, d->cut[i].set)) return false;
    left[i] = NULL;
    for (unsigned j = 0; j < i; j++)
      if (d->cut[j].subject == d->cut[i].subject) {
        const struct set *before = left[j] ? left[j] : d->cut[j].set;
        if (!left[j] && on) before = set_and(s->m->ir->arena, on, before);
        left[i] = before ? set_and(s->m->ir->arena, before, d->cut[i].set) : NULL;
        if (left[i] && !left[i]->num) return false;
      }
  }
  return true;
}

// The sum where old words are but one number each.
struct sum facts_apply(const struct facts *facts, const struct sum *sum) {
  struct sum made = *sum;
  for (int w = 0; w < 2; w++) {
    if (!facts->told[w]) continue;
    made.konst += made.state[w] * facts->old[w];
    made.state[w] = 0;
  }
  return made;
}

static bool agrees(const struct facts *facts, const struct sum *a, const struct sum *b) {
  if (sum_equal(a, b)) return true;
  if (!facts->told[0] && !facts->told[1]) return false;
  struct sum x = facts_apply(facts, a), y = facts_apply(facts, b);
  return sum_equal(&x, &y);
}

// What the leaf and the cuts on the way tell of the old words.
static struct facts facts_of(const struct search *s, const struct leaf *leaf,
                             const struct duty *d) {
  struct facts made = {{leaf->told[0], leaf->told[1]}, {leaf->old[0], leaf->old[1]}};
  for (unsigned i = 0; i < d->num_cuts; i++) {
    const struct subject *x = &s->m->subject[d->cut[i].subject];
    const struct set *on = d->cut[i].set, *here = leaf->on[d->cut[i].subject];
    const int w = x->order ? -1 : sum_is_state(&x->x);
    if (w < 0) continue;
    if (here) on = set_and(s->m->ir->arena, on, here);
    if (!on || on->num != 1 || on->part[0].low != on->part[0].high) continue;
    made.told[w] = true;
    made.old[w] = KEY(on->part[0].low);
  }
  return made;
}

// Finds out what can happen.
void duty_look(const struct search *s, struct duty *d) {
  const struct situation *at = &s->m->list[d->situation];
  const struct leaf *list[MAX_LEAVES];
  unsigned num = 0;
  for (unsigned i = 0; i < at->num_leaves; i++)
    if (duty_meets(s, &at->leaf[i], d)) list[num++] = &at->leaf[i];
  struct facts facts[MAX_LEAVES];
  d->facts = (struct facts){{true, true}, {0, 0}};
  for (unsigned i = 0; i < num; i++) {
    facts[i] = facts_of(s, list[i], d);
    for (unsigned w = 0; w < 2; w++) {
      d->facts.told[w] &= facts[i].told[w] && (i == 0 || facts[i].old[w] == d->facts.old[w]);
      d->facts.old[w] = facts[i].old[w];
    }
  }
  d->idle = num == 0;
  d->leaf = NULL;
  for (unsigned i = 0; i < num && !d->leaf; i++) {
    bool good = true;
    for (unsigned j = 0; j < num && good; j++)
      for (unsigned w = 0; w < 2 && good; w++)
        good = agrees(&facts[j], &list[i]->word[w], &list[j]->word[w]);
    if (good) d->leaf = list[i];
  }
  d->unchanged = d->leaf;
  for (unsigned i = 0; i < num; i++)
    for (unsigned w = 0; d->unchanged && w < s->m->k->num_states; w++) {
      static const struct sum keep[2] = {{.state = {1, 0}}, {.state = {0, 1}}};
      d->unchanged = agrees(&facts[i], &list[i]->word[w], &keep[w]);
    }
}

bool duties_settled(const struct duties *d) {
  for (unsigned i = 0; i < d->num; i++)
    if (!d->list[i].leaf) return false;
  return true;
}

bool duties_unchanged(const struct duties *d) {
  for (unsigned i = 0; i < d->num; i++)
    if (!d->list[i].unchanged) return false;
  return true;
}

// ---- open operands ------------------------------------------------------------------------------

bool operand_bound(const struct search *s, unsigned operand, unsigned situation) {
  return s->found.bound[operand][situation];
}

void operand_bind(struct search *s, unsigned operand, unsigned situation, const struct sum *value) {
  // All situations that do the same get the same operand.
  for (unsigned i = 0; i < s->m->num; i++) {
    if (s->m->list[i].group != s->m->list[situation].group || s->found.bound[operand][i]) continue;
    s->found.value[operand][i] = *value;
    s->reduced[operand][i] = sum_known(s->m, s->m->list[i].known, value);
    s->found.bound[operand][i] = true;
    s->trail[s->num_trail++] = 2 * i + operand;
  }
}

void operands_unbind(struct search *s, unsigned mark) {
  while (s->num_trail > mark) {
    unsigned at = s->trail[--s->num_trail];
    s->found.bound[at & 1][at >> 1] = false;
  }
}

bool operands_barred(const struct search *s) {
  for (unsigned operand = 0; s->special && operand < 2; operand++)
    for (unsigned i = 0; i < s->m->num; i++) {
      const struct sum *x = &s->found.value[operand][i];
      if (!s->barred[operand][s->m->list[i].group] || !s->found.bound[operand][i]) continue;
      const bool small = x->num == 1 && !x->konst && x->term[0].times == 1 &&
                         x->term[0].atom->umax < s->code;
      if (!small && !(sum_is_const(x) && x->konst != s->code)) return false;
    }
  return true;
}
