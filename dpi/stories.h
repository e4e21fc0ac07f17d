// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_STORIES_H
#define SLUICE_DPI_STORIES_H

#include "run.h"

/// The stories of the packets that the job names (job.told), as they happen: values from the
/// reference, cycles from the monitors. A line of JSON for each packet when its story ends, so not
/// in the order of numbers. Containers, rows and slots have no source names here; the command adds
/// them (sw/cli/story.h). A packet that goes through the chip again has a line for each pass, with
/// the same number. Cycles count from the start of the capture. Without such a job nothing
/// here is called.
struct stories;

/// Instead of a file: `take` gets each story as a text when it ends. Nothing is told until
/// stories_tell says of which packets.
enum sluice_status stories_open_served(struct run *run,
                                       void (*take)(void *user, const char *story, size_t len),
                                       void *user);
/// The packets with these numbers, first <= last, and no others from now on.
void stories_tell(struct run *run, uint64_t first, uint64_t last);
/// The monitors are new ones (a reset): stories that were under way end without an end.
void stories_again(struct run *run);
/// Opens the file of the job and watches. SLUICE_ERR_IO, SLUICE_ERR_NOMEM.
enum sluice_status stories_open(struct run *run);
/// Writes what is left and closes; NULL is allowed. SLUICE_ERR_IO: not all could be written.
enum sluice_status stories_close(struct run *run, struct sluice_error *error);

#endif
