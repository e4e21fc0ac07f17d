// SPDX-License-Identifier: Apache-2.0
#include "interpret.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct sluice_interpreter {
  const struct sluice_program *program;
  int32_t *memory;
  size_t first[MAX_STATES];   // of a state in `memory`
  int32_t stray[MAX_STATES];  // the cell of an access outside the array, for one packet
  int32_t *fields;
  int32_t param[MAX_MALLEABLES];
};

struct sluice_interpreter *sluice_interpreter_new(const struct sluice_program *p) {
  struct sluice_interpreter *in = calloc(1, sizeof *in);
  size_t total = 0;
  if (p->ir) SLUICE_BUG("a program in the IR has no statements to interpret");
  if (!in) return NULL;
  in->program = p;
  for (size_t i = 0; i < p->num_states; i++) {
    in->first[i] = total;
    total += p->state[i]->info.size;
  }
  in->memory = calloc(total + 1, sizeof *in->memory);
  if (!in->memory) {
    free(in);
    return NULL;
  }
  for (size_t i = 0; i < p->num_malleables; i++) in->param[i] = p->malleable[i]->init;
  for (size_t i = 0; i < p->num_states; i++)
    for (size_t n = 0; n < p->state[i]->info.size; n++)
      in->memory[in->first[i] + n] = p->state[i]->info.init;
  return in;
}

void sluice_interpreter_free(struct sluice_interpreter *in) {
  if (in) free(in->memory);
  free(in);
}

static int32_t eval(struct sluice_interpreter *in, const struct expr *e);

static int32_t *place(struct sluice_interpreter *in, const struct expr *e) {
  if (e->kind == EXPR_FIELD) return &in->fields[e->id];
  uint32_t index = e->num_args ? (uint32_t)eval(in, e->arg[0]) : 0;
  if (index >= in->program->state[e->id]->info.size) return &in->stray[e->id];
  return &in->memory[in->first[e->id] + index];
}

// The value of what is no operation.
static int32_t eval_leaf(struct sluice_interpreter *in, const struct expr *e) {
  int32_t x[3] = {0, 0, 0};
  if (e->kind == EXPR_NUMBER) return e->value;
  if (e->kind == EXPR_PARAM) return in->param[e->id];
  if (e->kind == EXPR_FIELD || e->kind == EXPR_STATE) return *place(in, e);
  for (unsigned i = 0; i < e->num_args; i++) x[i] = eval(in, e->arg[i]);
  if (e->kind == EXPR_COND) return x[0] ? x[1] : x[2];
  return hash_eval(builtins[e->id].algorithm, x, e->num_args, builtins[e->id].modulus);
}

static int32_t eval(struct sluice_interpreter *in, const struct expr *e) {
  const struct expr *x = expr_first(e);
  int32_t value = eval_leaf(in, x);
  while (x != e) {
    x = x->up;
    value = op_eval(x->op, value, x->num_args == 2 ? eval(in, x->arg[1]) : 0);
  }
  return value;
}

static void run(struct sluice_interpreter *in, const struct stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == STMT_BLOCK) run(in, s->body);
    else if (s->kind == STMT_IF) run(in, eval(in, s->value) ? s->then : s->otherwise);
    else {
      int32_t value = eval(in, s->value);
      *place(in, s->target) = value;
    }
  }
}

void sluice_interpreter_set(struct sluice_interpreter *in, size_t param, int32_t value) { in->param[param] = value; }

void sluice_interpreter_run(struct sluice_interpreter *in, int32_t *fields) {
  const struct sluice_program *p = in->program;
  in->fields = fields;
  memset(in->stray, 0, sizeof in->stray);
  for (size_t i = 0; i < p->num_malleables; i++) {
    const struct malleable *m = p->malleable[i];
    if (m->is_field) fields[m->field] = fields[m->choice[in->param[i]]];
  }
  run(in, p->body);
  for (size_t i = 0; i < p->num_malleables; i++) {
    const struct malleable *m = p->malleable[i];
    if (m->is_field && p->field[m->field]->info.assigned) fields[m->choice[in->param[i]]] = fields[m->field];
  }
  in->fields = NULL;
}

int32_t sluice_interpreter_state(const struct sluice_interpreter *in, size_t state,
                                 unsigned index) {
  return in->memory[in->first[state] + index];
}
