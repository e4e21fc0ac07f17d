// SPDX-License-Identifier: Apache-2.0
// Port and discard flag in slot 0 of action rows.
#include "table.h"

// In a row slot 0 sets the port to a number, a data word or a container, and the flag to a number
// or as a container says; both at once only where neither is a data word. (A packet that is
// discarded needs no port.)
enum slot_value { SLOT_NUMBER, SLOT_WORD, SLOT_CONTAINER, SLOT_NOTHING };

static enum slot_value slot_value(const struct table_result *r, unsigned row) {
  const struct node *n = r->row[row];
  if (n->op == OP_CONST) return SLOT_NUMBER;
  if (n->op == OP_TABLE && n->index == r->table && n->modulus >= TABLE_WORD) return SLOT_WORD;
  // An operation that is there before the stage may be looked at as a container.
  return r->operation[row] && !r->there[row] ? SLOT_NOTHING : SLOT_CONTAINER;
}

static struct table_result *slot_result(const struct compiler *c, const struct node *n) {
  struct table_result *r = n ? table_result_of(c, n) : NULL;
  for (unsigned row = 0; r && row < table_rows(c->program->table[r->table]); row++)
    if (slot_value(r, row) == SLOT_NOTHING) return NULL;
  return r;
}

static bool both_fit(const struct compiler *c, const struct table_result *port,
                     const struct table_result *discard) {
  for (unsigned row = 0; row < table_rows(c->program->table[port->table]); row++) {
    if (slot_value(discard, row) == SLOT_NUMBER) continue;
    const bool small = slot_value(port, row) == SLOT_NUMBER && (uint32_t)port->row[row]->value <= 7;
    if (slot_value(port, row) != SLOT_CONTAINER && !small) return false;
  }
  return true;
}

static struct task *slot_task(struct compiler *c, enum task_kind kind,
                              const struct table_result *r) {
  const unsigned rows = table_rows(c->program->table[r->table]);
  struct task *t = task_new(c, kind, NULL);
  t->unit = table_unit(c, r->table);
  t->row = NEW_ARRAY(c->arena, struct task *, rows);
  for (unsigned row = 0; row < rows; row++) {
    struct node *n = r->row[row];
    struct task *made = t->row[row] = NEW(c->arena, struct task);
    made->arg = NEW_ARRAY(c->arena, struct operand, 1);
    made->op = SLUICE_OP_FUNC;
    made->num_args = 1;
    if (slot_value(r, row) == SLOT_CONTAINER) made->arg[0].task = task_of(c, n);
    if (slot_value(r, row) == SLOT_WORD)
      made->arg[0] = (struct operand){NULL, (n->modulus - TABLE_WORD) % DATA_WORDS, true};
    if (slot_value(r, row) != SLOT_NUMBER) continue;
    made->op = SLUICE_OP_SET;
    made->imm = n->value;
    made->num_args = 0;
  }
  return t;
}

struct task *table_discard(struct compiler *c, struct node *port, struct node *discard) {
  const struct table_result *d = slot_result(c, discard), *p = slot_result(c, port);
  for (unsigned row = 0; d && row < table_rows(c->program->table[d->table]); row++)
    if (slot_value(d, row) == SLOT_WORD) return NULL;
  if (!d || (p && p->table == d->table && !both_fit(c, p, d))) return NULL;
  // What is dropped before the order point touches no state.
  const bool front = c->results->stage[d->table] <= c->config->FrontStages;
  return front && c->codelets.num ? NULL : slot_task(c, TASK_DISCARD, d);
}

static bool waits_for(const struct task *t, const struct task *unit, unsigned depth) {
  if (t == unit || t->unit == unit) return true;
  if (t->unit && depth && waits_for(t->unit, unit, depth - 1)) return true;
  for (unsigned i = 0; depth && i < t->num_args; i++)
    if (t->arg[i].task && waits_for(t->arg[i].task, unit, depth - 1)) return true;
  return false;
}

struct task *table_port(struct compiler *c, struct node *port) {
  enum { DEPTH = 12 };
  const struct table_result *p = slot_result(c, port);
  const struct task *discard = c->code->discard;
  bool words = false;
  if (!p) return NULL;
  for (unsigned row = 0; row < table_rows(c->program->table[p->table]); row++)
    words |= slot_value(p, row) != SLOT_CONTAINER;
  // A flag that is set by a container may fall into the same stage, unless it comes of the table.
  if (discard && !discard->row && words && !waits_for(discard, table_unit(c, p->table), DEPTH))
    return NULL;
  if (discard && discard->row && discard->unit != table_unit(c, p->table)) return NULL;
  return slot_task(c, TASK_PORT, p);
}
