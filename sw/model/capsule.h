// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine.h"

// clang-format off
/// Private to sw/model: programs in packets (docs/machine.md, Capsules).
///
///     if (model_capsule_parse(m, packet, phv, &capsule)) {
///       model_capsule_resolve(m, stage, &capsule, access);           // each stage with state
///       model_capsule_step(m, stage, &capsule, phv, access, pair);   // each back stage
///       model_capsule_exit(m, packet, &capsule, result);             // behind the deparser
///     }
///
/// Example: MEM_READ at position 0 of id 7, REGION of 7 there is {LOW 0, HIGH 99, BASE 200, PIPE
/// 1}, and MAR is 40: resolve says pipeline 1, step reads slot 240 there into MBR.
// clang-format on

enum {
  MODEL_CAPSULE_AT = 18,
  MODEL_CAPSULE_ARGS_AT = 28,
  MODEL_CAPSULE_LIST_AT = SLUICE_MODEL_TAKEN_AT,
  MODEL_CAPSULE_LIST = 42
};

/// A capsule on its way: what it was when it came, and its registers.
struct model_capsule {
  uint16_t instr[MODEL_CAPSULE_LIST];  // layout CAPSULE_INSTR
  unsigned length;                     // of the list, with EOF
  bool ended;                          // there is an EOF
  bool own, drop, report;              // the id is the module's; of its TENANT entry
  bool rounds;                         // it may take a further pass, by its TENANT entry
  unsigned entry;                      // of REGION and ADDRESS: bank x ActiveIds + id
  unsigned port;                       // ingress
  uint32_t memory;                     // bit s: position s is a memory instruction
  uint32_t known;  // bit s: the order point knows the address at position s: `address`
  uint32_t address;
  uint32_t source, destination;  // the tuple
  uint16_t source_port, destination_port;
  uint32_t mar, mbr, mbr2, hash[5], data[4];
  bool complete, skip, returned, fault, forked;
  bool later;                    // a round above 0
  uint32_t count, depth, delay;  // LOAD_PKTCOUNT, LOAD_QUEUE, LOAD_QDELAY
  uint16_t jump;                 // the instruction that began the skip
};

/// False: the packet is not executed. `phv` says its module and bank.
bool model_capsule_parse(const struct sluice_model *m, const struct sluice_model_packet *packet,
                         const struct sluice_model_phv *phv, struct model_capsule *c);
/// From the order point on it has this bank.
void model_capsule_bank(const struct sluice_model *m, unsigned bank, struct model_capsule *c);
/// Gives it the count of its id, as one more if that is to be: for each packet of which _parse is
/// true, once, in the order of its lane.
void model_capsule_count(struct sluice_model *m, const struct sluice_model_packet *packet,
                         struct model_capsule *c);
/// Whether a memory instruction takes the place of the stage's state operation, executed or not.
static inline bool model_capsule_has(const struct model_capsule *c, unsigned stage) {
  return c->memory >> stage & 1;
}
/// Resolution at the order point, for a stage with state of which model_capsule_has.
void model_capsule_resolve(const struct sluice_model *m, unsigned stage,
                           const struct model_capsule *c, struct sluice_model_access *access);
/// The instruction of a back stage. `pair`: words before and behind a memory instruction that was
/// executed.
void model_capsule_step(struct sluice_model *m, unsigned stage, struct model_capsule *c,
                        struct sluice_model_phv *phv, struct sluice_model_access *access,
                        struct model_pair pair[2]);
/// For who watches: whether the stage has an instruction of this capsule, with the registers before
/// it; and, behind the step, what it did.
bool model_capsule_show(const struct model_capsule *c, unsigned stage,
                        struct sluice_model_instruction *shown);
void model_capsule_shown(const struct model_capsule *c, const struct sluice_model_access *access,
                         struct sluice_model_instruction *shown);
/// What it writes to the header as the deparser left it, and what is taken out.
void model_capsule_exit(const struct sluice_model *m, const struct sluice_model_packet *packet,
                        const struct model_capsule *c, struct sluice_model_result *result);
/// Whether it is to take a further pass: it is not done, and has a round left. Then what it takes
/// along; what follows is the end of a pass that is not its last one, but if it has forked.
bool model_capsule_more(const struct sluice_model *m, const struct model_capsule *c);
void model_capsule_pause(struct model_capsule *c, struct sluice_model_again *again);
/// The CRC of 20 bytes that HASH gives with polynomial 0..9.
uint16_t model_capsule_hash(unsigned polynomial, const uint32_t hash[5]);
