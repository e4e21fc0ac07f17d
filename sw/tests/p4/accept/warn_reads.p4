// SPDX-License-Identifier: Apache-2.0
// WARNING 18:27 header 's.h' is not valid here
// WARNING 23:42 header 's.g' is not valid here
// WARNING 24:17 'n' is read before it is written
// WARNING 33:69 out parameter 'o' is read before it is written
// WARNING 37:20 'x' is read before it is written
// WARNING 38:17 out parameter 'r' is read before it is written
// WARNING 42:17 header 's.g' is not valid here
// WARNING 51:17 header 's.hs[0]' is not valid here
// NO WARNINGS but these
#include <core.p4>
extern bool toss();
header H { bit<8> a; bit<8> b; }
struct S { H h; H g; H[2] hs; }
parser P(packet_in p, out S s) {
    bit<8> n;
    state start {
        transition select(s.h.a) { 0: one; _: two; }
    }
    state one { p.extract(s.h); transition both; }
    state two { p.extract(s.hs.next); transition both; }
    state both {
        bit<8> x = s.h.a + s.hs.last.a + s.g.b;
        x = x + n;
        n = x;
        p.extract(s.g);
        transition select(s.g.a + n) { 0: accept; _: reject; }
    }
}
control C(inout S s, out bit<8> r) {
    bit<8> later;
    action set() { later = 3; }
    action own(out bit<8> o) { bit<8> v; if (toss()) { v = 1; } o = o + v; }
    apply {
        bit<8> x;
        bit<8> y;
        bit<8> z = x;
        s.h.a = r;
        if (toss()) { y = 1; }
        s.h.b = y;
        s.g.setInvalid();
        s.h.a = s.g.a;
        if (toss()) { s.g = s.h; }
        s.h.a = s.g.a + z;
        own(r);
        set();
        s.h.b = later;
        for (bit<8> i in 1 .. 3) { bit<8> q; if (toss()) { q = i; } x = q; }
        switch (x) { 1: { y = 1; return; } default: { } }
        s.hs[0] = {#};
        s.h.b = s.hs[0].b + s.hs[1].b;
    }
}
bit<8> f(out bit<8> o, in bit<8> i) { bit<8> v = i; o = v; return o; }
parser PP(packet_in p, out S s);
control CC(inout S s, out bit<8> r);
package ep(PP p, CC c);
ep(P(), C()) main;
