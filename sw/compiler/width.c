// SPDX-License-Identifier: Apache-2.0
// Values of 48 bits. A field of 6 bytes is copied, compared by `==` and `!=`, and tested as a
// whole, and a field without a home carries what was assigned to it. All other operators take the
// low 32 bits, which a warning says. Here it is found out which fields need the bits above them.
#include "check.h"
#include "table.h"

static bool is_six(const struct sluice_program_field *f) {
  return f->home == SLUICE_HOME_BYTES && f->width == 6;
}

// Whether bits above the low 32 may be in the value.
static bool carries(const struct checker *c, const struct expr *e) {
  if (e->kind == EXPR_NUMBER) return e->above != 0;
  if (e->kind == EXPR_ARG) return c->function && c->function->arg[e->id].width > 32;
  if (e->kind == EXPR_COND) return carries(c, e->arg[1]) || carries(c, e->arg[2]);
  if (e->kind != EXPR_FIELD) return false;
  const struct field *f = c->ir->program->field[e->id];
  return is_six(&f->info) || (f->info.home == SLUICE_HOME_TEMPORARY && f->whole);
}

// ---- the temporaries that carry 48 bits ---------------------------------------------------------

static bool spread(struct checker *c, const struct stmt *s) {
  bool more = false;
  for (; s; s = s->next) {
    if (s->kind == STMT_BLOCK) more |= spread(c, s->body);
    if (s->kind == STMT_IF) {
      more |= spread(c, s->then);
      more |= spread(c, s->otherwise);
    }
    if (s->kind != STMT_ASSIGN || s->target->kind != EXPR_FIELD) continue;
    struct field *f = c->ir->program->field[s->target->id];
    if (f->info.home != SLUICE_HOME_TEMPORARY || f->whole || f->info.words) continue;
    f->whole = carries(c, s->value);
    more |= f->whole;
  }
  return more;
}

// ---- where the bits above matter ----------------------------------------------------------------

// What is wanted of a value: all bits; the low ones; these, and the others do not matter.
enum want { ALL, LOW, LOW_ANYWAY };
static void visit(struct checker *c, struct expr *e, enum want want);

static void low_only(struct checker *c, const struct expr *e) {
  if (e->kind == EXPR_NUMBER && e->above) {
    diag_error(c->ir, e->at, "bad-number",
               "'" TOKEN "' does not fit 32 bits: it can be assigned to a field of 6 bytes, or "
               "compared with one by == and !=",
               TOKEN_ARGS(e->at));
    return;
  }
  if (e->kind != EXPR_FIELD) return;
  struct field *f = c->ir->program->field[e->id];
  if (!is_six(&f->info) || f->low_told || of_system(c->ir->program, e->at)) return;
  f->low_told = true;
  diag_warning(c->ir, e->at, "low-bits",
               "only the low 32 of the 48 bits of '%s' are used here; a field at bytes(%u, 2) has "
               "the others",
               f->info.name, f->info.offset);
}

static void visit_leaf(struct checker *c, struct expr *e, enum want want) {
  if (e->kind == EXPR_COND) {
    visit(c, e->arg[0], ALL);
    visit(c, e->arg[1], want);
    visit(c, e->arg[2], want);
    return;
  }
  for (unsigned i = 0; i < e->num_args; i++) visit(c, e->arg[i], LOW);
  if (want != ALL) {
    if (want == LOW || e->kind == EXPR_NUMBER) low_only(c, e);
    return;
  }
  if (e->kind != EXPR_FIELD) return;
  struct field *f = c->ir->program->field[e->id];
  if (!is_six(&f->info)) return;
  if (f->info.param)
    diag_error(c->ir, e->at, "choice",
               "'%s' is a malleable field of 6 bytes, of which only the low 4 can be computed "
               "with; let one of 4 and one of 2 bytes be chosen",
               f->info.name);
  else f->whole = true;
}

// What an operator wants of an operand, beside the other one.
static enum want wants(const struct checker *c, enum op op, const struct expr *other) {
  if (op == OP_EQ || op == OP_NE || op == OP_LNOT || op == OP_LAND || op == OP_LOR) return ALL;
  return op == OP_AND && !carries(c, other) ? LOW_ANYWAY : LOW;
}

static void visit(struct checker *c, struct expr *e, enum want want) {
  struct expr *x = expr_first(e);
  visit_leaf(c, x, x == e ? want : wants(c, x->up->op, x->up->arg[1]));
  while (x != e) {
    const bool carried = carries(c, x);
    x = x->up;
    if (x->num_args == 2) visit(c, x->arg[1], wants(c, x->op, x->arg[0]));
    if (x->op != OP_EQ && x->op != OP_NE) continue;
    // No value of 32 bits is such a number.
    const struct expr *number = x->arg[0]->kind == EXPR_NUMBER ? x->arg[0] : x->arg[1];
    const bool other = number == x->arg[0] ? carries(c, x->arg[1]) : carried;
    if (number->kind == EXPR_NUMBER && number->above && !other) low_only(c, number);
  }
}

static bool visit_all(struct checker *c, const struct stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == STMT_BLOCK) visit_all(c, s->body);
    if (s->kind == STMT_IF) {
      visit(c, s->value, ALL);
      visit_all(c, s->then);
      visit_all(c, s->otherwise);
    }
    if (s->kind != STMT_ASSIGN) continue;
    if (s->target->num_args) visit(c, s->target->arg[0], LOW);
    struct field *f = s->target->kind == EXPR_FIELD ? c->ir->program->field[s->target->id] : NULL;
    const bool holds = f && (is_six(&f->info) || f->info.home == SLUICE_HOME_TEMPORARY);
    visit(c, s->value, holds && !f->info.param ? ALL : LOW);
    if (holds && is_six(&f->info) && !f->info.param) f->whole = true;
  }
  return false;
}

static bool each(struct checker *c, bool (*what)(struct checker *c, const struct stmt *s)) {
  const struct sluice_program *p = c->ir->program;
  bool any = what(c, p->body);
  for (size_t i = 0; i < p->num_tables; i++)
    for (unsigned a = 0; a < p->table[i]->num_actions; a++) {
      c->function = (struct function *)p->table[i]->action[a].function;
      if (c->function) any |= what(c, c->function->body);
    }
  c->function = NULL;
  return any;
}

void check_widths(struct checker *c) {
  while (each(c, spread)) continue;
  (void)each(c, visit_all);
}
