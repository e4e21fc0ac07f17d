// SPDX-License-Identifier: Apache-2.0
#include "job.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/layouts.h"

static enum sluice_status read_faults(struct job *job, const json_t *list, struct sluice_error *error) {
  size_t i;
  json_t *item;
  json_array_foreach(list, i, item) {
    const char *name = json_string_value(item);
    int f = name ? sluice_value_find("FAULT", name) : -1;
    if (f < 0)
      return sluice_fail(error, SLUICE_ERR_RANGE, "unknown fault '%s'", name ? name : "?");
    job->fault_mask |= UINT64_C(1) << f;
  }
  return SLUICE_OK;
}

static enum sluice_status read_modules(struct job *job, const json_t *list, struct sluice_error *error) {
  size_t i;
  json_t *item;
  json_array_foreach(list, i, item) {
    const char *image = json_string_value(json_object_get(item, "image"));
    json_int_t vid = json_integer_value(json_object_get(item, "vid"));
    if (job->num_modules == JOB_MAX_MODULES)
      return sluice_fail(error, SLUICE_ERR_FULL, "more than %d modules", JOB_MAX_MODULES);
    if (!image || vid < 0 || vid > 4095)
      return sluice_fail(error, SLUICE_ERR_FORMAT, "module %zu needs an image and a vid of 0 to 4095", i);
    struct job_module *m = &job->modules[job->num_modules++];
    m->vid = (unsigned)vid;
    m->rate = json_is_integer(json_object_get(item, "rate")) ? (int)json_integer_value(json_object_get(item, "rate")) : -1;
    m->set = (unsigned)json_integer_value(json_object_get(item, "set"));
    m->burst = (int)json_integer_value(json_object_get(item, "burst"));
    m->image = strdup(image);
    if (!m->image) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  }
  return SLUICE_OK;
}

static enum sluice_status read_segments(struct job *job, const json_t *list, struct sluice_error *error) {
  size_t i;
  json_t *item;
  json_array_foreach(list, i, item) {
    int stage, row, range;
    if (job->num_segments == JOB_MAX_SEGMENTS)
      return sluice_fail(error, SLUICE_ERR_FULL, "more than %d segments", JOB_MAX_SEGMENTS);
    if (json_unpack(item, "{s:i s:i s:i}", "stage", &stage, "row", &row, "range", &range) || stage < 0 || row < 0 ||
        range < 0 || range > 65536)
      return sluice_fail(error, SLUICE_ERR_FORMAT, "segment %zu needs a stage, a row and a range", i);
    job->segments[job->num_segments++] = (struct job_segment){(unsigned)stage, (unsigned)row, (unsigned)range};
  }
  return SLUICE_OK;
}

static enum sluice_status read_all(struct job *job, const json_t *root, struct sluice_error *error) {
  const struct {
    const char *key;
    char **value;
  } paths[] = {{"config", &job->config},     {"capture", &job->capture},   {"control", &job->control},
               {"out", &job->out},           {"report", &job->report},     {"timeline", &job->timeline},
               {"accesses", &job->accesses}, {"trace", &job->trace},
               {"schedule", &job->schedule}};
  for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++) {
    const char *text = json_string_value(json_object_get(root, paths[i].key));
    if (text && !(*paths[i].value = strdup(text))) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  }
  if (!job->config || !job->report)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "a job needs 'config' and 'report'");

  const struct {
    const char *key;
    double *value, low, high;
  } numbers[] = {{"load", &job->load, 0.001, 1.0},
                 {"stall", &job->stall, 0.0, 0.999},
                 {"malformed", &job->malformed, 0.0, 1.0},
                 {"ns_per_cycle", &job->ns_per_cycle, 0.001, 1e9}};
  for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    const json_t *v = json_object_get(root, numbers[i].key);
    if (!v) continue;
    *numbers[i].value = json_number_value(v);
    if (!json_is_number(v) || *numbers[i].value < numbers[i].low || *numbers[i].value > numbers[i].high)
      return sluice_fail(error, SLUICE_ERR_RANGE, "'%s' must be a number from %g to %g", numbers[i].key,
                         numbers[i].low, numbers[i].high);
  }

  const json_t *settings = json_object_get(root, "settings");
  const struct {
    const char *key;
    int *value;
  } ints[] = {{"pace", &job->pace},
              {"brake", &job->brake},
              {"lane_limit", &job->lane_limit},
              {"output_limit", &job->output_limit},
              {"mode", &job->mode},
              {"ecn_queue", &job->ecn_queue},
              {"ecn_lane", &job->ecn_lane},
              {"pin", &job->pin},
              {"sets", &job->sets},
              {"move_period", &job->move_period},
              {"move_least", &job->move_least}};
  for (unsigned i = 0; i < sizeof ints / sizeof ints[0]; i++) {
    const json_t *v = json_object_get(settings, ints[i].key);
    if (v) *ints[i].value = (int)json_integer_value(v);
  }

  const char *pace_by = json_string_value(json_object_get(root, "pace_by"));
  const char *lanes = json_string_value(json_object_get(root, "lanes"));
  job->by_time = pace_by && strcmp(pace_by, "time") == 0;
  job->hash_lanes = lanes && strcmp(lanes, "hash") == 0;
  job->seed = (uint64_t)json_integer_value(json_object_get(root, "seed"));
  job->packets = (uint64_t)json_integer_value(json_object_get(root, "packets"));
  job->recirculate = (unsigned)json_integer_value(json_object_get(root, "recirculate"));
  const json_t *last_offered = json_object_get(root, "last_offered");
  if (last_offered) job->last_offered = json_integer_value(last_offered);
  job->max_cycles = (uint64_t)json_integer_value(json_object_get(root, "max_cycles"));
  job->trace_packets = (unsigned)json_integer_value(json_object_get(root, "trace_packets"));
  job->progress = json_is_true(json_object_get(root, "progress"));
  job->check_counters = !json_is_false(json_object_get(root, "check_counters"));
  enum sluice_status status = read_modules(job, json_object_get(root, "modules"), error);
  if (!status) status = read_segments(job, json_object_get(root, "segments"), error);
  return status ? status : read_faults(job, json_object_get(root, "faults"), error);
}

enum sluice_status job_load(struct job *job, const char *path, struct sluice_error *error) {
  *job = (struct job){.load = 1.0, .ns_per_cycle = 1.0, .pace = -1, .brake = -1, .lane_limit = -1, .output_limit = -1,
                      .mode = -1, .ecn_queue = -1, .ecn_lane = -1, .pin = -1, .sets = -1, .move_period = -1, .move_least = -1,
                      .last_offered = -1};
  json_error_t json_error;
  json_t *root = json_load_file(path, 0, &json_error);
  if (!root)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "cannot read job '%s': line %d: %s", path, json_error.line,
                       json_error.text);
  enum sluice_status status = read_all(job, root, error);
  json_decref(root);
  return status;
}

void job_release(struct job *job) {
  for (unsigned i = 0; i < job->num_modules; i++) free(job->modules[i].image);
  char *const paths[] = {job->config, job->capture,  job->control,  job->out,
                         job->report, job->timeline, job->accesses, job->trace,
                         job->schedule};
  for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++) free(paths[i]);
  *job = (struct job){0};
}
