// SPDX-License-Identifier: Apache-2.0
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/status.h"
#include "../../active/random_capsule.h"

enum { FRAME = 2048, TENANTS = 6, MOST = 30, VID = 5, AT_ONCE = 4 };

struct world {
  const struct app_run *run;
  const struct hostile *hostile;
  struct sluice_controller *c;
  struct sluice_chip *chip;
  struct active_link *link;
  struct sluice_rng rng;
  unsigned stages, pipes, words;  // words of a stage in all pipelines
  uint32_t *before, *after;       // [stage * words + word * pipes + pipeline]
  struct app_result *result;
};

static unsigned below(struct world *w, unsigned n) {
  return (unsigned)sluice_rng_below(&w->rng, n);
}

// Whether a word belongs to a tenant: as the allocator has decided, not as the chip holds it.
static bool owns(const struct world *w, unsigned fid, unsigned stage, unsigned entry) {
  const struct sluice_allocator *a = sluice_controller_allocator(w->c);
  const struct sluice_memory_region *r = sluice_allocator_find(a, (uint16_t)fid, stage);
  uint32_t first, last;
  if (!r) return false;
  sluice_allocator_words(a, r, &first, &last);
  const uint32_t word = entry / w->pipes;
  return word >= first && word <= last &&
         (r->pipeline == SLUICE_ALL_PIPELINES || r->pipeline == entry % w->pipes);
}

static void compare(struct world *w, unsigned fid) {
  for (unsigned s = 0; s < w->stages; s++)
    for (unsigned e = 0; e < w->words; e++) {
      if (owns(w, fid, s, e)) continue;
      const size_t at = (size_t)s * w->words + e;
      w->result->words++;
      w->result->differences += w->before[at] != w->after[at];
    }
}

// An address at the edge of somebody's region.
static uint32_t edge(struct world *w, uint32_t otherwise) {
  struct sluice_controller_tenant t;
  const unsigned s = below(w, w->stages);
  if (!sluice_controller_find(w->c, (uint16_t)(1 + below(w, TENANTS)), &t) || !t.range[s].valid)
    return otherwise;
  return (below(w, 2) ? t.range[s].first - below(w, 2) : t.range[s].last + below(w, 3)) & 0xfffff;
}

// Programs of one id, at the chip's own addresses more often than not.
static enum sluice_status attack(struct world *w, unsigned fid, struct sluice_error *error) {
  const struct active_random options = {
      .fids = 1, .most = MOST, .words = w->words / (below(w, 2) ? 1 : w->pipes)};
  for (unsigned i = 0; i < w->hostile->programs; i++) {
    uint8_t frame[FRAME], inner[24] = {0x45, [9] = 17};
    size_t len;
    struct active_capsule a;
    active_random(&w->rng, &options, &a);
    if (below(w, 2)) a.args.data[0] = edge(w, a.args.data[0]);
    struct capsule q = {.flags = (uint16_t)(CAPSULE_ARGS | (a.preload ? CAPSULE_PRELOAD : 0)),
                        .fid = (uint16_t)fid,
                        .args = a.args,
                        .program = a.program};
    active_net_address(1, fid % 200, q.addresses);
    active_net_address(0, fid % 200, q.addresses + 6);
    SLUICE_TRY(capsule_write(&q, inner, sizeof inner, frame, sizeof frame, &len, error));
    if (w->link->send(w->link->self, frame, len < 64 ? 64 : len)) w->result->packets++;
    if (i % AT_ONCE == AT_ONCE - 1)
      SLUICE_TRY(active_net_turn(w->run->net, w->run->turn ? w->run->turn : 100, error));
  }
  for (unsigned i = 0; i < 4; i++) SLUICE_TRY(active_net_turn(w->run->net, 500, error));
  while (w->link->receive(w->link->self, (uint8_t[FRAME]){0}, FRAME)) continue;
  return SLUICE_OK;
}

// The fault: every region of a tenant ends one word later than the controller thinks.
static enum sluice_status widen(struct world *w, unsigned fid, struct sluice_error *error) {
  unsigned bank;
  if (!sluice_chip_bank(w->chip, VID, &bank)) return SLUICE_OK;
  for (unsigned s = 0; s < w->stages; s++) {
    struct sluice_active_region r;
    SLUICE_TRY(sluice_chip_region_get(w->chip, bank, fid, s, &r, error));
    if (!r.valid) continue;
    r.high++;
    SLUICE_TRY(sluice_chip_region_set(w->chip, VID, bank, fid, s, &r, error));
  }
  return SLUICE_OK;
}

// A tenant comes, if it is not there and there is room; or one leaves.
static enum sluice_status come_or_go(struct world *w, unsigned fid, struct sluice_error *error) {
  struct sluice_controller_tenant t;
  struct sluice_memory_request q = {
      .fid = (uint16_t)fid, .length = w->stages, .ingress_limit = SLUICE_NO_INGRESS_LIMIT};
  if (sluice_controller_find(w->c, (uint16_t)fid, &t))
    return below(w, 4) ? SLUICE_OK : sluice_controller_release(w->c, (uint16_t)fid, NULL, error);
  q.length = 4;
  q.num = 1 + below(w, 3);
  const unsigned demand = below(w, 2) ? 1 : 2 + below(w, 2);
  for (unsigned i = 0; i < q.num; i++)
    q.access[i] = (struct sluice_memory_access){i, demand, below(w, 4) == 0};
  const enum sluice_status status = sluice_controller_admit(w->c, &q, NULL, error);
  if (status == SLUICE_ERR_FULL) return SLUICE_OK;
  return status || !w->hostile->widen ? status : widen(w, fid, error);
}

static enum sluice_status rounds(struct world *w, struct sluice_error *error) {
  for (unsigned i = 0; i < w->hostile->rounds; i++) {
    unsigned fid = 1 + below(w, TENANTS);
    SLUICE_TRY(come_or_go(w, fid, error));
    // Now and then who has no memory at all, or an id that the chip does not have.
    if (below(w, 8) == 0) fid = below(w, 2) ? TENANTS + 1 : 4000;
    SLUICE_TRY(active_net_words(w->run->net, w->words, w->before, error));
    SLUICE_TRY(attack(w, fid, error));
    SLUICE_TRY(active_net_words(w->run->net, w->words, w->after, error));
    compare(w, fid);
  }
  return SLUICE_OK;
}

enum sluice_status app_run_hostile(const struct app_run *run, const struct hostile *hostile,
                                   struct app_result *result, struct sluice_error *error) {
  struct sluice_chip_info info;
  struct world w = {.run = run,
                    .hostile = hostile,
                    .c = active_net_controller(run->net),
                    .chip = active_net_chip(run->net),
                    .link = active_net_link(run->net, 0),
                    .result = result};
  memset(result, 0, sizeof *result);
  sluice_rng_init(&w.rng, run->seed, "hostile");
  sluice_chip_describe(w.chip, &info);
  w.stages = info.back_stages;
  w.pipes = info.pipes;
  w.words = active_net_size(run->net);
  w.before = calloc((size_t)w.stages * w.words, sizeof *w.before);
  w.after = calloc((size_t)w.stages * w.words, sizeof *w.after);
  enum sluice_status status = w.before && w.after && w.link ? SLUICE_OK : sluice_no_memory(error);
  if (!status) status = rounds(&w, error);
  free(w.before);
  free(w.after);
  result->figure = (double)result->words;
  return status;
}
