// SPDX-License-Identifier: Apache-2.0
// docs/machine.md: Configuration; Two banks; Marks; Cuts.
#include <string.h>

#include "parts.h"

enum { HEADER = 64, BLOCK = 64, LONGEST = 9216, MOST_ENTRIES = 128 };

// A reconfiguration packet.
struct request {
  const uint8_t *bytes;
  size_t len;
  enum sluice_table table;
  unsigned stage, op, index, copy, row, count;
  unsigned width, stride;  // bytes of an entry, and from one to the next
};

// "bytes 12-13 0x8100, 16-17 0x0800, byte 27 0x11, bytes 40-41 0xf1f2, then layout RECONFIG in
// bytes 46..63". False: it is not of this form.
static bool read_request(const uint8_t *bytes, size_t len, struct request *r) {
  const uint8_t *head = bytes + 46;
  if (len < HEADER || spec_number(bytes + 12, 2) != 0x8100 ||
      spec_number(bytes + 16, 2) != 0x0800 || bytes[27] != 0x11 ||
      spec_number(bytes + 40, 2) != 0xf1f2)
    return false;
  *r = (struct request){
      .bytes = bytes,
      .len = len,
      .table = sluice_table_find((unsigned)FIELD(head, RECONFIG, RESOURCE),
                                 (unsigned)FIELD(head, RECONFIG, SUB)),
      .stage = (unsigned)FIELD(head, RECONFIG, STAGE),
      .op = (unsigned)FIELD(head, RECONFIG, OP),
      .index = (unsigned)(FIELD(head, RECONFIG, INDEX_HI) << 8 | FIELD(head, RECONFIG, INDEX_LO)),
      .copy = (unsigned)FIELD(head, RECONFIG, COPY),
      .row = (unsigned)FIELD(head, RECONFIG, ROW),
      .count = (unsigned)FIELD(head, RECONFIG, COUNT)};
  if (r->count == 0) r->count = 1;
  if (r->table == SLUICE_NUM_TABLES) return true;
  r->width = (sluice_tables[r->table].bits + 7) / 8;
  r->stride = (r->width + BLOCK - 1) / BLOCK * BLOCK;
  return true;
}

static bool is_state(enum sluice_table t) { return sluice_tables[t].rows == SLUICE_ROWS_segment; }

// Tables of lanes, exits, egress and the order point do not look at STAGE.
static unsigned stage_of(const struct request *r) {
  return spec_has_stages(r->table) ? r->stage : 0;
}

// ---- Tables keep only what the chip has ---------------------------------------------------------

static void clear(uint8_t *e, unsigned bits, unsigned msb, unsigned lsb) {
  spec_set(e, bits, msb, lsb, 0);
}

// The parts of a key that the chip has: `lsb` is that of the key within the entry.
static void keep_key(const struct sluice_spec *s, uint8_t *e, unsigned bits, unsigned lsb) {
#define PART_OF_KEY(NAME, THERE) \
  if (!(THERE)) clear(e, bits, lsb + SLUICE_KEY_##NAME##_MSB, lsb + SLUICE_KEY_##NAME##_LSB);
  PART_OF_KEY(B6_FIRST, s->c.Num6B >= 1)
  PART_OF_KEY(B6_SECOND, s->c.Num6B >= 2)
  PART_OF_KEY(B4_SECOND, s->c.Num4B >= 2)
  PART_OF_KEY(B2_SECOND, s->c.Num2B >= 2)
#undef PART_OF_KEY
}

#define CLEAR(ENTRY, LAYOUT, NAME)                                     \
  clear(ENTRY, SLUICE_##LAYOUT##_BITS, SLUICE_##LAYOUT##_##NAME##_MSB, \
        SLUICE_##LAYOUT##_##NAME##_LSB)

// The number of an action row has as many bits as it takes for all rows of the chip, at least one.
static void keep_row(const struct sluice_spec *s, uint8_t *e, unsigned bits, unsigned lsb) {
  const unsigned rows = s->c.MatchEntries + s->c.ExtraActions;
  unsigned n = 1;
  while (1u << n < rows) n++;
  if (n < 16) clear(e, bits, lsb + 15, lsb + n);
}

static void keep_entry(const struct sluice_spec *s, enum sluice_table table, uint8_t *e) {
  switch (table) {
    case SLUICE_TABLE_TERNARY:
      CLEAR(e, TERNARY, RESERVED);
      if (!s->c.WideCompare) CLEAR(e, TERNARY, WIDE);
      if (!s->c.WideCompare) CLEAR(e, TERNARY, CARE_WIDE);
      keep_key(s, e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB);
      keep_key(s, e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_CARE_LSB);
      keep_row(s, e, SLUICE_TERNARY_BITS, SLUICE_TERNARY_ACTION_LSB);
      if (!s->c.ActionData) CLEAR(e, TERNARY, DATA);
      break;
    case SLUICE_TABLE_CUCKOO:
      CLEAR(e, CUCKOO, RESERVED);
      if (!s->c.WideCompare) CLEAR(e, CUCKOO, WIDE);
      keep_key(s, e, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB);
      keep_row(s, e, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_ACTION_LSB);
      if (!s->c.ActionData) CLEAR(e, CUCKOO, DATA);
      break;
    case SLUICE_TABLE_DEFAULT_ACTION:
      if (!s->c.DefaultActions) {
        memset(e, 0, SLUICE_DEFAULT_ACTION_BITS / 8);
        break;
      }
      CLEAR(e, DEFAULT_ACTION, RESERVED);
      keep_row(s, e, SLUICE_DEFAULT_ACTION_BITS, SLUICE_DEFAULT_ACTION_ACTION_LSB);
      if (!s->c.ActionData) CLEAR(e, DEFAULT_ACTION, DATA);
      break;
    default:
      if (!s->c.ActionData) memset(e, 0, SLUICE_MATCH_DATA_BITS / 8);
  }
}

// State accesses: "A2, B2, C2, D2 and X_STATE, X_PACKET and Y of predicates 2 to 4, and for REL of
// these three TRUE where it is TRUE, else FALSE"
static void keep_one_word(uint8_t *e) {
  const unsigned lsbs[3] = {SLUICE_STATE_INSTR_PRED_2_LSB, SLUICE_STATE_INSTR_PRED_3_LSB,
                            SLUICE_STATE_INSTR_PRED_4_LSB};
  CLEAR(e, STATE_INSTR, A2);
  CLEAR(e, STATE_INSTR, B2);
  CLEAR(e, STATE_INSTR, C2);
  CLEAR(e, STATE_INSTR, D2);
  for (unsigned p = 0; p < 3; p++) {
    const unsigned rel = lsbs[p] + SLUICE_PREDICATE_REL_LSB;
    const bool is_true = spec_field(e, 256, rel + 2, rel) == SLUICE_REL_TRUE;
    clear(e, 256, lsbs[p] + SLUICE_PREDICATE_BITS - 1, lsbs[p]);
    spec_set(e, 256, rel + 2, rel, is_true ? SLUICE_REL_TRUE : SLUICE_REL_FALSE);
  }
}

static bool has_slot(const struct sluice_spec *s, unsigned slot) {
  if (slot == 0 || slot == 16) return true;
  if (slot <= 8) return slot <= s->c.Num2B;
  return slot < 16 ? slot - 8 <= s->c.Num4B : slot - 16 <= s->c.Num6B;
}

static void keep(const struct sluice_spec *s, enum sluice_table table, uint8_t *e) {
  const unsigned bits = sluice_tables[table].bits, ports = s->c.NumPorts + s->c.Recirculation;
  if (bits % 8) e[bits / 8] = (uint8_t)(e[bits / 8] & (0xff00 >> bits % 8));
  switch (sluice_tables[table].kept) {
    case SLUICE_KEPT_ports:
      if (ports < 64) clear(e, 64, 63, ports);
      break;
    case SLUICE_KEPT_actions:
      memset(e + 2 * s->c.ParseActions, 0, 20 - 2 * s->c.ParseActions);
      break;
    case SLUICE_KEPT_key: keep_key(s, e, bits, 0); break;
    case SLUICE_KEPT_checksums:
      if (!s->c.Checksums) *e = 0;
      break;
    case SLUICE_KEPT_hashes:
      if (!s->c.HashUnits) memset(e, 0, bits / 8);
      break;
    case SLUICE_KEPT_words:
      if (!s->c.StatePairs && table == SLUICE_TABLE_STATE_INSTR) keep_one_word(e);
      if (!s->c.StatePairs && table != SLUICE_TABLE_STATE_INSTR) CLEAR(e, STATE_ENTRY, S2);
      break;
    case SLUICE_KEPT_slots:
      for (unsigned slot = 0; slot < 25; slot++)
        if (!has_slot(s, slot)) clear(e, bits, 25 * slot + 24, 25 * slot);
      break;
    case SLUICE_KEPT_entry: keep_entry(s, table, e); break;
    case SLUICE_KEPT_array: memset(e + 4 * s->c.ArrayWords, 0, 64 - 4 * s->c.ArrayWords); break;
    default: break;
  }
}

// ---- Two banks ----------------------------------------------------------------------------------

bool sluice_spec_set_bank(struct sluice_spec *s, uint32_t bank) {
  if (s->c.Banks < 2) return false;
  s->filter.bank = s->c.NumModules < 32 ? bank & ((UINT32_C(1) << s->c.NumModules) - 1) : bank;
  return true;
}

void sluice_spec_set_inside(struct sluice_spec *s, unsigned bank, uint32_t rows) {
  s->inside[bank] = rows;
}

// "whose bank is not the one that CHIP.BANK names for the row is refused while a packet of that row
// and bank is inside"; `entry` is bank x NumModules + row
static bool bank_is_in_use(const struct sluice_spec *s, unsigned entry) {
  const unsigned bank = entry / s->c.NumModules, row = entry % s->c.NumModules;
  return bank < 2 && bank != (s->filter.bank >> row & 1) && s->inside[bank] >> row & 1;
}

void sluice_spec_set_bitmap(struct sluice_spec *s, uint32_t bitmap) { s->filter.bitmap = bitmap; }

void sluice_spec_set_sets(struct sluice_spec *s, unsigned sets) {
  for (s->sets = 0; s->sets < sets && s->c.NumPipes >> s->sets > 1;) s->sets++;
}

// ---- STATE, TAKE, CUT, STATE_ROW, FILL ----------------------------------------------------------

enum found { OUTSIDE, NO_SLOT, THERE };

// Index `index` of the segment of `row`, by SEGMENT and ACCESS at this moment.
static enum found find(const struct sluice_spec *s, const struct request *r, unsigned index,
                       unsigned lane, size_t *place, unsigned *slot) {
  const uint8_t *segment = spec_entry(s, SLUICE_TABLE_SEGMENT, r->stage, r->row),
                *access = spec_entry(s, SLUICE_TABLE_ACCESS, r->stage, r->row);
  const bool egress = spec_is_egress(s, r->stage);
  unsigned pipe;
  if (r->row >= s->c.Banks * s->c.NumModules || index >= FIELD(segment, SEGMENT, RANGE))
    return OUTSIDE;
  if (!spec_home(s, r->stage, egress || FIELD(access, ACCESS, PINNED),
                 (unsigned)FIELD(access, ACCESS, PIPE), (unsigned)FIELD(segment, SEGMENT, BASE),
                 index, &pipe, slot))
    return NO_SLOT;
  *place = spec_place_number(s, r->stage, egress ? lane : pipe, *slot);
  return THERE;
}

static void write_place(struct sluice_spec *s, const struct request *r, size_t place, unsigned slot,
                        const uint8_t *value) {
  const bool mark = r->table != SLUICE_TABLE_FILL && s->c.Marks && !spec_is_egress(s, r->stage);
  if (mark && s->marks_apart) return;
  if (r->table == SLUICE_TABLE_STATE_ROW) {
    for (unsigned w = 0; w < s->c.ArrayWords; w++)
      s->rows[place * s->c.ArrayWords + w] = (uint32_t)spec_number(value + 4 * w, 4);
  } else {
    s->state[place][0] = (uint32_t)spec_number(value, 4);
    s->state[place][1] = (uint32_t)spec_number(value + 4, 4);
  }
  if (mark) spec_touch_place(s, r->stage, slot);
}

// In an egress stage every lane gets the value. False: refused.
static bool write_state(struct sluice_spec *s, const struct request *r, unsigned index,
                        const uint8_t *value) {
  const unsigned lanes = spec_is_egress(s, r->stage) ? s->c.NumPipes : 1;
  size_t place;
  unsigned slot;
  for (unsigned lane = 0; lane < lanes; lane++) {
    if (find(s, r, index, lane, &place, &slot) != THERE) return false;
    write_place(s, r, place, slot, value);
  }
  return true;
}

static bool is_in(uint32_t rows, const struct sluice_spec *s, unsigned row) {
  return rows >> row % s->c.NumModules & 1;
}

// "gives every entry of the segment this value"; all rows of words become 0
static bool fill(struct sluice_spec *s, const struct request *r, const uint8_t *value) {
  const unsigned lanes = spec_is_egress(s, r->stage) ? s->c.NumPipes : 1;
  size_t place;
  unsigned slot;
  if (r->row >= s->c.Banks * s->c.NumModules || bank_is_in_use(s, r->row)) return false;
  if (!spec_is_egress(s, r->stage) && is_in(s->cut_asked, s, r->row)) return false;
  for (unsigned lane = 0; lane < lanes; lane++)
    for (unsigned i = 0; find(s, r, i, lane, &place, &slot) != OUTSIDE; i++) {
      if (find(s, r, i, lane, &place, &slot) == NO_SLOT) continue;
      write_place(s, r, place, slot, value);
      for (unsigned w = 0; w < s->c.ArrayWords; w++) s->rows[place * s->c.ArrayWords + w] = 0;
    }
  return true;
}

static void read_place(const struct sluice_spec *s, const struct request *r, size_t place,
                       uint8_t *to) {
  const uint32_t *pair = r->table == SLUICE_TABLE_CUT ? s->cut[place] : s->state[place];
  if (r->table == SLUICE_TABLE_STATE_ROW) {
    for (unsigned w = 0; w < s->c.ArrayWords; w++)
      spec_set(to + 4 * w, 32, 31, 0, s->rows[place * s->c.ArrayWords + w]);
  } else {
    FIELD_SET(to, STATE_ENTRY, S1, pair[0]);
    FIELD_SET(to, STATE_ENTRY, S2, pair[1]);
  }
}

// All entries, or none: "If one entry is outside the range, the whole READ is refused."
static bool read_state(struct sluice_spec *s, const struct request *r,
                       struct sluice_model_answer *answer) {
  const bool egress = spec_is_egress(s, r->stage);
  size_t place;
  unsigned slot;
  if (egress && r->copy >= s->c.NumPipes) return false;
  if (r->table == SLUICE_TABLE_TAKE && bank_is_in_use(s, r->row)) return false;
  if (r->table == SLUICE_TABLE_CUT && !is_in(s->cut_ready, s, r->row)) return false;
  for (unsigned i = 0; i < r->count; i++)
    if (find(s, r, r->index + i, r->copy, &place, &slot) == OUTSIDE) return false;
  for (unsigned i = 0; i < r->count; i++) {
    uint8_t *to = answer->bytes + HEADER + i * r->stride;
    if (find(s, r, r->index + i, r->copy, &place, &slot) == NO_SLOT) continue;
    read_place(s, r, place, to);
    if (r->table == SLUICE_TABLE_TAKE)
      write_place(s, r, place, slot, spec_entry(s, SLUICE_TABLE_LEAVE, r->stage, 0));
  }
  return true;
}

// ---- Cuts ---------------------------------------------------------------------------------------

void sluice_spec_cut_ask(struct sluice_spec *s, uint32_t rows) {
  if (!s->c.CutStages) return;
  s->cut_asked = rows;
  s->cut_ready = 0;
}

void sluice_spec_cut_take(struct sluice_spec *s) {
  if (!s->c.CutStages) return;
  memcpy(s->cut, s->state, s->num_places * sizeof *s->cut);
  s->cut_ready = s->flip_rows = s->cut_asked;
  s->cut_since = s->c.FlipGuard;
  s->touched = false;
}

void sluice_spec_cut_open(struct sluice_spec *s, uint32_t rows) { s->cut_ready = rows; }

// ---- Marks --------------------------------------------------------------------------------------

void sluice_spec_marks_apart(struct sluice_spec *s, bool apart) { s->marks_apart = apart; }

void sluice_spec_place(struct sluice_spec *s, unsigned stage, unsigned pipe, uint32_t slot,
                       bool of_row, uint32_t words[SLUICE_MODEL_WORDS], const uint32_t *to) {
  const size_t place = spec_place_number(s, stage, pipe, slot);
  uint32_t *at = of_row ? &s->rows[place * s->c.ArrayWords] : s->state[place];
  const unsigned num = of_row ? s->c.ArrayWords : 2;
  for (unsigned w = 0; w < SLUICE_MODEL_WORDS; w++) words[w] = w < num ? at[w] : 0;
  for (unsigned w = 0; w < num && to; w++) at[w] = to[w];
  if (to) spec_touch_place(s, stage, slot);
}

// ---- Match engines, Counters --------------------------------------------------------------------

uint64_t sluice_spec_count_sum(uint64_t a, uint64_t b) {
  const uint64_t bytes = (UINT64_C(1) << SLUICE_ENTRY_COUNT_PACKETS_LSB) - 1;
  return ((a & ~bytes) + (b & ~bytes)) | ((a + b) & bytes);
}

uint64_t sluice_spec_count(const struct sluice_spec *s, enum sluice_table table, unsigned stage,
                           unsigned index) {
  uint64_t all = 0;
  for (unsigned p = 0; p < s->c.NumPipes; p++)
    all = sluice_spec_count_sum(all, s->counts[table][stage][index * s->c.NumPipes + p]);
  return all;
}

// ---- WRITE, ERASE -------------------------------------------------------------------------------

static unsigned granule(const struct sluice_spec *s) {
  return s->c.StateEntries > 256 ? s->c.StateEntries / 256 : 1;
}

static void store(struct sluice_spec *s, const struct request *r, unsigned index,
                  const uint8_t *value) {
  struct spec_table *t = &s->tables[r->table][stage_of(r)];
  if (sluice_table_is_count(r->table)) {
    for (unsigned p = 0; p < s->c.NumPipes; p++)
      s->counts[r->table][r->stage][index * s->c.NumPipes + p] = spec_number(value, 8);
    return;
  }
  if (r->table == SLUICE_TABLE_SEGMENT16) {
    t = &s->tables[SLUICE_TABLE_SEGMENT][r->stage];
    uint8_t *wide = t->entries + (size_t)index * t->width;
    FIELD_SET(wide, SEGMENT, RANGE, FIELD(value, SEGMENT16, RANGE) * granule(s));
    FIELD_SET(wide, SEGMENT, BASE, FIELD(value, SEGMENT16, BASE) * granule(s));
    return;
  }
  memcpy(t->entries + (size_t)index * t->width, value, t->width);
  if (r->table == SLUICE_TABLE_MATCH) s->match_valid[r->stage][index] = true;
  if (r->table == SLUICE_TABLE_MODULE) s->filter.module[index] = (uint32_t)spec_number(value, 4);
}

static unsigned rows_of(const struct sluice_spec *s, const struct request *r) {
  const enum sluice_table t = r->table == SLUICE_TABLE_SEGMENT16 ? SLUICE_TABLE_SEGMENT : r->table;
  return s->tables[t][stage_of(r)].rows;
}

// One entry of a WRITE; false: it is refused.
static bool write_entry(struct sluice_spec *s, const struct request *r, unsigned index,
                        const uint8_t *bytes) {
  uint8_t value[128];
  memcpy(value, bytes, r->width);
  keep(s, r->table, value);
  if (r->table == SLUICE_TABLE_FILL) return index == 0 && fill(s, r, value);
  if (is_state(r->table)) return !bank_is_in_use(s, r->row) && write_state(s, r, index, value);
  if (index >= rows_of(s, r)) return false;
  if (sluice_tables[r->table].rows == SLUICE_ROWS_overlay && bank_is_in_use(s, index)) return false;
  // ROW names the module for which it is done: a row of the same bank as the index
  if (sluice_tables[r->table].rows == SLUICE_ROWS_ids &&
      (r->row >= s->c.Banks * s->c.NumModules ||
       r->row / s->c.NumModules != index / s->c.ActiveIds || bank_is_in_use(s, r->row)))
    return false;
  if (r->table == SLUICE_TABLE_LEAVE && r->row >= s->c.Banks * s->c.NumModules) return false;
  store(s, r, index, value);
  return true;
}

// "A last entry that is cut off before its table's width is not written. Of several entries each is
// refused or taken for itself; if any is refused the packet is bad."
static bool write_all(struct sluice_spec *s, const struct request *r) {
  const size_t end = r->len < LONGEST ? r->len : LONGEST;
  bool good = r->len <= LONGEST;
  unsigned n = 0;
  for (; HEADER + n * r->stride + r->width <= end; n++)
    if (!write_entry(s, r, r->index + n, r->bytes + HEADER + n * r->stride)) good = false;
  return good && n > 0;
}

static bool erase(struct sluice_spec *s, const struct request *r) {
  struct spec_table *t = &s->tables[r->table][r->stage];
  if (r->len > LONGEST || r->index >= t->rows) return false;
  memset(t->entries + (size_t)r->index * t->width, 0, t->width);
  s->match_valid[r->stage][r->index] = false;
  return true;
}

// ---- READ ---------------------------------------------------------------------------------------

static void load(const struct sluice_spec *s, const struct request *r, unsigned index,
                 uint8_t *to) {
  if (sluice_table_is_count(r->table)) {
    spec_set(to, 64, 63, 0, s->counts[r->table][r->stage][index * s->c.NumPipes + r->copy]);
  } else if (r->table == SLUICE_TABLE_SEGMENT16) {
    const uint8_t *wide = spec_entry(s, SLUICE_TABLE_SEGMENT, r->stage, index);
    FIELD_SET(to, SEGMENT16, RANGE, FIELD(wide, SEGMENT, RANGE) / granule(s));
    FIELD_SET(to, SEGMENT16, BASE, FIELD(wide, SEGMENT, BASE) / granule(s));
  } else {
    memcpy(to, spec_entry(s, r->table, stage_of(r), index), r->width);
  }
}

static bool read_all(struct sluice_spec *s, const struct request *r,
                     struct sluice_model_answer *answer) {
  if (r->count > MOST_ENTRIES) return false;
  if (is_state(r->table)) return read_state(s, r, answer);
  if (r->copy >= s->c.NumPipes || r->index + r->count > rows_of(s, r)) return false;
  for (unsigned i = 0; i < r->count; i++)
    load(s, r, r->index + i, answer->bytes + HEADER + i * r->stride);
  return true;
}

// A READ: the answer is the request's first 64 bytes with another OP, then the entries. Refused:
// none.
static bool answer_read(struct sluice_spec *s, const struct request *r, bool possible,
                        struct sluice_model_answer *answer) {
  memset(answer->bytes + HEADER, 0, sizeof answer->bytes - HEADER);
  const bool good = possible && read_all(s, r, answer);
  memcpy(answer->bytes, r->bytes, HEADER);
  FIELD_SET(answer->bytes + 46, RECONFIG, OP, good ? SLUICE_CHAIN_ANSWER : SLUICE_CHAIN_REFUSED);
  answer->num = good ? r->count : 0;
  answer->entry_len = r->width;
  answer->stride = r->stride;
  answer->len = HEADER + answer->num * r->stride;
  return good;
}

// ---- Configuration ------------------------------------------------------------------------------

bool sluice_spec_control(struct sluice_spec *s, const uint8_t *bytes, size_t len,
                         struct sluice_model_answer *answer) {
  struct request r;
  if (!answer) answer = &s->unwanted;
  answer->len = answer->num = answer->entry_len = answer->stride = 0;
  if (!read_request(bytes, len, &r)) return false;
  const bool there = r.table != SLUICE_NUM_TABLES && spec_table_exists(s, r.table, r.stage);
  const enum sluice_ops ops = there ? sluice_tables[r.table].ops : SLUICE_OPS_read_write;
  switch (r.op) {
    case SLUICE_CHAIN_WRITE: return there && ops != SLUICE_OPS_read && write_all(s, &r);
    case SLUICE_CHAIN_READ:  // of a frame that is too long nothing but entries of a WRITE counts
      return len <= LONGEST && answer_read(s, &r, there && ops != SLUICE_OPS_write, answer);
    case SLUICE_CHAIN_ERASE: return there && ops == SLUICE_OPS_erase && erase(s, &r);
    default: return false;
  }
}
