// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
#include <v1model.p4>
header T { bit<16> a; bit<16> b; }
struct H { T t; }
struct M { }
parser P(packet_in pkt, out H hdr, inout M meta, inout standard_metadata_t sm) {
state start { transition accept; }
}
control V(inout H hdr, inout M meta) { apply { } }
control I(inout H hdr, inout M meta, inout standard_metadata_t sm) {
action fwd(bit<9> p) { sm.egress_spec = p; }
    action_selector(HashAlgorithm.crc16, 32w128, 32w10) as;
    table t { key = { hdr.t.a : lpm; hdr.t.b : selector; } actions = { fwd; NoAction; }
        implementation = as; }
    table u { key = { hdr.t.a : range; hdr.t.b : optional; } actions = { fwd; NoAction; }
        implementation = action_profile(16); counters = direct_counter(CounterType.packets); }
    apply { t.apply(); u.apply(); }
}
control E(inout H hdr, inout M meta, inout standard_metadata_t sm) {
apply { }
}
control C(inout H hdr, inout M meta) { apply { } }
control D(packet_out pkt, in H hdr) { apply { } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
