// SPDX-License-Identifier: Apache-2.0
// Reads a page of `sluice run --view` as its JavaScript does: what sw/cli/view.h says, read the
// other way.
#pragma once

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct view_read {
  json_t *run;  // the object of JSON
  uint8_t *bytes;
  size_t len, at;
  uint64_t number;  // of the last packet
};

static const char *view_read_script(const char *page, const char *id, size_t *len) {
  char mark[80];
  snprintf(mark, sizeof mark, "id=\"%s\">", id);
  const char *begin = strstr(page, mark);
  if (!begin) return NULL;
  begin += strlen(mark);
  const char *end = strstr(begin, "</script>");
  *len = end ? (size_t)(end - begin) : 0;
  return end ? begin : NULL;
}

static int view_read_digit(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

static int view_read_open(struct view_read *r, const char *page) {
  size_t json_len = 0, text_len = 0;
  unsigned value = 0, bits = 0;
  const char *json = view_read_script(page, "run", &json_len),
             *text = view_read_script(page, "packets", &text_len);
  memset(r, 0, sizeof *r);
  if (!json || !text) return -1;
  r->run = json_loadb(json, json_len, 0, NULL);
  r->bytes = malloc(text_len + 1);
  if (!r->run || !r->bytes) return -1;
  for (size_t i = 0; i < text_len; i++) {
    const int digit = view_read_digit(text[i]);
    if (digit < 0) continue;
    value = (value << 6 | (unsigned)digit) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    r->bytes[r->len++] = (uint8_t)(value >> bits);
  }
  return 0;
}

static void view_read_close(struct view_read *r) {
  json_decref(r->run);
  free(r->bytes);
}

static uint64_t view_read_num(struct view_read *r) {
  uint64_t value = 0;
  for (unsigned shift = 0; r->at < r->len && shift < 64; shift += 7) {
    const uint8_t byte = r->bytes[r->at++];
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) break;
  }
  return value;
}
static int64_t view_read_signed(struct view_read *r) {
  const uint64_t value = view_read_num(r);
  return value & 1 ? -(int64_t)(value >> 1) - 1 : (int64_t)(value >> 1);
}

static const char *view_read_name(const struct view_read *r, const char *list, uint64_t index) {
  const char *name =
      json_string_value(json_array_get(json_object_get(r->run, list), (size_t)index));
  return name ? name : "?";
}

static void view_read_line(struct view_read *r, FILE *text) {
  for (const char *c = view_read_name(r, "templates", view_read_num(r)); *c; c++) {
    if (*c == 1) {
      fprintf(text, "%llu", (unsigned long long)view_read_num(r));
    } else if (*c == 2) {
      const uint64_t digits = view_read_num(r);
      for (uint64_t d = 0; d < digits && r->at < r->len; d++) {
        fprintf(text, "%x", (unsigned)r->bytes[r->at] >> (d & 1 ? 0 : 4) & 15u);
        r->at += (d & 1) || d + 1 == digits;
      }
    } else {
      fputc(*c, text);
    }
  }
  fputc('\n', text);
}

// The next packet, with the members of a story that the page has, in a new object; its text to
// `text`. NULL: there is no more.
static json_t *view_read_next(struct view_read *r, FILE *text) {
  if (r->at >= r->len) return NULL;
  json_t *story = json_object(), *accesses = json_array(), *out = json_array(),
         *held = json_object();
  r->number += view_read_num(r);
  const int64_t arrives = view_read_signed(r), before = (int64_t)view_read_num(r);
  json_object_set_new(story, "packet", json_integer((json_int_t)r->number));
  json_t *in = json_pack("{s:I s:I}", "cycle", (json_int_t)arrives, "first_cycle",
                         (json_int_t)(arrives - before));
  static const char *const of_in[] = {"len", "port", "lane"};
  for (unsigned i = 0; i < 3; i++)
    json_object_set_new(in, of_in[i], json_integer((json_int_t)view_read_num(r)));
  json_object_set_new(story, "in", in);
  const uint64_t module = view_read_num(r);
  if (module)
    json_object_set_new(story, "module", json_string(view_read_name(r, "modules", module - 1)));
  const uint64_t fate = view_read_num(r);
  if (fate == 1) json_object_set_new(story, "lost", json_true());
  if (fate >= 2) {
    json_object_set_new(story, "dropped", json_string(view_read_name(r, "reasons", fate - 2)));
    json_object_set_new(story, "dropped_cycle",
                        json_integer((json_int_t)(arrives + view_read_signed(r))));
  }
  const uint64_t order = view_read_num(r);
  const int64_t order_cycle = arrives + (int64_t)order - 1;
  if (order) {
    const int64_t first = order_cycle - view_read_signed(r);
    const uint64_t behind = view_read_num(r);
    for (size_t i = 0; i < json_array_size(json_object_get(r->run, "causes")); i++) {
      const uint64_t cycles = view_read_num(r);
      if (cycles)
        json_object_set_new(held, view_read_name(r, "causes", i), json_integer((json_int_t)cycles));
    }
    json_t *member = json_pack("{s:I s:I s:O}", "cycle", (json_int_t)order_cycle, "first_of_lane",
                               (json_int_t)first, "held", held);
    if (behind) json_object_set_new(member, "behind", json_integer((json_int_t)behind));
    json_object_set_new(story, "order", member);
  }
  for (uint64_t n = view_read_num(r); n > 0 && r->at < r->len; n--) {
    const uint64_t stage = view_read_num(r), pipeline = view_read_num(r);
    json_array_append_new(
        accesses,
        json_pack("{s:I s:I s:I}", "stage", (json_int_t)stage, "pipeline", (json_int_t)pipeline,
                  "cycle", (json_int_t)((order ? order_cycle : 0) + view_read_signed(r))));
  }
  json_object_set_new(story, "accesses", accesses);
  const uint64_t exit = view_read_num(r);
  const int64_t exit_cycle = arrives + (int64_t)exit - 1;
  if (exit)
    json_object_set_new(story, "exit",
                        json_pack("{s:I s:I}", "cycle", (json_int_t)exit_cycle, "full",
                                  (json_int_t)view_read_num(r)));
  for (uint64_t n = view_read_num(r); n > 0 && r->at < r->len; n--) {
    const uint64_t port = view_read_num(r);
    const int64_t first = exit_cycle + (int64_t)view_read_num(r);
    json_array_append_new(
        out, json_pack("{s:I s:I s:I}", "port", (json_int_t)port, "first_cycle", (json_int_t)first,
                       "cycle", (json_int_t)(first + (int64_t)view_read_num(r))));
  }
  json_object_set_new(story, "out", out);
  const uint64_t bytes = view_read_num(r), end = r->at + bytes;
  for (uint64_t lines = view_read_num(r); lines > 0 && r->at < r->len; lines--)
    view_read_line(r, text);
  if (r->at != end) fprintf(text, "the text is not as long as it says\n");
  json_decref(held);
  return story;
}
