// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/layouts.h"

/// The reference: what a configured chip computes, on one logical pipeline, one packet after the
/// other. It is written from docs/machine.md alone. With the driver (sw/driver) it shares one
/// thing: the hash by which cuckoo engines find their entries (base/cuckoo.h).
///
///     struct sluice_model *m = sluice_model_open(config);
///     sluice_model_control(m, frame, len, NULL);               // configure
///     v = sluice_model_classify(sluice_model_filter(m), bytes, len);
///     reason = sluice_model_front(m, &packet, &phv);           // if v.reason is DROP_NONE
///     sluice_model_admit(m, &packet, &phv, &result);           // in the order of tickets
///
/// Nothing here can fail but open; after it no memory is allocated. One model belongs to one
/// thread.
///
/// State is kept as the chip keeps it, by stage, pipeline and slot, so that a segment that is moved
/// or resized finds the same contents. Segments of different modules may overlap when the
/// configuration is wrong; equivalence of chip and model is promised for disjoint segments only
/// (two modules at one slot, one of them through a state operation that is resolved elsewhere, have
/// no order that the chip keeps).
struct sluice_model;

enum {
  SLUICE_MODEL_HEADER = 128,  // bytes that parser and deparser reach, at most
  SLUICE_MODEL_MIN_LEN = 64,  // shortest and longest legal packet
  SLUICE_MODEL_MAX_LEN = 9216,
  SLUICE_MODEL_MODULES = 32,   // overlay rows of any configuration, at most
  SLUICE_MODEL_CLASSES = 8,    // of the output queues
  SLUICE_MODEL_BANKS = 2,      // configurations that a module can have
  SLUICE_MODEL_STAGES = 20,    // most back stages of any configuration
  SLUICE_MODEL_EGRESS = 4,     // most egress stages
  SLUICE_MODEL_TAKEN_AT = 44,  // instructions of a capsule begin here
  SLUICE_MODEL_REASONS = 32,   // values of the enumeration DROP
  SLUICE_MODEL_WORDS = 16,     // words of an array, at most
};

/// What travels beside a packet into its next pass (docs/machine.md, Recirculation).
struct sluice_model_again {
  uint8_t round;  // of the next pass: 1 in the second
  uint8_t row;    // overlay row of its module
  uint8_t port;   // ingress port of its first pass
  // A capsule goes on: destination and registers.
  bool continued;
  uint8_t dest;
  uint32_t mar, mbr, mbr2, hash[5];
  bool skip, returned, fault;
  uint16_t jump;
  // How many packets it found in its queue, and cycles until its arrival, any number: a matter of
  // load, so the caller says both. They are 0 in what the model gives.
  uint32_t depth, delay;
};

/// A packet as it stands on the bus.
struct sluice_model_packet {
  const uint8_t *bytes;
  unsigned len;
  unsigned port;     // ingress port
  uint32_t arrival;  // cycle of its last beat, low word
  // That it took when it arrived: of the filter's verdict. Behind the order point that of the PHV
  // counts, which a guarded flip may have turned
  unsigned bank;
  const struct sluice_model_again *again;  // NULL: its first pass
  unsigned lane;                           // of its port
};

/// Containers and metadata between two stages. Containers that the chip does not have stay 0.
struct sluice_model_phv {
  uint16_t b2[8];
  uint32_t b4[8];
  uint64_t b6[8];
  uint8_t vid;   // VID[7:0]; overlay row = vid modulo NumModules
  uint8_t bank;  // of the packet
  uint8_t dest;
  bool discard;
  bool mark;     // the order point saw congestion: a matter of load, so the caller says it
  uint16_t len;  // of the packet as it arrived
  // Chips with ArrayEntries, behind the front stages: its array, with what the lookups gave
  uint32_t words[SLUICE_MODEL_WORDS];
};

/// All that the filter looks at. Copied by value: a harness keeps the one from before a change.
struct sluice_model_filter {
  uint32_t bitmap;   // CHIP.BITMAP
  uint32_t bank;     // CHIP.BANK: of packets that arrive now
  uint32_t modules;  // NumModules
  // MODULE entries: bank x modules + overlay row
  uint32_t module[SLUICE_MODEL_BANKS * SLUICE_MODEL_MODULES];
};

/// What the filter says of a packet.
struct sluice_model_verdict {
  unsigned reason;  // SLUICE_DROP_NONE, or why it is dropped
  unsigned row;     // overlay row, if known
  unsigned bank;    // of that row
  bool known;       // its VLAN tag names the module of that row
};

/// What became of a packet at one back stage.
struct sluice_model_access {
  bool resolved;  // the order point found an access: a phantom was sent
  bool pinned;
  bool out_of_bounds;  // counted at the order point (ORDER.OUT_OF_BOUNDS): no access
  bool executed;       // a state operation happened, refused or not: the state probe fires
  bool refused;        // it read zeros and wrote nothing (BOUNDARY.REFUSED_OPS)
  bool array;          // with it came an operation on the row of words
  // a memory instruction of a capsule stands in place of the module's operation
  bool capsule;
  bool hit;        // a MATCH row was equal (BOUNDARY.HITS)
  uint8_t pipe;    // resolved: the pipeline
  uint32_t slot;   // sharded and resolved, or executed and not refused: the slot there
  uint64_t index;  // the same case: the logical index
};

/// The fate of an admitted packet. Bytes behind the header leave as they came.
struct sluice_model_result {
  unsigned reason;  // SLUICE_DROP_NONE, _DISCARD_BACK, _NO_DEST, _FORBIDDEN or _ROUNDS
  // Not dropped, but its module may not send to all of its ports
  bool some_forbidden;
  unsigned len;  // as it leaves
  // Bytes of a capsule that go, from byte SLUICE_MODEL_TAKEN_AT on
  unsigned taken_out;
  bool congestion;  // the ECN field was set to CE for the mark
  uint64_t ports;   // bit p: a copy for port p; 0 if dropped
  // For the copy of the recirculation port, whose number is NumPorts
  struct sluice_model_again again;
  // the first 128 bytes as they leave, those still in that are taken out
  uint8_t header[SLUICE_MODEL_HEADER];
  struct sluice_model_access access[SLUICE_MODEL_STAGES];  // of the back stages that the chip has
};

/// What the instruction of a capsule did at a back stage (docs/machine.md, Capsules). Registers are
/// MAR, MBR and MBR2. An instruction that is skipped is not executed, and changes none of them.
struct sluice_model_instruction {
  uint16_t bits;  // as in the packet, layout CAPSULE_INSTR
  bool skipped;   // a jump goes over it
  bool fault;     // a memory instruction that could not access its word
  bool complete;  // it ended the program
  bool jumped;    // what follows is skipped, up to the target
  uint32_t before[3], after[3];
};

/// What the array match made of the words of a packet (docs/machine.md, Array match). Bit i is word
/// i.
struct sluice_model_keys {
  uint32_t asked, found;  // words that are keys; of these: that have an entry
  bool stay;              // a key without one stays
  uint32_t before[SLUICE_MODEL_WORDS], after[SLUICE_MODEL_WORDS];
  int entry[SLUICE_MODEL_WORDS];  // of a key: number of its entry; -1: none
};

/// One step of a packet, for who wants to see its values: the parser, or a stage that has match
/// rows for its module. Pointers live during the call. The state words are those of the entry that
/// was accessed.
struct sluice_model_step {
  enum sluice_model_step_kind {
    SLUICE_STEP_PARSER,
    SLUICE_STEP_FRONT,
    SLUICE_STEP_KEYS,  // behind the front stages, if the module has keys
    SLUICE_STEP_BACK,
    SLUICE_STEP_EGRESS_PARSER,  // of a copy
    SLUICE_STEP_EGRESS
  } kind;
  unsigned stage;  // of the stages of its kind, from 0
  // MATCH row that was equal, -1: none, and nothing changed
  int row;
  // row >= 0, on a chip with more than exact rows: what gave it (SLUICE_MODEL_TERNARY, ...), and
  // the entry of that engine; else -1
  int engine;
  unsigned entry;
  // stage: what was compared with the rows, layout MATCH; zeros if it has no rows for the module
  const uint64_t *key;
  const struct sluice_model_phv *after;  // what the step left
  // Back stage: what the order point resolved, and what came of it; egress stage: what came of it,
  // in the output lane `pipe`; else NULL
  const struct sluice_model_access *access;
  // a state operation was executed (refused: it read zeros, and wrote nothing)
  bool state;
  uint32_t before[2], behind[2];  // state: both words before and behind it
  // Back stage: what the instruction of a capsule did; NULL: no capsule, or none here
  const struct sluice_model_instruction *instruction;
  // an array operation was executed: the row before and behind it, and what the packet carries
  // from then on: ArrayWords words each; else NULL
  const uint32_t *row_before, *row_behind, *words;
  const struct sluice_model_keys *keys;  // SLUICE_STEP_KEYS: what was looked up; else NULL
};
typedef void sluice_model_step_fn(void *user, const struct sluice_model_step *step);

/// Shows the steps of the packets of the next calls of sluice_model_front, _admit and _egress;
/// NULL: no more, as before the first call.
void sluice_model_watch(struct sluice_model *model, sluice_model_step_fn *step, void *user);

/// Returns a model in the state after reset, or NULL: out of memory, or a configuration that is not
/// legal.
struct sluice_model *sluice_model_open(const struct sluice_config *config);

/// The same in memory of the caller's: as many bytes as the first call says (0: not legal), aligned
/// as malloc aligns. There is nothing to close then; placing again resets it.
size_t sluice_model_bytes(const struct sluice_config *config);
struct sluice_model *sluice_model_place(void *memory, const struct sluice_config *config);

/// Frees the model; NULL is allowed.
void sluice_model_close(struct sluice_model *model);

/// The configuration it was opened with.
const struct sluice_config *sluice_model_config(const struct sluice_model *model);

/// What the chip answers to a READ. `expected` is a whole frame: the request's first 64 bytes with
/// OP changed, then each entry zero-padded to blocks of 64. len 0: no answer.
enum { SLUICE_MODEL_COUNT = 128, SLUICE_MODEL_ANSWER_LEN = 64 + 128 * SLUICE_MODEL_COUNT };
struct sluice_model_answer {
  size_t len;
  size_t entry_len, stride,
      num;  // bytes of an entry, distance of entries from byte 64 on, their number
  uint8_t bytes[SLUICE_MODEL_ANSWER_LEN];
};

/// Executes one packet of the control port. Returns true if the chip counts it in
/// CHIP.RECONFIG_COUNT, false if in CHIP.RECONFIG_BAD. `answer` (NULL: not wanted) gets what a READ
/// is answered with.
bool sluice_model_control(struct sluice_model *model, const uint8_t *bytes, size_t len,
                          struct sluice_model_answer *answer);

/// Compares a frame of the chip with the expected one, in the bytes that the specification defines.
/// Returns -1 if they agree, else the first byte that differs (the length of the shorter one if it
/// is too short).
long sluice_model_answer_compare(const struct sluice_model_answer *expected, const uint8_t *bytes,
                                 size_t len);

/// Sets CHIP.BITMAP.
void sluice_model_set_bitmap(struct sluice_model *model, uint32_t bitmap);

/// Sets CHIP.BANK: bit r is the bank of the packets of overlay row r that arrive from now on.
/// Returns false and changes nothing if the chip has one bank.
bool sluice_model_set_bank(struct sluice_model *model, uint32_t bank);

/// Says of which overlay rows packets that took `bank` are inside: a model has no time, so the
/// caller knows. Control packets are refused by it. 0 before the first call.
void sluice_model_set_inside(struct sluice_model *model, unsigned bank, uint32_t rows);

/// Sets CHIP.SETS: log2 of the number of sets of pipelines (docs/isolation.md). Like the chip it
/// takes log2 K for more than that.
void sluice_model_set_sets(struct sluice_model *model, unsigned sets);

/// Whether two pipelines are of one set.
bool sluice_model_same_set(const struct sluice_model *model, unsigned a, unsigned b);

/// On a chip with match engines beside the exact rows, default actions or data words: how often a
/// packet found its action at a stage, by what gave it. Lives in the model.
enum {
  SLUICE_MODEL_EXACT,
  SLUICE_MODEL_TERNARY,
  SLUICE_MODEL_CUCKOO,
  SLUICE_MODEL_DEFAULT,
  SLUICE_MODEL_FOUND
};
const uint64_t *sluice_model_found(const struct sluice_model *model);

/// Chips with EntryCounters. What an entry of a stage has counted, over all pipelines, layout
/// ENTRY_COUNT; `table` is MATCH_COUNT, TERNARY_COUNT or CUCKOO_COUNT, all must be there. And the
/// sum of two such values.
uint64_t sluice_model_count(const struct sluice_model *model, enum sluice_table table,
                            unsigned stage, unsigned index);
uint64_t sluice_model_count_sum(uint64_t a, uint64_t b);
/// From now on nothing is counted, or it is again: for calls of sluice_model_front that only ask.
void sluice_model_mute(struct sluice_model *model, bool mute);

/// Entry of RATE_LIMIT of an overlay row (no bank); 0 in a chip without.
uint64_t sluice_model_rate(const struct sluice_model *model, unsigned row);

/// Class of the module of an overlay row in the output queues; 0 in a chip without OutputClasses.
unsigned sluice_model_class(const struct sluice_model *model, unsigned row);

/// The filter as it is now; lives in the model.
const struct sluice_model_filter *sluice_model_filter(const struct sluice_model *model);

/// The filter's verdict on a well-formed packet (at least 64 bytes).
struct sluice_model_verdict sluice_model_classify(const struct sluice_model_filter *filter,
                                                  const uint8_t *bytes, unsigned len);

/// The same for a packet that is recirculated: by the module of row `again->row`, or not known.
/// NULL: it is not.
struct sluice_model_verdict sluice_model_classify_again(const struct sluice_model_filter *filter,
                                                        const struct sluice_model_again *again,
                                                        const uint8_t *bytes, unsigned len);

/// The RECIRCULATE entry of a row (bank x NumModules + overlay row); 0 in a chip without it.
uint32_t sluice_model_budget(const struct sluice_model *model, unsigned row);

/// Parser and front stages of a packet that passed the filter. Returns SLUICE_DROP_NONE with the
/// PHV at the order point, or SLUICE_DROP_DISCARD_FRONT. Touches no state: may be called at any
/// time, any number of times.
unsigned sluice_model_front(const struct sluice_model *model,
                            const struct sluice_model_packet *packet, struct sluice_model_phv *phv);

/// Admits a packet: order point, back stages, deparser. Calls must come in the order of tickets.
void sluice_model_admit(struct sluice_model *model, const struct sluice_model_packet *packet,
                        const struct sluice_model_phv *phv, struct sluice_model_result *result);

/// The packet is marked for congestion, as it leaves: a queue that it asks for is deep. What load
/// decides, the caller says. Returns whether that set the ECN field to CE.
bool sluice_model_mark(const struct sluice_model_packet *packet,
                       struct sluice_model_result *result);

/// A packet that the filter let pass and that is not admitted: its front stages have dropped it, or
/// the order point has. `phv` as sluice_model_front left it. Calls of this and of _admit must come,
/// of each lane, in the order of arrival: capsules are counted.
void sluice_model_pass_over(struct sluice_model *model, const struct sluice_model_packet *packet,
                            const struct sluice_model_phv *phv);

/// CAPSULES.FAULTS of an id: 0 if the chip does not have it.
uint32_t sluice_model_faults(const struct sluice_model *model, unsigned id);

/// The packet as it waits in the output queues, with what will be taken out of it: all of its
/// bytes, with this header. `bytes` has room for as many as came in, and may not be those of
/// `packet`.
void sluice_model_queued(const struct sluice_model_packet *packet, const uint8_t *header,
                         uint8_t *bytes);
/// What goes is taken out of `bytes`, `len` of them. Returns result->len.
unsigned sluice_model_take_out(const struct sluice_model_result *result, unsigned len,
                               uint8_t *bytes);
/// Both: the packet as it leaves, in a chip without egress stages.
unsigned sluice_model_leave(const struct sluice_model_packet *packet,
                            const struct sluice_model_result *result, uint8_t *bytes);

/// A copy on its way from a queue to its port (docs/machine.md, Egress).
struct sluice_model_copy {
  const uint8_t *bytes;  // as the deparser left it
  unsigned len;
  unsigned vid;   // VLAN id with which its packet arrived: names row and match entries
  unsigned bank;  // of its packet, behind the order point
  unsigned lane;  // output lane
  // The numbers of layout EGRESS_METADATA. `port` is PORT_OUT, `number` is COPY.
  unsigned port, number, depth_in, depth_out;
  uint32_t cycle, delay;
};

/// What became of it. Bytes behind the header leave as they came.
struct sluice_model_egressed {
  bool dropped;  // SLUICE_DROP_EGRESS
  // The first 128 bytes as they leave; those of a copy that is dropped mean nothing
  uint8_t header[SLUICE_MODEL_HEADER];
  struct sluice_model_access access[SLUICE_MODEL_EGRESS];  // pipe: the lane
};

/// Runs the egress function of a copy, in a chip with egress stages. Calls for one lane must come
/// in the order in which its copies leave the queues; lanes share nothing.
void sluice_model_egress(struct sluice_model *model, const struct sluice_model_copy *copy,
                         struct sluice_model_egressed *result);

/// The entry `index` of the segment of `row` (bank x NumModules + overlay row) at a back stage, as
/// a READ of STATE gives it. Returns false when it is outside the segment.
bool sluice_model_state(const struct sluice_model *model, unsigned row, unsigned stage,
                        unsigned index, uint32_t *s1, uint32_t *s2);

/// The same of egress stage `stage` (from 0), in an output lane.
bool sluice_model_lane_state(const struct sluice_model *model, unsigned row, unsigned stage,
                             unsigned lane, unsigned index, uint32_t *s1, uint32_t *s2);

/// The row of words beside that entry, as a READ of STATE_ROW gives it: those that the chip does
/// not have are 0. False as well for a stage without rows.
bool sluice_model_row(const struct sluice_model *model, unsigned row, unsigned stage,
                      unsigned index, uint32_t words[SLUICE_MODEL_WORDS]);

/// Cuts (docs/machine.md, Cuts), in a chip with CutStages; else these do nothing. A model has no
/// time, so the caller says when: a cut of the overlay rows in `rows` is asked for (from now on a
/// FILL of these modules is refused); it is taken (a READ of CUT gives the state as it is now); it
/// has ended, or was not asked for after all (rows 0).
void sluice_model_cut_ask(struct sluice_model *model, uint32_t rows);
void sluice_model_cut_take(struct sluice_model *model);

/// Guarded flips (docs/machine.md, Guarded flips), in a chip with FlipGuard: FLIP.WATCH of a stage
/// is written, or read; FLIP.STATUS, without bit 2; the flip itself, which the caller knows to be
/// allowed. What happens since the last cut the model sees in sluice_model_admit and _control.
void sluice_model_flip_watch(struct sluice_model *model, unsigned stage, uint32_t slots);
uint32_t sluice_model_flip_watched(const struct sluice_model *model, unsigned stage);
unsigned sluice_model_flip_status(const struct sluice_model *model);
void sluice_model_flip(struct sluice_model *model, uint32_t bank);

/// Entries of the segment of `row`, the same number, at a back stage, or at an egress stage by its
/// number of all (RANGE).
unsigned sluice_model_state_range(const struct sluice_model *model, unsigned row, unsigned stage);
