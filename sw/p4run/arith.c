// SPDX-License-Identifier: Apache-2.0
// Arithmetic of bit<W> and int<W> on words of 64 bits, the lowest first.
#include <string.h>

#include "value.h"

__extension__ typedef unsigned __int128 u128;

static size_t num_words(unsigned width) { return width <= 64 ? 1 : (width + 63) / 64; }

// A number under construction: its words may be written until it is closed.
struct work {
  unsigned width;
  size_t num;
  uint64_t *words;
  uint64_t one;
};
// `w` must not move while it is in use.
static void work_open(struct work *w, struct arena *a, unsigned width) {
  *w = (struct work){.width = width, .num = num_words(width)};
  w->words = w->num == 1 ? &w->one : NEW_ARRAY(a, uint64_t, w->num);
}
static struct p4v work_close(struct work *w, bool is_signed) {
  if (w->width == 0) w->words[0] = 0;
  if (w->width % 64) w->words[w->num - 1] &= ((uint64_t)1 << w->width % 64) - 1;
  struct p4v v = {.kind = P4V_BITS, .width = w->width, .is_signed = is_signed};
  if (w->width > 64) v.words = w->words;
  else v.word = w->words[0];
  return v;
}

static const uint64_t *words_of(const struct p4v *v) { return v->width > 64 ? v->words : &v->word; }
static bool bit_of(const struct p4v *v, unsigned i) {
  return i < v->width && (words_of(v)[i / 64] >> i % 64 & 1);
}
static bool is_negative(const struct p4v *v) {
  return v->is_signed && v->width && bit_of(v, v->width - 1);
}
// Word i, as if the number went on for ever.
static uint64_t word_of(const struct p4v *v, size_t i) {
  const uint64_t fill = is_negative(v) ? ~(uint64_t)0 : 0;
  if (i >= num_words(v->width)) return fill;
  uint64_t word = words_of(v)[i];
  if (i == num_words(v->width) - 1 && v->width % 64) word |= fill << v->width % 64;
  if (v->width == 0) return 0;
  return word;
}

struct p4v p4v_resize(struct arena *a, struct p4v x, unsigned width, bool is_signed) {
  struct work w;
  work_open(&w, a, width);
  for (size_t i = 0; i < w.num; i++) w.words[i] = word_of(&x, i);
  return work_close(&w, is_signed);
}

static struct p4v add(struct arena *a, struct p4v x, struct p4v y, bool subtract) {
  struct work w;
  work_open(&w, a, x.width);
  u128 carry = subtract;
  for (size_t i = 0; i < w.num; i++) {
    const uint64_t other = subtract ? ~words_of(&y)[i] : words_of(&y)[i];
    carry += (u128)words_of(&x)[i] + other;
    w.words[i] = (uint64_t)carry;
    carry >>= 64;
  }
  return work_close(&w, x.is_signed);
}

static struct p4v multiply(struct arena *a, struct p4v x, struct p4v y) {
  struct work w;
  work_open(&w, a, x.width);
  for (size_t i = 0; i < w.num; i++) {
    u128 carry = 0;
    for (size_t k = 0; i + k < w.num; k++) {
      carry += (u128)words_of(&x)[i] * words_of(&y)[k] + w.words[i + k];
      w.words[i + k] = (uint64_t)carry;
      carry >>= 64;
    }
  }
  return work_close(&w, x.is_signed);
}

static bool less_unsigned(const struct p4v *x, const struct p4v *y) {
  for (size_t i = num_words(x->width); i-- > 0;)
    if (words_of(x)[i] != words_of(y)[i]) return words_of(x)[i] < words_of(y)[i];
  return false;
}

bool p4v_less(struct p4v x, struct p4v y) {
  if (is_negative(&x) != is_negative(&y)) return is_negative(&x);
  return less_unsigned(&x, &y);
}

static bool is_zero(const struct p4v *x) {
  for (size_t i = 0; i < num_words(x->width); i++)
    if (words_of(x)[i]) return false;
  return true;
}

static struct p4v shift_left(struct arena *a, struct p4v x, uint64_t by) {
  struct work w;
  work_open(&w, a, x.width);
  for (size_t i = 0; by < x.width && i < w.num; i++) {
    const size_t whole = (size_t)by / 64, part = by % 64;
    if (i < whole) continue;
    w.words[i] = words_of(&x)[i - whole] << part;
    if (part && i > whole) w.words[i] |= words_of(&x)[i - whole - 1] >> (64 - part);
  }
  return work_close(&w, x.is_signed);
}

static struct p4v shift_right(struct arena *a, struct p4v x, uint64_t by) {
  struct work w;
  work_open(&w, a, x.width);
  if (by > x.width) by = x.width;
  for (size_t i = 0; i < w.num; i++) {
    const size_t whole = (size_t)by / 64, part = by % 64;
    w.words[i] = word_of(&x, i + whole) >> part;
    if (part) w.words[i] |= word_of(&x, i + whole + 1) << (64 - part);
  }
  return work_close(&w, x.is_signed);
}

static struct p4v negate(struct arena *a, struct p4v x) {
  struct p4v zero = p4v_resize(a, p4v_bits(1, 0), x.width, x.is_signed);
  return add(a, zero, x, true);
}

// Both without a sign: bit by bit, as on paper.
static struct p4v divide(struct arena *a, struct p4v x, struct p4v y, struct p4v *remainder) {
  if (is_zero(&y)) {
    *remainder = x;
    return p4v_unary(a, P4_OP_COMPLEMENT, y);
  }
  const unsigned width = x.width;
  struct p4v rest = p4v_resize(a, p4v_bits(1, 0), width + 1, false);
  struct p4v by = p4v_resize(a, y, width + 1, false);
  struct work w;
  work_open(&w, a, width);
  for (unsigned i = width; i-- > 0;) {
    rest = shift_left(a, rest, 1);
    if (bit_of(&x, i))
      rest = p4v_binary(a, P4_OP_OR, rest, p4v_resize(a, p4v_bits(1, 1), width + 1, false));
    if (less_unsigned(&rest, &by)) continue;
    rest = add(a, rest, by, true);
    w.words[i / 64] |= (uint64_t)1 << i % 64;
  }
  *remainder = p4v_resize(a, rest, width, false);
  return work_close(&w, false);
}

// In two bits more nothing is lost; then cut to what the type has.
static struct p4v saturate(struct arena *a, struct p4v x, struct p4v y, bool subtract) {
  const unsigned width = x.width;
  const bool is_signed = x.is_signed;
  struct p4v sum =
      add(a, p4v_resize(a, x, width + 2, true), p4v_resize(a, y, width + 2, true), subtract);
  struct p4v one = p4v_resize(a, p4v_bits(1, 1), width + 2, true);
  struct p4v zero = p4v_resize(a, p4v_bits(1, 0), width + 2, true), low = zero;
  struct p4v above = shift_left(a, one, width - (is_signed && width));
  if (is_signed && width) low = add(a, zero, above, true);
  const struct p4v high = add(a, above, one, true);
  if (p4v_less(sum, low)) sum = low;
  if (p4v_less(high, sum)) sum = high;
  return p4v_resize(a, sum, width, is_signed);
}

static struct p4v bitwise(struct arena *a, enum p4_op op, struct p4v x, struct p4v y) {
  struct work w;
  work_open(&w, a, x.width);
  for (size_t i = 0; i < w.num; i++) {
    const uint64_t p = words_of(&x)[i], q = words_of(&y)[i];
    w.words[i] = op == P4_OP_AND ? p & q : op == P4_OP_OR ? p | q : p ^ q;
  }
  return work_close(&w, x.is_signed);
}

static struct p4v concat(struct arena *a, struct p4v x, struct p4v y) {
  const unsigned width = x.width + y.width;
  const bool is_signed = x.is_signed;
  x.is_signed = y.is_signed = false;
  struct p4v high = shift_left(a, p4v_resize(a, x, width, is_signed), y.width);
  return bitwise(a, P4_OP_OR, high, p4v_resize(a, y, width, is_signed));
}

struct p4v p4v_binary(struct arena *a, enum p4_op op, struct p4v x, struct p4v y) {
  struct p4v rest;
  const uint64_t by = p4v_is_small(y) ? p4v_low(y) : UINT64_MAX;
  switch (op) {
    case P4_OP_ADD: return add(a, x, y, false);
    case P4_OP_SUB: return add(a, x, y, true);
    case P4_OP_MUL: return multiply(a, x, y);
    case P4_OP_DIV: return divide(a, x, y, &rest);
    case P4_OP_MOD: divide(a, x, y, &rest); return rest;
    case P4_OP_ADD_SAT: return saturate(a, x, y, false);
    case P4_OP_SUB_SAT: return saturate(a, x, y, true);
    case P4_OP_CONCAT: return concat(a, x, y);
    case P4_OP_SHL: return shift_left(a, x, by);
    case P4_OP_SHR: return shift_right(a, x, by);
    case P4_OP_AND:
    case P4_OP_OR:
    case P4_OP_XOR: return bitwise(a, op, x, y);
    case P4_OP_LT: return p4v_truth(p4v_less(x, y));
    case P4_OP_LE: return p4v_truth(!p4v_less(y, x));
    case P4_OP_GT: return p4v_truth(p4v_less(y, x));
    case P4_OP_GE: return p4v_truth(!p4v_less(x, y));
    case P4_OP_EQ: return p4v_truth(p4v_equal(x, y));
    case P4_OP_NE: return p4v_truth(!p4v_equal(x, y));
    default: return (struct p4v){.kind = P4V_NONE};
  }
}

struct p4v p4v_unary(struct arena *a, enum p4_op op, struct p4v x) {
  if (op == P4_OP_NOT) return p4v_truth(!x.truth);
  if (op == P4_OP_NEGATE) return negate(a, x);
  if (op != P4_OP_COMPLEMENT) return x;
  struct work w;
  work_open(&w, a, x.width);
  for (size_t i = 0; i < w.num; i++) w.words[i] = ~words_of(&x)[i];
  return work_close(&w, x.is_signed);
}

struct p4v p4v_slice(struct arena *a, struct p4v x, unsigned high, unsigned low) {
  return p4v_resize(a, shift_right(a, x, low), high - low + 1, false);
}

struct p4v p4v_with_slice(struct arena *a, struct p4v x, struct p4v part, unsigned low) {
  struct work w;
  work_open(&w, a, x.width);
  memcpy(w.words, words_of(&x), w.num * sizeof *w.words);
  for (unsigned i = 0; i < part.width && low + i < x.width; i++) {
    const uint64_t bit = (uint64_t)1 << (low + i) % 64;
    if (bit_of(&part, i)) w.words[(low + i) / 64] |= bit;
    else w.words[(low + i) / 64] &= ~bit;
  }
  return work_close(&w, x.is_signed);
}

struct p4v p4v_cast(struct arena *a, struct p4v x, const struct p4_type *to) {
  const struct p4_type *t = p4v_under(to);
  struct p4v v = x;
  if (t->kind == P4_TYPE_BITS) {
    if (x.kind == P4V_BOOL) x = p4v_bits(1, x.truth);
    if (x.kind == P4V_BITS) v = p4v_resize(a, x, t->width, t->is_signed);
  } else if (t->kind == P4_TYPE_BOOL && x.kind == P4V_BITS) {
    v = p4v_truth(!is_zero(&x));
  }
  v.type = to;
  return v;
}
