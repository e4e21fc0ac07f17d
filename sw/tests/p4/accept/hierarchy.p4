// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
header H { bit<8> x; } struct HS { H h; }
parser Pr<H>(packet_in p, out H h); control Dp<H>(packet_out p, in H h); package S<H>(Pr<H> p, Dp<H> d);
parser prs(packet_in p, out HS h) { state start { p.extract(h.h); transition accept; } }
control dep(packet_out p, in HS h) { apply { p.emit(h); p.emit<H>(h.h); } }
S<HS>(prs(), dep()) main;
