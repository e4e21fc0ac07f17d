// SPDX-License-Identifier: Apache-2.0
// sluice p4: programs in P4-16. Here: the command line, and the action check.
#include <stdlib.h>
#include <string.h>

#include "../p4/front.h"
#include "cli.h"

enum { MAX_LEN = 16 << 20 };  // longest program text

static const struct cli_usage usage = {
    "p4", "check PROGRAM... [OPTION...]",
    "Reads programs in P4-16 and says what is wrong with them",
    "  check  reads and checks programs; nothing is printed of one that is right\n"
    "\n"
    "core.p4, v1model.p4, psa.p4 and fpga.p4 are built in. docs/p4-16.md tells what is taken, and "
    "what\n"
    "is done where the language leaves it open.\n"};

struct job {
  struct cli_list folders, defines;
  bool json, no_warnings, quiet;
  uint64_t most;
  struct p4_define given[CLI_MAX_ARGUMENTS];
};

// NAME, or NAME=TEXT; as a C compiler has it, NAME alone is 1.
static bool split_defines(struct job *job) {
  for (unsigned i = 0; i < job->defines.count; i++) {
    const char *item = job->defines.items[i], *equals = strchr(item, '=');
    const size_t len = equals ? (size_t)(equals - item) : strlen(item);
    char *name = strndup(item, len);
    if (!name || !len) {
      cli_error(name ? "--define: '%s' has no name before '='" : "out of memory", item);
      free(name);
      return false;
    }
    job->given[i] = (struct p4_define){name, equals ? equals + 1 : "1"};
  }
  return true;
}

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
  size_t len;
  char *text = cli_read_file(path, MAX_LEN, &len);
  if (!text) return CLI_WORLD;
  const struct p4_options options = {.num_folders = job->folders.count,
                                     .folders = job->folders.items,
                                     .num_defines = job->defines.count,
                                     .defines = job->given};
  struct p4_messages messages = {0};
  struct p4_program *program = p4_front(path, text, len, &options, &messages);
  if (job->no_warnings) drop_warnings(&messages);
  if (job->json) p4_messages_json(&messages, stdout);
  else if (!job->quiet) p4_messages_print(&messages, job->most, stderr);
  int code = program ? CLI_DONE : CLI_NO;
  if (messages.out_of_memory) {
    cli_error("'%s' takes too much memory", path);
    code = CLI_WORLD;
  }
  p4_program_free(program);
  p4_messages_release(&messages);
  free(text);
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
    cli_error("p4 takes an action: check; see 'sluice help p4'");
    return CLI_USAGE;
  }
  const int code = split_defines(&job) ? check(&job, &rest) : CLI_USAGE;
  for (unsigned i = 0; i < job.defines.count; i++) free((char *)job.given[i].name);
  return code;
}
