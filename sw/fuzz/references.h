// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz.h"

/// Plays a case of the fuzzer on both references, the fast model (sw/model) and the machine of
/// docs/machine.md (sw/spec), and compares all that they say: filter, PHV at the order point, every
/// access, what leaves, further passes, copies at the egress, answers of the control port, counters
/// and, in the end, all state. What load and time decide (marks, drops, depths, which packets of a
/// bank are inside) is drawn from the seed of the case, for each packet by its own time, so that it
/// stays as it is when other packets are left out.
///
///     struct fuzz_difference d;
///     if (!fuzz_references(&c, 100, &d)) puts(d.text);     // of its first 100 packets
struct fuzz_difference {
  char text[600];   // what differs first: the model's value, then that of the page
  uint64_t packet;  // of the case, from 0; UINT64_MAX: none
  bool no_memory;   // there was none: nothing was compared
  // What was compared.
  uint64_t packets, admitted, passes, copies, accesses, refused, control, answers, entries;
};

/// Returns whether they agree.
bool fuzz_references(const struct fuzz_case *c, size_t most_packets, struct fuzz_difference *d);
