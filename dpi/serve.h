// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_SERVE_H
#define SLUICE_DPI_SERVE_H

#include "model/checker.h"
#include "pins.h"

/// The other script of a simulator: instead of a run, a server. Clients connect to a Unix socket
/// and send the frames of the serial line (docs/fpga.md, docs/driver.md), so the library drives a
/// simulated chip as it drives a board. Between requests the simulation stands still; ADVANCE lets
/// cycles pass. The monitors are attached as in any run.
///
/// A client that sends garbage, goes away or does not read what it asked for is disconnected, and
/// nobody else notices.
struct run;
struct server;

/// Opens the socket, which only its owner can connect to, and takes over the place of a dead one.
/// NULL after a message.
struct server *serve_open(struct run *run, const char *path);
/// The script: returns when the simulator was told to end (SIGTERM, SIGINT).
void serve_main(void *run);
/// The lanes' inputs of the next cycle: packets that clients have sent, as fast as the lanes take
/// them, and not before they are due.
void serve_drive(struct server *server, struct beat *rx);
/// A packet has left: goes to all clients that have asked for packets.
void serve_sent(struct server *server, const struct sluice_checker_sent *sent);
/// Says how it went, closes and removes the socket. Returns 0 if the monitors saw no difference,
/// else -1. NULL is allowed.
int serve_close(struct server *server);

#endif
