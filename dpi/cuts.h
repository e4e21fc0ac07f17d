// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_CUTS_H
#define SLUICE_DPI_CUTS_H

#include <jansson.h>

#include "run.h"

/// Cuts (docs/marks.md, Cuts): what the harness does beside its transport (monitored.h), and the
/// cuts of a job (`cuts`, job.h).

/// Writes CHIP.CUT, with the monitors told. No FILL is on its way then: the reference has filled
/// when it was sent.
enum sluice_status cuts_write(struct run *run, uint32_t value, struct sluice_error *error);
/// Tells the monitors of a register that was read by an access that began at `begin`: of those that
/// say something of cuts.
void cuts_read(struct run *run, uint64_t begin, uint32_t addr, uint32_t value);
/// Sends a READ of CUT; its answer says whether it is a good one. Compares the answer.
enum sluice_status cuts_ask(struct run *run, const uint8_t *bytes, size_t len,
                            struct sluice_error *error);
void cuts_answered(struct run *run);

/// Carries out the cuts of the job that are due; `all`: whenever they are. Ends early, without an
/// error, when the checker has found a difference.
enum sluice_status cuts_turn(struct run *run, bool all);
bool cuts_done(const struct run *run);
/// Ends a cut of the job, so that indices can come home.
enum sluice_status cuts_end(struct run *run);
/// Takes a cut of all modules, which stays; one of the job ends. `there`: it can be read.
enum sluice_status cuts_whole(struct run *run, bool *there);

/// For the report; NULL in a chip without cuts.
json_t *cuts_json(const struct run *run, const struct sluice_report *report);

#endif
