// SPDX-License-Identifier: Apache-2.0
// What was decided as entries of the chip, and the chip brought to it: always in the bank that no
// packet sees.
#include <string.h>

#include "controller_inner.h"

// ---- views --------------------------------------------------------------------------------------

void controller_copy(const struct sluice_controller *c, struct controller_view *to,
                     const struct controller_view *from) {
  memcpy(to->tenant, from->tenant, c->ids * sizeof *to->tenant);
  memcpy(to->region, from->region, (size_t)c->ids * c->stages * sizeof *to->region);
}

bool controller_alike(const struct sluice_active_region *a, const struct sluice_active_region *b) {
  if (!a->valid || !b->valid) return a->valid == b->valid;
  return a->sharded == b->sharded && a->pipe == b->pipe && a->low == b->low && a->high == b->high &&
         a->base == b->base;
}

bool controller_same(const struct sluice_controller *c, const struct controller_view *a,
                     const struct controller_view *b) {
  for (unsigned id = 0; id < c->ids; id++) {
    if (a->tenant[id] != b->tenant[id]) return false;
    for (unsigned s = 0; a->tenant[id] && s < c->stages; s++)
      if (!controller_alike(controller_region(c, a, id, s), controller_region(c, b, id, s)))
        return false;
  }
  return true;
}

// The entry for blocks of the allocator.
static struct sluice_active_region entry_of(const struct sluice_controller *c,
                                            const struct sluice_memory_region *r) {
  const struct controller_stage *stage = &c->stage[r->stage];
  const bool sharded = r->pipeline == SLUICE_ALL_PIPELINES;
  const unsigned many = sharded ? c->pipes : 1;
  uint32_t first, last;
  sluice_allocator_words(c->allocator, r, &first, &last);
  const uint32_t low = c->options.from_zero ? 0 : first * many;
  return (struct sluice_active_region){.valid = true,
                                       .sharded = sharded,
                                       .pipe = stage->pipe + (sharded ? 0 : r->pipeline),
                                       .low = low,
                                       .high = low + (last - first + 1) * many - 1,
                                       .base = stage->base + first};
}

void controller_decided(const struct sluice_controller *c, struct controller_view *view) {
  unsigned num;
  const uint16_t *tenants = sluice_allocator_tenants(c->allocator, &num);
  memset(view->tenant, 0, c->ids * sizeof *view->tenant);
  memset(view->region, 0, (size_t)c->ids * c->stages * sizeof *view->region);
  for (unsigned i = 0; i < num; i++) view->tenant[tenants[i]] = true;
  for (unsigned s = 0; s < c->stages; s++) {
    const struct sluice_memory_region *r = sluice_allocator_stage(c->allocator, s, &num);
    for (unsigned i = 0; i < num; i++)
      *controller_region(c, view, r[i].fid, s) = entry_of(c, &r[i]);
  }
}

// The part keeps the addresses that it has in `a`.
static struct sluice_active_region common_region(const struct sluice_controller *c,
                                                 const struct sluice_active_region *a,
                                                 const struct sluice_active_region *b) {
  struct sluice_active_region r = {.valid = false};
  if (!a->valid || !b->valid || a->sharded != b->sharded || a->pipe != b->pipe) return r;
  const unsigned many = a->sharded ? c->pipes : 1, end_a = a->base + controller_slots(c, a),
                 end_b = b->base + controller_slots(c, b);
  const unsigned first = a->base > b->base ? a->base : b->base, end = end_a < end_b ? end_a : end_b;
  if (first >= end) return r;
  r = *a;
  r.base = first;
  r.low = a->low + (first - a->base) * many;
  r.high = r.low + (end - first) * many - 1;
  return r;
}

void controller_common(const struct sluice_controller *c, const struct controller_view *from,
                       const struct controller_view *to, struct controller_view *common) {
  for (unsigned id = 0; id < c->ids; id++) {
    common->tenant[id] = from->tenant[id] && to->tenant[id];
    for (unsigned s = 0; s < c->stages; s++)
      *controller_region(c, common, id, s) =
          common_region(c, controller_region(c, from, id, s), controller_region(c, to, id, s));
  }
}

// ---- the chip -----------------------------------------------------------------------------------

static enum sluice_status idle_bank(struct sluice_controller *c, unsigned *idle,
                                    struct sluice_error *error) {
  unsigned taken;
  if (!sluice_chip_bank(c->chip, c->options.vid, &taken))
    return sluice_fail(error, SLUICE_ERR_RANGE, "no module on the chip has VLAN id %u",
                       c->options.vid);
  *idle = !taken;
  return SLUICE_OK;
}

// What ADDR_MASK_k and ADDR_OFFSET_k do in a stage: k is the next stage with words of the program.
static struct sluice_active_address address_of(const struct sluice_controller *c,
                                               const struct controller_view *view, unsigned id,
                                               unsigned stage) {
  struct sluice_active_address a = {.valid = false};
  for (unsigned i = 1; i <= c->stages && !a.valid; i++) {
    const unsigned k = (stage + i) % c->stages;
    const struct sluice_active_region *r = controller_region(c, view, id, k);
    if (!r->valid) continue;
    a = (struct sluice_active_address){.valid = true, .k = k, .offset = r->low};
    while (2 * a.mask + 1 <= r->high - r->low) a.mask = 2 * a.mask + 1;
  }
  return a;
}

static enum sluice_status write_addresses(struct sluice_controller *c, unsigned bank, unsigned id,
                                          const struct controller_view *view,
                                          struct sluice_controller_answer *answer,
                                          struct sluice_error *error) {
  struct controller_bank *b = &c->bank[bank];
  if (!c->options.translate || !view->tenant[id]) return SLUICE_OK;
  for (unsigned s = 0; s < c->stages; s++) {
    const unsigned at = id * c->stages + s;
    const struct sluice_active_address a = address_of(c, view, id, s), *old = &b->address[at];
    if (b->address_known[at] && a.valid == old->valid && a.k == old->k && a.mask == old->mask &&
        a.offset == old->offset)
      continue;
    b->address_known[at] = false;
    answer->entries++;
    CONTROLLER_TRY(sluice_chip_address_set(c->chip, c->options.vid, bank, id, s, &a, error));
    b->address[at] = a;
    b->address_known[at] = true;
  }
  return SLUICE_OK;
}

// Regions first, so that an id is never valid with entries of somebody before.
static enum sluice_status write_id(struct sluice_controller *c, unsigned bank, unsigned id,
                                   const struct controller_view *view,
                                   struct sluice_controller_answer *answer,
                                   struct sluice_error *error) {
  struct controller_bank *b = &c->bank[bank];
  for (unsigned s = 0; view->tenant[id] && s < c->stages; s++) {
    const unsigned at = id * c->stages + s;
    if (b->region_known[at] && controller_alike(&b->view.region[at], &view->region[at])) continue;
    b->region_known[at] = false;
    answer->entries++;
    CONTROLLER_TRY(
        sluice_chip_region_set(c->chip, c->options.vid, bank, id, s, &view->region[at], error));
    b->view.region[at] = view->region[at];
    b->region_known[at] = true;
  }
  CONTROLLER_TRY(write_addresses(c, bank, id, view, answer, error));
  if (b->tenant_known[id] && b->view.tenant[id] == view->tenant[id]) return SLUICE_OK;
  const struct sluice_active_tenant tenant = {.valid = view->tenant[id],
                                              .drop = c->options.drop,
                                              .report = !c->options.drop,
                                              .rounds = c->options.rounds};
  b->tenant_known[id] = false;
  answer->entries++;
  CONTROLLER_TRY(sluice_chip_tenant_set(c->chip, c->options.vid, bank, id, &tenant, error));
  b->view.tenant[id] = view->tenant[id];
  b->tenant_known[id] = true;
  return SLUICE_OK;
}

enum sluice_status controller_write(struct sluice_controller *c, const struct controller_view *view,
                                    struct sluice_controller_answer *answer,
                                    struct sluice_error *error) {
  unsigned idle = 0;
  CONTROLLER_TRY(idle_bank(c, &idle, error));
  sluice_chip_active_gather(c->chip);
  enum sluice_status status = SLUICE_OK;
  for (unsigned id = 0; !status && id < c->ids; id++)
    status = write_id(c, idle, id, view, answer, error);
  const enum sluice_status sent = sluice_chip_active_send(c->chip, status ? NULL : error);
  if (!status) status = sent;
  // What was kept and not sent is taken for written above.
  struct controller_bank *b = &c->bank[idle];
  if (status) {
    memset(b->tenant_known, 0, c->ids * sizeof *b->tenant_known);
    memset(b->region_known, 0, (size_t)c->ids * c->stages * sizeof *b->region_known);
    if (b->address_known)
      memset(b->address_known, 0, (size_t)c->ids * c->stages * sizeof *b->address_known);
  }
  return status;
}

enum sluice_status controller_show(struct sluice_controller *c, const struct controller_view *view,
                                   bool *flipped, struct sluice_controller_answer *answer,
                                   struct sluice_error *error) {
  unsigned before, now;
  *flipped = false;
  CONTROLLER_TRY(sluice_chip_active_settle(c->chip, error));
  CONTROLLER_TRY(controller_write(c, view, answer, error));
  if (!sluice_chip_bank(c->chip, c->options.vid, &before)) before = 0;
  const enum sluice_status status =
      sluice_chip_active_flip(c->chip, c->options.vid, flipped, NULL, error);
  // A flip without an answer: the chip is asked once more.
  if (status && !*flipped && !sluice_chip_active_settle(c->chip, NULL))
    *flipped = sluice_chip_bank(c->chip, c->options.vid, &now) && now != before;
  answer->flips += *flipped;
  return status;
}

// Whether packets are known to find `view`.
static bool controller_sees(const struct sluice_controller *c, const struct controller_view *view) {
  unsigned taken;
  if (!sluice_chip_bank(c->chip, c->options.vid, &taken)) return false;
  const struct controller_bank *b = &c->bank[taken];
  for (unsigned id = 0; id < c->ids; id++) {
    if (!b->tenant_known[id] || b->view.tenant[id] != view->tenant[id]) return false;
    for (unsigned s = 0; view->tenant[id] && s < c->stages; s++) {
      const unsigned at = id * c->stages + s;
      if (!b->region_known[at] || !controller_alike(&b->view.region[at], &view->region[at]))
        return false;
    }
  }
  return true;
}

enum sluice_status controller_restore(struct sluice_controller *c, const struct controller_view *to,
                                      const struct controller_saved *saved,
                                      struct sluice_controller_answer *answer,
                                      struct sluice_error *error) {
  bool flipped;
  CONTROLLER_TRY(controller_end_cut(c, error));
  CONTROLLER_TRY(controller_end_view(c, error));
  CONTROLLER_TRY(sluice_chip_active_settle(c->chip, error));
  if (saved) {
    controller_common(c, &c->now, to, &c->between);
    if (!controller_sees(c, &c->between))
      CONTROLLER_TRY(controller_show(c, &c->between, &flipped, answer, error));
    CONTROLLER_TRY(controller_put_back(c, &c->now, to, saved, error));
  }
  if (!controller_sees(c, &c->now))
    CONTROLLER_TRY(controller_show(c, &c->now, &flipped, answer, error));
  return controller_write(c, &c->now, answer, error);
}

enum sluice_status controller_repair(struct sluice_controller *c,
                                     struct sluice_controller_answer *answer,
                                     struct sluice_error *error) {
  if (!c->unsure) return SLUICE_OK;
  CONTROLLER_TRY(controller_restore(c, &c->owed_to, c->owed, answer, error));
  controller_drop_saved(c, &c->owed);
  c->unsure = false;
  return SLUICE_OK;
}
