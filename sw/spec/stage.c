// SPDX-License-Identifier: Apache-2.0
// docs/machine.md: A stage; Match engines.
#include <string.h>

#include "parts.h"

enum { KEY_BYTES = (SLUICE_KEY_BITS + 7) / 8, SLOTS = 25 };

/// What an action of a stage sees.
struct view {
  const struct sluice_spec *s;
  const struct spec_phv *before;  // the PHV before the stage
  const struct spec_hit *hit;
  uint32_t ext[16];  // by the numbers of enumeration EXT
};

// ---- 1. Key -------------------------------------------------------------------------------------

// "compares the low 8 bits of its operands, unsigned"
static unsigned comparator_operand(const struct sluice_spec *s, const struct spec_phv *phv,
                                   unsigned operand) {
  const unsigned kind = operand >> 3 & 3;
  if (operand >> 8 & 1) return operand & 0xff;
  if (kind == 3) return 0;
  return spec_value(s, phv, (kind + 1) << 3 | (operand & 7)) & 0xff;
}

static bool comparator(const struct sluice_spec *s, const struct spec_phv *phv,
                       const uint8_t *extract) {
  const unsigned a = comparator_operand(s, phv, (unsigned)FIELD(extract, KEY_EXTRACT, CMP_A)),
                 b = comparator_operand(s, phv, (unsigned)FIELD(extract, KEY_EXTRACT, CMP_B));
  switch (FIELD(extract, KEY_EXTRACT, CMP_OP)) {
    case SLUICE_CMP_GT: return a > b;
    case SLUICE_CMP_GE: return a >= b;
    case SLUICE_CMP_EQ: return a == b;
    default: return true;
  }
}

// A part that the chip does not have reads 0: of one container of a type there is no second part.
static uint64_t part(const struct sluice_spec *s, const struct spec_phv *phv, unsigned kind,
                     uint64_t index, bool second) {
  if (second && !spec_container(s, kind, 1)) return 0;
  return spec_full(s, phv, kind << 3 | (unsigned)index);
}

static void make_key(const struct sluice_spec *s, unsigned stage, const struct spec_phv *phv,
                     uint8_t key[KEY_BYTES]) {
  const uint8_t *x = spec_of_row(s, SLUICE_TABLE_KEY_EXTRACT, stage, phv),
                *mask = spec_of_row(s, SLUICE_TABLE_KEY_MASK, stage, phv);
  const unsigned b2 = SLUICE_TYPE_B2, b4 = SLUICE_TYPE_B4, b6 = SLUICE_TYPE_B6;
  memset(key, 0, KEY_BYTES);
  FIELD_SET(key, KEY, B6_FIRST, part(s, phv, b6, FIELD(x, KEY_EXTRACT, B6_FIRST), false));
  FIELD_SET(key, KEY, B6_SECOND, part(s, phv, b6, FIELD(x, KEY_EXTRACT, B6_SECOND), true));
  FIELD_SET(key, KEY, B4_FIRST, part(s, phv, b4, FIELD(x, KEY_EXTRACT, B4_FIRST), false));
  FIELD_SET(key, KEY, B4_SECOND, part(s, phv, b4, FIELD(x, KEY_EXTRACT, B4_SECOND), true));
  FIELD_SET(key, KEY, B2_FIRST, part(s, phv, b2, FIELD(x, KEY_EXTRACT, B2_FIRST), false));
  FIELD_SET(key, KEY, B2_SECOND, part(s, phv, b2, FIELD(x, KEY_EXTRACT, B2_SECOND), true));
  FIELD_SET(key, KEY, PREDICATE, comparator(s, phv, x));
  for (unsigned i = 0; i < KEY_BYTES; i++) key[i] = (uint8_t)(key[i] & ~mask[i]);
}

// Wide compare
static bool wide_compare(const struct sluice_spec *s, unsigned stage, const struct spec_phv *phv) {
  const uint8_t *e = spec_of_row(s, SLUICE_TABLE_KEY_COMPARE, stage, phv);
  const uint32_t a = spec_value(s, phv, (unsigned)FIELD(e, KEY_COMPARE, A)),
                 b = FIELD(e, KEY_COMPARE, IMMEDIATE)
                         ? (uint32_t)FIELD(e, KEY_COMPARE, K)
                         : spec_value(s, phv, (unsigned)FIELD(e, KEY_COMPARE, B));
  if (!s->c.WideCompare) return false;
  switch (FIELD(e, KEY_COMPARE, OP)) {
    case SLUICE_WIDE_EQ: return a == b;
    case SLUICE_WIDE_GTU: return a > b;
    case SLUICE_WIDE_GEU: return a >= b;
    case SLUICE_WIDE_GT: return (int32_t)a > (int32_t)b;
    case SLUICE_WIDE_GE: return (int32_t)a >= (int32_t)b;
    default: return false;
  }
}

// ---- 2. Match, and Match engines ----------------------------------------------------------------

static void take_data(struct spec_hit *hit, const uint8_t *data) {
  for (unsigned w = 0; w < 4; w++) hit->data[w] = (uint32_t)spec_number(data + 4 * w, 4);
  hit->data[4] = 0;
}

// The last 16 bytes of an entry are its data words.
static const uint8_t *data_of(const uint8_t *entry, unsigned bits) { return entry + bits / 8 - 16; }

// Exact rows: {0, wide, VID[7:0], key}
static bool match_exact(const struct sluice_spec *s, unsigned stage, const struct spec_phv *phv,
                        const uint8_t *key, bool wide, unsigned *row) {
  for (*row = 0; *row < s->c.MatchEntries; ++*row) {
    const uint8_t *e = spec_entry(s, SLUICE_TABLE_MATCH, stage, *row);
    if (s->match_valid[stage][*row] && !FIELD(e, MATCH, RESERVED) &&
        FIELD(e, MATCH, WIDE) == wide && !(FIELD(e, MATCH, NOT_BANK) >> phv->bank & 1) &&
        FIELD(e, MATCH, VID) == phv->vid &&
        spec_same_bits(e, SLUICE_MATCH_BITS, SLUICE_MATCH_KEY_MSB, key, SLUICE_KEY_BITS,
                       SLUICE_KEY_BITS - 1, SLUICE_KEY_BITS))
      return true;
  }
  return false;
}

// "(key XOR KEY) AND CARE is 0"
static bool cares(const uint8_t *e, const uint8_t *key) {
  for (unsigned b = 0; b < SLUICE_KEY_BITS; b++) {
    const unsigned bit = SLUICE_TERNARY_CARE_LSB + b, of_key = SLUICE_TERNARY_KEY_LSB + b;
    if (spec_field(e, SLUICE_TERNARY_BITS, bit, bit) &&
        spec_field(e, SLUICE_TERNARY_BITS, of_key, of_key) !=
            spec_field(key, SLUICE_KEY_BITS, b, b))
      return false;
  }
  return true;
}

static bool match_ternary(const struct sluice_spec *s, unsigned stage, const struct spec_phv *phv,
                          const uint8_t *key, bool wide, unsigned *entry) {
  if (!spec_table_exists(s, SLUICE_TABLE_TERNARY, stage)) return false;
  for (*entry = 0; *entry < s->c.TernaryEntries; ++*entry) {
    const uint8_t *e = spec_entry(s, SLUICE_TABLE_TERNARY, stage, *entry);
    if (FIELD(e, TERNARY, VALID) && !(FIELD(e, TERNARY, NOT_BANK) >> phv->bank & 1) &&
        FIELD(e, TERNARY, VID) == phv->vid &&
        (!FIELD(e, TERNARY, CARE_WIDE) || FIELD(e, TERNARY, WIDE) == wide) && cares(e, key))
      return true;
  }
  return false;
}

static uint64_t mirrored(uint64_t value, unsigned bits) {
  uint64_t mirror = 0;
  for (unsigned b = 0; b < bits; b++) mirror |= (value >> b & 1) << (bits - 1 - b);
  return mirror;
}

// The highest bit of the register leaves first. A reflected CRC takes the bits of a byte from the
// lowest on; its start value and its sum are written in mirror image.
uint64_t spec_crc(unsigned bits, uint64_t polynomial, bool reflected, uint64_t start,
                  const uint8_t *bytes, unsigned num) {
  const uint64_t top = UINT64_C(1) << (bits - 1), all = top | (top - 1);
  uint64_t crc = reflected ? mirrored(start, bits) : start;
  for (unsigned n = 0; n < 8 * num; n++) {
    const bool bit = bytes[n / 8] >> (reflected ? n % 8 : 7 - n % 8) & 1;
    const bool out = ((crc & top) != 0) != bit;
    crc = (crc << 1 & all) ^ (out ? polynomial : 0);
  }
  return reflected ? mirrored(crc, bits) : crc;
}

static uint64_t rotated_left(uint64_t x, unsigned n) { return x << n | x >> (64 - n); }

uint64_t spec_mixed(const uint8_t *bytes, unsigned num) {
  const uint64_t h = spec_crc(64, 0x42F0E1EBA9EA3693, false, 0, bytes, num);
  return h ^ (~rotated_left(h, 21) & rotated_left(h, 42));
}

static bool match_cuckoo(const struct sluice_spec *s, unsigned stage, const struct spec_phv *phv,
                         const uint8_t *key, bool wide, unsigned *entry) {
  // 7 bits 0, VID[7:0], the key: 26 bytes
  uint8_t bytes[26] = {0};
  if (!spec_table_exists(s, SLUICE_TABLE_CUCKOO, stage)) return false;
  spec_set(bytes, 208, 200, 193, phv->vid);
  for (unsigned b = 0; b < SLUICE_KEY_BITS; b++)
    spec_set(bytes, 208, b, b, spec_field(key, SLUICE_KEY_BITS, b, b));
  const uint64_t g = spec_mixed(bytes, sizeof bytes);
  const unsigned buckets = s->c.CuckooEntries / 4;
  for (unsigned way = 0; way < 4; way++) {
    *entry = way * buckets + (unsigned)(g >> 16 * way & 0xffff) % buckets;
    const uint8_t *e = spec_entry(s, SLUICE_TABLE_CUCKOO, stage, *entry);
    if (FIELD(e, CUCKOO, VALID) && !(FIELD(e, CUCKOO, NOT_BANK) >> phv->bank & 1) &&
        FIELD(e, CUCKOO, VID) == phv->vid && FIELD(e, CUCKOO, WIDE) == wide &&
        spec_same_bits(e, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_MSB, key, SLUICE_KEY_BITS,
                       SLUICE_KEY_BITS - 1, SLUICE_KEY_BITS))
      return true;
  }
  return false;
}

// Counters: the entry that won counts the packet and its length as it arrived.
static void count(struct sluice_spec *s, enum sluice_table table, unsigned stage, unsigned entry,
                  unsigned lane, unsigned len) {
  if (!s->c.EntryCounters || s->mute) return;
  uint64_t *counter = &s->counts[table][stage][(size_t)entry * s->c.NumPipes + lane];
  *counter = sluice_spec_count_sum(*counter, UINT64_C(1) << SLUICE_ENTRY_COUNT_PACKETS_LSB | len);
}

// Which wins: exact rows, ternary engine, cuckoo engine; else the default action.
static struct spec_hit match(struct sluice_spec *s, unsigned stage, const struct spec_phv *phv,
                             unsigned lane) {
  struct spec_hit hit = {.action = true, .entry = true};
  const uint8_t *by_default = spec_of_row(s, SLUICE_TABLE_DEFAULT_ACTION, stage, phv), *e;
  const bool wide = wide_compare(s, stage, phv);
  uint8_t key[KEY_BYTES];
  unsigned n;
  make_key(s, stage, phv, key);
  if (match_exact(s, stage, phv, key, wide, &n)) {
    hit.row = n;
    take_data(&hit, spec_entry(s, SLUICE_TABLE_MATCH_DATA, stage, n));
    count(s, SLUICE_TABLE_MATCH_COUNT, stage, n, lane, phv->len);
  } else if (match_ternary(s, stage, phv, key, wide, &n)) {
    e = spec_entry(s, SLUICE_TABLE_TERNARY, stage, n);
    hit.row = (unsigned)FIELD(e, TERNARY, ACTION);
    take_data(&hit, data_of(e, SLUICE_TERNARY_BITS));
    count(s, SLUICE_TABLE_TERNARY_COUNT, stage, n, lane, phv->len);
  } else if (match_cuckoo(s, stage, phv, key, wide, &n)) {
    e = spec_entry(s, SLUICE_TABLE_CUCKOO, stage, n);
    hit.row = (unsigned)FIELD(e, CUCKOO, ACTION);
    take_data(&hit, data_of(e, SLUICE_CUCKOO_BITS));
    count(s, SLUICE_TABLE_CUCKOO_COUNT, stage, n, lane, phv->len);
  } else if (s->c.DefaultActions && FIELD(by_default, DEFAULT_ACTION, VALID)) {
    hit.entry = false;
    hit.row = (unsigned)FIELD(by_default, DEFAULT_ACTION, ACTION);
    take_data(&hit, data_of(by_default, SLUICE_DEFAULT_ACTION_BITS));
  } else {
    hit.action = hit.entry = false;
  }
  return hit;
}

// ---- 3. Action ----------------------------------------------------------------------------------

static uint32_t slot_word(const uint8_t *action, unsigned slot) {
  return (uint32_t)spec_field(action, 625, 25 * slot + 24, 25 * slot);
}
// Fields of an instruction
static unsigned bits_of(uint32_t word, unsigned msb, unsigned lsb) {
  return word >> lsb & ((1u << (msb - lsb + 1)) - 1);
}
#define PART(WORD, FORM, NAME) \
  bits_of(WORD, SLUICE_##FORM##_##NAME##_MSB, SLUICE_##FORM##_##NAME##_LSB)

// Data words: an operand of type CONST of an instruction with DATA set, in a slot of type `kind`.
static uint64_t func_operand(const struct view *v, unsigned operand, bool data, unsigned kind) {
  const unsigned index = operand & 7;
  if (!data || operand >> 3 != SLUICE_TYPE_CONST) return spec_full(v->s, v->before, operand);
  if (index >= 4) return index - 4;
  if (kind == SLUICE_TYPE_B6)
    return (uint64_t)(v->hit->data[index + 1] & 0xffff) << 32 | v->hit->data[index];
  return v->hit->data[index];
}

static int32_t shifted_right(uint32_t a, unsigned n) {
  return (int32_t)(a >> n | (a >> 31 && n ? UINT32_MAX << (32 - n) : 0));
}

// Enumeration FUNC
static uint32_t func(const struct view *v, unsigned f, uint32_t a, uint32_t b, uint32_t c) {
  const int32_t sa = (int32_t)a, sb = (int32_t)b;
  const bool shifts = v->s->c.Shifters;
  switch (f) {
    case SLUICE_FUNC_AND: return a & b;
    case SLUICE_FUNC_OR: return a | b;
    case SLUICE_FUNC_XOR: return a ^ b;
    case SLUICE_FUNC_NOT: return ~a;
    case SLUICE_FUNC_SHL: return shifts ? a << (b & 31) : 0;
    case SLUICE_FUNC_SRA: return shifts ? (uint32_t)shifted_right(a, b & 31) : 0;
    case SLUICE_FUNC_SRL: return shifts ? a >> (b & 31) : 0;
    case SLUICE_FUNC_EQ: return a == b;
    case SLUICE_FUNC_NE: return a != b;
    case SLUICE_FUNC_LT: return sa < sb;
    case SLUICE_FUNC_LE: return sa <= sb;
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

// Enumeration FUNCI: the immediate has 12 bits, signed.
static uint32_t funci(const struct view *v, unsigned f, uint32_t a, unsigned immediate) {
  const uint32_t i = immediate & 0x800 ? immediate | 0xfffff000 : immediate;
  const int32_t sa = (int32_t)a, si = (int32_t)i;
  const bool shifts = v->s->c.Shifters;
  switch (f) {
    case SLUICE_FUNCI_AND: return a & i;
    case SLUICE_FUNCI_OR: return a | i;
    case SLUICE_FUNCI_XOR: return a ^ i;
    case SLUICE_FUNCI_SHL: return shifts ? a << (i & 31) : 0;
    case SLUICE_FUNCI_SRA: return shifts ? (uint32_t)shifted_right(a, i & 31) : 0;
    case SLUICE_FUNCI_SRL: return shifts ? a >> (i & 31) : 0;
    case SLUICE_FUNCI_EQ: return a == i;
    case SLUICE_FUNCI_NE: return a != i;
    case SLUICE_FUNCI_LT: return sa < si;
    case SLUICE_FUNCI_LE: return sa <= si;
    case SLUICE_FUNCI_GT: return sa > si;
    case SLUICE_FUNCI_GE: return sa >= si;
    case SLUICE_FUNCI_ADD: return a + i;
    case SLUICE_FUNCI_RSUB: return i - a;
    case SLUICE_FUNCI_SET: return i;
    default: return 0;
  }
}

static uint64_t func_result(const struct view *v, uint32_t word, unsigned kind) {
  const bool data = v->s->c.ActionData && PART(word, INSTR_FUNC, DATA);
  const uint64_t a = func_operand(v, PART(word, INSTR_FUNC, A), data, kind);
  const unsigned f = PART(word, INSTR_FUNC, F);
  if (data && f == SLUICE_FUNC_MOVE) return a;  // at the full width of the slot
  return func(v, f, (uint32_t)a, (uint32_t)func_operand(v, PART(word, INSTR_FUNC, B), data, kind),
              (uint32_t)func_operand(v, PART(word, INSTR_FUNC, C), data, kind));
}

// Slots 1 to 24: what the container `index` of type `kind` becomes.
static void run_slot(const struct view *v, uint32_t word, unsigned kind, unsigned index,
                     struct spec_phv *after) {
  const struct sluice_spec *s = v->s;
  // Menshen's operations: containers of the slot's own type
  const uint64_t a = spec_full(s, v->before, kind << 3 | (PART(word, INSTR, A) & 7)),
                 b = spec_full(s, v->before, kind << 3 | (PART(word, INSTR, B) & 7)),
                 immediate = PART(word, INSTR_IMM, IMM);
  const uint32_t any = spec_value(s, v->before, PART(word, INSTR, A));
  uint64_t result;
  switch (PART(word, INSTR, OP)) {
    case SLUICE_OP_ADD: result = a + b; break;
    case SLUICE_OP_SUB: result = a - b; break;
    case SLUICE_OP_ADDI: result = a + immediate; break;
    case SLUICE_OP_SUBI: result = a - immediate; break;
    case SLUICE_OP_SET: result = immediate; break;
    case SLUICE_OP_FUNC: result = func_result(v, word, kind); break;
    case SLUICE_OP_FUNCI:
      result = funci(v, PART(word, INSTR_FUNCI, F), any, PART(word, INSTR_FUNCI, IMM));
      break;
    case SLUICE_OP_SETHI: result = immediate << 16 | (any & 0xffff); break;
    case SLUICE_OP_EXT: result = v->ext[immediate & 15]; break;
    default: return;
  }
  spec_put(s, after, kind, index, result);
}

// Slot 0, the metadata ALU
static void run_metadata(const struct view *v, uint32_t word, struct spec_phv *after) {
  const unsigned op = PART(word, INSTR, OP);
  const bool data = op == SLUICE_OP_FUNC && v->s->c.ActionData && PART(word, INSTR_FUNC, DATA);
  const uint32_t a = (uint32_t)func_operand(v, PART(word, INSTR, A), data, SLUICE_TYPE_CONST),
                 b = spec_value(v->s, v->before, PART(word, INSTR, B));
  switch (op) {
    case SLUICE_OP_PORT: after->dest = PART(word, INSTR_MD, DEST); break;
    case SLUICE_OP_DISCARD: after->discard = PART(word, INSTR_MD, DISCARD); break;
    case SLUICE_OP_FUNC: after->dest = spec_dest_of(v->s, a); break;
    case SLUICE_OP_FUNCI: after->discard = a != 0; break;
    case SLUICE_OP_SETHI:
      after->dest = spec_dest_of(v->s, a);
      after->discard = b != 0;
      break;
    default: break;
  }
}

// ---- 4. Hash unit -------------------------------------------------------------------------------

static uint32_t hash_unit(const struct sluice_spec *s, unsigned stage, const struct spec_phv *phv) {
  const uint8_t *e = spec_of_row(s, SLUICE_TABLE_HASH_INSTR, stage, phv);
  const unsigned words = (unsigned)FIELD(e, HASH_INSTR, NUM_WORDS);
  const uint32_t modulus = (uint32_t)FIELD(e, HASH_INSTR, MODULUS),
                 operands[3] = {spec_value(s, phv, (unsigned)FIELD(e, HASH_INSTR, A)),
                                spec_value(s, phv, (unsigned)FIELD(e, HASH_INSTR, B)),
                                spec_value(s, phv, (unsigned)FIELD(e, HASH_INSTR, C))};
  uint8_t bytes[12];
  uint32_t result;
  if (!FIELD(e, HASH_INSTR, VALID)) return 0;
  for (unsigned i = 0; i < 12; i++) bytes[i] = (uint8_t)(operands[i / 4] >> 8 * (i % 4));
  switch (FIELD(e, HASH_INSTR, ALGORITHM)) {
    case SLUICE_HASH_IDENTITY: {
      const int64_t dividend = (int32_t)operands[0];
      return (uint32_t)(modulus ? dividend % (int64_t)modulus : dividend);
    }
    case SLUICE_HASH_CRC16:
      result = (uint32_t)spec_crc(16, 0x8005, true, 0, bytes, 4 * words);
      break;
    case SLUICE_HASH_CRC32:
      result = ~(uint32_t)spec_crc(32, 0x04C11DB7, true, 0xffffffff, bytes, 4 * words);
      break;
    default: result = 0;
  }
  return modulus ? result % modulus : result;
}

// ---- 5. Multiplier ------------------------------------------------------------------------------

static uint32_t multiplier(const struct sluice_spec *s, unsigned stage, const struct spec_phv *phv,
                           unsigned row) {
  const uint8_t *e = spec_entry(s, SLUICE_TABLE_MULTIPLY, stage, row);
  return spec_value(s, phv, (unsigned)FIELD(e, MULTIPLY, A)) *
         spec_value(s, phv, (unsigned)FIELD(e, MULTIPLY, B));
}

// ---- A stage ------------------------------------------------------------------------------------

void spec_stage(struct sluice_spec *s, unsigned stage, unsigned lane, struct spec_phv *phv,
                struct sluice_model_access *access, bool taken) {
  const struct spec_phv before = *phv;
  const struct spec_hit hit = match(s, stage, &before, lane);
  struct view v = {.s = s, .before = &before, .hit = &hit};
  uint32_t load;
  if (access) access->hit = hit.entry;
  if (!hit.action) return;
  const uint8_t *action = spec_entry(s, SLUICE_TABLE_ACTION, stage, hit.row);
  v.ext[SLUICE_EXT_PRODUCT] = multiplier(s, stage, &before, hit.row);
  if (!access) v.ext[SLUICE_EXT_OLD_1] = hash_unit(s, stage, &before);
  if (access && !taken && spec_state_unit(s, stage, phv, &before, &hit, access, v.ext, &load))
    spec_put(s, phv, SLUICE_TYPE_B4, 7, load);
  run_metadata(&v, slot_word(action, 0), phv);
  for (unsigned slot = 1; slot < SLOTS; slot++) {
    const unsigned kind = slot <= 8 ? SLUICE_TYPE_B2 : slot <= 16 ? SLUICE_TYPE_B4 : SLUICE_TYPE_B6;
    run_slot(&v, slot_word(action, slot), kind, (slot - 1) % 8, phv);
  }
}
