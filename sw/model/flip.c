// SPDX-License-Identifier: Apache-2.0
// Guarded flips: what is watched, and whether it was accessed since the last cut.
#include "machine.h"

static bool watched(const struct sluice_model *m, unsigned stage, uint32_t first, uint32_t last) {
  const uint32_t word = m->flip.watch[stage];
  return (word & 0xffff) <= word >> 16 && last >= (word & 0xffff) && first <= word >> 16;
}

void model_flip_packet(struct sluice_model *m, const struct sluice_model_phv *phv,
                       const struct sluice_model_access *access) {
  if (!(m->flip.rows >> (phv->vid & (m->config.NumModules - 1)) & 1)) return;
  for (unsigned s = 0; s < m->config.StateStages; s++) {
    // Which slot a pinned access takes is known at its stage alone.
    const bool any = access[s].pinned;
    if (access[s].resolved &&
        watched(m, s, any ? 0 : access[s].slot, any ? UINT32_MAX : access[s].slot))
      m->flip.touched = true;
  }
}

void model_flip_mark(struct sluice_model *m, unsigned stage, uint32_t slot) {
  if (m->config.FlipGuard && watched(m, stage, slot, slot)) m->flip.touched = true;
}

void model_flip_cut(struct sluice_model *m) {
  m->flip.rows = m->cut_asked;
  m->flip.watching = m->config.FlipGuard;
  m->flip.touched = false;
}

void sluice_model_flip_watch(struct sluice_model *model, unsigned stage, uint32_t slots) {
  if (stage < model->config.StateStages) model->flip.watch[stage] = slots;
  model->flip.watching = false;
}

uint32_t sluice_model_flip_watched(const struct sluice_model *model, unsigned stage) {
  return stage < model->config.StateStages ? model->flip.watch[stage] : 0;
}

unsigned sluice_model_flip_status(const struct sluice_model *model) {
  return (unsigned)model->flip.watching | (unsigned)model->flip.touched << 1;
}

void sluice_model_flip(struct sluice_model *model, uint32_t bank) {
  sluice_model_set_bank(model, bank);
  model->flip.watching = false;
}
