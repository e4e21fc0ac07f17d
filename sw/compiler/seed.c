// SPDX-License-Identifier: Apache-2.0
// Which packet operands to try, cheapest first: values that stand in the update, truth values that
// tell its situations apart, and operands that the search may choose for itself. The cheapest
// operands for which there is an instruction win: they are ready earliest.
#include <stdlib.h>
#include <string.h>

#include "mapper.h"

enum { MAX_PAIRS = MAX_CANDIDATES * (MAX_CANDIDATES + 1) / 2 + 1, MAX_CLASSES = 5 };
struct pool {
  struct mapper *m;
  struct candidate list[MAX_CANDIDATES];
  unsigned num;
};

static struct candidate *add_node(struct pool *p, struct node *n) {
  if (!n || p->num == MAX_CANDIDATES) return NULL;
  for (unsigned i = 0; i < p->num; i++)
    if (p->list[i].node == n) return NULL;
  struct candidate *made = &p->list[p->num++];
  made->node = n;
  made->cost = node_cost(p->m, n);
  return made;
}

static void add_sum(struct pool *p, const struct sum *sum) {
  if (!sum_is_packet(sum)) return;
  struct candidate *made = add_node(p, sum_node(p->m, sum));
  if (!made) return;
  made->sum = *sum;
  for (unsigned i = 0; i < p->m->num; i++) {
    made->value[i] = *sum;
    made->reduced[i] = sum_known(p->m, p->m->list[i].known, sum);
  }
}

static struct sum packet_part(const struct sum *sum) {
  struct sum made = *sum;
  made.state[0] = made.state[1] = 0;
  return made;
}

static void add_parts(struct pool *p, const struct sum *sum) {
  struct sum rest = packet_part(sum), bare = rest;
  bare.konst = 0;
  for (unsigned i = 0; i < rest.num; i++) {
    struct sum atom = sum_of_atom(rest.term[i].atom);
    add_sum(p, &atom);
  }
  add_sum(p, &rest);
  if (rest.num) add_sum(p, &bare);
}

static void add_difference(struct pool *p, const struct sum *x, const struct sum *y) {
  struct sum difference = packet_part(x), other = packet_part(y);
  if (!sum_add(&difference, &other, UINT32_MAX)) return;
  struct sum minus = sum_times(&difference, UINT32_MAX);
  add_sum(p, &difference);
  add_sum(p, &minus);
}

static void add_constants(struct pool *p, const struct set *set) {
  for (unsigned i = 0; set && i < set->num && i < 4; i++) {
    struct sum low = sum_of_const(KEY(set->part[i].low)),
               above = sum_of_const(KEY(set->part[i].high + 1));
    if (set->part[i].low) add_sum(p, &low);
    if (set->part[i].high != UINT32_MAX) add_sum(p, &above);
  }
}

// A truth value that is the same for all situations of a class.
static void add_flag(struct pool *p, const unsigned *class, unsigned members) {
  struct candidate *best = NULL;
  struct sum value[2][MAX_CASES];
  struct node *node[2];
  bool care[MAX_CASES];
  for (int turn = 0; turn < 2; turn++) {
    for (unsigned i = 0; i < p->m->num; i++) {
      value[turn][i] = sum_of_const((members >> class[i] & 1) != (unsigned)turn);
      care[i] = true;
    }
    node[turn] = choice_node(p->m, value[turn], care);
  }
  int turn = node[1] && (!node[0] || node_cost(p->m, node[1]) < node_cost(p->m, node[0]));
  best = add_node(p, node[turn]);
  if (!best) return;
  best->sum = sum_of_atom(best->node);
  memcpy(best->value, value[turn], sizeof best->value);
  memcpy(best->reduced, value[turn], sizeof best->reduced);
}

// The number of the class.
static void add_code(struct pool *p, const unsigned *class) {
  struct sum value[MAX_CASES];
  bool care[MAX_CASES];
  for (unsigned i = 0; i < p->m->num; i++) {
    value[i] = sum_of_const(class[i]);
    care[i] = true;
  }
  struct candidate *made = add_node(p, choice_node(p->m, value, care));
  if (!made) return;
  made->sum = sum_of_atom(made->node);
  memcpy(made->value, value, sizeof value);
  memcpy(made->reduced, value, sizeof value);
}

// Situations of a class do the same; if that makes too many, to the state words at least.
static unsigned classes(const struct mapper *m, unsigned *class) {
  unsigned num = m->num_groups, first[MAX_CASES];
  for (unsigned i = 0; i < m->num; i++) class[i] = m->list[i].group;
  if (num <= MAX_CLASSES) return num;
  num = 0;
  for (unsigned i = 0; i < m->num; i++) {
    unsigned j = 0;
    for (; j < num; j++) {
      const struct situation *a = &m->list[i], *b = &m->list[first[j]];
      bool same = a->num_leaves == b->num_leaves;
      for (unsigned l = 0; same && l < a->num_leaves; l++)
        for (unsigned w = 0; w < 2; w++)
          same &= memcmp(a->leaf[l].word[w].state, b->leaf[l].word[w].state,
                         sizeof a->leaf[l].word[w].state) == 0;
      if (same) break;
    }
    if (j == num) first[num++] = i;
    class[i] = j;
  }
  return num;
}

// Truth values that the text computes.
static void add_flags_of_text(struct pool *p) {
  for (unsigned f = 0; f < p->m->num_flags; f++) {
    bool told = true;
    for (unsigned i = 0; i < p->m->num; i++) told &= p->m->list[i].flag[f] >= 0;
    struct candidate *made = told ? add_node(p, p->m->flag[f]) : NULL;
    if (!made) continue;
    made->sum = sum_of_atom(made->node);
    for (unsigned i = 0; i < p->m->num; i++)
      made->value[i] = made->reduced[i] = sum_of_const((uint32_t)p->m->list[i].flag[f]);
  }
}

static void fill_pool(struct pool *p) {
  struct mapper *m = p->m;
  for (unsigned i = 0; i < m->num; i++)
    for (unsigned l = 0; l < m->list[i].num_leaves; l++)
      for (unsigned w = 0; w < m->k->num_states; w++) add_parts(p, &m->list[i].leaf[l].word[w]);
  for (unsigned i = 0; i < m->num_subjects; i++) {
    const struct subject *s = &m->subject[i];
    const struct sum zero = {0};
    add_parts(p, &s->x);
    if (s->order) add_parts(p, &s->y);
    add_difference(p, &s->x, s->order ? &s->y : &zero);
    // x == 5 as x - 5 == 0, and the constants themselves where four are too few.
    for (unsigned j = 0; s->own && !s->order && j < m->num; j++)
      for (unsigned l = 0; l < m->list[j].num_leaves; l++) {
        const struct set *on = m->list[j].leaf[l].on[i];
        if (!on || !on->num) continue;
        add_constants(p, on);
        if (!sum_is_packet(&s->x) && s->x.num && on->num == 1 &&
            on->part[0].low == on->part[0].high) {
          struct sum less = packet_part(&s->x);
          less.konst -= KEY(on->part[0].low);
          add_sum(p, &less);
        }
      }
  }
  add_flags_of_text(p);
  unsigned class[MAX_CASES], num = classes(m, class);
  for (unsigned members = 1; num <= MAX_CLASSES && members + 1 < 1u << (num - 1); members++)
    add_flag(p, class, members);
  if (num > 1 && num <= MAX_CLASSES) add_flag(p, class, (1u << (num - 1)) - 1);
  if (num > 2 && num <= 8) add_code(p, class);
}

// ---- trying -------------------------------------------------------------------------------------

static unsigned cost_of(unsigned x, unsigned y, unsigned count) {
  return (x > y ? x : y) * 100 + (x + y) * 4 + count;
}

struct pair {
  unsigned a, b, cost;  // a, b: numbers in the pool; `num` of it: none
  bool given_up;
};

static int cheaper(const void *a, const void *b) {
  const struct pair *x = a, *y = b;
  if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return x->b < y->b ? -1 : x->b > y->b;
}

// What the predicates compute is told of, so that who else needs it reads it there.
static bool predicate_cond(struct mapper *m, const struct mapping *map, const struct sum operand[2],
                           const struct predicate *p, struct cond *cond) {
  static const int times[7][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, -1}, {-1, 1}};
  struct sum left = p->state ? sum_of_state(p->state - 1) : (struct sum){0}, right;
  if (p->rel >= SLUICE_REL_TRUE) return false;
  for (unsigned i = 0; i < 2; i++)
    if (times[p->packet][i] && !sum_add(&left, &operand[i], (uint32_t)times[p->packet][i]))
      return false;
  if (p->y >= SLUICE_PRED_Y_S1) right = sum_of_state(p->y - SLUICE_PRED_Y_S1);
  else if (p->y >= SLUICE_PRED_Y_P1) right = operand[p->y - SLUICE_PRED_Y_P1];
  else right = sum_of_const((uint32_t)map->konst[p->y]);
  static const enum op ops[] = {OP_EQ, OP_NE, OP_LT, OP_LE, OP_LT, OP_LE};
  bool turn = p->rel == SLUICE_REL_GT || p->rel == SLUICE_REL_GE;
  *cond = cond_of(m, ops[p->rel], turn ? &right : &left, turn ? &left : &right, false);
  return cond->fixed == -1 && m->subject[cond->subject].own;
}

static void swap_arms(struct mapping *map, unsigned a, unsigned b) {
  struct update was[2];
  memcpy(was, map->arm[a], sizeof was);
  memcpy(map->arm[a], map->arm[b], sizeof was);
  memcpy(map->arm[b], was, sizeof was);
}

// Turns predicate `which` around; false: the instruction has not the room for it.
static bool turn_predicate(struct mapping *map, unsigned which) {
  static const unsigned opposite[8] = {SLUICE_REL_NE,    SLUICE_REL_EQ,  SLUICE_REL_GE,
                                       SLUICE_REL_GT,    SLUICE_REL_LE,  SLUICE_REL_LT,
                                       SLUICE_REL_FALSE, SLUICE_REL_TRUE};
  if (which == 3 || (which == 0 && map->pred[3].rel != SLUICE_REL_TRUE)) return false;
  map->pred[which].rel = opposite[map->pred[which].rel];
  if (which) {
    swap_arms(map, which == 1 ? 0 : 2, which == 1 ? 1 : 3);
    return true;
  }
  struct predicate was = map->pred[1];
  map->pred[1] = map->pred[2];
  map->pred[2] = was;
  struct node *node = map->pred_node[1];
  map->pred_node[1] = map->pred_node[2];
  map->pred_node[2] = node;
  swap_arms(map, 0, 2);
  swap_arms(map, 1, 3);
  return true;
}

static void need(const struct mapper *m, bool *needed, const struct node *n) {
  if (n && n->id < m->num_placed) needed[n->id] = true;
}

// The values that are needed beside the update itself, when its result is there: by node.
static bool *outside(const struct mapper *m) {
  const struct graph *g = m->ir->graph;
  const unsigned num = g->num < m->num_placed ? g->num : m->num_placed;
  bool *needed = NEW_ARRAY(m->ir->arena, bool, num + 1),
       *result = NEW_ARRAY(m->ir->arena, bool, num + 1);
  for (unsigned i = 0; i < g->num_outputs; i++) need(m, needed, g->output[i].value);
  need(m, needed, g->port);
  need(m, needed, g->discard);
  for (unsigned s = 0; s < m->ir->program->num_states; s++) {
    const struct access *a = &g->access[s];
    if (!a->used) continue;
    need(m, needed, a->index);
    need(m, needed, a->guard);
    if (!(m->own >> s & 1)) need(m, needed, a->new_value);
    else if (a->new_value && a->new_value->id < num) result[a->new_value->id] = true;
  }
  for (unsigned i = num; i-- > 0;)
    for (unsigned j = 0; needed[i] && !result[i] && j < g->list[i]->num_args; j++)
      needed[g->list[i]->arg[j]->id] = true;
  return needed;
}

// First those that are needed elsewhere: a condition and its opposite may both be in the text, and
// a predicate is one of them.
static void find_conditions(struct mapper *m, struct mapping *map, const struct sum operand[2]) {
  const struct graph *g = m->ir->graph;
  const bool *needed = outside(m);
  for (unsigned round = 0; round < 4; round++)
    for (unsigned p = 0; p < 4; p++) {
      const bool turn = round & 1, elsewhere = round < 2;
      struct cond mine, its;
      if (map->pred_node[p] || !predicate_cond(m, map, operand, &map->pred[p], &mine)) continue;
      for (unsigned i = 0; i < m->num_placed && i < g->num && !map->pred_node[p]; i++) {
        struct node *n = g->list[i];
        struct sum left, right;
        if (!(n->states & m->own) || n->op < OP_EQ || n->op > OP_LE) continue;
        if (needed[i] != elsewhere) continue;
        if (!plain_sum(m, n->arg[0], &left) || !plain_sum(m, n->arg[1], &right)) continue;
        its = cond_of(m, n->op, &left, &right, false);
        if (its.fixed != -1 || its.subject != mine.subject) continue;
        const struct set *domain = m->subject[mine.subject].domain;
        const struct set *a = set_and(m->ir->arena, domain, mine.set),
                         *b = set_and(m->ir->arena, domain, its.set),
                         *inverse = set_not(m->ir->arena, mine.set);
        inverse = inverse ? set_and(m->ir->arena, domain, inverse) : NULL;
        if (a && b &&
            (turn ? inverse && set_equal(inverse, b) && turn_predicate(map, p) : set_equal(a, b)))
          map->pred_node[p] = n;
      }
    }
}

static struct mapping *finish(struct mapper *m, const struct solution *found,
                              struct node *const node[2], const struct sum operand[2]) {
  struct mapping *made = NEW(m->ir->arena, struct mapping);
  *made = found->map;
  made->operand[0] = node[0];
  made->operand[1] = node[1];
  find_conditions(m, made, operand);
  return made;
}

// The node of an operand that the search has chosen; NULL: there is none. *used: it is needed.
static struct node *chosen_node(struct mapper *m, const struct solution *found, unsigned operand,
                                bool *used) {
  *used = false;
  for (unsigned i = 0; i < m->num; i++) *used |= found->bound[operand][i];
  return *used ? choice_node(m, found->value[operand], found->bound[operand]) : NULL;
}

static struct mapping *with_choices(struct search *s, struct mapper *m, const struct pool *p,
                                    unsigned operands, unsigned *best_cost) {
  struct mapping *best = NULL;
  const struct candidate *none[2] = {NULL, NULL};
  for (unsigned a = 0; a <= p->num + 1; a++) {
    // One open operand, alone or beside each candidate; then two.
    const struct candidate *operand[2] = {a > 0 && a <= p->num ? &p->list[a - 1] : NULL, NULL};
    const bool open[2] = {a > p->num, true};
    if (operands < 2 && a > 0) break;
    if (operand[0] && cost_of(operand[0]->cost, 0, 1) >= *best_cost) continue;
    const bool alone[2] = {true, false};
    if (!search_run(s, a ? operand : none, a ? open : alone)) continue;
    const struct solution *found = search_solution(s);
    struct node *node[2] = {operand[0] ? operand[0]->node : NULL, NULL};
    unsigned cost[2] = {operand[0] ? operand[0]->cost : 0, 0}, count = operand[0] != NULL;
    bool good = true;
    for (unsigned i = 0; i < 2; i++) {
      bool used;
      if (node[i]) continue;
      node[i] = chosen_node(m, found, i, &used);
      good &= !used || node[i];
      if (node[i]) cost[i] = node_cost(m, node[i]), count++;
    }
    if (!good || cost_of(cost[0], cost[1], count) >= *best_cost) continue;
    struct sum sum[2] = {{0}, {0}};
    for (unsigned i = 0; i < 2; i++)
      if (node[i])
        sum[i] = operand[i]                ? operand[i]->sum
                 : node[i]->op == OP_CONST ? sum_of_const((uint32_t)node[i]->value)
                                           : sum_of_atom(node[i]);
    best = finish(m, found, node, sum);
    *best_cost = cost_of(cost[0], cost[1], count);
  }
  return best;
}

// Of a pair; NULL: none.
static const struct candidate *operand_of(const struct pool *p, unsigned number) {
  return number == p->num ? NULL : &p->list[number];
}

static struct mapping *with_pair(struct search *s, struct mapper *m, const struct pool *p,
                                 struct pair *pair, unsigned *cost) {
  const struct candidate *operand[2] = {operand_of(p, pair->a), operand_of(p, pair->b)};
  const bool open[2] = {false, false};
  bool found = search_run(s, operand, open);
  pair->given_up = search_solution(s)->out_of_steps;
  if (!found) return NULL;
  struct node *node[2] = {operand[0] ? operand[0]->node : NULL,
                          operand[1] ? operand[1]->node : NULL};
  struct sum sum[2] = {operand[0] ? operand[0]->sum : (struct sum){0},
                       operand[1] ? operand[1]->sum : (struct sum){0}};
  *cost = pair->cost;
  return finish(m, search_solution(s), node, sum);
}

struct mapping *fit(struct mapper *m, const struct ability *ability, unsigned *cost,
                    bool *out_of_steps) {
  struct pool *p = NEW(m->ir->arena, struct pool);
  struct pair *pair = NEW_ARRAY(m->ir->arena, struct pair, MAX_PAIRS);
  struct search *s = search_new(m, ability);
  struct mapping *best = NULL;
  unsigned num = 0;
  *cost = UINT32_MAX;
  *out_of_steps = false;
  if (m->k->num_states > ability->words) return NULL;
  p->m = m;
  fill_pool(p);
  for (unsigned a = 0; a <= p->num; a++)
    for (unsigned b = a; b <= p->num; b++) {
      const struct candidate *x = operand_of(p, a), *y = operand_of(p, b);
      if ((a == b && x) || (ability->operands < 2 && y)) continue;
      pair[num++] = (struct pair){
          .a = a,
          .b = b,
          .cost = cost_of(x ? x->cost : 0, y ? y->cost : 0, (x ? 1u : 0u) + (y ? 1u : 0u))};
    }
  qsort(pair, num, sizeof *pair, cheaper);
  for (unsigned i = 0; i < num && !best; i++) best = with_pair(s, m, p, &pair[i], cost);
  // Once more, with patience, those that were given up.
  search_more(s, PATIENT);
  for (unsigned i = 0; i < num && !best; i++)
    if (pair[i].given_up) best = with_pair(s, m, p, &pair[i], cost);
  for (unsigned i = 0; i < num && !best; i++) *out_of_steps |= pair[i].given_up;
  if (ability->choices && *cost >= 200) {
    search_more(s, best ? BRIEF : USUAL);
    struct mapping *chosen = with_choices(s, m, p, ability->operands, cost);
    if (chosen) best = chosen;
  }
  if (ability->choices && !best) {
    search_more(s, USUAL);
    search_special(s);
    best = with_choices(s, m, p, ability->operands, cost);
  }
  return best;
}
