// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TABLE_H
#define SLUICE_TABLE_H

#include <sluice/plan.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Tables of loaded modules: entries that are added, changed and taken out while packets flow
/// (docs/matching.md).
///
///     struct sluice_table_change add;
///     const char *words[] = {"10.1.0.0/16", "forward",
///                            "port=3", "next=00:11:22:33:44:55", "own=7"};
///     status = sluice_table_parse(sluice_chip_plan(chip), 5, "route", SLUICE_TABLE_ADD, words, 5,
///                                 &add, &error);
///     status = sluice_chip_table_change(chip, &add, 1, NULL, NULL, &error);
///
/// The same without texts:
///
///     const struct sluice_table_change add = {
///         .op = SLUICE_TABLE_ADD, .vid = 5, .table = "route", .action = "forward",
///         .keys = {{0x0a010000, 0xffff0000}}, .args = {3, 0x001122334455, 7}};
///
/// **What packets find.** All changes of a call are done or none. On a chip with two configuration
/// banks (docs/banks.md) packets find the tables as before up to one of them, and from the next one
/// on, in the one order of all packets, with all changes, also over several modules: entries are
/// written for the bank that nobody takes, one write of CHIP.BANK shows them, and the old ones go
/// when the last packet that may find them has left. A changed entry stands beside the old one for
/// that time; where the engine has no room for it, the call is refused (SLUICE_ERR_FULL) and says
/// so.
///
/// With `in_order`, and of one change on a chip with one bank, entries are written straight where
/// packets look. Each change is then a moment of its own: a packet finds an entry as it was or as
/// it is, whole; but packets in different pipelines may do so in another order than theirs, and
/// changes that do not depend on each other may be seen in another order than that of the list. It
/// is faster, and needs no room beside. Several changes on a chip with one bank are refused without
/// it (SLUICE_ERR_RANGE): nothing becomes weaker than was asked for without a word.
///
/// Where an entry stands on the chip is nobody's business: entries move while packets flow, and a
/// move hides no entry. Texts in structs live until the plan changes.
struct sluice_chip;

enum {
  SLUICE_TABLE_KEYS = 6,    // most keys of a table
  SLUICE_TABLE_ARGS = 4,    // most arguments of an action
  SLUICE_TABLE_WORDS = 16,  // most words of a change
  SLUICE_TABLE_TEXT = 64,   // bytes that a key or an argument takes as text
  SLUICE_TABLE_LENGTHS = 8  // most ranges of lengths of a part
};

// ---- what there is ------------------------------------------------------------------------------

enum sluice_match_kind {
  SLUICE_MATCH_EXACT,    // value
  SLUICE_MATCH_LPM,      // value and the length of a prefix; the longest that matches wins
  SLUICE_MATCH_TERNARY,  // value and mask; the lowest priority that matches wins
};
struct sluice_table_desc {
  const char *name, *engine;  // "ternary" or "cuckoo"; "array": it looks words of packets up
  unsigned stage;             // back stages first, then front stages; 0 of "array"
  unsigned size, used;        // most entries, and those that there are, in all parts
  unsigned num_parts;         // engines that hold it; `engine` and `stage` are those of the first
  unsigned num_keys, num_actions;
  bool has_priority;  // entries have one; else the keys decide alone
  // What packets get that match no entry; NULL: nothing happens to them
  const char *default_action;
  uint64_t default_args[SLUICE_TABLE_ARGS];
};
/// Table `n` of a module, in the order of its source. Returns false when there are not so many, or
/// no such module.
bool sluice_plan_table(const struct sluice_plan *plan, unsigned vid, unsigned n,
                       struct sluice_table_desc *table);

/// Part `n` of a table that is too large for one engine, or that is whole (part 0). An entry is put
/// where it belongs, so this matters only to those who want to know what still fits.
struct sluice_table_lengths {
  unsigned least, most;
};
struct sluice_table_part_info {
  const char *engine;
  unsigned stage, size, used;
  unsigned num_lengths;  // 0: it is not a matter of a prefix's length what the part takes
  struct sluice_table_lengths lengths[SLUICE_TABLE_LENGTHS];
};
bool sluice_plan_table_part(const struct sluice_plan *plan, unsigned vid, const char *table,
                            unsigned n, struct sluice_table_part_info *part);

struct sluice_table_key_info {
  const char *name;
  enum sluice_match_kind kind;
  unsigned bits;
};
bool sluice_plan_table_key(const struct sluice_plan *plan, unsigned vid, const char *table,
                           unsigned n, struct sluice_table_key_info *key);

struct sluice_table_action_info {
  const char *name;
  bool only_default;  // not for entries
  unsigned num_args;
  const char *args[SLUICE_TABLE_ARGS];
  unsigned bits[SLUICE_TABLE_ARGS];
};
bool sluice_plan_table_action(const struct sluice_plan *plan, unsigned vid, const char *table,
                              unsigned n, struct sluice_table_action_info *action);

// ---- changes ------------------------------------------------------------------------------------

enum sluice_table_op {
  SLUICE_TABLE_ADD,      // refused when there is an entry with these keys (and this priority)
  SLUICE_TABLE_MODIFY,   // another action, other arguments; refused when there is none
  SLUICE_TABLE_SET,      // one or the other, as it is
  SLUICE_TABLE_DELETE,   // keys (and priority) alone count; refused when there is none
  SLUICE_TABLE_DEFAULT,  // action and arguments alone count
  SLUICE_TABLE_CLEAR,    // all entries; the default stays
};
/// A key: bits of `value` where `mask` is 1. Exact keys: all ones. Prefixes: ones above zeros.
struct sluice_table_match {
  uint64_t value, mask;
};
struct sluice_table_change {
  enum sluice_table_op op;
  unsigned vid;
  const char *table;
  struct sluice_table_match keys[SLUICE_TABLE_KEYS];
  uint32_t priority;  // lower wins; of two with one priority the older. Tables without any: 0
  const char *action;
  uint64_t args[SLUICE_TABLE_ARGS];
};

/// Changes tables of a plan: all, or none. A chip gets them with the plan (sluice_chip_apply,
/// sluice_chip_update_plan). SLUICE_ERR_NOT_FOUND: no such module, table, action or entry;
/// SLUICE_ERR_EXISTS: the entry is there; SLUICE_ERR_UNSUPPORTED: the chip has no default actions,
/// or one bank; SLUICE_ERR_RANGE: a key or an argument does not fit; SLUICE_ERR_FULL: the table is
/// full, or the engine has no place.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_table_change(
    struct sluice_plan *plan, const struct sluice_table_change *changes, unsigned num,
    struct sluice_error *error);

struct sluice_table_options {
  bool in_order;  // straight, one after the other, see above
};
struct sluice_table_report {
  bool atomic;      // packets found all changes at one moment of the one order
  bool flipped;     // banks were flipped for it, whatever the call returns
  unsigned writes;  // entries of engines written, before and behind the flip
  unsigned moves;   // of these, entries that only changed their place
  unsigned steps;   // writes that waited for nobody were sent together: so often it was waited
};
/// The same on a chip. Entries are read back and written again until they are right, as everywhere.
/// When it fails the tables are as they were, and the text says so; or says that the next call
/// finds out, when the line went dead. A chip that was reset meanwhile gets its plan anew.
/// `options` and `report` may be NULL.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_table_change(
    struct sluice_chip *chip, const struct sluice_table_change *changes, unsigned num,
    const struct sluice_table_options *options, struct sluice_table_report *report,
    struct sluice_error *error);

// ---- entries ------------------------------------------------------------------------------------

/// Entries of a table, one after the other, in no order: *place starts with 0. `entry` becomes the
/// change that would add it. Returns false when there are no more.
///
///     for (uint32_t place = 0; sluice_plan_table_entry(plan, 5, "route", &place, &entry);) ...
bool sluice_plan_table_entry(const struct sluice_plan *plan, unsigned vid, const char *table,
                             uint32_t *place, struct sluice_table_change *entry);
/// The entry with the keys and the priority of `entry`, whose action and arguments are filled in.
bool sluice_plan_table_get(const struct sluice_plan *plan, struct sluice_table_change *entry);

// ---- counters of entries ------------------------------------------------------------------------

/// Packets that an entry gave their action, and their bytes, over all pipelines, in chips with
/// EntryCounters: since it was added, and since the last call with `clear`, which loses no packet
/// between two calls. An entry that is modified goes on counting; one that is deleted and added
/// again begins with 0. An entry that is idle is one with packets 0 since the last `clear`.
///
/// The chip counts up to 2^28 packets and 2^36 bytes an entry, then it begins anew: call it more
/// often than that. An entry that changes its place, which the driver does to make room, goes on
/// counting; packets that come between the reading of its old place and the write there count for
/// the entry that comes. A chip that this handle did not configure from reset on counts from the
/// first call on.
struct sluice_table_count {
  uint64_t packets, bytes;
};
/// Of one entry, found by its keys and priority.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_table_count(
    struct sluice_chip *chip, const struct sluice_table_change *entry, bool clear,
    struct sluice_table_count *count, struct sluice_error *error);
/// Of all entries of a table, in the order of sluice_plan_table_entry, at most `room`; *num: so
/// many.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_table_counts(
    struct sluice_chip *chip, unsigned vid, const char *table, bool clear,
    struct sluice_table_count *counts, unsigned room, unsigned *num, struct sluice_error *error);
/// The same since they were added, whatever others clear: who keeps what it has read before, by
/// `serial`, has what was counted between two calls, beside others who do the same. An entry that
/// was taken out and added again has another serial, and begins with 0; so does one on a chip that
/// was reset.
struct sluice_table_total {
  uint64_t packets, bytes, serial;
};
SLUICE_MUST_CHECK enum sluice_status sluice_chip_table_totals(struct sluice_chip *chip,
                                                              unsigned vid, const char *table,
                                                              struct sluice_table_total *totals,
                                                              unsigned room, unsigned *num,
                                                              struct sluice_error *error);

// ---- texts --------------------------------------------------------------------------------------

/// A change from words, as `sluice ctl table` takes them: keys in the order of the source or as
/// name=value, for tables that have one priority=N, then the action and its arguments as
/// name=value.
///
///     number     80  0x50
///     address    10.0.0.1  00:11:22:33:44:55
///     prefix     10.1.0.0/16
///     mask       10.0.0.0&&&255.0.0.255  0x0800&&&0xff00
///     anything   _
///
/// Addresses are for keys and arguments of 32 and 48 bits. Bits outside a prefix or mask must be 0.
/// SLUICE_ERR_NOT_FOUND, SLUICE_ERR_RANGE and SLUICE_ERR_FORMAT name the word, and what it may be.
/// Texts of `change` are those of the plan.
SLUICE_MUST_CHECK enum sluice_status sluice_table_parse(const struct sluice_plan *plan,
                                                        unsigned vid, const char *table,
                                                        enum sluice_table_op op,
                                                        const char *const *words, unsigned num,
                                                        struct sluice_table_change *change,
                                                        struct sluice_error *error);
/// The other way: key or argument `n` as text, in a form that is read back as the same.
void sluice_table_key_text(const struct sluice_plan *plan, const struct sluice_table_change *entry,
                           unsigned n, char text[SLUICE_TABLE_TEXT]);
void sluice_table_arg_text(const struct sluice_plan *plan, const struct sluice_table_change *entry,
                           unsigned n, char text[SLUICE_TABLE_TEXT]);

/// Entries of one table from a file in memory: JSON if its first character is `[`, else CSV. `name`
/// is what messages call it. *changes, to be freed with sluice_table_free, are SLUICE_TABLE_ADD.
///
///     p.dst,action,port,mac                          [{"p.dst": "10.0.0.0/8", "action": "forward",
///     10.0.0.0/8,forward,3,00:11:22:33:44:55    or     "port": 3, "mac": "00:11:22:33:44:55"},
///     192.168.0.0/16,drop,,                           {"p.dst": "192.168.0.0/16", "action":
///     "drop"}]
///
/// The columns, or members: the keys, `priority`, `action`, the arguments of all actions. A key
/// that is left out or empty is anything; an argument that the action does not have must be left
/// out or empty. Lines that are empty or begin with # are passed by.
SLUICE_MUST_CHECK enum sluice_status sluice_table_read(
    const struct sluice_plan *plan, unsigned vid, const char *table, const char *text, size_t len,
    const char *name, struct sluice_table_change **changes, unsigned *num,
    const struct sluice_alloc *alloc, struct sluice_error *error);
void sluice_table_free(struct sluice_table_change *changes, unsigned num,
                       const struct sluice_alloc *alloc);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
