// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "knobs.h"

/// The cycle-level study of the output queues: how much of the wires is left when queues hold
/// handles, and headers are fetched when their turn comes. It moves packets, not bytes. docs/tm.md
/// has its figures.
///
/// Traffic: `senders` lanes send packets of `size` bytes, each to `copies` output lanes, at such a
/// rate that the wires get `load` thousandths of what they carry. From a packet's end on the bus to
/// its lane's exit it takes `inside` cycles, as if nothing waited there.
///
///     struct outputs_options options;
///     outputs_options_init(&options);
///     study_give(&options, outputs_option_table, "way", "1", &error);
///     outputs_run(&options, &result, &error);
///     outputs_print(&result, stdout);

/// Where headers wait for their turn.
enum outputs_way {
  OUTPUTS_COPIES,  // whole in each output queue, as built
  OUTPUTS_STORE,   // back in the lane's header store
  OUTPUTS_POOL,    // in a pool of the lane behind the deparser
  OUTPUTS_WAYS,
};
extern const char *const outputs_way_names[OUTPUTS_WAYS];

/// OPTION(field, name, default, least, most, help); all are whole numbers.
#define OUTPUTS_OPTIONS(OPTION)                                                                  \
  OPTION(way, "way", 0, 0, 2,                                                                    \
         "headers are 0: copied, 1: back in the store, 2: in a pool of the lane")                \
  OPTION(lanes, "lanes", 4, 1, 16, "lanes, and output lanes")                                    \
  OPTION(size, "size", 64, 64, 9216, "bytes of a packet")                                        \
  OPTION(copies, "copies", 1, 1, 16, "output lanes that a packet goes to")                       \
  OPTION(spread, "spread", 1, 0, 1,                                                              \
         "these are 1: drawn for each packet, 0: lane l's own, l and those behind it")           \
  OPTION(senders, "senders", 0, 0, 16, "lanes that send; 0: all")                                \
  OPTION(load, "load", 1000, 1, 1000,                                                            \
         "what is offered to the wires, in thousandths of what they carry")                      \
  OPTION(cycles, "cycles", 200000, 1000, 1 << 30,                                                \
         "cycles that are played; the first tenth is not counted")                               \
  OPTION(depth, "depth", 64, 2, 4096, "places of an output queue")                               \
  OPTION(slots, "slots", 2048, 64, 8192, "slots of a lane's packet buffer")                      \
  OPTION(cells, "cells", 8192, 256, 65536,                                                       \
         "body cells of a lane's packet buffer, of 64 bytes each")                               \
  OPTION(pool, "pool", 128, 8, 8192, "headers in a lane's pool")                                 \
  OPTION(ahead, "ahead", 4, 1, 64, "headers fetched ahead for a source lane and an output lane") \
  OPTION(straight, "straight", 1, 0, 1,                                                          \
         "1: a header whose turn it is to be fetched when it comes passes the pool")             \
  OPTION(beats, "beats", 32, 2, 1024, "body beats read ahead for them")                          \
  OPTION(shared, "shared", 1, 0, 1,                                                              \
         "1: a header that is read goes to all output lanes that ask for it then")               \
  OPTION(banks, "banks", 4, 1, 64,                                                               \
         "banks of the header store, by slot, each with a read and a write port")                \
  OPTION(ports, "ports", 1, 1, 4,                                                                \
         "headers read, and written back, a cycle; in the store in different banks")             \
  OPTION(inside, "inside", 90, 1, 200, "cycles from a packet's end on the bus to its exit")      \
  OPTION(seed, "seed", 1, 0, 1 << 30, "of everything random")

struct outputs_options {
#define OUTPUTS_FIELD(field, name, preset, least, most, help) int32_t field;
  OUTPUTS_OPTIONS(OUTPUTS_FIELD)
#undef OUTPUTS_FIELD
};

extern const struct study_option outputs_option_table[];

void outputs_options_init(struct outputs_options *options);

/// Of the cycles that count.
struct outputs_result {
  struct outputs_options options;
  uint64_t cycles;
  uint64_t packets;  // that arrived
  uint64_t offered;  // beats of their copies
  uint64_t sent;     // beats on the wires
  // Cycles of wires that sent nothing though a copy had waited for more than 12 cycles
  uint64_t rested;
  uint64_t no_place;  // copies lost: their queue was full
  uint64_t no_slot;   // packets lost: no slot, or no cells
  uint64_t no_pool;   // copies lost: the pool was full
  uint64_t latency;   // cycles from the last back stage to the first beat, of all copies
  uint64_t copies;    // sent
  uint64_t no_write;  // packets lost: four headers already waited to be written back
  uint32_t most_slots, most_pool;  // in use, of the lane that had most
};

enum sluice_status outputs_run(const struct outputs_options *options, struct outputs_result *result,
                               struct sluice_error *error);
void outputs_print(const struct outputs_result *result, FILE *out);
