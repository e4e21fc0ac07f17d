// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <string.h>

#include "../base/json.h"
#include "../base/layouts.h"

// ---- packets ------------------------------------------------------------------------------------

struct report_fates report_fates_of(const uint64_t drops[SLUICE_NUM_DROPS], uint64_t delivered,
                                    uint64_t undelivered, uint64_t egress, uint64_t inside) {
  return (struct report_fates){
      .delivered = delivered,
      .lost = drops[SLUICE_DROP_LANE_FULL] + drops[SLUICE_DROP_BUFFER_FULL] +
              drops[SLUICE_DROP_OVERLOAD] + drops[SLUICE_DROP_RATE] + drops[SLUICE_DROP_GAVE_WAY] +
              undelivered + inside,
      .discarded = drops[SLUICE_DROP_DISCARD_FRONT] + drops[SLUICE_DROP_DISCARD_BACK] +
                   drops[SLUICE_DROP_NO_DEST] + egress,
      .refused = drops[SLUICE_DROP_NOT_READY] + drops[SLUICE_DROP_MALFORMED] +
                 drops[SLUICE_DROP_OVERSIZED] + drops[SLUICE_DROP_NO_VLAN] +
                 drops[SLUICE_DROP_UNKNOWN_MODULE] + drops[SLUICE_DROP_RECONFIG] +
                 drops[SLUICE_DROP_BITMAP] + drops[SLUICE_DROP_PROTOCOL] +
                 drops[SLUICE_DROP_FORBIDDEN] + drops[SLUICE_DROP_ROUNDS],
      .lost_copies = drops[SLUICE_DROP_OUTPUT_FULL]};
}

json_t *report_drops(const uint64_t drops[SLUICE_NUM_DROPS]) {
  json_t *object = json_object();
  for (unsigned reason = 1; reason < SLUICE_NUM_DROPS; reason++)
    if (drops[reason])
      sluice_json_set_int(object, sluice_value_name("DROP", reason), drops[reason]);
  return object;
}

void report_add_fates(json_t *to, const struct report_fates *f,
                      const uint64_t drops[SLUICE_NUM_DROPS]) {
  SLUICE_JSON_INTS(to, ("delivered", f->delivered), ("lost", f->lost),
                   ("lost_copies", f->lost_copies), ("discarded", f->discarded),
                   ("refused", f->refused));
  sluice_json_set(to, "drops", report_drops(drops));
}

// ---- state --------------------------------------------------------------------------------------

static json_t *list_of(const uint32_t *words, unsigned num) {
  json_t *list = json_array();
  for (unsigned n = 0; n < num; n++) sluice_json_add(list, json_integer((int32_t)words[n]));
  return list;
}

void report_words(json_t *to, const char *name, unsigned stage, int32_t initial,
                  const uint32_t *words, unsigned num, unsigned lanes) {
  json_t *values = lanes > 1 ? json_array() : list_of(words, num);
  for (unsigned l = 0; lanes > 1 && l < lanes; l++)
    sluice_json_add(values, list_of(words + (size_t)l * num, num));
  sluice_json_set(
      to, name,
      json_pack("{s:i s:i s:o}", "stage", (int)stage, "initial", (int)initial, "values", values));
}

void report_rows(json_t *to, const char *name, unsigned stage, const uint32_t *words, unsigned num,
                 unsigned width) {
  json_t *values = json_array();
  for (unsigned n = 0; n < num; n++)
    sluice_json_add(values, list_of(words + (size_t)n * width, width));
  sluice_json_set(to, name,
                  json_pack("{s:i s:i s:i s:o}", "stage", (int)stage, "initial", 0, "words",
                            (int)width, "values", values));
}

// ---- the list -----------------------------------------------------------------------------------

enum kind { TEXT, WHOLE, REAL, OBJECT, LIST };
static const struct {
  const char *name;
  enum kind kind;
} members[] = {
#define REPORT(NAME, KIND, RUNS, NOTE) {#NAME, KIND},
#include "../report.def"
};

static bool is_of_kind(const json_t *value, enum kind kind) {
  switch (kind) {
    case TEXT: return json_is_string(value);
    case WHOLE: return json_is_integer(value);
    case REAL: return json_is_number(value);
    case OBJECT: return json_is_object(value);
    case LIST: return json_is_array(value);
  }
  return false;
}

enum sluice_status report_check(const json_t *root, struct sluice_error *error) {
  const char *name;
  json_t *value;
  if (!json_is_object(root) || !json_object_get(root, "verdict"))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "not a report");
  json_object_foreach((json_t *)(uintptr_t)root, name, value) {
    size_t n = 0;
    while (n < sizeof members / sizeof *members && strcmp(members[n].name, name) != 0) n++;
    if (n == sizeof members / sizeof *members)
      return sluice_fail(error, SLUICE_ERR_FORMAT, "no member '%.60s' of a report is known", name);
    if (!is_of_kind(value, members[n].kind))
      return sluice_fail(error, SLUICE_ERR_FORMAT, "member '%s' is of another kind", name);
  }
  return SLUICE_OK;
}
