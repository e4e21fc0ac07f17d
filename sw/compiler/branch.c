// SPDX-License-Identifier: Apache-2.0
// If-conversion: the condition of each `if` goes into a temporary, and what it guards becomes a
// plain statement that carries the temporary. Computing what is not needed does no harm: nothing
// traps.
#include "table.h"

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
  c->last = f;
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
  const int id = (int)c->num_temps++, cond = value->kind == EXPR_TEMP ? (int)value->id : -1;
  if (invert) {
    value = make(c, EXPR_OP, at, value, NULL);
    value->op = OP_LNOT;
  }
  if (path >= 0) {
    value = make(c, EXPR_OP, at, temp(c, at, path), value);
    value->op = OP_LAND;
  }
  append(c, end, temp(c, at, id), value, -1);
  c->last->is_path = true;
  c->last->around = path;
  c->last->cond = cond;
  c->last->holds = !invert;
  return id;
}

static void flatten(struct compiler *c, struct flat ***end, const struct stmt *s, int path);

// The lookup, and behind it what each action does if it is the one.
static void apply(struct compiler *c, struct flat ***end, const struct stmt *s, int path) {
  const struct table *t = c->program->table[s->table];
  append(c, end, NULL, NULL, path);
  struct flat *lookup = c->last;
  lookup->table = t;
  lookup->action = s->table;
  for (unsigned i = 0; i < t->num_actions; i++) {
    const struct function *f = t->action[i].function;
    if (!f || !f->body->body) continue;
    struct expr *ran = make(c, EXPR_RAN, s->at, NULL, NULL),
                *which = make(c, EXPR_NUMBER, s->at, NULL, NULL);
    ran->id = s->table;
    which->value = (int32_t)i + 1;
    struct expr *value = make(c, EXPR_OP, s->at, ran, which);
    value->op = OP_EQ;
    const int taken = guard(c, end, s->at, path, value, false);
    const struct flat *before = c->last;
    flatten(c, end, f->body, taken);
    for (struct flat *made = before->next; made; made = made->next) {
      made->table = t;
      made->action = i;
    }
  }
}

static void flatten(struct compiler *c, struct flat ***end, const struct stmt *s, int path) {
  for (; s; s = s->next) {
    if (s->kind == STMT_BLOCK) {
      flatten(c, end, s->body, path);
    } else if (s->kind == STMT_APPLY) {
      apply(c, end, s, path);
    } else if (s->kind == STMT_LOOKUP) {
      if (s->target) append(c, end, s->target, s->value, path);
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
