// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/test.h"
#include "base/rng.h"
#include "fuzz/fuzz.h"
#include "model/checker.h"
#include "model/machine.h"
#include "spec/spec.h"

/// A chip made of paper, under the checker: it admits packets as they come, its state units work in
/// the order of tickets some cycles behind admission, some indices live away from home. It works
/// with a model of its own, whose state is that of its state units: a packet is admitted there when
/// its access happens.
enum { PAPER_LANES = 2, PAPER_INSIDE = 48, PAPER_WAY = 60, PAPER_ACCESS = 24 };

struct paper_packet {
  uint64_t access, gone;  // cycles
  unsigned lane;
  uint32_t ticket;
  bool done;
  const struct fuzz_frame *frame;
  struct sluice_model_packet packet;
  struct sluice_model_phv phv;
  struct sluice_model_result result;
};

struct paper {
  const struct sluice_config *config;
  const struct fuzz_case *c;
  struct sluice_checker *ck;
  struct sluice_model *model;
  size_t size;
  void *undone;  // the model before its last access
  struct sluice_rng rng;
  uint64_t now;
  size_t next;
  bool playing;   // packets come
  uint32_t home;  // rows of which no index is away
  struct paper_packet inside[PAPER_INSIDE];
  unsigned num_inside;
  uint32_t ticket;  // of the next packet
  /// Parser, front stages and lookups of a packet that arrives; NULL: as the model does them.
  unsigned (*front)(struct paper *p, struct paper_packet *k);
  /// Called before the access of a packet; NULL: nobody wants to know.
  void (*before)(struct paper *p, const struct paper_packet *k);
  /// Takes a packet at its deparser, in place of the wires; and one cycle of what it does then.
  void (*leaves)(struct paper *p, const struct paper_packet *k);
  void (*works)(struct paper *p);
};

/// Whether an entry is away: three of seven places are. Where that is does not matter to the
/// monitors but for its number.
static inline bool paper_away(const struct paper *p, unsigned stage, unsigned pipe, uint32_t slot) {
  return p->config->Relocations && (stage + 3 * pipe + 5 * slot) % 7 < 3;
}

static inline void paper_open(struct paper *p, const struct fuzz_case *c) {
  *p = (struct paper){.config = c->config,
                      .c = c,
                      .ck = sluice_checker_open(c->config, NULL),
                      .model = sluice_model_open(c->config),
                      .size = sluice_model_bytes(c->config)};
  p->undone = malloc(p->size);
  assert_true(p->ck && p->model && p->undone);
  // The checker by itself, or with the machine of docs/machine.md in place of its model.
  if (getenv("SLUICE_SPEC")) assert_true(sluice_checker_second(p->ck, &sluice_spec_second));
  sluice_rng_init(&p->rng, c->seed, "paper");
  sluice_model_set_sets(p->model, (unsigned)__builtin_ctz(c->sets));
  sluice_checker_sets(p->ck, (unsigned)__builtin_ctz(c->sets));
  sluice_checker_moves(p->ck, true);
  sluice_checker_ready(p->ck, 0);
  p->now = 1000;
}

static inline struct sluice_report paper_close(struct paper *p) {
  struct sluice_report r;
  sluice_checker_finish(p->ck);
  sluice_checker_report(p->ck, &r);
  sluice_checker_close(p->ck);
  sluice_model_close(p->model);
  free(p->undone);
  return r;
}

static inline void paper_arrive(struct paper *p) {
  for (unsigned l = 0; l < PAPER_LANES; l++) {
    if (!p->playing || p->next == p->c->packets.num || p->num_inside == PAPER_INSIDE ||
        !sluice_rng_below(&p->rng, 4))
      continue;
    const struct fuzz_frame *f = &p->c->packets.items[p->next++];
    for (size_t at = 0; at < f->len;
         at += 64) {  // all beats in one cycle: the checker counts them only
      uint8_t beat[64] = {0};
      const size_t here = f->len - at < 64 ? f->len - at : 64;
      memcpy(beat, f->bytes + at, here);
      sluice_checker_rx(p->ck, p->now, l, beat, here < 64 ? (UINT64_C(1) << here) - 1 : UINT64_MAX,
                        at + here == f->len, false, 0, p->next);
    }
    sluice_checker_lane(p->ck, p->now, l, SLUICE_DROP_NONE);
    // Admitted at once: the order of lanes is that of tickets.
    struct paper_packet *k = &p->inside[p->num_inside];
    *k = (struct paper_packet){
        .access = p->now + PAPER_ACCESS, .gone = p->now + PAPER_WAY, .lane = l, .frame = f};
    k->packet = (struct sluice_model_packet){
        .bytes = f->bytes, .len = (unsigned)f->len, .arrival = (uint32_t)p->now};
    unsigned reason =
        sluice_model_classify(sluice_model_filter(p->model), f->bytes, (unsigned)f->len).reason;
    if (reason == SLUICE_DROP_NONE)
      reason = p->front ? p->front(p, k) : sluice_model_front(p->model, &k->packet, &k->phv);
    sluice_checker_order(p->ck, p->now, l, reason, p->ticket & (4 * p->config->Window - 1));
    sluice_checker_keys(p->ck, l, k->phv.words, k->phv.b2);
    if (reason != SLUICE_DROP_NONE) continue;
    k->ticket = p->ticket++;
    p->num_inside++;
  }
}

static inline void paper_operate(struct paper *p, struct paper_packet *k) {
  const unsigned row = k->frame->bytes[15] % p->config->NumModules;
  if (p->before) p->before(p, k);
  memcpy(p->undone, p->model, p->size);
  sluice_model_admit(p->model, &k->packet, &k->phv, &k->result);
  k->done = true;
  for (unsigned s = 0; s < p->config->StateStages; s++) {
    const struct sluice_model_access *a = &k->result.access[s];
    if (!a->executed) continue;
    unsigned pipe = a->resolved ? a->pipe : 0, slot = a->slot;
    if (!a->refused && !(p->home >> row & 1) && paper_away(p, s, pipe, slot)) {
      pipe = (pipe + 1) % p->config->NumPipes;
      if (!sluice_model_same_set(p->model, pipe, a->pipe)) pipe = a->pipe;
      slot = sluice_config_slots(p->config) + slot % p->config->Relocations;
    }
    sluice_checker_state(p->ck, p->now, s, pipe, slot, k->ticket & (4 * p->config->Window - 1),
                         a->refused);
  }
}

/// All that was admitted up to now, and is not done, is done: so it has been when a mark is the
/// head of its queue.
static inline void paper_operate_all(struct paper *p) {
  for (unsigned i = 0; i < p->num_inside; i++)
    if (!p->inside[i].done) paper_operate(p, &p->inside[i]);
}

static inline void paper_leave(struct paper *p) {
  bool lanes[PAPER_LANES] = {false};
  while (p->num_inside && p->inside[0].gone <= p->now && !lanes[p->inside[0].lane]) {
    const struct paper_packet *k = &p->inside[0];
    const struct sluice_model_result *r = &k->result;
    lanes[k->lane] = true;
    if (p->leaves) p->leaves(p, k);
    else sluice_checker_exit(p->ck, p->now, k->lane, r->reason, k->ticket, r->ports, 0);
    for (unsigned port = 0; !p->leaves && port < p->config->NumPorts; port++)
      for (size_t at = 0; (r->ports >> port & 1) && at < k->frame->len; at += 64) {
        uint8_t beat[64] = {0};
        const size_t here = k->frame->len - at < 64 ? k->frame->len - at : 64;
        memcpy(beat, (at < SLUICE_MODEL_HEADER ? r->header : k->frame->bytes) + at, here);
        sluice_checker_tx(p->ck, p->now, 0, beat,
                          here < 64 ? (UINT64_C(1) << here) - 1 : UINT64_MAX,
                          at + here == k->frame->len, port, k->ticket);
      }
    p->num_inside--;
    memmove(p->inside, p->inside + 1, p->num_inside * sizeof p->inside[0]);
  }
}

/// One cycle.
static inline void paper_tick(struct paper *p) {
  paper_arrive(p);
  for (unsigned i = 0; i < p->num_inside; i++)
    if (!p->inside[i].done && p->inside[i].access <= p->now) paper_operate(p, &p->inside[i]);
  paper_leave(p);
  if (p->works) p->works(p);
  sluice_checker_cycle(p->ck, p->now++);
}
