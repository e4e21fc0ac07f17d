// SPDX-License-Identifier: Apache-2.0
// Reading and writing a job. Every key has its type and its range in job.def; nothing else is
// accepted.
#include "job.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/number.h"
#include "../base/text.h"
#include "../driver/chip/chip.h"
#include "../driver/image/image.h"
#include "../driver/wire/register.h"

enum kind {
  PATH,
  WORD,
  FLAG,
  REAL,
  WHOLE,
  BITS,
  COUNT,
  SMALL,
  SIGNED,
  ELSE,  // read by a function of its own
};

struct key {
  const char *name;
  enum kind kind;
  size_t at, size;  // of the member
  double low, high;
};

#define KEY(TYPE, KIND, NAME, LOW, HIGH) \
  { #NAME, KIND, offsetof(struct TYPE, NAME), sizeof((struct TYPE *)0)->NAME, LOW, HIGH }
#define OTHER(NAME) \
  { NAME, ELSE, 0, 0, 0, 0 }

static const struct key job_keys[] = {
    OTHER("sluice_job"),
#define JOB(KIND, NAME, IF_NOT_SAID, LEAST, MOST) KEY(job, KIND, NAME, LEAST, MOST),
#include "job.def"
    OTHER("updates"),    OTHER("cuts"),      OTHER("told"),    OTHER("every"),
    OTHER("class_ecn"),  OTHER("registers"), OTHER("pace_by"), OTHER("lanes"),
    OTHER("modules"),    OTHER("segments"),  OTHER("faults"),  OTHER("settings"),
};
static const struct key setting_keys[] = {
#define SETTING(NAME, REGISTER, LEAST, MOST) KEY(job_settings, COUNT, NAME, LEAST, MOST),
#include "job.def"
};
static const struct key module_keys[] = {
#define MODULE(KIND, NAME, IF_NOT_SAID, LEAST, MOST) KEY(job_module, KIND, NAME, LEAST, MOST),
#include "job.def"
};
static const struct key segment_keys[] = {
#define SEGMENT(KIND, NAME, IF_NOT_SAID, LEAST, MOST) KEY(job_segment, KIND, NAME, LEAST, MOST),
#include "job.def"
};
static const struct key update_keys[] = {
#define UPDATE(KIND, NAME, IF_NOT_SAID, LEAST, MOST) KEY(job_update, KIND, NAME, LEAST, MOST),
#include "job.def"
};
static const struct key cut_keys[] = {
#define CUT(KIND, NAME, IF_NOT_SAID, LEAST, MOST) KEY(job_cut, KIND, NAME, LEAST, MOST),
#include "job.def"
};

struct job job_fresh(void) {
  return (struct job){
      .set = job_settings_fresh(),
#define JOB(KIND, NAME, IF_NOT_SAID, LEAST, MOST) .NAME = IF_NOT_SAID,
#include "job.def"
  };
}
struct job_settings job_settings_fresh(void) {
  return (struct job_settings){
#define SETTING(NAME, REGISTER, LEAST, MOST) .NAME = -1,
#include "job.def"
  };
}
struct job_module job_module_fresh(void) {
  return (struct job_module){
#define MODULE(KIND, NAME, IF_NOT_SAID, LEAST, MOST) .NAME = IF_NOT_SAID,
#include "job.def"
  };
}

bool job_setting(const struct job_settings *settings, unsigned n, uint32_t *addr, int64_t *value) {
  static const uint32_t registers[] = {
#define SETTING(NAME, REGISTER, LEAST, MOST) REGISTER,
#include "job.def"
  };
  for (unsigned i = 0; i < sizeof registers / sizeof *registers; i++) {
    if (!registers[i] || n--) continue;
    *addr = registers[i];
    memcpy(value, (const char *)settings + setting_keys[i].at, sizeof *value);
    return true;
  }
  return false;
}

void job_settings_describe(const struct job_settings *settings, FILE *out) {
  fprintf(out, "settings:");
  for (size_t k = 0; k < sizeof setting_keys / sizeof *setting_keys; k++) {
    int64_t value;
    memcpy(&value, (const char *)settings + setting_keys[k].at, sizeof value);
    if (value >= 0) fprintf(out, " %s %lld", setting_keys[k].name, (long long)value);
  }
  fprintf(out, " (others as after reset)\n");
}

// ---- a module -----------------------------------------------------------------------------------

enum sluice_status job_module_plan(const struct job_module *m, const struct sluice_image *image,
                                   int64_t sets, struct sluice_plan *plan,
                                   struct sluice_error *error) {
  if (sets > 0) SLUICE_TRY(sluice_plan_set(plan, (unsigned)sets, m->set, error));
  sluice_plan_trust(plan, m->trusted);
  SLUICE_TRY(sluice_plan_add(plan, image, m->vid, error));
  if (m->rate >= 0)
    SLUICE_TRY(sluice_plan_share(plan, m->vid, (unsigned)m->rate, (unsigned)m->burst, error));
  if (m->lane_packets >= 0) {
    const struct sluice_lane_rate lane = {(unsigned)m->lane_packets, (unsigned)m->lane_packet_burst,
                                          (unsigned)m->lane_beats, (unsigned)m->lane_beat_burst};
    SLUICE_TRY(sluice_plan_lane_rate(plan, m->vid, &lane, error));
  }
  if (m->class >= 0) SLUICE_TRY(sluice_plan_class(plan, m->vid, (unsigned)m->class, error));
  if (m->ports != UINT64_MAX) SLUICE_TRY(sluice_plan_ports(plan, m->vid, m->ports, error));
  if (m->active) SLUICE_TRY(sluice_plan_active(plan, m->vid, true, error));
  return m->passes
             ? sluice_plan_recirculate(plan, m->vid, m->passes, m->pass_rate, m->pass_burst, error)
             : SLUICE_OK;
}

// ---- reading ------------------------------------------------------------------------------------

static enum sluice_status take_text(const struct key *key, const json_t *value, const char *where,
                                    const char **to, struct sluice_error *error) {
  const char *text = json_string_value(value);
  if (!text || strlen(text) != json_string_length(value))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "%s'%s' must be a text", where, key->name);
  *to = key->kind == PATH ? sluice_path_decode(text) : strdup(text);
  if (*to) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_FORMAT,
                     "%s'%s' must be a path, with %%NN for what is not ASCII", where, key->name);
}

static enum sluice_status take_bits(const struct key *key, const json_t *value, const char *where,
                                    uint64_t *to, struct sluice_error *error) {
  const char *text = json_string_value(value);
  if (text && text[0] == '0' && text[1] == 'x' && sluice_number_in(text, 0, UINT64_MAX, to))
    return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_FORMAT, "%s'%s' must be a text as 0x3f", where, key->name);
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
      case BITS: status = take_bits(&keys[k], value, where, member, error); break;
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
    *m = job_module_fresh();
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
  SLUICE_TRY(list_of(root, "every", JOB_MAX_LANES, &list, error));
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
  SLUICE_TRY(list_of(root, "class_ecn", SLUICE_CLASSES_MAX, &list, error));
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
  if (!status && settings) status = TAKE(settings, setting_keys, "settings: ", &job->set, error);
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
  *job = job_fresh();
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

static void release_texts(const struct key *keys, size_t num, void *from) {
  for (size_t k = 0; k < num; k++) {
    if (keys[k].kind == PATH || keys[k].kind == WORD) {
      const char **text = (const char **)(void *)((char *)from + keys[k].at);
      free((void *)(uintptr_t)*text);
    }
  }
}

void job_release(struct job *job) {
  release_texts(job_keys, sizeof job_keys / sizeof *job_keys, job);
  for (unsigned i = 0; i < job->num_modules; i++)
    release_texts(module_keys, sizeof module_keys / sizeof *module_keys, &job->modules[i]);
  for (unsigned i = 0; i < job->num_registers; i++) free((void *)(uintptr_t)job->registers[i].name);
  free(job->updates);
  free(job->cuts);
  free(job->told);
  *job = (struct job){0};
}

// ---- writing ------------------------------------------------------------------------------------

// The members that are not as in `fresh` (of the same type).
static json_t *object_of(const struct key *keys, size_t num, const void *from, const void *fresh,
                         json_t *object) {
  for (size_t k = 0; k < num; k++) {
    const void *member = (const char *)from + keys[k].at;
    const char *name = keys[k].name;
    char bits[20];
    if (memcmp(member, (const char *)fresh + keys[k].at, keys[k].size) == 0) continue;
    switch (keys[k].kind) {
      case ELSE: break;
      case PATH: sluice_json_set_path(object, name, NULL, *(const char *const *)member); break;
      case WORD: sluice_json_set(object, name, json_string(*(const char *const *)member)); break;
      case FLAG: sluice_json_set(object, name, json_boolean(*(const bool *)member)); break;
      case REAL: sluice_json_set(object, name, json_real(*(const double *)member)); break;
      case BITS:
        snprintf(bits, sizeof bits, "0x%llx", (unsigned long long)*(const uint64_t *)member);
        sluice_json_set(object, name, json_string(bits));
        break;
      case WHOLE: sluice_json_set_int(object, name, *(const uint64_t *)member); break;
      case COUNT: sluice_json_set(object, name, json_integer(*(const int64_t *)member)); break;
      case SMALL: sluice_json_set_int(object, name, *(const unsigned *)member); break;
      case SIGNED: sluice_json_set(object, name, json_integer(*(const int *)member)); break;
    }
  }
  return object;
}
#define OBJECT(KEYS, FROM, FRESH) \
  object_of(KEYS, sizeof KEYS / sizeof KEYS[0], FROM, FRESH, json_object())

// A list, if there is something in it.
static void set_list(json_t *root, const char *name, json_t *list) {
  if (json_array_size(list)) sluice_json_set(root, name, list);
  else json_decref(list);
}

static json_t *numbers_of(const unsigned *numbers, unsigned num) {
  json_t *list = json_array();
  for (unsigned n = 0; n < num; n++) sluice_json_add(list, json_integer(numbers[n]));
  return list;
}

// Its name as --fault takes it.
static json_t *fault_of(unsigned fault) {
  const char *name = sluice_value_name("FAULT", fault);
  char text[64];
  size_t len = 0;
  for (; name[len] && len + 1 < sizeof text; len++) text[len] = (char)tolower(name[len]);
  return json_stringn(text, len);
}

static void set_lists(json_t *root, const struct job *job) {
  static const struct job_segment no_segment = {
      .stage = UINT32_MAX, .row = UINT32_MAX, .range = UINT32_MAX};
  static const struct job_update no_update = {.at = UINT64_MAX};
  static const struct job_cut no_cut = {.at = UINT64_MAX};
  struct job_module no_module = job_module_fresh();
  no_module.vid = UINT32_MAX;
  json_t *modules = json_array(), *segments = json_array(), *updates = json_array(),
         *cuts = json_array(), *told = json_array(), *faults = json_array(),
         *registers = json_array();
  for (unsigned i = 0; i < job->num_modules; i++)
    sluice_json_add(modules, OBJECT(module_keys, &job->modules[i], &no_module));
  for (unsigned i = 0; i < job->num_segments; i++)
    sluice_json_add(segments, OBJECT(segment_keys, &job->segments[i], &no_segment));
  for (size_t i = 0; i < job->num_updates; i++)
    sluice_json_add(updates, OBJECT(update_keys, &job->updates[i], &no_update));
  for (size_t i = 0; i < job->num_cuts; i++)
    sluice_json_add(cuts, OBJECT(cut_keys, &job->cuts[i], &no_cut));
  for (size_t i = 0; i < job->num_told; i++)
    sluice_json_add(
        told, json_pack("[I, I]", (json_int_t)job->told[i].first, (json_int_t)job->told[i].last));
  for (unsigned f = 0; f < 64; f++)
    if (job->fault_mask >> f & 1) sluice_json_add(faults, fault_of(f));
  for (unsigned i = 0; i < job->num_registers; i++)
    sluice_json_add(registers, json_string(job->registers[i].name));
  unsigned lanes = JOB_MAX_LANES;
  while (lanes && !job->every[lanes - 1]) lanes--;
  set_list(root, "modules", modules);
  set_list(root, "segments", segments);
  set_list(root, "updates", updates);
  set_list(root, "cuts", cuts);
  set_list(root, "told", told);
  set_list(root, "faults", faults);
  set_list(root, "registers", registers);
  set_list(root, "every", numbers_of(job->every, lanes));
  set_list(root, "class_ecn", numbers_of(job->class_ecn, job->num_class_ecn));
}

enum sluice_status job_save(const struct job *job, const char *path, struct sluice_error *error) {
  const struct job fresh = job_fresh();
  json_t *root = json_pack("{s:i}", "sluice_job", JOB_VERSION);
  object_of(job_keys, sizeof job_keys / sizeof *job_keys, job, &fresh, root);
  sluice_json_set(root, "pace_by", json_string(job->by_time ? "time" : "line"));
  sluice_json_set(root, "lanes", json_string(job->hash_lanes ? "hash" : "spread"));
  sluice_json_set(root, "settings", OBJECT(setting_keys, &job->set, &fresh.set));
  set_lists(root, job);
  const enum sluice_status status = sluice_json_save(root, JSON_INDENT(2), path, error);
  json_decref(root);
  return status;
}
