// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

const int a = 7 / 2 + 7 % 4 * (1 << 70) - (5 >> 1);
const bit<8> wraps = 8w200 + 8w100;
const bool w1 = static_assert(wraps == 44, "bit<8> wraps");
const bool w2 = static_assert(8w5 |-| 8w9 == 0 && 8w250 |+| 8w9 == 255);
const bool w3 = static_assert(8w0xF0 ++ 4w3 == 12w0xF03);
const bool w4 = static_assert((8w0xA5)[7:4] == 4w0xA);
const bool w5 = static_assert(-8s128 |-| 8s1 == -8s128);
const bool w6 = static_assert((bit<4>) 8w0x1F == 15 && (int<4>) 4w15 == -1);
const bool w7 = static_assert((8s0x80 >> 7) == -1 && (8w0x80 >> 7) == 1);
const bool w8 = static_assert(8w1 << 8 == 0 && (1 << 100) >> 99 == 2);
const bool w9 = static_assert(true && !false || false ? true : false);
const bool w10 = static_assert((7 & 8w3) == 3, "int takes the width of the other side");
const bool w11 = static_assert((bit<1>) true == 1 && (bool) 1w0 == false);
const bool w12 = static_assert((-9 >> 1) == -5, "int shifts down to the floor");
const bool w13 = static_assert(8w5 & 8w0xF ^ 8w1 | 8w0 == 4, "& ^ | bind tighter than ==");
