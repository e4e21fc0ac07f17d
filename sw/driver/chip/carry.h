// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chip.h"

/// What becomes of a module's state and entries when another version comes in its place.
///
///     status = sluice_carry_look(&carry, chip->plan, next, NULL, NULL, error);  // nothing is sent
///     ... if (carry.num_lost) ... tell them: sluice_carry_say ...
///     status = sluice_carry_take(&carry, chip, error);                  // reads what moves
///     status = sluice_chip_update_plan(chip, next, &report, error);     // or sluice_chip_apply
///     status = sluice_carry_give(&carry, chip, error);                  // writes it in its new
///     place sluice_carry_release(&carry);
///
/// Between take and give no packet of these modules may come: it would change what is on its way.
enum sluice_fate {
  SLUICE_STAYS,  // where it is, with its contents
  SLUICE_MOVES,  // to another stage or other slots: its contents are copied
  SLUICE_LOST    // `why` says why
};
struct sluice_carried {
  unsigned vid;
  char name[SLUICE_NAME_LEN];  // of an array, or of a table whose entries are lost
  enum sluice_fate fate;
  const char *why;
  unsigned range, words;  // words: of a row; 0: entries
  uint32_t *values;
};
struct sluice_carry {
  struct sluice_carried *list;
  unsigned num, num_moves, num_lost;
};

/// The image of the module of a VLAN in `from`, which says what entries of its tables came with its
/// text; NULL: not known.
typedef const struct sluice_image *sluice_carry_image(void *user, unsigned vid);
/// Of all modules that both plans have. SLUICE_ERR_NOMEM.
SLUICE_MUST_CHECK enum sluice_status sluice_carry_look(struct sluice_carry *carry,
                                                       const struct sluice_plan *from,
                                                       const struct sluice_plan *to,
                                                       sluice_carry_image *image_of, void *user,
                                                       struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_carry_take(struct sluice_carry *carry,
                                                       struct sluice_chip *chip,
                                                       struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_carry_give(const struct sluice_carry *carry,
                                                       struct sluice_chip *chip,
                                                       struct sluice_error *error);
/// "'sum' of VLAN 5 (the new version has no such array), ..." of what is lost.
void sluice_carry_say(const struct sluice_carry *carry, char *text, size_t size);
/// A zeroed one is allowed.
void sluice_carry_release(struct sluice_carry *carry);
