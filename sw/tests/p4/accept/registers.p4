// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
#include <v1model.p4>
struct H { }
struct M { bit<2> color; }
parser P(packet_in pkt, out H hdr, inout M meta, inout standard_metadata_t sm) {
state start { transition accept; }
}
control V(inout H hdr, inout M meta) { apply { } }
control I(inout H hdr, inout M meta, inout standard_metadata_t sm) {
register<bit<32>>(16) r;
    register<int<7>>(4) s;
    counter(8, CounterType.packets) n;
    direct_counter(CounterType.bytes) dc;
    meter(8, MeterType.bytes) m;
    direct_meter<bit<2>>(MeterType.packets) dm;
    action a() { dm.read(meta.color); dc.count(); }
    table t { key = { sm.ingress_port : exact; } actions = { a; } counters = dc; meters = dm;
        support_timeout = true; size = 4; default_action = a; }
    apply {
        bit<32> x; int<7> y;
        r.read(x, 3);
        r.write((bit<32>) sm.ingress_port, x + 1);
        s.read(y, 0); s.write(1, y - 1);
        n.count(2);
        m.execute_meter(4, meta.color);
        t.apply();
    }
}
control E(inout H hdr, inout M meta, inout standard_metadata_t sm) {
apply { }
}
control C(inout H hdr, inout M meta) { apply { } }
control D(packet_out pkt, in H hdr) { apply { } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
