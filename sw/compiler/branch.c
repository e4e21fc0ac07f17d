// SPDX-License-Identifier: Apache-2.0
// If-conversion: the condition of each `if` goes into a temporary, and what it guards becomes a
// plain statement that carries the temporary. Computing what is not needed does no harm: nothing
// traps.
#include "table.h"

struct branching {
  struct arena *arena;
  const struct sluice_program *program;
  struct flats *made;
};

static struct expr *make(struct branching *b, enum expr_kind kind, const struct token *at,
                         struct expr *x, struct expr *y) {
  struct expr *e = NEW(b->arena, struct expr);
  e->kind = kind;
  e->at = at;
  e->arg[0] = x;
  e->arg[1] = y;
  e->num_args = x ? y ? 2 : 1 : 0;
  if (x) x->up = e;
  return e;
}

static struct flat ***append(struct branching *b, struct flat ***end, struct expr *target,
                             struct expr *value, int path) {
  struct flat *f = NEW(b->arena, struct flat);
  *f = (struct flat){.target = target, .value = value, .path = path};
  **end = f;
  *end = &f->next;
  b->made->last = f;
  return end;
}

static struct expr *temp(struct branching *b, const struct token *at, int id) {
  struct expr *e = make(b, EXPR_TEMP, at, NULL, NULL);
  e->id = (unsigned)id;
  return e;
}

// A new temporary for `path && value`, or `path && !value`.
static int guard(struct branching *b, struct flat ***end, const struct token *at, int path,
                 struct expr *value, bool invert) {
  const int id = (int)b->made->num_temps++, cond = value->kind == EXPR_TEMP ? (int)value->id : -1;
  if (invert) {
    value = make(b, EXPR_OP, at, value, NULL);
    value->op = OP_LNOT;
  }
  if (path >= 0) {
    value = make(b, EXPR_OP, at, temp(b, at, path), value);
    value->op = OP_LAND;
  }
  append(b, end, temp(b, at, id), value, -1);
  b->made->last->is_path = true;
  b->made->last->around = path;
  b->made->last->cond = cond;
  b->made->last->holds = !invert;
  return id;
}

static void flatten(struct branching *b, struct flat ***end, const struct stmt *s, int path);

// The lookup, and behind it what each action does if it is the one.
static void apply(struct branching *b, struct flat ***end, const struct stmt *s, int path) {
  const struct table *t = b->program->table[s->table];
  append(b, end, NULL, NULL, path);
  struct flat *lookup = b->made->last;
  lookup->table = t;
  lookup->action = s->table;
  for (unsigned i = 0; i < t->num_actions; i++) {
    const struct function *f = t->action[i].function;
    if (!f || !f->body->body) continue;
    struct expr *ran = make(b, EXPR_RAN, s->at, NULL, NULL),
                *which = make(b, EXPR_NUMBER, s->at, NULL, NULL);
    ran->id = s->table;
    which->value = (int32_t)i + 1;
    struct expr *value = make(b, EXPR_OP, s->at, ran, which);
    value->op = OP_EQ;
    const int taken = guard(b, end, s->at, path, value, false);
    const struct flat *before = b->made->last;
    flatten(b, end, f->body, taken);
    for (struct flat *made = before->next; made; made = made->next) {
      made->table = t;
      made->action = i;
    }
  }
}

static void flatten(struct branching *b, struct flat ***end, const struct stmt *s, int path) {
  for (; s; s = s->next) {
    if (s->kind == STMT_BLOCK) {
      flatten(b, end, s->body, path);
    } else if (s->kind == STMT_APPLY) {
      apply(b, end, s, path);
    } else if (s->kind == STMT_LOOKUP) {
      if (s->target) append(b, end, s->target, s->value, path);
    } else if (s->kind == STMT_ASSIGN) {
      append(b, end, s->target, s->value, path);
    } else {
      // The condition is computed before the arms can change what it reads.
      int cond = (int)b->made->num_temps++;
      append(b, end, temp(b, s->at, cond), s->value, path);
      flatten(b, end, s->then, guard(b, end, s->at, path, temp(b, s->at, cond), false));
      if (s->otherwise)
        flatten(b, end, s->otherwise, guard(b, end, s->at, path, temp(b, s->at, cond), true));
    }
  }
}

void branch(struct ir_context *c, struct flats *made) {
  struct branching b = {c->arena, c->program, made};
  struct flat **end = &made->first;
  flatten(&b, &end, c->program->body, -1);
}
