// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

header A { bit<8> x; }
header B { bit<16> y; }
header_union U { A a; B b; }
struct Hs { U u; U[2] us; }
parser P(packet_in p, out Hs h) {
    state start { p.extract(h.u.a); p.extract(h.us.next.b); transition accept; }
}
control C(inout Hs h) {
    apply {
        if (h.u.isValid()) { h.u.a.setValid(); h.u.a.x = 1; }
        h.u.b.setInvalid();
        h.us[0].a = { 3 };
        h.u = h.us[1];
        if (h.u.b.isValid() || h.us[0] == h.us[1]) { h.us.pop_front(1); }
        h.u = {#};
    }
}
control D(packet_out p, in Hs h) { apply { p.emit(h.u); p.emit(h.us); p.emit(h); } }
