// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_LIB_PLACE_H
#define SLUICE_LIB_PLACE_H

#include <stdbool.h>

#include "image.h"

/// Places modules on a chip: which overlay row, which match rows, which slots of the state
/// memories.
///
///     struct sluice_plan plan;
///     sluice_plan_init(&plan, sluice_config_find("k4"));
///     status = sluice_plan_add(&plan, &image, 3, &error);   // once for each module
///     ... plan.writes, plan.fills, or sluice_reconfig_plan() for the packets ...
///     sluice_plan_release(&plan);
///
/// A plan is for a chip fresh from reset. Sharded segments grow from slot 0 up, at one base in all
/// pipelines of their set; pinned segments grow from the last slot down, each in the pipeline with most room. So
/// nothing fragments. A module that does not fit leaves the plan as it was.
enum { SLUICE_MAX_STAGES = 24, SLUICE_MAX_BACK = 16, SLUICE_MAX_PIPES = 16, SLUICE_MAX_ROWS = 32 };

/// Where one array of a module lives.
struct sluice_segment {
  unsigned stage;  // back stage
  unsigned row;    // overlay row of the module
  unsigned base;   // first slot
  unsigned range;  // entries
  bool pinned;     // all of it in `pipe`, entry i at slot base + i; else see sluice_segment_home
  unsigned pipe;   // or, of a sharded one, the first of the pipelines that it is spread over
  unsigned pipes;  // how many these are
  uint32_t s1, s2;  // value of every entry before the first packet
  char name[2][SLUICE_NAME_LEN];
};

/// A fill: gives every entry of the segment of overlay row `row` in back stage `stage` one value.
struct sluice_fill {
  unsigned stage, row;
  uint32_t s1, s2;
};

struct sluice_placed {
  unsigned vid, row;
  unsigned first, pipes;  // of its set of pipelines
  unsigned first_row[SLUICE_MAX_STAGES];  // match rows of the module, by stage number
  unsigned num_rows[SLUICE_MAX_STAGES];
  char program[SLUICE_NAME_LEN];
};

struct sluice_plan {
  const struct sluice_config *config;
  size_t num_modules, num_writes, num_segments, num_fills;
  struct sluice_placed modules[SLUICE_MAX_ROWS];  // in the order they were added
  struct sluice_write *writes;  // absolute rows and bases, ready to send in this order
  struct sluice_segment *segments;
  struct sluice_fill *fills;  // one for each segment, also when it is all 0
  bool pin;              // sluice_plan_pin: all segments are in pipeline `pin_pipe`
  unsigned pin_pipe;
  unsigned pipes, first;  // pipelines of a set, and the first of those that a module gets
  // Private: what is taken.
  unsigned match_used[SLUICE_MAX_STAGES];
  unsigned slots_low[SLUICE_MAX_BACK][SLUICE_MAX_PIPES];   // sharded segments end here
  unsigned slots_high[SLUICE_MAX_BACK][SLUICE_MAX_PIPES];  // pinned segments start here
};

void sluice_plan_init(struct sluice_plan *plan, const struct sluice_config *config);

/// Puts the segments of all modules that are added from now on into one pipeline (MP5's D1). Only
/// images whose arrays are all pinned can be added then.
void sluice_plan_pin(struct sluice_plan *plan, unsigned pipe);

/// Divides the pipelines into `sets` sets of equal size: logical switches (docs/logical.md). All
/// modules that are added from now on use those of set `set` alone. The chip must have CHIP.SETS =
/// sluice_plan_sets_log2(&plan) before the plan is sent. SLUICE_ERR_RANGE: `sets` is not a power of
/// two up to the number of pipelines, or differs from that of modules before; or there is no such
/// set.
enum sluice_status sluice_plan_set(struct sluice_plan *plan, unsigned sets, unsigned set,
                                   struct sluice_error *error);
unsigned sluice_plan_sets_log2(const struct sluice_plan *plan);

/// Adds a module. Overlay row is vid modulo NumModules. SLUICE_ERR_FULL names the resource that ran out,
/// SLUICE_ERR_RANGE a VLAN id outside 1..4094, SLUICE_ERR_FOREIGN an image for another chip.
enum sluice_status sluice_plan_add(struct sluice_plan *plan, const struct sluice_image *image,
                                   unsigned vid, struct sluice_error *error);

/// Gives a module of the plan a share of every order queue (table SHARE, docs/overload.md): `rate`
/// accesses per 256 cycles and `burst` more. SLUICE_ERR_RANGE: no such module, or a number that the
/// entry cannot hold. Without this a module has no limit.
enum { SLUICE_SHARE_RATE_MAX = 256, SLUICE_SHARE_BURST_MAX = 63, SLUICE_SHARE_BURST = 16 };
enum sluice_status sluice_plan_share(struct sluice_plan *plan, unsigned vid, unsigned rate,
                                     unsigned burst, struct sluice_error *error);

void sluice_plan_release(struct sluice_plan *plan);

/// Pipeline and slot of entry `index` of a segment (index < range).
struct sluice_home {
  unsigned pipe, slot;
};
struct sluice_home sluice_segment_home(const struct sluice_segment *segment, unsigned index);

#endif
