// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TB_CAPSULE_MODEL_H
#define SLUICE_TB_CAPSULE_MODEL_H

/// What a capsule is and what one stage makes of it, written from docs/machine.md, Capsules. For
/// block tests; resolution is the caller's business.

#include <stdbool.h>
#include <stdint.h>

#include "sluice_back_unit/stage_model.h"

enum { MAX_STAGES = 20, MAX_IDS = 2048, CRCS = 10 };

/// As carried_t. An instruction is {LABEL, NUMBERED, TARGET, OPCODE[6:0]}.
struct capsule {
  bool valid, known, drop, report, preload, complete, skip, skip_numbered, returned, fault;
  bool first_fault, forked;
  unsigned id, length, skip_label, late;
  uint32_t mar, mbr, mbr2, hash[5], data[4], src, dst;
  unsigned sport, dport;
  uint32_t count, delay, depth;
  unsigned ops[MAX_STAGES];
};

static inline unsigned capsule_opcode(unsigned op) { return op & 0x7f; }
static inline bool capsule_target(unsigned op) { return op >> 7 & 1; }
static inline bool capsule_numbered(unsigned op) { return op >> 8 & 1; }
static inline unsigned capsule_label(unsigned op) { return op >> 9 & 0x3f; }
static inline bool capsule_is_memory(unsigned op) {
  return capsule_opcode(op) >= SLUICE_OPCODE_MEM_WRITE &&
         capsule_opcode(op) <= SLUICE_OPCODE_MEM_WRITE_CONDZERO;
}

/// A field by its number in tb/capsule.svh.
static inline long long field_of(const struct capsule *c, int field, int i) {
  switch (field) {
    case 0: return c->valid;
    case 1: return c->known;
    case 2: return c->drop;
    case 3: return c->report;
    case 4: return c->preload;
    case 5: return c->id;
    case 6: return c->length;
    case 7: return c->complete;
    case 8: return c->skip;
    case 9: return c->skip_numbered;
    case 10: return c->skip_label;
    case 11: return c->returned;
    case 12: return c->fault;
    case 13: return c->late;
    case 14: return c->mar;
    case 15: return c->mbr;
    case 16: return c->mbr2;
    case 17: return c->hash[i];
    case 18: return c->data[i];
    case 19: return c->src;
    case 20: return c->dst;
    case 21: return c->sport;
    case 22: return c->dport;
    case 24: return c->first_fault;
    case 25: return c->forked;
    case 26: return c->count;
    case 27: return c->delay;
    case 28: return c->depth;
    default: return c->ops[i];
  }
}

/// What stands late in registers is done (capsule_late_e).
static inline void capsule_finish(struct capsule *c) {
  if (c->late == 1 && c->mbr < c->mbr2) c->mbr2 = c->mbr;
  if (c->late == 2) c->mbr = c->mbr ? c->mbr2 - c->mbr : 0;
  c->late = 0;
}

// ---- hash
static inline uint32_t mirrored(uint32_t v, int bits) {
  uint32_t r = 0;
  for (int i = 0; i < bits; i++) r |= (v >> i & 1) << (bits - 1 - i);
  return r;
}

/// Bit by bit; the start value is that of the register before it is mirrored.
static inline unsigned crc_bitwise(unsigned number, const uint8_t *bytes, int count) {
  static const struct {
    uint16_t poly;
    bool reflected;
    uint16_t start, final;
  } crcs[CRCS] = {{0x8005, true, 0, 0},           {0x8005, false, 0, 0},
                  {0x8005, false, 0x800d, 0},     {0x0589, false, 0x0001, 0x0001},
                  {0x3d65, true, 0xffff, 0xffff}, {0x3d65, false, 0xffff, 0xffff},
                  {0x1021, false, 0, 0xffff},     {0x8005, true, 0xffff, 0xffff},
                  {0x1021, true, 0xffff, 0},      {0x1021, true, 0x554d, 0}};
  unsigned n = number < CRCS ? number : CRCS - 1;
  unsigned crc = crcs[n].reflected ? mirrored(crcs[n].start, 16) : crcs[n].start;
  for (int i = 0; i < count; i++)
    for (int b = 0; b < 8; b++) {
      unsigned bit = crcs[n].reflected ? bytes[i] >> b & 1 : bytes[i] >> (7 - b) & 1;
      bool out = (crc >> 15) ^ bit;
      crc = (crc << 1 & 0xffff) ^ (out ? crcs[n].poly : 0);
    }
  if (crcs[n].reflected) crc = mirrored(crc, 16);
  return crc ^ crcs[n].final;
}

static inline unsigned capsule_hash(unsigned number, const uint32_t hash[5]) {
  uint8_t bytes[20];
  for (int i = 0; i < 20; i++) bytes[i] = hash[i / 4] >> (24 - 8 * (i % 4));
  return crc_bitwise(number, bytes, 20);
}

// ---- one stage
struct capsule_stage {
  int stage, pipe, sets;        // sets: log2 of their number
  bool state, late_slot;        // late_slot: sharded slots are found at the stage (NO_PHANTOMS)
  struct bits region, address;  // of its id and bank
  bool granted;                 // a resolved access ...
  int slot;                     // ... of a region that was sharded; -1: pinned
  int port_in;
  bool recirculates, later;  // the chip does; the packet's round is above 0
};

struct capsule_effect {
  bool op, refused;  // a state operation; a fault that counts
  int slot;
  bool dest, drop;  // destination := port; discard flag := 1
  int port;
};

/// Where a word of the region is; false: out of bounds.
static inline bool capsule_place(const struct model *m, const struct capsule_stage *s,
                                 uint32_t address, bool sharded, int *slot) {
  const uint64_t low = GET(&s->region, REGION_LOW), high = GET(&s->region, REGION_HIGH);
  if (!GET(&s->region, REGION_VALID) || address < low || address > high) return false;
  const uint64_t word = address - low, k = m->shape.pipes >> s->sets,
                 at = GET(&s->region, REGION_BASE) + (sharded ? word / k : word);
  *slot = (int)at;
  return at < (uint64_t)m->shape.slots;
}

static inline bool capsule_memory(struct model *m, const struct capsule_stage *s, struct capsule *c,
                                  unsigned opcode, int *at) {
  const bool sharded = GET(&s->region, REGION_SHARDED);
  if (!s->state || !c->known || !s->granted) return false;
  if (!s->late_slot && (s->slot < 0) == sharded) return false;
  *at = s->slot;
  if ((!sharded || s->late_slot) && !capsule_place(m, s, c->mar & 0xfffff, sharded, at))
    return false;
  uint32_t *word = &m->mem[s->pipe][*at][0];
  switch (opcode) {
    case SLUICE_OPCODE_MEM_WRITE: *word = c->mbr; break;
    case SLUICE_OPCODE_MEM_READ: c->mbr = *word; break;
    case SLUICE_OPCODE_MEM_INCREMENT: c->mbr = *word += 1; break;
    case SLUICE_OPCODE_MEM_MINREAD:
      c->mbr = *word;
      if (c->mbr < c->mbr2) c->mbr2 = c->mbr;
      break;
    case SLUICE_OPCODE_MEM_MINREADINC:
      c->mbr = *word += 1;
      if (c->mbr < c->mbr2) c->mbr2 = c->mbr;
      break;
    case SLUICE_OPCODE_MEM_WRITE_CONDZERO:
      if (c->mbr && *word == 0) {
        *word = c->mbr2;
        c->mbr = 0;
      } else if (c->mbr) {
        c->mbr = c->mbr2 - *word;
      }
      break;
  }
  return true;
}

static inline uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

/// The instruction of the stage. Nothing may be late.
static inline struct capsule_effect capsule_step(struct model *m, const struct capsule_stage *s,
                                                 struct capsule *c) {
  struct capsule_effect e = {.op = false};
  const unsigned op = c->ops[0], opcode = capsule_opcode(op);
  const uint32_t mbr = c->mbr, mbr2 = c->mbr2;
  for (int i = 0; i + 1 < MAX_STAGES; i++) c->ops[i] = c->ops[i + 1];
  c->ops[MAX_STAGES - 1] = 0;
  if (!c->valid || c->complete) return e;
  if (c->skip) {
    if (capsule_target(op) && capsule_numbered(op) == c->skip_numbered &&
        (!c->skip_numbered || capsule_label(op) == c->skip_label))
      c->skip = false;
    return e;
  }
  if (capsule_is_memory(op)) {
    if (capsule_memory(m, s, c, opcode, &e.slot)) {
      e.op = true;
    } else {
      c->first_fault |= c->known && !c->fault;
      c->fault = true;
      e.refused = s->state;
      e.drop = c->drop && c->known;
    }
    return e;
  }
  bool jump = false, rts = false;
  switch (opcode) {
    case SLUICE_OPCODE_RETURN: c->complete = true; break;
    case SLUICE_OPCODE_CRET: c->complete = mbr != 0; break;
    case SLUICE_OPCODE_CRETI: c->complete = mbr == 0; break;
    case SLUICE_OPCODE_DROP: e.drop = true; break;
    case SLUICE_OPCODE_FORK: c->forked |= s->recirculates; break;
    case SLUICE_OPCODE_LOAD_PKTCOUNT: c->mbr = c->count; break;
    case SLUICE_OPCODE_LOAD_QDELAY:
      if (s->later) c->mbr = c->delay;
      break;
    case SLUICE_OPCODE_LOAD_QUEUE:
      if (s->later) c->mbr = c->depth;
      break;
    case SLUICE_OPCODE_SET_DST:
      e.dest = true;
      e.port = mbr & 0xff;
      break;
    case SLUICE_OPCODE_CJUMP: jump = mbr != 0; break;
    case SLUICE_OPCODE_CJUMPI: jump = mbr == 0; break;
    case SLUICE_OPCODE_UJUMP: jump = true; break;
    case SLUICE_OPCODE_RTS: rts = true; break;
    case SLUICE_OPCODE_CRTS: rts = mbr != 0; break;
    case SLUICE_OPCODE_MBR_LOAD: c->mbr = c->data[1]; break;
    case SLUICE_OPCODE_MBR2_LOAD: c->mbr2 = c->data[2]; break;
    case SLUICE_OPCODE_MAR_LOAD: c->mar = c->data[0] & 0xfffff; break;
    case SLUICE_OPCODE_MBR_STORE: c->data[3] = mbr; break;
    case SLUICE_OPCODE_MBR_STORE_ALT: c->data[1] = mbr; break;
    case SLUICE_OPCODE_MBR_STORE_ALT2: c->data[2] = mbr; break;
    case SLUICE_OPCODE_MBR_EQUALS_MBR2: c->mbr ^= mbr2; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_0: c->mbr ^= c->data[0]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_1: c->mbr ^= c->data[1]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_2: c->mbr ^= c->data[2]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_3: c->mbr ^= c->data[3]; break;
    case SLUICE_OPCODE_MAX: c->mbr = mbr > mbr2 ? mbr : mbr2; break;
    case SLUICE_OPCODE_MIN: c->mbr = lesser(mbr, mbr2); break;
    case SLUICE_OPCODE_REVMIN: c->mbr2 = lesser(mbr, mbr2); break;
    case SLUICE_OPCODE_SWAP_MBR_MBR2:
      c->mbr = mbr2;
      c->mbr2 = mbr;
      break;
    case SLUICE_OPCODE_MBR_NOT: c->mbr = ~mbr; break;
    case SLUICE_OPCODE_MBR_SUBTRACT_MBR2: c->mbr = mbr - mbr2; break;
    case SLUICE_OPCODE_MAR_ADD_MBR: c->mar += mbr; break;
    case SLUICE_OPCODE_MAR_ADD_MBR2: c->mar += mbr2; break;
    case SLUICE_OPCODE_MBR_ADD_MBR2: c->mbr = mbr + mbr2; break;
    case SLUICE_OPCODE_MAR_MBR_ADD_MBR2: c->mar = mbr + mbr2; break;
    case SLUICE_OPCODE_BIT_AND_MAR_MBR: c->mar &= mbr; break;
    case SLUICE_OPCODE_BIT_OR_MBR_MBR2: c->mbr |= mbr2; break;
    case SLUICE_OPCODE_COPY_MBR2_MBR: c->mbr2 = mbr; break;
    case SLUICE_OPCODE_COPY_MBR_MBR2: c->mbr = mbr2; break;
    case SLUICE_OPCODE_COPY_MAR_MBR: c->mar = mbr; break;
    case SLUICE_OPCODE_COPY_MBR_MAR: c->mbr = c->mar; break;
    case SLUICE_OPCODE_COPY_HASHDATA_MBR: c->hash[0] = mbr; break;
    case SLUICE_OPCODE_COPY_HASHDATA_MBR2: c->hash[1] = mbr2; break;
    case SLUICE_OPCODE_HASH:
      c->mar = capsule_hash(
          capsule_numbered(op) ? capsule_label(op) & 0xf : (unsigned)s->stage % 10, c->hash);
      break;
    case SLUICE_OPCODE_LOAD_SALT: c->mbr = 0x5093; break;
    case SLUICE_OPCODE_LOAD_TCP_5TUPLE:
      c->hash[0] = c->src;
      c->hash[1] = c->dst;
      c->hash[2] = 6;
      c->hash[3] = c->sport;
      c->hash[4] = c->dport;
      break;
  }
  const unsigned k = (opcode - SLUICE_OPCODE_ADDR_MASK_0) / 2;
  if (opcode >= SLUICE_OPCODE_ADDR_MASK_0 && opcode <= SLUICE_OPCODE_ADDR_OFFSET_19 && s->state &&
      c->known && GET(&s->address, ADDRESS_VALID) && GET(&s->address, ADDRESS_K) == k) {
    if (opcode & 1) c->mar += GET(&s->address, ADDRESS_OFFSET);
    else c->mar &= GET(&s->address, ADDRESS_MASK);
  }
  if (jump) {
    c->skip = true;
    c->skip_numbered = capsule_numbered(op);
    c->skip_label = capsule_label(op);
  }
  if (rts) {
    c->returned = true;
    e.dest = true;
    e.port = s->port_in;
  }
  return e;
}

#endif
