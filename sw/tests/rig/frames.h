// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/layouts.h"
#include "base/pairs.h"

/// Frames for the tests of model and checker. Written for the tests alone: neither the driver's
/// packer nor the model's reader is used, so that an error in either shows.

/// An entry, left-justified as in a reconfiguration packet.
struct entry {
  uint8_t bytes[128];
};

/// Sets bits msb..lsb of an entry of `width` bits.
static inline void entry_set(struct entry *e, unsigned width, unsigned msb, unsigned lsb,
                             uint64_t value) {
  for (unsigned b = lsb; b <= msb; b++) {
    const unsigned at = width - 1 - b;
    const uint8_t bit = (uint8_t)(0x80u >> at % 8);
    if (value >> (b - lsb) & 1) e->bytes[at / 8] |= bit;
    else e->bytes[at / 8] &= (uint8_t)~bit;
  }
}
/// One field: SET(&e, SEGMENT, BASE, 2). Several: SETS(&e, SEGMENT, (BASE, 2), (RANGE, 6)). An
/// entry that is 0 but for them: ENTRY_OF(SEGMENT, (BASE, 2), (RANGE, 6)).
#define SET(ENTRY, LAYOUT, FIELD, VALUE)                                    \
  entry_set(ENTRY, SLUICE_##LAYOUT##_BITS, SLUICE_##LAYOUT##_##FIELD##_MSB, \
            SLUICE_##LAYOUT##_##FIELD##_LSB, (uint64_t)(VALUE))
#define SETS(ENTRY, LAYOUT, ...) (SLUICE_PAIRS(SET, ENTRY, LAYOUT, __VA_ARGS__))

/// A field with its value, as ENTRY_OF lists them.
struct entry_field {
  unsigned msb, lsb;
  uint64_t value;
};
static inline struct entry entry_of(unsigned width, const struct entry_field *fields,
                                    unsigned num) {
  struct entry e = {{0}};
  for (unsigned i = 0; i < num; i++)
    entry_set(&e, width, fields[i].msb, fields[i].lsb, fields[i].value);
  return e;
}
#define ENTRY_FIELD(UNUSED, LAYOUT, FIELD, VALUE) \
  { SLUICE_##LAYOUT##_##FIELD##_MSB, SLUICE_##LAYOUT##_##FIELD##_LSB, (uint64_t)(VALUE) }
#define ENTRY_OF(LAYOUT, ...)                                                              \
  entry_of(SLUICE_##LAYOUT##_BITS,                                                         \
           (const struct entry_field[]){SLUICE_PAIRS(ENTRY_FIELD, , LAYOUT, __VA_ARGS__)}, \
           PAIRS_NUM(__VA_ARGS__))

/// One VLIW slot of an action word.
static inline void entry_slot(struct entry *action, unsigned slot, uint32_t instr) {
  entry_set(action, 625, 25 * slot + 24, 25 * slot, instr);
}

/// Fields of a reconfiguration packet that tests vary.
struct control {
  enum sluice_table table;
  unsigned op, stage, index, row, copy, count, serial;
};

/// Builds the frame; `entries` may be NULL. Returns its length.
static inline size_t control_frame(uint8_t *frame, struct control c, const struct entry *entries,
                                   unsigned num) {
  const unsigned len = (sluice_tables[c.table].bits + 7) / 8, stride = (len + 63) / 64 * 64;
  memset(frame, 0, 64 + (size_t)num * stride);
  frame[12] = 0x81;
  frame[16] = 0x08;
  frame[18] = 0x45;
  frame[27] = 0x11;
  frame[40] = 0xf1;
  frame[41] = 0xf2;
  frame[46] = (uint8_t)(c.stage << 3 | sluice_tables[c.table].module);
  frame[47] = (uint8_t)sluice_tables[c.table].sub;
  frame[48] = (uint8_t)c.index;
  frame[53] = (uint8_t)c.op;
  frame[54] = (uint8_t)c.copy;
  frame[55] = (uint8_t)(c.index >> 8);
  frame[56] = (uint8_t)c.row;
  frame[57] = (uint8_t)c.count;
  sluice_put16(frame + 58, c.serial);
  for (unsigned n = 0; n < num; n++) memcpy(frame + 64 + (size_t)n * stride, entries[n].bytes, len);
  return num ? 64 + (size_t)(num - 1) * stride + len : 64;
}

/// A parse action (also of the deparser): `type` SLUICE_TYPE_*, `metadata` 0 or 1.
static inline unsigned parse_action(unsigned metadata, unsigned offset, unsigned type,
                                    unsigned index) {
  return metadata << 13 | offset << 6 | type << 4 | index << 1 | 1u;
}
static inline void entry_action(struct entry *parser, unsigned n, unsigned action) {
  entry_set(parser, 160, 159 - 16 * n, 144 - 16 * n, action);
}

/// VLIW instructions.
static inline unsigned operand(unsigned type, unsigned index) { return type << 3 | index; }
static inline uint32_t instr(unsigned op, unsigned a, unsigned b) {
  return op << 21 | a << 16 | b << 11;
}
static inline uint32_t instr_imm(unsigned op, unsigned a, unsigned imm) {
  return op << 21 | a << 16 | imm;
}

/// A packet of VLAN `vid`, IPv4 with UDP, the rest a pattern made of `salt`.
static inline void data_frame(uint8_t *frame, unsigned len, unsigned vid, unsigned salt) {
  for (unsigned i = 0; i < len; i++) frame[i] = (uint8_t)(i * 7 + salt);
  frame[12] = 0x81;
  frame[13] = 0x00;
  sluice_put16(frame + 14, vid);
  frame[16] = 0x08;
  frame[17] = 0x00;
  frame[18] = 0x45;
  frame[27] = 0x11;
  frame[40] = 0x12;
}

/// Small random numbers for tests.
static inline uint32_t test_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 32);
}
