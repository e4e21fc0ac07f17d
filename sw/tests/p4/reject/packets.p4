// SPDX-License-Identifier: Apache-2.0
// ERROR 16:19 what is extracted is a header, and not bit<8>
// ERROR 17:19 what is extracted is a header, and not H[2]; name its element
// ERROR 18:9 V has a varbit
// ERROR 19:9 extract with two arguments takes
// ERROR 20:20 lookahead is of a type with a fixed width
// ERROR 24:50 what is emitted is a header
// ERROR 24:63 what is emitted is a header
#include <core.p4>

header H { bit<8> x; }
header V { bit<8> n; varbit<64> v; }
struct S { H h; V v; H[2] hs; bit<8> b; }
parser p(packet_in b, out S s) {
    state start {
        b.extract(s.b);
        b.extract(s.hs);
        b.extract(s.v);
        b.extract(s.h, 8);
        bit<8> x = b.lookahead<V>().n;
        transition accept;
    }
}
control d(packet_out b, in S s) { apply { b.emit(s.b); b.emit(s); b.emit(s.hs); } }
