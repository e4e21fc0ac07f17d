// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trace.h"

/// Makes traces in which every packet accesses state at several stages: the same trace on every
/// machine for the same options.
///
/// Each lane offers a packet in a cycle with probability `load`. Each of its accesses draws a rank
/// with weight 1 / (rank + 1) ** zipf, on its own; a random order per stage turns ranks into
/// indices. With one entry, every packet wants the same one.
enum sluice_stress_pattern {
  SLUICE_STRESS_STEADY,    // as above
  SLUICE_STRESS_HOT_SWAP,  // every `every` cycles ranks turn round: the coldest index is the
                           // hottest
  SLUICE_STRESS_BURST,     // lanes take turns of `every` cycles to offer a packet in each cycle
};

struct sluice_stress_options {
  uint32_t ports, lanes, stages, entries, cycles, bytes;
  uint32_t num_stateful;
  uint32_t stateful[SLUICE_TRACE_ACCESSES];  // stages, different ones
  double zipf;                               // 0..8; 0: all indices alike
  double load;                               // 0..1; only a pattern of bursts may have 0
  enum sluice_stress_pattern pattern;
  uint32_t every;
  uint64_t seed;
};

/// 64 ports, 4 lanes, 16 stages with 512 entries at 2, 5, 9 and 13, 40,000 cycles of 64-byte
/// packets, zipf 0, load 1, steady, turns of 2,000 cycles, seed 1.
struct sluice_stress_options sluice_stress_defaults(void);

/// The names of the patterns, which are also the first words of the file names.
extern const char *const sluice_stress_patterns[3];

/// The caller releases the trace.
enum sluice_status sluice_stress_make(struct sluice_trace *trace,
                                      const struct sluice_stress_options *options,
                                      struct sluice_error *error);
