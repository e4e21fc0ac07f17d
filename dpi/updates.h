// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_UPDATES_H
#define SLUICE_DPI_UPDATES_H

#include <jansson.h>

#include "run.h"

/// Updates of modules under traffic, as the job has them (job.h): the idle bank is written and read
/// back, a write of CHIP.BANK makes it the one that packets take, and when the last packet of the
/// old one has left, its rows are taken out of use.

/// Opens the frames of the updates. Does nothing without any.
enum sluice_status updates_open(struct run *run);
void updates_close(struct run *run);

/// Carries out the updates that are due; `all`: whenever they are. Packets are played meanwhile.
/// Ends early, without an error, when the checker has found a difference.
enum sluice_status updates_turn(struct run *run, bool all);
bool updates_done(const struct run *run);

/// For the report; NULL in a chip with one bank.
json_t *updates_json(const struct run *run, const struct sluice_report *report);

#endif
