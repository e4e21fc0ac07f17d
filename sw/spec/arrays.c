// SPDX-License-Identifier: Apache-2.0
// docs/machine.md: Arrays; Array match.
#include "parts.h"

// ---- Arrays: Parser -----------------------------------------------------------------------------

struct array {
  bool valid;
  unsigned offset, count;
};

// "The lowest bit of OFFSET counts as 0. A COUNT above W counts as W."
static struct array array_of(const struct sluice_spec *s, const struct spec_phv *phv) {
  const uint8_t *e = spec_of_row(s, SLUICE_TABLE_ARRAY, 0, phv);
  struct array a = {.valid = FIELD(e, ARRAY, VALID),
                    .offset = (unsigned)FIELD(e, ARRAY, OFFSET) & ~1u,
                    .count = (unsigned)FIELD(e, ARRAY, COUNT)};
  if (a.count > s->c.ArrayWords) a.count = s->c.ArrayWords;
  if (!a.valid) a.count = 0;
  return a;
}

static bool word_is_there(const struct sluice_spec *s, const struct array *a, unsigned i,
                          unsigned len) {
  const unsigned end = a->offset + 4 * i + 4;
  return i < a->count && end <= len && end <= s->c.HeaderBytes;
}

uint32_t spec_array_words(const struct sluice_spec *s, const struct spec_phv *phv,
                          const uint8_t *bytes, unsigned len, uint32_t *words) {
  const struct array a = array_of(s, phv);
  uint32_t there = 0;
  for (unsigned i = 0; i < SLUICE_MODEL_WORDS; i++) {
    const bool is = word_is_there(s, &a, i, len);
    words[i] = is ? (uint32_t)spec_number(bytes + a.offset + 4 * i, 4) : 0;
    there |= (uint32_t)is << i;
  }
  return there;
}

// ---- Arrays: Deparser ---------------------------------------------------------------------------

void spec_array_leave(const struct sluice_spec *s, const struct spec_phv *phv, unsigned len,
                      uint8_t *header) {
  const struct array a = array_of(s, phv);
  for (unsigned i = 0; i < a.count; i++)
    for (unsigned b = 0; b < 4 && word_is_there(s, &a, i, len); b++)
      header[a.offset + 4 * i + b] = (uint8_t)(phv->words[i] >> (24 - 8 * b));
}

// ---- Arrays: Operation --------------------------------------------------------------------------

static uint32_t array_op(unsigned op, uint32_t r, uint32_t v) {
  const int64_t sum = (int64_t)(int32_t)r + (int32_t)v;
  switch (op) {
    case SLUICE_ARRAY_OP_KEEP: return r;
    case SLUICE_ARRAY_OP_ADD: return r + v;
    case SLUICE_ARRAY_OP_ADDS:
      return (uint32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
    case SLUICE_ARRAY_OP_MAX: return (int32_t)r > (int32_t)v ? r : v;
    case SLUICE_ARRAY_OP_MIN: return (int32_t)r < (int32_t)v ? r : v;
    case SLUICE_ARRAY_OP_SET: return v;
    case SLUICE_ARRAY_OP_CLEAR: return 0;
    default: return r | v;
  }
}

void spec_array_unit(struct sluice_spec *s, long long place, const uint8_t *instr,
                     const uint32_t predicates[4], struct spec_phv *phv) {
  const unsigned select = (unsigned)FIELD(instr, ARRAY_INSTR, SELECT),
                 result = (unsigned)FIELD(instr, ARRAY_INSTR, RESULT);
  const bool chosen = select >= SLUICE_ARRAY_SELECT_PRED_1 && select <= SLUICE_ARRAY_SELECT_PRED_4;
  const bool is_true = !chosen || predicates[select - SLUICE_ARRAY_SELECT_PRED_1];
  const unsigned op = (unsigned)(is_true ? FIELD(instr, ARRAY_INSTR, ON_TRUE)
                                         : FIELD(instr, ARRAY_INSTR, ON_FALSE));
  for (unsigned i = 0; i < s->c.ArrayWords; i++) {
    uint32_t *row = place < 0 ? NULL : &s->rows[(size_t)place * s->c.ArrayWords + i];
    const uint32_t old = row ? *row : 0, next = array_op(op, old, phv->words[i]);
    if (row) *row = next;
    if (result != SLUICE_ARRAY_RESULT_PACKET)
      phv->words[i] = result == SLUICE_ARRAY_RESULT_OLD ? old : next;
  }
}

// ---- Array match --------------------------------------------------------------------------------

static unsigned log2_of(unsigned n) { return n < 2 ? 0 : 1 + log2_of(n / 2); }

// A bank by the upper bits of the mixed hash, and in each way one row of it. NULL: no entry.
static const uint8_t *find_key(const struct sluice_spec *s, const struct spec_phv *phv,
                               uint32_t key) {
  const uint8_t bytes[5] = {(uint8_t)phv->vid, (uint8_t)(key >> 24), (uint8_t)(key >> 16),
                            (uint8_t)(key >> 8), (uint8_t)key};
  const uint64_t g = spec_mixed(bytes, sizeof bytes);
  const unsigned banks = 2 * s->c.ArrayWords, rows = s->c.ArrayEntries / (4 * banks),
                 bank = (unsigned)(g >> (64 - log2_of(banks)));
  for (unsigned way = 0; way < 4; way++) {
    const unsigned row = (unsigned)(g >> 16 * way & 0xffff) % rows;
    const uint8_t *e =
        spec_entry(s, SLUICE_TABLE_ARRAY_MATCH, 0, way * s->c.ArrayEntries / 4 + bank * rows + row);
    if (FIELD(e, ARRAY_MATCH, VALID) && !(FIELD(e, ARRAY_MATCH, NOT_BANK) >> phv->bank & 1) &&
        FIELD(e, ARRAY_MATCH, VID) == phv->vid && FIELD(e, ARRAY_MATCH, KEY) == key)
      return e;
  }
  return NULL;
}

void spec_array_match(const struct sluice_spec *s, const uint8_t *bytes, struct spec_phv *phv) {
  const uint8_t *keys = spec_of_row(s, SLUICE_TABLE_ARRAY_KEYS, 0, phv);
  uint32_t words[SLUICE_MODEL_WORDS], found = 0;
  if (!s->c.ArrayEntries || !FIELD(keys, ARRAY_KEYS, VALID)) return;
  const uint32_t there = spec_array_words(s, phv, bytes, phv->len, words) &
                         (uint32_t)FIELD(keys, ARRAY_KEYS, WORDS);
  for (unsigned i = 0; i < s->c.ArrayWords; i++) {
    if (!(there >> i & 1)) continue;
    const uint8_t *e = find_key(s, phv, phv->words[i]);
    if (e) phv->words[i] = (uint32_t)FIELD(e, ARRAY_MATCH, DATA);
    else if (!FIELD(keys, ARRAY_KEYS, STAY)) phv->words[i] = 0;
    found |= (uint32_t)(e != NULL) << i;
  }
  if (FIELD(keys, ARRAY_KEYS, FOUND_VALID))
    spec_put(s, phv, SLUICE_TYPE_B2, (unsigned)FIELD(keys, ARRAY_KEYS, FOUND), found);
}
