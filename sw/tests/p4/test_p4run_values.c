// SPDX-License-Identifier: Apache-2.0
// Values of the P4 interpreter against the compiler's own 128-bit numbers, and hashes against their
// published check values.

#include "tests/rig/test.h"
#include "base/rng.h"
#include "p4run/hash.h"
#include "p4run/switch.h"
#include "p4run/value.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

enum { ROUNDS = 20000 };

static struct arena arena;
static struct sluice_rng rng;

static u128 ones(unsigned width) { return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1; }
static i128 with_sign(u128 x, unsigned width) {
  return width && (x >> (width - 1) & 1) ? (i128)(x | ~ones(width)) : (i128)x;
}
static struct p4v make(unsigned width, bool is_signed, u128 x) {
  uint8_t bytes[16];
  for (unsigned i = 0; i < 16; i++) bytes[15 - i] = (uint8_t)(x >> 8 * i);
  struct p4v v = p4v_from_bytes(&arena, width, bytes, 16);
  v.is_signed = is_signed;
  return v;
}
static u128 number(struct p4v v) {
  return v.width > 64 ? (u128)v.words[1] << 64 | v.words[0] : v.word;
}
static u128 pick(unsigned width) {
  u128 x = (u128)sluice_rng_next(&rng) << 64 | sluice_rng_next(&rng);
  const uint64_t how = sluice_rng_below(&rng, 8);
  if (how == 0) x = 0;
  if (how == 1) x = ~(u128)0;
  if (how == 2) x = (u128)1 << (width ? width - 1 : 0);
  if (how == 3) x >>= sluice_rng_below(&rng, 128);
  return x & ones(width);
}

// At most 126 bits, so that sums fit; products wrap as they do in 128 bits.
static u128 saturated(u128 x, u128 y, unsigned width, bool is_signed, bool subtract) {
  i128 sum, low = 0, high = (i128)ones(width);
  if (is_signed) {
    low = width ? -((i128)1 << (width - 1)) : 0;
    high = width ? -low - 1 : 0;
    x = (u128)with_sign(x, width);
    y = (u128)with_sign(y, width);
  }
  sum = subtract ? (i128)x - (i128)y : (i128)x + (i128)y;
  return (u128)(sum < low ? low : sum > high ? high : sum) & ones(width);
}

TEST(arithmetic_is_that_of_128_bits) {
  for (unsigned i = 0; i < ROUNDS; i++) {
    arena_release(&arena);
    const unsigned width = (unsigned)sluice_rng_below(&rng, 126) + 1;
    const bool s = sluice_rng_below(&rng, 2);
    const u128 a = pick(width), b = sluice_rng_below(&rng, 9) ? pick(width) : a, m = ones(width);
    const struct p4v x = make(width, s, a), y = make(width, s, b);
#define IS(OP, EXPECTED) assert_true(number(p4v_binary(&arena, P4_OP_##OP, x, y)) == ((EXPECTED)&m))
#define TRUTH(OP, EXPECTED) assert_int_equal(p4v_binary(&arena, P4_OP_##OP, x, y).truth, EXPECTED)
    IS(ADD, a + b);
    IS(SUB, a - b);
    IS(MUL, a * b);
    IS(AND, a & b);
    IS(OR, a | b);
    IS(XOR, a ^ b);
    IS(ADD_SAT, saturated(a, b, width, s, false));
    IS(SUB_SAT, saturated(a, b, width, s, true));
    const i128 p = with_sign(a, width), q = with_sign(b, width);
    TRUTH(LT, s ? p < q : a < b);
    TRUTH(LE, s ? p <= q : a <= b);
    TRUTH(GT, s ? p > q : a > b);
    TRUTH(GE, s ? p >= q : a >= b);
    TRUTH(EQ, a == b);
    TRUTH(NE, a != b);
    if (b && !s) {
      IS(DIV, a / b);
      IS(MOD, a % b);
    }
    assert_true(number(p4v_unary(&arena, P4_OP_NEGATE, x)) == (-a & m));
    assert_true(number(p4v_unary(&arena, P4_OP_COMPLEMENT, x)) == (~a & m));
  }
}

TEST(shifts_slices_and_sizes) {
  for (unsigned i = 0; i < ROUNDS; i++) {
    arena_release(&arena);
    const unsigned width = (unsigned)sluice_rng_below(&rng, 126) + 1;
    const bool s = sluice_rng_below(&rng, 2);
    const u128 a = pick(width), m = ones(width);
    const struct p4v x = make(width, s, a);
    const unsigned by = (unsigned)sluice_rng_below(&rng, 140);
    const struct p4v n = p4v_bits(32, by);
    const u128 left = by >= width ? 0 : a << by;
    const u128 right = s          ? (u128)(with_sign(a, width) >> (by > 127 ? 127 : by))
                       : by > 127 ? 0
                                  : a >> by;
    assert_true(number(p4v_binary(&arena, P4_OP_SHL, x, n)) == (left & m));
    assert_true(number(p4v_binary(&arena, P4_OP_SHR, x, n)) == (right & m));
    const unsigned low = (unsigned)sluice_rng_below(&rng, width);
    const unsigned high = low + (unsigned)sluice_rng_below(&rng, width - low);
    const u128 part = a >> low & ones(high - low + 1);
    assert_true(number(p4v_slice(&arena, x, high, low)) == part);
    const u128 other = pick(high - low + 1), hole = ones(high - low + 1) << low;
    const struct p4v put = p4v_with_slice(&arena, x, make(high - low + 1, false, other), low);
    assert_true(number(put) == ((a & ~hole) | other << low));
    const unsigned to = (unsigned)sluice_rng_below(&rng, 127) + 1;
    const u128 same = s ? (u128)with_sign(a, width) : a;
    assert_true(number(p4v_resize(&arena, x, to, s)) == (same & ones(to)));
    const unsigned more = (unsigned)sluice_rng_below(&rng, 127 - width);
    const u128 b = pick(more);
    const struct p4v both = p4v_binary(&arena, P4_OP_CONCAT, x, make(more, false, b));
    assert_true(number(both) == (a << more | b) && both.width == width + more);
  }
}

// (a + b)(a - b) = a a - b b, for any width.
TEST(wide_numbers_obey_the_laws) {
  for (unsigned i = 0; i < 500; i++) {
    arena_release(&arena);
    const unsigned width = 65 + (unsigned)sluice_rng_below(&rng, 2000);
    uint8_t bytes[2][264];
    for (unsigned k = 0; k < sizeof bytes; k++)
      bytes[k / 264][k % 264] = (uint8_t)sluice_rng_next(&rng);
    struct p4v a = p4v_from_bytes(&arena, width, bytes[0], 264);
    struct p4v b = p4v_from_bytes(&arena, width, bytes[1], 264);
#define OF(OP, X, Y) p4v_binary(&arena, P4_OP_##OP, X, Y)
    assert_true(
        p4v_equal(OF(MUL, OF(ADD, a, b), OF(SUB, a, b)), OF(SUB, OF(MUL, a, a), OF(MUL, b, b))));
    const struct p4v c = OF(SHR, b, p4v_bits(16, width / 2));
    assert_true(p4v_equal(OF(ADD, OF(MUL, OF(DIV, a, c), c), OF(MOD, a, c)), a));
    assert_true(p4v_less(OF(MOD, a, c), c));
    struct p4v_string s = {.arena = &arena};
    p4v_append(&s, p4v_bits(3, 5));
    p4v_append(&s, a);
    assert_int_equal(s.bits, width + 3);
    assert_true(p4v_equal(p4v_read_bits(&arena, s.bytes, 3, width), a));
  }
}

TEST(division_by_zero_has_a_value) {
  const struct p4v x = p4v_bits(8, 77), zero = p4v_bits(8, 0);
  assert_int_equal(p4v_low(p4v_binary(&arena, P4_OP_DIV, x, zero)), 255);
  assert_int_equal(p4v_low(p4v_binary(&arena, P4_OP_MOD, x, zero)), 77);
}

TEST(hashes_have_their_check_values) {
  const uint8_t *check = (const uint8_t *)"123456789";
  assert_int_equal(p4r_crc(&p4r_crc16, check, 9), 0xBB3D);
  assert_int_equal(p4r_crc(&p4r_crc32, check, 9), 0xCBF43926);
  const struct p4r_crc ccitt = {16, 0x1021, 0xFFFF, 0, 0, 0};
  assert_int_equal(p4r_crc(&ccitt, check, 9), 0x29B1);
  assert_int_equal(p4r_csum16(check, 9), 0xF62A);
  assert_int_equal(p4r_csum16((const uint8_t[]){0, 0}, 2), 0xFFFF);
  assert_int_equal(p4r_xor16(check, 9), 0x3908);
  assert_int_equal(p4r_xor16((const uint8_t[]){0x0b, 0xb8, 0x1f, 0x90, 0x5a}, 5), 0x4E28);
  assert_int_equal(p4r_identity(check, 9), 0x3132333435363738);
}

TEST(numbers_are_read_in_four_bases) {
  struct p4r_number n;
  const struct {
    const char *text;
    unsigned low;
    bool good;
  } cases[] = {{"0x1F", 31, true},    {"0b101", 5, true}, {"0o17", 15, true}, {"258", 258, true},
               {"1_000", 1000, true}, {"0x", 0, false},   {"0b2", 0, false},  {"12a", 0, false},
               {"", 0, false},        {"-", 0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(p4r_number_read(&n, cases[i].text, strlen(cases[i].text)), cases[i].good);
    if (!cases[i].good) continue;
    assert_int_equal(n.bytes[n.len - 2] << 8 | n.bytes[n.len - 1], cases[i].low);
  }
}

static int begin(void **state) {
  (void)state;
  sluice_rng_init(&rng, 1, "p4 values");
  return 0;
}
static int end(void **state) {
  (void)state;
  arena_release(&arena);
  return 0;
}

TEST_GROUP(begin, end)
