// SPDX-License-Identifier: Apache-2.0
// Values that are rows become operations on rows. A row array has one operation a packet:
//
//     sum[i] = SELECT(first, SELECT(count[i] == 0, words, sum[i] + words), sum[i])
//
//     first  count[i] == 0   the row becomes       entry of ARRAY_INSTR
//     1      1               words                 SELECT PRED, ON_TRUE SET, ON_FALSE ADD
//     1      0               sum[i] + words        (the same)
//     0      -               sum[i]                KEEP
//
// Conditions on the packet, and on state of other stages, choose among entries by a number that is
// the key of the stage. A condition on the words at the same index is a predicate of the state
// unit: one that it computes anyway, or one that is free. As in cases.c conditions are asked one by
// one, those on the packet first, until every row is known: so how the text nests its ifs is all
// the same.
//
// Several row arrays stand in several stages, and the packet's array passes them one after the
// other: what one leaves in it must be what the next one, or the packet in the end, wants. Every
// order of the row arrays is tried.
#include <string.h>

#include "row.h"

// What was found for one row array.
struct choice {
  int codelet;  // beside which, or -1: alone
  struct node *which;
  struct row_operation instr[MAX_ROW_OPERATIONS];
  unsigned num;
  bool uses, writes;
  struct mapping map;  // of the codelet, with its predicates
};

bool row_stage(const struct compiler *c, int stage) {
  const int back = stage - c->code->front - 1;
  return back >= 0 && back < 32 && c->config->ArrayStages >> back & 1;
}

// ---- one row array ------------------------------------------------------------------------------

static unsigned result_of(unsigned results) {
  if (results >> SLUICE_ARRAY_RESULT_PACKET & 1) return SLUICE_ARRAY_RESULT_PACKET;
  return results >> SLUICE_ARRAY_RESULT_NEW & 1 ? SLUICE_ARRAY_RESULT_NEW : SLUICE_ARRAY_RESULT_OLD;
}

static uint32_t states_of(const struct codelet *k) {
  uint32_t states = 0;
  for (unsigned w = 0; w < k->num_states; w++) states |= 1u << k->state[w];
  return states;
}

// Beside the codelet, or (-1) alone.
static bool choose_beside(struct rows *x, unsigned row, int codelet, struct choice *choice) {
  struct compiler *c = x->c;
  const struct codelet *k = codelet < 0 ? NULL : &c->codelets.list[codelet];
  bool selects = false;
  x->own = k ? states_of(k) : 0;
  *choice = (struct choice){.codelet = codelet};
  if (k) choice->map = *k->map;
  choice->which = row_cases(x, row);
  if (!choice->which) return row_fail(x, "its conditions do not end");
  choice->num = x->num_found;
  choice->uses = x->uses;
  for (unsigned i = 0; i < x->num_found; i++) {
    const struct found *f = &x->found[i];
    struct row_operation *o = &choice->instr[i];
    *o = (struct row_operation){
        .on_true = f->on_true, .on_false = f->on_false, .result = result_of(f->results)};
    choice->writes |= o->result != SLUICE_ARRAY_RESULT_PACKET;
    if (f->atom == NO_ATOM) continue;
    bool inverted;
    const unsigned p = row_predicate(x, k, &choice->map, &x->atom[f->atom], &inverted);
    if (!p) return false;
    selects = true;
    o->select = SLUICE_ARRAY_SELECT_PRED_1 + p - 1;
    if (!inverted) continue;
    o->on_true = f->on_false;
    o->on_false = f->on_true;
  }
  if (choice->which->op == OP_CONST) choice->which = NULL;
  return !k || selects || row_fail(x, "it needs no word beside it");
}

// What a choice makes its stage wait for.
static uint32_t states_before(const struct choice *choice) {
  uint32_t states = choice->which ? choice->which->states : 0;
  for (int i = 0; i < 2; i++)
    if (choice->map.operand[i]) states |= choice->map.operand[i]->states;
  return states;
}

// Whether a number that chooses would have to wait for the stage that it chooses in: it depends on
// the state there, over that of other stages, of which some wait for numbers that choose
// themselves.
static bool waits(const struct rows *x, unsigned row, const struct choice *choice, uint32_t own) {
  const struct compiler *c = x->c;
  uint32_t needs[MAX_STATES] = {0}, reach = states_before(&choice[row]), was;
  for (unsigned i = 0; i < c->codelets.num; i++) {
    const struct codelet *k = &c->codelets.list[i];
    uint32_t all = k->index ? k->index->states : 0;
    for (unsigned w = 0; w < k->num_states; w++)
      all |= c->graph->access[k->state[w]].new_value->states;
    for (unsigned r = 0; r < row; r++)
      if (choice[r].codelet == (int)i) all |= states_before(&choice[r]);
    for (unsigned w = 0; w < k->num_states; w++) needs[k->state[w]] = all & ~states_of(k);
  }
  do {
    was = reach;
    for (unsigned s = 0; s < MAX_STATES; s++)
      if (was >> s & 1) reach |= needs[s];
  } while (reach != was);
  return (reach & own) != 0;
}

// `choice`: of all rows, those before this one are made.
static bool choose(struct rows *x, unsigned row, struct choice *choice) {
  const struct compiler *c = x->c;
  const struct access *a = access_of(x, row);
  const struct state *state = c->program->state[x->order[row]];
  uint32_t needs = a->new_value->states | (c->graph->words ? c->graph->words->states : 0);
  for (unsigned i = 0; i < c->codelets.num; i++) {
    const struct codelet *k = &c->codelets.list[i];
    const uint32_t own = states_of(k);
    bool taken = false;
    for (unsigned r = 0; r < row; r++) taken |= choice[r].codelet == (int)i;
    if (taken || !(own & needs) || k->row || k->index != a->index || k->size != state->info.size ||
        (k->place != ANYWHERE && state->place != ANYWHERE && k->place != state->place))
      continue;
    if (choose_beside(x, row, (int)i, &choice[row]) && !waits(x, row, choice, own)) return true;
  }
  return choose_beside(x, row, -1, &choice[row]);
}

// ---- all of them --------------------------------------------------------------------------------

static bool next_order(unsigned *order, unsigned num) {
  unsigned i = num - 1;
  while (i > 0 && order[i - 1] > order[i]) i--;
  if (!i) return false;
  unsigned j = num - 1;
  while (order[j] < order[i - 1]) j--;
  for (unsigned t = order[j]; order[j] != order[i - 1];) {
    order[j] = order[i - 1];
    order[i - 1] = t;
  }
  for (j = num - 1; i < j; i++, j--) {
    const unsigned t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
  return true;
}

static void put(struct compiler *c, unsigned s, const struct choice *choice) {
  const struct access *a = &c->graph->access[s];
  struct state *state = c->program->state[s];
  struct node *guard = guard_known(c, a->guard);
  struct codelet *k;
  if (choice->codelet < 0) {
    if (c->codelets.num == MAX_STATES)
      diag_fatal(&c->ir, state->at, "too-many-states",
                 "with the flow order, %d arrays are possible", MAX_STATES - 1);
    k = &c->codelets.list[c->codelets.num++];
    *k = (struct codelet){.index = a->index,
                          .guard = guard,
                          .at = a->at,
                          .size = state->info.size,
                          .place = ANYWHERE,
                          .map = NEW(c->arena, struct mapping)};
    for (int i = 0; i < 4; i++) k->map->pred[i].rel = SLUICE_REL_FALSE;
  } else {
    k = &c->codelets.list[choice->codelet];
    k->map = NEW(c->arena, struct mapping);
    *k->map = choice->map;
    k->guard = k->guard && guard ? node_make(&c->ir, OP_LOR, k->guard, guard, NULL) : NULL;
  }
  k->row = s + 1;
  k->which = choice->which;
  k->num_instr = choice->num;
  memcpy(k->instr, choice->instr, sizeof k->instr);
  codelet_place(c, k, state);
}

// The chip must have what the text wants of it.
static void check_chip(struct compiler *c, unsigned s) {
  const struct state *state = c->program->state[s];
  const struct sluice_config *chip = c->config;
  char has[40];
  snprintf(has, sizeof has, chip->ArrayWords ? "rows of %u" : "none", chip->ArrayWords);
  if (state->info.words > chip->ArrayWords)
    diag_fatal(&c->ir, state->at, "row-words", "'%s' has rows of %u words, chip '%s' has %s%s",
               state->info.name, state->info.words, chip->name, has,
               SEE_CHIP(&c->ir, ArrayWords, state->info.words));
  if (state->place == ANYWHERE || state->place >= (int)chip->BackStages ||
      chip->ArrayStages >> state->place & 1)
    return;
  diag_fatal(&c->ir, state->stage_at, "row-stage", "back stage %d of chip '%s' has no rows",
             state->place, chip->name);
}

static unsigned bits_of(uint32_t x) { return (unsigned)__builtin_popcount(x); }

// Finds an order of the row arrays, `state` in the order of the text, in which each has its choice.
// If none is, the first that was tried says why.
static void choose_all(struct rows *x, const unsigned *state, struct choice *choice) {
  unsigned place[ROW_ARRAYS], why_state = 0;
  char why[WHY_LEN] = "";
  for (unsigned i = 0; i < x->num; i++) place[i] = i;
  do {
    unsigned row = 0;
    for (unsigned i = 0; i < x->num; i++) x->order[i] = state[place[i]];
    while (row < x->num && choose(x, row, choice)) row++;
    if (row == x->num) return;
    if (!why[0]) {
      memcpy(why, x->why, sizeof why);
      why_state = x->order[row];
    }
  } while (next_order(place, x->num));
  diag_fatal(&x->c->ir, x->c->graph->access[why_state].at, "row-form",
             "what becomes of the row of '%s' is not one operation: %s",
             x->c->program->state[why_state]->info.name, why);
}

// Stages in the order in which the packet's array passes them, where it matters.
static void keep_order(struct compiler *c, const struct rows *x, const struct choice *choice,
                       const unsigned *codelet) {
  for (unsigned i = 0; i < x->num; i++)
    for (unsigned j = i + 1; j < x->num; j++)
      if ((choice[i].writes && (choice[j].uses || choice[j].writes)) ||
          (choice[i].uses && choice[j].writes))
        c->codelets.list[codelet[j]].before |= 1u << codelet[i];
}

void rows_map(struct compiler *c) {
  struct rows *x = NEW(c->arena, struct rows);
  struct choice choice[ROW_ARRAYS];
  unsigned codelet[ROW_ARRAYS], state[ROW_ARRAYS];
  x->c = c;
  for (unsigned s = 0; s < c->program->num_states; s++) {
    if (!c->program->state[s]->info.words || !c->graph->access[s].used) continue;
    check_chip(c, s);
    if (x->num == bits_of(c->config->ArrayStages) || x->num == ROW_ARRAYS)
      diag_fatal(&c->ir, c->program->state[s]->at, "row-stages",
                 "'%s' is one row array too many: %u stage%s of chip '%s' have rows",
                 c->program->state[s]->info.name, bits_of(c->config->ArrayStages),
                 bits_of(c->config->ArrayStages) == 1 ? "" : "s", c->config->name);
    state[x->num++] = s;
  }
  c->at = c->program->name_at;
  if (!x->num) {
    if (c->graph->words && c->graph->words->op != OP_WORDS)
      diag_fatal(&c->ir, c->graph->words_at, "row-form",
                 "the packet's array can become a row of state, and nothing else");
    return;
  }
  x->words = node_leaf(&c->ir, OP_WORDS, 0, 0, NULL, 0);
  choose_all(x, state, choice);
  for (unsigned i = 0; i < x->num; i++) {
    codelet[i] = choice[i].codelet < 0 ? c->codelets.num : (unsigned)choice[i].codelet;
    put(c, x->order[i], &choice[i]);
  }
  keep_order(c, x, choice, codelet);
  check_places(c);
}
