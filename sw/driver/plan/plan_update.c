// SPDX-License-Identifier: Apache-2.0
// A new version of a module beside the old one: rows that both have are shared, arrays that stay
// keep their slots, and everything else takes what neither the plan nor the plan before its updates
// has.
#include <string.h>

#include "../image/capability.h"
#include "guard.h"
#include "link.h"
#include "port_rows.h"
#include "room.h"
#include "table_plan.h"

struct update {
  struct sluice_plan *next;  // next->before is what is on the chip
  const struct sluice_image *image;
  struct sluice_placed *placed;
  struct sluice_error *error;
};

// ---- match rows ---------------------------------------------------------------------------------

// The bytes that entry `number` of the image will have; zeros if it has none.
static void entry_of(const struct update *u, enum sluice_table table, unsigned stage,
                     unsigned number, struct sluice_write *w) {
  *w = (struct sluice_write){.table = table, .stage = stage};
  for (size_t i = 0; i < u->image->num_writes; i++) {
    const struct sluice_write *x = &u->image->writes[i];
    if (x->table == table && x->stage == stage && x->index == number) *w = *x;
  }
  w->index = number;
  sluice_port_rows_link(u->next, u->image, u->placed->row, w);
  sluice_link(w, 0, u->placed, NULL);
}

static bool same_entry(const struct update *u, enum sluice_table table, unsigned stage,
                       unsigned number, unsigned at) {
  static const uint8_t zeros[SLUICE_ENTRY_BYTES];
  const struct sluice_write *old = sluice_plan_entry(u->next->before, table, stage, at);
  struct sluice_write new;
  entry_of(u, table, stage, number, &new);
  return memcmp(old ? old->bytes : zeros, new.bytes, sizeof new.bytes) == 0;
}

static bool is_behind(const struct update *u, unsigned stage) {
  return sluice_placed_behind(u->placed, stage);
}

// Rows behind the match rows have no key.
static bool same_row(const struct update *u, unsigned stage, unsigned number, unsigned at) {
  bool same = is_behind(u, stage) || same_entry(u, SLUICE_TABLE_MATCH, stage, number, at);
  for (unsigned t = 0; t < SLUICE_ROW_TABLES && same; t++)
    same = same_entry(u, sluice_row_tables[t], stage, number, at);
  return same;
}

// The last entry before `number` with the same key: it wins, so it must stand in a lower row.
static unsigned twin_of(const struct update *u, unsigned stage, unsigned number) {
  struct sluice_write mine, other;
  if (is_behind(u, stage)) return SLUICE_NO_ROW;
  entry_of(u, SLUICE_TABLE_MATCH, stage, number, &mine);
  for (unsigned n = number; n-- > 0;) {
    entry_of(u, SLUICE_TABLE_MATCH, stage, n, &other);
    if (memcmp(mine.bytes, other.bytes, sizeof mine.bytes) == 0) return n;
  }
  return SLUICE_NO_ROW;
}

// The row of the old version that can be this entry's, or SLUICE_NO_ROW.
static unsigned shared_row(const struct update *u, unsigned stage, unsigned number,
                           const unsigned *at) {
  const struct sluice_plan *old = u->next->before;
  const unsigned twin = twin_of(u, stage, number);
  unsigned low, high;
  sluice_room_range(old->config, is_behind(u, stage), &low, &high);
  for (size_t i = 0; i < old->num_rows; i++) {
    const struct sluice_row *r = &old->rows[i];
    bool is_free = r->stage == stage && r->owner == u->placed->row && r->at >= low &&
                   r->at < high &&
                   (twin == SLUICE_NO_ROW || (at[twin] != SLUICE_NO_ROW && at[twin] < r->at));
    for (unsigned n = 0; n < number && is_free; n++) is_free = at[n] != r->at;
    if (is_free && same_row(u, stage, number, r->at)) return r->at;
  }
  return SLUICE_NO_ROW;
}

static enum sluice_status place_rows(const struct update *u, unsigned stage) {
  const struct sluice_config *c = u->next->config;
  const unsigned num = u->placed->num_rows[stage];
  const bool table = is_behind(u, stage);
  bool taken[SLUICE_ROWS_MOST];
  unsigned at[SLUICE_MATCH_MOST], fresh = 0, low, high;
  const unsigned room = sluice_room_taken(u->next, stage, table, taken);
  sluice_room_range(c, table, &low, &high);
  for (unsigned n = 0; n < num; n++) {
    at[n] = shared_row(u, stage, n, at);
    fresh += at[n] == SLUICE_NO_ROW;
  }
  bool fits = true;
  for (unsigned n = 0; n < num && fits; n++) {
    if (at[n] == SLUICE_NO_ROW) {
      const unsigned twin = twin_of(u, stage, n);
      unsigned row = twin == SLUICE_NO_ROW ? low : at[twin] + 1;
      while (row < high && taken[row]) row++;
      fits = row < high;
      if (fits) taken[at[n] = row] = true;
    }
    if (fits)
      u->next->rows[u->next->num_rows++] = (struct sluice_row){stage, at[n], u->placed->row, n};
  }
  if (fits) return SLUICE_OK;
  unsigned number;
  const char *kind = sluice_stage_kind(c, stage, &number);
  return sluice_fail(
      u->error, SLUICE_ERR_FULL,
      "module '%s' (VLAN %u) needs %u %s in %s stage %u for what differs, %u of %u are free",
      u->image->program, u->placed->vid, fresh, table ? "rows of actions" : "match rows", kind,
      number, room, high - low);
}

// ---- arrays -------------------------------------------------------------------------------------

// The segment of the old version that an array goes on with: all that is named in it was there
// under the same name.
static const struct sluice_segment *kept(const struct update *u, const struct sluice_array *array) {
  const struct sluice_plan *old = u->next->before;
  for (size_t i = 0; i < old->num_segments; i++) {
    const struct sluice_segment *s = &old->segments[i];
    bool same = s->row == u->placed->row && s->stage == array->stage && s->range == array->size &&
                s->pinned == (array->pinned != 0);
    for (unsigned w = 0; w < 2; w++)
      same &= !array->name[w][0] || strcmp(s->name[w], array->name[w]) == 0;
    same &= strcmp(s->rows, array->row) == 0 && s->words == array->words;
    if (same) return s;
  }
  return NULL;
}

static enum sluice_status place_array(const struct update *u, const struct sluice_array *array) {
  struct sluice_plan *next = u->next;
  struct sluice_segment *segment = &next->segments[next->num_segments];
  const struct sluice_segment *old = kept(u, array);
  if (old) {
    *segment = *old;
    segment->s1 = (uint32_t)array->init[0];
    segment->s2 = (uint32_t)array->init[1];
    memcpy(segment->name, array->name, sizeof segment->name);
  } else {
    SLUICE_TRY(sluice_room_slots(next, u->placed, array, segment, u->error));
  }
  next->num_segments++;
  next->fills[next->num_fills++] =
      (struct sluice_fill){segment->stage, segment->row, segment->s1, segment->s2};
  return SLUICE_OK;
}

// ---- all of it ----------------------------------------------------------------------------------

static enum sluice_status place_beside(const struct update *u) {
  struct sluice_plan *next = u->next;
  const struct sluice_segment *at[SLUICE_MAX_STAGES] = {0};
  for (size_t i = 0; i < u->image->num_arrays; i++) {
    const struct sluice_array *array = &u->image->arrays[i];
    enum sluice_status status =
        sluice_capable_array(next->config, u->image, array,
                             array->stage < SLUICE_MAX_STAGES && at[array->stage], u->error);
    if (!status) status = place_array(u, array);
    if (status) return status;
    at[array->stage] = &next->segments[next->num_segments - 1];
  }
  // Rows of actions name those of ports.
  SLUICE_TRY(sluice_port_rows_add(next, u->image, u->placed, u->error));
  for (unsigned s = 0; s < sluice_config_stages(next->config); s++) {
    const enum sluice_status status = u->placed->num_rows[s] ? place_rows(u, s) : SLUICE_OK;
    if (status) return status;
  }
  sluice_plan_link(next, u->image, u->placed, at);
  return sluice_plan_tables_update(next, u->image, u->placed, u->error);
}

// What does not fit beside the old version may fit in its place.
static enum sluice_status full(const struct sluice_plan *before, const struct sluice_image *image,
                               unsigned vid, struct sluice_error *error) {
  struct sluice_plan *other;
  struct sluice_error why = error ? *error : (struct sluice_error){""};
  if (sluice_plan_copy(&other, before, NULL)) return SLUICE_ERR_FULL;
  other->trusted = true;
  const bool would = sluice_plan_replace(other, image, vid, NULL) == SLUICE_OK;
  sluice_plan_close(other);
  return sluice_fail(
      error, SLUICE_ERR_FULL,
      "%.250s beside the version that runs; 'replace', which drops its packets meanwhile, would %s",
      why.text, would ? "do" : "not do either");
}

enum sluice_status sluice_plan_update(struct sluice_plan *plan, const struct sluice_image *image,
                                      unsigned vid, struct sluice_error *error) {
  const struct sluice_placed *old = sluice_plan_find(plan, vid);
  if (!old || (plan->before && !sluice_plan_find(plan->before, vid)))
    return sluice_plan_replace(plan, image, vid, error);
  if (!sluice_config_is(plan->config, image->config))
    return sluice_fail(error, SLUICE_ERR_FOREIGN, "module '%s' is made for chip '%s', this is '%s'",
                       image->program, image->config, plan->config->name);
  unsigned num_rows[SLUICE_MAX_STAGES];
  enum sluice_status status = sluice_room_count(plan, image, num_rows, error);
  if (!status && !plan->trusted) status = sluice_guard(plan->config, image, error);
  if (status) return status;

  struct sluice_plan next;
  if (!sluice_plan_copy_into(&next, plan)) return sluice_no_memory(error);
  if (!next.before) status = sluice_plan_copy(&next.before, plan, error);
  if (!status && !sluice_plan_reserve(&next, sluice_plan_link_most(image), image->num_arrays,
                                      sluice_sum_rows(num_rows)))
    status = sluice_no_memory(error);
  struct sluice_placed *placed = &next.modules[old - plan->modules];
  struct sluice_image *source = NULL;
  if (!status && !sluice_plan_source(plan, image, &source)) status = sluice_no_memory(error);
  // What images bring; what the operator gave the module stays.
  sluice_plan_take_out(&next, placed->row, true);
  placed->load = ++next.loads;
  memcpy(placed->num_rows, num_rows, sizeof placed->num_rows);
  sluice_placed_stages(placed, image);
  memcpy(placed->program, image->program, sizeof placed->program);
  const struct update u = {&next, image, placed, error};
  // New arrays go where those of the module are.
  next.first = placed->first;
  if (!status) status = place_beside(&u);
  next.first = plan->first;
  if (status == SLUICE_ERR_FULL) status = full(next.before, image, vid, error);
  sluice_plan_source_drop(&next, &placed->source);
  placed->source = source;
  placed->trusted = plan->trusted;
  if (status) {
    sluice_plan_release(&next);
    return status;
  }
  sluice_plan_release(plan);
  *plan = next;
  return SLUICE_OK;
}
