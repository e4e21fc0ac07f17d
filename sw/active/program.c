// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/status.h"

// ---- opcodes ------------------------------------------------------------------------------------

enum { NUM_OPCODES = 96, A = ACTIVE_MAR, B = ACTIVE_MBR, C = ACTIVE_MBR2 };

// Opcodes that name no register have no row, ADDR_MASK_k and ADDR_OFFSET_k are below.
static const struct {
  uint8_t reads, writes;
} registers[NUM_OPCODES] = {
    [SLUICE_OPCODE_CRET] = {B, 0},
    [SLUICE_OPCODE_CRETI] = {B, 0},
    [SLUICE_OPCODE_SET_DST] = {B, 0},
    [SLUICE_OPCODE_CJUMP] = {B, 0},
    [SLUICE_OPCODE_CJUMPI] = {B, 0},
    [SLUICE_OPCODE_CRTS] = {B, 0},
    [SLUICE_OPCODE_MBR_LOAD] = {0, B},
    [SLUICE_OPCODE_MBR2_LOAD] = {0, C},
    [SLUICE_OPCODE_MAR_LOAD] = {0, A},
    [SLUICE_OPCODE_MBR_STORE] = {B, 0},
    [SLUICE_OPCODE_MBR_EQUALS_MBR2] = {B | C, B},
    [SLUICE_OPCODE_MBR_EQUALS_DATA_0] = {B, B},
    [SLUICE_OPCODE_MBR_EQUALS_DATA_1] = {B, B},
    [SLUICE_OPCODE_MBR_EQUALS_DATA_2] = {B, B},
    [SLUICE_OPCODE_MBR_EQUALS_DATA_3] = {B, B},
    [SLUICE_OPCODE_MAX] = {B | C, B},
    [SLUICE_OPCODE_MIN] = {B | C, B},
    [SLUICE_OPCODE_REVMIN] = {B | C, C},
    [SLUICE_OPCODE_SWAP_MBR_MBR2] = {B | C, B | C},
    [SLUICE_OPCODE_MBR_NOT] = {B, B},
    [SLUICE_OPCODE_MBR_SUBTRACT_MBR2] = {B | C, B},
    [SLUICE_OPCODE_MAR_ADD_MBR] = {A | B, A},
    [SLUICE_OPCODE_MAR_ADD_MBR2] = {A | C, A},
    [SLUICE_OPCODE_MBR_ADD_MBR2] = {B | C, B},
    [SLUICE_OPCODE_MAR_MBR_ADD_MBR2] = {B | C, A},
    [SLUICE_OPCODE_BIT_AND_MAR_MBR] = {A | B, A},
    [SLUICE_OPCODE_BIT_OR_MBR_MBR2] = {B | C, B},
    [SLUICE_OPCODE_COPY_MBR2_MBR] = {B, C},
    [SLUICE_OPCODE_COPY_MBR_MBR2] = {C, B},
    [SLUICE_OPCODE_COPY_MAR_MBR] = {B, A},
    [SLUICE_OPCODE_COPY_MBR_MAR] = {A, B},
    [SLUICE_OPCODE_COPY_HASHDATA_MBR] = {B, 0},
    [SLUICE_OPCODE_COPY_HASHDATA_MBR2] = {C, 0},
    [SLUICE_OPCODE_MEM_WRITE] = {A | B, 0},
    [SLUICE_OPCODE_MEM_READ] = {A, B},
    [SLUICE_OPCODE_MEM_INCREMENT] = {A, B},
    [SLUICE_OPCODE_MEM_MINREAD] = {A | C, B | C},
    [SLUICE_OPCODE_MEM_MINREADINC] = {A | C, B | C},
    [SLUICE_OPCODE_MEM_WRITE_CONDZERO] = {A | B | C, B},
    [SLUICE_OPCODE_HASH] = {0, A},
    [SLUICE_OPCODE_LOAD_SALT] = {0, B},
    [SLUICE_OPCODE_LOAD_QDELAY] = {0, B},
    [SLUICE_OPCODE_LOAD_QUEUE] = {0, B},
    [SLUICE_OPCODE_LOAD_PKTCOUNT] = {0, B},
    [SLUICE_OPCODE_ADDR_MASK] = {A, A},
    [SLUICE_OPCODE_ADDR_OFFSET] = {A, A},
    [SLUICE_OPCODE_MBR_STORE_ALT] = {B, 0},
    [SLUICE_OPCODE_MBR_STORE_ALT2] = {B, 0},
};

bool active_addr(unsigned opcode, unsigned *k) {
  if (opcode < SLUICE_OPCODE_ADDR_MASK_0 || opcode > SLUICE_OPCODE_ADDR_OFFSET_19) return false;
  *k = (opcode - SLUICE_OPCODE_ADDR_MASK_0) / 2;
  return true;
}

struct active_opcode active_opcode(unsigned opcode) {
  struct active_opcode o = {0};
  unsigned k;
  if (opcode >= NUM_OPCODES) return o;
  o.known = true;
  o.memory = opcode >= SLUICE_OPCODE_MEM_WRITE && opcode <= SLUICE_OPCODE_MEM_WRITE_CONDZERO;
  o.jump = opcode == SLUICE_OPCODE_CJUMP || opcode == SLUICE_OPCODE_CJUMPI ||
           opcode == SLUICE_OPCODE_UJUMP;
  o.reads = active_addr(opcode, &k) ? A : registers[opcode].reads;
  o.writes = active_addr(opcode, &k) ? A : registers[opcode].writes;
  return o;
}

// ---- questions about a program ------------------------------------------------------------------

unsigned active_accesses(const struct active_program *p, unsigned positions[ACTIVE_MAX_INSTRS]) {
  unsigned num = 0;
  for (unsigned i = 0; i < p->num; i++)
    if (active_opcode(p->instrs[i].opcode).memory) positions[num++] = i;
  return num;
}

int active_ingress_limit(const struct active_program *p) {
  int last = -1;
  for (unsigned i = 0; i < p->num; i++) {
    const unsigned o = p->instrs[i].opcode;
    if (o == SLUICE_OPCODE_RTS || o == SLUICE_OPCODE_CRTS || o == SLUICE_OPCODE_SET_DST)
      last = (int)i;
  }
  return last;
}

bool active_is_explicit(const struct active_program *p) {
  for (unsigned i = 0; i < p->num; i++) {
    const struct active_instr in = p->instrs[i];
    if (active_numbered(in) &&
        (active_opcode(in.opcode).jump || active_target(in) || in.opcode == SLUICE_OPCODE_HASH))
      return true;
  }
  return false;
}

// The stage of the first access at or behind a position; false: there is none.
static bool next_access(const struct active_program *p, struct active_shape shape, unsigned from,
                        unsigned *stage) {
  for (unsigned i = from; i < p->num; i++)
    if (active_opcode(p->instrs[i].opcode).memory) {
      *stage = active_stage(shape, i);
      return true;
    }
  return false;
}

int active_resolve_addr(struct active_program *p, struct active_shape shape) {
  for (unsigned i = 0, stage; i < p->num; i++) {
    uint8_t *opcode = &p->instrs[i].opcode;
    const bool mask = *opcode == SLUICE_OPCODE_ADDR_MASK;
    if (!mask && *opcode != SLUICE_OPCODE_ADDR_OFFSET) continue;
    if (!next_access(p, shape, i, &stage)) return (int)i;
    *opcode =
        (uint8_t)((mask ? SLUICE_OPCODE_ADDR_MASK_0 : SLUICE_OPCODE_ADDR_OFFSET_0) + 2 * stage);
  }
  return -1;
}

// ---- preloading ---------------------------------------------------------------------------------

static unsigned load_of(unsigned opcode) {
  return opcode == SLUICE_OPCODE_MAR_LOAD    ? ACTIVE_MAR
         : opcode == SLUICE_OPCODE_MBR_LOAD  ? ACTIVE_MBR
         : opcode == SLUICE_OPCODE_MBR2_LOAD ? ACTIVE_MBR2
                                             : 0;
}

struct active_preload active_preload(struct active_program *p, struct active_shape shape) {
  struct active_preload result = {0};
  struct active_program out = {0};
  unsigned named = 0, written = 0, read = 0;
  bool jumped = false;
  // Which ADDR_MASK_k and ADDR_OFFSET_k name the next access: they become placeholders and are
  // resolved again.
  for (unsigned i = 0, k, stage; i < p->num; i++) {
    struct active_instr *in = &p->instrs[i];
    if (active_addr(in->opcode, &k) && next_access(p, shape, i, &stage) && stage == k)
      in->opcode = (in->opcode & 1) == (SLUICE_OPCODE_ADDR_MASK_0 & 1) ? SLUICE_OPCODE_ADDR_MASK
                                                                       : SLUICE_OPCODE_ADDR_OFFSET;
  }
  for (unsigned i = 0; i < p->num; i++) {
    const struct active_instr in = p->instrs[i];
    const struct active_opcode o = active_opcode(in.opcode);
    const unsigned load = load_of(in.opcode);
    if (load && !(named & load) && !jumped && !in.flags) {
      result.loads |= (uint8_t)load;
    } else {
      out.instrs[out.num++] = in;
      read |= o.reads & ~written;
      written |= o.writes;
    }
    if (load & result.loads) written |= load;
    named |= o.reads | o.writes;
    jumped |= o.jump;
  }
  result.preload = result.loads != 0;
  result.hazards = result.preload ? (uint8_t)(read & ~(unsigned)result.loads) : 0;
  (void)active_resolve_addr(&out, shape);
  *p = out;
  return result;
}

// ---- files --------------------------------------------------------------------------------------

unsigned active_to_apo(const struct active_program *p, uint8_t *bytes) {
  for (unsigned i = 0; i < p->num; i++) {
    bytes[2 * i] = p->instrs[i].flags;
    bytes[2 * i + 1] = p->instrs[i].opcode;
  }
  bytes[2 * p->num] = 0;
  bytes[2 * p->num + 1] = SLUICE_OPCODE_EOF;
  return 2 * (p->num + 1);
}

enum sluice_status active_from_apo(struct active_program *p, const uint8_t *bytes, size_t len,
                                   size_t *used, struct sluice_error *error) {
  p->num = 0;
  for (size_t at = 0; at + 2 <= len; at += 2) {
    if (bytes[at + 1] == SLUICE_OPCODE_EOF) {
      if (used) *used = at + 2;
      return SLUICE_OK;
    }
    if (p->num == ACTIVE_MAX_INSTRS)
      return sluice_fail(error, SLUICE_ERR_FULL, "more than %d instructions without EOF",
                         ACTIVE_MAX_INSTRS);
    p->instrs[p->num++] = (struct active_instr){bytes[at], bytes[at + 1]};
  }
  return sluice_fail(error, SLUICE_ERR_FORMAT, "%u instructions and no EOF behind them", p->num);
}

struct active_memidx active_memidx(const struct active_program *p) {
  struct active_memidx m = {.ingress_limit = active_ingress_limit(p)};
  m.num = active_accesses(p, m.positions);
  return m;
}

int active_memidx_print(const struct active_memidx *m, char *text, size_t size) {
  size_t len = 0;
  for (unsigned i = 0; i < m->num; i++)
    len += (size_t)snprintf(len < size ? text + len : NULL, len < size ? size - len : 0, "%s%u",
                            i ? "," : "", m->positions[i]);
  len += (size_t)snprintf(len < size ? text + len : NULL, len < size ? size - len : 0, "\n%d\n",
                          m->ingress_limit);
  return (int)len;
}
