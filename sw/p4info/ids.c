// SPDX-License-Identifier: Apache-2.0
// Ids and aliases, as the specification of P4Runtime makes them of names.
#include <stdlib.h>
#include <string.h>

#include "inner.h"

enum { KIND_SHIFT = 24, NAME_MASK = 0xffffff };

// One-at-a-time, by Bob Jenkins.
static uint32_t hash(const char *text) {
  uint32_t h = 0;
  for (; *text; text++) {
    h += (uint8_t)*text;
    h += h << 10;
    h ^= h >> 6;
  }
  h += h << 3;
  h ^= h >> 11;
  return h + (h << 15);
}

static bool taken(const struct p4i *p, uint32_t id) {
  for (const struct p4i_object *o = p->objects; o; o = o->next)
    if (o->id == id) return true;
  return false;
}

// ---- @id ---------------------------------------------------------------------------------------

static bool written_id(struct p4i *p, const struct p4_annotation *list, uint64_t *id) {
  const struct p4_annotation *a = p4_annotation(list, "id");
  if (!a) return false;
  if (p4_annotation_numbers(a, id, 1) == 1 && *id <= UINT32_MAX) return true;
  p4i_error(p, a->place, "annotation", "@id takes one number of 32 bits");
  return false;
}

static void take_written(struct p4i *p, struct p4i_object *o) {
  const struct p4_annotation *a = p4_annotation(o->annotations, "id");
  uint64_t id;
  if (o->kind == P4I_DIGEST || !written_id(p, o->annotations, &id)) return;
  const uint64_t top = (uint64_t)o->kind << KIND_SHIFT;
  if (id >> KIND_SHIFT && id >> KIND_SHIFT != o->kind) {
    p4i_error(p, a->place, "annotation",
              "ids of such objects begin with 0x%02x; leave the top byte 0", (unsigned)o->kind);
    return;
  }
  if (taken(p, (uint32_t)(id | top))) {
    p4i_error(p, a->place, "twice", "another object has this @id");
    return;
  }
  o->id = (uint32_t)(id | top);
}

// ---- ids of names ------------------------------------------------------------------------------

static int by_name(const void *a, const void *b) {
  const struct p4i_object *const *x = a, *const *y = b;
  const int kind = (int)(*x)->kind - (int)(*y)->kind;
  return kind ? kind : strcmp((*x)->name, (*y)->name);
}

// Whoever comes later in the order of names gives way.
static void take_hashed(struct p4i *p, struct p4i_object **sorted, size_t num) {
  for (size_t i = 0; i < num; i++) {
    struct p4i_object *o = sorted[i];
    if (o->id) continue;
    uint32_t h = hash(o->name);
    while (taken(p, (uint32_t)o->kind << KIND_SHIFT | (h & NAME_MASK))) h++;
    o->id = (uint32_t)o->kind << KIND_SHIFT | (h & NAME_MASK);
  }
}

// ---- aliases -----------------------------------------------------------------------------------

// Whether `name` ends with `end`, at the beginning or behind a dot.
static bool ends(const char *name, const char *end) {
  const size_t len = strlen(name), end_len = strlen(end);
  return end_len <= len && strcmp(name + len - end_len, end) == 0 &&
         (end_len == len || name[len - end_len - 1] == '.');
}

// Another name with this end. Objects of two kinds may have one name, which counts once.
static bool shared(const struct p4i *p, const char *name, const char *end) {
  for (const struct p4i_object *o = p->objects; o; o = o->next)
    if (strcmp(o->name, name) != 0 && ends(o->name, end)) return true;
  return false;
}

static const char *alias_of(const struct p4i *p, const char *name) {
  const char *end = name + strlen(name);
  while (end > name) {
    do end--;
    while (end > name && end[-1] != '.');
    if (!shared(p, name, end)) return end;
  }
  return name;
}

void p4i_number(struct p4i *p) {
  size_t num = 0;
  for (struct p4i_object *o = p->objects; o; o = o->next, num++) take_written(p, o);
  struct p4i_object **sorted = NEW_ARRAY(p->arena, struct p4i_object *, num + 1);
  num = 0;
  for (struct p4i_object *o = p->objects; o; o = o->next) sorted[num++] = o;
  qsort(sorted, num, sizeof *sorted, by_name);
  take_hashed(p, sorted, num);
  for (struct p4i_object *o = p->objects; o; o = o->next) o->alias = alias_of(p, o->name);
}

// ---- fields ------------------------------------------------------------------------------------

static bool has_id(const uint32_t *ids, unsigned num, uint32_t id) {
  for (unsigned i = 0; i < num; i++)
    if (ids[i] == id) return true;
  return false;
}

void p4i_field_ids(struct p4i *p, unsigned num, const struct p4_annotation *const *annotations,
                   uint32_t *ids) {
  memset(ids, 0, num * sizeof *ids);
  for (unsigned i = 0; i < num; i++) {
    uint64_t id;
    if (!written_id(p, annotations[i], &id)) continue;
    const struct p4_place place = p4_annotation(annotations[i], "id")->place;
    if (!id) p4i_error(p, place, "annotation", "ids begin with 1");
    else if (has_id(ids, num, (uint32_t)id))
      p4i_error(p, place, "twice", "another one has the @id %llu", (unsigned long long)id);
    else ids[i] = (uint32_t)id;
  }
  // those with an @id count as well, as if their place was their number
  uint32_t next = 1;
  for (unsigned i = 0; i < num; i++) {
    if (ids[i]) {
      next++;
      continue;
    }
    while (has_id(ids, num, next)) next++;
    ids[i] = next;
  }
}
