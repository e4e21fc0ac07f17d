// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/transport.h>

#include "../driver/wire/wire.h"
#include "../model/checker.h"

/// A simulated chip as a transport that tells the monitors of each access, so that the reference is
/// configured as the chip is. An answer on the control port is compared with the reference's.
///
///     m->chip = pins;                                       // the transport to the chip itself
///     if (!monitored_open(m, config, &hooks)) ...           // m->to is the transport with
///     monitors in each cycle: tell m->checker what is seen, and count m->cycle and m->seen
///     monitored_close(m);
struct monitored {
  // Of the caller.
  struct sluice_transport chip;
  bool served;  // clients do what they want: answers of table STATE are compared here
  bool playing;
  // Of who shows the cycles.
  uint64_t cycle;  // since reset
  struct monitored_seen {
    uint64_t events;             // of any kind: the sign of progress
    uint64_t arrived, disposed;  // packets; their difference waits for the order point
    unsigned depth, deepest;     // of the order queues: now, ever
    /// Beats on the wires: sent by each output lane since the first one, and how many of them when
    /// the last beat came in.
    struct monitored_wires {
      uint64_t start, end;  // cycles of the window: first beat out, last beat in
      uint64_t sent[16], in_window[16];
    } wire;
    /// Cycles in which a wire showed no beat though its packet had begun and not ended; packets
    /// that have some; most of them in a row.
    struct monitored_gaps {
      bool open[16], counted[16];  // a packet has begun; it is counted
      uint64_t run[16];            // cycles, up to now
      uint64_t cycles, packets, longest;
    } gaps;
  } seen;
  /// A packet has left its deparser. May be NULL.
  void (*exit)(void *user, uint32_t ticket);
  void *user;
  // Read by all.
  struct sluice_transport to;
  const struct sluice_config *config;
  struct sluice_checker *checker;
  struct sluice_checker_hooks hooks;
  bool refused;                        // the last write of a register was answered SLVERR
  bool moved;                          // CHIP.MOVE_PERIOD has been something else than 0
  unsigned control_good, control_bad;  // as the reference has it
  uint64_t answers;                    // to control packets, compared
  uint64_t differences;                // before the last reset
  char difference[400];                // the first of them
  // Private: since the last reset.
  struct monitored_since {
    bool ready;      // CHIP.STATUS has said so
    bool fill_sent;  // a FILL, since the chip was seen to have counted all
    bool cut_raced;  // CHIP.CUT was written since the last control packet was sent
    uint32_t counted_good, counted_bad;  // as the chip has counted
    uint32_t ecn_queue, ecn_lane;        // as written
    uint32_t merge[3];                   // registers MERGE, as written: lanes, key, idle
    // The last control packet.
    struct sluice_model_answer expected;  // len 0: none
    enum { ASKED_NOTHING, ASKED_CUT, ASKED_TAKE, ASKED_COUNT } asked;
    uint8_t frame[64];  // its beginning, if it asked for something
    size_t frame_len;
    uint64_t begin;  // cycle in which it was sent
    bool is_marks;   // the checker knows the answer
    bool is_state;   // of table STATE or STATE_ROW
    // It was of the state of an egress stage, and no packet of its row was inside: so many had come
    bool is_still;
    unsigned still_row;
    uint64_t still_seen;
  } since;
  struct sluice_answer answer;  // what the chip said to it
};

/// False: out of memory. `chip` and `served` are set before.
bool monitored_open(struct monitored *m, const struct sluice_config *config,
                    const struct sluice_checker_hooks *hooks);
/// The chip is as new, and so are the monitors; what they had to say is kept. False: out of memory.
bool monitored_again(struct monitored *m);
/// One that is zeroed is allowed.
void monitored_close(struct monitored *m);

/// Waits until the chip has counted every control packet that was sent.
enum sluice_status monitored_wait_counted(struct monitored *m, struct sluice_error *error);
/// Waits until all of them have taken effect and fills are done, and compares the counts with the
/// reference's.
enum sluice_status monitored_wait_control(struct monitored *m, struct sluice_error *error);
/// Sends a control packet, whatever is in it, and receives its answer if it has one.
enum sluice_status monitored_control(struct monitored *m, const uint8_t *bytes, size_t len,
                                     struct sluice_error *error);

/// Every wait here is bounded: a register is read so often, or so many cycles pass, until what was
/// waited for counts as failed.
enum { MONITORED_PATIENCE = 200000 };
