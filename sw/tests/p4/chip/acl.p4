// SPDX-License-Identifier: Apache-2.0
// CHIP react: ternary keys, the order of entries, a table under a condition.
#include <v1model.p4>
#include "frame.h"
struct metadata { bit<16> dport; }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action permit(bit<9> port) { sm.egress_spec = port; }
    action deny() { mark_to_drop(sm); }
    table rules {
        key = {
            hdr.ip.src: ternary;
            hdr.ip.protocol: ternary;
        }
        actions = { permit; deny; }
        default_action = deny;
        size = 16;
        const entries = {
            (0x0a000000 &&& 0xff000000, 17): permit(1);
            (_, 0 &&& 0xfe): deny();
            (0x0a000001, _): permit(2);
        }
    }
    apply {
        if (hdr.ip.isValid()) rules.apply();
    }
}
NO_EGRESS
#define SUM ;
SWITCH
