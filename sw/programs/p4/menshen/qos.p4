// SPDX-License-Identifier: Apache-2.0
// Quality of service by the type of traffic: the table gives each IP protocol its class, the rest is
// best effort. The two ECN bits stay. Ports 0 and 1, 2 and 3 are the ends of a wire.
#include "frame.inc"

struct headers { ethernet_t eth; ipv4_t ip; }
struct metadata { bit<16> protocol; }

parser P(packet_in b, out headers hdr, inout metadata m, inout standard_metadata_t sm) {
    state start {
        b.extract(hdr.eth);
        b.extract(hdr.ip);
        transition accept;
    }
}

control I(inout headers hdr, inout metadata m, inout standard_metadata_t sm) {
    action best_effort() { hdr.ip.version_tos = hdr.ip.version_tos & 0xff03; }
    action class(bit<16> tos) {
        hdr.ip.version_tos = (hdr.ip.version_tos & 0xff03) | tos;
    }
    table classes {
        key = { m.protocol : exact; }
        actions = { best_effort; class; }
        const entries = { 17 : class(184); 6 : class(176); }
        const default_action = best_effort();
        size = 4;
    }
    apply {
        m.protocol = hdr.ip.ttl_protocol & 255;
        sm.port = sm.port ^ 1;
        classes.apply();
    }
}

FpgaSwitch(P(), I()) main;
