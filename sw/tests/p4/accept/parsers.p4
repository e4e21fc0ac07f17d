// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

header H { bit<8> a; bit<8> b; }
header V { bit<8> len; varbit<64> data; }
header_union U { H h; V v; }
struct Hs { H h; V v; H[4] stack; U u; U[2] us; }
error { Odd, Even }
parser sub(packet_in p, out H h)(bit<8> first) {
    state start { p.extract(h); transition select(h.a == first) { true: accept; false: reject; } }
}
parser P(packet_in p, out Hs hdr, inout bit<16> m) {
    bit<8> count = 0;
    const bit<8> most = 3;
    value_set<bit<8>>(4) known;
    value_set<tuple<bit<8>, bit<8>>>(4) pairs;
    @name("inner") sub(5) s;
    state start {
        bit<8> peek = p.lookahead<bit<8>>();
        verify(peek != 0, error.Odd);
        transition select(peek, p.lookahead<H>().b) {
            (0, 1): accept;
            (1 .. 3, _): one;
            (0x10 &&& 0xF0, 8w4): two;
            pairs: two;
            (default, 9): three;
            _: reject;
        }
    }
    state one {
        s.apply(p, hdr.h);
        p.extract(hdr.v, (bit<32>) (hdr.v.len * 8));
        p.advance(16);
        p.extract<H>(_);
        transition select(hdr.h.a) { known: two; default: three; }
    }
    state two {
        p.extract(hdr.stack.next);
        count = count + 1;
        m = m + (bit<16>) hdr.stack.last.a + (bit<16>) hdr.stack.lastIndex;
        if (count > most) { m = 0; } else { m = m + 1; }
        transition select(hdr.stack.last.b) { 0: two; default: three; }
    }
    state three {
        p.extract(hdr.us.next.h);
        p.extract(hdr.u.v, 8);
        { bit<8> local = count; count = local; }
        transition accept;
    }
}
