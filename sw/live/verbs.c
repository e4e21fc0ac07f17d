// SPDX-License-Identifier: Apache-2.0
#include "verbs.h"

#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "verbs_table.h"

static enum sluice_status verb_table(struct asked *a) {
  return live_table(a->chip, a->request, a->answer, &answer_lost, &a->error);
}

// Members that each verb knows, apart from "do" and "id" (which comes back in the answer).
static const struct verb {
  const char *name;
  enum sluice_status (*run)(struct asked *a);
  const char *members[8];
} verbs[] = {
    {"load", verb_load, {"vid", "image", "trust"}},
    {"update", verb_update, {"vid", "image", "trust", "modules"}},
    {"replace", verb_replace, {"vid", "image", "trust", "modules"}},
    {"remove", verb_remove, {"vid"}},
    {"list", verb_list, {NULL}},
    {"show", verb_show, {"vid", "table", "register"}},
    {"state", verb_state, {"vid", "array", "first", "count"}},
    {"cut", verb_cut, {"vids"}},
    {"counters", verb_counters, {NULL}},
    {"stages", verb_stages, {NULL}},
    {"set", verb_set, {"vid", "array", "first", "values", "register", "value", "table"}},
    {"param", verb_param, {"vid", "set"}},
    {"reaction", verb_reaction, {"vid", "name", "action", "image"}},
    {"set", verb_set, {"stage", "index", "bytes"}},
    {"group", verb_group, {"row", "ports"}},
    {"trace", verb_trace, {"count"}},
    {"event", verb_event, {"count"}},
    {"send", verb_send, {"bytes"}},
    {"table",
     verb_table,
     {"vid", "table", "changes", "text", "name", "clear", "in_order", "counters"}},
};
enum { NUM_VERBS = sizeof verbs / sizeof verbs[0] };

static bool knows(const char *verb, const char *member) {
  for (size_t v = 0; v < NUM_VERBS; v++)
    for (size_t m = 0; strcmp(verbs[v].name, verb) == 0 && m < 8 && verbs[v].members[m]; m++)
      if (strcmp(verbs[v].members[m], member) == 0) return true;
  return strcmp(member, "do") == 0 || strcmp(member, "id") == 0;
}

static enum sluice_status run(struct asked *a) {
  const char *name, *member;
  json_t *value;
  if (!json_is_object(a->request))
    return sluice_fail(&a->error, SLUICE_ERR_FORMAT, "a request is a JSON object, one a line");
  CHIP_TRY(asked_text(a, "do", &name));
  const struct verb *verb = NULL;
  for (size_t v = 0; v < NUM_VERBS && !verb; v++)
    if (strcmp(verbs[v].name, name) == 0) verb = &verbs[v];
  if (!verb)
    return sluice_fail(&a->error, SLUICE_ERR_FORMAT,
                       "'%.40s' is none of load, update, replace, remove, list, show, state, cut, "
                       "counters, stages, group, set, "
                       "param, table, reaction, trace, event, send",
                       name);
  json_object_foreach(
      (json_t *)(uintptr_t)a->request, member,
      value) if (!knows(name, member)) return sluice_fail(&a->error, SLUICE_ERR_FORMAT,
                                                          "'%s' has no member '%.40s'", name,
                                                          member);
  return verb->run(a);
}

static const char *status_word(enum sluice_status status) {
  switch (status) {
    case SLUICE_OK: break;
    case SLUICE_ERR_NOMEM: return "nomem";
    case SLUICE_ERR_IO: return "io";
    case SLUICE_ERR_FORMAT: return "format";
    case SLUICE_ERR_FOREIGN: return "foreign";
    case SLUICE_ERR_RANGE: return "range";
    case SLUICE_ERR_FULL: return "full";
    case SLUICE_ERR_DIFFERS: return "differs";
  }
  return "ok";
}

// With its "ok" first; `answer` is used up.
static json_t *finish(json_t *answer, const json_t *id, enum sluice_status status,
                      const char *error) {
  json_t *whole = json_object();
  answer_put(whole, "ok", json_boolean(status == SLUICE_OK));
  if (id && json_object_set(whole, "id", (json_t *)(uintptr_t)id)) answer_lost = true;
  if (status) {
    answer_text(whole, "status", status_word(status));
    answer_text(whole, "error", error);
  } else {
    if (json_object_update(whole, answer)) answer_lost = true;
  }
  json_decref(answer);
  if (!answer_lost) return whole;
  json_decref(whole);
  return NULL;
}

json_t *live_do(struct live *live, const json_t *request) {
  struct asked a = {
      .live = live, .chip = live_chip(live), .request = request, .answer = json_object()};
  answer_lost = false;
  const enum sluice_status status = run(&a);
  return finish(a.answer, json_object_get(request, "id"), status, a.error.text);
}

char *live_answer(struct live *live, const char *line, size_t line_len, size_t *len) {
  json_error_t where;
  json_t *request = json_loadb(line, line_len, JSON_REJECT_DUPLICATES, &where), *answer;
  char text_of[400];
  if (request) {
    answer = live_do(live, request);
  } else {
    answer_lost = false;
    snprintf(text_of, sizeof text_of, "no JSON: %.160s, at byte %d", where.text, where.position);
    answer = finish(json_object(), NULL, SLUICE_ERR_FORMAT, text_of);
  }
  json_decref(request);
  char *dump = answer ? json_dumps(answer, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
  json_decref(answer);
  *len = dump ? strlen(dump) : 0;
  return dump;
}
