// SPDX-License-Identifier: Apache-2.0
// CHIP k4: the egress sees the port, and nothing of what was dropped.
#include <v1model.p4>
#include "frame.h"
struct metadata { }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = (bit<9>)(hdr.ip.ttl & 3);
        if (hdr.ip.protocol == 1) mark_to_drop(sm);
    }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    register<bit<32>>(1) last;
    apply {
        bit<32> x;
        last.read(x, 0);
        last.write(0, x + 1);
        if (sm.egress_port == 2) mark_to_drop(sm);
        if (sm.egress_port == sm.ingress_port) hdr.eth.type = 0x9999;
    }
}
#define SUM ;
SWITCH
