// SPDX-License-Identifier: Apache-2.0
#include "resets.h"

#include "run.h"

enum {
  CYCLES = 4000,  // one in four resets is in one of so many, whatever is done then
  ARRIVED = 400,  // the others come behind one of so many packets,
  BEHIND = 200    // at most so many cycles
};

void resets_draw(struct run *run) {
  struct resets *r = &run->resets;
  if (!r->done) sluice_rng_init(&r->rng, run->job.seed, "resets");
  r->arrival = 0;
  r->cycle = sluice_rng_below(&r->rng, CYCLES);
  if (sluice_rng_below(&r->rng, 4) == 0) return;
  r->arrival = 1 + sluice_rng_below(&r->rng, ARRIVED);
  r->behind = sluice_rng_below(&r->rng, BEHIND);
}

bool resets_due(struct run *run) {
  struct resets *r = &run->resets;
  if (r->done == run->job.resets || sluice_checker_failed(run->checker)) return false;
  if (r->arrival ? run->arrived < r->arrival || r->behind-- : run->cycle < r->cycle) return false;
  struct sluice_report report;
  sluice_checker_report(run->checker, &report);
  r->done++;
  r->loaded += report.inside != 0;
  r->inside += report.inside;
  return true;
}

json_t *resets_json(const struct run *run) {
  const struct resets *r = &run->resets;
  if (!run->job.resets) return NULL;
  return json_pack("{s:I s:I s:I}", "resets", (json_int_t)r->done, "loaded", (json_int_t)r->loaded,
                   "inside", (json_int_t)r->inside);
}
