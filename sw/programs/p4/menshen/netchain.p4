// SPDX-License-Identifier: Apache-2.0
// NetChain, a sequencer in the network: a chain of switches numbers the writes of each key. A write
// without a number (0) comes from a client to the head of the chain, and gets the next number of its
// key. A write with a number comes from the switch before, and brings the number that all have.
// The packet brings its way: the next port is its lowest byte, and each switch takes its own.
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
