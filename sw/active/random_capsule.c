// SPDX-License-Identifier: Apache-2.0
#include "random_capsule.h"

static unsigned below(struct sluice_rng *rng, unsigned n) {
  return (unsigned)sluice_rng_below(rng, n);
}

// An opcode other than EOF. Of 32: memory 8, jumps 3, what ends or sends 2, any of 255 bytes 1, the
// rest computes.
static uint8_t opcode(struct sluice_rng *rng) {
  static const uint8_t sends[] = {SLUICE_OPCODE_RETURN,  SLUICE_OPCODE_CRET, SLUICE_OPCODE_CRETI,
                                  SLUICE_OPCODE_DROP,    SLUICE_OPCODE_FORK, SLUICE_OPCODE_RTS,
                                  SLUICE_OPCODE_SET_DST, SLUICE_OPCODE_CRTS};
  const unsigned kind = below(rng, 32);
  if (kind < 8) return (uint8_t)(SLUICE_OPCODE_MEM_WRITE + below(rng, 6));
  if (kind < 11) return (uint8_t)(SLUICE_OPCODE_CJUMP + below(rng, 3));
  if (kind < 13) return sends[below(rng, sizeof sends)];
  if (kind < 14) return (uint8_t)(1 + below(rng, 255));
  if (kind < 16) return (uint8_t)(SLUICE_OPCODE_ADDR_MASK_0 + below(rng, 2 * ACTIVE_ADDR_STAGES));
  if (kind < 18) return (uint8_t)(SLUICE_OPCODE_MBR_STORE_ALT + below(rng, 2));
  return (uint8_t)(SLUICE_OPCODE_MBR_LOAD +
                   below(rng, SLUICE_OPCODE_LOAD_PKTCOUNT - SLUICE_OPCODE_MBR_LOAD + 1));
}

// Byte 0 in one of three forms: as the published assembler makes it, explicit with four labels,
// any.
static uint8_t flags(struct sluice_rng *rng, unsigned form, uint8_t op) {
  const struct active_opcode o = active_opcode(op);
  const bool target = below(rng, 4) == 0;
  if (form == 2) return (uint8_t)sluice_rng_next(rng);
  if (form == 0) return o.jump || target;
  if (op == SLUICE_OPCODE_HASH) return (uint8_t)(below(rng, 16) << 2 | 2);
  if (!o.jump && !target) return 0;
  return (uint8_t)(below(rng, 4) << 2 | 2u | (target ? 1u : 0));
}

void active_random(struct sluice_rng *rng, const struct active_random *options,
                   struct active_capsule *c) {
  const unsigned kind = below(rng, 8), form = kind < 3 ? 0 : kind < 7 ? 1 : 2;
  c->fid = below(rng, 64) ? 1 + below(rng, options->fids) : below(rng, 65536);
  c->preload = below(rng, 2);
  for (unsigned i = 0; i < 4; i++)
    c->args.data[i] = below(rng, 8) ? (uint32_t)sluice_rng_below(rng, 2 * (uint64_t)options->words)
                                    : (uint32_t)sluice_rng_next(rng);
  c->program.num = below(rng, options->most + 1);
  for (unsigned i = 0; i < c->program.num; i++) {
    const uint8_t op = i == 0 && below(rng, 2) ? (uint8_t)SLUICE_OPCODE_MAR_LOAD : opcode(rng);
    c->program.instrs[i] = (struct active_instr){flags(rng, form, op), op};
  }
}
