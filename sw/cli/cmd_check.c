// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/files.h"
#include "../fuzz/shrink_events.h"
#include "../session/report.h"
#include "../spec/spec.h"
#include "cli.h"

static const struct cli_usage usage = {
    "check", "FILE [OPTION...]",
    "Says the verdict of a run again, from what the monitors were told (sluice run --events)",
    "No chip and no simulator: a checker of its own is told what stands in the file. The format is "
    "in\n"
    "docs/verification.md. Exit code: 0 EQUIVALENT, 1 it is not, 4 no packet was compared.\n"};

// To standard output, unless what is left of the events goes there.
static int say(const struct events_verdict *v) {
  FILE *const out = cli_output_taken() ? stderr : stdout;
  const struct sluice_report *r = &v->report;
  const struct sluice_difference *d = &r->first;
  const struct report_fates fates =
      report_fates_of(r->drops, r->delivered, r->undelivered, r->discarded_egress, r->inside);
  const bool untested = !r->differences && r->packets == fates.lost;
  fprintf(out, "%s", r->differences ? "DIFFERENT" : untested ? "UNTESTED" : "EQUIVALENT");
  if (r->differences) {
    if (d->packet == UINT64_MAX) fprintf(out, ": no packet");
    else fprintf(out, ": packet %llu", (unsigned long long)d->packet);
    fprintf(out, ", %s: expected %s, got %s (cycle %llu, line %zu)", d->field, d->expected, d->got,
            (unsigned long long)d->cycle, v->line);
  }
  fprintf(out,
          "\n%llu events: packets %llu, admitted %llu, left %llu, copies %llu, accesses %llu, "
          "state entries %llu, differences %llu\n",
          (unsigned long long)v->events, (unsigned long long)r->packets,
          (unsigned long long)r->admitted, (unsigned long long)r->left,
          (unsigned long long)r->copies, (unsigned long long)r->state_ops,
          (unsigned long long)r->state_entries, (unsigned long long)r->differences);
  return r->differences ? CLI_NO : untested ? CLI_UNTESTED : CLI_DONE;
}

static int write_lines(const struct events_text *text, const char *path) {
  struct sluice_error error;
  struct sluice_out out;
  if (sluice_out_open(&out, path, &error)) {
    cli_error("%s", error.text);
    return CLI_WORLD;
  }
  for (size_t i = 0; i < text->num; i++) fprintf(out.file, "%s\n", text->lines[i]);
  if (!sluice_out_close(&out, true, &error)) return CLI_DONE;
  cli_error("%s", error.text);
  return CLI_WORLD;
}

static int check(struct events_text *text, const struct sluice_second *second, const char *smaller,
                 uint64_t tries) {
  struct sluice_error error;
  struct events_verdict v;
  enum sluice_status status = SLUICE_OK;
  const size_t lines = text->num;
  if (smaller) status = events_shrink(text, second, (unsigned)tries, &error);
  if (!status) status = events_judge(text, second, &v, &error);
  if (status) {
    cli_error("%s", error.text);
    return CLI_WORLD;
  }
  const int code = say(&v);
  if (smaller) {
    fprintf(stderr, "%zu of %zu lines are left\n", text->num, lines);
    return write_lines(text, smaller) == CLI_DONE ? code : CLI_WORLD;
  }
  if (v.finished || v.report.differences) return code;
  cli_error("the file ends before the run did: there is no line 'finish'");
  return CLI_WORLD;
}

int cmd_check(int argc, char **argv) {
  struct cli_list rest;
  const char *oracle = "model", *smaller = NULL;
  uint64_t tries = 600;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_TEXT, 0, "oracle", "WHAT", &oracle, 0, 0,
       "what the chip must equal: model, the fast one, or spec, the machine as docs/machine.md "
       "says it (model)"},
      {CLI_WRITE, 0, "shrink", "FILE", &smaller, 0, 0,
       "the events without what the first difference does not need"},
      {CLI_WHOLE, 0, "tries", "N", &tries, 1, 1000000, "most tries of --shrink (600)"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  const bool spec = strcmp(oracle, "spec") == 0;
  if (!spec && strcmp(oracle, "model") != 0) {
    cli_error("--oracle is model or spec, not '%s'", oracle);
    return CLI_USAGE;
  }
  if (rest.count != 1) {
    cli_error("check takes one file of events; see 'sluice help check'");
    return CLI_USAGE;
  }
  struct events_text text;
  struct sluice_error error;
  if (events_read(&text, rest.items[0], &error)) {
    cli_error("%s", error.text);
    return CLI_WORLD;
  }
  const int code = check(&text, spec ? &sluice_spec_second : NULL, smaller, tries);
  events_release(&text);
  return code;
}
