// SPDX-License-Identifier: Apache-2.0
// ERROR 12:13 a cast from bit<8> to int<4> changes width and sign
// ERROR 13:13 there is no cast from tuple<int> to bit<8>
// ERROR 14:13 there is no cast from S to bit<8>
// ERROR 15:13 the right side is N, and not bit<8>; a cast is (N)
// ERROR 16:13 '+' takes numbers
// ERROR 17:13 there is no cast from bool to bit<8>
struct S { bit<8> x; }
type bit<8> N;
control c(inout bit<8> a, inout S s, inout N n, inout int<4> i) {
    apply {
        i = (int<4>) a;
        a = (bit<8>) { 1 };
        a = (bit<8>) s;
        n = a;
        a = n + n;
        a = (bit<8>) true;
    }
}
