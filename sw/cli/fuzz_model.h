// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLI_FUZZ_MODEL_H
#define SLUICE_CLI_FUZZ_MODEL_H

#include "../fuzz/fuzz.h"

/// A random case on the reference model as a chip (`sluice fuzz --chip model:NAME`), beside a
/// second model whose steps are watched: the same packets must leave, registers must add up, and
/// all state must be equal in the end. It finds what makes the model not agree with itself; whether
/// a chip does what the model says needs the simulator. Packets go one after the other; updates and
/// control packets under traffic are spread over them.
struct fuzz_model_outcome {
  bool equal;
  char text[400];   // not equal: where
  uint64_t packet;  // first wrong one, from 0; UINT64_MAX: none
  uint64_t packets, admitted, ops, entries, control;
};
/// False: no memory, or the transport fails; `text` says it.
bool fuzz_on_model(const struct fuzz_case *c, struct fuzz_model_outcome *outcome);

#endif
