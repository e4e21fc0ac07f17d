// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figures/coflow/worker.h"
#include "tests/rig/domino_rig.h"

/// Workers of gradient aggregation around the reference model, in one process: worker i at port i.
/// The network between loses and reorders packets; time is the number of packets that the chip has
/// had. What the workers have in the end is compared with the host's sums, bit by bit.
enum { NET_WORKERS = 8, NET_ROOM = 1 << 14, NET_REORDER = 24 };
struct net_frame {
  unsigned port;
  uint8_t bytes[SLUICE_WORKER_FRAME];
};
struct net {
  struct rig rig;
  struct sluice_rng rng;
  unsigned loss;  // of 10,000 packets, on each way
  struct net_port {
    struct net *net;
    unsigned number;
  } port[NET_WORKERS];
  struct sluice_worker *worker[NET_WORKERS];
  struct net_frame *queue;
  unsigned head, num;
  uint64_t now, lost, chip, copies, to_all;
};

static inline void net_send(void *user, const uint8_t *frame, size_t len) {
  const struct net_port *p = user;
  struct net *net = p->net;
  if (sluice_rng_below(&net->rng, 10000) < net->loss || net->num == NET_ROOM) {
    net->lost++;
    return;
  }
  struct net_frame *f = &net->queue[(net->head + net->num++) % NET_ROOM];
  f->port = p->number;
  memcpy(f->bytes, frame, len);
}

/// Opens a chip with the program. False: net->rig.why says why.
static inline bool net_open(struct net *net, const char *text, uint64_t seed, unsigned loss,
                            unsigned slots) {
  struct sluice_diags diags = {0};
  memset(net, 0, sizeof *net);
  sluice_rng_init(&net->rng, seed, "network");
  net->loss = loss;
  net->queue = calloc(NET_ROOM, sizeof *net->queue);
  const enum rig_opened opened = rig_open(&net->rig, text, sluice_config_find("arrays"), &diags);
  if (opened == RIG_REJECTED) sluice_diags_print(&diags, stderr);
  sluice_diags_release(&diags);
  for (unsigned i = 0; i < NET_WORKERS; i++) {
    net->port[i] = (struct net_port){net, i};
    net->worker[i] = sluice_worker_new(&(struct sluice_worker_setup){
        i, NET_WORKERS, slots, RIG_VID, 6 * slots * NET_WORKERS, net_send, &net->port[i]});
  }
  return opened == RIG_OPEN && net->queue;
}

static inline void net_close(struct net *net) {
  for (unsigned i = 0; i < NET_WORKERS; i++) sluice_worker_free(net->worker[i]);
  free(net->queue);
  rig_close(&net->rig);
}

// One of the packets that are on the way to the chip, mostly the first.
static inline struct net_frame net_take(struct net *net) {
  const unsigned near = net->num < NET_REORDER ? net->num : NET_REORDER,
                 at = sluice_rng_below(&net->rng, 8) ? 0
                                                     : (unsigned)sluice_rng_below(&net->rng, near);
  struct net_frame *first = &net->queue[net->head], *f = &net->queue[(net->head + at) % NET_ROOM],
                   taken = *f;
  *f = *first;
  net->head = (net->head + 1) % NET_ROOM;
  net->num--;
  return taken;
}

static inline void net_chip(struct net *net, const struct net_frame *f) {
  uint8_t bytes[SLUICE_WORKER_FRAME];
  struct sluice_model_packet packet = {
      .bytes = bytes, .len = sizeof bytes, .port = f->port, .arrival = (uint32_t)net->now};
  struct sluice_model_phv phv;
  struct sluice_model_result result = {.reason = SLUICE_DROP_NONE};
  memcpy(bytes, f->bytes, sizeof bytes);
  net->chip++;
  if (sluice_model_front(net->rig.model, &packet, &phv) != SLUICE_DROP_NONE) return;
  sluice_model_admit(net->rig.model, &packet, &phv, &result);
  if (result.reason != SLUICE_DROP_NONE) return;
  net->to_all += result.ports == 0xff;
  for (unsigned port = 0; port < NET_WORKERS; port++) {
    if (!(result.ports >> port & 1)) continue;
    net->copies++;
    if (sluice_rng_below(&net->rng, 10000) < net->loss) net->lost++;
    else sluice_worker_receive(net->worker[port], result.header, sizeof bytes, net->now);
  }
}

static inline bool net_done(const struct net *net) {
  bool done = true;
  for (unsigned i = 0; i < NET_WORKERS; i++) done &= sluice_worker_done(net->worker[i]);
  return done;
}

/// Runs until all workers are done; false: they are not after `most` packets.
static inline bool net_run(struct net *net, uint64_t most) {
  const uint64_t end = net->chip + most;
  while (!net_done(net) && net->chip < end) {
    uint64_t next = UINT64_MAX;
    if (net->num) {
      const struct net_frame f = net_take(net);
      net_chip(net, &f);
    }
    net->now++;
    if (net->num && net->now % 64) continue;
    for (unsigned i = 0; i < NET_WORKERS; i++) {
      const uint64_t at = sluice_worker_tick(net->worker[i], net->now);
      if (at < next) next = at;
    }
    if (!net->num && next != UINT64_MAX && next > net->now) net->now = next;
  }
  return net_done(net);
}
