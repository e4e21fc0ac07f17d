// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <sluice/chip.h>

#include "../driver/plan/plan.h"
#include "../lib/stress.h"
#include "../lib/traffic.h"

/// The command `sluice`: the only place that prints or decides how the process ends.
enum cli_exit {
  CLI_DONE = 0,      // done, and the answer is yes
  CLI_NO = 1,        // the answer is no: packets differ, a program is rejected
  CLI_USAGE = 2,     // the command line is wrong
  CLI_WORLD = 3,     // a file, the memory or another program failed
  CLI_UNTESTED = 4,  // a run in which no packet was compared
};

/// Prints "sluice: warning: ..." on standard error.
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Prints "sluice: ..." on standard error. The text starts small and has no full stop.
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Whether an error has been told: then "this is not how .. is used" would be one too many.
bool cli_told(void);

/// Verbs. argv[0] is the verb; they return an exit code.
int cmd_active(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_bringup(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_compile(int argc, char **argv);
int cmd_ctl(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_fuzz(int argc, char **argv);
int cmd_image(int argc, char **argv);
int cmd_isolate(int argc, char **argv);
int cmd_gen(int argc, char **argv);
int cmd_layout(int argc, char **argv);
int cmd_outputs(int argc, char **argv);
int cmd_p4(int argc, char **argv);
int cmd_packets(int argc, char **argv);
int cmd_recirculate(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_study(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_trace(int argc, char **argv);

// ---- options ------------------------------------------------------------------------------------

enum { CLI_MAX_ARGUMENTS = 64 };

/// Arguments of an option that may be repeated, or those that are no options.
struct cli_list {
  unsigned count;
  const char *items[CLI_MAX_ARGUMENTS];
};

enum cli_kind {
  CLI_END,    // ends a table
  CLI_GROUP,  // a heading of the help text
  CLI_FLAG,   // bool: set to true
  CLI_TEXT,   // const char *
  // Kinds of texts that name files (cli_named): a new option that does has one of these.
  CLI_READ,      // a file to read: - is standard input
  CLI_WRITE,     // a file to write: - is standard output
  CLI_PATH,      // a device, a folder to read, or a file to read by its name: - is refused
  CLI_MAKE,      // a file or socket to make by its name: - is refused
  CLI_FOLDER,    // a folder that files are made in: - is refused
  CLI_PREFIX,    // of the three files of a plot: - is refused
  CLI_LIST,      // struct cli_list: may be repeated
  CLI_MODULES,   // the same, each FILE:VID or FILE:VID@SET
  CLI_CAPTURES,  // the same, each FILE or PORT:FILE
  CLI_ENTRIES,   // the same, each [VID:]TABLE=FILE, or [VID:]FILE
  CLI_PORTS,     // the same, each as 2=pcap:IN,out=OUT or a port without files
  CLI_WHOLE,     // uint64_t within low..high
  CLI_NUMBER,    // double within low..high
};

/// One row of a verb's option table: parsing and help come from it.
struct cli_option {
  enum cli_kind kind;
  char letter;           // short form, 0 if none
  const char *name;      // long form
  const char *argument;  // what its argument is called in the help
  void *target;          // where it goes, by kind
  double low, high;
  const char *help;
};

struct cli_usage {
  const char *verb;
  const char *arguments;  // "PROGRAM... [OPTION...]"
  const char *summary;    // one line
  const char *text;       // more, or NULL
};

enum cli_parsed { CLI_GO, CLI_HELP, CLI_WRONG, CLI_FAILED };

/// How a verb is written: "bench study" of "bench-study".
const char *cli_verb_name(const char *verb, char *name, size_t size);

/// Parses; prints help to standard output for -h and --help-all, or what is wrong. CLI_FAILED: a
/// file that is to be written cannot be. Other arguments go to `rest`.
enum cli_parsed cli_parse(int argc, char **argv, const struct cli_usage *usage,
                          const struct cli_option *options, struct cli_list *rest);

/// Files that arguments name. "-" is standard input or output; false after a message if another
/// argument of this command has it already. For options of the kinds CLI_READ and CLI_WRITE
/// cli_parse has asked.
bool cli_take_input(const char *path);
/// Whether results already have standard output, so that nothing else may be printed there.
bool cli_output_taken(void);

/// Exit code for a parse that is not CLI_GO.
static inline int cli_parsed_exit(enum cli_parsed parsed) {
  return parsed == CLI_HELP ? CLI_DONE : parsed == CLI_FAILED ? CLI_WORLD : CLI_USAGE;
}

// ---- files that a command line names ------------------------------------------------------------

/// What an option of a kind does with the files that it names.
enum cli_file { CLI_FILE_NONE, CLI_FILE_READ, CLI_FILE_WRITTEN, CLI_FILE_BOTH, CLI_FILE_FOLDER };
enum cli_file cli_file_of(enum cli_kind kind);

/// cli_parse notes all files of a command line in one list and then looks at it: an output that is
/// an input, or another output, is a wrong command line; one that cannot be written is a failure.
/// Links are followed. False after a message.
bool cli_named(const struct cli_option *option, const char *text);
bool cli_named_argument(const char *text);
/// A file that a verb reads or makes beside those that its options name; `option` is for the
/// message. cli_named_check must be called again behind it.
bool cli_writes(const char *option, const char *path);
enum cli_parsed cli_named_check(void);
/// Empties the list: cli_parse has called it.
void cli_named_forget(void);

enum { CLI_SHAPE_NAME = 64 };  // room for the name of a shape, as an image has it
/// The configuration with this name, or NULL and a message that lists them all.
const struct sluice_config *cli_chip(const char *name);
/// Which shape a verb takes that is told none: that of the first image among its arguments (FILE of
/// `rest`, FILE:VID of `with_vid`; NULL: none), written into `name`; without an image
/// SLUICE_DEFAULT_SHAPE.
const char *cli_default_chip(const struct cli_list *rest, const struct cli_list *with_vid,
                             char *name, size_t size);
/// "; did you mean 'lane_swap'?" for a name that an enumeration of the layouts does not have, or
/// where its names stand.
const char *cli_meant(const char *enumeration, const char *name, char *text, size_t size);
/// Whether a chip of this shape has a fault to switch on; false after a message.
bool cli_fault(const struct sluice_config *config, const char *fault);

/// The simulator of a chip: `named`, else $SLUICE_SIM, else build/CHIP/sim near the executable,
/// else ../lib/sluice/CHIP/sim beside it, where it is installed. False after a message.
bool cli_find_sim(char *path, size_t size, const char *named, const char *chip);

// ---- files -------------------------------------------------------------------------------------

/// Makes a folder and those above it. False after a message.
bool cli_make_folder(const char *path);
/// Makes a folder for this user alone, or takes one that is. False after a message: it is a link,
/// or another user made it or may write in it.
bool cli_private_folder(const char *path);
/// $TMPDIR, or /tmp.
const char *cli_temporary(void);
/// Copies a file; "-" is standard input, or output. False after a message.
bool cli_copy_file(const char *from, const char *to);
/// Writes a file whole, or not at all. False after a message.
bool cli_write_file(const char *path, const void *bytes, size_t len);
/// The whole file ("-": standard input) with a 0 behind it, of at most `most` bytes. The caller
/// frees it. NULL after a message.
char *cli_read_file(const char *path, size_t most, size_t *len);
/// The same of a text, without the byte order mark that it may begin with. An empty file, or a zero
/// byte, is refused with its line.
char *cli_read_text(const char *path, size_t most, size_t *len);
/// Removes a file of a run before, so that it cannot pass for one of this run. A device stays, and
/// NULL is allowed.
void cli_forget_file(const char *path);

/// A folder for working files, removed when it is closed. It has a name that nobody can guess, in
/// `beside` (NULL: nowhere) if that can be written, else in $TMPDIR. What killed commands have left
/// there is removed.
struct cli_work {
  char path[3800];
  int lock;
};
bool cli_work_open(struct cli_work *work, const char *beside);
void cli_work_close(struct cli_work *work);

// ---- traffic options, shared by gen and run -----------------------------------------------------

struct cli_traffic {
  uint64_t packets, flows, seed;
  const char *size, *mix;
  double zipf, load, rate;
  bool random_gaps, ect;
};
struct cli_traffic cli_traffic_defaults(void);
/// Turns the texts into options; prints what is wrong and returns false.
bool cli_traffic_options(const struct cli_traffic *from, struct sluice_traffic_options *to);
#define CLI_TRAFFIC_OPTIONS(T)                                                                     \
  {CLI_WHOLE, 'n', "packets", "N", &(T).packets, 1, 1e15, "packets"},                              \
      {CLI_WHOLE, 0, "flows", "N", &(T).flows, 1, 1048576, "flows (1024)"},                        \
      {CLI_TEXT,  0, "size", "SIZE",                                                               \
       &(T).size, 0, 0,      "bytes of a frame, or bimodal, or imix (bimodal)"},                   \
      {CLI_TEXT,                                                                                   \
       0,                                                                                          \
       "mix",                                                                                      \
       "MIX",                                                                                      \
       &(T).mix,                                                                                   \
       0,                                                                                          \
       0,                                                                                          \
       "how packets fall on flows: websearch, zipf, uniform, or single: each a flow (websearch)"}, \
      {CLI_FLAG, 0, "ect", NULL, &(T).ect, 0, 0, "frames take part in ECN: ECT(0)"},               \
      {CLI_NUMBER, 0, "zipf", "S", &(T).zipf, 0, 8, "Zipf exponent; implies --mix zipf"}, {        \
    CLI_WHOLE, 0, "seed", "N", &(T).seed, 0, 9e15, "seed of everything random (1)"                 \
  }

// ---- stress traces, a part of gen ---------------------------------------------------------------

struct cli_stress {
  const char *dir, *pattern, *stateful;
  uint64_t pipelines, entries, cycles, stages, ports, every;
};
struct cli_stress cli_stress_defaults(void);
/// Writes a trace and prints the paths of its two files; returns an exit code. Seed, load, size and
/// Zipf exponent are those of the traffic.
int cli_gen_stress(const struct cli_stress *stress, const struct cli_traffic *traffic);

// ---- modules, shared by packets and run ---------------------------------------------------------

enum { CLI_MAX_MODULES = 32 };

struct cli_module {
  char path[4096];  // of the image, once cli_modules_save has written it
  unsigned vid;
  int rate, burst;  // its share of every order queue; rate -1: no limit
  bool some_ports;  // it may send to the ports `ports` alone, bit p is port p
  uint64_t ports;
  unsigned set;  // of pipelines: its logical switch
  bool trusted;  // may write its VLAN id (driver/plan/guard.h)
  bool active;   // its packets may be capsules
  bool p4;       // it came as a program in P4
  bool foreign;  // it came as an image, not as the text of a program
  // Further passes of its packets (docs/tm.md), and its tokens for them
  unsigned passes, pass_rate, pass_burst;
  int number;                    // its class in the output queues; -1: that of its row
  bool limited;                  // it has a rate at each lane
  struct sluice_lane_rate lane;  // if limited
  struct sluice_image image;
};

struct cli_modules {
  bool pin, keep_index;  // how programs are compiled; all arrays are in pipeline `pin_pipe`
  unsigned pin_pipe;
  unsigned sets;  // of pipelines, 0 and 1: one of all; modules without a set take turns
  // Of --share, --lane-rate, --class, --ports, --trust, --active, --passes, --param and --entries
  struct cli_list shares, lane_rates, classes, ports, trust, active, passes, params, entries;
  const char *class_weights, *class_strict, *class_marks;  // lists of numbers; NULL: none
  bool classed;                            // the two registers of the classes are given
  uint32_t class_costs, class_set;         // then: CHIP.CLASS_COSTS and CHIP.CLASS_STRICT
  unsigned class_ecn[SLUICE_CLASSES_MAX];  // CHIP.CLASS_ECN of the first so many classes
  unsigned num_class_ecn;
  const char *merge_lanes, *merge_key;  // of the ordered merge; NULL: not given
  uint64_t merge_idle;                  // 0: not given
  struct sluice_merge merge;            // what they say; no lanes: nothing is merged
  const char *trusted_path;             // a program of our own making, trusted; NULL: none
  bool no_shares;
  const char *system;  // file of --system: a system-level module around all programs; NULL: none
  char *system_text;   // what is in it, once it was read
  size_t system_len;
  const char *policy;  // file of --policy (sluice/policy.h); NULL: none
  int moves;           // quota of moves that it gives; -1: none
  const char
      *initial;  // file of --initial: what arrays hold at the start; NULL: as the source says
  struct sluice_initial *contents;  // what is in it, once the programs were loaded
  unsigned count;
  struct cli_module items[CLI_MAX_MODULES];
};

/// `modules` comes zeroed, but for how to compile.
/// Loads what the command line names: `rest` gets the VLAN ids 1, 2, ... that are free, `with_vid`
/// holds FILE:VID or FILE:VID@SET. A file is a program (*.dom, or standard input that does not
/// begin with a '{'), which is compiled, or an image. Gives them what --policy says; else their
/// shares: those of --share, and equal ones to the others, if several modules share pipelines.
/// Checks that all fit on the chip together. Returns an exit code after a message.
int cli_modules_load(struct cli_modules *modules, const struct cli_list *rest,
                     const struct cli_list *with_vid, const struct sluice_config *config);
/// What options say of the modules that are loaded. (modules_options.c)
int cli_modules_options(struct cli_modules *modules, const struct sluice_config *config);
/// Puts the entries of --entries behind those that the source gives. Exit code, after a message.
int cli_modules_entries(struct cli_modules *modules, const struct sluice_config *config);
/// The file of an argument of --entries; *vid (NULL is allowed): the VLAN id in front of it.
const char *cli_entries_file(const char *item, uint64_t *vid);
/// Writes the images to `dir`, for the simulator. Exit code.
int cli_modules_save(struct cli_modules *modules, const char *dir);
/// One of them as a job has it; its image is that of cli_modules_save.
struct job_module;
struct job_module cli_module_job(const struct cli_module *module);
/// Adds them to a plan, with sets, shares, rates, ports, trust, and whether packets may be
/// capsules.
enum sluice_status cli_modules_plan(const struct cli_modules *modules, struct sluice_plan *plan,
                                    struct sluice_error *error);
/// Brings a chip that holds nothing to the plan of them.
enum sluice_status cli_modules_apply(const struct cli_modules *modules,
                                     const struct sluice_config *config, struct sluice_chip *chip,
                                     struct sluice_error *error);
/// What is said besides tables: arrays of --initial, and the registers of the classes and of the
/// ordered merge, as far as they are given.
enum sluice_status cli_modules_registers(const struct cli_modules *modules,
                                         struct sluice_chip *chip, struct sluice_error *error);
#define CLI_INITIAL_OPTION(M)                                                                    \
  {                                                                                              \
    CLI_PATH, 0, "initial", "FILE", &(M).initial, 0, 0,                                          \
        "what arrays hold at the start, as {\"vid1\": {\"count\": [7, 0]}}; or the report of a " \
        "run with "                                                                              \
        "--state"                                                                                \
  }
#define CLI_MODULE_OPTIONS(M)                                                                     \
  {CLI_PATH,    0, "system", "FILE",                                                              \
   &(M).system, 0, 0,        "system-level module: what is done before and behind all programs"}, \
      {CLI_PATH,    0,                                                                            \
       "policy",    "FILE",                                                                       \
       &(M).policy, 0,                                                                            \
       0,           "what each module may use: rows, stages, state, rate, ports (JSON)"},         \
      {CLI_LIST,                                                                                  \
       0,                                                                                         \
       "share",                                                                                   \
       "VID=RATE",                                                                                \
       &(M).shares,                                                                               \
       0,                                                                                         \
       0,                                                                                         \
       "share of a module, accesses per 256 cycles and queue; RATE:BURST (equal shares)"},        \
      {CLI_LIST,                                                                                  \
       0,                                                                                         \
       "lane-rate",                                                                               \
       "VID=PACKETS",                                                                             \
       &(M).lane_rates,                                                                           \
       0,                                                                                         \
       0,                                                                                         \
       "packets per 1,000 cycles and lane; P:BURST/BEATS:BURST: beats of 64 bytes too (no "       \
       "limit)"},                                                                                 \
      {CLI_LIST,     0, "class", "VID=CLASS",                                                     \
       &(M).classes, 0, 0,       "class of a module in the output queues (row modulo classes)"},  \
      {CLI_TEXT,                                                                                  \
       0,                                                                                         \
       "class-weights",                                                                           \
       "W,W,...",                                                                                 \
       &(M).class_weights,                                                                        \
       0,                                                                                         \
       0,                                                                                         \
       "beats of the classes 0, 1, ... at an output, 1 to 16 (1)"},                               \
      {CLI_TEXT,                                                                                  \
       0,                                                                                         \
       "class-strict",                                                                            \
       "C,...",                                                                                   \
       &(M).class_strict,                                                                         \
       0,                                                                                         \
       0,                                                                                         \
       "classes that go before the others, the lowest first"},                                    \
      {CLI_TEXT,                                                                                  \
       0,                                                                                         \
       "class-ecn",                                                                               \
       "N,N,...",                                                                                 \
       &(M).class_marks,                                                                          \
       0,                                                                                         \
       0,                                                                                         \
       "of the classes 0, 1, ...: ECN marks at an output queue with N packets (0: never)"},       \
      {CLI_TEXT,                                                                                  \
       0,                                                                                         \
       "merge-lanes",                                                                             \
       "L,L-L",                                                                                   \
       &(M).merge_lanes,                                                                          \
       0,                                                                                         \
       0,                                                                                         \
       "lanes of sorted packets that are merged by --merge-key (none)"},                          \
      {CLI_TEXT,       0, "merge-key", "[VID:]FIELD",                                             \
       &(M).merge_key, 0, 0,           "packet field by which they are sorted"},                  \
      {CLI_WHOLE,                                                                                 \
       0,                                                                                         \
       "merge-idle",                                                                              \
       "N",                                                                                       \
       &(M).merge_idle,                                                                           \
       1,                                                                                         \
       65535,                                                                                     \
       "cycles without a packet after which the others do not wait for a lane (1000)"},           \
      {CLI_LIST,   0, "ports", "VID=PORTS",                                                       \
       &(M).ports, 0, 0,       "ports that a module may send to, as 0,3-5 (all)"},                \
      {CLI_LIST,    0, "param", "[VID:]NAME=VALUE",                                               \
       &(M).params, 0, 0,       "initial value of a malleable (of all modules that have it)"},    \
      {CLI_ENTRIES,                                                                               \
       0,                                                                                         \
       "entries",                                                                                 \
       "[VID:]TABLE=FILE",                                                                        \
       &(M).entries,                                                                              \
       0,                                                                                         \
       0,                                                                                         \
       "entries of a table at the start, CSV or JSON (of all modules that have it); FILE alone: " \
       "runtime.json of a P4 program"},                                                           \
      {CLI_FLAG,       0, "no-shares", NULL,                                                      \
       &(M).no_shares, 0, 0,           "modules share the order queues without limits"},          \
      {CLI_LIST,    0, "active", "VID",                                                           \
       &(M).active, 0, 0,        "packets of this module may be capsules (none)"},                \
      {CLI_LIST,    0,                                                                            \
       "passes",    "VID=N",                                                                      \
       &(M).passes, 0,                                                                            \
       0,           "further passes that its packets may take; N:RATE:BURST: its tokens (none)"}, \
  {                                                                                               \
    CLI_LIST, 0, "trust", "VID", &(M).trust, 0, 0,                                                \
        "this module may write its VLAN id, and reconfiguration packets"                          \
  }
/// Frees the images.
void cli_modules_release(struct cli_modules *modules);
