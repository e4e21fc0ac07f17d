// SPDX-License-Identifier: Apache-2.0
control c(inout bit<8> a, inout int<8> b) { apply { a += 1; a -= 2; a *= 3; a &= 4; a |= 5; a ^= 6; a <<= 1; a >>= 2; a |+|= 3; a |-|= 1; a[3:0] += 1; b += -1; } }
