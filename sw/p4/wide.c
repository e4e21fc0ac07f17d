// SPDX-License-Identifier: Apache-2.0
// Whole numbers of any size: sign and magnitude, in digits of 32 bits. Bit operations go over two's
// complement, digit by digit, with as many digits as the longer operand and one more.
#include "wide.h"

#include <string.h>

static struct p4_wide *make(struct arena *a, unsigned num) {
  struct p4_wide *x = arena_alloc(a, sizeof *x + num * sizeof x->digits[0]);
  x->num = num;
  return x;
}

static const struct p4_wide *trim(struct p4_wide *x) {
  while (x->num && !x->digits[x->num - 1]) x->num--;
  if (!x->num) x->negative = false;
  return x;
}

const struct p4_wide *p4_wide_from_unsigned(struct arena *a, uint64_t value) {
  struct p4_wide *x = make(a, 2);
  x->digits[0] = (uint32_t)value;
  x->digits[1] = (uint32_t)(value >> 32);
  return trim(x);
}

const struct p4_wide *p4_wide_from(struct arena *a, int64_t value) {
  const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  struct p4_wide *x = (struct p4_wide *)p4_wide_from_unsigned(a, size);
  x->negative = value < 0;
  return x;
}

static unsigned digit_value(char ch) {
  if (ch >= '0' && ch <= '9') return (unsigned)(ch - '0');
  if (ch >= 'a' && ch <= 'f') return (unsigned)(ch - 'a') + 10;
  if (ch >= 'A' && ch <= 'F') return (unsigned)(ch - 'A') + 10;
  return 99;
}

// x = x * factor + plus, in place; x has room for it.
static void multiply_add(struct p4_wide *x, uint32_t factor, uint32_t plus) {
  uint64_t carry = plus;
  for (unsigned i = 0; i < x->num; i++) {
    carry += (uint64_t)x->digits[i] * factor;
    x->digits[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) x->digits[x->num++] = (uint32_t)carry;
}

const struct p4_wide *p4_wide_read(struct arena *a, const char *text, size_t len, unsigned base) {
  size_t digits = 0;
  for (size_t i = 0; i < len; i++) {
    if (text[i] == '_') continue;
    if (digit_value(text[i]) >= base) return NULL;
    digits++;
  }
  if (!digits || digits * 4 > P4_WIDE_MOST_BITS) return NULL;
  struct p4_wide *x = make(a, (unsigned)(digits / 8 + 2));
  x->num = 0;
  for (size_t i = 0; i < len; i++)
    if (text[i] != '_') multiply_add(x, base, digit_value(text[i]));
  return trim(x);
}

// Digit i in two's complement; `borrow` is 1 before the lowest digit.
static uint32_t complement_digit(const struct p4_wide *x, unsigned i, uint32_t *borrow) {
  const uint32_t digit = i < x->num ? x->digits[i] : 0;
  if (!x->negative) return digit;
  const uint32_t value = ~digit + *borrow;
  *borrow = *borrow && !digit;
  return value;
}

void p4_wide_to_bytes(const struct p4_wide *x, uint8_t *bytes, size_t len) {
  uint32_t borrow = 1, digit = 0;
  for (size_t i = 0; i < len; i++) {
    if (i % 4 == 0) digit = complement_digit(x, (unsigned)(i / 4), &borrow);
    bytes[len - 1 - i] = (uint8_t)(digit >> (i % 4 * 8));
  }
}

static uint32_t divide_small(struct p4_wide *x, uint32_t by) {
  uint64_t rest = 0;
  for (unsigned i = x->num; i-- > 0;) {
    rest = rest << 32 | x->digits[i];
    x->digits[i] = (uint32_t)(rest / by);
    rest %= by;
  }
  while (x->num && !x->digits[x->num - 1]) x->num--;
  return (uint32_t)rest;
}

const char *p4_wide_text(struct arena *a, const struct p4_wide *x, unsigned base) {
  struct p4_wide *rest = make(a, x->num);
  memcpy(rest->digits, x->digits, x->num * sizeof x->digits[0]);
  const size_t most = (size_t)x->num * 32 + 4;
  char *text = arena_alloc(a, most + 1);
  char *at = text + most;
  do *--at = "0123456789abcdef"[divide_small(rest, base)];
  while (rest->num);
  if (base == 16) {
    *--at = 'x';
    *--at = '0';
  }
  if (x->negative) *--at = '-';
  return at;
}

static int compare_size(const struct p4_wide *x, const struct p4_wide *y) {
  if (x->num != y->num) return x->num < y->num ? -1 : 1;
  for (unsigned i = x->num; i-- > 0;)
    if (x->digits[i] != y->digits[i]) return x->digits[i] < y->digits[i] ? -1 : 1;
  return 0;
}

int p4_wide_compare(const struct p4_wide *x, const struct p4_wide *y) {
  if (x->negative != y->negative) return x->negative ? -1 : 1;
  return x->negative ? compare_size(y, x) : compare_size(x, y);
}

bool p4_wide_bit(const struct p4_wide *x, size_t i) {
  if (i / 32 >= x->num) return x->negative;
  uint32_t borrow = 1, digit = 0;
  for (unsigned d = 0; d <= i / 32; d++) digit = complement_digit(x, d, &borrow);
  return digit >> (i % 32) & 1;
}

size_t p4_wide_bits(const struct p4_wide *x) {
  if (!x->num) return 0;
  return (size_t)x->num * 32 - (size_t)__builtin_clz(x->digits[x->num - 1]);
}

bool p4_wide_fits(const struct p4_wide *x, unsigned width, bool is_signed) {
  const size_t bits = p4_wide_bits(x);
  if (!is_signed) return !x->negative && bits <= width;
  if (!width) return !x->num;
  if (!x->negative || bits < width) return bits < width;
  // The lowest value has a magnitude that is a power of two.
  for (size_t i = 0; i + 1 < bits; i++)
    if (x->digits[i / 32] >> (i % 32) & 1) return false;
  return bits == width;
}

uint64_t p4_wide_low(const struct p4_wide *x) {
  uint32_t borrow = 1;
  const uint64_t low = complement_digit(x, 0, &borrow);
  return low | (uint64_t)complement_digit(x, 1, &borrow) << 32;
}

bool p4_wide_small(const struct p4_wide *x, uint64_t most, uint64_t *value) {
  if (x->negative || x->num > 2 || p4_wide_low(x) > most) return false;
  *value = p4_wide_low(x);
  return true;
}

static const struct p4_wide *add_sizes(struct arena *a, const struct p4_wide *x,
                                       const struct p4_wide *y, bool negative) {
  const unsigned most = x->num > y->num ? x->num : y->num;
  struct p4_wide *sum = make(a, most + 1);
  uint64_t carry = 0;
  for (unsigned i = 0; i <= most; i++) {
    carry += (i < x->num ? x->digits[i] : 0) + (uint64_t)(i < y->num ? y->digits[i] : 0);
    sum->digits[i] = (uint32_t)carry;
    carry >>= 32;
  }
  sum->negative = negative;
  return trim(sum);
}

// x is not smaller than y.
static const struct p4_wide *sub_sizes(struct arena *a, const struct p4_wide *x,
                                       const struct p4_wide *y, bool negative) {
  struct p4_wide *rest = make(a, x->num);
  uint64_t borrow = 0;
  for (unsigned i = 0; i < x->num; i++) {
    const uint64_t less = (i < y->num ? y->digits[i] : 0) + borrow;
    borrow = x->digits[i] < less;
    rest->digits[i] = (uint32_t)(x->digits[i] - less);
  }
  rest->negative = negative;
  return trim(rest);
}

static const struct p4_wide *add(struct arena *a, const struct p4_wide *x, const struct p4_wide *y,
                                 bool y_negative) {
  if (x->negative == y_negative) return add_sizes(a, x, y, x->negative);
  return compare_size(x, y) >= 0 ? sub_sizes(a, x, y, x->negative) : sub_sizes(a, y, x, y_negative);
}

const struct p4_wide *p4_wide_add(struct arena *a, const struct p4_wide *x,
                                  const struct p4_wide *y) {
  return add(a, x, y, y->negative);
}

const struct p4_wide *p4_wide_sub(struct arena *a, const struct p4_wide *x,
                                  const struct p4_wide *y) {
  return add(a, x, y, !y->negative);
}

const struct p4_wide *p4_wide_mul(struct arena *a, const struct p4_wide *x,
                                  const struct p4_wide *y) {
  struct p4_wide *product = make(a, x->num + y->num);
  for (unsigned i = 0; i < x->num; i++) {
    uint64_t carry = 0;
    for (unsigned j = 0; j < y->num; j++) {
      carry += (uint64_t)x->digits[i] * y->digits[j] + product->digits[i + j];
      product->digits[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    product->digits[i + y->num] = (uint32_t)carry;
  }
  product->negative = x->negative != y->negative;
  return trim(product);
}

// One bit a turn: constants are short.
const struct p4_wide *p4_wide_div(struct arena *a, const struct p4_wide *x, const struct p4_wide *y,
                                  const struct p4_wide **remainder) {
  struct p4_wide *quotient = make(a, x->num), *rest = make(a, y->num + 1);
  for (size_t i = p4_wide_bits(x); i-- > 0;) {
    uint32_t in = x->digits[i / 32] >> (i % 32) & 1;
    for (unsigned d = 0; d <= y->num; d++) {
      const uint32_t out = rest->digits[d] >> 31;
      rest->digits[d] = rest->digits[d] << 1 | in;
      in = out;
    }
    rest->num = y->num + 1;
    while (rest->num && !rest->digits[rest->num - 1]) rest->num--;
    if (compare_size(rest, y) < 0) continue;
    uint64_t borrow = 0;
    for (unsigned d = 0; d <= y->num; d++) {
      const uint64_t less = (d < y->num ? y->digits[d] : 0) + borrow;
      borrow = rest->digits[d] < less;
      rest->digits[d] = (uint32_t)(rest->digits[d] - less);
    }
    quotient->digits[i / 32] |= (uint32_t)1 << (i % 32);
  }
  quotient->negative = x->negative != y->negative;
  rest->num = y->num + 1;
  rest->negative = x->negative;
  if (remainder) *remainder = trim(rest);
  return trim(quotient);
}

const struct p4_wide *p4_wide_neg(struct arena *a, const struct p4_wide *x) {
  struct p4_wide *copy = make(a, x->num);
  memcpy(copy->digits, x->digits, x->num * sizeof x->digits[0]);
  copy->negative = !x->negative;
  return trim(copy);
}

const struct p4_wide *p4_wide_not(struct arena *a, const struct p4_wide *x) {
  return p4_wide_sub(a, p4_wide_from(a, -1), x);
}

// Of digits in two's complement, the highest bit of which is the sign.
static const struct p4_wide *from_complement(struct p4_wide *x) {
  x->negative = x->num && x->digits[x->num - 1] >> 31;
  if (!x->negative) return trim(x);
  uint32_t carry = 1;
  for (unsigned i = 0; i < x->num; i++) {
    x->digits[i] = ~x->digits[i] + carry;
    carry = carry && !x->digits[i];
  }
  return trim(x);
}

enum bitwise { AND, OR, XOR };
static const struct p4_wide *bitwise(struct arena *a, const struct p4_wide *x,
                                     const struct p4_wide *y, enum bitwise op) {
  const unsigned num = (x->num > y->num ? x->num : y->num) + 1;
  struct p4_wide *z = make(a, num);
  uint32_t x_borrow = 1, y_borrow = 1;
  for (unsigned i = 0; i < num; i++) {
    const uint32_t p = complement_digit(x, i, &x_borrow), q = complement_digit(y, i, &y_borrow);
    z->digits[i] = op == AND ? p & q : op == OR ? p | q : p ^ q;
  }
  return from_complement(z);
}

const struct p4_wide *p4_wide_and(struct arena *a, const struct p4_wide *x,
                                  const struct p4_wide *y) {
  return bitwise(a, x, y, AND);
}

const struct p4_wide *p4_wide_or(struct arena *a, const struct p4_wide *x,
                                 const struct p4_wide *y) {
  return bitwise(a, x, y, OR);
}

const struct p4_wide *p4_wide_xor(struct arena *a, const struct p4_wide *x,
                                  const struct p4_wide *y) {
  return bitwise(a, x, y, XOR);
}

const struct p4_wide *p4_wide_shl(struct arena *a, const struct p4_wide *x, unsigned by) {
  const unsigned whole = by / 32, part = by % 32;
  struct p4_wide *z = make(a, x->num + whole + 1);
  for (unsigned i = 0; i < x->num; i++) {
    const uint64_t wide = (uint64_t)x->digits[i] << part;
    z->digits[i + whole] |= (uint32_t)wide;
    z->digits[i + whole + 1] |= (uint32_t)(wide >> 32);
  }
  z->negative = x->negative;
  return trim(z);
}

const struct p4_wide *p4_wide_shr(struct arena *a, const struct p4_wide *x, unsigned by) {
  if (x->negative) return p4_wide_not(a, p4_wide_shr(a, p4_wide_not(a, x), by));
  const unsigned whole = by / 32, part = by % 32;
  if (whole >= x->num) return p4_wide_from(a, 0);
  struct p4_wide *z = make(a, x->num - whole);
  for (unsigned i = 0; i < z->num; i++) {
    const uint64_t high = i + whole + 1 < x->num ? x->digits[i + whole + 1] : 0;
    z->digits[i] = (uint32_t)((high << 32 | x->digits[i + whole]) >> part);
  }
  return trim(z);
}

const struct p4_wide *p4_wide_power(struct arena *a, unsigned n) {
  struct p4_wide *x = make(a, n / 32 + 1);
  x->digits[n / 32] = (uint32_t)1 << (n % 32);
  return x;
}

const struct p4_wide *p4_wide_wrap(struct arena *a, const struct p4_wide *x, unsigned width,
                                   bool is_signed) {
  if (p4_wide_fits(x, width, is_signed)) return x;
  if (!width) return p4_wide_from(a, 0);
  const struct p4_wide *power = p4_wide_power(a, width);
  const struct p4_wide *low = p4_wide_and(a, x, p4_wide_sub(a, power, p4_wide_from(a, 1)));
  if (is_signed && p4_wide_bit(low, width - 1)) return p4_wide_sub(a, low, power);
  return low;
}
