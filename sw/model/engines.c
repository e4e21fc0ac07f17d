// SPDX-License-Identifier: Apache-2.0
// Match engines beside the exact rows, default actions, and the data words of entries
// (docs/machine.md, Match engines).
#include <string.h>

#include "../base/cuckoo.h"
#include "machine.h"

enum { WIDE_WORD = SLUICE_MATCH_WIDE_LSB / 64 };  // of a word that is compared

static bool has_engine(uint32_t stages, unsigned stage) { return stages >> stage & 1; }

// ---- what there is for an overlay row -----------------------------------------------------------

// {WIDE, VID, KEY} of a ternary entry, and which bits of it count: as the word that is compared
// match entries.
static void decode_ternary(const uint64_t *entry, struct model_ternary *t) {
  for (unsigned w = 0; w < MODEL_KEY_WORDS; w++) {
    const unsigned lsb = 64 * w, last = SLUICE_MATCH_VID_MSB,
                   msb = lsb + 63 < last ? lsb + 63 : last;
    t->key[w] = model_bits(entry, SLUICE_TERNARY_KEY_LSB + msb, SLUICE_TERNARY_KEY_LSB + lsb);
    const unsigned top = msb < SLUICE_KEY_BITS ? msb : SLUICE_KEY_BITS - 1;
    t->care[w] = model_bits(entry, SLUICE_TERNARY_CARE_LSB + top, SLUICE_TERNARY_CARE_LSB + lsb);
  }
  t->care[SLUICE_MATCH_VID_LSB / 64] |= UINT64_C(0xff) << SLUICE_MATCH_VID_LSB % 64;
  t->key[WIDE_WORD] |= FIELD(entry, TERNARY, WIDE) << SLUICE_MATCH_WIDE_LSB % 64;
  t->care[WIDE_WORD] |= FIELD(entry, TERNARY, CARE_WIDE) << SLUICE_MATCH_WIDE_LSB % 64;
}
_Static_assert(SLUICE_MATCH_VID_LSB == SLUICE_KEY_BITS &&
                   SLUICE_MATCH_VID_LSB / 64 == SLUICE_MATCH_VID_MSB / 64 &&
                   SLUICE_TERNARY_VID_LSB == SLUICE_TERNARY_KEY_MSB + 1 &&
                   SLUICE_CUCKOO_VID_LSB == SLUICE_CUCKOO_KEY_MSB + 1,
               "VID stands above the key");

static uint16_t *next_of(const struct sluice_model *m, unsigned bank, unsigned stage) {
  const struct sluice_config *c = &m->config;
  return m->next_ternary + ((size_t)bank * model_stages(m) + stage) * c->TernaryEntries;
}

// As link_rows does for match rows (decode.c).
static uint16_t link_ternary(const struct sluice_model *m, unsigned stage, unsigned row) {
  const unsigned bank = row / m->config.NumModules, module = row % m->config.NumModules;
  uint16_t *next = next_of(m, bank, stage), first = MODEL_NO_ROW;
  for (unsigned n = m->config.TernaryEntries; n-- > 0;) {
    const uint64_t *entry = model_entry(m, SLUICE_TABLE_TERNARY, stage, n);
    if (!FIELD(entry, TERNARY, VALID) ||
        FIELD(entry, TERNARY, VID) % m->config.NumModules != module)
      continue;
    if (FIELD(entry, TERNARY, NOT_BANK) >> bank & 1) continue;
    decode_ternary(entry, &m->ternaries[stage * m->config.TernaryEntries + n]);
    next[n] = first;
    first = (uint16_t)n;
  }
  return first;
}

static bool has_cuckoo(const struct sluice_model *m, unsigned stage, unsigned module) {
  for (unsigned vid = module; vid < MODEL_VIDS; vid += m->config.NumModules)
    if (m->cuckoo_used[stage * MODEL_VIDS + vid]) return true;
  return false;
}

void model_engines_decode(const struct sluice_model *m, unsigned stage, unsigned row,
                          struct model_key *key) {
  const struct sluice_config *c = &m->config;
  if (has_engine(c->TernaryStages, stage)) key->ternary = link_ternary(m, stage, row);
  key->more = key->ternary != MODEL_NO_ROW ||
              (has_engine(c->CuckooStages, stage) && has_cuckoo(m, stage, row % c->NumModules)) ||
              (c->DefaultActions && FIELD(model_entry(m, SLUICE_TABLE_DEFAULT_ACTION, stage, row),
                                          DEFAULT_ACTION, VALID));
}

void model_cuckoo_count(struct sluice_model *m, unsigned stage, const uint64_t *entry, int change) {
  if (FIELD(entry, CUCKOO, VALID))
    m->cuckoo_used[stage * MODEL_VIDS + FIELD32(entry, CUCKOO, VID)] += (uint32_t)change;
}

// ---- what a packet finds ------------------------------------------------------------------------

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
_Static_assert(SLUICE_DEFAULT_ACTION_DATA_MSB == 127 && SLUICE_DEFAULT_ACTION_DATA_LSB == 0,
               "data words");
_Static_assert(SLUICE_MATCH_DATA_DATA_MSB == 127 && SLUICE_MATCH_DATA_DATA_LSB == 0, "data words");

static void exact(const struct sluice_model *m, unsigned stage, unsigned row,
                  struct model_found *found) {
  *found = (struct model_found){
      .action = true, .entry = true, .row = row, .engine = SLUICE_MODEL_EXACT, .at = row};
  if (m->config.ActionData) take_data(model_entry(m, SLUICE_TABLE_MATCH_DATA, stage, row), found);
}

static bool ternary(const struct sluice_model *m, unsigned stage,
                    const struct sluice_model_phv *phv, const struct model_key *key,
                    const uint64_t *word, struct model_found *found) {
  const uint16_t *next = next_of(m, phv->bank, stage);
  for (unsigned n = key->ternary; n != MODEL_NO_ROW; n = next[n]) {
    const struct model_ternary *t = &m->ternaries[stage * m->config.TernaryEntries + n];
    uint64_t differ = 0;
    for (unsigned w = 0; w < MODEL_KEY_WORDS; w++) differ |= (word[w] ^ t->key[w]) & t->care[w];
    if (differ) continue;
    const uint64_t *entry = model_entry(m, SLUICE_TABLE_TERNARY, stage, n);
    *found = (struct model_found){.action = true,
                                  .entry = true,
                                  .row = FIELD32(entry, TERNARY, ACTION),
                                  .engine = SLUICE_MODEL_TERNARY,
                                  .at = n};
    take_data(entry, found);
    return true;
  }
  return false;
}

// {VID, KEY} of a cuckoo entry begins at a word.
static bool is_at(const uint64_t *entry, const uint64_t *word, unsigned bank) {
  const uint64_t *key = entry + SLUICE_CUCKOO_KEY_LSB / 64,
                 top = (UINT64_C(1) << (SLUICE_MATCH_VID_MSB + 1) % 64) - 1;
  if (!FIELD(entry, CUCKOO, VALID) || FIELD(entry, CUCKOO, NOT_BANK) >> bank & 1) return false;
  if ((word[WIDE_WORD] >> SLUICE_MATCH_WIDE_LSB % 64 & 1) != FIELD(entry, CUCKOO, WIDE))
    return false;
  return ((word[0] ^ key[0]) | (word[1] ^ key[1]) | (word[2] ^ key[2]) |
          ((word[3] ^ key[3]) & top)) == 0;
}
_Static_assert(SLUICE_CUCKOO_KEY_LSB % 64 == 0 && SLUICE_MATCH_VID_MSB / 64 == 3,
               "words of a cuckoo entry");

static bool cuckoo(const struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv,
                   const uint64_t *word, struct model_found *found) {
  if (!m->cuckoo_used[stage * MODEL_VIDS + phv->vid]) return false;
  const uint64_t hash = sluice_cuckoo_hash(phv->vid, word);
  for (unsigned way = 0; way < SLUICE_CUCKOO_WAYS; way++) {
    const unsigned at = sluice_cuckoo_entry(hash, way, m->config.CuckooEntries);
    const uint64_t *entry = model_entry(m, SLUICE_TABLE_CUCKOO, stage, at);
    if (!is_at(entry, word, phv->bank)) continue;
    *found = (struct model_found){.action = true,
                                  .entry = true,
                                  .row = FIELD32(entry, CUCKOO, ACTION),
                                  .engine = SLUICE_MODEL_CUCKOO,
                                  .at = at};
    take_data(entry, found);
    return true;
  }
  return false;
}

void model_engines_find(const struct sluice_model *m, unsigned stage,
                        const struct sluice_model_phv *phv, int exact_row,
                        const struct model_key *key, const uint64_t word[MODEL_KEY_WORDS],
                        struct model_found *found) {
  const struct sluice_config *c = &m->config;
  if (exact_row >= 0) {
    exact(m, stage, (unsigned)exact_row, found);
    m->found[SLUICE_MODEL_EXACT]++;
    return;
  }
  if (has_engine(c->TernaryStages, stage) && ternary(m, stage, phv, key, word, found)) {
    m->found[SLUICE_MODEL_TERNARY]++;
    return;
  }
  if (has_engine(c->CuckooStages, stage) && cuckoo(m, stage, phv, word, found)) {
    m->found[SLUICE_MODEL_CUCKOO]++;
    return;
  }
  *found = (struct model_found){.action = false};
  if (!c->DefaultActions) return;
  const uint64_t *entry = model_entry(m, SLUICE_TABLE_DEFAULT_ACTION, stage, model_row(m, phv));
  if (!FIELD(entry, DEFAULT_ACTION, VALID)) return;
  m->found[SLUICE_MODEL_DEFAULT]++;
  *found = (struct model_found){.action = true,
                                .row = FIELD32(entry, DEFAULT_ACTION, ACTION),
                                .engine = SLUICE_MODEL_DEFAULT,
                                .at = model_row(m, phv)};
  take_data(entry, found);
}
