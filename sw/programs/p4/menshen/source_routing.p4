// SPDX-License-Identifier: Apache-2.0
// Source routing: the packet brings the ports of its way, four at most. Each switch takes the first
// and moves the others up. A packet whose way has ended (0) is dropped.
#include "frame.inc"

header way_t { bit<16> first; bit<16> second; bit<16> third; bit<16> fourth; }
struct headers { ethernet_t eth; ipv4_t ip; udp_t udp; way_t way; }
struct metadata { }

parser P(packet_in b, out headers hdr, inout metadata m, inout standard_metadata_t sm) {
    state start {
        b.extract(hdr.eth);
        b.extract(hdr.ip);
        b.extract(hdr.udp);
        b.extract(hdr.way);
        transition accept;
    }
}

control I(inout headers hdr, inout metadata m, inout standard_metadata_t sm) {
    apply {
        if (hdr.way.first == 0) sm.discard = 1;
        sm.port = (bit<32>)(hdr.way.first & 0x7fff);
        hdr.way.first = hdr.way.second;
        hdr.way.second = hdr.way.third;
        hdr.way.third = hdr.way.fourth;
        hdr.way.fourth = 0;
    }
}

FpgaSwitch(P(), I()) main;
