// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/status.h>
#include <stdbool.h>
#include <stdint.h>

#include "crc.h"
#include "program.h"

/// Runs one capsule after the other on one pipeline. It is written from the description of the
/// instructions alone, so that the chip and the reference model can be compared with it.
///
///     struct active_machine m;
///     status = active_machine_init(&m, ACTIVE_SHAPE, 4096, 16, &error);
///     *active_machine_region(&m, 1, 3) = active_region_physical(0, 1023);
///     active_run(&m, &capsule, &packet, &result);
///     ... result.leaving[0].args.data[3], m.memory[3 * m.words + 7] ...
///     active_machine_release(&m);
///
/// The capsule
///  - Positions are executed one after the other, each in its stage (active_stage). Behind the last
///    stage of a pass the next pass begins, if the budget allows it; else the capsule leaves with
///    the instructions that it still has.
///  - RETURN and EOF end a program: it leaves with DONE and without instructions. DROP drops the
///    packet at the end of its pass; the instructions behind it are executed.
///  - FORK: at the end of its pass the original leaves as it is then, and the copy goes on in the
///    next pass. If there is no next pass, FORK has no effect.
/// Memory
///  - An access with low <= MAR[19:0] <= high touches word (MAR + offset) mod 2^20 of its stage.
///  - Any other access is a fault: it does nothing (MBR stays), and drops the packet if the tenant
///    says so. So is one whose word the stage does not have.
///  - In a sharded region the address must be known before the program runs: it is DATA_0, from
///    PRELOAD or MAR_LOAD on, up to an instruction that may change MAR. A MAR_LOAD behind a jump
///    does not count. An access with another address is a fault.
///  - MEM_WRITE_CONDZERO with MBR = 0 touches nothing, and is no fault if the published rules hold.
/// Skips
///  - While a skip is pending nothing is executed. The target ends it and is itself skipped. The
///    end of the program also ends it.
///  - The skip of a NUMBERED jump ends at a NUMBERED TARGET with the same LABEL, that of another
///    jump at a TARGET. A jump within a skip that has TARGET is one.
///
/// Where the rules differ:
///
///     published                                    chip
///     a skip that is not NUMBERED ends at any      at one that is not NUMBERED
///       TARGET
///     LOAD_TCP_5TUPLE in ingress only; addresses   everywhere, as the packet arrived
///       as they are
///     RTS swaps addresses in ingress, twice: back  always, once
///     SET_DST: MBR[8:0]                            MBR[7:0]
///     LOAD_QDELAY, LOAD_QUEUE in egress only       in passes behind the first
///     FORK: addresses as they are                  the copy begins as if it had come with those
///                                                    that the original left with
///     EOF takes a position                         not behind the last stage of a pass
///     a FID that is not there: not executed        executed, its accesses are faults

/// What a program may do in one stage.
struct active_region {
  bool valid;          // it has memory here
  bool sharded;        // spread over pipelines by the address
  uint32_t low, high;  // addresses that it may use, inclusive, of 20 bits
  uint32_t offset;     // added to them
  uint32_t mask, add;  // what ADDR_MASK_k and ADDR_OFFSET_k of this stage do; nothing if not valid
};
/// Words first..last of a stage, which the program names by their own numbers, as published.
/// ADDR_MASK_k keeps the bits of last - first, ADDR_OFFSET_k adds first.
struct active_region active_region_physical(uint32_t first, uint32_t last);
/// The same words, which the program names 0..last-first. ADDR_OFFSET_k adds nothing.
struct active_region active_region_virtual(uint32_t first, uint32_t last);

/// A program or tenant.
struct active_tenant {
  bool drop;        // a fault drops the packet
  bool report;      // a packet with a fault leaves with flag FAULT
  uint64_t faults;  // so far
};

struct active_machine {
  struct active_shape shape;
  uint32_t words;  // of a stage
  unsigned num_fids;
  uint32_t *memory;               // word w of stage s: [s * words + w]
  struct active_region *regions;  // of fid f in stage s: [f * shape.stages + s]
  struct active_tenant *tenants;  // by FID
};
/// SLUICE_ERR_RANGE: no such shape. SLUICE_ERR_NOMEM.
SLUICE_MUST_CHECK enum sluice_status active_machine_init(struct active_machine *machine,
                                                         struct active_shape shape, uint32_t words,
                                                         unsigned num_fids,
                                                         struct sluice_error *error);
void active_machine_release(struct active_machine *machine);
/// NULL: there is no such FID or stage.
struct active_region *active_machine_region(struct active_machine *machine, unsigned fid,
                                            unsigned stage);

struct active_args {
  uint32_t data[4];
};
struct active_capsule {
  unsigned fid;
  bool preload;
  struct active_args args;
  struct active_program program;
};
/// What instructions can ask about the packet around the capsule.
struct active_packet {
  unsigned port;          // of arrival
  uint32_t source, dest;  // IPv4 addresses
  uint16_t sport, dport;
  uint32_t count;  // packets of the FID, this one included
  uint32_t queue_delay, queue_depth;
  unsigned budget;  // passes that it may have, 1..ACTIVE_MAX_PASSES
};

enum { ACTIVE_MAX_PASSES = 64 };
enum active_end {
  ACTIVE_END_RETURN,
  ACTIVE_END_EOF,
  ACTIVE_END_DROP,    // the program's DROP
  ACTIVE_END_FAULT,   // dropped for a fault
  ACTIVE_END_BUDGET,  // no pass left
  ACTIVE_END_FORK,    // an original of FORK
  ACTIVE_END_NO_FID,  // not executed
};
/// A packet that leaves.
struct active_leaving {
  enum active_end end;
  bool dropped, done;
  bool has_port;  // the program has set the port, else the switch decides
  unsigned port;
  bool swapped;       // source and destination addresses have changed places, Ethernet and IPv4
  bool fault;         // flag FAULT of the capsule: there was a fault, and the tenant reports it
  unsigned consumed;  // instructions that are taken out of the packet; all of them if done
  struct active_args args;
};
struct active_registers {
  uint32_t mar, mbr, mbr2, h[ACTIVE_NUM_HASH];
};
struct active_result {
  unsigned num_leaving;  // 1, and one more for every FORK that had an effect
  struct active_leaving leaving[ACTIVE_MAX_PASSES];  // the last one is the packet itself
  struct active_registers registers;
  unsigned passes, executed, skipped, accesses, faults;
};

/// A position of a run, for a trace: called behind each.
struct active_step {
  unsigned position, pass, stage;
  struct active_instr instr;  // of EOF: 0, 0
  bool skipped;
  bool fault;
  bool access;  // `word` of the stage was accessed, `before` and `after` are its values
  uint32_t word, before, after;
  struct active_registers registers;
  struct active_args args;
};
typedef void active_trace(const struct active_step *step, void *user);

/// `trace` may be NULL.
void active_run(struct active_machine *machine, const struct active_capsule *capsule,
                const struct active_packet *packet, struct active_result *result,
                active_trace *trace, void *user);
/// "RETURN", "EOF", ...
const char *active_end_name(enum active_end end);
