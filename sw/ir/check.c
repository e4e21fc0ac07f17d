// SPDX-License-Identifier: Apache-2.0
// What is checked of a text in the IR as a whole, when all its lines have been read.
#include <stdlib.h>

#include "ir.h"

static void need_truth(struct ir_context *c, const struct token *at, const struct node *n) {
  if (!node_is_bool(n))
    diag_fatal(c, at, "not-truth", "v%u may be other than 0 and 1; compare it with 0 first", n->id);
}

static void check_states(struct ir_context *c) {
  const struct ir *ir = c->program->ir;
  const struct ir_access *first[MAX_STATES] = {NULL};
  for (unsigned i = 0; i < ir->num_accesses; i++)
    if (!first[ir->access[i].state]) first[ir->access[i].state] = &ir->access[i];
  for (unsigned i = 0; i < c->program->num_states; i++) {
    const char *called = c->program->state[i]->info.name;
    const int old = ir->old[i];
    if (old == IR_NONE && (first[i] || ir->new_value[i] != IR_NONE))
      diag_fatal(c, c->program->state[i]->at, "no-old",
                 "'%s' is accessed, and no line makes 'old %s'", called, called);
    if (old == IR_NONE) continue;
    if (!first[i])
      diag_fatal(c, &ir->value[old].at, "no-access", "there is no access of '%s'", called);
    if (first[i]->index >= old)
      diag_fatal(c, &first[i]->at, "late-index",
                 "the index of '%s' must stand before its old value: v%d before v%d", called,
                 first[i]->index, old);
  }
}

// Which fields of the packet the outputs change.
static void mark_assigned(struct ir_context *c) {
  for (size_t i = 0; i < c->program->num_fields; i++) {
    struct sluice_program_field *f = &c->program->field[i]->info;
    if (f->home == SLUICE_HOME_PORT_OUT) f->assigned = c->program->ir->port != IR_NONE;
    if (f->home == SLUICE_HOME_PORTS_OUT) f->assigned = c->program->ir->ports != IR_NONE;
    if (f->home == SLUICE_HOME_ARRAY)
      f->assigned = c->program->ir->words != IR_NONE || c->program->word_table;
    if (f->home == SLUICE_HOME_DISCARD) f->assigned = c->program->ir->discard != IR_NONE;
    for (unsigned j = 0; f->home == SLUICE_HOME_BYTES && j < c->program->ir->num_outputs; j++) {
      const struct ir_output *o = &c->program->ir->output[j];
      if (o->param || f->param) f->assigned |= o->param == f->param;
      else f->assigned |= o->offset < f->offset + f->width && f->offset < o->offset + o->width;
    }
  }
}

static _Noreturn void not_together(struct ir_context *c, const struct token *at) {
  diag_fatal(c, at, "row-value", "a row stands where a value should be, or a value where a row");
}

// What is made of rows is a row; of a number only 0 is one.
static void check_rows(struct ir_context *c) {
  const struct graph *g = c->graph;
  const struct ir *ir = c->program->ir;
  bool *row = NEW_ARRAY(c->arena, bool, g->num + 1);
  for (unsigned i = 0; i < g->num; i++) {
    const struct node *n = g->list[i];
    const bool choice = n->op == OP_SELECT,
               only = n->op == OP_MAX || n->op == OP_MIN || n->op == OP_ADDS,
               may = choice || only || n->op == OP_ADD || n->op == OP_OR;
    unsigned rows = 0, zeroes = 0;
    for (unsigned j = choice; j < n->num_args; j++) {
      rows += row[n->arg[j]->id];
      zeroes += node_is(n->arg[j], 0);
    }
    row[i] = n->op == OP_WORDS || (n->op == OP_OLD && c->program->state[n->index]->info.words) ||
             (may && rows);
    if ((choice && row[n->arg[0]->id]) || (rows && !may) || (only && !rows) ||
        (rows && rows + (choice ? zeroes : 0) != n->num_args - choice))
      not_together(c, &ir->value[i].at);
  }
  for (unsigned i = 0; i < ir->num_accesses; i++) {
    const struct ir_access *a = &ir->access[i];
    if ((a->index != IR_NONE && row[a->index]) || (a->guard != IR_NONE && row[a->guard]))
      not_together(c, &a->at);
  }
  for (unsigned i = 0; i < c->program->num_states; i++) {
    const int made = ir->new_value[i];
    if (made == IR_NONE || node_is(g->list[made], 0)) continue;
    if (row[made] != (c->program->state[i]->info.words != 0)) not_together(c, &ir->value[made].at);
  }
  for (unsigned i = 0; i < ir->num_outputs; i++)
    if (row[ir->output[i].value]) not_together(c, &ir->value[ir->output[i].value].at);
  const int values[] = {ir->port, ir->discard, ir->flow, ir->ports};
  for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)
    if (values[i] != IR_NONE && row[values[i]]) not_together(c, &ir->value[values[i]].at);
  if (ir->words != IR_NONE && !row[ir->words] && !node_is(g->list[ir->words], 0))
    not_together(c, &ir->words_at);
}

static void check_graph(struct ir_context *c) {
  const struct ir *ir = c->program->ir;
  ir_graph(c);
  const struct graph *g = c->graph;
  for (unsigned i = 0; i < g->num; i++) {
    const struct node *n = g->list[i];
    if (n->op == OP_SELECT || n->op == OP_LAND || n->op == OP_LOR)
      need_truth(c, &ir->value[i].at, n->arg[0]);
    if (n->op == OP_LAND || n->op == OP_LOR) need_truth(c, &ir->value[i].at, n->arg[1]);
  }
  check_rows(c);
  for (unsigned i = 0; i < ir->num_accesses; i++)
    if (ir->access[i].guard != IR_NONE)
      need_truth(c, &ir->access[i].at, g->list[ir->access[i].guard]);
  c->graph = NULL;
}

static int by_key(const void *a, const void *b) {
  const struct word_pair *x = *(struct word_pair *const *)a, *y = *(struct word_pair *const *)b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

void word_table_twins(struct ir_context *c, const struct word_table *t) {
  struct word_pair **list = NEW_ARRAY(c->arena, struct word_pair *, t->num_pairs + 1);
  unsigned num = 0;
  for (struct word_pair *e = t->pairs; e; e = e->next) list[num++] = e;
  qsort(list, num, sizeof *list, by_key);
  for (unsigned i = 1; i < num; i++) {
    if (list[i - 1]->key != list[i]->key) continue;
    diag_error(c, list[i]->at, "twice", "a second entry of '%s' for %u", t->name, list[i]->key);
    diag_note(c, list[i - 1]->at, "the first one is here");
  }
}

// The array of the packet must have the words that are looked up.
static void check_words(struct ir_context *c) {
  struct word_table *t = c->program->word_table;
  if (!t) return;
  word_table_twins(c, t);
  give_up_on_errors(c);
  for (size_t i = 0; i < c->program->num_fields; i++) {
    const struct sluice_program_field *f = &c->program->field[i]->info;
    if (f->home != SLUICE_HOME_ARRAY) continue;
    t->field = (unsigned)i;
    if (!(t->words >> f->words)) return;
    diag_fatal(c, t->at, "lookup-words", "'%s' has %u words, and %u names others", f->name,
               f->words, t->words);
  }
  diag_fatal(c, t->at, "lookup-words", "there is no field with '@ array(..)' to look up");
}

void ir_check(struct ir_context *c) {
  check_words(c);
  check_states(c);
  check_graph(c);
  mark_assigned(c);
}
