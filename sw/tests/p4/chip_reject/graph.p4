// SPDX-License-Identifier: Apache-2.0
// CHIP react: what asks for a parse graph.
#include <v1model.p4>
header a_t { bit<16> type; }
header b_t { bit<16> x; }
header v_t { varbit<32> options; }
struct headers { a_t a; a_t c; a_t d; a_t e; a_t f; b_t b; v_t v; b_t[3] hs; }
struct metadata { }
parser MyParser(packet_in p, out headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    state start {
        p.extract(hdr.a);
        transition select(hdr.a.type) { 1: one; 2: two; 3: loop; 4: varies; 5: skips; 6: more; default: accept; }
    }
    state one { p.extract(hdr.b); transition accept; }
    state two { p.advance(16); transition later; }
    state later { p.extract(hdr.hs[0]); transition one; }
    state loop { p.extract(hdr.hs.next); transition loop; }
    state varies { p.extract(hdr.v, 16); transition accept; }
    state skips { p.extract<b_t>(_); transition accept; }
    state more { p.extract(hdr.c); transition select(hdr.c.type) { 1: one; default: still; } }
    state still { p.extract(hdr.d); transition select(hdr.d.type) { 1: one; default: last; } }
    state last { p.extract(hdr.e); transition select(hdr.e.type) { 1: one; default: end; } }
    state end { p.extract(hdr.f); transition one; }
}
control MyVerify(inout headers hdr, inout metadata meta) { apply { } }
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply { } }
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply { } }
control MyCompute(inout headers hdr, inout metadata meta) { apply { } }
control MyDeparser(packet_out b, in headers hdr) { apply { b.emit(hdr); } }
V1Switch(MyParser(), MyVerify(), MyIngress(), MyEgress(), MyCompute(), MyDeparser()) main;
// ERROR 14:17 'hdr.b' stands at more than 4 places: the machine has no parse
// ERROR 15:17 advance: bytes that no header holds would have to be ta
// ERROR 17:11 a loop of states: the machine has no parse graph; a hea
// ERROR 17:28 elements of stacks by `next`, `last` or a computed inde
// ERROR 18:20 headers whose length is known when the packet comes: th
// ERROR 19:19 bytes that are skipped: the machine has no parse graph;
