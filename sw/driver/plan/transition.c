// SPDX-License-Identifier: Apache-2.0
#include "transition.h"

#include <string.h>

#include "../image/capability.h"
#include "link.h"
#include "port_rows.h"
#include "room.h"
#include "table_diff.h"

struct make {
  const struct sluice_plan *from, *to;
  uint32_t bank;
  struct sluice_transition *t;
  bool failed;  // out of memory
};

// MODULE last; of the others none waits for another: what has a bank goes into the one that no
// packet uses.
enum pass { TABLES, MODULES };
static enum pass pass_of(enum sluice_table table) {
  return table == SLUICE_TABLE_MODULE ? MODULES : TABLES;
}
static bool is_overlay(enum sluice_table table) {
  return sluice_tables[table].rows == SLUICE_ROWS_overlay;
}
static unsigned taken_bank(const struct make *m, unsigned row) { return m->bank >> row & 1; }

static const struct sluice_row *row_at(const struct sluice_plan *plan, unsigned stage,
                                       unsigned at) {
  for (size_t i = 0; i < plan->num_rows; i++)
    if (plan->rows[i].stage == stage && plan->rows[i].at == at) return &plan->rows[i];
  return NULL;
}

static const struct sluice_write *find(const struct sluice_plan *plan,
                                       const struct sluice_write *w) {
  return sluice_plan_entry(plan, w->table, w->stage, w->index);
}

static void bytes_of(const struct make *m, const struct sluice_write *at,
                     const struct sluice_write *w, uint8_t *bytes) {
  if (w) memcpy(bytes, w->bytes, SLUICE_ENTRY_BYTES);
  else sluice_entry_reset(m->to->config, at->table, at->index, bytes);
}

// A change of the entry at `at`, in `index`, between what two writes say (NULL: as after reset).
static struct sluice_change *emit(struct make *m, struct sluice_changes *to,
                                  enum sluice_change_kind kind, const struct sluice_write *at,
                                  unsigned index, const struct sluice_write *old,
                                  const struct sluice_write *new) {
  struct sluice_change *c = sluice_changes_add(to, kind);
  if (!c) {
    m->failed = true;
    return NULL;
  }
  c->table = at->table;
  c->stage = at->stage;
  c->index = index;
  c->was_used = old != NULL;
  bytes_of(m, at, old, c->old);
  if (kind == SLUICE_CHANGE_WRITE) bytes_of(m, at, new, c->bytes);
  return c;
}

// An entry of a module in one of its banks, or of a table without banks (behind the flip).
static void emit_entry(struct make *m, bool before, const struct sluice_write *at,
                       const struct sluice_write *old, const struct sluice_write *new) {
  unsigned index = at->index;
  if (is_overlay(at->table)) {
    const unsigned idle = !taken_bank(m, at->index);
    index += (before ? idle : !idle) * m->to->config->NumModules;
    m->t->rows |= UINT32_C(1) << at->index;
  } else if (before) {
    return;
  }
  emit(m, before ? &m->t->before : &m->t->after, SLUICE_CHANGE_WRITE, at, index, old, new);
}

// Entries that have a row for themselves, of match rows or of ports: packets of the other version
// do not find it.
static bool has_row(enum sluice_table table) {
  return sluice_by_match_row(table) || table == SLUICE_TABLE_PORT_MASK;
}

// Entries without such rows that differ.
static void entries(struct make *m, bool before, enum pass pass) {
  for (size_t i = 0; i < m->from->num_writes; i++) {
    const struct sluice_write *w = &m->from->writes[i];
    if (pass_of(w->table) == pass && !has_row(w->table) && !find(m->to, w))
      emit_entry(m, before, w, w, NULL);
  }
  for (size_t i = 0; i < m->to->num_writes; i++) {
    const struct sluice_write *w = &m->to->writes[i], *old = find(m->from, w);
    if (pass_of(w->table) != pass || has_row(w->table)) continue;
    if (!old || memcmp(old->bytes, w->bytes, sizeof w->bytes) != 0)
      emit_entry(m, before, w, old, w);
  }
}

// Writes of `table` in rows that `plan` has and `other` has not.
typedef void each_row(struct make *m, const struct sluice_write *w, unsigned owner);
static void rows_alone(struct make *m, const struct sluice_plan *plan,
                       const struct sluice_plan *other, enum sluice_table table, each_row *each) {
  for (size_t i = 0; i < plan->num_writes; i++) {
    const struct sluice_write *w = &plan->writes[i];
    const bool there = table == SLUICE_TABLE_PORT_MASK ? sluice_port_row_at(other, w->index) != NULL
                                                       : row_at(other, w->stage, w->index) != NULL;
    if (w->table == table && !there) each(m, w, sluice_plan_owner(plan, w));
  }
}

static void write_before(struct make *m, const struct sluice_write *w, unsigned owner) {
  (void)owner;
  emit(m, &m->t->before, SLUICE_CHANGE_WRITE, w, w->index, NULL, w);
}
static void show_to_new(struct make *m, const struct sluice_write *w, unsigned owner) {
  struct sluice_change *c = emit(m, &m->t->before, SLUICE_CHANGE_WRITE, w, w->index, NULL, w);
  if (c) SLUICE_SET(c->bytes, MATCH, NOT_BANK, 1u << taken_bank(m, owner));
  m->t->rows |= UINT32_C(1) << owner;
}
static void hide_from_new(struct make *m, const struct sluice_write *w, unsigned owner) {
  struct sluice_change *c = emit(m, &m->t->before, SLUICE_CHANGE_WRITE, w, w->index, w, w);
  if (c) SLUICE_SET(c->bytes, MATCH, NOT_BANK, 2u >> taken_bank(m, owner));
  m->t->rows |= UINT32_C(1) << owner;
}
static void show_to_both(struct make *m, const struct sluice_write *w, unsigned owner) {
  struct sluice_change *c = emit(m, &m->t->after, SLUICE_CHANGE_WRITE, w, w->index, w, w);
  if (c) SLUICE_SET(c->old, MATCH, NOT_BANK, 1u << taken_bank(m, owner));
}
static void erase_after(struct make *m, const struct sluice_write *w, unsigned owner) {
  (void)owner;
  emit(m, &m->t->after, SLUICE_CHANGE_ERASE, w, w->index, w, NULL);
}
static void reset_after(struct make *m, const struct sluice_write *w, unsigned owner) {
  (void)owner;
  emit(m, &m->t->after, SLUICE_CHANGE_WRITE, w, w->index, w, NULL);
}

// ---- state --------------------------------------------------------------------------------------

static bool is_kept(const struct make *m, const struct sluice_segment *s) {
  const struct sluice_segment *old = sluice_plan_segment(m->from, s->row, s->stage);
  return old && old->load == s->load;
}

static enum sluice_status fills(struct make *m, struct sluice_error *error) {
  for (size_t i = 0; i < m->to->num_fills; i++) {
    const struct sluice_fill *f = &m->to->fills[i];
    const struct sluice_segment *s = sluice_plan_segment(m->to, f->row, f->stage);
    if (is_kept(m, s)) continue;
    for (size_t k = 0; k < m->from->num_segments; k++)
      if (sluice_room_overlap(s, &m->from->segments[k]))
        return sluice_fail(
            error, SLUICE_ERR_RANGE,
            "state of overlay row %u, stage %u, is where packets find that of row %u now", f->row,
            f->stage, m->from->segments[k].row);
    struct sluice_change *c = sluice_changes_add(&m->t->before, SLUICE_CHANGE_FILL);
    if (!c) return sluice_no_memory(error);
    c->table = SLUICE_TABLE_FILL;
    c->stage = f->stage;
    c->row = f->row + !taken_bank(m, f->row) * m->to->config->NumModules;
    c->value = s->range;
    SLUICE_SETS(c->bytes, STATE_ENTRY, (S1, f->s1), (S2, f->s2));
    m->t->rows |= UINT32_C(1) << f->row;
  }
  return SLUICE_OK;
}

// ---- what cannot be done so ---------------------------------------------------------------------

static bool same_entry(const struct make *m, enum sluice_table table, unsigned stage, unsigned at) {
  const struct sluice_write *a = sluice_plan_entry(m->from, table, stage, at),
                            *b = sluice_plan_entry(m->to, table, stage, at);
  return (!a && !b) || (a && b && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0);
}

static bool same_row(const struct make *m, unsigned stage, unsigned at) {
  bool same = same_entry(m, SLUICE_TABLE_MATCH, stage, at);
  for (unsigned t = 0; t < SLUICE_ROW_TABLES && same; t++)
    same = same_entry(m, sluice_row_tables[t], stage, at);
  return same;
}

static enum sluice_status check(const struct make *m, struct sluice_error *error) {
  if (!sluice_config_same(m->from->config, m->to->config))
    return sluice_fail(error, SLUICE_ERR_FOREIGN, "one plan is for chip '%s', the other for '%s'",
                       m->from->config->name, m->to->config->name);
  if (m->to->config->Banks != 2)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "chip '%s' has one configuration bank: 'replace' changes a module, and "
                       "drops its packets meanwhile",
                       m->to->config->name);
  if (m->from->pipes != m->to->pipes)
    return sluice_fail(
        error, SLUICE_ERR_RANGE, "%u sets of pipelines instead of %u: packets would have to wait",
        m->to->config->NumPipes / m->to->pipes, m->from->config->NumPipes / m->from->pipes);
  if (!sluice_tables_follow(m->from, m->to))
    return sluice_fail(error, SLUICE_ERR_BUSY,
                       "entries of tables would be written over that packets may still need");
  for (size_t i = 0; i < m->to->num_rows; i++) {
    const struct sluice_row *new = &m->to->rows[i], *old = row_at(m->from, new->stage, new->at);
    if (!old || (old->owner == new->owner &&same_row(m, new->stage, new->at))) continue;
    return sluice_fail(
        error, SLUICE_ERR_BUSY,
        "match row %u of stage %u holds something else now, which packets may still need", new->at,
        new->stage);
  }
  for (size_t i = 0; i < m->to->num_port_rows; i++) {
    const struct sluice_port_row *new = &m->to->port_rows[i],
                                 *old = sluice_port_row_at(m->from, new->at);
    if (old && (old->owner != new->owner || !same_entry(m, SLUICE_TABLE_PORT_MASK, 0, new->at)))
      return sluice_fail(
          error, SLUICE_ERR_BUSY,
          "row %u of PORT_MASK holds another set of ports now, which packets may still need",
          new->at);
  }
  return SLUICE_OK;
}

static void count(struct make *m) {
  const uint32_t rows = m->t->rows;
  for (size_t i = 0; i < m->to->num_rows; i++) {
    const struct sluice_row *r = &m->to->rows[i];
    if (!(rows >> r->owner & 1)) continue;
    if (row_at(m->from, r->stage, r->at)) m->t->shared++;
    else m->t->written++;
  }
  for (size_t i = 0; i < m->from->num_rows; i++)
    m->t->freed += !row_at(m->to, m->from->rows[i].stage, m->from->rows[i].at);
  for (size_t i = 0; i < m->to->num_segments; i++) {
    if (!(rows >> m->to->segments[i].row & 1)) continue;
    if (is_kept(m, &m->to->segments[i])) m->t->kept++;
    else m->t->filled++;
  }
}

enum sluice_status sluice_transition(const struct sluice_plan *from, const struct sluice_plan *to,
                                     uint32_t bank, struct sluice_transition *t,
                                     struct sluice_error *error) {
  struct make m = {.from = from, .to = to, .bank = bank, .t = t};
  memset(t, 0, sizeof *t);
  t->before.alloc = t->after.alloc = to->alloc;
  enum sluice_status status = check(&m, error);
  if (status) return status;
  entries(&m, true, TABLES);
  rows_alone(&m, to, from, SLUICE_TABLE_PORT_MASK, write_before);
  for (unsigned i = 0; i < SLUICE_ROW_TABLES; i++)
    rows_alone(&m, to, from, sluice_row_tables[i], write_before);
  status = fills(&m, error);
  rows_alone(&m, from, to, SLUICE_TABLE_MATCH, hide_from_new);
  rows_alone(&m, to, from, SLUICE_TABLE_MATCH, show_to_new);
  m.failed |= !sluice_tables_before(to, bank, &t->before, &t->rows);
  entries(&m, true, MODULES);

  rows_alone(&m, from, to, SLUICE_TABLE_MATCH, erase_after);
  m.failed |= !sluice_tables_after_clear(to, bank, &t->after);
  entries(&m, false, TABLES);
  for (unsigned i = 0; i < SLUICE_ROW_TABLES; i++)
    rows_alone(&m, from, to, sluice_row_tables[i], reset_after);
  rows_alone(&m, from, to, SLUICE_TABLE_PORT_MASK, reset_after);
  rows_alone(&m, to, from, SLUICE_TABLE_MATCH, show_to_both);
  m.failed |= !sluice_tables_after_show(to, bank, &t->after);
  entries(&m, false, MODULES);
  if (!status && m.failed) status = sluice_no_memory(error);
  count(&m);
  if (status) sluice_transition_release(t);
  return status;
}

// New rows go out of use before anything that they name is taken back; entries of match engines go
// the way back that they came.
enum sluice_status sluice_transition_back(const struct sluice_transition *t,
                                          struct sluice_changes *back, struct sluice_error *error) {
  enum { ENGINES, ERASES, OTHERS, PASSES };
  const size_t num = t->before.num;
  memset(back, 0, sizeof *back);
  back->alloc = t->before.alloc;
  for (unsigned pass = ENGINES; pass < PASSES; pass++)
    for (size_t i = 0; i < num; i++) {
      const struct sluice_change *change = &t->before.list[pass == ENGINES ? num - 1 - i : i];
      const struct sluice_change inverse = sluice_change_inverse(change);
      if (inverse.kind == SLUICE_CHANGE_FILL ||
          pass != (sluice_change_of_engine(change)       ? ENGINES
                   : inverse.kind == SLUICE_CHANGE_ERASE ? ERASES
                                                         : OTHERS))
        continue;
      struct sluice_change *c = sluice_changes_add(back, inverse.kind);
      if (c) {
        *c = inverse;
        continue;
      }
      sluice_changes_release(back);
      return sluice_no_memory(error);
    }
  return SLUICE_OK;
}

void sluice_transition_release(struct sluice_transition *t) {
  sluice_changes_release(&t->before);
  sluice_changes_release(&t->after);
  memset(t, 0, sizeof *t);
}
