// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_LOOP_H
#define SLUICE_DPI_LOOP_H

#include <jansson.h>

#include "run.h"

/// A run with recirculation: what the monitors see of the passes, and the part of the report. All
/// but loop_json() do nothing in other runs.

/// A pass was admitted: every access must be in its lane's pipeline, or the run has failed.
void loop_admitted(struct run *run, const struct sluice_checker_admitted *admitted);
void loop_sent(struct run *run, const struct sluice_checker_sent *sent);
void loop_dropped(struct run *run, const struct sluice_checker_dropped *dropped);

/// NULL in other runs.
json_t *loop_json(struct run *run);

#endif
