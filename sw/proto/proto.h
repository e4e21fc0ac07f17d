// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../base/arena.h"

/// Protobuf messages as trees of values, by the table messages.def.
///
///     struct proto *info = proto_new(arena, PROTO_MESSAGE(P4Info));
///     struct proto *table = proto_add(info, PROTO(P4Info, tables));
///     proto_number(table, PROTO(Table, size), 1024);
///     size_t len = proto_size(info);
///     proto_write(info, bytes);
///
/// Everything lives in the arena. A value of the wrong type for its field is a mistake of the
/// caller, and stops the program in tests (assert).

#define PROTO_MESSAGE(M) PROTO_IS_##M
#define PROTO(M, F) PROTO_FIELD_##M##_##F
#define PROTO_VALUE(E, V) PROTO_VALUE_##E##_##V

enum proto_message_id {
#define MESSAGE(M) PROTO_IS_##M,
#define FIELD(M, F, N, HOW, TYPE, OF)
#define VALUE(E, V, N)
#include "messages.def"
#undef MESSAGE
#undef FIELD
#undef VALUE
  PROTO_NUM_MESSAGES
};
enum proto_field_id {
#define MESSAGE(M)
#define FIELD(M, F, N, HOW, TYPE, OF) PROTO_FIELD_##M##_##F,
#define VALUE(E, V, N)
#include "messages.def"
#undef MESSAGE
#undef FIELD
#undef VALUE
  PROTO_NUM_FIELDS
};
enum proto_enum_value {
#define MESSAGE(M)
#define FIELD(M, F, N, HOW, TYPE, OF)
#define VALUE(E, V, N) PROTO_VALUE_##E##_##V = N,
#include "messages.def"
#undef MESSAGE
#undef FIELD
#undef VALUE
};

enum proto_how { PROTO_ONE, PROTO_CHOICE, PROTO_MANY, PROTO_MAP };
enum proto_type {
  PROTO_U32,
  PROTO_U64,
  PROTO_I32,
  PROTO_I64,
  PROTO_BOOL,
  PROTO_STRING,
  PROTO_BYTES,
  PROTO_ENUM,
  PROTO_SUB,  // a message
};
struct proto_field {
  enum proto_message_id message;
  const char *name;
  unsigned number;
  enum proto_how how;
  enum proto_type type;
  const char *of;             // of an enumeration: its name, as in VALUE
  enum proto_message_id sub;  // of a message
};
extern const struct proto_field proto_fields[PROTO_NUM_FIELDS];
/// The name of a value of an enumeration, or NULL.
const char *proto_value_name(const struct proto_field *f, uint64_t number);

struct proto_value {
  enum proto_field_id field;
  uint64_t number;       // of numbers, bool and enumerations; negative ones in two's complement
  const uint8_t *bytes;  // of strings (with a 0 behind) and bytes
  size_t len;
  struct proto *sub;
  struct proto_value *next;
};
/// Its values stand in rising order of the fields' numbers, those of one field as they came, maps
/// in order of their keys.
struct proto {
  enum proto_message_id is;
  struct arena *arena;
  struct proto_value *values, *last;
};

struct proto *proto_new(struct arena *arena, enum proto_message_id is);
/// Sets, or (MANY) adds a number, bool or value of an enumeration.
void proto_number(struct proto *m, enum proto_field_id field, uint64_t number);
void proto_text(struct proto *m, enum proto_field_id field, const char *text);
void proto_bytes(struct proto *m, enum proto_field_id field, const uint8_t *bytes, size_t len);
/// The message in this field, which is there from now on; MANY: a new one.
struct proto *proto_add(struct proto *m, enum proto_field_id field);
/// The value with this key of a map. `fresh`: it was not there before.
struct proto *proto_entry(struct proto *m, enum proto_field_id field, const char *key, bool *fresh);

/// Bytes of the wire format.
size_t proto_size(const struct proto *m);
/// Writes as many; returns where they end.
uint8_t *proto_write(const struct proto *m, uint8_t *to);

/// The text format of protobuf.
void proto_print_text(const struct proto *m, FILE *out);
/// JSON as protobuf maps it: names in camelCase, 64-bit numbers and bytes (base64) as strings.
void proto_print_json(const struct proto *m, FILE *out);
