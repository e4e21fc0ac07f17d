// SPDX-License-Identifier: Apache-2.0
// CHIP s4: a header that stands at two places, behind a tunnel or not, and is rewritten at both.
#include <v1model.p4>
header ethernet_t { bit<48> dst; bit<48> src; bit<16> type; }
header tunnel_t { bit<16> type; bit<16> to; }
header pair_t { bit<8> a; bit<8> b; bit<16> c; bit<16> d; bit<16> e; }
struct headers { ethernet_t eth; tunnel_t tunnel; pair_t pair; }
struct metadata { }
parser MyParser(packet_in b, out headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    state start {
        b.extract(hdr.eth);
        transition select(hdr.eth.type) { 0x0800: pair; 0x1212: tunnel; default: accept; }
    }
    state tunnel {
        b.extract(hdr.tunnel);
        transition select(hdr.tunnel.type) { 0x0800: pair; default: accept; }
    }
    state pair { b.extract(hdr.pair); transition accept; }
}
control MyVerify(inout headers hdr, inout metadata meta) { apply { } }
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (hdr.pair.isValid()) {
            hdr.pair.b = hdr.pair.a;
            if (hdr.pair.d == 5) hdr.pair.e = 7;
        }
        if (hdr.tunnel.isValid()) hdr.tunnel.to = 9;
    }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply { } }
control MyCompute(inout headers hdr, inout metadata meta) { apply { } }
control MyDeparser(packet_out b, in headers hdr) { apply { b.emit(hdr); } }
V1Switch(MyParser(), MyVerify(), MyIngress(), MyEgress(), MyCompute(), MyDeparser()) main;
