// SPDX-License-Identifier: Apache-2.0
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/version.h>

#include "../control/schema.h"
#include "asked.h"

static enum sluice_status verb_hello(struct asked *a) {
  answer_text(a->answer, "sluice", sluice_version());
  answer_whole(a->answer, "protocol", CONTROL_PROTOCOL);
  answer_text(a->answer, "chip", live_config(a->live)->name);
  return SLUICE_OK;
}

// What does a form, in the order of control.def, and what takes time before.
static const struct form {
  enum sluice_status (*run)(struct asked *a);
  enum sluice_status (*begin)(struct asked *a);
} forms[] = {
#define CONTROL_FORM(VERB, KEY, RUN, BEGIN, ANSWER) {RUN, BEGIN},
#include "../control.def"
};

// With its "ok" first; `answer` is used up.
static json_t *finish(json_t *answer, const json_t *id, enum sluice_status status,
                      const char *error) {
  json_t *whole = json_object();
  answer_put(whole, "ok", json_boolean(status == SLUICE_OK));
  if (id && json_object_set(whole, "id", (json_t *)(uintptr_t)id)) answer_lost = true;
  if (status) {
    answer_text(whole, "status", control_status_word(status));
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
  unsigned form = 0;
  if (!r->status) r->status = control_check(r->request, &form, &r->asked.error);
  r->form = &forms[form];
  if (!r->status && r->form->begin) r->status = r->form->begin(&r->asked);
  return r;
}

void live_request_watch(const struct live_request *r, struct sluice_loop *loop) {
  const struct asked *a = &r->asked;
  if (r->status || (a->ready && a->ready(a))) sluice_loop_until(loop, 0);
  else if (!a->ready) asked_watch_making(a, loop);
}

bool live_request_waits(const struct live_request *r) { return !r->status && r->asked.ready; }

void live_request_drop(struct live_request *r) {
  if (!r) return;
  asked_drop_making(&r->asked);
  json_decref(r->asked.answer);
  json_decref(r->request);
  free(r);
}

bool live_answered(struct live_request *r, char **text, size_t *len) {
  const struct asked *a = &r->asked;
  if (!r->status && (!asked_made(&r->asked) || (a->ready && !a->ready(a)))) return false;
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
  struct sluice_loop loop = SLUICE_LOOP;
  struct live_request *r = live_ask(live, line, line_len);
  char *text = NULL;
  *len = 0;
  while (r && !live_answered(r, &text, len)) {
    live_request_watch(r, &loop);
    (void)sluice_loop_wait(&loop);
  }
  sluice_loop_close(&loop);
  return text;
}
