// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>

#include "plan.h"

/// What runs have said: a file of JSON lines, one a run, in the order in which they ended:
///
///     {"id": "fig7a-ours-uniform", "figure": "fig7a", ..., "passes": 1, "result": {...}}
///
/// The names of the plan, and behind `result` the report of the command. A run has a result if a
/// line has its id and the same other fields, so a run that was changed in the plan is made again.
struct results {
  const char *path;
  const struct plan *plan;
  json_t **of;        // [run of the plan]: its line, or NULL
  size_t count;       // of those
  size_t others;      // lines of runs that the plan does not have
  size_t damaged;     // lines that are no results, as behind a full disk; they are left out
  size_t first_line;  // of those, counted from 1
};

/// Reads the file, if it is there. The last line of a run counts.
SLUICE_MUST_CHECK enum sluice_status results_open(struct results *results, const char *path,
                                                  const struct plan *plan,
                                                  struct sluice_error *error);
/// Adds the report in `file` as the result of run `index`, to the file and here.
SLUICE_MUST_CHECK enum sluice_status results_add(struct results *results, size_t index,
                                                 const char *file, struct sluice_error *error);
/// The same for a report in memory, which is taken over.
SLUICE_MUST_CHECK enum sluice_status results_put(struct results *results, size_t index,
                                                 json_t *report, struct sluice_error *error);
/// Takes over the lines of another such file.
SLUICE_MUST_CHECK enum sluice_status results_merge(struct results *results, const char *path,
                                                   struct sluice_error *error);
void results_close(struct results *results);
