// SPDX-License-Identifier: Apache-2.0
// One stage: key, match, action. Everything reads the PHV as it was before the stage.
#include <string.h>

#include "machine.h"

enum { KEY_WORDS = 4 };  // KEY (193 bits) and MATCH (205 bits) in words of 64

_Static_assert(SLUICE_MATCH_BITS <= 64 * KEY_WORDS, "a match word fits");

static void put_bits(uint64_t *word, unsigned msb, unsigned lsb, uint64_t value) {
  word[lsb / 64] |= value << lsb % 64;
  if (msb / 64 != lsb / 64) word[msb / 64] |= value >> (64 - lsb % 64);
}

static unsigned compare_operand(const struct sluice_model *m, const struct sluice_model_phv *phv,
                                uint64_t operand) {
  // The comparator numbers container types from 0; 3 is the constant 0.
  static const unsigned types[4] = {SLUICE_TYPE_B2, SLUICE_TYPE_B4, SLUICE_TYPE_B6,
                                    SLUICE_TYPE_CONST};
  if (FIELD(&operand, CMP_OPERAND, IMMEDIATE)) return operand & 0xffu;
  const unsigned type = types[FIELD(&operand, CMP_OPERAND, KIND)];
  if (type == SLUICE_TYPE_CONST) return 0;
  return model_container(m, phv, type, FIELD32(&operand, CMP_OPERAND, IDX)) & 0xffu;
}

static uint64_t compare(const struct sluice_model *m, const struct sluice_model_phv *phv,
                        const uint64_t *extract) {
  const unsigned a = compare_operand(m, phv, FIELD(extract, KEY_EXTRACT, CMP_A));
  const unsigned b = compare_operand(m, phv, FIELD(extract, KEY_EXTRACT, CMP_B));
  switch (FIELD(extract, KEY_EXTRACT, CMP_OP)) {
    case SLUICE_CMP_GT: return a > b;
    case SLUICE_CMP_GE: return a >= b;
    case SLUICE_CMP_EQ: return a == b;
    default: return 1;
  }
}

// The word that is compared with the MATCH entries. Of a size of which there is one container, the key has no second; of one of which there is none, not a first.
static void match_word(const struct sluice_model *m, unsigned stage,
                       const struct sluice_model_phv *phv, uint64_t word[KEY_WORDS]) {
  const uint64_t *extract = model_entry(m, SLUICE_TABLE_KEY_EXTRACT, stage, model_row(m, phv));
  const uint64_t *mask = model_entry(m, SLUICE_TABLE_KEY_MASK, stage, model_row(m, phv));
  memset(word, 0, KEY_WORDS * sizeof word[0]);
#define PICK(NAME, TYPE)                                           \
  put_bits(word, SLUICE_KEY_##NAME##_MSB, SLUICE_KEY_##NAME##_LSB, \
           model_container(m, phv, TYPE, FIELD32(extract, KEY_EXTRACT, NAME)))
  if (m->config.Num6B > 0) PICK(B6_FIRST, SLUICE_TYPE_B6);
  if (m->config.Num6B > 1) PICK(B6_SECOND, SLUICE_TYPE_B6);
  PICK(B4_FIRST, SLUICE_TYPE_B4);
  if (m->config.Num4B > 1) PICK(B4_SECOND, SLUICE_TYPE_B4);
  PICK(B2_FIRST, SLUICE_TYPE_B2);
  if (m->config.Num2B > 1) PICK(B2_SECOND, SLUICE_TYPE_B2);
#undef PICK
  put_bits(word, SLUICE_KEY_PREDICATE_MSB, SLUICE_KEY_PREDICATE_LSB, compare(m, phv, extract));
  for (unsigned w = 0; w < KEY_WORDS; w++) word[w] &= ~mask[w];
  put_bits(word, SLUICE_MATCH_VID_MSB, SLUICE_MATCH_VID_LSB, phv->vid);
}

// The row that matches, or -1.
static int match(const struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv) {
  const unsigned rows = m->config.MatchEntries;
  uint64_t word[KEY_WORDS];
  match_word(m, stage, phv, word);
  for (unsigned r = 0; r < rows; r++)
    if (m->match_valid[stage * rows + r] &&
        memcmp(word, model_entry(m, SLUICE_TABLE_MATCH, stage, r), sizeof word) == 0)
      return (int)r;
  return -1;
}

static uint32_t func(unsigned f, uint32_t a, uint32_t b, uint32_t c) {
  switch (f) {
    case SLUICE_FUNC_AND: return a & b;
    case SLUICE_FUNC_OR: return a | b;
    case SLUICE_FUNC_XOR: return a ^ b;
    case SLUICE_FUNC_NOT: return ~a;
    case SLUICE_FUNC_SHL: return a << (b & 31u);
    case SLUICE_FUNC_SRA: return (uint32_t)((int32_t)a >> (b & 31u));
    case SLUICE_FUNC_SRL: return a >> (b & 31u);
    case SLUICE_FUNC_EQ: return a == b;
    case SLUICE_FUNC_NE: return a != b;
    case SLUICE_FUNC_LT: return (int32_t)a < (int32_t)b;
    case SLUICE_FUNC_LE: return (int32_t)a <= (int32_t)b;
    case SLUICE_FUNC_LTU: return a < b;
    case SLUICE_FUNC_SELECT: return c ? a : b;
    case SLUICE_FUNC_ADD: return a + b;
    case SLUICE_FUNC_SUB: return a - b;
    case SLUICE_FUNC_LAND: return a && b;
    case SLUICE_FUNC_LOR: return a || b;
    case SLUICE_FUNC_MOVE: return a;
    default: return 0;
  }
}

static uint32_t funci(unsigned f, uint32_t a, uint32_t i) {
  switch (f) {
    case SLUICE_FUNCI_AND: return a & i;
    case SLUICE_FUNCI_OR: return a | i;
    case SLUICE_FUNCI_XOR: return a ^ i;
    case SLUICE_FUNCI_SHL: return a << (i & 31u);
    case SLUICE_FUNCI_SRA: return (uint32_t)((int32_t)a >> (i & 31u));
    case SLUICE_FUNCI_SRL: return a >> (i & 31u);
    case SLUICE_FUNCI_EQ: return a == i;
    case SLUICE_FUNCI_NE: return a != i;
    case SLUICE_FUNCI_LT: return (int32_t)a < (int32_t)i;
    case SLUICE_FUNCI_LE: return (int32_t)a <= (int32_t)i;
    case SLUICE_FUNCI_GT: return (int32_t)a > (int32_t)i;
    case SLUICE_FUNCI_GE: return (int32_t)a >= (int32_t)i;
    case SLUICE_FUNCI_ADD: return a + i;
    case SLUICE_FUNCI_RSUB: return i - a;
    case SLUICE_FUNCI_SET: return i;
    default: return 0;
  }
}

// VLIW slots 1..24. Returns false when the slot changes nothing; `type` is the type of its
// container.
static bool alu(const struct sluice_model *m, const struct sluice_model_phv *phv, uint64_t slot,
                unsigned type, const struct model_ext *ext, uint64_t *result) {
  const unsigned op_a = FIELD32(&slot, INSTR, A), op_b = FIELD32(&slot, INSTR, B);
  const uint64_t imm = FIELD(&slot, INSTR_IMM, IMM);
  // Menshen's operations ignore the type tags. Wider than the container is harmless: writing
  // truncates.
  const uint64_t own_a = model_container(m, phv, type, op_a & 7u);
  const uint64_t own_b = model_container(m, phv, type, op_b & 7u);
  const uint32_t a = model_operand32(m, phv, op_a);
  switch (FIELD(&slot, INSTR, OP)) {
    case SLUICE_OP_ADD: *result = own_a + own_b; return true;
    case SLUICE_OP_SUB: *result = own_a - own_b; return true;
    case SLUICE_OP_ADDI: *result = own_a + imm; return true;
    case SLUICE_OP_SUBI: *result = own_a - imm; return true;
    case SLUICE_OP_SET: *result = imm; return true;
    case SLUICE_OP_FUNC: {
      const unsigned f = FIELD32(&slot, INSTR_FUNC, F);
      *result = func(f, a, model_operand32(m, phv, op_b),
                     model_operand32(m, phv, FIELD32(&slot, INSTR_FUNC, C)));
      if (sluice_op_shifts(SLUICE_OP_FUNC, f) && !m->config.Shifters) *result = 0;
      return true;
    }
    case SLUICE_OP_FUNCI: {
      const unsigned f = FIELD32(&slot, INSTR_FUNCI, F);
      const uint32_t value = FIELD32(&slot, INSTR_FUNCI, IMM);
      *result = funci(f, a, value & 0x800u ? value | 0xfffff000u : value);
      if (sluice_op_shifts(SLUICE_OP_FUNCI, f) && !m->config.Shifters) *result = 0;
      return true;
    }
    case SLUICE_OP_SETHI: *result = imm << 16 | (a & 0xffffu); return true;
    case SLUICE_OP_EXT: *result = ext->value[imm & 15u]; return true;
    default: return false;  // NOP, NOP_FILL, PORT, DISCARD; LOAD, STORE, LOADD are the state unit's
  }
}

// VLIW slot 0: destination and discard flag.
static void metadata_alu(const struct sluice_model *m, const struct sluice_model_phv *before,
                         uint64_t slot, struct sluice_model_phv *phv) {
  const uint32_t a = model_operand32(m, before, FIELD32(&slot, INSTR, A));
  const uint32_t b = model_operand32(m, before, FIELD32(&slot, INSTR, B));
  const unsigned port = a & 0xffu;
  uint8_t dest = (uint8_t)port;
  if (m->config.NumPorts <= 8) dest = (uint8_t)(port < 8 ? 1u << port : 0u);
  switch (FIELD(&slot, INSTR, OP)) {
    case SLUICE_OP_PORT: phv->dest = (uint8_t)FIELD(&slot, INSTR_MD, DEST); break;
    case SLUICE_OP_DISCARD: phv->discard = FIELD(&slot, INSTR_MD, DISCARD); break;
    case SLUICE_OP_FUNC: phv->dest = dest; break;
    case SLUICE_OP_FUNCI: phv->discard = a != 0; break;
    case SLUICE_OP_SETHI:
      phv->dest = dest;
      phv->discard = b != 0;
      break;
    default: break;
  }
}

static uint64_t vliw_slot(const uint64_t *action, unsigned s) {
  return model_bits(action, SLUICE_INSTR_BITS * s + SLUICE_INSTR_BITS - 1, SLUICE_INSTR_BITS * s);
}

static void act(const struct sluice_model *m, const uint64_t *action, const struct model_ext *ext,
                struct sluice_model_phv *phv) {
  const struct sluice_model_phv before = *phv;
  metadata_alu(m, &before, vliw_slot(action, 0), phv);
  for (unsigned s = 1; s <= 24; s++) {
    const unsigned type = SLUICE_TYPE_B2 + (s - 1) / 8;
    uint64_t result;
    if (alu(m, &before, vliw_slot(action, s), type, ext, &result))
      model_set_container(m, phv, type, (s - 1) % 8, result);
  }
}

void model_stage_front(const struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv) {
  const int row = match(m, stage, phv);
  if (row < 0) return;
  struct model_ext ext = {{0}};
  ext.value[SLUICE_EXT_OLD_1] = model_hash(m, stage, phv);
  act(m, model_entry(m, SLUICE_TABLE_ACTION, stage, (unsigned)row), &ext, phv);
}

void model_stage_back(struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv,
                      struct sluice_model_access *access) {
  const int row = match(m, stage, phv);
  if (row < 0) return;
  access->hit = true;
  const uint64_t *action = model_entry(m, SLUICE_TABLE_ACTION, stage, (unsigned)row);
  const uint64_t slot16 = vliw_slot(action, 16);
  struct model_ext ext = {{0}};
  // Without state there is no state unit: EXT gives 0, LOAD, STORE and LOADD change nothing.
  const bool loads = stage < m->config.StateStages &&
                     model_state_op(m, stage, phv, (unsigned)row, slot16, access, &ext);
  act(m, action, &ext, phv);
  // LOAD gives the old word, LOADD the new one, to the container of slot 16.
  if (loads) {
    const bool loadd = FIELD(&slot16, INSTR, OP) == SLUICE_OP_LOADD;
    model_set_container(m, phv, SLUICE_TYPE_B4, 7,
                        ext.value[loadd ? SLUICE_EXT_NEW_1 : SLUICE_EXT_OLD_1]);
  }
}
