// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/layouts.h"
#include "../base/rng.h"

/// At which port the packets of a capture come in. A packet that names no port goes to the lane
/// that has the fewest beats so far (the lowest of several), or by a hash of its flow; in a lane,
/// to its ports in turn. Example: two lanes, a packet of two beats and two of one: lanes 0, 1, 1.
/// With fast ports it goes to a port in the same way; to which lane of it is the chip's affair.
struct sluice_deal {
  const struct sluice_config *config;
  bool hash;               // wires by flow
  uint64_t beats[16];      // by wire, of all packets so far
  unsigned next_port[16];  // by wire: packets that were dealt to it
};

/// The port of the next packet: `at` if the capture names one (0 to NumPorts - 1), else (any other
/// value) a dealt one.
unsigned sluice_deal_port(struct sluice_deal *deal, int at, const uint8_t *bytes, size_t len);

/// Beats for which a wire rests behind a packet of `beats`, so that it is busy for the share `load`
/// of the time on average: of random length, geometric. None at load 1.
uint64_t sluice_deal_gap(struct sluice_rng *rng, double load, size_t beats);
