// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../base/layouts.h"
#include "../../lib/trace.h"
#include "knobs.h"

/// The cycle-level study of the stage boundaries: it moves tickets, not values, so that an idea
/// costs a second and not a chip. docs/study.md says what it models and what it leaves out.
///
///     struct study_options options;
///     study_options_init(&options, STUDY_OURS);
///     study_set(&options, "hop", "6", &error);
///     study_run(&options, &trace, &result, &error);
///     study_print(&result, stdout);
enum study_mode {
  STUDY_OURS,           // this machine
  STUDY_MP5,            // MP5 as published
  STUDY_NO_REMAP,       // MP5, an index stays where it is
  STUDY_NO_PHANTOMS,    // MP5, packets queue in the order in which they reach a stage
  STUDY_RECIRCULATION,  // no crossbars: to another pipeline through the switch's input
  STUDY_ONE_PIPELINE,   // MP5, all state in pipeline 0
  STUDY_MODES,
};

/// OPTION(field, name, default, least, most, help); all are whole numbers.
#define STUDY_OPTIONS(OPTION)                                                                     \
  OPTION(hop, "hop", 8, 1, 64, "cycles from the issue at a boundary to the arrival at the next")  \
  OPTION(bank, "bank", 16, 0, 1 << 20, "slots of a payload bank; 0: as many as it takes")         \
  OPTION(pool, "pool", 0, 0, 1 << 20,                                                             \
         "slots that the sources of a pipeline share, instead of banks; 0: banks")                \
  OPTION(credit, "credit", 2, 1, 64, "cycles until a freed slot can be used again")               \
  OPTION(report, "report", 3, 1, 64, "cycles until the order point can use what an issue freed")  \
  OPTION(window, "window", 4, 1, 1024, "entries of an order queue that are looked at")            \
  OPTION(reorder, "reorder", 0, 0, 1,                                                             \
         "1: any entry of the window that has none of its index before it; 0: only the first")    \
  OPTION(depth, "depth", 64, 0, 1 << 20, "entries of a FIFO of phantoms; 0: as many as it takes") \
  OPTION(overflow, "overflow", 0, 0, 2, "a full FIFO 0: holds, 1: drops inside, 2: at admission") \
  OPTION(steered, "steered", 2, 1, 64,                                                            \
         "cycles before its arrival that a packet gets its pipeline; also from the order point")  \
  OPTION(wary, "wary", 1, 0, 1,                                                                   \
         "1: a source that steers a packet needs a second credit for one whose place is fixed")   \
  OPTION(head, "head", 0, 0, 1, "cycles that a packet waits for its phantom at boundary 0")       \
  OPTION(phantoms, "phantoms", 1, 0, 1, "1: phantoms keep the order of admission, 0: none")       \
  OPTION(phantom, "phantom", 0, 0, 64, "cycles a stage that a phantom is on its way; 0: at once") \
  OPTION(pace, "pace", 24, 0, 1 << 20, "accesses too many that hold a packet back; 0: none do")   \
  OPTION(pace_age, "pace-age", 2, 0, 15, "cycles that this count is old")                         \
  OPTION(brake, "brake", -1, -1, 1 << 20,                                                         \
         "waiting packets that stop admission; -1: 3/4 of the room, 0: none do")                  \
  OPTION(brake_age, "brake-age", 2, 0, 15, "cycles that this count is old")                       \
  OPTION(beat, "beat", 64, 0, 1 << 14,                                                            \
         "bytes that a lane takes in a cycle; 0: a packet whatever its size")                     \
  OPTION(in_flight, "in-flight", -1, -1, 1 << 20,                                                 \
         "packets in flight at most; -1: 256 a pipeline, 1024 at least, 0: as many as it takes")  \
  OPTION(lane_limit, "lane-limit", 0, 0, 1 << 20,                                                 \
         "packets in a lane at which what must wait is dropped; 0: never")                        \
  OPTION(lane_ahead, "lane-ahead", 26, 0, 64, "cycles that a lane has a packet before its turn")  \
  OPTION(masks, "masks", 4, 0, 64,                                                                \
         "cycles of arrival that the order point looks at together; 0: as many as it takes")      \
  OPTION(strict, "strict", 1, 0, 1, "1: no packet passes an older one at the order point")        \
  OPTION(spray, "spray", 2, 0, 2,                                                                 \
         "first pipeline 0: that of the lane, 1: the emptiest, 2: by rank if steering is")        \
  OPTION(steer, "steer", 2, 0, 2,                                                                 \
         "a stateless packet goes 0: straight on, 1: to the emptiest pipeline, 2: by rank")       \
  OPTION(stale, "stale", 1, 0, 15, "cycles that the departures which steering sees are old")      \
  OPTION(lists, "lists", 1, 0, 1,                                                                 \
         "stateless packets wait 1: in a list for each source, 0: in one")                        \
  OPTION(escape, "escape", 1, 0, 1, "1: the oldest packet has a slot of its own and overtakes")   \
  OPTION(oldest_age, "oldest-age", 3, 0, 15, "cycles that the oldest ticket is old")              \
  OPTION(first, "first", 0, 0, 2, "issued first 0: the older, 1: the stateless, 2: the stateful") \
  OPTION(beside, "beside", 0, 0, 1,                                                               \
         "1: only what has no access at the next stage takes a slot, the rest leaves beside it")  \
  OPTION(base, "base", 1, 0, 1,                                                                   \
         "entry of index 0: 1 as 'sluice run' plays a trace, 0 for one of its --accesses")        \
  OPTION(place, "place", 0, 0, 3,                                                                 \
         "where an entry lives 0: entry modulo pipelines, 1: blocks, 2: random, 3: pipeline 0")   \
  OPTION(seed, "seed", 1, 0, 1 << 30, "of random places")                                         \
  OPTION(remap, "remap", 0, 0, 1, "0: as built, 1: at once, as many as pay")                      \
  OPTION(period, "period", 256, 0, 1 << 20, "cycles between remaps; 0: never")                    \
  OPTION(phase, "phase", 40, 0, 1 << 20, "age of the first round of the remap when packets come") \
  OPTION(start, "start", 0, 0, 1 << 30,                                                           \
         "cycle of the chip when the trace begins: whose turn it is")                             \
  OPTION(table, "table", 512, 2, 65536, "remap 0: counters of accesses of a stage")               \
  OPTION(banks, "banks", 2, 1, 16, "remap 0: banks of them; each has a candidate")                \
  OPTION(halve, "halve", 4, 1, 1024, "remap 0: rounds after which counts and loads are halved")   \
  OPTION(home, "home", 4, 0, 64, "remap 0: idle indices that may go home in a round; 0: none do") \
  OPTION(idle, "idle", 6, 1, 255, "remap 0: rounds without a sampled access that make one idle")  \
  OPTION(full, "full", -1, -1, 1 << 20, "remap 0: away, where idle ones go home; -1: 3/4 of all") \
  OPTION(counted, "counted", 0, 0, 1, "remap 0: idle is what no 0: sample, 1: counter knows")     \
  OPTION(evict, "evict", 0, 0, 64,                                                                \
         "remap 0: the least busy makes room for one so many times busier; 0: never")             \
  OPTION(drawn, "draw", 0, 0, 1 << 20,                                                            \
         "remap 0: where the drawn sequence of sampled lanes begins")                             \
  OPTION(ids, "ids", 4, 1, 1024, "remap 0: moves of a stage that are under way, at most")         \
  OPTION(landed, "landed", 8, 1, 63, "remap 0: cycles until it is known that a value has landed") \
  OPTION(moves, "moves", 16, 0, 1024, "remap 1: most moves of a stage in a remap")                \
  OPTION(least, "least", 2, 0, 1 << 20, "accesses in 100 cycles that a move must gain")           \
  OPTION(guard, "guard", 0, 0, 2,                                                                 \
         "moves 0: in order; with remap 1, 1: only among idle indices, 2: if the best is idle")   \
  OPTION(relocated, "relocated", 64, 0, 1 << 20, "indices of a stage that may live elsewhere")    \
  OPTION(busiest, "busiest", 65536, 1, 1 << 20,                                                   \
         "remap 1: indices of a stage whose accesses are counted")                                \
  OPTION(sample, "sample", 1, 0, 1, "counting sees 1: one lane a cycle, in turn, 0: all")         \
  OPTION(forget, "forget", 0, 0, 1, "remap 1 leaves of the counts 0: half, 1: nothing")           \
  OPTION(transfer, "transfer", 3, 1, 64, "cycles from the read of a move to its write")           \
  OPTION(exit, "exit", 1, 0, 1, "packets that leave a lane in a cycle 1: one, 0: all")            \
  OPTION(loop, "loop", 1, 1, 1024, "cycles from the exit to the input, to recirculate")           \
  OPTION(stages, "stages", 0, 0, 16, "stages of the chip; 0: those of the trace")                 \
  OPTION(repeat, "repeat", 1, 1, 1000, "plays the trace so many times")                           \
  OPTION(limit, "limit", 2000000, 1, 1 << 30, "cycles after which the run is called stuck")

struct study_options {
  enum study_mode mode;
#define STUDY_FIELD(field, name, preset, least, most, help) int32_t field;
  STUDY_OPTIONS(STUDY_FIELD)
#undef STUDY_FIELD
};

/// One row per option, in the order above; the last one has no name.
extern const struct study_option study_option_table[];

extern const char *const study_mode_names[STUDY_MODES];

/// The values of a mode.
void study_options_init(struct study_options *options, enum study_mode mode);

/// The mode of that name, or -1.
int study_mode_find(const char *name);

/// Sets one option; `name` may have _ for -.
enum sluice_status study_set(struct study_options *options, const char *name, const char *value,
                             struct sluice_error *error);

/// Sets what sw/configs.def says of a chip, and its limit of a lane after reset.
void study_set_chip(struct study_options *options, const struct sluice_config *config);

/// Are these values possible together?
enum sluice_status study_check(const struct study_options *options, struct sluice_error *error);

enum study_hold {
  STUDY_HOLD_PACE,    // an order queue that it needs gets too long
  STUDY_HOLD_BRAKE,   // too many packets wait at a boundary that it needs
  STUDY_HOLD_DEPTH,   // a FIFO of phantoms is full
  STUDY_HOLD_CREDIT,  // no room at the first boundary
  STUDY_HOLD_WINDOW,  // too many packets are in flight
  STUDY_HOLD_LANE,    // its lane has given a packet in this cycle
  STUDY_HOLDS,
};
extern const char *const study_hold_names[STUDY_HOLDS];

/// A slot is one cycle of one pipeline at one boundary: at most one packet is issued in it. The
/// first five sum up to the slots.
struct study_stage {
  uint64_t used;
  uint64_t nothing;   // no packet waited
  uint64_t order;     // packets waited, the first phantom's was not among them
  uint64_t credit;    // no room at the next boundary
  uint64_t move;      // a move had the state memory, or the value was on its way
  uint64_t held;      // cycles in which the order point held back a packet for this stage
  uint64_t beside;    // packets that left without a slot of their own
  uint64_t accesses;  // of state
  uint64_t moves;
  uint32_t deepest;  // order queue
};

struct study_result {
  struct study_options options;
  uint32_t lanes, stages;
  bool stuck;       // out of time: the figures are those of what was seen
  uint64_t cycles;  // played
  uint64_t packets, left, dropped;
  uint64_t overload;           // of those dropped: at the order point
  uint64_t last_in, last_out;  // cycles: the last packet was offered, the last one left
  uint64_t constant;           // latency of a packet alone, cycles
  double mean_latency;         // from the arrival in the lane
  uint64_t held[STUDY_HOLDS];  // cycles
  uint64_t moves, escapes, recirculations;
  uint64_t c1_accesses, c1_packets;  // out of the order of admission
  uint32_t deepest_queue, deepest_lane;
  struct study_stage stage[SLUICE_TRACE_STAGES];
};

/// Plays a trace; it is repeated and sorted as the options say, so load it anew for another run.
enum sluice_status study_run(const struct study_options *options, struct sluice_trace *trace,
                             struct study_result *result, struct sluice_error *error);

/// Time that the trace took, by the time that the machine took for it.
double study_throughput(const struct study_result *result);
/// The same, less the latency that even a lone packet has.
double study_throughput_net(const struct study_result *result);

void study_print(const struct study_result *result, FILE *out);
/// False: out of memory.
bool study_print_json(const struct study_result *result, FILE *out);
