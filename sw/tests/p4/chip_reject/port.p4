// SPDX-License-Identifier: Apache-2.0
// CHIP s4: entries whose port has more than eight bits.
#include <v1model.p4>
#include "frame.h"
struct metadata { }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action send(in bit<9> port) { sm.egress_spec = port; }
    action to(bit<9> port) { send(port); }
    table t {
        key = { hdr.ip.ttl: exact; }
        actions = { to; NoAction; }
        default_action = to(259);
        const entries = {
            1: to(255);
            2: to(511);
        }
    }
    apply { t.apply(); }
}
NO_EGRESS
#define SUM ;
SWITCH
// ERROR 13:29 port 259: the machine has ports up to 255; mark_to_drop() drops
// ERROR 16:19 port 511: the machine has ports up to 255; mark_to_drop() drops
