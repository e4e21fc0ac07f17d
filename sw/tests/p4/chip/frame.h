// SPDX-License-Identifier: Apache-2.0
// Ethernet, IPv4, UDP and TCP, for programs that the machine takes. SWITCH at the end.
header ethernet_t { bit<48> dst; bit<48> src; bit<16> type; }
header ipv4_t {
    bit<4> version; bit<4> ihl; bit<6> dscp; bit<2> ecn; bit<16> len;
    bit<16> id; bit<3> flags; bit<13> frag; bit<8> ttl; bit<8> protocol;
    bit<16> sum; bit<32> src; bit<32> dst;
}
header udp_t { bit<16> sport; bit<16> dport; bit<16> len; bit<16> sum; }
header tcp_t { bit<16> sport; bit<16> dport; bit<32> seq; bit<32> ack; }
struct headers { ethernet_t eth; ipv4_t ip; udp_t udp; tcp_t tcp; }
#define PARSER \
  parser MyParser(packet_in b, out headers hdr, inout metadata meta, \
                  inout standard_metadata_t sm) { \
    state start { b.extract(hdr.eth); \
      transition select(hdr.eth.type) { 0x0800: ipv4; default: accept; } } \
    state ipv4 { b.extract(hdr.ip); \
      transition select(hdr.ip.protocol) { 17: udp; 6: tcp; default: accept; } } \
    state udp { b.extract(hdr.udp); transition accept; } \
    state tcp { b.extract(hdr.tcp); transition accept; } \
  }
#define NO_EGRESS \
  control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { \
    apply { } }
#define SWITCH \
  control MyVerify(inout headers hdr, inout metadata meta) { apply { } } \
  control MyCompute(inout headers hdr, inout metadata meta) { apply { SUM } } \
  control MyDeparser(packet_out b, in headers hdr) { apply { b.emit(hdr); } } \
  V1Switch(MyParser(), MyVerify(), MyIngress(), MyEgress(), MyCompute(), MyDeparser()) main;
#define IP_SUM \
  update_checksum(hdr.ip.isValid(), { hdr.ip.version, hdr.ip.ihl, hdr.ip.dscp, hdr.ip.ecn, \
    hdr.ip.len, hdr.ip.id, hdr.ip.flags, hdr.ip.frag, hdr.ip.ttl, hdr.ip.protocol, hdr.ip.src, \
    hdr.ip.dst }, hdr.ip.sum, HashAlgorithm.csum16);
