// SPDX-License-Identifier: Apache-2.0
// Lookups as tasks. A key is bits of a container, and the key extractor takes two containers of
// each size, so keys are given sizes here: what the parser brings has its own, what is computed
// takes the least that is left.
#include <limits.h>
#include <string.h>

#include "table.h"

// ---- keys ---------------------------------------------------------------------------------------

struct key_part {
  struct task *task;
  unsigned shift, width;
  const struct token *at;
};
struct key_picks {
  struct compiler *c;
  const struct table *t;
  struct task *taken[7][2];  // by bytes of the container
  unsigned num[7], room[7];
};

struct node *table_key_holder(const struct compiler *c, struct node *n, unsigned width,
                              unsigned *shift) {
  *shift = 0;
  if (n->op == OP_AND && width < 32 && node_is(n->arg[1], (int32_t)((1u << width) - 1)))
    return n->arg[0];
  if (n->op == OP_SRL && n->arg[0]->op == OP_INPUT && n->arg[1]->op == OP_CONST &&
      c->graph->source[n->arg[0]->index].width == 2 && (unsigned)n->arg[1]->value + width <= 16) {
    *shift = (unsigned)n->arg[1]->value;
    return n->arg[0];
  }
  return n;
}

unsigned table_keys_ready(const struct compiler *c, const struct node *n) {
  const struct table *t = c->program->table[n->index];
  unsigned ready = 0, shift;
  for (unsigned i = 0; i < n->num_args; i++) {
    const struct node *x = table_key_holder(c, n->arg[i], t->key[i].width, &shift);
    if (x->ready > ready) ready = x->ready;
  }
  return ready;
}

// Takes the container of a task, of so many bytes, as part of the key; false: there is no room.
static bool pick(struct key_picks *k, struct task *t, unsigned bytes) {
  for (unsigned i = 0; i < k->num[bytes]; i++)
    if (k->taken[bytes][i] == t) return true;
  if (k->num[bytes] == k->room[bytes]) return false;
  k->taken[bytes][k->num[bytes]++] = t;
  return true;
}

static void refuse_key(const struct key_picks *k, const struct key_part *part) {
  const struct sluice_config *chip = k->c->config;
  diag_fatal(&k->c->ir, part->at, "key-containers",
             "this key of '%s' finds no container: a key takes %u of 2, %u of 4 and %u of 6 bytes "
             "on chip '%s'",
             k->t->name, k->room[2], k->room[4], k->room[6], chip->name);
}

// Whether bytes of the packet hold those of a key, and at which bit.
static bool covers(const struct source *s, const struct source *key, unsigned *shift) {
  if (s->metadata != key->metadata || s->param || key->param || s->offset > key->offset ||
      s->offset + s->width < key->offset + key->width)
    return false;
  *shift = 8 * (s->offset + s->width - key->offset - key->width);
  return true;
}

static unsigned add_source(struct compiler *c, struct source s) {
  struct graph *g = c->graph;
  struct source *grown = NEW_ARRAY(c->arena, struct source, g->num_sources + 1);
  memcpy(grown, g->source, g->num_sources * sizeof *grown);
  grown[g->num_sources] = s;
  g->source = grown;
  return g->num_sources++;
}

// Two or four bytes among those of a container of six, which the parser fills for it: where their
// own size is taken, as both ports beside the protocol are.
static bool pick_wider(struct key_picks *k, struct key_part *part) {
  struct compiler *c = k->c;
  const struct source key = c->graph->source[part->task->source];
  unsigned shift;
  for (unsigned bytes = 4; bytes <= 6; bytes += 2)
    for (unsigned i = 0; i < k->num[bytes]; i++) {
      struct task *t = k->taken[bytes][i];
      if (t->kind != TASK_INPUT || c->graph->source[t->source].width != bytes ||
          !covers(&c->graph->source[t->source], &key, &shift))
        continue;
      part->task = t;
      part->shift += shift;
      return true;
    }
  if (key.metadata || key.param || k->num[6] == k->room[6]) return false;
  struct source wide = {false, key.offset, 6, 0};
  if (wide.offset + wide.width > c->config->HeaderBytes) wide.offset = key.offset + key.width - 6;
  covers(&wide, &key, &shift);
  struct task *made = task_new(c, TASK_INPUT, NULL);
  made->source = add_source(c, wide);
  part->task = made;
  part->shift += shift;
  return pick(k, made, 6);
}

// What the parser brings, in containers of one size.
static bool pick_input(struct key_picks *k, struct key_part *part, bool flexible) {
  struct task *t = part->task;
  const struct source *s = &k->c->graph->source[t->source];
  if (s->width != 4) return pick(k, t, s->width);
  if (t->width != 6 && pick(k, t, 4)) {
    t->width = 4;
    return true;
  }
  if (!flexible || t->width == 4 || s->offset < 2 || s->metadata || s->param || !pick(k, t, 6))
    return false;
  t->width = 6;
  return true;
}

static bool pick_computed(struct key_picks *k, struct key_part *part) {
  struct task *t = part->task;
  for (unsigned bytes = part->width <= 16 && t->small ? 2 : 4; bytes <= 6; bytes += 2) {
    if (t->width && t->width != bytes) continue;
    if (!pick(k, t, bytes)) continue;
    t->width = bytes;
    return true;
  }
  if (!t->width) return false;
  // Another table has it in a container of another size.
  if (t->kind == TASK_FOUND) {
    part->task = task_copy(k->c, t);
    return pick_computed(k, part);
  }
  struct task *twin = task_new(k->c, t->kind, t->node);
  const unsigned id = twin->id;
  *twin = *t;
  twin->id = id;
  twin->width = 0;
  part->task = twin;
  return pick_computed(k, part);
}

static unsigned at_most_two(unsigned num) { return num < 2 ? num : 2; }

static void pick_keys(struct compiler *c, unsigned table, struct task *unit) {
  const struct table *t = c->program->table[table];
  const struct node *n = c->results->lookup[table];
  struct key_part part[NODE_ARGS];
  struct key_picks k = {.c = c, .t = t};
  k.room[2] = at_most_two(c->config->Num2B);
  k.room[4] = at_most_two(c->config->Num4B);
  k.room[6] = at_most_two(c->config->Num6B);
  for (unsigned i = 0; i < n->num_args; i++) {
    part[i] = (struct key_part){.width = t->key[i].width, .at = t->key[i].at};
    struct task *x = task_of(c, table_key_holder(c, n->arg[i], part[i].width, &part[i].shift));
    part[i].shift += t->key[i].shift;
    // Two bytes of the packet, or what words were found, as a key of 32 bits.
    const unsigned bits = x->kind == TASK_FOUND   ? 16
                          : x->kind == TASK_INPUT ? 8 * c->graph->source[x->source].width
                                                  : UINT_MAX;
    if (bits < part[i].shift + part[i].width) x = task_copy(c, x);
    // Two keys that are one value need two places all the same: entries give them different
    // numbers.
    for (unsigned j = 0; j < i; j++)
      if (part[j].task == x && part[j].shift < part[i].shift + part[i].width &&
          part[i].shift < part[j].shift + part[j].width) {
        // A copy has 32 bits.
        if (part[i].width > 32) part[j].task = task_copy(c, x);
        else x = task_copy(c, x);
      }
    part[i].task = x;
  }
  // Those without a choice come first.
  for (unsigned turn = 0; turn < 3; turn++)
    for (unsigned i = 0; i < n->num_args; i++) {
      const bool input = part[i].task->kind == TASK_INPUT;
      const bool four = input && c->graph->source[part[i].task->source].width == 4;
      if (turn != (!input ? 2 : four ? 1 : 0)) continue;
      if (!(input ? pick_input(&k, &part[i], true) || pick_wider(&k, &part[i])
                  : pick_computed(&k, &part[i])))
        refuse_key(&k, &part[i]);
    }
  unit->num_args = n->num_args;
  unit->arg = NEW_ARRAY(c->arena, struct operand, n->num_args);
  for (unsigned i = 0; i < n->num_args; i++) {
    unit->arg[i].task = part[i].task;
    c->code->key_shift[table][i] = (unsigned char)part[i].shift;
  }
}

struct task *table_unit(struct compiler *c, unsigned table) {
  struct task **t = &c->code->table[table];
  if (*t) return *t;
  struct task *unit = task_new(c, TASK_TABLE, NULL);
  unit->table = table;
  *t = unit;
  pick_keys(c, table, unit);
  return unit;
}

// ---- results ------------------------------------------------------------------------------------

struct task *table_task(struct compiler *c, struct node *n, struct table_result *r) {
  const unsigned rows = table_rows(c->program->table[r->table]);
  struct task *t = task_result(c, n, table_unit(c, r->table), 0);
  t->row = NEW_ARRAY(c->arena, struct task *, rows);
  for (unsigned i = 0; i < rows; i++) t->row[i] = task_row(c, r->table, r->row[i], r->operation[i]);
  return t;
}

// ---- all ----------------------------------------------------------------------------------------

static void need(struct task *unit, struct task *x) {
  for (unsigned i = 0; i < unit->num_args; i++)
    if (unit->arg[i].task == x) return;
  unit->arg[unit->num_args++].task = x;
}

unsigned unit_rows(const struct compiler *c, const struct task *unit) {
  return unit->kind == TASK_COMPARE ? WIDE_ROWS : table_rows(c->program->table[unit->table]);
}

static void needs(struct compiler *c, struct task *unit) {
  const struct code *code = c->code;
  const struct operand *keys = unit->arg;
  unit->arg = NEW_ARRAY(c->arena, struct operand, unit->num_args + code->num);
  memcpy(unit->arg, keys, unit->num_args * sizeof *keys);
  for (unsigned i = 0; i < code->num; i++) {
    const struct task *t = code->list[i];
    if (!t->live || t->unit != unit) continue;
    for (unsigned row = 0; row < unit_rows(c, unit); row++)
      for (unsigned j = 0; j < t->row[row]->num_args; j++)
        if (t->row[row]->arg[j].task) need(unit, t->row[row]->arg[j].task);
  }
}

static void visit(struct code *code, bool *seen, struct task *t) {
  if (seen[t->id]) return;
  seen[t->id] = true;
  if (t->unit) visit(code, seen, t->unit);
  for (unsigned i = 0; i < t->num_args; i++)
    if (t->arg[i].task) visit(code, seen, t->arg[i].task);
  code->list[code->num++] = t;
}

void table_finish(struct compiler *c) {
  struct code *code = c->code;
  const unsigned num = code->num;
  for (unsigned i = 0; i < c->program->num_tables; i++)
    if (code->table[i] && code->table[i]->live) needs(c, code->table[i]);
  for (unsigned i = 0; i < num; i++)
    if (code->list[i]->kind == TASK_COMPARE && code->list[i]->live) needs(c, code->list[i]);
  struct task **old = code->list;
  bool *seen = NEW_ARRAY(c->arena, bool, num);
  code->list = NEW_ARRAY(c->arena, struct task *, num);
  code->room = num;
  code->num = 0;
  for (unsigned i = 0; i < num; i++) visit(code, seen, old[i]);
  for (unsigned i = 0; i < num; i++) code->list[i]->id = i;
}
