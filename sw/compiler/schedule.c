// SPDX-License-Identifier: Apache-2.0
// A stage for each operation: list scheduling, most urgent first. A stage runs any number of ALU
// operations, but one hash unit (front) or one state unit (back stages with state). What the order point must know
// (indices, guards) has to be ready after the front stages; an index that is not makes its array
// pinned, a guard that is not is dropped.
#include "internal.h"

enum { MAX_STAGES = 400, NEVER = 10000 };

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

static bool is_front(const struct task *t) { return t->kind == TASK_HASH; }
static bool is_back(const struct compiler *c, const struct task *t) {
  return t->kind == TASK_STATE || (t->kind == TASK_DISCARD && c->num_codelets);
}

// The first stage in which all operands are there.
static int ready(const struct compiler *c, const struct task *t) {
  if (t->unit) return t->unit->stage;
  int stage = is_back(c, t) ? c->code->front + 1 : t->kind == TASK_INPUT ? 0 : 1;
  if (t->codelet && t->codelet->place != ANYWHERE) stage += t->codelet->place;
  for (unsigned i = 0; i < t->num_args; i++)
    if (t->arg[i].task) stage = max(stage, t->arg[i].task->stage + 1);
  return stage;
}

// Whether back stages without state follow those with state: then a state unit has a last stage of its own.
static bool some_without_state(const struct compiler *c) {
  return c->config->StateStages < c->config->BackStages;
}

// The last stage that an operation may have. Where all back stages hold state, check_depth alone says what is too deep.
static int last_stage(const struct compiler *c, const struct task *t) {
  if (is_front(t)) return c->code->front;
  if (!some_without_state(c)) return NEVER;
  return c->code->front + (int)(t->kind == TASK_STATE ? c->config->StateStages : c->config->BackStages);
}

// Earliest stages as if units were plenty; then the latest that do not delay a front deadline.
static void bounds(struct compiler *c) {
  struct code *code = c->code;
  for (unsigned i = 0; i < code->num; i++) {
    code->list[i]->latest = last_stage(c, code->list[i]);
    code->list[i]->stage = ready(c, code->list[i]);
  }
  for (unsigned i = 0; i < c->num_codelets; i++) {
    struct task *needed[2] = {c->codelet[i].pinned ? NULL : code->index[i].task,
                              code->guard[i].task};
    for (int j = 0; j < 2; j++)
      if (needed[j]) needed[j]->latest = min(needed[j]->latest, code->front);
  }
  for (unsigned i = code->num; i-- > 0;) {
    struct task *t = code->list[i];
    if (!t->live) continue;
    if (t->unit) t->unit->latest = min(t->unit->latest, t->latest);
    for (unsigned j = 0; j < t->num_args; j++)
      if (t->arg[j].task) t->arg[j].task->latest = min(t->arg[j].task->latest, t->latest - 1);
  }
}

// Drops guards and pins arrays that come too late; true if there was one.
static bool relax(struct compiler *c) {
  struct code *code = c->code;
  bool changed = false;
  for (unsigned i = 0; i < c->num_codelets; i++) {
    struct codelet *k = &c->codelet[i];
    if (k->guard && code->guard[i].task && code->guard[i].task->stage > code->front) {
      k->guard = NULL;
      changed = true;
    }
  }
  for (unsigned i = 0; i < c->num_codelets && !changed; i++) {
    struct codelet *k = &c->codelet[i];
    if (k->pinned || !code->index[i].task || code->index[i].task->stage <= code->front) continue;
    k->pinned = changed = true;
    if (!code->front)
      diag_warning(c, k->at, "pinned",
                   "'%s' stays in one pipeline: its index is computed, and chip '%s' has no front stage that could do it",
                   codelet_name(c, k), c->config->name);
    else
      diag_warning(c, k->at, "pinned",
                   "'%s' stays in one pipeline: its index is not known after the %d front stage%s of "
                   "chip '%s'",
                   codelet_name(c, k), code->front,
                   code->front == 1 ? "" : "s", c->config->name);
  }
  return changed;
}

static const struct token *place(const struct compiler *c, const struct task *t) {
  return t->node ? t->node->at : c->program->name_at;
}

static void hash_late(struct compiler *c, const struct task *t) {
  const unsigned units = c->config->HashUnits ? c->config->FrontStages : 0;
  unsigned hashes = 0;
  for (unsigned i = 0; i < c->code->num; i++)
    hashes += c->code->list[i]->kind == TASK_HASH && c->code->list[i]->live;
  if (hashes > units)
    diag_fatal(c, place(c, t), "hash-units", "needs %u hash unit%s, chip '%s' has %u%s; see --chip", hashes,
               hashes == 1 ? "" : "s", c->config->name, units, units ? ": one in each front stage" : "");
  diag_fatal(c, place(c, t), "hash-late",
             "this hash or remainder is computed by a front stage, and chip '%s' has %u: its "
             "operands come too late; "
             "see --chip",
             c->config->name, c->config->FrontStages);
}

// No shift is left on a chip without shifters. What takes it may be written otherwise.
static void check_shifts(struct compiler *c) {
  for (unsigned i = 0; i < c->code->num && !c->config->Shifters; i++) {
    const struct task *t = c->code->list[i];
    if (!t->live || t->kind != TASK_ALU || !sluice_op_shifts(t->op, t->func)) continue;
    const struct token *at = place(c, t);
    const char *what = at->kind != TOKEN_MARK                       ? "a byte at an even offset takes"
                       : at->text[0] == '*'                         ? "this product takes"
                       : at->text[0] == '/'                         ? "this quotient takes"
                       : at->text[0] == '<' || at->text[0] == '>' ? "this is"
                                                                    : "this takes";
    diag_error(c, at, "shifters", "%s a shift, and chip '%s' has no shifters; see --chip", what, c->config->name);
  }
  give_up_on_errors(c);
}

// Whether the text gives the stage to another array.
static bool reserved(const struct compiler *c, const struct task *t, int stage) {
  for (unsigned i = 0; i < c->num_codelets; i++) {
    const struct codelet *k = &c->codelet[i];
    if (k != t->codelet && k->place != ANYWHERE && k->place == stage - c->code->front - 1)
      return true;
  }
  return false;
}

static void check_placed(struct compiler *c) {
  for (unsigned i = 0; i < c->num_codelets; i++) {
    const struct codelet *k = &c->codelet[i];
    int stage = c->code->state[i]->stage - c->code->front - 1;
    if (k->place == ANYWHERE || k->place == stage) continue;
    diag_error(c, k->at, "stage-early",
               "'%s' is placed at stage %d, but what it needs is there only for stage %d",
               codelet_name(c, k), k->place, stage);
  }
  give_up_on_errors(c);
}

// Fills stage after stage. Tasks are few, so plain scans do.
static void fill(struct compiler *c) {
  struct code *code = c->code;
  unsigned left = 0;
  for (unsigned i = 0; i < code->num; i++) {
    struct task *t = code->list[i];
    t->stage = t->kind == TASK_INPUT ? 0 : NEVER;
    left += t->live && t->stage == NEVER;
  }
  for (int stage = 1; left; stage++) {
    struct task *unit = NULL;
    if (stage == MAX_STAGES) SLUICE_BUG("an operation never becomes ready");
    for (unsigned i = 0; i < code->num; i++) {
      struct task *t = code->list[i];
      if (!t->live || t->stage != NEVER || t->unit || ready(c, t) > stage) continue;
      if (t->kind != TASK_HASH && t->kind != TASK_STATE) {
        t->stage = stage;
        left--;
      } else if (t->kind == TASK_HASH && (stage > code->front || !c->config->HashUnits)) {
        hash_late(c, t);
      } else if (t->kind == TASK_STATE && reserved(c, t, stage)) {
        continue;
      } else if (!unit || t->latest < unit->latest) {
        unit = t;
      }
    }
    if (!unit) continue;
    unit->stage = stage;
    left--;
    for (unsigned i = 0; i < code->num; i++)
      if (code->list[i]->live && code->list[i]->unit == unit) {
        code->list[i]->stage = stage;
        left--;
      }
  }
}

// Each array has a stage of its own. Where all back stages hold state, check_depth says how many that takes.
static void check_state_stages(struct compiler *c) {
  const unsigned have = c->config->StateStages;
  if (some_without_state(c) && c->num_codelets > have)
    diag_fatal(c, c->codelet[have].at, "state-stages", "needs %u stages with state, chip '%s' has %u; see --chip",
               c->num_codelets, c->config->name, have);
}

// No array behind the last stage with state.
static void check_state_late(struct compiler *c) {
  for (unsigned i = 0; i < c->num_codelets && some_without_state(c); i++) {
    const struct codelet *k = &c->codelet[i];
    const int stage = c->code->state[i]->stage - c->code->front - 1;
    if (stage >= (int)c->config->StateStages)
      diag_error(c, k->at, "state-late",
                 "'%s' would have to be at back stage %d, behind what it needs; chip '%s' has state in back stages 0 to %u%s; "
                 "see --chip",
                 codelet_name(c, k), stage, c->config->name, c->config->StateStages - 1,
                 c->config->FrontStages ? "" : " and no front stage");
  }
  give_up_on_errors(c);
}

static void check_depth(struct compiler *c) {
  struct code *code = c->code;
  struct task *deepest = NULL;
  for (unsigned i = 0; i < code->num; i++) {
    struct task *t = code->list[i];
    if (!t->live || t->stage <= code->stages) continue;
    code->stages = t->stage;
    deepest = t;
  }
  int back = code->stages - code->front;
  if (back > (int)c->config->BackStages)
    diag_fatal(c, place(c, deepest), "stages", "needs %d back stages, chip '%s' has %u; see --chip",
               back, c->config->name, c->config->BackStages);
}

void schedule(struct compiler *c) {
  check_state_stages(c);
  for (unsigned i = 0; i < c->num_codelets; i++) 
    c->codelet[i].pinned = c->codelet[i].scalar || c->options->pin;
  // Each turn gives something up, so this ends.
  for (;;) {
    select_tasks(c);
    bounds(c);
    if (relax(c)) continue;
    fill(c);
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
  for (unsigned i = 0; i < c->num_codelets; i++) {
    // The order point stands behind the last front stage, so these must survive it.
    if (!c->codelet[i].pinned)
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
    for (unsigned j = 0; j < c->num_codelets; j++)
      if (code->guard[j].task == t || (!c->codelet[j].pinned && code->index[j].task == t))
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
