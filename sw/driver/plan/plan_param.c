// SPDX-License-Identifier: Apache-2.0
// Malleables of the modules of a plan. The plan keeps the image of each module that has any; new
// values are bound to it (param.h), and the module becomes an update of itself.
#include <sluice/param.h>
#include <string.h>

#include "guard.h"
#include "link.h"
#include "../image/param.h"

bool sluice_plan_source(const struct sluice_plan *plan, const struct sluice_image *image,
                        struct sluice_image **source) {
  *source = NULL;
  if (!image->num_params) return true;
  *source = sluice_zeroed(&plan->alloc, sizeof **source);
  if (!*source) return false;
  if (sluice_image_copy(*source, image, &plan->alloc)) return true;
  sluice_resize(&plan->alloc, *source, sizeof **source, 0);
  *source = NULL;
  return false;
}

void sluice_plan_source_drop(const struct sluice_plan *plan, struct sluice_image **source) {
  if (!*source) return;
  sluice_image_release(*source);
  sluice_resize(&plan->alloc, *source, sizeof **source, 0);
  *source = NULL;
}

bool sluice_plan_source_entry(const struct sluice_placed *placed, enum sluice_table table,
                              unsigned stage, unsigned index, const uint8_t *bytes) {
  struct sluice_image *source = placed->source;
  struct sluice_write *w = NULL;
  if (!source) return true;
  for (size_t i = 0; i < source->num_writes; i++) {
    struct sluice_write *x = &source->writes[i];
    if (x->table == table && x->stage == stage && x->index == index) w = x;
  }
  if (!w) w = sluice_image_add_write(source);
  if (!w) return false;
  w->table = table;
  w->stage = stage;
  w->index = index;
  memcpy(w->bytes, bytes, sluice_table_bytes(table));
  // Its destination is what was written. The list keeps its length, which is that of its memory.
  for (size_t i = 0; i < source->num_set_words; i++) {
    struct sluice_set_word *x = &source->set_words[i];
    if (table == SLUICE_TABLE_ACTION && x->stage == stage && x->index == index)
      x->index = SLUICE_NO_ROW;
  }
  return true;
}

// ---- what there is ------------------------------------------------------------------------------

static const struct sluice_param *param_of(const struct sluice_plan *plan, unsigned vid,
                                           unsigned n) {
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  return placed && placed->source && n < placed->source->num_params ? &placed->source->params[n]
                                                                    : NULL;
}

bool sluice_plan_param(const struct sluice_plan *plan, unsigned vid, unsigned n,
                       struct sluice_param_info *param) {
  const struct sluice_param *p = param_of(plan, vid, n);
  if (!p) return false;
  *param = (struct sluice_param_info){p->name, p->low, p->high, p->value, p->num_choices};
  return true;
}

const char *sluice_plan_param_choice(const struct sluice_plan *plan, unsigned vid, unsigned n,
                                     unsigned choice) {
  const struct sluice_param *p = param_of(plan, vid, n);
  return p && choice < p->num_choices ? p->choice[choice].name : NULL;
}

// ---- setting ------------------------------------------------------------------------------------

// The values of one module's settings into a copy of its image. *changed: one of them is another.
static enum sluice_status give(struct sluice_image *image, unsigned vid,
                               const struct sluice_setting *settings, unsigned num, bool *changed,
                               struct sluice_error *error) {
  *changed = false;
  for (unsigned i = 0; i < num; i++) {
    const struct sluice_setting *s = &settings[i];
    if (s->vid != vid) continue;
    struct sluice_param *p = sluice_image_param(image, s->name);
    if (!p)
      return sluice_fail(error, SLUICE_ERR_NOT_FOUND,
                         "program '%s' (VLAN %u) has no malleable '%.60s'", image->program, vid,
                         s->name);
    const int32_t before = p->value;
    SLUICE_TRY(sluice_param_set(p, s->choice, s->value, error));
    *changed |= p->value != before;
  }
  return SLUICE_OK;
}

// Where nothing is doubled, or nobody sees the old version, entries change in their places.
static enum sluice_status set_in_place(struct sluice_plan *plan, const struct sluice_placed *placed,
                                       const struct sluice_image *image,
                                       struct sluice_error *error) {
  struct sluice_image *source;
  if (!plan->trusted) SLUICE_TRY(sluice_guard(plan->config, image, error));
  if (!sluice_plan_source(plan, image, &source)) return sluice_no_memory(error);
  for (size_t i = 0; i < image->num_relocations; i++) {
    const struct sluice_relocation *r = &image->relocations[i];
    const unsigned at = sluice_by_match_row(r->table)
                            ? sluice_plan_row(plan, placed->row, r->stage, r->index)
                            : placed->row;
    struct sluice_write *w =
        (struct sluice_write *)(uintptr_t)sluice_plan_entry(plan, r->table, r->stage, at);
    for (size_t k = 0; w && k < image->num_writes; k++) {
      const struct sluice_write *from = &image->writes[k];
      if (from->table != r->table || from->stage != r->stage || from->index != r->index) continue;
      const unsigned bits = sluice_tables[r->table].bits;
      sluice_entry_set(w->bytes, bits, r->msb, r->lsb,
                       sluice_entry_get(from->bytes, bits, r->msb, r->lsb));
    }
  }
  struct sluice_placed *mine = &plan->modules[placed - plan->modules];
  sluice_plan_source_drop(plan, &mine->source);
  mine->source = source;
  return SLUICE_OK;
}

static enum sluice_status set_module(struct sluice_plan *plan, unsigned vid,
                                     const struct sluice_setting *settings, unsigned num,
                                     struct sluice_error *error) {
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  struct sluice_image image;
  bool changed;
  if (!placed)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND,
                       "no module of the %u on the chip has VLAN id %u",
                       (unsigned)plan->num_modules, vid);
  if (!placed->source)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "program '%s' (VLAN %u) has no malleables",
                       placed->program, vid);
  if (!sluice_image_copy(&image, placed->source, &plan->alloc)) return sluice_no_memory(error);
  enum sluice_status status = give(&image, vid, settings, num, &changed, error);
  if (!status && changed) {
    const bool trusted = plan->trusted;
    sluice_image_bind(&image);
    plan->trusted = placed->trusted;
    status = plan->config->Banks == 2 ? sluice_plan_update(plan, &image, vid, error)
                                      : set_in_place(plan, placed, &image, error);
    plan->trusted = trusted;
  }
  sluice_image_release(&image);
  return status;
}

enum sluice_status sluice_plan_set_params(struct sluice_plan *plan,
                                          const struct sluice_setting *settings, unsigned num,
                                          struct sluice_error *error) {
  struct sluice_plan next;
  enum sluice_status status = SLUICE_OK;
  if (!sluice_plan_copy_into(&next, plan)) return sluice_no_memory(error);
  for (unsigned i = 0; i < num && !status; i++) {
    bool done = false;
    for (unsigned k = 0; k < i; k++) done |= settings[k].vid == settings[i].vid;
    if (!done) status = set_module(&next, settings[i].vid, settings, num, error);
  }
  if (status) {
    sluice_plan_release(&next);
    return status;
  }
  sluice_plan_release(plan);
  *plan = next;
  return SLUICE_OK;
}
