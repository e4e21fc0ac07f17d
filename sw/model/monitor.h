// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdio.h>

#include "checker.h"
#include "machine.h"

/// Private to the checker. A packet lives from its last beat to its last copy, in one place after
/// the other: judged by the lane -> waiting for the order point -> inside, by ticket -> copies on
/// their way out.

enum {
  MONITOR_LANES = 16,
  MONITOR_PORTS = 64,
  MONITOR_CLASSES = 8,
  MONITOR_LATE = 8,
  MONITOR_FRONT = 1024,  // cycles that a packet may wait in front of a lane of a fast port
  MONITOR_FILTERS = 64,
  MONITOR_BUCKETS = 1 << 16,
  MONITOR_CLAIMS = 32
};

struct monitor_packet {
  struct monitor_packet *next;  // in the queue of its lane
  uint64_t number, arrival, ticket;
  uint64_t came;  // cycle of its last beat: `arrival`, but for those of a fast port
  // Its place among packets is known: after those with a lower number, or the same and a lower lane
  bool placed;
  uint64_t place;
  unsigned beats;                 // of the bus
  struct monitor_coming *coming;  // of a fast port, until the order point disposes of it
  // Of a merged lane: the key, the number by which the lane is sorted; whether filter or front
  // stages drop it, so that its key is 0; whether that is not known, so that its place is not
  // judged.
  uint32_t merge_key;
  uint32_t merge_passed;  // others that got their places while it was the first of its lane
  bool merge_dropped, unsure;
  uint64_t admission;  // cycle in which it got the ticket
  unsigned lane, port;
  unsigned bank;      // that it took; behind the order point, that it has there
  uint64_t since;     // it has that bank: cycle of arrival or of a guarded flip's admission
  bool counted;       // among those of its row and bank that are inside
  unsigned len;       // as counted on the bus
  unsigned fault;     // DROP_MALFORMED or _OVERSIZED: must be dropped by the lane
  uint32_t verdicts;  // bit r: the filter may give reason r
  // Egress: a copy was sent; another one was recirculated.
  bool sent, again_too;
  unsigned at_egress;     // copies whose fate is not known yet
  bool exited, violates;  // C1: an operation of its own is out of order, missing or too many
  uint64_t to_send;       // ports whose copy has not left yet
  // Its place among the packets of its lane that have left the deparser, from 1 on; the class of
  // its copies, -1: it was being changed
  uint64_t exit_number;
  int queue_class;
  uint32_t ops_due;  // bit s: its state operation at back stage s has not happened yet
  // Ticket + 1 of the next operation on the same slot; 0: none
  uint64_t next_op[SLUICE_MODEL_STAGES];
  // Taken when its first beat came: of all packets of its lane, and (BufferShares) of its module.
  bool places_known;
  unsigned places;
  bool recirculated;  // `again` says what came beside it; left the pass before with this ticket
  struct sluice_model_again again;
  uint64_t again_ticket, left;  // cycle in which it came to the queue
  bool watched;                 // its pass before was
  void *story;                  // of sluice_checker_watch; NULL: nobody watches
  struct sluice_checker_wait wait;
  struct sluice_model_result result;
  uint8_t bytes[];
};

struct monitor_queue {
  struct monitor_packet *head, *tail;
};

/// A packet that is being put together from beats.
struct monitor_assembly {
  bool open, malformed;
  unsigned len, port, beats, stream;  // stream: of the first beat, on the way out
  unsigned places;                    // as in monitor_packet
  uint32_t ticket;
  uint64_t first_cycle;
  uint8_t bytes[SLUICE_MODEL_MAX_LEN];
};

/// A beat of the bus that waits while a recirculated packet enters its lane.
struct monitor_beat {
  struct monitor_beat *next;
  uint8_t data[64];
  uint64_t keep, number;
  bool last, err;
  unsigned port;
};

/// Bounds of what a bucket of tokens may hold, in 1/256 tokens, as of a cycle.
struct monitor_bucket {
  uint32_t entry;  // of RECIRCULATE
  uint64_t cycle;
  int64_t most, least;
};

/// Recirculation of a lane. Nothing of it moves in a chip without.
struct monitor_again {
  struct monitor_queue packets;         // on their way into the lane, oldest first
  unsigned num_packets;                 // of them
  uint64_t last_entered;                // cycle in which one of them did, whole
  unsigned beats;                       // of the first of them that have entered
  uint64_t first_cycle;                 // of the first of these beats
  uint64_t entered;                     // cycle + 1 of the last beat that did
  struct monitor_beat *waiting, *tail;  // of the bus
  unsigned num_waiting;                 // of these
  bool gives_way;                       // the beat of the bus in this cycle, says the chip
  bool inside;                          // of a packet of the bus
  uint64_t kept, gave;                  // beats of the bus that went in, that gave way
  struct monitor_assembly way;          // the packet that gives way
  bool way_named;                       // its first 16 bytes are there
  bool unpaid;                          // of the exit of this cycle
  struct monitor_bucket bucket[SLUICE_MODEL_BANKS * SLUICE_MODEL_MODULES];
};

/// A copy from the moment at which its queue took it, in a chip with egress stages.
struct monitor_copy {
  struct monitor_copy *next;  // of its port, then of its output lane
  struct monitor_packet *packet;
  unsigned port, number, depth_in;  // number: COPY
  uint64_t accepted;                // cycle A
  // What became of it is known, and that; all of it was sent
  bool known, dropped, sent;
  struct sluice_model_egressed result;
};
struct monitor_copies {
  struct monitor_copy *head, *tail;
};

/// How many of something there have been, and when the last ones came: newest first.
enum { MONITOR_STEPS = 4 };
struct monitor_steps {
  unsigned num;
  uint64_t cycle[MONITOR_STEPS], total[MONITOR_STEPS];
};

/// The queues of a port: copies that wait, in the order in which they came.
struct monitor_port {
  struct monitor_copies waiting;
  struct monitor_steps in, out;  // cycles A; cycles L
};

/// Egress of an output lane: copies that have left its queues, in that order; the one of which the
/// last beat is still to leave.
struct monitor_egress {
  struct monitor_copies copies;
  struct monitor_copy *open;
};

/// What the chip says that a packet carries at the order point, in a chip with ArrayEntries.
struct monitor_shown {
  bool valid;
  uint32_t words[SLUICE_MODEL_WORDS];
  uint16_t b2[8];
};

/// A packet of a fast port, from its first beat until the order point has disposed of it, or its
/// lane has dropped it (then it is `gone`).
struct monitor_coming {
  struct monitor_coming *next;  // of the wire
  unsigned stream, lane;        // on which it began; to which it was dealt
  bool dealt, judged, gone;
  uint64_t first_cycle;
  struct monitor_packet *packet;  // NULL: its last beat has not come; gone
  uint64_t number;                // of one that the order point has disposed of
  uint64_t who;                   // its number, whatever becomes of it
};

/// The wire of a fast port. Nothing of it moves in a chip without.
struct monitor_wire {
  struct monitor_coming *head, *tail, *arriving;  // arriving: the first that has not arrived
  bool disposed;                                  // the order point has, of one, in this cycle
  bool any_left;
  uint64_t last_left;  // ticket of the last copy that left
  uint64_t before;     // number of the last packet that arrived, or was dropped at the port
};

struct monitor_lane {
  bool any_entered;
  uint64_t last_entered;  // cycle in which the last beat of a packet did, in a lane of a fast port
  struct monitor_egress egress;
  struct monitor_again again;
  struct monitor_assembly rx, tx;
  struct monitor_queue judged;   // ended on the bus, the lane has not said what became of them
  struct monitor_queue waiting;  // arrived, not disposed of by the order point
  unsigned num_waiting, waiting_row[SLUICE_MODEL_MODULES];
  struct {
    bool valid, mark;
    unsigned reason, tag;
    struct monitor_shown shown;
  } order;  // event of this cycle
  // Packets that have left the deparser; number of the last one of a class that left through a port
  uint64_t exits, last_left[MONITOR_CLASSES][MONITOR_PORTS];
  // With classes: what the chip says that the packet saw which leaves the deparser in this cycle;
  // packets in the queues to each output lane; those of a class that was being changed
  bool deep;
  unsigned held, queued[MONITOR_LANES][MONITOR_CLASSES], unclassed;
};

/// CHIP.CLASS_ECN of a class; until cycle `changed` what it was before may hold.
struct monitor_threshold {
  unsigned now, before;
  uint64_t changed;
};

struct monitor_histogram {
  uint64_t count, min, max, sum;
  uint64_t bucket[MONITOR_BUCKETS];  // the last one takes all that is longer
};

/// Operations due on one slot of the state memory, in order: tickets + 1, 0 if none.
struct monitor_slot {
  uint64_t first, last;
  bool away;  // the last one happened in another place than its home
};

struct monitor_filter {
  uint64_t until;  // may still hold for packets that arrive up to this cycle
  struct sluice_model_filter filter;
};

/// What the chip or its driver took for granted between two cycles: that no packet of {row, bank}
/// was inside. A packet that leaves later shows that it was not so.
struct monitor_claim {
  enum monitor_claim_kind { MONITOR_CLAIM_READ, MONITOR_CLAIM_WRITE, MONITOR_CLAIM_DRIVER } kind;
  unsigned bank;
  uint32_t rows;
  uint64_t begin, end;
  enum sluice_table table;         // of a driver's
  unsigned stage, match_row, vid;  // the same: number of the row or entry; its VID[7:0]
  bool erased;
};

/// Configuration banks. Nothing of it moves in a chip with one.
struct monitor_banks {
  uint32_t reg;   // CHIP.BANK, as the last accepted write left it
  uint32_t word;  // what packets that are reported as arrived take now
  // Of the write that is under way, or was accepted and does not show yet
  uint32_t wanted;
  bool writing, accepted;
  uint64_t deadline;        // accepted: by then it shows
  uint32_t flipped;         // rows of the last flip
  uint64_t newest, before;  // arrival of the youngest packet reported; the same at the last flip
  // Rows of flips whose old packets were inside then, and no new one has come yet
  uint32_t old_inside;
  uint32_t count[SLUICE_MODEL_BANKS][SLUICE_MODEL_MODULES];  // packets inside
  uint64_t left[SLUICE_MODEL_BANKS][SLUICE_MODEL_MODULES];   // cycle in which the last one left
  // Rows that a control packet may be refused for
  uint32_t asked[SLUICE_MODEL_BANKS];
  unsigned num_claims;
  struct monitor_claim claims[MONITOR_CLAIMS];
};

/// A mark that the chip is still to show.
struct monitor_mark {
  struct monitor_mark *next;   // of its stage
  uint64_t message;            // counts the packets that have marks
  unsigned row, index, entry;  // entry: of the packet, from 0
  unsigned pipe;               // home
  uint32_t slot;
  bool of_row;           // the row of words beside the entry, and not the entry
  bool write, optional;  // optional: its packet may be refused
  // What it writes: S1 and S2, or the row
  uint32_t words[SLUICE_MODEL_WORDS];
};

/// A cut. Nothing of it moves in a chip without CutStages.
struct monitor_cuts {
  enum monitor_cut {
    MONITOR_CUT_NONE,
    MONITOR_CUT_ASKED,
    MONITOR_CUT_TAKEN,
    MONITOR_CUT_ENDING
  } phase;
  uint32_t rows;                       // of CHIP.CUT, as the last accepted write of a mask left it
  uint32_t wanted;                     // of the write that is under way
  bool writing, shown;                 // shown: the cut of that write came before its answer
  bool ready;                          // CHIP.CUT_STATUS has said so
  uint64_t ready_since;                // in this cycle
  bool closing;                        // CHIP.CUT is 0, but the cut may still be read
  bool any;                            // one was shown since reset
  uint64_t ticket, cycle;              // of the last one; the cycle in which it was shown
  uint64_t asked;                      // cycle in which the write was answered
  uint32_t away[SLUICE_MODEL_STAGES];  // rows of which an index is away while this cut lasts
  // a FILL is judged that may be refused, because a cut may not have ended quite
  bool filling;
};

/// Guarded flips. Nothing of it moves in a chip without FlipGuard.
struct monitor_flips {
  uint32_t since;          // FLIP.SINCE
  uint32_t wanted;         // of the write of FLIP.BANK that is under way
  bool writing, shown;     // shown: the chip has flipped for it
  uint32_t turn, bank;     // rows of the last one, and CHIP.BANK from then on
  uint64_t cycle, ticket;  // of the last one
};

/// Marks. Nothing of it moves in a chip without them.
struct monitor_marks {
  struct {
    struct monitor_mark *head, *tail;
  } due[SLUICE_MODEL_STAGES];
  uint64_t messages;
  bool asking;  // a packet of which the chip has not said whether it was refused
  // The last READ: what it must be answered with, as far as its marks have been shown.
  bool reading;
  uint64_t read_message;
  unsigned stage, row, index, count;
  unsigned num_words;  // of a value
  struct monitor_mark_value {
    bool due, shown;
    uint64_t ticket;
    uint32_t words[SLUICE_MODEL_WORDS];
  } value[SLUICE_MODEL_COUNT];
  struct sluice_model_answer answer;
};

/// A counter of an entry: what the chip has answered so far of its pipelines, and whether what it
/// must be is known.
struct monitor_count {
  bool unknown;
  uint64_t written;  // cycle; 0: never
  uint64_t epoch;    // of the answers
  uint32_t copies;   // bit p: pipeline p has answered
  uint64_t sum;
};

/// Ordered merge. Nothing of it moves in a chip without OrderedMerge.
struct monitor_merge {
  unsigned lanes, key, idle;                   // registers
  struct monitor_packet *next[MONITOR_LANES];  // the oldest without a place
  uint32_t empty[MONITOR_LANES];               // cycles since there was one
  uint64_t time;                               // of arrivals, up to which places are given
  uint64_t busy;                               // cycle in which one waited last
  bool any, unsure;                            // unsure: one may have had another key
  bool above_rate;                             // unsure, since one may be above its rate
  bool guess;                                  // so it was for the one that got its place last
  uint32_t last_key;                           // any: its key
};

/// Rates of a module at a lane. Nothing of it moves in a chip without RateLimits.
struct monitor_rate {
  uint64_t entry;             // of RATE_LIMIT
  uint64_t cycle;             // of the bounds
  int64_t most[2], least[2];  // of packets, and of units of 64 bytes: 1/256 each
};

/// A recording (events.h). An event `bank` is held back: with `cycle` behind it the cycle was idle,
/// and idle cycles are written when they are over.
struct monitor_record {
  FILE *to;  // NULL: nobody records
  bool banked, idle;
  uint64_t cycle, banks;             // of `bank`
  uint64_t from, until, idle_banks;  // of idle cycles
};

struct sluice_checker {
  struct sluice_model *model;
  const struct sluice_second *second;  // NULL: the model is all there is
  struct sluice_spec *spec;            // of `second`
  const struct sluice_config *config;
  struct sluice_checker_hooks hooks;
  struct sluice_checker_watch watch;
  struct sluice_report report;  // latencies excepted, they are made on demand
  uint64_t now;

  struct monitor_filter past[MONITOR_FILTERS];
  unsigned num_past;
  bool ready;
  uint64_t ready_cycle;

  struct monitor_lane lane[MONITOR_LANES];
  struct monitor_wire wire[MONITOR_LANES];
  bool any_admitted;
  uint64_t last_place;  // of the youngest admitted packet
  unsigned last_lane;

  unsigned tag_mask;
  uint64_t next_ticket, oldest;    // tickets oldest .. next_ticket - 1 may be inside
  struct monitor_packet **inside;  // [ticket & (capacity - 1)]; NULL: gone
  uint64_t capacity;
  struct monitor_slot *slots;                  // [stage][pipe][slot]
  struct monitor_port *ports;                  // NULL in a chip without egress stages
  uint64_t arrived_row[SLUICE_MODEL_MODULES];  // packets that have ended on the bus

  struct monitor_banks banks;
  struct monitor_marks marks;
  struct monitor_cuts cuts;
  struct monitor_flips flips;
  struct monitor_merge merge;

  struct monitor_keys *keys;     // NULL in a chip without ArrayEntries
  struct monitor_count *counts;  // of the three tables, one behind the other; NULL: none
  uint64_t counts_written;       // cycle of the last write; 0: none that a packet may meet
  uint64_t counts_epoch, counts_asked;
  struct monitor_rate rate[MONITOR_LANES][SLUICE_MODEL_MODULES];
  uint64_t rate_changed[SLUICE_MODEL_MODULES];   // until this cycle either entry may hold
  bool rate_before[SLUICE_MODEL_MODULES];        // ... and there was a limit
  uint64_t class_changed[SLUICE_MODEL_MODULES];  // until this cycle either class may hold

  bool moves;
  unsigned ecn_queue, ecn_lane;
  struct monitor_threshold threshold[MONITOR_CLASSES];
  uint32_t needs[SLUICE_MODEL_STAGES][MONITOR_LANES];  // packets not at their deparser yet that
                                                       // have an access there

  struct monitor_histogram to_exit, to_first_beat;
  struct monitor_record events;
};

// ---- events (events.h) --------------------------------------------------------------------------

enum monitor_event {
#define SLUICE_EVENT(ID, NAME, ARGUMENTS) MONITOR_EVENT_##ID,
#include "events.def"
};
struct monitor_bytes {
  const uint8_t *bytes;
  size_t len;
};
void monitor_event(struct monitor_record *record, enum monitor_event event, const uint64_t *values,
                   const struct monitor_bytes *bytes);
/// Words as bytes, in `to`.
struct monitor_bytes monitor_words(uint8_t *to, const uint32_t *words, unsigned num);
struct monitor_bytes monitor_halves(uint8_t *to, const uint16_t *halves, unsigned num);

/// First in each call of checker.h that tells something, with its numbers in the order of
/// events.def. Calls of the monitors among each other are none: monitor_control and others below.
#define MONITOR_EVENT(CK, ID, ...)                                                             \
  do {                                                                                         \
    if ((CK)->events.to)                                                                       \
      monitor_event(&(CK)->events, MONITOR_EVENT_##ID, (const uint64_t[]){__VA_ARGS__}, NULL); \
  } while (0)
/// The same with bytes.
#define MONITOR_EVENT_BYTES(CK, ID, BYTES, LEN, ...)                                             \
  do {                                                                                           \
    if ((CK)->events.to)                                                                         \
      monitor_event(&(CK)->events, MONITOR_EVENT_##ID, (const uint64_t[]){__VA_ARGS__},          \
                    &(const struct monitor_bytes){(const uint8_t *)(const void *)(BYTES), LEN}); \
  } while (0)

bool monitor_control(struct sluice_checker *ck, uint64_t cycle, const uint8_t *bytes, size_t len,
                     struct sluice_model_answer *answer);
void monitor_bank_write(struct sluice_checker *ck, uint32_t value);
void monitor_bank_written(struct sluice_checker *ck, uint64_t cycle, bool accepted);
void monitor_counter(struct sluice_checker *ck, const char *name, uint64_t expected, uint64_t got);

/// A short text by value, so that a message is one expression.
struct monitor_text {
  char s[SLUICE_CHECKER_TEXT];
};
struct monitor_text monitor_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Notes a difference; packet NULL: none is concerned.
void monitor_differ(struct sluice_checker *ck, const struct monitor_packet *packet,
                    struct monitor_text field, struct monitor_text expected,
                    struct monitor_text got);
/// The same for byte `at` of a packet, with the packets in hex.
void monitor_differ_byte(struct sluice_checker *ck, const struct monitor_packet *packet,
                         unsigned at, const uint8_t *expected, const uint8_t *got, unsigned len);
/// Names of the reasons in a set.
struct monitor_text monitor_reasons(uint32_t set);

void monitor_record(struct monitor_histogram *h, uint64_t value);
void monitor_push(struct monitor_queue *q, struct monitor_packet *packet);
struct monitor_packet *monitor_pop(struct monitor_queue *q);

/// Marks for deep output queues: of a packet that leaves the deparser, before its ports are known
/// to have taken it; they have; the copy for a port has left.
void monitor_depth(struct sluice_checker *ck, struct monitor_packet *packet);
void monitor_depth_accepts(struct sluice_checker *ck, const struct monitor_packet *packet);
void monitor_depth_leaves(struct sluice_checker *ck, const struct monitor_packet *packet,
                          unsigned port);

/// A packet takes its bank; its lane accepts it, and it counts; it leaves, or is dropped.
void monitor_bank_arrives(struct sluice_checker *ck, struct monitor_packet *packet);
void monitor_bank_counts(struct sluice_checker *ck, struct monitor_packet *packet);
void monitor_bank_leaves(struct sluice_checker *ck, struct monitor_packet *packet, unsigned reason);
/// It goes over to this bank; the bank of a packet that is admitted, which a guarded flip may turn.
void monitor_bank_turns(struct sluice_checker *ck, struct monitor_packet *packet, unsigned bank);
unsigned monitor_flip_bank(struct sluice_checker *ck, struct monitor_packet *packet);
/// sluice_model_control, with an eye on what the packets inside see.
bool monitor_bank_control(struct sluice_checker *ck, const uint8_t *bytes, size_t len,
                          struct sluice_model_answer *answer);

/// What packets of {VID[7:0], bank} see is not what it was. If such packets are inside it is a
/// difference: the driver's, or the chip's if it has said that none is.
struct monitor_change {
  enum sluice_table table;
  unsigned stage, index, vid, bank;
  bool erased;
};
void monitor_bank_changed(struct sluice_checker *ck, const struct monitor_change *change);

// watch_entries.c

/// sluice_model_control for a WRITE of TERNARY or CUCKOO.
bool monitor_entries_control(struct sluice_checker *ck, const struct model_request *r,
                             const uint8_t *bytes, size_t len, struct sluice_model_answer *answer);
/// A row of ACTION, STATE_INSTR or MULTIPLY has changed: for whoever has an entry or a default
/// action that names it.
void monitor_entries_action(struct sluice_checker *ck, const struct model_request *r, unsigned row);

/// sluice_model_control for a packet of which sluice_checker_is_marks: its marks are expected.
/// Before that, if the chip may refuse it: monitor_marks_ask.
bool monitor_marks_control(struct sluice_checker *ck, const uint8_t *bytes, size_t len,
                           struct sluice_model_answer *answer);
void monitor_marks_ask(struct sluice_checker *ck, const uint8_t *bytes, size_t len);
/// What has not been shown is a difference.
void monitor_marks_finish(struct sluice_checker *ck);
void monitor_marks_close(struct sluice_checker *ck);
/// The order of operations on a slot.
struct monitor_slot *monitor_slot_of(const struct sluice_checker *ck, unsigned stage, unsigned pipe,
                                     uint32_t slot);

// watch_cuts.c

/// An operation of a packet happened at another place than its home.
void monitor_cut_away(struct sluice_checker *ck, const struct monitor_packet *packet,
                      unsigned stage);
/// Whether a FILL that is sent now may be refused because the last cut of its module may not have
/// ended quite; then, before the reference gets it and behind that, whether it was.
bool monitor_cut_may_refuse(struct sluice_checker *ck, const struct model_request *r);
void monitor_cut_refuse(struct sluice_checker *ck, bool refused);
void monitor_cut_finish(struct sluice_checker *ck);

// watch_counts.c

bool monitor_counts_open(struct sluice_checker *ck);
void monitor_counts_close(struct sluice_checker *ck);
/// A control packet goes to the chip; a packet has arrived.
void monitor_counts_control(struct sluice_checker *ck, const uint8_t *bytes, size_t len);
void monitor_counts_arrives(struct sluice_checker *ck);

// watch_keys.c

bool monitor_keys_open(struct sluice_checker *ck);  // false: out of memory
void monitor_keys_close(struct sluice_checker *ck);
/// A control packet goes to the chip: entries that it writes, as they are before it.
void monitor_keys_control(struct sluice_checker *ck, const uint8_t *bytes, size_t len);
/// The lookups of a packet behind its front stages: what the chip `shown`, if that is valid and can
/// be right, else what the table gives now.
void monitor_keys(struct sluice_checker *ck, const struct monitor_packet *p,
                  const struct sluice_model_packet *packet, const struct monitor_shown *shown,
                  struct sluice_model_phv *phv);

// watch_rates.c

/// Whether the filter may say RATE of a packet that passes its other checks.
bool monitor_rate_may(const struct sluice_checker *ck, const struct monitor_packet *packet);
/// RATE_LIMIT of a row was something else before.
void monitor_rate_changed(struct sluice_checker *ck, unsigned row, uint64_t before);
/// The filter let a packet pass, or dropped it for RATE.
void monitor_rate(struct sluice_checker *ck, const struct monitor_packet *packet, bool dropped);
// watch_out.c

/// The packet as it leaves, and its length. `header`: its first bytes behind the egress stages;
/// NULL: it goes through none. `bytes` has room for SLUICE_MODEL_MAX_LEN.
unsigned monitor_leaves(const struct monitor_packet *packet, const uint8_t *header, uint8_t *bytes);
/// Frees a packet of which nothing is left.
void monitor_release_if_done(struct sluice_checker *ck, struct monitor_packet *packet);

// watch_egress.c

bool monitor_egress_open(struct sluice_checker *ck);  // false: out of memory
void monitor_egress_close(struct sluice_checker *ck);
/// The queues of the ports in `accepted` have taken a copy each.
void monitor_egress_accepts(struct sluice_checker *ck, struct monitor_packet *packet,
                            uint64_t accepted);
/// A copy is on the wire: the first bytes that it must have, NULL: it must not be there at all;
/// then it is done with.
const uint8_t *monitor_egress_sends(struct sluice_checker *ck, unsigned lane,
                                    struct monitor_packet *packet, unsigned port);
void monitor_egress_sent(struct sluice_checker *ck, unsigned lane, struct monitor_packet *packet,
                         unsigned port);

// watch_in.c

/// Its last beat came in: from here on somebody may watch it. `first_cycle`: of its first beat.
void monitor_watch(struct sluice_checker *ck, struct monitor_packet *packet, uint64_t first_cycle);

// watch_merge.c

/// A lane has accepted a packet; the order point disposes of it.
void monitor_merge_arrives(struct sluice_checker *ck, struct monitor_packet *packet);
void monitor_merge_disposed(struct sluice_checker *ck, const struct monitor_packet *packet);
/// In each cycle behind all verdicts: packets that get their places.
void monitor_merge_cycle(struct sluice_checker *ck);

// watch_wires.c: fast ports

/// A packet begins on a stream; it ends, and belongs to the wire.
void monitor_wire_begins(struct sluice_checker *ck, unsigned stream);
void monitor_wire_ends(struct sluice_checker *ck, unsigned stream, struct monitor_packet *packet,
                       uint64_t first_cycle);
/// The packet of which a lane gives its verdict; NULL: it has none.
struct monitor_packet *monitor_wire_judged(struct sluice_checker *ck, unsigned lane,
                                           unsigned reason);
/// In each cycle behind all verdicts: who arrives. The order point has disposed of a packet. A
/// cycle ends.
void monitor_wires_arrive(struct sluice_checker *ck);
void monitor_wire_disposed(struct sluice_checker *ck, struct monitor_packet *packet);
void monitor_wires_cycle(struct sluice_checker *ck);
/// A copy has left.
void monitor_wire_leaves(struct sluice_checker *ck, const struct monitor_packet *packet,
                         unsigned stream, unsigned port);
/// Whether a packet of an overlay row has come and was not judged.
bool monitor_wires_row(const struct sluice_checker *ck, unsigned row);
bool monitor_wires_idle(const struct sluice_checker *ck);
void monitor_wires_finish(struct sluice_checker *ck);
void monitor_wires_close(struct sluice_checker *ck);

// watch_again.c

/// A packet left the deparser of its lane: its token, and the copy that is recirculated, if
/// `accepted` names its port. `unpaid`: it was refused for want of a token.
void monitor_again_leaves(struct sluice_checker *ck, const struct monitor_packet *packet,
                          uint64_t accepted, uint64_t refused, bool unpaid);
/// A beat of the bus. False: it passes at once.
bool monitor_again_waits(struct sluice_checker *ck, unsigned lane, const struct monitor_beat *beat);
/// Ends a cycle: of each lane a beat that waits passes, if no recirculated one did.
void monitor_again_cycle(struct sluice_checker *ck);
bool monitor_again_idle(const struct sluice_checker *ck);
void monitor_again_close(struct sluice_checker *ck);
void monitor_beat_in(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                     const struct monitor_beat *beat);
/// A beat of the bus. True: it is of a packet that gives way, and goes no further.
bool monitor_again_way(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                       const struct monitor_beat *beat);
/// A beat more of a packet of the bus, which is open. The packet behind its last beat, else NULL.
struct monitor_packet *monitor_join(struct sluice_checker *ck, struct monitor_assembly *a,
                                    uint64_t cycle, unsigned lane, const struct monitor_beat *beat);

/// Adds a beat of at most `full` bytes; `data` above `keep` is ignored. Returns false for a beat
/// with a gap.
bool monitor_append(struct monitor_assembly *a, unsigned full, const uint8_t *data, uint64_t keep,
                    bool last);

/// Places of a lane (sw/model/watch_places.c): a packet begins, with so many bytes of its first
/// beat; the lane has judged it; it waits for the order point (1), or no longer (-1).
void monitor_places_begin(struct sluice_checker *ck, unsigned lane, const uint8_t *bytes);
void monitor_places_judged(struct sluice_checker *ck, const struct monitor_packet *packet,
                           unsigned reason);
void monitor_places_waits(struct sluice_checker *ck, const struct monitor_packet *packet,
                          int change);

/// Counts a dropped packet and frees it. row -1: no module can be named.
void monitor_drop(struct sluice_checker *ck, struct monitor_packet *packet, unsigned reason,
                  int row);

/// A packet as the model takes it.
struct sluice_model_packet monitor_model_packet(const struct monitor_packet *packet);

/// The packet inside with this ticket, or NULL.
struct monitor_packet *monitor_inside(const struct sluice_checker *ck, uint64_t ticket);
/// Takes it out and frees it.
void monitor_release(struct sluice_checker *ck, struct monitor_packet *packet);
/// Full ticket of the youngest packet whose ticket ends in the bits of `mask`; UINT64_MAX: none was
/// admitted.
uint64_t monitor_ticket(const struct sluice_checker *ck, uint64_t low, uint64_t mask);

/// Counts a packet just admitted (or, `change` -1, at its deparser) for the order queues it needs.
void monitor_needs(struct sluice_checker *ck, const struct monitor_packet *packet, int change);

/// Puts the state operations of a packet just admitted into the order of their slots, and takes out
/// those left over.
void monitor_expect_ops(struct sluice_checker *ck, struct monitor_packet *packet);
void monitor_forget_ops(struct sluice_checker *ck, struct monitor_packet *packet);

// ---- the references (second.c) ------------------------------------------------------------------

void reference_close(struct sluice_checker *ck);
const struct sluice_model_filter *reference_filter(const struct sluice_checker *ck);
void reference_bitmap(struct sluice_checker *ck, uint32_t bitmap);
void reference_bank(struct sluice_checker *ck, uint32_t bank);
void reference_inside(struct sluice_checker *ck, unsigned bank, uint32_t rows);
void reference_sets(struct sluice_checker *ck, unsigned sets);
void reference_cut_ask(struct sluice_checker *ck, uint32_t rows);
void reference_cut_take(struct sluice_checker *ck);
void reference_cut_open(struct sluice_checker *ck, uint32_t rows);
void reference_flip_watch(struct sluice_checker *ck, unsigned stage, uint32_t slots);
unsigned reference_flip_status(const struct sluice_checker *ck);
void reference_flip(struct sluice_checker *ck, uint32_t bank);
bool reference_control(struct sluice_checker *ck, const uint8_t *bytes, size_t len,
                       struct sluice_model_answer *answer);
void reference_place(struct sluice_checker *ck, unsigned stage, const struct monitor_mark *m,
                     uint32_t words[SLUICE_MODEL_WORDS], const uint32_t *to);
struct sluice_model_verdict reference_classify(const struct sluice_checker *ck,
                                               const struct sluice_model_filter *filter,
                                               uint32_t banks,
                                               const struct sluice_model_again *again,
                                               const uint8_t *bytes, unsigned len);
void reference_mute(const struct sluice_checker *ck, bool mute);
unsigned reference_front(const struct sluice_checker *ck, const struct sluice_model_packet *packet,
                         struct sluice_model_phv *phv);
void reference_pass_over(struct sluice_checker *ck, const struct sluice_model_packet *packet,
                         const struct sluice_model_phv *phv);
void reference_admit(struct sluice_checker *ck, const struct sluice_model_packet *packet,
                     struct sluice_model_phv *phv, struct sluice_model_result *result);
bool reference_mark(const struct sluice_checker *ck, const struct sluice_model_packet *packet,
                    struct sluice_model_result *result);
unsigned reference_leave(const struct sluice_checker *ck, const struct sluice_model_packet *packet,
                         const struct sluice_model_result *result, uint8_t *bytes);
void reference_egress(struct sluice_checker *ck, const struct sluice_model_copy *copy,
                      struct sluice_model_egressed *result);
uint64_t reference_count(const struct sluice_checker *ck, enum sluice_table table, unsigned stage,
                         unsigned index);
bool reference_state(const struct sluice_checker *ck, unsigned row, unsigned stage, unsigned index,
                     uint32_t *s1, uint32_t *s2);
bool reference_lane_state(const struct sluice_checker *ck, unsigned row, unsigned stage,
                          unsigned lane, unsigned index, uint32_t *s1, uint32_t *s2);
bool reference_row(const struct sluice_checker *ck, unsigned row, unsigned stage, unsigned index,
                   uint32_t words[SLUICE_MODEL_WORDS]);
uint32_t reference_faults(const struct sluice_checker *ck, unsigned id);
