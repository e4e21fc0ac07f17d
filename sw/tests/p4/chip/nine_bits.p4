// SPDX-License-Identifier: Apache-2.0
// CHIP s4: ports of nine bits; the chip has none above 255, so 259 is not 3.
#include <v1model.p4>
#include "frame.h"
struct metadata { }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action to(bit<9> port) { sm.egress_spec = port; }
    table t {
        key = { hdr.ip.protocol: exact; }
        actions = { to; NoAction; }
        default_action = NoAction;
        const entries = { 17: to(3); 6: to(255); }
    }
    apply {
        if (hdr.ip.ttl == 1) sm.egress_spec = 259;
        else if (hdr.ip.ttl == 3) sm.egress_spec = 511;
        else if (hdr.ip.isValid()) sm.egress_spec = hdr.ip.dst[9:1];
        if (hdr.ip.ttl == 0) t.apply();
    }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    register<bit<32>>(4) seen;
    apply {
        bit<32> n;
        seen.read(n, (bit<32>)hdr.ip.src[1:0]);
        seen.write((bit<32>)hdr.ip.src[1:0], n + 1);
    }
}
#define SUM ;
SWITCH
