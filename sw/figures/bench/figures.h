// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "results.h"

/// Tables that are made of results.

/// One row a run, sorted by figure, series, pattern, parameter and passes. Columns: those five of
/// the plan, and
///
///     throughput, less_constant_latency, verdict, deepest_queue, c1_violating_share, drops, moves,
///     packets, cycles, packets_per_second, slots_used, nothing_there, waiting_for_order,
///     waiting_for_credit, held_paced, held_braked
///
/// A run of the study has the verdict STUDY, or STUCK. Results of other verbs than the plan's are
/// left out.
void figures_results(struct sheet *sheet, const struct results *results);

/// Mode MP5 of the chip beside the published throughput, and what lies between: each column but the
/// published ones has one thing more of the chip; all less constant latency (the published ones: 16
/// cycles, which a lone packet takes there). `published set`: of the trace that is played, `mean`:
/// of ten such traces. `published`: the results of MP5's authors. Without rows if there are none.
void figures_steps(struct sheet *sheet, const struct sheet *all, const struct results *results,
                   const struct sheet *published);

/// What larger payload banks bring under stress, and what they cost. `bits[k][bank]`: of all
/// payload banks of a chip, k 0: four pipelines, 1: eight; bank 0: 8, 1: 16, 2: 32 slots. 0: not
/// known.
void figures_banks(struct sheet *sheet, const struct sheet *all, double bits[2][3]);
/// Those bits, as Verilator elaborates the project in the working directory (bank_bits.sv); 0 where
/// it does not say them.
void figures_bank_bits(double bits[2][3], const char *log);
