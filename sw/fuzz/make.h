// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../base/rng.h"
#include "../driver/plan/plan.h"
#include "../driver/wire/wire.h"
#include "fuzz.h"

/// Inside the maker of cases. Everything random comes from one of few streams, so that a change
/// of one part leaves the other parts of a seed's case as they were.
enum {
  MAKE_MODULES = 6,  // at most
  MAKE_WORDS = 12,   // values that packets are made of
  MAKE_WRITES = 4096,
  MAKE_ROWS = 1024,    // match rows of a stage, at most
  MAKE_OWN_ROWS = 16,  // of them of one module, at most
  MAKE_IDS = 10,       // of capsules, at most
  MAKE_TEMPLATES = 64,
  MAKE_KEYS = 40,  // keys of the array match of a module, at most
};

/// An entry to write, with the header fields that its table needs.
struct make_write {
  enum sluice_table table;
  unsigned stage, index, row;
  uint8_t bytes[SLUICE_ENTRY_BYTES];
};

/// State of a module at a back stage with state.
struct make_segment {
  bool there, pinned;
  unsigned base, range, pipe;
  unsigned index;  // operand
};

/// Match rows that a module has at a stage, and by which of its banks each is seen: bits.
struct make_own {
  unsigned num;
  uint16_t rows[MAKE_OWN_ROWS];
  uint8_t seen[MAKE_OWN_ROWS];
  bool written[MAKE_OWN_ROWS];
  bool erased[MAKE_OWN_ROWS];                                 // perhaps, before the first packet
  uint8_t match[MAKE_OWN_ROWS][(SLUICE_MATCH_BITS + 7) / 8];  // as written last
};

/// Which segment a bank of a module uses at a stage: as far as it is known.
enum make_place { MAKE_FIRST, MAKE_SPARE, MAKE_UNKNOWN };

struct make_module {
  unsigned vid, row;
  unsigned live;         // the bank that packets take
  unsigned bank, entry;  // that is being made: bank x NumModules + row
  unsigned first;        // pipeline of its set
  // By stage number: of back stages with state, and of egress stages
  struct make_segment segments[SLUICE_MAX_STAGES];
  struct make_own own[SLUICE_MAX_STAGES];
  struct make_segment areas[SLUICE_MAX_BACK];  // where its capsules have memory
  // With updates: the first segments, a second one a stage, which of them a bank uses, and which
  // the bank that is being made used before.
  struct make_segment first_segments[SLUICE_MAX_BACK], spare[SLUICE_MAX_BACK];
  enum make_place place[2][SLUICE_MAX_BACK], was[SLUICE_MAX_BACK];
};

/// An id of capsules, and its regions as they are before the first packet.
struct make_region {
  bool there, sharded;
  unsigned pipe, base;
  uint32_t low, high;
};
struct make_id {
  unsigned id, module;  // module: number in make.modules
  uint32_t low;         // where most of its regions begin
  struct make_region regions[SLUICE_MAX_BACK];
};

/// Keys of the array match that packets of a module have, and where its array is at first.
struct make_keys {
  unsigned num, offset;
  uint32_t pool[MAKE_KEYS];
};

/// A packet with a program, from EtherType to the end of the list.
struct make_capsule {
  unsigned vid, len;  // len: with room for addresses behind the list
  uint8_t head[128];
};

struct make {
  struct fuzz_case *c;
  const struct sluice_config *config;
  struct sluice_rng *rng;  // the stream in use
  struct sluice_rng tables, traffic, modes, sets, updates, marks, moves, cuts, capsules, arrays,
      keys, again, egress, counts, fast, merge;
  bool updating;            // the case has updates
  bool cutting;             // the case has cuts
  struct fuzz_frames *out;  // where frames go
  unsigned num_modules;
  struct make_module modules[MAKE_MODULES];
  struct make_keys keys_of[MAKE_MODULES];
  // Ordered merge: byte of a packet at which its key is, 0: it has none; how keys follow one
  // another; the last one
  unsigned merge_at, merge_kind;
  uint32_t merge_value;
  struct make_module quiet;  // with arrays, or egress stages: a row of tables without packets
  uint16_t words[MAKE_WORDS];
  unsigned num_ids, num_templates, capsule_share;  // share: percent
  struct make_id ids[MAKE_IDS];
  struct make_capsule templates[MAKE_TEMPLATES];
  const struct make_capsule *capsule;  // NULL: the packet that is made is none
  size_t num_writes;
  struct make_write *writes;
  // tables TERNARY and CUCKOO behind the frames so far: see make_place
  uint8_t *places[2][SLUICE_MAX_STAGES];
};

/// Adds an entry, all zero, to what will be written; never NULL (the last one is reused when full).
struct make_write *make_add(struct make *m, enum sluice_table table, unsigned stage,
                            unsigned index);

/// The parts, in the order in which they are made.
void make_packet_tables(struct make *m);  // modules, parser, deparser, ports
void make_state_tables(struct make *m);   // segments, accesses, fills, hash units
void make_stages(struct make *m);         // key, mask, match, action, state instructions
void make_shares(struct make *m);         // of the modules
void make_rates(struct make *m);          // of the modules, in a chip with rate limits
void make_classes(struct make *m);        // of the modules, in a chip with output classes
/// In a chip with counters of entries: values before the first packet, reads and writes under
/// traffic, in a case without other control packets then.
void make_first_counts(struct make *m);
void make_counting(struct make *m);
void make_updates(struct make *m);  // of modules under traffic, in a chip with two banks
void make_marks(struct make *m);    // of state under traffic, in a chip with marks
void make_cuts(struct make *m);     // of state under traffic, in a chip with shadow memories
void make_control(struct make *m);  // packets of all these, in some order, and bad ones
void make_traffic(struct make *m);

/// Cycles that the traffic takes, if nothing stops it.
uint64_t make_traffic_cycles(const struct fuzz_case *c);

/// The same for one module: its entries in the bank module->bank.
void make_module_tables(struct make *m, const struct make_module *module);
void make_module_state(struct make *m, struct make_module *module);
void make_module_values(struct make *m, const struct make_module *module, unsigned stage);
/// Its segment at a stage.
void make_segment(struct make *m, const struct make_module *module, unsigned stage);
/// The rows of a module that `bank` alone may have: those that its other bank does not see.
void make_module_rows(struct make *m, struct make_module *module, unsigned stage);
/// The frames of m->writes, and one of each extra kind, to m->out.
void make_send_writes(struct make *m);
void make_send(struct make *m, struct sluice_frame *frame);
void make_read(struct make *m, struct sluice_frame *frame);

/// The key of a module at a stage: the bits that count.
enum { MAKE_KEY_BITS = 3 };
struct make_key {
  unsigned num_bits, bits[MAKE_KEY_BITS];
};
/// Entries of the engines that the stage has, for packets of a module with this key; and the rows
/// of ACTION that only such entries and default actions name.
void make_engines(struct make *m, const struct make_module *module, unsigned stage,
                  const struct make_key *key);
/// The same in an update, at places that no packet sees: for the bank that is being made alone.
/// Then entries of the live bank that the other one shares; and, when the old bank is empty, those
/// that it alone saw go.
void make_engines_version(struct make *m, const struct make_module *module, unsigned stage,
                          const struct make_key *key);
void make_engines_shared(struct make *m, const struct make_module *module);
void make_engines_after(struct make *m, const struct make_module *module);
/// Entries that change their places while packets come, as a driver moves them: first the new
/// place, then the old one.
void make_entry_moves(struct make *m);

/// Entries of TERNARY and CUCKOO as the frames that were replayed leave them. NULL: the stage has
/// no such engine.
bool make_places_open(struct make *m);  // false: no memory
void make_places_close(struct make *m);
uint8_t *make_place(const struct make *m, enum sluice_table table, unsigned stage, unsigned index);
/// Frames number `from` on.
void make_replay(struct make *m, const struct fuzz_frames *frames, size_t from);
/// What of an entry says who sees it.
struct make_entry {
  bool valid;
  unsigned vid, not_bank;
};
struct make_entry make_entry(enum sluice_table table, const uint8_t *bytes);

void make_default_action(struct make *m, const struct make_module *module, unsigned stage);
void make_extra_actions(struct make *m, unsigned stage);
void make_data(struct make *m, uint8_t *entry, unsigned bits);

/// Recirculation, in a chip that has it: the entry of a module in its bank; a destination, with the
/// port of recirculation now and then; further passes of an id of capsules.
void make_module_again(struct make *m, const struct make_module *module);
unsigned make_again_dest(struct make *m, unsigned dest);
unsigned make_again_rounds(struct make *m);

/// Fast ports, in a chip that has them; else these do nothing: a destination, with all ports now
/// and then; how it is played.
unsigned make_fast_dest(struct make *m, unsigned dest);
void make_fast_play(struct make *m);

/// Ordered merge, in a chip that has it; else these do nothing: the parser entry of a module, with
/// the key; registers; the key of a packet.
void make_merge_open(struct make *m);
void make_merge_parser(struct make *m, uint8_t *entry);
void make_merge_play(struct make *m);
void make_merge_packet(struct make *m, uint8_t *frame);

/// Egress, in a chip with egress stages. Stages of all kinds, and whether one has state; the tables
/// of copies and what belongs to the state of their stages; slot 0 of an action there; a
/// destination, with more ports now and then; control packets while copies pass.
unsigned make_all_stages(const struct make *m);
bool make_is_egress(const struct make *m, unsigned stage);
bool make_holds_state(const struct make *m, unsigned stage);
void make_egress(struct make *m);
void make_egress_version(struct make *m, struct make_module *module);  // in another bank
uint32_t make_egress_slot(struct make *m);
unsigned make_egress_dest(struct make *m, unsigned dest);
void make_egress_control(struct make *m);

/// Capsules, in a chip that executes them. Places for their memory in a stage: like those of
/// segments, from `high` down and `lows` up. Ids of the modules; tables of a module in its bank;
/// whether its packets may be capsules.
void make_areas(struct make *m, unsigned stage, unsigned *high, unsigned *lows, unsigned *lowests);
void make_ids(struct make *m);
void make_module_capsules(struct make *m, struct make_module *module);
bool make_is_active(struct make *m);
/// Programs; whether a packet has one, and the length that it should have; then its bytes.
void make_capsules_open(struct make *m);
size_t make_capsule_begin(struct make *m, unsigned flow, size_t len);
void make_capsule_end(struct make *m, uint8_t *frame);

/// Arrays, in a chip that has them; else these do nothing. Where packets of a module have
/// their array; what an action row does with the row of words; contents.
void make_array(struct make *m, const struct make_module *module);
void make_array_instr(struct make *m, unsigned stage, unsigned row, bool state);
void make_row_values(struct make *m, unsigned row, unsigned stage, unsigned range);
/// A place for the state of the row without packets, behind those of the modules; its tables; and a
/// control packet for it while packets of others come. False: none.
void make_quiet(struct make *m, unsigned stage, unsigned *lows, const unsigned *lowests);
void make_quiet_tables(struct make *m);
bool make_quiet_mark(struct make *m, struct sluice_frame *frame);
/// A READ or WRITE of rows in place of one of entries. False: none.
bool make_row_mark(struct make *m, struct sluice_frame *frame, unsigned stage, unsigned row,
                   unsigned first, unsigned count);

/// Array match, in a chip that has one; else these do nothing. Which words of the array of a module
/// are keys, and entries for it, for the version that is made; entries that go when the old bank is
/// empty; words of a packet, before its checksums are right and behind that; control packets while
/// packets come, in place of a mark (false: none), or alone.
void make_keys(struct make *m, const struct make_module *module, unsigned offset);
void make_keys_after(struct make *m, const struct make_module *module);
void make_keys_packet(struct make *m, uint8_t *frame, size_t len, bool finished);
bool make_key_mark(struct make *m, struct sluice_frame *frame);
void make_key_marks(struct make *m);

/// One action word, one entry of the multiplier, and one state instruction.
void make_action(struct make *m, const struct make_module *module, unsigned stage, uint8_t *entry);
void make_multiply(struct make *m, uint8_t *entry);
void make_state_instr(struct make *m, uint8_t *entry);

// ---- choosing -----------------------------------------------------------------------------------

static inline unsigned pick(struct make *m, unsigned n) {
  return (unsigned)sluice_rng_below(m->rng, n);
}
static inline bool chance(struct make *m, unsigned percent) { return pick(m, 100) < percent; }
static inline uint32_t pick32(struct make *m) { return (uint32_t)(sluice_rng_next(m->rng) >> 32); }
/// One of the listed numbers.
#define PICK(M, ...)    \
  (((const unsigned[]){ \
      __VA_ARGS__})[pick(M, sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))])
/// A number that makes corner cases: small, a power of two and its neighbours, or anything.
uint32_t pick_value(struct make *m);
/// An operand: mostly a container that the chip has.
unsigned pick_operand(struct make *m);
unsigned pick_container(struct make *m, unsigned type);
