// SPDX-License-Identifier: Apache-2.0
// CHIP s4: of two entries with one key the first wins.
#include <v1model.p4>
#include "frame.h"
struct metadata { }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action go(bit<9> port) { sm.egress_spec = port; }
    table t {
        key = { hdr.ip.dst : lpm; }
        actions = { go; NoAction; }
        const entries = {
            0x0a000105 &&& 0xffffff00 : go(1);
            0x0a000177 &&& 0xffffff00 : go(2);
            0xe0000001 : go(3);
            0xe0000001 : NoAction();
        }
    }
    apply { t.apply(); }
}
NO_EGRESS
#define SUM ;
SWITCH
