// SPDX-License-Identifier: Apache-2.0
// Whole numbers of any size, against those of 128 bits that the compiler has, and against their own
// laws beyond these.

#include "tests/rig/test.h"
#include "base/rng.h"
#include "p4/wide.h"

__extension__ typedef __int128 big;

enum { TURNS = 20000 };

static const struct p4_wide *from_big(struct arena *a, big x) {
  const bool negative = x < 0;
  const big size = negative ? -x : x;
  const struct p4_wide *high = p4_wide_from_unsigned(a, (uint64_t)(size >> 64));
  const struct p4_wide *low = p4_wide_from_unsigned(a, (uint64_t)size);
  const struct p4_wide *both = p4_wide_or(a, p4_wide_shl(a, high, 64), low);
  return negative ? p4_wide_neg(a, both) : both;
}

static void same(struct arena *a, const struct p4_wide *x, big y) {
  if (p4_wide_compare(x, from_big(a, y)) == 0) return;
  print_error("%s instead of %s\n", p4_wide_text(a, x, 16), p4_wide_text(a, from_big(a, y), 16));
  fail();
}

// Of few bits as often as of many.
static big random_big(struct sluice_rng *rng, unsigned most) {
  const unsigned bits = (unsigned)sluice_rng_below(rng, most + 1);
  big x = 0;
  for (unsigned i = 0; i < bits; i++) x = x << 1 | (big)sluice_rng_below(rng, 2);
  return sluice_rng_below(rng, 2) ? -x : x;
}

TEST(agrees_with_the_compiler) {
  struct arena arena = {0};
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "wide");
  for (unsigned i = 0; i < TURNS; i++) {
    const big x = random_big(&rng, 62), y = random_big(&rng, 60);
    const struct p4_wide *p = from_big(&arena, x), *q = from_big(&arena, y), *rest;
    const unsigned by = (unsigned)sluice_rng_below(&rng, 60);
    same(&arena, p4_wide_add(&arena, p, q), x + y);
    same(&arena, p4_wide_sub(&arena, p, q), x - y);
    same(&arena, p4_wide_mul(&arena, p, q), x * y);
    same(&arena, p4_wide_and(&arena, p, q), x & y);
    same(&arena, p4_wide_or(&arena, p, q), x | y);
    same(&arena, p4_wide_xor(&arena, p, q), x ^ y);
    same(&arena, p4_wide_not(&arena, p), ~x);
    same(&arena, p4_wide_shl(&arena, p, by), x * ((big)1 << by));
    same(&arena, p4_wide_shr(&arena, p, by), x >> by);
    assert_int_equal(p4_wide_compare(p, q), x < y ? -1 : x > y);
    assert_int_equal(p4_wide_bit(p, by), (int)(x >> by & 1));
    if (y) {
      same(&arena, p4_wide_div(&arena, p, q, &rest), x / y);
      same(&arena, rest, x % y);
    }
    const unsigned width = 1 + (unsigned)sluice_rng_below(&rng, 63);
    const big power = (big)1 << width, low = ((x % power) + power) % power;
    same(&arena, p4_wide_wrap(&arena, p, width, false), low);
    same(&arena, p4_wide_wrap(&arena, p, width, true), low >= power / 2 ? low - power : low);
    assert_true(p4_wide_fits(p, width, false) == (x >= 0 && x < power));
    assert_true(p4_wide_fits(p, width, true) == (x >= -power / 2 && x < power / 2));
    if (i % 1000 == 999) {
      arena_release(&arena);
      arena = (struct arena){0};
    }
  }
  arena_release(&arena);
}

static const struct p4_wide *random_wide(struct arena *a, struct sluice_rng *rng) {
  uint8_t bytes[60];
  const size_t len = 1 + (unsigned)sluice_rng_below(rng, sizeof bytes);
  char digits[2 * sizeof bytes + 1];
  for (size_t i = 0; i < len; i++) {
    bytes[i] = (uint8_t)sluice_rng_below(rng, 256);
    snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
  }
  const struct p4_wide *x = p4_wide_read(a, digits, 2 * len, 16);
  uint8_t back[60];
  p4_wide_to_bytes(x, back, len);
  assert_memory_equal(bytes, back, len);
  return sluice_rng_below(rng, 2) ? p4_wide_neg(a, x) : x;
}

TEST(laws_hold_for_many_bits) {
  struct arena arena = {0}, *a = &arena;
  struct sluice_rng rng;
  sluice_rng_init(&rng, 2, "wide");
  for (unsigned i = 0; i < TURNS / 20; i++) {
    const struct p4_wide *x = random_wide(a, &rng), *y = random_wide(a, &rng), *rest;
    assert_int_equal(p4_wide_compare(p4_wide_sub(a, p4_wide_add(a, x, y), y), x), 0);
    const struct p4_wide *both = p4_wide_add(a, p4_wide_and(a, x, y), p4_wide_or(a, x, y));
    assert_int_equal(p4_wide_compare(both, p4_wide_add(a, x, y)), 0);
    const struct p4_wide *turned = p4_wide_xor(a, p4_wide_xor(a, x, y), y);
    assert_int_equal(p4_wide_compare(turned, x), 0);
    if (!p4_wide_zero(y)) {
      const struct p4_wide *quotient = p4_wide_div(a, x, y, &rest);
      const struct p4_wide *again = p4_wide_add(a, p4_wide_mul(a, quotient, y), rest);
      assert_int_equal(p4_wide_compare(again, x), 0);
    }
    const unsigned by = (unsigned)sluice_rng_below(&rng, 400);
    assert_int_equal(p4_wide_compare(p4_wide_shr(a, p4_wide_shl(a, x, by), by), x), 0);
    for (unsigned base = 10; base <= 16; base += 6) {
      const char *text = p4_wide_text(a, x, base) + (x->negative ? 1 : 0);
      const char *digits = text + (base == 16 ? 2 : 0);
      const struct p4_wide *read = p4_wide_read(a, digits, strlen(digits), base);
      assert_int_equal(p4_wide_compare(x->negative ? p4_wide_neg(a, read) : read, x), 0);
    }
  }
  arena_release(a);
}

TEST(what_is_no_number_is_refused) {
  struct arena arena = {0};
  assert_null(p4_wide_read(&arena, "", 0, 10));
  assert_null(p4_wide_read(&arena, "_", 1, 10));
  assert_null(p4_wide_read(&arena, "12a", 3, 10));
  assert_null(p4_wide_read(&arena, "2", 1, 2));
  assert_non_null(p4_wide_read(&arena, "1_0", 3, 2));
  arena_release(&arena);
}
