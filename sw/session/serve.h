// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../monitor/monitored.h"
#include "wires.h"

/// The other script of a simulator: instead of a job, a server. Clients connect to a Unix socket
/// and send the frames of the serial line (docs/fpga.md, docs/driver.md), so the library drives a
/// simulated chip as it drives a board. Between requests the simulation stands still; ADVANCE lets
/// cycles pass. The monitors are attached as in any run.
///
/// A client that sends garbage, goes away or does not read what it asked for is disconnected, and
/// nobody else notices.
struct server;

/// Opens the monitors, and the socket, which only its owner can connect to; takes over the place of
/// a dead one. `m->chip` is set. NULL after a message.
struct server *serve_open(const struct sluice_config *config, struct monitored *m,
                          struct wires *wires, const char *path);
/// The script, a coroutine: returns when the simulator was told to end (SIGTERM, SIGINT).
void serve_main(void *server);
/// Prints the verdict of the monitors, closes the socket and removes its file. Returns 0 if the
/// monitors saw no difference, else -1. NULL is allowed.
int serve_close(struct server *server);
