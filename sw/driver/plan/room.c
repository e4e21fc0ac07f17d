// SPDX-License-Identifier: Apache-2.0
#include "room.h"

#include <string.h>

#include "allocate.h"
#include "../image/capability.h"
#include "../image/image_tables.h"
#include "link.h"

// ---- match rows ---------------------------------------------------------------------------------

enum sluice_status sluice_room_count(const struct sluice_plan *plan,
                                     const struct sluice_image *image,
                                     unsigned num_rows[SLUICE_MAX_STAGES],
                                     struct sluice_error *error) {
  memset(num_rows, 0, SLUICE_MAX_STAGES * sizeof *num_rows);
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *w = &image->writes[i];
    SLUICE_TRY(sluice_capable(plan->config, image, w, error));
    if (sluice_by_match_row(w->table) && w->index >= num_rows[w->stage])
      num_rows[w->stage] = w->index + 1;
  }
  char why[200];
  if (!sluice_image_check_tables(plan->config, image, why, sizeof why))
    return sluice_fail(error, SLUICE_ERR_RANGE, "module '%s': %s", image->program, why);
  return SLUICE_OK;
}

static void mark_rows(const struct sluice_plan *plan, unsigned stage, bool *taken) {
  for (size_t i = 0; i < plan->num_rows; i++)
    if (plan->rows[i].stage == stage) taken[plan->rows[i].at] = true;
}

void sluice_room_range(const struct sluice_config *c, bool table, unsigned *low, unsigned *high) {
  *low = table ? c->MatchEntries : 0;
  *high = c->MatchEntries + (table ? c->ExtraActions : 0);
}

unsigned sluice_room_taken(const struct sluice_plan *plan, unsigned stage, bool table,
                           bool taken[SLUICE_ROWS_MOST]) {
  unsigned num = 0, low, high;
  memset(taken, 0, SLUICE_ROWS_MOST * sizeof *taken);
  mark_rows(plan, stage, taken);
  if (plan->before) mark_rows(plan->before, stage, taken);
  sluice_room_range(plan->config, table, &low, &high);
  for (unsigned i = low; i < high; i++) num += !taken[i];
  return num;
}

// The lowest free rows side by side in a range.
static bool lowest_run(const bool *taken, unsigned low, unsigned high, unsigned num,
                       unsigned *first) {
  unsigned run = 0;
  for (unsigned at = low; at < high; at++) {
    run = taken[at] ? 0 : run + 1;
    if (run < num) continue;
    *first = at + 1 - num;
    return true;
  }
  return false;
}

// Runs of rows that are taken, as spans.
static size_t spans_of(const bool *taken, unsigned size, struct sluice_span *spans) {
  size_t num = 0;
  for (unsigned i = 0; i < size; i++) {
    if (!taken[i]) continue;
    if (num && spans[num - 1].base + spans[num - 1].len == i) spans[num - 1].len++;
    else spans[num++] = (struct sluice_span){i, 1};
  }
  return num;
}

enum sluice_status sluice_room_rows(const struct sluice_plan *plan,
                                    const struct sluice_placed *placed,
                                    unsigned first[SLUICE_MAX_STAGES], struct sluice_error *error) {
  const struct sluice_config *c = plan->config;
  struct sluice_span spans[SLUICE_MATCH_MOST / 2 + 1];
  bool taken[SLUICE_ROWS_MOST];
  for (unsigned s = 0; s < sluice_config_stages(c); s++) {
    first[s] = 0;
    if (placed->num_rows[s] == 0) continue;
    const bool behind = sluice_placed_behind(placed, s);
    const unsigned room = sluice_room_taken(plan, s, behind, taken);
    if (behind) {
      unsigned low, high;
      sluice_room_range(c, true, &low, &high);
      if (lowest_run(taken, low, high, placed->num_rows[s], &first[s])) continue;
      return sluice_fail(error, SLUICE_ERR_FULL,
                         "module '%s' (VLAN %u) needs %u rows of actions side by side behind the "
                         "match rows of stage %u, %u of %u are free",
                         placed->program, placed->vid, placed->num_rows[s], s, room,
                         c->ExtraActions);
    }
    const size_t num = spans_of(taken, c->MatchEntries, spans);
    if (sluice_fit_low(spans, num, c->MatchEntries, placed->num_rows[s], &first[s])) continue;
    unsigned number;
    const char *kind = sluice_stage_kind(c, s, &number);
    return sluice_fail(
        error, SLUICE_ERR_FULL,
        "module '%s' (VLAN %u) needs %u match rows in %s stage %u, %u of %u are free",
        placed->program, placed->vid, placed->num_rows[s], kind, number,
        sluice_fit_room(spans, num, c->MatchEntries), c->MatchEntries);
  }
  return SLUICE_OK;
}

// ---- slots --------------------------------------------------------------------------------------

// in a stage: of each module, the old one and the new one
enum { SEGMENTS_MOST = 2 * SLUICE_MAX_ROWS };

static unsigned len_of(const struct sluice_segment *s) {
  return s->pinned ? s->range : s->range / s->pipes + (s->range % s->pipes != 0);
}

static bool in_pipes(const struct sluice_segment *s, unsigned first, unsigned pipes) {
  return s->pipe < first + pipes && first < s->pipe + (s->pinned ? 1 : s->pipes);
}

bool sluice_room_overlap(const struct sluice_segment *a, const struct sluice_segment *b) {
  return a->stage == b->stage && in_pipes(a, b->pipe, b->pinned ? 1 : b->pipes) &&
         a->base < b->base + len_of(b) && b->base < a->base + len_of(a);
}

static size_t add_slots(const struct sluice_plan *plan, unsigned stage, unsigned first,
                        unsigned pipes, struct sluice_span *taken, size_t num) {
  for (size_t i = 0; i < plan->num_segments; i++) {
    const struct sluice_segment *s = &plan->segments[i];
    if (s->stage == stage && in_pipes(s, first, pipes))
      taken[num++] = (struct sluice_span){s->base, len_of(s)};
  }
  return num;
}

// The slots of a stage that are taken in any of `pipes` pipelines from `first` on.
static size_t taken_slots(const struct sluice_plan *plan, unsigned stage, unsigned first,
                          unsigned pipes, struct sluice_span *taken) {
  const size_t num = add_slots(plan, stage, first, pipes, taken, 0);
  return plan->before ? add_slots(plan->before, stage, first, pipes, taken, num) : num;
}

// The pipeline whose highest free place for `need` slots is highest; if there is none, *room is the
// most that one has.
static bool highest_pipe(const struct sluice_plan *plan, unsigned stage, unsigned need,
                         unsigned *pipe, unsigned *base, unsigned *room) {
  const unsigned slots = sluice_config_slots(plan->config);
  const bool egress = sluice_stage_is_egress(plan->config, stage);
  const unsigned from = egress      ? 0  // all lanes are alike
                        : plan->pin ? plan->pin_pipe
                                    : plan->first,
                 to = plan->pin || egress ? from + 1 : plan->first + plan->pipes;
  struct sluice_span taken[SEGMENTS_MOST];
  bool found = false;
  *room = 0;
  for (unsigned p = from; p < to; p++) {
    const size_t num = taken_slots(plan, stage, p, 1, taken);
    const unsigned free_here = sluice_fit_room(taken, num, slots);
    unsigned at;
    if (free_here > *room) *room = free_here;
    if (!sluice_fit_high(taken, num, slots, need, &at) || (found && at <= *base)) continue;
    *pipe = p;
    *base = at;
    found = true;
  }
  return found;
}

enum sluice_status sluice_room_slots(const struct sluice_plan *plan,
                                     const struct sluice_placed *placed,
                                     const struct sluice_array *array,
                                     struct sluice_segment *segment, struct sluice_error *error) {
  const struct sluice_config *c = plan->config;
  const unsigned slots = sluice_config_slots(c);
  memset(segment, 0, sizeof *segment);
  segment->pipe = plan->first;
  segment->pipes = plan->pipes;
  segment->stage = array->stage;
  segment->row = placed->row;
  segment->load = placed->load;
  segment->range = array->size;
  segment->pinned = array->pinned != 0;
  segment->s1 = (uint32_t)array->init[0];
  segment->s2 = (uint32_t)array->init[1];
  memcpy(segment->name, array->name, sizeof segment->name);
  memcpy(segment->rows, array->row, sizeof segment->rows);
  segment->words = array->words;

  const bool in_set = plan->pin_pipe >= plan->first && plan->pin_pipe < plan->first + plan->pipes;
  const bool egress = sluice_stage_is_egress(c, array->stage);
  if (plan->pin && !egress && (!segment->pinned || !in_set))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "module '%s' (VLAN %u): array '%s' cannot be in pipeline %u alone: %s",
                       placed->program, placed->vid, sluice_array_name(array), plan->pin_pipe,
                       segment->pinned ? "the chip, or the set of the module, has no such pipeline"
                                       : "the image was not compiled with --pin");
  unsigned need = array->size, room = 0, number;
  const char *kind = sluice_stage_kind(c, array->stage, &number);
  bool found;
  if (segment->pinned) {
    found = highest_pipe(plan, array->stage, need, &segment->pipe, &segment->base, &room);
  } else {
    struct sluice_span taken[SEGMENTS_MOST];
    const size_t num = taken_slots(plan, array->stage, plan->first, plan->pipes, taken);
    need = array->size / plan->pipes + (array->size % plan->pipes != 0);
    found = sluice_fit_low(taken, num, slots, need, &segment->base);
    if (!found) room = sluice_fit_room(taken, num, slots);
  }
  if (found) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_FULL,
                     "module '%s' (VLAN %u): array '%s' needs %u state slots in %s of %s stage %u, "
                     "%u of %u are free",
                     placed->program, placed->vid, sluice_array_name(array), need,
                     egress            ? "each lane"
                     : segment->pinned ? "one pipeline"
                                       : "each pipeline",
                     kind, number, room, slots);
}
