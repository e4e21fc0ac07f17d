// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_JOB_H
#define SLUICE_DPI_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include <sluice/plan.h>

#include "base/layouts.h"
#include "base/status.h"

/// What a run of the simulator is to do: the JSON file behind +job=FILE, which `sluice run` writes.
///
///     {"sluice_job": 1, "config": "tiny", "report": "r.json", "capture": "in.pcap",
///      "settings": {"pace": 24}, "modules": [{"image": "a.json", "vid": 5}]}
///
/// Keys are the members of the structs below; those from `pace` to `sets` stand in "settings",
/// faults by name in "faults", `told` as pairs [FIRST, LAST], `pace_by` is "line" or "time",
/// `lanes` "spread" or "hash". Every key may be left out but `sluice_job` (the version), `config`
/// and `report`. A key that is not listed, a value of another type or out of its range, is an
/// error. Paths are written by sluice_path_encode (base/text.h): "%ff" is the byte 0xff.
enum {
  JOB_VERSION = 1,
  JOB_MAX_MODULES = 32,
  JOB_MAX_FAULTS = 8,
  JOB_MAX_SEGMENTS = 512,
  JOB_MAX_REGISTERS = 64,
  JOB_MAX_UPDATES = 100000,
  JOB_MAX_TOLD = 1000000,
  JOB_MAX_CUTS = 100000,
  JOB_MAX_EVERY = 1000,
  JOB_MAX_LANES = 16
};

struct job_module {
  char *image;                             // path of a configuration image
  unsigned vid;                            // VLAN id that selects it
  unsigned set;                            // of pipelines, if there are several
  bool trusted;                            // may write its VLAN id (driver/guard.h)
  bool active;                             // its packets may be capsules
  unsigned passes, pass_rate, pass_burst;  // of sluice_plan_recirculate; 0 passes: not at all
  // Rate at each lane (table RATE_LIMIT), and what may come at once; lane_packets -1: no limit
  int lane_packets, lane_packet_burst, lane_beats, lane_beat_burst;
  int class;        // in the output queues (table OUTPUT_CLASS); -1: that of its row
  int rate, burst;  // its share of every order queue (table SHARE); rate -1: no limit
  // Those it may send to (table MODULE_PORTS), as a number: bit p is port p; NULL: all
  char *ports;
};

/// A segment that control packets made: its final state is compared as that of the images' segments
/// is. Row: bank x NumModules + overlay row.
struct job_segment {
  unsigned stage, row, range;
};

/// An update of modules under traffic, in a chip with two banks. Its frames are the next ones of
/// the capture `updates_capture`.
struct job_update {
  // cycle, from the first of the capture on; earlier ones are carried out first
  uint64_t at;
  unsigned flip;     // bit r: overlay row r takes its other bank
  unsigned bounces;  // flips back and forth behind it, at once
  // Does not wait until the last frame has taken effect: the flip may be refused at first
  bool hasty;
  unsigned before;  // frames before the flip: the idle banks
  // Frames behind it, which are refused while packets of the old banks are inside
  unsigned early;
  unsigned after;  // frames when the banks that are idle then are empty
};

/// A write of CHIP.CUT under traffic, in a chip with CutStages.
struct job_cut {
  // cycle, from the first of the capture on; earlier ones are carried out first
  uint64_t at;
  unsigned rows;  // what is written; 0: the cut ends
  // First wait until the last cut is ready, or has ended: else the write may be refused
  bool wait;
  bool home;  // first call the indices of these modules home
  // When it is ready, read all arrays of these modules; rows 0: those of the cut that ends, before
  // that
  bool read;
  // before that, try to fill the arrays of the lowest of them, which is refused
  bool fill;
};

struct job {
  char *config;  // name of the configuration that the simulator must be
  struct job_module modules[JOB_MAX_MODULES];
  unsigned num_modules;
  struct job_segment segments[JOB_MAX_SEGMENTS];
  unsigned num_segments;
  char *capture;  // packets to play: pcap or pcapng
  // a line "PORT CYCLE" for each of them: where it comes in, and when it arrives
  char *schedule;
  struct job_update *updates;
  size_t num_updates;
  char *updates_capture;  // pcap of their frames
  struct job_cut *cuts;
  size_t num_cuts;
  // pcap of control packets while packets are played: time 700 ns is cycle 700 from the first
  // packet on
  char *marks_capture;
  char *control;   // extra reconfiguration packets, sent after the images
  char *initial;   // what arrays hold at the start (lib/initial.h)
  char *out;       // pcap of what leaves
  char *report;    // JSON results
  char *timeline;  // TSV: occupancy and rates over time
  char *events;    // all that the monitors are told (sw/model/events.h)
  // Prefix: the run's state accesses as FLOWS and PACKETS files of the cycle-level study
  char *accesses;
  char *stories;  // JSON, a line for each packet that `told` names (stories.h)
  // Stories have no more of a frame than the header, and none of those that leave
  bool brief;
  struct job_told {
    uint64_t first, last;  // numbers of packets, from 1
  } * told;
  size_t num_told;
  double load;                    // share of line rate offered by each lane, above 0, at most 1
  double stall;                   // probability that an output lane is not ready in a cycle
  unsigned every[JOB_MAX_LANES];  // lane n is ready in one of so many cycles; 0, 1: in all
  // Probability that the player damages a packet (cut, marked bad, gap, no tag, wrong VLAN)
  double malformed;
  double idle;   // probability that a stream stays empty for a cycle, also inside a packet
  bool by_time;  // start packets at their capture times
  double ns_per_cycle;
  bool hash_lanes;  // lane by flow; else lanes are filled evenly
  // Indices in a frame of a trace that make it come in again (player.h); 0: none does
  unsigned recirculate;
  uint64_t seed;
  uint64_t packets;       // play at most so many; 0: all
  uint64_t writes;        // registers written at random while packets are played (writes.h)
  unsigned writes_break;  // to test that: what is wrong with the writes (writes.c); 0: nothing
  uint64_t max_cycles;    // 0: bounded by progress alone
  int64_t last_offered;   // by the schedule, from its first packet on; -1: not known
  uint64_t fault_mask;    // bit f: fault f
  // -1: leave as after reset
  int pace, brake, lane_limit, output_limit, move_period, move_least, move_quota;
  int mode, ecn_queue, ecn_lane;                          // the same
  unsigned num_class_ecn, class_ecn[SLUICE_CLASSES_MAX];  // of the first so many classes
  int64_t class_costs;                                    // the same
  int class_strict;                                       // the same
  // Registers MERGE of a chip with OrderedMerge; the same
  int merge_lanes, merge_key, merge_idle;
  int pin;        // all state goes to this pipeline; -1: as the images say
  int sets;       // of pipelines, each a logical switch; -1: one
  bool progress;  // "progress DONE TOTAL" lines on stderr
  bool state;     // the final state, by source names, into the report
  struct job_register {
    // BLOCK.NAME or BLOCK[INSTANCE].NAME, as docs/tables.md has them: read at the end
    char *name;
    uint32_t addr;
  } registers[JOB_MAX_REGISTERS];
  unsigned num_registers;
  bool spec;            // the chip must equal the machine of docs/machine.md, not the model
  bool check_counters;  // compare the chip's counters with the checker's at the end
};

/// Reads a job. Returns an error when the file is not a legal job; the text says what is wrong.
enum sluice_status job_load(struct job *job, const char *path, struct sluice_error *error);
void job_release(struct job *job);

#endif
