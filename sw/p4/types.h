// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wide.h"

/// Types and constant values of a checked program.
///
/// Each type exists once in a program: two types are equal if and only if their pointers are. A
/// `typedef` leaves no trace; a `type` (new type) is a type of its own. A generic struct, header,
/// extern, control, parser or package has one type for each list of type arguments.

struct p4_decl;
struct p4_program;

enum p4_type_kind {
  P4_TYPE_POISON,      // of what has an error; never seen in a program without errors
  P4_TYPE_VOID,        // of a call without result
  P4_TYPE_BOOL,        // bool
  P4_TYPE_INT,         // int: any size, known at compile time
  P4_TYPE_BITS,        // bit<width>, or (is_signed) int<width>; width may be 0
  P4_TYPE_VARBIT,      // varbit<width>: width is the most
  P4_TYPE_STRING,      // string
  P4_TYPE_ERROR,       // error; a value is a member, numbered p4_decl.number from 0
  P4_TYPE_MATCH_KIND,  // match_kind
  P4_TYPE_ENUM,        // decl; element: the type it is numbered in (bit<8>), or NULL
  P4_TYPE_STRUCT,      // decl, args, fields
  P4_TYPE_HEADER,      // the same
  P4_TYPE_UNION,       // header_union: the same
  P4_TYPE_STACK,       // element[size]: element is a header or a union
  P4_TYPE_TUPLE,       // args: the members
  P4_TYPE_LIST,        // list<element>: of constants only
  P4_TYPE_NEW,         // `type element decl`
  P4_TYPE_SET,         // what a keyset is: of `element`
  P4_TYPE_VALUE_SET,   // value_set<element>
  P4_TYPE_EXTERN,      // decl, args: an extern object
  P4_TYPE_PARSER,      // decl, args: an instance of a parser, or of a parser type
  P4_TYPE_CONTROL,     // the same of a control
  P4_TYPE_PACKAGE,     // the same of a package
  P4_TYPE_TABLE,       // decl: a table
  P4_TYPE_RESULT,      // decl: what its apply() gives; members hit, miss, action_run
  P4_TYPE_ACTION_RUN,  // decl: the enum of the table's actions
  P4_TYPE_CALLABLE,    // decl: the name of a function, action, method, not called
  P4_TYPE_STATE,       // the name of a parser state
  P4_TYPE_VARIABLE,    // decl: a type parameter; only inside of generic declarations
  P4_TYPE_ANY,         // `_` as a type argument, `...`, an expression with no type of its own
};

struct p4_field {
  const char *name;
  const struct p4_type *type;
  const struct p4_decl *decl;  // where it is declared, with its annotations
};

struct p4_type {
  enum p4_type_kind kind;
  bool is_signed;              // P4_TYPE_BITS
  unsigned width;              // P4_TYPE_BITS, P4_TYPE_VARBIT
  unsigned size;               // P4_TYPE_STACK
  const struct p4_decl *decl;  // as above
  const struct p4_type *element;
  unsigned num_args;  // type arguments; members of a tuple
  const struct p4_type *const *args;
  unsigned num_fields;  // structs, headers, unions
  const struct p4_field *fields;
  unsigned number;  // in order of making: a name for it in tables of the reader
  // What is asked about all parts, kept, since types may share parts many times over.
  bool sized, holds_header, in_header, emits, generic, loose;
  unsigned varbits;
  uint64_t most_bits, least_bits;
  const struct p4_value *start;  // what `...` stands for, once it was asked
  struct p4_type *next;          // of the table in which each exists once
};

/// The text that a program would write: "bit<8>", "headers_t", "tuple<bit<8>, bool>". It lives in
/// the arena.
const char *p4_type_text(struct arena *a, const struct p4_type *type);

/// The field with this name, or NULL; of a struct, header or union.
const struct p4_field *p4_type_field(const struct p4_type *type, const char *name);
/// Behind `type`: what values are made of. An enum stays.
const struct p4_type *p4_type_base(const struct p4_type *type);
/// Bits of all members; a varbit counts with its most bits if `most`, else with 0; a union with its
/// largest member, or with the largest of the smallest sizes. Header stacks count all elements.
/// bool is 1 bit, an enum the bits of its type. False: it has no size (int, error, an enum without
/// a type).
bool p4_type_bits(const struct p4_type *type, bool most, uint64_t *bits);

/// A constant, folded by the checker.
enum p4_value_kind {
  P4_VALUE_NUMBER,  // of int, bit<W>, int<W>, an enum with a type; within the range of its type
  P4_VALUE_BOOL,
  P4_VALUE_STRING,   // without the quotes, escapes replaced
  P4_VALUE_MEMBER,   // of an error, an enum without a type, a match_kind
  P4_VALUE_LIST,     // tuple, struct, list: `items` by position
  P4_VALUE_HEADER,   // valid, with its fields
  P4_VALUE_INVALID,  // {#}: a header or a union that is not valid
};
struct p4_value {
  enum p4_value_kind kind;
  const struct p4_wide *number;
  bool truth;
  const char *text;
  const struct p4_decl *member;  // P4_VALUE_MEMBER; of a number: the enum's member if it has a name
  unsigned num_items;
  const struct p4_value *const *items;
};
