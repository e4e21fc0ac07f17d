// SPDX-License-Identifier: Apache-2.0
#include "guard.h"

#include <stdio.h>
#include <string.h>

enum { WIDEST = 48, WORD = 32, CONTAINERS = 24, FRAME_BITS = SLUICE_GUARD_BITS, SLOTS = 25 };
enum { NONE = -1 };

static const struct sluice_guard_bit is_zero = {true, false, NONE}, is_one = {false, true, NONE},
                                     unknown = {true, true, NONE};

struct phv {
  // 2-byte containers, 4-byte, 6-byte, eight of each; [0] is the least significant
  struct sluice_guard_bit container[CONTAINERS][WIDEST];
};

static const struct sluice_guard_bit *container(const struct phv *phv, unsigned kind,
                                                unsigned index) {
  return phv->container[8 * (kind - SLUICE_TYPE_B2) + index];
}

static bool there(const struct sluice_config *c, unsigned kind, unsigned index) {
  return index < (kind == SLUICE_TYPE_B2 ? c->Num2B : kind == SLUICE_TYPE_B4 ? c->Num4B : c->Num6B);
}

static bool is_same(struct sluice_guard_bit a, struct sluice_guard_bit b) {
  return a.zero == b.zero && a.one == b.one && a.same == b.same;
}
static bool surely_zero(struct sluice_guard_bit a) { return is_same(a, is_zero); }
static bool surely_one(struct sluice_guard_bit a) { return is_same(a, is_one); }

// One or the other.
static struct sluice_guard_bit either(struct sluice_guard_bit a, struct sluice_guard_bit b) {
  if (a.same != NONE && b.same != NONE && a.same != b.same) return unknown;
  return (struct sluice_guard_bit){a.zero || b.zero, a.one || b.one,
                                   a.same != NONE ? a.same : b.same};
}

static void constant(struct sluice_guard_bit *to, uint64_t value) {
  for (unsigned i = 0; i < WIDEST; i++) to[i] = value >> i & 1 ? is_one : is_zero;
}
static void any(struct sluice_guard_bit *to, unsigned bits) {
  for (unsigned i = 0; i < WIDEST; i++) to[i] = i < bits ? unknown : is_zero;
}

// Whether all of the lowest 32 bits are known, and what they are.
static bool known(const struct sluice_guard_bit *a, uint32_t *value) {
  *value = 0;
  for (unsigned i = 0; i < WORD; i++) {
    if (!surely_zero(a[i]) && !surely_one(a[i])) return false;
    *value |= (uint32_t)surely_one(a[i]) << i;
  }
  return true;
}

// Up to the first place where both may be 1, a sum is what is not 0 there; a difference, up to the
// first place where something is taken away. Above, everything is unknown.
static void sum(struct sluice_guard_bit *to, const struct sluice_guard_bit *a,
                const struct sluice_guard_bit *b, bool subtract, unsigned bits) {
  bool carry = false;
  for (unsigned i = 0; i < WIDEST; i++) {
    if (!surely_zero(b[i]) && (subtract || !surely_zero(a[i]))) carry = true;
    to[i] = i >= bits ? is_zero : carry ? unknown : surely_zero(b[i]) ? a[i] : b[i];
  }
}

static struct sluice_guard_bit and_of(struct sluice_guard_bit a, struct sluice_guard_bit b) {
  if (surely_zero(a) || surely_zero(b)) return is_zero;
  return surely_one(a) ? b : surely_one(b) || is_same(a, b) ? a : unknown;
}
static struct sluice_guard_bit not_of(struct sluice_guard_bit a) {
  return a.same == NONE ? (struct sluice_guard_bit){a.one, a.zero, NONE} : unknown;
}
static struct sluice_guard_bit or_of(struct sluice_guard_bit a, struct sluice_guard_bit b) {
  if (surely_one(a) || surely_one(b)) return is_one;
  return surely_zero(a) ? b : surely_zero(b) || is_same(a, b) ? a : unknown;
}
static struct sluice_guard_bit xor_of(struct sluice_guard_bit a, struct sluice_guard_bit b) {
  return surely_zero(a)   ? b
         : surely_zero(b) ? a
         : surely_one(a)  ? not_of(b)
         : surely_one(b)  ? not_of(a)
                          : unknown;
}

static void shift(struct sluice_guard_bit *to, const struct sluice_guard_bit *a,
                  const struct sluice_guard_bit *by, bool left, bool arithmetic) {
  uint32_t n;
  any(to, WORD);
  if (!known(by, &n)) return;
  n &= 31;
  for (unsigned i = 0; i < WORD; i++) {
    if (left) to[i] = i >= n ? a[i - n] : is_zero;
    else to[i] = i + n < WORD ? a[i + n] : arithmetic ? a[WORD - 1] : is_zero;
  }
}

// The functions of FUNC; those of FUNCI have a number of their own and the immediate as b.
static void func(struct sluice_guard_bit *to, unsigned f, const struct sluice_guard_bit *a,
                 const struct sluice_guard_bit *b) {
  any(to, WORD);
  switch (f) {
    case SLUICE_FUNC_AND:
    case SLUICE_FUNC_OR:
    case SLUICE_FUNC_XOR:
      for (unsigned i = 0; i < WORD; i++)
        to[i] = f == SLUICE_FUNC_AND  ? and_of(a[i], b[i])
                : f == SLUICE_FUNC_OR ? or_of(a[i], b[i])
                                      : xor_of(a[i], b[i]);
      break;
    case SLUICE_FUNC_NOT:
      for (unsigned i = 0; i < WORD; i++) to[i] = not_of(a[i]);
      break;
    case SLUICE_FUNC_SHL: shift(to, a, b, true, false); break;
    case SLUICE_FUNC_SRA: shift(to, a, b, false, true); break;
    case SLUICE_FUNC_SRL: shift(to, a, b, false, false); break;
    case SLUICE_FUNC_ADD: sum(to, a, b, false, WORD); break;
    case SLUICE_FUNC_SUB: sum(to, a, b, true, WORD); break;
    case SLUICE_FUNC_SELECT:
      for (unsigned i = 0; i < WORD; i++) to[i] = either(a[i], b[i]);
      break;
    case SLUICE_FUNC_MOVE: memcpy(to, a, WORD * sizeof *to); break;
    default: any(to, 1); break;  // comparisons
  }
}

static void funci(struct sluice_guard_bit *to, unsigned f, const struct sluice_guard_bit *a,
                  const struct sluice_guard_bit *i) {
  static const unsigned alike[] = {
      [SLUICE_FUNCI_AND] = SLUICE_FUNC_AND, [SLUICE_FUNCI_OR] = SLUICE_FUNC_OR,
      [SLUICE_FUNCI_XOR] = SLUICE_FUNC_XOR, [SLUICE_FUNCI_SHL] = SLUICE_FUNC_SHL,
      [SLUICE_FUNCI_SRA] = SLUICE_FUNC_SRA, [SLUICE_FUNCI_SRL] = SLUICE_FUNC_SRL,
      [SLUICE_FUNCI_EQ] = SLUICE_FUNC_EQ,   [SLUICE_FUNCI_NE] = SLUICE_FUNC_EQ,
      [SLUICE_FUNCI_LT] = SLUICE_FUNC_EQ,   [SLUICE_FUNCI_LE] = SLUICE_FUNC_EQ,
      [SLUICE_FUNCI_GT] = SLUICE_FUNC_EQ,   [SLUICE_FUNCI_GE] = SLUICE_FUNC_EQ,
      [SLUICE_FUNCI_ADD] = SLUICE_FUNC_ADD, [SLUICE_FUNCI_SET] = SLUICE_FUNC_MOVE};
  if (f == SLUICE_FUNCI_SET) func(to, SLUICE_FUNC_MOVE, i, i);
  else if (f == SLUICE_FUNCI_RSUB) func(to, SLUICE_FUNC_SUB, i, a);
  else if (f < sizeof alike / sizeof *alike) func(to, alike[f], a, i);
  else constant(to, 0);
}

static void operand(struct sluice_guard_bit *to, const struct sluice_config *c,
                    const struct phv *phv, unsigned code) {
  const unsigned kind = code >> SLUICE_OPERAND_KIND_LSB, index = code & 7;
  if (kind == SLUICE_TYPE_CONST || !there(c, kind, index))
    constant(to, kind == SLUICE_TYPE_CONST ? index : 0);
  else memcpy(to, container(phv, kind, index), WIDEST * sizeof *to);
  for (unsigned i = WORD; i < WIDEST; i++) to[i] = is_zero;
}

// The same in FUNC with DATA set: of data words, which entries bring at any time, nothing is known.
// `wide`: 48 bits.
static void data_operand(struct sluice_guard_bit *to, const struct sluice_config *c,
                         const struct phv *phv, unsigned code, bool wide) {
  const unsigned kind = code >> SLUICE_OPERAND_KIND_LSB, index = code & 7;
  if (kind == SLUICE_TYPE_CONST && index < 4) any(to, wide ? WIDEST : WORD);
  else if (kind == SLUICE_TYPE_CONST) constant(to, index - 4);
  else if (wide && there(c, kind, index))
    memcpy(to, container(phv, kind, index), WIDEST * sizeof *to);
  else operand(to, c, phv, code);
}

#define SLOT(FORM, FIELD)                                                               \
  ((unsigned)sluice_entry_get(action, sluice_tables[SLUICE_TABLE_ACTION].bits,          \
                              SLUICE_INSTR_BITS * slot + SLUICE_##FORM##_##FIELD##_MSB, \
                              SLUICE_INSTR_BITS * slot + SLUICE_##FORM##_##FIELD##_LSB))

// What a slot of an action gives its container. False: nothing.
static bool run_slot(struct sluice_guard_bit *to, const struct sluice_config *c,
                     const struct phv *phv, const uint8_t *action, unsigned slot) {
  const unsigned kind = SLUICE_TYPE_B2 + (slot - 1) / 8, imm = SLOT(INSTR_IMM, IMM);
  struct sluice_guard_bit a[WIDEST], b[WIDEST];
  const unsigned op = SLOT(INSTR, OP);
  switch (op) {
    case SLUICE_OP_ADD:
    case SLUICE_OP_SUB:
    case SLUICE_OP_ADDI:
    case SLUICE_OP_SUBI: {
      // Menshen's: the slot's own kind of containers.
      const bool immediate = op == SLUICE_OP_ADDI || op == SLUICE_OP_SUBI;
      const unsigned x = SLOT(INSTR, A) & 7, y = SLOT(INSTR, B) & 7;
      if (there(c, kind, x)) memcpy(a, container(phv, kind, x), sizeof a);
      else constant(a, 0);
      if (!immediate && there(c, kind, y)) memcpy(b, container(phv, kind, y), sizeof b);
      else constant(b, immediate ? imm : 0);
      sum(to, a, b, op == SLUICE_OP_SUB || op == SLUICE_OP_SUBI, WIDEST);
      return true;
    }
    case SLUICE_OP_SET: constant(to, imm); return true;
    case SLUICE_OP_SETHI:
      operand(a, c, phv, SLOT(INSTR, A));
      constant(to, (uint64_t)imm << 16);
      memcpy(to, a, 16 * sizeof *to);
      return true;
    case SLUICE_OP_FUNC:
      if (c->ActionData && SLOT(INSTR_FUNC, DATA)) {
        const bool move = SLOT(INSTR_FUNC, F) == SLUICE_FUNC_MOVE;
        data_operand(a, c, phv, SLOT(INSTR, A), move);
        data_operand(b, c, phv, SLOT(INSTR, B), false);
        if (move) memcpy(to, a, WIDEST * sizeof *to);
        else func(to, SLOT(INSTR_FUNC, F), a, b);
        return true;
      }
      operand(a, c, phv, SLOT(INSTR, A));
      operand(b, c, phv, SLOT(INSTR, B));
      func(to, SLOT(INSTR_FUNC, F), a, b);
      return true;
    case SLUICE_OP_FUNCI: {
      const unsigned i = SLOT(INSTR_FUNCI, IMM);
      operand(a, c, phv, SLOT(INSTR, A));
      constant(b, i & 0x800 ? i | 0xfffff000u : i);
      funci(to, SLOT(INSTR_FUNCI, F), a, b);
      return true;
    }
    case SLUICE_OP_EXT: any(to, WORD); return true;
    case SLUICE_OP_LOAD:
    case SLUICE_OP_LOADD: any(to, WORD); return slot == 16;
    default: return false;
  }
}

static void act(const struct sluice_config *c, const struct phv *before, const uint8_t *action,
                struct phv *after) {
  *after = *before;
  for (unsigned slot = 1; slot < SLOTS; slot++) {
    struct sluice_guard_bit result[WIDEST];
    const unsigned kind = SLUICE_TYPE_B2 + (slot - 1) / 8;
    if (!there(c, kind, (slot - 1) % 8) || !run_slot(result, c, before, action, slot)) continue;
    memcpy(after->container[slot - 1], result, 16 * (kind - SLUICE_TYPE_B2 + 1) * sizeof *result);
  }
}

static const uint8_t *entry_of(const struct sluice_image *image, enum sluice_table table,
                               unsigned stage, unsigned index) {
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *w = &image->writes[i];
    if (w->table == table && w->stage == stage && w->index == index) return w->bytes;
  }
  return NULL;
}

// A row whose key is masked away: the entry's must be 0, as that of the packet is. With a wide
// compare the packet's may be either.
static bool always_hits(const uint8_t *mask, const uint8_t *compare, const uint8_t *match) {
  if (compare || SLUICE_GET(match, MATCH, WIDE)) return false;
  for (unsigned i = 0; i < SLUICE_KEY_BITS; i++)
    if (!mask || !sluice_entry_get(mask, SLUICE_KEY_BITS, i, i) ||
        sluice_entry_get(match, SLUICE_MATCH_BITS, i, i))
      return false;
  return true;
}

// Rows whose key is masked away but for the comparator's bit ask for that and for the wide compare
// alone: if they ask for all that these may be, one of them is hit.
static bool rows_cover(const struct sluice_config *c, const struct sluice_image *image,
                       unsigned s) {
  const uint8_t *mask = entry_of(image, SLUICE_TABLE_KEY_MASK, s, 0);
  const bool wide = entry_of(image, SLUICE_TABLE_KEY_COMPARE, s, 0),
             predicate = mask && !SLUICE_GET(mask, KEY, PREDICATE);
  unsigned covered = 0;
  for (unsigned i = SLUICE_KEY_PREDICATE_MSB + 1; i < SLUICE_KEY_BITS; i++)
    if (!mask || !sluice_entry_get(mask, SLUICE_KEY_BITS, i, i)) return false;
  for (unsigned row = 0; row < c->MatchEntries; row++) {
    const uint8_t *match = entry_of(image, SLUICE_TABLE_MATCH, s, row);
    bool zero = match;
    for (unsigned i = SLUICE_KEY_PREDICATE_MSB + 1; zero && i < SLUICE_KEY_BITS; i++)
      zero = !sluice_entry_get(match, SLUICE_MATCH_BITS, i, i);
    if (zero)
      covered |= 1u << (2 * SLUICE_GET(match, MATCH, WIDE) +
                        sluice_entry_get(match, SLUICE_MATCH_BITS, SLUICE_KEY_PREDICATE_MSB,
                                         SLUICE_KEY_PREDICATE_LSB));
  }
  const unsigned all = (predicate ? 3u : 1u) * (wide ? 5u : 1u);
  return (covered & all) == all;
}

static void run_row(const struct sluice_config *c, const struct phv *before, const uint8_t *action,
                    bool alone, struct phv *all) {
  struct phv one;
  act(c, before, action, &one);
  for (unsigned n = 0; n < CONTAINERS; n++)
    for (unsigned i = 0; i < WIDEST; i++)
      all->container[n][i] = alone ? one.container[n][i]
                                   : either(all->container[n][i], one.container[n][i]);
}

// Any exact row may hit, up to the first that always does; if none does always, nor one of several,
// none may. Then an entry of another engine or the default action may name any action of the
// module; with a default action one of them is done.
static void stage(const struct sluice_config *c, const struct sluice_image *image, unsigned s,
                  struct phv *phv) {
  static const uint8_t nothing[SLUICE_ENTRY_BYTES];
  struct phv all = *phv;
  bool first = true, always = false;
  const bool covered = rows_cover(c, image, s);
  for (unsigned row = 0; row < c->MatchEntries && !always; row++) {
    const uint8_t *match = entry_of(image, SLUICE_TABLE_MATCH, s, row),
                  *action = entry_of(image, SLUICE_TABLE_ACTION, s, row);
    if (!match) continue;
    always = always_hits(entry_of(image, SLUICE_TABLE_KEY_MASK, s, 0),
                         entry_of(image, SLUICE_TABLE_KEY_COMPARE, s, 0), match);
    run_row(c, phv, action ? action : nothing, first && (always || covered), &all);
    first = false;
  }
  always |= covered;
  const bool engines = c->DefaultActions || ((c->TernaryStages | c->CuckooStages) >> s & 1);
  const uint8_t *otherwise = c->DefaultActions ? entry_of(image, SLUICE_TABLE_DEFAULT_ACTION, s, 0)
                                               : NULL;
  const bool sure = otherwise && SLUICE_GET(otherwise, DEFAULT_ACTION, VALID);
  for (size_t i = 0; engines && !always && i < image->num_writes; i++)
    if (image->writes[i].table == SLUICE_TABLE_ACTION && image->writes[i].stage == s) {
      run_row(c, phv, image->writes[i].bytes, first && sure, &all);
      first = false;
    }
  *phv = all;
}

static void parse(const struct sluice_config *c, const struct sluice_image *image,
                  enum sluice_table parser, struct phv *phv) {
  const uint8_t *entry = entry_of(image, parser, 0, 0);
  for (unsigned n = 0; n < CONTAINERS; n++) constant(phv->container[n], 0);
  for (unsigned n = 0; entry && n < c->ParseActions; n++) {
    const uint8_t *action = entry + 2 * n;
    const unsigned kind = (unsigned)SLUICE_GET(action, PARSE_ACTION, KIND),
                   index = (unsigned)SLUICE_GET(action, PARSE_ACTION, IDX);
    const unsigned offset = (unsigned)SLUICE_GET(action, PARSE_ACTION, OFFSET), bytes = 2 * kind;
    if (!SLUICE_GET(action, PARSE_ACTION, VALID) || kind == SLUICE_TYPE_CONST ||
        !there(c, kind, index))
      continue;
    struct sluice_guard_bit *to = phv->container[8 * (kind - SLUICE_TYPE_B2) + index];
    for (unsigned i = 0; i < 8 * bytes; i++) {
      const unsigned byte = offset + bytes - 1 - i / 8;
      if (SLUICE_GET(action, PARSE_ACTION, METADATA) || 8 * byte + i % 8 >= FRAME_BITS)
        to[i] = unknown;
      else to[i] = (struct sluice_guard_bit){false, false, (int)(8 * byte + i % 8)};
    }
  }
}

// The header as it leaves.
static void deparse(const struct sluice_config *c, const struct sluice_image *image,
                    enum sluice_table deparser, const struct phv *phv,
                    struct sluice_guard_bit *out) {
  const uint8_t *entry = entry_of(image, deparser, 0, 0);
  for (int i = 0; i < FRAME_BITS; i++) out[i] = (struct sluice_guard_bit){false, false, i};
  for (unsigned n = 0; entry && n < c->ParseActions; n++) {
    const uint8_t *action = entry + 2 * n;
    const unsigned kind = (unsigned)SLUICE_GET(action, PARSE_ACTION, KIND),
                   index = (unsigned)SLUICE_GET(action, PARSE_ACTION, IDX);
    const unsigned offset = (unsigned)SLUICE_GET(action, PARSE_ACTION, OFFSET), bytes = 2 * kind;
    if (!SLUICE_GET(action, PARSE_ACTION, VALID) || SLUICE_GET(action, PARSE_ACTION, METADATA) ||
        kind == SLUICE_TYPE_CONST)
      continue;
    for (unsigned i = 0; i < 8 * bytes; i++) {
      const unsigned byte = offset + bytes - 1 - i / 8;
      if (byte >= FRAME_BITS / 8) continue;
      out[8 * byte + i % 8] = there(c, kind, index) ? container(phv, kind, index)[i] : is_zero;
    }
  }
}

// ---- arrays -------------------------------------------------------------------------------------

// Behind the front stages the array match may write a container: a bit for each word that is a key.
static void found(const struct sluice_config *c, const struct sluice_image *image,
                  struct phv *phv) {
  const uint8_t *keys = c->ArrayEntries ? entry_of(image, SLUICE_TABLE_ARRAY_KEYS, 0, 0) : NULL;
  if (!keys || !SLUICE_GET(keys, ARRAY_KEYS, VALID) || !SLUICE_GET(keys, ARRAY_KEYS, FOUND_VALID))
    return;
  const unsigned index = (unsigned)SLUICE_GET(keys, ARRAY_KEYS, FOUND),
                 words = (unsigned)SLUICE_GET(keys, ARRAY_KEYS, WORDS);
  if (!there(c, SLUICE_TYPE_B2, index)) return;
  for (unsigned i = 0; i < WIDEST; i++)
    phv->container[index][i] = i < 16 && words >> i & 1 ? unknown : is_zero;
}

// Words of the packet's array that may leave as something else: bit i is word i. Rows change all of
// them, lookups those that are keys.
static uint32_t changing_words(const struct sluice_image *image) {
  uint32_t words = 0;
  for (size_t i = 0; i < image->num_writes; i++) {
    const uint8_t *entry = image->writes[i].bytes;
    if (image->writes[i].table == SLUICE_TABLE_ARRAY_KEYS && SLUICE_GET(entry, ARRAY_KEYS, VALID))
      words |= (uint32_t)SLUICE_GET(entry, ARRAY_KEYS, WORDS);
    if (image->writes[i].table == SLUICE_TABLE_ARRAY_INSTR &&
        SLUICE_GET(entry, ARRAY_INSTR, VALID) &&
        SLUICE_GET(entry, ARRAY_INSTR, RESULT) != SLUICE_ARRAY_RESULT_PACKET)
      words = UINT32_MAX;
  }
  return words;
}

// An array is written behind the deparser's actions, but words that do not lie within the packet
// are not.
static void put_array(const struct sluice_config *c, const struct sluice_image *image,
                      struct sluice_guard_bit *out) {
  const uint8_t *entry = c->ArrayWords ? entry_of(image, SLUICE_TABLE_ARRAY, 0, 0) : NULL;
  if (!entry || !SLUICE_GET(entry, ARRAY, VALID)) return;
  const uint32_t words = changing_words(image);
  const unsigned count = (unsigned)SLUICE_GET(entry, ARRAY, COUNT),
                 offset = (unsigned)SLUICE_GET(entry, ARRAY, OFFSET) & ~1u;
  for (unsigned i = 0; i < count && i < c->ArrayWords; i++)
    for (unsigned bit = 8 * (offset + 4 * i); bit < 8 * (offset + 4 * i + 4); bit++)
      if (bit < FRAME_BITS)
        out[bit] = words >> i & 1
                       ? unknown
                       : either(out[bit], (struct sluice_guard_bit){false, false, (int)bit});
}

// ---- what leaves --------------------------------------------------------------------------------

static bool as_it_came(const struct sluice_guard_bit *out, unsigned at) {
  return is_same(out[at], (struct sluice_guard_bit){false, false, (int)at});
}

// Bits of a byte that `mask` has.
static bool bits_as_they_came(const struct sluice_guard_bit *out, unsigned byte, unsigned mask) {
  for (unsigned i = 0; i < 8; i++)
    if (mask >> i & 1 && !as_it_came(out, 8 * byte + i)) return false;
  return true;
}

// Whether a bit that may not be as it came is surely that of `value`, or can surely not be.
static bool surely(const struct sluice_guard_bit *out, unsigned byte, unsigned value) {
  for (unsigned i = 0; i < 8; i++) {
    const struct sluice_guard_bit b = out[8 * byte + i];
    if (!as_it_came(out, 8 * byte + i) && !is_same(b, value >> i & 1 ? is_one : is_zero))
      return false;
  }
  return true;
}
static bool never(const struct sluice_guard_bit *out, unsigned byte, unsigned value) {
  for (unsigned i = 0; i < 8; i++) {
    const struct sluice_guard_bit b = out[8 * byte + i];
    if (b.same == NONE && !(value >> i & 1 ? b.one : b.zero)) return true;
  }
  return false;
}

// The field of the program that lies at the byte: "byte 27", "bytes 40..41".
static const char *field_at(const struct sluice_image *image, unsigned byte) {
  for (size_t i = 0; i < image->num_fields; i++) {
    unsigned first, last;
    const int got = sscanf(image->fields[i].home, "byte%*[s] %u..%u", &first, &last);
    const bool one = got < 1 && sscanf(image->fields[i].home, "byte %u", &first) == 1;
    if (one ? first == byte : got == 2 && first <= byte && byte <= last)
      return image->fields[i].name;
  }
  return NULL;
}

static enum sluice_status refuse(const struct sluice_image *image, unsigned byte, const char *what,
                                 struct sluice_error *error) {
  const char *name = field_at(image, byte);
  return sluice_fail(
      error, SLUICE_ERR_RANGE,
      "module '%s': %s%s%s may change byte %u of its packets, and so %s: only a trusted module may",
      image->program, name ? "field '" : "it", name ? name : "", name ? "'" : "", byte, what);
}

void sluice_guard_header(const struct sluice_config *c, const struct sluice_image *image,
                         struct sluice_guard_bit out[SLUICE_GUARD_BITS]) {
  struct phv phv;
  parse(c, image, SLUICE_TABLE_PARSER, &phv);
  for (unsigned s = 0; s < c->FrontStages; s++) stage(c, image, c->BackStages + s, &phv);
  found(c, image, &phv);
  for (unsigned s = 0; s < c->BackStages; s++) stage(c, image, s, &phv);
  deparse(c, image, SLUICE_TABLE_DEPARSER, &phv, out);
  put_array(c, image, out);
}

// The header as an egress function leaves it, beside the header as it finds it.
static void egress_header(const struct sluice_config *c, const struct sluice_image *image,
                          struct sluice_guard_bit out[SLUICE_GUARD_BITS]) {
  const unsigned first = c->BackStages + c->FrontStages;
  struct phv phv;
  parse(c, image, SLUICE_TABLE_EGRESS_PARSER, &phv);
  for (unsigned s = 0; s < c->EgressStages; s++) stage(c, image, first + s, &phv);
  deparse(c, image, SLUICE_TABLE_EGRESS_DEPARSER, &phv, out);
}

static enum sluice_status check(const struct sluice_image *image,
                                const struct sluice_guard_bit *out, struct sluice_error *error) {
  if (!surely(out, 12, 0x81)) return refuse(image, 12, "the type of their VLAN tag", error);
  if (!surely(out, 13, 0x00)) return refuse(image, 13, "the type of their VLAN tag", error);
  if (!bits_as_they_came(out, 14, 0x0f)) return refuse(image, 14, "their VLAN id", error);
  if (!bits_as_they_came(out, 15, 0xff)) return refuse(image, 15, "their VLAN id", error);

  static const struct {
    unsigned byte, value;
  } pattern[] = {{16, 0x08}, {17, 0x00}, {27, 0x11}, {40, 0xf1}, {41, 0xf2}};
  unsigned changed = 0;
  for (size_t i = 0; i < sizeof pattern / sizeof *pattern; i++) {
    if (never(out, pattern[i].byte, pattern[i].value)) return SLUICE_OK;
    if (!bits_as_they_came(out, pattern[i].byte, 0xff)) changed = pattern[i].byte;
  }
  return changed ? refuse(image, changed, "make reconfiguration packets of them (UDP port 0xf1f2)",
                          error)
                 : SLUICE_OK;
}

// Each of the two functions for itself: what one leaves alone, the other must not make of a packet.
enum sluice_status sluice_guard(const struct sluice_config *c, const struct sluice_image *image,
                                struct sluice_error *error) {
  struct sluice_guard_bit out[FRAME_BITS];
  sluice_guard_header(c, image, out);
  const enum sluice_status status = check(image, out, error);
  if (status || !c->EgressStages) return status;
  egress_header(c, image, out);
  return check(image, out, error);
}
