// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/test.h"
#include "tests/rig/frames.h"
#include "model/machine.h"

/// What the tests of the reference model share: control packets that write its tables, and one
/// instruction executed in a front stage.
enum { ROW = 5, B2 = SLUICE_TYPE_B2, B4 = SLUICE_TYPE_B4, B6 = SLUICE_TYPE_B6 };
enum { K = SLUICE_TYPE_CONST };

static inline bool control(struct sluice_model *m, struct control c, const struct entry *e,
                           unsigned num, struct sluice_model_answer *answer) {
  uint8_t frame[64 + 8 * 128];
  return sluice_model_control(m, frame, control_frame(frame, c, e, num), answer);
}

static inline void put(struct sluice_model *m, enum sluice_table table, unsigned stage,
                       unsigned index, const struct entry *e) {
  assert_true(
      control(m, (struct control){.table = table, .stage = stage, .index = index}, e, 1, NULL));
}

/// A module for every row and bank, whose VLAN id is the row: after reset a chip has none.
static inline struct sluice_model *with_modules(struct sluice_model *m) {
  assert_non_null(m);
  const struct sluice_config *c = sluice_model_config(m);
  for (unsigned r = 0; r < c->Banks * c->NumModules; r++) {
    struct entry e = ENTRY_OF(MODULE, (VALID, 1), (VID, r % c->NumModules));
    put(m, SLUICE_TABLE_MODULE, 0, r, &e);
  }
  return m;
}

static inline struct sluice_model *open_model(const char *config) {
  return with_modules(sluice_model_open(sluice_config_find(config)));
}

static inline size_t from_hex(const char *hex, uint8_t *bytes) {
  size_t n = 0;
  for (; hex[2 * n]; n++) {
    unsigned value;
    assert_int_equal(sscanf(hex + 2 * n, "%2x", &value), 1);
    bytes[n] = (uint8_t)value;
  }
  return n;
}

static inline void put_hex(struct sluice_model *m, const char *hex) {
  uint8_t frame[200];
  const size_t len = from_hex(hex, frame);
  assert_true(sluice_model_control(m, frame, len, NULL));
}

// A match entry that hits every packet of the VID: all of the key masked.
static inline void match_all(struct sluice_model *m, unsigned stage, unsigned vid, unsigned row,
                             const struct entry *action) {
  struct entry mask, match = {{0}};
  memset(&mask, 0xff, sizeof mask);
  SET(&match, MATCH, VID, vid & 255u);
  put(m, SLUICE_TABLE_KEY_MASK, stage, vid % 32, &mask);
  put(m, SLUICE_TABLE_MATCH, stage, row, &match);
  put(m, SLUICE_TABLE_ACTION, stage, row, action);
}

static inline void segment(struct sluice_model *m, unsigned stage, unsigned row, unsigned base,
                           unsigned range) {
  struct entry e = ENTRY_OF(SEGMENT, (BASE, base), (RANGE, range));
  put(m, SLUICE_TABLE_SEGMENT, stage, row, &e);
}

static inline void access(struct sluice_model *m, unsigned stage, unsigned row, int pinned,
                          unsigned pipe, unsigned index) {
  struct entry e = ENTRY_OF(ACCESS, (ENABLE, 1), (PINNED, pinned), (PIPE, pipe), (INDEX, index));
  put(m, SLUICE_TABLE_ACCESS, stage, row, &e);
}

// Runs one VLIW instruction in front stage 0 of `config`.
static inline struct sluice_model_phv run_slot(struct sluice_model *m, unsigned slot, uint32_t word,
                                               struct sluice_model_phv phv) {
  struct entry action = {{0}};
  entry_slot(&action, slot, word);
  match_all(m, m->config.BackStages, phv.vid, 0, &action);
  model_stage_front(m, m->config.BackStages, &phv);
  return phv;
}

/// An entry of state, and word `word` of entry `n` of an answer.
static inline struct entry pair(uint32_t s1, uint32_t s2) {
  struct entry e = ENTRY_OF(STATE_ENTRY, (S1, s1), (S2, s2));
  return e;
}

static inline uint32_t word(const struct sluice_model_answer *a, unsigned n, unsigned word) {
  const uint8_t *b = a->bytes + 64 + 64 * n + 4 * word;
  return sluice_get32(b);
}
