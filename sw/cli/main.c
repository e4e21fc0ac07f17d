// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cli.h"

static const struct verb {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;
} verbs[] = {
    {"run", cmd_run, "run programs on the simulated chip and check every packet"},
    {"compile", cmd_compile, "compile a Domino program to a configuration image"},
    {"gen", cmd_gen, "make a capture of synthetic traffic"},
    {"study", cmd_study, "play a trace on a cycle-level model of the stage boundaries"},
    {"fuzz", cmd_fuzz, "test the simulated chip with random configurations and packets"},
    {"isolate", cmd_isolate, "test that a module does not notice a hostile one beside it"},
    {"serve", cmd_serve, "run a switch whose ports are Linux interfaces, captures or UDP sockets"},
    {"ctl", cmd_ctl, "ask a running switch: load, update, remove, list, show, state, counters, stages, set, watch"},
    {"top", cmd_top, "show a running switch: ports, programs, stages, drops"},
    {"bringup", cmd_bringup, "try a chip on a board, over a serial line"},
    {"packets", cmd_packets, "make or decode reconfiguration packets"},
    {"layout", cmd_layout, "print the formats of tables, packets and registers"},
};
enum { NUM_VERBS = sizeof verbs / sizeof verbs[0] };

static const struct verb *find(const char *name) {
  for (int i = 0; i < NUM_VERBS; i++)
    if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
  cli_error("unknown verb '%s'; see 'sluice --help'", name);
  return NULL;
}

static void print_help(FILE *out) {
  fputs(
      "usage: sluice VERB [ARGUMENT...]\n\nSluice, a multi-pipeline programmable packet "
      "switch.\n\n",
      out);
  for (int i = 0; i < NUM_VERBS; i++) fprintf(out, "  %-10s %s\n", verbs[i].name, verbs[i].summary);
  fputs(
      "\n'sluice help VERB' tells more. Exit codes: 0 done, 1 the answer is no, 2 the command "
      "line\n"
      "is wrong, 3 a file or another program failed, 4 a run compared no packet.\n",
      out);
}

// What was printed must have arrived: a full disk is a failure of the world.
static int finish(int code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  if (code == CLI_DONE) {
    cli_error("cannot write standard output");
    return CLI_WORLD;
  }
  return code;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return CLI_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(stdout);
    return finish(CLI_DONE);
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("sluice, layouts %08x\n", (unsigned)sluice_layout_hash());
    return finish(CLI_DONE);
  }
  if (strcmp(argv[1], "help") == 0) {
    if (argc < 3) {
      print_help(stdout);
      return finish(CLI_DONE);
    }
    const struct verb *verb = find(argv[2]);
    char help[] = "--help";
    char *arguments[] = {argv[2], help, NULL};
    return verb ? finish(verb->run(2, arguments)) : CLI_USAGE;
  }
  const struct verb *verb = find(argv[1]);
  return verb ? finish(verb->run(argc - 1, argv + 1)) : CLI_USAGE;
}
