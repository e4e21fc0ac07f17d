// SPDX-License-Identifier: Apache-2.0
const int<33> a = 33s0x1_FFFF_FFFF; const bit<128> b = 128w0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF; const int<128> c = -128s1; const bit<1> d = 1w1; const int e = 1 << 100; const bit<0> z = 0;
