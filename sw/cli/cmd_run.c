// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../driver/register.h"
#include "run.h"

static const struct cli_usage usage = {
    "run", "[PROGRAM...] [OPTION...]",
    "Runs programs on the simulated chip and compares every "
    "packet and all state with the reference",
    "A PROGRAM is Domino source (*.dom) or a configuration "
    "image (*.json); it gets the first free VLAN id\n"
    "from 1 on. Packets without a VLAN tag get one; with "
    "several programs, by flow. Exit code: 0 only if\n"
    "the verdict is EQUIVALENT, 1 if it is not, 2 wrong command "
    "line, 3 a file or the simulator failed,\n"
    "4 nothing was compared. With --chip model:k4 the reference itself is the chip: the\n"
    "verdict is MODEL, and 0 says that it has run to its end.\n"};

static const struct cli_usage trace_usage = {
    "trace", "[PROGRAM...] [PACKETS...] [OPTION...]",
    "Runs programs and tells the whole story of single packets",
    "PACKETS are a number (17), a range (10-20, 10-) or a filter as tcpdump takes it ('udp dst "
    "port 53'); several add up;\n"
    "none: packet 1. Numbers count from 1, as Wireshark does. A filter sees the frame without its "
    "VLAN tag, unless it says vlan.\n"
    "Values are the reference's, cycles the chip's. All options of 'sluice run' hold. Exit code: 0 "
    "told, 1 none of these packets\n"
    "came in, or the verdict of the run is not EQUIVALENT; 2 wrong command line, 3 a file or the "
    "simulator failed,\n"
    "4 nothing was compared.\n"};

static bool one_of(const char *option, const char *value, const char *first, const char *second) {
  if (strcmp(value, first) == 0 || strcmp(value, second) == 0) return true;
  cli_error("--%s: '%s' is neither %s nor %s", option, value, first, second);
  return false;
}

static bool registers_there(const struct run *run) {
  for (unsigned i = 0; i < run->registers.count; i++) {
    struct sluice_error error;
    uint32_t addr;
    if (sluice_register_parse(run->config, run->registers.items[i], &addr, &error) == SLUICE_OK)
      continue;
    cli_error("--register: %s", error.text);
    return false;
  }
  return true;
}

static bool faults_there(const struct run *run) {
  for (unsigned i = 0; i < run->faults.count; i++)
    if (!cli_fault(run->config, run->faults.items[i])) return false;
  return true;
}

// A trace brings program, packets and times of its own.
static bool trace_alone(const struct run *run, const struct cli_list *rest,
                        const struct cli_list *with_vid) {
  const struct {
    bool given;
    const char *name;
  } others[] = {{rest->count || with_vid->count, "a program"},
                {run->captures.count != 0, "--pcap"},
                {run->packets != 0, "--packets"},
                {run->load < 1.0, "--load"},
                {run->malformed > 0.0, "--malformed"},
                {strcmp(run->pace_by, "line") != 0, "--pace-by"},
                {strcmp(run->lanes, "hash") == 0, "--lanes hash"}};
  if (!run->flows_csv != !run->packets_csv) {
    cli_error("--trace-flows and --trace-packets belong together");
    return false;
  }
  const char *alone = run->program_out                  ? "write-program"
                      : run->flow_order                 ? "flow-order"
                      : run->recirculate                ? "recirculate"
                      : run->place                      ? "place"
                      : strcmp(run->lanes, "flow") == 0 ? "lanes flow"
                      : run->repeat > 1                 ? "repeat"
                                                        : NULL;
  if (!run->flows_csv && alone) {
    cli_error("--%s is for a trace: --trace-flows, --trace-packets", alone);
    return false;
  }
  for (size_t i = 0; run->flows_csv && i < sizeof others / sizeof others[0]; i++)
    if (others[i].given) {
      cli_error("a trace and %s do not go together", others[i].name);
      return false;
    }
  return true;
}

// Pipelines that know nothing of each other: packets stay in theirs, and so does state.
static bool recirculates(struct run *run) {
  const struct {
    bool given;
    const char *name;
  } others[] = {{run->steer && strcasecmp(run->steer, "stay") != 0, "--steer"},
                {run->no_phantoms, "--no-phantoms"},
                {run->pin != RUN_UNSET, "--pin"},
                {run->flow_order != 0, "--flow-order"},
                {run->move_period != RUN_UNSET && run->move_period, "--move-period"}};
  if (!run->place) run->place = run->recirculate ? "random" : "modulo";
  if (!run->recirculate) return true;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (others[i].given) {
      cli_error("--recirculate and %s do not go together", others[i].name);
      return false;
    }
  run->steer = "stay";
  run->move_period = 0;
  return true;
}

// Options of a simulator that plays a job: the first one that is given.
static bool simulator_alone(const struct run *run, bool model, const char **name,
                            const char **why) {
  const struct {
    bool given;
    const char *name, *why;
  } others[] = {{model && run->sim != NULL, "--sim", "runs no simulator"},
                {!model && run->control != NULL, "--control", ""},
                {!model && run->registers.count != 0, "--register", ""},
                {!model && run->state, "--state", ""},
                {model && run->timeout != 0, "--timeout", "runs no simulator"},
                {run->max_cycles != 0, "--max-cycles", "has no cycles"},
                {run->timeline != NULL, "--timeline", "has no cycles"},
                {run->plot != NULL, "--plot", "has no cycles"},
                {run->stories != NULL, "--stories", "has no cycles"},
                {run->view != NULL, "--view", "has no cycles"},
                {run->tracing, "trace", "has no cycles"},
                {run->accesses != NULL, "--accesses", "has no cycles"},
                {run->flows_csv != NULL, "--trace-flows", "has no cycles"},
                {run->stall > 0, "--stall", "has no cycles"},
                {run->load < 1.0, "--load", "has no cycles"},
                {strcmp(run->pace_by, "time") == 0, "--pace-by time", "has no cycles"},
                {run->pace != RUN_UNSET, "--pace", "has no queues"},
                {run->brake != RUN_UNSET, "--brake", "has no queues"},
                {run->lane_limit != RUN_UNSET, "--lane-limit", "has no queues"},
                {run->output_limit != RUN_UNSET, "--output-limit", "has no queues"},
                {run->ecn_queue != RUN_UNSET, "--ecn-queue", "has no queues"},
                {run->ecn_lane != RUN_UNSET, "--ecn-lane", "has no queues"},
                {run->drop_full, "--drop-full", "has no queues"},
                {run->no_phantoms, "--no-phantoms", "has no queues"},
                {run->no_escape, "--no-escape", "has no queues"},
                {run->steer != NULL, "--steer", "has one logical pipeline"},
                {run->issue != NULL, "--issue", "has one logical pipeline"},
                {run->move_period != RUN_UNSET, "--move-period", "moves no indices"},
                {run->move_least != RUN_UNSET, "--move-least", "moves no indices"},
                {run->move_quota != RUN_UNSET, "--move-quota", "moves no indices"},
                {run->malformed > 0, "--malformed", "has no wires on which packets are damaged"},
                {run->faults.count != 0, "--fault", "cannot be broken"}};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (!others[i].given) continue;
    *name = others[i].name;
    *why = others[i].why;
    return true;
  }
  return false;
}

// The model has no cycles, no queues and no load: what sets or measures them would have no effect,
// and is refused.
static bool for_the_model(const struct run *run) {
  const char *name, *why;
  if (!simulator_alone(run, true, &name, &why)) return true;
  cli_error("%s needs a simulated chip: the model %s", name, why);
  return false;
}

// Nor has a simulator that serves while reactions run a job of its own, in which these stand.
static bool for_reactions(const struct run *run) {
  const char *name, *why;
  if (!simulator_alone(run, false, &name, &why)) return true;
  cli_error("%s and reactions do not go together; --reactions off runs the programs without", name);
  return false;
}

// A value of an enumeration that the layouts know.
static bool known_value(const char *option, const char *enumeration, const char *name,
                        unsigned *value) {
  if (!name) return true;
  int found = sluice_value_find(enumeration, name);
  if (found < 0) cli_error("--%s: no '%s'; see %s in docs/tables.md", option, name, enumeration);
  else *value = (unsigned)found;
  return found >= 0;
}

static bool known_mode(struct run *run) {
  unsigned steer = SLUICE_STEER_RANK, issue = SLUICE_ISSUE_OLDER;
  if (!known_value("steer", "STEER", run->steer, &steer) ||
      !known_value("issue", "ISSUE", run->issue, &issue))
    return false;
  run->mode = (uint64_t)steer << SLUICE_MODE_STEER_LSB | (uint64_t)issue << SLUICE_MODE_ISSUE_LSB |
              (uint64_t)run->no_escape << SLUICE_MODE_NO_ESCAPE_LSB |
              (uint64_t)run->no_phantoms << SLUICE_MODE_NO_PHANTOMS_LSB |
              (uint64_t)run->drop_full << SLUICE_MODE_DROP_FULL_LSB;
  return true;
}

// --chip model:NAME: NAME stays.
static bool run_names_model(struct run *run) {
  static const char prefix[] = "model:";
  if (strncmp(run->chip, prefix, strlen(prefix)) != 0) return false;
  run->chip += strlen(prefix);
  return run->model = true;
}

static enum cli_parsed parse(struct run *run, int argc, char **argv, struct cli_list *rest,
                             struct cli_list *with_vid) {
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Chip and programs"},
      {CLI_TEXT, 'c', "chip", "NAME", &run->chip, 0, 0,
       "configuration of the chip (k4); model:NAME: the reference model, no simulator"},
      {CLI_LIST, 'm', "module", "FILE:VID", with_vid, 0, 0,
       "program or image with its VLAN id; FILE:VID@SET: in a set"},
      {CLI_WHOLE, 0, "sets", "N", &run->sets, 1, 16,
       "sets of pipelines, each a switch of its own: 1, 2, 4... (1)"},
      CLI_MODULE_OPTIONS(run->modules),
      CLI_REACTION_OPTIONS(run->reactions),
      {CLI_READ, 0, "control", "FILE", &run->control, 0, 0,
       "capture of more packets for the control port"},
      {CLI_WHOLE, 0, "pace", "V", &run->pace, 0, 65535, "pacing threshold, 0: none"},
      {CLI_WHOLE, 0, "brake", "N", &run->brake, 0, 65535,
       "waiting packets that stop admission, 0: never"},
      {CLI_WHOLE, 0, "lane-limit", "N", &run->lane_limit, 0, 8191,
       "packets in a lane before overload drops"},
      {CLI_WHOLE, 0, "output-limit", "N", &run->output_limit, 0, 2047,
       "packets waiting at an output port"},
      {CLI_WHOLE, 0, "move-period", "N", &run->move_period, 0, 65535,
       "cycles between scans for busy indices to move (256), 0: no moves"},
      {CLI_WHOLE, 0, "move-least", "N", &run->move_least, 0, 255,
       "accesses per 100 cycles that a move must gain (2), 0: any"},
      {CLI_WHOLE, 0, "move-quota", "N", &run->move_quota, 0, 255,
       "indices of a module away in each stage (equal parts), 0: no limit"},
      {CLI_WHOLE, 0, "ecn-queue", "N", &run->ecn_queue, 0, 65535,
       "phantoms in an order queue that mark packets, 0: none"},
      {CLI_WHOLE, 0, "ecn-lane", "N", &run->ecn_lane, 0, 8191,
       "packets in a lane that mark packets, 0: none"},
      {CLI_TEXT, 0, "steer", "HOW", &run->steer, 0, 0, "rank, each or stay (rank)"},
      {CLI_TEXT, 0, "issue", "WHICH", &run->issue, 0, 0, "older, free or access first (older)"},
      {CLI_FLAG, 0, "no-escape", NULL, &run->no_escape, 0, 0,
       "the oldest packet has no slot of its own"},
      {CLI_FLAG, 0, "no-phantoms", NULL, &run->no_phantoms, 0, 0,
       "no order queues: breaks C1 on purpose"},
      {CLI_FLAG, 0, "drop-full", NULL, &run->drop_full, 0, 0,
       "drop what needs a full order queue, do not hold it"},
      {CLI_WHOLE, 0, "pin", "P", &run->pin, 0, 15, "all state in pipeline P"},
      {CLI_LIST, 0, "fault", "NAME", &run->faults, 0, 0,
       "break the chip on purpose; may be repeated"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Traffic"},
      {CLI_LIST, 'p', "pcap", "FILE", &run->captures, 0, 0,
       "capture to play (pcap, pcapng, - standard input); else made. PORT:FILE: at this port; "
       "several are merged by time"},
      {CLI_FLAG, 0, "replace-vlan", NULL, &run->replace_vlan, 0, 0,
       "change the VLAN id of frames that have a tag"},
      {CLI_WHOLE, 'n', "packets", "N", &run->packets, 1, 1e15,
       "packets to play (all of the capture, or 10000)"},
      {CLI_WHOLE, 0, "flows", "N", &run->traffic.flows, 1, 1048576, "flows to make (1024)"},
      {CLI_TEXT, 0, "size", "SIZE", &run->traffic.size, 0, 0,
       "bytes of a frame, or bimodal, or imix (bimodal)"},
      {CLI_TEXT, 0, "mix", "MIX", &run->traffic.mix, 0, 0,
       "websearch, zipf, uniform, or single: each a flow (websearch)"},
      {CLI_NUMBER, 0, "zipf", "S", &run->traffic.zipf, 0, 8, "Zipf exponent; implies --mix zipf"},
      {CLI_FLAG, 0, "ect", NULL, &run->traffic.ect, 0, 0, "frames made take part in ECN: ECT(0)"},
      {CLI_WHOLE, 0, "seed", "N", &run->traffic.seed, 0, 9e15, "seed of everything random (1)"},
      {CLI_NUMBER, 'l', "load", "SHARE", &run->load, 0.001, 1,
       "share of line rate that every lane offers (1)"},
      {CLI_TEXT, 0, "pace-by", "WHAT", &run->pace_by, 0, 0,
       "line: as --load says; time: time stamps (line)"},
      {CLI_NUMBER, 0, "ns-per-cycle", "T", &run->ns_per_cycle, 0.001, 1e9,
       "for --pace-by time (1)"},
      {CLI_TEXT, 0, "lanes", "HOW", &run->lanes, 0, 0,
       "spread: evenly, or as the trace has it; hash: by flow; flow: evenly, by flows of a trace"},
      {CLI_NUMBER, 0, "stall", "P", &run->stall, 0, 0.999,
       "probability that an output is not ready in a cycle (0)"},
      {CLI_NUMBER, 0, "malformed", "P", &run->malformed, 0, 1,
       "probability that a packet is damaged on the way in (0)"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0,
       "Traces of MP5's authors, instead of programs and a capture"},
      {CLI_PATH, 0, "trace-flows", "FILE", &run->flows_csv, 0, 0,
       "flows_*.csv: which states the packets of a flow access"},
      {CLI_PATH, 0, "trace-packets", "FILE", &run->packets_csv, 0, 0,
       "the packets: port, bytes, flow, cycle"},
      {CLI_WHOLE, 0, "repeat", "N", &run->repeat, 1, 1000, "play the trace so many times (1)"},
      {CLI_WHOLE, 0, "flow-order", "N", &run->flow_order, 1, 65535,
       "keep flows in order, with an array of N entries in the last stage"},
      {CLI_FLAG, 0, "recirculate", NULL, &run->recirculate, 0, 0,
       "pipelines on their own: packets come in again to reach state of others"},
      {CLI_TEXT, 0, "place", "HOW", &run->place, 0, 0,
       "pipelines of indices: modulo, or random (with --recirculate random)"},
      {CLI_WRITE, 0, "write-program", "FILE", &run->program_out, 0, 0,
       "the program that plays the trace"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Results"},
      {CLI_WRITE, 'o', "output", "FILE", &run->out, 0, 0, "capture of what leaves the chip"},
      {CLI_WRITE, 0, "report", "FILE", &run->report, 0, 0, "the full report as JSON"},
      {CLI_FLAG, 'j', "json", NULL, &run->json, 0, 0,
       run->tracing ? "print an object for each packet, a line each"
                    : "print the full report instead of the short one"},
      {CLI_FLAG, 0, "state", NULL, &run->state, 0, 0,
       "the final state by source names: in the report, and entries that are not as at the start "
       "in the short one"},
      {CLI_LIST, 0, "register", "NAME", &run->registers, 0, 0,
       "a register at the end: CHIP.IN_FLIGHT, LANE[1].PACKETS (docs/tables.md); may be repeated"},
      {CLI_WRITE, 0, "timeline", "FILE", &run->timeline, 0, 0,
       "occupancy and rates over time, tab-separated"},
      {CLI_PATH, 0, "plot", "PREFIX", &run->plot, 0, 0,
       "PREFIX.tsv, .svg and .png: occupancy and output rate"},
      {CLI_PATH, 0, "accesses", "DIR", &run->accesses, 0, 0,
       "state accesses as traces of the cycle-level study"},
      {CLI_WRITE, 0, "stories", "FILE", &run->stories, 0, 0,
       "the story of every packet as JSON, a line each, for sluice trace --read"},
      {CLI_WRITE, 0, "view", "FILE", &run->view, 0, 0,
       "a page to look into: the packets in stages and queues over time, their stories, drops "
       "(docs/view.md)"},
      {CLI_FLAG, 'q', "quiet", NULL, &run->quiet, 0, 0, "no progress bar, only the verdict"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Simulator"},
      {CLI_PATH, 0, "sim", "FILE", &run->sim, 0, 0,
       "the simulator ($SLUICE_SIM, or build/CHIP/sim)"},
      {CLI_PATH, 0, "dir", "DIR", &run->dir, 0, 0,
       "keep the working files here (a folder in build/run, removed)"},
      {CLI_WHOLE, 0, "max-cycles", "N", &run->max_cycles, 1, 9e15,
       "bound of the run (from the traffic)"},
      {CLI_WHOLE, 0, "timeout", "S", &run->timeout, 1, 1e9,
       "stop the simulator after so many seconds"},
      // For the verb trace alone.
      {run->tracing ? CLI_GROUP : CLI_END, 0, NULL, NULL, NULL, 0, 0, "An earlier run"},
      {CLI_READ, 0, "read", "FILE", &run->read, 0, 0,
       "tell the stories that 'sluice run --stories FILE' kept; nothing runs"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed =
      cli_parse(argc, argv, run->tracing ? &trace_usage : &usage, options, rest);
  if (parsed != CLI_GO) return parsed;
  if (run->tracing && !run_select(run, rest)) return CLI_WRONG;
  if (!one_of("pace-by", run->pace_by, "line", "time") ||
      (strcmp(run->lanes, "flow") != 0 && !one_of("lanes", run->lanes, "spread", "hash")) ||
      !cli_reactions_word(&run->reactions) ||
      (run->place && !one_of("place", run->place, "modulo", "random")) ||
      (run_names_model(run) && !for_the_model(run)) || !trace_alone(run, rest, with_vid) ||
      !recirculates(run) || !known_mode(run))
    return CLI_WRONG;
  for (unsigned i = 0; i < run->captures.count; i++)
    if (!cli_take_input(run_capture_path(run->captures.items[i], NULL))) return CLI_WRONG;
  if (run->plot && strlen(run->plot) + 8 > RUN_PATH) {
    cli_error("--plot: the path is too long");
    return CLI_WRONG;
  }
  if ((run->json || run->tracing) && cli_output_taken()) {
    cli_error("%s and '-' both want standard output", run->json ? "--json" : "trace");
    return CLI_WRONG;
  }
  return CLI_GO;
}

// Working files lie in --dir; or in a folder of their own, which is removed: in build/run, beside
// the simulators, or, for a simulator from elsewhere or another user's tree, in the place for
// temporary files.
static bool choose_paths(struct run *run) {
  char above[RUN_PATH];
  snprintf(above, sizeof above, "%s", run->sim_path);
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(above, '/');
    if (slash) *slash = 0;
  }
  const bool beside = !run->model && !run->sim && !getenv("SLUICE_SIM") &&
                      strlen(above) + 5 < sizeof above;
  if (beside) strcat(above, "/run");
  if (run->dir ? !cli_make_folder(run->dir) : !cli_work_open(&run->own, beside ? above : NULL))
    return false;
  const char *work = run->dir ? run->dir : run->own.path;
  if ((size_t)snprintf(run->work, sizeof run->work, "%s", work) >= sizeof run->work) {
    cli_error("the path is too long: '%s'", work);
    return false;
  }
  const struct {
    char *path;
    const char *name, *given;  // `given` is the user's, and so the file, unless it is "-"
  } files[] = {{run->input_path, "input.pcap", NULL},
               {run->job_path, "job.json", NULL},
               {run->log_path, "sim.log", NULL},
               {run->report_path, "report.json", NULL},
               {run->timeline_path, "timeline.tsv", run->timeline},
               {run->schedule_path, "schedule.txt", NULL},
               {run->program_path, "trace.dom", NULL},
               {run->out_path, "out.pcap", run->out},
               {run->stories_path, "stories.json", NULL},
               {run->control_path, "control.pcap", run->control},
               {run->stdin_path, "stdin.pcap", NULL}};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    const bool own = !files[i].given || strcmp(files[i].given, "-") == 0;
    const int n = own ? snprintf(files[i].path, RUN_PATH, "%s/%ld-%s", run->work, (long)getpid(),
                                 files[i].name)
                      : snprintf(files[i].path, RUN_PATH, "%s", files[i].given);
    if (n >= 0 && n < RUN_PATH) continue;
    cli_error("the path is too long: '%s'", own ? run->work : files[i].given);
    return false;
  }
  return true;
}

// No output may be one of the inputs.
static bool apart(const struct run *run, const struct cli_list *rest,
                  const struct cli_list *with_vid) {
  const char *const outputs[] = {run->out,     run->report, run->timeline,
                                 run->stories, run->view,   run->program_out};
  const char *const inputs[] = {run->control, run->flows_csv, run->packets_csv};
  for (size_t o = 0; o < sizeof outputs / sizeof outputs[0]; o++) {
    bool both = false;
    for (size_t i = 0; outputs[o] && i < sizeof inputs / sizeof inputs[0]; i++)
      both |= inputs[i] && cli_same_file(outputs[o], inputs[i]);
    for (unsigned i = 0; outputs[o] && i < run->captures.count; i++)
      both |= cli_same_file(outputs[o], run_capture_path(run->captures.items[i], NULL));
    for (unsigned i = 0; outputs[o] && i < rest->count; i++)
      both |= cli_same_file(outputs[o], rest->items[i]);
    for (unsigned i = 0; outputs[o] && i < with_vid->count; i++) {
      char path[RUN_PATH];
      const char *colon = strrchr(with_vid->items[i], ':');
      snprintf(path, sizeof path, "%.*s", colon ? (int)(colon - with_vid->items[i]) : 0,
               with_vid->items[i]);
      both |= cli_same_file(outputs[o], path);
    }
    if (!both) continue;
    cli_error("'%s' is to be read, and to be written", outputs[o]);
    return false;
  }
  return true;
}

// What a run before has left must not pass for the outcome of one that fails.
static void forget_results(const struct run *run) {
  const char *const files[] = {run->out, run->report, run->timeline, run->stories, run->view};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) cli_forget_file(files[i]);
  for (size_t i = 0; run->plot && i < RUN_PLOTS; i++) {
    char path[RUN_PATH + 8];
    snprintf(path, sizeof path, "%s%s", run->plot, run_plot_ends[i]);
    cli_forget_file(path);
  }
}

// What goes to standard output comes there last.
static bool copy_out(const struct run *run) {
  const struct {
    const char *given, *path;
  } files[] = {{run->out, run->out_path}, {run->timeline, run->timeline_path}};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    if (files[i].given && strcmp(files[i].given, "-") == 0 && !cli_copy_file(files[i].path, "-"))
      return false;
  return true;
}

static int show(struct run *run) {
  json_t *report = run_read_report(run);
  if (!report) return CLI_WORLD;
  int code = run_verdict(report);
  FILE *out = cli_output_taken() ? stderr : stdout;
  if (run->report && !cli_copy_file(run->report_path, run->report)) code = CLI_WORLD;
  if (!copy_out(run)) code = CLI_WORLD;
  if (run->tracing || run->stories || run->view) {
    const int told = run_tell(run);
    if (code == CLI_DONE) code = told;
  }
  if (run->tracing) {
    if (run_verdict(report) != CLI_DONE) run_print_verdict(stderr, report);
  } else if (run->json) {
    json_dumpf(report, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    printf("\n");
  } else if (run->quiet) {
    run_print_verdict(out, report);
  } else {
    run_print_report(out, run, report);
  }
  if (run->view) {
    const int written = run_write_view(run, report);
    if (code == CLI_DONE) code = written;
  }
  if (run->plot) {
    int plotted = run_plot(run, report);
    if (code == CLI_DONE) code = plotted;
  }
  json_decref(report);
  return code;
}

// Everything that the simulator needs lies in files.
static int simulate(struct run *run) {
  int code = cli_modules_save(&run->modules, run->work);
  if (code == CLI_DONE) code = run->packets_csv ? run_prepare_trace(run) : run_prepare_capture(run);
  if (code == CLI_DONE && run->tracing && !run->told.num_ranges) {
    cli_error("none of these packets came in");
    return CLI_NO;
  }
  if (code == CLI_DONE && run->view && !run->tracing && run->num_packets > RUN_VIEW_PACKETS) {
    cli_error("--view: %llu packets, a page holds %d; 'sluice trace PROGRAM 1-100000 --view FILE' "
              "shows some of them",
              (unsigned long long)run->num_packets, RUN_VIEW_PACKETS);
    return CLI_USAGE;
  }
  if (code == CLI_DONE) code = run_write_job(run);
  return code == CLI_DONE ? run_execute(run) : code;
}

static int run_verb(int argc, char **argv, bool tracing) {
  struct run *run = calloc(1, sizeof *run);
  if (!run) {
    cli_error("out of memory");
    return CLI_WORLD;
  }
  struct cli_list rest, with_vid = {0};
  *run = (struct run){.own.lock = -1,
                      .tracing = tracing,
                      .traffic = cli_traffic_defaults(),
                      .chip = "k4",
                      .pace_by = "line",
                      .lanes = "spread",
                      .load = 1.0,
                      .ns_per_cycle = 1.0,
                      .repeat = 1,
                      .pace = RUN_UNSET,
                      .brake = RUN_UNSET,
                      .lane_limit = RUN_UNSET,
                      .output_limit = RUN_UNSET,
                      .ecn_queue = RUN_UNSET,
                      .ecn_lane = RUN_UNSET,
                      .pin = RUN_UNSET,
                      .sets = RUN_UNSET,
                      .move_period = RUN_UNSET,
                      .move_least = RUN_UNSET,
                      .move_quota = RUN_UNSET};
  enum cli_parsed parsed = parse(run, argc, argv, &rest, &with_vid);
  if (parsed != CLI_GO || run->read) {
    const int read = parsed == CLI_GO ? run_read_stories(run) : cli_parsed_exit(parsed);
    story_select_release(&run->select);
    view_close(run->page);
    free(run);
    return read;
  }
  int code = CLI_USAGE;
  run->config = cli_chip(run->chip);
  if (run->config && faults_there(run) && registers_there(run) && apart(run, &rest, &with_vid))
    code = (run->model || run_find_sim(run)) && choose_paths(run) ? CLI_DONE : CLI_WORLD;
  if (code == CLI_DONE) forget_results(run);
  if (code == CLI_DONE && run->control && strcmp(run->control, "-") == 0 &&
      !cli_copy_file("-", run->control_path))
    code = CLI_WORLD;
  if (code == CLI_DONE && run->packets_csv) {
    code = run_load_trace(run);
    rest.items[rest.count++] = run->program_path;
    // It keeps indices at places of the frame that the guard knows nothing of.
    run->modules.trusted_path = run->program_path;
  }
  run->modules.pin = run->pin != RUN_UNSET;
  run->modules.pin_pipe = run->modules.pin ? (unsigned)run->pin : 0;
  run->modules.keep_index = run->no_phantoms;
  run->modules.sets = run->sets != RUN_UNSET ? (unsigned)run->sets : 0;
  if (code == CLI_DONE) code = cli_modules_load(&run->modules, &rest, &with_vid, run->config);
  run->live = !run->model && cli_reactions_wanted(&run->reactions, &run->modules);
  if (code == CLI_DONE && run->live && !for_reactions(run)) code = CLI_USAGE;
  // Several modules: a port takes what the queue of each source lane holds, so that no lane takes
  // another's places (docs/overload.md).
  if (run->output_limit == RUN_UNSET && run->modules.count > 1)
    run->output_limit = sluice_output_room(run->config);
  if (run->move_quota == RUN_UNSET && run->modules.moves >= 0)
    run->move_quota = (uint64_t)run->modules.moves;
  if (code == CLI_DONE)
    code = run->model ? run_on_model(run) : run->live ? run_on_live(run) : simulate(run);
  if (code == CLI_DONE) code = show(run);
  if (code == CLI_DONE && run->reaction_failed) code = CLI_NO;
  cli_work_close(&run->own);
  cli_modules_release(&run->modules);
  sluice_trace_release(&run->published);
  story_select_release(&run->select);
  story_select_release(&run->told);
  view_close(run->page);
  free(run);
  return code;
}

int cmd_run(int argc, char **argv) { return run_verb(argc, argv, false); }
int cmd_trace(int argc, char **argv) { return run_verb(argc, argv, true); }
