// SPDX-License-Identifier: Apache-2.0
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "../base/json.h"

enum { MAX_NAMES = 64, NUM_CAUSES = 5 };

// In the order in which packets give the cycles held.
static const char *const causes[NUM_CAUSES] = {"pacing", "brake", "order_queue", "credit",
                                               "window"};

/// Names that packets refer to by index.
struct names {
  unsigned num;
  char *list[MAX_NAMES];
};

struct view {
  struct view_bytes bytes;  // of all packets, without the numbers
  struct view_texts *texts;
  struct names reasons, modules;
  struct place {
    uint64_t number, round;
    size_t at, len;
  } * places;
  size_t num, room;
};

struct view *view_open(void) {
  struct view *view = calloc(1, sizeof *view);
  if (!view) return NULL;
  view->texts = view_texts_open();
  if (view->texts) return view;
  free(view);
  return NULL;
}

static void put_signed(struct view_bytes *to, int64_t n) {
  view_put(to, n < 0 ? 2 * (uint64_t)(-(n + 1)) + 1 : 2 * (uint64_t)n);
}

// More than MAX_NAMES share the last one. Chips have fewer modules and reasons.
static unsigned index_of(struct names *names, const char *name, bool *failed) {
  unsigned i = 0;
  while (i < names->num && strcmp(names->list[i], name) != 0) i++;
  if (i == MAX_NAMES) return MAX_NAMES - 1;
  if (i == names->num) {
    names->list[i] = strdup(name);
    if (names->list[i]) names->num++;
    else *failed = true;
  }
  return i;
}

// With the VLAN id: two modules may have the same name.
static void put_module(struct view *view, const json_t *story) {
  char name[300];
  const char *module = json_string_value(json_object_get(story, "module"));
  if (!module) {
    view_put(&view->bytes, 0);
    return;
  }
  snprintf(name, sizeof name, "%s (VLAN %lld)", module, (long long)sluice_json_int(story, "vlan"));
  view_put(&view->bytes, index_of(&view->modules, name, &view->bytes.failed) + 1u);
}

static void put_fate(struct view *view, const json_t *story, int64_t arrival) {
  const char *reason = json_string_value(json_object_get(story, "dropped"));
  if (!reason) {
    view_put(&view->bytes, json_is_true(json_object_get(story, "lost")));
    return;
  }
  view_put(&view->bytes, 2 + index_of(&view->reasons, reason, &view->bytes.failed));
  put_signed(&view->bytes, sluice_json_int(story, "dropped_cycle") - arrival);
}

static void put_order(struct view_bytes *to, const json_t *story, int64_t arrival) {
  const json_t *order = json_object_get(story, "order");
  view_put(to, order ? (uint64_t)(sluice_json_int(order, "cycle") - arrival + 1) : 0);
  if (!order) return;
  put_signed(to, sluice_json_int(order, "cycle") - sluice_json_int(order, "first_of_lane"));
  view_put(to, (uint64_t)sluice_json_int(order, "behind"));
  for (unsigned i = 0; i < NUM_CAUSES; i++)
    view_put(to, (uint64_t)sluice_json_int(json_object_get(order, "held"), causes[i]));
}

static void put_accesses(struct view_bytes *to, const json_t *story) {
  const int64_t order = sluice_json_int(json_object_get(story, "order"), "cycle");
  uint64_t num = 0;
  size_t i;
  json_t *at;
  json_array_foreach(json_object_get(story, "back"), i, at)
      num += json_object_get(at, "cycle") != NULL;
  view_put(to, num);
  json_array_foreach(json_object_get(story, "back"), i, at) {
    if (!json_object_get(at, "cycle")) continue;
    view_put(to, (uint64_t)sluice_json_int(at, "stage"));
    view_put(to, (uint64_t)sluice_json_int(at, "pipeline"));
    put_signed(to, sluice_json_int(at, "cycle") - order);
  }
}

static void put_out(struct view_bytes *to, const json_t *story, int64_t arrival) {
  const json_t *exit = json_object_get(story, "exit"), *out = json_object_get(story, "out");
  size_t i;
  json_t *copy;
  view_put(to, exit ? (uint64_t)(sluice_json_int(exit, "cycle") - arrival + 1) : 0);
  if (exit) view_put(to, json_array_size(json_object_get(exit, "full")));
  view_put(to, json_array_size(out));
  json_array_foreach(out, i, copy) {
    view_put(to, (uint64_t)sluice_json_int(copy, "port"));
    view_put(to, (uint64_t)(sluice_json_int(copy, "first_cycle") - sluice_json_int(exit, "cycle")));
    view_put(to, (uint64_t)(sluice_json_int(copy, "cycle") - sluice_json_int(copy, "first_cycle")));
  }
}

static void put_text(struct view *view, const char *text) {
  struct view_bytes lines = {0};
  view_texts_add(view->texts, &lines, text);
  view_put(&view->bytes, lines.len);
  view_append(&view->bytes, &lines);
  free(lines.bytes);
}

bool view_add(struct view *view, const json_t *story, const char *text) {
  struct view_bytes *to = &view->bytes;
  const json_t *in = json_object_get(story, "in");
  const int64_t arrival = sluice_json_int(in, "cycle");
  const size_t at = to->len;
  if (view->num == view->room) {
    const size_t room = view->room ? 2 * view->room : 1024;
    struct place *grown = realloc(view->places, room * sizeof *grown);
    if (!grown) return false;
    view->places = grown;
    view->room = room;
  }
  put_signed(to, arrival);
  view_put(to, (uint64_t)(arrival - sluice_json_int(in, "first_cycle")));
  view_put(to, (uint64_t)sluice_json_int(in, "len"));
  view_put(to, (uint64_t)sluice_json_int(in, "port"));
  view_put(to, (uint64_t)sluice_json_int(in, "lane"));
  put_module(view, story);
  put_fate(view, story, arrival);
  put_order(to, story, arrival);
  put_accesses(to, story);
  put_out(to, story, arrival);
  put_text(view, text);
  if (to->failed) return false;
  view->places[view->num++] = (struct place){(uint64_t)sluice_json_int(story, "packet"),
                                             (uint64_t)sluice_json_int(story, "round"), at,
                                             to->len - at};
  return true;
}

static int by_number(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  if (x->number != y->number) return x->number < y->number ? -1 : 1;
  return x->round < y->round ? -1 : x->round > y->round;
}

/// Base64, three bytes at a time.
struct base64 {
  FILE *out;
  unsigned num, column;
  uint8_t three[3];
};

static void flush_three(struct base64 *b) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned value = (unsigned)b->three[0] << 16 | sluice_get16(b->three + 1);
  for (unsigned i = 0; i < 4; i++)
    fputc(i <= b->num ? digits[value >> (18 - 6 * i) & 63] : '=', b->out);
  memset(b->three, 0, sizeof b->three);
  b->num = 0;
  if (++b->column % 32 == 0) fputc('\n', b->out);
}

static void put_base64(struct base64 *b, const uint8_t *bytes, size_t len) {
  for (size_t i = 0; i < len; i++) {
    b->three[b->num++] = bytes[i];
    if (b->num == 3) flush_three(b);
  }
}

static bool put_packets(struct view *view, FILE *out) {
  struct base64 b = {.out = out};
  uint64_t last = 0;
  if (view->num) qsort(view->places, view->num, sizeof *view->places, by_number);
  for (size_t i = 0; i < view->num; i++) {
    struct view_bytes number = {0};
    view_put(&number, view->places[i].number - last);
    if (number.failed) return false;
    put_base64(&b, number.bytes, number.len);
    free(number.bytes);
    last = view->places[i].number;
    put_base64(&b, view->bytes.bytes + view->places[i].at, view->places[i].len);
  }
  if (b.num) flush_three(&b);
  return true;
}

static json_t *names_json(const struct names *names) {
  json_t *list = json_array();
  for (unsigned i = 0; i < names->num; i++)
    json_array_append_new(list, json_string(names->list[i]));
  return list;
}

// Inside a script element no text may end it: "<" is written as JSON allows.
static bool put_json(const json_t *value, FILE *out) {
  char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(6));
  for (const char *c = text; c && *c; c++)
    if (*c == '<') fputs("\\u003c", out);
    else fputc(*c, out);
  free(text);
  return text != NULL;
}

bool view_write(struct view *view, json_t *run, FILE *out) {
  json_t *list = json_array(), *templates = view_texts_json(view->texts);
  for (unsigned i = 0; i < NUM_CAUSES; i++) json_array_append_new(list, json_string(causes[i]));
  const bool good = templates && json_object_set_new(run, "templates", templates) == 0 &&
                    json_object_set_new(run, "causes", list) == 0 &&
                    json_object_set_new(run, "reasons", names_json(&view->reasons)) == 0 &&
                    json_object_set_new(run, "modules", names_json(&view->modules)) == 0 &&
                    json_object_set_new(run, "packets", json_integer((json_int_t)view->num)) == 0;
  if (!good) return false;
  for (const char *const *line = view_page_head; *line; line++) fprintf(out, "%s\n", *line);
  fputs("<script type=\"application/json\" id=\"run\">", out);
  if (!put_json(run, out)) return false;
  fputs("</script>\n<script type=\"text/plain\" id=\"packets\">\n", out);
  if (!put_packets(view, out)) return false;
  fputs("\n</script>\n", out);
  for (const char *const *line = view_page_tail; *line; line++) fprintf(out, "%s\n", *line);
  return !ferror(out);
}

static void names_close(struct names *names) {
  for (unsigned i = 0; i < names->num; i++) free(names->list[i]);
}

void view_close(struct view *view) {
  if (!view) return;
  view_texts_close(view->texts);
  names_close(&view->reasons);
  names_close(&view->modules);
  free(view->bytes.bytes);
  free(view->places);
  free(view);
}
