// SPDX-License-Identifier: Apache-2.0
#include "speed.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/status.h"
#include "process.h"

enum { PATH_LEN = PATH_MAX - 200, BUILD_SECONDS = 3600, PASSES = 100 };

static const struct variant {
  const char *config;
  unsigned stages, threads;
  bool profile;
} variants[] = {{"k4", 8, 1, false},  {"k4", 8, 1, true},  {"k4", 8, 2, false},
                {"b4", 16, 1, false}, {"b4", 16, 1, true}, {"b4", 16, 2, false}};

// The columns of the table, which are the names in a line, too.
static const char columns[] = "figure,config,stages,threads,profile,build_seconds,build_megabytes,"
                              "run_megabytes,cycles_per_second,packets_per_second,of_study,verdict";

static bool same(const json_t *line, const struct variant *v) {
  const char *config = json_string_value(json_object_get(line, "config"));
  return config && strcmp(config, v->config) == 0 &&
         json_integer_value(json_object_get(line, "threads")) == v->threads &&
         json_integer_value(json_object_get(line, "profile")) == v->profile;
}

// The line of a variant, or NULL. The caller owns it.
static json_t *find(const char *folder, const struct variant *v) {
  char path[PATH_MAX], *text = NULL;
  size_t room = 0;
  ssize_t len;
  json_t *found = NULL;
  snprintf(path, sizeof path, "%s/speed.jsonl", folder);
  FILE *in = fopen(path, "r");
  while (in && (len = getline(&text, &room, in)) >= 0) {
    json_t *line = json_loadb(text, (size_t)len, 0, NULL);
    if (!same(line, v)) {
      json_decref(line);
      continue;
    }
    json_decref(found);
    found = line;
  }
  free(text);
  if (in) fclose(in);
  return found;
}

static enum sluice_status append(const struct speed *s, json_t *line, struct sluice_error *error) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/speed.jsonl", s->folder);
  char *text = json_dumps(line, JSON_COMPACT);
  FILE *out = text ? fopen(path, "a") : NULL;
  bool good = out && fprintf(out, "%s\n", text) > 0;
  if (out && fclose(out) != 0) good = false;
  if (good) s->say(s->user, text);
  free(text);
  json_decref(line);
  if (good) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", path, strerror(errno));
}

static json_t *new_line(const struct variant *v) {
  return json_pack("{s:s,s:s,s:i,s:i,s:i}", "figure", "speed", "config", v->config, "stages",
                   (int)v->stages, "threads", (int)v->threads, "profile", (int)v->profile);
}

static int build(const struct variant *v, const char *dir, const char *log, double *seconds,
                 struct rusage *usage) {
  struct process_words *words = calloc(1, sizeof *words);
  if (!words) return 127;
  process_split(words, "make --no-print-directory");
  process_word(words, "BUILD=%s/build", dir);
  process_word(words, "THREADS=%u", v->threads);
  process_word(words, "PROFILE=%s", v->profile ? "1" : "");
  process_word(words, "%s/build/%s/sim", dir, v->config);
  const int code = process_run(words, log, log, BUILD_SECONDS, seconds, usage);
  free(words);
  return code;
}

static int study(const struct speed *s, const char *report, const char *log, double *seconds) {
  struct process_words *words = calloc(1, sizeof *words);
  if (!words) return 127;
  process_word(words, "%s", s->command);
  process_split(words, "study --chip b4 --json");
  process_word(words, "--repeat=%d", PASSES);
  process_word(words, "%s", s->flows);
  process_word(words, "%s", s->packets);
  const int code = process_run(words, report, log, 0, seconds, NULL);
  free(words);
  return code;
}

static int play(const struct speed *s, const struct variant *v, const char *dir, const char *report,
                const char *log, struct rusage *usage) {
  struct process_words *words = calloc(1, sizeof *words);
  if (!words) return 127;
  process_word(words, "%s", s->command);
  if (strcmp(v->config, "k4") == 0) {
    process_split(words, "run sw/programs/flowlet.dom --packets 64000 --size 64 --mix uniform");
  } else {
    process_split(words, "replay --repeat 10");
    process_word(words, "%s", s->flows);
    process_word(words, "%s", s->packets);
  }
  process_split(words, "--quiet --chip");
  process_word(words, "%s", v->config);
  process_split(words, "--sim");
  process_word(words, "%s/build/%s/sim", dir, v->config);
  process_split(words, "--report");
  process_word(words, "%s", report);
  const int code = process_run(words, log, log, 0, NULL, usage);
  free(words);
  return code;
}

static double rounded(double value, long parts) {
  return (double)(long long)(value * (double)parts + 0.5) / (double)parts;
}

static enum sluice_status measure(const struct speed *s, const struct variant *v,
                                  struct sluice_error *error) {
  char dir[PATH_LEN], log[PATH_MAX], run_report[PATH_MAX], study_report[PATH_MAX];
  snprintf(dir, sizeof dir, "%s/speed/%s-%u%s", s->folder, v->config, v->threads,
           v->profile ? "-profile" : "");
  mkdir(dir, 0777);
  snprintf(log, sizeof log, "%s/log", dir);
  snprintf(run_report, sizeof run_report, "%s/run.json", dir);
  snprintf(study_report, sizeof study_report, "%s/study.json", dir);
  double build_seconds, study_seconds;
  struct rusage built, ran;
  int code = build(v, dir, log, &build_seconds, &built);
  if (code == 124) {
    json_t *line = new_line(v);
    json_object_set_new(line, "verdict", json_sprintf("not built in %d s", BUILD_SECONDS));
    return append(s, line, error);
  }
  if (code == 0) code = study(s, study_report, log, &study_seconds);
  if (code == 0) code = play(s, v, dir, run_report, log, &ran);
  if (code) return sluice_fail(error, SLUICE_ERR_IO, "exit code %d, see '%s'", code, log);
  json_t *run = json_load_file(run_report, 0, NULL),
         *studied = json_load_file(study_report, 0, NULL);
  if (!run || !studied) {
    json_decref(run);
    json_decref(studied);
    return sluice_fail(error, SLUICE_ERR_FORMAT, "no report in '%s', see '%s'",
                       run ? study_report : run_report, log);
  }
  json_t *line = new_line(v);
  const double packets = json_number_value(json_object_get(studied, "packets")),
               rate = json_number_value(json_object_get(run, "simulated_packets_per_second"));
  json_object_set_new(line, "build_seconds", json_real(rounded(build_seconds, 100)));
  json_object_set_new(line, "build_megabytes", json_integer(built.ru_maxrss / 1024));
  json_object_set_new(line, "run_megabytes", json_integer(ran.ru_maxrss / 1024));
  json_object_set(line, "cycles_per_second", json_object_get(run, "simulated_cycles_per_second"));
  json_object_set_new(line, "packets_per_second", json_real(rate));
  json_object_set_new(line, "of_study",
                      json_real(rounded(rate / (packets / study_seconds), 10000)));
  json_object_set(line, "verdict", json_object_get(run, "verdict"));
  json_decref(run);
  json_decref(studied);
  return append(s, line, error);
}

enum sluice_status speed_measure(const struct speed *s, struct sluice_error *error) {
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s/speed", s->folder);
  mkdir(folder, 0777);
  enum sluice_status status = SLUICE_OK;
  for (size_t i = 0; !status && i < sizeof variants / sizeof *variants; i++) {
    json_t *line = find(s->folder, &variants[i]);
    if (!line) status = measure(s, &variants[i], error);
    json_decref(line);
  }
  return status;
}

void speed_table(struct sheet *sheet, const char *folder) {
  sheet_begin(sheet, columns);
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
    json_t *line = find(folder, &variants[i]);
    for (unsigned c = 0; line && c < sheet->columns; c++) {
      const json_t *cell = json_object_get(line, sheet->cells[c]);
      if (json_is_number(cell)) sheet_put_number(sheet, json_number_value(cell));
      else sheet_put(sheet, "%s", json_is_string(cell) ? json_string_value(cell) : "");
    }
    json_decref(line);
  }
}
