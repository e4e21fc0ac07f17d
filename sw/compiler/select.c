// SPDX-License-Identifier: Apache-2.0
// Values to operations: each live node becomes one VLIW operation, a result of a hash unit, a
// multiplier or a state unit, or bytes from the parser; constants that no operand field can spell
// become operations too.
#include <string.h>

#include "table.h"

struct task *task_new(struct compiler *c, enum task_kind kind, struct node *node) {
  struct code *code = c->code;
  if (code->num == code->room) {
    unsigned room = code->room ? 2 * code->room : 64;
    struct task **grown = NEW_ARRAY(c->arena, struct task *, room);
    if (code->num) memcpy(grown, code->list, code->num * sizeof *grown);
    code->list = grown;
    code->room = room;
  }
  struct task *t = NEW(c->arena, struct task);
  t->arg = NEW_ARRAY(c->arena, struct operand, 4);
  t->kind = kind;
  t->node = node;
  t->small = node && node->umax <= UINT16_MAX;
  t->id = code->num;
  code->list[code->num++] = t;
  return t;
}

static struct task *alu(struct compiler *c, struct node *node, unsigned op, unsigned func,
                        int32_t imm, unsigned num_args, const struct operand *args) {
  struct task *t = task_new(c, TASK_ALU, node);
  t->op = op;
  t->func = func;
  t->imm = imm;
  t->num_args = num_args;
  for (unsigned i = 0; i < num_args; i++) t->arg[i] = args[i];
  return t;
}

struct task *task_copy(struct compiler *c, struct task *t) {
  const struct operand x = {t, 0, false};
  return alu(c, NULL, SLUICE_OP_FUNC, SLUICE_FUNC_MOVE, 0, 1, &x);
}

static bool fits_imm(int32_t value) { return value >= -2048 && value <= 2047; }

// A constant: at once if it has 16 bits, else low half first, then the high half over it.
static struct task *constant(struct compiler *c, struct node *node, int32_t value) {
  uint32_t bits = (uint32_t)value;
  struct operand low = {NULL, bits & 7, false};
  if (bits <= UINT16_MAX) return alu(c, node, SLUICE_OP_SET, 0, value, 0, NULL);
  if (fits_imm(value)) return alu(c, node, SLUICE_OP_FUNCI, SLUICE_FUNCI_SET, value, 0, NULL);
  if ((bits & UINT16_MAX) > 7) {
    low.task = alu(c, NULL, SLUICE_OP_SET, 0, (int32_t)(bits & UINT16_MAX), 0, NULL);
    low.task->small = true;
  }
  return alu(c, node, SLUICE_OP_SETHI, 0, (int32_t)(bits >> 16), 1, &low);
}

// The same of a malleable, in the form that holds all its values.
static struct task *malleable_task(struct compiler *c, struct node *node,
                                   const struct relocated *r) {
  struct operand low = {NULL, 0, false};
  struct task *t;
  if (relocated_within(c, r, 0, UINT16_MAX)) {
    t = alu(c, node, SLUICE_OP_SET, 0, 0, 0, NULL);
    t->small = true;
    t->relocated = *r;
    t->relocated.kind = SLUICE_RELOCATE_UNSIGNED;
    return t;
  }
  if (relocated_within(c, r, -2048, 2047)) {
    t = alu(c, node, SLUICE_OP_FUNCI, SLUICE_FUNCI_SET, 0, 0, NULL);
    t->relocated = *r;
    t->relocated.kind = SLUICE_RELOCATE_SIGNED;
    return t;
  }
  low.task = alu(c, NULL, SLUICE_OP_SET, 0, 0, 0, NULL);
  low.task->small = true;
  low.task->relocated = *r;
  low.task->relocated.kind = SLUICE_RELOCATE_LOW;
  t = alu(c, node, SLUICE_OP_SETHI, 0, 0, 1, &low);
  t->relocated = *r;
  t->relocated.kind = SLUICE_RELOCATE_HIGH;
  return t;
}

// Whether the value is a data word of the table whose row is made.
static bool is_data_word(const struct compiler *c, const struct node *n) {
  return n->op == OP_TABLE && (int)n->index == c->code->row_table && n->modulus >= TABLE_WORD;
}

static struct operand operand(struct compiler *c, struct node *n) {
  if (is_data_word(c, n))
    return (struct operand){NULL, (n->modulus - TABLE_WORD) % DATA_WORDS, true};
  if (n->op == OP_CONST && (uint32_t)n->value <= (c->code->row_words ? 3 : 7))
    return (struct operand){NULL, (unsigned)n->value, false};
  return (struct operand){task_of(c, n), 0, false};
}

// A container that is 0 exactly when the truth value is; `invert` is set if that takes the
// opposite.
struct node *zero_test(struct node *n, bool *invert) {
  *invert = false;
  while ((n->op == OP_NE || n->op == OP_EQ) && node_is(n->arg[1], 0)) {
    if (n->op == OP_EQ) *invert = !*invert;
    n = n->arg[0];
    if (!node_is_bool(n)) break;
  }
  return n;
}

static struct node *truth(struct node *n) {
  bool invert;
  struct node *x = zero_test(n, &invert);
  return invert ? n : x;
}

// !a && b is a < b of truth values, and !a || b is a <= b: one operation, not two. NULL: it has
// another form.
static struct task *implication(struct compiler *c, struct node *n) {
  for (int i = 0; i < 2; i++) {
    struct node *a = n->arg[i], *b = n->arg[!i];
    if (a->op != OP_EQ || !node_is(a->arg[1], 0) || !node_is_bool(a->arg[0]) || !node_is_bool(b))
      continue;
    const struct operand x[2] = {operand(c, a->arg[0]), operand(c, b)};
    const unsigned func = n->op == OP_LAND ? SLUICE_FUNC_LT : SLUICE_FUNC_LE;
    return alu(c, n, SLUICE_OP_FUNC, func, 0, 2, x);
  }
  return NULL;
}

static struct task *select_task(struct compiler *c, struct node *n) {
  bool invert;
  struct operand x[3];
  struct node *cond = zero_test(n->arg[0], &invert);
  x[0] = operand(c, n->arg[invert ? 2 : 1]);
  x[1] = operand(c, n->arg[invert ? 1 : 2]);
  x[2] = operand(c, cond);
  return alu(c, n, SLUICE_OP_FUNC, SLUICE_FUNC_SELECT, 0, 3, x);
}

static int left_form(enum op op) {  // constant on the left
  return op == OP_SUB  ? SLUICE_FUNCI_RSUB
         : op == OP_LT ? SLUICE_FUNCI_GT
         : op == OP_LE ? SLUICE_FUNCI_GE
                       : -1;
}

// The operation with a malleable as its immediate, if there is such a form that holds all its
// values; else NULL.
static struct task *with_malleable(struct compiler *c, struct node *n, struct node *a,
                                   struct node *b, const int *by_right) {
  const bool commutes = n->op == OP_ADD || n->op == OP_AND || n->op == OP_OR || n->op == OP_XOR ||
                        n->op == OP_EQ || n->op == OP_NE;
  struct relocated r;
  struct node *other = a;
  int form = -1;
  if (node_linear(b, &r)) {
    form = n->op == OP_SUB ? SLUICE_FUNCI_ADD : by_right[n->op];
    if (n->op == OP_SUB) relocated_negate(&r);
  } else if (node_linear(a, &r)) {
    other = b;
    form = commutes ? by_right[n->op] : left_form(n->op);
  }
  if (form < 0 || !relocated_within(c, &r, -2048, 2047)) return NULL;
  struct operand x = operand(c, other);
  struct task *t = alu(c, n, SLUICE_OP_FUNCI, (unsigned)form, 0, 1, &x);
  t->relocated = r;
  t->relocated.kind = SLUICE_RELOCATE_SIGNED;
  return t;
}

static struct task *binary(struct compiler *c, struct node *n) {
  static const int func[] = {
      [OP_ADD] = SLUICE_FUNC_ADD,   [OP_SUB] = SLUICE_FUNC_SUB, [OP_AND] = SLUICE_FUNC_AND,
      [OP_OR] = SLUICE_FUNC_OR,     [OP_XOR] = SLUICE_FUNC_XOR, [OP_SHL] = SLUICE_FUNC_SHL,
      [OP_SRA] = SLUICE_FUNC_SRA,   [OP_SRL] = SLUICE_FUNC_SRL, [OP_EQ] = SLUICE_FUNC_EQ,
      [OP_NE] = SLUICE_FUNC_NE,     [OP_LT] = SLUICE_FUNC_LT,   [OP_LE] = SLUICE_FUNC_LE,
      [OP_LAND] = SLUICE_FUNC_LAND, [OP_LOR] = SLUICE_FUNC_LOR};
  static const int by_right[] = {// constant on the right; -1: no such form
                                 [OP_ADD] = SLUICE_FUNCI_ADD,
                                 [OP_SUB] = -1,
                                 [OP_AND] = SLUICE_FUNCI_AND,
                                 [OP_OR] = SLUICE_FUNCI_OR,
                                 [OP_XOR] = SLUICE_FUNCI_XOR,
                                 [OP_SHL] = SLUICE_FUNCI_SHL,
                                 [OP_SRA] = SLUICE_FUNCI_SRA,
                                 [OP_SRL] = SLUICE_FUNCI_SRL,
                                 [OP_EQ] = SLUICE_FUNCI_EQ,
                                 [OP_NE] = SLUICE_FUNCI_NE,
                                 [OP_LT] = SLUICE_FUNCI_LT,
                                 [OP_LE] = SLUICE_FUNCI_LE,
                                 [OP_LAND] = -1,
                                 [OP_LOR] = -1};
  struct node *a = n->arg[0], *b = n->arg[1];
  if (n->op == OP_LAND || n->op == OP_LOR) {
    a = truth(a);
    b = truth(b);
  }
  struct operand x[3];
  const bool immediate = !c->code->row_words;
  struct task *t = immediate ? with_malleable(c, n, a, b, by_right) : NULL;
  if (t) return t;
  if (immediate && b->op == OP_CONST && fits_imm(b->value) && by_right[n->op] >= 0) {
    x[0] = operand(c, a);
    return alu(c, n, SLUICE_OP_FUNCI, (unsigned)by_right[n->op], b->value, 1, x);
  }
  const int by_left = left_form(n->op);
  if (immediate && a->op == OP_CONST && fits_imm(a->value) && by_left >= 0) {
    x[0] = operand(c, b);
    return alu(c, n, SLUICE_OP_FUNCI, (unsigned)by_left, a->value, 1, x);
  }
  x[0] = operand(c, a);
  x[1] = operand(c, b);
  return alu(c, n, SLUICE_OP_FUNC, (unsigned)func[n->op], 0, 2, x);
}

struct task *task_result(struct compiler *c, struct node *n, struct task *unit, unsigned which) {
  struct task *t = task_new(c, TASK_RESULT, n);
  t->op = SLUICE_OP_EXT;
  t->func = which;
  t->unit = unit;
  return t;
}

static struct task *hash_unit(struct compiler *c, struct node *n) {
  struct operand x[3];
  for (unsigned i = 0; i < n->num_args; i++) x[i] = operand(c, n->arg[i]);
  struct task *t = task_new(c, TASK_HASH, n);
  t->num_args = n->num_args;
  memcpy(t->arg, x, t->num_args * sizeof *x);
  return t;
}

static struct task *multiplier(struct compiler *c, struct node *n) {
  const struct operand x[2] = {operand(c, n->arg[0]), operand(c, n->arg[1])};
  struct task *t = task_new(c, TASK_MULTIPLY, n);
  t->num_args = 2;
  memcpy(t->arg, x, t->num_args * sizeof *x);
  return t;
}

// A small number that is looked up: all of its container is compared.
static struct operand key_operand(struct compiler *c, struct node *n) {
  struct operand x = operand(c, n);
  if (x.task && x.task->kind == TASK_INPUT) x.task = task_copy(c, x.task);
  if (x.task) x.task->plain = true;
  return x;
}

static struct task *state_unit(struct compiler *c, unsigned codelet) {
  struct codelet *k = &c->codelets.list[codelet];
  struct task **t = &c->code->state[codelet];
  if (*t) return *t;
  struct operand x[3] = {{NULL, 0, false}, {NULL, 0, false}, {NULL, 0, false}};
  for (int i = 0; i < 2; i++)
    if (k->map->operand[i]) x[i] = operand(c, k->map->operand[i]);
  if (k->index) {
    x[2] = operand(c, k->index);
    c->code->index[codelet] = x[2];
  }
  if (k->guard) {
    struct node *cond = zero_test(k->guard, &c->code->invert[codelet]);
    c->code->guard[codelet] = operand(c, cond);
    // A raw 6-byte field has bits that the 32-bit value has not.
    struct task *g = c->code->guard[codelet].task;
    if (g && g->kind == TASK_INPUT && (c->graph->source[g->source].width == 6 || g->width == 6))
      c->code->guard[codelet].task = task_copy(c, g);
    if (c->code->guard[codelet].task) c->code->guard[codelet].task->plain = true;
  }
  if (x[2].task && x[2].task->kind == TASK_INPUT &&
      (c->graph->source[x[2].task->source].width == 6 || x[2].task->width == 6)) {
    x[2].task = task_copy(c, x[2].task);
    c->code->index[codelet] = x[2];
  }
  if (x[2].task) x[2].task->plain = true;
  if (k->which) c->code->which[codelet] = key_operand(c, k->which);
  *t = task_new(c, TASK_STATE, NULL);
  (*t)->codelet = k;
  (*t)->num_args = k->pinned && k->index ? 3 : 2;
  memcpy((*t)->arg, x, sizeof x);
  if (k->which) (*t)->arg[(*t)->num_args++] = c->code->which[codelet];
  return *t;
}

// guard ? old : 0 is the state unit's result as it is: without the access a packet reads 0.
bool select_reads_or_zero(const struct compiler *c, const struct node *n) {
  if (n->op != OP_SELECT) return false;
  const struct node *x = n->arg[1];
  return x->op == OP_EXT && (x->modulus == SLUICE_EXT_OLD_1 || x->modulus == SLUICE_EXT_OLD_2) &&
         node_is(n->arg[2], 0) && n->arg[0] == c->codelets.list[x->index].guard;
}

// An operation on values: all that is no leaf and no unit.
static struct task *operation(struct compiler *c, struct node *n) {
  struct operand x[3];
  struct task *t;
  switch (n->op) {
    case OP_NOT:
      x[0] = operand(c, n->arg[0]);
      return alu(c, n, SLUICE_OP_FUNC, SLUICE_FUNC_NOT, 0, 1, x);
    case OP_SELECT: return select_task(c, n);
    case OP_LAND:
    case OP_LOR: t = implication(c, n); return t ? t : binary(c, n);
    default: return binary(c, n);
  }
}

static struct task *new_task(struct compiler *c, struct node *n) {
  struct relocated r;
  struct task *t;
  if (node_linear(n, &r)) return malleable_task(c, n, &r);
  struct table_result *written = table_result_of(c, n);
  if (written) return table_task(c, n, written);
  switch (n->op) {
    case OP_CONST: return constant(c, n, n->value);
    case OP_INPUT:
      t = task_new(c, TASK_INPUT, n);
      t->source = n->index;
      return t;
    case OP_FOUND:
      t = task_new(c, TASK_FOUND, n);
      t->width = 2;
      return t;
    case OP_HASH: return task_result(c, n, hash_unit(c, n), SLUICE_EXT_OLD_1);
    case OP_MUL: return task_result(c, n, multiplier(c, n), SLUICE_EXT_PRODUCT);
    case OP_EXT: return task_result(c, n, state_unit(c, n->index), n->modulus);
    case OP_SELECT:
      if (select_reads_or_zero(c, n))
        return task_result(c, n, state_unit(c, n->arg[1]->index), n->arg[1]->modulus);
      if (wide_takes(c, n)) return wide_task(c, n);
      return operation(c, n);
    default: return operation(c, n);
  }
}

struct task *task_of(struct compiler *c, struct node *n) {
  struct task *made = c->code->of_node[n->id];
  if (made) return made;
  // What a row needs is made outside of it.
  const int table = c->code->row_table;
  const bool words = c->code->row_words;
  c->code->row_table = -1;
  c->code->row_words = false;
  made = new_task(c, n);
  c->code->row_table = table;
  c->code->row_words = words;
  return c->code->of_node[n->id] = made;
}

struct task *task_row(struct compiler *c, unsigned table, struct node *n, bool is_operation) {
  struct code *code = c->code;
  struct task *made;
  if (n->op == OP_CONST) return constant(c, NULL, n->value);
  code->row_table = (int)table;
  for (unsigned i = 0; is_operation && i < n->num_args; i++) {
    bool invert;
    code->row_words |= is_data_word(c, n->arg[i]);
    if (i == 0 && n->op == OP_SELECT)
      code->row_words |= is_data_word(c, zero_test(n->arg[0], &invert));
    if (n->op == OP_LAND || n->op == OP_LOR) code->row_words |= is_data_word(c, truth(n->arg[i]));
  }
  if (is_operation) {
    made = operation(c, n);
  } else {
    const struct operand x = operand(c, n);
    made = alu(c, NULL, SLUICE_OP_FUNC, SLUICE_FUNC_MOVE, 0, 1, &x);
  }
  code->row_table = -1;
  code->row_words = false;
  return made;
}

// The value of an output in a container of its width: the task itself if it can live there, else
// its double.
static struct task *output_task(struct compiler *c, const struct output *o) {
  struct node *n = o->value;
  if (n->op == OP_INPUT && o->width != 6) {
    const struct source *s = &c->graph->source[n->index];
    if (!s->metadata && s->offset == o->offset && s->width == o->width && s->param == o->param)
      return NULL;
  }
  struct task *t;
  // Another output may have the value in such a container already.
  for (const struct output *other = c->graph->output; other < o; other++) {
    t = c->code->output[other - c->graph->output];
    if (t && other->value == n && other->width == o->width) return t;
  }
  if (n->op == OP_CONST) {
    t = constant(c, NULL, o->width == 2 ? n->value & UINT16_MAX : n->value);
    t->width = o->width;
    return t;
  }
  t = task_of(c, n);
  // Bytes that are only moved elsewhere stay in the parser's container.
  if (t->kind == TASK_INPUT && o->width != 6 && c->graph->source[t->source].width == o->width &&
      t->width != 6) {
    t->plain = true;
    return t;
  }
  bool free = t->kind != TASK_INPUT && (t->width == 0 || t->width == o->width);
  if (free && (o->width != 2 || t->small)) {
    t->width = o->width;
    return t;
  }
  struct operand x = {t, 0, false};
  struct task *twin;
  if (t->kind == TASK_INPUT || t->kind == TASK_FOUND) {
    twin = alu(c, NULL, SLUICE_OP_FUNC, SLUICE_FUNC_MOVE, 0, 1, &x);
  } else {
    twin = task_new(c, t->kind, NULL);
    unsigned id = twin->id;
    *twin = *t;
    twin->id = id;
    twin->plain = false;
  }
  twin->width = o->width;
  return twin;
}

static void mark(const struct compiler *c, struct task *t) {
  if (!t || t->live) return;
  t->live = true;
  mark(c, t->unit);
  for (unsigned i = 0; i < t->num_args; i++) mark(c, t->arg[i].task);
  for (unsigned row = 0; t->row && row < unit_rows(c, t->unit); row++)
    for (unsigned i = 0; i < t->row[row]->num_args; i++) mark(c, t->row[row]->arg[i].task);
}

static struct task *metadata_task(struct compiler *c, enum task_kind kind, struct node *n) {
  if (!n) return NULL;
  struct operand x = operand(c, kind == TASK_DISCARD ? truth(n) : n);
  struct task *t = task_new(c, kind, NULL);
  t->num_args = 1;
  t->arg[0] = x;
  return t;
}

// The port, or one of the sets of ports: the number of the set, 0 for the port, is looked up.
static struct task *port_task(struct compiler *c) {
  const struct graph *g = c->graph;
  if (!g->ports) return metadata_task(c, TASK_PORT, g->port);
  struct task *t = task_new(c, TASK_PORT, NULL);
  if (g->ports->op == OP_CONST) return t;
  t->arg[t->num_args++] = g->port ? operand(c, g->port) : (struct operand){NULL, 0, false};
  t->arg[t->num_args++] = c->code->set_key = key_operand(c, g->ports);
  return t;
}

static void metadata(struct compiler *c) {
  const struct graph *g = c->graph;
  struct code *code = c->code;
  struct node *dropped = g->discard ? truth(g->discard) : NULL;
  if (c->results) code->discard = table_discard(c, g->port, dropped);
  if (!code->discard) code->discard = wide_discard(c, dropped);
  if ((c->results || c->wides) && !code->discard)
    code->discard = metadata_task(c, TASK_DISCARD, dropped);
  if (c->results && !g->ports) code->port = table_port(c, g->port);
  if (!code->port) code->port = wide_port(c, g->port);
  if (!code->port) code->port = port_task(c);
  if (!code->discard) code->discard = metadata_task(c, TASK_DISCARD, dropped);
  mark(c, code->port);
  mark(c, code->discard);
}

void select_tasks(struct compiler *c) {
  struct graph *g = c->graph;
  struct code *code = c->code = NEW(c->arena, struct code);
  code->of_node = NEW_ARRAY(c->arena, struct task *, g->num + 1);
  code->front = (int)c->config->FrontStages;
  wide_find(c);
  code->row_table = -1;
  for (unsigned i = 0; c->results && i < c->program->num_tables; i++)
    if (c->results->lookup[i]) table_unit(c, i);
  for (unsigned i = 0; i < c->codelets.num; i++) {
    mark(c, state_unit(c, i));
    mark(c, code->index[i].task);
    mark(c, code->guard[i].task);
  }
  for (unsigned i = 0; i < g->num_outputs; i++)
    mark(c, code->output[i] = output_task(c, &g->output[i]));
  metadata(c);
  if (c->results || c->wides) table_finish(c);
}
