// SPDX-License-Identifier: Apache-2.0
// The difference of two plans, as changes in a safe order.
#include <string.h>

#include "../image/capability.h"
#include "link.h"
#include "plan.h"
#include "table_diff.h"

struct sluice_change *sluice_changes_add(struct sluice_changes *changes,
                                         enum sluice_change_kind kind) {
  if (changes->num == changes->room) {
    const size_t room = changes->room ? 2 * changes->room : 32;
    struct sluice_change *more = sluice_resize(&changes->alloc, changes->list,
                                               changes->room * sizeof *more, room * sizeof *more);
    if (!more) return NULL;
    changes->list = more;
    changes->room = room;
  }
  struct sluice_change *c = &changes->list[changes->num++];
  memset(c, 0, sizeof *c);
  c->kind = kind;
  return c;
}

void sluice_changes_release(struct sluice_changes *changes) {
  sluice_resize(&changes->alloc, changes->list, changes->room * sizeof *changes->list, 0);
  memset(changes, 0, sizeof *changes);
}

struct diff {
  const struct sluice_plan *from, *to;  // from may be NULL
  struct sluice_changes *changes;
  uint32_t rows;  // of the modules that must stand still meanwhile
  bool failed;    // out of memory
};

static const struct sluice_write *find(const struct sluice_plan *plan,
                                       const struct sluice_write *w) {
  return plan ? sluice_plan_entry(plan, w->table, w->stage, w->index) : NULL;
}

static void emit_one(struct diff *d, enum sluice_change_kind kind, const struct sluice_write *at,
                     unsigned index, const struct sluice_write *old,
                     const struct sluice_write *new) {
  struct sluice_change *c = sluice_changes_add(d->changes, kind);
  if (!c) {
    d->failed = true;
    return;
  }
  c->table = at->table;
  c->stage = at->stage;
  c->index = index;
  c->was_used = old != NULL;
  if (old) memcpy(c->old, old->bytes, sizeof c->old);
  else sluice_entry_reset(d->to->config, at->table, at->index, c->old);
  if (new) memcpy(c->bytes, new->bytes, sizeof c->bytes);
  else if (kind == SLUICE_CHANGE_WRITE)
    sluice_entry_reset(d->to->config, at->table, at->index, c->bytes);
}

// With two banks both hold the same, so that a flip of bits of CHIP.BANK changes nothing while no
// update is under way.
static void emit(struct diff *d, enum sluice_change_kind kind, const struct sluice_write *at,
                 unsigned owner, const struct sluice_write *old, const struct sluice_write *new) {
  const struct sluice_config *c = d->to->config;
  const unsigned banks = sluice_tables[at->table].rows == SLUICE_ROWS_overlay ? c->Banks : 1;
  for (unsigned bank = 0; bank < banks; bank++)
    emit_one(d, kind, at, at->index + bank * c->NumModules, old, new);
  // A share and a rate may change while packets go on: they decide nothing but when a packet is
  // dropped for overload, or at the lane.
  if (at->table != SLUICE_TABLE_SHARE && at->table != SLUICE_TABLE_RATE_LIMIT)
    d->rows |= UINT32_C(1) << owner;
}

// Match rows that are no longer in use go first.
static void erase(struct diff *d) {
  for (size_t i = 0; d->from && i < d->from->num_writes; i++) {
    const struct sluice_write *w = &d->from->writes[i];
    if (w->table == SLUICE_TABLE_MATCH && !find(d->to, w))
      emit(d, SLUICE_CHANGE_ERASE, w, sluice_plan_owner(d->from, w), w, NULL);
  }
}

// Entries of one pass: those that nobody has any more as after reset, then those that are new or
// different.
enum pass { TABLES, MATCHES, MODULES };
static enum pass pass_of(enum sluice_table table) {
  if (table == SLUICE_TABLE_MODULE) return MODULES;
  return table == SLUICE_TABLE_MATCH || table == SLUICE_TABLE_DEFAULT_ACTION ? MATCHES : TABLES;
}

static void write_pass(struct diff *d, enum pass pass) {
  for (size_t i = 0; d->from && i < d->from->num_writes; i++) {
    const struct sluice_write *w = &d->from->writes[i];
    if (pass_of(w->table) == pass && w->table != SLUICE_TABLE_MATCH && !find(d->to, w))
      emit(d, SLUICE_CHANGE_WRITE, w, sluice_plan_owner(d->from, w), w, NULL);
  }
  for (size_t i = 0; i < d->to->num_writes; i++) {
    const struct sluice_write *w = &d->to->writes[i], *old = find(d->from, w);
    if (pass_of(w->table) != pass || (old && memcmp(old->bytes, w->bytes, sizeof w->bytes) == 0))
      continue;
    emit(d, SLUICE_CHANGE_WRITE, w, sluice_plan_owner(d->to, w), old, w);
  }
}

static bool has_fill(const struct sluice_plan *plan, const struct sluice_segment *s) {
  const struct sluice_segment *old = plan ? sluice_plan_segment(plan, s->row, s->stage) : NULL;
  return old && old->load == s->load;
}

// State that is asked for anew.
static void fill(struct diff *d) {
  for (size_t i = 0; i < d->to->num_fills; i++) {
    const struct sluice_fill *f = &d->to->fills[i];
    const struct sluice_segment *s = sluice_plan_segment(d->to, f->row, f->stage);
    if (has_fill(d->from, s)) continue;
    struct sluice_change *c = sluice_changes_add(d->changes, SLUICE_CHANGE_FILL);
    d->rows |= UINT32_C(1) << f->row;
    if (!c) {
      d->failed = true;
      return;
    }
    c->table = SLUICE_TABLE_FILL;
    c->stage = f->stage;
    c->row = f->row;
    c->value = s->range;
    SLUICE_SETS(c->bytes, STATE_ENTRY, (S1, f->s1), (S2, f->s2));
  }
}

enum sluice_status sluice_plan_diff(const struct sluice_plan *from, const struct sluice_plan *to,
                                    struct sluice_changes *changes, struct sluice_error *error) {
  const unsigned old_sets = from ? sluice_plan_sets_log2(from) : 0,
                 sets = sluice_plan_sets_log2(to);
  struct diff d = {.from = from, .to = to, .changes = changes};
  memset(changes, 0, sizeof *changes);
  changes->alloc = to->alloc;
  if (from && !sluice_config_same(from->config, to->config))
    return sluice_fail(error, SLUICE_ERR_FOREIGN, "one plan is for chip '%s', the other for '%s'",
                       from->config->name, to->config->name);
  struct sluice_change *c = sluice_changes_add(changes, SLUICE_CHANGE_BLOCK);
  if (c && sets != old_sets) {
    // Only an empty chip takes another division: everybody waits.
    c = sluice_changes_add(changes, SLUICE_CHANGE_SETS);
    if (c) c->value = sets, c->old_value = old_sets;
    d.rows = to->config->NumModules < 32 ? (UINT32_C(1) << to->config->NumModules) - 1 : UINT32_MAX;
  }
  if (c) {
    erase(&d);
    if (!sluice_tables_diff_clear(from, to, changes, &d.rows)) d.failed = true;
    write_pass(&d, TABLES);
    fill(&d);
    write_pass(&d, MATCHES);
    if (!sluice_tables_diff_write(from, to, changes, &d.rows)) d.failed = true;
    write_pass(&d, MODULES);
    c = d.rows ? sluice_changes_add(changes, SLUICE_CHANGE_UNBLOCK) : &changes->list[0];
  }
  if (!c || d.failed) {
    sluice_changes_release(changes);
    return sluice_no_memory(error);
  }
  changes->list[0].rows = d.rows;
  // Without a module that changes there is nothing, or entries of others find another place.
  if (d.rows) c->rows = d.rows;
  else memmove(&changes->list[0], &changes->list[1], --changes->num * sizeof changes->list[0]);
  return SLUICE_OK;
}

struct sluice_change sluice_change_inverse(const struct sluice_change *change) {
  struct sluice_change back = *change;
  memcpy(back.bytes, change->old, sizeof back.bytes);
  memcpy(back.old, change->bytes, sizeof back.old);
  switch (change->kind) {
    case SLUICE_CHANGE_BLOCK: back.kind = SLUICE_CHANGE_UNBLOCK; break;
    case SLUICE_CHANGE_UNBLOCK: back.kind = SLUICE_CHANGE_BLOCK; break;
    case SLUICE_CHANGE_SETS:
      back.value = change->old_value;
      back.old_value = change->value;
      break;
    case SLUICE_CHANGE_WRITE:
      back.was_used = true;
      if (change->table == SLUICE_TABLE_MATCH && !change->was_used) back.kind = SLUICE_CHANGE_ERASE;
      break;
    case SLUICE_CHANGE_ERASE:
      back.kind = SLUICE_CHANGE_WRITE;
      back.was_used = false;
      break;
    case SLUICE_CHANGE_FILL: break;
  }
  return back;
}
