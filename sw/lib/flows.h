// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Counts packets that leave the chip after a later one of their flow (MP5, section 3.4): the order
/// is that of admission; packets that leave in one cycle, in different lanes, are in order.
struct sluice_flows;

struct sluice_flows *sluice_flows_new(void);
/// A packet was admitted; tickets count from 0, without gaps.
void sluice_flows_admitted(struct sluice_flows *flows, uint64_t ticket, uint64_t key);
/// It has left the deparser. Cycles never fall.
void sluice_flows_left(struct sluice_flows *flows, uint64_t ticket, uint64_t cycle);
uint64_t sluice_flows_reordered(const struct sluice_flows *flows);
/// Whether memory ran out: the count is then too low.
bool sluice_flows_failed(const struct sluice_flows *flows);
void sluice_flows_free(struct sluice_flows *flows);

/// Names the flow of a frame with VLAN tag: protocol, addresses and ports of IPv4; the flow's
/// number in a frame of a trace (sw/lib/trace_play.h); else the MAC addresses.
uint64_t sluice_flow_key(const uint8_t *bytes, size_t len);
