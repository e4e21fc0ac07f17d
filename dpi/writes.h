// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_WRITES_H
#define SLUICE_DPI_WRITES_H

#include <jansson.h>

#include "run.h"

/// Writes of registers under traffic, at random (`writes` of a job): of every register that
/// layouts.def says software may write, but CHIP.FAULT. Each is refused, and the register is what
/// it was, or it takes what it can hold: all else is a difference, and so is whatever the monitors
/// find of the packets.

/// Finds the registers, and what each can hold; before packets are played.
enum sluice_status writes_open(struct run *run);
void writes_close(struct run *run);
/// A write, if one is due; `all`: the packets have been played.
enum sluice_status writes_turn(struct run *run, bool all);
/// Writes what was there before, when nothing is inside.
enum sluice_status writes_restore(struct run *run);
/// For the report; NULL if the job writes none.
json_t *writes_json(const struct run *run);

#endif
