// SPDX-License-Identifier: Apache-2.0
// Entries of tables that change on a chip: through the idle bank (chip_update.c), in a copy of the
// plan; or straight where packets look. One straight change is done in the plan as it is, and taken
// back there when the chip does not take it; so it costs the same in a table of ten and of ten
// thousand.
#include <sluice/table.h>
#include <string.h>

#include "chip.h"
#include "../image/image_tables.h"
#include "../plan/table_diff.h"
#include "../plan/table_plan.h"

struct tables_call {
  struct sluice_chip *chip;
  const struct sluice_table_change *changes;
  unsigned num;
  struct sluice_table_report *report;
  struct sluice_error *error;
};

// ---- lists of changes ---------------------------------------------------------------------------

static struct sluice_change *default_in(const struct sluice_changes *list, unsigned stage,
                                        unsigned index) {
  for (size_t i = 0; i < list->num; i++) {
    struct sluice_change *c = &list->list[i];
    if (c->table == SLUICE_TABLE_DEFAULT_ACTION && c->stage == stage && c->index == index) return c;
  }
  return NULL;
}

static bool add_default(const struct sluice_plan *plan, const struct sluice_table_done *done,
                        struct sluice_changes *list) {
  const struct sluice_write *w = done->default_of;
  // The idle bank first: both are alike at rest, and packets of the one that is taken see one
  // write.
  for (unsigned bank = plan->config->Banks; bank-- > 0;) {
    const unsigned index = w->index + bank * plan->config->NumModules;
    struct sluice_change *c = default_in(list, w->stage, index);
    if (c) {  // set twice in one call: the last one counts
      memcpy(c->bytes, w->bytes, sizeof c->bytes);
      continue;
    }
    c = sluice_changes_add(list, SLUICE_CHANGE_WRITE);
    if (!c) return false;
    c->table = w->table;
    c->stage = w->stage;
    c->index = index;
    c->was_used = true;
    memcpy(c->bytes, w->bytes, sizeof c->bytes);
    memcpy(c->old, done->default_was.bytes, sizeof c->old);
    if (done->default_added) memset(c->old, 0, sizeof c->old);
  }
  return true;
}

// The moves of one change, as the store stands behind it; `saved`: an entry that it changed or took
// out, as it was.
static bool add_moves(const struct sluice_plan *plan, const struct sluice_table_done *done,
                      struct sluice_changes *list) {
  const struct sluice_tables *t = &plan->tables;
  for (size_t i = done->num_moves; i < t->num_moves; i++) {
    const struct sluice_moved *m = &t->moves[i];
    struct sluice_change *c = sluice_changes_add(list, SLUICE_CHANGE_WRITE);
    if (!c) return false;
    c->table = sluice_engine_table((enum sluice_engine_kind)m->engine);
    c->stage = m->stage;
    c->index = m->move.at;
    c->step = m->step + 1;
    c->was_used = true;
    sluice_tables_encode(t, m->move.to.id, 0, c->bytes);
    if (done->has_saved && m->move.from.id == done->saved_id) {
      // The store with the entry as it was, for a moment.
      struct sluice_stored was = done->saved;
      const struct sluice_tables one = {.entries = &was, .num_entries = 1};
      sluice_tables_encode(&one, 0, 0, c->old);
    } else {
      sluice_tables_encode(t, m->move.from.id, 0, c->old);
    }
  }
  return true;
}

static void count(const struct tables_call *c, const struct sluice_changes *list,
                  unsigned inserted) {
  unsigned steps = 0, last = UINT32_MAX;
  for (size_t i = 0; i < list->num; i++) {
    steps += list->list[i].step != last;
    last = list->list[i].step;
  }
  c->report->writes = (unsigned)list->num;
  c->report->moves = list->num > inserted ? (unsigned)list->num - inserted : 0;
  c->report->steps = steps;
}

// The way back of what was started, in a list with enough room.
static void turn_round(const struct sluice_changes *list, size_t started,
                       struct sluice_changes *back) {
  back->num = 0;
  for (size_t i = started; i-- > 0;)
    back->list[back->num++] = sluice_change_inverse(&list->list[i]);
}

static bool reserve(struct sluice_changes *back, size_t num) {
  for (size_t i = 0; i < num; i++)
    if (!sluice_changes_add(back, SLUICE_CHANGE_WRITE)) return false;
  back->num = 0;
  return true;
}

// ---- one change, or several in order ------------------------------------------------------------

// Behind a failure: the plan of the chip is as it was before the call.
static enum sluice_status go_back(const struct tables_call *c, enum sluice_status status,
                                  const struct sluice_changes *list, size_t started,
                                  struct sluice_changes *back, const struct sluice_error *why) {
  struct sluice_error more = {""};
  if (c->chip->was_reset) {
    if (chip_restore(c->chip, &more))
      return sluice_fail(c->error, status, "%.180s; loading all anew failed: %.180s", why->text,
                         more.text);
    return sluice_fail(c->error, status,
                       "%.200s; all modules, their tables as they were, were loaded anew, their "
                       "state has its initial values",
                       why->text);
  }
  c->chip->unsure = true;
  turn_round(list, started, back);
  if (chip_go_back(c->chip, back, &more))
    return sluice_fail(c->error, status,
                       "%.160s; the next call takes back what was written: %.160s", why->text,
                       more.text);
  return sluice_fail(c->error, status, "%.300s; the tables are as before", why->text);
}

static enum sluice_status send(const struct tables_call *c, const struct sluice_plan *plan,
                               const struct sluice_changes *list, size_t *started,
                               struct sluice_error *why) {
  struct chip_counts counts;
  CHIP_TRY(chip_run_steps(c->chip, plan, list->list, list->num, started, why));
  return chip_counts(c->chip, &counts, why);  // notices a reset
}

static enum sluice_status one(const struct tables_call *c) {
  struct sluice_chip *chip = c->chip;
  struct sluice_changes list = {.alloc = chip->alloc}, back = {.alloc = chip->alloc};
  struct sluice_table_done done;
  struct sluice_error why = {""};
  size_t started = 0;
  CHIP_TRY(sluice_plan_table_do(chip->plan, c->changes, true, &done, c->error));
  const bool good = (done.default_of ? add_default(chip->plan, &done, &list)
                                     : add_moves(chip->plan, &done, &list)) &&
                    reserve(&back, list.num);
  enum sluice_status status = good ? SLUICE_OK : sluice_no_memory(&why);
  if (good) {
    count(c, &list, 1);
    if (done.default_of) c->report->moves = 0;
    status = send(c, chip->plan, &list, &started, &why);
  }
  if (!status) {
    sluice_tables_settle(&chip->plan->tables);
  } else {
    sluice_plan_table_undo(chip->plan, &done);
    status = good ? go_back(c, status, &list, started, &back, &why) : sluice_no_memory(c->error);
  }
  sluice_changes_release(&list);
  sluice_changes_release(&back);
  return status;
}

// All that one CLEAR does, one entry after the other.
static enum sluice_status clear_in_order(struct sluice_plan *next,
                                         const struct sluice_table_change *change,
                                         struct sluice_changes *list, struct sluice_error *error) {
  struct sluice_table_change entry;
  struct sluice_table_done done;
  if (!sluice_plan_table_named(next, change->vid, change->table, error)) return SLUICE_ERR_RANGE;
  for (uint32_t place = 0;
       sluice_plan_table_entry(next, change->vid, change->table, &place, &entry);) {
    entry.op = SLUICE_TABLE_DELETE;
    CHIP_TRY(sluice_plan_table_do(next, &entry, true, &done, error));
    if (!add_moves(next, &done, list)) return sluice_no_memory(error);
  }
  return SLUICE_OK;
}

static enum sluice_status do_in_order(const struct tables_call *c, struct sluice_plan *next,
                                      struct sluice_changes *list, unsigned *inserted) {
  struct sluice_table_done done;
  enum sluice_status status = SLUICE_OK;
  for (unsigned i = 0; i < c->num && !status; i++) {
    const struct sluice_table_change *change = &c->changes[i];
    if (change->op == SLUICE_TABLE_CLEAR) {
      const size_t from = list->num;
      status = clear_in_order(next, change, list, c->error);
      *inserted += (unsigned)(list->num - from);
      continue;
    }
    status = sluice_plan_table_do(next, change, true, &done, c->error);
    if (status) break;
    *inserted += done.default_of ? next->config->Banks : 1;
    if (!(done.default_of ? add_default(next, &done, list) : add_moves(next, &done, list)))
      status = sluice_no_memory(c->error);
  }
  return status;
}

static enum sluice_status in_order(const struct tables_call *c) {
  struct sluice_chip *chip = c->chip;
  struct sluice_changes list = {.alloc = chip->alloc}, back = {.alloc = chip->alloc};
  struct sluice_plan *next;
  struct sluice_error why = {""};
  unsigned inserted = 0;
  size_t started = 0;
  CHIP_TRY(sluice_plan_copy(&next, chip->plan, c->error));
  enum sluice_status status = do_in_order(c, next, &list, &inserted);
  if (!status && !reserve(&back, list.num)) status = sluice_no_memory(c->error);
  if (!status) {
    sluice_tables_sort(&list, 0);
    count(c, &list, inserted);
    sluice_plan_settle(next);
    status = send(c, next, &list, &started, &why);
    if (status) {
      status = go_back(c, status, &list, started, &back, &why);
    } else {
      struct sluice_plan *old = chip->plan;
      chip->plan = next;
      next = old;
    }
  }
  sluice_plan_close(next);
  sluice_changes_release(&list);
  sluice_changes_release(&back);
  return status;
}

// ---- at one moment ------------------------------------------------------------------------------

static enum sluice_status no_room(const struct tables_call *c, enum sluice_status status) {
  if (status != SLUICE_ERR_FULL || !c->error) return status;
  const struct sluice_error why = *c->error;
  return sluice_fail(
      c->error, status,
      "%.240s; new entries stand beside those that they replace: in order, they may fit", why.text);
}

// Writes of entries of engines, before the flip and behind it.
static void count_flip(const struct sluice_plan *next, struct sluice_table_report *report) {
  const struct sluice_tables *t = &next->tables;
  for (size_t i = 0; i < t->num_moves; i++) {
    const struct sluice_moved *m = &t->moves[i];
    const uint32_t id = m->move.to.id;
    report->moves += id != SLUICE_NO_ID && t->entries[id].state == STORED_KEPT;
    if (m->step >= report->steps) report->steps = m->step + 1;
  }
  report->writes = (unsigned)t->num_moves;
  for (uint32_t id = t->touched_low; id < t->touched_high; id++) {
    const uint8_t state = t->entries[id].state;
    report->writes += state == STORED_FRESH ? 1 : state == STORED_DOOMED ? 2 : 0;
  }
}

static enum sluice_status at_once(const struct tables_call *c) {
  struct sluice_update_report report;
  struct sluice_table_done done;
  struct sluice_plan *next;
  enum sluice_status status = SLUICE_OK;
  CHIP_TRY(sluice_plan_copy(&next, c->chip->plan, c->error));
  for (unsigned i = 0; i < c->num && !status; i++)
    status = sluice_plan_table_do(next, &c->changes[i], false, &done, c->error);
  if (status) {
    sluice_plan_close(next);
    return no_room(c, status);
  }
  count_flip(next, c->report);
  status = chip_update_to(c->chip, next, &report, c->error);
  c->report->atomic = c->report->flipped = report.flipped;
  return status;
}

static bool is_ordered(const struct tables_call *c) {
  const struct sluice_placed_table *t =
      sluice_plan_table_named(c->chip->plan, c->changes->vid, c->changes->table, NULL);
  return t && t->table.part.ordered;
}

static enum sluice_status change(const struct tables_call *c, bool straight) {
  struct sluice_chip *chip = c->chip;
  if (!straight && chip->config->Banks == 2) return at_once(c);
  const bool alone = c->num == 1 && c->changes->op != SLUICE_TABLE_CLEAR;
  // An entry of an ordered table may send others to other parts.
  if (alone && !is_ordered(c)) return one(c);
  if (straight || alone) return in_order(c);
  return sluice_fail(c->error, SLUICE_ERR_UNSUPPORTED,
                     "chip '%s' has one configuration bank: several changes cannot be seen at one "
                     "moment; in order, one after the other, they can be done",
                     chip->config->name);
}

enum sluice_status sluice_chip_table_change(struct sluice_chip *chip,
                                            const struct sluice_table_change *changes, unsigned num,
                                            const struct sluice_table_options *options,
                                            struct sluice_table_report *report,
                                            struct sluice_error *error) {
  struct sluice_table_report unwanted;
  const struct tables_call c = {chip, changes, num, report ? report : &unwanted, error};
  const bool straight = options && options->in_order;
  *c.report = (struct sluice_table_report){.atomic = false};
  CHIP_TRY(chip_settle(chip, error));
  if (!num) return SLUICE_OK;
  uint32_t *watched;
  if (!chip_counts_watch(chip, changes, num, &watched)) return sluice_no_memory(error);
  const enum sluice_status status = change(&c, straight);
  if (watched) chip_counts_watched(chip, changes, num, watched);
  return status;
}
