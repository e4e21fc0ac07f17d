// SPDX-License-Identifier: Apache-2.0
// Multicast by destination address: an entry says where a group goes. A number above those of the
// ports is a set of ports, which the operator writes; without sets it is one port.
#include "frame.inc"

struct headers { ethernet_t eth; ipv4_t ip; }
struct metadata { }

parser P(packet_in b, out headers hdr, inout metadata m, inout standard_metadata_t sm) {
    state start {
        b.extract(hdr.eth);
        b.extract(hdr.ip);
        transition accept;
    }
}

control I(inout headers hdr, inout metadata m, inout standard_metadata_t sm) {
    action none() { sm.discard = 1; }
    action send(bit<16> set) { sm.port = (bit<32>)set; }
    table groups {
        key = { hdr.ip.dst : exact; }
        actions = { none; send; }
        default_action = none();
        size = 32;
    }
    apply { groups.apply(); }
}

FpgaSwitch(P(), I()) main;
