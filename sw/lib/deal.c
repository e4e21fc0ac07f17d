// SPDX-License-Identifier: Apache-2.0
#include "deal.h"

#include <math.h>

#include "flows.h"

static unsigned wire_of(const struct sluice_deal *d, const uint8_t *bytes, size_t len) {
  const unsigned wires = sluice_num_wires(d->config);
  if (d->hash) return (unsigned)(sluice_flow_key(bytes, len) % wires);
  unsigned least = 0;
  for (unsigned w = 1; w < wires; w++)
    if (d->beats[w] < d->beats[least]) least = w;
  return least;
}

unsigned sluice_deal_port(struct sluice_deal *d, int at, const uint8_t *bytes, size_t len) {
  const bool named = at >= 0 && (unsigned)at < d->config->NumPorts;
  const unsigned wire = named ? sluice_port_wire(d->config, (unsigned)at) : wire_of(d, bytes, len);
  d->beats[wire] += sluice_config_beats(d->config, len);
  if (named) return (unsigned)at;
  return sluice_wire_port(d->config, wire,
                          d->next_port[wire]++ % sluice_wire_ports(d->config, wire));
}

uint64_t sluice_deal_gap(struct sluice_rng *rng, double load, size_t beats) {
  const double mean = (double)beats * (1.0 - load) / load;
  if (mean <= 0.0) return 0;
  const double success = 1.0 / (1.0 + mean);
  return (uint64_t)(log1p(-sluice_rng_unit(rng)) / log1p(-success));
}
