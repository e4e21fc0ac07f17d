// SPDX-License-Identifier: Apache-2.0
// Option tables: what they refuse, and what is printed from them.
#include <unistd.h>

#include "tests/rig/test.h"
#include "cli/pages.h"

static const struct cli_usage usage = {"dance", "PARTNER [OPTION...]", "Dances with a PARTNER",
                                       "  tango   slow, slow\n.start\n"};

// What `call` prints to a stream, in a buffer that lives until the next call.
static const char *printed(FILE *stream, int fd, void (*call)(void *), void *context) {
  static char text[20000];
  FILE *file = tmpfile();
  assert_non_null(file);
  fflush(stream);
  const int kept = dup(fd);
  assert_true(kept >= 0 && dup2(fileno(file), fd) >= 0);
  call(context);
  fflush(stream);
  assert_true(dup2(kept, fd) >= 0);
  close(kept);
  rewind(file);
  const size_t len = fread(text, 1, sizeof text - 1, file);
  text[len] = 0;
  fclose(file);
  return text;
}

struct parse {
  const struct cli_option *options;
  const char *argument;
  enum cli_parsed parsed;
};
static void parse(void *context) {
  struct parse *p = context;
  struct cli_list rest;
  char verb[] = "dance", argument[40];
  snprintf(argument, sizeof argument, "%s", p->argument);
  char *arguments[] = {verb, argument, NULL};
  p->parsed = cli_parse(2, arguments, &usage, p->options, &rest);
}
static enum cli_parsed refused(const struct cli_option *options, const char *argument,
                               const char *says) {
  struct parse p = {options, argument, CLI_GO};
  const char *text = printed(stderr, STDERR_FILENO, parse, &p);
  if (says && !strstr(text, says)) fail_msg("'%s' is not in '%s'", says, text);
  if (!says) assert_string_equal(text, "");
  return p.parsed;
}

enum { LIMIT = 96 };
static char names[LIMIT + 1][24];
static bool flags[LIMIT + 1];
static struct cli_option many[LIMIT + 2];

static void fill(unsigned count) {
  memset(many, 0, sizeof many);
  for (unsigned i = 0; i < count; i++) {
    snprintf(names[i], sizeof names[i], "option-%u", i);
    flags[i] = false;
    many[i] = (struct cli_option){CLI_FLAG, 0, names[i], NULL, &flags[i], 0, 0, "one of many"};
  }
  many[count].kind = CLI_END;
}

TEST(no_option_is_dropped) {
  fill(LIMIT);
  for (unsigned i = 0; i < LIMIT; i++) {
    char argument[32];
    snprintf(argument, sizeof argument, "--%s", names[i]);
    assert_int_equal(refused(many, argument, NULL), CLI_GO);
    assert_true(flags[i]);
  }
  fill(LIMIT + 1);
  assert_int_equal(
      refused(many, "--option-0", "sluice: 'dance' has more than 96 options, from --option-96 on"),
      CLI_WRONG);
  assert_false(flags[0]);
  assert_int_equal(refused(many, "--help", "more than 96 options"), CLI_WRONG);
}

TEST(no_option_stands_twice) {
  bool a = false;
  struct cli_option options[] = {{CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
                                 {CLI_FLAG, 'a', "first", NULL, &a, 0, 0, "one"},
                                 {CLI_FLAG, 'b', "second", NULL, &a, 0, 0, "two"},
                                 {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  assert_int_equal(refused(options, "-b", NULL), CLI_GO);
  options[2].name = "first";
  assert_int_equal(refused(options, "-a", "two options with the name or letter of --first"),
                   CLI_WRONG);
  options[2].name = "second";
  options[2].letter = 'a';
  assert_int_equal(refused(options, "-a", "letter of --second"), CLI_WRONG);
  options[2].letter = 'h';
  assert_int_equal(refused(options, "-a", "letter of --second"), CLI_WRONG);
  options[2].letter = 0;
  options[2].name = "help";
  assert_int_equal(refused(options, "-a", "letter of --help"), CLI_WRONG);
}

static uint64_t steps;
static double speed;
static const char *chip, *song, *hall;
static struct cli_list shoes;
static const struct cli_option table[] = {
    {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
    {CLI_WHOLE, 'n', "steps", "N", &steps, 1, 9e15, "steps, at 'home' or \\away~^`\"e"},
    {CLI_NUMBER, 0, "speed", "V", &speed, 0.5, 2, ".5 is slow"},
    {CLI_TEXT, 'c', "chip", "NAME", &chip, 0, 0, "where"},
    {CLI_READ, 0, "song", "FILE", &song, 0, 0, "what is played"},
    {CLI_TEXT, 0, "hall", "NAME", &hall, 0, 0, "any hall"},
    {CLI_MODULES, 0, "shoe", "FILE:SIZE", &shoes, 0, 0, "shoes"},
    {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};

static int cmd_dance(int argc, char **argv) {
  struct cli_list rest;
  return cli_parsed_exit(cli_parse(argc, argv, &usage, table, &rest));
}
static const struct cli_verb dance = {"dance", cmd_dance, "dance", NULL};

static void ask_page(void *context) { *(int *)context = cli_print_manual(NULL, &dance); }
static void ask_help(void *context) {
  struct parse p = {table, "--help", CLI_GO};
  parse(&p);
  *(int *)context = p.parsed == CLI_HELP ? CLI_DONE : CLI_USAGE;
}
static void ask_completion(void *context) {
  const struct cli_verb verbs[] = {dance, {NULL, NULL, NULL, NULL}};
  *(int *)context = cli_print_completion(verbs);
}

static void all_in(const char *text, const char *const *parts) {
  for (; *parts; parts++)
    if (!strstr(text, *parts)) fail_msg("'%s' is not in:\n%s", *parts, text);
}

TEST(a_page_has_all_and_nothing_is_a_request) {
  int code = -1;
  const char *page = printed(stdout, STDOUT_FILENO, ask_page, &code);
  assert_int_equal(code, CLI_DONE);
  const char *const parts[] = {
      ".TH SLUICE\\-DANCE 1",
      "sluice\\-dance \\- dances with a PARTNER\n",
      ".nf\n  tango   slow, slow\n.fi\n.PP\n\\&.start\n",
      "\\fB\\-n\\fR, \\fB\\-\\-steps\\fR \\fIN\\fR\n"
      "steps, at \\(aqhome\\(aq or \\(rsaway\\(ti\\(ha\\(ga\\(dqe.\nFrom 1 to 9000000000000000.\n",
      "\\fB\\-\\-speed\\fR \\fIV\\fR\n\\&.5 is slow.\nFrom 0.5 to 2.\n",
      "NAME: tiny, ",
      "what is played.\n\\- is standard input.\n",
      "shoes.\nMay be repeated.\n",
      "any hall.\n.TP\n",
      "\\fB\\-h\\fR, \\fB\\-\\-help\\fR",
      ".B 3\na file, the memory or another program failed.\n",
      NULL};
  all_in(page, parts);
  assert_null(strstr(page, "130"));  // an exit code of run alone
  // The next one who asks gets the help text again.
  const char *help = printed(stdout, STDOUT_FILENO, ask_help, &code);
  assert_int_equal(code, CLI_DONE);
  const char *const lines[] = {"usage: sluice dance PARTNER [OPTION...]\n",
                               "\n  -n, --steps N              steps, at",
                               "\n      --shoe FILE:SIZE       shoes\n", NULL};
  all_in(help, lines);
}

TEST(completion_knows_what_an_option_takes) {
  int code = -1;
  const char *text = printed(stdout, STDOUT_FILENO, ask_completion, &code);
  assert_int_equal(code, CLI_DONE);
  const char *const parts[] = {
      "_sluice_verbs='dance'\n",
      "    options='-n --steps --speed -c --chip --song --hall --shoe -h --help --help-all'\n",
      "    -n|--steps) takes=other ;;\n",
      "    -c|--chip) takes=words words='tiny ",
      "    --song) takes=files ;;\n",
      "    --hall) takes=other ;;\n",
      "    --shoe) takes=files ;;\n",
      "complete -o default -F _sluice sluice\n",
      NULL};
  all_in(text, parts);
}
