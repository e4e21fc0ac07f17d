// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/plan.h>
#include <stdbool.h>

#include "../image/places.h"
#include "../tables/tables.h"

/// The plan (sluice/plan.h) from inside: what the library, the command and the simulator look at.
///
///     struct sluice_plan plan;
///     sluice_plan_init(&plan, sluice_config_find("k4"));
///     status = sluice_plan_add(&plan, &image, 3, &error);   // once for each module
///     ... plan.writes, plan.fills, or sluice_reconfig_plan() for the packets ...
///     sluice_plan_release(&plan);
///
/// This room is pure: nothing in it sends, and it links without a chip (sw/tests/cli/arrows.sh).
/// Room is found by room.h and allocate.h, what the chip cannot do is refused by capability.h, what
/// a module must not do by guard.h, entries are made absolute by link.h. policy.h: what each module
/// may use. table_plan.h: entries of tables of its modules, table_text.h their words. plan_diff.c
/// says what two plans differ in, transition.h the way from one to the other through the idle bank.
enum { SLUICE_MAX_STAGES = 28, SLUICE_MAX_BACK = 20, SLUICE_MAX_PIPES = 16, SLUICE_MAX_ROWS = 32 };

/// Where one array of a module lives.
struct sluice_segment {
  unsigned stage;   // back stage, or egress stage: there the slots are those of each output lane
  unsigned row;     // overlay row of the module
  unsigned base;    // first slot
  unsigned range;   // entries
  bool pinned;      // all of it in `pipe`, entry i at slot base + i; else see sluice_segment_home
  unsigned pipe;    // or, of a sharded one, the first of the pipelines that it is spread over
  unsigned pipes;   // how many these are
  uint32_t s1, s2;  // value of every entry before the first packet
  // Number of the loading that it was filled for: an array that stays when its module is
  // updated keeps it
  unsigned load;
  char name[2][SLUICE_NAME_LEN];
  char rows[SLUICE_NAME_LEN];  // name of the rows beside the entries; "" if there are none
  unsigned words;              // of a row
};

/// What messages call it.
static inline const char *sluice_segment_name(const struct sluice_segment *segment) {
  return segment->name[0][0] ? segment->name[0] : segment->rows;
}

/// A fill: gives every entry of the segment of overlay row `row` in back stage `stage` one value.
struct sluice_fill {
  unsigned stage, row;
  uint32_t s1, s2;
};

/// A match row, or in a stage with a table a row behind those: row `at` of `stage` holds entry
/// `number` of the image of the module in overlay row `owner`. The rows of a module are side by
/// side until it is updated.
struct sluice_row {
  unsigned stage, at, owner, number;
};
enum { SLUICE_NO_ROW = 0x7fffffff };

/// A row of PORT_MASK: row `at` holds set of ports `number` of the image of the module in overlay
/// row `owner` (port_rows.h).
struct sluice_port_row {
  unsigned at, owner, number;
};
enum { SLUICE_PORT_ROWS_MOST = 256 };  // of PORT_MASK: a destination has 8 bits

struct sluice_placed {
  unsigned vid, row;
  unsigned first, pipes;  // of its set of pipelines
  // Number of the loading: another one of the same program has another number
  unsigned load;
  unsigned num_rows[SLUICE_MAX_STAGES];  // match rows of the module, by stage number
  // Bit s: it has a table in stage s; a default action and no table. In both its rows are behind
  // the match rows.
  uint32_t table_stages, default_stages;
  bool has_tables;  // in stages, or of words
  char program[SLUICE_NAME_LEN];
  bool trusted;  // sluice_plan_trust when it came
  bool active;   // sluice_plan_active
  // Of a program with malleables: its image, bound to their values; the plan owns it
  struct sluice_image *source;
};

struct sluice_plan {
  const struct sluice_config *config;
  size_t num_modules, num_writes, num_segments, num_fills, num_rows, num_port_rows;
  struct sluice_placed modules[SLUICE_MAX_ROWS];  // in the order they were added
  // Absolute rows and bases, ready to send in this order; overlay rows without a bank
  struct sluice_write *writes;
  struct sluice_segment *segments;
  struct sluice_fill *fills;  // one for each segment, also when it is all 0
  struct sluice_row *rows;    // match rows
  struct sluice_port_row port_rows[SLUICE_PORT_ROWS_MOST];
  // Rows of PORT_MASK that are groups of the operator's, a bit each (sluice_plan_group)
  uint64_t group_rows[SLUICE_PORT_ROWS_MOST / 64];
  // Of all modules, with their entries: these are not among the writes
  struct sluice_tables tables;
  // sluice_plan_update: the plan before the first update, whose rows and slots are not free
  // yet; else NULL
  struct sluice_plan *before;
  bool pin;  // sluice_plan_pin: all segments are in pipeline `pin_pipe`
  unsigned pin_pipe;
  unsigned pipes, first;  // pipelines of a set, and the first of those that a module gets
  bool trusted;           // sluice_plan_trust
  // Private.
  unsigned loads;  // so far
  size_t room_writes, room_segments, room_fills, room_rows;
  struct sluice_alloc alloc;
};

void sluice_plan_init(struct sluice_plan *plan, const struct sluice_config *config);
void sluice_plan_release(struct sluice_plan *plan);

/// Puts the segments of all modules that are added from now on into one pipeline (MP5's D1). Only
/// images whose arrays are all pinned can be added then.
void sluice_plan_pin(struct sluice_plan *plan, unsigned pipe);

/// What CHIP.SETS must be before the plan is sent: log2 of the number of sets.
unsigned sluice_plan_sets_log2(const struct sluice_plan *plan);

/// The module with this VLAN id or in this overlay row, or NULL.
const struct sluice_placed *sluice_plan_find(const struct sluice_plan *plan, unsigned vid);
const struct sluice_placed *sluice_plan_in_row(const struct sluice_plan *plan, unsigned row);
/// Which entry of its image a match row of the plan is, or which of its sets of ports a row of
/// PORT_MASK; 0: it has one entry a module.
unsigned sluice_plan_number(const struct sluice_plan *plan, const struct sluice_write *write);
/// The segment of the module in this overlay row, or NULL.
const struct sluice_segment *sluice_plan_segment(const struct sluice_plan *plan, unsigned row,
                                                 unsigned stage);
/// Overlay row of the module that an entry of the plan belongs to.
unsigned sluice_plan_owner(const struct sluice_plan *plan, const struct sluice_write *write);
/// Whether the rows of a module in a stage are behind the match rows.
bool sluice_placed_behind(const struct sluice_placed *placed, unsigned stage);
/// Finds out in which stages they are.
void sluice_placed_stages(struct sluice_placed *placed, const struct sluice_image *image);
/// The match row of entry `number` of a module, or SLUICE_NO_ROW.
unsigned sluice_plan_row(const struct sluice_plan *plan, unsigned owner, unsigned stage,
                         unsigned number);
/// The entry of the plan at a place, or NULL: it is as after reset. In tables with `overlay` rows
/// `index` may be that of either bank: both hold the same, but while an update is under way
/// (transition.h).
const struct sluice_write *sluice_plan_entry(const struct sluice_plan *plan,
                                             enum sluice_table table, unsigned stage,
                                             unsigned index);
/// Changes, or adds, an entry of a module as its image counts it. SLUICE_ERR_RANGE: not an entry of
/// a program, or not one of this module's match rows.
enum sluice_status sluice_plan_entry_set(struct sluice_plan *plan, unsigned vid,
                                         enum sluice_table table, unsigned stage, unsigned index,
                                         const uint8_t *bytes,
                                         struct sluice_error *error) SLUICE_MUST_CHECK;

/// Pipeline and slot of entry `index` of a segment (index < range).
struct sluice_home {
  unsigned pipe, slot;
};
struct sluice_home sluice_segment_home(const struct sluice_segment *segment, unsigned index);

/// For the pieces of the plan alone. Room behind the lists; the lists stay valid if it fails.
bool sluice_plan_reserve(struct sluice_plan *plan, size_t writes, size_t segments, size_t rows);
/// Takes out the entries, segments and rows of the module in an overlay row. `keep_given`: but for
/// what the operator gave it: share, rate at the lanes, ports,
/// recirculation.
void sluice_plan_take_out(struct sluice_plan *plan, unsigned row, bool keep_given);
/// Copies into a plan that holds nothing yet.
bool sluice_plan_copy_into(struct sluice_plan *copy, const struct sluice_plan *plan);
/// Appends the entries of an image, whose match rows and port rows are in the plan; `at`: its
/// segments, by stage.
void sluice_plan_link(struct sluice_plan *plan, const struct sluice_image *image,
                      const struct sluice_placed *placed,
                      const struct sluice_segment *const at[SLUICE_MAX_STAGES]);
/// Most entries that this appends.
size_t sluice_plan_link_most(const struct sluice_image *image);
/// What sluice_placed.source is to be for an image: a copy, or NULL if it has no malleables.
/// Returns false when out of memory. (plan_param.c)
bool sluice_plan_source(const struct sluice_plan *plan, const struct sluice_image *image,
                        struct sluice_image **source);
void sluice_plan_source_drop(const struct sluice_plan *plan, struct sluice_image **source);
/// An entry that somebody has set by hand is in the image too, so that a malleable does not bring
/// the old one back. Returns false when out of memory.
bool sluice_plan_source_entry(const struct sluice_placed *placed, enum sluice_table table,
                              unsigned stage, unsigned index, const uint8_t *bytes);
/// Appends a zeroed change and returns it, or NULL when out of memory.
struct sluice_change *sluice_changes_add(struct sluice_changes *changes,
                                         enum sluice_change_kind kind);
unsigned sluice_sum_rows(const unsigned num_rows[SLUICE_MAX_STAGES]);
