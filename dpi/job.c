// SPDX-License-Identifier: Apache-2.0
// Reading a job. Every key that may stand in a list below has its type and its range there; nothing
// else is accepted.
#include "job.h"

#include <sluice/plan.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/layouts.h"
#include "base/text.h"
#include "driver/register.h"
#include "pins.h"

enum { MAX_VID = 4095, MAX_RATE = 256, MAX_BURST = 63 };

enum kind {
  PATH,   // char *, a path as sluice_path_encode writes it
  WORD,   // char *, a text
  FLAG,   // bool
  REAL,   // double
  WHOLE,  // uint64_t
  COUNT,  // int64_t, unsigned or int, all of them of at most 53 bits
  SMALL,
  SIGNED,
  ELSE,  // read by a function of its own
};

struct key {
  const char *name;
  enum kind kind;
  size_t at;  // offset of the member
  double low, high;
};

#define KEY(TYPE, KIND, NAME, LOW, HIGH) \
  { #NAME, KIND, offsetof(struct TYPE, NAME), LOW, HIGH }
#define OTHER(NAME) \
  { NAME, ELSE, 0, 0, 0 }

static const struct key job_keys[] = {
    OTHER("sluice_job"),
    KEY(job, WORD, config, 0, 0),
    KEY(job, PATH, capture, 0, 0),
    KEY(job, PATH, schedule, 0, 0),
    KEY(job, PATH, control, 0, 0),
    KEY(job, PATH, initial, 0, 0),
    KEY(job, PATH, updates_capture, 0, 0),
    KEY(job, PATH, marks_capture, 0, 0),
    OTHER("updates"),
    OTHER("cuts"),
    KEY(job, PATH, out, 0, 0),
    KEY(job, PATH, report, 0, 0),
    KEY(job, PATH, timeline, 0, 0),
    KEY(job, PATH, events, 0, 0),
    KEY(job, PATH, accesses, 0, 0),
    KEY(job, PATH, stories, 0, 0),
    KEY(job, FLAG, brief, 0, 0),
    OTHER("told"),
    OTHER("every"),
    OTHER("class_ecn"),
    KEY(job, REAL, load, 0.001, 1),
    KEY(job, REAL, stall, 0, 0.999),
    KEY(job, REAL, malformed, 0, 1),
    KEY(job, REAL, idle, 0, 0.999),
    KEY(job, REAL, ns_per_cycle, 0.001, 1e9),
    KEY(job, SMALL, recirculate, 0, 16),
    KEY(job, WHOLE, seed, 0, 9e15),
    KEY(job, WHOLE, packets, 0, 1e15),
    KEY(job, WHOLE, writes, 0, 1e9),
    KEY(job, SMALL, writes_break, 0, 3),
    KEY(job, WHOLE, max_cycles, 0, 9e15),
    KEY(job, COUNT, last_offered, -1, 9e15),
    KEY(job, FLAG, progress, 0, 0),
    KEY(job, FLAG, check_counters, 0, 0),
    KEY(job, FLAG, state, 0, 0),
    KEY(job, FLAG, spec, 0, 0),
    OTHER("registers"),
    OTHER("pace_by"),
    OTHER("lanes"),
    OTHER("modules"),
    OTHER("segments"),
    OTHER("faults"),
    OTHER("settings"),
};
// The highest value is what the register, or the image's pipeline, can hold.
static const struct key setting_keys[] = {
    KEY(job, SIGNED, pace, 0, 65535),
    KEY(job, SIGNED, brake, 0, 65535),
    KEY(job, SIGNED, lane_limit, 0, 8191),
    KEY(job, SIGNED, output_limit, 0, 2047),
    KEY(job, SIGNED, mode, 0, 127),
    KEY(job, SIGNED, ecn_queue, 0, 65535),
    KEY(job, SIGNED, ecn_lane, 0, 8191),
    KEY(job, SIGNED, pin, 0, 15),
    KEY(job, SIGNED, sets, 1, 16),
    KEY(job, SIGNED, move_period, 0, 65535),
    KEY(job, SIGNED, move_least, 0, 255),
    KEY(job, SIGNED, move_quota, 0, 255),
    KEY(job, COUNT, class_costs, 0, 4294967295.0),
    KEY(job, SIGNED, class_strict, 0, 255),
    KEY(job, SIGNED, merge_lanes, 0, 65535),
    KEY(job, SIGNED, merge_key, 0, 31),
    KEY(job, SIGNED, merge_idle, 0, 65535),
};
static const struct key module_keys[] = {
    KEY(job_module, PATH, image, 0, 0),
    KEY(job_module, SMALL, vid, 0, MAX_VID),
    KEY(job_module, SMALL, set, 0, 15),
    KEY(job_module, SIGNED, rate, 0, MAX_RATE),
    KEY(job_module, SIGNED, burst, 0, MAX_BURST),
    KEY(job_module, FLAG, trusted, 0, 0),
    KEY(job_module, FLAG, active, 0, 0),
    KEY(job_module, WORD, ports, 0, 0),
    KEY(job_module, SMALL, passes, 0, 255),
    KEY(job_module, SMALL, pass_rate, 0, 65535),
    KEY(job_module, SMALL, pass_burst, 0, 255),
    KEY(job_module, SIGNED, lane_packets, 0, SLUICE_LANE_RATE_MAX),
    KEY(job_module, SIGNED, lane_packet_burst, 0, SLUICE_LANE_RATE_PACKETS_MAX),
    KEY(job_module, SIGNED, lane_beats, 0, SLUICE_LANE_RATE_MAX),
    KEY(job_module, SIGNED, lane_beat_burst, 0, SLUICE_LANE_RATE_BEATS_MAX),
    KEY(job_module, SIGNED, class, 0, SLUICE_CLASSES_MAX - 1),
};
static const struct key segment_keys[] = {
    KEY(job_segment, SMALL, stage, 0, 27),
    KEY(job_segment, SMALL, row, 0, 63),
    KEY(job_segment, SMALL, range, 0, 65536),
};

static const struct key update_keys[] = {
    KEY(job_update, WHOLE, at, 0, 9e15),      KEY(job_update, SMALL, flip, 0, 4294967295.0),
    KEY(job_update, SMALL, bounces, 0, 1000), KEY(job_update, FLAG, hasty, 0, 0),
    KEY(job_update, SMALL, before, 0, 1e6),   KEY(job_update, SMALL, early, 0, 1e6),
    KEY(job_update, SMALL, after, 0, 1e6),
};

static const struct key cut_keys[] = {
    KEY(job_cut, WHOLE, at, 0, 9e15), KEY(job_cut, SMALL, rows, 0, 4294967295.0),
    KEY(job_cut, FLAG, wait, 0, 0),   KEY(job_cut, FLAG, home, 0, 0),
    KEY(job_cut, FLAG, read, 0, 0),   KEY(job_cut, FLAG, fill, 0, 0),
};

static enum sluice_status take_text(const struct key *key, const json_t *value, const char *where,
                                    char **to, struct sluice_error *error) {
  const char *text = json_string_value(value);
  if (!text || strlen(text) != json_string_length(value))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "%s'%s' must be a text", where, key->name);
  *to = key->kind == PATH ? sluice_path_decode(text) : strdup(text);
  if (*to) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_FORMAT,
                     "%s'%s' must be a path, with %%NN for what is not ASCII", where, key->name);
}

static enum sluice_status take_number(const struct key *key, const json_t *value, const char *where,
                                      void *to, struct sluice_error *error) {
  const bool real = key->kind == REAL;
  const double number = json_number_value(value);
  if (!(real ? json_is_number(value) : json_is_integer(value)) || number < key->low ||
      number > key->high)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%s'%s' must be a %snumber from %.15g to %.15g",
                       where, key->name, real ? "" : "whole ", key->low, key->high);
  const json_int_t whole = json_integer_value(value);
  switch (key->kind) {
    case REAL: *(double *)to = number; break;
    case WHOLE: *(uint64_t *)to = (uint64_t)whole; break;
    case COUNT: *(int64_t *)to = whole; break;
    case SMALL: *(unsigned *)to = (unsigned)whole; break;
    default: *(int *)to = (int)whole; break;
  }
  return SLUICE_OK;
}

// The names of all keys, with spaces between them.
static const char *names_of(const struct key *keys, size_t num_keys, char *text, size_t size) {
  size_t len = 0;
  text[0] = 0;
  for (size_t k = 0; k < num_keys && len < size; k++)
    len += (size_t)snprintf(text + len, size - len, "%s%s", k ? " " : "", keys[k].name);
  return text;
}

// All members of an object. `where` begins the messages: "module 2: ", or nothing.
static enum sluice_status take_object(const json_t *object, const struct key *keys, size_t num_keys,
                                      const char *where, void *to, struct sluice_error *error) {
  char names[900], why[300];
  const char *name;
  json_t *value;
  if (!json_is_object(object))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "%sis not a JSON object", where);
  if (!sluice_json_only(object, names_of(keys, num_keys, names, sizeof names), why, sizeof why))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "%s%s", where, why);
  json_object_foreach((json_t *)(uintptr_t)object, name, value) {
    size_t k = 0;
    while (strcmp(keys[k].name, name) != 0) k++;
    void *member = (char *)to + keys[k].at;
    enum sluice_status status = SLUICE_OK;
    switch (keys[k].kind) {
      case ELSE: break;
      case PATH:
      case WORD: status = take_text(&keys[k], value, where, member, error); break;
      case FLAG:
        if (!json_is_boolean(value))
          status =
              sluice_fail(error, SLUICE_ERR_FORMAT, "%s'%s' must be true or false", where, name);
        *(bool *)member = json_is_true(value);
        break;
      default: status = take_number(&keys[k], value, where, member, error); break;
    }
    if (status) return status;
  }
  return SLUICE_OK;
}
#define TAKE(OBJECT, KEYS, WHERE, TO, ERROR) \
  take_object(OBJECT, KEYS, sizeof KEYS / sizeof KEYS[0], WHERE, TO, ERROR)

// The list behind a key, of at most `most` elements; NULL: there is none.
static enum sluice_status list_of(const json_t *root, const char *key, size_t most,
                                  const json_t **list, struct sluice_error *error) {
  *list = json_object_get(root, key);
  if (*list && !json_is_array(*list))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s' must be a list", key);
  if (json_array_size(*list) > most)
    return sluice_fail(error, SLUICE_ERR_FULL, "more than %zu %s", most, key);
  return SLUICE_OK;
}

static enum sluice_status take_modules(struct job *job, const json_t *root,
                                       struct sluice_error *error) {
  const json_t *list;
  enum sluice_status status = list_of(root, "modules", JOB_MAX_MODULES, &list, error);
  for (size_t i = 0; !status && i < json_array_size(list); i++) {
    char where[32];
    struct job_module *m = &job->modules[job->num_modules++];
    const json_t *item = json_array_get(list, i);
    snprintf(where, sizeof where, "module %zu: ", i);
    *m = (struct job_module){.rate = -1,
                             .class = -1,
                             .lane_packets = -1,
                             .lane_packet_burst = -1,
                             .lane_beats = -1,
                             .lane_beat_burst = -1};
    status = TAKE(item, module_keys, where, m, error);
    if (!status && (!m->image || !json_object_get(item, "vid")))
      status = sluice_fail(error, SLUICE_ERR_FORMAT, "module %zu needs an image and a vid", i);
    if (!status && (m->rate < 0) != !json_object_get(item, "burst"))
      status = sluice_fail(error, SLUICE_ERR_FORMAT,
                           "module %zu: 'rate' and 'burst' belong together", i);
    const bool limited = m->lane_packets >= 0;
    if (!status && (limited != (m->lane_packet_burst >= 0) || limited != (m->lane_beats >= 0) ||
                    limited != (m->lane_beat_burst >= 0)))
      status = sluice_fail(error, SLUICE_ERR_FORMAT,
                           "module %zu: the four numbers of a rate at the lanes belong together",
                           i);
    if (!status && m->ports &&
        (m->ports[strspn(m->ports, "0123456789abcdefx")] || strlen(m->ports) > 18))
      status =
          sluice_fail(error, SLUICE_ERR_FORMAT, "module %zu: 'ports' must be a text as 0x3f", i);
  }
  return status;
}

static enum sluice_status take_segments(struct job *job, const json_t *root,
                                        struct sluice_error *error) {
  const json_t *list;
  enum sluice_status status = list_of(root, "segments", JOB_MAX_SEGMENTS, &list, error);
  for (size_t i = 0; !status && i < json_array_size(list); i++) {
    char where[32];
    const json_t *item = json_array_get(list, i);
    snprintf(where, sizeof where, "segment %zu: ", i);
    status = TAKE(item, segment_keys, where, &job->segments[job->num_segments++], error);
    if (!status && json_object_size(item) != sizeof segment_keys / sizeof segment_keys[0])
      status =
          sluice_fail(error, SLUICE_ERR_FORMAT, "segment %zu needs a stage, a row and a range", i);
  }
  return status;
}

static enum sluice_status take_updates(struct job *job, const json_t *root,
                                       struct sluice_error *error) {
  const json_t *list;
  const struct sluice_config *config = sluice_config_find(job->config);
  enum sluice_status status = list_of(root, "updates", JOB_MAX_UPDATES, &list, error);
  const size_t num = json_array_size(list);
  if (status || !num) return status;
  if (config && config->Banks < 2)
    return sluice_fail(error, SLUICE_ERR_RANGE, "chip '%s' has one bank: no updates", config->name);
  if (!job->updates_capture)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'updates' need 'updates_capture'");
  job->updates = calloc(num, sizeof *job->updates);
  if (!job->updates) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  while (!status && job->num_updates < num) {
    char where[32];
    snprintf(where, sizeof where, "update %zu: ", job->num_updates);
    status = TAKE(json_array_get(list, job->num_updates), update_keys, where,
                  &job->updates[job->num_updates], error);
    job->num_updates++;
  }
  return status;
}

static enum sluice_status take_cuts(struct job *job, const json_t *root,
                                    struct sluice_error *error) {
  const json_t *list;
  const struct sluice_config *config = sluice_config_find(job->config);
  enum sluice_status status = list_of(root, "cuts", JOB_MAX_CUTS, &list, error);
  const size_t num = json_array_size(list);
  if (status || !num) return status;
  if (config && !config->CutStages)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "chip '%s' has no stage with a shadow memory: no cuts", config->name);
  job->cuts = calloc(num, sizeof *job->cuts);
  if (!job->cuts) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  while (!status && job->num_cuts < num) {
    char where[32];
    snprintf(where, sizeof where, "cut %zu: ", job->num_cuts);
    status = TAKE(json_array_get(list, job->num_cuts), cut_keys, where, &job->cuts[job->num_cuts],
                  error);
    job->num_cuts++;
  }
  return status;
}

static enum sluice_status take_faults(struct job *job, const json_t *root,
                                      struct sluice_error *error) {
  const json_t *list;
  const struct sluice_config *config = job->config ? sluice_config_find(job->config) : NULL;
  enum sluice_status status = list_of(root, "faults", JOB_MAX_FAULTS, &list, error);
  for (size_t i = 0; !status && i < json_array_size(list); i++) {
    const char *name = json_string_value(json_array_get(list, i));
    const int f = name ? sluice_value_find("FAULT", name) : -1;
    if (f < 0) return sluice_fail(error, SLUICE_ERR_RANGE, "unknown fault '%s'", name ? name : "?");
    if (config && !config->TestFaults)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "chip '%s' is built without faults (TestFaults 0)", config->name);
    job->fault_mask |= UINT64_C(1) << f;
  }
  return status;
}

static enum sluice_status take_registers(struct job *job, const json_t *root,
                                         struct sluice_error *error) {
  const json_t *list;
  const struct sluice_config *config = sluice_config_find(job->config);
  enum sluice_status status = list_of(root, "registers", JOB_MAX_REGISTERS, &list, error);
  for (size_t i = 0; !status && i < json_array_size(list); i++) {
    const char *name = json_string_value(json_array_get(list, i));
    struct job_register *r = &job->registers[job->num_registers];
    if (!name || !config)
      return sluice_fail(error, SLUICE_ERR_FORMAT,
                         "'registers' must be names, of a chip that is known");
    status = sluice_register_parse(config, name, &r->addr, error);
    if (status) return status;
    r->name = strdup(name);
    if (!r->name) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
    job->num_registers++;
  }
  return status;
}

static enum sluice_status take_told(struct job *job, const json_t *root,
                                    struct sluice_error *error) {
  const json_t *list;
  enum sluice_status status = list_of(root, "told", JOB_MAX_TOLD, &list, error);
  const size_t num = json_array_size(list);
  if (status || !num) return status;
  job->told = calloc(num, sizeof *job->told);
  if (!job->told) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < num; i++) {
    const json_t *pair = json_array_get(list, i), *first = json_array_get(pair, 0),
                 *last = json_array_get(pair, 1);
    if (json_array_size(pair) != 2 || !json_is_integer(first) || !json_is_integer(last) ||
        json_integer_value(first) < 1 || json_integer_value(last) < json_integer_value(first) ||
        (i && (uint64_t)json_integer_value(first) <= job->told[i - 1].last))
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "'told' must be pairs of numbers [FIRST, LAST], from 1, sorted and apart");
    job->told[job->num_told++] =
        (struct job_told){(uint64_t)json_integer_value(first), (uint64_t)json_integer_value(last)};
  }
  return SLUICE_OK;
}

// Slow output lanes.
static enum sluice_status take_every(struct job *job, const json_t *root,
                                     struct sluice_error *error) {
  const json_t *list, *one;
  size_t i;
  const enum sluice_status status = list_of(root, "every", JOB_MAX_LANES, &list, error);
  if (status) return status;
  json_array_foreach(list, i, one) {
    const json_int_t cycles = json_integer_value(one);
    if (!json_is_integer(one) || cycles < 0 || cycles > JOB_MAX_EVERY)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "'every' must be cycles for each output lane, 0 to %d", JOB_MAX_EVERY);
    job->every[i] = (unsigned)cycles;
  }
  return SLUICE_OK;
}

// Thresholds of the classes in the output queues.
static enum sluice_status take_class_ecn(struct job *job, const json_t *root,
                                         struct sluice_error *error) {
  const json_t *list, *one;
  size_t i;
  const enum sluice_status status = list_of(root, "class_ecn", SLUICE_CLASSES_MAX, &list, error);
  if (status) return status;
  json_array_foreach(list, i, one) {
    const json_int_t packets = json_integer_value(one);
    if (!json_is_integer(one) || packets < 0 || packets > SLUICE_CLASS_ECN_MAX)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "'class_ecn' must be packets for each class, 0 to %d",
                         SLUICE_CLASS_ECN_MAX);
    job->class_ecn[i] = (unsigned)packets;
    job->num_class_ecn = (unsigned)i + 1;
  }
  return SLUICE_OK;
}

// One of two words; `second` is set if it is the second.
static enum sluice_status take_choice(const json_t *root, const char *key, const char *no,
                                      const char *yes, bool *second, struct sluice_error *error) {
  const json_t *value = json_object_get(root, key);
  const char *text = json_string_value(value);
  if (value && (!text || (strcmp(text, no) != 0 && strcmp(text, yes) != 0)))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s' must be \"%s\" or \"%s\"", key, no, yes);
  *second = text && strcmp(text, yes) == 0;
  return SLUICE_OK;
}

static enum sluice_status take_all(struct job *job, const json_t *root,
                                   struct sluice_error *error) {
  enum sluice_status status = TAKE(root, job_keys, "", job, error);
  const json_t *version = json_object_get(root, "sluice_job"),
               *settings = json_object_get(root, "settings");
  if (!status && (!json_is_integer(version) || json_integer_value(version) != JOB_VERSION))
    status = sluice_fail(error, SLUICE_ERR_FOREIGN,
                         "'sluice_job' must be %d, the version of the format", JOB_VERSION);
  if (!status && (!job->config || !job->report))
    status = sluice_fail(error, SLUICE_ERR_FORMAT, "a job needs 'config' and 'report'");
  if (!status && settings) status = TAKE(settings, setting_keys, "settings: ", job, error);
  if (!status) status = take_choice(root, "pace_by", "line", "time", &job->by_time, error);
  if (!status) status = take_choice(root, "lanes", "spread", "hash", &job->hash_lanes, error);
  if (!status) status = take_modules(job, root, error);
  if (!status) status = take_segments(job, root, error);
  if (!status) status = take_registers(job, root, error);
  if (!status) status = take_updates(job, root, error);
  if (!status) status = take_cuts(job, root, error);
  if (!status) status = take_told(job, root, error);
  if (!status) status = take_every(job, root, error);
  if (!status) status = take_class_ecn(job, root, error);
  return status ? status : take_faults(job, root, error);
}

enum sluice_status job_load(struct job *job, const char *path, struct sluice_error *error) {
  *job = (struct job){.load = 1.0,
                      .ns_per_cycle = 1.0,
                      .pace = -1,
                      .brake = -1,
                      .lane_limit = -1,
                      .output_limit = -1,
                      .mode = -1,
                      .ecn_queue = -1,
                      .ecn_lane = -1,
                      .pin = -1,
                      .sets = -1,
                      .move_period = -1,
                      .move_least = -1,
                      .move_quota = -1,
                      .class_costs = -1,
                      .class_strict = -1,
                      .merge_lanes = -1,
                      .merge_key = -1,
                      .merge_idle = -1,
                      .last_offered = -1,
                      .check_counters = true};
  json_error_t json_error;
  struct sluice_error why;
  json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &json_error);
  if (!root)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "cannot read job '%s': line %d: %s", path,
                       json_error.line, json_error.text);
  enum sluice_status status = take_all(job, root, &why);
  json_decref(root);
  return status ? sluice_fail(error, status, "job '%s': %.200s", path, why.text) : SLUICE_OK;
}

void job_release(struct job *job) {
  for (unsigned i = 0; i < job->num_modules; i++)
    free(job->modules[i].image), free(job->modules[i].ports);
  for (unsigned i = 0; i < job->num_registers; i++) free(job->registers[i].name);
  char *const paths[] = {job->config,   job->capture,         job->control,       job->out,
                         job->report,   job->timeline,        job->accesses,      job->stories,
                         job->schedule, job->updates_capture, job->marks_capture, job->initial,
                         job->events};
  for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++) free(paths[i]);
  free(job->updates);
  free(job->cuts);
  free(job->told);
  *job = (struct job){0};
}
