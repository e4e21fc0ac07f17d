// SPDX-License-Identifier: Apache-2.0
// Calculator: the packet brings an operation and two numbers, and goes back to the port where it
// came in, with the result. An operation that no entry has gives 0.
#include "frame.inc"

header calc_t { bit<16> op; bit<32> a; bit<32> b; bit<32> result; }
struct headers { ethernet_t eth; ipv4_t ip; udp_t udp; calc_t calc; }
struct metadata { }

parser P(packet_in b, out headers hdr, inout metadata m, inout standard_metadata_t sm) {
    state start {
        b.extract(hdr.eth);
        b.extract(hdr.ip);
        b.extract(hdr.udp);
        b.extract(hdr.calc);
        transition accept;
    }
}

control I(inout headers hdr, inout metadata m, inout standard_metadata_t sm) {
    action add() { hdr.calc.result = hdr.calc.a + hdr.calc.b; }
    action subtract() { hdr.calc.result = hdr.calc.a - hdr.calc.b; }
    action both() { hdr.calc.result = hdr.calc.a & hdr.calc.b; }
    action either() { hdr.calc.result = hdr.calc.a | hdr.calc.b; }
    action differ() { hdr.calc.result = hdr.calc.a ^ hdr.calc.b; }
    action unknown() { hdr.calc.result = 0; }
    table operations {
        key = { hdr.calc.op : exact; }
        actions = { add; subtract; both; either; differ; unknown; }
        const entries = { 1 : add(); 2 : subtract(); 3 : both(); 4 : either(); 5 : differ(); }
        const default_action = unknown();
        size = 8;
    }
    apply { operations.apply(); }
}

FpgaSwitch(P(), I()) main;
