// SPDX-License-Identifier: Apache-2.0
// Egress: what happens to a copy between its queue and its port (docs/machine.md, Egress).
#include <string.h>

#include "machine.h"

enum { METADATA_BYTES = SLUICE_EGRESS_METADATA_BITS / 8 };

static void put(uint8_t metadata[METADATA_BYTES], unsigned msb, unsigned lsb, uint64_t value) {
  for (unsigned bit = lsb; bit <= msb; bit++)
    metadata[METADATA_BYTES - 1 - bit / 8] |= (uint8_t)((value >> (bit - lsb) & 1) << bit % 8);
}
#define PUT(METADATA, NAME, VALUE) \
  put(METADATA, SLUICE_EGRESS_METADATA_##NAME##_MSB, SLUICE_EGRESS_METADATA_##NAME##_LSB, VALUE)

static void metadata_of(const struct sluice_model_copy *copy, uint8_t metadata[METADATA_BYTES]) {
  memset(metadata, 0, METADATA_BYTES);
  PUT(metadata, MODULE_ID, (uint64_t)(copy->vid & 0xffu) << 4);
  PUT(metadata, DELAY, copy->delay);
  PUT(metadata, DEPTH_IN, copy->depth_in);
  PUT(metadata, COPY, copy->number);
  PUT(metadata, PORT_OUT, copy->port);
  PUT(metadata, CYCLE, copy->cycle);
  PUT(metadata, DEPTH_OUT, copy->depth_out);
  PUT(metadata, LENGTH, copy->len);
}

void sluice_model_egress(struct sluice_model *model, const struct sluice_model_copy *copy,
                         struct sluice_model_egressed *result) {
  struct sluice_model_phv phv = {
      .vid = (uint8_t)copy->vid, .bank = (uint8_t)copy->bank, .len = (uint16_t)copy->len};
  const struct model_egress_row *row = model_egress_row(model, model_row(model, &phv));
  const unsigned reach = model->config.HeaderBytes, end = copy->len < reach ? copy->len : reach;
  const unsigned first = model->config.BackStages + model->config.FrontStages;
  uint8_t metadata[METADATA_BYTES];
  metadata_of(copy, metadata);
  model_parse_moves(row->parse, row->num_parse, copy->bytes, end, metadata, &phv);
  model_show(model, &(struct sluice_model_step){
                        .kind = SLUICE_STEP_EGRESS_PARSER, .row = -1, .after = &phv});
  memset(result->access, 0, sizeof result->access);
  for (unsigned n = 0; n < row->num_stages; n++) {
    struct sluice_model_access *access = &result->access[row->stages[n] - first];
    access->pipe = (uint8_t)copy->lane;
    model_stage_egress(model, row->stages[n], &phv, access);
  }
  result->dropped = phv.discard;
  memcpy(result->header, copy->bytes,
         copy->len < SLUICE_MODEL_HEADER ? copy->len : SLUICE_MODEL_HEADER);
  model_deparse_moves(row->deparse, row->num_deparse, &phv, end, result->header);
  if (row->options) model_checksums(row->options, copy->bytes, end, result->header);
}

bool sluice_model_lane_state(const struct sluice_model *model, unsigned row, unsigned stage,
                             unsigned lane, unsigned index, uint32_t *s1, uint32_t *s2) {
  const unsigned number = model->config.BackStages + model->config.FrontStages + stage;
  unsigned pipe;
  uint32_t slot;
  if (row >= model->rows || stage >= model->config.EgressStages || lane >= model->config.NumPipes ||
      !model_home(model, row, number, index, &pipe, &slot))
    return false;
  const struct model_pair *pair = model_slot(model, number, lane, slot);
  *s1 = pair->s1;
  *s2 = pair->s2;
  return true;
}
