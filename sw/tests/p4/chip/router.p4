// SPDX-License-Identifier: Apache-2.0
// CHIP react: the longest prefix, time to live, addresses, checksum.
#include <v1model.p4>
#include "frame.h"
struct metadata { }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action drop() { mark_to_drop(sm); }
    action forward(bit<48> next, bit<9> port) {
        sm.egress_spec = port;
        hdr.eth.src = hdr.eth.dst;
        hdr.eth.dst = next;
        hdr.ip.ttl = hdr.ip.ttl - 1;
    }
    table route {
        key = { hdr.ip.dst: lpm; }
        actions = { forward; drop; NoAction; }
        size = 16;
        default_action = drop;
        const entries = {
            0x0a000000 &&& 0xff000000: forward(0x020000000001, 1);
            0x0a000100 &&& 0xffffff00: forward(0xfe00000000ff, 3);
            0x0a000105 &&& 0xffffffff: NoAction();
        }
    }
    apply { if (hdr.ip.isValid()) route.apply(); }
}
NO_EGRESS
#define SUM IP_SUM
SWITCH
