// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
#include <psa.p4>
header eth_t { bit<48> dst; bit<48> src; bit<16> kind; }
struct H { eth_t eth; }
struct M { }
struct N { }
parser IP(packet_in b, out H h, inout M m, in psa_ingress_parser_input_metadata_t i, in N r, in N c) {
    state start { b.extract(h.eth); transition accept; }
}
control IG(inout H h, inout M m, in psa_ingress_input_metadata_t i,
           inout psa_ingress_output_metadata_t o) {
    Register<bit<32>, bit<8>>(256) reg;
    Counter<bit<32>, PortId_t>(64, PSA_CounterType_t.PACKETS) cnt;
    Hash<bit<16>>(PSA_HashAlgorithm_t.CRC16) hasher;
    DirectCounter<bit<48>>(PSA_CounterType_t.BYTES) direct;
    action out_to(PortId_t p) { send_to_port(o, p); direct.count(); }
    action gone() { ingress_drop(o); }
    table t { key = { h.eth.dst : exact; i.ingress_port : ternary; } actions = { out_to; gone; }
        psa_direct_counter = direct; default_action = gone(); }
    apply {
        t.apply();
        bit<8> x = (bit<8>) hasher.get_hash({ h.eth.dst, h.eth.src });
        reg.write(x, reg.read(x) + 1);
        cnt.count(i.ingress_port);
        if (i.packet_path == PSA_PacketPath_t.RESUBMIT) { o.clone = true; }
    }
}
control ID(packet_out b, out N c, out N r, out N n, inout H h, in M m,
           in psa_ingress_output_metadata_t o) {
    apply { b.emit(h); }
}
parser EP(packet_in b, out H h, inout M m, in psa_egress_parser_input_metadata_t i, in N n, in N c,
          in N e) {
    state start { transition accept; }
}
control EG(inout H h, inout M m, in psa_egress_input_metadata_t i,
           inout psa_egress_output_metadata_t o) {
    apply { }
}
control ED(packet_out b, out N c, out N r, inout H h, in M m, in psa_egress_output_metadata_t o,
           in psa_egress_deparser_input_metadata_t d) {
    InternetChecksum() sum;
    apply { sum.clear(); sum.add({ h.eth.kind }); h.eth.kind = sum.get(); b.emit(h.eth); }
}
IngressPipeline(IP(), IG(), ID()) ip;
EgressPipeline(EP(), EG(), ED()) ep;
PSA_Switch(ip, PacketReplicationEngine(), ep, BufferingQueueingEngine()) main;
