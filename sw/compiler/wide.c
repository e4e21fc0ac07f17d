// SPDX-License-Identifier: Apache-2.0
// Wide compares. A choice by a comparison takes two stages: one compares, the next one chooses. The
// match of a stage can do the first, so on a chip with WideCompare
//
//     v7 = v1 < v2          v9 = v7 ? v4 : v5
//
// is one stage: its two match rows differ in the bit of the wide compare, and so in their actions,
// `v4` in the one, `v5` in the other. An arm may be an operation itself, which then is done in the
// row. Port and discard flag are chosen likewise. A stage has one comparison, and none beside a
// table. Only choices that are made earlier so are taken; whether it gives fewer stages in all,
// plan.c tries.
#include "table.h"

// How a comparison of a program is spelt: A op B, or A op K; its result, inverted if `invert`.
struct spelling {
  unsigned op;
  struct node *a, *b;  // b NULL: the constant
  int32_t k;
  bool invert;
};

struct wides {
  unsigned num;     // nodes that have a level
  unsigned *level;  // by node, where choices take one stage
  bool *taken;      // by node: a choice that does
};

static bool malleable(const struct node *n) {
  struct relocated r;
  return n->op != OP_CONST && node_linear(n, &r);
}

static bool spell(const struct node *cond, struct spelling *s) {
  struct node *x = cond->arg[0], *y = cond->arg[1];
  const bool less = cond->op == OP_LT || cond->op == OP_LE, equal = cond->op == OP_EQ;
  if ((!less && !equal && cond->op != OP_NE) || malleable(x) || malleable(y)) return false;
  if (!less) {
    *s = (struct spelling){.op = SLUICE_WIDE_EQ, .a = x, .b = y, .invert = !equal};
  } else if (y->op == OP_CONST) {
    // x < k is not x >= k.
    *s = (struct spelling){
        .op = cond->op == OP_LT ? SLUICE_WIDE_GE : SLUICE_WIDE_GT, .a = x, .b = y, .invert = true};
  } else {
    *s = (struct spelling){
        .op = cond->op == OP_LT ? SLUICE_WIDE_GT : SLUICE_WIDE_GE, .a = y, .b = x};
  }
  if (s->b->op != OP_CONST) return true;
  s->k = s->b->value;
  s->b = NULL;
  return true;
}

// ---- which choices ------------------------------------------------------------------------------

static unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }

static bool by_row_operation(const struct compiler *c, const struct node *n) {
  return n->op >= OP_ADD && n->op != OP_MUL && !select_reads_or_zero(c, n);
}

static unsigned operands_level(const struct wides *w, const struct node *n) {
  unsigned most = 0;
  for (unsigned i = 0; i < n->num_args; i++) most = max(most, w->level[n->arg[i]->id]);
  return most;
}

// Levels until a row can give this arm; whether it computes it.
static unsigned arm_level(const struct compiler *c, const struct wides *w, const struct node *n,
                          bool *is_operation) {
  *is_operation = false;
  if (n->op == OP_CONST) return n->ready > 1 ? 1 : 0;
  if (malleable(n) || !by_row_operation(c, n)) return w->level[n->id];
  const unsigned operands = operands_level(w, n);
  *is_operation = operands < w->level[n->id];
  return *is_operation ? operands : w->level[n->id];
}

static unsigned condition_level(const struct wides *w, const struct spelling *s) {
  return max(w->level[s->a->id], s->b ? w->level[s->b->id] : 0);
}

static unsigned choice_level(const struct compiler *c, const struct wides *w,
                             const struct spelling *s, const struct node *n) {
  bool unused;
  return max(condition_level(w, s),
             max(arm_level(c, w, n->arg[1], &unused), arm_level(c, w, n->arg[2], &unused)));
}

void wide_find(struct compiler *c) {
  c->wides = NULL;
  if (!c->plan->wide || c->graph->ports || c->program->outer) return;
  for (unsigned i = 0; i < c->codelets.num; i++)
    if (c->codelets.list[i].row) return;  // such stages choose already
  struct wides *w = c->wides = NEW(c->arena, struct wides);
  w->num = c->graph->num;
  w->level = NEW_ARRAY(c->arena, unsigned, w->num + 1);
  w->taken = NEW_ARRAY(c->arena, bool, w->num + 1);
  for (unsigned i = 0; i < w->num; i++) {
    const struct node *n = c->graph->list[i];
    struct spelling s;
    bool invert;
    w->level[i] = n->op < OP_ADD || n->op == OP_MUL || malleable(n) || table_result_of(c, n)
                      ? n->ready
                      : operands_level(w, n) + 1;
    if (n->op != OP_SELECT || select_reads_or_zero(c, n) || table_result_of(c, n) ||
        !spell(zero_test(n->arg[0], &invert), &s))
      continue;
    const unsigned level = choice_level(c, w, &s, n) + 1;
    w->taken[i] = level < w->level[i];
    if (w->taken[i]) w->level[i] = level;
  }
}

// ---- tasks --------------------------------------------------------------------------------------

static struct operand operand_of(struct compiler *c, struct node *n) {
  if (n->op == OP_CONST && (uint32_t)n->value <= 7)
    return (struct operand){NULL, (unsigned)n->value, false};
  return (struct operand){task_of(c, n), 0, false};
}

// The comparison of a condition, for choices whose arms are there at one level.
static struct task *unit_of(struct compiler *c, struct node *cond, const struct spelling *s,
                            unsigned level) {
  struct code *code = c->code;
  for (unsigned i = 0; i < code->num; i++) {
    struct task *t = code->list[i];
    if (t->kind == TASK_COMPARE && t->node == cond && t->level == level) return t;
  }
  struct operand x[2] = {operand_of(c, s->a), {NULL, 0, false}};
  if (s->b) x[1] = operand_of(c, s->b);
  struct task *t = task_new(c, TASK_COMPARE, cond);
  t->op = s->op;
  t->func = !s->b;
  t->imm = s->k;
  t->level = level;
  t->num_args = s->b ? 2 : 1;
  t->arg[0] = x[0];
  t->arg[1] = x[1];
  return t;
}

bool wide_takes(const struct compiler *c, const struct node *n) {
  return c->wides && n->id < c->wides->num && c->wides->taken[n->id];
}

struct task *wide_task(struct compiler *c, struct node *n) {
  struct spelling s;
  bool invert;
  struct node *cond = zero_test(n->arg[0], &invert);
  if (!spell(cond, &s)) SLUICE_BUG("a choice by something else than a comparison");
  struct task *unit = unit_of(c, cond, &s, choice_level(c, c->wides, &s, n)),
              *t = task_result(c, n, unit, 0);
  t->row = NEW_ARRAY(c->arena, struct task *, WIDE_ROWS);
  for (unsigned row = 0; row < WIDE_ROWS; row++) {
    struct node *arm = n->arg[(row ^ s.invert ^ invert) ? 1 : 2];
    bool is_operation;
    (void)arm_level(c, c->wides, arm, &is_operation);
    t->row[row] = task_row(c, NO_TABLE, arm, is_operation);
  }
  return t;
}

// Slot 0 in both rows: a number, or what stands in a container.
static struct task *slot_task(struct compiler *c, enum task_kind kind, struct node *cond,
                              const struct spelling *s, unsigned level,
                              struct node *arm[WIDE_ROWS]) {
  struct task *t = task_new(c, kind, NULL);
  t->unit = unit_of(c, cond, s, level);
  t->row = NEW_ARRAY(c->arena, struct task *, WIDE_ROWS);
  for (unsigned row = 0; row < WIDE_ROWS; row++) {
    struct task *made = t->row[row] = NEW(c->arena, struct task);
    made->arg = NEW_ARRAY(c->arena, struct operand, 1);
    made->op = SLUICE_OP_SET;
    if (arm[row]->op == OP_CONST) {
      made->imm = arm[row]->value;
      continue;
    }
    made->op = SLUICE_OP_FUNC;
    made->num_args = 1;
    made->arg[0].task = task_of(c, arm[row]);
  }
  return t;
}

struct task *wide_discard(struct compiler *c, struct node *dropped) {
  struct spelling s;
  bool invert;
  if (!c->wides || !dropped || dropped->op == OP_CONST) return NULL;
  struct node *cond = zero_test(dropped, &invert);
  if (cond->num_args != 2 || !spell(cond, &s)) return NULL;
  struct node number[WIDE_ROWS] = {{0}}, *arm[WIDE_ROWS];
  for (unsigned row = 0; row < WIDE_ROWS; row++) {
    number[row] = (struct node){.op = OP_CONST, .value = (int32_t)(row ^ s.invert ^ invert)};
    arm[row] = &number[row];
  }
  return slot_task(c, TASK_DISCARD, cond, &s, condition_level(c->wides, &s), arm);
}

struct task *wide_port(struct compiler *c, struct node *port) {
  const struct task *discard = c->code->discard;
  struct spelling s;
  bool invert;
  if (!port || !wide_takes(c, port)) return NULL;
  struct node *cond = zero_test(port->arg[0], &invert), *arm[WIDE_ROWS];
  if (!spell(cond, &s)) return NULL;
  unsigned level = condition_level(c->wides, &s);
  for (unsigned row = 0; row < WIDE_ROWS; row++) {
    arm[row] = port->arg[(row ^ s.invert ^ invert) ? 1 : 2];
    // Beside a flag that a container has there is room for a small number.
    if (arm[row]->op == OP_CONST && discard && !discard->row && (uint32_t)arm[row]->value > 7)
      return NULL;
    if (arm[row]->op != OP_CONST) level = max(level, c->wides->level[arm[row]->id]);
  }
  return slot_task(c, TASK_PORT, cond, &s, level, arm);
}
