// SPDX-License-Identifier: Apache-2.0
#if 0b101 == 5 && 0x10 == 16 && 010 == 8 && 1_000 == 1000 && -1 < 0 && (3 | 4) == 7 && (6 & 3) == 2 && (5 ^ 1) == 4 && ~0 == -1
#if 7 / 2 == 3 && 7 % 4 == 3 && 2 + 3 * 4 == 14 && 10 - 2 - 3 == 5 && 1 << 4 == 16 && !0 && (1 ? 2 : 3) == 2 && 5 >= 5 && 5 <= 5 && 3 != 4 && +3 == 3
#if defined A || !defined(A) && true
const bit<8> good = 1;
#endif
#endif
#endif
#if 0 || 0 && 1 || NOT_A_MACRO
#error "no"
#else
control c(inout bit<8> x) { apply { x = good; } }
#endif
