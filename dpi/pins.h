// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/wires.h"

/// The pins of the chip as C structs, for the largest configuration; and the events of its probes.
enum { MAX_PIPES = WIRES_MAX, MAX_BACK_STAGES = 20, MAX_BEAT_BYTES = WIRES_BEAT_BYTES };

struct lane_event {
  bool done;
  unsigned reason;
  // a beat of a recirculated packet enters the receiver, and none of the bus does; ticket of the
  // pass before, modulo 2^24
  bool again, again_last;
  unsigned again_ticket;
  bool gives_way;  // the beat on the bus is of a packet that makes way for a recirculated one
  // Of the stream, in a chip with fast ports: a packet that began on it goes to this lane.
  bool dealt;
  unsigned dealt_lane;
};
struct order_event {
  bool done, mark;
  unsigned reason, tag;
  unsigned held;  // bit 0 first: pacing, brake, phantom FIFO, credit, window
  // In a chip with an array match, of the packet that is done: its array, its 2-byte containers
  uint32_t words[16];
  uint16_t b2[8];
};
struct state_event {
  bool valid, refused;
  unsigned tag, slot;
};
struct exit_event {
  bool done;
  bool unpaid;  // no token for recirculation
  bool deep;    // marked for a deep output queue
  unsigned held;
  unsigned reason;
  uint32_t ticket;
  uint64_t accepted, refused;
};

/// Of an output lane: a copy leaves its queue for the egress stages (its first beat: enter, its
/// last one: left); what became of one is known.
struct egress_event {
  bool enter, left, done, dropped;
  unsigned port, done_port;
  uint32_t ticket, done_ticket;
};

/// A mark got its place in the order, behind all packets with tickets below `ticket`
/// (docs/marks.md); pipe and slot are the entry's home.
struct mark_event {
  bool valid, write;
  unsigned stage, pipe, slot;
  uint32_t ticket;
};

/// A cut of the modules in `rows` was taken, at `ticket` (docs/marks.md, Cuts); or they have the
/// other bank from `ticket` on, by a guarded flip.
struct cut_event {
  bool valid;
  uint32_t rows, ticket;
};

/// What the chip shows in one cycle.
struct pins_out {
  struct beat tx[MAX_PIPES];
  bool ctl_rx_ready;
  struct beat ctl_tx;
  bool awready, wready, bvalid, arready, rvalid;
  unsigned bresp, rresp;
  uint32_t rdata;
  struct lane_event lane[MAX_PIPES];
  struct order_event order[MAX_PIPES];
  bool state_any;
  struct state_event state[MAX_BACK_STAGES][MAX_PIPES];
  struct exit_event exit[MAX_PIPES];
  struct egress_event egress[MAX_PIPES];
  struct mark_event mark;
  struct cut_event cut, flip;
  unsigned deepest;
  // bit r: the bank of packets of overlay row r whose arrival `lane` reports
  uint32_t bank;
};

/// What drives the chip in one cycle.
struct pins_in {
  struct beat rx[MAX_PIPES];
  bool tx_ready[MAX_PIPES];
  struct beat ctl_rx;
  bool ctl_tx_ready;
  bool awvalid, wvalid, bready, arvalid, rready;
  uint32_t addr, wdata;
};
