// SPDX-License-Identifier: Apache-2.0
// Menshen's procedure: drop the packets of the modules that change, wait until none of them is
// inside, send, count what arrived, read back, send again what is not there, let the packets in
// again.
#include <stdio.h>
#include <string.h>

#include "../image/capability.h"
#include "chip.h"
#include "../plan/link.h"
#include "../plan/port_rows.h"
#include "../wire/pack.h"

static enum sluice_status put_bitmap(struct sluice_chip *chip, struct sluice_error *error) {
  return chip->to->ops->csr_write(chip->to->self, CHIP_REG(CHIP, 0, BITMAP),
                                  chip->bitmap | chip->held, error);
}

// The chip counts what is inside, not whose it is: while others keep it busy, time must do.
static enum sluice_status drain(struct sluice_chip *chip, bool empty, struct sluice_error *error) {
  uint32_t start, now, inside = 0;
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, CYCLES), &start, error));
  for (;;) {
    CHIP_TRY(chip->to->ops->wait(chip->to->self, CHIP_FILTER_CYCLES, error));
    CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, INSIDE), &inside, error));
    if (!inside) return SLUICE_OK;
    CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, CYCLES), &now, error));
    if (now - start < chip->options.drain_cycles) continue;
    if (!empty) return SLUICE_OK;
    return sluice_fail(error, SLUICE_ERR_IO, "%u packets stay inside the chip", inside);
  }
}

enum sluice_status chip_hold(struct sluice_chip *chip, uint32_t rows, bool empty,
                             struct sluice_error *error) {
  chip->held |= rows;
  CHIP_TRY(put_bitmap(chip, error));
  return drain(chip, empty, error);
}

enum sluice_status chip_let_go(struct sluice_chip *chip, uint32_t rows,
                               struct sluice_error *error) {
  chip->held &= ~rows;
  return put_bitmap(chip, error);
}

static enum sluice_status put_sets(struct sluice_chip *chip, uint32_t value,
                                   struct sluice_error *error) {
  const uint32_t rows = chip_all_rows(chip);
  uint32_t now;
  CHIP_TRY(chip_recall(chip, rows, error));
  CHIP_TRY(chip->to->ops->csr_write(chip->to->self, CHIP_REG(CHIP, 0, SETS), value, error));
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, SETS), &now, error));
  CHIP_TRY(chip_move_again(chip, rows, error));
  if (now == value) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_DIFFERS,
                     "CHIP.SETS is %u, though %u was written: is something inside?", now, value);
}

static enum sluice_status execute(struct sluice_chip *chip, const struct sluice_plan *plan,
                                  const struct sluice_changes *changes,
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
        CHIP_TRY(chip_run_steps(chip, plan, c, n, NULL, error));
        break;
    }
  }
  return SLUICE_OK;
}

enum sluice_status chip_restore(struct sluice_chip *chip, struct sluice_error *error) {
  struct sluice_changes all;
  CHIP_TRY(chip_ready(chip, error));
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, RECONFIG_COUNT), &chip->counted, error));
  CHIP_TRY(sluice_plan_diff(NULL, chip->plan, &all, error));
  sluice_plan_close(chip->pending);
  chip->pending = NULL;
  chip->bank = chip->undrained = 0;
  sluice_changes_release(&chip->left);
  chip->left.alloc = chip->alloc;
  chip->was_reset = false;
  chip->unsure = true;
  chip->watch_known = false;
  chip_counts_reset(chip);
  enum sluice_status status = put_bitmap(chip, error);
  if (!status) status = chip_groups_restore(chip, error);  // before the modules that send there
  if (!status) status = execute(chip, chip->plan, &all, error);
  if (status) chip->was_reset = true;
  sluice_changes_release(&all);
  return status;
}

// Takes `next` over, on the chip and in the handle; frees it otherwise.
static enum sluice_status go_to(struct sluice_chip *chip, struct sluice_plan *next,
                                struct sluice_error *error) {
  struct sluice_changes there, back = {0};
  struct sluice_error why = {""}, more = {""};
  enum sluice_status status = chip_settle(chip, error);
  sluice_plan_settle(next);
  if (!status) status = chip_groups_beside(chip, next, error);
  if (status) {
    sluice_plan_close(next);
    return status;
  }
  status = sluice_plan_diff(chip->plan, next, &there, error);
  // The way back is made before the first step: when memory runs out later, nothing can be stuck in
  // between.
  if (!status && (status = sluice_plan_diff(next, chip->plan, &back, error)))
    sluice_changes_release(&there);
  if (status) {
    sluice_plan_close(next);
    return status;
  }
  status = execute(chip, next, &there, &why);
  if (!status) {
    sluice_plan_close(chip->plan);
    chip->plan = next;
  } else if (chip->was_reset) {
    if (chip_restore(chip, &more))
      (void)sluice_fail(error, status, "%.180s; loading all anew failed: %.180s", why.text,
                        more.text);
    else
      (void)sluice_fail(error, status,
                        "%.200s; all modules, as they were before, were loaded anew, their state "
                        "has its initial values",
                        why.text);
    sluice_plan_close(next);
  } else {
    const uint32_t blocked = back.num ? back.list[0].rows : 0;
    chip->unsure = true;
    const bool good = execute(chip, chip->plan, &back, &more) == SLUICE_OK;
    if (good)
      (void)sluice_fail(
          error, status,
          "%.200s; the chip is as before, state of modules that change at its initial values",
          why.text);
    else
      (void)sluice_fail(error, status, "%.160s; going back failed, rows %08x stay blocked: %.140s",
                        why.text, blocked, more.text);
    sluice_plan_close(next);
  }
  sluice_changes_release(&there);
  sluice_changes_release(&back);
  return status;
}

enum sluice_status sluice_chip_apply(struct sluice_chip *chip, const struct sluice_plan *plan,
                                     struct sluice_error *error) {
  struct sluice_plan *next;
  CHIP_TRY(sluice_plan_copy(&next, plan, error));
  return go_to(chip, next, error);
}

enum what { LOAD, REPLACE, REMOVE };
static enum sluice_status change(struct sluice_chip *chip, enum what what,
                                 const struct sluice_image *image, unsigned vid,
                                 struct sluice_error *error) {
  struct sluice_plan *next;
  CHIP_TRY(chip_settle(chip, error));  // it may find out what the plan is
  CHIP_TRY(sluice_plan_copy(&next, chip->plan, error));
  enum sluice_status status = what == LOAD      ? sluice_plan_add(next, image, vid, error)
                              : what == REPLACE ? sluice_plan_replace(next, image, vid, error)
                                                : sluice_plan_remove(next, vid, error);
  if (!status) return go_to(chip, next, error);
  sluice_plan_close(next);
  return status;
}

enum sluice_status sluice_chip_load(struct sluice_chip *chip, const struct sluice_image *image,
                                    unsigned vid, struct sluice_error *error) {
  return change(chip, LOAD, image, vid, error);
}
enum sluice_status sluice_chip_replace(struct sluice_chip *chip, const struct sluice_image *image,
                                       unsigned vid, struct sluice_error *error) {
  return change(chip, REPLACE, image, vid, error);
}
enum sluice_status sluice_chip_remove(struct sluice_chip *chip, unsigned vid,
                                      struct sluice_error *error) {
  return change(chip, REMOVE, NULL, vid, error);
}

// ---- single entries -----------------------------------------------------------------------------

static enum sluice_status find_table(const char *name, size_t len, enum sluice_table *table,
                                     struct sluice_error *error) {
  const int number = sluice_table_named(name);
  if (number < 0) return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no table is called '%s'", name);
  *table = (enum sluice_table)number;
  if (len != sluice_table_bytes(*table))
    return sluice_fail(error, SLUICE_ERR_RANGE, "an entry of %s has %u bytes, not %zu",
                       sluice_tables[number].name, sluice_table_bytes(*table), len);
  return SLUICE_OK;
}

enum sluice_status sluice_chip_entry_write(struct sluice_chip *chip, unsigned vid,
                                           const char *table, unsigned stage, unsigned index,
                                           const uint8_t *bytes, size_t len,
                                           struct sluice_error *error) {
  enum sluice_table number;
  struct sluice_plan *next;
  CHIP_TRY(find_table(table, len, &number, error));
  CHIP_TRY(chip_settle(chip, error));
  CHIP_TRY(sluice_plan_copy(&next, chip->plan, error));
  const enum sluice_status status =
      sluice_plan_entry_set(next, vid, number, stage, index, bytes, error);
  if (!status) return go_to(chip, next, error);
  sluice_plan_close(next);
  return status;
}

enum sluice_status sluice_chip_entry_read(struct sluice_chip *chip, unsigned vid, const char *table,
                                          unsigned stage, unsigned index, uint8_t *bytes,
                                          size_t len, struct sluice_error *error) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  enum sluice_table number;
  struct sluice_reconfig answer;
  CHIP_TRY(find_table(table, len, &number, error));
  if (!m)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u", vid);
  if (sluice_table_is_contents(number) || sluice_table_is_shared(number))
    return sluice_fail(error, SLUICE_ERR_RANGE, "%s is not a table of entries of a module",
                       sluice_tables[number].name);
  if (!sluice_table_in_stage(number, stage, chip->config))
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED, "chip '%s' has no %s in stage %u",
                       chip->config->name, sluice_tables[number].name, stage);
  const bool rows = sluice_by_match_row(number), ports = number == SLUICE_TABLE_PORT_MASK,
             banks = sluice_tables[number].rows == SLUICE_ROWS_overlay;
  unsigned at = banks ? chip_bank_row(chip, m->row) : m->row;
  if (ports) at = sluice_port_row(chip->plan, m->row, index);
  if (ports ? at == SLUICE_NO_ROW : index >= (rows ? m->num_rows[stage] : 1))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "%s of stage %u: the module of VLAN %u has no entry %u",
                       sluice_tables[number].name, stage, vid, index);
  if (rows) at = sluice_plan_row(chip->plan, m->row, stage, index);
  const struct chip_query q = {number, stage, at, 1, 0, 0};
  CHIP_TRY(chip_query(chip, &q, &answer, error));
  memcpy(bytes, sluice_reconfig_entry(&answer, 0), len);
  return SLUICE_OK;
}

// ---- by hand ------------------------------------------------------------------------------------

static enum sluice_status row_bit(const struct sluice_chip *chip, unsigned vid, uint32_t *bit,
                                  struct sluice_error *error) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  if (!m)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u", vid);
  *bit = UINT32_C(1) << m->row;
  return SLUICE_OK;
}

enum sluice_status sluice_chip_block(struct sluice_chip *chip, unsigned vid,
                                     struct sluice_error *error) {
  uint32_t bit = 0;
  CHIP_TRY(row_bit(chip, vid, &bit, error));
  chip->bitmap |= bit;
  CHIP_TRY(put_bitmap(chip, error));
  return drain(chip, false, error);
}

enum sluice_status sluice_chip_unblock(struct sluice_chip *chip, unsigned vid,
                                       struct sluice_error *error) {
  uint32_t bit = 0;
  CHIP_TRY(row_bit(chip, vid, &bit, error));
  chip->bitmap &= ~bit;
  return put_bitmap(chip, error);
}
