// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSACTION_H
#define SLUICE_TRANSACTION_H

#include <sluice/chip.h>
#include <sluice/cut.h>
#include <sluice/param.h>
#include <sluice/table.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Malleables and entries of tables that change at one moment: one flip, so a packet sees all of it
/// or nothing, and all behind it do so too.
///
///     const struct sluice_setting set = {.vid = 5, .name = "threshold", .value = 350};
///     const struct sluice_table_change block = {
///         .op = SLUICE_TABLE_ADD, .vid = 5, .table = "blocked", .action = "drop",
///         .keys = {{source, ~UINT64_C(0)}}};
///     const struct sluice_transaction t = {.settings = &set, .num_settings = 1,
///                                          .changes = &block, .num_changes = 1};
///     status = sluice_chip_transact(chip, &t, NULL, NULL, &error);
struct sluice_transaction {
  const struct sluice_setting *settings;
  unsigned num_settings;
  const struct sluice_table_change *changes;  // one after the other, behind the settings
  unsigned num_changes;
  /// Asked when all is written and read back, and nothing is seen yet: directly before the flip. It
  /// may read the chip and take cuts, and change nothing. Another status than SLUICE_OK is that of
  /// the call, and all is as before. NULL: nobody is asked.
  enum sluice_status (*check)(void *user, struct sluice_error *error);
  void *user;
  /// A guarded flip, on chips that have it (sluice_chip_info.flip_guard; others do as if `guard`
  /// were false): it happens only if no packet has accessed what sluice_chip_watch says since the
  /// cut `since`, and is one step with that comparison. If one has, `check` is asked, which takes
  /// another cut, and the flip is tried once more, since that one; without `check`, or if it fails
  /// again, the call ends with SLUICE_ERR_DIFFERS, and all is as before. Where something changes
  /// that packets read in front of the order point the flip is a plain one behind `check`; the
  /// report says so.
  bool guard;
  uint32_t since;
};

/// What a guarded flip looks at, from the next cut on: these parts of arrays of back stages, and
/// nothing else; `values` of the parts do not matter. SLUICE_ERR_UNSUPPORTED: the chip has no
/// guarded flips.
///
///     const struct sluice_cut_part level = {.array = "level", .first = 0, .num = 4};
///     uint32_t ticket;
///     status = sluice_chip_watch(chip, 5, &level, 1, &error);
///     status = sluice_chip_cut_begin(chip, &vid, 1, &ticket, &error);
///     ...                                     // read, sluice_chip_cut_end, think
///     const struct sluice_transaction t = {..., .guard = true, .since = ticket};
SLUICE_MUST_CHECK enum sluice_status sluice_chip_watch(struct sluice_chip *chip, unsigned vid,
                                                       const struct sluice_cut_part *parts,
                                                       unsigned num, struct sluice_error *error);

/// All or nothing, on a chip with two configuration banks. What sluice_chip_update says of failures
/// before and after the flip holds. If nothing changes nothing is written, and `check` is not
/// asked. *refused, if not NULL: the change that could not be made, counted from 0; num_changes: it
/// was something else. SLUICE_ERR_UNSUPPORTED: the chip has one bank; others as
/// sluice_chip_set_params and sluice_chip_table_change. A cut that has not quite ended holds
/// nothing up: no state moves.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_transact(struct sluice_chip *chip,
                                                          const struct sluice_transaction *t,
                                                          unsigned *refused,
                                                          struct sluice_update_report *report,
                                                          struct sluice_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
