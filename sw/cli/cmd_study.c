// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "../figures/study/study.h"
#include "cli.h"

static const struct cli_usage usage = {
    "bench-study", "FLOWS PACKETS [OPTION...] [NAME=VALUE...]",
    "Plays a trace on a cycle-level model of the stage boundaries",
    "FLOWS and PACKETS are a trace in the format of MP5 ('sluice gen --stress' makes some).\n"
    "An option may also be given as NAME=VALUE. Exit code 1: the run got stuck. See "
    "docs/study.md.\n"};

enum { MOST = 80 };

static bool set(struct study_options *o, const char *name, const char *value) {
  struct sluice_error error;
  if (study_set(o, name, value, &error) == SLUICE_OK) return true;
  cli_error("%s; see 'sluice help bench study'", error.text);
  return false;
}

// Arguments with a '=' are options, the others (two) are files.
static bool take_rest(struct study_options *o, const struct cli_list *rest, const char **files) {
  unsigned num = 0;
  for (unsigned i = 0; i < rest->count; i++) {
    const char *item = rest->items[i], *equals = strchr(item, '=');
    char name[32];
    if (equals && !strchr(item, '/') && (size_t)(equals - item) < sizeof name) {
      snprintf(name, sizeof name, "%.*s", (int)(equals - item), item);
      if (!set(o, name, equals + 1)) return false;
    } else if (num < 2) {
      files[num++] = item;
    } else {
      num++;
    }
  }
  for (unsigned i = 0; i < num && i < 2; i++)
    if (strcmp(files[i], "-") == 0) {
      cli_error(
          "bench study reads no standard input: the names of its files say the shape of the trace");
      return false;
    }
  if (num == 2) return true;
  cli_error("bench study takes two files, FLOWS and PACKETS; see 'sluice help bench study'");
  return false;
}

static int run(const struct study_options *o, const struct sluice_config *config,
               const char **files, bool json) {
  struct sluice_trace trace;
  struct sluice_error error;
  struct study_result *result = malloc(sizeof *result);
  if (!result || sluice_trace_load(&trace, files[0], files[1], &error)) {
    cli_error("%s", result ? error.text : "out of memory");
    free(result);
    return CLI_WORLD;
  }
  int code = CLI_DONE;
  if (config && trace.lanes != config->NumPipes) {
    cli_error("the trace is for %u pipelines, chip '%s' has %u", (unsigned)trace.lanes,
              config->name, config->NumPipes);
    code = CLI_WORLD;
  } else if (study_run(o, &trace, result, &error)) {
    cli_error("%s", error.text);
    code = CLI_WORLD;
  } else {
    if (json) study_print_json(result, stdout);
    else study_print(result, stdout);
    if (result->stuck) code = CLI_NO;
  }
  sluice_trace_release(&trace);
  free(result);
  return code;
}

int cmd_study(int argc, char **argv) {
  struct cli_list rest;
  const char *mode = "ours", *chip = NULL, *values[MOST] = {NULL}, *files[2];
  bool json = false;
  char help[MOST][128];
  struct cli_option options[MOST + 7] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_TEXT, 'm', "mode", "MODE", &mode, 0, 0,
       "ours, mp5, no-remap, no-phantoms, recirculation, one-pipeline (ours)"},
      {CLI_TEXT, 'c', "chip", "NAME", &chip, 0, 0,
       "stages, banks, FIFOs, window, lanes and tables of this shape"},
      {CLI_FLAG, 0, "json", NULL, &json, 0, 0, "print everything as JSON"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Of the model; another mode has other defaults"}};
  unsigned num = 5;
  for (unsigned i = 0; study_option_table[i].name; i++) {
    if (i == MOST) abort();  // more options of the model than these tables hold
    const struct study_option *row = &study_option_table[i];
    snprintf(help[i], sizeof help[i], "%s (%d)", row->help, (int)row->preset);
    options[num++] = (struct cli_option){CLI_TEXT, 0, row->name, "N", &values[i], 0, 0, help[i]};
  }
  options[num] = (struct cli_option){.kind = CLI_END};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);

  int which = study_mode_find(mode);
  if (which < 0) {
    cli_error(
        "no mode '%s'; modes are ours, mp5, no-remap, no-phantoms, recirculation, one-pipeline",
        mode);
    return CLI_USAGE;
  }
  struct study_options o;
  study_options_init(&o, (enum study_mode)which);
  const struct sluice_config *config = chip ? cli_chip(chip) : NULL;
  if (chip && !config) return CLI_USAGE;
  if (config && which != STUDY_OURS) {
    cli_error("--chip is for mode ours");
    return CLI_USAGE;
  }
  if (config) study_set_chip(&o, config);
  for (unsigned i = 0; study_option_table[i].name && i < MOST; i++)
    if (values[i] && !set(&o, study_option_table[i].name, values[i])) return CLI_USAGE;
  if (!take_rest(&o, &rest, files)) return CLI_USAGE;
  struct sluice_error error;
  if (study_check(&o, &error)) {
    cli_error("%s", error.text);
    return CLI_USAGE;
  }
  return run(&o, config, files, json);
}
