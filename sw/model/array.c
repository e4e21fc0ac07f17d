// SPDX-License-Identifier: Apache-2.0
// Arrays: the words that a packet carries, and the rows beside the state entries
// (docs/machine.md, Arrays).
#include <string.h>

#include "machine.h"

bool model_array_stage(const struct sluice_model *m, unsigned stage) {
  return stage < m->config.StateStages && (m->config.ArrayStages >> stage & 1);
}

uint32_t *model_row_words(const struct sluice_model *m, unsigned stage, unsigned pipe,
                          uint32_t slot) {
  const size_t entry = (size_t)(model_slot(m, stage, pipe, slot) - m->state);
  return m->row_words + entry * m->config.ArrayWords;
}

// The first byte of a word, if all of it lies below `end`.
static bool place_of(const struct model_overlay *overlay, unsigned word, unsigned end,
                     unsigned *at) {
  *at = overlay->array_offset + 4 * word;
  return *at + 4 <= end;
}

static unsigned reach(const struct sluice_model *m, const struct sluice_model_packet *packet) {
  return packet->len < m->config.HeaderBytes ? packet->len : m->config.HeaderBytes;
}

uint32_t model_array_there(const struct sluice_model *m, const struct model_overlay *overlay,
                           const struct sluice_model_packet *packet) {
  uint32_t there = 0;
  unsigned at;
  for (unsigned i = 0; i < overlay->array_count; i++)
    there |= (uint32_t)place_of(overlay, i, reach(m, packet), &at) << i;
  return there;
}

void model_array_parse(const struct sluice_model *m, const struct model_overlay *overlay,
                       const struct sluice_model_packet *packet, struct model_array *array) {
  unsigned at;
  memset(array, 0, sizeof *array);
  for (unsigned i = 0; i < overlay->array_count; i++)
    if (place_of(overlay, i, reach(m, packet), &at))
      for (unsigned b = 0; b < 4; b++)
        array->words[i] = array->words[i] << 8 | packet->bytes[at + b];
}

void model_array_deparse(const struct sluice_model *m, const struct model_overlay *overlay,
                         const struct sluice_model_packet *packet, const struct model_array *array,
                         uint8_t *header) {
  unsigned at;
  for (unsigned i = 0; i < overlay->array_count; i++)
    if (place_of(overlay, i, reach(m, packet), &at))
      for (unsigned b = 0; b < 4; b++) header[at + b] = (uint8_t)(array->words[i] >> (24 - 8 * b));
}

static uint32_t saturating(int32_t r, int32_t v) {
  const int64_t sum = (int64_t)r + v;
  return sum > INT32_MAX ? (uint32_t)INT32_MAX : sum < INT32_MIN ? 0x80000000u : (uint32_t)sum;
}

uint32_t model_array_word(unsigned op, uint32_t r, uint32_t v) {
  const int32_t sr = (int32_t)r, sv = (int32_t)v;
  switch (op) {
    case SLUICE_ARRAY_OP_ADD: return r + v;
    case SLUICE_ARRAY_OP_ADDS: return saturating(sr, sv);
    case SLUICE_ARRAY_OP_MAX: return sr > sv ? r : v;
    case SLUICE_ARRAY_OP_MIN: return sr < sv ? r : v;
    case SLUICE_ARRAY_OP_SET: return v;
    case SLUICE_ARRAY_OP_CLEAR: return 0;
    case SLUICE_ARRAY_OP_OR: return r | v;
    default: return r;  // KEEP
  }
}

bool model_array_op(struct sluice_model *m, unsigned stage, unsigned action_row,
                    const struct sluice_model_access *access, const struct model_ext *ext,
                    struct model_array *array) {
  if (!model_array_stage(m, stage)) return false;
  const uint64_t *instr = model_entry(m, SLUICE_TABLE_ARRAY_INSTR, stage, action_row);
  const uint64_t *state = model_entry(m, SLUICE_TABLE_STATE_INSTR, stage, action_row);
  if (!FIELD(instr, ARRAY_INSTR, VALID) || !FIELD(state, STATE_INSTR, VALID)) return false;
  const unsigned select = FIELD32(instr, ARRAY_INSTR, SELECT);
  const bool named = select >= SLUICE_ARRAY_SELECT_PRED_1 && select <= SLUICE_ARRAY_SELECT_PRED_4;
  const bool on_true = !named ||
                       ext->value[SLUICE_EXT_PRED_1 + select - SLUICE_ARRAY_SELECT_PRED_1];
  const unsigned op = on_true ? FIELD32(instr, ARRAY_INSTR, ON_TRUE)
                              : FIELD32(instr, ARRAY_INSTR, ON_FALSE),
                 result = FIELD32(instr, ARRAY_INSTR, RESULT);
  // Refused: zeros are read, and nothing is written.
  uint32_t *row = access->refused ? NULL : model_row_words(m, stage, access->pipe, access->slot);
  for (unsigned i = 0; i < m->config.ArrayWords; i++) {
    const uint32_t v = array->words[i], old = row ? row[i] : 0, new = model_array_word(op, old, v);
    array->before[i] = old;
    array->behind[i] = row ? new : old;
    if (row) row[i] = new;
    if (result == SLUICE_ARRAY_RESULT_OLD) array->words[i] = old;
    else if (result != SLUICE_ARRAY_RESULT_PACKET) array->words[i] = new;
  }
  return true;
}

bool sluice_model_row(const struct sluice_model *model, unsigned row, unsigned stage,
                      unsigned index, uint32_t words[SLUICE_MODEL_WORDS]) {
  unsigned pipe;
  uint32_t slot;
  if (row >= model->rows || !model_array_stage(model, stage)) return false;
  if (!model_home(model, row, stage, index, &pipe, &slot)) return false;
  memset(words, 0, SLUICE_MODEL_WORDS * sizeof words[0]);
  memcpy(words, model_row_words(model, stage, pipe, slot),
         model->config.ArrayWords * sizeof words[0]);
  return true;
}
