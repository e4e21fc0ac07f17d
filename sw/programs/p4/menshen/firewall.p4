// SPDX-License-Identifier: Apache-2.0
// Stateless firewall: drops what an entry forbids, and lets all else through. Ports 0 and 1, 2 and
// 3 are the ends of a wire.
#include "frame.inc"

struct headers { ethernet_t eth; ipv4_t ip; udp_t udp; }
struct metadata { }

parser P(packet_in b, out headers hdr, inout metadata m, inout standard_metadata_t sm) {
    state start {
        b.extract(hdr.eth);
        b.extract(hdr.ip);
        b.extract(hdr.udp);
        transition accept;
    }
}

control I(inout headers hdr, inout metadata m, inout standard_metadata_t sm) {
    action pass() { }
    action forbid() { sm.discard = 1; }
    table forbidden {
        key = { hdr.ip.src : exact; hdr.udp.dport : exact; }
        actions = { pass; forbid; }
        default_action = pass();
        size = 64;
    }
    apply {
        sm.port = sm.port ^ 1;
        forbidden.apply();
    }
}

FpgaSwitch(P(), I()) main;
