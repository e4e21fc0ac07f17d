// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

enum {
  CYCLES = 4000,  // one in four resets is in one of so many, whatever is done then
  ARRIVED = 400,  // the others come behind one of so many packets,
  BEHIND = 200    // at most so many cycles
};

void resets_open(struct batch *b, const struct resets *before) {
  struct resets *r = &b->resets;
  if (before) *r = *before;
  else sluice_rng_init(&r->rng, b->job.seed, "resets");
  r->arrival = 0;
  r->cycle = sluice_rng_below(&r->rng, CYCLES);
  if (sluice_rng_below(&r->rng, 4) == 0) return;
  r->arrival = 1 + sluice_rng_below(&r->rng, ARRIVED);
  r->behind = sluice_rng_below(&r->rng, BEHIND);
}

bool resets_due(struct batch *b) {
  struct resets *r = &b->resets;
  if (r->done == b->job.resets || sluice_checker_failed(b->checker)) return false;
  if (r->arrival ? b->m->seen.arrived < r->arrival || r->behind-- : b->m->cycle < r->cycle)
    return false;
  struct sluice_report report;
  sluice_checker_report(b->checker, &report);
  r->done++;
  r->loaded += report.inside != 0;
  r->inside += report.inside;
  return true;
}

json_t *resets_json(const struct batch *b) {
  const struct resets *r = &b->resets;
  if (!b->job.resets) return NULL;
  return json_pack("{s:I s:I s:I}", "resets", (json_int_t)r->done, "loaded", (json_int_t)r->loaded,
                   "inside", (json_int_t)r->inside);
}
