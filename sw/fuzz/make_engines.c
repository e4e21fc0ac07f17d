// SPDX-License-Identifier: Apache-2.0
// Entries of the ternary and cuckoo engines, default actions, data words.
#include "../base/cuckoo.h"
#include "make.h"

// Rows of ACTION beyond the exact rows that are written.
enum { EXTRA = 8 };

static unsigned extra_rows(const struct make *m) { return m->config->ExtraActions < EXTRA ? m->config->ExtraActions : EXTRA; }

// A row of ACTION for an entry or a default action. In a case with updates one that no update changes, if there is one.
static bool pick_action(struct make *m, unsigned *row) {
  const unsigned extra = extra_rows(m);
  if (!m->updating && (!extra || chance(m, 25))) *row = pick(m, m->config->MatchEntries);
  else if (extra) *row = m->config->MatchEntries + pick(m, extra);
  else return false;
  return true;
}

void make_data(struct make *m, uint8_t *entry, unsigned bits) {
  for (unsigned word = 0; word < 4; word++)
    sluice_entry_set(entry, bits, 127 - 32 * word, 96 - 32 * word, pick_value(m));
}

static unsigned pick_not_bank(struct make *m) { return m->updating || chance(m, 90) ? 0 : pick(m, 4); }

static void make_ternary(struct make *m, const struct make_module *module, unsigned stage, const struct make_key *key) {
  const unsigned num = 1 + pick(m, m->config->TernaryEntries);
  for (unsigned n = 0; n < num; n++) {
    unsigned action;
    // Modules write over each other's: the last one counts.
    if (!chance(m, 60) || !pick_action(m, &action)) continue;
    uint8_t *e = make_add(m, SLUICE_TABLE_TERNARY, stage, pick(m, m->config->TernaryEntries))->bytes;
    SLUICE_SET(e, TERNARY, VALID, chance(m, 94));
    SLUICE_SET(e, TERNARY, NOT_BANK, pick_not_bank(m));
    SLUICE_SET(e, TERNARY, RESERVED, chance(m, 90) ? 0 : 1 + pick(m, 255));
    SLUICE_SET(e, TERNARY, ACTION, action);
    SLUICE_SET(e, TERNARY, VID, (module->vid ^ (chance(m, 95) ? 0 : 1u << pick(m, 8))) & 0xff);
    for (unsigned i = 0; i < key->num_bits; i++) {
      const unsigned bit = key->bits[i];
      sluice_entry_set(e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB + bit, SLUICE_TERNARY_KEY_LSB + bit, pick(m, 2));
      sluice_entry_set(e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_CARE_LSB + bit, SLUICE_TERNARY_CARE_LSB + bit, chance(m, 70));
    }
    // A bit that is masked away reads 0: one that must be 0 does no harm, one that must be 1 never matches.
    if (chance(m, 30)) {
      const unsigned bit = pick(m, SLUICE_KEY_BITS);
      sluice_entry_set(e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB + bit, SLUICE_TERNARY_KEY_LSB + bit, chance(m, 30));
      sluice_entry_set(e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_CARE_LSB + bit, SLUICE_TERNARY_CARE_LSB + bit, chance(m, 70));
    }
    make_data(m, e, SLUICE_TERNARY_BITS);
  }
}

static void make_cuckoo_entry(struct make *m, const struct make_module *module, unsigned stage, const uint64_t *key) {
  const unsigned entries = m->config->CuckooEntries;
  unsigned action, index = sluice_cuckoo_entry(sluice_cuckoo_hash(module->vid, key), pick(m, SLUICE_CUCKOO_WAYS), entries);
  if (!pick_action(m, &action)) return;
  // In another bucket it must not be found.
  if (chance(m, 10)) index = (index + 1 + pick(m, entries - 1)) % entries;
  uint8_t *e = make_add(m, SLUICE_TABLE_CUCKOO, stage, index)->bytes;
  SLUICE_SET(e, CUCKOO, VALID, chance(m, 94));
  SLUICE_SET(e, CUCKOO, NOT_BANK, pick_not_bank(m));
  SLUICE_SET(e, CUCKOO, RESERVED, chance(m, 90) ? 0 : 1 + pick(m, 255));
  SLUICE_SET(e, CUCKOO, ACTION, action);
  SLUICE_SET(e, CUCKOO, VID, (module->vid ^ (chance(m, 96) ? 0 : 1u << pick(m, 8))) & 0xff);
  for (unsigned b = 0; b < SLUICE_KEY_BITS; b++)
    if (key[b / 64] >> b % 64 & 1) sluice_entry_set(e, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB + b, SLUICE_CUCKOO_KEY_LSB + b, 1);
  // Right bucket, another key: by one bit.
  if (chance(m, 8)) {
    const unsigned bit = SLUICE_CUCKOO_KEY_LSB + pick(m, SLUICE_KEY_BITS);
    sluice_entry_set(e, SLUICE_CUCKOO_BITS, bit, bit, chance(m, 50));
  }
  make_data(m, e, SLUICE_CUCKOO_BITS);
}

static void make_cuckoo(struct make *m, const struct make_module *module, unsigned stage, const struct make_key *key) {
  for (unsigned value = 0; value < 1u << key->num_bits; value++) {
    uint64_t bits[SLUICE_CUCKOO_KEY_WORDS] = {0};
    for (unsigned i = 0; i < key->num_bits; i++)
      if (value >> i & 1) bits[key->bits[i] / 64] |= UINT64_C(1) << key->bits[i] % 64;
    // Often at several ways, with different actions: the lowest way wins.
    while (chance(m, 60)) make_cuckoo_entry(m, module, stage, bits);
  }
}

void make_engines(struct make *m, const struct make_module *module, unsigned stage, const struct make_key *key) {
  if (m->config->TernaryStages >> stage & 1) make_ternary(m, module, stage, key);
  if (m->config->CuckooStages >> stage & 1) make_cuckoo(m, module, stage, key);
}

void make_default_action(struct make *m, const struct make_module *module, unsigned stage) {
  unsigned action;
  if (!m->config->DefaultActions || !chance(m, 70) || !pick_action(m, &action)) return;
  uint8_t *e = make_add(m, SLUICE_TABLE_DEFAULT_ACTION, stage, module->entry)->bytes;
  SLUICE_SET(e, DEFAULT_ACTION, VALID, chance(m, 94));
  SLUICE_SET(e, DEFAULT_ACTION, RESERVED, chance(m, 90) ? 0 : 1 + pick(m, 255));
  SLUICE_SET(e, DEFAULT_ACTION, ACTION, action);
  make_data(m, e, SLUICE_DEFAULT_ACTION_BITS);
}

void make_extra_actions(struct make *m, unsigned stage) {
  const unsigned num = extra_rows(m);
  for (unsigned n = 0; n < num; n++) {
    const unsigned row = m->config->MatchEntries + n;
    const struct make_module *module = &m->modules[pick(m, m->num_modules)];
    make_action(m, module, stage, make_add(m, SLUICE_TABLE_ACTION, stage, row)->bytes);
    if (m->config->Multipliers && chance(m, 80)) make_multiply(m, make_add(m, SLUICE_TABLE_MULTIPLY, stage, row)->bytes);
    if (stage < m->config->StateStages && chance(m, 50))
      make_state_instr(m, make_add(m, SLUICE_TABLE_STATE_INSTR, stage, row)->bytes);
  }
}
