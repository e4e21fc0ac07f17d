// SPDX-License-Identifier: Apache-2.0
// Stories of a run: the simulator's notes in, stories with the names of the source out, by number;
// and those of an earlier run.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/number.h"
#include "run.h"

/// Packets by number.
struct notes {
  json_t **list;
  size_t num, room;
};

static uint64_t number_of(const json_t *story) {
  return (uint64_t)json_integer_value(json_object_get(story, "packet"));
}

static int by_number(const void *a, const void *b) {
  return story_compare(*(json_t *const *)a, *(json_t *const *)b);
}

static void release(struct notes *notes) {
  for (size_t i = 0; i < notes->num; i++) json_decref(notes->list[i]);
  free(notes->list);
}

static bool add(void *user, json_t *one) {
  struct notes *notes = user;
  if (notes->num == notes->room) {
    const size_t room = notes->room ? 2 * notes->room : 64;
    json_t **grown = realloc(notes->list, room * sizeof(json_t *));
    if (!grown) {
      json_decref(one);
      cli_error("out of memory");
      return false;
    }
    notes->list = grown;
    notes->room = room;
  }
  notes->list[notes->num++] = one;
  return true;
}

// A line for each packet. `take` gets each, to keep or to free.
static bool read_notes(const char *path, bool (*take)(void *user, json_t *one), void *user) {
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
  char *line = NULL;
  size_t room = 0, number = 0;
  bool good = file != NULL;
  if (!good) cli_error("cannot read '%s': %s", path, strerror(errno));
  while (good && getline(&line, &room, file) > 0) {
    json_error_t error;
    json_t *one = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    number++;
    good = json_is_integer(json_object_get(one, "packet"));
    if (good) {
      good = take(user, one);
    } else {
      cli_error("'%s': line %zu is no story of a packet", path, number);
      json_decref(one);
    }
  }
  free(line);
  if (file && file != stdin) fclose(file);
  return good;
}

static bool load(struct notes *notes, const char *path) {
  if (!read_notes(path, add, notes)) return false;
  if (notes->num) qsort(notes->list, notes->num, sizeof(json_t *), by_number);
  return true;
}

static bool put(FILE *out, const json_t *story, bool as_json, bool first) {
  if (as_json) {
    const bool good = json_dumpf(story, out, JSON_COMPACT) == 0;
    fputc('\n', out);
    return good;
  }
  if (!first && !story_round(story)) fputc('\n', out);
  story_print(out, story);
  return true;
}

// Which of several packets is the one that comes in as bytes of hexadecimal digits.
static size_t from_hex(const char *text, uint8_t *bytes, size_t room) {
  size_t len = 0;
  for (; text && text[2 * len] && len < room; len++) {
    uint64_t byte;
    if (!sluice_hex_digits(text + 2 * len, 2, &byte)) break;
    bytes[len] = (uint8_t)byte;
  }
  return len;
}

int run_read_stories(struct run *run) {
  static uint8_t frame[65536];
  struct notes notes = {0};
  int code = load(&notes, run->read) ? CLI_DONE : CLI_WORLD;
  size_t shown = 0;
  bool wanted = false;
  for (size_t i = 0; code == CLI_DONE && i < notes.num; i++) {
    const json_t *in = json_object_get(notes.list[i], "in");
    const size_t captured =
        from_hex(json_string_value(json_object_get(in, "frame")), frame, sizeof frame);
    const size_t len = (size_t)json_integer_value(json_object_get(in, "len"));
    // Further passes are wanted as the first one, however the packet looks then.
    if (!story_round(notes.list[i]))
      wanted = story_select_has(&run->select, number_of(notes.list[i]), frame, captured, len);
    if (!wanted) continue;
    const bool good = run->view ? run_view_add(run, notes.list[i])
                                : put(stdout, notes.list[i], run->json, !shown);
    shown++;
    if (!good) code = CLI_WORLD;
  }
  if (code == CLI_DONE && !shown) {
    cli_error("'%s': none of these packets", run->read);
    code = CLI_NO;
  }
  release(&notes);
  if (code == CLI_DONE && run->view) code = run_write_view(run, NULL);
  return code;
}

static FILE *open_stories(const struct run *run) {
  FILE *out = strcmp(run->stories, "-") == 0 ? stdout : fopen(run->stories, "w");
  if (!out) cli_error("cannot write '%s': %s", run->stories, strerror(errno));
  return out;
}

static const struct sluice_image *image_of(void *user, unsigned vid) {
  const struct cli_modules *modules = user;
  for (unsigned i = 0; i < modules->count; i++)
    if (modules->items[i].vid == vid) return &modules->items[i].image;
  return NULL;
}

/// For stories that only the page gets.
struct telling {
  struct run *run;
  const struct sluice_plan *plan;
};

static bool tell_page(void *user, json_t *one) {
  struct telling *t = user;
  json_t *story = story_tell(one, image_of, &t->run->modules, t->plan);
  const bool good = story && run_view_add(t->run, story);
  json_decref(story);
  json_decref(one);
  if (!good) cli_error("out of memory");
  return good;
}

int run_tell(struct run *run) {
  struct notes notes = {0};
  struct sluice_plan plan;
  struct sluice_error error;
  int code = CLI_DONE;
  FILE *file = run->stories ? open_stories(run) : NULL;
  if (run->stories && !file) return CLI_WORLD;
  sluice_plan_init(&plan, run->config);
  if (run->modules.pin) sluice_plan_pin(&plan, run->modules.pin_pipe);
  if (cli_modules_plan(&run->modules, &plan, &error)) {
    cli_error("%s", error.text);
    code = CLI_WORLD;
  }
  // The page alone needs them in no order, and there may be many.
  struct telling telling = {run, &plan};
  const bool page_alone = run->view && !run->stories && !run->tracing;
  if (code == CLI_DONE && !(page_alone ? read_notes(run->stories_path, tell_page, &telling)
                                       : load(&notes, run->stories_path)))
    code = CLI_WORLD;
  for (size_t i = 0; code == CLI_DONE && i < notes.num; i++) {
    json_t *story = story_tell(notes.list[i], image_of, &run->modules, &plan);
    bool good = story != NULL;
    if (good && file) good = put(file, story, true, true);
    if (good && run->view) good = run_view_add(run, story);
    if (good && run->tracing && !run->view) good = put(stdout, story, run->json, i == 0);
    json_decref(story);
    if (good) continue;
    cli_error("cannot write all stories");
    code = CLI_WORLD;
  }
  if (file && file != stdout && fclose(file) != 0) {
    cli_error("cannot write '%s': %s", run->stories, strerror(errno));
    code = CLI_WORLD;
  }
  if (code == CLI_DONE && run->tracing && !notes.num) {
    cli_error("none of these packets came in");
    code = CLI_NO;
  }
  release(&notes);
  sluice_plan_release(&plan);
  return code;
}

bool run_note(struct run *run, uint64_t number, const uint8_t *bytes, size_t len) {
  const bool wanted = run->stories || (run->view && !run->tracing) ||
                      (run->tracing && story_select_has(&run->select, number, bytes, len, len));
  return !wanted || story_select_range(&run->told, number, number);
}

// A program, not a selection of packets: by its name, or because there is such a file.
static bool is_program(const char *item) {
  static const char *const ends[] = {".dom", ".json", ".ir"};
  const size_t len = strlen(item);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    if (len > strlen(ends[i]) && strcmp(item + len - strlen(ends[i]), ends[i]) == 0) return true;
  return strcmp(item, "-") == 0 || access(item, F_OK) == 0;
}

bool run_select(struct run *run, struct cli_list *rest) {
  unsigned programs = 0;
  bool some = false;
  for (unsigned i = 0; i < rest->count; i++) {
    if (is_program(rest->items[i])) rest->items[programs++] = rest->items[i];
    else if (!story_select_add(&run->select, rest->items[i])) return false;
    else some = true;
  }
  rest->count = programs;
  if (!some && !story_select_range(&run->select, 1, run->read ? INT64_MAX : 1)) return false;
  story_select_sort(&run->select);
  return true;
}
