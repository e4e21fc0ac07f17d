// SPDX-License-Identifier: Apache-2.0
// Match engines beside the exact rows, default actions, and the data words of entries (docs/machine.md, Match engines).
#include <string.h>

#include "../base/cuckoo.h"
#include "machine.h"

static bool has_engine(uint32_t stages, unsigned stage) { return stages >> stage & 1; }

// Whether any engine or default action may find something for packets of an overlay row at a stage that has no exact rows
// for them.
bool model_engines_look(const struct sluice_model *m, unsigned stage, unsigned row) {
  const struct sluice_config *c = &m->config;
  if (has_engine(c->TernaryStages, stage) || has_engine(c->CuckooStages, stage)) return true;
  return c->DefaultActions && FIELD(model_entry(m, SLUICE_TABLE_DEFAULT_ACTION, stage, row), DEFAULT_ACTION, VALID);
}

// Data words of an entry whose field DATA is bits 127:0; word 0 first.
static void take_data(const uint64_t *entry, struct model_found *found) {
  found->data[0] = (uint32_t)(entry[1] >> 32);
  found->data[1] = (uint32_t)entry[1];
  found->data[2] = (uint32_t)(entry[0] >> 32);
  found->data[3] = (uint32_t)entry[0];
  found->data[4] = 0;
}
_Static_assert(SLUICE_TERNARY_DATA_MSB == 127 && SLUICE_TERNARY_DATA_LSB == 0, "data words");
_Static_assert(SLUICE_CUCKOO_DATA_MSB == 127 && SLUICE_CUCKOO_DATA_LSB == 0, "data words");
_Static_assert(SLUICE_DEFAULT_ACTION_DATA_MSB == 127 && SLUICE_DEFAULT_ACTION_DATA_LSB == 0, "data words");
_Static_assert(SLUICE_MATCH_DATA_DATA_MSB == 127 && SLUICE_MATCH_DATA_DATA_LSB == 0, "data words");

static void exact(const struct sluice_model *m, unsigned stage, unsigned row, struct model_found *found) {
  *found = (struct model_found){.action = true, .entry = true, .row = row};
  if (m->config.ActionData) take_data(model_entry(m, SLUICE_TABLE_MATCH_DATA, stage, row), found);
}

// The key of an entry whose field is `msb`..`lsb`, differs from `key` in a bit that is set in `care` (NULL: in any).
static bool key_differs(const uint64_t *key, const uint64_t *entry, unsigned lsb, const uint64_t *care) {
  for (unsigned at = 0; at < SLUICE_KEY_BITS; at += 64) {
    const unsigned last = at + 63 < SLUICE_KEY_BITS ? at + 63 : SLUICE_KEY_BITS - 1;
    const uint64_t of_key = model_bits(key, last, at), of_entry = model_bits(entry, lsb + last, lsb + at);
    if ((of_key ^ of_entry) & (care ? care[at / 64] : UINT64_MAX)) return true;
  }
  return false;
}

static bool ternary(const struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv, const uint64_t *key,
                    struct model_found *found) {
  for (unsigned n = 0; n < m->config.TernaryEntries; n++) {
    const uint64_t *entry = model_entry(m, SLUICE_TABLE_TERNARY, stage, n);
    uint64_t care[MODEL_KEY_WORDS];
    if (!FIELD(entry, TERNARY, VALID) || FIELD32(entry, TERNARY, VID) != phv->vid) continue;
    if (FIELD32(entry, TERNARY, NOT_BANK) >> phv->bank & 1) continue;
    for (unsigned at = 0; at < SLUICE_KEY_BITS; at += 64) {
      const unsigned last = at + 63 < SLUICE_KEY_BITS ? at + 63 : SLUICE_KEY_BITS - 1;
      care[at / 64] = model_bits(entry, SLUICE_TERNARY_CARE_LSB + last, SLUICE_TERNARY_CARE_LSB + at);
    }
    if (key_differs(key, entry, SLUICE_TERNARY_KEY_LSB, care)) continue;
    *found = (struct model_found){.action = true, .entry = true, .row = FIELD32(entry, TERNARY, ACTION)};
    take_data(entry, found);
    return true;
  }
  return false;
}

static bool cuckoo(const struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv, const uint64_t *key,
                   struct model_found *found) {
  const uint64_t hash = sluice_cuckoo_hash(phv->vid, key);
  for (unsigned way = 0; way < SLUICE_CUCKOO_WAYS; way++) {
    const uint64_t *entry =
        model_entry(m, SLUICE_TABLE_CUCKOO, stage, sluice_cuckoo_entry(hash, way, m->config.CuckooEntries));
    if (!FIELD(entry, CUCKOO, VALID) || FIELD32(entry, CUCKOO, VID) != phv->vid) continue;
    if (FIELD32(entry, CUCKOO, NOT_BANK) >> phv->bank & 1) continue;
    if (key_differs(key, entry, SLUICE_CUCKOO_KEY_LSB, NULL)) continue;
    *found = (struct model_found){.action = true, .entry = true, .row = FIELD32(entry, CUCKOO, ACTION)};
    take_data(entry, found);
    return true;
  }
  return false;
}

void model_engines_find(const struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv, int exact_row,
                        const uint64_t key[MODEL_KEY_WORDS], struct model_found *found) {
  const struct sluice_config *c = &m->config;
  if (exact_row >= 0) {
    exact(m, stage, (unsigned)exact_row, found);
    m->found[SLUICE_MODEL_EXACT]++;
    return;
  }
  if (has_engine(c->TernaryStages, stage) && ternary(m, stage, phv, key, found)) {
    m->found[SLUICE_MODEL_TERNARY]++;
    return;
  }
  if (has_engine(c->CuckooStages, stage) && cuckoo(m, stage, phv, key, found)) {
    m->found[SLUICE_MODEL_CUCKOO]++;
    return;
  }
  *found = (struct model_found){.action = false};
  if (!c->DefaultActions) return;
  const uint64_t *entry = model_entry(m, SLUICE_TABLE_DEFAULT_ACTION, stage, model_row(m, phv));
  if (!FIELD(entry, DEFAULT_ACTION, VALID)) return;
  m->found[SLUICE_MODEL_DEFAULT]++;
  *found = (struct model_found){.action = true, .row = FIELD32(entry, DEFAULT_ACTION, ACTION)};
  take_data(entry, found);
}
