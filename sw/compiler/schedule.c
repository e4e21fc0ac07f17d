// SPDX-License-Identifier: Apache-2.0
// A stage for each operation, by fill.c. What the order point must know (indices, guards) has to be
// ready after the front stages; an index that is not makes its array pinned, a guard that is not is
// dropped. Then what cannot be had is refused, and what can wait moves back.
#include "table.h"

enum { NEVER = 10000, MAX_CHAIN = 64, MANY = 100 };

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

static bool is_front(const struct task *t) { return t->kind == TASK_HASH; }

// Whether back stages without state follow those with state: then a state unit has a last stage of
// its own.
static bool some_without_state(const struct compiler *c) {
  return c->config->StateStages < c->config->BackStages;
}

// The last stage that an operation may have. Where all back stages hold state, check_depth alone
// says what is too deep.
static int last_stage(const struct compiler *c, const struct task *t) {
  if (is_front(t)) return c->code->front;
  if (t->codelet && t->codelet->row)
    return c->code->front + 32 - __builtin_clz(c->config->ArrayStages);
  if (!some_without_state(c)) return NEVER;
  return c->code->front +
         (int)(t->kind == TASK_STATE ? c->config->StateStages : c->config->BackStages);
}

// Earliest stages as if units were plenty; then the latest that do not delay a front deadline.
static void bounds(struct compiler *c) {
  struct code *code = c->code;
  for (unsigned i = 0; i < code->num; i++) {
    code->list[i]->latest = last_stage(c, code->list[i]);
    code->list[i]->stage = task_ready(c, code->list[i]);
  }
  for (unsigned i = 0; i < c->codelets.num; i++) {
    struct task *needed[2] = {c->codelets.list[i].pinned ? NULL : code->index[i].task,
                              code->guard[i].task};
    for (int j = 0; j < 2; j++)
      if (needed[j]) needed[j]->latest = min(needed[j]->latest, code->front);
    if (needed[0]) needed[0]->urgent = true;
  }
  for (unsigned i = code->num; i-- > 0;) {
    struct task *t = code->list[i];
    if (!t->live) continue;
    if (t->unit) {
      t->unit->latest = min(t->unit->latest, t->latest);
      t->unit->urgent |= t->urgent;
    }
    for (unsigned j = 0; j < t->num_args; j++) {
      struct task *x = t->arg[j].task;
      if (!x) continue;
      x->latest = min(x->latest, t->latest - 1);
      x->urgent |= t->urgent;
    }
  }
}

// Whether a value of this kind stands somewhere in another one.
static bool depends_on(const struct compiler *c, enum op op, const struct node *wanted) {
  bool *by = NEW_ARRAY(c->arena, bool, c->graph->num + 1);
  for (unsigned i = 0; i <= wanted->id; i++) {
    const struct node *n = c->graph->list[i];
    by[i] = n->op == op;
    for (unsigned j = 0; j < n->num_args; j++) by[i] |= by[n->arg[j]->id];
  }
  return by[wanted->id];
}

// Whether a factor that is constant stands in the sum, not too deep: shifted copies.
static bool has_factor(const struct node *n, unsigned depth) {
  if (n->op == OP_SHL && n->arg[1]->op == OP_CONST) return true;
  return depth && (n->op == OP_ADD || n->op == OP_SUB) &&
         (has_factor(n->arg[0], depth - 1) || has_factor(n->arg[1], depth - 1));
}

// What would make an index known earlier.
static const char *index_help(struct compiler *c, const struct codelet *k) {
  char *text = arena_alloc(c->arena, 200);
  if (depends_on(c, OP_EXT, k->index)) return ": it depends on state";
  if (depends_on(c, OP_FOUND, k->index))
    return ": it is computed from what a lookup of words finds, which is known behind them";
  snprintf(text, 200, "; it takes %u levels of operations, and a chip needs as many front stages%s",
           k->index->ready,
           has_factor(k->index, 4)
               ? " (a factor that is a power of two, or beside one, takes a level less than others)"
               : "");
  return text;
}

// Drops guards and pins arrays that come too late; true if there was one.
static bool relax(struct compiler *c) {
  struct code *code = c->code;
  bool changed = false;
  for (unsigned i = 0; i < c->codelets.num; i++) {
    struct codelet *k = &c->codelets.list[i];
    if (k->guard && code->guard[i].task && code->guard[i].task->stage > code->front) {
      k->guard = NULL;
      changed = true;
    }
  }
  for (unsigned i = 0; i < c->codelets.num && !changed; i++) {
    struct codelet *k = &c->codelets.list[i];
    if (k->pinned || !code->index[i].task || code->index[i].task->stage <= code->front) continue;
    k->pinned = changed = true;
    if (!code->front)
      diag_warning(&c->ir, k->at, "pinned",
                   "'%s' stays in one pipeline: its index is computed, and chip '%s' has no front "
                   "stage that could do it",
                   codelet_name(c, k), c->config->name);
    else
      diag_warning(&c->ir, k->at, "pinned",
                   "'%s' stays in one pipeline: its index is not known after the %d front stage%s "
                   "of chip '%s'%s",
                   codelet_name(c, k), code->front, code->front == 1 ? "" : "s", c->config->name,
                   index_help(c, k));
  }
  return changed;
}

static const struct token *place(const struct compiler *c, const struct task *t) {
  return t->node ? t->node->at : c->program->name_at;
}

static void hash_late(struct compiler *c, const struct task *t) {
  if (c->program->outer)
    diag_fatal(&c->ir, place(c, t), "egress-hash",
               "this remainder takes a hash unit, and egress stages have none; by a power of two "
               "it takes none");
  const unsigned units = c->config->HashUnits ? c->config->FrontStages : 0;
  unsigned hashes = 0;
  for (unsigned i = 0; i < c->code->num; i++)
    hashes += c->code->list[i]->kind == TASK_HASH && c->code->list[i]->live;
  if (hashes > units)
    diag_fatal(&c->ir, place(c, t), "hash-units", "needs %u hash unit%s, chip '%s' has %u%s%s",
               hashes, hashes == 1 ? "" : "s", c->config->name, units,
               units ? ": one in each front stage" : "", SEE_CHIP(&c->ir, FrontStages, hashes));
  // Two hashes after each other want two stages, and so does what lies between.
  const unsigned levels = t->node->ready;
  const bool state = depends_on(c, OP_EXT, t->node),
             late = state || depends_on(c, OP_FOUND, t->node);
  char text[100];
  snprintf(text, sizeof text, "with what it needs it takes %u levels of operations", levels);
  diag_fatal(&c->ir, place(c, t), "hash-late",
             "this hash or remainder is computed by a front stage, and chip '%s' has %u: %s%s",
             c->config->name, c->config->FrontStages,
             state  ? "it depends on state, which is known behind the order point"
             : late ? "it depends on what a lookup of words finds, behind the front stages"
                    : text,
             late ? "" : SEE_CHIP(&c->ir, FrontStages, levels));
}

// No shift is left on a chip without shifters. What takes it may be written otherwise.
static void check_shifts(struct compiler *c) {
  for (unsigned i = 0; i < c->code->num && !c->config->Shifters; i++) {
    const struct task *t = c->code->list[i];
    if (!t->live || t->kind != TASK_ALU || !sluice_op_shifts(t->op, t->func)) continue;
    const struct token *at = place(c, t);
    const char *what = at->kind != TOKEN_MARK                     ? "a byte at an even offset takes"
                       : at->text[0] == '*'                       ? "this product takes"
                       : at->text[0] == '/'                       ? "this quotient takes"
                       : at->text[0] == '<' || at->text[0] == '>' ? "this is"
                                                                  : "this takes";
    diag_error(&c->ir, at, "shifters", "%s a shift, and chip '%s' has no shifters; see --chip",
               what, c->config->name);
  }
  give_up_on_errors(&c->ir);
}

static void check_placed(struct compiler *c) {
  for (unsigned i = 0; i < c->codelets.num; i++) {
    const struct codelet *k = &c->codelets.list[i];
    int stage = c->code->state[i]->stage - c->code->front - 1;
    if (k->place == ANYWHERE || k->place == stage) continue;
    diag_error(&c->ir, k->at, "stage-early",
               "'%s' is placed at stage %d, but what it needs is there only for stage %d",
               codelet_name(c, k), k->place, stage);
  }
  give_up_on_errors(&c->ir);
}

// The stages that could hold a table, as text.
static const char *engine_stages(struct compiler *c, unsigned table) {
  char *text = arena_alloc(c->arena, 400);
  size_t len = 0;
  for (int s = 1; s <= (int)(c->config->FrontStages + c->config->BackStages) && len < 350; s++)
    if (table_can_be(c, table, s))
      len += (size_t)snprintf(text + len, 400 - len, "%s%s stage %d", len ? ", " : "",
                              s <= c->code->front ? "front" : stages_called(c->program),
                              s <= c->code->front ? s - 1 : s - c->code->front - 1);
  return text;
}

// A table that finds no stage, the first of those that do not wait for another.
static void check_tables_placed(struct compiler *c) {
  for (unsigned i = 0; i < c->program->num_tables; i++) {
    const struct task *t = c->code->table[i];
    int ready = 1;
    if (!t || !t->live || t->stage < NEVER) continue;
    for (unsigned j = 0; j < t->num_args; j++) ready = max(ready, t->arg[j].task->stage + 1);
    if (ready > NEVER) continue;
    c->plan->too_many = MANY;
    diag_fatal(&c->ir, c->program->table[i]->apply_at, "table-late",
               "'%s' finds no stage: what it needs is there for %s stage %d, and the stages of "
               "chip '%s' with an engine for it are %s, of which each holds one table",
               c->program->table[i]->name,
               ready <= c->code->front ? "front" : stages_called(c->program),
               ready <= c->code->front ? ready - 1 : ready - c->code->front - 1, c->config->name,
               engine_stages(c, i));
  }
}

// Rows that find no stage, the first of those that do not wait for others.
static void check_rows_placed(struct compiler *c) {
  const struct state *waits = NULL;
  for (unsigned i = 0; i < c->codelets.num; i++) {
    const struct task *t = c->code->state[i];
    const struct codelet *k = &c->codelets.list[i];
    if (!k->row || t->stage < NEVER) continue;
    const int ready = task_ready(c, t);
    waits = c->program->state[k->row - 1];
    if (ready > NEVER) continue;
    c->plan->too_many = MANY;
    diag_fatal(&c->ir, waits->at, "row-late",
               "'%s' finds no stage: what it needs is there for back stage %d, and no back stage "
               "of chip '%s' from there on has rows and is free",
               waits->info.name, ready - c->code->front - 1, c->config->name);
  }
  // The packet's array passes it before another one, on whose words its condition depends.
  if (waits)
    diag_fatal(&c->ir, waits->at, "row-late",
               "'%s' finds no stage: it would have to be behind the rows that the packet's array "
               "passes after it",
               waits->info.name);
}

static const struct task *deepest(const struct compiler *c) {
  const struct task *t = NULL;
  for (unsigned i = 0; i < c->code->num; i++) {
    const struct task *x = c->code->list[i];
    if (x->live && x->stage < NEVER && (!t || x->stage > t->stage)) t = x;
  }
  return t;
}

// Refuses, and tells the operations that wait for each other, the last of them `t`.
static _Noreturn void too_many_stages(struct compiler *c, const struct task *t) {
  const struct token *at[MAX_CHAIN];
  unsigned num = 0;
  const unsigned back = (unsigned)(c->code->stages - c->code->front);
  c->plan->too_many = back - c->config->BackStages;
  diag_error(&c->ir, place(c, t), "stages", "needs %u %s stages, chip '%s' has %u%s", back,
             stages_called(c->program), c->config->name, c->config->BackStages,
             SEE_CHIP(&c->ir, BackStages, back));
  while (t && t->kind != TASK_INPUT && num < MAX_CHAIN) {
    const struct task *unit = t->unit ? t->unit : t, *next = NULL;
    at[MAX_CHAIN - 1 - num++] = unit->codelet ? unit->codelet->at : place(c, t);
    for (unsigned i = 0; i < unit->num_args; i++) {
      const struct task *x = unit->arg[i].task;
      if (x && (!next || x->stage > next->stage)) next = x;
    }
    t = next;
  }
  chain_note(&c->ir, at + (MAX_CHAIN - num), num);
  arena_give_up(c->arena, ARENA_TOLD);
}

// Each array has a stage of its own. Where all back stages hold state, check_depth says how many
// that takes.
static void check_state_stages(struct compiler *c) {
  const unsigned have = c->config->StateStages;
  if (!some_without_state(c) || c->codelets.num <= have) return;
  c->plan->too_many = c->codelets.num - have + MANY;
  diag_fatal(&c->ir, c->codelets.list[have].at, "state-stages",
             "needs %u stages with state, chip '%s' has %u%s", c->codelets.num, c->config->name,
             have, SEE_CHIP(&c->ir, StateStages, c->codelets.num));
}

// No array behind the last stage with state.
static void check_state_late(struct compiler *c) {
  const size_t errors = c->num_errors;
  for (unsigned i = 0; i < c->codelets.num && some_without_state(c); i++) {
    const struct codelet *k = &c->codelets.list[i];
    const int stage = c->code->state[i]->stage - c->code->front - 1;
    if (stage >= (int)c->config->StateStages)
      diag_error(&c->ir, k->at, "state-late",
                 "'%s' would have to be at back stage %d, behind what it needs; chip '%s' has "
                 "state in back stages 0 to %u%s; see --chip",
                 codelet_name(c, k), stage, c->config->name, c->config->StateStages - 1,
                 c->config->FrontStages ? "" : " and no front stage");
  }
  c->plan->too_many = (unsigned)(c->num_errors - errors);
  give_up_on_errors(&c->ir);
}

static void check_depth(struct compiler *c) {
  const struct task *last = deepest(c);
  c->code->stages = last ? last->stage : 0;
  if (c->code->stages - c->code->front > (int)c->config->BackStages) too_many_stages(c, last);
}

void schedule(struct compiler *c) {
  check_state_stages(c);
  for (unsigned i = 0; i < c->codelets.num; i++)
    c->codelets.list[i].pinned = c->codelets.list[i].scalar || c->options->pin;
  // Each turn gives something up, so this ends.
  for (;;) {
    select_tasks(c);
    bounds(c);
    if (relax(c)) continue;
    const struct task *late = fill(c);
    if (late) hash_late(c, late);
    check_tables_placed(c);
    check_rows_placed(c);
    if (relax(c)) continue;
    break;
  }
  check_shifts(c);
  check_placed(c);
  check_state_late(c);
  check_depth(c);
  schedule_late(c, false);
}

static void extend(struct task *t, int last) {
  if (t) t->last = max(t->last, last);
}

void lifetimes(struct compiler *c) {
  struct code *code = c->code;
  for (unsigned i = 0; i < code->num; i++) code->list[i]->last = -1;
  for (unsigned i = 0; i < code->num; i++) {
    struct task *t = code->list[i];
    if (!t->live) continue;
    for (unsigned j = 0; j < t->num_args; j++) extend(t->arg[j].task, t->stage);
  }
  for (unsigned i = 0; i < c->codelets.num; i++) {
    // The order point stands behind the last front stage, so these must survive it.
    if (!c->codelets.list[i].pinned)
      extend(code->index[i].task, c->options->keep_index ? code->state[i]->stage : code->front + 1);
    extend(code->guard[i].task, code->front + 1);
  }
  for (unsigned i = 0; i < c->graph->num_outputs; i++) extend(code->output[i], LAST_DEPARSER);
}

void schedule_late(struct compiler *c, bool bold) {
  struct code *code = c->code;
  for (unsigned i = code->num; i-- > 0;) {
    struct task *t = code->list[i];
    int latest = code->stages;
    if (!t->live || t->kind != TASK_ALU) continue;
    for (unsigned j = 0; j < code->num; j++)
      for (unsigned n = 0; n < code->list[j]->num_args; n++)
        if (code->list[j]->live && code->list[j]->arg[n].task == t)
          latest = min(latest, code->list[j]->stage - 1);
    for (unsigned j = 0; j < c->codelets.num; j++)
      if (code->guard[j].task == t || (!c->codelets.list[j].pinned && code->index[j].task == t))
        latest = min(latest, code->front);
    if (latest <= t->stage) continue;
    // Operands that would have to live longer because of the move.
    int was = t->stage;
    t->live = false;
    lifetimes(c);
    t->live = true;
    unsigned longer = 0;
    for (unsigned n = 0; n < t->num_args; n++)
      longer += t->arg[n].task && t->arg[n].task->last < latest;
    t->stage = longer <= (bold ? 1u : 0u) ? latest : was;
  }
}
