// SPDX-License-Identifier: Apache-2.0
// Load balancing: the low bits of source address and source port choose one of 32 places, and the
// table says which server a place stands for, and behind which port it is.
#include "frame.inc"

struct headers { ethernet_t eth; ipv4_t ip; udp_t udp; }
struct metadata { bit<16> place; }

parser P(packet_in b, out headers hdr, inout metadata m, inout standard_metadata_t sm) {
    state start {
        b.extract(hdr.eth);
        b.extract(hdr.ip);
        b.extract(hdr.udp);
        transition accept;
    }
}

control I(inout headers hdr, inout metadata m, inout standard_metadata_t sm) {
    action none() { sm.discard = 1; }
    action send(bit<32> server, bit<16> port) {
        hdr.ip.dst = server;
        sm.port = (bit<32>)port;
    }
    table places {
        key = { m.place : exact; }
        actions = { none; send; }
        default_action = none();
        size = 32;
    }
    apply {
        m.place = (hdr.ip.src[15:0] ^ hdr.udp.sport) & 31;
        places.apply();
    }
}

FpgaSwitch(P(), I()) main;
