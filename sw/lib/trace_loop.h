// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Recirculation, as switches of several independent pipelines do it (MP5, sections 2.3.1, 4.3.2):
/// a packet reaches only the states of the pipeline that it is in. For the others it must leave
/// and come in again, through the input of the pipeline that has the next one.
///
/// This is the outside of such a switch: what each pass of a frame of a trace (trace_play.h)
/// carries, and what became of it. A pass carries the indices from the next one on, in the order
/// of stages, as long as they live in its pipeline (index + 1 modulo pipelines, as the frame has
/// them); the others are 0, which is no access. It leaves through a port of its lane.
///
///     sluice_trace_loop_take(loop, number, lane, frame);        first pass: play the frame
///     sluice_trace_loop_admitted(loop, number);                 it has its place in the order
///     lane = sluice_trace_loop_left(loop, number, cycle, frame) next pass: play it there; -1: done
///
/// An index lives in one pipeline, so the order of admission of passes is the order of accesses.
struct sluice_trace_loop;

/// `items`: of a frame, without the port. `ports`: of the switch, dealt to its pipelines in turn,
/// at least one each. NULL: out of memory.
struct sluice_trace_loop *sluice_trace_loop_new(unsigned items, unsigned pipes, unsigned ports);
void sluice_trace_loop_free(struct sluice_trace_loop *loop);

/// Packets come in the order of their numbers, from 0, without gaps; that is the order in which one
/// pipeline would take them. Leaves in the frame what its first pass carries.
void sluice_trace_loop_take(struct sluice_trace_loop *loop, uint64_t number, unsigned lane,
                            uint8_t *frame);
void sluice_trace_loop_admitted(struct sluice_trace_loop *loop, uint64_t number);
/// The pass has left. Returns the lane of the next one, and makes the frame ready; or -1.
int sluice_trace_loop_left(struct sluice_trace_loop *loop, uint64_t number, uint64_t cycle,
                           uint8_t *frame);
/// The pass was dropped, and the packet with it.
void sluice_trace_loop_lost(struct sluice_trace_loop *loop, uint64_t number);

/// Packets that are neither done nor lost.
uint64_t sluice_trace_loop_open(const struct sluice_trace_loop *loop);

struct sluice_trace_loop_counts {
  uint64_t packets, done, lost;
  uint64_t passes;       // admitted, of all packets
  uint64_t most_passes;  // of one packet
  uint64_t accesses;
  uint64_t c1_accesses;  // that came after one of a later packet to the same index
  uint64_t c1_late;      // packets with such an access
  uint64_t c1_early;     // packets with an access that came before an earlier packet's
  uint64_t reordered, reordered_of_a_lane;  // packets done after a later one of their flow
};

/// False: out of memory, then or before.
bool sluice_trace_loop_count(struct sluice_trace_loop *loop,
                             struct sluice_trace_loop_counts *counts);
