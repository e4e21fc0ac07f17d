// SPDX-License-Identifier: Apache-2.0
// Lines of stories differ in few ways but their numbers: each becomes a template and what stands in
// its places.
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/number.h"
#include "view.h"

struct view_texts {
  char **list;
  size_t num, room;
  size_t *slots, num_slots;  // a hash table of indices + 1; at most half of it is used
};

static bool grow(struct view_bytes *to, size_t more) {
  if (to->len + more <= to->room) return !to->failed;
  size_t room = to->room ? 2 * to->room : 4096;
  while (room < to->len + more) room *= 2;
  uint8_t *grown = to->failed ? NULL : realloc(to->bytes, room);
  if (!grown) {
    to->failed = true;
    return false;
  }
  to->bytes = grown;
  to->room = room;
  return true;
}

void view_put(struct view_bytes *to, uint64_t number) {
  if (!grow(to, 10)) return;
  for (; number > 127; number >>= 7) to->bytes[to->len++] = (uint8_t)(number | 128);
  to->bytes[to->len++] = (uint8_t)number;
}

void view_append(struct view_bytes *to, const struct view_bytes *more) {
  to->failed = to->failed || more->failed;
  if (!more->len || !grow(to, more->len)) return;
  memcpy(to->bytes + to->len, more->bytes, more->len);
  to->len += more->len;
}

struct view_texts *view_texts_open(void) {
  struct view_texts *texts = calloc(1, sizeof *texts);
  if (!texts) return NULL;
  texts->num_slots = 1024;
  texts->slots = calloc(texts->num_slots, sizeof *texts->slots);
  if (texts->slots) return texts;
  free(texts);
  return NULL;
}

static size_t *slot_of(struct view_texts *texts, const char *text) {
  size_t at = (size_t)sluice_hash64(SLUICE_HASH64, text, strlen(text)) & (texts->num_slots - 1);
  while (texts->slots[at] && strcmp(texts->list[texts->slots[at] - 1], text) != 0)
    at = (at + 1) & (texts->num_slots - 1);
  return &texts->slots[at];
}

static bool more_slots(struct view_texts *texts) {
  if (2 * (texts->num + 1) <= texts->num_slots) return true;
  size_t *grown = calloc(2 * texts->num_slots, sizeof *grown);
  if (!grown) return false;
  free(texts->slots);
  texts->slots = grown;
  texts->num_slots *= 2;
  for (size_t i = 0; i < texts->num; i++) *slot_of(texts, texts->list[i]) = i + 1;
  return true;
}

// The index of a template; takes `text`.
static bool find(struct view_texts *texts, char *text, size_t *index) {
  if (!more_slots(texts)) return false;
  size_t *slot = slot_of(texts, text);
  if (*slot) {
    *index = *slot - 1;
    free(text);
    return true;
  }
  if (texts->num == texts->room) {
    const size_t room = texts->room ? 2 * texts->room : 64;
    char **grown = realloc(texts->list, room * sizeof *grown);
    if (!grown) return false;
    texts->list = grown;
    texts->room = room;
  }
  texts->list[texts->num] = text;
  *index = texts->num++;
  *slot = texts->num;
  return true;
}

static bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// What a word is: a number that can be printed again as it stands, hexadecimal digits, or neither.
enum { NEITHER, NUMBER, DIGITS };
static int kind_of(const char *word, size_t len) {
  const size_t decimal = strspn(word, "0123456789"), hex = strspn(word, "0123456789abcdef");
  if (decimal >= len && len <= 15 && (word[0] != '0' || len == 1)) return NUMBER;
  const bool has_number = strcspn(word, "0123456789") < len;
  // "ed" is a byte as "e0" is.
  return hex >= len && (has_number || len % 2 == 0) ? DIGITS : NEITHER;
}

static unsigned digit(char c) { return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10); }

static void put_digits(struct view_bytes *to, const char *word, size_t len) {
  view_put(to, len);
  if (!grow(to, len / 2 + 1)) return;
  for (size_t i = 0; i < len; i += 2)
    to->bytes[to->len++] = (uint8_t)(digit(word[i]) << 4 | (i + 1 < len ? digit(word[i + 1]) : 0));
}

// Writes the template to `to`, and what stands in its places to `values`.
static void split(const char *text, char *to, struct view_bytes *values) {
  while (*text) {
    if (!is_word(*text)) {
      *to++ = *text++;
      continue;
    }
    size_t len = 0;
    if (text[0] == '0' && text[1] == 'x') {
      *to++ = *text++;
      *to++ = *text++;
    }
    while (is_word(text[len])) len++;
    const int kind = len ? kind_of(text, len) : NEITHER;
    if (kind == NEITHER) {
      memcpy(to, text, len);
      to += len;
    } else {
      *to++ = kind == NUMBER ? '\001' : '\002';
      const char *end;
      uint64_t value = 0;
      if (kind == NUMBER && sluice_number_at(text, &end, &value) == SLUICE_READ)
        view_put(values, value);
      else put_digits(values, text, len);
    }
    text += len;
  }
  *to = 0;
}

// A line, without its end, which is there.
static void add_line(struct view_texts *texts, struct view_bytes *to, const char *line) {
  struct view_bytes values = {0};
  size_t index = 0;
  char *template = malloc(strlen(line) + 1);
  if (template) split(line, template, &values);
  if (!template || values.failed || !find(texts, template, &index)) {
    free(values.bytes);
    to->failed = true;
    return;
  }
  view_put(to, index);
  view_append(to, &values);
  free(values.bytes);
}

void view_texts_add(struct view_texts *texts, struct view_bytes *to, const char *text) {
  size_t lines = 0;
  for (const char *c = text; *c; c++) lines += *c == '\n';
  view_put(to, lines);
  while (lines--) {
    const size_t len = strcspn(text, "\n");
    char *line = strndup(text, len);
    if (!line) {
      to->failed = true;
      return;
    }
    add_line(texts, to, line);
    free(line);
    text += len + 1;
  }
}

json_t *view_texts_json(const struct view_texts *texts) {
  json_t *list = json_array();
  for (size_t i = 0; i < texts->num; i++)
    if (json_array_append_new(list, json_string(texts->list[i])) != 0) {
      json_decref(list);
      return NULL;
    }
  return list;
}

void view_texts_close(struct view_texts *texts) {
  if (!texts) return;
  for (size_t i = 0; i < texts->num; i++) free(texts->list[i]);
  free(texts->list);
  free(texts->slots);
  free(texts);
}
