// SPDX-License-Identifier: Apache-2.0
#include "deal.h"

#include "flows.h"

static unsigned lane_of(const struct sluice_deal *d, const uint8_t *bytes, size_t len) {
  const unsigned lanes = d->config->NumPipes;
  if (d->hash) return (unsigned)(sluice_flow_key(bytes, len) % lanes);
  unsigned least = 0;
  for (unsigned l = 1; l < lanes; l++)
    if (d->beats[l] < d->beats[least]) least = l;
  return least;
}

unsigned sluice_deal_port(struct sluice_deal *d, int at, const uint8_t *bytes, size_t len) {
  const unsigned ports = d->config->NumPorts / d->config->NumPipes;  // of a lane
  const bool named = at >= 0 && (unsigned)at < d->config->NumPorts;
  const unsigned lane = named ? (unsigned)at / ports : lane_of(d, bytes, len);
  d->beats[lane] += sluice_config_beats(d->config, len);
  return named ? (unsigned)at : lane * ports + d->next_port[lane]++ % ports;
}
