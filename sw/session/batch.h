// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <sluice/chip.h>
#include <stdio.h>

#include "../driver/plan/plan.h"
#include "../lib/capture.h"
#include "../lib/flows.h"
#include "../monitor/monitored.h"
#include "../monitor/stories.h"
#include "job.h"
#include "player.h"
#include "wires.h"

/// A job (job.h) on a simulated chip: packets of a capture go in cycle by cycle, and the report
/// says whether all was as in the reference.
///
///     struct batch *b = batch_open(path, m, &wires, &error);
///     ... as a coroutine: batch_main(b)          // the script, which waits by m->to.ops->wait
///     ... in each cycle, before it: batch_cycle(b)
///     batch_write(b), batch_close(b)
///
/// The script is ordinary driver code: it configures the chip, plays the packets, and reads back
/// what the chip holds. Any error ends it; the text goes into the report.
struct batch {
  struct job job;
  const struct sluice_config *config;
  struct monitored *m;
  struct sluice_checker *checker;  // of m
  struct wires *wires;
  struct player *player;
  struct sluice_error error;  // set when the run could not be carried out
  bool over;                  // the script has come to its end
  bool stuck;
  char stuck_text[200];  // why

  struct sluice_plan plan;  // the modules on the chip
  struct sluice_chip *chip;
  uint64_t play_start;                // cycle
  struct sluice_capture *marks;       // control packets while packets are played
  struct sluice_packet next_mark;     // bytes NULL: there is none
  uint64_t marks_sent, marks_played;  // packets; marks that came while packets were played
  struct sluice_capture *updates;     // frames of the job's updates
  size_t next_update, updated;
  size_t next_cut;
  uint32_t cut_rows;       // of the last one that it has begun
  uint64_t cuts_unwanted;  // writes of CHIP.CUT by the job that were refused
  bool whole;              // a cut of all modules is there, taken at the end
  struct writes *writes;   // of registers, at random; NULL: none
  struct resets {
    struct sluice_rng rng;
    uint64_t done, loaded;  // those that were; those of a chip with packets inside
    uint64_t inside;        // packets that were there, of all
    // The next one: in this cycle; or, unless `arrival` is 0, so many cycles behind that packet
    uint64_t cycle, arrival, behind;
  } resets;  // of the chip, in the middle of the run

  // with job.state: the words of each segment of the plan, NULL before it was read
  uint32_t (**state)[2];
  uint32_t **rows;       // the same of arrays of rows: the words of each, one row behind the other
  unsigned state_reads;  // READs of the final state, counted in m->control_good as well
  uint32_t registers[JOB_MAX_REGISTERS];  // of the job, at the end
  uint32_t first_error;                   // CHIP.FIRST_ERROR
  struct boundary_counts {
#define BOUNDARY(NAME, REGISTER) uint32_t NAME;
#include "counters.def"
  } boundary[20][WIRES_MAX];
  struct order_counts {
#define ORDER(NAME, REGISTER) uint32_t NAME;
#include "counters.def"
  } order[WIRES_MAX];
  struct {
    uint32_t decided, away;  // away: when the last packet had left
  } moves;

  uint64_t first_packet_arrival, last_arrival;
  double wall_start, wall_seconds;
  // flows over all lanes, and what of them one lane brings
  struct sluice_flows *flows_all, *flows_by_lane;
  // What happened in an interval of the timeline.
  struct interval {
    uint64_t start, packets, bytes, depth_sum;
    unsigned deepest;
  } interval;
  FILE *timeline, *flows, *packets;
  FILE *told;        // all that the monitors are told; NULL: nobody wants it
  FILE *story_file;  // NULL: none are wanted
  struct stories stories;
  struct sluice_capture_writer *capture_out;
};

/// Reads the job and opens its files; opens the monitors. `m->chip` is set. NULL with `error`
/// filled.
struct batch *batch_open(const char *path, struct monitored *m, struct wires *wires,
                         struct sluice_error *error);
/// The batch begins again, since the chip is reset: another one, of the same job. What the script
/// of the one before held is not freed. NULL with `error` filled.
struct batch *batch_again(struct batch *batch, const char *path, struct sluice_error *error);
void batch_main(void *batch);
/// One cycle of the timeline.
void batch_cycle(struct batch *batch);
/// Writes the report of one that is over. Returns 0, or -1 if the run could not be carried out (the
/// report says why) or the report not be written (after a message).
int batch_write(struct batch *batch);
/// NULL is allowed.
void batch_close(struct batch *batch);

// ---- parts of it, for each other ----------------------------------------------------------------

enum sluice_status batch_files_open(struct batch *batch);
/// What could not be written is the run's error.
void batch_files_close(struct batch *batch);
struct sluice_checker_hooks batch_hooks(struct batch *batch);

static inline enum sluice_status batch_read(struct batch *b, uint32_t addr, uint32_t *value) {
  return b->m->to.ops->csr_read(b->m, addr, value, &b->error);
}
/// Writes a register that may be refused: that is no error.
enum sluice_status batch_try_write(struct batch *batch, uint32_t addr, uint32_t value,
                                   bool *refused);
/// What a chip that is wrong does not answer is not the run's error.
enum sluice_status batch_excused(struct batch *batch, enum sluice_status status);
/// The chip's counters must tell the same story as the monitors, and what entries have counted.
enum sluice_status batch_check_counters(struct batch *batch);
enum sluice_status batch_check_counts(struct batch *batch);
/// The final state, compared and kept.
enum sluice_status batch_read_state(struct batch *batch);

/// What the job does while packets are played: control packets (`marks_capture`), updates of
/// modules in a chip with two banks (the idle one is written and read back, a write of CHIP.BANK
/// makes it the one that packets take, and when the last packet of the old one has left, its rows
/// are taken out of use), cuts (docs/marks.md).
enum sluice_status beside_open(struct batch *batch);
void beside_close(struct batch *batch);
/// Carries out what is due; `all`: whenever it is. Ends early, without an error, when the checker
/// has found a difference.
enum sluice_status beside_turn(struct batch *batch, bool all);
bool beside_done(const struct batch *batch);
/// Takes a cut of all modules, which stays; one of the job ends. `there`: it can be read.
enum sluice_status beside_cut_whole(struct batch *batch, bool *there);
/// For the report.
void beside_add(json_t *root, const struct batch *batch, const struct sluice_report *report);

/// Writes of registers under traffic, at random (`writes` of a job): of every register that
/// layouts.def says software may write, but CHIP.FAULT. Each is refused, and the register is what
/// it was, or it takes what it can hold: all else is a difference, and so is whatever the monitors
/// find of the packets.
enum sluice_status writes_open(struct batch *batch);
void writes_close(struct batch *batch);
enum sluice_status writes_turn(struct batch *batch, bool all);
/// Writes what was there before, when nothing is inside.
enum sluice_status writes_restore(struct batch *batch);
/// NULL if the job writes none.
json_t *writes_json(const struct batch *batch);

/// Resets of the chip in the middle of a run, at random moments (`resets` of a job): while it
/// sweeps its memories, while it is configured, or with packets inside. What holds behind a reset
/// is what holds behind the first one (docs/machine.md): no table, no state and no counter has
/// anything of before, nothing comes out that did not come in since. So the batch is left where it
/// is, and one of the same job begins (batch_again); the last one goes on to its end, and the
/// verdict is that of any run. A run with a difference is not reset: that ends it.
void resets_open(struct batch *batch, const struct resets *before);  // NULL: there was none
/// Whether it is to be now; counts it.
bool resets_due(struct batch *batch);
/// NULL if the job has none.
json_t *resets_json(const struct batch *batch);
