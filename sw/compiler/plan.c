// SPDX-License-Identifier: Apache-2.0
// Several compilations of one program. The first is the quick one: each array has a stage of its
// own, and stages are filled by urgency. If it does not fit, or if the fewest stages are wanted,
// two arrays that do not need each other may share a stage after all: both words of one entry, at
// the same index. On a chip with multipliers products with constants may be sums after all, since a
// stage has one multiplier. A table may be in another stage than the first that could hold it, also
// where not stages but containers are too few: behind a condition its rows do more, and less is
// kept. On a chip with wide compares choices may be made by them. An entry that is read in one
// branch need not wait for what the other makes of it; but then its reader is another value than
// the update. Pairs are tried one by one, and the best is kept, until no pair makes it better. The
// bounds are numbers of compilations and of what they cost (arena.work), so the same program is
// compiled alike everywhere.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { MAX_COMPILATIONS = 120, DOES_NOT_FIT = 1 << 20, STAGE = 1 << 10, NEVER_FITS = 0x7fffffff };

struct trials {
  const struct compiler *setup;
  unsigned left;
  uint64_t work;  // of all compilations
};

static unsigned cost(enum sluice_status status, const struct plan *plan,
                     const struct sluice_usage *u) {
  if (status != SLUICE_OK) return plan->too_many ? DOES_NOT_FIT * plan->too_many : NEVER_FITS;
  return (u->front_stages + u->back_stages) * STAGE + u->pinned * 32 + u->state_stages;
}

// What a plan would give; nothing is printed, told or kept.
static unsigned attempt(struct trials *t, struct plan *plan) {
  struct sluice_usage usage;
  struct sluice_compile_options options = *t->setup->options;
  struct sluice_diags diags = {0};
  struct sluice_image image;
  options.usage = &usage;
  options.dump = NULL;
  options.dot_to = NULL;
  if (!t->left || t->work > ENOUGH_WORK) return NEVER_FITS;
  t->left--;
  const enum sluice_status status = compile_once(t->setup, plan, &options, &diags, &image);
  t->work += plan->work;
  if (status == SLUICE_OK) sluice_image_release(&image);
  sluice_diags_release(&diags);
  return cost(status, plan, &usage);
}

static bool joined(const struct plan *plan, unsigned state) {
  for (unsigned i = 0; i < plan->num_joins; i++)
    if (plan->join[i][0] == state || plan->join[i][1] == state) return true;
  return false;
}

// Adds the best pair; false if none is better than the plan as it is.
static bool add_pair(struct trials *t, struct plan *plan, unsigned *best) {
  const struct sluice_program *p = t->setup->program;
  struct plan found = *plan;
  const unsigned was = *best;
  for (unsigned a = 0; a < p->num_states && plan->num_joins < MAX_JOINS; a++)
    for (unsigned b = a + 1; b < p->num_states; b++) {
      const struct sluice_program_state *x = &p->state[a]->info, *y = &p->state[b]->info;
      if (x->scalar != y->scalar || x->size != y->size || joined(plan, a) || joined(plan, b))
        continue;
      struct plan next = *plan;
      next.join[next.num_joins][0] = (unsigned char)a;
      next.join[next.num_joins++][1] = (unsigned char)b;
      const unsigned now = attempt(t, &next);
      if (now >= *best) continue;
      *best = now;
      found = next;
    }
  *plan = found;
  return *best < was;
}

// Another stage for a table, if that is better.
static bool move_table(struct trials *t, struct plan *plan, unsigned *best) {
  const struct sluice_program *p = t->setup->program;
  const struct sluice_config *chip = t->setup->config;
  const unsigned was = *best;
  for (unsigned i = 0; i < p->num_tables; i++) {
    struct plan found = *plan;
    for (unsigned stage = 1; stage <= chip->FrontStages + chip->BackStages; stage++) {
      struct plan next = *plan;
      next.table_stage[i] = (unsigned char)stage;
      const unsigned now = attempt(t, &next);
      if (now >= *best) continue;
      *best = now;
      found = next;
    }
    *plan = found;
  }
  return *best < was;
}

// Takes back what a compilation told.
static void forget(struct sluice_diags *d, size_t num, size_t num_errors) {
  d->num = num;
  d->num_errors = num_errors;
}

// All else that may make it better.
static void look_further(struct trials *t, struct plan *plan, unsigned *best) {
  if (t->setup->program->num_states) {
    plan->on_way = true;
    const unsigned now = attempt(t, plan);
    plan->on_way = now < *best;
    if (now < *best) *best = now;
  }
  if (t->setup->config->Multipliers) {
    plan->sums = true;
    const unsigned now = attempt(t, plan);
    plan->sums = now < *best;
    if (now < *best) *best = now;
  }
  while (t->setup->program->num_tables && move_table(t, plan, best)) continue;
  if (t->setup->options->fewest) {
    plan->exact = true;
    const unsigned now = attempt(t, plan);
    if (now < *best) *best = now;
  }
  if (t->setup->config->StatePairs)
    while (add_pair(t, plan, best)) continue;
}

enum sluice_status plan_compile(const struct compiler *setup, struct sluice_image *image,
                                struct plan *chosen) {
  struct plan plan = {.wide = setup->options->wide && setup->config->WideCompare};
  struct sluice_usage unused;
  struct sluice_compile_options options = *setup->options;
  struct sluice_diags *diags = setup->diags;
  const size_t num = diags->num, num_errors = diags->num_errors;
  struct trials t = {setup, MAX_COMPILATIONS, 0};
  if (!options.usage) options.usage = &unused;
  enum sluice_status status = compile_once(setup, &plan, &options, diags, image);
  t.work = plan.work;
  if (chosen) *chosen = plan;
  const bool more = options.fewest ? status != SLUICE_ERR_NOMEM : status == SLUICE_ERR_FULL;
  const bool wide = setup->config->WideCompare && !plan.wide &&
                    (status == SLUICE_OK || status == SLUICE_ERR_FULL);
  const bool room = status == SLUICE_ERR_FULL && !plan.too_many;
  if ((!more && !wide) || (room && !setup->program->num_tables)) return status;
  const unsigned quick =
      status == SLUICE_OK ? options.usage->front_stages + options.usage->back_stages : 0;
  unsigned best = cost(status, &plan, options.usage);
  const unsigned was = best;
  if (wide) {
    plan.wide = true;
    const unsigned now = attempt(&t, &plan);
    plan.wide = now < best;
    best = now < best ? now : best;
  }
  if (more) look_further(&t, &plan, &best);
  options.usage->quick_stages = options.fewest ? quick : 0;
  if (best >= was || best >= DOES_NOT_FIT) return status;
  if (status == SLUICE_OK) sluice_image_release(image);
  forget(diags, num, num_errors);
  if (chosen) *chosen = plan;
  status = compile_once(setup, &plan, &options, diags, image);
  options.usage->shared = plan.num_joins;
  options.usage->quick_stages = options.fewest ? quick : 0;
  return status;
}
