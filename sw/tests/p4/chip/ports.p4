// SPDX-License-Identifier: Apache-2.0
// CHIP react: exact keys, for the cuckoo engine.
#include <v1model.p4>
#include "frame.h"
struct metadata { }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action to(bit<9> port, bit<16> mark) { sm.egress_spec = port; hdr.ip.id = mark; }
    table ports {
        key = { sm.ingress_port: exact; hdr.ip.protocol: exact; }
        actions = { to; NoAction; }
        default_action = NoAction;
        size = 32;
        const entries = {
            (0, 17): to(1, 7);
            (1, 17): to(2, 8);
            (2, 6): to(3, 9);
        }
    }
    apply { if (hdr.ip.isValid()) ports.apply(); }
}
NO_EGRESS
#define SUM ;
SWITCH
