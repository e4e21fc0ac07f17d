// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../base/bytes.h"
#include "model.h"

/// Private to sw/model: the memories of the machine and the steps over them, one file per step.

/// An entry of any table is an array of words: bit b of its layout is bit b % 64 of word b / 64.

/// A pair of state words.
struct model_pair {
  uint32_t s1, s2;
};

// ---- decoded tables -----------------------------------------------------------------------------

// Derived data: what entries of the tables say to a packet (decode.c). A record is made when a
// packet first needs it, and holds as long as its `made` is the model's number of `writes`.
// model_tables_changed makes all records stale; every control packet that may have written calls it
// (control.c), and nothing else writes tables.

enum {
  MODEL_KEY_WORDS = 4,
  MODEL_NO_ROW = 0xffff,
  MODEL_FRONT_STAGES = 8,
  MODEL_PARSE_ACTIONS = 10,
  MODEL_ALUS = 24
};
// KEY (193 bits) and MATCH (205 bits) in words of 64.
_Static_assert(SLUICE_MATCH_BITS <= 64 * MODEL_KEY_WORDS, "a match word fits");

/// A container that is there, or a constant (type CONST).
struct model_operand {
  uint8_t type, index;
};

/// A parser or deparser action in use.
struct model_move {
  struct model_operand to;  // deparser: from
  uint8_t bytes, offset;
  bool metadata;
};

/// An overlay row in a bank: what parser, deparser and order point do with its packets, and the
/// stages that have match rows for them.
struct model_overlay {
  uint64_t made;
  uint8_t dest, options;              // of MODULE and DEPARSE_OPT
  bool metadata;                      // some parser action reads metadata
  bool active;                        // its packets may be capsules
  uint8_t array_offset, array_count;  // of table ARRAY, as the chip uses them; count 0: none
  // Of table ARRAY_KEYS: words that are keys, if they are there; the container of FOUND, a constant
  // if there is none
  bool keys_valid, keys_stay;
  uint16_t keys;
  struct model_operand keys_found;
  unsigned num_parse, num_deparse, num_front, num_back, num_access;
  struct model_move parse[MODEL_PARSE_ACTIONS], deparse[MODEL_PARSE_ACTIONS];
  uint8_t front[MODEL_FRONT_STAGES], back[SLUICE_MODEL_STAGES];
  uint8_t access[SLUICE_MODEL_STAGES];  // stages whose ACCESS entry is enabled
};

/// The same of copies at the egress: tables EGRESS_PARSER, EGRESS_DEPARSER and EGRESS_OPT, and the
/// egress stages (by their numbers) that have match rows for them.
struct model_egress_row {
  uint64_t made;
  uint8_t options;
  unsigned num_parse, num_deparse, num_stages;
  struct model_move parse[MODEL_PARSE_ACTIONS], deparse[MODEL_PARSE_ACTIONS];
  uint8_t stages[SLUICE_MODEL_EGRESS];
};

/// The key of an overlay row in a bank at a stage: the parts that the mask leaves.
struct model_key_part {
  struct model_operand from;
  uint8_t msb, lsb;
};
struct model_key {
  uint64_t made;
  bool more;  // beside exact rows, another engine or a default action may find something
  // Of the match rows that may be equal, lowest first; the next one is m->next; MODEL_NO_ROW: none
  uint16_t first;
  uint16_t ternary;  // the same of ternary entries, with m->next_ternary
  bool compares;     // the mask leaves the comparator's bit
  unsigned num_parts;
  struct model_key_part parts[6];
  uint64_t extract;                     // entry KEY_EXTRACT, for the comparator
  bool wide;                            // the wide compare can be 1
  struct model_operand wide_a, wide_b;  // its operands; with IMMEDIATE the second one is not used
  uint64_t wide_entry;                  // entry KEY_COMPARE
  uint64_t keep[MODEL_KEY_WORDS];
};

/// Whether a packet has to look for its key at all.
static inline bool model_looks(const struct model_key *key) {
  return key->first != MODEL_NO_ROW || key->more;
}

/// A ternary entry in use. VID stands above the key, as in a match entry, and counts.
struct model_ternary {
  uint64_t key[MODEL_KEY_WORDS], care[MODEL_KEY_WORDS];
};

/// What an operand of an action can name beside containers and constants: a data word of the entry
/// (FUNC with DATA).
enum { MODEL_TYPE_DATA = 4 };

/// A VLIW slot 1..24 that changes its container.
struct model_alu {
  uint8_t op, f;
  struct model_operand to, a, b, c;
  uint32_t imm;
};
struct model_action {
  uint64_t made;
  uint64_t slot0, slot16;
  bool metadata;              // slot 0 changes destination or discard flag
  struct model_operand port;  // operand A of slot 0; MODEL_TYPE_DATA: data word `index`
  unsigned num, plain;        // the first `plain` of the `num` name no data words
  struct model_alu alus[MODEL_ALUS];
};

struct sluice_model {
  struct sluice_config config;
  struct sluice_model_filter filter;  // holds table MODULE, and CHIP.BANK
  // Bit r: packets of overlay row r that took this bank are inside
  uint32_t inside[SLUICE_MODEL_BANKS];
  unsigned rows;                          // entries of an overlay table: Banks x NumModules
  unsigned sets;                          // CHIP.SETS: log2
  unsigned instances[SLUICE_NUM_TABLES];  // stages that have the table; 1 if it has no stage
  // Entries; 0: SEGMENT16, STATE, FILL have no memory of their own
  unsigned depth[SLUICE_NUM_TABLES];
  unsigned words[SLUICE_NUM_TABLES];   // words of an entry
  uint64_t *table[SLUICE_NUM_TABLES];  // [instance][entry][word]
  bool *match_valid;                   // [stage][row]
  // [stage with state][pipe][slot]; of egress stages [output lane]
  struct model_pair *state;
  uint32_t *row_words;  // the same, ArrayWords each; NULL in a chip without
  uint16_t crc16[256];  // what a byte adds to each checksum (hash.c)
  uint32_t crc32[256];
  // control packets leave state alone: their marks come one by one (checker)
  bool marks_apart;
  // bit r: a cut of overlay row r is asked for or there: no FILL
  uint32_t cut_asked;
  uint32_t cut_rows;       // bit r: READ of CUT of overlay row r is answered
  struct model_pair *cut;  // as `state`, at the cut; NULL in a chip without
  // Guarded flips. watch: FLIP.WATCH; rows: of the last cut; watching, touched: FLIP.STATUS
  struct {
    uint32_t watch[SLUICE_MODEL_STAGES], rows;
    bool watching, touched;
  } flip;
  uint64_t *found;  // [SLUICE_MODEL_FOUND]: see sluice_model_found
  // What entries counted since their counters were written (counts.c); *mute: nothing is counted
  uint64_t *counted;
  bool *mute;
  uint32_t *capsules;  // [lane x ActiveIds + id]: LOAD_PKTCOUNT
  uint32_t *faults;    // [id]: CAPSULES.FAULTS
  // Exact rows alone, and nobody watches: see match_plain (stage.c)
  bool plain;
  sluice_model_step_fn *step;  // NULL: nobody watches
  void *step_user;
  uint64_t writes;                  // of tables, from 1
  struct model_overlay *overlays;   // [entry of the row]
  struct model_egress_row *egress;  // [entry of the row]; NULL in a chip without egress stages
  struct model_key *keys;           // [stage][entry of the row]
  struct model_action *actions;     // [stage][row of ACTION]
  struct model_ternary *ternaries;  // [stage][ternary entry]
  // [stage][VID[7:0]]: cuckoo entries in use; kept by writes (model_cuckoo_count)
  uint32_t *cuckoo_used;
  uint16_t *next;          // [bank][stage][match row]: see struct model_key
  uint16_t *next_ternary;  // [bank][stage][ternary entry]
};
enum { MODEL_VIDS = 256 };

/// Bits msb..lsb (at most 64) of an entry.
static inline uint64_t model_bits(const uint64_t *entry, unsigned msb, unsigned lsb) {
  unsigned width = msb - lsb + 1, shift = lsb % 64;
  uint64_t value = entry[lsb / 64] >> shift;
  if (msb / 64 != lsb / 64) value |= entry[msb / 64] << (64 - shift);
  return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

/// A field of a layout: FIELD(entry, SEGMENT, BASE). FIELD32 is the same as a number of 32 bits.
#define FIELD(ENTRY, LAYOUT, NAME) \
  model_bits(ENTRY, SLUICE_##LAYOUT##_##NAME##_MSB, SLUICE_##LAYOUT##_##NAME##_LSB)
#define FIELD32(ENTRY, LAYOUT, NAME) ((uint32_t)FIELD(ENTRY, LAYOUT, NAME))

/// Stages of all kinds: back, front and egress stages are numbered in this order.
static inline unsigned model_stages(const struct sluice_model *m) {
  return m->config.BackStages + m->config.FrontStages + m->config.EgressStages;
}
static inline bool model_is_egress(const struct sluice_model *m, unsigned stage) {
  return stage >= m->config.BackStages + m->config.FrontStages;
}
/// Place of a stage with state among those that have it: back stages, and behind them egress
/// stages.
static inline unsigned model_state_stage(const struct sluice_model *m, unsigned stage) {
  if (stage < m->config.BackStages) return stage;
  return stage - m->config.BackStages - m->config.FrontStages + m->config.StateStages;
}
static inline bool model_holds_state(const struct sluice_model *m, unsigned stage) {
  return stage < m->config.StateStages || model_is_egress(m, stage);
}

/// An entry. `stage` counts as the daisy chain does (front stages from S on), 0 for tables without
/// one.
static inline uint64_t *model_entry(const struct sluice_model *m, enum sluice_table table,
                                    unsigned stage, unsigned index) {
  if (sluice_tables[table].scope == SLUICE_SCOPE_front) stage -= m->config.BackStages;
  if (sluice_tables[table].scope == SLUICE_SCOPE_state) stage = model_state_stage(m, stage);
  return m->table[table] + ((size_t)stage * m->depth[table] + index) * m->words[table];
}

/// After a change of who watches.
void model_set_plain(struct sluice_model *m);

/// Fields of a packet that several steps read.
static inline uint16_t model_get16(const uint8_t *bytes) { return (uint16_t)sluice_get16(bytes); }
/// The entry of a packet's row in every overlay table: bank x NumModules + overlay row. NumModules
/// is a power of two.
static inline unsigned model_row(const struct sluice_model *m, const struct sluice_model_phv *phv) {
  return phv->bank * m->config.NumModules + (phv->vid & (m->config.NumModules - 1));
}
/// The links of the match rows of a stage for packets of a bank.
static inline uint16_t *model_next(const struct sluice_model *m, unsigned bank, unsigned stage) {
  return m->next + ((size_t)bank * model_stages(m) + stage) * m->config.MatchEntries;
}

/// One bit for each port of the chip, that of recirculation included.
static inline uint64_t model_all_ports(const struct sluice_model *m) {
  const unsigned ports = m->config.NumPorts + m->config.Recirculation;
  return ports < 64 ? (UINT64_C(1) << ports) - 1 : UINT64_MAX;
}
/// That of recirculation; 0: there is none.
static inline uint64_t model_again_port(const struct sluice_model *m) {
  return m->config.Recirculation ? UINT64_C(1) << m->config.NumPorts : 0;
}

// decode.c

/// Tables have been written: nothing that was decoded before counts any more.
void model_tables_changed(struct sluice_model *m);
/// The records, up to date. They live until the next write. `row` is the entry of the row
/// (model_row).
const struct model_overlay *model_overlay(const struct sluice_model *m, unsigned row);
const struct model_egress_row *model_egress_row(const struct sluice_model *m, unsigned row);
const struct model_key *model_key(const struct sluice_model *m, unsigned stage, unsigned row);
const struct model_action *model_action(const struct sluice_model *m, unsigned stage,
                                        unsigned action_row);

/// Value of a decoded operand, in full width, and its low 32 bits.
static inline uint64_t model_read(const struct sluice_model_phv *phv, struct model_operand o) {
  switch (o.type) {
    case SLUICE_TYPE_B2: return phv->b2[o.index];
    case SLUICE_TYPE_B4: return phv->b4[o.index];
    case SLUICE_TYPE_B6: return phv->b6[o.index];
    default: return o.index;
  }
}
static inline uint32_t model_read32(const struct sluice_model_phv *phv, struct model_operand o) {
  return (uint32_t)model_read(phv, o);
}
/// Writes a container that is there, truncated to its width.
static inline void model_write(struct sluice_model_phv *phv, struct model_operand o,
                               uint64_t value) {
  if (o.type == SLUICE_TYPE_B2) phv->b2[o.index] = (uint16_t)value;
  if (o.type == SLUICE_TYPE_B4) phv->b4[o.index] = (uint32_t)value;
  if (o.type == SLUICE_TYPE_B6) phv->b6[o.index] = value & 0xffffffffffffu;
}

// model.c

/// Parser and front stages, without the lookups behind them.
unsigned model_front(const struct sluice_model *model, const struct sluice_model_packet *packet,
                     struct sluice_model_phv *phv);
/// The filter's verdict on a packet for which CHIP.BANK was `bank` when it arrived.
struct sluice_model_verdict model_classify(const struct sluice_model_filter *filter, uint32_t bank,
                                           const struct sluice_model_again *again,
                                           const uint8_t *bytes, unsigned len);

// control.c

/// A reconfiguration packet, taken apart.
struct model_request {
  enum sluice_table table;  // SLUICE_NUM_TABLES: nobody's
  unsigned op, stage, index, row, copy, count;
  bool legal;                // somebody owns it
  unsigned depth;            // legal indices
  size_t entry_len, stride;  // bytes of an entry, distance of entries
};
/// False: it is none.
bool model_request(const struct sluice_model *m, const uint8_t *bytes, size_t len,
                   struct model_request *r);
/// Entries that a WRITE of so many bytes has.
unsigned model_request_entries(const struct model_request *r, size_t len);
/// The entry of a row (bank x NumModules + overlay row) that entry `n` of a WRITE changes, or the
/// state of: false if none.
bool model_request_row(const struct sluice_model *m, const struct model_request *r, unsigned n,
                       unsigned *row);

/// An access of a control packet to one entry of state, in a chip with Marks.
struct model_mark {
  unsigned index, pipe;  // logical index; home
  uint32_t slot;
  bool write;
  bool words;               // of a row: STATE_ROW
  struct model_pair value;  // what it writes
  uint32_t row[SLUICE_MODEL_WORDS];
};
/// Whether the entries of a packet are marks, and entry `n` of it, as the tables are now: false if
/// that one is none.
bool model_is_marks(const struct sluice_model *m, const struct model_request *r);
bool model_mark(const struct sluice_model *m, const struct model_request *r, const uint8_t *bytes,
                unsigned n, struct model_mark *mark);

// parse.c

/// Value of a container (TYPE, index) or of a constant, in full width; 0 for a container that is
/// not there.
uint64_t model_container(const struct sluice_model *m, const struct sluice_model_phv *phv,
                         unsigned type, unsigned index);
/// The same for an OPERAND, and its low 32 bits.
uint64_t model_operand(const struct sluice_model *m, const struct sluice_model_phv *phv,
                       unsigned operand);
uint32_t model_operand32(const struct sluice_model *m, const struct sluice_model_phv *phv,
                         unsigned operand);
/// Writes a container, truncated to its width; nothing if it is not there.
void model_set_container(const struct sluice_model *m, struct sluice_model_phv *phv, unsigned type,
                         unsigned index, uint64_t value);
void model_parse(const struct sluice_model *m, const struct sluice_model_packet *packet,
                 struct sluice_model_phv *phv);
/// Parser actions on a frame of which `seen` bytes are there, and 32 bytes of metadata.
void model_parse_moves(const struct model_move *moves, unsigned num, const uint8_t *bytes,
                       unsigned seen, const uint8_t *metadata, struct sluice_model_phv *phv);

// engines.c

/// What a packet's key found at a stage.
struct model_found {
  bool action, entry;   // there is an action; it is that of an entry, not the default one
  unsigned row;         // of ACTION and STATE_INSTR
  unsigned engine, at;  // what gave it: SLUICE_MODEL_EXACT, ...; the entry of that engine
  uint32_t data[5];     // data words, and a 0
};
/// Looks for what packets of an overlay row in a bank (`row`) can find at a stage beside exact
/// rows: `more` and `ternary` of the key.
void model_engines_decode(const struct sluice_model *m, unsigned stage, unsigned row,
                          struct model_key *key);
/// A cuckoo entry is there from now on (1), or not any more (-1), if it is in use.
void model_cuckoo_count(struct sluice_model *m, unsigned stage, const uint64_t *entry, int change);
/// `exact_row`: the exact row that matches, -1: none. `word`: masked key and VID, as it is compared
/// with match entries.
void model_engines_find(const struct sluice_model *m, unsigned stage,
                        const struct sluice_model_phv *phv, int exact_row,
                        const struct model_key *key, const uint64_t word[MODEL_KEY_WORDS],
                        struct model_found *found);

// counts.c

/// An entry gave a packet its action: entry `at` of `engine` (SLUICE_MODEL_EXACT, ...).
void model_counts_hit(const struct sluice_model *m, unsigned stage, unsigned engine, unsigned at,
                      const struct sluice_model_phv *phv);
/// The entry of the table was written. What a READ of pipeline `copy` gives: one pipeline counts
/// for all.
void model_counts_written(struct sluice_model *m, enum sluice_table table, unsigned stage,
                          unsigned index);
uint64_t model_counts_copy(const struct sluice_model *m, enum sluice_table table, unsigned stage,
                           unsigned index, unsigned copy);

// stage.c

/// The values that EXT selects: 0 where the unit of the stage did nothing.
struct model_ext {
  uint32_t value[16];
};
/// Shows a step to who watches (sluice_model_watch).
static inline void model_show(const struct sluice_model *m, const struct sluice_model_step *step) {
  if (m->step) m->step(m->step_user, step);
}
struct model_capsule;
struct model_array;
/// A front stage (S and up), and a back stage with what the order point resolved there and the
/// packet's array (NULL: the chip has none).
void model_stage_front(const struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv);
void model_stage_back(struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv,
                      struct sluice_model_access *access, struct model_array *array);
/// An egress stage; `access` names the output lane as its pipeline.
void model_stage_egress(struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv,
                        struct sluice_model_access *access);
/// The same for a capsule, with the instruction of the stage behind the action.
void model_stage_capsule(struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv,
                         struct sluice_model_access *access, struct model_capsule *capsule,
                         struct model_array *array);

// hash.c

/// Fills crc16 and crc32.
void model_crc_tables(struct sluice_model *m);
uint16_t model_crc16(const struct sluice_model *m, const uint8_t *bytes, size_t len);
uint32_t model_crc32(const struct sluice_model *m, const uint8_t *bytes, size_t len);
/// Result of the hash unit of a front stage.
uint32_t model_hash(const struct sluice_model *m, unsigned stage,
                    const struct sluice_model_phv *phv);

// state.c

/// Where logical index `index` of an entry of a row lives at a back stage. False when it is not
/// below RANGE or has no slot.
bool model_home(const struct sluice_model *m, unsigned row, unsigned stage, uint64_t index,
                unsigned *pipe, uint32_t *slot);
struct model_pair *model_slot(const struct sluice_model *m, unsigned stage, unsigned pipe,
                              uint32_t slot);
/// Resolution at the order point.
void model_resolve(const struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv,
                   struct sluice_model_access *access);
/// The operation of a packet whose action is in row `action_row`, if it has one; fills in `access`
/// and `ext`. `slot16` is VLIW slot 16. Returns true if it was a LOAD or LOADD, which also writes
/// 4B[7].
bool model_state_op(struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv,
                    unsigned action_row, uint64_t slot16, struct sluice_model_access *access,
                    struct model_ext *ext);

// array.c

/// The array of a packet, and the row of the last operation before and behind it.
struct model_array {
  uint32_t words[SLUICE_MODEL_WORDS], before[SLUICE_MODEL_WORDS], behind[SLUICE_MODEL_WORDS];
};
/// Whether back stage `stage` has rows.
bool model_array_stage(const struct sluice_model *m, unsigned stage);
/// Words of a packet of the row that are there: bit i is word i.
uint32_t model_array_there(const struct sluice_model *m, const struct model_overlay *overlay,
                           const struct sluice_model_packet *packet);
/// The row beside a state entry: ArrayWords words.
uint32_t *model_row_words(const struct sluice_model *m, unsigned stage, unsigned pipe,
                          uint32_t slot);
void model_array_parse(const struct sluice_model *m, const struct model_overlay *overlay,
                       const struct sluice_model_packet *packet, struct model_array *array);
/// Writes them over `header`, behind the actions of the deparser.
void model_array_deparse(const struct sluice_model *m, const struct model_overlay *overlay,
                         const struct sluice_model_packet *packet, const struct model_array *array,
                         uint8_t *header);
/// One word of a row behind operation `op` (enumeration ARRAY_OP) with a word of a packet.
uint32_t model_array_word(unsigned op, uint32_t row, uint32_t word);
/// The operation of a packet whose action is in row `action_row`, behind its state instruction:
/// `access` and `ext` are those of model_state_op. Returns whether there was one.
bool model_array_op(struct sluice_model *m, unsigned stage, unsigned action_row,
                    const struct sluice_model_access *access, const struct model_ext *ext,
                    struct model_array *array);

// keys.c

/// The entry of table ARRAY_MATCH in which packets of a VID[7:0] and bank find a key; -1: none.
int model_keys_find(const struct sluice_model *m, unsigned vid, unsigned bank, uint32_t key);
/// What the lookups of a packet give, as the table is now; then the packet takes it: its words, and
/// the container of FOUND.
void model_keys_ask(const struct sluice_model *m, const struct sluice_model_packet *packet,
                    const struct sluice_model_phv *phv, struct sluice_model_keys *keys);
void model_keys_take(const struct sluice_model *m, const struct sluice_model_keys *keys,
                     struct sluice_model_phv *phv);

// cut.c

/// Whether back stage `stage` has a shadow memory.
bool model_cut_stage(const struct sluice_model *m, unsigned stage);
/// Whether a FILL of an entry of the row is refused now.
bool model_cut_forbids(const struct sluice_model *m, unsigned row);
/// Guarded flips (flip.c): a packet was admitted with these accesses, of the back stages; a mark
/// writes to this slot; a cut was taken.
void model_flip_packet(struct sluice_model *m, const struct sluice_model_phv *phv,
                       const struct sluice_model_access *access);
void model_flip_mark(struct sluice_model *m, unsigned stage, uint32_t slot);
void model_flip_cut(struct sluice_model *m);

/// What entry `index` of an entry of the row was at the cut; zeros if it has no slot. False:
/// refused.
bool model_cut_entry(const struct sluice_model *m, unsigned row, unsigned stage, unsigned index,
                     struct model_pair *pair);

// deparse.c
void model_deparse(const struct sluice_model *m, const struct sluice_model_packet *packet,
                   const struct sluice_model_phv *phv, const struct model_array *array,
                   uint8_t *header);
/// Deparser actions on the first `end` bytes of a frame.
void model_deparse_moves(const struct model_move *moves, unsigned num,
                         const struct sluice_model_phv *phv, unsigned end, uint8_t *header);

// checksum.c

/// Incremental update of the checksums of `header` (as the deparser left it) for option bits
/// `options`. `before` is the packet as it came in.
void model_checksums(uint8_t options, const uint8_t *before, unsigned len, uint8_t *header);
/// Sets the ECN field of `header`, which is ready to leave, to CE, and updates its IPv4 checksum.
/// False, and no change, when it is neither IPv4 nor IPv6 (in `before`, the packet as it came in),
/// or not ECT.
bool model_congestion(const uint8_t *before, uint8_t *header);
