// SPDX-License-Identifier: Apache-2.0
// ERROR 6:18 '0xZZ' is no number
// ERROR 7:18 '8w' is no number
// ERROR 8:18 '0b12' is no number
// ERROR 9:18 a number with a sign has at least 1 bit
const bit<8> a = 0xZZ;
const bit<8> b = 8w;
const bit<8> c = 0b12;
const int<8> d = 0s1;
