// SPDX-License-Identifier: Apache-2.0
// The table of fields, trees of values, and the wire format.
#include "proto.h"

#include <assert.h>
#include <string.h>

// ---- the table ---------------------------------------------------------------------------------

// What `of` of a FIELD is, by its type: PROTO_OF_U32(NONE) .. PROTO_OF_MESSAGE(Table).
#define NO_MESSAGE PROTO_NUM_MESSAGES
#define OF_U32(X) PROTO_U32, NULL, NO_MESSAGE
#define OF_U64(X) PROTO_U64, NULL, NO_MESSAGE
#define OF_I32(X) PROTO_I32, NULL, NO_MESSAGE
#define OF_I64(X) PROTO_I64, NULL, NO_MESSAGE
#define OF_BOOL(X) PROTO_BOOL, NULL, NO_MESSAGE
#define OF_STRING(X) PROTO_STRING, NULL, NO_MESSAGE
#define OF_BYTES(X) PROTO_BYTES, NULL, NO_MESSAGE
#define OF_ENUM(X) PROTO_ENUM, #X, NO_MESSAGE
#define OF_MESSAGE(X) PROTO_SUB, NULL, PROTO_IS_##X

const struct proto_field proto_fields[PROTO_NUM_FIELDS] = {
#define MESSAGE(M)
#define FIELD(M, F, N, HOW, TYPE, OF) {PROTO_IS_##M, #F, N, PROTO_##HOW, OF_##TYPE(OF)},
#define VALUE(E, V, N)
#include "messages.def"
#undef MESSAGE
#undef FIELD
#undef VALUE
};

static const struct {
  const char *of, *name;
  uint64_t number;
} values[] = {
#define MESSAGE(M)
#define FIELD(M, F, N, HOW, TYPE, OF)
#define VALUE(E, V, N) {#E, #V, N},
#include "messages.def"
#undef MESSAGE
#undef FIELD
#undef VALUE
};

const char *proto_value_name(const struct proto_field *f, uint64_t number) {
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (values[i].number == number && strcmp(values[i].of, f->of) == 0) return values[i].name;
  return NULL;
}

// ---- trees -------------------------------------------------------------------------------------

struct proto *proto_new(struct arena *arena, enum proto_message_id is) {
  struct proto *m = NEW(arena, struct proto);
  m->is = is;
  m->arena = arena;
  return m;
}

static struct proto_value *find(const struct proto *m, enum proto_field_id field) {
  for (struct proto_value *v = m->values; v; v = v->next)
    if (v->field == field) return v;
  return NULL;
}

// A new value behind all whose numbers are not larger; of a map behind those with smaller keys.
static struct proto_value *insert(struct proto *m, enum proto_field_id field, const char *key) {
  const unsigned number = proto_fields[field].number;
  struct proto_value *v = NEW(m->arena, struct proto_value), **at = &m->values;
  v->field = field;
  if (m->last && !key && proto_fields[m->last->field].number <= number) at = &m->last->next;
  while (*at && (proto_fields[(*at)->field].number < number ||
                 ((*at)->field == field &&
                  (!key || strcmp((const char *)(*at)->sub->values->bytes, key) < 0))))
    at = &(*at)->next;
  v->next = *at;
  *at = v;
  if (!v->next) m->last = v;
  return v;
}

static struct proto_value *set(struct proto *m, enum proto_field_id field) {
  assert(proto_fields[field].message == m->is);
  struct proto_value *v = proto_fields[field].how == PROTO_MANY ? NULL : find(m, field);
  return v ? v : insert(m, field, NULL);
}

void proto_number(struct proto *m, enum proto_field_id field, uint64_t number) {
  assert(proto_fields[field].type <= PROTO_BOOL || proto_fields[field].type == PROTO_ENUM);
  // what is absent means 0
  if (number || proto_fields[field].how != PROTO_ONE) set(m, field)->number = number;
}

void proto_bytes(struct proto *m, enum proto_field_id field, const uint8_t *bytes, size_t len) {
  assert(proto_fields[field].type == PROTO_STRING || proto_fields[field].type == PROTO_BYTES);
  if (!len && proto_fields[field].how == PROTO_ONE) return;
  struct proto_value *v = set(m, field);
  v->bytes = (const uint8_t *)arena_text(m->arena, (const char *)bytes, len);
  v->len = len;
}

void proto_text(struct proto *m, enum proto_field_id field, const char *text) {
  proto_bytes(m, field, (const uint8_t *)text, strlen(text));
}

struct proto *proto_add(struct proto *m, enum proto_field_id field) {
  assert(proto_fields[field].type == PROTO_SUB && proto_fields[field].how != PROTO_MAP);
  struct proto_value *v = set(m, field);
  if (!v->sub) v->sub = proto_new(m->arena, proto_fields[field].sub);
  return v->sub;
}

// In protobuf a map is a list of entries, each a message of a key (field 1) and a value (field 2).
// messages.def has the two fields of such a message one behind the other.
static enum proto_field_id key_of(enum proto_message_id entry) {
  unsigned i = 0;
  while (proto_fields[i].message != entry) i++;
  return (enum proto_field_id)i;
}

struct proto *proto_entry(struct proto *m, enum proto_field_id field, const char *key,
                          bool *fresh) {
  assert(proto_fields[field].how == PROTO_MAP && proto_fields[field].message == m->is);
  const enum proto_field_id id = key_of(proto_fields[field].sub);
  for (struct proto_value *v = m->values; v; v = v->next)
    if (v->field == field && strcmp((const char *)v->sub->values->bytes, key) == 0) {
      *fresh = false;
      return v->sub->values->next->sub;
    }
  struct proto *entry = proto_new(m->arena, proto_fields[field].sub);
  proto_text(entry, id, key);
  struct proto *value = proto_add(entry, (enum proto_field_id)(id + 1));
  insert(m, field, key)->sub = entry;
  *fresh = true;
  return value;
}

// ---- the wire format ---------------------------------------------------------------------------

static size_t varint_size(uint64_t x) {
  size_t n = 1;
  while (x >>= 7) n++;
  return n;
}

static uint8_t *varint(uint8_t *to, uint64_t x) {
  for (; x >= 0x80; x >>= 7) *to++ = (uint8_t)(x | 0x80);
  *to++ = (uint8_t)x;
  return to;
}

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

static bool is_number(const struct proto_field *f) {
  return f->type <= PROTO_BOOL || f->type == PROTO_ENUM;
}

static size_t content_size(const struct proto_value *v) {
  return v->sub ? proto_size(v->sub) : v->len;
}

// Repeated numbers are one run of bytes: those of `v` and the values of the same field behind it.
static size_t packed_size(const struct proto_value *v) {
  size_t size = 0;
  for (const enum proto_field_id field = v->field; v && v->field == field; v = v->next)
    size += varint_size(v->number);
  return size;
}

static bool is_packed(const struct proto_field *f) { return f->how == PROTO_MANY && is_number(f); }

// The value behind `v`, or behind the run that begins with it.
static const struct proto_value *behind(const struct proto_value *v) {
  const struct proto_value *next = v->next;
  while (is_packed(&proto_fields[v->field]) && next && next->field == v->field) next = next->next;
  return next;
}

size_t proto_size(const struct proto *m) {
  size_t size = 0;
  for (const struct proto_value *v = m->values; v; v = behind(v)) {
    const struct proto_field *f = &proto_fields[v->field];
    const bool number = is_number(f) && !is_packed(f);
    const size_t len = is_packed(f) ? packed_size(v) : content_size(v);
    size += varint_size((uint64_t)f->number << 3);
    size += number ? varint_size(v->number) : varint_size(len) + len;
  }
  return size;
}

uint8_t *proto_write(const struct proto *m, uint8_t *to) {
  for (const struct proto_value *v = m->values; v; v = behind(v)) {
    const struct proto_field *f = &proto_fields[v->field];
    const bool number = is_number(f) && !is_packed(f);
    to = varint(to, (uint64_t)f->number << 3 | (number ? WIRE_VARINT : WIRE_BYTES));
    if (number) {
      to = varint(to, v->number);
    } else if (is_packed(f)) {
      to = varint(to, packed_size(v));
      for (const struct proto_value *w = v; w != behind(v); w = w->next) to = varint(to, w->number);
    } else {
      to = varint(to, content_size(v));
      if (v->sub) to = proto_write(v->sub, to);
      else if (v->len) memcpy(to, v->bytes, v->len), to += v->len;
    }
  }
  return to;
}
