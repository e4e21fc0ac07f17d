// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/transport.h>
#include <stdbool.h>

#include "../transport/filter.h"
#include "bus.h"

/// A filter of a transport that notes in which cycles CHIP.CUT and CHIP.BANK were written.
/// Register accesses and control frames take the time of a bus, if one is given; else it changes
/// nothing.
///
///     reaction_meter_init(&meter, &to);
///     status = sluice_chip_open(&chip, &meter.to, NULL, &error);
///     meter.flipped = false;
///     ... sluice_chip_set_params(chip, ...) ...
///     if (meter.flipped) cycles = meter.after - meter.before;
struct reaction_meter {
  struct sluice_transport to;
  struct sluice_filter line;
  bool flipped;
  uint32_t before, after;  // CHIP.CYCLES around the last write
  uint32_t cut;            // CHIP.CYCLES before the last write that began a cut
  struct reaction_bus bus;
  bool on;  // accesses take its time and are counted: in dialogues, not in what else the switch
            // looks at
  enum sluice_status (*let)(void *user, uint64_t cycles, struct sluice_error *error);
  void *user;  // of `let`, which lets that time pass; NULL: by the inner transport's `wait`
  bool asked;  // a frame was sent whose answer has not come
  struct reaction_traffic {
    uint64_t reads, writes, transfers, answers;  // registers; of frames; that were waited for
  } traffic;
};
/// The inner transport must be open and live longer. Closing meter->to does nothing.
void reaction_meter_init(struct reaction_meter *meter, struct sluice_transport *inner);
/// CHIP.CYCLES, which costs nothing.
SLUICE_MUST_CHECK enum sluice_status reaction_meter_now(struct reaction_meter *meter,
                                                        uint32_t *cycles,
                                                        struct sluice_error *error);
/// The time of a run of a body.
SLUICE_MUST_CHECK enum sluice_status reaction_meter_code(struct reaction_meter *meter,
                                                         struct sluice_error *error);
