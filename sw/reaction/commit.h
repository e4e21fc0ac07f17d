// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dialogue.h"
#include "meter.h"

/// What a body wants, as one transaction of the chip: malleables and tables, all by one flip.
///
///     status = reaction_process_run(p, fate, values, words, &commit->effects, &error);
///     status = reaction_commit(commit, &on, &done, &error);
///     if (done.changed) ... packets see it; if (done.refused) ... nothing is set
struct reaction_commit {
  struct reaction_effects effects;
  struct sluice_setting settings[REACTION_MAX_PARAMS];
  struct sluice_table_change changes[REACTION_MAX_CHANGES];
  unsigned lines[REACTION_MAX_CHANGES];
};
/// Of which module and which run.
struct reaction_committed_of {
  struct sluice_chip *chip;
  struct reaction_meter *meter;
  const struct sluice_image *image;
  const struct sluice_reaction *r;
  unsigned vid;
  const int32_t *words;  // what the body has read
  int32_t *again;        // room for as many
  uint32_t since;        // ticket of the cut of these words
};
struct reaction_committed {
  bool changed,
      refused;       // refused: what must be unchanged was not. Neither: nothing was to be done
  bool guarded;      // comparison and flip were one step
  unsigned entries;  // changes of tables
  uint32_t check;    // cycles of the second reading
};
/// SLUICE_OK also when it is refused. Anything else: nothing of the run is set, unless the text
/// says that the new version runs.
SLUICE_MUST_CHECK enum sluice_status reaction_commit(struct reaction_commit *commit,
                                                     const struct reaction_committed_of *of,
                                                     struct reaction_committed *done,
                                                     struct sluice_error *error);
