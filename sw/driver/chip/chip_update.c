// SPDX-License-Identifier: Apache-2.0
// Changes while packets go on: what is new is written where no packet looks and read back, one
// write of CHIP.BANK makes packets look there, and what is old goes when the last packet that may
// need it has left.
//
// Before the flip everything can be taken back, and is. After it the only way is forward: what
// could not be finished is finished before the next change (chip_settle), or by the next client
// (sluice_chip_adopt).
#include <sluice/active.h>
#include <string.h>

#include "chip.h"
#include "../plan/table_diff.h"
#include "../plan/transition.h"

static enum sluice_status read_bank(struct sluice_chip *chip, uint32_t *bank,
                                    struct sluice_error *error) {
  return sluice_chip_read(chip, CHIP_REG(CHIP, 0, BANK), bank, error);
}

static void take_plan(struct sluice_chip *chip, struct sluice_plan *next) {
  sluice_plan_close(chip->plan);
  chip->plan = next;
}

// ---- behind the flip ----------------------------------------------------------------------------

// Until no packet of the banks that are not taken any more is inside.
static enum sluice_status drain(struct sluice_chip *chip, struct sluice_error *error) {
  uint32_t start = 0, now, inside[2];
  if (!chip->undrained) return SLUICE_OK;
  for (bool first = true;; first = false) {
    CHIP_TRY(chip->to->ops->wait(chip->to->self, CHIP_FILTER_CYCLES, error));
    CHIP_TRY(chip_read_many(chip, CHIP_REG(CHIP, 0, INSIDE_BANK0), 2, inside, error));
    const uint32_t old = (inside[0] & chip->bank) | (inside[1] & ~chip->bank);
    chip->undrained &= old;
    if (!chip->undrained) return SLUICE_OK;
    CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, CYCLES), &now, error));
    if (first) start = now;
    if (now - start >= chip->options.drain_cycles)
      return sluice_fail(error, SLUICE_ERR_IO,
                         "packets of the version before stay inside the chip, rows %08x",
                         chip->undrained);
  }
}

// ---- what an earlier call has left --------------------------------------------------------------

enum sluice_status chip_resolve(struct sluice_chip *chip, struct sluice_error *error) {
  uint32_t now;
  if (!chip->pending) return SLUICE_OK;
  CHIP_TRY(read_bank(chip, &now, error));
  struct sluice_plan *pending = chip->pending;
  chip->pending = NULL;
  if (now == (chip->bank ^ chip->pending_rows)) {
    take_plan(chip, pending);
    chip->bank = now;
    chip->undrained |= chip->pending_rows;
  } else {
    sluice_plan_close(pending);
  }
  chip->unsure = true;
  return SLUICE_OK;
}

enum sluice_status chip_go_back(struct sluice_chip *chip, struct sluice_changes *back,
                                struct sluice_error *error) {
  const enum sluice_status status =
      chip_run_steps(chip, chip->plan, back->list, back->num, NULL, error);
  if (!status) return SLUICE_OK;
  sluice_changes_release(&chip->left);
  chip->left = *back;
  *back = (struct sluice_changes){.alloc = chip->alloc};
  return status;
}

enum sluice_status chip_settle(struct sluice_chip *chip, struct sluice_error *error) {
  CHIP_TRY(chip_resolve(chip, error));
  if (!chip->only_params || chip->cut_rows || chip->was_reset)
    CHIP_TRY(chip_cut_closed(chip, error));
  if (chip->was_reset) CHIP_TRY(chip_restore(chip, error));
  if (chip->left.num) {
    CHIP_TRY(chip_run_steps(chip, chip->plan, chip->left.list, chip->left.num, NULL, error));
    sluice_changes_release(&chip->left);
    chip->left.alloc = chip->alloc;
  }
  if (chip->config->Banks != 2) return SLUICE_OK;
  CHIP_TRY(drain(chip, error));
  return chip->unsure ? chip_run(chip, &(struct chip_expect){.plan = chip->plan}, NULL, 0, error)
                      : SLUICE_OK;
}

// ---- the transaction ----------------------------------------------------------------------------

struct transaction {
  struct sluice_chip *chip;
  struct sluice_plan *next;  // NULL: the chip has taken it
  struct sluice_transition there;
  struct sluice_changes back;
  unsigned started;  // steps of the entries of match engines
  struct sluice_update_report *report;
  struct sluice_error *error;
};

// The chip was reset: its plan, which has the new version only after the flip.
static enum sluice_status load_anew(struct transaction *t, enum sluice_status status,
                                    const struct sluice_error *why) {
  struct sluice_error more = {""};
  if (chip_restore(t->chip, &more))
    return sluice_fail(t->error, status, "%.180s; loading all anew failed: %.180s", why->text,
                       more.text);
  return sluice_fail(t->error, status,
                     "%.200s; all modules, this one in the version %s, were loaded anew, their "
                     "state has its initial values",
                     why->text, t->report->flipped ? "of the update" : "before it");
}

// Nothing of the new version is seen by packets, so the old one has run on all the time.
static enum sluice_status take_back(struct transaction *t, enum sluice_status status,
                                    const struct sluice_error *why) {
  struct sluice_error more = {""};
  if (t->chip->was_reset) return load_anew(t, status, why);
  t->chip->unsure = true;
  // Of entries that move, only what may have been moved goes back.
  size_t num = 0;
  for (size_t i = 0; i < t->back.num; i++)
    if (!sluice_change_of_engine(&t->back.list[i]) || t->back.list[i].step <= t->started)
      t->back.list[num++] = t->back.list[i];
  t->back.num = num;
  if (chip_go_back(t->chip, &t->back, &more))
    return sluice_fail(t->error, status,
                       "%.160s; the version before runs on, what was written for the new one is "
                       "still there: %.140s",
                       why->text, more.text);
  return sluice_fail(t->error, status, "%.300s; the version before runs on", why->text);
}

static enum sluice_status prepare(struct transaction *t, struct sluice_error *why) {
  const struct sluice_changes *before = &t->there.before;
  struct chip_counts counts;
  uint32_t bank;
  for (size_t from = 0, to; from < before->num; from = to) {
    // Rows of actions and the first entries that name them are hidden from all packets until the
    // flip: one run.
    const unsigned step = before->list[from].step ? before->list[from].step : 1;
    for (to = from + 1; to < before->num && before->list[to].step <= step; to++) {}
    if (before->list[to - 1].step > t->started) t->started = before->list[to - 1].step;
    const struct chip_expect expect = {
        .plan = t->chip->plan, .list = before->list, .num = to, .hidden = true};
    CHIP_TRY(chip_run(t->chip, &expect, before->list + from, to - from, why));
  }
  // A reset is noticed. What has just been read back was there; if it goes now, clean_up notices.
  if (!before->num || t->chip->options.verify != SLUICE_VERIFY_READ)
    CHIP_TRY(chip_counts(t->chip, &counts, why));
  CHIP_TRY(read_bank(t->chip, &bank, why));
  if (bank == t->chip->bank) return SLUICE_OK;
  return sluice_fail(why, SLUICE_ERR_IO, "CHIP.BANK is %08x, which nobody here has written", bank);
}

static enum sluice_status clean_up(struct transaction *t, struct sluice_error *why) {
  const struct sluice_changes *after = &t->there.after;
  const bool timed = !t->chip->untimed;
  uint32_t start = 0, now = 0;
  if (timed) CHIP_TRY(sluice_chip_read(t->chip, CHIP_REG(CHIP, 0, CYCLES), &start, why));
  CHIP_TRY(drain(t->chip, why));
  if (timed) CHIP_TRY(sluice_chip_read(t->chip, CHIP_REG(CHIP, 0, CYCLES), &now, why));
  t->report->drain_cycles = now - start;
  if (!after->num) return SLUICE_OK;
  return chip_run(t->chip, &(struct chip_expect){.plan = t->chip->plan}, after->list, after->num,
                  why);
}

// The flip. One that must be guarded is so if all that changes is behind the order point: packets
// that wait in front of it then find there what they have found before. If what is watched was
// accessed, what is asked before the flip may take another cut, and it is tried once more.
static enum sluice_status turn(struct transaction *t, enum chip_flip *flipped,
                               struct sluice_error *why) {
  struct sluice_chip *chip = t->chip;
  t->report->guarded = chip->guard && chip_behind_order(chip->config, &t->there.before);
  if (t->report->guarded) {
    *flipped = chip_flip(chip, t->there.rows, &chip->guard_since, why);
    if (*flipped != CHIP_FLIP_TOUCHED) return SLUICE_OK;
  }
  if (chip->check) CHIP_TRY(chip->check(chip->check_user, why));
  if (!t->report->guarded || chip->check)
    *flipped = chip_flip(chip, t->there.rows, t->report->guarded ? &chip->cut_ticket : NULL, why);
  if (*flipped != CHIP_FLIP_TOUCHED) return SLUICE_OK;
  t->report->touched = true;
  return sluice_fail(why, SLUICE_ERR_DIFFERS,
                     "what must be unchanged was accessed between the cut and the flip");
}

static enum sluice_status go(struct transaction *t) {
  struct sluice_chip *chip = t->chip;
  struct sluice_error why = {""};
  enum sluice_status status = prepare(t, &why);
  enum chip_flip flipped = CHIP_FLIP_DONE;
  if (!status && t->there.rows) status = turn(t, &flipped, &why);
  if (status) return take_back(t, status, &why);
  if (flipped == CHIP_FLIP_NOT) return take_back(t, SLUICE_ERR_IO, &why);
  if (flipped == CHIP_FLIP_UNKNOWN) {
    chip->pending = t->next;
    chip->pending_rows = t->there.rows;
    t->next = NULL;
    return sluice_fail(t->error, SLUICE_ERR_IO,
                       "%.200s; whether the new version runs, the next call finds out", why.text);
  }
  take_plan(chip, t->next);
  t->next = NULL;
  t->report->flipped = true;
  status = clean_up(t, &why);
  if (!status) return SLUICE_OK;
  if (chip->was_reset) return load_anew(t, status, &why);
  chip->unsure = true;
  return sluice_fail(t->error, status,
                     "the new version runs, but the old one could not be taken out; the next "
                     "change begins with that: %.220s",
                     why.text);
}

enum sluice_status chip_update_to(struct sluice_chip *chip, struct sluice_plan *next,
                                  struct sluice_update_report *r, struct sluice_error *error) {
  struct transaction t = {.chip = chip, .next = next, .report = r, .error = error};
  *r = (struct sluice_update_report){.flipped = false};
  enum sluice_status status = chip_groups_beside(chip, t.next, error);
  if (!status) status = sluice_transition(chip->plan, t.next, chip->bank, &t.there, error);
  sluice_plan_settle(t.next);
  // The way back is made before the first step: when memory runs out later, nothing can be stuck in
  // between.
  if (!status) status = sluice_transition_back(&t.there, &t.back, error);
  if (!status) {
    r->written = t.there.written;
    r->shared = t.there.shared;
    r->freed = t.there.freed;
    r->kept = t.there.kept;
    r->filled = t.there.filled;
    for (size_t i = 0; i < t.there.before.num; i++)
      r->entries += sluice_tables[t.there.before.list[i].table].rows == SLUICE_ROWS_overlay;
    status = go(&t);
  }
  sluice_plan_close(t.next);
  sluice_transition_release(&t.there);
  sluice_changes_release(&t.back);
  return status;
}

enum sluice_status sluice_chip_update_plan(struct sluice_chip *chip, const struct sluice_plan *plan,
                                           struct sluice_update_report *report,
                                           struct sluice_error *error) {
  struct sluice_update_report unwanted, *r = report ? report : &unwanted;
  struct sluice_plan *next;
  *r = (struct sluice_update_report){.flipped = false};
  CHIP_TRY(chip_settle(chip, error));
  CHIP_TRY(sluice_plan_copy(&next, plan, error));
  return chip_update_to(chip, next, r, error);
}

enum sluice_status sluice_chip_update(struct sluice_chip *chip, const struct sluice_image *image,
                                      unsigned vid, struct sluice_update_report *report,
                                      struct sluice_error *error) {
  struct sluice_plan *next;
  if (report) *report = (struct sluice_update_report){.flipped = false};
  CHIP_TRY(chip_settle(chip, error));
  CHIP_TRY(sluice_plan_copy(&next, chip->plan, error));
  enum sluice_status status = sluice_plan_update(next, image, vid, error);
  if (!status) status = sluice_chip_update_plan(chip, next, report, error);
  sluice_plan_close(next);
  return status;
}

bool sluice_chip_bank(const struct sluice_chip *chip, unsigned vid, unsigned *bank) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  if (!m || chip->config->Banks != 2) return false;
  *bank = chip->bank >> m->row & 1;
  return true;
}

// ---- entries that no plan has -------------------------------------------------------------------

enum sluice_status sluice_chip_active_settle(struct sluice_chip *chip, struct sluice_error *error) {
  return chip_settle(chip, error);
}

enum sluice_status sluice_chip_active_flip(struct sluice_chip *chip, unsigned vid, bool *flipped,
                                           uint32_t *drain_cycles, struct sluice_error *error) {
  uint32_t start, now;
  *flipped = false;
  CHIP_TRY(chip_settle(chip, error));
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  if (!m)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u", vid);
  if (chip->config->Banks != 2)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "chip '%s' has one configuration bank: there is nothing to flip to",
                       chip->config->name);
  // Should the flip go without an answer, both plans are this one.
  struct sluice_plan *same;
  CHIP_TRY(sluice_plan_copy(&same, chip->plan, error));
  const enum chip_flip done = chip_flip(chip, UINT32_C(1) << m->row, NULL, error);
  if (done == CHIP_FLIP_UNKNOWN) {
    chip->pending = same;
    chip->pending_rows = UINT32_C(1) << m->row;
    return SLUICE_ERR_IO;
  }
  sluice_plan_close(same);
  if (done == CHIP_FLIP_NOT) return SLUICE_ERR_IO;
  *flipped = true;
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, CYCLES), &start, error));
  CHIP_TRY(drain(chip, error));
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, CYCLES), &now, error));
  if (drain_cycles) *drain_cycles = now - start;
  return SLUICE_OK;
}

// ---- another client's chip ----------------------------------------------------------------------

// Whether packets find what a plan says.
static enum sluice_status is_seen(struct sluice_chip *chip, const struct sluice_plan *plan,
                                  bool *seen, struct sluice_error *first,
                                  struct sluice_error *error) {
  const struct chip_expect expect = {.plan = plan, .seen_alone = true};
  uint32_t sets;
  unsigned wrong = 0;
  *seen = false;
  if (plan->config != chip->config) {
    (void)sluice_fail(first, SLUICE_ERR_FOREIGN, "the plan is for chip '%s'", plan->config->name);
    return SLUICE_OK;
  }
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, SETS), &sets, error));
  if (sets != sluice_plan_sets_log2(plan)) {
    (void)sluice_fail(first, SLUICE_ERR_DIFFERS, "CHIP.SETS is %u", sets);
    return SLUICE_OK;
  }
  CHIP_TRY(chip_compare(chip, &expect, chip->config->NumPipes, false, &wrong, first, error));
  *seen = wrong == 0;
  return SLUICE_OK;
}

enum sluice_status sluice_chip_adopt(struct sluice_chip *chip,
                                     const struct sluice_plan *const *plans, unsigned num,
                                     unsigned *which, struct sluice_error *error) {
  struct sluice_error first = {"there is none"}, other;
  struct sluice_plan *copy;
  bool seen = false;
  unsigned n = 0;
  CHIP_TRY(chip_cut_closed(chip, error));
  if (chip->config->Banks == 2) CHIP_TRY(read_bank(chip, &chip->bank, error));
  CHIP_TRY(chip_groups_adopt(chip, error));
  for (; n < num && !seen; n++)
    CHIP_TRY(is_seen(chip, plans[n], &seen, n ? &other : &first, error));
  if (!seen)
    return sluice_fail(error, SLUICE_ERR_DIFFERS,
                       "packets find none of the %u plans; of the first: %.250s", num, first.text);
  CHIP_TRY(sluice_plan_copy(&copy, plans[n - 1], error));
  sluice_plan_settle(copy);
  // Rows of a version that is not there any more, or not yet, are no groups either.
  for (unsigned i = 0; i < num; i++) chip_groups_drop(chip, plans[i]);
  (void)chip_groups_beside(chip, copy, NULL);
  take_plan(chip, copy);
  sluice_plan_close(chip->pending);
  chip->pending = NULL;
  sluice_changes_release(&chip->left);
  chip->left.alloc = chip->alloc;
  if (which) *which = n - 1;
  chip->counts_known = false;
  chip->was_reset = false;
  chip->unsure = true;
  chip->undrained = chip_all_rows(chip);
  CHIP_TRY(sluice_chip_write(chip, CHIP_REG(CHIP, 0, BITMAP), chip->bitmap, error));
  if (chip->config->Banks == 2) return chip_settle(chip, error);
  return chip_run(chip, &(struct chip_expect){.plan = chip->plan}, NULL, 0, error);
}
