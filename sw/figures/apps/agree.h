// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runs.h"

/// Random programs on the chip and on the interpreter, which were written apart: one after the
/// other, the same packets leave, with the same bytes, at the same ports, and the same words stay.
/// Three ids have regions side by side, pinned and sharded, and up to `run->passes` passes (four at
/// most, the controller must allow them); some programs have an id that nobody has.
///
///     const struct agree agree = {.programs = 10000};
///     status = app_run_agree(&run, &agree, &result, &error);
///     ... result.differences is 0; result.packets were sent, result.words compared; its figure is
///         how many passes a program took ...
///
/// On a simulated chip the monitors compare each of them with the reference model as well. Nobody
/// else may be in the net.
///
/// One instruction is left out of random programs: LOAD_QDELAY. How long a packet waits the chip
/// alone can tell.
///
/// With `alone` a program has one opcode, at each stage in turn, and behind it what stores its
/// registers in the arguments. The figure is how many of the 96 opcodes were executed.
struct agree {
  unsigned programs;
  bool alone;  // each opcode at each stage instead, and bytes that are none; `programs`: 0, once
  bool widen;  // a fault: regions of the chip reach one word further than the interpreter's
};
SLUICE_MUST_CHECK enum sluice_status app_run_agree(const struct app_run *run,
                                                   const struct agree *agree,
                                                   struct app_result *result,
                                                   struct sluice_error *error);
