// SPDX-License-Identifier: Apache-2.0
// The verb trace of ctl: stories of packets of a running switch, as they end.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../base/now.h"
#include "../base/number.h"
#include "cli.h"
#include "ctl.h"
#include "story.h"

enum { AT_ONCE = 1000, POLL_MS = 50, FRAME_MAX = 9216 };

// [COUNT] [FILTER...]: words of a filter may be several arguments.
static bool take_words(const struct cli_list *words, uint64_t *count, struct story_select *select) {
  unsigned at = 1;
  char filter[1000] = "";
  *count = 1;
  if (words->count > 1 && words->items[1][0] >= '0' && words->items[1][0] <= '9') {
    if (!sluice_number_in(words->items[1], 1, 1000000, count)) {
      cli_error("ctl trace: '%s' is not a count from 1 to 1000000", words->items[1]);
      return false;
    }
    at = 2;
  }
  for (; at < words->count; at++) {
    const size_t len = strlen(filter);
    if ((size_t)snprintf(filter + len, sizeof filter - len, "%s%s", len ? " " : "",
                         words->items[at]) >= sizeof filter - len) {
      cli_error("ctl trace: the filter is too long");
      return false;
    }
  }
  return !*filter || story_select_add(select, filter);
}

// Simulators keep the start of the frame, which is what filters look at.
static bool wanted(const struct story_select *select, const json_t *story) {
  uint8_t frame[FRAME_MAX];
  const json_t *in = json_object_get(story, "in");
  const char *text = json_string_value(json_object_get(in, "frame"));
  size_t len = 0;
  if (!story_select_looks(select)) return true;
  for (; text && text[2 * len] && len < sizeof frame; len++) {
    uint64_t byte;
    if (!sluice_hex_digits(text + 2 * len, 2, &byte)) break;
    frame[len] = (uint8_t)byte;
  }
  return story_select_has(select, (uint64_t)json_integer_value(json_object_get(story, "packet")),
                          frame, len, (size_t)json_integer_value(json_object_get(in, "len")));
}

/// Packets that were shown and go through the chip again.
struct going {
  uint64_t *list;
  size_t num, room;
};

static bool goes_on(struct going *going, uint64_t number) {
  if (going->num == going->room) {
    const size_t room = going->room ? 2 * going->room : 16;
    uint64_t *grown = realloc(going->list, room * sizeof *grown);
    if (!grown) return false;
    going->list = grown;
    going->room = room;
  }
  going->list[going->num++] = number;
  return true;
}

static bool is_back(struct going *going, uint64_t number) {
  for (size_t i = 0; i < going->num; i++) {
    if (going->list[i] != number) continue;
    going->list[i] = going->list[--going->num];
    return true;
  }
  return false;
}

static void print(const struct ctl_trace *t, const json_t *story, bool first) {
  if (t->json) {
    json_dumpf(story, stdout, JSON_COMPACT);
    putchar('\n');
  } else {
    if (!first && !story_round(story)) putchar('\n');
    story_print(stdout, story);
  }
  fflush(stdout);
}

// Asks for packets to come, as many as may be asked for at once if a filter chooses among them.
static int begin(const struct ctl_trace *t, uint64_t left, bool filter, uint64_t *asked) {
  *asked = filter || left > AT_ONCE ? AT_ONCE : left;
  json_t *request = json_pack("{s:s,s:I}", "do", "trace", "count", (json_int_t)*asked),
         *answer = NULL;
  const int code = request ? t->ask(t->user, request, &answer) : CLI_WORLD;
  json_decref(request);
  json_decref(answer);
  return code;
}

/// What is still to be shown: `count` packets, each with all its passes.
struct following {
  const struct ctl_trace *trace;
  const struct story_select *select;
  uint64_t count, shown, asked;  // shown: packets of which at least the first pass was
  struct going going;
  double last;  // when something was shown
};

static bool is_done(const struct following *f) { return f->shown == f->count && !f->going.num; }

// False: out of memory.
static bool take(struct following *f, const json_t *story) {
  const uint64_t number = (uint64_t)json_integer_value(json_object_get(story, "packet"));
  const bool again = story_round(story) != 0;
  if (!again && f->asked) f->asked--;
  if (again ? !is_back(&f->going, number) : f->shown == f->count || !wanted(f->select, story))
    return true;
  print(f->trace, story, !f->shown);
  f->shown += !again;
  f->last = sluice_now();
  return !story_goes_on(story) || goes_on(&f->going, number);
}

static int follow(const struct ctl_trace *t, uint64_t count, const struct story_select *select) {
  struct following f = {.trace = t, .select = select, .count = count, .last = sluice_now()};
  const json_t *story;
  json_t *request = json_pack("{s:s}", "do", "trace"), *answer;
  int code = request ? CLI_DONE : CLI_WORLD;
  while (code == CLI_DONE && !is_done(&f)) {
    size_t i;
    if (!f.asked && f.shown < count)
      code = begin(t, count - f.shown, story_select_looks(select), &f.asked);
    if (code == CLI_DONE) code = t->ask(t->user, request, &answer);
    if (code != CLI_DONE) break;
    json_array_foreach(json_object_get(answer, "stories"), i, story) if (!take(&f, story))
        code = CLI_WORLD;
    json_decref(answer);
    if (is_done(&f)) break;
    if (sluice_now() - f.last > t->patience) {
      cli_error("ctl trace: %s for %.1f s",
                f.shown ? "no more of these packets" : "none of these packets", t->patience);
      code = CLI_NO;
    }
    nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000}, NULL);
  }
  json_decref(request);
  free(f.going.list);
  return code;
}

int ctl_trace(const struct ctl_trace *trace, const struct cli_list *words) {
  struct story_select select = {0};
  uint64_t count;
  int code = CLI_USAGE;
  if (take_words(words, &count, &select)) code = follow(trace, count, &select);
  story_select_release(&select);
  return code;
}
