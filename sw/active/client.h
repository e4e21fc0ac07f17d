// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capsule.h"
#include "mutate.h"

/// What an application on a host links to run programs in the switch: it asks for memory, moves its
/// programs to the stages that it gets, puts them in front of its packets, and follows when its
/// memory moves. Example: a cache, which looks into three stages at the same index.
///
///     struct active_client *c;
///     const struct active_client_options options = {
///         .fid = 7, .shape = ACTIVE_SHAPE, .address = {...}, .gateway = {...},
///         .link = &link, .on_state = changed, .on_packet = came, .user = me};
///     status = active_client_new(&c, &options, &error);
///     status = active_client_program(c, &look, &error);     // the first one asks for the memory
///     status = active_client_program(c, &store, &error);    // the others go to the same stages
///     active_client_request(c, now);
///     for (;;) {
///       active_client_step(c, now);           // frames that have come, and what time brings
///       if (active_client_ready(c)) {
///         active_client_common(c, &first, &num);            // indices that all stages have
///         struct active_args args = {{first + hash % num, k0, k1}};
///         active_client_send(c, 0, &args, ip, len, &error);
///       }                                     // else the packet goes as it is, to the server
///     }
///     active_client_release(c, now);
///
/// The client has no clock and no thread: `now` is in any unit and never smaller than before. It
/// sends through a link and never waits. Its answers may be lost, doubled or late; what it sends is
/// sent again until there is an answer.
///
/// **States** (those of the published client in brackets)
///
///     IDLE                   nothing was asked for
///     REQUESTED [allocating] the request is sent every `again` until the switch echoes it
///     WAITING [initializing] the controller is polled every `again`
///     ACTIVE [transmitting]  programs are sent
///     SAVING [snapshotting]  memory is about to be taken: the application reads what it wants
///                            to keep, then calls active_client_saved; packets travel plain
///     MOVING [remapping]     the acknowledgement is sent every `again` until there is a new
///                            version
///     FILLING [updating]     there is a new version: with `snapshots` the words that were lost
///                            come first; then the application writes what it wants, and calls
///                            active_client_filled. Without `fills` it is ACTIVE at once
///     REFUSED                there is no memory; active_client_request asks again
///     RELEASING [deallocating], RELEASED
///     LOST                   the controller does not know the tenant any more, or has not answered
///                            for `patience`; active_client_request asks again
///
/// A frame of a published controller does the same as one of ours. What ours has beside it: a poll
/// every `alive`, so that a lost message is noticed and the tenant is not taken for dead, accesses
/// that are spread over all pipelines, and snapshots over frames.
struct active_client;

enum active_client_state {
  ACTIVE_IDLE,
  ACTIVE_REQUESTED,
  ACTIVE_WAITING,
  ACTIVE_ACTIVE,
  ACTIVE_SAVING,
  ACTIVE_MOVING,
  ACTIVE_FILLING,
  ACTIVE_REFUSED,
  ACTIVE_RELEASING,
  ACTIVE_RELEASED,
  ACTIVE_LOST,
  ACTIVE_NUM_STATES
};
/// "idle", "requested", ...
const char *active_client_state_name(enum active_client_state state);

/// Where frames go and come from (apps/link.h has TAP devices, interfaces and captures).
struct active_link {
  void *self;
  /// False: it was not taken. A frame that is lost is sent again.
  bool (*send)(void *self, const uint8_t *frame, size_t len);
  /// The next frame; 0: none is there. Does not wait.
  size_t (*receive)(void *self, uint8_t *frame, size_t room);
};

/// A program of the client. Access i of the first program is access `as[i]` of the memory that is
/// asked for: i itself. The others use the stages of accesses of the first one: a program that
/// writes the second word has `num_as` 1 and as[0] = 1. num_as 0: its accesses are 0, 1, 2, ...
struct active_client_program {
  const struct active_program *program;  // copied; as it is written
  bool preload;                          // send it with PRELOAD (active_preload says so)
  unsigned num_as;
  uint8_t as[CAPSULE_DEMANDS];
};

/// A snapshot, or a part of it: `num` words that were at address `address` and behind it, in the
/// stage of access `access` of version `version`.
struct active_client_words {
  unsigned access;
  uint16_t version;
  uint32_t address, num;
  const uint32_t *values;
};

struct active_client_options {
  uint16_t fid;
  struct active_shape shape;    // of the chip
  struct active_shape written;  // for which the programs were written; stages 0: as `shape`
  unsigned passes;              // that a program may take; 0: 1
  // Ethernet addresses: of this host, where programs go, where requests go (all 0: also there, and
  // the switch knows them by their flags).
  uint8_t address[6], gateway[6], controller[6];
  bool tagged;  // frames have a VLAN tag (behind a trunk)
  uint16_t tci;
  uint8_t demand[CAPSULE_DEMANDS];  // blocks of each access of the first program; 1: elastic
  bool sharded[CAPSULE_DEMANDS];    // its address is an argument: all pipelines may share the work
  struct active_link *link;
  bool snapshots;  // words that were lost are asked for (our controllers)
  bool saves;      // SAVING waits for active_client_saved; else it is passed at once
  bool fills;      // FILLING waits for active_client_filled
  // Times, in the unit of `now`. again 0: 100, microseconds as published. patience, alive 0: never.
  uint64_t again, patience, alive;
  // All may be NULL. They may call the client.
  void (*on_state)(void *user, struct active_client *client, enum active_client_state before);
  /// A program that came back (kind DONE or PROGRAM), or a packet for this host that is no capsule
  /// (capsule NULL). `inner` is the IPv4 packet; of others the frame.
  void (*on_packet)(void *user, struct active_client *client, const struct capsule *capsule,
                    const uint8_t *inner, size_t len);
  void (*on_words)(void *user, struct active_client *client,
                   const struct active_client_words *words);
  void *user;
  const struct sluice_alloc *alloc;
};

enum { ACTIVE_CLIENT_PROGRAMS = 8 };

/// SLUICE_ERR_RANGE: impossible options.
SLUICE_MUST_CHECK enum sluice_status active_client_new(struct active_client **client,
                                                       const struct active_client_options *options,
                                                       struct sluice_error *error);
/// NULL is allowed. Nobody is told: release first.
void active_client_free(struct active_client *client);
/// A program with the number 0, 1, ... SLUICE_ERR_RANGE: the memory was asked for already, an
/// access that the first one does not have. SLUICE_ERR_FULL: there are ACTIVE_CLIENT_PROGRAMS.
SLUICE_MUST_CHECK enum sluice_status active_client_program(
    struct active_client *client, const struct active_client_program *program,
    struct sluice_error *error);

/// Asks for memory: from IDLE, REFUSED, RELEASED or LOST. SLUICE_ERR_RANGE: another state, or no
/// program.
SLUICE_MUST_CHECK enum sluice_status active_client_request(struct active_client *client,
                                                           uint64_t now,
                                                           struct sluice_error *error);
/// Gives the memory back, from any state.
void active_client_release(struct active_client *client, uint64_t now);
/// Ends SAVING and FILLING; nothing in other states.
void active_client_saved(struct active_client *client, uint64_t now);
void active_client_filled(struct active_client *client, uint64_t now);

/// Takes what the link has, then does what is due.
void active_client_step(struct active_client *client, uint64_t now);
/// The same for one frame; false: it was not for this client.
bool active_client_frame(struct active_client *client, const uint8_t *frame, size_t len,
                         uint64_t now);
void active_client_tick(struct active_client *client, uint64_t now);

enum active_client_state active_client_state(const struct active_client *client);
static inline bool active_client_ready(const struct active_client *client) {
  return active_client_state(client) == ACTIVE_ACTIVE;
}
/// Why the last thing went wrong; "".
const char *active_client_reason(const struct active_client *client);
uint16_t active_client_version(const struct active_client *client);

/// Where access `access` of the first program is. False: nowhere.
struct active_client_range {
  unsigned stage;
  uint32_t first, last;  // addresses, inclusive
  bool sharded;
};
bool active_client_range(const struct active_client *client, unsigned access,
                         struct active_client_range *range);
/// Addresses that are the program's in all its stages: what a program uses that looks into several
/// of them at one index. num 0: none.
void active_client_common(const struct active_client *client, uint32_t *first, uint32_t *num);
/// A program as it was moved; NULL: there is no memory, or no such program.
const struct active_program *active_client_moved(const struct active_client *client,
                                                 unsigned program);

/// Sends program `program` in front of an IPv4 packet. In ACTIVE, SAVING, MOVING and FILLING: that
/// is also how an application reads and writes its words. SLUICE_ERR_RANGE: another state, or no
/// such program. SLUICE_ERR_FULL: too long. SLUICE_ERR_IO: the link did not take it.
SLUICE_MUST_CHECK enum sluice_status active_client_send(struct active_client *client,
                                                        unsigned program,
                                                        const struct active_args *args,
                                                        const uint8_t *ip, size_t len,
                                                        struct sluice_error *error);
/// Sends an IPv4 packet without a program, at any time.
SLUICE_MUST_CHECK enum sluice_status active_client_plain(struct active_client *client,
                                                         const uint8_t *ip, size_t len,
                                                         struct sluice_error *error);

/// What has happened so far.
struct active_client_counts {
  uint64_t requests, polls, acks, questions;  // sent, repetitions included
  uint64_t programs, plain;                   // sent
  uint64_t back, faults;                      // programs that came back; those with flag FAULT
  uint64_t strange;                           // frames that make no sense
  uint64_t moves;                             // new versions
};
const struct active_client_counts *active_client_counts(const struct active_client *client);
