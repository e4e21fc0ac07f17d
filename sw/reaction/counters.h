// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/chip.h>
#include <sluice/table.h>
#include <stdio.h>

#include "source.h"

/// What the entries of a table have counted, as an argument: counters(rules) of a table with the
/// keys `p.src: ternary` and `p.dst: lpm` is in a body
///
///     const int32_t rules_count;
///     const struct rules_entry {
///       int64_t src, src_mask, dst; uint32_t dst_length;
///       uint32_t priority;                     // if the table has one
///       enum rules_action action;              // rules_action_deny, rules_action_permit
///       int64_t packets, bytes;                // since the last run
///       int64_t all_packets, all_bytes;        // since the entry was added
///     } rules[SIZE];                           // from rules[rules_count] on: 0
///
/// As words: how many entries there are, then the values of each (enum reaction_counter), the lower
/// 32 bits first.
enum reaction_counter {
  REACTION_COUNTER_ACTION,  // place in the table's list
  REACTION_COUNTER_PRIORITY,
  REACTION_COUNTER_PACKETS,
  REACTION_COUNTER_BYTES,
  REACTION_COUNTER_ALL_PACKETS,
  REACTION_COUNTER_ALL_BYTES,
  REACTION_COUNTER_KEYS  // a value, and a mask or the length of a prefix, each
};

/// The types, of all tables that are arguments.
void reaction_put_counters(FILE *out, const struct sluice_image *image);

/// What was read for the run before, of all arguments of a reaction, and for the one that comes. A
/// zeroed one is of none.
struct reaction_counted {
  struct reaction_count_list {
    struct sluice_table_total *list;  // sorted by serial
    unsigned num;
  } before[SLUICE_MAX_REACTION_ARGS], next[SLUICE_MAX_REACTION_ARGS];
};
/// The body has run: what was read for it is what was read before, from now on.
void reaction_counted_ran(struct reaction_counted *counted);
void reaction_counted_release(struct reaction_counted *counted);

/// Reads argument `n` of a reaction from the chip into sluice_reaction_arg_words() words.
/// SLUICE_ERR_DIFFERS: the module has another table.
SLUICE_MUST_CHECK enum sluice_status reaction_read_counters(
    struct sluice_chip *chip, unsigned vid, const struct sluice_image *image,
    const struct sluice_reaction *r, unsigned n, struct reaction_counted *counted, int32_t *words,
    struct sluice_error *error);
/// Whether the module's table is the one that the argument was compiled with: keys and actions.
SLUICE_MUST_CHECK enum sluice_status reaction_check_counters(const struct sluice_image *image,
                                                             const struct sluice_plan *plan,
                                                             unsigned vid,
                                                             const struct sluice_reaction_arg *a,
                                                             struct sluice_error *error);
