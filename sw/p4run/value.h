// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/arena.h"
#include "../p4/ast.h"

/// Values of a running P4 program, of any width, with arithmetic of their own.
///
/// A value of bit<W>, int<W>, bool, .. is a plain struct: it may be copied as C copies structs.
/// What is made of members (structs, headers, stacks) holds a pointer to them: p4v_copy makes a
/// second one, p4v_assign writes into the members that are there, so that a place in a value stays
/// a place.
///
/// The fields of a header that is not valid are zero, always: so a read needs no look at the valid
/// bit. Who writes a field has to ask first.
enum p4v_kind {
  P4V_NONE,    // void; an optional argument that is not there
  P4V_BITS,    // width, is_signed: `word`, or `words` above 64 bits, the lowest first
  P4V_BOOL,    // truth
  P4V_TEXT,    // text
  P4V_NUMBER,  // word: a member of an error, an enum without a type; an action of a table
  P4V_VARBIT,  // width: the most; num: bits in it; `words` as if of bit<width>
  P4V_STRUCT,  // struct, tuple, list: items
  P4V_HEADER,  // truth: valid
  P4V_UNION,   // items: headers, at most one valid
  P4V_STACK,   // items, next: its nextIndex
  P4V_OBJECT,  // object: an instance, a table, packet_in ..
  P4V_RESULT,  // of a table's apply: truth: hit; next: number of the action in its list
};
struct p4v {
  enum p4v_kind kind;
  bool is_signed, truth;
  unsigned width, num, next;
  const struct p4_type *type;
  union {
    uint64_t word;
    const uint64_t *words;
    struct p4v *items;
    const char *text;
    void *object;
  };
};

/// What a type is behind `type` and behind an enum with a type.
const struct p4_type *p4v_under(const struct p4_type *type);
/// 0, false, the first member, an invalid header.
struct p4v p4v_zero(struct arena *a, const struct p4_type *type);
struct p4v p4v_copy(struct arena *a, struct p4v v);
/// Writes `from` into the members of `to`, which has the same type.
void p4v_assign(struct p4v *to, struct p4v from);
/// The same; words of wide numbers are written into those that are there, which p4v_copy has made.
void p4v_assign_words(struct p4v *to, struct p4v from);
/// Structs, headers, tuples, stacks, unions.
bool p4v_has_items(struct p4v v);
/// Sets a header's valid bit; an invalid one loses its fields.
void p4v_set_valid(struct p4v *header, bool valid);
/// A constant of the checker.
struct p4v p4v_constant(struct arena *a, const struct p4_type *type, const struct p4_value *value);
bool p4v_equal(struct p4v x, struct p4v y);

struct p4v p4v_bits(unsigned width, uint64_t value);  // at most 64 bits
struct p4v p4v_truth(bool truth);
/// Big-endian: the low `width` bits of `len` bytes.
struct p4v p4v_from_bytes(struct arena *a, unsigned width, const uint8_t *bytes, size_t len);
/// The low 64 bits, without sign.
uint64_t p4v_low(struct p4v v);
/// Whether it is below 2**64 seen without sign, so that p4v_low is all of it.
bool p4v_is_small(struct p4v v);
/// "0x2a" of any width; true, false.
const char *p4v_text(struct arena *a, struct p4v v);

// ---- arithmetic ---------------------------------------------------------------------------------

/// Any operator but && and ||. Operands have equal types but for shifts and `++`. `/` and `%` are
/// of bit<W> alone. Division by zero: the quotient is all ones and the remainder the dividend.
struct p4v p4v_binary(struct arena *a, enum p4_op op, struct p4v x, struct p4v y);
struct p4v p4v_unary(struct arena *a, enum p4_op op, struct p4v x);
/// Bits high..low as bit<high - low + 1>.
struct p4v p4v_slice(struct arena *a, struct p4v x, unsigned high, unsigned low);
/// x with `part` at bits low.. of it.
struct p4v p4v_with_slice(struct arena *a, struct p4v x, struct p4v part, unsigned low);
/// Cut, or extended by the sign if x has one; then seen as `is_signed`.
struct p4v p4v_resize(struct arena *a, struct p4v x, unsigned width, bool is_signed);
struct p4v p4v_cast(struct arena *a, struct p4v x, const struct p4_type *to);
/// Less than, with the sign of x.
bool p4v_less(struct p4v x, struct p4v y);

// ---- strings of bits ----------------------------------------------------------------------------

/// What stands on the wire, the first bit in the top of the first byte.
struct p4v_string {
  struct arena *arena;
  uint8_t *bytes;
  size_t bits, room;  // room: bytes
};
void p4v_append_bytes(struct p4v_string *s, const uint8_t *bytes, size_t bits);
/// All bits of a value; headers that are not valid give none. Enums without a type and errors have
/// 32 bits.
void p4v_append(struct p4v_string *s, struct p4v v);
/// bit<bits> that begin at bit `at`.
struct p4v p4v_read_bits(struct arena *a, const uint8_t *bytes, size_t at, unsigned bits);
/// Reads a value of a type without varbit from bit `at` on; headers in it become valid. `at` moves.
struct p4v p4v_read(struct arena *a, const struct p4_type *type, const uint8_t *bytes, size_t *at);
