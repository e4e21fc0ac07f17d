// SPDX-License-Identifier: Apache-2.0
// What statements say of tables: apply, results, parameters of actions.
#include "check.h"
#include "table.h"

void check_apply(struct checker *c, struct stmt *s) {
  struct table *t = table_find(c->ir->program, s->name, &s->table);
  if (!t) {
    diag_error(c->ir, s->name, "unknown-name", "there is no table '" TOKEN "'",
               TOKEN_ARGS(s->name));
  } else if (c->function) {
    diag_error(c->ir, s->at, "apply", "an action applies no table: the program does");
  } else if (t->apply_at) {
    diag_error(c->ir, s->at, "twice", "'%s' is applied twice; a packet passes a stage once",
               t->name);
    diag_note(c->ir, t->apply_at, "it is applied here");
  } else {
    t->apply_at = s->at;
    for (unsigned i = 0; i < t->num_actions && !c->words_at; i++)
      if (t->action[i].function) c->words_at = t->action[i].function->words_at;
  }
}

bool check_table_value(struct checker *c, struct expr *e) {
  unsigned number;
  if (!table_find(c->ir->program, e->base, &number)) return false;
  e->id = number;
  if (check_same(e->name, "hit")) e->kind = EXPR_HIT;
  else if (check_same(e->name, "action")) e->kind = EXPR_ACTION;
  else
    diag_error(c->ir, e->name, "unknown-field",
               "a table has '.hit' and '.action', not '." TOKEN "'", TOKEN_ARGS(e->name));
  if (c->function)
    diag_error(c->ir, e->base, "apply",
               "an action does not know what a table gave: the program does");
  return true;
}

void check_compared(struct checker *c, struct expr *e) {
  struct expr *left = e->kind == EXPR_OP ? e->arg[0] : e,
              *right = e->kind == EXPR_OP ? e->arg[1] : NULL;
  const struct table *t = c->ir->program->table[left->id];
  const bool compares = right && (e->op == OP_EQ || e->op == OP_NE);
  if (compares && right->kind == EXPR_NUMBER && right->base) return;  // op= has its target twice
  if (!compares || right->kind != EXPR_STATE || right->num_args) {
    diag_error(c->ir, left->at, "action-value",
               "'.action' is compared with the name of an action: '" TOKEN ".action == %s'",
               TOKEN_ARGS(left->base), t->num_actions ? t->action[0].name : TABLE_NOTHING);
    return;
  }
  const unsigned action = table_action_named(t, right->name);
  if (action == t->num_actions)
    diag_error(c->ir, right->at, "unknown-action", "'" TOKEN "' is no action of '%s'",
               TOKEN_ARGS(right->name), t->name);
  right->kind = EXPR_NUMBER;
  right->value = (int32_t)action + 1;
}

static struct table_arg *argument(const struct checker *c, const struct expr *e, unsigned *id) {
  const struct function *f = c->function;
  if (!f || e->kind != EXPR_STATE) return NULL;
  for (*id = 0; *id < f->num_args; ++*id)
    if (check_same(e->name, f->arg[*id].name)) return (struct table_arg *)&f->arg[*id];
  return NULL;
}

bool check_argument(struct checker *c, struct expr *e) {
  const struct table_arg *a = argument(c, e, &e->id);
  if (!a) return false;
  e->kind = EXPR_ARG;
  if (e->num_args) diag_error(c->ir, e->at, "not-array", "'%s' is not an array", a->name);
  e->num_args = 0;
  if (a->width > 32)
    diag_error(c->ir, e->at, "wide-parameter",
               "'%s' has %u bits: it can only be assigned to a field of 6 bytes, as a whole",
               a->name, a->width);
  return true;
}

bool check_whole(struct checker *c, struct stmt *s) {
  const struct table_arg *a = argument(c, s->value, &s->value->id);
  if (!a || a->width <= 32 || s->value->num_args || s->target->kind != EXPR_FIELD) return false;
  struct field *f = c->ir->program->field[s->target->id];
  const bool six = f->info.home == SLUICE_HOME_BYTES && f->info.width == 6 && !f->info.param;
  if (!six && (f->info.home != SLUICE_HOME_TEMPORARY || f->info.words)) return false;
  s->value->kind = EXPR_ARG;
  f->info.assigned = f->whole = true;
  return true;
}
