// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#include "results.h"

/// Makes the runs of a plan that have no result, several at once. A run's report is taken when it
/// ends; a run that fails, or takes too long, leaves none.
struct pool {
  struct results *results;
  const char *command;  // sluice
  const char *folder;   // of logs/ and work/, which are there
  /// Path of a chip's simulator; NULL: there is none, and the run is left out.
  const char *(*simulator)(void *user, const char *chip);
  void (*failed)(void *user, const char *sentence);
  void (*progress)(void *user, size_t done, size_t all, double seconds);
  void *user;
  unsigned jobs;   // at once
  double limit;    // seconds of a run
  double every;    // seconds between calls of `progress`
  size_t only;     // this run of the plan alone; SIZE_MAX: all
  int stopped_by;  // set by pool_run: the signal of POOL_STOPPED
};

enum pool_end { POOL_DONE, POOL_SOME_FAILED, POOL_STOPPED };
/// Until all are made, or a signal SIGINT or SIGTERM comes, which ends those under way.
enum pool_end pool_run(struct pool *pool);
/// Whether `run` has no result and can be made.
bool pool_wants(const struct pool *pool, size_t run);
