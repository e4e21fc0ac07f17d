// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "study.h"

const struct study_option study_option_table[] = {
#define STUDY_ROW(field, name, preset, least, most, help) \
  {name, offsetof(struct study_options, field), preset, least, most, help},
    STUDY_OPTIONS(STUDY_ROW)
#undef STUDY_ROW
        {0}};

const char *const study_mode_names[STUDY_MODES] = {"ours",        "mp5",           "no-remap",
                                                   "no-phantoms", "recirculation", "one-pipeline"};

int study_mode_find(const char *name) {
  for (int i = 0; i < STUDY_MODES; i++)
    if (strcmp(study_mode_names[i], name) == 0) return i;
  return -1;
}

// MP5, sections 3.2, 3.4 and 4.3: packets move a stage a cycle and phantoms as fast on a network of
// their own; stateless ones stay in their pipeline and go first; FIFOs are as deep as it takes;
// every 100 cycles one index of a stage moves, and only if no packet for it is in flight.
static void as_mp5(struct study_options *o) {
  o->hop = o->phantom = o->credit = o->report = o->steered = 1;
  o->bank = o->depth = o->pace = o->brake = o->escape = 0;
  o->steer = o->spray = o->lists = o->masks = o->in_flight = o->beat = o->base = o->head = o->exit =
      o->wary = 0;
  o->first = 1;
  o->overflow = 1;
  o->remap = 1;
  o->period = 100;
  o->phase = 0;
  o->moves = 1;
  o->least = o->sample = 0;
  o->guard = o->forget = 1;
  o->relocated = o->busiest = SLUICE_TRACE_ENTRIES;
}

void study_options_init(struct study_options *o, enum study_mode mode) {
  study_preset(o, study_option_table);
  o->mode = mode;
  if (mode != STUDY_OURS) as_mp5(o);
  switch (mode) {
    case STUDY_NO_REMAP:
    case STUDY_RECIRCULATION:
      o->period = 0;
      o->place = 2;
      break;
    case STUDY_NO_PHANTOMS: o->phantoms = 0; break;
    case STUDY_ONE_PIPELINE:
      o->period = 0;
      o->place = 3;
      break;
    case STUDY_OURS:
    case STUDY_MP5:
    case STUDY_MODES: break;
  }
}

enum sluice_status study_set(struct study_options *o, const char *name, const char *value,
                             struct sluice_error *error) {
  return study_give(o, study_option_table, name, value, error);
}

void study_set_chip(struct study_options *o, const struct sluice_config *c) {
  o->beat = (int32_t)c->BeatBytes;
  o->bank = (int32_t)c->BankDepth;
  o->depth = (int32_t)c->PhantomDepth;
  o->in_flight = (int32_t)c->Window;
  o->lane_limit = (int32_t)(c->LaneDepth - c->LaneDepth / 4);
  o->lane_ahead = (int32_t)(10 + 8 * c->FrontStages);
  // The driver lets moves begin 286 cycles before a trace comes to the order point of a chip
  // without front stages; the counters are cleared first.
  int32_t phase = (int32_t)(286 + 8 * c->FrontStages) - (int32_t)(c->CountEntries / 2);
  o->phase = phase > 0 ? phase : 0;
  o->table = (int32_t)c->CountEntries;
  o->relocated = (int32_t)c->Relocations;
  o->stages = (int32_t)c->BackStages;
}

static bool power_of_two(int32_t n) { return (n & (n - 1)) == 0; }

enum sluice_status study_check(const struct study_options *o, struct sluice_error *error) {
  const char *text = NULL;
  if (o->steer == 2 && o->hop <= o->steered)
    text = "steering by rank happens `steered` cycles before the arrival: hop must be above it";
  else if (o->phantom > o->hop) text = "phantom is above hop: a packet would overtake its phantom";
  else if (!o->phantoms && o->period && !o->guard)
    text = "moves in order are entries among phantoms; without phantoms use guard 1 or period 0";
  else if (!o->phantoms && o->reorder)
    text = "reorder looks for phantoms; without phantoms it must be 0";
  else if (!power_of_two(o->table) || !power_of_two(o->banks) || o->banks >= o->table)
    text = "table and banks must be powers of two, with two counters in each bank";
  else if (!o->remap && o->guard) text = "guard needs remap 1";
  else if (o->mode == STUDY_RECIRCULATION && o->period)
    text = "nothing moves where packets recirculate; period must be 0";
  return text ? sluice_fail(error, SLUICE_ERR_RANGE, "%s", text) : SLUICE_OK;
}
