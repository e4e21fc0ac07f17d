// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#include "../base/status.h"

/// Traces in the format that the authors of MP5 published: what arrives, and which states it needs.
///
/// A trace is two files of lines of numbers, each with a heading. The first says which states the
/// packets of a flow access, and in its name for which machine it is made:
///
///     flows_PORTS_PIPELINES_STAGES_STATEFUL_ENTRIES_SIZE.csv
///     flowid,stage_num_1,state_in_stage_1,stage_num_2,state_in_stage_2,...
///     3,14,1,7,0                      flow 3: index 1 of stage 14 and index 0 of stage 7
///
/// The second lists the packets, in any order of time; its name begins with the pattern's:
///
///     PATTERN_PORTS_PIPELINES_STAGES_STATEFUL_ENTRIES_SIZE.csv
///     port,pkt_size,flowid,time
///     0,64,3,5                        at port 0, 64 bytes, of flow 3, in cycle 5
///
/// SIZE is a word ("64", "bimodal"). A flow may name stages beyond the name's number of them, the
/// trace then has more. Where the flows file has no flow at all, every packet is stateless.
enum {
  SLUICE_TRACE_ACCESSES = 16,  // of a flow, each at a stage of its own
  SLUICE_TRACE_STAGES = 64,
  SLUICE_TRACE_LANES = 64,
  SLUICE_TRACE_PORTS = 4096,
  SLUICE_TRACE_ENTRIES = 1 << 20,
  SLUICE_TRACE_PACKETS = 1 << 26,  // and flows
  SLUICE_TRACE_TIME = 1 << 30,     // the last cycle
  SLUICE_TRACE_WORD = 24,          // bytes of a word in a name, its 0 included
};

struct sluice_trace_access {
  uint32_t stage, index;
};

struct sluice_trace_flow {
  uint32_t id;
  uint32_t line;  // of its file, 0: made
  uint32_t num;
  struct sluice_trace_access accesses[SLUICE_TRACE_ACCESSES];
};

#define SLUICE_TRACE_NO_FLOW UINT32_MAX

struct sluice_trace_packet {
  uint32_t port, lane;  // the lane follows from the port: sluice_trace_lane()
  uint32_t bytes;
  uint32_t id;       // of its flow
  uint32_t flow;     // its flow's place in `flows`, or SLUICE_TRACE_NO_FLOW: stateless
  uint32_t time;     // the cycle in which it is offered
  uint32_t arrival;  // the cycle in which its lane has it; sluice_trace_arrive() works it out
};

/// All zero, with ports to entries and the words filled in, is an empty trace.
struct sluice_trace {
  uint32_t ports, lanes, stages, stateful, entries;
  char size[SLUICE_TRACE_WORD];     // the last word of the names
  char pattern[SLUICE_TRACE_WORD];  // the first word of the packets file's name
  struct sluice_trace_flow *flows;  // in rising order of ids
  uint32_t num_flows, flows_room;
  struct sluice_trace_packet *packets;  // in the order of the file
  uint32_t num_packets, packets_room;
};

/// The ports are dealt out to the lanes in blocks; the last lane takes what is left over.
uint32_t sluice_trace_lane(const struct sluice_trace *trace, uint32_t port);

/// Reads both files. On failure the trace is empty, and the error names file and line.
enum sluice_status sluice_trace_load(struct sluice_trace *trace, const char *flows_path,
                                     const char *packets_path, struct sluice_error *error);

/// Writes both files into a folder that exists, under the names that belong to the trace.
enum sluice_status sluice_trace_save(const struct sluice_trace *trace, const char *dir,
                                     struct sluice_error *error);

/// The path of one of the two files as sluice_trace_save() forms it; `first` is "flows" or the
/// pattern. False if it does not fit.
int sluice_trace_path(const struct sluice_trace *trace, const char *dir, const char *first,
                      char *path, size_t room);

/// Appends a flow. Behind the last one, and before the first packet, call
/// sluice_trace_sort_flows().
enum sluice_status sluice_trace_add_flow(struct sluice_trace *trace,
                                         const struct sluice_trace_flow *flow,
                                         struct sluice_error *error);

/// Sorts the flows by id; refuses an id that two of them have.
enum sluice_status sluice_trace_sort_flows(struct sluice_trace *trace, struct sluice_error *error);

/// Appends a packet of the flow with this id (of no flow if the trace has none).
enum sluice_status sluice_trace_add_packet(struct sluice_trace *trace, uint32_t port,
                                           uint32_t bytes, uint32_t id, uint32_t time,
                                           struct sluice_error *error);

/// Plays the trace `times` times: each round begins in the cycle after the last one's last packet.
enum sluice_status sluice_trace_repeat(struct sluice_trace *trace, uint32_t times,
                                       struct sluice_error *error);

/// Works out when the packets arrive, and sorts them into the one order of the machine: arrival,
/// then lane. A lane takes one packet a cycle: what is offered to it in one cycle arrives one after
/// the other, in the order of the file.
enum sluice_status sluice_trace_arrive(struct sluice_trace *trace, struct sluice_error *error);

/// After sluice_trace_arrive(): the same for lanes that take so many bytes a cycle, as the chip's
/// do. A packet has arrived with its last byte, and what is longer holds up what comes behind it.
enum sluice_status sluice_trace_beats(struct sluice_trace *trace, uint32_t bytes,
                                      struct sluice_error *error);

/// Frees what the trace holds and makes it empty.
void sluice_trace_release(struct sluice_trace *trace);
