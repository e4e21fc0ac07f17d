// SPDX-License-Identifier: Apache-2.0
// Malleables and tables in one update: both change a copy of the plan, and the chip follows it.
#include <sluice/transaction.h>

#include "chip.h"
#include "../plan/table_plan.h"

static enum sluice_status change(struct sluice_plan *next, const struct sluice_transaction *t,
                                 unsigned *refused, struct sluice_error *error) {
  struct sluice_table_done done;
  *refused = t->num_changes;
  if (t->num_settings) CHIP_TRY(sluice_plan_set_params(next, t->settings, t->num_settings, error));
  for (unsigned i = 0; i < t->num_changes; i++) {
    *refused = i;
    CHIP_TRY(sluice_plan_table_do(next, &t->changes[i], false, &done, error));
  }
  *refused = t->num_changes;
  return SLUICE_OK;
}

static enum sluice_status transact(struct sluice_chip *chip, const struct sluice_transaction *t,
                                   unsigned *refused, struct sluice_update_report *report,
                                   struct sluice_error *error) {
  struct sluice_plan *next;
  CHIP_TRY(chip_settle(chip, error));
  CHIP_TRY(sluice_plan_copy(&next, chip->plan, error));
  const enum sluice_status status = change(next, t, refused, error);
  if (!status) return chip_update_to(chip, next, report, error);
  sluice_plan_close(next);
  return status;
}

enum sluice_status sluice_chip_transact(struct sluice_chip *chip,
                                        const struct sluice_transaction *t, unsigned *refused,
                                        struct sluice_update_report *report,
                                        struct sluice_error *error) {
  struct sluice_update_report unwanted;
  unsigned nobody;
  if (!refused) refused = &nobody;
  if (!report) report = &unwanted;
  *report = (struct sluice_update_report){.flipped = false};
  *refused = t->num_changes;
  if (chip->config->Banks != 2)
    return sluice_fail(
        error, SLUICE_ERR_UNSUPPORTED,
        "chip '%s' has one configuration bank: tables and malleables cannot change at one moment",
        chip->config->name);
  chip->only_params = true;
  chip->untimed = report == &unwanted;
  chip->check = t->check;
  chip->check_user = t->user;
  chip->guard = t->guard && chip->config->FlipGuard;
  chip->guard_since = t->since;
  const enum sluice_status status = transact(chip, t, refused, report, error);
  chip->only_params = chip->untimed = false;
  chip->check = NULL;
  chip->guard = false;
  return status;
}

// ---- malleables alone ---------------------------------------------------------------------------

// On a chip with one bank.
static enum sluice_status set_params(struct sluice_chip *chip,
                                     const struct sluice_setting *settings, unsigned num,
                                     struct sluice_error *error) {
  struct sluice_plan *next;
  CHIP_TRY(chip_settle(chip, error));
  CHIP_TRY(sluice_plan_copy(&next, chip->plan, error));
  enum sluice_status status = sluice_plan_set_params(next, settings, num, error);
  if (!status) status = sluice_chip_apply(chip, next, error);
  sluice_plan_close(next);
  return status;
}

enum sluice_status sluice_chip_set_params(struct sluice_chip *chip,
                                          const struct sluice_setting *settings, unsigned num,
                                          struct sluice_update_report *report,
                                          struct sluice_error *error) {
  const struct sluice_transaction t = {.settings = settings, .num_settings = num};
  if (chip->config->Banks == 2) return sluice_chip_transact(chip, &t, NULL, report, error);
  if (report) *report = (struct sluice_update_report){.flipped = false};
  return set_params(chip, settings, num, error);
}
