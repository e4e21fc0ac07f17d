// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/chip.h>
#include <sluice/cut.h>
#include <sluice/param.h>
#include <sluice/table.h>

#include "../driver/image/image.h"
#include "counters.h"
#include "source.h"

/// One dialogue of a reaction with a chip, without the process that runs the body: what is read,
/// and what becomes of what it has set.
///
///     status = sluice_chip_cut_begin(chip, &vid, 1, &ticket, &error);
///     status = reaction_read(chip, vid, r, words, &error);
///     status = sluice_chip_cut_end(chip, &error);
///     status = reaction_read_counts(chip, vid, image, r, &counted, words, &error);
///     ... the body: words in, effects out ...
///     status = reaction_settings(image, plan, vid, &effects, settings, &num, &error);
///     status = reaction_changes(image, plan, vid, &effects, changes, lines, &num_changes, &error);
///     if (num || num_changes) status = sluice_chip_transact(chip, ...);

/// What a body has set, at most one entry a malleable, and done to tables. `param` counts the
/// malleables of the image; `changes` may be one more than there can be (source.h).
struct reaction_effects {
  unsigned num, num_changes;
  struct reaction_effect {
    unsigned param, line;
    int64_t value;
  } list[REACTION_MAX_PARAMS];
  int64_t changes[REACTION_MAX_CHANGES + 1][REACTION_CHANGE_WORDS];
};

/// Words of the arguments.
unsigned reaction_num_words(const struct sluice_reaction *r);
/// Whether some of them are of a cut: registers and counters of tables are not.
bool reaction_has_arrays(const struct sluice_reaction *r);
/// Whether something must be unchanged; on a chip with guarded flips the next cut begins to watch
/// it.
bool reaction_has_unchanged(const struct sluice_reaction *r);
SLUICE_MUST_CHECK enum sluice_status reaction_guard(struct sluice_chip *chip, unsigned vid,
                                                    const struct sluice_reaction *r,
                                                    struct sluice_error *error);
/// Reads them out of the cut that is there, which the module is in; registers as they are now.
SLUICE_MUST_CHECK enum sluice_status reaction_read(struct sluice_chip *chip, unsigned vid,
                                                   const struct sluice_reaction *r, int32_t *words,
                                                   struct sluice_error *error);
/// Reads counters of tables, the other arguments, behind the cut. `r` is one of the image.
SLUICE_MUST_CHECK enum sluice_status reaction_read_counts(struct sluice_chip *chip, unsigned vid,
                                                          const struct sluice_image *image,
                                                          const struct sluice_reaction *r,
                                                          struct reaction_counted *counted,
                                                          int32_t *words,
                                                          struct sluice_error *error);
/// Values that the malleables of the image have in a plan. SLUICE_ERR_DIFFERS: the module has
/// others than the image.
SLUICE_MUST_CHECK enum sluice_status reaction_values(const struct sluice_image *image,
                                                     const struct sluice_plan *plan, unsigned vid,
                                                     int32_t values[REACTION_MAX_PARAMS],
                                                     struct sluice_error *error);
/// The effects that change something, as settings of one transaction. Their names live as long as
/// the image. SLUICE_ERR_RANGE: a value is out of its malleable's range; then there is no
/// transaction. SLUICE_ERR_FORMAT: no such malleable.
SLUICE_MUST_CHECK enum sluice_status reaction_settings(
    const struct sluice_image *image, const struct sluice_plan *plan, unsigned vid,
    const struct reaction_effects *effects, struct sluice_setting settings[REACTION_MAX_PARAMS],
    unsigned *num, struct sluice_error *error);
/// What it does to tables that is not so already, in its order, and the line of each. Names live as
/// long as the image. SLUICE_ERR_FULL: more changes than there can be; SLUICE_ERR_FORMAT: no such
/// table.
SLUICE_MUST_CHECK enum sluice_status reaction_changes(
    const struct sluice_image *image, const struct sluice_plan *plan, unsigned vid,
    const struct reaction_effects *effects,
    struct sluice_table_change changes[REACTION_MAX_CHANGES], unsigned lines[REACTION_MAX_CHANGES],
    unsigned *num, struct sluice_error *error);
/// *unchanged: whether the arguments that must be so are what they were in `words`. Another cut is
/// there; `again` is room for as many words.
SLUICE_MUST_CHECK enum sluice_status reaction_unchanged(struct sluice_chip *chip, unsigned vid,
                                                        const struct sluice_reaction *r,
                                                        const int32_t *words, int32_t *again,
                                                        bool *unchanged,
                                                        struct sluice_error *error);
