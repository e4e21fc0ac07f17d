// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trace.h"

/// Changes of a trace before it is played: after sluice_trace_repeat(), before
/// sluice_trace_arrive().

/// Gives every index of every stage a random pipeline: renames it, so that (index + 1) modulo
/// lanes, which is where the frames of trace_play.h put it, is that pipeline. The places are those
/// of `sluice bench study place=2 seed=SEED`. The trace has more entries then, as pipelines get
/// more or less.
enum sluice_status sluice_trace_place_at_random(struct sluice_trace *trace, uint64_t seed,
                                                struct sluice_error *error);

/// Lets every flow come in at one lane: the flows that take most beats of `beat_bytes` first, each
/// at the lane that has least so far. Ports change, times do not.
enum sluice_status sluice_trace_lane_per_flow(struct sluice_trace *trace, uint32_t beat_bytes,
                                              struct sluice_error *error);
