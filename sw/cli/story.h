// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLI_STORY_H
#define SLUICE_CLI_STORY_H

#include <jansson.h>

#include "cli.h"

/// Stories of packets: what the simulator noted of a packet (dpi/stories.h) with the names of the
/// source, as JSON and as text; and which packets are wanted.

/// Adds the names of the source to what the simulator noted. A new object, NULL: out of memory. Its
/// members, each there if the packet came so far:
///
///     packet, module, vlan, in, filter, parser, front, order, back, exit, out, changes, lane,
///     dropped, dropped_cycle, lost
json_t *story_tell(const json_t *noted, const struct cli_modules *modules,
                   const struct sluice_plan *plan);
/// The same for people, about 20 lines.
void story_print(FILE *out, const json_t *story);

/// Which packets are wanted: numbers as Wireshark counts, ranges, and filters as tcpdump takes
/// them; each adds its packets.
struct story_select {
  struct story_range {
    uint64_t first, last;
  } * ranges;  // sorted and apart once story_select_sort has been called
  size_t num_ranges;
  struct story_filter *filters;
  unsigned num_filters;
};
/// Takes `17`, `10-20`, `10-` or a filter expression. False after a message.
bool story_select_add(struct story_select *select, const char *text);
bool story_select_range(struct story_select *select, uint64_t first, uint64_t last);
/// Whether packet `number` is wanted. A filter sees the frame without its VLAN tag, unless the
/// filter speaks of `vlan`. `bytes` (of `captured`) may be fewer than the packet has.
bool story_select_has(const struct story_select *select, uint64_t number, const uint8_t *bytes,
                      size_t captured, size_t len);
/// Whether a filter looks at it, so that numbers alone do not say.
static inline bool story_select_looks(const struct story_select *select) {
  return select->num_filters != 0;
}
void story_select_sort(struct story_select *select);
void story_select_release(struct story_select *select);

#endif
