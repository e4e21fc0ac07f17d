// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/chip.h>

#include "../../driver/image/image.h"
#include "../../live/simulator.h"
#include "../../reaction/meter.h"
#include "../../session/session.h"

/// A simulated chip with hosts at its ports, in cycles of the chip: who sends what when, and when
/// each packet came and left. Nothing here knows what the packets are for.
///
///     status = five_net_open(&net, "build/five/sim", "five", &error);
///     net->flow[5] = (struct five_flow){.name = "conga", .feed = mine, .next = 2000};
///     ... five_net_turn(net, 128, &error) ...      // 128 cycles pass: packets come and leave
///     verdict = five_net_close(net);
///
/// **Hosts take FIVE_HOST cycles** from the last beat that they receive to the first one that they
/// send. Example: a packet leaves the chip in cycle 5,000; what its host answers goes into the chip
/// in cycle 6,000. So a turn may be up to FIVE_HOST cycles long, and nothing depends on where turns
/// begin: two runs with the same packets are the same, whatever the control plane does between.
struct five_net;
struct five_flow;

enum {
  FIVE_HOST = 1000,
  FIVE_TURN = 128,    // cycles of a turn
  FIVE_TICK = 1024,   // hosts look at their clocks so often
  FIVE_AHEAD = 1024,  // packets that nobody asks for are sent so many cycles before they are due
  FIVE_FLOWS = 16,
};

/// The packets of one module. `vid` of a flow is its place in five_net.flow.
struct five_flow {
  const char *name;  // NULL: there is none
  unsigned system;   // whose it is
  /// Sends the packet that is due in cycle `next`, and sets `next`. NULL: none comes by itself.
  void (*feed)(struct five_net *net, struct five_flow *flow);
  uint64_t next;
  /// A packet has left; its host has it in cycle `at`.
  void (*receive)(struct five_net *net, struct five_flow *flow, const struct sluice_packet_out *p,
                  uint64_t at);
  void (*tick)(struct five_net *net, struct five_flow *flow, uint64_t at);
  void *user;
};

/// One packet that was sent. Cycles are those of the chip; 0: it has not left.
struct five_packet {
  uint32_t due, arrival, first, last;  // last beat in; of the first copy: first and last beat out
  uint8_t vid, copies;
  uint16_t note;  // the sender's
};

struct five_net {
  struct live_simulator simulator;
  struct sluice_transport to;
  struct reaction_meter meter;  // the driver's way to the chip: costs the time of a bus
  struct sluice_chip *chip;
  struct session session;
  struct five_flow flow[FIVE_FLOWS];
  uint64_t now, ticked;  // CHIP.CYCLES; up to where the hosts' clocks have been
  uint64_t end;          // from this cycle on nothing new is sent
  uint64_t late;         // packets that were sent after they were due
  struct five_packet *packets;
  uint32_t num, room;
  // what a call that cannot fail could not do; the next turn says so
  enum sluice_status status;
  struct sluice_error failed;
};

/// Starts the simulator, and opens the chip. `bus` is that between the driver and the chip, as in
/// reaction/bus.h.
SLUICE_MUST_CHECK enum sluice_status five_net_open(struct five_net **net, const char *sim,
                                                   const char *chip, const char *bus,
                                                   struct sluice_error *error);
/// Sends a packet that goes in not before cycle `at`. From net->end on nobody sends any more.
void five_net_send(struct five_net *net, unsigned vid, unsigned port, uint64_t at,
                   const uint8_t *bytes, size_t len, uint16_t note);
/// From now on the hosts' clocks run: their first tick is FIVE_TICK cycles on. net->end is not set
/// yet.
SLUICE_MUST_CHECK enum sluice_status five_net_begin(struct five_net *net,
                                                    struct sluice_error *error);
/// Lets cycles pass.
SLUICE_MUST_CHECK enum sluice_status five_net_turn(struct five_net *net, uint64_t cycles,
                                                   struct sluice_error *error);
/// Lets cycles pass until nothing is on its way any more.
SLUICE_MUST_CHECK enum sluice_status five_net_drain(struct five_net *net,
                                                    struct sluice_error *error);
/// A register of the chip, by its name.
SLUICE_MUST_CHECK enum sluice_status five_net_register(struct five_net *net, const char *name,
                                                       uint32_t value, struct sluice_error *error);
/// Ends the simulator; `said` is its sentence. NULL is allowed: LIVE_DIED.
enum live_verdict five_net_close(struct five_net *net, char *said, size_t room);
