// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec.h"

/// Private to sw/spec: what the machine remembers, and what its sections ask of each other. A file
/// holds a few sections of docs/machine.md, in the order of the page.

enum { SPEC_STAGES = 32, SPEC_PIPES = 16 };

/// Entries as control packets bring them: left-justified bytes.
struct spec_table {
  unsigned rows, width;  // width: bytes of an entry; rows 0: the chip does not have the table
  uint8_t *entries;
};

struct sluice_spec {
  struct sluice_config c;
  // Stages are numbered as in a control packet; tables of lanes, exits and the order point have
  // stage 0
  struct spec_table tables[SLUICE_NUM_TABLES][SPEC_STAGES];
  bool *match_valid[SPEC_STAGES];
  // Counters of match entries: what each pipeline has, one behind the other. Which pipeline a
  // packet was in nobody here knows: it counts in that of its lane.
  uint64_t *counts[SLUICE_NUM_TABLES][SPEC_STAGES];
  // Pairs of words, and rows of words, of {stage, pipeline, slot}: see spec_place_number
  uint32_t (*state)[2], (*cut)[2];
  uint32_t *rows;
  size_t num_places;

  struct sluice_model_filter filter;  // CHIP.BITMAP, CHIP.BANK, MODULE
  uint32_t inside[SLUICE_MODEL_BANKS];
  unsigned sets;  // CHIP.SETS
  bool marks_apart;
  uint32_t cut_asked, cut_ready;
  uint32_t watch[SPEC_STAGES];  // FLIP.WATCH
  bool cut_since, touched;      // bits 0 and 1 of FLIP.STATUS
  uint32_t flip_rows;           // modules of the cut

  uint32_t *capsules[SPEC_PIPES];  // counts by id, of each lane
  uint32_t *faults;
  bool mute;
  struct sluice_model_answer unwanted;  // an answer that nobody wants
};

/// The PHV; box[kind][index]. Kinds are those of enumeration TYPE, so box[0] is not used.
struct spec_phv {
  uint64_t box[4][8];
  unsigned vid, bank, dest, len;
  bool discard, mark;
  uint32_t words[SLUICE_MODEL_WORDS];
};

/// What matched at a stage.
struct spec_hit {
  bool action;  // there is one, in row `row`
  bool entry;   // an entry gave it, no default
  unsigned row;
  uint32_t data[5];  // data words; the last one is 0
};

/// A capsule on its way through the back stages.
struct spec_capsule {
  bool there;
  unsigned id;
  bool own;       // the id is the module's
  unsigned came;  // the bank whose TENANT counts: that of the parser
  unsigned length;
  bool eof;  // the list ends within the bytes that are looked at
  uint16_t list[42];
  uint8_t tuple[12];  // source address, destination address, ports
  uint32_t data[4];
  uint32_t mar, mbr, mbr2, hash[5];
  uint16_t jump;
  bool complete, skip, skip_at_first, returned, fault, fault_before, forked, preloaded;
  unsigned round;
  uint32_t count, depth, delay;
};

// ---- bits ---------------------------------------------------------------------------------------

/// Field [msb:lsb] of a layout of `bits` bits; and its value set.
uint64_t spec_field(const uint8_t *entry, unsigned bits, unsigned msb, unsigned lsb);
void spec_set(uint8_t *entry, unsigned bits, unsigned msb, unsigned lsb, uint64_t value);
/// Whether `n` bits are equal, from a_msb and b_msb down. CARE: NULL, or a third field with 1 at
/// each bit that counts.
bool spec_same_bits(const uint8_t *a, unsigned a_bits, unsigned a_msb, const uint8_t *b,
                    unsigned b_bits, unsigned b_msb, unsigned n);
#define FIELD(ENTRY, LAYOUT, NAME)                                          \
  spec_field(ENTRY, SLUICE_##LAYOUT##_BITS, SLUICE_##LAYOUT##_##NAME##_MSB, \
             SLUICE_##LAYOUT##_##NAME##_LSB)
#define FIELD_SET(ENTRY, LAYOUT, NAME, VALUE)                             \
  spec_set(ENTRY, SLUICE_##LAYOUT##_BITS, SLUICE_##LAYOUT##_##NAME##_MSB, \
           SLUICE_##LAYOUT##_##NAME##_LSB, VALUE)
/// Bytes as a number, most significant first.
uint64_t spec_number(const uint8_t *bytes, unsigned num);

// ---- tables -------------------------------------------------------------------------------------

/// Whether a table has entries of each stage; a table that has none of its own has stage 0.
bool spec_has_stages(enum sluice_table table);
/// Entry `index`; zeros where the chip does not have it.
const uint8_t *spec_entry(const struct sluice_spec *s, enum sluice_table table, unsigned stage,
                          unsigned index);
/// The entry of the row (Two banks): of the packet's module in the packet's bank.
const uint8_t *spec_of_row(const struct sluice_spec *s, enum sluice_table table, unsigned stage,
                           const struct spec_phv *phv);
bool spec_table_exists(const struct sluice_spec *s, enum sluice_table table, unsigned stage);
bool spec_has_state(const struct sluice_spec *s, unsigned stage);
bool spec_is_egress(const struct sluice_spec *s, unsigned stage);
unsigned spec_slots(const struct sluice_spec *s);
/// Where {stage, pipeline, slot} stands in the memories.
size_t spec_place_number(const struct sluice_spec *s, unsigned stage, unsigned pipe, unsigned slot);

// ---- Numbers ------------------------------------------------------------------------------------

bool spec_container(const struct sluice_spec *s, unsigned kind, unsigned index);
uint64_t spec_full(const struct sluice_spec *s, const struct spec_phv *phv, unsigned operand);
uint32_t spec_value(const struct sluice_spec *s, const struct spec_phv *phv, unsigned operand);
void spec_put(const struct sluice_spec *s, struct spec_phv *phv, unsigned kind, unsigned index,
              uint64_t value);

// ---- sections that several others need ----------------------------------------------------------

/// Step 3 and step 7, of packets and of copies.
void spec_parse(const struct sluice_spec *s, struct spec_phv *phv, const uint8_t *entry,
                const uint8_t *bytes, unsigned len, const uint8_t metadata[32]);
void spec_deparse(const struct sluice_spec *s, const struct spec_phv *phv, const uint8_t *entry,
                  unsigned len, uint8_t *header);
/// Step 8: port number n as a destination.
unsigned spec_dest_of(const struct sluice_spec *s, uint32_t n);

/// A stage. `access`: NULL in front stages. `taken`: a memory instruction of a capsule stands in
/// place of the operation on state.
void spec_stage(struct sluice_spec *s, unsigned stage, unsigned lane, struct spec_phv *phv,
                struct sluice_model_access *access, bool taken);

/// State accesses: where index i of a segment is; false: it has no slot.
bool spec_home(const struct sluice_spec *s, unsigned stage, bool pinned, unsigned pipe,
               unsigned base, uint64_t index, unsigned *to_pipe, unsigned *slot);
void spec_resolve(const struct sluice_spec *s, unsigned stage, const struct spec_phv *phv,
                  struct sluice_model_access *access);
/// What the state unit does; `ext` gets the values 0 to 7 of enumeration EXT, *load what LOAD and
/// LOADD give; returns whether these are to be written.
bool spec_state_unit(struct sluice_spec *s, unsigned stage, struct spec_phv *phv,
                     const struct spec_phv *before, const struct spec_hit *hit,
                     struct sluice_model_access *access, uint32_t ext[8], uint32_t *load);

/// Checksums: `before` is the packet before the deparser, `options` a DEPARSE_OPT entry.
void spec_checksums(const struct sluice_spec *s, unsigned options, const uint8_t *before,
                    unsigned len, uint8_t *header);
/// Congestion: returns whether CE was set.
bool spec_congestion(const uint8_t *before, unsigned len, uint8_t *header);

/// Guarded flips: what a packet's access, or a write to a place, does to FLIP.STATUS.
void spec_touch(struct sluice_spec *s, unsigned stage, unsigned row,
                const struct sluice_model_access *access);
void spec_touch_place(struct sluice_spec *s, unsigned stage, unsigned slot);

/// Arrays: words of the packet; those behind the end of the packet or header are not there, bit 0.
uint32_t spec_array_words(const struct sluice_spec *s, const struct spec_phv *phv,
                          const uint8_t *bytes, unsigned len, uint32_t *words);
void spec_array_leave(const struct sluice_spec *s, const struct spec_phv *phv, unsigned len,
                      uint8_t *header);
void spec_array_match(const struct sluice_spec *s, const uint8_t *bytes, struct spec_phv *phv);
/// The operation on row `place` (-1: refused), with the predicates of the state instruction.
void spec_array_unit(struct sluice_spec *s, long long place, const uint8_t *instr,
                     const uint32_t predicates[4], struct spec_phv *phv);

/// Capsules.
void spec_capsule_read(struct sluice_spec *s, const struct sluice_model_packet *packet,
                       const struct spec_phv *phv, struct spec_capsule *capsule);
bool spec_capsule_counts(struct sluice_spec *s, const struct sluice_model_packet *packet,
                         const struct spec_phv *phv);
bool spec_capsule_decides(const struct sluice_spec *s, const struct spec_capsule *capsule,
                          unsigned stage);
void spec_capsule_resolve(const struct sluice_spec *s, const struct spec_capsule *capsule,
                          unsigned stage, const struct spec_phv *phv,
                          struct sluice_model_access *access);
void spec_capsule_unit(struct sluice_spec *s, unsigned stage, struct spec_phv *phv,
                       const struct sluice_model_packet *packet, struct sluice_model_access *access,
                       struct spec_capsule *capsule);
void spec_capsule_exit(struct sluice_spec *s, struct spec_capsule *capsule,
                       const struct spec_phv *phv, const struct sluice_model_packet *packet,
                       struct sluice_model_result *result, uint64_t asked, uint64_t allowed);

/// CRCs: bit by bit, `bits` of the polynomial at most 64.
uint64_t spec_crc(unsigned bits, uint64_t polynomial, bool reflected, uint64_t start,
                  const uint8_t *bytes, unsigned num);
/// Match engines, Mixed: of CRC-64/ECMA-182.
uint64_t spec_mixed(const uint8_t *bytes, unsigned num);
