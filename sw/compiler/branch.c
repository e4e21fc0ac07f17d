// SPDX-License-Identifier: Apache-2.0
// If-conversion: the condition of each `if` goes into a temporary, and what it guards becomes a
// plain statement that carries the temporary. Computing what is not needed does no harm: nothing
// traps.
#include "internal.h"

static struct expr *make(struct compiler *c, enum expr_kind kind, const struct token *at,
                         struct expr *x, struct expr *y) {
  struct expr *e = NEW(c->arena, struct expr);
  e->kind = kind;
  e->at = at;
  e->arg[0] = x;
  e->arg[1] = y;
  e->num_args = x ? y ? 2 : 1 : 0;
  if (x) x->up = e;
  return e;
}

static struct flat ***append(struct compiler *c, struct flat ***end, struct expr *target,
                             struct expr *value, int path) {
  struct flat *f = NEW(c->arena, struct flat);
  *f = (struct flat){.target = target, .value = value, .path = path};
  **end = f;
  *end = &f->next;
  return end;
}

static struct expr *temp(struct compiler *c, const struct token *at, int id) {
  struct expr *e = make(c, EXPR_TEMP, at, NULL, NULL);
  e->id = (unsigned)id;
  return e;
}

// A new temporary for `path && value`, or `path && !value`.
static int guard(struct compiler *c, struct flat ***end, const struct token *at, int path,
                 struct expr *value, bool invert) {
  int id = (int)c->num_temps++;
  if (invert) {
    value = make(c, EXPR_OP, at, value, NULL);
    value->op = OP_LNOT;
  }
  if (path >= 0) {
    value = make(c, EXPR_OP, at, temp(c, at, path), value);
    value->op = OP_LAND;
  }
  append(c, end, temp(c, at, id), value, -1);
  return id;
}

static void flatten(struct compiler *c, struct flat ***end, const struct stmt *s, int path) {
  for (; s; s = s->next) {
    if (s->kind == STMT_BLOCK) {
      flatten(c, end, s->body, path);
    } else if (s->kind == STMT_ASSIGN) {
      append(c, end, s->target, s->value, path);
    } else {
      // The condition is computed before the arms can change what it reads.
      int cond = (int)c->num_temps++;
      append(c, end, temp(c, s->at, cond), s->value, path);
      flatten(c, end, s->then, guard(c, end, s->at, path, temp(c, s->at, cond), false));
      if (s->otherwise)
        flatten(c, end, s->otherwise, guard(c, end, s->at, path, temp(c, s->at, cond), true));
    }
  }
}

void branch(struct compiler *c) {
  struct flat **end = &c->flat;
  flatten(c, &end, c->program->body, -1);
}
