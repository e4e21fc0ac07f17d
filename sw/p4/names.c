// SPDX-License-Identifier: Apache-2.0
// Texts of names and marks, each once: a hash table that grows.
#include <string.h>

#include "inner.h"

struct entry {
  uint32_t hash;
  const char *text;
};
struct p4_names {
  struct entry *entries;
  size_t num, room;  // room is a power of two
};

static uint32_t hash_of(const char *text, size_t len) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < len; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash;
}

static void grow(struct p4_context *c, struct p4_names *names) {
  const size_t room = names->room ? names->room * 2 : 1024;
  struct entry *entries = NEW_ARRAY(c->arena, struct entry, room);
  for (size_t i = 0; i < names->room; i++) {
    if (!names->entries[i].text) continue;
    size_t at = names->entries[i].hash & (room - 1);
    while (entries[at].text) at = (at + 1) & (room - 1);
    entries[at] = names->entries[i];
  }
  names->entries = entries;
  names->room = room;
}

const char *p4_name(struct p4_context *c, const char *text, size_t len) {
  if (!c->names) c->names = NEW(c->arena, struct p4_names);
  struct p4_names *names = c->names;
  if (names->num * 2 >= names->room) grow(c, names);
  const uint32_t hash = hash_of(text, len);
  size_t at = hash & (names->room - 1);
  for (; names->entries[at].text; at = (at + 1) & (names->room - 1)) {
    const struct entry *e = &names->entries[at];
    if (e->hash == hash && strncmp(e->text, text, len) == 0 && !e->text[len]) return e->text;
  }
  names->num++;
  names->entries[at] = (struct entry){hash, arena_text(c->arena, text, len)};
  return names->entries[at].text;
}
