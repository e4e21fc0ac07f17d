// SPDX-License-Identifier: Apache-2.0
#include "results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static bool is_result(const json_t *line) {
  return json_is_string(json_object_get(line, plan_names[PLAN_ID])) &&
         json_is_object(json_object_get(line, "result"));
}

// Whether the line is of this run as the plan has it now.
static bool same_run(const json_t *line, const struct plan_run *run) {
  for (int i = 0; i < PLAN_FIELDS; i++) {
    const char *text = json_string_value(json_object_get(line, plan_names[i]));
    if (i == PLAN_PASSES) {
      if (json_integer_value(json_object_get(line, plan_names[i])) != atoi(run->field[i]))
        return false;
    } else if (strcmp(text ? text : "", run->field[i]) != 0) {
      return false;
    }
  }
  return true;
}

static bool take_line(struct results *r, json_t *line) {
  for (size_t i = 0; i < r->plan->count; i++) {
    if (!same_run(line, &r->plan->runs[i])) continue;
    if (r->of[i]) json_decref(r->of[i]);
    else r->count++;
    r->of[i] = line;
    return true;
  }
  return false;
}

static enum sluice_status read_file(struct results *r, FILE *in, struct sluice_error *error) {
  char *text = NULL;
  size_t room = 0, number = 0;
  ssize_t len;
  while ((len = getline(&text, &room, in)) >= 0) {
    number++;
    if (len == 1 && *text == '\n') continue;
    json_t *line = json_loadb(text, (size_t)len, JSON_REJECT_DUPLICATES, NULL);
    // A line without its end was cut, whatever it holds.
    if (!line || text[len - 1] != '\n' || !is_result(line)) {
      if (!r->damaged++) r->first_line = number;
      json_decref(line);
    } else if (!take_line(r, line)) {
      r->others++;
      json_decref(line);
    }
  }
  free(text);
  if (!ferror(in)) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot read '%s': %s", r->path, strerror(errno));
}

enum sluice_status results_open(struct results *r, const char *path, const struct plan *plan,
                                struct sluice_error *error) {
  *r = (struct results){.path = path, .plan = plan};
  r->of = calloc(plan->count + 1, sizeof(json_t *));
  if (!r->of) return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for results");
  FILE *in = fopen(path, "r");
  if (!in && errno == ENOENT) return SLUICE_OK;
  enum sluice_status status =
      in ? read_file(r, in, error)
         : sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", path, strerror(errno));
  if (in) fclose(in);
  if (status) results_close(r);
  return status;
}

// Behind a line that was cut a new one begins.
static bool begin_line(FILE *out) {
  if (fseek(out, 0, SEEK_END) != 0) return false;
  if (ftell(out) == 0) return true;
  if (fseek(out, -1, SEEK_END) != 0) return false;
  const int last = getc(out);
  return fseek(out, 0, SEEK_END) == 0 && (last == '\n' || putc('\n', out) != EOF);
}

static enum sluice_status append(const struct results *r, const json_t *line,
                                 struct sluice_error *error) {
  char *text = json_dumps(line, JSON_COMPACT);
  if (!text) return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for a result");
  FILE *out = fopen(r->path, "a+");
  bool good = out && begin_line(out) && fputs(text, out) >= 0 && putc('\n', out) != EOF;
  if (out && fclose(out) != 0) good = false;
  free(text);
  if (good) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", r->path, strerror(errno));
}

enum sluice_status results_put(struct results *r, size_t index, json_t *report,
                               struct sluice_error *error) {
  const struct plan_run *run = &r->plan->runs[index];
  json_t *line = json_object();
  bool bad = !line;
  for (int i = 0; i < PLAN_FIELDS; i++)
    bad |= json_object_set_new(line, plan_names[i],
                               i == PLAN_PASSES ? json_integer(atoi(run->field[i]))
                                                : json_string(run->field[i])) != 0;
  bad |= json_object_set_new(line, "result", report) != 0;
  enum sluice_status status =
      bad ? sluice_fail(error, SLUICE_ERR_NOMEM,
                        "no memory for the result of '%s', or a name in it is not UTF-8",
                        run->field[PLAN_ID])
          : append(r, line, error);
  if (status || !take_line(r, line)) json_decref(line);
  return status;
}

enum sluice_status results_add(struct results *r, size_t index, const char *file,
                               struct sluice_error *error) {
  json_error_t why;
  json_t *report = json_load_file(file, JSON_REJECT_DUPLICATES, &why);
  if (json_is_object(report)) return results_put(r, index, report, error);
  json_decref(report);
  return sluice_fail(error, SLUICE_ERR_FORMAT, "no report in '%s': %.120s", file,
                     report ? "no object" : why.text);
}

enum sluice_status results_merge(struct results *r, const char *path, struct sluice_error *error) {
  struct results from;
  enum sluice_status status = results_open(&from, path, r->plan, error);
  if (status) return status;
  for (size_t i = 0; !status && i < r->plan->count; i++)
    if (from.of[i]) {
      status = append(r, from.of[i], error);
      if (!status && take_line(r, from.of[i])) from.of[i] = NULL;
    }
  results_close(&from);
  return status;
}

void results_close(struct results *r) {
  for (size_t i = 0; r->of && i < r->plan->count; i++) json_decref(r->of[i]);
  free(r->of);
  r->of = NULL;
}
