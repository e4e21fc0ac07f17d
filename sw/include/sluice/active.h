// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_ACTIVE_H
#define SLUICE_ACTIVE_H

#include <sluice/chip.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Capsules, packets with programs (docs/machine.md, Capsules), in chips that execute them
/// (parameter Active; sluice_chip_info.active_ids is not 0). Example: capsules of VLAN 3 with id 7
/// get words 0 to 99 of stage 2, in pipeline 1 from slot 200 on.
///
///     // before sluice_chip_apply or sluice_chip_update_plan
///     status = sluice_plan_active(plan, 3, true, &error);
///     const struct sluice_active_tenant id = {.valid = true, .report = true};
///     const struct sluice_active_region words = {
///         .valid = true, .pipe = 1, .high = 99, .base = 200};
///     status = sluice_chip_tenant_set(chip, 3, 0, 7, &id, &error);
///     status = sluice_chip_region_set(chip, 3, 0, 7, 2, &words, &error);
///
/// `bank` says for packets of which bank of the module it is: 0, or 1 in a chip with two banks. An
/// entry is written whole, and read back (unless SLUICE_VERIFY_COUNT). Who writes them knows which
/// slots are free: they are no part of the plan, a change of modules and an audit leave them alone,
/// and no call compares them with arrays. Errors are those of all calls about a chip;
/// SLUICE_ERR_UNSUPPORTED: the chip executes no capsules; SLUICE_ERR_NOT_FOUND: no module has this
/// VLAN id; SLUICE_ERR_BUSY: packets of the bank, which the module has left, are inside;
/// SLUICE_ERR_RANGE also: no such id, bank or stage with state, or a field is larger than it can
/// be. When a call fails the entry holds what it held or what was to be written.

/// An id of capsules: which module it belongs to, and what happens at a fault.
struct sluice_active_tenant {
  bool valid;
  bool drop;     // the packet is discarded
  bool report;   // it leaves with flag FAULT
  unsigned row;  // overlay row of the module: what _get gives; _set takes that of the VLAN id
  // Further passes of a packet, up to 255, in chips with recirculation (docs/tm.md)
  unsigned rounds;
};
SLUICE_MUST_CHECK enum sluice_status sluice_chip_tenant_set(
    struct sluice_chip *chip, unsigned vid, unsigned bank, unsigned id,
    const struct sluice_active_tenant *tenant, struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_chip_tenant_get(struct sluice_chip *chip, unsigned bank,
                                                            unsigned id,
                                                            struct sluice_active_tenant *tenant,
                                                            struct sluice_error *error);
/// Of the ids first..first+num-1, with as few questions as that takes.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_tenants_get(struct sluice_chip *chip,
                                                             unsigned bank, unsigned first,
                                                             unsigned num,
                                                             struct sluice_active_tenant *tenants,
                                                             struct sluice_error *error);

/// Words of a stage that capsules of an id may access: addresses low..high, from slot `base` on, in
/// one pipeline or (sharded) spread over its set.
struct sluice_active_region {
  bool valid, sharded;
  unsigned pipe;
  uint32_t low, high;  // of 20 bits
  unsigned base;
};
SLUICE_MUST_CHECK enum sluice_status sluice_chip_region_set(
    struct sluice_chip *chip, unsigned vid, unsigned bank, unsigned id, unsigned stage,
    const struct sluice_active_region *region, struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_chip_region_get(struct sluice_chip *chip, unsigned bank,
                                                            unsigned id, unsigned stage,
                                                            struct sluice_active_region *region,
                                                            struct sluice_error *error);

/// What ADDR_MASK_k and ADDR_OFFSET_k do in a stage.
struct sluice_active_address {
  bool valid;
  unsigned k;             // 0..31
  uint32_t mask, offset;  // of 20 bits
};
SLUICE_MUST_CHECK enum sluice_status sluice_chip_address_set(
    struct sluice_chip *chip, unsigned vid, unsigned bank, unsigned id, unsigned stage,
    const struct sluice_active_address *address, struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_chip_address_get(struct sluice_chip *chip,
                                                             unsigned bank, unsigned id,
                                                             unsigned stage,
                                                             struct sluice_active_address *address,
                                                             struct sluice_error *error);

/// Entries that are set from now on are kept, and sent together by _send, or when they are many:
/// for a bus on which an answer takes long. Example: 44 entries take the time of 44 frames and of
/// some answers, not of 130. Between the two, _set of this header is all that may be called. If
/// _send fails, or a _set, each entry since _gather holds what it held or what was to be written.
void sluice_chip_active_gather(struct sluice_chip *chip);
SLUICE_MUST_CHECK enum sluice_status sluice_chip_active_send(struct sluice_chip *chip,
                                                             struct sluice_error *error);

/// Capsules of an id that had a fault, since the chip was reset and whoever had the id, modulo
/// 2^32; one counts once, however many accesses it has, and whether or not it is dropped for it.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_capsule_faults(struct sluice_chip *chip,
                                                                unsigned id, uint32_t *faults,
                                                                struct sluice_error *error);

/// Packets of the module that arrive from now on take its other bank, whose entries here were
/// written before: all of them at one moment (docs/banks.md). Both banks are alike in everything
/// else. Returns when no packet of the bank before is inside. Then that bank can be written.
/// *flipped: it is done, whatever the call returns; if false after SLUICE_ERR_IO it may be unknown,
/// and sluice_chip_active_settle finds out. `drain_cycles` may be NULL. SLUICE_ERR_UNSUPPORTED: the
/// chip has one bank; SLUICE_ERR_NOT_FOUND: no module has this VLAN id.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_active_flip(struct sluice_chip *chip, unsigned vid,
                                                             bool *flipped, uint32_t *drain_cycles,
                                                             struct sluice_error *error);
/// Finishes what calls before have left undone: afterwards sluice_chip_bank is what packets take,
/// and no packet of another bank is inside.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_active_settle(struct sluice_chip *chip,
                                                               struct sluice_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
