// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
#include <fpga.p4>
header eth_t { bit<48> dst; bit<48> src; bit<16> kind; }
header num_t { bit<16> op; bit<32> a; bit<32> b; }
struct H { eth_t eth; num_t num; }
struct M { }
parser P(packet_in b, out H hdr, inout M m, inout standard_metadata_t sm) {
    state start { b.extract(hdr.eth); b.extract(hdr.num); transition accept; }
}
control I(inout H hdr, inout M m, inout standard_metadata_t sm) {
    register<bit<32>>(4) count;
    action add() { hdr.num.b = hdr.num.a + hdr.num.b; sm.port = 1; }
    action next() { count.loadd(hdr.num.b, 0); }
    action stop() { sm.discard = 1; }
    table t { key = { hdr.num.op : exact; } actions = { add; next; stop; }
        const entries = { 1 : add(); 2 : next(); } default_action = stop(); }
    apply { t.apply(); }
}
FpgaSwitch(P(), I()) main;
