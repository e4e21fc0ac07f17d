// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/arena.h"

/// Whole numbers of any size, as the compile-time type `int` has them.
///
/// A number never changes once it is made. It lives in the arena in which it was made. Bit
/// operations see negative numbers in two's complement with infinitely many ones in front: -1 & 255
/// is 255.
struct p4_wide {
  bool negative;  // never of 0
  unsigned num;   // digits in use; the highest one is not 0, and 0 has none
  uint32_t digits[];
};

/// A constant may have so many bits; what would have more is refused by the caller.
enum { P4_WIDE_MOST_BITS = 65536 };

const struct p4_wide *p4_wide_from(struct arena *a, int64_t value);
const struct p4_wide *p4_wide_from_unsigned(struct arena *a, uint64_t value);
/// Digits in base 2, 8, 10 or 16; '_' is skipped. NULL: a digit that is none in this base, no digit
/// at all, or more than P4_WIDE_MOST_BITS.
const struct p4_wide *p4_wide_read(struct arena *a, const char *text, size_t len, unsigned base);
/// The low 8 x len bits in two's complement, big-endian.
void p4_wide_to_bytes(const struct p4_wide *x, uint8_t *bytes, size_t len);

/// Decimal, or (base 16) "0x..". The text is the arena's.
const char *p4_wide_text(struct arena *a, const struct p4_wide *x, unsigned base);

int p4_wide_compare(const struct p4_wide *x, const struct p4_wide *y);  // -1, 0, 1
static inline bool p4_wide_zero(const struct p4_wide *x) { return x->num == 0; }
/// Bit i of two's complement.
bool p4_wide_bit(const struct p4_wide *x, size_t i);
/// Bits of the magnitude: 0 has 0, 255 and -255 have 8.
size_t p4_wide_bits(const struct p4_wide *x);
/// Whether the value is one of bit<width>, or (`is_signed`) of int<width>.
bool p4_wide_fits(const struct p4_wide *x, unsigned width, bool is_signed);
/// Whether it is within 0..most; then `*value` is the number.
bool p4_wide_small(const struct p4_wide *x, uint64_t most, uint64_t *value);
/// The low 64 bits in two's complement.
uint64_t p4_wide_low(const struct p4_wide *x);

const struct p4_wide *p4_wide_add(struct arena *a, const struct p4_wide *x,
                                  const struct p4_wide *y);
const struct p4_wide *p4_wide_sub(struct arena *a, const struct p4_wide *x,
                                  const struct p4_wide *y);
const struct p4_wide *p4_wide_mul(struct arena *a, const struct p4_wide *x,
                                  const struct p4_wide *y);
/// Quotient cut towards 0, and the remainder that belongs to it; y is not 0.
const struct p4_wide *p4_wide_div(struct arena *a, const struct p4_wide *x, const struct p4_wide *y,
                                  const struct p4_wide **remainder);
const struct p4_wide *p4_wide_neg(struct arena *a, const struct p4_wide *x);
const struct p4_wide *p4_wide_not(struct arena *a, const struct p4_wide *x);  // -x - 1
const struct p4_wide *p4_wide_and(struct arena *a, const struct p4_wide *x,
                                  const struct p4_wide *y);
const struct p4_wide *p4_wide_or(struct arena *a, const struct p4_wide *x, const struct p4_wide *y);
const struct p4_wide *p4_wide_xor(struct arena *a, const struct p4_wide *x,
                                  const struct p4_wide *y);
const struct p4_wide *p4_wide_shl(struct arena *a, const struct p4_wide *x, unsigned by);
const struct p4_wide *p4_wide_shr(struct arena *a, const struct p4_wide *x,
                                  unsigned by);  // floor
/// The low `width` bits as a value of bit<width>, or (`is_signed`) of int<width>.
const struct p4_wide *p4_wide_wrap(struct arena *a, const struct p4_wide *x, unsigned width,
                                   bool is_signed);
/// 2 to the power of n.
const struct p4_wide *p4_wide_power(struct arena *a, unsigned n);
