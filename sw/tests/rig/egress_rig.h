// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/domino_rig.h"

/// An egress function twice: interpreted from its text, once for each output lane, and compiled and
/// loaded into the reference model. Both get the same copies; bytes, fate and the final state of
/// each lane must be equal.
enum { EGRESS_LANES = 4 };
struct egress_rig {
  struct rig rig;
  const struct sluice_program *egress;
  struct sluice_interpreter *lane[EGRESS_LANES];
};

/// The shape `egress` with another number of egress stages.
static inline struct sluice_config egress_config(unsigned stages) {
  struct sluice_config config = *sluice_config_find("egress");
  config.EgressStages = stages;
  return config;
}

static inline enum rig_opened egress_open(struct egress_rig *r, const char *text,
                                          const struct sluice_config *config,
                                          struct sluice_diags *diags) {
  memset(r, 0, sizeof *r);
  const enum rig_opened opened = rig_open(&r->rig, text, config, diags);
  if (!r->rig.program) return opened;
  r->egress = sluice_program_egress(r->rig.program);
  for (unsigned l = 0; r->egress && l < config->NumPipes; l++)
    r->lane[l] = sluice_interpreter_new(r->egress);
  return opened;
}

static inline void egress_close(struct egress_rig *r) {
  for (unsigned l = 0; l < EGRESS_LANES; l++)
    if (r->lane[l]) sluice_interpreter_free(r->lane[l]);
  rig_close(&r->rig);
}

/// What a field of metadata is, by its place in layout EGRESS_METADATA.
static inline int32_t egress_metadata(const struct sluice_model_copy *copy, unsigned offset) {
  switch (offset) {
    case 31 - SLUICE_EGRESS_METADATA_DELAY_MSB / 8: return (int32_t)copy->delay;
    case 31 - SLUICE_EGRESS_METADATA_DEPTH_IN_MSB / 8: return (int32_t)copy->depth_in;
    case 31 - SLUICE_EGRESS_METADATA_COPY_MSB / 8: return (int32_t)copy->number;
    case 31 - SLUICE_EGRESS_METADATA_PORT_OUT_MSB / 8: return (int32_t)copy->port;
    case 31 - SLUICE_EGRESS_METADATA_CYCLE_MSB / 8: return (int32_t)copy->cycle;
    case 31 - SLUICE_EGRESS_METADATA_DEPTH_OUT_MSB / 8: return (int32_t)copy->depth_out;
    default: return (int32_t)copy->len;
  }
}

/// One copy through both; false and r->rig.why if they differ.
static inline bool egress_copy(struct egress_rig *r, const struct sluice_model_copy *copy) {
  uint8_t expected[256];
  int32_t field[RIG_MAX_FIELDS] = {0};
  uint16_t upper[RIG_MAX_FIELDS] = {0};
  struct sluice_model_egressed result;
  const size_t num = sluice_program_num_fields(r->egress);
  bool dropped = false;
  for (size_t i = 0; i < num; i++) {
    const struct sluice_program_field *f = sluice_program_field(r->egress, i);
    if (f->home == SLUICE_HOME_BYTES) field[i] = rig_get(copy->bytes, copy->len, f);
    if (f->home == SLUICE_HOME_BYTES && f->width == 6)
      upper[i] = rig_get_upper(copy->bytes, copy->len, f);
    if (f->home == SLUICE_HOME_METADATA) field[i] = egress_metadata(copy, f->offset);
  }
  sluice_interpreter_run_whole(r->lane[copy->lane], field, upper);
  memcpy(expected, copy->bytes, copy->len);
  for (size_t i = 0; i < num; i++) {
    const struct sluice_program_field *f = sluice_program_field(r->egress, i);
    if (f->home == SLUICE_HOME_BYTES && f->assigned)
      rig_put_whole(expected, copy->len, f, field[i], upper[i]);
    if (f->home == SLUICE_HOME_DISCARD) dropped |= field[i] != 0;
  }
  sluice_model_egress(r->rig.model, copy, &result);
  if (result.dropped != dropped) return rig_fail(&r->rig, "dropped", result.dropped, dropped);
  for (unsigned i = 0; !dropped && i < copy->len && i < SLUICE_MODEL_HEADER; i++) {
    char what[24];
    snprintf(what, sizeof what, "byte %u", i);
    if (result.header[i] != expected[i])
      return rig_fail(&r->rig, what, result.header[i], expected[i]);
  }
  return true;
}

/// A copy with random bytes and numbers, in a buffer of at least 200 bytes.
static inline struct sluice_model_copy egress_random(struct egress_rig *r, struct sluice_rng *rng,
                                                     uint8_t *bytes) {
  const struct sluice_config *c = r->rig.config;
  struct sluice_model_copy copy = {.bytes = bytes, .vid = RIG_VID};
  copy.len = sluice_rng_below(rng, 8) ? 128 + (unsigned)sluice_rng_below(rng, 72)
                                      : 64 + (unsigned)sluice_rng_below(rng, 64);
  copy.port = (unsigned)sluice_rng_below(rng, c->NumPorts);
  copy.lane = copy.port % c->NumPipes;
  copy.number = (unsigned)sluice_rng_below(rng, copy.port + 1);
  copy.depth_in = (unsigned)sluice_rng_below(rng, 3) ? (unsigned)sluice_rng_below(rng, 8)
                                                     : (unsigned)sluice_rng_below(rng, 65536);
  copy.depth_out = (unsigned)sluice_rng_below(rng, 64);
  copy.cycle = (uint32_t)rig_value(rng);
  copy.delay = (uint32_t)rig_value(rng);
  for (unsigned i = 0; i < copy.len; i++) bytes[i] = (uint8_t)sluice_rng_next(rng);
  for (size_t i = 0; i < sluice_program_num_fields(r->egress); i++)
    if (sluice_program_field(r->egress, i)->home == SLUICE_HOME_BYTES)
      rig_put_field(bytes, copy.len, sluice_program_field(r->egress, i), rng);
  memcpy(bytes + 12, (const uint8_t[]){0x81, 0, 0, RIG_VID, 8, 0}, 6);
  return copy;
}

/// The final state of all lanes.
static inline bool egress_state(struct egress_rig *r) {
  const struct sluice_config *c = r->rig.config;
  const unsigned first = c->BackStages + c->FrontStages;
  for (size_t a = 0; a < r->rig.image.num_arrays; a++)
    for (unsigned w = 0; w < 2; w++)
      for (size_t s = 0; s < sluice_program_num_states(r->egress); s++) {
        const struct sluice_array *array = &r->rig.image.arrays[a];
        if (array->stage < first ||
            strcmp(array->name[w], sluice_program_state(r->egress, s)->name) != 0)
          continue;
        for (unsigned lane = 0; lane < c->NumPipes; lane++)
          for (unsigned i = 0; i < array->size; i++) {
            uint32_t word[2];
            char what[SLUICE_NAME_LEN + 40];
            snprintf(what, sizeof what, "%s[%u], lane %u", array->name[w], i, lane);
            if (!sluice_model_lane_state(r->rig.model, RIG_VID % c->NumModules,
                                         array->stage - first, lane, i, &word[0], &word[1]))
              return rig_fail(&r->rig, what, -1, -1);
            const int32_t wanted = sluice_interpreter_state(r->lane[lane], s, i);
            if ((int32_t)word[w] != wanted)
              return rig_fail(&r->rig, what, (int32_t)word[w], wanted);
          }
      }
  return true;
}
