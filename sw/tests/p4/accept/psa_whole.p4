// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
#include <psa.p4>
typedef bit<48> EthernetAddress;
header ethernet_t { EthernetAddress dstAddr; EthernetAddress srcAddr; bit<16> etherType; }
header ipv4_t { bit<4> version; bit<4> ihl; bit<8> diffserv; bit<16> totalLen; bit<16> id; bit<3> flags; bit<13> frag; bit<8> ttl; bit<8> protocol; bit<16> hdrChecksum; bit<32> src; bit<32> dst; }
header clone_i2e_t { bit<8> x; PortIdInHeader_t p; }
struct fwd_metadata_t { bit<32> outport; }
struct empty_t {}
struct metadata { fwd_metadata_t fwd; bit<3> tag; PSA_MeterColor_t col; bool b; }
struct headers { ethernet_t ethernet; ipv4_t ipv4; clone_i2e_t c; }
struct mac_learn_digest_t { EthernetAddress a; PortId_t port; }
error { BadIPv4HeaderChecksum }
parser IP(packet_in buffer, out headers hdr, inout metadata user_meta, in psa_ingress_parser_input_metadata_t istd, in empty_t resubmit_meta, in empty_t recirculate_meta) {
  InternetChecksum() ck;
  state start { transition select(istd.packet_path) { PSA_PacketPath_t.RESUBMIT: accept; default: eth; } }
  state eth { buffer.extract(hdr.ethernet); transition select(hdr.ethernet.etherType) { 0x800: ipv4; default: accept; } }
  state ipv4 { buffer.extract(hdr.ipv4); ck.clear(); ck.subtract(hdr.ipv4.hdrChecksum); ck.add({ hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.ttl }); verify(ck.get() == 0, error.BadIPv4HeaderChecksum); bit<16> st = ck.get_state(); ck.set_state(st); transition accept; }
}
control I(inout headers hdr, inout metadata user_meta, in psa_ingress_input_metadata_t istd, inout psa_ingress_output_metadata_t ostd) {
  Counter<bit<10>, bit<12>>(1024, PSA_CounterType_t.PACKETS) counter; DirectCounter<bit<64>>(PSA_CounterType_t.PACKETS_AND_BYTES) per_prefix; Register<bit<32>, bit<10>>(1024) reg; Register<bit<32>, PortId_t>(512, 32w5) reg2; Meter<bit<12>>(1024, PSA_MeterType_t.BYTES) meter0; DirectMeter(PSA_MeterType_t.PACKETS) dm; Hash<bit<16>>(PSA_HashAlgorithm_t.CRC16) h; Random<bit<8>>(0, 255) rnd; ActionProfile(1024) ap; ActionSelector(PSA_HashAlgorithm_t.CRC32, 32w1024, 32w16) as; Digest<mac_learn_digest_t>() dig; Checksum<bit<16>>(PSA_HashAlgorithm_t.CRC16) cs;
  action next_hop(PortId_t oport) { per_prefix.count(); send_to_port(ostd, oport); user_meta.col = dm.execute(); }
  action default_route_drop() { ingress_drop(ostd); }
  action mc(MulticastGroup_t g) { multicast(ostd, g); }
  table t { key = { hdr.ipv4.dst: lpm; hdr.ethernet.srcAddr: selector; istd.ingress_port: exact; } actions = { next_hop; default_route_drop; mc; NoAction; } psa_direct_counter = per_prefix; psa_direct_meter = dm; psa_implementation = as; psa_idle_timeout = PSA_IdleTimeout_t.NOTIFY_CONTROL; size = 100; default_action = NoAction; }
  apply { if (hdr.ipv4.isValid()) { t.apply(); counter.count(12w3); bit<32> v = reg.read(1); reg.write(10w1, v + 1); user_meta.col = meter0.execute(3, PSA_MeterColor_t.GREEN); bit<16> r = h.get_hash({ hdr.ipv4.src, hdr.ipv4.dst}); r = h.get_hash(16w0, {hdr.ipv4.src}, 16w10); bit<8> q = rnd.read(); dig.pack({ hdr.ethernet.srcAddr, istd.ingress_port }); cs.update(hdr.ipv4); if (user_meta.col == PSA_MeterColor_t.RED) ingress_drop(ostd); reg2.write(istd.ingress_port, 3); ostd.clone = true; ostd.clone_session_id = PSA_CLONE_SESSION_TO_CPU; ostd.egress_port = PSA_PORT_CPU; ostd.class_of_service = (ClassOfService_t) 8w1; ostd.egress_port = (PortId_t)(PortIdUint_t)32w5; hdr.c.p = psa_PortId_int_to_header(istd.ingress_port); }
  }
}
control ID(packet_out buffer, out clone_i2e_t c, out empty_t r, out metadata nm, inout headers hdr, in metadata meta, in psa_ingress_output_metadata_t istd) {
  InternetChecksum() ck; apply { if (psa_clone_i2e(istd)) { c.x = 1; } if (psa_resubmit(istd)) {} if (psa_normal(istd)) { nm = meta; } ck.clear(); ck.add({hdr.ipv4.src}); hdr.ipv4.hdrChecksum = ck.get(); buffer.emit(hdr.ethernet); buffer.emit(hdr.ipv4); } }
parser EP(packet_in buffer, out headers hdr, inout metadata m, in psa_egress_parser_input_metadata_t istd, in metadata nm, in clone_i2e_t c, in empty_t c2) { state start { transition select (istd.packet_path) { PSA_PacketPath_t.CLONE_I2E: cl; PSA_PacketPath_t.NORMAL_UNICAST: accept; default: accept; } } state cl { m.fwd.outport = (bit<32>)c.x; transition accept; } }
control E(inout headers hdr, inout metadata m, in psa_egress_input_metadata_t istd, inout psa_egress_output_metadata_t ostd) { apply { egress_drop(ostd); ostd.drop = istd.parser_error != error.NoError; } }
control ED(packet_out packet, out empty_t c, out empty_t r, inout headers hdr, in metadata meta, in psa_egress_output_metadata_t istd, in psa_egress_deparser_input_metadata_t edstd) { apply { if (psa_recirculate(istd, edstd)) {} packet.emit(hdr); } }
IngressPipeline(IP(), I(), ID()) ip;
EgressPipeline(EP(), E(), ED()) ep;
PSA_Switch(ip, PacketReplicationEngine(), ep, BufferingQueueingEngine()) main;
