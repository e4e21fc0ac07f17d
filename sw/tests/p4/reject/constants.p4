// SPDX-License-Identifier: Apache-2.0
// ERROR 11:22 the value of constant 'k' is known at compile time
// ERROR 12:26 the upper bound of this slice is a number that is known
// ERROR 12:45 the upper bound of this slice is from 0 to 7, and not 8
// ERROR 12:62 the upper bound of a slice stands first: [1:0]
// ERROR 14:17 a width is from 0
// ERROR 15:22 division by 0
// ERROR 16:15 division is of numbers that are not negative
// ERROR 17:24 a shift by a number below 0
control c(in bit<8> x) {
    const bit<8> k = x;
    apply { bit<8> y = x[x:0]; bit<8> z = x[8:0]; bit<2> w = x[0:1]; }
}
struct S { bit<(1 - 2)> a; }
const bit<8> d = 1 / 0;
const int m = -1 % 2;
const bit<8> sh = 1 << -1;
