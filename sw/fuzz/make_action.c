// SPDX-License-Identifier: Apache-2.0
// Action words: every operation in every slot, legal in any combination.
#include "make.h"

enum { SLOTS = 25, SLOT_BITS = 25 };

#define WORD(FORM, FIELD, VALUE) ((uint32_t)(VALUE) << SLUICE_##FORM##_##FIELD##_LSB)

static void set_slot(uint8_t *entry, unsigned slot, uint32_t word) {
  sluice_entry_set(entry, SLOTS * SLOT_BITS, SLOT_BITS * slot + SLOT_BITS - 1, SLOT_BITS * slot,
                   word);
}

// Slot 0. What it discards is lost for the rest of the way: so this is rare.
static uint32_t metadata_slot(struct make *m) {
  unsigned ports = m->config->NumPorts;
  uint32_t a = WORD(INSTR, A, pick_operand(m)), b = WORD(INSTR, B, pick_operand(m));
  switch (pick(m, 24)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: {
      unsigned dest = ports > 8 ? pick(m, ports) : 1u << pick(m, ports);
      if (chance(m, 10)) dest = pick(m, 256);
      dest = make_egress_dest(m, make_again_dest(m, dest));
      return WORD(INSTR_MD, OP, SLUICE_OP_PORT) | WORD(INSTR_MD, DEST, dest) | pick(m, 1u << 13);
    }
    case 5:
      return WORD(INSTR_MD, OP, SLUICE_OP_DISCARD) | WORD(INSTR_MD, DISCARD, chance(m, 20)) |
             pick(m, 1u << 12);
    case 6:
      return WORD(INSTR, OP, SLUICE_OP_FUNC) | a | b | (m->config->ActionData ? pick(m, 2) : 0);
    case 7: return chance(m, 30) ? WORD(INSTR, OP, SLUICE_OP_FUNCI) | a | b : 0;
    case 8: return chance(m, 30) ? WORD(INSTR, OP, SLUICE_OP_SETHI) | a | b : 0;
    case 9:
      return pick(m, 1u << SLUICE_INSTR_OP_LSB) |
             WORD(INSTR, OP, PICK(m, 1, 2, 6, 7, 8, 9, 10, 11, 14, 15));
    default: return 0;
  }
}

static uint32_t pick_imm(struct make *m) { return pick_value(m) & 0xffff; }

static unsigned draw_function(struct make *m, unsigned op) {
  if (op == SLUICE_OP_FUNCI) return pick(m, 16);
  return chance(m, 97) ? pick(m, SLUICE_FUNC_MOVE + 1) : pick(m, 32);
}

// Function of a FUNC or FUNCI. Without shifters a shift gives 0, and is seldom.
static unsigned pick_function(struct make *m, unsigned op) {
  unsigned f = draw_function(m, op);
  while (sluice_op_shifts(op, f) && !m->config->Shifters && chance(m, 85)) f = draw_function(m, op);
  return f;
}

// Which result an EXT wants. In a chip with multipliers one in three is the product.
static unsigned pick_result(struct make *m, bool back) {
  if (m->config->Multipliers && chance(m, 33)) return SLUICE_EXT_PRODUCT;
  return chance(m, 95) ? pick(m, back ? 8 : 2) : pick_imm(m);
}

static uint32_t alu_slot(struct make *m, bool back) {
  uint32_t a = WORD(INSTR, A, pick_operand(m)), b = WORD(INSTR, B, pick_operand(m));
  switch (pick(m, 16)) {
    case 0: return WORD(INSTR, OP, SLUICE_OP_ADD) | a | b | pick(m, 1u << 11);
    case 1: return WORD(INSTR, OP, SLUICE_OP_SUB) | a | b;
    case 2: return WORD(INSTR, OP, SLUICE_OP_ADDI) | a | pick_imm(m);
    case 3: return WORD(INSTR, OP, SLUICE_OP_SUBI) | a | pick_imm(m);
    case 4: return WORD(INSTR, OP, SLUICE_OP_SET) | a | pick_imm(m);
    case 5:
    case 6:
    case 7:
    case 8:
      return WORD(INSTR_FUNC, OP, SLUICE_OP_FUNC) | a | b |
             WORD(INSTR_FUNC, F, pick_function(m, SLUICE_OP_FUNC)) |
             WORD(INSTR_FUNC, C, pick_operand(m)) |
             (m->config->ActionData ? WORD(INSTR_FUNC, DATA, pick(m, 2)) : 0);
    case 9:
    case 10:
    case 11:
      return WORD(INSTR_FUNCI, OP, SLUICE_OP_FUNCI) | a |
             WORD(INSTR_FUNCI, F, pick_function(m, SLUICE_OP_FUNCI)) | (pick_value(m) & 0xfff);
    case 12: return WORD(INSTR, OP, SLUICE_OP_SETHI) | a | pick_imm(m);
    case 13:
    case 14: return WORD(INSTR, OP, SLUICE_OP_EXT) | a | pick_result(m, back);
    // Nothing that slots but 0 and 16 know: no change.
    default:
      return WORD(INSTR, OP,
                  PICK(m, SLUICE_OP_PORT, SLUICE_OP_DISCARD, SLUICE_OP_NOP_FILL, SLUICE_OP_LOAD,
                       SLUICE_OP_STORE, SLUICE_OP_LOADD)) |
             pick(m, 1u << SLUICE_INSTR_OP_LSB);
  }
}

// The last front stage puts small numbers where the accesses of the back stages look for an index,
// and an egress stage for those behind it: stages first..end-1.
static void index_slots(struct make *m, const struct make_module *module, unsigned first,
                        unsigned end, uint8_t *entry) {
  for (unsigned s = first; s < end; s++) {
    const struct make_segment *segment = &module->segments[s];
    if (!segment->there || segment->index >> SLUICE_OPERAND_KIND_LSB != SLUICE_TYPE_B4 ||
        chance(m, 10))
      continue;
    unsigned mask = 1;
    while (mask + 1 < segment->range && mask < 0x3ff) mask = 2 * mask + 1;
    if (chance(m, 15)) mask = 2 * mask + 1;
    uint32_t word = chance(m, 50) ? WORD(INSTR, OP, SLUICE_OP_EXT)
                                  : WORD(INSTR_FUNCI, OP, SLUICE_OP_FUNCI) |
                                        WORD(INSTR_FUNCI, F, SLUICE_FUNCI_AND) |
                                        WORD(INSTR_FUNCI, A, pick_operand(m)) | (mask & 0x7ff);
    set_slot(entry, 9 + (segment->index & 7), word);
  }
}

void make_multiply(struct make *m, uint8_t *entry) {
  SLUICE_SETS(entry, MULTIPLY, (A, pick_operand(m)), (B, pick_operand(m)));
}

void make_action(struct make *m, const struct make_module *module, unsigned stage, uint8_t *entry) {
  const struct sluice_config *c = m->config;
  const bool holds_state = make_holds_state(m, stage), egress = make_is_egress(m, stage);
  unsigned percent = PICK(m, 5, 15, 30, 60);
  set_slot(entry, 0, egress ? make_egress_slot(m) : metadata_slot(m));
  for (unsigned slot = 1; slot < SLOTS; slot++)
    if (chance(m, percent)) set_slot(entry, slot, alu_slot(m, stage < c->BackStages || egress));
  // Where there are few slots, one of them mostly gives what the state unit made: else that is
  // hardly ever seen.
  const bool few = c->Num2B + c->Num4B + c->Num6B < 8;
  if (few && holds_state && chance(m, 70))
    set_slot(entry, PICK(m, 1, 9, 17),
             WORD(INSTR, OP, SLUICE_OP_EXT) | WORD(INSTR, A, pick_operand(m)) | pick(m, 8));
  if (holds_state && chance(m, 50)) {
    // The index of a pinned access is operand B: mostly where the access looks for it.
    const struct make_segment *segment = &module->segments[stage];
    unsigned b = chance(m, 70) ? segment->index : pick_operand(m);
    set_slot(entry, 16,
             WORD(INSTR, OP, PICK(m, SLUICE_OP_LOAD, SLUICE_OP_STORE, SLUICE_OP_LOADD)) |
                 WORD(INSTR, A, pick_operand(m)) | WORD(INSTR, B, b));
  }
  if (c->FrontStages && stage + 1 == c->BackStages + c->FrontStages)
    index_slots(m, module, 0, c->StateStages, entry);
  if (egress) index_slots(m, module, stage + 1, make_all_stages(m), entry);
}
