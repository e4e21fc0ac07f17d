// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/chip.h>
#include <sluice/event.h>

#include "../plan/plan.h"
#include "../wire/queue.h"
#include "../wire/wire.h"

/// A chip (sluice/chip.h) from inside: the one room of the driver that sends. It has the plan that
/// the chip is to hold, makes changes packets (wire/pack.h), sends them through a transport and
/// reads back what became of them.
///
/// chip_control.c asks, chip_run.c sends a list of changes until it is there, chip_audit.c compares
/// and chip_apply.c goes to another plan by Menshen's procedure, chip_update.c by a flip. The other
/// files are one ability each. carry.h: state that moves to another version of a program.
/// packets.h: the packets of a plan for whoever sends them another way.

/// Entries of ids of capsules that are to be sent together (chip_active.c).
enum { CHIP_GATHER = 64, CHIP_GATHER_BYTES = 8 };
struct chip_gathered {
  bool on;
  unsigned num;
  struct chip_at {
    enum sluice_table table;
    unsigned stage, bank, id, row;  // `row` is that of its module in the bank (writes)
  } at[CHIP_GATHER];
  uint8_t bytes[CHIP_GATHER][CHIP_GATHER_BYTES];
};

enum { CHIP_WATCHES = 20 };  // registers FLIP.WATCH, one a back stage

/// A chip from inside: chip.c finds it and reads its registers, chip_control.c has the control
/// port, chip_run.c sends what must be changed, chip_apply.c does so by Menshen's procedure,
/// chip_update.c while packets go on, chip_fill.c looks whether fills were done, chip_audit.c reads
/// tables back, chip_state.c has the arrays, chip_cut.c those of a cut, chip_table.c entries of
/// tables, chip_count.c what they count, chip_transact.c both in one, chip_flip.c the flip,
/// chip_event.c the packets that leave, chip_group.c the groups of ports.
struct sluice_chip {
  struct sluice_transport *to;
  const struct sluice_config *config;
  struct sluice_chip_options options;
  struct sluice_alloc alloc;
  struct sluice_plan *plan;  // what is on the chip
  // Bits of CHIP.BITMAP: the caller's, and those of a procedure under way
  uint32_t bitmap, held;
  uint32_t recall, called;  // bits of CHIP.RECALL, likewise
  uint16_t serial;          // of the last read
  bool together;            // several reads may be under way
  struct chip_gathered gathered;
  // a change failed, and so did the way back: any table may hold anything
  bool unsure;
  bool was_reset;    // not by us: the plan is not there
  uint32_t counted;  // CHIP.RECONFIG_COUNT when it was read last
  uint32_t bank;     // CHIP.BANK
  // Rows of which packets of the bank that is not taken any more may be inside
  uint32_t undrained;
  // a flip of `pending_rows` to this plan that may have been done; NULL: there is none
  struct sluice_plan *pending;
  uint32_t pending_rows;
  uint32_t cut_rows;  // of the cut that is there; 0: none, or none of this handle
  // The change under way is one of malleables and tables: state stays where it is, so a cut that
  // ends may go on ending
  bool only_params;
  bool untimed;  // nobody asks how long packets took to leave: no register is read for it
  // Asked before the flip; NULL: nobody
  enum sluice_status (*check)(void *user, struct sluice_error *error);
  void *check_user;
  uint32_t cut_ticket;
  // Guarded flips: what FLIP.WATCH says of each back stage, if that is known; the change under way
  // is to fail if what is watched was accessed since the cut `guard_since`.
  uint32_t watch[CHIP_WATCHES];
  bool watch_known, guard;
  uint32_t guard_since;
  // What entries have counted, by stage, engine (ternary, cuckoo) and place; NULL: nothing yet.
  // counts_known: all that stood anywhere since reset was put there by this handle.
  struct chip_count *counts[SLUICE_TABLES_STAGES][2];
  bool counts_known;
  uint64_t count_serial;  // of the entry that was added last
  // Packets that have left and were not asked for: of the CPU port, and of the others
  bool has_cpu;
  unsigned cpu_port;
  struct transport_queue events, packets;
  struct sluice_event_counts event_counts;
  // Ports of groups (chip_group.c), by row of PORT_MASK; NULL: none was set
  uint64_t *groups;
  struct sluice_changes left;  // the way back of a change of tables that was not walked to its end
  struct sluice_chip_line line;
  struct sluice_frame frame;
  struct sluice_answer answer;
};

/// One write of CHIP.BANK that turns the bits `rows`; `since` not NULL: a guarded flip, which fails
/// if what is watched was accessed since that cut (TOUCHED). The chip refuses the write while a
/// control packet is on its way, and an answer can be lost where the write was not: what counts is
/// what the register says. NOT: it stays as it was. UNKNOWN: the next call finds out.
enum chip_flip { CHIP_FLIP_NOT, CHIP_FLIP_DONE, CHIP_FLIP_UNKNOWN, CHIP_FLIP_TOUCHED };
enum chip_flip chip_flip(struct sluice_chip *chip, uint32_t rows, const uint32_t *since,
                         struct sluice_error *error);
/// Whether all of these changes are of tables that packets read behind the order point.
bool chip_behind_order(const struct sluice_config *config, const struct sluice_changes *changes);

#define CHIP_TRY SLUICE_TRY
#define CHIP_REG(BLOCK, INSTANCE, NAME)                                      \
  ((uint32_t)(SLUICE_##BLOCK##_BASE + SLUICE_##BLOCK##_STRIDE * (INSTANCE) + \
              SLUICE_##BLOCK##_##NAME))

enum {
  CHIP_POLL_CYCLES = 64,     // between two looks at a register
  CHIP_IDLE_POLLS = 64,      // without any change: nothing more will come
  CHIP_RECALL_POLLS = 4000,  // until all indices are at home
  // From a write of CHIP.BITMAP or CHIP.BANK until a packet that passed the filter before it counts
  // as inside.
  CHIP_FILTER_CYCLES = 64,
};

/// The same register of `num` instances, added up.
enum sluice_status chip_sum(struct sluice_chip *chip, uint32_t addr, uint32_t stride, unsigned num,
                            uint64_t *sum, struct sluice_error *error);

/// Sends chip->frame.
enum sluice_status chip_send(struct sluice_chip *chip, struct sluice_error *error);
/// Registers that follow each other, in one access if the line can do so.
enum sluice_status chip_read_many(struct sluice_chip *chip, uint32_t addr, unsigned num,
                                  uint32_t *values, struct sluice_error *error);
/// CHIP.RECONFIG_COUNT and CHIP.RECONFIG_BAD.
struct chip_counts {
  uint32_t good, bad;
};
enum sluice_status chip_counts(struct sluice_chip *chip, struct chip_counts *counts,
                               struct sluice_error *error);
/// Waits until `num` packets more than in `before` are counted and, if there were `fills`, none is
/// running. *arrived: all of them as good ones. Ends also when nothing is counted any more.
enum sluice_status chip_arrive(struct sluice_chip *chip, const struct chip_counts *before,
                               unsigned num, bool fills, bool *arrived, struct sluice_error *error);

/// A request for entries.
struct chip_query {
  enum sluice_table table;
  unsigned stage, index, count, copy, row;
};
/// Reads them, asking again while the answer does not come or is another's. The entries go into
/// chip->answer. SLUICE_ERR_IO: no answer after options.tries; SLUICE_ERR_RANGE: the chip refuses.
enum sluice_status chip_query(struct sluice_chip *chip, const struct chip_query *query,
                              struct sluice_reconfig *answer, struct sluice_error *error);
/// The same for several, each handed to `take` as its answer comes, in any order; the next is asked
/// before the answer to the one before is there.
typedef void chip_take(void *user, size_t n, const struct sluice_reconfig *answer);
enum sluice_status chip_query_all(struct sluice_chip *chip, const struct chip_query *queries,
                                  size_t num, chip_take *take, void *user,
                                  struct sluice_error *error);
/// Most entries of a table that one query can ask for.
unsigned chip_query_max(const struct sluice_chip *chip, enum sluice_table table);

/// An array of a module, by name, of which entries first..first+num-1 are wanted: its segment, and
/// which word of it. An array of egress stages may be named with a lane ("last@lane 1", or
/// "last@port 3": the lane of this port); without one `lane` is CHIP_NO_LANE.
enum { CHIP_NO_LANE = 0x7fffffff };
enum sluice_status chip_find_array(const struct sluice_chip *chip, unsigned vid, const char *array,
                                   unsigned first, unsigned num,
                                   const struct sluice_segment **segment, unsigned *word,
                                   unsigned *lane, struct sluice_error *error);
/// Entries of arrays that are wanted together.
struct chip_part {
  const struct sluice_segment *segment;
  unsigned word, first, num;
  unsigned lane;  // 0 but for egress stages
  uint32_t *values;
};
enum sluice_status chip_read_parts(struct sluice_chip *chip, enum sluice_table table,
                                   const struct chip_part *parts, unsigned num,
                                   struct sluice_error *error);
/// Writes both words of all entries of a segment that has just been filled; NULL: the word of its
/// fill. Entries that are as filled are left out. No packet may access them meanwhile.
enum sluice_status chip_state_put(struct sluice_chip *chip, const struct sluice_segment *s,
                                  const uint32_t *s1, const uint32_t *s2,
                                  struct sluice_error *error);

/// Before modules are changed: ends a cut that is there, as another handle has begun it, and waits
/// until the next one can begin; refused if this handle has begun it.
enum sluice_status chip_cut_closed(struct sluice_chip *chip, struct sluice_error *error);

/// Calls the indices of the modules in `rows` home (CHIP.RECALL), and returns when they are there.
/// They stay until chip_move_again; those of other modules go on moving. Where nothing can move it
/// does nothing.
enum sluice_status chip_recall(struct sluice_chip *chip, uint32_t rows, struct sluice_error *error);
enum sluice_status chip_move_again(struct sluice_chip *chip, uint32_t rows,
                                   struct sluice_error *error);
/// All rows of a chip.
uint32_t chip_all_rows(const struct sluice_chip *chip);

/// Finds a change by its place, in a list of any length.
struct chip_index {
  const struct sluice_change *list;
  uint32_t *heads, *next;  // NULL: the list is short
  size_t num, num_heads;
};
/// Of several changes of one place the last is found, or the first. False: out of memory.
bool chip_index_make(struct chip_index *index, const struct sluice_change *list, size_t num,
                     bool first, const struct sluice_alloc *alloc);
void chip_index_release(struct chip_index *index, const struct sluice_alloc *alloc);
const struct sluice_change *chip_index_find(const struct chip_index *index, enum sluice_table table,
                                            unsigned stage, unsigned at);

/// The value that each entry of a table must have: the plan's, in both banks. If `list` changes the
/// entry, its last value there. If `ahead`, which has not been sent yet, changes it: the value that
/// its first change finds there.
struct chip_expect {
  const struct sluice_plan *plan;
  const struct sluice_change *list;
  size_t num;
  const struct sluice_change *ahead;
  size_t num_ahead;
  struct chip_index by_list, by_ahead;  // private
  bool seen_alone;                      // compare only what packets of the banks in chip->bank find
  // No packet finds what is written: entries and the rows of actions that they name come in any
  // order
  bool hidden;
  const uint64_t *groups;  // private
};
/// The entry as the chip must answer it. Returns whether the plan, or a write of the list, has it.
bool chip_expect(const struct sluice_config *config, const struct chip_expect *expect,
                 enum sluice_table table, unsigned stage, unsigned index, uint8_t *bytes);
/// Sends changes (packets all of them) until the chip holds them. Under suspicion that any packet
/// was lost or damaged all tables must be right, twice in a row. An empty list: all tables, if the
/// chip is `unsure`.
enum sluice_status chip_run(struct sluice_chip *chip, const struct chip_expect *expect,
                            const struct sluice_change *list, size_t num,
                            struct sluice_error *error);

/// Changes on the way to a plan, of which some wait for others (sluice_change.step): step after
/// step, each read back. *started: so many changes may have been done, however it ends; NULL is
/// allowed.
enum sluice_status chip_run_steps(struct sluice_chip *chip, const struct sluice_plan *plan,
                                  const struct sluice_change *list, size_t num, size_t *started,
                                  struct sluice_error *error);
/// Walks a way back to the chip's plan. What could not be done is done before the next change
/// (chip_settle): the list is taken over then.
enum sluice_status chip_go_back(struct sluice_chip *chip, struct sluice_changes *back,
                                struct sluice_error *error);

/// Finds out what became of a flip without an answer.
enum sluice_status chip_resolve(struct sluice_chip *chip, struct sluice_error *error);
/// Finishes what an earlier change has left undone. Every change begins with it.
enum sluice_status chip_settle(struct sluice_chip *chip, struct sluice_error *error);
/// sluice_chip_update_plan of a settled chip; it takes `next` over.
enum sluice_status chip_update_to(struct sluice_chip *chip, struct sluice_plan *next,
                                  struct sluice_update_report *report, struct sluice_error *error);
/// Loads the plan, and the groups, into a chip that was reset.
enum sluice_status chip_restore(struct sluice_chip *chip, struct sluice_error *error);
/// Groups of this handle into a chip that has none of them; those of a chip that another handle has
/// set, into this one.
enum sluice_status chip_groups_restore(struct sluice_chip *chip, struct sluice_error *error);
enum sluice_status chip_groups_adopt(struct sluice_chip *chip, struct sluice_error *error);
/// Tells a plan that the chip is to get which rows are groups. SLUICE_ERR_EXISTS: a module of it
/// has such a row.
enum sluice_status chip_groups_beside(const struct sluice_chip *chip, struct sluice_plan *plan,
                                      struct sluice_error *error);
/// What was taken over as a group and is a module's in this plan is none.
void chip_groups_drop(struct sluice_chip *chip, const struct sluice_plan *plan);
void chip_groups_release(struct sluice_chip *chip);
/// Waits until the chip is ready.
enum sluice_status chip_ready(struct sluice_chip *chip, struct sluice_error *error);
/// The row that packets of an overlay row find now: in bank 1 behind those of bank 0.
unsigned chip_bank_row(const struct sluice_chip *chip, unsigned row);

// chip_count.c

/// Entries of match engines are about to be written: what the places that they take have counted
/// goes to those that stood there.
enum sluice_status chip_counts_before(struct sluice_chip *chip, const struct sluice_change *list,
                                      size_t num, struct sluice_error *error);
struct sluice_table_change;
/// Around a change of tables: an entry that it takes out and adds again begins with 0. *tables: the
/// table of each change, for the second call, which frees it; NULL: there is no such entry. The
/// names in `changes` may be those of the plan, which the change frees. False: no memory.
bool chip_counts_watch(struct sluice_chip *chip, const struct sluice_table_change *changes,
                       unsigned num, uint32_t **tables);
void chip_counts_watched(struct sluice_chip *chip, const struct sluice_table_change *changes,
                         unsigned num, uint32_t *tables);
/// The chip was reset: all counters are 0. And: frees what there is.
void chip_counts_reset(struct sluice_chip *chip);
void chip_counts_release(struct sluice_chip *chip);

/// Compares all tables with what they shall hold, in `copies` pipelines. With `repair`, what
/// differs is written again. *wrong counts; the first goes into `first` (NULL is allowed).
enum sluice_status chip_compare(struct sluice_chip *chip, const struct chip_expect *expect,
                                unsigned copies, bool repair, unsigned *wrong,
                                struct sluice_error *first, struct sluice_error *error);
/// What the chip must answer for the entry at a place.
void chip_expected(const struct sluice_config *config, const struct sluice_plan *plan,
                   enum sluice_table table, unsigned stage, unsigned index, uint8_t *bytes);
/// Whether an entry that was read is the expected one.
bool chip_holds(const struct sluice_config *config, enum sluice_table table, const uint8_t *got,
                const uint8_t *expected);
/// Before a FILL is sent (chip_fill.c): *ahead: the ends of its segment, which is a long one, hold
/// another value. *sound: nothing was lost or damaged. Behind it: whether the segment holds the
/// fill's value; with `ahead` its ends are looked at, without it all entries.
enum sluice_status chip_fill_ahead(struct sluice_chip *chip, const struct sluice_change *fill,
                                   bool *ahead, bool *sound, struct sluice_error *error);
enum sluice_status chip_filled(struct sluice_chip *chip, const struct sluice_change *fill,
                               bool ahead, bool *filled, struct sluice_error *error);

/// Bits of CHIP.BITMAP for rows that must stand still; returns when none of their packets is
/// inside. `empty`: when no packet at all is.
enum sluice_status chip_hold(struct sluice_chip *chip, uint32_t rows, bool empty,
                             struct sluice_error *error);
enum sluice_status chip_let_go(struct sluice_chip *chip, uint32_t rows, struct sluice_error *error);
