// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <limits.h>

#include "../lib/trace_play.h"
#include "../session/job.h"
#include "cli.h"
#include "reactions.h"
#include "story.h"
#include "view.h"

/// The parts of `sluice run`.
#define RUN_REPORT_FORM (JSON_INDENT(2) | JSON_REAL_PRECISION(6))
enum { RUN_PATH = 4096 };

/// The command line: its words, and those of them that name programs.
struct run_words {
  int argc;
  char **argv;
  struct cli_list programs, with_vid;  // FILE; FILE:VID...
};
/// Options of the verb and what is worked out of them.
struct run {
  struct run_words words;
  const struct sluice_config *config;
  // What the simulator is to do: options are members of it; run_write_job adds the rest
  struct job job;
  struct cli_modules modules;
  struct cli_reactions reactions;  // with --chip model:NAME
  bool reaction_failed;            // one of them has had an error
  bool live;                       // on a simulator, which serves then
  bool over_socket;                // --socket: it serves without reactions, too
  struct cli_traffic traffic;
  struct cli_list faults, captures, registers;  // captures: FILE or PORT:FILE
  bool model;                  // --chip model:NAME: no simulator, and nothing to compare with
  char shape[CLI_SHAPE_NAME];  // of `chip`, if an image says it
  const char *chip, *out, *report, *control, *plot, *sim, *pace_by, *lanes, *dir, *timeline,
      *events, *accesses, *flows_csv, *packets_csv, *program_out;
  struct cli_list every;      // LANE:N
  unsigned every_cycles[16];  // by output lane; 0: always
  uint64_t packets, max_cycles, timeout, repeat, flow_order;
  bool output_by_default;  // nobody asked for output_limit
  // Enumerations STEER and ISSUE, NULL: as after reset
  const char *steer, *issue;
  const char *oracle;  // "model", "spec"; NULL: model
  bool no_escape, no_phantoms, drop_full;
  const char *place;  // of a trace's indices; NULL: modulo
  bool replays;       // the verb is replay, or recirculate: a published trace
  bool recirculates;  // the verb is recirculate
  bool json, quiet, replace_vlan;

  bool tracing;                 // the verb is trace: stories, and no report
  const char *stories, *read;   // file of the stories of all packets; stories of an earlier run
  const char *view;             // file of the page to look into
  struct view *page;            // as far as it has come
  struct story_select select;   // packets whose stories are told
  struct story_select told;     // the same by numbers alone, once the capture was seen
  char stories_path[RUN_PATH];  // of the simulator's notes

  char sim_path[RUN_PATH], work[RUN_PATH - 128];
  struct cli_work own;  // `work`, if no --dir names it
  char input_path[RUN_PATH], job_path[RUN_PATH], log_path[RUN_PATH], report_path[RUN_PATH],
      timeline_path[RUN_PATH], events_path[RUN_PATH];
  uint64_t num_packets, num_beats, span_ns;  // of the prepared capture
  struct sluice_trace published;             // of `replays`
  struct sluice_trace_plan plan;
  char program_path[RUN_PATH], schedule_path[RUN_PATH];
  // Files that are "-" on the command line, as the simulator gets them.
  char out_path[RUN_PATH], control_path[RUN_PATH];
};

/// Parses the command line of the verb that `run` names. Arguments that are programs stay in
/// `rest`.
enum cli_parsed run_parse(struct run *run, int argc, char **argv, struct cli_list *rest,
                          struct cli_list *with_vid);
/// Whether faults, registers and lanes that the command line names exist; false after a message.
bool run_names_there(struct run *run);
/// Whether nothing is asked for that a simulator which serves cannot do; false after a message.
bool run_can_live(const struct run *run);
/// Finds the simulator: --sim, $SLUICE_SIM, or build/CHIP/sim near the executable. False after a
/// message.
bool run_find_sim(struct run *run);
/// The file of an argument FILE or PORT:FILE; *port is PORT, or -1 (NULL: not wanted). A file whose
/// name looks like PORT:FILE can be called ./PORT:FILE.
const char *run_capture_path(const char *item, int *port);
/// Who takes the packets of a run, one after the other. `begin` and `end` are called once; `end`
/// always, also when `begin` was not.
struct run_sink {
  void *user;
  /// `at_ports`: some packets name the port where they come in.
  enum sluice_status (*begin)(void *user, bool at_ports, struct sluice_error *error);
  /// A frame with its VLAN tag. `port` -1: at no port in particular.
  enum sluice_status (*take)(void *user, const uint8_t *bytes, size_t len, uint64_t time_ns,
                             int port, struct sluice_error *error);
  enum sluice_status (*end)(void *user, struct sluice_error *error);
};
/// Reads the captures, merged by time, or makes traffic. Exit code, after a message.
int run_play_packets(struct run *run, const struct run_sink *sink);
/// Hands them to the reference model (--chip model:NAME), or to a simulator that serves, so that
/// reactions run meanwhile; writes its report. Exit code.
int run_on_chip(struct run *run);
/// Writes the capture that the simulator plays: every frame with the VLAN tag of a module. Exit
/// code.
int run_prepare_capture(struct run *run);
/// Reads the published trace and writes the program that plays it. Exit code.
int run_load_trace(struct run *run);
/// Writes its capture, and the schedule: port and cycle of each packet. Exit code.
int run_prepare_trace(struct run *run);
/// Writes the job file. Exit code.
int run_write_job(const struct run *run);
/// Runs the simulator to its end, with a progress bar on a terminal. Exit code: CLI_DONE if it
/// wrote a report.
int run_execute(const struct run *run);
/// For the verb trace: takes what is no program out of `rest`, and selects packets by it (none:
/// packet 1, or all of --read). False after a message.
bool run_select(struct run *run, struct cli_list *rest);
/// Packet `number` of the capture comes in: is its story told?
bool run_note(struct run *run, uint64_t number, const uint8_t *bytes, size_t len);
/// Prints the stories of the run, or writes them to --stories. Exit code.
int run_tell(struct run *run);
/// More packets make a page that no browser shows.
enum { RUN_VIEW_PACKETS = 1000000 };
/// Adds a story to the page. False: out of memory.
bool run_view_add(struct run *run, const json_t *story);
/// Writes the page; report NULL: there is none. Exit code.
int run_write_view(struct run *run, const json_t *report);
/// Prints stories of an earlier run. Exit code.
int run_read_stories(struct run *run);
/// Reads the report. NULL after a message.
json_t *run_read_report(const struct run *run);
/// Adds where the report comes from (run_origin.c), and what its reader must know of times, here
/// and in its file. False after a message.
bool run_complete_report(const struct run *run, json_t *report);
void run_add_origin(const struct run *run, json_t *report);
/// Says how many cycles a run by time stamps takes, if these are many.
void run_warn_of_time(const struct run *run);
/// Prints it, short.
void run_print_report(FILE *out, const struct run *run, const json_t *report);
/// Prints its last line: EQUIVALENT, or what is the first difference.
void run_print_verdict(FILE *out, const json_t *report);
/// Exit code that the verdict asks for.
int run_verdict(const json_t *report);
/// What --plot makes: ends of the names of its files.
enum { RUN_PLOTS = 3 };
extern const char *const run_plot_ends[RUN_PLOTS];
/// Packets per cycle that the lanes can bring: a beat each a cycle.
double run_line_rate(const struct run *run);
/// Makes PREFIX.tsv, PREFIX.svg and PREFIX.png of the timeline. Exit code.
int run_plot(const struct run *run, const json_t *report);
