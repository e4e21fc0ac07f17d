// SPDX-License-Identifier: Apache-2.0
// Entries of the ternary and cuckoo engines, default actions, data words.
#include <string.h>

#include "../base/cuckoo.h"
#include "make.h"

// Rows of ACTION beyond the exact rows that are written.
enum { EXTRA = 8 };

static unsigned extra_rows(const struct make *m) {
  return m->config->ExtraActions < EXTRA ? m->config->ExtraActions : EXTRA;
}

// A row of ACTION for an entry or a default action. In a case with updates one that no update
// changes, if there is one.
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

// Before the first packet bank 0 is live. Of entries for one bank alone, the other's packets see
// nothing.
static unsigned pick_not_bank(struct make *m) {
  if (m->updating) return PICK(m, 0, 0, 0, 2, 2, 1);
  return chance(m, 90) ? 0 : pick(m, 4);
}

static void fill_ternary(struct make *m, const struct make_module *module, uint8_t *e,
                         const struct make_key *key, unsigned action, unsigned not_bank) {
  SLUICE_SETS(e, TERNARY, (VALID, chance(m, 94)), (NOT_BANK, not_bank),
              (RESERVED, chance(m, 90) ? 0 : 1 + pick(m, 255)));
  if (m->config->WideCompare) {
    SLUICE_SETS(e, TERNARY, (WIDE, pick(m, 2)), (CARE_WIDE, chance(m, 40)));
  }
  SLUICE_SETS(e, TERNARY, (ACTION, action), (VID, module->vid & 0xff));
  for (unsigned i = 0; i < key->num_bits; i++) {
    const unsigned bit = key->bits[i];
    sluice_entry_set(e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB + bit,
                     SLUICE_TERNARY_KEY_LSB + bit, pick(m, 2));
    sluice_entry_set(e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_CARE_LSB + bit,
                     SLUICE_TERNARY_CARE_LSB + bit, chance(m, 70));
  }
  // A bit that is masked away reads 0: one that must be 0 does no harm, one that must be 1 never
  // matches.
  if (chance(m, 30)) {
    const unsigned bit = pick(m, SLUICE_KEY_BITS);
    sluice_entry_set(e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB + bit,
                     SLUICE_TERNARY_KEY_LSB + bit, chance(m, 30));
    sluice_entry_set(e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_CARE_LSB + bit,
                     SLUICE_TERNARY_CARE_LSB + bit, chance(m, 70));
  }
  // What KEY has where CARE is 0 counts for nothing.
  if (chance(m, 50))
    for (unsigned bit = 0; bit < SLUICE_KEY_BITS; bit++)
      if (!sluice_entry_get(e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_CARE_LSB + bit,
                            SLUICE_TERNARY_CARE_LSB + bit))
        sluice_entry_set(e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB + bit,
                         SLUICE_TERNARY_KEY_LSB + bit, pick(m, 2));
  make_data(m, e, SLUICE_TERNARY_BITS);
}

static void make_ternary(struct make *m, const struct make_module *module, unsigned stage,
                         const struct make_key *key) {
  const unsigned num = 1 + pick(m, m->config->TernaryEntries);
  for (unsigned n = 0; n < num; n++) {
    unsigned action;
    // Modules write over each other's: the last one counts.
    if (!chance(m, 60) || !pick_action(m, &action)) continue;
    uint8_t *e =
        make_add(m, SLUICE_TABLE_TERNARY, stage, pick(m, m->config->TernaryEntries))->bytes;
    fill_ternary(m, module, e, key, action, pick_not_bank(m));
    if (chance(m, 5)) SLUICE_SET(e, TERNARY, VID, (module->vid ^ 1u << pick(m, 8)) & 0xff);
  }
}

// The masked key of a module's packets with number `value`.
static void key_of(const struct make_key *key, unsigned value,
                   uint64_t bits[SLUICE_CUCKOO_KEY_WORDS]) {
  memset(bits, 0, SLUICE_CUCKOO_KEY_WORDS * sizeof bits[0]);
  for (unsigned i = 0; i < key->num_bits; i++)
    if (value >> i & 1) bits[key->bits[i] / 64] |= UINT64_C(1) << key->bits[i] % 64;
}

static unsigned pick_bucket(struct make *m, const struct make_module *module, const uint64_t *key) {
  return sluice_cuckoo_entry(sluice_cuckoo_hash(module->vid, key), pick(m, SLUICE_CUCKOO_WAYS),
                             m->config->CuckooEntries);
}

static void fill_cuckoo(struct make *m, const struct make_module *module, uint8_t *e,
                        const uint64_t *key, unsigned action, unsigned not_bank) {
  SLUICE_SETS(e, CUCKOO, (VALID, chance(m, 94)), (NOT_BANK, not_bank),
              (RESERVED, chance(m, 90) ? 0 : 1 + pick(m, 255)));
  if (m->config->WideCompare) SLUICE_SET(e, CUCKOO, WIDE, chance(m, 30));
  SLUICE_SETS(e, CUCKOO, (ACTION, action), (VID, module->vid & 0xff));
  for (unsigned b = 0; b < SLUICE_KEY_BITS; b++)
    if (key[b / 64] >> b % 64 & 1)
      sluice_entry_set(e, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB + b, SLUICE_CUCKOO_KEY_LSB + b,
                       1);
  // Right bucket, another key: by one bit.
  if (chance(m, 8)) {
    const unsigned bit = SLUICE_CUCKOO_KEY_LSB + pick(m, SLUICE_KEY_BITS);
    sluice_entry_set(e, SLUICE_CUCKOO_BITS, bit, bit, chance(m, 50));
  }
  make_data(m, e, SLUICE_CUCKOO_BITS);
}

static void make_cuckoo(struct make *m, const struct make_module *module, unsigned stage,
                        const struct make_key *key) {
  const unsigned entries = m->config->CuckooEntries;
  for (unsigned value = 0; value < 1u << key->num_bits; value++) {
    uint64_t bits[SLUICE_CUCKOO_KEY_WORDS];
    key_of(key, value, bits);
    // Often at several ways, with different actions: the lowest way wins.
    while (chance(m, 60)) {
      unsigned action, index = pick_bucket(m, module, bits);
      if (!pick_action(m, &action)) continue;
      // In another bucket it must not be found.
      if (chance(m, 10)) index = (index + 1 + pick(m, entries - 1)) % entries;
      uint8_t *e = make_add(m, SLUICE_TABLE_CUCKOO, stage, index)->bytes;
      fill_cuckoo(m, module, e, bits, action, pick_not_bank(m));
      if (chance(m, 4)) SLUICE_SET(e, CUCKOO, VID, (module->vid ^ 1u << pick(m, 8)) & 0xff);
    }
  }
}

void make_engines(struct make *m, const struct make_module *module, unsigned stage,
                  const struct make_key *key) {
  if (m->config->TernaryStages >> stage & 1) make_ternary(m, module, stage, key);
  if (m->config->CuckooStages >> stage & 1) make_cuckoo(m, module, stage, key);
}

// ---- entries of updates -------------------------------------------------------------------------

// Whether an update of a module may write a place: no packet of its live bank, or of another
// module, finds the entry there.
static bool is_free(const struct make *m, const struct make_module *module, enum sluice_table table,
                    unsigned stage, unsigned index) {
  const struct make_entry e = make_entry(table, make_place(m, table, stage, index));
  for (size_t i = 0; i < m->num_writes; i++)
    if (m->writes[i].table == table && m->writes[i].stage == stage && m->writes[i].index == index)
      return false;
  return !e.valid || (e.vid == (module->vid & 0xff) && (e.not_bank >> module->live & 1));
}

static void put_place(struct make *m, enum sluice_table table, unsigned stage, unsigned index,
                      unsigned not_bank, bool valid) {
  uint8_t *e = make_add(m, table, stage, index)->bytes;
  memcpy(e, make_place(m, table, stage, index), sluice_table_bytes(table));
  if (table == SLUICE_TABLE_TERNARY) {
    SLUICE_SETS(e, TERNARY, (NOT_BANK, not_bank), (VALID, valid));
  } else {
    SLUICE_SETS(e, CUCKOO, (NOT_BANK, not_bank), (VALID, valid));
  }
}

// Calls `each` for the places whose entries packets of a module may find.
static void each_place(struct make *m, const struct make_module *module,
                       void (*each)(struct make *, const struct make_module *, enum sluice_table,
                                    unsigned, unsigned, unsigned)) {
  static const enum sluice_table tables[] = {SLUICE_TABLE_TERNARY, SLUICE_TABLE_CUCKOO};
  for (unsigned t = 0; t < 2; t++)
    for (unsigned stage = 0; stage < make_all_stages(m); stage++)
      for (unsigned index = 0;
           make_place(m, tables[t], stage, 0) && index < sluice_table_rows(tables[t], m->config);
           index++) {
        const struct make_entry e = make_entry(tables[t], make_place(m, tables[t], stage, index));
        if (e.valid && e.vid == (module->vid & 0xff))
          each(m, module, tables[t], stage, index, e.not_bank);
      }
}

// An entry that the live bank alone sees is there for the new version too.
static void share_entry(struct make *m, const struct make_module *module, enum sluice_table table,
                        unsigned stage, unsigned index, unsigned not_bank) {
  if (not_bank == 1u << !module->live && chance(m, 20)) put_place(m, table, stage, index, 0, true);
}

void make_engines_version(struct make *m, const struct make_module *module, unsigned stage,
                          const struct make_key *key) {
  const unsigned not_bank = 1u << module->live;
  for (unsigned n = m->config->TernaryStages >> stage & 1 ? 4 : 0; n; n--) {
    const unsigned index = pick(m, m->config->TernaryEntries);
    unsigned action;
    if (chance(m, 60) && pick_action(m, &action) &&
        is_free(m, module, SLUICE_TABLE_TERNARY, stage, index))
      fill_ternary(m, module, make_add(m, SLUICE_TABLE_TERNARY, stage, index)->bytes, key, action,
                   not_bank);
  }
  for (unsigned value = 0; m->config->CuckooStages >> stage & 1 && value < 1u << key->num_bits;
       value++) {
    uint64_t bits[SLUICE_CUCKOO_KEY_WORDS];
    key_of(key, value, bits);
    const unsigned index = pick_bucket(m, module, bits);
    unsigned action;
    if (chance(m, 60) && pick_action(m, &action) &&
        is_free(m, module, SLUICE_TABLE_CUCKOO, stage, index))
      fill_cuckoo(m, module, make_add(m, SLUICE_TABLE_CUCKOO, stage, index)->bytes, bits, action,
                  not_bank);
  }
}

void make_engines_shared(struct make *m, const struct make_module *module) {
  each_place(m, module, share_entry);
}

static void leave_entry(struct make *m, const struct make_module *module, enum sluice_table table,
                        unsigned stage, unsigned index, unsigned not_bank) {
  const unsigned idle = 1u << module->bank;
  if (not_bank == 1u << module->live && chance(m, 80))
    put_place(m, table, stage, index, not_bank, false);
  else if (not_bank == 0 && chance(m, 40)) put_place(m, table, stage, index, idle, true);
}

void make_engines_after(struct make *m, const struct make_module *module) {
  each_place(m, module, leave_entry);
}

// ---- default actions, action rows ---------------------------------------------------------------

void make_default_action(struct make *m, const struct make_module *module, unsigned stage) {
  unsigned action;
  if (!m->config->DefaultActions || !chance(m, 70) || !pick_action(m, &action)) return;
  uint8_t *e = make_add(m, SLUICE_TABLE_DEFAULT_ACTION, stage, module->entry)->bytes;
  SLUICE_SETS(e, DEFAULT_ACTION, (VALID, chance(m, 94)),
              (RESERVED, chance(m, 90) ? 0 : 1 + pick(m, 255)), (ACTION, action));
  make_data(m, e, SLUICE_DEFAULT_ACTION_BITS);
}

void make_extra_actions(struct make *m, unsigned stage) {
  const unsigned num = extra_rows(m);
  for (unsigned n = 0; n < num; n++) {
    const unsigned row = m->config->MatchEntries + n;
    const struct make_module *module = &m->modules[pick(m, m->num_modules)];
    make_action(m, module, stage, make_add(m, SLUICE_TABLE_ACTION, stage, row)->bytes);
    if (m->config->Multipliers && chance(m, 80))
      make_multiply(m, make_add(m, SLUICE_TABLE_MULTIPLY, stage, row)->bytes);
    const bool state = stage < m->config->StateStages && chance(m, 50);
    if (state) make_state_instr(m, make_add(m, SLUICE_TABLE_STATE_INSTR, stage, row)->bytes);
    make_array_instr(m, stage, row, state);
  }
}
