// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <sluice/cut.h>

/// All arrays of modules at one ticket, as JSON: a cut is taken, read and ended. `num` 0: of all
/// modules. `answer` gets
///
///     "ticket": 1000, "modules": [{"vid": 5, "program": "f", "arrays": [{"name": "count", "stage":
///     0, "values": [17, 3]}]}]
///
/// Fails as sluice_chip_cut_begin and _read do; NOMEM: memory ran out for the answer.
SLUICE_MUST_CHECK enum sluice_status live_cut(struct sluice_chip *chip, const unsigned *vids,
                                              unsigned num, json_t *answer,
                                              struct sluice_error *error);
