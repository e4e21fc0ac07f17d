// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TB_STAGE_MODEL_H
#define SLUICE_TB_STAGE_MODEL_H

/// What one match-action stage does to one packet, written from docs/machine.md. State is kept by
/// pipeline and slot; resolution is the caller's business. For block tests of front and back
/// stages.

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/layouts.h"

enum {
  ENTRY_BITS = 640,
  ENTRY_WORDS = ENTRY_BITS / 32,
  MAX_ROWS = 1024,
  MAX_ENTRIES = 64,
  MAX_SLOTS = 65536,
  MAX_PIPES = 16
};

/// A number of up to 640 bits; word 0 is the least significant.
struct bits {
  uint32_t w[ENTRY_WORDS];
};

static inline uint64_t bits_get(const struct bits *b, int msb, int lsb) {
  uint64_t v = 0;
  for (int i = msb; i >= lsb; i--) v = v << 1 | (b->w[i / 32] >> i % 32 & 1);
  return v;
}

static inline void bits_set(struct bits *b, int msb, int lsb, uint64_t v) {
  for (int i = lsb; i <= msb; i++, v >>= 1)
    b->w[i / 32] = (b->w[i / 32] & ~(1u << i % 32)) | (uint32_t)(v & 1) << i % 32;
}

#define GET(b, F) bits_get(b, SLUICE_##F##_MSB, SLUICE_##F##_LSB)
#define SET(b, F, v) bits_set(b, SLUICE_##F##_MSB, SLUICE_##F##_LSB, v)

struct shape {
  bool back;
  int pipes, ports, num[4] /* containers by type */, rows /* match */, modules, banks, slots,
      granule;
  bool pairs;  // of state words, and predicates 2 to 4 compare
  bool shifters, multipliers, wide;
};

struct phv {
  uint64_t c[4][8];  // by type; [CONST] unused
  int vid, bank, dest, discard;
};

struct effect {
  bool hit, op, refused;
  int slot;
};

struct model {
  struct shape shape;
  struct bits extract[MAX_ENTRIES], mask[MAX_ENTRIES], hash[MAX_ENTRIES], segment[MAX_ENTRIES],
      access[MAX_ENTRIES], compare[MAX_ENTRIES];
  struct bits match[MAX_ROWS], action[MAX_ROWS], instr[MAX_ROWS], multiply[MAX_ROWS];
  bool used[MAX_ROWS];
  uint32_t mem[MAX_PIPES][MAX_SLOTS][2];
  bool taken;  // a capsule has the state: the program does nothing to it
};

/// Entry of a packet in the overlay tables.
static inline int entry_of(const struct model *m, const struct phv *p) {
  return p->bank * m->shape.modules + p->vid % m->shape.modules;
}

/// Full width of a container; 0 if the chip does not have it.
static inline uint64_t container(const struct model *m, const struct phv *p, int type, int i) {
  return i < m->shape.num[type] ? p->c[type][i] : 0;
}

static inline uint64_t wide_operand(const struct model *m, const struct phv *p, int operand) {
  int type = operand >> 3, i = operand & 7;
  return type == SLUICE_TYPE_CONST ? (uint64_t)i : container(m, p, type, i);
}

static inline uint32_t operand(const struct model *m, const struct phv *p, int o) {
  return (uint32_t)wide_operand(m, p, o);
}

// ---- key
static inline uint32_t cmp_operand(const struct model *m, const struct phv *p, uint32_t o) {
  if (o >> 8) return o & 0xff;
  int kind = o >> 3 & 3;
  return kind == 3 ? 0 : container(m, p, kind + 1, o & 7) & 0xff;
}

static inline void masked_key(const struct model *m, const struct phv *p, struct bits *key) {
  const struct bits *x = &m->extract[entry_of(m, p)];
  memset(key, 0, sizeof *key);
  SET(key, KEY_B6_FIRST, container(m, p, SLUICE_TYPE_B6, GET(x, KEY_EXTRACT_B6_FIRST)));
  SET(key, KEY_B6_SECOND, container(m, p, SLUICE_TYPE_B6, GET(x, KEY_EXTRACT_B6_SECOND)));
  SET(key, KEY_B4_FIRST, container(m, p, SLUICE_TYPE_B4, GET(x, KEY_EXTRACT_B4_FIRST)));
  SET(key, KEY_B4_SECOND, container(m, p, SLUICE_TYPE_B4, GET(x, KEY_EXTRACT_B4_SECOND)));
  SET(key, KEY_B2_FIRST, container(m, p, SLUICE_TYPE_B2, GET(x, KEY_EXTRACT_B2_FIRST)));
  SET(key, KEY_B2_SECOND, container(m, p, SLUICE_TYPE_B2, GET(x, KEY_EXTRACT_B2_SECOND)));
  uint32_t a = cmp_operand(m, p, GET(x, KEY_EXTRACT_CMP_A)),
           b = cmp_operand(m, p, GET(x, KEY_EXTRACT_CMP_B));
  int op = GET(x, KEY_EXTRACT_CMP_OP);
  if (m->shape.num[SLUICE_TYPE_B6] < 1) SET(key, KEY_B6_FIRST, 0);
  if (m->shape.num[SLUICE_TYPE_B6] < 2) SET(key, KEY_B6_SECOND, 0);
  if (m->shape.num[SLUICE_TYPE_B4] < 2) SET(key, KEY_B4_SECOND, 0);
  if (m->shape.num[SLUICE_TYPE_B2] < 2) SET(key, KEY_B2_SECOND, 0);
  SET(key, KEY_PREDICATE,
      op == SLUICE_CMP_GT   ? a > b
      : op == SLUICE_CMP_GE ? a >= b
      : op == SLUICE_CMP_EQ ? a == b
                            : 1);
  for (int i = 0; i < SLUICE_KEY_BITS; i++)
    if (bits_get(&m->mask[entry_of(m, p)], i, i)) bits_set(key, i, i, 0);
}

static inline bool wide_compare(const struct model *m, const struct phv *p) {
  const struct bits *x = &m->compare[entry_of(m, p)];
  const uint32_t a = operand(m, p, GET(x, KEY_COMPARE_A)),
                 b = GET(x, KEY_COMPARE_IMMEDIATE) ? (uint32_t)GET(x, KEY_COMPARE_K)
                                                   : operand(m, p, GET(x, KEY_COMPARE_B));
  const int32_t sa = (int32_t)a, sb = (int32_t)b;
  const bool results[8] = {false, a == b, a > b, a >= b, sa > sb, sa >= sb, false, false};
  return m->shape.wide && results[GET(x, KEY_COMPARE_OP)];
}

static inline int match_row(const struct model *m, const struct phv *p) {
  struct bits word;
  masked_key(m, p, &word);
  SET(&word, MATCH_VID, p->vid);
  SET(&word, MATCH_WIDE, wide_compare(m, p));
  for (int r = 0; r < m->shape.rows; r++) {
    struct bits entry = m->match[r];
    if (!m->used[r] || GET(&entry, MATCH_NOT_BANK) >> p->bank & 1) continue;
    SET(&entry, MATCH_NOT_BANK, 0);
    if (memcmp(&word, &entry, sizeof word) == 0) return r;
  }
  return -1;
}

// ---- arithmetic
static inline uint32_t sra(uint32_t a, int by) {
  uint32_t fill = a >> 31 && by ? ~(0xffffffffu >> by) : 0;
  return a >> by | fill;
}

static inline uint32_t func(int f, uint32_t a, uint32_t b, uint32_t c) {
  switch (f) {
    case SLUICE_FUNC_AND: return a & b;
    case SLUICE_FUNC_OR: return a | b;
    case SLUICE_FUNC_XOR: return a ^ b;
    case SLUICE_FUNC_NOT: return ~a;
    case SLUICE_FUNC_SHL: return a << (b & 31);
    case SLUICE_FUNC_SRA: return sra(a, b & 31);
    case SLUICE_FUNC_SRL: return a >> (b & 31);
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

static inline uint32_t funci(int f, uint32_t a, uint32_t i) {
  switch (f) {
    case SLUICE_FUNCI_AND: return a & i;
    case SLUICE_FUNCI_OR: return a | i;
    case SLUICE_FUNCI_XOR: return a ^ i;
    case SLUICE_FUNCI_SHL: return a << (i & 31);
    case SLUICE_FUNCI_SRA: return sra(a, i & 31);
    case SLUICE_FUNCI_SRL: return a >> (i & 31);
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

// Whether function f, of FUNC or FUNCI, shifts, and the chip does not. Shifts to the left,
// arithmetic and logical come in a row.
static inline bool no_shift(const struct model *m, unsigned f, unsigned left) {
  return !m->shape.shifters && f - left <= 2;
}

// ---- state unit
static inline bool predicate(uint32_t bits, const uint32_t s[2], uint32_t p1, uint32_t p2,
                             const uint32_t k[4]) {
  uint32_t x = 0, y = 0;
  switch (bits >> 9) {
    case SLUICE_PRED_S_S1: x = s[0]; break;
    case SLUICE_PRED_S_S2: x = s[1]; break;
  }
  switch (bits >> 6 & 7) {
    case SLUICE_PRED_P_P1: x += p1; break;
    case SLUICE_PRED_P_P2: x += p2; break;
    case SLUICE_PRED_P_NEG_P1: x -= p1; break;
    case SLUICE_PRED_P_NEG_P2: x -= p2; break;
    case SLUICE_PRED_P_P1_SUB_P2: x += p1 - p2; break;
    case SLUICE_PRED_P_P2_SUB_P1: x += p2 - p1; break;
  }
  switch (bits & 7) {
    case SLUICE_PRED_Y_P1: y = p1; break;
    case SLUICE_PRED_Y_P2: y = p2; break;
    case SLUICE_PRED_Y_S1: y = s[0]; break;
    case SLUICE_PRED_Y_S2: y = s[1]; break;
    default: y = k[bits & 3];
  }
  switch (bits >> 3 & 7) {
    case SLUICE_REL_EQ: return x == y;
    case SLUICE_REL_NE: return x != y;
    case SLUICE_REL_LT: return (int32_t)x < (int32_t)y;
    case SLUICE_REL_LE: return (int32_t)x <= (int32_t)y;
    case SLUICE_REL_GT: return (int32_t)x > (int32_t)y;
    case SLUICE_REL_GE: return (int32_t)x >= (int32_t)y;
    case SLUICE_REL_TRUE: return true;
    default: return false;
  }
}

static inline uint32_t arm_term(int t, uint32_t p1, uint32_t p2, const uint32_t k[4]) {
  return t < 4 ? k[t] : t == SLUICE_ARM_P1 ? p1 : t == SLUICE_ARM_P2 ? p2 : 0;
}

static inline uint32_t arm(uint32_t u, uint32_t s, uint32_t p1, uint32_t p2, const uint32_t k[4]) {
  uint32_t a = arm_term(u >> 3 & 7, p1, p2, k), b = arm_term(u & 7, p1, p2, k);
  return (u >> 7 ? s : 0) + (u >> 6 & 1 ? a - b : a + b);
}

static inline void state_instr(const struct bits *in, const struct model *m, const struct phv *p,
                               uint32_t s[2], uint32_t pred[4]) {
  uint32_t k[4] = {GET(in, STATE_INSTR_K0), GET(in, STATE_INSTR_K1), GET(in, STATE_INSTR_K2),
                   GET(in, STATE_INSTR_K3)};
  uint32_t p1 = operand(m, p, GET(in, STATE_INSTR_P1)), p2 = operand(m, p, GET(in, STATE_INSTR_P2));
  pred[0] = predicate(GET(in, STATE_INSTR_PRED_1), s, p1, p2, k);
  pred[1] = predicate(GET(in, STATE_INSTR_PRED_2), s, p1, p2, k);
  pred[2] = predicate(GET(in, STATE_INSTR_PRED_3), s, p1, p2, k);
  pred[3] = predicate(GET(in, STATE_INSTR_PRED_4), s, p1, p2, k);
  uint32_t u1, u2;
  if (pred[0] && pred[1]) u1 = GET(in, STATE_INSTR_A1), u2 = GET(in, STATE_INSTR_A2);
  else if (pred[0]) u1 = GET(in, STATE_INSTR_B1), u2 = GET(in, STATE_INSTR_B2);
  else if (pred[3] && pred[2]) u1 = GET(in, STATE_INSTR_C1), u2 = GET(in, STATE_INSTR_C2);
  else if (pred[3]) u1 = GET(in, STATE_INSTR_D1), u2 = GET(in, STATE_INSTR_D2);
  else return;
  s[0] = arm(u1, s[0], p1, p2, k);
  s[1] = arm(u2, s[1], p1, p2, k);
}

// ---- hash unit
static inline uint32_t crc_bytes(uint32_t crc, uint32_t poly, const uint8_t *bytes, int count) {
  for (int i = 0; i < count; i++) {
    crc ^= bytes[i];
    for (int b = 0; b < 8; b++) crc = crc >> 1 ^ (crc & 1 ? poly : 0);
  }
  return crc;
}
static inline uint32_t crc16(const uint8_t *bytes, int count) {
  return crc_bytes(0, 0xa001, bytes, count);
}
static inline uint32_t crc32(const uint8_t *bytes, int count) {
  return ~crc_bytes(~0u, 0xedb88320, bytes, count);
}

static inline uint32_t hash_result(const struct model *m, const struct phv *p) {
  const struct bits *h = &m->hash[entry_of(m, p)];
  if (!GET(h, HASH_INSTR_VALID)) return 0;
  uint32_t v[3] = {operand(m, p, GET(h, HASH_INSTR_A)), operand(m, p, GET(h, HASH_INSTR_B)),
                   operand(m, p, GET(h, HASH_INSTR_C))};
  uint32_t n = GET(h, HASH_INSTR_MODULUS), x = 0;
  uint8_t bytes[12];
  for (int i = 0; i < 12; i++) bytes[i] = v[i / 4] >> 8 * (i % 4);
  switch (GET(h, HASH_INSTR_ALGORITHM)) {
    case SLUICE_HASH_IDENTITY: return n ? (uint32_t)((int64_t)(int32_t)v[0] % (int64_t)n) : v[0];
    case SLUICE_HASH_CRC16: x = crc16(bytes, 4 * GET(h, HASH_INSTR_NUM_WORDS)); break;
    case SLUICE_HASH_CRC32: x = crc32(bytes, 4 * GET(h, HASH_INSTR_NUM_WORDS)); break;
  }
  return n ? x % n : x;
}

// ---- one packet through the stage
static inline bool memory_op(int op) {
  return op == SLUICE_OP_LOAD || op == SLUICE_OP_STORE || op == SLUICE_OP_LOADD;
}

/// `slot` of a granted access: what was resolved; -1: as pinned. What ACCESS does not say by now is no access.
static inline struct effect run_stage(struct model *m, int pipe, bool granted, int slot,
                                      struct phv *p) {
  struct effect e = {.hit = false};
  const struct phv old = *p;
  uint32_t ext[16] = {0}, d16 = 0;
  bool write16 = false;
  int row = match_row(m, p), vrow = entry_of(m, p);
  if (row < 0) return e;
  e.hit = true;
  uint32_t slots[25];
  for (int s = 0; s < 25; s++) slots[s] = bits_get(&m->action[row], 25 * s + 24, 25 * s);
  int op16 = slots[16] >> 21;

  if (!m->shape.back) ext[SLUICE_EXT_OLD_1] = hash_result(m, &old);
  if (m->shape.multipliers)
    ext[SLUICE_EXT_PRODUCT] = operand(m, &old, GET(&m->multiply[row], MULTIPLY_A)) *
                              operand(m, &old, GET(&m->multiply[row], MULTIPLY_B));
  bool instr = m->shape.back && GET(&m->instr[row], STATE_INSTR_VALID);
  if (m->shape.back && !m->taken && (instr || memory_op(op16))) {
    const struct bits *access = &m->access[vrow], *segment = &m->segment[vrow];
    e.op = true;
    e.refused = !granted || (slot < 0) != GET(access, ACCESS_PINNED);
    e.slot = slot < 0 ? 0 : slot;
    if (GET(access, ACCESS_PINNED)) {
      uint64_t index = instr ? wide_operand(m, &old, GET(access, ACCESS_INDEX))
                             : container(m, &old, SLUICE_TYPE_B4, slots[16] >> 11 & 7);
      if (index >= GET(segment, SEGMENT_RANGE) ||
          GET(segment, SEGMENT_BASE) + index >= (uint64_t)m->shape.slots)
        e.refused = true;
      else e.slot = GET(segment, SEGMENT_BASE) + index;
    }
    uint32_t s[2] = {0, 0}, pred[4] = {0};
    if (!e.refused) memcpy(s, m->mem[pipe][e.slot], sizeof s);
    ext[SLUICE_EXT_OLD_1] = s[0];
    ext[SLUICE_EXT_OLD_2] = s[1];
    if (instr) {
      state_instr(&m->instr[row], m, &old, s, pred);
    } else {
      if (op16 == SLUICE_OP_STORE) s[0] = container(m, &old, SLUICE_TYPE_B4, slots[16] >> 16 & 7);
      if (op16 == SLUICE_OP_LOADD) s[0]++;
      write16 = op16 != SLUICE_OP_STORE;
      d16 = s[0];
    }
    if (!m->shape.pairs) s[1] = 0;
    ext[SLUICE_EXT_NEW_1] = s[0];
    ext[SLUICE_EXT_NEW_2] = s[1];
    for (int i = 0; i < 4; i++) ext[SLUICE_EXT_PRED_1 + i] = pred[i];
    if (!e.refused) memcpy(m->mem[pipe][e.slot], s, sizeof s);
  }

  for (int s = 0; s < 25; s++) {
    uint32_t in = slots[s], imm = in & 0xffff;
    int op = in >> 21, ta = in >> 16 & 31, tb = in >> 11 & 31;
    if (s == 0) {
      uint32_t a = operand(m, &old, ta), b = operand(m, &old, tb), n = a & 0xff;
      int port = m->shape.ports <= 8 ? (n > 7 ? 0 : 1 << n) : (int)n;
      if (op == SLUICE_OP_PORT) p->dest = in >> 13 & 0xff;
      if (op == SLUICE_OP_DISCARD) p->discard = in >> 12 & 1;
      if (op == SLUICE_OP_FUNC || op == SLUICE_OP_SETHI) p->dest = port;
      if (op == SLUICE_OP_FUNCI) p->discard = a != 0;
      if (op == SLUICE_OP_SETHI) p->discard = b != 0;
      continue;
    }
    int type = s <= 8 ? SLUICE_TYPE_B2 : s <= 16 ? SLUICE_TYPE_B4 : SLUICE_TYPE_B6, i = (s - 1) % 8;
    uint64_t mask = type == SLUICE_TYPE_B2   ? 0xffff
                    : type == SLUICE_TYPE_B4 ? 0xffffffff
                                             : 0xffffffffffff;
    uint64_t a = container(m, &old, type, ta & 7), b = container(m, &old, type, tb & 7), d = 0;
    uint32_t fa = operand(m, &old, ta), fb = operand(m, &old, tb);
    int32_t imm12 = (int32_t)(in << 20) >> 20;
    bool write = true;
    switch (op) {
      case SLUICE_OP_ADD: d = a + b; break;
      case SLUICE_OP_SUB: d = a - b; break;
      case SLUICE_OP_ADDI: d = a + imm; break;
      case SLUICE_OP_SUBI: d = a - imm; break;
      case SLUICE_OP_SET: d = imm; break;
      case SLUICE_OP_FUNC:
        d = no_shift(m, in >> 6 & 31, SLUICE_FUNC_SHL)
                ? 0
                : func(in >> 6 & 31, fa, fb, operand(m, &old, in >> 1 & 31));
        break;
      case SLUICE_OP_FUNCI:
        d = no_shift(m, in >> 12 & 15, SLUICE_FUNCI_SHL)
                ? 0
                : funci(in >> 12 & 15, fa, (uint32_t)imm12);
        break;
      case SLUICE_OP_SETHI: d = imm << 16 | (fa & 0xffff); break;
      case SLUICE_OP_EXT: d = ext[in & 15]; break;
      default: write = s == 16 && write16; d = d16;
    }
    if (write && i < m->shape.num[type]) p->c[type][i] = d & mask;
  }
  return e;
}

#endif
