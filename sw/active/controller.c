// SPDX-License-Identifier: Apache-2.0
#include "controller.h"

#include <stdio.h>
#include <string.h>

#include "../driver/plan/plan.h"
#include "controller_inner.h"

// ---- life ---------------------------------------------------------------------------------------

static void *zeroed(struct sluice_controller *c, size_t size, bool *ok) {
  void *p = *ok ? sluice_zeroed(&c->alloc, size) : NULL;
  *ok &= p != NULL;
  return p;
}

#define ROOM_IDS(C, LIST) ((C)->ids * sizeof *(LIST))
#define ROOM_REGIONS(C, LIST) ((size_t)(C)->ids * (C)->stages * sizeof *(LIST))

#define ROOM_BLOCKS(C) ((size_t)(C)->stages * (C)->pipes * (C)->blocks * sizeof *(C)->used)

static void make_view(struct sluice_controller *c, struct controller_view *v, bool *ok) {
  v->tenant = zeroed(c, ROOM_IDS(c, v->tenant), ok);
  v->region = zeroed(c, ROOM_REGIONS(c, v->region), ok);
}
static void drop_view(struct sluice_controller *c, struct controller_view *v) {
  sluice_resize(&c->alloc, v->tenant, ROOM_IDS(c, v->tenant), 0);
  sluice_resize(&c->alloc, v->region, ROOM_REGIONS(c, v->region), 0);
}

static bool make_lists(struct sluice_controller *c) {
  bool ok = true;
  make_view(c, &c->now, &ok);
  make_view(c, &c->next, &ok);
  make_view(c, &c->between, &ok);
  make_view(c, &c->owed_to, &ok);
  for (unsigned b = 0; b < 2; b++) {
    make_view(c, &c->bank[b].view, &ok);
    c->bank[b].tenant_known = zeroed(c, ROOM_IDS(c, c->bank[b].tenant_known), &ok);
    c->bank[b].region_known = zeroed(c, ROOM_REGIONS(c, c->bank[b].region_known), &ok);
    c->bank[b].address = zeroed(c, ROOM_REGIONS(c, c->bank[b].address), &ok);
    c->bank[b].address_known = zeroed(c, ROOM_REGIONS(c, c->bank[b].address_known), &ok);
  }
  c->version = zeroed(c, ROOM_IDS(c, c->version), &ok);
  c->used = zeroed(c, ROOM_BLOCKS(c), &ok);
  c->client = zeroed(c, ROOM_IDS(c, c->client), &ok);
  c->saved = zeroed(c, ROOM_REGIONS(c, c->saved), &ok);
  return ok;
}

void sluice_controller_free(struct sluice_controller *c) {
  if (!c) return;
  const struct sluice_alloc alloc = c->alloc;
  controller_drop_saved(c, &c->saved);
  controller_drop_saved(c, &c->owed);
  drop_view(c, &c->now);
  drop_view(c, &c->next);
  drop_view(c, &c->between);
  drop_view(c, &c->owed_to);
  for (unsigned b = 0; b < 2; b++) {
    drop_view(c, &c->bank[b].view);
    sluice_resize(&alloc, c->bank[b].tenant_known, ROOM_IDS(c, c->bank[b].tenant_known), 0);
    sluice_resize(&alloc, c->bank[b].region_known, ROOM_REGIONS(c, c->bank[b].region_known), 0);
    sluice_resize(&alloc, c->bank[b].address, ROOM_REGIONS(c, c->bank[b].address), 0);
    sluice_resize(&alloc, c->bank[b].address_known, ROOM_REGIONS(c, c->bank[b].address_known), 0);
  }
  sluice_resize(&alloc, c->version, ROOM_IDS(c, c->version), 0);
  sluice_resize(&alloc, c->used, ROOM_BLOCKS(c), 0);
  sluice_resize(&alloc, c->client, ROOM_IDS(c, c->client), 0);
  sluice_allocator_free(c->allocator);
  sluice_resize(&alloc, c, sizeof *c, 0);
}

// ---- the module ---------------------------------------------------------------------------------

enum { RANGE_MOST = 65535 };

static enum sluice_status check_chip(const struct sluice_controller *c,
                                     struct sluice_error *error) {
  const struct sluice_chip_info *i = &c->info;
  if (!i->active_ids)
    return sluice_fail(error, SLUICE_ERR_RANGE, "chip '%s' executes no capsules (Active)", i->name);
  if (i->banks != 2)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "chip '%s' has one configuration bank: regions cannot change at one moment",
                       i->name);
  if (i->state_stages != i->back_stages || i->back_stages > CAPSULE_STAGES)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "chip '%s' has state in %u of %u back stages; all must have it, and an "
                       "answer has room for %d",
                       i->name, i->state_stages, i->back_stages, CAPSULE_STAGES);
  return SLUICE_OK;
}

// The program with an array in each stage. ACCESS stays without ENABLE: packets that are no
// capsules reach none of them.
static enum sluice_status add_memory(const struct sluice_controller *c, unsigned words,
                                     struct sluice_image *image, struct sluice_error *error) {
  if (image->num_arrays)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "program '%s' has array '%s': the memory of the stages is for capsules",
                       image->program, image->arrays[0].name[0]);
  for (unsigned s = 0; s < c->stages; s++) {
    struct sluice_array *array = sluice_image_add_array(image);
    if (!array) return sluice_no_memory(error);
    array->stage = s;
    array->size = words * c->pipes;
    snprintf(array->name[0], sizeof array->name[0], "memory_%u", s);
    struct sluice_write *access = sluice_image_add_write(image);
    if (!access) return sluice_no_memory(error);
    access->table = SLUICE_TABLE_ACCESS;
    access->stage = s;
  }
  return SLUICE_OK;
}

// Tokens of the module, so many that the rounds of a program are the limit.
enum { RATE = 65535, BURST = 255 };

static enum sluice_status put_module(struct sluice_controller *c, const struct sluice_image *image,
                                     struct sluice_error *error) {
  const unsigned vid = c->options.vid;
  struct sluice_plan *plan;
  CONTROLLER_TRY(sluice_plan_copy(&plan, sluice_chip_plan(c->chip), error));
  enum sluice_status status = sluice_plan_find(plan, vid)
                                  ? sluice_plan_replace(plan, image, vid, error)
                                  : sluice_plan_add(plan, image, vid, error);
  if (!status) status = sluice_plan_active(plan, vid, true, error);
  if (!status && c->options.rounds)
    status = sluice_plan_recirculate(plan, vid, 0, RATE, BURST, error);
  if (!status) status = sluice_chip_apply(c->chip, plan, error);
  sluice_plan_close(plan);
  return status;
}

static enum sluice_status make_module(struct sluice_controller *c, unsigned words,
                                      const struct sluice_image *program,
                                      struct sluice_error *error) {
  struct sluice_image image = {.alloc = c->alloc};
  if (program && !sluice_image_copy(&image, program, &c->alloc)) return sluice_no_memory(error);
  if (!program) {
    snprintf(image.config, sizeof image.config, "%s", c->info.name);
    snprintf(image.program, sizeof image.program, "capsules");
    image.layout_hash = sluice_layout_hash();
  }
  enum sluice_status status = add_memory(c, words, &image, error);
  if (!status) status = put_module(c, &image, error);
  sluice_image_release(&image);
  return status;
}

// Where the memory is. `first`: remember it; else it must be where it was.
static enum sluice_status find_memory(struct sluice_controller *c, bool first,
                                      struct sluice_error *error) {
  const struct sluice_plan *plan = sluice_chip_plan(c->chip);
  const struct sluice_placed *m = sluice_plan_find(plan, c->options.vid);
  if (!m)
    return sluice_fail(error, SLUICE_ERR_RANGE, "no module on the chip has VLAN id %u",
                       c->options.vid);
  for (unsigned s = 0; s < c->stages; s++) {
    const struct sluice_segment *g = sluice_plan_segment(plan, m->row, s);
    struct controller_stage *k = &c->stage[s], now;
    memset(&now, 0, sizeof now);
    snprintf(now.name, sizeof now.name, "memory_%u", s);
    if (g && strcmp(g->name[0], now.name) == 0 && !g->pinned)
      now.base = g->base, now.pipe = g->pipe, now.range = g->range;
    if (first) *k = now;
    if (!now.range || now.base != k->base || now.pipe != k->pipe || now.range != k->range)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "array '%s' of VLAN %u is not where it was: another program was loaded",
                         now.name, c->options.vid);
  }
  return SLUICE_OK;
}

// The overlay row of the module, which is there.
static unsigned row_of(const struct sluice_controller *c) {
  return sluice_plan_find(sluice_chip_plan(c->chip), c->options.vid)->row;
}

enum { SOME_IDS = 128 };  // asked for at once; a chip has a power of two of them

// Ids that an earlier controller has left. Regions of ids that are not valid do not matter.
static enum sluice_status clear_ids(struct sluice_controller *c, struct sluice_error *error) {
  const unsigned row = row_of(c);
  const struct sluice_active_tenant nobody = {.valid = false};
  struct sluice_active_tenant t[SOME_IDS];
  CONTROLLER_TRY(sluice_chip_active_settle(c->chip, error));
  const unsigned some = c->ids < SOME_IDS ? c->ids : SOME_IDS;
  for (unsigned at = 0; at < 2 * c->ids; at += some) {
    const unsigned bank = at / c->ids, first = at % c->ids;
    CONTROLLER_TRY(sluice_chip_tenants_get(c->chip, bank, first, some, t, error));
    for (unsigned i = 0; i < some; i++) {
      const unsigned id = first + i;
      if (t[i].valid && t[i].row == row)
        CONTROLLER_TRY(sluice_chip_tenant_set(c->chip, c->options.vid, bank, id, &nobody, error));
      c->bank[bank].tenant_known[id] = true;
    }
  }
  return SLUICE_OK;
}

static enum sluice_status begin(struct sluice_controller *c, const struct sluice_image *program,
                                struct sluice_error *error) {
  CONTROLLER_TRY(check_chip(c, error));
  c->ids = c->info.active_ids;
  c->stages = c->info.back_stages;
  c->pipes = sluice_chip_plan(c->chip)->pipes;
  unsigned words = c->info.state_entries / c->info.pipes;
  if (words > RANGE_MOST / c->pipes) words = RANGE_MOST / c->pipes;
  if (c->options.words > words)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "%u words of a stage and pipeline are wanted, %u can be had",
                       c->options.words, words);
  if (c->options.words) words = c->options.words;
  const struct sluice_memory_shape shape = {.stages = c->stages,
                                            .blocks = words / c->options.block_words,
                                            .block_words = c->options.block_words,
                                            .pipelines = c->pipes};
  c->blocks = shape.blocks;
  CONTROLLER_TRY(
      sluice_allocator_new(&c->allocator, &shape, &c->options.allocator, &c->alloc, error));
  if (!make_lists(c)) return sluice_no_memory(error);
  CONTROLLER_TRY(make_module(c, words, program, error));
  CONTROLLER_TRY(find_memory(c, true, error));
  return clear_ids(c, error);
}

enum sluice_status sluice_controller_new(struct sluice_controller **out, struct sluice_chip *chip,
                                         const struct sluice_image *program,
                                         const struct sluice_controller_options *options,
                                         struct sluice_error *error) {
  struct sluice_controller *c = sluice_zeroed(options->alloc, sizeof *c);
  if (!c) return sluice_no_memory(error);
  c->chip = chip;
  c->options = *options;
  if (options->alloc) c->alloc = *options->alloc;
  if (!c->options.block_words) c->options.block_words = 256;
  sluice_chip_describe(chip, &c->info);
  const enum sluice_status status = begin(c, program, error);
  if (status) sluice_controller_free(c);
  else *out = c;
  return status;
}

// ---- a change -----------------------------------------------------------------------------------

struct change {
  struct sluice_controller *c;
  struct controller_saved *saved;  // until the change stands
  bool shrunk, zeroing, done;      // what packets see; words may be overwritten; the change stands
  struct sluice_controller_answer *answer;
};

static enum sluice_status forward(struct change *h, struct sluice_error *why) {
  struct sluice_controller *c = h->c;
  controller_common(c, &c->now, &c->next, &c->between);
  const bool loses = !controller_same(c, &c->now, &c->between),
             gains = !controller_same(c, &c->between, &c->next);
  if (loses) {
    const enum sluice_status status = controller_show(c, &c->between, &h->shrunk, h->answer, why);
    h->done = h->shrunk && !gains;
    if (status || !gains) return status;
    CONTROLLER_TRY(controller_save(c, &c->now, &c->next, h->saved, h->answer, why));
  }
  h->zeroing = true;
  CONTROLLER_TRY(controller_zero(c, &c->now, &c->next, loses ? h->saved : NULL, h->answer, why));
  return controller_show(c, &c->next, &h->done, h->answer, why);
}

static void keep_saved(struct change *h) {
  struct sluice_controller *c = h->c;
  for (unsigned i = 0; i < c->ids * c->stages; i++) {
    const bool here = c->next.tenant[i / c->stages];
    struct controller_saved *new = &h->saved[i], *old = &c->saved[i];
    if (here && !new->values) continue;
    const struct controller_saved kept = *old;
    *old = here ? *new : (struct controller_saved){.values = NULL};
    if (here) memset(new, 0, sizeof *new);
    if (kept.values) sluice_resize(&c->alloc, kept.values, kept.words.num * sizeof *kept.values, 0);
  }
}

static void count_versions(struct sluice_controller *c) {
  for (unsigned id = 0; id < c->ids; id++) {
    bool differs = c->now.tenant[id] != c->next.tenant[id];
    for (unsigned s = 0; s < c->stages; s++)
      differs |= !controller_alike(controller_region(c, &c->now, id, s),
                                   controller_region(c, &c->next, id, s));
    c->version[id] = (uint16_t)(c->version[id] + differs);
  }
}

static void stands(struct change *h, bool behind) {
  struct sluice_controller *c = h->c;
  if (!behind) behind = controller_write(c, &c->next, h->answer, NULL) != SLUICE_OK;
  h->answer->behind = c->unsure = behind;
  keep_saved(h);
  count_versions(c);
  controller_copy(c, &c->now, &c->next);
}

static enum sluice_status carry_out(struct change *h, struct sluice_error *error) {
  struct sluice_controller *c = h->c;
  struct sluice_error why = {""}, more = {""};
  CONTROLLER_TRY(sluice_allocator_apply(c->allocator, error));
  controller_decided(c, &c->next);
  const enum sluice_status status = forward(h, &why);
  if (h->done) {
    stands(h, status != SLUICE_OK);
    return sluice_allocator_commit(c->allocator, error);
  }
  struct sluice_controller_answer unused = *h->answer;
  const bool taken = h->zeroing && h->shrunk;
  const enum sluice_status failed =
      controller_restore(c, &c->next, taken ? h->saved : NULL, &unused, &more);
  c->unsure = failed != SLUICE_OK;
  if (failed && taken) {
    controller_copy(c, &c->owed_to, &c->next);
    c->owed = h->saved;
    h->saved = NULL;
  }
  SLUICE_TRY(sluice_allocator_undo(c->allocator, error));
  if (!failed) return sluice_fail(error, status, "%.300s; everything is as before", why.text);
  return sluice_fail(error, status,
                     "%.150s; it is to be as before, the next call begins with what could not be "
                     "taken back: %.150s",
                     why.text, more.text);
}

enum sluice_status controller_carry_out(struct sluice_controller *c,
                                        const struct sluice_memory_plan *plan,
                                        struct sluice_controller_answer *answer,
                                        struct sluice_error *error) {
  struct change h = {.c = c, .answer = answer};
  answer->fid = plan->fid;
  answer->moved = plan->num_moved;
  answer->num_accesses = plan->admits ? plan->num_accesses : 0;
  memcpy(answer->position, plan->position, sizeof answer->position);
  memcpy(answer->stage, plan->stage, sizeof answer->stage);
  answer->length = plan->length;
  answer->passes = plan->passes;
  h.saved = sluice_zeroed(&c->alloc, ROOM_REGIONS(c, h.saved));
  if (!h.saved) {
    const enum sluice_status undone = sluice_allocator_undo(c->allocator, error);
    return undone ? undone : sluice_no_memory(error);
  }
  const enum sluice_status status = carry_out(&h, error);
  controller_drop_saved(c, &h.saved);
  answer->version = c->version[plan->fid];
  return status;
}

// ---- calls --------------------------------------------------------------------------------------

static enum sluice_status ready(struct sluice_controller *c, struct sluice_error *error) {
  struct sluice_controller_answer unused = {.fid = 0};
  if (c->waiting)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "program %u waits for residents to make room: one at a time",
                       c->request.fid);
  CONTROLLER_TRY(find_memory(c, false, error));
  CONTROLLER_TRY(controller_end_view(c, error));
  return controller_repair(c, &unused, error);
}

enum sluice_status controller_plan(struct sluice_controller *c,
                                   const struct sluice_memory_request *request,
                                   const struct sluice_memory_plan **plan,
                                   struct sluice_error *error) {
  CONTROLLER_TRY(ready(c, error));
  const unsigned row = row_of(c);
  if (request->fid >= c->ids)
    return sluice_fail(error, SLUICE_ERR_RANGE, "program %u: chip '%s' has ids 0 to %u",
                       request->fid, c->info.name, c->ids - 1);
  for (unsigned bank = 0; bank < 2; bank++) {
    struct sluice_active_tenant t;
    CONTROLLER_TRY(sluice_chip_tenant_get(c->chip, bank, request->fid, &t, error));
    if (t.valid && t.row != row)
      return sluice_fail(error, SLUICE_ERR_RANGE, "id %u is that of a program in module row %u",
                         request->fid, t.row);
  }
  return sluice_allocator_admit(c->allocator, request, plan, error);
}

enum sluice_status sluice_controller_admit(struct sluice_controller *c,
                                           const struct sluice_memory_request *request,
                                           struct sluice_controller_answer *answer,
                                           struct sluice_error *error) {
  struct sluice_controller_answer unwanted;
  const struct sluice_memory_plan *plan;
  if (!answer) answer = &unwanted;
  *answer = (struct sluice_controller_answer){.fid = request->fid};
  CONTROLLER_TRY(controller_plan(c, request, &plan, error));
  return controller_carry_out(c, plan, answer, error);
}

enum sluice_status sluice_controller_release(struct sluice_controller *c, uint16_t fid,
                                             struct sluice_controller_answer *answer,
                                             struct sluice_error *error) {
  struct sluice_controller_answer unwanted;
  const struct sluice_memory_plan *plan;
  if (!answer) answer = &unwanted;
  *answer = (struct sluice_controller_answer){.fid = fid};
  CONTROLLER_TRY(ready(c, error));
  CONTROLLER_TRY(sluice_allocator_release(c->allocator, fid, &plan, error));
  return controller_carry_out(c, plan, answer, error);
}

bool sluice_controller_find(const struct sluice_controller *c, uint16_t fid,
                            struct sluice_controller_tenant *t) {
  if (fid >= c->ids || !c->now.tenant[fid]) return false;
  *t = (struct sluice_controller_tenant){.fid = fid, .version = c->version[fid]};
  for (unsigned s = 0; s < c->stages; s++) {
    const struct sluice_active_region *r = controller_region(c, &c->now, fid, s);
    if (!r->valid) continue;
    t->range[s].valid = true;
    t->range[s].sharded = r->sharded;
    t->range[s].first = r->low;
    t->range[s].last = r->high;
    t->range[s].pipeline = r->pipe;
  }
  return true;
}

const struct sluice_allocator *sluice_controller_allocator(const struct sluice_controller *c) {
  return c->allocator;
}
const uint16_t *sluice_controller_tenants(const struct sluice_controller *c, unsigned *num) {
  return sluice_allocator_tenants(c->allocator, num);
}
const char *sluice_controller_reason(const struct sluice_controller *c) { return c->reason.text; }
bool sluice_controller_waits(const struct sluice_controller *c) { return c->waiting; }

bool sluice_controller_snapshot(const struct sluice_controller *c, uint16_t fid, unsigned stage,
                                struct sluice_controller_snapshot *snapshot) {
  if (fid >= c->ids || stage >= c->stages) return false;
  const struct controller_saved *s = &c->saved[fid * c->stages + stage];
  if (s->values) *snapshot = s->words;
  return s->values != NULL;
}
