// SPDX-License-Identifier: Apache-2.0
// Tables of a stage: key, mask, match rows, and what the rows do.
#include <string.h>

#include "make.h"

// Whether it is a part of the key that always reads 0, since the chip has one container of its
// size, or none.
static bool reads_zero(const struct sluice_config *c, unsigned lsb) {
  return (lsb == SLUICE_KEY_B6_FIRST_LSB && c->Num6B == 0) ||
         (lsb == SLUICE_KEY_B6_SECOND_LSB && c->Num6B <= 1) ||
         (lsb == SLUICE_KEY_B4_SECOND_LSB && c->Num4B == 1) ||
         (lsb == SLUICE_KEY_B2_SECOND_LSB && c->Num2B == 1);
}

static unsigned pick_key_bit(struct make *m) {
  static const unsigned low[] = {SLUICE_KEY_B6_FIRST_LSB, SLUICE_KEY_B6_SECOND_LSB,
                                 SLUICE_KEY_B4_FIRST_LSB, SLUICE_KEY_B4_SECOND_LSB,
                                 SLUICE_KEY_B2_FIRST_LSB, SLUICE_KEY_B2_SECOND_LSB,
                                 SLUICE_KEY_PREDICATE_LSB};
  unsigned field = pick(m, sizeof low / sizeof low[0]);
  while (reads_zero(m->config, low[field]) && chance(m, 70))
    field = pick(m, sizeof low / sizeof low[0]);
  if (low[field] == SLUICE_KEY_PREDICATE_LSB) return low[field];
  return low[field] + (chance(m, 90) ? pick(m, 4) : pick(m, 16));
}

static unsigned pick_cmp(struct make *m) {
  uint8_t bits[2] = {0};
  unsigned immediate = chance(m, 40);
  SLUICE_SETS(bits, CMP_OPERAND, (IMMEDIATE, immediate), (RESERVED, chance(m, 80) ? 0 : pick(m, 8)),
              (KIND, immediate ? pick(m, 2) : pick(m, 4)), (IDX, pick(m, 8)));
  return (unsigned)sluice_entry_get(bits, SLUICE_CMP_OPERAND_BITS, SLUICE_CMP_OPERAND_BITS - 1, 0);
}

// A wide compare: mostly one that holds now and then.
static void make_compare(struct make *m, unsigned stage, unsigned row) {
  uint8_t *e = make_add(m, SLUICE_TABLE_KEY_COMPARE, stage, row)->bytes;
  SLUICE_SETS(e, KEY_COMPARE, (OP, chance(m, 90) ? 1 + pick(m, SLUICE_WIDE_GE) : pick(m, 8)),
              (A, pick_operand(m)), (B, pick_operand(m)), (IMMEDIATE, chance(m, 50)),
              (K, pick_value(m)));
}

// Few bits count, so that few rows catch every packet.
static struct make_key make_key(struct make *m, unsigned stage, unsigned row, unsigned num_rows) {
  uint8_t *e = make_add(m, SLUICE_TABLE_KEY_EXTRACT, stage, row)->bytes;
  SLUICE_SETS(
      e, KEY_EXTRACT, (B6_FIRST, pick_container(m, SLUICE_TYPE_B6)),
      (B6_SECOND, pick_container(m, SLUICE_TYPE_B6)), (B4_FIRST, pick_container(m, SLUICE_TYPE_B4)),
      (B4_SECOND, pick_container(m, SLUICE_TYPE_B4)), (B2_FIRST, pick_container(m, SLUICE_TYPE_B2)),
      (B2_SECOND, pick_container(m, SLUICE_TYPE_B2)), (CMP_OP, pick(m, 4)), (CMP_A, pick_cmp(m)),
      (CMP_B, pick_cmp(m)));

  if (m->config->WideCompare && chance(m, 60)) make_compare(m, stage, row);

  struct make_key key = {0};
  while (key.num_bits < MAKE_KEY_BITS && 1u << (key.num_bits + 1) <= num_rows && chance(m, 70))
    key.bits[key.num_bits++] = pick_key_bit(m);
  e = make_add(m, SLUICE_TABLE_KEY_MASK, stage, row)->bytes;
  for (unsigned b = 0; b < SLUICE_KEY_BITS; b++) sluice_entry_set(e, SLUICE_KEY_BITS, b, b, 1);
  for (unsigned i = 0; i < key.num_bits; i++)
    sluice_entry_set(e, SLUICE_KEY_BITS, key.bits[i], key.bits[i], 0);
  return key;
}

// Returns the entry.
static const uint8_t *make_match(struct make *m, const struct make_module *module, unsigned stage,
                                 unsigned index, unsigned not_bank, const struct make_key *key,
                                 unsigned value) {
  uint8_t *e = make_add(m, SLUICE_TABLE_MATCH, stage, index)->bytes;
  SLUICE_SETS(e, MATCH, (VID, module->vid & 0xff), (NOT_BANK, not_bank));
  if (m->config->WideCompare) SLUICE_SET(e, MATCH, WIDE, chance(m, 30));
  for (unsigned i = 0; i < key->num_bits; i++)
    sluice_entry_set(e, SLUICE_MATCH_BITS, key->bits[i], key->bits[i], value >> i & 1);
  if (!chance(m, 6)) return e;
  // A row that no packet can hit, though it looks nearly right. One of another VID may be another
  // module's, which then sees it change in an update.
  if (chance(m, 30)) {
    const unsigned bits = 1 + pick(m, 15);
    SLUICE_SETS(e, MATCH, (RESERVED, bits >> 3), (WIDE, bits >> 2 & 1));
    // Bit 1 alone hides nothing from packets of bank 0.
    if (!m->updating) SLUICE_SET(e, MATCH, NOT_BANK, bits & 3);
  } else if (!m->updating && chance(m, 50))
    SLUICE_SET(e, MATCH, VID, (module->vid ^ 1u << pick(m, 8)) & 0xff);
  else sluice_entry_set(e, SLUICE_MATCH_BITS, 180, 180, 1);
  return e;
}

// Rows are for the version that is made alone: in an update packets of the other one must not see
// what comes. Before the first packet some may be for both.
static unsigned pick_not_bank(struct make *m, const struct make_module *module) {
  if (!m->updating || (m->out == &m->c->control && chance(m, 12))) return 0;
  return 1u << !module->bank;
}

void make_module_rows(struct make *m, struct make_module *module, unsigned stage) {
  struct make_own *own = &module->own[stage];
  unsigned rows[MAKE_OWN_ROWS], num_rows = 0;
  for (unsigned i = 0; i < own->num; i++)
    if (!(own->seen[i] >> !module->bank & 1)) rows[num_rows++] = i;
  // The other version needs some as well.
  if (m->updating && !module->bank && num_rows == own->num && num_rows > 1)
    num_rows = (num_rows + 1) / 2;
  struct make_key key = make_key(m, stage, module->entry, num_rows);
  unsigned start = pick(m, 1u << MAKE_KEY_BITS);
  const bool engines = (m->config->TernaryStages | m->config->CuckooStages) >> stage & 1 ||
                       m->config->DefaultActions;
  for (unsigned i = 0; i < num_rows; i++) {
    // What no exact row takes is the other engines'.
    if (engines && chance(m, 50)) continue;
    const unsigned row = own->rows[rows[i]], not_bank = pick_not_bank(m, module);
    // All values of the key in turn, from anywhere; then again: the lowest row wins.
    const uint8_t *match = make_match(m, module, stage, row, not_bank, &key, start + i);
    memcpy(own->match[rows[i]], match, sizeof own->match[rows[i]]);
    own->written[rows[i]] = true;
    own->seen[rows[i]] = (uint8_t)(3 & ~not_bank);
    make_action(m, module, stage, make_add(m, SLUICE_TABLE_ACTION, stage, row)->bytes);
    bool state = make_holds_state(m, stage) && chance(m, module->segments[stage].there ? 60 : 10);
    if (m->config->Multipliers && chance(m, 80))
      make_multiply(m, make_add(m, SLUICE_TABLE_MULTIPLY, stage, row)->bytes);
    if (m->config->ActionData)
      make_data(m, make_add(m, SLUICE_TABLE_MATCH_DATA, stage, row)->bytes, SLUICE_MATCH_DATA_BITS);
    if (state) make_state_instr(m, make_add(m, SLUICE_TABLE_STATE_INSTR, stage, row)->bytes);
    make_array_instr(m, stage, row, state);
  }
  make_default_action(m, module, stage);
  if (m->out == &m->c->control) make_engines(m, module, stage, &key);
  else make_engines_version(m, module, stage, &key);
}

static void make_stage(struct make *m, unsigned stage) {
  unsigned rows[MAKE_ROWS], num = m->config->MatchEntries;
  for (unsigned i = 0; i < num; i++) rows[i] = i;
  for (unsigned i = num; i > 1; i--) {
    unsigned j = pick(m, i), t = rows[i - 1];
    rows[i - 1] = rows[j];
    rows[j] = t;
  }
  unsigned at = 0;
  for (unsigned i = 0; i < m->num_modules; i++) {
    unsigned left = m->num_modules - i - 1, fair = (num - at) / (left + 1);
    unsigned take = fair > 8 ? 8 : fair;
    if (take > 1 && chance(m, 30)) take = 1 + pick(m, take);
    if (left && num - at - left > take && chance(m, 30)) take++;
    struct make_own *own = &m->modules[i].own[stage];
    for (own->num = 0; own->num < take; own->num++)
      own->rows[own->num] = (uint16_t)rows[at + own->num];
    make_module_rows(m, &m->modules[i], stage);
    at += take;
  }
  make_extra_actions(m, stage);
}

void make_stages(struct make *m) {
  struct sluice_rng *stream = m->rng;
  for (unsigned s = 0; s < make_all_stages(m); s++) {
    if (make_is_egress(m, s)) m->rng = &m->egress;
    make_stage(m, s);
  }
  m->rng = stream;
}
