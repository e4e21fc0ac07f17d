// SPDX-License-Identifier: Apache-2.0
#include "table_diff.h"

#include <stdlib.h>
#include <string.h>

#include "../tables/cuckoo.h"
#include "../image/image_tables.h"

// An entry that counts at a place: not one that is doomed.
static const struct sluice_stored *entry_at(const struct sluice_plan *plan, unsigned stage,
                                            unsigned kind, unsigned at) {
  if (!plan) return NULL;
  const uint32_t id = sluice_tables_at(&plan->tables, stage, (enum sluice_engine_kind)kind, at);
  if (id == SLUICE_NO_ID || plan->tables.entries[id].state == STORED_DOOMED) return NULL;
  return &plan->tables.entries[id];
}

static unsigned engine_size(const struct sluice_plan *plan, unsigned stage, unsigned kind) {
  return plan && plan->tables.engines[stage][kind] ? plan->tables.engines[stage][kind]->size : 0;
}

static bool same(const struct sluice_stored *a, const struct sluice_stored *b) {
  return (!a && !b) || (a && b && sluice_stored_same(a, b));
}

// Where the plan has this entry; `size`: nowhere.
static unsigned find(const struct sluice_plan *plan, const struct sluice_stored *e) {
  const unsigned size = engine_size(plan, e->stage, e->engine);
  if (e->engine != SLUICE_ENGINE_TERNARY) {
    const uint64_t hash = sluice_stored_hash(e);
    for (unsigned way = 0; size && way < SLUICE_CUCKOO_WAYS; way++) {
      const unsigned at = sluice_cuckoo_place(plan->tables.engines[e->stage][e->engine], hash, way);
      if (same(entry_at(plan, e->stage, e->engine, at), e)) return at;
    }
    return size;
  }
  unsigned at = 0;
  while (at < size && !same(entry_at(plan, e->stage, e->engine, at), e)) at++;
  return at;
}
static bool has(const struct sluice_plan *plan, const struct sluice_stored *e) {
  return find(plan, e) < engine_size(plan, e->stage, e->engine);
}

static bool emit(struct sluice_changes *changes, unsigned stage, unsigned kind, unsigned at,
                 unsigned step, const struct sluice_plan *from, const struct sluice_stored *old,
                 const struct sluice_plan *to, const struct sluice_stored *new) {
  struct sluice_change *c = sluice_changes_add(changes, SLUICE_CHANGE_WRITE);
  if (!c) return false;
  c->table = sluice_engine_table((enum sluice_engine_kind)kind);
  c->stage = stage;
  c->index = at;
  c->step = step;
  c->was_used = old != NULL;
  if (old) sluice_tables_encode(&from->tables, (uint32_t)(old - from->tables.entries), 0, c->old);
  if (new) sluice_tables_encode(&to->tables, (uint32_t)(new - to->tables.entries), 0, c->bytes);
  return true;
}

bool sluice_tables_diff_clear(const struct sluice_plan *from, const struct sluice_plan *to,
                              struct sluice_changes *changes, uint32_t *rows) {
  for (unsigned s = 0; s < SLUICE_TABLES_STAGES; s++)
    for (unsigned k = 0; k < SLUICE_NUM_ENGINES; k++)
      for (unsigned at = 0; at < engine_size(from, s, k); at++) {
        const struct sluice_stored *old = entry_at(from, s, k, at), *new = entry_at(to, s, k, at);
        if (!old || same(old, new) || has(to, old)) continue;
        *rows |= UINT32_C(1) << old->owner;
        if (!new && !emit(changes, s, k, at, 0, from, old, to, NULL)) return false;
      }
  return true;
}

// A place that gets another entry, or is left by one that has moved.
struct pending {
  unsigned at, wait;  // until this place is written; its own number: it need not wait
  bool done;
};

// In rounds: what need not wait, then what has waited for that.
static bool write_rounds(const struct sluice_plan *from, const struct sluice_plan *to, unsigned s,
                         unsigned k, struct pending *list, unsigned num, bool *written,
                         struct sluice_changes *changes, uint32_t *rows) {
  unsigned left = num;
  for (unsigned step = 1; left; step++) {
    const unsigned before = left;
    const size_t first = changes->num;
    for (unsigned i = 0; i < num; i++) {
      struct pending *p = &list[i];
      if (p->done || (p->wait != p->at && !written[p->wait])) continue;
      p->done = true;
      left--;
      if (!emit(changes, s, k, p->at, step, from, entry_at(from, s, k, p->at), to,
                entry_at(to, s, k, p->at)))
        return false;
    }
    for (size_t i = first; i < changes->num; i++) written[changes->list[i].index] = true;
    if (left != before) continue;
    // Entries that wait for each other: their modules stand still meanwhile.
    for (unsigned i = 0; i < num; i++)
      if (!list[i].done) {
        *rows |= UINT32_C(1) << entry_at(from, s, k, list[i].at)->owner;
        list[i].wait = list[i].at;
      }
  }
  return true;
}

static bool write_engine(const struct sluice_plan *from, const struct sluice_plan *to, unsigned s,
                         unsigned k, struct sluice_changes *changes, uint32_t *rows) {
  const unsigned size = engine_size(to, s, k);
  unsigned num = 0;
  if (!size) return true;
  struct pending *list = sluice_zeroed(&to->alloc, size * sizeof *list);
  bool *written = sluice_zeroed(&to->alloc, size * sizeof *written);
  bool good = list && written;
  for (unsigned at = 0; good && at < size; at++) {
    const struct sluice_stored *old = entry_at(from, s, k, at), *new = entry_at(to, s, k, at);
    if (same(old, new)) continue;
    const unsigned place = old ? find(to, old) : size;
    // Only what is left by an entry that has moved is cleared here.
    if (!new &&place == size) continue;
    list[num++] = (struct pending){at, place == size ? at : place, false};
    if (new && (k == SLUICE_ENGINE_TERNARY || !from || !has(from, new)))
      *rows |= UINT32_C(1) << new->owner;
  }
  good = good && write_rounds(from, to, s, k, list, num, written, changes, rows);
  sluice_resize(&to->alloc, list, size * sizeof *list, 0);
  sluice_resize(&to->alloc, written, size * sizeof *written, 0);
  return good;
}

bool sluice_tables_diff_write(const struct sluice_plan *from, const struct sluice_plan *to,
                              struct sluice_changes *changes, uint32_t *rows) {
  for (unsigned s = 0; s < SLUICE_TABLES_STAGES; s++)
    for (unsigned k = 0; k < SLUICE_NUM_ENGINES; k++)
      if (!write_engine(from, to, s, k, changes, rows)) return false;
  return true;
}

static int by_step_and_place(const void *a, const void *b) {
  const struct sluice_change *x = a, *y = b;
  if (x->step != y->step) return x->step < y->step ? -1 : 1;
  if (x->table != y->table) return x->table < y->table ? -1 : 1;
  if (x->stage != y->stage) return x->stage < y->stage ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

void sluice_tables_sort(struct sluice_changes *changes, size_t from) {
  const size_t num = changes->num - from;
  if (num > 1) qsort(changes->list + from, num, sizeof *changes->list, by_step_and_place);
}

// ---- through the idle bank ----------------------------------------------------------------------

// For which bank an entry is not, between the first write and the last packet of the old bank.
static unsigned not_bank(const struct sluice_tables *t, uint32_t id, uint32_t bank) {
  if (id == SLUICE_NO_ID) return 0;
  const struct sluice_stored *e = &t->entries[id];
  const unsigned taken = bank >> e->owner & 1;
  return e->state == STORED_FRESH ? 1u << taken : e->state == STORED_DOOMED ? 2u >> taken : 0;
}

static struct sluice_change *add(struct sluice_changes *changes, unsigned stage, unsigned kind,
                                 unsigned at, unsigned step) {
  struct sluice_change *c = sluice_changes_add(changes, SLUICE_CHANGE_WRITE);
  if (!c) return NULL;
  c->table = sluice_engine_table((enum sluice_engine_kind)kind);
  c->stage = stage;
  c->index = at;
  c->step = step;
  return c;
}

// What stands at a place before its first move of this list, and behind it.
static void bytes_before(const struct sluice_tables *t, uint32_t id, uint32_t bank, uint8_t *to) {
  const bool on_chip = id != SLUICE_NO_ID && t->entries[id].state == STORED_DOOMED;
  sluice_tables_encode(t, id, on_chip ? 0 : not_bank(t, id, bank), to);
}

bool sluice_tables_before(const struct sluice_plan *to, uint32_t bank,
                          struct sluice_changes *changes, uint32_t *rows) {
  const struct sluice_tables *t = &to->tables;
  const size_t first = changes->num;
  unsigned last = 0;
  for (size_t i = 0; i < t->num_moves; i++) {
    const struct sluice_moved *m = &t->moves[i];
    struct sluice_change *c = add(changes, m->stage, m->engine, m->move.at, m->step + 1);
    if (!c) return false;
    bytes_before(t, m->move.from.id, bank, c->old);
    sluice_tables_encode(t, m->move.to.id, not_bank(t, m->move.to.id, bank), c->bytes);
    if (m->step + 1 > last) last = m->step + 1;
  }
  for (uint32_t id = t->touched_low; id < t->touched_high; id++) {
    const struct sluice_stored *e = &t->entries[id];
    if (e->state == STORED_FRESH || e->state == STORED_DOOMED) *rows |= UINT32_C(1) << e->owner;
    // One that was moved was written so.
    if (e->state != STORED_DOOMED || sluice_tables_moved(t, id)) continue;
    // Where nothing had to make room no write waits for another.
    struct sluice_change *c =
        add(changes, e->stage, e->engine, sluice_tables_place(t, id), last > 1 ? last + 1 : 1);
    if (!c) return false;
    sluice_tables_encode(t, id, 0, c->old);
    sluice_tables_encode(t, id, not_bank(t, id, bank), c->bytes);
  }
  sluice_tables_sort(changes, first);
  return true;
}

static bool after(const struct sluice_plan *to, uint32_t bank, enum sluice_stored_state state,
                  struct sluice_changes *changes) {
  const struct sluice_tables *t = &to->tables;
  const size_t first = changes->num;
  for (uint32_t id = t->touched_low; id < t->touched_high; id++) {
    const struct sluice_stored *e = &t->entries[id];
    if (e->state != state) continue;
    struct sluice_change *c = add(changes, e->stage, e->engine, sluice_tables_place(t, id), 0);
    if (!c) return false;
    sluice_tables_encode(t, id, not_bank(t, id, bank), c->old);
    if (state == STORED_FRESH) sluice_tables_encode(t, id, 0, c->bytes);
  }
  sluice_tables_sort(changes, first);
  return true;
}

bool sluice_tables_after_clear(const struct sluice_plan *to, uint32_t bank,
                               struct sluice_changes *changes) {
  return after(to, bank, STORED_DOOMED, changes);
}
bool sluice_tables_after_show(const struct sluice_plan *to, uint32_t bank,
                              struct sluice_changes *changes) {
  return after(to, bank, STORED_FRESH, changes);
}

// The entries of a plan, each at the place where it is; then those of the other one must be what is
// left when fresh ones are taken away. Places need not be the same: moves lead from one to the
// other.
static bool all_in(const struct sluice_plan *a, bool fresh_too, const struct sluice_plan *b) {
  for (uint32_t id = 0; id < a->tables.num_entries; id++) {
    const struct sluice_stored *e = &a->tables.entries[id];
    if (e->state == STORED_FREE || e->state == STORED_GONE ||
        (e->state == STORED_FRESH && !fresh_too))
      continue;
    const unsigned size = engine_size(b, e->stage, e->engine);
    bool found = false;
    if (size) {
      const uint32_t there = id < b->tables.num_entries ? id : SLUICE_NO_ID;
      found = there != SLUICE_NO_ID && sluice_stored_same(&b->tables.entries[there], e) &&
              (b->tables.entries[there].state == STORED_KEPT ||
               b->tables.entries[there].state == STORED_DOOMED);
    }
    if (!found) return false;
  }
  return true;
}

bool sluice_tables_follow(const struct sluice_plan *from, const struct sluice_plan *to) {
  return !to->tables.outright && all_in(from, true, to) && all_in(to, false, from);
}
