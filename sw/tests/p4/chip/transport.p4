// SPDX-License-Identifier: Apache-2.0
// CHIP k4: two headers at one place, both are written.
#include <v1model.p4>
#include "frame.h"
struct metadata {  }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    apply {
        hdr.udp.dport = 5;
        hdr.tcp.dport = hdr.tcp.sport;
        if (!hdr.udp.isValid() && !hdr.tcp.isValid()) mark_to_drop(sm);
    }
}
NO_EGRESS
#define SUM ;
SWITCH
