// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
header H { bit<8> x; bit<8> n; } struct S { H[3] h; H k; }
parser p(packet_in pk, out S s, inout bit<8> cnt) { state start { cnt = 3; transition loop; } state loop { pk.extract(s.h.next); cnt = cnt - 1; transition select(cnt == 0, s.h.last.n) { (true, _): accept; (false, 5): loop; (_, 0 &&& 1): x; default: reject; } } @name("yy") state x { pk.extract<H>(s.h.next); pk.extract(s.k); bit<32> l = pk.length(); transition select(s.h.lastIndex) { 32w0: accept; 1: loop; } } }
