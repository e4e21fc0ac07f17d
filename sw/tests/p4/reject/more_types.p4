// SPDX-License-Identifier: Apache-2.0
// ERROR 16:13 '<' takes two of one type
// ERROR 17:13 there is no cast from int<1> to bool
// ERROR 18:13 there is no cast from bit<2> to bool
// ERROR 19:13 the right side is bit<8>, and not bit<16>
// ERROR 21:13 '<' takes numbers, and not H
// ERROR 22:13 '==' takes two of one type
// ERROR 23:13 '?:' takes two of one type
// ERROR 24:21 an index is of a header stack or a tuple
// ERROR 25:13 a slice is of a number, and not of bool
// ERROR 26:13 bit<8> has no members
header H { bit<8> x; }
struct G<T> { T v; }
control c(inout bit<8> a, in bit<16> b, inout bool t, in int<1> s, in bit<2> two, in H h, in G<bit<8>> g, in G<bit<16>> w) {
    apply {
        t = a < b;
        t = (bool) s;
        t = (bool) two;
        a = w.v;
        a = g.v;
        t = h < h;
        t = a == b;
        a = t ? a : b;
                a = h[0];
        a = t[0:0];
        a = a.z;
    }
}
