// SPDX-License-Identifier: Apache-2.0
// NetChain: switches in a row keep copies of a store, and number the writes of each key, so that all
// copies apply them in one order. Example: the last write of key 7 had number 4.
// A write with number 0 comes from a client, to the first switch: it gets number 5.
// A write with a number comes from the switch before: its number is kept.
// `way` lists the ports on the way, a byte each. A switch sends to the lowest byte, and removes it.
#include "frame.inc"

header chain_t { bit<16> op; bit<16> key; bit<32> number; bit<32> way; }
struct headers { ethernet_t eth; ipv4_t ip; udp_t udp; chain_t chain; }
struct metadata { bit<32> slot; bit<32> last; }

parser P(packet_in b, out headers hdr, inout metadata m, inout standard_metadata_t sm) {
    state start {
        b.extract(hdr.eth);
        b.extract(hdr.ip);
        b.extract(hdr.udp);
        b.extract(hdr.chain);
        transition accept;
    }
}

control I(inout headers hdr, inout metadata m, inout standard_metadata_t sm) {
    register<bit<32>>(32) numbers;
    apply {
        m.slot = (bit<32>)(hdr.chain.key & 31);
        if (hdr.chain.op == 2 && hdr.chain.number == 0) {
            numbers.loadd(m.last, m.slot);
        } else {
            if (hdr.chain.op == 2) numbers.store(m.slot, hdr.chain.number);
            numbers.load(m.last, m.slot);
        }
        hdr.chain.number = m.last;
        sm.port = hdr.chain.way & 255;
        hdr.chain.way = hdr.chain.way >> 8;
    }
}

FpgaSwitch(P(), I()) main;
