// SPDX-License-Identifier: Apache-2.0
// Maps each codelet to a state instruction (Banzai's Pairs atom and below), then lets everything
// that reads the old or new state read a result of the state unit. docs/compiler.md has an example.
//
// What is looked for: P1, P2 (values of earlier stages), up to four constants and
//
//     if pred1 { if pred2 A else B } else if pred4 { if pred3 C else D }
//     pred  = (S1 | S2 | 0) + (0 | P1 | P2 | -P1 | -P2 | P1 - P2 | P2 - P1)  REL  (K | P1 | P2 | S1
//     | S2) A..D  : each word = (its old value | 0) + (a +/- b), a and b of P1, P2, K, 0
//
// How: 1. cases.c turns the new words into cases, whatever the text looks like: *situations* by
// conditions on the packet, in each of them *leaves* by conditions on the state, in a leaf a sum
// for each word. Conditions are sets of a subject (subject.c), so a condition and its opposite are
// one, and `p.a == 1` rules out `p.a == 2`.
// 2. seed.c lists what an operand may be: values that stand in sums and comparisons, truth values
// that tell situations apart, the number of the situation. Pairs of them are tried by how early
// they are ready, and the first pair with an instruction is the cheapest. Where all are late, an
// operand may also be *open*: it is then chosen in each situation for itself (operand.c makes the
// choice).
// 3. fit.c (with duty.c, compare.c, constant.c) searches the instruction for a pair: every
// comparison of the operands that tells cases apart as predicate 1, 2, 4, 3 in turn, the arms as
// soon as it is known what each must do.
// 4. verify.c tests the instruction against the text's values, 4,000 times.
//
// Why it ends: values are computed once a case, cases are at most MAX_CASES * MAX_LEAVES, pairs at
// most MAX_PAIRS, and the search for all of them has MOST_STEPS steps: three times over, for the
// pairs, for those of them that were given up, and for the open operands. If situations are too
// many, choices on the packet alone are not opened up but computed whole.
//
// 5. Where there is none, open operands may also be numbers that settle a comparison: with
// INT32_MIN no word is less than P1, so `c && s < p.a` is s < (c ? p.a : INT32_MIN); and with a
// number that they are nowhere else, P1 == 65543 asks the packet alone, whatever its conditions
// are. Last, `x - 1 < y` is taken as x <= y and x != INT32_MIN (cases.c, `parted`).
//
// What it misses: relations between subjects other than an order and its difference (s < p.a and
// p.a < 5 rule out s > 9, which is not seen); operands that are neither a sum of the text nor
// chosen by its conditions; more than 48 candidates; more than two comparisons with numbers that
// settle them; and what takes more steps than there are, which the message then says.
#include <string.h>

#include "mapper.h"

// What the state units of a chip can do, and what Banzai's atoms can (facts about them are in
// docs/compiler.md). Atoms take their operands as the text computes them, as the published
// compiler does; the state unit's may be chosen in earlier stages.
static const struct ability pairs = {"pairs", 4, 2, true, true, true, true, true, 2, NUM_KONST};
static const struct ability one_word = {"one word", 1,    2,    true, true,
                                        true,       true, true, 1,    NUM_KONST};

const char *const sluice_atoms[] = {"read-write", "raw",    "praw",  "ifelse",
                                    "sub",        "nested", "pairs", NULL};
static const struct ability atoms[] = {
    // name, comparisons, operands, otherwise, two terms, sums compared, old value, choices, words,
    // constants
    {"read-write", 0, 1, true, false, false, false, false, 1, NUM_KONST},
    {"raw", 0, 1, true, false, false, true, false, 1, NUM_KONST},
    {"praw", 1, 2, false, false, false, true, false, 1, NUM_KONST},
    {"ifelse", 1, 2, true, false, false, true, false, 1, NUM_KONST},
    {"sub", 1, 2, true, true, false, true, false, 1, NUM_KONST},
    {"nested", 3, 2, true, true, true, true, false, 1, NUM_KONST},
    {"pairs", 4, 2, true, true, true, true, false, 2, NUM_KONST}};
enum { NUM_ATOMS = sizeof atoms / sizeof atoms[0] };

// The least atom that does the update; with operands that the text does not compute if it must be.
static unsigned least_atom(struct mapper *m, bool cases) {
  unsigned cost;
  bool out;
  m->whole = !cases;
  if (!cases_find(m)) return NUM_ATOMS - 1;
  for (int choices = 0; choices < 2; choices++)
    for (unsigned i = 0; i < NUM_ATOMS; i++) {
      struct ability atom = atoms[i];
      atom.choices = choices;
      if (fit(m, &atom, &cost, &out)) return i;
    }
  return NUM_ATOMS - 1;
}

static void find_atom(struct compiler *c, struct codelet *k, struct mapper *m, bool cases) {
  if (!c->options->atoms && !c->options->target) return;
  unsigned least = least_atom(m, cases), target = 0;
  k->atom = sluice_atoms[least];
  while (c->options->target && sluice_atoms[target] &&
         strcmp(sluice_atoms[target], c->options->target) != 0)
    target++;
  if (c->options->target && least > target)
    diag_error(&c->ir, c->graph->access[k->state[0]].at, "target",
               "the update of '%s' takes the atom '%s', which is more than '%s'; see --target",
               codelet_name(c, k), k->atom, c->options->target);
}

// Looks for an instruction, with the choices that do not depend on the state opened up, then whole.
static struct mapping *find(struct mapper *m, const struct ability *can, bool *cases,
                            bool *out_of_steps) {
  unsigned cost = UINT32_MAX, whole_cost = UINT32_MAX;
  m->whole = false;
  *out_of_steps = false;
  *cases = cases_find(m);
  struct mapping *found = *cases ? fit(m, can, &cost, out_of_steps) : NULL;
  if (cost < 200) return found;
  struct mapper whole = *m, parted = *m;
  bool out;
  whole.whole = true;
  if (m->differs && cases_find(&whole)) {
    struct mapping *const other = fit(&whole, can, &whole_cost, &out);
    if (whole_cost < cost) found = other;
  }
  if (found || !m->parts) return found;
  parted.parted = true;
  return cases_find(&parted) ? fit(&parted, can, &cost, &out) : NULL;
}

static void refuse(struct compiler *c, struct codelet *k, struct mapper *m) {
  const char *first = c->program->state[k->state[0]]->info.name;
  const struct token *at = m->why_at ? m->why_at : c->graph->access[k->state[0]].at;
  if (k->num_states == 2)
    diag_error(&c->ir, at, "codelet", "the update of '%s' and '%s' does not fit the state unit: %s",
               first, c->program->state[k->state[1]]->info.name, m->why);
  else
    diag_error(&c->ir, at, "codelet", "the update of '%s' does not fit the state unit: %s", first,
               m->why);
}

// An operand that the mapper would have computed, and that would come too late for every stage with
// state; NULL: there is none.
static const struct node *late(const struct mapper *m, const struct mapping *map) {
  const struct sluice_config *chip = m->ir->config;
  for (int i = 0; i < 2; i++) {
    const struct node *n = map->operand[i];
    if (n && n->id >= m->num_placed && n->level > chip->FrontStages + chip->StateStages - 1)
      return n;
  }
  return NULL;
}

// One attempt to map a codelet, and what came of it.
struct attempt {
  struct mapper *m;
  const struct ability *can;
  bool cases, out_of_steps;
};

static bool map(struct compiler *c, struct codelet *k, struct attempt *a) {
  struct mapper *m = NEW(c->arena, struct mapper);
  m->ir = &c->ir;
  m->k = k;
  c->at = c->graph->access[k->state[0]].at;
  for (unsigned i = 0; i < k->num_states; i++) m->own |= 1u << k->state[i];
  a->m = m;
  a->can = c->config->StatePairs ? &pairs : &one_word;
  k->map = find(m, a->can, &a->cases, &a->out_of_steps);
  if (!k->map || (a->can == &one_word && late(m, k->map))) return false;
  find_atom(c, k, m, a->cases);
  return true;
}

// An array that does not fit alone may fit in one stage with another that it depends on, whose old
// value is then an operand more.
static bool map_beside(struct compiler *c, unsigned i) {
  for (unsigned j = 0; j < c->codelets.num; j++) {
    struct codelet both, was[2] = {c->codelets.list[i], c->codelets.list[j]};
    struct attempt a;
    uint32_t needs = c->graph->access[was[0].state[0]].new_value->states;
    if (j == i || was[1].num_states != 1 || !(needs >> was[1].state[0] & 1) ||
        !codelet_pair(c, &was[0], &was[1], &both))
      continue;
    unsigned first = i < j ? i : j, last = i < j ? j : i;
    c->codelets.list[first] = both;
    if (map(c, &c->codelets.list[first], &a)) {
      for (c->codelets.num--; last < c->codelets.num; last++)
        c->codelets.list[last] = c->codelets.list[last + 1];
      return true;
    }
    c->codelets.list[i] = was[0];
    c->codelets.list[j] = was[1];
  }
  return false;
}

static void tell(struct compiler *c, struct codelet *k, struct attempt *a) {
  struct mapper *m = a->m;
  unsigned cost;
  bool often = false;  // a case of the packet with more than two of the state
  for (unsigned i = 0; a->cases && i < m->num; i++) often |= m->list[i].num_leaves > 2;
  if (k->map && m->num == 1 && m->list[0].num_leaves <= 2) {
    // Comparisons are not what is in the way.
    explain_late(m, late(m, k->map));
  } else if (a->can == &one_word &&
             (k->map || !a->cases || often || fit(m, &pairs, &cost, &a->out_of_steps))) {
    m->why_at = c->graph->access[k->state[0]].at;
    snprintf(m->why, sizeof m->why,
             "it takes more than one comparison, and the state units of chip '%s' make one (if (c) "
             "A else B); see --chip",
             c->config->name);
  } else if (a->cases) {
    explain(m, a->can, a->out_of_steps);
  }
  refuse(c, k, m);
  if (a->cases) explain_cases(m);
}

void map_codelets(struct compiler *c) {
  for (unsigned i = 0; i < c->codelets.num; i++) {
    struct attempt a;
    if (!c->codelets.list[i].num_states || c->codelets.list[i].map ||
        map(c, &c->codelets.list[i], &a))
      continue;
    // One of the two is gone then, and this place may hold another.
    if (map_beside(c, i)) i--;
    else tell(c, &c->codelets.list[i], &a);
  }
  give_up_on_errors(&c->ir);
}

static struct node *result(struct ir_context *c, unsigned codelet, unsigned which) {
  return node_leaf(c, OP_EXT, codelet, which, NULL, 0);
}

struct replacing {
  const struct codelets *codelets;
  const struct graph *from;  // the graph before
};

static struct node *rewrite(struct ir_context *c, struct node *old, struct node **args,
                            void *user) {
  const struct replacing *r = user;
  (void)args;
  for (unsigned i = 0; old->states && i < r->codelets->num; i++) {
    const struct codelet *k = &r->codelets->list[i];
    uint32_t own = 0;
    for (unsigned w = 0; w < k->num_states; w++) own |= 1u << k->state[w];
    if (!(old->states & own)) continue;
    for (unsigned w = 0; w < k->num_states; w++)
      if (old->op == OP_OLD && old->index == k->state[w]) return result(c, i, SLUICE_EXT_OLD_1 + w);
    for (unsigned w = 0; w < k->num_states; w++)
      if (old == r->from->access[k->state[w]].new_value) return result(c, i, SLUICE_EXT_NEW_1 + w);
    for (unsigned p = 0; p < 4; p++)
      if (old == k->map->pred_node[p]) return result(c, i, SLUICE_EXT_PRED_1 + p);
  }
  return NULL;
}

void map_replace(struct ir_context *c, struct codelets *codelets) {
  struct graph *g = NEW(c->arena, struct graph);
  // The graph as it is, except that the states no longer keep anything alive.
  struct replacing r = {codelets, c->graph};
  *g = *c->graph;
  memset(g->access, 0, sizeof g->access);
  g->words = NULL;  // rows_map() has made operations on rows of it
  c->graph = g;
  codelets_root(c->graph, codelets);
  graph_rebuild(c, rewrite, &r);
  // What the results made equal or dead.
  codelets_root(c->graph, codelets);
  graph_rebuild(c, NULL, NULL);
}
