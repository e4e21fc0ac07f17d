// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_LIVE_VERBS_TABLE_H
#define SLUICE_LIVE_VERBS_TABLE_H

#include <jansson.h>

#include "live.h"

/// The verb "table" (verbs.h, docs/live.md): what tables there are, their entries, and changes.
/// `answer` gets the members; *lost: memory ran out for one of them.
enum sluice_status live_table(struct sluice_chip *chip, const json_t *request, json_t *answer,
                              bool *lost, struct sluice_error *error);

#endif
