// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PARAM_H
#define SLUICE_PARAM_H

#include <stdbool.h>
#include <stdint.h>

#include <sluice/plan.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Malleables of loaded modules: values, and choices among fields of the packet, that change while
/// packets flow (docs/banks.md). Several are set in one transaction, also of several modules:
/// one packet sees all the new values, the packet before it all the old ones.
///
///     struct sluice_setting set[] = {{.vid = 5, .name = "threshold", .value = 350},
///                                    {.vid = 5, .name = "key", .choice = "dst"}};
///     status = sluice_chip_set_params(chip, set, 2, NULL, &error);
struct sluice_chip;
struct sluice_update_report;

/// A malleable as it is in a plan. Names live until the plan changes.
struct sluice_param_info {
  const char *name;
  int32_t low, high, value;
  unsigned num_choices;  // 0: a value; else `value` is the number of a choice
};
/// Malleable `n` of a module, in the order of its source. Returns false when there are not so many,
/// or no such module.
bool sluice_plan_param(const struct sluice_plan *plan, unsigned vid, unsigned n,
                       struct sluice_param_info *param);
/// The name of choice `choice` of malleable `n`, or NULL.
const char *sluice_plan_param_choice(const struct sluice_plan *plan, unsigned vid, unsigned n,
                                     unsigned choice);

/// What one malleable shall be: `choice` by name if not NULL, else `value`.
struct sluice_setting {
  unsigned vid;
  const char *name, *choice;
  int64_t value;
};
/// Sets them in a plan: all, or none. Arrays keep slots and contents, entries that were changed by
/// sluice_chip_entry_write stay. With two banks, a module whose action or state instruction holds a
/// malleable gets another match row for it, beside the one that packets take: SLUICE_ERR_FULL if
/// that stage has none free. SLUICE_ERR_NOT_FOUND: no such module or malleable; SLUICE_ERR_RANGE:
/// no such choice, a value out of range, or a choice that would let an untrusted module write what
/// it must not.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_set_params(struct sluice_plan *plan,
                                                            const struct sluice_setting *settings,
                                                            unsigned num,
                                                            struct sluice_error *error);

/// The same on a chip, as a transaction. In a chip with two configuration banks by one flip, as
/// sluice_chip_update does: packets go on, and what it says of failures before and after the flip
/// holds. Only entries that change are written: once before the flip, in the bank that is not in
/// use, and once after it, so that both banks are alike again and the next transaction can begin.
/// In a chip with one bank by Menshen's procedure: the modules' packets are dropped meanwhile, and
/// none sees a mixture. State is not touched by either. If nothing changes nothing is written.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_set_params(struct sluice_chip *chip,
                                                            const struct sluice_setting *settings,
                                                            unsigned num,
                                                            struct sluice_update_report *report,
                                                            struct sluice_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
