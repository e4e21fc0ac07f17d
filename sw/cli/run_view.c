// SPDX-License-Identifier: Apache-2.0
// The page of --view: its packets are added as their stories are told (run_story.c); here is what
// it says of the whole run.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/text.h"
#include "run.h"

bool run_view_add(struct run *run, const json_t *story) {
  char *text = NULL;
  size_t len = 0;
  if (!run->page) run->page = view_open();
  FILE *out = run->page ? open_memstream(&text, &len) : NULL;
  if (!out) return false;
  story_print(out, story);
  const bool good = fclose(out) == 0 && view_add(run->page, story, text);
  free(text);
  return good;
}

// What a function prints.
static json_t *printed(void (*print)(FILE *, const struct run *, const json_t *),
                       const struct run *run, const json_t *report) {
  char *text = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&text, &len);
  if (!out) return NULL;
  print(out, run, report);
  if (fclose(out) != 0) return NULL;
  char *clean = malloc(4 * len + 1);
  if (clean) sluice_text_clean(clean, 4 * len + 1, text, true);
  json_t *value = clean ? json_string(clean) : NULL;
  free(clean);
  free(text);
  return value;
}

static void print_verdict(FILE *out, const struct run *run, const json_t *report) {
  (void)run;
  run_print_verdict(out, report);
}

// The monitors' figures for each interval: what the columns of --timeline say.
static json_t *timeline_json(const struct run *run) {
  json_t *start = json_array(), *deepest = json_array(), *mean = json_array(),
         *lanes = json_array();
  FILE *in = fopen(run->timeline_path, "r");
  char line[400];
  while (in && fgets(line, sizeof line, in)) {
    unsigned long long cycle, deep, packets, bytes, waiting;
    double average;
    if (sscanf(line, "%llu %llu %lf %llu %llu %llu", &cycle, &deep, &average, &packets, &bytes,
               &waiting) != 6)
      continue;
    json_array_append_new(start, json_integer((json_int_t)cycle));
    json_array_append_new(deepest, json_integer((json_int_t)deep));
    json_array_append_new(mean, json_real(average));
    json_array_append_new(lanes, json_integer((json_int_t)waiting));
  }
  if (in) fclose(in);
  return json_pack("{s:o s:o s:o s:o}", "cycle", start, "deepest", deepest, "mean", mean, "lanes",
                   lanes);
}

static json_t *programs_json(const struct run *run) {
  json_t *list = json_array();
  for (unsigned i = 0; i < run->modules.count; i++)
    json_array_append_new(list, json_string(run->modules.items[i].image.program));
  return list;
}

// NULL: out of memory. Without a report (--read): the packets alone.
static json_t *about(const struct run *run, const json_t *report) {
  json_t *object = json_object();
  if (!report) return object;
  const struct sluice_config *c = run->config;
  json_t *figures = json_copy((json_t *)(uintptr_t)report);
  json_object_del(figures, "state");
  json_object_set_new(object, "chip", json_string(c->name));
  json_object_set_new(object, "programs", programs_json(run));
  SLUICE_JSON_INTS(object, ("pipes", c->NumPipes), ("ports", c->NumPorts));
  json_object_set_new(object, "line_rate", json_real(run_line_rate(run)));
  json_object_set_new(object, "verdict", printed(print_verdict, run, report));
  json_object_set_new(object, "said", printed(run_print_report, run, report));
  json_object_set_new(object, "timeline", timeline_json(run));
  json_object_set_new(object, "report", figures);
  return object;
}

int run_write_view(struct run *run, const json_t *report) {
  const bool standard = strcmp(run->view, "-") == 0;
  FILE *out = standard ? stdout : fopen(run->view, "w");
  json_t *object = about(run, report);
  if (!run->page) run->page = view_open();
  bool good = out && object && run->page && view_write(run->page, object, out);
  if (out && !standard && fclose(out) != 0) good = false;
  if (!out) cli_error("cannot write '%s': %s", run->view, strerror(errno));
  else if (!good) cli_error("cannot write '%s': disk or memory full?", run->view);
  json_decref(object);
  return good ? CLI_DONE : CLI_WORLD;
}
