// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

#include "interpreter.h"

/// Capsules in frames (layouts CAPSULE, CAPSULE_ARGS, CAPSULE_INSTR, CAPSULE_REQUEST,
/// CAPSULE_RANGE).
///
///     struct capsule c;
///     status = capsule_read(&c, frame, len, &error);
///     if (!status && c.kind == CAPSULE_IS_PROGRAM)
///       ... c.program.num, c.args.data[0], frame + c.inner ...
///
/// In the frames of a Sluice chip the initial header begins at byte 18, behind an 802.1Q tag:
///
///     0-11 addresses   12-13 8100   14-15 TCI   16-17 83b2   18 initial header   28 arguments
///     44 instructions, EOF   then the IPv4 packet, without an EtherType of its own
///
/// Without a tag 83b2 stands in bytes 12-13, and all behind it four bytes earlier.

enum {
  CAPSULE_ETHERTYPE = 0x83b2,
  CAPSULE_SIGNATURE = 0x12345678,
  CAPSULE_STAGES = 20,    // entries of an answer
  CAPSULE_DEMANDS = 8,    // entries of a request
  CAPSULE_NO_LIMIT = 255  // ingress limit of a request: none
};

/// Flags by name. A field of several bits is not here: that is `request` of struct capsule.
enum {
  CAPSULE_ARGS = 0x8000,
  CAPSULE_EXTRA = 0x4000,
  CAPSULE_RESET_SEQ = 0x2000,
  CAPSULE_RTS = 0x1000,
  CAPSULE_MARKED = 0x0800,
  CAPSULE_INITIATED = 0x0400,
  CAPSULE_ACK = 0x0200,
  CAPSULE_DONE = 0x0100,
  CAPSULE_FAULT = 0x0080,
  CAPSULE_REMAPPED = 0x0040,
  CAPSULE_POLL = 0x0020,
  CAPSULE_REQUEST = 0x0010,
  CAPSULE_ALLOCATED = 0x0008,
  CAPSULE_PENDING = 0x0004,
  CAPSULE_LEADER = 0x0002,
  CAPSULE_PRELOAD = 0x0001
};
/// What follows the initial header; the first row that is true.
enum capsule_kind {
  CAPSULE_IS_REQUEST,  // flags 5:4 are 1: a request, or the echo of one
  CAPSULE_IS_WORDS,    // they are 2, and EXTRA: words that were saved, or the question for them
  CAPSULE_IS_ANSWER,   // they are 2, and ALLOCATED: 20 ranges
  CAPSULE_IS_POLL,     // they are 2: nothing
  CAPSULE_IS_DONE,     // DONE: the arguments, if flag ARGS says so
  CAPSULE_IS_PROGRAM,  // else: arguments, instructions, EOF
};

struct capsule_request {
  uint16_t length;        // instructions of the program
  uint8_t ingress_limit;  // CAPSULE_NO_LIMIT: none
  unsigned num;           // accesses that have a demand; 0: this is a release
  uint8_t position[CAPSULE_DEMANDS];
  uint8_t demand[CAPSULE_DEMANDS];  // blocks; 1: elastic
  // Ours, with flag EXTRA: the address of access i is an argument of the packet, so its words may
  // be spread over all pipelines (bit 7 of its position).
  bool sharded[CAPSULE_DEMANDS];
};
struct capsule_range {
  uint32_t first, last;  // inclusive; 0, 0: none
  bool sharded;          // ours: spread over all pipelines (bit 31 of first)
};
/// Ours: words of a region that the controller saved before it took some of them away. A question
/// names the stage, and where to begin: `first` counts from the beginning of the region. The answer
/// has ALLOCATED; in one that has nothing to say `total` is 0.
///
///     bytes 0 stage   1 zero   2-3 how many words are wanted, or follow   4-7 first   8-9 version
///     10-13 all words of the region   14-17 address of its first word   18- the words
enum { CAPSULE_WORDS = 64 };
struct capsule_words {
  uint8_t stage;
  uint16_t num, version;
  uint32_t first, total, address;
  uint32_t word[CAPSULE_WORDS];
};

struct capsule {
  uint8_t addresses[12];  // Ethernet: destination, source
  bool tagged;
  uint16_t tci;
  uint16_t flags, fid, seq;
  enum capsule_kind kind;
  struct active_args args;
  struct active_program program;
  struct capsule_request request;
  struct capsule_range ranges[CAPSULE_STAGES];
  struct capsule_words words;
  size_t inner;  // where the IPv4 packet begins; the length of the frame if there is none
};

/// Whether a frame has the EtherType of capsules, with or without a tag.
bool capsule_is(const uint8_t *frame, size_t len);
/// Reads a frame. SLUICE_ERR_FORMAT: no capsule, cut short, another signature, no EOF.
SLUICE_MUST_CHECK enum sluice_status capsule_read(struct capsule *capsule, const uint8_t *frame,
                                                  size_t len, struct sluice_error *error);
/// Writes one in front of `inner`, the IPv4 packet. `kind` is what the flags say. `capsule->inner`
/// is not used. SLUICE_ERR_FULL: it does not fit.
SLUICE_MUST_CHECK enum sluice_status capsule_write(const struct capsule *capsule,
                                                   const uint8_t *inner, size_t inner_len,
                                                   uint8_t *frame, size_t size, size_t *len,
                                                   struct sluice_error *error);
/// The kind that flags say.
enum capsule_kind capsule_kind(uint16_t flags);
/// The request for the memory of a program. Without `demand`: a release.
/// SLUICE_ERR_RANGE: more than eight accesses, or a demand of 0.
SLUICE_MUST_CHECK enum sluice_status capsule_ask(struct capsule_request *request,
                                                 const struct active_memidx *memidx,
                                                 unsigned length, const uint8_t *demand,
                                                 struct sluice_error *error);

/// A chip looks at the first bytes of a frame only: `reach` of those below.
enum { CAPSULE_REACH = 128, CAPSULE_REACH_ALL = 1 << 20, CAPSULE_SHORTEST = 64 };

/// What the interpreter wants to know: of the capsule, and of the frame around it. `packet` keeps
/// its port, counters and budget. Addresses and ports are what stands at bytes 12..23 of the inner
/// packet, whatever it is; bytes that are not there, or out of reach, are 0.
void capsule_to_run(const struct capsule *capsule, const uint8_t *frame, size_t len, size_t reach,
                    struct active_capsule *run, struct active_packet *packet);
/// The frame that leaves: instructions that were executed are taken out, DONE and FAULT are set,
/// addresses are swapped, the inner ones if they are within reach; then it is filled up to 64 bytes
/// with zeros. SLUICE_ERR_FULL: it does not fit; `size` should be 2 bytes more than the frame had.
SLUICE_MUST_CHECK enum sluice_status capsule_leave(const struct capsule *capsule,
                                                   const uint8_t *frame, size_t frame_len,
                                                   size_t reach,
                                                   const struct active_leaving *leaving,
                                                   uint8_t *out, size_t size, size_t *len,
                                                   struct sluice_error *error);
/// "MARKED", ... of one bit; "" of the bits of the field REQUEST.
const char *capsule_flag_name(uint16_t flag);
