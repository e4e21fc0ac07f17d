// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan.h"

/// The way from one plan to another through the idle bank (docs/banks.md), as two lists of changes
/// with a flip between them. Pure: nothing is sent.
///
/// At rest both banks hold the same and all match rows are for both, so a plan does not say which
/// bank packets take. Example: VLAN 5 takes bank 0; its new version has another ACTION in one row
/// and another PARSER entry.
///
///     before   PARSER [32 + 5]; ACTION [9]; MATCH [9], not for bank 0; MATCH [4], not for bank 1
///     flip     bit 5 of CHIP.BANK
///     drain    until bit 5 of CHIP.INSIDE_BANK0 is 0
///     after    MATCH [4] erased; PARSER [5]; ACTION [4] as after reset; MATCH [9] for both banks
///
/// **Invariant.** After any number of changes of `before`, packets of the old banks find in every
/// table what `from` says. After all of them packets of the new banks find what `to` says, and go
/// on to after any number of changes of `after`.
struct sluice_transition {
  uint32_t rows;                        // overlay rows that flip
  struct sluice_changes before, after;  // WRITE, ERASE, FILL; absolute rows
  // Match rows of these modules: new, in both versions, of the old one alone
  unsigned written, shared, freed;
  unsigned kept, filled;  // arrays
};

/// `bank`: what CHIP.BANK is. SLUICE_ERR_RANGE: it cannot be done so, and why: another division
/// into sets, a match row or slots that both plans use for different things (sluice_plan_update
/// makes none of these).
enum sluice_status sluice_transition(const struct sluice_plan *from, const struct sluice_plan *to,
                                     uint32_t bank, struct sluice_transition *transition,
                                     struct sluice_error *error) SLUICE_MUST_CHECK;
/// What takes `before` back, when any part of it may have been done.
enum sluice_status sluice_transition_back(const struct sluice_transition *transition,
                                          struct sluice_changes *back,
                                          struct sluice_error *error) SLUICE_MUST_CHECK;
void sluice_transition_release(struct sluice_transition *transition);
