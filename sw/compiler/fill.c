// SPDX-License-Identifier: Apache-2.0
// Operations into stages, one stage after the other. A stage runs any number of ALU operations as
// soon as their operands are there, but one hash unit (front) or one state unit (back stages with
// state), one multiplier, and one wide compare where no table is: if several wait for one, the most
// urgent gets it.
//
// Which one gets it is all there is to choose, and the quick answer is mostly the best. Where it
// does not fit, or by -O2, other choices are tried, depth first, the most urgent first: the search
// is exact unless it is stopped by its bound, a number of fillings (not of seconds: the same
// program is compiled alike everywhere).
#include <string.h>

#include "table.h"

enum { MAX_STAGES = 400, NEVER = 10000, MAX_CHOICES = 64, FEW_FILLINGS = 300 };
enum { MANY_FILLINGS = 3000 };
// What a filling costs: a hash that is never computed, a table without a stage, state that is out
// of place, an array in one pipeline, a guard, a stage.
enum { COST_HASH = 1 << 24, COST_TABLE = 1 << 22, COST_PLACE = 1 << 20, COST_INDEX = 1 << 15 };
enum { COST_GUARD = 1 << 10 };

struct choice {
  unsigned taken, num;  // the unit taken, of so many
};
struct filler {
  struct compiler *c;
  struct choice choice[MAX_CHOICES];
  unsigned num;             // choices of the last filling
  const struct task *late;  // a hash that comes too late in it
};

static int max(int a, int b) { return a > b ? a : b; }

// The stage behind which a value is there that no stage computes.
static int there_from(const struct compiler *c, const struct task *t) {
  return t->kind == TASK_FOUND ? c->code->front : 0;
}

int task_ready(const struct compiler *c, const struct task *t) {
  if (t->unit) return t->unit->stage;
  const bool back = t->kind == TASK_STATE || (t->kind == TASK_DISCARD && c->codelets.num);
  int stage = back ? c->code->front + 1 : t->kind <= TASK_FOUND ? there_from(c, t) : 1;
  if (t->codelet && t->codelet->place != ANYWHERE) stage += t->codelet->place;
  for (unsigned i = 0; i < t->num_args; i++)
    if (t->arg[i].task) stage = max(stage, t->arg[i].task->stage + 1);
  for (unsigned i = 0; t->codelet && i < c->codelets.num; i++)
    if (t->codelet->before >> i & 1) stage = max(stage, c->code->state[i]->stage + 1);
  // What is dropped before the order point touches no state.
  if (t->kind == TASK_COMPARE && c->codelets.num && c->code->discard && c->code->discard->unit == t)
    stage = max(stage, c->code->front + 1);
  if (t->kind == TASK_TABLE) {
    // What is dropped before the order point touches no state.
    if (c->codelets.num && c->code->discard && c->code->discard->unit == t)
      stage = max(stage, c->code->front + 1);
    stage = table_stage_from(c, t->table, stage);
    return stage ? stage : NEVER;
  }
  return stage;
}

// Whether the text gives the stage to another array.
static bool reserved(const struct compiler *c, const struct task *t, int stage) {
  for (unsigned i = 0; i < c->codelets.num; i++) {
    const struct codelet *k = &c->codelets.list[i];
    if (k != t->codelet && k->place != ANYWHERE && k->place == stage - c->code->front - 1)
      return true;
  }
  return false;
}

// A set of ports and the flag do not go into one operation.
static bool beside_set(const struct compiler *c, const struct task *t, int stage) {
  const struct code *code = c->code;
  if (!c->num_sets || !code->port || !code->discard) return false;
  return (t == code->port && code->discard->stage == stage) ||
         (t == code->discard && code->port->stage == stage);
}

// Deadline first; of two with the same, what an index needs comes before what a guard needs.
static bool before(const struct task *a, const struct task *b) {
  if (a->latest != b->latest) return a->latest < b->latest;
  if (a->urgent != b->urgent) return a->urgent;
  return a->id < b->id;
}

// Of the units that wait, the one that is taken here.
static struct task *choose(struct filler *f, struct task **list, unsigned num) {
  if (num < 2 || f->num == MAX_CHOICES) {
    struct task *first = num ? list[0] : NULL;
    for (unsigned i = 1; i < num; i++)
      if (before(list[i], first)) first = list[i];
    return first;
  }
  struct choice *x = &f->choice[f->num++];
  x->num = num;
  for (unsigned i = 0; i <= x->taken; i++)  // as many of the order as are needed
    for (unsigned j = i + 1; j < num; j++)
      if (before(list[j], list[i])) {
        struct task *t = list[i];
        list[i] = list[j];
        list[j] = t;
      }
  return list[x->taken];
}

// Those that wait for a unit of the stage: for its hash or state unit, for its multiplier, for its
// match engine, and for its wide compare.
struct waiting {
  struct task **units, **products, **tables, **compares;
  unsigned num, num_products, num_tables, num_compares;
};

// Operations of the stage, but units; those are listed.
static void plain(struct filler *f, int stage, struct waiting *w, unsigned *left) {
  const struct compiler *c = f->c;
  w->num = w->num_products = w->num_tables = w->num_compares = 0;
  for (unsigned i = 0; i < c->code->num; i++) {
    struct task *t = c->code->list[i];
    if (!t->live || t->stage != NEVER || t->unit || task_ready(c, t) > stage) continue;
    if (t->kind == TASK_MULTIPLY) {
      w->products[w->num_products++] = t;
    } else if (t->kind == TASK_COMPARE) {
      w->compares[w->num_compares++] = t;
    } else if (t->kind == TASK_TABLE) {
      if (table_can_be(c, t->table, stage)) w->tables[w->num_tables++] = t;
    } else if (t->kind != TASK_HASH && t->kind != TASK_STATE) {
      if (beside_set(c, t, stage)) continue;
      t->stage = stage;
      --*left;
    } else if (t->kind == TASK_HASH && (stage > c->code->front || !c->config->HashUnits)) {
      if (!f->late) f->late = t;
    } else if (t->kind == TASK_HASH ||
               (!reserved(c, t, stage) && (!t->codelet->row || row_stage(c, stage)))) {
      w->units[w->num++] = t;
    }
  }
}

// One that waits gets its unit, and its results are there.
static void put(struct filler *f, int stage, struct task *unit, unsigned *left) {
  const struct code *code = f->c->code;
  unit->stage = stage;
  --*left;
  for (unsigned i = 0; i < code->num; i++)
    if (code->list[i]->live && code->list[i]->unit == unit) {
      code->list[i]->stage = stage;
      --*left;
    }
}

static struct task *take(struct filler *f, int stage, struct task **list, unsigned num,
                         unsigned *left) {
  struct task *unit = choose(f, list, num);
  if (unit) put(f, stage, unit, left);
  return unit;
}

// A comparison, and all that wait for the same one. The rows of a table are the table's.
static void take_compares(struct filler *f, int stage, const struct waiting *w, unsigned *left) {
  const struct code *code = f->c->code;
  for (unsigned i = 0; i < f->c->program->num_tables; i++)
    if (code->table[i] && code->table[i]->live && code->table[i]->stage == stage) return;
  const struct task *first = take(f, stage, w->compares, w->num_compares, left);
  for (unsigned i = 0; first && i < w->num_compares; i++)
    if (w->compares[i] != first && w->compares[i]->node == first->node)
      put(f, stage, w->compares[i], left);
}

static void once(struct filler *f) {
  const struct code *code = f->c->code;
  struct waiting w = {NEW_ARRAY(f->c->arena, struct task *, code->num + 1),
                      NEW_ARRAY(f->c->arena, struct task *, code->num + 1),
                      NEW_ARRAY(f->c->arena, struct task *, MAX_TABLES),
                      NEW_ARRAY(f->c->arena, struct task *, code->num + 1),
                      0,
                      0,
                      0,
                      0};
  unsigned left = 0;
  f->num = 0;
  f->late = NULL;
  for (unsigned i = 0; i < code->num; i++) {
    struct task *t = code->list[i];
    t->stage = t->kind <= TASK_FOUND ? there_from(f->c, t) : NEVER;
    left += t->live && t->stage == NEVER;
  }
  for (int stage = 1; left && !f->late && stage < MAX_STAGES; stage++) {
    f->c->arena->work += code->num / 4;
    plain(f, stage, &w, &left);
    take(f, stage, w.units, w.num, &left);
    take(f, stage, w.products, w.num_products, &left);
    take(f, stage, w.tables, w.num_tables, &left);
    take_compares(f, stage, &w, &left);
  }
}

static unsigned cost(const struct filler *f) {
  const struct compiler *c = f->c;
  const struct code *code = c->code;
  unsigned sum = f->late ? COST_HASH : 0;
  int stages = code->front;
  for (unsigned i = 0; i < code->num; i++)
    if (code->list[i]->live && code->list[i]->stage < NEVER)
      stages = max(stages, code->list[i]->stage);
  for (unsigned i = 0; i < c->codelets.num && !f->late; i++) {
    const struct codelet *k = &c->codelets.list[i];
    const int stage = code->state[i]->stage - code->front - 1;
    if (stage >= (int)c->config->StateStages || (k->place != ANYWHERE && k->place != stage))
      sum += COST_PLACE;
    if (!k->pinned && code->index[i].task && code->index[i].task->stage > code->front)
      sum += COST_INDEX;
    if (k->guard && code->guard[i].task && code->guard[i].task->stage > code->front)
      sum += COST_GUARD;
  }
  for (unsigned i = 0; i < c->program->num_tables; i++)
    if (code->table[i] && code->table[i]->live && code->table[i]->stage == NEVER) sum += COST_TABLE;
  return sum + (unsigned)(stages - code->front);
}

// The choices of the next filling; false after the last.
static bool advance(struct filler *f) {
  while (f->num) {
    struct choice *x = &f->choice[f->num - 1];
    if (++x->taken < x->num) {
      for (unsigned i = f->num; i < MAX_CHOICES; i++) f->choice[i].taken = 0;
      return true;
    }
    x->taken = 0;
    f->num--;
  }
  return false;
}

const struct task *fill(struct compiler *c) {
  struct filler *f = NEW(c->arena, struct filler), *best = NEW(c->arena, struct filler);
  unsigned least = 0;  // stages that it takes if units were plenty
  f->c = c;
  for (unsigned i = 0; i < c->code->num; i++)
    if (c->code->list[i]->live)
      least = (unsigned)max((int)least, c->code->list[i]->stage - c->code->front);
  once(f);
  unsigned best_cost = cost(f), quick = best_cost;
  *best = *f;
  const bool fits = quick <= c->config->BackStages;
  if ((fits && !c->plan->exact) || quick <= least) return f->late;
  const unsigned most = c->plan->exact ? MANY_FILLINGS : FEW_FILLINGS;
  for (unsigned i = 1; i < most && best_cost > least && advance(f); i++) {
    once(f);
    const unsigned now = cost(f);
    if (now >= best_cost) continue;
    best_cost = now;
    *best = *f;
  }
  once(best);
  return best->late;
}
