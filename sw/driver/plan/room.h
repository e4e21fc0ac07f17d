// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan.h"

/// Room for a module beside what a plan holds and, while updates are under way, beside what it held
/// before them (plan.h, `before`): old versions keep their rows and slots until their last packet
/// has left. SLUICE_ERR_FULL names what ran out, how much is wanted and how much is free.
enum { SLUICE_MATCH_MOST = 1024 };  // MatchEntries is at most this (configs.def)

/// Rows of ACTION that a stage may have (configs.def).
enum { SLUICE_ROWS_MOST = SLUICE_MATCH_MOST + 65536 };

/// How many match rows an image has in each stage, or where it has a table rows behind those.
/// Refuses what the chip cannot do.
enum sluice_status sluice_room_count(const struct sluice_plan *plan,
                                     const struct sluice_image *image,
                                     unsigned num_rows[SLUICE_MAX_STAGES],
                                     struct sluice_error *error);
/// The lowest rows side by side for placed->num_rows, in each stage; first[stage] is the first of
/// them.
enum sluice_status sluice_room_rows(const struct sluice_plan *plan,
                                    const struct sluice_placed *placed,
                                    unsigned first[SLUICE_MAX_STAGES], struct sluice_error *error);
/// Rows *low up to *high are for modules without a table in a stage, or for those with one.
void sluice_room_range(const struct sluice_config *config, bool table, unsigned *low,
                       unsigned *high);
/// Which rows of a stage are taken; returns how many of that range are free.
unsigned sluice_room_taken(const struct sluice_plan *plan, unsigned stage, bool table,
                           bool taken[SLUICE_ROWS_MOST]);
/// Slots for an array; fills all of `segment`.
enum sluice_status sluice_room_slots(const struct sluice_plan *plan,
                                     const struct sluice_placed *placed,
                                     const struct sluice_array *array,
                                     struct sluice_segment *segment, struct sluice_error *error);
/// Whether two segments have a slot in common.
bool sluice_room_overlap(const struct sluice_segment *a, const struct sluice_segment *b);
