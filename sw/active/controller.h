// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/active.h>

#include "allocator.h"
#include "capsule.h"

/// Gives the memory of a chip to programs in packets while packets flow: an allocator decides, the
/// chip follows. Example: capsules of VLAN 3; `program` says where the packets go.
///
///     struct sluice_controller *c;
///     const struct sluice_controller_options options = {.vid = 3, .block_words = 256};
///     status = sluice_controller_new(&c, chip, program, &options, &error);
///     status = sluice_controller_admit(c, &request, &answer, &error);
///     ... sluice_controller_find(c, fid, &tenant): tenant.range[s] is what its capsules may access
///     status = sluice_controller_release(c, fid, &answer, &error);
///
/// **A change** is done in flips of the module's bank. In one flip everybody's regions change at
/// one moment: a packet sees all of it or nothing.
/// 1. If words go from one program to another: regions lose what they lose (first flip). From then
///    on nobody accesses these words, so they are as the last packet before the flip left them.
/// 2. What residents lose is saved, by one cut of the module if the chip takes cuts.
/// 3. Words that are new to somebody become 0. Nobody can access them.
/// 4. All regions are as planned (second flip, or the only one), and the old bank follows.
/// A word never has two owners, and nobody sees what another one has stored.
///
/// **Failures.** Up to the last flip everything is taken back: tables, words, allocator. Where the
/// chip refuses that, too, the text says so, and the next call begins with it. Behind the last flip
/// the change stands; what is left to do is done by the next call (`behind` of the answer).
///
/// The chip needs two banks (or the entries would change one by one), and state in every back
/// stage. Chip and controller belong to one thread at a time, and no other one sets ids of this
/// module.
///
/// **ADDR_MASK_k and ADDR_OFFSET_k** (`translate`). A stage of the chip holds one k for each
/// program. Here k is the next stage behind it in which the program has words, as an assembler
/// resolves ADDR_MASK and ADDR_OFFSET. The mask is the largest 2^n - 1 of words that the region
/// has, so it folds evenly; the offset its first address. A region of 5,888 words from 256 on has
/// mask 4095 and offset 256.
struct sluice_controller;

struct sluice_controller_options {
  unsigned vid;          // VLAN id of the capsules' module
  unsigned block_words;  // 0: 256
  unsigned words;        // of a stage in each pipeline that are the controller's; 0: all
  bool from_zero;        // programs name their words from 0 on; else as published, see below
  bool drop;             // a packet with a fault is dropped; else it leaves with flag FAULT
  // Entries of ADDRESS are written, so that ADDR_MASK_k and ADDR_OFFSET_k work: see below. They are
  // as many as regions.
  bool translate;
  // Further passes that a program may take, on chips with recirculation; their rate has no limit.
  unsigned rounds;
  struct sluice_allocator_options allocator;
  const struct sluice_alloc *alloc;
  // Of sluice_controller_frame, in units of its `now`.
  uint64_t wait;  // at most so long residents who lose words may take to acknowledge; 0: not at all
  uint64_t dead;  // nobody waits for a client that was silent so long; 0: for everybody
  uint64_t expire;  // sluice_controller_tick lets such a client's program leave; 0: never
};

/// Makes the module: `program` (NULL: one that does nothing) with an array `memory_S` in each stage
/// S, through which state and cuts reach every word. It replaces a module of that VLAN id.
/// An index of state has 16 bits, so on K pipelines at most 65,535 / K words of a stage are used.
/// SLUICE_ERR_RANGE: the chip executes no capsules, has one bank, or a stage without state; the
/// program has arrays.
enum sluice_status sluice_controller_new(struct sluice_controller **c, struct sluice_chip *chip,
                                         const struct sluice_image *program,
                                         const struct sluice_controller_options *options,
                                         struct sluice_error *error) SLUICE_MUST_CHECK;
/// NULL is allowed. The chip keeps what it has.
void sluice_controller_free(struct sluice_controller *c);

/// What a change has done.
struct sluice_controller_answer {
  uint16_t fid, version;
  unsigned num_accesses, position[SLUICE_MEMORY_ACCESSES], stage[SLUICE_MEMORY_ACCESSES];
  unsigned length, passes;  // of the mutant
  unsigned moved;           // residents who lost words
  unsigned flips;
  bool saved, by_cut;  // there are snapshots; all of one ticket, in chips with cuts
  uint32_t ticket;
  unsigned zeroed;   // words that were not 0
  unsigned entries;  // of TENANT and REGION, written
  bool behind;       // the bank that no packet sees is not up to date yet
};
/// SLUICE_ERR_FULL: it does not fit, the text says why. SLUICE_ERR_RANGE: an id that the chip does
/// not have, that is here already or another module's, an impossible request. `answer` may be NULL.
enum sluice_status sluice_controller_admit(struct sluice_controller *c,
                                           const struct sluice_memory_request *request,
                                           struct sluice_controller_answer *answer,
                                           struct sluice_error *error) SLUICE_MUST_CHECK;
enum sluice_status sluice_controller_release(struct sluice_controller *c, uint16_t fid,
                                             struct sluice_controller_answer *answer,
                                             struct sluice_error *error) SLUICE_MUST_CHECK;

/// A resident. Addresses of a region: as published the numbers of its words in their stage, in one
/// pipeline, or (sharded) over all, where word w is in pipeline w mod K. With `from_zero` 0 to
/// last - first.
struct sluice_controller_tenant {
  uint16_t fid, version;
  struct {
    bool valid, sharded;
    uint32_t first, last;  // addresses, inclusive
    unsigned pipeline;
  } range[CAPSULE_STAGES];
};
/// False: it is not here.
bool sluice_controller_find(const struct sluice_controller *c, uint16_t fid,
                            struct sluice_controller_tenant *tenant);
/// Ascending.
const uint16_t *sluice_controller_tenants(const struct sluice_controller *c, unsigned *num);
const struct sluice_allocator *sluice_controller_allocator(const struct sluice_controller *c);

/// The words of a region that was made smaller or moved, as they were then: values[i] is what
/// address first + i held. Until the next one of the same fid and stage, or its departure.
struct sluice_controller_snapshot {
  uint16_t version;  // that the words are of
  uint32_t first, num;
  const uint32_t *values;
};
/// False: there is none.
bool sluice_controller_snapshot(const struct sluice_controller *c, uint16_t fid, unsigned stage,
                                struct sluice_controller_snapshot *snapshot);

// ---- the published protocol ---------------------------------------------------------------------

/// Where answers go: into the switch, as if they had come in at the controller's port.
typedef void sluice_controller_send(void *user, const uint8_t *frame, size_t len);

/// A frame that came to the controller. Nothing but the frame, `now` (in any unit, never smaller
/// than before) and the calls before decide what is answered.
/// - REQUEST: decided, and echoed to its sender. With EXTRA (ours) it says which accesses can be
///   spread over all pipelines. While another one waits it is not echoed; clients
///   repeat it. Without demands it is a release; of id 255 it releases everybody.
/// - POLL: answered with ALLOCATED, 160 bytes of ranges, and the version in the sequence number; or
///   with PENDING; or with neither: refused, or unknown.
/// - POLL and EXTRA (ours): answered with words that were saved when the tenant lost some of them,
///   from the place on that the question names.
/// - REMAPPED and ACK: the tenant has saved what it wants to save. Not answered.
/// Who is concerned by somebody else's request hears of it unasked, if the controller knows its
/// address from an earlier frame: before the change (`wait`) ALLOCATED and REMAPPED with the
/// version that ends, after it ALLOCATED with the new one. SLUICE_ERR_FORMAT: no capsule. Others:
/// the chip failed. A refusal is no error.
enum sluice_status sluice_controller_frame(struct sluice_controller *c, const uint8_t *frame,
                                           size_t len, uint64_t now, sluice_controller_send *send,
                                           void *user,
                                           struct sluice_error *error) SLUICE_MUST_CHECK;
/// Time has passed: carries out what need not wait any longer, and lets go who has been silent for
/// `expire`.
enum sluice_status sluice_controller_tick(struct sluice_controller *c, uint64_t now,
                                          sluice_controller_send *send, void *user,
                                          struct sluice_error *error) SLUICE_MUST_CHECK;
/// Whether a change waits for residents, so that the next tick may carry it out.
bool sluice_controller_waits(const struct sluice_controller *c);
/// The sentence of the last refusal of a frame; "" if there was none.
const char *sluice_controller_reason(const struct sluice_controller *c);
