// SPDX-License-Identifier: Apache-2.0
// Cuts: the state of whole modules as it was at one ticket.
#include <string.h>

#include "machine.h"

bool model_cut_stage(const struct sluice_model *m, unsigned stage) {
  return stage < m->config.StateStages && (m->config.CutStages >> stage & 1);
}

static uint32_t all_rows(const struct sluice_model *m) {
  return m->config.NumModules < 32 ? (UINT32_C(1) << m->config.NumModules) - 1 : UINT32_MAX;
}

void sluice_model_cut_ask(struct sluice_model *model, uint32_t rows) {
  model->cut_asked = model->cut ? rows & all_rows(model) : 0;
  model->cut_rows = 0;
}

void sluice_model_cut_take(struct sluice_model *model) {
  const size_t entries = model->config.StateEntries;  // of a stage
  for (unsigned s = 0; model->cut && s < model->config.StateStages; s++)
    if (model_cut_stage(model, s))
      memcpy(model->cut + s * entries, model->state + s * entries, entries * sizeof *model->cut);
  model->cut_rows = model->cut_asked;
  model_flip_cut(model);
}

// The bit of the module, whichever bank the row names.
static bool has_row(const struct sluice_model *m, uint32_t rows, unsigned row) {
  return rows >> row % m->config.NumModules & 1;
}

bool model_cut_forbids(const struct sluice_model *m, unsigned row) {
  return has_row(m, m->cut_asked, row);
}

bool model_cut_entry(const struct sluice_model *m, unsigned row, unsigned stage, unsigned index,
                     struct model_pair *pair) {
  unsigned pipe;
  uint32_t slot;
  *pair = (struct model_pair){0, 0};
  if (!has_row(m, m->cut_rows, row) || index >= sluice_model_state_range(m, row, stage))
    return false;
  if (model_home(m, row, stage, index, &pipe, &slot))
    *pair = m->cut[model_slot(m, stage, pipe, slot) - m->state];
  return true;
}
