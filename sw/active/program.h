// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/status.h>
#include <stdbool.h>
#include <stdint.h>

#include "../base/layouts.h"

/// Programs of capsules (docs/active.md): the packets of ActiveRMT that carry instructions.
///
/// The instruction at position 0 runs in stage 0, the next one in stage 1, and so on. A program
/// that is longer than the chip goes through it again. In the cache program of 10 instructions,
/// positions 0, 3 and 7 read memory, so it needs memory in stages 0, 3 and 7.

enum { ACTIVE_MAX_INSTRS = 128, ACTIVE_ADDR_STAGES = 20 };

/// An instruction as it stands in the packet, layout CAPSULE_INSTR.
struct active_instr {
  uint8_t flags;  // byte 0: LABEL [7:2], NUMBERED [1], TARGET [0]
  uint8_t opcode;
};

/// A program without the EOF behind it.
struct active_program {
  unsigned num;
  struct active_instr instrs[ACTIVE_MAX_INSTRS];
};

static inline bool active_target(struct active_instr i) { return i.flags & 1; }
static inline bool active_numbered(struct active_instr i) { return i.flags & 2; }
static inline unsigned active_label(struct active_instr i) { return i.flags >> 2; }

/// Which description a machine follows where they differ (interpreter.h).
enum active_rules {
  ACTIVE_RULES_PUBLISHED,  // the published switch
  ACTIVE_RULES_CHIP,       // docs/machine.md, Capsules
};
/// Which stage executes a position. The chip of Sluice goes through all its stages in every pass:
/// position 23 is stage 3 of the second pass. The published switch repeats its egress stages only
/// (`again` 10): there position 23 is stage 13, also in the second pass.
struct active_shape {
  unsigned stages;   // of a pass, 1..20
  unsigned again;    // the first stage of every pass but the first
  unsigned ingress;  // published: positions below are ingress
  enum active_rules rules;
};
#define ACTIVE_SHAPE ((struct active_shape){20, 0, 20, ACTIVE_RULES_CHIP})
#define ACTIVE_SHAPE_PUBLISHED ((struct active_shape){20, 10, 10, ACTIVE_RULES_PUBLISHED})

static inline unsigned active_stage(struct active_shape s, unsigned position) {
  return position < s.stages ? position : s.again + (position - s.stages) % (s.stages - s.again);
}
/// Counted from 0.
static inline unsigned active_pass(struct active_shape s, unsigned position) {
  return position < s.stages ? 0 : 1 + (position - s.stages) / (s.stages - s.again);
}

// ---- opcodes ------------------------------------------------------------------------------------

enum { ACTIVE_MAR = 1, ACTIVE_MBR = 2, ACTIVE_MBR2 = 4 };

/// What an opcode does, beyond its name: sluice_value_name("OPCODE", opcode).
struct active_opcode {
  bool known;   // one of the 96
  bool memory;  // accesses the memory of its stage
  bool jump;
  uint8_t reads, writes;  // registers, as a set of ACTIVE_MAR, ACTIVE_MBR, ACTIVE_MBR2
};
struct active_opcode active_opcode(unsigned opcode);
/// Whether it is ADDR_MASK_k or ADDR_OFFSET_k; then k.
bool active_addr(unsigned opcode, unsigned *k);

// ---- questions about a program ------------------------------------------------------------------

/// Positions of the memory accesses, in order. Returns how many there are.
unsigned active_accesses(const struct active_program *program,
                         unsigned positions[ACTIVE_MAX_INSTRS]);
/// Position of the last RTS, CRTS or SET_DST, the ingress limit of a request; -1: none.
int active_ingress_limit(const struct active_program *program);
/// Whether it uses our form: a jump, a target or a HASH that is NUMBERED.
bool active_is_explicit(const struct active_program *program);

/// ADDR_MASK and ADDR_OFFSET become ADDR_MASK_k and ADDR_OFFSET_k, where k is the stage of the next
/// memory access. -1: done, else the position of one that has no access behind it.
int active_resolve_addr(struct active_program *program, struct active_shape shape);

/// Takes out the first MAR_LOAD, MBR_LOAD and MBR2_LOAD whose register nothing before it names: the
/// flag PRELOAD does their work. The flag loads all three registers.
///
///     MAR_LOAD MEM_READ ...     becomes     MEM_READ ..., with PRELOAD
///
/// A load that is a target of a jump, or that a jump before it can skip, stays.
struct active_preload {
  bool preload;     // something was taken out: send the capsule with PRELOAD
  uint8_t loads;    // registers whose loads were taken out
  uint8_t hazards;  // other registers that are read before they are written: they begin with their
                    // argument now, no longer with 0
};
/// ADDR_MASK_k and ADDR_OFFSET_k that named the stage of the next access follow it.
struct active_preload active_preload(struct active_program *program, struct active_shape shape);

// ---- files --------------------------------------------------------------------------------------

/// .apo: two bytes an instruction, EOF behind the last. `bytes` has room for 2 * (num + 1).
/// Returns how many bytes there are.
unsigned active_to_apo(const struct active_program *program, uint8_t *bytes);
/// Instructions up to EOF. `used`, if not NULL, gets the bytes read, EOF included.
/// SLUICE_ERR_FORMAT: no EOF before the end. SLUICE_ERR_FULL: more than ACTIVE_MAX_INSTRS.
SLUICE_MUST_CHECK enum sluice_status active_from_apo(struct active_program *program,
                                                     const uint8_t *bytes, size_t len, size_t *used,
                                                     struct sluice_error *error);

/// .memidx.csv: the positions of the accesses in one line, the ingress limit in the next.
///
///     0,3,7
///     7
struct active_memidx {
  unsigned num;
  unsigned positions[ACTIVE_MAX_INSTRS];
  int ingress_limit;  // -1: none
};
struct active_memidx active_memidx(const struct active_program *program);
/// Returns the length, as snprintf does.
int active_memidx_print(const struct active_memidx *memidx, char *text, size_t size);
