// SPDX-License-Identifier: Apache-2.0
// Reading a policy. Nothing that is not known is passed over: a key with a typing error would be a
// limit that nobody keeps.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "../../base/files.h"
#include "../../base/json.h"
#include "../../base/text.h"
#include "policy.h"

enum { MOST_FILE = 1 << 20, FORMAT_VERSION = 1, MOST_PORT = 63 };

struct number {
  const char *key;
  size_t at;  // offset of an int
  int low, high;
};
static const struct number numbers[] = {
    {"rows", offsetof(struct policy_entry, rows), 0, 1024},
    {"stages", offsetof(struct policy_entry, stages), 0, SLUICE_MAX_STAGES},
    {"containers", offsetof(struct policy_entry, containers), 0, 24},
    {"state", offsetof(struct policy_entry, state), 0, 1 << 20},
    {"rate", offsetof(struct policy_entry, rate), 0, SLUICE_SHARE_RATE_MAX},
    {"burst", offsetof(struct policy_entry, burst), 0, SLUICE_SHARE_BURST_MAX},
    {"class", offsetof(struct policy_entry, number), 0, SLUICE_CLASSES_MAX - 1},
};
enum { NUM_NUMBERS = sizeof numbers / sizeof numbers[0] };

#define REFUSE(...) sluice_fail(error, SLUICE_ERR_FORMAT, __VA_ARGS__)

static enum sluice_status take_number(const char *where, const char *key, const json_t *value,
                                      int low, int high, int *to, struct sluice_error *error) {
  const json_int_t number = json_integer_value(value);
  if (!json_is_integer(value) || number < low || number > high)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%s: '%s' must be a whole number from %d to %d",
                       where, key, low, high);
  *to = (int)number;
  return SLUICE_OK;
}

static enum sluice_status take_flag(const char *where, const char *key, const json_t *value,
                                    bool *to, struct sluice_error *error) {
  if (!json_is_boolean(value)) return REFUSE("%s: '%s' must be true or false", where, key);
  *to = json_is_true(value);
  return SLUICE_OK;
}

static enum sluice_status take_ports(const char *where, const json_t *value,
                                     struct policy_entry *entry, struct sluice_error *error) {
  if (!json_is_array(value))
    return REFUSE("%s: 'ports' must be a list of numbers, as [0, 2, 3]", where);
  entry->some_ports = true;
  for (size_t i = 0; i < json_array_size(value); i++) {
    int port = 0;
    SLUICE_TRY(take_number(where, "ports", json_array_get(value, i), 0, MOST_PORT, &port, error));
    entry->ports |= UINT64_C(1) << port;
  }
  return SLUICE_OK;
}

static enum sluice_status take_vid(const char *where, const json_t *value,
                                   struct policy_entry *entry, struct sluice_error *error) {
  int vid = 0;
  if (json_is_string(value) && strcmp(json_string_value(value), "others") == 0) return SLUICE_OK;
  if (json_is_string(value)) return REFUSE("%s: 'vid' must be a VLAN id, or \"others\"", where);
  const enum sluice_status status = take_number(where, "vid", value, 1, 4094, &vid, error);
  entry->vid = (unsigned)vid;
  return status;
}

// "lane_rate": {"packets": 200, "beats": 500}, and what may come at once.
static enum sluice_status take_lane_rate(const char *where, const json_t *value,
                                         struct policy_entry *entry, struct sluice_error *error) {
  int packets = POLICY_UNSET, beats = SLUICE_LANE_RATE_MAX, packet_burst = SLUICE_LANE_RATE_PACKETS,
      beat_burst = SLUICE_LANE_RATE_BEATS;
  const struct {
    const char *key;
    int high, *to;
  } all[] = {{"packets", SLUICE_LANE_RATE_MAX, &packets},
             {"packet_burst", SLUICE_LANE_RATE_PACKETS_MAX, &packet_burst},
             {"beats", SLUICE_LANE_RATE_MAX, &beats},
             {"beat_burst", SLUICE_LANE_RATE_BEATS_MAX, &beat_burst}};
  char why[200];
  const char *key;
  json_t *number;
  if (!json_is_object(value)) return REFUSE("%s: 'lane_rate' is not a JSON object", where);
  if (!sluice_json_only(value, "packets packet_burst beats beat_burst", why, sizeof why))
    return REFUSE("%s: 'lane_rate': %s", where, why);
  json_object_foreach((json_t *)(uintptr_t)value, key, number) {
    size_t n = 0;
    while (strcmp(all[n].key, key) != 0) n++;
    SLUICE_TRY(take_number(where, key, number, 0, all[n].high, all[n].to, error));
  }
  if (packets == POLICY_UNSET) return REFUSE("%s: 'lane_rate' has no 'packets'", where);
  entry->limited = true;
  entry->lane = (struct sluice_lane_rate){(unsigned)packets, (unsigned)packet_burst,
                                          (unsigned)beats, (unsigned)beat_burst};
  return SLUICE_OK;
}

static enum sluice_status take_entry(const char *where, const json_t *from,
                                     struct policy_entry *entry, struct sluice_error *error) {
  static const char known[] =
      "vid ports lane_rate trusted rows stages containers state rate burst class";
  char why[200];
  const char *key;
  json_t *value;
  *entry = (struct policy_entry){0};
  for (size_t n = 0; n < NUM_NUMBERS; n++)
    *(int *)(void *)((char *)entry + numbers[n].at) = POLICY_UNSET;
  if (!json_is_object(from)) return REFUSE("%s is not a JSON object", where);
  if (!json_object_get(from, "vid")) return REFUSE("%s: 'vid' is missing", where);
  if (!sluice_json_only(from, known, why, sizeof why)) return REFUSE("%s: %s", where, why);
  json_object_foreach((json_t *)(uintptr_t)from, key, value) {
    size_t n = 0;
    enum sluice_status status = SLUICE_OK;
    while (n < NUM_NUMBERS && strcmp(numbers[n].key, key) != 0) n++;
    if (n < NUM_NUMBERS)
      status = take_number(where, key, value, numbers[n].low, numbers[n].high,
                           (int *)(void *)((char *)entry + numbers[n].at), error);
    else if (strcmp(key, "vid") == 0) status = take_vid(where, value, entry, error);
    else if (strcmp(key, "ports") == 0) status = take_ports(where, value, entry, error);
    else if (strcmp(key, "lane_rate") == 0) status = take_lane_rate(where, value, entry, error);
    else if (strcmp(key, "trusted") == 0)
      status = take_flag(where, key, value, &entry->trusted, error);
    if (status) return status;
  }
  if (entry->burst != POLICY_UNSET && entry->rate == POLICY_UNSET)
    return REFUSE("%s: 'burst' needs a 'rate'", where);
  return SLUICE_OK;
}

static enum sluice_status take_modules(struct sluice_policy *policy, const json_t *list,
                                       struct sluice_error *error) {
  char where[260];
  if (!json_is_array(list)) return REFUSE("'%s': 'modules' must be a list", policy->name);
  if (json_array_size(list) > sizeof policy->entries / sizeof policy->entries[0])
    return sluice_fail(error, SLUICE_ERR_RANGE, "'%s': %zu modules, legal is up to %zu",
                       policy->name, json_array_size(list),
                       sizeof policy->entries / sizeof policy->entries[0]);
  for (size_t i = 0; i < json_array_size(list); i++) {
    struct policy_entry *entry = &policy->entries[policy->num];
    snprintf(where, sizeof where, "'%s': modules[%zu]", policy->name, i);
    SLUICE_TRY(take_entry(where, json_array_get(list, i), entry, error));
    for (unsigned n = 0; n < policy->num; n++)
      if (policy->entries[n].vid == entry->vid)
        return REFUSE("%s: has the vid of modules[%u]", where, n);
    policy->num++;
  }
  return SLUICE_OK;
}

// "class_weights": [4, 2, 1, 1], "class_ecn": [16, 0, 8]: of class 0, 1, ...
static enum sluice_status take_each(const char *where, const char *key, const json_t *value,
                                    int low, int high, unsigned each[SLUICE_CLASSES_MAX],
                                    unsigned *num, struct sluice_error *error) {
  if (!json_is_array(value) || json_array_size(value) == 0 ||
      json_array_size(value) > SLUICE_CLASSES_MAX)
    return REFUSE("%s: '%s' must be a list of 1 to %d numbers", where, key, SLUICE_CLASSES_MAX);
  for (size_t i = 0; i < json_array_size(value); i++) {
    int number = 0;
    SLUICE_TRY(take_number(where, key, json_array_get(value, i), low, high, &number, error));
    each[(*num)++] = (unsigned)number;
  }
  return SLUICE_OK;
}

// "class_strict": [0]: classes that go before the others.
static enum sluice_status take_strict(struct sluice_policy *policy, const char *where,
                                      const json_t *value, struct sluice_error *error) {
  if (!json_is_array(value))
    return REFUSE("%s: 'class_strict' must be a list of numbers, as [0]", where);
  for (size_t i = 0; i < json_array_size(value); i++) {
    int number = 0;
    SLUICE_TRY(take_number(where, "class_strict", json_array_get(value, i), 0,
                           SLUICE_CLASSES_MAX - 1, &number, error));
    policy->strict |= 1 << number;
  }
  return SLUICE_OK;
}

static enum sluice_status take_root(struct sluice_policy *policy, const json_t *root,
                                    struct sluice_error *error) {
  const char *key;
  json_t *value;
  char why[300];
  char where[210];
  snprintf(where, sizeof where, "'%s'", policy->name);
  if (!json_is_object(root) ||
      json_integer_value(json_object_get(root, "sluice_policy")) != FORMAT_VERSION)
    return REFUSE("%s is not a policy: 'sluice_policy' must be %d", where, FORMAT_VERSION);
  if (!sluice_json_only(
          root, "sluice_policy only_listed moves class_weights class_ecn class_strict modules", why,
          sizeof why))
    return REFUSE("%s: %s", where, why);
  json_object_foreach((json_t *)(uintptr_t)root, key, value) {
    enum sluice_status status = SLUICE_OK;
    if (strcmp(key, "sluice_policy") == 0) continue;
    if (strcmp(key, "only_listed") == 0)
      status = take_flag(where, key, value, &policy->only_listed, error);
    else if (strcmp(key, "moves") == 0)
      status = take_number(where, key, value, 0, 255, &policy->moves, error);
    else if (strcmp(key, "class_weights") == 0)
      status = take_each(where, key, value, 1, SLUICE_CLASS_WEIGHT_MAX, policy->weights,
                         &policy->num_weights, error);
    else if (strcmp(key, "class_ecn") == 0)
      status = take_each(where, key, value, 0, SLUICE_CLASS_ECN_MAX, policy->ecn, &policy->num_ecn,
                         error);
    else if (strcmp(key, "class_strict") == 0) status = take_strict(policy, where, value, error);
    else if (strcmp(key, "modules") == 0) status = take_modules(policy, value, error);
    if (status) return status;
  }
  return SLUICE_OK;
}

enum sluice_status sluice_policy_parse(struct sluice_policy **policy, const char *text, size_t len,
                                       const char *name, const struct sluice_alloc *alloc,
                                       struct sluice_error *error) {
  json_error_t json_error;
  *policy = sluice_zeroed(alloc, sizeof **policy);
  if (!*policy) return sluice_no_memory(error);
  if (alloc) (*policy)->alloc = *alloc;
  (*policy)->moves = POLICY_UNSET;
  sluice_text_clean((*policy)->name, sizeof(*policy)->name, name, false);
  json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &json_error);
  enum sluice_status status;
  if (root) status = take_root(*policy, root, error);
  else if (json_error_code(&json_error) == json_error_out_of_memory)
    status = sluice_no_memory(error);
  else status = REFUSE("'%s': line %d: %s", (*policy)->name, json_error.line, json_error.text);
  json_decref(root);
  if (!status) return SLUICE_OK;
  sluice_policy_close(*policy);
  *policy = NULL;
  return status;
}

enum sluice_status sluice_policy_open(struct sluice_policy **policy, const char *path,
                                      const struct sluice_alloc *alloc,
                                      struct sluice_error *error) {
  *policy = NULL;
  struct sluice_file file;
  SLUICE_TRY(sluice_file_read(&file, path, MOST_FILE - 1, alloc, error));
  const size_t mark = file.len >= 3 && memcmp(file.bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  const enum sluice_status status =
      sluice_policy_parse(policy, file.bytes + mark, file.len - mark, path, alloc, error);
  sluice_file_release(&file);
  return status;
}

void sluice_policy_close(struct sluice_policy *policy) {
  if (!policy) return;
  const struct sluice_alloc alloc = policy->alloc;
  sluice_resize(&alloc, policy, sizeof *policy, 0);
}
