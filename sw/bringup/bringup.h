// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/chip.h>

#include "../lib/capture.h"
#include "../model/model.h"
#include "../session/session.h"

/// The first hour with a board: finds the chip, resets it, loads programs over the control port,
/// sends packets one by one, and compares everything that comes back with the reference model:
/// packets, counters, state.
///
/// Packets come slowly, so their order is that in which they are sent, and no program sees
/// congestion. The model cannot know when they arrive: programs that look at meta.arrival differ.
struct bringup {
  struct sluice_transport *to;  // a board's: sluice_transport_line
  const struct sluice_config *config;
  const struct sluice_plan *plan;  // what to load
  struct sluice_model *model;      // fresh; bringup_* configures it
  double patience;                 // seconds without a packet until no more is waited for
  /// Tells what has been done, as a sentence; may be NULL.
  void (*said)(void *user, const char *text);
  void *user;
  // Results.
  unsigned long dropped, expected, received;  // packets not admitted; copies wanted, and that came
  unsigned long differences;
  char difference[200];  // the first one
  // Private.
  struct session session;
  struct bringup_copy *copies;  // by ticket
  size_t num_copies, room;
  struct sluice_chip *chip;
};

/// The steps, in this order. Each returns an error of the world; what the chip does wrong is
/// counted in `differences`.
enum sluice_status bringup_identify(struct bringup *b, struct sluice_error *error);
enum sluice_status bringup_load(struct bringup *b, struct sluice_error *error);
/// Sends one packet to a port.
enum sluice_status bringup_packet(struct bringup *b, unsigned port,
                                  const struct sluice_packet *packet, struct sluice_error *error);
/// Waits for the last packets, then compares counters and state.
enum sluice_status bringup_finish(struct bringup *b, struct sluice_error *error);
struct board;
/// Tries line and bridge alone, with the image of `make fpga` on the board: random registers and
/// control packets, written and read back, and data packets, counted. The first thing that is wrong
/// is the error.
enum sluice_status bringup_echo(struct board *board, unsigned long rounds, uint64_t seed,
                                struct sluice_error *error);
/// Frees what the steps took; the members above are the caller's.
void bringup_release(struct bringup *b);
