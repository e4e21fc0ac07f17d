// SPDX-License-Identifier: Apache-2.0
// Value sets of parsers, also of parsers within parsers.
#include <v1model.p4>

header h_t { bit<8> a; bit<16> b; }
struct headers { h_t h; }
struct metadata { }
struct keys_t { @match(ternary) bit<8> a; @brief("plain") @other bit<16> b; @id(7) @match(lpm) bit<32> c; }
enum bit<4> Few { A = 1, B = 2 }

parser Sub(packet_in b, out headers hdr) {
    value_set<bit<8>>(3) in_sub;
    state start { b.extract(hdr.h); transition select(hdr.h.a) { in_sub: accept; default: accept; } }
}
parser MyParser(packet_in b, out headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    value_set<bit<32>>(4) pvs;
    Sub() sub;
    value_set<keys_t>(5) structs;
    value_set<Few>(6) few;
    state start { sub.apply(b, hdr); transition select(32w1) { pvs: accept; default: next; } }
    state next { transition select(8w1, 16w2, 32w3) { structs: accept; default: last; } }
    state last { transition select(Few.A) { few: accept; default: accept; } }
}
control MyVerify(inout headers hdr, inout metadata meta) { apply {} }
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
control MyCompute(inout headers hdr, inout metadata meta) { apply {} }
control MyDeparser(packet_out b, in headers hdr) { apply {} }
V1Switch(MyParser(), MyVerify(), MyIngress(), MyEgress(), MyCompute(), MyDeparser()) main;
