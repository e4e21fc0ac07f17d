// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
struct H { }
struct M { }
parser P(packet_in pkt, out H hdr, inout M meta, inout standard_metadata_t sm) {
state start { transition accept; }
}
control V(inout H hdr, inout M meta) { apply { } }
control I(inout H hdr, inout M meta, inout standard_metadata_t sm) {
register<bit<32>, bit<4>>(16) r;
    counter<bit<4>>(8, CounterType.packets) n;
    meter<PortId_t>(8, MeterType.bytes) m;
    apply { bit<32> x; bit<8> c; r.read(x, 4w3); r.write(7, x); n.count(1);
        m.execute_meter(sm.ingress_port, c); }
}
control E(inout H hdr, inout M meta, inout standard_metadata_t sm) {
apply { }
}
control C(inout H hdr, inout M meta) { apply { } }
control D(packet_out pkt, in H hdr) { apply { } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
