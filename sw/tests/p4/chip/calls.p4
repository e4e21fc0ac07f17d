// SPDX-License-Identifier: Apache-2.0
// CHIP s4: tables and functions behind &&, || and ?: are asked on their way alone.
#include <v1model.p4>
#include "frame.h"
struct metadata { bit<8> n; }
bit<8> more(inout bit<8> n) { n = n + 1; return n; }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action mark(bit<8> by) { hdr.ip.ttl = by; }
    table known {
        key = { hdr.ip.dst : exact; }
        actions = { mark; NoAction; }
        const entries = { 0x0a000105 : mark(7); 0xe0000001 : NoAction(); }
    }
    apply {
        sm.egress_spec = 1;
        if (hdr.ip.isValid() && known.apply().hit) { sm.egress_spec = 2; }
        if (hdr.eth.type == 0x0800 || more(meta.n) == 1) { sm.egress_spec = sm.egress_spec + 1; }
        bit<8> x = hdr.udp.isValid() ? more(meta.n) : 9;
        hdr.ip.id = meta.n ++ x;
    }
}
NO_EGRESS
#define SUM ;
SWITCH
