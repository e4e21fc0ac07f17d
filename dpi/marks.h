// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_MARKS_H
#define SLUICE_DPI_MARKS_H

#include <jansson.h>

#include "run.h"

/// Control packets while packets are played, as the job has them (`marks_capture`, job.h): mostly
/// reads, writes and takes of state, which the checker compares at their places in the order of
/// packets (docs/marks.md).

/// Opens the capture. Does nothing without one.
enum sluice_status marks_open(struct run *run);
void marks_close(struct run *run);

/// Sends the packets that are due, and takes the answers of READs; `all`: whenever they are. Ends
/// early, without an error, when the checker has found a difference.
enum sluice_status marks_turn(struct run *run, bool all);
bool marks_done(const struct run *run);

/// For the report; NULL in a chip without marks.
json_t *marks_json(const struct run *run, const struct sluice_report *report);

#endif
