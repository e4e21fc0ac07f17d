// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../base/layouts.h"
#include "job.h"
#include "wires.h"

/// Plays a capture into the wires of a simulated chip.
///
/// A packet of a pcapng file with several interfaces comes in at the port with the number of its
/// interface. Any other gets a lane (the one that has the least to send so far, or by a hash of the
/// flow), a port of that lane, and the VLAN tag of a module if it has none, as a virtual switch
/// would do it. A lane offers its packets back to back at load 1; below, with gaps of random length
/// so that the share of busy cycles is `load`. With job->idle a stream stays empty now and then,
/// between the beats of a packet, too. A packet is called by its place in the capture, from 1, as
/// Wireshark does (frame.number). With job->schedule the file says the port of each packet, and the
/// cycle in which its last beat goes in at the earliest, counted from a start that leaves time for
/// the beats before. With job->recirculate a frame comes in again, before the new ones of its lane,
/// until it has been where its indices live (lib/trace_loop.h). With job->malformed the player
/// damages some packets on the way; the monitors see what the chip sees.
struct player;

/// Opens the capture; the wires, which are this run's alone, read ahead in it as they play. Returns
/// NULL with `error` filled.
struct player *player_open(const struct job *job, const struct sluice_config *config,
                           struct wires *wires, struct sluice_error *error);

/// With job->recirculate what comes in again, else NULL.
struct sluice_trace_loop *player_loop(const struct player *player);
/// A frame, called `number`, has left the chip: it may come in again. Does nothing without
/// job->recirculate.
void player_left(struct player *player, uint64_t number, uint64_t cycle, const uint8_t *bytes,
                 size_t len);

/// Whether the last beat of the last packet has been driven, and none comes in again.
bool player_done(const struct player *player);
/// Why the capture could not be read to its end, or NULL.
const char *player_error(const struct player *player);

/// NULL is allowed.
void player_close(struct player *player);
