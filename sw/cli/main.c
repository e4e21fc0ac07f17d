// SPDX-License-Identifier: Apache-2.0
#include <sluice/version.h>
#include <string.h>

#include "../base/nearest.h"
#include "cli.h"
#include "pages.h"

static const struct cli_verb verbs[] = {
    {"run", cmd_run, "run programs on the simulated chip and check every packet", "Programs"},
    {"compile", cmd_compile, "compile a program to a configuration image", NULL},
    {"explain", cmd_explain,
     "tell where each line of a program went in the chip, or why it does not fit", NULL},
    {"trace", cmd_trace, "tell the whole story of single packets of a run", NULL},
    {"gen", cmd_gen, "make a capture of synthetic traffic", NULL},
    {"p4", cmd_p4, "check programs in P4-16, print their P4Info, run them", NULL},
    {"active", cmd_active, "assemble, show and run the programs of capsules", NULL},
    {"serve", cmd_serve, "run a switch whose ports are Linux interfaces, captures or UDP sockets",
     "A switch that runs"},
    {"ctl", cmd_ctl,
     "ask a running switch, and change it: programs, tables, state, counters, stories of packets",
     NULL},
    {"top", cmd_top, "show a running switch: ports, programs, stages, drops", NULL},
    {"bringup", cmd_bringup, "try a chip on a board, over a serial line", NULL},
    {"fuzz", cmd_fuzz, "test the simulated chip with random configurations and packets", "Checks"},
    {"check", cmd_check, "say the verdict of a run again, from what the monitors were told", NULL},
    {"isolate", cmd_isolate, "test that a module does not notice a hostile one beside it", NULL},
    {"bench", cmd_bench, "make the runs of an evaluation, and tables, plots and a page of them",
     "Experiments"},
    {"bench-replay", cmd_replay,
     "play a published trace on the simulated chip and check every packet", NULL},
    {"bench-recirculate", cmd_recirculate,
     "play a published trace as a switch of independent pipelines must", NULL},
    {"bench-study", cmd_study, "play a trace on a cycle-level model of the stage boundaries", NULL},
    {"bench-outputs", cmd_outputs,
     "play random packets on a cycle-level model of the output queues", NULL},
    {"packets", cmd_packets, "make or decode reconfiguration packets", "Formats"},
    {"image", cmd_image, "make images of configuration files of Menshen, and such files of images",
     NULL},
    {"layout", cmd_layout, "print the formats of tables, packets and registers", NULL},
    {NULL, NULL, NULL, NULL},
};

// Verbs that had another name.
static const struct {
  const char *was, *is;
} renamed[] = {{"study", "bench study"},
               {"outputs", "bench outputs"},
               {"replay", "bench replay"},
               {"recirculate", "bench recirculate"}};

// The experiments are verbs of `bench`: its name and the word behind it are one, as bench-study.
// Returns how many words a verb's name takes, and puts it to `name`.
static int name_of(char *name, size_t size, int argc, char **argv) {
  if (argc > 1) {
    snprintf(name, size, "%s-%s", argv[0], argv[1]);
    for (const struct cli_verb *v = verbs; v->name; v++)
      if (strcmp(v->name, name) == 0) return 2;
  }
  snprintf(name, size, "%s", argv[0]);
  return 1;
}

static const struct cli_verb *find(const char *name) {
  for (const struct cli_verb *v = verbs; v->name; v++)
    if (strcmp(v->name, name) == 0) return v;
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
    if (strcmp(renamed[i].was, name) == 0) {
      cli_error("'%s' is now 'sluice %s'; see 'sluice help %s'", name, renamed[i].is,
                renamed[i].is);
      return NULL;
    }
  const char *near = NULL;
  unsigned best = SLUICE_NEAR;
  for (const struct cli_verb *v = verbs; v->name; v++) sluice_nearer(name, v->name, &near, &best);
  static const char *const others[] = {"--version", "--help", "help"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    sluice_nearer(name, others[i], &near, &best);
  if (near) cli_error("unknown verb '%s'; did you mean '%s'? see 'sluice --help'", name, near);
  else cli_error("unknown verb '%s'; see 'sluice --help'", name);
  return NULL;
}

static void print_help(FILE *out) {
  fputs(
      "usage: sluice VERB [ARGUMENT...]\n\nSluice, a multi-pipeline programmable packet switch.\n",
      out);
  for (const struct cli_verb *v = verbs; v->name; v++) {
    if (v->group) fprintf(out, "\n%s:\n", v->group);
    char name[40];
    fprintf(out, "  %-17s %s\n", cli_verb_name(v->name, name, sizeof name), v->summary);
  }
  fputs("\n  VERB --help                    what a verb does, and the options to begin with\n"
        "  help VERB, VERB --help-all     all options of a verb\n"
        "  help --man [VERB]              a manual page, for 'man -l -'\n"
        "  help --completion bash         the completion for bash\n"
        "  help --verbs                   the names of all verbs\n"
        "  help --files                   the options that name files, of all verbs\n"
        "  --version\n\nExit codes:\n",
        out);
  for (const struct cli_exit_row *row = cli_exit_rows; row->code; row++)
    if (row->brief) fprintf(out, "  %s %s\n", row->code, row->brief);
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

// "run read --control FILE": what is done with the files of an option.
static void print_files(const struct cli_usage *usage, const struct cli_option *options) {
  static const char *const does[] = {[CLI_FILE_READ] = "read",
                                     [CLI_FILE_WRITTEN] = "write",
                                     [CLI_FILE_BOTH] = "both",
                                     [CLI_FILE_FOLDER] = "folder"};
  for (const struct cli_option *o = options; o->kind != CLI_END; o++) {
    const enum cli_file file = cli_file_of(o->kind);
    if (file != CLI_FILE_NONE)
      printf("%s %s --%s %s\n", usage->verb, does[file], o->name, o->argument);
  }
}

static int help(int argc, char **argv) {
  const char *what = argc > 2 ? argv[2] : "", *which = argc > 3 ? argv[3] : NULL;
  const bool manual = strcmp(what, "--man") == 0;
  if (argc == 2) {
    print_help(stdout);
    return CLI_DONE;
  }
  if (argc == 3 && strcmp(what, "--verbs") == 0) {
    for (const struct cli_verb *v = verbs; v->name; v++) puts(v->name);
    return CLI_DONE;
  }
  if (argc == 3 && strcmp(what, "--files") == 0) {
    for (const struct cli_verb *v = verbs; v->name; v++) cli_ask_verb(v, print_files);
    return CLI_DONE;
  }
  if (argc == 4 && strcmp(what, "--completion") == 0 && strcmp(which, "bash") == 0)
    return cli_print_completion(verbs);
  if (argc == 3 && manual) return cli_print_manual(verbs, NULL);
  char name[80] = "";
  const int first = manual ? 3 : 2;
  const int words = argc > first ? name_of(name, sizeof name, argc - first, argv + first) : 0;
  if (words && first + words == argc && name[0] != '-') {
    const struct cli_verb *verb = find(name);
    if (!verb) return CLI_USAGE;
    if (manual) return cli_print_manual(verbs, verb);
    char options[] = "--help-all";
    char *arguments[] = {name, options, NULL};
    return verb->run(2, arguments);
  }
  cli_error("help takes a verb, --man [VERB], --completion bash, --verbs or --files; see 'sluice "
            "--help'");
  return CLI_USAGE;
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
    printf("sluice %s, layouts %08x\n", SLUICE_VERSION, (unsigned)sluice_layout_hash());
    return finish(CLI_DONE);
  }
  if (strcmp(argv[1], "help") == 0) return finish(help(argc, argv));
  char name[80];
  const int words = name_of(name, sizeof name, argc - 1, argv + 1);
  const struct cli_verb *verb = find(name);
  return verb ? finish(verb->run(argc - words, argv + words)) : CLI_USAGE;
}
