// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#include "pins.h"

/// One run of the simulator, from the first cycle outside reset to the report.
///
/// The script of the run (session/batch.h) is ordinary driver code: it reads and writes registers,
/// sends reconfiguration packets and waits. It runs as a coroutine that gets its turn once a cycle,
/// behind the monitors, which have seen the cycle by then.
struct sim;

/// Returns NULL after a message on stderr when the run cannot start. `job_path` is a file, or
/// "serve:CHIP:SOCKET": then there is no run, but a server (session/serve.h).
struct sim *sim_open(const char *job_path, uint32_t layout_hash, unsigned pipes, unsigned ports,
                     unsigned stages);
/// One cycle: `out` is what the chip shows, `in` what drives it next. Returns 1 when the run is
/// over, 2 when the chip is to be reset: the next call shows cycle 0 after it.
int sim_tick(struct sim *sim, const struct pins_out *out, struct pins_in *in);
/// Writes the report of a run that is over, and frees it; NULL is allowed. Returns 0, or -1 if the
/// run could not be carried out (the report says why) or the report not be written (after a
/// message).
int sim_close(struct sim *sim);
