// SPDX-License-Identifier: Apache-2.0
// CHIP s2: an egress that asks for its queue, and what does not come to it.
#include <v1model.p4>
#include "frame.h"
struct metadata { bit<16> mark; }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    apply {
        meta.mark = hdr.ip.id;
        hdr.eth.type = 0x0806;
        sm.egress_spec = 1;
    }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    register<bit<32>>(4) seen;
    apply {
        if (sm.deq_qdepth > 3) hdr.ip.id = meta.mark;
        if (sm.ingress_port == 1) hdr.ip.ttl = 3;
        seen.write(0, 1);
    }
}
#define SUM ;
SWITCH
// ERROR 14:9 the ingress changes bytes from 12 on, at which the parser looks
// ERROR 15:26 'seen' in an egress that asks for its queue: each output lane of the machine would
// ERROR 17:32 'meta.mark' is computed by the ingress; nothing but the packet's bytes goes from there
// ERROR 18:13 'ingress_port' is not known to the machine where this is computed
