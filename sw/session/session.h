// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/chip.h>

#include "../base/rng.h"
#include "../lib/capture.h"
#include "../lib/deal.h"

/// Packets of a source go through a chip that a transport reaches, and what leaves it goes to a
/// capture.
///
///     struct session s = {.to = &to, .config = config, .hooks = hooks, .user = ...};
///     SLUICE_TRY(session_open(&s, error));   // the chip is configured: cycles count from here
///     SLUICE_TRY(session_begin(&s, error));  // the first packet is about to come
///     while (...) SLUICE_TRY(session_take(&s, bytes, len, time_ns, port, error));
///     SLUICE_TRY(session_end(&s, error));  // all have left
///
/// A chip with time (`timed`) gets packets as fast as its lanes take them, some ahead, and cycles
/// pass in turns. With `load` below 1 or `ns_per_cycle` each has its cycle, and none goes in before
/// it (packet_send_at). The model has none: a packet has left before the next one comes, with its
/// time stamp.
///
/// Who has packets of its own (hosts, the ports of a live switch, a board) takes the parts:
///
///     struct session s = {.to = &to, .config = config, .user = ..., .hooks.left = ...};
///     SLUICE_TRY(session_put(&s, port, bytes, len, error));
///     SLUICE_TRY(session_pass(&s, 64, error));  // cycles pass; hooks.left is told what left
///
/// In this tree nothing else moves packets through a chip (sw/tests/cli/engines.sh).
struct session_hooks {
  /// Of a chip with time: the cycle, modulo 2^32; whether packets are inside.
  enum sluice_status (*now)(void *user, uint32_t *cycle, struct sluice_error *error);
  enum sluice_status (*inside)(void *user, bool *some, struct sluice_error *error);
  /// After each turn, or packet. NULL: nothing is to be done there.
  enum sluice_status (*step)(void *user, struct sluice_error *error);
  /// Of a chip without time: what became of a packet; first->len 0: nothing left. May be NULL.
  enum sluice_status (*fate)(void *user, const uint8_t *bytes, size_t len,
                             const struct sluice_packet_out *first, struct sluice_error *error);
  /// Cycles are about to pass: packets that come by themselves are put now. May be NULL.
  enum sluice_status (*feed)(void *user, uint64_t cycles, struct sluice_error *error);
  /// A copy has left, and is the hook's to change. May be NULL.
  enum sluice_status (*left)(void *user, struct sluice_packet_out *p, struct sluice_error *error);
  /// The comment of the copy that leaves (pcapng). NULL: none.
  void (*comment)(void *user, char *text, size_t size);
};
enum { SESSION_TURN = 64, SESSION_COMMENT = 200 };

struct session_kept;
struct session {
  // Of the caller.
  struct sluice_transport *to;
  const struct sluice_config *config;
  struct sluice_chip *chip;  // what leaves at its CPU port is an event, and not seen here; or NULL
  struct session_hooks hooks;
  void *user;
  const char *out;  // capture of what leaves; NULL: none
  bool by_flow;     // packets without a port go to the lane of their flow's hash
  bool timed;
  // Of a chip with time: cycles' worth of packets that a lane has waiting outside; cycles of a turn
  // in which a packet waits for room; whether packets are kept outside until there is room, so that
  // session_let has some; seconds until it fails, 0: none.
  unsigned ahead, turn;
  bool keeps;
  // Below 1: behind each packet its wire rests, in gaps of random length (`seed`), so that it is
  // busy for this share of the time.
  double load;
  uint64_t seed;
  // Above 0: a packet goes in when its time stamp says, counted from that of the first one.
  double ns_per_cycle;
  double limit;
  // Counted.
  uint64_t packets, bytes, copies, copy_bytes, cycles;
  double seconds;  // from begin to end
  // Private.
  struct sluice_deal deal;
  struct sluice_capture_writer *writer;
  bool comments;
  struct sluice_packet_out packet;
  struct session_kept *first, *last;
  uint64_t backlog[16];  // beats of a wire that had no cycle yet
  uint32_t cycle;        // when they were counted
  struct sluice_rng gaps;
  double due[16];  // with a cycle of their own: when the next packet of a wire may begin
  uint64_t first_ns, last_ns;
  double start;
};

SLUICE_MUST_CHECK enum sluice_status session_open(struct session *s, struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status session_begin(struct session *s, struct sluice_error *error);
/// A frame with its VLAN tag. `port` -1: at no port in particular.
SLUICE_MUST_CHECK enum sluice_status session_take(struct session *s, const uint8_t *bytes,
                                                  size_t len, uint64_t time_ns, int port,
                                                  struct sluice_error *error);
/// Lets time pass, in which packets go on.
SLUICE_MUST_CHECK enum sluice_status session_let(struct session *s, uint64_t cycles,
                                                 struct sluice_error *error);
/// Until all have left; finishes the capture. Also of one that has not begun.
SLUICE_MUST_CHECK enum sluice_status session_end(struct session *s, struct sluice_error *error);
/// Hands a packet to the chip: to wait outside for its lane, or not before CHIP.CYCLES is `cycle`.
SLUICE_MUST_CHECK enum sluice_status session_put(struct session *s, unsigned port,
                                                 const uint8_t *bytes, size_t len,
                                                 struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status session_put_at(struct session *s, unsigned port,
                                                    uint32_t cycle, const uint8_t *bytes,
                                                    size_t len, struct sluice_error *error);
/// Something else has put a packet of so many bytes into a port.
void session_note(struct session *s, unsigned port, size_t len);
/// Feeds, lets cycles pass, and collects.
SLUICE_MUST_CHECK enum sluice_status session_pass(struct session *s, uint64_t cycles,
                                                  struct sluice_error *error);
/// What has left so far.
SLUICE_MUST_CHECK enum sluice_status session_collect(struct session *s, struct sluice_error *error);
/// Beats that wait outside for the lanes of a port; of all ports.
uint64_t session_waits(const struct session *s, unsigned port);
uint64_t session_waits_all(const struct session *s);
/// Frees what was kept.
void session_release(struct session *s);
