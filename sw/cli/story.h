// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>

#include "../live/story.h"
#include "cli.h"

/// Stories of packets as text, and which packets are wanted.

/// A story (live/story.h) for people, about 20 lines.
void story_print(FILE *out, const json_t *story);
/// Packet by packet, and of each pass by pass.
int story_compare(const json_t *a, const json_t *b);
/// Which pass of its packet it tells, from 0.
static inline uint64_t story_round(const json_t *story) {
  return (uint64_t)json_integer_value(json_object_get(story, "round"));
}
/// Whether the packet goes through the chip again, so that another story follows.
static inline bool story_goes_on(const json_t *story) {
  return json_is_true(json_object_get(json_object_get(story, "exit"), "again"));
}

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
