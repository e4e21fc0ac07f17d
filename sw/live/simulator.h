// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/transport.h>
#include <stdbool.h>

#include "../base/process.h"

/// A simulator that serves (docs/driver.md), as a child of this process. It dies with its parent,
/// and does not hear an interrupt of the terminal: this process decides when it ends.
///
///     struct live_simulator sim;
///     status = live_simulator_open(&sim, &to, "build/tiny/sim", "tiny", "/tmp/x/1-socket",
///     &error);
///     ... sluice_chip_open(&chip, &to, ...) ... sluice_transport_close(&to);
///     verdict = live_simulator_end(&sim);     // sim.said has its sentence
struct live_simulator {
  struct sluice_process process;
  int patience;  // seconds until it must serve, answer, end: SLUICE_PATIENCE, or 60
  int output;    // what it prints: a file without a name, so that it never waits for a reader
  bool ended;
  bool failed;      // it has ended, and not with exit code 0
  char said[1000];  // after the end: its verdict, or the last that it printed
};
enum live_verdict {
  LIVE_EQUIVALENT,  // what was compared was equal
  LIVE_DIFFERENT,
  LIVE_UNTESTED,  // no packet was compared
  LIVE_DIED,      // it said nothing of this
};

/// Returns when the socket is there, or with SLUICE_ERR_IO after its patience or the simulator's
/// end.
SLUICE_MUST_CHECK enum sluice_status live_simulator_start(struct live_simulator *sim,
                                                          const char *path, const char *chip,
                                                          const char *socket,
                                                          struct sluice_error *error);
/// The same, and connects to it: `to` is a chip. The socket file is gone when this returns.
SLUICE_MUST_CHECK enum sluice_status live_simulator_open(struct live_simulator *sim,
                                                         struct sluice_transport *to,
                                                         const char *path, const char *chip,
                                                         const char *socket,
                                                         struct sluice_error *error);
/// Whether it is running. If not, `said` tells why.
bool live_simulator_runs(struct live_simulator *sim);
/// Tells it to end, waits for that (its patience, then it is killed), and says how it went.
enum live_verdict live_simulator_end(struct live_simulator *sim);
