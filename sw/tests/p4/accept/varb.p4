// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
header V { bit<8> l; varbit<64> v; } struct S { V[2] v; }
parser p(packet_in pk, out S s) { state start { pk.extract(s.v.next, 32w8); pk.extract<V>(s.v[1], (bit<32>)s.v[0].l); transition accept; } }
control c(inout S s, out bool b) { apply { V t = s.v[0]; b = t.v == s.v[1].v; t.v = s.v[1].v; s.v[0] = t; } }
