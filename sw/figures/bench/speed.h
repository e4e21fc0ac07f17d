// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sheet.h"

/// Speed of the simulator: K = 4 with 8 and with 16 back stages, on one thread (also compiled with
/// a profile) and on two, built and played with all checks on. Build time and memory are those of a
/// whole build by make in the working directory; one that takes more than an hour is given up, and
/// its line says so. Machines differ, and one machine from hour to hour: of_study is packets a
/// second over those of `sluice bench study`, which plays the trace a hundred times just before. b4
/// plays that trace too, k4 a compiled program.
struct speed {
  const char *command;          // sluice
  const char *folder;           // FOLDER/speed.jsonl has the results, FOLDER/speed the builds
  const char *flows, *packets;  // a trace for four pipelines
  void (*say)(void *user, const char *sentence);
  void *user;
};

/// Measures what has no line in FOLDER/speed.jsonl.
SLUICE_MUST_CHECK enum sluice_status speed_measure(const struct speed *speed,
                                                   struct sluice_error *error);
/// The table of FOLDER/speed.jsonl; without rows if there is none.
void speed_table(struct sheet *sheet, const char *folder);
