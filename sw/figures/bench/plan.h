// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sheet.h"

/// The plan of an evaluation: a table, tab-separated, whose first line names the columns, in any
/// order:
///
///     id                 figure  series  pattern  parameter  verb    chip  flows      packets
///     fig7a-ours-uniform fig7a   ours    uniform  2          replay  b4.k2    flows.csv
///     uniform.csv
///
/// is `sluice bench replay flows.csv uniform.csv --chip b4.k2`, of figure 7a the point 2 of a line.
enum plan_field {
  PLAN_ID,         // no two runs have the same
  PLAN_FIGURE,     // one table and one plot
  PLAN_SERIES,     // a line in it
  PLAN_PATTERN,    // of the traffic
  PLAN_PARAMETER,  // where on the line
  PLAN_PASSES,     // how often a trace is played in a row (1)
  PLAN_VERB,       // replay, recirculate, run or study
  PLAN_CHIP,       // all verbs but study need one
  PLAN_PROGRAM,    // run: its file
  PLAN_FLOWS,      // a trace: its file of flows
  PLAN_PACKETS,    // a trace: its file of packets; run: how many packets
  PLAN_OPTIONS,    // more words for the command, separated by blanks
  PLAN_FIELDS,
};
extern const char *const plan_names[PLAN_FIELDS];

struct plan_run {
  const char *field[PLAN_FIELDS];  // never NULL
};
struct plan {
  struct sheet sheet;
  size_t count;
  struct plan_run *runs;
};

/// Takes `sheet` over, whatever becomes of it. Unknown columns, a run without what its verb needs,
/// names that could not stand in a file's name or a table, and ids that there are twice are
/// refused. `name` is the plan's, for messages.
SLUICE_MUST_CHECK enum sluice_status plan_take(struct plan *plan, struct sheet *sheet,
                                               const char *name, struct sluice_error *error);
/// Appends those rows of `from` to `to`, a sheet with the columns of plan_header().
void plan_put(struct sheet *to, const struct plan_run *run);
/// The names of all columns, with commas between them.
const char *plan_header(void);
void plan_release(struct plan *plan);
