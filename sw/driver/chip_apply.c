// SPDX-License-Identifier: Apache-2.0
// Menshen's procedure: drop the packets of the modules that change, wait until none of them is inside, send, count what
// arrived, read back, send again what is not there, let the packets in again.
#include <stdio.h>
#include <string.h>

#include "capability.h"
#include "chip.h"
#include "link.h"
#include "pack.h"

enum { FILTER_CYCLES = 64 };   // from a write of CHIP.BITMAP until a packet that passed the filter counts as inside

static enum sluice_status put_bitmap(struct sluice_chip *chip, struct sluice_error *error) {
  return chip->to->ops->csr_write(chip->to->self, CHIP_REG(CHIP, 0, BITMAP), chip->bitmap | chip->held, error);
}

// The chip counts what is inside, not whose it is: while others keep it busy, time must do.
static enum sluice_status drain(struct sluice_chip *chip, bool empty, struct sluice_error *error) {
  uint32_t start, now, inside = 0;
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, CYCLES), &start, error));
  for (;;) {
    CHIP_TRY(chip->to->ops->wait(chip->to->self, FILTER_CYCLES, error));
    CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, INSIDE), &inside, error));
    if (!inside) return SLUICE_OK;
    CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, CYCLES), &now, error));
    if (now - start < chip->options.drain_cycles) continue;
    if (!empty) return SLUICE_OK;
    return sluice_fail(error, SLUICE_ERR_IO, "%u packets stay inside the chip", inside);
  }
}

enum sluice_status chip_hold(struct sluice_chip *chip, uint32_t rows, bool empty, struct sluice_error *error) {
  chip->held |= rows;
  CHIP_TRY(put_bitmap(chip, error));
  return drain(chip, empty, error);
}

enum sluice_status chip_let_go(struct sluice_chip *chip, uint32_t rows, struct sluice_error *error) {
  chip->held &= ~rows;
  return put_bitmap(chip, error);
}

// ---- the packets of a procedure ------------------------------------------------------------------

struct run {
  struct sluice_chip *chip;
  const struct sluice_plan *plan;      // what the chip shall hold afterwards
  const struct sluice_change *list;    // packets all of them
  size_t num;
  bool *wrong;                         // by change: must be sent again
  bool suspicious;                     // something was lost, damaged, or more than was sent
  struct sluice_error *error;
};

static enum sluice_status out_of_order(struct run *r) {
  return sluice_fail(r->error, SLUICE_ERR_IO, "control packets do not arrive");
}

// Sends the changes [from, to) of which `only` (NULL: all) says so, and waits until they have taken effect.
static enum sluice_status send(struct run *r, size_t from, size_t to, const bool *only) {
  struct chip_counts before;
  unsigned sent = 0;
  bool arrived = true;
  CHIP_TRY(chip_counts(r->chip, &before, r->error));
  for (size_t i = from; i < to;) {
    size_t n = 1;
    if (only && !only[i]) {
      i++;
      continue;
    }
    if (only) while (i + n < to && only[i + n]) n++;
    else n = to - i;
    i += sluice_pack(&r->chip->frame, &r->list[i], n, r->chip->to->frame_max);
    CHIP_TRY(chip_send(r->chip, r->error));
    if (only) r->chip->line.resent++;
    sent++;
  }
  if (sent) CHIP_TRY(chip_arrive(r->chip, &before, sent, &arrived, r->error));
  if (!arrived) r->suspicious = true;
  return SLUICE_OK;
}

// What must not overtake: fills need their segments, match rows their actions, MODULE entries everything.
static unsigned phase(const struct sluice_change *c) {
  if (c->kind == SLUICE_CHANGE_ERASE) return 0;
  if (c->kind == SLUICE_CHANGE_FILL) return 2;
  return c->table == SLUICE_TABLE_MATCH ? 3 : c->table == SLUICE_TABLE_MODULE ? 4 : 1;
}

static enum sluice_status send_all(struct run *r, const bool *only) {
  for (size_t from = 0, to; from < r->num; from = to) {
    for (to = from + 1; to < r->num && phase(&r->list[to]) == phase(&r->list[from]); to++) {
    }
    CHIP_TRY(send(r, from, to, only));
  }
  return SLUICE_OK;
}

// Reads every entry of the run back; *bad counts those that are not as they should be.
static enum sluice_status check_entries(struct run *r, size_t *bad) {
  struct sluice_chip *chip = r->chip;
  struct sluice_reconfig answer;
  uint8_t expected[SLUICE_ENTRY_BYTES];
  *bad = 0;
  for (size_t i = 0; i < r->num; i++) {
    const struct sluice_change *c = &r->list[i];
    r->wrong[i] = false;
    if (c->kind == SLUICE_CHANGE_FILL) continue;
    const enum sluice_table table = (enum sluice_table)c->table;
    const struct chip_query q = {table, c->stage, c->index, 1, 0, 0};
    CHIP_TRY(chip_query(chip, &q, &answer, r->error));
    chip_expected(chip->config, r->plan, table, c->stage, c->index, expected);
    r->wrong[i] = !chip_holds(chip->config, table, sluice_reconfig_entry(&answer, 0), expected);
    *bad += r->wrong[i];
  }
  return SLUICE_OK;
}

static enum sluice_status check_fills(struct run *r, size_t *bad) {
  *bad = 0;
  for (size_t i = 0; i < r->num; i++) {
    const struct sluice_change *c = &r->list[i];
    bool filled = true;
    r->wrong[i] = false;
    for (size_t s = 0; c->kind == SLUICE_CHANGE_FILL && s < r->plan->num_segments; s++) {
      const struct sluice_segment *seg = &r->plan->segments[s];
      if (seg->row == c->row && seg->stage == c->stage)
        CHIP_TRY(chip_filled(r->chip, seg->row, seg->stage, seg->range, c->bytes, &filled, r->error));
    }
    r->wrong[i] = !filled;
    *bad += r->wrong[i];
  }
  return SLUICE_OK;
}

// Counts alone: what is missing cannot be told, so everything is sent again.
static enum sluice_status until_counted(struct run *r) {
  for (unsigned n = 0; n < r->chip->options.tries; n++) {
    r->suspicious = false;
    CHIP_TRY(send_all(r, NULL));
    if (!r->suspicious) return SLUICE_OK;
    r->chip->line.resent += r->num;
  }
  return out_of_order(r);
}

// Once anything was suspicious, a packet may have changed an entry that it was not meant for, or a read-back may have been
// damaged into something else: then all tables must be found right twice, one time after the other.
static enum sluice_status until_read(struct run *r) {
  struct sluice_error first = {""};
  unsigned clean = 0;
  CHIP_TRY(send_all(r, NULL));
  for (unsigned n = 0; n < r->chip->options.tries; n++) {
    const uint64_t unanswered = r->chip->line.unanswered;
    size_t bad = 0;
    unsigned wrong = 0;
    CHIP_TRY(check_entries(r, &bad));
    if (bad) CHIP_TRY(send_all(r, r->wrong));
    if (!bad && (r->suspicious || r->chip->line.unanswered != unanswered)) {
      r->suspicious = true;
      CHIP_TRY(chip_compare(r->chip, r->plan, 1, true, &wrong, &first, r->error));
    }
    if (!bad && !wrong) {
      CHIP_TRY(check_fills(r, &bad));
      if (bad) CHIP_TRY(send_all(r, r->wrong));
    }
    if (r->chip->line.unanswered != unanswered) r->suspicious = true;
    if (bad || wrong) {
      r->suspicious = true;
      clean = 0;
    } else if (!r->suspicious || ++clean == 2) {
      return SLUICE_OK;
    }
  }
  return sluice_fail(r->error, SLUICE_ERR_DIFFERS, "the tables are not as wanted, though written %u times%s%.200s",
                     r->chip->options.tries, first.text[0] ? "; at first: " : "", first.text);
}

// Homes are found when SEGMENT is written, and contents where they live: indices of these modules must be at home.
static uint32_t rows_at_home(const struct sluice_change *list, size_t num) {
  uint32_t rows = 0;
  for (size_t i = 0; i < num; i++) {
    if (list[i].kind == SLUICE_CHANGE_FILL) rows |= UINT32_C(1) << list[i].row;
    else if (list[i].table == SLUICE_TABLE_SEGMENT || list[i].table == SLUICE_TABLE_ACCESS) rows |= UINT32_C(1) << list[i].index;
  }
  return rows;
}

static enum sluice_status send_run(struct sluice_chip *chip, const struct sluice_plan *plan, const struct sluice_change *list,
                                   size_t num, struct sluice_error *error) {
  struct run r = {.chip = chip, .plan = plan, .list = list, .num = num, .suspicious = chip->unsure, .error = error};
  const uint32_t rows = rows_at_home(list, num);
  if (rows) CHIP_TRY(chip_recall(chip, rows, error));
  r.wrong = sluice_zeroed(&chip->alloc, num * sizeof *r.wrong);
  enum sluice_status status = SLUICE_OK;
  if (!r.wrong) status = sluice_no_memory(error);
  else status = chip->options.verify == SLUICE_VERIFY_COUNT && !chip->unsure ? until_counted(&r) : until_read(&r);
  if (!status) chip->unsure = false;
  sluice_resize(&chip->alloc, r.wrong, num * sizeof *r.wrong, 0);
  const enum sluice_status again = rows ? chip_move_again(chip, rows, status ? NULL : error) : SLUICE_OK;
  return status ? status : again;
}

static enum sluice_status put_sets(struct sluice_chip *chip, uint32_t value, struct sluice_error *error) {
  const uint32_t rows = chip_all_rows(chip);
  uint32_t now;
  CHIP_TRY(chip_recall(chip, rows, error));
  CHIP_TRY(chip->to->ops->csr_write(chip->to->self, CHIP_REG(CHIP, 0, SETS), value, error));
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, SETS), &now, error));
  CHIP_TRY(chip_move_again(chip, rows, error));
  if (now == value) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_DIFFERS, "CHIP.SETS is %u, though %u was written: is something inside?", now, value);
}

static enum sluice_status execute(struct sluice_chip *chip, const struct sluice_plan *plan, const struct sluice_changes *changes,
                                  struct sluice_error *error) {
  bool divides = false;
  for (size_t i = 0; i < changes->num; i++) divides |= changes->list[i].kind == SLUICE_CHANGE_SETS;
  for (size_t i = 0, n; i < changes->num; i += n) {
    const struct sluice_change *c = &changes->list[i];
    n = 1;
    switch (c->kind) {
      case SLUICE_CHANGE_BLOCK: CHIP_TRY(chip_hold(chip, c->rows, divides, error)); break;
      case SLUICE_CHANGE_UNBLOCK: CHIP_TRY(chip_let_go(chip, c->rows, error)); break;
      case SLUICE_CHANGE_SETS: CHIP_TRY(put_sets(chip, c->value, error)); break;
      case SLUICE_CHANGE_WRITE:
      case SLUICE_CHANGE_ERASE:
      case SLUICE_CHANGE_FILL:
        while (i + n < changes->num && sluice_change_is_packet(c + n)) n++;
        CHIP_TRY(send_run(chip, plan, c, n, error));
        break;
    }
  }
  return SLUICE_OK;
}

// Takes `next` over, on the chip and in the handle; frees it otherwise.
static enum sluice_status go_to(struct sluice_chip *chip, struct sluice_plan *next, struct sluice_error *error) {
  struct sluice_changes there, back = {0};
  struct sluice_error why = {""}, more = {""};
  enum sluice_status status = sluice_plan_diff(chip->plan, next, &there, error);
  // The way back is made before the first step: when memory runs out later, nothing can be stuck in between.
  if (!status && (status = sluice_plan_diff(next, chip->plan, &back, error))) sluice_changes_release(&there);
  if (status) {
    sluice_plan_close(next);
    return status;
  }
  status = execute(chip, next, &there, &why);
  if (!status) {
    sluice_plan_close(chip->plan);
    chip->plan = next;
  } else {
    const uint32_t blocked = back.num ? back.list[0].rows : 0;
    chip->unsure = true;
    const bool good = execute(chip, chip->plan, &back, &more) == SLUICE_OK;
    if (good) (void)sluice_fail(error, status, "%.200s; the chip is as before, state of modules that change at its initial values", why.text);
    else (void)sluice_fail(error, status, "%.160s; going back failed, rows %08x stay blocked: %.140s", why.text, blocked, more.text);
    sluice_plan_close(next);
  }
  sluice_changes_release(&there);
  sluice_changes_release(&back);
  return status;
}

enum sluice_status sluice_chip_apply(struct sluice_chip *chip, const struct sluice_plan *plan, struct sluice_error *error) {
  struct sluice_plan *next;
  CHIP_TRY(sluice_plan_copy(&next, plan, error));
  return go_to(chip, next, error);
}

enum what { LOAD, REPLACE, REMOVE };
static enum sluice_status change(struct sluice_chip *chip, enum what what, const struct sluice_image *image, unsigned vid,
                                 struct sluice_error *error) {
  struct sluice_plan *next;
  CHIP_TRY(sluice_plan_copy(&next, chip->plan, error));
  enum sluice_status status = what == LOAD      ? sluice_plan_add(next, image, vid, error)
                              : what == REPLACE ? sluice_plan_replace(next, image, vid, error)
                                                : sluice_plan_remove(next, vid, error);
  if (!status) return go_to(chip, next, error);
  sluice_plan_close(next);
  return status;
}

enum sluice_status sluice_chip_load(struct sluice_chip *chip, const struct sluice_image *image, unsigned vid,
                                    struct sluice_error *error) {
  return change(chip, LOAD, image, vid, error);
}
enum sluice_status sluice_chip_replace(struct sluice_chip *chip, const struct sluice_image *image, unsigned vid,
                                       struct sluice_error *error) {
  return change(chip, REPLACE, image, vid, error);
}
enum sluice_status sluice_chip_remove(struct sluice_chip *chip, unsigned vid, struct sluice_error *error) {
  return change(chip, REMOVE, NULL, vid, error);
}

// ---- single entries ------------------------------------------------------------------------------

static enum sluice_status find_table(const char *name, size_t len, enum sluice_table *table, struct sluice_error *error) {
  const int number = sluice_table_named(name);
  if (number < 0) return sluice_fail(error, SLUICE_ERR_RANGE, "no table is called '%s'", name);
  *table = (enum sluice_table)number;
  if (len != sluice_table_bytes(*table))
    return sluice_fail(error, SLUICE_ERR_RANGE, "an entry of %s has %u bytes, not %zu", sluice_tables[number].name,
                       sluice_table_bytes(*table), len);
  return SLUICE_OK;
}

enum sluice_status sluice_chip_entry_write(struct sluice_chip *chip, unsigned vid, const char *table, unsigned stage, unsigned index,
                                           const uint8_t *bytes, size_t len, struct sluice_error *error) {
  enum sluice_table number;
  struct sluice_plan *next;
  CHIP_TRY(find_table(table, len, &number, error));
  CHIP_TRY(sluice_plan_copy(&next, chip->plan, error));
  const enum sluice_status status = sluice_plan_entry_set(next, vid, number, stage, index, bytes, error);
  if (!status) return go_to(chip, next, error);
  sluice_plan_close(next);
  return status;
}

enum sluice_status sluice_chip_entry_read(struct sluice_chip *chip, unsigned vid, const char *table, unsigned stage, unsigned index,
                                          uint8_t *bytes, size_t len, struct sluice_error *error) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  enum sluice_table number;
  struct sluice_reconfig answer;
  CHIP_TRY(find_table(table, len, &number, error));
  if (!m) return sluice_fail(error, SLUICE_ERR_RANGE, "no module on the chip has VLAN id %u", vid);
  if (number == SLUICE_TABLE_STATE || number == SLUICE_TABLE_FILL || number == SLUICE_TABLE_PORT_MASK)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%s is not a table of entries of a module", sluice_tables[number].name);
  if (!sluice_table_in_stage(number, stage, chip->config))
    return sluice_fail(error, SLUICE_ERR_RANGE, "chip '%s' has no %s in stage %u", chip->config->name, sluice_tables[number].name, stage);
  const bool rows = sluice_by_match_row(number);
  if (index >= (rows ? m->num_rows[stage] : 1))
    return sluice_fail(error, SLUICE_ERR_RANGE, "%s of stage %u: the module of VLAN %u has no entry %u", sluice_tables[number].name,
                       stage, vid, index);
  const struct chip_query q = {number, stage, rows ? m->first_row[stage] + index : m->row, 1, 0, 0};
  CHIP_TRY(chip_query(chip, &q, &answer, error));
  memcpy(bytes, sluice_reconfig_entry(&answer, 0), len);
  return SLUICE_OK;
}

// ---- by hand -------------------------------------------------------------------------------------

static enum sluice_status row_bit(const struct sluice_chip *chip, unsigned vid, uint32_t *bit, struct sluice_error *error) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  if (!m) return sluice_fail(error, SLUICE_ERR_RANGE, "no module on the chip has VLAN id %u", vid);
  *bit = UINT32_C(1) << m->row;
  return SLUICE_OK;
}

enum sluice_status sluice_chip_block(struct sluice_chip *chip, unsigned vid, struct sluice_error *error) {
  uint32_t bit = 0;
  CHIP_TRY(row_bit(chip, vid, &bit, error));
  chip->bitmap |= bit;
  CHIP_TRY(put_bitmap(chip, error));
  return drain(chip, false, error);
}

enum sluice_status sluice_chip_unblock(struct sluice_chip *chip, unsigned vid, struct sluice_error *error) {
  uint32_t bit = 0;
  CHIP_TRY(row_bit(chip, vid, &bit, error));
  chip->bitmap &= ~bit;
  return put_bitmap(chip, error);
}
