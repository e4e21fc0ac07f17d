// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CHIP_H
#define SLUICE_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <sluice/plan.h>
#include <sluice/transport.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// A chip and what is on it.
///
///     struct sluice_chip *chip;
///     status = sluice_chip_open(&chip, &to, NULL, &error);    // who is there?
///     status = sluice_chip_load(chip, image, 3, &error);      // for packets of VLAN 3
///     status = sluice_chip_state_read(chip, 3, "saved_hop", 0, 8, values, &error);
///     status = sluice_chip_replace(chip, newer, 3, &error);   // while others go on
///     sluice_chip_close(chip);
///
/// The chip's modules are a plan; load, replace and remove change the plan and bring the chip to
/// it. While that is done the packets of the modules concerned are dropped (Menshen's procedure):
/// (1) their bits of CHIP.BITMAP are set; (2) their packets that are inside the chip leave; (3) the
/// control packets are sent and CHIP.RECONFIG_COUNT is polled; (4) every entry is read back, and
/// what is not there is sent again; (5) the bits are cleared. No other module loses a packet.
///
/// Calls block. When one fails the plan is as it was before, and the text says what the chip is in:
/// usually as before, too; a module whose tables could not be made right stays blocked. One handle
/// belongs to one thread at a time.
struct sluice_chip;

/// How control packets are known to have arrived.
enum sluice_verify {
  // counted, and every entry read back (of long arrays their ends); all tables if anything was lost
  // or damaged
  SLUICE_VERIFY_READ = 0,
  SLUICE_VERIFY_COUNT,  // counted by CHIP.RECONFIG_COUNT: enough where nothing can be damaged
};

/// Zeros are the defaults.
struct sluice_chip_options {
  const char *chip;  // refuse any other configuration, "tiny"; NULL: take what is there
  // Do not reset the chip; it must be as after reset but for its counters, or be adopted
  bool keep;
  enum sluice_verify verify;
  // how often a packet is sent, or a table read, before giving up (64)
  unsigned tries;
  // wait for a blocked module's packets while others keep the chip busy (20,000)
  unsigned drain_cycles;
  const struct sluice_alloc *alloc;
};

/// Finds out which chip is there: layouts, register map and whole shape must be those of a
/// configuration that this software knows, SLUICE_ERR_FOREIGN otherwise: "the chip is 'b4w', not
/// 'b4'". Then resets it, unless told not to, and waits until it is ready. The transport must live
/// longer than the chip.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_open(struct sluice_chip **chip,
                                                      struct sluice_transport *to,
                                                      const struct sluice_chip_options *options,
                                                      struct sluice_error *error);
/// Whether several questions to the control port may be under way, and registers that follow each
/// other be read by one access: for lines on which an access takes long. Off at first.
void sluice_chip_together(struct sluice_chip *chip, bool on);
/// Frees it; NULL is allowed. The chip goes on as it is.
void sluice_chip_close(struct sluice_chip *chip);

/// What the chip is.
struct sluice_chip_info {
  const char *name;  // configuration; lives for ever
  uint32_t layouts;  // hash of layouts.def
  unsigned pipes, ports, front_stages, back_stages, state_stages;
  unsigned modules, match_rows, state_entries;
  unsigned banks;  // 2: sluice_chip_update works
  // Bit s: sluice_chip_cut_begin works for arrays of back stage s (sluice/cut.h)
  unsigned cut_stages;
  bool flip_guard;      // flips can be guarded (sluice/transaction.h)
  unsigned active_ids;  // of capsules (sluice/active.h); 0: the chip executes none
};
void sluice_chip_describe(const struct sluice_chip *chip, struct sluice_chip_info *info);

// ---- modules ------------------------------------------------------------------------------------

SLUICE_MUST_CHECK enum sluice_status sluice_chip_load(struct sluice_chip *chip,
                                                      const struct sluice_image *image,
                                                      unsigned vid, struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_chip_replace(struct sluice_chip *chip,
                                                         const struct sluice_image *image,
                                                         unsigned vid, struct sluice_error *error);
/// Afterwards the module's overlay row is as after reset.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_remove(struct sluice_chip *chip, unsigned vid,
                                                        struct sluice_error *error);

/// What an update has done, or would have.
struct sluice_update_report {
  bool flipped;  // packets see the new version, whatever the call returns
  // Match rows: of the new version alone, of both, of the old one alone
  unsigned written, shared, freed;
  unsigned entries;  // entries with a row a module, written before the flip
  // Arrays that go on with their contents; that start with their initial values
  unsigned kept, filled;
  // from the flip until the last packet of the old version was known to have left
  uint32_t drain_cycles;
  // the flip was a guarded one (sluice/transaction.h); it failed for an access
  bool guarded, touched;
};
/// Another version of a module while its packets go on, in a chip with two configuration banks
/// (docs/banks.md). A packet sees one version, whole; none waits, none is dropped. Arrays of the
/// same name, stage, size and kind keep their contents (sluice_plan_update). The new version is
/// written where no packet looks, and read back; one register write makes packets that arrive from
/// then on see it; when the last packet of the old version has left, what that alone had is taken
/// out.
///
/// When it fails before that write the old version has run on, and nothing has changed. When it
/// fails after it (report->flipped) the new version runs, and the next change begins with what is
/// left to do. If the register write went without an answer, the next call finds out. A chip that
/// was reset meanwhile gets its plan anew. `report` may be NULL. SLUICE_ERR_UNSUPPORTED: the chip
/// has one bank; SLUICE_ERR_FULL: no room beside the old version.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_update(struct sluice_chip *chip,
                                                        const struct sluice_image *image,
                                                        unsigned vid,
                                                        struct sluice_update_report *report,
                                                        struct sluice_error *error);
/// The same for all that differs between the chip's plan and another one, with one flip: modules
/// that were updated, added, removed. The chip takes a copy. SLUICE_ERR_RANGE: not possible without
/// loss; sluice_chip_apply is.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_update_plan(struct sluice_chip *chip,
                                                             const struct sluice_plan *plan,
                                                             struct sluice_update_report *report,
                                                             struct sluice_error *error);
/// The bank that packets of a module take. Returns false if there is no such module, or one bank
/// only.
bool sluice_chip_bank(const struct sluice_chip *chip, unsigned vid, unsigned *bank);

/// Takes over a chip (options.keep) that another client has left, maybe in the middle of an update:
/// of `num` plans, for example the one before the update and the one after it, finds the one that
/// packets see, and brings everything else to it: the other bank, match rows that no plan owns.
/// Packets go on. Plans must be made by the same calls as the other client's were, with
/// sluice_plan_settle for each change that its chip took. *which says which one it is; NULL is
/// allowed. SLUICE_ERR_DIFFERS: none of them; nothing was changed.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_adopt(struct sluice_chip *chip,
                                                       const struct sluice_plan *const *plans,
                                                       unsigned num, unsigned *which,
                                                       struct sluice_error *error);

/// Brings the chip from its plan to another one, in one procedure: several modules can change at
/// once. The chip takes a copy. If it fails on the way the chip is brought back to its plan, the
/// difference the other way round; modules that had lost their state by then start with their
/// initial values, and the text says so.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_apply(struct sluice_chip *chip,
                                                       const struct sluice_plan *plan,
                                                       struct sluice_error *error);
/// What is on the chip now. Lives until the next change.
const struct sluice_plan *sluice_chip_plan(const struct sluice_chip *chip);

/// One entry of a module's tables, as its image counts them: match rows from 0 in each stage, 0 for
/// the tables with one entry a module. `bytes` is the entry, left-justified; `len` must be that of
/// the table (docs/tables.md). VLAN id, base and pipeline in it are put in by the plan. The
/// module's packets are dropped meanwhile. SLUICE_ERR_NOT_FOUND: no such module or table;
/// SLUICE_ERR_UNSUPPORTED: none in this stage; SLUICE_ERR_RANGE: no such row.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_entry_write(struct sluice_chip *chip, unsigned vid,
                                                             const char *table, unsigned stage,
                                                             unsigned index, const uint8_t *bytes,
                                                             size_t len,
                                                             struct sluice_error *error);
/// The entry as the chip holds it; `len` as above. PORT_MASK has the module's sets of ports,
/// counted from 0.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_entry_read(struct sluice_chip *chip, unsigned vid,
                                                            const char *table, unsigned stage,
                                                            unsigned index, uint8_t *bytes,
                                                            size_t len, struct sluice_error *error);

/// Sets or clears a module's bit of CHIP.BITMAP. Block returns when none of its packets is inside
/// any more.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_block(struct sluice_chip *chip, unsigned vid,
                                                       struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_chip_unblock(struct sluice_chip *chip, unsigned vid,
                                                         struct sluice_error *error);

/// Reads every entry of every table back, in all pipelines, and compares with the plan.
/// SLUICE_ERR_DIFFERS names the first that differs. It changes nothing, and may run under traffic.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_audit(struct sluice_chip *chip,
                                                       struct sluice_error *error);

// ---- state --------------------------------------------------------------------------------------

/// Entries first..first+num-1 of an array, by its name in the source. SLUICE_ERR_NOT_FOUND: no such
/// module or array; SLUICE_ERR_RANGE: no such entry. Under traffic each entry is as it was at some
/// moment during the call, not all at the same. If indices move on this chip, the module's are
/// called home for the call (CHIP.RECALL) and may move again afterwards; others' go on moving. On a
/// chip with marks (parameter Marks) none is called home, and each entry is as it was between two
/// packets of the one order. Each output lane has arrays of egress functions for itself: "last@lane
/// 1", or "last@port 3" for the lane of this port.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_state_read(struct sluice_chip *chip, unsigned vid,
                                                            const char *array, unsigned first,
                                                            unsigned num, uint32_t *values,
                                                            struct sluice_error *error);
/// Writes them. Where two arrays share entries the other one's word is read and written back: block
/// the module first, if packets may change it meanwhile. Arrays of egress functions are named
/// without a lane: the entry is written in all of them, with the other word as lane 0 has it.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_state_write(struct sluice_chip *chip, unsigned vid,
                                                             const char *array, unsigned first,
                                                             unsigned num, const uint32_t *values,
                                                             struct sluice_error *error);
/// Writes words[i] to entry index[i], all of them on their way at once: for a bus on which an
/// answer takes long. Example: 100 words take the time of 100 frames and one answer. Where an array
/// shares its entries with another one, or the line loses frames, they are written one by one.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_state_scatter(struct sluice_chip *chip,
                                                               unsigned vid, const char *array,
                                                               unsigned num, const unsigned *index,
                                                               const uint32_t *words,
                                                               struct sluice_error *error);
/// An array that no packet accesses (its ACCESS entry is not enabled, as of the memory of capsules)
/// and that is spread over all pipelines: from now on entry i is slot i in pipeline `pipe`, for
/// calls that read its entries or those of a cut. Half of the words of a pipeline are read so with
/// half of the transfers. `pipe` negative: entries are again as before. SLUICE_ERR_NOT_FOUND: no
/// such array; SLUICE_ERR_RANGE: no such pipeline, or packets access it.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_state_view(struct sluice_chip *chip, unsigned vid,
                                                            const char *array, int pipe,
                                                            struct sluice_error *error);
/// Rows first..first+num-1 of an array of rows (`int sum[64][8]`): `words` has the words of each
/// row, one row behind the other. Example: with rows of 8 words, word 3 of row first + 2 is
/// words[19]. Otherwise as state_read and state_write; a row is read and written whole, and entries
/// beside it are left alone.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_rows_read(struct sluice_chip *chip, unsigned vid,
                                                           const char *array, unsigned first,
                                                           unsigned num, uint32_t *words,
                                                           struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_chip_rows_write(struct sluice_chip *chip, unsigned vid,
                                                            const char *array, unsigned first,
                                                            unsigned num, const uint32_t *words,
                                                            struct sluice_error *error);
/// An array of rows of a loaded module, in the order of stages. Returns false when there are not so
/// many. `name` lives until the next change.
bool sluice_chip_get_rows(const struct sluice_chip *chip, unsigned vid, unsigned n,
                          struct sluice_image_rows *rows);
/// An array of a loaded module, in the order of stages and words. Returns false when there are not
/// so many. `name` lives until the next change.
bool sluice_chip_get_array(const struct sluice_chip *chip, unsigned vid, unsigned n,
                           struct sluice_image_array *array);

// ---- registers and counters ---------------------------------------------------------------------

/// A register by the names of docs/tables.md: "PORT", 3, "PACKETS". `offset` counts registers
/// behind it (drop reasons).
SLUICE_MUST_CHECK enum sluice_status sluice_chip_register(const struct sluice_chip *chip,
                                                          const char *block, unsigned instance,
                                                          const char *name, unsigned offset,
                                                          uint32_t *addr,
                                                          struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_chip_read(struct sluice_chip *chip, uint32_t addr,
                                                      uint32_t *value, struct sluice_error *error);
/// Of CHIP.BITMAP and CHIP.RECALL what is written is what the chip has when no call is under way:
/// block, apply and state_read set further bits meanwhile. CHIP.SETS belongs to the plan, CHIP.BANK
/// to updates, CHIP.CUT to cuts: SLUICE_ERR_RANGE.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_write(struct sluice_chip *chip, uint32_t addr,
                                                       uint32_t value, struct sluice_error *error);

/// Lanes whose packets are sorted by a number, and are to be merged by it (docs/tm.md).
struct sluice_merge {
  uint32_t lanes;  // bit l: lane l; 0: none
  unsigned key;    // operand that has the number: sluice_image_merge_key
  unsigned idle;   // cycles without a packet, after which the others do not wait for a lane
};
enum { SLUICE_MERGE_IDLE_MAX = 65535 };
/// Drops the packets that come until those inside have left, and the registers are written.
/// SLUICE_ERR_UNSUPPORTED: the chip merges none; SLUICE_ERR_RANGE: it has no such lane.
/// SLUICE_ERR_IO: packets stay inside.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_merge(struct sluice_chip *chip,
                                                       const struct sluice_merge *merge,
                                                       struct sluice_error *error);

/// Sums over lanes and ports, since reset. Each register has 32 bits and wraps; so do these sums'
/// parts.
enum { SLUICE_NUM_DROPS = 32 };
struct sluice_counters {
  uint64_t packets;                   // ended at a port, good or bad
  uint64_t accepted, admitted, left;  // stored; given a ticket; reached the deparser
  uint64_t copies, copy_bytes;        // sent, over all ports
  uint64_t drops[SLUICE_NUM_DROPS];   // by reason (sluice_drop_name)
};
SLUICE_MUST_CHECK enum sluice_status sluice_chip_counters(struct sluice_chip *chip,
                                                          struct sluice_counters *counters,
                                                          struct sluice_error *error);
struct sluice_port_counters {
  uint32_t packets, bytes, drops;  // sent; dropped because the queue was full
  uint32_t egress;                 // copies that an egress function discarded
};
SLUICE_MUST_CHECK enum sluice_status sluice_chip_port_counters(
    struct sluice_chip *chip, unsigned port, struct sluice_port_counters *counters,
    struct sluice_error *error);
/// Packets of a module that were dropped, by reason; of those that a full port queue dropped,
/// copies.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_module_drops(struct sluice_chip *chip,
                                                              unsigned vid,
                                                              uint32_t drops[SLUICE_NUM_DROPS],
                                                              struct sluice_error *error);
/// The ports of a group, on a chip with more than 8 ports: row `row` of PORT_MASK, from the number
/// of ports on, and of that of recirculation, which is behind them. A packet whose destination is
/// the row gets a copy for each. No module owns it: what packets find in one lane changes at once,
/// from one packet to the next. SLUICE_ERR_RANGE: no such group, or port; SLUICE_ERR_EXISTS: the
/// row has a set of ports of a program. A group without ports is none: its row is free for
/// programs. A chip that was reset gets the groups of this handle again, as it gets its plan;
/// sluice_chip_adopt takes those over that are there.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_group(struct sluice_chip *chip, unsigned row,
                                                       uint64_t *ports, struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sluice_chip_group_set(struct sluice_chip *chip, unsigned row,
                                                           uint64_t ports,
                                                           struct sluice_error *error);

/// "OVERLOAD"; "?" if there is no such reason.
const char *sluice_drop_name(unsigned reason);

/// What the driver did on the control port since open.
struct sluice_chip_line {
  uint64_t sent, resent;  // control packets; of these, sent again
  uint64_t unanswered;    // reads without an answer, or with a wrong one
  uint64_t rejected;      // that the chip counted in CHIP.RECONFIG_BAD
};
void sluice_chip_line_counts(const struct sluice_chip *chip, struct sluice_chip_line *line);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
