// SPDX-License-Identifier: Apache-2.0
// Which values the stage of a table writes itself. In an action row it is known whether there was a
// hit and which action it is, so
//
//     v9 = action == 1 ? port : v4      is   port  in the row of forward,   v4  in that of drop
//
// and where that is one operation of data words, constants and values that are there before the
// stage, in each row, the row does it. What a lookup gives is such a value itself.
#include "table.h"

unsigned table_entry_actions(const struct table *t) {
  return t->num_actions - t->action[t->num_actions - 1].only_default;
}

unsigned table_rows(const struct table *t) {
  const unsigned variants = table_is_part(t) ? t->part.num_variants : 1;
  return variants * table_entry_actions(t) + 1;
}

// The action of a row, and its variant.
static unsigned table_row_action(const struct table *t, unsigned row) {
  return row + 1 == table_rows(t) ? t->otherwise.action : row % table_entry_actions(t);
}

static unsigned table_row_variant(const struct table *t, unsigned row) {
  return row / table_entry_actions(t);
}

struct folder {
  struct compiler *c;
  unsigned table;
  const struct table *t;
  unsigned stage, num;    // stage of the table; nodes of the graph before new ones
  const unsigned *ready;  // by node: levels, where what stages of tables write is there at once
  bool *by, *behind;      // by node: made of its results; not there before the stage
  struct node **value;    // by node, in one row
};

// ---- what depends on the table ------------------------------------------------------------------

static bool operation(const struct node *n) { return n->op >= OP_ADD && n->op != OP_MUL; }

static bool codelet_behind(const struct folder *f, const struct codelet *k) {
  const struct node *x[4] = {k->index, k->guard, k->map ? k->map->operand[0] : NULL,
                             k->map ? k->map->operand[1] : NULL};
  for (unsigned i = 0; i < 4; i++)
    if (x[i] && f->behind[x[i]->id]) return true;
  return false;
}

static void find(struct folder *f) {
  const struct graph *g = f->c->graph;
  // A result of a state unit may have a smaller number than what the unit needs.
  for (bool again = true; again;) {
    again = false;
    for (unsigned i = 0; i < f->num; i++) {
      const struct node *n = g->list[i];
      bool by = n->op == OP_TABLE && n->index == f->table;
      bool behind = by || f->ready[i] >= f->stage;
      for (unsigned j = 0; j < n->num_args; j++) {
        by |= operation(n) && f->by[n->arg[j]->id];
        behind |= f->behind[n->arg[j]->id];
      }
      if (n->op == OP_EXT) behind |= codelet_behind(f, &f->c->codelets.list[n->index]);
      again |= behind != f->behind[i];
      f->by[i] = by;
      f->behind[i] = behind;
    }
  }
}

// ---- one row ------------------------------------------------------------------------------------

static struct node *lookup(const struct folder *f, struct node *n, unsigned row) {
  const bool hit = row + 1 < table_rows(f->t);
  const unsigned action = table_row_action(f->t, row);
  if (n->modulus == TABLE_HIT) return node_const(&f->c->ir, hit);
  if (n->modulus == TABLE_ACTION) return node_const(&f->c->ir, (int32_t)action + 1);
  if (n->modulus == TABLE_FOUND)
    return node_const(&f->c->ir, hit ? (int32_t)f->t->part.found[table_row_variant(f->t, row)] : 0);
  return (n->modulus - TABLE_WORD) / DATA_WORDS == action ? n : node_const(&f->c->ir, 0);
}

static struct node *in_row(const struct folder *f, struct node *n, unsigned row) {
  struct node *arg[3] = {NULL, NULL, NULL};
  if (!f->by[n->id]) return n;
  if (n->op == OP_TABLE) return lookup(f, n, row);
  for (unsigned i = 0; i < n->num_args; i++)
    arg[i] = f->by[n->arg[i]->id] ? f->value[n->arg[i]->id] : n->arg[i];
  f->c->at = n->at;
  return node_make(&f->c->ir, n->op, arg[0], arg[1], arg[2]);
}

static bool is_word(const struct folder *f, const struct node *n) {
  return n->op == OP_TABLE && n->index == f->table && n->modulus >= TABLE_WORD;
}

static bool early(const struct folder *f, const struct node *n) {
  return n->id < f->num && !f->behind[n->id];
}

// An operand beside data words must be a container, or a number up to 3.
static bool operand_fits(const struct folder *f, const struct node *n, bool words) {
  if (is_word(f, n)) return true;
  if (n->op == OP_CONST && (uint32_t)n->value <= (words ? 3u : 7u)) return true;
  // A constant in a container takes an operation before the stage.
  if (n->op == OP_CONST) return f->stage > (n->ready ? n->ready : 1);
  return early(f, n);
}

static bool fits_immediate(const struct node *n) {
  return n->op == OP_CONST && n->value >= -2048 && n->value <= 2047;
}

// What stands at the operand: conditions are taken by what they compare with 0.
static const struct node *at_operand(const struct node *n, unsigned i) {
  bool invert;
  struct node *x = n->arg[i];
  if (n->op == OP_SELECT && i == 0) return zero_test(x, &invert);
  if (n->op != OP_LAND && n->op != OP_LOR) return x;
  struct node *tested = zero_test(x, &invert);
  return invert ? x : tested;
}

static bool has_immediate(const struct node *n, unsigned i) {
  if (n->num_args != 2 || n->op == OP_LAND || n->op == OP_LOR || !fits_immediate(n->arg[i]))
    return false;
  return i == 1 || n->op == OP_SUB || n->op == OP_LT || n->op == OP_LE;
}

static bool operation_fits(const struct folder *f, const struct node *n) {
  bool words = false;
  for (unsigned i = 0; i < n->num_args; i++) words |= is_word(f, at_operand(n, i));
  for (unsigned i = 0; i < n->num_args; i++)
    if ((words || !has_immediate(n, i)) && !operand_fits(f, at_operand(n, i), words)) return false;
  return true;
}

// Whether it is one operation of a row, or a value that is there.
static bool row_fits(const struct folder *f, const struct node *n, bool *is_operation) {
  *is_operation = false;
  if (is_word(f, n)) return true;
  if (n->op == OP_CONST) return n->ready <= 1 || f->stage > 1;
  // What a table before has written need not be made again.
  if (early(f, n) && f->c->results->of_node[n->id]) return true;
  *is_operation = operation(n) && operation_fits(f, n);
  return *is_operation || (n->id < f->num && early(f, n));
}

// ---- all rows -----------------------------------------------------------------------------------

static void fold_table(struct folder *f) {
  struct compiler *c = f->c;
  struct table_results *all = c->results;
  const unsigned rows = table_rows(f->t);
  f->by = NEW_ARRAY(c->arena, bool, f->num + 1);
  f->behind = NEW_ARRAY(c->arena, bool, f->num + 1);
  find(f);
  struct table_result **made = NEW_ARRAY(c->arena, struct table_result *, f->num + 1);
  bool *live = graph_live(&c->ir);
  for (unsigned i = 0; i < f->num; i++) {
    if (!f->by[i] || !live[i]) continue;
    made[i] = NEW(c->arena, struct table_result);
    made[i]->table = f->table;
  }
  for (unsigned row = 0; row < rows; row++) {
    f->value = NEW_ARRAY(c->arena, struct node *, f->num + 1);
    for (unsigned i = 0; i < f->num; i++) {
      if (!f->by[i] || !live[i]) continue;
      f->value[i] = in_row(f, c->graph->list[i], row);
      if (!made[i]) continue;
      made[i]->row[row] = f->value[i];
      made[i]->there[row] = early(f, f->value[i]);
      if (!row_fits(f, f->value[i], &made[i]->operation[row])) made[i] = NULL;
    }
  }
  for (unsigned i = 0; i < f->num; i++)
    if (made[i]) all->of_node[i] = made[i];
}

// Levels until each value is there. stage[t]: where table t stands, 0: not known yet.
static void find_ready(const struct compiler *c, const unsigned *stage, unsigned *ready) {
  const struct table_results *all = c->results;
  for (unsigned i = 0; i < all->num; i++) {
    const struct node *n = c->graph->list[i];
    const unsigned at = n->op == OP_TABLE ? stage[n->index]
                        : all->of_node[i] ? stage[all->of_node[i]->table]
                                          : 0;
    unsigned most = 0;
    for (unsigned j = 0; operation(n) && j < n->num_args; j++)
      if (ready[n->arg[j]->id] >= most) most = ready[n->arg[j]->id] + 1;
    ready[i] = at ? at : operation(n) ? most : n->ready;
  }
}

// The first stage that could hold the table, of those that no other has.
static unsigned stage_for(const struct compiler *c, unsigned table, const unsigned *stage,
                          const unsigned *ready) {
  const struct node *n = c->results->lookup[table];
  int at = 1;
  for (unsigned i = 0; i < n->num_args; i++) {
    unsigned shift;
    const struct node *x =
        table_key_holder(c, n->arg[i], c->program->table[table]->key[i].width, &shift);
    if ((int)ready[x->id] >= at) at = (int)ready[x->id] + 1;
  }
  for (at = table_stage_from(c, table, at); at; at = table_stage_from(c, table, at + 1)) {
    bool taken = false;
    for (unsigned i = 0; i < c->program->num_tables; i++) taken |= stage[i] == (unsigned)at;
    if (!taken) return (unsigned)at;
  }
  return n->ready;
}

// Tables from the first stage on: what one writes may be there for the next.
static void fold_all(struct compiler *c) {
  unsigned stage[MAX_TABLES] = {0}, *ready = NEW_ARRAY(c->arena, unsigned, c->results->num + 1);
  for (;;) {
    unsigned next = MAX_TABLES, least = 0;
    find_ready(c, stage, ready);
    for (unsigned i = 0; i < c->program->num_tables; i++) {
      if (!c->results->lookup[i] || stage[i]) continue;
      const unsigned at = stage_for(c, i, stage, ready);
      if (next == MAX_TABLES || at < least) next = i, least = at;
    }
    if (next == MAX_TABLES) return;
    stage[next] = least;
    c->results->stage[next] = least;
    struct folder f = {.c = c, .table = next, .t = c->program->table[next], .num = c->results->num};
    f.stage = least;
    f.ready = ready;
    fold_table(&f);
  }
}

void table_fold(struct compiler *c) {
  struct table_results *all = c->results = NEW(c->arena, struct table_results);
  bool any = false;
  all->num = c->graph->num;
  all->of_node = NEW_ARRAY(c->arena, struct table_result *, all->num + 1);
  for (unsigned n = 0; n < all->num; n++)
    if (c->graph->list[n]->op == OP_TABLE) {
      all->lookup[c->graph->list[n]->index] = c->graph->list[n];
      any = true;
    }
  if (!any) {
    c->results = NULL;
    return;
  }
  // What codelets need is not reached otherwise.
  codelets_root(c->graph, &c->codelets);
  fold_all(c);
  c->graph->num_roots = 0;
}

struct table_result *table_result_of(const struct compiler *c, const struct node *n) {
  return c->results && n->id < c->results->num ? c->results->of_node[n->id] : NULL;
}

void table_dump(const struct compiler *c, FILE *out) {
  ir_print(&c->ir, out);
  for (unsigned i = 0; c->results && i < c->results->num; i++) {
    const struct table_result *r = c->results->of_node[i];
    if (!r) continue;
    const struct table *t = c->program->table[r->table];
    fprintf(out, "// v%u in %s:", i, t->name);
    for (unsigned row = 0; row < table_rows(t); row++)
      fprintf(out, "%s %s%s v%u", row ? "," : "", t->action[table_row_action(t, row)].name,
              row + 1 == table_rows(t) ? " (default)" : "", r->row[row]->id);
    fputc('\n', out);
  }
}
