// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MODEL_MACHINE_H
#define SLUICE_MODEL_MACHINE_H

#include "model.h"

/// Private to sw/model: the memories of the machine and the steps over them, one file per step.

/// An entry of any table is an array of words: bit b of its layout is bit b % 64 of word b / 64.

/// A pair of state words.
struct model_pair {
  uint32_t s1, s2;
};

struct sluice_model {
  struct sluice_config config;
  struct sluice_model_filter filter;      // holds table MODULE
  unsigned sets;                          // CHIP.SETS: log2
  unsigned instances[SLUICE_NUM_TABLES];  // stages that have the table; 1 if it has no stage
  unsigned
      depth[SLUICE_NUM_TABLES];  // entries; 0: SEGMENT16, STATE, FILL have no memory of their own
  unsigned words[SLUICE_NUM_TABLES];   // words of an entry
  uint64_t *table[SLUICE_NUM_TABLES];  // [instance][entry][word]
  bool *match_valid;                   // [stage][row]
  struct model_pair *state;            // [stage with state][pipe][slot]
};

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

/// An entry. `stage` counts as the daisy chain does (front stages from S on), 0 for tables without
/// one.
static inline uint64_t *model_entry(const struct sluice_model *m, enum sluice_table table,
                                    unsigned stage, unsigned index) {
  if (sluice_tables[table].scope == SLUICE_SCOPE_front) stage -= m->config.BackStages;
  return m->table[table] + ((size_t)stage * m->depth[table] + index) * m->words[table];
}

/// Fields of a packet that several steps read.
static inline uint16_t model_get16(const uint8_t *bytes) {
  return (uint16_t)(bytes[0] << 8 | bytes[1]);
}
static inline unsigned model_row(const struct sluice_model *m, const struct sluice_model_phv *phv) {
  return phv->vid % m->config.NumModules;
}

/// One bit for each port of the chip.
static inline uint64_t model_all_ports(const struct sluice_model *m) {
  return m->config.NumPorts < 64 ? (UINT64_C(1) << m->config.NumPorts) - 1 : UINT64_MAX;
}

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

// stage.c

/// The values that EXT selects: 0 where the unit of the stage did nothing.
struct model_ext {
  uint32_t value[16];
};
/// A front stage (S and up), and a back stage with what the order point resolved there.
void model_stage_front(const struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv);
void model_stage_back(struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv,
                      struct sluice_model_access *access);

// hash.c
uint16_t model_crc16(const uint8_t *bytes, size_t len);
uint32_t model_crc32(const uint8_t *bytes, size_t len);
/// Result of the hash unit of a front stage.
uint32_t model_hash(const struct sluice_model *m, unsigned stage,
                    const struct sluice_model_phv *phv);

// state.c

/// Where logical index `index` of a row lives at a back stage. False when it is not below RANGE or
/// has no slot.
bool model_home(const struct sluice_model *m, unsigned row, unsigned stage, uint64_t index,
                unsigned *pipe, uint32_t *slot);
struct model_pair *model_slot(const struct sluice_model *m, unsigned stage, unsigned pipe,
                              uint32_t slot);
/// Resolution at the order point.
void model_resolve(const struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv,
                   struct sluice_model_access *access);
/// A state instruction on old words. Returns the new ones; predicates go to `pred`, 0 or 1 each.
struct model_pair model_state_instr(const uint64_t *instr, uint32_t p1, uint32_t p2,
                                    struct model_pair old, uint32_t pred[4]);
/// The operation of a packet that hit MATCH row `match_row`, if it has one; fills in `access` and
/// `ext`. `slot16` is VLIW slot 16. Returns true if it was a LOAD or LOADD, which also writes
/// 4B[7].
bool model_state_op(struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv,
                    unsigned match_row, uint64_t slot16, struct sluice_model_access *access,
                    struct model_ext *ext);

// deparse.c
void model_deparse(const struct sluice_model *m, const struct sluice_model_packet *packet,
                   const struct sluice_model_phv *phv, uint8_t *header);

// checksum.c

/// Incremental update of the checksums of `header` (as the deparser left it) for option bits
/// `options`. `before` is the packet as it came in.
void model_checksums(uint8_t options, const uint8_t *before, unsigned len, uint8_t *header);
/// Sets the ECN field of `header`, which is ready to leave, to CE, and updates its IPv4 checksum.
/// False, and no change, when it is not IPv4 (in `before`, the packet as it came in) or not ECT.
bool model_congestion(const uint8_t *before, uint8_t *header);

#endif
