// SPDX-License-Identifier: Apache-2.0
#include "shrink_events.h"

#include <stdlib.h>
#include <string.h>

#include "../base/files.h"

// ---- reading ------------------------------------------------------------------------------------

enum { MOST_MEGABYTES = 4096 };

enum sluice_status events_read(struct events_text *text, const char *path,
                               struct sluice_error *error) {
  struct sluice_file file = {0};
  *text = (struct events_text){0};
  SLUICE_TRY(sluice_text_read(&file, path, (size_t)MOST_MEGABYTES << 20, NULL, error));
  size_t num = 0;
  for (size_t i = 0; i < file.len; i++) num += file.bytes[i] == '\n';
  text->bytes = file.bytes;
  text->lines = malloc((num + 1) * sizeof *text->lines);
  if (!text->lines) {
    events_release(text);
    return sluice_no_memory(error);
  }
  for (char *at = file.bytes; at < file.bytes + file.len;) {
    char *const end = strchr(at, '\n');
    if (!end) break;  // whoever wrote it has died in it
    text->lines[text->num++] = at;
    *end = 0;
    at = end + 1;
  }
  return SLUICE_OK;
}

void events_release(struct events_text *text) {
  free(text->lines);
  free(text->bytes);
  *text = (struct events_text){0};
}

// ---- judging ------------------------------------------------------------------------------------

enum sluice_status events_judge(const struct events_text *text, const struct sluice_second *second,
                                struct events_verdict *verdict, struct sluice_error *error) {
  struct sluice_error why;
  struct sluice_replay *r = sluice_replay_open(second);
  enum sluice_status status = r ? SLUICE_OK : sluice_no_memory(error);
  *verdict = (struct events_verdict){0};
  for (size_t i = 0; !status && i < text->num; i++) {
    status = sluice_replay_line(r, text->lines[i], &why);
    if (status) sluice_fail(error, status, "line %zu: %.300s", i + 1, why.text);
    const struct sluice_checker *ck = sluice_replay_checker(r);
    if (ck && !verdict->line && sluice_checker_failed(ck)) verdict->line = i + 1;
  }
  if (!status && !sluice_replay_checker(r))
    status = sluice_fail(error, SLUICE_ERR_FORMAT, "no events: the file ends before 'chip NAME'");
  if (!status) {
    sluice_checker_report(sluice_replay_checker(r), &verdict->report);
    verdict->finished = sluice_replay_finished(r);
    verdict->events = sluice_replay_events(r);
  }
  sluice_replay_close(r);
  return status;
}

// ---- making it smaller --------------------------------------------------------------------------

struct smaller {
  struct events_text *text;
  const struct sluice_second *second;
  struct sluice_difference wanted;
  unsigned tries;
  char **kept;
};

static bool same(const struct sluice_difference *a, const struct sluice_difference *b) {
  return a->packet == b->packet && !strcmp(a->field, b->field) &&
         !strcmp(a->expected, b->expected) && !strcmp(a->got, b->got);
}

// Lines up to the difference and no further.
static bool differs(struct smaller *s) {
  struct events_verdict v;
  struct sluice_error error;
  s->tries--;
  if (events_judge(s->text, s->second, &v, &error) || !v.line || !same(&v.report.first, &s->wanted))
    return false;
  s->text->num = v.line;
  return true;
}

// Tries without lines first .. first + size - 1. Header lines stay.
static bool without(struct smaller *s, size_t first, size_t size) {
  struct events_text *t = s->text;
  const size_t num = t->num;
  memcpy(s->kept, t->lines, num * sizeof *t->lines);
  memmove(t->lines + first, t->lines + first + size, (num - first - size) * sizeof *t->lines);
  t->num -= size;
  if (differs(s)) return true;
  memcpy(t->lines, s->kept, num * sizeof *t->lines);
  t->num = num;
  return false;
}

enum sluice_status events_shrink(struct events_text *text, const struct sluice_second *second,
                                 unsigned tries, struct sluice_error *error) {
  enum { HEADER = 3 };
  struct events_verdict v;
  SLUICE_TRY(events_judge(text, second, &v, error));
  if (!v.line) return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "there is no difference");
  struct smaller s = {text, second, v.report.first, tries, NULL};
  text->num = v.line;
  s.kept = malloc(text->num * sizeof *s.kept);
  if (!s.kept) return sluice_no_memory(error);
  // What the harness compared by itself follows from all that was before: nothing can go.
  if (strncmp(text->lines[v.line - 1], "counter ", strlen("counter ")) == 0) s.tries = 0;
  for (size_t size = text->num / 2; size && s.tries; size /= 2)
    for (size_t at = HEADER; at + size <= text->num && s.tries;)
      if (!without(&s, at, size)) at += size;
  free(s.kept);
  return SLUICE_OK;
}
