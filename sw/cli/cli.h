// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLI_CLI_H
#define SLUICE_CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../lib/image.h"
#include "../lib/stress.h"
#include "../lib/traffic.h"

/// The command `sluice`: the only place that prints or decides how the process ends.
enum cli_exit {
  CLI_DONE = 0,   // done, and the answer is yes
  CLI_NO = 1,     // the answer is no: packets differ, a program is rejected
  CLI_USAGE = 2,  // the command line is wrong
  CLI_WORLD = 3,  // a file, the memory or another program failed
};

/// Prints "sluice: ..." on standard error. The text starts small and has no full stop.
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Verbs. argv[0] is the verb; they return an exit code.
int cmd_bringup(int argc, char **argv);
int cmd_compile(int argc, char **argv);
int cmd_fuzz(int argc, char **argv);
int cmd_gen(int argc, char **argv);
int cmd_layout(int argc, char **argv);
int cmd_packets(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_study(int argc, char **argv);

// ---- options ------------------------------------------------------------------------------------

enum { CLI_MAX_ARGUMENTS = 64 };

/// Arguments of an option that may be repeated, or those that are no options.
struct cli_list {
  unsigned count;
  const char *items[CLI_MAX_ARGUMENTS];
};

enum cli_kind {
  CLI_END,     // ends a table
  CLI_GROUP,   // a heading of the help text
  CLI_FLAG,    // bool: set to true
  CLI_TEXT,    // const char *
  CLI_LIST,    // struct cli_list: may be repeated
  CLI_WHOLE,   // uint64_t within low..high
  CLI_NUMBER,  // double within low..high
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

enum cli_parsed { CLI_GO, CLI_HELP, CLI_WRONG };

/// Parses; prints help to standard output for -h, or what is wrong. Other arguments go to `rest`.
enum cli_parsed cli_parse(int argc, char **argv, const struct cli_usage *usage,
                          const struct cli_option *options, struct cli_list *rest);

/// Exit code for a parse that is not CLI_GO.
static inline int cli_parsed_exit(enum cli_parsed parsed) {
  return parsed == CLI_HELP ? CLI_DONE : CLI_USAGE;
}

/// The configuration with this name, or NULL and a message that lists them all.
const struct sluice_config *cli_chip(const char *name);

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
  char path[4096];  // of the image; a program is compiled first
  unsigned vid;
  int rate, burst;  // its share of every order queue; rate -1: no limit
  unsigned set;     // of pipelines: its logical switch
  struct sluice_image image;
};

struct cli_modules {
  bool pin, keep_index;  // how programs are compiled; all arrays are in pipeline `pin_pipe`
  unsigned pin_pipe;
  unsigned sets;  // of pipelines, 0 and 1: one of all; modules without a set take turns
  unsigned count;
  struct cli_module items[CLI_MAX_MODULES];
};

/// `modules` comes zeroed, but for how to compile.
/// Loads what the command line names: `rest` gets the VLAN ids 1, 2, ... that are free, `with_vid`
/// holds FILE:VID or FILE:VID@SET. Programs (*.dom) are compiled to images in `dir`. Checks that all fit on the
/// chip together. Returns an exit code after a message.
int cli_modules_load(struct cli_modules *modules, const struct cli_list *rest,
                     const struct cli_list *with_vid, const struct sluice_config *config,
                     const char *dir);
/// Gives modules their shares: texts VID=RATE or VID=RATE:BURST. Exit code after a message.
int cli_modules_share(struct cli_modules *modules, const struct cli_list *shares);
/// Frees the images and removes the files that compiling made in `dir` (NULL: keeps them).
void cli_modules_release(struct cli_modules *modules, const char *dir);

#endif
