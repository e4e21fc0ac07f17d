// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/plan.h>

#include "wire.h"

/// Whether a change is made by a control packet: an entry, an erased match row, a fill.
bool sluice_change_is_packet(const struct sluice_change *change);

/// Makes one packet of the changes from list[0] on: as many as follow each other in one table and
/// fit into `frame_max` bytes, at most `num`. Returns how many it took, at least 1. `frame` is
/// finished.
size_t sluice_pack(struct sluice_frame *frame, const struct sluice_change *list, size_t num,
                   size_t frame_max);
