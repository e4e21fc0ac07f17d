// SPDX-License-Identifier: Apache-2.0
// The command lines of run, trace, replay and recirculate.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../base/number.h"
#include "../driver/wire/register.h"
#include "run.h"

static const struct cli_usage usage = {
    "run", "[PROGRAM...] [OPTION...]",
    "Runs programs on the simulated chip and compares every packet and all state with the "
    "reference",
    "A PROGRAM is Domino source (*.dom) or a configuration image (*.json); it gets the first free "
    "VLAN id\n"
    "from 1 on. Packets without a VLAN tag get one; with several programs, by flow. Exit code: 0 "
    "only if\n"
    "the verdict is EQUIVALENT, 1 if it is not, 2 wrong command line, 3 a file or the simulator "
    "failed,\n"
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

static const struct cli_usage replay_usage = {
    "bench-replay", "FLOWS PACKETS [OPTION...]",
    "Plays a published trace of MP5's authors on the simulated chip and compares every packet",
    "FLOWS and PACKETS are a trace in the format of MP5 ('sluice gen --stress' makes some): which\n"
    "states the packets of a flow access; port, bytes, flow and cycle of each packet. Program and\n"
    "frames are made for it (docs/cli.md). Exit codes as of 'sluice run'.\n"};

static const struct cli_usage recirculate_usage = {
    "bench-recirculate", "FLOWS PACKETS [OPTION...]",
    "Plays a published trace as a switch of independent pipelines must",
    "Pipelines know nothing of each other: a packet that needs state of another one leaves and\n"
    "comes in again there (docs/study.md). FLOWS and PACKETS as of 'sluice bench replay', exit "
    "codes as\n"
    "of 'sluice run'.\n"};

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

// Options of a simulator that plays a job: the first one that is given.
static bool simulator_alone(const struct run *run, bool model, const char **name,
                            const char **why) {
  const struct {
    bool given;
    const char *name, *why;
  } others[] = {
      {model && run->sim != NULL, "--sim", "runs no simulator"},
      {!model && run->control != NULL, "--reconfiguration", ""},
      {run->oracle != NULL, "--oracle", "is the model"},
      {model && run->over_socket, "--socket", "runs no simulator"},
      {model && run->timeout != 0, "--timeout", "runs no simulator"},
      {run->max_cycles != 0, "--max-cycles", "has no cycles"},
      {run->timeline != NULL, "--timeline", "has no cycles"},
      {run->events != NULL, "--events", "has no cycles"},
      {run->plot != NULL, "--plot", "has no cycles"},
      {run->stories != NULL, "--stories", "has no cycles"},
      {run->view != NULL, "--view", "has no cycles"},
      {run->tracing, "trace", "has no cycles"},
      {run->accesses != NULL, "--accesses", "has no cycles"},
      {run->replays, run->recirculates ? "bench recirculate" : "bench replay", "has no cycles"},
      {run->job.stall > 0, "--stall", "has no cycles"},
      {run->every.count != 0, "--ready-every", "has no cycles"},
      {model && run->job.load < 1.0, "--load", "has no cycles"},
      {model && strcmp(run->pace_by, "time") == 0, "--pace-by time", "has no cycles"},
      {run->job.set.pace != JOB_UNSET, "--pace", "has no queues"},
      {run->job.set.brake != JOB_UNSET, "--brake", "has no queues"},
      {run->job.set.lane_limit != JOB_UNSET, "--lane-limit", "has no queues"},
      {run->job.set.output_limit != JOB_UNSET, "--output-limit", "has no queues"},
      {run->job.set.ecn_queue != JOB_UNSET, "--ecn-queue", "has no queues"},
      {run->job.set.ecn_lane != JOB_UNSET, "--ecn-lane", "has no queues"},
      {model && run->modules.lane_rates.count != 0, "--lane-rate", "has no cycles"},
      {model && run->modules.classes.count != 0, "--class", "has no queues"},
      {model && run->modules.class_weights, "--class-weights", "has no queues"},
      {model && run->modules.class_strict, "--class-strict", "has no queues"},
      {model && run->modules.class_marks, "--class-ecn", "has no queues"},
      {model && run->modules.merge_lanes, "--merge-lanes", "has no cycles"},
      {run->drop_full, "--drop-full", "has no queues"},
      {run->no_phantoms, "--no-phantoms", "has no queues"},
      {run->no_escape, "--no-escape", "has no queues"},
      {run->steer != NULL, "--steer", "has one logical pipeline"},
      {run->issue != NULL, "--issue", "has one logical pipeline"},
      {run->job.set.move_period != JOB_UNSET, "--move-period", "moves no indices"},
      {run->job.set.move_least != JOB_UNSET, "--move-least", "moves no indices"},
      {run->job.set.move_quota != JOB_UNSET, "--move-quota", "moves no indices"},
      {run->job.malformed > 0, "--malformed", "has no wires on which packets are damaged"},
      {run->job.idle > 0, "--idle", "has no cycles"},
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

// A simulator that serves has no job, in which these options stand.
bool run_can_live(const struct run *run) {
  const char *name, *why;
  if (!simulator_alone(run, false, &name, &why)) return true;
  if (run->over_socket) cli_error("%s and --socket do not go together", name);
  else
    cli_error("%s and reactions do not go together: with reactions the simulator serves, and takes "
              "packets without a job; --reactions off runs the programs without",
              name);
  return false;
}

// A value of an enumeration that the layouts know.
static bool known_value(const char *option, const char *enumeration, const char *name,
                        unsigned *value) {
  if (!name) return true;
  int found = sluice_value_find(enumeration, name);
  char meant[80];
  if (found < 0)
    cli_error("--%s: no '%s'%s", option, name, cli_meant(enumeration, name, meant, sizeof meant));
  else *value = (unsigned)found;
  return found >= 0;
}

static bool known_mode(struct run *run) {
  if (run->oracle && !one_of("oracle", run->oracle, "model", "spec")) return false;
  unsigned steer = SLUICE_STEER_RANK, issue = SLUICE_ISSUE_OLDER;
  if (!known_value("steer", "STEER", run->steer, &steer) ||
      !known_value("issue", "ISSUE", run->issue, &issue))
    return false;
  const uint64_t mode = (uint64_t)steer << SLUICE_MODE_STEER_LSB |
                        (uint64_t)issue << SLUICE_MODE_ISSUE_LSB |
                        (uint64_t)run->no_escape << SLUICE_MODE_NO_ESCAPE_LSB |
                        (uint64_t)run->no_phantoms << SLUICE_MODE_NO_PHANTOMS_LSB |
                        (uint64_t)run->drop_full << SLUICE_MODE_DROP_FULL_LSB;
  if (mode) run->job.set.mode = (int64_t)mode;
  return true;
}

// --chip model:NAME: NAME stays.
static bool run_names_model(struct run *run) {
  static const char prefix[] = "model:";
  if (strncmp(run->chip, prefix, strlen(prefix)) != 0) return false;
  run->chip += strlen(prefix);
  return run->model = true;
}

// The tables of the verbs have parts in common; `MOST` rows are room for all of them.
enum { MOST = 96 };
struct table {
  unsigned num;
  struct cli_option rows[MOST];
};

static void add_rows(struct table *table, const struct cli_option *rows, size_t num) {
  if (table->num + num >= MOST) abort();  // room is for the tables below
  memcpy(table->rows + table->num, rows, num * sizeof *rows);
  table->num += (unsigned)num;
}
#define ADD(TABLE, ROWS) add_rows(TABLE, ROWS, sizeof(ROWS) / sizeof(ROWS)[0])

static void add_programs(struct table *table, struct run *run, struct cli_list *with_vid) {
  const struct cli_option rows[] = {{CLI_MODULES, 'm', "module", "FILE:VID", with_vid, 0, 0,
                                     "program or image with its VLAN id; FILE:VID@SET: in a set"},
                                    {CLI_WHOLE, 0, "sets", "N", &run->job.set.sets, 1, 16,
                                     "sets of pipelines, each a switch of its own: 1, 2, 4... (1)"},
                                    CLI_MODULE_OPTIONS(run->modules),
                                    CLI_INITIAL_OPTION(run->modules),
                                    CLI_REACTION_OPTIONS(run->reactions)};
  ADD(table, rows);
}

static void add_chip(struct table *table, struct run *run) {
  const struct cli_option rows[] = {
      {CLI_READ, 0, "reconfiguration", "FILE", &run->control, 0, 0,
       "capture of more reconfiguration packets"},
      {CLI_WHOLE, 0, "pace", "V", &run->job.set.pace, 0, 65535, "pacing threshold, 0: none"},
      {CLI_WHOLE, 0, "brake", "N", &run->job.set.brake, 0, 65535,
       "waiting packets that stop admission, 0: never"},
      {CLI_WHOLE, 0, "lane-limit", "N", &run->job.set.lane_limit, 0, 8191,
       "packets in a lane before overload drops"},
      {CLI_WHOLE, 0, "output-limit", "N", &run->job.set.output_limit, 0, 2047,
       "packets waiting at an output port"}};
  // What pipelines that know nothing of each other do not have.
  const struct cli_option moves[] = {
      {CLI_WHOLE, 0, "move-period", "N", &run->job.set.move_period, 0, 65535,
       "cycles between scans for busy indices to move (256), 0: no moves"},
      {CLI_WHOLE, 0, "move-least", "N", &run->job.set.move_least, 0, 255,
       "accesses per 100 cycles that a move must gain (2), 0: any"},
      {CLI_WHOLE, 0, "move-quota", "N", &run->job.set.move_quota, 0, 255,
       "indices of a module away in each stage (equal parts), 0: no limit"},
      {CLI_TEXT, 0, "steer", "HOW", &run->steer, 0, 0, "rank, each or stay (rank)"},
      {CLI_FLAG, 0, "no-phantoms", NULL, &run->no_phantoms, 0, 0,
       "no order queues: breaks C1 on purpose"},
      {CLI_WHOLE, 0, "pin", "P", &run->job.set.pin, 0, 15, "all state in pipeline P"}};
  const struct cli_option more[] = {
      {CLI_WHOLE, 0, "ecn-queue", "N", &run->job.set.ecn_queue, 0, 65535,
       "phantoms in an order queue that mark packets, 0: none"},
      {CLI_WHOLE, 0, "ecn-lane", "N", &run->job.set.ecn_lane, 0, 8191,
       "packets in a lane that mark packets, 0: none"},
      {CLI_TEXT, 0, "issue", "WHICH", &run->issue, 0, 0, "older, free or access first (older)"},
      {CLI_FLAG, 0, "no-escape", NULL, &run->no_escape, 0, 0,
       "the oldest packet has no slot of its own"},
      {CLI_FLAG, 0, "drop-full", NULL, &run->drop_full, 0, 0,
       "drop what needs a full order queue, do not hold it"},
      {CLI_LIST, 0, "fault", "NAME", &run->faults, 0, 0,
       "break the chip on purpose; may be repeated"}};
  ADD(table, rows);
  if (!run->recirculates) ADD(table, moves);
  ADD(table, more);
}

static void add_traffic(struct table *table, struct run *run) {
  const struct cli_option rows[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Traffic"},
      {CLI_CAPTURES, 'p', "pcap", "FILE", &run->captures, 0, 0,
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
      {CLI_NUMBER, 'l', "load", "SHARE", &run->job.load, 0.001, 1,
       "share of line rate that every lane, or fast port, offers (1)"},
      {CLI_TEXT, 0, "pace-by", "WHAT", &run->pace_by, 0, 0,
       "line: as --load says; time: time stamps (line)"},
      {CLI_NUMBER, 0, "ns-per-cycle", "T", &run->job.ns_per_cycle, 0.001, 1e9,
       "for --pace-by time (1)"},
      {CLI_TEXT, 0, "lanes", "HOW", &run->lanes, 0, 0, "spread: evenly; hash: by flow (spread)"},
      {CLI_NUMBER, 0, "stall", "P", &run->job.stall, 0, 0.999,
       "probability that an output is not ready in a cycle (0)"},
      {CLI_LIST, 0, "ready-every", "LANE:N", &run->every, 0, 0,
       "output lane LANE is ready in one of N cycles; may be repeated"},
      {CLI_NUMBER, 0, "malformed", "P", &run->job.malformed, 0, 1,
       "probability that a packet is damaged on the way in (0)"},
      {CLI_NUMBER, 0, "idle", "P", &run->job.idle, 0, 0.999,
       "probability that an input has no beat in a cycle, also inside a packet (0)"}};
  ADD(table, rows);
}

static void add_trace(struct table *table, struct run *run) {
  const struct cli_option rows[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "The trace"},
      {CLI_WHOLE, 0, "repeat", "N", &run->repeat, 1, 1000, "play it so many times (1)"},
      {CLI_TEXT, 0, "lanes", "HOW", &run->lanes, 0, 0,
       "spread: as the trace has it; flow: evenly, by its flows (spread)"},
      {CLI_TEXT, 0, "place", "HOW", &run->place, 0, 0,
       run->recirculates ? "pipelines of indices: modulo or random (random)"
                         : "pipelines of indices: modulo or random (modulo)"},
      {CLI_WHOLE, 0, "seed", "N", &run->traffic.seed, 0, 9e15, "seed of everything random (1)"},
      {CLI_NUMBER, 0, "stall", "P", &run->job.stall, 0, 0.999,
       "probability that an output is not ready in a cycle (0)"},
      {CLI_WRITE, 0, "write-program", "FILE", &run->program_out, 0, 0,
       "the program that plays the trace"}};
  const struct cli_option order[] = {
      {CLI_WHOLE, 0, "flow-order", "N", &run->flow_order, 1, 65535,
       "keep flows in order, with an array of N entries in the last stage"}};
  ADD(table, rows);
  if (!run->recirculates) ADD(table, order);
}

static void add_results(struct table *table, struct run *run) {
  const struct cli_option rows[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Results"},
      {CLI_WRITE, 'o', "output", "FILE", &run->out, 0, 0, "capture of what leaves the chip"},
      {CLI_WRITE, 0, "report", "FILE", &run->report, 0, 0, "the full report as JSON"},
      {CLI_FLAG, 'j', "json", NULL, &run->json, 0, 0,
       run->tracing ? "print an object for each packet, a line each"
                    : "print the full report instead of the short one"},
      {CLI_TEXT, 0, "oracle", "WHAT", &run->oracle, 0, 0,
       "what the chip must equal: model, the fast one, or spec, the machine as docs/machine.md "
       "says it (model)"},
      {CLI_FLAG, 0, "state", NULL, &run->job.state, 0, 0,
       "the final state by source names: in the report, and entries that are not as the source "
       "begins them in the short one"},
      {CLI_LIST, 0, "register", "NAME", &run->registers, 0, 0,
       "a register at the end: CHIP.IN_FLIGHT, LANE[1].PACKETS (docs/tables.md); may be repeated"},
      {CLI_WRITE, 0, "timeline", "FILE", &run->timeline, 0, 0,
       "occupancy and rates over time, tab-separated"},
      {CLI_WRITE, 0, "events", "FILE", &run->events, 0, 0,
       "all that the monitors were told: 'sluice check FILE' says the same verdict without a chip"},
      {CLI_PREFIX, 0, "plot", "PREFIX", &run->plot, 0, 0,
       "PREFIX.tsv, .svg and .png: occupancy and output rate"},
      {CLI_FOLDER, 0, "accesses", "DIR", &run->accesses, 0, 0,
       "state accesses as traces of the cycle-level study"},
      {CLI_WRITE, 0, "stories", "FILE", &run->stories, 0, 0,
       "the story of every packet as JSON, a line each, for sluice trace --read"},
      {CLI_WRITE, 0, "view", "FILE", &run->view, 0, 0,
       "a page to look into: the packets in stages and queues over time, their stories, drops "
       "(docs/story.md)"},
      {CLI_FLAG, 'q', "quiet", NULL, &run->quiet, 0, 0, "no progress bar, only the verdict"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Simulator"},
      {CLI_PATH, 0, "sim", "FILE", &run->sim, 0, 0,
       "the simulator ($SLUICE_SIM, or build/CHIP/sim)"},
      {CLI_FOLDER, 0, "dir", "DIR", &run->dir, 0, 0,
       "keep the working files here (a folder in build/run, removed)"},
      {CLI_WHOLE, 0, "max-cycles", "N", &run->max_cycles, 1, 9e15,
       "bound of the run (from the traffic)"},
      {CLI_WHOLE, 0, "timeout", "S", &run->timeout, 1, 1e9,
       "stop the simulator after so many seconds"}};
  const struct cli_option socket[] = {
      {CLI_FLAG, 0, "socket", NULL, &run->over_socket, 0, 0,
       "drive a simulator that serves, as with reactions, in place of one with a job"}};
  const struct cli_option read[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "An earlier run"},
      {CLI_READ, 0, "read", "FILE", &run->read, 0, 0,
       "tell the stories that 'sluice run --stories FILE' kept; nothing runs"}};
  ADD(table, rows);
  if (!run->tracing && !run->replays) ADD(table, socket);
  if (run->tracing) ADD(table, read);
}

static enum cli_parsed parse(struct run *run, int argc, char **argv, struct cli_list *rest,
                             struct cli_list *with_vid) {
  static const struct cli_option end = {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL};
  const struct cli_option chip[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, run->replays ? "Chip" : "Chip and programs"},
      {CLI_TEXT, 'c', "chip", "NAME", &run->chip, 0, 0,
       run->replays ? "shape of the chip (" SLUICE_DEFAULT_SHAPE ")"
                    : "shape of the chip (that of an image, else " SLUICE_DEFAULT_SHAPE
                      "); model:NAME: the reference model, no simulator"}};
  struct table table = {0};
  ADD(&table, chip);
  if (!run->replays) add_programs(&table, run, with_vid);
  add_chip(&table, run);
  if (run->replays) add_trace(&table, run);
  else add_traffic(&table, run);
  add_results(&table, run);
  table.rows[table.num] = end;
  return cli_parse(argc, argv,
                   run->recirculates ? &recirculate_usage
                   : run->replays    ? &replay_usage
                   : run->tracing    ? &trace_usage
                                     : &usage,
                   table.rows, rest);
}

// FLOWS PACKETS: a trace brings program, packets and times of its own.
static bool take_trace(struct run *run, struct cli_list *rest) {
  const char *verb = run->recirculates ? "bench recirculate" : "bench replay";
  const size_t len = rest->count ? strlen(rest->items[0]) : 0;
  if (rest->count == 1 && len > 5 && strstr(rest->items[0] + len - 7 * (len > 7), ".pcap")) {
    cli_error("%s plays a published trace, FLOWS and PACKETS; a capture is played by 'sluice run "
              "PROGRAM --pcap %s'",
              verb, rest->items[0]);
    return false;
  }
  if (rest->count != 2) {
    cli_error("%s takes two files, FLOWS and PACKETS; see 'sluice help %s'", verb, verb);
    return false;
  }
  run->flows_csv = rest->items[0];
  run->packets_csv = rest->items[1];
  rest->count = 0;
  if (strcmp(run->flows_csv, "-") != 0 && strcmp(run->packets_csv, "-") != 0) return true;
  cli_error("%s reads no standard input: the names of its files say the shape of the trace", verb);
  return false;
}

// Pipelines that know nothing of each other: packets stay in theirs, and so does state.
static bool settle_trace(struct run *run) {
  if (!run->place) run->place = run->recirculates ? "random" : "modulo";
  if (run->recirculates) {
    run->steer = "stay";
    run->job.set.move_period = 0;
  }
  return one_of("place", run->place, "modulo", "random") &&
         one_of("lanes", run->lanes, "spread", "flow");
}

enum cli_parsed run_parse(struct run *run, int argc, char **argv, struct cli_list *rest,
                          struct cli_list *with_vid) {
  enum cli_parsed parsed = parse(run, argc, argv, rest, with_vid);
  if (parsed != CLI_GO) return parsed;
  if (!run->chip)
    run->chip =
        cli_default_chip(run->replays ? NULL : rest, with_vid, run->shape, sizeof run->shape);
  if (argc == 1 && !run->tracing && !run->replays) {
    cli_error("%s needs a program, or something to play: sluice %s PROGRAM [--chip NAME] [--pcap "
              "FILE]; see 'sluice %s --help'",
              argv[0], argv[0], argv[0]);
    return CLI_WRONG;
  }
  struct sluice_traffic_options made;
  if (!run->replays && !cli_traffic_options(&run->traffic, &made)) return CLI_WRONG;
  if (run->control && strcmp(run->control, "-") != 0 && access(run->control, R_OK) != 0) {
    cli_error("--reconfiguration: cannot read '%s': %s", run->control, strerror(errno));
    return CLI_FAILED;
  }
  if (run->tracing && !run_select(run, rest)) return CLI_WRONG;
  if (run->replays ? !take_trace(run, rest) || !settle_trace(run)
                   : !one_of("pace-by", run->pace_by, "line", "time") ||
                         !one_of("lanes", run->lanes, "spread", "hash") ||
                         !cli_reactions_word(&run->reactions))
    return CLI_WRONG;
  if ((run_names_model(run) && !for_the_model(run)) || !known_mode(run)) return CLI_WRONG;
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

// --ready-every LANE:N
static bool lanes_there(struct run *run) {
  for (unsigned i = 0; i < run->every.count; i++) {
    const char *at = run->every.items[i];
    uint64_t lane, cycles;
    if (!sluice_number_next(&at, 0, run->config->NumPipes - 1, &lane) || *at++ != ':' ||
        !sluice_number_in(at, 1, 1000, &cycles)) {
      cli_error("--ready-every: '%s' must be LANE:N, lanes of '%s' are 0 to %u, N is 1 to 1000",
                run->every.items[i], run->config->name, run->config->NumPipes - 1);
      return false;
    }
    run->every_cycles[lane] = (unsigned)cycles;
  }
  return true;
}

bool run_names_there(struct run *run) {
  return faults_there(run) && registers_there(run) && lanes_there(run);
}
