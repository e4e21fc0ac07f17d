// SPDX-License-Identifier: Apache-2.0
// What is known at compile time, as static_assert sees it.
#include <core.p4>
enum colour_t { red, green, blue }
struct all_t { bit<8> b; int<4> i; bool t; colour_t c; error e; tuple<bit<3>, bool> p; }
const all_t zero = { ... };
const bool d0 = static_assert(zero.b == 0 && zero.i == 0 && !zero.t, "zeros");
const bool d1 = static_assert(zero.c == colour_t.red && zero.e == error.NoError, "the first members");
const bool d2 = static_assert(zero.p[0] == 0 && zero.p[1] == false, "in a tuple");
const bool c0 = static_assert(3 >= 3 && 3 <= 3 && !(3 > 3) && !(3 < 3) && 4 > 3 && 3 < 4, "orders");
const bool c1 = static_assert(-1 < 0 && 8s0 > -8s1 && 8w255 > 0, "signs");
const bool a0 = static_assert(8w200 |+| 100 == 255 && 8w5 |-| 6 == 0, "saturation");
const bool a1 = static_assert(8s100 |+| 100 == 127 && -8s100 |-| 100 == -128, "of int");
const bool a2 = static_assert(17 / 5 == 3 && 17 % 5 == 2 && -7 >> 1 == -4 && 1 << 70 >> 69 == 2, "int");
const bool a3 = static_assert(8w1 - 2 == 255 && 8w16 * 16 == 0 && -8w1 == 255 && ~8w1 == 254, "wraps");
const bool a4 = static_assert(8s127 + 1 == -128 && -8s128 == -128, "of int");
const bool s0 = static_assert(16w0xabcd[11:4] == 0xbc && 0x1234[7:0] == 8w0x34, "slices");
const bool s1 = static_assert(4w0xa ++ 8w0xbc == 12w0xabc && (int<8>)(-4s1 ++ 4w0) == -16, "++");
const bool s2 = static_assert((bit<4>)8w0xab == 0xb && (int<16>)-8s1 == -1 && (bit<8>)-8s1 == 255, "casts");
const bool s3 = static_assert((true ? 1 : 2) == 1 && (false ? 1 : 2) == 2, "?:");
const bool s4 = static_assert((8w0xf0 & 0x3c) == 0x30 && (8w0xf0 | 0x0f) == 255 && (8w0xf0 ^ 0xff) == 15, "bits");
const bool s5 = static_assert(8w1 << 8 == 0 && 8w128 >> 7 == 1 && -8s128 >> 9 == -1, "shifts");
const bool w0 = static_assert(0xffffffffffffffffffffffff + 1 == 1 << 96, "carries");
const bool w1 = static_assert((1 << 96) - 1 == 0xffffffffffffffffffffffff, "borrows");
const bool w2 = static_assert(0xffffffffff * 0xffffffffff == 0xfffffffffe0000000001, "products");
const bool w3 = static_assert(-3 * 5 == -15 && -3 * -5 == 15 && 3 * -5 == -15, "signs of products");
