// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan.h"

/// Makes the entry of an image the entry of a chip: `at` is its row there; every field that only
/// the place of the module decides (VLAN id, base, pipeline) is put in. `segment` is that of the
/// entry's stage, or NULL.
void sluice_link(struct sluice_write *write, unsigned at, const struct sluice_placed *placed,
                 const struct sluice_segment *segment);
