// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model.h"
#include "second.h"

/// The monitors around a chip: they see every beat that enters and leaves, and its probes, run the
/// model in the one legal order (computed here, from the beats: arrival time, then lane), and
/// compare everything. The chip's word is taken for load alone: LANE_FULL, BUFFER_FULL, GAVE_WAY,
/// OVERLOAD, OUTPUT_FULL, and congestion marks; and for which of two entries a key found while one
/// of them was being written (sluice_checker_keys).
///
///     struct sluice_checker *ck = sluice_checker_open(config, NULL);
///     sluice_checker_control(ck, cycle, frame, len, NULL);   // each frame for the control port
///     sluice_checker_ready(ck, cycle);                       // CHIP.STATUS says ready
///     // in each cycle, for what happened in it, in this order:
///     //   _rx, _bank, _dealt, _lane, _order, _cut, _state_mark, _state, _exit, _copy, _tx, _cycle
///     // at the end: _state_entry for every entry read back, _finish, _report
///
/// `cycle` counts rising edges since reset was released, from 0; it is what the chip calls arrival
/// time. The first difference is kept as text; later ones are only counted. Calls never fail: out
/// of memory is a difference like any other (field "memory").
struct sluice_checker;

/// One output copy, complete. `bytes` live during the call.
struct sluice_checker_sent {
  uint64_t cycle, number, ticket;
  // of the last beat in, of the copy's first beat out: their difference is the latency
  uint64_t arrival, first_cycle;
  unsigned port, len, row, round;
  unsigned stream;  // fast ports: that of its first beat
  const uint8_t *bytes;
};

/// A packet at the moment of its admission. Pointers live during the call.
struct sluice_checker_admitted {
  uint64_t cycle, arrival, number, ticket;
  unsigned lane, row;
  const struct sluice_model_packet *packet;
  const struct sluice_model_phv *phv;  // at the order point
  const struct sluice_model_result *result;
};

/// A packet that is dropped, by whoever drops it. row is -1 if no module can be named.
struct sluice_checker_dropped {
  uint64_t cycle, arrival, number;
  unsigned lane, reason, len;
  int row;
};

/// Called as things happen; every member may be NULL.
struct sluice_checker_hooks {
  void *user;
  void (*admitted)(void *user, const struct sluice_checker_admitted *);
  void (*dropped)(void *user, const struct sluice_checker_dropped *);
  void (*sent)(void *user, const struct sluice_checker_sent *);
};

/// A packet whose last beat came in, and why the order point let it wait.
struct sluice_checker_arrival {
  // cycles of the first beat in, and of the last: the arrival, but at a fast port, where it may
  // wait in front of its lane
  uint64_t number, first_cycle, cycle;
  // len: as counted on the bus; more bytes than SLUICE_MODEL_MAX_LEN are not kept
  // round: 0: from the bus. Else a packet that goes through the chip again, as METADATA.ROUND says;
  // only if the pass before was watched
  unsigned lane, port, len, round;
  // fast ports: the stream on which it began, and the cycle in which its lane had its last beat
  unsigned stream;
  uint64_t entered;
  const uint8_t *bytes;  // at least 64; of a shorter packet they end with zeros
};
enum { SLUICE_CHECKER_CAUSES = 5 };  // pacing, brake, phantom FIFO, credit, window
struct sluice_checker_wait {
  uint64_t first_of_lane;  // cycle from which no packet of its lane was in front of it
  uint64_t behind;         // number of the one that was, 0: none when it arrived
  // Fast ports: cycles that it waited in its lane until all before it on the wire had arrived, and
  // the number of the last of these
  uint64_t wire, wire_behind;
  // cycles in which it was the oldest packet of all, and was held
  uint64_t held[SLUICE_CHECKER_CAUSES];
};

/// The story of single packets, as it happens. `arrived` says whether a packet is watched: what it
/// returns is handed to all other calls about the packet, NULL: there are none. The last one is
/// `ended`. No member is NULL.
struct sluice_checker_watch {
  void *user;
  void *(*arrived)(void *user, const struct sluice_checker_arrival *);
  void (*lane)(void *story, uint64_t cycle, unsigned reason, const struct sluice_model_verdict *);
  // parser and stages, when it is admitted; of one that is dropped at the order point the front
  // stages
  sluice_model_step_fn *step;
  // admitted or dropped there
  void (*order)(void *story, uint64_t cycle, const struct sluice_checker_wait *);
  void (*admitted)(void *story, const struct sluice_checker_admitted *);
  void (*state)(void *story, uint64_t cycle, unsigned stage, unsigned pipe, unsigned slot,
                bool refused);
  // its deparser. `unpaid`: the recirculation port refused it for want of a token
  void (*left)(void *story, uint64_t cycle, unsigned reason, uint64_t accepted, uint64_t refused,
               bool unpaid);
  // a copy leaves its queue for the egress stages; `step` shows them behind it. Then what became of
  // it: `header` has its first `len` bytes as it leaves, as the reference has them.
  void (*copy)(void *story, const struct sluice_model_copy *);
  void (*copy_fate)(void *story, uint64_t cycle, unsigned port, bool dropped, const uint8_t *header,
                    unsigned len);
  void (*sent)(void *story, const struct sluice_checker_sent *);
  void (*dropped)(void *story, const struct sluice_checker_dropped *);
  void (*ended)(void *story, bool lost);  // lost: the run is over, and it is still inside
};

/// Returns a checker with a model of its own (after reset), or NULL. `hooks` is copied; NULL: none.
struct sluice_checker *sluice_checker_open(const struct sluice_config *config,
                                           const struct sluice_checker_hooks *hooks);
void sluice_checker_close(struct sluice_checker *ck);

/// Takes a second reference (second.h), after reset, before anything has happened: from then on it
/// is what the chip must equal. False: out of memory.
bool sluice_checker_second(struct sluice_checker *ck, const struct sluice_second *second);

/// Watches the packets that arrive from now on. `watch` is copied.
void sluice_checker_watch(struct sluice_checker *ck, const struct sluice_checker_watch *watch);

/// The model inside, to look at (state, segments). Configure through the checker.
const struct sluice_model *sluice_checker_model(const struct sluice_checker *ck);

/// Configuration. Call it for each frame and each write of CHIP.BITMAP, in order, when it is handed
/// to the chip or when it has taken effect. Around a change the filter may say either, for packets
/// that are inside or arrive within SLUICE_CHECKER_SETTLE cycles; everything else of a module must
/// change while none of its packets is inside. Returns what sluice_model_control returns.
enum { SLUICE_CHECKER_SETTLE = 256 };
bool sluice_checker_control(struct sluice_checker *ck, uint64_t cycle, const uint8_t *bytes,
                            size_t len, struct sluice_model_answer *answer);
void sluice_checker_bitmap(struct sluice_checker *ck, uint64_t cycle, uint32_t bitmap);

/// Two banks (docs/banks.md). The chip shows in every cycle a word whose bit r is the bank of the
/// packets of overlay row r that are reported as arrived (sluice_checker_lane) in this cycle. The
/// checker takes the word for all lanes, after it has compared it with what was written to
/// CHIP.BANK: it never takes the bank of a single packet from the chip. In a chip with one bank the
/// word is 0.
void sluice_checker_bank(struct sluice_checker *ck, uint64_t cycle, uint32_t word);

/// A write of CHIP.BANK begins; it was answered, `accepted` or refused. The word follows within
/// SLUICE_CHECKER_BANK_SETTLE cycles. Nothing else is to be written or sent before it has;
/// sluice_checker_bank_settled tells.
enum { SLUICE_CHECKER_BANK_SETTLE = 16 };
void sluice_checker_bank_write(struct sluice_checker *ck, uint32_t value);
void sluice_checker_bank_written(struct sluice_checker *ck, uint64_t cycle, bool accepted);
bool sluice_checker_bank_settled(const struct sluice_checker *ck);
/// The bank of an overlay row: as it was written.
unsigned sluice_checker_bank_of(const struct sluice_checker *ck, unsigned row);

/// CHIP.INSIDE_BANKn was read as `rows`, by an access from `begin` to `cycle`.
void sluice_checker_inside(struct sluice_checker *ck, uint64_t begin, uint64_t cycle, unsigned bank,
                           uint32_t rows);

/// Whether a control packet that is sent now may be refused because packets of another bank than it
/// names are inside, which depends on the cycle in which the chip looks. If so: call
/// sluice_checker_counted, with what the chip said (it has counted the packet as bad, or answered
/// that it refuses it), and not sluice_checker_control. `begin` is the cycle in which it was sent.
bool sluice_checker_may_refuse(struct sluice_checker *ck, const uint8_t *bytes, size_t len);
bool sluice_checker_counted(struct sluice_checker *ck, uint64_t begin, uint64_t cycle,
                            const uint8_t *bytes, size_t len, bool refused);

/// Marks (docs/marks.md), in a chip with Marks 1. sluice_checker_control is then called before the
/// first beat of a READ or WRITE of STATE or STATE_ROW or a READ of TAKE is handed to the chip: it
/// notes which marks must come. Each reads and writes the reference when the chip shows it
/// (mark_event_t), at its ticket. What a WRITE leaves is known from its packet, what a TAKE leaves
/// from what LEAVE is when the TAKE is handed over.
void sluice_checker_state_mark(struct sluice_checker *ck, uint64_t cycle, unsigned stage,
                               unsigned pipe, uint32_t slot, bool write, uint32_t ticket);
/// What the last of these READs was answered: each value must be the one that the reference had at
/// the mark's ticket, and every mark of it must have been shown. The answer that
/// sluice_checker_control gave has the right length alone.
void sluice_checker_answer(struct sluice_checker *ck, uint64_t cycle, const uint8_t *bytes,
                           size_t len);
/// Whether such a packet is that, and whether marks are still to come. A FILL is handed over when
/// none is: the reference has no other place for it.
bool sluice_checker_is_marks(const struct sluice_checker *ck, const uint8_t *bytes, size_t len);
bool sluice_checker_marks_due(const struct sluice_checker *ck);

/// Cuts (docs/marks.md), in a chip with CutStages; in others writes of CHIP.CUT must be refused,
/// and nothing else matters. A write of CHIP.CUT begins; it was answered, `accepted` or refused.
/// Before the write no control packet may be on its way that is a FILL: the reference has filled
/// already.
void sluice_checker_cut_write(struct sluice_checker *ck, uint32_t value);
void sluice_checker_cut_written(struct sluice_checker *ck, uint64_t cycle, bool accepted);
/// cut_event_t with `valid`. The reference keeps a copy of its state: all packets with tickets
/// below `ticket` have run, no other.
void sluice_checker_cut(struct sluice_checker *ck, uint64_t cycle, uint32_t rows, uint32_t ticket);
/// CHIP.CUT_STATUS was read; CHIP.CUT_TICKET was, by an access from `begin` to `cycle`.
void sluice_checker_cut_status(struct sluice_checker *ck, uint64_t cycle, uint32_t status);
void sluice_checker_cut_ticket(struct sluice_checker *ck, uint64_t begin, uint64_t cycle,
                               uint32_t ticket);
/// Whether a control packet is a READ of CUT that some stage may answer. It is handed to
/// sluice_checker_cut_answer with its answer, and not to sluice_checker_control: whether the cut
/// was ready is known by then. `begin` is the cycle in which it was sent. Returns whether the chip
/// counts it as good. `raced`: CHIP.CUT was written meanwhile, so that either answer is right.
bool sluice_checker_is_cut(const struct sluice_checker *ck, const uint8_t *bytes, size_t len);
bool sluice_checker_cut_answer(struct sluice_checker *ck, uint64_t begin, uint64_t cycle,
                               const uint8_t *bytes, size_t len, const uint8_t *answer,
                               size_t answer_len, bool raced);

/// Guarded flips (docs/machine.md), in a chip with FlipGuard. FLIP.WATCH or FLIP.SINCE was written;
/// FLIP.TICKET was read. A write of FLIP.BANK begins; it was answered, `accepted` or refused.
/// Before it no control packet may be on its way. It says by itself what sluice_checker_bank_write
/// and _written say. probe_flip_t with `valid`.
void sluice_checker_flip_watch(struct sluice_checker *ck, unsigned stage, uint32_t slots);
void sluice_checker_flip_since(struct sluice_checker *ck, uint32_t ticket);
void sluice_checker_flip_ticket(struct sluice_checker *ck, uint64_t cycle, uint32_t ticket);
void sluice_checker_flip_write(struct sluice_checker *ck, uint32_t value);
void sluice_checker_flip_written(struct sluice_checker *ck, uint64_t cycle, bool accepted);
void sluice_checker_flip(struct sluice_checker *ck, uint64_t cycle, uint32_t rows, uint32_t ticket);

/// Array match, in a chip with ArrayEntries. Whether a control packet writes entries of it: then
/// sluice_checker_control is called before its first beat is handed to the chip, and
/// sluice_checker_keys_settled when all such packets have taken effect: a packet that arrives later
/// must find the new entries, one that arrived before may find either. And what the packet of the
/// sluice_checker_order before, in the same cycle, carries if it was admitted: its array, and its
/// 2-byte containers. Without the last call the reference takes the entries as they are.
bool sluice_checker_is_keys(const struct sluice_checker *ck, const uint8_t *bytes, size_t len);
void sluice_checker_keys_settled(struct sluice_checker *ck, uint64_t cycle);
void sluice_checker_keys(struct sluice_checker *ck, unsigned lane, const uint32_t *words,
                         const uint16_t *b2);

/// Counters of entries, in a chip with EntryCounters: whether a control packet is a READ of them,
/// and its answer, which is compared here: the sum over the pipelines, when all have answered and
/// no packet came meanwhile. That sluice_checker_control gave has the right length alone.
bool sluice_checker_is_count(const struct sluice_checker *ck, const uint8_t *bytes, size_t len);
void sluice_checker_count_answer(struct sluice_checker *ck, const uint8_t *bytes, size_t len,
                                 const uint8_t *answer, size_t answer_len);

/// CHIP.STATUS was read as ready. Packets that end more than SLUICE_CHECKER_SETTLE cycles later
/// must not be NOT_READY; until then either is accepted.
void sluice_checker_ready(struct sluice_checker *ck, uint64_t cycle);

/// One beat at the input of a lane: BeatBytes bytes of data. `number` is what messages call the
/// packet; that of its last beat counts.
void sluice_checker_rx(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                       const uint8_t *data, uint64_t keep, bool last, bool err, unsigned port,
                       uint64_t number);

/// probe_lane_t with `again`: a beat of a recirculated packet enters the lane, before
/// sluice_checker_rx of the cycle. Beats of the bus wait meanwhile, and pass one a cycle. `last`:
/// it ends a packet, which left its last pass with `ticket`, modulo 2^24: it must be the next one
/// that was sent there, and is judged as what the reference sent.
void sluice_checker_again(struct sluice_checker *ck, uint64_t cycle, unsigned lane, bool last,
                          uint32_t ticket);
/// probe_lane_t with `gives_way`: the beat of the sluice_checker_rx that follows in this cycle is
/// of a packet that gives way to a recirculated one. That must wait, for want of room; it is all
/// beats of a packet or none, and at most one beat in eight.
void sluice_checker_gives_way(struct sluice_checker *ck, unsigned lane);
/// The packet of the sluice_checker_exit that follows had no token.
void sluice_checker_unpaid(struct sluice_checker *ck, unsigned lane);

/// Fast ports. `lane` of sluice_checker_rx and _tx is then a stream; those of a port are called in
/// ascending order. probe_lane_t with `dealt`: the oldest packet of the port of which that was not
/// known goes to `lane`. It began on `stream`.
void sluice_checker_dealt(struct sluice_checker *ck, uint64_t cycle, unsigned stream,
                          unsigned lane);

/// probe_lane_t with `done`: the verdict on the lane's oldest packet without one. A lane of a fast
/// port gives it SLUICE_CHECKER_VERDICT cycles behind the one in which the last beat entered it.
enum { SLUICE_CHECKER_VERDICT = 2 };
void sluice_checker_lane(struct sluice_checker *ck, uint64_t cycle, unsigned lane, unsigned reason);

/// probe_order_t with `done`. Judged at the end of the cycle.
void sluice_checker_order(struct sluice_checker *ck, uint64_t cycle, unsigned lane, unsigned reason,
                          unsigned tag);

/// probe_order_t with `held` not 0: the lane's oldest packet is the oldest of all and waits.
/// Nothing is judged by it.
void sluice_checker_held(struct sluice_checker *ck, unsigned lane, unsigned held);

/// The packet of the sluice_checker_order before, in the same cycle, was marked for congestion.
void sluice_checker_mark(struct sluice_checker *ck, unsigned lane);

/// CHIP.ECN_QUEUE and CHIP.ECN_LANE, 0: off, as before the first call. Load decides which packets
/// are marked; the checker knows only when there cannot be enough of it: SLUICE_CHECKER_MARK_SLACK
/// packets that the lane has handed over may still count as waiting.
enum { SLUICE_CHECKER_MARK_SLACK = 8 };
void sluice_checker_ecn(struct sluice_checker *ck, unsigned queue, unsigned lane);

/// CHIP.CLASS_ECN of a class of the output queues was written, 0: off, as before the first call.
void sluice_checker_class_ecn(struct sluice_checker *ck, uint64_t cycle, unsigned class,
                              unsigned threshold);
/// probe_exit_t with `done`: `deep` and `held`. Before the sluice_checker_exit of the same cycle.
void sluice_checker_deep(struct sluice_checker *ck, unsigned lane, bool deep, unsigned held);

/// Indices may move (CHIP.MOVE_PERIOD is not 0): then any order queue of its stage may be the one
/// that an access needs. Off before the first call.
void sluice_checker_moves(struct sluice_checker *ck, bool on);

/// MERGE.LANES, MERGE.KEY and MERGE.IDLE, in a chip with OrderedMerge; 0 before the first call.
/// Call it while nothing is inside.
void sluice_checker_merge(struct sluice_checker *ck, unsigned lanes, unsigned key, unsigned idle);

/// CHIP.SETS, 0 before the first call. Call it while nothing is inside.
void sluice_checker_sets(struct sluice_checker *ck, unsigned sets);

/// probe_state_t with `valid`.
void sluice_checker_state(struct sluice_checker *ck, uint64_t cycle, unsigned stage, unsigned pipe,
                          unsigned slot, unsigned tag, bool refused);

/// probe_exit_t with `done`.
void sluice_checker_exit(struct sluice_checker *ck, uint64_t cycle, unsigned lane, unsigned reason,
                         uint32_t ticket, uint64_t accepted, uint64_t refused);

/// probe_egress_t, in a chip with egress stages, behind all sluice_checker_exit of the cycle.
/// `enter`: the first beat of a copy leaves the queues of output lane `lane` (cycle E); `left`: its
/// last one (cycle L); `done`: what became of the oldest copy of which that was not known. `port`
/// is the global port number.
void sluice_checker_copy(struct sluice_checker *ck, uint64_t cycle, unsigned lane, uint32_t ticket,
                         unsigned port);
void sluice_checker_copy_last(struct sluice_checker *ck, uint64_t cycle, unsigned lane);
void sluice_checker_copy_fate(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                              uint32_t ticket, unsigned port, bool dropped);

/// One beat that an output lane has handed over (valid and ready). `port` is the global port
/// number.
void sluice_checker_tx(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                       const uint8_t *data, uint64_t keep, bool last, unsigned port,
                       uint32_t ticket);

/// In a chip with NoGaps, or where a job says so, before the beats of the cycle: output lane `lane`
/// (of a fast port, the first of its lanes) shows no beat, though its packet has begun and has not
/// ended.
void sluice_checker_gap(struct sluice_checker *ck, uint64_t cycle, unsigned lane);

/// Ends a cycle.
void sluice_checker_cycle(struct sluice_checker *ck, uint64_t cycle);

/// One entry of the chip's final state, by row (bank x NumModules + overlay row) and logical index,
/// to be compared with the model's.
void sluice_checker_state_entry(struct sluice_checker *ck, unsigned row, unsigned stage,
                                unsigned index, uint32_t s1, uint32_t s2);

/// The same of egress stage `stage` (from 0), in an output lane.
void sluice_checker_lane_entry(struct sluice_checker *ck, unsigned row, unsigned stage,
                               unsigned lane, unsigned index, uint32_t s1, uint32_t s2);

/// Whether no packet of an overlay row is inside, nor a copy of one. *seen: how many have ended on
/// the bus. If that is so before a control packet is sent and behind its answer, with the same
/// number, no packet of the module has run meanwhile.
bool sluice_checker_row_still(const struct sluice_checker *ck, unsigned row, uint64_t *seen);

/// The row of words beside it, in a stage that has rows; `words`: as many as the chip has.
void sluice_checker_state_row(struct sluice_checker *ck, unsigned row, unsigned stage,
                              unsigned index, const uint32_t *words);

/// Capsules of an id that had a fault, of all that were admitted.
uint32_t sluice_checker_faults(const struct sluice_checker *ck, unsigned id);

/// Compares a counter of the chip with what the caller expects; `name` is the field of the message.
void sluice_checker_counter(struct sluice_checker *ck, const char *name, uint64_t expected,
                            uint64_t got);

/// True when nothing is inside: every packet is dropped or has left, every copy was sent.
bool sluice_checker_idle(const struct sluice_checker *ck);

/// Says that the run is over: what is still inside is lost, and a difference.
void sluice_checker_finish(struct sluice_checker *ck);

enum { SLUICE_CHECKER_TEXT = 200, SLUICE_CHECKER_DUMP = 1200 };

/// The first difference.
struct sluice_difference {
  uint64_t packet;  // its number; UINT64_MAX if none is concerned
  uint64_t cycle;
  char field[SLUICE_CHECKER_TEXT];  // "byte 38", "ticket", "state stage 3 index 17 word 1", ...
  char expected[SLUICE_CHECKER_TEXT];
  char got[SLUICE_CHECKER_TEXT];
  char text[SLUICE_CHECKER_DUMP];  // all of it for people; for a byte with both packets in hex
};

/// Cycles from the last beat in.
struct sluice_latency {
  uint64_t count, min, median, p99, max;
  double mean;
};

struct sluice_report {
  uint64_t differences;  // 0: EQUIVALENT
  struct sluice_difference first;
  uint64_t c1_violations;  // state operations out of order, missing, or too many

  uint64_t c1_violating_packets;  // of these: packets that one or more of their operations concern

  // Banks. Rows that flipped; of these: packets of the old bank were inside; one of the new bank
  // came while they were.
  uint64_t flips, flips_loaded, flips_mixed;
  // Guarded flips; writes of FLIP.BANK that were refused; packets that a flip met between arrival
  // and order point
  uint64_t flips_guarded, flips_unwanted, flips_turned;
  // control packets because of packets inside; writes of CHIP.BANK
  uint64_t refused_writes, refused_flips;
  // rows that a control packet changed while packets that see them were inside
  uint64_t driver_faults;

  // Ordered merge: packets that got their places by it, and were not dropped before; of these: with
  // a smaller key than the one before; of which that is not known, since one may have been above
  // the rate of its module.
  uint64_t merged, merge_late, merge_maybe_late;

  // Marks: shown and expected; of these: values of answers that were compared; that wrote; whose
  // entry had its last access away from home; that changed a value while packets with an access to
  // the entry were on their way to it.
  uint64_t marks, marks_compared, marks_written, marks_away, marks_loaded;

  // Cuts: taken; READs of CUT that were answered; of these: of modules that had an index away in
  // that stage; entries that were compared; of these: that hold something else by now.
  uint64_t cuts, cut_reads, cuts_away, cuts_compared, cuts_changed;

  uint64_t marked, marked_ce;  // for congestion at the order point; of these: CE was set for it
  // For a deep output queue, by class; of a class that was being changed; of these: CE was set
  uint64_t queue_marked[SLUICE_MODEL_CLASSES], queue_marked_unclassed, queue_marked_ce;
  uint64_t packets, bytes;      // ended on the bus of a lane
  uint64_t arrived, admitted;   // accepted by a lane; given a ticket
  uint64_t left;                // left the deparser, dropped or not
  uint64_t discarded_egress;    // of left: none of its copies came through the egress stages
  uint64_t delivered;           // of these: sent to one port at least, that of recirculation aside
  uint64_t recirculated;        // passes that began with recirculation; `packets` counts them, too
  uint64_t recirculation_full;  // of drops[OUTPUT_FULL]: copies that were not, for want of room
  uint64_t undelivered;         // of these: not dropped, but every port was full
  uint64_t copies, copy_bytes;  // sent, over all ports
  uint64_t inside;              // neither dropped nor left
  uint64_t drops[SLUICE_MODEL_REASONS];          // by reason; OUTPUT_FULL, EGRESS count copies
  uint64_t drops_unknown[SLUICE_MODEL_REASONS];  // of these: no module can be named
  uint64_t drops_module[SLUICE_MODEL_MODULES][SLUICE_MODEL_REASONS];  // and those of overlay row r
  uint64_t admitted_module[SLUICE_MODEL_MODULES];          // of overlay row r: given a ticket,
  uint64_t left_module[SLUICE_MODEL_MODULES];              // left the deparser,
  uint64_t delivered_module[SLUICE_MODEL_MODULES];         // of these: sent to one port at least,
  uint64_t undelivered_module[SLUICE_MODEL_MODULES];       // not dropped, but every port was full
  uint64_t discarded_egress_module[SLUICE_MODEL_MODULES];  // no copy came through the egress
  uint64_t latency_max_module[SLUICE_MODEL_MODULES];  // longest time from arrival to the deparser
  uint64_t inside_max_module[SLUICE_MODEL_MODULES];   // and from admission
  uint64_t state_ops, refused_ops, out_of_bounds;     // the model's, all checked but the last
  // Egress: copies that left their queues; of these: that leave with other bytes than they came
  // with; deepest queue and longest wait that a copy saw; operations on the state of the lanes, and
  // refused ones; entries of it compared at the end; copies discarded, by port.
  uint64_t egress_copies, egress_changed, egress_depth_in, egress_depth_out, egress_delay;
  uint64_t egress_ops, egress_refused, egress_entries, egress_port[64];
  uint64_t array_ops;  // of the operations: with one on the row of words
  // Words that were looked up; of these: that had an entry; whose entry was being written, so that
  // either was right; and that found the old one
  uint64_t keys, keys_found, keys_either, keys_old;
  uint64_t state_entries;  // compared at the end
  uint64_t state_words;    // the same of rows: ArrayWords words each
  uint64_t entry_counts;   // counters of entries that were compared: over all pipelines

  uint64_t first_beat_in, last_exit,
      last_beat_out;                    // cycles; first_beat_in is UINT64_MAX before it
  struct sluice_latency to_exit;        // to the cycle of the exit probe
  struct sluice_latency to_first_beat;  // to the first beat of each copy
};

/// Fills `report` with what is known so far.
void sluice_checker_report(const struct sluice_checker *ck, struct sluice_report *report);

/// True as soon as there is a difference; cheap.
bool sluice_checker_failed(const struct sluice_checker *ck);

/// The name of a drop reason, "DISCARD_BACK"; "?" if there is none.
const char *sluice_checker_reason_name(unsigned reason);
