// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>

#include "../driver/plan/plan.h"

/// Stories of packets: what the simulator noted of a packet (monitor/stories.h) with the names of
/// the source.

/// The image of the module of a VLAN; NULL: it is not known, and there are no names then.
typedef const struct sluice_image *story_image(void *user, unsigned vid);

/// A packet that goes through the chip again has a story for each pass; `round` counts them, and is
/// not there in the first. Adds the names of the source to what the simulator noted. A new object,
/// NULL: out of memory. Its members, each there if the packet came so far:
///
///     packet, round, module, vlan, in, filter, parser, front, order, back, exit, out, changes,
///     lane, dropped, dropped_cycle, lost
json_t *story_tell(const json_t *noted, story_image *image_of, void *user,
                   const struct sluice_plan *plan);
