// SPDX-License-Identifier: Apache-2.0
struct S { bit<8> a; bit<16> b; bool c; }
const S s1 = { 1, 2, false };
const S s2 = { c = true, a = 1, b = 2 };
const S s3 = { a = 9, ... };
const S s4 = { 7, ... };
const S s5 = ...;
const tuple<bit<8>, bool> t = { 8, true };
const bit<8> first = t[0];
struct Deep { S s; tuple<bit<4>, S> t; }
const Deep d = { { 1, 2, true }, { 3, { 4, 5, false } } };
const bit<16> inner = d.t[1].b;
header H { bit<8> x; }
control c() {
    H h;
    S s;
    apply {
        h = { 1 };
        h = { x = 2 };
        h = {#};
        h = (H) { 3 };
        s = (S) { a = 1, b = 2, c = true };
        if (s == { 1, 2, true }) { s = ...; }
        H[2] hs = { { 1 }, { 2 } };
        hs[0] = h;
    }
}
