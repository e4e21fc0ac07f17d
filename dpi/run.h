// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_DPI_RUN_H
#define SLUICE_DPI_RUN_H

#include <sluice/chip.h>
#include <stdio.h>

#include "base/rng.h"
#include "host.h"
#include "session/job.h"
#include "lib/capture.h"
#include "lib/flows.h"
#include "driver/place.h"
#include "model/checker.h"
#include "pins.h"
#include "player.h"
#include "resets.h"

/// Everything that belongs to one run: shared by the clock (sim.c), the script (script.c) and the
/// results (results.c).

/// What happened in an interval of the timeline.
struct interval {
  uint64_t start, packets, bytes, depth_sum;
  unsigned deepest;
};

struct run {
  struct job job;
  const struct sluice_config *config;
  struct sluice_checker *checker;
  struct player *player;
  struct host host;
  struct coroutine *script;
  struct server *server;  // instead of a job; NULL in a batch run
  bool reset;             // the server wants the chip reset
  bool ready;             // CHIP.STATUS has said so since
  uint64_t differences;   // before the last reset
  char difference[400];   // the first of them
  struct pins_in in;
  const struct pins_out *out;

  uint64_t cycle;  // since reset
  bool playing;
  uint64_t play_start;  // cycle
  struct sluice_rng stalls;
  bool over;

  // verdict
  bool stuck;
  char stuck_text[200];       // why
  struct sluice_error error;  // set when the run could not be carried out

  // the plan of modules on the chip
  struct sluice_plan plan;
  struct sluice_transport to;  // the chip for the library, with the monitors told (monitored.h)
  struct sluice_chip *chip;
  unsigned control_good, control_bad;  // as the reference has it
  uint32_t counted_good, counted_bad;  // as the chip has counted
  struct sluice_capture *updates;      // frames of the job's updates (updates.h)
  size_t next_update, updated;
  // control packets of the job while packets are played (marks.h)
  struct sluice_capture *marks;
  struct sluice_packet next_mark;     // bytes NULL: there is none
  uint64_t marks_sent, marks_played;  // packets; marks that came while packets were played
  unsigned state_reads;               // READs of the final state, counted in control_good as well
  uint8_t cut[64];                    // the last control packet, if it was a READ of CUT
  uint64_t cut_begin;                 // cycle in which it was sent
  size_t cut_len;                     // 0: it was none, or it was answered
  bool cut_raced;                     // CHIP.CUT was written since
  bool fill_sent;                     // a FILL, since the chip was seen to have counted all
  size_t next_cut;                    // of the job
  uint32_t cut_rows;                  // of the last one that it has begun
  bool whole;                         // a cut of all modules is there, taken at the end
  uint64_t cuts_unwanted;             // writes of CHIP.CUT by the job that were refused
  // The last control packet, if it was a TAKE that the chip may refuse
  uint8_t take[64];
  size_t take_len;      // 0: it was none
  uint64_t take_begin;  // cycle in which it was sent
  // The last control packet was of marks: the checker knows the answer
  bool control_is_marks;
  bool control_is_state;  // the last control packet was of table STATE or STATE_ROW
  // The last control packet, if it was a READ of counters of entries
  uint8_t count[64];
  size_t count_len;  // 0: it was none
  // The last control packet was of the state of an egress stage, and no packet of its row was
  // inside: so many had come
  bool control_is_still;
  unsigned still_row;
  uint64_t still_seen;
  // answers of table STATE are compared here; a batch run compares them entry by entry
  bool compare_state;
  struct writes *writes;         // of registers, at random; NULL: none
  struct resets resets;          // of the chip, in the middle of the run
  bool moved;                    // CHIP.MOVE_PERIOD has been something else than 0
  uint32_t ecn_queue, ecn_lane;  // as written
  struct {
    uint32_t lanes, key, idle;
  } merge;                              // registers MERGE, as written
  uint64_t answers;                     // to control packets, compared
  struct sluice_model_answer expected;  // to the last control packet, len 0: none
  struct sluice_answer answer;          // what the chip said to it

  // with job.state: the words of each segment of the plan, NULL before it was read
  uint32_t (**state)[2];
  uint32_t **rows;  // the same of arrays of rows: the words of each, one row behind the other
  uint32_t registers[JOB_MAX_REGISTERS];  // of the job, at the end

  // measured
  uint32_t first_error;  // CHIP.FIRST_ERROR
  unsigned deepest;
  uint64_t events;             // of any kind: the sign of progress
  uint64_t arrived, disposed;  // packets; their difference waits for the order point
  uint64_t last_arrival;
  // flows over all lanes, and what of them one lane brings
  struct sluice_flows *flows_all, *flows_by_lane;
  uint64_t first_packet_arrival;
  /// Beats on the wires: sent by each output lane since the first one, and how many of them when
  /// the last beat came in.
  struct wire_counts {
    uint64_t start, end;  // cycles of the window: first beat out, last beat in
    uint64_t sent[MAX_PIPES], in_window[MAX_PIPES];
  } wire;
  double wall_start;
  double wall_seconds;
  struct interval interval;
  struct boundary_counts {
    uint32_t issued, idle, wait_data, wait_credit, stateful, escapes, high_queue, high_bank,
        high_waiting;
  } boundary[MAX_BACK_STAGES][MAX_PIPES];
  struct order_counts {
    uint32_t paced, braked, full, credit, window, above_share;
  } order[MAX_PIPES];
  struct {
    uint32_t decided, away;  // away: when the last packet had left
  } moves;

  // files
  FILE *timeline, *flows, *packets;
  FILE *told;               // all that the monitors are told; NULL: nobody wants it
  struct stories *stories;  // NULL: none are wanted (stories.h)
  struct sluice_capture_writer *capture_out;
};

/// The script: what the host does from reset to the end. Runs as a coroutine.
void script_main(void *run);

/// Opens the output files. Returns an error with the file's name.
enum sluice_status results_open(struct run *run);
/// One cycle of the timeline.
void results_cycle(struct run *run);
/// Hooks of the checker.
struct sluice_checker_hooks results_hooks(struct run *run);
/// Closes the files of a run that begins again, without a report.
void results_drop(struct run *run);
/// Closes the files and writes the report. Returns 0, or -1 after a message.
int results_write(struct run *run);

#endif
