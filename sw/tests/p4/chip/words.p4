// SPDX-License-Identifier: Apache-2.0
// CHIP s4: parameters that share a word of the entry, and ports of more than 8 bits.
#include <v1model.p4>
#include "frame.h"
struct metadata { }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action put(bit<48> mac, bit<17> a, bit<15> b, bit<15> c) {
        hdr.eth.src = mac;
        hdr.ip.id = (bit<16>)(a >> 1);
        hdr.ip.src = (bit<32>)a;
        hdr.ip.dst = b ++ c ++ 2w0;
    }
    table t {
        key = { hdr.ip.protocol: exact; }
        actions = { put; NoAction; }
        default_action = NoAction;
        const entries = {
            17: put(0x123456789abc, 0x1ffff, 0x7fff, 0x5555);
            6: put(0x020304050607, 0x0ff01, 0x2aaa, 0x7fff);
            1: put(0, 0, 0x7fff, 0x7fff);
        }
    }
    apply { sm.egress_spec = 2; if (hdr.ip.isValid()) t.apply(); }
}
NO_EGRESS
#define SUM ;
SWITCH
