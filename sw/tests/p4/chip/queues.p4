// SPDX-License-Identifier: Apache-2.0
// CHIP s2: an egress that asks what its queue is like: it marks, and drops copies for port 2.
#include <v1model.p4>
#include "frame.h"
struct metadata { bit<16> mark; bit<8> limit; }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    apply {
        meta.limit = 9;
        sm.egress_spec = sm.ingress_port;
        hdr.eth.src[15:0] = 0x1234;
        hdr.ip.ttl = hdr.ip.ttl - 1;
    }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    apply {
        if (hdr.ip.isValid() && sm.enq_qdepth > (bit<19>)meta.limit) {
            if (sm.egress_port == 2) mark_to_drop(sm);
            else hdr.ip.ecn = 3;
        }
    }
}
#define SUM ;
SWITCH
