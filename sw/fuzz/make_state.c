// SPDX-License-Identifier: Apache-2.0
// Tables of the state: segments, accesses, fills, single entries, hash units, state instructions.
#include "make.h"

void make_segment(struct make *m, const struct make_module *module, unsigned stage) {
  const struct make_segment *s = &module->segments[stage];
  const unsigned granule = sluice_config_granule(m->config);
  bool fits = s->base % granule == 0 && s->range % granule == 0 && s->base / granule < 256 &&
              s->range / granule < 256;
  if (fits && chance(m, 40)) {
    uint8_t *e = make_add(m, SLUICE_TABLE_SEGMENT16, stage, module->entry)->bytes;
    SLUICE_SETS(e, SEGMENT16, (RANGE, s->range / granule), (BASE, s->base / granule));
  } else {
    uint8_t *e = make_add(m, SLUICE_TABLE_SEGMENT, stage, module->entry)->bytes;
    SLUICE_SETS(e, SEGMENT, (RANGE, s->range), (BASE, s->base));
  }
}

static void make_access(struct make *m, struct make_module *module, unsigned stage) {
  struct make_segment *s = &module->segments[stage];
  s->index = pick_operand(m);
  // A 4-byte container can get its value from the last front stage (make_action). Without front
  // stages the parser gives it, and of packets 2 bytes are more often a small number than 4.
  const unsigned type = m->config->FrontStages ? SLUICE_TYPE_B4 : SLUICE_TYPE_B2;
  const unsigned have = m->config->FrontStages ? m->config->Num4B : m->config->Num2B;
  if (chance(m, 60)) s->index = type << SLUICE_OPERAND_KIND_LSB | pick(m, have);
  uint8_t *e = make_add(m, SLUICE_TABLE_ACCESS, stage, module->entry)->bytes;
  SLUICE_SET(e, ACCESS, ENABLE, chance(m, 95));
  SLUICE_SETS(e, ACCESS, (PINNED, s->pinned), (PIPE, s->pipe));
  SLUICE_SETS(e, ACCESS, (INVERT, chance(m, 40)),
              (PREDICATE, chance(m, 60) ? pick(m, 8) : pick_operand(m)), (INDEX, s->index));
}

void make_module_values(struct make *m, const struct make_module *module, unsigned stage) {
  const struct make_segment *s = &module->segments[stage];
  if (chance(m, 60)) {
    struct make_write *w = make_add(m, SLUICE_TABLE_FILL, stage, 0);
    w->row = module->entry;
    SLUICE_SETS(w->bytes, STATE_ENTRY, (S1, pick_value(m)), (S2, pick_value(m)));
  }
  for (unsigned n = pick(m, 5); n > 0; n--) {
    struct make_write *w = make_add(m, SLUICE_TABLE_STATE, stage,
                                    chance(m, 95) && s->range ? pick(m, s->range) : pick(m, 300));
    w->row = module->entry;
    SLUICE_SETS(w->bytes, STATE_ENTRY, (S1, pick_value(m)), (S2, pick_value(m)));
  }
  make_row_values(m, module->entry, stage, s->range);
}

static uint32_t pick_modulus(struct make *m, const struct make_module *module) {
  const struct make_segment *s = &module->segments[pick(m, m->config->StateStages)];
  if (s->there && chance(m, 60)) return s->range + (chance(m, 10) ? 1 : 0);
  switch (pick(m, 6)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return UINT32_C(1) << pick(m, 32);
    case 3: return 2 + pick(m, 30);
    case 4: return PICK(m, 1000, 65521, 65537, 0x7fffffff, 0x80000000, 0x7ffffffe);
    default: return pick32(m) >> pick(m, 31);
  }
}

static void make_hash(struct make *m, const struct make_module *module, unsigned stage) {
  uint8_t *e = make_add(m, SLUICE_TABLE_HASH_INSTR, stage, module->entry)->bytes;
  uint32_t modulus = pick_modulus(m, module);
  unsigned algorithm = chance(m, 95) ? pick(m, 3) : 3;
  if (algorithm == SLUICE_HASH_IDENTITY && modulus > 0x80000000u) modulus >>= 1;
  if (algorithm != SLUICE_HASH_IDENTITY && chance(m, 5)) modulus = 0xffffffffu - pick(m, 3);
  SLUICE_SETS(e, HASH_INSTR, (VALID, chance(m, 90)), (ALGORITHM, algorithm),
              (NUM_WORDS, chance(m, 90) ? 1 + pick(m, 3) : 0), (A, pick_operand(m)),
              (B, pick_operand(m)), (C, pick_operand(m)));
  SLUICE_SETS(e, HASH_INSTR, (MODULUS, modulus), (RECIPROCAL, modulus ? UINT32_MAX / modulus : 0));
}

void make_module_state(struct make *m, struct make_module *module) {
  const struct sluice_config *c = m->config;
  for (unsigned s = 0; s < c->StateStages; s++) {
    bool there = module->segments[s].there;
    if (there) make_segment(m, module, s);
    if (there || chance(m, 10)) make_access(m, module, s);
  }
  for (unsigned s = 0; s < c->FrontStages; s++)
    if (chance(m, 90)) make_hash(m, module, c->BackStages + s);
  if (c->Active) make_module_capsules(m, module);
}

void make_state_tables(struct make *m) {
  for (unsigned i = 0; i < m->num_modules; i++) make_module_state(m, &m->modules[i]);
  for (unsigned i = 0; i < m->num_modules; i++)
    for (unsigned s = 0; s < m->config->StateStages; s++)
      if (m->modules[i].segments[s].there || chance(m, 3)) make_module_values(m, &m->modules[i], s);
  if (m->config->ArrayWords) make_quiet_tables(m);
}

static unsigned pick_predicate(struct make *m) {
  uint8_t bits[2] = {0};
  SLUICE_SETS(bits, PREDICATE, (X_STATE, pick(m, 4)), (X_PACKET, pick(m, 8)),
              (REL, chance(m, 30) ? SLUICE_REL_TRUE : pick(m, 8)), (Y, pick(m, 8)));
  return (unsigned)sluice_entry_get(bits, SLUICE_PREDICATE_BITS, SLUICE_PREDICATE_BITS - 1, 0);
}

// An arm keeps the old word more often than not, so that its history shows.
static unsigned pick_update(struct make *m) {
  return pick(m, 256) | (chance(m, 50) ? 1u << SLUICE_UPDATE_KEEP_LSB : 0);
}

// Where entries are one word, anything may be written, but a relation that compares is kept as
// FALSE, and of a second word nothing. So most instructions have predicates that run an arm, and a
// first one that looks at the word there is.
static void make_one_word(struct make *m, uint8_t *e) {
  uint8_t first[2] = {0};
  SLUICE_SETS(first, PREDICATE, (X_STATE, chance(m, 70) ? SLUICE_PRED_S_S1 : SLUICE_PRED_S_ZERO),
              (X_PACKET, chance(m, 50) ? SLUICE_PRED_P_ZERO : pick(m, 8)),
              (REL, chance(m, 15) ? SLUICE_REL_TRUE : pick(m, 6)), (Y, pick(m, SLUICE_PRED_Y_S2)));
  SLUICE_SET(e, STATE_INSTR, PRED_1,
             sluice_entry_get(first, SLUICE_PREDICATE_BITS, SLUICE_PREDICATE_BITS - 1, 0));
  for (unsigned i = 1; i < 4; i++) {
    const unsigned lsb = SLUICE_STATE_INSTR_PRED_1_LSB - SLUICE_PREDICATE_BITS * i;
    const unsigned rel = chance(m, 70) ? SLUICE_REL_TRUE : SLUICE_REL_FALSE;
    sluice_entry_set(e, SLUICE_STATE_INSTR_BITS, lsb + SLUICE_PREDICATE_REL_MSB,
                     lsb + SLUICE_PREDICATE_REL_LSB, rel);
  }
}

void make_state_instr(struct make *m, uint8_t *e) {
  SLUICE_SETS(e, STATE_INSTR, (VALID, 1), (P1, pick_operand(m)), (P2, pick_operand(m)),
              (PRED_1, pick_predicate(m)), (PRED_2, pick_predicate(m)), (PRED_3, pick_predicate(m)),
              (PRED_4, pick_predicate(m)));
  for (unsigned word = 0; word < 8; word++)
    sluice_entry_set(e, SLUICE_STATE_INSTR_BITS, SLUICE_STATE_INSTR_A1_MSB - 8 * word,
                     SLUICE_STATE_INSTR_A1_LSB - 8 * word, pick_update(m));
  SLUICE_SETS(e, STATE_INSTR, (K0, pick_value(m)), (K1, pick_value(m)), (K2, pick_value(m)),
              (K3, pick_value(m)));
  if (!m->config->StatePairs && chance(m, 70)) make_one_word(m, e);
}
