// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_SIM_H
#define SLUICE_DPI_SIM_H

#include <stdint.h>

#include "pins.h"

/// One run of the simulator, from the first cycle outside reset to the report.
///
/// The script of the run (script.c) is ordinary driver code: it reads and writes registers, sends
/// reconfiguration packets and waits. It runs as a coroutine that gets its turn once a cycle, behind the
/// monitors, which have seen the cycle by then.
struct sim;

/// Returns NULL after a message on stderr when the run cannot start.
struct sim *sim_open(const char *job_path, uint32_t layout_hash, unsigned pipes, unsigned ports, unsigned stages);
/// One cycle: `out` is what the chip shows, `in` what drives it next. Returns 1 when the run is over.
int sim_tick(struct sim *sim, const struct pins_out *out, struct pins_in *in);
/// Frees it; NULL is allowed.
void sim_close(struct sim *sim);

#endif
