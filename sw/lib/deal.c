// SPDX-License-Identifier: Apache-2.0
#include "deal.h"

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
  const unsigned ports = sluice_wire_ports(d->config);
  const bool named = at >= 0 && (unsigned)at < d->config->NumPorts;
  const unsigned wire = named ? (unsigned)at / ports : wire_of(d, bytes, len);
  d->beats[wire] += sluice_config_beats(d->config, len);
  return named ? (unsigned)at : wire * ports + d->next_port[wire]++ % ports;
}
