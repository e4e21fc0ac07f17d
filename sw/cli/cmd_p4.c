// SPDX-License-Identifier: Apache-2.0
// sluice p4: programs in P4-16. Here: the command line, and the action check.
#include <string.h>

#include "cli.h"
#include "p4.h"

static const struct cli_usage usage = {
    "p4", "check|info|run PROGRAM... [OPTION...]",
    "Checks programs in P4-16, prints their P4Info, runs them",
    "  check  reads and checks programs; nothing is printed of one that is right\n"
    "  info   prints the P4Info of a program; its options: sluice p4 info --help\n"
    "  run    runs a program on packets; its options: sluice p4 run --help\n"
    "\n"
    "core.p4, v1model.p4, psa.p4 and fpga.p4 are built in. docs/p4-16.md tells what is taken, and "
    "what\n"
    "is done where the language leaves it open.\n"};

struct job {
  struct cli_list folders, defines;
  bool json, no_warnings, quiet;
  uint64_t most;
};

static void drop_warnings(struct p4_messages *m) {
  size_t kept = 0;
  bool keep = true;
  for (size_t i = 0; i < m->num; i++) {
    if (m->list[i].severity != P4_NOTE) keep = m->list[i].severity == P4_ERROR;
    if (keep) m->list[kept++] = m->list[i];
  }
  m->num = kept;
}

static int check_one(const struct job *job, const char *path) {
  struct cli_p4 p = {.folders = &job->folders, .defines = &job->defines};
  int code = cli_p4_read(&p, path);
  if (code == CLI_DONE || code == CLI_NO) {
    if (job->no_warnings) drop_warnings(&p.messages);
    if (job->json) p4_messages_json(&p.messages, stdout);
    else if (!job->quiet) p4_messages_print(&p.messages, job->most, stderr);
  }
  cli_p4_release(&p);
  return code;
}

static int check(struct job *job, const struct cli_list *rest) {
  int worst = CLI_DONE;
  if (rest->count < 2) {
    cli_error("p4 check takes a program; see 'sluice help p4'");
    return CLI_USAGE;
  }
  if (job->json && rest->count > 2) {
    cli_error("--json takes one program");
    return CLI_USAGE;
  }
  for (unsigned i = 1; i < rest->count; i++) {
    if (!cli_take_input(rest->items[i])) return CLI_USAGE;
    const int code = check_one(job, rest->items[i]);
    if (code > worst) worst = code;
  }
  return worst;
}

int cmd_p4(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "run") == 0) return cli_p4_run(argc, argv);
  if (argc > 1 && strcmp(argv[1], "info") == 0) return cli_p4_info(argc, argv);
  struct job job = {.most = 20};
  struct cli_list rest = {0};
  const struct cli_option options[] = {
      {CLI_LIST, 'I', "include", "FOLDER", &job.folders, 0, 0,
       "a folder in which #include looks, behind that of the file"},
      {CLI_LIST, 'D', "define", "NAME[=TEXT]", &job.defines, 0, 0,
       "a macro, as if the program began with its #define"},
      {CLI_FLAG, 0, "no-warnings", NULL, &job.no_warnings, 0, 0, "print errors alone"},
      {CLI_WHOLE, 0, "errors", "N", &job.most, 1, 100, "print so many errors at most (20)"},
      {CLI_FLAG, 0, "json", NULL, &job.json, 0, 0,
       "print the messages as JSON, on standard output"},
      {CLI_FLAG, 'q', "quiet", NULL, &job.quiet, 0, 0, "print no messages: the exit code tells"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  const enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  if (!rest.count || strcmp(rest.items[0], "check") != 0) {
    cli_error("p4 takes an action: check, info or run; see 'sluice help p4'");
    return CLI_USAGE;
  }
  return check(&job, &rest);
}
