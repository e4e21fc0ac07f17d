// SPDX-License-Identifier: Apache-2.0
const bit<8> dec = 8w10;
const bit<8> hex = 8w0xFf;
const bit<8> bin = 0b1010_1010;
const bit<8> oct = 0o17;
const bit<8> expl = 0d99;
const int<8> neg = -8s5;
const int big = 0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF * 3;
const bit<128> wide = 0x1234567890abcdef1234567890abcdef;
const bit<1> one = 1w1;
const bool yes = true;
const bit<(8 * 4)> sized = 32w7;
const bit<0> nothing = 0;
