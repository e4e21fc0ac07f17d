// SPDX-License-Identifier: Apache-2.0
// CHIP b4.k1: exit, return, switch, functions, actions with parameters, drops that are taken back.
#include <v1model.p4>
#include "frame.h"
struct metadata { bit<8> way; }
bit<8> twice(in bit<8> x) { if (x > 100) return x; return x << 1; }
PARSER
control Inner(inout headers hdr, inout bit<8> way) {
    apply {
        if (hdr.tcp.isValid()) { way = way + 4; return; }
        way = twice(way);
    }
}
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    Inner() inner;
    action set(in bit<8> x, out bit<8> y) { y = x + 1; }
    apply {
        mark_to_drop(sm);
        if (hdr.eth.type == 0x0806) exit;
        set(hdr.ip.ttl, meta.way);
        inner.apply(hdr, meta.way);
        switch (meta.way) {
            2: { sm.egress_spec = 1; }
            4:
            6: { sm.egress_spec = 2; }
            default: { hdr.ip.id = (bit<16>)meta.way; sm.egress_spec = 3; }
        }
    }
}
NO_EGRESS
#define SUM ;
SWITCH
