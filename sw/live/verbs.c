// SPDX-License-Identifier: Apache-2.0
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "asked.h"
#include "verbs_table.h"

static enum sluice_status verb_table(struct asked *a) {
  return live_table(a->chip, a->request, a->answer, &answer_lost, &a->error);
}

// A verb has one or several forms: the first whose `key` the request has, or has none, is meant.
// Each form knows its members, apart from "do" and "id" (which comes back in the answer).
// `begin`: what takes time before it can run, if it has such.
static const struct form {
  const char *name, *key;
  enum sluice_status (*run)(struct asked *a);
  enum sluice_status (*begin)(struct asked *a);
  const char *members[8];
} forms[] = {
    {"load", NULL, verb_load, begin_modules, {"vid", "image", "trust", "reactions"}},
    {"update",
     "modules",
     verb_update,
     begin_modules,
     {"modules", "trust", "reactions", "lossy", "check"}},
    {"update",
     NULL,
     verb_update,
     begin_modules,
     {"vid", "image", "trust", "reactions", "lossy", "check"}},
    {"replace", "modules", verb_replace, begin_modules, {"modules", "trust", "reactions"}},
    {"replace", NULL, verb_replace, begin_modules, {"vid", "image", "trust", "reactions"}},
    {"remove", NULL, verb_remove, NULL, {"vid"}},
    {"list", NULL, verb_list, NULL, {NULL}},
    {"show", "register", verb_show, NULL, {"register"}},
    {"show", NULL, verb_show, NULL, {"vid", "table"}},
    {"state", NULL, verb_state, NULL, {"vid", "array", "first", "count"}},
    {"cut", NULL, verb_cut, NULL, {"vids"}},
    {"counters", NULL, verb_counters, NULL, {NULL}},
    {"stages", NULL, verb_stages, NULL, {NULL}},
    {"group", NULL, verb_group, NULL, {"row", "ports"}},
    {"set", "register", verb_set, NULL, {"register", "value"}},
    {"set", "table", verb_set, NULL, {"vid", "table", "stage", "index", "bytes"}},
    {"set", NULL, verb_set, NULL, {"vid", "array", "first", "values"}},
    {"param", NULL, verb_param, NULL, {"vid", "set"}},
    {"table", "changes", verb_table, NULL, {"vid", "table", "changes", "in_order"}},
    {"table", "text", verb_table, NULL, {"vid", "table", "text", "name", "clear", "in_order"}},
    {"table", "counters", verb_table, NULL, {"vid", "table", "counters", "clear"}},
    {"table", NULL, verb_table, NULL, {"vid", "table"}},
    {"reaction",
     "image",
     verb_reaction,
     begin_reload,
     {"vid", "name", "action", "image", "reactions"}},
    {"reaction", NULL, verb_reaction, NULL, {"vid", "name", "action"}},
    {"trace", NULL, verb_trace, NULL, {"count"}},
    {"event", NULL, verb_event, NULL, {"count"}},
    {"send", NULL, verb_send, NULL, {"bytes"}},
};
enum { NUM_FORMS = sizeof forms / sizeof forms[0] };

static bool knows(const struct form *form, const char *member) {
  for (size_t m = 0; m < 8 && form->members[m]; m++)
    if (strcmp(form->members[m], member) == 0) return true;
  return strcmp(member, "do") == 0 || strcmp(member, "id") == 0;
}

// What is none is told with all that there are.
static enum sluice_status no_verb(struct asked *a, const char *name) {
  char list[300] = "";
  for (size_t f = 0; f < NUM_FORMS; f++) {
    const size_t len = strlen(list);
    if (f && strcmp(forms[f].name, forms[f - 1].name) == 0) continue;
    snprintf(list + len, sizeof list - len, "%s%s", f ? ", " : "", forms[f].name);
  }
  return sluice_fail(&a->error, SLUICE_ERR_FORMAT, "'%.40s' is none of %s", name, list);
}

// The form of a request, all of whose members it has.
static enum sluice_status form_of(struct asked *a, const struct form **form) {
  const char *name, *member;
  json_t *value;
  *form = NULL;
  if (!json_is_object(a->request))
    return sluice_fail(&a->error, SLUICE_ERR_FORMAT, "a request is a JSON object, one a line");
  CHIP_TRY(asked_text(a, "do", &name));
  for (size_t f = 0; f < NUM_FORMS && !*form; f++)
    if (strcmp(forms[f].name, name) == 0 && (!forms[f].key || asked_has(a, forms[f].key)))
      *form = &forms[f];
  if (!*form) return no_verb(a, name);
  json_object_foreach((json_t *)(uintptr_t)a->request, member, value) {
    if (knows(*form, member)) continue;
    if ((*form)->key)
      return sluice_fail(&a->error, SLUICE_ERR_FORMAT, "'%s' with '%s' has no member '%.40s'", name,
                         (*form)->key, member);
    return sluice_fail(&a->error, SLUICE_ERR_FORMAT, "'%s' has no member '%.40s'", name, member);
  }
  return SLUICE_OK;
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

// ---- a request that is served -------------------------------------------------------------------

struct live_request {
  struct asked asked;
  json_t *request;  // NULL: what came is none
  const struct form *form;
  enum sluice_status status;  // why it is not run
};

struct live_request *live_ask(struct live *live, const char *line, size_t len) {
  json_error_t where;
  struct live_request *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->request = json_loadb(line, len, JSON_REJECT_DUPLICATES, &where);
  r->asked = (struct asked){.live = live, .chip = live_chip(live), .request = r->request};
  answer_lost = false;
  if (!r->request)
    r->status = sluice_fail(&r->asked.error, SLUICE_ERR_FORMAT, "no JSON: %.160s, at byte %d",
                            where.text, where.position);
  if (!r->status) r->status = form_of(&r->asked, &r->form);
  if (!r->status && r->form->begin) r->status = r->form->begin(&r->asked);
  return r;
}

void live_request_drop(struct live_request *r) {
  if (!r) return;
  asked_drop_making(&r->asked);
  json_decref(r->asked.answer);
  json_decref(r->request);
  free(r);
}

bool live_answered(struct live_request *r, char **text, size_t *len) {
  if (!r->status && !asked_made(&r->asked)) return false;
  answer_lost = false;
  r->asked.answer = json_object();
  if (!r->status) r->status = r->form->run(&r->asked);
  json_t *answer =
      finish(r->asked.answer, json_object_get(r->request, "id"), r->status, r->asked.error.text);
  r->asked.answer = NULL;
  *text = answer ? json_dumps(answer, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
  *len = *text ? strlen(*text) : 0;
  json_decref(answer);
  live_request_drop(r);
  return true;
}

char *live_answer(struct live *live, const char *line, size_t line_len, size_t *len) {
  const struct timespec pause = {.tv_nsec = 2000000};
  struct live_request *r = live_ask(live, line, line_len);
  char *text = NULL;
  *len = 0;
  while (r && !live_answered(r, &text, len)) nanosleep(&pause, NULL);
  return text;
}
