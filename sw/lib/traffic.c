// SPDX-License-Identifier: Apache-2.0
#include "traffic.h"

#include <stdlib.h>
#include <string.h>

#include "../base/rng.h"
#include "../base/weights.h"
#include "../base/bytes.h"
#include "../driver/wire/wire.h"

enum {
  MAX_FLOWS = 1 << 20,
  MAX_VIDS = 32,
  TAG = 4,    // bytes of a VLAN tag
  WIRE = 24,  // bytes that a frame takes on the wire besides itself: FCS, preamble, gap
  NUM_PATHS = 8,
  NUM_LEAVES = 256,
};

struct flow {
  uint32_t source, destination;
  uint16_t source_port, destination_port;
  uint32_t leaf;
};

struct sluice_traffic {
  struct sluice_traffic_options options;
  unsigned vids[MAX_VIDS];
  struct sluice_rng rng_flow, rng_size, rng_gap, rng_fields;
  struct flow *flows;
  uint64_t *weights;  // running sums, the last one is the total
  uint64_t count;     // packets made
  double time_ns;
  uint8_t bytes[SLUICE_FRAME_MAX];
};

struct sluice_traffic_options sluice_traffic_defaults(void) {
  static const unsigned vid = 1;
  return (struct sluice_traffic_options){.packets = 10000,
                                         .flows = 1024,
                                         .load = 1.0,
                                         .rate_gbps = 100.0,
                                         .seed = 1,
                                         .num_vids = 1,
                                         .vids = &vid};
}

// Flow sizes of the web search workload (DCTCP, pFabric): so many in a thousand are at most so
// large.
static const struct {
  unsigned per_mille;
  uint64_t bytes;
} web_search[] = {{0, 1000},      {150, 10000},   {200, 20000},    {300, 30000},
                  {400, 50000},   {530, 80000},   {600, 200000},   {700, 1000000},
                  {800, 2000000}, {900, 5000000}, {970, 10000000}, {1000, 30000000}};

static uint64_t web_search_size(struct sluice_rng *rng) {
  uint64_t u = sluice_rng_below(rng, 1000000);  // millionths, so that integers do
  size_t i = 1;
  while (web_search[i].per_mille * UINT64_C(1000) <= u) i++;
  uint64_t low = web_search[i - 1].per_mille * UINT64_C(1000),
           high = web_search[i].per_mille * UINT64_C(1000);
  uint64_t from = web_search[i - 1].bytes, to = web_search[i].bytes;
  return from + (to - from) * (u - low) / (high - low);
}

static struct flow new_flow(struct sluice_rng *rng) {
  struct flow f;
  uint64_t x = sluice_rng_next(rng), y = sluice_rng_next(rng);
  f.source = 0x0a000000u | (uint32_t)(x & 0xffffff);
  f.destination = 0x0a000000u | (uint32_t)(x >> 24 & 0xffffff);
  f.leaf = (uint32_t)(x >> 48) % NUM_LEAVES;
  f.source_port = (uint16_t)(1024 + y % 64512);
  f.destination_port = (uint16_t)(1024 + (y >> 32) % 64512);
  // This port would make it a reconfiguration packet.
  if (f.destination_port == SLUICE_RECONFIG_PORT) f.destination_port--;
  return f;
}

static enum sluice_status check(const struct sluice_traffic_options *o,
                                struct sluice_error *error) {
  if (o->flows < 1 || o->flows > MAX_FLOWS)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u flows, legal is 1..%d", o->flows, MAX_FLOWS);
  if (o->size == SLUICE_SIZE_FIXED &&
      (o->frame_len < SLUICE_FRAME_MIN || o->frame_len > SLUICE_FRAME_MAX))
    return sluice_fail(error, SLUICE_ERR_RANGE, "frames of %u bytes, legal is %d..%d", o->frame_len,
                       SLUICE_FRAME_MIN, SLUICE_FRAME_MAX);
  if (!(o->load > 0.0 && o->load <= 1.0))
    return sluice_fail(error, SLUICE_ERR_RANGE, "load %g, legal is above 0, at most 1", o->load);
  if (!(o->rate_gbps >= 0.001 && o->rate_gbps <= 1e6))
    return sluice_fail(error, SLUICE_ERR_RANGE, "rate %g Gb/s, legal is 0.001..1000000",
                       o->rate_gbps);
  if (!(o->zipf >= 0.0 && o->zipf <= 8.0))
    return sluice_fail(error, SLUICE_ERR_RANGE, "Zipf exponent %g, legal is 0..8", o->zipf);
  if (o->num_vids > MAX_VIDS)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u VLAN ids, legal is up to %d", o->num_vids,
                       MAX_VIDS);
  for (unsigned i = 0; i < o->num_vids; i++)
    if (o->vids[i] > 4095)
      return sluice_fail(error, SLUICE_ERR_RANGE, "VLAN id %u, legal is up to 4095", o->vids[i]);
  return SLUICE_OK;
}

enum sluice_status sluice_traffic_new(struct sluice_traffic **traffic,
                                      const struct sluice_traffic_options *options,
                                      struct sluice_error *error) {
  *traffic = NULL;
  SLUICE_TRY(check(options, error));
  struct sluice_traffic *t = calloc(1, sizeof *t);
  if (t) {
    t->flows = malloc(options->flows * sizeof *t->flows);
    t->weights = malloc(options->flows * sizeof *t->weights);
  }
  if (!t || !t->flows || !t->weights) {
    sluice_traffic_free(t);
    return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory for %u flows", options->flows);
  }
  t->options = *options;
  for (unsigned i = 0; i < options->num_vids; i++) t->vids[i] = options->vids[i];
  t->options.vids = t->vids;
  struct sluice_rng make;
  sluice_rng_init(&make, options->seed, "traffic flows");
  sluice_rng_init(&t->rng_flow, options->seed, "traffic choice");
  sluice_rng_init(&t->rng_size, options->seed, "traffic size");
  sluice_rng_init(&t->rng_gap, options->seed, "traffic gap");
  sluice_rng_init(&t->rng_fields, options->seed, "traffic fields");
  uint64_t sum = 0;
  for (unsigned i = 0; i < options->flows; i++) {
    t->flows[i] = new_flow(&make);
    if (options->mix == SLUICE_FLOWS_ZIPF) sum += sluice_zipf_weight(i, options->zipf);
    else sum += web_search_size(&make);
    t->weights[i] = sum;
  }
  *traffic = t;
  return SLUICE_OK;
}

void sluice_traffic_free(struct sluice_traffic *t) {
  if (!t) return;
  free(t->flows);
  free(t->weights);
  free(t);
}

// Length with VLAN tag. Around a cluster: the sum of two even numbers, highest in the middle.
static size_t choose_len(struct sluice_traffic *t) {
  uint64_t u;
  switch (t->options.size) {
    case SLUICE_SIZE_FIXED: return t->options.frame_len;
    case SLUICE_SIZE_IMIX:
      u = sluice_rng_below(&t->rng_size, 12);
      return u < 7 ? 64 : u < 11 ? 594 : 1518;
    case SLUICE_SIZE_BIMODAL: break;
  }
  u = sluice_rng_below(&t->rng_size, 2);
  uint64_t spread = u ? 101 : 51, base = u ? 1300 : 150;
  return (size_t)(base + sluice_rng_below(&t->rng_size, spread) +
                  sluice_rng_below(&t->rng_size, spread));
}

static size_t make_frame(struct sluice_traffic *t, const struct flow *f, unsigned vid, size_t len) {
  uint8_t *b = t->bytes;
  bool tagged = t->options.num_vids > 0;
  memset(b, 0, 46);
  b[0] = b[6] = 0x02;
  sluice_put32(b + 2, f->destination);
  sluice_put32(b + 8, f->source);
  size_t at = 12;
  if (tagged) {
    sluice_put16(b + at, 0x8100);
    sluice_put16(b + at + 2, vid);
    at += TAG;
  } else {
    len -= TAG;
  }
  sluice_put16(b + at, 0x0800);
  uint8_t *ip = b + at + 2;
  ip[0] = 0x45;
  ip[1] = t->options.ect ? 2 : 0;
  sluice_put16(ip + 4, t->count & 0xffff);
  ip[8] = 64;
  ip[9] = 17;
  sluice_put32(ip + 12, f->source);
  sluice_put32(ip + 16, f->destination);
  sluice_put16(ip + 20, f->source_port);
  sluice_put16(ip + 22, f->destination_port);
  uint8_t *data = ip + 28;
  sluice_put32(data, (uint32_t)sluice_rng_below(&t->rng_fields, 100));
  sluice_put32(data + 4, (uint32_t)sluice_rng_below(&t->rng_fields, NUM_PATHS));
  sluice_put32(data + 8, f->leaf);
  sluice_put32(data + 12, (uint32_t)t->count);
  for (uint8_t *p = data + 16; p < b + len; p++)
    *p = (uint8_t)(t->count * 31 + (uint64_t)(p - data) * 7);
  sluice_finish_udp(ip, len - (size_t)(ip - b));
  return len;
}

void sluice_traffic_next(struct sluice_traffic *t, struct sluice_packet *packet) {
  const struct sluice_traffic_options *o = &t->options;
  memset(packet, 0, sizeof *packet);
  if (o->packets && t->count == o->packets) return;
  struct flow single;
  const struct flow *flow = &single;
  uint64_t number = t->count;
  if (o->mix == SLUICE_FLOWS_SINGLE) {
    single = new_flow(&t->rng_flow);
  } else {
    number = sluice_draw(&t->rng_flow, t->weights, t->options.flows);
    flow = &t->flows[number];
  }
  size_t tagged_len = choose_len(t);
  packet->len = make_frame(t, flow, o->num_vids ? t->vids[number % o->num_vids] : 0, tagged_len);
  packet->captured = packet->len;
  packet->bytes = t->bytes;
  packet->time_ns = (uint64_t)t->time_ns;
  double gap = (double)(tagged_len + WIRE) * 8.0 / (o->rate_gbps * o->load);
  if (o->random_gaps) gap *= -sluice_natural_log(1.0 - sluice_rng_unit(&t->rng_gap));
  t->time_ns += gap;
  t->count++;
}
