// SPDX-License-Identifier: Apache-2.0
// Rows: arrays of words that the packet brings, and state whose entries are rows. A row is never a
// value: it is added to a row, or assigned to one, as a whole. Which of what is right here a chip
// can do is found out in row.c.
#include "check.h"
#include "table.h"

enum { MAX_ROW_WORDS = 16 };

unsigned check_words(struct checker *c, const struct expr *words) {
  int32_t num = 1;
  if (!check_constant(c, words, &num)) return 1;
  if (num >= 1 && num <= MAX_ROW_WORDS) return (unsigned)num;
  diag_error(c->ir, words->at, "row-size", "a row has 1 to %d words, not %d", MAX_ROW_WORDS, num);
  return 1;
}

void check_array_home(struct checker *c, struct field *f) {
  int32_t offset = 0;
  if (!check_constant(c, f->tie_array, &offset)) return;
  const int32_t last = HEADER_LEN - 4 * (int32_t)f->info.words;
  if (!f->info.words)
    diag_error(c->ir, f->tie_at, "array-home",
               "'%s' is one value, and 'array' is the home of several", f->info.name);
  else if (offset < 0 || offset > last)
    diag_error(
        c->ir, f->tie_at, "field-offset",
        "%u words from byte %d on are not among the first %d bytes, which the parser reaches",
        f->info.words, offset, HEADER_LEN);
  else if (offset & 1)
    diag_error(c->ir, f->tie_at, "array-odd", "an array begins at an even byte, not at byte %d",
               offset);
  f->info.home = SLUICE_HOME_ARRAY;
  f->info.offset = (unsigned)offset % HEADER_LEN;
}

void check_arrays(struct checker *c) {
  const struct field *first = NULL;
  for (size_t i = 0; i < c->ir->program->num_fields; i++) {
    const struct field *f = c->ir->program->field[i];
    if (f->info.home != SLUICE_HOME_ARRAY) continue;
    if (first) {
      diag_error(c->ir, f->tie_at, "two-arrays",
                 "'%s' is a second array of the packet, which carries one", f->info.name);
      diag_note(c->ir, first->tie_at, "the first one is here");
      return;
    }
    first = f;
  }
}

bool check_row_call(struct checker *c, struct expr *e) {
  static const enum op ops[] = {OP_MAX, OP_MIN, OP_ADDS};
  for (unsigned i = 0; i < 3; i++) {
    if (!check_same(e->name, op_text(ops[i]))) continue;
    if (e->num_args != 2) {
      diag_error(c->ir, e->at, "arguments", "'%s' takes 2 arguments, not %u", op_text(ops[i]),
                 e->num_args);
      return true;
    }
    e->kind = EXPR_OP;
    e->op = ops[i];
    e->arg[0]->up = e;
    return true;
  }
  return false;
}

// ---- what is a row, and what is a value ---------------------------------------------------------

static unsigned words_of(struct checker *c, const struct expr *e);

static bool is_zero(const struct expr *e) {
  return e->kind == EXPR_NUMBER && e->value == 0 && !e->above;
}

static unsigned differ(struct checker *c, const struct token *at, unsigned a, unsigned b) {
  if (a && b)
    diag_error(c->ir, at, "row-words", "a row of %u words and one of %u do not fit together", a, b);
  else
    diag_error(c->ir, at, "row-value",
               "a row and a single value do not fit together; of numbers only 0 can become a row");
  return a ? a : b;
}

static unsigned words_of_leaf(struct checker *c, const struct expr *e) {
  if (e->kind == EXPR_FIELD) return c->ir->program->field[e->id]->info.words;
  if (e->kind == EXPR_STATE || e->kind == EXPR_CALL)
    for (unsigned i = 0; i < e->num_args; i++) check_single(c, e->arg[i]);
  if (e->kind == EXPR_STATE) return c->ir->program->state[e->id]->info.words;
  if (e->kind != EXPR_COND) return 0;
  check_single(c, e->arg[0]);
  const unsigned a = words_of(c, e->arg[1]), b = words_of(c, e->arg[2]);
  if (a == b || (a && is_zero(e->arg[2]))) return a;
  return b && is_zero(e->arg[1]) ? b : differ(c, e->at, a, b);
}

static bool of_rows(enum op op) {
  return op == OP_ADD || op == OP_OR || op == OP_MAX || op == OP_MIN || op == OP_ADDS;
}

static unsigned words_of_op(struct checker *c, const struct expr *e, unsigned a, unsigned b) {
  if (!a && !b) {
    if (e->op == OP_MAX || e->op == OP_MIN || e->op == OP_ADDS)
      diag_error(c->ir, e->at, "row-value", "'%s' is of rows; of two values write 'a < b ? a : b'",
                 op_text(e->op));
    return 0;
  }
  if (!of_rows(e->op)) {
    diag_error(c->ir, e->at, "row-operation",
               "'%s' is not done with rows; +, |, max, min and add_sat are", op_text(e->op));
    return 0;
  }
  return a == b ? a : differ(c, e->at, a, b);
}

static unsigned words_of(struct checker *c, const struct expr *e) {
  const size_t errors = c->ir->num_errors;
  const struct expr *x = expr_first(e);
  unsigned words = words_of_leaf(c, x);
  while (x != e) {
    x = x->up;
    const unsigned right = x->num_args == 2 ? words_of(c, x->arg[1]) : 0;
    if (c->ir->num_errors == errors) words = words_of_op(c, x, words, right);
  }
  return words;
}

void check_single(struct checker *c, const struct expr *e) {
  if (c->ir->num_errors) return;  // names may be unbound
  if (words_of(c, e))
    diag_error(c->ir, e->at, "row-value",
               "a row is no value: it can be assigned to a row, and nothing else depends on it");
}

void check_assigned(struct checker *c, const struct stmt *s) {
  const struct expr *target = s->target;
  if (c->ir->num_errors || (target->kind != EXPR_FIELD && target->kind != EXPR_STATE)) return;
  const unsigned words = words_of_leaf(c, target), value = words_of(c, s->value);
  if (c->ir->num_errors || words == value || (words && is_zero(s->value))) return;
  differ(c, s->at, words, value);
}
