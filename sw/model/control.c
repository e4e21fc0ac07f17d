// SPDX-License-Identifier: Apache-2.0
// The control port: reconfiguration packets.
#include <string.h>

#include "machine.h"

enum { FIRST = 46, ENTRIES = 64, BLOCK = 64, MAX_COUNT = SLUICE_MODEL_COUNT };

enum { ROW_ENTRY = SLUICE_STATE_ROW_BITS / 64 };
_Static_assert(SLUICE_STATE_ROW_BITS == 32 * SLUICE_MODEL_WORDS, "a row is all words");
_Static_assert(SLUICE_MATCH_KEY_LSB == 0, "a match entry is a key, with more above it");

// Of the tables of state those that egress stages have, too.
static bool at_egress(enum sluice_table table) {
  switch (table) {
    case SLUICE_TABLE_SEGMENT16:
    case SLUICE_TABLE_SEGMENT:
    case SLUICE_TABLE_STATE_INSTR:
    case SLUICE_TABLE_ACCESS:
    case SLUICE_TABLE_STATE:
    case SLUICE_TABLE_FILL: return true;
    default: return false;
  }
}

static bool stage_exists(const struct sluice_config *c, enum sluice_table table, unsigned stage) {
  const unsigned back = c->BackStages, before = back + c->FrontStages,
                 all = before + c->EgressStages;
  const bool egress = stage >= before && stage < all;
  if (table == SLUICE_TABLE_MULTIPLY && !c->Multipliers) return false;  // nobody owns it
  if (table == SLUICE_TABLE_KEY_COMPARE && !c->WideCompare) return false;
  if (table == SLUICE_TABLE_RECIRCULATE && !c->Recirculation) return false;
  if (table == SLUICE_TABLE_RATE_LIMIT) return c->RateLimits;
  if (table == SLUICE_TABLE_OUTPUT_CLASS) return c->OutputClasses;
  if (sluice_table_is_count(table) && !c->EntryCounters) return false;
  if (sluice_tables[table].rows == SLUICE_ROWS_ids && !c->Active) return false;
  if (table == SLUICE_TABLE_ARRAY) return c->ArrayWords;
  if (table == SLUICE_TABLE_ARRAY_KEYS || table == SLUICE_TABLE_ARRAY_MATCH) return c->ArrayEntries;
  if (table == SLUICE_TABLE_ARRAY_INSTR || table == SLUICE_TABLE_STATE_ROW)
    return stage < c->StateStages && (c->ArrayStages >> stage & 1);
  const uint32_t engines = sluice_tables[table].rows == SLUICE_ROWS_ternary  ? c->TernaryStages
                           : sluice_tables[table].rows == SLUICE_ROWS_cuckoo ? c->CuckooStages
                                                                             : UINT32_MAX;
  if (stage < 32 && !(engines >> stage & 1)) return false;
  switch (sluice_tables[table].scope) {
    case SLUICE_SCOPE_stage: return stage < all;
    case SLUICE_SCOPE_state: return stage < c->StateStages || (egress && at_egress(table));
    case SLUICE_SCOPE_front: return stage >= back && stage < before;
    case SLUICE_SCOPE_egress: return c->EgressStages;
    default: return true;
  }
}

static uint64_t *segment(const struct sluice_model *m, const struct model_request *r,
                         unsigned row) {
  return model_entry(m, SLUICE_TABLE_SEGMENT, r->stage, row);
}

// Bytes of an entry, left-justified, to words and back.
static void unpack(const uint8_t *bytes, unsigned bits, uint64_t *words) {
  memset(words, 0, (bits + 63) / 64 * sizeof *words);
  for (unsigned b = 0; b < bits; b++) {
    const unsigned at = bits - 1 - b;
    words[b / 64] |= (uint64_t)(bytes[at / 8] >> (7 - at % 8) & 1) << b % 64;
  }
}

static void pack(const uint64_t *words, unsigned bits, uint8_t *bytes) {
  for (unsigned b = 0; b < bits; b++) {
    const unsigned at = bits - 1 - b;
    bytes[at / 8] |= (uint8_t)((words[b / 64] >> b % 64 & 1) << (7 - at % 8));
  }
}

static size_t row_bytes(const struct sluice_model *m) {
  return m->config.ArrayWords * sizeof(uint32_t);
}

// A row of words as entries of tables have it, word 0 most significant, and back: what the chip
// does not have is 0.
static void row_of_entry(const struct sluice_model *m, const uint64_t *entry,
                         uint32_t words[SLUICE_MODEL_WORDS]) {
  memset(words, 0, SLUICE_MODEL_WORDS * sizeof words[0]);
  for (unsigned i = 0; i < m->config.ArrayWords; i++)
    words[i] = (uint32_t)(entry[ROW_ENTRY - 1 - i / 2] >> (i % 2 ? 0 : 32));
}
static void entry_of_row(const uint32_t words[SLUICE_MODEL_WORDS], uint64_t *entry) {
  for (unsigned i = 0; i < SLUICE_MODEL_WORDS; i += 2)
    entry[ROW_ENTRY - 1 - i / 2] = (uint64_t)words[i] << 32 | words[i + 1];
}

// At an egress stage an entry is there once in each output lane.
static void put_lanes(struct sluice_model *m, unsigned stage, uint32_t slot,
                      struct model_pair value) {
  for (unsigned lane = 0; lane < m->config.NumPipes; lane++)
    *model_slot(m, stage, lane, slot) = value;
}

static void fill(struct sluice_model *m, const struct model_request *r, struct model_pair value) {
  const unsigned range = FIELD32(segment(m, r, r->row), SEGMENT, RANGE);
  unsigned pipe;
  uint32_t slot;
  for (unsigned i = 0; i < range; i++) {
    if (!model_home(m, r->row, r->stage, i, &pipe, &slot)) continue;
    if (model_is_egress(m, r->stage)) {
      put_lanes(m, r->stage, slot, value);
      continue;
    }
    *model_slot(m, r->stage, pipe, slot) = value;
    if (model_array_stage(m, r->stage))
      memset(model_row_words(m, r->stage, pipe, slot), 0, row_bytes(m));
  }
}

static void put_field(uint64_t *entry, unsigned msb, unsigned lsb, uint64_t value) {
  for (unsigned bit = lsb; bit <= msb; bit++) {
    entry[bit / 64] &= ~(UINT64_C(1) << bit % 64);
    entry[bit / 64] |= (value >> (bit - lsb) & 1) << bit % 64;
  }
}

// A state instruction of one word: of predicates 2 to 4 it is left whether they hold always or
// never.
static void keep_one_word(uint64_t *instr) {
  static const unsigned second[4][2] = {{SLUICE_STATE_INSTR_A2_MSB, SLUICE_STATE_INSTR_A2_LSB},
                                        {SLUICE_STATE_INSTR_B2_MSB, SLUICE_STATE_INSTR_B2_LSB},
                                        {SLUICE_STATE_INSTR_C2_MSB, SLUICE_STATE_INSTR_C2_LSB},
                                        {SLUICE_STATE_INSTR_D2_MSB, SLUICE_STATE_INSTR_D2_LSB}};
  static const unsigned preds[3][2] = {
      {SLUICE_STATE_INSTR_PRED_2_MSB, SLUICE_STATE_INSTR_PRED_2_LSB},
      {SLUICE_STATE_INSTR_PRED_3_MSB, SLUICE_STATE_INSTR_PRED_3_LSB},
      {SLUICE_STATE_INSTR_PRED_4_MSB, SLUICE_STATE_INSTR_PRED_4_LSB}};
  for (unsigned i = 0; i < 4; i++) put_field(instr, second[i][0], second[i][1], 0);
  for (unsigned i = 0; i < 3; i++) {
    const uint64_t pred = model_bits(instr, preds[i][0], preds[i][1]);
    const bool always = FIELD(&pred, PREDICATE, REL) == SLUICE_REL_TRUE;
    put_field(instr, preds[i][0], preds[i][1],
              (uint64_t)(always ? SLUICE_REL_TRUE : SLUICE_REL_FALSE) << SLUICE_PREDICATE_REL_LSB);
  }
}

// Clears in the key of a mask or a match entry what this chip does not have: the second container
// of a size of which it has one, both of a size of which it has none. Bit 0 of the key is bit `lsb`
// of the entry.
static void keep_key_at(const struct sluice_config *c, uint64_t *entry, unsigned lsb) {
  if (c->Num6B == 0)
    put_field(entry, lsb + SLUICE_KEY_B6_FIRST_MSB, lsb + SLUICE_KEY_B6_FIRST_LSB, 0);
  if (c->Num6B <= 1)
    put_field(entry, lsb + SLUICE_KEY_B6_SECOND_MSB, lsb + SLUICE_KEY_B6_SECOND_LSB, 0);
  if (c->Num4B == 1)
    put_field(entry, lsb + SLUICE_KEY_B4_SECOND_MSB, lsb + SLUICE_KEY_B4_SECOND_LSB, 0);
  if (c->Num2B == 1)
    put_field(entry, lsb + SLUICE_KEY_B2_SECOND_MSB, lsb + SLUICE_KEY_B2_SECOND_LSB, 0);
}

// An entry of a match engine, or a default action: what KEPT entry says in layouts.def.
static void keep_entry(const struct sluice_config *c, enum sluice_table table, uint64_t *entry) {
  const unsigned rows = c->MatchEntries + c->ExtraActions;
  unsigned bits = 0;
  while (1u << bits < rows) bits++;
  if (!bits) bits = 1;
  if (!c->ActionData) entry[0] = entry[1] = 0;
  if (table == SLUICE_TABLE_MATCH_DATA) return;
  if (table == SLUICE_TABLE_DEFAULT_ACTION) {
    put_field(entry, SLUICE_DEFAULT_ACTION_RESERVED_MSB, SLUICE_DEFAULT_ACTION_RESERVED_LSB, 0);
    put_field(entry, SLUICE_DEFAULT_ACTION_ACTION_LSB + 15, SLUICE_DEFAULT_ACTION_ACTION_LSB + bits,
              0);
    if (!c->DefaultActions)
      memset(entry, 0, (SLUICE_DEFAULT_ACTION_BITS + 63) / 64 * sizeof *entry);
    return;
  }
  const bool ternary = table == SLUICE_TABLE_TERNARY;
  if (ternary) put_field(entry, SLUICE_TERNARY_RESERVED_MSB, SLUICE_TERNARY_RESERVED_LSB, 0);
  else put_field(entry, SLUICE_CUCKOO_RESERVED_MSB, SLUICE_CUCKOO_RESERVED_LSB, 0);
  const unsigned action = ternary ? SLUICE_TERNARY_ACTION_LSB : SLUICE_CUCKOO_ACTION_LSB;
  if (bits < 16) put_field(entry, action + 15, action + bits, 0);
  if (!c->WideCompare && ternary)
    put_field(entry, SLUICE_TERNARY_WIDE_MSB, SLUICE_TERNARY_CARE_WIDE_LSB, 0);
  if (!c->WideCompare && !ternary)
    put_field(entry, SLUICE_CUCKOO_WIDE_MSB, SLUICE_CUCKOO_WIDE_LSB, 0);
  keep_key_at(c, entry, ternary ? SLUICE_TERNARY_KEY_LSB : SLUICE_CUCKOO_KEY_LSB);
  if (ternary) keep_key_at(c, entry, SLUICE_TERNARY_CARE_LSB);
}

// Takes away what the chip does not have: parser and deparser actions, second containers of keys,
// checksums, hashes, second words of state instructions, slots of action words.
static void keep(const struct sluice_config *c, enum sluice_table table, uint64_t *entry) {
  if (sluice_tables[table].kept == SLUICE_KEPT_actions) {
    const unsigned gone = sluice_tables[table].bits - SLUICE_PARSE_ACTION_BITS * c->ParseActions;
    for (unsigned bit = 0; bit < gone; bit++) entry[bit / 64] &= ~(UINT64_C(1) << bit % 64);
  }
  if (table == SLUICE_TABLE_KEY_MASK || table == SLUICE_TABLE_MATCH) keep_key_at(c, entry, 0);
  if (sluice_tables[table].kept == SLUICE_KEPT_entry) keep_entry(c, table, entry);
  if (sluice_tables[table].kept == SLUICE_KEPT_checksums && !c->Checksums) entry[0] = 0;
  if (table == SLUICE_TABLE_HASH_INSTR && !c->HashUnits)
    memset(entry, 0, (sluice_tables[table].bits + 63) / 64 * sizeof *entry);
  if (table == SLUICE_TABLE_STATE_INSTR && !c->StatePairs) keep_one_word(entry);
  if (table == SLUICE_TABLE_LEAVE && !c->StatePairs) entry[0] &= ~UINT64_C(0xffffffff);
  if (table != SLUICE_TABLE_ACTION) return;
  for (unsigned bit = 0; bit < sluice_tables[table].bits; bit++)
    if (!sluice_config_has_slot(c, bit / SLUICE_INSTR_BITS))
      entry[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

// Words of an entry of state as the chip keeps them.
static struct model_pair pair_of(const struct sluice_model *m, uint64_t word) {
  return (struct model_pair){(uint32_t)(word >> 32), m->config.StatePairs ? (uint32_t)word : 0};
}

// ROW of a WRITE of a table of ids names an entry of a module, of the bank of the index.
static bool of_bank(const struct sluice_model *m, const struct model_request *r, unsigned index) {
  return r->row < m->rows && r->row / m->config.NumModules == index / m->config.ActiveIds;
}

static bool write_entry(struct sluice_model *m, const struct model_request *r, unsigned index,
                        const uint8_t *bytes) {
  uint64_t words[(SLUICE_INSTR_BITS * 25 + 63) / 64];
  unpack(bytes, sluice_tables[r->table].bits, words);
  const struct model_pair pair = pair_of(m, words[0]);
  unsigned pipe;
  uint32_t slot, row[SLUICE_MODEL_WORDS];
  switch (r->table) {
    case SLUICE_TABLE_FILL:
      if (index != 0) return false;
      if (!model_is_egress(m, r->stage) && model_cut_forbids(m, r->row)) return false;
      fill(m, r, pair);
      return true;
    case SLUICE_TABLE_STATE:
      if (!model_home(m, r->row, r->stage, index, &pipe, &slot)) return false;
      if (model_is_egress(m, r->stage)) put_lanes(m, r->stage, slot, pair);
      else if (!m->marks_apart) {
        *model_slot(m, r->stage, pipe, slot) = pair;
        model_flip_mark(m, r->stage, slot);
      }
      return true;
    case SLUICE_TABLE_STATE_ROW:
      if (!model_home(m, r->row, r->stage, index, &pipe, &slot)) return false;
      row_of_entry(m, words, row);
      if (m->marks_apart) return true;
      memcpy(model_row_words(m, r->stage, pipe, slot), row, row_bytes(m));
      model_flip_mark(m, r->stage, slot);
      return true;
    case SLUICE_TABLE_SEGMENT16: {
      const uint64_t granule = sluice_config_granule(&m->config);
      if (index >= r->depth) return false;
      *segment(m, r, index) = FIELD(words, SEGMENT16, RANGE) * granule << SLUICE_SEGMENT_RANGE_LSB |
                              FIELD(words, SEGMENT16, BASE) * granule;
      return true;
    }
    default: break;
  }
  if (index >= r->depth) return false;
  if (sluice_tables[r->table].rows == SLUICE_ROWS_ids && !of_bank(m, r, index)) return false;
  if (r->table == SLUICE_TABLE_CUCKOO)
    model_cuckoo_count(m, r->stage, model_entry(m, r->table, r->stage, index), -1);
  memcpy(model_entry(m, r->table, r->stage, index), words, m->words[r->table] * sizeof words[0]);
  if (sluice_table_is_count(r->table)) model_counts_written(m, r->table, r->stage, index);
  if (r->table == SLUICE_TABLE_MATCH) m->match_valid[r->stage * r->depth + index] = true;
  if (r->table == SLUICE_TABLE_MODULE) m->filter.module[index] = (uint32_t)words[0];
  keep(&m->config, r->table, model_entry(m, r->table, r->stage, index));
  if (r->table == SLUICE_TABLE_CUCKOO)
    model_cuckoo_count(m, r->stage, model_entry(m, r->table, r->stage, index), 1);
  // Ports that the chip does not have are not kept.
  if (r->table == SLUICE_TABLE_PORT_MASK || r->table == SLUICE_TABLE_MODULE_PORTS)
    *model_entry(m, r->table, r->stage, index) &= model_all_ports(m);
  return true;
}

static bool read_state(const struct sluice_model *m, const struct model_request *r, unsigned index,
                       uint32_t *s1, uint32_t *s2) {
  const unsigned before = m->config.BackStages + m->config.FrontStages;
  return model_is_egress(m, r->stage)
             ? sluice_model_lane_state(m, r->row, r->stage - before, r->copy, index, s1, s2)
             : sluice_model_state(m, r->row, r->stage, index, s1, s2);
}

// One entry as a READ gives it.
static bool read_entry(const struct sluice_model *m, const struct model_request *r, unsigned index,
                       uint8_t *bytes) {
  const uint64_t *entry;
  uint64_t word, words[ROW_ENTRY];
  uint32_t s1, s2, row[SLUICE_MODEL_WORDS];
  struct model_pair pair;
  switch (r->table) {
    case SLUICE_TABLE_FILL: return false;
    case SLUICE_TABLE_STATE:
    case SLUICE_TABLE_TAKE:
      if (index >= sluice_model_state_range(m, r->row, r->stage)) return false;
      // An entry of the segment for which the memory has no slot reads 0.
      if (!read_state(m, r, index, &s1, &s2)) s1 = s2 = 0;
      word = (uint64_t)s1 << 32 | s2;
      entry = &word;
      break;
    case SLUICE_TABLE_STATE_ROW:
      if (index >= sluice_model_state_range(m, r->row, r->stage)) return false;
      if (!sluice_model_row(m, r->row, r->stage, index, row)) memset(row, 0, sizeof row);
      entry_of_row(row, words);
      entry = words;
      break;
    case SLUICE_TABLE_CUT:
      if (!model_cut_entry(m, r->row, r->stage, index, &pair)) return false;
      word = (uint64_t)pair.s1 << 32 | pair.s2;
      entry = &word;
      break;
    case SLUICE_TABLE_SEGMENT16: {
      if (index >= r->depth) return false;
      const uint64_t *wide = segment(m, r, index);
      const uint64_t granule = sluice_config_granule(&m->config);
      word = (FIELD(wide, SEGMENT, RANGE) / granule & 0xffu) << 8 |
             (FIELD(wide, SEGMENT, BASE) / granule & 0xffu);
      entry = &word;
      break;
    }
    default:
      if (index >= r->depth) return false;
      entry = model_entry(m, r->table, r->stage, index);
      if (!sluice_table_is_count(r->table)) break;
      word = model_counts_copy(m, r->table, r->stage, index, r->copy);
      entry = &word;
  }
  memset(bytes, 0, r->stride);
  pack(entry, sluice_tables[r->table].bits, bytes);
  return true;
}

unsigned model_request_entries(const struct model_request *r, size_t len) {
  if (len > SLUICE_MODEL_MAX_LEN) len = SLUICE_MODEL_MAX_LEN;
  return len < ENTRIES + r->entry_len ? 0
                                      : (unsigned)((len - ENTRIES - r->entry_len) / r->stride + 1);
}

bool model_request_row(const struct sluice_model *m, const struct model_request *r, unsigned n,
                       unsigned *row) {
  const bool state = r->table == SLUICE_TABLE_STATE || r->table == SLUICE_TABLE_FILL ||
                     r->table == SLUICE_TABLE_TAKE || r->table == SLUICE_TABLE_STATE_ROW;
  const bool ids = r->table != SLUICE_NUM_TABLES && sluice_tables[r->table].rows == SLUICE_ROWS_ids;
  *row = state || ids ? r->row : r->index + n;
  return r->legal && (state || ids || sluice_tables[r->table].rows == SLUICE_ROWS_overlay) &&
         *row < m->rows;
}

// An entry of the bank that packets do not take now, while packets that took it are inside.
static bool busy(const struct sluice_model *m, const struct model_request *r, unsigned n) {
  unsigned row;
  if (!model_request_row(m, r, n, &row)) return false;
  const unsigned bank = row / m->config.NumModules, module = row % m->config.NumModules;
  return bank != (m->filter.bank >> module & 1) && (m->inside[bank] >> module & 1);
}

// What is there once, at home: entries and the rows beside them.
static bool is_state(enum sluice_table table) {
  return table == SLUICE_TABLE_STATE || table == SLUICE_TABLE_STATE_ROW;
}

bool model_is_marks(const struct sluice_model *m, const struct model_request *r) {
  if (!m->config.Marks || !r->legal || model_is_egress(m, r->stage)) return false;
  if (r->op == SLUICE_CHAIN_READ)
    return (is_state(r->table) || r->table == SLUICE_TABLE_TAKE) && r->count <= MAX_COUNT;
  return r->op == SLUICE_CHAIN_WRITE && is_state(r->table);
}

bool model_mark(const struct sluice_model *m, const struct model_request *r, const uint8_t *bytes,
                unsigned n, struct model_mark *mark) {
  uint64_t word[ROW_ENTRY] = {0};
  // A READ is answered or refused as a whole: what a refused one took would be lost.
  if (r->op == SLUICE_CHAIN_READ &&
      r->index + r->count > sluice_model_state_range(m, r->row, r->stage))
    return false;
  if ((r->op == SLUICE_CHAIN_WRITE || r->table == SLUICE_TABLE_TAKE) && busy(m, r, n)) return false;
  *mark = (struct model_mark){.index = r->index + n,
                              .write = r->op == SLUICE_CHAIN_WRITE || r->table == SLUICE_TABLE_TAKE,
                              .words = r->table == SLUICE_TABLE_STATE_ROW};
  if (!model_home(m, r->row, r->stage, mark->index, &mark->pipe, &mark->slot)) return false;
  if (r->op == SLUICE_CHAIN_WRITE)
    unpack(bytes + ENTRIES + n * r->stride, sluice_tables[r->table].bits, word);
  else if (mark->write) word[0] = *model_entry(m, SLUICE_TABLE_LEAVE, r->stage, 0);
  if (mark->words) row_of_entry(m, word, mark->row);
  else mark->value = pair_of(m, word[0]);
  return true;
}

static bool write_all(struct sluice_model *m, const struct model_request *r, const uint8_t *bytes,
                      size_t len) {
  bool good = true;
  unsigned n = 0;
  for (size_t at = ENTRIES; at + r->entry_len <= len; at += r->stride, n++)
    good = !busy(m, r, n) && write_entry(m, r, r->index + n, bytes + at) && good;
  return good && n > 0;
}

// An entry that was taken has the value of LEAVE. One without a slot leaves nothing.
static void leave(struct sluice_model *m, const struct model_request *r, const uint8_t *bytes,
                  unsigned n) {
  struct model_mark mark;
  if (m->marks_apart || !model_mark(m, r, bytes, n, &mark)) return;
  *model_slot(m, r->stage, mark.pipe, mark.slot) = mark.value;
  model_flip_mark(m, r->stage, mark.slot);
}

// A TAKE that ends outside the range takes nothing.
static bool read_all(struct sluice_model *m, const struct model_request *r, const uint8_t *bytes,
                     struct sluice_model_answer *answer) {
  const bool take = r->table == SLUICE_TABLE_TAKE;
  if (r->count > MAX_COUNT) return false;
  // State of back stages lives once: whoever holds the entry answers.
  const bool once = (is_state(r->table) && !model_is_egress(m, r->stage)) || take ||
                    r->table == SLUICE_TABLE_CUT;
  if (!once && r->copy >= m->config.NumPipes) return false;
  for (unsigned n = 0; n < r->count; n++) {
    if (take && busy(m, r, n)) return false;
    if (!read_entry(m, r, r->index + n, answer->bytes + ENTRIES + n * r->stride)) return false;
    if (take) leave(m, r, bytes, n);
  }
  answer->num = r->count;
  answer->len = ENTRIES + r->count * r->stride;
  return true;
}

static bool erase(struct sluice_model *m, const struct model_request *r) {
  if (r->table != SLUICE_TABLE_MATCH || r->index >= r->depth) return false;
  m->match_valid[r->stage * r->depth + r->index] = false;
  memset(model_entry(m, r->table, r->stage, r->index), 0, m->words[r->table] * sizeof(uint64_t));
  return true;
}

bool model_request(const struct sluice_model *m, const uint8_t *bytes, size_t len,
                   struct model_request *r) {
  if (len < ENTRIES || model_get16(bytes + 12) != 0x8100 || model_get16(bytes + 16) != 0x0800 ||
      bytes[27] != 0x11 || model_get16(bytes + 40) != 0xf1f2)
    return false;
  uint64_t head[3];
  unpack(bytes + FIRST, SLUICE_RECONFIG_BITS, head);
  *r = (struct model_request){
      .table = sluice_table_find(FIELD32(head, RECONFIG, RESOURCE), FIELD32(head, RECONFIG, SUB)),
      .op = FIELD32(head, RECONFIG, OP),
      .stage = FIELD32(head, RECONFIG, STAGE),
      .index = FIELD32(head, RECONFIG, INDEX_HI) << 8 | FIELD32(head, RECONFIG, INDEX_LO),
      .row = FIELD32(head, RECONFIG, ROW),
      .copy = FIELD32(head, RECONFIG, COPY),
      .count = FIELD32(head, RECONFIG, COUNT),
  };
  if (r->count == 0) r->count = 1;
  r->legal = r->table != SLUICE_NUM_TABLES && stage_exists(&m->config, r->table, r->stage);
  switch (r->table) {
    case SLUICE_TABLE_TAKE:
    case SLUICE_TABLE_LEAVE: r->legal = r->legal && m->config.Marks && r->row < m->rows; break;
    case SLUICE_TABLE_CUT:
      r->legal = r->legal && model_cut_stage(m, r->stage) && r->row < m->rows;
      break;
    case SLUICE_TABLE_STATE:
    case SLUICE_TABLE_STATE_ROW:
    case SLUICE_TABLE_FILL: r->legal = r->legal && r->row < m->rows; break;
    default: break;
  }
  if (!r->legal) return true;
  const enum sluice_scope scope = sluice_tables[r->table].scope;
  if (scope == SLUICE_SCOPE_lane || scope == SLUICE_SCOPE_exit || scope == SLUICE_SCOPE_order ||
      scope == SLUICE_SCOPE_egress)
    r->stage = 0;
  r->depth = r->table == SLUICE_TABLE_SEGMENT16 ? m->rows : m->depth[r->table];
  r->entry_len = (sluice_tables[r->table].bits + 7) / 8;
  r->stride = (r->entry_len + BLOCK - 1) / BLOCK * BLOCK;
  return true;
}

bool sluice_model_control(struct sluice_model *model, const uint8_t *bytes, size_t len,
                          struct sluice_model_answer *answer) {
  struct sluice_model_answer scratch_answer;
  struct sluice_model_answer *out = answer ? answer : &scratch_answer;
  out->len = out->num = 0;
  struct model_request r;
  if (!model_request(model, bytes, len, &r)) return false;
  if (r.op != SLUICE_CHAIN_READ) model_tables_changed(model);
  // Of a WRITE that is too long, the entries within the legal length take effect; else nothing.
  if (len > SLUICE_MODEL_MAX_LEN) {
    if (r.legal && r.op == SLUICE_CHAIN_WRITE) write_all(model, &r, bytes, SLUICE_MODEL_MAX_LEN);
    return false;
  }
  switch (r.op) {
    case SLUICE_CHAIN_WRITE: return r.legal && write_all(model, &r, bytes, len);
    case SLUICE_CHAIN_ERASE: return r.legal && erase(model, &r);
    case SLUICE_CHAIN_READ: {
      const bool good = r.legal && read_all(model, &r, bytes, out);
      memcpy(out->bytes, bytes, ENTRIES);
      out->bytes[53] = good ? SLUICE_CHAIN_ANSWER : SLUICE_CHAIN_REFUSED;
      out->entry_len = r.entry_len;
      out->stride = r.stride;
      if (!good) out->len = ENTRIES, out->num = 0;
      return good;
    }
    default: return false;
  }
}

long sluice_model_answer_compare(const struct sluice_model_answer *expected, const uint8_t *bytes,
                                 size_t len) {
  // What marks a reconfiguration packet, and its fields; addresses and cookie are nobody's.
  static const uint8_t marks[] = {12, 13, 16, 17, 27, 40, 41, 46, 47,
                                  48, 53, 54, 55, 56, 57, 58, 59};
  const size_t end = expected->num
                         ? ENTRIES + (expected->num - 1) * expected->stride + expected->entry_len
                         : expected->len;
  for (size_t i = 0; i < sizeof marks; i++)
    if (marks[i] >= len || bytes[marks[i]] != expected->bytes[marks[i]])
      return marks[i] >= len ? (long)len : marks[i];
  for (size_t n = 0; n < expected->num; n++)
    for (size_t i = 0; i < expected->entry_len; i++) {
      const size_t at = ENTRIES + n * expected->stride + i;
      if (at >= len) return (long)len;
      if (bytes[at] != expected->bytes[at]) return (long)at;
    }
  // Nothing may follow the last entry but the rest of its block.
  if (len < end) return (long)len;
  return len > expected->len ? (long)expected->len : -1;
}
