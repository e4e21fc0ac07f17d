// SPDX-License-Identifier: Apache-2.0
// Corners of the preprocessor; static_assert says what came out.
#include <core.p4>
#define itself itself
#define TAIL(x) x##_tail
#define HEAD(x) head_##x
#define AGAIN 8
#define AGAIN 16
#if 1 || 0 && 0
const int itself = 5;
#endif
#if (1 || 0) && 0
#error "|| is not as tight as &&"
#endif
#if 7 - 2 - 1 != 4 || 2 + 3 * 4 != 14 || (1 << 3 | 1) != 9
#error "operators"
#endif
const bit<AGAIN> some_tail = 3;
const bit<AGAIN> head_some = 4;
const bool b0 = static_assert(TAIL(some) == 16w3, "the left side of ##");
const bool b1 = static_assert(HEAD(some) == 16w4, "the right side of ##");
const bool b2 = static_assert(itself == 5, "a macro that names itself");
const bool b3 = static_assert(__LINE__ == 23, "the line");
const bool b4 = static_assert("\n" != "n" && "\\" != "\"" && "a" ++ "b" == "ab", "escapes");
